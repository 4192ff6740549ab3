"""Finds tables whose cells are drawn: grids of ruling lines. A grid is trusted when text stands in its cells, or when
it is regular enough to be a form that waits to be filled in. `columns` finds tables without cell borders."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from sidecar.api import Box, Merge
from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables import FoundTable, cell_text, header_rows
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.text.segments import Segment, Word

_NEAR = 3.0
_MAX_RULES = 1_200
_PROSE = 25
"""Words that make a cell across the whole table a paragraph."""

Rule = tuple[float, float, float]


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
        ys = positions([h[0] for h in hs])
        xs = positions([v[0] for v in vs])
        left, right = min(h[1] for h in hs), max(h[2] for h in hs)
        if xs and left < xs[0] - 8:
            xs.insert(0, left)
        if xs and right > xs[-1] + 8:
            xs.append(right)
        top, bottom = min(v[1] for v in vs), max(v[2] for v in vs)
        if top < ys[0] - 8:
            ys.insert(0, top)
        if bottom > ys[-1] + 8:
            ys.append(bottom)
        if len(xs) == 2 and len(ys) == 2:
            frames.append((xs[0], ys[0], xs[1], ys[1]))
        if len(xs) < 3 or len(ys) < 2 or len(xs) * len(ys) > 20_000:
            continue
        if len(xs) - 1 <= 2 and len(ys) - 1 <= 1 and (xs[-1] - xs[0]) * (ys[-1] - ys[0]) > 0.5 * width * height:
            continue
        if not _coherent(xs, ys, hs, vs) or _is_plot(xs, ys, graphics.curves):
            continue
        table = _grid(xs, ys, hs, vs, segments)
        if table is not None and not any(map(any, table.rows)) and _is_painted(table, graphics.fills):
            continue
        if table is not None and not any(_inside(table.box, other.box) for other in tables):
            tables.append(table)
    return tables, frames


def merged_rules(rules: list[Rule]) -> list[Rule]:
    """Rules on one line joined where they touch: borders are often drawn cell by cell."""
    merged: list[Rule] = []
    for at, start, end in sorted((round(r[0] * 2) / 2, r[1], r[2]) for r in rules):
        if (
            merged
            and abs(merged[-1][0] - at) <= 1.0
            and start <= merged[-1][2] + _NEAR
            and end >= merged[-1][1] - _NEAR
        ):
            last = merged[-1]
            merged[-1] = (last[0], min(last[1], start), max(last[2], end))
        else:
            merged.append((at, start, end))
    return [rule for rule in merged if rule[2] - rule[1] >= 6]


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


def _coherent(xs: list[float], ys: list[float], hs: list[Rule], vs: list[Rule]) -> bool:
    """Whether the rules run through like a table's: boxes of a diagram make many short ones at unrelated places."""
    across = len(ys) * (xs[-1] - xs[0]) or 1.0
    down = len(xs) * (ys[-1] - ys[0]) or 1.0
    drawn_across, drawn_down = sum(h[2] - h[1] for h in hs), sum(v[2] - v[1] for v in vs)
    if (len(xs) - 1) * (len(ys) - 1) <= 6:
        return True
    return drawn_across > 0.33 * across and drawn_down > 0.3 * down


def _is_plot(xs: list[float], ys: list[float], curves: list[Box]) -> bool:
    """Whether curves or slanted lines run over the grid: what they cross is the frame of a plot, not a table's rules.
    A stroke within one cell (a tick, a crossed-out corner) or around the whole (rounded borders) says nothing."""
    crossing = 0.0
    for x0, y0, x1, y1 in curves:
        if x0 < xs[0] - 6 or x1 > xs[-1] + 6 or y0 < ys[0] - 6 or y1 > ys[-1] + 6:
            continue
        if x0 <= xs[0] + 2 and x1 >= xs[-1] - 2 and y0 <= ys[0] + 2 and y1 >= ys[-1] - 2:
            continue
        if any(x0 + 2 < x < x1 - 2 for x in xs[1:-1]) or any(y0 + 2 < y < y1 - 2 for y in ys[1:-1]):
            crossing = max(crossing, (x1 - x0) / (xs[-1] - xs[0]), (y1 - y0) / (ys[-1] - ys[0]))
    return crossing > 0.25


