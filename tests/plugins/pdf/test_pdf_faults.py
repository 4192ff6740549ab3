"""PDF elements and reading where a first reader went wrong: each test is one class of fault, drawn small."""

from __future__ import annotations

import zlib

import pytest
from sidecar_pdf.layout.reading_order import reading_order
from sidecar_pdf.pdfium.fonts import NO_STYLE
from sidecar_pdf.text.segments import Segment, Word
from support.formats.pdf_builder import Pdf, drawing, gray_image, grid, lines, rule, sfnt, text
from support.formats.pdf_prose import SURVEY as PROSE
from support.formats.pdf_prose import read_pdf as parse

from sidecar.api import Element, Equation, Heading, ListItem, Paragraph, ParsedDocument, Table


def labels(document: ParsedDocument) -> list[str]:
    return [element.label for element in document.elements]


def one(document: ParsedDocument, label: str) -> Element:
    found = [element for element in document.elements if element.label == label]
    assert len(found) == 1, labels(document)
    return found[0]


def box(element: Element) -> tuple[float, float, float, float]:
    assert element.box is not None
    return element.box


def tables(document: ParsedDocument) -> list[Table]:
    return [block for part in document.parts for block in part.blocks if isinstance(block, Table)]


def texts(document: ParsedDocument, page: int = 1) -> list[str]:
    return [str(getattr(block, "text", "")) for block in document.parts[page - 1].blocks]


def test_the_frame_of_a_plot_is_no_table() -> None:
    pdf = Pdf()
    plot = grid([150.0, 250.0, 350.0], [500.0, 550.0, 600.0]) + "1 0 0 RG 152 505 m 240 520 280 590 348 595 c S\n"
    ticks = text(160, 505, "low", size=7) + text(300, 580, "high", size=7)
    pdf.page(lines(72, 740, PROSE) + plot + ticks + text(150, 480, "Figure 1. Depth by month"))
    document = parse(pdf)
    assert tables(document) == []
    assert labels(document) == ["Figure 1"]


def test_a_tick_in_a_cell_leaves_a_table_a_table() -> None:
    pdf = Pdf()
    mark = "1 0 0 RG 190 606 m 194 602 l 202 614 l S\n"
    cells = text(80, 605, "Upper") + text(80, 625, "Lower") + text(180, 625, "12")
    pdf.page(lines(72, 740, PROSE) + grid([72.0, 172.0, 272.0], [600.0, 620.0, 640.0]) + cells + mark)
    assert len(tables(parse(pdf))) == 1


def test_an_empty_form_grid_is_a_table() -> None:
    pdf = Pdf()
    pdf.page(lines(72, 740, PROSE) + grid([72.0, 172.0, 272.0, 372.0], [520.0, 545.0, 570.0, 595.0, 620.0]))
    document = parse(pdf)
    assert [(len(t.rows), len(t.rows[0])) for t in tables(document)] == [(4, 3)]
    left, top, right, bottom = box(one(document, "Table p1-1"))
    assert (round(left), round(top), round(right), round(bottom)) == (69, 169, 375, 275)


def test_boxes_of_a_flow_chart_are_no_table() -> None:
    pdf = Pdf()
    boxes = [(200, 600), (120, 540), (280, 540), (80, 480), (160, 480), (320, 480)]
    drawn = "".join(f"0.7 w {x} {y} 60 24 re S\n" + text(x + 8, y + 8, "step", size=8) for x, y in boxes)
    drawn += rule(150, 590, 310, 590) + rule(150, 564, 150, 590) + rule(310, 564, 310, 590) + rule(230, 590, 230, 600)
    drawn += rule(110, 520, 190, 520) + rule(110, 504, 110, 520) + rule(190, 504, 190, 520) + rule(150, 520, 150, 540)
    pdf.page(lines(72, 740, PROSE) + drawn + text(150, 455, "Figure 2. How it goes"))
    document = parse(pdf)
    assert labels(document) == ["Figure 2"]
    left, top, right, bottom = box(one(document, "Figure 2"))
    assert left < 85
    assert right > 335
    assert top < 792 - 620
    assert bottom > 792 - 460


def test_panels_far_apart_belong_to_the_figure_of_their_caption() -> None:
    pdf = Pdf()
    panels = "".join(drawing(72 + 160 * c, 460 + 110 * r, 120, 80) for r in range(2) for c in range(3))
    caption = "Figure 3. Six runs of one model"
    pdf.page(lines(72, 740, PROSE) + panels + text(220, 435, caption) + lines(72, 400, PROSE))
    document = parse(pdf)
    assert labels(document) == ["Figure 3"]
    left, top, right, _ = box(one(document, "Figure 3"))
    assert left < 73
    assert top < 792 - 645
    assert right > 510


