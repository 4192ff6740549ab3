"""The values of a record batch as text (apache/arrow, format/Columnar.rst): buffers unpacked, then columns by their
types. No more values are made than are asked for."""

import struct
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from sidecar.api import UnsupportedError
from sidecar.toolkit.text import without_surrogates
from sidecar.toolkit.unpacking import UNPACKING_FAULTS, ZstdDecompressor, unpack_streams
from sidecar_parquet.arrow.messages import Field, Flat
from sidecar_parquet.schema import decimal_format, format_day, number_format, time_format, timestamp_format
from sidecar_parquet.unpacking import add_lz4_block

Values = list[str | None]
"""Values as texts; None for bytes that no text shows."""

(
    _NULL, _INT, _FLOAT, _BINARY, _TEXT, _BOOL, _DECIMAL, _DATE, _TIME, _MOMENT, _INTERVAL, _LIST, _STRUCT, _UNION,
    _FIXED, _FIXED_LIST, _MAP, _DURATION, _LONG_BINARY, _LONG_TEXT, _LONG_LIST, _RUNS, _BINARY_VIEW, _TEXT_VIEW,
) = range(1, 25)  # fmt: skip
_UNITS: Final = (1, 1_000, 1_000_000, 1_000_000_000)
"""A second in the units of times: s, ms, µs, ns."""
_PRECISIONS: Final = (("e", 2, 4), ("f", 4, 7), ("d", 8, 15))
"""Floating-point numbers: letter, bytes, digits."""
_INTS: Final = {8: "b", 16: "h", 32: "i", 64: "q"}
_LZ4_MAGIC: Final = b"\x04\x22\x4d\x18"
_MAX_BUFFER: Final = 1 << 30
_MAX_VALUE_CHARS: Final = 1_000_000
"""Characters of one value."""
_SHORT_VIEW: Final = 12
_MAX_ENTRIES: Final = 1_000
"""Values of one list that are shown."""
_DAY_MILLISECONDS: Final = 86_400_000


