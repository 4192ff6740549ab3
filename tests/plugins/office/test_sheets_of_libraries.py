"""What libraries write into workbooks that spreadsheet programs do not: charts of dates without formats, Excel tables
beside lists, links on pictures, cells without text."""

# ruff: noqa: E501  (markup reads best with one element a line)

from __future__ import annotations

from pathlib import Path

import pytest
import xlsxwriter
from sidecar_odf import OdfFormat
from sidecar_xlsx import XlsxFormat
from support.office.docx_files import packed

from sidecar.api import EmbedKind, Limits, Note, ParsedDocument, Source, Table

_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{full}:1.0"'
    for name, full in (("office", "office"), ("table", "table"), ("text", "text"), ("draw", "drawing"), ("presentation", "presentation"))
)  # fmt: skip


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
