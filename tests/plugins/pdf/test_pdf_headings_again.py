"""Lines of PDFs that say headings again, and are none: running heads of parts of a page or two, and lists of contents
without pages; and what else words or rules tell to be none."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, drawing, lines, rule, text
from support.formats.pdf_prose import PROSE_ON as PROSE
from support.formats.pdf_prose import titles


@pytest.mark.parametrize(
    ("head", "font"),
    [("Residual lifetime", "F1"), ("10 2.2 Residual lifetime YLL", "F2"), ("The barometer and residual 12", "F2")],
)
def test_a_head_that_says_the_title_of_the_page_before_runs(head: str, font: str) -> None:
    title = "2.2 Residual lifetime" if "barometer" not in head else "The barometer and residual things"
    pdf = Pdf()
    pdf.page(text(72, 700, title, size=16, font="F2") + lines(72, 670, PROSE * 6))
    pdf.page(text(72, 760, head, font=font) + lines(72, 730, PROSE * 6))
    assert titles(pdf) == [title]


def test_a_title_at_the_head_of_a_page_that_is_as_bold_as_the_one_before_stays() -> None:
    pdf = Pdf()
    for y in (600, 760):
        pdf.page(text(72, y, "Exercise of the day", size=16, font="F2") + lines(72, y - 30, PROSE * 6))
    assert titles(pdf) == ["Exercise of the day"] * 2


def test_bold_lines_that_larger_headings_say_again_are_a_list_of_contents() -> None:
    names = ["Navigation", "Container", "Header of the page", "Footer"]
    listed = "".join(text(72, 650 - 20 * at, f"{at + 1}. {name}", font="F2") for at, name in enumerate(names))
    pdf = Pdf()
    pdf.page(text(72, 700, "The pages of the site", size=18, font="F2") + listed)
    for at, name in enumerate(names):
        y = 640 - 40 * at
        pdf.page(text(72, y, name, size=14, font="F2") + lines(72, y - 30, PROSE * 4))
    assert titles(pdf)[1:] == names


@pytest.mark.parametrize("line", ["//Start of the streaming", "2 von 4"])
def test_remarks_of_programs_and_numbers_of_pages_are_no_headings(line: str) -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "Streaming", size=16, font="F2") + lines(72, 670, PROSE * 3)
             + text(72, 560, line, size=14) + lines(72, 530, PROSE * 3))  # fmt: skip
    assert titles(pdf) == ["Streaming"]


def test_edges_of_a_box_within_a_line_do_not_underline_it() -> None:
    pdf = Pdf()
    boxes = "".join(rule(150, 558 - at, 270, 558 - at) for at in (0.0, 0.5, 1.0))
    pdf.page(text(72, 700, "Facts", size=16, font="F2") + lines(72, 670, PROSE * 3)
             + text(72, 560, "The program writes a file with the name of facts.txt into it") + boxes
             + lines(72, 530, PROSE * 3))  # fmt: skip
    assert titles(pdf) == ["Facts"]


def test_notes_of_a_staff_in_letters_are_no_heading() -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "Rhythms", size=16, font="F2") + lines(72, 670, PROSE * 3)
             + text(72, 560, "2 h h h h P h w h k", size=18) + lines(72, 530, PROSE * 3))  # fmt: skip
    assert titles(pdf) == ["Rhythms"]


def test_lines_of_listings_set_as_names_in_the_outline_are_no_headings() -> None:
    pdf = Pdf()
    names = ["fitted", "residuals", "predict"]
    for at, name in enumerate(names):
        content = text(72, 700 - 20 * at, name, size=11, font="F3") + lines(72, 670 - 20 * at, PROSE * 3)
        pdf.page(content + (text(72, 400, "Criterion at the end", size=11, font="F3") if at == 1 else ""))
    first = len(pdf.objects) + 1
    root, last = first + len(names), first + len(names) - 1
    for at, name in enumerate(names):
        links = f"/Next {first + at + 1} 0 R " * (at + 1 < len(names)) + f"/Prev {first + at - 1} 0 R" * (at > 0)
        pdf.add(f"<< /Title ({name}) /Parent {root} 0 R /Dest [{pdf.pages[at]} 0 R /Fit] {links} >>")
    pdf.add(f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R /Count {len(names)} >>")
    pdf.catalog = f"/Outlines {root} 0 R"
    assert titles(pdf) == names


def test_the_name_of_an_axis_in_the_middle_under_a_plot_is_no_heading() -> None:
    pdf = Pdf()
    plot = "".join(drawing(150, 300 + 75 * at, 250, 70) for at in range(2))
    pdf.page(text(72, 740, "Plots", size=16, font="F2") + lines(72, 700, PROSE * 3) + plot
             + text(225, 285, "Dimensions of it", font="F2") + lines(72, 240, PROSE * 3))  # fmt: skip
    assert titles(pdf) == ["Plots"]


def test_bold_names_between_a_title_and_its_abstract_are_no_headings() -> None:
    pdf = Pdf()
    names = text(250, 690, "Ada Lovelace", size=12, font="F2") + text(246, 674, "Charles Babbage", size=12, font="F2")
    pdf.page(text(200, 730, "On the engine", size=16, font="F2") + names + text(72, 640, "ABSTRACT", size=12, font="F2")
             + lines(72, 620, PROSE * 2) + text(72, 520, "GEARS", size=12, font="F2")
             + lines(72, 500, PROSE * 4))  # fmt: skip
    pdf.page(text(72, 640, "WHEELS", size=12, font="F2") + lines(72, 600, PROSE * 4))
    assert titles(pdf) == ["On the engine", "ABSTRACT", "GEARS", "WHEELS"]
