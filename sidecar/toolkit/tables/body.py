"""The rows below a table's head told apart: data, totals, headings inside the table, notes below it, hidden rows."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final, Literal

from sidecar.api.tables import TableColumn
from sidecar.toolkit.cell_references import column_index
from sidecar.toolkit.tables.amounts import FIGURES_OF_TOTAL, TOLERANCE, Amounts, adds_up_to
from sidecar.toolkit.tables.cells import (
    LABEL_CHARS,
    TotalLabel,
    is_average,
    is_note,
    is_statistic,
    says_all,
    total_label,
)
from sidecar.toolkit.tables.grid import Grid, GridRegion, GridRow

RowKind = Literal[
    "data", "total", "heading inside the table", "repeated header", "note", "hidden row", "separator line"
]
"""What a row is; all but data stand apart, and the words are shown."""
HEADING: Final = "heading inside the table"

_RULE = re.compile(r"[-=_*~+.|:\u2010-\u2015\u2500-\u257f]{3,}")
"""Characters that draw a line across a cell."""
_DOWN_A_COLUMN = re.compile(
    r"\b(?:SUM|SUBTOTAL|AGGREGATE|AVERAGE)\((?:\d{1,3},\s*){0,2}\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)\)",
    re.IGNORECASE,
)
_OF_A_COLUMN = re.compile(
    r"\b(?:SUM|SUBTOTAL|AGGREGATE|AVERAGE|COUNTA?|MIN|MAX)\((?:\d{1,3},\s*){0,2}[^\W\d][\w.]*\[([^][#@]+)\]\)",
    re.IGNORECASE,
)
"""What the totals row of an Excel table computes, by the name of its column (ECMA-376 part 1 §18.5.1.3)."""
_YEAR = re.compile(r"(?:19|20)\d\d")
"""What may head the rows below it though it is a number, where these begin with words."""
_CATEGORY: Final = 0.3
"""Where a larger share of the rows is labelled a total, the label is one of the table's categories."""
_FEW_ROWS: Final = 3
_PAIR: Final = 2
"""Columns of a table that may be labels and figures alone."""
_LABEL_AND_FIGURE: Final = 2
_SECTIONS: Final = 0.34
_SECTIONS_APART: Final = 0.5
"""The share of the rows that headings inside a table are at most, and where an empty row stands before each."""
_VERIFIED_ROWS: Final = 20_000
"""Up to this many rows a total that only looks like one by its label is checked by adding up."""


def row_kinds(
    grid: Grid, region: GridRegion, rows: Sequence[GridRow], heads: Sequence[GridRow], columns: Sequence[TableColumn]
) -> list[RowKind]:
    """The kind of each of `rows`, the body of a region with those columns."""
    amounts = Amounts(grid, rows, columns)
    hidden = grid.hidden_rows()
    kinds: list[RowKind] = ["separator line" if _is_ruled(row.texts) else "data" for row in rows]
    if hidden and not hidden.issuperset(row.at for row in rows):
        kinds = ["hidden row" if row.at in hidden else kind for row, kind in zip(rows, kinds, strict=True)]
    _mark_notes(grid, region, rows, kinds, amounts.figures)
    _mark_repeats(grid, region, rows, kinds, heads)
    _mark_totals(grid, region, rows, kinds, heads, amounts)
    return kinds


def _is_ruled(texts: Sequence[str]) -> bool:
    """Whether a row is a line drawn with characters, as programs print below headings and above totals."""
    if not texts or texts[0][:1].isalnum():  # most are told by that
        return False
    first = (texts[0] or next(filter(None, texts), "")).lstrip()[:1]
    return bool(first) and not first.isalnum() and all(_RULE.fullmatch(text.strip()) for text in texts if text)


