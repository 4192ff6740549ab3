"""Results of formulas that the file holds none of, or asks to have calculated anew, from a program that calculates:
formualizer in the process where it is installed, else LibreOffice. Every such result says that it is not the file's."""

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from sidecar.api import (
    Cell,
    DamagedError,
    FormatError,
    Limits,
    Notice,
    ParsedDocument,
    Part,
    Source,
    Table,
    UnavailableError,
)
from sidecar.api.model import NoticeCode
from sidecar.toolkit.cell_references import CellRange, parse_range
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.programs.libreoffice import convert, find_soffice
from sidecar_xlsx.signatures import ZIP
from sidecar_xlsx.unknown_functions import external, formulas_in, functions, without

_ENGINE = "formualizer"
_UNKNOWN = frozenset(("#NAME?", "#VALUE!", "#CALC!", "#SPILL!", "#N/IMPL!", "Err:508", "Err:509", "Err:511"))
"""What an engine gives for functions and references that it does not know; such a result is none."""
_MISWRITTEN = ("attribute source span", "worksheet dimension")
"""In what the engine says of sheets that begin with a byte order mark, or have cells outside of their dimension."""
_NOT_WRITTEN = "cache encoding"
"""In what the engine says of a workbook with a result of its own that no workbook can hold, such as #N/IMPL!."""
_MISREAD = re.compile(r"\{=TABLE\((?!A\d+,\)|,A\d+\))")
"""Data tables that LibreOffice reads wrongly from an .xls it wrote: all but those of one input, in the first column."""
_CLOSE = 1e-9
"""Results that differ by less than this share are the same: programs add up in different orders."""
_ARRAY_CELLS = 100_000
"""Cells of array formulas that are told one by one; beyond, only the first of each formula says that it lacks one."""

Place = tuple[str, int, int]
Read = Callable[[Source, Limits], ParsedDocument]


@dataclass(frozen=True)
class _Result:
    text: str
    cell: Cell


@dataclass
class _Count:
    """What was found out about the formulas of a workbook."""

    lacking: int = 0
    unverified: int = 0
    recalculated: bool = False
    """A stored result contradicts its formula."""
    calculated: int = 0
    changed: int = 0


def with_results(document: ParsedDocument, source: Source, limits: Limits, read: Read) -> ParsedDocument:
    """The workbook with the results its formulas lack, as far as they can be had, and a notice that says how many.

    What takes LibreOffice waits until `limits.ocr` is set, as pages that wait to be recognised do: seconds a file.
    `read` reads a workbook without calculating."""
    document = _spread(document)
    count = _counted(document)
    if not count.lacking and not count.unverified:
        return document
    document = _filled(document, _by_engine(document, source, limits, read), _ENGINE, count)
    if not count.lacking and not count.unverified:
        return document
    if find_soffice() is None:
        return _with_notice(
            document, _not_calculated(count, "LibreOffice or formualizer would calculate them"), "missing_tool"
        )
    if not limits.ocr:
        return _with_notice(
            document, _not_calculated(count, "they wait for LibreOffice, which comes last (limits.ocr)"), "not_computed"
        )
    try:
        results = _by_office(source, limits, read)
    except (UnavailableError, FormatError) as error:
        return _with_notice(
            document, _not_calculated(count, f"LibreOffice did not calculate them: {error}"), "missing_tool"
        )
    if source.head.startswith(OLE_MAGIC):
        misread = {place for place, _, cell in _formulas(document) if _MISREAD.match(cell.formula)}
        results = {place: result for place, result in results.items() if place not in misread}
    document = _filled(document, results, "LibreOffice", count)
    if count.lacking or count.unverified:
        document = _with_notice(document, _not_calculated(count, "LibreOffice has no result for them"), "missing_tool")
    return document


