"""Undoes what RAR did to stretches of a member to make them easier to pack: differences of channels, and addresses in
programs. RAR 5 names the way by a number; older ones write a program for a virtual machine, of which the same few are
always used, told by their checksums (after libarchive's reader, BSD licence)."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sidecar.api import DamagedError, UnsupportedError
from sidecar_archive.packing.codes import DAMAGED, Bits

DELTA, CALLS, _JUMPS = 0, 1, 2
_UNKNOWN: Final = -1
_PROGRAMS: Final = {(29, 0x0E06077D): DELTA, (53, 0xAD576887): CALLS, (57, 0x3CD7E57E): _JUMPS}
"""By length and checksum of a program what it does."""
_MAX_PROGRAMS: Final = 1024
_WRAP: Final = 0x1000000
"""Addresses in programs are told within this many bytes."""


@dataclass(frozen=True)
class RarFilter:
    """Which bytes of a member are changed how: `kind`, and the channels whose differences are told."""

    first: int
    length: int
    kind: int
    channels: int = 0


class Programs:
    """The programs that an archive of RAR 2.9 to 4 has named so far, and how long the stretch of each last was."""

    def __init__(self) -> None:
        self._kinds: list[int] = []
        self._lengths: list[int] = []
        self._last = 0

    def called(self, data: bytes, flags: int, at: int) -> RarFilter:
        """The call of a program that is written at `at` of the member. Raises DamagedError."""
        bits = Bits(data)
        number = self._last
        if flags & 0x80:
            number = _number(bits) - 1
            if number < 0:
                self._kinds, self._lengths, number = [], [], 0
        if number > min(len(self._kinds), _MAX_PROGRAMS):
            raise DamagedError(DAMAGED)
        self._last = number
        first = at + _number(bits) + (258 if flags & 0x40 else 0)
        is_new = number == len(self._kinds)
        length = _number(bits) if flags & 0x20 else 0 if is_new else self._lengths[number]
        channels = self._first_register(bits) if flags & 0x10 else 0
        if is_new:
            code = bytes(bits.read_bits(8) for _ in range(min(_number(bits), len(data))))
            self._kinds.append(_PROGRAMS.get((len(code), zlib.crc32(code)), _UNKNOWN))
            self._lengths.append(0)
        self._lengths[number] = length
        return RarFilter(first, length, self._kinds[number], channels)

    @staticmethod
    def _first_register(bits: Bits) -> int:
        mask = bits.read_bits(7)
        values = [_number(bits) if mask >> place & 1 else 0 for place in range(7)]
        return values[0]


def _number(bits: Bits) -> int:
    way = bits.read_bits(2)
    if way == 0:
        return bits.read_bits(4)
    if way == 1:
        value = bits.read_bits(8)
        return value if value >= 16 else 0xFFFFFF00 | value << 4 | bits.read_bits(4)
    return bits.read_bits(16) if way == 2 else bits.read_bits(32)


def undo(data: bytearray, filters: Iterable[RarFilter]) -> bytes:
    """The member as it was before it was packed. Raises DamagedError, UnsupportedError."""
    for one in filters:
        first, length = one.first, one.length
        if first < 0 or first + length > len(data):
            raise DamagedError(DAMAGED)
        if one.kind == DELTA:
            _sum_up(data, first, length, one.channels)
        elif one.kind in (CALLS, _JUMPS):
            _calls_back(data, first, length, b"\xe8\xe9" if one.kind == _JUMPS else b"\xe8")
        else:
            raise UnsupportedError("It is packed with a filter for audio, images or programs, which is not supported.")
    return bytes(data)


def _sum_up(data: bytearray, first: int, length: int, channels: int) -> None:
    raw, at = bytes(data[first : first + length]), 0
    for channel in range(min(channels, length)):
        value = 0
        for place in range(first + channel, first + length, channels):
            value = value - raw[at] & 0xFF
            data[place] = value
            at += 1


def _calls_back(data: bytearray, first: int, length: int, marks: bytes) -> None:
    """Absolute addresses behind what looks like calls become relative ones again."""
    at, end = first, first + length - 4
    while at < end:
        at += 1
        if data[at - 1] not in marks:
            continue
        offset, target = at % _WRAP, int.from_bytes(data[at : at + 4], "little", signed=True)
        if -offset <= target < 0:
            target += _WRAP
        elif 0 <= target < _WRAP:
            target -= offset
        data[at : at + 4] = (target & 0xFFFFFFFF).to_bytes(4, "little")
        at += 4
