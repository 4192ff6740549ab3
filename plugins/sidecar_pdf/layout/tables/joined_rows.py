"""Joins lines of text, once they are parted into cells, to the rows of a table: by rules, by leading, by what would not
have fitted on the line before, and by labels that stand in the middle of several rows. `grid` makes the lines."""

from __future__ import annotations

import re
from itertools import pairwise, zip_longest
from math import inf
from statistics import median

from sidecar_pdf.layout.tables.columns.labels import (
    had_no_room,
    stands_between,
    take_labels,
    titles_of_groups,
    with_labels_of_groups,
)
from sidecar_pdf.layout.tables.found import BULLET, NUMERIC, cell_text
from sidecar_pdf.layout.tables.grid_rows import Columns, GridRow
from sidecar_pdf.text.segments import Word

# Ems of the body. Measured on 78 typeset tables of thirteen styles.
_SAME_SIZE = 0.06  # by which the type sizes of one cell differ
_TIGHTER = 0.12  # by which leading inside a row is less than that from row to row
_PADDED = 2.0  # from row to row, as lines of one cell never stand
_OVERLAPPING = 0.9  # from one line to the next, as lines of one cell never stand
_LEVEL = 0.4  # by which the tops, middles or bottoms of the cells of a row differ
_OVERLAP = 0.15  # by which cells of two rows may seem to overlap
_MAX_ABOVE = 4  # lines of a cell over the middle of its row
_REPEATED = 4  # letters of a cell that is said again, at least
_LINE_WORDS = 3  # of a line that may end for want of room, in a column of more than names
_LABEL_LINES = 2  # of a label over several rows, at most
_SAME_COLUMNS, _SAME_LINES = 3, 3  # that all hold something at the same heights, as cells of one row hardly do
_BESIDE_LINES = 4  # with several cells each, from which on it is looked at whether these are lists
# Shares.
_FULL_LINE = 0.75  # of the cells of the fullest line, with which a line can be a row of its own
_ONE_ROW_BANDS = 0.8  # of the bands between rules hold one such line where every band is a row
_TOLD = 0.8  # of the rows of several lines, at least, are told to be such
_WRAPPED = 0.7  # of the lines of cells that end for want of room
_LISTED = 0.5  # of the lines of several cells have room for more where these are lists
_CARRIED = 0.5  # of the cells of a row, at most, go on in the next line
_FIGURED = 0.5  # of the further lines between two rules hold figures, from which on they are rows
_FEW_COLUMNS = 2  # of a table whose last column may hold values below one another
_OPENING = "(/&+"  # signs that a line of a cell may go on with
_CODE = re.compile(r"(?=[\d_.:]*[^\W\d_][\w.:]*_\w)\w(?:\w*+[.:])*+(?>\w*?_\w+)(?:\(.*\))?|[^\W\d]\w*\(\)")
"""A name of several words, or a call, of a program."""


def joined_rows(lines: list[GridRow], columns: Columns, em: float) -> list[GridRow]:
    """The rows of lines, top to bottom: those between two rules where every row is set apart so, else the lines that
    carry on the cells of the one above."""
    lines = with_labels_of_groups(lines, em)
    own = len(lines) - (len(lines) > 1 and bool(lines[-1].spans))  # without a line across columns, as under a table
    if apart := _joined_by_extents(lines[:own], columns, em):
        return [*apart, *lines[own:]]
    lines = _centred(lines, em)
    bands = _are_bands_rows(lines) and not _are_lists(lines, columns, em)
    return _joined_bands(lines, em) if bands else _joined(lines, columns, em)