def test_a_key_in_small_type_between_caption_and_table_does_not_part_them() -> None:
    key = [
        "Low and high are the bounds of the noise that each model needs where",
        "the query is a median, drawn at random",
    ]
    rows = [("Model", "Low", "High"), ("First", "-3", "3"), ("Second", "-10", "10")]
    cells = "".join(text(200 + 80 * c, 546 - 12 * r, row[c]) for r, row in enumerate(rows) for c in range(3))
    pdf = Pdf()
    ruled = rule(190, 558, 420, 558) + rule(190, 542, 420, 542) + rule(190, 516, 420, 516)
    head = text(190, 600, "Table 4. Confidence intervals of the noise") + lines(190, 582, key, size=7, lead=9)
    pdf.page(lines(72, 740, PROSE) + head + ruled + cells + lines(72, 480, PROSE))
    document = parse(pdf)
    assert labels(document) == ["Table 4"]
    _, top, _, bottom = box(one(document, "Table 4"))
    assert top < 792 - 600
    assert bottom > 792 - 517


def test_wide_spaces_of_justified_lines_are_no_columns() -> None:
    pdf = Pdf()
    starts = [
        [(72, "Databases"), (150, "of the long"), (240, "rivers are")],
        [(72, "and those"), (178, "models"), (262, "which ran")],
        [(72, "visited in"), (158, "it"), (230, "by the men")],
        [(72, "records of"), (190, "one"), (285, "capital")],
    ]
    pdf = Pdf()
    pdf.page("".join(text(x, 600 - 12 * at, word) for at, row in enumerate(starts) for x, word in row))
    assert tables(parse(pdf)) == []


def test_names_against_values_are_a_table() -> None:
    pairs = [("Rated torque", "10 Nm"), ("Protection class", "IP55"), ("Mounting", "on feet"), ("Colour", "unpainted"),
             ("Cooling", "by air"), ("Lubricant", "CLP 460")]  # fmt: skip
    pdf = Pdf()
    pdf.page(
        lines(72, 740, PROSE)
        + "".join(text(72, 600 - 12 * r, a) + text(260, 600 - 12 * r, b) for r, (a, b) in enumerate(pairs))
    )
    assert [table.rows for table in tables(parse(pdf))] == [tuple(pairs)]


def test_a_letterhead_of_mixed_sizes_is_no_table() -> None:
    rows = [
        (("Office of Rivers", 16), ("Invoice", 18), ("Page", 9)),
        (("Water Street 4", 9), ("Please quote", 7), ("No. 7", 12)),
        (("4870 Delta", 12), ("No. 2056981", 9), ("Date", 7)),
        (("Telephone", 8), ("Date 16 May", 14), ("16 May", 9)),
    ]
    cells = [
        (x, 700 - 16 * at, *cell) for at, row in enumerate(rows) for x, cell in zip((72, 300, 480), row, strict=True)
    ]
    pdf = Pdf()
    pdf.page("".join(text(x, y, word, size=size) for x, y, word, size in cells))
    assert tables(parse(pdf)) == []


def test_lines_between_two_rules_are_one_row() -> None:
    pdf = Pdf()
    rows = [
        ["Kind", "Where"],
        ["Coffee", "Starlight, Angel, Bean"],
        ["", "Tree, Coffeehouse"],
        ["Bread", "Paris Bakery"],
    ]
    heights = [600, 580, 568, 550]
    cells = "".join(
        text(80 + 120 * c, y, row[c]) for y, row in zip(heights, rows, strict=True) for c in (0, 1) if row[c]
    )
    ruled = "".join(rule(72, y, 372, y) for y in (614, 594, 562, 544))
    pdf.page(lines(72, 740, PROSE) + ruled + cells)
    assert [table.rows for table in tables(parse(pdf))] == [
        (("Kind", "Where"), ("Coffee", "Starlight, Angel, Bean Tree, Coffeehouse"), ("Bread", "Paris Bakery"))
    ]


