"""The RTF format plugin: recognised by content, since Word saves it as .doc too. Imports nothing heavy."""

from sidecar.api import Source
from sidecar.toolkit.drawn.pages import OfficePages


class RtfFormat(OfficePages):
    """Rich Text Format."""

    name = "rtf"
    version = "29"
    media_types: tuple[str, ...] = ("application/rtf", "text/rtf")
    suffixes: tuple[str, ...] = (".rtf",)

    def score(self, source: Source) -> int:
        """90 by content, 5 by suffix alone: what reads any text comes first (else the parse says what is wrong)."""
        if source.head.lstrip().startswith(b"{\\rtf"):
            return 90
        return 5 if source.suffix in self.suffixes else 0
