"""What speaks against a table's rows and columns as they were read, by the kind of its evidence. It changes nothing of
the table; below a limit the table is shown by its lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from sidecar.api import Merge
from sidecar_pdf.layout.tables import known_flaws as known
from sidecar_pdf.layout.tables.columns.fields import are_labelled
from sidecar_pdf.layout.tables.flaws.rows import two_rows
from sidecar_pdf.layout.tables.flaws.values import (
    FIGURE,
    joined_values,
    stacked_values,
    touching_values,
    two_columns,
    two_in_row,
)
from sidecar_pdf.layout.tables.found import BULLET, NUMERIC, are_groups
from sidecar_pdf.layout.tables.grid import CURRENCIES, TableGrid
from sidecar_pdf.layout.tables.known_flaws import Flaw, Flaws, some
from sidecar_pdf.layout.word_gaps import are_stretched
from sidecar_pdf.text.segments import Word

# Ems, shares.
_OTHER_LINE, _UNEVEN_STEPS = 0.6, 1.25  # down to another line; times the least distance between rows, the largest
_CLOSE_GAP, _VERY_CLOSE_GAP = 0.75, 0.5
_CROSSED_SHARE, _UNEVEN_SHARE, _STRAY_SHARE = 0.1, 0.35, 0.2
_NUMBER = re.compile(r"[$€£]?[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?%?|[-–—−]|n/?a", re.IGNORECASE)
_STUCK = re.compile(r"[$€£]?[-+−]?(?:\d{1,3}(?:,\d{3})+|\d*\.\d+|\d{2,})(?:%\d|%?[a-e]|(?<=,\d{3})\d)")
_USUAL_CUTS = 0.5  # of the rows of a table, that are cut at the same places
_NAMELESS = 0.2  # rows of words without a first cell
_LABELS, _LABELLED = 0.15, 4  # cells with a label in them; columns of a table of which one may hold labels
_LABEL = re.compile(r"[^\W\d][^:：]{0,30}[:：](?:\s|$).*[^\W\d][^:：]*[:：]|[^\W\d][^:：]{1,30}(?:: |：)\S+")
_MARK = re.compile(r"[*•‣◦▪–-]")
_NUMBERS = 0.6  # of the cells of a column of numbers
_FEW_CELLS, _SENTENCES, _TIMES_LONGER = 2, 80, 3.0  # cells; characters of a cell; times the next longest of its column
_FALSE_SIGN = re.compile(r"(?<![^\W\d])[ðÞþ](?![^\W\d]{2})|(?<!\d)¼")
"""Brackets, plus and equals of fonts for mathematics, in the letters their codes are in other fonts."""
_WHITE, _WHITE_CELLS, _WHITE_SHARE = 1.3, 2, 0.05  # ems; cells that have so much white in them, and share of all
_MANY_CELLS = 3  # cells of a row that all have several lines


def grid_flaws(grid: TableGrid, em: float, *, typed: bool) -> Flaws:
    """What speaks against a table found by alignment. Columns may stand as close as words where they are `typed`
    apart."""
    regular = len(grid.texts) > _FEW_CELLS and all(map(all, grid.texts))  # a cell in each column of each row
    body = _labelled(grid)[grid.header_rows :]
    found = some(
        None if typed or regular else _gutters(grid, em),
        joined_values(grid.texts),
        _white_inside([_not_justified(words) for row in grid.cells[grid.header_rows :] for words in row]),
        _figures_in_lines(grid.cells),
        two_rows(grid.cells[max(grid.header_rows - 1, 0) :]),
    )
    found += _texts(grid.texts)
    return found + _body(grid, body, em) if len(body) > 1 else found


def _body(grid: TableGrid, body: list[list[str]], em: float) -> Flaws:
    """What speaks against a table of several rows under its head."""
    crossed = {m.row for m in grid.merges if m.cols > 1 and m.row >= grid.header_rows}
    crossed = {row for row in crossed if _filled(grid.texts[row]) != [0]}  # no title
    plain = [filled for filled in map(_filled, body) if filled != [0]]
    changes = sum(len(set(one) ^ set(other)) > 1 for one, other in pairwise(plain))
    heads = zip(*grid.texts[: _head_lines(grid)], strict=True)
    unnamed = [at for at, head in enumerate(heads) if not any(head)]
    used = [sum(bool(row[column]) for row in body) for column in {0, *unnamed}]
    return some(
        known.CROSSED if len(crossed) > _CROSSED_SHARE * len(body) else None,
        known.UNEVEN if changes > _UNEVEN_SHARE * len(body) else None,
        known.STRAY_COLUMN if min(used) < _STRAY_SHARE * len(body) else None,
        _lone_cells(grid, body),
        _running_cells(body),
        *_crossing_figures(grid),
        two_in_row(grid.texts),
        _nameless_lines(body),
        _heads_missing(grid, body),
        _heads_alone(grid, body),
        _other_rows(grid, em),
    )


def _head_lines(grid: TableGrid) -> int:
    """How many rows hold heads: where that is not told the first, or the first two, if that holds heads of groups."""
    return grid.header_rows or 1 + are_groups(grid.texts)


def _labelled(grid: TableGrid) -> list[list[str]]:
    """The texts, a label over several rows said in each of them."""
    texts = [*grid.texts]
    for merge in grid.merges:
        if merge.col == 0 and merge.rows > 1:
            rows = slice(merge.row + 1, merge.row + merge.rows)
            texts[rows] = [[texts[merge.row][0], *row[1:]] for row in texts[rows]]
    return texts


def drawn_flaws(texts: list[list[str]], cells: Sequence[Sequence[list[Word]]], merges: Sequence[Merge]) -> Flaws:
    """What speaks against a table whose cells, of texts and their words, are drawn."""
    return some(
        _white_inside([words for row in cells for words in row]),
        _lines_in_all(cells),
        _figures_in_lines(cells),
        two_rows(cells),
        known.ONE_ROW if len(texts) == 1 else None,
        known.HEADLESS if _is_headless(texts, merges) else None,
        known.EMPTY_COLUMN if any(map(any, texts)) and not all(map(any, zip(*texts, strict=True))) else None,
        _lost_cells(texts),
        _other_columns(texts, merges),
        two_columns(texts),
        known.LONE_CELL if _has_lone_figure(texts[:-1]) else None,
        known.DRAWN_JOINED if joined_values(texts) else None,  # which may well hold two
        *_signs(texts),
    )


def _lost_cells(texts: list[list[str]]) -> Flaw | None:
    """Flaw in named columns that all hold nothing beside the names of rows: signs that are drawn, and no text."""
    heads, names = sum(map(bool, texts[0])), sum(bool(row[0]) for row in texts[1:])
    empty = not any(text for row in texts[1:] for text in row[1:])
    several = len(texts) > _FEW_CELLS and heads > _FEW_CELLS
    return known.LOST_CELLS if several and empty and names == len(texts) - 1 else None


def _other_columns(texts: list[list[str]], merges: Sequence[Merge]) -> Flaw | None:
    """Flaw in rows that are cut at other places than most: boxes of a form, or two tables taken as one."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for merge in merges:
        for row in range(merge.row, merge.row + merge.rows) if 1 < merge.cols < len(texts[0]) else ():
            spans.setdefault(row, []).append((merge.col, merge.cols))
    cuts = Counter(tuple(sorted(spans.get(row, ()))) for row in range(len(texts)))
    usual = cuts.most_common(1)[0][1]
    several = len(texts) > _FEW_CELLS and len(spans) > _FEW_CELLS
    return known.OTHER_COLUMNS if several and usual < _USUAL_CUTS * len(texts) else None


