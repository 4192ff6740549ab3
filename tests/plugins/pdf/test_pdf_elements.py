"""PDF tables, figures, equations, images and pictures: found, labelled, boxed where they are drawn."""

from __future__ import annotations

import io
import zlib

import pytest
from PIL import Image
from sidecar_pdf import PdfFormat
from support.formats.pdf_builder import Pdf, drawing, gray_image, grid, lines, rule, text
from support.formats.pdf_prose import SURVEY as PROSE
from support.formats.pdf_prose import parsed
from support.formats.pdf_prose import read_pdf as parse
from support.formats.plugin_reading import of

from sidecar.api import (
    Element,
    Equation,
    Figure,
    Heading,
    Limits,
    NotFoundError,
    Paragraph,
    ParsedDocument,
    Source,
    Table,
)


def one(document: ParsedDocument, label: str) -> Element:
    found = [element for element in document.elements if element.label == label]
    assert len(found) == 1, [element.label for element in document.elements]
    return found[0]


def tables(document: ParsedDocument) -> list[Table]:
    return [block for part in document.parts for block in part.blocks if isinstance(block, Table)]


def test_a_ruled_table_with_a_merged_cell_and_its_caption() -> None:
    pdf = Pdf()
    xs, ys = [72.0, 172.0, 272.0, 372.0], [600.0, 620.0, 640.0, 660.0]
    ruled = (
        grid(xs, [600.0, 620.0, 640.0]) + rule(72, 660, 372, 660) + rule(72, 640, 72, 660) + rule(372, 640, 372, 660)
    )
    ruled += rule(172, 640, 172, 660)  # the two right-hand cells of the top row are one
    cells = [
        ("Station", 1, 3),
        ("Depth", 2, 3),
        ("Upper", 1, 2),
        ("12", 2, 2),
        ("14", 3, 2),
        ("Lower", 1, 1),
        ("20", 2, 1),
    ]
    content = "".join(text(xs[c - 1] + 5, ys[r - 1] + 6, word) for word, c, r in cells)
    pdf.page(lines(72, 740, PROSE) + text(72, 670, "Table 5. Depth of the river, in feet") + ruled + content)
    document = parse(pdf)
    table = tables(document)[0]
    assert table.rows == (("Station", "Depth", ""), ("Upper", "12", "14"), ("Lower", "20", ""))
    assert [(m.row, m.col, m.rows, m.cols) for m in table.merges] == [(0, 1, 1, 2)]
    assert table.header_rows == 1
    assert table.caption == "Table 5. Depth of the river, in feet"
    element = one(document, "Table 5")
    assert element.type == "table"
    assert not element.generated
    assert element.box is not None
    left, top, right, bottom = element.box
    assert abs(left - 69) < 2
    assert abs(right - 375) < 2
    assert abs(top - (792 - 682)) < 5
    assert abs(bottom - (792 - 597)) < 2
    assert "Upper\t12\t14" in element.text


def test_columns_that_line_up_make_a_table_without_rules() -> None:
    rows = [("Region", "Count", "Share"), ("North", "120", "24 %"), ("South", "80", "16 %"), ("West", "300", "60 %")]
    pdf = Pdf()
    content = "".join(text(x, 600 - 14 * r, row[c]) for r, row in enumerate(rows) for c, x in enumerate((72, 200, 300)))
    pdf.page(lines(72, 700, PROSE) + content + lines(72, 520, PROSE))
    document = parse(pdf)
    assert [table.rows for table in tables(document)] == [tuple(rows)]
    assert tables(document)[0].header_rows == 1
    element = one(document, "Table p1-1")
    assert element.generated


def test_two_columns_of_prose_are_no_table() -> None:
    pdf = Pdf()
    pdf.page(
        "".join(
            text(72, 700 - 12 * at, line[:40]) + text(330, 700 - 12 * at, line[:40])
            for at, line in enumerate(PROSE * 4)
        )
    )
    assert tables(parse(pdf)) == []


