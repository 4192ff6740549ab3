"""Deflate64, which Windows packs large files with (APPNOTE.TXT 4.4.5, method 9): Deflate (RFC 1951) with a window of
64 KiB and longer matches, which zlib does not know."""

from collections.abc import Sequence

from sidecar.toolkit.unpacking import repeat_bytes

_WINDOW = 1 << 16
_LENGTHS: tuple[tuple[int, int], ...] = (
    *((size, 0) for size in range(3, 11)), (11, 1), (13, 1), (15, 1), (17, 1), (19, 2), (23, 2), (27, 2), (31, 2),
    (35, 3), (43, 3), (51, 3), (59, 3), (67, 4), (83, 4), (99, 4), (115, 4), (131, 5), (163, 5), (195, 5), (227, 5),
    (3, 16),
)  # fmt: skip
"""`(least, extra bits)` of the symbols from 257 on; the last one is where it differs from Deflate."""
_DISTANCES: tuple[tuple[int, int], ...] = (
    (1, 0), (2, 0), (3, 0), (4, 0),
    *((1 + (2 + (code & 1) << (code // 2 - 1)), code // 2 - 1) for code in range(4, 32)),
)  # fmt: skip
_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
"""In which lengths of codes are written (RFC 1951, 3.2.7)."""
_MAX_CODE_BITS = 15
_MIN_BLOCKS, _BLOCK_BYTES = 100, 1024
"""No more blocks are read than this many, and one for this many bytes: packers write one for ten thousands, and
millions of empty ones would take hours."""

_Codes = dict[tuple[int, int], int]
"""`(length, code)` → symbol."""


def inflate64(data: bytes, size: int) -> bytes:
    """What `data` was packed from, at most `size` bytes. Raises ValueError."""
    return _Inflater(data, size).all()


class _Inflater:
    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size = data, size
        self._at = 0
        self._bits = self._count = 0
        self._out = bytearray()

    def all(self) -> bytes:
        last = 0
        for _ in range(_MIN_BLOCKS + self._size // _BLOCK_BYTES):
            if last or len(self._out) >= self._size:
                break
            last, kind = self._read_bits(1), self._read_bits(2)
            if kind == 0:
                self._stored()
            elif kind == 1:
                self._block(*_FIXED)
            elif kind == 2:
                self._block(*self._tables())
            else:
                raise ValueError("no kind of block")
        return bytes(self._out[: self._size])

    def _read_bits(self, count: int) -> int:
        while self._count < count:
            if self._at >= len(self._data):
                raise ValueError("cut short")
            self._bits |= self._data[self._at] << self._count
            self._at += 1
            self._count += 8
        found = self._bits & ((1 << count) - 1)
        self._bits >>= count
        self._count -= count
        return found

    def _stored(self) -> None:
        self._bits = self._count = 0
        size = int.from_bytes(self._data[self._at : self._at + 2], "little")
        self._at += 4
        self._out += self._data[self._at : self._at + size]
        self._at += size

    def _tables(self) -> tuple[_Codes, _Codes]:
        many, distances, lengths = self._read_bits(5) + 257, self._read_bits(5) + 1, self._read_bits(4) + 4
        own = [0] * 19
        for place in _ORDER[:lengths]:
            own[place] = self._read_bits(3)
        codes = _codes(own)
        found: list[int] = []
        while len(found) < many + distances:
            symbol = self._symbol(codes)
            if symbol < 16:
                found.append(symbol)
            elif symbol == 16:
                found += found[-1:] * (3 + self._read_bits(2))
            else:
                found += [0] * (3 + self._read_bits(3) if symbol == 17 else 11 + self._read_bits(7))
        return _codes(found[:many]), _codes(found[many : many + distances])

    def _symbol(self, codes: _Codes) -> int:
        code = 0
        for length in range(1, _MAX_CODE_BITS + 1):
            code = code << 1 | self._read_bits(1)
            symbol = codes.get((length, code))
            if symbol is not None:
                return symbol
        raise ValueError("no code")

    def _block(self, literals: _Codes, distances: _Codes) -> None:
        out = self._out
        while len(out) < self._size:
            symbol = self._symbol(literals)
            if symbol < 256:
                out.append(symbol)
            elif symbol == 256:
                return
            elif symbol - 257 >= len(_LENGTHS):
                raise ValueError("no length")
            else:
                least, extra = _LENGTHS[symbol - 257]
                length = least + self._read_bits(extra)
                least, extra = _DISTANCES[self._symbol(distances)]
                self._repeat(least + self._read_bits(extra), min(length, self._size - len(out)))

    def _repeat(self, back: int, length: int) -> None:
        if back > len(self._out) or back > _WINDOW:
            raise ValueError("before the beginning")
        repeat_bytes(self._out, back, length)


def _codes(lengths: Sequence[int]) -> _Codes:
    """The codes of symbols with these lengths, 0 of none (RFC 1951, 3.2.2)."""
    code, found = 0, _Codes()
    before = 0
    for length, symbol in sorted((length, symbol) for symbol, length in enumerate(lengths) if length):
        code <<= length - before
        before = length
        found[length, code] = symbol
        code += 1
    return found


_FIXED = _codes([8] * 144 + [9] * 112 + [7] * 24 + [8] * 8), _codes([5] * 32)
"""Codes of blocks that declare none (3.2.6)."""
