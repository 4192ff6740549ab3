"""Parts cells that stand nearer than a blank is wide, as browsers set the widest of a column: pdfium takes them for one
word, and typewriter type for one run. Where others in that column stand apart tells them."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from math import inf

from sidecar.api import Box
from sidecar_pdf.pdfium.fonts import Style
from sidecar_pdf.text.segments import Word

Character = Callable[[int], tuple[Box, Style] | None]
"""The box as shown, and the style, of a character by its position in the text of the page."""

_SAME_EDGE = 0.5  # points between the left edges of cells of one column
_CELL_GAP = 0.08  # ems of white between two cells, at least: letters of one word hardly stand so far apart
_COLUMN_CELLS = 2  # that stand apart at one place, and make it that of a column


def with_close_cells(words: list[Word], text: str, character: Character, handle: Callable[[int], int]) -> list[Word]:
    """The words of a page, parted where another text object begins at the left edge of a column, and set apart there
    in typewriter type. `text` is that of the page, `handle` the text object of a position in it."""
    begun = Counter([round(word.x0 / _SAME_EDGE) for word in words if word.apart])
    lefts = sorted([_SAME_EDGE * at for at, count in begun.items() if count >= _COLUMN_CELLS])
    if len(lefts) < 2:  # no more than a margin
        return words
    ends, found, done = [*lefts, inf], list[Word](), 0
    for at, word in enumerate(words):  # bisect is faster than a look at every edge, and this runs for every word
        _, x0, _, x1, _, style, _, _, apart = word
        if ends[bisect_right(ends, x0 + style.size)] < x1 and _is_of_several(word, text, handle):
            found += [*words[done:at], *_parted(word, lefts, character, handle)]
        elif apart is False and style.mono and at and _is_typed_apart(words[at - 1], word, lefts, handle):
            found += [*words[done:at], word._replace(apart=True)]
        else:
            continue
        done = at + 1
    return [*found, *words[done:]] if found else words


def _is_of_several(word: Word, text: str, handle: Callable[[int], int]) -> bool:
    """Whether a word stands in the text as it is, and more than one text object draws it."""
    at = word.at
    return at >= 0 and text.startswith(word.text, at) and handle(at) != handle(at + len(word.text) - 1)


def _is_typed_apart(before: Word, word: Word, lefts: Sequence[float], handle: Callable[[int], int]) -> bool:
    """Whether a word in typewriter type begins where cells of a column do, and is not drawn with the one before."""
    if word.x0 <= before.x1 or min(before.at, word.at) < 0 or not _is_begun(word.x0, lefts):
        return False
    return handle(word.at) != handle(before.at)


def _parted(word: Word, lefts: Sequence[float], character: Character, handle: Callable[[int], int]) -> list[Word]:
    """The words that a word is, where others begin at `lefts`."""
    found: list[Word] = []
    end = word.at + len(word.text)
    for left in lefts[bisect_right(lefts, word.x0) : bisect_left(lefts, word.x1)]:
        at = bisect_left(range(end), left - _SAME_EDGE, word.at + 1, key=lambda at: _left_of(character(at)))
        if at == end or _left_of(character(at)) > left + _SAME_EDGE or handle(at) == handle(at - 1):
            continue
        before, own = character(at - 1), character(at)
        if before is not None and own is not None and own[0][0] - before[0][2] > _CELL_GAP * word.style.size:
            cut = at - word.at
            found.append(word._replace(text=word.text[:cut], x1=before[0][2]))
            style = word.style if own[1].font == word.style.font else own[1]
            word = word._replace(text=word.text[cut:], x0=own[0][0], style=style, joined=False, at=at, apart=True)
    return [*found, word]


def _left_of(character: tuple[Box, Style] | None) -> float:
    return character[0][0] if character is not None else 0.0


def _is_begun(x0: float, lefts: Sequence[float]) -> bool:
    at = bisect_left(lefts, x0 - _SAME_EDGE)
    return at < len(lefts) and lefts[at] <= x0 + _SAME_EDGE