def _joined_by_extents(lines: list[GridRow], columns: Columns, em: float) -> list[GridRow]:
    """The rows of lines whose rows are farther apart than the lines of a cell, wherever in its row a cell stands: what
    stands as tight as any in a column is a cell, and cells at one height are a row. Empty where any of it does not
    hold, or the cells of several lines may be rows of their own."""
    if any(line.spans for line in lines):
        return []
    leading = _leading(lines, len(columns), em)
    cells = [cell for column in range(len(columns)) for cell in _tight_cells(lines, column, leading)]
    groups: list[list[tuple[int, list[int]]]] = []
    bottom = -em
    for column, places in sorted(cells, key=lambda cell: _top(lines[cell[1][0]], cell[0])):
        if not groups or _top(lines[places[0]], column) > bottom - _OVERLAP * em:
            groups.append([])
        groups[-1].append((column, places))
        bottom = max(bottom, _bottom(lines[places[-1]], column))
    if len(groups) in (1, len(lines)) or not all(_is_clear(group, lines) for group in groups):
        return []
    tall = [group for group in groups[len(groups[0]) == 1 :] if any(len(places) > 1 for _, places in group)]
    if sum(_is_row(group, lines, columns, em) for group in tall) < _TOLD * len(tall):
        return []
    last = [max(places[-1] for _, places in group) for group in groups]
    first = [min(places[0] for _, places in group) for group in groups]
    if any(end >= start for end, start in zip(last, first[1:], strict=False)):
        return []
    joined: list[GridRow] = []
    for start, end in zip(first, last, strict=True):
        joined.append(lines[start])
        for line in lines[start + 1 : end + 1]:
            joined[-1].take(line)
    return joined


def _is_clear(group: list[tuple[int, list[int]]], lines: list[GridRow]) -> bool:
    """Whether cells at one height are one a column, with no rule between them."""
    sections = {lines[at].section for _, places in group for at in places}
    return len({column for column, _ in group}) == len(group) and len(sections) == 1


def _is_row(group: list[tuple[int, list[int]]], lines: list[GridRow], columns: Columns, em: float) -> bool:
    """Whether cells at one height, some of several lines, are one row: their lines stand at different heights, one cell
    has several beside a first cell of one line, or the lines end for want of room, and most are not figures. A label in
    the middle of several rows stands at heights of its own as well."""
    if not _is_level(group, lines, em):
        return False
    tall = [(column, places) for column, places in group if len(places) > 1]
    pairs = {pair for _, places in tall for pair in pairwise(places)}  # once: in most rows all columns have the same
    if any(_repeats(lines[one], lines[other]) for one, other in pairs):
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
    going_on = sum(below[0].text[0] in _OPENING or below[0].text[0].islower() for _, below, _ in ends)
    running = max(_count(above) for above, _, _ in ends) >= _LINE_WORDS or 2 * going_on >= len(ends)
    return running and wrapped >= _WRAPPED * len(ends)


def _is_figures(texts: list[str]) -> bool:
    """Whether the lines of a cell are figures: more than half, or each begins with one, as quantities with units do."""
    figures = sum(bool(NUMERIC.match(text)) for text in texts)
    return 2 * figures > len(texts) or all(NUMERIC.match(text.split()[0]) for text in texts)


def _of_several_words(cells: list[tuple[int, list[int]]], lines: list[GridRow]) -> list[tuple[int, list[int]]]:
    """The cells that tell whether their lines end for want of room, the others where there are none: lines of single
    words, as names of functions are, never have room for another."""
    long = [(column, places) for column, places in cells if any(_count(lines[at].cells[column]) > 1 for at in places)]
    return long or cells


def _count(words: list[Word]) -> int:
    """How many words a blank parts: a word may come in pieces."""
    return 1 + sum(not word.joined for word in words[1:])


def _is_level(group: list[tuple[int, list[int]]], lines: list[GridRow], em: float) -> bool:
    """Whether cells have one top, one middle or one bottom."""
    tops = [_top(lines[places[0]], column) for column, places in group]
    bottoms = [_bottom(lines[places[-1]], column) for column, places in group]
    middles = [(top + bottom) / 2 for top, bottom in zip(tops, bottoms, strict=True)]
    return any(max(own) - min(own) < _LEVEL * em for own in (tops, bottoms, middles))


