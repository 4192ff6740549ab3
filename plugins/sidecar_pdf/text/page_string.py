"""What pdfium takes for the text of a page, one position a UTF-16 code unit, with its characters made those a reader
sees; a character is asked for its box, font and text object by its position."""

import ctypes
import re
from collections.abc import Mapping

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.encodings import placeholder
from sidecar_pdf.pdfium.fonts import NO_STYLE, Fonts, Style
from sidecar_pdf.pdfium.geometry import ClipExtents, PageFrame, common
from sidecar_pdf.text.accents import ZERO_WIDTH_SPACE, with_accents
from sidecar_pdf.text.characters import (
    HYPHENATED,
    code_units,
    left_out,
    with_broken_words,
    with_lam_alef,
    without_doubled_math,
)
from sidecar_pdf.text.glyphs import UNKNOWN, Glyph
from sidecar_pdf.text.letters.superiors import Inked
from sidecar_pdf.text.orientation import Direction, direction_of
from sidecar_pdf.text.signs import with_composed_arrows, with_font_signs, with_negated

_TYPED_HYPHEN = re.compile(r"(?<=[^\W_]{2})−(?=[^\W\d_]{2})|(?<=\b\d{4})−(?=\d\d−\d\d\b)|(?<=\b\d{4}−\d\d)−(?=\d\d\b)")
"""A minus in a word, and those of a date."""
_LEFT_OUT = frozenset((0x00, 0x02, 0x03, *range(0x93, 0x98), 0x9F))
"""Codes that pdfium takes for those of control characters, which it leaves out of the text."""
_UNREAD = r"\x01-\x08\x0b\x0c\x0e-\x1f"
_CODES = re.compile(f"[{_UNREAD}]".replace(HYPHENATED, ""))
_UNROTATED = PageFrame(0, 0, 0, 0, 0, 0, 0)
_MIN_SIZE = 0.1  # points


