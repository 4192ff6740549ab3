"""Tells rows across a whole grid that hold paragraphs, which are not cells: those of a frame around a table and what
stands before or after it, and the body of a form in a frame as large as its page."""

from collections import Counter
from collections.abc import Set
from dataclasses import replace
from itertools import pairwise
from statistics import median

from sidecar_pdf.layout.lines import lines_between, rows_of
from sidecar_pdf.layout.tables.borders.drawn_grid import AT_RULE, DrawnGrid, positions
from sidecar_pdf.text.segments import Segment

_PROSE_WORDS, _PROSE_LINES = 25, 3  # words and lines that make a cell across the whole table a paragraph
_BANDS = 2  # titles across a frame, at the least, and sections between them
_TITLE_WORDS = 12  # of such a title
# Shares.
_LARGER = 1.1  # times the size of cells, above which a title across is larger
_ALIKE = 0.5  # of the sections of a form, up to which have the same columns
_FRAME_HEIGHT = 0.5  # of the page's height, from which on a grid can be a frame around a body
_BODY_WORDS = 0.5  # of the words in a grid, more than which stand in paragraphs across a frame
_IN_LINES = 0.7  # of the lines of a body, that are one piece


def without_prose(grid: DrawnGrid, taken: list[Segment]) -> DrawnGrid:
    """The grid without first and last rows that run across and hold a paragraph or columns of their own: a frame drawn
    around a table and what stands before or after it."""
    ys = grid.ys
    for first in (True, False):
        while len(ys) > 3:
            top, bottom = ys[:2] if first else ys[-2:]
            if not _runs_across(grid, top, bottom):
                break
            inside = lines_between(taken, top, bottom)
            lines = rows_of(inside)
            columned = any(len(line) > 1 for line in lines)
            if len(lines) < _PROSE_LINES or not (columned or sum(len(s.words) for s in inside) >= _PROSE_WORDS):
                break
            ys = ys[1:] if first else ys[:-1]
    return replace(grid, ys=ys)


def grids_in_frame(grid: DrawnGrid, taken: list[Segment], height: float) -> list[DrawnGrid]:
    """The grids that are left of a frame without the text in it, and without titles that run across above and below;
    the grid alone where it is not a frame. `taken` is the text in it, `height` that of the page. A frame is taller than
    half the page, and most of its words stand in rows that run across and hold a paragraph, or titles across, bold or
    larger, part sections of which each has columns of its own: rows of one table do not."""
    if grid.columns < 2 or grid.ys[-1] - grid.ys[0] < _FRAME_HEIGHT * height:
        return [grid]
    rows = [lines_between(taken, top, bottom) for top, bottom in pairwise(grid.ys)]
    across = [_runs_across(grid, top, bottom) for top, bottom in pairwise(grid.ys)]
    bodies = {at for at, row in enumerate(rows) if across[at] and _is_body(row)}
    titles = {at for at, row in enumerate(rows) if across[at] and len(rows_of(row)) == len(row)}
    words = [sum(len(s.words) for s in row) for row in rows]
    if sum(words[at] for at in bodies) > _BODY_WORDS * sum(words):
        return [_part(grid, *section) for section in _sections(grid.rows, bodies, titles)]
    cells = [s for at, row in enumerate(rows) if not across[at] for s in row]
    usual = median(s.style.size for s in cells) if cells else 0.0
    bold = sum(s.style.bold for s in cells) * 2 > len(cells)
    bands = {at for at in titles if _is_band(rows[at], usual, bold=bold)}
    sections = _sections(grid.rows, bands, titles)
    if len(bands) < _BANDS or len(sections) < _BANDS:
        return [grid]
    parts = [_part(grid, *section) for section in sections]
    shapes = Counter(tuple(round(x) for x in part.xs) for part in parts)
    return parts if max(shapes.values()) <= _ALIKE * len(parts) else [grid]


def _sections(rows: int, between: Set[int], titles: Set[int]) -> list[tuple[int, int]]:
    """The first row of each section and the one past its last: rows that `between` part, less titles around."""
    found: list[tuple[int, int]] = []
    for before, after in pairwise([-1, *sorted(between), rows]):
        first, last = before + 1, after
        while first < last and first in titles:
            first += 1
        while first < last and last - 1 in titles:
            last -= 1
        found += [(first, last)] if first < last else []
    return found


def _is_band(row: list[Segment], usual: float, *, bold: bool) -> bool:
    """Whether a line of a few words across a grid is set as a title: bold where cells are not, or larger than their
    `usual` size. A ground of its own is not enough: groups of rows in one table have such."""
    if len(row) != 1 or len(row[0].words) > _TITLE_WORDS or not any(map(str.isalpha, row[0].text)):
        return False
    style = row[0].style
    return (style.bold and not bold) or style.size > _LARGER * usual


def _runs_across(grid: DrawnGrid, top: float, bottom: float) -> bool:
    """Whether no border of a column parts a row."""
    return not any(grid.has_column_border(c, (top + bottom) / 2) for c in range(1, grid.columns))


def _is_body(row: list[Segment]) -> bool:
    """Whether what stands in a row is text in lines, not in columns."""
    lines = rows_of(row)
    whole = sum(len(line) == 1 for line in lines)
    words = sum(len(s.words) for s in row)
    return len(lines) >= _PROSE_LINES and words >= _PROSE_WORDS and whole >= _IN_LINES * len(lines)


def _part(grid: DrawnGrid, first: int, last: int) -> DrawnGrid:
    """Some rows of a grid, with the borders of columns that are drawn in them."""
    ys = grid.ys[first : last + 1]
    low, high = ys[0] - AT_RULE, ys[-1] + AT_RULE
    across = [rule for rule in grid.horizontal if low <= rule[0] <= high]
    down = [
        (x, max(top, ys[0]), min(bottom, ys[-1])) for x, top, bottom in grid.vertical if top < high and low < bottom
    ]
    down = [rule for rule in down if rule[2] - rule[1] > AT_RULE]
    own = replace(grid, ys=ys, horizontal=across, vertical=down)
    middles = [(top + bottom) / 2 for top, bottom in pairwise(ys)]
    inner = [x for c, x in enumerate(grid.xs) if any(own.has_column_border(c, y) for y in middles)]
    return replace(own, xs=positions([grid.xs[0], *inner, grid.xs[-1]]))
