"""Keeps one server connected while it is used: connects at the first use, again after a pause when the connection is
lost, closes it when idle, and answers reads.

What is done with a connection while it lasts is `following`'s.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from typing import Any, Protocol

from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, Implementation
from pydantic import ValidationError

from sidecar.api import NotFoundError, SidecarError, UnavailableError
from sidecar_upstream.catalog import ServerState
from sidecar_upstream.cleaning import clean
from sidecar_upstream.connection import Connection, Lost
from sidecar_upstream.cycles import Lineage
from sidecar_upstream.following import Following
from sidecar_upstream.messages import MessageFilter
from sidecar_upstream.rates import Backoff, Bucket, within
from sidecar_upstream.records import Item, Listing
from sidecar_upstream.servers import Secrets, Upstream

__all__ = ["Connector", "Host"]

logger = logging.getLogger(__name__)

_STEADY_SECONDS = 60.0
"""A connection that held so long has proved itself: the next pause is a short one again."""
_REFUSED_SECONDS = 600.0
"""Jitter halves it: of two sidecars that refuse each other, one asks again first."""
_ENDING_SECONDS = 5.0
_READS_AT_ONCE = 8
_READS_WAITING = 64
_LINES_A_SECOND = 2.0
_LINES_AT_ONCE = 40.0


class Host(Protocol):
    """Whom a connector tells what it learns."""

    async def listed(self, state: ServerState) -> None:
        """What we list of the server has changed."""
        ...

    def updated(self, state: ServerState, uri: str) -> None:
        """This resource of the server, by its own URI, has changed."""
        ...

    def subscribed(self, state: ServerState) -> bool:
        """Whether a client is subscribed to a resource of the server."""
        ...


class _Refused(Exception):
    """Connecting would close a circle of sidecars."""


class Connector:
    """`server` is that of the state, filled in with these secrets."""

    def __init__(self, state: ServerState, server: Upstream, secrets: Secrets, lineage: Lineage, host: Host) -> None:
        self.state = state
        self._server = server
        self._secrets = secrets
        self._lineage = lineage
        self._host = host
        self._following = Following(state, self._hide, self._check, self._listed)
        self._connection: Connection | None = None
        self._last_words = ""
        self._legacy = False
        self._reads = asyncio.Semaphore(_READS_AT_ONCE)
        self._waiting = 0
        self._clock = asyncio.get_running_loop().time
        self._used = self._clock()
        self._lines, self._left_out = Bucket(_LINES_A_SECOND, _LINES_AT_ONCE, self._clock), 0
        self._task: asyncio.Task[None] | None = None

    @property
    def used(self) -> bool:
        """Whether it is connected, or tried to be, because it was used not long ago."""
        return self._task is not None and not self._task.done()

    def use(self) -> None:
        """It is listed or read: connect unless it is connected, and stay so for a while."""
        self._used = self._clock()
        if not self.used:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """End the connection, and wait for it."""
        if self._task is not None:
            await _end(self._task)

    async def read(self, uri: str, patience: float) -> tuple[Item, ...]:
        """Read from the server, after waiting at most so many seconds for it to be connected.

        Raises NotFoundError, UnavailableError.
        """
        self.use()
        name = self.state.name
        if self._waiting >= _READS_WAITING:
            raise UnavailableError(f"{_READS_WAITING} reads are waiting for the upstream server {name}; try again.")
        self._waiting += 1
        try:
            await within(patience, self.state.settled)
            connection = self._connection
            if connection is None:
                raise UnavailableError(self.state.why_not())
            try:
                async with self._reads:
                    items = await connection.read(uri)
            except NotFoundError as error:
                said = f" (it says: {self._secrets.hide(str(error))})" if str(error) else ""
                raise NotFoundError(f"The upstream server {name} has no resource {uri[:200]}{said}.") from None
            except UnavailableError as error:
                self._following.suspect.set()
                why = self._secrets.hide(str(error))
                raise UnavailableError(f"{uri[:200]} cannot be read from the upstream server {name}: {why}.") from None
            self._following.note_read(uri)
            return items
        finally:
            self._waiting -= 1

    async def complete(self, template: str, variable: str, value: str, others: Mapping[str, str]) -> tuple[str, ...]:
        """Values the server offers for a variable of its template; () unless it is connected."""
        self.use()
        if self._connection is None:
            return ()
        return await self._connection.complete(template, variable, value, dict(others))

    async def _run(self) -> None:
        while not self._idle():
            attempts = asyncio.create_task(self._keep_connected())
            try:
                while not self._idle():
                    left = self._used + self._server.idle_seconds - self._clock()
                    await asyncio.sleep(max(left, self._server.idle_seconds / 4))
            finally:
                await _end(attempts)
                self.state.become("idle")

    def _idle(self) -> bool:
        used = self._used + self._server.idle_seconds > self._clock()
        return not (used or self._waiting or self._host.subscribed(self.state))

    async def _keep_connected(self) -> None:
        backoff = Backoff(self._server.retry_seconds)
        refusals = Backoff(_REFUSED_SECONDS, _REFUSED_SECONDS)
        reason = ""
        while True:
            if self.state.state != "refused":
                self._become("connecting", reason)
            self._last_words = ""
            began = self._clock()
            leaf: BaseException = Lost("the connection was lost")
            try:
                await self._connected()
            except Exception as error:  # whatever a server makes the SDK raise ends this attempt, and nothing else
                if _cancelled():  # where a connection breaks off at that instant, the SDK raises this instead
                    raise asyncio.CancelledError from error
                leaf = _leaf(error)
            if isinstance(leaf, _Refused):
                self._become("refused", str(leaf))
                if self.state.take(Listing()):
                    await self._listed()
                await asyncio.sleep(refusals.pause())  # the other side may have been configured differently by then
                continue
            if self._clock() - began > _STEADY_SECONDS:
                backoff.reset()
            pause = backoff.pause()
            reason = self._hide(_sentence(leaf) + (f": {self._last_words}" if self._last_words else ""))
            self._become("down", reason, round(pause, 2))
            await asyncio.sleep(pause)

    async def _connected(self) -> None:
        """One connection, from its beginning to its end. Raises what ended it."""
        async with self._open() as connection:
            self.state.era, self.state.title = connection.era, self._hide(connection.title)
            self._connection = connection
            try:
                await self._following.run(connection)
            finally:
                self._connection = None

    async def _check(self, connection: Connection, listing: Listing) -> None:
        """Raises when connecting closes a circle of sidecars."""
        reaches = await connection.reaches(listing)
        if self._lineage.instance in reaches[:1]:
            raise _Refused("It is this sidecar itself; remove it from the configuration.")
        if self._lineage.instance in reaches:
            raise _Refused("It gathers from this sidecar in turn; remove it here, or this one there.")
        self.state.reaches = reaches
        self._become("connected")

    async def _listed(self) -> None:
        await self._host.listed(self.state)

    def _updated(self, uri: str) -> None:
        self._host.updated(self.state, uri)
        self._following.note_update(uri)

    @asynccontextmanager
    async def _open(self) -> AsyncGenerator[Connection]:
        """A connection that has been greeted. Raises Lost when there was none to be had."""
        server = self._server
        messages = MessageFilter(server.max_resources, self._following.stale.set, self._updated)
        async with AsyncExitStack() as stack:
            if server.command:
                from sidecar_upstream.stdio import stdio_server

                transport: Any = stdio_server(server, messages, self._lineage.for_children(), self._hear)
            else:
                from sidecar_upstream.http import http_client, largest_message

                http = await stack.enter_async_context(http_client(server, messages, self._following.suspect.set))
                transport = streamable_http_client(
                    server.url, http_client=http, max_sse_event_size=largest_message(server)
                )
            client = Client(
                transport,
                mode="legacy" if self._legacy else "auto",
                cache=None,
                read_timeout_seconds=server.start_timeout,
                client_info=Implementation(name="docsidecar", version=version("docsidecar")),
            )
            try:
                async with asyncio.timeout(server.start_timeout):
                    await stack.enter_async_context(client)
            except TimeoutError:
                raise Lost(f"it did not come up within {server.start_timeout:g} seconds") from None
            except Exception as error:  # the SDK lets through whatever the transport or the greeting raised
                # Some servers of the handshake era die of a request before `initialize`: greet them as of old next.
                self._legacy = bool(server.command) and bool(messages.ending) and not self._legacy
                if messages.ending:
                    raise Lost(messages.ending) from error
                raise
            yield Connection(server, client, messages)

    def _become(self, state: str, error: str = "", retry_in: float | None = None) -> None:
        before = self.state
        # A failure that was logged is logged once, however often the server is tried again.
        if (state, error) != (before.state, before.error) and (state != "down" or before.error != error):
            level = logging.WARNING if state == "refused" else logging.INFO
            logger.log(level, "upstream %s is %s%s", before.name, state, f": {error}" if error else "")
        before.become(state, error, retry_in)

    def _hide(self, text: str) -> str:
        return self._secrets.hide(text)

    def _hear(self, line: str) -> None:
        """A line of its standard error, or a remark of the transport's: so many go to the log."""
        text = self._hide(clean(line, 500))
        self._last_words = clean(text, 200)
        if not self._lines.take():
            self._left_out += 1
            return
        left_out, self._left_out = self._left_out, 0
        logger.info("upstream %s: %s%s", self.state.name, text, f" ({left_out:,} lines left out)" if left_out else "")


async def _end(task: asyncio.Task[None]) -> None:
    while not task.done():  # a library below may swallow a cancellation once
        task.cancel()
        await asyncio.wait({task}, timeout=_ENDING_SECONDS)


def _cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _sentence(error: BaseException) -> str:
    """Why an attempt failed, in words without our own internals."""
    match error:
        case Lost() | SidecarError():
            return str(error)
        case MCPError(code=code) if code == CONNECTION_CLOSED:
            return "the connection was lost"
        case MCPError(code=code) if code == REQUEST_TIMEOUT:
            return "it did not answer in time"
        case MCPError(message=message):
            return f"it refused the connection: {clean(message, 300)}"
        case ValidationError():
            return "its greeting is not valid MCP"
        case TimeoutError():
            return "it did not answer in time"
        case _:
            return f"{type(error).__name__}: {clean(str(error), 300)}"


def _leaf(error: BaseException) -> BaseException:
    """The first of a group's errors that says something."""
    while isinstance(error, BaseExceptionGroup):
        errors: tuple[BaseException, ...] = error.exceptions
        error = next((one for one in errors if not isinstance(one, asyncio.CancelledError)), errors[0])
    return error
