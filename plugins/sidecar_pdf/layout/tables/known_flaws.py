"""What may speak against a table as it was read: what each flaw says, what it counts when readings of
one place are compared, and how likely a table with it was read wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

# The score of a reading by the kind of its evidence, where nothing speaks against it.
TAGGED, DRAWN, BETWEEN_RULES, BANDED, WHITE_SPACE = 0.99, 0.98, 0.95, 0.9, 0.85
SUSPECT = 0.5
"""The score below which a reading is given up for another one."""
FLAWLESS_ODDS, _TAGGED_ODDS = 9.2, 100.0
"""How often a table without any flaw was read right for each that was not; the same where the file says its cells."""
_ENOUGH = 25.0
"""Odds of what shows by itself that a table is wrong, too seldom seen to be fitted."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """One flaw a table may have. By `weight` falls the score by which the better of two readings is chosen: found on
    typeset tables with columns set closer than usual (tests/bench/pages/pdf_tables.py --tight). By `odds` it becomes
    likelier that the table was read wrong: fitted on 1,118 tables found on pages whose truth had been opened
    (tests/bench/pages/data, and the made sets), 237 of them wrong, and, from there on, on 310 of real documents, 98 of
    them wrong, in ten parts by documents: of those left out 59 wrong ones were flagged, and 24 of 212 right ones; with
    the odds before it 47 and 26. Those of rows unlike one another were added, and the odds of all lowered, on 407
    tables, 100 of them wrong; on 226 more, 80 of them wrong, that had no part in it, 38 wrong ones are flagged, and 15
    right ones (31 and 9 before). A logistic fit of all at once was no better: of 630 tables these odds flag 99 of 178
    wrong ones with a tenth of the right ones, though they were found on many of them; the fit, each set left out in
    turn, 94 at most, and 101 with some forty measures of a table's shape beside the odds; of 187 tables without part in
    it, 75 of them wrong, 47 against 40 and 43. A second reading of each table tells little more: of 696 tables the odds
    flag 117 of 194 wrong ones with a tenth of the right ones, and 88 with a twentieth; beside them the share of rows
    that are the same by white space and baselines alone, by `table_grid` without rules, or both, how far cells are off
    their column's edge, pieces apart in one cell, small type and hyphens that may be wrong, each set left out in turn,
    111 to 126, and 90 to 107. Sums stand in 30 tables and tell nothing: 7 of 19 where they come out were read wrong, 4
    of 11 where they do not. Of the 77 wrong ones not flagged 26 have four rows in five right, or more, and 24 stand
    where the truth has no table. Of 294 tables of web pages in others' styles, 83 of them wrong, 120 were flagged, half
    of them right; with the odds of seven flaws changed for them 80 are, 54 of them wrong. On 517 tables, printed or of
    TeX, 186 of them wrong, 103 were flagged, and 43 right ones; with what says nothing taken for that (cells like
    labels, which 46 of 96 hold that were read wrong, against 58 by their odds; rows as white would part them, 5 of 13
    against 11) and the odds of no flaw as counted, 114 and 46; on 310 others, 83 of them wrong, 58 and 24 (54 and 21
    before). White between columns that is far wider than usual, uneven steps between lines and rows of one cell, which
    tell of the former beside the odds, tell nothing of the latter; heads not found, missing cells and sentences tell of
    neither. On 575 tables of twelve truths (`pdf_flaw_odds.py`), 140 of them wrong, 126 were flagged, 81 of these
    wrong; with the odds of five flaws as counted there 125 and 83. Of these tables 162, and 37 held back, had no part
    in the counts, but in the choice among ten sets of odds: 52 flagged before, 33 of them wrong, and 50 and 33 after. A
    logistic fit of all, drawn to these odds, each sixth of the documents left out in turn, tells 66 to 70 wrong ones of
    503 tables among as many as were flagged, of which 70 were wrong. On 908 tables of 23 truths, 213 of them wrong, 192
    were flagged, 123 of these wrong; with the odds of eight flaws nearer to what was counted there, and values that end
    in a dash told as words that are broken, 216 and 139; a logistic fit of the flaws on others, in eight parts by
    documents, 109 of 192, and with 26 measures of the texts and what stands around, 119. They are two numbers, since
    much that tells the better of two readings says little of the one that was chosen, and the other way round."""

    says: str
    weight: float = 1.0
    odds: float = 1.0


Flaws = tuple[Flaw, ...]


def some(*flaws: Flaw | None) -> Flaws:
    """Those that there are."""
    return tuple(flaw for flaw in flaws if flaw)


def score(base: float, flaws: Iterable[Flaw]) -> float:
    """What a reading with the flaws is worth beside others, 0 to 1; `base` is what its evidence is worth."""
    return round(base * prod(flaw.weight for flaw in flaws), 2)


def likelihood(base: float, flaws: Iterable[Flaw]) -> float:
    """How likely a table with the flaws was read right, 0 to 1; `base` is what its evidence is worth."""
    odds = (_TAGGED_ODDS if base == TAGGED else FLAWLESS_ODDS) / prod(flaw.odds for flaw in flaws)
    return round(odds / (1.0 + odds), 2)


def reasons(flaws: Sequence[Flaw]) -> tuple[str, ...]:
    """What speaks against a table, the weightiest first, each once."""
    known = sorted((flaw for flaw in flaws if flaw.odds > 1.0), key=lambda flaw: -flaw.odds)
    return tuple(dict.fromkeys(flaw.says for flaw in known))


# Columns.
CLOSE = Flaw("columns stand close", 0.8, 5.0)
VERY_CLOSE = Flaw("columns stand hardly further apart than words", 0.55, 3.0)
CROSSED = Flaw("words run over the white between columns", 0.6, 2.5)
UNPARTED = Flaw("white parts fewer columns than there are", 1.0, 1.7)
STRAY_COLUMN = Flaw("a column holds hardly anything", 0.7, 2.2)
EMPTY_COLUMN = Flaw("a column holds nothing", 0.45, 5.0)
HEADLESS = Flaw("a column has no head though its neighbours have", 0.5, _ENOUGH)
UNHEADED = Flaw("a column of text has no head", 0.5, 3.5)
NAMELESS_COLUMN = Flaw("not every column has a head", 1.0, 1.5)
HEADS_ALONE = Flaw("heads of columns stand over nothing", 0.5, 2.4)
HEAD_WITHOUT_ROWS = Flaw("heads of columns in two lines, and no row under them", 1.0, _ENOUGH)
HEAD_CROSSED = Flaw("a head stands over several columns without heads of their own", 0.5, 4.0)
FIGURE_CROSSED = Flaw("a cell over several columns holds a figure", 0.5)
MARKS_DRAWN = Flaw("cells hold signs that are drawn, and no text", 1.0, _ENOUGH)
LOST_CELLS = Flaw("columns with names hold nothing", 0.5, _ENOUGH)
OTHER_COLUMNS = Flaw("rows are cut at other places than most", 0.5, 1.6)
MARKERS_ALONE = Flaw("a column holds nothing but marks of a list", 0.5)
MERGED_CELLS = Flaw("cells reach over several columns", 1.0, 2.0)
# Rows.
UNEVEN = Flaw("rows fill other columns than their neighbours", 0.75, 3.0)
LONE_CELL = Flaw("a row holds nothing but a cell within", 0.5)
LOWER_ROW = Flaw("a row holds nothing but a first cell that goes on in small letters", 0.5, 1.6)
LINES_OF_CELLS = Flaw("rows of words have no first cell", 0.5)
GOING_ON = Flaw("a row goes on in small letters", 0.5, 1.3)
NO_CELL_IN_COMMON = Flaw("two rows have no column in common", 0.5, 5.0)
LINES_IN_ALL = Flaw("all cells of a row have the same lines", 0.6)
FIGURES_IN_LINES = Flaw("figures stand below one another in one row", 0.6, 6.5)
TWO_ROWS = Flaw("the lines of a row's cells end early at the same heights", 0.5, _ENOUGH)
ONE_ROW = Flaw("there is but one row", 0.5, _ENOUGH)
FEW_ROWS = Flaw("there are but two rows", 1.0, 2.6)
OTHER_ROWS = Flaw("the white between lines would part rows in another way", 0.5)
UNNAMED = Flaw("there is no head, and no rule around the rows", 1.0, 1.5)
PART = Flaw("it goes on where another table ends", 1.0, 2.2)
UNEVEN_CELLS = Flaw("the cells of some rows are set otherwise than those of the others", 1.0, _ENOUGH)
SEVERAL_LINES = Flaw("cells have several lines", 1.0, 1.7)
SEVERAL_LINES_TOLD = Flaw("cells have several lines, and none is drawn", 1.0, 6.0)
THREE_ROWS = Flaw("there are but three rows, and no cell is drawn", 1.0, 1.6)
FOUR_CELLS = Flaw("there are but two columns, and two rows at most", 1.0, 3.0)
NAMELESS_ROWS = Flaw("rows have no first cell", 1.0, 2.6)
WITHIN_ALONE = Flaw(LONE_CELL.says, 1.0, 4.0)
HARDLY_FILLED = Flaw(STRAY_COLUMN.says, 1.0, 2.6)
SMALL_LETTERS = Flaw("some rows begin in small letters", 1.0, 3.9)
RAGGED = Flaw("rows hold many different numbers of cells", 1.0, 5.0)
SAID_TWICE = Flaw("a row stands there twice", 1.0, 2.5)
MIXED = Flaw("columns of figures hold words", 1.0, 1.5)
LONE_HEAD = Flaw("the first row holds nothing but a cell within", 1.0, 10.0)
OF_PARTED_ROWS = frozenset({LONE_CELL, LOWER_ROW, LINES_OF_CELLS, GOING_ON})
"""What speaks against rows that nothing but their words parts: lines of the row above. Between two rules each they may
begin as they like."""
# Cells.
JOINED = Flaw("cells of a column hold two values", 0.45, _ENOUGH)
FEW_JOINED = Flaw("a few cells hold two values", 0.75, 2.1)
DRAWN_JOINED = Flaw("cells hold two values", 0.75)
STACKED = Flaw("a cell holds figures of several rows", 0.5, _ENOUGH)
TOUCHING = Flaw("two figures stand in a cell without white between", 0.5, _ENOUGH)
WHITE_INSIDE = Flaw("words of a cell stand as far apart as columns", 0.5, _ENOUGH)
RUNNING_CELL = Flaw("a cell goes on for sentences among short ones", 0.5, 1.3)
MISREAD = Flaw("signs of its fonts say nothing of their meaning", 0.45, _ENOUGH)
STUCK_MARK = Flaw("a mark may stick to a figure", 0.5, _ENOUGH)
LABELS_IN_CELLS = Flaw("cells hold labels with their values, as in a form", 0.5, 6.0)
OPEN_BRACKET = Flaw("a bracket opens in a cell and closes in none, or in another", 1.0, 8.0)
BROKEN_WORD = Flaw("a word or a range is broken at the end of a cell, or within one", 1.0, 10.0)
# What stands around it.
TEXT_LEFT = Flaw("text in its columns stands next to it", 1.0, 10.6)
ROW_LEFT = Flaw("a line of several pieces, like a row, stands next to it", 1.0, 9.0)
PIECES_LEFT = Flaw("a line of two pieces stands next to it", 1.0, 3.2)
LABELS_BESIDE = Flaw("labels stand beside its rows", 1.0, _ENOUGH)
