"""Which process indexes, and what it does for the others: takes the lease, runs the indexing, writes the status file,
answers requests, prunes.

Several sidecars may run on one data directory; all but one wait here until the lease is theirs.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from sidecar.api import SidecarError, StoreError, UnavailableError
from sidecar.config import Config
from sidecar.ingest.indexing.run import Run
from sidecar.ingest.indexing.status import Progress, ScanReport, StatusFile, scan_report
from sidecar.ingest.reading.detect import Format, loader_of
from sidecar.ingest.watching.folders import folders_of, permitted_path
from sidecar.ingest.watching.versions import Versions
from sidecar.store import Lease, Reply, Request, Store
from sidecar.workers.pool import WorkerPool

logger = logging.getLogger(__name__)

_LEASE_SECONDS = 1.0
"""Between attempts to get the lease."""
_REQUEST_SECONDS = 0.5
"""Between looks for requests of other processes."""
_STATUS_SECONDS = 0.5
"""Between writes of the status file."""
_PRUNE_SECONDS = 600.0
_DATA_DIR_SECONDS = 1.0
"""Between looks whether the data directory is still the one the lease was taken in."""
_RETRY_SECONDS = (2.0, 5.0, 15.0, 60.0)
"""After a full disk and the like: the first tries come soon, since a user who has made room looks at it."""
_LEASE_PATIENCE = 3.0
"""How long another process's lease is waited for: one that is just ending lets go by then."""
_POLL_SECONDS = 0.1
_NOBODY = "Start `docsidecar serve`, or bring the index up to date with `docsidecar index --once`."


class _DisplacedError(Exception):
    """The data directory is not the one any more in which the lease was taken."""


