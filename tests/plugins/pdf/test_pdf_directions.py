"""PDF text that does not run level, is drawn twice, or whose letters a file draws in parts."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, drawing, grid, lines, rule, text
from support.formats.pdf_prose import SURVEY as PROSE
from support.formats.pdf_prose import read_pdf as parse

from sidecar.api import Figure, Heading, Note, Paragraph, ParsedDocument, Table

TURNS = {
    "up": (0, 1, -1, 0),
    "down": (0, -1, 1, 0),
    "upside down": (-1, 0, 0, -1),
    "mirrored": (-1, 0, 0, 1),
    "flipped": (1, 0, 0, -1),
}
"""Text matrices (a, b, c, d), y upwards."""


def texts(document: ParsedDocument, page: int = 1) -> list[str]:
    return [str(getattr(block, "text", "")) for block in document.parts[page - 1].blocks]


def turned(x: float, y: float, strings: list[str], way: str, *, size: float = 10, lead: float = 12) -> str:
    """Lines that begin at (x, y) and run `way`."""
    a, b, c, d = TURNS[way]
    out = ""
    for at, string in enumerate(strings):
        left, base = x - c * lead * at, y - d * lead * at
        out += f"q BT /F1 {size} Tf {a} {b} {c} {d} {left} {base} Tm ({string}) Tj ET Q\n"
    return out


@pytest.mark.parametrize(
    ("way", "x", "y"),
    [("up", 450, 300), ("down", 300, 600), ("upside down", 540, 300), ("mirrored", 540, 400), ("flipped", 72, 300)],
)
def test_a_page_whose_text_runs_another_way_reads_as_if_turned(way: str, x: float, y: float) -> None:
    pdf = Pdf()
    pdf.page(turned(x, y, PROSE, way))
    document = parse(pdf)
    assert texts(document) == [" ".join(PROSE)]
    part = document.parts[0]
    assert (part.width, part.height) == (612, 792)
    box = part.blocks[0].box
    assert box is not None
    # what is told of places is of the page as shown
    a, b, c, d = TURNS[way]
    left, right = sorted((x, x + a * 260 - c * 36))
    bottom, top = sorted((y, y + b * 260 - d * 36))
    assert box[0] == pytest.approx(left, abs=14)
    assert box[2] == pytest.approx(right, abs=14)
    assert box[1] == pytest.approx(792 - top, abs=14)
    assert box[3] == pytest.approx(792 - bottom, abs=14)


@pytest.mark.parametrize("way", ["up", "down", "upside down"])
def test_a_few_lines_that_run_another_way_are_read_along_it(way: str) -> None:
    pdf = Pdf()
    note = ["Measured twice a year by", "the same two observers"]
    pdf.page(lines(72, 740, PROSE * 4) + turned(400, 300, note, way))
    found = texts(parse(pdf))
    assert "Measured twice a year by the same two observers" in found
    assert found[0].startswith("The survey covers every station")


def test_the_title_of_an_axis_reads_upwards() -> None:
    pdf = Pdf()
    plot = drawing(150, 450, 240, 120) + turned(140, 470, ["Depth in metres"], "up", size=8)
    pdf.page(lines(72, 740, PROSE) + plot + text(150, 425, "Figure 1. Depth by month"))
    figures = [block for block in parse(pdf).parts[0].blocks if isinstance(block, Figure)]
    assert [figure.text for figure in figures] == ["Depth in metres"]


def test_a_word_at_an_angle_stays_a_word() -> None:
    pdf = Pdf()
    slanted = "q BT /F1 48 Tf 0.866 0.5 -0.5 0.866 150 300 Tm (PRELIMINARY DRAFT) Tj ET Q\n"
    pdf.page(lines(72, 740, PROSE) + slanted)
    assert "PRELIMINARY DRAFT" in texts(parse(pdf))


def test_words_on_the_diagonal_are_parted_where_their_font_has_room_whatever_the_height_of_its_boxes() -> None:
    """There both sides of a character's box say the same of it, and the font how tall boxes are: 700 of 1,000 here."""
    pdf = Pdf()
    glyph = pdf.stream("680 0 0 -100 640 600 d1 40 0 600 600 re f")
    font = pdf.add(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 -100 680 600] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65"
        f" /LastChar 90 /Widths [{'680 ' * 26}] /CharProcs << /g {glyph} 0 R >>"
        f" /Encoding << /Type /Encoding /Differences [65 {'/g ' * 26}] >> /ToUnicode {letters(pdf)} 0 R >>"
    )
    tick = "q BT /T3 10 Tf 0.7071 0.7071 -0.7071 0.7071 200 300 Tm [(ALDER) -500 (HILL)] TJ ET Q\n"
    pdf.page(lines(72, 700, PROSE) + tick, fonts={"T3": font})
    assert "ALDER HILL" in texts(parse(pdf))


