"""The plugin class. It imports nothing heavy: the serving process loads it only to learn what it reads."""

from __future__ import annotations

from sidecar.api import AttachedBounds, Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.text import looks_binary

_MAGIC_WINDOW = 1024
"""Readers accept `%PDF-` anywhere in the first 1024 bytes (ISO 32000-1 annex H, implementation note 13)."""


class PdfFormat:
    """Reads PDF with pdfium: one part a page, elements labelled by caption or by place, pictures of pages."""

    name = "pdf"
    version = "122"
    media_types = ("application/pdf", "application/x-pdf")
    suffixes = (".pdf",)
    attached = AttachedBounds()

    def score(self, source: Source) -> int:
        """100 by magic number, 50 by suffix alone (the parse then says what is wrong), 0 otherwise.

        Behind other bytes the number counts less than a suffix, and in text for nothing: programs mention it.
        """
        head = source.head[:_MAGIC_WINDOW]
        if b"%PDF-" in head:
            if source.suffix in self.suffixes or head.lstrip().startswith(b"%PDF-"):
                return 100
            return 45 if looks_binary(source.head) else 0
        return 50 if source.suffix in self.suffixes else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """One `Part` of kind "page" a page. Raises `EncryptedError`, `DamagedError` or `LimitError`."""
        from sidecar_pdf.reading.document import read_document

        return read_document(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """The bytes behind an `Embed.ref`: images as JPEG or JPEG 2000 where the file holds them so, else as PNG."""
        from sidecar_pdf.pdfium.embedded import open_embedded

        return open_embedded(source, ref, limits)

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """The page as PNG at `dpi`, scaled down where `limits.max_pixels` asks for it."""
        from sidecar_pdf.pdfium.rendering import draw_page

        return draw_page(source, part, dpi, limits)
