"""Parts cells that stand nearer than a blank is wide, as browsers set the widest of a column, and texts that sheets cut
at the next cell: pdfium takes them for one word, and typewriter type for one run. Where others in that column begin
tells them."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import NamedTuple

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.fonts import Style
from sidecar_pdf.pdfium.geometry import PageFrame
from sidecar_pdf.text.segments import Word

Place = tuple[float, float]
"""A point as shown."""
Character = Callable[[int], tuple[Box, Style] | None]
"""The box as shown, and the style, of a character by its position in the text of the page."""

_SAME_EDGE = 0.5  # points between the left edges of cells of one column
_MAX_PIECES = 3  # of a word that is cells which touch
_FIGURE = re.compile(r"[-+−(]?(?:\d{1,3}(?:[.,']\d{3})+|\d+)?(?:[.,]\d+)?[%)]?")
_DECIMALS = re.compile(r"[.,]\d+[%)]?$")
"""One figure, whose decimals may be drawn apart, all from one place on; and those of one before another."""
_HEAD_EDGE = 2.0  # between these and the edge of a head, whose padding may be another
_CELL_GAP = 0.08  # ems of white between two cells, at least: letters of one word hardly stand so far apart
_COLUMN_CELLS = 2  # that stand apart at one place, and make it that of a column
# Where text is cut at the next cell, as sheets are printed.
_TOLD_CELLS = 3  # of a column, in proportional type that may touch what is before it
_MIN_CELLS, _MIN_SHARE = 4, 0.6  # cells of a column, and of the lines it stretches over
_WORD = 3  # letters of a word behind a figure, at least
_CUT_SHARE, _ABUTTING = 0.5, 0.03  # of them that do not just touch what is before; ems up to which it does
_LEAST_WORD, _CUT_GAP = 0.05, 0.15  # ems; those that a text which is cut is taken to end before the next cell


class _Start(NamedTuple):
    """Where a text object begins within a word: the column's left edge, the white before it in ems, what is before it
    and behind, where that begins (None in typewriter type, and where letters are drawn one by one, but where the kind
    of signs changes), and whether the word may be one figure."""

    at: int
    left: float
    gap: float
    before: str
    behind: str
    opening: float | None
    figure: bool


def with_close_cells(
    words: list[Word], text: str, character: Character, handle: Callable[[int], int], starts: Sequence[Place]
) -> list[Word]:
    """The words of a page, parted where another text object begins at the left edge of a column, and set apart there
    in typewriter type. `text` is that of the page, `handle` the text object of a position in it; `starts` are where
    text objects begin, of a page with words of several."""
    begun = Counter([round(word.x0 / _SAME_EDGE) for word in words if word.apart])
    cut = _edges_of_objects(starts)
    lefts = sorted({*cut, *(_SAME_EDGE * at for at, count in begun.items() if count >= _COLUMN_CELLS)})
    if len(lefts) < 2:  # no more than a margin
        return words
    ends, found, done = [*lefts, inf], list[Word](), 0
    spanning: dict[int, list[_Start] | None] = {}
    for at, word in enumerate(words):  # bisect is faster than a look at every edge, and this runs for every word
        _, x0, _, x1, _, style, _, _, apart = word
        if ends[bisect_right(ends, x0 + _LEAST_WORD * style.size)] < x1 and _is_of_several(word, text, handle):
            spanning[at] = _starts_in(word, lefts, character, handle)
        elif apart is False and style.mono and at and _is_typed_apart(words[at - 1], word, lefts, handle):
            spanning[at] = None  # parted already
    told = {left for left in cut if begun[round(left / _SAME_EDGE)] >= _TOLD_CELLS}
    begins = [start for own in spanning.values() for start in own or ()]
    told |= _before_words(begins)
    cut = _with_white(begins, cut)
    for at, within in spanning.items():
        chosen = [
            start for start in within or ()
            if start.gap > _CELL_GAP or start.left in cut or (start.left in told and _are_words(start))
        ]  # fmt: skip
        heads = [] if chosen or not cut else _starts_in(words[at], sorted(cut), character, handle, _HEAD_EDGE)
        chosen += filter(_are_words, heads)
        if chosen or within is None:
            own = _parted(words[at], chosen, character) if chosen else [words[at]._replace(apart=True)]
            found += [*words[done:at], *own]
            done = at + 1
    return [*found, *words[done:]] if found else words


def object_starts(texts: Sequence[int], frame: PageFrame) -> list[Place]:
    """Where text objects begin, each at its own place of the page."""
    matrix, found = raw.Matrix(), list[Place]()
    for handle in texts:
        if raw.object_matrix(handle, matrix):
            x, y, *_ = frame.box(matrix.e, matrix.f, matrix.e, matrix.f)
            found.append((x, y))
    return found


def _edges_of_objects(starts: Sequence[Place]) -> dict[float, int]:
    """Where text objects begin in most lines of a stretch of the page, and in how many lines they do."""
    lines = sorted({round(y) for _, y in starts})
    heights: dict[int, set[int]] = {}
    for x, y in starts:
        heights.setdefault(round(x / _SAME_EDGE), set()).add(round(y))
    edges: dict[float, int] = {}
    for at, own in heights.items():
        if len(own) >= _TOLD_CELLS:
            stretch = bisect_right(lines, max(own)) - bisect_left(lines, min(own))
            if len(own) >= _MIN_SHARE * stretch:
                edges[_SAME_EDGE * at] = len(own)
    return edges


def _with_white(starts: Sequence[_Start], edges: Mapping[float, int]) -> set[float]:
    """The edges at which half of what begins there stands apart from what is before it, or over it, and those that
    texts of several widths end at: pieces of words, as listings in colours have them at the same places of their lines,
    touch. `edges` are those of text objects, each with its lines."""
    begun: dict[float, list[_Start]] = {}
    for start in starts:
        if start.left in edges:
            begun.setdefault(start.left, []).append(start)
    return {
        left for left, own in begun.items()
        if (edges[left] >= _MIN_CELLS and _is_cut(own)) or _are_set_to_the_right(own)
    }  # fmt: skip


def _before_words(starts: Sequence[_Start]) -> set[float]:
    """The edges at which figures end and words of several kinds begin, where each letter may be drawn by itself: a unit
    would be the same in all lines, or not a word."""
    words: dict[float, set[str]] = {}
    for start in starts:
        if start.before[-1:].isdigit() and _are_words(start) and len(start.behind) >= _WORD:
            words.setdefault(start.left, set()).add(start.behind)
    return {left for left, own in words.items() if len(own) >= _TOLD_CELLS}


def _is_cut(starts: list[_Start]) -> bool:
    """Whether what is before one edge is text that the next cell cuts, or apart from it: not the same beginning of one
    word over and over, nor a letter under which the next is set, as pairs of them are, nor digits before decimals."""
    others = [start for start in starts if not start.figure]
    apart = [start for start in others if start.gap > _ABUTTING or (start.gap < -_ABUTTING and len(start.before) > 1)]
    return len(apart) >= max(2, _CUT_SHARE * len(starts)) and len({start.before for start in apart}) > 1


def _are_set_to_the_right(starts: list[_Start]) -> bool:
    """Whether what is before one edge is set to the right against it, as in columns without padding: in proportional
    type, words that are drawn in pieces have these at one place of several lines only where they begin alike. Figures
    may all be of one width; where each may go on as one, a head over both tells."""
    if len(starts) < _TOLD_CELLS or any(start.opening is None for start in starts) or not any(map(_are_words, starts)):
        return False
    openings = {round(start.opening / _SAME_EDGE) for start in starts if start.opening is not None}
    texts = {start.before for start in starts}
    figured = sum(text[0].isdigit() for text in texts) >= _TOLD_CELLS and len(texts) == len(starts)
    return len(openings) > 1 or figured


def _are_words(start: _Start) -> bool:
    """Whether what touches is drawn as two words in proportional type, and may not be one figure."""
    return start.opening is not None and not start.figure


def _is_of_several(word: Word, text: str, handle: Callable[[int], int]) -> bool:
    """Whether a word stands in the text as it is, and more than one text object draws it."""
    at = word.at
    return at >= 0 and text.startswith(word.text, at) and handle(at) != handle(at + len(word.text) - 1)


def _is_typed_apart(before: Word, word: Word, lefts: Sequence[float], handle: Callable[[int], int]) -> bool:
    """Whether a word in typewriter type begins where cells of a column do, and is not drawn with the one before."""
    if word.x0 <= before.x1 or min(before.at, word.at) < 0 or not _is_begun(word.x0, lefts):
        return False
    return handle(word.at) != handle(before.at)


def _starts_in(
    word: Word, lefts: Sequence[float], character: Character, handle: Callable[[int], int], near: float = _SAME_EDGE
) -> list[_Start]:
    """Where other text objects begin in a word, at the left edges of columns or as `near` as that many points."""
    found: list[_Start] = []
    end = word.at + len(word.text)
    for left in lefts[bisect_right(lefts, word.x0) : bisect_left(lefts, word.x1)]:
        at = bisect_left(range(end), left - near, word.at + 1, key=lambda at: _left_of(character(at)))
        while at < end and handle(at) == handle(at - 1) and _left_of(character(at)) <= left + near:
            at += 1  # the last letter before a cut may begin where the next cell does
        if at == end or _left_of(character(at)) > left + near:
            continue
        before, own = character(at - 1), character(at)
        if before is not None and own is not None and not (found and found[-1].at == at):
            gap, text = (own[0][0] - before[0][2]) / word.style.size, word.text[: at - word.at]
            one = _FIGURE.fullmatch(word.text) is not None and _DECIMALS.search(text) is None
            behind = word.text[at - word.at :]
            told = _is_of_pieces(word, handle) or _changes(text, behind)
            opening = None if word.style.mono or not told else word.x0
            found.append(_Start(at, left, gap, text, behind, opening, one))
    return found


def _changes(before: str, behind: str) -> bool:
    """Whether a figure ends where a word begins, or a word in small letters where one with a capital does: what cells
    that touch look like where each letter is drawn by itself, and few words do."""
    figure = _FIGURE.fullmatch(before) is not None and before[-1:].isdigit() and behind[:1].isalpha()
    return figure or (before[-1:].islower() and behind[:1].isupper())


def _is_of_pieces(word: Word, handle: Callable[[int], int]) -> bool:
    """Whether a word is drawn in the few pieces that cells are, and not letter by letter."""
    pieces = len({handle(at) for at in range(word.at, word.at + len(word.text))})
    return pieces <= _MAX_PIECES and pieces < len(word.text)


def _parted(word: Word, starts: Sequence[_Start], character: Character) -> list[Word]:
    """The words that a word is, where others begin."""
    found: list[Word] = []
    for start in starts:
        before, own = character(start.at - 1), character(start.at)
        if before is not None and own is not None:
            cut, left = start.at - word.at, own[0][0]
            found.append(word._replace(text=word.text[:cut], x1=min(before[0][2], left - _CUT_GAP * word.style.size)))
            style = word.style if own[1].font == word.style.font else own[1]
            word = word._replace(text=word.text[cut:], x0=left, style=style, joined=False, at=start.at, apart=True)
    return [*found, word]


def _left_of(character: tuple[Box, Style] | None) -> float:
    return character[0][0] if character is not None else 0.0


def _is_begun(x0: float, lefts: Sequence[float]) -> bool:
    at = bisect_left(lefts, x0 - _SAME_EDGE)
    return at < len(lefts) and lefts[at] <= x0 + _SAME_EDGE
