"""Headings of PDFs as packages print their manuals and pages: prereleases, titles smaller than the text, numbers that
go on in plain type, titles on pictures and cards; and buttons and fields, which head nothing."""

from __future__ import annotations

import pytest
from sidecar_pdf.structure.headings.company import said_again
from sidecar_pdf.structure.headings.finding import find_headings
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import body_size
from support.formats.pdf_builder import Pdf, gray_image, lines, text
from support.formats.pdf_prose import PROSE_ON as PROSE
from support.formats.pdf_prose import read_pdf, titles
from support.formats.plugin_reading import of

from sidecar.api import Figure, Heading


def bold(y: float, words: str, size: float = 14) -> str:
    return text(72, y, words, size=size, font="F2")


def pdf_of(*pages: str) -> Pdf:
    pdf = Pdf()
    for page in pages:
        pdf.page(page)
    return pdf


def test_prereleases_in_large_plain_type_are_headings_of_a_list_of_changes() -> None:
    names = ["5.0.0rc3", "5.0.0b1", "5.0.0-alpha.2"]
    page = bold(740, "Changes", 24)
    for number, name in enumerate(names):
        page += text(72, 680 - 150 * number, name, size=18) + lines(72, 655 - 150 * number, PROSE[:5])
    assert titles(pdf_of(page)) == ["Changes", *names]


def test_buttons_that_several_pages_have_lead_to_nothing() -> None:
    pages: list[str] = []
    for name in ("Freelance", "Medium", "Large"):
        button = text(72, 560, "Choose plan", size=12, font="F2")
        pages.append(bold(740, name, 18) + lines(72, 710, PROSE * 2) + button + lines(72, 440, PROSE * 2))
    assert titles(pdf_of(*pages)) == ["Freelance", "Medium", "Large"]


def test_lines_that_several_pages_have_over_their_text_are_headings() -> None:
    pages = [bold(740, at, 18) + bold(700, "Parameters", 13) + lines(72, 680, PROSE * 2) for at in ("Ls", "Cp", "Mv")]
    assert titles(pdf_of(*pages)).count("Parameters") == 3


def headings_of(*regions: Region) -> list[str]:
    """The headings among regions under one another, which are given without a place."""
    y = 40.0
    for region in regions:
        y += 14
        region.box = (72, y, 72 + min(len(region.text) / region.lines * 5, 460), y + region.lines * region.size)
        y, region.column_left, region.alone = region.box[3], 72, True
    found = find_headings([PageRegions(612, 792, regions=list(regions))], [])
    return [region.text for region in regions if found.level(region)]


def test_capitals_that_reach_further_than_the_lines_of_another_column_are_titles() -> None:
    narrow = Region("text", "Of the town in the north", (50, 150, 130, 173), 7, lines=3, column_left=50, alone=True)
    regions = [Region("text", "JOHN DOE", (50, 60, 215, 90), 30, bold=True, column_left=50, alone=True), narrow]
    for at, name in enumerate(("ABOUT", "LANGUAGES", "INTERESTS")):
        regions += [
            Region("text", name, (50, 200 + 60 * at, 120, 210 + 60 * at), 10.5, column_left=50, alone=True),
            Region(
                "text", "Of this and that.", (50, 224 + 60 * at, 118, 232 + 60 * at), 8.25, column_left=50, alone=True
            ),
        ]
    for at, name in enumerate(("EXPERIENCE", "EDUCATION", "AWARDS")):
        y = 180 + 90 * at
        regions += [
            Region("text", name, (188, y, 259, y + 10), 10.5, column_left=188, alone=True),
            Region("text", "COMPANY", (188, y + 16, 243, y + 26), 10.5, bold=True, column_left=188),
            Region("text", "Did this and that.", (188, y + 50, 260, y + 58), 8.25, column_left=188, alone=True),
        ]
    found = find_headings([PageRegions(595, 842, regions=regions)], [])
    assert {region.text for region in regions if found.level(region)} >= {"EXPERIENCE", "EDUCATION", "AWARDS"}