def test_a_frame_around_a_table_and_a_paragraph_keeps_the_paragraph_text() -> None:
    pdf = Pdf()
    ruled = grid([72.0, 222.0, 372.0], [600.0, 620.0, 640.0]) + "0.7 w 72 540 300 100 re S\n"
    cells = text(80, 625, "Part") + text(230, 625, "Cost") + text(80, 605, "Labor") + text(230, 605, "300")
    pdf.page(lines(72, 740, PROSE) + ruled + cells + lines(76, 588, PROSE))
    document = parse(pdf)
    assert [table.rows for table in tables(document)] == [(("Part", "Cost"), ("Labor", "300"))]
    assert texts(document).count(" ".join(PROSE)) == 2


def test_a_logo_at_the_head_is_no_figure_and_a_picture_in_the_text_is() -> None:
    pdf = Pdf()
    image = pdf.add(gray_image())
    pdf.page(
        "q 90 0 0 60 450 715 cm /I1 Do Q q 120 0 0 120 72 400 cm /I1 Do Q " + lines(72, 680, PROSE),
        images={"I1": image},
    )
    document = parse(pdf)
    assert labels(document) == ["Figure p1-1"]
    assert box(one(document, "Figure p1-1"))[1] > 200


def test_a_logo_on_every_page_is_no_figure() -> None:
    pdf = Pdf()
    image = pdf.add(gray_image())
    for _ in range(2):
        pdf.page("q 90 0 0 60 450 715 cm /I1 Do Q " + lines(72, 680, PROSE), images={"I1": image})
    assert labels(parse(pdf)) == []


def test_what_a_clip_path_hides_is_no_part_of_the_figure() -> None:
    pdf = Pdf()
    image = pdf.add(gray_image())
    clipped = "q 150 500 100 80 re W n q 500 0 0 300 60 400 cm /I1 Do Q Q "
    pdf.page(lines(72, 740, PROSE) + clipped + lines(72, 380, PROSE), images={"I1": image})
    left, top, right, bottom = box(one(parse(pdf), "Figure p1-1"))
    assert (round(left), round(top), round(right), round(bottom)) == (147, 209, 253, 295)


def test_the_ground_of_a_quotation_is_no_part_of_the_photograph_above_it() -> None:
    pdf = Pdf()
    image = pdf.add(gray_image())
    ground = "0.9 1 0.9 rg 72 300 260 200 re f 0 g\n"
    quote = [
        "We began with two boats and",
        "the belief that a river has",
        "more to say than we can ask",
        "in one short summer.",
    ]
    pdf.page(
        ground + "q 260 0 0 150 72 500 cm /I1 Do Q " + lines(90, 460, quote, size=14, lead=18), images={"I1": image}
    )
    assert box(one(parse(pdf), "Figure p1-1"))[3] < 792 - 480


def test_a_page_that_is_one_drawing_is_one_figure() -> None:
    pdf = Pdf()
    parts = drawing(10, 10, 150, 180) + drawing(240, 20, 150, 60) + drawing(240, 130, 150, 60)
    pdf.page(parts + text(180, 100, "becomes", size=8), box="0 0 400 200")
    document = parse(pdf)
    assert labels(document) == ["Figure p1-1"]
    left, _, right, _ = box(one(document, "Figure p1-1"))
    assert left < 15
    assert right > 385


def test_displayed_equations_without_number_are_elements() -> None:
    pdf = Pdf()
    pdf.page(
        lines(72, 700, PROSE)
        + text(180, 630, "x = a + b - c", font="F4")
        + lines(72, 600, PROSE)
        + text(180, 530, "y = d / e", font="F4")
        + text(330, 530, "(2)")
        + lines(72, 500, PROSE)
    )
    document = parse(pdf)
    assert [(e.label, e.generated, e.text) for e in document.elements] == [
        ("Equation p1-1", True, "x = a + b - c"), ("Equation 2", False, "y = d / e"),
    ]  # fmt: skip


def test_a_numerator_belongs_to_its_equation() -> None:
    pdf = Pdf()
    upper, lower = text(200, 641, "u + v", font="F4"), text(200, 624, "w - z", font="F4")
    pdf.page(
        lines(72, 700, PROSE)
        + upper + text(160, 632, "x =", font="F4") + lower + text(360, 632, "(2)")
        + lines(72, 570, PROSE)
    )  # fmt: skip
    document = parse(pdf)
    assert [e.text for e in document.elements] == ["u + v x = w - z"]
    assert box(one(document, "Equation 2"))[1] < 792 - 645


