"""Bits, the highest first, and prefix codes told by their lengths, as LZX and RAR write them."""

from collections.abc import Sequence
from typing import Final

from sidecar.api import DamagedError
from sidecar.toolkit.unpacking import repeat_bytes

DAMAGED: Final = "The compressed part of the file is damaged."

Codes = tuple[list[int], int]
"""By the next bits a symbol and the length of its code; and how many bits these are, at most 16."""


class Bits:
    """A place in bytes, counted in bits."""

    def __init__(self, data: bytes) -> None:
        self._data = data + bytes(8)
        self._at = 0
        self._end = 8 * len(data)

    @property
    def over(self) -> bool:
        """Whether more was taken than there is."""
        return self._at > self._end

    @property
    def at(self) -> int:
        """How many bits were taken."""
        return self._at

    def read_bits(self, count: int) -> int:
        """A number of at most 33 bits."""
        at = self._at
        self._at += count
        return int.from_bytes(self._data[at >> 3 : (at >> 3) + 5], "big") >> 40 - (at & 7) - count & (1 << count) - 1

    def symbol(self, table: Codes) -> int:
        """The next symbol by a table of codes."""
        codes, wide = table
        at = self._at
        found = codes[
            int.from_bytes(self._data[at >> 3 : (at >> 3) + 4], "big") >> 32 - (at & 7) - wide & (1 << wide) - 1
        ]
        self._at += (found & 31) or 1
        return found >> 5


def code_table(lengths: Sequence[int]) -> Codes:
    """Codes of these lengths, the shortest first, those of one length in the order of symbols. Raises DamagedError."""
    wide = max(lengths, default=0)
    table: list[int] = []
    for length in range(1, wide + 1):
        for symbol, own in enumerate(lengths):
            if own == length:
                table += [symbol << 5 | length] * (1 << wide - length)
    if len(table) > 1 << wide:
        raise DamagedError(DAMAGED)
    return table + [0] * ((1 << wide) - len(table)), wide


def copy_match(out: bytearray, distance: int, count: int) -> None:
    """Repeat `count` bytes from so far back, which may reach into what is being written. Raises DamagedError."""
    if not 0 < distance <= len(out):
        raise DamagedError(DAMAGED)
    repeat_bytes(out, distance, count)