def test_bold_lines_a_little_smaller_than_the_text_they_stand_over_are_headings() -> None:
    """As browsers set the titles of a fifth level, here over listings and a short line."""
    told = "Compile with option two."
    assert headings_of(
        Region("text", " ".join(PROSE * 2), (0, 0, 0, 0), 12, lines=6),
        Region("text", "Package listings", (0, 0, 0, 0), 10, bold=True),
        Region("text", "use list; list = 2;", (0, 0, 0, 0), 9, mono=True, lines=2),
        Region("text", "Package tables", (0, 0, 0, 0), 10, bold=True),
        Region("text", told, (0, 0, 0, 0), 12),
        Region("text", "use table;", (0, 0, 0, 0), 9, mono=True),
    ) == ["Package listings", "Package tables"]


def test_two_fields_in_a_face_of_their_own_are_no_heading() -> None:
    fields = "See also: environment objects Returns: a connection object"
    regions = [Region("text", "Methods", (0, 0, 0, 0), 18, bold=True)]
    for _ in range(2):
        regions.append(Region("text", fields, (0, 0, 0, 0), 10, family="Serif", lines=2))
        regions.append(Region("text", " ".join(PROSE * 2), (0, 0, 0, 0), 10, family="Sans", lines=6))
    assert headings_of(*regions) == ["Methods"]


def test_numbers_go_on_under_those_of_headings_in_the_type_of_the_text() -> None:
    page = bold(740, "1 Converter", 16) + lines(72, 715, PROSE) + bold(650, "1.2 Usage", 13)
    for at, name in enumerate(["1.2.1 Command line", "1.2.2 Interface"]):
        page += text(72, 620 - 80 * at, name) + text(72, 595 - 80 * at, "convert file.pdf", font="F3")
    page += text(72, 440, "1.3.1 loose screw") + text(72, 420, "1.3.2 lost nut")
    numbers = [heading.number for heading in of(read_pdf(pdf_of(page)), Heading)]
    assert numbers == ["1", "1.2", "1.2.1", "1.2.2"]


def test_a_title_on_a_picture_is_large_against_the_text_of_its_page() -> None:
    pdf = Pdf()
    picture = "q 468 0 0 180 72 540 cm /Im1 Do Q\n"
    on_it = text(90, 600, "Realistic Goals", size=15, font="F2") + text(90, 580, "in the hills", size=8)
    pdf.page(picture + on_it + lines(72, 500, PROSE * 4), images={"Im1": pdf.add(gray_image())})
    parsed = read_pdf(pdf)
    assert [heading.text for heading in of(parsed, Heading)] == ["Realistic Goals"]
    assert len(of(parsed, Figure)) == 1


def test_a_card_with_a_title_and_a_button_is_read_as_text() -> None:
    told = ["Free access to forums", "Hints for beginners", "No book"]
    ground = "0.9 0.9 1 rg 150 240 300 320 re f\n0.2 0.3 0.6 rg "
    for y in (270, 380, 490):  # a button under each offer, with one corner round
        ground += f"250 {y} m 350 {y} l 360 {y + 15} 350 {y + 30} 340 {y + 30} c 250 {y + 30} l f\n"
    card = ground + "0 g\n" + text(170, 530, "Beginner Savers", size=20, font="F2")
    for at, line in enumerate(told):
        card += text(180, 470 - 110 * at, line) + text(280, 500 - 110 * at, "BUY")
    parsed = read_pdf(pdf_of(lines(72, 740, PROSE * 4) + card))
    assert [heading.text for heading in of(parsed, Heading)] == ["Beginner Savers"]
    assert of(parsed, Figure) == []


@pytest.mark.parametrize(("painted", "first"), [("Professional Skills", False), ("Professional Skills", True),
                                                ("Unprofitable Whim", True), ("", False)])  # fmt: skip
