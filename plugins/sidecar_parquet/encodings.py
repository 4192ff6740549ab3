"""Values of a page of a Parquet file by how they are written (apache/parquet-format, Encodings.md).

No more values are made than are asked for, whatever a run claims."""

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sidecar.api import UnsupportedError
from sidecar_parquet.thrift import Reader, unfolded

Raw = bool | int | float | bytes

BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, _BYTE_ARRAY, FIXED = range(8)
"""Physical types."""
_NUMBERS: Final[Mapping[int, tuple[str, int]]] = {INT32: ("i", 4), INT64: ("q", 8), FLOAT: ("f", 4), DOUBLE: ("d", 8)}
_PLAIN, _PLAIN_DICTIONARY, _RLE, _DELTA, _DELTA_LENGTH, _DELTA_BYTES, _DICTIONARY, _SPLIT = 0, 2, 3, 5, 6, 7, 8, 9
_MAX_BITS: Final = 64
"""Bits of a value that is packed bit by bit."""


@dataclass(frozen=True)
class Kind:
    """A physical type with the bytes of a value, where they are fixed."""

    physical: int
    length: int


def values(encoding: int, data: bytes, kind: Kind, count: int, dictionary: Sequence[Raw]) -> list[Raw]:
    """The first `count` values, fewer where the bytes end. Raises ValueError, UnsupportedError."""
    if encoding in (_PLAIN_DICTIONARY, _DICTIONARY):
        return _of_dictionary(data, count, dictionary)
    read = _READ.get(encoding)
    if read is None:
        raise UnsupportedError("written in an unknown encoding")
    return read(data, kind, count)


