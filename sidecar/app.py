"""The composition root: wires the rooms together, owns the order of shutdown. `serving` runs them behind a client."""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import anyio

from sidecar.api import Cache, ConfigError, FormatPlugin, Library, UnavailableError, UsageError, Workers
from sidecar.config import Config, Folder, Overrides, config_path
from sidecar.ingest import secrets
from sidecar.ingest.indexing.indexer import Indexer
from sidecar.ingest.reading.detect import loader_of, versions_hash
from sidecar.ingest.watching.folders import folders_of
from sidecar.logs import log_file, set_up_logging
from sidecar.registry import Features, Formats, allow_plugins, load_features, load_formats, unused_settings
from sidecar.search.query import table_terms
from sidecar.search.searcher import Searcher
from sidecar.search.semantic import SemanticSearch
from sidecar.server import AttachedReader, Backend, ReadingPorts
from sidecar.server.reading.folder_context import FolderContexts
from sidecar.server.reading.library import IndexLibrary
from sidecar.server.reading.tables import ISOLATED_POOLS, TableReader
from sidecar.store import Lease, Store
from sidecar.store.erasing import Erasure, Step
from sidecar.views.embedded import Readable
from sidecar.workers.pool import WorkerPool

logger = logging.getLogger(__name__)

T = TypeVar("T")
_ATTACHED_READER = "sidecar.ingest.reading.attachments:read_attached"
_ATTACHED_OPENER = "sidecar.ingest.reading.attachments:open_attached"


@dataclass
class Signals:
    """How feature plugins reach the clients; the server fills it in, without one they speak to nobody."""

    resources_changed: Callable[[], None] = lambda: None
    resource_updated: Callable[[str], None] = lambda uri: None
    tools_changed: Callable[[], None] = lambda: None
    subscribed: Callable[[], AbstractSet[str]] = frozenset


class _AppServices:
    """Implements `api.Services`."""

    def __init__(self, application: "Application") -> None:
        self._application = application
        self._caches: dict[str, Cache] = {}
        self.working: Callable[[str], AbstractContextManager[object]] = nullcontext
        """Shows what long work is being done; of commands only."""

    @property
    def library(self) -> Library:
        """The read side of the index."""
        return self._application.library

    @property
    def workers(self) -> Workers:
        """Where heavy functions run."""
        return self._application.workers

    @property
    def data_dir(self) -> Path:
        """Where the index is kept; absolute."""
        return self._application.store.data_dir

    @property
    def config_dir(self) -> Path:
        """Where the configuration file is, or would be; absolute."""
        return (self._application.config.source or config_path(Overrides(), os.environ)).parent

    def cache(self, name: str, *, max_entries: int, max_bytes: int, max_age: float) -> Cache:
        """The cache of that name; the bounds of the first call hold."""
        if name not in self._caches:
            store = self._application.store
            self._caches[name] = store.caches.open(name, max_entries=max_entries, max_bytes=max_bytes, max_age=max_age)
        return self._caches[name]

    def resources_changed(self) -> None:
        """Tell clients that there are other resources now."""
        self._application.signals.resources_changed()

    def resource_updated(self, uri: str) -> None:
        """Tell those who subscribed to `uri` that it changed."""
        self._application.signals.resource_updated(uri)

    def subscribed(self) -> AbstractSet[str]:
        """The URIs that clients are subscribed to now."""
        return self._application.signals.subscribed()


