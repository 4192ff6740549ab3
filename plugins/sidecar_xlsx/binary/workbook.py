"""Binary workbooks (.xls, .xlsb) through calamine: values, merged cells and hidden sheets.

calamine gives typed values without number formats or formulas, so numbers show as General does and dates as ISO 8601.
What an .xlsb package holds in XML (drawings, charts, pictures, properties) is read like that of an .xlsx.
"""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Generator, Sequence
from contextlib import contextmanager

import python_calamine as calamine

from sidecar.api import DamagedError, EncryptedError, Limits, Notice, ParsedDocument, Part, Source, Table
from sidecar.toolkit.cell_references import CellRange
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.namespaces import R
from sidecar.toolkit.ooxml.package import Package, is_encrypted
from sidecar.toolkit.ooxml.properties import read_properties
from sidecar.toolkit.xml import etree
from sidecar_xlsx.binary.records import is_locked, sheet_parts, summary
from sidecar_xlsx.cells.tables import Extra, Layout, TableBuilder
from sidecar_xlsx.number_formats.general import general
from sidecar_xlsx.sheet.lookup import Grid
from sidecar_xlsx.sheet.part import Findings, SheetBuilder, SheetEntry
from sidecar_xlsx.sheet.worksheet import Worksheet

Value = str | float | int | bool | dt.date | dt.datetime | dt.time | dt.timedelta
_EMPTY_ZIP = b"PK\5\6" + bytes(18)
"""Stands for the package an .xls is not, so that one builder serves both."""
_MOST_CELLS = 200_000_000
"""calamine lays sheets out whole; one far cell in a damaged file must not cost minutes."""
_STATES = {"Visible": "visible", "Hidden": "hidden", "VeryHidden": "veryHidden"}
_KINDS = {"ChartSheet": "chartsheet", "DialogSheet": "dialogsheet", "MacroSheet": "macrosheet"}


def parse_xls(source: Source, limits: Limits) -> ParsedDocument:
    """Read an .xls file (BIFF5, BIFF8). Raises FormatError."""
    data = source.read(limits.max_file_bytes)
    if is_encrypted(data) or is_locked(data):
        raise EncryptedError(f"{source.name} is protected by a password; save a copy without one to index it.")
    entries, tables, notices = _read(data, source.name, limits, {})
    with Package(Source.of_bytes(_EMPTY_ZIP, source.name), limits) as nothing:
        parts, findings = _build(nothing, entries, tables, EmbedRegister(nothing, limits), notices)
    findings.notices.append(
        Notice(
            "unsupported_content",
            "Of an old binary workbook the values are read; its formulas, number formats, comments, charts and "
            "pictures are not. Save it as .xlsx to have them.",
        )
    )
    metadata = summary(data)
    return ParsedDocument(
        title=metadata.pop("title", ""),
        media_type="application/vnd.ms-excel",
        metadata=metadata,
        parts=parts,
        elements=tuple(findings.elements),
        notices=tuple(findings.notices),
    )


def parse_xlsb(package: Package, main: str, source: Source, limits: Limits) -> ParsedDocument:
    """Read an open .xlsb package whose workbook is the part `main`. Raises FormatError."""
    relationships = package.relationships(main)
    try:
        by_name = sheet_parts(package.read(main), relationships)
    except DamagedError:
        by_name = {}
    entries, tables, notices = _read(source.read(limits.max_file_bytes), source.name, limits, by_name)
    register = EmbedRegister(package, limits)
    parts, findings = _build(package, entries, tables, register, notices)
    register.add_unplaced(attachments=True)
    if any(name.lower().endswith("vbaproject.bin") for name in package.names()):
        findings.notices.append(Notice("macros", "The workbook holds macros; they were not run, and are not shown."))
    findings.notices.append(
        Notice(
            "unsupported_content",
            "Of a binary workbook (.xlsb) values, charts and pictures are read; its formulas, number formats and "
            "comments are not. Save it as .xlsx to have them.",
        )
    )
    metadata = read_properties(package, package.relationships(""))
    return ParsedDocument(
        title=metadata.pop("title", ""),
        description=metadata.pop("description", ""),
        metadata=metadata,
        parts=parts,
        elements=tuple(findings.elements),
        embedded=register.done(),
        notices=tuple(findings.notices),
    )