def _top(line: GridRow, column: int) -> float:
    return min([w.y0 for w in line.cells[column]])


def _bottom(line: GridRow, column: int) -> float:
    return median([w.y1 for w in line.cells[column]])


def _leading(lines: list[GridRow], width: int, em: float) -> float:
    """The distance from line to line below which the lines of a column are one cell: past the least, and those that
    differ from it by little, as lines in several fonts do. 0 where rows that rules or fills part stand nearer."""
    own = [[(line.section, _bottom(line, at)) for line in lines if line.cells[at]] for at in range(width)]
    pairs = [(one == other, below - above) for cells in own for (one, above), (other, below) in pairwise(cells)]
    steps = sorted(step for together, step in pairs if together and step > _OVERLAPPING * em)
    leading = steps[0] if steps else 0.0
    if leading > min([step for together, step in pairs if not together], default=inf) + _TIGHTER * em:
        return 0.0
    for step in steps:
        if step > leading + _TIGHTER * em:
            break
        leading = step
    return leading + _TIGHTER / 2 * em


def _tight_cells(lines: list[GridRow], column: int, leading: float) -> list[tuple[int, list[int]]]:
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


def _centred(lines: list[GridRow], em: float) -> list[GridRow]:
    """The lines, those made one whose cells are set in the middle of their row: one that opens a row, and lines of
    words of other cells as far above it as below, nearer than two lines of a cell are."""
    rows: list[GridRow] = []
    at = 0
    while at < len(lines):
        middle = next((i for i in range(at + 1, len(lines) - 1) if _opens_row(lines[i]) or i - at > _MAX_ABOVE), at)
        end = 2 * middle - at + 1
        if middle > at and _stand_around(lines[middle], lines[at:middle], lines[middle + 1 : end], em):
            rows.append(lines[at])
            for line in lines[at + 1 : end]:
                rows[-1].take(line)
            at = end
        else:
            rows.append(lines[at])
            at += 1
    return rows


def _stand_around(middle: GridRow, above: list[GridRow], below: list[GridRow], em: float) -> bool:
    """Whether lines stand evenly around one that opens a row, hold words of none of its cells, and overlap with it."""
    label = all(line.filled == {0} for line in (*above, *below)) and not middle.cells[0]
    if len(above) != len(below) or not (_opens_row(middle) or label):
        return False
    if not all(line.section == middle.section and not line.spans for line in (middle, *above, *below)):
        return False
    steps = [(_step(one, middle), _step(middle, other)) for one, other in zip(above, reversed(below), strict=True)]
    even = all(abs(one - other) < _TIGHTER * em for one, other in steps)
    outer = [(column, line.cells[column]) for line in (*above, *below) for column in line.filled]
    figures = [NUMERIC.match(cell_text(cell)) for _, cell in outer]
    words = not (any(figures[: 1 if label else None]) or any(column in middle.filled for column, _ in outer))
    return even and words and steps[-1][0] < _OVERLAPPING * em


def _are_bands_rows(lines: list[GridRow]) -> bool:
    """Whether rules or fills set every row apart: nearly all bands between them hold one full line, and some of them
    further lines that only carry on its cells."""
    bands: dict[int, list[GridRow]] = {}
    for line in lines:
        bands.setdefault(line.section, []).append(line)
    full = max(2.0, _FULL_LINE * max(len(line.filled) for line in lines))
    single = sum(sum(len(line.filled) >= full for line in band) <= 1 for band in bands.values())
    if not 1 < len(bands) < len(lines) or single < _ONE_ROW_BANDS * len(bands):
        return False
    further = [line for band in bands.values() for line in band[1:]]
    return sum(map(_is_row_of_figures, further)) <= _FIGURED * len(further)


