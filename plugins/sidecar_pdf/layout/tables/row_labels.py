"""Adds names that stand left of a table: those of groups of rows to a drawn grid, each over several rows, in their
middle or on the line of the first, in a cell of its own kind or in none; and those of rows to figures under heads whose
rule leaves the corner out."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from sidecar.api import Box
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.borders.drawn_grid import NEXT_LINE, DrawnGrid
from sidecar_pdf.layout.tables.found import NUMERIC, FoundTable
from sidecar_pdf.pdfium.geometry import bounding_box
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment

# Points.
_MAX_NAME = 150.0  # left of the grid, within which names stand
_CUT = 1.0  # by which text may reach over a border
_SAME_EDGE = 2.0  # between the left, the right edges or the middles of all names
# Counts, and heights of a row.
_MIN_NAMES = 2
_OVER = 2.4  # of a line, from the name of the column to the first row
_SAME_LINE = 0.3  # ems between the feet of a row and of its name
_OFF_MIDDLE = 0.25  # by which a name is off the middle of its rows, at most


def with_row_labels(grid: DrawnGrid, segments: Sequence[Segment]) -> DrawnGrid:
    """The grid with a first column of names of groups of its rows, where several tile the rows and one more is the name
    of their column, on the first row or right over it: each is in the middle of its rows, or all are on the line of the
    first of them. Names begin, end or have their middle at one place."""
    left, top, _, bottom = grid.box
    before = [
        s for s in segments
        if not s.vertical and left - _MAX_NAME < s.x0 and s.x1 < left + _CUT and (s.y0 + s.y1) / 2 < bottom
    ]  # fmt: skip
    inside = [s for s in before if (s.y0 + s.y1) / 2 > top]
    head = [s for s in inside if (s.y0 + s.y1) / 2 < grid.ys[1]]
    for first, names in ((0, _names(inside)), (1, _names([s for s in inside if s not in head]))):
        if not _MIN_NAMES <= len(names) < grid.rows - first or not _are_in_line(names):
            continue
        ends = _centred(grid, names, first) or _on_first_lines(grid, names, first)
        over = head if first else [s for s in before if 0 < top - s.y0 < _OVER * (s.y1 - s.y0)]
        if ends and over:
            x = min(s.x0 for s in (*inside, *over)) - _CUT
            across: list[Rule] = [(y, x, left) for y in (top, grid.ys[first], *ends)]
            sides: list[Rule] = [(x, top, bottom), (left, top, bottom)]
            horizontal, vertical = [*grid.horizontal, *across], [*grid.vertical, *sides]
            return replace(grid, xs=[x, *grid.xs], horizontal=horizontal, vertical=vertical)
    return grid


def _are_in_line(names: Sequence[Box]) -> bool:
    """Whether names begin, end or have their middle at one place."""
    edges = [n[0] for n in names], [n[2] for n in names], [(n[0] + n[2]) / 2 for n in names]
    return min(max(places) - min(places) for places in edges) < _SAME_EDGE


def _names(segments: Sequence[Segment]) -> list[Box]:
    """What names of several lines or one enclose, from the top."""
    names: list[Box] = []
    for line in rows_of(segments):
        box = bounding_box(s.box for s in line)
        if names and box[1] - names[-1][3] < NEXT_LINE * (box[3] - box[1]):
            names[-1] = bounding_box((names[-1], box))
        else:
            names.append(box)
    return names


def _centred(grid: DrawnGrid, names: Sequence[Box], first: int) -> list[float]:
    """Where the rows of each name end, if it stands in their middle, and they are all rows from the `first` on."""
    ends, start = list[float](), grid.ys[first]
    for _, head, _, foot in names:
        mirrored = head + foot - start
        end = min(grid.ys, key=lambda y: abs(y - mirrored))
        row = grid.ys[grid.ys.index(end)] - grid.ys[max(grid.ys.index(end) - 1, 0)]
        if end <= start or abs(end - mirrored) > 2 * _OFF_MIDDLE * row:
            return []
        ends.append(end)
        start = end
    return ends if ends[-1] == grid.ys[-1] else []


def _on_first_lines(grid: DrawnGrid, names: Sequence[Box], first: int) -> list[float]:
    """Where the rows of each name end, if names stand in the first row of theirs, in rows of their own height."""
    rows = [grid.row_at((head + foot) / 2) for _, head, _, foot in names]
    if rows[0] != first or any(other <= one for one, other in pairwise(rows)):
        return []
    return [grid.ys[row] for row in (*rows[1:], grid.rows)]


def take_names(tables: Sequence[FoundTable], free: Sequence[Segment]) -> None:
    """Adds a first column to tables of figures under heads: the names of their rows, one of `free` left of each, that
    begin at one place, with nothing else beside them. Web pages draw the rule under the names of columns alone."""
    for table in tables:
        heads = table.header_rows
        body = table.rows[heads:]
        if table.merges or not heads or len(body) < _MIN_NAMES or not all(NUMERIC.match(row[0]) for row in body):
            continue
        lines = rows_of(s for s in table.segments if not s.vertical)
        if len(lines) != len(table.rows):
            continue
        left = [
            s for s in free
            if not s.vertical and table.x0 - _MAX_NAME < s.x0 and s.x1 < table.x0
            and table.y0 < (s.y0 + s.y1) / 2 < table.y1
        ]  # fmt: skip
        names = _names_of(lines[heads:], left)
        if not names or any(s.x1 > names[0].x0 and s not in names for s in left):
            continue
        first = [""] * heads + [s.text for s in names]
        table.rows[:] = [[name, *row] for name, row in zip(first, table.rows, strict=True)]
        table.columns.insert(0, (names[0].x0 - _CUT, table.x0))
        table.segments += names
        table.x0 = names[0].x0 - _CUT


def _names_of(lines: Sequence[Sequence[Segment]], left: Sequence[Segment]) -> list[Segment]:
    """The nearest text on the left of each line, all beginning at one place and no figures; none where any is not."""
    names: list[Segment] = []
    for line in lines:
        own = [s for s in left if abs(s.y1 - line[0].y1) < _SAME_LINE * line[0].style.size]
        if not own or NUMERIC.match(own[-1].text):
            return []
        names.append(max(own, key=lambda s: s.x1))
    return names if max(s.x0 for s in names) - min(s.x0 for s in names) < _SAME_EDGE else []
