"""What is exported, between the serving process and the worker, and what the writers share: blocks, rows, sources.
Pictures as Word and PowerPoint take them: PNG, JPEG and GIF as they are, others as PNG."""

import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from sidecar.api import AnyBlock, Cell, ParsedDocument, Part, Scalar, Table
from sidecar.toolkit.text.strings import NO_XML
from sidecar_render.model import LoadedPicture

_TAKEN = ("PNG", "JPEG", "GIF")


@dataclass(frozen=True)
class Usable:
    """A picture that can be put in, with its size in pixels."""

    data: bytes
    width: int
    height: int


def usable(picture: LoadedPicture | None) -> Usable | None:
    """The picture; None where there is none, or nobody can draw it."""
    if picture is None or not picture.data:
        return None
    from PIL import Image, UnidentifiedImageError  # not where clients are served

    try:
        with Image.open(io.BytesIO(picture.data)) as image:
            if image.format in _TAKEN:
                return Usable(picture.data, image.width, image.height)
            out = io.BytesIO()
            image.convert("RGBA").save(out, "PNG")
            return Usable(out.getvalue(), image.width, image.height)
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None


OfficeFormat = Literal["DOCX", "XLSX", "PPTX", "CSV"]
Value = str | int | float | bool | date | datetime | None

_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?")
"""Numbers as programs write them; "007" and "1.234,5" are texts."""
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?")
_DECIMALS = 4
_TYPED = frozenset(("number", "money", "percent", "date", "datetime"))
FORMATS = {"percent": "0.0%", "money": "#,##0.00"}
"""How numbers of a column of that type are shown where nothing else says so."""


@dataclass(frozen=True)
class ValueTable:
    """A table of values. `types` are those of the columns where they are known ("number", "date", "text", …), else
    "". `formats` are number formats of single cells by (row, column), 0-based below the headings."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    types: tuple[str, ...] = ()
    formats: Mapping[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    totals: bool = False
    """Whether a row of totals is to follow."""


@dataclass(frozen=True)
class Cited:
    """A source: what it is, its URI in the library, the address of its file, and where in it ("page 3")."""

    title: str
    uri: str
    link: str = ""
    place: str = ""


@dataclass(frozen=True)
class Section:
    """Blocks as the index holds them (see `api.decode_blocks`), under a heading of their own where `title` is given.
    `doc` addresses their pictures; `area` keeps only a range of a sheet ("A1:F40")."""

    title: str
    doc: str
    segments: tuple[bytes, ...]
    area: str = ""
    markdown: str = ""
    """The text of what is no whole part, in place of segments."""


@dataclass(frozen=True)
class Export:
    """One file to make: of Markdown, of stored sections, of rows, or several of them, in that order."""

    form: OfficeFormat
    title: str = ""
    markdown: str = ""
    sections: tuple[Section, ...] = ()
    rows: tuple[ValueTable, ...] = ()
    sources: tuple[Cited, ...] = ()
    pictures: Mapping[str, LoadedPicture] = field(default_factory=dict[str, LoadedPicture])
    contents: bool = True
    """Whether a Word file begins with a table of contents."""
    remarks: tuple[str, ...] = ()
    """What is to be said of it."""


@dataclass
class Content:
    """What the writers write: blocks in order, or rows."""

    title: str
    author: str = ""
    blocks: list[AnyBlock] = field(default_factory=list[AnyBlock])
    rows: tuple[ValueTable, ...] = ()
    sources: tuple[Cited, ...] = ()
    pictures: Mapping[str, LoadedPicture] = field(default_factory=dict[str, LoadedPicture])
    contents: bool = True
    remarks: list[str] = field(default_factory=list[str])


def clean(text: str) -> str:
    """The text without what XML cannot hold."""
    return NO_XML.sub("\ufffd", text)


def _typed(text: str, cell: Cell | None) -> Value:
    """The value of a table's cell: the one the document holds, else the number its text plainly is, else its text."""
    value: Scalar = cell.value if cell is not None else None
    if isinstance(value, str) and _ISO.fullmatch(value):
        at = datetime.fromisoformat(value)
        return at.date() if len(value) == 10 else at.replace(tzinfo=None)
    if isinstance(value, int | float):
        return value if isinstance(value, int) or math.isfinite(value) else text
    if _PLAIN_NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text


