"""`explain_cell` as clients of both eras call it: formulas, what they take in, what uses them, and what bounds them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from mcp.client.client import Client
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.table import Table
from support.clients.harness import ERAS, text_of
from support.clients.opened import Opened, opened

from sidecar.api import Limits

WITHOUT_RESULTS = Limits(ocr=False)
"""What tells of formulas without results is the same on every machine, with and without LibreOffice."""


def sales() -> bytes:
    """A workbook with a total, a rate on another sheet behind a name, an Excel table and a circle."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Sales"
    for row in (
        ("Region", "Units", "Price", "Revenue"),
        ("North", 10, 2.5, "=B2*C2"),
        ("South", 20, 3, "=B3*C3"),
        ("West", 5, 4, "=B4*C4+1"),
        ("Total revenue", None, None, "=SUM(D2:D4)"),
    ):
        sheet.append(row)
    sheet["A7"], sheet["B7"] = "In dollars", "=D5*Rate*local"
    rates: Any = book.create_sheet("Rates & Co")
    rates["A1"], rates["B1"] = "USD per EUR", 1.25
    book.defined_names["Rate"] = DefinedName("Rate", attr_text="'Rates & Co'!$B$1")
    sheet.defined_names["local"] = DefinedName("local", attr_text="Sales!$B$2")
    stock: Any = book.create_sheet("Stock")
    for row in (("Item", "2023", "2024"), ("Bolt", 1, 2), ("Nut", 3, 4)):
        stock.append(row)
    stock["A4"], stock["B4"] = "Sum", "=SUBTOTAL(109,Items[2023])"
    stock.add_table(Table(displayName="Items", ref="A1:C4", totalsRowCount=1))
    stock["E2"] = "=SUM(Items[[#This Row],[2023]:[2024]])+LOG10(100)"
    stock["E3"] = "=Items[[#Totals],[2023]]"
    stock["E4"] = '=INDIRECT("B"&2)+[1]Far!A1+"Rate"'
    circle: Any = book.create_sheet("Circle")
    circle["A1"], circle["A2"], circle["A3"] = "=A2", "=A3+1", "=A1"
    circle["B1"] = "=SUM(A:A)+SUM(Sales:Stock!B2)"
    circle["B2"] = "=SUM(Stock:Sales!B2)"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


ODS = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">
<office:body><office:spreadsheet><table:table table:name="Costs">
<table:table-row><table:table-cell office:value-type="string"><text:p>Rent</text:p></table:table-cell>
<table:table-cell office:value-type="float" office:value="700"><text:p>700</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>Food</text:p></table:table-cell>
<table:table-cell office:value-type="float" office:value="300"><text:p>300</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>Costs together</text:p></table:table-cell>
<table:table-cell office:value-type="float" office:value="2000" table:formula="of:=SUM([.B1:.B2])*Share">
<text:p>2000</text:p></table:table-cell></table:table-row></table:table>
<table:table table:name="Other"><table:table-row><table:table-cell office:value-type="float" office:value="2">
<text:p>2</text:p></table:table-cell></table:table-row></table:table>
<table:named-expressions><table:named-range table:name="Share" table:cell-range-address="$Other.$A$1"/>
</table:named-expressions></office:spreadsheet></office:body></office:document-content>"""


def costs() -> bytes:
    """An OpenDocument spreadsheet with a total and a named range."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("content.xml", ODS)
    return out.getvalue()


