"""Headings of PDFs whose parts are built alike, as references of programs and lists of questions and of changes are:
what repeats in them is no running head, no label and no list of contents."""

from __future__ import annotations

from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE_ON as PROSE
from support.formats.pdf_prose import read_pdf, titles
from support.formats.plugin_reading import of

from sidecar.api import Heading

QUESTIONS = (
    ["How do I create an index with", "precision of a thousandth?"],
    ["I have many files whose rows are series of the same kind;", "how do I read them all at once", "and bind them?"],
    ["Why is one column turned into", "words as soon as another is", "made of words?"],
    ["How do I show figures behind", "the point of a second?"],
)


def test_headings_of_parts_that_some_pages_begin_with_are_no_running_heads() -> None:
    """The name of a part stands at the head of four pages by chance, and between other text on twice as many."""
    pdf = Pdf()
    for at in range(8):
        head = text(400, 775, "Manual 2.7", size=8)
        top = text(72, 740, "Arguments", size=14, font="F2") if at % 2 else ""
        pdf.page(head + top + lines(72, 715, PROSE * 2) + text(72, 500, f"open_{at}", size=18, font="F2")
                 + text(72, 470, "Arguments", size=14, font="F2") + lines(72, 445, PROSE * 2))  # fmt: skip
    assert titles(pdf).count("Arguments") == 12


def test_numbered_titles_whose_number_stands_apart_are_no_part_of_the_running_head() -> None:
    pdf = Pdf()
    for at in range(1, 6):
        head = text(72, 760, f"8.{at} Reference of the class") + text(520, 760, str(at + 30))
        title = text(72, 730, f"8.{at}.1", font="F2") + text(125, 730, "Detailed description", font="F2")
        pdf.page(head + title + lines(72, 700, PROSE * 4))
    assert [title.split(" ", 1)[1] if title[0] == "8" else title for title in titles(pdf)] == [
        "Detailed description"
    ] * 5


def test_names_with_numbers_that_run_into_what_declares_them_are_headings() -> None:
    """Each is told by the type it has, and by the number after or before it."""
    pdf = Pdf()
    bold = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold >>")
    content = text(72, 740, "8.2 Members", size=14, font="F2")
    for at, name in enumerate(("closeAll", "flush", "read"), 1):
        y = 740 - 120 * at
        content += text(72, y, f"8.2.{at} {name}()", font="F2")
        content += lines(
            72, y - 12, ["virtual std::pair< unsigned long, unsigned long >", f"File::{name} ( int fd )"], font="G1"
        )
        content += lines(72, y - 48, PROSE)
    pdf.page(content, fonts={"G1": bold})
    found = [(heading.number, heading.text) for heading in of(read_pdf(pdf), Heading)]
    assert found == [("8.2", "Members"), ("8.2.1", "closeAll()"), ("8.2.2", "flush()"), ("8.2.3", "read()")]


def test_the_number_of_a_chapter_far_larger_than_its_title_is_part_of_it() -> None:
    """The box of such a line is as high as that of a stamp across the page."""
    pdf = Pdf()
    for at, name in enumerate(("Introduction", "Installation"), 1):
        head = text(72, 640, f"{at}", size=80, font="F2") + text(160, 640, name, size=24, font="F2")
        pdf.page(head + lines(72, 560, PROSE * 6))
    found = [(heading.number, heading.text) for heading in of(read_pdf(pdf), Heading)]
    assert found == [("1", "Introduction"), ("2", "Installation")]


def test_long_questions_in_larger_type_are_headings() -> None:
    pdf = Pdf()
    for question in QUESTIONS:
        pdf.page(lines(72, 700, question, size=14, lead=17) + lines(72, 620, PROSE * 4))
    assert titles(pdf) == [" ".join(question) for question in QUESTIONS]


def test_releases_with_their_month_and_year_are_no_list_of_contents() -> None:
    pdf = Pdf()
    days = ["January 2019", "March 2020", "April 2021", "June 2022", "July 2022", "October 2022", "December 2022"]
    names = [f"V1.{at} {day}" for at, day in enumerate(days)]
    pdf.page("".join(
        text(72, 740 - 100 * at, name, size=12, font="F2") + lines(72, 720 - 100 * at, PROSE)
        for at, name in enumerate(names)
    ))  # fmt: skip
    assert titles(pdf) == names


def test_a_title_whose_first_line_ends_with_a_colon_goes_on_under_it() -> None:
    pdf = Pdf()
    content = text(270, 720, "CVS II:", size=16, font="F2") + text(
        192, 702, "Parallel software in teams", size=16, font="F2"
    )
    pdf.page(content + lines(72, 660, PROSE * 6))
    assert titles(pdf) == ["CVS II: Parallel software in teams"]


def test_bold_names_in_a_typewriter_face_over_what_they_do_are_headings() -> None:
    """Each setting of a reference is told so; over indented text, and typed at a prompt, such lines are none."""
    pdf = Pdf()
    bold = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold >>")
    names = [f"BM_ARCHIVE_{name}" for name in ("LEVEL", "PURGE", "TIME", "ROOT")]
    content = text(72, 750, "Settings", size=16, font="F2")
    for at, name in enumerate(names):
        content += text(72, 715 - 120 * at, name, font="G1") + lines(72, 695 - 120 * at, PROSE)
    pdf.page(content, fonts={"G1": bold})
    assert titles(pdf) == ["Settings", *names]
    terms = Pdf()
    bold = terms.add("<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold >>")
    content = text(72, 750, "Options", size=16, font="F2")
    for at, name in enumerate(names):
        content += text(72, 715 - 120 * at, name, font="G1") + lines(110, 700 - 120 * at, PROSE)
    terms.page(content, fonts={"G1": bold})
    assert titles(terms) == ["Options"]
    typed = Pdf()
    bold = typed.add("<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold >>")
    content = text(72, 750, "Installing", size=16, font="F2")
    for at, command in enumerate(("$ tar xf archive", "$ cd archive", "$ make", "$ make install")):
        content += text(72, 715 - 120 * at, command, font="G1") + lines(72, 695 - 120 * at, PROSE)
    typed.page(content, fonts={"G1": bold})
    assert titles(typed) == ["Installing"]


def test_parts_of_one_name_under_larger_titles_are_headings_however_many_a_page_has() -> None:
    pdf = Pdf()
    content, names = text(72, 770, "Reference", size=20, font="F2"), ("Canvas", "Shapes", "Pictures", "Styles")
    for at, name in enumerate(names):
        y = 730 - 150 * at
        content += text(72, y, name, size=15, font="F2") + text(72, y - 25, "Methods", size=12, font="F2")
        content += lines(72, y - 45, ["save( ) keeps the state", "restore( ) takes it back"])
    pdf.page(content)
    assert titles(pdf) == ["Reference", *[title for name in names for title in (name, "Methods")]]
