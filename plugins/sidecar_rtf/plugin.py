"""The RTF format plugin: recognised by content, since Word saves it as .doc too. Imports nothing heavy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.api import Limits, ParsedDocument, Payload, Source

if TYPE_CHECKING:
    from sidecar.api.drawn import PageDrawing

__all__ = ["RtfFormat"]


class RtfFormat:
    """Rich Text Format."""

    name = "rtf"
    version = "3"
    media_types: tuple[str, ...] = ("application/rtf", "text/rtf")
    suffixes: tuple[str, ...] = (".rtf",)

    def score(self, source: Source) -> int:
        """90 by content, 5 by suffix alone: what reads any text comes first (of anything else the parse says what is
        wrong)."""
        if source.head.lstrip().startswith(b"{\\rtf"):
            return 90
        return 5 if source.suffix in self.suffixes else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The file as a document of chapters. Raises FormatError."""
        from sidecar_rtf.parse import parse

        return parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture or attached file. Raises NotFoundError."""
        from sidecar_rtf.parse import open_embedded

        return open_embedded(source, ref, limits)

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """Page `part` (1-based) as LibreOffice lays it out. Raises UnavailableError without it."""
        from sidecar.toolkit.programs.libreoffice import draw_page

        return draw_page(source, part, dpi, limits)

    def layout(self, source: Source, part: int, limits: Limits) -> PageDrawing:
        """The document as text that flows over pages, whichever is asked for. Raises FormatError."""
        from sidecar.toolkit.drawn.blocks import bytes_of
        from sidecar.toolkit.drawn.flow import FlowLook, draw_text

        document = self.parse(source, limits)
        return draw_text(document, FlowLook(), bytes_of(self, document, source, limits))
