"""Reads text that does not run from left to right as shown: character by character, gathered by direction and read
along it. pdfium's own text takes such lines for stacks of letters, or gives their words in the reverse order."""

import ctypes
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.encodings import expand_placeholders
from sidecar_pdf.pdfium.fonts import Style
from sidecar_pdf.pdfium.geometry import PageFrame, bounding_box, lines_of
from sidecar_pdf.text.orientation import Direction, Orientation
from sidecar_pdf.text.overprint import OVERPRINT
from sidecar_pdf.text.segments import Segment, Word, join_words, sized

_IGNORED = "\x00\x02\ufffe\ufeff\u200b"

# Chosen on the corpus (tests/plugins/pdf/test_pdf_directions.py).
_DOMINANT_SHARE, _MIN_CHARACTERS = 0.6, 40  # of a page's characters that run one way in a page read rotated
# Ems, unless said.
_SPACE = 0.17  # of white between two characters that part words; explicit spaces part them anyway
_ASCENT, _DESCENT = 0.9, 0.25  # of a character's box at an angle over and under its baseline
_MIN_WIDTH, _MAX_WIDTH = 0.1, 2.0  # of such a character
_DIAGONAL = 0.2  # difference of cosine and sine under which the width does not follow from the box alone


class RotatedGlyph(NamedTuple):
    """A character of rotated text: where it reads level, and where it is shown."""

    text: str
    level: Box
    shown: Box
    style: Style
    apart: bool
    """A space stands before it."""
    drawn_by: int
    """The text object."""


def read_rotated(
    text_page: raw.Argument,
    characters: Iterable[tuple[int, str, int]],
    frame: PageFrame,
    styles: dict[int, Style],
    directions: dict[int, Direction],
) -> list[Segment]:
    """Segments of the characters `(index, text, text object)`, all rotated; `vertical` is set on each, and
    `orientation` where they run along an axis of the page."""
    groups: dict[Direction, list[RotatedGlyph]] = {}
    place = _Place(raw.floats(4), ctypes.c_double(), ctypes.c_double())
    space = False
    for index, char, handle in characters:
        if char.isspace() or char in _IGNORED:
            space = space or char.isspace()
            continue
        direction = directions[handle]
        boxes = _boxes(text_page, index, place, frame, direction, (handle, styles[handle].size))
        if boxes is not None:
            level, shown = boxes
            tall = level[3] - level[1]
            style = sized(styles[handle], tall, tall, letters=1)
            groups.setdefault(direction, []).append(RotatedGlyph(char, level, shown, style, space, handle))
            space = False
    return [segment for direction, glyphs in groups.items() for segment in _segments(direction, glyphs)]


class _Place(NamedTuple):
    """Room for what pdfium tells of a character: its box, and its origin."""

    rect: raw.Numbers[float]
    x: ctypes.c_double
    y: ctypes.c_double


def _boxes(
    text_page: raw.Argument, index: int, place: _Place, frame: PageFrame, direction: Direction, font: tuple[int, float]
) -> tuple[Box, Box] | None:
    """A character's box as it would stand level, and as shown; None where pdfium does not tell. `font` are the text
    object and the size of its type."""
    if direction is None or not raw.loose_box(text_page, index, place.rect.address):
        return None
    left, top, right, bottom = place.rect.values
    shown = frame.box(left, bottom, right, top)
    if isinstance(direction, Orientation):
        return direction.box(shown), shown
    if not raw.char_origin(text_page, index, place.x, place.y):
        return None
    x, y = place.x.value, place.y.value
    origin = frame.box(x, y, x, y)[:2]
    return _slanted(origin, shown, direction, font), shown


