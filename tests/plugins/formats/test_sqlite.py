"""SQLite databases: tables, types, views and virtual tables, schemas that do harm, damage."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sidecar_sqlite import SqliteFormat
from support.formats.plugin_reading import of, read

from sidecar.api import DamagedError, FormatError, Limits, ParsedDocument, Source, Table

SQLITE = SqliteFormat()


def database(*statements: str) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as made:
        for statement in statements:
            made.execute(statement)
        made.commit()
        return made.serialize()


def rows(document: ParsedDocument) -> list[Sequence[str]]:
    return [row for table in of(document, Table) for row in table.rows]


BIRDS = (
    'CREATE TABLE "My ""birds""" (name TEXT, seen INTEGER, weight REAL, photo BLOB)',
    """INSERT INTO "My ""birds\"\"" VALUES ('Käkapo', 7, 2.5, x'00ff'), (NULL, NULL, NULL, NULL)""",
)


def test_tables_are_sheets() -> None:
    made = database(
        *BIRDS, "CREATE VIEW heavy AS SELECT 1", "CREATE TABLE a (x)", "CREATE INDEX i ON a (x)",
        "CREATE VIRTUAL TABLE words USING fts5(text)", "INSERT INTO words VALUES ('found')",
    )  # fmt: skip
    found = read(SQLITE, made, "a.db")
    assert [(part.kind, part.name) for part in found.parts] == [("sheet", 'My "birds"'), ("sheet", "a")]
    assert rows(found) == [("name", "seen", "weight", "photo"), ("Käkapo", "7", "2.5", ""), ("",) * 4, ("x",)]
    assert found.metadata == {"tables": "2", "views": "heavy"}
    assert [notice.code for notice in found.notices] == ["left_out"]


def test_a_database_that_another_program_writes_to_is_read_all_the_same() -> None:
    made = bytearray(database(*BIRDS))
    made[18:20] = b"\2\2"
    assert len(rows(read(SQLITE, bytes(made), "a.db"))) == 3


def test_a_table_that_cannot_be_read_costs_itself_alone() -> None:
    made = database("CREATE TABLE t (a)", "INSERT INTO t VALUES (randomblob(9000))", "CREATE TABLE u (c)")
    found = read(SQLITE, made[: 3 * 4096] + bytes(len(made) - 3 * 4096), "a.db")
    assert [part.name for part in found.parts] == ["t", "u"]
    assert "damaged_part" in {notice.code for notice in found.notices}


def test_long_tables_are_cut_and_said() -> None:
    found = read(SQLITE, database(*BIRDS), "a.db", Limits(max_text_chars=1))
    assert [notice.code for notice in found.notices] == ["truncated_at"]


@pytest.mark.parametrize(("name", "data", "score"), [
    ("a.db", database(*BIRDS), 95), ("a.bin", database(*BIRDS), 95), ("Thumbs.db", b"\xd0\xcf\x11\xe0", 0),
])  # fmt: skip
def test_scores(name: str, data: bytes, score: int) -> None:
    assert SQLITE.score(Source.of_bytes(data, name)) == score


def test_damage_is_told() -> None:
    broken = database("CREATE TABLE t (a)", "CREATE INDEX abc ON t (a)").replace(b"INDEX abc ON", b"IND\xe2X abc ON")
    for data in (b"SQLite format 3\0" + bytes(4000), broken):
        with pytest.raises(DamagedError):
            SQLITE.parse(Source.of_bytes(data, "a.db"), Limits())


MADE = database(*BIRDS)


@given(st.lists(st.tuples(st.integers(16, len(MADE) - 1), st.integers(0, 255)), max_size=8))
def test_damaged_files_end_in_a_document_or_a_sentence(changes: list[tuple[int, int]]) -> None:
    spoiled = bytearray(MADE)
    for at, byte in changes:
        spoiled[at] = byte
    with contextlib.suppress(FormatError):
        assert SQLITE.parse(Source.of_bytes(bytes(spoiled), "a.db"), Limits()).parts is not None
