"""Tells the indexer, on its event loop, which paths the file system says have changed. Judges nothing, opens nothing.

Linux: inotify on each directory the scan accepts, so ignored directories never cost a watch. Elsewhere watchdog, one
recursive watch a folder (FSEvents and ReadDirectoryChangesW cost the same however deep). Both drop what reading a
file causes, and give a move as its two ends. A directory that cannot be watched is said so, and is polled.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Protocol

from watchdog.events import (
    EVENT_TYPE_CLOSED,
    EVENT_TYPE_CLOSED_NO_WRITE,
    EVENT_TYPE_CREATED,
    EVENT_TYPE_DELETED,
    EVENT_TYPE_MODIFIED,
    EVENT_TYPE_MOVED,
    EVENT_TYPE_OPENED,
    FileSystemEvent,
    FileSystemEventHandler,
)

from sidecar.ingest.watching import inotify

logger = logging.getLogger(__name__)

_SHARE: Final = 0.75
"""Of the user's inotify watches; the rest is left to editors."""
_REMOTE: Final = frozenset(
    (
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "glusterfs", "vboxsf", "prl_fs",
        "fuse.sshfs", "fuse.rclone", "fuse.vmhgfs-fuse",
    )
)  # fmt: skip
"""File systems whose changes made elsewhere reach no watch (statfs(2), mount(8))."""


class Event(NamedTuple):
    """What happened. "written": a file was closed or put in place whole; "growing": it was created or written to;
    "gone": it is not there any more; "directory": a directory appeared or went; "lost": events were lost, all of
    `path` (b"" for everything) must be looked at."""

    kind: Literal["written", "growing", "gone", "directory", "lost"]
    path: bytes


class Watcher(Protocol):
    """Watches directories. `watch` may be called from any thread, the rest on the event loop's."""

    def start(self, root: bytes) -> None:
        """A folder will be watched; on systems with recursive watches this does it."""
        ...

    def watch(self, directory: bytes) -> bool:
        """Watch one directory; False when it cannot be, and has to be polled."""
        ...

    def drop(self, directory: bytes) -> None:
        """Watch neither that directory nor anything below it any longer."""
        ...

    def close(self) -> None: ...


def open_watcher(deliver: Callable[[Event], None]) -> Watcher:
    """The watcher for this system; `deliver` is called on the running event loop."""
    loop = asyncio.get_running_loop()
    if sys.platform == "linux":
        try:
            return InotifyWatcher(loop, deliver)
        except OSError as error:
            logger.warning("inotify cannot be used (%s): folders are polled instead", error.strerror)
            return NoWatcher()
    return WatchdogWatcher(loop, deliver)


class NoWatcher:
    """Stands where nothing can be watched, so that everything is polled."""

    def start(self, root: bytes) -> None:
        pass

    def watch(self, directory: bytes) -> bool:
        return False

    def drop(self, directory: bytes) -> None:
        pass

    def close(self) -> None:
        pass


class InotifyWatcher:
    """See `inotify`. Keeps which directory each watch descriptor stands for."""

    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[Event], None], limit: int = 0) -> None:
        """`limit` bounds the watches taken; 0 for a share of what the system allows."""
        self._inotify = inotify.Inotify()
        self._loop = loop
        self._deliver = deliver
        self._limit = limit or int(_max_watches() * _SHARE)
        self._paths: dict[int, bytes] = {}
        self._watches: dict[bytes, int] = {}
        self._told = False
        loop.add_reader(self._inotify.descriptor, self._read)

    def start(self, root: bytes) -> None:
        pass

    def watch(self, directory: bytes) -> bool:
        if directory in self._watches:
            return True
        if len(self._watches) >= self._limit:
            return self._used_up(directory)
        try:
            watch = self._inotify.add(directory)
        except inotify.WatchLimit:
            return self._used_up(directory)
        except OSError:  # gone, or not ours to read: the scan finds the same and reports it
            return True
        before = self._paths.get(watch)
        if before is not None and before != directory:
            self._watches.pop(before, None)  # the same directory under its new name
        self._paths[watch] = directory
        self._watches[directory] = watch
        return True

    def drop(self, directory: bytes) -> None:
        below = directory.rstrip(b"/") + b"/"
        for path in [path for path in self._watches.copy() if path == directory or path.startswith(below)]:
            watch = self._watches.pop(path)
            self._paths.pop(watch, None)
            self._inotify.remove(watch)

    def close(self) -> None:
        self._loop.remove_reader(self._inotify.descriptor)
        self._inotify.close()

    def _used_up(self, directory: bytes) -> bool:
        if not self._told:
            self._told = True
            logger.warning(
                "the inotify watches are used up (%d taken): %s and further directories are polled; "
                "raise fs.inotify.max_user_watches to have them watched",
                len(self._watches), os.fsdecode(directory),
            )  # fmt: skip
        return False

    def _read(self) -> None:
        for watch, mask, name in self._inotify.read():
            if mask & inotify.Q_OVERFLOW:
                self._deliver(Event("lost", b""))
                continue
            directory = self._paths.get(watch)
            if directory is None:
                continue
            if mask & inotify.IGNORED:
                del self._paths[watch]
                if self._watches.get(directory) == watch:
                    del self._watches[directory]
            elif mask & (inotify.DELETE_SELF | inotify.MOVE_SELF | inotify.UNMOUNT):
                self._deliver(Event("directory", directory))
            elif name:
                self._tell(directory.rstrip(b"/") + b"/" + name, mask)

    def _tell(self, path: bytes, mask: int) -> None:
        if mask & inotify.IS_DIR:
            if mask & (inotify.MOVED_FROM | inotify.DELETE):
                self.drop(path)
            if not mask & inotify.MODIFY:
                self._deliver(Event("directory", path))
        elif mask & (inotify.CLOSE_WRITE | inotify.MOVED_TO):
            self._deliver(Event("written", path))
        elif mask & (inotify.DELETE | inotify.MOVED_FROM):
            self._deliver(Event("gone", path))
        else:
            self._deliver(Event("growing", path))