class Application:
    """One data directory opened, with everything that works on it. Made by `open_application`."""

    def __init__(
        self, config: Config, store: Store, workers: WorkerPool, formats: Formats, features: Features, *, serving: bool
    ) -> None:
        self.config = config
        self.store = store
        self.workers = workers
        self.formats = formats
        self.features = features
        self.signals = Signals()
        self.lease = Lease(store.data_dir)
        self.committed = asyncio.Event()
        """Set when this process has changed documents in the index; what changed stands in the change feed."""
        self.reconfigured = asyncio.Event()
        """Set when plugins registered anew: their background tasks may be others than before."""
        self.indexer = Indexer(
            store, formats.entries, lambda: self.config, workers, committed=self.committed, lease=self.lease,
            will_run=serving,
        )  # fmt: skip
        embedder = features.embedders[0] if features.embedders else None
        self.semantic = embedder and SemanticSearch(store.embeddings, store.changes, workers, embedder)
        self.searcher = Searcher(store.documents, store.search, self.semantic)
        self.services = _AppServices(self)
        self.contexts = FolderContexts(lambda: self.config.folders)
        reading = ReadingPorts(
            formats=self._plugin,
            folder_of=self._folder_of,
            limits=lambda: self.config.limits,
            settings=lambda: self.config.server,
            attaching=AttachedReader(
                _ATTACHED_READER,
                _ATTACHED_OPENER,
                lambda: loader_of(self.config),
                Readable(formats.suffixes, formats.media_types),
                lambda: versions_hash(formats.entries, self.config.limits),
            ),
            drawers=features.drawers,
            contexts=self.contexts.of,
        )
        self.library = IndexLibrary(
            store.documents, lambda: store.remark, self.searcher,
            TableReader(store.tables, workers, table_terms, lambda: self.library.attached_documents), self.indexer,
            reading, features, lambda: self.services, self._status,
            self.semantic.wanted if self.semantic else lambda doc: None,
        )  # fmt: skip

    def backend(self) -> Backend:
        """What the MCP handlers work on."""
        return Backend(self.features, lambda: self.config.server, self.services, self.store.documents)

    def may_embed(self) -> bool:
        """Words come first: texts are embedded by the process that indexes, when no file waits to be read but those
        whose recognition may take hours."""
        progress = self.indexer.progress
        return self.lease.held and (progress.state == "idle" or progress.slow)

    def _folder_of(self, path: str) -> tuple[str, bool] | None:
        return self.config.folder_of(path)

    def _plugin(self, name: str) -> FormatPlugin | None:
        entry = self.formats.get(name)
        return entry.plugin if entry is not None else None

    async def index_once(self) -> dict[str, object]:
        """The report of `index --once`; when another process keeps the index up to date, what it holds."""
        try:
            report = await self.indexer.scan_once()
        except UnavailableError as error:
            totals = await self.store.documents.totals()
            return {
                "files": totals.files, "states": dict(totals.states), "failures": [], "seconds": 0.0,
                "remark": str(error),
            }  # fmt: skip
        return {
            "files": report.files,
            "states": dict(report.states),
            "failures": [
                {"path": failure.path, "state": failure.state, "reason": failure.reason} for failure in report.failures
            ],
            "seconds": round(report.seconds, 3),
            "formats": dict(report.formats),
            "read": report.read,
        }

    async def forget_folder(self, folder: Path) -> None:
        """Take all of a folder out of the index, unless it lies in one that is still watched: a scan sees to that."""
        path = os.fsencode(folder)
        if folders_of(self.config, self.store.data_dir).owner(path) is None:
            await self.store.files.forget_folder(path, [os.fsencode(one.path) for one in self.config.folders])

    async def forget(
        self, folder: Path | None, unlist: Callable[[], None], step: Step, *, only_if_there: bool = False
    ) -> Erasure | None:
        """Erase a folder that is watched no more, or everything, from the data directory and the log, while others may
        be serving; see `Store.erase`. Raises UsageError where it lies in a folder that is still watched, SidecarError
        where another process still watches it. `unlist` takes it out of the configuration file, from which others
        learn it; this process's configuration is without it already. None when `only_if_there` and nothing of it is."""
        path = os.fsencode(folder) if folder is not None else None
        kept = [os.fsencode(one.path) for one in self.config.folders]
        watched = folders_of(self.config, self.store.data_dir)
        if path is not None and watched.scope_of(path) is not None and (owner := watched.owner(path)) is not None:
            raise UsageError(
                f"{folder} lies in the watched folder {os.fsdecode(owner.path)} and would be indexed again; name it in "
                "`exclude` of that folder's table first, or forget that folder."
            )
        known = await self.store.traces(path, kept)
        if only_if_there and not known.documents and not known.former:
            return None
        unlist()
        step("asking who indexes")
        async with self.indexer.none_indexing(path or b""):
            return await self.store.erase(path, kept, known, [log_file(self.config)], step)

    async def embed_once(self) -> dict[str, object]:
        """Embed every text that is not yet, for search by meaning; gives how many are."""
        if self.semantic is None:
            return {"done": 0, "total": 0, "state": "disabled"}
        await self.semantic.embed_missing(lambda: True)
        return await self.semantic.status()

    async def reload(self, config: Config) -> None:
        """Swap the configuration: folders come and go at once, plugins whose settings changed register anew; other
        plugins, embedders and the data directory wait for the next start. A plugin that refuses its settings goes on
        with those it has, and that is said as the configuration's error."""
        before = self._offered()
        refused = self.features.reconfigure(config.feature_settings())
        error = ConfigError(refused[0].reason, file=str(config.source)) if refused else None
        self.config = replace(config, data_dir=self.config.data_dir, error=error)
        self.reconfigured.set()
        tools, resources = self._offered()
        if tools != before[0]:
            self.signals.tools_changed()
        if resources != before[1]:
            self.signals.resources_changed()
        await self.indexer.apply(self.config)

    def _offered(self) -> tuple[object, object]:
        """What tells whether the lists of tools and of resources are others than before."""
        features = self.features
        schemes = [(provider.schemes, bool(provider.templates)) for provider in features.providers]
        return (list(features.tools), self.config.server), (list(features.resources), schemes)

    async def _folder_status(self, folder: Folder) -> dict[str, object]:
        problems = replace(self.config, folders=(folder,)).folder_problems()
        details = {"problem": problems[0]} if problems else await self.contexts.status(folder)
        return {"path": str(folder.path), **details}

    async def _status(self) -> Mapping[str, object]:
        """The fields of `get_library_status` that only the composition knows."""
        config = self.config
        folders = [await self._folder_status(folder) for folder in config.folders]
        # Both in one go, nothing awaited between: a lease that is taken meanwhile had no holder and was held.
        lease = {"held": self.lease.held, "holder_pid": self.lease.holder()}
        answer: dict[str, object] = {
            "folders": folders,
            "lease": lease,
            "config": {
                "source": str(config.source) if config.source else None,
                "error": str(config.error) if config.error else None,
            },
            "data_dir": str(config.data_dir),
            "workers": len(self.workers.pids()),
        }
        if self.workers.confinement:
            answer["confinement"] = self.workers.confinement
        if self.semantic is not None:
            answer["embedded"] = await self.semantic.status()
        if self.store.read_only:
            answer["read_only"] = True
        if files := await self.store.documents.in_state("secret"):
            answer["secrets"] = {"files": files, "how": f"They are not indexed; {secrets.HOW}."}
        remarks: list[str] = []
        if unwatched := config.unwatched():
            remarks.append(unwatched)
        failures = [*self.formats.failures, *self.features.failures]
        remarks += [f"The plugin {failure.name} failed to load: {failure.reason}" for failure in failures]
        remarks += [f"{config.source}: {problem}" for problem in unused_settings(self.features, config)]
        if remarks:
            answer["remarks"] = remarks
        for name, report in self.features.reports.items():
            try:
                answer[name] = await report(self.services)
            except Exception as error:  # a plugin's report may raise anything; the status must still come
                logger.exception("the status report %s failed", name)
                answer[name] = {"error": f"{type(error).__name__}: {error}"}
        return answer


