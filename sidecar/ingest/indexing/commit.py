"""Writes what readers have made of files through the store's one writer: at once when few come, many to a transaction
when many do."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from sidecar.ingest.indexing.failures import record
from sidecar.ingest.indexing.queue import BATCH_FILES, Queue
from sidecar.ingest.indexing.schedule import Schedule
from sidecar.ingest.indexing.status import Failure
from sidecar.ingest.reading.jobs import Outcome
from sidecar.ingest.watching.compare import Pending
from sidecar.ingest.watching.folders import Folders
from sidecar.ingest.watching.scan import Problem
from sidecar.store import Indexed, Store
from sidecar.store.documents.paths import shown

_FILES: Final = 128
_BYTES: Final = 8 * 2**20
_GATHER_SECONDS: Final = 0.04
"""How long a batch may grow while more files are being read: a transaction of one file costs several times its share
of a large one, but nobody should notice that somebody's file waited."""
_BULK_SECONDS: Final = 0.2
"""The same while more files than a reader takes at a time are still to be read: nobody notices among so many."""
_WAITING_FILES: Final = 512
"""Readers wait when this much waits to be written, so that memory stays bounded."""
_WAITING_BYTES: Final = 64 * 2**20


@dataclass(eq=False)
class Writer:
    """A bounded buffer between the readers and the store. While a batch is written, the next one gathers."""

    _store: Store
    _queue: Queue
    """Tells how many files are still to be read or written: the last one waits for nothing."""
    _schedule: Schedule
    folders: Folders
    """What belongs into the index now."""
    _committed: asyncio.Event
    """Set when documents have changed in the index."""
    _fingerprint: str
    """See `Versions`."""
    failures: dict[bytes, Failure] = field(default_factory=dict[bytes, Failure], init=False)
    """Files that could not be read."""
    _waiting: list[Indexed] = field(default_factory=list[Indexed], init=False)
    _bytes: int = field(default=0, init=False)
    _hurried: bool = field(default=True, init=False)
    """A saved file is among those that wait, or nothing was written yet: what is read first is found at once."""
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition, init=False)

    async def put(self, pending: Pending, outcome: Outcome) -> None:
        """Have what came of reading a file written soon; waits while too much is waiting already."""
        item = record(pending, outcome, self._fingerprint, self.failures)
        if item is None:
            self.finish(pending.job.path)
            return
        async with self._changed:
            await self._changed.wait_for(lambda: len(self._waiting) < _WAITING_FILES and self._bytes < _WAITING_BYTES)
            self._waiting.append(item)
            self._hurried = self._hurried or pending.urgent
            self._bytes += _weight(item)
            if len(self._waiting) == 1 or self._is_enough():  # to wake the writer for each costs more than this
                self._changed.notify_all()

    async def put_now(self, pending: Pending, outcome: Outcome) -> None:
        """Write what came of reading a file, ahead of what waits."""
        item = record(pending, outcome, self._fingerprint, self.failures)
        if item is not None:
            await self._write([item])

    async def refuse(self, problems: Sequence[tuple[Problem, bytes]]) -> None:
        """Write of paths that they cannot be read, as a scan found, each with its folder."""
        for problem, _ in problems:
            self.failures[problem.path] = Failure(shown(problem.path), problem.state, problem.reason)
        batch = [
            Indexed(
                path=problem.path, folder=folder, stat=problem.stat, state=problem.state, reason=problem.reason,
                plugin_version=self._fingerprint,
            )
            for problem, folder in problems
            if problem.changed and problem.stat is not None
        ]  # fmt: skip
        if batch:
            await self._write(batch)

    async def run(self) -> None:
        """Write what comes; never ends by itself."""
        while True:
            await self._write(await self._batch())

    async def _write(self, batch: Sequence[Indexed]) -> None:
        """Commit the items in one transaction."""
        # Asked here, and not when they were queued: folders are forgotten in one transaction, which comes before or
        # after this one, and nothing of them may follow.
        if await self._store.files.commit([item for item in batch if self.folders.permits(item.path)]):
            self._committed.set()
        # A file deleted while it was on its way here was not in the index yet when its end was noticed.
        paths = [item.path for item in batch]
        for gone in await asyncio.to_thread(lambda: [path for path in paths if not os.path.lexists(path)]):
            self._schedule.recheck(gone)
        for path in paths:
            self.finish(path)

    def finish(self, path: bytes) -> None:
        """All that came of reading the file is written."""
        if self._queue.finish(path, permitted=self.folders.permits(path)):
            self._schedule.recheck(path)

    async def _batch(self) -> list[Indexed]:
        """The next items to write in one transaction; waits until there are any."""
        async with self._changed:
            await self._changed.wait_for(lambda: bool(self._waiting))
            with suppress(TimeoutError):
                async with asyncio.timeout(_BULK_SECONDS if len(self._queue) > BATCH_FILES else _GATHER_SECONDS):
                    await self._changed.wait_for(self._is_enough)
            batch: list[Indexed] = []
            size = 0
            while self._waiting and len(batch) < _FILES and size < _BYTES:
                item = self._waiting.pop(0)
                batch.append(item)
                size += _weight(item)
            self._bytes -= size
            self._hurried = self._hurried and bool(self._waiting)
            self._changed.notify_all()
            return batch

    def _is_enough(self) -> bool:
        """Whether waiting for more is of no use."""
        waiting = len(self._waiting)
        return waiting >= _FILES or self._bytes >= _BYTES or self._hurried or len(self._queue) <= waiting


def _weight(item: Indexed) -> int:
    return item.prepared.size if item.prepared is not None else 0
