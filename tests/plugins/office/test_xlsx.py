"""The spreadsheet plugin through its public surface: detection, damage, limits, layout, and the other formats."""

# ruff: noqa: E501  (markup reads best with one element a line)

from __future__ import annotations

import sys

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sidecar_xlsx import XlsxFormat
from sidecar_xlsx.cells.references import SharedFormula, sheet_ranges
from sidecar_xlsx.sheet.notes import header_text
from support.formats.corpus import DOCS
from support.office.docx_files import packed
from support.trials.xlsx_trial import NS, relationships, trial_parts

from sidecar.api import (
    DamagedError,
    DrawsPictures,
    EncryptedError,
    FormatError,
    FormatPlugin,
    LimitError,
    Limits,
    Note,
    NotFoundError,
    ParsedDocument,
    Source,
    Table,
    UnavailableError,
)
from sidecar.toolkit.cell_references import CellRange, cell_name, parse_cell, parse_range

SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
Parts = dict[str, str | bytes]


def book(sheet: str, **more: str) -> Parts:
    """A workbook of one sheet, `sheet` being the inside of its `worksheet` element."""
    return {
        "_rels/.rels": relationships(("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook {NS}><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relationships(("rId1", "worksheet", "worksheets/sheet1.xml")),
        "xl/worksheets/sheet1.xml": f"<worksheet {NS}>{sheet}</worksheet>",
        **more,
    }


def parse(parts: Parts, limits: Limits | None = None) -> ParsedDocument:
    return XlsxFormat().parse(Source.of_bytes(packed(parts), "book.xlsx"), limits or Limits())


def tables(document: ParsedDocument, part: int = 1) -> list[Table]:
    return [block for block in document.parts[part - 1].blocks if isinstance(block, Table)]


def cell(name: str, text: str) -> str:
    return f'<c r="{name}" t="inlineStr"><is><t>{text}</t></is></c>'


def codes(document: ParsedDocument) -> set[str]:
    return {notice.code for notice in document.notices}


@pytest.mark.parametrize(("base", "day"), [("0", "2020-03-12"), ("1", "2024-03-13")])
def test_bounds_of_days_and_times_are_said_as_such(base: str, day: str) -> None:
    rules = (
        '<dataValidations><dataValidation type="date" operator="greaterThan" sqref="A1"><formula1>43902</formula1>'
        '</dataValidation><dataValidation type="time" sqref="A2"><formula1>0.375</formula1><formula2>B1</formula2>'
        "</dataValidation></dataValidations>"
    )
    parts = book(f'<sheetData><row r="1">{cell("A1", "x")}</row></sheetData>{rules}')
    main = str(parts["xl/workbook.xml"])
    parts["xl/workbook.xml"] = main.replace("<sheets>", f'<workbookPr date1904="{base}"/><sheets>')
    notes = [block.text for block in parse(parts).parts[0].blocks if isinstance(block, Note)]
    assert notes == [f"Allowed date: greater than {day}", "Allowed time: between 09:00:00 and B1"]


def test_it_is_a_format_plugin_judging_by_content() -> None:
    plugin = XlsxFormat()
    assert isinstance(plugin, FormatPlugin)
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    assert plugin.score(Source.of_bytes(packed(trial_parts()), "a.xlsx")) >= 60
    assert plugin.score(Source.of_bytes(packed({"word/document.xml": "<d/>"}), "a.xlsx")) == 0
    assert plugin.score(Source.of_bytes(packed({"xl/workbook.xml": "<w/>"}), "nameless")) == 100
    assert plugin.score(Source.of_bytes(ole, "a.xls")) == 60
    assert plugin.score(Source.of_bytes(ole, "a.doc")) == 0
    assert plugin.score(Source.of_bytes(b"<table><tr><td>1</td></tr></table>", "a.xls")) < 50
    assert plugin.score(Source.of_bytes(b"", "a.txt")) == 0


@pytest.mark.parametrize(
    "data", [b"", b"PK", b"PK\x03\x04" + bytes(50), b"text", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(9)]
)
def test_bytes_that_are_no_workbook_are_damaged(data: bytes) -> None:
    with pytest.raises(DamagedError):
        XlsxFormat().parse(Source.of_bytes(data, "a.xlsx"), Limits())


def test_password_protected_package_is_encrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    """And is told without the reader of older files, which takes longer to load than a hundred workbooks to be read."""
    monkeypatch.setitem(sys.modules, "sidecar_xlsx.binary.xls.package", None)  # so that importing it fails
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(EncryptedError):
        XlsxFormat().parse(Source.of_bytes(data, "a.xlsx"), Limits())


def test_other_office_files_are_refused() -> None:
    parts: Parts = {
        "_rels/.rels": relationships(("rId1", "officeDocument", "word/document.xml")),
        "word/document.xml": "<d/>",
    }
    with pytest.raises(DamagedError, match="not a workbook"):
        parse(parts)


OPTIONAL = sorted(
    name for name in trial_parts() if name not in ("xl/workbook.xml", "[Content_Types].xml", "_rels/.rels")
)


@pytest.mark.parametrize("name", OPTIONAL)
@pytest.mark.parametrize("body", [b"", b"<broken", b"\xff\xfe\x00", b"<a><b></a>"])
def test_a_damaged_part_costs_that_part_only(name: str, body: bytes) -> None:
    parts = trial_parts()
    parts[name] = body
    document = parse(parts)
    assert len(document.parts) == 5 or "rels" in name
    text = msgspec.json.encode(document).decode()
    if name != "xl/worksheets/sheet4.xml" and "workbook.xml.rels" not in name:
        assert "zqveryhiddenqz" in text


@pytest.mark.parametrize(
    "name", ["xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/comments1.xml", "xl/styles.xml"]
)
def test_damage_is_remarked(name: str) -> None:
    parts = trial_parts()
    parts[name] = b"\0\1\2"
    assert "damaged_part" in codes(parse(parts))


def test_cells_whose_text_is_not_in_the_table_of_texts_are_counted() -> None:
    cells = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>7</v></c></row>'
    strings = f"<sst {NS}><si><t>here</t></si>"  # its end is missing
    document = parse(book(f"<sheetData>{cells}</sheetData>", **{"xl/sharedStrings.xml": strings}))
    assert [one.message for one in document.notices] == [
        "The texts of 2 cells are lost: the workbook's table of texts is damaged."
    ]


def test_sheet_cut_short_keeps_its_whole_rows() -> None:
    parts = book("")
    parts["xl/worksheets/sheet1.xml"] = (
        f'<worksheet {NS}><sheetData><row r="1">{cell("A1", "kept")}</row><row r="2">{cell("A2", "kept too")}</row><row r="3"><c r="A3'
    )
    document = parse(parts)
    assert tables(document)[0].rows == (("kept",), ("kept too",))
    assert "damaged_part" in codes(document)


def test_cells_on_a_diagonal_take_no_place_for_every_cell_left_of_them() -> None:
    names = [cell_name(at, at) for at in range(3000)]
    rows = "".join(f'<row r="{at}">{cell(name, name)}</row>' for at, name in enumerate(names, 1))
    found = tables(parse(book(f"<sheetData>{rows}</sheetData>")))
    assert sum(len(row) for table in found for row in table.rows) < 200 * len(names)
    places = {
        text: cell_name(table.first_row + row, table.first_col + col)
        for table in found for row, texts in enumerate(table.rows) for col, text in enumerate(texts) if text
    }  # fmt: skip
    assert places == {name: name for name in names}


def test_merges_over_others_are_left_out() -> None:
    rows = "".join(f'<row r="{at}">{cell(f"A{at}", "a")}{cell(f"C{at}", "c")}</row>' for at in range(1, 7))
    merges = "".join(f'<mergeCell ref="{area}"/>' for area in ("A1:B2", "B2:C3", "A1:C6", "A4:B4", "C1:C2", "B5:C6"))
    found = tables(parse(book(f"<sheetData>{rows}</sheetData><mergeCells>{merges}</mergeCells>")))[0]
    assert {(m.row, m.col, m.rows, m.cols) for m in found.merges} == {
        (0, 0, 2, 2), (3, 0, 1, 2), (0, 2, 2, 1), (4, 1, 2, 2),
    }  # fmt: skip


def test_references_outside_a_sheet_are_ignored() -> None:
    rows = (
        f'<row r="1">{cell("ZZZ1", "far")}{cell("A1", "near")}</row><row r="99999999"><c r="A99999999"><v>1</v></c></row>'
        '<row r="2"><c r="A2" t="s"><v>7</v></c><c r="B2" s="999"><v>5</v></c><c r="C2" t="s"><v>x</v></c></row>'
    )
    document = parse(book(f'<sheetData>{rows}</sheetData><mergeCells><mergeCell ref="A1:ZZZ9"/></mergeCells>'))
    assert tables(document)[0].rows == (("near",), ("", "5"))


def test_rows_out_of_order_and_twice_are_all_kept() -> None:
    rows = "".join(f'<row r="{row}">{cell(f"A{row}", text)}</row>' for row, text in ((3, "c"), (1, "a"), (3, "again")))
    found = {
        text for table in tables(parse(book(f"<sheetData>{rows}</sheetData>"))) for row in table.rows for text in row
    }
    assert {"a", "c", "again"} <= found


def test_cells_out_of_order_take_their_places() -> None:
    row = f'<row r="1">{cell("D1", "d")}{cell("B1", "b")}{cell("C1", "c")}</row>'
    table = tables(parse(book(f"<sheetData>{row}</sheetData>")))[0]
    assert (table.first_col, table.rows) == (1, (("b", "c", "d"),))


def test_long_sheet_comes_in_windows_with_one_heading() -> None:
    rows = "".join(
        f'<row r="{i}">{cell(f"A{i}", "name" if i == 1 else "n")}{cell(f"B{i}", "x")}</row>' for i in range(1, 601)
    )
    found = tables(parse(book(f"<sheetData>{rows}</sheetData>")))
    assert [(t.first_row, len(t.rows), t.header_rows) for t in found] == [(0, 256, 1), (256, 256, 0), (512, 88, 0)]


def test_far_columns_become_blocks_of_their_own() -> None:
    rows = "".join(f'<row r="{i}">{cell(f"A{i}", "a")}{cell(f"XFD{i}", "z")}</row>' for i in range(1, 4))
    found = tables(parse(book(f"<sheetData>{rows}</sheetData>")))
    assert [(t.first_col, t.rows) for t in found] == [(0, (("a",),) * 3), (16383, (("z",),) * 3)]


def test_formatted_but_empty_cells_are_not_data() -> None:
    rows = '<row r="5"><c r="C5" s="1"/><c r="D5"><v>1</v></c><c r="E5" s="1"/></row><row r="1048576"><c r="A1048576" s="1"/></row>'
    document = parse(book(f"<sheetData>{rows}</sheetData>"))
    assert document.parts[0].metadata["range"] == "D5:D5"


def test_merge_over_two_windows_is_in_both() -> None:
    rows = "".join(f'<row r="{i}">{cell(f"A{i}", "x")}</row>' for i in range(1, 301))
    found = tables(parse(book(f'<sheetData>{rows}</sheetData><mergeCells><mergeCell ref="A250:A260"/></mergeCells>')))
    assert [[(m.row, m.rows) for m in table.merges] for table in found] == [[(249, 7)], [(0, 4)]]


def test_shared_formula_used_before_its_master() -> None:
    rows = (
        '<row r="1"><c r="A1"><f t="shared" si="0"/><v>1</v></c></row>'
        '<row r="2"><c r="A2"><f t="shared" ref="A1:A2" si="0">B2+1</f><v>2</v></c></row>'
    )
    cells = tables(parse(book(f"<sheetData>{rows}</sheetData>")))[0].cells
    assert [c.formula for c in cells] == ["=B1+1", "=B2+1"]


@pytest.mark.parametrize(
    ("formula", "moved"),
    [
        ("A1+$B$2", "B3+$B$2"), ("SUM(A1:C3)", "SUM(B3:D5)"), ('"A1"&A1', '"A1"&B3'), ("'A1 b'!A1", "'A1 b'!B3"),
        ("LOG10(A1)", "LOG10(B3)"), ("A:A", "B:B"), ("1:1", "3:3"), ("$A1", "$A3"), ("T[Col1]+A$1", "T[Col1]+B$1"),
        ("AB1!C3", "AB1!D5"), ("name1x+A1", "name1x+B3"), ("XFD1", "A3"),
    ],
)  # fmt: skip
def test_formula_moves_as_excel_fills_it(formula: str, moved: str) -> None:
    assert SharedFormula(formula, 0, 0).at(2, 1) == moved


def test_references_are_read_as_written() -> None:
    assert parse_cell("$B$7") == (6, 1)
    assert parse_range("B7:A1") == CellRange(0, 0, 6, 1)
    assert parse_range("XFE1") is None
    assert parse_range("A0") is None
    assert cell_name(0, 16383) == "XFD1"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("&LLeft&CMid&RRight", "Left | Mid | Right"),
        ("R&&D && more", "R&D & more"),
        ('&"Arial,Regular"&10&K01+000Words', "Words"),
        ("&P/&N", "[Page]/[Pages]"),
    ],
)
def test_header_code_in_words(code: str, text: str) -> None:
    assert header_text(code) == text


