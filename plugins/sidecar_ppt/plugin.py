"""The plugin class for PowerPoint 97–2003: recognised by content, read by modules imported only then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.api import Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.ole.compound import check_compound, compound_score

if TYPE_CHECKING:
    from sidecar.api.drawn import PageDrawing

__all__ = ["PptFormat"]


class PptFormat:
    """PowerPoint 97–2003 presentations, shows and templates."""

    name = "ppt"
    version = "2"
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

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """Slide `part` drawn by LibreOffice as PNG. Raises UnavailableError naming it when it is not installed."""
        from sidecar.toolkit.programs.libreoffice import draw_page

        return draw_page(source, part, dpi, limits)

    def layout(self, source: Source, part: int, limits: Limits) -> PageDrawing:
        """Slide `part` with its texts and pictures at their places. Raises FormatError, NotFoundError."""
        from sidecar.toolkit.drawn.blocks import bytes_of
        from sidecar.toolkit.drawn.slides import draw_boxes

        document = self.parse(source, limits)
        return draw_boxes(document, part, source.name, bytes_of(self, document, source, limits))
