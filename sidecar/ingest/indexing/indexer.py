"""Which process indexes, and what it does for the others: takes the lease, runs the indexing, writes the status file,
answers requests, prunes.

Several sidecars may run on one data directory; all but one wait here until the lease is theirs."""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from sidecar.api import SidecarError, StoreError, UnavailableError
from sidecar.config import Config
from sidecar.ingest.indexing.heartbeat import Heartbeat
from sidecar.ingest.indexing.run import IndexingRun
from sidecar.ingest.indexing.status import AHEAD, ScanCounts, ScanReport, StatusFile, scan_report
from sidecar.ingest.reading.detect import loader_of
from sidecar.ingest.watching.folders import folders_of, permitted_path
from sidecar.ingest.watching.versions import Versions
from sidecar.registry.formats import FormatEntry
from sidecar.store import DisplacedError, Lease, Reply, Request, Store
from sidecar.store.database.pool import read_only_sentence
from sidecar.store.documents.records import Progress
from sidecar.toolkit.tasks import Backoff, end, first_error
from sidecar.workers.pool import WorkerPool

logger = logging.getLogger(__name__)

_LEASE_SECONDS = 1.0
"""Between attempts to get the lease."""
_REQUEST_SECONDS = 0.5
"""Between looks for requests of other processes."""
_STATUS_SECONDS = 0.5
"""Between writes of the status file."""
_UPKEEP_SECONDS = 600.0
"""Between times that what is forgotten is removed, and that the index may be due to be looked through."""
_DATA_DIR_SECONDS = 1.0
"""Between looks whether the data directory is still the one the lease was taken in."""
_RETRY_SECONDS, _LONGEST_RETRY_SECONDS = 2.0, 60.0
"""After a full disk and the like: the first tries come soon, since a user who has made room looks at it."""
_LEASE_TIMEOUT = 3.0
"""How long another process's lease is waited for: one that is just ending lets go by then."""
_POLL_SECONDS = 0.1
_FOLLOWED_SECONDS = 2.0
"""Within which every sidecar has followed the change feed."""
_CHECK_SECONDS = 86_400.0
"""Between looks through the whole index for damage, which happen while there is nothing else to do."""
_CHECKED = "checked"
"""The setting that says when that was last, in seconds since 1970."""
_NOBODY = "Start `docsidecar serve`, or bring the index up to date with `docsidecar index --once`."


class _RepairedError(Exception):
    """The index was damaged and has been begun anew, so everything is to be indexed."""


