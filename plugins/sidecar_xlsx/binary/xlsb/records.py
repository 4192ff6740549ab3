"""Records of a BIFF12 part and the values in them ([MS-XLSB] 2.1.4, 2.5)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sidecar.toolkit.cell_references import CellRange

_NULL: Final = 0xFFFFFFFF
_MAX_AREAS: Final = 8192


def records(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Kind and content of every record; one that is cut off is given as far as it goes."""
    at, size = 0, len(data)
    while at < size:
        kind = data[at]
        at += 1
        if kind & 0x80 and at < size:
            kind = kind & 0x7F | (data[at] & 0x7F) << 7
            at += 1
        length = shift = 0
        while at < size and shift < 28:
            byte = data[at]
            at += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        yield kind, data[at : at + length]
        at += length


def first_kind(data: bytes) -> int:
    """The kind of a part's first record, which tells what the part is."""
    return next((kind for kind, _ in records(data[:64])), -1)


@dataclass
class Fields:
    """Reads the fields of a record one after the other. Raises struct.error at the end."""

    data: bytes
    at: int = 0

    def number(self, form: str) -> int:
        """The next whole number: "B", "H", "I", "i"."""
        value = struct.unpack_from(f"<{form}", self.data, self.at)[0]
        self.at += struct.calcsize(f"<{form}")
        return value

    def float(self) -> float:
        """The next floating-point number."""
        value = struct.unpack_from("<d", self.data, self.at)[0]
        self.at += 8
        return value

    def bytes(self, count: int) -> bytes:
        """The next `count` bytes, fewer at the end."""
        found = self.data[self.at : self.at + count]
        self.at += count
        return found

    def text(self) -> str:
        """The next string (XLWideString, XLNullableWideString: "" for none)."""
        count = self.number("I")
        return "" if count == _NULL else self.bytes(2 * count).decode("utf-16-le", "replace")

    def rich(self) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The next string with its runs: the character each begins at and the number of its font (RichStr)."""
        flags = self.number("B")
        text = self.text()
        if not flags & 1:
            return text, ()
        raw = self.bytes(4 * self.number("I"))
        return text, tuple(struct.unpack_from("<HH", raw, 4 * index) for index in range(len(raw) // 4))

    def area(self) -> CellRange:
        """The next range (UncheckedRfX)."""
        top, bottom, left, right = struct.unpack_from("<4I", self.data, self.at)
        self.at += 16
        return CellRange(top, left, bottom, right)

    def areas(self) -> list[CellRange]:
        """The next ranges (UncheckedSqRfX)."""
        return [self.area() for _ in range(min(self.number("I"), _MAX_AREAS))]

    def formula(self) -> tuple[bytes, bytes]:
        """The next formula: its tokens and what stands behind them."""
        tokens = self.bytes(self.number("I"))
        return tokens, self.bytes(self.number("I")) if self.at + 4 <= len(self.data) else b""
