"""Formulas whose results the file does not hold: never a blank that looks like data, calculated where a program can,
and told apart from what is stored."""

from __future__ import annotations

import codecs
import importlib.util
import io
import json
import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from mcp.client.client import Client
from openpyxl.worksheet.formula import ArrayFormula
from sidecar_xlsx import XlsxFormat
from support.clients.harness import calculated, in_process, text_of

from sidecar.api import Cell, Limits, ParsedDocument, Source, Table
from sidecar.toolkit.programs.libreoffice import find_soffice

ENGINE = importlib.util.find_spec("formualizer") is not None
NOTHING_CALCULATES = Limits(ocr=False)


def written_by_a_program(**cells: str | ArrayFormula) -> bytes:
    """A workbook of openpyxl, which stores no results: two numbers and formulas over them."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Sums"
    for row in (("item", "cost"), ("bolt", 2), ("nut", 3.5)):
        sheet.append(row)
    for name, formula in cells.items():
        sheet[name] = formula
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def changed(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """The workbook with a change of the text of its parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(out, "w") as made:
        for name in given.namelist():
            made.writestr(name, change(given.read(name)))
    return out.getvalue()


def stale(data: bytes, results: dict[str, str]) -> bytes:
    """The workbook with these results, and the wish to have them calculated anew (calcPr fullCalcOnLoad)."""
    return changed(calculated(data, results), lambda part: part.replace(b"<calcPr ", b'<calcPr fullCalcOnLoad="1" '))


def read(data: bytes, limits: Limits = NOTHING_CALCULATES) -> ParsedDocument:
    return XlsxFormat().parse(Source.of_bytes(data, "sums.xlsx"), limits)


def formulas(document: ParsedDocument) -> dict[str, tuple[str, Cell]]:
    """Formula → what its cell shows, and the cell."""
    found: dict[str, tuple[str, Cell]] = {}
    for part in document.parts:
        for block in part.blocks:
            if isinstance(block, Table):
                for cell in block.cells:
                    row = block.rows[cell.row]
                    if cell.formula:
                        found[cell.formula] = (row[cell.col] if cell.col < len(row) else "", cell)
    return found


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if formualizer were not installed."""
    monkeypatch.setitem(sys.modules, "formualizer", None)


async def test_no_view_shows_a_blank_for_what_nobody_has_calculated(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    # A function that no program knows has no result anywhere.
    (files / "sums.xlsx").write_bytes(written_by_a_program(B4="=NOSUCHFUNCTION(B2:B3)"))
    indexed = in_process(files, tmp_path / "data", limits=NOTHING_CALCULATES)
    async with indexed as (_, server, _), Client(server, mode="auto") as client:

        async def text(uri: str) -> str:
            return text_of(await client.call_tool("read", {"uri": uri}))

        told = "formula, not computed"
        for uri in ("sheet://sums/Sums", "sheet://sums/Sums.csv", "sheet://sums/Sums.txt", "sheet://sums/Sums.html",
                    "document://sums.md", "document://sums.txt", "document://sums.html"):  # fmt: skip
            assert told in await text(uri), uri
        assert f"{told} (=NOSUCHFUNCTION(B2:B3))" in await text("sheet://sums/Sums")
        data = json.loads(await text("sheet://sums/Sums.json"))
        assert data["rows"][3] == ["", told]
        assert data["cells"][-1]["state"] == "not_computed"
        explained = await client.call_tool("explain_cell", {"uri": "sheet://sums/Sums?range=B4"})
        assert (explained.structured_content or {})["result"] == "not computed"
        exported = await client.call_tool("export", {"source": "sheet://sums/Sums?range=A3:B4", "format": "CSV"})
        (artifact,) = (exported.structured_content or {})["artifacts"]
        assert told in await text(artifact["resource_uri"])
        info = text_of(await client.call_tool("get_document_info", {"document_slug": "sums"}))
        assert "1 formula without a stored result, shown as not computed" in info


def test_what_is_stored_stays_as_it_is_and_an_empty_text_is_a_result() -> None:
    document = read(calculated(written_by_a_program(B4="=SUM(B2:B3)"), {"B4": "5.5"}))
    shown, cell = formulas(document)["=SUM(B2:B3)"]
    assert (shown, cell.state) == ("5.5", "")
    assert not [notice for notice in document.notices if notice.code in ("not_computed", "recalculated")]
    data = calculated(written_by_a_program(B4='=IF(B2>9,"much","")'), {"B4": ""})
    empty = changed(data, lambda part: part.replace(b'<c r="B4"><f>', b'<c r="B4" t="str"><f>'))
    assert formulas(read(data))['=IF(B2>9,"much","")'][1].state in ("not_computed", "recalculated")
    assert formulas(read(empty))['=IF(B2>9,"much","")'][1].state == ""


@pytest.mark.usefixtures("no_engine")
def test_what_a_workbook_asks_to_calculate_anew_is_unverified_until_somebody_does() -> None:
    document = read(stale(written_by_a_program(B4="=SUM(B2:B3)"), {"B4": "0"}))
    shown, cell = formulas(document)["=SUM(B2:B3)"]
    assert (shown, cell.state) == ("0", "unverified")
    assert any("asks to calculate anew" in notice.message for notice in document.notices)


def assert_calculated(limits: Limits, program: str) -> None:
    """Missing results are filled in and marked; old ones are replaced; right ones are the file's own."""
    data = written_by_a_program(B4="=SUM(B2:B3)", C2='=IF(B2<3,"few","many")', C3="=B2>1", C4="=B2-2")
    document = read(data, limits)
    found = formulas(document)
    assert {formula: shown for formula, (shown, _) in found.items()} == {
        "=SUM(B2:B3)": "5.5", '=IF(B2<3,"few","many")': "few", "=B2>1": "TRUE", "=B2-2": "0",
    }  # fmt: skip
    assert {cell.state for _, cell in found.values()} == {"recalculated"}
    (told,) = [notice.message for notice in document.notices if notice.code == "recalculated"]
    assert told == f"4 formulas without a stored result calculated by {program}."
    document = read(stale(data, {"B4": "0", "C4": "0"}), limits)
    found = formulas(document)
    assert (found["=SUM(B2:B3)"][0], found["=SUM(B2:B3)"][1].state) == ("5.5", "recalculated")
    assert (found["=B2-2"][0], found["=B2-2"][1].state) == ("0", "")
    assert any("1 formula with an old result" in notice.message for notice in document.notices)


