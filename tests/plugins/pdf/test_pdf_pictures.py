"""Words in pictures on pages that have text: they are read in the second reading, stand with the figure, and are said
once, whatever the page's own text says over them."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw, ImageFont
from sidecar_pdf import PdfFormat
from support.formats.pdf_builder import Pdf, drawing, gray_image, lines, rgb_image, rule, text
from support.formats.pdf_prose import PROSE
from support.formats.plugin_reading import of

from sidecar.api import Figure, Heading, Limits, ListItem, Paragraph, ParsedDocument, Source, Table

WORDS = "Torque curve of the quokka pump"
FONT = ImageFont.load_default(48)
HELVETICA = 14.95
"""Ems of the words in Helvetica."""
PLACED = "q 450 0 0 60 72 600 cm /Im0 Do Q\n"


def drawn(words: str = WORDS, *, size: tuple[int, int] = (900, 120), turned: int = 0) -> bytes:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).text((20, 80), words, fill="black", font=FONT, anchor="ls")
    return rgb_image(image.rotate(turned, expand=True))


def layer(y: float, mode: str) -> str:
    """The words as text of the page, right over those of a picture whose words have their baseline there."""
    return text(82, y, WORDS, size=24, more=f"{mode} {100 * FONT.getlength(WORDS) / 48 / HELVETICA} Tz")


def manual(picture: bytes, placed: str = PLACED, *, pages: int = 1, rotate: int = 0) -> bytes:
    """Pages of text that show the picture."""
    pdf = Pdf()
    shown = pdf.add(picture)
    for number in range(pages):
        prose = [f"{line} {number}" for line in PROSE]
        pdf.page(
            lines(72, 720, prose) + placed + lines(72, 300, PROSE), images={"Im0": shown}, more=f"/Rotate {rotate}"
        )
    return pdf.bytes()


def read(data: bytes, *, ocr: bool = True) -> ParsedDocument:
    return PdfFormat().parse(Source.of_bytes(data, "made.pdf"), Limits(ocr=ocr))


def said(document: ParsedDocument) -> list[str]:
    return [figure.text for figure in of(document, Figure) if figure.text]


def told(document: ParsedDocument) -> list[str]:
    return [notice.message for notice in document.notices if notice.code == "picture_text"]


def test_words_in_a_picture_on_a_page_with_text_are_the_figures() -> None:
    document = read(manual(drawn()))
    assert said(document) == [WORDS]
    assert [element.text for element in document.elements] == [WORDS]
    assert told(document) == ["The words of 1 picture were read by OCR and may hold mistakes."]


def test_the_first_reading_tells_of_pictures_and_leaves_them_for_the_second() -> None:
    document = read(manual(drawn()), ocr=False)
    assert not said(document)
    assert told(document) == ["1 picture on its pages is not searched for words."]


def test_a_picture_is_read_as_the_page_shows_it() -> None:
    assert said(read(manual(drawn(turned=180), "q -450 0 0 -60 522 660 cm /Im0 Do Q\n"))) == [WORDS]
    assert said(read(manual(drawn(turned=90), "q 0 450 -60 0 400 150 cm /Im0 Do Q\n", rotate=90)))


@pytest.mark.parametrize("mode", ["3 Tr", ""])
def test_words_that_the_text_of_the_page_says_over_a_picture_are_said_once(mode: str) -> None:
    document = read(manual(drawn(), PLACED + layer(620, mode)))
    shown = [block.text for kind in (Figure, Heading, Paragraph) for block in of(document, kind) if not block.hidden]
    assert sum(WORDS in words for words in shown) == 1


def test_words_beside_those_that_the_text_of_the_page_says_over_a_picture_are_read() -> None:
    image = Image.new("RGB", (900, 240), "white")
    brush = ImageDraw.Draw(image)
    brush.text((20, 80), WORDS, fill="black", font=FONT, anchor="ls")
    brush.text((20, 200), "measured at noon", fill="black", font=FONT, anchor="ls")
    placed = "q 450 0 0 120 72 600 cm /Im0 Do Q\n"
    (words,) = said(read(manual(rgb_image(image), placed + layer(680, "3 Tr"))))
    assert words.split("\n") == [WORDS, "measured at noon"]
    document = read(manual(rgb_image(image), placed + layer(680, "")))
    assert said(document) == ["measured at noon"]


@pytest.mark.parametrize(
    ("picture", "placed", "pages"),
    [
        (drawn(), PLACED, 3),
        (drawn("quokka", size=(80, 38)), PLACED, 1),
        (drawn(), "q 45 0 0 15 72 600 cm /Im0 Do Q\n", 1),
        (drawn("I . | ' I . I"), PLACED, 1),
    ],
    ids=["logo", "icon", "mark", "noise"],
)
def test_logos_icons_and_noise_are_left_alone(picture: bytes, placed: str, pages: int) -> None:
    document = read(manual(picture, placed, pages=pages))
    assert not said(document)
    assert not told(document)


def test_a_picture_that_cannot_be_decoded_costs_its_own_words_only() -> None:
    broken = drawn().replace(b"/FlateDecode", b"/DCTDecode  ")
    document = read(manual(broken))
    assert not said(document)
    assert document.parts[0].blocks


def scanned(stamp: str, *, blank: bool = False) -> bytes:
    """A page that is one picture, of prose or of nothing, under a stamp."""
    page = Pdf()
    page.page(lines(72, 720, [] if blank else PROSE * 3))
    shown = PdfFormat().picture(Source.of_bytes(page.bytes(), "page.pdf"), 1, 150, Limits())
    pdf = Pdf()
    picture = pdf.add(rgb_image(Image.open(io.BytesIO(shown.data))))
    pdf.page("q 612 0 0 792 0 0 cm /Im0 Do Q\n" + text(420, 20, stamp, size=8), images={"Im0": picture})
    return pdf.bytes()


def test_a_scan_under_a_stamp_is_read_besides_the_stamp() -> None:
    first = read(scanned("ACME 000123"), ocr=False)
    assert told(first) == ["1 picture on its pages is not searched for words."]
    document = read(scanned("ACME 000123"))
    said = " ".join(block.text for block in of(document, Paragraph))
    assert said.count("ACME 000123") + document.parts[0].metadata.get("footer", "").count("ACME 000123") == 1
    assert "the tables of the annex show by how much" in said
    assert [notice.code for notice in document.notices] == ["no_text_layer", "ocr"]


def test_a_page_of_a_few_words_on_a_picture_without_any_is_no_scan() -> None:
    document = read(scanned("A voyage to the north", blank=True))
    assert [block.text for block in of(document, Paragraph)] == ["A voyage to the north"]
    assert not document.notices


def block_of_a_slide() -> str:
    """The grounds of a title and its text, round at two corners, and what blends one into the other past their edge."""
    grounds = "0.8 0.8 1 rg\n"
    for y, height in ((200, 14), (150, 48)):
        grounds += f"30 {y} m 330 {y} l 330 {y + height - 4} l 330 {y + height} 326 {y + height} 326 {y + height} c "
        grounds += f"30 {y + height} l f\n"
    words = text(36, 203, "Theorem of the river", size=9) + text(36, 180, "It always finds the sea.", size=9)
    return f"{grounds}30 198 m 340 198 l 336 200 l 30 200 l f 0 g\n{words}"


def read_slide(pdf: Pdf) -> ParsedDocument:
    return PdfFormat().parse(Source.of_bytes(pdf.bytes(), "slide.pdf"), Limits(ocr=False))


def test_the_grounds_of_a_block_of_a_slide_are_no_picture_of_its_text() -> None:
    pdf = Pdf()
    pdf.page(text(36, 245, "Rivers", size=16) + block_of_a_slide(), box="0 0 363 273")
    document = read_slide(pdf)
    assert not of(document, Figure)
    assert "It always finds the sea." in [block.text for block in of(document, Paragraph)]


def test_a_form_reaches_no_further_than_what_it_is_clipped_to() -> None:
    pdf = Pdf()
    curve = "0.5 g 330 60 m 336 60 l 338 60 338 270 336 270 c 330 270 l f"  # a shadow far beyond its block
    shadow = pdf.stream(curve, "/Type /XObject /Subtype /Form /BBox [0 0 363 273]")
    clipped = "q 330 148 m 338 148 l 338 210 l 330 210 l h W n /Im0 Do Q\n"
    bullets = "".join(drawing(36 + 9 * at, 260, 8, 8) for at in range(33))  # of a bar for navigation
    content = bullets + clipped + text(36, 235, "Rivers", size=16) + block_of_a_slide()
    pdf.page(content, box="0 0 363 273", images={"Im0": shadow})
    assert "It always finds the sea." in [block.text for block in of(read_slide(pdf), Paragraph)]


def test_a_side_bar_within_the_margin_is_no_picture_of_the_text_beside_it() -> None:
    pdf = Pdf()
    bar = "0.5 0.8 0.1 rg 16 30 m 116 30 l 116 760 l 112 764 112 764 108 764 c 16 764 l f 0 g\n"
    logo = "1 g 31 690 72 60 re B 0 g\n" + text(45, 715, "LOGO")
    pdf.page(bar + logo + text(124, 600, "Dear") + lines(124, 570, PROSE))
    told = [block.text for block in of(read_slide(pdf), Paragraph)]
    assert "Dear" in told
    assert not any("Dear" in figure.text for figure in of(read_slide(pdf), Figure))


def card(x: float, y: float, width: float, height: float) -> str:
    """A box with round corners."""
    right, top, r = x + width, y + height, 8.0
    return (
        f"0.1 0.4 0.4 RG {x + r} {y} m {right - r} {y} l {right} {y} {right} {y} {right} {y + r} c {right} {top - r} l"
        f" {right} {top} {right} {top} {right - r} {top} c {x + r} {top} l {x} {top} {x} {top} {x} {top - r} c"
        f" {x} {y + r} l {x} {y} {x} {y} {x + r} {y} c h S\n"
    )


def test_cards_of_a_slide_are_text_though_a_logo_reaches_into_one() -> None:
    said = [
        ("Fuel", "Fewer trips save a fifth of it."),
        ("Space", "The yard can be let."),
        ("People", "Two teams learn."),
    ]
    content = text(40, 350, "Three reasons to merge", size=28, font="F2")
    for at, (head, line) in enumerate(said):
        left = 40 + 219 * at
        content += card(left, 200, 204, 110) + text(left + 12, 280, head, size=16, font="F2")
        content += text(left + 12, 260, line, size=11)
    for side in (60, 44, 28):
        content += f"0.2 0.3 {side / 100} rg {card(640, 180, side, side).replace(' S', ' f')}"
    pdf = Pdf()
    pdf.page(content, box="0 0 720 405")
    document = read_slide(pdf)
    assert [block.text for block in document.parts[0].blocks if isinstance(block, Heading | Paragraph)] == [
        "Three reasons to merge",
        *(one for card in said for one in card),
    ]
    assert not [block.text for block in document.parts[0].blocks if isinstance(block, Figure) and block.text]


def test_drawn_marks_on_filled_cards_with_round_corners_are_those_of_lists() -> None:
    said = (
        ["Fewer returns", "Training for all drivers", "The roof pays already"],
        ["Hiring took long", "The shop was down"],
    )
    content = text(40, 350, "What went well, what did not", size=28, font="F2")
    for left, title, items in ((40, "Well", said[0]), (380, "Not so well", said[1])):
        content += "0.9 0.95 0.9 rg " + card(left, 190, 320, 120).replace(" S", " f") + "0 g\n"
        content += text(left + 12, 290, title, size=15, font="F2")
        for at, item in enumerate(items):
            x, y = left + 30, 264 - 17 * at
            content += f"{x + 2} {y} m {x + 2} {y + 2} {x - 2} {y + 2} {x - 2} {y} c {x - 2} {y - 2} {x + 2} {y - 2} "
            content += f"{x + 2} {y} c f\n" + text(x + 12, y - 5, item, size=15)
    pdf = Pdf()
    pdf.page(content, box="0 0 720 405")
    document = read_slide(pdf)
    assert [item.text for item in of(document, ListItem)] == [*said[0], *said[1]]
    assert not of(document, Figure)


def test_figures_over_a_picture_that_fills_their_frame_are_a_heat_map_and_no_table() -> None:
    """As matplotlib draws it: a picture, its frame, and the numbers of its cells over it."""
    pdf = Pdf()
    places = ("Alder", "Brack", "Dunmere")
    content = lines(72, 740, PROSE) + "q 180 0 0 180 150 400 cm /Im0 Do Q\n"
    content += rule(150, 400, 330, 400) + rule(150, 580, 330, 580)
    for row, place in enumerate(places):
        y = 546 - 60 * row
        content += text(110, y, place) + text(165 + 60 * row, 388, place)
        content += "".join(text(172 + 60 * column, y, f"0.{row + 2}{column + 3}") for column in range(len(places)))
    pdf.page(content, images={"Im0": pdf.add(gray_image(3))})
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "map.pdf"), Limits(ocr=False))
    assert of(document, Table) == []
    (figure,) = of(document, Figure)
    assert all(shown in figure.text.splitlines() for shown in ("0.23 0.24 0.25", "0.33 0.34 0.35", "0.43 0.44 0.45"))
