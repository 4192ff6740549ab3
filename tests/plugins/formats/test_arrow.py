"""Arrow files and streams: columns of many types, packed buffers, dictionaries, batches, damaged ones."""

from __future__ import annotations

import random

import pytest
from sidecar_parquet import ParquetFormat
from support.databases.arrow_files import LONG, OLD, PACKED, PACKED_ZSTD, ROWS, STREAM
from support.formats.plugin_reading import of, read, read_broken

from sidecar.api import DamagedError, Limits, ParsedDocument, Source, Table, UnsupportedError

TABLES = ParquetFormat()


def rows(document: ParsedDocument) -> list[tuple[str, ...]]:
    return [row for table in of(document, Table) for row in table.rows]


@pytest.mark.parametrize(("data", "name"), [
    (PACKED, "birds.feather"), (PACKED_ZSTD, "birds.arrow"), (STREAM, "birds.arrows"),
])  # fmt: skip
def test_columns_of_all_types(data: bytes, name: str) -> None:
    """As pyarrow reads them; bytes that are not text are told."""
    source = Source.of_bytes(data, name)
    assert TABLES.score(source) >= 90
    document = read(TABLES, data, name)
    assert rows(document) == ROWS
    assert [(notice.code, "1 values of birds" in notice.message) for notice in document.notices] == [("left_out", True)]
    assert document.metadata == {"columns": "11"}


def test_blocks_that_copy_from_those_before_them() -> None:
    document = read(TABLES, LONG, "long.feather")
    assert rows(document)[1:] == [(str(at % 3),) for at in range(20_000)]


def test_what_is_not_read() -> None:
    with pytest.raises(UnsupportedError, match="first version"):
        TABLES.parse(Source.of_bytes(OLD, "old.feather"), Limits())
    for data in (b"ARROW1\0\0", b"ARROW1", b"words", PACKED[:60], b"\xff\xff\xff\xff\x10\0\0\0" + bytes(16)):
        with pytest.raises(DamagedError):
            TABLES.parse(Source.of_bytes(data, "birds.arrow"), Limits())


def test_batches_before_the_damage_are_read() -> None:
    """The stream's second batch is cut off."""
    document = read(TABLES, STREAM[: len(STREAM) * 3 // 4], "birds.arrows")
    assert rows(document)[:3] == ROWS[:3]


def test_hostile_bytes_end_in_a_document_or_an_error() -> None:
    noise = random.Random(5)
    for sound in (PACKED, STREAM):
        read_broken(TABLES, sound, "birds.arrows", noise, kept=6, times=300)
