"""What readers of binary formats have in common: a place in bytes that goes on with what is taken; what gzip, bzip2, xz
and Zstandard packed, within a bound (the last by Python's own reader from 3.14 on, or the same one for older Pythons);
numbers of seven bits a byte; the copies of earlier bytes that all descendants of LZ77 write; and Snappy ("Snappy
compressed format description", google/snappy, format_description.txt)."""

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from sidecar.api import DamagedError, LimitError

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError, ZstdFile
else:
    from backports.zstd import ZstdDecompressor, ZstdError, ZstdFile

__all__ = [
    "UNPACKING_FAULTS", "Cursor", "ZstdDecompressor", "ZstdFile", "of_snappy", "repeat_bytes", "unpack",
    "unpack_streams", "varint",
]  # fmt: skip

UNPACKING_FAULTS: Final = (zlib.error, lzma.LZMAError, ZstdError, OSError, EOFError)
"""What the libraries raise for damaged streams."""
_PACKED: Final = (
    (b"\x1f\x8b", partial(zlib.decompressobj, 31)), (b"BZh", bz2.BZ2Decompressor),
    (b"\xfd7zXZ\0", lzma.LZMADecompressor), (b"\x28\xb5\x2f\xfd", ZstdDecompressor),
)  # fmt: skip
_VARINT_BITS = 70
"""As many as the ten bytes of the longest number hold (Protocol Buffers, Avro, Thrift, RAR)."""


class Cursor:
    """A place in bytes, which goes on with everything that is taken. Raises EOFError behind their end."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    @property
    def left(self) -> int:
        """How many bytes follow."""
        return len(self.data) - self.at

    def read(self, count: int) -> bytes:
        """The next bytes. Raises EOFError where there are none."""
        if not 0 <= count <= self.left:
            raise EOFError("ends within its description")
        self.at += count
        return self.data[self.at - count : self.at]


def unpack_streams(new: Callable[[], Any], data: bytes, most: int) -> bytes:
    """What the streams in `data`, one behind the other, unpack to by the decompressors that `new` makes, at most `most`
    bytes; of a last one that is cut short, as far as it goes. Raises `UNPACKING_FAULTS`."""
    out = bytearray()
    while data and len(out) < most:
        stream = new()
        out += stream.decompress(data, most - len(out))
        data = stream.unused_data
    return bytes(out)


def unpack(data: bytes, most: int, what: str) -> bytes:
    """`data` as it was before gzip, bzip2, xz or Zstandard packed it (told by how it begins; itself where it does not),
    its first stream, as far as it goes. `what` names it in messages.

    Raises:
        LimitError: that is more than `most` bytes.
        DamagedError: it cannot be unpacked."""
    new = next((new for mark, new in _PACKED if data.startswith(mark)), None)
    try:
        out = data if new is None else new().decompress(data, most + 1)
    except UNPACKING_FAULTS as error:
        raise DamagedError(f"{what} is damaged and cannot be unpacked.") from error
    if len(out) > most:
        raise LimitError(f"{what} is too large to read within the limits.")
    return out


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, low first, and where it ends. Raises ValueError behind the end."""
    value = shift = 0
    while at < len(data) and shift < _VARINT_BITS:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("a number is cut short")


def of_snappy(data: bytes, most: int) -> bytes:
    """What a Snappy block unpacks to. Raises ValueError where that is more than `most`, or not what the block says."""
    size, at = varint(data, 0)
    if size > most:
        raise ValueError(f"a block of {size:,} bytes")
    out = bytearray()
    while at < len(data) and len(out) < size:
        tag = data[at]
        at += 1
        kind, count = tag & 3, tag >> 2
        if kind == 0:
            if count >= 60:
                more = count - 59
                count = int.from_bytes(data[at : at + more], "little")
                at += more
            out += data[at : at + count + 1]
            at += count + 1
            continue
        width = (1, 2, 4)[kind - 1]
        distance = int.from_bytes(data[at : at + width], "little")
        at += width
        if kind == 1:
            distance |= (tag >> 5) << 8
            count = (count & 7) + 3
        if not 0 < distance <= len(out):
            raise ValueError("a copy from before the beginning")
        repeat_bytes(out, distance, count + 1)
    if len(out) != size:
        raise ValueError(f"{len(out):,} of {size:,} bytes")
    return bytes(out)


def repeat_bytes(out: bytearray, distance: int, count: int) -> None:
    """Append `count` bytes from so far back, which may reach into what is being written. Whether `out` has so many is
    the caller's to check."""
    at = len(out) - distance
    if distance >= count:
        out += out[at : at + count]
    else:
        piece = bytes(out[at:])
        out += (piece * (count // distance + 1))[:count]