def test_a_fraction_and_a_second_line_stay_with_their_equation() -> None:
    pdf = Pdf()
    content = text(160, 640, "L(q, p) = f(p) + g(q)", font="F4") + text(330, 640, "(2)")
    content += (
        text(205, 627, "h(q) + h(p)", font="F4")
        + text(160, 619, "= -u", font="F4")
        + text(215, 612, "u + v", font="F4")
    )
    pdf.page(lines(72, 700, PROSE) + content + lines(72, 570, PROSE))
    document = parse(pdf)
    assert labels(document) == ["Equation 2"]
    _, top, _, bottom = box(one(document, "Equation 2"))
    assert top < 792 - 645
    assert bottom > 792 - 613
    assert len([b for b in document.parts[0].blocks if isinstance(b, Equation)]) == 1


def test_symbols_in_a_sentence_and_in_a_list_are_no_equations() -> None:
    pdf = Pdf()
    pdf.page(
        lines(72, 700, [*PROSE[:3], "and sent them to the office, where all hold the bound that"])
        + text(72, 652, "k = a + b + c,", font="F4")
        + lines(72, 640, PROSE)
        + text(100, 570, "- q = a + b = c + d", font="F4")
        + text(100, 558, "- r = a - b = c - d", font="F4")
    )
    assert labels(parse(pdf)) == []


@pytest.mark.parametrize("folio", ["Page 2 of 3", "- 7 -", "12"])
def test_a_page_number_on_a_single_page_is_a_foot_and_no_heading(folio: str) -> None:
    pdf = Pdf()
    pdf.page(lines(72, 700, PROSE) + text(280, 40, folio, size=12, font="F2"))
    (part,) = parse(pdf).parts
    assert part.metadata == {"footer": folio}
    assert [type(block) for block in part.blocks] == [Paragraph]


def test_headings_in_italics_and_centred_under_roman_numbers() -> None:
    pdf = Pdf()
    pdf.page(
        text(180, 720, "II. Related Work", size=9) + lines(72, 690, PROSE)
        + text(72, 625, "A. Of the noise", font="F4") + text(84, 610, "The noise was measured at night, when the")
        + lines(72, 598, PROSE)
        + text(180, 530, "III. Evaluation", size=9) + lines(72, 500, PROSE)
    )  # fmt: skip
    found = [(b.number, b.text, b.level) for b in parse(pdf).parts[0].blocks if isinstance(b, Heading)]
    assert [(number, title) for number, title, _ in found] == [
        ("II", "Related Work"), ("A", "Of the noise"), ("III", "Evaluation"),
    ]  # fmt: skip
    assert found[0][2] == found[2][2] < found[1][2]


def test_three_columns_are_read_one_after_the_other() -> None:
    columns = [[f"col{c} line{r} holds words enough" for r in range(14)] for c in range(3)]
    heads = [text(72 + 170 * c, 700 - 12 * 5 * (c + 1), "Head", size=13, font="F2") for c in range(3)]
    across = "".join(
        text(72 + 170 * c, 700 - 12 * r, columns[c][r], size=9)
        for r in range(14) for c in range(3) if r != 5 * (c + 1) and r != 5 * (c + 1) - 1
    )  # fmt: skip
    pdf = Pdf()
    pdf.page(across + "".join(heads))
    found = " ".join(texts(parse(pdf)))
    order = [found.index(f"col{c} line{r} ") for c in range(3) for r in (0, 13)]
    assert order == sorted(order)


def test_a_list_item_whose_lines_return_to_the_margin_stays_whole() -> None:
    pdf = Pdf()
    item = ["1. Earned income of a spouse other", "than from trade and from the income of", "a partnership of two."]
    pdf.page(lines(72, 720, PROSE) + lines(72, 650, item) + lines(72, 590, ["2. Gains from the sale."]))
    assert [b.text for b in parse(pdf).parts[0].blocks if isinstance(b, ListItem)] == [
        "Earned income of a spouse other than from trade and from the income of a partnership of two.",
        "Gains from the sale.",
    ]


def test_a_sentence_cut_by_the_page_end_is_whole_on_its_first_page() -> None:
    pdf = Pdf()
    pdf.page(lines(72, 700, [*PROSE[:3], "and told the office of their instru-"]) + text(300, 30, "1", size=9))
    pdf.page(lines(72, 700, ["ments in the spring, as they had always done it before.", *PROSE]))
    document = parse(pdf)
    assert texts(document, 1)[-1].endswith("of their instruments in the spring, as they had always done it before.")
    assert texts(document, 2)[0] == " ".join(PROSE)


def test_a_paragraph_that_ends_with_the_page_stays_as_it_is() -> None:
    pdf = Pdf()
    pdf.page(lines(72, 700, PROSE))
    pdf.page(lines(72, 700, ["and then, in lower case, another one begins on the page after it.", *PROSE]))
    document = parse(pdf)
    assert [len(texts(document, number)) for number in (1, 2)] == [1, 1]
    assert texts(document, 2)[0].startswith("and then, in lower case")


