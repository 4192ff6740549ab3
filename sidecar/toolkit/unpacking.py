"""What several packed formats have in common: Zstandard (RFC 8878) by Python's own reader, from 3.14 on, or the same
one for older Pythons; and the copies of earlier bytes that all descendants of LZ77 write."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError, ZstdFile
else:
    from backports.zstd import ZstdDecompressor, ZstdError, ZstdFile

__all__ = ["ZstdError", "ZstdFile", "all_of_zstd", "repeat_bytes"]


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
