"""Keeps one server connected while it is used: connects at the first use, again after a pause when the connection is
lost, closes it when idle, and answers reads.

What is done with a connection while it lasts is `connection`'s."""

import asyncio
import logging
import os
import time
from contextlib import AsyncExitStack
from importlib.metadata import version
from typing import Any

import anyio
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

from sidecar.api import ConfigError, NotFoundError, ResourceContent, Services, UnavailableError
from sidecar.toolkit.tasks import Backoff, Bucket, end, first_error
from sidecar.toolkit.text import clean
from sidecar_upstream.connection import CircleError, ServerConnection, sentence
from sidecar_upstream.http import http_client
from sidecar_upstream.messages import largest_message
from sidecar_upstream.resources import address, prefix
from sidecar_upstream.servers import Lineage, Secrets, Upstream, fill_in, fingerprint
from sidecar_upstream.state import ServerState
from sidecar_upstream.stdio import stdio_server

logger = logging.getLogger(__name__)

_STEADY_SECONDS = 60.0
"""A connection that held this long has proved itself: the next pause is a short one again."""
_REFUSED_SECONDS = 600.0
"""Jitter halves it: of two sidecars that refuse each other, one asks again first."""
_ENDING_SECONDS = 5.0
_KILLED = "ended with SIG"
_READS_AT_ONCE = 8
_READS_WAITING = 64
_STOPPED = (asyncio.CancelledError, anyio.BrokenResourceError, anyio.ClosedResourceError)
"""What says nothing of its own: it is raised where a message is to go on to what has ended."""
_LINES_A_SECOND, _LINES_AT_ONCE = 2.0, 40.0


