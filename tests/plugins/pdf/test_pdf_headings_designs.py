"""Headings of PDFs in designs of web pages and office templates: releases, titles that end a page, alternatives of a
form, titles on a pattern of tiles; and what is set large there and heads nothing."""

from __future__ import annotations

import pytest
from sidecar_pdf.layout.clusters import is_design
from sidecar_pdf.structure.headings.title_lines import join_title_lines
from sidecar_pdf.structure.regions import PageRegions, Region
from support.formats.pdf_builder import Pdf, gray_image, lines, text
from support.formats.pdf_prose import PROSE_ON as PROSE
from support.formats.pdf_prose import read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Figure, Heading


def titles(*pages: str) -> list[str]:
    pdf = Pdf()
    for page in pages:
        pdf.page(page)
    return [heading.text for heading in of(read_pdf(pdf), Heading)]


def bold(y: float, words: str, size: float = 14) -> str:
    return text(72, y, words, size=size, font="F2")


def test_releases_are_headings_of_a_list_of_changes() -> None:
    page = bold(720, "Changes", 18) + lines(72, 700, PROSE[:1])
    for number, name in enumerate(["v3", "v2.1.0", "v2.0"]):
        page += bold(680 - 120 * number, name, 12) + lines(72, 655 - 120 * number, PROSE[:5])
    assert titles(lines(72, 720, PROSE * 4), page) == ["Changes", "v3", "v2.1.0", "v2.0"]


@pytest.mark.parametrize(("size", "found"), [(18, ["Usage", "License"]), (10, ["Usage"])])
def test_the_last_line_is_a_heading_in_the_style_of_another(size: float, found: list[str]) -> None:
    page = bold(720, "Usage", 18) + lines(72, 690, PROSE * 3)
    assert titles(page, lines(72, 720, PROSE * 3) + bold(500, "License", size)) == found


def test_the_titles_of_the_alternatives_of_a_form_are_no_labels() -> None:
    """They stand over one another, and over nothing; nothing on their page is larger."""
    alternatives = ["Delivery Note No:", "Cancelled Delivery Note", "Draft Delivery Note"]
    page = "".join(bold(560 - 60 * number, words, 13.3) for number, words in enumerate(alternatives))
    assert titles(lines(72, 720, PROSE * 4), page, lines(72, 720, PROSE * 4)) == alternatives


@pytest.mark.parametrize(
    "words", ["Should be enough to install this library.", "English | Deutsch | Italiano | Nederlands | Svenska"]
)
def test_sentences_in_type_a_little_larger_and_choices_beside_one_another_are_none(words: str) -> None:
    page = bold(720, "Installation", 18) + text(72, 690, words, size=12.5) + lines(72, 650, PROSE * 3)
    assert titles(page) == ["Installation"]


def test_a_title_goes_on_in_the_face_of_a_command() -> None:
    first = Region("text", "Does it support environments, like production or", (39, 652, 525, 676), 18, family="Sans")
    second = Region("text", "test?", (39, 676, 91, 701), 18, family="Code")
    page = PageRegions(612, 792, regions=[first, second])
    join_title_lines([page], 12)
    assert [region.text for region in page.regions] == ["Does it support environments, like production or test?"]


def test_a_line_that_opens_with_a_small_word_belongs_to_the_title_over_it() -> None:
    first = Region("text", "Application Interface", (146, 72, 450, 90), 18, bold=True)
    second = Region("text", "for Records 0.9", (244, 115, 352, 133), 18, bold=True)
    page = PageRegions(596, 842, regions=[first, second])
    join_title_lines([page], 12)
    assert [region.text for region in page.regions] == ["Application Interface for Records 0.9"]


def test_a_line_over_labels_set_like_it_is_their_title() -> None:
    labels = ["Called by:", "Attendees:", "Minutes by:", "Additional information", "Please bring:", "Notes:"]
    page = text(200, 740, "Review of the budget", size=15, font="F2")
    page += "".join(text(72, 700 - 24 * at, words, font="F2") for at, words in enumerate(labels))
    assert titles(page) == ["Review of the budget", "Additional information"]


