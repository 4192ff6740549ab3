"""Drawings of old Office files ([MS-ODRAW]): their tree of records, the pictures kept in it, a shape's properties.

Shared by the readers of .doc, .ppt and .xls. Not responsible for where a drawing lies in a file, nor for drawing it."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

STORE, DRAWING_GROUP, SHAPE = 0xF001, 0xF000, 0xF004
_ENTRY, _SHAPE_HEAD = 0xF007, 0xF00A
_PROPERTIES = frozenset([0xF00B, 0xF121, 0xF122])
_BLIPS = {
    0xF01A: "image/x-emf", 0xF01B: "image/x-wmf", 0xF01C: "image/x-pict", 0xF01D: "image/jpeg", 0xF01E: "image/png",
    0xF01F: "image/bmp", 0xF029: "image/tiff", 0xF02A: "image/jpeg",
}  # fmt: skip
_METAFILES = frozenset(["image/x-emf", "image/x-wmf", "image/x-pict"])
_ENTRY_HEAD = 36
"""Bytes of a store entry before the name and the picture ([MS-ODRAW] 2.2.32)."""
_CONTAINER = 0xF
_PICTURE, _NAME, _DESCRIPTION, _HIDDEN, _TABLE = 0x0104, 0x0380, 0x0381, 0x03BF, 0x039F
_ART = 0x00C0
"""The words that WordArt draws."""
_FITS_WORDS, _FROM_ACROSS, _FROM_DOWN = 0x00BF, 0x0390, 0x0392
_FILL_KIND, _FILL, _FILL_OPACITY, _FILLED = 0x0180, 0x0181, 0x0182, 0x01BF
_SOLID, _OPAQUE = 0, 0x10000
_SQUARE = frozenset((1, 2, 202))
"""Rectangle, round rectangle, text box ([MS-ODRAW] 2.4.24)."""
_MAX_DEPTH = 40
_MAX_BYTES = 256 * 2**20
"""Of one inflated metafile."""
_DIB_HEAD, _DIB_HEAD_5 = 40, 124
"""Bytes of the head of a bitmap, in its first and its last version (BITMAPINFOHEADER, BITMAPV5HEADER)."""
_BY_MASKS = 3


class Record(NamedTuple):
    """One record: its type, instance and version, and its content, which holds records where `version` is 0xF."""

    kind: int
    instance: int
    version: int
    content: bytes


@dataclass
class ArtShape:
    """A shape: its number in the drawing, the number (from 1) of its picture in the store, what is said of it
    and, if it is WordArt, the words it draws."""

    number: int = 0
    picture: int = 0
    name: str = ""
    description: str = ""
    hidden: bool = False
    grows: bool = False
    """Whether it is made as large as its words need."""
    measured_from: tuple[int | None, int | None] = (None, None)
    """What its place in a text counts from, across and down (`posrelh`, `posrelv`): 0 the margin, 1 the page, 2 the
    column or paragraph, 3 the character or line; None where it is not said."""
    is_table: bool = False
    """Whether the shape stands for a table, whose cells are the shapes in its group."""
    is_square: bool = False
    filled: bool | None = None
    """None where the file does not say it."""
    fill: int | None = 0xFFFFFF
    """The colour of a plain fill as it is written (OfficeArtCOLORREF, [MS-ODRAW] 2.2.2), None for other fills."""
    records: list[Record] = field(default_factory=list[Record])
    """What else stands in it, text among it."""


def records(data: bytes) -> Iterator[Record]:
    """The records that stand side by side in `data`; a last one that was cut off is given as far as it goes."""
    at = 0
    while at + 8 <= len(data):
        head, kind, length = struct.unpack_from("<HHI", data, at)
        yield Record(kind, head >> 4, head & 0xF, data[at + 8 : at + 8 + length])
        at += 8 + length


def walk(data: bytes, depth: int = 0) -> Iterator[Record]:
    """All records of a tree, containers before what they hold."""
    for record in records(data):
        yield record
        if record.version == _CONTAINER and depth < _MAX_DEPTH:
            yield from walk(record.content, depth + 1)


def shapes(data: bytes) -> Iterator[ArtShape]:
    """The shapes in a drawing, in its order."""
    for record in walk(data):
        if record.kind == SHAPE:
            yield read_shape(record.content)


def read_shape(content: bytes) -> ArtShape:
    """The shape in the content of one record of kind `SHAPE`."""
    shape = ArtShape()
    for record in records(content):
        if record.kind == _SHAPE_HEAD and len(record.content) >= 4:
            shape.number = struct.unpack_from("<I", record.content)[0]
            shape.is_square = record.instance in _SQUARE
        elif record.kind in _PROPERTIES:
            _read_properties(shape, record)
        else:
            shape.records.append(record)
    return shape


def _read_properties(shape: ArtShape, record: Record) -> None:
    """The table of properties ([MS-ODRAW] 2.2.9): fixed entries, then the data of the complex ones in their order."""
    data = record.content
    entries = [
        struct.unpack_from("<HI", data, 6 * n) for n in range(min(record.instance, len(data) // 6))
    ]  # number and flags, value
    properties = {flagged & 0x3FFF: value for flagged, value in entries}
    if properties.get(_FILLED, 0) & 0x100000:
        shape.filled = bool(properties[_FILLED] & 0x10)
    plain = properties.get(_FILL_KIND, _SOLID) == _SOLID and properties.get(_FILL_OPACITY, _OPAQUE) >= _OPAQUE
    shape.fill = properties.get(_FILL, shape.fill) if plain else None
    across, down = shape.measured_from
    shape.measured_from = properties.get(_FROM_ACROSS, across), properties.get(_FROM_DOWN, down)
    at = 6 * len(entries)
    for flagged, value in entries:
        number, is_complex = flagged & 0x3FFF, bool(flagged & 0x8000)
        raw = data[at : at + value] if is_complex else b""
        at += len(raw)
        if number == _PICTURE and not is_complex:
            shape.picture = value
        elif number == _NAME:
            shape.name = _text(raw)
        elif number in (_ART, _DESCRIPTION):
            shape.description = f"{shape.description} {_text(raw)}".strip()
        elif number == _HIDDEN:
            # fHidden, and that it is meant
            shape.hidden = bool(value & 0x2 and value & 0x20000)
        elif number == _FITS_WORDS:
            shape.grows = bool(value & 0x2)
        elif number == _TABLE:
            shape.is_table = bool(value & 1)


def plain_colour(written: int) -> int | None:
    """A colour as 0xRRGGBB; None where it is the number of one in a scheme, or of the system's."""
    return None if written >> 24 else (written & 0xFF) << 16 | written & 0xFF00 | written >> 16


