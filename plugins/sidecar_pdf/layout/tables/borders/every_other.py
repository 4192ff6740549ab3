"""Grids of tables of which every other row is filled cell by cell, below a filled head, as jsPDF sets them: the rows
between have the columns of the filled ones. A filled foot is the last row of a grid over it."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from itertools import pairwise
from statistics import median

from sidecar.api import Box
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.borders.drawn_grid import NEXT_LINE, DrawnGrid, components, grid_of, merged_rules
from sidecar_pdf.layout.tables.borders.filled import filled_rows
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment

# Points.
_MIN_HEIGHT, _MIN_WIDTH = 8.0, 12.0  # of a filled cell
_MAX_FOOT, _NEAR_RULE = 60.0, 3.0  # height of a filled foot; between it and the last rule
_TOUCHING = 1.5  # between the sides of two cells side by side
_CUT = 1.0  # by which text may reach over a border
# Counts, and heights of a filled cell.
_MAX_CELLS = 3_000  # of a page: more are a picture
_MAX_RULES = 1_200  # either way
_MAX_ALONE = 100  # filled areas with none of their own height beside them
_APART, _FAR = 0.5, 6.0  # between two filled rows of one table
_MIN_FULL, _LIKE = 2, 1.15  # rows between that hold several cells; heights of the tallest, of one that holds one cell
_FOOT_WIDTH = 0.8  # of a grid's width that a filled foot covers
_ROW_OVER = 1.8  # of a line's height within which a row that is not filled stands over the first


def every_other_grids(fills: list[Box], segments: list[Segment]) -> list[DrawnGrid]:
    """Grids of filled cells with the rows between them that are not filled and hold text in two columns or more. Not
    those under rows that are not filled: where their text stands tells their columns."""
    cells = _cells(fills)
    level = sorted((s for s in segments if not s.vertical), key=_middle) if cells else []
    between = _between(cells, level) if cells else []
    if not between:
        return []
    horizontal = merged_rules(rule for x0, y0, x1, y1 in cells for rule in ((y0, x0, x1), (y1, x0, x1)))
    sides = [rule for x0, y0, x1, y1 in (*cells, *between) for rule in ((x0, y0, y1), (x1, y0, y1))]
    vertical = merged_rules(sides)
    if max(len(horizontal), len(vertical)) > _MAX_RULES:
        return []
    grids: list[DrawnGrid] = []
    for hs, vs in components(horizontal, vertical):
        grid = grid_of(hs, vs)
        left, top, right, bottom = grid.box
        own = [b for b in between if left - _CUT < b[0] and b[2] < right + _CUT and top < b[1] and b[3] < bottom]
        if own and not _rows_over(grid, level):
            grids.append(_with_last_row(grid, level, median(b[3] - b[1] for b in own)))
    return grids


def _cells(fills: list[Box]) -> list[Box]:
    """The filled areas side by side in rows, and those beside them that are as tall as several rows."""
    large = [f for f in fills if f[3] - f[1] > _MIN_HEIGHT and f[2] - f[0] > _MIN_WIDTH]
    rows = filled_rows(large) if 1 < len(large) <= _MAX_CELLS else []
    tiled = [row for row in rows if len(row) > 1]
    alone = [row[0] for row in rows if len(row) == 1]
    beside = [
        f for f in alone if len(alone) <= _MAX_ALONE
        and any(
            min(abs(f[2] - row[0][0]), abs(f[0] - row[-1][2])) < _TOUCHING and f[1] < row[0][3] and row[0][1] < f[3]
            for row in tiled
        )
    ]  # fmt: skip
    return [*(f for row in tiled for f in row), *beside]


def _between(cells: list[Box], segments: list[Segment]) -> list[Box]:
    """The cells that are not filled, between filled ones of the same sides, of rows that hold text in several columns
    and across none of their sides."""
    columns: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)
    for cell in cells:
        columns[round(cell[0]), round(cell[2])].append(cell)
    bands: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)
    for column in columns.values():
        for above, below in pairwise(sorted(column, key=lambda cell: cell[1])):
            heights, apart = (above[3] - above[1], below[3] - below[1]), below[1] - above[3]
            if _APART * min(heights) < apart < _FAR * max(heights):
                bands[round(above[3]), round(below[1])].append((above[0], above[3], above[2], below[1]))
    held = [(band, _columns_held(band, segments)) for band in bands.values()]
    full = [band[0][3] - band[0][1] for band, columns in held if columns > 1]
    tall = _LIKE * max(full, default=0.0)
    return [
        cell for band, columns in held
        if columns > 1 or (columns == 1 and len(full) >= _MIN_FULL and band[0][3] - band[0][1] < tall)
        for cell in band
    ]  # fmt: skip


def _middle(segment: Segment) -> float:
    return (segment.y0 + segment.y1) / 2


def _columns_held(band: list[Box], segments: list[Segment]) -> int:
    """How many of the cells side by side hold text; none of them where text stands across a side. The `segments` come
    from the top."""
    top, bottom = band[0][1], band[0][3]
    left, right = min(cell[0] for cell in band), max(cell[2] for cell in band)
    sides = {x for cell in band for x in (cell[0], cell[2])}
    inside = segments[bisect_right(segments, top, key=_middle) : bisect_left(segments, bottom, key=_middle)]
    words = [w for s in inside for w in s.words if left < w.x1 and w.x0 < right]
    if any(w.x0 + _CUT < x < w.x1 - _CUT for w in words for x in sides):
        return 0
    return sum(any(cell[0] <= (w.x0 + w.x1) / 2 < cell[2] for w in words) for cell in band)


def _rows_over(grid: DrawnGrid, segments: list[Segment]) -> bool:
    """Whether text of several columns stands right over a grid."""
    left, top, right, _ = grid.box
    over = [s for s in segments if left < s.x1 and s.x0 < right and s.y1 < top + _CUT]
    for line in reversed(rows_of(over)):
        if top - line[0].y1 >= _ROW_OVER * (line[0].y1 - line[0].y0):
            return False
        if len({grid.column_at((s.x0 + s.x1) / 2) for s in line}) > 1:
            return True
        top = min(s.y0 for s in line)
    return False


def _with_last_row(grid: DrawnGrid, segments: list[Segment], height: float) -> DrawnGrid:
    """The grid with the row below it that is not filled, where the lines that begin within the `height` of one hold
    text of several columns; those that follow as lines of a cell are of it too."""
    left, _, right, bottom = grid.box
    below = segments[bisect_right(segments, bottom, key=_middle) :]
    lines = rows_of(s for s in below if left - _CUT < s.x0 and s.x1 < right + _CUT)
    end = bottom
    for line in lines:
        top, size = min(s.y0 for s in line), max(s.y1 - s.y0 for s in line)
        if top - end > (NEXT_LINE * size if end > bottom else height / 2):
            break
        end = max(s.y1 for s in line)
    xs = [rule[0] for rule in grid.vertical if rule[2] > bottom - _CUT]
    cells = [(x0, bottom, x1, end) for x0, x1 in pairwise(sorted(xs))]
    if end == bottom or _columns_held(cells, segments) < 2:
        return grid
    low = max(end + _CUT, min(end + (end - bottom) / 4, bottom + height))
    sides: list[Rule] = [(x, bottom, low) for x in xs]
    across: Rule = (low, left, right)
    return DrawnGrid(grid.xs, [*grid.ys, low], [*grid.horizontal, across], [*grid.vertical, *sides])


def with_filled_foot(grid: DrawnGrid, fills: list[Box], segments: list[Segment]) -> DrawnGrid:
    """The grid with filled cells side by side right below it as a row, where two of its columns hold text there and
    none stands across a border between two of the cells."""
    left, _, right, bottom = grid.box
    foot = [
        f for f in fills
        if abs(f[1] - bottom) < _NEAR_RULE and _MIN_HEIGHT < f[3] - f[1] < _MAX_FOOT
        and f[0] > left - _NEAR_RULE and f[2] < right + _NEAR_RULE
    ]  # fmt: skip
    if not foot or max(f[3] for f in foot) - min(f[3] for f in foot) > _TOUCHING:
        return grid
    if sum(f[2] - f[0] for f in foot) < _FOOT_WIDTH * (right - left):
        return grid
    low = max(f[3] for f in foot)
    xs = [x for x in grid.xs if x in (left, right) or any(abs(f[0] - x) < _NEAR_RULE for f in foot) or len(foot) == 1]
    level = sorted((s for s in segments if not s.vertical), key=_middle)
    if _columns_held([(x0, bottom, x1, low) for x0, x1 in pairwise(xs)], level) < 2:
        return grid
    across: list[Rule] = [(bottom, left, right), (low, left, right)]
    vertical: list[Rule] = [(x, bottom, low) for x in xs]
    return DrawnGrid(grid.xs, [*grid.ys, low], [*grid.horizontal, *across], [*grid.vertical, *vertical])
