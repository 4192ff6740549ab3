"""The cells of a part on one grid: the windows of a sheet put together, or one table of a text document with the
cells that merges cover filled; and a region of it. Which regions are tables is `regions`' business."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, repeat
from typing import Final, NamedTuple

from msgspec.structs import replace

from sidecar.api.model import AnyBlock, Cell, Table
from sidecar.api.tables import TablePart
from sidecar.toolkit.cell_references import MAX_COLS, MAX_ROWS
from sidecar.toolkit.tables.cells import AMOUNTS, CellKind, typed_cell, typed_text
from sidecar.toolkit.text import with_raised

_MAX_GAP: Final = 500
"""Empty columns between blocks of one row, each of which takes a place; two cells of a row may be 16,000 apart."""
_STRIP: Final = 16
"""Columns: regions near one another are looked for by strips of this many."""
_DIGITS: Final = bytes.maketrans(b"\0\1", b"01")


class GridRow(NamedTuple):
    """A row with data: its 0-based number, the column of its first text, its texts, which columns have data (bits), and
    the number of its window."""

    at: int
    first: int
    texts: Sequence[str]
    mask: int
    window: int


@dataclass
class Grid:
    """Rows in order, from the windows `tables`. The blocks of those in the grid's first part are numbered `blocks` from
    1; the windows after them are those of the parts `further`."""

    rows: list[GridRow]
    tables: list[Table]
    blocks: list[int]
    sheet: bool
    further: list[TablePart] = field(default_factory=list[TablePart])
    _beside: bool = False
    """Some blocks stand side by side."""
    _cells: dict[int, dict[tuple[int, int], Cell]] = field(default_factory=dict[int, dict[tuple[int, int], Cell]])
    _placed: dict[tuple[int, int], Cell] | None = None
    """The cells of all windows by row and column of the sheet, once one was asked for."""

    def text(self, row: GridRow, col: int) -> str:
        """The text at a column of the grid, "" where there is none."""
        at = col - row.first
        return row.texts[at] if 0 <= at < len(row.texts) else ""

    def cell(self, row: GridRow, col: int) -> Cell | None:
        """What the cell holds beyond its text."""
        if not self.typed:
            return None
        table = self.tables[row.window]
        found = self._of(row.window).get((row.at - table.first_row, col - table.first_col)) if table.cells else None
        return found if found is not None or not self._beside else self._elsewhere(row.at, col)

    def kind(self, row: GridRow, col: int) -> CellKind:
        """What the cell holds, judged alone."""
        at = col - row.first
        text = row.texts[at] if 0 <= at < len(row.texts) else ""
        cell = self.cell(row, col) if self.typed else None
        if cell is None:  # most are: no call more than needed
            return typed_text(text).kind
        return _kind(text, cell)

    def kinds(self, row: GridRow, left: int, right: int) -> list[CellKind]:
        """What the cells in the columns from `left` to `right` hold, each judged alone."""
        if not self.typed:
            return [typed_text(text).kind for text in self.texts(row, left, right)]
        shown = zip(self.texts(row, left, right), self.beyond(row, left, right), strict=True)
        return [_kind(text, cell) for text, cell in shown]

    def beyond(self, row: GridRow, left: int, right: int) -> list[Cell | None]:
        """What the cells in the columns from `left` to `right` hold beyond their texts."""
        columns = range(left, right + 1)
        table = self.tables[row.window]
        if self._beside:
            return [self.cell(row, col) for col in columns]
        if not table.cells:
            return [None] * len(columns)
        known, at, start = self._of(row.window), row.at - table.first_row, table.first_col
        return [known.get((at, col - start)) for col in columns]

    def texts(self, row: GridRow, left: int, right: int) -> Sequence[str]:
        """The texts from the column `left` to `right`, "" where there are none."""
        texts, before = row.texts, left - row.first
        if not before and len(texts) == right - left + 1:
            return texts
        found = [*[""] * -before, *texts[max(before, 0) : max(right - row.first + 1, 0)]]
        return found + [""] * (right - left + 1 - len(found))

    @cached_property
    def typed(self) -> bool:
        """Whether some cell holds more than its text."""
        return any(table.cells for table in self.tables)

    def _of(self, window: int) -> dict[tuple[int, int], Cell]:
        known = self._cells.get(window)
        if known is None:
            known = self._cells[window] = {(cell.row, cell.col): cell for cell in self.tables[window].cells}
        return known

    def _elsewhere(self, at: int, col: int) -> Cell | None:
        """The cell in a block beside the row's own."""
        if self._placed is None:
            self._placed = {
                (table.first_row + cell.row, table.first_col + cell.col): cell
                for table in reversed(self.tables)
                for cell in table.cells
            }
        return self._placed.get((at, col))

    def blocks_of(self, first: GridRow, last: GridRow) -> tuple[int, int]:
        """The numbers of the first and the last block that hold anything from one row to another."""
        windows = [first.window, last.window]
        if self._beside:  # a joined row has the window of its first block
            places = enumerate(table.first_row for table in self.tables)
            windows = [n for n, at in places if at <= last.at and first.at < at + len(self.tables[n].rows)]
        return self.blocks[min(windows)], self.blocks[-1 if self.further else max(windows)]

    def hidden_rows(self) -> set[int]:
        """The rows that the sheet hides."""
        return {table.first_row + row for table in self.tables for row in table.hidden_rows}

    def hidden_columns(self) -> set[int]:
        """The columns that the sheet hides."""
        return {table.first_col + col for table in self.tables for col in table.hidden_cols}

    def spans(self, row: GridRow, most: int = MAX_ROWS) -> dict[int, int]:
        """First column → how many columns, of the merges in a row wider than one and at most `most` rows high."""
        tables = self.tables if self._beside else [self.tables[row.window]]
        return {
            table.first_col + merge.col: merge.cols
            for table in tables
            for merge in table.merges
            if table.first_row + merge.row == row.at and merge.cols > 1 and merge.rows <= most
        }