def plain(data: bytes, kind: Kind, count: int) -> list[Raw]:
    """Values one after the other, little-endian. Raises ValueError."""
    if kind.physical == _BYTE_ARRAY:
        return list(_lengths_before(data, count))
    if kind.physical == BOOLEAN:
        return [bool(bit) for bit in _unpacked_bits(data, 1, count)]
    if kind.physical in _NUMBERS:
        letter, size = _NUMBERS[kind.physical]
        count = min(count, len(data) // size)
        return list(struct.unpack_from(f"<{count}{letter}", data))
    size = 12 if kind.physical == INT96 else kind.length
    if size <= 0:
        raise ValueError("values without bytes")
    return [data[at : at + size] for at in range(0, min(count * size, len(data) - size + 1), size)]


def levels(data: bytes, most: int, count: int) -> tuple[list[int], int]:
    """Levels of up to `most`, and the bytes they take with their length before them: none where all are 0."""
    if not most:
        return [0] * count, 0
    (size,) = struct.unpack_from("<I", data)
    return bare_levels(data[4 : 4 + size], most, count), 4 + size


def bare_levels(data: bytes, most: int, count: int) -> list[int]:
    """Levels of up to `most` without their length before them."""
    return _runs(data, most.bit_length(), count) if most else [0] * count


def _runs(data: bytes, width: int, count: int) -> list[int]:
    """Whole numbers of `width` bits in runs, each a number repeated or eights of them packed. Raises ValueError."""
    if not 0 <= width <= _MAX_BITS:
        raise ValueError("numbers too wide")
    found: list[int] = []
    reader = Reader(data)
    size = (width + 7) // 8
    while len(found) < count and reader.at < len(data):
        head = reader.number()
        if head & 1:
            packed = (head >> 1) * width
            found += _unpacked_bits(
                data[reader.at : reader.at + packed], width, min((head >> 1) * 8, count - len(found))
            )
            reader.at += packed
        else:
            value = int.from_bytes(data[reader.at : reader.at + size], "little")
            found += [value] * min(head >> 1, count - len(found))
            reader.at += size
    return found


def _unpacked_bits(data: bytes, width: int, count: int) -> list[int]:
    """Whole numbers of `width` bits, the lowest first."""
    if not width:
        return [0] * count
    mask = (1 << width) - 1
    found: list[int] = []
    for at in range(0, len(data), width):  # eight numbers take as many bytes as each has bits
        group = int.from_bytes(data[at : at + width], "little")
        there = min(8, (len(data) - at) * 8 // width)
        found += [group >> shift & mask for shift in range(0, there * width, width)]
        if len(found) >= count:
            break
    return found[:count]


def _of_dictionary(data: bytes, count: int, dictionary: Sequence[Raw]) -> list[Raw]:
    if not data:
        return []
    try:
        return [dictionary[place] for place in _runs(data[1:], data[0], count)]
    except IndexError as error:
        raise ValueError("beyond its dictionary") from error


def _lengths_before(data: bytes, count: int) -> Iterator[bytes]:
    at = 0
    for _ in range(count):
        if at + 4 > len(data):
            return
        (size,) = struct.unpack_from("<I", data, at)
        if size > len(data) - at - 4:
            raise ValueError("longer than its page")
        yield data[at + 4 : at + 4 + size]
        at += 4 + size


def _booleans(data: bytes, kind: Kind, count: int) -> list[Raw]:
    if kind.physical != BOOLEAN:
        raise ValueError("a run-length block holds values other than booleans")
    return [bool(bit) for bit in _runs(data[4:], 1, count)]


def _deltas(data: bytes, kind: Kind, count: int) -> list[Raw]:
    bits = 32 if kind.physical == INT32 else 64
    return list(_wrapped(_delta_numbers(data, count)[0], bits))


def _wrapped(numbers: Sequence[int], bits: int) -> Iterator[int]:
    """Sums that went beyond the bits of their type begin anew."""
    half = 1 << (bits - 1)
    for number in numbers:
        yield (number + half) % (2 * half) - half


def _delta_numbers(data: bytes, count: int) -> tuple[list[int], int]:
    """Numbers by their differences, and where the bytes of those that are there end. Raises ValueError."""
    reader = Reader(data)
    block, parts, total, first = reader.number(), reader.number(), reader.number(), unfolded(reader.number())
    if not parts or block % parts or not 0 < block // parts <= len(data) * 8 + 8:
        raise ValueError("blocks that do not part")
    each = block // parts
    found = [first][:total]
    while len(found) < min(total, count):
        least = unfolded(reader.number())
        widths = data[reader.at : reader.at + parts]
        reader.at += parts
        if not widths:
            raise ValueError("ends early")
        for width in widths:
            if len(found) >= total:
                break
            if width > _MAX_BITS:
                raise ValueError("numbers too wide")
            size = each * width // 8
            for delta in _unpacked_bits(data[reader.at : reader.at + size], width, min(each, total - len(found))):
                found.append(found[-1] + least + delta)
            reader.at += size
            if len(found) >= count:
                break
    return found[:count], reader.at


def _delta_lengths(data: bytes, kind: Kind, count: int) -> list[Raw]:
    """All lengths, then all bytes."""
    return list(_pieces(data, *_all_delta_numbers(data), count))


def _all_delta_numbers(data: bytes) -> tuple[list[int], int]:
    """As many as are written: what is behind them begins where they end. Each takes a bit at least or a whole part is
    the same, so that they are bounded by the bytes all the same."""
    reader = Reader(data)
    _, _, total = (reader.number() for _ in range(3))
    if total > 64 * len(data):
        raise ValueError("it declares more numbers than its bytes can hold")
    return _delta_numbers(data, total)


def _pieces(data: bytes, lengths: Sequence[int], at: int, count: int) -> Iterator[bytes]:
    for length in lengths[:count]:
        if not 0 <= length <= len(data) - at:
            raise ValueError("longer than its page")
        yield data[at : at + length]
        at += length


def _delta_bytes(data: bytes, kind: Kind, count: int) -> list[Raw]:
    """Each value by how many bytes it shares with the one before, and the rest of it."""
    shared, at = _all_delta_numbers(data)
    lengths, behind = _all_delta_numbers(data[at:])
    found: list[Raw] = []
    before = b""
    room = _MAX_SHARED
    for prefix, rest in zip(shared, _pieces(data, lengths, at + behind, count), strict=False):
        before = before[: max(prefix, 0)] + rest
        room -= len(before)
        if room < 0:
            raise ValueError("unpacks to too much")
        found.append(before)
    return found


_MAX_SHARED: Final = 256 * 2**20
"""Bytes of the values of one page that go on with one another."""


def _split(data: bytes, kind: Kind, count: int) -> list[Raw]:
    """The first bytes of all values, then the second ones, and so on."""
    size = _NUMBERS[kind.physical][1] if kind.physical in _NUMBERS else kind.length
    if size <= 0:
        raise ValueError("values without bytes")
    there = len(data) // size
    whole = bytearray(there * size)
    for place in range(size):
        whole[place::size] = data[place * there : (place + 1) * there]
    return plain(bytes(whole), kind, count)


_READ: Final[Mapping[int, Callable[[bytes, Kind, int], list[Raw]]]] = {
    _PLAIN: plain, _RLE: _booleans, _DELTA: _deltas, _DELTA_LENGTH: _delta_lengths, _DELTA_BYTES: _delta_bytes,
    _SPLIT: _split,
}  # fmt: skip
