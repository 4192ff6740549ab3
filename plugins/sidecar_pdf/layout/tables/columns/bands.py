"""Finds rows of cells that hold several lines where nothing but white parts them: wider white than between two lines of
a cell, and in each row cells in the middle of it, as web pages set them, or at its top under names of columns in bold.

Of running text in columns neither holds: its paragraphs begin and end where they like."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.columns.fields import are_fields
from sidecar_pdf.layout.tables.found import cell_text, is_list, off_edges, spread_of
from sidecar_pdf.layout.tables.grid_rows import Cells, Columns
from sidecar_pdf.text.segments import Segment

# Heights of a line.
_LAPPED = 0.15  # by which cells of one row overlap
_MAX_WHITE = 2.6  # between two rows
_APART = 0.12  # by which the white between two rows is wider than that between the lines of a cell
_NEXT_LINE, _NEXT_NAMED = 0.5, 0.75  # between two lines of a cell, at most; under names of columns
_OFF = 0.15  # by which a cell may be off the middle or the top of its row
# Ems.
_GUTTER, _TOLD_GUTTER = 0.6, 0.1  # of white between two columns; where the file tells their pieces apart
# Points.
_SAME_EDGE = 2.5  # median distance of the cells of a column from their common edge or middle
# Counts and shares.
_MIN_ROWS = 3  # of a table under no names
_TOLD_ROWS = 2  # whose cells differ in their lines; one is enough under names, and beside labels of fields
_ONE_LINED = 2  # cells of one line, which tell that a row is one
_MOSTLY = 0.5  # of rows under names of columns, that have their cells in the middle: a table, if no certain one
_MAX_BEFORE = 12  # lines of the first row over its label
_MAX_GUTTERS = 32  # between columns of text
_MIN_LETTERS = 5  # of a line of a cell of several lines, on the average
_LABEL = 40  # characters of a label at the top of its row, on the average
_BROKEN = re.compile(r"\d[-–/]$")
"""A line that ends within a range or a number."""

_Level = list[Segment]
"""Pieces that overlap in height, each with another."""


class BandedRows(NamedTuple):
    """The texts of rows, the words of each cell, the extents of the columns, how many rows name these, and whether the
    cells of all rows are set alike: else it is but likely that they are rows."""

    texts: list[list[str]]
    cells: list[Cells]
    columns: Columns
    header_rows: int
    even: bool


def banded_rows(rows: Sequence[Sequence[Segment]]) -> list[tuple[int, int, BandedRows]]:
    """The tables among lines of text, in the pieces columns may part: first line, the one past the last, and cells."""
    levels = _levels(rows)
    pieces = [level for _, _, level in levels]
    found: list[tuple[int, int, BandedRows]] = []
    at = done = 0
    while at < len(levels):
        gutters = _gutters(pieces[at])
        start, end = at, at + 1
        while gutters and end < len(levels) and (less := _kept(gutters, pieces[end - 1], pieces[end])):
            gutters, end = less, end + 1
        leading = _leading(pieces[at:end], gutters)
        while start > max(done, at - _MAX_BEFORE) and _kept(gutters, pieces[start - 1], pieces[start]):
            if _white(pieces[start - 1], pieces[start]) > leading + _APART * _height(pieces[start]):
                break
            start -= 1  # the first lines of a cell beside the one in its middle
        bands = _whole(_parted(pieces[start:end], gutters, leading))
        held = _rows_of([cells for _, cells in bands]) if len(bands) > 1 else None
        if held is not None:
            first, last = start + bands[0][0][0], start + bands[-1][0][1]
            found.append((levels[first][0], levels[last - 1][1], held))
            done = end
        at = end
    return found


def _levels(rows: Sequence[Sequence[Segment]]) -> list[tuple[int, int, _Level]]:
    """Lines that overlap in height, as one: the first, the one past the last, and their pieces."""
    levels: list[tuple[int, int, _Level]] = []
    bottom = 0.0
    for at, row in enumerate(rows):
        top, height = min(s.y0 for s in row), row[0].y1 - row[0].y0
        lapped = _LAPPED * height if height > row[0].style.size else 0.0  # boxes that end with the ink hardly touch
        if levels and top < bottom - lapped:
            first, _, pieces = levels[-1]
            pieces += row
            levels[-1] = (first, at + 1, pieces)
            bottom = max(bottom, *(s.y1 for s in row))
        else:
            levels.append((at, at + 1, [*row]))
            bottom = max(s.y1 for s in row)
    return levels


def _height(level: _Level) -> float:
    return max(level[0].y1 - level[0].y0, level[0].style.size)  # boxes may end with the ink


def _white(above: _Level, below: _Level) -> float:
    return min(s.y0 for s in below) - max(s.y1 for s in above)


def _gutters(level: _Level) -> Columns:
    """The white between the columns that the pieces of one level stand in; nothing where they are too many."""
    gutters: Columns = []
    least = _least_gutter(level)
    right = 0.0
    for at, piece in enumerate(sorted(level, key=lambda s: s.x0)):
        if at and piece.x0 - right > least:
            gutters.append((right, piece.x0))
        right = max(right, piece.x1)
    return gutters if len(gutters) <= _MAX_GUTTERS else []


def _least_gutter(level: _Level) -> float:
    return (_TOLD_GUTTER if all(s.words[0].apart for s in level) else _GUTTER) * max(level[0].style.size, 1.0)


def _kept(gutters: Columns, above: _Level, below: _Level) -> Columns:
    """What pieces of the next level, or the one before, leave of the white between columns; nothing where they close
    one, or are too far away."""
    if not -1.0 < _white(above, below) < _MAX_WHITE * _height(above):
        return []
    kept = gutters
    for piece in below:
        kept = [_beside(gutter, piece) for gutter in kept]
    least = _least_gutter(below)
    return kept if all(right - left > least for left, right in kept) else []


def _beside(gutter: tuple[float, float], piece: Segment) -> tuple[float, float]:
    """The white that a piece leaves of a gutter, on the side away from where its middle is."""
    left, right = gutter
    if piece.x0 + piece.x1 < left + right:
        return max(left, piece.x1), right
    return left, min(right, piece.x0)


def _leading(levels: Sequence[_Level], gutters: Columns) -> float:
    """The least white from line to line in one column: that between the lines of a cell, if any has several."""
    columns = _cells([piece for level in levels for piece in level], gutters)
    lines = [rows_of(column) for column in columns]
    return min((_white(*pair) for column in lines for pair in pairwise(column)), default=0.0)


_Cell = list[Segment]
_Band = tuple[tuple[int, int], list[_Cell]]
"""The levels of a row, and the pieces in each of its columns."""


def _parted(levels: Sequence[_Level], gutters: Columns, leading: float) -> list[_Band]:
    """The rows that white wider than the `leading` within cells parts."""
    starts = [
        at for at, level in enumerate(levels)
        if not at or _white(levels[at - 1], level) > leading + _APART * _height(level)
    ]  # fmt: skip
    ends = [*starts[1:], len(levels)]
    return [
        ((start, end), _cells([piece for level in levels[start:end] for piece in level], gutters))
        for start, end in zip(starts, ends, strict=True)
    ]


def _cells(pieces: Sequence[Segment], gutters: Columns) -> list[_Cell]:
    """Pieces by the column they stand in."""
    cells: list[_Cell] = [[] for _ in range(len(gutters) + 1)]
    borders = [(left + right) / 2 for left, right in gutters]
    for piece in pieces:
        cells[bisect_right(borders, (piece.x0 + piece.x1) / 2)].append(piece)
    return cells


def _whole(bands: list[_Band]) -> list[_Band]:
    """The first rows on end that have a label and a cell behind it, of two columns both; among more of them a label of
    one line alone is a row too."""
    held = [bool(cells[0]) and any(cells[1:]) for _, cells in bands]
    if True not in held:
        return []
    start, end = held.index(True), len(held) - held[::-1].index(True)
    bare = [cells[0] for (_, cells), whole in zip(bands[start:end], held[start:end], strict=True) if not whole]
    if 2 * len(bare) < end - start and all(label and len(rows_of(label)) == 1 for label in bare):
        return bands[start:end]
    return bands[start : held.index(False, start) if False in held[start:] else None]


def _rows_of(rows: list[list[_Cell]]) -> BandedRows | None:
    """The cells of rows, where enough of them tell that they are rows of a table; else None."""
    height = median(s.y1 - s.y0 for row in rows for cell in row for s in cell)
    named = all(all(s.style.bold for s in cell) and cell for cell in rows[0])
    named = named and not any(s.style.bold for row in rows[1:] for s in row[-1])
    lines = [[rows_of(cell) for cell in row] for row in rows]
    told = [row for row in lines[named:] if len({len(cell) for cell in row if cell}) > 1]
    sure = named or (all(map(all, rows)) and are_fields([[cell[0] for cell in row] for row in rows]))
    if len(told) < (1 if sure else _TOLD_ROWS) or len(lines) < (2 if sure else _MIN_ROWS):
        return None
    level = all(_are_level([cell[0] for cell in row if cell], height) for row in told)
    middle = [_are_level([[s for line in cell for s in line] for cell in row if cell], height) for row in told]
    even = _are_text(told, named=named) and (all(middle) or (named and level))
    likely = sum(own and all(map(_is_text, row)) for own, row in zip(middle, told, strict=True))
    if not even and not (named and likely > max(1, _MOSTLY * len(told))):
        return None
    columns: Columns = []
    for column in zip(*rows, strict=True):
        sides = [(min(s.x0 for s in cell), max(s.x1 for s in cell)) for cell in column[named:] if cell]
        if not sides or min(spread_of(list(ends)) for ends in zip(*sides, strict=True)) > _SAME_EDGE:
            return None
        own = [s for cell in column for s in cell]
        columns.append((min(s.x0 for s in own), max(s.x1 for s in own)))
    cells = [
        [[w for line in cell for s in sorted(line, key=lambda s: s.x0) for w in s.words] for cell in row]
        for row in lines
    ]
    texts = [[cell_text(words) for words in row] for row in cells]
    if level and (is_list(texts) or median(len(row[0]) for row in texts[named:]) > _LABEL):
        return None
    return BandedRows(texts, cells, columns, int(named), even)


def _are_level(cells: Sequence[Sequence[Segment]], height: float) -> bool:
    """Whether cells of one row, or the first lines of them, have their middle at one height."""
    middles = [(min(s.y0 for s in cell) + max(s.y1 for s in cell)) / 2 for cell in cells]
    return max(middles) - min(middles) < _OFF * height


def _are_text(rows: Sequence[Sequence[list[list[Segment]]]], *, named: bool) -> bool:
    """Whether the cells of rows of which some have several lines hold words in these. Under names of columns one of a
    row may be a number or a sign beside one of one line, where most rows have two such: several rows would have as many
    lines in all."""
    broken = [[cell for cell in row if not _is_text(cell)] for row in rows]
    lone = [sum(len(cell) == 1 for cell in row) for row in rows]
    if not any(broken) or not named or 2 * sum(alone >= _ONE_LINED for alone in lone) <= len(rows):
        return not any(broken)
    return all(
        not own or (alone and len(own) < 2 and _is_text(own[0], named=True))
        for own, alone in zip(broken, lone, strict=True)
    )


def _is_text(lines: list[list[Segment]], *, named: bool = False) -> bool:
    """Whether the lines of a cell stand right below one another, begin, end or have their middle at one place, and hold
    words, or a figure that goes on behind its dash: no fraction does, nor do labels of several rows. Where rows are
    told by what is `named` over them, they may hold anything, and stand as far apart as those of web pages."""
    if len(lines) < 2:
        return True
    sides = [(min(s.x0 for s in line), max(s.x1 for s in line)) for line in lines]
    letters = sum(len(s.text) for line in lines for s in line if any(map(str.isalpha, s.text)))
    most = _NEXT_NAMED if named else _NEXT_LINE
    near = all(_white(above, below) < most * _height(above) for above, below in pairwise(lines))
    even = all(off_edges(side, sides[0]) < _SAME_EDGE for side in sides[1:])
    broken = all(_BROKEN.search(line[-1].text) for line in lines[:-1])
    return near and even and (named or broken or letters >= _MIN_LETTERS * len(lines))
