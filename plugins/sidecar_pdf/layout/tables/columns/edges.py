"""Where the cells of a table's columns begin and end, and the lines beyond its own that keep to these places: rows left
out where a table goes on overleaf."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median

from sidecar_pdf.layout.clusters import FoundFigure
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.found import FoundTable, cell_text, white_between
from sidecar_pdf.layout.tables.grid_rows import Cells
from sidecar_pdf.text.segments import Segment, Word

# Points.
_SAME_EDGE = 1.0  # between the sides of two cells of one column
_OVER = 1.0  # by which a cell may reach over the white before the next column
# Ems.
_APART = 0.9  # of white that parts two pieces of a line
_SAME_SIZE = 0.05  # by which the type of rows may differ
# Heights of a line.
_NEXT_LINE = 0.6  # of white, at most, over a further line of a cell
_NEXT_ROW = 1.6  # of white, at most, over a row, if no two rows of the table stand farther apart
_AS_EVEN = 1.2  # times the most white between two lines of the table, the same
# Shares and counts.
_USUAL = 0.6  # of the cells of a column, that begin or end at one place
_MIN_ROWS = 3  # of a table that rows are added to
_MAX_ADDED = 40  # rows under a table
_END_LINES = 12  # of a page's beginning and end, that may be rows of a table overleaf


@dataclass(frozen=True)
class ColumnEdges:
    """What a table's lines keep to: of each column where its cells begin and where they end, or None where they do so
    anywhere, and the extents of the columns; the size of type, and the most white between two lines, in points."""

    sides: tuple[tuple[float | None, float | None], ...]
    columns: tuple[tuple[float, float], ...]
    size: float
    white: float

    def cells(self, line: Sequence[Segment]) -> Cells | None:
        """The words of a line by columns; None where a piece of it keeps to no column, or is set in another size."""
        words = sorted((w for s in line for w in s.words), key=lambda w: w.x0)
        if (
            any(s.vertical for s in line)
            or abs(median(w.style.size for w in words) - self.size) > _SAME_SIZE * self.size
        ):
            return None
        cells: Cells = [[] for _ in self.columns]
        last = -1
        for piece in self._pieces(words):
            at = next((at for at in range(last + 1, len(cells)) if self._fits(piece, at)), None)
            if at is None:
                return None
            cells[at], last = piece, at
        return cells

    def rows(self, lines: Sequence[Sequence[Segment]]) -> tuple[list[list[str]], int]:
        """The rows that the first of some lines are, and how many lines that is. A row has a first cell and another;
        further lines of its cells stand close under it."""
        rows: list[Cells] = []
        taken = 0
        for line in lines:
            cells = self.cells(line)
            if cells is None:
                break
            white = white_between(lines[taken - 1], line) if taken else 0.0
            height = max(line[0].y1 - line[0].y0, 1.0)
            if taken and white > max(_NEXT_ROW * height, _AS_EVEN * self.white):
                break
            filled = sum(map(bool, cells))
            if filled == 1 and rows and white < _NEXT_LINE * height:
                rows[-1] = [one + other for one, other in zip(rows[-1], cells, strict=True)]
            elif filled > 1 and cells[0]:
                rows.append(cells)
            else:
                break
            taken += 1
        return [[cell_text(cell) for cell in row] for row in rows], taken

    def opening_rows(self, lines: list[list[Segment]]) -> tuple[list[list[str]], list[list[Segment]]]:
        """The rows that the first of some lines are, and these lines."""
        rows, count = self.rows(lines)
        return rows, lines[:count]

    def closing_rows(self, lines: list[list[Segment]]) -> tuple[list[list[str]], list[list[Segment]]]:
        """The rows that the last of some lines are, as many as there are, and these lines."""
        for start in range(len(lines)):
            rows, count = self.rows(lines[start:])
            if count == len(lines) - start:
                return rows, lines[start:]
        return [], []

    def _pieces(self, words: list[Word]) -> list[list[Word]]:
        """The words of a line parted by wide white, and where a column begins behind less."""
        pieces: list[list[Word]] = []
        for word in words:
            white = word.x0 - max((w.x1 for w in pieces[-1]), default=0.0) if pieces else 0.0
            begins = white > 0 and any(left is not None and abs(word.x0 - left) < _SAME_EDGE for left, _ in self.sides)
            if not pieces or begins or white > _APART * self.size:
                pieces.append([word])
            else:
                pieces[-1].append(word)
        return pieces

    def _fits(self, piece: list[Word], at: int) -> bool:
        """Whether a piece of a line begins or ends where the cells of a column do, and does not reach into the next."""
        left, right = self.sides[at]
        start, end = piece[0].x0, max(w.x1 for w in piece)
        if at and start < self.columns[at - 1][1] - _OVER:
            return False
        if at + 1 < len(self.columns) and end > self.columns[at + 1][0] + _OVER:
            return False
        at_left = left is not None and abs(start - left) < _SAME_EDGE
        return at_left or (right is not None and abs(end - right) < _SAME_EDGE)


def column_edges(table: FoundTable) -> ColumnEdges | None:
    """What the lines of a table keep to; None where a column has no side of its own, or there are too few lines."""
    lines = rows_of(s for s in table.segments if not s.vertical)
    if len(lines) < _MIN_ROWS - 1 or len(table.columns) < 2:
        return None
    sides: list[tuple[float | None, float | None]] = []
    for low, high in table.columns:
        own = [[w for s in line for w in s.words if low - _OVER <= w.x0 and w.x1 <= high + _OVER] for line in lines]
        starts = [min(w.x0 for w in words) for words in own if words]
        ends = [max(w.x1 for w in words) for words in own if words]
        sides.append((_usual(starts), _usual(ends)))
    if any(side == (None, None) for side in sides):
        return None
    size = median(s.style.size for line in lines for s in line)
    white = max(white_between(upper, lower) for upper, lower in pairwise(lines))
    return ColumnEdges(tuple(sides), tuple(table.columns), size, white)


def _usual(places: list[float]) -> float | None:
    """Where most of some places are."""
    middle = median(places) if len(places) > 1 else None
    if middle is None or sum(abs(place - middle) < _SAME_EDGE for place in places) < _USUAL * len(places):
        return None
    return middle


def end_lines(
    free: Sequence[Segment], floats: Sequence[FoundTable | FoundFigure]
) -> tuple[list[list[Segment]], list[list[Segment]]]:
    """The lines of text before all tables and figures of a page, and those behind them, a few of each."""
    top, bottom = min((f.y0 for f in floats), default=inf), max((f.y1 for f in floats), default=0.0)
    level = [s for s in free if not s.vertical]
    first = [s for s in level if s.y1 <= top + _OVER]
    last = [s for s in level if s.y0 >= bottom - _OVER]
    return rows_of(first)[:_END_LINES], rows_of(last)[-_END_LINES:]


def takes_row_above(table: FoundTable, line: Sequence[Segment]) -> bool:
    """Whether a line of one piece over a table without a head is its first row, and so has become one: its first cell,
    wider than all others, comes as near to the next one as words do, and all stand as those of the rows do."""
    edges = column_edges(table) if len(line) == 1 and not table.header_rows and not table.merges else None
    if edges is None:
        return False
    lines = rows_of(table.segments)
    own = [white_between(upper, lower) for upper, lower in pairwise(lines)]
    cells = edges.cells(line) if abs(white_between(line, lines[0]) - median(own)) < _OVER else None
    if cells is None or not all(cells) or cells[0][-1].x1 < edges.columns[0][1]:
        return False
    first = [words[0] for row in lines for words in [row[0].words] if words[0].x0 < edges.columns[0][1]]
    if any(word.style != cells[0][0].style for word in first):
        return False
    table.rows.insert(0, [cell_text(cell) for cell in cells])
    table.segments += line
    table.y0 = min(table.y0, line[0].y0)
    table.columns[0] = (table.columns[0][0], cells[0][-1].x1)
    return True


def take_rows(tables: Sequence[FoundTable], free: Sequence[Segment]) -> None:
    """Adds the lines right under a table that keep to its columns to it, as rows: the last rule of a table that goes on
    overleaf is not drawn."""
    for table in tables:
        foot = max([s.y1 for s in table.segments], default=table.y1)
        below = [s for s in free if s.y0 > foot - _OVER and not s.vertical]
        near = [s for s in below if s.y0 - foot < _NEXT_ROW * (s.y1 - s.y0) + _AS_EVEN * (table.y1 - table.y0)]
        if len(table.rows) < _MIN_ROWS or len(near) < 2:
            continue
        edges = column_edges(table)
        lines = rows_of(below)[:_MAX_ADDED]
        height = max(lines[0][0].y1 - lines[0][0].y0, 1.0)
        if edges is None or lines[0][0].y0 - foot > max(height, _AS_EVEN * edges.white):
            continue
        rows, count = edges.rows(lines)
        if rows:
            table.rows += rows
            table.segments += [s for line in lines[:count] for s in line]
            table.y1 = max(table.y1, *(s.y1 for line in lines[:count] for s in line))