def _by_office(source: Source, limits: Limits, read: Read) -> Mapping[Place, _Result]:
    """What LibreOffice gives; nothing for formulas with functions it does not know, which it spells small, nor for
    those that use them. Raises UnavailableError, FormatError."""

    def calculated(given: Source) -> ParsedDocument:
        return read(Source.of_bytes(convert(given, "xlsx", limits, recalculate=True), f"{source.name}.xlsx"), limits)

    made = calculated(source)
    small = _unknown_to_office(made)
    if any(text not in _UNKNOWN for place, text, _ in _formulas(made) if place in small):
        unknown = {name.upper() for names in small.values() for name in names}
        package = source.read(limits.max_file_bytes)
        refused = (
            {one for one in formulas_in(package) if unknown & functions(one)} if source.head.startswith(ZIP) else ()
        )
        if refused:
            made = calculated(Source.of_bytes(without(package, refused), source.name))
    caught = _unknown_to_office(made)
    return {place: result for place, result in _results(made).items() if place not in caught}


def _unknown_to_office(document: ParsedDocument) -> dict[Place, list[str]]:
    """The formulas of a workbook that LibreOffice wrote with functions it does not know, and those."""
    called = {
        place: [name for name in functions(cell.formula) if name.islower()] for place, _, cell in _formulas(document)
    }
    return {place: names for place, names in called.items() if names}


def _by_engine(document: ParsedDocument, source: Source, limits: Limits, read: Read) -> Mapping[Place, _Result]:
    """What the engine gives; nothing where it is not installed, or refuses the workbook, nor for formulas it does not
    know or cannot read."""
    try:
        engine: Any = importlib.import_module(_ENGINE)
    except ImportError:
        return {}
    if not source.head.startswith(ZIP):
        return {}
    try:
        found = _calculated(engine, document, source.read(limits.max_file_bytes))
    except DamagedError:  # what can be read of it is; nothing can calculate it
        return {}
    if found is None:
        return {}
    results = _results(read(Source.of_bytes(found, f"{source.name}.xlsx"), limits))
    return {place: result for place, result in results.items() if result.text not in _UNKNOWN}


def _calculated(engine: Any, document: ParsedDocument, package: bytes) -> bytes | None:
    """The workbook as the engine calculates it, None where it refuses. Raises DamagedError."""
    formulas = formulas_in(package)
    unknown = {name for name in set[str]().union(*map(functions, formulas)) if _evaluated(engine, name) == "Name"}
    refused = {formula for formula in formulas if not unknown.isdisjoint(functions(formula))}

    def unread(_: bytes) -> set[str]:
        return {formula for formula in formulas if external(formula) or not _is_read(engine, formula)}

    def uncalculated(reduced: bytes) -> set[str]:
        return _uncalculated(engine, document, reduced)

    reduced = without(package, refused) if refused else package
    found = _recalculated(engine, reduced)
    if isinstance(found, str) and any(said in found for said in _MISWRITTEN):
        reduced = without(package, refused)
        found = _recalculated(engine, reduced)
    for further in (unread, uncalculated):
        # All is calculated once more only where that is what cannot be written.
        if isinstance(found, bytes) or (further is uncalculated and _NOT_WRITTEN not in found):
            break
        if more := further(reduced) - refused:
            refused |= more
            reduced = without(package, refused)
            found = _recalculated(engine, reduced)
    return found if isinstance(found, bytes) else None


def _refusals(engine: Any) -> tuple[type[Exception], ...]:
    """How the engine refuses what it would not calculate rightly, or cannot read."""
    return (OSError, ValueError, RuntimeError, engine.ExcelEvaluationError, engine.ParserError, engine.TokenizerError)


def _recalculated(engine: Any, package: bytes) -> bytes | str:
    """The workbook as the engine calculates it, or why it refuses."""
    try:
        made = engine.recalculate_xlsx_bytes(package)
    except _refusals(engine) as error:
        return str(error)
    return made if isinstance(made, bytes) else made["bytes"]


@lru_cache(1024)
def _evaluated(engine: Any, function: str) -> str:
    """The kind of error that a call of a function without arguments gives, "" for none."""
    book = engine.Workbook()
    try:
        book.add_sheet("S")
        book.set_formula("S", 1, 1, f"={function}()")
        return _error(book.evaluate_cell("S", 1, 1))
    except _refusals(engine):
        return ""


