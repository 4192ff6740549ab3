"""Columns that the file itself tells: where it writes blanks, what has none before it was set apart; and where a
spreadsheet program wrote it, each piece is the text of a cell."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import inf

from sidecar_pdf.layout.tables.columns.leaders import parted_behind_leaders
from sidecar_pdf.layout.tables.found import NUMERIC
from sidecar_pdf.layout.tables.grid_rows import Cells, Columns
from sidecar_pdf.text.segments import Segment, Word

_SAME_RUN = 1.3  # ems of white behind a written blank within one run, as beside a sign that is drawn
# Points.
_LAPPED, _TOLD_LEAST = 1.0, 0.1  # by which cells beside one another may overlap; kept between their columns
_CELL_EDGE = 1.0  # between the left or right edges of the cells of one column of a sheet
_EMPTY_ROW = 0.9  # heights of a line of white, from which on a row of a sheet may be empty
# Counts and shares.
_PAIR = 2  # cells, or lines
_LOOKED_AT = 40  # lines above one that begins where their columns do
_SHEET_COLUMNS, _FULL_SHARE = 3, 0.6  # columns that the order of pieces tells; lines of several pieces with one in each
_FULL_LINES = 3  # lines that tell so
_TOLD = 0.9  # of the pieces of lines that begin without a blank before them


def are_told(lines: list[list[Segment]]) -> bool:
    """Whether the file itself tells what stands apart on lines: it writes blanks, and none between their pieces."""
    begun = [s.words[0].apart for line in lines for s in line]
    return None not in begun and sum(map(bool, begun)) >= _TOLD * len(begun)


def are_cells(lines: list[list[Segment]]) -> bool:
    """Whether lines are of a sheet that a spreadsheet program set, each piece the text of a cell."""
    return all(s.cell for line in lines for s in line) and are_told(lines)


def opens_sheet(above: list[list[Segment]], row: list[Segment], white: float) -> bool:
    """Whether a line of a sheet, under a row that is empty, names the columns of a table of its own: in bold, under
    lines that are not, with so much `white` over it, in points."""
    if len(row) < _PAIR or white < _EMPTY_ROW * (row[0].y1 - row[0].y0) or len(above) < _PAIR:
        return False
    if not all(s.cell and s.style.bold for s in row) or any(NUMERIC.match(s.text) for s in row):
        return False
    return not all(s.style.bold for s in above[-1])


def stands_under(rows: Sequence[list[Segment]], row: list[Segment]) -> bool:
    """Whether a line of one piece begins where the file set several of the `rows` above it, behind others on lines of
    three or more: the first line of a cell of the next row, whose other cells stand in its middle."""
    if len(row) > 1 or not row[0].words[0].apart:
        return False
    left = row[0].x0
    columns = (sorted(s.x0 for s in line)[1:] for line in rows[-_LOOKED_AT:] if len(line) >= _SHEET_COLUMNS)
    return sum(any(abs(x0 - left) < _CELL_EDGE for x0 in own) for own in columns) >= _PAIR


def parted(line: list[Segment]) -> list[Segment]:
    """The pieces of a line as the file tells them, left to right: they begin where words were set apart, behind dots
    that lead to them too, and go on over wide white behind a blank. The line as it is where nothing is told."""
    line = [part for segment in line for part in parted_behind_leaders(segment)]
    apart = [w.apart for s in line for w in s.words]
    if None in apart or sum(map(bool, apart)) == len(line) == sum(bool(s.words[0].apart) for s in line):
        return line
    pieces: list[Segment] = []
    for segment in sorted(line, key=lambda s: s.x0):
        for at, word in enumerate(segment.words):
            near = bool(pieces) and word.x0 - pieces[-1].x1 < _SAME_RUN * max(word.style.size, 1.0)
            if word.apart or not (at or near):
                pieces.append(Segment(word, segment.order))
                pieces[-1].vertical, pieces[-1].ticked = segment.vertical, segment.ticked and at == 0
                pieces[-1].cell = segment.cell
            else:
                pieces[-1].add(word)
    return pieces


def as_told(columns: Columns, runs: list[list[list[Word]]]) -> Columns:
    """The columns that the pieces of full lines tell by their order, where the file tells the pieces apart and white
    alone does not: texts at the left and figures at the right of cells as close as in a sheet."""
    most = max(map(len, runs))
    full = [line for line in runs if len(line) == most]
    parted = sum(len(line) > 1 for line in runs)
    if most < _SHEET_COLUMNS or len(full) < max(_FULL_LINES, _FULL_SHARE * parted):
        return columns
    if len(columns) >= most and all(_meets_in_order(line, columns) for line in full):
        return columns  # as white tells them: of more than any line has pieces some are never filled together
    sides = [(min(run[0].x0 for run in own), max(w.x1 for run in own for w in run)) for own in zip(*full, strict=True)]
    if any(other[0] < one[1] - _LAPPED for one, other in pairwise(sides)):
        return columns
    rights = [min(one[1], other[0] - _TOLD_LEAST) for one, other in pairwise(sides)]
    return [(left, right) for (left, _), right in zip(sides, [*rights, sides[-1][1]], strict=True)]


def _meets_in_order(line: list[list[Word]], columns: Columns) -> bool:
    """Whether each piece of a line stands in a column of its own, the one of its place where there are as many."""
    met = [[at for at, (left, right) in enumerate(columns) if run[0].x0 < right and run[-1].x1 > left] for run in line]
    return all(len(own) == 1 for own in met) and len({own[0] for own in met}) == len(line)


def meets(extent: tuple[float, float], others: Sequence[tuple[float, float]]) -> bool:
    """Whether an extent overlaps one of others."""
    return any(left < extent[1] and right > extent[0] for left, right in others)


def with_complements(columns: Columns, runs: list[list[list[Word]]]) -> Columns:
    """The columns of a sheet, neighbours made one of which one holds texts at the left and the other figures at the
    right, and no line has both: a cell's text stands at its left edge, and a figure at its right one."""
    joined: Columns = []
    texts: list[tuple[int, list[Word]]] = []
    for column in columns:
        own = [(at, run) for at, line in enumerate(runs) for run in line if meets((run[0].x0, run[-1].x1), [column])]
        apart = {at for at, _ in texts}.isdisjoint(at for at, _ in own)
        if apart and _are_complements([run for _, run in texts], [run for _, run in own]):
            joined[-1] = (joined[-1][0], column[1])
            own = []
        else:
            joined.append(column)
        texts = own
    return joined


