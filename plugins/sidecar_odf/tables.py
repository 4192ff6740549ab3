"""OpenDocument tables (§9) as grids: repeats written out within reason, spans as merges, nested tables kept."""

import re

from msgspec.structs import replace

from sidecar.api import AnyBlock, Cell, Merge, Paragraph, Span, Table
from sidecar.toolkit.markup.grid import cell_content, laid_out, table_windows
from sidecar.toolkit.visible import spans_cover
from sidecar.toolkit.xml import XmlElement, count_of
from sidecar_odf.frames import FrameReader
from sidecar_odf.names import TABLE, TEXT

_COUNTED = re.compile(r"\S*[\d_]\S*")
"""The names that programs give to tables ("Table3", "Tbl_Records"); no reader sees them."""
_LOOKED_AT = 2
"""Rows whose weight says whether the first one is a heading."""
_MAX_COLUMNS = 1000
_MAX_ROWS = 20_000
_MAX_REPEATED = 2_000
"""Cells a repeated row is written out to: a few bytes may say millions."""


def read_table(node: XmlElement, story: FrameReader) -> list[AnyBlock]:
    """The table in windows, then the pictures and notes that stood in its cells."""
    grid = _Grid(story)
    head = 0
    for row, is_head in _rows(node):
        grid.add(row)
        head += is_head
        if len(grid.rows) >= _MAX_ROWS:
            break
    rows, merges, rich, loose = grid.rows, grid.merges, grid.rich, grid.loose
    nested = {cell.row for cell in rich if cell.table}
    kept = max((merge.row + merge.rows for merge in merges), default=0)
    while len(rows) > kept and not any(rows[-1]) and len(rows) - 1 not in nested:
        rows.pop()
    if (bare := _bare(rows, grid.content, loose, nested=bool(nested))) is not None:
        return bare
    fitting = [Merge(m.row, m.col, min(m.rows, len(rows) - m.row), m.cols) for m in merges if m.row < len(rows)]
    name = node.get(f"{TABLE}name") or ""
    name = "" if _COUNTED.fullmatch(name) else name
    head = head or int(_is_headed(rows, grid.bold))
    tables = table_windows(
        rows, header_rows=min(head, len(rows)), merges=fitting, cells=[cell for cell in rich if cell.row < len(rows)],
        name=name,
    )  # fmt: skip
    return [*tables, *loose]


