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
from sidecar_pdf.layout.tables.grid_rows import Columns, GrowingRow
from sidecar_pdf.layout.tables.rows.extents import (
    LINE_WORDS,
    OVERLAPPING,
    TIGHTER,
    TOLD,
    goes_on,
    is_cut,
    joined_by_extents,
    last_line,
    repeats,
    word_count,
)
from sidecar_pdf.text.segments import Word

# Ems of the body. Measured on 78 typeset tables of thirteen styles.
_SAME_SIZE = 0.06  # by which the type sizes of one cell differ
_PADDED = 2.0  # from row to row, as lines of one cell never stand
_MAX_ABOVE = 4  # lines of a cell over the middle of its row
_BESIDE_LINES = 4  # with several cells each, from which on it is looked at whether these are lists
# Shares.
_FULL_LINE = 0.75  # of the cells of the fullest line, with which a line can be a row of its own
_ONE_ROW_BANDS = 0.8  # of the bands between rules hold one such line where every band is a row
_LISTED = 0.5  # of the lines of several cells have room for more where these are lists
_CARRIED = 0.5  # of the cells of a row, at most, go on in the next line
_FIGURED = 0.5  # of the further lines between two rules hold figures, from which on they are rows
_FEW_COLUMNS = 2  # of a table whose last column may hold values below one another
_CODE = re.compile(r"(?=[\d_.:]*[^\W\d_][\w.:]*_\w)\w(?:\w*+[.:])*+(?>\w*?_\w+)(?:\(.*\))?|[^\W\d]\w*\(\)")
"""A name of several words, or a call, of a program."""


def joined_rows(lines: list[GrowingRow], columns: Columns, em: float) -> list[GrowingRow]:
    """The rows of lines, top to bottom: those between two rules where every row is set apart so, else the lines that
    carry on the cells of the one above."""
    lines = with_labels_of_groups(lines, em)
    own = len(lines) - (len(lines) > 1 and bool(lines[-1].spans))  # without a line across columns, as under a table
    if apart := joined_by_extents(lines[:own], columns, em):
        return [*apart, *lines[own:]]
    lines = _centred(lines, columns, em)
    bands = _are_bands_rows(lines) and not _are_lists(lines, columns, em)
    return _joined_bands(lines, em) if bands else _joined(lines, columns, em)


def _centred(lines: list[GrowingRow], columns: Columns, em: float) -> list[GrowingRow]:
    """The lines, those made one whose cells are set in the middle of their row: one that opens a row or holds what
    stands beside a label, and lines of words of other cells as far above it as below."""
    rows: list[GrowingRow] = []
    at = 0
    while at < len(lines):
        label = lines[at].filled == {0}
        ends = (
            i for i in range(at + 1, len(lines) - 1)
            if _opens_row(lines[i]) or i - at > _MAX_ABOVE or (label and 0 not in lines[i].filled)
        )  # fmt: skip
        middle = next(ends, at)
        end = 2 * middle - at + 1
        own = lines[at:end]
        around = middle > at and _stand_around(lines[middle], own[: middle - at], own[middle - at + 1 :], em)
        near = around and _step(lines[middle - 1], lines[middle]) < OVERLAPPING * em
        if near or (around and _are_wrapped(rows[-1:], own, columns, em)):
            rows.append(lines[at])
            for line in own[1:]:
                rows[-1].take(line)
            at = end
        else:
            rows.append(lines[at])
            at += 1
    return rows


def _are_wrapped(before: list[GrowingRow], lines: list[GrowingRow], columns: Columns, em: float) -> bool:
    """Whether lines hold a label each, of which none had room for the next and the row before had for the first: those
    around the middle one are of its row, though rows stand no farther apart."""
    if not all(line.cells[0] for line in (*before, *lines)):
        return False
    above = [had_no_room(a.cells[0], b.cells[0], columns[0], em) for a, b in pairwise((*before, *lines))]
    return all(above[len(before) :]) and not any(above[: len(before)])