def letters(pdf: Pdf) -> int:
    """The capital letters as a font's own codes say them."""
    lines = "".join(f"<{code:02x}> <{code:04x}>\n" for code in range(65, 91))
    return pdf.stream(
        f"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 26 beginbfchar\n{lines}endbfchar endcmap"
    )


def test_turned_heads_of_columns_stay_in_their_cells() -> None:
    xs, ys = [72.0, 172.0, 212.0, 252.0], [500.0, 520.0, 540.0, 620.0]
    cells = "".join(text(76, y, name) for y, name in ((506, "Lower"), (526, "Upper"), (560, "Station")))
    cells += "".join(text(x, y, "12") for x in (180, 220) for y in (506, 526))
    heads = turned(196, 545, ["Low water"], "up") + turned(236, 545, ["High water"], "up")
    pdf = Pdf()
    pdf.page(lines(72, 740, PROSE) + grid(xs, ys) + cells + heads)
    tables = [block for block in parse(pdf).parts[0].blocks if isinstance(block, Table)]
    assert [table.rows[0] for table in tables] == [("Station", "Low water", "High water")]


def test_a_raised_mark_behind_a_turned_head_stands_behind_it() -> None:
    xs, ys = [72.0, 172.0, 212.0, 252.0], [500.0, 520.0, 540.0, 620.0]
    cells = "".join(text(76, y, name) for y, name in ((506, "Lower"), (526, "Upper"), (560, "Station")))
    cells += "".join(text(x, y, "12") for x in (180, 220) for y in (506, 526))
    heads = turned(196, 545, ["Sales"], "up") + turned(190.5, 573, ["(a)"], "up", size=6)
    heads += turned(230, 545, ["Net profit", "of trading"], "up", lead=11) + turned(235.5, 594, ["(b)"], "up", size=6)
    pdf = Pdf()
    pdf.page(lines(72, 740, PROSE) + grid(xs, ys) + cells + heads)
    tables = [block for block in parse(pdf).parts[0].blocks if isinstance(block, Table)]
    assert [table.rows[0] for table in tables] == [("Station", "Sales (a)", "Net profit of trading (b)")]


def test_a_period_over_a_rule_over_turned_heads_is_a_row_of_its_own() -> None:
    ruled = "".join(rule(72, y, 400, y) for y in (640, 622, 550, 490))
    heads = "".join(turned(x, 556, [name], "up") for x, name in ((210, "Sales"), (290, "Net profit"), (370, "Debt")))
    level = text(76, 627, "In millions") + text(350, 627, "June 2024")
    zones = ((536, "North", "125"), (522, "South", "367"), (508, "East", "482"), (496, "West", "219"))
    body = "".join(text(76, y, zone) + "".join(text(x, y, sum_) for x in (200, 280, 360)) for y, zone, sum_ in zones)
    pdf = Pdf()
    pdf.page(lines(72, 760, PROSE) + ruled + heads + level + body)
    (found,) = (block for block in parse(pdf).parts[0].blocks if isinstance(block, Table))
    assert found.rows[:3] == (
        ("In millions", "", "", "June 2024"),
        ("", "Sales", "Net profit", "Debt"),
        ("North", "125", "125", "125"),
    )
    assert found.header_rows == 2


def test_letters_drawn_over_themselves_are_read_once() -> None:
    pdf = Pdf()
    title = "Municipal plan"
    x, glyphs = 72.0, ""
    for char in title:
        glyphs += text(x, 700, char) + text(x + 1.4, 698.6, char)
        x += 10 * {"M": 0.833, "i": 0.222, "l": 0.222, " ": 0.278, "c": 0.5}.get(char, 0.556)
    line = "".join(text(72 + shift, 600 - shift, "A shadow lies under this line") for shift in (0, 0.5, 1.0))
    pdf.page(glyphs + line)
    found = " ".join(texts(parse(pdf)))
    assert found.replace(" ", "").count("Municipalplan") == 1
    assert "MMuu" not in found
    assert found.count("shadow") == 1


