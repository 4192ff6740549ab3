"""Which files wait to be read and which are being read, in the order that finishes soonest.

A large file begun last would leave all workers but one idle; a folder begun with its largest would show nothing for
a while. So half of the readers take from the large end, the others gather small files into batches. A file that was
just saved comes before all others, and then what stands in a saved archive or is attached to a saved file; one that
takes seconds, whatever its size, when all others are searchable.
While what waits takes long, the words of each file are read first, and the rest of it when those of all are there."""

import asyncio
import heapq
import math
from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import replace
from typing import Final

import msgspec

from sidecar.api import slugify
from sidecar.ingest.reading.jobs import processor_seconds
from sidecar.ingest.watching.compare import Pending
from sidecar.ingest.watching.folders import SEPARATOR
from sidecar.store.documents.paths import fold, shown, stem_and_suffix

BATCH_FILES: Final = 16
_BATCH_BYTES: Final = 512 * 1024
"""A batch saves round trips for small files; one beyond this size is a batch of its own."""


_LONG_SECONDS: Final = 10.0
"""Processor time each reader has before it from which on words come first: less is over before anybody has asked."""
_TELLING: Final = 4
"""Letters of a word that is looked for in names: shorter ones stand within others."""
_ENDING: Final = 2
"""Letters at a word's end that names may have otherwise: "invoices" and "invoice"."""


