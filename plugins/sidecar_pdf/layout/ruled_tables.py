"""Finds tables whose cells are drawn: grids of ruling lines. A grid is trusted when text stands in its cells, or when
it is regular enough to be a form that waits to be filled in. `columns` finds tables without cell borders."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from sidecar.api import UNCERTAIN_TABLE, Box, Merge
from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.table_confidence import as_lines, drawn_confidence
from sidecar_pdf.layout.tables import NUMERIC, FoundTable, cell_text, header_rows
from sidecar_pdf.pdfium.geometry import area, contains_centre
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.text.segments import Segment, Word

# Points, chosen on the corpus (tests/bench/pdf_elements.py).
_NEAR = 3.0  # between rules that are one, or that touch
_SAME_LINE, _LINE_STEP = 1.0, 0.5  # between pieces of one rule across it; to which positions are rounded
_MIN_RULE = 6.0  # length of a rule
_OPEN_SIDE = 8.0  # by which rules reach out where a side of the table is not drawn
_OUTSIDE, _AROUND = 6.0, 2.0  # by which a curve may reach out of a plot; within which it only frames or ticks
_MIN_COLUMN, _MIN_ROW = 18.0, 8.0  # of a cell large enough to write in
_AT_RULE = 1.0  # within which a position is on a rule, or in a table
_HEADER = 2.0  # under the first row border, in which the header's text ends
# Counts.
_MAX_RULES, _MAX_CELLS = 1_200, 20_000  # of a page and of a table: more are a map or a drawing
_MAX_FORM_CELLS = 600  # borders of an empty form
_SMALL_CELLS = 6  # of a table whose rules need not run through
_PROSE_WORDS, _PROSE_LINES = 25, 3  # words and lines that make a cell across the whole table a paragraph
_TEXT_ROWS = 3  # lines of text between two rules that may be rows
# Shares.
_FRAME_AREA = 0.5  # of the page: a larger grid of two cells is a frame
_THROUGH_ACROSS, _THROUGH_DOWN = 0.33, 0.3  # of the grid's lines that are drawn in a table
_CROSSING = 0.25  # of the width or height that a curve over a plot's frame covers
_PAINTED = 0.5  # cells that are filled in a heat map
_ROOMY = 0.6  # rows and columns of a form that are large enough to write in
_FORM_ACROSS, _FORM_DOWN = 0.85, 0.8  # of a form's borders that are drawn
_TWO_ROWS_ACROSS, _TWO_ROWS_DOWN, _TWO_ROWS_EVEN = 0.97, 0.95, 1.2  # the same of two rows; widest to narrowest column
_FILLED, _BOXES_CELLS, _BOXES_FILLED = 0.25, 0.66, 0.5  # cells with text; cells that are not merged away, those filled
_OFF_LINE = 0.25  # of its height, by which a label stands above or below a line
_COLUMNED = 0.2  # lines of a paragraph that have several pieces
_SIDE_BY_SIDE, _ROWS_SIDE_BY_SIDE = 0.6, 0.8  # columns with text in a line that is a row; lines that are

Rule = tuple[float, float, float]
_Place = tuple[int, int]


@dataclass(frozen=True)
class _Grid:
    """Column and row borders, and the rules they are drawn by."""

    xs: list[float]
    ys: list[float]
    horizontal: list[Rule]
    vertical: list[Rule]
    straddled: frozenset[_Place] = frozenset()
    """Row borders and columns (positions in `ys` and `xs`) where a label stands on a border only lines of text tell."""

    @property
    def box(self) -> Box:
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    @property
    def columns(self) -> int:
        return len(self.xs) - 1

    @property
    def rows(self) -> int:
        return len(self.ys) - 1

    def drawn(self) -> tuple[float, float]:
        """The shares of the row and of the column borders that are drawn."""
        x0, y0, x1, y1 = self.box
        across, down = len(self.ys) * (x1 - x0) or 1.0, len(self.xs) * (y1 - y0) or 1.0
        return sum(h[2] - h[1] for h in self.horizontal) / across, sum(v[2] - v[1] for v in self.vertical) / down

    def has_column_border(self, column: int, y: float) -> bool:
        """Whether the border left of a column is drawn at a height."""
        return any(top - _AT_RULE <= y <= bottom + _AT_RULE for _, top, bottom in self._vertical_at[column])

    @cached_property
    def _vertical_at(self) -> list[list[Rule]]:
        """The rules at each column border."""
        return [[rule for rule in self.vertical if abs(rule[0] - x) <= _NEAR] for x in self.xs]

    @cached_property
    def horizontal_at(self) -> dict[float, list[Rule]]:
        """The rules at each row border."""
        return {y: [rule for rule in self.horizontal if abs(rule[0] - y) <= _NEAR] for y in self.ys}


def ruled_tables(
    graphics: PageGraphics, segments: list[Segment], width: float, height: float
) -> tuple[list[FoundTable], list[Box]]:
    """Tables whose cells are drawn, and plain frames. Text belongs to the cell its word's middle lies in."""
    horizontal, vertical = merged_rules(graphics.horizontal), merged_rules(graphics.vertical)
    if len(horizontal) > _MAX_RULES or len(vertical) > _MAX_RULES:
        return [], []
    tables: list[FoundTable] = []
    frames: list[Box] = []
    for hs, vs in _components(horizontal, vertical):
        grid = _grid_of(hs, vs)
        if grid.columns == grid.rows == 1:
            frames.append(grid.box)
        if not _is_tabular(grid, graphics, _FRAME_AREA * width * height):
            continue
        table = _table(grid, segments)
        if table is None or (not any(map(any, table.rows)) and _is_painted(table, graphics.fills)):
            continue
        if not any(contains_centre(other.box, table.box) for other in tables):
            tables.append(table)
    return tables, frames


