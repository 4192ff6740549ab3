"""`docsidecar doctor`: checks everything a user could trip over, and says what to do about each finding.

What a check needs is imported by the check: every command, `serve` too, loads this module for its options.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from sidecar import __version__
from sidecar.api import ConfigError, SidecarError
from sidecar.cli.output import print_json
from sidecar.config import Config, Overrides, fallback, load
from sidecar.toolkit.libreoffice import find_soffice
from sidecar.toolkit.private import make_private_directory


@dataclass(frozen=True)
class Finding:
    """One checked thing; `level` "problem" makes the exit code 1, "note" is something that would be good to have."""

    level: Literal["ok", "note", "problem"]
    what: str
    message: str


def register(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "doctor", parents=[shared], help="check the set-up and say what is wrong",
        description="Check configuration, folders, index, plugins and optional programs; say what to do about each.",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print all findings; exit code 1 when one is a problem."""
    findings = list(_examine(overrides))
    if arguments.json:
        print_json([asdict(finding) for finding in findings])
    else:
        marks = {"ok": "ok     ", "note": "note   ", "problem": "PROBLEM"}
        for finding in findings:
            print(f"{marks[finding.level]}  {finding.what}: {finding.message}")
    return 1 if any(finding.level == "problem" for finding in findings) else 0


def _examine(overrides: Overrides) -> Iterator[Finding]:
    yield Finding("ok", "docsidecar", f"{__version__} on Python {platform.python_version()}, {platform.platform()}")
    try:
        config = load(overrides)
        yield Finding("ok", "configuration", f"{config.source} is right.")
    except ConfigError as error:
        config = fallback(error, overrides)
        yield Finding("problem", "configuration", str(error))
    yield from _folders(config)
    yield from _data_dir(config)
    yield from _index(config)
    yield from _plugins(config)
    yield from _programs()
    yield from _watches()


def _folders(config: Config) -> Iterator[Finding]:
    problems = config.folder_problems()
    for problem in problems:
        yield Finding("problem", "folders", problem)
    if not config.folders:
        yield Finding("note", "folders", "none is watched yet; add one with `docsidecar add FOLDER`.")
    elif not problems:
        yield Finding("ok", "folders", f"{len(config.folders)} watched.")


def _data_dir(config: Config) -> Iterator[Finding]:
    try:
        make_private_directory(config.data_dir)
        import tempfile

        with tempfile.TemporaryFile(dir=config.data_dir):
            pass
    except OSError as error:
        message = f"{config.data_dir} cannot be written ({error.strerror}); choose another with --data-dir."
        yield Finding("problem", "data directory", message)
        return
    free = shutil.disk_usage(config.data_dir).free
    level = "ok" if free > 500 * 2**20 else "problem"
    yield Finding(level, "data directory", f"{config.data_dir}, {free / 2**30:.1f} GiB free.")


def _index(config: Config) -> Iterator[Finding]:
    import sqlite3

    from sidecar import app

    yield Finding("ok", "SQLite", sqlite3.sqlite_version)

    async def ask(application: app.Application) -> dict[str, Any]:
        await application.workers.run("os:getpid")
        return await application.library.status()

    try:
        status = app.run_command(config, ask)
    except SidecarError as error:
        yield Finding("problem", "index", str(error))
        return
    states = ", ".join(f"{count:,} {state}" for state, count in sorted(status["states"].items())) or "empty"
    yield Finding("ok", "index", f"{states}.")
    confined = status.get("confinement") or "nothing is in force: this system has neither landlock nor seccomp"
    yield Finding("ok" if status.get("confinement") else "note", "workers", f"{confined}.")
    if status.get("remark"):
        yield Finding("note", "index", status["remark"])


def _plugins(config: Config) -> Iterator[Finding]:
    from sidecar.registry import allow_plugins, load_features, load_formats

    refused = allow_plugins(config.plugin_directory, config.plugins_allowed)
    formats = load_formats(config.plugins_disabled, config.plugin_settings)
    features = load_features(config.plugins_disabled, config.feature_settings())
    for failure in (*refused, *formats.failures, *features.failures):
        message = f"{failure.name} of {failure.distribution} failed to load ({failure.reason}); update or uninstall it."
        yield Finding("problem", "plugin", message)
    yield Finding("ok", "plugins", f"{len(formats.entries)} formats, {len(features.entries)} features.")


def _programs() -> Iterator[Finding]:
    office = find_soffice()
    if office:
        yield Finding("ok", "LibreOffice", office)
    else:
        message = "not found; install it to see slides and Word pages as pictures."
        yield Finding("note", "LibreOffice", message)
    tesseract = shutil.which("tesseract")
    if tesseract:
        yield Finding("ok", "tesseract", tesseract)
    else:
        yield Finding("note", "tesseract", "not found; install it to read scanned pages (OCR).")


def _watches() -> Iterator[Finding]:
    limit = Path("/proc/sys/fs/inotify/max_user_watches")
    if sys.platform != "linux" or not limit.exists():
        return
    count = int(limit.read_text())
    if count < 8192:
        message = f"only {count:,} inotify watches; raise fs.inotify.max_user_watches, or large folders are polled."
        yield Finding("note", "file watching", message)
    else:
        yield Finding("ok", "file watching", f"{count:,} inotify watches allowed (user {os.getuid()}).")
