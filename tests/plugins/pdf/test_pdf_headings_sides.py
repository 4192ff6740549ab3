"""Headings of PDFs beside something else on their line: days and labels in a margin, a second title, a picture; and
titles under one another that differ in colour or capitals alone."""

from __future__ import annotations

import pytest
from sidecar_pdf.structure.headings.bylines import is_date
from support.formats.pdf_builder import Pdf, lines, rule, text
from support.formats.pdf_prose import PROSE_ON as PROSE
from support.formats.pdf_prose import parsed, titles
from support.formats.plugin_reading import of

from sidecar.api import Paragraph, Table

BLUE, GREY = "0 0 .6 rg", ".5 g"


def one_page(*content: str) -> Pdf:
    pdf = Pdf()
    pdf.page("".join(content))
    return pdf


def test_titles_beside_days_in_a_margin_are_headings_and_the_days_are_none() -> None:
    content = [lines(60, 760, PROSE), text(60, 720, "WORK EXPERIENCE", size=9, more=BLUE)]
    for at, (day, title) in enumerate((
        ("August 2002 – Present", "Independent consultant"), ("2001 – 2002", "Office manager"),
        ("1999 – 2000", "Researcher"),
    )):  # fmt: skip
        top = 690 - 120 * at
        content.append(text(178 - 4.4 * len(day), top, day.replace("–", "-"), size=9, more=BLUE))
        content.append(text(187, top, title, size=12, more=BLUE) + lines(187, top - 18, PROSE[:2], size=9))
    found = titles(one_page(*content))
    assert [title for title in found if title != "WORK EXPERIENCE"] == [
        "Independent consultant", "Office manager", "Researcher"
    ]  # fmt: skip


def test_a_larger_title_stands_apart_from_a_year_in_another_colour() -> None:
    content = [lines(54, 770, PROSE), text(54, 720, "Experience", size=17)]
    for at, (year, title) in enumerate((("2009", "Manager of the office"), ("2007", "Leader of a team"))):
        top = 690 - 120 * at
        content.append(text(54, top, year, size=12, more=GREY) + text(162, top, title, size=12))
        content.append(lines(179, top - 18, PROSE[:2]))
    assert titles(one_page(*content)) == ["Experience", "Manager of the office", "Leader of a team"]


def test_two_large_titles_side_by_side_are_two_headings() -> None:
    content = text(60, 700, "Goals", size=14) + text(330, 700, "References", size=14) + lines(60, 400, PROSE * 3)
    assert titles(one_page(content)) == ["Goals", "References"]


def test_a_term_in_bold_stands_in_one_line_with_what_is_said_of_it() -> None:
    content = text(60, 700, "Note", size=12, font="F2") + text(130, 700, "The doors are locked at night", size=12)
    said = [p.text for p in of(parsed(content + lines(60, 660, PROSE * 4)), Paragraph)]
    assert "Note The doors are locked at night" in said


def test_the_number_of_a_title_in_another_colour_belongs_to_it() -> None:
    content = text(60, 700, "Chapter 3", size=14, more=GREY) + text(160, 700, "Packet structure", size=14)
    assert titles(one_page(content + lines(60, 670, PROSE * 4))) == ["Chapter 3 Packet structure"]


@pytest.mark.parametrize("upper", [("First level of heads", "0 0 .6 rg"), ("FOR IMMEDIATE RELEASE", "0 g")])
def test_titles_under_one_another_differ_in_colour_or_capitals(upper: tuple[str, str]) -> None:
    name, colour = upper
    below = text(60, 684, "Second level of heads", size=13, font="F2")
    over = text(60, 700, name, size=13, font="F2", more=colour) + below
    assert titles(one_page(over + lines(60, 660, PROSE * 4))) == [name, "Second level of heads"]


def test_a_name_with_small_letters_in_a_title_in_capitals_does_not_end_it() -> None:
    title = text(60, 700, "PREPARATION OF PAPERS", size=14, font="F2")
    title += text(60, 684, "FOR McGILL CONFERENCES", size=14, font="F2")
    assert titles(one_page(title + lines(60, 640, PROSE * 4))) == ["PREPARATION OF PAPERS FOR McGILL CONFERENCES"]


def test_a_picture_of_an_icon_font_is_no_letter_of_the_title_it_opens() -> None:
    pdf = Pdf()
    icons = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /FontAwesome5Free-Solid >>")
    title = text(60, 700, "I", size=14, font="G1") + text(68, 700, "Experience", size=14, font="F2")
    pdf.page(title + lines(60, 670, PROSE * 4), fonts={"G1": icons})
    assert titles(pdf) == ["Experience"]


@pytest.mark.parametrize("words", ["August 2002 – Present", "1997–2001", "since 2010", "09/2014 – 05/2016", "2009"])
def test_times_from_one_year_to_another_are_dates(words: str) -> None:
    assert is_date(words)
    assert not is_date(f"Plan {words}")


@pytest.mark.parametrize("last", [False, True])
def test_a_title_within_the_rules_of_a_table_is_a_heading_and_no_row(last: bool) -> None:
    rows = [("load", "Load a molecule from a file"), ("pause", "Suspend what runs"), ("echo", "Display a text"),
            ("refresh", "Draw the picture again")]  # fmt: skip
    content = rule(60, 716, 400, 716) + text(64, 642 if last else 700, "Scripted commands", size=12, font="F2")
    for at, (name, said) in enumerate(rows):
        y = (700 if last else 684) - 14 * at
        content += text(64, y, name) + text(200, y, said)
    content += rule(60, 636, 400, 636) + lines(60, 600, PROSE * 2)
    assert titles(one_page(content)) == ["Scripted commands"]
    assert [table.rows for table in of(parsed(content), Table)] == [tuple(rows)]


def test_a_large_name_is_a_title_without_what_stands_beside_it_in_the_head_of_each_page() -> None:
    pdf = Pdf()
    for _ in range(4):
        name = text(60, 760, "Ada Vale of the Northern Marches", size=20)
        pdf.page(name + text(440, 760, "Home phone", size=10) + lines(60, 700, PROSE * 4))
    assert titles(pdf) == ["Ada Vale of the Northern Marches"]


def test_a_bold_title_stands_apart_from_its_time_in_bold_at_the_other_margin() -> None:
    content = [text(60, 740, "Work", size=18, font="F2")]
    for at, (title, time) in enumerate((
        ("River Agency", "2019-03-01 -"), ("Delta Works", "03/2014 - 2016"), ("Harbour Office", "2012 - 2014"),
    )):  # fmt: skip
        top = 700 - 120 * at
        content.append(text(60, top, title, size=11, font="F2") + text(460, top, time, size=11, font="F2"))
        content.append(lines(60, top - 32, PROSE))
    assert titles(one_page(*content)) == ["Work", "River Agency", "Delta Works", "Harbour Office"]
