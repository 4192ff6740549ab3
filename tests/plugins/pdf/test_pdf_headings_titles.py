"""Titles of PDFs: over several lines, beside who wrote a document and when, in columns of slides, and in a style the
outline names."""

from __future__ import annotations

import pytest
from sidecar_pdf.structure.headings.bylines import is_date
from sidecar_pdf.structure.headings.company import without_company
from sidecar_pdf.structure.regions import PageRegions, Region
from support.formats.pdf_builder import Pdf, lines, rule, text
from support.formats.pdf_prose import PROSE_ON as PROSE
from support.formats.pdf_prose import read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Heading, ListItem, Table


def titles(pdf: Pdf) -> list[str]:
    parsed = read_pdf(pdf)
    return [heading.text for heading in of(parsed, Heading)]


@pytest.mark.parametrize(("title", "date"), [("Notes on a measure", "May 12, 2014"), ("1. Notes", "2020 May 18")])
def test_a_name_over_a_date_is_no_heading_wherever_both_stand(title: str, date: str) -> None:
    """Left under the title, and in bold: other names are known by their place in the middle."""
    pdf = Pdf()
    who = text(72, 690, "Ada Lovell", size=14, font="F2") + text(72, 665, "May 12, 2014")
    pdf.page(text(72, 720, title, size=20, font="F2") + who + lines(72, 620, PROSE * 3))
    pdf.page(lines(72, 700, PROSE * 4))
    assert [found for found in titles(pdf) if "Ada" in found] == []


def test_a_bold_exclamation_is_no_heading() -> None:
    pdf = Pdf()
    cry = text(72, 560, "Do not write to the author directly!", font="F2")
    pdf.page(text(72, 700, "Getting help", size=14, font="F2") + lines(72, 670, PROSE) + cry + lines(72, 530, PROSE))
    assert titles(pdf) == ["Getting help"]


def test_plain_titles_of_two_lines_are_headings_beside_bold_ones_of_their_size() -> None:
    pdf = Pdf()
    pdf.page(
        lines(72, 720, ["The drawing of points in three", "dimensions with one call"], size=14, lead=17)
        + lines(72, 660, PROSE * 3)
        + text(72, 530, "Colours", size=14, font="F2")
        + lines(72, 500, PROSE * 3)
        + text(72, 380, "Shapes", size=14, font="F2")
        + lines(72, 350, PROSE * 3)
    )
    assert titles(pdf)[:1] == ["The drawing of points in three dimensions with one call"]


@pytest.mark.parametrize(
    ("first", "second", "pitch"), [("Fields and flows:", "A measure", 24), ("Fields and", "flows", 34)]
)
def test_lines_of_a_title_are_one_after_a_colon_and_with_white_space_between(
    first: str, second: str, pitch: int
) -> None:
    pdf = Pdf()
    top = text(200, 700, first, size=20, font="F2") + text(200, 700 - pitch, second, size=20, font="F2")
    pdf.page(top + lines(72, 600, PROSE * 4))
    assert titles(pdf) == [f"{first} {second}"]


def test_heads_in_the_second_column_of_a_slide_are_headings() -> None:
    """The text of both columns is read before the heads of the second, which then stand over one another."""
    title = Region("text", "Commands", (72, 20, 300, 60), 32, bold=True)
    heads = [Region("text", name, (60, 100 + y, 200, 120 + y), 20, bold=True) for y, name in enumerate("ABC")]
    beside = [Region("text", name, (450, 100 + y, 600, 120 + y), 20, bold=True) for y, name in enumerate("DE")]
    points = [Region("text", "set by", (80, 130 + y, 300, 150 + y), 14) for y in range(3)]
    first = [region for pair in zip(heads, points, strict=True) for region in pair]
    slide = PageRegions(792, 612, regions=[title, *first, *beside])
    assert without_company([title, *heads, *beside], [PageRegions(792, 612), slide], [title], 14) == [
        title,
        *heads,
        *beside,
    ]


@pytest.mark.parametrize(
    "line",
    [
        "2020 年 8 月 18 日",
        "2020年8月",
        "Modified: 6 March 2012. Compiled: November 1, 2022",
        "Created: 20 May, 2013",
        "April, 2008 - July, 2013",
        "Version 0.34 — 22 Feb 2002",
    ],
)
def test_days_with_what_they_are_the_days_of_are_dates(line: str) -> None:
    assert is_date(line)


