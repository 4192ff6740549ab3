"""The plugin class for DjVu documents: recognised by their first bytes. Imports nothing heavy."""

from sidecar.api import Limits, ParsedDocument, Source


class DjvuFormat:
    """DjVu documents of one page or many in one file: their text, outline and links; their pictures are not drawn."""

    name = "djvu"
    version = "1"
    media_types: tuple[str, ...] = ("image/vnd.djvu", "image/x-djvu")
    suffixes: tuple[str, ...] = (".djvu", ".djv")

    def score(self, source: Source) -> int:
        """95 for first bytes that name the format, 10 for the suffix alone (the parse then says what is wrong)."""
        return 95 if source.head.startswith(b"AT&TFORM") else 10 if source.suffix in self.suffixes else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The document page by page. Raises FormatError."""
        from sidecar_djvu.parse import parse

        return parse(source, limits)
