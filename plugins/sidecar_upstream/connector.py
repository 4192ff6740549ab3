"""Keeps one server connected while it is used: connects at the first use, again after a pause when the connection is
lost, closes it when idle, and answers reads.

What is done with a connection while it lasts is `following`'s.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from importlib.metadata import version
from typing import Any

import anyio
import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, PARSE_ERROR, REQUEST_TIMEOUT, Implementation
from pydantic import ValidationError

from sidecar.api import ConfigError, NotFoundError, ResourceContent, Services, SidecarError, UnavailableError
from sidecar_upstream.catalog import ServerState, announce
from sidecar_upstream.connection import CLOSED, Connection, Lost
from sidecar_upstream.cycles import Lineage
from sidecar_upstream.following import Following, Refused
from sidecar_upstream.messages import largest_message
from sidecar_upstream.rates import Backoff, Bucket, within
from sidecar_upstream.resources import Listing, clean, prefix
from sidecar_upstream.servers import Secrets, Upstream, fill_in

logger = logging.getLogger(__name__)

_STEADY_SECONDS = 60.0
"""A connection that held so long has proved itself: the next pause is a short one again."""
_REFUSED_SECONDS = 600.0
"""Jitter halves it: of two sidecars that refuse each other, one asks again first."""
_ENDING_SECONDS = 5.0
_READS_AT_ONCE = 8
_READS_WAITING = 64
_STOPPED = (anyio.BrokenResourceError, anyio.ClosedResourceError)
"""What is raised where a message is to go on to what has ended."""
_LINES_A_SECOND, _LINES_AT_ONCE = 2.0, 40.0


class Connector:
    """`before` is the end of a connector of the same server, configured differently: it is waited for."""

    def __init__(self, state: ServerState, services: Services, before: asyncio.Task[None] | None = None) -> None:
        self.state = state
        self._services = services
        self._before = before
        self._lineage = Lineage.of(services.data_dir, os.environ)
        self._secrets = Secrets()
        self._following: Following | None = None
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
        if self._before is not None:
            await asyncio.wait({self._before})

    async def read(self, uri: str, patience: float) -> tuple[ResourceContent, ...]:
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
            following = self._following
            if following is None:
                raise UnavailableError(self.state.why_not())
            try:
                async with self._reads:
                    items = await following.connection.read(uri)
            except NotFoundError as error:
                said = f" (it says: {self._secrets.hide(str(error))})" if str(error) else ""
                raise NotFoundError(f"The upstream server {name} has no resource {uri[:200]}{said}.") from None
            except UnavailableError as error:
                following.suspect.set()
                why = self._secrets.hide(str(error))
                raise UnavailableError(f"{uri[:200]} cannot be read from the upstream server {name}: {why}.") from None
            following.note_read(uri)
            return items
        finally:
            self._waiting -= 1

    async def complete(self, template: str, variable: str, value: str, others: Mapping[str, str]) -> tuple[str, ...]:
        """Values the server offers for a variable of its template; () unless it is connected."""
        self.use()
        if self._following is None:
            return ()
        return await self._following.connection.complete(template, variable, value, others)

    async def _run(self) -> None:
        if self._before is not None:
            await asyncio.wait({self._before})
        try:
            server, self._secrets = fill_in(self.state.server, os.environ)
        except ConfigError as error:
            self.state.become("misconfigured", error.message)
            return
        if refusal := self._lineage.refusal():
            self.state.become("refused", refusal)
            return
        while not self._idle():
            attempts = asyncio.create_task(self._keep_connected(server))
            try:
                while not self._idle():
                    left = self._used + server.idle_seconds - self._clock()
                    await asyncio.sleep(max(left, server.idle_seconds / 4))
            finally:
                await _end(attempts)
                self.state.become("idle")

    def _idle(self) -> bool:
        used = self._used + self.state.server.idle_seconds > self._clock()
        begins = prefix(self.state.name)
        return not (used or self._waiting or any(uri.startswith(begins) for uri in self._services.subscribed()))

    async def _keep_connected(self, server: Upstream) -> None:
        backoff = Backoff(server.retry_seconds)
        refusals = Backoff(_REFUSED_SECONDS, _REFUSED_SECONDS)
        reason = ""
        while True:
            if self.state.state != "refused":
                self.state.become("connecting", reason)
            self._last_words = ""
            began = self._clock()
            leaf: BaseException = Lost("the connection was lost")
            try:
                await self._connected(server)
            except Exception as error:  # whatever a server makes the SDK raise ends this attempt, and nothing else
                if _cancelled():  # where a connection breaks off at that instant, the SDK raises this instead
                    raise asyncio.CancelledError from error
                leaf = _leaf(error)
            if isinstance(leaf, Refused):
                self.state.become("refused", str(leaf))
                if self.state.take(Listing()):
                    await announce(self._services, self.state)
                await asyncio.sleep(refusals.pause())  # the other side may have been configured differently by then
                continue
            if self._clock() - began > _STEADY_SECONDS:
                backoff.reset()
            pause = backoff.pause()
            reason = self._secrets.hide(_sentence(leaf) + (f": {self._last_words}" if self._last_words else ""))
            self.state.become("down", reason, round(pause, 2))
            await asyncio.sleep(pause)

    async def _connected(self, server: Upstream) -> None:
        """One connection, from its beginning to its end. Raises what ended it."""
        following = Following(self.state, self._services, self._lineage, self._secrets)
        messages = following.messages
        async with AsyncExitStack() as stack:
            client = Client(
                await self._transport(server, following, stack),
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
            self._following = following
            try:
                await following.run(Connection(server, client, messages))
            finally:
                self._following = None

    async def _transport(self, server: Upstream, following: Following, stack: AsyncExitStack) -> Any:
        if server.command:
            from sidecar_upstream.stdio import stdio_server

            return stdio_server(server, following.messages, self._lineage.for_children(), self._hear)
        from sidecar_upstream.http import http_client

        http = await stack.enter_async_context(http_client(server, following.messages, following.suspect.set))
        return streamable_http_client(server.url, http_client=http, max_sse_event_size=largest_message(server))

    def _hear(self, line: str) -> None:
        """A line of its standard error, or a remark of the transport's: so many go to the log."""
        text = self._secrets.hide(clean(line, 500))
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
        case anyio.BrokenResourceError() | anyio.ClosedResourceError():
            return "the connection was lost"
        case MCPError(code=code, message=message) if (code, message) == (CONNECTION_CLOSED, CLOSED):
            return "the connection was lost"
        case TimeoutError() | httpx2.TimeoutException():
            return "it did not answer in time"
        case MCPError(code=code) if code == REQUEST_TIMEOUT:
            return "it did not answer in time"
        case ValidationError():
            return "its greeting is not valid MCP"
        case MCPError(code=code) if code == PARSE_ERROR:
            return "its greeting is not valid MCP"
        case MCPError(message=message):
            return f"it refused the connection: {clean(message, 300)}"
        case RuntimeError():  # the SDK's, of a version that it does not know
            return f"it refused the connection: {clean(str(error), 300)}"
        case _:
            return f"{type(error).__name__}: {clean(str(error), 300)}"


def _leaf(error: BaseException) -> BaseException:
    """The first of a group's errors that says something: what only stopped because of it may have come before."""
    leaves = [*_leaves(error)]
    return next((leaf for leaf in leaves if not isinstance(leaf, (asyncio.CancelledError, *_STOPPED))), leaves[0])


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        errors: tuple[BaseException, ...] = error.exceptions
        for one in errors:
            yield from _leaves(one)
    else:
        yield error