def test_doubled_letters_and_repeated_words_stay() -> None:
    pdf = Pdf()
    pdf.page(lines(72, 700, ["II aa ll 1100 -- had had", "had had 11 22"]))
    assert " ".join(texts(parse(pdf))) == "II aa ll 1100 -- had had had had 11 22"


def test_accents_drawn_apart_join_their_letters() -> None:
    pdf = Pdf()
    # TeX moves back by the width of the letter: the accent stands before it in the file, or after it
    before = r"q BT /F1 10 Tf 72 700 Td [(M) (\310) 333 (oglichkeiten f) (\310) 394.5 (ur) ] TJ ET Q" + "\n"
    after = r"q BT /F1 10 Tf 72 680 Td [(caf) (e) 444.5 (\302) -110.5 ( und so) ] TJ ET Q" + "\n"
    code = text(72, 660, "words^2 and x~y")
    pdf.page(before + after + code)
    found = " ".join(texts(parse(pdf)))
    assert "Möglichkeiten für" in found
    assert "café und so" in found
    assert "words^2" in found


def test_ligatures_named_by_an_encoding_are_spelled_out() -> None:
    pdf = Pdf()
    encoding = pdf.add("<< /Type /Encoding /Differences [27 /f_i 28 /f_f_i 29 /T_h] >>")
    widths = " ".join(["550"] * 256)
    font = pdf.add(
        "<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Libertine /FirstChar 0 /LastChar 255"
        f" /Widths [{widths}] /Encoding {encoding} 0 R >>"
    )
    pdf.page(r"BT /L 12 Tf 72 700 Td (\035e de\033ned o\034ce) Tj ET", fonts={"L": font})
    assert texts(parse(pdf)) == ["The defined office"]


def test_columns_close_together_are_read_one_after_the_other() -> None:
    left = [f"left column line {at} runs to the end of it" for at in range(8)]
    right = [f"right column line {at} does so as well here" for at in range(8)]
    pdf = Pdf()
    pdf.page(lines(72, 700, left, size=12, lead=14) + lines(277, 700, right, size=12, lead=14))
    found = " ".join(texts(parse(pdf)))
    assert found.index("left column line 7") < found.index("right column line 0")


def test_the_choices_of_a_list_are_told_with_what_is_chosen() -> None:
    pdf = Pdf()
    field = pdf.add(
        "<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 131072 /T (fruit) /TU (Favourite fruit) /V (Pear)"
        " /Opt [(Apple) (Pear) (Plum)] /Rect [72 600 200 620] /F 4 >>"
    )
    pdf.catalog = f"/AcroForm << /Fields [{field} 0 R] /DA (/Helv 10 Tf 0 g) >>"
    pdf.page(lines(72, 740, PROSE), more=f"/Annots [{field} 0 R]")
    notes = [b.text for b in parse(pdf).parts[0].blocks if isinstance(b, Note) and b.kind == "form"]
    assert notes == ["Favourite fruit: Pear (choices: Apple, Pear, Plum)"]


def test_frames_around_form_fields_are_no_figures() -> None:
    pdf = Pdf()
    fields: list[int] = []
    frames = ""
    for at in range(3):
        y = 560 - at * 90
        fields.append(
            pdf.add(f"<< /Type /Annot /Subtype /Widget /FT /Tx /T (f{at}) /Rect [74 {y + 2} 398 {y + 48}] /F 4 >>")
        )
        frames += f"1 w 72 {y} 328 50 re S\n" + f"0.5 w 73 {y + 1} 326 48 re S\n" + rule(72, y - 2, 400, y - 2)
        frames += text(72, y + 58, f"{at}. Title of the project")
    pdf.catalog = f"/AcroForm << /Fields [{' '.join(f'{n} 0 R' for n in fields)}] >>"
    pdf.page(lines(72, 740, PROSE) + frames, more=f"/Annots [{' '.join(f'{n} 0 R' for n in fields)}]")
    document = parse(pdf)
    assert document.elements == ()
    assert " ".join(texts(document)).count("Title of the project") == 3