class Indexer:
    """Made by the composition root, which runs `run` in its task group.

    `formats` are the usable format plugins (their names and versions decide what is read again); `loader` names what
    gives a worker the same ones. `config` is asked anew at each start of a run. `committed` is set when documents have
    changed in the index. `will_run` says that `run` follows, so that the moment before counts as indexing. Every
    `upkeep_seconds` what is forgotten is removed and, once a day, the index looked through."""

    def __init__(
        self,
        store: Store,
        formats: Sequence[FormatEntry],
        config: Callable[[], Config],
        workers: WorkerPool,
        *,
        committed: asyncio.Event | None = None,
        lease: Lease | None = None,
        loader: str = "sidecar.registry:load_formats",
        will_run: bool = False,
        upkeep_seconds: float = _UPKEEP_SECONDS,
    ) -> None:
        self._store = store
        self._formats = tuple(formats)
        self._config = config
        self._workers = workers
        self._committed = committed or asyncio.Event()
        self._lease = lease or Lease(store.data_dir)
        self._loader = loader
        self._run: IndexingRun | None = None
        self._starting = will_run
        self._upkeep_seconds = upkeep_seconds
        self._failure = ""
        """Why indexing has stopped, while it has."""
        self._status_file = StatusFile(store.data_dir)
        self._heartbeat = Heartbeat(self._lease)

    @property
    def progress(self) -> Progress:
        """How far it is: this process's own work, or what the process that holds the lease wrote.

        "indexing" from the start until it is known who indexes, so that nobody takes the moment before the
        first scan for an index that is up to date."""
        if self._run is not None:
            return self._run.progress
        if self._starting:
            return AHEAD
        if self._failure:
            # Not all that is there can be found; but an index that is only read was whole when it was last written.
            return Progress(remarks=(self._failure,), advice="" if self._store.read_only else self._failure)
        holder = self._lease.holder()
        status, hung = self._status_file.read(holder), self._heartbeat.sentence(holder)
        return replace(status, remarks=(hung, *status.remarks), advice=hung) if hung else status

    async def run(self) -> None:
        """Index and keep the index true until cancelled, whenever the lease can be had."""
        backoff = Backoff(_RETRY_SECONDS, _LONGEST_RETRY_SECONDS)
        while True:
            pause = 0.0
            began = asyncio.get_running_loop().time()
            try:
                await self._store.changes.data_version()  # makes a data directory anew that was removed
                if self._store.read_only:
                    self._follow_nothing()
                    pause = _LEASE_SECONDS
                elif self._lease.try_acquire() or await self._heartbeat.take_over(self._store, _LEASE_SECONDS):
                    await self._index()
                else:
                    self._starting, self._failure = False, ""
                    backoff.reset()
                    pause = _LEASE_SECONDS
            except DisplacedError as error:
                logger.warning("%s Everything that is watched is looked through anew.", error)
            except _RepairedError:
                self._committed.set()
            except (StoreError, UnavailableError) as error:
                self._starting = False
                self._failure = f"Indexing has stopped, and is tried again every now and then: {error}"
                if asyncio.get_running_loop().time() - began > _LONGEST_RETRY_SECONDS:
                    backoff.reset()
                pause = backoff.pause()
                logger.error("indexing stopped, next try in %.0f s: %s", pause, error)  # noqa: TRY400 - a sentence says it
            finally:
                self._store.files.end_term()
                self._lease.release()
            await asyncio.sleep(pause)

    async def scan_once(self) -> ScanReport:
        """Bring the index up to date with the disk once, and say what that came to.

        Raises UnavailableError when another process is indexing this data directory."""
        await self._wait_for_lease()
        await self._store.files.begin_term()
        self._run = run = self._new_run()
        writing = asyncio.create_task(self._write_status(run))
        try:
            started = asyncio.get_running_loop().time()
            await run.once()
            await self._store.search.keep_common()
            seconds = asyncio.get_running_loop().time() - started
            counts = ScanCounts(run.files, run.readers.read, run.bytes, seconds)
            return await scan_report(self._store, run.writer.failures, counts)
        except BaseExceptionGroup as group:
            raise first_error(group) from group
        finally:
            await end(writing)
            self._run = None
            self._store.files.end_term()
            self._lease.release()

    async def pending_named(self, name: str) -> str | None:
        """The path of a file of that name, slug or end of a path that waits to be read, None where none does or
        another process indexes, whose queue is not known here."""
        path = await self._run.pending_named(name) if self._run is not None and self._lease.held else None
        return None if path is None else os.fsdecode(path)

    async def read_first(self, words: Collection[str]) -> None:
        """Have the files read first that are not in the index yet and whose folders and names say what these words do,
        and wait until they are searchable; at once where there are none or another process indexes, whose queue is not
        known here."""
        if self._run is not None and self._lease.held:
            await self._run.read_first(words)

    async def index_now(self, path: str | os.PathLike[str]) -> None:
        """Index one file now, ahead of everything else, and wait until it is searchable.

        Raises UsageError (not in a watched folder, ignored, no such file, nothing reads it), FormatError,
        WorkerError, UnavailableError (it keeps changing, nobody indexes, or the one who does gives no answer)."""
        target = _absolute(path)
        if self._run is None:  # asked of another process: what it would refuse need not be sent there
            target = await asyncio.to_thread(permitted_path, folders_of(self._config(), self._store.data_dir), target)
            await self._wait_for_holder()
        if self._run is not None and self._lease.held:
            await self._run.index_now(target)
            return
        reply = await self._store.requests.ask("index", target)
        if reply.error:
            raise SidecarError(reply.error)

    @asynccontextmanager
    async def none_indexing(self, folder: bytes) -> AsyncGenerator[None]:
        """While this is open nobody indexes the folder (b"": any), which no configuration names any more: this process
        has the lease, or the one that has it has let go of the folder and of its documents.

        Raises UnavailableError (it does not answer), SidecarError (it still watches the folder)."""
        if await _within_timeout(self._lease.try_acquire):
            try:
                await self._store.files.begin_term()
                yield
            finally:
                self._store.files.end_term()
                self._lease.release()
            return
        reply = await self._store.requests.ask("forget", folder)
        if reply.error:
            raise SidecarError(reply.error)
        await asyncio.sleep(_FOLLOWED_SECONDS)
        yield

    async def apply(self, config: Config) -> None:
        """A new configuration is in force: folders come and go, rules change. Takes effect at once."""
        if self._run is not None and self._lease.held:
            await self._run.apply(config, loader_of(config, self._loader))

    async def _wait_for_holder(self) -> None:
        """Until somebody indexes: this process perhaps, which has just started."""
        if not await _within_timeout(lambda: self._run is not None or self._lease.holder() is not None):
            raise UnavailableError(f"No sidecar is indexing this data directory now. {self._failure or _NOBODY}")

    async def _wait_for_lease(self) -> None:
        if not await _within_timeout(self._lease.try_acquire):
            holder = self._lease.holder()
            who = f"process {holder}" if holder else "another process"
            raise UnavailableError(
                f"This index is being kept up to date by {who} already; there is nothing to do here."
            )

    def _follow_nothing(self) -> None:
        """The index can be read but not written."""
        self._starting = False
        if not self._failure:
            self._failure = read_only_sentence(self._store.path)
            logger.warning("%s", self._failure)

    async def _index(self) -> None:
        await self._store.files.begin_term()
        if self._store.suspected:
            await self._repair(None)
        self._run = run = self._new_run()
        self._failure = ""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(run.forever())
                tasks.create_task(self._answer_requests(run))
                tasks.create_task(self._write_status(run))
                tasks.create_task(self._prune(run))
                tasks.create_task(self._watch_data_dir(run))
        except BaseExceptionGroup as group:
            raise first_error(group) from group
        finally:
            self._run = None

    def _new_run(self) -> IndexingRun:
        config = self._config()
        return IndexingRun(
            self._store, config,
            Versions.of(self._formats, config.limits, [str(f.path) for f in config.folders if f.secrets]),
            workers=self._workers, loader=loader_of(config, self._loader), committed=self._committed,
        )  # fmt: skip

    async def _answer_requests(self, run: IndexingRun) -> None:
        """Other sidecars on this data directory ask the one that holds the lease to index for them."""
        while True:
            for request in await self._store.requests.open():
                await self._store.requests.answer(request, await self._reply(run, request))
            await asyncio.sleep(_REQUEST_SECONDS)

    async def _reply(self, run: IndexingRun, request: Request) -> Reply:
        try:
            if request.kind == "forget":
                # This process hears of a new configuration within a second.
                await _within_timeout(lambda: not run.watches(request.path))
                await run.forget(request.path)
                return Reply()
            await run.index_now(request.path)
        except SidecarError as error:
            return Reply(error=str(error))
        info = await self._store.documents.info_at(request.path)
        return Reply(slug=info.slug if info is not None else "")

    async def _write_status(self, run: IndexingRun) -> None:
        writing: set[asyncio.Task[None]] = set()
        try:
            while True:
                self._lease.beat()
                writing = {asyncio.create_task(asyncio.to_thread(self._status_file.write, run.progress))}
                await asyncio.wait(writing)
                await asyncio.sleep(_STATUS_SECONDS)
        finally:
            if writing:  # what is being written in a thread must not come back after it is cleared
                await asyncio.wait(writing)
            self._status_file.clear()

    async def _watch_data_dir(self, run: IndexingRun) -> None:
        """A data directory that was removed takes the index and the lease along; raises DisplacedError then. Damage
        that shows is mended."""
        generation = self._store.changes.generation
        while True:
            await asyncio.sleep(_DATA_DIR_SECONDS)
            if self._lease.displaced:
                raise DisplacedError("The lease was taken by another docsidecar, or the data directory replaced.")
            await self._store.changes.data_version()
            if self._store.changes.generation != generation:
                raise DisplacedError("The data directory was removed or replaced.")
            if self._store.suspected:
                await self._repair(run)

    async def _repair(self, run: IndexingRun | None) -> None:
        """Look the index through and mend it: `run` reads the files again, or the next one everything; raises
        _RepairedError then."""
        repair = await self._store.repair()
        if repair.rebuilt:
            raise _RepairedError
        if repair.paths and run is not None:
            logger.warning("%d documents were damaged in the index and are read again", len(repair.paths))
            run.recheck(repair.paths)

    async def _check(self, run: IndexingRun) -> None:
        """Once a day, while there is nothing else to do: look the index through, whose disk may be failing."""
        settings = self._store.settings
        since = time.time() - float(await settings.get(_CHECKED) or 0)  # below zero where the clock was set back
        if run.progress.state != "idle" or 0 <= since < _CHECK_SECONDS:
            return
        repair = await self._store.repair(lambda: run.progress.state == "idle")
        if repair.rebuilt:
            raise _RepairedError
        run.recheck(repair.paths)
        if repair.finished:
            await settings.put(_CHECKED, str(int(time.time())))

    async def _prune(self, run: IndexingRun) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._upkeep_seconds):
                # Many scans take hours, and upkeep does not wait for those.
                while (now := run.progress).state != "idle" and not now.slow:  # noqa: ASYNC110 - many things, no event
                    await asyncio.sleep(_STATUS_SECONDS)
        await self._store.search.keep_common()
        while True:
            await asyncio.sleep(self._upkeep_seconds)
            await self._store.prune()
            await self._check(run)


async def _within_timeout(condition: Callable[[], bool]) -> bool:
    """Whether it comes true in `_LEASE_TIMEOUT`; it lies with other processes, which send no event."""
    loop = asyncio.get_running_loop()
    until = loop.time() + _LEASE_TIMEOUT
    while not (met := condition()) and loop.time() <= until:  # noqa: ASYNC110 - see above
        await asyncio.sleep(_POLL_SECONDS)
    return met


def _absolute(path: str | os.PathLike[str]) -> bytes:
    return os.fsencode(Path(path).expanduser().absolute())
