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