def test_text_limit_stops_with_a_notice() -> None:
    rows = "".join(f'<row r="{i}">{cell(f"A{i}", "x" * 50)}</row>' for i in range(1, 101))
    document = parse(book(f"<sheetData>{rows}</sheetData>"), Limits(max_text_chars=1000))
    assert "truncated_at" in codes(document)
    assert sum(len(table.rows) for table in tables(document)) < 30


def test_bomb_is_refused() -> None:
    parts = book(f"<sheetData>{' ' * 20_000_000}</sheetData>")
    with pytest.raises(LimitError):
        parse(parts)


def test_strict_and_utf16_sheets_are_read() -> None:
    parts = book("")
    strict = "http://purl.oclc.org/ooxml/spreadsheetml/main"
    parts["xl/worksheets/sheet1.xml"] = (
        f'<worksheet xmlns="{strict}"><sheetData><row r="1"><c r="A1" t="d"><v>2020-03-12</v></c></row></sheetData></worksheet>'
    )
    assert tables(parse(parts))[0].rows == (("2020-03-12",),)
    parts["xl/worksheets/sheet1.xml"] = (
        f'<?xml version="1.0" encoding="UTF-16"?><worksheet {NS}><sheetData><row r="1">{cell("A1", "wide ü")}</row></sheetData></worksheet>'.encode(
            "utf-16"
        )
    )
    assert tables(parse(parts))[0].rows == (("wide ü",),)