def _read(
    data: bytes, name: str, limits: Limits, by_name: dict[str, str]
) -> tuple[list[SheetEntry], list[tuple[Table, ...]], list[Notice]]:
    entries: list[SheetEntry] = []
    tables: list[tuple[Table, ...]] = []
    notices: list[Notice] = []
    room = limits.max_text_chars
    with _guarded(name):
        workbook = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = workbook.sheets_metadata[: limits.max_parts]
    for index, sheet in enumerate(sheets):
        state = _STATES.get(str(sheet.visible).rpartition(".")[2], "visible")
        kind = _KINDS.get(str(sheet.typ).rpartition(".")[2], "worksheet")
        entries.append(SheetEntry(sheet.name, state, by_name.get(sheet.name, ""), kind))
        if state != "visible":
            notices.append(Notice("hidden_content", f"The sheet {sheet.name} is hidden.", index + 1))
        found: tuple[Table, ...] = ()
        if room >= 0 and (kind != "chartsheet" or not by_name):  # an .xls keeps the chart's values as cells
            try:
                with _guarded(f"{name}: sheet {sheet.name}"):
                    grid = workbook.get_sheet_by_index(index)
                    found, room = _tables(grid, room)
            except DamagedError as error:
                notices.append(Notice("damaged_part", str(error), index + 1))
            if room < 0:
                notices.append(Notice("truncated_at", f"{sheet.name} was read up to max_text_chars.", index + 1))
        tables.append(found)
    return entries, tables, notices


@contextmanager
def _guarded(what: str) -> Generator[None]:
    """calamine's failures as ours. A Rust panic comes as pyo3's PanicException, which is no `Exception`."""
    try:
        yield
    except calamine.PasswordError as error:
        raise EncryptedError(f"{what} is protected by a password; save a copy without one to index it.") from error
    except (calamine.CalamineError, ValueError, OverflowError, OSError) as error:
        raise DamagedError(f"{what} cannot be read: {error}.") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise DamagedError(f"{what} cannot be read: {error}.") from error


def _tables(sheet: calamine.CalamineSheet, room: int) -> tuple[tuple[Table, ...], int]:
    merges = tuple(CellRange(*start, *end) for start, end in sheet.merged_cell_ranges or ())
    builder = TableBuilder(Layout(merges))
    size = sheet.height * sheet.width
    if size > _MOST_CELLS:
        raise DamagedError(f"sheet {sheet.name} claims {size:,} cells, which is damage or an attack")
    for index, values in enumerate(sheet.iter_rows()):
        if values.count("") == len(values):
            continue
        texts: list[str] = []
        extras: list[Extra] = []
        first = -1
        for col, value in enumerate(values):
            text, raw = _shown(value)
            if not text:
                continue
            if first < 0:
                first = col
            texts.extend([""] * (col - first - len(texts)))
            texts.append(text)
            if raw is not None:
                extras.append(Extra(index, col, raw))
        if first >= 0:
            builder.add(index, first, texts, extras, hidden=False)
            room -= sum(map(len, texts))
            if room < 0:
                break
    return tuple(builder.finish()), room


def _shown(value: Value) -> tuple[str, str | float | bool | None]:
    """The text of a typed value, and the value where it says more."""
    if isinstance(value, str):
        return value, None
    if isinstance(value, bool):
        return ("TRUE" if value else "FALSE"), value
    if isinstance(value, int | float):
        text = general(float(value))
        return text, None if float(f"{value:.15g}") == _float(text) else value
    if isinstance(value, dt.datetime):
        if value.microsecond:
            value += dt.timedelta(microseconds=500_000)  # serials are exact to about a hundredth of a second
            value = value.replace(microsecond=0)
        return (value.date().isoformat() if value.time() == dt.time() else value.isoformat(" ")), None
    if isinstance(value, dt.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}", None
    return value.isoformat(), None


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _build(
    package: Package,
    entries: Sequence[SheetEntry],
    tables: Sequence[tuple[Table, ...]],
    register: EmbedRegister,
    notices: list[Notice],
) -> tuple[tuple[Part, ...], Findings]:
    findings = Findings(register, notices=notices)
    grid = Grid({entry.name.lower(): found for entry, found in zip(entries, tables, strict=True)})
    parts: list[Part] = []
    for number, (entry, found) in enumerate(zip(entries, tables, strict=True), 1):
        own = package.relationships(entry.part) if entry.part else {}
        rest = etree.Element("worksheet")
        for relationship in own.values():
            if relationship.type == "drawing":  # the binary sheet names its drawing by this relationship
                etree.SubElement(rest, "drawing").set(f"{R}id", relationship.id)
        sheet = Worksheet(entry.part, rest, own, found)
        parts.append(SheetBuilder(package, entry, number, sheet, grid=grid, findings=findings).build({}, []))
    return tuple(parts), findings
