"""Avro object container files, written record by record."""

from __future__ import annotations

import bz2
import lzma
import struct
import zlib
from typing import Any

import pytest
from contract.conformance import outcome
from sidecar_parquet import ParquetFormat
from support.databases.record_files import avro
from support.databases.record_files import avro_long as number
from support.databases.record_files import avro_text as text
from support.formats.plugin_reading import of, read

from sidecar.api import DamagedError, Limits, Source, Table

AVRO = ParquetFormat()


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def in_snappy(data: bytes) -> bytes:
    """One literal, its size before it and its checksum behind it."""
    assert 60 <= len(data) < 128
    return bytes([len(data), 60 << 2, len(data) - 1]) + data + zlib.crc32(data).to_bytes(4, "big")


ADDRESS = {"type": "record", "name": "Address", "fields": [{"name": "city", "type": "string"}]}
ORDER = {"type": "record", "name": "Order", "namespace": "shop", "fields": [
    {"name": "id", "type": "long"}, {"name": "name", "type": ["null", "string"]}, {"name": "paid", "type": "boolean"},
    {"name": "sum", "type": {"type": "bytes", "logicalType": "decimal", "scale": 2, "precision": 9}},
    {"name": "day", "type": {"type": "int", "logicalType": "date"}},
    {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
    {"name": "share", "type": "double"},
    {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["GIFT", "SALE"]}},
    {"name": "other", "type": "Kind"},
    {"name": "to", "type": ADDRESS}, {"name": "via", "type": ["null", "shop.Address"]},
    {"name": "tags", "type": {"type": "array", "items": "string"}},
    {"name": "counts", "type": {"type": "map", "values": "int"}},
    {"name": "picture", "type": {"type": "fixed", "name": "Two", "size": 2}},
    {"name": "next", "type": ["null", "Order"]},
]}  # fmt: skip


def order(identity: int, via: bytes = number(0), after: bytes = number(0)) -> bytes:
    return b"".join((
        number(identity), number(1), text("Zebra"), b"\1", text(b"\xfb\x2e"), number(19_783), number(1_709_287_200_250),
        struct.pack("<d", 0.5), number(1), number(0), text("Oslo"), via,
        number(-2), number(4), text("a"), text("b"), number(0), number(1), text("k"), number(7), number(0), b"\0\1",
        after,
    ))  # fmt: skip


ROWS = [order(-3), order(4, number(1) + text("Bergen"), number(1) + order(5))]


@pytest.mark.parametrize(("codec", "pack"), [
    ("null", bytes), ("deflate", deflated), ("bzip2", bz2.compress), ("xz", lzma.compress),
])  # fmt: skip
def test_records_are_rows_and_records_in_them_columns(codec: str, pack: Any) -> None:
    data = avro(ORDER, ROWS, codec, pack)
    assert AVRO.score(Source.of_bytes(data, "orders.avro")) == 95
    found = read(AVRO, data, "orders.avro")
    assert of(found, Table)[0].rows == (
        ("id", "name", "paid", "sum", "day", "at", "share", "kind", "other", "to.city", "via.city", "tags", "counts",
         "picture", "next"),
        ("-3", "Zebra", "true", "-12.34", "2024-03-01", "2024-03-01 10:00:00.25", "0.5", "SALE", "GIFT", "Oslo", "",
         "a, b", "k: 7", "", ""),
        ("4", "Zebra", "true", "-12.34", "2024-03-01", "2024-03-01 10:00:00.25", "0.5", "SALE", "GIFT", "Oslo",
         "Bergen", "a, b", "k: 7", "",
         "id: 5; name: Zebra; paid: true; sum: -12.34; day: 2024-03-01; at: 2024-03-01 10:00:00.25; share: 0.5; "
         "kind: SALE; other: GIFT; to: city: Oslo; via: ; tags: a, b; counts: k: 7; picture: ; next: "),
    )  # fmt: skip
    assert [notice.code for notice in found.notices] == ["left_out"]


def test_snappy_and_values_that_are_no_records() -> None:
    words = [text("A text of one value that is long enough to be more than sixty bytes with the size.")]
    found = read(AVRO, avro("string", words, "snappy", in_snappy), "words.avro")
    assert of(found, Table)[0].rows == (("value",), (words[0][2:].decode(),))


def test_damage_and_bombs_end_in_what_is_before_them_or_a_sentence() -> None:
    with pytest.raises(DamagedError, match="damaged Avro"):
        read(AVRO, b"Obj\1" + number(0), "a.avro")
    cut = read(AVRO, avro(ORDER, ROWS)[:-60], "a.avro")
    assert [notice.code for notice in cut.notices][-1:] == ["damaged_part"]
    other = read(AVRO, avro(ORDER, ROWS, "brotli"), "a.avro")
    assert "brotli" in other.notices[-1].message
    nothing = {"type": "array", "items": "null"}
    bomb = read(AVRO, avro(nothing, [number(2**40) + number(0)]), "a.avro")
    assert "more values" in bomb.notices[-1].message
    packed = read(AVRO, avro("bytes", [b"\0" * 2**27], "deflate", deflated), "a.avro")
    assert "more bytes than are allowed" in packed.notices[-1].message
    deep: Any = "int"
    for _ in range(200):
        deep = {"type": "array", "items": deep}
    with pytest.raises(DamagedError):
        read(AVRO, avro(deep, []), "a.avro")
    whole = avro(ORDER, ROWS)
    for at in range(0, len(whole), 7):
        for spoiled in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]):
            outcome(AVRO, Source.of_bytes(spoiled, "a.avro"), Limits())
