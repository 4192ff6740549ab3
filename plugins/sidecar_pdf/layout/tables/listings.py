"""Tells what lines up without being a table from one: listings in typewriter type, and columns of running text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from sidecar_pdf.layout.tables.columns.leaders import are_led_to_amounts
from sidecar_pdf.layout.tables.found import LEADERS, NUMERIC, FoundTable
from sidecar_pdf.layout.tables.grid import TableGrid
from sidecar_pdf.text.segments import Segment

_ITEM_MARK = re.compile(r"\d{1,2}[.)]|\(\d{1,2}\)|[A-Za-z][.)]|\([A-Za-z]\)")
_DEEP_MARK = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,3}\.?")
"""What an item of a list opens with, alone in its cell."""
_BACK = re.compile(r"[<«←]*\s*(?:prev(?:ious)?|back|zurück|précédent|anterior|indietro|vorige)?", re.IGNORECASE)
_ON = re.compile(r"(?:next|forward|weiter|suivant|siguiente|próximo|avanti|volgende)?\s*[>»→]*", re.IGNORECASE)
"""Links to the page before and the one after, as exporters of books name them, or none where there is no such page."""
# Shares of rows or cells unless said.
_LISTING_NUMERIC = 0.5  # figures from which on typewriter type is a table's and no listing's
_TYPED_FULL, _TYPED_FIGURES = 0.8, 0.8  # rows of typewriter type with three cells or more; figures of one column
_FULL_WIDTH, _FULL_CELLS = 0.8, 0.6  # of a column, covered by a full line; full lines of a column of running text
_LAST_LINE, _RUN_ON = 0.85, 0.6  # of a column, to the end of a cell that the next one goes on; cells of one that do
# Characters, words and counts.
_MAX_CELL, _MAX_HEADED_CELL = 240, 600  # longest cell; the same under heads between rules
_FULL_WORDS, _PROSE_LINES = 3.5, 6  # words of a line, on average, and lines of columns of running text
_RUN_ON_CELLS, _RUN_ON_WORDS = 3, 5  # that go on in the next row, and words of each
_LONG_LINE = 8  # words of each, from which on fewer tell
_PAIR = 2  # cells
_NAVIGATION_ROWS, _NAVIGATION_COLUMNS = 2, 3  # of a line of links with the title of the page
_TYPED_ROWS, _HEADLESS_ROWS = 3, 5  # rows of typewriter type that make a table, with a head and without


def is_listing(
    rows: Sequence[Sequence[Segment]], texts: list[list[str]], figures: float, *, headed: bool = False
) -> bool:
    """Whether leaders, cells longer than those of a table, `headed` between rules or not, or typewriter type, which
    always lines up, speak against a table with a share of `figures`."""
    cells = [text for row in texts for text in row]
    if max(map(len, cells)) > (_MAX_HEADED_CELL if headed else _MAX_CELL):
        return True
    pieces = [segment.text for row in rows for segment in row]
    led = any(map(LEADERS.search, pieces))
    if led and ("_____" in "".join(pieces) or not are_led_to_amounts(rows, len(texts[0]))):
        return True
    typed = all(segment.style.mono for row in rows for segment in row)
    return typed and figures <= _LISTING_NUMERIC and not _has_column_of_figures(texts)


def is_list(table: FoundTable) -> bool:
    """Whether the rows of a table are the items of a list: its first column holds nothing but their numbers or letters,
    one after the other, or numbers of clauses of several depths, and there is one other, not of figures."""
    if table.header_rows or len(table.columns) != _PAIR:
        return False
    marks = [row[0] for row in table.rows if row[0]]
    if len(marks) < _PAIR or any(NUMERIC.match(row[1]) for row in table.rows):
        return False
    if not all(map(_ITEM_MARK.fullmatch, marks)):
        return _are_clauses(marks)
    counts = [int(mark) if mark.isdecimal() else ord(mark) for mark in (mark.strip("().") for mark in marks)]
    return all(later - one in (0, 1) for one, later in pairwise(counts))


def is_navigation(texts: list[list[str]]) -> bool:
    """Whether rows are the line of links to the pages before and after with which a page of a book begins or
    ends on the web, and the title of the page or those of the other two."""
    if len(texts) > _NAVIGATION_ROWS or len(texts[0]) != _NAVIGATION_COLUMNS:
        return False
    ends = [(row[0], row[-1]) for row in texts if row[0] or row[-1]]
    if any(NUMERIC.match(text) for row in ends for text in row):
        return False
    return any(_BACK.fullmatch(back) and _ON.fullmatch(on) for back, on in ends)


def _are_clauses(marks: list[str]) -> bool:
    """Whether numbers rise, and go to different depths: "1.", "1.1", "1.2"."""
    if not all(map(_DEEP_MARK.fullmatch, marks)):
        return False
    numbers = [tuple(map(int, mark.rstrip(".").split("."))) for mark in marks]
    return len(set(map(len, numbers))) > 1 and all(one < later for one, later in pairwise(numbers))


def _has_column_of_figures(texts: list[list[str]]) -> bool:
    """Whether most rows have three cells or more, and a column of these holds figures alone, its head aside."""
    full = [row for row in texts if sum(map(bool, row)) > _PAIR]
    if len(full) < _TYPED_ROWS or len(full) < _TYPED_FULL * len(texts):
        return False
    figures = [[bool(NUMERIC.match(text)) for text in column] for column in zip(*full, strict=True)]
    heads = [column[0] for column in figures if sum(column[1:]) >= _TYPED_FIGURES * len(full[1:])]
    return bool(heads) and (not all(heads) or len(full) >= _HEADLESS_ROWS)


def is_prose(grid: TableGrid) -> bool:
    """Whether the columns are columns of running text: most of their lines are full, and of several words; or one of
    them is, under heads, whose lines go on beside the text of others, as an abstract does beside keywords."""
    if any(_runs_on(grid, column) for column in range(len(grid.columns))):
        return True
    running = 0
    for column, (left, right) in enumerate(grid.columns):
        cells = [row[column] for row in grid.cells if row[column]]
        full = sum(max(w.x1 for w in words) - words[0].x0 > _FULL_WIDTH * (right - left) for words in cells)
        words = sum(len(cell) for cell in cells)
        running += full > _FULL_CELLS * len(cells) and words >= _FULL_WORDS * len(cells)
    return len(grid.texts) >= _PROSE_LINES and 2 * running > len(grid.columns)


def _runs_on(grid: TableGrid, column: int) -> bool:
    """Whether most cells of a column end at its right and go on in the next row in small letters, both beside other
    cells, under a first one that is no such line: the long cells of a table end with their row."""
    left, right = grid.columns[column][0], max((w.x1 for row in grid.cells for w in row[column][-1:]), default=0.0)
    going: list[bool] = []
    shortest = _LONG_LINE
    for above, below in pairwise(grid.cells):
        words, next_words = above[column], below[column]
        if words and next_words and all(sum(map(bool, row)) >= _PAIR for row in (above, below)):
            full = len(words) >= _RUN_ON_WORDS and words[-1].x1 - left > _LAST_LINE * (right - left)
            if full and not going:
                return False
            going.append(full and next_words[0].text[0].islower())
            shortest = min(shortest, len(words)) if going[-1] else shortest
    least = _RUN_ON_CELLS if shortest < _LONG_LINE else _RUN_ON_CELLS - 1
    return sum(going) >= max(least, _RUN_ON * len(going))
