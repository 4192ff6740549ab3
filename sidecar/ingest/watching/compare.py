"""Compares the disk, or some places on it, with the index: what moved, went, and is to be read. Runs in a thread.

Gives the differences and changes nothing itself; `indexing.run` applies them on the event loop."""

import os
import stat
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import msgspec

from sidecar.ingest.reading.jobs import LATE, WORDS, Job
from sidecar.ingest.secrets import BY_NAME
from sidecar.ingest.watching.folders import SEPARATOR, Folders, Root
from sidecar.ingest.watching.ignore import DirectoryRules
from sidecar.ingest.watching.moves import find_moves
from sidecar.ingest.watching.scan import DirectoryWalk, Problem, ScanResult, pop_below
from sidecar.ingest.watching.versions import Versions
from sidecar.store import FileStat, KnownFile
from sidecar.store.documents.paths import under
from sidecar.store.documents.records import SettledRow

Known = Mapping[bytes, KnownFile]
Compared = Mapping[bytes, SettledRow | KnownFile]
Move = tuple[bytes, bytes, FileStat]
ABSENT = (
    "The folder {} is not there; what was read from it is `away`, as it was last seen. "
    "If its path is misspelt, correct it in the configuration or in --folder."
)
"""Of a watched folder, and below of a directory in one: what is said where they are `absent`."""
UNMOUNTED = (
    "The folder {} is empty, and what was read from it lay on another disk, which is not there; it is `away`, as it "
    "was last seen. If the disk is not to come back, remove the empty folder."
)
_LOOKED_AT = 50
"""Files of a file system that are looked for to tell whether it is still there."""


@dataclass(frozen=True)
class Pending:
    """A file to read: its watched `folder`, how it looked when queued (`stat`), what the index had of it (`known`)."""

    job: Job
    folder: bytes
    stat: FileStat
    known: KnownFile | None = None
    forced: bool = False
    """Written even when nothing changed: its row belongs to another folder now."""
    urgent: bool = False
    """It was saved while the index is being kept true: somebody works on it."""
    retried: bool = False
    """It took too long once; it has its second try when all others are read and the machine is quieter."""

    @property
    def searchable(self) -> bool:
        """Whether the index has it already, as it was before or without what takes long."""
        return self.job.slow or self.job.sha256 != ""

    @property
    def words_only(self) -> bool:
        """Whether the index has the words of it and no more."""
        return self.job.plugin_version.endswith(WORDS)

    @property
    def slow(self) -> bool:
        """Whether reading it takes far longer than its size tells."""
        return self.retried or self.job.slow or self.job.path.lower().endswith(LATE)


@dataclass
class Differences(ScanResult):
    """What a comparison made of what its walks found. `reads` are to be parsed, `unsettled` to be waited for: perhaps
    being written, each with whether the index has it as it was before."""

    reads: list[Pending] = field(default_factory=list[Pending])
    unsettled: list[tuple[bytes, FileStat, bool]] = field(default_factory=list[tuple[bytes, FileStat, bool]])
    moves: list[Move] = field(default_factory=list[Move])
    removed: list[bytes] = field(default_factory=list[bytes])


