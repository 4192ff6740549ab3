"""Reads a page's text as segments: words that follow one another on a line without a gap a column or a cell could
hide in. Two box calls and one object call a word, not a character: a page of 4,000 characters takes a millisecond.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from sidecar.toolkit.text import without_surrogates
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.encodings import expand_placeholders, placeholder
from sidecar_pdf.pdfium.fonts import Fonts, Style
from sidecar_pdf.pdfium.geometry import PageFrame
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.text.accents import with_accents
from sidecar_pdf.text.orientation import Direction, direction_of
from sidecar_pdf.text.overprint import without_overprints, without_repeated_letters
from sidecar_pdf.text.rotated import read_rotated
from sidecar_pdf.text.segments import Segment, Word, flag_hidden, join_words

_WORD = re.compile(r"[^\s\x00-\x1f\ufffe\ufeff]+[\x02\ufffe]?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ufffe\uffff\ufeff\u200b]")


_BLANK = 3
_FIGURES = {
    **{0xF730 + digit: str(digit) for digit in range(10)},
    **{0xF761 + at: chr(ord("A") + at) for at in range(26)},
    **{0xF638 + digit: str(digit) for digit in range(2, 10)},
    0xF639: "0", 0xF6DC: "1",
}  # fmt: skip
"""Figures and small capitals at the private places Adobe's fonts give them (Adobe Glyph List, corporate use)."""
_DOUBLED = re.compile(r"(.)\1")
_LEVEL = PageFrame(0, 0, 0, 0, 0, 0, 0)
_UNREAD = re.compile(r"[\x01\x03-\x08\x0b\x0c\x0e-\x1f]")


def read_segments(page: int, frame: PageFrame, fonts: Fonts, graphics: PageGraphics, max_chars: int) -> list[Segment]:
    """The page's text in the order the file draws it; overlong pages are cut at `max_chars`."""
    text_page = raw.load_text(page)
    if not text_page:
        return []
    rotated: list[Segment] = []
    try:
        page_text = _text(text_page, max_chars, fonts)
        words, styles, directions = _words(text_page, page_text, frame, fonts)
        if any(direction is not None for direction in directions.values()):
            level, others = _without_rotated(text_page, page_text, frame, fonts, styles, directions)
            words, _, _ = _words(text_page, level, frame, fonts)
            rotated = read_rotated(text_page, others, frame, styles, directions)
    finally:
        raw.close_text(text_page)
    objects = len(styles)
    if graphics.texts > 8 and objects < 0.5 * graphics.texts and widen_flat_text(page):
        return read_segments(page, frame, fonts, replace(graphics, texts=0), max_chars)
    letters = sum(len(word.text) for word in words) + sum(len(s.text) for s in rotated)
    graphics.undecoded = graphics.texts > 40 and letters < 0.5 * graphics.texts
    segments = join_words(without_overprints(words)) + rotated
    flag_hidden(segments, frame, graphics)
    return segments


class _Text(NamedTuple):
    """What pdfium takes for the text of a page, one position a UTF-16 code unit."""

    text: str
    direct: bool
    """Positions in the text are those of characters; else they must be asked for."""


def _text(text_page: int, max_chars: int, fonts: Fonts) -> _Text:
    count = min(raw.count_chars(text_page), max_chars)
    if count <= 0:
        return _Text("", direct=True)
    buffer = ctypes.create_string_buffer(2 * count + 2)
    written = raw.get_text(text_page, 0, count, buffer)
    units = buffer.raw[: 2 * max(written - 1, 0)]
    text = units.decode("utf-16-le", "surrogatepass")
    if len(text) * 2 != len(units):  # characters beyond the BMP: keep one position a code unit
        text = "".join(map(chr, memoryview(units).cast("H")))
    direct = written - 1 == count

    def index(at: int) -> int:
        return at if direct else _index(text_page, at)

    return _Text(with_accents(text_page, _with_ligatures(text_page, text, index, fonts), index), direct)


def _with_ligatures(text_page: int, text: str, index: Callable[[int], int], fonts: Fonts) -> str:
    """The text with a stand-in for each ligature that pdfium gives as a control character."""
    chars: list[str] | None = None
    rect = raw.Rect()
    for match in _UNREAD.finditer(text):
        at = match.start()
        handle = raw.text_object(text_page, index(at)) or 0
        if not handle or not raw.loose_box(text_page, index(at), rect):
            continue
        size = max(_style_and_direction(text_page, index(at), handle, _LEVEL, fonts)[0].size, 0.1)
        letters = fonts.ligature(handle, ord(match[0]), 1000 * (rect.right - rect.left) / size)
        if letters:
            chars = chars or list(text)
            chars[at] = placeholder(letters) or match[0]
    return "".join(chars) if chars else text


