"""The files waiting to be read, in the order that finishes soonest: large ones from one end, small ones from the other.

A large file begun last would leave all workers but one idle; a folder begun with its largest would show nothing for
a while. So half of the workers take from the large end, the others gather small files into batches.
"""

from __future__ import annotations

from dataclasses import dataclass

from sidecar.ingest.jobs import Job
from sidecar.store.records import FileStat, KnownFile

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


class Workload:
    """A double-ended queue by size in which every path stands once; the newest word on a path holds."""

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

    def add(self, pending: Pending) -> None:
        path = pending.job.path
        if path not in self._by_path or self._by_path[path].stat.size != pending.stat.size:
            self._order.append((pending.stat.size, path))
            self._sorted = False
        self._by_path[path] = pending

    def discard(self, path: bytes) -> None:
        self._by_path.pop(path, None)

    def take(self, *, large: bool) -> list[Pending]:
        """The next batch, from the large end or the small one; empty when nothing waits."""
        self._sort()
        batch: list[Pending] = []
        size = 0
        while self._start < len(self._order) and len(batch) < BATCH_FILES:
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
