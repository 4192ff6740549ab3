"""SAS transport files (.xpt), versions 5, 6 and 8: variables and cases of the first data set, and the names of others.

Source: "The Record Layout of a SAS Version 5 or 6 Data Set in SAS Transport (XPORT) Format" (SAS TS-140), and that of
version 8. All records have 80 bytes; numbers are IBM's doubles, whose last bytes may be left out."""

import re
import struct
from collections.abc import Iterator
from typing import Final

from sidecar_statistics.dataset import DataSet, ValueCursor, Variable
from sidecar_statistics.sas import shows

MARKS: Final = (b"HEADER RECORD*******LIBRARY HEADER RECORD!!!", b"HEADER RECORD*******LIBV8   HEADER RECORD!!!")
"""How such files begin, the second of version 8."""
_RECORD: Final = 80
_MEMBER: Final = re.compile(rb"HEADER RECORD\*{7}MEMB(?:ER|V8) +HEADER RECORD!{7}")
_NAMES: Final = re.compile(rb"HEADER RECORD\*{7}NAM(?:ESTR|STV8) +HEADER RECORD!{7}0{6}(\d{4})")
_CASES: Final = re.compile(rb"HEADER RECORD\*{7}OBS(?:V8)? +HEADER RECORD!")
_NAMESTR: Final = (136, 140)
"""Bytes that describe a variable, by the machine; the header of the data set says which."""
_LONG_NAME_AT: Final = 88
_LONG_NAME: Final = 32
_MISSING: Final = frozenset(b"._ABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""First bytes of numbers that are none: "." and the letters that tell why."""
_SIGN: Final = 1 << 63
_BIAS: Final = 64
_FRACTION: Final = 56
"""Bits."""


def read(data: bytes) -> DataSet:
    """The first data set. Raises ValueError, IndexError or struct.error for damage."""
    cursor = ValueCursor(data, 0, ">", "")
    members = [found.start() for found in _MEMBER.finditer(data) if found.start() % _RECORD == 0]
    if not members:
        raise ValueError("it has no data set")
    first = members[0]
    end = members[1] if len(members) > 1 else len(data)
    is_long = data.startswith(MARKS[1])
    size = int(data[first + 74 : first + 78])
    if size not in _NAMESTR:
        raise ValueError("the description of its variables is not in a known form")
    names = [_dataset_name(cursor, place, is_long=is_long) for place in members]
    label = cursor.decoded(data[first + 4 * _RECORD - 48 : first + 4 * _RECORD - 8])
    described, cases = _NAMES.search(data, first, end), _CASES.search(data, first, end)
    if described is None or cases is None:
        raise ValueError("its data set is cut short")
    at = described.start() + _RECORD
    places = range(at, at + size * int(described[1]), size)
    columns = [_TransportVariable(cursor, data[place : place + size], is_long=is_long) for place in places]
    metadata = {"datasets": ", ".join(names)} if len(names) > 1 else {}
    return DataSet(
        "application/x-sas-xport", label, tuple(column.variable for column in columns), -1,
        _cases(data[cases.start() + _RECORD : end], columns), metadata,
    )  # fmt: skip


def _dataset_name(cursor: ValueCursor, at: int, *, is_long: bool) -> str:
    """A data set's name, in the record behind those of its headers."""
    start = at + 2 * _RECORD + 8
    return cursor.decoded(cursor.data[start : start + (_LONG_NAME if is_long else 8)])


class _TransportVariable:
    """A variable, and how its values are shown."""

    def __init__(self, cursor: ValueCursor, described: bytes, *, is_long: bool) -> None:
        kind, _, self.size = struct.unpack_from(">3h", described)
        name = cursor.decoded(described[8:16])
        if is_long:
            name = cursor.decoded(described[_LONG_NAME_AT : _LONG_NAME_AT + _LONG_NAME]) or name
        self.variable = Variable(name, cursor.decoded(described[16:56]), {})
        if self.size <= 0 or kind not in (1, 2):
            raise ValueError(f"its variable {name} has no size")
        self._show = shows(cursor.decoded(described[56:64])) if kind == 1 else None
        self._cursor = cursor

    def format_value(self, raw: bytes) -> str:
        """A value as text."""
        if self._show is None:
            return self._cursor.decoded(raw)
        value = _number(raw)
        return "" if value is None else self._show(value)


def _number(raw: bytes) -> float | None:
    """An IBM double, shortened or not; None for a missing value."""
    if not any(raw[1:]) and raw[:1] and raw[0] in _MISSING:
        return None
    whole = int.from_bytes(raw[:8].ljust(8, b"\0"), "big")
    fraction = whole & (1 << _FRACTION) - 1
    value = fraction / (1 << _FRACTION) * 16.0 ** ((whole >> _FRACTION & 0x7F) - _BIAS)
    return -value if whole & _SIGN else value


def _cases(data: bytes, columns: list[_TransportVariable]) -> Iterator[tuple[str, ...]]:
    """The cases one after another; blanks fill the last record."""
    size = sum(column.size for column in columns)
    used = len(data.rstrip(b" "))
    ends = -(-used // size) * size if size else 0
    for start in range(0, min(ends, len(data) - size + 1), size):
        values: list[str] = []
        at = start
        for column in columns:
            values.append(column.format_value(data[at : at + column.size]))
            at += column.size
        yield tuple(values)
