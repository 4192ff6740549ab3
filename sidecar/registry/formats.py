"""The format plugins that are installed, and which of them reads a given file."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import Any

from sidecar.api import FormatPlugin, Source
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


@dataclass(frozen=True)
class Formats:
    """All usable format plugins, and those that failed to load."""

    entries: tuple[FormatEntry, ...]
    failures: tuple[LoadFailure, ...] = ()

    @cached_property
    def suffixes(self) -> frozenset[str]:
        return frozenset(suffix for entry in self.entries for suffix in entry.suffixes)

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """Plugin name → version, for telling what must be read again."""
        return {entry.name: entry.version for entry in self.entries}

    @cached_property
    def media_types(self) -> frozenset[str]:
        return frozenset(kind for entry in self.entries for kind in entry.media_types)

    def claims(self, name: str, media_type: str) -> bool:
        """Whether some plugin names the file's suffix or, where the suffix is nobody's, its media type."""
        suffix = PurePath(name).suffix.lower()
        return suffix in self.suffixes or media_type.partition(";")[0].strip().lower() in self.media_types

    def fingerprint(self) -> str:
        """Changes with any plugin's version: what was read by others is another text."""
        told = ",".join(sorted(f"{name} {version}" for name, version in self.versions.items()))
        return hashlib.sha256(told.encode()).hexdigest()[:12]

    def get(self, name: str) -> FormatEntry | None:
        """The plugin of that name."""
        return next((entry for entry in self.entries if entry.name == name), None)

    def best(self, source: Source) -> FormatEntry | None:
        """The plugin that scores the file highest; an external plugin wins a tie. None when all decline.

        A plugin whose `score` raises is logged and counts as declining: one fault must not hide a file from the rest.
        """
        ranked: list[tuple[int, bool, FormatEntry]] = []
        for entry in self.entries:
            try:
                score = entry.plugin.score(source)
            except OSError:
                raise
            except Exception:  # a third party's score may raise anything; the others still get their say
                logger.exception("format plugin %s failed to score %s", entry.name, source.name)
                continue
            if score > 0:
                ranked.append((score, not entry.builtin, entry))
        return max(ranked, key=lambda item: item[:2])[2] if ranked else None


@dataclass
class _Checked:
    entries: list[FormatEntry] = field(default_factory=list["FormatEntry"])
    failures: list[LoadFailure] = field(default_factory=list["LoadFailure"])


def load_formats(
    disabled: frozenset[str] = frozenset(), settings: Mapping[str, Mapping[str, Any]] | None = None
) -> Formats:
    """Every installed format plugin that keeps the contract; the others are in `failures`, each with its reason."""
    checked = _Checked()
    for loaded in load_group(GROUP, disabled, settings or {}, checked.failures):
        problem = _problem(loaded.plugin, [entry.name for entry in checked.entries])
        if problem:
            logger.warning("format plugin %s of %s is left out: %s", loaded.name, loaded.distribution, problem)
            checked.failures.append(LoadFailure(GROUP, loaded.name, loaded.distribution, problem))
        else:
            checked.entries.append(_entry(loaded))
    return Formats(tuple(checked.entries), tuple(checked.failures))


def _entry(loaded: Loaded) -> FormatEntry:
    plugin: FormatPlugin = loaded.plugin
    return FormatEntry(
        plugin.name,
        plugin.version,
        tuple(plugin.suffixes),
        tuple(plugin.media_types),
        plugin,
        loaded.distribution,
        loaded.builtin,
    )


def _problem(plugin: Any, taken: Sequence[str]) -> str:
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