def _segments(direction: Direction, glyphs: list[RotatedGlyph]) -> list[Segment]:
    """The segments of characters that run one way, where they are shown."""
    words: list[Word] = []
    places: dict[Box, list[Box]] = {}
    for line in _lines(glyphs):
        for run in _runs(line):
            word = _word(run)
            places[word[1:5]] = [glyph.shown for glyph in run]
            words.append(word)
    segments = join_words(words)
    for segment in segments:
        segment.rtl = False
    if isinstance(direction, Orientation):
        return [_rotated_back(segment, direction) for segment in segments]
    return [_placed(segment, places) for segment in segments]


def dominant_orientation(segments: Sequence[Segment]) -> Orientation | None:
    """The direction most of a page's text runs in, where that is along an axis and not level."""
    if all(segment.orientation is None for segment in segments):
        return None
    counts: Counter[Orientation | None] = Counter()
    for segment in segments:
        counts[segment.orientation] += sum(len(word.text) for word in segment.words)
    orientation, most = max(counts.items(), key=lambda item: item[1], default=(None, 0))
    return orientation if orientation and most >= _MIN_CHARACTERS and most >= _DOMINANT_SHARE * counts.total() else None


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
    words = [Word(w.text, *bounding_box(places[w[1:5]]), w.style, w.joined) for w in segment.words]
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


def _slanted(origin: tuple[float, float], shown: Box, degrees: int, font: tuple[int, float]) -> Box:
    """The box of a character at an angle as it would stand level, rotated about the corner of the page. Its width
    follows from the box around the rotated one, which is |w cos| + |h sin| wide and |w sin| + |h cos| high; near a
    diagonal, where both say the same, from the height of the font's boxes too."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    along, down = origin[0] * cos + origin[1] * sin, origin[1] * cos - origin[0] * sin
    across, high, c, s = shown[2] - shown[0], shown[3] - shown[1], abs(cos), abs(sin)
    em = font[1] or high
    if abs(c - s) > _DIAGONAL:
        width = (across * c - high * s) / (c * c - s * s)
    else:
        width = (across - _box_height(font[0], em) * s) / c
    width = min(max(width, _MIN_WIDTH * em), _MAX_WIDTH * em)
    return along, down - _ASCENT * em, along + width, down + _DESCENT * em


def _box_height(text_object: int, em: float) -> float:
    """How tall pdfium makes the boxes of a font's characters, in points."""
    font, up, down = raw.text_font(text_object) or 0, ctypes.c_float(), ctypes.c_float()
    if not (font and raw.font_ascent(font, em, up) and raw.font_descent(font, em, down)):
        return (_ASCENT + _DESCENT) * em
    return up.value - down.value


def _lines(glyphs: list[RotatedGlyph]) -> list[list[RotatedGlyph]]:
    """The characters line by line, top to bottom, each from left to right: those beside one another, as a letter is
    beside a raised mark, whatever the heights of their boxes."""
    lines = [[glyphs[at] for at in line] for line in lines_of([glyph.level for glyph in glyphs])]
    for line in lines:
        line.sort(key=lambda g: g.level[0])
    return lines


def _runs(line: list[RotatedGlyph]) -> list[list[RotatedGlyph]]:
    runs: list[list[RotatedGlyph]] = []
    for glyph in line:
        em = max(glyph.style.size, 1.0)
        before = runs[-1][-1] if runs else None
        if (
            before is not None
            and glyph.text == before.text
            and glyph.level[0] - before.level[0] < OVERPRINT * (before.level[2] - before.level[0])
            and (glyph.level != before.level or glyph.drawn_by != before.drawn_by)  # else letters of one ligature
        ):
            continue  # drawn again for weight or shadow
        if runs and not glyph.apart and glyph.level[0] - runs[-1][-1].level[2] < _SPACE * em:
            runs[-1].append(glyph)
        else:
            runs.append([glyph])
    return runs


def _word(run: list[RotatedGlyph]) -> Word:
    return Word(
        expand_placeholders("".join(glyph.text for glyph in run)),
        *bounding_box(glyph.level for glyph in run), run[0].style, joined=False,
    )  # fmt: skip
