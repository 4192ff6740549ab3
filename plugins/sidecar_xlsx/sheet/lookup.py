"""Looks values and words up in the finished `Table` blocks of a workbook: for charts without caches, for the text
around a drawing, and for captions beside it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sidecar.api import Table
from sidecar.toolkit.captions import Caption, match_caption
from sidecar.toolkit.cell_references import CellRange
from sidecar.toolkit.visible import visible
from sidecar_xlsx.cells.references import sheet_ranges

_MAX_POINTS = 100_000


@dataclass(frozen=True)
class ChartCells:
    """The sheets' tables by lower-case sheet name."""

    sheets: Mapping[str, Sequence[Table]]

    def values(self, formula: str) -> list[str | float | None]:
        """The cells of `Sheet1!$A$1:$A$9` in row order: numbers where they are numbers, else shown text."""
        found: list[str | float | None] = []
        for sheet, named in sheet_ranges(formula):
            tables = self.sheets.get(sheet.lower(), ())
            bottom = max((table.first_row + len(table.rows) - 1 for table in tables), default=-1)
            right = max((_right(table) for table in tables), default=-1)
            area = CellRange(named.top, named.left, min(named.bottom, bottom), min(named.right, right))
            size = (area.bottom - area.top + 1) * (area.right - area.left + 1)
            if area.bottom < area.top or area.right < area.left or len(found) + size > _MAX_POINTS:
                continue
            found.extend(self._area(tables, area))
        return found

    def _area(self, tables: Sequence[Table], area: CellRange) -> list[str | float | None]:
        width = area.right - area.left + 1
        values: list[str | float | None] = [None] * ((area.bottom - area.top + 1) * width)
        for table in tables:
            top, left = table.first_row, table.first_col
            for row in range(max(area.top, top), min(area.bottom, top + len(table.rows) - 1) + 1):
                texts = table.rows[row - top]
                for col in range(max(area.left, left), min(area.right, left + len(texts) - 1) + 1):
                    text = texts[col - left]
                    if text:
                        values[(row - area.top) * width + col - area.left] = _number(text)
            for cell in table.cells:
                row, col = cell.row + top, cell.col + left
                inside = area.holds(row, col)
                if inside and isinstance(cell.value, int | float) and not isinstance(cell.value, bool):
                    values[(row - area.top) * width + col - area.left] = float(cell.value)
        return values


def _right(table: Table) -> int:
    return table.first_col + max((len(row) for row in table.rows), default=0) - 1


def _number(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


class SeenTables:
    """The tables of a sheet; their rows without hidden text, taken out once for all that asks for them."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tables
        self._rows: dict[int, tuple[tuple[str, ...], ...]] = {}

    def rows(self, table: Table) -> tuple[tuple[str, ...], ...]:
        """The rows of one of them."""
        rows = self._rows.get(id(table))
        if rows is None:
            shown = visible(table)
            rows = self._rows[id(table)] = shown.rows if isinstance(shown, Table) else ()
        return rows


def words_around(tables: SeenTables, area: CellRange | None, most: int) -> str:
    """The words of the rows a drawing stands in and of the few above and below, up to `most` characters."""
    if area is None:
        return ""
    pieces: list[str] = []
    for _, texts in _rows_near(tables, area.top - 3, min(area.bottom, area.top + 40) + 3):
        line = " | ".join(text for text in texts if text)
        if line:
            pieces.append(line)
            if sum(map(len, pieces)) > most:
                break
    return "\n".join(pieces)[:most]


def caption_beside(tables: SeenTables, area: CellRange | None) -> Caption | None:
    """The caption in a cell right above or right below a drawing."""
    if area is None:
        return None
    for top, bottom in ((area.bottom, area.bottom + 2), (area.top - 2, area.top)):
        for first, texts in _rows_near(tables, top, bottom):
            for col, text in enumerate(texts, first):
                if text and len(text) < 500 and area.left - 2 <= col <= area.right + 1:
                    caption = match_caption(text)
                    if caption is not None and caption.type != "table":
                        return caption
    return None


def _rows_near(tables: SeenTables, top: int, bottom: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    for table in tables.tables:
        if table.first_row <= bottom and table.first_row + len(table.rows) > top:
            for row in tables.rows(table)[max(top - table.first_row, 0) : bottom - table.first_row + 1]:
                yield table.first_col, row


def table_caption(tables: SeenTables, table: Table) -> Caption | None:
    """The caption a table's own first row is ("Table 5: Sales" alone in its row), or that of the row above it."""
    rows = [texts for _, texts in _rows_near(tables, table.first_row - 2, table.first_row)]
    for texts in reversed(rows):
        words = [text for text in texts if text]
        if len(words) == 1 and len(words[0]) < 500:
            caption = match_caption(words[0])
            if caption is not None and caption.type == "table":
                return caption
    return None


def table_words(tables: SeenTables, chosen: Sequence[Table], most: int) -> str:
    """The text of the `chosen` of the tables, row by row, up to `most` characters."""
    pieces: list[str] = []
    size = 0
    for table in chosen:
        for row in tables.rows(table):
            line = " | ".join(text for text in row if text)
            if line:
                pieces.append(line)
                size += len(line) + 1
                if size > most:
                    return "\n".join(pieces)[:most]
    return "\n".join(pieces)[:most]
