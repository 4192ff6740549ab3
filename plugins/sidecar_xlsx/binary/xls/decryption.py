"""Workbooks under the password that Excel itself gives: it opens them without asking ([MS-XLS] 2.2.10, 2.4.117;
[MS-OFFCRYPTO] 2.3.5 and 2.3.6). Any other password stays unknown."""

import hashlib
import hmac
import struct
from collections.abc import Callable
from typing import Final

from sidecar.toolkit.ole.decryption import PASSWORD, rc4
from sidecar_xlsx.binary.xls.records import BOF, records

FILE_PASS: Final = 0x2F
_PLAIN: Final = frozenset((BOF, FILE_PASS, 0xE1, 0x194, 0x195, 0x138, 0x196))
"""Records that are never encrypted."""
_SHEET, _PLACE = 0x85, 4
"""Of a record BoundSheet8 the place of the sheet is not encrypted."""
_BLOCK: Final = 1024
"""Bytes that one key serves."""
_RC4: Final = 1
_OWN_VERSION: Final = 1
"""Of the encryption that Excel 97 brought; later ones ask a cryptographic provider."""
_SHORT_KEY, _LONG_KEY = 5, 16


def decrypted(stream: bytes) -> bytes | None:
    """A stream of records decrypted by Excel's own password; None where another is needed."""
    header = next((record.whole for record in records(stream) if record.kind == FILE_PASS), b"")
    try:
        key_of = _keys(header)
    except struct.error:
        return None
    if key_of is None:
        return None
    clear = bytearray(stream)
    block, pad = -1, b""
    at = 0
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        start, end = at + 4 + (_PLACE if kind == _SHEET else 0), min(at + 4 + length, len(stream))
        if kind == FILE_PASS:
            struct.pack_into("<H", clear, at, 0)  # nothing asks for a password any more
        while start < end and kind not in _PLAIN:
            if start // _BLOCK != block:
                block = start // _BLOCK
                pad = rc4(key_of(block), bytes(_BLOCK))
            stop = min(end, (block + 1) * _BLOCK)
            clear[start:stop] = bytes(a ^ b for a, b in zip(stream[start:stop], pad[start % _BLOCK :], strict=False))
            start = stop
        at += 4 + length
    return bytes(clear)


def _keys(header: bytes) -> Callable[[int], bytes] | None:
    """The keys by block, where the password is Excel's own."""
    kind, version = struct.unpack_from("<HH", header)
    if kind != _RC4:
        return None
    if version == _OWN_VERSION:
        salt, verifier, hashed = struct.unpack_from("<16s16s16s", header, 6)
        key_of = _own_keys(salt)
        algorithm = hashlib.md5
    else:
        size = struct.unpack_from("<I", header, 10)[0]
        bits = struct.unpack_from("<I", header, 14 + 16)[0]
        salt, verifier, length = struct.unpack_from("<4x16s16sI", header, 14 + size)
        hashed = header[14 + size + 40 : 14 + size + 40 + min(length, 20)]
        key_of = _provided_keys(salt, bits // 8)
        algorithm = hashlib.sha1
    clear = rc4(key_of(0), verifier + hashed)
    expected = algorithm(clear[: len(verifier)], usedforsecurity=False).digest()
    return key_of if hashed and hmac.compare_digest(expected, clear[len(verifier) :]) else None


def _own_keys(salt: bytes) -> Callable[[int], bytes]:
    """[MS-OFFCRYPTO] 2.3.6.2."""
    first = hashlib.md5(PASSWORD, usedforsecurity=False).digest()[:_SHORT_KEY]
    base = hashlib.md5((first + salt) * 16, usedforsecurity=False).digest()[:_SHORT_KEY]
    return lambda block: hashlib.md5(base + struct.pack("<I", block), usedforsecurity=False).digest()


def _provided_keys(salt: bytes, size: int) -> Callable[[int], bytes]:
    """[MS-OFFCRYPTO] 2.3.5.2."""
    base = hashlib.sha1(salt + PASSWORD, usedforsecurity=False).digest()
    size = size or _SHORT_KEY

    def key(block: int) -> bytes:
        found = hashlib.sha1(base + struct.pack("<I", block), usedforsecurity=False).digest()[:size]
        return found.ljust(_LONG_KEY, b"\0") if size == _SHORT_KEY else found

    return key
