"""The values of one column in one group of rows of a Parquet file, page by page, as a text a row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sidecar.api import Limits
from sidecar_parquet.encodings import Raw, bare_levels, levels, plain, values
from sidecar_parquet.schema import Column
from sidecar_parquet.thrift import Fields, Reader, fields_in, integer
from sidecar_parquet.unpacking import unpacked

_DATA, _INDEX, _DICTIONARY, _DATA_2 = range(4)
_MAX_HEADER_BYTES: Final = 2**16
"""Bytes of the header of a page: it holds the least and the greatest value, which are cut by all writers."""
_SMALL: Final = 2**20
"""Bytes a page may unpack to whatever it was packed to."""
_MAX_CELL_CHARS: Final = 32_000
"""Characters of the values of a list that stand in one cell."""


@dataclass
class _Page:
    """Levels of repetition and definition, and the values of a page."""

    repetition: list[int]
    definition: list[int]
    values: list[Raw]


class Cells:
    """The cells of a column: a text a row, and how many values no text shows."""

    def __init__(self, column: Column, most: int) -> None:
        self.texts: list[str] = []
        self.unseen = 0
        self._column = column
        self._most = most

    @property
    def full(self) -> bool:
        """Whether all rows that are asked for are there: of a list the last may go on on the next page."""
        return len(self.texts) > self._most if self._column.repeated else len(self.texts) >= self._most

    def add(self, page: _Page) -> None:
        """The values of a page, those that are absent as empty texts, those of a list in one cell."""
        read = iter(page.values)
        there = self._column.optional
        for repeated, level in zip(page.repetition, page.definition, strict=False):
            text = self._text(next(read, None)) if level == there else ""
            if not repeated or not self.texts:
                self.texts.append(text)
            elif text and len(self.texts[-1]) < _MAX_CELL_CHARS:
                self.texts[-1] += f", {text}" if self.texts[-1] else text

    def _text(self, raw: Raw | None) -> str:
        if raw is None:
            return ""
        shown = self._column.format_value(raw)
        self.unseen += shown is None
        return shown or ""


def cells(data: bytes, chunk: Fields, column: Column, rows: int, limits: Limits) -> Cells:
    """The first `rows` cells of a column, fewer where its bytes end. Raises ValueError, UnsupportedError."""
    found = Cells(column, rows)
    offset = integer(chunk, 11) or integer(chunk, 9)
    end = min(offset + integer(chunk, 7), len(data))
    if offset < 4 or end <= offset:
        raise ValueError("lies outside its file")
    reader = _PageReader(integer(chunk, 4), column, limits)
    for header, packed in _pages(data[offset:end]):
        if found.full:
            break
        kind = integer(header, 1)
        if kind == _DICTIONARY:
            reader.read_dictionary(header, packed)
        elif kind in (_DATA, _DATA_2):
            read = reader.read if kind == _DATA else reader.read_2
            found.add(read(header, packed, _wanted(column, rows, found)))
    return found


def _wanted(column: Column, rows: int, found: Cells) -> int:
    """How many values of a page are read: a row takes one, a list as many as it has."""
    return rows - len(found.texts) if not column.repeated else _MAX_LISTED


_MAX_LISTED: Final = 4_000_000
"""Values of lists on one page."""


def _pages(data: bytes) -> Iterator[tuple[Fields, bytes]]:
    """The header of each page and its bytes. Raises ValueError."""
    at = 0
    while at < len(data):
        reader = Reader(data[at : at + _MAX_HEADER_BYTES])
        header = reader.structure()
        size = integer(header, 3)
        at += reader.at
        if not 0 <= size <= len(data) - at:
            raise ValueError("has a page that ends beyond it")
        yield header, data[at : at + size]
        at += size


@dataclass
class _PageReader:
    """Reads the pages of a column; most of their values are numbers of those in the page that holds a `dictionary`."""

    codec: int
    column: Column
    limits: Limits
    dictionary: Sequence[Raw] = ()

    def read_dictionary(self, header: Fields, packed: bytes) -> None:
        """The values that the pages to come refer to."""
        body = unpacked(self.codec, packed, self._size(header, packed))
        self.dictionary = plain(body, self.column.kind, integer(fields_in(header, 7), 1))

    def read(self, header: Fields, packed: bytes, wanted: int) -> _Page:
        """A page of the first version, `wanted` values of it at most."""
        column, fields = self.column, fields_in(header, 5)
        body = unpacked(self.codec, packed, self._size(header, packed))
        count = min(max(integer(fields, 1), 0), wanted)
        repetition, at = levels(body, column.repeated, count)
        definition, more = levels(body[at:], column.optional, count)
        return self._page(repetition, definition, integer(fields, 2), body[at + more :])

    def read_2(self, header: Fields, packed: bytes, wanted: int) -> _Page:
        """Pages of the second version: levels are not packed, and their lengths stand in the header."""
        column, fields = self.column, fields_in(header, 8)
        first, second = integer(fields, 6), integer(fields, 5)
        if first < 0 or second < 0 or first + second > len(packed):
            raise ValueError("has levels that end beyond their page")
        count = min(max(integer(fields, 1), 0), wanted)
        repetition = bare_levels(packed[:first], column.repeated, count)
        definition = bare_levels(packed[first : first + second], column.optional, count)
        body = packed[first + second :]
        if fields.get(7, True):
            body = unpacked(self.codec, body, self._size(header, packed) - first - second)
        return self._page(repetition, definition, integer(fields, 4), body)

    def _page(self, repetition: list[int], definition: list[int], encoding: int, body: bytes) -> _Page:
        there = definition.count(self.column.optional)
        return _Page(repetition, definition, values(encoding, body, self.column.kind, there, self.dictionary))

    def _size(self, header: Fields, packed: bytes) -> int:
        """How many bytes a page unpacks to. Raises ValueError where they are more than may be."""
        size = integer(header, 2)
        if not 0 <= size <= min(max(_SMALL, len(packed) * self.limits.max_ratio), self.limits.max_expanded_bytes):
            raise ValueError("unpacks to too much")
        return size
