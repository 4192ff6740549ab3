"""Running text for PDFs that tests make, rows of tables, and what the plugin reads of pages made."""

from __future__ import annotations

from sidecar_pdf import PdfFormat
from support.formats.pdf_builder import Pdf, text
from support.formats.plugin_reading import of

from sidecar.api import Heading, Limits, ParsedDocument, Source, Table

PROSE = [
    "What was said there of the measure holds here as well, and the tables of the annex show by how",
    "much each of the three changed from one year to the next while nothing else was changed at all",
    "so that whatever differs between the columns is due to it alone and to nothing that came later.",
]
"""A sentence of three lines, each as wide as a column of a page."""
PROSE_ON = [PROSE[0].replace("What", "what"), *PROSE[1:]]
"""The same, as it goes on from a line above it."""
SURVEY = [
    "The survey covers every station along the river from its",
    "source to the delta, and each was visited twice a year by",
    "the same two observers, who noted depth and temperature",
    "and sent their records to the office in the spring.",
]
"""A sentence of four lines, each half as wide as a page."""


def parsed(*pages: str) -> ParsedDocument:
    """The document of a PDF with pages of this content."""
    pdf = Pdf()
    for content in pages:
        pdf.page(content)
    return read_pdf(pdf)


def read_pdf(pdf: Pdf, limits: Limits | None = None) -> ParsedDocument:
    """The document of a PDF."""
    return PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), limits or Limits(ocr=False))


def titles(pdf: Pdf) -> list[str]:
    """The headings of a PDF, with their numbers."""
    return [f"{heading.number} {heading.text}".strip() for heading in of(read_pdf(pdf), Heading)]


def levels(document: ParsedDocument) -> list[tuple[str, int]]:
    """The headings of a document, with their numbers, and how deep they stand."""
    return [(f"{heading.number} {heading.text}".strip(), heading.level) for heading in of(document, Heading)]


def tables(*content: str) -> list[Table]:
    """The tables of a page of these operators."""
    return of(parsed("".join(content)), Table)


def table(*content: str) -> Table:
    """The one table of a page of these operators."""
    (found,) = tables(*content)
    return found


def row(y: float, cells: dict[float, str], font: str = "F1") -> str:
    """Cells on one line, each from its x on."""
    return "".join(text(x, y, cell, font=font) for x, cell in cells.items())


def symbol_font(pdf: Pdf, name: str, signs: str, *, width: int = 1000) -> int:
    """A font of this name whose codes from 41 (hexadecimal) on stand for the signs, all of one width, in thousandths of
    an em."""
    codes = "".join(f"<{code:02x}> <{ord(sign):04x}>\n" for code, sign in enumerate(signs, 0x41))
    cmap = pdf.stream(
        "begincmap 1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"{len(signs)} beginbfchar\n{codes}endbfchar endcmap"
    )
    widths = f"/FirstChar 65 /LastChar {64 + len(signs)} /Widths [{f' {width}' * len(signs)}]"
    return pdf.add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} {widths} /ToUnicode {cmap} 0 R >>")


def coded(x: float, y: float, codes: str, *, font: str, size: float = 10) -> str:
    """One line in a font of `symbol_font`, by the codes of its signs in hexadecimal."""
    return f"q BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm <{codes}> Tj ET Q\n"
