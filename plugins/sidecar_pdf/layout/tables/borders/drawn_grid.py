"""Grids of ruling lines: which rules belong together, the borders of columns and rows they draw, and the cells that no
border parts. Whether a grid is a table, and what stands in it, `ruled` tells."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby, pairwise

from sidecar.api import Box, Merge
from sidecar_pdf.pdfium.graphics import Rule

# Points, chosen on the corpus (tests/bench/layout/pdf_elements.py).
_MAX_BAR = 12.0  # width of a bar that is the side of a frame
_NEAR = 3.0  # between rules that are one, or that touch
_SAME_LINE, _LINE_STEP = 1.0, 0.5  # between pieces of one rule across it; to which positions are rounded
_MIN_RULE = 6.0  # length of a rule
CELL_GAP = 6.0  # between two rules of one border, where each cell has a frame of its own, or borders are double
_MIN_CELL_HEIGHT = 8.0  # of a cell between pieces of rules
_OPEN_SIDE = 8.0  # by which rules reach out where a side of the table is not drawn
AT_RULE = 1.0
"""Points within which a position is on a rule, or in a table."""
NEXT_LINE = 0.6
"""Heights of a line of white, at most, between two lines of one cell."""

_PILLARS = 2
"""Rules side by side and below one another, more than which can be a table's without any across."""
_SHARED_BORDERS = 0.5  # of the borders of columns, that two parts of one table have in common at least
_STRAY = 0.3  # of the height of a grid, up to which a border beside nothing is drawn across the table

Place = tuple[int, int]
"""A row or its upper border, and a column."""