def test_names_beside_one_another_over_where_they_work_are_no_headings() -> None:
    """ "party" is no "Part Y"; each name stands over its own university."""
    pdf = Pdf()
    names = [("Ada Lovell", "Universität Neustadt"), ("Ben Okafor", "WU Wirtschaftsuniversität")]
    who = "".join(
        text(90 + 220 * at, 680, name, size=12, font="F2") + text(90 + 220 * at, 664, place)
        for at, (name, place) in enumerate(names)
    )
    pdf.page(text(150, 720, "party with the mob", size=18, font="F2") + who + lines(72, 600, PROSE * 4))
    pdf.page(lines(72, 700, PROSE * 6))
    assert titles(pdf) == ["party with the mob"]


def test_a_name_over_an_abstract_is_no_heading() -> None:
    pdf = Pdf()
    who = text(90, 690, "Ada Lovell", size=12, font="F2") + text(90, 676, "Free Software Project")
    pdf.page(
        text(72, 720, "Notes on a measure", size=18, font="F2") + who + text(280, 640, "Abstract", font="F2")
        + lines(110, 620, PROSE * 2, size=9) + lines(72, 500, PROSE * 4)
    )  # fmt: skip
    pdf.page(lines(72, 700, PROSE * 6))
    assert titles(pdf) == ["Notes on a measure", "Abstract"]


@pytest.mark.parametrize("then", ["1 Introduction", "May 12, 2014"])
def test_many_names_under_a_title_are_no_heading(then: str) -> None:
    """Over a day, and right under the title over the first part."""
    pdf = Pdf()
    names = "Kenneth Tay Noah Simon Jerome Frey Trevor Hast Robert Tib" if then[0] == "M" else "Arthur Alling"
    pdf.page(
        text(150, 720, "Notes on a measure", size=18) + text(100, 690, names, size=12)
        + text(72, 650, then, size=14 if then[0] == "1" else 10, font="F2") + lines(72, 620, PROSE * 4)
    )  # fmt: skip
    pdf.page(lines(72, 700, PROSE * 6))
    assert [title for title in titles(pdf) if title in names] == []


def test_a_running_head_that_the_outline_names_is_no_heading() -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 760, "SUMMARY", font="F3") + lines(72, 700, PROSE * 2) + text(72, 600, "Summary", size=14, font="F2")
    )
    pdf.page(lines(72, 700, PROSE * 6))
    entry = pdf.add(f"<< /Title (Summary) /Parent {len(pdf.objects) + 2} 0 R /Dest [{pdf.pages[0]} 0 R /Fit] >>")
    root = pdf.add(f"<< /Type /Outlines /First {entry} 0 R /Last {entry} 0 R /Count 1 >>")
    pdf.catalog = f"/Outlines {root} 0 R"
    assert titles(pdf) == ["Summary"]


@pytest.mark.parametrize(
    "text_of_cover", [[], ["An account of the measure, with", "notes of the north ward", "on each day."]]
)
def test_who_wrote_a_document_and_which_version_it_is_head_nothing_under_its_title(text_of_cover: list[str]) -> None:
    """Also where a few lines stand on the cover, and where the document begins on that page."""
    front = text(72, 700, "The User Guide", size=24, font="F2") + lines(300, 650, text_of_cover)
    front += text(72, 600, "Ada Vale", size=16) + text(72, 570, "Third version", size=16)
    for begins in (False, True):
        pdf = Pdf()
        first = text(72, 520, "Beginning", size=13, font="F2") + lines(72, 500, PROSE * 4) if begins else ""
        pdf.page(front + first)
        pdf.page(text(72, 700, "Going on", size=13, font="F2") + lines(72, 680, PROSE * 4))
        assert titles(pdf) == ["The User Guide", *(["Beginning"] if begins else []), "Going on"]
    numbered = Pdf()
    numbered.page(front + text(72, 520, "1. Beginning", size=13, font="F2") + lines(72, 500, PROSE * 4))
    numbered.page(lines(72, 740, PROSE * 4))
    assert titles(numbered) == ["The User Guide", "Beginning"]