@pytest.mark.parametrize(
    ("blank", "endless", "expected"), [(3, 0, "Peněžní účet"), (9, 0, None), (3, 20_000, "Peněžní účet")]
)
def test_glyph_numbers_are_read_by_the_map_of_the_font_where_they_are_glyph_numbers(
    blank: int, endless: int, expected: str | None
) -> None:
    word = "Peněžní účet"
    glyphs = {char: 40 + at for at, char in enumerate(sorted(set(word) - {" "}))} | {" ": blank}
    pdf = Pdf()
    data = zlib.compress(sfnt({glyph: char for char, glyph in glyphs.items()}, endless))
    file = pdf.stream(data, "/Filter /FlateDecode")
    descriptor = pdf.add(
        "<< /Type /FontDescriptor /FontName /ABCDEE+Arial /Flags 32 /FontBBox [0 -200 1000 900] /ItalicAngle 0"
        f" /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 {file} 0 R >>"
    )
    below = pdf.add(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEE+Arial /CIDToGIDMap /Identity /DW 500"
        " /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
        f" /FontDescriptor {descriptor} 0 R >>"
    )
    font = pdf.add(
        "<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEE+Arial /Encoding /Identity-H"
        f" /DescendantFonts [{below} 0 R] >>"
    )
    codes = "".join(f"{glyphs[char]:04X}" for char in word)
    pdf.page(f"BT /G1 12 Tf 72 700 Td <{codes}> Tj ET\n", fonts={"G1": font})
    found = " ".join(texts(parse(pdf)))
    assert (found == expected) if expected else (word not in found)


def japanese_font(pdf: Pdf) -> int:
    """A font that neither the file nor, most likely, the machine has."""
    descriptor = (
        "<< /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0"
        " /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>"
    )
    below = pdf.add(
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /DW 1000"
        " /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>"
        f" /FontDescriptor {pdf.add(descriptor)} 0 R >>"
    )
    return pdf.add(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /UniJIS-UCS2-H"
        f" /DescendantFonts [{below} 0 R] >>"
    )


def characters(x: float, y: float, string: str, *, across: float = 10, down: float = 0) -> str:
    """Each character as a text object of its own."""
    return "".join(
        f"BT /J1 10 Tf 1 0 0 1 {x + at * across} {y - at * down} Tm <{ord(char):04X}> Tj ET\n"
        for at, char in enumerate(string)
    )


def test_japanese_set_character_by_character_downwards_reads_by_columns() -> None:
    pdf = Pdf()
    font = japanese_font(pdf)
    columns = ["道路交通法施行令", "一部改正青色灯火", "歩行者進行横断道"]
    content = "".join(characters(500 - 13 * c, 700, column, across=0, down=9) for c, column in enumerate(columns))
    pdf.page(content, fonts={"J1": font})
    found = "".join(texts(parse(pdf)))
    assert [found.index(column) for column in columns] == sorted(found.index(column) for column in columns)


def test_single_characters_in_a_font_that_is_nowhere_are_read_in_forms_too() -> None:
    pdf = Pdf()
    font = japanese_font(pdf)
    entries = f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /J1 {font} 0 R >> >>"
    form = pdf.stream(characters(72, 600, "施行令"), entries)
    pdf.page(characters(72, 700, "道路"), fonts={"J1": font})
    pdf.page("/X1 Do\n", images={"X1": form})
    document = parse(pdf)
    assert (texts(document), texts(document, 2)) == (["道路"], ["施行令"])


def test_a_page_of_a_single_list_item_is_read() -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "- The only item of the only page of this document"))
    (item,) = parse(pdf).parts[0].blocks
    assert isinstance(item, ListItem)
    assert "only item" in item.text


def test_letters_of_a_symbol_font_before_text_are_bullets() -> None:
    pdf = Pdf()
    font = pdf.add("<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Wingdings2 /Encoding /WinAnsiEncoding >>")
    items = "".join(
        f"BT /W1 10 Tf 72 {700 - 14 * r} Td (h) Tj ET\n" + text(92, 700 - 14 * r, f"Item number {r} of the list")
        for r in range(3)
    )
    pdf.page(items, fonts={"W1": font})
    found = parse(pdf).parts[0].blocks
    assert [(b.marker, b.text) for b in found if isinstance(b, ListItem)] == [
        ("•", f"Item number {r} of the list") for r in range(3)
    ]
    assert not [b for b in found if isinstance(b, Paragraph)]


