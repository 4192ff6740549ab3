"""The plugin class for documents of Word 6 to 2003: recognised by content, read by modules imported only then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.api import Limits, ParsedDocument, Payload, Source, UnsupportedError
from sidecar.toolkit.ole.compound import check_compound, compound_score

if TYPE_CHECKING:
    from sidecar.api.drawn import PageDrawing

__all__ = ["DocFormat"]

_OLDER = (b"\x9b\xa5", b"\xdb\xa5", b"\xdc\xa5", b"\x31\xbe", b"\xfe\x37")
"""First bytes of files of Word 1 and 2, of Word for DOS and of Word 4 and 5 for the Macintosh."""


class DocFormat:
    """Documents and templates of Word 6 to 2003."""

    name = "doc"
    version = "3"
    media_types: tuple[str, ...] = ("application/msword",)
    suffixes: tuple[str, ...] = (".doc", ".dot")

    def score(self, source: Source) -> int:
        """See `compound_score`."""
        return compound_score(source, "WordDocument", self.suffixes)

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The file as a document of chapters. Raises FormatError."""
        from sidecar_doc.parse import parse

        if source.head.startswith(_OLDER):
            raise UnsupportedError(
                f"{source.name} was written by a program older than Word 6; save it as .docx to index it."
            )
        check_compound(source, "Word document")
        return parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture or attached file. Raises NotFoundError."""
        from sidecar_doc.parse import open_embedded

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