def as_named(columns: Columns, runs: list[list[list[Word]]]) -> Columns:
    """The columns of a sheet as its first line names them, where that has more names than there are columns: a cell
    begins where its name does, and ends before the next one. Those that hold nothing stand between others."""
    head, body = runs[0], runs[1:]
    if len(head) <= len(columns) or len(head) < _SHEET_COLUMNS or any(map(_is_figure, head)):
        return columns
    starts = [run[0].x0 for run in head]
    ends = [run[-1].x1 for run in head]
    for line in body:
        taken: set[int] = set()
        for run in line:
            at = bisect_right(starts, run[0].x0 + _CELL_EDGE) - 1
            if at < 0 or at in taken or run[-1].x1 > [*starts, inf][at + 1] - _TOLD_LEAST:
                return columns
            taken.add(at)
            ends[at] = max(ends[at], run[-1].x1)
    return list(zip(starts, ends, strict=True))


def _are_complements(texts: Cells, figures: Cells) -> bool:
    """Whether texts begin at one place, and figures end at one."""
    if not texts or not figures or all(map(_is_figure, texts)) or not all(map(_is_figure, figures)):
        return False
    lefts, rights = [run[0].x0 for run in texts], [run[-1].x1 for run in figures]
    return max(lefts) - min(lefts) < _CELL_EDGE and max(rights) - min(rights) < _CELL_EDGE


def _is_figure(run: Sequence[Word]) -> bool:
    return NUMERIC.match(" ".join(word.text for word in run)) is not None
