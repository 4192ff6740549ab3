"""The EPUB format plugin. Imports nothing heavy."""

from typing import Final

from sidecar.api import LazyFormat, Source

MARKS: Final = (b"BOOKMOBI", b"TEXtREAd")
MARK_AT: Final = 60
"""Type and creator of the database that a book of Kindle's is kept in."""
_KINDLE = (".mobi", ".azw", ".azw3", ".prc")


def is_kindle(source: Source) -> bool:
    """Whether the file is a database with a book in it, as Kindle's are."""
    return source.head[MARK_AT : MARK_AT + 8] in MARKS


class EpubFormat(LazyFormat):
    """E-books: EPUB 2 and 3, and Kindle's (PalmDOC, MOBI, KF8)."""

    name = "epub"
    version = "28"
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
