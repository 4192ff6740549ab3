"""What readers of binary formats have in common: a place in bytes that goes on with what is taken; Zstandard (RFC 8878)
by Python's own reader, from 3.14 on, or the same one for older Pythons; and the copies of earlier bytes that all
descendants of LZ77 write."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError, ZstdFile
else:
    from backports.zstd import ZstdDecompressor, ZstdError, ZstdFile

__all__ = ["Cursor", "ZstdError", "ZstdFile", "all_of_zstd", "repeat_bytes"]


class Cursor:
    """A place in bytes, which goes on with everything that is taken. Raises EOFError behind their end."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    @property
    def left(self) -> int:
        """How many bytes follow."""
        return len(self.data) - self.at

    def take(self, count: int) -> bytes:
        """The next bytes."""
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


def repeat_bytes(out: bytearray, distance: int, count: int) -> None:
    """Append `count` bytes from so far back, which may reach into what is being written. Whether `out` has so many is
    the caller's to check."""
    at = len(out) - distance
    if distance >= count:
        out += out[at : at + count]
    else:
        piece = bytes(out[at:])
        out += (piece * (count // distance + 1))[:count]