def _is_headless(texts: list[list[str]], merges: Sequence[Merge]) -> bool:
    """Whether a column with text in most rows has no head, nor a part of one that is drawn over it, though one on each
    side of it has."""
    heads = {at for at, text in enumerate(texts[0]) if text}
    covered = {at for m in merges if m.row == 0 for at in range(m.col, m.col + m.cols)}
    inner = set(range(min(heads, default=0), max(heads, default=0))) - heads - covered
    return any(2 * sum(bool(row[at]) for row in texts) > len(texts) for at in inner)


def tagged_flaws(texts: list[list[str]]) -> Flaws:
    """What speaks against a table whose cells are tagged, and stand on the page as tagged."""
    unused = len(texts) > 1 and not all(map(any, zip(*texts, strict=True)))
    return (*_texts(texts), known.EMPTY_COLUMN) if unused else _texts(texts)


def _texts(texts: list[list[str]]) -> Flaws:
    """Flaw in what cells say of their rows, where no rules part these, and in their signs."""
    return some(_going_on(texts[1 + are_groups(texts) :]), _no_cell_in_common(texts), *_signs(texts))


def _signs(texts: list[list[str]]) -> Flaws:
    """Flaw in what cells say: marks that stick to them, signs that were misread, figures of several rows."""
    text = "\n".join([text for row in texts for text in row])
    misread = not text.isascii() and _FALSE_SIGN.search(text) is not None
    return some(
        *_labels_in_cells(texts),
        _stuck_marks(texts),
        stacked_values(texts),
        touching_values(texts),
        known.MISREAD if misread else None,
    )


