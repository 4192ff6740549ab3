"""Linux inotify(7): one descriptor for all watched directories, read on the event loop; no thread, no idle wake-ups.

watchdog's own Linux observer either watches recursively, ignored directories included, or takes a thread for each
directory."""

import asyncio
import ctypes
import errno
import logging
import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sidecar.ingest.watching.events import Event, Watcher

if sys.platform != "linux":
    raise ImportError("inotify is an interface of Linux.")

logger = logging.getLogger(__name__)

# linux/inotify.h
_MODIFY: Final = 0x2
_ATTRIB: Final = 0x4
_CLOSE_WRITE: Final = 0x8
_MOVED_FROM: Final = 0x40
_MOVED_TO: Final = 0x80
_CREATE: Final = 0x100
_DELETE: Final = 0x200
_DELETE_SELF: Final = 0x400
_MOVE_SELF: Final = 0x800
_UNMOUNT: Final = 0x2000
_Q_OVERFLOW: Final = 0x4000
_IGNORED: Final = 0x8000
_IS_DIR: Final = 0x40000000
_ONLYDIR: Final = 0x1000000
_DONT_FOLLOW: Final = 0x2000000
_EXCL_UNLINK: Final = 0x4000000
_MASK: Final = (
    _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
    | _ONLYDIR | _EXCL_UNLINK
)  # fmt: skip
_EVENT: Final = struct.Struct("iIII")
_BUFFER: Final = 64 * 1024

_SHARE: Final = 0.75
"""Of the user's inotify watches; the rest is left to editors."""
_DEFAULT_WATCHES: Final = 8192
"""The kernel's limit before Linux 5.11, where /proc does not tell."""


class InotifyWatcher(Watcher):
    """A watch on each directory the scan accepts, so that ignored directories never
    cost one. What reading a file causes is not asked for, and a move comes as its two ends."""

    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[Event], None]) -> None:
        """Raises OSError when the user's inotify instances are used up."""
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._descriptor = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        self._loop = loop
        self._deliver = deliver
        self._limit = int(_max_watches() * _SHARE)
        self._paths: dict[int, bytes] = {}
        self._watches: dict[bytes, int] = {}
        self._roots: set[bytes] = set()
        self._warned = False
        loop.add_reader(self._descriptor, self._read)

    def start(self, root: bytes) -> None:
        """See `Watcher`. A folder may be configured through a symbolic link, which no directory inside one may be."""
        self._roots.add(root)

    def watch(self, directory: bytes) -> bool:
        """See `Watcher`. The kernel serialises calls from several threads."""
        is_root = directory in self._roots  # asked for anew each time: a link may lead elsewhere by now
        if directory in self._watches and not is_root:
            return True
        if len(self._watches) >= self._limit:
            return self._used_up(directory)
        mask = _MASK if is_root else _MASK | _DONT_FOLLOW
        watch = self._libc.inotify_add_watch(self._descriptor, ctypes.c_char_p(directory), ctypes.c_uint32(mask))
        if watch < 0:
            # Anything else: it is gone, or not ours to read, which the scan finds as well and reports.
            return ctypes.get_errno() not in (errno.ENOSPC, errno.ENOMEM) or self._used_up(directory)
        before = self._paths.get(watch)  # the kernel gives a directory watched already the same descriptor again
        if before is not None and before != directory:
            self._watches.pop(before, None)  # the same directory under its new name
        self._paths[watch] = directory
        self._watches[directory] = watch
        return True

    def unwatch(self, directory: bytes) -> None:
        """See `Watcher`. The kernel drops watches of deleted directories itself."""
        below = directory.rstrip(b"/") + b"/"
        for path in [path for path in self._watches.copy() if path == directory or path.startswith(below)]:
            watch = self._watches.pop(path)
            self._paths.pop(watch, None)
            self._libc.inotify_rm_watch(self._descriptor, watch)

    def close(self) -> None:
        """See `Watcher`."""
        self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)

    def _used_up(self, directory: bytes) -> bool:
        if not self._warned:
            self._warned = True
            logger.warning(
                "the inotify watches are used up (%d taken): %s and further directories are polled; "
                "raise fs.inotify.max_user_watches to have them watched",
                len(self._watches), os.fsdecode(directory),
            )  # fmt: skip
        return False

    def _read(self) -> None:
        """Deliver what has happened, up to 64 KiB of it; the loop calls again while there is more."""
        try:
            data = os.read(self._descriptor, _BUFFER)
        except BlockingIOError:
            return
        offset = 0
        while offset < len(data):
            watch, mask, _, length = _EVENT.unpack_from(data, offset)
            offset += _EVENT.size
            name = data[offset : offset + length].rstrip(b"\0")
            offset += length
            event = self._event(watch, mask, name)
            if event is not None:
                self._deliver(event)

    def _event(self, watch: int, mask: int, name: bytes) -> Event | None:
        """One event of the kernel in our terms; None for what says nothing new."""
        if mask & _Q_OVERFLOW:
            return Event("overflow", b"")
        directory = self._paths.get(watch)
        if directory is None:
            return None
        if mask & _IGNORED:
            del self._paths[watch]
            if self._watches.get(directory) == watch:
                del self._watches[directory]
            return None
        if mask & (_DELETE_SELF | _MOVE_SELF | _UNMOUNT):
            return Event("directory", directory)
        if not name:
            return None
        path = directory.rstrip(b"/") + b"/" + name
        gone = mask & (_MOVED_FROM | _DELETE)
        if mask & _IS_DIR:
            if gone:
                self.unwatch(path)
            return None if mask & _MODIFY else Event("directory", path)
        kind = "written" if mask & (_CLOSE_WRITE | _MOVED_TO) else "deleted" if gone else "modified"
        return Event(kind, path)


def _max_watches() -> int:
    try:
        return int(Path("/proc/sys/fs/inotify/max_user_watches").read_text("ascii"))
    except (OSError, ValueError):
        return _DEFAULT_WATCHES