@asynccontextmanager
async def open_application(config: Config, *, serving: bool = False) -> AsyncGenerator[Application]:
    """Open the index, load the plugins, wire everything; on the way out workers end before the store closes.

    `serving` says that the indexer is going to run.

    Raises:
        StoreError: the index cannot be opened."""
    formats, features = await asyncio.to_thread(_plugins, config)  # as long as it takes, the loop answers
    workers = WorkerPool(config.index.workers, config.limits, (config.data_dir,), ISOLATED_POOLS)
    store = await Store.open(config.data_dir, retention=config.index.retention_versions)
    try:
        yield Application(config, store, workers, formats, features, serving=serving)
    finally:
        with anyio.CancelScope(shield=True):
            await workers.aclose()
            await store.close()


def _plugins(config: Config) -> tuple[Formats, Features]:
    """The plugins that the configuration leaves in force."""
    refused = allow_plugins(config.plugin_directory, config.plugins_allowed)
    formats = load_formats(config.plugins_disabled, config.plugin_settings)
    features = load_features(config.plugins_disabled, config.feature_settings())
    features.failures[:0] = refused
    return formats, features


def run_command(config: Config, ask: Callable[[Application], Awaitable[T]], *, indexing: bool = False) -> T:
    """Open everything for one command and close it again. `indexing` commands log like a server does."""
    if indexing:
        set_up_logging(config)

    async def main() -> T:
        async with open_application(config) as application:
            return await ask(application)

    return anyio.run(main)