class Queue:
    """Every path is in it once, waiting or being read (which it is until `finish`, after it was committed); the newest
    word on a path holds."""

    def __init__(self) -> None:
        self._urgent = _BySize()
        self._saved = _BySize()
        """Files that were just saved and whose members or attached documents are still to be read."""
        self._soon = _BySize()
        self._words_only = _BySize()
        self._slow = _BySize()
        self._waiting = (self._urgent, self._saved, self._soon, self._words_only, self._slow)
        self._reading: dict[bytes, Pending] = {}
        self._changed: set[bytes] = set()
        """Paths that changed while they were being read."""
        self._remainders: dict[bytes, Pending] = {}
        """What is left to do for files read in part, once that part is committed."""
        self._begun = b""
        self._readers = self._free = 0
        """Of those who take files that nobody waits for: how many there are, and how many are not busy."""
        self._any = asyncio.Event()
        self._any_urgent = asyncio.Event()
        """Set while a saved file waits and every reader is busy."""
        self._finished = asyncio.Event()
        """Set whenever a path leaves the queue."""
        self._searchable: set[bytes] = set()
        """Paths that the index has already."""
        self.words_first = False
        """Whether somebody may search meanwhile."""
        self._long = False
        """Whether what waited took long, until none of it is left."""

    def __len__(self) -> int:
        """How many wait or are being read."""
        return sum(map(len, self._waiting)) + len(self._reading)

    def __contains__(self, path: bytes) -> bool:
        return path in self._reading or any(path in waiting for waiting in self._waiting)

    @property
    def urgent(self) -> bool:
        """Whether a saved file waits."""
        return len(self._urgent) > 0

    @property
    def only_slow(self) -> bool:
        """Whether all that is left takes long: the rest is searchable."""
        waiting = self._urgent or self._saved or self._soon or self._words_only
        return not waiting and all(pending.slow for pending in self._reading.values())

    @property
    def words_only(self) -> int:
        """Of how many the index has the words and no more."""
        return len(self._words_only) + sum(pending.words_only for pending in self._reading.values())

    @property
    def searchable(self) -> int:
        """How many of them the index has already, as they were before or without what takes long."""
        return len(self._searchable)

    @property
    def current(self) -> bytes:
        """The file begun last; b"" when none is being read."""
        return self._begun if self._reading else b""

    def add(self, pending: Pending) -> None:
        """Have the file read. One being read already is looked at again after that."""
        path = pending.job.path
        reading = self._reading.get(path)
        if reading is not None:
            if reading.stat != pending.stat:
                self._changed.add(path)
            return
        waiting = self._slow.get(path) or self._saved.get(path)
        if waiting is not None and waiting.job.slow and waiting.stat == pending.stat and not pending.forced:
            return  # all that needs no recognition is done
        self._forget(path)
        if pending.searchable:
            self._searchable.add(path)
        soon = self._urgent if pending.urgent else self._words_only if pending.words_only else self._soon
        slow = self._saved if pending.urgent and pending.job.slow else self._slow
        (slow if pending.slow else soon).add(pending)
        self._any.set()
        self._note_urgent()

    def discard(self, path: bytes) -> None:
        """The file is gone, or not to be indexed any more: it need not be read."""
        self._forget(path)
        self._remainders.pop(path, None)
        self._finished.set()

    def waiting(self) -> list[bytes]:
        """The paths that wait."""
        return [path for waiting in self._waiting for path in waiting.paths()]

    def unfinished(self) -> list[bytes]:
        """The paths that wait or are being read."""
        return [*self.waiting(), *self._reading]

    def lead(self, paths: Sequence[bytes]) -> None:
        """Those of these files that wait to be read for the first time come before all others."""
        for path in paths:
            if (pending := self._soon.get(path)) is not None:
                self.add(replace(pending, urgent=True))

    def first_time(self) -> list[bytes]:
        """The paths that wait and of which the index has not even the words."""
        return [path for path in self._soon.paths() if path not in self._searchable]

    async def wait_until_read(self, paths: Sequence[bytes]) -> None:
        """Until each of these is in the index, with its text as far as no recognition is needed, or is gone."""
        while any(path in self._urgent or self._waits_for_reader(path) for path in paths):
            await self._next_finished()

    def next_batch(self, *, large: bool = False, only_urgent: bool = False) -> list[Pending]:
        """The next batch, from the large end or the small one, or of saved files only; empty when nothing waits. It is
        being read from now on."""
        batch = self._urgent.next_batch(BATCH_FILES, large=False)
        if not batch:  # a large archive would hold up what is saved next
            batch = self._saved.next_batch(1, large=False, within=_BATCH_BYTES if only_urgent else None)
        if not batch and not only_urgent:
            # Towards the end batches get smaller, so that no reader is idle while another has sixteen files left.
            waiting = self._soon or self._words_only
            most = min(BATCH_FILES, len(waiting) // (2 * self._readers) + 1) if self._readers else BATCH_FILES
            self._long = len(self._soon) > 0 and (self._long or self._soon.seconds > _LONG_SECONDS * self._readers)
            batch = waiting.next_batch(most, large=large) or self._slow.next_batch(1, large=large)
            batch = [_words_of(pending) for pending in batch] if self._long and self.words_first else batch
        for pending in batch:
            self._reading[pending.job.path] = pending
        if batch:
            self._begun = batch[0].job.path
        return batch

    async def batches(self, *, large: bool) -> AsyncGenerator[list[Pending]]:
        """One reader's batches, for ever; it is busy with one until it asks for the next."""
        self._readers += 1
        self._free += 1
        while True:
            batch = self.next_batch(large=large)
            if batch:
                self._free -= 1
                self._note_urgent()
                yield batch
                self._free += 1
            else:
                self._any.clear()
                await self._any.wait()

    async def urgent_batches(self) -> AsyncGenerator[list[Pending]]:
        """Saved files that would have to wait because every reader is busy, for minutes perhaps."""
        while True:
            await self._any_urgent.wait()
            self._any_urgent.clear()
            while not self._free and (batch := self.next_batch(only_urgent=True)):
                yield batch

    def add_remainder(self, pending: Pending) -> None:
        """A file being read was read in part; this comes when that part is committed."""
        self._remainders[pending.job.path] = pending

    def again(self, pending: Pending) -> None:
        """A file being read must be read once more, from the start."""
        self._reading.pop(pending.job.path, None)
        self.add(pending)

    def finish(self, path: bytes, *, permitted: bool = True) -> bool:
        """The file was read and what came of it is committed; gives whether it changed in the meantime. What remains
        of it to be read is queued while the file is `permitted` in the index."""
        self._reading.pop(path, None)
        remainder = self._remainders.pop(path, None)
        changed = path in self._changed
        self._changed.discard(path)
        self._searchable.discard(path)
        if remainder is not None and permitted and not changed:
            self.add(remainder)
        self._finished.set()
        return changed

    async def drained(self) -> None:
        """Until nothing waits or is being read."""
        while len(self):
            await self._next_finished()

    async def wait_until_searchable(self) -> None:
        """Until nothing is left but what waits for recognition, which has been read once, and what is not in the index,
        which is read at the next start in any case."""
        while not all(
            one.job.slow or one.known is None
            for some in (self._reading.values(), *(waiting.files() for waiting in self._waiting))
            for one in some
        ):
            await self._next_finished()

    async def _next_finished(self) -> None:
        self._finished.clear()
        await self._finished.wait()

    def _waits_for_reader(self, path: bytes) -> bool:
        reading = self._reading.get(path)
        return reading is not None and not reading.slow

    def _forget(self, path: bytes) -> None:
        if path not in self._reading:
            self._searchable.discard(path)
        for waiting in self._waiting:
            waiting.discard(path)

    def _note_urgent(self) -> None:
        if (self.urgent or len(self._saved)) and not self._free:
            self._any_urgent.set()


def _words_of(pending: Pending) -> Pending:
    """The file with its words asked for first, unless the index has it as it was before: that says more."""
    if pending.searchable:
        return pending
    return replace(pending, job=msgspec.structs.replace(pending.job, words=True))


def _seconds(pending: Pending) -> float:
    return processor_seconds(stem_and_suffix(pending.job.path)[1], 1, pending.stat.size)


class _BySize:
    """Double-ended, by size."""

    def __init__(self) -> None:
        self.seconds = 0.0
        """Processor time that reading them takes, about."""
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

    def files(self) -> list[Pending]:
        return list(self._by_path.values())

    def add(self, pending: Pending) -> None:
        path = pending.job.path
        if path not in self._by_path or self._by_path[path].stat.size != pending.stat.size:
            self._order.append((pending.stat.size, path))
            self._sorted = False
        self.discard(path)
        self._by_path[path] = pending
        self.seconds += _seconds(pending)

    def discard(self, path: bytes) -> None:
        if (pending := self._by_path.pop(path, None)) is not None:
            self.seconds -= _seconds(pending)

    def next_batch(self, most: int, *, large: bool, within: int | None = None) -> list[Pending]:
        """The next batch of at most `most` files, from the small end of none larger than `within`."""
        self._sort()
        batch: list[Pending] = []
        size = 0
        while self._start < len(self._order) and len(batch) < most:
            length, path = self._order[-1] if large else self._order[self._start]
            if (batch and size + length > _BATCH_BYTES) or (within is not None and length > within):
                break
            if large:
                self._order.pop()
            else:
                self._start += 1
            pending = self._by_path.get(path)
            if pending is None or pending.stat.size != length:
                continue  # taken back, or queued again with another size
            self.discard(path)
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


def path_named(paths: Sequence[bytes], name: str) -> bytes | None:
    """The first of the paths that is or ends in `name` ("2024/report.docx"), or whose file's name, with or without its
    suffix, has its slug."""
    wanted = fold(name.replace("\\", "/").strip("/"))
    if "/" in wanted:
        return next((path for path in paths if f"/{fold(shown(path))}".replace("\\", "/").endswith(f"/{wanted}")), None)
    slug = slugify(name)
    for path in paths:
        called = shown(path.rpartition(SEPARATOR)[2])
        if slug in (slugify(called.rpartition(".")[0]), slugify(called)):
            return path
    return None


def paths_about(paths: Sequence[bytes], words: Collection[str], most: int) -> list[bytes]:
    """At most `most` of the paths, those first whose folders and names hold most of what the words say: a word that
    few of them hold says more (its inverse document frequency)."""
    beginnings = {fold(word)[: max(_TELLING, len(word) - _ENDING)] for word in words if len(word) >= _TELLING}
    if not beginnings:
        return []
    folded = [fold(shown(path)) for path in paths]
    scores = [0.0] * len(paths)
    for beginning in beginnings:
        holding = [at for at, path in enumerate(folded) if beginning in path]
        for at in holding:
            scores[at] += math.log(len(paths) / len(holding))
    best = heapq.nlargest(most, range(len(paths)), key=scores.__getitem__)
    return [paths[at] for at in best if scores[at] > 0]
