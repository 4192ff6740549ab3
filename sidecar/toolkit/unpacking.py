"""What readers of binary formats have in common: a place in bytes that goes on with what is taken; Zstandard (RFC 8878)
by Python's own reader, from 3.14 on, or the same one for older Pythons; numbers of seven bits a byte; the copies of
earlier bytes that all descendants of LZ77 write; and Snappy ("Snappy compressed format description", google/snappy,
format_description.txt)."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError, ZstdFile
else:
    from backports.zstd import ZstdDecompressor, ZstdError, ZstdFile

__all__ = ["Cursor", "ZstdError", "ZstdFile", "all_of_zstd", "of_snappy", "repeat_bytes", "varint"]

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


def all_of_zstd(data: bytes, size: int) -> bytes:
    """What the frames of `data` unpack to, at most `size` bytes. Raises ZstdError, EOFError."""
    out = bytearray()
    while data and len(out) < size:
        frame = ZstdDecompressor()
        out += frame.decompress(data, size - len(out))
        if not frame.eof and len(out) < size:
            raise EOFError
        data = frame.unused_data
    return bytes(out)


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
