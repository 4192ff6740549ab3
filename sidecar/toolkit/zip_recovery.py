"""Recovers the members of a zip archive whose end is missing, and with it the directory of what is in it, from the
headers that stand before each of them (APPNOTE 4.3.7): a copy or a download that broke off.

A member of markup that the cut goes through is given as far as it goes, since readers of markup recover its beginning;
of any other the half is worth nothing and left out."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator

from sidecar.api.formats import Limits
from sidecar.toolkit.xml import RATIO_FLOOR

_MARK = b"PK\3\4"
_HEADER = struct.Struct("<4s5H3I2H")
_ENCRYPTED, _SIZES_FOLLOW, _UTF_8 = 1, 8, 0x800
"""Flags of a header (APPNOTE 4.4.4)."""
_MARKUP = (".xml", ".rels", ".vml", ".xhtml", ".html", ".htm", ".opf", ".ncx", ".txt", ".csv", ".md")
_PIECE = 8 * 1024
"""Packed bytes at once."""
_UNKNOWN = 0xFFFFFFFF
"""A size that stands elsewhere (ZIP64), which files of 4 GB have."""


def is_cut(data: bytes) -> bool:
    """Whether it is a zip archive without its end."""
    return data.startswith(_MARK) and not zipfile.is_zipfile(io.BytesIO(data))


def recovered(data: bytes, limits: Limits) -> bytes:
    """An archive of all members that are there, at most what `limits` let the file expand to; b"" where none is."""
    made = io.BytesIO()
    room = min(limits.max_expanded_bytes, max(RATIO_FLOOR, limits.max_ratio * len(data)))
    found = False
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in _members(data, room):
            archive.writestr(name, content)
            found = True
    return made.getvalue() if found else b""


def _members(data: bytes, room: int) -> Iterator[tuple[str, bytes]]:
    names: set[str] = set()
    at = 0
    while 0 <= at <= len(data) - _HEADER.size and room > 0:
        _, _, flags, method, _, _, _, packed, _, name_size, extra_size = _HEADER.unpack_from(data, at)
        start = at + _HEADER.size + name_size + extra_size
        raw_name = data[at + _HEADER.size : at + _HEADER.size + name_size]
        name = raw_name.decode("utf-8" if flags & _UTF_8 else "cp437", "replace").partition("\0")[0]
        if flags & _ENCRYPTED or packed == _UNKNOWN or start > len(data):
            return
        follows = bool(flags & _SIZES_FOLLOW) and not packed
        end = len(data) if follows else start + packed
        content, end, whole = _content(data, start, end, method, room)
        room -= len(content)
        if content and name and name not in names and (whole or name.lower().endswith(_MARKUP)):
            names.add(name)
            yield name, content
        at = data.find(_MARK, end)


def _content(data: bytes, start: int, end: int, method: int, room: int) -> tuple[bytes, int, bool]:
    """A member's bytes, where it ends, and whether it is whole. What is packed otherwise than most is left out."""
    if method == zipfile.ZIP_STORED:
        return data[start : min(end, start + room)], end, end <= len(data) and end - start <= room
    if method != zipfile.ZIP_DEFLATED:
        return b"", end, False
    unpacker = zlib.decompressobj(-15)
    pieces: list[bytes] = []
    try:
        # Piece by piece: an error is told only for a whole call, and what came before it is still wanted.
        for at in range(start, min(end, len(data)), _PIECE):
            piece = data[at : min(at + _PIECE, end)]
            pieces.append(unpacker.decompress(piece, room + 1))
            room -= len(pieces[-1])
            if unpacker.eof:
                end = at + len(piece) - len(unpacker.unused_data)
            if unpacker.eof or room <= 0:
                break
    except zlib.error:
        pass
    return b"".join(pieces), end, unpacker.eof
