"""What libraries write into workbooks that spreadsheet programs do not: charts of dates without formats, Excel tables
beside lists, links on pictures, cells without text."""

# ruff: noqa: E501  (markup reads best with one element a line)

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import xlsxwriter
from sidecar_odf import OdfFormat
from sidecar_xlsx import XlsxFormat
from support.office.docx_files import packed

from sidecar.api import EmbedKind, Limits, Note, ParsedDocument, Source, Table

_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{full}:1.0"'
    for name, full in (("office", "office"), ("table", "table"), ("text", "text"), ("draw", "drawing"), ("presentation", "presentation"), ("svg", "svg-compatible"))
) + ' xmlns:xlink="http://www.w3.org/1999/xlink"'  # fmt: skip


def read(path: Path) -> ParsedDocument:
    return XlsxFormat().parse(Source.of(path), Limits())


def notes(document: ParsedDocument) -> set[tuple[str, str]]:
    return {(note.target, note.text) for note in document.parts[0].blocks if isinstance(note, Note)}


def tables(document: ParsedDocument) -> list[Table]:
    return [block for block in document.parts[0].blocks if isinstance(block, Table)]


def open_document(kind: str, body: str) -> bytes:
    content = f"<office:document-content {_ODF}><office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    return packed({"mimetype": f"application/vnd.oasis.opendocument.{kind}", "content.xml": content})


@pytest.mark.parametrize("kind", ["line", "scatter"])
def test_dates_under_a_chart_are_shown_as_their_cells_are(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Log")
        day = book.add_format({"num_format": "d mmm yyyy"})
        for row, serial in enumerate((45320, 45321)):
            sheet.write_number(row, 0, serial, day)
            sheet.write_number(row, 1, row + 0.5)
        chart = book.add_chart({"type": kind})
        assert chart is not None
        chart.add_series({"categories": "=Log!$A$1:$A$2", "values": "=Log!$B$1:$B$2"})
        sheet.insert_chart("D1", chart)
    embeds: dict[EmbedKind, object] = {embed.kind: embed.chart for embed in read(path).embedded}
    assert "29 Jan 2024" in repr(embeds["chart"])
    assert "45320" not in repr(embeds["chart"])


def rewritten(path: Path, change: Callable[[str, bytes], bytes], more: Mapping[str, str]) -> bytes:
    with zipfile.ZipFile(path) as package:
        kept = {name: change(name, package.read(name)) for name in package.namelist()}
    return packed({**kept, **more})


def bars(path: Path) -> None:
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Log")
        sheet.write_column("A1", ["North", "South"])
        sheet.write_column("B1", [1.5, 2.25])
        chart = book.add_chart({"type": "column"})
        assert chart is not None
        chart.add_series({"categories": "=Log!$A$1:$A$2", "values": "=Log!$B$1:$B$2"})
        sheet.insert_chart("D1", chart)


def test_numbers_that_a_chart_does_not_repeat_are_those_of_its_cells(tmp_path: Path) -> None:
    """As Go's excelize writes them: a cache with neither points nor their count."""
    bars(tmp_path / "a.xlsx")

    def bare(name: str, data: bytes) -> bytes:
        if "charts/chart" not in name:
            return data
        return re.sub(rb"<c:(num|str)Cache>.*?</c:\1Cache>", rb"<c:\1Cache></c:\1Cache>", data)

    document = XlsxFormat().parse(Source.of_bytes(rewritten(tmp_path / "a.xlsx", bare, {}), "a.xlsx"), Limits())
    (chart,) = (embed.chart for embed in document.embedded if embed.chart is not None)
    assert (chart.categories, chart.series[0].values) == (("North", "South"), (1.5, 2.25))


def test_filters_that_stand_on_a_sheet_are_told_with_their_field(tmp_path: Path) -> None:
    bars(tmp_path / "a.xlsx")
    kinds = "http://schemas.microsoft.com/office/2007/relationships"
    rels = '<Relationship Id="rIdS{}" Type="' + kinds + '/{}" Target="{}"/></Relationships>'
    fallback = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        '<mc:Choice xmlns:sle="http://schemas.microsoft.com/office/drawing/2012/slicer" Requires="sle"><xdr:graphicFrame>'
        '<a:graphic><a:graphicData uri="u"><sle:slicer name="Region 1"/></a:graphicData></a:graphic></xdr:graphicFrame></mc:Choice>'
        "<mc:Fallback><xdr:sp><xdr:txBody><a:p><a:r><a:t>Slicers are not supported.</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
        "</mc:Fallback></mc:AlternateContent><xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>"
    )
    anchor = "<xdr:oneCellAnchor><xdr:from><xdr:col>5</xdr:col><xdr:row>1</xdr:row></xdr:from>"

    def linked(name: str, data: bytes) -> bytes:
        if name == "xl/_rels/workbook.xml.rels":
            return data.replace(b"</Relationships>", rels.format(1, "slicerCache", "slicerCaches/c.xml").encode())
        if name == "xl/worksheets/_rels/sheet1.xml.rels":
            return data.replace(b"</Relationships>", rels.format(2, "slicer", "../slicers/s.xml").encode())
        return data.replace(b"</xdr:wsDr>", (anchor + fallback).encode())

    space = 'xmlns="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"'
    more = {
        "xl/slicers/s.xml": f'<slicers {space}><slicer name="Region 1" cache="C" caption="Choose"/></slicers>',
        "xl/slicerCaches/c.xml": f'<slicerCacheDefinition {space} name="C" sourceName="Region"/>',
    }
    data = rewritten(tmp_path / "a.xlsx", linked, more)
    found = notes(XlsxFormat().parse(Source.of_bytes(data, "a.xlsx"), Limits()))
    assert found == {("Region 1", "Slicer: Choose (field Region)")}