def test_a_drawing_with_a_caption_is_a_figure_and_its_box_holds_both() -> None:
    pdf = Pdf()
    caption = "Figure 8-1. The Mercator projection of the sphere"
    pdf.page(
        lines(72, 740, [*PROSE, "As Figure 8-1 shows, the scale grows."])
        + drawing(150, 500, 240, 120)
        + text(200, 550, "equator", size=7)
        + text(150, 480, caption)
        + lines(72, 440, PROSE)
    )
    document = parse(pdf)
    element = one(document, "Figure 8-1")
    assert (element.type, element.part, element.page, element.caption) == ("figure", 1, 1, caption)
    assert "Figure 8-1 shows" in element.context
    assert len(element.context) <= 600
    assert element.text == "equator"
    assert element.box is not None
    left, top, right, bottom = element.box
    assert 140 < left < 150
    assert 390 < right < 400
    assert 792 - 640 < top < 792 - 620
    assert 792 - 480 < bottom < 792 - 470
    block = document.parts[0].blocks[element.block - 1]
    assert isinstance(block, Figure)
    assert block.caption == caption
    styles = [b.style for b in document.parts[0].blocks if isinstance(b, Paragraph) and b.text == caption]
    assert styles == ["caption"]


def test_a_title_between_a_label_on_its_own_and_the_table_is_its_caption() -> None:
    xs, ys = [72.0, 172.0, 272.0, 372.0], [600.0, 620.0, 640.0]
    cells = "".join(text(x + 5, y + 6, f"{x + y:.0f}") for x in xs[:-1] for y in ys[:-1])
    pdf = Pdf()
    pdf.page(
        lines(72, 740, PROSE)
        + text(72, 672, "Table 5")
        + text(72, 654, "Depth of the river by station")
        + grid(xs, ys)
        + cells
    )
    document = parse(pdf)
    assert tables(document)[0].caption == "Table 5 Depth of the river by station"
    assert one(document, "Table 5").caption == "Table 5 Depth of the river by station"


def test_the_label_below_a_table_takes_no_text_after_it() -> None:
    xs, ys = [72.0, 172.0, 272.0, 372.0], [600.0, 620.0, 640.0]
    cells = "".join(text(x + 5, y + 6, f"{x + y:.0f}") for x in xs[:-1] for y in ys[:-1])
    second = "".join(text(x + 5, y - 94, f"{x - y:.0f}") for x in xs[:-1] for y in ys[:-1])
    pdf = Pdf()
    pdf.page(
        lines(72, 740, PROSE)
        + grid(xs, ys)
        + cells
        + text(72, 584, "Table 5")
        + text(72, 552, "Depths follow.")
        + grid(xs, [y - 100 for y in ys])
        + second
    )
    assert "Table 5" in [
        block.text for part in parse(pdf).parts for block in part.blocks if isinstance(block, Paragraph)
    ]


def test_two_figures_side_by_side_keep_their_own_captions() -> None:
    pdf = Pdf()
    pdf.page(
        lines(72, 740, PROSE)
        + drawing(72, 500, 200, 120) + drawing(276, 500, 200, 120)
        + text(72, 484, "Figure 1. Left part") + text(286, 484, "Figure 2. Right part")
    )  # fmt: skip
    document = parse(pdf)
    left, right = one(document, "Figure 1"), one(document, "Figure 2")
    assert left.box is not None
    assert right.box is not None
    assert left.box[2] <= 280
    assert right.box[0] >= 270


def test_a_sentence_that_mentions_a_figure_is_not_its_caption() -> None:
    pdf = Pdf()
    pdf.page(
        drawing(150, 560, 240, 120)
        + lines(72, 530, ["Figure 3 shows that the scale grows with the latitude, as", *PROSE])
    )
    labels = [element.label for element in parse(pdf).elements]
    assert labels == ["Figure p1-1"]


def test_generated_labels_are_stable() -> None:
    pdf = Pdf()
    pdf.page(lines(72, 740, PROSE) + drawing(72, 520, 200, 120) + drawing(72, 320, 200, 120))
    first, again = parse(pdf), parse(pdf)
    assert [e.label for e in first.elements] == ["Figure p1-1", "Figure p1-2"]
    assert first == again


def test_a_numbered_equation_is_an_element() -> None:
    pdf = Pdf()
    pdf.page(
        lines(72, 700, PROSE)
        + text(200, 630, "x = a + b = c", font="F4")
        + text(460, 630, "(3.2)")
        + lines(72, 600, PROSE)
    )
    document = parse(pdf)
    found = [block for block in document.parts[0].blocks if isinstance(block, Equation)]
    assert [(e.text, e.label) for e in found] == [("x = a + b = c", "(3.2)")]
    assert one(document, "Equation 3.2").type == "equation"


