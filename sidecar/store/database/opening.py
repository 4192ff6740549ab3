"""Opens the index file: creates it, migrates it, refuses a newer one, sets a damaged one aside and starts anew.

Several sidecars may open one data directory at once, so all of this happens under the lock `open.lock`. Without it
two of them could each take the other's half-made file for a damaged one. What `open_index` does
runs on the connection's thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from sidecar.api import StoreError
from sidecar.store.database.lease import FileLock
from sidecar.store.database.schema import APPLICATION_ID, LAST_ROWS, MIGRATIONS
from sidecar.store.database.session import Session, WriteSession, is_damage
from sidecar.toolkit.platform.private import is_read_only, make_private_directory, make_private_file

_BUSY_SECONDS = 5.0
"""How long a statement waits for another process's write."""
_WAIT_SECONDS = 30.0
_RETRY_SECONDS = 0.02
_WAL_BYTES = 16 * 2**20
"""What of the write-ahead log stays on disk after a checkpoint."""


def suspect_path(path: Path) -> Path:
    """The mark left beside an index in which damage showed while it was in use; the next opening then checks it."""
    return path.with_name(path.name + ".suspect")


def identity(path: Path) -> tuple[int, int]:
    """What tells one file from another of the same name; zeros where there is none."""
    try:
        stat = path.stat()
    except OSError:
        return (0, 0)
    return (stat.st_dev, stat.st_ino)


def served_read_only(path: Path) -> bool:
    """Whether an index is there that can be read but not written, nor anything beside it."""
    return path.exists() and (is_read_only(path.parent) or not os.access(path, os.W_OK))


def connect(path: Path, *, writer: bool) -> Session:
    """A connection to an absolute `path`; readers can only read.

    An index in WAL mode is read through the files `-wal` and `-shm` beside it, which SQLite makes if need be. Where
    none can be made and there is no log, the index was closed by whoever wrote it last: `immutable=1` reads it without
    (https://www.sqlite.org/wal.html, "Read-Only Databases").
    """
    if writer:
        return _connect(path, "mode=rwc", writer=True)
    session = _connect(path, "mode=ro", writer=False)
    try:
        session.one("SELECT count(*) FROM sqlite_schema")
    except sqlite3.OperationalError:
        session.close()
        if path.with_name(path.name + "-wal").exists() or not is_read_only(path.parent):
            raise
        return _connect(path, "mode=ro&immutable=1", writer=False)
    except BaseException:
        session.close()
        raise
    return session


def _connect(path: Path, query: str, *, writer: bool) -> Session:
    session = sqlite3.connect(
        f"{path.as_uri()}?{query}",
        uri=True,
        isolation_level=None,
        timeout=_BUSY_SECONDS,
        factory=WriteSession if writer else Session,
        cached_statements=256,
    )
    try:
        settings = ["foreign_keys=ON", "temp_store=MEMORY"]
        # What was removed is written over with zeros; that costs committing up to a tenth more time, removing nothing.
        settings += ["synchronous=NORMAL", "cache_size=-8000", "secure_delete=ON"] if writer else ["query_only=ON"]
        for setting in settings:
            session.execute(f"PRAGMA {setting}")
    except BaseException:
        session.close()
        raise
    return session


@asynccontextmanager
async def opening_lock(path: Path) -> AsyncGenerator[None]:
    """Holds `open.lock`, in the data directory, which it makes. Raises StoreError where it cannot."""
    try:
        make_private_directory(path.parent)
    except OSError as error:
        raise StoreError(
            f"The data directory {path.parent} cannot be made: {error.strerror}; choose another with --data-dir."
        ) from error
    lock = FileLock(path.with_name("open.lock"))
    deadline = time.monotonic() + _WAIT_SECONDS
    while not lock.try_acquire():
        if time.monotonic() > deadline:
            raise StoreError(f"Another docsidecar has been opening {path} for {_WAIT_SECONDS:.0f} s; end it and retry.")
        await asyncio.sleep(_RETRY_SECONDS)
    try:
        yield
    finally:
        lock.release()


def open_index(path: Path) -> tuple[Session, str]:
    """The writer's connection to a usable index, and "" or a sentence about what had to be done. Call it under
    `opening_lock`.

    Raises:
        StoreError: made by a newer version, not ours.
        sqlite3.Error: not writable, or damaged anew.
    """
    try:
        return _open_checked(path), ""
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
    aside = set_aside(path)
    return _open_checked(path), f"The index was damaged; it is kept as {aside.name} and everything is indexed again."