@pytest.mark.skipif(not ENGINE, reason="formualizer is not installed")
def test_the_engine_calculates_in_the_process() -> None:
    assert_calculated(NOTHING_CALCULATES, "formualizer")


@pytest.mark.tool("soffice")
@pytest.mark.usefixtures("no_engine")
def test_libreoffice_calculates() -> None:
    assert_calculated(Limits(), "LibreOffice")


ARRAY = ("F2:F3", "=B2:B3*2")


def shown_at(document: ParsedDocument) -> dict[tuple[int, int], tuple[str, str]]:
    """Row and column of each cell with a state: what is shown, and the state."""
    table = next(block for block in document.parts[0].blocks if isinstance(block, Table))
    return {
        (cell.row, cell.col): ("".join(table.rows[cell.row][cell.col : cell.col + 1]), cell.state)
        for cell in table.cells
        if cell.state
    }


@pytest.mark.usefixtures("no_engine")
def test_every_cell_of_an_array_formula_without_result_says_so() -> None:
    data = written_by_a_program(F2=ArrayFormula(*ARRAY))
    assert shown_at(read(data)) == {(1, 5): ("", "not_computed"), (2, 5): ("", "not_computed")}
    endless = written_by_a_program(F2=ArrayFormula("F2:XFD1048576", ARRAY[1]))
    assert list(shown_at(read(endless))) == [(1, 5)]


@pytest.mark.tool("soffice")
@pytest.mark.usefixtures("no_engine")
def test_libreoffice_fills_every_cell_of_an_array_formula_and_says_nothing_of_functions_it_does_not_know() -> None:
    data = written_by_a_program(F2=ArrayFormula(*ARRAY), D2="=_xlfn.LAMBDA(_xlpm.a,_xlpm.a*2)(B2)")
    assert shown_at(read(data, Limits())) == {
        (1, 3): ("", "not_computed"), (1, 5): ("4", "recalculated"), (2, 5): ("7", "recalculated"),
    }  # fmt: skip


