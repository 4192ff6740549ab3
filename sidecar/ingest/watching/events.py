"""What the indexer hears of the file system: the events, and what a watcher of directories offers. Watches nothing."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol


class Event(NamedTuple):
    """What happened. "written": a file was closed or put in place whole; "modified": it was created or written to;
    "deleted": it is not there any more; "directory": a directory appeared or went; "overflow": events were lost, all
    of `path` (b"" for everything) must be scanned."""

    kind: Literal["written", "modified", "deleted", "directory", "overflow"]
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

    def close(self) -> None:
        """Watch nothing any longer."""
        ...


class NoWatcher:
    """Where nothing can be watched, or nothing needs to be: everything is polled."""

    def start(self, root: bytes) -> None:
        """See `Watcher`."""

    def watch(self, directory: bytes) -> bool:
        """Always False."""
        return False

    def drop(self, directory: bytes) -> None:
        """See `Watcher`."""

    def close(self) -> None:
        """See `Watcher`."""
