"""Words in pictures without any program installed: the networks aboard read scanned pages and picture files, and what
they read becomes paragraphs, headings and tables like the text of any page."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import zlib
from email.message import EmailMessage
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps
from sidecar_image.plugin import ImageFormat
from sidecar_pdf.plugin import PdfFormat
from support.formats.pdf_builder import Pdf, grid, lines, rule, text
from support.formats.plugin_reading import of

from sidecar.api import Figure, Heading, Limits, Paragraph, ParsedDocument, Source, Table
from sidecar.ingest.reading.detect import ReadableFile, detector_of
from sidecar.ingest.reading.files import read_file
from sidecar.ingest.reading.jobs import Job, Loader, Outcome
from sidecar.ingest.reading.pictures import read_recognised
from sidecar.store.documents.records import HEADINGS_APART
from sidecar.toolkit.ocr import picture_reader
from sidecar.toolkit.ocr.recognition import read_line

ABOVE = [
    "The survey of the lower river was carried out in the dry months of the year and the next,",
    "and its soundings were compared with those of the older chart wherever both could be had.",
]
ROWS = [
    ["Station", "Depth", "Volume", "Mean"],
    ["Upper ford", "12.5", "301.75", "0.42"],
    ["Old bridge", "8.25", "1,204.10", "0.51"],
    ["Mill race", "3.0", "96.4", "1.07"],
    ["Lower weir", "14.75", "2,011.0", "0.38"],
    ["Harbour", "22.1", "3,140.5", "0.29"],
]
XS, YS = [72, 180, 260, 340, 420], [640 - 18 * at for at in range(len(ROWS) + 1)]
STYLES = {
    "grid": grid([*map(float, XS)], [*map(float, YS)]),
    "booktabs": "".join(rule(72, y, 420, y) for y in (YS[0], YS[1], YS[-1])),
    "white space": "",
}
SPOKEN = {
    "de": "Für Gärten, Höfe und größere Flächen gelten ermäßigte Sätze; Änderungen prüft die Behörde.",
    "fr": "À la forêt, le château reçoit des élèves: pâtés, crêpes à la crème, maïs grillé, où çà et là.",
}


@pytest.fixture(autouse=True)
def _nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


def drawn(content: str, dpi: int = 150) -> Image.Image:
    """The picture of a page of these operators, in shades of grey. Font W is Helvetica for Western Europe."""
    pdf = Pdf()
    font = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    pdf.page(content, fonts={"W": font})
    picture = PdfFormat().picture(Source.of_bytes(pdf.bytes(), "drawn.pdf"), 1, dpi, Limits())
    return Image.open(io.BytesIO(picture.data)).convert("L")


def scanned(image: Image.Image) -> bytes:
    """A page that is this picture, on letter paper."""
    data = zlib.compress(image.tobytes())
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {image.width} /Height {image.height} /ColorSpace /DeviceGray"
        f" /BitsPerComponent 8 /Filter /FlateDecode /Length {len(data)} >>\nstream\n"
    )
    pdf = Pdf()
    shown = pdf.add(head.encode() + data + b"\nendstream")
    width, height = (792, 612) if image.width > image.height else (612, 792)
    pdf.page(f"q {width} 0 0 {height} 0 0 cm /Im0 Do Q\n", box=f"0 0 {width} {height}", images={"Im0": shown})
    return pdf.bytes()


def parsed(image: Image.Image) -> ParsedDocument:
    return PdfFormat().parse(Source.of_bytes(scanned(image), "scan.pdf"), Limits(ocr=True))


def table_page(style: str) -> str:
    cells = "".join(
        text(XS[column] + 4, YS[at] - 13, cell) for at, row in enumerate(ROWS) for column, cell in enumerate(row)
    )
    caption = text(72, 655, "Table 1. Soundings by station.")
    return lines(72, 720, ABOVE) + caption + cells + STYLES[style] + lines(72, 480, ABOVE)


def assert_is_the_table(document: ParsedDocument) -> None:
    (found,) = of(document, Table)
    assert [list(row) for row in found.rows] == ROWS
    assert [(one.type, one.label) for one in document.elements] == [("table", "Table 1")]
    assert " ".join(ABOVE) in [block.text for block in of(document, Paragraph)]
    assert {notice.code for notice in document.notices} == {"no_text_layer", "ocr"}


@pytest.mark.parametrize("style", STYLES)
def test_a_table_in_a_scan_has_its_rows_and_columns(style: str) -> None:
    document = parsed(drawn(table_page(style)))
    assert_is_the_table(document)
    box = of(document, Table)[0].box
    assert box is not None
    assert (abs(box[0] - 72) < 8, abs(box[1] - 152) < 8, abs(box[3] - 260) < 8) == (True, True, True), box
    assert 360 < box[2] < 428, box  # without rules it ends with its words


def test_a_table_on_a_crooked_scan_has_its_rows_and_columns() -> None:
    assert_is_the_table(parsed(drawn(table_page("grid")).rotate(1.2, Image.Resampling.BICUBIC, fillcolor=255)))


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_scan_that_lies_on_its_side_or_head_is_read(angle: int) -> None:
    assert_is_the_table(parsed(drawn(table_page("booktabs")).rotate(angle, expand=True)))


@pytest.mark.parametrize("language", SPOKEN)
def test_letters_with_marks_are_read(language: str) -> None:
    words = SPOKEN[language].split()
    content = "".join(text(60, 700 - 22 * at, SPOKEN[language], size=12 - at, font="W") for at in range(4))
    found = [block.text for block in of(parsed(drawn(content, 200)), Paragraph)]
    read = " ".join(found).split()
    assert sum(min(read.count(word), 4) for word in set(words)) >= 0.95 * 4 * len(set(words)), found


def test_columns_are_read_one_after_the_other() -> None:
    left = [f"The {name} of the lower river is described" for name in ("course", "bed", "mouth", "valley", "flood")]
    right = [f"Another {name} stands near the older houses" for name in ("bridge", "road", "mill", "gate", "field")]
    document = parsed(drawn(lines(60, 700, left, size=10, lead=14) + lines(320, 700, right, size=10, lead=14)))
    assert [block.text for block in of(document, Paragraph)] == [" ".join(left), " ".join(right)]


def test_narrow_columns_of_a_crooked_scan_are_read_one_after_the_other() -> None:
    things = ("mills", "gates", "roads", "fields", "canals", "weirs", "quays", "locks", "barns", "ferries")
    ages = ("Two", "New", "Old")
    columns = [
        [f"{age} {name} stood near {place}" for age in ages for name in things]
        for place in ("hills", "rivers", "towns")
    ]
    page = drawn("".join(lines(60 + 136 * at, 740 - 3 * at, one, lead=18) for at, one in enumerate(columns)))
    found = of(parsed(page.rotate(1.7, Image.Resampling.BICUBIC, fillcolor=255)), Paragraph)
    assert " ".join(block.text for block in found).split() == " ".join(map(" ".join, columns)).split()


def test_facing_pages_are_read_one_after_the_other() -> None:
    asked = [
        "Which of these services does your country give",
        "to those who live outside of its larger towns,",
        "and who decides whether somebody receives them",
    ]
    left, right = ["Legal advice", "Mediation", "None of them"], ["School meals", "Bus fares", "Other things"]
    shown = lines(40, 740, asked) + text(340, 740, right[0]) + lines(340, 560, asked)
    shown += lines(40, 680, left, lead=40) + lines(340, 680, right[1:], lead=40)
    found = " ".join(block.text for block in of(parsed(drawn(shown)), Paragraph))
    assert found == " ".join([*asked, *left, *right, *asked])


def test_a_picture_file_is_read_column_by_column_and_rows_of_tables_beside_each_other() -> None:
    left = [f"The {name} of the lower river is described" for name in ("course", "bed", "mouth", "valley", "flood")]
    right = [f"Another {name} stands near the older houses" for name in ("bridge", "road", "mill", "gate", "field")]
    shown = lines(60, 700, left) + text(60, 625, "The Flood") + lines(60, 605, left) + lines(320, 706, right * 2)
    rows = ["Depth 12.5", "Width 301"]
    table = "".join(
        text(60, 510 - 12 * at, one.split()[0]) + text(500, 510 - 12 * at, one.split()[1])
        for at, one in enumerate(rows)
    )
    full = [
        "All of the text that stands under both of the columns runs from the one edge of the page to the other one."
    ]
    out = io.BytesIO()
    drawn(shown + lines(60, 525, full) + table, 200).save(out, "PNG")
    document = ImageFormat().parse(Source.of_bytes(out.getvalue(), "page.png"), Limits(ocr=True))
    found = " ".join(" ".join(block.text.split()) for block in of(document, Paragraph))
    assert found == " ".join([*left, "The Flood", *left, *right, *right, *full, *rows])


def test_a_heading_of_a_scan_is_one() -> None:
    content = text(72, 730, "Methods of Survey", size=20) + lines(72, 690, ABOVE * 6)
    document = parsed(drawn(content))
    assert [block.text for block in of(document, Heading)] == ["Methods of Survey"]


def test_what_is_guessed_is_no_heading_for_its_size() -> None:
    page = drawn(text(72, 730, "GRUMMAN", size=20) + lines(72, 690, ABOVE * 6))
    page.paste(ImageOps.flip(page.crop((100, 30, 1200, 160))), (100, 30))  # a sign, as many logos are
    document = parsed(page)
    assert of(document, Heading) == []
    assert " ".join(ABOVE * 6) in [block.text for block in of(document, Paragraph)]


@pytest.mark.parametrize(("line", "shown"), [("NO。5，A：b", "NO.5,A:b"), ("第1章。", "第1章。")])
def test_signs_are_those_of_the_letters_beside_them(line: str, shown: str) -> None:
    characters = ("", *line)
    steps = np.zeros((2 * len(line), len(characters)), np.float32)
    steps[1::2, 0] = 1.0  # none, between two characters
    steps[np.arange(0, 2 * len(line), 2), np.arange(1, len(line) + 1)] = 1.0
    words = read_line(lambda _: steps, Image.new("L", (16 * len(line), 48), 255), characters)
    assert [word.text for word in words] == [shown]


@pytest.mark.parametrize(("wide", "told"), [(12, ["ab", "cd", "8", "64"]), (4, ["ab", "cd", "864"])])
def test_a_blank_that_the_network_leaves_out_is_told_by_the_ink(wide: int, told: list[str]) -> None:
    line, gaps = "ab cd 864", [2, 12, 2, 12, wide, 2]
    characters = ("", *sorted({*line}))
    picture, steps = Image.new("L", (8 * 24, 48), 255), np.zeros((8 * 24, len(characters)), np.float32)
    steps[:, 0] = 0.5
    at, widths = 8, iter(gaps)
    for before, char in zip(" " + line, line, strict=False):
        if char == " ":
            steps[at + 6, characters.index(" ")] = 1.0
            continue
        at += next(widths) if before != " " or at > 8 else 0
        picture.paste(0, (at, 10, at + 10, 38))
        steps[at + 5, characters.index(char)] = 1.0
        at += 10
    assert [word.text for word in read_line(lambda _: steps, picture, characters)] == told


def test_a_picture_file_is_read() -> None:
    out = io.BytesIO()
    drawn(lines(72, 700, ABOVE)).save(out, "PNG")
    document = ImageFormat().parse(Source.of_bytes(out.getvalue(), "photo.png"), Limits(ocr=True))
    assert "\n".join(ABOVE) in [block.text for block in of(document, Paragraph)]
    assert [notice.code for notice in document.notices] == ["ocr"]


def test_a_picture_of_pages_is_read_as_a_scan_of_them() -> None:
    pages = [drawn(text(72, 750, "Methods", size=20) + table_page("grid")), drawn(lines(72, 700, ABOVE))]
    out = io.BytesIO()
    pages[0].save(out, "TIFF", save_all=True, append_images=pages[1:])
    source, detector = Source.of_bytes(out.getvalue(), "survey.tiff"), detector_of(Loader())
    (entry, *_) = detector.readers(source)
    document = read_recognised(ReadableFile(entry, source, detector, Limits(ocr=True)))
    assert (entry.name, len(document.parts), document.printed_title) == ("image", 2, "Methods")
    assert [type(block) for block in document.parts[0].blocks[:2]] == [Figure, Heading]
    (table,) = of(document, Table)
    assert [list(row) for row in table.rows] == ROWS
    (figure, found) = document.elements
    assert (figure.type, found.type, document.parts[0].blocks[found.block - 1]) == ("figure", "table", table)
    assert " ".join(ABOVE) in figure.text
    assert [block.text for block in document.parts[1].blocks if isinstance(block, Paragraph)] == [" ".join(ABOVE)]
    assert {notice.code for notice in document.notices} == {"ocr"}


def test_scans_attached_to_a_message_are_recognised_last_and_lead_to_their_pages(tmp_path: Path) -> None:
    image = drawn(text(72, 750, "Methods", size=20) + table_page("grid"))
    fax = io.BytesIO()
    image.save(fax, "TIFF")
    message = EmailMessage()
    message["From"], message["Subject"] = "ann@example.org", "Survey"
    message.set_content("The survey is attached.")
    message.add_attachment(scanned(image), maintype="application", subtype="pdf", filename="survey.pdf")
    message.add_attachment(fax.getvalue(), maintype="image", subtype="tiff", filename="fax.tif")
    path = tmp_path / "survey.eml"
    path.write_bytes(bytes(message))

    def read(*, slow: bool = False, recognise: bool = True) -> Outcome:
        job = Job(os.fsencode(path), slow=slow, recognise=recognise)
        return read_file(job, detector_of(Loader()), Limits())

    quick, attached = read(), read(slow=True, recognise=False)
    assert (quick.unfinished, attached.unfinished) == (True, True), "scans wait while somebody waits for attachments"
    whole = read(slow=True)
    assert not whole.unfinished
    assert whole.prepared is not None
    found = {(passage.heading.partition(HEADINGS_APART)[0], passage.text) for passage in whole.prepared.passages}
    for name in ("survey.pdf", "fax.tif"):
        assert any(" ".join(ABOVE) in said for where, said in found if where == name)
    assert [table.attached.file for table in whole.prepared.tables if table.attached] == ["survey.pdf", "fax.tif"]


def test_reading_ends_when_its_time_is_up() -> None:
    reader = picture_reader("", 1e-9)
    assert reader.read(drawn(lines(72, 700, ABOVE))) is None
    assert reader.seconds <= 0
    assert reader.read(drawn(lines(72, 700, ABOVE))) is None


def test_a_page_without_words_has_none() -> None:
    document = parsed(Image.new("L", (900, 1200), 250))
    assert not of(document, Paragraph)
    assert [notice.code for notice in document.notices] == ["no_text_layer"]


def test_the_networks_are_those_that_were_converted() -> None:
    folder = files("sidecar.toolkit.ocr") / "model"
    for line in (folder / "CHECKSUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name


def test_the_runtime_of_the_networks_tells_nobody(tmp_path: Path) -> None:
    page = tmp_path / "page.png"
    drawn(lines(72, 700, ABOVE)).save(page)
    home = tmp_path / "home"
    home.mkdir()
    code = (
        "import sys, psutil; from PIL import Image; from sidecar.toolkit.ocr import picture_reader;"
        "assert picture_reader('', 300).read(Image.open(sys.argv[1])).words;"
        "me = psutil.Process(); print([file.path for file in me.open_files() if 'onnx' in file.path.lower()]);"
        "print(me.net_connections())"
    )
    kept = {name: str(home) for name in ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "LOCALAPPDATA", "TMPDIR")}
    done = subprocess.run(
        [sys.executable, "-c", code, page], env={**os.environ, **kept}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["[]", "[]"]
    assert not [path for path in home.rglob("*") if path.is_file()]
