"""Reads a page's text as segments: words that follow one another on a line without a gap a column or a cell could
hide in. Two box calls and one object call a word, not a character: a page of 4,000 characters takes a millisecond.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import replace
from typing import NamedTuple

from sidecar_pdf import raw
from sidecar_pdf.pages import PageFrame
from sidecar_pdf.scan import Scene

_WORD = re.compile(r"[^\s\x00-\x1f\ufffe\ufeff]+[\x02\ufffe]?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ufffe\uffff\ufeff\u200b]")
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_MATH_FONT = re.compile(r"CMMI|CMSY|CMEX|MSAM|MSBM|Math|Symbol|MTSY|MTMI|Euclid|rsfs|stmary", re.IGNORECASE)
_MONO_FONT = re.compile(r"Mono|Courier|Consol|Typewriter|CMTT|Code|Menlo|SFTT", re.IGNORECASE)
_BOLD_FONT = re.compile(r"Bold|Black|Heavy|Demi|CMBX|CMB\d|SFBX|NimbusRomNo9L-Medi|-Medi$|\+.*BX\d", re.IGNORECASE)
_ITALIC_FONT = re.compile(r"Italic|Oblique|CMTI|CMSL|-Ital?$|ReguItal", re.IGNORECASE)

_SYMBOLS = re.compile(r"Wingdings|Webdings|Dingbat", re.IGNORECASE)
_WINGDINGS = dict(zip("üûþýo¨qàèßØ§", "✓✗☑☒☐☐☐→➔←➢▪", strict=True))
"""What Wingdings draws for the characters its encoding borrows, where Unicode has the same sign."""

GAP = 0.95
"""Ems between two words of a segment; a wider gap may be a gutter or a cell border, which `layout` decides."""


class Style(NamedTuple):
    """How a run of text looks. `size` in points as shown; `mode` is the text rendering mode (ISO 32000-1, 9.3.6)."""

    font: str
    size: float
    bold: bool
    italic: bool
    mono: bool
    math: bool
    white: bool
    mode: int


class Word(NamedTuple):
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    style: Style
    glued: bool
    """True when no space stands before it in the document's own text."""


class Segment:
    """Words on one line, in reading order. `hyphen` tells that pdfium saw the last word run on in the next line."""

    __slots__ = ("hidden", "hyphen", "order", "rtl", "style", "vertical", "words", "x0", "x1", "y0", "y1")

    def __init__(self, word: Word, order: int) -> None:
        self.words = [word]
        self.x0, self.y0, self.x1, self.y1 = word.x0, word.y0, word.x1, word.y1
        self.style = word.style
        self.order = order
        self.hyphen = False
        self.vertical = False
        self.hidden = False
        self.rtl = False

    def add(self, word: Word) -> None:
        self.words.append(word)
        self.x0 = min(self.x0, word.x0)
        self.x1 = max(self.x1, word.x1)
        self.y0 = min(self.y0, word.y0)
        self.y1 = max(self.y1, word.y1)

    @property
    def text(self) -> str:
        return "".join(word.text if word.glued or not at else " " + word.text for at, word in enumerate(self.words))


class Fonts:
    """Styles by font handle, for one document: pdfium keeps a font alive as long as the document."""

    def __init__(self) -> None:
        self._fonts: dict[int, tuple[str, bool, bool, bool, bool]] = {}
        self._size = ctypes.c_float()
        self._matrix = raw.Matrix()
        self._color = [ctypes.c_uint() for _ in range(4)]

    def style(self, text_object: int) -> Style:
        """The style of a text object (0 for text pdfium generated, such as a space)."""
        if not text_object:
            return Style("", 0.0, False, False, False, False, False, 0)
        font = raw.text_font(text_object) or 0
        known = self._fonts.get(font)
        if known is None:
            known = self._fonts[font] = _font(font)
        name, bold, italic, mono, math = known
        size = 0.0
        if raw.text_size(text_object, self._size):
            size = self._size.value
            if raw.object_matrix(text_object, self._matrix):
                m = self._matrix
                size *= (m.c * m.c + m.d * m.d) ** 0.5
        red, green, blue, alpha = self._color
        white = False
        if raw.fill_color(text_object, red, green, blue, alpha):
            white = alpha.value < 8 or min(red.value, green.value, blue.value) > 250
        return Style(name, abs(size), bold, italic, mono, math, white, raw.text_mode(text_object))