def _no_cell_in_common(texts: list[list[str]]) -> Flaw | None:
    """Flaw in neighbouring rows that fill no column in common, a title of rows aside: lines of one row."""
    filled = [set() if any(map(FIGURE.match, row)) else set(_filled(row)) for row in texts]
    apart = any(one and other and not one & other and {0} not in (one, other) for one, other in pairwise(filled))
    return known.NO_CELL_IN_COMMON if apart else None


def _labels_in_cells(texts: list[list[str]]) -> Flaws:
    """Flaw in cells that hold labels with their values, or marks of lists alone in their column: no cells at all."""
    cells = [text for row in texts for text in row if text]
    own = [[text for text in column if text] for column in zip(*texts, strict=True)]
    labelled = [sum(bool(_LABEL.match(text)) for text in column) for column in own]
    labels = sum(labelled) if sum(map(bool, labelled)) > 1 or len(own) < _LABELLED else 0  # one column says what it is
    marks = any(
        len(column) > _FEW_CELLS and all(map(_MARK.fullmatch, column)) and not _ticks_some(texts, at)
        for at, column in enumerate(own)
    )
    labelled_cells = known.LABELS_IN_CELLS if labels > _LABELS * len(cells) else None
    return some(labelled_cells, known.MARKERS_ALONE if marks else None)


def _ticks_some(texts: list[list[str]], at: int) -> bool:
    """Whether a column between others is empty in rows that have cells on both sides of it: its marks tick the rest."""
    return at > 0 and any(not row[at] and row[at - 1] and any(row[at + 1 :]) for row in texts)


def _crossing_figures(grid: TableGrid) -> Flaws:
    """Flaw in cells over several columns: in the body with a figure, but for titles, in the last row of the header, or
    a first cell that goes on in a row of its own."""
    flaw: Flaw | None = None
    for merge in grid.merges:
        tokens = grid.texts[merge.row][merge.col].split() if _filled(grid.texts[merge.row]) != [0] else []
        if merge.row >= grid.header_rows and 1 < merge.cols < len(grid.columns) and any(map(FIGURE.match, tokens)):
            flaw = known.FIGURE_CROSSED
        if merge.row == max(grid.header_rows - 1, 0) and merge.rows == 1 and 1 < merge.cols < len(grid.columns):
            flaw = flaw or known.HEAD_CROSSED
    spanning = {merge.row for merge in grid.merges}
    lower = any(
        _filled(row) == [0] and row[0][0].islower() and at not in spanning
        for at, row in enumerate(grid.texts) if at > grid.header_rows
    )  # fmt: skip
    return some(flaw, known.LOWER_ROW if lower else None)


