"""Row borders of a drawn grid that its rules do not draw and lines of text tell."""

import re
from bisect import bisect_right
from collections.abc import Container
from dataclasses import replace
from itertools import pairwise

from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.borders.drawn_grid import AT_RULE, DrawnGrid, Place
from sidecar_pdf.layout.tables.found import LEADERS, NUMERIC
from sidecar_pdf.pdfium.fonts import Style
from sidecar_pdf.text.segments import SOFT_HYPHEN, Segment, Word

# Ems.
_OUT_OF_STEP = 0.2  # by which two cells of a line may stand further from those above them
_PADDING = 1.0  # of white at each side of a cell that no word is set in, at most
_DESCENT, _INKED = 0.2, 0.15  # by which ink reaches below the line; by which boxes differ in height that end with it
_SPACE = 0.28  # of a word space, where what would have fitted on a line is reckoned
# Counts and shares.
_MIN_SET_APART, _FEW_PARTED = 3, 4  # rows between two rules each; such rows for each of what may be several
_TEXT_ROWS = 3  # lines of text between two rules that may be rows
_OFF_LINE = 0.25  # of its height, by which a label stands above or below a line
_SIDE_BY_SIDE, _ROWS_SIDE_BY_SIDE = 0.6, 0.8  # columns with text in a line that is a row; lines that are
_WRAPPED, _WRAPPED_WORDS = 0.4, 3  # of the lines of cells of so many words, at most, that had room for the next word
_FITTED = 0.7  # of the cells of a second line whose first word would have fitted on the first: no second lines
_MARKED = 0.5  # of the lines of a column that open with a list marker: items of a cell
_PAIR = 2  # lines: a row, and a sum in bold
_MANY_CELLS = 4  # that all go on in the line below: two rows, as no line of a cell would be so long in each of them
_BROKEN = 0.3  # words parted by hyphens for each line but the last, in the lines of a row
_RECORD_FIGURES = 2  # columns in which all records hold figures, as a quantity and a price
_DESCENDING = frozenset("gjpqyQ()[]/|")
_HYPHENS = ("-", "\u2010", SOFT_HYPHEN)
_MARKER = re.compile(r"[•◦▪‣●○■□–—➢✓-]$")


def with_text_rows(grid: DrawnGrid, taken: list[Segment]) -> DrawnGrid:
    """Adds row borders where rules separate only columns: lines of text that stand side by side in most columns, that
    all hold a figure in one of them, or that were begun though there was room on the line before. Labels in the middle
    of such lines span them."""
    result = [grid.ys[0]]
    straddled: set[Place] = set()
    inside: list[list[Segment]] = [[] for _ in pairwise(grid.ys)]
    for segment in taken:
        at = bisect_right(grid.ys, (segment.y0 + segment.y1) / 2) - 1
        if 0 <= at < len(inside):
            inside[at].append(segment)
    bands = [_band(grid, taken, own, sides) for own, sides in zip(inside, pairwise(grid.ys), strict=True)]
    go_on = [_go_on_in_all(lines, grid.columns - len(spanning)) for _, lines, spanning in bands]
    starts: list[list[int]] = []
    for at, (rows, lines, spanning) in enumerate(bands):
        bold = all(s.style.bold for row in rows for s in row)
        in_all = go_on[at] and (at > 0 or (not bold and any(go_on[1:])))  # a header may have several lines
        one_head = at == 0 and bold and len(bands) > 2 and all(len(other) < 2 for _, other, _ in bands[1:])
        starts.append([] if one_head else _row_starts(grid, lines, len(spanning), in_all=in_all, alone=len(bands) <= 2))
    apart = _are_set_apart(bands, starts)
    for (rows, lines, spanning), own, bottom in zip(bands, starts, grid.ys[1:], strict=True):
        whole = apart and not _share_figures([lines[at] for at in own[1:]])
        for row in () if whole else own[1:]:
            straddled.update((len(result), column) for column in spanning)
            result.append((max(s.y1 for s in rows[row - 1]) + min(s.y0 for s in rows[row])) / 2)
        result.append(bottom)
    return replace(grid, ys=result, straddled=frozenset(straddled))