def _format_value(value: Value, kind: str = "") -> str:
    """A value as a text of a report has it: amounts and shares of a column of that `kind` as sheets show them, binary
    fractions without their noise, and four decimals of long ones."""
    if kind in FORMATS and isinstance(value, int | float):
        return f"{value:,.2f}" if kind == "money" else f"{value:.1%}"
    if not isinstance(value, float):
        return "" if value is None else str(value)
    text = f"{value:.15g}"
    if "e" in text or len(text.partition(".")[2]) <= _DECIMALS:
        return text
    return f"{value:.{_DECIMALS}f}" if abs(value) >= 1 else f"{value:.{_DECIMALS}g}"


def as_table(rows: ValueTable) -> Table:
    """Rows of values as a table of texts."""
    heads = (tuple(rows.columns),) if any(rows.columns) else ()
    types = (*rows.types, *[""] * max(map(len, rows.rows), default=0))
    return Table(rows=(*heads, *(tuple(map(_format_value, row, types)) for row in rows.rows)), header_rows=len(heads))


def as_rows(tables: Sequence[Table], title: str) -> ValueTable:
    """Windows of one table, one below the other, as rows of values."""
    left = min(table.first_col for table in tables)
    top = tables[0].first_row
    width = max(table.first_col - left + max(map(len, table.rows), default=0) for table in tables)
    grid: list[list[Value]] = []
    formats: dict[tuple[int, int], str] = {}
    heads = min(tables[0].header_rows, 1)
    for table in tables:
        at = table.first_row - top if table.first_row - top >= len(grid) else len(grid)
        while len(grid) < at:
            grid.append([None] * width)
        details = {(cell.row, cell.col): cell for cell in table.cells}
        for r, row in enumerate(table.rows):
            values: list[Value] = [None] * width
            for c, text in enumerate(row):
                cell = details.get((r, c))
                if (text or cell is not None) and not _is_hidden(text, cell):
                    values[table.first_col - left + c] = _typed(text, cell)
                if cell is not None and cell.format:
                    formats[at + r - heads, table.first_col - left + c] = cell.format
            grid.append(values)
    if heads and not any(table.cells for table in tables):
        _type_columns(grid, formats, tables)
    columns = tuple("" if value is None else str(value) for value in grid[0]) if heads else ()
    return ValueTable(title, columns, tuple(map(tuple, grid[heads:])), formats=formats)


def _type_columns(grid: list[list[Value]], formats: dict[tuple[int, int], str], tables: Sequence[Table]) -> None:
    """Numbers, amounts, shares and days of tables whose cells are texts, as their columns are written."""
    # Here: the serving process knows what an export is, and finds no tables.
    from sidecar.toolkit.tables.cells import Unread, converter
    from sidecar.toolkit.tables.finding import find_relations
    from sidecar.toolkit.tables.numbers import currency_in, is_currency

    found = find_relations(ParsedDocument(parts=(Part(kind="chapter", blocks=tuple(tables)),)))
    for column in found[0].columns if len(found) == 1 else ():
        convert = converter(column)
        # What the heading names ("Umsatz (EUR)") is not said again in each cell.
        unit = f" [${column.unit}]" if is_currency(column.unit) and not currency_in(column.title) else ""
        for at, row in enumerate(grid[1:] if column.type in _TYPED else ()):
            value = row[column.col] if column.col < len(row) else None
            known = convert(value, None) if isinstance(value, str) else None
            if known is not None and not isinstance(known, Unread):
                row[column.col] = value = _typed("", Cell(0, 0, known))
            if isinstance(value, int | float):
                formats[at, column.col] = FORMATS.get(column.type, "") + unit


def _is_hidden(text: str, cell: Cell | None) -> bool:
    """Whether readers of the document do not see any of the cell."""
    return cell is not None and any(
        span.kind == "hidden" and span.start == 0 and span.end >= len(text) for span in cell.spans
    )


def tables_of(blocks: Sequence[AnyBlock]) -> Iterator[tuple[str, list[Table]]]:
    """The tables among blocks, windows of one sheet together, each with the heading or the caption it stands under."""
    title = ""
    run: list[Table] = []
    for block in blocks:
        if isinstance(block, Table) and block.rows and not block.hidden:
            if run and not _continues(run[-1], block):
                yield title, run
                run = []
            run.append(block)
            continue
        if run:
            yield title, run
            run = []
        title = getattr(block, "text", "") or title
    if run:
        yield title, run


def _continues(last: Table, table: Table) -> bool:
    below = table.first_row == last.first_row + len(last.rows)
    return below and table.first_row > 0 and not table.header_rows and table.name == last.name
