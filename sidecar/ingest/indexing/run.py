"""Keeps the index equal to the disk for as long as this process holds the lease: scans, follows events, applies what
comparisons find.

Everything here runs on the event loop and blocks it for no longer than a few milliseconds; the disk is looked at in
threads (`watching.compare`), documents are read in workers (`readers`), and the store has its own writer."""

import asyncio
import os
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from sidecar.api import UnavailableError, UsageError
from sidecar.config import Config
from sidecar.ingest.indexing.commit import Writer
from sidecar.ingest.indexing.failures import error_for
from sidecar.ingest.indexing.queue import Queue, path_named, paths_about
from sidecar.ingest.indexing.readers import Readers
from sidecar.ingest.indexing.schedule import Schedule
from sidecar.ingest.reading.jobs import Loader
from sidecar.ingest.watching.compare import ABSENT, UNMOUNTED, Compared, Comparison, Differences, Known, look
from sidecar.ingest.watching.events import Event, Watcher
from sidecar.ingest.watching.folders import SEPARATOR, Folders, folders_of, is_ignore_file, permitted_path
from sidecar.ingest.watching.scan import Stopped
from sidecar.ingest.watching.versions import FACT, Versions, invalidate, new_suffixes
from sidecar.ingest.watching.watch import is_remote, open_watcher
from sidecar.store import Store
from sidecar.store.documents.paths import shown, under
from sidecar.store.documents.records import Progress
from sidecar.workers.pool import WorkerPool

_SLICE = 500
"""Files handled at a stretch before others have the loop."""
_SAVED = 16
"""So few files that settled together were saved by somebody; more were unpacked or checked out."""
_MAX_NAMES, _MAX_LED = 50_000, 16
"""How many of the files that wait a query is compared with by their names, and how many it is about are read first."""
_NO_DOCUMENT = "No document lies in the watched folders yet."
_ATTEMPTS = 5
"""To read a file that somebody asked for, while it changes under the reader."""


