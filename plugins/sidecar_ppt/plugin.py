"""The plugin class for PowerPoint 97–2003: recognised by content, read by modules imported only then."""

from sidecar.api import Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.drawn.pages import OfficePages
from sidecar.toolkit.ole.compound import check_compound, compound_score


class PptFormat(OfficePages):
    """PowerPoint 97–2003 presentations, shows and templates."""

    name = "ppt"
    version = "7"
    media_types: tuple[str, ...] = ("application/vnd.ms-powerpoint",)
    suffixes: tuple[str, ...] = (".ppt", ".pps", ".pot")

    def score(self, source: Source) -> int:
        """See `compound_score`."""
        return compound_score(source, "PowerPoint Document", self.suffixes)

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The whole presentation. Raises FormatError."""
        from sidecar_ppt.presentation import parse

        check_compound(source, "presentation")
        return parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture, sound or attached file. Raises NotFoundError."""
        from sidecar_ppt.presentation import open_embedded

        return open_embedded(source, ref, limits)
