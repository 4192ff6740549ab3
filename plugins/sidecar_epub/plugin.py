"""The EPUB format plugin. Imports nothing heavy."""

from sidecar.api import Limits, ParsedDocument, Payload, Source


class EpubFormat:
    """E-books (EPUB 2 and 3)."""

    name = "epub"
    version = "8"
    media_types: tuple[str, ...] = ("application/epub+zip",)
    suffixes: tuple[str, ...] = (".epub",)

    def score(self, source: Source) -> int:
        """How sure the plugin is of a file; 0 declines. 10 for the suffix alone: the parse then says what is wrong."""
        head = source.head
        if not head.startswith(b"PK"):
            return 10 if source.suffix == ".epub" else 0
        if b"mimetypeapplication/epub+zip" in head[:200]:
            return 100
        return 60 if source.suffix == ".epub" else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The file as a document. Raises FormatError."""
        from sidecar_epub.parse import parse

        return parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """The bytes behind an `Embed.ref` of the document. Raises NotFoundError."""
        from sidecar_epub.parse import open_embedded

        return open_embedded(source, ref, limits)