def _kind(text: str, cell: Cell | None) -> CellKind:
    if cell is None:
        return typed_text(text).kind
    return "number" if type(cell.value) in AMOUNTS else typed_cell(text, cell).kind


def sheet_grid(tables: Sequence[tuple[int, Table]]) -> Grid:
    """The grid of a sheet from its numbered blocks."""
    grid = Grid([], [_raised(table) for _, table in tables], [number for number, _ in tables], sheet=True)
    for window, table in enumerate(grid.tables):
        grid.rows += _rows(table, window, _filled(table))
    numbers = [row.at for row in grid.rows]
    if numbers != sorted(set(numbers)):  # blocks side by side
        grid.rows.sort(key=lambda row: (row.at, row.first))
        return Grid(_joined(grid.rows), grid.tables, grid.blocks, sheet=True, _beside=True)
    return grid


def table_grids(blocks: Sequence[tuple[int, AnyBlock]]) -> list[Grid]:
    """One grid a table of a text document; the windows of a long one together."""
    grids: list[Grid] = []
    for number, block in blocks:
        if not isinstance(block, Table) or not block.rows:
            continue
        block = _raised(block)  # noqa: PLW2901  # the table as it is read
        before = grids[-1] if grids else None
        if before is not None and block.first_row and before.blocks[-1] == number - 1:
            ends = before.tables[-1].first_row + len(before.tables[-1].rows)
            if ends == block.first_row:
                before.tables.append(block)
                before.blocks.append(number)
                before.rows += _rows(block, len(before.tables) - 1, _filled(block))
                continue
        grids.append(Grid(_rows(block, 0, _filled(block)), [block], [number], sheet=False))
    return grids


