"""Words drawn over a chart, in workbooks and texts as in presentations."""

from __future__ import annotations

import io
import zipfile

import docx
import openpyxl
from openpyxl.chart import BarChart, Reference
from sidecar_docx import DocxFormat
from sidecar_xlsx import XlsxFormat
from support.formats.plugin_reading import read

from sidecar.api import ParsedDocument

_CHARTS = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_DRAWN = (
    f'<c:userShapes xmlns:c="{_CHARTS}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/chartDrawing"><d:relSizeAnchor><d:sp><d:txBody><a:p><a:r>'
    "<a:t>Best year so far</a:t></a:r></a:p></d:txBody></d:sp></d:relSizeAnchor></c:userShapes>"
)
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="u" Type="{_RELATION}/chartUserShapes" Target="../drawings/over.xml"/></Relationships>'
)


def workbook() -> dict[str, bytes]:
    """The parts of a workbook with a chart."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (["Year", "Sum"], [2023, 1], [2024, 2]):
        sheet.append(row)
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart, "D2")
    out = io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as package:
        return {name: package.read(name) for name in package.namelist()}


def packed(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return out.getvalue()


def drawn_over(parts: dict[str, bytes], folder: str) -> dict[str, bytes]:
    name = f"{folder}/charts/chart1.xml"
    chart = parts[name].replace(b"</c:chart>", b'</c:chart><c:userShapes r:id="u"/>')
    chart = chart.replace(b"</chart>", f'</chart><userShapes xmlns:r="{_RELATION}" r:id="u"/>'.encode())
    more = {f"{folder}/charts/_rels/chart1.xml.rels": _RELATIONS, f"{folder}/drawings/over.xml": _DRAWN}
    return parts | {name: chart} | {key: text.encode() for key, text in more.items()}


def words(document: ParsedDocument) -> tuple[str, ...]:
    [chart] = [one.chart for one in document.embedded if one.chart is not None]
    return chart.texts


def test_in_a_workbook() -> None:
    assert words(read(XlsxFormat(), packed(drawn_over(workbook(), "xl")), "a.xlsx")) == ("Best year so far",)


def test_a_damaged_drawing_costs_no_chart() -> None:
    parts = drawn_over(workbook(), "xl") | {"xl/drawings/over.xml": b"\0"}
    assert words(read(XlsxFormat(), packed(parts), "a.xlsx")) == ()


def test_in_a_text() -> None:
    out = io.BytesIO()
    docx.Document().save(out)
    with zipfile.ZipFile(out) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    parts["word/charts/chart1.xml"] = workbook()["xl/charts/chart1.xml"]
    relations = parts["word/_rels/document.xml.rels"].decode()
    link = f'<Relationship Id="ch" Type="{_RELATION}/chart" Target="charts/chart1.xml"/></Relationships>'
    parts["word/_rels/document.xml.rels"] = relations.replace("</Relationships>", link).encode()
    drawing = (
        '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
        '<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
        f'<a:graphicData uri="{_CHARTS}"><c:chart xmlns:c="{_CHARTS}" xmlns:r="{_RELATION}" r:id="ch"/>'
        "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p><w:sectPr"
    )
    body = parts["word/document.xml"].decode().replace("<w:sectPr", drawing, 1)
    parts["word/document.xml"] = body.encode()
    assert words(read(DocxFormat(), packed(drawn_over(parts, "word")), "a.docx")) == ("Best year so far",)
