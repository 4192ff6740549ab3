"""Lines of PDFs that are set as headings and head nothing: who has the rights, what a setting is, the ends of brackets,
numbers of chapters in words; and names of parts right under a running head."""

from __future__ import annotations

from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, titles


def test_who_has_the_rights_heads_nothing() -> None:
    pdf = Pdf()
    rights = text(72, 700, "Copyright (c) 2006-2016 The Harbour Team", size=14, font="F2")
    pdf.page(text(72, 750, "Harbours", size=24, font="F2") + rights + lines(72, 660, PROSE * 3))
    pdf.page(text(72, 740, "Copyright notices", size=14, font="F2") + lines(72, 700, PROSE * 3))
    assert titles(pdf) == ["Harbours", "Copyright notices"]


def test_the_end_of_a_bracket_heads_nothing() -> None:
    pdf = Pdf()
    for name in ("Landing", "Mooring"):
        end = text(72, 560, "of harbours in ice)", size=12, font="F2")
        pdf.page(text(72, 740, name, size=14, font="F2") + lines(72, 700, PROSE * 3) + end + lines(72, 540, PROSE))
    assert titles(pdf) == ["Landing", "Mooring"]


def test_what_each_setting_is_heads_nothing() -> None:
    """A key with a value under the name of each setting."""
    pdf = Pdf()
    for name, kind in (
        ("Depth", "number"),
        ("Name", "text"),
        ("Ice", "yes or no"),
        ("Quays", "list"),
        ("Tide", "text"),
    ):
        title = text(72, 740, f"The {name.lower()}", size=16, font="F2")
        pdf.page(title + text(72, 710, f"Type: {kind}", size=10, font="F2") + lines(72, 680, PROSE * 3))
    assert not [title for title in titles(pdf) if title.startswith("Type")]


def test_the_number_of_a_chapter_in_words_is_none_of_its_own() -> None:
    pdf = Pdf()
    for number, name in (("ONE", "Landing places"), ("TWO", "Mooring"), ("THREE", "Ice")):
        label = text(72, 760, "CHAPTER", size=14, font="F2") + text(72, 735, number, size=18, font="F2")
        pdf.page(label + text(72, 700, name, size=24, font="F2") + lines(72, 640, PROSE * 3))
    assert titles(pdf) == ["Landing places", "Mooring", "Ice"]


def test_a_name_right_under_the_running_head_of_manual_pages_is_a_heading() -> None:
    pdf = Pdf()
    for number in range(1, 7):
        head = text(72, 740, "harbour(1)") + text(250, 740, "General Commands Manual") + text(480, 740, "harbour(1)")
        name = text(72, 694, "NAME", font="F2") + lines(98, 682, [f"harbour{number} says whether there is ice", *PROSE])
        rest = text(72, 500, "DESCRIPTION", font="F2") + lines(98, 488, PROSE * 3)
        pdf.page(head + name + rest + text(72, 40, "Harbour 1.0") + text(300, 40, f"{number}"))
    assert titles(pdf).count("NAME") == 6