def _mark_notes(
    grid: Grid, region: GridRegion, rows: Sequence[GridRow], kinds: list[RowKind], figures: Collection[int]
) -> None:
    """Rows with one text in the first column: below all others notes, between them headings of what follows, unless
    other rows are called the same. In a table of two columns such a row lacks its figure, unless the first row is so
    and every such row heads two others; a note begins as one."""
    _mark_spanning(grid, region, rows, kinds)
    if not figures:
        return
    pairs = region.width == _PAIR

    def may_be_note(row: GridRow) -> bool:
        filled = region.mask(row).bit_count()
        if filled > 1:  # what holds blanks is empty
            filled = sum(map(bool, map(str.strip, grid.texts(row, region.left, region.right))))
        return filled == 1 and (not pairs or is_note(_label(region, row)))

    at = len(rows) - 1
    notes: list[int] = []
    while at > 0 and (kinds[at] != "data" or may_be_note(rows[at])) and not _spread_text(grid, rows[at]):
        if kinds[at] == "data":
            notes.append(at)
        at -= 1
    longest = max((len(_label(region, rows[index])) for index in notes), default=0)
    if len(notes) * 2 > len(rows) and longest <= LABEL_CHARS:  # labels of rows that have no figures yet
        return
    for index in notes:
        kinds[index] = "note"
    more = (1 << region.right + 1) - (2 << region.left)  # all columns but the first
    named = [row for row in rows[: at + 1] if row.mask & more]
    labels = {_label(region, row) for row in named}
    alone = [
        index for index, row in enumerate(rows[: at + 1])
        if not row.mask & more and kinds[index] == "data" and region.mask(row) == 1
        and (grid.kind(row, region.left) == "text" or _YEAR.fullmatch(_label(region, row)))
        and (_label(region, row) not in labels or (index and row.at - rows[index - 1].at > 1))
    ]  # fmt: skip
    if alone and 2 * sum(grid.kind(row, region.left) == "text" for row in named) <= len(named):  # years among years
        alone = [index for index in alone if grid.kind(rows[index], region.left) == "text"]
    if pairs:  # a label alone may lack its figure, but not so regularly
        heads = sorted([*alone, *(index for index, kind in enumerate(kinds[:at]) if kind == HEADING)])
        regular = heads[:1] == [0] and all(end - begin > _PAIR for begin, end in pairwise([*heads, at + 1]))
        alone = alone if regular and len(heads) > 1 else []
    parted = len(alone) <= _SECTIONS_APART * len(rows) and all(
        not index or rows[index].at - rows[index - 1].at > 1 for index in alone
    )
    if len(alone) <= _SECTIONS * len(rows) or (parted and alone[-1] < at):
        for index in alone:
            kinds[index] = HEADING


def _mark_spanning(grid: Grid, region: GridRegion, rows: Sequence[GridRow], kinds: list[RowKind]) -> None:
    """Rows with one cell over the whole width: headings of what follows, below all others notes."""
    wide = {
        table.first_row + merge.row
        for table in grid.tables
        for merge in table.merges
        if merge.rows == 1 and table.first_col + merge.col == region.left and merge.cols >= region.width > 1
    }
    found = [at for at, row in enumerate(rows) if row.at in wide and kinds[at] == "data" and region.mask(row) == 1]
    if found and len(found) <= _SECTIONS_APART * len(rows):
        last = max((at for at, kind in enumerate(kinds) if kind == "data" and at not in set(found)), default=0)
        for at in found:
            kinds[at] = HEADING if at < last else "note"


def _spread_text(grid: Grid, row: GridRow) -> bool:
    """Whether a typed figure stands alone in the row: that is not a note."""
    col = (row.mask & -row.mask).bit_length() - 1
    return grid.kind(row, col) in ("number", "date", "formula")


def _mark_repeats(
    grid: Grid, region: GridRegion, rows: Sequence[GridRow], kinds: list[RowKind], heads: Sequence[GridRow]
) -> None:
    """The head again, as it stands at the top of every page."""
    texts = {tuple(_texts(grid, region, row)) for row in heads}
    if not texts:
        return
    first = {own[0] for own in texts}
    for index, row in enumerate(rows):
        begin = row.texts[0] if row.first == region.left and row.texts else grid.text(row, region.left)
        if begin.strip() in first and tuple(_texts(grid, region, row)) in texts:
            kinds[index] = "repeated header"


def _texts(grid: Grid, region: GridRegion, row: GridRow) -> list[str]:
    return [text.strip() for text in grid.texts(row, region.left, region.right)]


def _mark_totals(
    grid: Grid,
    region: GridRegion,
    rows: Sequence[GridRow],
    kinds: list[RowKind],
    heads: Sequence[GridRow],
    amounts: Amounts,
) -> None:
    sure, maybe = _labelled(region, rows, kinds)
    if not amounts.figures:
        sure = [index for index in sure if not _is_wordy(grid, region, rows[index])]
    for index in sure:
        kinds[index] = "total"
    if len(rows) <= _VERIFIED_ROWS:
        for index in maybe:
            if _adds_up(grid, rows, kinds, index, amounts):
                kinds[index] = "total"
        _mark_sums(region, rows, kinds, amounts)
        _mark_between(region, rows, kinds)
        if kinds[-1] == "data" and says_all(_label(region, rows[-1])) and _is_between(kinds, amounts):
            kinds[-1] = "total"
        if (
            len(rows) > 2
            and kinds[-1] == "data"
            and (_sums_column(grid, region, rows, heads) or _sums_all(kinds, len(rows) - 1, amounts))
        ):
            kinds[-1] = "total"
        elif kinds[0] == "data" and _sums_all(kinds, 0, amounts):
            kinds[0] = "total"
        for at in (0, len(rows) - 1):
            if kinds[at] == "data" and _is_nameless(region, rows, kinds, at) and _sums_all(kinds, at, amounts, least=1):
                kinds[at] = "total"
    _mark_statistics(region, rows, kinds)


