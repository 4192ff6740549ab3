"""Reads a Parquet file as a document of one sheet: its first rows, as far as there is room for cells.

After apache/parquet-format (README.md and parquet.thrift). Nested values stand in columns of dotted names, those of a
list in one cell."""

import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Final

from sidecar.api import (
    DamagedError,
    EncryptedError,
    FormatError,
    Limits,
    Notice,
    ParsedDocument,
    Part,
    Source,
    Table,
    UnsupportedError,
)
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.markup.grid import DatabaseSheets
from sidecar.toolkit.text import few
from sidecar_parquet.pages import Cells, cells
from sidecar_parquet.schema import Column, columns
from sidecar_parquet.thrift import ENCRYPTED, MAGIC, Fields, Reader, fields_in, integer, structures, text

_MAX_CELLS: Final = 1_000_000
"""As of SQLite: about 10 s of one processor, and what an assistant asks of by SQL."""
_NAMED: Final = 10
"""Columns that a notice names."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The table as a document of one sheet. Raises FormatError."""
    source.check_size(limits)
    data = source.read(limits.max_file_bytes)
    if data.startswith(ENCRYPTED):
        raise EncryptedError(f"{source.name} is encrypted: its columns cannot be known without its key.")
    size = int.from_bytes(data[-8:-4], "little")
    if not data.startswith(MAGIC) or not data.endswith(MAGIC) or not 0 < size <= len(data) - 12:
        raise DamagedError(f"{source.name} is a damaged Parquet file: no description of its columns at its end.")
    try:
        footer = Reader(data[-8 - size : -8]).structure()
        described = columns(structures(footer, 2))
    except ValueError as error:
        raise DamagedError(
            f"{source.name} is a damaged Parquet file: the description of its columns cannot be read."
        ) from error
    if not described:
        raise DamagedError(f"{source.name} is a Parquet file without columns.")
    sheets = DatabaseSheets(_MAX_CELLS, limits.max_text_chars)
    faults: dict[str, FormatError] = {}
    sheets.add(source.name.rpartition(".")[0] or source.name, _rows(data, footer, described, limits, faults))
    parts = tuple(sheets.parts)
    if len(faults) == len(described) and not any(_cells(parts)):
        error = next(iter(faults.values()))
        raise type(error)(f"No column of {source.name} can be read: {error}.")
    metadata = {"rows": str(integer(footer, 3)), "columns": str(len(described)), "created_by": text(footer, 6)}
    return ParsedDocument(
        media_type="application/vnd.apache.parquet",
        metadata={key: value for key, value in metadata.items() if value},
        parts=parts, elements=elements_of(parts), notices=(*sheets.notices, *_fault_notices(faults)),
    )  # fmt: skip


def _rows(
    data: bytes, footer: Fields, described: Sequence[Column], limits: Limits, faults: dict[str, FormatError]
) -> Iterator[tuple[tuple[str, ...], int]]:
    """The names of the columns, then the rows of one group after the other."""
    yield tuple(column.name for column in described), 0
    left = _MAX_CELLS // len(described) + 1  # one more than there is room for tells that there are more
    for group in structures(footer, 4):
        rows = min(max(integer(group, 3), 0), left)
        if not rows:
            continue
        chunks = structures(group, 1)
        read = [
            _column(data, chunk, column, rows, limits, faults) for chunk, column in zip(chunks, described, strict=False)
        ]
        there = min(max((len(one.texts) for one in read), default=0), rows)
        unseen = sum(one.unseen for one in read)
        empty = ("",) * (len(described) - len(read))
        texts = [one.texts + [""] * (there - len(one.texts)) for one in read]
        for row in islice(zip(*texts, strict=False), there):
            yield (*row, *empty), unseen
            unseen = 0
        left -= there


def _cells(parts: Sequence[Part]) -> Iterator[str]:
    """All below the names of the columns."""
    for part in parts:
        for table in part.blocks:
            if isinstance(table, Table):
                yield from chain.from_iterable(table.rows[table.header_rows :])


def _fault_notices(faults: Mapping[str, FormatError]) -> Iterator[Notice]:
    """Which columns could not be read, by why."""
    for fault in dict.fromkeys(map(str, faults.values())):
        names = [name for name, error in faults.items() if str(error) == fault]
        yield Notice("damaged_part", f"Columns that could not be read to their end ({fault}): {few(names, _NAMED)}.")


def _column(
    data: bytes, chunk: Fields, column: Column, rows: int, limits: Limits, faults: dict[str, FormatError]
) -> Cells:
    try:
        if text(chunk, 1):
            raise UnsupportedError("in another file")
        if 3 not in chunk:
            raise UnsupportedError("encrypted")
        return cells(data, fields_in(chunk, 3), column, rows, limits)
    except FormatError as error:
        faults[column.name] = error
    except (ValueError, IndexError, ArithmeticError, struct.error) as error:
        faults[column.name] = DamagedError(str(error) or "damaged")
    return Cells(column, rows)
