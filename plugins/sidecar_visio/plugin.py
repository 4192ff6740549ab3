"""The plugin class for Visio drawings: recognised by the names of their parts or streams. Imports nothing heavy."""

from sidecar.api import DamagedError, Limits, NotFoundError, ParsedDocument, Payload, Source
from sidecar.toolkit.drawn.pages import OfficePictures
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ole.compound import check_compound, compound_score

_BASE = "application/vnd.ms-visio."
_OLDER = (".vsd", ".vst", ".vss")
_XML = (".vdx", ".vsx", ".vtx")
_VOCABULARY = b"schemas.microsoft.com/visio/2003/core"


class VisioFormat(OfficePictures):
    """Drawings, stencils and templates of Visio 2000 and newer."""

    name = "visio"
    version = "9"
    media_types: tuple[str, ...] = (
        f"{_BASE}drawing", f"{_BASE}drawing.macroEnabled.12", f"{_BASE}template", f"{_BASE}template.macroEnabled.12",
        f"{_BASE}stencil", f"{_BASE}stencil.macroEnabled.12",
        "application/vnd.visio",
    )  # fmt: skip
    suffixes: tuple[str, ...] = (".vsdx", ".vsdm", ".vstx", ".vstm", ".vssx", ".vssm", ".vsd", ".vst", ".vss", *_XML)

    def score(self, source: Source) -> int:
        """95 for a package with a drawing among its first parts, 60 for another one of our suffixes, 10 for the suffix
        alone (the parse then says what is wrong); of older drawings see `compound_score`."""
        ours = source.suffix in self.suffixes
        if source.suffix in _OLDER or source.head.startswith(OLE_MAGIC):
            return compound_score(source, "VisioDocument", _OLDER)
        if _VOCABULARY in source.head[:2000]:
            return 95
        if not source.head.startswith(b"PK"):
            return 10 if ours else 0
        return 95 if b"visio/document.xml" in source.head else 60 if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The drawing as a document of pages. Raises FormatError."""
        if source.head.startswith(OLE_MAGIC) or source.suffix in _OLDER:
            from sidecar_visio.binary import parse as parse_binary

            check_compound(source, "drawing")
            return parse_binary(source, limits)
        if _VOCABULARY in source.head[:2000] or source.suffix in _XML:
            from sidecar_visio.xml_2003 import parse
        else:
            from sidecar_visio.drawing import parse

        try:
            return parse(source, limits)
        except RecursionError as error:
            raise DamagedError(f"{source.name} nests its shapes too deeply to be read.") from error

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture that stands in the drawing. Raises NotFoundError, FormatError."""
        if source.head.startswith(OLE_MAGIC) or source.suffix in _XML:
            raise NotFoundError(f"{source.name} holds no attached file {ref!r} that is read.")
        from sidecar.toolkit.ooxml.embedded import open_part_of

        return open_part_of(source, ref, limits)
