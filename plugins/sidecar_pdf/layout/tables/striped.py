"""Finds tables told by filled rows without any rule: every other row is filled, or the names of columns alone."""

from itertools import pairwise
from statistics import median

from sidecar.api import Box
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.aligned import table_between_rules
from sidecar_pdf.layout.tables.borders.drawn_grid import NEXT_LINE, positions
from sidecar_pdf.layout.tables.borders.filled import SAME_LEVEL, filled_heads, stripe_groups
from sidecar_pdf.layout.tables.columns.stretches import goes_on
from sidecar_pdf.layout.tables.ends import IN_BAND_ACROSS, TOLERANCE, turned_text
from sidecar_pdf.layout.tables.found import NUMERIC, FoundTable
from sidecar_pdf.layout.tables.grid import COLUMN_GAP
from sidecar_pdf.layout.tables.grid_rows import bold_lines
from sidecar_pdf.layout.tables.known_flaws import SUSPECT
from sidecar_pdf.pdfium.geometry import bounding_box, contains_centre
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.segments import Segment

# Points.
_MAX_NAMES = 150.0  # left of filled rows, in which their names may stand
_TURNED_HEIGHT = 140.0  # above the first line of a table, in which headers that run up may stand
_CUT = 1.0  # by which text may reach over the side of a filled cell
# Counts, and heights of a line.
_ROWS_ABOVE = 3  # of header, and one that is not filled, over the first filled row
_TWICE = 0.2  # of the usual height of filled rows, by which two differ from twice that
_HEADS = 2.4  # from the top of the heads to the first filled row
_MIN_STRIPED = 3  # rows of a table of filled rows
_BESIDE = 1.8  # within which the row above or below a filled one begins
_FAR, _EVEN = 2.6, 1.5  # within which the row under filled names begins; times the usual distance, the next one


def head_filled_tables(graphics: PageGraphics, tables: list[FoundTable], free: list[Segment]) -> list[FoundTable]:
    """Tables whose names of columns alone are filled, in one area or cell by cell, besides those already found: the
    lines below that keep to the columns."""
    found: list[FoundTable] = []
    for cells in filled_heads(graphics.fills):
        box = bounding_box(cells)
        across = [s for s in free if not s.vertical and box[0] - _CUT < s.x0 and s.x0 < box[2] and s.y1 > box[1]]
        heads = [s for s in across if (s.y0 + s.y1) / 2 < box[3]]
        if len(heads) < 2 or any(NUMERIC.match(s.text) for s in heads):
            continue
        if any(table.overlaps(box) for table in (*tables, *found)):
            continue
        borders = sorted({cell[0] for cell in cells if cell[3] > box[3] - SAME_LEVEL and cell[0] > box[0] + SAME_LEVEL})
        lines = rows_of(heads)
        named = len(lines)
        lines += _lines_under(rows_of(s for s in across if (s.y0 + s.y1) / 2 >= box[3]), box, borders, heads)
        over = [_foot(cell, heads) for cell in cells if cell[3] < box[3] - SAME_LEVEL]
        table = table_between_rules(lines, [box[1], box[3]], over, named=named) if len(lines) > named + 1 else None
        if table is not None and table.score >= SUSPECT:
            table.x0, table.y0, table.x1 = min(box[0], table.x0), min(box[1], table.y0), max(box[2], table.x1)
            found.append(table)
    return found


def _foot(cell: Box, heads: list[Segment]) -> Rule:
    """The lower edge of the cell of a head over others, right under its text."""
    own = [s.y1 for s in heads if contains_centre(cell, s.box)]
    return min(cell[3], max(own, default=cell[3]) + _CUT), cell[0], cell[2]


def _lines_under(
    lines: list[list[Segment]], box: Box, borders: list[float], heads: list[Segment]
) -> list[list[Segment]]:
    """The lines below filled names of columns as far as they follow one another evenly and keep to the columns, and end
    within them: what begins left of the first name is text."""
    left, bottom, usual = min(s.x0 for s in heads) - _CUT, box[3], 0.0
    body: list[list[Segment]] = []
    for line in lines:
        height = line[0].y1 - line[0].y0
        gap = min(s.y0 for s in line) - bottom
        far = not body or (borders and len(line) > 1)
        if gap > max((_FAR if far else _BESIDE) * height, _EVEN * usual):
            break
        words = sorted((w for s in line for w in s.words), key=lambda w: w.x0)
        runs_on = any(w.x0 + _CUT < x < w.x1 - _CUT for x in borders for w in words) or any(
            a.x1 <= x <= b.x0 and b.x0 - a.x1 < COLUMN_GAP * a.style.size for x in borders for a, b in pairwise(words)
        )
        if runs_on or words[0].x0 < left or words[-1].x1 > box[2] + _CUT:
            break
        usual = max(usual, gap) if body else usual
        body.append(line)
        bottom = max(bottom, *(s.y1 for s in line))
    while (
        body
        and len(body[-1]) == 1
        and not any(abs(body[-1][0].x0 - s.x0) < _CUT for line in (heads, *body[:-1]) for s in line)
    ):
        body.pop()  # a line of a list below
    return body