def four_sheets() -> bytes:
    """Visible, hidden, empty, and visible again, the last one much wider than high."""
    names = (("One", ""), ("Off", ' state="hidden"'), ("Void", ""), ("Two", ""))
    sheets = "".join(f'<sheet name="{n}" sheetId="{i}"{state} r:id="rId{i}"/>' for i, (n, state) in enumerate(names, 1))
    wide = "".join(cell(f"{column}1", "wide") for column in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    high = "".join(f'<row r="{i}">{cell(f"A{i}", "high")}</row>' for i in range(1, 60))
    bodies = (high, high, "", f'<row r="1">{wide}</row>')
    parts = book("")
    parts["xl/workbook.xml"] = f"<workbook {NS}><sheets>{sheets}</sheets></workbook>"
    parts["xl/_rels/workbook.xml.rels"] = relationships(
        *((f"rId{i}", "worksheet", f"worksheets/sheet{i}.xml") for i in range(1, 5))
    )
    for i, body in enumerate(bodies, 1):
        parts[f"xl/worksheets/sheet{i}.xml"] = f"<worksheet {NS}><sheetData>{body}</sheetData></worksheet>"
    types = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{SHEET_TYPE}.worksheet+xml"/>'
        for i in range(1, 5)
    )
    parts["[Content_Types].xml"] = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{SHEET_TYPE}.sheet.main+xml"/>{types}</Types>'
    )
    return packed(parts)


