"""Reads SPSS's data sets, plain, compressed by codes (.sav) and by deflate (.zsav).

After the "System File Format" in the developer's guide of PSPP. Missing numbers are empty; dates and times are shown as
such."""

import codecs
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from sidecar_statistics.dataset import DataSet, ValueCursor, Variable, clock, moment

_EPOCH: Final = datetime(1582, 10, 14, tzinfo=UTC)
_SLOT: Final = 8
"""Bytes of a number, and of a piece of a text."""
_PIECE: Final = 255
"""Bytes that one of the variables of a very long text holds; it is described as one for each 252."""
_STEP: Final = 252
_MAX_TEXT_BYTES: Final = 32_767
"""Bytes of a text in SPSS."""
_BLOCK: Final = 2**26
"""No program writes larger blocks of deflated cases: SPSS's have 4 MiB."""
_PAGES: Final[Mapping[int, str]] = {2: "ascii", 3: "ascii", 4: "ascii", 65001: "utf-8"}
_DATES: Final = (20, 23, 24, 38, 39)
_MOMENTS: Final = (22, 41)
_TIMES: Final = (21, 25, 40)
_MONTHS: Final = (28,)
"""Formats of numbers by what they show: DATE, ADATE, JDATE, EDATE, SDATE; DATETIME, YMDHMS; TIME, DTIME, MTIME;
MOYR."""


@dataclass
class _SpssVariable:
    """A variable as the file describes it, by its place among the slots of a case."""

    slot: int
    width: int
    name: str
    label: bytes
    format: int
    labels: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])


@dataclass
class _Dictionary:
    """All that stands before the cases."""

    slots: int = 0
    variables: list[_SpssVariable] = field(default_factory=list[_SpssVariable])
    further: dict[int, bytes] = field(default_factory=dict[int, bytes])
    notes: bytes = b""


def read(data: bytes) -> DataSet:
    """The data set. Raises ValueError and what `struct` raises for one that is damaged."""
    order = "<" if data[64:68] in (b"\2\0\0\0", b"\3\0\0\0") else ">"
    cursor = ValueCursor(data, 72, order, "ascii")
    compression, _, count = cursor.numbers(3, "i")
    bias = struct.unpack(f"{order}d", cursor.read(8))[0]
    cursor.at = 109
    title = cursor.read(64)
    cursor.at = 176
    found = _dictionary(cursor)
    cursor.encoding = _encoding(found.further, order)
    if compression:
        codes = _inflated(data, cursor.at, order) if compression == 2 else iter((data[cursor.at :],))
        cases = _unpacked(codes, found.slots, bias, order)
    else:
        size = found.slots * _SLOT
        cases = (data[at : at + size] for at in range(cursor.at, len(data) - size + 1, max(size, 1)))
    joined = _joined(found)
    columns = [_SpssColumn(one, width, cursor) for one, width in joined]
    names = _pairs(cursor.decoded(found.further.get(13, b"")))
    variables = tuple(
        Variable(names.get(one.name, one.name), cursor.decoded(one.label), column.labels)
        for (one, _), column in zip(joined, columns, strict=True)
    )
    rows = (tuple([column.format_value(case) for column in columns]) for case in cases)
    notes = cursor.decoded(found.notes).strip()
    metadata = {"encoding": cursor.encoding} | ({"description": notes} if notes else {})
    return DataSet("application/x-spss-sav", cursor.decoded(title), variables, count, rows, metadata)


def _dictionary(cursor: ValueCursor) -> _Dictionary:
    """The records before the cases. Raises ValueError for one of a kind that is none."""
    found = _Dictionary()
    by_slot: dict[int, _SpssVariable] = {}
    labels: dict[bytes, bytes] = {}
    while (kind := cursor.number("i")) != 999:
        if kind == 2:
            if (one := _variable(cursor, found.slots)) is not None:
                by_slot[found.slots] = one
            found.slots += 1
        elif kind == 3:
            labels = dict(_label(cursor) for _ in range(cursor.number("i")))
        elif kind == 4:
            for slot in cursor.numbers(cursor.number("i"), "i"):
                if slot - 1 in by_slot:
                    by_slot[slot - 1].labels = labels
        elif kind == 6:
            lines = cursor.read(80 * cursor.number("i"))
            found.notes += b"\n".join(lines[at : at + 80].rstrip() for at in range(0, len(lines), 80))
        elif kind == 7:
            number, size, pieces = cursor.numbers(3, "i")
            found.further[number] = cursor.read(size * pieces)
        else:
            raise ValueError(f"record type {kind} is not known")
    cursor.read(4)
    found.variables = list(by_slot.values())
    return found


def _variable(cursor: ValueCursor, slot: int) -> _SpssVariable | None:
    """A variable; None for what only goes on with the text before."""
    width, labelled, missing, shown_as, _ = cursor.numbers(5, "i")
    name = cursor.read(_SLOT).decode("latin-1").rstrip()
    label = b""
    if labelled:
        size = cursor.number("i")
        label = cursor.read(size + -size % 4)[:size]
    cursor.read(_SLOT * abs(missing))
    return None if width < 0 else _SpssVariable(slot, width, name, label, shown_as >> 16 & 0xFF)


def _label(cursor: ValueCursor) -> tuple[bytes, bytes]:
    value, size = cursor.read(_SLOT), cursor.number("B")
    return value, cursor.read(size + -(size + 1) % _SLOT)[:size]


