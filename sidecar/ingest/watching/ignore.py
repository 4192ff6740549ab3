"""What is not indexed, decided from names alone: before a directory is watched and before a file is opened.

Sources, in the order a later one wins: built-in names (system folders, hidden files, temporary files), the folder's
`include` and `exclude`, then `.gitignore` and `.docsidecarignore` of each directory from the folder down to the file
(gitignore(5): the deepest directory wins, within one file the last pattern that matches; nothing under an ignored
directory can be taken back). Also tells cloud placeholders, by attributes, so that no scan downloads a file."""

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sidecar.ingest.secrets import PROFILE_MARKERS, SUSPECT_BEGINNINGS, SUSPECT_SUFFIXES
from sidecar.ingest.watching.gitignore import GitignorePatterns
from sidecar.toolkit.platform import system

IGNORE_FILES: Final = (b".gitignore", b".docsidecarignore")
MARKERS: Final = (b"pyvenv.cfg", b"CACHEDIR.TAG")
"""A directory holding one of these is a virtual environment or a cache (bford.info/cachedir): nothing to read in it."""

SPECIAL: Final = frozenset((*IGNORE_FILES, *MARKERS, *PROFILE_MARKERS))
"""Names that say something about the directory they stand in."""

_SYSTEM_FOLDERS: Final = frozenset(
    name.encode()
    for name in (
        ".git", ".hg", ".svn", ".bzr", "cvs", "node_modules", "bower_components", "__pycache__", ".venv", ".tox",
        ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".cache", ".idea", ".vs", "site-packages", "__macosx",
        "$recycle.bin", "system volume information", "recycler", "found.000", "lost+found", ".trash", ".trashes",
        ".spotlight-v100", ".fseventsd", ".documentrevisions-v100", ".temporaryitems", ".dropbox.cache",
    )
)  # fmt: skip
_SYSTEM_FILES: Final = frozenset((b"thumbs.db", b"desktop.ini", b".ds_store", b"ehthumbs.db"))
_TEMPORARY: Final = frozenset(
    (
        b"tmp", b"temp", b"part", b"partial", b"crdownload", b"download", b"opdownload", b"filepart", b"swp", b"swo",
        b"swx",
    )
)  # fmt: skip
"""Suffixes of files that programs write beside the real one while saving, downloading or locking."""
_MAX_RULES_BYTES: Final = 1 << 18
"""More than `_MAX_RULES` of `_MAX_RULE_CHARS` of `gitignore.py` need."""

# Attributes of files whose content is elsewhere until they are opened.
_WINDOWS_OFFLINE: Final = 0x1000 | 0x40000 | 0x400000  # OFFLINE, RECALL_ON_OPEN, RECALL_ON_DATA_ACCESS (winnt.h)
_WINDOWS_HIDDEN: Final = 0x2 | 0x4  # HIDDEN, SYSTEM
_MACOS_DATALESS: Final = 0x40000000  # SF_DATALESS (sys/stat.h)
_MACOS_HIDDEN: Final = 0x8000  # UF_HIDDEN
HAS_ATTRIBUTES: Final = system.has_attributes
"""Whether `is_placeholder` and `is_hidden` can ever say yes here; elsewhere they need not be asked."""


CLOUD_SUFFIXES: Final = (
    b".gdoc", b".gsheet", b".gslides", b".gdraw", b".gform", b".gtable", b".gmap", b".gsite", b".gjam", b".gscript",
    b".glink",
)  # fmt: skip
"""What Google's programs put into a folder in place of a document: a link to it, which holds none of its words."""
CLOUD_BYTES: Final = 4096
"""No such link is longer; a longer file is something else by that name."""


_SPECIAL_SUFFIXES: Final = frozenset(
    (
        *SUSPECT_SUFFIXES, *_TEMPORARY, *(name[1:] for name in CLOUD_SUFFIXES),
        *(name.rpartition(b".")[2] for name in _SYSTEM_FILES),
    )
)  # fmt: skip
_SPECIAL_BEGINNINGS: Final = (b".", b"~", *SUSPECT_BEGINNINGS)
_SPECIAL_FIRST: Final = frozenset(beginning[0] for beginning in _SPECIAL_BEGINNINGS)


def is_plain(name: bytes) -> bool:
    """Whether no rule that is built in says anything of a file of that name, nor of a secret's or a link's to a
    cloud: most names are told by this alone."""
    lower = name.lower()
    return (
        lower.rpartition(b".")[2] not in _SPECIAL_SUFFIXES
        and (lower[0] not in _SPECIAL_FIRST or not lower.startswith(_SPECIAL_BEGINNINGS))
        and lower[-1] != 126  # ~
    )


