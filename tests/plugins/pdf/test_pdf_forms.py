"""Filled-in forms of PDFs: what fields show is read where it stands, with its label, in its cell, and once."""

from __future__ import annotations

import pytest
from sidecar_pdf.plugin import PdfFormat
from support.formats.pdf_builder import Pdf, grid, lines, rule, text
from support.formats.pdf_prose import PROSE
from support.formats.plugin_reading import blocks, of

from sidecar.api import Heading, Limits, ListItem, Note, Paragraph, ParsedDocument, Source, Table

Entry = tuple[str, tuple[float, float, float, float]]
HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def form(content: str, *entries: Entry, pdf: Pdf | None = None) -> ParsedDocument:
    """The reading of a page with these fields, each with its place."""
    pdf = pdf or Pdf()
    numbers = [
        pdf.add(f"<< /Type /Annot /Subtype /Widget /F 4 /T (f{at}) {entry} /Rect [{x0} {y0} {x1} {y1}] >>")
        for at, (entry, (x0, y0, x1, y1)) in enumerate(entries)
    ]
    named = " ".join(f"{number} 0 R" for number in numbers)
    pdf.catalog += f" /AcroForm << /Fields [{named}] /DA (/Helv 10 Tf 0 g) >>"
    pdf.page(content, more=f"/Annots [{named}]")
    return PdfFormat().parse(Source.of_bytes(pdf.bytes(), "form.pdf"), Limits(ocr=False))


def said(document: ParsedDocument) -> str:
    """The lines of text of the page."""
    return "\n".join(block.text for block in blocks(document) if isinstance(block, Heading | Paragraph | ListItem))


def written(value: str, left: float, bottom: float, width: float = 150, height: float = 16, *, more: str = "") -> Entry:
    return f"/FT /Tx /V ({value}) {more}", (left, bottom, left + width, bottom + height)


def tick(left: float, bottom: float, *, on: bool) -> Entry:
    return f"/FT /Btn /V /{'Yes' if on else 'Off'} /AS /{'Yes' if on else 'Off'}", (
        left,
        bottom,
        left + 10,
        bottom + 10,
    )


def shows(pdf: Pdf, words: str, colour: str = "") -> str:
    """The entry of an appearance that shows the words."""
    stream = pdf.stream(
        f"{colour} BT /F1 10 Tf 2 4 Td ({words}) Tj ET",
        f"/Type /XObject /Subtype /Form /BBox [0 0 150 16] /Resources << /Font << /F1 {HELVETICA} >> >>",
    )
    return f"/AP << /N {stream} 0 R >>"


def test_a_value_beside_a_label_of_two_lines_is_read_behind_it() -> None:
    labels = text(72, 706, "SPACE AND AIR") + text(72, 694, "FORCE:")
    assert said(form(labels, written("E-1", 152, 698))).split() == ["SPACE", "AND", "AIR", "FORCE:", "E-1"]


@pytest.mark.parametrize("left", [110.0, 220.0])
def test_a_value_is_read_with_the_label_before_it(left: float) -> None:
    labels = text(72, 700, "Name:") + text(72, 676, "City:")
    document = form(labels, written("Anna Schmidt", left, 696), written("Lima", left, 672))
    assert "Name: Anna Schmidt" in said(document)
    assert "City: Lima" in said(document)
    assert of(document, Note) == []


def test_values_under_labels_side_by_side_are_read_each_with_its_label() -> None:
    labels = text(72, 700, "First name") + text(300, 700, "Last name")
    document = form(labels, written("Anna", 72, 680), written("Schmidt", 300, 680))
    assert "First name Anna" in said(document)
    assert "Last name Schmidt" in said(document)


def test_a_value_stands_in_the_place_of_the_line_to_write_on() -> None:
    content = text(72, 700, "I, ____________________, live in ______________ since then.")
    document = form(content, written("Anna Schmidt", 84, 697, 105), written("Lima", 228, 697, 78))
    assert said(document).strip() == "I, Anna Schmidt, live in Lima since then."


def test_values_stand_in_the_cells_of_a_table() -> None:
    xs, ys = [72.0, 200.0, 300.0, 400.0], [700.0, 680.0, 660.0, 640.0]
    heads = "".join(text(x + 4, 686, head) for x, head in zip(xs, ("Item", "Hours", "Amount"), strict=False))
    rows = [("Rent", "7", "120.00"), ("Light", "3", "48.50")]
    entries = [
        written(value, x + 2, 662 - 20 * at, 96)
        for at, row in enumerate(rows) for x, value in zip(xs, row, strict=False)
    ]  # fmt: skip
    (table,) = of(form(heads + grid(xs, ys), *entries), Table)
    assert table.rows == (("Item", "Hours", "Amount"), *rows)