def _are_set_apart(bands: "list[_Band]", starts: list[list[int]]) -> bool:
    """Whether rules set nearly every row apart: of the rows under the first, many are one between two rules, some of
    them of several lines, and few bands look as if they were more."""
    whole = [rows for (rows, _, _), own in zip(bands[1:], starts[1:], strict=True) if rows and len(own) < 2]
    parted = sum(len(own) > 1 for own in starts)
    return len(whole) >= max(_MIN_SET_APART, _FEW_PARTED * parted) and any(len(rows) > 1 for rows in whole)


_Line = dict[int, list[Word]]
"""The words of a line in each column that holds any."""
_Band = tuple[list[list[Segment]], list[_Line], set[int]]
"""Lines between two rules, their words by column, and the columns that hold nothing but a label beside them."""


def _band(grid: DrawnGrid, taken: list[Segment], inside: list[Segment], sides: tuple[float, float]) -> _Band:
    columns: dict[int, list[Segment]] = {}
    for segment in inside:
        columns.setdefault(grid.column_at((segment.x0 + segment.x1) / 2), []).append(segment)
    spanning = _label_columns(columns) | _tall_labels(grid, taken, columns, sides)
    rows = rows_of(s for column, own in columns.items() if column not in spanning for s in own)
    return rows, [_by_column(grid, row) for row in rows], spanning


def _row_starts(grid: DrawnGrid, lines: list[_Line], spanning: int, *, in_all: bool, alone: bool) -> list[int]:
    """Which of the lines between two rules begin a row: each where they are rows, or those that fill most columns from
    the first on where these share figures, all lead on with dots or begin with names in typewriter type, or, `alone`
    under heads, had room on the one before, and the others hold second lines of few cells."""
    least = max(2, _SIDE_BY_SIDE * (grid.columns - spanning))
    opening = [at for at, line in enumerate(lines) if 0 in line and len(line) >= least]
    further = [line for at, line in enumerate(lines) if at not in opening]
    own = [lines[at] for at in opening]
    if not _are_in_step(own):
        return [0]
    if alone and _are_listed(grid, lines, opening, further):
        return opening
    named = not any(0 in line for line in further) and all(word.style.mono for line in own for word in line[0])
    if in_all or (not (named and own) and _are_rows(grid, lines, spanning)):
        return list(range(len(lines)))
    if len(opening) < 2 or opening[0] != 0:
        return [0]
    if any(0 in line and len(line) > 1 for line in further) or any(2 * len(line) > grid.columns for line in further):
        return [0]
    leading = all(any(LEADERS.search(_text(words)) for words in line.values()) for line in own)
    records = bool(further) and (_share_figures(own) or _are_records(own, further))
    return opening if leading or named or records else [0]


def _are_listed(grid: DrawnGrid, lines: list[_Line], opening: list[int], further: list[_Line]) -> bool:
    """Whether the lines `opening` each begin a row, since they had room on the one before, and the further ones hold
    second lines of one cell each."""
    if len(opening) < _TEXT_ROWS or opening[0] != 0 or not further or _are_items(lines):
        return False
    if any(0 in line or len(line) > 1 or NUMERIC.match(_text(*line.values())) for line in further):
        return False
    ends = zip(_last_lines(lines, opening), [lines[at] for at in opening[1:]], strict=False)
    return _begun_freely(grid, [*ends])


def _are_in_step(lines: list[_Line]) -> bool:
    """Whether the cells of several lines stand on them alike: where those of one column are further apart than those of
    another, they are lines of one row, each cell in type or leading of its own. Boxes of one style that differ in
    height are of a font that tells none, and end with the ink of the letters."""
    heights: dict[Style, list[float]] = {}
    for word in (word for line in lines for words in line.values() for word in words):
        heights.setdefault(word.style, []).append(word.y1 - word.y0)
    inked = {style for style, own in heights.items() if max(own) - min(own) > _INKED * style.size}
    for above, below in pairwise(lines):
        steps = [_foot(below[c][0], inked) - _foot(above[c][0], inked) for c in above.keys() & below.keys()]
        if steps and max(steps) - min(steps) > _OUT_OF_STEP * max(w[0].style.size for w in below.values()):
            return False
    return True


