"""Opens the index file: creates it, migrates it, refuses a newer one, sets a damaged one aside and starts anew.

Several sidecars may open one data directory at once, so all of this happens under the lock `open.lock`. Without it
two of them could each take the other's half-made file for a damaged one.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from pathlib import Path

import aiosqlite

from sidecar.api import StoreError
from sidecar.store.database.connection import Session, connect, explain, is_damage, run
from sidecar.store.database.lease import FileLock
from sidecar.store.database.schema import APPLICATION_ID, LAST_ROWS, MIGRATIONS

_WAIT_SECONDS = 30.0


def suspicion(path: Path) -> Path:
    """The mark left beside an index in which damage showed while it was in use; the next opening then checks it."""
    return path.with_name(path.name + ".suspect")


async def open_index(path: Path) -> tuple[aiosqlite.Connection, str]:
    """The writer's connection to a usable index, and "" or a sentence about what had to be done.

    Raises:
        StoreError: made by a newer version, not ours, not writable.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"The data directory {path.parent} cannot be made: {error.strerror}; choose another with --data-dir."
        ) from error
    lock = FileLock(path.with_name("open.lock"))
    deadline = time.monotonic() + _WAIT_SECONDS
    while not lock.try_acquire():
        if time.monotonic() > deadline:
            raise StoreError(f"Another docsidecar has been opening {path} for {_WAIT_SECONDS:.0f} s; end it and retry.")
        await asyncio.sleep(0.02)
    try:
        return await _open_locked(path)
    finally:
        lock.release()


async def _open_locked(path: Path) -> tuple[aiosqlite.Connection, str]:
    try:
        return await _open_sound(path), ""
    except sqlite3.Error as error:
        if not is_damage(error):
            raise explain(error, path) from error
    aside = _set_aside(path)
    remark = f"The index was damaged; it is kept as {aside.name} and everything is indexed again."
    try:
        return await _open_sound(path), remark
    except sqlite3.Error as error:
        raise explain(error, path) from error


async def _open_sound(path: Path) -> aiosqlite.Connection:
    """Raises sqlite3.DatabaseError for a damaged file."""
    connection = await connect(path, writer=True)
    try:
        await _check_owner(connection, path)
        await connection.execute_fetchall("PRAGMA auto_vacuum=INCREMENTAL")  # takes effect in an empty file only
        await _write_ahead(connection)
        for number, statements in enumerate(MIGRATIONS):
            await run(connection, lambda session, n=number, s=statements: _migrate(session, n, s))
        await run(connection, _touch_tables)
        if suspicion(path).exists():
            await run(connection, _check_deeply)
            suspicion(path).unlink(missing_ok=True)
    except BaseException:
        await connection.close()
        raise
    return connection


async def _check_owner(connection: aiosqlite.Connection, path: Path) -> None:
    """Nothing is written before this has passed: a newer index, or another program's file, stays as it is."""
    ((version,),) = await connection.execute_fetchall("PRAGMA user_version")
    ((owner,),) = await connection.execute_fetchall("PRAGMA application_id")
    ((tables,),) = await connection.execute_fetchall("SELECT count(*) FROM sqlite_schema")
    if tables and owner != APPLICATION_ID:
        raise StoreError(f"{path} is not a docsidecar index; choose another data directory.")
    if version > len(MIGRATIONS):
        raise StoreError(
            f"The index {path} was made by a newer docsidecar (format {version}, this one knows {len(MIGRATIONS)}); "
            "update docsidecar or choose another data directory."
        )


async def _write_ahead(connection: aiosqlite.Connection) -> None:
    """Switch to WAL. SQLite does not wait for others here, whatever the busy timeout, so we do."""
    for attempt in range(50):
        try:
            await connection.execute_fetchall("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if attempt == 49 or "locked" not in str(error):
                raise
            await asyncio.sleep(0.05)
        else:
            break
    await connection.execute_fetchall("PRAGMA journal_size_limit=16777216")


def _migrate(session: Session, number: int, statements: tuple[str, ...]) -> None:
    if session.one("PRAGMA user_version") != number:
        return
    for statement in statements:
        session.execute(statement)
    session.execute(f"PRAGMA application_id={APPLICATION_ID}")
    session.execute(f"PRAGMA user_version={number + 1}")


def _touch_tables(session: Session) -> None:
    """Walk the right edge of every table: a file cut short fails here, in microseconds whatever its size."""
    for statement in LAST_ROWS:
        session.rows(statement)
    session.rows("SELECT rowid FROM passages_fts LIMIT 1")


def _check_deeply(session: Session) -> None:
    verdict = session.one("PRAGMA quick_check(1)")
    if verdict != "ok":
        error = sqlite3.DatabaseError(f"quick_check: {verdict}")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error


def _set_aside(path: Path) -> Path:
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    while aside.exists():
        aside = aside.with_name(aside.name + "x")
    try:
        path.replace(aside)
        for suffix in ("-wal", "-shm"):
            side = path.with_name(path.name + suffix)
            with contextlib.suppress(FileNotFoundError):
                side.replace(aside.with_name(aside.name + suffix))
        suspicion(path).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            f"The index {path} is damaged and cannot be moved aside ({error.strerror}); end the other docsidecar "
            "processes, delete it and start again."
        ) from error
    return aside