class WatchdogWatcher(FileSystemEventHandler):
    """One recursive watchdog watch a folder; its threads put events on the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[Event], None]) -> None:
        from watchdog.observers import Observer

        self._loop = loop
        self._deliver = deliver
        self._observer: Any = Observer()
        self._observer.start()
        self._roots: dict[bytes, Any] = {}

    def start(self, root: bytes) -> None:
        if root not in self._roots:
            try:
                self._roots[root] = self._observer.schedule(self, os.fsdecode(root), recursive=True)
            except OSError as error:
                logger.warning("%s cannot be watched (%s): it is polled", os.fsdecode(root), error)

    def watch(self, directory: bytes) -> bool:
        return any(directory == root or directory.startswith(root.rstrip(b"/\\")) for root in self._roots)

    def drop(self, directory: bytes) -> None:
        watch = self._roots.pop(directory, None)
        if watch is not None:
            self._observer.unschedule(watch)

    def close(self) -> None:
        self._observer.stop()
        self._observer.join(1.0)

    def dispatch(self, event: FileSystemEvent) -> None:
        """Called on watchdog's thread."""
        found = list(_translate(event))
        if found:
            try:
                self._loop.call_soon_threadsafe(self._take, found)
            except RuntimeError:  # the loop is closed: nobody is left to tell
                return

    def _take(self, events: list[Event]) -> None:
        for event in events:
            self._deliver(event)


def _translate(event: FileSystemEvent) -> list[Event]:
    """Our events for one of watchdog's. `opened` and `closed_no_write` are what reading a file causes."""
    kind, source = event.event_type, os.fsencode(event.src_path)
    if kind in (EVENT_TYPE_OPENED, EVENT_TYPE_CLOSED_NO_WRITE):
        return []
    target = os.fsencode(event.dest_path) if event.dest_path else b""
    if event.is_directory:
        # A directory's own "modified" says only that an entry came or went, which has its own event.
        if kind == EVENT_TYPE_MODIFIED:
            return []
        return [Event("directory", path) for path in (source, target) if path]
    if kind == EVENT_TYPE_MOVED:
        return [Event("gone", source), *([Event("written", target)] if target else [])]
    if kind == EVENT_TYPE_DELETED:
        return [Event("gone", source)]
    if kind == EVENT_TYPE_CLOSED:
        return [Event("written", source)]
    if kind in (EVENT_TYPE_CREATED, EVENT_TYPE_MODIFIED):
        return [Event("growing", source)]
    return []


def is_remote(root: bytes) -> bool:
    """Whether the folder lies on a network file system, where no watch sees what other machines change (Linux)."""
    try:
        mounts = Path("/proc/self/mountinfo").read_bytes().splitlines()
    except OSError:
        return False
    best, kind = b"", ""
    for line in mounts:
        fields, _, rest = line.partition(b" - ")
        mount = fields.split(b" ")[4].replace(b"\\040", b" ")
        inside = root == mount or root.startswith(mount.rstrip(b"/") + b"/")
        if inside and len(mount) >= len(best):
            best, kind = mount, rest.split(b" ")[0].decode("ascii", "replace")
    return kind in _REMOTE


def _max_watches() -> int:
    try:
        return int(Path("/proc/sys/fs/inotify/max_user_watches").read_text("ascii"))
    except (OSError, ValueError):
        return 8192
