"""Reads a page's text as segments: words that follow one another on a line without a gap a column or a cell could
hide in. Two box calls and one object call a word, not a character: a page of 4,000 characters takes a millisecond.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import replace

from sidecar_pdf import raw
from sidecar_pdf.pages import PageFrame
from sidecar_pdf.scan import Scene
from sidecar_pdf.segments import Segment, Word, flag_hidden, join_words
from sidecar_pdf.styles import Fonts, Style

_WORD = re.compile(r"[^\s\x00-\x1f\ufffe\ufeff]+[\x02\ufffe]?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ufffe\uffff\ufeff\u200b]")


_BLANK = 3


def read_segments(page: int, frame: PageFrame, fonts: Fonts, scene: Scene, max_chars: int) -> list[Segment]:
    """The page's text in the order the file draws it; overlong pages are cut at `max_chars`."""
    text_page = raw.load_text(page)
    if not text_page:
        return []
    try:
        words, objects = _words(text_page, frame, fonts, max_chars)
    finally:
        raw.close_text(text_page)
    if scene.texts > 8 and objects < 0.5 * scene.texts and widen_flat_text(page):
        return read_segments(page, frame, fonts, replace(scene, texts=0), max_chars)
    scene.unread = scene.texts > 40 and sum(len(word.text) for word in words) < 0.5 * scene.texts
    segments = join_words(words)
    flag_hidden(segments, frame, scene)
    return segments


def _words(text_page: int, frame: PageFrame, fonts: Fonts, max_chars: int) -> tuple[list[Word], int]:
    """The words, and of how many text objects they are."""
    count = min(raw.count_chars(text_page), max_chars)
    if count <= 0:
        return [], 0
    buffer = ctypes.create_string_buffer(2 * count + 2)
    written = raw.get_text(text_page, 0, count, buffer)
    units = buffer.raw[: 2 * max(written - 1, 0)]
    text = units.decode("utf-16-le", "surrogatepass")
    if len(text) * 2 != len(units):  # characters beyond the BMP: keep one position a code unit
        text = "".join(map(chr, memoryview(units).cast("H")))
    direct = written - 1 == count
    rect = raw.Rect()
    loose_box, text_object, box = raw.loose_box, raw.text_object, frame.box
    styles: dict[int, Style] = {}
    unmapped: dict[int, dict[int, str]] = {}
    doubtful: list[tuple[int, int, int, int]] = []
    words: list[Word] = []
    last_end = -1
    for match in _WORD.finditer(text):
        start, end = match.span()
        glued, last_end = start == last_end, end
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
            style = styles[handle] = fonts.style(handle)
            if handle and raw.map_error(text_page, first) == 1:
                unmapped[handle] = fonts.characters(handle)
        if last > first and loose_box(text_page, last, rect):
            low, high = rect.bottom, rect.top
            tall = top - bottom
            if abs(low - bottom) > 0.12 * tall or abs(high - top) > 0.12 * tall:
                words += _split(
                    text_page, text, start, end,
                    frame=frame, fonts=fonts, styles=styles, direct=direct, glued=glued,
                )  # fmt: skip
                continue
            left, right = min(left, rect.left), max(right, rect.right)
            bottom, top = min(bottom, low), max(top, high)
        if handle in unmapped:
            doubtful.append((len(words), handle, first, last))
        x0, y0, x1, y1 = box(left, bottom, right, top)
        words.append(Word(_clean(token), x0, y0, x1, y1, _sized(style, y1 - y0, x1 - x0), glued))
    if doubtful:
        told = {
            id(unmapped[h]) for _, h, first, last in doubtful if _numbers_glyphs(text_page, first, last, unmapped[h])
        }
        for at, handle, first, last in reversed(doubtful):
            if id(unmapped[handle]) in told and at < len(words):
                characters, style = unmapped[handle], styles[handle]
                words[at : at + 1] = _decoded(text_page, first, last, characters, style=style, frame=frame)
    return words, len(styles)


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
            words.append(Word(_clean(char), x0, y0, x1, y1, _sized(style, y1 - y0, x1 - x0), glued=False))
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
        token = _CONTROL.sub("", token)
        if any("\ud800" <= char <= "\udfff" for char in token):
            token = token.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
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
    glued: bool,
) -> list[Word]:
    """A word whose ends stand at different heights, character by character: a superscript, turned text, or two lines
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
            style = styles[handle] = fonts.style(handle)
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
        words.append(Word(token, x0, y0, x1, y1, piece[0].style, glued if not words else True))
    if words and text[end : end + 1] in {"\x02", "\ufffe"}:
        words[-1] = words[-1]._replace(text=words[-1].text + "\xad")
    return words
