"""XLSX and CSV: rows of typed values, rows of totals with formulas, and a sheet of sources with links.

What a document says never becomes a formula: text that begins like one stays text."""

import csv
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties

from sidecar.api import Table
from sidecar.toolkit.tables.numbers import is_currency
from sidecar_render.office.content import FORMATS, Content, Value, ValueTable, as_rows, clean, tables_of

_MAX_ROWS = 1_048_000
_MAX_COLS = 16_384
_CELL_CHARS = 32_767
"""The most a cell of Excel holds."""
_MAX_WIDTH = 60
_MAX_SAMPLE = 200
"""How many rows tell how wide a column is."""
_BAD_NAME = re.compile(r"[\[\]:*?/\\']")
_FORMULA_START = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?\d[\d.,\s%]*")
_NOT_SUMMED = re.compile(
    r"(?:^|[\W_])(?:id|nr|no|year|jahr|month|avg|average|mean|median|min|max|rate|price|ratio|share|pct|percent|"
    r"margin|rank|score|unit|page|row|lat|lon|code|zip)(?:$|[\W_])|_row$|%|"
    r"(?:order|item|customer|client|invoice|article|artikel|kunden|rechnungs?|auftrags?|account|konto|product|employee|user|"
    r"serial|case|ticket|post|phone)[\W_]*(?:no|nr|id|num|number|nummer|code)s?(?:$|[\W_])|(?:nummer|numéro)$",
    re.IGNORECASE,
)
"""Columns whose sum says nothing."""
_HEAD = PatternFill("solid", fgColor="DDE6F0")
_DATE, _TIME = "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"


def _all_rows(content: Content) -> list[ValueTable]:
    """The tables of what is exported; its text as one column of lines where there is none."""
    found = list(content.rows)
    found += [as_rows(tables, title or tables[0].name) for title, tables in tables_of(content.blocks)]
    if not found:
        lines = [str(getattr(block, "text", "")) for block in content.blocks if not isinstance(block, Table)]
        found.append(ValueTable(content.title or "Text", (), tuple((line,) for line in lines if line)))
    return found


def write_xlsx(content: Content) -> tuple[bytes, int]:
    """The workbook, and how many sheets it has."""
    book = Workbook(write_only=True)
    book.properties.title, book.properties.creator = content.title, content.author or "DocSidecar"
    taken: set[str] = set()
    results: dict[str, Mapping[str, float]] = {}
    for number, rows in enumerate(_all_rows(content), 1):
        name = _sheet_name(rows.title or f"Table {number}", taken)
        results[f"xl/worksheets/sheet{number}.xml"] = _write_rows(book.create_sheet(name), rows, content)
    if content.sources:
        _write_sources(book.create_sheet(_sheet_name("Sources", taken)), content)
    out = io.BytesIO()
    book.save(out)
    return _with_results(out.getvalue(), results), len(taken)


def write_csv(content: Content) -> tuple[bytes, ...]:
    """A file for each table, UTF-8 with a mark that tells Excel so. Text that a spreadsheet would run is led by an
    apostrophe (OWASP, CSV injection)."""
    return tuple(_csv(rows) for rows in _all_rows(content))


def _csv(rows: ValueTable) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    if any(rows.columns):
        writer.writerow([_harmless(name) for name in rows.columns])
    for row in rows.rows:
        writer.writerow(["" if value is None else _harmless(value) for value in row])
    return out.getvalue().encode("utf-8-sig", "replace")


def _harmless(value: Value) -> Value:
    if isinstance(value, str) and value.startswith(_FORMULA_START) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def _write_rows(sheet: Any, rows: ValueTable, content: Content) -> dict[str, float]:
    """Fill a sheet; gives the results of its formulas by cell."""
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    width = min(max([len(rows.columns), *map(len, rows.rows[:_MAX_SAMPLE])]), _MAX_COLS)
    kept = rows.rows[:_MAX_ROWS]
    summed = [col for col in range(width) if _is_summed(rows, kept, col)] if rows.totals else []
    for col in range(width):
        sheet.column_dimensions[get_column_letter(col + 1)].width = _width(rows, col, summed=col in summed)
    heads = int(any(rows.columns))
    if heads:
        sheet.freeze_panes = "A2"
        last = get_column_letter(max(width, 1))
        sheet.auto_filter.ref = f"A1:{last}{min(len(rows.rows), _MAX_ROWS) + 1}"
        sheet.append([_styled(sheet, name) for name in rows.columns[:width]])
    usual = [FORMATS.get(kind, "") for kind in (*rows.types, *[""] * width)]
    for index, row in enumerate(kept):
        formats = [rows.formats.get((index, col), usual[col]) for col in range(width)]
        sheet.append([_cell(sheet, value, shown) for value, shown in zip(row, formats, strict=False)])
    if len(rows.rows) > _MAX_ROWS:
        content.remarks.append(f"{rows.title}: only {_MAX_ROWS:,} of {len(rows.rows):,} rows fit a sheet.")
    return _write_totals(sheet, rows, heads, width, summed) if summed and len(kept) > 1 else {}


def _width(rows: ValueTable, col: int, *, summed: bool) -> int:
    """What a column needs in characters: nothing can be said of it once the first row is written."""
    kept = rows.rows[:_MAX_ROWS]
    usual = FORMATS.get(rows.types[col], "") if col < len(rows.types) else ""
    texts = [rows.columns[col]] if col < len(rows.columns) else []
    for index, row in enumerate(kept[:_MAX_SAMPLE]):
        value = row[col] if col < len(row) else None
        shown = rows.formats.get((index, col), usual)
        if isinstance(value, int | float) and "0.00" in shown:
            texts.append(f"{value:,.2f}{shown.partition(' ')[2]}")
        elif isinstance(value, int | float) and shown.endswith("%"):
            texts.append(f"{value:.1%}")
        elif value is not None:
            texts.append(str(value))
    if summed:
        texts.append(f"{_sum([row[col] for row in kept if col < len(row)]):,.2f}")
    return min(max(max(map(len, texts), default=0) + 3, 8), _MAX_WIDTH)