def _white_inside(cells: Sequence[list[Word]]) -> Flaw | None:
    """Flaw in cells whose words stand as far apart as columns."""
    filled = [words for words in cells if words]
    parted = sum(any(_stand_apart(one, other) for one, other in pairwise(words)) for words in filled)
    return known.WHITE_INSIDE if parted >= max(_WHITE_CELLS, _WHITE_SHARE * len(filled)) else None


def _not_justified(words: list[Word]) -> list[Word]:
    """The words of a cell without its lines, but the last, whose words equally wide white parts."""
    ends = [at for at, (one, other) in enumerate(pairwise(words), 1) if other.y0 >= one.y1]
    lines = [words[start:end] for start, end in pairwise([0, *ends, len(words)])]
    return [word for line in lines for word in line if line is lines[-1] or not are_stretched(line)]


def _stand_apart(one: Word, other: Word) -> bool:
    if one.text in CURRENCIES or BULLET.match(one.text):  # at the edge of its cell, as in accounts and lists
        return False
    return other.x0 - one.x1 > _WHITE * max(one.style.size, other.style.size, 1.0) and other.y0 < one.y1


def _lines_in_all(cells: Sequence[Sequence[list[Word]]]) -> Flaw | None:
    """Flaw in rows, but the first, of three cells or more that all have the same lines, at the same heights."""
    for row in cells[1:]:
        filled = [words for words in row if words]
        ends = [tuple(dict.fromkeys(round(w.y1) for w in words)) for words in filled]
        if len(filled) >= _MANY_CELLS and len(ends[0]) > 1 and all(end == ends[0] for end in ends):
            return known.LINES_IN_ALL
    return None


def _figures_in_lines(cells: Sequence[Sequence[list[Word]]]) -> Flaw | None:
    """Flaw in rows of which two cells or more hold nothing but figures, in several lines: several rows."""
    for row in cells:
        stacked = [words for words in row if len(words) > 1 and all(FIGURE.match(w.text) for w in words)]
        if sum(any(w.y0 > words[0].y1 for w in words) for words in stacked) > 1:
            return known.FIGURES_IN_LINES
    return None


def _stuck_marks(texts: list[list[str]]) -> Flaw | None:
    """Flaw in columns of numbers of which some are none, but would be without their last character."""
    for column in zip(*texts[1:], strict=True):
        cells = [text for text in column if text]
        numbers = sum(bool(_NUMBER.fullmatch(text)) for text in cells)
        if numbers > _NUMBERS * len(cells) and any(_STUCK.fullmatch(text) for text in cells):
            return known.STUCK_MARK
    return None


def _lone_cells(grid: TableGrid, body: list[list[str]]) -> Flaw | None:
    """Flaw in rows of a single cell that is neither the first nor spans others."""
    spanning = {m.row for m in grid.merges}
    lone = any(
        len(filled) == 1 and filled[0] > 0 and at not in spanning
        for at, filled in enumerate(map(_filled, body), grid.header_rows)
    )
    return known.LONE_CELL if lone else None


def _nameless_lines(body: list[list[str]]) -> Flaw | None:
    """Flaw in rows without a first cell that hold words: lines of the cells of the row above."""
    if _are_titled(body):
        return None
    nameless = sum(not row[0] and any(row) and not any(map(FIGURE.match, row)) for row in body)
    return known.LINES_OF_CELLS if nameless > _NAMELESS * len(body) else None


def _are_titled(body: list[list[str]]) -> bool:
    """Whether the first column holds nothing but titles of groups, each on a line of its own."""
    first = [row for row in body if row[0]]
    return bool(first) and all(_filled(row) == [0] for row in first)


