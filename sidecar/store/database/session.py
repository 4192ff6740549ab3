"""What a transaction works with: a connection that gives rows by position or by name. Turns SQLite's errors into
sentences."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sidecar.api import DamagedIndexError, StoreError

Result = TypeVar("Result")

MAX_PATTERN_CHARS = 2_000
"""No name or label is longer, and SQLite takes no pattern of LIKE beyond 50,000 bytes."""
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Session(sqlite3.Connection):
    """A connection on the thread it belongs to. A function that gets one runs inside a transaction of its own."""

    begin = "BEGIN"
    """The statement that opens a transaction."""

    def transact(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` in one transaction, which is rolled back when it raises."""
        self.execute(self.begin)
        try:
            result = work(self)
            self.execute("COMMIT")
        except BaseException:
            if self.in_transaction:
                self.execute("ROLLBACK")
            raise
        return result

    def one(self, sql: str, parameters: Any = ()) -> Any:
        """The first column of the first row, None where there is no row."""
        row = self.execute(sql, parameters).fetchone()
        return None if row is None else row[0]

    def insert(self, sql: str, parameters: Any) -> int:
        """Insert one row; gives its rowid."""
        return self.execute(sql, parameters).lastrowid or 0

    def rows(self, sql: str, parameters: Any = ()) -> list[Any]:
        """Every row as a tuple."""
        return self.execute(sql, parameters).fetchall()

    def named(self, sql: str, parameters: Any = ()) -> list[Any]:
        """Every row as a mapping from column names."""
        cursor = self.cursor()
        cursor.row_factory = sqlite3.Row
        return cursor.execute(sql, parameters).fetchall()


class WriteSession(Session):
    """The writer's connection takes the write lock at once: it waits for others before it begins, not half-way."""

    begin = "BEGIN IMMEDIATE"


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the error says that the file itself is broken, not that it is busy, full or out of reach."""
    return _primary(error) in _DAMAGE


@contextmanager
def explained(path: Path) -> Generator[None]:
    """Says in a sentence what SQLite raises, and what a record that cannot be decoded does.

    Raises:
        StoreError: full, busy, out of reach or of memory; DamagedIndexError where the index itself is broken.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _sentence(error, path) from error
    except MemoryError as error:  # as sqlite3 passes SQLITE_NOMEM on
        raise StoreError(f"There is too little memory to use the index {path}; close other programs.") from error
    except msgspec.DecodeError as error:
        raise DamagedIndexError(f"A record in the index is damaged ({error}); {DamagedIndexError.advice}") from error


def _sentence(error: sqlite3.Error, path: Path) -> StoreError:
    code = _primary(error)
    if code in _DAMAGE:
        return DamagedIndexError(
            f"The index {path} is damaged ({error}); the docsidecar that serves is rebuilding it; ask again soon."
        )
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