@dataclass
class Comparison:
    """What a comparison needs. `quiet_seconds` 0 takes files however young; `stop` calls it off (`scan.Stopped`).

    `compared` is all that walks need of the index; `known` gives the whole of it, and is asked only when something
    differs, which at most starts nothing does."""

    roots: Folders
    versions: Versions
    compared: Compared
    known: Callable[[], Known]
    watch: Callable[[bytes], bool]
    quiet_seconds: float
    stop: threading.Event

    def folders(self, forced: Sequence[bytes] = ()) -> Differences:
        """All folders. Files below the `forced` directories are read again though they look the same. What the index
        has outside of all folders is removed."""
        found = Differences()
        left = dict(self.compared)
        if forced:
            again = [path for path in left if any(under(path, directory) for directory in forced)]
            for path in [path for path in again if self.roots.owner(path) is not None]:
                del left[path]
        # The innermost folder first: it takes its own files out before the one around it is compared.
        for root in sorted(self.roots.roots, key=lambda root: -len(root.path)):
            self._walk(root, root.path, root.scope(self.roots.settings), left, found)
        if forced:
            there = {path for path, _ in found.fresh}
            gone = [p for p in self.compared if any(under(p, d) for d in forced) and p not in there and look(p) is None]
            found.missing += gone
        found.missing += left
        return self._conclude(found, forced=forced)

    def directories(self, starts: Sequence[bytes]) -> Differences:
        """Some directories and what is below them; each may have come, gone, changed or become ignored."""
        found = Differences()
        left = dict(self.compared)
        for start in starts:
            root = self.roots.owner(start)
            if root is None:
                continue
            is_link = start != root.path and os.path.islink(start)  # noqa: PTH114 - bytes
            ignored = is_link and not self.roots.settings.follow_symlinks
            gone = os.path.lexists(start) and look(start) is None  # perhaps renamed in its case only
            self._walk(root, start, None if ignored or gone else self.roots.scope_of(start, ruled=False), left, found)
        return self._conclude(found)

    def files(self, looked: Sequence[tuple[bytes, os.stat_result | None]]) -> Differences:
        """Files that settled, as they look now (None: gone). They are read though they may look the same."""
        found = Differences()
        for path, status in looked:
            if status is not None and stat.S_ISREG(status.st_mode):
                seen = FileStat.of(status)
                if self.roots.is_secret(path):
                    known = self.compared.get(path)
                    same = isinstance(known, KnownFile) and (known.state, known.stat) == ("secret", seen)
                    found.problems.append(Problem(path, "secret", BY_NAME, seen, not same))
                else:
                    found.fresh.append((path, seen))
            elif path in self.compared:
                found.missing.append(path)
        return self._conclude(found, settled=True)

    def _walk(
        self,
        root: Root,
        start: bytes,
        scope: DirectoryRules | None,
        known: dict[bytes, SettledRow | KnownFile],
        found: ScanResult,
    ) -> None:
        # Not pathlib's, which raises where a mount is broken: one folder would take all others with it.
        if start == root.path and not os.path.isdir(start):  # noqa: PTH112
            found.absent.append(root.path)
            pop_below(known, start, self.roots.others(root))
            return
        walk = DirectoryWalk(
            root.path, self.versions, known, found, others=self.roots.others(root),
            follow_symlinks=self.roots.settings.follow_symlinks, watch=self.watch, stopped=self.stop.is_set,
            secrets=root.folder.secrets, scope_of_target=self.roots.scope_of_target,
        )  # fmt: skip
        before = len(found.missing)
        walk.run(start, scope)
        above = start
        while not os.path.lexists(above) and above != root.path:  # it went with what was mounted above it
            above = os.path.dirname(above)  # noqa: PTH120 - bytes
        empty = walk.empty if above == start or _holds_something(above) else {above}
        self._keep_unmounted(root, empty, found, before)

    def _keep_unmounted(self, root: Root, empty: Collection[bytes], found: ScanResult, begin: int) -> None:
        """Of what that walk misses, keep what was on another file system than the empty directory that stands there
        now, and than whatever else is left of the folder (numbers of file systems may change): nothing is mounted."""
        missing = found.missing[begin:]
        inside: dict[bytes, list[bytes]] = {}
        for path in missing if empty else ():
            directory = path
            while directory not in empty and len(directory) > len(root.path):
                directory = directory.rpartition(SEPARATOR)[0] or SEPARATOR
            if directory in empty:
                inside.setdefault(directory, []).append(path)
        if not inside:
            return
        whole, gone = self.known(), set(missing)
        for directory, paths in inside.items():
            devices = {whole[path].stat.device for path in paths if path in whole}
            status = look(directory)
            beside = (one for one in whole.values() if one.stat.device in devices and under(one.path, root.path))
            others = islice((one.path for one in beside if one.path not in gone), _LOOKED_AT)
            if status is None or not devices.isdisjoint((status.st_dev, 0)) or any(map(look, others)):
                continue
            found.absent.append(directory if directory == root.path else directory + SEPARATOR)
            gone.difference_update(paths)
        found.missing[begin:] = [path for path in missing if path in gone]

    def _conclude(self, found: Differences, *, settled: bool = False, forced: Sequence[bytes] = ()) -> Differences:
        """Tell moves from the rest, and what is old enough to be read from what may still be being written."""
        if not found.fresh and not found.missing:
            return found
        whole = self.known()
        found.moves = find_moves(
            found.fresh, whole, found.missing, lambda path: look(path) is None, self.stop.is_set, self.roots.open
        )
        moved_to = {new: old for old, new, _ in found.moves}
        moved_from = set(moved_to.values())
        found.removed = [path for path in found.missing if path not in moved_from]
        by_size = _indexed_by_size(whole) if any(path not in whole for path, _ in found.fresh) else {}
        now = time.time_ns()
        quiet = int(self.quiet_seconds * 1e9)
        for path, seen in found.fresh:
            old = moved_to.get(path)
            known = whole.get(path if old is None else old)
            if old is not None and known is not None and _suffix(old) == _suffix(path) and self.versions.settled(known):
                continue
            if not settled and 0 <= now - seen.mtime_ns < quiet and old is None:
                found.unsettled.append((path, seen, known is not None and known.state == "indexed"))
                continue
            if old is not None and known is not None and _suffix(old) != _suffix(path):
                known = None  # another suffix may mean another reader
            owner = self.roots.owner(path)
            if owner is not None:
                copies = by_size.get(seen.size, ()) if known is None else ()
                again = any(under(path, directory) for directory in forced)
                found.reads.append(Pending(self._job(path, owner, known, copies), owner.path, seen, known, again))
        return found

    def _job(
        self, path: bytes, owner: Root, known: KnownFile | None, copies: tuple[tuple[str, str, str, str], ...]
    ) -> Job:
        follow, secrets = self.roots.settings.follow_symlinks, owner.folder.secrets
        job = Job(path, copies=copies, folder=owner.path, follow_links=follow, secrets=secrets)
        if known is None or known.state != "indexed":
            return job
        before = {"sha256": known.sha256, "plugin": known.plugin, "plugin_version": known.plugin_version}
        return msgspec.structs.replace(job, copies=(), **before)