def is_placeholder(status: os.stat_result) -> bool:
    """Whether opening the file would fetch it from a cloud."""
    return bool(
        getattr(status, "st_file_attributes", 0) & _WINDOWS_OFFLINE or getattr(status, "st_flags", 0) & _MACOS_DATALESS
    )


def is_hidden(status: os.stat_result) -> bool:
    """Whether the system's own attribute hides it, whatever its name."""
    return bool(
        getattr(status, "st_file_attributes", 0) & _WINDOWS_HIDDEN or getattr(status, "st_flags", 0) & _MACOS_HIDDEN
    )


@dataclass(frozen=True)
class DirectoryRules:
    """The rules that hold inside one directory: made by `of_folder` and `inside` from names alone, made whole by
    `ruled_by` where the directory has ignore files."""

    hidden: bool
    gitignore: bool
    recursive: bool
    include: tuple[GitignorePatterns, str] | None
    chain: tuple[tuple[GitignorePatterns, str], ...]
    """Pattern sets, the deepest directory's first, each with the path from its directory to this one."""

    @classmethod
    def of_folder(
        cls, include: Sequence[str], exclude: Sequence[str], *, hidden: bool, gitignore: bool, recursive: bool = True
    ) -> "DirectoryRules":
        """The configured rules, as they hold at the top of a watched folder."""
        wanted = GitignorePatterns(include)
        unwanted = GitignorePatterns(exclude)
        return cls(
            hidden, gitignore, recursive, (wanted, "") if wanted else None, ((unwanted, ""),) if unwanted else ()
        )

    @property
    def cheap(self) -> bool:
        """Whether deciding about a name takes no time worth speaking of."""
        return all(patterns.cheap for patterns, _ in self.chain) and (self.include is None or self.include[0].cheap)

    def inside(self, name: bytes) -> "DirectoryRules":
        """These rules as they hold in the subdirectory `name`."""
        if not self.chain and self.include is None:
            return self
        step = os.fsdecode(name) + "/"
        include = (self.include[0], self.include[1] + step) if self.include else None
        chain = tuple([(patterns, prefix + step) for patterns, prefix in self.chain])
        return DirectoryRules(self.hidden, self.gitignore, self.recursive, include, chain)

    def skips_directory(self, name: bytes) -> bool:
        """Whether the subdirectory `name` is neither watched nor read."""
        if not self.recursive or name.lower() in _SYSTEM_FOLDERS or (name[0] == 46 and not self.hidden):
            return True
        return bool(self.chain) and self._decides(os.fsdecode(name) + "/")

    def skips_file(self, name: bytes) -> bool:
        """Whether the file `name` is never opened."""
        first = name[0]
        if first == 46:  # .
            if not self.hidden or name.startswith((b".~lock.", b".#", b"._")) or name in IGNORE_FILES:
                return True
        elif first == 126 and name.startswith((b"~$", b"~WR", b"~lock")):
            return True
        _, dot, suffix = name.rpartition(b".")
        if (dot and suffix.lower() in _TEMPORARY) or name[-1] == 126 or name.lower() in _SYSTEM_FILES:
            return True
        return self.rules_out(name)

    @property
    def has_patterns(self) -> bool:
        """Whether there is any pattern that may."""
        return self.include is not None or bool(self.chain)

    def rules_out(self, name: bytes) -> bool:
        """Whether a pattern says that the file `name` is never opened."""
        if not self.has_patterns:
            return False
        text = os.fsdecode(name)
        return (self.include is not None and not self.include[0].decide(self.include[1] + text)) or self._decides(text)

    def _decides(self, text: str) -> bool:
        for patterns, prefix in self.chain:
            decision = patterns.decide(prefix + text)
            if decision is not None:
                return decision
        return False

    def ruled_by(self, directory: bytes) -> "DirectoryRules":
        """With the patterns of this directory's ignore files in front, where it has any. Reads them."""
        lines: list[str] = []
        for name in IGNORE_FILES if self.gitignore else IGNORE_FILES[1:]:
            try:
                descriptor = os.open(directory + os.sep.encode() + name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
            except OSError:  # most directories have none; one that cannot be read rules nothing
                continue
            try:
                if stat.S_ISREG(os.fstat(descriptor).st_mode):
                    lines += os.read(descriptor, _MAX_RULES_BYTES).decode("utf-8-sig", "surrogateescape").splitlines()
            finally:
                os.close(descriptor)
        patterns = GitignorePatterns(lines, os.fsdecode(directory)) if lines else None
        if not patterns:
            return self
        return DirectoryRules(self.hidden, self.gitignore, self.recursive, self.include, ((patterns, ""), *self.chain))