@pytest.mark.tool("soffice")
def test_sheets_are_drawn_one_page_each() -> None:
    plugin, source = XlsxFormat(), Source.of_bytes(four_sheets(), "four.xlsx")
    assert isinstance(plugin, DrawsPictures)
    first, last = plugin.picture(source, 1, 72, Limits()), plugin.picture(source, 4, 72, Limits())
    assert first.media_type == "image/png"
    assert first.height > first.width
    assert last.width > last.height


def test_sheet_that_is_empty_or_not_there_has_no_picture() -> None:
    plugin, source = XlsxFormat(), Source.of_bytes(four_sheets(), "four.xlsx")
    with pytest.raises(UnavailableError, match="empty"):
        plugin.picture(source, 3, 72, Limits())
    with pytest.raises(NotFoundError):
        plugin.picture(source, 5, 72, Limits())


ODS_NS = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{full}:1.0"'
    for name, full in (("office", "office"), ("table", "table"), ("text", "text"), ("style", "style"), ("draw", "drawing"))
)  # fmt: skip


def ods(body: str, styles: str = "") -> ParsedDocument:
    parts: Parts = {
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "content.xml": f"<office:document-content {ODS_NS}><office:automatic-styles>"
        '<style:style style:name="off"><style:table-properties table:display="false"/></style:style>'
        f"</office:automatic-styles><office:body><office:spreadsheet>{body}</office:spreadsheet></office:body>"
        "</office:document-content>",
    }
    if styles:
        parts["styles.xml"] = f"<office:document-styles {ODS_NS}>{styles}</office:document-styles>"
    return XlsxFormat().parse(Source.of_bytes(packed(parts), "a.ods"), Limits())


