"""Headings of PDFs on bands of colour, that run over all pages or say the same: brochures, reports, decks and forms."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, lines, rule, text
from support.formats.pdf_prose import PROSE_ON as PROSE
from support.formats.pdf_prose import read_pdf, titles
from support.formats.plugin_reading import of

from sidecar.api import Heading


def band(x: float, y: float, width: float, height: float) -> str:
    return f"0.2 0.3 0.6 rg {x} {y} {width} {height} re f 0 0 0 rg\n"


def logo(x: float, y: float) -> str:
    return f"0.9 0.1 0.1 rg {x} {y} m {x + 20} {y + 40} l {x + 40} {y} l f 0 0 0 rg\n"


def test_a_title_of_several_lines_on_a_band_beside_a_logo_is_no_label_of_a_figure() -> None:
    pdf = Pdf()
    ground = band(40, 740, 530, 8) + band(40, 600, 530, 136) + logo(500, 640)
    title = text(50, 690, "Report of the year and", size=20, font="F2") + text(50, 666, "of what it cost", size=20, font="F2")  # fmt: skip  # noqa: E501
    pdf.page(ground + title + text(50, 620, "With all annexes") + lines(72, 560, PROSE * 4))
    assert titles(pdf) == ["Report of the year and of what it cost"]


def test_a_title_on_a_band_from_edge_to_edge_is_no_label_of_the_drawing_under_it() -> None:
    pdf = Pdf()
    bands = band(0, 700, 612, 40) + "".join(logo(100 + 60 * at, 655) for at in range(6))
    pdf.page(bands + text(72, 712, "What was found", size=12, font="F2") + lines(72, 620, PROSE * 4))
    assert titles(pdf) == ["What was found"]


def test_a_title_that_runs_over_all_pages_is_the_heading_of_the_first() -> None:
    pdf = Pdf()
    for name in ("Reasons", "Guidance", "Prayer", "Order"):
        head = text(72, 750, "Manual of the long machine", size=18, font="F2")
        pdf.page(head + text(72, 690, name, size=13, font="F2") + lines(72, 660, PROSE * 10))
    assert titles(pdf) == ["Manual of the long machine", "Reasons", "Guidance", "Prayer", "Order"]


def test_the_name_of_a_company_that_runs_over_all_pages_is_no_heading() -> None:
    pdf = Pdf()
    for name in ("Reasons", "Guidance", "Prayer", "Order"):
        head = text(72, 750, "Acme Works", size=18, font="F2")
        pdf.page(head + text(72, 690, name, size=13, font="F2") + lines(72, 660, PROSE * 10))
    assert titles(pdf) == ["Reasons", "Guidance", "Prayer", "Order"]


def test_larger_lines_of_one_name_that_stand_over_text_are_headings() -> None:
    pdf = Pdf()
    content = "".join(
        text(72, 720 - 160 * at, "Remarks", size=16, font="F2") + lines(72, 700 - 160 * at, PROSE * 2)
        for at in range(4)
    )
    pdf.page(content)
    assert titles(pdf) == ["Remarks"] * 4


@pytest.mark.parametrize("field", ["{Indicate the loss}", "<Name of the party>", "{{ name_of_party }}"])
def test_what_is_to_be_filled_in_is_no_heading(field: str) -> None:
    pdf = Pdf()
    pdf.page(
        text(200, 730, "Demand", size=14, font="F2") + lines(72, 700, PROSE * 2)
        + text(72, 600, field, font="F2") + lines(72, 570, PROSE * 2)
    )  # fmt: skip
    assert titles(pdf) == ["Demand"]


def test_a_line_that_says_where_to_write_is_no_heading() -> None:
    pdf = Pdf()
    said = ["To learn more about the works of the foundation,", "write to ann.lee@example.org or join us"]
    contact = lines(72, 640, said, size=16, lead=19, font="F2")
    pdf.page(text(72, 720, "Results", size=20, font="F2") + lines(72, 690, PROSE * 2) + contact + lines(72, 600, PROSE))
    assert titles(pdf) == ["Results"]


def test_authors_in_many_columns_are_no_headings() -> None:
    pdf = Pdf()
    content = text(150, 740, "Of the flow of heat in walls", size=16, font="F2")
    for row in range(4):
        for column, name in enumerate(("Ann Lee", "Bob Ray", "Carl Poe")):
            x, y = 72 + 170 * column, 690 - 60 * row
            content += text(x, y, f"{name}son" if row else name, font="F2")
            content += text(x, y - 16, "Institution of Works") + text(x, y - 30, "City, State")
    pdf.page(content + text(72, 440, "ABSTRACT", font="F2") + lines(72, 420, PROSE * 4))
    pdf.page(lines(72, 700, PROSE * 8))
    assert titles(pdf) == ["Of the flow of heat in walls", "ABSTRACT"]


def test_a_title_that_several_slides_have_is_the_heading_of_each() -> None:
    """It stands under the way to the slide, which all of them have, as a part of the head of the page."""
    pdf = Pdf()
    names = [name for name in ("Plan", "Options", "Costs", "Risks", "Dates") for _ in range(4)]
    for number, name in enumerate(names):
        points = "".join(text(60, 380 - 40 * at, f"Point {at} of {name.lower()} {number}", size=20) for at in range(3))
        way = text(60, 526, "The parts of the talk", size=8) + text(400, 526, "The second part", size=8)
        pdf.page(way + text(60, 496, name, size=24, font="F2") + points, box="0 0 720 540")
    assert titles(pdf) == names


def test_short_lines_under_more_white_than_over_their_paragraphs_are_headings() -> None:
    pdf = Pdf()
    names = ["Purpose and scope", "Duties of the parties", "Term", "Termination", "Notices"]
    capitalised = [PROSE[0].capitalize(), *PROSE[1:]]
    pdf.page(
        lines(72, 740, capitalised * 2)
        + "".join(
            text(72, 640 - 90 * at, name) + lines(72, 627 - 90 * at, capitalised) for at, name in enumerate(names)
        )
    )
    assert titles(pdf) == names


def test_headings_of_a_side_bar_stand_between_rules_and_its_text_is_no_figure() -> None:
    pdf = Pdf()
    bar = "0.7 0.9 0.7 rg 0 0 200 792 re f 0 0 0 rg\n" + logo(80, 700)
    for at, name in enumerate(("Profile", "Contact", "Hobbies")):
        y = 640 - 120 * at
        bar += text(80, y, name) + rule(20, y + 3, 74, y + 3) + rule(126, y + 3, 180, y + 3)
        bar += lines(30, y - 20, ["Always on the way to", "some other place of the", "world and its waters."])
    skills = text(230, 700, "Work", size=14, font="F2") + lines(230, 670, [line[:60] for line in PROSE * 3])
    pdf.page(bar + skills)
    assert titles(pdf) == ["Profile", "Contact", "Hobbies", "Work"]


def test_the_title_of_a_cover_is_a_heading_though_the_name_of_the_series_is_larger() -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 720, "GAZETTE", size=40) + text(72, 540, "Of rivers", size=17, font="F2")
        + text(72, 480, "Ann Lee") + text(72, 300, "Printed for the society of waters")
    )  # fmt: skip
    pdf.page(text(72, 700, "Sources", size=14, font="F2") + lines(72, 670, PROSE * 5))
    assert titles(pdf) == ["GAZETTE", "Of rivers", "Sources"]


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        ("abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ", False),
        ("1.5 Working surroundings and the range of temperatures that is asked for:", True),
    ],
)
def test_letters_of_a_font_are_no_heading_and_a_numbered_line_before_a_colon_is(heading: str, told: bool) -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, heading, size=12, font="F2") + lines(72, 670, PROSE * 5))
    assert titles(pdf) == ([heading] if told else [])


def test_bold_lines_over_paragraphs_a_little_smaller_than_most_text_are_headings() -> None:
    pdf = Pdf()
    about = text(72, 400, "About the firm", size=10, font="F2") + lines(72, 376, PROSE * 2)
    pdf.page(text(72, 740, "News", size=16, font="F2") + lines(72, 710, PROSE * 5, size=11, lead=13) + about)
    assert titles(pdf) == ["News", "About the firm"]


def test_lines_of_contents_are_no_headings_though_a_year_stands_over_them() -> None:
    pdf = Pdf()
    names = ["Works", "Sources", "Waters", "Rivers and lakes", "Seas", "Ice", "Clouds"]
    content = text(200, 730, "Of 20 April 1999") + "".join(
        text(72, 690 - 24 * at, f"{name} {at + 2}", font="F2") for at, name in enumerate(names)
    )
    pdf.page(text(200, 760, "Of waters", size=18, font="F2") + content)
    pdf.page(lines(72, 700, PROSE * 8))
    assert titles(pdf) == ["Of waters"]


def test_the_way_through_a_deck_in_its_side_bar_is_no_text() -> None:
    pdf = Pdf()
    for name in ("Plan", "Costs", "Risks", "Dates", "Ends"):
        bar = "0.8 0.8 0.8 rg 580 0 140 540 re f 0 0 0 rg\n" + logo(620, 460)
        ways = enumerate(("Aims", "Means", "Results"))
        bar += "".join(text(590, 420 - 60 * at, way, size=12, font="F2") for at, way in ways)
        points = "".join(text(60, 380 - 40 * at, f"Point {at} of {name.lower()}", size=20) for at in range(3))
        pdf.page(text(60, 480, name, size=30, font="F2") + points + bar, box="0 0 720 540")
    parsed = read_pdf(pdf)
    assert not any("Means" in getattr(block, "text", "") for part in parsed.parts for block in part.blocks)
    assert [heading.text for heading in of(parsed, Heading)] == ["Plan", "Costs", "Risks", "Dates", "Ends"]


def plot(x: float, y: float) -> str:
    """Axes with marks, and bars between them."""
    marks = "".join(f"{x} {y + 15 * at} m {x - 4} {y + 15 * at} l S\n" for at in range(6))
    bars = "".join(f"{x + 10 + 14 * at} {y} 9 {20 + 6 * at} re f\n" for at in range(10))
    return f"{x} {y} m {x} {y + 80} l S\n{x} {y} m {x + 160} {y} l S\n{marks}{bars}"


def test_the_name_of_a_plot_over_its_middle_is_no_heading() -> None:
    pdf = Pdf()
    named = text(255, 640, "Waiting times", size=13, font="F2") + plot(222, 540)
    pdf.page(text(72, 740, "What was found", size=14, font="F2") + lines(72, 715, PROSE * 2) + named + lines(72, 500, PROSE * 3))  # fmt: skip  # noqa: E501
    assert titles(pdf) == ["What was found"]


def test_a_heading_at_the_left_over_a_plot_is_one() -> None:
    pdf = Pdf()
    named = text(72, 640, "Waiting times", size=14, font="F2") + plot(222, 540)
    pdf.page(text(72, 740, "What was found", size=14, font="F2") + lines(72, 715, PROSE * 2) + named + lines(72, 500, PROSE * 3))  # fmt: skip  # noqa: E501
    assert titles(pdf) == ["What was found", "Waiting times"]


def test_bold_titles_far_from_one_another_are_two() -> None:
    pdf = Pdf()
    two = text(72, 560, "Colours of things", size=16, font="F2") + text(72, 524, "Colours of atoms", size=16, font="F2")
    pdf.page(lines(72, 700, PROSE * 4) + two + lines(72, 500, PROSE * 4))
    assert titles(pdf) == ["Colours of things", "Colours of atoms"]
