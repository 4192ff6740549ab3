"""The connections of one index: a writer, a few readers, and a watcher for `PRAGMA data_version`. Owns their life.

Each connection is aiosqlite's, with its thread, which runs one whole transaction a call: twenty awaited statements
would cost twenty hops through the event loop (1.7 ms against 0.1 ms), and a cancelled task could stop half-way."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import aiosqlite
import anyio

from sidecar.api import DamagedIndexError, StoreError
from sidecar.store.database.opening import (
    connect,
    identity,
    open_index,
    open_read_only,
    opening_lock,
    served_read_only,
    set_aside,
    suspect_path,
)
from sidecar.store.database.session import Session, explained

Result = TypeVar("Result")
Work = Callable[[Session], Result]

_FETCH_ROWS: Final = 64
"""Rows aiosqlite's own cursors would fetch at a time; ours are read inside a transaction, at once."""
_CLOSED = "The index was just closed: docsidecar is ending, or opens it again in a moment."
_GRACE_SECONDS = 1.0
"""What a write under way is given at closing; what it held is read again from disk at the next start."""


class Connection(aiosqlite.Connection):
    """aiosqlite's connection and thread, given whole transactions rather than statements. Calls wait for one another in
    turn; none is given up when its caller is cancelled. `connector` makes a `Session`, on that thread."""

    def __init__(self, connector: Callable[[], Session]) -> None:
        super().__init__(connector, iter_chunk_size=_FETCH_ROWS)
        self._thread.daemon = True  # a connection left open by a fault must not keep the process from ending

    @classmethod
    async def open(cls, connector: Callable[[], Session]) -> Connection:
        """Raises what `connector` raises, once the thread has ended."""
        connection = cls(connector)
        try:
            await connection
        except BaseException:
            if connection._thread.is_alive():  # without memory for its stack it never was
                with anyio.CancelScope(shield=True):
                    await asyncio.to_thread(connection._thread.join)
            raise
        return connection

    async def call(self, work: Work[Result]) -> Result:
        """Run `work` on the thread, outside any transaction. Raises sqlite3.ProgrammingError when it is closed."""
        if self._connection is None:
            raise sqlite3.ProgrammingError("it is closed")
        return cast("Result", await self._execute(work, self._conn))

    async def transact(self, work: Work[Result]) -> Result:
        """Run `work` in one transaction."""
        return await self.call(lambda session: session.transact(work))

    def interrupt_now(self) -> None:
        """End the running statement, which then raises; nothing where it is closed, as its thread may soon say."""
        with contextlib.suppress(sqlite3.ProgrammingError, ValueError):
            self._conn.interrupt()