def test_captions_in_the_margin_are_bound_to_what_stands_beside_them() -> None:
    rows = [("Effect", "Many", "Single"), ("Training", "6.98", "23.11"), ("Family", "5.82", "18.74")]
    cells = "".join(text(180 + 110 * c, 586 - 14 * r, row[c]) for r, row in enumerate(rows) for c in range(3))
    ruled = rule(170, 598, 470, 598) + rule(170, 582, 470, 582) + rule(90, 550, 470, 550)
    margin = lines(90, 580, ["Table I.", "What training", "does"], size=8)
    beside = lines(60, 420, ["Figure 2.", "Impact of", "training"], size=8)
    pdf = Pdf()
    pdf.page(lines(170, 740, PROSE) + ruled + cells + margin + drawing(160, 400, 240, 100) + beside)
    document = parse(pdf)
    assert sorted(labels(document)) == ["Figure 2", "Table I"]
    left, top, right, bottom = box(one(document, "Table I"))
    assert (round(left), abs(right - 473) < 1.5) == (87, True)
    assert top < 792 - 598
    assert 792 - 550 < bottom < 792 - 540
    assert box(one(document, "Figure 2"))[2] > 395


def test_a_heat_map_is_no_empty_form() -> None:
    pdf = Pdf()
    cells = "".join(
        f"{0.2 + 0.1 * ((r + c) % 5)} 0.8 0.6 rg 0 G 0.7 w {150 + 40 * c} {480 + 20 * r} 40 20 re B\n"
        for r in range(6) for c in range(6)
    )  # fmt: skip
    pdf.page(lines(72, 740, PROSE) + cells + text(150, 455, "Figure 5. Scores by depth"))
    document = parse(pdf)
    assert tables(document) == []
    assert labels(document) == ["Figure 5"]


def test_rules_drawn_as_one_path_under_a_matrix_stand_where_they_are_shown() -> None:
    """Print drivers scale and flip the page, and draw all rules of a table as one path."""
    pdf = Pdf()
    path = "".join(f"100 {y} m 500 {y} l " for y in (200, 240, 280, 320))
    path += "".join(f"{x} 200 m {x} 320 l " for x in (100, 300, 500))
    cells = "".join(text(80 + 150 * c, 627 - 30 * r, f"cell {r}{c}") for r in range(3) for c in range(2))
    pdf.page(f"q .75 0 0 -.75 0 792 cm 1 w {path} S Q " + cells)
    document = parse(pdf)
    assert [table.rows for table in tables(document)] == [
        (("cell 00", "cell 01"), ("cell 10", "cell 11"), ("cell 20", "cell 21"))
    ]
    left, top, right, bottom = box(one(document, "Table p1-1"))
    assert (round(left), round(top), round(right), round(bottom)) == (72, 147, 378, 243)


def test_a_listing_between_rules_is_no_table_and_its_frame_no_figure() -> None:
    code = ["set(width   = wide,", "    height  = half,", "    margin  = none,", "    colour  = green)"]
    keys = "".join(
        text(72 + 90 * c, 600 - 12 * r, line.split("=")[c].strip(), font="F3")
        for r, line in enumerate(code)
        for c in range(2)
    )
    rounded = "1 w 70 420 m 70 500 l 80 510 l 400 510 l 400 420 l 70 420 l S\n"
    framed = lines(80, 490, [*code, "and it goes on for a while longer"], font="F3")
    pdf = Pdf()
    pdf.page(lines(72, 740, PROSE) + rule(72, 614, 400, 614) + rule(72, 556, 400, 556) + keys + rounded + framed)
    document = parse(pdf)
    assert labels(document) == []


def test_rules_broken_between_groups_of_columns_are_those_of_one_table() -> None:
    rows = [("Zone", "Sales", "Profit", "Costs"), ("North", "12", "7", "5"), ("South", "90", "40", "50")]
    pdf = Pdf()
    content = lines(72, 740, PROSE)
    for top in (640, 560):
        for r in range(4):
            y = top - 15 * r
            content += rule(72, y, 240, y) + rule(250, y, 420, y)
        for r, row in enumerate(rows):
            xs = (76, 190, 260, 370)
            content += "".join(text(x, top - 11 - 15 * r, cell) for x, cell in zip(xs, row, strict=True))
    pdf.page(content)
    found = tables(parse(pdf))
    assert [[len(table.rows), len(table.rows[0])] for table in found] == [[3, 4], [3, 4]]


