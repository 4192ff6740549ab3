"""The plugin class for WordPerfect documents: recognised by their first bytes. Imports nothing heavy."""

from sidecar.api import Limits, ParsedDocument, Source

_MAGIC = b"\xffWPC"
_DOCUMENT = 10


class WordperfectFormat:
    """Documents of WordPerfect 5 to X9."""

    name = "wordperfect"
    version = "10"
    media_types: tuple[str, ...] = ("application/vnd.wordperfect", "application/wordperfect")
    suffixes: tuple[str, ...] = (".wpd", ".wp", ".wp5", ".wp6", ".wpt")

    def score(self, source: Source) -> int:
        """92 for a document's first bytes; other files of WordPerfect and of these names are none of ours."""
        return 92 if source.head.startswith(_MAGIC) and source.head[9:10] == bytes([_DOCUMENT]) else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The text as a document of one chapter. Raises FormatError."""
        from sidecar_wordperfect.parse import parse

        return parse(source, limits)
