"""Compiled help files (.chm) written byte by byte, their texts packed by each kind of block that LZX has."""

from __future__ import annotations

import struct
from collections.abc import Mapping

__all__ = ["help_file"]

_FRAME, _WINDOW = 0x8000, 0x10000
_BEHIND = 40
"""How far back a repetition is looked for."""
VERBATIM, ALIGNED, PLAIN = 1, 2, 3


class _Bits:
    def __init__(self) -> None:
        self.text = ""

    def put(self, value: int, count: int) -> None:
        self.text += format(value, f"0{count}b") if count else ""

    def done(self) -> bytes:
        padded = self.text + "0" * (-len(self.text) % 16)
        words = (int(padded[at : at + 16], 2) for at in range(0, len(padded), 16))
        return b"".join(struct.pack("<H", word) for word in words)


def _lengths(bits: _Bits, count: int, length: int) -> None:
    """So many codes of one length, where none were before: every other one by itself, the rest in runs."""
    pretree = [0] * 20
    pretree[-length % 17] = 1
    pretree[19] = 1
    for one in pretree:
        bits.put(one, 4)
    codes = {symbol: code for code, symbol in enumerate(at for at, one in enumerate(pretree) if one)}
    while count:
        if count > 8:
            bits.put(codes[19], 1)
            bits.put(0, 1)  # four of them
            bits.put(codes[-length % 17], 1)
            count -= 4
        else:
            bits.put(codes[-length % 17], 1)
            count -= 1


def _distance(distance: int) -> tuple[int, int, int]:
    """Slot, bits and their count."""
    base = slot = 0
    while True:
        extra = 0 if slot < 4 else min(slot // 2 - 1, 17)
        if slot > 2 and base - 2 <= distance < base - 2 + (1 << extra):
            return slot, distance - base + 2, extra
        base += 1 << extra
        slot += 1


def _block(data: bytes, kind: int) -> bytes:
    """One frame. The codes of all symbols are 9 bits long, so that each is its symbol's number."""
    bits = _Bits()
    bits.put(0, 1)
    bits.put(kind, 3)
    bits.put(len(data) >> 8, 16)
    bits.put(len(data) & 255, 8)
    if kind == PLAIN:
        return bits.done() + struct.pack("<3I", 1, 1, 1) + data
    if kind == ALIGNED:
        for _ in range(8):
            bits.put(3, 3)
    _lengths(bits, 256, 9)
    _lengths(bits, 256, 9)
    _lengths(bits, 249, 8)
    at = 0
    while at < len(data):
        found = data.rfind(data[at : at + 6], max(at - _BEHIND, 0), at + 5) if at + 6 <= len(data) else -1
        if found < 0 or at - found < 2:
            bits.put(data[at], 9)
            at += 1
            continue
        slot, value, extra = _distance(at - found)
        bits.put(256 + slot * 8 + 4, 9)
        if kind == ALIGNED and extra >= 3:
            bits.put(value >> 3, extra - 3)
            bits.put(value & 7, 3)
        else:
            bits.put(value, extra)
        at += 6
    return bits.done()


def _number(value: int) -> bytes:
    out = bytes([value & 0x7F])
    while value := value >> 7:
        out = bytes([value & 0x7F | 0x80]) + out
    return out


def help_file(files: Mapping[str, bytes], kind: int = VERBATIM, stored: Mapping[str, bytes] | None = None) -> bytes:
    """A help file; `stored` lie in it as they are. Every frame begins anew."""
    whole = b"".join(files.values())
    frames = [_block(whole[at : at + _FRAME], kind) for at in range(0, len(whole), _FRAME)]
    places = [sum(map(len, frames[:number])) for number in range(len(frames))]
    resets = struct.pack("<IIIIQQQ", 2, len(frames), 8, 40, len(whole), sum(map(len, frames)), _FRAME)
    store = "::DataSpace/Storage/MSCompressed/"
    plain = {
        f"{store}ControlData": struct.pack("<I4sIIIII", 6, b"LZXC", 2, 1, _WINDOW // _FRAME, 1, 0),
        f"{store}Transform/{{7FC28940-9D31-11D0-9B27-00A0C91E9C7C}}/InstanceData/ResetTable":
            resets + b"".join(struct.pack("<Q", place) for place in places),
        f"{store}Content": b"".join(frames), "/#SYSTEM": b"...", **(stored or {}),
    }  # fmt: skip
    entries, body, at = b"", b"", 0
    for name, data in plain.items():
        entries += _entry(name, 0, len(body), len(data))
        body += data
    for name, data in files.items():
        entries += _entry(name, 1, at, len(data))
        at += len(data)
    chunk = 0x1000
    listed = struct.pack("<4sIIii", b"PMGL", chunk - 20 - len(entries), 0, -1, -1) + entries
    directory = struct.pack("<4sIIIIIIiiiiI", b"ITSP", 1, 0x54, 10, chunk, 2, 1, -1, 0, 0, -1, 1).ljust(0x54, b"\0")
    directory += listed.ljust(chunk, b"\0")
    head = b"ITSF" + struct.pack("<II", 3, 96).ljust(52, b"\0")
    head += struct.pack("<QQQQQ", 96, 0, 96, len(directory), 96 + len(directory))
    return head + directory + body


def _entry(name: str, section: int, start: int, size: int) -> bytes:
    raw = name.encode()
    return _number(len(raw)) + raw + _number(section) + _number(start) + _number(size)
