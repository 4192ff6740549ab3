"""dBase tables: types of fields, code pages, deleted records, memos, and what is not a table."""

from __future__ import annotations

import struct

import pytest
from sidecar_dbase import DbaseFormat
from support.databases.dbase_tables import dbase
from support.formats.plugin_reading import of, read

from sidecar.api import DamagedError, Limits, ParsedDocument, Source, Table

DBASE = DbaseFormat()
PLAIN = [("NAME", "C", 12, 0), ("QTY", "N", 8, 2)]


def rows(document: ParsedDocument) -> list[tuple[str, ...]]:
    return [row for table in of(document, Table) for row in table.rows]


def test_fields_are_columns_and_records_rows() -> None:
    document = read(DBASE, dbase(PLAIN, [(b"Tuatara", b"   12.50"), (b"007", b"")]), "birds.dbf")
    assert rows(document) == [("NAME", "QTY"), ("Tuatara", "12.50"), ("007", "")]
    assert of(document, Table)[0].header_rows == 1
    assert (document.parts[0].kind, document.parts[0].title) == ("sheet", "birds")


@pytest.mark.parametrize(
    ("kind", "size", "data", "shown"),
    [
        ("D", 8, b"20240229", "2024-02-29"),
        ("D", 8, b"", ""),
        ("L", 1, b"y", "true"),
        ("L", 1, b"F", "false"),
        ("L", 1, b"?", ""),
        ("I", 4, struct.pack("<i", -7), "-7"),
        ("B", 8, struct.pack("<d", 2.25), "2.25"),
        ("Y", 8, struct.pack("<q", 123_400), "12.34"),
        ("T", 8, struct.pack("<iI", 2_460_370, 47_106_000), "2024-02-29 13:05:06"),
        ("T", 8, bytes(8), ""),
        ("M", 10, b"         1", "(memo)"),
        ("M", 4, bytes(4), ""),
        ("C", 300, b"x" * 300, "x" * 300),
    ],
)
def test_types_of_fields(kind: str, size: int, data: bytes, shown: str) -> None:
    document = read(DBASE, dbase([("A", kind, size, 0), ("B", "C", 3, 0)], [(data, b"end")], version=0x30), "t.dbf")
    assert rows(document)[1] == (shown, "end")


@pytest.mark.parametrize(
    ("kind", "size", "data", "shown"),
    [
        ("I", 4, struct.pack(">I", 2**31 - 7), "-7"),
        ("+", 4, struct.pack(">I", 2**31 + 12), "12"),
        ("O", 8, b"\xc0" + struct.pack(">d", 2.25)[1:], "2.25"),
        ("O", 8, bytes(byte ^ 0xFF for byte in struct.pack(">d", -2.5)), "-2.5"),
    ],
)
def test_numbers_of_level_7_sort_as_bytes(kind: str, size: int, data: bytes, shown: str) -> None:
    """dBASE 7 turns the sign of a number round, and all bits of a negative fraction."""
    document = read(DBASE, dbase([("A", kind, size, 0), ("B", "C", 3, 0)], [(data, b"end")], version=4), "t.dbf")
    assert rows(document) == [("A", "B"), (shown, "end")]


def test_times_of_level_7_are_told_to_be_missing() -> None:
    document = read(
        DBASE, dbase([("A", "@", 8, 0), ("B", "C", 3, 0)], [(b"\x42" + bytes(7), b"end")], version=4), "t.dbf"
    )
    assert rows(document) == [("A", "B"), ("", "end")]
    assert [notice.message for notice in document.notices] == ["Times of dBASE 7 are not read: what A says is missing."]


@pytest.mark.parametrize(("driver", "encoding"), [(0xC9, "cp1251"), (0x7B, "cp932"), (0x02, "cp850"), (0, "utf-8")])
def test_code_pages(driver: int, encoding: str) -> None:
    word = {"cp1251": "Привет", "cp932": "東京都庁", "cp850": "Größe", "utf-8": "Zürich, Genève"}[encoding]
    made = dbase([("ORT", "C", 24, 0)], [(word.encode(encoding),)] * 3, driver=driver)
    assert rows(read(DBASE, made, "t.dbf"))[1] == (word,)


def test_what_is_left_out_is_said() -> None:
    records = [(b"gone", b""), (b"kept", b"1"), (b"gone too", b"")]
    document = read(DBASE, dbase([("A", "C", 9, 0), ("M", "M", 10, 0)], records, deleted=(0, 2)), "t.dbf")
    assert rows(document)[1:] == [("kept", "(memo)")]
    assert [notice.code for notice in document.notices] == ["left_out", "left_out"]
    cut = read(DBASE, dbase(PLAIN, [(b"a", b"1"), (b"b", b"2")])[:-20], "t.dbf")
    assert [notice.code for notice in cut.notices] == ["damaged_part"]
    assert rows(cut)[1:] == [("a", "1")]


def test_what_is_no_table() -> None:
    made = dbase(PLAIN, [(b"a", b"1")])
    assert DBASE.score(Source.of_bytes(made, "t.dbf")) == 90
    assert DBASE.score(Source.of_bytes(made, "t.bin")) == 40
    assert DBASE.score(Source.of_bytes(b"\x03 is no table" * 20, "notes.txt")) == 0
    behind = made[:8] + (len(made) + 1).to_bytes(2, "little") + made[10:]  # its records begin behind its end
    for data in (b"", b"\x03", bytes(70), made[:40], behind):
        with pytest.raises(DamagedError, match=r"t\.dbf"):
            DBASE.parse(Source.of_bytes(data, "t.dbf"), Limits())
