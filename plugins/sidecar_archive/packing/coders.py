"""Undoes the coders of a 7z archive that the standard library knows: the compressors, and the filters before them."""

import bz2
import lzma
import zlib
from functools import partial
from typing import Final

from sidecar.toolkit.unpacking import ZstdDecompressor, unpack_streams

_COPY, _LZMA, _LZMA2, _DEFLATE, _BZIP2, _DELTA = b"\0", b"\3\1\1", b"\x21", b"\4\1\x08", b"\4\2\2", b"\3"
_ZSTD = b"\x04\xf7\x11\x01"
_BRANCH = {
    b"\x03\x03\x01\x03": lzma.FILTER_X86, b"\x03\x03\x02\x05": lzma.FILTER_POWERPC,
    b"\x03\x03\x04\x01": lzma.FILTER_IA64, b"\x03\x03\x05\x01": lzma.FILTER_ARM,
    b"\x03\x03\x07\x01": lzma.FILTER_ARMTHUMB, b"\x03\x03\x08\x05": lzma.FILTER_SPARC,
}  # fmt: skip
METHODS: Final = frozenset({_COPY, _LZMA, _LZMA2, _DEFLATE, _BZIP2, _ZSTD, _DELTA, *_BRANCH})
"""The ids of the coders that `undo` takes."""


def undo(method: bytes, properties: bytes, data: bytes, size: int) -> bytes:
    """What `data` was before the coder, at most `size` bytes. Raises ValueError and what the decompressors raise."""
    if method == _COPY:
        return data[:size]
    if method == _LZMA:
        if len(properties) != 5 or properties[0] >= 9 * 5 * 5:
            raise ValueError
        rest, lc = divmod(properties[0], 9)
        pb, lp = divmod(rest, 5)
        # A dictionary larger than what comes out is memory for nothing.
        bytes_ = max(4096, min(int.from_bytes(properties[1:], "little"), size))
        return _raw([{"id": lzma.FILTER_LZMA1, "dict_size": bytes_, "lc": lc, "lp": lp, "pb": pb}], data, size)
    if method == _LZMA2:
        return _raw([{"id": lzma.FILTER_LZMA2, "dict_size": _lzma2_dictionary(properties, size)}], data, size)
    if method == _DEFLATE:
        return unpack_streams(partial(zlib.decompressobj, -15), data, size)
    if method == _BZIP2:
        return unpack_streams(bz2.BZ2Decompressor, data, size)  # several threads make a stream each
    if method == _ZSTD:
        return unpack_streams(ZstdDecompressor, data, size)
    if method == _DELTA:
        distance = properties[0] + 1 if properties else 1
        return _filtered({"id": lzma.FILTER_DELTA, "dist": distance}, data, size)
    return _filtered({"id": _BRANCH[method]}, data, size)


def _raw(filters: list[dict[str, int]], data: bytes, size: int) -> bytes:
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=filters).decompress(data, max(size, 1))


def _lzma2_dictionary(properties: bytes, size: int) -> int:
    bits = properties[0] if properties else 40
    declared = (2 | bits & 1) << (bits // 2 + 11) if bits < 40 else 2**32 - 1
    return max(4096, min(declared, size))


def _filtered(filter_: dict[str, int], data: bytes, size: int) -> bytes:
    """Undo a filter that changes no length. liblzma has filters only in front of a compressor, so the data goes in as
    LZMA2 chunks that are not compressed (control byte 1 resets the dictionary, 2 does not)."""
    chunks = bytearray()
    for start in range(0, len(data), 2**16):
        part = data[start : start + 2**16]
        chunks += bytes([2 if start else 1]) + (len(part) - 1).to_bytes(2, "big") + part
    return _raw([filter_, {"id": lzma.FILTER_LZMA2, "dict_size": 2**16}], bytes(chunks + b"\0"), size)