def _is_painted(table: FoundTable, fills: list[Box]) -> bool:
    """Whether most cells of a grid without text are filled: a heat map, not a form."""
    cells = sum(len(row) for row in table.rows)
    painted = {(round(b[0]), round(b[1])) for b in fills if _inside(b, table.box)}
    return len(painted) > 0.5 * cells


def _is_regular(xs: list[float], ys: list[float], hs: list[Rule], vs: list[Rule]) -> bool:
    """Whether nearly every border of a grid of at least two by two cells is drawn, and cells are large enough to write
    in: an empty form, not a pattern."""
    if len(xs) < 3 or len(ys) < 3 or len(xs) * len(ys) > 600:
        return False
    wide = sum(b - a >= 18 for a, b in pairwise(xs)) >= 0.6 * (len(xs) - 1)
    tall = sum(b - a >= 8 for a, b in pairwise(ys)) >= 0.6 * (len(ys) - 1)
    drawn_across, drawn_down = sum(h[2] - h[1] for h in hs), sum(v[2] - v[1] for v in vs)
    across, down = len(ys) * (xs[-1] - xs[0]), len(xs) * (ys[-1] - ys[0])
    if len(ys) == 3:  # two rows: every border, and cells of one width
        even = max(b - a for a, b in pairwise(xs)) < 1.2 * min(b - a for a, b in pairwise(xs))
        return wide and tall and even and drawn_across > 0.97 * across and drawn_down > 0.95 * down
    return wide and tall and drawn_across > 0.85 * across and drawn_down > 0.8 * down


def positions(values: list[float]) -> list[float]:
    positions: list[float] = []
    for value in sorted(values):
        if not positions or value - positions[-1] > _NEAR:
            positions.append(value)
    return positions


def _inside(box: Box, other: Box) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return other[0] <= x <= other[2] and other[1] <= y <= other[3]


def _grid(
    xs: list[float], ys: list[float], hs: list[Rule], vs: list[Rule], segments: list[Segment]
) -> FoundTable | None:
    taken = [
        s
        for s in segments
        if not s.hidden and xs[0] - 1 <= (s.x0 + s.x1) / 2 <= xs[-1] + 1 and ys[0] <= (s.y0 + s.y1) / 2 <= ys[-1]
    ]
    if any((c := match_caption(s.text)) and c.type != "table" for s in taken):
        return None
    ys = _without_prose(xs, ys, vs, taken)
    taken = [s for s in taken if ys[0] <= (s.y0 + s.y1) / 2 <= ys[-1]]
    regular = _is_regular(xs, ys, hs, vs)
    if not taken and not regular:
        return None
    ys = _text_rows(xs, ys, taken)
    columns, rows = len(xs) - 1, len(ys) - 1
    anchor = [[(r, c) for c in range(columns)] for r in range(rows)]
    merges: list[Merge] = []
    for r in range(rows):
        for c in range(columns):
            if anchor[r][c] != (r, c):
                continue
            across = 1
            middle = (ys[r] + ys[r + 1]) / 2
            while (
                c + across < columns
                and anchor[r][c + across] == (r, c + across)
                and not _drawn(vs, xs[c + across], middle)
            ):
                across += 1
            down = 1
            while (
                r + down < rows
                and not _separated(hs, ys[r + down], xs, c, across)
                and not _row_borders(vs, xs, c, across, (ys[r + down] + ys[r + down + 1]) / 2)
            ):
                down += 1
            if across > 1 or down > 1:
                merges.append(Merge(r, c, down, across))
                for i in range(r, r + down):
                    for j in range(c, c + across):
                        anchor[i][j] = (r, c)
    cells: list[list[list[Word]]] = [[[] for _ in range(columns)] for _ in range(rows)]
    for segment in taken:
        for word in (segment.as_word,) if segment.vertical else segment.words:
            c = min(max(bisect_right(xs, (word.x0 + word.x1) / 2) - 1, 0), columns - 1)
            r = min(max(bisect_right(ys, (word.y0 + word.y1) / 2) - 1, 0), rows - 1)
            cell = anchor[r][c]
            cells[cell[0]][cell[1]].append(word)
    texts = [[cell_text(cell) for cell in row] for row in cells]
    filled = sum(bool(text) for row in texts for text in row)
    used_columns = sum(any(row[c] for row in texts) for c in range(columns))
    used_rows = sum(any(row) for row in texts)
    anchors = rows * columns - sum(m.rows * m.cols - 1 for m in merges)
    sparse = (
        used_columns < 2 or used_rows < 1 or filled < 2 or filled < 0.25 * anchors
        or (used_rows < 2 and used_columns < 3)
        or (anchors < 0.66 * rows * columns and filled < 0.5 * anchors)  # boxes of a form or a flow chart
    )  # fmt: skip
    if sparse and not regular:
        return None
    order = min((s.order for s in taken), default=max((s.order for s in segments if s.y1 <= ys[0]), default=0))
    table = FoundTable(xs[0], ys[0], xs[-1], ys[-1], texts, tuple(merges), ruled=True, order=order, segments=taken)
    table.header_rows = header_rows(texts, bold=bool(taken) and all(s.style.bold for s in taken if s.y1 <= ys[1] + 2))
    return table