def _stand_around(middle: GrowingRow, above: list[GrowingRow], below: list[GrowingRow], em: float) -> bool:
    """Whether lines stand evenly around one that opens a row, and hold words of none of its cells but perhaps of its
    label alone."""
    outer = [*above, *below]
    label = all(line.filled == {0} for line in outer)
    if len(above) != len(below) or not (_opens_row(middle) or label):
        return False
    if not all(line.section == middle.section and not line.spans for line in (middle, *outer)):
        return False
    steps = [(_step(one, middle), _step(middle, other)) for one, other in zip(above, reversed(below), strict=True)]
    even = all(abs(one - other) < TIGHTER * em for one, other in steps)
    cells = [(column, line.cells[column]) for line in outer for column in line.filled]
    figures = [NUMERIC.match(cell_text(cell)) for _, cell in cells]
    words = not any(figures[: 1 if label else None])
    return even and words and (label or not any(column in middle.filled for column, _ in cells))


def _are_bands_rows(lines: list[GrowingRow]) -> bool:
    """Whether rules or fills set every row apart: nearly all bands between them hold one full line, and some of them
    further lines that only carry on its cells."""
    bands: dict[int, list[GrowingRow]] = {}
    for line in lines:
        bands.setdefault(line.section, []).append(line)
    full = max(2.0, _FULL_LINE * max(len(line.filled) for line in lines))
    single = sum(sum(len(line.filled) >= full for line in band) <= 1 for band in bands.values())
    if not 1 < len(bands) < len(lines) or single < _ONE_ROW_BANDS * len(bands):
        return False
    further = [line for band in bands.values() for line in band[1:]]
    return sum(map(_is_row_of_figures, further)) <= _FIGURED * len(further)


def _is_row_of_figures(line: GrowingRow) -> bool:
    """Whether a line holds figures in several columns, and but for its first nothing else: values do not go on in the
    next line, so these are a row's."""
    cells = [cell_text(line.cells[column]) for column in line.filled - {0}]
    return len(cells) > 1 and all(NUMERIC.match(text.rstrip("*∗")) for text in cells)


def _are_lists(lines: list[GrowingRow], columns: Columns, em: float) -> bool:
    """Whether what stands between two rules are lists side by side, one value a line, with a label beside the first:
    lines of several cells each, as full as the ones above but for the label, most of which had room for more."""
    beside = [(above, line) for above, line in pairwise(lines) if above.section == line.section]
    if len(beside) < _BESIDE_LINES or any(
        len(line.filled) < 2 or line.spans or above.filled - {0} != line.filled - {0} for above, line in beside
    ):
        return False
    long = {column for _, line in beside for column in line.filled if word_count(line.cells[column]) > 1}
    room = [
        not had_no_room(above.cells[column], line.cells[column], columns[column], em)
        for above, line in beside for column in line.filled & long
    ]  # fmt: skip
    return sum(room) > _LISTED * len(room)


def _joined_bands(lines: list[GrowingRow], em: float) -> list[GrowingRow]:
    """The lines between two rules as one row, but for what stands farther below it than rows do: text under a table."""
    rows: list[GrowingRow] = []
    usual = median([_step(above, line) for above, line in pairwise(lines) if above.section != line.section])
    for line in lines:
        if rows and rows[-1].section == line.section and _step(rows[-1], line) < usual + TIGHTER * em:
            rows[-1].take(line)
        else:
            rows.append(line)
    return rows


def _joined(lines: list[GrowingRow], columns: list[tuple[float, float]], em: float) -> list[GrowingRow]:
    """Rows of lines: what carries on the cells of the line above joins it, and labels set between two rows join the
    first row of their section."""
    opening = [(a.section == b.section, _step(a, b)) for a, b in pairwise(lines) if _opens_row(b)]
    usual = median([step for together, step in opening if together] or [0.0])
    most = max(usual, median([step for _, step in opening] or [inf])) + TIGHTER * em  # no line of a cell is farther
    steps = [_step(a, b) for a, b in pairwise(lines) if not a.cells[0] and not b.cells[0] and a.section == b.section]
    least = min(steps, default=inf) - TIGHTER * em
    always, titles = _held_by_most(lines), titles_of_groups(lines, columns, em, usual - TIGHTER * em)
    rows: list[GrowingRow] = []
    labels: list[GrowingRow] = []
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
        nearer_below = rows and below is not None and _step(line, below) < _step(rows[-1], line) - TIGHTER * em
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