def test_images_are_listed_once_and_open_as_pictures() -> None:
    pdf = Pdf()
    image = pdf.add(gray_image())
    for _ in range(2):
        pdf.page("q 100 0 0 100 72 600 cm /I1 Do Q " + text(72, 580, "Figure 1. A gray field"), images={"I1": image})
    document = parse(pdf)
    assert [(e.kind, e.id, e.media_type, e.width, e.height) for e in document.embedded] == [
        ("image", 0, "image/png", 40, 40)
    ]
    figure = next(block for block in document.parts[0].blocks if isinstance(block, Figure))
    assert figure.embed == ("image", 0)
    source = Source.of_bytes(pdf.bytes(), "made.pdf")
    payload = PdfFormat().open_embedded(source, document.embedded[0].ref, Limits())
    picture = Image.open(io.BytesIO(payload.data))
    assert (payload.media_type, picture.size) == ("image/png", (40, 40))
    assert picture.convert("L").getpixel((3, 2)) == 6
    with pytest.raises(NotFoundError):
        PdfFormat().open_embedded(source, "image:9:0", Limits())


def test_a_jpeg_comes_back_as_the_very_bytes_in_the_file() -> None:
    out = io.BytesIO()
    Image.new("RGB", (30, 20), (200, 30, 30)).save(out, "JPEG")
    data = out.getvalue()
    pdf = Pdf()
    image = pdf.stream(
        data,
        "/Type /XObject /Subtype /Image /Width 30 /Height 20 /ColorSpace /DeviceRGB /BitsPerComponent 8"
        " /Filter /DCTDecode",
    )
    pdf.page("q 90 0 0 60 72 600 cm /I1 Do Q", images={"I1": image})
    embed = parse(pdf).embedded[0]
    payload = PdfFormat().open_embedded(Source.of_bytes(pdf.bytes(), "made.pdf"), embed.ref, Limits())
    assert (embed.media_type, embed.size) == ("image/jpeg", len(data))
    assert payload.data == data


def test_attached_files_are_embedded_with_their_own_name() -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "See the attachment"))
    packed = zlib.compress(b"a,b\n1,2\n")
    file = pdf.stream(packed, "/Type /EmbeddedFile /Filter /FlateDecode")
    spec = pdf.add(f"<< /Type /Filespec /F (data.csv) /UF (data.csv) /EF << /F {file} 0 R >> >>")
    pdf.catalog = f"/Names << /EmbeddedFiles << /Names [(data.csv) {spec} 0 R] >> >>"
    embed = parse(pdf).embedded[0]
    assert (embed.kind, embed.name) == ("attachment", "data.csv")
    payload = PdfFormat().open_embedded(Source.of_bytes(pdf.bytes(), "made.pdf"), embed.ref, Limits())
    assert (payload.data, payload.name) == (b"a,b\n1,2\n", "data.csv")


def test_files_behind_annotations_are_embedded_once() -> None:
    pdf = Pdf()
    specs = [
        pdf.add(
            f"<< /Type /Filespec /F ({name}) /UF ({name}) /EF << /F {pdf.stream(data, '/Type /EmbeddedFile')} 0 R >> >>"
        )
        for name, data in (("data.csv", b"a,b\n1,2\n"), ("notes.txt", b"to be checked"))
    ]
    pins = [
        pdf.add(f"<< /Type /Annot /Subtype /FileAttachment /Rect [500 {y} 520 {y + 20}] /FS {spec} 0 R >>")
        for y, spec in zip((700, 600), specs, strict=True)
    ]
    pdf.page(text(72, 700, "The first page has no pin."))
    pdf.page(text(72, 700, "See the pins."), more=f"/Annots [{pins[0]} 0 R {pins[1]} 0 R]")
    pdf.catalog = f"/Names << /EmbeddedFiles << /Names [(data.csv) {specs[0]} 0 R] >> >>"
    embeds = parse(pdf).embedded
    assert [(embed.kind, embed.name) for embed in embeds] == [("attachment", "data.csv"), ("attachment", "notes.txt")]
    source = Source.of_bytes(pdf.bytes(), "made.pdf")
    assert [PdfFormat().open_embedded(source, embed.ref, Limits()).data for embed in embeds] == [
        b"a,b\n1,2\n", b"to be checked",
    ]  # fmt: skip
    with pytest.raises(NotFoundError, match="no attached file 2:7"):
        PdfFormat().open_embedded(source, "file:2:7", Limits())


