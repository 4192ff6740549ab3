"""The cells of a sheet or a range of one, by their place, as far as there is room for them; written by `sheets`.

The caller hands in the blocks that touch the range, in order; reading them piecemeal is its business. A sheet may have
two cells a million rows apart: only what is in use is kept, and no view is built larger than the grid's room."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from sidecar.api import AnyBlock, Cell, Figure, Merge, Note, Table
from sidecar.store.documents.records import PartRecord
from sidecar.toolkit.cell_references import CellRange, parse_range
from sidecar.toolkit.visible import NOTHING, HiddenCount, is_empty, left_out, visible
from sidecar.views.blocks.tables import cell_text, covered_text, is_blank, merge_repeat

_CELL_CHARS, _ROW_CHARS = 3, 6
"""What Markdown puts around a cell and a row; a cell of CSV or JSON has less."""
_PADDING = 2
"""Empty cells between the others may take as much room again as the text."""
_MAX_MERGED_ROWS, _MAX_MERGED_COLUMNS = 4096, 256
"""How many rows and columns of one merged region are marked as covered."""
_MAX_MERGED_CELLS = 50_000
"""How many covered cells are marked in one view."""


@dataclass
class SheetRange:
    """The cells of a range, by absolute 0-based row and column. `rows` holds only rows that have something in them."""

    area: CellRange
    max_chars: int
    rows: dict[int, dict[int, str]] = field(default_factory=dict[int, dict[int, str]])
    details: dict[tuple[int, int], Cell] = field(default_factory=dict[tuple[int, int], Cell])
    merges: list[tuple[CellRange, str | None]] = field(default_factory=list[tuple[CellRange, "str | None"]])
    """Merged regions, with what the cells they cover repeat; None for one without words, of which nothing is shown."""
    merged: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    """Covered cells of `rows`, as they are shown."""
    hidden_rows: set[int] = field(default_factory=set[int])
    hidden_cols: set[int] = field(default_factory=set[int])
    names: list[tuple[str, CellRange]] = field(default_factory=list[tuple[str, CellRange]])
    others: list[AnyBlock] = field(default_factory=list[AnyBlock])
    """Notes on shown cells, figures and whatever else stands on the sheet."""
    cut_at: int | None = None
    """The first row left out for want of room, None when all of the area is here."""
    asked: CellRange | None = None
    """The area as it was asked for; `area` shrinks to what is in use."""
    hidden: bool = False
    """Text hidden from readers is in it."""
    left_out: HiddenCount = NOTHING
    """What of such text is not."""
    uri: str = ""
    """Where the same range is read with it."""
    columns: Sequence[tuple[int, str]] = ()
    """Of a range that begins below the heading row of a table: its columns, and what that row calls them."""

    def next_row(self, part: PartRecord) -> int | None:
        """The row to go on with: after a cut, or after a range of several rows that ends before the sheet does."""
        if self.cut_at is not None or self.asked is None:
            return self.cut_at
        more = self.asked.bottom > self.asked.top and self.asked.bottom + 1 < part.rows
        return self.asked.bottom + 1 if more else None


def grid(
    blocks: Iterable[AnyBlock], area: CellRange, max_chars: int, *, whole: bool, hidden: bool = False
) -> SheetRange:
    """The cells of `area`, rows from the top until their text passes `max_chars`; at least one row.

    `whole` says that the area is the sheet itself: notes and figures without a cell in it then belong to the view.
    `hidden` keeps text that readers do not see, else it is counted."""
    found = SheetRange(area, max_chars, asked=area, hidden=hidden)
    room = max_chars
    for stored in blocks:
        block = stored if hidden else visible(stored)
        if block is not stored and found.cut_at is None:
            found.left_out = found.left_out.plus(_missing(stored, block, area))
        if is_empty(block):
            continue
        if not isinstance(block, Table):
            cells = cells_of(block)
            if whole or (cells is not None and cells.meets(area)):
                found.others.append(block)
        elif found.cut_at is None:
            room = _add(found, block, room)
    if found.cut_at is not None:
        _truncate(found, found.cut_at)  # rows of side-by-side tables may lie below the cut
    _fit(found, dense=False)
    return found


def _missing(stored: AnyBlock, shown: AnyBlock, area: CellRange) -> HiddenCount:
    """What of a block's hidden text lies in the area."""
    if not isinstance(stored, Table) or not isinstance(shown, Table):
        return left_out(stored, shown)
    rows = slice(max(area.top - stored.first_row, 0), max(area.bottom - stored.first_row + 1, 0))
    columns = slice(max(area.left - stored.first_col, 0), max(area.right - stored.first_col + 1, 0))
    both = [msgspec.structs.replace(one, rows=tuple(row[columns] for row in one.rows[rows])) for one in (stored, shown)]
    return left_out(both[0], both[1])


