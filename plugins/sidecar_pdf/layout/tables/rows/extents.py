"""Rows that are farther apart than the lines of a cell, wherever in its row a cell stands, and what tells that a line
of a cell goes on in the next."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from statistics import median

from sidecar_pdf.layout.tables.columns.labels import had_no_room
from sidecar_pdf.layout.tables.found import NUMERIC, cell_text
from sidecar_pdf.layout.tables.grid_rows import Columns, GrowingRow
from sidecar_pdf.text.segments import Word

# Ems of the body. Measured on 78 typeset tables of thirteen styles.
TIGHTER = 0.12  # by which leading inside a row is less than that from row to row
OVERLAPPING = 0.9  # from one line to the next, as lines of one cell never stand
_LEVEL = 0.4  # by which the tops, middles or bottoms of the cells of a row differ
_OVERLAP = 0.15  # by which cells of two rows may seem to overlap
# Counts.
LINE_WORDS = 3  # of a line that may end for want of room, in a column of more than names
_REPEATED = 4  # letters of a cell that is said again, at least
_LABEL_LINES = 2  # of a label over several rows, at most
_SAME_COLUMNS, _SAME_LINES = 3, 3  # that all hold something at the same heights, as cells of one row hardly do
# Shares.
TOLD = 0.8  # of the rows of several lines, at least, are told to be such
_WRAPPED = 0.7  # of the lines of cells that end for want of room
_OPENING = "(/&+"  # signs that a line of a cell may go on with

_Group = list[tuple[int, list[int]]]
"""Cells at one height, each by its column and its lines."""


def joined_by_extents(lines: list[GrowingRow], columns: Columns, em: float) -> list[GrowingRow]:
    """The rows of lines whose rows are farther apart than the lines of a cell, wherever in its row a cell stands: what
    stands as tight as any in a column is a cell, and cells at one height are a row. Empty where any of it does not
    hold, or the cells of several lines may be rows of their own."""
    if any(line.spans for line in lines):
        return []
    leading = _leading(lines, len(columns), em)
    cells = [cell for column in range(len(columns)) for cell in _tight_cells(lines, column, leading)]
    groups: list[_Group] = []
    bottom = -em
    for column, places in sorted(cells, key=lambda cell: _top(lines[cell[1][0]], cell[0])):
        if not groups or _top(lines[places[0]], column) > bottom - _OVERLAP * em:
            groups.append([])
        groups[-1].append((column, places))
        bottom = max(bottom, _bottom(lines[places[-1]], column))
    if len(groups) in (1, len(lines)) or not all(_is_clear(group, lines) for group in groups):
        return []
    tall = [group for group in groups[len(groups[0]) == 1 :] if any(len(places) > 1 for _, places in group)]
    if sum(_is_row(group, lines, columns, em) for group in tall) < TOLD * len(tall):
        return []
    last = [max(places[-1] for _, places in group) for group in groups]
    first = [min(places[0] for _, places in group) for group in groups]
    if any(end >= start for end, start in zip(last, first[1:], strict=False)):
        return []
    joined: list[GrowingRow] = []
    for start, end in zip(first, last, strict=True):
        joined.append(lines[start])
        for line in lines[start + 1 : end + 1]:
            joined[-1].take(line)
    return joined


def _is_clear(group: _Group, lines: list[GrowingRow]) -> bool:
    """Whether cells at one height are one a column, with no rule between them."""
    sections = {lines[at].section for _, places in group for at in places}
    return len({column for column, _ in group}) == len(group) and len(sections) == 1


def _is_row(group: _Group, lines: list[GrowingRow], columns: Columns, em: float) -> bool:
    """Whether cells at one height, some of several lines, are one row: their lines stand at different heights, one cell
    has several beside a first cell of one line, or the lines end for want of room, and most are not figures. A label in
    the middle of several rows stands at heights of its own as well."""
    if not _is_level(group, lines, em):
        return False
    tall = [(column, places) for column, places in group if len(places) > 1]
    pairs = {pair for _, places in tall for pair in pairwise(places)}  # once: in most rows all columns have the same
    if any(repeats(lines[one], lines[other]) for one, other in pairs):
        return False
    full = len(columns) == len(tall) >= _SAME_COLUMNS and len({tuple(places) for _, places in tall}) == 1
    if full and len(tall[0][1]) >= _SAME_LINES:
        return False  # as many lines in every column, at the same heights: rows
    least = _LABEL_LINES if any(len(places) > 1 for column, places in group if column) else 0
    heights = {at for column, places in group if column or len(places) > least for at in places}
    if len(heights) > max(len(places) for _, places in tall):
        return True
    figures = sum(_is_figures([cell_text(lines[at].cells[column]) for at in places]) for column, places in tall)
    if 2 * figures >= len(tall) or (full and figures):
        return False
    if len(tall) == 1 and tall[0][0] and any(column == 0 for column, _ in group):
        return True
    ends = [
        (lines[one].cells[column], lines[other].cells[column], columns[column])
        for column, places in _of_several_words(tall, lines) for one, other in pairwise(places)
    ]  # fmt: skip
    wrapped = sum(had_no_room(above, below, column, em) for above, below, column in ends)
    going_on = sum(goes_on(above, below) for above, below, _ in ends)
    running = max(word_count(above) for above, _, _ in ends) >= LINE_WORDS or 2 * going_on >= len(ends)
    return running and wrapped >= _WRAPPED * len(ends)


def goes_on(above: list[Word], below: list[Word]) -> bool:
    """Whether a line of a cell begins as the rest of a sentence, a word or a date does."""
    return below[0].text[0] in _OPENING or below[0].text[0].islower() or is_cut(above)


def is_cut(words: list[Word]) -> bool:
    """Whether a cell ends with a hyphen behind something."""
    return _is_cut(words[-1].text)


def _is_cut(text: str) -> bool:
    return text[1:].endswith("-")


def _is_figures(texts: list[str]) -> bool:
    """Whether the lines of a cell are figures: more than half, or each begins with one, as quantities with units do. A
    date that goes on behind its hyphen is none."""
    if any(map(_is_cut, texts[:-1])):
        return False
    figures = sum(bool(NUMERIC.match(text)) for text in texts)
    return 2 * figures > len(texts) or all(NUMERIC.match(text.split()[0]) for text in texts)


def _of_several_words(cells: _Group, lines: list[GrowingRow]) -> _Group:
    """The cells that tell whether their lines end for want of room, the others where there are none: lines of single
    words, as names of functions are, never have room for another."""
    long = [
        (column, places) for column, places in cells if any(word_count(lines[at].cells[column]) > 1 for at in places)
    ]
    return long or cells


def word_count(words: list[Word]) -> int:
    """How many words a blank parts: a word may come in pieces."""
    return 1 + sum(not word.joined for word in words[1:])


def _is_level(group: _Group, lines: list[GrowingRow], em: float) -> bool:
    """Whether cells have one top, one middle or one bottom."""
    tops = [_top(lines[places[0]], column) for column, places in group]
    bottoms = [_bottom(lines[places[-1]], column) for column, places in group]
    middles = [(top + bottom) / 2 for top, bottom in zip(tops, bottoms, strict=True)]
    return any(max(own) - min(own) < _LEVEL * em for own in (tops, bottoms, middles))


def _top(line: GrowingRow, column: int) -> float:
    return min([w.y0 for w in line.cells[column]])


def _bottom(line: GrowingRow, column: int) -> float:
    return median([w.y1 for w in line.cells[column]])


def _leading(lines: list[GrowingRow], width: int, em: float) -> float:
    """The distance from line to line below which the lines of a column are one cell: past the least, and those that
    differ from it by little, as lines in several fonts do. 0 where rows that rules or fills part stand nearer."""
    own = [[(line.section, _bottom(line, at)) for line in lines if line.cells[at]] for at in range(width)]
    pairs = [(one == other, below - above) for cells in own for (one, above), (other, below) in pairwise(cells)]
    steps = sorted(step for together, step in pairs if together and step > OVERLAPPING * em)
    leading = steps[0] if steps else 0.0
    if leading > min([step for together, step in pairs if not together], default=inf) + TIGHTER * em:
        return 0.0
    for step in steps:
        if step > leading + TIGHTER * em:
            break
        leading = step
    return leading + TIGHTER / 2 * em


def _tight_cells(lines: list[GrowingRow], column: int, leading: float) -> _Group:
    """The cells of a column, each with the column and its lines, which stand less than `leading` apart."""
    cells: list[list[int]] = []
    for at, line in enumerate(lines):
        if line.cells[column]:
            above = lines[cells[-1][-1]] if cells else line
            step = _bottom(line, column) - _bottom(above, column)
            if cells and above.section == line.section and step < leading:
                cells[-1].append(at)
            else:
                cells.append([at])
    return [(column, cell) for cell in cells]


def repeats(row: GrowingRow, line: GrowingRow) -> bool:
    """Whether one of several cells says again what the line above says in its column, as a row of its own does."""
    above = ((cell_text(last_line(row.cells[column])), cell_text(line.cells[column])) for column in line.filled - {0})
    return len(line.filled) > 1 and any(one == other and len(one) >= _REPEATED for one, other in above)


def last_line(words: list[Word]) -> list[Word]:
    """The last line of a cell: it holds the last word, though that has no height (a sign alone of a drawn font)."""
    return [*(w for w in words[:-1] if w.y1 > words[-1].y0), *words[-1:]]