@pytest.mark.parametrize("label", ["Verfasser:", "Authors:"])
def test_a_name_under_what_says_that_it_is_one_is_no_heading(label: str) -> None:
    pdf = Pdf()
    pdf.page(text(72, 600, "The User Guide", size=16, font="F2") + text(72, 500, label, size=14, font="F2")
             + text(72, 465, "Ada Vale", size=14) + text(300, 300, "Written in the spring", size=14))  # fmt: skip
    pdf.page(text(72, 700, "Going on", size=14, font="F2") + lines(72, 680, PROSE * 4))
    assert "Ada Vale" not in titles(pdf)


def test_a_line_in_the_style_of_headings_that_says_where_to_write_to_is_none() -> None:
    pdf = Pdf()
    for title in ("First part", "Second part", "contact: office@water.example", "Third part"):
        pdf.page(text(72, 700, title, size=13) + lines(72, 680, PROSE * 4))
    assert titles(pdf) == ["First part", "Second part", "Third part"]


@pytest.mark.parametrize("size", [5, 10])
def test_what_is_far_smaller_than_the_text_is_no_heading_though_the_outline_names_it(size: float) -> None:
    pdf = Pdf()
    pdf.page(text(72, 600, "Surf display", size=size) + lines(72, 560, PROSE * 4))
    entry = pdf.add(f"<< /Title (Surf display) /Parent {len(pdf.objects) + 2} 0 R /Dest [{pdf.pages[0]} 0 R /Fit] >>")
    root = pdf.add(f"<< /Type /Outlines /First {entry} 0 R /Last {entry} 0 R /Count 1 >>")
    pdf.catalog = f"/Outlines {root} 0 R"
    assert titles(pdf) == (["Surf display"] if size == 10 else [])


def test_heads_of_a_flyer_are_headings_over_few_words_each() -> None:
    pdf = Pdf()
    parts = ("Data Formats", "User Content", "Analytic Platform", "Community")
    text_of_parts = "".join(
        text(72, 650 - 70 * at, part, size=18) + text(72, 625 - 70 * at, f"What number {at} holds, and what it is for")
        for at, part in enumerate(parts)
    )
    pdf.page(text(72, 720, "Golden Fleet", size=26, font="F2") + text_of_parts)
    assert titles(pdf) == ["Golden Fleet", *parts]


def test_bold_cells_before_a_wide_gap_open_no_paragraph() -> None:
    """Cards of keys: the name of each, and beside it what it does, over two lines."""
    names = ["Project.AddItem", "Window.ShowList", "File.NewProject", "Edit.FindNext", "View.Backward"]
    keys = "".join(
        text(72, 640 - 40 * at, name, font="F2")
        + lines(210, 640 - 40 * at, ["Displays the dialog box of the item that was chosen", "in the window at hand."])
        for at, name in enumerate(names)
    )
    pdf = Pdf()
    pdf.page(text(72, 740, "Keys", size=18, font="F2") + lines(72, 710, PROSE) + keys)
    assert titles(pdf) == ["Keys"]


def test_numbered_titles_of_a_contract_end_with_a_full_stop() -> None:
    pdf = Pdf()
    clauses = "".join(
        text(108, y, title, font="F2") + lines(72, y - 20, PROSE * 2)
        for y, title in ((690, "1. Definition of Confidential Information."), (580, "2. Term of the Agreement."))
    )
    pdf.page(text(200, 740, "NON-DISCLOSURE AGREEMENT", font="F2") + lines(72, 725, PROSE[:1]) + clauses)
    assert titles(pdf)[1:] == ["Definition of Confidential Information.", "Term of the Agreement."]


def test_a_stamp_from_corner_to_corner_is_no_heading() -> None:
    stamp = "BT /F2 90 Tf 0.707 0.707 -0.707 0.707 180 250 Tm (SAMPLE) Tj ET\n"
    pdf = Pdf()
    pdf.page(text(72, 740, "Retainer Agreement", size=18, font="F2") + lines(72, 710, PROSE * 4) + stamp)
    pdf.page(lines(72, 710, PROSE * 4))
    assert titles(pdf) == ["Retainer Agreement"]


def test_a_title_in_the_middle_under_a_line_at_the_left_is_one_of_its_own() -> None:
    """As in pleadings, where all lines stand equally far apart."""
    head = text(72, 740, "COUNTY OF THE NORTHERN VALES, TO WIT:", font="F2") + text(250, 714, "VERIFICATION", font="F2")
    body = "".join(text(72, 688 - 26 * at, line) for at, line in enumerate(PROSE * 3))
    pdf = Pdf()
    pdf.page(head + body)
    assert titles(pdf)[-1] == "VERIFICATION"


