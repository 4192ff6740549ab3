"""The words of a page in the order pdfium gives them, without places, fonts and layout: a fifth of what laying it out
costs. For documents whose words are wanted first, and for the end of those too long to be laid out.

What a reader of the page does not see must not be among them, so a page on which anything may be unseen gives none:
its characters have to be read one by one."""

import re

from sidecar.toolkit.hidden import MIN_POINTS
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.fonts import Fonts, is_white
from sidecar_pdf.pdfium.geometry import PageFrame
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.pdfium.pages import Opened
from sidecar_pdf.text.accents import ZERO_WIDTH_SPACE
from sidecar_pdf.text.annotations import has_words
from sidecar_pdf.text.characters import LINE_END_HYPHEN, are_undecoded, clean
from sidecar_pdf.text.hidden.replacement import LETTERS_OF_GLYPH, check_replacements
from sidecar_pdf.text.hidden.unseen import unseen_objects
from sidecar_pdf.text.page_string import PageString
from sidecar_pdf.text.segments import NARROWEST

_FILLED, _STROKED = (0, 2, 4, 6), (1, 5)
"""Text rendering modes that fill letters, and that draw their outlines alone (ISO 32000-1, table 106)."""
_BROKEN_WORD = re.compile(rf"(?<=[^\W\d_])[{LINE_END_HYPHEN}](?:\r?\n)?(?=[^\W\d_])")
_LONG_WORD = re.compile(rf"[^\s\x00-\x1f{LINE_END_HYPHEN}]{{{LETTERS_OF_GLYPH + 1},}}")
_SENTENCE_END = frozenset('.!?:;"”)')
_PARAGRAPH_CHARS = 600
"""From which on a paragraph ends with the next sentence that ends a line."""


class PlainReader:
    """Reads the words of the pages of one document."""

    def __init__(self, document: Opened, fonts: Fonts, *, layers: bool) -> None:
        """`layers`: the file may have optional content."""
        self._document, self._fonts, self._layers = document, fonts, layers
        self._colours, self._size, self._matrix = raw.integers(4), raw.floats(1), raw.Matrix()

    def text(self, page: int, shape: PageFrame, graphics: PageGraphics, max_chars: int) -> str | None:
        """The text of a page, a line a paragraph or so, of at most so many characters; None where a reader may not see
        all of it, or pdfium not all of what he sees, and where annotations say something."""
        if has_words(page) or not self._is_seen(page, graphics) or self._is_altered(page, shape, graphics):
            return None
        text_page = raw.load_text(page)
        if not text_page:
            return ""
        try:
            string = PageString(text_page, shape, self._fonts, max_chars, {})
            text = string.text
            if any(string.advance(*word.span()) < NARROWEST * len(word[0]) for word in _LONG_WORD.finditer(text)):
                return None  # letters without width or on one spot, or the words that one glyph is told to say
            if are_undecoded(graphics.texts, sum(map(len, text.split()))):
                return None
        finally:
            raw.close_text(text_page)
        return "\n".join(_paragraphs(_BROKEN_WORD.sub("", text).replace(ZERO_WIDTH_SPACE, "")))

    def _is_seen(self, page: int, graphics: PageGraphics) -> bool:
        """Whether all letters are drawn, in a colour and at a size that can be read, in fonts with a name. What a form
        holds may be scaled to nothing by it."""
        handles = graphics.handles
        level = sum(raw.object_type(raw.get_object(page, at)) == raw.TEXT for at in range(raw.count_objects(page)))
        return level == len(handles) and not graphics.truncated and all(map(self._can_be_read, handles))

    def _can_be_read(self, handle: int) -> bool:
        mode = raw.text_mode(handle)
        if mode in _FILLED:
            raw.fill_color(handle, *self._colours.addresses)
        elif mode in _STROKED:
            raw.stroke_color(handle, *self._colours.addresses)
        else:
            return False
        red, green, blue, alpha = self._colours.values
        if is_white(alpha, red, green, blue) or not raw.object_matrix(handle, self._matrix):
            return False
        size = self._size.values[0] if raw.text_size(handle, self._size.address) else 0.0
        rise = max(abs(self._matrix.c), abs(self._matrix.d))
        return abs(size) * rise >= MIN_POINTS and self._fonts.name(handle) != ""

    def _is_altered(self, page: int, shape: PageFrame, graphics: PageGraphics) -> bool:
        """Whether other words are told of the page than its glyphs say, or some of its text objects cannot be seen."""
        if check_replacements(self._document.handle, page, shape, graphics.handles):
            return True
        bounds = raw.floats(4)
        for handle in graphics.handles:
            if raw.object_bounds(handle, *bounds.addresses):
                x0, y0, x1, y1 = shape.box(*bounds.values)
                if x1 <= 0 or y1 <= 0 or x0 >= shape.width or y0 >= shape.height:
                    return True
        return bool(unseen_objects(self._document, page, shape, graphics, layers=self._layers))


def _paragraphs(text: str) -> list[str]:
    """Lines joined up to where a sentence ends with its line, long paragraphs apart."""
    found: list[str] = []
    lines: list[str] = []
    for line in text.splitlines():
        words = " ".join([clean(word) for word in line.split()])
        if words:
            lines.append(words)
        ended = not words or words[-1] in _SENTENCE_END
        if lines and ended and (not words or sum(map(len, lines)) > _PARAGRAPH_CHARS):
            found.append(" ".join(lines))
            lines = []
    return [*found, " ".join(lines)] if lines else found
