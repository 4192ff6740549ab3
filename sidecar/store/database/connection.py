"""Connections: aiosqlite's threads, and one whole function a hop on them. Also turns SQLite's errors into sentences.

aiosqlite runs each call on the connection's own thread, so a transaction of twenty statements would cost twenty hops
through the event loop (measured: 1.7 ms against 0.1 ms, and a cancelled task could stop half-way). Its public API
takes no function; `sqlite3.connect` however takes a `factory`, so our connection class answers the statement `RUN`
by calling the function given as its parameter. The function runs to its end whatever happens to the awaiting task.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from sidecar.api import StoreError

Result = TypeVar("Result")

RUN = "RUN"
BUSY_SECONDS = 5.0
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class _Answer(sqlite3.Cursor):
    """What `RUN` gives: one row with the function's result."""

    result: Any = None

    def fetchall(self) -> list[Any]:
        return [self.result]


class Session(sqlite3.Connection):
    """A connection on its thread. Every function given to `RUN` gets it, inside a transaction of its own."""

    opening: str = "BEGIN"

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        if sql != RUN:
            return super().execute(sql, parameters)
        (work,) = parameters
        super().execute(self.opening)
        try:
            result = work(self)
            super().execute("COMMIT")
        except BaseException:
            if self.in_transaction:
                super().execute("ROLLBACK")
            raise
        answer = _Answer(self)
        answer.result = result
        return answer

    def one(self, sql: str, parameters: Any = ()) -> Any:
        """The first column of the first row, None where there is no row."""
        row = super().execute(sql, parameters).fetchone()
        return None if row is None else row[0]

    def rows(self, sql: str, parameters: Any = ()) -> list[Any]:
        return super().execute(sql, parameters).fetchall()


class WriteSession(Session):
    """The writer's connection takes the write lock at once: it waits for others before it begins, not half-way."""

    opening = "BEGIN IMMEDIATE"


async def connect(path: Path, *, writer: bool) -> aiosqlite.Connection:
    """A connection to an absolute `path`; readers can only read. The caller closes it, or the process never ends."""
    mode = "rwc" if writer else "ro"
    connection = await aiosqlite.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        timeout=BUSY_SECONDS,
        factory=WriteSession if writer else Session,
        cached_statements=256,
    )
    try:
        settings = ["foreign_keys=ON", "temp_store=MEMORY"]
        settings += ["synchronous=NORMAL", "cache_size=-8000"] if writer else ["query_only=ON"]
        for setting in settings:
            await connection.execute_fetchall(f"PRAGMA {setting}")
    except BaseException:
        await connection.close()
        raise
    return connection


async def run(connection: aiosqlite.Connection, work: Callable[[Session], Result]) -> Result:
    """Run `work` on the connection's thread in one transaction, in one hop."""
    (result,) = await connection.execute_fetchall(RUN, (work,))
    return result  # pyright: ignore[reportReturnType]  # aiosqlite types every row as sqlite3.Row


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the error says that the file itself is broken, not that it is busy, full or out of reach."""
    return _primary(error) in _DAMAGE


def explain(error: sqlite3.Error, path: Path) -> StoreError:
    """The sentence for an error of SQLite."""
    code = _primary(error)
    if code in _DAMAGE:
        return StoreError(f"The index {path} is damaged ({error}); restart docsidecar and it will be rebuilt.")
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"No space is left for the index {path}; free some and it will go on.")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN):
        return StoreError(f"The index {path} cannot be written ({error}); check the rights of the data directory.")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(f"The index {path} is kept busy by another process; try again.")
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(f"The index {path} cannot be read or written ({error}); check the disk and its free space.")
    return StoreError(f"The index {path} cannot be used: {error}.")


def _primary(error: sqlite3.Error) -> int:
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else 0
