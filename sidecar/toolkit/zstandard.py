"""Zstandard (RFC 8878): Python's own reader, from 3.14 on, or the same one for older Pythons."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError, ZstdFile
else:
    from backports.zstd import ZstdDecompressor, ZstdError, ZstdFile

__all__ = ["ZstdError", "ZstdFile", "all_of_zstd"]


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
