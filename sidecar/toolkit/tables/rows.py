"""Reads the rows of a relation from the blocks it was found in: typed values, what stands apart or is left out."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from sidecar.api import AnyBlock, Cell, LeftOut, Scalar, Table, TableColumn, TableRecord
from sidecar.toolkit.cell_references import cell_name, column_name
from sidecar.toolkit.tables.amounts import Amounts, are_years, below_merges
from sidecar.toolkit.tables.body import HEADING, maybe_totals
from sidecar.toolkit.tables.cells import Convert, Unread, converter, group_of, plain_numbers
from sidecar.toolkit.tables.columns import CODES
from sidecar.toolkit.tables.dates import CLOCK, with_hours
from sidecar.toolkit.tables.finding import Candidate, kinds_of
from sidecar.toolkit.tables.grid import Grid, GridRegion, GridRow, continue_table, sheet_grid, table_grids
from sidecar.toolkit.tables.headers import Head
from sidecar.toolkit.tables.numbers import before_remark, decimal_fractions
from sidecar.toolkit.text.character_tables import asked_table

_UNREAD_SHARE: Final = 0.3
"""Where a larger share of a column's cells is of another type, although a sample was not, the column is text."""
_SHOWN_PLACES: Final = 5
_SHOWN_TEXTS: Final = 2
_TEXT_CHARS: Final = 24
_AMOUNTS: Final = frozenset((int, float))
_MAX_LABEL_COLUMNS: Final = 3
"""Columns of labels at most."""
_LABELLED_ROWS: Final = 4
_EMPTY: Final = 1 / 3
"""Fewer rows tell nothing of labels, nor does a column of which less is empty."""
_NUMBERED_PARTS = re.compile(r"(\d{1,3})(?:\.(\d{1,3}))?")
_NUMBERING = re.compile(
    r"(?:wbs|psp|outline|section|clause|chapter|version|release|task|step|no|nr|nº|№|pos|item|kapitel|abschnitt|ziffer|"
    r"gliederung|§|#)\b",
    re.IGNORECASE,
)
"""How the heading of a column begins that numbers items."""
_MIN_PARTS: Final = 3
_PARTS: Final = "numbers of parts, of which 1.10 comes behind 1.9 and is not 1.1"
"""Why a column of decimals is text."""
_NOTED_CHARS: Final = 80
_WITH_NOTE = re.compile(
    r"([^\W\d_].*[^\W\d_][).'’\"”]?) ?(?:\[(?:[a-z]|[1-9]\d{0,2}|(?:note|nb|n) ?\d{1,3})\]){1,3}", re.DOTALL
)
"""A text with marks of notes behind it."""
_ADDED: Final = ("number", "money", "percent")
_REASONS = {
    "text": "text in the {} column {}",
    "limit": "limit in the {} column {}, no number",
    "remark": "number with a remark behind, only the number taken, in {1}",
    "note": "mark of a note behind a text, which is not among the values of {1}",
    "error": "error value in {1}",
    "formula": "formula, not computed, in {1}",
}
_SHOWN_KINDS: Final = ("text", "limit", "remark", "note")
"""Of these the texts are shown."""


