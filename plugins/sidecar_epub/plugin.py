"""The EPUB format plugin. Imports nothing heavy."""

from sidecar.api import LazyFormat, Source

_KINDLE = (".mobi", ".azw", ".azw3", ".prc")


def is_kindle(source: Source) -> bool:
    """Whether the file is a database with a book in it, as Kindle's are."""
    return source.head[60:68] in (b"BOOKMOBI", b"TEXtREAd")


class EpubFormat(LazyFormat):
    """E-books: EPUB 2 and 3, and Kindle's (PalmDOC, MOBI, KF8)."""

    name = "epub"
    version = "11"
    media_types: tuple[str, ...] = ("application/epub+zip", "application/x-mobipocket-ebook")
    suffixes: tuple[str, ...] = (".epub", *_KINDLE)

    def score(self, source: Source) -> int:
        """How sure the plugin is of a file; 0 declines. 10 for the suffix alone: the parse then says what is wrong."""
        head = source.head
        if is_kindle(source):
            return 100
        if not head.startswith(b"PK"):
            return 10 if source.suffix in self.suffixes else 0
        if b"mimetypeapplication/epub+zip" in head[:200]:
            return 100
        return 60 if source.suffix == ".epub" else 0
