"""RAR archives made piece by piece: of version 5 and of version 4, stored or packed by a plain packer of our own with
codes of one length each, members one by one or solid."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

__all__ = ["rar_4", "rar_5"]


class _Bits:
    def __init__(self) -> None:
        self.text = ""

    def put(self, value: int, count: int) -> None:
        self.text += f"{value:0{count}b}" if count else ""

    def bytes(self) -> bytes:
        padded = self.text + "0" * (-len(self.text) % 8)
        return int(padded or "0", 2).to_bytes(len(padded) // 8, "big")


def _tables(bits: _Bits, sizes: Sequence[tuple[int, int]]) -> None:
    """Codes of one length: those of the lengths are of 5 bits, so that a code is its symbol."""
    for _ in range(20):
        bits.put(5, 4)
    for count, length in sizes:
        for _ in range(count):
            bits.put(length, 5)


def _matches(data: bytes, before: bytes) -> list[tuple[int, int] | int]:
    """Bytes, and `(distance, length)` of what stood before."""
    whole, at = before + data, len(before)
    found: list[tuple[int, int] | int] = []
    while at < len(whole):
        length = next(
            (n for n in (40, 12, 6) if at + n <= len(whole) and whole.find(whole[at : at + n], 0, at + n - 1) >= 0), 0
        )
        place = whole.rfind(whole[at : at + length], 0, at + length - 1) if length else -1
        if place >= 0 and at - place > 0:
            found.append((at - place, length))
            at += length
        else:
            found.append(whole[at])
            at += 1
    return found


def _slot(value: int) -> tuple[int, int, int]:
    """Slot, extra bits, and their value, of a number told by its two highest bits; slots up to 3 have no extra."""
    if value <= 3:
        return value, 0, 0
    extra = value.bit_length() - 2
    return 2 * (extra + 1) + (value >> extra & 1), extra, value & (1 << extra) - 1


def _length_slot(value: int) -> tuple[int, int, int]:
    if value < 8:
        return value, 0, 0
    extra = value.bit_length() - 3
    return 4 * (extra + 1) + (value >> extra & 3), extra, value & (1 << extra) - 1


def packed_5(data: bytes, before: bytes = b"", delta: int = 0) -> bytes:
    """One block, with tables; `delta` is how many channels the whole is to be summed up for."""
    bits = _Bits()
    _tables(bits, [(306, 9), (64, 6), (16, 4), (44, 6)])
    if delta:
        bits.put(256, 9)
        bits.put(0, 10)
        bits.put(3, 2)
        for byte in struct.pack("<I", len(data)):
            bits.put(byte, 8)
        bits.put(delta - 1, 8)  # three bits of the kind, which is 0, and five of the channels
    for one in _matches(data, before):
        if isinstance(one, int):
            bits.put(one, 9)
            continue
        distance, length = one
        length -= (distance > 0x100) + (distance > 0x2000) + (distance > 0x40000)
        slot, extra, more = _length_slot(length - 2)
        bits.put(262 + slot, 9)
        bits.put(more, extra)
        slot, extra, more = _slot(distance - 1)
        bits.put(slot, 6)
        if extra >= 4:
            bits.put(more >> 4, extra - 4)
            bits.put(more & 15, 4)
        else:
            bits.put(more, extra)
    size = struct.pack("<I", len(bits.bytes()))[:3]
    flags = 0xC0 | 2 << 3 | (len(bits.text) - 1) % 8
    return bytes([flags, 0x5A ^ flags ^ size[0] ^ size[1] ^ size[2]]) + size + bits.bytes()


def packed_29(data: bytes, before: bytes = b"", *, keeps: bool = False) -> bytes:
    """A block, and the mark of its end. What `keeps` its codes leaves them to a next member, though that has its own
    where the archive is not solid."""
    bits = _Bits()
    bits.put(0, 2)
    _tables(bits, [(299, 9), (60, 6), (17, 5), (28, 5)])
    for one in _matches(data, before):
        if isinstance(one, int):
            bits.put(one, 9)
            continue
        distance, length = one
        slot, extra, more = _length_slot(length - 3)
        bits.put(271 + slot, 9)
        bits.put(more, extra)
        slot, extra, more = _slot(distance - 1)
        bits.put(slot, 6)
        if slot > 9:
            bits.put(more >> 4, extra - 4)
            bits.put(more & 15, 5)
        else:
            bits.put(more, extra)
    bits.put(256, 9)
    bits.put(0b00 if keeps else 0b01, 2)  # the member ends, and the next one brings tables of its own
    return bits.bytes()


def _vint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _header_5(kind: int, flags: int, body: bytes, data: bytes = b"", extra: bytes = b"") -> bytes:
    head = _vint(kind) + _vint(flags | bool(extra)) + (_vint(len(extra)) if extra else b"")
    head += (_vint(len(data)) if flags & 2 else b"") + body + extra
    sized = _vint(len(head)) + head
    return struct.pack("<I", zlib.crc32(sized)) + sized + data


def rar_5(
    files: dict[str, bytes], *, method: int = 3, solid: bool = False, locked: bool = False, times: bytes = b""
) -> bytes:
    """An archive of version 5; `method` 0 stores. `locked` encrypts (in words only) the names too. `times` is the
    record of finer times that stands in place of the time of each file."""
    out = b"Rar!\x1a\x07\x01\x00"
    if locked:
        return out + _header_5(4, 0, bytes(20))
    out += _header_5(1, 0, _vint(4 if solid else 0))
    before = b""
    for name, data in files.items():
        packed = packed_5(data, before) if method else data
        coarse = b"" if times else struct.pack("<I", 1_735_032_600)
        body = (
            _vint(4 if times else 2 | 4) + _vint(len(data)) + _vint(32) + coarse + struct.pack("<I", zlib.crc32(data))
        )
        body += (
            _vint(method << 7 | (64 if solid and before else 0)) + _vint(1) + _vint(len(name.encode())) + name.encode()
        )
        out += _header_5(2, 2, body, packed, _vint(len(times) + 1) + _vint(3) + times if times else b"")
        before = before + data if solid else b""
    return out + _header_5(5, 0, _vint(0))


def _header_4(kind: int, flags: int, body: bytes, data: bytes = b"") -> bytes:
    head = struct.pack("<BHH", kind, flags, 7 + len(body)) + body
    return struct.pack("<H", zlib.crc32(head) & 0xFFFF) + head + data


def rar_4(
    files: dict[str, bytes], *, method: int = 3, solid: bool = False, locked: int = 0, version: int = 29,
    keeps: bool = False,
) -> bytes:  # fmt: skip
    """An archive of version 4."""
    out = b"Rar!\x1a\x07\x00" + _header_4(0x73, (8 if solid else 0) | (0x80 if locked == 2 else 0), bytes(6))
    before = b""
    for name, data in files.items():
        packed = packed_29(data, before, keeps=keeps) if method else data
        told = name.encode("cp1252")
        stamp = (2024 - 1980) << 25 | 12 << 21 | 24 << 16 | 9 << 11 | 30 << 5
        body = struct.pack(
            "<IIBIIBBHI", len(packed), len(data), 3, zlib.crc32(data), stamp, version, 0x30 + method, len(told), 0
        )
        flags = 0x8000 | (0x10 if solid and before else 0) | (4 if locked else 0)
        out += _header_4(0x74, flags, body + told, packed)
        before = before + data if solid else b""
    return out + _header_4(0x7B, 0, b"")