def _held_by_most(lines: list[GrowingRow]) -> set[int]:
    """The columns that nearly all lines with a first cell, or the next line where that has none, hold something in."""
    held = [
        line.filled | (below.filled if below is not None and not below.cells[0] else set())
        for line, below in zip_longest(lines, lines[1:]) if line is not None and line.cells[0]
    ]  # fmt: skip
    return {at for at in range(len(lines[0].cells)) if sum(at in filled for filled in held) >= TOLD * len(held)}


def _ends_row(row: GrowingRow, line: GrowingRow, columns: Columns, em: float, always: set[int]) -> bool:
    """Whether a line holds the rest of a text that had no room above, and behind it the last cells, which nearly all
    rows have: they stand at the foot of theirs."""
    going, ends = line.filled & row.filled, line.filled - row.filled
    if not (going and ends and row.cells[0]) or line.cells[0] or line.spans or line.section != row.section:
        return False
    if not ends <= always or min(ends) < max(row.filled):
        return False
    return all(had_no_room(row.cells[at], line.cells[at], columns[at], em) for at in going)


def _step(above: GrowingRow, below: GrowingRow) -> float:
    return below.bottom - above.bottom


def _opens_row(line: GrowingRow) -> bool:
    return bool(line.cells[0]) and any(line.cells[1:])


def _carries_on(row: GrowingRow, line: GrowingRow, columns: list[tuple[float, float]], em: float, usual: float) -> bool:
    """Whether a line holds only second lines of cells of the row above: fewer cells, words rather than figures, in the
    same type, and set tighter than rows are, alone in the last of several columns, or begun with a word that had no
    room above, which all of many cells or of a row without a first cell must have."""
    filled = line.filled
    if not filled <= row.filled or line.section != row.section or line.spans:
        return False
    tight = _step(row, line) < usual - TIGHTER * em
    if usual > _PADDED * em and not tight:
        return False
    few = filled < row.filled and len(filled) <= max(1, _CARRIED * len(row.filled))
    several = 0 not in filled or len(row.cells[0]) > 1  # a column of single words has no room for another
    if not (few or (several and len(filled) < len(row.filled)) or (tight and 0 not in filled)):
        return False
    texts = [cell_text(line.cells[column]) for column in filled]
    numbered = filled == {0} and tight and had_no_room(row.cells[0], line.cells[0], columns[0], em)  # "mm / 2"
    whole = numbered or all(is_cut(row.cells[column]) for column in filled)
    if (not whole and any(NUMERIC.match(text) for text in texts)) or repeats(row, line):
        return False
    for column in filled:
        before, after = last_line(row.cells[column]), line.cells[column]
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


def _runs_on(row: GrowingRow, line: GrowingRow) -> bool:
    """Whether lines in several cells can be the text of those above: one of these has several words, or half of them
    go on as sentences do, beside a first cell at least one. Cells of single words are rows of their own, though a
    group's label has no room beside."""
    words = max(word_count(last_line(row.cells[column])) for column in line.filled)
    going_on = sum(goes_on(row.cells[column], line.cells[column]) for column in line.filled)
    if 0 in line.filled and not going_on:
        return False
    return words >= LINE_WORDS or 2 * going_on >= len(line.filled)


def _is_code(words: list[Word]) -> bool:
    """Whether a cell is a name or a call of a program, which does not go on in the next line."""
    return len(words) == 1 and (words[0].style.mono or _CODE.fullmatch(words[0].text) is not None)