class Connector(ServerState):
    """A server, and `connection`, the one to it that there is. `former` is the same server configured differently: it
    is connected again where that was, once that has ended, and with other limits or credentials lists what it listed.
    `wanted` says that it was used while nothing could be connected."""

    def __init__(self, server: Upstream, former: "Connector | None") -> None:
        super().__init__(server)
        if former is not None and fingerprint(former.server) == fingerprint(server):
            self.listing = former.listing
        self.wanted = former is not None and (former.wanted or former.used)
        self._alone = former._alone if former is not None else asyncio.Lock()
        self._secrets = Secrets()
        self.connection: ServerConnection | None = None
        self._last_words = ""
        self._legacy = False
        self._reads = asyncio.Semaphore(_READS_AT_ONCE)
        self._waiting, self._used = 0, 0.0
        self._lines, self._left_out = Bucket(_LINES_A_SECOND, _LINES_AT_ONCE, time.monotonic), 0
        self._task: asyncio.Task[None] | None = None

    @property
    def used(self) -> bool:
        """Whether it is connected, or tried to be, because it was used not long ago."""
        return self._task is not None and not self._task.done()

    def use(self, services: Services) -> None:
        """It is listed or read: connect unless it is connected, and stay so for a while."""
        self._used, self.wanted = time.monotonic(), False
        if not self.used:
            self._task = asyncio.create_task(self._run(services))

    async def close(self) -> None:
        """End the connection, and wait for it."""
        if self._task is not None:
            await end(self._task, again=_ENDING_SECONDS)

    async def read(self, services: Services, uri: str, timeout: float) -> tuple[ResourceContent, ...]:
        """Read from the server, after waiting at most `timeout` seconds for it to be connected. Raises NotFoundError,
        which names what is like it, and UnavailableError."""
        self.use(services)
        name = self.name
        if self._waiting >= _READS_WAITING:
            raise UnavailableError(f"{_READS_WAITING} reads are waiting for the upstream server {name}; try again.")
        self._waiting += 1
        try:
            with anyio.move_on_after(timeout):
                await self.settled.wait()
            connection = self.connection
            if connection is None:
                raise UnavailableError(self.why_not())
            try:
                async with self._reads:
                    items = await connection.read(uri)
            except NotFoundError as error:
                reason = f" (it says: {self._secrets.hide(str(error))})" if str(error) else ""
                near = self.listing.near(name, uri)
                hint = f" Near it are {', '.join(near)}." if near else ""
                sentence = f"The upstream server {name} has no resource {uri[:200]}{reason}.{hint}"
                raise NotFoundError(sentence, uri=address(name, uri), near=near) from None
            except UnavailableError as error:
                connection.suspect.set()
                why = self._secrets.hide(str(error))
                raise UnavailableError(f"{uri[:200]} cannot be read from the upstream server {name}: {why}.") from None
            if self.note_read(uri):
                connection.watch.set()
            return items
        finally:
            self._waiting -= 1

    async def _run(self, services: Services) -> None:
        async with self._alone:
            lineage = Lineage(services.data_dir, os.environ)
            try:
                server, self._secrets = fill_in(self.server, os.environ)
            except ConfigError as error:
                self.become("misconfigured", error.message)
                return
            if refusal := lineage.refusal():
                self.become("refused", refusal)
                return
            while not self._idle(services):
                attempts = asyncio.create_task(self._keep_connected(services, server, lineage))
                try:
                    while not self._idle(services):
                        left = self._used + server.idle_seconds - time.monotonic()
                        await asyncio.sleep(max(left, server.idle_seconds / 4))
                finally:
                    await end(attempts, again=_ENDING_SECONDS)
                    self.become("idle")

    def _idle(self, services: Services) -> bool:
        used = self._used + self.server.idle_seconds > time.monotonic()
        begins = prefix(self.name)
        return not (used or self._waiting or any(uri.startswith(begins) for uri in services.subscribed()))

    async def _keep_connected(self, services: Services, server: Upstream, lineage: Lineage) -> None:
        backoff = Backoff(server.retry_seconds)
        refusals = Backoff(_REFUSED_SECONDS, _REFUSED_SECONDS)
        reason = ""
        while True:
            if self.state != "refused":
                self.become("connecting", reason)
            self._last_words = ""
            began = time.monotonic()
            connection = ServerConnection(self, services, lineage, self._secrets)
            leaf: BaseException = UnavailableError("the connection was lost")
            try:
                await self._connected(server, connection, lineage)
            except Exception as error:  # whatever a server makes the SDK raise ends this attempt, and nothing else
                task = asyncio.current_task()
                if task is not None and task.cancelling():  # a connection that breaks off then raises this instead
                    raise asyncio.CancelledError from error
                leaf = first_error(error, _STOPPED)
            if isinstance(leaf, CircleError):
                self.become("refused", str(leaf))
                if self.update({}, {}):
                    await self.announce(services)
                await refusals.wait()  # the other side may have been configured differently by then
                continue
            if time.monotonic() - began > _STEADY_SECONDS:
                backoff.reset()
            pause = backoff.pause()
            message = sentence(leaf, "greeting", server.start_timeout, "it refused the connection: ")
            # What it wrote before it was killed from outside need not say why.
            before = "; it last wrote: " if _KILLED in message else ": "
            reason = self._secrets.hide(message + (before + self._last_words if self._last_words else ""))
            self.become("down", reason, round(pause, 2))
            await asyncio.sleep(pause)

    async def _connected(self, server: Upstream, connection: ServerConnection, lineage: Lineage) -> None:
        """One connection, from its beginning to its end. Raises what ended it."""
        messages = connection.messages
        async with AsyncExitStack() as stack:
            if server.command:
                transport: Any = stdio_server(server, messages, lineage.for_children(), self._log_line)
            else:
                http = await stack.enter_async_context(http_client(server, messages, connection.suspect.set))
                most = largest_message(server)
                transport = streamable_http_client(server.url, http_client=http, max_sse_event_size=most)
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
                raise UnavailableError(f"it did not come up within {server.start_timeout:g} seconds") from None
            except Exception as error:  # the SDK lets through whatever the transport or the greeting raised
                # Some servers of the handshake era die of a request before `initialize`: greet them as of old next.
                self._legacy = bool(server.command) and bool(messages.ending) and not self._legacy
                if messages.ending:
                    raise UnavailableError(messages.ending) from error
                raise
            self.connection = connection
            try:
                await connection.run(client)
            finally:
                self.connection = None

    def _log_line(self, line: str) -> None:
        """A line of its standard error, or a remark of the transport's: so many go to the log."""
        text = self._secrets.hide(clean(line, 500))
        self._last_words = clean(text, 200)
        if not self._lines.take():
            self._left_out += 1
            return
        left_out, self._left_out = self._left_out, 0
        logger.info("upstream %s: %s%s", self.name, text, f" ({left_out:,} lines left out)" if left_out else "")
