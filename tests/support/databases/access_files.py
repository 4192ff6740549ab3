"""Access databases written byte by byte, as Jet 3 and Jet 4 do, as far as readers look at them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from sidecar_access.file import JET_3, JET_4, Layout, rc4

__all__ = ["AccessTable", "access", "text"]

Field = tuple[str, int]
"""Name and type; the types of texts, memos, bytes and objects have any size."""
Value = bytes | bool | None
"""As in the file; None for null."""

_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 4, 7: 8, 8: 8, 15: 16, 16: 17}
_SCALE = 2
"""Digits behind the point of all decimals."""


@dataclass
class AccessTable:
    """A table; `moved` rows lie on a page of their own, `deleted` ones are marked so."""

    name: str
    fields: Sequence[Field]
    rows: Sequence[Sequence[Value]]
    flags: int = 0
    moved: Sequence[int] = ()
    deleted: Sequence[int] = ()


@dataclass
class _Pages:
    layout: Layout
    pages: list[bytes] = field(default_factory=list[bytes])

    def add(self, page: bytes) -> int:
        self.pages.append(page.ljust(self.layout.page, b"\0"))
        return len(self.pages) - 1


def text(value: str, *, packed: bool = False, wide: bool = True) -> bytes:
    """A text as a row holds it, for Jet 4 also with one byte a letter."""
    if not wide:
        return value.encode("cp1252")
    return b"\xff\xfe" + value.encode("latin-1") if packed else value.encode("utf-16-le")


def access(
    tables: Sequence[AccessTable], *, old: bool = False, key: int = 0, others: Sequence[tuple[str, int]] = (),
    memos: Sequence[bytes] = (),
) -> bytes:  # fmt: skip
    """A database; `others` are objects by name and type, `memos` rows of the page 3, `key` what its pages are encoded
    with."""
    layout = JET_3 if old else JET_4
    book = _Pages(layout)
    codepage = struct.pack("<H", 1252)
    head = bytearray(b"\0\1\0\0" + b"Standard Jet DB\0" + bytes([0 if old else 1]))
    head = head.ljust(layout.page, b"\0")
    head[0x3C:0x3E], head[0x3E:0x42] = codepage, struct.pack("<I", key)
    head[0x18 : 0x18 + layout.head] = rc4(b"\xc7\xda\x39\x6b", bytes(head[0x18 : 0x18 + layout.head]))
    book.add(bytes(head))
    book.add(b"\1")
    book.add(b"")  # the catalogue's definition
    book.add(_data_page(layout, b"LVAL", list(memos)))
    listed: list[Sequence[Value]] = []
    for table in tables:
        at = book.add(_definition(layout, table.fields))
        _store(book, at, table)
        listed.append((struct.pack("<i", at), text(table.name, wide=not old), struct.pack("<h", 1),
                       struct.pack("<i", table.flags)))  # fmt: skip
    for name, kind in others:
        listed.append((struct.pack("<i", 0), text(name, wide=not old), struct.pack("<h", kind), bytes(4)))
    catalogue = AccessTable("MSysObjects", [("Id", 4), ("Name", 10), ("Type", 3), ("Flags", 4)], listed)
    book.pages[2] = _definition(layout, catalogue.fields).ljust(layout.page, b"\0")
    _store(book, 2, catalogue)
    coded = [rc4((key ^ number).to_bytes(4, "little"), page) if key and number else page
             for number, page in enumerate(book.pages)]  # fmt: skip
    return b"".join(coded)


def _definition(layout: Layout, fields: Sequence[Field]) -> bytes:
    out = bytearray(b"\2\1").ljust(layout.indexes_at + layout.index_size, b"\x77")
    out[4:8] = bytes(4)
    out[layout.columns_at : layout.columns_at + 10] = struct.pack("<HII", len(fields), 1, 1)
    place = variable = 0
    names = b""
    for number, (name, kind) in enumerate(fields):
        size = _SIZES.get(kind, 0)
        out += layout.column.pack(kind, number, variable, 18, _SCALE, int(bool(size)), place, size)
        place, variable = (place + size, variable) if size else (place, variable + 1)
        raw = text(name, wide=layout.wide)
        names += struct.pack("<H" if layout.wide else "<B", len(raw)) + raw
    return bytes(out) + names


def _store(book: _Pages, definition: int, table: AccessTable) -> None:
    layout = book.layout
    owner = struct.pack("<I", definition)
    rows = [_row(layout, table.fields, row) for row in table.rows]
    flags = [0x8000 if number in table.deleted else 0 for number in range(len(rows))]
    for number in table.moved:
        there = book.add(_data_page(layout, owner, [b"x", rows[number]], [0x8000, 0x8000]))
        rows[number], flags[number] = bytes([1]) + there.to_bytes(3, "little"), 0x4000
    book.add(_data_page(layout, owner, rows, flags))


def _data_page(layout: Layout, owner: bytes, rows: Sequence[bytes], flags: Sequence[int] = ()) -> bytes:
    places, at, body = b"", layout.page, b""
    for number, row in enumerate(rows):
        at -= len(row)
        places += struct.pack("<H", at | (flags[number] if flags else 0))
        body = row + body
    head = (b"\1\1\0\0" + owner.ljust(4, b"\0")).ljust(layout.rows_at, b"\0") + struct.pack("<H", len(rows)) + places
    return head + bytes(layout.page - len(head) - len(body)) + body


def _row(layout: Layout, fields: Sequence[Field], values: Sequence[Value]) -> bytes:
    wide = layout.wide
    mask = sum(1 << at for at, value in enumerate(values) if value is not None and value is not False)
    fixed, ends, body = b"", list[int](), b""
    for (_, kind), value in zip(fields, values, strict=True):
        data = value if isinstance(value, bytes) else b""
        if kind in _SIZES:
            fixed += data.ljust(_SIZES[kind], b"\0")
    first = struct.pack("<H" if wide else "<B", len(fields)) + fixed
    ends.append(len(first))
    for (_, kind), value in zip(fields, values, strict=True):
        if kind not in _SIZES:
            body += value if isinstance(value, bytes) else b""
            ends.append(len(first) + len(body))
    nulls = mask.to_bytes((len(fields) + 7) // 8, "little")
    if wide:
        return first + body + struct.pack(f"<{len(ends)}H", *reversed(ends)) + struct.pack("<H", len(ends) - 1) + nulls
    # A jump says with which value the bounds pass 256.
    size = len(first) + len(body) + len(ends) + 1 + len(nulls)
    jumps = [next((at for at, end in enumerate(ends) if end >= 256 * (turn + 1)), 0xFF) for turn in range(size // 256)]
    return (
        first
        + body
        + bytes(end & 255 for end in reversed(ends))
        + bytes(reversed(jumps))
        + bytes([len(ends) - 1])
        + nulls
    )
