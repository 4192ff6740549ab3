"""What stands in cells and is not a relation: one record of labels and values, a box with a title, lists laid out by a
table, pieces of a form, the title of a table; and what is a table whatever stands there: rectangles of a sheet that
have a name of their own (defined names, ECMA-376 part 1 §18.2.5, and Excel tables that stand beside others), which
notes of the document model tell of, and lines of a delimited list."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, Protocol

from sidecar.api import Note, Part, TableColumn
from sidecar.toolkit.cell_references import CellRange, parse_range
from sidecar.toolkit.tables.cells import typed_cell, typed_text
from sidecar.toolkit.tables.grid import Grid, GridRegion, GridRow, region_of
from sidecar.toolkit.tables.headers import Head, find_head
from sidecar.toolkit.tables.numbers import before_remark, is_limit, read_number

_PAIR: Final = 2
"""Columns of labels and their values."""
_SURE: Final = 0.5
_NEVER: Final = 0.1
"""A guessed table less sure than `_SURE` is none where nothing names its columns and cells are empty, one less sure
than `_NEVER` in no case."""
_DENSE: Final = 0.9
_MAX_SCATTERED: Final = 4
"""Rows of remarks around a table at most."""
_MIXED: Final = 0.6
"""The share that values of one kind have at most among those of a record, and words among the cells of remarks."""
_ROWS: Final = 3
"""Rows from which on the values of a record can be told from a column."""
_TITLE_ROWS: Final = 3
_BELOW: Final = 5
"""Lines below names that are looked at."""
_MAX_PARTED: Final = 50
"""Tables of one delimited list."""
_VALUES: Final = frozenset(("number", "date", "bool"))
_NEAR: Final = 4
"""How many rows below a title its table begins at last."""
_FIELDS: Final = 40
"""No record has more."""
_MARK = re.compile(r"\W{1,2}|\(?(?:\d{1,3}|[ivxlc]{1,5}|[a-z])[.)]|\W*\d{1,2}\W*", re.IGNORECASE)
"""The mark or number in front of an item of a list."""
_ADDRESS = re.compile(r"://|\S@\S")
_ITEMS = re.compile(r"^\W (?:.*\n){2}", re.MULTILINE)
"""A list of several items in one cell."""
_MEANING = re.compile(
    r"=?\$?(?:'(?:[^']|'')+'|[^\s'!.(),;+*/&<>=]+)[!.](\$?[A-Za-z]{1,3}\$?\d+:\$?[A-Za-z]{1,3}\$?\d+)"
)
"""One range of one sheet, and nothing else."""
_PRINTED: Final = ("Print area", "Print titles")
_NO_HEAD: Final = " (no heading row)"
_MAX_NAMES: Final = 200
"""Names looked at in one sheet."""


class PlacedTable(Protocol):
    """A table found by its place."""

    @property
    def region(self) -> GridRegion:
        """Where its rows lie."""
        ...

    @property
    def head(self) -> Head:
        """What names its columns."""
        ...


def named_areas(part: Part) -> Iterator[tuple[str, CellRange, int]]:
    """The names of ranges of a sheet, each with its range and how many rows it says head it (those of Excel tables);
    not those of what is printed."""
    seen = 0
    for block in part.blocks:
        if not isinstance(block, Note) or block.kind != "annotation" or not block.anchor or block.hidden:
            continue
        left, _, meant = block.text.partition(" = ")
        match = _MEANING.match(meant.removesuffix(_NO_HEAD))
        rest = meant[match.end() :] if match else "?"
        area = parse_range(match[1]) if match and (not rest or rest.startswith(" (")) else None
        name = block.anchor.rpartition("!")[2]
        if area is None or left in _PRINTED or name.startswith("_"):  # Excel's own begin so
            continue
        seen += 1
        if seen > _MAX_NAMES:
            return
        yield name, area, int(left == f"Table {name}" and not meant.endswith(_NO_HEAD))


def named_head(grid: Grid, region: GridRegion, around: Sequence[PlacedTable], declared: int) -> Head:
    """The head of a named range: its own, of which it may say how many rows it has, or, where it holds data only, that
    of the table it lies in."""
    top = region.rows[0].at
    for one in around if not declared else ():
        whole, head = one.region, one.head
        heads = whole.rows[head.first : head.body]
        if heads and heads[-1].at < top <= whole.rows[-1].at and _within(region, whole):
            titles = dict(enumerate(head.titles, whole.left))
            return Head(0, 0, tuple(titles.get(col, "") for col in region.columns), "")
    return find_head(grid, region, declared)


def _within(region: GridRegion, whole: GridRegion) -> bool:
    """Whether a region has data in columns of the other only."""
    outside = ~((1 << whole.right + 1) - (1 << whole.left))
    return not any(region.mask(row) << region.left & outside for row in region.rows)


def parted(grid: Grid) -> list[GridRegion]:
    """The tables of a delimited list: what begins behind an empty line is another one where its first line names
    columns as that of the first table does, over numbers or dates, in other words. One that repeats the names goes
    on."""
    begins = [at for at, row in enumerate(grid.rows) if at and row.at > grid.rows[at - 1].at + 1]
    whole = region_of(grid.rows)
    if whole is None or not begins or (names := _names_at(grid, 0)) is None:
        return [whole] if whole is not None else []
    cuts = [0]
    for at in begins:
        found = _names_at(grid, at)
        if found is not None and found != names and len(cuts) < _MAX_PARTED:
            cuts.append(at)
            names = found
    pieces = [region_of(grid.rows[begin:end]) for begin, end in pairwise([*cuts, len(grid.rows)])]
    return [piece for piece in pieces if piece is not None]


def _names_at(grid: Grid, at: int) -> tuple[str, ...] | None:
    """The names of columns in the line that begins there, below two lines of title at most; None where there are none,
    or nothing below them is a number, a date or a truth value in a column of its own."""
    rows = grid.rows[at : at + _TITLE_ROWS + _BELOW]
    titles = next((number for number, row in enumerate(rows) if row.mask & (row.mask - 1)), _TITLE_ROWS)
    if titles >= _TITLE_ROWS or titles + 1 >= len(rows):
        return None
    head, *below = rows[titles:]
    below = [row for number, row in enumerate(below, 1) if row.at == head.at + number]
    shown = [(col, grid.text(head, col).strip()) for col in range(head.mask.bit_length()) if head.mask >> col & 1]
    names = tuple(text for _, text in shown)
    if not below or len(set(names)) < len(names) or any(typed_text(name).kind != "text" for name in names):
        return None
    if head.mask & (head.mask + (head.mask & -head.mask)):  # an empty one among them
        return None
    kinds = ({typed_text(grid.text(row, col)).kind for row in below} - {"", "gap"} for col, _ in shown)
    return names if any(kind and kind <= _VALUES for kind in kinds) else None


def is_layout(grid: Grid, region: GridRegion, head: Head, *, captioned: bool = False) -> bool:
    """Whether a region is not a relation, whatever was taken for its head. What is `captioned` is not a guess."""
    rows = region.rows[head.first :]
    headed = head.body > head.first
    confidence = 1.0 if captioned else min(table.confidence for table in grid.tables)
    if confidence < _SURE and (confidence < _NEVER or not (headed or _is_dense(region, rows))):
        return True
    if region.width != _PAIR:
        return False
    if not grid.sheet and _is_box(grid, region, head):
        return True
    if headed and grid.tables[0].header_rows and not grid.sheet:
        return False
    labels, values = ([grid.text(row, col).strip() for row in rows] for col in region.columns)
    if _share(label.endswith(":") for label in labels if label) > _SURE:
        return True
    if not headed and not grid.sheet:
        marked = all(map(_MARK.fullmatch, filter(None, labels))) and not _is_column(grid, rows, region.right)
        if marked or (confidence < 1 and labels == values):
            return True
    alone = [region.mask(row).bit_count() < _PAIR for row in region.rows]
    if not grid.sheet and alone[0] and _share(alone) > _SURE:
        return True
    return not (headed and grid.sheet) and _is_record(grid, region, rows, headed=headed)


def is_piece(region: GridRegion, head: Head) -> bool:
    """Whether so little stands in a region of a sheet that it is one of the fields of a form where there are many."""
    rows = len(region.rows) - head.body
    return region.width <= _ROWS and (rows <= _ROWS or (head.body == head.first and region.width <= _PAIR))


def is_scattered(region: GridRegion, rows: Sequence[GridRow], columns: Sequence[TableColumn]) -> bool:
    """Whether a few words stand about in a few rows, as remarks do around a table."""
    filled = sum(region.mask(row).bit_count() for row in rows)
    texts = all(column.type == "text" for column in columns)
    return texts and len(rows) <= _MAX_SCATTERED and filled < _MIXED * region.width * len(rows)


def _is_dense(region: GridRegion, rows: Sequence[GridRow]) -> bool:
    filled = sum(region.mask(row).bit_count() for row in rows)
    return len(rows) > _ROWS and filled >= _DENSE * region.width * len(rows)


def _is_box(grid: Grid, region: GridRegion, head: Head) -> bool:
    """Whether a title stands over both columns of labels and what belongs to them, or lists stand beside labels."""
    headed = head.body > head.first
    title = region.rows[head.first if headed else 0]
    over = region.mask(title) == 1 and (grid.spans(title).get(region.left) == _PAIR or not headed)
    if over and (grid.tables[0].header_rows or grid.tables[0].header_cols):
        return True
    declared = headed and grid.tables[0].header_rows and head.titles[1]
    values = [text for row in region.rows if (text := grid.text(row, region.right))]
    return not declared and _share(_ITEMS.search(text) is not None for text in values) > _SURE


def _is_record(grid: Grid, region: GridRegion, rows: Sequence[GridRow], *, headed: bool) -> bool:
    """Whether labels, none twice, have values of several kinds beside them: no column is so mixed."""
    labels = [text for row in rows if (text := grid.text(row, region.left).strip())]
    if (
        not _ROWS + headed <= len(rows) <= _FIELDS
        or len(set(labels)) < len(rows)
        or _is_column(grid, rows, region.left)
    ):
        return False
    shapes = Counter(_shape(grid, row, region.right) for row in rows)
    del shapes[""]
    most = max(shapes.values(), default=0) / max(shapes.total(), 1)
    return len(shapes) > 1 + headed and most <= _MIXED and not shapes.keys() <= {"words", "code"}


def _is_column(grid: Grid, rows: Sequence[GridRow], col: int) -> bool:
    """Whether a column holds figures."""
    return _share(_shape(grid, row, col) in ("number", "date") for row in rows[1:]) > _SURE


def _share(found: Iterable[bool]) -> float:
    seen = [*found]
    return sum(seen) / len(seen) if seen else 0.0


def _shape(grid: Grid, row: GridRow, col: int) -> str:
    """What a value looks like: number (with its remark), date, address, words with digits, or words; "" for none."""
    text = grid.text(row, col)
    kind = typed_cell(text, grid.cell(row, col)).kind
    if kind != "text":
        return "" if kind == "gap" else kind
    if is_limit(text) or read_number(before_remark(text)) is not None:
        return "number"
    return "address" if _ADDRESS.search(text) else "code" if any(map(str.isdigit, text)) else "words"


def with_titles(grid: Grid, regions: list[GridRegion]) -> list[GridRegion]:
    """Regions of one cell, or of few that hold words, become the title of the table that begins next below them."""
    titles = [one for one in regions if one.width == 1 and _is_title(grid, one)]
    tables = [one for one in regions if one.width > 1 or not _is_title(grid, one)]
    ordered = sorted(tables, key=lambda one: one.rows[0].at)
    begins = [one.rows[0].at for one in ordered]
    for title in titles:
        at = title.rows[-1].at
        first, behind = (bisect_right(begins, row) for row in (at, at + _NEAR))
        nearest = next((one for one in ordered[first:behind] if one.left <= title.left <= one.right), None)
        if nearest is not None:
            text = " · ".join(grid.text(row, title.left).strip() for row in title.rows)
            nearest.title = f"{nearest.title} · {text}" if nearest.title and text else nearest.title or text
    return tables


def _is_title(grid: Grid, region: GridRegion) -> bool:
    """Whether a column is one cell, or words that go on over few rows: a title and what it is counted in."""
    few = len(region.rows) <= _TITLE_ROWS
    return len(region.rows) == 1 or (few and all(grid.kind(row, region.left) == "text" for row in region.rows))