def long() -> bytes:
    """40,000 formulas, each on the one above, and one over whole columns."""
    book = openpyxl.Workbook(write_only=True)
    sheet: Any = book.create_sheet("Chain")
    sheet.append(["Step", "Sum"])
    sheet.append([1, "=SUM(A:A)"])
    for row in range(3, 40_000):
        sheet.append([f"=A{row - 1}+1"])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def many() -> bytes:
    """3,000 rows that begin with the same word."""
    book = openpyxl.Workbook(write_only=True)
    sheet: Any = book.create_sheet("Steps")
    for row in range(1, 3001):
        sheet.append([f"step {row}", f"={row}+1"])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def quarters() -> bytes:
    """A label that is a cell's address as well."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    for row in (("Area", "Q1"), ("North", 4)):
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def workbooks(home: Path, **more: bytes) -> None:
    """Write the workbooks, and `more` of them."""
    files = home / "files"
    files.mkdir(exist_ok=True)
    (files / "sales.xlsx").write_bytes(sales())
    (files / "sales macros.xlsm").write_bytes(sales())
    (files / "costs.ods").write_bytes(costs())
    for name, data in more.items():
        (files / f"{name}.xlsx").write_bytes(data)
    (files / "notes.md").write_text("# Notes\n\nNo sheet here.\n")
    (files / "plain.csv").write_text("animal,count\nowl,12\n")


def served(tmp_path: Path, era: str, body: Callable[[Client], Awaitable[None]], **more: bytes) -> None:
    """Run `body` with a client of that era on an index of the workbooks, and of `more` of them."""
    workbooks(tmp_path, **more)
    with opened(tmp_path, limits=WITHOUT_RESULTS) as alone:
        alone.play(body, era)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    """The workbooks for all tests that change nothing of them."""
    home = tmp_path_factory.mktemp("library")
    more = {"copies": copies(), "long": long(), "many": many(), "filled": plain_book(filled()), "totalled": totalled()}
    workbooks(home, quarters=quarters(), **more)
    with opened(home, limits=WITHOUT_RESULTS) as library:
        yield library


async def explain(client: Client, **arguments: Any) -> Any:
    answer = await client.call_tool("explain_cell", arguments)
    assert not answer.is_error, text_of(answer)
    return answer.structured_content


async def refused(client: Client, **arguments: Any) -> str:
    answer = await client.call_tool("explain_cell", arguments)
    assert answer.is_error
    return text_of(answer)


def test_a_value_written_in_words_is_no_heading_of_its_column(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet: Any = book.active
    for row in (("Region", "Revenue"), ("North", 4, 1), ("South", "tbc", 2), ("West", 5, 3), ("Total", "=SUM(B2:B4)")):
        sheet.append(row)
    data = io.BytesIO()
    book.save(data)

    async def body(client: Client) -> None:
        found = await explain(client, uri="sheet://gaps/Sheet?range=B5")
        assert found["label"] == "Total / Revenue"
        found = await explain(client, uri="sheet://gaps/Sheet?range=B4")
        assert found["label"] == "West / Revenue"

    served(tmp_path, ERAS[0], body, gaps=data.getvalue())


def test_a_cell_is_named_by_its_workbook_and_address(library: Opened) -> None:
    async def body(client: Client) -> None:
        for book in ({"uri": "sales"}, {"document_slug": "sales"}, {"uri": "files/sales.xlsx"}):
            for cell in ({"label": "Sales!D5"}, {"cell": "$D$5"}, {"cell": "total revenue"}):
                found = await explain(client, **book, **cell)
                assert (found["cell"], found["uri"]) == ("Sales!D5", "sheet://sales/Sales?range=D5")
        found = await explain(client, uri="sales", label="'Rates & Co'!B1")
        assert (found["cell"], found["value"]) == ("'Rates & Co'!B1", "1.25")
        assert (await explain(client, uri="quarters", label="Q1"))["cell"] == "Sheet!B2", "a label, not column Q"
        assert "its sheets are Sales" in await refused(client, uri="sales", label="Nowhere!D5")
        assert "did you mean sales" in await refused(client, uri="saless")

    library.play(body)


@pytest.mark.parametrize("era", ERAS)
def test_the_total_is_found_by_its_name_and_explained(library: Opened, era: str) -> None:
    async def body(client: Client) -> None:
        for uri in ("document://sales", "sheet://sales/Sales", "sheet://sales-macros/1"):
            found = await explain(client, uri=uri, label="total revenue", levels=2)
            assert (found["cell"], found["formula"]) == ("Sales!D5", "=SUM(D2:D4)")
            assert found["label"] == "Total revenue / Revenue"
            column, *below = found["takes_in"]
            assert (column["cell"], column["label"], column["formulas"]) == ("D2:D4", "Revenue", 3)
            assert {entry["cell"]: entry["value"] for entry in below} == {"B2": "10", "C2": "2.5", "B4": "5", "C4": "4"}
            assert below[0] == {"cell": "B2", "label": "North / Units", "value": "10", "of": "D2"}
            assert [user["cell"] for user in found["used_by"]] == ["B7"]
            assert "=SUM(D2:D4)" in text_of(await client.call_tool("read", {"uri": found["uri"]}))
        assert (await explain(client, uri="document://costs", label="Costs together"))["cell"] == "Costs!B3"

    library.play(body, era)


def test_references_are_followed_through_names_sheets_and_tables(library: Opened) -> None:
    async def body(client: Client) -> None:
        async def takes_in(sheet: str, cell: str, doc: str = "sales", **more: Any) -> dict[str, Any]:
            found = await explain(client, uri=f"sheet://{doc}/{sheet}?range={cell}", **more)
            return {entry["cell"]: entry for entry in found["takes_in"]}

        dollars = await takes_in("Sales", "B7")
        assert list(dollars) == ["D5", "'Rates & Co'!B1", "B2"]
        rate = dollars["'Rates & Co'!B1"]
        assert (rate["written"], rate["label"], rate["value"]) == ("Rate", "USD per EUR", "1.25")
        assert dollars["B2"]["written"] == "local"
        assert list(await takes_in("Stock", "B4")) == ["B2:B3"]  # the row of totals is none of the data
        assert (await takes_in("Stock", "B4"))["B2:B3"]["sum"] == 4
        assert list(await takes_in("Stock", "E2")) == ["B2:C2"]
        assert list(await takes_in("Stock", "E3")) == ["B4"]
        assert list(await takes_in("Circle", "B2")) == ["Sales!B2", "'Rates & Co'!B2", "Stock!B2"]
        assert list(await takes_in("Circle", "B1")) == ["A1:A1048576", "Sales!B2", "'Rates & Co'!B2", "Stock!B2"]
        shares = await takes_in("Costs", "B3", "costs")
        assert (shares["B1:B2"]["sum"], shares["Other!A1"]["value"]) == (1000, "2")
        used = await explain(client, uri="sheet://sales/Stock?range=B3")
        assert [user["cell"] for user in used["used_by"]] == ["B4"]
        assert used["remarks"] == ["Typed in, not calculated."]

    library.play(body)


def copies() -> bytes:
    """Formulas that differ in numbers only: of rows, and of what is none (a sheet, a name, a text, a constant)."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Q1 2024"
    for row in range(1, 6):
        sheet[f"A{row}"] = row
    for number in (1, 2):
        book.defined_names[f"Rate{number}"] = DefinedName(f"Rate{number}", attr_text=f"'Q1 2024'!$A${number}")
    other: Any = book.create_sheet("Q2 2024")
    for row, formula in enumerate(
        (
            "='Q1 2024'!A3*Rate1", "='Q1 2024'!A4*Rate2", "='Q2 2024'!A1*Rate1", '=A1&"A2"', '=A2&"A9"',
            "=SUM('Q1 2024'!A5:A3)+2", "=SUM('Q1 2024'!A2:A1)+5", "=SUM('Q1 2024'!4:5)", "=SUM('Q1 2024:Q2 2024'!A1)",
        ),
        1,
    ):  # fmt: skip
        other[f"A{row}"] = formula
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_formulas_that_are_alike_are_told_apart_by_what_they_take_in(library: Opened) -> None:
    async def body(client: Client) -> None:
        async def users(sheet: str, cell: str) -> list[str]:
            found = await explain(client, uri=f"sheet://copies/{sheet}?range={cell}")
            return [user["cell"].rpartition("!")[2] for user in found.get("used_by", ())]

        assert await users("1", "A1") == ["A1", "A3", "A7", "A9"]
        assert await users("1", "A2") == ["A2", "A7"]
        assert await users("1", "A3") == ["A1", "A6"]
        assert await users("1", "A4") == ["A2", "A6", "A8"]
        assert await users("1", "C5") == ["A8"]
        assert await users("2", "A1") == ["A3", "A4", "A9"]
        assert await users("2", "A2") == ["A5"]
        assert await users("2", "A9") == []

    library.play(body, ERAS[0])


