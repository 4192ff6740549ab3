"""What .xls and .xlsb pack alike: numbers in 30 bits, texts in stretches of one font."""

from __future__ import annotations

import struct
from typing import Final

from sidecar_xlsx.binary.markup import Run

_WHOLE, _HUNDREDTHS = 0x2, 0x1
_NEGATIVE: Final = 0x80000000


def unpacked(value: int) -> float:
    """A number in 30 bits: the upper ones of a float, or a whole number; perhaps a hundred times as large ([MS-XLS]
    2.5.218 RkNumber)."""
    if value & _WHOLE:
        number = float((value - 2**32 if value & _NEGATIVE else value) >> 2)
    else:
        number = struct.unpack("<d", struct.pack("<Q", (value & 0xFFFFFFFC) << 32))[0]
    return number / 100 if value & _HUNDREDTHS else number


def in_runs(text: str, runs: tuple[tuple[int, int], ...]) -> list[Run]:
    """A text in stretches of one font; what stands before the first has that of its cell."""
    if not runs:
        return [(text, -1)]
    begins = [(0, -1), *runs] if runs[0][0] else list(runs)
    ends = [at for at, _ in begins[1:]] + [len(text)]
    return [(text[at:end], font) for (at, font), end in zip(begins, ends, strict=True) if at < end]
