"""The plugin class for Apple's iWork: recognised by suffix and package, read by modules imported only then."""

from sidecar.api import DamagedError, LazyFormat, Limits, ParsedDocument, Source


class IworkFormat(LazyFormat):
    """Pages, Keynote and Numbers documents: those of 2013 and later, and the text and tables of older ones."""

    name = "iwork"
    version = "17"
    media_types: tuple[str, ...] = (
        "application/vnd.apple.pages", "application/vnd.apple.keynote", "application/vnd.apple.numbers",
    )  # fmt: skip
    suffixes: tuple[str, ...] = (".pages", ".key", ".numbers")

    def score(self, source: Source) -> int:
        """70 for a package under one of our names, 10 for what may be one whose beginning is damaged: `.key` is other
        programs' too, so of that what holds a member of a package."""
        if source.suffix not in self.suffixes:
            return 0
        at = source.head.find(b"PK\x03\x04")
        return 70 if at == 0 else 10 if at > 0 or source.suffix != ".key" else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The whole document. Raises FormatError."""
        if source.size == 0:
            raise DamagedError(f"{source.name} is empty.")
        return super().parse(source, limits)
