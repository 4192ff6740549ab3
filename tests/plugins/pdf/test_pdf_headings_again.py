"""Lines of PDFs that say headings again, and are none: running heads of parts of a page or two, and lists of contents
without pages; and what else words or rules tell to be none."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, lines, rule, text
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
