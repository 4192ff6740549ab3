"""The characters of displayed formulas, each with its ink: which words of a page they are looked for in."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.geometry import PageFrame, union
from sidecar_pdf.text.segments import Segment, Word

_RELATION = re.compile(r"[∑∏∫√∂∇⋅⊗⊕=≤≥≲≳≠≈∼≃≡∝∈∉⊂⊆→←↔⇒⇔]")
_COMPARED = re.compile(r"(?<!\S)[<>](?!\S)")
_PLAIN = re.compile(r"[A-Za-zÀ-ɏ]{4,}[,;:.]?$")
SIGNS_FROM = "\u0100"
"""Characters before this one may be the codes of signs in mathematical type that pdfium could not make out."""
CLOSING = ")]}"
UNKNOWN = "\ufffd"
"""What stands for a sign of a font whose signs are not known."""
_LETTERS, _GREEK = re.compile(r"[^\W\d_]+"), re.compile("[α-ωΑ-Ω]")
_ALPHABET = re.compile("[\U0001d400-\U0001d7ffℎ]")
_FEW_LETTERS, _SOME_LETTERS, _MOST_LETTERS = 3, 0.2, 0.8
"""Runs of letters that tell a font's kind at least; the share of them that are variables, by their alphabet or by
standing alone, or of texts that are signs."""
_HANGING, _HANGS = 0.1, 0.5
"""Ems over the baseline that letters reach at least, and under it at most: what hangs from it is a sign of TeX's
extension font."""
_LARGE = dict(zip("∪∩∨∧⊕⊗⊙⊎⊔", "⋃⋂⋁⋀⨁⨂⨀⨄⨆", strict=True))
"""Signs between two terms whose names that font gives to operators over many."""
_DROPPED_GAP, _DROPPED_WIDTH = 0.35, (0.7, 0.95)
"""Ems from a tall delimiter to one that pdfium dropped behind it, in TeX's extension font, and from the start of that
to what follows, at least and at most."""
_DELIMITER = re.compile(r"[⎛-⎭⎷()\[\]{}|‖∣∥\ue000\ue001]+")
_LEVEL_SIGNS = frozenset("=+−×±≤≥≠≈∼≡∈→")
_STRETCHED, _STRETCHED_SIZE = 20.0, 0.5  # heights of a glyph from which on its size tells nothing; what is put for it
_ASSEMBLED = frozenset("()[]{}|‖⟨⟩⌊⌋⌈⌉√⏟⏞")
_PIECES_APART, _MAX_PIECES = 0.15, 64  # ems between the pieces of a sign; its pieces
_SIGNS = 2  # of a word in italics that may be a variable, or one with its sign
_PLAIN_WORDS = 3  # of a language, from which on a line is prose
_REACH = 3.6  # ems around a line with signs, in which halves of its fractions stand


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
    math: bool = False
    """In a font for mathematics."""


class AssembledSigns:
    """Tells how tall the signs are that fonts put together of pieces (ISO/IEC 14496-22, MATH table, `GlyphAssembly`):
    programs write the first piece as the sign's text, and the others, text objects drawn right behind it, as none.
    `drawn` are the page's text objects in their order."""

    def __init__(self, text_page: raw.Argument, frame: PageFrame, drawn: Sequence[int]) -> None:
        self._text_page, self._frame, self._drawn = text_page, frame, drawn
        self._order = {handle: at for at, handle in enumerate(drawn)}
        self._spoken: set[int] | None = None

    def whole(self, glyph: Glyph, handle: int) -> Glyph:
        """A sign that text object `handle` draws the first piece of, with the box of all."""
        if glyph.text not in _ASSEMBLED:
            return glyph
        box, bounds, slack = glyph[1:5], raw.floats(4), _PIECES_APART * glyph.size
        first = self._order.get(handle, len(self._drawn)) + 1
        for at in range(first, min(first + _MAX_PIECES, len(self._drawn))):
            other = self._drawn[at]
            raw.object_bounds(other, *bounds.addresses)
            piece = self._frame.box(*bounds.values)
            apart = max(piece[0] - box[2], box[0] - piece[2], piece[1] - box[3], box[1] - piece[3])
            if apart > slack or self._is_text(other):
                break
            box = union(box, piece)
        return glyph._replace(x0=box[0], y0=box[1], x1=box[2], y1=box[3])

    def _is_text(self, handle: int) -> bool:
        if self._spoken is None:
            count = raw.count_chars(self._text_page)
            self._spoken = {raw.text_object(self._text_page, index) or 0 for index in range(count)}
        return handle in self._spoken


