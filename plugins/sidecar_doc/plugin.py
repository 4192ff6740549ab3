"""The plugin class for Word 97–2003 documents: recognised by content, read by modules imported only then."""

from __future__ import annotations

from sidecar.api import DamagedError, Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.ole.compound import OLE_MAGIC, directory_head

__all__ = ["DocFormat"]

_NAME = "WordDocument".encode("utf-16-le") + b"\0\0"


class DocFormat:
    """Word 97–2003 documents and templates."""

    name = "doc"
    version = "1"
    media_types: tuple[str, ...] = ("application/msword",)
    suffixes: tuple[str, ...] = (".doc", ".dot")

    def score(self, source: Source) -> int:
        """95 for a compound file with a Word stream, 65 for another one under our names, 10 for the name alone (the
        parse then says what is wrong)."""
        ours = source.suffix in self.suffixes
        if source.head.startswith(OLE_MAGIC):
            return 95 if _NAME in directory_head(source) else 65 if ours else 0
        return 10 if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The file as a document of chapters. Raises FormatError."""
        from sidecar_doc.parse import parse

        if source.size == 0:
            raise DamagedError(f"{source.name} is empty.")
        if not source.head.startswith(OLE_MAGIC):
            raise DamagedError(f"{source.name} is not a Word document, whatever its name says.")
        return parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture or attached file. Raises NotFoundError."""
        from sidecar_doc.parse import open_embedded

        return open_embedded(source, ref, limits)

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """Page `part` (1-based) as LibreOffice lays it out. Raises UnavailableError without it."""
        from sidecar.toolkit.programs.libreoffice import draw_page

        return draw_page(source, part, dpi, limits)