def _grid_of(hs: list[Rule], vs: list[Rule]) -> _Grid:
    """The grid of rules that touch; sides that are not drawn are where the rules across them end."""
    ys, xs = positions([h[0] for h in hs]), positions([v[0] for v in vs])
    _close(xs, min(h[1] for h in hs), max(h[2] for h in hs))
    _close(ys, min(v[1] for v in vs), max(v[2] for v in vs))
    return _Grid(xs, ys, hs, vs)


def _close(borders: list[float], low: float, high: float) -> None:
    if borders and low < borders[0] - _OPEN_SIDE:
        borders.insert(0, low)
    if borders and high > borders[-1] + _OPEN_SIDE:
        borders.append(high)


def _is_tabular(grid: _Grid, graphics: PageGraphics, frame_area: float) -> bool:
    """Whether the rules can be a table's: of several cells, that run through, and are no frame and no plot."""
    if grid.columns < 2 or grid.rows < 1 or len(grid.xs) * len(grid.ys) > _MAX_CELLS:
        return False
    if grid.columns == 2 and grid.rows == 1 and area(grid.box) > frame_area:
        return False
    return _is_coherent(grid) and not _is_plot(grid, graphics.curves)


def merged_rules(rules: list[Rule]) -> list[Rule]:
    """Rules on one line joined where they touch: borders are often drawn cell by cell."""
    merged: list[Rule] = []
    for at, start, end in sorted((round(r[0] / _LINE_STEP) * _LINE_STEP, r[1], r[2]) for r in rules):
        if (
            merged
            and abs(merged[-1][0] - at) <= _SAME_LINE
            and start <= merged[-1][2] + _NEAR
            and end >= merged[-1][1] - _NEAR
        ):
            last = merged[-1]
            merged[-1] = (last[0], min(last[1], start), max(last[2], end))
        else:
            merged.append((at, start, end))
    return [rule for rule in merged if rule[2] - rule[1] >= _MIN_RULE]


