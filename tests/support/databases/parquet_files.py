"""Parquet files written field by field: Thrift's compact protocol, pages of columns and the footer behind them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["ParquetColumn", "bit_packed", "leveled", "number", "parquet", "plain_texts", "structure"]

Written = int | bool | bytes | str | list["Written"] | dict[int, "Written"]
_TRUE, _FALSE, _INT64, _BINARY, _LIST, _STRUCT = 1, 2, 6, 8, 9, 12


def number(value: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def structure(fields: Mapping[int, Written]) -> bytes:
    """A structure of Thrift's compact protocol; all numbers are written as those of 64 bits."""
    out = b""
    before = 0
    for place, value in sorted(fields.items()):
        kind = (_TRUE if value else _FALSE) if isinstance(value, bool) else _kind(value)
        out += bytes(((place - before) << 4 | kind,)) + (b"" if isinstance(value, bool) else _written(value))
        before = place
    return out + b"\0"


def _kind(value: Written) -> int:
    return {int: _INT64, bytes: _BINARY, str: _BINARY, list: _LIST, dict: _STRUCT}.get(type(value), _TRUE)


def _written(value: Written) -> bytes:
    if isinstance(value, int):
        return number(value << 1 if value >= 0 else (-value << 1) - 1)
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return number(len(value)) + value
    if isinstance(value, dict):
        return structure(value)
    kind = _kind(value[0]) if value else _STRUCT
    head = bytes((len(value) << 4 | kind,)) if len(value) < 15 else bytes((0xF0 | kind,)) + number(len(value))
    return head + b"".join(map(_written, value))


@dataclass(frozen=True)
class ParquetColumn:
    """A leaf with the bytes of its only page. `type` adds fields to its element of the schema: 6 the converted, 10 the
    logical type, 3 how often it stands (0 once, 1 at most once, 2 many times)."""

    name: str
    physical: int
    page: bytes
    count: int
    type: Mapping[int, Written] = field(default_factory=dict[int, Written])
    encoding: int = 0
    dictionary: tuple[bytes, int] | None = None
    version_2: tuple[int, int] | None = None
    """Bytes of the levels of repetition and of definition, of pages of the second version."""


def parquet(
    columns: Sequence[ParquetColumn],
    rows: int,
    *,
    codec: int = 0,
    pack: Callable[[bytes], bytes] = bytes,
    claimed: int | None = None,
) -> bytes:
    """A file of one group of rows. `claimed` is what each page is said to unpack to, else what it does."""
    out = bytearray(b"PAR1")
    chunks: list[Written] = []
    schema: list[Written] = [{4: "schema", 5: len(columns)}]
    for column in columns:
        first = len(out)
        described: dict[int, Written] = {1: column.physical, 3: [column.name], 4: codec, 5: column.count}
        if column.dictionary:
            body, count = column.dictionary
            packed = pack(body)
            out += structure({1: 2, 2: len(body), 3: len(packed), 7: {1: count, 2: 0}}) + packed
            described[11] = first
        described[9] = len(out)
        size = len(column.page) if claimed is None else claimed
        out += _page(column, size, pack)
        described[7] = len(out) - first
        chunks.append({2: first, 3: described})
        schema.append({1: column.physical, 3: 0, 4: column.name, **column.type})
    footer = structure({1: 1, 2: schema, 3: rows, 4: [{1: chunks, 2: len(out), 3: rows}], 6: "made by hand"})
    return bytes(out) + footer + struct.pack("<I", len(footer)) + b"PAR1"


def _page(column: ParquetColumn, size: int, pack: Callable[[bytes], bytes]) -> bytes:
    if column.version_2 is None:
        packed = pack(column.page)
        return structure({1: 0, 2: size, 3: len(packed), 5: {1: column.count, 2: column.encoding, 3: 3, 4: 3}}) + packed
    repetition, definition = column.version_2
    packed = column.page[: repetition + definition] + pack(column.page[repetition + definition :])
    told: dict[int, Written] = {1: column.count, 4: column.encoding, 5: definition, 6: repetition, 7: True}
    return structure({1: 3, 2: size, 3: len(packed), 8: told}) + packed


def plain_texts(*texts: str) -> bytes:
    """Each text behind its length."""
    return b"".join(struct.pack("<I", len(text.encode())) + text.encode() for text in texts)


def bit_packed(values: Sequence[int], width: int) -> bytes:
    """One run of numbers of `width` bits, filled up to eights."""
    groups = -(-len(values) // 8)
    whole = sum(value << (place * width) for place, value in enumerate(values))
    return number(groups << 1 | 1) + whole.to_bytes(groups * width, "little")


def leveled(*levels: Sequence[int], width: int = 1) -> bytes:
    """Levels as a page of the first version begins with them, behind their lengths."""
    runs = [bit_packed(one, width) for one in levels]
    return b"".join(struct.pack("<I", len(run)) + run for run in runs)
