"""Parquet files: types, encodings, packed pages, what is absent, lists, bounds, and what is damaged."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest
from sidecar_parquet import ParquetFormat
from support.databases.parquet_files import ParquetColumn, bit_packed, leveled, number, parquet, plain_texts, structure
from support.formats.plugin_reading import of, read

from sidecar.api import DamagedError, EncryptedError, Limits, ParsedDocument, Source, Table, UnsupportedError

FORMAT = ParquetFormat()
TEXT: Mapping[int, Any] = {6: 0}
BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTES, FIXED = range(8)


def rows(document: ParsedDocument) -> list[tuple[str, ...]]:
    return [row for table in of(document, Table) for row in table.rows]


def column(page: bytes, count: int, physical: int = BYTES, **more: Any) -> list[ParquetColumn]:
    return [ParquetColumn("A", physical, page, count, **more)]


def texts(document: ParsedDocument) -> list[str]:
    return [row[0] for row in rows(document)[1:]]


def test_columns_are_those_of_the_schema_and_the_file_is_a_sheet() -> None:
    made = [
        ParquetColumn("bird", BYTES, plain_texts("Tuatara", "Kiwi é"), 2, TEXT),
        ParquetColumn("count", INT32, struct.pack("<2i", 7, -8), 2),
    ]
    document = read(FORMAT, parquet(made, 2), "birds.parquet")
    assert rows(document) == [("bird", "count"), ("Tuatara", "7"), ("Kiwi é", "-8")]
    assert (document.parts[0].kind, document.parts[0].title) == ("sheet", "birds")
    assert document.metadata == {"rows": "2", "columns": "2", "created_by": "made by hand"}
    assert of(document, Table)[0].header_rows == 1


@pytest.mark.parametrize(
    ("physical", "described", "data", "shown"),
    [
        (BOOLEAN, {}, b"\1", "true"),
        (INT64, {}, struct.pack("<q", -(2**40)), str(-(2**40))),
        (INT32, {6: 13}, struct.pack("<i", -1), "4294967295"),
        (FLOAT, {}, struct.pack("<f", 0.1), "0.1"),
        (DOUBLE, {}, struct.pack("<d", 3.0), "3"),
        (DOUBLE, {}, struct.pack("<d", float("nan")), ""),
        (INT32, {6: 6}, struct.pack("<i", 19_000), "2022-01-08"),
        (INT32, {10: {6: {}}}, struct.pack("<i", -1), "1969-12-31"),
        (INT64, {6: 9}, struct.pack("<q", 1_577_880_000_500), "2020-01-01 12:00:00.5"),
        (INT64, {10: {8: {1: False, 2: {3: {}}}}}, struct.pack("<q", 10**18 + 5), "2001-09-09 01:46:40.000000005"),
        (INT64, {6: 8}, struct.pack("<q", 45_296_000_000), "12:34:56"),
        (INT96, {}, struct.pack("<qi", 3_600 * 10**9, 2_440_589), "1970-01-02 01:00:00"),
        (INT32, {6: 5, 7: 2, 8: 9}, struct.pack("<i", -5), "-0.05"),
        (FIXED, {2: 3, 10: {5: {1: 1, 2: 5}}}, (12_345).to_bytes(3, "big"), "1234.5"),
        (FIXED, {2: 16, 10: {14: {}}}, bytes(range(16)), "00010203-0405-0607-0809-0a0b0c0d0e0f"),
        (FIXED, {2: 2, 10: {15: {}}}, struct.pack("<e", 1.5), "1.5"),
        (BYTES, {}, plain_texts("no type says that it is a text"), "no type says that it is a text"),
        (INT64, {6: 9}, struct.pack("<q", 2**62), str(2**62)),
    ],
)
def test_types(physical: int, described: Mapping[int, Any], data: bytes, shown: str) -> None:
    assert texts(read(FORMAT, parquet(column(data, 1, physical, type=described), 1), "t.parquet")) == [shown]


def test_bytes_that_are_no_text_are_counted() -> None:
    page = struct.pack("<I", 2) + b"\xff\xfe" + plain_texts("text")
    document = read(FORMAT, parquet(column(page, 2), 2), "t.parquet")
    assert texts(document) == ["", "text"]
    assert [notice.code for notice in document.notices] == ["left_out"]


def _delta(values: list[int], width: int) -> bytes:
    """Numbers whose differences are all of `width` bits and not below 0, in one block of one part of 32."""
    deltas = [after - before for before, after in pairwise(values)]
    packed = sum(delta << (place * width) for place, delta in enumerate(deltas)).to_bytes(32 * width // 8, "little")
    return number(32) + number(1) + number(len(values)) + number(values[0] << 1) + b"\0" + bytes((width,)) + packed


@pytest.mark.parametrize(
    ("encoding", "physical", "page", "shown"),
    [
        (5, INT32, _delta([3, 4, 9], 4), ["3", "4", "9"]),
        (6, BYTES, _delta([1, 2, 3], 4) + b"abbccc", ["a", "bb", "ccc"]),
        (7, BYTES, _delta([0, 2, 3], 4) + _delta([2, 2, 4], 4) + b"ab" + b"cd" + b"efgh", ["ab", "abcd", "abcefgh"]),
        (9, FLOAT, bytes(struct.pack("<3f", 1.5, 2.5, -4)[at] for at in (0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11)),
         ["1.5", "2.5", "-4"]),
        (3, BOOLEAN, struct.pack("<I", 2) + number(3 << 1) + b"\1", ["true", "true", "true"]),
    ],
)  # fmt: skip
def test_encodings(encoding: int, physical: int, page: bytes, shown: list[str]) -> None:
    made = parquet(column(page, 3, physical, encoding=encoding), 3)
    assert texts(read(FORMAT, made, "t.parquet")) == shown


@pytest.mark.parametrize("encoding", [2, 8])
def test_a_dictionary_with_what_is_absent(encoding: int) -> None:
    page = leveled([1, 0, 1, 1]) + b"\1" + bit_packed([1, 0, 1], 1)
    made = column(page, 4, type={3: 1}, encoding=encoding, dictionary=(plain_texts("kiwi", "weka"), 2))
    assert texts(read(FORMAT, parquet(made, 4), "t.parquet")) == ["weka", "", "kiwi", "weka"]


def test_lists_stand_in_one_cell() -> None:
    page = leveled([0, 1, 0, 0], [1, 1, 0, 1]) + plain_texts("a", "b", "c")
    assert texts(read(FORMAT, parquet(column(page, 4, type={3: 2}), 3), "t.parquet")) == ["a, b", "", "c"]


def test_pages_of_the_second_version() -> None:
    levels = bit_packed([1, 0, 1], 1)
    made = column(levels + plain_texts("a", "c"), 3, type={3: 1}, version_2=(0, len(levels)))
    assert texts(read(FORMAT, parquet(made, 3, codec=2, pack=gzip.compress), "t.parquet")) == ["a", "", "c"]


PLAIN = plain_texts(*["kiwi"] * 9)


def _snappy(data: bytes) -> bytes:
    """The first text as it is, then once more and seven times by copies of themselves."""
    copies = bytes(((8 - 4) << 2 | 1, 8)) + bytes(((56 - 1) << 2 | 2,)) + struct.pack("<H", 8)
    return number(len(data)) + bytes((7 << 2,)) + data[:8] + copies


def _lz4(data: bytes) -> bytes:
    return bytes((8 << 4 | 15,)) + data[:8] + struct.pack("<H", 8) + bytes((56 - 15 - 4,)) + b"\x80" + data[64:]


@pytest.mark.parametrize(("codec", "pack"), [(1, _snappy), (2, gzip.compress), (7, _lz4)])
def test_packed_pages(codec: int, pack: Callable[[bytes], bytes]) -> None:
    made = parquet(column(PLAIN, 9, type=TEXT), 9, codec=codec, pack=pack)
    assert texts(read(FORMAT, made, "t.parquet")) == ["kiwi"] * 9


def test_a_method_that_is_not_read_is_named() -> None:
    with pytest.raises(UnsupportedError, match="Brotli"):
        read(FORMAT, parquet(column(PLAIN, 9), 9, codec=4), "t.parquet")


def test_a_damaged_column_leaves_the_others() -> None:
    made = [ParquetColumn("A", BYTES, struct.pack("<I", 99) + b"kiwi", 1), ParquetColumn("B", INT32, bytes(4), 1)]
    document = read(FORMAT, parquet(made, 1), "t.parquet")
    assert rows(document)[1:] == [("", "0")]
    assert "A" in document.notices[0].message
    assert document.notices[0].code == "damaged_part"


@pytest.mark.parametrize(
    "made",
    [
        parquet(column(gzip.compress(bytes(2**21)), 9), 9, codec=2, claimed=2**31),
        parquet(column(number(2**31 << 1) + b"\1", 2**31 - 1, encoding=8), 2**62),
        parquet(column(number(2**20) + number(1) + number(2**40) + b"\0\0\0", 2**31 - 1, INT32, encoding=5), 2**62),
        parquet(column(number(2**60) + number(1) + number(2**60) + b"\0\0\0", 9, INT32, encoding=5), 9),
    ],
    ids=["ratio", "run", "deltas", "block"],
)  # fmt: skip
def test_no_more_is_made_than_the_bytes_hold(made: bytes) -> None:
    with pytest.raises(DamagedError):
        read(FORMAT, made, "t.parquet")


def test_more_rows_than_there_is_room_for_are_told() -> None:
    page = struct.pack("<I", 4) + number(1_000 << 1) + b"\1"
    made = parquet(column(page, 1_000, BOOLEAN, encoding=3), 1_000)
    document = read(FORMAT, made, "t.parquet", Limits(max_text_chars=400))
    assert len(rows(document)) < 200
    assert [notice.code for notice in document.notices] == ["truncated_at"]


@pytest.mark.parametrize("data", [b"PAR1", b"PAR1" + bytes(20) + b"PAR1", b"PAR1\0\1\0\0\0PAR1", parquet([], 0)])
def test_what_is_no_parquet_file(data: bytes) -> None:
    with pytest.raises(DamagedError):
        read(FORMAT, data, "t.parquet")


def test_a_structure_that_nests_without_end() -> None:
    footer = b"\x1c" * 5000
    with pytest.raises(DamagedError):
        read(FORMAT, b"PAR1" + footer + struct.pack("<I", len(footer)) + b"PAR1", "t.parquet")


def test_an_encrypted_file() -> None:
    with pytest.raises(EncryptedError):
        read(FORMAT, b"PARE" + structure({1: 1}) + bytes(4) + b"PARE", "t.parquet")


def test_recognised_by_its_first_bytes() -> None:
    assert FORMAT.score(Source.of_bytes(parquet(column(PLAIN, 9), 9), "data")) == 95
    assert FORMAT.score(Source.of_bytes(b"no", "t.parquet")) == 10