def test_bold_lines_of_a_form_are_not_its_running_text() -> None:
    """They hold more letters than the letter, in smaller type, beside which its text would be large."""
    page = lines(72, 740, [line[:76] for line in PROSE * 2], size=11) + bold(640, "Public session", 11)
    page += text(72, 620, "The budget, as it was put off.", size=11)
    signed = lines(72, 500, PROSE * 2, size=9.4, font="F2")
    assert titles(page + signed) == ["Public session"]


def test_titles_of_a_first_page_of_short_paragraphs_are_no_names() -> None:
    """Each paragraph is of two lines; between them stand titles that no other page has."""
    page = bold(720, "Find the dates of pages", 24)
    for at, words in enumerate(["In a nutshell", "Features", "License"]):
        page += bold(660 - 100 * at, words, 16) + lines(72, 635 - 100 * at, [PROSE[1], "they came later."])
    assert titles(page, lines(72, 720, PROSE * 4)) == [
        "Find the dates of pages",
        "In a nutshell",
        "Features",
        "License",
    ]


def test_titles_of_a_brochure_are_none_of_a_cover() -> None:
    """Its first page has one sentence of two lines, and titles set as those of the pages behind it."""
    told = ["This theme will look great on any device,", "no matter the size!"]
    first = (
        text(190, 700, "Generate more leads", size=24, font="F2")
        + text(220, 500, "Fully Responsive", size=17, font="F2")
        + lines(200, 478, told)
    )
    posts = text(190, 700, "Clean Blog", size=24, font="F2")
    posts += bold(500, "Man must explore", 17) + text(72, 480, "Posted in September", font="F4")
    posts += bold(400, "Finite heartbeats", 17) + text(72, 380, "Posted in May", font="F4")
    behind = bold(720, "The final frontier", 17) + lines(72, 690, PROSE * 4)
    assert titles(first, behind) == ["Generate more leads", "Fully Responsive", "The final frontier"]
    assert titles(posts, behind)[1:3] == ["Man must explore", "Finite heartbeats"]


def test_capitals_larger_than_the_short_lines_under_them_are_titles() -> None:
    """No text of the page is wider than they are, and each stands close over a line set smaller."""
    page = text(72, 740, "John Doe", size=20, font="F2") + lines(72, 700, ["Award", "in 2014."])
    for at, name in enumerate(["SKILLS", "EXPERIENCE", "EDUCATION"]):
        page += text(72, 650 - 60 * at, name, size=14) + text(72, 631 - 60 * at, "Started the company")
    assert titles(page) == ["John Doe", "SKILLS", "EXPERIENCE", "EDUCATION"]


def test_a_title_of_two_lines_in_a_typewriter_face_is_one() -> None:
    title = lines(72, 720, ["Quillmark:", "Python bindings"], size=40, lead=46, font="F3")
    prose = [line[:70] for line in PROSE]
    assert titles(title + lines(72, 620, prose * 3, font="F3")) == ["Quillmark: Python bindings"]


def test_a_band_between_the_margins_of_a_browser_is_no_drawing_around_the_titles_on_it() -> None:
    """As wide as browsers print an upright page; on a slide, and within the margins of a text, it may be a figure."""
    assert is_design((28.8, 200, 583.2, 620), 612, 792)
    assert not is_design((72, 200, 540, 620), 612, 792)
    assert not is_design((28.8, 200, 691.2, 420), 720, 540)


def test_text_on_a_pattern_of_tiles_is_no_label_of_a_picture() -> None:
    pdf = Pdf()
    tile = pdf.add(gray_image())
    pattern = "".join(f"q 102 0 0 99 {x} {y} cm /Im1 Do Q\n" for x in range(0, 612, 102) for y in range(0, 792, 99))
    pdf.page(pattern + bold(720, "Usage", 18) + lines(72, 690, PROSE[:2]), images={"Im1": tile})
    parsed = read_pdf(pdf)
    assert [heading.text for heading in of(parsed, Heading)] == ["Usage"]
    assert of(parsed, Figure) == []
