"""The indexer: holds the lease, walks and watches the folders, has changed files read, and keeps the index equal to
the disk. Several sidecars may run on one data directory; the others wait here until the lease is theirs.

Events and walks never write anything themselves: they name paths, and what the disk says then is what counts.
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
from sidecar.ingest.indexing.beacon import Beacon
from sidecar.ingest.indexing.claims import claims_of
from sidecar.ingest.indexing.feeding import Streams
from sidecar.ingest.indexing.progress import Progress, ScanReport
from sidecar.ingest.indexing.reports import report
from sidecar.ingest.indexing.run import Run
from sidecar.ingest.reading.detect import Format, loader_of, versions_hash
from sidecar.ingest.watching.admitting import admit
from sidecar.ingest.watching.scan import Versions
from sidecar.ingest.watching.tree import tree_of
from sidecar.store import Change, Lease, Reply, Request, Store

logger = logging.getLogger(__name__)

_LEASE_SECONDS = 1.0
_REQUEST_SECONDS = 0.5
_TELL_SECONDS = 0.5
_PRUNE_SECONDS = 600.0
_PLACE_SECONDS = 1.0
_RETRY_SECONDS = (2.0, 5.0, 15.0, 60.0)
"""After a full disk and the like: the first tries come soon, since a user who has made room looks at it."""
_LEASE_PATIENCE = 3.0
"""How long `scan_once` waits for another process's lease: one that is just ending lets go by then."""


_NOBODY = "Start `docsidecar serve`, or bring the index up to date with `docsidecar index --once`."


class _DisplacedError(Exception):
    """The data directory is not the one any more in which the lease was taken."""