class Indexer:
    """Made by the composition root, which runs `run` in its task group.

    `formats` are the usable format plugins (their names and versions decide what is read again); `loader` names what
    gives a worker the same ones. `config` is asked anew at each start of a run. `committed` is set when documents have
    changed in the index. `will_run` says that `run` follows, so that the moment before counts as indexing.
    """

    def __init__(
        self,
        store: Store,
        formats: Sequence[Format],
        config: Callable[[], Config],
        workers: WorkerPool,
        *,
        committed: asyncio.Event | None = None,
        lease: Lease | None = None,
        loader: str = "sidecar.registry:load_formats",
        will_run: bool = False,
    ) -> None:
        self._store = store
        self._formats = tuple(formats)
        self._config = config
        self._workers = workers
        self._committed = committed or asyncio.Event()
        self._lease = lease or Lease(store.data_dir)
        self._loader = loader
        self._run: Run | None = None
        self._starting = will_run
        self._failure = ""
        """Why indexing has stopped, while it has."""
        self._status_file = StatusFile(store.data_dir)

    @property
    def progress(self) -> Progress:
        """How far it is: this process's own work, or what the process that holds the lease wrote.

        "indexing" from the start until it is known who indexes, so that nobody takes the moment before the
        first scan for an index that is up to date.
        """
        if self._run is not None:
            return self._run.progress
        if self._starting:
            return Progress(state="indexing")
        if self._failure:
            return Progress(remarks=(self._failure,))
        return self._status_file.read(self._lease.holder())

    @property
    def leader(self) -> bool:
        """Whether this process holds the lease."""
        return self._lease.held

    async def run(self) -> None:
        """Index and keep the index true until cancelled, whenever the lease can be had."""
        failures = 0
        while True:
            pause = 0.0
            began = asyncio.get_running_loop().time()
            try:
                await self._store.changes.data_version()  # makes a data directory anew that was removed
                if self._lease.try_acquire():
                    await self._index()
                else:
                    self._starting, self._failure, failures = False, "", 0
                    pause = _LEASE_SECONDS
            except (StoreError, UnavailableError) as error:
                self._starting = False
                self._failure = f"Indexing has stopped, and is tried again every now and then: {error}"
                if asyncio.get_running_loop().time() - began > _RETRY_SECONDS[-1]:
                    failures = 0
                pause = _RETRY_SECONDS[min(failures, len(_RETRY_SECONDS) - 1)]
                logger.error("indexing stopped, next try in %.0f s: %s", pause, error)  # noqa: TRY400 - a sentence says it
                failures += 1
            except _DisplacedError:
                logger.warning("the data directory was removed or replaced; everything is indexed anew")
            finally:
                self._lease.release()
            await asyncio.sleep(pause)

    async def scan_once(self) -> ScanReport:
        """Bring the index up to date with the disk once, and say what that came to.

        Raises UnavailableError when another process is indexing this data directory.
        """
        await self._wait_for_lease()
        self._run = run = self._new_run()
        writing = asyncio.create_task(self._write_status(run))
        try:
            started = asyncio.get_running_loop().time()
            await run.once()
            await self._store.search.keep_common()
            return await scan_report(
                self._store, run.readers.failures, files=run.files, read=run.readers.read, size=run.bytes,
                seconds=asyncio.get_running_loop().time() - started,
            )  # fmt: skip
        except BaseExceptionGroup as group:
            raise _first(group) from group
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            self._run = None
            self._lease.release()

    async def index_now(self, path: str | os.PathLike[str]) -> None:
        """Index one file now, ahead of everything else, and wait until it is searchable.

        Raises UsageError (not in a watched folder, ignored, no such file, nothing reads it), FormatError,
        WorkerError, UnavailableError (it keeps changing, nobody indexes, or the one who does gives no answer).
        """
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

    async def apply(self, config: Config) -> None:
        """A new configuration is in force: folders come and go, rules change. Takes effect at once."""
        if self._run is not None and self._lease.held:
            await self._run.apply(config, loader_of(config, self._loader))

    async def _wait_for_holder(self) -> None:
        """Until somebody indexes: this process perhaps, which has just started."""
        if not await _within_patience(lambda: self._run is not None or self._lease.holder() is not None):
            raise UnavailableError(f"No sidecar is indexing this data directory now. {self._failure or _NOBODY}")

    async def _wait_for_lease(self) -> None:
        if not await _within_patience(self._lease.try_acquire):
            holder = self._lease.holder()
            who = f"process {holder}" if holder else "another process"
            raise UnavailableError(
                f"This index is being kept up to date by {who} already; there is nothing to do here."
            )

    async def _index(self) -> None:
        self._run = run = self._new_run()
        self._failure = ""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(run.forever())
                tasks.create_task(self._answer_requests(run))
                tasks.create_task(self._write_status(run))
                tasks.create_task(self._prune(run))
                tasks.create_task(self._watch_data_dir())
        except BaseExceptionGroup as group:
            raise _first(group) from group
        finally:
            self._run = None

    def _new_run(self) -> Run:
        config = self._config()
        return Run(
            self._store,
            config,
            Versions.of(self._formats, config.limits, [str(f.path) for f in config.folders if f.secrets]),
            workers=self._workers,
            loader=loader_of(config, self._loader),
            committed=self._committed,
        )

    async def _answer_requests(self, run: Run) -> None:
        """Other sidecars on this data directory ask the one that holds the lease to index for them."""
        while True:
            for request in await self._store.requests.open():
                await self._store.requests.answer(request, await self._reply(run, request))
            await asyncio.sleep(_REQUEST_SECONDS)

    async def _reply(self, run: Run, request: Request) -> Reply:
        try:
            await run.index_now(request.path)
        except SidecarError as error:
            return Reply(error=str(error))
        info = await self._store.documents.info_at(request.path)
        return Reply(slug=info.slug if info is not None else "")

    async def _write_status(self, run: Run) -> None:
        try:
            while True:
                self._status_file.write(run.progress)
                await asyncio.sleep(_STATUS_SECONDS)
        finally:
            self._status_file.clear()

    async def _watch_data_dir(self) -> None:
        """A data directory that was removed takes the index and the lease along; raises _DisplacedError then."""
        generation = self._store.changes.generation
        while True:
            await asyncio.sleep(_DATA_DIR_SECONDS)
            if self._lease.displaced:
                raise _DisplacedError
            await self._store.changes.data_version()
            if self._store.changes.generation != generation:
                raise _DisplacedError

    async def _prune(self, run: Run) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PRUNE_SECONDS):
                # Many scans take hours, and housekeeping does not wait for those.
                while (now := run.progress).state != "idle" and not now.slow:  # noqa: ASYNC110 - many things, no event
                    await asyncio.sleep(_STATUS_SECONDS)
        await self._store.search.keep_common()
        while True:
            await asyncio.sleep(_PRUNE_SECONDS)
            await self._store.prune()


async def _within_patience(condition: Callable[[], bool]) -> bool:
    """Whether it comes true in `_LEASE_PATIENCE`; it lies with other processes, which send no event."""
    loop = asyncio.get_running_loop()
    until = loop.time() + _LEASE_PATIENCE
    while not (met := condition()) and loop.time() <= until:  # noqa: ASYNC110 - see above
        await asyncio.sleep(_POLL_SECONDS)
    return met


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """One error out of a task group's: callers know ours, not groups."""
    found: BaseException = group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found


def _absolute(path: str | os.PathLike[str]) -> bytes:
    return os.fsencode(Path(path).expanduser().absolute())