def _without_rotated(
    text_page: int,
    page_text: _Text,
    frame: PageFrame,
    fonts: Fonts,
    styles: dict[int, Style],
    directions: dict[int, Direction],
) -> tuple[_Text, list[tuple[int, str, int]]]:
    """The text with blanks for all that does not run level, and the latter as `(index, character, text object)`."""
    text, direct = page_text
    level = list(text)
    others: list[tuple[int, str, int]] = []
    for at, char in enumerate(text):
        index = at if direct else _index(text_page, at)
        handle = raw.text_object(text_page, index) or 0
        if handle not in directions:
            styles[handle], directions[handle] = _style_and_direction(text_page, index, handle, frame, fonts)
        if directions[handle] is not None:
            level[at] = " "
            others.append((index, char, handle))
    return _Text("".join(level), direct), others


def _style_and_direction(
    text_page: int, index: int, handle: int, frame: PageFrame, fonts: Fonts
) -> tuple[Style, Direction]:
    """The style and the direction of a text object, `index` being one of its characters."""
    matrix = fonts.matrix
    if not handle or not raw.char_matrix(text_page, index, matrix):
        return fonts.style(0, matrix), None
    style = fonts.style(handle, matrix)
    return style, direction_of(frame, (matrix.a, matrix.b), (matrix.c, matrix.d), flips=bool(style.font))


def _words(
    text_page: int, page_text: _Text, frame: PageFrame, fonts: Fonts
) -> tuple[list[Word], dict[int, Style], dict[int, Direction]]:
    """The words, and the styles and directions of the text objects they are of."""
    text, direct = page_text
    rect = raw.Rect()
    loose_box, text_object, box = raw.loose_box, raw.text_object, frame.box
    styles: dict[int, Style] = {}
    directions: dict[int, Direction] = {}
    unmapped: dict[int, dict[int, str]] = {}
    undecoded: list[tuple[int, int, int, int]] = []
    words: list[Word] = []
    last_end = -1
    for match in _WORD.finditer(text):
        start, end = match.span()
        joined, last_end = start == last_end, end
        token = match[0]
        if token[-1] in "\x02\ufffe":
            end -= 1
            if end == start:
                continue
        first, last = (start, end - 1) if direct else (_index(text_page, start), _index(text_page, end - 1))
        if not loose_box(text_page, first, rect):
            continue
        left, bottom, right, top = rect.left, rect.bottom, rect.right, rect.top
        handle = text_object(text_page, first) or 0
        style = styles.get(handle)
        if style is None:
            style, directions[handle] = _style_and_direction(text_page, first, handle, frame, fonts)
            styles[handle] = style
            if handle and raw.map_error(text_page, first) == 1:
                unmapped[handle] = fonts.characters(handle)
        if last > first and loose_box(text_page, last, rect):
            low, high = rect.bottom, rect.top
            tall = top - bottom
            if abs(low - bottom) > 0.12 * tall or abs(high - top) > 0.12 * tall:
                words += _split(
                    text_page, text, start, end,
                    frame=frame, fonts=fonts, styles=styles, direct=direct, joined=joined,
                )  # fmt: skip
                continue
            end_left, end_right = rect.left, rect.right
            left = end_left if end_left < left else left  # min and max cost more, and this runs for every word
            right = end_right if end_right > right else right
            bottom = low if low < bottom else bottom
            top = high if high > top else top
        if direct and _DOUBLED.search(token):
            token = without_repeated_letters(token, lambda i, j, start=start: _apart(text_page, start + i, start + j))
        if handle in unmapped:
            undecoded.append((len(words), handle, first, last))
        x0, y0, x1, y1 = box(left, bottom, right, top)
        words.append(Word(_clean(token), x0, y0, x1, y1, _sized(style, y1 - y0, x1 - x0), joined))
    if undecoded:
        numbered = {
            id(unmapped[h]) for _, h, first, last in undecoded if _numbers_glyphs(text_page, first, last, unmapped[h])
        }
        for at, handle, first, last in reversed(undecoded):
            if id(unmapped[handle]) in numbered and at < len(words):
                characters, style = unmapped[handle], styles[handle]
                words[at : at + 1] = _decoded(text_page, first, last, characters, style=style, frame=frame)
    return words, styles, directions


def _numbers_glyphs(text_page: int, first: int, last: int, characters: dict[int, str]) -> bool:
    """Whether a word's codes are glyph numbers: the blank is glyph 3 by convention, which is no character at all.
    pdfium marks many fonts it guesses right as well, and those must be left alone."""
    blank = characters.get(_BLANK, "").isspace()
    return blank and any(raw.char_code(text_page, index) == _BLANK for index in range(first, last + 1))


