"""What the indexer hears of the file system: the events, and what a watcher of directories offers. Watches nothing."""

from typing import Literal, NamedTuple


class Event(NamedTuple):
    """What happened. "written": a file was closed or put in place whole; "modified": it was created or written to;
    "deleted": it is not there any more; "directory": a directory appeared or went; "overflow": events were lost, all
    of `path` (b"" for everything) must be scanned."""

    kind: Literal["written", "modified", "deleted", "directory", "overflow"]
    path: bytes


class Watcher:
    """Watches directories; this one watches none, so that all are polled. `watch` may be called from any thread, the
    rest on the event loop's."""

    def start(self, root: bytes) -> None:
        """A folder will be watched; on systems with recursive watches this does it."""

    def watch(self, directory: bytes) -> bool:
        """Watch one directory; False when it cannot be, and has to be polled."""
        return False

    def unwatch(self, directory: bytes) -> None:
        """Watch neither that directory nor anything below it any longer."""

    def close(self) -> None:
        """Watch nothing any longer."""