def continue_table(grid: Grid, part: int, name: str, tables: Sequence[tuple[int, Table]]) -> int:
    """How many of the first `tables` of the next part are the grid's table gone on; their rows become the grid's,
    without the header they say again."""
    taken: list[int] = []
    width = _width(grid.tables[-1])
    begin = grid.tables[-1].first_row + len(grid.tables[-1].rows)
    ends = begin
    for number, table in tables:
        apart = taken and number != taken[-1] + 1
        if apart or not table.first_row or table.first_row != ends or _width(table) != width:
            break
        body = _body(_raised(table))
        grid.tables.append(body)
        grid.rows += _rows(body, len(grid.tables) - 1, _filled(body))
        ends += len(body.rows)
        taken.append(number)
    if taken:
        grid.further.append(TablePart(part, name, taken[0], taken[-1], begin))
    return len(taken)


def _raised(table: Table) -> Table:
    """The table with digits that are set as superscripts written so: the note 2 behind 4 makes no 42."""
    raised = [
        (cell, places)
        for cell in table.cells
        if cell.spans and cell.row < len(table.rows) and cell.col < len(table.rows[cell.row])
        if (places := [(span.start, span.end) for span in cell.spans if span.kind == "sup" and span.start])
    ]
    if not raised:
        return table
    rows = [list(row) for row in table.rows]
    for cell, places in raised:
        rows[cell.row][cell.col] = with_raised(rows[cell.row][cell.col], places)
    return replace(table, rows=tuple(map(tuple, rows)))


def _width(table: Table) -> int:
    return max(map(len, table.rows), default=0)


def _body(table: Table) -> Table:
    """A table without its header, whose rows `first_row` does not count."""
    head = table.header_rows
    if not head:
        return table
    return replace(
        table,
        rows=table.rows[head:],
        header_rows=0,
        merges=tuple(replace(merge, row=merge.row - head) for merge in table.merges if merge.row >= head),
        cells=tuple(replace(cell, row=cell.row - head) for cell in table.cells if cell.row >= head),
        hidden_rows=tuple(row - head for row in table.hidden_rows if row >= head),
    )


def _rows(table: Table, window: int, rows: Sequence[Sequence[str]]) -> list[GridRow]:
    first, left = table.first_row, table.first_col
    found: list[GridRow] = []
    masks: dict[bytes, int] = {b"": 0}  # by which texts there are: rows are mostly filled alike
    computed: dict[int, int] = {}
    spread = rows is not table.rows
    for cell in table.cells:
        if cell.formula:
            computed[cell.row] = computed.get(cell.row, 0) | 1 << left + cell.col
    if rows and rows[0] and not computed and all(map(all, rows)) and len(set(map(len, rows))) == 1:
        full = (1 << len(rows[0])) - 1 << left
        return list(map(GridRow, count(first), repeat(left), rows, repeat(full), repeat(window)))
    for at, texts in enumerate(rows, first):
        filled = bytes(map(bool, texts))
        mask = masks.get(filled)
        if mask is None:
            mask = masks[filled] = _bits(filled) << left
        if spread:
            mask = _own(table.rows[at - first], mask, left)
        if computed:
            mask |= computed.get(at - first, 0)
        if mask:
            found.append(GridRow(at, left, texts, mask, window))
    return found


def _bits(filled: bytes) -> int:
    """The number whose lowest bit is the first byte, each of which is 0 or 1. Linear, as a sum of powers is not."""
    return int(filled[::-1].translate(_DIGITS), 2) if filled else 0


def _own(texts: Sequence[str], mask: int, left: int) -> int:
    """Which columns of a row have data, where merges from above may have filled some: a row has none that holds nothing
    else, or one word left of what they say, which is a heading."""
    own = _bits(bytes(map(bool, texts))) << left
    return own if not own & own - 1 and own < (mask ^ own or 1 << mask.bit_length()) else mask


def _filled(table: Table) -> Sequence[Sequence[str]]:
    """The rows with the text of every merge that is one column wide in each row it covers; wider ones name columns."""
    if not any(merge.rows > 1 for merge in table.merges):
        return table.rows
    rows = [list(row) for row in table.rows]
    for merge in table.merges:
        if merge.rows < 2 or merge.row >= len(rows) or merge.row < table.header_rows:
            continue
        source = rows[merge.row]
        text = source[merge.col] if merge.col < len(source) else ""
        for row in rows[merge.row + 1 : merge.row + merge.rows]:
            row.extend([""] * (merge.col + 1 - len(row)))
            row[merge.col] = row[merge.col] or text
    return rows


