"""The pages of an Access database: definitions of tables, and their rows as bytes.

After the descriptions of the format by the projects MDB Tools (HACKING.md) and Jackcess; its maker has published none.
Which pages hold a table's rows is told by the pages themselves, not by the maps of them."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from sidecar.api import DamagedError, EncryptedError
from sidecar.toolkit.ole.decryption import rc4
from sidecar.toolkit.text import code_page

_VERSION_AT: Final = 0x14
_HEAD_AT: Final = 0x18
_HEAD_KEY: Final = b"\xc7\xda\x39\x6b"
"""What the head of every database is encoded with (RC4)."""
_CODE_PAGE_AT, _KEY_AT = 0x3C, 0x3E
_DATA, _DEFINITION = 1, 2
CATALOGUE: Final = 2
"""The page on which the table of all objects is defined."""
_DELETED, _MOVED, _OFFSET = 0x8000, 0x4000, 0x1FFF
"""Of the place of a row in its page: it is deleted, it holds but the place of the row, where it begins."""
_MAX_HOPS: Final = 8
_MAX_PAGES: Final = 256
"""Pages of one definition; Access allows 255 columns, which take some ten."""
_MAX_COLUMNS: Final = 2_000
_INLINE, _LONE, _LENGTH = 0x80000000, 0x40000000, 0x3FFFFFFF
"""Of a long value: it stands behind its head, it is one row elsewhere; else it is a chain of rows."""
_LONG_HEAD: Final = 12
_MAX_MEMO_BYTES: Final = 1_000_000
"""Bytes of a memo that are read."""


class Layout(NamedTuple):
    """Where things stand in the pages of one generation of the engine."""

    page: int
    head: int
    """Of the encoded head of the database, in bytes."""
    rows_at: int
    """Where a data page says how many rows it has."""
    columns_at: int
    """Where a definition says how many columns there are, and 6 bytes on how many indexes."""
    indexes_at: int
    index_size: int
    """Bytes that an index takes before the columns."""
    column: struct.Struct
    """Kind, number, variable number, precision, scale, flags, fixed place, size."""
    wide: bool
    """Whether counts in rows and names have two bytes, and texts are in Unicode."""


JET_3 = Layout(2048, 126, 8, 25, 43, 8, struct.Struct("<BHH4xBB2xBHH"), wide=False)
JET_4 = Layout(4096, 128, 12, 45, 63, 12, struct.Struct("<B4xHH2xBB2xB5xHH"), wide=True)


class Column(NamedTuple):
    """A column: what kind of values it has, and where they stand in a row."""

    name: str
    kind: int
    number: int
    variable: int
    scale: int
    fixed: bool
    place: int
    size: int


@dataclass(frozen=True)
class Definition:
    """A table: its page and its columns."""

    page: int
    columns: tuple[Column, ...]


_ENGINES = (b"Standard Jet DB", b"Standard ACE DB", b"Temp Jet DB")
"""What stands behind the first four bytes of every database, encrypted ones among them."""


class AccessFile:
    """One database, opened.

    Raises:
        EncryptedError: protected by a password.
        DamagedError: it has no catalogue of tables."""

    def __init__(self, data: bytes, name: str) -> None:
        if len(data) < _KEY_AT + 4:
            raise DamagedError(f"{name} is too short to be an Access database.")
        if not data.startswith(_ENGINES, 4):
            raise DamagedError(f"{name} is not an Access database, whatever its name says.")
        self.layout = JET_4 if data[_VERSION_AT] else JET_3
        head = data[:_HEAD_AT] + rc4(_HEAD_KEY, data[_HEAD_AT : _HEAD_AT + self.layout.head])
        self.encoding = code_page(int.from_bytes(head[_CODE_PAGE_AT : _CODE_PAGE_AT + 2], "little"))
        self._key = int.from_bytes(head[_KEY_AT : _KEY_AT + 4], "little")
        self._data = data
        self._plain: tuple[int, bytes] = (0, b"")
        self._pages: dict[int, list[int]] = {}
        if self.page(CATALOGUE)[:2] != bytes((_DEFINITION, 1)):
            if self._key:
                raise EncryptedError(f"{name} is protected by a password; save a copy without one to index it.")
            raise DamagedError(f"{name} is an Access database without a catalogue of its tables.")
        for number in range(1, -(-len(data) // self.layout.page)):
            page = self.page(number)
            if page[0] == _DATA:
                self._pages.setdefault(int.from_bytes(page[4:8], "little"), []).append(number)

    def page(self, number: int) -> bytes:
        """A page by its number, zeros where there is none; the last one read is kept."""
        if self._plain[0] != number:
            size = self.layout.page
            page = self._data[number * size : (number + 1) * size].ljust(size, b"\0")
            if self._key:
                page = rc4(((self._key ^ number) & 0xFFFFFFFF).to_bytes(4, "little"), page)
            self._plain = number, page
        return self._plain[1]

    def definition(self, number: int) -> Definition | None:
        """The table that is defined on a page, None where none is."""
        pages = [self.page(number)]
        if pages[0][0] != _DEFINITION:
            return None
        while (following := int.from_bytes(pages[-1][4:8], "little")) and len(pages) < _MAX_PAGES:
            pages.append(self.page(following))
        try:
            return Definition(number, tuple(self._columns(b"".join([pages[0], *(page[8:] for page in pages[1:])]))))
        except struct.error:
            return None

    def _columns(self, data: bytes) -> Iterator[Column]:
        """Raises struct.error."""
        layout = self.layout
        count, _, indexes = struct.unpack_from("<HII", data, layout.columns_at)
        at = layout.indexes_at + layout.index_size * indexes
        count = min(count, _MAX_COLUMNS)
        heads = [layout.column.unpack_from(data, at + layout.column.size * number) for number in range(count)]
        at += layout.column.size * count
        for kind, number, variable, _, scale, flags, place, size in heads:
            wide = 2 if layout.wide else 1
            length = int.from_bytes(data[at : at + wide], "little")
            name = data[at + wide : at + wide + length].decode("utf-16-le" if layout.wide else self.encoding, "replace")
            at += wide + length
            yield Column(name, kind, number, variable, scale, bool(flags & 1), place, size)

    def rows(self, table: Definition) -> Iterator[bytes]:
        """The rows of a table that are not deleted."""
        for number in self._pages.get(table.page, ()):
            count = int.from_bytes(self.page(number)[self.layout.rows_at : self.layout.rows_at + 2], "little")
            for index in range(min(count, self.layout.page // 2)):
                row = self._row(number, index, deleted=False)
                if row:
                    yield row

    def _row(self, number: int, index: int, *, deleted: bool = True) -> bytes:
        """A row by its page and place in it, b"" where there is none; what was moved is where it was moved to, marked
        as deleted so that it is met once."""
        for _ in range(_MAX_HOPS):
            page = self.page(number)
            at = self.layout.rows_at + 2 + 2 * index
            place = int.from_bytes(page[at : at + 2], "little")
            start = place & _OFFSET
            end = int.from_bytes(page[at - 2 : at], "little") & _OFFSET if index else self.layout.page
            if (place & _DELETED and not deleted) or not at < start < end <= self.layout.page:
                return b""
            if not place & _MOVED:
                return page[start:end]
            index, number, deleted = page[start], int.from_bytes(page[start + 1 : start + 4], "little"), True
        return b""

    def long_value(self, head: bytes) -> bytes:
        """A memo or object, of a longer one the beginning, by what stands for it in its row."""
        if len(head) < _LONG_HEAD:
            return b""
        flagged_length, index, low, high = struct.unpack_from("<IBHB", head)
        length = min(flagged_length & _LENGTH, _MAX_MEMO_BYTES)
        if flagged_length & _INLINE:
            return head[_LONG_HEAD : _LONG_HEAD + length]
        number = low | high << 16
        if flagged_length & _LONE:
            return self._row(number, index)[:length]
        pieces: list[bytes] = []
        left = length
        seen: set[tuple[int, int]] = set()
        while left > 0 and number and (number, index) not in seen:
            seen.add((number, index))
            row = self._row(number, index)
            pieces.append(row[4:][:left])
            left -= len(pieces[-1])
            index, number = (row[0], int.from_bytes(row[1:4], "little")) if len(row) > 4 else (0, 0)
        return b"".join(pieces)
