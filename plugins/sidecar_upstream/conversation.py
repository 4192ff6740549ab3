"""One connection to the gatherer as the serving process sees it: what is wanted, questions and their answers, events.

Which gatherer it is, and what becomes of the events, is `link`'s.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace

import msgspec

from sidecar.api import ConfigError
from sidecar_upstream.records import (
    Answer,
    Complete,
    Completed,
    Event,
    Read,
    Want,
    Wanted,
    events,
    read_frame,
    write_frame,
)
from sidecar_upstream.servers import Upstream, fill_in, key_of

__all__ = ["Conversation"]

logger = logging.getLogger(__name__)


class Conversation:
    """`chain`: whose upstream we are; `environment` fills in the servers' credentials."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chain: tuple[str, ...],
        environment: Mapping[str, str],
    ) -> None:  # fmt: skip
        self._reader = reader
        self._writer = writer
        self._chain = chain
        self._environment = environment
        self._keys: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._asked: dict[int, asyncio.Future[Answer | Completed]] = {}
        self._next = 0

    def want(self, servers: Iterable[Upstream]) -> dict[str, str]:
        """Say which servers are wanted; gives those that cannot be, by name, and why."""
        wanted: list[Wanted] = []
        wrong: dict[str, str] = {}
        self._keys.clear()
        for server in servers:
            try:
                filled, secrets = fill_in(server, self._environment)
            except ConfigError as error:
                wrong[server.name] = error.message
                continue
            key = self._keys[server.name] = key_of(filled, self._chain)
            wanted.append(Wanted(replace(filled, name=key), secrets.values))
        self._names = {key: name for name, key in self._keys.items()}
        write_frame(self._writer, Want(tuple(wanted), self._chain))
        return wrong

    async def listen(self, take: Callable[[str, Event], Awaitable[None]]) -> None:
        """Hand every event, with its server's name, to `take` until the gatherer hangs up or talks nonsense."""
        decoder = events()
        try:
            while (frame := await read_frame(self._reader)) is not None:
                try:
                    event = decoder.decode(frame)
                except msgspec.DecodeError:
                    logger.exception("the gathering process sent what is no event")
                    return
                if isinstance(event, Answer | Completed):
                    future = self._asked.pop(event.id, None)
                    if future is not None and not future.done():
                        future.set_result(event)
                elif not event.server or event.server in self._names:  # else of a server no longer wanted
                    await take(self._names.get(event.server, ""), event)
                await asyncio.sleep(0)  # frames that are there already must not keep the client waiting
        finally:
            for future in self._asked.values():
                future.cancel()
            self._asked.clear()

    async def read(self, name: str, uri: str, seconds: float) -> Answer | None:
        """What the server says; None when there is no answer to be had."""
        key = self._keys.get(name, "")
        answer = await self._ask(lambda number: Read(number, key, uri), seconds)
        return answer if isinstance(answer, Answer) else None

    async def complete(
        self, name: str, template: str, variable: str, value: str, others: Mapping[str, str], seconds: float
    ) -> tuple[str, ...]:
        """Values the server offers for a variable of its template."""
        key = self._keys.get(name, "")
        answer = await self._ask(
            lambda number: Complete(number, key, template, variable, value, dict(others)), seconds
        )  # fmt: skip
        return answer.values if isinstance(answer, Completed) else ()

    def close(self) -> None:
        """Hang up; a gatherer that is ours then ends its servers and itself."""
        with contextlib.suppress(OSError):
            self._writer.close()

    async def _ask(self, request: Callable[[int], Read | Complete], seconds: float) -> Answer | Completed | None:
        self._next += 1
        number = self._next
        future = self._asked[number] = asyncio.get_running_loop().create_future()
        write_frame(self._writer, request(number))
        try:
            async with asyncio.timeout(seconds):
                await asyncio.wait({future})
        except TimeoutError:
            return None
        finally:
            self._asked.pop(number, None)
        return future.result() if future.done() and not future.cancelled() else None
