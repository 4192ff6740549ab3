"""From "this file is to be read" to "it is in the index": the waiting files, the readers, and the writing.

Which files those are is `run`'s to say.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from sidecar.api import Limits
from sidecar.ingest.indexing.committing import Committer
from sidecar.ingest.indexing.feeding import PRELOAD, Streams, read_batch
from sidecar.ingest.indexing.progress import Failure
from sidecar.ingest.indexing.verdicts import record
from sidecar.ingest.indexing.workload import Pending, Workload
from sidecar.ingest.reading.jobs import UNFINISHED, Job, Loader, Outcome
from sidecar.ingest.watching.scan import Problem
from sidecar.store import Change, FileStat, Indexed, Store
from sidecar.store.documents.paths import shown, stem_and_suffix

_START_SECONDS = 60.0

Later = Callable[[bytes, FileStat | None], None]
"""Told of a path that must be looked at again: it changed while being read (with what it looked like), or is gone."""


class Intake:
    """Files waiting, being read, waiting to be written. A path is in one of these states at a time."""

    def __init__(
        self,
        store: Store,
        workers: Streams,
        fingerprint: str,
        is_ours: Callable[[bytes], bool],
        later: Later,
        on_changes: Callable[[list[Change]], None],
    ) -> None:  # fmt: skip
        self.failures: dict[bytes, Failure] = {}
        self.read = 0
        self.loader = Loader()
        self.limits = Limits()
        self._store = store
        self._workers = workers
        self._fingerprint = fingerprint
        self._is_ours = is_ours
        self._later = later
        self._on_changes = on_changes
        self._workload = Workload()
        self._work = asyncio.Event()
        self._express = asyncio.Event()
        """Set while a saved file waits and every reader is busy."""
        self._idle = workers.parse_workers
        self._unfinished: dict[bytes, Pending] = {}
        self._reading: dict[bytes, Pending] = {}
        self._again: set[bytes] = set()
        self._committer = Committer(self._write, lambda: self.pending)
        self._rest = asyncio.Event()
        self._current = b""
        self._warming: asyncio.Task[None] | None = None

    def configure(self, loader: Loader, limits: Limits) -> None:
        self.loader, self.limits = loader, limits

    @property
    def pending(self) -> int:
        """Files waiting, being read, or waiting to be written."""
        return len(self._workload) + len(self._reading)

    @property
    def slow(self) -> bool:
        """Whether all that is pending takes long: the rest is searchable."""
        return not self._workload.quick and all(pending.late for pending in self._reading.values())

    @property
    def current(self) -> bytes:
        """The file begun last; b"" when none is."""
        return self._current if self._reading else b""

    def start(self) -> list[asyncio.Task[None]]:
        """The tasks that do the work; to be cancelled by the caller."""
        feeders = [self._feed(large=number % 2 == 1) for number in range(self._workers.parse_workers)]
        return [asyncio.create_task(work) for work in (self._committer.run(), self._feed_saved(), *feeders)]

    def stop(self) -> list[asyncio.Task[None]]:
        """What else is to be cancelled."""
        return [] if self._warming is None else [self._warming]

    def add(self, pending: Pending) -> None:
        """Have the file read; call `begin` after the last one. One being read already is looked at again after."""
        path = pending.job.path
        reading = self._reading.get(path)
        if reading is None:
            self._workload.add(pending)
        elif reading.stat != pending.stat:
            self._again.add(path)

    def begin(self) -> None:
        if self._workload:
            self._rest.clear()
            self._work.set()
            self._tell_express()

    def discard(self, path: bytes) -> None:
        """The file is gone: it need not be read."""
        self._workload.discard(path)
        self._unfinished.pop(path, None)
        self.failures.pop(path, None)
        if not self.pending:
            self._rest.set()

    def discard_strangers(self) -> None:
        """Of what waits, keep what still belongs into the index: reading the scans of a folder that was removed would
        take hours."""
        for path in self._workload.paths():
            if not self._is_ours(path):
                self.discard(path)

    async def refuse(self, problem: Problem, folder: bytes) -> None:
        """A path that cannot be read, as the walk found."""
        self.failures[problem.path] = Failure(shown(problem.path), problem.state, problem.reason)
        if problem.news and problem.stat is not None:
            await self._committer.put(
                Indexed(
                    path=problem.path, folder=folder, stat=problem.stat, state=problem.state, reason=problem.reason,
                    plugin_version=self._fingerprint,
                )
            )  # fmt: skip

    async def at_rest(self) -> None:
        """Until nothing waits, is being read, or waits to be written."""
        while self.pending:
            self._rest.clear()
            await self._rest.wait()
        await self._committer.drained()

    async def read_now(self, pending: Pending) -> Outcome:
        """Read and write one file ahead of all others, in the workers kept for those who wait."""
        self._workload.discard(pending.job.path)
        pending = replace(pending, job=msgspec.structs.replace(pending.job, slow=True))
        async for _, outcome in read_batch(self._workers, [pending], self.loader, self.limits, "tasks"):
            if outcome.kind not in ("gone", "changed"):
                self._note_failure(pending, outcome)
                item = record(pending, outcome, self._fingerprint)
                if item is not None:
                    await self._write([item])
            return outcome
        raise AssertionError("every job has an outcome")

    def warm(self) -> None:
        """Have a reader come up: a file is settling."""
        if not self._workers.ready("parse") and (self._warming is None or self._warming.done()):
            self._warming = asyncio.create_task(self._preload())

    async def _preload(self) -> None:
        await self._workers.run(PRELOAD, self.loader, timeout=_START_SECONDS, pool="parse")

    async def _feed(self, *, large: bool) -> None:
        while True:
            batch = self._workload.take(large=large)
            if not batch:
                self._work.clear()
                await self._work.wait()
                continue
            self._idle -= 1
            self._tell_express()
            await self._read(batch, "parse")
            self._idle += 1

    async def _feed_saved(self) -> None:
        """A saved file does not wait for readers that are busy for minutes: there is one more for it."""
        while True:
            await self._express.wait()
            self._express.clear()
            while not self._idle and (batch := self._workload.take_urgent()):
                await self._read(batch, "tasks")

    def _tell_express(self) -> None:
        if self._workload.urgent and not self._idle:
            self._express.set()

    async def _read(self, batch: list[Pending], pool: str) -> None:
        for pending in batch:
            self._reading[pending.job.path] = pending
        self._current = batch[0].job.path
        async for pending, outcome in read_batch(self._workers, batch, self.loader, self.limits, pool):
            self._current = pending.job.path
            await self._take(pending, outcome)

    async def _take(self, pending: Pending, outcome: Outcome) -> None:
        path = pending.job.path
        self.read += not pending.job.slow
        if outcome.unfinished:
            known = outcome.sha256, outcome.plugin, outcome.plugin_version
            finished = outcome.plugin_version.removesuffix(UNFINISHED)
            copy = outcome.sha256, outcome.plugin, finished, stem_and_suffix(path)[1]
            job = Job(path, *known, copies=(copy,), slow=True)  # a copy of it may be done by then
            self._unfinished[path] = replace(pending, job=job, stat=outcome.stat, forced=False)
        if outcome.kind in ("gone", "changed"):
            self._later(path, outcome.stat if outcome.kind == "changed" else None)
            self._done(path)
        elif outcome.kind == "copy" and not await self._is_indexed(pending, outcome):
            self._reading.pop(path, None)  # what it is a copy of has gone since
            self._workload.add(replace(pending, job=msgspec.structs.replace(pending.job, copies=())))
            self.begin()
        else:
            self._note_failure(pending, outcome)
            item = record(pending, outcome, self._fingerprint)
            if item is None:
                self._done(path)
            else:
                await self._committer.put(item)

    async def _is_indexed(self, pending: Pending, outcome: Outcome) -> bool:
        suffix = stem_and_suffix(pending.job.path)[1]
        return await self._store.known_digest(outcome.sha256, outcome.plugin, outcome.plugin_version, suffix)

    def _note_failure(self, pending: Pending, outcome: Outcome) -> None:
        path = pending.job.path
        self.failures.pop(path, None)
        if outcome.kind == "failed":
            self.failures[path] = Failure(shown(path), outcome.state, outcome.reason)

    async def _write(self, batch: Sequence[Indexed]) -> None:
        # Asked here, and not when they were queued: folders are forgotten in one transaction, which comes before or
        # after this one, and nothing of them may follow.
        changes = await self._store.commit([item for item in batch if self._is_ours(item.path)])
        if changes:
            self._on_changes(changes)
        # A file deleted while it was on its way here was not in the index yet when its end was noticed.
        paths = [item.path for item in batch]
        for gone in await asyncio.to_thread(lambda: [path for path in paths if not os.path.lexists(path)]):
            self._later(gone, None)
        for path in paths:
            self._done(path)

    def _done(self, path: bytes) -> None:
        """The path is neither being read nor waiting to be written any more."""
        self._reading.pop(path, None)
        unfinished = self._unfinished.pop(path, None)
        if path in self._again:
            self._again.discard(path)
            self._later(path, None)
        elif unfinished is not None and self._is_ours(path):  # its folder may have gone while it was written
            self._workload.add(unfinished)
            self.begin()
        if not self.pending:
            self._rest.set()
