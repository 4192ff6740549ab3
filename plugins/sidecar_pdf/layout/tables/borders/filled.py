"""Borders of a drawn grid that neither rules nor white space tell: the edges of filled rows and cells, a header in
filled boxes, and a header that stands over the first rule without any."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from sidecar.api import Box
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.borders.drawn_grid import AT_RULE, CELL_GAP, DrawnGrid, positions
from sidecar_pdf.pdfium.geometry import bounding_box
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment

# Points.
SAME_LEVEL = 3.0  # between the edges of filled cells of heads, those of one level and those side by side
_NEAR = 3.0  # between a filled box and a rule, or two borders that are one
_MIN_HEADER, _MAX_HEADER = 8.0, 60.0  # height of filled boxes that are a header
_MIN_FILLED = 12.0  # width of a filled cell without any rules
_CUT = 1.0  # by which text may reach over a border
_SAME_EDGE = 2.0  # between a head and the cells under it, where both begin, end or have their middle
_MIN_STRIPE, _MAX_STRIPE = 6.0, 150.0  # height of a filled row, whose cells may have several lines
_MIN_WIDTH = 60.0  # of a filled row
_MAX_NAME = 150.0  # left of filled cells, in which the names of their rows stand
_SAME_EXTENT, _SAME_RULE = 5.0, 1.5  # between the ends of filled rows of one table; the heights of cells of one
# Shares and counts.
_MAX_CELLS = 24  # filled one by one in a row
_APART = 0.5  # of the height of a filled row, at least, is between two of them
_FAR = 3.0  # heights of the tallest filled row within which the next one begins
_HEADER_WIDTH = 0.8  # of the grid's width that the boxes of a header cover
_ROW_WIDTH = 0.5  # of the grid's width that the filled cells of a row cover
_MIN_HEADS = 3  # filled cells that are the head of a table in a frame
_PADDED = 2.0  # sizes of type from row to row, as lines of one cell never stand
_TILED = 0.85  # share of what the cells of heads of several levels enclose that they fill, once
_MAX_HEAD_CELLS = 96  # filled areas that begin at the height of one row of heads
_MIN_NAMED = 3  # rows with names beside filled cells
_MIN_STRIPES = 2  # filled rows whose edges are borders


def with_header_fills(grid: DrawnGrid, fills: list[Box], segments: list[Segment]) -> DrawnGrid:
    """Adds a row for filled boxes that stand side by side on the grid with text in two of its columns or more."""
    left, top, right, _ = grid.box
    boxes = [
        f for f in fills
        if abs(f[3] - top) < _NEAR and _MIN_HEADER < top - f[1] < _MAX_HEADER
        and f[0] > left - _NEAR and f[2] < right + _NEAR
    ]  # fmt: skip
    if not boxes or sum(f[2] - f[0] for f in boxes) < _HEADER_WIDTH * (right - left):
        return grid
    head = min(f[1] for f in boxes)
    inside = [s for s in segments if head < (s.y0 + s.y1) / 2 < top and left <= (s.x0 + s.x1) / 2 <= right]
    if max(f[1] for f in boxes) - head > _NEAR or len({grid.column_at((s.x0 + s.x1) / 2) for s in inside}) < 2:
        return grid
    sides = [x for f in boxes for x in (f[0], f[2])]
    borders = [
        (x, head, top) for x in grid.xs
        if any(abs(side - x) < _NEAR for side in sides) or not any(s.x0 + AT_RULE < x < s.x1 - AT_RULE for s in inside)
    ]  # fmt: skip
    return with_row_above(grid, head, borders)


def with_filled_levels(grid: DrawnGrid, fills: list[Box]) -> DrawnGrid:
    """Adds the rows of heads of several levels, told by their filled cells, that stand right over the grid from side to
    side and end where its columns do."""
    left, top, right, _ = grid.box
    for cells in filled_heads(fills):
        x0, head, x1, foot = bounding_box(cells)
        tops = positions([cell[1] for cell in cells])
        if len(tops) < 2 or abs(foot - top) > _NEAR or abs(x0 - left) > SAME_LEVEL or abs(x1 - right) > SAME_LEVEL:
            continue
        sides = [(min(grid.xs, key=lambda x: abs(x - cell[0])), cell) for cell in cells]
        if any(abs(x - cell[0]) > SAME_LEVEL for x, cell in sides):
            return grid
        under = [
            (max(y for y in tops if y < cell[1] + _NEAR), cell[0], cell[2]) for cell in cells if cell[1] > head + _NEAR
        ]
        vertical = [(x, cell[1], cell[3]) for x, cell in sides] + [(right, head, top)]
        horizontal = [*grid.horizontal, (head, left, right), *under, (top, left, right)]
        return replace(grid, ys=[*tops, *grid.ys], horizontal=horizontal, vertical=[*grid.vertical, *vertical])
    return grid


def with_filled_head(grid: DrawnGrid, fills: list[Box], segments: list[Segment]) -> DrawnGrid:
    """Adds the borders of columns to a frame without any, those of the filled cells of a head along its upper edge:
    each holds text, and none of the text in the frame crosses a border. Rows are what stands so far apart as lines of a
    cell never do."""
    left, top, right, bottom = grid.box
    if grid.columns > 1 or grid.rows > 1:
        return grid
    rows = filled_rows(f for f in fills if abs(f[1] - top) < _NEAR and _MIN_HEADER < f[3] - f[1] < _MAX_HEADER)
    head = next((r for r in rows if abs(r[0][0] - left) < _NEAR and abs(r[-1][2] - right) < _NEAR), [])
    if len(head) < _MIN_HEADS or head[0][3] > bottom - _MIN_HEADER:
        return grid
    low = head[0][3]
    inside = [s for s in segments if top < (s.y0 + s.y1) / 2 < bottom and left <= (s.x0 + s.x1) / 2 <= right]
    xs = [left, *(f[0] for f in head[1:]), right]
    lines = rows_of(s for s in inside if s.y0 > low - _CUT)
    rows_below = [
        (max(s.y1 for s in above) + min(s.y0 for s in below)) / 2 for above, below in pairwise(lines)
        if min(s.y0 for s in below) - min(s.y0 for s in above) > _PADDED * max(s.style.size for s in above)
    ]  # fmt: skip
    inner = [low, *rows_below]
    framed = replace(grid, xs=xs, ys=[top, *inner, bottom])
    heads = {framed.column_at((s.x0 + s.x1) / 2) for s in inside if s.y1 < low + _CUT}
    if len(heads) < len(head) or not rows_below or any(s.x0 + _CUT < x < s.x1 - _CUT for s in inside for x in xs[1:-1]):
        return grid
    return replace(
        framed, horizontal=[*grid.horizontal, *((y, left, right) for y in inner)],
        vertical=[*grid.vertical, *((x, top, bottom) for x in xs[1:-1])],
    )  # fmt: skip


def with_head_sides(grid: DrawnGrid, fills: list[Box], segments: list[Segment]) -> DrawnGrid:
    """Adds the sides of the filled cells of the first row that no rule draws, where each holds text and no word in the
    grid crosses them: rules then part some of the columns only."""
    if grid.rows < 2:
        return grid
    left, top, right, bottom = grid.box
    boxes = [f for f in fills if abs(f[1] - top) < _NEAR and abs(f[3] - grid.ys[1]) < _NEAR]
    head = next((r for r in filled_rows(boxes) if r[0][0] < left + _NEAR and r[-1][2] > right - _NEAR), [])
    xs = _added(grid.xs, [f[0] for f in head[1:]])
    if not xs:
        return grid
    inside = [w for s in segments if top < (s.y0 + s.y1) / 2 < bottom for w in s.words if left < w.x1 and w.x0 < right]
    held = all(any(f[0] < (w.x0 + w.x1) / 2 < f[2] and w.y0 < f[3] for w in inside) for f in head)
    if not held or any(w.x0 + _CUT < x < w.x1 - _CUT for w in inside for x in xs):
        return grid
    return replace(grid, xs=sorted([*grid.xs, *xs]), vertical=[*grid.vertical, *((x, top, bottom) for x in xs)])


def with_row_above(grid: DrawnGrid, head: float, borders: list[Rule]) -> DrawnGrid:
    """Adds a row from the height `head` down to the grid, with these borders of columns."""
    rule = (grid.ys[0], grid.xs[0], grid.xs[-1])
    return replace(grid, ys=[head, *grid.ys], vertical=[*grid.vertical, *borders], horizontal=[*grid.horizontal, rule])


def with_fill_borders(grid: DrawnGrid, fills: list[Box], segments: list[Segment]) -> DrawnGrid:
    """Adds the edges of filled rows that no rule draws, and the sides of the cells they are filled by: every other row,
    as a rule. An edge that cuts text is none."""
    rows = _filled_rows(grid, fills)
    if len(rows) < _MIN_STRIPES:
        return grid
    left, top, right, bottom = grid.box
    inside = [
        s for s in segments if not s.vertical and left < (s.x0 + s.x1) / 2 < right and top < s.y1 and s.y0 < bottom
    ]
    ys = _added(grid.ys, sorted({y for box in rows for y in (box[0][1], box[0][3])}))
    ys = [y for y in ys if not any(s.y0 + _CUT < y < s.y1 - _CUT for s in inside)]
    xs = _added(grid.xs, sorted({f[0] for row in rows for f in row[1:]}))
    if not ys and not xs:
        return grid
    grid = replace(
        grid, ys=sorted([*grid.ys, *ys]), xs=sorted([*grid.xs, *xs]),
        horizontal=[*grid.horizontal, *((y, left, right) for y in ys)],
    )  # fmt: skip
    borders = [
        (x, upper, lower) for x in xs for upper, lower in pairwise(grid.ys)
        if not any(upper < (s.y0 + s.y1) / 2 < lower and s.x0 + _CUT < x < s.x1 - _CUT for s in inside)
    ]  # fmt: skip
    return replace(grid, vertical=[*grid.vertical, *borders])


def _filled_rows(grid: DrawnGrid, fills: list[Box]) -> list[list[Box]]:
    """The filled boxes of the grid by row, left to right: every other row of much of its width is filled."""
    left, top, right, bottom = (grid.xs[0] - _NEAR, grid.ys[0] - _NEAR, grid.xs[-1] + _NEAR, grid.ys[-1] + _NEAR)
    within = sorted({f for f in fills if left < f[0] and f[2] < right and top < f[1] and f[3] < bottom})
    stripes = [stripe for group in stripe_groups(within) for stripe in group]
    wide = [box for box in stripes if box[2] - box[0] > _ROW_WIDTH * (grid.xs[-1] - grid.xs[0])]
    return [[f for f in within if abs(f[1] - y) < _CUT] for _, y, _, _ in wide]


def _added(borders: list[float], more: list[float]) -> list[float]:
    """Those of `more` that are near none of the borders, nor of one another."""
    added: list[float] = []
    for place in more:
        if all(abs(place - other) > _NEAR for other in (*borders, *added)) and borders[0] < place < borders[-1]:
            added.append(place)
    return added


def stripe_groups(fills: list[Box]) -> list[list[Box]]:
    """Filled areas of one extent below one another, as far apart as rows are tall. Rows that touch are of one table:
    those of two such tables stand apart."""
    return [[*group] for group in _stripe_groups(tuple(fills))]


@lru_cache(maxsize=4)  # several kinds of tables are looked for among the same areas of a page
def _stripe_groups(fills: tuple[Box, ...]) -> list[list[Box]]:
    groups: list[list[Box]] = []
    rows = sorted(_joined_fills(fills), key=lambda box: box[1])
    runs = _touching(rows)
    for box in rows:
        height = box[3] - box[1]
        if not (_MIN_STRIPE < height < _MAX_STRIPE and box[2] - box[0] > _MIN_WIDTH):
            continue
        for group in reversed(groups):  # filled names of columns may touch the first filled row
            last = group[-1]
            heights = [b[3] - b[1] for b in (*group, box)]
            near = _APART * min(heights) < box[1] - last[3] < _FAR * max(heights)
            if near and _is_below(last, box) and len({runs[one] for one in (last, box) if one in runs}) < 2:
                group.append(box)
                break
        else:
            groups.append([box])
    return _interleaved([group for group in groups if len(group) > 1])


def _interleaved(groups: list[list[Box]]) -> list[list[Box]]:
    """The groups, those of one extent as one whose rows stand between one another: every row of a table is filled."""
    found: list[list[Box]] = []
    for group in groups:
        one = next((other for other in found if _is_below(other[0], group[0]) and group[0][1] < other[-1][1]), None)
        if one is None:
            found.append(group)
        else:
            one[:] = sorted([*one, *group], key=lambda box: box[1])
    return found


def _is_below(one: Box, other: Box) -> bool:
    """Whether two filled rows are of one extent."""
    return abs(one[0] - other[0]) < _SAME_EXTENT and abs(one[2] - other[2]) < _SAME_EXTENT


def _touching(rows: list[Box]) -> dict[Box, int]:
    """The filled rows that touch another, by the number of their run. `rows` come from the top."""
    runs: dict[Box, int] = {}
    last = rows[:1]
    for box in rows[1:]:
        above = next((one for one in reversed(last) if abs(box[1] - one[3]) < _NEAR and _is_below(one, box)), None)
        if above is not None:
            runs[box] = runs.setdefault(above, len(runs) + 1)
        last = [*last[-_MAX_CELLS:], box]
    return runs


def _joined_fills(fills: Iterable[Box]) -> list[Box]:
    """Filled areas, those side by side as one: rows are often filled cell by cell. Many of them are a heat map's."""
    return [(row[0][0], row[0][1], row[-1][2], row[0][3]) for row in filled_rows(fills)]