def _add(found: SheetRange, table: Table, room: int) -> int:
    """Put the table's cells that lie in the area into the grid; gives the room that is left."""
    area = found.area
    details: defaultdict[int, list[Cell]] = defaultdict(list)
    for cell in table.cells:
        details[cell.row].append(cell)
    top, left = table.first_row, table.first_col
    first = max(area.top - top, 0)
    for r, texts in enumerate(table.rows[first : max(area.bottom - top + 1, 0)], first):
        row = top + r
        cells = {col: text for col, text in enumerate(texts, left) if text and area.left <= col <= area.right}
        inside = [cell for cell in details[r] if area.left <= left + cell.col <= area.right and cell.col < len(texts)]
        for cell in inside:
            cells.setdefault(left + cell.col, cell_text("", cell))
        if not cells:
            continue
        cost = sum(map(len, cells.values())) + _CELL_CHARS * len(cells) + _ROW_CHARS
        if cost > room and found.rows:
            found.cut_at = row
            break
        room -= cost
        found.rows.setdefault(row, {}).update(cells)
        found.details.update(((row, left + cell.col), cell) for cell in inside)
    found.hidden_rows.update(top + r for r in table.hidden_rows if area.top <= top + r <= area.bottom)
    found.hidden_cols.update(left + c for c in table.hidden_cols if area.left <= left + c <= area.right)
    for merge in table.merges:
        _merge(found, table, merge)
    name = table.name or table.caption
    if name and table.rows and name not in {known for known, _ in found.names}:
        width = max(len(row) for row in table.rows)
        found.names.append((name, CellRange(top, left, top + len(table.rows) - 1, left + max(width, 1) - 1)))
    return room


def _merge(found: SheetRange, table: Table, merge: Merge) -> None:
    top, left = table.first_row + merge.row, table.first_col + merge.col
    whole = CellRange(top, left, top + merge.rows - 1, left + merge.cols - 1)
    if whole.meets(found.area):
        found.merges.append((whole, None if is_blank(table, merge) else merge_repeat(table, merge)))


def _covered(found: SheetRange) -> dict[tuple[int, int], str]:
    """(row, col) → what a cell of a shown row that a merged region covers shows."""
    area = found.area
    covered: dict[tuple[int, int], str] = {}
    for region, repeated in found.merges:
        if repeated is None:
            continue
        low, high = max(region.top, area.top), min(region.bottom, area.bottom, region.top + _MAX_MERGED_ROWS)
        columns = range(
            max(region.left, area.left), min(region.right, area.right, region.left + _MAX_MERGED_COLUMNS) + 1
        )
        if len(covered) > _MAX_MERGED_CELLS:
            break
        for row in range(low, high + 1):
            if row in found.rows:
                covered |= {(row, col): covered_text(row == region.top, repeated) for col in columns}
        covered.pop((region.top, region.left), None)
    return covered


def _fit(found: SheetRange, *, dense: bool) -> None:
    """Cut the grid where a table of it, empty cells counted (`dense`: empty rows too), would need much more than
    `max_chars`, and shrink its area to what is in use. At least one row stays; emptiness above it may go."""
    left = found.area.left if dense else min((min(cells) for cells in found.rows.values()), default=0)
    top, right, chars = found.area.top, left, 0
    for count, row in enumerate(sorted(found.rows), 1):
        cells = found.rows[row]
        chars += sum(map(len, cells.values()))
        right = max(right, *cells)
        width = right - left + 1
        if dense and count == 1 and (row - top) * width > found.max_chars:
            top = row
        size = (row - top + 1) * width if dense else count * width * _CELL_CHARS
        if count > 1 and chars + size > found.max_chars * _PADDING:
            found.cut_at = row
            _truncate(found, row)
            break
    found.merged = _covered(found)
    if found.rows:
        columns = [max(cells) for cells in found.rows.values()] + [col for _, col in found.merged]
        right = min(found.area.right, max(columns))
        found.area = CellRange(top, found.area.left, max(found.rows), right)


def dense(found: SheetRange) -> SheetRange:
    """The grid for a view that keeps every position: as many rows as fit with the empty ones between them."""
    fitted = replace(found, rows=dict(found.rows))
    _fit(fitted, dense=True)
    return fitted


def _truncate(found: SheetRange, row: int) -> None:
    """Leave out that row and what lies below it."""
    for below in [known for known in found.rows if known >= row]:
        del found.rows[below]
    found.details = {key: cell for key, cell in found.details.items() if key[0] < row}
    found.merges = [merge for merge in found.merges if merge[0].top < row]
    found.hidden_rows = {hidden for hidden in found.hidden_rows if hidden < row}


def matrix(found: SheetRange) -> list[list[str]]:
    """Every row of the area down to the last that holds something, padded to one width: positions stay true."""
    if not found.rows:
        return []
    columns = range(found.area.left, found.area.right + 1)
    empty: dict[int, str] = {}
    return [
        [found.rows.get(row, empty).get(col, "") for col in columns]
        for row in range(found.area.top, found.area.bottom + 1)
    ]


def used_columns(found: SheetRange) -> Sequence[int]:
    """From the first column in use to the last."""
    used = {col for cells in found.rows.values() for col in cells} | {col for _, col in found.merged}
    return range(min(used), max(used) + 1)


def cells_of(block: AnyBlock) -> CellRange | None:
    """The cells that a note is about or that a figure lies over; None where it is about none."""
    where = block.target if isinstance(block, Note) else block.anchor if isinstance(block, Figure) else ""
    return parse_range(where.rpartition("!")[2])
