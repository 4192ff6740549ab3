"""Doubt in the rows of a table: two that were taken as one, rows whose labels stand beside the table, and rows of one
table that were taken as two tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sidecar.api import UNCERTAIN_TABLE
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.found import FoundTable, as_lines
from sidecar_pdf.text.segments import Segment, Word

# What each doubt takes away.
_TWO_ROWS = 0.5  # cells whose lines all end at the same heights, though there was room for more on them
_LABELS_BESIDE = 0.5  # short text beside most rows
_PART = 0.5  # a table that goes on where another ends
_ADJOINING = 2.0  # points between the sides of two parts of one table
# Ems, counts and shares.
_BLANK, _ROOM = 0.3, 0.5  # between two words; left on a line, at least, with the next word on it
_CELLS = 2  # of a row, whose lines end early at the same heights
_BESIDE, _LABEL = 6.0, 12.0  # from a row to its label; the length of one
_LABEL_WORDS, _ROWS_SHARE, _FEW_ROWS = 4, 0.5, 2  # words of a label; rows that have one; rows at least


def two_rows(cells: Sequence[Sequence[list[Word]]]) -> float:
    """Doubt in rows, but the first, of which several cells have lines of the same heights that end though the next word
    had room on them: those of two rows. `cells` are the words of each cell, by row."""
    width = [
        max((_length(words) for row in cells for words in _lines(row[at])), default=0.0) for at in range(len(cells[0]))
    ]
    for row in cells[1:]:
        early = [_early_ends(words, wide) for words, wide in zip(row, width, strict=True)]
        if any(ends and early.count(ends) >= _CELLS for ends in early):
            return _TWO_ROWS
    return 1.0


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


def doubt_parts(tables: Sequence[FoundTable]) -> None:
    """Doubts tables of one extent of which the lower begins at the rule where the upper ends, and has no head: parts of
    one table, whose columns were not told apart in one of them."""
    parts = [
        part for upper in tables for lower in tables
        if not lower.header_rows and _is_under(lower, upper) for part in (upper, lower)
    ]  # fmt: skip
    for part in {id(part): part for part in parts}.values():
        part.confidence = round(part.confidence * _PART, 2)
        part.lines = part.lines or as_lines(rows_of(s for s in part.segments if not s.vertical))


def _is_under(lower: FoundTable, upper: FoundTable) -> bool:
    near = (abs(lower.y0 - upper.y1), abs(lower.x0 - upper.x0), abs(lower.x1 - upper.x1))
    return lower is not upper and max(near) < _ADJOINING


def with_labels_beside(table: FoundTable, free: Sequence[Segment]) -> FoundTable:
    """The table, doubted where short text of `free` stands beside most of its lines: a column that was left out."""
    own = [line for line in rows_of(s for s in table.segments if not s.vertical) if line]
    if table.confidence < UNCERTAIN_TABLE or len(own) <= _FEW_ROWS:
        return table
    em = max(own[0][0].style.size, 1.0)
    near = [
        s for s in free
        if len(s.words) <= _LABEL_WORDS and s.x1 - s.x0 < _LABEL * em and table.y0 < (s.y0 + s.y1) / 2 < table.y1
        and (0 < table.x0 - s.x1 < _BESIDE * em or 0 < s.x0 - table.x1 < _BESIDE * em)
    ]  # fmt: skip
    beside = sum(any(abs(s.y1 - line[0].y1) < _BLANK * em for s in near) for line in own)
    if beside > _ROWS_SHARE * len(own):
        table.confidence = round(table.confidence * _LABELS_BESIDE, 2)
        table.lines = as_lines(own) if table.confidence < UNCERTAIN_TABLE else ()
    return table
