"""Side heads of PDFs, titles in bold or capitals at the left of the text they head: each is read before that text, and
heads it."""

from __future__ import annotations

from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import SURVEY, read_pdf, titles

from sidecar.api import Heading, ListItem, Paragraph

HEADS = ["Opening", "Changing the ring", "Closing"]


def manual(heads: list[str], *, size: float = 10, font: str = "F2", beside: str = "") -> Pdf:
    """A page with heads in a column of their own, each beside four lines of text."""
    page = text(200, 740, "Repairing the valve", size=16, font="F2")
    for at, head in enumerate(heads):
        y = 700 - 90 * at
        page += text(72, y, head, size=size, font=font) + lines(200, y, SURVEY)
        page += text(72, y - 24, beside) if beside else ""
    pdf = Pdf()
    pdf.page(page)
    return pdf


def words(pdf: Pdf) -> list[str]:
    """The first words of the texts of a document, in their order."""
    blocks = read_pdf(pdf).parts[0].blocks
    return [" ".join(b.text.split()[:2]) for b in blocks if isinstance(b, Heading | Paragraph | ListItem)]


def test_heads_at_the_left_are_headings_each_before_its_text() -> None:
    assert titles(manual(HEADS)) == ["Repairing the valve", *HEADS]
    assert words(manual(HEADS))[1:] == ["Opening", "The survey", "Changing the", "The survey", "Closing", "The survey"]


def test_heads_in_plain_capitals_are_read_and_told_alike() -> None:
    heads = [head.upper() for head in HEADS]
    assert titles(manual(heads, font="F1")) == ["Repairing the valve", *heads]
    assert words(manual(heads, font="F1"))[1:4] == ["OPENING", "The survey", "CHANGING THE"]


def test_a_head_that_stands_a_little_over_its_text_heads_it() -> None:
    page = text(72, 740, "Anna Green", size=20, font="F2")
    for at, head in enumerate(["Work", "School", "Sports"]):
        page += text(72, 700 - 60 * at, head, size=11, font="F2") + lines(200, 690 - 60 * at, SURVEY[:2])
    pdf = Pdf()
    pdf.page(page)
    assert words(pdf)[1:] == ["Work", "The survey", "School", "The survey", "Sports", "The survey"]


def test_labels_before_values_are_no_side_heads() -> None:
    page = text(72, 740, "Delivery note", size=16, font="F2")
    for at, (label, value) in enumerate([("Carrier", "by rail"), ("Weight", "four tons"), ("Colour", "dark grey")]):
        page += text(72, 700 - 30 * at, label, font="F2") + text(200, 700 - 30 * at, value)
    pdf = Pdf()
    pdf.page(page)
    assert not {"Carrier", "Weight", "Colour"} & set(titles(pdf))


def test_bold_lines_over_text_of_their_own_column_are_no_heads_of_what_stands_beside_them() -> None:
    assert "The survey" not in words(manual(HEADS, beside="in the yard"))


def test_numbers_of_items_in_bold_are_no_side_heads() -> None:
    assert titles(manual(["1.", "2.", "3."])) == ["Repairing the valve"]


def test_side_heads_smaller_than_the_text_are_headings_too() -> None:
    assert titles(manual(HEADS, size=9)) == ["Repairing the valve", *HEADS]