def _indexed_by_size(known: Known) -> dict[int, tuple[tuple[str, str, str, str], ...]]:
    """Size → digests of indexed files of that size: a copy of one need not be parsed."""
    found: dict[int, tuple[tuple[str, str, str, str], ...]] = {}
    for one in known.values():
        if one.state == "indexed" and one.sha256:
            digest = (one.sha256, one.plugin, one.plugin_version, _suffix(one.path))
            found[one.stat.size] = (*found.get(one.stat.size, ())[:7], digest)
    return found


def _suffix(path: bytes) -> str:
    return os.fsdecode(os.path.splitext(path)[1]).lower()  # noqa: PTH122 - bytes


def _holds_something(directory: bytes) -> bool:
    try:
        return bool(os.listdir(directory))  # noqa: PTH208 - bytes
    except OSError:
        return True


def look(path: bytes) -> os.stat_result | None:
    """How what lies at the path looks, a link itself; None where nothing is listed so. Where upper and lower case are
    one, a file is found under its former name too once it was renamed: only the listing tells."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    directory, name = os.path.split(path)
    other = name.swapcase()
    try:
        one = other != name and os.path.samestat(status, os.lstat(os.path.join(directory, other)))  # noqa: PTH118 - bytes
        return None if one and name not in os.listdir(directory) else status  # noqa: PTH208 - bytes
    except OSError:
        return status
