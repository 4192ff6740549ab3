"""Flaw in the rows of a table: two that were taken as one, and rows of one table that were taken as two tables."""

from collections.abc import Sequence
from itertools import pairwise

from sidecar_pdf.layout.tables import known_flaws as known
from sidecar_pdf.layout.tables.found import FoundTable
from sidecar_pdf.layout.tables.known_flaws import Flaw
from sidecar_pdf.text.segments import Word

_ADJOINING = 2.0  # points between the sides of two parts of one table
# Ems, counts and shares.
_BLANK, _ROOM = 0.3, 0.5  # between two words; left on a line, at least, with the next word on it
_CELLS = 2  # of a row, whose lines end early at the same heights


def two_rows(cells: Sequence[Sequence[list[Word]]]) -> Flaw | None:
    """Flaw in rows, but the first, of which several cells have lines of the same heights that end though the next word
    had room on them: those of two rows. `cells` are the words of each cell, by row."""
    width = [
        max((_length(words) for row in cells for words in _lines(row[at])), default=0.0) for at in range(len(cells[0]))
    ]
    for row in cells[1:]:
        early = [_early_ends(words, wide) for words, wide in zip(row, width, strict=True)]
        if any(ends and early.count(ends) >= _CELLS for ends in early):
            return known.TWO_ROWS
    return None


def _early_ends(words: list[Word], wide: float) -> tuple[int, ...]:
    """The feet of the lines of a cell, if it has several and all but the last end early."""
    lines = _lines(words)
    if len(lines) < 2:
        return ()
    em = max(words[0].style.size, 1.0)
    early = all(
        _length(line) + _BLANK * em + below[0].x1 - below[0].x0 + _ROOM * em < wide for line, below in pairwise(lines)
    )
    return tuple(round(line[0].y1) for line in lines) if early else ()


def _length(line: list[Word]) -> float:
    return line[-1].x1 - line[0].x0


def _lines(words: list[Word]) -> list[list[Word]]:
    """The words of a cell by line."""
    lines: list[list[Word]] = []
    for word in words:
        if lines and word.y0 < (lines[-1][0].y0 + lines[-1][0].y1) / 2:
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


def flag_parts(tables: Sequence[FoundTable]) -> None:
    """Flags tables of one extent of which the lower begins at the rule where the upper ends, and has no head: parts of
    one table, whose columns were not told apart in one of them."""
    parts = [
        part for upper in tables for lower in tables
        if not lower.header_rows and _is_under(lower, upper) for part in (upper, lower)
    ]  # fmt: skip
    for part in {id(part): part for part in parts}.values():
        part.flaws += (known.PART,)


def _is_under(lower: FoundTable, upper: FoundTable) -> bool:
    near = (abs(lower.y0 - upper.y1), abs(lower.x0 - upper.x0), abs(lower.x1 - upper.x1))
    return lower is not upper and max(near) < _ADJOINING
