"""Access databases: types of columns, texts and memos, rows that moved or are deleted, what is encoded or damaged."""

from __future__ import annotations

import contextlib
import struct
import uuid

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sidecar_access import AccessFormat
from support.databases.access_files import AccessTable, access, text
from support.formats.plugin_reading import of, read

from sidecar.api import DamagedError, EncryptedError, FormatError, Limits, ParsedDocument, Source, Table

ACCESS = AccessFormat()
TEXT, MEMO, OBJECT = 10, 12, 11
GUID = uuid.UUID("12345678-1234-5678-1234-567812345678")


def rows(document: ParsedDocument) -> list[tuple[str, ...]]:
    return [row for table in of(document, Table) for row in table.rows]


@pytest.mark.parametrize("old", [False, True])
def test_tables_are_sheets(old: bool) -> None:
    wide = not old
    birds = AccessTable(
        "Birds", [("Name", TEXT), ("Seen", 4), ("Rare", 1), ("Place", TEXT)],
        [
            (text("Käkapo", wide=wide), struct.pack("<i", -7), True, text("x" * 300, wide=wide)),
            (text("gone", wide=wide), struct.pack("<i", 1), True, None),
            (None, None, False, text("Ulva", wide=wide)),
            (text("Weka", wide=wide), struct.pack("<i", 2), False, text("", wide=wide)),
        ],
        moved=[3], deleted=[1],
    )  # fmt: skip
    hidden = AccessTable("MSysRest", [("A", 4)], [(bytes(4),)])
    kept = AccessTable("Kept", [("A", 4)], [(bytes(4),)], flags=-0x80000000)
    found = read(ACCESS, access([birds, hidden, kept], old=old, others=[("Rare birds", 5), ("Far away", 6)]), "a.mdb")
    assert [part.name for part in found.parts] == ["Birds"]
    assert rows(found) == [
        ("Name", "Seen", "Rare", "Place"), ("Käkapo", "-7", "true", "x" * 300), ("", "", "false", "Ulva"),
        ("Weka", "2", "false", ""),
    ]  # fmt: skip
    assert found.metadata == {"tables": "1", "queries": "Rare birds"}
    assert [notice.code for notice in found.notices] == ["external_content"]


@pytest.mark.parametrize(
    ("kind", "data", "shown"),
    [
        (2, b"\xfe", "254"),
        (3, struct.pack("<h", -300), "-300"),
        (5, struct.pack("<q", -123_400), "-12.34"),
        (6, struct.pack("<f", 0.1), "0.1"),
        (7, struct.pack("<d", 2.25), "2.25"),
        (8, struct.pack("<d", 45351.5), "2024-02-29 12:00:00"),
        (8, struct.pack("<d", 45351), "2024-02-29"),
        (8, struct.pack("<d", 0.25), "06:00:00"),
        (8, struct.pack("<d", 1e300), ""),
        (15, GUID.bytes_le, str(GUID)),
        (16, b"\x80" + struct.pack("<4I", 0, 0, 0, 12345), "-123.45"),
        (TEXT, text("Zoë", packed=True), "Zoë"),
        (TEXT, b"\xff\xfeab\0" + "東京".encode("utf-16-le") + b"\0cd", "ab東京cd"),
        (MEMO, struct.pack("<I8x", 0x80000000 | 4) + text("so"), "so"),
        (MEMO, struct.pack("<IBHB4x", 0x40000000 | 8, 0, 3, 0), "long"),
        (MEMO, struct.pack("<IBHB4x", 12, 1, 3, 0), "first…"),
        (MEMO, struct.pack("<IBHB4x", 400, 3, 3, 0), "again"),
        (MEMO, b"short", ""),
        (OBJECT, struct.pack("<I8x", 0x80000000 | 4) + b"BM..", ""),
        (99, b"what", ""),
    ],
)
def test_types_of_columns(kind: int, data: bytes, shown: str) -> None:
    memos = [
        text("long"), b"\2\3\0\0" + text("firs"), bytes(4) + text("t…"), b"\3\3\0\0" + text("again"),
    ]  # fmt: skip
    made = access([AccessTable("T", [("A", kind), ("B", TEXT)], [(data, text("end"))])], memos=memos)
    found = read(ACCESS, made, "t.mdb")
    assert rows(found)[1] == (shown, "end")
    assert [notice.code for notice in found.notices] == (["left_out"] if kind == OBJECT else [])


def test_what_cannot_be_read_says_why() -> None:
    table = AccessTable("T", [("A", TEXT)], [(text("words"),)])
    encoded = access([table], key=0x1234567)
    assert rows(read(ACCESS, encoded, "a.mdb")) == [("A",), ("words",)]
    locked = encoded[:4096] + bytes(byte ^ 0x5A for byte in encoded[4096:])
    for data, error in ((locked, EncryptedError), (encoded[:30], DamagedError), (access([table])[:8192], DamagedError)):
        with pytest.raises(error):
            ACCESS.parse(Source.of_bytes(data, "a.mdb"), Limits())
    for other in (b"Only some words in a file.\n" * 400, bytes(range(256)) * 32):
        with pytest.raises(DamagedError, match="not an Access database"):
            ACCESS.parse(Source.of_bytes(other, "a.mdb"), Limits())
    cut = read(ACCESS, access([table]), "a.mdb", Limits(max_text_chars=1))
    assert [notice.code for notice in cut.notices] == ["truncated_at"]


@pytest.mark.parametrize(("name", "data", "score"), [
    ("a.mdb", access([]), 95), ("a.bin", access([]), 95), ("a.accdb", b"Standard Jet DB", 10), ("a.bin", b"", 0),
])  # fmt: skip
def test_scores(name: str, data: bytes, score: int) -> None:
    assert ACCESS.score(Source.of_bytes(data, name)) == score


MADE = access([AccessTable("T", [("A", TEXT), ("B", MEMO)], [(text("words"), struct.pack("<IBHB4x", 9, 0, 3, 0))])])
USED = [at for at, byte in enumerate(MADE) if byte][60:]


@given(st.lists(st.tuples(st.sampled_from(USED), st.integers(0, 255)), max_size=8))
@example([(8297, 8), (28651, 169)])  # more columns than the row has bits for
def test_damaged_files_end_in_a_document_or_a_sentence(changes: list[tuple[int, int]]) -> None:
    spoiled = bytearray(MADE)
    for at, byte in changes:
        spoiled[at] = byte
    with contextlib.suppress(FormatError):
        assert ACCESS.parse(Source.of_bytes(bytes(spoiled), "a.mdb"), Limits()).parts is not None


def test_a_catalogue_with_any_byte_spoiled_is_read_or_refused() -> None:
    made = access([AccessTable("Birds", [("Name", TEXT)], [(text("Weka"),)])])
    page = 2 * 4096  # where the catalogue says what its columns are
    spoiled = 0
    for at in (place for place in range(page, page + 4096) if made[place]):
        data = bytearray(made)
        data[at] = 1
        with contextlib.suppress(FormatError):
            read(ACCESS, bytes(data), "a.mdb")
        spoiled += 1
    assert spoiled > 20, "nothing is looked through"