def _going_on(body: list[list[str]]) -> Flaw | None:
    """Flaw in rows of several cells that all begin in small letters, where most others do not: lines of a row."""
    several = [[text for text in row if text] for row in body if row[0] and sum(map(bool, row)) > 1]
    small = [row[0].replace(" ", "").isalpha() and all(text[0].islower() for text in row) for row in several]
    return known.GOING_ON if any(small) and sum(small) < _NAMELESS * len(small) + 1 else None


def _has_lone_figure(texts: list[list[str]]) -> bool:
    """Whether a row holds nothing but a figure, and that in no first cell."""
    filled = [(row, _filled(row)) for row in texts]
    return any(len(own) == 1 and own[0] and FIGURE.match(row[own[0]]) for row, own in filled)


def _running_cells(body: list[list[str]]) -> Flaw | None:
    """Flaw in cells of sentences in a column of short ones: text around the table that was taken into it. What labels
    say may be as long as it likes."""
    if are_labelled(body):
        return None
    for column in zip(*body, strict=True):
        lengths = sorted(len(text) for text in column if text)
        if len(lengths) > _FEW_CELLS and lengths[-1] > max(_SENTENCES, _TIMES_LONGER * lengths[-2]):
            return known.RUNNING_CELL
    return None


def _filled(row: list[str]) -> list[int]:
    return [column for column, text in enumerate(row) if text]


def _gutters(grid: TableGrid, em: float) -> Flaw | None:
    narrowest = min(right[0] - left[1] for left, right in pairwise(grid.columns)) / em
    return known.VERY_CLOSE if narrowest < _VERY_CLOSE_GAP else known.CLOSE if narrowest < _CLOSE_GAP else None


def _heads_missing(grid: TableGrid, body: list[list[str]]) -> Flaw | None:
    """Flaw in a column behind the first that has no head though most of its cells hold text."""
    heads = grid.texts[: _head_lines(grid)]
    covered = {c for m in grid.merges if m.row < len(heads) for c in range(m.col, m.col + m.cols)}
    labels = 1 + (_are_titled(body) or any(m.col == 0 and m.rows > 1 for m in grid.merges))  # they need no head
    bare = {c for c in range(labels, len(grid.columns)) if not any(head[c] for head in heads)} - covered
    return known.UNHEADED if any(2 * sum(bool(row[c]) for row in body) >= len(body) for c in bare) else None


def _heads_alone(grid: TableGrid, body: list[list[str]]) -> Flaw | None:
    """Flaw in heads over nothing, several or such as go on in brackets: words of the heads beside them."""
    heads = grid.texts[max(grid.header_rows, 1) - 1]
    alone = [head for head, *cells in zip(heads, *body, strict=True) if head and not any(cells)]
    return known.HEADS_ALONE if len(alone) > 1 else None


def _other_rows(grid: TableGrid, em: float) -> Flaw | None:
    """Flaw in rows of which none has a cell of several lines, though lines of words stand nearer to one with more
    cells than rows do: a second way to cut rows, by leading alone."""
    rows = [
        (len(own), own == [0] or any(map(NUMERIC.match, row)))  # a title, or a row of figures
        for row in grid.texts[grid.header_rows :] for own in (_filled(row),)
    ]  # fmt: skip
    ends: list[float] = []
    for row in grid.cells[grid.header_rows :]:
        bottoms = sorted(w.y1 for words in row for w in words) or ends[-1:]
        if not bottoms or bottoms[-1] - bottoms[0] > _OTHER_LINE * em:
            return None
        ends.append(bottoms[-1])
    steps = [lower - upper for upper, lower in pairwise(ends)]
    near = max(steps, default=0.0) / _UNEVEN_STEPS
    partial = any(
        step < near and one[0] != other[0] and not min(one, other)[1]
        for step, (one, other) in zip(steps, pairwise(rows), strict=True)
    )
    return known.OTHER_ROWS if partial else None
