"""Pictures and layouts of pages: what a format plugin offers that knows how its parts look, and what those share that
read no looks of their own and whose formats LibreOffice opens.

Imports nothing heavy, as plugin classes do."""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sidecar.api import AttachedBounds, LazyFormat, Limits, Payload, Source

if TYPE_CHECKING:
    from sidecar.toolkit.drawn.model import PageDrawing


@runtime_checkable
class LaysOutPages(Protocol):
    """A format plugin that knows what a part looks like, and leaves the drawing to the drawer of pages: asked where
    `DrawsPictures` cannot, for want of the program that would draw."""

    def layout(self, source: Source, part: int, limits: Limits) -> "PageDrawing":
        """The part, 1-based, with everything at its place. Raises FormatError, NotFoundError."""
        ...


class OfficePictures(LazyFormat):
    """Has LibreOffice draw the pages or slides of what `parse` reads."""

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """Page or slide `part` (1-based) as LibreOffice lays it out. Raises UnavailableError without it."""
        from sidecar.toolkit.programs.libreoffice import draw_page

        return draw_page(source, part, dpi, limits)


class OfficePages(OfficePictures):
    """Lays pages or slides out as well, where there is no LibreOffice; objects in what `parse` reads that are documents
    are searched with it."""

    attached = AttachedBounds()

    def layout(self, source: Source, part: int, limits: Limits) -> "PageDrawing":
        """Slide `part` with its texts and pictures at their places, or a text that flows over pages.

        Raises FormatError, NotFoundError."""
        from sidecar.toolkit.drawn.blocks import bytes_of
        from sidecar.toolkit.drawn.flow import FlowStyle, draw_text
        from sidecar.toolkit.drawn.slides import draw_boxes

        document = self.parse(source, limits)
        data = bytes_of(self, document, source, limits)
        if document.parts and document.parts[0].kind == "slide":
            return draw_boxes(document, part, source.name, data)
        return draw_text(document, FlowStyle(), data)
