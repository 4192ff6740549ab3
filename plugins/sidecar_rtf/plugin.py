"""The RTF format plugin: recognised by content, since Word saves it as .doc too. Imports nothing heavy."""

from sidecar.api import Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.drawn.pages import OfficePages


class RtfFormat(OfficePages):
    """Rich Text Format."""

    name = "rtf"
    version = "7"
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
