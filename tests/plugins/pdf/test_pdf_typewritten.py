"""Headings of typewritten PDFs, and of numbered lines in plain type, told by what the document repeats."""

from __future__ import annotations

from sidecar_pdf import PdfFormat
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import levels, read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Limits, Paragraph, ParsedDocument, Source

PROSE = [
    "What was said there of the measure holds here as well, and the tables",
    "of the annex show by how much each of the three changed from one year",
    "to the next while nothing else was changed at all in the meantime.",
]


def typed(*pages: list[str]) -> ParsedDocument:
    """Pages typed line by line from their upper left corner."""
    pdf = Pdf()
    for page in pages:
        shown = [(at, line) for at, line in enumerate(page) if line]
        pdf.page(
            "".join(text(72 + 6 * (len(s) - len(s.lstrip())), 720 - 12 * at, s.lstrip(), font="F3") for at, s in shown)
        )
    return PdfFormat().parse(Source.of_bytes(pdf.bytes(), "typed.pdf"), Limits(ocr=False))


def indented(count: int) -> list[str]:
    return [" " * count + line for line in PROSE]


def test_lines_underlined_with_characters_are_headings_by_the_kind_of_their_lines() -> None:
    page = ["Tide gauges", "===========", "", "Siting", "------", "", *PROSE, "", "Care", "----", "", *PROSE]
    document = typed(page)
    assert levels(document) == [("Tide gauges", 1), ("Siting", 2), ("Care", 2)]
    assert not any("--" in block.text or "==" in block.text for block in of(document, Paragraph))


def test_lines_in_capitals_between_blank_ones_are_headings_and_the_same_type_under_them_is_text() -> None:
    page = [line for name in ("SITING", "CARE", "REPAIR") for line in (name, "", *PROSE, "")]
    assert levels(typed(page)) == [("SITING", 1), ("CARE", 1), ("REPAIR", 1)]


def test_sections_of_a_manual_page_stand_over_the_titles_between_them_and_the_text() -> None:
    page = [line for name in ("NAME", "USE", "NOTES") for line in (name, *indented(7), "")]
    page += ["   Choosing a gauge", *indented(7), "", "SEE ALSO", *indented(7)]
    told = levels(typed(page))
    assert told == [("NAME", 1), ("USE", 1), ("NOTES", 1), ("Choosing a gauge", 2), ("SEE ALSO", 1)]


def test_terms_over_their_definitions_and_names_over_one_another_are_no_headings() -> None:
    page = [line for name in ("Mail", "News", "Proxy", "Root") for line in (name, *indented(4), "")]
    assert levels(typed(["Ann Rivers", "", "Bo Lake", "", "Cy Poole", "", *page])) == []


def test_the_title_of_a_memorandum_stands_under_its_names_and_parts_without_numbers_beside_those_with_them() -> None:
    names = ["Working Group" + " " * 48 + "P. Oyelaran", "Memo 114" + " " * 52 + "K. Amundsen"]
    names += ["Category: Notes" + " " * 46 + "March 2025", "", ""]
    parts = ("Abstract", "1.  Introduction", "2.  Format", "2.1.  Header", "References")
    page = [line for part in parts for line in (part, "", *indented(3), "")]
    document = typed([*names, " " * 16 + "A Protocol for Talking to Tide Gauges", "", "", *page])
    found = [("A Protocol for Talking to Tide Gauges", 1), ("Abstract", 2), ("1 Introduction", 2), ("2 Format", 2)]
    assert levels(document) == [*found, ("2.1 Header", 3), ("References", 2)]


def test_the_head_of_typewritten_pages_is_no_text_though_words_stand_under_its_pieces() -> None:
    head = "Memo 114" + " " * 20 + "Gauge Protocol" + " " * 18 + "March 2025"
    document = typed(*([head, "", *(line for _ in range(8) for line in PROSE)] for _ in range(3)))
    assert [part.metadata["header"] for part in document.parts] == [" ".join(head.split())] * 3


def test_commands_between_paragraphs_are_no_headings() -> None:
    page = [line for name in ("make(all);", "--Force", "A = B + C", "Set x <y>") for line in (name, "", *PROSE, "")]
    assert levels(typed(page)) == []


def test_short_lines_at_the_head_of_each_page_of_a_text_without_running_heads_are_text() -> None:
    pages = [
        [f"{word}.", "", *PROSE, *([] if at else PROSE)] for at, word in enumerate(("One ended so", "Two", "Three"))
    ]
    pages += [[*PROSE, "", *PROSE]] * 5
    said = [block.text for block in of(typed(*pages), Paragraph)]
    assert "One ended so." in said


def plain(*content: str) -> list[tuple[str, int]]:
    pdf = Pdf()
    pdf.page("".join(content))
    return levels(read_pdf(pdf))


def test_any_word_with_a_number_that_counts_on_is_a_heading_and_takes_the_title_under_it() -> None:
    names = ("Name", "Purpose", "Members")
    parts = [
        text(72, 720 - 90 * at, f"Pasal {at + 1}") + text(72, 700 - 90 * at, name) + lines(72, 680 - 90 * at, PROSE)
        for at, name in enumerate(names)
    ]
    assert plain(*parts) == [("Pasal 1 Name", 1), ("Pasal 2 Purpose", 1), ("Pasal 3 Members", 1)]


def test_numbered_lines_over_one_another_and_numbers_that_do_not_count_on_are_no_headings() -> None:
    listed = lines(72, 720, ["Berth 1", "Berth 2", "Berth 3", "Berth 4"], lead=24)
    dated = [
        text(72, 560 - 70 * at, f"March {day}") + lines(72, 540 - 70 * at, PROSE) for at, day in enumerate((3, 17, 9))
    ]
    assert plain(listed, *dated) == []
