"""The plugin class for Visio drawings: recognised by their parts' names. Imports nothing heavy."""

from sidecar.api import DamagedError, Limits, ParsedDocument, Payload, Source

_BASE = "application/vnd.ms-visio."


class VisioFormat:
    """Drawings, stencils and templates of Visio 2013 and newer."""

    name = "visio"
    version = "1"
    media_types: tuple[str, ...] = (
        f"{_BASE}drawing", f"{_BASE}drawing.macroEnabled.12", f"{_BASE}template", f"{_BASE}template.macroEnabled.12",
        f"{_BASE}stencil", f"{_BASE}stencil.macroEnabled.12",
    )  # fmt: skip
    suffixes: tuple[str, ...] = (".vsdx", ".vsdm", ".vstx", ".vstm", ".vssx", ".vssm")

    def score(self, source: Source) -> int:
        """95 for a package with a drawing among its first parts, 60 for another one of our suffixes, 10 for the suffix
        alone (the parse then says what is wrong)."""
        ours = source.suffix in self.suffixes
        if not source.head.startswith(b"PK"):
            return 10 if ours else 0
        return 95 if b"visio/document.xml" in source.head else 60 if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The drawing as a document of pages. Raises FormatError."""
        from sidecar_visio.drawing import parse

        try:
            return parse(source, limits)
        except RecursionError as error:
            raise DamagedError(f"{source.name} nests its shapes too deep to be read.") from error

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture that stands in the drawing. Raises NotFoundError, FormatError."""
        from sidecar.toolkit.ooxml.embedded import open_part_of

        return open_part_of(source, ref, limits)

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """Page `part` (1-based) drawn by LibreOffice. Raises UnavailableError without it."""
        from sidecar.toolkit.programs.libreoffice import draw_page

        return draw_page(source, part, dpi, limits)