def test_the_picture_of_a_page_matches_the_boxes() -> None:
    pdf = Pdf()
    pdf.page("0 0 0 rg 100 600 200 100 re f\n" + text(72, 500, "Below"), more="/Rotate 90")
    source = Source.of_bytes(pdf.bytes(), "made.pdf")
    payload = PdfFormat().picture(source, 1, 72, Limits())
    picture = Image.open(io.BytesIO(payload.data)).convert("L")
    assert (payload.media_type, picture.size, (payload.width, payload.height)) == ("image/png", (792, 612), (792, 612))
    assert picture.getpixel((650, 200)) == 0  # the rectangle's middle (200, 650), turned clockwise
    assert picture.getpixel((200, 300)) == 255


def test_a_picture_is_bounded_by_pixels() -> None:
    pdf = Pdf()
    pdf.page(text(72, 500, "Small on a plain"), box="0 0 14400 14400")
    payload = PdfFormat().picture(Source.of_bytes(pdf.bytes(), "made.pdf"), 1, 300, Limits(max_pixels=1_000_000))
    assert payload.width * payload.height <= 1_010_000
    with pytest.raises(NotFoundError, match="pages 1 to 1, not 2"):
        PdfFormat().picture(Source.of_bytes(pdf.bytes(), "made.pdf"), 2, 72, Limits())


def scan() -> Pdf:
    """A page that is only a picture of the words "MERIDIAN SURVEY"."""
    drawn = Pdf()
    drawn.page(text(60, 300, "MERIDIAN SURVEY", size=40), box="0 0 500 400")
    payload = PdfFormat().picture(Source.of_bytes(drawn.bytes(), "drawn.pdf"), 1, 144, Limits())
    out = io.BytesIO()
    Image.open(io.BytesIO(payload.data)).convert("L").save(out, "JPEG", quality=90)
    pdf = Pdf()
    image = pdf.stream(
        out.getvalue(),
        f"/Type /XObject /Subtype /Image /Width {payload.width} /Height {payload.height} /ColorSpace /DeviceGray"
        " /BitsPerComponent 8 /Filter /DCTDecode",
    )
    pdf.page("q 500 0 0 400 0 0 cm /I1 Do Q", box="0 0 500 400", images={"I1": image})
    return pdf


def test_a_page_without_text_layer_says_so() -> None:
    document = parse(scan())
    assert [(n.code, n.part) for n in document.notices] == [("no_text_layer", 1)]


def test_a_scan_is_read_by_ocr_where_the_words_stand() -> None:
    document = parse(scan(), Limits(ocr=True))
    assert {n.code for n in document.notices} == {"no_text_layer", "ocr"}
    words = [block for block in document.parts[0].blocks if "MERIDIAN" in str(getattr(block, "text", ""))]
    assert len(words) == 1
    box = words[0].box
    assert box is not None
    assert abs(box[0] - 60) < 8
    assert abs(box[3] - 100) < 12


def said_by_figures(document: ParsedDocument) -> str:
    return "\n".join(b.text for part in document.parts for b in part.blocks if isinstance(b, Figure)).strip()


def said_as_text(document: ParsedDocument) -> str:
    return "\n".join(b.text for part in document.parts for b in part.blocks if isinstance(b, (Paragraph, Heading)))


def test_a_picture_under_the_first_lines_of_a_column_takes_none_of_them() -> None:
    pdf = Pdf()
    image = pdf.add(gray_image())
    column = lines(72, 700, PROSE * 5) + text(72, 718, "Stations of the river", size=16, font="F2")
    pdf.page(f"q 612 0 0 110 0 682 cm /I1 Do Q {rule(0, 690, 612, 690)}{column}", images={"I1": image})
    document = parse(pdf)
    assert said_by_figures(document) == ""
    assert said_as_text(document).startswith("Stations of the river\nThe survey covers every station")


def test_narrow_columns_between_pictures_out_to_the_edges_are_text() -> None:
    pdf = Pdf()
    image = pdf.add(gray_image())
    narrow = ["The survey covers every", "station along the river", "from its source to the", "delta, twice every year"]
    pictures = "q 612 0 0 150 0 642 cm /I1 Do Q q 612 0 0 150 0 0 cm /I1 Do Q\n"
    columns = "".join(lines(x, 600 - x / 60, narrow * 7, lead=13) for x in (60, 240, 420))
    pdf.page(pictures + drawing(10, 10, 80, 80) + columns, images={"I1": image})
    document = parse(pdf)
    assert said_by_figures(document) == ""
    assert said_as_text(document).count("The survey covers every station along the river") == 21


