"""The format plugins that are installed. Which of them reads a file is decided in `ingest/reading`."""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sidecar.api import AttachedBounds, FormatPlugin
from sidecar.registry.loading import Loaded, LoadFailure, load_group

GROUP = "docsidecar.formats"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class FormatEntry:
    """One usable format plugin."""

    name: str
    version: str
    suffixes: tuple[str, ...]
    media_types: tuple[str, ...]
    plugin: FormatPlugin
    distribution: str
    builtin: bool

    @cached_property
    def holds_members(self) -> bool:
        """Whether its files hold documents of their own."""
        # Asked of every file: to compare a plugin with a protocol takes 50 times as long.
        bounds = getattr(self.plugin, "attached", None)
        return isinstance(bounds, AttachedBounds) and bounds.documents

    @cached_property
    def by_member(self) -> bool:
        """Whether its files are never read whole."""
        return self.holds_members and self.plugin.attached.by_member  # pyright: ignore[reportAttributeAccessIssue]


@dataclass(frozen=True)
class Formats:
    """All usable format plugins, and those that failed to load."""

    entries: tuple[FormatEntry, ...]
    failures: tuple[LoadFailure, ...] = ()

    @cached_property
    def suffixes(self) -> frozenset[str]:
        """All suffixes some plugin reads."""
        return frozenset(suffix for entry in self.entries for suffix in entry.suffixes)

    @cached_property
    def by_member(self) -> frozenset[str]:
        """The suffixes of files that are never read whole."""
        return frozenset(suffix for entry in self.entries if entry.by_member for suffix in entry.suffixes)

    @cached_property
    def media_types(self) -> frozenset[str]:
        """All MIME types some plugin reads."""
        return frozenset(kind for entry in self.entries for kind in entry.media_types)

    def get(self, name: str) -> FormatEntry | None:
        """The plugin of that name."""
        return next((entry for entry in self.entries if entry.name == name), None)


def load_formats(
    disabled: frozenset[str] = frozenset(), settings: Mapping[str, Mapping[str, object]] | None = None
) -> Formats:
    """Every installed format plugin that keeps the contract; the others are in `failures`, each with its reason."""
    entries: list[FormatEntry] = []
    failures: list[LoadFailure] = []
    for loaded in load_group(GROUP, disabled, settings or {}, failures):
        problem = _problem(loaded.plugin, [entry.name for entry in entries])
        if problem:
            logger.warning("format plugin %s of %s is left out: %s", loaded.name, loaded.distribution, problem)
            failures.append(LoadFailure(GROUP, loaded.name, loaded.distribution, problem))
        else:
            entries.append(_entry(loaded))
    return Formats(tuple(entries), tuple(failures))


def _entry(loaded: Loaded) -> FormatEntry:
    plugin: FormatPlugin = loaded.plugin
    suffixes, media_types = tuple(plugin.suffixes), tuple(plugin.media_types)
    return FormatEntry(plugin.name, plugin.version, suffixes, media_types, plugin, loaded.distribution, loaded.builtin)


def _problem(plugin: object, taken: Sequence[str]) -> str:
    """Why a plugin breaks the contract, "" when it keeps it."""
    if not isinstance(plugin, FormatPlugin):
        missing = [
            name
            for name in ("name", "version", "media_types", "suffixes", "score", "parse")
            if not hasattr(plugin, name)
        ]
        return f"it is not a FormatPlugin: it lacks {', '.join(missing)}."
    if not re.fullmatch(r"[a-z][a-z0-9_]*", plugin.name):
        return f"its name {plugin.name!r} is not a lower-case word."
    if plugin.name in taken:
        return f"the name {plugin.name!r} is taken by another format plugin."
    if not plugin.version:
        return "its version is empty."
    bad = [suffix for suffix in plugin.suffixes if not re.fullmatch(r"\.[^\s./\\A-Z]+", suffix)]
    if bad:
        return f"its suffixes {', '.join(map(repr, bad))} are not lower case with a leading dot."
    return ""
