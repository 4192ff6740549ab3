"""Flaw in cells that hold several values: columns that were not told apart, or rows taken as one."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import groupby, pairwise

from sidecar_pdf.layout.tables import known_flaws as known
from sidecar_pdf.layout.tables.known_flaws import Flaw

# Counts and shares.
_FEW_CELLS = 2
_STACKED_FIGURES = 3  # with decimals, in one cell
_UNIT_TOKENS = 4  # of a cell of a figure and its unit, fewer than this
_JOINED_SHARE, _FEW_JOINED_SHARE = 0.5, 0.2  # of the cells of a column
_SENTENCE = 7  # words, from which on a cell is no two values but text with figures in it
_ALIKE = 0.6  # of the cells of several values, that have them in one order
_HEADS, _ALL = 4, 0.8  # words of a head over several columns, at most; cells with as many figures
FIGURE = re.compile(r"^[$€£(<>~≤≥]*[-+–−]?\d[\d,./:–-]*[%)^*†‡a-d]{0,3}$")
_TOUCHING = re.compile(r"[+−-]?\d+\.\d{4,}\.\d{2,}")
"""Two figures with decimals of which the second begins where the first ends: no date has a part of this many digits."""
_PRECISE = re.compile(r"\d[.,]\d|%|[$€£]|\d{4}-\d\d")
_SIGN = re.compile(r"[-–—+/×x*†‡()$€£%°<>≤≥~≈]+")
_MARKS = frozenset("✓✔✗✘×•○●")
_NUMBERED = re.compile(r"^\(?\d{1,2}[.)] (?=[^\W\d])")
"""The number of a label."""
_ONE_VALUE = re.compile(
    r"(?<!\S)\S+ ?± ?\S+|\d+ ?年[\d 月日]*"
    r"|(?<!\S)\S+ × 10\^\S+|[\d.,]+(?: [×x] [\d.,]+)+"
    r"|[+−-]?[\d.,]+ [(\[](?=[^()\[\]\d]*\d)[^()\[\]]*[)\]]|[+−-]?\d{1,3} \d\d \d\d(?:\.\d+)?"
    r"|(?:\d{1,2}\.? )?\b(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zé]*\.?(?: \d{1,4},?){0,2}"
    r"|(?<!\S)[\d.,]+ [-–—] [\d.,]+(?!\S)|(?<!\S)\S+ (?:to|bis|à) \S+"
    r"|(?:\d{4}-\d\d-\d\d|\d{1,2}([./-])\d{1,2}\1\d{2,4}) \d{1,2}:\d\d(?::\d\d)?",
    re.IGNORECASE,
)
"""A measurement with its spread or its power of ten, a size, a figure with another in brackets, an angle,
a date in words or with its time, a range: one value of several words."""
_WHOLE_VALUE = re.compile(
    r"(?:\w+ = )?[\d.,/+−-]*\d (?:[^\W\d]{1,3}\.?|[pnµmcdhkMGT](?:mol|rad|bar))"
    r"|\[[\d\s.,]+\]|(?:[\d.+−-]+|NA)(?:, ?(?:[\d.+−-]+|NA))+"
)
"""A figure with its unit, or a list of figures, that is all a cell holds."""


def stacked_values(texts: list[list[str]]) -> Flaw | None:
    """Flaw in cells that are nothing but several figures with decimals, or marks: those of rows below one another."""
    return known.STACKED if any(_is_stacked(text) for row in texts for text in row) else None


def touching_values(texts: list[list[str]]) -> Flaw | None:
    """Flaw in a cell of two figures that touch, beside an empty one of a column with figures."""
    for row in texts:
        for at, (text, after) in enumerate(pairwise(row)):
            if not after and _TOUCHING.fullmatch(text) and any(FIGURE.match(other[at + 1]) for other in texts):
                return known.TOUCHING
    return None


def _is_stacked(text: str) -> bool:
    one = text[:1].isalpha() or _WHOLE_VALUE.fullmatch(text) or _ONE_VALUE.fullmatch(text)
    tokens = () if one else text.split()
    if len(tokens) < _STACKED_FIGURES:
        return False
    return all(FIGURE.match(t) and _PRECISE.search(t) for t in tokens) or all(t in _MARKS for t in tokens)


def two_columns(texts: list[list[str]]) -> Flaw | None:
    """Flaw in a column whose head has as many words as nearly all of its cells have figures: several columns."""
    for head, *cells in zip(*texts, strict=True):
        names = head.split()
        if len(names) < 2 or len(names) > _HEADS or any(map(FIGURE.match, names)):
            continue
        values = [_ONE_VALUE.sub("0.0", text).split() for text in cells if text]
        alike = [own for own in values if len(own) == len(names) and all(map(FIGURE.match, own))]
        if len(values) > _FEW_CELLS and len(alike) > _ALL * len(values):
            return known.JOINED
    return None


def two_in_row(texts: list[list[str]]) -> Flaw | None:
    """Flaw in a row of which several cells hold two figures: columns that were not told apart."""
    values = (
        [_ONE_VALUE.sub("0.0", text).split() for text in row if " " in text and not _WHOLE_VALUE.fullmatch(text)]
        for row in texts
    )
    doubles = (sum(len(cell) > 1 and all(map(FIGURE.match, cell)) for cell in row) for row in values)
    return known.FEW_JOINED if max(doubles, default=0) > 1 else None


def joined_values(texts: list[list[str]]) -> Flaw | None:
    """Flaw in columns that look like two: figures beside other figures, or beside words that are not a unit."""
    width = max(map(len, texts))
    columns = [[row[at] for row in texts[1:] if row[at]] for at in range(width)]
    several = [cells for cells in columns if len(cells) > _FEW_CELLS and not _has_unit(cells)]
    shares = [len(two) / len(cells) for cells in several for two in ([*filter(_holds_two, cells)],) if _are_alike(two)]
    worst = max(shares, default=0.0)
    return known.JOINED if worst > _JOINED_SHARE else known.FEW_JOINED if worst > _FEW_JOINED_SHARE else None


def _are_alike(cells: list[str]) -> bool:
    """Whether most cells have figures and words in one order, as two columns have that were not told apart: the names
    of processors and programs have them anywhere."""
    kinds = (["0" if FIGURE.match(token) else "a" for token in text.split()] for text in cells)
    orders = Counter("".join(kind for kind, _ in groupby(own)) for own in kinds)
    return bool(orders) and (len(cells) <= _FEW_CELLS or orders.most_common(1)[0][1] > _ALIKE * len(cells))


@lru_cache(maxsize=2048)  # many tables are tried with the same cells
def _holds_two(text: str) -> bool:
    """Whether a cell holds a figure and something else that is not part of it."""
    if len(text.split(maxsplit=1)) < 2 or _WHOLE_VALUE.fullmatch(text):
        return False
    text = _ONE_VALUE.sub("0.0", _NUMBERED.sub("", text))
    tokens = [token for token in text.split() if not _SIGN.fullmatch(token)]
    figures = [bool(FIGURE.match(token)) for token in tokens]
    precise = any(_PRECISE.search(token) for token, figure in zip(tokens, figures, strict=True) if figure)
    return (
        1 < len(tokens) < _SENTENCE
        and any(figures)
        and (precise or (figures[0] and not all(figures)) or sum(figures) > 1)
    )


def _has_unit(cells: list[str]) -> bool:
    """Whether all cells say the same words beside their figures."""
    words = {tuple(token for token in cell.split() if not FIGURE.match(token)) for cell in cells}
    named = all(cell[0].isalpha() for cell in cells)
    return len(words) == 1 and (named or all(len(cell.split()) < _UNIT_TOKENS for cell in cells))
