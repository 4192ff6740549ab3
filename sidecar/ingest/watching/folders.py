"""The watched folders and their accepted directories: which folder a path lies in, and whether it may be indexed.

Knows names and rules; the disk is looked at for ignore files and, in `permitted_path`, for the one path asked about."""

import errno
import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sidecar.api import UsageError
from sidecar.config import Config, Folder, IndexSettings
from sidecar.ingest.secrets import BY_NAME, DIRECTORY, FOLDERS, PROFILE_MARKERS, is_secret_name
from sidecar.ingest.watching.ignore import HAS_ATTRIBUTES, IGNORE_FILES, DirectoryRules, is_hidden
from sidecar.store.documents.paths import shown, under
from sidecar.toolkit.platform import system
from sidecar.workers.opening import open_below

SEPARATOR: Final = os.sep.encode()

_PATH_BYTES: Final = 32_767
"""The longest path of any system; to follow one costs the square of its directories."""


@dataclass(frozen=True)
class Root:
    """A watched folder; `path` is absolute and encoded, without a trailing separator."""

    path: bytes
    folder: Folder

    def scope(self, settings: IndexSettings) -> DirectoryRules:
        """The configured rules at its top."""
        return DirectoryRules.of_folder(
            self.folder.include, self.folder.exclude, hidden=settings.hidden, gitignore=settings.gitignore,
            recursive=self.folder.recursive,
        )  # fmt: skip


def roots_of(folders: Sequence[Folder]) -> tuple[Root, ...]:
    """One root a directory: the same one named twice, or through a link, counts once."""
    found: dict[bytes, Root] = {}
    for folder in folders:
        path = os.fsencode(os.path.abspath(folder.path))  # noqa: PTH100 - keeps bytes that are not text, and resolves no links
        found.setdefault(system.real_path(path), Root(path, folder))
    return tuple(found.values())


def topmost(paths: Iterable[bytes]) -> list[bytes]:
    """Those of the directories that lie in none of the others."""
    kept: list[bytes] = []
    for path in sorted(paths, key=lambda path: path.rstrip(SEPARATOR) + SEPARATOR):
        if not kept or not under(path, kept[-1]):
            kept.append(path)
    return kept


class Folders:
    """The folders, and the rules of every directory the last scans accepted."""

    def __init__(self, roots: Sequence[Root], settings: IndexSettings, own: bytes = b"") -> None:
        """`own` is the data directory: a folder around it would otherwise index the index."""
        self.roots = tuple(root for root in roots if root.path != own)
        self._own = own
        self.settings = settings
        self.scopes: dict[bytes, DirectoryRules] = {}
        self._paths = frozenset(root.path for root in self.roots)

    def owner(self, path: bytes) -> Root | None:
        """The innermost folder the path lies in."""
        owning = [root for root in self.roots if under(path, root.path)]
        return max(owning, key=lambda root: len(root.path), default=None)

    def others(self, root: Root) -> frozenset[bytes]:
        """Folders of their own inside that folder, and the data directory."""
        inside = {path for path in self._paths if path != root.path and under(path, root.path)}
        return frozenset({*inside, self._own} if self._own else inside)

    def accept(self, start: bytes, directories: dict[bytes, DirectoryRules]) -> list[bytes]:
        """A scan from `start` found these directories, and no others below it; gives those no longer accepted."""
        dropped: list[bytes] = []
        stale = [path for path in self.scopes if under(path, start) and path not in directories]
        for path in stale:
            owner = self.owner(path)
            if owner is not None and under(start, owner.path):  # folders of their own are scanned on their own
                del self.scopes[path]
                dropped.append(path)
        self.scopes.update(directories)
        return dropped

    def scope_of(self, directory: bytes, *, ruled: bool = True) -> DirectoryRules | None:
        """The rules in that directory, found from those above it; None when it is ignored or not ours.

        Reads the ignore files of directories no scan has accepted, and its own anew unless `ruled` is False."""
        if directory in self._paths:
            scope = next(root for root in self.roots if root.path == directory).scope(self.settings)
        else:
            if directory == self._own or self.owner(directory) is None:
                return None
            above, name = os.path.split(directory)  # of a disk's top, it keeps the separator
            outer = self.scopes.get(above) or self.scope_of(above)
            if outer is None or outer.skips_directory(name) or (HAS_ATTRIBUTES and _is_hidden(directory, outer)):
                return None
            scope = outer.inside(name)
        return scope.ruled_by(directory) if ruled else scope

    def start_of_scan(self, path: bytes) -> bytes | None:
        """Something happened in a directory: from where to scan again, None when it is ignored or not ours.

        That is the directory itself where the one above it is accepted, else the topmost one not yet accepted. Called
        on the event loop: rules that take long to ask are left to the scan."""
        if path in self._paths:
            return path
        while path != self._own:
            above, name = os.path.split(path)
            if above in self.scopes or above in self._paths:
                scope = self.scopes.get(above)
                ignored = scope is not None and path not in self.scopes and scope.cheap and scope.skips_directory(name)
                return None if ignored else path
            if above == path or self.owner(above) is None:
                return None
            path = above
        return None

    def wanted(self, path: bytes, *, cheaply: bool = False) -> bool | None:
        """Whether that file belongs into the index; None when its directory has not been accepted by a scan.

        `cheaply` is for the event loop: True where telling would take long."""
        above, name = os.path.split(path)
        scope = self.scopes.get(above)
        if scope is None:
            return None
        return (cheaply and not scope.cheap) or not scope.skips_file(name)

    def permits(self, path: bytes) -> bool:
        """Whether that file may still be in the index: folders and rules may have changed while it was read."""
        return self.owner(path) is not None and self.wanted(path, cheaply=True) is not False

    def is_secret(self, path: bytes) -> bool:
        """Whether the path, by the names in it, holds secrets that are not to be read."""
        owner = self.owner(path)
        if owner is None or owner.folder.secrets:
            return False
        *directories, name = path[len(owner.path) :].split(SEPARATOR)
        return is_secret_name(name) or any(directory.lower() in FOLDERS for directory in directories)

    def scope_of_target(self, path: bytes) -> DirectoryRules | None:
        """The rules in the directory that a link at `path` leads to; None when it is ignored or in no folder."""
        return next((scope for place in self._spelled(path) if (scope := self.scope_of(place)) is not None), None)

    def open(self, path: bytes) -> int:
        """A descriptor of the file at that path in one of the folders. Raises OSError, see `open_below`."""
        owner = self.owner(path)
        if owner is None:
            raise OSError(errno.EXDEV, "it lies in no watched folder", os.fsdecode(path))
        return open_below(owner.path, path, follow_links=self.settings.follow_symlinks)

    def candidates(self, path: bytes) -> list[bytes]:
        """How a scan may spell the path of a file that somebody names: as it is named, and where it really lies. Where
        upper and lower case are one, only the latter: a file would be in the index twice."""
        spelled = self._spelled(path)
        other_case = any(one != path and os.fsdecode(one).lower() == os.fsdecode(path).lower() for one in spelled)
        plain = [path] if not other_case and {b".", b".."}.isdisjoint(path.split(SEPARATOR)) else []
        return list(dict.fromkeys([*plain, *spelled]))

    def _spelled(self, path: bytes) -> list[bytes]:
        """Where the path really lies, below each folder as that is configured, which may be through a link."""
        real = system.real_path(path)
        tops = [(root.path, system.real_path(root.path)) for root in self.roots]
        return [top + real[len(place.rstrip(SEPARATOR)) :] for top, place in tops if under(real, place)]