def are_of_formulas(texts: Sequence[str]) -> bool:
    """Whether what a font sets is letters of mathematical alphabets, of which upright ones are none, or signs."""
    letters = [run for text in texts for run in _LETTERS.findall(text)]
    found = sum(_ALPHABET.search(run) is not None for run in letters)
    in_alphabets = len(letters) >= _FEW_LETTERS and found > _SOME_LETTERS * len(letters)
    return in_alphabets or sum(text in _LEVEL_SIGNS for text in texts) > _SOME_LETTERS * len(texts)


def are_variables(runs: Sequence[str]) -> bool:
    """Whether the runs of letters that a font sets are single letters, Greek ones among them, and hardly a word."""
    single = [run for run in runs if len(run) < len("ijk")]
    some = len(runs) >= _FEW_LETTERS and len(single) > _MOST_LETTERS * len(runs)
    return some and _GREEK.search("".join(single)) is not None


def told_apart(glyph: Glyph) -> Glyph:
    """A glyph, unknown where a letter or figure is none, since it hangs from the baseline as none does, and an operator
    where a sign does; one stretched, as the middle of MathJax's tall delimiters is, in a size that makes it tall."""
    height = glyph.y1 - glyph.y0
    if 0 < _STRETCHED * height < glyph.size and _DELIMITER.fullmatch(glyph.text):
        return glyph._replace(base=glyph.y1, size=_STRETCHED_SIZE * height)
    hangs = glyph.y0 > glyph.base - _HANGING * glyph.size and glyph.y1 > glyph.base + _HANGS * glyph.size
    if hangs and glyph.text in _LARGE:
        return glyph._replace(text=_LARGE[glyph.text])
    return glyph._replace(text=UNKNOWN) if hangs and len(glyph.text) == 1 and glyph.text.isalnum() else glyph


def is_drawn_blank(width: float, size: float) -> bool:
    """Whether a blank is as wide as a delimiter that pdfium took for one."""
    least, most = _DROPPED_WIDTH
    return least * size < width < most * size


def dropped_delimiter(before: Glyph, text: str) -> Glyph:
    """A delimiter behind another of its height, which pdfium took for a blank."""
    wide = before.x1 - before.x0
    start = before.x1 + _DROPPED_GAP * before.size
    return before._replace(text=text, x0=start, x1=start + wide)


def formula_words(segments: Iterable[Segment]) -> list[Word]:
    """The words of a page that may belong to displayed formulas: those of lines with signs that are not prose, and of
    what stands close over and under them."""
    level = [s for s in segments if not s.hidden and not s.style.mono and (not s.vertical or _is_delimiter(s))]
    related = [s for s in level if _has_relation(s) and _plain_words(s) < _PLAIN_WORDS]
    if not related:
        return []
    bands: list[list[float]] = []
    for low, high in sorted((s.y0 - _REACH * s.style.size, s.y1 + _REACH * s.style.size) for s in related):
        if bands and low <= bands[-1][1]:
            bands[-1][1] = max(bands[-1][1], high)
        else:
            bands.append([low, high])
    starts = [band[0] for band in bands]
    return [
        word for segment in level
        if (at := bisect_right(starts, (segment.y0 + segment.y1) / 2) - 1) >= 0 and segment.y0 <= bands[at][1]
        and _plain_words(segment) < _PLAIN_WORDS
        for word in segment.words
    ]  # fmt: skip


def has_relations(words: Iterable[Word]) -> bool:
    """Whether any of a page's words is, or holds, a sign that formulas have: most pages have none."""
    text = " ".join([word.text for word in words])
    if _RELATION.search(text):
        return True
    return ("<" in text or ">" in text) and _COMPARED.search(text) is not None


def _is_delimiter(segment: Segment) -> bool:
    """Whether what stands in a column is the pieces of a tall delimiter."""
    return _DELIMITER.fullmatch("".join(word.text for word in segment.words)) is not None


def _has_relation(segment: Segment) -> bool:
    """Whether a line has a sign that formulas have, or is set in mathematical type alone."""
    words = segment.words
    related = any(_RELATION.search(w.text) or (w.text in "<>" and w.style.math) for w in words)
    return related or (
        len(words) > 1 and all(w.style.math or (w.style.italic and len(w.text) <= _SIGNS) for w in words)
    )


def _plain_words(segment: Segment) -> int:
    return sum(1 for word in segment.words if not word.style.math and _PLAIN.match(word.text))
