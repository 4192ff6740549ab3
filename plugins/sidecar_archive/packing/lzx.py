"""The compression of Microsoft's help files, LZX ([MS-PATCH] 2; as these files use it: Russotto's description and
chmlib): blocks of 32,768 bytes, whose state is set back every so many blocks."""

from typing import Final

from sidecar.api import DamagedError
from sidecar_archive.packing.codes import DAMAGED, Bits, Codes, code_table, copy_match

_MIN_MATCH: Final = 2
_LENGTHS, _LETTERS, _PRETREE, _ALIGNED = 249, 256, 20, 8
_SLOTS: Final = {15: 30, 16: 32, 17: 34, 18: 36, 19: 38, 20: 42, 21: 50}
"""How many slots of distances there are, by the bits of the window's size."""
_VERBATIM, _ALIGNED_BLOCK, _PLAIN = 1, 2, 3
_EXTRA: Final = [0, 0, 0, 0, *(min(slot // 2 - 1, 17) for slot in range(4, 51))]
_BASE: Final = [sum(1 << extra for extra in _EXTRA[:slot]) for slot in range(51)]
"""Bits that say how far in its slot a distance is, and where the slot begins."""
_CALL: Final = 0xE8


class Lzx:
    """Unpacks block after block. Raises DamagedError."""

    def __init__(self, window: int) -> None:
        bits = window.bit_length() - 1
        if bits not in _SLOTS:
            raise DamagedError("The compressed part of the file has an impossible window.")
        self._window = window
        self._symbols = _LETTERS + 8 * _SLOTS[bits]
        self.reset()

    def reset(self) -> None:
        """Forget all that was unpacked."""
        self._recent = [1, 1, 1]
        self._main, self._length = [0] * self._symbols, [0] * _LENGTHS
        self._kind = self._left = self._odd = 0
        self._tables: list[Codes] = []
        self._begun = False
        self._called = self._done = 0
        self._out = bytearray()

    def block(self, data: bytes, size: int) -> bytes:
        """The bytes of the next block, `size` of them. Raises DamagedError."""
        bits = _Bits(data)
        if not self._begun:
            self._begun = True
            self._called = bits.read_bits(16) << 16 | bits.read_bits(16) if bits.read_bits(1) else 0
        out = self._out
        del out[: max(len(out) - self._window, 0)]
        start = len(out)
        while len(out) - start < size:
            if bits.over:
                raise DamagedError("The compressed part of the file ends too early.")
            if not self._left:
                self._begin(bits)
            end = min(len(out) + self._left, start + size)
            before = len(out)
            if self._kind == _PLAIN:
                out += bits.plain(end - len(out))
            else:
                self._decode(bits, end)
            self._left -= min(len(out) - before, self._left)
        shown = bytes(out[start : start + size])
        self._done += size
        return _calls_back(shown, self._done - size, self._called) if self._called else shown

    def _begin(self, bits: "_Bits") -> None:
        """The head of a block of codes."""
        if self._kind == _PLAIN and self._odd:
            bits.skip_byte()
        self._kind = bits.read_bits(3)
        self._left = self._odd = bits.read_bits(16) << 8 | bits.read_bits(8)
        self._odd &= 1
        if self._kind not in (_VERBATIM, _ALIGNED_BLOCK, _PLAIN) or not self._left:
            raise DamagedError(DAMAGED)
        if self._kind == _PLAIN:
            bits.align()
            raw = bits.plain(12)
            self._recent = [int.from_bytes(raw[at : at + 4], "little") for at in (0, 4, 8)]
            return
        aligned = code_table([bits.read_bits(3) for _ in range(_ALIGNED)]) if self._kind == _ALIGNED_BLOCK else ([0], 0)
        _read_lengths(bits, self._main, 0, _LETTERS)
        _read_lengths(bits, self._main, _LETTERS, self._symbols)
        _read_lengths(bits, self._length, 0, _LENGTHS)
        self._tables = [code_table(self._main), code_table(self._length), aligned]

    def _decode(self, bits: "_Bits", end: int) -> None:
        out, (main, lengths, aligned) = self._out, self._tables
        symbol_of = bits.symbol
        while len(out) < end and not bits.over:
            symbol = symbol_of(main)
            if symbol < _LETTERS:
                out.append(symbol)
                continue
            slot, count = symbol - _LETTERS >> 3, symbol & 7
            count += (symbol_of(lengths) if count == 7 else 0) + _MIN_MATCH
            distance = self._distance(bits, slot, aligned)
            copy_match(out, distance, count)

    def _distance(self, bits: "_Bits", slot: int, aligned: Codes) -> int:
        recent = self._recent
        if slot < len(recent):
            distance = recent[slot]
            recent[slot], recent[0] = recent[0], distance
            return distance
        extra = _EXTRA[slot]
        more = 0
        if self._kind == _ALIGNED_BLOCK and extra >= 3:
            more = bits.read_bits(extra - 3) << 3
            more += bits.symbol(aligned)
        elif extra:
            more = bits.read_bits(extra)
        distance = _BASE[slot] - 2 + more
        self._recent = [distance, *recent[:2]]
        return distance


class _Bits(Bits):
    """Bits in words of 16, the highest first."""

    def __init__(self, data: bytes) -> None:
        self._plain = data
        swapped = bytearray(data + b"\0" * (len(data) & 1))
        swapped[::2], swapped[1::2] = swapped[1::2], swapped[::2]
        super().__init__(bytes(swapped))
        self._end = 8 * len(data) + 64

    def align(self) -> None:
        """Go to the next word: one is left out whole where this one is at its end."""
        self._at = (self._at // 16 + 1) * 16

    def plain(self, count: int) -> bytes:
        """Bytes as they are."""
        at = self._at >> 3
        self._at += 8 * max(count, 1)
        return self._plain[at : at + count]

    def skip_byte(self) -> None:
        """Leave a byte out."""
        self._at += 8


def _read_lengths(bits: _Bits, lengths: list[int], first: int, last: int) -> None:
    """Lengths of codes, told by how they differ from those before."""
    pretree = code_table([bits.read_bits(4) for _ in range(_PRETREE)])
    at = first
    while at < last:
        symbol = bits.symbol(pretree)
        count, value = 1, 0
        if symbol in (17, 18):
            count = bits.read_bits(4) + 4 if symbol == 17 else bits.read_bits(5) + 20
        elif symbol == 19:
            count = bits.read_bits(1) + 4
            value = (lengths[at] - bits.symbol(pretree)) % 17
        else:
            value = (lengths[at] - symbol) % 17
        count = min(count, last - at)
        lengths[at : at + count] = [value] * count
        at += count
        if bits.over:
            raise DamagedError("The compressed part of the file ends too early.")


def _calls_back(frame: bytes, at: int, size: int) -> bytes:
    """Undo what was done to what looks like calls in programs: their targets were made absolute."""
    out = bytearray(frame)
    place = 0
    while (place := out.find(_CALL, place, max(len(out) - 10, 0))) >= 0:
        target = int.from_bytes(out[place + 1 : place + 5], "little", signed=True)
        if -(at + place) <= target < size:
            target = target - (at + place) if target >= 0 else target + size
            out[place + 1 : place + 5] = (target & 0xFFFFFFFF).to_bytes(4, "little")
        place += 5
    return bytes(out)