def test_labels_and_values_of_a_grid_stay_in_their_cells() -> None:
    xs, ys = [72.0, 200.0, 400.0], [700.0, 680.0, 660.0, 640.0]
    labels = [text(76, 686 - 20 * at, label) for at, label in enumerate(("Name:", "City:", "Born:"))]
    entries = [written(value, 202, 682 - 20 * at, 196) for at, value in enumerate(("Anna Schmidt", "Lima", "1990"))]
    (table,) = of(form("".join(labels) + grid(xs, ys), *entries), Table)
    assert table.rows == (("Name:", "Anna Schmidt"), ("City:", "Lima"), ("Born:", "1990"))


@pytest.mark.parametrize("drawn", [False, True])
def test_boxes_to_tick_stand_before_their_labels(drawn: bool) -> None:
    choices = ("Married", "Single", "Widowed")
    content = text(72, 720, "Status") + "".join(
        text(90, 700 - 16 * at, choice) + (f"72 {698 - 16 * at} 10 10 re S\n" if drawn else "")
        for at, choice in enumerate(choices)
    )
    document = form(content, *(tick(72, 698 - 16 * at, on=at == 1) for at in range(3)))
    assert [line for line in said(document).split() if line != "Status"] == [
        "[", "]", "Married", "[x]", "Single", "[", "]", "Widowed"
    ]  # fmt: skip
    assert of(document, Table) == []
    assert of(document, Note) == []


def test_boxes_to_tick_behind_their_labels() -> None:
    content = text(72, 700, "Yes") + text(150, 700, "No")
    assert said(form(content, tick(94, 698, on=True), tick(170, 698, on=False))).split() == [
        "Yes",
        "[x]",
        "No",
        "[",
        "]",
    ]


def test_a_button_of_a_group_is_ticked_where_it_is_chosen() -> None:
    pdf = Pdf()
    parent = pdf.add("<< /FT /Btn /Ff 49152 /T (size) /V /L >>")
    boxes = [
        pdf.add(
            f"<< /Type /Annot /Subtype /Widget /F 4 /Parent {parent} 0 R /AS /{'L' if name == 'L' else 'Off'}"
            f" /AP << /N << /{name} {pdf.stream('', '/Type /XObject /Subtype /Form /BBox [0 0 10 10]')} 0 R >> >>"
            f" /Rect [{72 + 100 * at} 698 {82 + 100 * at} 708] >>"
        )
        for at, name in enumerate("SL")
    ]
    kids = " ".join(f"{box} 0 R" for box in boxes)
    pdf.objects[parent - 1] = pdf.objects[parent - 1].replace(b"/T", f"/Kids [{kids}] /T".encode())
    pdf.catalog = f"/AcroForm << /Fields [{parent} 0 R] >>"
    pdf.page(text(86, 700, "Small") + text(186, 700, "Large"), more=f"/Annots [{kids}]")
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "form.pdf"), Limits(ocr=False))
    assert said(document).split() == ["[", "]", "Small", "[x]", "Large"]


def test_what_is_chosen_of_a_list_is_read_with_its_label() -> None:
    chosen = "/FT /Ch /Ff 131072 /V (pe) /Opt [[(cl) (Chile)] [(pe) (Peru)]]"
    document = form(text(72, 700, "Country:"), (chosen, (120, 696, 240, 712)))
    assert said(document).strip() == "Country: Peru"


def test_lines_of_a_value_are_read_under_one_another() -> None:
    value = "The first line of it says this.\\nThe second line says that."
    entry = written(value, 72, 600, 300, 80, more="/Ff 4096")
    document = form(text(72, 690, "Remarks") + text(72, 560, PROSE[0]), entry)
    page = said(document)
    assert page.index("Remarks") < page.index("first line") < page.index("second line") < page.index("What was said")


def test_what_the_appearance_shows_is_read_where_it_says_the_value_otherwise() -> None:
    pdf = Pdf()
    amount = (f"/FT /Tx /V (1234.5) {shows(pdf, '1,234.50 EUR')}", (120.0, 696.0, 270.0, 712.0))
    long = (f"/FT /Tx /V (A name too long for its field) {shows(pdf, 'A name too')}", (120.0, 676.0, 270.0, 692.0))
    document = form(text(72, 700, "Amount:") + text(72, 680, "Name:"), amount, long, pdf=pdf)
    assert "Amount: 1,234.50 EUR" in said(document)
    assert "Name: A name too long for its field" in said(document)
    assert said(document).count("A name") == 1


def test_a_value_that_is_drawn_on_the_page_as_well_is_read_once() -> None:
    drawn = text(72, 700, "Name:") + text(122, 700, "Anna Schmidt")
    assert said(form(drawn, written("Anna Schmidt", 120, 696))).strip() == "Name: Anna Schmidt"