@dataclass
class Relation:
    """A relation read whole. Rows are `(row, *values)`: `row` is the 1-based row in the sheet or table.

    `apart` are the rows that are not data, with what they are. `unread` are the values of another type than their
    column's, as (row, column, kind of cell, its text). `headings` holds for each of `rows` what the headings inside the
    table above it say, None above the first; it is empty where there are none."""

    columns: tuple[TableColumn, ...]
    rows: list[tuple[Scalar, ...]]
    apart: list[tuple[Scalar, ...]] = field(default_factory=list[tuple[Scalar, ...]])
    unread: list[tuple[int, int, str, str]] = field(default_factory=list[tuple[int, int, str, str]])
    headings: list[str | None] = field(default_factory=list[str | None])
    maybe_totals: dict[int, str] = field(default_factory=dict[int, str])
    """Rows of data that may be totals, since they give the sum of all others in the one column of figures, its name."""
    filled: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    """Of columns by their place the rows in which an empty cell was taken as the label above it."""
    merged: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    """Of columns of amounts by their place the rows that have the value of a merged cell which begins above them."""
    beyond: int = 0
    """Columns right of the last that a relation has no room for."""

    def left_out(self) -> list[LeftOut]:
        """What is not among the rows, or not among the values of a column, and why."""
        found: list[LeftOut] = []
        if self.beyond:
            first = self.columns[-1].col + 1
            place = f"{column_name(first)} to {column_name(first + self.beyond - 1)}"
            found.append(LeftOut(f"column beyond the {len(self.columns):,} that can be asked", self.beyond, place))
        kinds: dict[str, list[int]] = {}
        for row in self.apart:
            kinds.setdefault(str(row[1]), []).append(int(row[0] or 0))
        for kind, numbers in kinds.items():
            found.append(LeftOut(_plural(kind, len(numbers)), len(numbers), _rows_in_words(numbers)))
        for at, numbers in self.filled.items():
            name = self.columns[at].name
            reason = f"empty cell of {name} taken as the label above it"
            found.append(LeftOut(reason, len(numbers), _rows_in_words(numbers), name))
        for at, numbers in self.merged.items():
            name = self.columns[at].name
            reason = f"value of a merged cell in {name}, once more: a sum counts it for each row"
            found.append(LeftOut(reason, len(numbers), _rows_in_words(numbers), name))
        values: dict[tuple[int, str], list[str]] = {}
        texts: dict[tuple[int, str], dict[str, None]] = {}
        for row, at, kind, text in self.unread:
            values.setdefault((at, kind), []).append(cell_name(row - 1, self.columns[at].col))
            if kind in _SHOWN_KINDS and len(shown := texts.setdefault((at, kind), {})) <= _SHOWN_TEXTS:
                shown[_cut(text)] = None
        for (at, kind), places in values.items():
            column = self.columns[at]
            more = ", …" if len(places) > _SHOWN_PLACES else ""
            reason = _REASONS[kind].format(column.type, column.name)
            if shown := [*texts.get((at, kind), ())]:
                reason += ": " + ", ".join(shown[:_SHOWN_TEXTS]) + ", …" * (len(shown) > _SHOWN_TEXTS)
            found.append(LeftOut(reason, len(places), ", ".join(places[:_SHOWN_PLACES]) + more, column.name))
        return found


def _cut(text: str) -> str:
    """A text as it is shown among others."""
    shown = " ".join(text.split())
    return f"'{shown}'" if len(shown) <= _TEXT_CHARS else f"'{shown[:_TEXT_CHARS]}…'"


def read_relation(record: TableRecord, blocks: Mapping[int, Sequence[tuple[int, AnyBlock]]]) -> Relation:
    """The rows of the relation. `blocks` are the numbered blocks of its parts, from its first there to its last."""
    candidate = _candidate(record, blocks)
    body = candidate.body
    kinds = kinds_of(candidate, record.columns, body)
    data = [row for row, kind in zip(body, kinds, strict=True) if kind == "data"]
    left = candidate.region.left
    totals = [row for row, kind in zip(body, kinds, strict=True) if kind == "total"]
    closed = {group_of(candidate.grid.text(row, left).strip()) for row in totals}
    relation = _converted(record, candidate.grid, data, labelled=HEADING not in kinds, closed=closed)
    relation.beyond = record.beyond
    named = {column.col: column.name for column in record.columns}
    found = maybe_totals(kinds, Amounts(candidate.grid, body, record.columns))
    relation.maybe_totals = {body[at].at + 1: named[col] for at, col in found.items()}
    for row, kind in zip(body, kinds, strict=True):
        if kind != "data":
            texts = (candidate.grid.text(row, column.col) for column in record.columns)
            relation.apart.append((row.at + 1, kind, *texts))
    if HEADING in kinds:
        relation.headings = _headings(candidate.grid, candidate.region.left, body, kinds)
    return relation


def _headings(grid: Grid, left: int, rows: Sequence[GridRow], kinds: Sequence[str]) -> list[str | None]:
    """For each row of data the heading above; those one right below the other are one, from outer to inner."""
    found: list[str | None] = []
    words: list[str] = []
    before = ""
    for row, kind in zip(rows, kinds, strict=True):
        if kind == HEADING:
            words = [*(words if before == HEADING else ()), " ".join(grid.text(row, left).split())]
        elif kind == "data":
            found.append(" / ".join(words) or None)
        before = kind
    return found


def _candidate(record: TableRecord, blocks: Mapping[int, Sequence[tuple[int, AnyBlock]]]) -> Candidate:
    tables = _tables(blocks.get(record.part, ()), record.first_block, record.last_block)
    grids = [sheet_grid(tables)] if record.sheet else table_grids(tables)
    grid = grids[0] if grids else Grid([], [], [], sheet=record.sheet)
    for one in record.further if grids else ():
        continue_table(grid, one.part, one.name, _tables(blocks.get(one.part, ()), one.first_block, one.last_block))
    left, right = record.columns[0].col, record.columns[-1].col
    mask = (1 << right + 1) - (1 << left)
    rows = [row for row in grid.rows if row.mask & mask and row.at <= record.last_row]
    begin = next((at for at, row in enumerate(rows) if row.at >= record.first_row), len(rows))
    first = max(begin - record.header_rows, 0)
    head = Head(0, begin - first, (), "")
    return Candidate(record.part, grid, GridRegion(rows[first:], left, right), head, record.name)


