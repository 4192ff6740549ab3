"""What may make it doubtful that a table was read as it stands: what each doubt says, what it counts when readings of
one place are compared, and how likely a table with it was read wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

# The score of a reading by the kind of its evidence, where nothing speaks against it.
TAGGED, DRAWN, BETWEEN_RULES, WHITE_SPACE = 0.99, 0.98, 0.95, 0.85
DOUBTFUL = 0.5
"""The score below which a reading is given up for another one."""
_ODDS, _TAGGED_ODDS = 18.0, 100.0
"""How often a table without any doubt was read right for each that was not; the same where the file says its cells."""
_ENOUGH = 25.0
"""Odds of what shows by itself that a table is wrong, too seldom seen to be fitted."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One reason to doubt a table. By `weight` falls the score by which the better of two readings is chosen: found on
    typeset tables with columns set closer than usual (tests/bench/pages/pdf_tables.py --tight). By `odds` it becomes
    likelier that the table was read wrong: fitted on 1,118 tables found on pages whose truth had been opened
    (tests/bench/pages/data, and the made sets), 237 of them wrong, and, from there on, on 310 of real documents, 98 of
    them wrong, in ten parts by documents: of those left out 59 wrong ones were doubted, and 24 of 212 right ones; with
    the odds before it 47 and 26. They are two numbers, since much that tells the
    better of two readings says little of the one that was chosen, and the other way round."""

    says: str
    weight: float = 1.0
    odds: float = 1.0


Doubts = tuple[Doubt, ...]


def some(*doubts: Doubt | None) -> Doubts:
    """Those that there are."""
    return tuple(doubt for doubt in doubts if doubt)


def score(base: float, doubts: Iterable[Doubt]) -> float:
    """What a reading with the doubts is worth beside others, 0 to 1; `base` is what its evidence is worth."""
    return round(base * prod(doubt.weight for doubt in doubts), 2)


def likelihood(base: float, doubts: Iterable[Doubt]) -> float:
    """How likely a table with the doubts was read right, 0 to 1; `base` is what its evidence is worth."""
    odds = (_TAGGED_ODDS if base == TAGGED else _ODDS) / prod(doubt.odds for doubt in doubts)
    return round(odds / (1.0 + odds), 2)


def reasons(doubts: Sequence[Doubt]) -> tuple[str, ...]:
    """What speaks against a table, the weightiest first, each once."""
    told = sorted((doubt for doubt in doubts if doubt.odds > 1.0), key=lambda doubt: -doubt.odds)
    return tuple(dict.fromkeys(doubt.says for doubt in told))


# Columns.
CLOSE = Doubt("columns stand close", 0.8, 1.5)
VERY_CLOSE = Doubt("columns stand hardly further apart than words", 0.55, 3.0)
CROSSED = Doubt("words run over the white between columns", 0.6)
UNPARTED = Doubt("white parts fewer columns than there are", 1.0, 2.5)
STRAY_COLUMN = Doubt("a column holds hardly anything", 0.7, 2.2)
EMPTY_COLUMN = Doubt("a column holds nothing", 0.45, 5.0)
HEADLESS = Doubt("a column has no head though its neighbours have", 0.5, _ENOUGH)
UNHEADED = Doubt("a column of text has no head", 0.5, 3.5)
NAMELESS_COLUMN = Doubt("not every column has a head", 1.0, 1.5)
HEADS_ALONE = Doubt("heads of columns stand over nothing", 0.5, 2.4)
HEAD_WITHOUT_ROWS = Doubt("heads of columns in two lines, and no row under them", 1.0, _ENOUGH)
HEAD_CROSSED = Doubt("a head stands over several columns without heads of their own", 0.5, 4.0)
FIGURE_CROSSED = Doubt("a cell over several columns holds a figure", 0.5)
LOST_CELLS = Doubt("columns with names hold nothing", 0.5, _ENOUGH)
OTHER_COLUMNS = Doubt("rows are cut at other places than most", 0.5, 1.6)
MARKERS_ALONE = Doubt("a column holds nothing but marks of a list", 0.5)
MERGED_CELLS = Doubt("cells reach over several columns", 1.0, 1.4)
# Rows.
UNEVEN = Doubt("rows fill other columns than their neighbours", 0.75, 1.5)
LONE_CELL = Doubt("a row holds nothing but a cell within", 0.5, 2.4)
LOWER_ROW = Doubt("a row holds nothing but a first cell that goes on in small letters", 0.5, 1.6)
LINES_OF_CELLS = Doubt("rows of words have no first cell", 0.5, 1.4)
GOING_ON = Doubt("a row goes on in small letters", 0.5, 1.3)
NO_CELL_IN_COMMON = Doubt("two rows have no column in common", 0.5, 5.0)
LINES_IN_ALL = Doubt("all cells of a row have the same lines", 0.6)
FIGURES_IN_LINES = Doubt("figures stand below one another in one row", 0.6, 6.5)
TWO_ROWS = Doubt("the lines of a row's cells end early at the same heights", 0.5, _ENOUGH)
ONE_ROW = Doubt("there is but one row", 0.5, _ENOUGH)
FEW_ROWS = Doubt("there are but two rows", 1.0, 1.7)
OTHER_ROWS = Doubt("the white between lines would part rows in another way", 0.5, 3.5)
UNNAMED = Doubt("there is no head, and no rule around the rows", 1.0, 3.0)
PART = Doubt("it goes on where another table ends", 1.0, 2.2)
SEVERAL_LINES = Doubt("cells have several lines", 1.0, 1.7)
SEVERAL_LINES_TOLD = Doubt("cells have several lines, and none is drawn", 1.0, 6.0)
THREE_ROWS = Doubt("there are but three rows, and no cell is drawn", 1.0, 2.3)
FOUR_CELLS = Doubt("there are but two columns, and two rows at most", 1.0, 8.5)
NAMELESS_ROWS = Doubt("rows have no first cell", 1.0, 2.6)
LONE_HEAD = Doubt("the first row holds nothing but a cell within", 1.0, 4.5)
# Cells.
JOINED = Doubt("cells of a column hold two values", 0.45, _ENOUGH)
FEW_JOINED = Doubt("a few cells hold two values", 0.75, 2.1)
DRAWN_JOINED = Doubt("cells hold two values", 0.75)
STACKED = Doubt("a cell holds figures of several rows", 0.5, _ENOUGH)
WHITE_INSIDE = Doubt("words of a cell stand as far apart as columns", 0.5, _ENOUGH)
RUNNING_CELL = Doubt("a cell goes on for sentences among short ones", 0.5, 1.7)
MISREAD = Doubt("signs of its fonts say nothing of their meaning", 0.45, _ENOUGH)
STUCK_MARK = Doubt("a mark may stick to a figure", 0.5, _ENOUGH)
LABELS_IN_CELLS = Doubt("cells hold labels with their values, as in a form", 0.5, _ENOUGH)
LABELS = Doubt("cells end like labels of a form", 1.0, 2.2)
OPEN_BRACKET = Doubt("a bracket opens in a cell and closes in none, or in another", 1.0, 4.5)
BROKEN_WORD = Doubt("a word is broken at the end of a cell, or within one", 1.0, 3.4)
# What stands around it.
TEXT_LEFT = Doubt("text in its columns stands next to it", 1.0, 8.5)
ROW_LEFT = Doubt("a line of several pieces, like a row, stands next to it", 1.0, 9.0)
PIECES_LEFT = Doubt("a line of two pieces stands next to it", 1.0, 3.2)
LABELS_BESIDE = Doubt("labels stand beside its rows", 1.0, _ENOUGH)
