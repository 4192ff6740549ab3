"""Binary workbooks, .xls and .xlsb, hold what the same workbook as .xlsx would."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest
from contract.containers import make_zip
from mcp.client.client import Client
from sidecar_xlsx.plugin import XlsxFormat
from support.clients.harness import in_process, text_of
from support.office_old.excel_binary import (
    CHOICES,
    LINK,
    LONG,
    PNG,
    SHARED,
    Tokens,
    formulas,
    styled_xls,
    xls,
    xls5,
    xls_of_charts,
    xls_stream,
    xlsb,
    xlsb_with_pivot,
    xlsb_with_rich_values,
)
from support.office_old.word_binary import compound_file

from sidecar.api import Cell, DamagedError, EncryptedError, FormatError, Limits, Note, ParsedDocument, Source, Table

XLSX = XlsxFormat()
PLAIN = Limits(ocr=False)
BOTH = pytest.mark.parametrize("name", ["book.xls", "book.xlsb"])


def book(name: str) -> bytes:
    return xls() if name.endswith(".xls") else xlsb()


def read(name: str) -> ParsedDocument:
    return XLSX.parse(Source.of_bytes(book(name), name), PLAIN)


def cells(document: ParsedDocument, sheet: int = 0) -> dict[tuple[int, int], str]:
    """The texts of a sheet by row and column."""
    return {
        (table.first_row + r, table.first_col + c): text
        for table in document.parts[sheet].blocks
        if isinstance(table, Table)
        for r, row in enumerate(table.rows)
        for c, text in enumerate(row)
        if text
    }


def details(document: ParsedDocument) -> dict[tuple[int, int], Cell]:
    """What the cells of the first sheet hold beside their texts."""
    return {
        (table.first_row + cell.row, table.first_col + cell.col): cell
        for table in document.parts[0].blocks
        if isinstance(table, Table)
        for cell in table.cells
    }


def notes(document: ParsedDocument, kind: str) -> list[Note]:
    return [note for note in document.parts[0].blocks if isinstance(note, Note) and note.kind == kind]


@BOTH
def test_cells_show_what_excel_shows(name: str) -> None:
    shown = cells(read(name))
    assert [shown[0, col] for col in range(4)] == ["Region", "Units", "Revenue", "Share"]
    assert (shown[1, 1], shown[1, 2], shown[2, 2]) == ("10", "1,200.50 EUR", "2,500.00 EUR")
    assert (shown[12, 0], shown[12, 1], shown[14, 1]) == ("31.12.2024", "12.50%", "#DIV/0!")
    assert shown[13, 0] == "Ж" + LONG


@BOTH
def test_formulas_are_told_with_their_results(name: str) -> None:
    document = read(name)
    shown, held = cells(document), details(document)
    expected = formulas(Tokens(12 if name.endswith("b") else 8))
    told = {place: held[place].formula for place in expected if place in held and held[place].formula}
    assert told == {place: formula for place, (_, _, _, formula) in expected.items() if formula}
    assert {place: held[place].formula for place in SHARED} == SHARED
    assert (shown[3, 2], shown[5, 2], shown[7, 2], shown[9, 2], shown[10, 2]) == ("3700.5", "no", "x", "40a", "TRUE")
    assert shown[11, 2] == "1"  # a formula that cannot be read keeps its result
    assert not any(cell.state for cell in held.values())


@BOTH
def test_names_comments_links_and_choices_are_there(name: str) -> None:
    document = read(name)
    assert [part.name for part in document.parts] == ["Sales", "Rates & Co", "Secret", "Aside"]
    (defined,) = [note for note in document.parts[1].blocks if isinstance(note, Note)]
    assert (defined.anchor, defined.text) == ("Rate", "Rate = 'Rates & Co'!$B$1")
    assert [(note.text, note.author, note.target) for note in notes(document, "comment")] == [
        ("Checked twice", "Ada", "B2")
    ]
    (choices,) = notes(document, "form")
    assert choices.target == "A2:A3"
    assert choices.text == f"Allowed values: {CHOICES.replace(',', ', ')}\nWhere: Pick a region"
    assert [note.text for note in notes(document, "header") if not note.target] == ["Sales [Page] of [Pages]"]
    assert details(document)[1, 0].link == LINK
    (table, *_) = [block for block in document.parts[0].blocks if isinstance(block, Table)]
    assert table.header_rows == 1
    blocks = [block for block in document.parts[0].blocks if isinstance(block, Table)]
    merges = {
        (block.first_row + m.row, block.first_col + m.col, m.rows, m.cols) for block in blocks for m in block.merges
    }
    assert (13, 1, 1, 3) in merges
    assert [(span.kind, span.start) for span in details(document)[13, 1].spans] == [("bold", 5)]


@BOTH
def test_what_is_hidden_is_said(name: str) -> None:
    document = read(name)
    assert [part.hidden for part in document.parts] == [False, False, True, True]
    assert [part.metadata.get("state", "") for part in document.parts] == ["", "", "veryHidden", "hidden"]
    (table, *_) = [block for block in document.parts[0].blocks if isinstance(block, Table)]
    assert table.hidden_rows == (2,)
    told = [notice.message for notice in document.notices if notice.code == "hidden_content"]
    assert "The sheet Sales has 1 hidden row and 1 hidden column." in told
    assert any(span.kind == "hidden" for span in details(document)[14, 0].spans)  # white on white


def test_a_chart_of_an_xls_has_its_data_and_a_picture_its_bytes() -> None:
    document = read("book.xls")
    chart = next(one.chart for one in document.embedded if one.chart is not None)
    assert (chart.type, chart.title, chart.categories) == ("bar", "Revenue by region", ("North", "South"))
    assert chart.y_title == "Euros"
    assert [(series.name, series.values) for series in chart.series] == [("Revenue", (1200.5, 2500.0))]
    (image,) = [one for one in document.embedded if one.kind == "image"]
    opened = XLSX.open_embedded(Source.of_bytes(xls(), "book.xls"), image.ref, PLAIN)
    assert (opened.data, opened.media_type) == (PNG, "image/png")


@pytest.mark.parametrize(
    ("record", "values", "kind", "grouping"),
    [
        (0x1017, (0, 150, 0), "column", "clustered"), (0x1017, (0, 150, 2), "column", "stacked"),
        (0x1017, (0, 150, 7), "bar", "percentStacked"), (0x1018, (0, 0, 0), "line", ""),
        (0x1018, (1, 0, 0), "line", "stacked"), (0x101A, (3, 0, 0), "area", "percentStacked"),
        (0x1019, (0, 0, 0), "pie", ""), (0x1019, (0, 50, 0), "doughnut", ""), (0x1061, (1, 0, 0), "pie", ""),
        (0x103E, (0, 0, 0), "radar", ""), (0x1040, (0, 0, 0), "radar", ""), (0x103F, (0, 0, 0), "surface", ""),
    ],
)  # fmt: skip
def test_charts_of_an_xls_are_of_their_kinds(
    record: int, values: tuple[int, int, int], kind: str, grouping: str
) -> None:
    bars = struct.pack("<HHhHH", 0x1017, 6, 0, 150, 1)
    assert xls_stream().count(bars) == 1
    stream = xls_stream().replace(bars, struct.pack("<HHhHH", record, 6, *values))
    document = XLSX.parse(Source.of_bytes(compound_file({"Workbook": stream}), "book.xls"), PLAIN)
    chart = next(one.chart for one in document.embedded if one.chart is not None)
    assert (chart.type, chart.grouping) == (kind, grouping)
    assert [(series.name, series.values) for series in chart.series] == [("Revenue", (1200.5, 2500.0))]


def test_what_is_written_in_charts_of_an_xls_and_over_those_that_are_sheets_is_read() -> None:
    """The head of a page of a chart on a sheet is none of that sheet."""
    document = XLSX.parse(Source.of_bytes(xls_of_charts(), "book.xls"), PLAIN)
    assert [part.name for part in document.parts] == ["Data", "Chart1"]
    assert [one.chart.title for one in document.embedded if one.chart is not None] == ["Revenue by region"] * 2
    first, second = ([(one.kind, one.text) for one in part.blocks if isinstance(one, Note)] for part in document.parts)
    assert first == [("textbox", "Said in the first")]
    assert second == [("textbox", "Said in the second"), ("header", "Head of a chart"), ("footer", "Foot of a chart")]


def test_a_workbook_of_excel_95_is_read_like_those_after_it() -> None:
    document = XLSX.parse(Source.of_bytes(xls5(), "old.xls"), PLAIN)
    shown, held = cells(document), details(document)
    assert [part.name for part in document.parts] == ["Umsätze", "Kurse"]
    assert [shown[row, 0] for row in range(4)] == ["Größe", "Süd", "Nord", "Summe"]
    assert [shown[row, 1] for row in range(1, 8)] == [
        "1,200.50 EUR", "30.00 EUR", "1230.5", "1538.125", "Süd!", "31.12.2024", "#DIV/0!",
    ]  # fmt: skip
    assert shown[7, 0] == "TRUE"
    assert [held[row, 1].formula for row in (3, 4, 5)] == ["=SUM(B2:B3)", "=Kurse!B1*B4", '=A2&"!"']
    (table, *_) = [block for block in document.parts[0].blocks if isinstance(block, Table)]
    assert table.hidden_rows == (2,)


def test_a_pivot_cache_of_an_xlsb_is_told_and_its_records_are_a_sheet() -> None:
    document = XLSX.parse(Source.of_bytes(xlsb_with_pivot(), "book.xlsb"), PLAIN)
    (told,) = [note for note in notes(document, "annotation") if note.text.startswith("Pivot")]
    assert told.target == "F4:G7"
    assert told.text.splitlines() == [
        "Pivot table Sales by shop", "Rows: Shop", "Values: Sum", "Pivot cache from Gone!A1:C5", "Shop: Aa, Bb",
        "Other fields: Sold, Day",
    ]  # fmt: skip
    records = document.parts[-1]
    assert (records.metadata["kind"], records.metadata["source"]) == ("pivotCache", "Gone!A1:C5")
    (table,) = [block for block in records.blocks if isinstance(block, Table)]
    assert table.rows == (
        ("Shop", "Sold", "Day"), ("Bb", "12.5", "2024-01-31"), ("Aa", "3", "2024-02-01"), ("Bb", "4", ""),
    )  # fmt: skip


def test_cells_of_an_xlsb_show_their_rich_values() -> None:
    structures = '<s><k n="errorType"/></s><s><k n="%EntityId"/><k n="_DisplayString"/></s>'
    values = '<rv s="0"><v>8</v></rv><rv s="1"><v>7</v><v>Emden &amp; Leer</v></rv>'
    document = XLSX.parse(Source.of_bytes(xlsb_with_rich_values(structures, values), "book.xlsb"), PLAIN)
    (table, *_) = [block for block in document.parts[1].blocks if isinstance(block, Table)]
    assert table.rows == (("seen", "#SPILL!", "#VALUE!", "Emden & Leer"),)


def test_screen_tips_and_edges_of_single_pages_of_an_xls_are_told() -> None:
    document = read("book.xls")
    assert [note.text for note in notes(document, "annotation") if note.target == "A2"] == ["Opens the map"]
    edges = notes(document, "header") + notes(document, "footer")
    assert [(note.text, note.target) for note in edges if note.target] == [
        ("Even", "even pages"),
        ("First", "first page"),
    ]


@BOTH
@pytest.mark.parametrize("frozen", [0, 1])
def test_a_row_that_stays_in_view_heads_its_table(name: str, frozen: int) -> None:
    data = (xls if name.endswith(".xls") else xlsb)(frozen)
    document = XLSX.parse(Source.of_bytes(data, name), PLAIN)
    (table,) = [block for block in document.parts[1].blocks if isinstance(block, Table)]
    assert (table.rows, table.header_rows) == ((("USD per EUR", "1.25"),), frozen)


def test_what_cannot_be_read_says_why() -> None:
    stream = xls_stream()
    locked = stream[:20] + struct.pack("<HH", 0x2F, 6) + bytes(6) + stream[20:]
    with pytest.raises(EncryptedError, match="password"):
        XLSX.parse(Source.of_bytes(compound_file({"Workbook": locked}), "a.xls"), PLAIN)
    with pytest.raises(DamagedError, match="no sheets"):
        XLSX.parse(
            Source.of_bytes(compound_file({"Book": struct.pack("<HHHHH", 0x409, 6, 4, 0x20, 0)}), "a.xls"), PLAIN
        )
    with pytest.raises(DamagedError, match="holds no workbook"):
        XLSX.parse(Source.of_bytes(compound_file({"Other": b"x"}), "a.xls"), PLAIN)


def test_a_stream_cut_anywhere_gives_a_workbook_or_a_sentence() -> None:
    stream = xls_stream()
    read_whole = 0
    for end in range(40, len(stream), 613):
        try:
            document = XLSX.parse(Source.of_bytes(compound_file({"Workbook": stream[:end]}), "a.xls"), PLAIN)
        except FormatError as error:
            assert str(error)
            continue
        read_whole += "Total revenue" in cells(document).values()
    assert read_whole > 1


async def test_an_old_workbook_is_asked_like_a_new_one(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "old.xls").write_bytes(xls())
    (files / "binary.xlsb").write_bytes(xlsb())

    async def main() -> None:
        indexed = in_process(files, tmp_path / "data", limits=PLAIN)
        async with indexed as (_, server, _), Client(server, mode="auto") as client:
            for slug in ("old", "binary"):
                found = await client.call_tool("explain_cell", {"uri": f"document://{slug}", "label": "total revenue"})
                answer = found.structured_content
                assert answer is not None
                assert (answer["cell"], answer["formula"], answer["value"]) == ("Sales!C4", "=SUM(C2:C3)", "3700.5")
                assert [user["cell"] for user in answer["used_by"]] == ["D4", "C5"]
                rows = await client.call_tool(
                    "query_tables", {"sql": f"SELECT region, revenue FROM {slug}__sales WHERE revenue > 2000"}
                )
                assert "| Total revenue | 3700.5 |" in text_of(rows)
                assert "left out: 1 × hidden row (row 3)" in text_of(rows)

    await main()


def test_a_damaged_theme_costs_its_colours_alone() -> None:
    theme = make_zip({"theme/theme/theme1.xml": b"<theme>" + b"colours " * 300 + b"</theme>"})
    spoiled = theme[:70] + b"\xff" * 8 + theme[78:]
    source = Source.of_bytes(styled_xls(("Seen", "Also"), 10, theme=spoiled), "a.xls")
    document = XLSX.parse(source, PLAIN)
    assert "Also" in str(document.parts[0].blocks)


def data_table(
    inputs: bytes, flags: int, results: Sequence[float], *, asked: bool, limits: Limits = PLAIN
) -> ParsedDocument:
    """A workbook with texts in A1 and A2 and a data table down from C4, whose cells have those results."""
    made = b""
    for row, result in enumerate(results, 3):
        cell = struct.pack("<HHHdHIH", row, 2, 0, result, asked, 0, 5) + struct.pack("<BHH", 2, 3, 2)
        made += struct.pack("<HH", 0x06, len(cell)) + cell
        if row == 3:  # the table stands behind its first cell
            area = struct.pack("<HHBBH", 3, 2 + len(results), 2, 2, flags) + inputs
            made += struct.pack("<HH", 0x236, len(area)) + area
    return XLSX.parse(Source.of_bytes(styled_xls(("Seen", "Also"), 10, condition=made), "a.xls"), limits)


@pytest.mark.parametrize(
    ("inputs", "flags", "formula"),
    [
        (struct.pack("<HHHH", 6, 1, 0, 0), 0, "{=TABLE(,B7)}"),
        (struct.pack("<HHHH", 6, 1, 0, 0), 4, "{=TABLE(B7,)}"),
        (struct.pack("<HHHH", 6, 1, 7, 2), 8, "{=TABLE(B7,C8)}"),
        (struct.pack("<IHI", 6, 1, 0), 0, "{=TABLE(,B7)}"),
        (struct.pack("<IHIH", 6, 1, 7, 2), 8, "{=TABLE(B7,C8)}"),
    ],
)
def test_data_tables_of_an_xls(inputs: bytes, flags: int, formula: str) -> None:
    found = data_table(inputs, flags, (4.5, 0.0), asked=True)
    assert (details(found)[3, 2].formula, details(found)[3, 2].array) == (formula, "C4:C5")
    assert (cells(found)[3, 2], cells(found)[4, 2]) == ("4.5", "0")


def test_zeros_of_a_data_table_that_was_never_calculated_are_no_results() -> None:
    inputs = struct.pack("<IHI", 6, 1, 0)
    found = data_table(inputs, 0, (0.0, 0.0), asked=True)
    assert details(found)[3, 2].state == "not_computed"
    assert (3, 2) not in cells(found)
    assert "without a stored result" in "".join(notice.message for notice in found.notices)
    calculated = data_table(inputs, 0, (0.0, 0.0), asked=False)
    assert (cells(calculated)[3, 2], details(calculated)[3, 2].state) == ("0", "")


@pytest.mark.tool("soffice")
def test_data_tables_that_libreoffice_misreads_are_not_calculated_by_it() -> None:
    for inputs, flags, state in (
        (struct.pack("<IHIH", 6, 1, 7, 2), 8, "not_computed"),
        (struct.pack("<IHI", 6, 0, 0), 4, "recalculated"),
    ):
        found = data_table(inputs, flags, (0.0,), asked=True, limits=Limits())
        assert details(found)[3, 2].state == state