class Pool:
    """Use `open`. Calls made after `close` raise StoreError."""

    def __init__(self, path: Path, opened: _Opened) -> None:
        self.path = path
        self.remark = opened.remark
        self.read_only = opened.read_only
        """Whether the index can be read but not written now; `data_version` looks whether it still is so."""
        self._writer, self._watcher, *self._readers = opened.connections
        self._idle = list(range(len(self._readers)))
        self._free = asyncio.Semaphore(len(self._readers))
        self._free_of_long = asyncio.Semaphore(max(len(self._readers) - 1, 1))
        self._identity = identity(path)
        self._state = _state(path)
        self._openings = 0
        self.generation = 0
        """Grows when another file has taken the place of the one that was open."""
        self._reopening = asyncio.Lock()
        self._usable = asyncio.Event()
        """Cleared while no connection is open."""
        self._usable.set()
        self._closed = False

    @classmethod
    async def open(cls, path: Path, readers: int) -> Pool:
        """Raises StoreError (see `opening`)."""
        path = Path.absolute(path)
        return cls(path, await _connect_all(path, readers))

    async def close(self) -> None:
        """Interrupt reads, let a write end, and close every connection; may be called twice."""
        if self._closed:
            return
        self._closed = True
        with anyio.CancelScope(shield=True):
            for reader in self._readers:
                reader.interrupt_now()
            late = asyncio.get_running_loop().call_later(_GRACE_SECONDS, self._writer.interrupt_now)
            try:
                await _close_all([*self._readers, self._watcher, self._writer])
            finally:
                late.cancel()

    async def read(self, work: Work[Result]) -> Result:
        """Run `work` in a read transaction, on the first reader that is free."""
        async with self._free:
            await self._usable.wait()
            number = self._idle.pop()
            try:
                return await self._guarded(self._readers[number].transact(work))
            finally:
                self._idle.append(number)

    async def read_long(self, work: Work[Result]) -> Result:
        """The same for what may take long: one reader is always left for what does not."""
        async with self._free_of_long:
            return await self.read(work)

    async def write(self, work: Work[Result]) -> Result:
        """Run `work` in a write transaction, in turn. Raises StoreError."""
        if self.read_only:
            raise StoreError(read_only_sentence(self.path))
        await self._usable.wait()
        return await self._guarded(self._writer.transact(work))

    async def pragma(self, statement: str) -> list[Any]:
        """The rows of a statement on the writer's connection, outside any transaction. Raises StoreError."""
        if self.read_only:
            raise StoreError(read_only_sentence(self.path))
        return await self._guarded(self._writer.call(lambda session: session.rows(statement)))

    async def data_version(self) -> int:
        """Changes with every commit of any connection, also when another process has put a new file in place or the
        index can be written again."""
        async with self._reopening:
            if not self._closed and await self._is_outdated():
                await self._reopen()
        version = await self._guarded(self._watcher.call(lambda session: session.one("PRAGMA data_version")))
        return version + (self._openings << 32)

    async def rebuild(self) -> None:
        """Set the damaged index aside and begin a new one in its place; other sidecars find it by `data_version`.
        Raises StoreError where the system lets no open file be moved (Windows, while others have it open)."""
        async with self._reopening:
            if await self._is_outdated():  # another has done so
                await self._reopen()
                return
            async with opening_lock(self.path):
                aside = await asyncio.to_thread(set_aside, self.path)
            await self._reopen()
            self.remark = f"The index was damaged; it is kept as {aside.name} and everything is indexed again."

    def suspect(self) -> None:
        """Damage has shown: leave the mark for whoever indexes, to look the index through and mend it."""
        with contextlib.suppress(OSError):
            suspect_path(self.path).touch()

    async def _is_outdated(self) -> bool:
        """Whether another file is there, or the one read without being followed has changed or can be written."""
        if not self.read_only:
            return identity(self.path) != self._identity
        return await asyncio.to_thread(lambda: _state(self.path) != self._state or not served_read_only(self.path))

    async def _reopen(self) -> None:
        old = [*self._readers, self._watcher, self._writer]
        if self.read_only:
            # Connections of one process share how the file `-shm` is mapped: none can write while one only reads.
            self._usable.clear()
            try:
                await _close_all(old)
                await self._exchange([])
            finally:
                self._usable.set()
        else:
            await self._exchange(old)

    async def _exchange(self, old: Sequence[Connection]) -> None:
        """Open new connections, then close those."""
        opened = await _connect_all(self.path, len(self._readers))
        self._writer, self._watcher, *self._readers = opened.connections
        self.read_only = opened.read_only
        self._openings += 1
        self.generation += identity(self.path) != self._identity
        self._identity, self._state = identity(self.path), _state(self.path)
        with anyio.CancelScope(shield=True):  # SQLite leaves the files beside a file that was moved alone
            await _close_all(old)

    async def _guarded(self, call: Coroutine[Any, Any, Result]) -> Result:
        if self._closed:
            call.close()
            raise StoreError(_CLOSED)
        try:
            with explained(self.path):
                return await call
        except StoreError as error:
            if self._closed:
                raise StoreError(_CLOSED) from error
            if isinstance(error, DamagedIndexError):
                self.suspect()
            raise


class OneReader:
    """Reads an index on a read-only connection of its own, in a worker process, which has no event loop: what is
    awaited is there at once. Close it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with explained(path):
            self._session = connect(path, writer=False)

    async def read(self, work: Callable[[Session], Result]) -> Result:
        """See `Pool.read`."""
        with explained(self.path):
            return self._session.transact(work)

    async def read_long(self, work: Work[Result]) -> Result:
        """The same."""
        return await self.read(work)

    def suspect(self) -> None:
        """The serving process does so, which is told by the error."""

    def close(self) -> None:
        """Close the connection."""
        self._session.close()


def read_only_sentence(path: Path) -> str:
    """What is said while an index can be read but not written."""
    return (
        f"The data directory {path.parent} is read-only: what its index holds is served, changes of files are not "
        "followed until it can be written."
    )


@dataclass(frozen=True)
class _Opened:
    """The writer's connection (a reader's where the index is read-only), the watcher's and the readers'; `remark` is
    "" or a sentence about what had to be done at opening."""

    connections: Sequence[Connection]
    remark: str
    read_only: bool


async def _connect_all(path: Path, readers: int) -> _Opened:
    read_only = served_read_only(path)
    remarks: list[str] = []

    def make_writer() -> Session:
        session, remark = open_index(path)
        remarks.append(remark)
        return session

    connections: list[Connection] = []
    try:
        if read_only:
            connections.append(await Connection.open(lambda: open_read_only(path)))
        else:
            async with opening_lock(path):
                connections.append(await Connection.open(make_writer))
        for _ in range(readers + 1):
            reader = await Connection.open(lambda: connect(path, writer=False))
            connections.append(reader)
    except BaseException:
        with anyio.CancelScope(shield=True):
            await _close_all(connections)
        with explained(path):
            raise
    return _Opened(connections, next(iter(remarks), ""), read_only)


async def _close_all(connections: Sequence[Connection]) -> None:
    """The writer last: the last one to close moves the WAL into the file."""
    for connection in connections:
        with contextlib.suppress(sqlite3.Error):
            await connection.close()


def _state(path: Path) -> tuple[int, int, int, bool]:
    """What changes when another process writes an index that is read here as one that nobody writes."""
    try:
        stat = path.stat()
    except OSError:
        return (0, 0, 0, False)
    return (stat.st_ino, stat.st_size, stat.st_mtime_ns, path.with_name(path.name + "-wal").exists())
