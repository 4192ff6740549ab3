"""Unpacks what RAR packed: matches and prefix codes, of versions 2.9 to 4 (`unpack_29`) and from 5 on (`unpack_5`).

After libarchive's readers (BSD licence), the formats' only public description beside RAR's own. Not read: texts packed
with PPMd, which only versions before 5 have."""

from dataclasses import dataclass, field
from typing import Final

from sidecar.api import DamagedError, UnsupportedError
from sidecar_archive.packing.codes import DAMAGED, Bits, Codes, code_table, copy_match
from sidecar_archive.packing.rar_filters import DELTA, Programs, RarFilter, undo

_PRECODES: Final = 20
_LITERALS: Final = 256

_SIZES_29: Final = (299, 60, 17, 28)
"""How many codes there are for letters and lengths, distances, their low bits, and lengths of repeated matches."""
_LENGTHS_29: Final = [
    *((size, 0) for size in range(8)),
    *(((4 | code & 3) << (code // 4 - 1), code // 4 - 1) for code in range(8, 28)),
]
_DISTANCE_BITS_29: Final = [0, 0, *(bits for bits in range(16) for _ in (0, 1)), *[16] * 14, *[18] * 12]
_DISTANCES_29: Final = [1 + sum(1 << bits for bits in _DISTANCE_BITS_29[:slot]) for slot in range(60)]
_SHORT_29: Final = ((1, 2), (5, 2), (9, 3), (17, 4), (33, 5), (65, 6), (129, 6), (193, 6))
_SIZES_5: Final = (306, 64, 16, 44)


@dataclass
class State:
    """What a solid archive hands on from one member to the next: all that was unpacked, and the codes."""

    out: bytearray
    lengths: list[int]
    tables: list[Codes]
    recent: list[int]
    last_length: int = 0
    low: int = 0
    low_repeats: int = 0
    programs: Programs = field(default_factory=Programs)

    def repeat(self, distance: int, length: int) -> None:
        """Write a match, which the next ones may refer to. Raises DamagedError."""
        self.recent.insert(0, distance)
        self.last_length = length
        copy_match(self.out, distance, length)

    def repeat_last(self) -> None:
        """Write the last match again, if there is one. Raises DamagedError."""
        if self.last_length:
            copy_match(self.out, self.recent[0], self.last_length)

    @classmethod
    def new(cls) -> "State":
        """That of the first member."""
        return cls(bytearray(), [0] * sum(_SIZES_29), [], [0, 0, 0, 0])


def unpack_29(data: bytes, size: int, state: State) -> bytes:
    """A member of `size` bytes of an archive of RAR 2.9 to 4. Raises DamagedError, UnsupportedError."""
    bits, out = Bits(data), state.out
    start = len(out)
    end = start + size
    filters: list[RarFilter] = []
    if not state.tables and size:
        _tables_29(bits, state)
    while len(out) < end:
        if bits.over:
            raise DamagedError(DAMAGED)
        symbol = bits.symbol(state.tables[0])
        if symbol < _LITERALS:
            out.append(symbol)
        elif symbol == 256:
            if not _next_block_29(bits, state):
                break
        elif symbol == 257:
            filters.append(_filter_29(bits, state, len(out) - start))
        else:
            _match_29(bits, state, symbol)
    if len(out) == end and size and not bits.over and bits.symbol(state.tables[0]) == 256:
        _next_block_29(bits, state, ended=True)
    return undo(out[start:end], filters)


def _filter_29(bits: Bits, state: State, at: int) -> RarFilter:
    flags = bits.read_bits(8)
    length = (flags & 7) + 1
    if length > 6:
        length = bits.read_bits(8) + 7 if length == 7 else bits.read_bits(16)
    return state.programs.called(bytes(bits.read_bits(8) for _ in range(length)), flags, at)


def _next_block_29(bits: Bits, state: State, *, ended: bool = False) -> bool:
    """Whether the member goes on behind the mark that ends a block of codes."""
    if bits.read_bits(1):
        if not ended:
            _tables_29(bits, state)
        return True
    if bits.read_bits(1):
        state.tables = []
    return False


def _tables_29(bits: Bits, state: State) -> None:
    bits.read_bits(-bits.at % 8)
    if bits.read_bits(1):
        raise UnsupportedError("It is packed with PPMd, which is not supported.")
    if not bits.read_bits(1):
        state.lengths = [0] * sum(_SIZES_29)
    state.low = state.low_repeats = 0
    state.lengths = _lengths(bits, state.lengths)
    state.tables = _split(state.lengths, _SIZES_29)


def _match_29(bits: Bits, state: State, symbol: int) -> None:
    recent, tables = state.recent, state.tables
    if symbol == 258:
        state.repeat_last()
        return
    if symbol < 263:
        distance = recent.pop(symbol - 259)
        least, extra = _LENGTHS_29[bits.symbol(tables[3])]
        length = least + 2 + bits.read_bits(extra)
    elif symbol < 271:
        least, extra = _SHORT_29[symbol - 263]
        distance, length = least + bits.read_bits(extra), 2
        recent.pop()
    else:
        least, extra = _LENGTHS_29[symbol - 271]
        length = least + 3 + bits.read_bits(extra)
        distance = _distance_29(bits, state)
        length += (distance >= 0x40000) + (distance >= 0x2000)
        recent.pop()
    state.repeat(distance, length)


def _distance_29(bits: Bits, state: State) -> int:
    slot = bits.symbol(state.tables[1])
    distance, extra = _DISTANCES_29[slot], _DISTANCE_BITS_29[slot]
    if slot <= 9:
        return distance + bits.read_bits(extra)
    distance += bits.read_bits(extra - 4) << 4
    if state.low_repeats:
        state.low_repeats -= 1
        return distance + state.low
    low = bits.symbol(state.tables[2])
    if low == 16:
        state.low_repeats = 15
    else:
        state.low = low
    return distance + state.low


def unpack_5(data: bytes, size: int, state: State) -> bytes:
    """A member of `size` bytes of an archive of RAR 5 and newer. Raises DamagedError, UnsupportedError."""
    out = state.out
    start, at, last = len(out), 0, False
    filters: list[RarFilter] = []
    while not last and len(out) - start < size:
        if at + 3 > len(data):
            raise DamagedError(DAMAGED)
        flags, wide = data[at], (data[at] >> 3 & 7) + 1
        length = int.from_bytes(data[at + 2 : at + 2 + wide], "little")
        at += 2 + wide
        block = data[at : at + length]
        at += length
        last = bool(flags & 0x40)
        valid = 8 * (length - 1) + 1 + (flags & 7)
        filters += _block_5(block, valid, bool(flags & 0x80), range(start, start + size), state)
    return undo(out[start : start + size], filters)


def _block_5(block: bytes, valid: int, has_tables: bool, member: range, state: State) -> list[RarFilter]:
    bits, out = Bits(block), state.out
    filters: list[RarFilter] = []
    if has_tables:
        state.tables = _split(_lengths(bits, [0] * sum(_SIZES_5)), _SIZES_5)
    if not state.tables:
        raise DamagedError(DAMAGED)
    while bits.at < valid and len(out) < member.stop:
        symbol = bits.symbol(state.tables[0])
        if symbol < _LITERALS:
            out.append(symbol)
        elif symbol == 256:
            first, length, kind = len(out) + _number_5(bits) - member.start, _number_5(bits), bits.read_bits(3)
            filters.append(RarFilter(first, length, kind, bits.read_bits(5) + 1 if kind == DELTA else 0))
        else:
            _match_5(bits, state, symbol)
    if bits.over:
        raise DamagedError(DAMAGED)
    return filters


def _match_5(bits: Bits, state: State, symbol: int) -> None:
    recent = state.recent
    if symbol == 257:
        state.repeat_last()
        return
    if symbol < 262:
        distance = recent.pop(symbol - 258)
        length = _length_5(bits, bits.symbol(state.tables[3]))
    else:
        length = _length_5(bits, symbol - 262)
        distance = _distance_5(bits, state)
        length += (distance > 0x100) + (distance > 0x2000) + (distance > 0x40000)
        recent.pop()
    state.repeat(distance, length)


def _length_5(bits: Bits, code: int) -> int:
    if code < 8:
        return 2 + code
    extra = code // 4 - 1
    return 2 + ((4 | code & 3) << extra) + bits.read_bits(extra)


def _distance_5(bits: Bits, state: State) -> int:
    slot = bits.symbol(state.tables[1])
    if slot < 4:
        return 1 + slot
    extra = slot // 2 - 1
    distance = 1 + ((2 | slot & 1) << extra)
    if extra < 4:
        return distance + bits.read_bits(extra)
    return distance + (bits.read_bits(extra - 4) << 4) + bits.symbol(state.tables[2])


def _number_5(bits: Bits) -> int:
    return int.from_bytes(bytes(bits.read_bits(8) for _ in range(bits.read_bits(2) + 1)), "little")


def _lengths(bits: Bits, before: list[int]) -> list[int]:
    """The lengths of all codes; those of RAR 2.9 tell how they differ from those before, later ones from none."""
    own: list[int] = []
    while len(own) < _PRECODES:
        length = bits.read_bits(4)
        zeros = bits.read_bits(4) if length == 15 else 0
        own += [0] * (zeros + 2) if zeros else [length]
    codes = code_table(own[:_PRECODES])
    found: list[int] = []
    while len(found) < len(before) and not bits.over:
        symbol = bits.symbol(codes)
        if symbol < 16:
            found.append(symbol + before[len(found)] & 15)
            continue
        if symbol < 18 and not found:
            raise DamagedError(DAMAGED)
        count = bits.read_bits(7) + 11 if symbol & 1 else bits.read_bits(3) + 3
        found += (found[-1:] if symbol < 18 else [0]) * count
    if bits.over:
        raise DamagedError(DAMAGED)
    return found[: len(before)]


def _split(lengths: list[int], sizes: tuple[int, ...]) -> list[Codes]:
    tables: list[Codes] = []
    for size in sizes:
        tables.append(code_table(lengths[:size]))
        lengths = lengths[size:]
    return tables
