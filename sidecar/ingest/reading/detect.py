"""Which plugin reads a file: the highest `score` over its first bytes; an external plugin wins a tie."""

from __future__ import annotations

import logging
import mimetypes
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final, Protocol

from sidecar.api.formats import FormatPlugin, Source

logger = logging.getLogger(__name__)

SURE: Final = 90
"""From this score on, plugins that do not claim the file's suffix are not asked."""


class Format(Protocol):
    """A format plugin as the registry describes it (`sidecar.registry.FormatEntry`)."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def suffixes(self) -> tuple[str, ...]: ...
    @property
    def media_types(self) -> tuple[str, ...]: ...
    @property
    def plugin(self) -> FormatPlugin: ...
    @property
    def builtin(self) -> bool: ...


class Detector:
    """Holds the formats by suffix: most files are claimed, rightly, by the one plugin their suffix belongs to."""

    def __init__(self, formats: Sequence[Format]) -> None:
        self._formats = tuple(formats)
        self._claiming: dict[str, tuple[Format, ...]] = {}
        for suffix in {suffix for entry in formats for suffix in entry.suffixes}:
            self._claiming[suffix] = tuple(entry for entry in formats if suffix in entry.suffixes)

    def claims(self, name: str) -> bool:
        """Whether the suffix of that name is some plugin's."""
        return PurePath(name).suffix.lower() in self._claiming

    def detect(self, source: Source) -> Format | None:
        """The plugin to read the file with; None when all decline. Raises OSError when its head cannot be read."""
        claiming = self._claiming.get(source.suffix, ())
        best, score = _best(claiming, source)
        if score < SURE:
            other, other_score = _best([entry for entry in self._formats if entry not in claiming], source)
            if other is not None and other_score > score:
                return other
        return best


def media_type(entry: Format, source: Source) -> str:
    """The media type to begin with: what the name suggests where the plugin reads that, else the plugin's first."""
    guessed = mimetypes.guess_type(source.name)[0] or ""
    if guessed in entry.media_types or not entry.media_types:
        return guessed
    return entry.media_types[0]


def _best(formats: Sequence[Format], source: Source) -> tuple[Format | None, int]:
    best: Format | None = None
    best_score = 0
    for entry in formats:
        try:
            score = entry.plugin.score(source)
        except OSError:
            raise
        except Exception:  # a plugin's score may raise anything; one fault must not hide the file from the others
            logger.exception("format plugin %s failed to score %s", entry.name, source.name)
            continue
        if score > best_score or (score == best_score > 0 and best is not None and best.builtin and not entry.builtin):
            best, best_score = entry, score
    return best, best_score
