"""The files waiting to be read, in the order that finishes soonest: large ones from one end, small ones from the other.

A large file begun last would leave all workers but one idle; a folder begun with its largest would show nothing for
a while. So half of the workers take from the large end, the others gather small files into batches. A file that was
just saved comes before all others; one that takes seconds, whatever its size, when all others are searchable.
"""

from __future__ import annotations

from dataclasses import dataclass

from sidecar.ingest.reading.jobs import LATE, Job
from sidecar.store.documents.records import FileStat, KnownFile

BATCH_FILES = 16
BATCH_BYTES = 512 * 1024
"""A batch saves round trips for small files; one beyond this size is a batch of its own."""


@dataclass(frozen=True)
class Pending:
    """A file to read. `folder` is its watched folder; `stat` how it looked when it was queued; `known` what the index
    had of it then."""

    job: Job
    folder: bytes
    stat: FileStat
    known: KnownFile | None = None
    forced: bool = False
    """Written even when nothing changed: its row belongs to another folder now."""
    urgent: bool = False
    """It was saved while the index is being kept true: somebody works on it."""

    @property
    def late(self) -> bool:
        return self.job.slow or self.job.path.lower().endswith(LATE)


class Workload:
    """Every path stands in it once; the newest word on a path holds."""

    def __init__(self) -> None:
        self._urgent = _Queue()
        self._soon = _Queue()
        self._late = _Queue()
        self._queues = (self._urgent, self._soon, self._late)

    def __len__(self) -> int:
        return sum(map(len, self._queues))

    def __contains__(self, path: bytes) -> bool:
        return any(path in queue for queue in self._queues)

    @property
    def urgent(self) -> bool:
        """Whether a saved file waits."""
        return len(self._urgent) > 0

    @property
    def quick(self) -> bool:
        """Whether a file waits that takes no longer than files of its size do."""
        return self.urgent or len(self._soon) > 0

    def get(self, path: bytes) -> Pending | None:
        return next((found for queue in self._queues if (found := queue.get(path)) is not None), None)

    def add(self, pending: Pending) -> None:
        path = pending.job.path
        waiting = self._late.get(path)
        if waiting is not None and waiting.job.slow and waiting.stat == pending.stat and not pending.forced:
            return  # all that needs no recognition is done
        self.discard(path)
        queue = self._late if pending.late else self._urgent if pending.urgent else self._soon
        queue.add(pending)

    def discard(self, path: bytes) -> None:
        for queue in self._queues:
            queue.discard(path)

    def paths(self) -> list[bytes]:
        return [path for queue in self._queues for path in queue.paths()]

    def take(self, *, large: bool) -> list[Pending]:
        """The next batch, from the large end or the small one; empty when nothing waits."""
        return self.take_urgent() or self._soon.take(BATCH_FILES, large=large) or self._late.take(1, large=large)

    def take_urgent(self) -> list[Pending]:
        """The next batch of saved files."""
        return self._urgent.take(BATCH_FILES, large=False)


class _Queue:
    """Double-ended, by size."""

    def __init__(self) -> None:
        self._by_path: dict[bytes, Pending] = {}
        self._order: list[tuple[int, bytes]] = []
        self._start = 0
        self._sorted = True

    def __len__(self) -> int:
        return len(self._by_path)

    def __contains__(self, path: bytes) -> bool:
        return path in self._by_path

    def get(self, path: bytes) -> Pending | None:
        return self._by_path.get(path)

    def paths(self) -> list[bytes]:
        return list(self._by_path)

    def add(self, pending: Pending) -> None:
        path = pending.job.path
        if path not in self._by_path or self._by_path[path].stat.size != pending.stat.size:
            self._order.append((pending.stat.size, path))
            self._sorted = False
        self._by_path[path] = pending

    def discard(self, path: bytes) -> None:
        self._by_path.pop(path, None)

    def take(self, most: int, *, large: bool) -> list[Pending]:
        """The next batch of at most so many files."""
        self._sort()
        batch: list[Pending] = []
        size = 0
        while self._start < len(self._order) and len(batch) < most:
            length, path = self._order[-1] if large else self._order[self._start]
            if batch and size + length > BATCH_BYTES:
                break
            if large:
                self._order.pop()
            else:
                self._start += 1
            pending = self._by_path.get(path)
            if pending is None or pending.stat.size != length:
                continue  # taken back, or queued again with another size
            del self._by_path[path]
            batch.append(pending)
            size += length
        if self._start == len(self._order):
            self._order.clear()
            self._start = 0
        return batch

    def _sort(self) -> None:
        if not self._sorted:
            del self._order[: self._start]
            self._start = 0
            self._order.sort()  # mostly two sorted runs, which are merged in linear time
            self._sorted = True
