"""Opens the watcher that fits this system, and is the one for systems other than Linux, by way of watchdog.

Linux: `inotify`. Elsewhere one recursive watch a folder (FSEvents and ReadDirectoryChangesW cost the same however
deep). A directory that cannot be watched is said so, and is polled."""

import asyncio
import logging
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

from watchdog.events import (
    EVENT_TYPE_CLOSED,
    EVENT_TYPE_CREATED,
    EVENT_TYPE_DELETED,
    EVENT_TYPE_MODIFIED,
    EVENT_TYPE_MOVED,
    FileSystemEvent,
    FileSystemEventHandler,
)

from sidecar.ingest.watching.events import Event, Watcher
from sidecar.store.documents.paths import under
from sidecar.toolkit.platform import system

logger = logging.getLogger(__name__)

_REMOTE: Final = frozenset(
    (
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "glusterfs", "vboxsf", "prl_fs",
        "virtiofs", "drvfs", "fuse",
    )
)  # fmt: skip
"""File systems whose changes made elsewhere reach no watch (statfs(2), mount(8)). Whatever a program serves ("fuse",
"fuse.sshfs") may lie elsewhere: in a cloud, on a server, below another directory; "fuseblk" is a disk."""

_KINDS: Final[dict[str, Literal["written", "modified", "deleted"]]] = {
    EVENT_TYPE_CLOSED: "written", EVENT_TYPE_CREATED: "modified", EVENT_TYPE_MODIFIED: "modified",
    EVENT_TYPE_DELETED: "deleted", EVENT_TYPE_MOVED: "deleted",
}  # fmt: skip
"""watchdog's kinds of event in our terms; `opened` and `closed_no_write` are what reading a file causes."""


def open_watcher(deliver: Callable[[Event], None]) -> Watcher:
    """The watcher for this system; `deliver` is called on the running event loop."""
    loop = asyncio.get_running_loop()
    if sys.platform == "linux":
        from sidecar.ingest.watching.inotify import InotifyWatcher

        try:
            return InotifyWatcher(loop, deliver)
        except OSError as error:
            logger.warning("inotify cannot be used (%s): folders are polled instead", error.strerror)
            return Watcher()
    return WatchdogWatcher(loop, deliver)


class WatchdogWatcher(FileSystemEventHandler, Watcher):
    """One recursive watchdog watch a folder; its threads put events on the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[Event], None]) -> None:
        from watchdog.observers import Observer

        self._loop = loop
        self._deliver = deliver
        self._observer: Any = Observer()
        self._observer.start()
        self._roots: dict[bytes, Any] = {}
        self._spellings: dict[bytes, bytes] = {}
        """Real path → folder as it is configured, where they differ: FSEvents gives real paths."""

    def start(self, root: bytes) -> None:
        """See `Watcher`. One that ended, since its folder went, is begun anew."""
        if self._roots.get(root) not in self._alive():
            self.unwatch(root)
            real = system.real_path(root)
            if real != root:
                self._spellings[real] = root
            try:
                self._roots[root] = self._observer.schedule(self, os.fsdecode(root), recursive=True)
            except OSError as error:
                logger.warning("%s cannot be watched (%s): it is polled", os.fsdecode(root), error)

    def watch(self, directory: bytes) -> bool:
        """Whether its folder is watched."""
        alive = self._alive()
        return any(under(directory, root) and watch in alive for root, watch in list(self._roots.items()))

    def _alive(self) -> set[Any]:
        return {emitter.watch for emitter in list(self._observer.emitters) if emitter.is_alive()}

    def unwatch(self, directory: bytes) -> None:
        """See `Watcher`; only whole folders can be dropped."""
        watch = self._roots.pop(directory, None)
        if watch is not None:
            self._observer.unschedule(watch)

    def close(self) -> None:
        """See `Watcher`."""
        self._observer.stop()
        self._observer.join(1.0)

    def dispatch(self, event: FileSystemEvent) -> None:
        """Called on watchdog's thread."""
        for found in _translate(event):
            try:
                self._loop.call_soon_threadsafe(self._deliver, found._replace(path=self._spelled(found.path)))
            except RuntimeError:  # the loop is closed: nobody listens
                return

    def _spelled(self, path: bytes) -> bytes:
        """The path as the scan spells it: below the folder as that is configured."""
        for real, root in list(self._spellings.items()):
            if under(path, real):
                return root + path[len(real) :]
        return path


def _translate(event: FileSystemEvent) -> list[Event]:
    """Our events for one of watchdog's."""
    kind, source = _KINDS.get(event.event_type), os.fsencode(event.src_path)
    target = os.fsencode(event.dest_path) if event.dest_path else b""
    if kind is None:
        return []
    if event.is_directory:
        # A directory's own "modified" says only that an entry came or went, which has its own event.
        directories = [] if event.event_type == EVENT_TYPE_MODIFIED else [source, target]
        return [Event("directory", path) for path in directories if path]
    return [Event(kind, source), *([Event("written", target)] if target else [])]


def is_remote(root: bytes) -> bool:
    """Whether the folder lies on a file system where no watch sees what is changed elsewhere (Linux)."""
    try:
        mounts = Path("/proc/self/mountinfo").read_bytes().splitlines()
    except OSError:
        return False
    best, kind = b"", ""
    for line in mounts:
        fields, _, rest = line.partition(b" - ")
        mount = re.sub(rb"\\([0-3][0-7]{2})", lambda code: bytes([int(code[1], 8)]), fields.split(b" ")[4])
        inside = root == mount or root.startswith(mount.rstrip(b"/") + b"/")
        if inside and len(mount) >= len(best):
            best, kind = mount, rest.split(b" ")[0].decode("ascii", "replace")
    return kind.partition(".")[0] in _REMOTE
