"""The plugin class: recognises presentations by content and hands them to the reading modules, imported only then."""

from __future__ import annotations

from sidecar.api import EncryptedError, Limits, ParsedDocument, Payload, Source, UnavailableError, UnsupportedError

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_TOKEN = b"\xdf\xc4\xd1\xf3"  # headerToken of CurrentUserAtom, [MS-PPT] §2.3.2
_PRESENTATION = "application/vnd.openxmlformats-officedocument.presentationml"
_MACRO = "application/vnd.ms-powerpoint"


class PptxFormat:
    """Reads `.pptx` and its relatives, and `.ppt` by way of LibreOffice."""

    name = "pptx"
    version = "3"
    media_types = (
        f"{_PRESENTATION}.presentation",
        f"{_PRESENTATION}.template",
        f"{_PRESENTATION}.slideshow",
        f"{_MACRO}.presentation.macroEnabled.12",
        f"{_MACRO}.template.macroEnabled.12",
        f"{_MACRO}.slideshow.macroEnabled.12",
        _MACRO,
    )
    suffixes = (".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm", ".ppt", ".pot", ".pps")

    def score(self, source: Source) -> int:
        """By content: a zip with `ppt/` parts in its first kilobytes is sure; the suffix decides what the head of a
        zip or compound file does not show; anything else is left to others, and taken only if nobody does."""
        head = source.head
        ours = source.suffix in self.suffixes
        if head.startswith(b"PK\x03\x04"):
            if b"ppt/" in head:
                return 100
            if b"word/" in head or b"xl/" in head or head[30:38] == b"mimetype":
                return 0
            return 60 if ours else 0
        if head.startswith(_OLE):
            if "PowerPoint Document".encode("utf-16-le") in head:
                return 100
            return 60 if ours else 0
        return (50 if not head else 10) if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The whole presentation. Raises FormatError."""
        from sidecar_pptx.presentation import read_presentation

        return read_presentation(_modern(source, limits), limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """The bytes of an `Embed.ref`. Raises NotFoundError, FormatError."""
        from sidecar_pptx.fonts import open_part

        return open_part(_modern(source, limits), ref, limits)

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """Slide `part` drawn by LibreOffice as PNG. Raises UnavailableError naming it when it is not installed."""
        from sidecar.toolkit.libreoffice import draw_page

        return draw_page(source, part, dpi, limits)


def _modern(source: Source, limits: Limits) -> Source:
    """Old binary presentations converted; everything else as it is.

    Raises:
        UnsupportedError: LibreOffice is needed and not there. FormatError: protected, or not readable.
    """
    if not source.head.startswith(_OLE):
        return source
    from sidecar.toolkit.libreoffice import convert
    from sidecar.toolkit.ooxml.ole import Compound

    compound = Compound(source.read(limits.max_file_bytes))
    if "PowerPoint Document" not in compound.names():
        return source  # protected OOXML, or another program's file: the package reader says which
    if (compound.stream("Current User") or b"")[12:16] == _ENCRYPTED_TOKEN:
        raise EncryptedError(f"{source.name} is protected by a password; save a copy without one to index it.")
    try:
        data = convert(source, "pptx", limits)
    except UnavailableError as error:
        raise UnsupportedError(str(error)) from error
    return Source.of_bytes(data, source.path.stem + ".pptx", source.media_type)
