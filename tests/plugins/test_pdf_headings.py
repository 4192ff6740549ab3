"""Headings of PDFs that only what the document repeats gives away, and lines that look like headings and are none."""

from __future__ import annotations

from sidecar_pdf import PdfFormat
from support.pdf_builder import Pdf, lines, text
from support.plugin_reading import of

from sidecar.api import Heading, Limits, Paragraph, ParsedDocument, Source

PROSE = [
    "what was said there of the measure holds here as well, and the tables of the annex show by how",
    "much each of the three changed from one year to the next while nothing else was changed at all",
    "so that whatever differs between the columns is due to it alone and to nothing that came later.",
]


def parsed(*content: str) -> ParsedDocument:
    """Two pages, the second with these operators."""
    pdf = Pdf()
    pdf.page(lines(72, 740, [f"Opening. {line}" for line in PROSE] * 4))
    pdf.page("".join(content))
    return PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), Limits(ocr=False))


def run_in(y: float, title: str, width: float) -> str:
    """A paragraph whose first words are bold."""
    return text(72, y, title, font="F2") + text(72 + width, y, "Besides, " + PROSE[0][:60]) + lines(72, y - 12, PROSE)


def titles(document: ParsedDocument) -> list[str]:
    return [heading.text for heading in of(document, Heading)]


def test_bold_titles_that_run_into_their_paragraphs_are_headings() -> None:
    document = parsed(run_in(700, "Encoders", 52), run_in(630, "Inference", 52), run_in(560, "Run-time cost", 74))
    assert titles(document) == ["Encoders", "Inference", "Run-time cost"]
    first = next(block for block in of(document, Paragraph) if block.text.startswith("Besides"))
    assert first.text.endswith("came later.")


def test_one_bold_word_that_opens_a_paragraph_is_no_heading() -> None:
    assert titles(parsed(run_in(700, "Encoders", 52), lines(72, 600, PROSE))) == []


def test_notes_however_often_are_no_headings() -> None:
    document = parsed(*(run_in(700 - 70 * at, "Note.", 40) for at in range(4)))
    assert titles(document) == []


def test_heads_of_theorems_are_headings_with_their_names() -> None:
    content = text(72, 700, "Definition 5", font="F2") + text(138, 700, "(Closed sets). Let a set be closed where all")
    document = parsed(content + lines(72, 688, PROSE))
    assert titles(document) == ["Definition 5 (Closed sets)"]


def test_short_lines_in_italics_over_paragraphs_are_headings_where_there_are_several() -> None:
    def under(y: float, title: str) -> str:
        return text(72, y, title, font="F4") + lines(72, y - 14, [PROSE[0].capitalize(), *PROSE[1:]])

    assert titles(parsed(under(700, "Elastic stop nut"), under(620, "Wing nut"))) == ["Elastic stop nut", "Wing nut"]
    assert titles(parsed(under(700, "Elastic stop nut"))) == []


def test_names_over_an_address_are_no_headings() -> None:
    pdf = Pdf()
    byline = text(200, 700, "Anna Berg", size=12, font="F2") + text(330, 700, "Karl Thal", size=12, font="F2")
    address = text(240, 680, "University of the North") + text(240, 668, "{berg, thal}@north.example")
    head = text(120, 740, "How long a harbour freezes", size=16, font="F2")
    pdf.page(head + byline + address + text(72, 630, "Abstract", size=12, font="F2") + lines(72, 612, PROSE * 3))
    pdf.page(lines(72, 740, PROSE * 4))
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), Limits(ocr=False))
    assert titles(document) == ["How long a harbour freezes", "Abstract"]


def test_fonts_flagged_as_fixed_pitch_are_judged_by_their_widths() -> None:
    pdf = Pdf()
    widths = " ".join("222" if chr(code) in "ijl" else "556" for code in range(32, 127))
    descriptor = pdf.add(
        "<< /Type /FontDescriptor /FontName /Plain /Flags 33 /ItalicAngle 0 /Ascent 700 /Descent -200 >>"
    )
    plain = pdf.add(
        "<< /Type /Font /Subtype /TrueType /BaseFont /Plain /FirstChar 32 /LastChar 126"
        f" /Widths [{widths}] /FontDescriptor {descriptor} 0 R >>"
    )
    pdf.page(
        text(72, 740, "Rivers of the north", size=16, font="P1")
        + "".join(text(72, 700 - 12 * at, line, font="P1") for at, line in enumerate(PROSE)),
        fonts={"P1": plain},
    )
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), Limits(ocr=False))
    assert titles(document) == ["Rivers of the north"]
    assert of(document, Paragraph)


def test_a_field_with_its_date_is_no_heading() -> None:
    document = parsed(lines(72, 700, PROSE), text(72, 640, "Date of visit: 12/01/2015", size=12), lines(72, 600, PROSE))
    assert titles(document) == []
