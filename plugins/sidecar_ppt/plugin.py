"""The plugin class for PowerPoint 97–2003: recognised by content, read by modules imported only then."""

from __future__ import annotations

from sidecar.api import DamagedError, Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.ole.compound import OLE_MAGIC, directory_head

__all__ = ["PptFormat"]


class PptFormat:
    """PowerPoint 97–2003 presentations, shows and templates."""

    name = "ppt"
    version = "1"
    media_types: tuple[str, ...] = ("application/vnd.ms-powerpoint",)
    suffixes: tuple[str, ...] = (".ppt", ".pps", ".pot")

    def score(self, source: Source) -> int:
        """95 for a compound file with a presentation's stream, 65 for another one under our names, 10 for the name
        alone (the parse then says what is wrong)."""
        ours = source.suffix in self.suffixes
        if source.head.startswith(OLE_MAGIC):
            return 95 if "PowerPoint Document".encode("utf-16-le") in directory_head(source) else 65 if ours else 0
        return 10 if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The whole presentation. Raises FormatError."""
        from sidecar_ppt.presentation import parse

        if source.size == 0:
            raise DamagedError(f"{source.name} is empty.")
        if not source.head.startswith(OLE_MAGIC):
            raise DamagedError(f"{source.name} is not a presentation, whatever its name says.")
        return parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture, sound or attached file. Raises NotFoundError."""
        from sidecar_ppt.presentation import open_embedded

        return open_embedded(source, ref, limits)

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """Slide `part` drawn by LibreOffice as PNG. Raises UnavailableError naming it when it is not installed."""
        from sidecar.toolkit.programs.libreoffice import draw_page

        return draw_page(source, part, dpi, limits)