def _mark_statistics(region: GridRegion, rows: Sequence[GridRow], kinds: list[RowKind]) -> None:
    """The last rows where several in a row are named as totals, averages, extremes or deviations, below more others: a
    "Max" below an average is one, alone it may be somebody's name. A table of statistics alone has no totals: its
    "mean" is one of them."""

    def is_named(row: GridRow) -> bool:
        return is_statistic(_label(region, row))

    if kinds[0] == "total" or is_named(rows[0]):  # else only the last rows need be looked at
        named = sum(map(is_named, rows))
        if named > 1 and 2 * (named + kinds.count("total")) >= len(rows):
            for at, kind in enumerate(kinds):
                kinds[at] = "data" if kind == "total" else kind
            return
    begin = len(rows)
    while begin and (kinds[begin - 1] == "total" or is_named(rows[begin - 1])):
        begin -= 1
    while begin < len(rows) and kinds[begin] != "total":  # a name may end the data
        begin += 1
    if 1 < len(rows) - begin < kinds[:begin].count("data"):
        for at in range(begin, len(rows)):
            kinds[at] = "total"


def _is_wordy(grid: Grid, region: GridRegion, row: GridRow) -> bool:
    """Whether words alone stand behind the label of a row: no total is without a figure."""
    kinds = [kind for kind in grid.kinds(row, region.left + 1, region.right) if kind not in ("", "gap")]
    return bool(kinds) and set(kinds) == {"text"} and not any(map(str.isdigit, "".join(row.texts[1:])))


def _is_nameless(region: GridRegion, rows: Sequence[GridRow], kinds: Sequence[RowKind], at: int) -> bool:
    """Whether a row leaves empty the first column, which names all other rows."""
    own = region.mask(rows[at])
    return not own & 1 and all(
        region.mask(row) & 1 for row, kind in zip(rows, kinds, strict=True) if kind == "data" and row is not rows[at]
    )


def maybe_totals(kinds: Sequence[str], amounts: Amounts) -> dict[int, int]:
    """The first or the last row where nothing calls it a total and its figure is the sum of all others, with the column
    of that figure, the only one of the table: it may be so by chance."""
    data = [at for at, kind in enumerate(kinds) if kind == "data"]
    if len(amounts.sums) != 1 or len(data) <= _FEW_ROWS or len(data) > _VERIFIED_ROWS:
        return {}
    ends = (data[0], data[-1])
    return {at: amounts.sums[0] for at in ends if adds_up_to(at, [one for one in data if one != at], amounts, least=1)}


def _mark_sums(region: GridRegion, rows: Sequence[GridRow], kinds: list[RowKind], amounts: Amounts) -> None:
    """Rows that leave empty what all above them have, from the last total on, and give the sums of the rest: totals,
    whatever they are called; with one figure each where several rows do so."""
    whole = (1 << region.right + 1) - (1 << region.left)
    for least in (FIGURES_OF_TOTAL, 1):
        found = list[int]()
        above: list[int] = []
        common = -1
        for index, row in enumerate(rows):
            less = kinds[index] == "data" and len(above) > 1 and common & ~row.mask & whole
            if less and adds_up_to(index, above, amounts, least):
                found.append(index)
            if kinds[index] == "total" or found[-1:] == [index]:
                above, common = [], -1
            elif kinds[index] == "data":
                above.append(index)
                common &= row.mask
        for index in found if least > 1 or len(found) > 1 else ():
            kinds[index] = "total"


def _mark_between(region: GridRegion, rows: Sequence[GridRow], kinds: list[RowKind]) -> None:
    """The labels and figures between the first and the last total, where the table ends with that and they leave empty
    the first column, which all rows above fill: taxes and discounts of an invoice."""
    first = kinds.index("total") if kinds[-1] == "total" else len(kinds)
    between = [at for at in range(first, len(kinds)) if kinds[at] == "data"]
    masks = [region.mask(row) for row in rows]
    if all(not masks[at] & 1 and masks[at].bit_count() == _LABEL_AND_FIGURE for at in between) and all(
        masks[at] & 1 for at in range(first) if kinds[at] == "data"
    ):
        for at in between:
            kinds[at] = "total"