def _joined(rows: Sequence[GridRow]) -> list[GridRow]:
    """Rows of blocks side by side put into one, where they are no further apart than `_MAX_GAP`; the first block's
    window stays theirs."""
    found: list[GridRow] = []
    for row in rows:
        if found and found[-1].at == row.at:
            before = found[-1]
            gap = row.first - before.first - len(before.texts)
            if 0 <= gap <= _MAX_GAP:
                texts = [*before.texts, *[""] * gap, *row.texts]
                found[-1] = before._replace(texts=texts, mask=before.mask | row.mask)
                continue
        found.append(row)
    return found


@dataclass
class GridRegion:
    """Rows of a grid and the first and last of their columns; `title` is the text that stood alone above."""

    rows: list[GridRow]
    left: int
    right: int
    title: str = ""
    beyond: int = 0
    """Columns of the sheet that would follow, had they not been cut off."""

    @property
    def width(self) -> int:
        """How many columns it covers."""
        return self.right - self.left + 1

    @property
    def columns(self) -> range:
        """Its columns on the grid."""
        return range(self.left, self.right + 1)

    def mask(self, row: GridRow) -> int:
        """Which of the region's columns have data in that row, as bits from its left."""
        return row.mask >> self.left & (1 << self.width) - 1

    def declared(self, table: Table) -> int:
        """How many of its rows are heading rows of the table, whose blank ones are in no region."""
        end = table.first_row + table.header_rows
        return sum(row.at < end for row in self.rows[: table.header_rows])


def region_of(rows: Sequence[GridRow], left: int = 0, right: int = MAX_COLS) -> GridRegion | None:
    """The rows that have data from column `left` to `right`, as wide as those data; None where there are none."""
    within = (1 << right + 1) - (1 << left)
    rows = [row for row in rows if row.mask & within]
    mask = 0
    for row in rows:
        mask |= row.mask & within
    return GridRegion(rows, (mask & -mask).bit_length() - 1, mask.bit_length() - 1) if rows else None


def runs_of(mask: int) -> list[tuple[int, int]]:
    """First and last bit of every run of ones."""
    runs: list[tuple[int, int]] = []
    at = 0
    while mask:
        skip = (mask & -mask).bit_length() - 1
        mask >>= skip
        length = (~mask & mask + 1).bit_length() - 1
        runs.append((at + skip, at + skip + length - 1))
        mask >>= length
        at += skip + length
    return runs


class Strips:
    """Regions by strips of columns, so that what is beside one is found without looking at all: a row of a sheet may
    have 8,000 of them."""

    def __init__(self) -> None:
        self._strips: dict[int, list[GridRegion]] = {}
        self._order: dict[int, int] = {}

    def add(self, region: GridRegion) -> None:
        """The last of all."""
        self._order[id(region)] = len(self._order)
        for strip in range(region.left // _STRIP, region.right // _STRIP + 1):
            self._strips.setdefault(strip, []).append(region)

    def widen(self, region: GridRegion, right: int) -> None:
        """A region there is goes as far as that column now."""
        for strip in range(region.right // _STRIP + 1, right // _STRIP + 1):
            self._strips.setdefault(strip, []).append(region)
        region.right = max(region.right, right)

    def beside(self, region: GridRegion, is_near: Callable[[GridRegion], bool]) -> list[GridRegion]:
        """Those that are near in its columns, or the ones next to them, in order; what is not is forgotten, for the
        regions that come begin no higher."""
        strips = range((region.left - 1) // _STRIP, (region.right + 1) // _STRIP + 1)
        for strip in strips:
            if strip in self._strips:
                self._strips[strip] = [one for one in self._strips[strip] if is_near(one)]
        found = {id(one): one for strip in strips for one in self._strips.get(strip, ())}
        return sorted(found.values(), key=lambda one: self._order[id(one)])