class Indexer:
    """Made by the composition root, which runs `run` in its task group.

    `formats` are the usable format plugins (their names and versions decide what is read again); `loader` names what
    gives a worker the same ones. `config` is asked anew at each start of a run. `on_changes` is called on the loop
    after each commit. `will_run` says that `run` follows, so that the moment before counts as indexing.
    """

    def __init__(
        self,
        store: Store,
        formats: Sequence[Format],
        config: Callable[[], Config],
        workers: Streams,
        on_changes: Callable[[list[Change]], None] = lambda _: None,
        *,
        lease: Lease | None = None,
        loader: str = "sidecar.registry:load_formats",
        will_run: bool = False,
    ) -> None:
        self._store = store
        self._formats = tuple(formats)
        self._config = config
        self._workers = workers
        self._on_changes = on_changes
        self._lease = lease or Lease(store.data_dir)
        self._loader = loader
        self._run: Run | None = None
        self._starting = will_run
        self._trouble = ""
        """Why indexing has stopped, while it has."""
        self._beacon = Beacon(store.data_dir)

    @property
    def progress(self) -> Progress:
        """How far it is: this process's own work, or what the process that holds the lease tells.

        "indexing" from the start until it is known who indexes, so that nobody takes the moment before the
        first survey for an index that is up to date.
        """
        if self._run is not None:
            return self._run.progress
        if self._starting:
            return Progress(state="indexing")
        if self._trouble:
            return Progress(remarks=(self._trouble,))
        return self._beacon.read(self._lease.holder())

    @property
    def leader(self) -> bool:
        return self._lease.held

    async def run(self) -> None:
        """Index and keep the index true until cancelled, whenever the lease can be had."""
        failures = 0
        while True:
            pause = 0.0
            began = asyncio.get_running_loop().time()
            try:
                await self._store.data_version()  # makes a data directory anew that was removed
                if self._lease.try_acquire():
                    await self._lead()
                else:
                    self._starting, self._trouble, failures = False, "", 0
                    pause = _LEASE_SECONDS
            except (StoreError, UnavailableError) as error:
                self._starting = False
                self._trouble = f"Indexing has stopped, and is tried again every now and then: {error}"
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
        telling = asyncio.create_task(self._tell(run))
        try:
            started = asyncio.get_running_loop().time()
            await run.once()
            await self._store.keep_common()
            return await report(run, self._store, asyncio.get_running_loop().time() - started)
        finally:
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)
            self._run = None
            self._lease.release()

    async def index_now(self, path: str | os.PathLike[str]) -> None:
        """Index one file now, ahead of everything else, and wait until it is searchable.

        Raises UsageError (not in a watched folder, ignored, no such file, nothing reads it), FormatError,
        WorkerError, UnavailableError (it keeps changing, nobody indexes, or the one who does gives no answer).
        """
        target = _absolute(path)
        if self._run is None:  # asked of another process: what it would refuse need not be sent there
            target = await asyncio.to_thread(admit, tree_of(self._config(), self._store.data_dir), target)
            await self._wait_for_holder()
        if self._run is not None and self._lease.held:
            await self._run.index_now(target)
            return
        reply = await self._store.request("index", target)
        if reply.error:
            raise SidecarError(reply.error)

    async def apply(self, config: Config) -> None:
        """A new configuration is in force: folders come and go, rules change. Takes effect at once."""
        if self._run is not None and self._lease.held:
            await self._run.apply(config, loader_of(config, self._loader))

    async def _wait_for_holder(self) -> None:
        """Until somebody indexes: this process perhaps, which has just started."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _LEASE_PATIENCE
        while self._run is None and self._lease.holder() is None:
            if loop.time() > until:
                raise UnavailableError(f"No sidecar is indexing this data directory now. {self._trouble or _NOBODY}")
            await asyncio.sleep(0.1)

    async def _wait_for_lease(self) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + _LEASE_PATIENCE
        while not self._lease.try_acquire():
            if loop.time() > until:
                holder = self._lease.holder()
                who = f"process {holder}" if holder else "another process"
                raise UnavailableError(
                    f"This index is being kept up to date by {who} already; there is nothing to do here."
                )
            await asyncio.sleep(0.1)

    async def _lead(self) -> None:
        self._run = run = self._new_run()
        self._trouble = ""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(run.forever())
                tasks.create_task(self._answer_requests(run))
                tasks.create_task(self._tell(run))
                tasks.create_task(self._prune(run))
                tasks.create_task(self._watch_place())
        except BaseExceptionGroup as group:
            raise _first(group) from group
        finally:
            self._run = None

    def _new_run(self) -> Run:
        config = self._config()
        plugins = {entry.name: entry.version for entry in self._formats}
        versions = Versions(plugins, versions_hash(self._formats, config.limits), claims_of(self._formats))
        return Run(
            self._store,
            config,
            versions,
            workers=self._workers,
            loader=loader_of(config, self._loader),
            on_changes=self._on_changes,
        )

    async def _answer_requests(self, run: Run) -> None:
        """Other sidecars on this data directory ask the one that holds the lease to index for them."""
        while True:
            for request in await self._store.open_requests():
                await self._store.answer(request, await self._reply(run, request))
            await asyncio.sleep(_REQUEST_SECONDS)

    async def _reply(self, run: Run, request: Request) -> Reply:
        try:
            await run.index_now(request.path)
        except SidecarError as error:
            return Reply(error=str(error))
        info = await self._store.document_at(request.path)
        return Reply(slug=info.slug if info is not None else "")

    async def _tell(self, run: Run) -> None:
        try:
            while True:
                self._beacon.tell(run.progress)
                await asyncio.sleep(_TELL_SECONDS)
        finally:
            self._beacon.clear()

    async def _watch_place(self) -> None:
        """A data directory that was removed takes the index and the lease along; raises _DisplacedError then."""
        generation = self._store.generation
        while True:
            await asyncio.sleep(_PLACE_SECONDS)
            if self._lease.displaced:
                raise _DisplacedError
            await self._store.data_version()
            if self._store.generation != generation:
                raise _DisplacedError

    async def _prune(self, run: Run) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PRUNE_SECONDS):
                # Many scans take hours, and housekeeping does not wait for those.
                while (now := run.progress).state != "idle" and not now.slow:  # noqa: ASYNC110 - many things, no event
                    await asyncio.sleep(_TELL_SECONDS)
        await self._store.keep_common()
        while True:
            await asyncio.sleep(_PRUNE_SECONDS)
            await self._store.prune()


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """One error out of a task group's: callers know ours, not groups."""
    found: BaseException = group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found


def _absolute(path: str | os.PathLike[str]) -> bytes:
    return os.fsencode(Path(path).expanduser().absolute())