class IndexingRun:
    """See the module. Either `once` or `forever` is called, one time."""

    def __init__(
        self,
        store: Store,
        config: Config,
        versions: Versions,
        *,
        workers: WorkerPool,
        loader: Loader,
        committed: asyncio.Event,
    ) -> None:
        """`committed` is set when documents have changed in the index."""
        self.files = 0
        """Files that belong into the index, as the last scan of everything counted them."""
        self.bytes = 0
        """Of them all."""
        self._store = store
        self._config = config
        self._versions = versions
        self._committed = committed
        self._folders = folders_of(config, store.data_dir)
        self._schedule = Schedule(config.index)
        self._queue = Queue()
        self.writer = Writer(store, self._queue, self._schedule, self._folders, committed, versions.fingerprint)
        self.readers = Readers(store, workers, self._queue, self._schedule, self.writer, versions.archives)
        self.readers.configure(self._folders, loader, config.limits)
        self._tasks = asyncio.TaskGroup()
        self._watcher = Watcher()
        self._watching = False
        self._scanning = True
        self._remarks: dict[bytes, str] = {}
        self._forced: set[bytes] = set()
        """Directories whose files are to be read again though they look the same."""
        self._made_with: str | None = None
        """The `Versions.suffixes` that the index was made with; None until it was asked."""
        self._away: frozenset[bytes] | None = None
        """Folders that are not there, as the index knows; None until it was asked."""
        self._arrived: set[bytes] = set()
        """Files that have come since the last scan counted them."""
        self._unsettled: dict[bytes, bool] = {}
        """Files a scan met while they were perhaps being written, pending. True: the index has an older one."""

    @property
    def progress(self) -> Progress:
        """How far it is."""
        pending = len(self._queue) + len(self._unsettled)
        total = max(self.files + len(self._arrived), pending)
        none = "" if total or self._scanning or self._schedule.scan_due else _NO_DOCUMENT
        advice = self._config.unwatched() or ("" if total else next(iter(self._remarks.values()), none))
        return Progress(
            state="indexing" if self._scanning or pending or self._schedule.scan_due else "idle", pending=pending,
            indexed=total - pending, total=total, current=shown(self._queue.current), leader=True,
            remarks=tuple(self._remarks.values()), advice=advice,
            scanning=self._scanning or self._schedule.scan_due,
            reread=self._queue.searchable + sum(self._unsettled.values()),
            slow=pending > 0 and self._queue.only_slow and not self._unsettled and not self._scanning,
            words_only=self._queue.words_only,
        )  # fmt: skip

    async def once(self) -> None:
        """Everything that differs is read and written; then it is over."""
        async with self._tasks:
            reading = self.readers.start(self._tasks)
            await self._scan()
            await self._queue.drained()
            while len(self._schedule.settling):  # files that changed while they were read: time to settle
                await self._check_files(await self._schedule.next_files())
                await self._queue.drained()
            await self._note_suffixes()
            for task in reading:
                task.cancel()

    async def forever(self) -> None:
        """Scan, then follow events, with a scan of everything now and then. Ends when cancelled or failing."""
        self._watcher = open_watcher(self._on_event)
        self._watching = self._queue.words_first = True
        try:
            async with self._tasks:
                self.readers.start(self._tasks)
                while True:
                    due = await self._schedule.next()
                    if due.everything:
                        await self._scan()
                        self._schedule.scanned()
                    if due.directories:
                        await self._scan_directories(due.directories)
                    if due.files:
                        await self._check_files(due.files)
        finally:
            self._watcher.close()

    async def apply(self, config: Config, loader: Loader) -> None:
        """Another configuration: folders no longer named are forgotten, the rest is scanned anew."""
        former, folders = self._folders, folders_of(config, self._store.data_dir)
        before = {root.path for root in former.roots}
        after = {root.path for root in folders.roots}
        self._folders, self._config = folders, config
        self._schedule.settings = config.index
        # A folder inside another takes over its files, or gives them back: their rows name the folder.
        self._forced |= {path for path in before ^ after if folders.owner(path) is not None}
        # Where secrets may be indexed from now on, or may no longer be: what begins like one is told by reading only.
        secrets = {root.path: root.folder.secrets for root in former.roots}
        self._forced |= {root.path for root in folders.roots if secrets.get(root.path) is (not root.folder.secrets)}
        self._stop_watching(former)
        self.readers.configure(folders, loader, config.limits)
        for path in before - after:
            if folders.owner(path) is None:
                await self._store.files.forget_folder(path, after)
                self._committed.set()
        self._schedule.scan_now()

    async def forget(self, folder: bytes) -> None:
        """Forget everything below a folder (b"": of all) that is watched no more, whatever was being read of it. Raises
        UsageError where this process still watches it."""
        if self.watches(folder):
            raise UsageError(
                f"Process {os.getpid()} still watches {shown(folder) or 'folders'}, by its --folder or its own "
                "configuration; close the window that started it, then forget again."
            )
        await self._store.files.forget_folder(folder or None, [root.path for root in self._folders.roots])
        self._committed.set()

    def watches(self, folder: bytes) -> bool:
        """Whether files below a folder (b"": of any) are indexed by this process, as far as rules above it tell."""
        return bool(self._folders.roots) if not folder else self._folders.scope_of(folder) is not None

    def recheck(self, paths: Sequence[bytes]) -> None:
        """Compare these files with the index once more, at once."""
        for path in paths:
            self._schedule.recheck(path)

    async def pending_named(self, name: str) -> bytes | None:
        """See `Indexer.pending_named`."""
        return await asyncio.to_thread(path_named, [*self._queue.unfinished(), *self._unsettled], name)

    async def read_first(self, words: Collection[str]) -> None:
        """See `Indexer.read_first`."""
        about = await asyncio.to_thread(paths_about, self._queue.first_time()[:_MAX_NAMES], words, _MAX_LED)
        self._queue.lead(about)
        await self._queue.wait_until_read(about)

    async def index_now(self, path: bytes) -> None:
        """See `Indexer.index_now`; `path` is absolute."""
        path = await asyncio.to_thread(permitted_path, self._folders, path)
        for attempt in range(1, _ATTEMPTS + 1):
            found = await self._compare_files([(path, await asyncio.to_thread(look, path))], moves=False)
            if not found.reads:
                raise UsageError(f"{shown(path)} does not exist or is not a file.")
            outcome = await self.readers.read_now(found.reads[0])
            self._unsettled.pop(path, None)
            if outcome.kind in ("failed", "unsupported"):
                raise error_for(outcome.state, f"{shown(path)}: {outcome.reason}")
            if outcome.kind not in ("gone", "changed"):
                return
            await asyncio.sleep(self._config.index.settle_seconds * attempt)
        raise UnavailableError(f"{shown(path)} keeps changing; it is indexed as soon as it settles.")

    def _on_event(self, event: Event) -> None:
        """What the watcher says; nothing is believed of it but the path."""
        directory = os.path.dirname(event.path)  # noqa: PTH120 - bytes; of a disk's top, it keeps the separator
        if event.kind == "overflow":
            self._schedule.scan_now()
        elif event.kind == "directory":
            self._schedule.mark(self._folders.start_of_scan(event.path))
        elif is_ignore_file(event.path):
            self._schedule.mark(self._folders.start_of_scan(directory))
        else:
            wanted = self._folders.wanted(event.path, cheaply=True)
            if wanted:
                self._schedule.note(event)
                self.readers.preload()
            elif wanted is None:
                self._schedule.mark(self._folders.start_of_scan(directory))

    async def _scan(self) -> None:
        """Compare all folders with the index."""
        self._scanning = True
        try:
            if self._config.error is not None and not self._folders.roots:
                return  # what a broken configuration does not name stays as it is
            folders, forced = self._folders, tuple(self._forced)
            for root in folders.roots:
                self._watcher.start(root.path)
            self._forced.clear()
            await self._store.files.outdate_archives(self._versions.plugins)
            if not (compared := await self._store.files.compared(self._versions.plugins)):
                self.readers.preload()  # whatever is found is to be read: a worker comes up meanwhile
            if self._made_with is None:
                self._made_with = await self._store.settings.get(FACT)
            if suffixes := new_suffixes(self._made_with, self._versions.suffixes):
                invalidate(compared, suffixes)
            found = await self._compare(compared, lambda comparison: comparison.folders(forced))
            if self._folders is not folders:  # what was seen is no longer what is asked
                self._forced |= set(forced)
                self._stop_watching(folders)
                return
            self._remarks.clear()
            self._schedule.polled.clear()
            if self._watching:
                remote = await asyncio.to_thread(lambda: {root.path for root in folders.roots if is_remote(root.path)})
                self._schedule.polled |= remote
            self.files, self.bytes = found.seen, found.bytes
            self._arrived.clear()
            await self._apply_differences(found)
            if self._watching:
                self._tasks.create_task(self._note_suffixes())
        finally:
            self._scanning = False

    async def _note_suffixes(self) -> None:
        """Once all files have been looked into, none need be read again because of new plugins: at the next start
        neither, though that comes before the last scan is recognised. A plugin that is gone is forgotten too, since its
        files are read again when it is back."""
        if self._made_with not in (None, self._versions.suffixes):
            self._made_with = self._versions.suffixes
            await self._queue.wait_until_searchable()
            await self._store.settings.put(FACT, self._versions.suffixes)

    async def _scan_directories(self, directories: Sequence[bytes]) -> None:
        """Compare some directories with the index."""
        started = asyncio.get_running_loop().time()
        folders = self._folders
        compared = await self._store.files.compared(self._versions.plugins)
        found = await self._compare(compared, lambda comparison: comparison.directories(directories))
        if self._folders is folders:  # else everything is going to be scanned
            await self._apply_differences(found)
        else:
            self._stop_watching(folders)
        self._schedule.polled_in(asyncio.get_running_loop().time() - started)

    async def _check_files(self, paths: Sequence[bytes]) -> None:
        """Compare files whose quiet time is over: those that have settled are read, or are gone."""
        folders = self._folders
        looked = await asyncio.to_thread(lambda: [(path, look(path), folders.wanted(path)) for path in paths])
        settled = [
            (path, None if wanted is False else status)
            for path, status, wanted in looked
            if self._schedule.check(path, status)
        ]
        if not settled:
            return
        # Asked before the index is: one that is read meanwhile leaves the queue once the index knows it.
        counted = {path for path, _ in settled if path in self._queue or path in self._unsettled}
        found = await self._compare_files(settled)
        if self._watching and len(found.reads) <= _SAVED:
            found.reads = [replace(pending, urgent=True) for pending in found.reads]
        new = {one.job.path for one in found.reads if one.known is None} - counted
        self._arrived = (self._arrived | new).difference(found.removed)
        await self._apply_differences(found)
        for path, _ in settled:
            self._unsettled.pop(path, None)

    async def _compare_files(
        self, looked: Sequence[tuple[bytes, os.stat_result | None]], *, moves: bool = True
    ) -> Differences:
        """Compare files with the index, as they look now (None: gone). A renamed file is one of `moves`, or is read."""
        known = await self._store.files.known_at([path for path, _ in looked])
        if moves and any(status is not None and path not in known for path, status in looked):
            known = await self._store.files.known()  # one may be an indexed file under a new name
        return await self._compare(known, lambda comparison: comparison.files(looked), known)

    async def _compare(
        self, compared: Compared, work: Callable[[Comparison], Differences], known: Known | None = None
    ) -> Differences:
        """Compare in a thread. `known` is the index in whole where it is at hand, else it is fetched when needed."""
        stop = threading.Event()
        quiet = self._config.index.settle_seconds if self._watching else 0.0
        loop = asyncio.get_running_loop()

        def whole() -> Known:
            if known is not None:
                return known
            if stop.is_set():
                raise Stopped
            return asyncio.run_coroutine_threadsafe(self._store.files.known(), loop).result()

        def watch(directory: bytes) -> bool:
            return not self._watching or self._watcher.watch(directory)

        comparison = Comparison(self._folders, self._versions, compared, whole, watch, quiet, stop)
        try:
            return await asyncio.to_thread(work, comparison)
        finally:
            stop.set()  # cancelled: the thread ends at its next directory

    async def _apply_differences(self, found: Differences) -> None:
        """Write what moved and went, queue what is to be read."""
        for start, directories in found.accepted:
            for dropped in self._folders.accept(start, directories):
                self._watcher.unwatch(dropped)
        for directory in found.rejected:
            self._watcher.unwatch(directory)
        self._note_remarks(found)
        await self._note_away(found)
        if found.moves:
            for old, _, _ in found.moves:
                self.readers.discard(old)
            await self._store.files.rename(found.moves)
            self._committed.set()
        await self._remove_gone(found)
        for path, seen, searchable in found.unsettled:
            self._schedule.wait_for(path, seen)
            self._unsettled[path] = searchable
        owners = [(problem, self._folders.owner(problem.path)) for problem in found.problems]
        await self.writer.refuse([(problem, owner.path) for problem, owner in owners if owner is not None])
        for number, pending in enumerate(found.reads, 1):
            self._queue.add(pending)
            self._unsettled.pop(pending.job.path, None)  # it is pending once
            if number % _SLICE == 0:
                await asyncio.sleep(0)

    async def _remove_gone(self, found: Differences) -> None:
        """What is gone is removed, and what came to be secret is forgotten."""
        secrets = [problem.path for problem in found.problems if problem.state == "secret" and problem.stat is None]
        for start in range(0, len(found.removed), _SLICE):
            paths = found.removed[start : start + _SLICE]
            for path in paths:
                self.readers.discard(path)
            await self._store.files.forget([path for path in paths if any(under(path, place) for place in secrets)])
            await self._store.files.remove(paths)
            self._committed.set()

    async def _note_away(self, found: Differences) -> None:
        """Mark the documents of folders that have gone, and of those that are back."""
        before = self._away if self._away is not None else await self._store.files.away()
        owner, starts = self._folders.owner, [start for start, _ in found.accepted]
        left = (one for one in before if not any(under(one, at) and owner(one) is owner(at) for at in starts))
        self._away = frozenset(place for place in (*left, *found.absent) if owner(place) is not None)
        if self._away != before:
            await self._store.files.set_away(self._away)
            self._committed.set()

    def _note_remarks(self, found: Differences) -> None:
        for start, _ in found.accepted:
            self._remarks.pop(start, None)
        for place in found.absent:
            path, sentence = (place[:-1], UNMOUNTED) if place.endswith(SEPARATOR) else (place, ABSENT)
            self._remarks[path] = sentence.format(shown(path))
            self._schedule.polled.add(path)
        for problem in found.problems:
            if problem.stat is None:
                self._remarks[problem.path] = f"{shown(problem.path)}: {problem.reason}"
        if self._watching and found.unwatched:
            self._schedule.polled |= found.unwatched
            self._remarks[b""] = (
                f"{len(self._schedule.polled):,} folders cannot be watched and are looked at every few seconds; "
                "raising fs.inotify.max_user_watches makes that unnecessary."
            )

    def _stop_watching(self, former: Folders) -> None:
        """Drop the watches of folders that are none any more, those included that a walk has just set."""
        for path in {root.path for root in former.roots} - {root.path for root in self._folders.roots}:
            self._watcher.unwatch(path)
