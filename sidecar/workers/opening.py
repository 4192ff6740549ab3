"""Opens what lies below a watched folder, and nothing else: whatever is swapped for a symbolic link meanwhile, the
descriptor leads to a file of that folder. The one way every file of a user is opened; which of them are wanted is
decided elsewhere.

Linux: openat2(2) with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS where the kernel has it (5.6). Other POSIX systems:
component by component from the folder's own descriptor, each with O_NOFOLLOW. Windows: the open handle is asked where
it really lies."""

import errno
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

from sidecar.toolkit.platform import system

_SEPARATOR: Final = os.sep.encode()
# O_NONBLOCK: a pipe that took the place of a file must not hold its reader up.
_READ: Final = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOINHERIT", 0)
)  # fmt: skip
_DIRECTORY: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_STEP: Final = _DIRECTORY | getattr(os, "O_PATH", 0)
_NOFOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)

_DESCENDS: Final = os.open in os.supports_dir_fd
"""Whether a file can be opened below a directory's descriptor; else the open handle is asked where it lies."""
_TRIES: Final = 8
"""openat2 gives EAGAIN when something was renamed while it looked; the next try usually succeeds."""


def open_below(folder: bytes, path: bytes, *, follow_links: bool = False) -> int:
    """A descriptor, for reading, of the file at `path`, absolute and in `folder`; the folder itself may be a link.

    With `follow_links`, links below the folder are followed as long as what they lead to lies in it as well.

    Raises:
        OSError: as `os.open`; ELOOP where a link is met that is not followed, EXDEV where the path leaves the folder.
    """
    return _open(folder, path, _READ, follow_links=follow_links)


@contextmanager
def open_folder(folder: bytes) -> Generator[int | None]:
    """A descriptor of a folder below which much is going to be listed; None where that is not how it is done, or it
    cannot be opened, which listing says."""
    try:
        top = os.open(folder, _STEP) if _DESCENDS else None
    except OSError:
        top = None
    try:
        yield top
    finally:
        if top is not None:
            os.close(top)


class DirectoryListing:
    """The entries of a directory in `folder`, whose descriptor `top` is where it is held. What they are is to be
    asked before the context ends: only so long does it hold the directory itself, whatever takes its place. Raises
    OSError as `open_below` does."""

    __slots__ = ("_place",)

    def __init__(self, folder: bytes, directory: bytes, top: int | None = None, *, follow_links: bool = False) -> None:
        self._place: int | str
        if _DESCENDS:  # entries of a descriptor are looked at below that
            self._place = _open(folder, directory, _DIRECTORY, top, follow_links=follow_links)
            return
        self._place = os.fsdecode(directory)
        if _final_path(self._place) not in _places(folder, directory, follow_links=follow_links):
            raise _is_link_error(directory)

    def __enter__(self) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._place) as listing:
                return list(listing)
        except OSError:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        if isinstance(self._place, int):
            os.close(self._place)


def _open(folder: bytes, path: bytes, flags: int, top: int | None = None, *, follow_links: bool) -> int:
    if not _DESCENDS:
        return _open_whole(folder, path, flags, follow_links=follow_links)
    try:
        steps = _steps(folder, path)
        return _open_steps(folder, steps, flags) if top is None or not steps else _descend(top, steps, flags)
    except OSError as error:
        # Where the last step is a directory, a link in its place is not one (open(2), O_DIRECTORY with O_NOFOLLOW).
        if error.errno not in (errno.ELOOP, errno.ENOTDIR, errno.EXDEV):
            raise
        if not follow_links:
            raise _is_link_error(path) if error.errno == errno.ELOOP else error from None
    # Where it leads now. If that changes again before it is opened, a link is met, and refused.
    folder, path = os.path.realpath(folder), os.path.realpath(path)
    return _open_steps(folder, _steps(folder, path), flags)


def _steps(folder: bytes, path: bytes) -> list[bytes]:
    """The components of the path below the folder."""
    top = folder.rstrip(_SEPARATOR) + _SEPARATOR
    if path.rstrip(_SEPARATOR) == folder.rstrip(_SEPARATOR):
        return []
    steps = path.removeprefix(top).split(_SEPARATOR)
    if not path.startswith(top) or not {b"", b".", b".."}.isdisjoint(steps):
        raise OSError(errno.EXDEV, "it lies outside the folder", os.fsdecode(path))
    return steps


def _is_link_error(path: bytes) -> OSError:
    return OSError(errno.ELOOP, "it is reached through a symbolic link", os.fsdecode(path))


def _open_steps(folder: bytes, steps: Sequence[bytes], flags: int) -> int:
    top = os.open(folder, _STEP if steps else flags)
    if not steps:
        return top
    try:
        return _descend(top, steps, flags)
    finally:
        os.close(top)


def _descend(top: int, steps: Sequence[bytes], flags: int) -> int:
    beneath, path = system.open_beneath() or _open_each, _SEPARATOR.join(steps)
    for _ in range(_TRIES - 1):
        try:
            return beneath(top, path, flags)
        except BlockingIOError:
            continue
    return beneath(top, path, flags)


def _open_each(top: int, path: bytes, flags: int) -> int:
    """`path` below the directory `top`, a component at a time, none of which may be a link."""
    *directories, last = path.split(_SEPARATOR)
    here = os.dup(top)
    try:
        for name in directories:
            inner = os.open(name, _STEP | _NOFOLLOW, dir_fd=here)
            os.close(here)
            here = inner
        return os.open(last, flags | _NOFOLLOW, dir_fd=here)
    finally:
        os.close(here)


def _open_whole(folder: bytes, path: bytes, flags: int, *, follow_links: bool) -> int:
    places = _places(folder, path, follow_links=follow_links)
    descriptor = system.open_shared(path, flags)
    inside = False
    try:
        inside = system.path_of(descriptor) in places
    finally:
        if not inside:
            os.close(descriptor)
    if not inside:
        raise _is_link_error(path)
    return descriptor


class _Below:
    """Every path below a directory, spelled as the system spells it."""

    def __init__(self, top: str) -> None:
        self._top = top.rstrip(os.sep) + os.sep

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and (path + os.sep).startswith(self._top)


def _places(folder: bytes, path: bytes, *, follow_links: bool) -> _Below | tuple[str, ...]:
    """Where an open handle may lie: anywhere below the folder, or there only where no link leads on."""
    top = _final_path(os.fsdecode(folder))
    steps = _steps(folder, path)
    return _Below(top) if follow_links else (os.path.normcase(os.path.join(top, *map(os.fsdecode, steps))),)  # noqa: PTH118


def _final_path(path: str) -> str:
    # realpath asks GetFinalPathNameByHandleW, as `path_of` does, and drops its prefix.
    return os.path.normcase(os.path.realpath(path))
