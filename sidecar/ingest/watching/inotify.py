"""Linux inotify(7), one descriptor for all watched directories, read on the event loop: no thread, no idle wake-ups.

watchdog's own Linux observer either watches recursively, ignored directories included, or takes a thread for each
directory. Everything above the kernel's interface is in `watch`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterator
from typing import Final

# linux/inotify.h
MODIFY: Final = 0x2
ATTRIB: Final = 0x4
CLOSE_WRITE: Final = 0x8
MOVED_FROM: Final = 0x40
MOVED_TO: Final = 0x80
CREATE: Final = 0x100
DELETE: Final = 0x200
DELETE_SELF: Final = 0x400
MOVE_SELF: Final = 0x800
UNMOUNT: Final = 0x2000
Q_OVERFLOW: Final = 0x4000
IGNORED: Final = 0x8000
IS_DIR: Final = 0x40000000
_ONLYDIR: Final = 0x1000000
_DONT_FOLLOW: Final = 0x2000000
_EXCL_UNLINK: Final = 0x4000000
_MASK: Final = (
    MODIFY | ATTRIB | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | MOVE_SELF
    | _ONLYDIR | _EXCL_UNLINK
)  # fmt: skip

_EVENT: Final = struct.Struct("iIII")
_BUFFER: Final = 64 * 1024


class WatchLimit(OSError):
    """The user's inotify watches are used up (fs.inotify.max_user_watches)."""


class Inotify:
    """The descriptor. `add` may be called from any thread (the kernel serialises); the rest on the loop's."""

    def __init__(self) -> None:
        """Raises OSError when the user's inotify instances are used up."""
        if sys.platform != "linux":
            raise OSError(errno.ENOSYS, "inotify is a Linux interface")
        self._libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.descriptor < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def add(self, directory: bytes, *, follow: bool = False) -> int:
        """Watch one directory and give its watch descriptor; the same again for a directory watched already.

        Raises WatchLimit when there are no more, OSError as inotify_add_watch(2) does.
        """
        mask = _MASK if follow else _MASK | _DONT_FOLLOW
        watch = self._libc.inotify_add_watch(self.descriptor, ctypes.c_char_p(directory), ctypes.c_uint32(mask))
        if watch < 0:
            code = ctypes.get_errno()
            kind = WatchLimit if code in (errno.ENOSPC, errno.ENOMEM) else OSError
            raise kind(code, os.strerror(code))
        return int(watch)

    def remove(self, watch: int) -> None:
        """Watch no longer. Unknown descriptors are ignored: the kernel drops those of deleted directories itself."""
        self._libc.inotify_rm_watch(self.descriptor, watch)

    def read(self) -> Iterator[tuple[int, int, bytes]]:
        """(watch descriptor, mask, name) of what has happened, up to 64 KiB of it; nothing when nothing has."""
        try:
            data = os.read(self.descriptor, _BUFFER)
        except BlockingIOError:
            return
        offset = 0
        while offset < len(data):
            watch, mask, _, length = _EVENT.unpack_from(data, offset)
            offset += _EVENT.size
            yield watch, mask, data[offset : offset + length].rstrip(b"\0")
            offset += length

    def close(self) -> None:
        os.close(self.descriptor)