def _is_hidden(directory: bytes, scope: DirectoryRules) -> bool:
    try:
        return not scope.hidden and is_hidden(os.lstat(directory))
    except OSError:
        return False


def is_ignore_file(path: bytes) -> bool:
    """Whether the path is an ignore file, whose change changes what is wanted."""
    return path.rpartition(SEPARATOR)[2] in IGNORE_FILES


def folders_of(config: Config, data_dir: Path) -> Folders:
    """The folders of a configuration before any scan."""
    return Folders(roots_of(config.folders), config.index, os.fsencode(data_dir.absolute()))


def permitted_path(folders: Folders, path: bytes) -> bytes:
    """The absolute path of a file somebody names, as a scan would meet it. Raises UsageError when no scan would."""
    name = shown(path)
    if b"\0" in path:
        raise UsageError("A path cannot hold a NUL character.")
    if len(path) > _PATH_BYTES:
        raise UsageError(f"{name[:80]}… has {len(path):,} bytes; no system opens a path of so many.")
    for candidate in folders.candidates(path):
        owner = folders.owner(candidate)
        if owner is None:
            continue
        for place in folders.candidates(candidate):  # the rules hold where a link leads as well
            _check_rules(folders, owner, place, name)
        try:
            descriptor = folders.open(candidate)
        except PermissionError:
            return candidate  # the reading of it says so
        except FileNotFoundError:
            raise UsageError(f"{name} does not exist.") from None
        except OSError:  # a link leads out of the folder, or is not to be followed
            continue
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise UsageError(f"{name} is not a file.")
        finally:
            os.close(descriptor)
        return candidate
    raise _outside(folders, path)


def _check_rules(folders: Folders, owner: Root, place: bytes, name: str) -> None:
    directory, last = os.path.split(place)
    scope = folders.scope_of(directory)
    if scope is None or scope.skips_file(last):
        raise UsageError(f"{name} is ignored by the rules of the folder {shown(owner.path)}.")
    if folders.is_secret(place):
        raise UsageError(f"{name}: {BY_NAME}")
    if not owner.folder.secrets and any(os.path.lexists(directory + SEPARATOR + m) for m in PROFILE_MARKERS):
        raise UsageError(f"{name}: {DIRECTORY}")


def _outside(folders: Folders, path: bytes) -> UsageError:
    for candidate in folders.candidates(path):
        if folders.owner(candidate) is not None and (holder := _file_above(candidate)):
            return UsageError(f"{shown(path)} lies inside {shown(holder)}; name that file.")
    named = ", ".join(shown(root.path) for root in folders.roots) or "none yet"
    return UsageError(f"{shown(path)} lies in no watched folder ({named}); add its folder first.")


def _file_above(path: bytes) -> bytes:
    """The file, an archive, that a path goes into as if it were a folder; "" where there is none."""
    above = path.rpartition(SEPARATOR)[0]
    while above and not os.path.lexists(above):
        above = above.rpartition(SEPARATOR)[0]
    return above if above and stat.S_ISREG(os.lstat(above).st_mode) else b""
