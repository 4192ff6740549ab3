"""Reads a SQLite database: each table is a sheet. Views are named, virtual tables and what they keep are passed over.

The database is opened from its bytes, in memory: neither its file nor one beside it is touched, so what a running
program has not written into it yet (its write-ahead log) is not there. A file may hold a schema that does harm: it is
not trusted, and no view of it is read (https://sqlite.org/security.html)."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final

from sidecar.api import DamagedError, Limits, Notice, ParsedDocument, Part, Source, UnsupportedError
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.markup.grid import table_windows
from sidecar.toolkit.text import without_surrogates

_VERSIONS_AT: Final = 18
_ROLLBACK: Final = b"\1\1"
"""Journal modes of a file that needs no write-ahead log."""
_FAULTS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What is raised for damaged databases: the sentence that says what is wrong may be no text either."""
_MOST_CELLS: Final = 1_000_000
_LONGEST: Final = 1_000_000
"""Characters of one value."""
_Value = str | int | float | bytes | None


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The tables as a document of sheets. Raises FormatError."""
    source.check_size(limits)
    try:
        with closing(_opened(source.read(limits.max_file_bytes))) as database:
            return _read(database, limits)
    except _FAULTS as error:
        raise DamagedError(f"{source.name} is a damaged SQLite database: {error}.") from error


def _opened(data: bytes) -> sqlite3.Connection:
    """Raises sqlite3.Error, UnsupportedError."""
    database = sqlite3.connect(":memory:")
    if not hasattr(database, "deserialize"):
        raise UnsupportedError("The SQLite of this Python is too old to read databases from memory.")
    database.deserialize(data[:_VERSIONS_AT] + _ROLLBACK + data[_VERSIONS_AT + len(_ROLLBACK) :])
    database.text_factory = _text
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON"):
        database.execute(f"PRAGMA {setting}")
    return database


def _read(database: sqlite3.Connection, limits: Limits) -> ParsedDocument:
    """Raises sqlite3.Error where even the list of tables cannot be read."""
    listed: list[tuple[str, str]] = database.execute(
        "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ).fetchall()
    tables = sorted(name for name, kind in listed if kind == "table")
    views = sorted(name for name, kind in listed if kind == "view")
    parts: list[Part] = []
    notices: list[Notice] = []
    room, chars = _MOST_CELLS, limits.max_text_chars
    for name in tables[: limits.max_parts]:
        rows: list[tuple[str, ...]] = []
        objects = 0
        try:
            for values in _rows(database, name):
                room -= len(values)
                if room < 0 or chars < 0:
                    break
                rows.append(tuple(map(_shown, values)))
                objects += sum(isinstance(value, bytes) for value in values)
                chars -= sum(map(len, rows[-1]))
        except _FAULTS as error:
            notices.append(Notice("damaged_part", f"The table {name} cannot be read to its end: {error}."))
        blocks = table_windows(rows, header_rows=1) if rows else ()
        parts.append(Part(kind="sheet", name=name, title=name, blocks=tuple(blocks)))
        if objects:
            told = f"{objects:,} values of {name} are pictures, files or bytes and are not shown."
            notices.append(Notice("left_out", told, len(parts)))
        if room < 0 or chars < 0:
            told = f"Only the first {max(len(rows) - 1, 0):,} rows of {name} and nothing behind them were read."
            notices.append(Notice("truncated_at", told, len(parts)))
            break
    found = tuple(parts)
    return ParsedDocument(
        metadata={"tables": str(len(tables))} | ({"views": ", ".join(views)} if views else {}),
        parts=found, elements=elements_of(found), notices=tuple(notices),
    )  # fmt: skip


def _rows(database: sqlite3.Connection, table: str) -> Iterator[Sequence[_Value]]:
    """The names of the columns, then the rows. Raises sqlite3.Error."""
    quoted = table.replace('"', '""')
    found = database.execute('SELECT * FROM "' + quoted + '"')  # noqa: S608 - a name cannot be a parameter
    yield [str(column[0]) for column in found.description]
    yield from found


def _text(raw: bytes) -> str:
    return without_surrogates(raw.decode("utf-8", "replace"))


def _shown(value: _Value) -> str:
    if value is None or isinstance(value, bytes):
        return ""
    return str(value)[:_LONGEST]