def test_named_ranges_of_an_ods_are_tables_of_that_name() -> None:
    rows = "".join(
        f'<table:table-row><table:table-cell office:value-type="string"><text:p>{left}</text:p></table:table-cell>'
        f'<table:table-cell office:value-type="string"><text:p>{right}</text:p></table:table-cell></table:table-row>'
        for left, right in (("Bird", "Seen"), ("Weka", "7"), ("Kea", "2"))
    )
    ranges = "".join(
        f'<table:database-range table:name="{name}" table:target-range-address="Sheet.A1:Sheet.B3"/>'
        for name in ("Birds", "__Anonymous_Sheet_DB__0")
    )
    document = ods(
        f'<table:table table:name="Sheet">{rows}</table:table><table:database-ranges>{ranges}</table:database-ranges>'
    )
    assert [(block.name, block.header_rows) for block in tables(document)] == [("Birds", 1)]


def test_a_usual_width_of_none_hides_the_columns_without_one_of_their_own() -> None:
    sheet = (
        '<sheetFormatPr defaultColWidth="0"/><cols><col min="1" max="1" width="9"/></cols><sheetData><row r="1">'
        + cell("A1", "seen") + cell("B1", "unseen") + "</row></sheetData>"
    )  # fmt: skip
    (found,) = tables(parse(book(sheet)))
    assert found.hidden_cols == (1,)