def _sum(values: Sequence[Value]) -> float:
    return float(f"{sum(value for value in values if isinstance(value, int | float)):.15g}")


def _write_totals(sheet: Any, rows: ValueTable, heads: int, width: int, summed: Sequence[int]) -> dict[str, float]:
    """A row that sums the columns `summed`, by formulas that follow the filter (SUBTOTAL 109); where a column names the
    currency of each row, one for each currency."""
    kept = rows.rows[:_MAX_ROWS]
    last = heads + len(kept)
    coded = _currencies(kept, width)
    results: dict[str, float] = {}
    for number, code in enumerate(coded[1] if coded else ("",), last + 1):
        cells: list[Any] = [None] * width
        for col in summed:
            letter = get_column_letter(col + 1)
            area = f"{letter}{heads + 1}:{letter}{last}"
            cell = cells[col] = _styled(sheet, 0)
            cell.value = f"=SUBTOTAL(109,{area})"
            if coded:
                codes = get_column_letter(coded[0] + 1)
                cell.value = f'=SUMIF({codes}{heads + 1}:{codes}{last},"{code}",{area})'
            number_format = FORMATS.get(rows.types[col] if col < len(rows.types) else "")
            if number_format:
                cell.number_format = number_format
            own = [row[col] for row in kept if col < len(row) and (not coded or row[coded[0]] == code)]
            results[f"{letter}{number}"] = _sum(own)
        if cells[0] is None:
            cells[0] = _styled(sheet, f"Total {code}".strip())
        if coded and cells[coded[0]] is None:
            cells[coded[0]] = _styled(sheet, code)
        sheet.append(cells)
    return results


def _is_summed(rows: ValueTable, kept: Sequence[Sequence[Value]], col: int) -> bool:
    """Whether a column holds numbers alone, and their sum says something."""
    values = [row[col] for row in kept if col < len(row) and row[col] is not None]
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    name = rows.columns[col] if col < len(rows.columns) else ""
    kind = rows.types[col] if col < len(rows.types) else ""
    return bool(values) and numbers and kind != "percent" and not _NOT_SUMMED.search(name)


def _currencies(kept: Sequence[Sequence[Value]], width: int) -> tuple[int, list[str]] | None:
    """The column that names the currency of each row, and the currencies; None where there is none, or one currency."""
    for col in range(width):
        named = dict.fromkeys(row[col] if col < len(row) else None for row in kept)
        codes = [code for code in named if isinstance(code, str) and is_currency(code)]
        if len(codes) == len(named) > 1:
            return col, codes
    return None


def _cell(sheet: Any, value: Value, number_format: str) -> Any:
    """A value as the cell of its type. Text is marked as text, whatever it begins with."""
    if value is None:
        return None
    if isinstance(value, str):
        return _text(sheet, value)
    given: Any = value  # the stubs know no plain dates
    cell: Any = WriteOnlyCell(sheet, value=given)
    if number_format:
        cell.number_format = number_format
    elif not isinstance(value, int | float):
        cell.number_format = _TIME if hasattr(value, "hour") else _DATE
    return cell


def _text(sheet: Any, text: str) -> Any:
    cell: Any = WriteOnlyCell(sheet, value=clean(text)[:_CELL_CHARS])
    if text.startswith(_FORMULA_START):
        cell.data_type = "s"
        cell.quotePrefix = True  # stays text when somebody edits it
    if "\n" in text:
        cell.alignment = Alignment(wrap_text=True, vertical="top")
    return cell


def _styled(sheet: Any, value: str | int) -> Any:
    cell = _text(sheet, value) if isinstance(value, str) else WriteOnlyCell(sheet, value=value)
    cell.font = Font(bold=True)
    cell.fill = _HEAD
    return cell


def _write_sources(sheet: Any, content: Content) -> None:
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    for letter, wide in (("A", 6), ("B", 40), ("C", 24), ("D", 50), ("E", 60)):
        sheet.column_dimensions[letter].width = wide
    sheet.append([_styled(sheet, name) for name in ("No", "Source", "Place", "URI", "File")])
    for number, source in enumerate(content.sources, 1):
        link = _text(sheet, source.link)
        if source.link:
            link.hyperlink = source.link
            link.font = Font(color="0563C1", underline="single")
        sheet.append([number, *(_text(sheet, text) for text in (source.title, source.place, source.uri)), link])


def _sheet_name(wanted: str, taken: set[str]) -> str:
    """A sheet's name as Excel allows it: 31 characters, without some, each once."""
    stem = _BAD_NAME.sub(" ", clean(wanted)).strip()[:31].strip() or "Table"
    name, number = stem, 1
    while name.lower() in taken or name.lower() == "history":
        number += 1
        name = f"{stem[: 30 - len(str(number))]} {number}"
    taken.add(name.lower())
    return name


def _with_results(data: bytes, results: Mapping[str, Mapping[str, float]]) -> bytes:
    """The workbook with the results of its formulas, which openpyxl leaves out: else many would see empty cells."""
    if not any(results.values()):
        return data
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for item in given.infolist():
            part = given.read(item)
            for cell, value in results.get(item.filename, {}).items():
                pattern = rf'(<c r="{cell}"[^>]*><f>[^<]*</f>)<v\s*(?:/>|></v>)'.encode()
                part = re.sub(pattern, rb"\g<1><v>%s</v>" % repr(value).encode(), part)
            made.writestr(item, part)
    return out.getvalue()
