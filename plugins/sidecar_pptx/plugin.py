"""The plugin class: recognises presentations by content and hands them to the reading modules, imported only then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.api import Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.drawn.pages import OfficePages
from sidecar.toolkit.markup.flat_opc import flat_folder, package_head, packed
from sidecar.toolkit.ole import OLE_MAGIC

if TYPE_CHECKING:
    from sidecar.toolkit.drawn.model import PageDrawing

_PRESENTATION = "application/vnd.openxmlformats-officedocument.presentationml"
_MACRO = "application/vnd.ms-powerpoint"


class PptxFormat(OfficePages):
    """Reads `.pptx` and its relatives."""

    name = "pptx"
    version = "30"
    media_types: tuple[str, ...] = (
        f"{_PRESENTATION}.presentation",
        f"{_PRESENTATION}.template",
        f"{_PRESENTATION}.slideshow",
        f"{_MACRO}.presentation.macroEnabled.12",
        f"{_MACRO}.template.macroEnabled.12",
        f"{_MACRO}.slideshow.macroEnabled.12",
    )
    suffixes: tuple[str, ...] = (".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm")

    def score(self, source: Source) -> int:
        """By content: a zip with `ppt/` parts in its first kilobytes is sure; the suffix decides what the head of a
        zip or compound file does not show; anything else is left to others, and taken only if nobody does."""
        head = source.head
        ours = source.suffix in self.suffixes
        if head.startswith(b"PK\x03\x04"):
            head = package_head(head)
            if b"ppt/" in head:
                return 100
            if b"word/" in head or b"xl/" in head or head[30:38] == b"mimetype":
                return 0
            return 60 if ours else 0
        if flat_folder(head) == "ppt":
            return 95
        if head.startswith(OLE_MAGIC):
            return 60 if ours else 0
        return (50 if not head else 10) if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The whole presentation. Raises FormatError."""
        from sidecar_pptx.presentation import read_presentation

        return read_presentation(packed(source, limits), limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """The bytes of an `Embed.ref`. Raises NotFoundError, FormatError."""
        from sidecar_pptx.fonts import open_part

        return open_part(packed(source, limits), ref, limits)

    def layout(self, source: Source, part: int, limits: Limits) -> PageDrawing:
        """Slide `part` with everything at its place. Raises FormatError, NotFoundError."""
        from sidecar_pptx.drawing.slide import draw_slide

        return draw_slide(packed(source, limits), part, limits)