def _tables(blocks: Sequence[tuple[int, AnyBlock]], first: int, last: int) -> list[tuple[int, Table]]:
    """The tables among the blocks `first` to `last`; those without rows are not part of a relation."""
    within = ((number, block) for number, block in blocks if first <= number <= last)
    return [(number, table) for number, block in within if (table := asked_table(block))]


def _all_closed(labels: Sequence[Scalar], closed: Set[str]) -> bool:
    """Whether each label is that of a group with a subtotal."""
    return all(str(one).strip().lower() in closed for one in labels if one is not None)


def _converted(
    record: TableRecord, grid: Grid, rows: Sequence[GridRow], *, labelled: bool, closed: Set[str]
) -> Relation:
    """The relation of rows of data. In `labelled` ones empty cells below labels are those labels, but in delimited
    lists, which have nothing else for what is missing, unless each label has its subtotal (`closed`, in lower case)."""
    columns = list(record.columns)
    typed = grid.typed
    values: list[Sequence[Scalar]] = []
    unread: list[tuple[int, int, str, str]] = []
    left, right = columns[0].col, columns[-1].col
    cut = [grid.texts(row, left, right) for row in rows]
    for at, column in enumerate(columns):
        place = column.col - left
        texts = [row[place] for row in cut]
        cells = [grid.cell(row, column.col) for row in rows] if typed else None
        if column.type == "number" and cells is None and _are_codes(texts):
            columns[at] = replace(column, type="text", unit="", remark=CODES)
        elif column.type == "number" and cells is None and _are_numbered_parts(texts, column.title):
            columns[at] = replace(column, type="text", unit="", remark=_PARTS)
        own, missed = _column(columns[at], texts, cells)
        other = sum(kind == "text" for _, kind in missed)
        if other and columns[at].type != "text" and other > _UNREAD_SHARE * sum(map(bool, texts)):
            columns[at] = replace(column, type="text", unit="", remark="values of several types")
            own, missed = _column(columns[at], texts, cells)
        if columns[at].type == "text" and not columns[at].order and (bare := _without_notes(own)):
            missed = [*missed, *((index, "note") for index in bare)]
            own = [bare.get(index, value) for index, value in enumerate(own)]
        values.append(own)
        unread += [(rows[index].at + 1, at, kind, texts[index]) for index, kind in missed]
    numbers = [row.at + 1 for row in rows]
    filled: dict[int, list[int]] = {}
    if labelled and None in values[0] and (typed or not record.sheet or _all_closed(values[0], closed)):
        labels = [[row[column.col - left] for row in cut] for column in columns[: _MAX_LABEL_COLUMNS + 1]]
        filled = {at: [numbers[row] for row in own] for at, own in _fill_labels(values, labels).items()}
    unread.sort()
    below = below_merges(grid, rows)
    merged = {
        at: [numbers[index] for index in below[column.col]]
        for at, column in enumerate(columns)
        if column.col in below and column.type in _ADDED and not are_years(values[at])
    }
    found = list(zip(numbers, *values, strict=True))
    return Relation(tuple(columns), found, unread=unread, filled=filled, merged=merged)


def _without_notes(values: Sequence[Scalar]) -> Mapping[int, Scalar]:
    """By their place the texts of a column without the marks of notes behind them: "Norway" for "Norway[a]". None of
    these may be two different texts, nor all be marked: "Item[1]" and "Item[2]" are names of things."""
    noted = ((index, one) for index, one in enumerate(values) if isinstance(one, str) and one[-1:] == "]")
    marked = {
        index: match[1] for index, one in noted if len(one) <= _NOTED_CHARS and (match := _WITH_NOTE.fullmatch(one))
    }
    texts = {values[index] for index in marked}
    alone = len(marked) < sum(one is not None for one in values)
    return marked if alone and len(texts) == len(set(marked.values())) else {}


def _are_codes(texts: Sequence[str]) -> bool:
    """Whether all texts are digits of one length, some with a nought in front, although a sample had none."""
    lengths = set(map(len, texts)) - {0}
    return (
        len(lengths) == 1
        and lengths != {1}
        and any(text[:1] == "0" for text in texts)
        and all(map(str.isdecimal, filter(None, texts)))
    )


def _are_numbered_parts(texts: Sequence[str], title: str) -> bool:
    """Whether the texts of a column number parts of an outline, "1.9", "1.10", "2", in their order, and are not
    decimals, which another order would show: each is the next one, or the title says that it numbers items."""
    found = [match for text in texts if (match := _NUMBERED_PARTS.fullmatch(text.strip()))]
    if len(found) < _MIN_PARTS or len(found) < len(texts):
        return False
    parts = [(int(one[1]), int(one[2] or 0)) for one in found]
    pairs = list(pairwise(parts))
    if not all(one < other for one, other in pairs) or all(map(_less, found, found[1:])):
        return False
    following = all(other in ((one[0], one[1] + 1), (one[0] + 1, 0), (one[0] + 1, 1)) for one, other in pairs)
    return following or _NUMBERING.match(title.strip()) is not None