def test_rules_from_edge_to_edge_of_the_paper_enclose_no_table() -> None:
    rows = [("6", "Hello, this is a note beside the text"), ("7", "and so on, of no meaning"), ("8", "until it ends")]
    notes = "".join(text(60, 596 - 12 * r, a) + text(100, 596 - 12 * r, b) for r, (a, b) in enumerate(rows))
    numbers = "".join(text(520, 596 - 12 * r, a) for r, (a, _) in enumerate(rows))
    pdf = Pdf()
    pdf.page(lines(72, 740, PROSE) + rule(0, 612, 612, 612) + rule(0, 560, 612, 560) + notes + numbers)
    assert tables(parse(pdf)) == []


def test_titles_and_their_pages_are_no_table() -> None:
    names = ["Date format", "Further improvements", "Hyphenation", "Default language", "Line spacing"]
    listed = "".join(text(72, 640 - 15 * r, n) + text(300, 640 - 15 * r, str(r + 1)) for r, n in enumerate(names))
    pdf = Pdf()
    pdf.page(lines(72, 740, PROSE) + listed)
    assert tables(parse(pdf)) == []


def test_an_empty_grid_of_two_rows_is_a_table() -> None:
    pdf = Pdf()
    pdf.page(lines(72, 740, PROSE) + grid([72.0, 232.0, 392.0], [560.0, 575.0, 590.0]))
    assert [(len(t.rows), len(t.rows[0])) for t in tables(parse(pdf))] == [(2, 2)]


def paper(number: int, head: str) -> str:
    """A page of running text under a head that stands too close to it to be told by white space."""
    content = text(72, 742, f"{number + 1} {head}", font="F2", size=11)
    return content + lines(72, 728, [f"Page {number} goes on about the survey, whose stations"] + SURVEY * 4, lead=13)


SURVEY = [
    "were visited twice a year by the same two observers, who",
    "noted depth and temperature and sent the records, as soon",
    "as they were back, to the office of the district where all",
]


def headings(document: ParsedDocument) -> list[str]:
    return [block.text for part in document.parts for block in part.blocks if isinstance(block, Heading)]


def test_what_repeats_at_the_head_with_the_page_number_is_no_heading() -> None:
    pdf = Pdf()
    for number in range(6):
        pdf.page(paper(number, "Shapiro, Preguiça and others"))
    assert headings(parse(pdf)) == []


def test_authors_and_where_they_work_are_no_headings() -> None:
    pdf = Pdf()
    top = text(120, 740, "Sparse Retrieval of Long Tables", size=20, font="F2")
    top += text(140, 705, "Ana Pérez, Li Wei and Tom Brandt", size=13, font="F2")
    top += text(150, 685, "University of the North", size=13, font="F2") + text(150, 668, "ana@north.example", size=12)
    top += text(72, 630, "1 Introduction", size=13, font="F2")
    pdf.page(top + lines(72, 610, SURVEY * 6, lead=13))
    pdf.page(text(72, 740, "2 Method", size=13, font="F2") + lines(72, 720, SURVEY * 8, lead=13))
    assert headings(parse(pdf)) == ["Sparse Retrieval of Long Tables", "Introduction", "Method"]


def test_a_stamp_along_the_margin_is_no_heading() -> None:
    pdf = Pdf()
    stamp = "BT /F1 20 Tf 0 1 -1 0 40 200 Tm (arXiv:2305.03393v1 [cs.CV] 5 May 2023) Tj ET\n"
    pdf.page(stamp + text(72, 740, "Optimised Tables", size=20, font="F2") + lines(72, 700, SURVEY * 10, lead=13))
    assert headings(parse(pdf)) == ["Optimised Tables"]


def test_raised_figures_in_a_column_are_no_page_numbers() -> None:
    pdf = Pdf()
    latin = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    rows = [
        ("Arno", "Florence", "\xb2"),
        ("Brenta", "Padua", "\xb3"),
        ("Cecina", "Volterra", "\xb9"),
        ("Dora", "Turin", "\xb2"),
    ]
    content = lines(72, 740, PROSE)
    for at, row in enumerate(rows):
        content += "".join(text(x, 660 - at * 14, cell, font="F5") for x, cell in zip((72, 180, 300), row, strict=True))
    pdf.page(content, fonts={"F5": latin})
    said = "\n".join(repr(block) for block in parse(pdf).parts[0].blocks)
    assert all(cell in said for row in rows for cell in row)


