"""The plugin class for documents of Word 2 to 2003: recognised by content, read by modules imported only then."""

from sidecar.api import Limits, ParsedDocument, Source, UnsupportedError
from sidecar.toolkit.drawn.pages import OfficePages
from sidecar.toolkit.ole.compound import check_compound, compound_score

_OLDER = (b"\x9b\xa5", b"\xdc\xa5", b"\x31\xbe", b"\xfe\x37")
"""First bytes of files of Word 1, of Word for DOS and of Word 4 and 5 for the Macintosh."""
_WORD_2 = b"\xdb\xa5"


class DocFormat(OfficePages):
    """Documents and templates of Word 2 to 2003."""

    name = "doc"
    version = "29"
    media_types: tuple[str, ...] = ("application/msword",)
    suffixes: tuple[str, ...] = (".doc", ".dot")

    def score(self, source: Source) -> int:
        """See `compound_score`."""
        if source.head.startswith(_WORD_2):
            return 90
        return compound_score(source, "WordDocument", self.suffixes)

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The file as a document of chapters. Raises FormatError."""
        if source.head.startswith(_OLDER):
            raise UnsupportedError(
                f"{source.name} was written by a program older than Word 2; save it as .docx to index it."
            )
        if not source.head.startswith(_WORD_2):
            check_compound(source, "Word document")
        return super().parse(source, limits)
