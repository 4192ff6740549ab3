"""The plugin class for XPS documents: recognised by suffix and package. Imports nothing heavy."""

from sidecar.api import Limits, ParsedDocument, Payload, Source


class XpsFormat:
    """Fixed documents of Microsoft and ECMA-388."""

    name = "xps"
    version = "5"
    media_types: tuple[str, ...] = ("application/vnd.ms-xpsdocument", "application/oxps")
    suffixes: tuple[str, ...] = (".xps", ".oxps")

    def score(self, source: Source) -> int:
        """90 for a package under our suffixes, 10 for the suffix alone (the parse then says what is wrong)."""
        if source.suffix not in self.suffixes:
            return 0
        return 90 if source.head.startswith(b"PK") else 10

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The document page by page. Raises FormatError."""
        from sidecar_xps.parse import parse

        return parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture of a page. Raises FormatError."""
        from sidecar.toolkit.ooxml.embedded import open_part_of

        return open_part_of(source, ref, limits)