def filled_rows(fills: Iterable[Box], apart: float = _SAME_RULE) -> list[list[Box]]:
    """Filled areas side by side, less than `apart` points from one another, left to right, as a row each."""
    rows: list[list[Box]] = []
    for box in sorted(set(fills), key=lambda box: (round(box[1]), round(box[3]), box[0])):
        last = rows[-1][-1] if rows else None
        level = last is not None and abs(last[1] - box[1]) < _SAME_RULE and abs(last[3] - box[3]) < _SAME_RULE
        if last is not None and level and -_SAME_RULE < box[0] - last[2] < apart:
            rows[-1].append(box)
        else:
            rows.append([box])
    return [row for row in rows if len(row) <= _MAX_CELLS]


def cell_grids(fills: list[Box]) -> list[DrawnGrid]:
    """Grids of cells that are drawn as filled boxes and nothing else: rows of several, of one extent, as near one
    another as cells are."""
    groups: list[list[list[Box]]] = []
    rows = filled_rows([f for f in fills if f[3] - f[1] > _MIN_HEADER and f[2] - f[0] > _MIN_FILLED], _NEAR)
    for row in sorted((row for row in rows if len(row) > 1), key=lambda row: row[0][1]):
        for group in groups:
            above = group[-1]
            same = abs(above[0][0] - row[0][0]) < _NEAR and abs(above[-1][2] - row[-1][2]) < _NEAR
            if same and -_SAME_RULE < row[0][1] - above[0][3] <= CELL_GAP:
                group.append(row)
                break
        else:
            groups.append([row])
    return [_grid_of_boxes(group) for group in groups if len(group) > 1]


