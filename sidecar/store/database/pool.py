"""The connections of one index: a writer, a few readers, and a watcher for `PRAGMA data_version`. Owns their life."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

import aiosqlite
import anyio

from sidecar.api import StoreError
from sidecar.store.database.connection import Session, connect, explain, is_damage, run
from sidecar.store.database.opening import open_index, suspicion

Result = TypeVar("Result")
Work = Callable[[Session], Result]


class Pool:
    """Use `open`. Calls made after `close` raise StoreError."""

    def __init__(self, path: Path, remark: str, connections: Sequence[aiosqlite.Connection]) -> None:
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
        path = _absolute(path)
        connections, remark = await _connect_all(path, readers)
        return cls(path, remark, connections)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        with anyio.CancelScope(shield=True):
            for reader in self._readers:
                await reader.interrupt()
            # A transaction under way gets a second; what it held is read again from disk at the next start.
            late = asyncio.get_running_loop().call_later(1.0, lambda: asyncio.ensure_future(self._writer.interrupt()))
            try:
                await _close_all([*self._readers, self._watcher, self._writer])
            finally:
                late.cancel()

    async def read(self, work: Work[Result]) -> Result:
        """On the reader with the fewest calls waiting."""
        number = min(range(len(self._readers)), key=self._busy.__getitem__)
        self._busy[number] += 1
        try:
            return await self._guarded(run(self._readers[number], work))
        finally:
            self._busy[number] -= 1

    async def write(self, work: Work[Result]) -> Result:
        """In turn. Once begun it is finished, even when its caller is cancelled meanwhile."""
        return await self._guarded(run(self._writer, work))

    async def pragma(self, statement: str) -> None:
        """A statement on the writer's connection, outside any transaction."""
        await self._guarded(self._writer.execute_fetchall(statement))

    async def data_version(self) -> int:
        """Changes with every commit of any connection, also when another process has put a new file in place."""
        if _identity(self.path) != self._identity:
            await self._reopen()
        ((version,),) = await self._guarded(self._watcher.execute_fetchall("PRAGMA data_version"))
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

    async def _guarded(self, call: Awaitable[Result]) -> Result:
        if self._closed:
            if asyncio.iscoroutine(call):
                call.close()
            raise StoreError("The index is closed: docsidecar is ending.")
        try:
            return await call
        except sqlite3.Error as error:
            if is_damage(error):
                with contextlib.suppress(OSError):
                    suspicion(self.path).touch()
            raise explain(error, self.path) from error
        except ValueError as error:
            # aiosqlite's words for a connection that was closed while the call was waiting.
            if self._closed:
                raise StoreError("The index is closed: docsidecar is ending.") from error
            raise


async def _connect_all(path: Path, readers: int) -> tuple[list[aiosqlite.Connection], str]:
    writer, remark = await open_index(path)
    connections = [writer]
    try:
        for _ in range(readers + 1):
            connections.append(await connect(path, writer=False))  # noqa: PERF401  # closed below if one fails
    except BaseException as error:
        with anyio.CancelScope(shield=True):
            await _close_all(connections)
        if isinstance(error, sqlite3.Error):
            raise explain(error, path) from error
        raise
    return connections, remark


async def _close_all(connections: Sequence[aiosqlite.Connection]) -> None:
    """The writer last: the last one to close moves the WAL into the file."""
    for connection in connections:
        with contextlib.suppress(sqlite3.Error):
            await connection.close()


def _absolute(path: Path) -> Path:
    return path.absolute()


def _identity(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return (0, 0)
    return (stat.st_dev, stat.st_ino)
