"""A paragraph of running text for PDFs that tests make, and what the plugin reads of pages made."""

from __future__ import annotations

from sidecar_pdf import PdfFormat
from support.formats.pdf_builder import Pdf

from sidecar.api import Limits, ParsedDocument, Source

PROSE = [
    "What was said there of the measure holds here as well, and the tables of the annex show by how",
    "much each of the three changed from one year to the next while nothing else was changed at all",
    "so that whatever differs between the columns is due to it alone and to nothing that came later.",
]
"""A sentence of three lines, each as wide as a column of a page."""
PROSE_ON = [PROSE[0].replace("What", "what"), *PROSE[1:]]
"""The same, as it goes on from a line above it."""


def parsed(*pages: str) -> ParsedDocument:
    """The document of a PDF with pages of this content."""
    pdf = Pdf()
    for content in pages:
        pdf.page(content)
    return PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), Limits(ocr=False))


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