def widen_flat_text(page: int) -> int:
    """Shears text objects of no width by a hair, and says how many there were: pdfium leaves them out of the text,
    which loses vertical writing in fonts that state no glyph widths. Positions move by less than a point."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    widened = 0
    for index in range(raw.count_objects(page)):
        handle = raw.get_object(page, index)
        if raw.object_type(handle) == 1 and raw.object_bounds(handle, left, bottom, right, top):
            tall = top.value - bottom.value
            if right.value - left.value < 0.02 and tall > 1:
                shear = min(0.05 / tall * 2, 0.02)
                raw.transform_object(handle, 1.0, 0.0, shear, 1.0, -shear * bottom.value, 0.0)
                widened += 1
    return widened


def _apart(text_page: int, first: int, second: int) -> float:
    """How far two characters stand from each other, in widths of the first."""
    one, other = raw.Rect(), raw.Rect()
    if not (raw.loose_box(text_page, first, one) and raw.loose_box(text_page, second, other)):
        return 1.0
    return max(abs(one.left - other.left), abs(one.bottom - other.bottom)) / max(one.right - one.left, 0.1)


def _index(text_page: int, text_index: int) -> int:
    index = raw.char_index(text_page, text_index)
    return max(index, 0)


def _sized(style: Style, height: float, width: float) -> Style:
    """Corrects the size where a surrounding form scales the text, which the text object alone does not tell."""
    tall = min(height, width) if height > 3 * width else height
    if style.size <= 0 or not 0.6 * style.size <= tall <= 2.6 * style.size:
        return style._replace(size=round(tall / 1.15, 2)) if tall > 0 else style
    return style


def _decoded(
    text_page: int, first: int, last: int, characters: dict[int, str], *, style: Style, frame: PageFrame
) -> list[Word]:
    """Words whose "characters" are numbers of glyphs, as what the glyphs draw. pdfium takes some numbers for control
    characters and leaves them out of the text, spaces among them, so they are asked for one by one."""
    rect = raw.Rect()
    words: list[Word] = []
    apart = True
    for index in range(first, last + 1):
        code = raw.char_code(text_page, index)
        char = characters.get(code) or (chr(code) if 0x20 <= code < 0x110000 else "")
        if not char.strip() or not raw.loose_box(text_page, index, rect):
            apart = True
            continue
        x0, y0, x1, y1 = frame.box(rect.left, rect.bottom, rect.right, rect.top)
        if apart:
            words.append(Word(_clean(char), x0, y0, x1, y1, _sized(style, y1 - y0, x1 - x0), joined=False))
        else:
            word = words[-1]
            words[-1] = word._replace(
                text=word.text + _clean(char), x0=min(word.x0, x0), y0=min(word.y0, y0),
                x1=max(word.x1, x1), y1=max(word.y1, y1),
            )  # fmt: skip
        apart = False
    return words


def _clean(token: str) -> str:
    """A word without control characters; a final hyphen mark of pdfium becomes U+00AD, for `paragraphs` to judge."""
    if token[-1] in "\x02\ufffe":
        token = token[:-1] + "\xad"
    if not token.isprintable():
        token = expand_placeholders(_CONTROL.sub("", token)).translate(_FIGURES)
        token = without_surrogates(token)
    return token


def _split(
    text_page: int,
    text: str,
    start: int,
    end: int,
    *,
    frame: PageFrame,
    fonts: Fonts,
    styles: dict[int, Style],
    direct: bool,
    joined: bool,
) -> list[Word]:
    """A word whose ends stand at different heights, character by character: a superscript, rotated text, or two lines
    that the file runs together."""
    rect = raw.Rect()
    pieces: list[list[Word]] = []
    for at in range(start, end):
        index = at if direct else _index(text_page, at)
        if not raw.loose_box(text_page, index, rect):
            continue
        x0, y0, x1, y1 = frame.box(rect.left, rect.bottom, rect.right, rect.top)
        handle = raw.text_object(text_page, index) or 0
        style = styles.get(handle)
        if style is None:
            style = styles[handle] = _style_and_direction(text_page, index, handle, frame, fonts)[0]
        char = Word(text[at], x0, y0, x1, y1, _sized(style, y1 - y0, x1 - x0), True)
        if pieces:
            before = pieces[-1][-1]
            level = abs(before.y1 - y1) < 0.12 * (y1 - y0) and abs(before.y0 - y0) < 0.12 * (y1 - y0)
            upright = abs(before.x0 - x0) < 0.4 * (x1 - x0) and min(abs(before.y0 - y1), abs(before.y1 - y0)) < (
                y1 - y0
            )
            if level or upright:
                pieces[-1].append(char)
                continue
        pieces.append([char])
    words: list[Word] = []
    for piece in pieces:
        token = _clean("".join(char.text for char in piece))
        x0, y0 = min(char.x0 for char in piece), min(char.y0 for char in piece)
        x1, y1 = max(char.x1 for char in piece), max(char.y1 for char in piece)
        words.append(Word(token, x0, y0, x1, y1, piece[0].style, joined if not words else True))
    if words and text[end : end + 1] in {"\x02", "\ufffe"}:
        words[-1] = words[-1]._replace(text=words[-1].text + "\xad")
    return words
