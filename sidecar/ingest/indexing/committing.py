"""Writes outcomes into the index in batches: at once when few come, many to a transaction when many do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

from sidecar.store.documents.records import Indexed

_FILES: Final = 128
_BYTES: Final = 8 * 2**20
_GATHER_SECONDS: Final = 0.04
"""How long a batch may grow while more files are being read: a transaction of one file costs several times its share
of a large one, but nobody should notice that somebody's file waited."""
_WAITING_FILES: Final = 512
"""Readers wait when this much waits to be written, so that memory stays bounded."""
_WAITING_BYTES: Final = 64 * 2**20


class Committer:
    """A buffer between the readers and the store's one writer. While a batch is written, the next one gathers.

    `coming` says how many files are still to be read or written: the last one waits for nothing.
    """

    def __init__(self, write: Callable[[Sequence[Indexed]], Awaitable[None]], coming: Callable[[], int]) -> None:
        self._write = write
        self._coming = coming
        self._waiting: list[Indexed] = []
        self._bytes = 0
        self._changed = asyncio.Condition()
        self._writing = False

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def idle(self) -> bool:
        return not self._waiting and not self._writing

    async def put(self, item: Indexed) -> None:
        """Have it written soon; waits while too much is waiting already."""
        async with self._changed:
            await self._changed.wait_for(lambda: len(self._waiting) < _WAITING_FILES and self._bytes < _WAITING_BYTES)
            self._waiting.append(item)
            self._bytes += _weight(item)
            self._changed.notify_all()

    async def run(self) -> None:
        """Write until cancelled. A batch being written is finished first: it is one transaction of the store."""
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: bool(self._waiting))
                with suppress(TimeoutError):
                    async with asyncio.timeout(_GATHER_SECONDS):
                        await self._changed.wait_for(self._is_enough)
                batch = self._take()
                self._writing = True
                self._changed.notify_all()
            try:
                await self._write(batch)
            finally:
                self._writing = False
            async with self._changed:
                self._changed.notify_all()

    async def drained(self) -> None:
        """Until everything put so far is written."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.idle)

    def _is_enough(self) -> bool:
        """Whether waiting for more is of no use."""
        waiting = len(self._waiting)
        return waiting >= _FILES or self._bytes >= _BYTES or self._coming() <= waiting

    def _take(self) -> list[Indexed]:
        batch: list[Indexed] = []
        size = 0
        while self._waiting and len(batch) < _FILES and size < _BYTES:
            item = self._waiting.pop(0)
            batch.append(item)
            size += _weight(item)
        self._bytes -= size
        return batch


def _weight(item: Indexed) -> int:
    return item.prepared.size if item.prepared is not None else 0