def _components(horizontal: list[Rule], vertical: list[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Rules that cross or touch, as groups of at least two each way."""
    parent = list(range(len(horizontal) + len(vertical)))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for j, (x, top, bottom) in enumerate(vertical):
        for i, (y, left, right) in enumerate(horizontal):
            if left - _NEAR <= x <= right + _NEAR and top - _NEAR <= y <= bottom + _NEAR:
                parent[root(i)] = root(len(horizontal) + j)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for i, rule in enumerate(horizontal):
        groups.setdefault(root(i), ([], []))[0].append(rule)
    for j, rule in enumerate(vertical):
        groups.setdefault(root(len(horizontal) + j), ([], []))[1].append(rule)
    found = [group for group in groups.values() if len(group[0]) >= 2 and len(group[1]) >= 1]
    found.sort(key=lambda group: -(max(h[0] for h in group[0]) - min(h[0] for h in group[0])))
    return found


def _is_coherent(grid: _Grid) -> bool:
    """Whether the rules run through like a table's: boxes of a diagram make many short ones at unrelated places."""
    if grid.columns * grid.rows <= _SMALL_CELLS:
        return True
    across, down = grid.drawn()
    return across > _THROUGH_ACROSS and down > _THROUGH_DOWN


def _is_plot(grid: _Grid, curves: list[Box]) -> bool:
    """Whether curves or slanted lines run over the grid: what they cross is the frame of a plot, not a table's rules.
    A stroke within one cell (a tick, a crossed-out corner) or around the whole (rounded borders) says nothing."""
    left, top, right, bottom = grid.box
    near, crossing = _AROUND, 0.0
    for x0, y0, x1, y1 in curves:
        if x0 < left - _OUTSIDE or x1 > right + _OUTSIDE or y0 < top - _OUTSIDE or y1 > bottom + _OUTSIDE:
            continue
        if x0 <= left + near and x1 >= right - near and y0 <= top + near and y1 >= bottom - near:
            continue
        over_column = any(x0 + near < x < x1 - near for x in grid.xs[1:-1])
        if over_column or any(y0 + near < y < y1 - near for y in grid.ys[1:-1]):
            crossing = max(crossing, (x1 - x0) / (right - left), (y1 - y0) / (bottom - top))
    return crossing > _CROSSING


def _is_painted(table: FoundTable, fills: list[Box]) -> bool:
    """Whether most cells of a grid without text are filled: a heat map, not a form."""
    cells = sum(len(row) for row in table.rows)
    painted = {(round(box[0]), round(box[1])) for box in fills if contains_centre(table.box, box)}
    return len(painted) > _PAINTED * cells


def _is_form(grid: _Grid) -> bool:
    """Whether nearly every border of a grid of at least two by two cells is drawn, and cells are large enough to write
    in: an empty form, not a pattern."""
    if grid.columns < 2 or grid.rows < 2 or len(grid.xs) * len(grid.ys) > _MAX_FORM_CELLS:
        return False
    widths, heights = [b - a for a, b in pairwise(grid.xs)], [b - a for a, b in pairwise(grid.ys)]
    wide = sum(width >= _MIN_COLUMN for width in widths) >= _ROOMY * grid.columns
    tall = sum(height >= _MIN_ROW for height in heights) >= _ROOMY * grid.rows
    across, down = grid.drawn()
    if grid.rows == 2:  # every border, and cells of one width
        even = max(widths) < _TWO_ROWS_EVEN * min(widths)
        return wide and tall and even and across > _TWO_ROWS_ACROSS and down > _TWO_ROWS_DOWN
    return wide and tall and across > _FORM_ACROSS and down > _FORM_DOWN


def positions(values: list[float]) -> list[float]:
    """The values in order, those near one another as one, in points."""
    positions: list[float] = []
    for value in sorted(values):
        if not positions or value - positions[-1] > _NEAR:
            positions.append(value)
    return positions


def _table(grid: _Grid, segments: list[Segment]) -> FoundTable | None:
    """The grid with its text; None where it holds too little and is no form, or holds the caption of a figure."""
    x0, _, x1, _ = grid.box
    taken = [
        s for s in _between(segments, grid.ys[0], grid.ys[-1])
        if not s.hidden and x0 - _AT_RULE <= (s.x0 + s.x1) / 2 <= x1 + _AT_RULE
    ]  # fmt: skip
    if any((caption := match_caption(s.text)) and caption.type != "table" for s in taken):
        return None
    grid = replace(grid, ys=_without_prose(grid, taken))
    taken = _between(taken, grid.ys[0], grid.ys[-1])
    form = _is_form(grid)
    if not taken and not form:
        return None
    grid = _with_text_rows(grid, taken)
    anchors, merges = _merged_cells(grid)
    texts = _cell_texts(grid, anchors, taken)
    if _is_sparse(texts, merges) and not form:
        return None
    above = max((s.order for s in segments if s.y1 <= grid.ys[0]), default=0)
    order = min((s.order for s in taken), default=above)
    columns = list(pairwise(grid.xs))
    table = FoundTable(*grid.box, texts, tuple(merges), ruled=True, columns=columns, order=order, segments=taken)
    bold = bool(taken) and all(s.style.bold for s in taken if s.y1 <= grid.ys[1] + _HEADER)
    table.header_rows = header_rows(texts, bold=bold)
    table.confidence = drawn_confidence(texts)
    if table.confidence < UNCERTAIN_TABLE and taken:
        table.lines = as_lines(rows_of(s for s in taken if not s.vertical) or [taken])
    return table


def _between(segments: list[Segment], top: float, bottom: float) -> list[Segment]:
    return [s for s in segments if top <= (s.y0 + s.y1) / 2 <= bottom]


def _merged_cells(grid: _Grid) -> tuple[list[list[_Place]], list[Merge]]:
    """For each cell the one it is merged into, which may be itself, and the merges: cells no border parts."""
    anchors: list[list[_Place]] = [[(r, c) for c in range(grid.columns)] for r in range(grid.rows)]
    merges: list[Merge] = []
    for r in range(grid.rows):
        for c in range(grid.columns):
            if anchors[r][c] != (r, c):
                continue
            across = down = 1
            middle = (grid.ys[r] + grid.ys[r + 1]) / 2
            while c + across < grid.columns and anchors[r][c + across] == (r, c + across):
                if grid.has_column_border(c + across, middle):
                    break
                across += 1
            while r + down < grid.rows and not _ends_at(grid, r + down, c, across):
                down += 1
            if across > 1 or down > 1:
                merges.append(Merge(r, c, down, across))
                for i in range(r, r + down):
                    anchors[i][c : c + across] = [(r, c)] * across
    return anchors, merges


def _ends_at(grid: _Grid, row: int, column: int, across: int) -> bool:
    """Whether a cell ends above a row: a rule, or only a border between lines of text, runs under it, or the row is cut
    inside the cell's width."""
    y = grid.ys[row]
    rules = grid.horizontal_at[y]
    columns = range(column, column + across)
    if not rules:
        return not all((row, c) in grid.straddled for c in columns)
    centres = [(grid.xs[c] + grid.xs[c + 1]) / 2 for c in columns]
    if any(left - _AT_RULE <= x <= right + _AT_RULE for _, left, right in rules for x in centres):
        return True
    middle = (y + grid.ys[row + 1]) / 2
    return any(grid.has_column_border(c, middle) for c in columns[1:])


def _cell_texts(grid: _Grid, anchors: list[list[_Place]], taken: list[Segment]) -> list[list[str]]:
    cells: list[list[list[Word]]] = [[[] for _ in range(grid.columns)] for _ in range(grid.rows)]
    for segment in taken:
        for word in (segment.as_word,) if segment.vertical else segment.words:
            c = min(max(bisect_right(grid.xs, (word.x0 + word.x1) / 2) - 1, 0), grid.columns - 1)
            r = min(max(bisect_right(grid.ys, (word.y0 + word.y1) / 2) - 1, 0), grid.rows - 1)
            row, column = anchors[r][c]
            cells[row][column].append(word)
    return [[cell_text(cell) for cell in row] for row in cells]


def _is_sparse(texts: list[list[str]], merges: list[Merge]) -> bool:
    """Whether too few cells hold text for a table, or so many are merged that they are boxes of a form or a chart."""
    rows, columns = len(texts), len(texts[0])
    filled = sum(bool(text) for row in texts for text in row)
    used_columns = sum(any(row[c] for row in texts) for c in range(columns))
    used_rows = sum(any(row) for row in texts)
    cells = rows * columns - sum(m.rows * m.cols - 1 for m in merges)
    if used_columns < 2 or used_rows < 1 or filled < 2 or filled < _FILLED * cells:
        return True
    if used_rows < 2 and used_columns < 3:
        return True
    return cells < _BOXES_CELLS * rows * columns and filled < _BOXES_FILLED * cells


def _without_prose(grid: _Grid, taken: list[Segment]) -> list[float]:
    """The row borders without first and last rows that run across and hold a paragraph: a frame drawn around a table
    and the text before or after it."""
    ys = grid.ys
    for first in (True, False):
        while len(ys) > 3:
            top, bottom = ys[:2] if first else ys[-2:]
            if any(grid.has_column_border(c, (top + bottom) / 2) for c in range(1, grid.columns)):
                break
            inside = _between(taken, top, bottom)
            lines = rows_of(inside)
            columned = sum(len(line) > 1 for line in lines) > _COLUMNED * len(lines)
            if len(lines) < _PROSE_LINES or columned or sum(len(s.words) for s in inside) < _PROSE_WORDS:
                break
            ys = ys[1:] if first else ys[:-1]
    return ys


def _with_text_rows(grid: _Grid, taken: list[Segment]) -> _Grid:
    """Adds row borders where rules separate only columns: lines of text that stand side by side in most columns, or
    that all hold a figure in one of them. Labels in the middle of such lines span them."""
    result = [grid.ys[0]]
    straddled: set[_Place] = set()
    for top, bottom in pairwise(grid.ys):
        inside = [s for s in taken if top <= (s.y0 + s.y1) / 2 < bottom]
        spanning = _label_columns(grid, inside)
        rows = rows_of(s for s in inside if _column_of(grid, s) not in spanning)
        cells = [_by_column(grid, row) for row in rows]
        least_here = max(2, _SIDE_BY_SIDE * (grid.columns - len(spanning)))
        full = [len(row) >= least_here for row in cells]
        several = len(rows) >= _TEXT_ROWS and sum(full) >= _ROWS_SIDE_BY_SIDE * len(rows)
        if several or (len(rows) > 1 and all(full) and _share_figures(cells)):
            for above, below in pairwise(rows):
                straddled.update((len(result), column) for column in spanning)
                result.append((max(s.y1 for s in above) + min(s.y0 for s in below)) / 2)
        result.append(bottom)
    return replace(grid, ys=result, straddled=frozenset(straddled))


def _label_columns(grid: _Grid, inside: list[Segment]) -> set[int]:
    """The columns that hold, between two rules, nothing but a label halfway between lines of another column."""
    columns: dict[int, list[Segment]] = {}
    for segment in inside:
        columns.setdefault(_column_of(grid, segment), []).append(segment)
    fullest = max(columns.values(), key=len, default=[])
    return {
        column for column, own in columns.items()
        if len(own) == 1 and len(fullest) > 1
        and all(abs(own[0].y0 + own[0].y1 - s.y0 - s.y1) / 2 > _OFF_LINE * (s.y1 - s.y0) for s in fullest)
    }  # fmt: skip


def _column_of(grid: _Grid, segment: Segment) -> int:
    """The column the middle of a segment stands in, from 0."""
    return min(max(bisect_right(grid.xs, (segment.x0 + segment.x1) / 2) - 1, 0), grid.columns - 1)


def _by_column(grid: _Grid, row: list[Segment]) -> dict[int, str]:
    """The text of a line in each column."""
    cells: dict[int, str] = {}
    for segment in sorted(row, key=lambda s: s.x0):
        column = bisect_right(grid.xs, (segment.x0 + segment.x1) / 2)
        cells[column] = f"{cells[column]} {segment.text}" if column in cells else segment.text
    return cells


def _share_figures(lines: list[dict[int, str]]) -> bool:
    """Whether all lines have the same cells, and a figure in one of them."""
    if any(line.keys() != lines[0].keys() for line in lines):
        return False
    return any(all(NUMERIC.match(line[column]) for line in lines) for column in list(lines[0])[1:])