def _foot(word: Word, inked: Container[Style]) -> float:
    """The height of its baseline, or of what is as far below that in all words of its style."""
    reaches = word.style in inked and not _DESCENDING.isdisjoint(word.text)
    return word.y1 - _DESCENT * word.style.size if reaches else word.y1


def _go_on_in_all(lines: list[_Line], width: int) -> bool:
    """Whether several lines fill all of many columns."""
    return width >= _MANY_CELLS and len(lines) > 1 and all(len(line) == width for line in lines)


def _are_rows(grid: DrawnGrid, lines: list[_Line], spanning: int) -> bool:
    """Whether lines between two rules, beside labels in `spanning` columns, are rows rather than lines of one row."""
    if len(lines) < 2 or _are_hyphenated(lines):
        return False
    if _is_balance_beside(lines):
        return True
    width = grid.columns - spanning
    full = [len(line) >= max(2, _SIDE_BY_SIDE * width) for line in lines]
    if len(lines) >= _TEXT_ROWS and sum(full) >= _ROWS_SIDE_BY_SIDE * len(lines):
        return not _are_items(lines) and not _are_wrapped(grid, lines)
    figured = sum(any(NUMERIC.match(_text(line[column])) for column in list(line)[1:]) for line in lines)
    if len(lines) >= _TEXT_ROWS and figured >= _ROWS_SIDE_BY_SIDE * len(lines):
        return True
    return all(full) and (_share_figures(lines) or _begun_freely(grid, [*pairwise(lines)]))


def _are_hyphenated(lines: list[_Line]) -> bool:
    """Whether words or dates of cells are parted by hyphens at the ends of many of the lines: those of one row."""
    ends = [
        (above[column][-1].text, below[column][0].text[0])
        for above, below in pairwise(lines) for column in above.keys() & below.keys()
    ]  # fmt: skip
    broken = sum(end[1:].endswith(_HYPHENS) and (rest.islower() or rest.isdigit()) for end, rest in ends)
    return broken > _BROKEN * (len(lines) - 1)


def _label_columns(columns: dict[int, list[Segment]]) -> set[int]:
    """The columns that hold, between two rules, nothing but a label halfway between lines of another column."""
    fullest = max(columns.values(), key=len, default=[])
    return {
        column for column, own in columns.items()
        if len(own) == 1 and len(fullest) > 1
        and all(abs(own[0].y0 + own[0].y1 - s.y0 - s.y1) / 2 > _OFF_LINE * (s.y1 - s.y0) for s in fullest)
    }  # fmt: skip


def _tall_labels(
    grid: DrawnGrid, taken: list[Segment], columns: dict[int, list[Segment]], band: tuple[float, float]
) -> set[int]:
    """The columns whose cell reaches over one of two rules, which does not run through it, and holds one label."""
    found: set[int] = set()
    if len(columns) < 2 or sum(map(len, columns.values())) < _TEXT_ROWS:
        return found
    for column, inside in columns.items():
        left, right = grid.xs[column], grid.xs[column + 1]
        middle = (left + right) / 2
        over = [y for y, start, end in grid.horizontal if start < middle < end]
        if all(True in [abs(y - side) <= AT_RULE for y in over] for side in band):
            continue
        beside = [s for s in taken if left < (s.x0 + s.x1) / 2 < right]
        for segment in inside:
            top = max((y for y in over if y < segment.y1), default=0.0)
            bottom = min((y for y in over if y > segment.y0), default=grid.ys[-1])
            if sum(top < (s.y0 + s.y1) / 2 < bottom for s in beside) == 1:
                found.add(column)
    return found