def _encoding(further: Mapping[int, bytes], order: str) -> str:
    """By name, else by the number of the code page; Windows' western one where neither is known."""
    named = further.get(20, b"").decode("ascii", "replace")
    number = struct.unpack_from(f"{order}i", further[3], 28)[0] if len(further.get(3, b"")) >= 32 else 0
    for name in (named, _PAGES.get(number, ""), f"cp{number}"):
        try:
            if name and (found := codecs.lookup(name).name) != "ascii":
                return found
        except (LookupError, ValueError):
            continue
    return "cp1252"


def _pairs(text: str) -> dict[str, str]:
    """`NAME=value` of a record."""
    found = (pair.partition("=") for pair in text.split("\t"))
    return {name.strip(" \0\t"): value.strip(" \0\t") for name, sign, value in found if sign}


def _joined(found: _Dictionary) -> list[tuple[_SpssVariable, int]]:
    """The variables with their widths; of very long texts the first one stands for those that go on with them."""
    long = _pairs(found.further.get(14, b"").decode("latin-1").replace("\0", ""))
    rest = iter(found.variables)
    joined: list[tuple[_SpssVariable, int]] = []
    for one in rest:
        declared = long.get(one.name, "")
        width = min(int(declared[:9]), _MAX_TEXT_BYTES) if declared.isdecimal() else one.width
        joined.append((one, width))
        for _ in range(-(-width // _STEP) - 1 if width > _PIECE else 0):
            next(rest, None)
    return joined


class _SpssColumn:
    """Where a variable's values lie in a case and how they are shown."""

    def __init__(self, described: _SpssVariable, width: int, cursor: ValueCursor) -> None:
        self._start = described.slot * _SLOT
        self._width = width
        self._cursor = cursor
        self._number = struct.Struct(f"{cursor.order}d")
        self._missing = struct.pack(f"{cursor.order}d", -_MAX_DOUBLE)
        self._show = shows(described.format)
        self._labels = {value: cursor.decoded(text) for value, text in described.labels.items()}
        self.labels = {self._plain(value): text for value, text in self._labels.items()}

    def format_value(self, case: bytes) -> str:
        if not self._width:
            value = case[self._start : self._start + _SLOT]
            return self._labels.get(value) or self._plain(value)
        if self._width <= _SLOT and (text := self._labels.get(case[self._start : self._start + _SLOT])):
            return text
        return self._cursor.decoded(self._text(case))

    def _text(self, case: bytes) -> bytes:
        if self._width <= _PIECE:
            return case[self._start : self._start + self._width]
        step = _PIECE + 1
        pieces = range(self._start, self._start + -(-self._width // _STEP) * step, step)
        return b"".join(case[at : at + _PIECE] for at in pieces)[: self._width]

    def _plain(self, value: bytes) -> str:
        if self._width:
            return self._cursor.decoded(value)
        return "" if value == self._missing else self._show(self._number.unpack(value)[0])


_MAX_DOUBLE: Final = float.fromhex("0x1.fffffffffffffp+1023")
"""Its negative is the missing value."""


def shows(shown_as: int) -> Callable[[float], str]:
    """How a format of numbers shows them."""
    if shown_as in _DATES:
        return lambda value: moment(_EPOCH, value, day=True)
    if shown_as in _MOMENTS:
        return lambda value: moment(_EPOCH, value, day=False)
    if shown_as in _MONTHS:
        return lambda value: moment(_EPOCH, value, day=True)[:7]
    return clock if shown_as in _TIMES else _plain


def _plain(value: float) -> str:
    return f"{value:.15g}"


def _inflated(data: bytes, at: int, order: str) -> Iterator[bytes]:
    """The blocks of deflated codes, by the list of them behind the cases."""
    cursor = ValueCursor(data, at + 8, order, "ascii")
    cursor.at = cursor.number("q") + 16
    _, blocks = cursor.numbers(2, "i")
    for _ in range(blocks):
        _, start = cursor.numbers(2, "q")
        size, packed = cursor.numbers(2, "i")
        yield zlib.decompressobj().decompress(data[start : start + packed], min(max(size, 1), _BLOCK))


def _unpacked(codes: Iterator[bytes], slots: int, bias: float, order: str) -> Iterator[bytes]:
    """The cases of codes: a byte for each value, in groups of eight before the values that no byte stands for.

    Raises ValueError where they end within a case."""
    known = [struct.pack(f"{order}d", code - bias) for code in range(252)]
    known += [b"", b"", b" " * _SLOT, struct.pack(f"{order}d", -_MAX_DOUBLE)]
    case: list[bytes] = []
    pending, at = next(codes, b""), 0
    while True:
        if len(pending) - at < _SLOT * (_SLOT + 1) and (more := next(codes, b"")):
            pending, at = pending[at:] + more, 0
        group = pending[at : at + _SLOT]
        at += _SLOT
        for code in group:
            if code == 253:
                case.append(pending[at : at + _SLOT])
                at += _SLOT
            elif code == 252 or (code and at > len(pending) + _SLOT):
                group = b""
                break
            elif code:
                case.append(known[code])
            if len(case) == slots:
                yield b"".join(case)
                case.clear()
        if not group or at > len(pending):
            break
    if case:
        raise ValueError("ends within a case")
