"""From "this file is queued" to "it is read": batches to the parse workers, outcomes to the writer.

Which files those are, the queue says; what must be looked at again, the schedule is told. A worker that crashes, hangs
or outgrows its memory costs the one file it was reading; the rest of its batch goes on."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec

from sidecar.api import LimitError, Limits, SidecarError, WorkerError, WorkerTimeout
from sidecar.ingest.indexing.commit import Writer
from sidecar.ingest.indexing.queue import Queue
from sidecar.ingest.indexing.schedule import Schedule
from sidecar.ingest.reading.jobs import UNFINISHED, WORDS, Assembly, Loader, Outcome
from sidecar.ingest.watching.compare import Pending
from sidecar.ingest.watching.folders import Folders
from sidecar.store import Store
from sidecar.store.documents.paths import stem_and_suffix
from sidecar.workers.pool import WorkerPool

READ: Final = "sidecar.ingest.reading.files:read_files"
_PRELOAD: Final = "sidecar.ingest.reading.files:preload"
_START_SECONDS: Final = 60.0
"""What a worker may take to import the formats."""


@dataclass(eq=False)
class Readers:
    """The tasks that read, and what they share."""

    _store: Store
    _workers: WorkerPool
    _queue: Queue
    _schedule: Schedule
    _writer: Writer
    _archives: Collection[str]
    """The plugins whose files hold documents of their own."""
    read: int = field(default=0, init=False)
    """How many files were read, recognition apart."""
    loader: Loader = field(default_factory=Loader, init=False)
    limits: Limits = field(default_factory=Limits, init=False)
    _soon_needed: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    def configure(self, folders: Folders, loader: Loader, limits: Limits) -> None:
        """Read for these folders from now on. Of what waits, only what still belongs into the index stays queued:
        reading the scans of a folder that was removed would take hours."""
        self._writer.folders, self.loader, self.limits = folders, loader, limits
        for path in self._queue.waiting():
            if not folders.permits(path):
                self.discard(path)

    def start(self, tasks: asyncio.TaskGroup) -> list[asyncio.Task[None]]:
        """Begin reading and writing; never ends by itself."""
        readers = [
            self._read(self._queue.batches(large=number % 2 == 1), "parse")
            for number in range(self._workers.parse_workers)
        ]
        # A saved file does not wait for readers that are busy for minutes: there is one more for it.
        readers.append(self._read(self._queue.urgent_batches(), "tasks"))
        return [tasks.create_task(work) for work in (self._writer.run(), self._preload(), *readers)]

    def preload(self) -> None:
        """Have a worker come up: a file is settling."""
        if not self._workers.ready("parse"):
            self._soon_needed.set()

    def discard(self, path: bytes) -> None:
        """The file is gone, or not to be indexed any more."""
        self._queue.discard(path)
        self._writer.failures.pop(path, None)

    async def read_now(self, pending: Pending) -> Outcome:
        """Read and write one file ahead of all others, in the workers kept for those who wait."""
        self._queue.discard(pending.job.path)
        pending = replace(pending, job=msgspec.structs.replace(pending.job, slow=True, words=False))
        if pending.known is not None:
            pending = await self._with_members(pending, pending.known.plugin)
        async with aclosing(self._outcomes([pending], "tasks")) as outcomes:
            _, outcome = await anext(outcomes)
        if outcome.kind not in ("gone", "changed"):
            await self._writer.put_now(pending, outcome)
        return outcome

    async def _preload(self) -> None:
        while True:
            await self._soon_needed.wait()
            with suppress(SidecarError):  # reading a file fails likewise, and says so
                await self._workers.run(_PRELOAD, self.loader, timeout=_START_SECONDS, pool="parse")
            self._soon_needed.clear()

    async def _read(self, batches: AsyncGenerator[list[Pending]], pool: str) -> None:
        """Read batches; what is to be written of them goes to the writer."""
        async for batch in batches:
            async for pending, outcome in self._outcomes(batch, pool):
                await self._finish(pending, outcome)

    async def _finish(self, pending: Pending, outcome: Outcome) -> None:
        path = pending.job.path
        if outcome.state == "timed_out" and not pending.retried:
            self._queue.again(replace(pending, retried=True))
            return
        self.read += not (pending.job.slow or pending.words_only)
        if outcome.unfinished:
            remainder = await self._with_members(_remainder(pending, outcome), outcome.plugin)
            # What stands in an archive or is attached was saved with the file; recognition may take minutes.
            inner = outcome.attached or outcome.plugin in self._archives
            urgent = pending.urgent and inner and not pending.job.slow
            job = msgspec.structs.replace(remainder.job, recognise=not (urgent and outcome.attached))
            self._queue.add_remainder(replace(remainder, job=job, urgent=urgent))
        if outcome.kind == "changed":
            self._schedule.wait_for(path, outcome.stat)
        elif outcome.kind == "gone":
            self._schedule.recheck(path)
        elif outcome.kind == "copy" and not await self._is_indexed(pending, outcome):
            self._queue.again(replace(pending, job=msgspec.structs.replace(pending.job, copies=())))
            return
        else:
            await self._writer.put(pending, outcome)
            return
        self._writer.finish(path)

    async def _outcomes(self, batch: Sequence[Pending], pool: str) -> AsyncGenerator[tuple[Pending, Outcome]]:
        """Each file of the batch with its outcome, in order. Raises UnavailableError when no worker can be had."""
        left = list(batch)
        while left:
            failure: Outcome | None = None
            assembly = Assembly()
            jobs = [pending.job for pending in left]
            seconds = self.limits.max_seconds
            answers = self._workers.stream(READ, jobs, self.loader, self.limits, timeout=seconds, pool=pool)
            async with aclosing(answers):
                try:
                    async for frame in answers:
                        outcome = assembly.add(frame)
                        if outcome is not None:
                            yield left.pop(0), outcome
                        else:
                            await asyncio.sleep(0)  # a large outcome: let others have the loop between its frames
                except (WorkerError, LimitError) as error:
                    failure = _failure(left[0], error)
            if failure is not None:
                yield left.pop(0), failure

    async def _with_members(self, pending: Pending, plugin: str) -> Pending:
        """The same with what is indexed of an archive, which `plugin` read: members that are the same need not be read
        again."""
        if pending.forced or plugin not in self._archives:
            return pending
        known = await self._store.files.known_members(pending.job.path)
        members = tuple((*content, stem_and_suffix(path)[1]) for *content, path in known)
        return replace(pending, job=msgspec.structs.replace(pending.job, copies=(*pending.job.copies, *members)))

    async def _is_indexed(self, pending: Pending, outcome: Outcome) -> bool:
        """Whether what the file is a copy of is still there."""
        suffix = stem_and_suffix(pending.job.path)[1]
        return await self._store.files.has_content(outcome.sha256, outcome.plugin, outcome.plugin_version, suffix)


def _remainder(pending: Pending, outcome: Outcome) -> Pending:
    """What is left to read of a file that was read in part: all but its words, pages to recognise, attachments."""
    path = pending.job.path
    finished = outcome.plugin_version.removesuffix(UNFINISHED).removesuffix(WORDS)
    copy = outcome.sha256, outcome.plugin, finished, stem_and_suffix(path)[1]  # a copy of it may be done by then
    known = {"sha256": outcome.sha256, "plugin": outcome.plugin, "plugin_version": outcome.plugin_version}
    slow = not outcome.plugin_version.endswith(WORDS)
    job = msgspec.structs.replace(pending.job, **known, copies=(copy,), slow=slow, words=False)
    return replace(pending, job=job, stat=outcome.stat, forced=False)


def _failure(pending: Pending, error: SidecarError) -> Outcome:
    state = "crashed"
    if isinstance(error, WorkerTimeout):
        state = "timed_out"
    elif isinstance(error, LimitError):
        state = "too_large"
    return Outcome(kind="failed", stat=pending.stat, state=state, reason=str(error))