def _by_column(grid: DrawnGrid, row: list[Segment]) -> _Line:
    """The words of a line in each column; what runs on where no border is drawn belongs to the column it began in."""
    cells: _Line = {}
    for segment in sorted(row, key=lambda segment: segment.x0):
        column, y = -1, (segment.y0 + segment.y1) / 2
        for word in segment.words:
            at = grid.column_at((word.x0 + word.x1) / 2)
            if column < 0 or any(grid.has_column_border(c, y) for c in range(column + 1, min(at, grid.columns) + 1)):
                column = at
            cells.setdefault(column, []).append(word)
    return cells


def _share_figures(lines: list[_Line]) -> bool:
    """Whether all of some lines have the same cells, and a figure in one of them."""
    if not lines or any(line.keys() != lines[0].keys() for line in lines):
        return False
    return any(all(NUMERIC.match(_text(line[column])) for line in lines) for column in list(lines[0])[1:])


def _are_records(opening: list[_Line], further: list[_Line]) -> bool:
    """Whether lines all hold figures in the same columns, some cells being empty, and those between hold none and go
    on below a first cell: positions of an invoice, whose descriptions have several lines."""
    common = set.intersection(*(set(line) for line in opening)) - {0}
    figures = sum(all(NUMERIC.match(_text(line[column])) for line in opening) for column in common)
    words = not any(0 in line or any(NUMERIC.match(_text(words)) for words in line.values()) for line in further)
    return words and figures >= _RECORD_FIGURES


def _is_balance_beside(lines: list[_Line]) -> bool:
    """Whether two lines are a row and, in bold as nothing of that, one of a sum or a balance: both hold a figure in the
    last column, and there are others that one of them leaves empty."""
    if len(lines) != _PAIR or lines[0].keys() == lines[1].keys():
        return False
    bold = [{word.style.bold for words in line.values() for word in words} for line in lines]
    last = max(max(line) for line in lines)
    figures = last > 0 and all(NUMERIC.match(_text(line.get(last, []))) for line in lines)
    return figures and bold in ([{True}, {False}], [{False}, {True}])


def _text(words: list[Word]) -> str:
    return " ".join(word.text for word in words)


def _are_items(lines: list[_Line]) -> bool:
    """Whether lines are items of lists within cells: most of them open with a marker."""
    marked = sum(any(_MARKER.match(words[0].text) and len(words) > 1 for words in line.values()) for line in lines)
    return marked >= _MARKED * len(lines)


def _are_wrapped(grid: DrawnGrid, lines: list[_Line]) -> bool:
    """Whether the lines are running text in most of their cells: the next word had no room on the line before."""
    had_room = [
        _fits_on(grid, column, above[column], below[column][0])
        for above, below in pairwise(lines) for column in above.keys() & below.keys()
        if len(above[column]) >= _WRAPPED_WORDS
    ]  # fmt: skip
    return len(had_room) >= len(lines) and sum(had_room) <= _WRAPPED * len(had_room)


def _begun_freely(grid: DrawnGrid, ends: list[tuple[_Line, _Line]]) -> bool:
    """Whether lines of the same cells, three at least, have room for the words that those below begin with."""
    had_room: list[bool] = []
    for above, below in ends:
        if above.keys() != below.keys() or len(above) < _TEXT_ROWS:
            return False
        had_room += [_fits_on(grid, column, above[column], words[0]) for column, words in below.items()]
    return sum(had_room) >= _FITTED * len(had_room)


def _last_lines(lines: list[_Line], opening: list[int]) -> list[_Line]:
    """The last lines of the cells of rows that begin with the lines `opening`."""
    return [
        {column: words for line in lines[start:end] for column, words in line.items()}
        for start, end in pairwise([*opening, len(lines)])
    ]


def _fits_on(grid: DrawnGrid, column: int, line: list[Word], word: Word) -> bool:
    """Whether a word of the next line would have had room on a line of a cell, as far from its sides as that line."""
    left, right = grid.xs[column : column + 2]
    x0, x1 = min(w.x0 for w in line), max(w.x1 for w in line)  # words may run right to left
    taken = x1 - x0 + word.x1 - word.x0 + 2 * _SPACE * word.style.size
    padding = min(x0 - left, right - x1, _PADDING * word.style.size)
    return taken < right - left - 2 * max(padding, 0.0)