def _without_prose(xs: list[float], ys: list[float], vs: list[Rule], taken: list[Segment]) -> list[float]:
    """The row borders without first and last rows that run across and hold a paragraph: a frame drawn around a table
    and the text before or after it."""
    for end in (0, -1):
        while len(ys) > 3:
            top, bottom = (ys[0], ys[1]) if end == 0 else (ys[-2], ys[-1])
            if any(_drawn(vs, x, (top + bottom) / 2) for x in xs[1:-1]):
                break
            inside = [s for s in taken if top <= (s.y0 + s.y1) / 2 <= bottom]
            lines = rows_of(inside)
            columned = sum(len(line) > 1 for line in lines) > 0.2 * len(lines)
            if len(lines) < 3 or columned or sum(len(s.words) for s in inside) < _PROSE:
                break
            ys = ys[1:] if end == 0 else ys[:-1]
    return ys


def _text_rows(xs: list[float], ys: list[float], taken: list[Segment]) -> list[float]:
    """Adds row borders where rules separate only columns: lines of text that stand side by side in most columns."""
    result = [ys[0]]
    for top, bottom in pairwise(ys):
        rows = rows_of(s for s in taken if top <= (s.y0 + s.y1) / 2 < bottom)
        if len(rows) >= 3:
            counts = [len({bisect_right(xs, (s.x0 + s.x1) / 2) for s in row}) for row in rows]
            if sum(count >= max(2, 0.6 * (len(xs) - 1)) for count in counts) >= 0.8 * len(rows):
                for above, below in pairwise(rows):
                    result.append((max(s.y1 for s in above) + min(s.y0 for s in below)) / 2)
        result.append(bottom)
    return result


def _drawn(rules: list[Rule], at: float, middle: float) -> bool:
    return any(abs(rule[0] - at) <= _NEAR and rule[1] - 1 <= middle <= rule[2] + 1 for rule in rules)


def _separated(hs: list[Rule], y: float, xs: list[float], column: int, across: int) -> bool:
    """Whether a rule at `y`, or none but a text row border, runs under the cell."""
    if not any(abs(h[0] - y) <= _NEAR for h in hs):
        return True
    return any(_drawn(hs, y, (xs[c] + xs[c + 1]) / 2) for c in range(column, column + across))


def _row_borders(vs: list[Rule], xs: list[float], column: int, across: int, middle: float) -> bool:
    """Whether the row below is cut inside the cell's width, so that the cell cannot reach into it."""
    return any(_drawn(vs, xs[c], middle) for c in range(column + 1, column + across))
