"""The bytes of pictures and attached objects in an RTF file, out of the digits they are written in."""

import struct
from dataclasses import dataclass, field

from sidecar.api.formats import Payload
from sidecar.toolkit.ole.objects import inner_file
from sidecar.toolkit.ole.officeart import bitmap_file

_NOT_HEX = bytes(byte for byte in range(256) if byte not in b"0123456789abcdefABCDEF")
_EMBEDDED = 2
"""The form of an object that holds its data (MS-OLEDS §2.2.5)."""


@dataclass
class Picture:
    """A `pict` group while it is read."""

    media_type: str = ""
    digits: list[bytes] = field(default_factory=list[bytes])
    data: bytes = b""
    """What stood behind `bin`, where the picture is not written in digits."""
    alt: str = ""

    def bytes(self) -> bytes:
        """The picture itself, a bitmap with the head of a file, which it has not in RTF."""
        data = self.data or from_digits(b"".join(self.digits))
        return bitmap_file(data) if self.media_type == "image/bmp" else data


def from_digits(text: bytes) -> bytes:
    """The bytes that hexadecimal digits stand for; whatever else is among them is passed over."""
    digits = text.translate(None, _NOT_HEX)
    return bytes.fromhex(digits[: len(digits) // 2 * 2].decode("ascii"))


def object_file(data: bytes) -> Payload | None:
    """The file in an object's data (MS-OLEDS §2.2.5, an OLE 1.0 object); None where it only links to one."""
    try:
        form, length = struct.unpack_from("<II", data, 4)
        kind = data[12 : 12 + length].rstrip(b"\0")
        at = 12 + length
        for _ in range(2):  # topic and item
            at += 4 + struct.unpack_from("<I", data, at)[0]
        size = struct.unpack_from("<I", data, at)[0]
        native = data[at + 4 : at + 4 + size]
        if form != _EMBEDDED or not native:
            return None
        if kind != b"Package":
            return inner_file(native)
        return _packaged(native)
    except (struct.error, ValueError):
        return None


def _packaged(native: bytes) -> Payload:
    """A file wrapped by Windows' packager: label and path, both ended by NUL, the path once more, the file."""
    label_end = native.index(b"\0", 2)
    path_end = native.index(b"\0", label_end + 1)
    at = path_end + 5
    at += 4 + struct.unpack_from("<I", native, at)[0]
    size = struct.unpack_from("<I", native, at)[0]
    inner = inner_file(native[at + 4 : at + 4 + size])
    name = native[2:label_end].decode("cp1252", "replace").replace("\\", "/").rpartition("/")[2]
    return Payload(inner.data, inner.media_type, name or inner.name, inner.width, inner.height)
