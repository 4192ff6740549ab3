"""Listings, and lists of terms with their definitions: what stays together, and line by line as it is set."""

from __future__ import annotations

from sidecar_pdf import PdfFormat
from support.pdf_builder import Pdf, lines, text
from support.plugin_reading import of

from sidecar.api import Code, Limits, ListItem, Note, Paragraph, ParsedDocument, Source

PROSE = [
    "What was said there of the measure holds here as well, and the tables of the annex show by how",
    "much each of the three changed from one year to the next while nothing else was changed at all",
    "so that whatever differs between the columns is due to it alone and to nothing that came later.",
]


def parsed(*pages: str) -> ParsedDocument:
    pdf = Pdf()
    for page in pages:
        pdf.page(page)
    return PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), Limits(ocr=False))


def typed(x: float, y: float, shown: list[str], size: float = 10) -> str:
    """Lines in a typewriter face, set word by word at the places their blanks give them."""
    return "".join(
        text(x + 0.6 * size * (len(line) - len(line.lstrip())), y - 12 * at, line.lstrip(), size=size, font="F3")
        for at, line in enumerate(shown)
        if line
    )


def test_a_listing_keeps_its_blank_lines_its_blanks_and_lines_that_open_as_items_do() -> None:
    shown = [
        "/* Opens the gate.",
        " * - first the lower one",
        " * 2. then the upper one",
        " */",
        "int gate(int side) {",
    ]
    shown += ["    int   y  = 0;", "", "", "    return y;", "}", "", "- done", "* all   of it"]
    document = parsed(lines(72, 740, PROSE * 2) + typed(90, 640, shown) + lines(72, 440, PROSE * 2))
    assert [code.text for code in of(document, Code)] == ["\n".join(shown)]
    assert not of(document, ListItem)


def test_lines_of_a_listing_that_open_with_numbers_are_no_notes() -> None:
    shown = ["4   CARD32   OFFSET", "8   CARD32   LENGTH", "12  CARD32   CHECKSUM OF ALL"]
    document = parsed(lines(72, 740, PROSE * 4) + typed(72, 120, shown, size=8))
    assert not of(document, Note)


def test_names_in_a_typewriter_face_are_items_of_their_list_and_words_of_their_sentence() -> None:
    items = "".join(
        text(80, 640 - 14 * at, "\267") + text(92, 640 - 14 * at, name, font="F3")
        for at, name in enumerate(("gate_open", "gate_close", "gate_lock"))
    )
    said = text(72, 560, "The function") + text(132, 560, "gate_lock_both_sides_at_once", font="F3")
    said += text(305, 560, "also takes these:") + typed(72, 540, ["NORTH", "SOUTH"])
    document = parsed(lines(72, 740, PROSE * 2) + items + said + lines(72, 480, PROSE * 2))
    assert [item.text for item in of(document, ListItem)] == ["gate_open", "gate_close", "gate_lock"]
    assert "The function gate_lock_both_sides_at_once also takes these:" in [p.text for p in of(document, Paragraph)]
    assert [code.text for code in of(document, Code)] == ["NORTH\nSOUTH"]
