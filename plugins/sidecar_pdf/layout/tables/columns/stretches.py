"""Where lines that may be a table without rules begin and end, before their columns are looked for: by the white
between them, and by what stands in the columns of those before."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from sidecar_pdf.layout.tables.columns.told import are_told, opens_sheet, stands_under
from sidecar_pdf.layout.tables.found import BULLET, NUMERIC, white_between
from sidecar_pdf.text.segments import Segment

_LEADING = 1.6  # ems of white between two rows of one table
_EVEN_LEADING = 1.6  # times that, where the file tells the pieces of both apart
_FAR_LEADING = 2.5  # times that, where the pieces of a line stand in the columns of those above
_EVEN_ROWS = 1.4  # times the white between rows, to labels alone and to the row behind them
_MIN_SIZE = 4.0  # points of type, where the size is absurd
_SAME_EDGE = 2.0  # points between the edges of what begins, or ends, at one place
_NEXT_LINE = 0.5  # heights of a line of white, at most, between two lines of one label
_TIGHTER = 0.15  # of it, by which lines of one label stand nearer than rows
_WIDE_LABEL = 0.7  # of the widest label: one that goes on in the next line
_OVERLAP = 0.1  # heights of a line by which two lines of one row overlap, at least
_FIGURED = 3  # pieces of a line, a label and figures
_MAX_FIGURED = 100  # of them: each is compared with those of three lines
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
            or is_beside(rows, end)
            or _ends_with_figures(above, row)
        )
        holds = len(row) > 1 or further
        even = _EVEN_LEADING if held and holds and are_told([above, row]) else 1.0
        even = _FAR_LEADING if _stands_in_columns(rows[max(start, end - _FIGURED) : end], row) else even
        held = holds
        if gap > even * _LEADING * max(row[0].style.size, _MIN_SIZE) or opens_sheet(rows[start:end], row, gap):
            break
        if len(row) == 1 and not row[0].style.mono and not further and all(s.style.mono for s in above):
            break  # a sentence between two tables in typewriter type
        if _opens_item(row) and not _opens_item(above):
            break  # a list under a table
        if len(row) >= 2 or further:
            last = end + 1
        elif end - last >= 1:
            behind = _behind_labels(rows, start, last)
            if behind == last:
                break
            end, last = behind, behind + 1
        end += 1
    return last + (last < len(rows) and _ends_label(rows, start, last))


def _opens_item(row: list[Segment]) -> bool:
    """Whether a line begins with the sign of an item of a list."""
    return BULLET.match(min(row, key=lambda s: s.x0).text) is not None


def _ends_with_figures(above: list[Segment], row: list[Segment]) -> bool:
    """Whether a line of one piece is a label as wide as its column and figures, which end where those above do."""
    ends = [s.x1 for s in above if NUMERIC.match(s.text)]
    figures = row[0].words[-len(ends) :] if len(row) == 1 else []
    if len(ends) < _FEW or len(row[0].words) <= len(ends):
        return False
    return all(NUMERIC.match(w.text) and any(abs(w.x1 - end) < _SAME_EDGE for end in ends) for w in figures)


def _ends_label(rows: list[list[Segment]], start: int, at: int) -> bool:
    """Whether the line under a table is the second one of the last label: alone, in small letters or nearer than rows
    are, in the type of that, right under it and left of all else, where the label is about as wide as any."""
    above, row = sorted(rows[at - 1], key=lambda s: s.x0), rows[at]
    if len(row) > 1 or len(above) < _FEW or row[0].style != above[0].style:
        return False
    several = [sorted(line, key=lambda s: s.x0) for line in rows[start:at] if len(line) > 1]
    usual = median([white_between(*pair) for pair in pairwise(several)] or [0.0])
    if not row[0].text[0].islower() and white_between(above, row) > usual - _TIGHTER * (row[0].y1 - row[0].y0):
        return False
    left = above[0].x0
    widest, second = max(line[0].x1 for line in several) - left, min(line[1].x0 for line in several)
    near = white_between(above, row) < _NEXT_LINE * (row[0].y1 - row[0].y0)
    wide = above[0].x1 - left > _WIDE_LABEL * widest
    lined_up = min(abs(row[0].x0 - left), abs(row[0].x1 - above[0].x1)) < _SAME_EDGE
    return near and wide and lined_up and row[0].x1 < second


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
        right = min(rows[end - 1], key=lambda s: s.x0).x1  # labels may be set to the right
        aside = min(abs(row[0].x0 - left), abs(row[0].x1 - right)) > _SAME_EDGE
        if aside or row[0].x1 > second or white_between(rows[end - 1], row) > near:
            break
        if len(row) > 1:
            ends = [x for one in above for s in one[1:] for x in (s.x0, s.x1)]
            lined_up = all(any(abs(x - end) < _SAME_EDGE for end in ends for x in (s.x0, s.x1)) for s in row[1:])
            return end if lined_up else at
    return at


def _stands_in_columns(above: Sequence[list[Segment]], row: list[Segment]) -> bool:
    """Whether a line holds a label and, about as many as the line above, figures under its pieces, or pieces each of
    which begins or ends where one above does: rows are told by that, however far apart they are."""
    label, *others = sorted(row, key=lambda s: s.x0)
    if not _FIGURED <= len(row) <= _MAX_FIGURED or len(above[-1]) < len(row) - 1:
        return False
    pieces = [s for line in above[-_FIGURED:] for s in line]
    if all(NUMERIC.match(s.text) for s in others):
        return all(any(label.x1 < a.x0 < s.x1 and s.x0 < a.x1 for a in pieces) for s in others)
    return all(any(min(abs(a.x0 - s.x0), abs(a.x1 - s.x1)) < _SAME_EDGE for a in pieces) for s in row)


def is_beside(rows: Sequence[list[Segment]], at: int) -> bool:
    """Whether a line of one piece overlaps in height with one of several, right of it, above or below: the line of a
    label in whose middle the figures of its row stand."""
    row = rows[at]
    if len(row) > 1:
        return False
    left, right, least = row[0].x0, row[0].x1, -_OVERLAP * (row[0].y1 - row[0].y0)
    for near in (rows[at - 1] if at else [], rows[at + 1] if at + 1 < len(rows) else []):
        figures = [s for s in near if s.x0 > right]
        others = (s for s in near if s.x0 <= right)  # another line of the label
        own = bool(figures) and len(near) > 1 and all(abs(s.x0 - left) < _SAME_EDGE for s in others)
        if own and max(white_between(figures, row), white_between(row, figures)) < least:
            return True
    return False


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