def striped_tables(graphics: PageGraphics, tables: list[FoundTable], free: list[Segment]) -> list[FoundTable]:
    """Tables whose every other row is filled, without any rule, besides those already found."""
    found: list[FoundTable] = []
    for stripes in stripe_groups(graphics.fills):
        box = bounding_box(stripes)
        lines = _striped_lines(stripes, free, graphics.fills)
        if len(lines) < _MIN_STRIPED or any(table.overlaps(box) for table in (*tables, *found)):
            continue
        above = [line for line in lines if line[0].y1 <= box[1] + TOLERANCE]
        named = bold_lines(lines)
        between = [(one[0].y1 + other[0].y0) / 2 for one, other in pairwise(above[max(named - 1, 0) :])]
        edges = [y for stripe in stripes for y in (stripe[1], stripe[3])]
        usual = median([stripe[3] - stripe[1] for stripe in stripes])
        if (
            abs(edges[1] - edges[0] - 2 * usual) < _TWICE * usual
        ):  # the names of columns and the first row, filled alike
            edges.append((edges[0] + edges[1]) / 2)
        stops = positions([*between, *edges])
        head = min(s.y0 for s in lines[0])
        turned = turned_text(free, (box[0], head - _TURNED_HEIGHT, box[2], max(head, stops[0]) + TOLERANCE))
        table = table_between_rules(lines, stops, [], turned, named=named)
        if table is not None:
            table.x0, table.x1 = min(box[0], table.x0), max(box[2], table.x1)
            found.append(table)
    return found


def _striped_lines(stripes: list[Box], free: list[Segment], fills: list[Box]) -> list[list[Segment]]:
    """The lines from the row above the first stripe to the one below the last."""
    left, top, right, bottom = bounding_box(stripes)
    before = [s for s in free if not s.vertical and left - _MAX_NAMES < s.x0 and s.x1 < left + TOLERANCE]
    named = [[s.x0 for s in before if y0 < (s.y0 + s.y1) / 2 < y1] for _, y0, _, y1 in stripes]
    if all(named) and not any(contains_centre(f, s.box) for s in before for f in fills if f[2] < left + TOLERANCE):
        left = min(map(min, named))  # the names of rows are not filled
    elif _are_groups_beside(stripes, before, free):
        left = min(s.x0 for s in before if top - _HEADS * (s.y1 - s.y0) < s.y0 and s.y1 < bottom)
    across = [s for s in free if not s.vertical and left - IN_BAND_ACROSS <= (s.x0 + s.x1) / 2 <= right + TOLERANCE]
    lines = rows_of(across)
    inside = [at for at, line in enumerate(lines) if top <= (line[0].y0 + line[0].y1) / 2 <= bottom]
    if not inside:
        return []
    first, last = inside[0], inside[-1]
    for above in reversed(lines[max(first - _ROWS_ABOVE, 0) : first]):
        apart = min(top, lines[first][0].y0) - above[0].y1
        if not _is_parted(above, len(lines[first])) or not _goes_with(lines[first], apart):
            break
        first -= 1
    while last + 1 < len(lines):
        apart = lines[last + 1][0].y0 - max(bottom, lines[last][0].y1)
        if _carries_on(lines[first : last + 1], lines[last + 1]):
            last += 1
            continue
        several = len(lines[last + 1]) > 1
        if not several or not _goes_with(lines[last], apart):
            break
        last += 1
    return lines[first : last + 1]


def _are_groups_beside(stripes: list[Box], before: list[Segment], free: list[Segment]) -> bool:
    """Whether names of groups of rows stand `before` filled rows, fewer than these, and one more on the line of heads
    over them: all from one place, or to one."""
    _, top, _, bottom = bounding_box(stripes)
    names = [s for s in before if top < (s.y0 + s.y1) / 2 < bottom]
    heads = [s for s in before if 0 <= top - s.y0 < _HEADS * (s.y1 - s.y0)]
    if len(names) < 2 or len(names) > len(stripes) or len(heads) != 1:
        return False
    level = [s for s in free if s.x0 > heads[0].x1 and abs(s.y1 - heads[0].y1) < TOLERANCE]
    aligned = (max(xs) - min(xs) for xs in ([s.x0 for s in (*heads, *names)], [s.x1 for s in (*heads, *names)]))
    return len(level) > 1 and min(aligned) < SAME_LEVEL


def _carries_on(rows: list[list[Segment]], line: list[Segment]) -> bool:
    """Whether a line of one piece holds a further line of a cell of the row above that is not filled: right under it,
    and no first cell."""
    opening = next((row for row in reversed(rows) if len(row) > 1), line)
    near = line[0].y0 - rows[-1][0].y1 < NEXT_LINE * (line[0].y1 - line[0].y0)
    return near and opening is not line and goes_on(opening, line)


def _goes_with(row: list[Segment], apart: float) -> bool:
    """Whether a line so far `apart` from a filled row, in points, is as near to it as rows of one table are."""
    return apart < _BESIDE * (row[0].y1 - row[0].y0)


def _is_parted(line: list[Segment], columns: int) -> bool:
    """Whether a line has several pieces; those of narrow columns stand no farther apart than words may, but there is
    one for each of the columns."""
    if len(line) > 1:
        return True
    words = line[0].words
    gaps = sum(b.x0 - a.x1 > COLUMN_GAP * max(a.style.size, 1.0) for a, b in pairwise(words))
    return columns > 1 and gaps == columns - 1
