"""Where lines that may be a table without rules begin and end, before their columns are looked for: by the white
between them, and by what stands in the columns of those before."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from sidecar_pdf.layout.tables.columns.told import are_told, opens_sheet, stands_under
from sidecar_pdf.layout.tables.found import white_between
from sidecar_pdf.text.segments import Segment

_LEADING = 1.6  # ems of white between two rows of one table
_EVEN_LEADING = 1.6  # times that, where the file tells the pieces of both apart
_EVEN_ROWS = 1.3  # times the white between rows, to labels alone and to the row behind them
_MIN_SIZE = 4.0  # points of type, where the size is absurd
_SAME_EDGE = 2.0  # points between the edges of what begins, or ends, at one place
_OVERLAP = 0.1  # heights of a line by which two lines of one row overlap, at least
_FEW = 2  # pieces of a line
_TOLD_ROWS = 3  # rows of several pieces that tell columns


def table_stretch(rows: list[list[Segment]], start: int) -> int:
    """Where a stretch of rows with several segments each, evenly spaced, ends."""
    end = last = start + 1
    opening, held = rows[start], True
    while end < len(rows):
        above, row = rows[end - 1], rows[end]
        opening = opening if goes_on(opening, above) else above
        gap = white_between(above, row)
        further = (
            goes_on(opening, row)
            or stands_under(rows[start:end], row)
            or (end == start + 1 and is_in_middle(rows, start))
        )
        holds = len(row) > 1 or further
        even = _EVEN_LEADING if held and holds and are_told([above, row]) else 1.0
        held = holds
        if gap > even * _LEADING * max(row[0].style.size, _MIN_SIZE):
            break
        if opens_sheet(rows[start:end], row, gap):
            break
        if len(row) == 1 and not row[0].style.mono and not further and all(s.style.mono for s in above):
            break  # a sentence between two tables in typewriter type
        if len(row) >= 2 or further:
            last = end + 1
        elif end - last >= 1:
            behind = _behind_labels(rows, start, last)
            if behind == last:
                break
            end, last = behind, behind + 1
        end += 1
    return last


def _behind_labels(rows: list[list[Segment]], start: int, at: int) -> int:
    """The row behind lines from `at` on that hold nothing but labels of the first column, as near to one another as the
    rows from `start` on, where it has pieces in their columns: `at` where there is none."""
    above = [sorted(row, key=lambda s: s.x0) for row in rows[start:at] if len(row) > 1]
    if len(above) < _TOLD_ROWS:
        return at
    left, second = min(row[0].x0 for row in above), min(row[1].x0 for row in above)
    near = _EVEN_ROWS * max(median([white_between(a, b) for a, b in pairwise(rows[start:at])]), _SAME_EDGE)
    for end in range(at, len(rows)):
        row = sorted(rows[end], key=lambda s: s.x0)
        if abs(row[0].x0 - left) > _SAME_EDGE or row[0].x1 > second or white_between(rows[end - 1], row) > near:
            break
        if len(row) > 1:
            ends = [x for one in above for s in one[1:] for x in (s.x0, s.x1)]
            lined_up = all(any(abs(x - end) < _SAME_EDGE for end in ends for x in (s.x0, s.x1)) for s in row[1:])
            return end if lined_up else at
    return at


def is_in_middle(rows: list[list[Segment]], at: int) -> bool:
    """Whether a line stands in the middle of two that overlap with it in height, each of one piece, which begin at one
    place clear of its own pieces: the lines of a head beside others of one line."""
    if not 0 < at < len(rows) - 1 or len(rows[at]) < _FEW:
        return False
    upper, line, lower = rows[at - 1 : at + 2]
    if len(upper) > 1 or len(lower) > 1 or abs(upper[0].x0 - lower[0].x0) > _SAME_EDGE:
        return False
    least = -_OVERLAP * (line[0].y1 - line[0].y0)
    if white_between(upper, line) > least or white_between(line, lower) > least:
        return False
    return all(s.x1 < alone.x0 or alone.x1 < s.x0 for alone in (*upper, *lower) for s in line)


def goes_on(above: list[Segment], row: list[Segment]) -> bool:
    """Whether a line holds further lines of cells within the row that opened above."""
    first = min(s.x0 for s in above)
    edges = [s.x0 for s in above if s.x0 > first]
    return all(any(abs(s.x0 - edge) < _SAME_EDGE for edge in edges) for s in row)
