"""Reads a SQLite database: each table is a sheet. Views are named, virtual tables and what they keep are passed over.

The database is opened from its bytes, in memory: neither its file nor one beside it is touched, so what a running
program has not written into it yet (its write-ahead log) is not there. A file may hold a schema that does harm: it is
not trusted, and no view of it is read (https://sqlite.org/security.html)."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from sidecar.api import DamagedError, Limits, Notice, ParsedDocument, Source, UnsupportedError
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.markup.grid import DatabaseSheets
from sidecar.toolkit.text import without_surrogates

_VERSIONS_AT: Final = 18
_ROLLBACK: Final = b"\1\1"
"""Journal modes of a file that needs no write-ahead log."""
_FAULTS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What is raised for damaged databases: the sentence that says what is wrong may be no text either."""
_MAX_CELLS: Final = 1_000_000
_MAX_VALUE_CHARS: Final = 1_000_000
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
    sheets = DatabaseSheets(_MAX_CELLS, limits.max_text_chars)
    for name in tables[: limits.max_parts]:
        if not sheets.add(name, _rows(database, name, sheets.notices)):
            break
    found = tuple(sheets.parts)
    return ParsedDocument(
        metadata={"tables": str(len(tables))} | ({"views": ", ".join(views)} if views else {}),
        parts=found, elements=elements_of(found), notices=tuple(sheets.notices),
    )  # fmt: skip


def _rows(database: sqlite3.Connection, table: str, notices: list[Notice]) -> Iterator[tuple[tuple[str, ...], int]]:
    """The names of the columns, then the values of each row as text and how many are bytes; damage ends them."""
    quoted = table.replace('"', '""')
    try:
        found = database.execute('SELECT * FROM "' + quoted + '"')  # noqa: S608 - a name cannot be a parameter
        yield tuple(_format_value(column[0]) for column in found.description), 0
        for values in found:
            yield tuple(map(_format_value, values)), sum(isinstance(value, bytes) for value in values)
    except _FAULTS as error:
        notices.append(Notice("damaged_part", f"The table {table} cannot be read to its end: {error}."))


def _text(raw: bytes) -> str:
    return without_surrogates(raw.decode("utf-8", "replace"))


def _format_value(value: _Value) -> str:
    if value is None or isinstance(value, bytes):
        return ""
    return str(value)[:_MAX_VALUE_CHARS]
