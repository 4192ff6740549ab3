"""One look at the disk: walk some directories, tell what moved, went and is to be read. Runs whole in a thread.

Gives a plan; `run` carries it out on the event loop.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sidecar.ingest.indexing.workload import Pending
from sidecar.ingest.reading.files import file_stat
from sidecar.ingest.reading.jobs import Job
from sidecar.ingest.watching.ignore import Scope
from sidecar.ingest.watching.moves import find_moves
from sidecar.ingest.watching.scan import SEPARATOR, Found, Problem, Versions, Walk
from sidecar.ingest.watching.tree import Root, Tree, under
from sidecar.store import FileStat, KnownFile
from sidecar.store.documents.records import SettledRow

Known = Mapping[bytes, KnownFile]
Compared = Mapping[bytes, SettledRow | KnownFile]
Move = tuple[bytes, bytes, FileStat]


@dataclass
class Plan:
    """What a survey came to. `reads` are to be parsed, `young` to be waited for, being written perhaps."""

    reads: list[Pending] = field(default_factory=list[Pending])
    young: list[tuple[bytes, FileStat]] = field(default_factory=list[tuple[bytes, FileStat]])
    moves: list[Move] = field(default_factory=list[Move])
    removed: list[bytes] = field(default_factory=list[bytes])
    problems: list[Problem] = field(default_factory=list[Problem])
    accepted: list[tuple[bytes, dict[bytes, Scope]]] = field(default_factory=list[tuple[bytes, dict[bytes, Scope]]])
    rejected: list[bytes] = field(default_factory=list[bytes])
    unwatched: set[bytes] = field(default_factory=set[bytes])
    absent: list[Root] = field(default_factory=list[Root])
    """Folders that are not there: what was indexed in them is kept, since a disk may only be unplugged."""
    seen: int = 0
    bytes: int = 0


@dataclass
class Survey:
    """What a survey needs. `quiet_seconds` 0 takes files however young; `stop` calls it off (`scan.Stopped`).

    `compared` is all that walks need of the index; `known` gives the whole of it, and is asked only when something
    differs, which at most starts nothing does.
    """

    tree: Tree
    versions: Versions
    compared: Compared
    known: Callable[[], Known]
    watch: Callable[[bytes], bool]
    quiet_seconds: float
    stop: threading.Event

    def folders(self, forced: Sequence[bytes] = ()) -> Plan:
        """All folders. Files below the `forced` directories are read again though they look the same. What the index
        has outside of all folders is removed."""
        plan = Plan()
        left = dict(self.compared)
        fresh: list[tuple[bytes, FileStat]] = []
        missing: list[bytes] = []
        # The innermost folder first: it takes its own files out before the one around it is compared.
        for root in sorted(self.tree.roots, key=lambda root: -len(root.path)):
            own = _taken(left, root.path)
            if not Path(os.fsdecode(root.path)).is_dir():
                plan.absent.append(root)
                continue
            for directory in forced:
                for path in [path for path in own if under(path, directory)]:
                    del own[path]
            found = self._walk(root, [(root.path, root.scope(self.tree.settings))], own)
            plan.accepted.append((root.path, found.directories))
            self._add(plan, found)
            fresh += found.fresh
            missing += found.missing
        if forced:
            there = {path for path, _ in fresh}
            gone = [p for p in self.compared if any(under(p, d) for d in forced) and p not in there and not _exists(p)]
            missing += gone
        self._conclude(plan, fresh, [*missing, *left], forced=forced)
        return plan

    def directories(self, starts: Sequence[bytes]) -> Plan:
        """Some directories and what is below them; each may have come, gone, changed or become ignored."""
        plan = Plan()
        fresh: list[tuple[bytes, FileStat]] = []
        missing: list[bytes] = []
        left = dict(self.compared)
        for start in starts:
            root = self.tree.owner(start)
            if root is None:
                continue
            if start == root.path and not Path(os.fsdecode(start)).is_dir():
                plan.absent.append(root)
                continue
            inside = _taken(left, start)
            for other in self.tree.others(root):
                _taken(inside, other)
            is_link = Path(os.fsdecode(start)).is_symlink() and start != root.path
            scope = (
                None if is_link and not self.tree.settings.follow_symlinks else self.tree.scope_of(start, ruled=False)
            )
            found = self._walk(root, [(start, scope)] if scope is not None else [], inside)
            plan.accepted.append((start, found.directories))
            self._add(plan, found)
            fresh += found.fresh
            missing += found.missing
        self._conclude(plan, fresh, missing)
        return plan

    def files(self, looked: Sequence[tuple[bytes, os.stat_result | None]]) -> Plan:
        """Files that settled, as they look now (None: gone). They are read though they may look the same."""
        plan = Plan()
        fresh: list[tuple[bytes, FileStat]] = []
        missing: list[bytes] = []
        for path, status in looked:
            if status is not None and stat.S_ISREG(status.st_mode):
                fresh.append((path, file_stat(status)))
            elif path in self.compared:
                missing.append(path)
        self._conclude(plan, fresh, missing, settled=True)
        return plan

    def _walk(self, root: Root, starts: list[tuple[bytes, Scope]], known: dict[bytes, SettledRow | KnownFile]) -> Found:
        return Walk(
            root.path,
            self.versions,
            known,
            self.tree.others(root),
            self.tree.settings.follow_symlinks,
            self.watch,
            self.stop.is_set,
        ).run(starts)

    def _add(self, plan: Plan, found: Found) -> None:
        plan.problems += found.problems
        plan.rejected += found.rejected
        plan.unwatched |= found.unwatched
        plan.seen += found.seen
        plan.bytes += found.bytes

    def _conclude(
        self,
        plan: Plan,
        fresh: list[tuple[bytes, FileStat]],
        missing: list[bytes],
        *,
        settled: bool = False,
        forced: Sequence[bytes] = (),
    ) -> None:
        """Tell moves from the rest, and what is old enough to be read from what may still be being written."""
        if not fresh and not missing:
            return
        whole = self.known()
        moves = find_moves(fresh, whole, missing, lambda path: not _exists(path), self.stop.is_set)
        moved_to = {new: old for old, new, _ in moves}
        moved_from = set(moved_to.values())
        plan.moves = moves
        plan.removed = [path for path in missing if path not in moved_from]
        by_size = _indexed_by_size(whole) if any(path not in whole for path, _ in fresh) else {}
        now = time.time_ns()
        quiet = int(self.quiet_seconds * 1e9)
        for path, seen in fresh:
            old = moved_to.get(path)
            known = whole.get(path if old is None else old)
            if old is not None and known is not None and _suffix(old) == _suffix(path) and self.versions.settled(known):
                continue
            if not settled and 0 <= now - seen.mtime_ns < quiet and old is None:
                plan.young.append((path, seen))
                continue
            if old is not None and known is not None and _suffix(old) != _suffix(path):
                known = None  # another suffix may mean another reader
            owner = self.tree.owner(path)
            if owner is not None:
                copies = by_size.get(seen.size, ()) if known is None else ()
                again = any(under(path, directory) for directory in forced)
                plan.reads.append(Pending(_job(path, known, copies), owner.path, seen, known, again))


def _indexed_by_size(known: Known) -> dict[int, tuple[tuple[str, str, str, str], ...]]:
    """Size → digests of indexed files of that size: a copy of one need not be parsed."""
    found: dict[int, tuple[tuple[str, str, str, str], ...]] = {}
    for one in known.values():
        if one.state == "indexed" and one.sha256:
            digest = (one.sha256, one.plugin, one.plugin_version, _suffix(one.path))
            found[one.stat.size] = (*found.get(one.stat.size, ())[:7], digest)
    return found


def _job(path: bytes, known: KnownFile | None, copies: tuple[tuple[str, str, str, str], ...]) -> Job:
    if known is None or known.state != "indexed":
        return Job(path, copies=copies)
    return Job(path, known.sha256, known.plugin, known.plugin_version)


def _taken(known: dict[bytes, SettledRow | KnownFile], directory: bytes) -> dict[bytes, SettledRow | KnownFile]:
    """Take what lies in the directory out of `known`."""
    prefix = directory.rstrip(SEPARATOR) + SEPARATOR
    inside = {path: one for path, one in known.items() if path.startswith(prefix)}
    if len(inside) == len(known):
        known.clear()
    else:
        for path in inside:
            del known[path]
    return inside


def _suffix(path: bytes) -> str:
    return os.fsdecode(os.path.splitext(path)[1]).lower()  # noqa: PTH122 - bytes


def _exists(path: bytes) -> bool:
    return os.path.lexists(path)