def _is_row_of_figures(line: GridRow) -> bool:
    """Whether a line holds figures in several columns, and but for its first nothing else: values do not go on in the
    next line, so these are a row's."""
    cells = [cell_text(line.cells[column]) for column in line.filled - {0}]
    return len(cells) > 1 and all(NUMERIC.match(text.rstrip("*∗")) for text in cells)


def _are_lists(lines: list[GridRow], columns: Columns, em: float) -> bool:
    """Whether what stands between two rules are lists side by side, one value a line, with a label beside the first:
    lines of several cells each, as full as the ones above but for the label, most of which had room for more."""
    beside = [(above, line) for above, line in pairwise(lines) if above.section == line.section]
    if len(beside) < _BESIDE_LINES or any(
        len(line.filled) < 2 or line.spans or above.filled - {0} != line.filled - {0} for above, line in beside
    ):
        return False
    long = {column for _, line in beside for column in line.filled if _count(line.cells[column]) > 1}
    room = [
        not had_no_room(above.cells[column], line.cells[column], columns[column], em)
        for above, line in beside for column in line.filled & long
    ]  # fmt: skip
    return sum(room) > _LISTED * len(room)


def _joined_bands(lines: list[GridRow], em: float) -> list[GridRow]:
    """The lines between two rules as one row, but for what stands farther below it than rows do: text under a table."""
    rows: list[GridRow] = []
    usual = median([_step(above, line) for above, line in pairwise(lines) if above.section != line.section])
    for line in lines:
        if rows and rows[-1].section == line.section and _step(rows[-1], line) < usual + _TIGHTER * em:
            rows[-1].take(line)
        else:
            rows.append(line)
    return rows


def _joined(lines: list[GridRow], columns: list[tuple[float, float]], em: float) -> list[GridRow]:
    """Rows of lines: what carries on the cells of the line above joins it, and labels set between two rows join the
    first row of their section."""
    opening = [(a.section == b.section, _step(a, b)) for a, b in pairwise(lines) if _opens_row(b)]
    usual = median([step for together, step in opening if together] or [0.0])
    most = max(usual, median([step for _, step in opening] or [inf])) + _TIGHTER * em  # no line of a cell is farther
    steps = [_step(a, b) for a, b in pairwise(lines) if not a.cells[0] and not b.cells[0] and a.section == b.section]
    least = min(steps, default=inf) - _TIGHTER * em
    always, titles = _held_by_most(lines), titles_of_groups(lines, columns, em, usual - _TIGHTER * em)
    rows: list[GridRow] = []
    labels: list[GridRow] = []
    label_at = -2
    for at, line in enumerate(lines):
        below = lines[at + 1] if at + 1 < len(lines) else None
        if rows and below is not None and stands_between(rows[-1], line, below, least):
            labels.append(line)
            label_at = at
            continue
        if rows and _ends_row(rows[-1], line, columns, em, always):
            rows[-1].take(line)
            continue
        nearer_below = rows and below is not None and _step(line, below) < _step(rows[-1], line) - _TIGHTER * em
        if (
            rows
            and at not in titles
            and label_at != at - 1
            and not nearer_below
            and _step(rows[-1], line) < most
            and _carries_on(rows[-1], line, columns, em, usual)
        ):
            rows[-1].take(line)
            continue
        rows.append(line)
    take_labels(rows, labels)
    return rows


def _held_by_most(lines: list[GridRow]) -> set[int]:
    """The columns that nearly all lines with a first cell, or the next line where that has none, hold something in."""
    held = [
        line.filled | (below.filled if below is not None and not below.cells[0] else set())
        for line, below in zip_longest(lines, lines[1:]) if line is not None and line.cells[0]
    ]  # fmt: skip
    return {at for at in range(len(lines[0].cells)) if sum(at in filled for filled in held) >= _TOLD * len(held)}


