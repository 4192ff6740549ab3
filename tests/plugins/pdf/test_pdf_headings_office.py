"""Headings of PDFs that office programs print: forms, letters, contracts, templates and manuals, told from what stands
around them."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, drawing, lines, text
from support.formats.pdf_prose import PROSE_ON as PROSE
from support.formats.pdf_prose import titles


def test_a_bold_item_among_plain_ones_is_no_heading() -> None:
    pdf = Pdf()
    items = text(72, 670, "1. Deliver a copy of this form to the clerk.") + text(72, 640, "2. Keep one.", font="F2")
    rest = text(72, 610, "3. Wait for an answer of the court.") + lines(72, 560, PROSE * 3)
    pdf.page(text(72, 700, "Next steps", size=14, font="F2") + items + rest)
    assert titles(pdf) == ["Next steps"]


def test_numbers_without_a_blank_behind_them_number_headings() -> None:
    pdf = Pdf()
    names = ["1.1Description of the product", "1.2Conformity", "1.10Service at the customer"]
    pdf.page("".join(text(72, 700 - 80 * at, name, size=11, font="F2") for at, name in enumerate(names))
             + "".join(lines(72, 680 - 80 * at, PROSE) for at in range(3)))  # fmt: skip
    assert titles(pdf) == ["1.1 Description of the product", "1.2 Conformity", "1.10 Service at the customer"]


def test_a_line_that_leads_on_is_part_of_the_title_far_under_it() -> None:
    pdf = Pdf()
    pdf.page(text(190, 600, "The manual for", size=18, font="F2") + text(190, 530, "Writers", size=18, font="F2"))
    pdf.page(lines(72, 700, PROSE * 4))
    assert titles(pdf) == ["The manual for Writers"]


@pytest.mark.parametrize("note", ["[Based on uniform reports. Represents arrests reported by all agencies]"])
def test_a_note_in_brackets_is_no_heading_though_it_is_large(note: str) -> None:
    pdf = Pdf()
    small = "".join(text(72, 640 - 9 * at, line, size=6) for at, line in enumerate(PROSE * 6))
    pdf.page(text(72, 700, "Arrests by region", size=14, font="F2") + text(72, 680, note, size=9) + small)
    assert titles(pdf) == ["Arrests by region"]


def test_bold_chapters_are_headings_in_a_document_of_nothing_else() -> None:
    pdf = Pdf()
    pdf.page(lines(72, 700, PROSE * 8))
    names = [f"Chapter {number} {name}" for number, name in (("I", "Amount of the loan"), ("II", "Interest"), ("III", "Payment"))]  # fmt: skip  # noqa: E501
    bold = "".join(text(200, 500 - 50 * at, name, font="F2") for at, name in enumerate(names))
    pdf.page("".join(text(72, 700 - 40 * at, f"Label {at}:", font="F2") for at in range(4)) + bold)
    pdf.page(lines(72, 700, PROSE * 8))
    assert [title for title in titles(pdf) if title[-1] != ":"] == names


def test_bold_lines_in_the_middle_are_headings_among_labels_at_the_left() -> None:
    content = text(262, 740, "Session of the day", font="F2")
    for at, label in enumerate(("Present:", "Considered by the members of the council", "Excused:", "Annexes:")):
        content += text(72, 700 - 60 * at, label, font="F2") + text(72, 685 - 60 * at, "As written")
    pdf = Pdf()
    pdf.page(content)
    assert "Session of the day" in titles(pdf)


def test_headings_over_pictures_are_no_names_on_a_cover() -> None:
    pdf = Pdf()
    first = text(72, 720, "Pictures", size=18, font="F2") + text(72, 690, "Drawn", size=14, font="F2")
    pdf.page(first + drawing(150, 480, 250, 180) + text(72, 440, "Painted", size=14, font="F2") + drawing(150, 230, 250, 180))  # fmt: skip  # noqa: E501
    pdf.page(text(72, 700, "Printed", size=14, font="F2") + lines(72, 670, PROSE * 4))
    assert titles(pdf)[:3] == ["Pictures", "Drawn", "Painted"]


def test_a_sentence_in_capitals_that_goes_on_is_no_heading() -> None:
    pdf = Pdf()
    address = "TO THE MOST EXCELLENT JUDGE OF THE UNITED CIVIL AND CRIMINAL COURT OF"
    pdf.page(
        text(72, 700, address)
        + text(72, 682, "The district of Cleveland")
        + text(200, 640, "COMPLAINT", font="F2")
        + lines(72, 600, [line[:84] for line in PROSE * 4])
    )
    assert titles(pdf) == ["COMPLAINT"]


def test_a_large_line_that_ends_with_an_address_is_no_heading() -> None:
    pdf = Pdf()
    more = text(120, 680, "For more, see the advisory at www.example.org", size=12, font="F2")
    pdf.page(text(200, 720, "Petition", size=14, font="F2") + more + lines(72, 640, PROSE * 4))
    assert titles(pdf) == ["Petition"]


def test_a_head_on_every_one_of_three_pages_is_no_heading() -> None:
    """The lines close under it differ, so that no page tells it alone."""
    pdf = Pdf()
    for name in ("Reasons", "Guidance", "Prayer"):
        head = text(72, 728, "HOUSE OF TALLAHASSEE - FRIDAY NIGHT", size=14.4, font="F2")
        pdf.page(head + text(72, 712, name, size=12, font="F2") + lines(72, 692, PROSE * 12))
    assert titles(pdf) == ["Reasons", "Guidance", "Prayer"]


def test_a_label_said_on_many_pages_is_no_heading() -> None:
    pdf = Pdf()
    for at in range(5):
        label = text(72, 600, "Certification path:", font="F2") + lines(72, 580, PROSE)
        pdf.page(text(72, 700, f"Case {at + 1} of the tests", size=14, font="F2") + lines(72, 670, PROSE) + label)
    assert titles(pdf) == [f"Case {at + 1} of the tests" for at in range(5)]


def test_a_larger_numbered_line_under_items_is_no_row_of_their_table() -> None:
    pdf = Pdf()
    content = lines(57, 760, PROSE, size=11)
    for at, item in enumerate(
        ("Trust anchor of the tests and their list", "Good certificate", "Valid path to the end")
    ):
        content += text(75, 220 - 25 * at, "\xb7", size=11) + text(93, 220 - 25 * at, item, size=11)
    content += text(57, 132, "1.4", size=14) + text(85.6, 132, "Invalid signature of a document, a file more", size=14)
    content += text(57, 111, "File: invalid_signature.oxt", size=11) + text(57, 86, "Result: Invalid", size=11)
    pdf.page(content)
    assert titles(pdf) == ["1.4 Invalid signature of a document, a file more"]


def test_lines_of_contents_that_a_word_and_a_number_open_are_no_headings() -> None:
    pdf = Pdf()
    pdf.page("".join(text(72, 700 - 20 * at, f"Chapter {at + 1} Of things {'.' * 60} {at + 3}") for at in range(4)))
    for at in range(4):
        pdf.page(text(72, 700, f"Chapter {at + 1} Of things", size=14, font="F2") + lines(72, 670, PROSE * 5))
    assert titles(pdf) == [f"Chapter {at + 1} Of things" for at in range(4)]


def test_long_numbered_questions_in_bold_are_headings() -> None:
    questions = [
        ["Question 1: Information about the report"],
        ["Question 2: Has the adult been hospitalized, institutionalized, or", "admitted to a facility during this",
         "reporting period, or are they now there?"],
        ["Question 3: In your opinion, is there a need for the guardianship to", "continue, or for any change in it?"],
    ]  # fmt: skip
    pdf = Pdf()
    content = ""
    for at, question in enumerate(questions):
        content += lines(72, 700 - 120 * at, question, font="F2") + lines(72, 655 - 120 * at, PROSE)
    pdf.page(content)
    assert titles(pdf) == [" ".join(question) for question in questions]


def test_keys_that_are_pressed_together_are_no_heading() -> None:
    pdf = Pdf()
    content = text(72, 720, "Editing", size=14, font="F2")
    for at, keys in enumerate(("CTRL + ALT + SPACEBAR", "Edit.Info CTRL + SHIFT +", "Alt+F4")):
        content += text(72, 680 - 80 * at, keys, font="F2") + lines(72, 660 - 80 * at, PROSE)
    pdf.page(content)
    assert titles(pdf) == ["Editing"]


def test_two_bold_lines_on_a_ground_of_their_own_are_a_heading_and_no_figure() -> None:
    pdf = Pdf()
    ground = "0.75 0.75 0.75 rg 110 640 380 44 re f 0 0 0 rg 0 0 0 RG 1 w 110 640 380 44 re S\n"
    pdf.page(
        ground
        + text(266, 667, "PLANNING", size=14, font="F2")
        + text(222, 650, "NOTICE OF AN INQUIRY", size=14, font="F2")
        + lines(72, 600, PROSE * 4)
    )
    assert titles(pdf) == ["PLANNING NOTICE OF AN INQUIRY"]


def test_three_bold_lines_in_capitals_are_the_title_of_a_form() -> None:
    pdf = Pdf()
    title = ["TENANT PETITION FOR ENFORCEMENT", "OF THE STATE SANITARY CODE", "PURSUANT TO CHAPTER ELEVEN"]
    pdf.page(lines(300, 700, title, font="F2") + lines(72, 620, PROSE * 4))
    assert titles(pdf) == [" ".join(title)]


def test_clauses_of_several_depths_are_no_table() -> None:
    clauses = [
        ("1.", "Completion"),
        ("1.1", "Completion shall take place on the date of this Agreement."),
        ("1.2", "At Completion the following events shall occur as agreed:"),
        ("1.3", "The Company shall deliver to each Investor a copy of it."),
        ("2.", "Warranties"),
        ("2.1", "Each of the parties gives to the others those of the annex."),
    ]
    content = "".join(
        text(72, 700 - 24 * at, number, font="F2" if number[-1] == "." else "F1")
        + text(108, 700 - 24 * at, clause, font="F2" if number[-1] == "." else "F1")
        for at, (number, clause) in enumerate(clauses)
    )
    pdf = Pdf()
    pdf.page(content + lines(72, 520, PROSE * 4))
    assert [title for title in titles(pdf) if "Comp" in title or "Warr" in title] == ["1 Completion", "2 Warranties"]


def test_lines_behind_the_cover_sheet_of_a_form_in_small_print_are_no_headings() -> None:
    pdf = Pdf()
    pdf.page("".join(lines(72, 720 - 90 * at, PROSE * 3, size=7, lead=8) for at in range(7)))
    sentences = [f"AND NOW, on this day, upon consideration of motion {number}," for number in range(14)]
    pdf.page(
        text(280, 720, "RULE", size=12, font="F2")
        + "".join(text(72 + 40 * (at % 2), 680 - 36 * at, line, size=12) for at, line in enumerate(sentences))
    )
    assert titles(pdf) == ["RULE"]


def test_lines_of_two_sizes_behind_small_print_are_no_headings() -> None:
    pdf = Pdf()
    for _ in range(2):
        pdf.page("".join(lines(72, 720 - 90 * at, PROSE * 3, size=7, lead=8) for at in range(7)))
    sentences = [f"AND NOW, on this day, upon consideration of motion {number}," for number in range(14)]
    pdf.page(
        text(280, 720, "RULE", size=12, font="F2")
        + "".join(
            text(72 + 40 * (at % 2), 680 - 36 * at, line, size=12 - (at % 5 > 3)) for at, line in enumerate(sentences)
        )
    )
    assert titles(pdf) == ["RULE"]


def test_lines_of_a_title_that_end_at_one_edge_are_one_beside_a_logo_too() -> None:
    pdf = Pdf()
    logo = "0.9 0.1 0.1 rg 72 690 m 112 760 l 172 690 l f 0 0 0 rg 0 0 0 RG 80 700 m 160 750 l S\n"
    first, second = text(301, 740, "Snapshot File", size=20, font="F2"), text(365, 712, "Format", size=20, font="F2")
    pdf.page(first + logo + second + lines(72, 640, PROSE * 4))
    assert titles(pdf) == ["Snapshot File Format"]


def test_where_a_form_is_to_be_sent_is_no_heading() -> None:
    pdf = Pdf()
    where = ["Department of Veterans", "Evidence Intake Center", "P.O. Box 4444", "Janesville, WI 53547-4444"]
    pdf.page(lines(72, 700, PROSE * 4, size=8, lead=10) + lines(220, 480, where, size=10, lead=12)
             + lines(72, 400, PROSE * 4, size=8, lead=10))  # fmt: skip
    assert titles(pdf) == []


def test_a_numbered_bold_title_that_runs_into_one_line_is_a_heading() -> None:
    pdf = Pdf()
    short = text(72, 700, "4.2. Extra packages.", font="F2") + text(176, 700, "The following packages give it more:")
    pdf.page(short + lines(72, 660, PROSE * 3))
    assert titles(pdf) == ["4.2 Extra packages"]


def test_a_large_field_that_a_template_fills_in_is_no_heading() -> None:
    pdf = Pdf()
    field = text(72, 680, "Name of the filing party: {{ plaintiff }}", size=10)
    pdf.page(text(72, 720, "Petition", size=14, font="F2") + field + lines(72, 640, PROSE * 4, size=8, lead=10))
    assert titles(pdf) == ["Petition"]


def test_choices_with_a_box_to_tick_are_no_headings() -> None:
    pdf = Pdf()
    choices = "".join(
        text(72, 600 - 40 * at, f"[ ] {name}", size=13, font="F2")
        for at, name in enumerate(("The transfer is not for money", "Insert other receipt"))
    )
    pdf.page(text(72, 720, "Consideration", size=16, font="F2") + lines(72, 690, PROSE * 2) + choices + lines(72, 500, PROSE * 3))  # fmt: skip  # noqa: E501
    assert titles(pdf) == ["Consideration"]


@pytest.mark.parametrize("value", [["06AABCO6063D1ZQ"], ["01-07-2023"], ["412.16 (412.16) 4.20"]])
def test_a_label_right_over_its_value_is_no_heading(value: list[str]) -> None:
    pdf = Pdf()
    fields = "".join(
        text(72, y, label, size=12, font="F2") + lines(72, y - 13, value) for y, label in ((600, "Code"), (540, "Sent"))
    )
    pdf.page(text(72, 720, "Payment receipt", size=16, font="F2") + lines(72, 690, PROSE * 2) + fields)
    assert titles(pdf) == ["Payment receipt"]


def test_two_fields_in_one_large_line_are_no_heading() -> None:
    pdf = Pdf()
    fields = text(72, 600, "Address: Mill Road 14 Town: Salem", size=13, font="F2")
    pdf.page(
        text(72, 720, "Offer", size=16, font="F2") + lines(72, 690, PROSE * 2) + fields + lines(72, 560, PROSE * 3)
    )
    assert titles(pdf) == ["Offer"]


def test_a_name_over_a_day_on_a_single_page_is_no_heading() -> None:
    pdf = Pdf()
    who = text(72, 690, "Ada Lovell", size=12, font="F2") + text(72, 674, "December 2022", size=12)
    pdf.page(text(72, 720, "Notes on a measure", size=18, font="F2") + who + lines(72, 620, PROSE * 3))
    assert titles(pdf) == ["Notes on a measure"]


def test_names_of_columns_over_stacks_of_values_are_no_headings() -> None:
    """Their values begin left of them, or under other lines; those that stand beside a name over values are names."""
    pdf = Pdf()
    heads = ((72, "DAY"), (200, "DESCRIPTION"), (420, "AMOUNT"))
    names = "".join(text(x, 600, name, size=12, font="F2") for x, name in heads)
    days = lines(72, 570, ["02/07", "03/07", "06/07"]) + lines(422, 570, ["412.16", "14.20", "101.38"])
    goods = lines(200, 570, ["BREAKFAST AND TEA", "URBAN TRANSIT", "MORNING CAFE"])
    pdf.page(text(72, 720, "Statement", size=16, font="F2") + lines(72, 690, PROSE * 2) + names + days + goods)
    assert [title for title in titles(pdf) if title in {"DAY", "DESCRIPTION", "AMOUNT"}] == []


@pytest.mark.parametrize("number", ["Seite 1", "Page 1 of 2"])
def test_the_number_of_a_page_with_its_word_is_no_heading(number: str) -> None:
    pdf = Pdf()
    head = text(72, 680, "Rechnung", size=16, font="F2") + text(380, 660, number, size=13)
    pdf.page(head + lines(72, 640, PROSE * 4))
    assert titles(pdf) == ["Rechnung"]


def test_titles_in_the_middle_that_stand_over_one_another_in_an_empty_form_are_headings() -> None:
    titles_of_form = ["Draft Invoice", "Pro forma Invoice", "Cancelled Invoice"]
    shown = "".join(
        text(306 - 3.9 * len(name), 640 - 60 * at, name, size=14, font="F2") for at, name in enumerate(titles_of_form)
    )
    names = ["Description:", "Reference:", "Customer code:", "Date of delivery:", "Delivery address:", "Carrier:"]
    fields = "".join(text(72, 400 - 20 * at, name) for at, name in enumerate(names))
    pdf = Pdf()
    pdf.page(shown + fields)
    assert titles(pdf) == titles_of_form


def test_numbered_items_of_a_list_on_a_slide_are_no_headings() -> None:
    pdf = Pdf()
    items = ["1. Eins", "2. Zwei", "3. Drei", "4. Vier"]
    listed = "".join(text(60, 400 - 40 * at, item, size=24) for at, item in enumerate(items))
    small = "".join(
        text(100, 220 - 20 * at, f"{at + 1}. Unter {item[3:]} steht es", size=14) for at, item in enumerate(items)
    )
    pdf.page(text(300, 480, "Zahlen", size=40) + listed + small, box="0 0 720 540")
    assert titles(pdf) == ["Zahlen"]