def test_a_form_with_drawings_out_to_every_edge_is_no_drawing() -> None:
    pdf = Pdf()
    fields: list[int] = []
    drawn = text(230, 765, "Petition for Workers", size=16, font="F2")
    for at in range(9):
        y = 730 - at * 88
        fields.append(pdf.add(f"<< /Type /Annot /Subtype /Widget /FT /Tx /T (f{at}) /Rect [300 {y} 400 {y + 12}] >>"))
        for x in (10 + 30 * dx for dx in (0, 1, 2, 16, 17, 18)):
            drawn += f"{x} {y} m {x + 20} {y + 30} l {x + 40} {y} l S\n"
        drawn += text(180, y, "Name of somebody", size=10)
    pdf.catalog = f"/AcroForm << /Fields [{' '.join(f'{n} 0 R' for n in fields)}] >>"
    pdf.page(drawn, more=f"/Annots [{' '.join(f'{n} 0 R' for n in fields)}]")
    said = [b.text for b in parse(pdf).parts[0].blocks if isinstance(b, Heading | Paragraph)]
    assert said[:1] == ["Petition for Workers"] and " ".join(said).count("somebody") == 9


def test_lines_of_a_table_of_contents_are_no_headings() -> None:
    pdf = Pdf()
    names = ["Introduction", "Stations and gauges", "Results of the survey"]
    listed = "".join(text(72, 650 - 20 * at, f"{name} {at + 2}", font="F2") for at, name in enumerate(names))
    pdf.page(text(72, 700, "Contents", size=14, font="F2") + listed)
    for name in names:
        pdf.page(text(72, 740, name, size=14, font="F2") + lines(72, 700, PROSE * 3))
    headings = [b.text for part in parse(pdf).parts for b in part.blocks if isinstance(b, Heading)]
    assert headings == ["Contents", *names]


def test_a_numbered_heading_that_hangs_is_one_heading() -> None:
    pdf = Pdf()
    head = text(72, 700, "2.2", font="F2") + text(100, 700, "Manually breaking all", font="F2")
    pdf.page(head + text(100, 687, "columns of a page", font="F2") + lines(72, 660, PROSE * 3))
    headings = [(b.number, b.text) for b in parse(pdf).parts[0].blocks if isinstance(b, Heading)]
    assert headings == [("2.2", "Manually breaking all columns of a page")]


def test_small_listings_do_not_make_headings_of_the_text() -> None:
    pdf = Pdf()
    for _ in range(12):
        code = [f"set value {at} of the table to another number and go on" for at in range(28)]
        pdf.page(lines(72, 740, PROSE) + text(72, 680, "Names", font="F2") + lines(72, 650, code, size=7, font="F3"))
    headings = {b.text for part in parse(pdf).parts for b in part.blocks if isinstance(b, Heading)}
    assert headings == {"Names"}


def test_formulas_between_short_lines_stand_where_they_are_shown() -> None:
    short = ("Note of the first kind:", "Note of the second kind:", "Note of the third kind:")
    body = lines(60, 720, PROSE)
    for at, line in enumerate(short):
        body += text(60, 660 - 60 * at, line) + text(400, 630 - 60 * at, f"a = b + {at}")
    pdf = Pdf()
    pdf.page(body + lines(60, 470, PROSE))
    read = " ".join(texts(parse(pdf)))
    places = [read.index(part) for at, line in enumerate(short) for part in (line, f"a = b + {at}")]
    assert places == sorted(places)


def test_fields_of_a_form_are_read_row_by_row_and_their_lines_stay_together() -> None:
    body = ""
    for at in range(4):
        body += lines(60, 700 - 60 * at, [f"What is the name of the person {at} who", f"asks for the permit {at}?"])
        body += lines(330, 700 - 60 * at, [f"Where does the person {at} live who", f"asks for the permit {at} here?"])
    pdf = Pdf()
    pdf.page(body)
    read = " ".join(texts(parse(pdf)))
    asked = [
        f"name of the person {at} who asks for the permit {at}? Where does the person {at} live who" for at in range(4)
    ]
    assert [part in read for part in asked] == [True] * 4


def test_notes_in_small_print_beside_the_text_do_not_tear_it() -> None:
    body = ""
    for at in range(3):
        body += lines(60, 700 - 80 * at, PROSE)
        body += lines(
            400, 700 - 80 * at, [f"See the note {at}", "of the first book", f"on page {at + 7}"], size=7, lead=9
        )
    pdf = Pdf()
    pdf.page(text(60, 740, "A title that is wider than the column of its text is", size=18) + body)
    read = " ".join(texts(parse(pdf)))
    assert read.count(" ".join(PROSE)) == 3
    assert all(f"See the note {at} of the first book on page {at + 7}" in read for at in range(3))