def _ends_row(row: GridRow, line: GridRow, columns: Columns, em: float, always: set[int]) -> bool:
    """Whether a line holds the rest of a text that had no room above, and behind it the last cells, which nearly all
    rows have: they stand at the foot of theirs."""
    going, ends = line.filled & row.filled, line.filled - row.filled
    if not (going and ends and row.cells[0]) or line.cells[0] or line.spans or line.section != row.section:
        return False
    if not ends <= always or min(ends) < max(row.filled):
        return False
    return all(had_no_room(row.cells[at], line.cells[at], columns[at], em) for at in going)


def _step(above: GridRow, below: GridRow) -> float:
    return below.bottom - above.bottom


def _opens_row(line: GridRow) -> bool:
    return bool(line.cells[0]) and any(line.cells[1:])


def _carries_on(row: GridRow, line: GridRow, columns: list[tuple[float, float]], em: float, usual: float) -> bool:
    """Whether a line holds only second lines of cells of the row above: fewer cells, words rather than figures, in the
    same type, and set tighter than rows are, alone in the last of several columns, or begun with a word that had no
    room above, which all of many cells or of a row without a first cell must have."""
    filled = line.filled
    if not filled <= row.filled or line.section != row.section or line.spans:
        return False
    tight = _step(row, line) < usual - _TIGHTER * em
    if usual > _PADDED * em and not tight:
        return False
    few = filled < row.filled and len(filled) <= max(1, _CARRIED * len(row.filled))
    several = 0 not in filled or len(row.cells[0]) > 1  # a column of single words has no room for another
    if not (few or (several and len(filled) < len(row.filled)) or (tight and 0 not in filled)):
        return False
    texts = [cell_text(line.cells[column]) for column in filled]
    numbered = filled == {0} and tight and had_no_room(row.cells[0], line.cells[0], columns[0], em)  # "mm / 2"
    if any(NUMERIC.match(text) for text in texts if not numbered) or _repeats(row, line):
        return False
    for column in filled:
        before, after = _last_line(row.cells[column]), line.cells[column]
        sizes = [max(w.style.size for w in words) for words in (before, after)]
        if before[-1].style.bold != after[0].style.bold or abs(sizes[0] - sizes[1]) > _SAME_SIZE * em:
            return False
    last_alone = len(columns) > _FEW_COLUMNS and filled == {len(columns) - 1} and len(row.filled) == len(columns)
    marked = 0 not in filled and all(BULLET.match(line.cells[column][0].text) for column in filled)
    if few and (tight or marked):
        return True
    if all(_is_code(row.cells[column]) and _is_code(line.cells[column]) for column in filled):
        return False
    if few and last_alone:
        return True
    if not (few or tight or _runs_on(row, line)):
        return False
    return all(had_no_room(row.cells[column], line.cells[column], columns[column], em) for column in filled)


def _repeats(row: GridRow, line: GridRow) -> bool:
    """Whether one of several cells says again what the line above says in its column, as a row of its own does."""
    above = ((cell_text(_last_line(row.cells[column])), cell_text(line.cells[column])) for column in line.filled - {0})
    return len(line.filled) > 1 and any(one == other and len(one) >= _REPEATED for one, other in above)


def _runs_on(row: GridRow, line: GridRow) -> bool:
    """Whether lines in several cells can be the text of those above: one of these has several words, or half of them
    go on as sentences do. Cells of single words are rows of their own, though a group's label has no room beside."""
    words = max(_count(_last_line(row.cells[column])) for column in line.filled)
    starts = [line.cells[column][0].text[0] for column in line.filled]
    return words >= _LINE_WORDS or 2 * sum(char in _OPENING or char.islower() for char in starts) >= len(starts)


def _last_line(words: list[Word]) -> list[Word]:
    """The last line of a cell: it holds the last word, though that has no height (a sign alone of a drawn font)."""
    return [*(w for w in words[:-1] if w.y1 > words[-1].y0), *words[-1:]]


def _is_code(words: list[Word]) -> bool:
    """Whether a cell is a name or a call of a program, which does not go on in the next line."""
    return len(words) == 1 and (words[0].style.mono or _CODE.fullmatch(words[0].text) is not None)
