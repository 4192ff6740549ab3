"""Flaws of a finished table: what stands next to it, and what it holds that right ones seldom do. Nothing is chosen by
these flaws; they are shown."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables import known_flaws as known
from sidecar_pdf.layout.tables.columns.told import parted
from sidecar_pdf.layout.tables.found import NUMERIC, FoundTable, white_between
from sidecar_pdf.layout.tables.known_flaws import Flaws, some
from sidecar_pdf.text.segments import Segment

# Ems, times and counts.
_AS_NEAR, _AS_EVEN = 0.6, 1.15  # white to the next line; times that between rows
_NEXT, _WITHIN = 0.7, 0.2  # white to a line like a row, at most; how far it may reach into the table
_BESIDE, _LABEL, _SAME_LINE = 6.0, 12.0, 0.3  # from a row to its label; the length of one; between their feet
_LABEL_WORDS, _ROWS_SHARE, _FEW_ROWS = 4, 0.5, 2  # words of a label; rows that have one; rows at least
_ROW_PIECES = 3  # of a line like a row
_FEW_COLUMNS, _NAMELESS = 2, 0.1  # columns; rows without a first cell
_SMALL, _HARDLY, _RAGGED = 0.4, 0.2, 4  # rows that begin so; that fill a column; different numbers of cells of a row
_FIGURES, _MIXED, _TOLD = 0.6, 2, 4  # cells of a column of figures; columns of them with words; cells that tell
_WHITE = 0.6  # ems of white that parts two columns
_OTHER_LINE = 0.4  # ems between the feet of two lines
_NOTE_MARKS = "*†‡§"
_BROKEN = re.compile(r"(?:[^\W\d_]{2}|(?<!\d)\d{1,3})[-–‐]$|[a-z]- [a-z]")
"""A word or a range that ends with its hyphen or dash, no years that are open, and a word with a blank behind it."""


def flag_next_to(table: FoundTable, near: Iterable[Segment]) -> None:
    """Flags a table where a line of text `near` stands over or under it, as close as its rows, in its columns or of
    several pieces: a row of it, or a head, that was left out."""
    own = _lines_of(table)
    if len(own) < _FEW_ROWS:
        return
    em = max(median(s.style.size for line in own for s in line), 1.0)
    white = median([white_between(upper, lower) for upper, lower in pairwise(own)])
    reach = max(_AS_NEAR * em, _AS_EVEN * white)
    top, bottom = min(s.y0 for s in own[0]), max(s.y1 for s in own[-1])
    far = max(reach, _NEXT * em)
    lines = [
        line for line in rows_of(s for s in near if not s.vertical and table.y0 - far < s.y1 and s.y0 < table.y1 + far)
        if min(s.x0 for s in line) > table.x0 - em and max(s.x1 for s in line) < table.x1 + em
    ]  # fmt: skip
    left = any(
        _is_left(parted(line), table) for line in lines if top - reach < line[0].y1 and line[0].y0 < bottom + reach
    )
    pieces = max((len(line) for line in lines if _is_next(line, table, em)), default=0)
    rows_left = known.ROW_LEFT if pieces >= _ROW_PIECES else known.PIECES_LEFT if pieces > 1 else None
    table.flaws += some(known.TEXT_LEFT if left else None, rows_left)


def _lines_of(table: FoundTable) -> list[list[Segment]]:
    """The lines of text a table holds."""
    return rows_of(s for s in table.segments if not s.vertical)


def _is_next(line: list[Segment], table: FoundTable, em: float) -> bool:
    """Whether a line stands right over or under a table."""
    above, below = table.y0 - max(s.y1 for s in line), min(s.y0 for s in line) - table.y1
    return -_WITHIN * em < max(above, below) < _NEXT * em


def _is_left(line: list[Segment], table: FoundTable) -> bool:
    """Whether the pieces of a line stand each in one column of a table, and not in the first alone."""
    if line[0].text[0] in _NOTE_MARKS or table.y0 < (line[0].y0 + line[0].y1) / 2 < table.y1:
        return False
    at = [[c for c, (left, right) in enumerate(table.columns) if s.x0 < right and s.x1 > left] for s in line]
    return all(len(own) == 1 for own in at) and ([0] not in at or len(at) > 1)


def flag_beside(table: FoundTable, free: Sequence[Segment]) -> None:
    """Flags a table where short text of `free` stands beside most of its lines: a column that was left out."""
    own = _lines_of(table)
    if len(own) <= _FEW_ROWS:
        return
    em = max(own[0][0].style.size, 1.0)
    near = [
        s for s in free
        if len(s.words) <= _LABEL_WORDS and s.x1 - s.x0 < _LABEL * em and table.y0 < (s.y0 + s.y1) / 2 < table.y1
        and (0 < table.x0 - s.x1 < _BESIDE * em or 0 < s.x0 - table.x1 < _BESIDE * em)
    ]  # fmt: skip
    beside = sum(any(abs(s.y1 - line[0].y1) < _SAME_LINE * em for s in near) for line in own)
    table.flaws += (known.LABELS_BESIDE,) if beside > _ROWS_SHARE * len(own) else ()


def flaws_of(table: FoundTable, rows: list[list[str]]) -> Flaws:
    """All flaws of a finished table that holds the texts `rows`."""
    heads = rows[: table.header_rows]
    nameless = bool(heads) and not all(map(any, [*zip(*heads, strict=True)][1:]))
    cells = [text for row in rows for text in row if text]
    merged = any(merge.row >= table.header_rows and merge.cols > 1 for merge in table.merges)
    drawn = table.base >= known.DRAWN
    several = known.SEVERAL_LINES if drawn or table.base == known.BANDED else known.SEVERAL_LINES_TOLD
    return table.flaws + some(
        known.UNNAMED if not heads and not table.ruled else None,
        known.NAMELESS_COLUMN if nameless else None,
        known.MERGED_CELLS if merged else None,
        known.HEAD_WITHOUT_ROWS if _is_head_alone(rows) else None,
        known.FEW_ROWS if len(rows) <= _FEW_ROWS else None,
        known.FOUR_CELLS if len(rows) <= _FEW_ROWS and len(rows[0]) == _FEW_COLUMNS else None,
        known.THREE_ROWS if len(rows) == _FEW_ROWS + 1 and not drawn else None,
        known.UNPARTED if not drawn and _columns_parted(table) < len(rows[0]) else None,
        *_without_first(rows, table),
        *_uneven_rows(rows, table),
        several if _lines(table) > len(rows) else None,
        known.OPEN_BRACKET if any(text.count("(") != text.count(")") for text in cells) else None,
        known.BROKEN_WORD if any(map(_BROKEN.search, cells)) else None,
    )


def _without_first(rows: list[list[str]], table: FoundTable) -> Flaws:
    """Flaw in rows without a first cell, nor one that reaches over several, and in a first row that holds nothing but
    another one, which is not a head of a group of columns."""
    body = rows[table.header_rows :]
    labelled = {at for m in table.merges if m.col == 0 for at in range(m.row, m.row + m.rows)}
    nameless = [at for at, row in enumerate(body, table.header_rows) if not row[0] and any(row) and at not in labelled]
    grouped = any(m.row == 0 and m.cols > 1 for m in table.merges)
    lone = not rows[0][0] and sum(map(bool, rows[0])) == 1 and not grouped
    often = len(nameless) > _NAMELESS * len(body)
    return some(known.NAMELESS_ROWS if often else None, known.LONE_HEAD if lone else None)


def _uneven_rows(rows: list[list[str]], table: FoundTable) -> Flaws:
    """Flaw in rows that differ from one another, whatever drew them: lines of one row, and cells in a wrong column. A
    cell over several rows is one of each."""
    grid = [[*row] for row in rows]
    for merge in table.merges:
        for row in grid[merge.row + 1 : merge.row + merge.rows]:
            row[merge.col] = rows[merge.row][merge.col]
    body = grid[table.header_rows :] or grid
    small = sum(row[0][:1].islower() for row in body)
    alone = any(not row[0] and sum(map(bool, row)) == 1 for row in body)
    own = [[text for text in column if text] for column in zip(*body, strict=True)]
    figures = [sum(map(bool, map(NUMERIC.match, cells))) / len(cells) for cells in own if len(cells) >= _TOLD]
    return some(
        known.WITHIN_ALONE if alone else None,
        known.HARDLY_FILLED if any(0 < len(cells) < _HARDLY * len(body) for cells in own) else None,
        known.SMALL_LETTERS if 0 < small < _SMALL * len(body) else None,
        known.RAGGED if len({sum(map(bool, row)) for row in body}) >= _RAGGED else None,
        known.SAID_TWICE if len(set(map(tuple, rows))) < len(rows) else None,
        known.MIXED if sum(_FIGURES <= share < 1 for share in figures) >= _MIXED else None,
    )


def _columns_parted(table: FoundTable) -> int:
    """How many columns the white parts that runs through all lines of several pieces."""
    words = [w for line in _lines_of(table) if len(line) > 1 for s in line for w in s.words]
    if not words:
        return 1
    white = _WHITE * max(median(w.style.size for w in words), 1.0)
    found, end = 1, min(w.x1 for w in words)
    for word in sorted(words, key=lambda w: w.x0):
        found += word.x0 - end > white
        end = max(end, word.x1)
    return found


def _is_head_alone(rows: list[list[str]]) -> bool:
    """Whether two rows are names of columns, and names under a few of them: the rows of it are somewhere else."""
    if len(rows) != _FEW_ROWS or any(map(NUMERIC.match, [*rows[0], *rows[1]])):
        return False
    under = [bool(text) for text in rows[1]]
    return not under[0] and sum(under) > 1 and 2 * sum(under) < len(under)


def _lines(table: FoundTable) -> int:
    """How many lines of text a table has."""
    feet = sorted(s.y1 for s in table.segments if not s.vertical)
    em = max(median(s.style.size for s in table.segments), 1.0) if table.segments else 1.0
    return 1 + sum(lower - upper > _OTHER_LINE * em for upper, lower in pairwise(feet)) if feet else 0