def test_links_of_pictures_and_boxes_and_what_is_said_of_tables_stand_at_their_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        sheet.write("A1", "x")
        sheet.insert_textbox("C3", "Stop", {"url": "https://example.org/stop", "tip": "Where trams stop"})
        sheet.insert_textbox("C9", "Go", {"url": "internal:Sheet1!A1"})
        sheet.add_table("A3:B5", {"title": "Stops", "description": "of line 7", "columns": [{"header": "a"}]})
    found = notes(read(path))
    assert ("C3", "https://example.org/stop — Where trams stop") in found
    assert ("C9", "#Sheet1!A1") in found
    assert ("A3:B5", "Stops: of line 7") in found


def list_beside_table(path: Path, *, frozen: bool) -> list[Table]:
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        if frozen:
            sheet.freeze_panes(1, 0)
        for row, line in enumerate((("Name", "Town"), ("Ada", "Bonn"), ("Bo", "Ulm"), ("Cy", "Kiel"), ("Di", "Gera"))):
            sheet.write_row(row, 0, line)
        sheet.add_table("F3:I4", {"data": [["a", "b", "c", 1]]})
    return tables(read(path))


def test_an_excel_table_beside_a_list_does_not_part_the_list_from_its_heading(tmp_path: Path) -> None:
    (whole,) = list_beside_table(tmp_path / "a.xlsx", frozen=False)
    assert [row[:2] for row in whole.rows][:3] == [("Name", "Town"), ("Ada", "Bonn"), ("Bo", "Ulm")]


@pytest.mark.parametrize(("frozen", "heads"), [(True, 1), (False, 0)])
def test_rows_that_stay_in_view_head_their_table(tmp_path: Path, *, frozen: bool, heads: int) -> None:
    assert list_beside_table(tmp_path / "a.xlsx", frozen=frozen)[0].header_rows == heads


def test_an_excel_table_under_a_title_begins_a_block_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        sheet.write("A1", "Takings of the year")
        sheet.add_table(
            "A2:B4", {"columns": [{"header": "Town"}, {"header": "Sum"}], "data": [["Bonn", 1], ["Ulm", 2]]}
        )
    assert [(table.rows[0][0], table.header_rows) for table in tables(read(path))] == [
        ("Takings of the year", 0),
        ("Town", 1),
    ]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ('office:value-type="time" office:time-value="PT30H05M00S"', "30:05:00"),
        ('office:value-type="time" office:time-value="PT7M2.5S"', "00:07:02"),
        ('office:value-type="time" office:time-value="soon"', "soon"),
        ('office:value-type="date" office:date-value="2024-01-29T13:45:00"', "2024-01-29 13:45:00"),
        ('office:value-type="boolean" office:boolean-value="true"', "TRUE"),
        ('office:value-type="float" office:value="2.5"', "2.5"),
    ],
)
def test_values_without_text_are_shown_as_people_write_them(value: str, shown: str) -> None:
    body = f'<table:table table:name="S"><table:table-row><table:table-cell {value}/></table:table-row></table:table>'
    document = XlsxFormat().parse(Source.of_bytes(open_document("spreadsheet", body), "a.ods"), Limits())
    assert tables(document)[0].rows == ((shown,),)


def test_boxes_without_a_class_on_a_page_of_notes_are_notes() -> None:
    def frame(words: str, more: str = "") -> str:
        return f"<draw:frame {more}><draw:text-box><text:p>{words}</text:p></draw:text-box></draw:frame>"

    edge = frame("Edge", 'presentation:class="header"')
    page = f'<draw:page draw:name="One">{frame("Words")}<presentation:notes>{frame("Say it.")}{edge}</presentation:notes></draw:page>'
    document = OdfFormat().parse(Source.of_bytes(open_document("presentation", page), "a.odp"), Limits())
    assert [block.text for block in document.parts[0].blocks if isinstance(block, Note)] == ["Say it."]


def test_what_is_said_of_shapes_and_tables_of_a_slide_and_where_pictures_lead_stands_beside_them() -> None:
    table = "<table:table><table:table-row><table:table-cell><text:p>Cod</text:p></table:table-cell><table:table-cell><text:p>9</text:p></table:table-cell></table:table-row></table:table>"
    page = (
        f'<draw:page draw:name="One"><draw:frame>{table}<svg:desc>Catch of the day</svg:desc></draw:frame>'
        "<draw:ellipse><svg:title>Sign</svg:title><svg:desc>round</svg:desc><text:p>Stop</text:p></draw:ellipse>"
        '<draw:a xlink:href="https://example.org/quay"><draw:frame><draw:image xlink:href="no.png"/><svg:desc>The quay</svg:desc></draw:frame></draw:a></draw:page>'
    )
    document = OdfFormat().parse(Source.of_bytes(open_document("presentation", page), "a.odp"), Limits())
    assert notes(document) == {
        ("Cod 9", "Catch of the day"), ("Stop", "Sign round"), ("The quay", "https://example.org/quay"),
    }  # fmt: skip
