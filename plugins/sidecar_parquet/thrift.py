"""Reads structures of Thrift's compact protocol as mappings from the number of a field to its value.

After "Thrift compact protocol encoding" (thrift/doc/specs/thrift-compact-protocol.md). Nothing is made of counts that
the bytes do not hold, and structures nest no deeper than `_MAX_DEPTH`."""

from collections.abc import Mapping
from typing import Final, TypeGuard, cast

from sidecar.toolkit.unpacking import varint

Value = bool | int | float | bytes | list["Value"] | dict[int, "Value"]
Fields = Mapping[int, Value]

MAGIC: Final = b"PAR1"
ENCRYPTED: Final = b"PARE"
"""What a Parquet file, whose footer is such a structure, begins and ends with."""
_MAX_DEPTH: Final = 24
"""Parquet's own structures nest six deep."""
_TRUE, _FALSE, _BYTE, _INT16, _INT32, _INT64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)


class _ThriftError(ValueError):
    """Bytes that are not structure of the compact protocol."""


class Reader:
    """Structures in `data`; `at` is where it goes on."""

    def __init__(self, data: bytes) -> None:
        self.at = 0
        self._data = data

    def structure(self, depth: int = 0) -> dict[int, Value]:
        """The fields of the structure that begins here. Raises ThriftError."""
        if depth > _MAX_DEPTH:
            raise _ThriftError
        fields: dict[int, Value] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            kind = head & 15
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth + 1)
        return fields

    def number(self) -> int:
        """An unsigned number of seven bits a byte. Raises ThriftError."""
        try:
            value, self.at = varint(self._data, self.at)
        except ValueError as error:
            raise _ThriftError from error
        return value

    def _signed(self) -> int:
        return unfolded(self.number())

    def _byte(self) -> int:
        if self.at >= len(self._data):
            raise _ThriftError
        self.at += 1
        return self._data[self.at - 1]

    def _bytes(self, count: int) -> bytes:
        if count > len(self._data) - self.at:
            raise _ThriftError
        self.at += count
        return self._data[self.at - count : self.at]

    def _value(self, kind: int, depth: int) -> Value:
        if kind in (_TRUE, _FALSE):  # in a list each stands in a byte of its own
            return self._byte() == _TRUE
        if kind == _BYTE:
            return self._byte()
        if kind in (_INT16, _INT32, _INT64):
            return self._signed()
        if kind == _DOUBLE:
            return self._bytes(8)
        if kind == _BINARY:
            return self._bytes(self.number())
        if kind in (_LIST, _SET):
            return self._list(depth)
        if kind == _STRUCT:
            return self.structure(depth)
        raise _ThriftError  # maps stand in none of Parquet's structures

    def _list(self, depth: int) -> Value:
        head = self._byte()
        count = head >> 4 if head >> 4 < 15 else self.number()
        if depth > _MAX_DEPTH or count > len(self._data) - self.at:
            raise _ThriftError
        return [self._value(head & 15, depth + 1) for _ in range(count)]


def unfolded(number: int) -> int:
    """The signed number that is written zigzag: 0, -1, 1, -2, …"""
    return (number >> 1) ^ -(number & 1)


def integer(fields: Fields, number: int, default: int = 0) -> int:
    """A field that is a whole number, else `default`."""
    value = fields.get(number, default)
    return value if isinstance(value, int) else default


def text(fields: Fields, number: int) -> str:
    """A field that is a text, else nothing."""
    value = fields.get(number)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def fields_in(fields: Fields, number: int) -> Fields:
    """A field that is a structure, else an empty one."""
    value = fields.get(number)
    return value if _is_structure(value) else {}


def structures(fields: Fields, number: int) -> list[Fields]:
    """A field that is a list of structures, else an empty one."""
    value = fields.get(number)
    return [one for one in value if _is_structure(one)] if isinstance(value, list) else []


def _is_structure(value: Value | None) -> TypeGuard[Fields]:
    return isinstance(cast(object, value), dict)
