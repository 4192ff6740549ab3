"""One term of office of the indexer: from getting the lease to losing it. Carries out what surveys plan.

Everything here runs on the event loop and blocks it for no longer than a few milliseconds; the disk is looked at in
threads (`survey`), documents are read in workers (`intake`), and the store has its own writer.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from sidecar.api import UnavailableError, UsageError
from sidecar.config import Config
from sidecar.ingest.indexing.claims import FACT, doubt, new_suffixes
from sidecar.ingest.indexing.feeding import Streams
from sidecar.ingest.indexing.intake import Intake
from sidecar.ingest.indexing.progress import Progress
from sidecar.ingest.indexing.schedule import Schedule
from sidecar.ingest.indexing.survey import Compared, Known, Plan, Survey
from sidecar.ingest.indexing.verdicts import error_for
from sidecar.ingest.reading.jobs import Loader
from sidecar.ingest.watching.admitting import admit
from sidecar.ingest.watching.events import Event, NoWatcher, Watcher, is_remote, open_watcher
from sidecar.ingest.watching.scan import Stopped, Versions
from sidecar.ingest.watching.tree import Tree, is_rules, tree_of
from sidecar.store import Change, FileStat, Store
from sidecar.store.documents.paths import shown

_SLICE = 500
"""Files handled at a stretch before others have the loop."""
_SAVED = 16
"""So few files that came to rest together were saved by somebody; more were unpacked or checked out."""
_ATTEMPTS = 5
_NO_FOLDER = "No folder is watched yet; add one with `docsidecar add FOLDER` or start with --folder DIR."


class Run:
    """See the module. Either `once` or `forever` is called, one time."""

    def __init__(
        self,
        store: Store,
        config: Config,
        versions: Versions,
        *,
        workers: Streams,
        loader: Loader,
        on_changes: Callable[[list[Change]], None],
    ) -> None:
        self.versions = versions
        self.tree = tree_of(config, store.data_dir)
        self.seen = 0
        self.bytes = 0
        self.intake = Intake(store, workers, versions.fingerprint, self._is_ours, self._later, on_changes)
        self.intake.configure(loader, config.limits)
        self._store = store
        self._config = config
        self._on_changes = on_changes
        self._watcher: Watcher = NoWatcher()
        self._watching = False
        self._schedule = Schedule(config.index)
        self._surveying = True
        self._surveys: set[threading.Event] = set()
        self._remarks: dict[bytes, str] = {}
        self._claimed: frozenset[bytes] | None = None
        """Suffixes of files that a plugin new to this index may read; None until it is known."""
        self._noting: asyncio.Task[None] | None = None
        self._young: set[bytes] = set()
        """Files a survey met while they were perhaps being written: they belong to what is pending."""

    @property
    def progress(self) -> Progress:
        pending = self.intake.pending + len(self._young)
        state = "indexing" if self._surveying or pending or self._schedule.survey_due(self._now()) else "idle"
        total = max(self.seen, pending)
        current = shown(self.intake.current)
        advice = "" if self.tree.roots else _NO_FOLDER
        remarks = tuple(self._remarks.values())
        slow = pending > 0 and self.intake.slow and not self._young and not self._surveying
        return Progress(state, pending, total - pending, total, current, True, remarks, advice, slow)

    async def once(self) -> None:
        """Everything that differs is read and written; then it is over."""
        helpers = self.intake.start()
        work = asyncio.create_task(self._bring_up_to_date())
        try:
            await asyncio.wait([work, *helpers], return_when=asyncio.FIRST_COMPLETED)
            for task in helpers:
                if task.done():
                    task.result()
            await work
        finally:
            await self._end([*helpers, work, *self._extra()])

    async def forever(self) -> None:
        """Survey, then follow events, with a survey of everything now and then. Ends when cancelled or failing."""
        self._watcher = open_watcher(self._heard)
        self._watching = True
        tasks = self.intake.start()
        try:
            tasks.append(asyncio.create_task(self._follow()))
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._watcher.close()
            await self._end([*tasks, *self._extra()])

    async def apply(self, config: Config, loader: Loader) -> None:
        """Another configuration: folders no longer named are forgotten, the rest is surveyed anew."""
        former, tree = self.tree, tree_of(config, self._store.data_dir)
        before = {root.path for root in former.roots}
        after = {root.path for root in tree.roots}
        self.tree, self._config = tree, config
        self.intake.configure(loader, config.limits)
        self._schedule.configure(config.index)
        # A folder inside another takes over its files, or gives them back: their rows name the folder.
        self._schedule.forced |= {path for path in before ^ after if tree.owner(path) is not None}
        self._stop_watching(former)
        for path in before - after:
            if tree.owner(path) is None:
                self._tell(await self._store.forget_folder(path))
        self.intake.discard_strangers()
        self._schedule.survey_now()

    async def index_now(self, path: bytes) -> None:
        """See `Indexer.index_now`; `path` is absolute."""
        path = await asyncio.to_thread(admit, self.tree, path)
        for attempt in range(1, _ATTEMPTS + 1):
            status = await asyncio.to_thread(_status, path)
            known = await self._store.known_paths([path])
            look = _looker([(path, status)])
            plan = await self._in_thread(known, look, known)
            if not plan.reads:
                raise UsageError(f"{shown(path)} does not exist or is not a file.")
            outcome = await self.intake.read_now(plan.reads[0])
            self._young.discard(path)
            if outcome.kind in ("failed", "unsupported"):
                raise error_for(outcome.state, f"{shown(path)}: {outcome.reason}")
            if outcome.kind not in ("gone", "changed"):
                return
            await asyncio.sleep(self._config.index.settle_seconds * attempt)
        raise UnavailableError(f"{shown(path)} keeps changing; it is indexed as soon as it rests.")

    # surveys

    async def _bring_up_to_date(self) -> None:
        await self._survey_all()
        while True:
            await self.intake.at_rest()
            if not len(self._schedule.settling):
                if self._noting is not None:
                    await self._noting
                return
            # Files that changed while they were read: given the time to come to rest.
            await self._schedule.wait_for_file(self._now())
            await self._look_at(self._schedule.due(self._now()))

    async def _follow(self) -> None:
        schedule = self._schedule
        while True:
            if schedule.survey_due(self._now()):
                schedule.surveying(self._now())
                await self._survey_all()
                schedule.surveyed(self._now())
            directories = schedule.directories_due(self._now())
            if directories:
                started = self._now()
                compared = await self._store.compared_files(self.versions.plugins)
                tree = self.tree
                plan = await self._in_thread(compared, _walker(directories))
                if self.tree is tree:  # else everything is going to be surveyed
                    await self._carry_out(plan)
                else:
                    self._stop_watching(tree)
                schedule.walked(started, self._now())
            await self._look_at(schedule.due(self._now()))
            await schedule.wait(self._now())

    async def _survey_all(self) -> None:
        self._surveying = True
        try:
            for root in self.tree.roots:
                self._watcher.start(root.path)
            forced = tuple(self._schedule.forced)
            self._schedule.forced.clear()
            compared = await self._store.compared_files(self.versions.plugins)
            if self._claimed is None:
                self._claimed = new_suffixes(await self._store.fact(FACT), self.versions.claims)
            if self._claimed:
                doubt(compared, self._claimed)
            tree = self.tree
            plan = await self._in_thread(compared, lambda survey: survey.folders(forced))
            if self.tree is not tree:  # other folders are watched by now: what was seen is no longer what is asked
                self._schedule.forced |= set(forced)
                self._stop_watching(tree)
                return
            self._remarks.clear()
            self._schedule.polled.clear()
            if self._watching:
                remote = await asyncio.to_thread(lambda: {r.path for r in self.tree.roots if is_remote(r.path)})
                self._schedule.polled |= remote
            self.seen, self.bytes = plan.seen, plan.bytes
            await self._carry_out(plan)
            if self._claimed:
                self._noting = asyncio.create_task(self._note_claims())
        finally:
            self._surveying = False

    async def _note_claims(self) -> None:
        """Once all have been looked into, files are no longer in doubt because of new plugins."""
        self._claimed = frozenset()
        await self.intake.at_rest()
        await self._store.put_fact(FACT, self.versions.claims)

    async def _look_at(self, paths: Sequence[bytes]) -> None:
        """Files whose quiet time is over: those that rest are read, or are gone."""
        if not paths:
            return
        looked = await asyncio.to_thread(lambda: [(path, _status(path)) for path in paths])
        now = self._now()
        settled: list[tuple[bytes, os.stat_result | None]] = []
        for path, status in looked:
            if self._schedule.looked(path, now, status):
                wanted = self.tree.wanted(path)
                settled.append((path, None if wanted is False else status))
        if not settled:
            return
        known = await self._store.known_paths([path for path, _ in settled])
        if any(status is not None and path not in known for path, status in settled):
            known = await self._store.known_files()  # one may be an indexed file under a new name
        plan = await self._in_thread(known, _looker(settled), known)
        if self._watching and len(plan.reads) <= _SAVED:
            plan.reads = [replace(pending, urgent=True) for pending in plan.reads]
        await self._carry_out(plan)
        self._young.difference_update([path for path, _ in settled])

    async def _carry_out(self, plan: Plan) -> None:
        for start, directories in plan.accepted:
            for dropped in self.tree.accept(start, directories):
                self._watcher.drop(dropped)
        for directory in plan.rejected:
            self._watcher.drop(directory)
        self._note_trouble(plan)
        if plan.moves:
            for old, _, _ in plan.moves:
                self.intake.discard(old)
            self._tell(await self._store.rename(plan.moves))
        for start in range(0, len(plan.removed), _SLICE):
            paths = plan.removed[start : start + _SLICE]
            for path in paths:
                self.intake.discard(path)
            self._tell(await self._store.remove(paths))
        now = self._now()
        for path, seen in plan.young:
            self._schedule.settling.note(path, now, self._config.index.settle_seconds, seen)
            self._young.add(path)
        for problem in plan.problems:
            owner = self.tree.owner(problem.path)
            if owner is not None:
                await self.intake.refuse(problem, owner.path)
        for number, pending in enumerate(plan.reads, 1):
            self.intake.add(pending)
            if number % _SLICE == 0:
                self.intake.begin()
                await asyncio.sleep(0)
        self.intake.begin()

    def _note_trouble(self, plan: Plan) -> None:
        for root in plan.absent:
            where = shown(root.path)
            self._remarks[root.path] = f"The folder {where} is not there; what was indexed in it stays as it was."
            self._schedule.polled.add(root.path)
        for problem in plan.problems:
            if problem.stat is None:
                self._remarks[problem.path] = f"{shown(problem.path)}: {problem.reason}"
        if self._watching and plan.unwatched:
            self._schedule.polled |= plan.unwatched
            self._remarks[b""] = (
                f"{len(self._schedule.polled):,} folders cannot be watched and are looked at every few seconds; "
                "raising fs.inotify.max_user_watches makes that unnecessary."
            )

    async def _in_thread(self, compared: Compared, work: Callable[[Survey], Plan], known: Known | None = None) -> Plan:
        """Have a survey made. `known` is the index in whole where it is at hand, else it is fetched when needed."""
        stop = threading.Event()
        quiet = self._config.index.settle_seconds if self._watching else 0.0
        loop = asyncio.get_running_loop()

        def whole() -> Known:
            if known is not None:
                return known
            if stop.is_set():
                raise Stopped
            return asyncio.run_coroutine_threadsafe(self._store.known_files(), loop).result()

        survey = Survey(self.tree, self.versions, compared, whole, self._watch, quiet, stop)
        try:
            return await asyncio.to_thread(work, survey)
        finally:
            stop.set()  # cancelled: the thread ends at its next directory

    def _stop_watching(self, former: Tree) -> None:
        """Drop the watches of folders that are none any more, those included that a walk has just set."""
        for path in {root.path for root in former.roots} - {root.path for root in self.tree.roots}:
            self._watcher.drop(path)

    def _watch(self, directory: bytes) -> bool:
        return not self._watching or self._watcher.watch(directory)

    # events

    def _heard(self, event: Event) -> None:
        now = self._now()
        directory = event.path.rpartition(os.sep.encode())[0]
        if event.kind == "lost":
            self._schedule.survey_now()
        elif event.kind == "directory":
            self._schedule.mark(self.tree.place_to_walk(event.path), now)
        elif is_rules(event.path):
            self._schedule.mark(self.tree.place_to_walk(directory), now)
        else:
            wanted = self.tree.wanted(event.path)
            if wanted:
                self._schedule.note(event, now)
                self.intake.warm()
            elif wanted is None:
                self._schedule.mark(self.tree.place_to_walk(directory), now)

    def _is_ours(self, path: bytes) -> bool:
        """Whether that file still belongs into the index: folders and rules may have changed while it was read."""
        return self.tree.owner(path) is not None and self.tree.wanted(path) is not False

    def _later(self, path: bytes, seen: FileStat | None) -> None:
        quiet = 0.0 if seen is None else self._config.index.settle_seconds
        self._schedule.settling.note(path, self._now(), quiet, seen)
        self._schedule.wake()

    # small things

    def _extra(self) -> list[asyncio.Task[None]]:
        return [*self.intake.stop(), *([self._noting] if self._noting is not None else [])]

    async def _end(self, tasks: Iterable[asyncio.Task[None]]) -> None:
        tasks = list(tasks)
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError, Exception):  # what failed first is raised by the caller
                await task

    def _tell(self, changes: list[Change]) -> None:
        if changes:
            self._on_changes(changes)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()


def _walker(directories: Sequence[bytes]) -> Callable[[Survey], Plan]:
    return lambda survey: survey.directories(directories)


def _looker(looked: Sequence[tuple[bytes, os.stat_result | None]]) -> Callable[[Survey], Plan]:
    return lambda survey: survey.files(looked)


def _status(path: bytes) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None