def test_a_total_nobody_has_calculated_says_so_where_its_value_would_stand(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        found = await explain(client, uri="document://sales", label="total revenue", levels=1)
        assert (found["value"], found["result"]) == ("formula, not computed", "not computed")
        assert found["takes_in"][0]["not_computed"] == 3
        assert "sum" not in found["takes_in"][0]
        assert found["used_by"][0]["value"] == "formula, not computed"
        assert found["remarks"][0].startswith("The workbook holds no result of this formula")
        ends = await explain(client, uri="sheet://sales/Sales")
        assert [one["value"] for one in ends["results"]] == ["formula, not computed"]
        # A result that is an empty text is one, and no blank either.
        assert (await explain(client, uri="sheet://empty/S?range=B1"))["value"] == "(empty text)"
        # One that is stored is as it was.
        assert (await explain(client, uri="document://costs", label="Costs together"))["value"] == "2000"

    rows = '<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="str"><f>IF(A1&gt;0,"","x")</f><v></v></c></row>'
    served(tmp_path, ERAS[0], body, empty=plain_book(rows))


def plain_book(rows: str) -> bytes:
    """A workbook of one sheet, S, with these rows as they are."""
    data = io.BytesIO()
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "S"
    book.save(data)
    out = io.BytesIO()
    with zipfile.ZipFile(data) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
                text = f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>".encode()
            new.writestr(name, text)
    return out.getvalue()


def test_what_cannot_be_followed_is_said_and_all_is_bounded(library: Opened) -> None:
    async def body(client: Client) -> None:
        circle = await explain(client, uri="sheet://sales/Circle?range=A1", levels=20)
        assert "Circular: A1 → A2 → A3 → A1." in circle["remarks"]
        assert len(circle["takes_in"]) == 3
        told = " ".join((await explain(client, uri="sheet://sales/Stock?range=E4"))["remarks"])
        assert "INDIRECT chooses cells while calculating" in told
        assert "another workbook" in told
        step = await explain(client, uri="sheet://long/Chain?range=A39999", levels=20)
        assert len(step["takes_in"]) == 20
        whole = await explain(client, uri="sheet://long/Chain?range=B2")
        assert whole["takes_in"][0]["formulas"] == 39_997
        far = await explain(client, uri="sheet://many/Steps", label="step 2900")
        assert (far["cell"], far["label"]) == ("Steps!B2900", "step 2900")  # behind many others with its first word
        ends = await explain(client, uri="sheet://long/Chain")
        assert [entry["cell"] for entry in ends["results"]] == ["B2"]
        copies = await explain(client, uri="sheet://sales/Sales?range=D2:D5")
        assert (copies["cell"], copies["also"]) == ("Sales!D2", ["D4", "D5"])  # D3 is a copy of D2

    library.play(body)


def test_a_mistake_gives_a_sentence_that_leads_on(library: Opened) -> None:
    async def body(client: Client) -> None:
        assert "its sheets are Sales, Rates & Co" in await refused(client, uri="sheet://sales/Sale?range=A1")
        assert "has no sheets" in await refused(client, uri="document://notes")
        assert "holds no formulas" in await refused(client, uri="document://plain")
        assert "'zebra'" in await refused(client, uri="document://sales", label="zebra")
        assert "1 to 20" in await refused(client, uri="sheet://sales/Sales?range=D5", levels=0)
        assert "give sheet://" in await refused(client, uri="chapter://notes/1")
        assert "not a cell range" in await refused(client, uri="sheet://sales/Sales?range=12x")
        assert (await explain(client, uri="sheet://sales/Sales?range=Z99"))["remarks"] == ["The cell is empty."]
        assert (await explain(client, uri="sheet://plain/1?range=B2"))["remarks"] == ["Typed in, not calculated."]

    library.play(body)


def filled() -> str:
    """Rows with an array of which two values are stored, a data table with three, and shared formulas."""
    return (
        '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="array" ref="B1:B3">A1:A3*2</f><v>2</v></c>'
        '<c r="C1"><f>B3+1</f><v>7</v></c><c r="E1"><f t="shared" ref="E1:F2" si="0">A1*$A$1</f><v>1</v></c></row>'
        '<row r="2"><c r="A2"><v>2</v></c><c r="B2"><v>4</v></c><c r="E2"><f t="shared" si="0"/><v>2</v></c>'
        '<c r="F2"><f t="shared" si="0"/><v>4</v></c></row>'
        '<row r="3"><c r="A3"><v>3</v></c>'
        '<c r="G3"><f t="dataTable" ref="G3:H4" dt2D="1" dtr="1" r1="A1" r2="A2"/><v>9</v></c>'
        '<c r="H3"><v>8</v></c></row>'
        '<row r="4"><c r="G4"><v>7</v></c><c r="J4"><f t="array" ref="J4">SUM(A1:A3*2)</f><v>12</v></c></row>'
    )


def test_every_cell_that_an_array_or_a_data_table_fills_has_its_formula(library: Opened) -> None:
    async def body(client: Client) -> None:
        async def cell(name: str) -> tuple[Any, ...]:
            found = await explain(client, uri=f"sheet://filled/S?range={name}")
            return tuple(found.get(key) for key in ("value", "formula", "array"))

        double, grid = ("{=A1:A3*2}", "S!B1:B3"), ("{=TABLE(A1,A2)}", "S!G3:H4")
        assert await cell("B1") == ("2", *double)
        assert await cell("B2") == ("4", *double)
        assert await cell("B3") == ("(no value stored)", *double)
        assert await cell("G4") == ("7", *grid)
        assert await cell("H4") == ("(no value stored)", *grid)
        assert await cell("J4") == ("12", "{=SUM(A1:A3*2)}", None)
        assert await cell("B4") == (None, None, None)
        assert [(await cell(name))[1] for name in ("E1", "E2", "F2")] == ["=A1*$A$1", "=A2*$A$1", "=B2*$A$1"]
        third = await explain(client, uri="sheet://filled/S?range=B3")
        assert third["remarks"][0] == "One formula fills all of S!B1:B3; it stands in B1, value 2."
        assert [(one["cell"], one["sum"]) for one in third["takes_in"]] == [("A1:A3", 6.0)]
        assert [one["cell"] for one in third["used_by"]] == ["C1"]
        user = await explain(client, uri="sheet://filled/S?range=C1", levels=2)
        assert [one["cell"] for one in user["takes_in"]] == ["B3", "A1:A3"]

    library.play(body)


def test_every_cell_that_a_matrix_fills_has_its_formula(tmp_path: Path) -> None:
    matrix = ODS.replace(
        'table:formula="of:=SUM(',
        'table:number-matrix-columns-spanned="1" table:number-matrix-rows-spanned="2" table:formula="of:=SUM(',
    )

    async def body(client: Client) -> None:
        below = await explain(client, uri="sheet://matrix/Costs?range=B4")
        assert (below["value"], below["formula"]) == ("(no value stored)", "=SUM(B1:B2)*Share")
        assert (below["array"], below["takes_in"][0]["sum"]) == ("Costs!B3:B4", 1000.0)

    (tmp_path / "files").mkdir()
    with zipfile.ZipFile(tmp_path / "files" / "matrix.ods", "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("content.xml", matrix)
    served(tmp_path, ERAS[0], body)


def totalled() -> bytes:
    """Products in an Excel table, and their total right below it."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.append(("Product", "Units", "Price", "Revenue"))
    for row in range(2, 9):
        sheet.append((f"P{row - 1}", row, 2.5, f"=B{row}*C{row}"))
    sheet.add_table(Table(displayName="Products", ref="A1:D8"))
    sheet.append(("Total", None, None, "=SUM(D2:D8)"))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_total_below_a_table_is_named_by_its_row_and_its_columns_heading(library: Opened) -> None:
    async def body(client: Client) -> None:
        async def label(name: str) -> str:
            return (await explain(client, uri=f"sheet://totalled/1?range={name}"))["label"]

        assert await label("D9") == "Total / Revenue"
        assert await label("A9") == "Product"
        assert await label("A3") == "Product"
        assert await label("D3") == "P2 / Revenue"

    library.play(body, ERAS[0])