def test_titles_underlined_across_their_column_are_headings_over_their_lists() -> None:
    """Between two of the rules stand a list and the next title, which no table has for its last row."""
    names = ["Next steps", "To file your appeal right away", "What happens after that"]
    content = ""
    for at, name in enumerate(names):
        y = 700 - 100 * at
        content += text(72, y, name, size=13, font="F2") + rule(70, y - 5, 330, y - 5)
        for number, step in enumerate(("Look over the forms below.", "Call the clerk and ask.", "Keep one of them.")):
            content += text(72, y - 25 - 15 * number, f"{number + 1}.") + text(92, y - 25 - 15 * number, step)
    pdf = Pdf()
    pdf.page(content + lines(72, 380, PROSE * 3))
    parsed = read_pdf(pdf)
    assert [heading.text for heading in of(parsed, Heading)] == names
    assert of(parsed, Table) == []
    assert [item.marker for item in of(parsed, ListItem)] == ["1.", "2.", "3."] * 3


def test_a_title_over_the_first_rule_of_a_table_leaves_it_its_rules() -> None:
    content = ""
    for y, name in ((700, "Costs of a year"), (400, "Costs of a month")):
        content += text(72, y, name, size=13, font="F2")
        content += "".join(rule(70, y - down, 330, y - down) for down in (5, 22, 72))
        for at, row in enumerate((("Item", "Sum", "Share"), ("Rent", "1200", "0.4"), ("Food", "800", "0.3"))):
            content += "".join(text(x, y - 17 - 18 * at, cell) for x, cell in zip((72, 180, 280), row, strict=True))
    pdf = Pdf()
    pdf.page(content + lines(72, 600, PROSE * 3) + lines(72, 300, PROSE * 3))
    parsed = read_pdf(pdf)
    assert [len(table.rows) for table in of(parsed, Table)] == [3, 3]


def test_a_gap_behind_a_roman_number_does_not_part_a_heading_into_cells() -> None:
    names = ("I", "PURPOSE"), ("II", "SCOPE"), ("III", "RESPONSIBILITIES")
    content = ""
    for at, (number, name) in enumerate(names):
        y = 700 - 80 * at
        content += text(72, y, number, font="F2") + text(110, y, name, font="F2") + lines(110, y - 25, PROSE)
    pdf = Pdf()
    pdf.page(content)
    assert titles(pdf) == [" ".join(name) for name in names]


def test_a_verse_of_the_bible_is_no_value_of_a_field() -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 700, "INTRODUCTION - ROMANS 8:14", size=14, font="F2")
        + lines(72, 670, PROSE)
        + text(72, 600, "Invoice date: 8/14", size=14, font="F2")
        + lines(72, 570, PROSE)
    )
    assert titles(pdf) == ["INTRODUCTION - ROMANS 8:14"]


def test_numbered_bold_lines_of_a_form_are_no_names_of_people() -> None:
    content = text(200, 740, "DOCKETING STATEMENT", size=14, font="F2")
    for at, name in enumerate(("1. Party Information", "2. Attorney Information", "3. Lower Court, Board or Agency")):
        content += text(72, 690 - 60 * at, name, font="F2") + text(72, 665 - 60 * at, "Name, and role in this matter")
    pdf = Pdf()
    pdf.page(content)
    pdf.page(lines(72, 700, PROSE * 4))
    parsed = read_pdf(pdf)
    assert [heading.text for heading in of(parsed, Heading)][1:] == [
        "Party Information",
        "Attorney Information",
        "Lower Court, Board or Agency",
    ]


def test_bold_capitals_are_headings_among_bold_labels() -> None:
    """Bold lines that end with a colon over a word or two make their style one of labels."""
    content = ""
    for at, name in enumerate(("AGENDA", "PUBLIC SESSION", "CLOSED SESSION")):
        y = 720 - 200 * at
        content += text(250, y, name, font="F2")
        for number, label in enumerate(("Present:", "Excused:", "Remarks:")):
            content += text(72, y - 30 - 50 * number, label, font="F2") + text(72, y - 44 - 50 * number, "As written")
    pdf = Pdf()
    pdf.page(content)
    assert [title for title in titles(pdf) if title[-1] != ":"] == ["AGENDA", "PUBLIC SESSION", "CLOSED SESSION"]