def test_fields_that_are_hidden_or_empty_are_not_read() -> None:
    content = text(72, 700, "Name:") + text(72, 680, "City:")
    document = form(content, written("", 120, 696), ("/FT /Tx /V (Lima) /F 2", (120.0, 676.0, 270.0, 692.0)))
    assert "Lima" not in said(document)
    assert [(note.text, note.hidden) for note in of(document, Note)] == [("f1: Lima", True)]


def test_a_value_on_the_line_over_its_label_is_read_before_it() -> None:
    content = lines(72, 740, PROSE) + rule(72, 638, 250, 638) + text(72, 628, "Signature of the applicant", size=8)
    page = said(form(content, written("Anna Schmidt", 72, 639)))
    assert page.index("changed") < page.index("Anna Schmidt") < page.index("Signature")


@pytest.mark.parametrize(("colour", "seen"), [("1 g", False), ("0 0 150 16 re f 1 g", True)])
def test_a_value_in_white_is_read_where_it_stands_on_a_dark_ground_alone(colour: str, seen: bool) -> None:
    pdf = Pdf()
    value = (f"/FT /Tx /V (say nothing) {shows(pdf, 'say nothing', colour)}", (120.0, 696.0, 270.0, 712.0))
    document = form(text(72, 700, "Name:"), value, pdf=pdf)
    assert ("say nothing" in said(document)) is seen
    assert [(note.text, note.hidden) for note in of(document, Note)] == ([] if seen else [("f0: say nothing", True)])


def test_rows_of_fields_under_heads_are_a_table_without_rules() -> None:
    xs, heads = (60.0, 260.0, 360.0, 460.0), ("Course", "Days", "Price", "Total")
    rows = [
        ("Drawing", "2", "120.00", "240.00"),
        ("Pottery", "1", "80.00", "80.00"),
        ("Weaving", "3", "95.00", "285.00"),
    ]
    entries = [
        written(value, x, 566 - 24 * at, 80, 18)
        for at, row in enumerate(rows)
        for x, value in zip(xs, row, strict=True)
    ]
    content = "".join(text(x, 590, head, font="F2") for x, head in zip(xs, heads, strict=True))
    (table,) = of(form(content + text(60, 460, PROSE[0]), *entries), Table)
    assert table.rows == (heads, *rows)


def test_what_is_entered_is_no_heading() -> None:
    content = lines(72, 740, PROSE, size=8) + rule(72, 600, 250, 600) + text(72, 591, "Signature", size=7)
    document = form(content, written("Anna Schmidt", 72, 601, more="/DA (/Helv 14 Tf 0 g)"))
    assert of(document, Heading) == []
    assert "Anna Schmidt" in said(document)


def test_boxes_that_are_drawn_say_whether_they_are_ticked() -> None:
    names = ("Sailing boat", "Motor boat", "Rowing boat", "Other")
    content = lines(72, 740, ["Kind of vessel, as it is entered in the register of the harbour and in its own papers:"])
    for at, name in enumerate(names):
        content += f"72 {698 - 24 * at} 10 10 re S\n" + text(88, 700 - 24 * at, name)
    content += text(74, 700, "x") + "73 651 m 81 659 l S 73 659 m 81 651 l S\n"
    assert said(form(content)).splitlines()[-4:] == [
        "[x] Sailing boat", "[ ] Motor boat", "[x] Rowing boat", "[ ] Other",
    ]  # fmt: skip


def test_a_drawn_box_behind_its_label_says_whether_it_is_ticked() -> None:
    content = text(72, 700, "Is the vessel insured? Yes") + "200 698 10 10 re S\n" + text(202, 700, "x")
    content += text(230, 700, "No") + "247 698 10 10 re S\n"
    assert said(form(content)).endswith("Yes [x] No [ ]")


def test_a_square_filled_with_colour_is_no_box_to_tick() -> None:
    content = "".join(
        f"q 0.8 0.2 {0.3 * at} rg 72 {698 - 24 * at} 10 10 re B Q\n" + text(88, 700 - 24 * at, name)
        for at, name in enumerate(("North", "South"))
    )
    assert "[" not in said(form(content))


def test_fields_of_a_page_that_was_taken_out_of_its_form_say_what_they_show() -> None:
    pdf = Pdf()
    entries = [written("Harbour Trust", 150, 698, more=shows(pdf, "Harbour Trust")), tick(72, 666, on=True)]
    marks = [
        pdf.add(f"<< /Type /Annot /Subtype /Widget /F 4 {entry} /Rect [{' '.join(map(str, rect))}] >>")
        for entry, rect in entries
    ]
    content = text(72, 702, "Owner:") + text(88, 668, "Insured")
    pdf.page(content, more=f"/Annots [{' '.join(f'{mark} 0 R' for mark in marks)}]")
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "page.pdf"), Limits(ocr=False))
    assert said(document).splitlines() == ["Owner: Harbour Trust", "[x] Insured"]
