"""Headings on the first pages of PDFs: titles in the type of the text, on covers, over pictures and where running heads
stand, and lines whose words tell that they are none; titles of slides that end as sentences do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sidecar_pdf.structure.headings.candidates import is_no_heading
from sidecar_pdf.structure.headings.finding import find_headings
from sidecar_pdf.structure.headings.title_lines import join_title_lines
from sidecar_pdf.structure.regions import PageRegions, Region
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, PROSE_ON, levels, read_pdf, titles

SLIDE = "0 0 720 540"


def test_a_plain_title_in_the_middle_under_short_lines_is_a_heading() -> None:
    """As in essays, which begin with who wrote them, for whom and when."""
    pdf = Pdf()
    names = lines(72, 720, ["John Doe", "Rivers 101", "7 November 2020"], lead=28)
    pdf.page(names + text(250, 620, "How harbours freeze") + lines(72, 590, PROSE * 3))
    pdf.page(lines(72, 720, PROSE * 4))
    assert titles(pdf) == ["How harbours freeze"]


def test_the_line_in_capitals_that_a_cover_begins_with_is_a_heading() -> None:
    pdf = Pdf()
    cover = text(228, 620, "THE HABITS OF HARBOURS IN") + text(246, 608, "WINTER AND IN SPRING")
    below = [
        (286, 540, "by"),
        (262, 510, "John Doe,"),
        (250, 380, "submitted to the office"),
        (244, 200, "in Urbana, 1994."),
    ]
    pdf.page(cover + "".join(text(x, y, line) for x, y, line in below))
    pdf.page(lines(72, 720, PROSE * 4))
    assert titles(pdf) == ["THE HABITS OF HARBOURS IN WINTER AND IN SPRING"]


def test_a_large_plain_title_under_the_name_of_a_series_is_a_heading() -> None:
    pdf = Pdf()
    series = text(200, 660, "Documents", size=48, font="F2")
    title = text(200, 260, "A guide to harbours", size=30, font="F4")
    pdf.page(series + title + text(200, 200, "Release 3.7 of December", size=14, font="F4"))
    pdf.page(lines(72, 720, PROSE * 4))
    assert titles(pdf) == ["Documents", "A guide to harbours"]


def test_a_large_head_of_the_first_page_is_its_title_where_it_is_set_in_plain_type() -> None:
    """The head of all pages says the name of a bill, which stands large on two lines of the first."""
    pdf = Pdf()
    pdf.page(lines(160, 760, ["Harbours and Landing", "Places Bill"], size=24, lead=26) + lines(72, 640, PROSE * 3))
    for number in range(2, 6):
        head = lines(160, 771, ["Harbours and Landing", "Places Bill"], size=9, lead=26)
        pdf.page(head + lines(72, 640, PROSE * 3) + text(300, 30, str(number)))
    assert titles(pdf) == ["Harbours and Landing Places Bill"]


def test_lines_of_a_title_over_one_picture_are_one() -> None:
    first = Region("text", "RENTERS RIGHTS", (100, 60, 500, 90), 24, bold=True)
    second = Region("text", "ANSWER TO A CLAIM", (90, 92, 510, 122), 24, bold=True)
    picture = Region("figure", "", (0, 0, 612, 176))
    page = PageRegions(612, 792, regions=[first, picture, second])
    join_title_lines([page], 12)
    assert [region.text for region in page.regions if region.text] == ["RENTERS RIGHTS ANSWER TO A CLAIM"]


def test_titles_of_slides_that_end_with_a_full_stop_are_headings() -> None:
    pdf = Pdf()
    names = ["How it is set.", "What is asked.", "What is found.", "What is left."]
    for name in names:
        points = lines(60, 380, [f"Point one of {name}", "Point two is said here", "Point three"], size=20, lead=40)
        pdf.page(text(60, 490, name, size=20, font="F2") + points, box=SLIDE)
    assert titles(pdf) == names


@pytest.mark.parametrize(
    "line",
    [
        "27 Lowell Street",
        "Peabody, MA 01960",
        "12 Old Harbour Road, Dublin 8",
        "You can often find printing at low cost at your local library, and the closest is:",
    ],
)
def test_a_street_a_town_and_what_leads_to_something_are_no_headings_however_large(line: str) -> None:
    assert is_no_heading(Region("text", line, (72, 100, 400, 130), 30, bold=True), 10)
    assert not is_no_heading(Region("text", "12 Rules of the Road", (72, 100, 400, 130), 30, bold=True), 10)


def test_places_in_italics_are_no_heading() -> None:
    place = Region("text", "Office of Harbours, Old Quay, Dover, Kent", (206, 100, 400, 112), 10, italic=True)
    assert is_no_heading(place, 10)
    assert not is_no_heading(replace(place, text="Office of Harbours, Dover"), 10)


def test_terms_before_a_colon_whose_meaning_goes_on_with_a_small_letter_are_no_titles() -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 740, "The menu", size=14, font="F2")
        + "".join(
            text(90, y, f"{term}: ", font="F2") + text(90 + 6.2 * len(term) + 8, y, PROSE_ON[0][:70])
            + lines(90, y - 12, PROSE_ON[1:])
            for y, term in ((700, "New"), (640, "Reload"), (580, "Save as"), (520, "Leave"))
        )
    )  # fmt: skip
    assert titles(pdf) == ["The menu"]


def test_a_numbered_item_in_the_style_of_headings_is_one_where_a_structure_tree_calls_it_an_item() -> None:
    """Word writes numbered headings as items of a list where the author made no style of them."""

    def line(words: str, at: int, tag: str, size: float, *, bold: bool = True) -> Region:
        kind, lead = ("list", f"{at}.") if tag == "LI" else ("text", "")
        return Region(
            kind, words, (72, 100 + 40 * at, 300, 112 + 40 * at), size, bold=bold, alone=True, tag=tag, marker=lead
        )

    heads = [line(name, at, tag, size) for at, (name, tag, size) in enumerate(
        [("The parts", "H1", 16), ("Meshes", "LI", 12), ("Slices", "LI", 12), ("The end", "H1", 16)]
    )]  # fmt: skip
    prose = [
        Region("text", " ".join(PROSE), (72, 115 + 40 * at, 500, 135 + 40 * at), 10, lines=3, tag="P")
        for at in range(4)
    ]
    page = PageRegions(612, 792, regions=[region for pair in zip(heads, prose, strict=True) for region in pair])
    found = find_headings([page], [])
    assert [region.text for region in page.regions if found.level(region)] == [
        "The parts",
        "Meshes",
        "Slices",
        "The end",
    ]


def test_a_title_of_a_slide_that_is_set_smaller_to_fit_stands_beside_the_others() -> None:
    pdf = Pdf()
    names = ["Automata", "Elementary automata", "Update rules", "What all of this has to do with music", "Future work"]
    pdf.page(text(200, 240, "Automata and music", size=36, font="F2"), box=SLIDE)
    for name in names:
        points = lines(60, 380, ["Point one is said", "Point two is said here", "Point three"], size=20, lead=40)
        pdf.page(text(60, 480, name, size=36 if len(name) > 20 else 40) + points, box=SLIDE)
    assert levels(read_pdf(pdf)) == [(name, 1) for name in ("Automata and music", *names)]


def test_a_numbered_title_of_one_letter_and_signs_is_a_heading() -> None:
    pdf = Pdf()
    names = ["2.2 Pascal", "2.3 C++", "2.4 S17"]
    heads = (text(72, 720 - 90 * at, name, size=14, font="F2") for at, name in enumerate(names))
    pdf.page("".join(heads) + "".join(lines(72, 700 - 90 * at, PROSE) for at in range(3)))
    assert titles(pdf) == names


def test_letters_of_a_sequence_in_capitals_are_read_at_once() -> None:
    """Each such line took seconds, so that a page of them ran into the limit of time."""
    pdf = Pdf()
    rows = "".join(text(20, 720 - 20 * at, "ACGT" * 50, font="F2") for at in range(30))
    pdf.page(rows + lines(72, 90, PROSE), box="0 0 2000 800")
    assert str(read_pdf(pdf)).count("ACGT") >= 30 * 50