def test_a_title_painted_by_its_glyphs_is_seen_and_transparent_text_alone_is_not(painted: str, first: bool) -> None:
    """As browsers print a title in a gradient: its glyphs mask a colour, then it is written without one. One with a
    shadow is written so before, at the place of the shadow."""
    pdf = Pdf()
    font = "/Font << /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> >>"
    group = f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Group << /S /Transparency /CS /DeviceGray >> {font}"
    mask = pdf.stream("1 g\n" + bold(700, painted or "None", 20), f"{group} /Resources << {font} >>")
    states = f"/M << /SMask << /S /Luminosity /G {mask} 0 R >> >> /N << /SMask /None >> /Z << /ca 0 >> /O << /ca 1 >>"
    form = "q /M gs 0.1 0.2 0.9 rg 60 690 300 30 re f /N gs Q\n" if painted else ""
    clear = f"q /Z gs {bold(699.3 if first else 700, 'Professional Skills', 20)} Q\n"
    resources = f"/Resources << /ExtGState << {states} >> {font} >>"
    content = clear + form if first else form + clear
    drawn = pdf.stream(content, f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] {resources}")
    pdf.page("/X Do\n" + lines(72, 660, PROSE * 4), images={"X": drawn})
    assert titles(pdf) == (["Professional Skills"] if painted == "Professional Skills" else [])


@pytest.mark.parametrize(
    ("name", "font", "second", "size", "found"),
    [("Writer", "F4", "", 14, []), ("WRITER", "F4", "", 14, []), ("Writer", "F4", "B. Methods", 14, ["A", "B"]),
     ("Writer", "F2", "1. Methods", 14, ["1"]), ("Writer", "F4", "B. Methods", 16, ["B"])],
)  # fmt: skip
def test_a_name_with_its_initial_under_a_title_is_no_lettered_heading(
    name: str, font: str, second: str, size: float, found: list[str]
) -> None:
    first = bold(740, "On rivers", 20) + text(72, 700, f"A. {name}", size=14, font=font) + lines(72, 670, PROSE * 3)
    more = text(72, 500, second, size=size, font=font) + lines(72, 470, PROSE * 3)
    headings = of(read_pdf(pdf_of(first + more, lines(72, 740, PROSE * 4))), Heading)
    assert [heading.number for heading in headings if heading.number] == found


def test_numbered_parts_behind_a_dash_are_no_lines_of_contents() -> None:
    page = bold(740, "Pricing", 18)
    for at in range(1, 4):
        page += bold(720 - 120 * at, f"Pricing - {at}", 12) + lines(72, 700 - 120 * at, PROSE)
    assert titles(pdf_of(page)) == ["Pricing", "Pricing - 1", "Pricing - 2", "Pricing - 3"]


def test_the_name_of_the_chapter_in_a_line_of_navigation_is_no_heading() -> None:
    """The line over it says the title again."""
    again = Region("text", "4.5. Windows", (228, 35, 382, 49), 12, bold=True)
    chapter = Region("text", "Chapter 4. Overview of windows", (148, 52, 463, 65), 12, bold=True)
    title = Region("text", "4.5. Windows", (33, 103, 264, 123), 18, bold=True)
    page = PageRegions(612, 792, regions=[again, chapter, title])
    assert said_again(page, page.regions) == {id(again), id(chapter)}
    assert said_again(page, [chapter, title]) == set()


def test_the_text_is_as_large_as_the_tables_that_say_most_and_not_as_the_labels_under_it() -> None:
    place = (72.0, 100.0, 300.0, 110.0)
    regions = [
        Region("table", "", place, 10, rows=[["Gives the names of parcels"] * 3] * 4),
        Region("text", "See also:", place, 9, bold=True),
        Region("text", "Gives the names of parcels, in order.", place, 10.5),
    ]
    assert body_size([PageRegions(612, 792, regions=regions)]) == 10