def test_ods_tells_heads_of_pages_and_what_cells_may_hold() -> None:
    rule = (
        '<table:content-validations><table:content-validation table:name="v" table:condition="of:cell-content-is-in-list'
        '(&quot;yes&quot;)"><table:help-message table:title="Choose"><text:p>One of them</text:p></table:help-message>'
        "<table:error-message><text:p>Not so</text:p></table:error-message></table:content-validation></table:content-validations>"
    )
    cell = '<table:table-cell table:content-validation-name="v"><text:p>yes</text:p></table:table-cell>'
    page = (
        '<office:master-styles><style:master-page style:name="Default"><style:header><text:p>Secret of Kakapo Ltd</text:p>'
        "</style:header><style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer>"
        "</style:master-page></office:master-styles>"
    )
    row = f"<table:table-row>{cell * 30}</table:table-row>"
    notes = [
        block
        for block in ods(f'{rule}<table:table table:name="A">{row}</table:table>', page).parts[0].blocks
        if isinstance(block, Note)
    ]
    assert [(note.kind, note.text) for note in notes] == [
        ("form", 'Allowed: cell-content-is-in-list("yes"); Choose: One of them; Not so'), ("header", "Secret of Kakapo Ltd"),
    ]  # fmt: skip
    assert notes[0].target.startswith("A1 B1 C1 ")
    assert notes[0].target.endswith("T1 …")


def test_ods_shows_text_value_formula_comment_and_repeats() -> None:
    document = ods(
        '<table:table table:name="One"><table:table-row>'
        '<table:table-cell office:value-type="float" office:value="1234.5" table:formula="of:=[.B1]*2"><text:p>1,234.50 €</text:p></table:table-cell>'
        '<table:table-cell table:number-columns-repeated="2"><text:p>a<text:s text:c="2"/>b</text:p></table:table-cell>'
        '<table:table-cell><office:annotation xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0" loext:resolved="true"><text:p>remark</text:p></office:annotation><text:p>c</text:p></table:table-cell>'
        '<table:table-cell table:number-columns-repeated="16380"/></table:table-row>'
        '<table:table-row table:number-rows-repeated="1048575"><table:table-cell/></table:table-row></table:table>'
        '<table:table table:name="Two" table:style-name="off"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>'
    )
    table = tables(document)[0]
    assert table.rows == (("1,234.50 €", "a  b", "a  b", "c"),)
    assert (table.cells[0].value, table.cells[0].formula) == (1234.5, "=B1*2")
    (remark,) = (block for block in document.parts[0].blocks if isinstance(block, Note))
    assert (remark.text, remark.resolved) == ("remark", True)
    assert [part.hidden for part in document.parts] == [False, True]


def test_ods_controls_of_forms_show_what_they_say_at_their_place() -> None:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{kind}:1.0"'
        for name, kind in (("form", "form"), ("draw", "drawing"))
    )
    found = ods(
        f'<table:table {spaces} table:name="One"><office:forms><form:form><form:button form:id="a" form:label="Send"/>'
        '<form:checkbox xml:id="b" form:name="Paid" form:label="is paid" form:current-state="checked"/></form:form>'
        '</office:forms><table:table-row><table:table-cell><draw:control draw:control="a"/><text:p>x</text:p>'
        '</table:table-cell><table:table-cell><draw:control draw:control="b"/></table:table-cell></table:table-row></table:table>'
    )
    notes = [block for block in found.parts[0].blocks if isinstance(block, Note)]
    assert [(note.kind, note.target, note.text) for note in notes] == [
        ("form", "A1", "Send"), ("form", "B1, Paid", "☑ is paid"),
    ]  # fmt: skip


def test_ods_a_row_repeated_to_the_end_of_the_sheet_is_bounded_and_said() -> None:
    row = (
        '<table:table-row table:number-rows-repeated="1048576">'
        '<table:table-cell table:number-columns-repeated="16384"><text:p>1</text:p></table:table-cell></table:table-row>'
    )
    found = ods(f'<table:table table:name="One">{row}</table:table>')
    assert 16_384 <= sum(len(row) for table in tables(found) for row in table.rows) < 200_000
    assert [(notice.code, notice.message[:29]) for notice in found.notices] == [
        ("truncated_at", "One repeats cells without end"),
    ]  # fmt: skip


