"""The plugin class for Word 97–2003 documents: recognised by content, read by modules imported only then."""

from __future__ import annotations

from sidecar.api import DamagedError, Limits, ParsedDocument, Payload, Source

__all__ = ["DocFormat"]

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NAME = "WordDocument".encode("utf-16-le") + b"\0\0"
_DIRECTORY_BYTES = 4096
"""Enough of the directory to hold the main stream's name in what programs write."""


class DocFormat:
    """Word 97–2003 documents and templates."""

    name = "doc"
    version = "1"
    media_types: tuple[str, ...] = ("application/msword",)
    suffixes: tuple[str, ...] = (".doc", ".dot")

    def score(self, source: Source) -> int:
        """95 for a compound file with a Word stream, 65 for another one under our names, 10 for the name alone (the
        parse then says what is wrong)."""
        ours = source.suffix in self.suffixes
        if source.head.startswith(_OLE):
            return 95 if _NAME in _directory(source) else 65 if ours else 0
        return 10 if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The file as a document of chapters. Raises FormatError."""
        from sidecar_doc.parse import parse

        if source.size == 0:
            raise DamagedError(f"{source.name} is empty.")
        if not source.head.startswith(_OLE):
            raise DamagedError(f"{source.name} is not a Word document, whatever its name says.")
        return parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture or attached file. Raises NotFoundError."""
        from sidecar_doc.parse import open_embedded

        return open_embedded(source, ref, limits)

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """Page `part` (1-based) as LibreOffice lays it out. Raises UnavailableError without it."""
        from sidecar.toolkit.libreoffice import draw_page

        return draw_page(source, part, dpi, limits)


def _directory(source: Source) -> bytes:
    """The beginning of the compound file's directory (MS-CFB 2.2: sector size at 30, the directory's sector at 48)."""
    shift = int.from_bytes(source.head[30:32], "little")
    first = int.from_bytes(source.head[48:52], "little")
    if not 7 <= shift <= 20:
        return b""
    try:
        with source.open() as file:
            file.seek((first + 1) << shift)
            return file.read(_DIRECTORY_BYTES)
    except (OSError, ValueError):
        return b""
