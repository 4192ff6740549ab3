"""The plugin class for dBase tables, which are told by a header that fits itself. Imports nothing heavy."""

import struct

from sidecar.api import Limits, ParsedDocument, Source

_VERSIONS = b"\x02\x03\x04\x30\x31\x32\x43\x63\x83\x8b\x8c\xcb\xe5\xf5\xfb"
"""First bytes of dBase II to 7 and FoxPro tables, with and without memos."""
_BACKLINK = 263
"""Bytes that Visual FoxPro keeps behind the fields."""


class DbaseFormat:
    """Tables of dBase III to 7, FoxPro, Clipper, and of shapefiles."""

    name = "dbase"
    version = "12"
    media_types: tuple[str, ...] = ("application/x-dbf",)
    suffixes: tuple[str, ...] = (".dbf",)

    def score(self, source: Source) -> int:
        """90 for a header that fits itself, less under another suffix; 10 for the suffix alone."""
        ours = source.suffix in self.suffixes
        if not _fits(source.head, source.size):
            return 10 if ours else 0
        return 90 if ours else 40

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The table as a document of one sheet. Raises FormatError."""
        from sidecar_dbase.parse import parse

        return parse(source, limits)


def _fits(head: bytes, size: int) -> bool:
    """Whether version, date, the lengths and the end of the fields agree with one another and with the file."""
    if len(head) < 65 or head[0] not in _VERSIONS or head[2] > 12 or head[3] > 31:
        return False
    _, header, record = struct.unpack_from("<IHH", head, 4)
    first, each = (68, 48) if head[0] & 7 == 4 else (32, 32)
    fields, rest = divmod(header - first - 1, each)
    return fields > 0 and record > fields and header <= size and rest in (0, 1, _BACKLINK % each)
