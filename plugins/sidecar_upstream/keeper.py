"""Keeps one server connected for as long as anybody wants it: connects, and again after a pause, and answers reads.

What is done with a connection while it lasts is `tending`'s.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version

from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, Implementation
from pydantic import ValidationError

from sidecar.api import NotFoundError, SidecarError, UnavailableError
from sidecar_upstream.cleaning import clean
from sidecar_upstream.connection import Connection, Listing, Lost
from sidecar_upstream.cycles import Lineage
from sidecar_upstream.door import Door, guard
from sidecar_upstream.flow import Backoff
from sidecar_upstream.records import Answer, Complete, Completed, Event, Read, State
from sidecar_upstream.servers import Secrets, Upstream
from sidecar_upstream.tending import Memory, Signs, Tending

__all__ = ["Keeper"]

_STEADY_SECONDS = 60.0
"""A connection that held so long has proved itself: the next pause is a short one again."""
_REFUSED_SECONDS = 600.0
"""Jitter halves it: of two sidecars that refuse each other, one asks again first."""
_READS_AT_ONCE = 8
_READS_WAITING = 64


class Refused(Exception):
    """Connecting would close a circle of sidecars."""


class Keeper:
    """`server` is filled in, its name is its key. `emit` tells the windows; `say` takes that key and a line to log."""

    def __init__(
        self, server: Upstream, secrets: Secrets, lineage: Lineage, emit: Callable[[Event], Awaitable[None]],
        say: Callable[[str, str], None],
    ) -> None:  # fmt: skip
        self._server = server
        self._secrets = secrets
        self._lineage = lineage
        self._emit = emit
        self._say = say
        self._memory = Memory()
        self._connection: Connection | None = None
        self._signs: Signs | None = None
        self._reason = ""
        self._last_words = ""
        self._legacy = False
        self._reads = asyncio.Semaphore(_READS_AT_ONCE)
        self._waiting = 0

    async def run(self) -> None:
        """Until cancelled."""
        backoff = Backoff(self._server.retry_seconds)
        refusals = Backoff(_REFUSED_SECONDS, _REFUSED_SECONDS)
        loop = asyncio.get_running_loop()
        refused = False
        while True:
            if not refused:
                await self._tell("connecting", error=self._reason)
            self._last_words = ""
            began = loop.time()
            try:
                await self._connected()
                reason, refused = "the connection was lost", False
            except Exception as error:  # whatever a server makes the SDK raise ends this attempt, and nothing else
                if _cancelled():  # where a connection breaks off at that instant, the SDK raises this instead
                    raise asyncio.CancelledError from error
                leaf = _leaf(error)
                refused = isinstance(leaf, Refused)
                if refused:
                    await self._tell("refused", error=str(leaf))
                    await asyncio.sleep(refusals.pause())  # the other side may have been configured differently by then
                    continue
                reason = _sentence(leaf)
            if loop.time() - began > _STEADY_SECONDS:
                backoff.reset()
            pause = backoff.pause()
            self._reason = self.hide(reason + (f": {self._last_words}" if self._last_words else ""))
            await self._tell("down", error=self._reason, retry_in=round(pause, 2))
            await asyncio.sleep(pause)

    async def read(self, request: Read) -> Answer:
        """Read from the server; never raises."""
        connection, signs = self._connection, self._signs
        if connection is None or signs is None:
            return Answer(request.id, error=f"it is not connected{f' ({self._reason})' if self._reason else ''}")
        if self._waiting >= _READS_WAITING:
            return Answer(request.id, error=f"{_READS_WAITING} reads are waiting for it already")
        self._waiting += 1
        try:
            async with self._reads:
                items = await connection.read(request.uri)
        except NotFoundError as error:
            return Answer(request.id, error=self.hide(str(error)), missing=True)
        except UnavailableError as error:
            signs.check.set()
            return Answer(request.id, error=self.hide(str(error)))
        finally:
            self._waiting -= 1
        if self._memory.note_read(request.uri):
            signs.watch.set()
        return Answer(request.id, items)

    async def complete(self, request: Complete) -> Completed:
        """Complete a variable of one of its templates; never raises."""
        if self._connection is None:
            return Completed(request.id)
        found = await self._connection.complete(
            request.template, request.variable, request.value, request.others
        )  # fmt: skip
        return Completed(request.id, found)

    def hide(self, text: str) -> str:
        """The text without this server's credentials."""
        return self._secrets.hide(text)

    async def _connected(self) -> None:
        """One connection, from its beginning to its end. Raises what ended it."""
        signs = Signs()
        async with self._open(signs) as connection:

            async def found(listing: Listing) -> None:
                reaches = await self._through(connection, listing)
                await self._tell("connected", connection=connection, reaches=reaches)

            await found(Listing())
            self._connection, self._signs = connection, signs
            try:
                await Tending(connection, signs, self._memory, self._emit, self.hide, found).run()
            finally:
                self._connection, self._signs = None, None

    @asynccontextmanager
    async def _open(self, signs: Signs) -> AsyncGenerator[Connection]:
        """A connection that has been greeted. Raises Lost when there was none to be had."""
        server = self._server
        door = Door(server.max_bytes, server.max_resources, signs.stale.set, signs.note_update)
        if server.command:
            from sidecar_upstream.stdio import stdio_server

            transport = stdio_server(server, door, self._lineage.for_children(), self._hear)
        else:
            from sidecar_upstream.http import http_server

            transport = http_server(server, signs.check.set)
        client = Client(
            guard(transport, door),
            mode="legacy" if self._legacy else "auto",
            cache=None,
            read_timeout_seconds=server.start_timeout,
            client_info=Implementation(name="docsidecar", version=version("docsidecar")),
        )
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(server.start_timeout):
                    await stack.enter_async_context(client)
            except TimeoutError:
                raise Lost(f"it did not come up within {server.start_timeout:g} seconds") from None
            except Exception as error:  # the SDK lets through whatever the transport or the greeting raised
                # Some servers of the handshake era die of a request before `initialize`: greet them as of old next.
                self._legacy = bool(server.command) and bool(door.ending) and not self._legacy
                if door.ending:
                    raise Lost(door.ending) from error
                raise
            yield Connection(server, client, door)

    async def _through(self, connection: Connection, listing: Listing) -> tuple[str, ...]:
        """The sidecars reached through it. Raises Refused when this one is among them."""
        reaches = await connection.reaches(listing)
        if self._lineage.instance in reaches[:1]:
            raise Refused("It is this sidecar itself; remove it from the configuration.")
        if self._lineage.instance in reaches:
            raise Refused("It gathers from this sidecar in turn; remove it here, or this one there.")
        return reaches

    async def _tell(
        self, state: str, *, error: str = "", retry_in: float | None = None, connection: Connection | None = None,
        reaches: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        era, title = (connection.era, self.hide(connection.title)) if connection is not None else ("", "")
        await self._emit(State(self._server.name, state, error, retry_in, era, title, reaches))

    def _hear(self, line: str) -> None:
        """A line of its standard error, or a remark of the transport's."""
        text = self.hide(clean(line, 500))
        self._last_words = clean(text, 200)
        self._say(self._server.name, text)


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
