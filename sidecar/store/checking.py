"""Looks the index through for damage, a little at a time: SQLite's own check table by table, then every record that
SQLite knows only as bytes. Mends nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from sidecar.api import DamagedIndexError, Element, Embed, Notice, decode_blocks
from sidecar.store.database.opening import connect
from sidecar.store.database.pool import Connection
from sidecar.store.database.session import Session, is_damage
from sidecar.store.documents.records import decode_table

_ROWS: Final = 200
"""Records decoded at a stretch: some 10 MB of text at most, 50 ms."""
_OK: Final = "ok"


class _Encoded(NamedTuple):
    """A table whose `column` holds what `decode` reads, of the version that another column names."""

    table: str
    version: str
    column: str
    decode: Callable[[bytes], object]


_ENCODED: Final = (
    _Encoded("segments", "version_id", "data", decode_blocks),
    _Encoded("elements", "version_id", "data", msgspec.msgpack.Decoder(Element).decode),
    _Encoded("embeds", "version_id", "data", msgspec.msgpack.Decoder(Embed).decode),
    _Encoded("tables", "version_id", "data", decode_table),
    _Encoded("versions", "id", "metadata", msgspec.msgpack.Decoder(dict[str, str]).decode),
    _Encoded("versions", "id", "notices", msgspec.msgpack.Decoder(tuple[Notice, ...]).decode),
    _Encoded("versions", "id", "counts", msgspec.msgpack.Decoder(tuple[dict[str, int], dict[str, int]]).decode),
)
"""Segments carry zlib's checksum."""


@dataclass(frozen=True)
class Damage:
    """What a check found. `index` is SQLite's remark on the file itself, "" where it is sound; `versions` are those
    whose records cannot be decoded; `finished` is False where the check was broken off, and nothing is known of the
    rest."""

    index: str = ""
    versions: tuple[int, ...] = ()
    finished: bool = True


async def find_damage(path: Path, go_on: Callable[[], bool]) -> Damage:
    """Check on a connection and thread of its own, as long as `go_on` says so, which is asked between steps. Broken off
    at once when cancelled."""
    versions: set[int] = set()
    try:
        connection = await Connection.open(lambda: connect(path, writer=False))
    except sqlite3.Error as error:
        return Damage(str(error)) if is_damage(error) else Damage(finished=False)
    try:
        for table in await connection.call(_tables):
            if not go_on():
                return Damage(finished=False)
            if (found := await connection.call(partial(_quick_check, table=table))) != _OK:
                return Damage(found)
        for encoded in _ENCODED:
            last: int | None = 0
            while last is not None:
                if not go_on():
                    return Damage("", tuple(versions), finished=False)
                last, found = await connection.call(partial(_undecodable, encoded=encoded, after=last))
                versions |= found
    except sqlite3.Error as error:
        return Damage(str(error)) if is_damage(error) else Damage(finished=False)
    except asyncio.CancelledError:
        connection.interrupt_now()
        raise
    finally:
        await asyncio.shield(asyncio.ensure_future(connection.close()))
    return Damage("", tuple(sorted(versions)))


def _tables(session: Session) -> list[str]:
    """Tables that have pages; FTS5's are ordinary tables below its virtual one."""
    query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name"
    return [name for (name,) in session.rows(query)]


def _quick_check(session: Session, table: str) -> str:
    return session.one(f"PRAGMA quick_check('{table}')")


def _undecodable(session: Session, encoded: _Encoded, after: int) -> tuple[int | None, set[int]]:
    """The last of some rows after row `after`, None where there are no more, and versions whose bytes do not decode."""
    columns = f"rowid, {encoded.version}, {encoded.column} FROM {encoded.table}"
    rows = session.rows(f"SELECT {columns} WHERE rowid > ? ORDER BY rowid LIMIT ?", (after, _ROWS))  # ours
    bad: set[int] = set()
    for _, owner, data in rows:
        try:
            encoded.decode(data)
        except (msgspec.DecodeError, DamagedIndexError):
            bad.add(owner)
    return (rows[-1][0] if rows else None), bad