class Batch:
    """A record batch: its nodes and buffers are taken in the order of the columns. Raises ValueError for a damaged one,
    UnsupportedError."""

    def __init__(self, head: Flat, body: bytes, dictionaries: Mapping[int, Values]) -> None:
        self.length = max(head.number(0, "q"), 0)
        self._nodes = iter(head.pairs(1))
        self._buffers = iter(head.pairs(2))
        self._views = iter(head.numbers(4))
        packing = head.table(3)
        self._codec = packing.number(0, "b") if packing is not None else -1
        self._body = body
        self._dictionaries = dictionaries

    def column(self, field: Field, most: int) -> Values:
        """The first values of the next column. Raises UnsupportedError."""
        length, _ = next(self._nodes, (0, 0))
        count = min(max(length, 0), most)
        if field.dictionary >= 0:
            validity, data = self._buffer(), self._buffer()
            kept = self._dictionaries.get(field.dictionary, [])
            places = _whole_numbers(field.index, data, count)
            found: Values = [kept[place] if 0 <= place < len(kept) else "" for place in places]
        elif field.kind == _NULL:
            return [""] * count
        elif field.kind in (_STRUCT, _FIXED_LIST):
            validity = self._buffer()
            found = self._struct(field, count) if field.kind == _STRUCT else self._fixed_list(field, count)
        elif field.kind in (_LIST, _MAP, _LONG_LIST):
            validity, offsets = self._buffer(), self._buffer()
            found = self._list(field, _offsets(offsets, count, long=field.kind == _LONG_LIST))
        elif field.kind in _BYTES:
            validity, offsets, data = self._buffer(), self._buffer(), self._buffer()
            long = field.kind in (_LONG_BINARY, _LONG_TEXT)
            found = [_as_text(data[start:end]) for start, end in _offsets(offsets, count, long=long)]
        elif field.kind in (_BINARY_VIEW, _TEXT_VIEW):
            validity, views = self._buffer(), self._buffer()
            found = self._viewed(views, [self._buffer() for _ in range(min(next(self._views, 0), 65_536))], count)
        elif field.kind in _FIXED_SIZE:
            validity, data = self._buffer(), self._buffer()
            found = _FIXED_SIZE[field.kind](field.type, data, count)
        else:
            raise UnsupportedError("of a type that is not supported")
        found += [""] * (count - len(found))
        return [one if _is_there(validity, at) else "" for at, one in enumerate(found)]

    def _buffer(self) -> bytes:
        start, length = next(self._buffers, (0, 0))
        if start < 0 or length < 0:
            raise ValueError("declares impossible offsets of its values")
        raw = self._body[start : start + length]
        return raw if self._codec < 0 or len(raw) < 8 else _unpacked(self._codec, raw)

    def _struct(self, field: Field, count: int) -> Values:
        """Fields by their names, those that are there."""
        columns = [self.column(child, count) for child in field.children]
        names = [child.name for child in field.children]
        return [
            ", ".join(f"{name}: {text}" for name, text in zip(names, row, strict=True) if text)
            for row in zip(*columns, strict=False)
        ]

    def _list(self, field: Field, places: Sequence[tuple[int, int]]) -> Values:
        ends = max((end for _, end in places), default=0)
        inner = self.column(field.children[0], ends) if field.children else []
        return [_joined(inner[start:end]) for start, end in places]

    def _fixed_list(self, field: Field, count: int) -> Values:
        size = field.type.number(0, "i") if field.type is not None else 0
        if not field.children or not 0 <= size <= _MAX_ENTRIES * _MAX_ENTRIES:
            raise ValueError("declares an impossible size of its lists")
        inner = self.column(field.children[0], count * size)
        return [_joined(inner[at * size : (at + 1) * size]) for at in range(count)]

    def _viewed(self, views: bytes, kept: Sequence[bytes], count: int) -> Values:
        found: Values = []
        for at in range(0, min(count, len(views) // 16) * 16, 16):
            size, _, buffer, start = struct.unpack_from("<i4sii", views, at)
            if size <= _SHORT_VIEW:
                found.append(_as_text(views[at + 4 : at + 4 + max(size, 0)]))
            else:
                found.append(
                    _as_text(kept[buffer][start : start + size] if 0 <= buffer < len(kept) and start >= 0 else b"")
                )
        return found


def _unpacked(codec: int, raw: bytes) -> bytes:
    """A packed buffer, its size before it. Raises ValueError, UnsupportedError."""
    size = int.from_bytes(raw[:8], "little", signed=True)
    if size == -1:
        return raw[8:]
    if not 0 <= size <= _MAX_BUFFER:
        raise ValueError("says an impossible size")
    try:
        if codec not in (0, 1):
            raise UnsupportedError("packed with an unknown method")
        out = unpack_streams(ZstdDecompressor, raw[8:], size) if codec else _of_lz4_frame(raw[8:], size)
    except (*UNPACKING_FAULTS, IndexError, struct.error) as error:
        raise ValueError("cannot be unpacked") from error
    if len(out) < size:
        raise ValueError("cannot be unpacked")
    return out


def _of_lz4_frame(data: bytes, size: int) -> bytes:
    """The blocks of a frame (lz4/lz4, doc/lz4_Frame_format.md), which may copy from those before them."""
    if not data.startswith(_LZ4_MAGIC):
        raise ValueError("cannot be unpacked")
    flags = data[4]
    at = 7 + (8 if flags & 0x08 else 0) + (4 if flags & 0x01 else 0)
    out = bytearray()
    while len(out) < size:
        (length,) = struct.unpack_from("<I", data, at)
        if not length:
            break
        block = data[at + 4 : at + 4 + (length & 0x7FFFFFFF)]
        if length & 0x80000000:
            out += block
        else:
            add_lz4_block(out, block, size)
        at += 4 + len(block) + (4 if flags & 0x10 else 0)
    return bytes(out[:size])


def _is_there(validity: bytes, at: int) -> bool:
    """Whether a value is none that is missing; all are there where no bits say it."""
    return not validity or (at >> 3 < len(validity) and bool(validity[at >> 3] >> (at & 7) & 1))


def _offsets(data: bytes, count: int, *, long: bool) -> list[tuple[int, int]]:
    """Where each value begins and ends."""
    letter, size = ("q", 8) if long else ("i", 4)
    count = min(count + 1, len(data) // size)
    ends = struct.unpack_from(f"<{count}{letter}", data)
    return [(max(start, 0), max(end, 0)) for start, end in pairwise(ends)]


def _as_text(raw: bytes) -> str | None:
    try:
        text = raw[: 4 * _MAX_VALUE_CHARS].decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else without_surrogates(text[:_MAX_VALUE_CHARS])


def _joined(texts: Sequence[str | None]) -> str:
    return ", ".join(text for text in texts[:_MAX_ENTRIES] if text)[:_MAX_VALUE_CHARS]


def _whole_numbers(type_: Flat | None, data: bytes, count: int) -> tuple[int, ...]:
    bits = type_.number(0, "i") if type_ is not None else 32
    letter = _INTS.get(bits)
    if letter is None:
        raise ValueError("declares an impossible size of its numbers")
    letter = letter if type_ is None or type_.number(1, "B") else letter.upper()
    return struct.unpack_from(f"<{min(count, len(data) * 8 // bits)}{letter}", data)


def _ints(type_: Flat | None, data: bytes, count: int) -> Values:
    return [str(number) for number in _whole_numbers(type_, data, count)]


def _floats(type_: Flat | None, data: bytes, count: int) -> Values:
    precision = type_.number(0, "h") if type_ is not None else 0
    letter, size, digits = _PRECISIONS[precision if 0 <= precision < 3 else 2]
    show = number_format(digits)
    return [show(number) for number in struct.unpack_from(f"<{min(count, len(data) // size)}{letter}", data)]


def _booleans(type_: Flat | None, data: bytes, count: int) -> Values:
    return ["true" if data[at >> 3] >> (at & 7) & 1 else "false" for at in range(min(count, len(data) * 8))]


def _decimals(type_: Flat | None, data: bytes, count: int) -> Values:
    scale, bits = (type_.number(1, "i"), type_.number(2, "i", 128)) if type_ is not None else (0, 128)
    size = bits // 8
    if size not in (4, 8, 16, 32):
        raise ValueError("declares an impossible size of its numbers")
    show = decimal_format(scale)
    pieces = (data[at : at + size] for at in range(0, min(count, len(data) // size) * size, size))
    return [show(int.from_bytes(piece, "little", signed=True)) for piece in pieces]


def _times(kind: int) -> Callable[[Flat | None, bytes, int], Values]:
    """Dates (unit 0: days), times of day, moments and durations, by their units."""

    def read(type_: Flat | None, data: bytes, count: int) -> Values:
        unit = type_.number(0, "h", 0 if kind == _MOMENT else 1) if type_ is not None else 1
        short = unit == 0 if kind == _DATE else kind == _TIME and unit < 2
        size = 4 if short else 8
        numbers = struct.unpack_from(f"<{min(count, len(data) // size)}{'i' if short else 'q'}", data)
        per_second = _UNITS[unit if 0 <= unit < 4 else 1]
        if kind == _DATE:
            return [format_day(number if unit == 0 else number // _DAY_MILLISECONDS) for number in numbers]
        if kind == _DURATION:
            return [f"{number / per_second:.15g} s" for number in numbers]
        show = time_format(per_second) if kind == _TIME else timestamp_format(per_second)
        return [show(number) for number in numbers]

    return read


def _fixed(type_: Flat | None, data: bytes, count: int) -> Values:
    size = type_.number(0, "i") if type_ is not None else 0
    if size <= 0:
        raise ValueError("declares an impossible size of its values")
    return [_as_text(data[at : at + size]) for at in range(0, min(count, len(data) // size) * size, size)]


_BYTES: Final = (_BINARY, _TEXT, _LONG_BINARY, _LONG_TEXT)
_FIXED_SIZE: Final[Mapping[int, Callable[[Flat | None, bytes, int], Values]]] = {
    _INT: _ints, _FLOAT: _floats, _BOOL: _booleans, _DECIMAL: _decimals, _DATE: _times(_DATE), _TIME: _times(_TIME),
    _MOMENT: _times(_MOMENT), _DURATION: _times(_DURATION), _FIXED: _fixed,
}  # fmt: skip
"""How values that all take as many bytes are read."""
