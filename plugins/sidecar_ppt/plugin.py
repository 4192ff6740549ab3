"""The plugin class for PowerPoint 97–2003: recognised by content, read by modules imported only then."""

from sidecar.api import Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.drawn.pages import OfficePages
from sidecar.toolkit.ole.compound import check_compound, compound_score

_OLDEST = (b"\xed\xde\xad\x0b", b"\x0b\xad\xde\xed")
"""What files of PowerPoint 2 and 3 begin with, on Windows and on the Macintosh."""


class PptFormat(OfficePages):
    """PowerPoint 97–2003 presentations, shows and templates; of PowerPoint 95 the texts."""

    name = "ppt"
    version = "22"
    media_types: tuple[str, ...] = ("application/vnd.ms-powerpoint",)
    suffixes: tuple[str, ...] = (".ppt", ".pps", ".pot")

    def score(self, source: Source) -> int:
        """See `compound_score`."""
        if source.head.startswith(_OLDEST):
            return 90
        return compound_score(source, "PowerPoint Document", self.suffixes)

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The whole presentation. Raises FormatError."""
        if source.head.startswith(_OLDEST):
            from sidecar_ppt.powerpoint_95 import too_old

            raise too_old(source.name)
        from sidecar_ppt.presentation import parse

        check_compound(source, "presentation")
        return parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture, sound or attached file. Raises NotFoundError."""
        from sidecar_ppt.presentation import open_embedded

        return open_embedded(source, ref, limits)
