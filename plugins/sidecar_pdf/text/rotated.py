"""Reads text that does not run from left to right as shown: character by character, gathered by direction and read
along it. pdfium's own text takes such lines for stacks of letters, or gives their words in the reverse order."""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.encodings import expand_placeholders
from sidecar_pdf.pdfium.fonts import Style
from sidecar_pdf.pdfium.geometry import PageFrame
from sidecar_pdf.text.orientation import Direction, Orientation
from sidecar_pdf.text.overprint import OVERPRINT
from sidecar_pdf.text.segments import Segment, Word, join_words

_DOMINANT_SHARE, _LEAST_CHARACTERS = 0.6, 40
"""The share of a page's characters that must run one way for the page to be read rotated, and how many they must be."""
_SPACE = 0.17
"""Ems of white between two characters that part words; explicit spaces part them anyway."""


_IGNORED = "\x00\x02\ufffe\ufeff\u200b"


class Glyph(NamedTuple):
    """A character of rotated text: where it reads level, and where it is shown."""

    text: str
    level: Box
    shown: Box
    style: Style
    apart: bool
    """A space stands before it."""


def read_rotated(
    text_page: int, indices: Iterable[tuple[int, str, int]], frame: PageFrame, styles: dict[int, Style],
    directions: dict[int, Direction],
) -> list[Segment]:  # fmt: skip
    """Segments of the characters `(index, text, text object)`, all rotated; `vertical` is set on each, and
    `orientation` where they run along an axis of the page."""
    groups: dict[Direction, list[Glyph]] = {}
    space = False
    rect, x, y = raw.Rect(), ctypes.c_double(), ctypes.c_double()
    for index, char, handle in indices:
        if char.isspace() or char in _IGNORED:
            space = space or char.isspace()
            continue
        if not raw.loose_box(text_page, index, rect):
            continue
        direction, style = directions[handle], styles[handle]
        box = (rect.left, rect.bottom, rect.right, rect.top)
        shown = frame.box(*box)
        if isinstance(direction, Orientation):
            level = direction.box(shown)
        elif direction is not None and raw.char_origin(text_page, index, x, y):
            origin = frame.box(x.value, y.value, x.value, y.value)[:2]
            level = _slanted(origin, shown, direction, style.size)
        else:
            continue
        tall = level[3] - level[1]
        if not 0.6 * style.size <= tall <= 2.6 * style.size:
            style = style._replace(size=round(tall / 1.15, 2))
        groups.setdefault(direction, []).append(Glyph(char, level, shown, style, space))
        space = False
    segments: list[Segment] = []
    for direction, glyphs in groups.items():
        words: list[Word] = []
        places: dict[Box, list[Box]] = {}
        for line in _lines(glyphs):
            for run in _runs(line):
                word = _word(run)
                places[word[1:5]] = [glyph.shown for glyph in run]
                words.append(word)
        for segment in join_words(words):
            segment.rtl = False
            if isinstance(direction, Orientation):
                segments.append(_rotated_back(segment, direction))
            else:
                segments.append(_placed(segment, places))
    return segments


def dominant_orientation(segments: Iterable[Segment]) -> Orientation | None:
    """The direction most of a page's text runs in, where that is along an axis and not level."""
    counts: Counter[Orientation | None] = Counter()
    for segment in segments:
        counts[segment.orientation] += sum(len(word.text) for word in segment.words)
    orientation, most = max(counts.items(), key=lambda item: item[1], default=(None, 0))
    return (
        orientation if orientation and most >= _LEAST_CHARACTERS and most >= _DOMINANT_SHARE * counts.total() else None
    )


def upright(segment: Segment, orientation: Orientation) -> Segment:
    """A copy of a rotated segment where it reads level."""
    copy = _with_words(segment, [_mapped(word, orientation) for word in segment.words])
    copy.orientation, copy.vertical = None, False
    return copy


def _rotated_back(segment: Segment, orientation: Orientation) -> Segment:
    """A segment read level, put where it is shown."""
    inverse = orientation.inverse()
    copy = _with_words(segment, [_mapped(word, inverse) for word in segment.words])
    copy.orientation, copy.vertical = orientation, True
    return copy


def _placed(segment: Segment, places: dict[Box, list[Box]]) -> Segment:
    """A segment at an angle, by the boxes its characters are shown in."""
    words = [
        word._replace(
            x0=min(b[0] for b in boxes), y0=min(b[1] for b in boxes),
            x1=max(b[2] for b in boxes), y1=max(b[3] for b in boxes),
        )
        for word in segment.words for boxes in (places[word[1:5]],)
    ]  # fmt: skip
    copy = _with_words(segment, words)
    copy.vertical = True
    return copy


def _with_words(segment: Segment, words: list[Word]) -> Segment:
    copy = Segment(words[0], segment.order)
    for word in words[1:]:
        copy.add(word)
    copy.style, copy.hyphen, copy.hidden = segment.style, segment.hyphen, segment.hidden
    return copy


def _mapped(word: Word, orientation: Orientation) -> Word:
    x0, y0, x1, y1 = orientation.box((word.x0, word.y0, word.x1, word.y1))
    return word._replace(x0=x0, y0=y0, x1=x1, y1=y1)


def _slanted(origin: tuple[float, float], shown: Box, degrees: int, size: float) -> Box:
    """The box of a character at an angle as it would stand level, rotated about the corner of the page. Its width
    follows from the box around the rotated one, which is |w cos| + |h sin| wide and |w sin| + |h cos| high."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    along, down = origin[0] * cos + origin[1] * sin, origin[1] * cos - origin[0] * sin
    across, high, c, s = shown[2] - shown[0], shown[3] - shown[1], abs(cos), abs(sin)
    em = size or high
    width = (across * c - high * s) / (c * c - s * s) if abs(c - s) > 0.2 else across / max(c, 0.5) - 1.15 * em
    return along, down - 0.9 * em, along + min(max(width, 0.1 * em), 2 * em), down + 0.25 * em


def _lines(glyphs: list[Glyph]) -> list[list[Glyph]]:
    """The characters line by line, top to bottom, each from left to right."""
    lines: list[list[Glyph]] = []
    middle = 0.0
    for glyph in sorted(glyphs, key=lambda g: g.level[1] + g.level[3]):
        own = (glyph.level[1] + glyph.level[3]) / 2
        if lines and own - middle < 0.3 * (glyph.level[3] - glyph.level[1]):
            lines[-1].append(glyph)
        else:
            lines.append([glyph])
            middle = own
    for line in lines:
        line.sort(key=lambda g: g.level[0])
    return lines


def _runs(line: list[Glyph]) -> list[list[Glyph]]:
    runs: list[list[Glyph]] = []
    for glyph in line:
        em = max(glyph.style.size, 1.0)
        before = runs[-1][-1] if runs else None
        if (
            before is not None
            and glyph.text == before.text
            and (glyph.level[0] - before.level[0] < OVERPRINT * (before.level[2] - before.level[0]))
        ):
            continue  # drawn again for weight or shadow
        if runs and not glyph.apart and glyph.level[0] - runs[-1][-1].level[2] < _SPACE * em:
            runs[-1].append(glyph)
        else:
            runs.append([glyph])
    return runs


def _word(run: list[Glyph]) -> Word:
    return Word(
        expand_placeholders("".join(glyph.text for glyph in run)),
        min(g.level[0] for g in run), min(g.level[1] for g in run),
        max(g.level[2] for g in run), max(g.level[3] for g in run), run[0].style, joined=False,
    )  # fmt: skip
