"""Sound files for every built-in format plugin, made here: small, but with every kind of thing the format can hold.

`SAMPLES[plugin name]()` gives file names and bytes. Text formats are in `markup_samples`, zip packages written
by hand in `package_samples`; Office files are written by the usual libraries.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import sqlite3
import struct
import tarfile
import zipfile
from collections.abc import Callable

import docx
import openpyxl
import pptx
from contract.containers import make_pdf
from contract.markup_samples import (
    calendar_files,
    csv_files,
    html_files,
    mail_files,
    markdown_files,
    notebook_files,
    rtf_files,
    text_files,
)
from contract.package_samples import epub_files, odf_files
from contract.pictures import PNG
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image as SheetImage
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from support.databases.access_files import AccessTable, access
from support.databases.access_files import text as access_text
from support.databases.arrow_files import PACKED
from support.databases.dbase_tables import dbase
from support.databases.parquet_files import ParquetColumn, parquet, plain_texts
from support.databases.r_files import frame, rds, reals
from support.databases.record_files import (
    avro,
    avro_text,
    portable,
    portable_number,
    portable_string,
    portable_variable,
)
from support.databases.statistics_files import sas, spss, stata, stata_old
from support.formats import djvu_files as djvu
from support.formats import onenote_files as onenote
from support.formats.kindle_books import kindle
from support.formats.rar_files import rar_5
from support.formats.xml_documents import DOCBOOK, EVERNOTE, FICTION, FREEMIND, JATS, MALLARD
from support.formats.xps_files import glyphs, xps
from support.office.hancom_documents import hwpx, paragraph, table
from support.office.iwork_documents import keynote, numbers, pages
from support.office.visio_drawings import connection, shape, visio
from support.office_old.hancom_binary import LEVEL_1, hwp, para, picture
from support.office_old.hancom_binary import table as cells_5
from support.office_old.outlook_data import Attached, Mail, pst
from support.office_old.powerpoint_binary import Slide, box, deck, group, text
from support.office_old.visio_binary import number_field, vsd
from support.office_old.visio_binary import shape as old_shape
from support.office_old.word_binary import Note, Para, Run, WordFile, blip, cells, number
from support.office_old.wordperfect_binary import document_5, document_6
from support.office_old.works_binary import publication, works_4

__all__ = ["SAMPLES"]


def access_files() -> dict[str, bytes]:
    """A database of one table."""
    birds = AccessTable(
        "Birds", [("Name", 10), ("Seen", 4)], [(access_text("Weka"), bytes(4)), (access_text("Kea"), None)]
    )
    return {"birds.mdb": access([birds])}


def works_files() -> dict[str, bytes]:
    """A publication and a text."""
    return {"sale.pub": publication("Spring sale\rAll must go"), "letter.wps": works_4(b"Dear Ann\r\nCome soon")}


def onenote_sections() -> dict[str, bytes]:
    """A section of two pages, stored both ways."""
    lines = [onenote.element(onenote.text("Words")), onenote.element(onenote.picture(PNG, "A picture"))]
    spaces = onenote.section(onenote.page("One", lines), onenote.page("Two", [onenote.element(onenote.text("More"))]))
    return {"notes.one": onenote.stored(spaces), "web.one": onenote.web(spaces)}


def sqlite_files() -> dict[str, bytes]:
    """A database of one table."""
    with contextlib.closing(sqlite3.connect(":memory:")) as made:
        made.execute("CREATE TABLE birds AS SELECT 'Weka' AS name, 2 AS seen")
        made.commit()
        return {"birds.sqlite": made.serialize()}


def xps_files() -> dict[str, bytes]:
    """A document of two pages."""
    return {"sale.xps": xps([glyphs("Spring sale", 10, 20), glyphs("All must go", 10, 20)])}


def wordperfect_files() -> dict[str, bytes]:
    """A text of each of the two generations."""
    return {"letter.wpd": document_6(b"Dear\x80Ann\xcccome\x80soon"), "older.wpd": document_5(b"Dear Ann\ncome soon")}


def dbase_files() -> dict[str, bytes]:
    fields = [("NAME", "C", 20, 0), ("QTY", "N", 8, 2), ("DAY", "D", 8, 0), ("DONE", "L", 1, 0), ("NOTE", "M", 10, 0)]
    records = [(b"Kakap\xf6", b"   12.50", b"20240301", b"T", b"         1"), (b"Gone", b"", b"", b"", b"")]
    return {"birds.dbf": dbase(fields, records, deleted=(1,))}


def parquet_files() -> dict[str, bytes]:
    texts = ParquetColumn("NAME", 6, plain_texts("Kakap\u00f6", "Kiwi"), 2, {6: 0})
    numbers = ParquetColumn("QTY", 1, bytes(8), 2)
    schema = {"type": "record", "name": "Bird", "fields": [{"name": "name", "type": "string"}]}
    return {
        "birds.parquet": parquet([texts, numbers], 2, codec=2, pack=gzip.compress), "birds.feather": PACKED,
        "birds.avro": avro(schema, [avro_text("Kiwi"), avro_text("Weka")]),
    }  # fmt: skip


def djvu_files() -> dict[str, bytes]:
    text = djvu.chunk(b"TXTz", djvu.TEXT)
    pages = [djvu.page(text, djvu.chunk(b"ANTz", djvu.NOTES)), djvu.page(djvu.text("second"))]
    return {"birds.djvu": djvu.document(pages, outline=djvu.OUTLINE)}


def statistics_files() -> dict[str, bytes]:
    """A data set of each program, with texts for values."""
    bird = [("sex", 65530, "%8.0g", "sexes", "Sex"), ("note", 32768, "%9s", "", "")]
    cases = [b"\1" + struct.pack("<HHI", 2, 1, 0)] * 2
    packed = spss([("SEX", 0, 5, "Sex", {bytes(8): b"female"}), ("AT", 12, 1, "", {})], [bytes(8)] * 6, packing=2)
    return {
        "c.rds": rds(frame({"depth": reals(1.5, 2.0, None)})),
        "birds.dta": stata(bird, cases, labels={"sexes": {1: "female"}}, long={(2, 1): "Seen"}),
        "older.dta": stata_old([("sex", 251, "%8.0g", "sexes", "")], [b"\1"], labels={"sexes": {1: "female"}}),
        "birds.sav": packed,
        "birds.por": portable(
            "4"
            + portable_number(1)
            + "5"
            + portable_number(9)
            + portable_variable("NAME", 8, 1, "Bird")
            + "F"
            + portable_string("Kiwi")
            + portable_string("Weka")
        ),
        "birds.sas7bdat": sas([("id", 1, 8, "DATE", "Day"), ("note", 2, 8, "$", "")], [bytes(8) + b"Seen    "]),
    }


def visio_files() -> dict[str, bytes]:
    shapes = shape(1, "Order", y=9) + shape(2, "Paid?", Master="1") + shape(3, "yes")
    page = ("Flow", shapes, connection(3, 1, 2))
    older = vsd(
        [("Flow", old_shape(1, "Order \ufffc", number_field(1.0)) + old_shape(2, None, master=0, of=7))],
        [old_shape(7, "Paid?")],
    )
    return {"flow.vsdx": visio([page], masters={"Decision": shape(1, "Decision")}, picture=PNG), "flow.vsd": older}


def hwpx_files() -> dict[str, bytes]:
    body = paragraph("Plan", look=1) + paragraph("Words") + paragraph(table([["a", "b"], ["c", "d"]], heads=1))
    older = hwp(para("Plan", shape=LEVEL_1) + para("Words", cells_5([["a", "b"]]), picture(1)), picture=PNG)
    return {"plan.hwpx": hwpx(body, paragraph("More", look=3), picture=PNG), "plan.hwp": older}


def pst_files() -> dict[str, bytes]:
    mail = Mail("Plan", "The words.", to=[("Bob", "bob@example.org")], attached=[Attached("note.txt", b"A note.")])
    exported = io.BytesIO()
    with zipfile.ZipFile(exported, "w") as packed:
        packed.writestr("Accounts/a/com.microsoft.__Messages/Inbox/message_00000.xml", _OLM_MESSAGE)
    return {
        "mail.pst": pst({"Inbox": [mail], "Inbox/Old": [Mail("Before", "More words.")]}),
        "mac.olm": exported.getvalue(),
    }  # fmt: skip


_OLM_MESSAGE = (
    "<emails><email><OPFMessageCopySubject>Plan</OPFMessageCopySubject>"
    "<OPFMessageCopyBody>See the zebra.</OPFMessageCopyBody></email></emails>"
)


def xml_files() -> dict[str, bytes]:
    files = {
        "book.fb2": FICTION, "guide.dbk": DOCBOOK, "study.jats": JATS, "help.page": MALLARD, "plan.mm": FREEMIND,
        "notes.enex": EVERNOTE,
    }  # fmt: skip
    files |= {
        "plan.excalidraw": '{"type": "excalidraw", "elements": [{"id": "t", "type": "text", "text": "Order"}]}',
        "plan.canvas": '{"nodes": [{"id": "a", "type": "text", "text": "Order", "x": 0, "y": 0}], "edges": []}',
        "plan.xer": "ERMHDR\t20.12\n%T\tTASK\n%F\ttask_id\ttask_code\ttask_name\n%R\t5\tA100\tDig\n%E\n",
        "flow.dia": (
            '<dia:diagram xmlns:dia="http://www.lysator.liu.se/~alla/dia/"><dia:layer name="Flow"><dia:object id="O0">'
            '<dia:attribute name="text"><dia:string>#Order#</dia:string></dia:attribute></dia:object>'
            "</dia:layer></dia:diagram>"
        ),
    }
    return {name: text.encode() for name, text in files.items()}


def image_files() -> dict[str, bytes]:
    files = {"picture.png": PNG}
    first, second = Image.new("L", (50, 20), 255), Image.new("L", (30, 40), 0)
    out = io.BytesIO()
    first.save(out, "TIFF", save_all=True, append_images=[second])
    files["pages.tif"] = out.getvalue()
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E], exif[0x0110] = "A caption", "The camera"
    Image.new("RGB", (60, 40), (9, 9, 9)).save(out, "JPEG", exif=exif)
    files["photo.jpg"] = out.getvalue()
    drawing = "<title>Drawing</title><text>Words in it</text>"
    files["drawing.svg"] = f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">{drawing}</svg>'.encode()
    return files


def docx_files() -> dict[str, bytes]:
    document = docx.Document()
    document.core_properties.title = "The document"
    document.add_heading("One", 1)
    document.add_paragraph("A paragraph.").add_run(" bold").bold = True
    document.add_paragraph("item", style="List Bullet")
    document.add_heading("Two", 1)
    table = document.add_table(3, 2)
    table.cell(0, 0).text, table.cell(2, 1).text = "a", "z"
    table.cell(0, 0).merge(table.cell(0, 1))
    document.add_picture(io.BytesIO(PNG))
    document.add_paragraph("Figure 1. The picture", style="Caption")
    document.sections[0].header.paragraphs[0].text = "Header"
    out = io.BytesIO()
    document.save(out)
    return {"document.docx": out.getvalue()}


def xlsx_files() -> dict[str, bytes]:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Numbers"
    for row in (["Name", "Amount"], ["a", 1.5], ["b", 2], ["sum", "=SUM(B2:B3)"]):
        sheet.append(row)
    sheet["A2"].comment = Comment("A comment", "Ann")
    sheet.merge_cells("D1:E2")
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart, "G2")
    sheet.add_image(SheetImage(io.BytesIO(PNG)), "G20")
    book.create_sheet("Hidden").sheet_state = "hidden"
    out = io.BytesIO()
    book.save(out)
    return {"book.xlsx": out.getvalue()}


def pptx_files() -> dict[str, bytes]:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    title = slide.shapes.title
    assert title is not None
    title.text = "The slide"
    slide.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table.cell(0, 0).text = "a"
    slide.shapes.add_picture(io.BytesIO(PNG), Inches(1), Inches(4))
    notes = slide.notes_slide.notes_text_frame
    assert notes is not None
    notes.text = "Say it."
    data = CategoryChartData()
    data.categories = ["x", "y"]
    data.add_series("S", (1, 2))
    box = (Inches(5), Inches(4), Inches(3), Inches(2))
    kind = XL_CHART_TYPE.COLUMN_CLUSTERED
    slide.shapes.add_chart(kind, *box, data)  # pyright: ignore[reportArgumentType] (its annotation is too narrow)
    out = io.BytesIO()
    presentation.save(out)
    return {"deck.pptx": out.getvalue()}


def pdf_files() -> dict[str, bytes]:
    return {"paper.pdf": make_pdf(["First page of the paper.", "Second page: Figure 1. Something."])}


def doc_files() -> dict[str, bytes]:
    in_table, special = number(0x2416, 1), number(0x0855, 1)
    row = [Para(["a"], 0, in_table, "\x07"), Para(["z"], 0, in_table, "\x07")]
    row.append(Para([], 0, in_table + number(0x2417, 1) + cells(0, 1000, 2000), "\x07"))
    body = [Para(["One"], 1), Para(["A paragraph", Run("\x02", special), Run(" bold", number(0x0835, 1))]), *row]
    file = WordFile(
        body=[*body, Para(["Two"], 1), Para(["Figure 1. None"], 0)], footnotes=[Note(15, "A note")],
        headers=["", "Header", "", "Footer", "", ""],
    )  # fmt: skip
    return {"old.doc": file.build()}


def ppt_files() -> dict[str, bytes]:
    row = [box((0, 0, 50, 20), text("a"), child=True), box((50, 0, 99, 20), text("z"), child=True)]
    first = Slide(
        [
            box((0, 0, 99, 20), text("The slide", 0)),
            box((0, 30, 99, 60), text("First\rSecond", 1)),
            group((0, 0, 99, 20), *row, table=True),
            box((0, 70, 99, 90), properties={0x4104: 1, 0x0381: "A picture"}),
        ],
        notes=[box((0, 0, 99, 20), text("Say it.", 2))],
    )
    return {"old.ppt": deck([first, Slide([box((0, 0, 99, 20), text("Words"))])], pictures=[blip(PNG)])}


def archive_files() -> dict[str, bytes]:
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("inner/note.txt", "A note.")
        packed.writestr("table.csv", "a,b\n1,2\n")
    with tarfile.open(fileobj=tarred, mode="w") as packed:
        info = tarfile.TarInfo("note.txt")
        info.size = 7
        packed.addfile(info, io.BytesIO(b"A note."))
    rar = rar_5({"note.txt": b"A note. A note. A note.", "more.txt": b"A note and more."}, solid=True)
    page = b"<html><title>Zebras</title><body><p>They run.</p></body></html>"
    web = b"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: https://example.org/\r\nContent-Type: text/html\r\n"
    web += b"Content-Length: %d\r\n\r\n%b\r\n\r\n" % (len(page), page)
    return {
        "files.zip": zipped.getvalue(), "files.tgz": gzip.compress(tarred.getvalue(), mtime=0), "files.rar": rar,
        "pages.warc": web,
    }  # fmt: skip


def iwork_files() -> dict[str, bytes]:
    return {"report.pages": pages(), "talk.key": keynote(), "budget.numbers": numbers()}


SAMPLES: dict[str, Callable[[], dict[str, bytes]]] = {
    "text": text_files,
    "archive": archive_files,
    "calendar": calendar_files,
    "access": access_files,
    "dbase": dbase_files,
    "parquet": parquet_files,
    "statistics": statistics_files,
    "works": works_files,
    "onenote": onenote_sections,
    "sqlite": sqlite_files,
    "xps": xps_files,
    "djvu": djvu_files,
    "wordperfect": wordperfect_files,
    "visio": visio_files,
    "hwpx": hwpx_files,
    "pst": pst_files,
    "xml": xml_files,
    "csv": csv_files,
    "markdown": markdown_files,
    "html": html_files,
    "mail": mail_files,
    "notebook": notebook_files,
    "epub": lambda: epub_files() | {"book.mobi": kindle("<h1>One</h1><p>Some words.</p>", packing="huffman")},
    "odf": odf_files,
    "rtf": rtf_files,
    "image": image_files,
    "docx": docx_files,
    "doc": doc_files,
    "iwork": iwork_files,
    "xlsx": xlsx_files,
    "pptx": pptx_files,
    "ppt": ppt_files,
    "pdf": pdf_files,
}