def test_ods_cells_that_a_program_wrote_without_showing_them_have_their_values() -> None:
    found = ods(
        '<table:table table:name="One"><table:table-row>'
        '<table:table-cell office:value-type="float" office:value="42" table:formula="of:=6*7"><text:p/></table:table-cell>'
        '<table:table-cell office:value-type="date" office:date-value="2024-05-01"/>'
        '<table:table-cell office:value-type="float" office:value="9" table:style-name="hides"><text:p/></table:table-cell>'
        "<table:table-cell><text:p>end</text:p></table:table-cell></table:table-row></table:table>"
    )
    assert tables(found)[0].rows == (("42", "2024-05-01", "", "end"),)


@settings(max_examples=60)
@given(st.sampled_from(OPTIONAL), st.integers(0, 5000), st.binary(max_size=20))
def test_any_damage_gives_a_document_or_a_format_error(name: str, at: int, noise: bytes) -> None:
    parts = trial_parts()
    body = parts[name]
    data = body.encode() if isinstance(body, str) else body
    at %= len(data) + 1
    parts[name] = data[:at] + noise + data[at + len(noise) :]
    try:
        document = parse(parts)
    except FormatError:
        return
    assert document.parts
    for element in document.elements:
        assert 1 <= element.block <= len(document.parts[element.part - 1].blocks)


@pytest.mark.corpus
def test_every_workbook_of_the_corpus_is_read_or_refused_for_a_reason() -> None:
    plugin = XlsxFormat()
    refused: dict[str, str] = {}
    for path in sorted(DOCS.rglob("*")):
        if path.suffix.lower() in plugin.suffixes and path.is_file():
            try:
                document = plugin.parse(Source.of(path), Limits())
            except FormatError as error:
                refused[path.name] = error.state
            else:
                assert document.parts, path.name
    assert set(refused.values()) <= {"damaged", "encrypted"}
    assert len(refused) < 12, refused


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["any_sheets.xls", "any_sheets.xlsb", "any_sheets.ods", "any_sheets.xlsx"])
def test_one_workbook_reads_alike_in_four_formats(name: str) -> None:
    path = next(DOCS.rglob(name))
    document = XlsxFormat().parse(Source.of(path), Limits())
    states = {part.name: part.hidden for part in document.parts}
    assert states["Visible"] is False
    assert states["Hidden"] is True


def test_what_is_said_of_a_shape_without_a_picture_stands_beside_its_words() -> None:
    svg = "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
    drawing = "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
    shape = (
        f'<draw:custom-shape xmlns:draw="{drawing}"><svg:desc xmlns:svg="{svg}">A red box</svg:desc>'
        "<text:p>Stop</text:p></draw:custom-shape>"
    )
    cell = f"<table:table-cell><text:p>x</text:p>{shape}</table:table-cell>"
    document = ods(f'<table:table table:name="S"><table:table-row>{cell}</table:table-row></table:table>')
    notes = [(block.kind, block.text, block.target) for block in document.parts[0].blocks if isinstance(block, Note)]
    assert notes == [("textbox", "Stop", "A1"), ("annotation", "A red box", "A1")]


def test_formulas_made_to_be_slow_are_read_at_once() -> None:
    """Names of sheets without their mark, brackets that nobody closes: time grew with the square of the letters."""
    assert sheet_ranges("a" * 100_000) == []
    assert [name for name, _ in sheet_ranges("'a b'!$A$1:$B$2,Two!C3")] == ["a b", "Two"]
    assert SharedFormula("A1+" + "[" * 100_000, 0, 0).at(1, 0) == "A2+" + "[" * 100_000
