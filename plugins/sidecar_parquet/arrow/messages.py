"""The messages of an Arrow file or stream and the FlatBuffers in them (apache/arrow, format/Message.fbs, Schema.fbs;
google/flatbuffers, "FlatBuffer Internals")."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sidecar_parquet.arrow import EXTENDED, MAGIC

_MAX_FIELDS = 65_536
_MAX_DEPTH = 50
SCHEMA, DICTIONARY, BATCH = 1, 2, 3


class Flat:
    """A table of a FlatBuffer: its fields by their number. Raises ValueError, struct.error beyond the bytes."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at
        start = at - _unpacked("<i", data, at)
        size = _unpacked("<H", data, start)
        self._places = struct.unpack_from(f"<{max(size // 2 - 2, 0)}H", data, start + 4)

    @classmethod
    def root(cls, data: bytes) -> "Flat":
        """The table that a FlatBuffer is."""
        return cls(data, _unpacked("<I", data, 0))

    def number(self, field: int, kind: str, default: int = 0) -> int:
        """A number of a kind that `struct` knows."""
        place = self._place(field)
        return _unpacked(f"<{kind}", self._data, place) if place else default

    def table(self, field: int) -> "Flat | None":
        """A table, None where it is left out."""
        place = self._place(field)
        return Flat(self._data, place + _unpacked("<I", self._data, place)) if place else None

    def text(self, field: int) -> str:
        """A text; "" where it is left out."""
        place = self._place(field)
        if not place:
            return ""
        place += _unpacked("<I", self._data, place)
        return self._data[place + 4 : place + 4 + _unpacked("<I", self._data, place)].decode("utf-8", "replace")

    def tables(self, field: int) -> "Iterator[Flat]":
        """The tables of a vector."""
        start, count = self._vector(field)
        for place in range(start, start + 4 * min(count, _MAX_FIELDS), 4):
            yield Flat(self._data, place + _unpacked("<I", self._data, place))

    def pairs(self, field: int) -> list[tuple[int, int]]:
        """A vector of structures of two long numbers each."""
        start, count = self._vector(field)
        numbers = struct.unpack_from(f"<{2 * count}q", self._data, start) if 0 <= 16 * count <= len(self._data) else ()
        return list(zip(numbers[::2], numbers[1::2], strict=True))

    def numbers(self, field: int) -> tuple[int, ...]:
        """A vector of long numbers."""
        start, count = self._vector(field)
        return struct.unpack_from(f"<{count}q", self._data, start) if 0 <= 8 * count <= len(self._data) else ()

    def _vector(self, field: int) -> tuple[int, int]:
        place = self._place(field)
        if not place:
            return 0, 0
        place += _unpacked("<I", self._data, place)
        return place + 4, _unpacked("<I", self._data, place)

    def _place(self, field: int) -> int:
        offset = self._places[field] if field < len(self._places) else 0
        return self._at + offset if offset else 0


def _unpacked(kind: str, data: bytes, at: int) -> int:
    if at < 0:
        raise ValueError("refers to data before its beginning")
    return int(struct.unpack_from(kind, data, at)[0])


class Message(NamedTuple):
    """What a message is, its head, and where its body lies in the file."""

    kind: int
    head: Flat
    start: int
    end: int


def messages(data: bytes) -> Iterator[Message]:
    """The messages from the first to the last; one whose body is cut off is given as far as the file goes."""
    at = 8 if data.startswith(MAGIC) else 0
    while at + 4 <= len(data):
        if data[at : at + 4] == EXTENDED:
            at += 4
        size = _unpacked("<i", data, at)
        if size <= 0 or at + 4 + size > len(data):
            return
        message = Flat.root(data[at + 4 : at + 4 + size])
        start = at + 4 + size
        length = message.number(3, "q")
        head = message.table(2)
        if head is None or length < 0:
            return
        yield Message(message.number(1, "B"), head, start, min(start + length, len(data)))
        at = start + length


@dataclass(frozen=True)
class Field:
    """A column, or what a nested one is made of. `kind` is the number of its type, `dictionary` that of the dictionary
    its values are places in, -1 for none."""

    name: str
    kind: int
    type: Flat | None
    index: Flat | None
    dictionary: int
    children: tuple["Field", ...]


def fields(schema: Flat) -> tuple[Field, ...]:
    """The columns of a schema. Raises ValueError where they are nested too deeply."""
    return tuple(_field(one, 0) for one in schema.tables(1))


def _field(flat: Flat, depth: int) -> Field:
    if depth > _MAX_DEPTH:
        raise ValueError("describes columns that are nested too deeply")
    coded = flat.table(4)
    children = tuple(_field(one, depth + 1) for one in flat.tables(5))
    dictionary = coded.number(0, "q") if coded is not None else -1
    index = coded.table(1) if coded is not None else None
    return Field(flat.text(0), flat.number(2, "B"), flat.table(3), index, dictionary, children)
