"""The machine: data directory, disk, permissions, inotify's limits, optional programs. The index is `library`'s."""

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sidecar.cli.checks import Finding
from sidecar.config import Config
from sidecar.toolkit.platform import system
from sidecar.toolkit.platform.private import make_private_directory
from sidecar.toolkit.programs.libreoffice import find_soffice
from sidecar.toolkit.text import few

_MIN_FREE = 500 * 2**20
"""Bytes; a migration or a vacuum of the index needs its size again, and most are smaller."""
_WATCH_SHARE = 0.75
"""Of the user's inotify watches the watcher takes this many; the rest is left to editors."""
_WALK_SECONDS = 3.0
_INOTIFY_FEW = 8192
"""The kernel's limit before Linux 5.11."""
_RAISE = "run `echo fs.inotify.{name}={value} | sudo tee /etc/sysctl.d/60-docsidecar.conf && sudo sysctl --system`."


def data_directory(config: Config) -> Iterator[Finding]:
    """Whether the index can be kept: a place that can be written, and room."""
    directory = config.data_dir
    try:
        mended = make_private_directory(directory)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        message = f"{directory} cannot be written ({error.strerror})."
        yield Finding("problem", "data directory", message, "mend its permissions, or choose another with --data-dir.")
        return
    if mended:
        listed = few([str(path.relative_to(directory.parent)) for path in mended], 3)
        yield Finding("fixed", "data directory", f"others could read {listed}; only you can now.")
    free = shutil.disk_usage(directory).free
    place = f"{directory}, {free / 2**30:.1f} GiB free."
    if free < _MIN_FREE:
        yield Finding("problem", "disk", place, "free some space, or choose a directory elsewhere with --data-dir.")
    else:
        yield Finding("ok", "data directory", place)
    aside = sorted(directory.glob("index.db.damaged-*"))
    if aside:
        size = sum(path.stat().st_size for path in aside) / 2**20
        message = f"{len(aside)} damaged index file(s) of {size:.0f} MiB were put aside; a new index was made."
        yield Finding("note", "data directory", message, f"delete {directory / 'index.db.damaged-*'} if you like.")


def permissions(config: Config) -> Iterator[Finding]:
    """POSIX: whether all in the data directory is ours, and nobody else may write the configuration."""
    if not system.has_modes:  # there the access list of the user's profile keeps others out
        return
    found = [*_of_others(config.data_dir), *(_writable_by_others(config.source) if config.source else ())]
    yield from found or [Finding("ok", "permissions", "the data directory and the configuration are yours alone.")]


def _of_others(directory: Path) -> Iterator[Finding]:
    """Files of another user, as a sidecar that was once started by root leaves them."""
    try:
        others = [path for path in (directory, *directory.iterdir()) if not system.is_ours(path.lstat().st_uid)]
    except OSError:
        return
    if others:
        level = "note" if all(os.access(path, os.W_OK) for path in others) else "problem"
        message = f"{len(others)} file(s) in {directory} belong to another user, {others[0].name} is one."
        yield Finding(level, "permissions", message, f"run `sudo chown -R {system.user} {directory}`.")


def _writable_by_others(file: Path) -> Iterator[Finding]:
    try:
        status = file.stat()
    except OSError:
        return
    mode = stat.S_IMODE(status.st_mode)
    kept = mode & ~(stat.S_IWGRP | stat.S_IWOTH)
    if kept == mode or not system.is_ours(status.st_uid):
        return

    def fix() -> str:
        file.chmod(kept)
        return f"only you can write {file} now (mode {kept:o})."

    message = f"other users can write {file} (mode {mode:o}), and so have folders read and programs started."
    yield Finding("problem", "permissions", message, f"run `chmod {kept:o} {file}`, or doctor --fix.", fix)


def programs() -> Iterator[Finding]:
    """The optional programs, and what each is for."""
    office = find_soffice()
    if office:
        yield Finding("ok", "LibreOffice", office)
    else:
        yield Finding("note", "LibreOffice", "not found.", "install it to see slides and Word pages as pictures.")
    tesseract = shutil.which("tesseract")
    if tesseract:
        yield Finding("ok", "tesseract", tesseract)
    else:
        message = "not found; scans in Latin letters and Chinese are read without it."
        yield Finding("note", "tesseract", message, "install it, with its languages, for scans in other scripts.")


def watches(config: Config, proc: Path = Path("/proc")) -> Iterator[Finding]:
    """Linux: whether inotify's limits allow for the directories of the folders. `proc` is where the kernel tells."""
    limits = proc / "sys/fs/inotify"
    if not limits.is_dir():
        return
    try:
        most = int((limits / "max_user_watches").read_text("ascii"))
        instances = int((limits / "max_user_instances").read_text("ascii"))
    except (OSError, ValueError):
        return
    used, taken = _taken(proc)
    if taken >= instances:
        message = f"all {instances:,} inotify instances of this user are taken, so that folders are polled."
        yield Finding(
            "problem", "file watching", message, _RAISE.format(name="max_user_instances", value=instances * 4)
        )
    share = int(most * _WATCH_SHARE)
    count, whole = _directories(config, share)
    if count > share:
        message = (
            f"the folders have more directories than the {share:,} we watch of {most:,} allowed; the rest is polled."
        )
        value = max(524_288, most * 4)
        yield Finding("problem", "file watching", message, _RAISE.format(name="max_user_watches", value=value))
    elif most < _INOTIFY_FEW:
        message = f"only {most:,} inotify watches are allowed; large folders are polled."
        yield Finding("note", "file watching", message, _RAISE.format(name="max_user_watches", value=524_288))
    else:
        least = "" if whole else "at least "
        message = f"{most:,} inotify watches allowed, {used:,} in use, {least}{count:,} directories to watch."
        yield Finding("ok", "file watching", message)


def _taken(proc: Path) -> tuple[int, int]:
    """The inotify watches and instances that this user's processes have, as far as they can be seen."""
    used = taken = 0
    for process in proc.glob("[0-9]*"):
        try:
            if not system.is_ours(process.stat().st_uid):
                continue
            for descriptor in (process / "fdinfo").iterdir():
                lines = descriptor.read_bytes().count(b"inotify wd:")
                used += lines
                taken += (process / "fd" / descriptor.name).readlink().name.endswith("inotify")
        except OSError:  # it ended meanwhile
            continue
    return used, taken


def _directories(config: Config, most: int) -> tuple[int, bool]:
    """How many directories the folders have, hidden ones apart, up to a number and a time; whether all were counted."""
    until = time.monotonic() + _WALK_SECONDS
    count = 0
    for folder in config.folders:
        for _, below, _ in os.walk(folder.path):
            below[:] = [name for name in below if config.index.hidden or not name.startswith(".")]
            count += 1
            if count > most or time.monotonic() > until:
                return count, False
    return count, True