def test_a_page_whose_layout_breaks_off_keeps_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    pdf = Pdf()
    for town in ("Florence", "Padua"):
        pdf.page(lines(72, 740, [*PROSE, f"The gauge stands in {town}."]))

    def fails(pieces: list[object], _em: float) -> list[list[object]]:
        if any("Padua" in getattr(piece, "text", "") for piece in pieces):
            raise IndexError
        return [pieces]

    monkeypatch.setattr(
        "sidecar_pdf.structure.headings.side_heads.reading_order", fails
    )  # no file is known that breaks a rule off
    document = parse(pdf)
    assert "Padua" in " ".join(texts(document, 2))
    assert [(notice.code, notice.part) for notice in document.notices] == [("damaged_part", 2)]
    assert "page 2 was not understood (IndexError)" in document.notices[0].message


def test_a_page_that_is_not_understood_keeps_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    pdf = Pdf()
    for town in ("Florence", "Padua"):
        pdf.page(lines(72, 740, [*PROSE, f"The gauge stands in {town}."]))
    seen: list[int] = []

    def fails(text: str, _box: object) -> str:
        seen.append(1)
        if len(seen) == 2:
            raise KeyError
        return text

    monkeypatch.setattr("sidecar_pdf.text.page_string.with_broken_words", fails)  # no file is known that breaks a rule
    document = parse(pdf)
    assert "The gauge stands in Padua." in texts(document, 2)
    assert "The gauge stands in Florence." in " ".join(texts(document, 1))
    assert [(notice.code, notice.part) for notice in document.notices] == [("damaged_part", 2)]
    assert "Page 2 was not understood (KeyError)" in document.notices[0].message


def test_an_accent_over_an_accent_is_no_letter() -> None:
    pdf = Pdf()
    latin = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    over = text(100, 700, "\xa8", font="F5") + text(100, 700, "\x88", font="F5")
    pdf.page(lines(72, 740, PROSE) + over + text(100, 700, "e", font="F5"), fonts={"F5": latin})
    assert not parse(pdf).notices


def test_a_blank_that_is_the_spacing_of_one_letter_parts_words() -> None:
    pdf = Pdf()
    drawn = "(creates a ne)Tj 2.5 Tc 46.6 0 Td (wa)Tj 0 Tc 14.17 0 Td (rchive of gauges)Tj"
    pdf.page(f"BT /F4 10 Tf 72 680 Td {drawn} ET\n" + lines(72, 640, PROSE))
    assert texts(parse(pdf))[0] == "creates a new archive of gauges"


def test_a_last_line_of_mostly_typewriter_face_goes_on_with_its_paragraph() -> None:
    pdf = Pdf()
    last = text(72, 692, "equal to") + text(110, 692, "NODE_INVALID, GAUGE_NONE", font="F3") + text(260, 692, "it is.")
    pdf.page(lines(72, 740, [*PROSE[:3], "and what is returned is the number of the first station, or"]) + last)
    assert len(texts(parse(pdf))) == 1


def test_an_address_in_a_typewriter_face_goes_on_in_the_next_line() -> None:
    pdf = Pdf()
    address = text(72, 692, "Quarterly of Rivers, 16. URL") + text(216, 692, "http://www.gauges.example.", font="F3")
    pdf.page(lines(72, 740, PROSE[:4]) + address + text(72, 680, "org/files/0538.pdf", font="F3"))
    said = texts(parse(pdf))[-1]
    assert said.startswith("Quarterly of Rivers")
    assert said.endswith("org/files/0538.pdf")


def test_short_lines_and_the_right_half_of_one_formula_make_no_columns() -> None:
    page = [(72, 332, 700 + 12 * at) for at in range(4)] + [(72, 110, 748)]
    page += [(72, 210, 770 + 12 * at) for at in range(9)]
    page += [(72, 332, 890 + 12 * at) for at in range(4)] + [(72, 110, 938)]
    page += [(150, 190, 960), (250, 290, 960), (315, 332, 960)]
    word = Word("wording", 0, 0, 0, 0, NO_STYLE._replace(size=10), joined=False)
    pieces = [Segment(word._replace(x0=x0, y0=y, x1=x1, y1=y + 10), at) for at, (x0, x1, y) in enumerate(page)]
    assert len(reading_order(pieces, 10)) == 1


def test_a_page_of_one_tiny_letter_is_read() -> None:
    """Body text has no size there, and no heading is the largest: it ended with an IndexError."""
    pdf = Pdf()
    pdf.page(text(10, 700, "a", size=0.05))
    document = parse(pdf)
    assert texts(document) == ["a"]
