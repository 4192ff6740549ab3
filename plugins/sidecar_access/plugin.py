"""The plugin class for Access databases: recognised by what stands in their first page. Imports nothing heavy."""

from sidecar.api import Limits, ParsedDocument, Source

_NAMES = (b"Standard Jet DB\0", b"Standard ACE DB\0")


class AccessFormat:
    """Databases of Access 97 to today (Jet 3, Jet 4, ACE)."""

    name = "access"
    version = "8"
    media_types: tuple[str, ...] = ("application/x-msaccess", "application/vnd.ms-access")
    suffixes: tuple[str, ...] = (".mdb", ".accdb", ".mde", ".accde", ".accdt", ".mdt")

    def score(self, source: Source) -> int:
        """95 for the name of the engine in the first page, 10 for the suffix alone."""
        return 95 if source.head[4:20] in _NAMES else 10 if source.suffix in self.suffixes else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The tables as a document of sheets. Raises FormatError."""
        from sidecar_access.parse import parse

        return parse(source, limits)
