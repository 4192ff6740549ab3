"""Unpacks the pages of a Parquet file: Snappy and LZ4 by code of our own, gzip and Zstandard by libraries.

LZ4 after "LZ4 Block Format Description" (lz4/lz4, doc/lz4_Block_format.md)."""

import zlib
from functools import partial
from typing import Final

from sidecar.api import UnsupportedError
from sidecar.toolkit.unpacking import UNPACKING_FAULTS, ZstdDecompressor, of_snappy, repeat_bytes, unpack_streams

_NONE, _SNAPPY, _GZIP, _LZO, _BROTLI, _LZ4_FRAMED, _ZSTD, _LZ4 = range(8)
_NAMES: Final = {_LZO: "LZO", _BROTLI: "Brotli", _LZ4_FRAMED: "LZ4 as Hadoop frames it"}
_GZIP_OR_ZLIB: Final = 32 + zlib.MAX_WBITS


def unpacked(codec: int, data: bytes, size: int) -> bytes:
    """The `size` bytes that `data` was packed from. Raises ValueError where they are others, UnsupportedError."""
    if codec == _NONE:
        return data
    try:
        if codec == _GZIP:
            out = unpack_streams(partial(zlib.decompressobj, _GZIP_OR_ZLIB), data, size)
        elif codec == _ZSTD:
            out = unpack_streams(ZstdDecompressor, data, size)
        elif codec == _SNAPPY:
            out = of_snappy(data, size)
        elif codec == _LZ4:
            out = _of_lz4(data, size)
        else:
            raise UnsupportedError(f"packed with {_NAMES.get(codec, 'a method that is not known')}")
    except (*UNPACKING_FAULTS, IndexError) as error:
        raise ValueError("damaged") from error
    if len(out) != size:
        raise ValueError("damaged")
    return out


def _of_lz4(data: bytes, size: int) -> bytes:
    """Raises IndexError, ValueError."""
    out = bytearray()
    add_lz4_block(out, data, size)
    return bytes(out)


def add_lz4_block(out: bytearray, data: bytes, size: int) -> None:
    """Unpack a block behind what it may copy from, to about `size` bytes in all. Raises IndexError, ValueError."""
    at = 0
    while len(out) <= size:
        token = data[at]
        count, at = _lengthened(token >> 4, data, at + 1)
        out += data[at : at + count]
        at += count
        if at >= len(data):
            break
        distance = int.from_bytes(data[at : at + 2], "little")
        count, at = _lengthened(token & 15, data, at + 2)
        if len(out) + count > size:
            raise ValueError("damaged")
        _copy(out, distance, count + 4)


def _lengthened(count: int, data: bytes, at: int) -> tuple[int, int]:
    """A length of four bits with the bytes that go on with it, and the place behind them."""
    if count == 15:
        while (more := data[at]) == 255:
            count += 255
            at += 1
        count += more
        at += 1
    return count, at


def _copy(out: bytearray, distance: int, count: int) -> None:
    """What stands `distance` before the end, again. Raises ValueError."""
    if not 0 < distance <= len(out):
        raise ValueError("damaged")
    repeat_bytes(out, distance, count)