def caught() -> bytes:
    """A function nobody knows whose error is caught, a sum over it, and a formula that has nothing to do with it."""
    return written_by_a_program(C2='=IFERROR(NOSUCHFUNCTION(B2),"")', C3="=SUM(B2,C2)", C4='=IFERROR(1/0,"none")')


def assert_not_hidden(document: ParsedDocument) -> None:
    """An error function hides no function that the program does not know, from what uses its cell neither."""
    found = {formula: (shown, cell.state) for formula, (shown, cell) in formulas(document).items()}
    assert found == {
        '=IFERROR(NOSUCHFUNCTION(B2),"")': ("", "not_computed"), "=SUM(B2,C2)": ("", "not_computed"),
        '=IFERROR(1/0,"none")': ("none", "recalculated"),
    }  # fmt: skip


@pytest.mark.skipif(not ENGINE, reason="formualizer is not installed")
def test_an_error_function_hides_no_function_that_the_engine_does_not_know() -> None:
    assert_not_hidden(read(caught()))


@pytest.mark.tool("soffice")
@pytest.mark.usefixtures("no_engine")
def test_an_error_function_hides_no_function_that_libreoffice_does_not_know() -> None:
    assert_not_hidden(read(caught(), Limits()))


@pytest.mark.tool("soffice")
@pytest.mark.usefixtures("no_engine")
def test_an_error_function_hides_nothing_in_an_opendocument_sheet_either() -> None:
    cell = '<table:table-cell table:formula="of:={}"/>'
    rows = "".join(
        f"<table:table-row>{cell.format(formula)}</table:table-row>"
        for formula in ("IFERROR(NOSUCHFUNCTION(1);&quot;&quot;)", "IFERROR(1/0;&quot;none&quot;)")
    )
    content = f"""<?xml version="1.0"?><office:document-content office:version="1.3"
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body><office:spreadsheet>
<table:table table:name="S">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"""
    manifest = """<?xml version="1.0"?><manifest:manifest manifest:version="1.3"
 xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/"
 manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry
 manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>"""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("content.xml", content)
        package.writestr("META-INF/manifest.xml", manifest)
    document = XlsxFormat().parse(Source.of_bytes(out.getvalue(), "sums.ods"), Limits())
    found = [(shown, cell.state) for shown, cell in formulas(document).values()]
    assert found == [("", "not_computed"), ("none", "recalculated")]


@pytest.mark.skipif(not ENGINE, reason="formualizer is not installed")
@pytest.mark.parametrize(
    "refused", ["=_xlfn.LAMBDA(_xlpm.a,_xlpm.a*2)(B2)", "='[1]Sheet1'!A1", "=SORT(", "=_xlfn.MAP(B2:B3,1)"]
)
def test_a_formula_that_the_engine_refuses_leaves_the_others_their_results(refused: str) -> None:
    found = formulas(read(written_by_a_program(C2=refused, C3="=SUM(B2:B3)")))
    assert (found["=SUM(B2:B3)"][0], found["=SUM(B2:B3)"][1].state) == ("5.5", "recalculated")
    assert [cell.state for formula, (_, cell) in found.items() if "SUM" not in formula] == ["not_computed"]


@pytest.mark.skipif(not ENGINE, reason="formualizer is not installed")
def test_the_engine_calculates_sheets_that_begin_with_a_byte_order_mark_or_tell_a_wrong_dimension() -> None:
    def miswritten(part: bytes) -> bytes:
        is_sheet = b"<sheetData>" in part
        return codecs.BOM_UTF8 + re.sub(rb'dimension ref="[^"]*"', b'dimension ref="A1"', part) if is_sheet else part

    found = formulas(read(changed(written_by_a_program(C2="=SUM(B2:B3)", C3="=SORT("), miswritten)))
    assert (found["=SUM(B2:B3)"][0], found["=SUM(B2:B3)"][1].state) == ("5.5", "recalculated")


