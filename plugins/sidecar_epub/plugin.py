"""The EPUB format plugin. Imports nothing heavy."""

from sidecar.api import LazyFormat, Source


class EpubFormat(LazyFormat):
    """E-books (EPUB 2 and 3)."""

    name = "epub"
    version = "10"
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
