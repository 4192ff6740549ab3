"""The bytes behind an embed of a presentation, opened again, and fonts among them (`.fntdata`): Embedded OpenType,
unwrapped to the font where it is not compressed. Not responsible for finding them.

Source: W3C Submission "Embedded OpenType (EOT) File Format". MicroType-compressed data stays wrapped, as it is."""

import posixpath
import struct

from sidecar.api import Limits, NotFoundError, Payload, Source
from sidecar.toolkit.ooxml import embedded
from sidecar.toolkit.ooxml.package import Package

_COMPRESSED = 0x4
_XORED = 0x10000000
_MAGIC = 0x504C
_HEADER = 36


def font_type(head: bytes) -> tuple[str, str]:
    """Media type and suffix of what `_unwrapped` will give, told by the first 36 bytes."""
    if _is_eot(head):
        flags = struct.unpack_from("<I", head, 12)[0]
        return ("application/vnd.ms-fontobject", ".eot") if flags & _COMPRESSED else ("font/ttf", ".ttf")
    if head.startswith(b"OTTO"):
        return "font/otf", ".otf"
    if head.startswith((b"\0\1\0\0", b"true")):
        return "font/ttf", ".ttf"
    return "application/x-fontdata", ".fntdata"


def unwrapped_size(head: bytes, size: int) -> int:
    """How many bytes `_unwrapped` will give, for a part of `size` bytes that begins with `head`."""
    if not _is_eot(head):
        return size
    length, flags = struct.unpack_from("<I", head, 4)[0], struct.unpack_from("<I", head, 12)[0]
    return size if flags & _COMPRESSED or not 0 < length <= size - _HEADER else length


def _unwrapped(data: bytes) -> bytes:
    """The bare font: the header dropped and the bytes decrypted. Compressed or foreign data come back as given."""
    if not _is_eot(data):
        return data
    length, flags = unwrapped_size(data, len(data)), struct.unpack_from("<I", data, 12)[0]
    if length == len(data):
        return data
    font = data[-length:]
    # XOR of the whole at once: a font of a megabyte would take a second byte by byte.
    if flags & _XORED:
        mask = int.from_bytes(b"\x50" * len(font), "little")
        font = (int.from_bytes(font, "little") ^ mask).to_bytes(len(font), "little")
    return font


def _is_eot(data: bytes) -> bool:
    return len(data) >= _HEADER and struct.unpack_from("<H", data, 34)[0] == _MAGIC


def open_part(source: Source, ref: str, limits: Limits) -> Payload:
    """The file behind `ref`, the name of its part.

    Raises:
        NotFoundError: no such part. FormatError: the file cannot be read."""
    with Package(source, limits) as package:
        if not ref or ref not in package:
            raise NotFoundError(f"{source.name} has no embedded part {ref!r}.")
        if ref.lower().endswith(".fntdata"):
            data = package.read(ref)
            media_type, suffix = font_type(data)
            return Payload(_unwrapped(data), media_type, posixpath.splitext(posixpath.basename(ref))[0] + suffix)
        return embedded.open_part(package, ref)
