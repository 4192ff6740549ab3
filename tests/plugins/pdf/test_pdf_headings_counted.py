"""Headings of PDFs that count on, by letters or around a long title, and names of terms, notes and sections of CVs."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, titles

MEANT = [
    "A long explanation of what the word above means to those who use it",
    "in their work, and of where it comes from.",
]


def glossary(letters: str, *, closely: bool = True) -> Pdf:
    """A page of terms over what they mean, under letters."""
    page, y = text(72, 740, "Words of the water board", size=20, font="F2"), 700.0
    for letter in letters:
        page += text(72, y, letter, size=16, font="F2")
        page += text(72, y - 30, f"{letter}quifer", font="F2") + lines(102, y - 43 - 6 * (not closely), MEANT)
        page += text(72, y - 70, f"{letter}bstraction", font="F2") + lines(102, y - 83 - 6 * (not closely), MEANT)
        y -= 130
    pdf = Pdf()
    pdf.page(page)
    return pdf


def test_letters_that_count_on_head_the_parts_of_a_glossary_and_its_terms_head_nothing() -> None:
    assert titles(glossary("ABC")) == ["Words of the water board", "A", "B", "C"]


def test_letters_in_no_order_head_nothing() -> None:
    assert not {"Q", "C", "A"} & set(titles(glossary("QCA")))


def test_bold_lines_set_apart_over_indented_text_stay_headings() -> None:
    assert "Aquifer" in titles(glossary("ABC", closely=False))


def test_a_long_line_between_two_numbered_headings_set_alike_is_one() -> None:
    asked = ["2.2 Why are there links on the official discs that are called as once,",
             "although those who made the discs said that nothing on them is old,",
             "and what should be done with links that lead nowhere!"]  # fmt: skip
    pdf = Pdf()
    pdf.page(
        text(72, 740, "2.1 Where to get the discs", size=10.5, font="F2") + lines(72, 720, PROSE * 2)
        + lines(72, 620, asked, size=10.5, lead=13, font="F2") + lines(72, 570, PROSE * 2)
        + text(72, 460, "2.3 What to do then", size=10.5, font="F2") + lines(72, 440, PROSE * 3)
    )  # fmt: skip
    assert len(titles(pdf)) == 3


@pytest.mark.parametrize("label", ["Warning", "Hinweis", "Nota:"])
def test_the_label_over_a_note_heads_nothing(label: str) -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 740, "Locks and keys", size=16, font="F2") + lines(72, 715, PROSE * 3)
        + text(72, 590, label, font="F2") + lines(72, 570, PROSE * 2)
        + text(72, 460, "Opening hours", size=16, font="F2") + lines(72, 435, PROSE * 3)
    )  # fmt: skip
    assert titles(pdf) == ["Locks and keys", "Opening hours"]


def test_titles_in_italics_a_little_smaller_than_the_text_under_them() -> None:
    pdf = Pdf()
    names = ["Short title", "Interpretation", "Powers of inspectors"]
    pdf.page(
        "".join(
            text(72, 740 - 150 * at, name, size=10, font="F4") + lines(72, 724 - 150 * at, PROSE * 2, size=11, lead=13)
            for at, name in enumerate(names)
        )
    )
    assert titles(pdf) == names


def test_sections_of_a_cv_in_capitals_smaller_than_the_entries_under_them() -> None:
    pdf = Pdf()
    sections = ["EXPERIENCE", "EDUCATION", "AWARDS", "LANGUAGES"]
    page = text(72, 760, "Anna Green", size=22, font="F2")
    for at, name in enumerate(sections):
        y = 720 - 110 * at
        page += text(72, y, name, size=9.5, font="F2") + text(72, y - 24, "Head of operations", size=12, font="F2")
        page += text(72, y - 42, "Northfield Water") + lines(90, y - 58, PROSE[:2])
    pdf.page(page)
    assert [title for title in titles(pdf) if title.isupper()] == sections