def _grid_of_boxes(rows: list[list[Box]]) -> DrawnGrid:
    """The grid of rows of boxes, whose borders run in the middle of what is between two of them."""
    edges = [rows[0][0][1], *((a[0][3] + b[0][1]) / 2 for a, b in pairwise(rows)), rows[-1][0][3]]
    left, right = rows[0][0][0], rows[0][-1][2]
    sides = [[left, *((a[2] + b[0]) / 2 for a, b in pairwise(row)), right] for row in rows]
    vertical = [(x, *band) for xs, band in zip(sides, pairwise(edges), strict=True) for x in xs]
    return DrawnGrid(positions([x for xs in sides for x in xs]), edges, [(y, left, right) for y in edges], vertical)


def filled_heads(fills: list[Box]) -> list[list[Box]]:
    """The filled cells of what may be heads: first those of several levels, of which some cells are as tall as all of
    them, then those of one."""
    return [[*cells] for cells in _filled_heads(tuple(fills))]


@lru_cache(maxsize=4)  # asked for each grid of a page
def _filled_heads(fills: tuple[Box, ...]) -> list[list[Box]]:
    rows = [row for row in filled_rows(fills) if _MIN_HEADER < row[0][3] - row[0][1] < _MAX_HEADER]
    ordered = sorted(set(fills), key=lambda box: box[1])
    tops = [box[1] for box in ordered]
    levels: list[list[Box]] = []
    taken: set[Box] = set()
    for row in rows:
        _, top, _, bottom = row[0]
        first, last = bisect_left(tops, top - SAME_LEVEL), bisect_right(tops, bottom - _MIN_HEADER / 2)
        if last - first > _MAX_HEAD_CELLS or row[0] in taken:
            continue
        beside = sorted((box for box in ordered[first:last] if box[3] < bottom + SAME_LEVEL), key=lambda box: box[0])
        cells = _run_with(row[0], beside)
        if len(cells) > len(row) and _is_tiled(cells):
            levels.append(cells)
            taken.update(cells)
    single = [row for row in rows if row[0] not in taken]
    return [*levels, *(row for row in single if row[-1][2] - row[0][0] >= _MIN_WIDTH)]


