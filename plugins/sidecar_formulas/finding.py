"""Finds the cell that a person calls by words: "Total revenue", "EBIT 2024", by the texts of its row and column."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sidecar.toolkit.cell_references import CellRange
from sidecar_formulas.workbook import Held, Place, Workbook

_WORD = re.compile(r"[^\W_]+")
_ACROSS, _DOWN = 256, 5000
"""So many columns right of a text, and rows below it, belong to it."""
_MOST_TEXTS = 500
"""So many texts with a word of the question are looked at."""


@dataclass
class _Candidate:
    place: Place
    computed: bool
    words: list[str]
    exact: bool = False


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, digits too."""
    return [word.casefold() for word in _WORD.findall(text)]


def find_labelled(book: Workbook, sheets: Iterable[int], label: str) -> list[Place]:
    """The cells whose row or column is called so, best first: most words, then exact texts, then formulas before
    typed-in values, then the last of a row, where the total stands."""
    wanted = set(words_of(label))
    candidates: dict[Place, _Candidate] = {}
    for sheet in sheets:
        named = wanted & set(words_of(book.sheets[sheet].name))
        for row, col, words, exact in _texts(book, sheet, wanted, label):
            for place, found in _owned(book, sheet, row, col):
                known = candidates.setdefault(place, _Candidate(place, bool(found.formula), sorted(named)))
                known.words += words
                known.exact |= exact
    best = max((len(set(one.words)) for one in candidates.values()), default=0)
    fitting = [one for one in candidates.values() if len(set(one.words)) == best]
    fitting.sort(key=_rank)
    return [one.place for one in fitting]


def _rank(one: _Candidate) -> tuple[int, ...]:
    sheet, row, col = one.place
    return -one.exact, -one.computed, -len(one.words), sheet, row, -col


def _texts(book: Workbook, sheet: int, wanted: set[str], label: str) -> Iterator[tuple[int, int, list[str], bool]]:
    """The texts of a sheet with words of the question: where, which words, and whether it is the question itself. Of
    those with equally many of its words, only the first ones."""
    used = book.sheets[sheet].used()
    asked = words_of(label)
    counts: Counter[int] = Counter()
    for row, col, found in book.sheets[sheet].cells(used) if used is not None else ():
        text = found.text.casefold()
        if found.formula or not any(word in text for word in wanted):
            continue
        words = words_of(text)
        common = sorted(wanted.intersection(words))
        counts[len(common)] += 1
        if common and counts[len(common)] <= _MOST_TEXTS:
            yield row, col, common, words == asked


def _owned(book: Workbook, sheet: int, row: int, col: int) -> Iterator[tuple[Place, Held]]:
    """The numbers and formulas a text names: those right of it, up to the next table, and those below it, up to the
    next text."""
    book_sheet = book.sheets[sheet]
    for _, at, found in book_sheet.cells(CellRange(row, col + 1, row, col + _ACROSS)):
        if found.formula or found.number is not None:
            yield (sheet, row, at), found
    for at, _, found in book_sheet.cells(CellRange(row + 1, col, row + _DOWN, col)):
        if found.formula or found.number is not None:
            yield (sheet, at, col), found
        elif found.text:
            return
