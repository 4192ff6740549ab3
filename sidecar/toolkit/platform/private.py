"""Files and directories that only their user may read: the data directory, and what lies in it.

POSIX permissions; on Windows a data directory lies in the user's profile, whose access list keeps others out."""

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from sidecar.toolkit.platform import system

DIRECTORY_MODE: Final = 0o700
_FILE_MODE: Final = 0o600
_OTHERS: Final = 0o077
_OURS: Final = frozenset(("index.db", "docsidecar.log", "open.lock"))
"""A directory that holds one of these is a data directory, and not just one that somebody named as such."""
_REFUSALS: Final = frozenset((errno.EROFS, errno.EACCES, errno.EPERM))


def make_private_directory(directory: Path) -> list[Path]:
    """Make the data directory, or mend the permissions of one that is there and of the files in it. A directory full of
    other things keeps its own. Gives what was mended. Raises OSError where it cannot be made."""
    directory.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
    mended: list[Path] = []
    if not system.has_modes:
        return mended
    with contextlib.suppress(OSError):  # a read-only place is served as it is
        entries = list(directory.iterdir())
        if not entries or not _OURS.isdisjoint(entry.name for entry in entries):
            if _restrict(directory, DIRECTORY_MODE):
                mended.append(directory)
            mended += _restrict_files(entries)
    return mended


def make_private_file(path: Path) -> None:
    """Make an empty file that only its user may read and write, unless it is there. Raises OSError."""
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, _FILE_MODE))


def is_read_only(directory: Path) -> bool:
    """Whether no file may be made in a directory that is there, which is tried: root may where permissions say no, and
    nobody may on a read-only disk. What else goes wrong (no space, no open file left) does not make it read-only."""
    try:
        with tempfile.TemporaryFile(dir=directory):
            return False
    except OSError as error:
        return error.errno in _REFUSALS


def _restrict_files(entries: Iterable[Path]) -> Iterator[Path]:
    for entry in entries:
        with contextlib.suppress(OSError):  # another sidecar may remove one meanwhile
            if stat.S_ISREG(entry.lstat().st_mode) and _restrict(entry, _FILE_MODE):
                yield entry


def _restrict(path: Path, mode: int) -> bool:
    """Whether it was open to others."""
    status = path.lstat()
    opened = bool(status.st_mode & _OTHERS) and system.is_ours(status.st_uid)
    if opened:
        path.chmod(mode)
    return opened