def test_what_a_template_stands_in_for_what_is_entered_is_no_heading() -> None:
    pdf = Pdf()
    pdf.page(
        text(220, 720, "COMPLAINT", font="F2")
        + lines(72, 690, PROSE)
        + text(150, 620, "{{STATEMENT_OF_FACTS}}")
        + text(150, 590, "{{PLACE}} COUNTY OF {{COUNTY_OF_PLACE}}")
        + lines(72, 560, PROSE)
    )
    assert titles(pdf) == ["COMPLAINT"]


def test_keys_and_values_under_one_another_are_no_headings() -> None:
    pdf = Pdf()
    pdf.page(
        text(150, 740, "Report of attendance", size=14, font="F2")
        + text(72, 700, "COURSE: LEGAL REASONING", font="F2")
        + text(72, 670, "TUTOR: MATIAS VILLALON", font="F2")
        + lines(72, 640, PROSE * 2)
        + text(72, 500, "Author: Matias Villalon")
        + text(72, 470, "Background: how it came about", size=14, font="F2")
        + lines(72, 440, PROSE)
    )
    assert titles(pdf) == ["Report of attendance", "Background: how it came about"]


def test_a_title_between_dashes_is_no_item_of_a_list() -> None:
    pdf = Pdf()
    pdf.page(text(180, 700, "- Instructions for use -", size=20, font="F2") + lines(72, 640, PROSE * 3))
    assert titles(pdf) == ["- Instructions for use -"]


def test_two_lines_in_the_middle_are_one_title_though_not_to_the_point() -> None:
    pdf = Pdf()
    first, second = "Request for the return of a deposit to a tenant", "after the end of a lease"
    pdf.page(
        text(70, 700, first, size=16, font="F2")
        + text(168, 680, second, size=16, font="F2")
        + lines(72, 640, [line[:80] for line in PROSE * 3])
    )
    assert titles(pdf) == [f"{first} {second}"]


def test_what_a_title_page_says_between_connecting_words_is_no_heading() -> None:
    pdf = Pdf()
    content = text(150, 720, "A study of long measures", size=20, font="F2")
    said = (("by", "F1"), ("Ada Lovell", "F2"), ("Master of Science", "F2"), ("in", "F1"), ("Applied Measures", "F2"), ("at the", "F1"), ("Long School", "F2"))  # fmt: skip  # noqa: E501
    for at, (line, font) in enumerate(said):
        content += text(250, 660 - 40 * at, line, size=14, font=font)
    pdf.page(content)
    pdf.page(text(72, 700, "What was found", size=14, font="F2") + lines(72, 670, PROSE * 6))
    pdf.page(text(72, 700, "What was lost", size=14, font="F2") + lines(72, 670, PROSE * 6))
    assert titles(pdf) == ["A study of long measures", "What was found", "What was lost"]


@pytest.mark.parametrize(
    "line", ["Professor R. O. Lovell", "Dr.-Ing. Ada Lovell", "Key words: measures, lengths", "Ada B. Lovell"]
)
def test_names_with_degrees_and_key_words_are_no_headings(line: str) -> None:
    pdf = Pdf()
    top = text(72, 720, "Notes on a measure", size=20, font="F2") + text(72, 690, line, size=13, font="F2")
    pdf.page(top + lines(72, 640, PROSE * 3))
    pdf.page(text(72, 700, "What was found", size=14, font="F2") + lines(72, 670, PROSE * 6))
    assert titles(pdf) == ["Notes on a measure", "What was found"]


def test_the_largest_line_of_the_first_page_is_a_title_over_a_drawing_as_well() -> None:
    pdf = Pdf()
    bars = "".join(f"{236 + 14 * at} 600 9 {20 + 5 * at} re f\n" for at in range(12))
    pdf.page(text(225, 690, "Club of the Mill", size=20, font="F2") + bars + lines(72, 560, PROSE * 3))
    assert titles(pdf) == ["Club of the Mill"]


def test_a_line_in_the_middle_that_a_document_begins_with_is_its_title_in_the_type_of_the_text() -> None:
    def form(first: str, x: float) -> list[str]:
        pdf = Pdf()
        pdf.page(text(x, 740, first) + lines(72, 710, PROSE) + lines(72, 630, PROSE) + text(72, 560, "Name:"))
        return titles(pdf)

    assert form("Release of pictures", 263) == ["Release of pictures"]
    assert form("Release of pictures", 72) == [], "a line at the left is text"
    assert form("12 January 1998", 268) == []