def _run_with(one: Box, boxes: list[Box]) -> list[Box]:
    """Those of filled areas, from left to right, that stand side by side with one of them without a gap."""
    runs: list[list[Box]] = []
    right = 0.0
    for box in boxes:
        if runs and box[0] - right < SAME_LEVEL:
            runs[-1].append(box)
            right = max(right, box[2])
        else:
            runs.append([box])
            right = box[2]
    return next((run for run in runs if one in run), [])


def _is_tiled(cells: list[Box]) -> bool:
    """Whether filled areas are the cells of several levels of heads: none lies in another, and nearly all of what they
    enclose is filled."""
    left, top, right, bottom = bounding_box(cells)
    if right - left < _MIN_WIDTH or bottom - top >= _MAX_HEADER:
        return False
    covered = sum((box[2] - box[0]) * (box[3] - box[1]) for box in cells)
    return _TILED < covered / ((right - left) * (bottom - top)) < 2.0 - _TILED


def with_names_beside(grid: DrawnGrid, fills: list[Box], segments: list[Segment]) -> DrawnGrid:
    """Adds a first column to a grid of filled cells, of the names of its rows, which are not filled: one line left of
    each row, but perhaps the first, within its height, and all of them at one side of it."""
    left, top, _, bottom = grid.box
    before = [
        s for s in segments if left - _MAX_NAME < s.x0 and s.x1 < left + _CUT and top < (s.y0 + s.y1) / 2 < bottom
    ]
    rows = [[s for s in before if upper < (s.y0 + s.y1) / 2 < lower] for upper, lower in pairwise(grid.ys)]
    held = rows if rows[0] else rows[1:]
    if len(held) < _MIN_NAMED or any(len(row) != 1 for row in held):
        return grid
    names = [row[0] for row in held]
    spread = min(max(xs) - min(xs) for xs in ([s.x0 for s in names], [s.x1 for s in names]))
    filled = [f for f in fills if f[2] < left + _CUT and top < f[3] and f[1] < bottom]
    if spread > _SAME_EDGE or any(
        f[0] < s.x1 and s.x0 < f[2] and f[1] < s.y1 and s.y0 < f[3] for f in filled for s in names
    ):
        return grid
    x = min(s.x0 for s in names) - _CUT
    horizontal = [*grid.horizontal, *((y, x, left) for y in grid.ys)]
    vertical = [*grid.vertical, (x, top, bottom), (left, top, bottom)]
    return replace(grid, xs=[x, *grid.xs], horizontal=horizontal, vertical=vertical)
