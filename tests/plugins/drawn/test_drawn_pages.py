"""Pages, slides and sheets drawn by ourselves, where no LibreOffice is: what stands where, what is not drawn, and that
no word of a document is ever code."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any

import pptx as library
import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
import pytest
from mcp import Client
from mcp.types import BlobResourceContents, ImageContent
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.util import Pt
from sidecar_charts.drawing import draw_chart
from sidecar_docx.plugin import DocxFormat
from sidecar_pptx.plugin import PptxFormat
from sidecar_render.pages.drawing import draw_pages
from sidecar_xlsx.plugin import XlsxFormat
from support.clients.harness import ERAS, in_process, picture, text_of

from sidecar.api import Limits, NotFoundError, Payload, Source
from sidecar.server.reading.drawing import PictureOptions, convert
from sidecar.toolkit.drawn.model import (
    ChartItem,
    PageDrawing,
    PictureItem,
    ShapeItem,
    TableItem,
    TextParagraph,
    TextRun,
)
from sidecar.toolkit.programs.libreoffice import find_soffice

WITHOUT_LIBREOFFICE = pytest.mark.skipif(find_soffice() is not None, reason="here LibreOffice draws")
HOSTILE = '#read("/etc/passwd") #eval("1+1") \\ " $x$ #import "@preview/x:1.0.0" <b> */ // `raw` @ref _a_ *b*'


def deck() -> Any:
    """A slide with a red box, a green ellipse, a picture, a table, a chart and a hostile sentence."""
    found = library.Presentation()
    slide: Any = found.slides.add_slide(found.slide_layouts[5])
    slide.shapes.title.text = "Quarterly figures"
    for kind, box, colour in (
        (MSO_SHAPE.RECTANGLE, (36, 144, 100, 72), (255, 0, 0)),
        (MSO_SHAPE.OVAL, (180, 144, 100, 72), (0, 128, 0)),
    ):
        shape = slide.shapes.add_shape(kind, *map(Pt, box))
        shape.fill.solid()
        shape.fill.fore_color.rgb = RGBColor(*colour)
        shape.line.fill.background()
    slide.shapes.add_picture(io.BytesIO(picture()), Pt(324), Pt(144), Pt(128), Pt(64))
    table = slide.shapes.add_table(2, 2, Pt(36), Pt(252), Pt(200), Pt(60)).table
    table.cell(0, 0).text, table.cell(1, 1).text = "Region", "12 %"
    data = CategoryChartData()
    data.categories = ["Q1", "Q2"]
    data.add_series("Sales", (3.0, 5.0))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Pt(324), Pt(252), Pt(300), Pt(200), data)
    words = slide.shapes.add_textbox(Pt(36), Pt(460), Pt(640), Pt(60)).text_frame
    words.word_wrap, words.text = True, HOSTILE
    return found


def saved(found: Any) -> Source:
    out = io.BytesIO()
    found.save(out)
    return Source.of_bytes(out.getvalue(), "figures.pptx")


def drawn(drawing: PageDrawing) -> tuple[Image.Image, str, str]:
    """The first page at one pixel a point, its words, and what is said of it."""
    data, said = draw_pages(drawing, draw_chart)  # pyright: ignore[reportArgumentType]
    page = pypdfium2.PdfDocument(data)[0]
    return page.render(scale=1).to_pil().convert("RGB"), words_of(page), said


def words_of(page: pypdfium2.PdfPage) -> str:
    """Its text, without what stands where a long word may break."""
    return page.get_textpage().get_text_bounded().replace("\u200b", "")


def test_a_slide_is_laid_out_at_its_real_geometry() -> None:
    laid = PptxFormat().layout(saved(deck()), 1, Limits())
    assert (laid.width, laid.height) == (720, 540)
    assert [item.box for item in laid.items if isinstance(item, PictureItem)] == [(324, 144, 452, 208)]
    (chart,) = [item for item in laid.items if isinstance(item, ChartItem)]
    assert chart.box == (324, 252, 624, 452)
    assert chart.chart.series[0].values == (3.0, 5.0)
    (table,) = [item for item in laid.items if isinstance(item, TableItem)]
    assert table.columns == (100, 100)
    assert [cell.body.paragraphs[0].runs[0].text for cell in table.cells if cell.body.paragraphs[:1]] == [
        "Region",
        "12 %",
    ]
    title = next(item for item in laid.items if isinstance(item, ShapeItem) and item.body is not None)
    assert title.box[2] - title.box[0] == 648  # the layout's place, which the slide does not repeat
    assert title.body is not None
    assert title.body.paragraphs[0].align == "center"


def test_a_slide_shows_its_shapes_at_their_places_and_words_are_never_code() -> None:
    image, words, said = drawn(PptxFormat().layout(saved(deck()), 1, Limits()))
    assert image.size == (720, 540)
    assert image.getpixel((86, 180)) == (255, 0, 0)
    assert image.getpixel((230, 180)) == (0, 128, 0)
    assert image.getpixel((182, 146)) == (255, 255, 255)  # a corner that the ellipse leaves
    assert "Quarterly figures" in words
    assert "Region" in words
    assert HOSTILE in " ".join(words.split())
    assert "root:" not in words
    assert "Not drawn" not in said


def test_a_word_longer_than_its_cell_breaks_within_it() -> None:
    found = library.Presentation()
    slide: Any = found.slides.add_slide(found.slide_layouts[6])
    table = slide.shapes.add_table(1, 2, Pt(36), Pt(36), Pt(200), Pt(60)).table
    table.cell(0, 0).text = "1b92870d-e3b5-4e65-8153-919f4ff45592"
    data, _ = draw_pages(PptxFormat().layout(saved(found), 1, Limits()), draw_chart)  # pyright: ignore[reportArgumentType]
    text = pypdfium2.PdfDocument(data)[0].get_textpage()
    rights = [text.get_charbox(at)[2] for at in range(text.count_chars())]
    assert 100 < max(rights) < 136, "the first of two columns of 100 points"


def test_text_that_a_box_has_no_room_for_is_set_smaller() -> None:
    found = library.Presentation()
    slide: Any = found.slides.add_slide(found.slide_layouts[6])
    box = slide.shapes.add_textbox(Pt(100), Pt(100), Pt(200), Pt(60)).text_frame
    box.word_wrap = True
    box.auto_size = MSO_AUTO_SIZE.TEXT_TO_FIT_SHAPE
    box.text = "words " * 60
    image, _, _ = drawn(PptxFormat().layout(saved(found), 1, Limits()))
    dark = image.convert("L").point([255] * 128 + [0] * 128).getbbox()
    assert dark is not None
    assert dark[1] >= 100
    assert dark[3] <= 165


def test_what_cannot_be_drawn_is_counted_and_its_place_kept() -> None:
    broken = PictureItem(box=(10, 10, 60, 60), data=b"\xd7\xcd\xc6\x9a" + b"\0" * 40, alt="logo")
    drawing = PageDrawing(width=100, height=100, items=(broken, broken), omitted=("1 OLE object",))
    _, words, said = drawn(drawing)
    assert "logo" in words
    assert said == "Not drawn: 1 OLE object, 2 WMF pictures."


def test_text_that_flows_fills_pages() -> None:
    paragraph = TextParagraph(runs=(TextRun(text=HOSTILE + " and so on", size=14),), after=6)
    data, _ = draw_pages(PageDrawing(width=300, height=200, flow=(paragraph,) * 12), None)
    assert len(pypdfium2.PdfDocument(data)) > 3


def test_a_slide_that_is_not_there() -> None:
    with pytest.raises(NotFoundError, match="has 1 slides; there is no slide 2"):
        PptxFormat().layout(saved(deck()), 2, Limits())


@WITHOUT_LIBREOFFICE
@pytest.mark.parametrize("era", ERAS)
async def test_clients_are_shown_slides_and_elements_and_told_who_drew_them(tmp_path: Path, era: str) -> None:
    files = tmp_path / "files"
    files.mkdir()
    deck().save(files / "figures.pptx")
    async with in_process(files, tmp_path / "data") as (_, server, _), Client(server, mode=era) as client:
        answer = await client.call_tool("get_page_image", {"document_slug": "figures", "page_number": 1})
        assert not answer.is_error, text_of(answer)
        assert "Drawn by DocSidecar, not by PowerPoint" in text_of(answer)
        (shown,) = [block for block in answer.content if isinstance(block, ImageContent)]
        assert shown.mime_type == "image/png"
        found = await client.call_tool("search_visual_elements", {"query": "Region Sales"})
        labels = [entry["element_label"] for entry in (found.structured_content or {})["results"]]
        assert labels
        for label in labels:
            arguments = {"document_slug": "figures", "element_label": label}
            element = await client.call_tool("get_element_image", arguments)
            assert any(isinstance(block, ImageContent) for block in element.content), text_of(element)
        (content,) = (await client.read_resource("slide://figures/1.png?size=400")).contents
        assert isinstance(content, BlobResourceContents)
        assert "not by PowerPoint" in (content.meta or {})["docsidecar/drawn"]


@WITHOUT_LIBREOFFICE
async def test_a_slide_drawn_once_is_shown_again_without_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, ran = tmp_path / "files", list[str]()
    files.mkdir()
    deck().save(files / "figures.pptx")
    async with in_process(files, tmp_path / "data") as (application, server, _), Client(server) as client:
        original = application.workers.run

        async def counting(target: str, *arguments: Any, **more: Any) -> Any:
            ran.append(target)
            return await original(target, *arguments, **more)

        monkeypatch.setattr(application.workers, "run", counting)
        shown: list[object] = []
        for _ in range(3):
            (content,) = (await client.read_resource("slide://figures/1.png?size=400")).contents
            assert isinstance(content, BlobResourceContents)
            shown.append((content.blob, (content.meta or {})["docsidecar/drawn"]))
        assert shown[1:] == shown[:1] * 2
        drawing = [target for target in ran if target.startswith("sidecar.server.reading.drawing:")]
        assert drawing == [f"sidecar.server.reading.drawing:{name}" for name in ("draw_part", "lay_out_part")]


def workbook() -> Source:
    """A sheet with a wide column, a filled and framed heading over merged cells, numbers, a picture and a chart."""
    import openpyxl
    from openpyxl.chart import BarChart, Reference
    from openpyxl.drawing.image import Image as Drawn
    from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

    book: Any = openpyxl.Workbook()
    sheet = book.active
    sheet.column_dimensions["A"].width = 30
    sheet.row_dimensions[1].height = 40
    sheet["A1"] = "Regions"
    sheet["A1"].font = Font(bold=True, color="FFFFFFFF", size=14)
    sheet["A1"].fill = PatternFill("solid", fgColor="FF0000FF")
    sheet["A1"].alignment = Alignment(horizontal="center", vertical="center")
    sheet.merge_cells("A1:B1")
    sheet["A2"], sheet["B2"] = HOSTILE, 1234.5
    sheet["B2"].number_format = '#,##0.00 "€"'
    sheet["B2"].border = Border(bottom=Side("thick", color="FFFF0000"))
    sheet["A2"].alignment = Alignment(wrap_text=True)
    sheet.row_dimensions[2].height = 60
    sheet.add_image(Drawn(io.BytesIO(picture())), "A5")
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=2, max_row=2))
    sheet.add_chart(chart, "D2")
    out = io.BytesIO()
    book.save(out)
    return Source.of_bytes(out.getvalue(), "regions.xlsx")


def test_a_sheet_is_a_grid_with_its_looks() -> None:
    image, words, said = drawn(XlsxFormat().layout(workbook(), 1, Limits()))
    assert image.getpixel((40, 20)) == (0, 0, 255)  # A1, right of the row numbers and below the letters
    assert image.getpixel((230, 20)) == (0, 0, 255)  # B1, merged with it
    red = [image.getpixel((220, y)) for y in range(100, 125)]
    assert any(isinstance(at, tuple) and at[0] > 200 and at[1] < 120 for at in red)  # the border below B2
    assert "Regions" in words
    assert "1,234.50 €" in words
    assert "".join(HOSTILE.split()) in "".join(words.split())
    assert said == "Drawn by DocSidecar, not by a spreadsheet program."


def test_pictures_and_charts_stand_at_their_cells() -> None:
    laid = XlsxFormat().layout(workbook(), 1, Limits())
    (shown,) = [item for item in laid.items if isinstance(item, PictureItem)]
    assert shown.box[0] == 32
    assert shown.box[2] - shown.box[0] == pytest.approx(48)  # 64 pixels
    (chart,) = [item for item in laid.items if isinstance(item, ChartItem)]
    assert chart.box[0] > 250
    assert chart.chart.series[0].values == (1234.5,)


def test_a_long_sheet_says_what_of_it_is_shown() -> None:
    import openpyxl

    book: Any = openpyxl.Workbook()
    for row in range(500):
        book.active.append([row, f"name {row}"])
    out = io.BytesIO()
    book.save(out)
    _, words, said = drawn(XlsxFormat().layout(Source.of_bytes(out.getvalue(), "long.xlsx"), 1, Limits()))
    assert "name 79" in words
    assert "name 80" not in words
    assert said.endswith("It shows A1:B80 of A1:B500.")


def report() -> Source:
    """A Word document on a small page: heading, words in bold, a list, a table, a picture, a running head, and more."""
    import docx
    from docx.shared import Pt as Points

    document: Any = docx.Document()
    section = document.sections[0]
    section.page_width, section.page_height = Points(400), Points(500)
    section.left_margin = section.right_margin = Points(50)
    section.header.paragraphs[0].text = "Annual report"
    document.add_heading("Results", 1)
    document.add_paragraph("We sold ").add_run("twelve").bold = True
    document.add_paragraph("first point", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    table.cell(0, 0).text, table.cell(1, 1).text = "Region", "North"
    document.add_picture(io.BytesIO(picture()))
    document.add_paragraph(HOSTILE)
    for number in range(60):
        document.add_paragraph(f"Paragraph {number} of many.")
    out = io.BytesIO()
    document.save(out)
    return Source.of_bytes(out.getvalue(), "report.docx")


def test_a_word_document_is_typeset_on_its_own_page() -> None:
    laid = DocxFormat().layout(report(), 1, Limits())
    image, words, said = drawn(laid)
    assert image.size == (400, 500)
    for expected in ("Annual report", "Results", "We sold twelve", "first point", "Region", "North"):
        assert expected in words
    assert said == "Typeset by DocSidecar, not as the application breaks it: do not cite page numbers from it."
    (sold,) = [item for item in laid.flow if isinstance(item, TextParagraph) and item.runs[1:]]
    assert [run.bold for run in sold.runs] == [False, True]
    data, _ = draw_pages(laid, None)
    pages = pypdfium2.PdfDocument(data)
    every = "".join("".join(words_of(page).split()) for page in pages)
    assert "".join(HOSTILE.split()) in every
    assert "Paragraph59ofmany." in every


@WITHOUT_LIBREOFFICE
async def test_clients_are_shown_word_pages_and_sheets(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "report.docx").write_bytes(report().read())
    (files / "regions.xlsx").write_bytes(workbook().read())
    async with in_process(files, tmp_path / "data") as (_, server, _), Client(server, mode="auto") as client:
        for slug, page, told in (("report", 2, "do not cite page numbers"), ("regions", 1, "Drawn by DocSidecar")):
            answer = await client.call_tool("get_page_image", {"document_slug": slug, "page_number": page})
            assert any(isinstance(block, ImageContent) for block in answer.content), text_of(answer)
            assert told in text_of(answer)
        beyond = await client.call_tool("get_page_image", {"document_slug": "report", "page_number": 99})
        assert beyond.is_error
        assert "pages when drawn; there is no page 99" in text_of(beyond)


def metafile() -> bytes:
    """An EMF ([MS-EMF] 2.3) of 40 by 20 millimetres: a red rectangle over its left half, a blue one over its right."""

    def record(kind: int, *numbers: int) -> bytes:
        return struct.pack(f"<II{len(numbers)}i", kind, 8 + 4 * len(numbers), *numbers)

    body = b""
    for handle, colour, left in ((1, 0x0000FF, 0), (2, 0xFF0000, 400)):
        body += record(39, handle, 0, colour, 0)  # EMR_CREATEBRUSHINDIRECT: solid, 0x00BBGGRR
        body += record(37, handle) + record(43, left, 0, left + 400, 400)  # EMR_SELECTOBJECT, EMR_RECTANGLE
    body += record(14, 0, 0, 20)  # EMR_EOF
    size, records = 88 + len(body), 8
    header = struct.pack("<II8i4sIIIHHIII4i", 1, 88, 0, 0, 799, 399, 0, 0, 4000, 2000, b" EMF", 0x10000, size, records,
                         3, 0, 0, 0, 0, 800, 400, 40, 20)  # fmt: skip
    return header + body


@pytest.mark.tool("soffice")
def test_what_is_drawn_of_a_metafile_is_what_it_holds() -> None:
    made = convert(Payload(metafile(), "image/emf", "bars.emf"), PictureOptions(format="png"), Limits())
    image = Image.open(io.BytesIO(made.data)).convert("RGB")
    assert image.width / image.height == pytest.approx(2, rel=0.1)
    assert image.getpixel((image.width // 4, image.height // 2)) == (255, 0, 0)
    assert image.getpixel((image.width * 3 // 4, image.height // 2)) == (0, 0, 255)


def test_a_metafile_on_a_slide_is_a_box_with_its_description() -> None:
    """Where the engine cannot draw it, its place is kept and it is named."""
    drawing = PageDrawing(width=100, height=60, items=(PictureItem(box=(0, 0, 90, 50), data=metafile(), alt="bars"),))
    _, words, said = drawn(drawing)
    assert "bars" in words
    assert said == "Not drawn: 1 EMF picture."