def _less(one: re.Match[str], other: re.Match[str]) -> bool:
    return float(one[0]) < float(other[0])


def _column(
    column: TableColumn, texts: Sequence[str], cells: Sequence[Cell | None] | None
) -> tuple[Sequence[Scalar], list[tuple[int, str]]]:
    """The values of one column, and (index, kind) of those that are of another type."""
    if column.order == CLOCK:
        texts = with_hours(texts)
    if column.type == "text" and cells is None:
        return [text.strip() or None for text in texts], []
    if column.type in ("number", "money"):
        if cells is None and (plain := plain_numbers(texts, column.decimal)) is not None:
            return plain, []
        if cells is not None and all(cell is not None and type(cell.value) in _AMOUNTS for cell in cells):
            return decimal_fractions([cell.value for cell in cells if cell is not None]), []
    convert = converter(column)
    found: list[Scalar | Unread]
    if cells is None:
        known: dict[str, Scalar | Unread] = {}
        found = []
        for text in texts:  # what a column says once it says often
            if text not in known:
                known[text] = convert(text, None)
            found.append(known[text])
    else:
        found = [convert(text, cell) for text, cell in zip(texts, cells, strict=True)]
    missed = [(index, value.kind) for index, value in enumerate(found) if isinstance(value, Unread)]
    if cells is not None and column.type in ("number", "money", "percent"):
        found = decimal_fractions(found)
    if missed and column.type in ("number", "money", "percent"):
        missed = [_with_remark(texts, found, convert, index, kind) for index, kind in missed]
    return [None if isinstance(value, Unread) else value for value in found] if missed else found, missed  # pyright: ignore[reportReturnType]


def _with_remark(
    texts: Sequence[str], found: list[Scalar | Unread], convert: Convert, index: int, kind: str
) -> tuple[int, str]:
    """An unread value, whose number is taken where a remark stands behind it: "8.3% (derived)"."""
    if kind == "text" and (bare := before_remark(texts[index])):
        read = convert(bare, None)
        if isinstance(read, int | float):
            found[index] = read
            return index, "remark"
    return index, kind


def _plural(kind: str, count: int) -> str:
    if kind == HEADING:
        return f"{kind}, in _heading" if count == 1 else "headings inside the table, in _heading"
    return kind if count == 1 else f"{kind}s"


def _rows_in_words(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:_SHOWN_PLACES])
    return f"row{'s' * (len(numbers) > 1)} {shown}{', …' * (len(numbers) > _SHOWN_PLACES)}"


def _fill_labels(values: list[Sequence[Scalar]], texts: Sequence[Sequence[str]]) -> dict[int, list[int]]:
    """Fill the empty cells below labels that stand in the first row of their group alone, as in reports and cross
    tables. `values` are the columns of a table, whose cells say `texts`; the rows of each that were filled are given.
    Labels are the first columns, before one without a gap; each begins with a label, has one wherever the column before
    it has, none twice below one of that, and is empty elsewhere."""
    known: list[list[bool]] = []
    for at, column in enumerate(values[: _MAX_LABEL_COLUMNS + 1]):
        filled = [value is not None or bool(text.strip()) for value, text in zip(column, texts[at], strict=True)]
        if all(filled):
            break
        if not _labels(at, values, filled, known):
            return {}
        known.append(filled)
    else:
        return {}
    found: dict[int, list[int]] = {}
    for at, filled in enumerate(known):
        label: Scalar = None
        own: list[Scalar] = []
        for value, full in zip(values[at], filled, strict=True):
            label = value if full else label
            own.append(label)
        values[at] = own
        found[at] = [row for row, full in enumerate(filled) if not full]
    return found


def _labels(
    at: int, values: Sequence[Sequence[Scalar]], filled: Sequence[bool], known: Sequence[Sequence[bool]]
) -> bool:
    """Whether a column has labels in the rows `filled`; `known` are those of the columns before it."""
    if len(filled) < _LABELLED_ROWS or not filled[0] or filled.count(False) < _EMPTY * len(filled) or sum(filled) < 2:
        return False
    above = known[-1] if known else [True] + [False] * (len(filled) - 1)
    if any(outer and not own for outer, own in zip(above, filled, strict=True)):
        return False
    seen: set[Scalar] = set()
    for value, outer, own in zip(values[at], above, filled, strict=True):
        if outer:
            seen = set()
        if own and (value in seen or not any(map(str.isalnum, str(value)))):
            return False
        seen.add(value if own else None)
    return True