def _error(value: object) -> str:
    return str(value.get("kind", "")) if isinstance(value, dict) else ""


def _is_read(engine: Any, formula: str) -> bool:
    try:
        engine.parse_formula(f"={formula}")
    except _refusals(engine):
        return False
    return True


def _uncalculated(engine: Any, document: ParsedDocument, package: bytes) -> set[str]:
    """The formulas that the engine has no result for and none of the errors that a workbook can hold."""
    try:
        book = engine.load_workbook_bytes(package)
        book.evaluate_all()
        return {
            cell.formula.strip("{}").removeprefix("=")
            for (sheet, row, col), _, cell in _formulas(document)
            if _error(book.get_value(sheet, row + 1, col + 1)) in ("NImpl", "Error")
        }
    except _refusals(engine):
        return set()


def _formulas(document: ParsedDocument) -> Iterator[tuple[Place, str, Cell]]:
    for part in document.parts:
        for block in part.blocks:
            if isinstance(block, Table):
                for cell in block.cells:
                    if cell.formula:
                        row = block.rows[cell.row] if cell.row < len(block.rows) else ()
                        text = row[cell.col] if cell.col < len(row) else ""
                        yield (part.name, block.first_row + cell.row, block.first_col + cell.col), text, cell


def _counted(document: ParsedDocument) -> _Count:
    count = _Count(recalculated=any(notice.code == "recalculated" for notice in document.notices))
    for _, _, cell in _formulas(document):
        count.lacking += cell.state == "not_computed"
        count.unverified += cell.state == "unverified"
    return count


def _results(document: ParsedDocument) -> dict[Place, _Result]:
    """What each formula gives, and what a formula for a whole range gives in its other cells."""
    found: dict[Place, _Result] = {}
    filled = _filled_areas((place, cell) for place, _, cell in _formulas(document))
    for part in document.parts:
        for block in part.blocks:
            if isinstance(block, Table):
                cells = {(cell.row, cell.col): cell for cell in block.cells}
                for row, col in _in_table(filled.get(part.name, ()), block):
                    texts = block.rows[row]
                    text = texts[col] if col < len(texts) else ""
                    place = part.name, block.first_row + row, block.first_col + col
                    found[place] = _Result(text, cells.get((row, col)) or Cell(row, col))
    found |= {place: _Result(text, cell) for place, text, cell in _formulas(document) if cell.state != "not_computed"}
    return found


def _spread(document: ParsedDocument) -> ParsedDocument:
    """The document with formulas that fill a range, and have no result, in each of its cells: none of them is a gap."""
    lacking = {place: cell for place, _, cell in _formulas(document) if cell.array and cell.state == "not_computed"}
    areas = _filled_areas(lacking.items())
    if not areas:
        return document
    parts: list[Part] = []
    for part in document.parts:
        own = [(area, lacking[part.name, area.top, area.left]) for area in areas.get(part.name, ())]
        blocks = (_with_formulas(one, own) if isinstance(one, Table) else one for one in part.blocks)
        parts.append(replace(part, blocks=tuple(blocks)))
    return replace(document, parts=tuple(parts))


def _with_formulas(table: Table, formulas: Sequence[tuple[CellRange, Cell]]) -> Table:
    cells = {(cell.row, cell.col): cell for cell in table.cells}
    for area, formula in formulas:
        for row, col in _in_table((area,), table):
            if (row, col) not in cells and not "".join(table.rows[row][col : col + 1]):
                cells[row, col] = replace(formula, row=row, col=col)
    return replace(table, cells=tuple(cells[place] for place in sorted(cells))) if formulas else table


def _filled_areas(formulas: Iterable[tuple[Place, Cell]]) -> dict[str, list[CellRange]]:
    """By sheet the ranges that single formulas fill, as far as there is room for their cells."""
    found: dict[str, list[CellRange]] = {}
    room = _ARRAY_CELLS
    for (sheet, _, _), cell in formulas:
        area = parse_range(cell.array) if cell.array else None
        if area is not None:
            room -= (area.bottom - area.top + 1) * (area.right - area.left + 1)
            if room < 0:
                break
            found.setdefault(sheet, []).append(area)
    return found


