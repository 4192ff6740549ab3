"""The connections of one index: a writer, a few readers, and a watcher for `PRAGMA data_version`. Owns their life.

Each connection is aiosqlite's, with its thread, which runs one whole transaction a call: twenty awaited statements
would cost twenty hops through the event loop (1.7 ms against 0.1 ms), and a cancelled task could stop half-way.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import aiosqlite
import anyio

from sidecar.api import StoreError
from sidecar.store.database.opening import connect, open_index, opening_lock, suspicion
from sidecar.store.database.session import Session, explain, is_damage

Result = TypeVar("Result")
Work = Callable[[Session], Result]

_FETCH_ROWS: Final = 64
"""Rows aiosqlite's own cursors would fetch at a time; ours are read inside a transaction, at once."""
_CLOSED = "The index is closed: docsidecar is ending."
_GRACE_SECONDS = 1.0
"""What a write under way is given at closing; what it held is read again from disk at the next start."""


class Connection(aiosqlite.Connection):
    """aiosqlite's connection and thread, given whole transactions rather than statements. Calls wait for one another in
    turn; none is given up when its caller is cancelled. `connector` makes a `Session`, on that thread.
    """

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
            with anyio.CancelScope(shield=True):
                await asyncio.to_thread(connection._thread.join)
            raise
        return connection

    async def call(self, work: Work[Result]) -> Result:
        """Run `work` on the thread, outside any transaction."""
        return cast("Result", await self._execute(work, self._conn))

    async def transact(self, work: Work[Result]) -> Result:
        """Run `work` in one transaction."""
        return cast("Result", await self._execute(cast("Session", self._conn).transact, work))

    def interrupt_now(self) -> None:
        """End the statement that is running, which then raises."""
        self._conn.interrupt()


class Pool:
    """Use `open`. Calls made after `close` raise StoreError."""

    def __init__(self, path: Path, remark: str, connections: Sequence[Connection]) -> None:
        self.path = path
        self.remark = remark
        self._writer, self._watcher, *self._readers = connections
        self._busy = [0] * len(self._readers)
        self._identity = _identity(path)
        self.generation = 0
        """Grows when another file has taken the place of the one that was open."""
        self._reopening = asyncio.Lock()
        self._closed = False

    @classmethod
    async def open(cls, path: Path, readers: int) -> Pool:
        """Raises StoreError (see `opening`)."""
        path = Path.absolute(path)
        connections, remark = await _connect_all(path, readers)
        return cls(path, remark, connections)

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
        """Run `work` in a read transaction, on the reader with the fewest calls waiting."""
        number = min(range(len(self._readers)), key=self._busy.__getitem__)
        self._busy[number] += 1
        try:
            return await self._guarded(self._readers[number].transact(work))
        finally:
            self._busy[number] -= 1

    async def write(self, work: Work[Result]) -> Result:
        """Run `work` in a write transaction, in turn."""
        return await self._guarded(self._writer.transact(work))

    async def pragma(self, statement: str) -> None:
        """A statement on the writer's connection, outside any transaction."""
        await self._guarded(self._writer.call(lambda session: session.rows(statement)))

    async def data_version(self) -> int:
        """Changes with every commit of any connection, also when another process has put a new file in place."""
        if _identity(self.path) != self._identity:
            await self._reopen()
        version = await self._guarded(self._watcher.call(lambda session: session.one("PRAGMA data_version")))
        return version + (self.generation << 32)

    async def _reopen(self) -> None:
        """Another sidecar found the index damaged and began a new one: leave the old file, which is read by nobody."""
        async with self._reopening:
            if self._closed or _identity(self.path) == self._identity:
                return
            connections, _ = await _connect_all(self.path, len(self._readers))
            old = [*self._readers, self._watcher, self._writer]
            self._writer, self._watcher, *self._readers = connections
            self._identity = _identity(self.path)
            self.generation += 1
            with anyio.CancelScope(shield=True):
                await _close_all(old)

    async def _guarded(self, call: Coroutine[Any, Any, Result]) -> Result:
        if self._closed:
            call.close()
            raise StoreError(_CLOSED)
        try:
            return await call
        except sqlite3.Error as error:
            if self._closed:
                raise StoreError(_CLOSED) from error
            if is_damage(error):
                with contextlib.suppress(OSError):
                    suspicion(self.path).touch()
            raise explain(error, self.path) from error


async def _connect_all(path: Path, readers: int) -> tuple[list[Connection], str]:
    """The writer, then the readers and the watcher, and "" or a sentence about what had to be done at opening."""
    remarks: list[str] = []

    def make_writer() -> Session:
        session, remark = open_index(path)
        remarks.append(remark)
        return session

    connections: list[Connection] = []
    try:
        async with opening_lock(path):
            connections.append(await Connection.open(make_writer))
        for _ in range(readers + 1):
            reader = await Connection.open(lambda: connect(path, writer=False))
            connections.append(reader)
    except BaseException as error:
        with anyio.CancelScope(shield=True):
            await _close_all(connections)
        if isinstance(error, sqlite3.Error):
            raise explain(error, path) from error
        raise
    return connections, remarks[0]


async def _close_all(connections: Sequence[Connection]) -> None:
    """The writer last: the last one to close moves the WAL into the file."""
    for connection in connections:
        with contextlib.suppress(sqlite3.Error):
            await connection.close()


def _identity(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return (0, 0)
    return (stat.st_dev, stat.st_ino)