def stored_pictures(document: bytes, stream: bytes) -> list[bytes]:
    """The picture records that the store in `document` lists, in the order shapes count them (from 1).

    An entry says where its picture lies in `stream` (foDelay), or holds it itself, always where there is no stream
    ([MS-ODRAW] 2.2.32); b"" for none."""
    store = next((record for record in walk(document) if record.kind == STORE), None)
    found: list[bytes] = []
    for entry in records(store.content) if store is not None else ():
        at = int.from_bytes(entry.content[28:32], "little", signed=True) if entry.kind == _ENTRY else -1
        if stream and at >= 0 and len(entry.content) >= _ENTRY_HEAD:
            found.append(stream[at : at + 8 + int.from_bytes(stream[at + 4 : at + 8], "little")])
        elif entry.kind == _ENTRY:
            found.append(_entry_picture(entry.content))
        elif entry.kind in _BLIPS:
            found.append(struct.pack("<HHI", entry.instance << 4, entry.kind, len(entry.content)) + entry.content)
    return found


def _entry_picture(content: bytes) -> bytes:
    name = content[33] if len(content) > 33 else 0
    return content[_ENTRY_HEAD + name :]


def picture(data: bytes) -> tuple[bytes, str] | None:
    """The file in a picture record and its media type ([MS-ODRAW] 2.2.23–2.2.31); None where there is none."""
    for record in records(data):
        if record.kind == _ENTRY:
            return picture(_entry_picture(record.content))
        media_type = _BLIPS.get(record.kind)
        if media_type is None:
            return None
        # An odd instance says that there are two digests rather than one.
        head = 32 if record.instance & 1 else 16
        if media_type in _METAFILES:
            return _metafile(record.content[head:], media_type)
        content = record.content[head + 1 :]
        return (bitmap_file(content), media_type) if media_type == "image/bmp" else (content, media_type)
    return None


def _metafile(data: bytes, media_type: str) -> tuple[bytes, str] | None:
    if len(data) < 34:
        return None
    body = data[34:]
    if data[32] == 0:  # deflated
        try:
            body = zlib.decompressobj().decompress(body, _MAX_BYTES)
        except zlib.error:
            return None
    return body, media_type


def bitmap_file(data: bytes) -> bytes:
    """A device-independent bitmap with the file header it lacks (BITMAPFILEHEADER); what is none as it is."""
    if len(data) < _DIB_HEAD or not _DIB_HEAD <= int.from_bytes(data[:4], "little") <= _DIB_HEAD_5:
        return data
    head, bits, packing, used = struct.unpack_from("<I10xHI12xI", data)
    colours = min(used, 256) or (1 << bits if bits <= 8 else 0)
    masks = 3 if packing == _BY_MASKS and head == _DIB_HEAD else 0  # later heads hold theirs
    return struct.pack("<2sIHHI", b"BM", 14 + len(data), 0, 0, 14 + head + 4 * (masks + colours)) + data


def _text(raw: bytes) -> str:
    return " ".join(raw.decode("utf-16-le", "replace").split("\0", 1)[0].split())
