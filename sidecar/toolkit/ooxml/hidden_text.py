"""Text that who opens an Office file does not see: its colour against what is behind it, its size, and how many pieces
of each kind a document has. It is flagged, never taken out. Not responsible for finding runs, shapes or cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sidecar.api.model import Notice, Span
from sidecar.toolkit.hidden import LEAST_POINTS, invisible_spans

__all__ = [
    "LEAST_POINTS",
    "WHITE",
    "HiddenKind",
    "HiddenText",
    "hex_colour",
    "near",
    "with_invisible",
]

HiddenKind = Literal["formatting", "colour", "size", "characters", "place"]
"""Hidden by its formatting (`w:vanish`), in the colour of its background, too small to read, spelt in characters
without shape, or standing off the page or slide."""

WHITE = 0xFFFFFF
_NEAR = 30
"""Difference of two colours, summed over red, green and blue (0 to 255 each), that an eye does not tell on a screen:
#F5F5F5 on white."""
_WORDS: dict[HiddenKind, str] = {
    "formatting": "hidden by formatting",
    "colour": "in the colour of the background",
    "size": f"smaller than {LEAST_POINTS:.0f} pt",
    "characters": "of invisible characters",
    "place": "off the page",
}


@dataclass
class HiddenText:
    """How many pieces of text (paragraphs, cells) are hidden, by kind."""

    counts: dict[HiddenKind, int] = field(default_factory=dict[HiddenKind, int])

    def add(self, kind: HiddenKind) -> None:
        """Count one more."""
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def notices(self, part: int | None = None) -> list[Notice]:
        """The remark that counts them; none where nothing is hidden."""
        if not self.counts:
            return []
        told = ", ".join(f"{self.counts[kind]:,} {words}" for kind, words in _WORDS.items() if kind in self.counts)
        return [Notice("hidden_content", f"Text that readers do not see, kept and flagged: {told}.", part)]


def hex_colour(value: str | None) -> int | None:
    """The colour of "RRGGBB" or "AARRGGBB"; None for anything else ("auto", names)."""
    if value is None or len(value) not in (6, 8):
        return None
    try:
        return int(value[-6:], 16)
    except ValueError:
        return None


def near(one: int, other: int) -> bool:
    """Whether two colours (0xRRGGBB) look the same."""
    return sum(abs((one >> shift & 255) - (other >> shift & 255)) for shift in (0, 8, 16)) <= _NEAR


def with_invisible(text: str, spans: tuple[Span, ...], found: HiddenText) -> tuple[Span, ...]:
    """`spans` with those of invisible characters in `text`, which are counted."""
    more = invisible_spans(text)
    if not more:
        return spans
    found.add("characters")
    return (*spans, *more)