@pytest.mark.tool("soffice")
@pytest.mark.usefixtures("no_engine")
def test_a_function_that_libreoffice_does_not_know_keeps_its_stored_result() -> None:
    book = calculated(written_by_a_program(B4="=SUM(B2:B3)", C4="=MYOWN(B2)"), {"B4": "99", "C4": "42"})
    found = formulas(document := read(book, Limits()))
    assert (found["=SUM(B2:B3)"][0], found["=SUM(B2:B3)"][1].state) == ("5.5", "recalculated")
    assert (found["=MYOWN(B2)"][0], found["=MYOWN(B2)"][1].state) == ("42", "unverified")
    assert any("LibreOffice has no result for them" in notice.message for notice in document.notices)


@pytest.mark.skipif(find_soffice() is not None, reason="here LibreOffice calculates")
@pytest.mark.usefixtures("no_engine")
def test_without_a_program_that_calculates_the_notice_says_what_to_install() -> None:
    (notice,) = read(written_by_a_program(B4="=SUM(B2:B3)"), Limits()).notices
    assert notice.code == "missing_tool"
    assert "LibreOffice or formualizer would calculate them" in notice.message


@pytest.mark.tool("soffice")
async def test_results_come_after_everything_else_and_say_that_they_are_not_the_files(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "sums.xlsx").write_bytes(written_by_a_program(B4="=SUM(B2:B3)"))
    async with in_process(files, tmp_path / "data") as (_, server, _), Client(server, mode="auto") as client:
        text = text_of(await client.call_tool("read", {"uri": "sheet://sums/Sums"}))
        assert "| 4 |  | 5.5 |" in text
        assert "calculated while it was read: 1" in text
        explained = await client.call_tool("explain_cell", {"uri": "sheet://sums/Sums?range=B4"})
        assert (explained.structured_content or {})["result"] == "recalculated"


@pytest.mark.usefixtures("no_engine")
@pytest.mark.parametrize(
    ("typed", "results", "told"),
    [
        ({"B4": "=SUM(B2:B3)"}, {"B4": "99"}, "in Sums B4 stores 99 and =SUM(B2:B3) gives 5.5"),
        ({"B4": "=SUM(B2:B3)", "C4": "=(B4-B2)*2/4"}, {"B4": "5.5", "C4": "7"}, "C4 stores 7 and =(B4-B2)*2/4 gives"),
        ({"B4": "=MAX(B2:B3)", "C4": "=AVERAGE(B2:B3)"}, {"B4": "3.5", "C4": "9"}, "C4 stores 9"),
    ],
)
def test_a_stored_result_that_contradicts_its_formula_makes_all_of_them_unverified(
    typed: dict[str, str], results: dict[str, str], told: str
) -> None:
    document = read(calculated(written_by_a_program(**typed), results))
    assert {cell.state for _, cell in formulas(document).values()} == {"unverified"}
    said = [notice.message for notice in document.notices]
    assert any(told in one and one.startswith("Results stored in the workbook may be old") for one in said)
    assert any("with a result that may be old" in one for one in said)


def test_results_that_agree_are_the_files_own_and_texts_are_no_summands() -> None:
    right = {"B4": "5.5", "C4": "1.3333333333", "C2": "2"}
    document = read(calculated(written_by_a_program(B4="=SUM(B1:B3)", C4="=(B2+B2)/3", C2="=IF(B2>9,1,2)"), right))
    assert {cell.state for _, cell in formulas(document).values()} == {""} and not document.notices
    worded = changed(
        calculated(written_by_a_program(B4="=SUM(B2:B3)"), {"B4": "2"}),
        lambda part: part.replace(b'<c r="B3" t="n"><v>3.5</v></c>', b'<c r="B3" t="str"><v>3.5</v></c>'),
    )
    assert b't="str"' in zipfile.ZipFile(io.BytesIO(worded)).read("xl/worksheets/sheet1.xml")
    assert formulas(read(worded))["=SUM(B2:B3)"][1].state == ""
