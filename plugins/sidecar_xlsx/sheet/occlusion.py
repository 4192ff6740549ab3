"""Which cells stand wholly under an opaque picture, a filled shape or the first cell of a merged area, and are not
seen: their texts are flagged. Which pictures and shapes there are is `drawings`' business."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from sidecar.api import Cell, Span, Table
from sidecar.toolkit.cell_references import CellRange
from sidecar.toolkit.ooxml.hidden_text import HiddenText, is_solid_part
from sidecar.toolkit.ooxml.package import Package
from sidecar_xlsx.sheet.drawings import SheetDrawing


def flag_occluded(
    package: Package,
    tables: Sequence[Table],
    drawn: Iterable[SheetDrawing],
    found: HiddenText,
    merges: Iterable[CellRange] = (),
) -> tuple[Table, ...]:
    """The tables, with the texts of cells under opaque pictures flagged, and counted in `found`. `merges` are those of
    the sheet, which may reach beyond its tables: a logo on the first cell of a merged title leaves that to be seen."""
    pictures = [(item.covered, item.ref) for item in drawn if item.covered is not None and not item.hidden]
    merged = [[*_under_merges(table)] for table in tables]
    if not pictures and not any(merged):
        return tuple(tables)
    covered = [
        area for area, ref in pictures
        if any(_has_text(table, area) for table in tables) and (not ref or is_solid_part(package, ref))
    ]  # fmt: skip
    ends = {(area.top, area.left): (area.bottom, area.right) for area in merges} if covered else {}
    return tuple(_flagged(table, [*own, *covered], ends, found) for table, own in zip(tables, merged, strict=True))


def _under_merges(table: Table) -> Iterator[CellRange]:
    """The cells of merged areas that their first one stands over, of those areas that hold words there."""
    for merge in table.merges:
        top, left = table.first_row + merge.row, table.first_col + merge.col
        bottom, right = top + merge.rows - 1, left + merge.cols - 1
        if merge.cols > 1 and _has_text(table, beside := CellRange(top, left + 1, top, right)):
            yield beside
        if merge.rows > 1 and _has_text(table, below := CellRange(top + 1, left, bottom, right)):
            yield below


def _has_text(table: Table, area: CellRange) -> bool:
    rows = table.rows[max(area.top - table.first_row, 0) : max(area.bottom - table.first_row + 1, 0)]
    columns = slice(max(area.left - table.first_col, 0), max(area.right - table.first_col + 1, 0))
    return any(text.strip() for row in rows for text in row[columns])


def _flagged(
    table: Table, covered: Sequence[CellRange], ends: Mapping[tuple[int, int], tuple[int, int]], found: HiddenText
) -> Table:
    """`ends` are where merged cells end, by where they begin."""
    bottom, right = table.first_row + len(table.rows) - 1, table.first_col + max(map(len, table.rows), default=0) - 1
    whole = CellRange(table.first_row, table.first_col, bottom, right)
    meeting = [area for area in covered if area.meets(whole)]
    if not meeting:
        return table
    cells = {(cell.row, cell.col): cell for cell in table.cells}
    for area in meeting:
        for row in range(max(area.top, whole.top), min(area.bottom, bottom) + 1):
            texts = table.rows[row - whole.top]
            for col in range(max(area.left, whole.left), min(area.right, whole.left + len(texts) - 1) + 1):
                text = texts[col - whole.left]
                place = row - whole.top, col - whole.left  # a cell is counted from its table's corner
                cell = cells.get(place) or Cell(*place)
                span = Span("hidden", 0, len(text))
                last = ends.get((row, col), (row, col))
                if text.strip() and span not in cell.spans and area.holds(*last):
                    cells[place] = replace(cell, spans=(*cell.spans, span))
                    found.add("place")
    return replace(table, cells=tuple(cells[key] for key in sorted(cells)))