def open_read_only(path: Path) -> Session:
    """A reader's connection to an index that cannot be written. Raises StoreError where it would have to be: it was
    made by another version; raises sqlite3.Error where it cannot be read."""
    session = connect(path, writer=False)
    try:
        _check_owner(session, path)
        _check_newest(session, path)
    except BaseException:
        session.close()
        raise
    return session


def _open_checked(path: Path) -> Session:
    """Raises sqlite3.DatabaseError for a damaged file."""
    with contextlib.suppress(OSError):  # SQLite says what is wrong; its other files take the permissions of this one
        make_private_file(path)
    session = connect(path, writer=True)
    try:
        _check_owner(session, path)
        # Nothing is written to an index that is as it should be, so that this window opens although another was
        # suspended in the middle of a write, and keeps the write lock.
        old = session.one("PRAGMA user_version") < len(MIGRATIONS)
        if old:
            session.execute("PRAGMA auto_vacuum=INCREMENTAL")  # takes effect in an empty file only
        _write_ahead(session)
        for number in range(len(MIGRATIONS) if old else 0):
            session.transact(partial(_migrate, number=number))
        _touch_tables(session)
        if suspect_path(path).exists():
            _check_deeply(session)
            suspect_path(path).unlink(missing_ok=True)
    except BaseException:
        session.close()
        raise
    return session


def _check_owner(session: Session, path: Path) -> None:
    """Nothing is written before this has passed: a newer index, or another program's file, stays as it is."""
    version = session.one("PRAGMA user_version")
    if session.one("SELECT count(*) FROM sqlite_schema") and session.one("PRAGMA application_id") != APPLICATION_ID:
        raise StoreError(f"{path} is not a docsidecar index; choose another data directory.")
    if version > len(MIGRATIONS):
        raise StoreError(
            f"The index {path} was made by a newer docsidecar (format {version}; this one knows {len(MIGRATIONS)}); "
            "update docsidecar or choose another data directory."
        )


def _check_newest(session: Session, path: Path) -> None:
    if session.one("PRAGMA user_version") < len(MIGRATIONS):
        raise StoreError(
            f"The index {path} was made by an older docsidecar and has to be brought up to date, but the data "
            "directory is read-only; make it writable or choose another with --data-dir."
        )


def _write_ahead(session: Session) -> None:
    """Switch to WAL, where it is not on. SQLite does not wait for others here, whatever the busy timeout, so we do."""
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            session.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            if time.monotonic() > deadline or "locked" not in str(error):
                raise
        time.sleep(_RETRY_SECONDS)
    session.execute(f"PRAGMA journal_size_limit={_WAL_BYTES}")


def _migrate(session: Session, number: int) -> None:
    if session.one("PRAGMA user_version") != number:
        return
    for statement in MIGRATIONS[number]:
        session.execute(statement)
    session.execute(f"PRAGMA application_id={APPLICATION_ID}")
    session.execute(f"PRAGMA user_version={number + 1}")


def _touch_tables(session: Session) -> None:
    """Walk the right edge of every table: a file cut short fails here, in microseconds whatever its size."""
    for statement in LAST_ROWS:
        session.rows(statement)
    session.rows("SELECT rowid FROM passages_fts LIMIT 1")


def _check_deeply(session: Session) -> None:
    found = session.one("PRAGMA quick_check(1)")
    if found != "ok":
        error = sqlite3.DatabaseError(f"quick_check: {found}")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise error


def set_aside(path: Path) -> Path:
    """Give a damaged index another name, which is returned. Call it under `opening_lock`. Raises StoreError."""
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    while aside.exists():
        aside = aside.with_name(aside.name + "x")
    try:
        path.replace(aside)
        for suffix in ("-wal", "-shm"):
            side = path.with_name(path.name + suffix)
            with contextlib.suppress(FileNotFoundError):
                side.replace(aside.with_name(aside.name + suffix))
        suspect_path(path).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            f"The index {path} is damaged and cannot be moved aside ({error.strerror}); end the other docsidecar "
            "processes, delete it and start again."
        ) from error
    return aside
