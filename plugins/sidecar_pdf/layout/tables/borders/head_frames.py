"""Grids in frames: those of which nothing is drawn but the sides, the foot and a head filled cell by cell, as pages of
the reference of programs have them, where the columns are those of the head and rows are told by their distance; and
those with rules within that reach no side."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from math import inf

from sidecar.api import Box
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.borders.drawn_grid import AT_RULE, DrawnGrid, positions
from sidecar_pdf.layout.tables.borders.filled import filled_rows, with_row_above
from sidecar_pdf.layout.tables.found import NUMERIC, cell_text, off_edges
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment, Word

# Points.
_NEAR = 3.0  # between the edge of a filled cell and a rule
_MIN_HEAD, _MAX_HEAD = 8.0, 60.0  # height of a head
_MIN_BODY = 8.0  # of what is under it
_CUT = 1.0  # by which text may reach over a rule within a frame, and two of one height differ
# Sizes of type, shares.
_SAME_EDGE = 2.0  # points between a head and the cells under it, where both begin, end or have their middle
_PADDED = 2.0  # from row to row, as lines of one cell never stand
_HEAD_PADDING = 0.8  # by which names in bold may be set in from their columns: DataTables pads them otherwise
_RULES_WITHIN, _ALL_TEXT = 2, 0.9  # rules at several heights within a frame; of the width of its text, that they cover
_GROUPS, _MAX_GROUPED = 2, 16  # columns of a group, and groups of a table, at least; columns that are tried
_OFF_MIDDLE, _CLEARLY = 0.25, 0.5  # of the narrowest column, by which a name is off its group's; of that of another way
_LONG = 0.5  # of the width, of a rule that parts rows: shorter ones underline words
HEAD_OVER_RULE, HEAD_OVER_FILL = 1.6, 2.4
_YEAR = re.compile(r"(?:19|20)\d\d")
"""Heights of a line within which heads stand over the first rule, and over the first filled cell, which is apart."""


def head_frames(
    horizontal: Sequence[Rule], vertical: Sequence[Rule], fills: Iterable[Box], segments: Sequence[Segment]
) -> list[DrawnGrid]:
    """The grids of a page that begin with a row of filled cells between two rules down, which are cut there and run on
    to one height, with no other rule between them. No text runs over the side of a column."""
    if not vertical:
        return []
    found: list[DrawnGrid] = []
    for head in filled_rows(fills):
        left, top, right, low = head[0][0], head[0][1], head[-1][2], head[0][3]
        if len(head) < 2 or not _MIN_HEAD < low - top < _MAX_HEAD:
            continue
        sides = [_foot_of(vertical, x, top) for x in (left, right)]
        foot = min(sides)
        if abs(sides[0] - sides[1]) > _NEAR or foot < low + _MIN_BODY:
            continue
        if _is_parted(horizontal, vertical, (left, low, right, foot)):
            continue
        xs = [left, *(cell[0] for cell in head[1:]), right]
        inside = [s for s in segments if top < (s.y0 + s.y1) / 2 < foot and left < (s.x0 + s.x1) / 2 < right]
        if any(w.x0 + AT_RULE < x < w.x1 - AT_RULE for s in inside for w in s.words for x in xs):
            continue
        body = [s for s in inside if s.y0 > low - AT_RULE]
        if not body:
            continue
        ys = positions([top, low, *(y for y in _between(body) if low + _NEAR < y < foot - _NEAR), foot])
        found.append(DrawnGrid(xs, ys, [(y, left, right) for y in ys], [(x, top, foot) for x in xs]))
    return found


def _foot_of(vertical: Iterable[Rule], x: float, top: float) -> float:
    """Where the rule at a place ends that begins at a height; 0 where there is none."""
    return max(
        (bottom for at, start, bottom in vertical if abs(at - x) < _NEAR and abs(start - top) < _NEAR), default=0.0
    )


def _is_parted(horizontal: Iterable[Rule], vertical: Iterable[Rule], body: Box) -> bool:
    """Whether a rule within a body parts rows or columns."""
    left, low, right, foot = body
    down = any(left + _NEAR < x < right - _NEAR and start < foot and low < end for x, start, end in vertical)
    return down or any(
        low - _NEAR < y < foot - _NEAR and min(end, right) - max(start, left) > _LONG * (right - left)
        for y, start, end in horizontal
    )


def _between(segments: Sequence[Segment]) -> list[float]:
    """The middles of the white between lines that stand further apart than those of a cell."""
    return [
        (max(s.y1 for s in above) + min(s.y0 for s in below)) / 2 for above, below in pairwise(rows_of(segments))
        if min(s.y0 for s in below) - min(s.y0 for s in above) > _PADDED * max(s.style.size for s in above)
    ]  # fmt: skip


def with_rules_within(grid: DrawnGrid, horizontal: list[Rule], taken: list[Segment]) -> DrawnGrid:
    """Adds the row borders that rules draw side by side within a grid, from the first to the last of its text, and that
    touch no side of it: cells with a rule below each, in a frame around them."""
    left, top, right, bottom = grid.box
    inside = [rule for rule in horizontal if left < rule[1] and rule[2] < right and top < rule[0] < bottom]
    if len(inside) < _RULES_WITHIN or not taken:
        return grid
    width = max(s.x1 for s in taken) - min(s.x0 for s in taken)
    added = [
        y for y in positions([rule[0] for rule in inside])
        if min(abs(y - other) for other in grid.ys) > _CUT
        and sum(end - start for at, start, end in inside if abs(at - y) < _CUT) >= _ALL_TEXT * width
        and not any(s.y0 + _CUT < y < s.y1 - _CUT for s in taken)
    ]  # fmt: skip
    if len(added) < _RULES_WITHIN:
        return grid
    across = [(y, left, right) for y in added]
    return replace(grid, ys=sorted([*grid.ys, *added]), horizontal=[*grid.horizontal, *across])


def with_head_over(
    grid: DrawnGrid, segments: list[Segment], taken: list[Segment], reach: float = HEAD_OVER_RULE
) -> DrawnGrid:
    """Adds a row for a line, or two, over the first rule that names the columns: words in all of them but perhaps the
    first, none of them a figure, that keep to the columns and begin, end or have their middle where the cells of
    `taken` do, or begin as far from their borders as these. The line is within `reach` heights of one."""
    left, top, right, _ = grid.box
    height = max((s.y1 - s.y0 for s in taken), default=0.0)
    near = [s for s in segments if not s.vertical and top - reach * height < s.y0 < top]
    line = [s for s in near if s.y1 < top + _CUT and left - _CUT < s.x0 and s.x1 < right + _CUT]
    if not line or len(line) < len([s for s in near if s.y1 < top + _CUT and s.x0 < right and s.x1 > left]):
        return grid
    heads, behind = _by_column(grid, [w for s in line for w in s.words]), set(range(1, grid.columns))
    if heads and not behind <= heads.keys():
        line += _lines_over(line, segments, left, right)
        heads = _by_column(grid, [w for s in line for w in s.words])
    cells = _by_column(grid, [w for s in taken if not s.vertical for w in s.words])
    if len(heads) < 2 or not cells or not behind <= heads.keys():
        return grid
    if any(NUMERIC.match(cell_text(words)) for words in heads.values()):
        return grid
    padding = min(min(w.x0 for w in words) - grid.xs[column] for column, words in cells.items())
    bold = all(s.style.bold for s in line) and not any(s.style.bold for s in taken if s.y0 < grid.ys[1])
    near_by = max(_SAME_EDGE, _HEAD_PADDING * line[0].style.size if bold else 0.0)
    for column, words in heads.items():
        begins = abs(min(w.x0 for w in words) - grid.xs[column] - padding) < near_by
        if not begins and not (column in cells and _stands_over(words, cells[column], near_by)):
            return grid
    head = min(s.y0 for s in line) - _CUT
    return with_row_above(grid, head, [(x, head, top) for x in grid.xs])


def with_groups_over(grid: DrawnGrid, segments: Sequence[Segment], reach: float) -> DrawnGrid:
    """Adds a row for a line over the first rule that names groups of the columns: two pieces or more, none of them a
    figure, each in the middle of two columns or more and no wider, that are all columns from one on, where all of these
    have names. The line is within `reach` heights of one."""
    left, top, right, _ = grid.box
    level = [s for s in segments if not s.vertical and s.x0 < right and s.x1 > left and s.y1 < grid.ys[1] + _CUT]
    height = max((s.y1 - s.y0 for s in level if s.y0 > top - _CUT), default=0.0)
    line = sorted((s for s in level if top - reach * height < s.y0 and s.y1 < top + _CUT), key=lambda s: s.x0)
    if len(line) < _GROUPS or any(NUMERIC.match(s.text) for s in line) or len(rows_of(line)) > 1:
        return grid
    first = _first_named(grid, [w for s in level if (s.y0 + s.y1) / 2 > top for w in s.words])
    starts = _groups(grid, [(s.x0, s.x1) for s in line], first)
    if not starts:
        return grid
    head = min(s.y0 for s in line) - _CUT
    sides = [*grid.xs[: starts[0]], *(grid.xs[at] for at in starts), right]
    return with_row_above(grid, head, [(x, head, top) for x in sides])


def _first_named(grid: DrawnGrid, words: Sequence[Word]) -> int:
    """The first column of the grid from which on all cells of its first row, which may reach over several, hold names,
    or years: as many as there are columns where that is none."""
    middle = (grid.ys[0] + grid.ys[1]) / 2
    starts = [0, *(at for at in range(1, grid.columns) if grid.has_column_border(at, middle))]
    first = 0
    for start, end in zip(starts, [*starts[1:], grid.columns], strict=True):
        text = cell_text([w for w in words if grid.xs[start] < (w.x0 + w.x1) / 2 < grid.xs[end]])
        if NUMERIC.match(text) and not _YEAR.fullmatch(text):
            return grid.columns
        first = first if text else end
    return first


def _groups(grid: DrawnGrid, pieces: Sequence[tuple[float, float]], first: int) -> list[int]:
    """The first column of each group of columns, from that of a table's `first` on or a later one, that the pieces of a
    line stand in the middle of. None where one is off it by more than a part of the narrowest column, or two ways fit
    alike."""
    if grid.columns > _MAX_GROUPED or len(pieces) * _GROUPS >= grid.columns + _GROUPS:
        return []
    ways: list[tuple[float, list[int]]] = []
    for starts in combinations(range(max(first, 1), grid.columns - 1), len(pieces)):
        off = 0.0
        for (x0, x1), start, end in zip(pieces, starts, [*starts[1:], grid.columns], strict=True):
            left, right = grid.xs[start], grid.xs[end]
            fits = end - start >= _GROUPS and left - _CUT < x0 and x1 < right + _CUT
            off = max(off, abs(x0 + x1 - left - right) / 2 if fits else inf)
        ways.append((off, [*starts]))
    ways.sort()
    narrowest = min(b - a for a, b in pairwise(grid.xs[1:]))
    clear = len(ways) < _GROUPS or ways[0][0] < _CLEARLY * ways[1][0]
    return ways[0][1] if ways and ways[0][0] < _OFF_MIDDLE * narrowest and clear else []


def _lines_over(line: list[Segment], segments: list[Segment], left: float, right: float) -> list[Segment]:
    """The line right over the last one of heads, where those of one line stand as well."""
    top, height = min(s.y0 for s in line), max(s.y1 - s.y0 for s in line)
    level = [
        s for s in segments if not s.vertical and s.x0 < right and s.x1 > left and -height / 2 < top - s.y1 < height / 2
    ]
    return level if all(left - _CUT < s.x0 and s.x1 < right + _CUT for s in level) else []


def _stands_over(head: list[Word], cells: list[Word], near: float) -> bool:
    """Whether a head begins or ends `near` where cells of its column do, or in the middle of them."""
    (x0, x1), (left, right) = ((min(w.x0 for w in words), max(w.x1 for w in words)) for words in (head, cells))
    return off_edges((x0, x1), (left, right)) < near


def _by_column(grid: DrawnGrid, words: list[Word]) -> dict[int, list[Word]]:
    """The words in each column; none at all where a word stands across a border."""
    columns: dict[int, list[Word]] = {}
    for word in words:
        if any(word.x0 + AT_RULE < x < word.x1 - AT_RULE for x in grid.xs):
            return {}
        columns.setdefault(grid.column_at((word.x0 + word.x1) / 2), []).append(word)
    return columns