@dataclass(frozen=True)
class DrawnGrid:
    """Column and row borders, and the rules they are drawn by."""

    xs: list[float]
    ys: list[float]
    horizontal: list[Rule]
    vertical: list[Rule]
    straddled: frozenset[Place] = frozenset()
    """Row borders and columns (positions in `ys` and `xs`) where a label stands on a border only lines of text tell."""

    @property
    def box(self) -> Box:
        """What its borders enclose, in points."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    @property
    def columns(self) -> int:
        """How many there are."""
        return len(self.xs) - 1

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.ys) - 1

    def column_at(self, x: float) -> int:
        """The column a place stands in, from 0; the outer ones take what lies beyond them."""
        return min(max(bisect_right(self.xs, x) - 1, 0), self.columns - 1)

    def row_at(self, y: float) -> int:
        """The row a height stands in, from 0; the outer ones take what lies beyond them."""
        return min(max(bisect_right(self.ys, y) - 1, 0), self.rows - 1)

    def drawn(self) -> tuple[float, float]:
        """The shares of the row and of the column borders that are drawn."""
        x0, y0, x1, y1 = self.box
        across, down = len(self.ys) * (x1 - x0) or 1.0, len(self.xs) * (y1 - y0) or 1.0
        return sum(h[2] - h[1] for h in self.horizontal) / across, sum(v[2] - v[1] for v in self.vertical) / down

    def has_column_border(self, column: int, y: float) -> bool:
        """Whether the border left of a column is drawn at a height."""
        rules = self._vertical_at[column]  # asked thousands of times: a generator takes twice as long as a list
        return True in [top - AT_RULE <= y <= bottom + AT_RULE for _, top, bottom in rules]

    @cached_property
    def _vertical_at(self) -> list[list[Rule]]:
        """The rules at each column border."""
        return [[rule for rule in self.vertical if abs(rule[0] - x) <= _NEAR] for x in self.xs]

    @cached_property
    def horizontal_at(self) -> dict[float, list[Rule]]:
        """The rules at each row border."""
        return {y: [rule for rule in self.horizontal if abs(rule[0] - y) <= _NEAR] for y in self.ys}


def grid_of(hs: list[Rule], vs: list[Rule]) -> DrawnGrid:
    """The grid of rules that touch; sides that are not drawn are where the rules across them end."""
    ys, xs = positions([h[0] for h in hs]), positions([v[0] for v in vs])
    _close(xs, min(h[1] for h in hs), max(h[2] for h in hs))
    _close(ys, min(v[1] for v in vs), max(v[2] for v in vs))
    return DrawnGrid(xs, ys, hs, vs)


def _close(borders: list[float], low: float, high: float) -> None:
    if borders and low < borders[0] - _OPEN_SIDE:
        borders.insert(0, low)
    if borders and high > borders[-1] + _OPEN_SIDE:
        borders.append(high)


def stacked_grids(grid: DrawnGrid, texts: Iterable[Box]) -> list[DrawnGrid]:
    """The grid, or the grids below one another that rules join: parted by rows that hold none of the `texts`, and cut
    into other columns, as tables of a sheet of which all borders are printed."""
    middles = sorted((box[1] + box[3]) / 2 for box in texts)
    empty = [bisect_right(middles, low) == bisect_right(middles, high) for low, high in pairwise(grid.ys)]
    if not any(empty[1:-1]) or all(empty):
        return [grid]  # as nearly all
    blocks = [[row for row, _ in rows] for held, rows in groupby(enumerate(empty), key=lambda e: not e[1]) if held]
    grids = [_rows_of(grid, rows[0], rows[-1] + 1) for rows in blocks]
    found = grids[:1]
    start = blocks[0][0]
    for rows, part in zip(blocks[1:], grids[1:], strict=True):
        if _cut_alike(found[-1], part):
            found[-1] = _rows_of(grid, start, rows[-1] + 1)
        else:
            found.append(part)
            start = rows[0]
    return found if len(found) > 1 else [grid]


def _rows_of(grid: DrawnGrid, first: int, end: int) -> DrawnGrid:
    """Some rows of a grid, and the rules around and in them."""
    top, bottom = grid.ys[first], grid.ys[end]
    vertical = [(x, max(y0, top), min(y1, bottom)) for x, y0, y1 in grid.vertical if y0 < bottom and y1 > top]
    vertical = [rule for rule in vertical if rule[2] - rule[1] > _NEAR]
    left, right = min((v[0] for v in vertical), default=0.0), max((v[0] for v in vertical), default=0.0)
    horizontal = [
        (y, max(x0, left), min(x1, right)) for y, x0, x1 in grid.horizontal
        if top - _NEAR <= y <= bottom + _NEAR and x0 < right and x1 > left
    ]  # fmt: skip
    return DrawnGrid(positions([v[0] for v in vertical]), grid.ys[first : end + 1], horizontal, vertical)


def _cut_alike(upper: DrawnGrid, lower: DrawnGrid) -> bool:
    """Whether two parts of a grid are of one table: they have most borders of columns in common."""
    few, many = sorted((upper.xs, lower.xs), key=len)
    shared = sum(any(abs(x - other) <= _NEAR for other in many) for x in few)
    return shared >= _SHARED_BORDERS * len(many)


def without_gaps(grid: DrawnGrid, texts: Iterable[Box]) -> DrawnGrid:
    """The grid with the two sides of what is too narrow for a cell, and holds none of the `texts`, as one border, and
    without bars at the sides of a frame, which are wider."""
    boxes = list(texts)
    middles = [(box[0] + box[2]) / 2 for box in boxes]
    xs = _without_gaps(_without_strays(grid, boxes), middles)
    ys = _without_gaps(grid.ys, [(box[1] + box[3]) / 2 for box in boxes])
    while len(ys) == 2 and len(xs) > 2 and _is_bar(xs[0], xs[1], middles):
        xs = xs[1:]
    while len(ys) == 2 and len(xs) > 2 and _is_bar(xs[-2], xs[-1], middles):
        xs = xs[:-1]
    return grid if len(xs) == len(grid.xs) and len(ys) == len(grid.ys) else replace(grid, xs=xs, ys=ys)


def _is_bar(left: float, right: float, middles: list[float]) -> bool:
    return right - left < _MAX_BAR and not any(left < middle < right for middle in middles)


def without_margins(grid: DrawnGrid, boxes: list[Box]) -> DrawnGrid:
    """The grid without outer columns that hold nothing, and that no border of a row runs across: what stands between a
    table and a frame around it that it touches."""
    xs, ys = grid.xs, grid.ys
    inner = [h for h in grid.horizontal if ys[0] + _NEAR < h[0] < ys[-1] - _NEAR]
    for side in (0, -1):
        while len(xs) > 2 and len(ys) > 2:
            left, right = xs[:2] if side == 0 else xs[-2:]
            held = any(left < (box[0] + box[2]) / 2 < right for box in boxes)
            if held or any(h[1] < (left + right) / 2 < h[2] for h in inner):
                break
            xs = xs[1:] if side == 0 else xs[:-1]
    return grid if xs is grid.xs else replace(grid, xs=xs)


def _without_strays(grid: DrawnGrid, boxes: list[Box]) -> list[float]:
    """The column borders without those of a column that holds nothing, and is drawn over a small part of the height."""
    xs, height = grid.xs, grid.ys[-1] - grid.ys[0]
    drawn = [sum(bottom - top for x, top, bottom in grid.vertical if abs(x - at) <= _NEAR) for at in xs]
    stray = {
        min(at, at + 1, key=lambda side: drawn[side]) for at, (left, right) in enumerate(pairwise(xs))
        if not any(left < (box[0] + box[2]) / 2 < right for box in boxes)
    }  # fmt: skip
    return [x for at, x in enumerate(xs) if at not in stray or drawn[at] > _STRAY * height or x in (xs[0], xs[-1])]


def _without_gaps(borders: list[float], middles: list[float]) -> list[float]:
    kept = borders[:1]
    for border in borders[1:]:
        if border - kept[-1] <= CELL_GAP and not any(kept[-1] < middle < border for middle in middles):
            kept[-1] = (kept[-1] + border) / 2
        else:
            kept.append(border)
    return kept


def merged_rules(rules: Iterable[Rule]) -> list[Rule]:
    """Rules on one line joined where they touch: borders are often drawn cell by cell."""
    return [*_merged_rules(tuple(rules))]


@lru_cache(maxsize=4)  # every kind of table is looked for between the same rules of a page
def _merged_rules(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
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
    return tuple(rule for rule in merged if rule[2] - rule[1] >= _MIN_RULE)


def components(horizontal: list[Rule], vertical: list[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
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
    found = [group for group in groups.values() if len(group[0]) >= 2]
    found.sort(key=lambda group: -(max(h[0] for h in group[0]) - min(h[0] for h in group[0])))
    return found


def pillar_grids(horizontal: Iterable[Rule], vertical: Iterable[Rule], texts: Sequence[Box]) -> list[DrawnGrid]:
    """Grids whose columns alone are ruled: rules of one height side by side, or cut where each row ends. Their outer
    sides are where rules across them end, else where the `texts` beside them do."""
    bands: list[tuple[float, float, list[float]]] = []
    for x, top, bottom in sorted(vertical, key=lambda rule: (round(rule[1] / _NEAR), round(rule[2] / _NEAR), rule[0])):
        if bottom - top < _MIN_CELL_HEIGHT:
            continue
        if bands and abs(bands[-1][0] - top) < _NEAR and abs(bands[-1][1] - bottom) < _NEAR:
            bands[-1][2].append(x)
        else:
            bands.append((top, bottom, [x]))
    stacks: list[list[tuple[float, float, list[float]]]] = []
    for top, bottom, places in sorted(bands):
        xs = positions(places)
        for stack in stacks:
            above = stack[-1]
            alike = len(above[2]) == len(xs) and all(abs(a - b) < _NEAR for a, b in zip(above[2], xs, strict=True))
            if alike and abs(above[1] - top) <= _NEAR:
                stack.append((top, bottom, xs))
                break
        else:
            stacks.append([(top, bottom, xs)])
    lines = merged_rules(horizontal)
    grids = [_grid_of_pillars(stack, lines, texts) for stack in stacks if len(stack) + len(stack[0][2]) > _PILLARS]
    return [grid for grid in grids if grid is not None]


def _grid_of_pillars(
    stack: list[tuple[float, float, list[float]]], horizontal: list[Rule], texts: Sequence[Box]
) -> DrawnGrid | None:
    """The grid of column borders, cut at each row or not; None where text crosses them."""
    xs, ys = stack[0][2], positions([stack[0][0], *(bottom for _, bottom, _ in stack)])
    inside = [t for t in texts if ys[0] < (t[1] + t[3]) / 2 < ys[-1]]
    across = [rule for rule in horizontal if ys[0] - _NEAR <= rule[0] <= ys[-1] + _NEAR and rule[1] < xs[0] < rule[2]]
    if across:
        left, right = min(rule[1] for rule in across), max(rule[2] for rule in across)
        inside = [t for t in inside if t[0] < right and left < t[2]]
    else:
        left, right = min((t[0] for t in inside), default=0.0) - AT_RULE, max((t[2] for t in inside), default=0.0)
    if any(t[0] + AT_RULE < x < t[2] - AT_RULE for t in inside for x in xs):
        return None
    ys = positions([*ys, *(rule[0] for rule in across)])
    sides = [x for x in (left, right + AT_RULE) if x < xs[0] - _OPEN_SIDE or x > xs[-1] + _OPEN_SIDE]
    xs = sorted([*xs, *sides])
    if len(xs) < 4:  # two columns beside each other may be those of the page
        return None
    return DrawnGrid(xs, ys, [(y, xs[0], xs[-1]) for y in ys], [(x, ys[0], ys[-1]) for x in xs])


def positions(values: list[float]) -> list[float]:
    """The values in order, those near one another as one, in points."""
    positions: list[float] = []
    for value in sorted(values):
        if not positions or value - positions[-1] > _NEAR:
            positions.append(value)
    return positions


def merged_cells(grid: DrawnGrid) -> tuple[list[list[Place]], list[Merge]]:
    """For each cell the one it is merged into, which may be itself, and the merges: cells no border parts."""
    anchors: list[list[Place]] = [[(r, c) for c in range(grid.columns)] for r in range(grid.rows)]
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


def _ends_at(grid: DrawnGrid, row: int, column: int, across: int) -> bool:
    """Whether a cell ends above a row: a rule, or only a border between lines of text, runs under it, or the row is cut
    inside the cell's width."""
    y = grid.ys[row]
    rules = grid.horizontal_at[y]
    columns = range(column, column + across)
    if not rules:
        return not all((row, c) in grid.straddled for c in columns)
    centres = [(grid.xs[c] + grid.xs[c + 1]) / 2 for c in columns]
    if any(left - AT_RULE <= x <= right + AT_RULE for _, left, right in rules for x in centres):
        return True
    middle = (y + grid.ys[row + 1]) / 2
    return any(grid.has_column_border(c, middle) for c in columns[1:])