def _is_between(kinds: Sequence[RowKind], amounts: Amounts) -> bool:
    """Whether every figure of the last row is above the least and below the largest of the rows of data above it: an
    average, weighted or not. The best of a comparison is at one end."""
    above = [at for at, kind in enumerate(kinds[:-1]) if kind == "data"]
    found = 0
    for col in amounts.figures:
        value = amounts.one(len(kinds) - 1, col)
        column = amounts.column(col)
        parts = [part for at in above if (part := column[at]) is not None]
        if value is None or len(parts) < 2:
            continue
        if not min(parts) < value < max(parts):
            return False
        found += 1
    return found > 0


def _labelled(region: GridRegion, rows: Sequence[GridRow], kinds: Sequence[RowKind]) -> tuple[list[int], list[int]]:
    """The rows whose label says that they are totals, and those whose label may say so."""
    plain: set[str] = {""}
    found: dict[TotalLabel, list[int]] = {"total": [], "of a group": [], "perhaps": []}
    seen: set[str] = set()
    for index, row in enumerate(rows):
        label = row.texts[0] if row.first == region.left and row.texts else ""
        if label in plain and label:  # kind before, as it stands
            continue
        label = _label(region, row)
        if label in plain:
            continue
        seen.add(label.lower())
        if label.isdecimal() or kinds[index] != "data":
            continue
        if kind := total_label(label, seen):
            found[kind].append(index)
        else:
            plain.add(label)
    sure, perhaps = found["total"], found["perhaps"]
    if len(sure) > _CATEGORY * len(rows) and len(rows) > _FEW_ROWS:
        labelled = sum(map(len, found.values()))
        if len(plain) - 1 + labelled == len(rows):  # no other label comes again: small groups with their totals
            perhaps = sorted(perhaps + sure)
        sure = [index for index in sure if index == len(rows) - 1]
    return sure + found["of a group"], perhaps


def _label(region: GridRegion, row: GridRow) -> str:
    """The first text of a row."""
    texts = row.texts if row.first >= region.left else row.texts[region.left - row.first :]
    return next(filter(None, texts), "").strip()


def _adds_up(grid: Grid, rows: Sequence[GridRow], kinds: Sequence[RowKind], index: int, amounts: Amounts) -> bool:
    """Whether a figure of the row is the sum of those above it (the average where it is called so), from the last total
    on or of all, with what is hidden or without; of the first row, the sum of those below."""
    above = [at for at in range(index) if kinds[at] == "data"]
    if not above and kinds[index + 1 :].count("data") >= _FEW_ROWS:
        above = [at for at in range(index + 1, len(rows)) if kinds[at] == "data"]
    both = [at for at in range(index) if kinds[at] in ("data", "hidden row")]
    since = max((at for at in range(index) if kinds[at] == "total"), default=-1)
    averaged = is_average(next(filter(None, rows[index].texts), ""))
    for col in amounts.figures:
        if _is_column_sum(grid, rows[index], col):
            return True
        if not (shown := amounts.one(index, col)):
            continue
        column = amounts.column(col)
        for chosen in (above, [at for at in above if at > since], both, [at for at in both if at > since]):
            parts = [part for part in (column[at] for at in chosen) if part is not None]
            value = sum(parts) / (len(parts) if averaged and parts else 1)
            if len(parts) > 1 and abs(value - shown) <= TOLERANCE * max(abs(shown), 1) + 0.011:
                return True
    return False


def _sums_all(kinds: Sequence[RowKind], index: int, amounts: Amounts, least: int = FIGURES_OF_TOTAL) -> bool:
    """Whether a row, whatever it is called, gives the sum of all others in every column of figures it has."""
    if len(amounts.sums) < least or kinds.count("data") <= _FEW_ROWS:
        return False
    return adds_up_to(index, [at for at, kind in enumerate(kinds) if kind == "data" and at != index], amounts, least)


def _sums_column(grid: Grid, region: GridRegion, rows: Sequence[GridRow], heads: Sequence[GridRow]) -> bool:
    """Whether a formula of the last row sums up its own column, by cells or by the column's name."""
    for col in region.columns:
        if _is_column_sum(grid, rows[-1], col):
            return True
        cell = grid.cell(rows[-1], col)
        named = _OF_A_COLUMN.search(cell.formula) if heads and cell is not None and cell.formula else None
        if named is not None and named[1] == grid.text(heads[-1], col).strip():
            return True
    return False


def _is_column_sum(grid: Grid, row: GridRow, col: int) -> bool:
    """Whether the cell's formula adds up or averages cells above it in its own column."""
    cell = grid.cell(row, col)
    match = _DOWN_A_COLUMN.search(cell.formula) if cell is not None and cell.formula else None
    if match is None:
        return False
    first, top, last, bottom = match.groups()
    return column_index(first) == column_index(last) == col and int(top) < int(bottom) <= row.at
