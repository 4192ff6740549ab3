"""Walks folders and compares what lies there with what the index knows. Runs in a thread; opens no document.

A file of the same size, time and identity, read by a plugin of the same version, is passed over. The loop over
entries is the hot one: 10,000 unchanged files must not take three times as long as the bare walk."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from sidecar.api import DocumentState
from sidecar.ingest.secrets import BY_NAME, DIRECTORY, FOLDERS, PROFILE_MARKERS, is_secret_name
from sidecar.ingest.watching.folders import SEPARATOR
from sidecar.ingest.watching.ignore import (
    CLOUD_BYTES,
    CLOUD_SUFFIXES,
    HAS_ATTRIBUTES,
    MARKERS,
    SPECIAL,
    DirectoryRules,
    is_hidden,
    is_placeholder,
    is_plain,
)
from sidecar.ingest.watching.versions import Versions
from sidecar.store.documents.paths import under
from sidecar.store.documents.records import FileStat, KnownFile, SettledRow
from sidecar.workers.opening import DirectoryListing, open_folder

_NOWHERE: Final = FileStat(0, 0)
_NO_ROW: Final[SettledRow] = (b"", -1, -1, 0)
_NAMES: Final = (sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())
"""How names are encoded; `os.fsencode` asks anew for each directory."""
_ONLINE_ONLY: Final = (
    "The file only links to a document that is kept online; download it as Word, Excel, PowerPoint or PDF to have it "
    "indexed."
)
_IN_THE_CLOUD: Final = "The file is in the cloud only; open it once to have it downloaded, and it will be indexed."


@dataclass(frozen=True)
class Problem:
    """A path that cannot be indexed, for a reason the walk knows without opening it.

    `stat` is None for a directory, which is not a document; `changed` is False when the index says the same already."""

    path: bytes
    state: DocumentState
    reason: str
    stat: FileStat | None = None
    changed: bool = True


@dataclass
class ScanResult:
    """What walks found. `fresh` is to be read, `missing` is known but not there, `seen` counts files passed."""

    fresh: list[tuple[bytes, FileStat]] = field(default_factory=list[tuple[bytes, FileStat]])
    problems: list[Problem] = field(default_factory=list[Problem])
    missing: list[bytes] = field(default_factory=list[bytes])
    accepted: list[tuple[bytes, dict[bytes, DirectoryRules]]] = field(
        default_factory=list[tuple[bytes, dict[bytes, DirectoryRules]]]
    )
    """Where each walk began, and the directories it met with the rules inside them."""
    unwatched: set[bytes] = field(default_factory=set[bytes])
    rejected: list[bytes] = field(default_factory=list[bytes])
    """Directories that turned out, once listed, to be caches or virtual environments."""
    absent: list[bytes] = field(default_factory=list[bytes])
    """Folders that are not there, and directories where nothing is mounted now, those with a separator behind: what was
    indexed in them is kept, since a disk may only be unplugged."""
    seen: int = 0
    bytes: int = 0


class Stopped(Exception):
    """The walk was called off."""


@dataclass
class DirectoryWalk:
    """One walk, whose findings are added to `found`. `known` are files the index has; those in the place walked are
    taken out of it.

    `watch` is told of each directory before it is listed, so that nothing created meanwhile is missed; it gives
    whether the directory is watched now. `others` are folders of their own inside this one."""

    root: bytes
    versions: Versions
    known: dict[bytes, SettledRow | KnownFile]
    found: ScanResult
    others: frozenset[bytes] = frozenset()
    follow_symlinks: bool = False
    watch: Callable[[bytes], bool] = lambda _: True
    stopped: Callable[[], bool] = lambda: False
    secrets: bool = False
    """Whether private keys and the like are to be read."""
    scope_of_target: Callable[[bytes], DirectoryRules | None] = lambda _: None
    """The rules in the directory a link leads to, None where it is ignored: they hold beside those of the link."""
    _top: int | None = None
    _stack: list[tuple[bytes, DirectoryRules]] = field(default_factory=list[tuple[bytes, DirectoryRules]])
    _directories: dict[bytes, DirectoryRules] = field(default_factory=dict[bytes, DirectoryRules])
    _fresh: list[tuple[bytes, FileStat]] = field(default_factory=list[tuple[bytes, FileStat]])
    _visited: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    _refused: list[bytes] = field(default_factory=list[bytes])
    empty: set[bytes] = field(default_factory=set[bytes])
    """Directories with nothing in them."""

    @property
    def fresh(self) -> Sequence[tuple[bytes, FileStat]]:
        """The files to be read that were met so far, where the walk was called off."""
        return self._fresh

    def run(self, start: bytes, scope: DirectoryRules | None) -> None:
        """Walk from this directory, given the rules it has from above; None when it is ignored: all that is known
        there is missing. Raises Stopped."""
        if scope is not None:
            self._stack.append((start, scope))
        with open_folder(self.root) as self._top:
            while self._stack:
                if self.stopped():
                    raise Stopped
                self._list(*self._stack.pop())
        self._fresh.sort(key=lambda item: item[1].size)
        self.found.fresh += self._fresh
        self.found.missing += self._missing(start)
        self.found.accepted.append((start, self._directories))

    def _list(self, directory: bytes, scope: DirectoryRules) -> None:
        try:
            if directory != self.root and self._is_closed(directory, scope):
                return
            watched = self.watch(directory)
            with DirectoryListing(self.root, directory, self._top, follow_links=self.follow_symlinks) as entries:
                names = "\0".join([entry.name for entry in entries]).encode(*_NAMES).split(b"\0") if entries else []
                inner = self._accept(directory, scope, SPECIAL.intersection(names))
                if inner is not None:
                    if not entries:
                        self.empty.add(directory)
                    if not watched:
                        self.found.unwatched.add(directory)
                    self._visit(zip(names, entries, strict=True), directory, inner)
        except FileNotFoundError:
            return
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EXDEV):  # a link took its place
                return
            self._refused.append(directory)
            reason = f"The folder cannot be read: {(error.strerror or str(error)).lower()}."
            self.found.problems.append(Problem(directory, "unreadable", reason))

    def _is_closed(self, directory: bytes, scope: DirectoryRules) -> bool:
        """Whether the directory holds secrets by its name, which is said, or is hidden by its attribute."""
        if not self.secrets and directory.rpartition(SEPARATOR)[2].lower() in FOLDERS:
            self.found.problems.append(Problem(directory, "secret", DIRECTORY))
            return True
        return HAS_ATTRIBUTES and not scope.hidden and is_hidden(os.lstat(directory))

    def _accept(self, directory: bytes, scope: DirectoryRules, special: frozenset[bytes]) -> DirectoryRules | None:
        """The rules inside the directory, which holds these special names; None when it is not to be looked into."""
        if special:
            profile = not self.secrets and not special.isdisjoint(PROFILE_MARKERS)
            if directory != self.root and (profile or not special.isdisjoint(MARKERS)):
                self.found.rejected.append(directory)
                if profile:
                    self.found.problems.append(Problem(directory, "secret", DIRECTORY))
                return None
            scope = scope.ruled_by(directory)
        self._directories[directory] = scope
        return scope

    def _visit(
        self, entries: Iterable[tuple[bytes, os.DirEntry[str]]], directory: bytes, scope: DirectoryRules
    ) -> None:
        prefix = directory if directory.endswith(SEPARATOR) else directory + SEPARATOR
        skips, kept_out, looks_same = scope.skips_file, self._is_excluded, self._is_unchanged
        rules_out = scope.rules_out if scope.has_patterns else None
        known, fresh = self.known, self._fresh
        files = 0
        size = 0
        for name, entry in entries:
            try:
                if entry.is_file(follow_symlinks=False):
                    plain = is_plain(name)
                    if (rules_out is not None and rules_out(name)) if plain else skips(name):
                        continue
                    path = prefix + name
                    status = entry.stat(follow_symlinks=False)
                    if (HAS_ATTRIBUTES or not plain) and kept_out(path, name, status, scope):
                        continue
                    files += 1
                    size += status.st_size
                    one = known.pop(path, None)
                    # Nearly all are such rows: what is the same is told here, without a call.
                    row = one if type(one) is tuple else _NO_ROW
                    same = row[2] == status.st_mtime_ns and row[1] == status.st_size and row[3] == status.st_ino
                    if not same and not looks_same(one, status):
                        fresh.append((path, FileStat.of(status)))
                elif entry.is_dir(follow_symlinks=False):
                    path = prefix + name
                    if path not in self.others and not scope.skips_directory(name):
                        self._stack.append((path, scope.inside(name)))
                elif entry.is_symlink():
                    self._visit_link(prefix + name, name, scope)
            except FileNotFoundError:  # it went between the listing and the look
                continue
            except OSError as error:
                self._refuse(prefix + name, f"The file cannot be looked at: {(error.strerror or str(error)).lower()}.")
        self.found.seen += files
        self.found.bytes += size

    def _is_unchanged(self, one: SettledRow | KnownFile | None, status: os.stat_result) -> bool:
        """Whether the file need not be read again."""
        if isinstance(one, tuple):
            _, size, mtime_ns, inode = one
        elif isinstance(one, KnownFile):
            if not self.versions.settled(one) or (one.state == "secret" and self.secrets):
                return False
            size, mtime_ns, inode = one.stat.size, one.stat.mtime_ns, one.stat.inode
        else:
            return False
        # Windows gives no identity when it lists.
        same_file = inode == status.st_ino or not inode or not status.st_ino
        return mtime_ns == status.st_mtime_ns and size == status.st_size and same_file

    def _is_excluded(self, path: bytes, name: bytes, status: os.stat_result, scope: DirectoryRules) -> bool:
        """Whether the file is not to be opened, which is said unless it is hidden."""
        if not self.secrets and is_secret_name(name):
            self._refuse(path, BY_NAME, "secret", FileStat.of(status))
            return True
        if name.lower().endswith(CLOUD_SUFFIXES) and status.st_size <= CLOUD_BYTES:
            self._refuse(path, _ONLINE_ONLY, "placeholder", FileStat.of(status))
            return True
        if not HAS_ATTRIBUTES or (not scope.hidden and is_hidden(status)):
            return HAS_ATTRIBUTES
        if is_placeholder(status):
            self._refuse(path, _IN_THE_CLOUD, "placeholder", FileStat.of(status))
            return True
        return False

    def _visit_link(self, path: bytes, name: bytes, scope: DirectoryRules) -> None:
        """A symbolic link. Its target is indexed where it lies; only `follow_symlinks` gives it a second place."""
        target = os.path.realpath(path)
        try:
            status = os.stat(path)  # noqa: PTH116 - hot loop over bytes paths
        except OSError as error:
            if not scope.skips_file(name):
                why = "it leads in a circle" if error.errno == errno.ELOOP else "what it leads to is not there"
                self._refuse(path, f"The symbolic link cannot be followed: {why}.")
            return
        directory = stat.S_ISDIR(status.st_mode)
        if scope.skips_directory(name) if directory else scope.skips_file(name):
            return
        if not under(target, os.path.realpath(self.root)):
            self._refuse(path, "The symbolic link leaves the watched folder and is not followed.")
        elif self.follow_symlinks and directory:
            self._follow_directory(path, target, scope.inside(name), (status.st_dev, status.st_ino))
        elif self.follow_symlinks and stat.S_ISREG(status.st_mode):
            self._follow_file(path, target, status, scope)

    def _follow_directory(self, path: bytes, target: bytes, scope: DirectoryRules, identity: tuple[int, int]) -> None:
        above = path
        while above != self.root and above:  # a link to a directory it lies in would never end
            above = above.rpartition(SEPARATOR)[0]
            if os.path.realpath(above) == target:
                return
        if not self.secrets and not FOLDERS.isdisjoint(target.lower().split(SEPARATOR)):
            self.found.problems.append(Problem(path, "secret", DIRECTORY))
            return
        there = self.scope_of_target(target)
        if identity not in self._visited and target not in self.others and there is not None:
            self._visited.add(identity)
            self._stack.append((path, replace(scope, chain=(*scope.chain, *there.chain))))

    def _follow_file(self, path: bytes, target: bytes, status: os.stat_result, scope: DirectoryRules) -> None:
        above, _, last = target.rpartition(SEPARATOR)
        there = self.scope_of_target(above)
        if there is None or there.skips_file(last):
            return
        if any(self._is_excluded(path, name, status, scope) for name in (path.rpartition(SEPARATOR)[2], last)):
            return
        self.found.seen += 1
        if not self._is_unchanged(self.known.pop(path, None), status):
            self._fresh.append((path, FileStat.of(status)))

    def _refuse(self, path: bytes, reason: str, state: DocumentState = "unreadable", seen: FileStat = _NOWHERE) -> None:
        one = self.known.pop(path, None)
        changed = not isinstance(one, KnownFile) or one.state != state or one.stat != seen
        self.found.problems.append(Problem(path, state, reason, seen, changed))

    def _missing(self, start: bytes) -> list[bytes]:
        """What is left of `known` there is gone, unless it lies where we could not look: that is kept."""
        left = pop_below(self.known, start, self.others)
        refused = tuple(directory.rstrip(SEPARATOR) + SEPARATOR for directory in self._refused)
        return [path for path in left if not (refused and path.startswith(refused))]


def pop_below(known: dict[bytes, SettledRow | KnownFile], directory: bytes, others: Iterable[bytes]) -> list[bytes]:
    """Take what lies in the directory, and in none of the `others`, out of `known`."""
    elsewhere = tuple(other.rstrip(SEPARATOR) + SEPARATOR for other in others)
    prefix = directory.rstrip(SEPARATOR) + SEPARATOR
    inside = [path for path in known if path.startswith(prefix) and not (elsewhere and path.startswith(elsewhere))]
    for path in inside:
        del known[path]
    return inside