class PageString:
    """The text of one page. What is asked of it by position, and `frame`, serve those who read words of it."""

    def __init__(
        self, text_page: raw.Argument, frame: PageFrame, fonts: Fonts, max_chars: int, unseen: Mapping[int, int]
    ) -> None:
        self._text_page, self._frame, self._fonts, self._unseen = text_page, frame, fonts, unseen
        self._rect = raw.floats(4)
        self._sides = tuple(ctypes.c_double() for _ in range(4))
        """Room for the left, right, bottom and top of a character's ink."""
        self._clips = ClipExtents()
        self._borrowed = fonts.borrowed
        """Fonts that borrow the characters of their signs, as far as their signs are in the text."""
        self._unread: list[int] = []
        """Characters that pdfium leaves out of the text, and whose signs are not known."""
        self._misread, self._set_right = fonts.misread, set[int]()
        """Signs that fonts give other characters for, as far as they are in the text, and where they are."""
        self._direct = True
        """Positions in the text are those of characters; else they must be asked for."""
        self._drawn = ""
        """The text as pdfium gives it, whose characters are made out of it again as fonts are met."""
        self._text = self._read(max_chars)

    @property
    def text(self) -> str:
        """The whole of it."""
        return self._text

    def advance(self, start: int, end: int) -> float:
        """Points by which the last character of a stretch of the text stands aside from the first, or below it; 0 where
        pdfium does not tell."""
        first, last = self._box(self._index(start)), self._box(self._index(end - 1))
        return max(abs(last[0] - first[0]), abs(last[1] - first[1])) if first and last else 0.0

    def _read(self, max_chars: int) -> str:
        count = min(raw.count_chars(self._text_page), max_chars)
        if count <= 0:
            return ""
        text = code_units(self._text_page, count)
        self._direct = len(text) == count
        if not self._direct:
            text = self._with_left_out(text, count)
        self._drawn = with_broken_words(without_doubled_math(text, self._box_at), self._box_at)
        return self._made_out()

    def _made_out(self) -> str:
        """The text with what the fonts met so far tell of its characters, and accents over their letters."""
        self._set_right.clear()
        text = self._with_font_signs(self._with_named(self._drawn, self._suspects()))
        return with_lam_alef(with_accents(self._text_page, text, self._index), self._box_at)

    def _with_left_out(self, text: str, count: int) -> str:
        """The text with characters that pdfium leaves out of it since their codes are those of control characters, as
        far as the names of their glyphs tell what they are; the text as it is where there are none."""
        named: dict[int, str] = {}
        for index in left_out(self._text_page, len(text), count):
            code = raw.char_code(self._text_page, index)
            known = code in _LEFT_OUT and (not code or raw.map_error(self._text_page, index) == 1)
            letters = self._named(index, code) if known else self._misread_at(index, chr(code))
            named[index] = placeholder(letters) or ZERO_WIDTH_SPACE
            self._unread += [index] if named[index] == ZERO_WIDTH_SPACE else []
        if len(text) + len(named) != count or all(char == ZERO_WIDTH_SPACE for char in named.values()):
            return text
        self._direct = True
        chars = list(text)
        for index in sorted(named):
            chars.insert(index, named[index])
        return "".join(chars)

    def _with_font_signs(self, text: str) -> str:
        """The text with signs for the characters they borrow, and long arrows whole."""
        if self._borrowed:
            text = with_font_signs(text, self._borrowed, self._font_at)
        if self._misread:
            text = self._with_misread(text)
        return with_composed_arrows(_TYPED_HYPHEN.sub(self._typed, text) if "−" in text else text, self._box_at)

    def _typed(self, match: re.Match[str]) -> str:
        """A hyphen for the minus that a font for text draws at its code, as R's graphics declare theirs."""
        index = self._index(match.start())
        handle = raw.text_object(self._text_page, index) or 0
        return match[0] if self._style_and_direction(index, handle, _UNROTATED)[0].math else "-"

    def _with_misread(self, text: str) -> str:
        """The text with signs for the characters that fonts met so far wrongly give for them."""
        known = {char for signs in self._misread.values() for char in signs}
        chars: list[str] | None = None
        for match in re.finditer(f"[{re.escape(''.join(known))}]", text):
            at = match.start()
            sign = self._misread.get(self._font_at(at), {}).get(match[0], "")
            if sign and at not in self._set_right:
                chars = chars or list(text)
                chars[at] = placeholder(sign) or match[0]
                self._set_right.add(at)
        return "".join(chars) if chars else text

    def _misread_at(self, index: int, char: str) -> str:
        """The sign that a font gives a character for which pdfium leaves out of the text; "" elsewhere."""
        handle = raw.text_object(self._text_page, index) or 0
        if not handle or not self._style_and_direction(index, handle, _UNROTATED)[0].math:
            return ""
        self._fonts.mark_suspect()
        return self._fonts.misread.get(self._fonts.name(handle), {}).get(char, "")

    def _index(self, at: int) -> int:
        """The character at a position of the text."""
        return at if self._direct else max(raw.char_index(self._text_page, at), 0)

    def _suspects(self) -> re.Pattern[str]:
        """Control characters, but for pdfium's return before a line feed, and what fonts met so far may misread."""
        return re.compile(rf"\r(?!\n)|[{_UNREAD}{re.escape(''.join(self._fonts.suspects))}]")

    def _with_named(self, text: str, suspects: re.Pattern[str]) -> str:
        """The text with what the names of glyphs say where pdfium gives their codes, or control characters; a
        placeholder for each ligature. `suspects` are the characters to look at."""
        chars: list[str] | None = None
        left: list[tuple[int, int]] = []
        for match in suspects.finditer(text):
            at, char = match.start(), match[0]
            index = at if self._direct else self._index(at)
            if (char == HYPHENATED or char >= " ") and raw.map_error(self._text_page, index) != 1:
                continue
            letters = self._named(index, raw.char_code(self._text_page, index))
            if letters:
                chars = chars or list(text)
                chars[at] = placeholder(letters) or char
            else:
                left.append((at, index))
        for at, index in left if chars else ():  # what told a font of no name apart may stand behind
            letters = self._named(index, raw.char_code(self._text_page, index))
            if letters and chars:
                chars[at] = placeholder(letters) or chars[at]
        return with_negated("".join(chars)) if chars else text

    def unread_glyphs(self) -> list[Glyph]:
        """Signs that are drawn where the text has control characters, or nothing."""
        indices = [*self._unread, *(self._index(match.start()) for match in _CODES.finditer(self._text))]
        left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
        found: list[Glyph] = []
        for index in indices:
            handle = raw.text_object(self._text_page, index) or 0
            drawn = handle and raw.char_box(self._text_page, index, left, right, bottom, top)
            if not drawn or left.value >= right.value or bottom.value >= top.value:
                continue
            raw.char_origin(self._text_page, index, x, y)
            style, direction = self._style_and_direction(index, handle, self._frame)
            if direction is None and (style.math or not style.font):
                box = self._frame.box(left.value, bottom.value, right.value, top.value)
                base = self._frame.box(x.value, y.value, x.value, y.value)[1]
                found.append(Glyph(UNKNOWN, *box, base, style.size, italic=False, bold=False))
        return found

    def _ink(self, index: int) -> Box | None:
        """The box of the ink of a character as shown. Of one taller than the page, as MathJax stretches the middle of
        tall delimiters, what clip paths leave of it."""
        left, right, bottom, top = self._sides
        if not raw.char_box(self._text_page, index, left, right, bottom, top):
            return None
        box = left.value, bottom.value, right.value, top.value
        if top.value - bottom.value > self._frame.top - self._frame.bottom:
            clip = raw.clip_path(raw.text_object(self._text_page, index) or 0) or 0
            for extent in self._clips.of(clip, raw.count_clips(clip)) if clip else ():
                box = common(box, extent)
        return self._frame.box(*box)

    def _line(self, index: int) -> float:
        """Where the line is that a character stands on, as shown."""
        x, y, *_ = self._sides
        raw.char_origin(self._text_page, index, x, y)
        return self._frame.box(x.value, y.value, x.value, y.value)[1]

    def _inked_at(self, at: int, widest: float) -> Inked | None:
        """The character at a position of the text, with its ink, where its step is no wider than `widest` points; None
        elsewhere, and where pdfium does not tell."""
        index = self._index(at)
        box = self._shown(index)
        if box is None or box[2] - box[0] > widest or (ink := self._ink(index)) is None:
            return None
        return Inked(ink, self._line(index))

    def _font_at(self, at: int) -> str:
        """The font of the character at a position of the text."""
        return self._fonts.name(self._handle(at))

    def _named(self, index: int, code: int) -> str:
        """What the name of the glyph of a character says, "" where that is not known."""
        handle, box = raw.text_object(self._text_page, index) or 0, self._box(index)
        if not handle or box is None:
            return ""
        size = max(self._style_and_direction(index, handle, _UNROTATED)[0].size, _MIN_SIZE)
        return self._fonts.named(handle, code, 1000 * (box[2] - box[0]) / size)

    def _style_and_direction(self, index: int, handle: int, frame: PageFrame) -> tuple[Style, Direction]:
        """Those of a text object, `index` being one of its characters."""
        if not handle or not raw.char_matrix(self._text_page, index, self._fonts.matrix.address):
            return NO_STYLE, None
        style, along, up = self._fonts.style_and_axes(handle)
        if handle in self._unseen:
            style = style._replace(mode=self._unseen[handle])
        return style, direction_of(frame, along, up, flips=bool(style.font))

    def _handle(self, at: int) -> int:
        return raw.text_object(self._text_page, self._index(at)) or 0

    def _is_made_up(self, at: int) -> bool:
        return raw.is_generated(self._text_page, self._index(at)) == 1

    def _shown(self, index: int) -> Box | None:
        box = self._box(index)
        return self._frame.box(*box) if box else None

    def _box_at(self, at: int) -> Box | None:
        return self._box(self._index(at))

    def _box(self, index: int) -> Box | None:
        """Left, bottom, right and top of a character, in page space; None where pdfium does not tell."""
        if not raw.loose_box(self._text_page, index, self._rect.address):
            return None
        left, top, right, bottom = self._rect.values
        return left, bottom, right, top