def _in_table(areas: Sequence[CellRange], table: Table) -> Iterator[tuple[int, int]]:
    """The cells of the ranges among the rows of the table, as its own row and column."""
    last = table.first_row + len(table.rows) - 1
    for area in areas:
        for row in range(max(area.top, table.first_row), min(area.bottom, last) + 1):
            for col in range(max(area.left, table.first_col), area.right + 1):
                yield row - table.first_row, col - table.first_col


def _filled(document: ParsedDocument, results: Mapping[Place, _Result], program: str, count: _Count) -> ParsedDocument:
    """The document with the results in place of those it lacks; a stored one stays where both agree."""
    if not results:
        return document
    before = count.calculated, count.changed
    parts: list[Part] = []
    for part in document.parts:
        blocks = (_table(one, part.name, results, count) if isinstance(one, Table) else one for one in part.blocks)
        parts.append(replace(part, blocks=tuple(blocks)))
    document = replace(document, parts=tuple(parts))
    remarks: list[str] = []
    if calculated := count.calculated - before[0]:
        remarks.append(f"{_formulas_named(calculated)} without a stored result calculated by {program}")
    if changed := count.changed - before[1]:
        remarks.append(f"{_formulas_named(changed)} with an old result calculated anew by {program}")
    return _with_notice(document, f"{'; '.join(remarks)}.", "recalculated") if remarks else document


def _table(table: Table, sheet: str, results: Mapping[Place, _Result], count: _Count) -> Table:
    cells: list[Cell] = []
    rows: dict[int, list[str]] = {}
    for cell in table.cells:
        result = results.get((sheet, table.first_row + cell.row, table.first_col + cell.col))
        if cell.state in ("", "recalculated") or result is None:
            cells.append(cell)
            continue
        row = rows.setdefault(cell.row, list(table.rows[cell.row]))
        stored = row[cell.col] if cell.col < len(row) else ""
        if result.text in _UNKNOWN and (cell.state == "not_computed" or stored not in _UNKNOWN):
            cells.append(cell)  # a function that the program does not know says nothing, nor against what is stored
            continue
        if cell.state == "unverified":
            count.unverified -= 1
            if _same(stored, cell, result):
                cells.append(replace(cell, state=""))
                continue
            count.changed += 1
        else:
            count.lacking -= 1
            count.calculated += 1
        row.extend([""] * (cell.col + 1 - len(row)))
        row[cell.col] = result.text
        value, shape = result.cell.value, result.cell.format or cell.format
        cells.append(replace(cell, value=value, format=shape, state="recalculated"))
    texts = tuple(tuple(rows[r]) if r in rows else row for r, row in enumerate(table.rows))
    return replace(table, rows=texts, cells=tuple(cells))


def _same(stored: str, cell: Cell, result: _Result) -> bool:
    """Whether a stored result is the calculated one, as it is shown or as a number."""
    if stored == result.text:
        return True
    try:
        one = float(cell.value if isinstance(cell.value, int | float) else stored)
        other = float(result.cell.value if isinstance(result.cell.value, int | float) else result.text)
    except ValueError:
        return False
    return abs(one - other) <= _CLOSE * max(abs(one), abs(other))


def _formulas_named(count: int) -> str:
    return "1 formula" if count == 1 else f"{count:,} formulas"


def _not_calculated(count: _Count, why: str) -> str:
    """What cannot be told of formulas, and why."""
    remarks: list[str] = []
    if count.lacking:
        remarks.append(f"{_formulas_named(count.lacking)} without a stored result, shown as not computed")
    if count.unverified:
        why_old = "that may be old" if count.recalculated else "that the workbook asks to calculate anew"
        remarks.append(f"{_formulas_named(count.unverified)} with a result {why_old}")
    return f"{'; '.join(remarks)}: {why.rstrip('.')}."


def _with_notice(document: ParsedDocument, message: str, code: NoticeCode) -> ParsedDocument:
    return replace(document, notices=(*document.notices, Notice(code, message)))