class _Grid:
    """Rows as they are read, with what their cells hold beyond a text, and which of the first are bold."""

    def __init__(self, story: FrameReader) -> None:
        self._story = story
        self.rows: list[list[str]] = []
        self.merges: list[Merge] = []
        self.rich: list[Cell] = []
        self.loose: list[AnyBlock] = []
        self.content: list[list[AnyBlock]] = []
        """The blocks of each cell."""
        self.bold: list[list[bool]] = []
        self._is_flat = False

    def add(self, row: XmlElement) -> None:
        """Read a row, as often as it repeats."""
        number, line = len(self.rows), list[str]()
        self._is_flat = self._story.styles.is_flat_row(row.get(f"{TABLE}style-name") or "")
        self.bold.append([])
        for cell in row:
            if cell.tag == f"{TABLE}table-cell":
                self._cell(cell, line)
            elif cell.tag == f"{TABLE}covered-table-cell":
                if len(cell):
                    self._covered(cell)
                line.extend([""] * _repeated(cell, line))
        filled = max((cell.col + 1 for cell in self.rich if cell.row == number and cell.table), default=0)
        while len(line) > filled and not line[-1] and not any(merge.row == number for merge in self.merges):
            line.pop()  # blank cells repeated to the page's edge
        repeat = count_of(row.get(f"{TABLE}number-rows-repeated"))
        fits = min(_MAX_ROWS - number, max(_MAX_REPEATED // max(len(line), 1), 1))
        again = self._story.repeats.take((min(repeat, fits) - 1) * len(line)) // len(line) if any(line) else 0
        self.rows.extend([line] * (1 + again))

    def _covered(self, cell: XmlElement) -> None:
        """What a merge covers: LibreOffice keeps such text and never shows it."""
        text, _, _, _ = _content(cell, self._story, self.loose, is_flat=True)
        if text.strip():
            self.loose.append(Paragraph(text=text.strip(), page=self._story.page, hidden=True))

    def _cell(self, cell: XmlElement, line: list[str]) -> None:
        number, repeat = len(self.rows), _repeated(cell, line)
        text, spans, inner, whole = _content(cell, self._story, self.loose, is_flat=self._is_flat)
        self.content.append(whole)
        if number < _LOOKED_AT and text:
            self.bold[-1].append(_is_bold(cell, text, spans, self._story))
        wide, tall = (count_of(cell.get(f"{TABLE}number-{way}-spanned")) for way in ("columns", "rows"))
        if wide > 1 or tall > 1:
            self.merges.append(Merge(number, len(line), tall, min(wide, _MAX_COLUMNS)))
        if spans or inner:
            self.rich.append(Cell(number, len(line), spans=spans, table=inner))
        line.extend([text] * (1 + self._story.repeats.take(repeat - 1) if text and repeat else repeat))


def _repeated(cell: XmlElement, line: list[str]) -> int:
    return min(count_of(cell.get(f"{TABLE}number-columns-repeated")), _MAX_COLUMNS - len(line))


def _bare(
    rows: list[list[str]], content: list[list[AnyBlock]], loose: list[AnyBlock], *, nested: bool
) -> list[AnyBlock] | None:
    """What stands in a table that is none: without words, with one cell around them, or with cells around tables."""
    if not nested and not any(map(any, rows)):
        return loose
    inside = content[0] if not nested and len(rows) == len(rows[0]) == 1 else laid_out(content)
    if inside is None:
        return None
    placed = set(map(id, inside))
    return [*inside, *(block for block in loose if id(block) not in placed)]


def _is_bold(cell: XmlElement, text: str, spans: tuple[Span, ...], story: FrameReader) -> bool:
    """Whether all words of a cell are bold, by themselves or by the style of their paragraphs."""
    paragraphs = [node for node in cell if node.tag == f"{TEXT}p"]
    styled = ("bold" in story.styles.spans("paragraph", node.get(f"{TEXT}style-name") or "") for node in paragraphs)
    return spans_cover(spans, text, "bold") or (bool(paragraphs) and all(styled))


def _is_headed(rows: list[list[str]], bold: list[list[bool]]) -> bool:
    """Whether the first row is told from the others by being bold, and names the columns: one bold title over a table
    does not, nor do the labels of a form."""
    return len(bold) > 1 and len(bold[0]) > 1 and all(bold[0]) and not all(bold[1]) and all(rows[0][1:])


def _rows(node: XmlElement) -> list[tuple[XmlElement, bool]]:
    found: list[tuple[XmlElement, bool]] = []
    for child in node:
        if child.tag == f"{TABLE}table-row":
            found.append((child, False))
        elif child.tag == f"{TABLE}table-header-rows":
            found += [(row, True) for row in child if row.tag == f"{TABLE}table-row"]
        elif child.tag in (f"{TABLE}table-row-group", f"{TABLE}table-rows"):
            found += _rows(child)
    return found


def _content(
    cell: XmlElement, story: FrameReader, loose: list[AnyBlock], *, is_flat: bool
) -> tuple[str, tuple[Span, ...], Table | None, list[AnyBlock]]:
    """The text of a cell with its spans, the table in it, and all its blocks; what is not text joins `loose`."""
    inner = story.inner("table-cell", cell.get(f"{TABLE}style-name") or "")
    inner.content(cell)
    if is_flat:
        inner.blocks[:] = [replace(block, hidden=True) for block in inner.blocks]
    # One lone item is how presentations write a plain cell.
    text, spans, nested, more = cell_content(inner.blocks, markers=len(inner.blocks) > 1 or story.page is None)
    loose += more
    return text, spans, nested, inner.blocks
