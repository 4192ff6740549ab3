"""The characters of displayed formulas, each with its ink: which words of a page they are looked for in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from sidecar_pdf.text.segments import Segment, Word

_SIGN = re.compile(r"[=≤≥≠≈∼≃≡∝∈∉⊂⊆∪∩∑∏∫∂∇√∞±×÷·⋅∘→←↔⇒⇔∀∃¬∧∨⊕⊗⟨⟩‖∣𝐀-𝟿<>+−]")
_PLAIN = re.compile(r"[A-Za-zÀ-ɏ]{4,}[,;:.]?$")
_PLAIN_WORDS = 6  # of a language, from which on a line is prose
_REACH = 1.8  # ems around a line with signs, in which halves of its fractions stand


class Glyph(NamedTuple):
    """A character as drawn: the box of its ink and its baseline in points from the top left of the page as read."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    italic: bool
    bold: bool


def formula_words(segments: Iterable[Segment]) -> list[Word]:
    """The words of a page that may belong to displayed formulas: those of lines with signs that are no prose, and of
    what stands close over and under them."""
    lines = [s for s in segments if not s.vertical and not s.hidden and _plain_words(s) < _PLAIN_WORDS]
    bands: list[list[float]] = []
    for segment in sorted(lines, key=lambda s: s.y0):
        if not any(word.style.math or _SIGN.search(word.text) for word in segment.words):
            continue
        reach = _REACH * segment.style.size
        if bands and segment.y0 - reach <= bands[-1][1]:
            bands[-1][1] = max(bands[-1][1], segment.y1 + reach)
        else:
            bands.append([segment.y0 - reach, segment.y1 + reach])
    if not bands:
        return []
    starts = [band[0] for band in bands]
    return [
        word for segment in lines
        if (at := bisect_right(starts, (segment.y0 + segment.y1) / 2) - 1) >= 0 and segment.y0 <= bands[at][1]
        for word in segment.words
    ]  # fmt: skip


def _plain_words(segment: Segment) -> int:
    return sum(1 for word in segment.words if not word.style.math and _PLAIN.match(word.text))