def test_a_title_in_large_type_over_a_picture_is_a_heading() -> None:
    pdf = Pdf()
    image = pdf.add(gray_image())
    title = text(60, 500, "Journal of Rivers", size=44, more="1 0 0 rg")
    pdf.page(f"q 612 0 0 260 0 400 cm /I1 Do Q {title}" + lines(60, 300, PROSE), images={"I1": image})
    document = parse(pdf)
    headings = [block.text for part in document.parts for block in part.blocks if isinstance(block, Heading)]
    assert (headings, said_by_figures(document)) == (["Journal of Rivers"], "")


def test_the_band_behind_a_heading_is_no_part_of_the_picture_it_touches() -> None:
    pdf = Pdf()
    image = pdf.add(gray_image())
    band = "0.9 0.5 0.1 rg 72 580 m 270 580 l 274 598 l 72 598 l f\n"
    heads = text(80, 585, "Engine", font="F2", size=11, more="1 g") + lines(72, 560, PROSE * 2)
    pdf.page(f"q 200 0 0 120 72 602 cm /I1 Do Q {band}{heads}", images={"I1": image})
    document = parse(pdf)
    assert said_by_figures(document) == ""
    assert said_as_text(document).startswith("Engine\nThe survey covers every station")


def framed(x: float, y: float, width: float, height: float) -> str:
    """A ground with a border around it."""
    box = f"{x} {y} {width} {height} re"
    return f"q 0.9 g {box} f Q q 0.3 G 1 w {box} S Q q 0.3 G 1 w {box} S Q\n"


def test_a_frame_with_text_in_it_is_no_figure() -> None:
    notice = framed(66, 540, 240, 70) + lines(
        72,
        590,
        ["Notice to all masters of vessels", "The west quay is closed until May,", "and the ferry goes from the pier."],
    )
    document = parsed(lines(72, 740, PROSE) + notice + lines(72, 480, PROSE))
    assert not of(document, Figure)
    said = " ".join(getattr(block, "text", "") for block in document.parts[0].blocks)
    assert "Notice to all masters of vessels" in said
    assert said.index("the pier.") < said.rindex(PROSE[0][:20])


def test_framed_fields_of_a_form_are_read_each_with_its_label() -> None:
    fields = ""
    for x, label, value in ((72, "Length over all", "8.40"), (320, "Draught", "1.25")):
        fields += f"{x} 560 200 34 re S\n" + text(x + 4, 582, label, size=7) + text(x + 4, 568, value, font="F3")
    document = parsed(lines(72, 740, PROSE) + fields + lines(72, 480, PROSE))
    said = " ".join(
        getattr(block, "text", "") or " ".join(getattr(block, "lines", ())) for block in document.parts[0].blocks
    )
    assert not of(document, Figure)
    assert said.index("Length over all") < said.index("8.40")


def test_a_frame_with_a_caption_under_it_stays_a_figure() -> None:
    shown = framed(66, 540, 300, 70) + lines(
        72, 590, ["for each gate of the harbour do", "close the gate and wait", "end"]
    )
    document = parsed(
        lines(72, 740, PROSE) + shown + text(72, 522, "Figure 1: How the gates are closed.") + lines(72, 480, PROSE)
    )
    assert [figure.caption for figure in of(document, Figure)] == ["Figure 1: How the gates are closed."]


def test_what_is_drawn_at_the_foot_of_every_page_is_shown_once() -> None:
    pdf, logos = Pdf(), Pdf()
    image = logos.add(gray_image())
    for number in range(1, 6):
        foot, body = text(110, 30, f"{number} The survey"), lines(72, 700, PROSE)
        pdf.page(body + (drawing(150, 480, 240, 120) if number == 4 else "") + drawing(60, 20, 36 + number, 36) + foot)
        logo = "q 60 0 0 40 500 20 cm /I1 Do Q\n" if number > 1 else ""
        logos.page(body + logo + foot, images={"I1": image})
    counts = [[sum(isinstance(b, Figure) for b in part.blocks) for part in parse(one).parts] for one in (pdf, logos)]
    assert counts == [[1, 0, 0, 1, 0], [0, 1, 0, 0, 0]]
    assert len(parse(logos).embedded) == 1