def test_letterspaced_words_are_whole_where_the_gaps_between_words_are_clearly_wider() -> None:
    pdf = Pdf()
    body = lines(72, 700, PROSE) + text(72, 640, "Joining the crew", size=12, more="4 Tc")
    pdf.page(body + "0 Tc\n" + lines(72, 600, PROSE))
    assert "Joining the crew" in " ".join(texts(parse(pdf)))


def test_a_single_letterspaced_word_is_whole_where_the_page_writes_its_blanks() -> None:
    pdf = Pdf()
    pdf.page(lines(72, 700, PROSE) + text(72, 640, "ONE", size=12, more="4 Tc") + "0 Tc\n" + lines(72, 600, PROSE))
    assert "ONE" in " ".join(texts(parse(pdf)))


def test_single_letters_with_blanks_or_places_of_their_own_stay_apart() -> None:
    apart = "".join(text(72 + 11 * at, 560, letter) for at, letter in enumerate("NESW"))
    for line in ("Points A B C D and J. R. R. Tolkien", "A B C D"):
        pdf = Pdf()
        pdf.page(lines(72, 700, PROSE) + text(72, 640, line) + lines(72, 600, PROSE) + apart)
        read = " ".join(texts(parse(pdf)))
        assert line in read
        assert "N E S W" in read


def test_languages_side_by_side_are_read_one_after_the_other_with_their_heads() -> None:
    one = ["(1) The landlord lets the rooms on the second", "floor with a cellar room to the tenant now."]
    other = ["(1) Der Vermieter vermietet dem Mieter die", "Zimmer im zweiten Stock mit einem Keller."]
    content = text(200, 740, "Lease / Mietvertrag", size=16, font="F2")
    for clause in range(3):
        top = 700 - 60 * clause
        content += text(72, top, f"Clause {clause} Rooms", font="F2") + text(
            320, top, f"Absatz {clause} Mietsache", font="F2"
        )
        content += lines(72, top - 20, one) + lines(320, top - 20, other)
    pdf = Pdf()
    pdf.page(content)
    each = [[f"Clause {at} Rooms", " ".join(one)[4:], f"Absatz {at} Mietsache", " ".join(other)[4:]] for at in range(3)]
    assert texts(parse(pdf)) == ["Lease / Mietvertrag", *(said for clause in each for said in clause)]


def test_numbers_of_the_lines_of_two_columns_join_no_lines_across() -> None:
    numbers = ("one", "two", "three", "four", "five", "six.")
    one = [f"the first of two texts goes on in line {number}" for number in numbers]
    other = [f"its version beside it goes on in line {number}" for number in numbers]
    content = text(72, 740, "This line stands over both of the columns and says that they say the same in two ways.")
    for at, (left, right) in enumerate(zip(one, other, strict=True), 1):
        y = 700 - 12 * at
        content += text(60, y, str(at), size=6) + text(80, y, left)
        content += text(320, y, right) + text(540, y, f"{at}R", size=6)
    pdf = Pdf()
    pdf.page(content)
    assert texts(parse(pdf))[1:] == [" ".join(one), " ".join(other)]


def test_two_languages_drawn_line_by_line_between_full_lines_are_read_one_after_the_other() -> None:
    one = [
        "You may expect me to talk about the",
        "road that leads to the old mill, but I",
        "would rather tell you of the river.",
    ]
    other = [
        "Sie erwarten von mir, dass ich Ihnen",
        "von der Straße zur Mühle erzähle, aber",
        "ich rede heute lieber über den Fluss.",
    ]
    content, full = "", [f"{line} and go on over the width of the page as far as it goes" for line in PROSE * 2]
    for at in range(3):
        top = 740 - 200 * at
        content += lines(72, top, full)
        top -= 12 * len(full)
        for down, (left, right) in enumerate(zip(one, other, strict=True), 1):
            content += text(72, top - 6 - 12 * down, left) + text(300, top - 6 - 12 * down, right, font="W")
    pdf = Pdf()
    font = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    pdf.page(content, fonts={"W": font})
    assert texts(parse(pdf)) == [" ".join(full), " ".join(one), " ".join(other)] * 3