def _font(font: int) -> tuple[str, bool, bool, bool, bool]:
    if not font:
        return "", False, False, False, False
    name = raw.string(raw.font_name, font, encoding="utf-8").partition("+")[2] or raw.string(
        raw.font_name, font, encoding="utf-8"
    )
    flags = raw.font_flags(font)
    bold = bool(_BOLD_FONT.search(name)) or raw.font_weight(font) >= 600 or bool(flags > 0 and flags & 1 << 18)
    italic = bool(_ITALIC_FONT.search(name)) or bool(flags > 0 and flags & 1 << 6)
    mono = bool(_MONO_FONT.search(name)) or bool(flags > 0 and flags & 1)
    return name, bold, italic, mono, bool(_MATH_FONT.search(name))


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
    segments = _join(words)
    _flag_hidden(segments, frame, scene)
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
        x0, y0, x1, y1 = box(left, bottom, right, top)
        words.append(Word(_clean(token), x0, y0, x1, y1, _sized(style, y1 - y0, x1 - x0), glued))
    return words, len(styles)


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


def _join(words: list[Word]) -> list[Segment]:
    segments: list[Segment] = []
    current: Segment | None = None
    for word in words:
        if not word.text:
            continue
        if current is not None and not current.hyphen and _continues(current, word):
            current.add(word)
        else:
            current = Segment(word, len(segments))
            current.vertical = _turned(word)
            segments.append(current)
        if word.text[-1] == "\xad":
            current.hyphen = True
    for segment in segments:
        first = segment.words[0]
        if len(first.text) == 1 and first.text.isprintable() and _SYMBOLS.search(first.style.font):
            segment.words[0] = first._replace(text=_symbol(first))
        if len(segment.words) > 1:
            segment.style = _dominant(segment.words)
    return segments


def _symbol(word: Word) -> str:
    """A sign of a symbol font that gives no Unicode for it: the letters such a font borrows are bullets to a reader."""
    if not (word.text.isalnum() or word.text in "¢¨§¥£¤") or ord(word.text) > 0xFF:
        return word.text
    return _WINGDINGS.get(word.text, "•") if word.style.font.endswith("Wingdings") else "•"


def _turned(word: Word) -> bool:
    return len(word.text) > 2 and (word.y1 - word.y0) > 2.0 * (word.x1 - word.x0)


def _continues(segment: Segment, word: Word) -> bool:
    before = segment.words[-1]
    height = min(before.y1 - before.y0, word.y1 - word.y0)
    em = max(word.style.size, before.style.size, 1.0)
    if segment.vertical or (_turned(word) and segment.x1 - segment.x0 < 1.5 * em):
        apart = max(before.y0 - word.y1, word.y0 - before.y1)
        return segment.vertical and abs(before.x0 - word.x0) < 0.5 * em and apart < 1.2 * em
    if min(before.y1, word.y1) - max(before.y0, word.y0) < 0.5 * height:
        return False
    gap = word.x0 - segment.x1
    if -0.6 * em < gap < GAP * em:
        return True
    if _RTL.search(word.text) or segment.rtl:
        gap = segment.x0 - word.x1
        if -0.6 * em < gap < GAP * em:
            segment.rtl = True
            return True
    return False


def _dominant(words: list[Word]) -> Style:
    first = words[0].style
    if all(word.style is first for word in words):
        return first
    weights: dict[Style, int] = {}
    for word in words:
        weights[word.style] = weights.get(word.style, 0) + len(word.text)
    return max(weights, key=weights.__getitem__)


def _flag_hidden(segments: list[Segment], frame: PageFrame, scene: Scene) -> None:
    """Marks text a reader cannot see: off the page, white where nothing dark lies beneath, or drawn invisibly where
    there is no scan it could belong to (an OCR layer lies over the scan and stays visible)."""
    page_area = frame.width * frame.height or 1.0
    scanned = sum((b[2] - b[0]) * (b[3] - b[1]) for b in (image.box for image in scene.images)) > 0.25 * page_area
    for segment in segments:
        x0, y0, x1, y1 = segment.x0, segment.y0, segment.x1, segment.y1
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if x1 <= 0 or y1 <= 0 or x0 >= frame.width or y0 >= frame.height:
            segment.hidden = True
        elif segment.style.mode in {3, 7}:
            segment.hidden = not scanned
        elif segment.style.white and segment.style.mode in {0, 4}:
            dark = any(b[0] <= x <= b[2] and b[1] <= y <= b[3] for b in scene.dark)
            segment.hidden = not dark and not any(
                i.box[0] <= x <= i.box[2] and i.box[1] <= y <= i.box[3] for i in scene.images
            )  # `document` looks at the page itself before it believes this
