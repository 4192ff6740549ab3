"""Unpacks BZZ, the general compressor of DjVu (DjVu 3 specification, appendices 3 and 4): an adaptive binary coder,
then places in a list that moves to the front, then the Burrows-Wheeler transform."""

from collections.abc import Callable
from typing import Final

_CONTEXTS: Final = 262
_MAX_BLOCK: Final = 4 * 2**20
_SLOW: Final = 4
"""The first places of the list, which are kept in the order of how often they come."""
_TOP: Final = 0x10000000
_ENDED: Final = 64
"""Bits that may be asked for behind the end of the data before it counts as broken off."""


def unpack_bzz(data: bytes, most: int) -> bytes:
    """All blocks of a stream, at most `most` bytes. Raises ValueError for one that is damaged."""
    coder = _Coder(data)
    made = bytearray()
    while size := coder.raw(24):
        if size > _MAX_BLOCK or len(made) + size > most:
            raise ValueError("declares an impossible block size")
        made += _untransformed(*_symbols(coder, size))
    return bytes(made)


class _Coder:
    """The Z'-coder (appendix 3)."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 2
        self._interval = 0
        self._code = int.from_bytes(data[:2].ljust(2, b"\xff"), "big")
        self._bits = 0
        self._buffer = 0
        self._states = [0] * _CONTEXTS

    def _shift(self) -> None:
        """Widen the interval again (lines 15 to 18 of figure 1); behind the end all bits are 1."""
        interval, code = self._interval, self._code
        while interval >= 0x8000:
            if not self._bits:
                if self._at >= len(self._data) + _ENDED // 8:
                    raise ValueError("ends within a block")
                self._buffer = self._data[self._at] if self._at < len(self._data) else 0xFF
                self._at += 1
                self._bits = 8
            self._bits -= 1
            interval = interval << 1 & 0xFFFF
            code = (code << 1 | self._buffer >> self._bits & 1) & 0xFFFF
        self._interval, self._code = interval, code

    def bit(self, context: int) -> int:
        """A decision by what the context has learnt."""
        state = self._states[context]
        before = self._interval
        reach = before + _DELTA[state]
        if reach < 0x8000 and reach <= self._code:
            self._interval = reach
            return state & 1
        reach = min(reach, 0x6000 + (reach + before >> 2))
        if reach > self._code:
            self._interval = before + 0x10000 - reach
            self._code += 0x10000 - reach
            self._states[context] = _DOWN[state]
            self._shift()
            return 1 - (state & 1)
        if before >= (_THETA[state] if state < len(_THETA) else 0):
            self._states[context] = _UP[state]
        self._interval = reach
        self._shift()
        return state & 1

    def even(self) -> int:
        """A decision that no context knows."""
        reach = 0x8000 + (self._interval >> 1)
        if reach > self._code:
            self._interval += 0x10000 - reach
            self._code += 0x10000 - reach
            self._shift()
            return 1
        self._interval = reach
        self._shift()
        return 0

    def raw(self, bits: int) -> int:
        """A number of `bits`."""
        number = 0
        for _ in range(bits):
            number = number << 1 | self.even()
        return number


def _symbols(coder: _Coder, size: int) -> tuple[bytearray, int]:
    """The transformed bytes of a block, and where the mark of its end stands among them."""
    speed = 0
    if coder.even():
        speed = 2 if coder.even() else 1
    places = list(range(256))
    counts = [0] * _SLOW
    gain, place, mark = 4, 3, -1
    made = bytearray(size)
    for at in range(size):
        place = _place(coder.bit, min(place, 2))
        if place == 256:
            mark = at
            continue
        symbol = made[at] = places[place]
        gain += gain >> speed
        if gain > _TOP:
            gain >>= 24
            counts = [count >> 24 for count in counts]
        count = gain + counts[place] if place < _SLOW else gain
        to = place
        if to >= _SLOW:
            places[_SLOW : to + 1] = places[_SLOW - 1 : to]
            to = _SLOW - 1
        while to and count >= counts[to - 1]:
            places[to], counts[to] = places[to - 1], counts[to - 1]
            to -= 1
        places[to], counts[to] = symbol, count
    return made, mark


def _place(bit: Callable[[int], int], before: int) -> int:
    """The place of the next symbol in the list: short codes for the first ones; 256 is the mark of the end."""
    if bit(before):
        return 0
    if bit(before + 3):
        return 1
    context, bits = 6, 1
    while bits < 8:
        if bit(context):
            number = 1
            while number < 1 << bits:
                number = number << 1 | bit(context + number)
            return number
        context += 1 << bits
        bits += 1
    return 256


def _untransformed(block: bytearray, mark: int) -> bytes:
    """The bytes before the Burrows-Wheeler transform. Raises ValueError where the threads do not close."""
    size = len(block)
    if not 0 < mark < size:
        raise ValueError("holds a block without an end")
    counts = [0] * 256
    ranks = [0] * size
    for at, symbol in enumerate(block):
        if at != mark:
            ranks[at] = counts[symbol]
            counts[symbol] += 1
    starts: list[int] = []
    start = 1
    for count in counts:
        starts.append(start)
        start += count
    made = bytearray(size - 1)
    at = 0
    for place in range(size - 2, -1, -1):
        symbol = made[place] = block[at]
        at = starts[symbol] + ranks[at]
        if at >= size:
            raise ValueError("holds a block whose data contradict each other")
    return bytes(made)


_DELTA: Final = (
    0x8000, 0x8000, 0x8000, 0x6BBD, 0x6BBD, 0x5D45, 0x5D45, 0x51B9, 0x51B9, 0x4813, 0x4813, 0x3FD5, 0x3FD5,
    0x38B1, 0x38B1, 0x3275, 0x3275, 0x2CFD, 0x2CFD, 0x2825, 0x2825, 0x23AB, 0x23AB, 0x1F87, 0x1F87, 0x1BBB,
    0x1BBB, 0x1845, 0x1845, 0x1523, 0x1523, 0x1253, 0x1253, 0xFCF, 0xFCF, 0xD95, 0xD95, 0xB9D, 0xB9D, 0x9E3,
    0x9E3, 0x861, 0x861, 0x711, 0x711, 0x5F1, 0x5F1, 0x4F9, 0x4F9, 0x425, 0x425, 0x371, 0x371, 0x2D9, 0x2D9,
    0x259, 0x259, 0x1ED, 0x1ED, 0x193, 0x193, 0x149, 0x149, 0x10B, 0x10B, 0xD5, 0xD5, 0xA5, 0xA5, 0x7B, 0x7B,
    0x57, 0x57, 0x3B, 0x3B, 0x23, 0x23, 0x13, 0x13, 7, 7, 1, 1, 0x5695, 0x24EE, 0x8000, 0xD30, 0x481A, 0x481,
    0x3579, 0x17A, 0x24EF, 0x7B, 0x1978, 0x28, 0x10CA, 0xD, 0xB5D, 0x34, 0x78A, 0xA0, 0x50F, 0x117, 0x358,
    0x1EA, 0x234, 0x144, 0x173, 0x234, 0xF5, 0x353, 0xA1, 0x5C5, 0x11A, 0x3CF, 0x1AA, 0x285, 0x286, 0x1AB,
    0x3D3, 0x11A, 0x5C5, 0xBA, 0x8AD, 0x7A, 0xCCC, 0x1EB, 0x1302, 0x2E6, 0x1B81, 0x45E, 0x24EF, 0x690, 0x2865,
    0x9DE, 0x3987, 0xDC8, 0x2C99, 0x10CA, 0x3B5F, 0xB5D, 0x5695, 0x78A, 0x8000, 0x50F, 0x24EE, 0x358, 0xD30,
    0x234, 0x481, 0x173, 0x17A, 0xF5, 0x7B, 0xA1, 0x28, 0x11A, 0xD, 0x1AA, 0x34, 0x286, 0xA0, 0x3D3, 0x117,
    0x5C5, 0x1EA, 0x8AD, 0x144, 0xCCC, 0x234, 0x1302, 0x353, 0x1B81, 0x5C5, 0x24EF, 0x3CF, 0x2B74, 0x285,
    0x201D, 0x1AB, 0x1715, 0x11A, 0xFB7, 0xBA, 0xA67, 0x1EB, 0x6E7, 0x2E6, 0x496, 0x45E, 0x30D, 0x690, 0x206,
    0x9DE, 0x155, 0xDC8, 0xE1, 0x2B74, 0x94, 0x201D, 0x188, 0x1715, 0x252, 0xFB7, 0x383, 0xA67, 0x547, 0x6E7,
    0x7E2, 0x496, 0xBC0, 0x30D, 0x1178, 0x206, 0x19DA, 0x155, 0x24EF, 0xE1, 0x320E, 0x94, 0x432A, 0x188, 0x447D,
    0x252, 0x5ECE, 0x383, 0x8000, 0x547, 0x481A, 0x7E2, 0x3579, 0xBC0, 0x24EF, 0x1178, 0x1978, 0x19DA, 0x2865,
    0x24EF, 0x3987, 0x320E, 0x2C99, 0x432A, 0x3B5F, 0x447D, 0x5695, 0x5ECE, 0x8000, 0x8000, 0x5695, 0x481A,
    0x481A,
)  # fmt: skip
"""By how much an interval is narrowed, by state (table 9)."""
_THETA: Final = (
    0, 0, 0, 0x10A5, 0x10A5, 0x1F28, 0x1F28, 0x2BD3, 0x2BD3, 0x36E3, 0x36E3, 0x408C, 0x408C, 0x48FD, 0x48FD,
    0x505D, 0x505D, 0x56D0, 0x56D0, 0x5C71, 0x5C71, 0x615B, 0x615B, 0x65A5, 0x65A5, 0x6962, 0x6962, 0x6CA2,
    0x6CA2, 0x6F74, 0x6F74, 0x71E6, 0x71E6, 0x7404, 0x7404, 0x75D6, 0x75D6, 0x7768, 0x7768, 0x78C2, 0x78C2,
    0x79EA, 0x79EA, 0x7AE7, 0x7AE7, 0x7BBE, 0x7BBE, 0x7C75, 0x7C75, 0x7D0F, 0x7D0F, 0x7D91, 0x7D91, 0x7DFE,
    0x7DFE, 0x7E5A, 0x7E5A, 0x7EA6, 0x7EA6, 0x7EE6, 0x7EE6, 0x7F1A, 0x7F1A, 0x7F45, 0x7F45, 0x7F6B, 0x7F6B,
    0x7F8D, 0x7F8D, 0x7FAA, 0x7FAA, 0x7FC3, 0x7FC3, 0x7FD7, 0x7FD7, 0x7FE7, 0x7FE7, 0x7FF2, 0x7FF2, 0x7FFA,
    0x7FFA, 0x7FFF, 0x7FFF,
)  # fmt: skip
"""From what interval on the likelier symbol changes the state; from any on in the states behind these."""
_UP: Final = (
    84, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
    31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57,
    58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 81, 82,
    9, 86, 5, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 82, 99, 76, 101, 70, 103, 66, 105, 106, 107, 66, 109, 60,
    111, 56, 69, 114, 65, 116, 61, 118, 57, 120, 53, 122, 49, 124, 43, 72, 39, 60, 33, 56, 29, 52, 23, 48, 23,
    42, 137, 38, 21, 140, 15, 142, 9, 144, 141, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 70, 157, 66,
    81, 62, 75, 58, 69, 54, 65, 50, 167, 44, 65, 40, 59, 34, 55, 30, 175, 24, 177, 178, 179, 180, 181, 182, 183,
    184, 69, 186, 59, 188, 55, 190, 51, 192, 47, 194, 41, 196, 37, 198, 199, 72, 201, 62, 203, 58, 205, 54, 207,
    50, 209, 46, 211, 40, 213, 36, 215, 30, 217, 26, 219, 20, 71, 14, 61, 14, 57, 8, 53, 228, 49, 230, 45, 232,
    39, 234, 35, 138, 29, 24, 25, 240, 19, 22, 13, 16, 13, 10, 7, 244, 249, 10, 89, 230,
)  # fmt: skip
"""The next state after the likelier symbol."""
_DOWN: Final = (
    145, 4, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53,
    54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80,
    85, 226, 6, 176, 143, 138, 141, 112, 135, 104, 133, 100, 129, 98, 127, 72, 125, 102, 123, 60, 121, 110, 119,
    108, 117, 54, 115, 48, 113, 134, 59, 132, 55, 130, 51, 128, 47, 126, 41, 62, 37, 66, 31, 54, 25, 50, 131,
    46, 17, 40, 15, 136, 7, 32, 139, 172, 9, 170, 85, 168, 248, 166, 247, 164, 197, 162, 95, 160, 173, 158, 165,
    156, 161, 60, 159, 56, 71, 52, 163, 48, 59, 42, 171, 38, 169, 32, 53, 26, 47, 174, 193, 18, 191, 222, 189,
    218, 187, 216, 185, 214, 61, 212, 53, 210, 49, 208, 45, 206, 39, 204, 195, 202, 31, 200, 243, 64, 239, 56,
    237, 52, 235, 48, 233, 44, 231, 38, 229, 34, 227, 28, 225, 22, 223, 16, 221, 220, 63, 8, 55, 224, 51, 2, 47,
    87, 43, 246, 37, 244, 33, 238, 27, 236, 21, 16, 15, 8, 241, 242, 7, 10, 245, 2, 1, 83, 250, 2, 143, 246,
)  # fmt: skip
"""The next state after the less likely one."""
