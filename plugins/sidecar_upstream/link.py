"""The serving process's side: runs the gatherer in a worker, takes in what it tells, and asks it to read.

The gatherer connects back over a socket on this machine, with a secret, because a worker's own pipe carries one call
and its answer only. When it dies it is started anew; what is known stays known meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping

from sidecar.api import NotFoundError, Services, UnavailableError, WorkerError
from sidecar_upstream.addresses import address
from sidecar_upstream.cycles import Lineage
from sidecar_upstream.flow import Backoff
from sidecar_upstream.records import (
    Answer,
    Complete,
    Completed,
    Described,
    Event,
    Item,
    Page,
    Read,
    Said,
    State,
    Updated,
    events,
    read_frame,
    write_frame,
)
from sidecar_upstream.registry import Registry, Standing

__all__ = ["Link"]

logger = logging.getLogger(__name__)

_GATHER = "sidecar_upstream.gatherer:gather"
_SECRET_BYTES = 32
_HELLO_SECONDS = 10.0
_FOREVER = 10 * 365 * 86400.0
_END_SECONDS = 1.0
_START_SECONDS = 5.0
"""How long a read waits for the gatherer when it has not been started yet."""
_MARGIN_SECONDS = 3.0
_SETTLED = frozenset({"connected", "down", "refused", "misconfigured"})


class Link:
    """One a process. `changed` is called when the registry lists other things than before.

    `run` is the background task; everything else may be called on the loop at any time.
    """

    def __init__(self, registry: Registry, changed: Callable[[], None]) -> None:
        self._registry = registry
        self._changed = changed
        self._writer: asyncio.StreamWriter | None = None
        self._asked: dict[int, asyncio.Future[Answer | Completed]] = {}
        self._next = 0
        self._moved = asyncio.Condition()
        self._loaded: asyncio.Task[None] | None = None

    async def loaded(self, services: Services) -> None:
        """Until what was kept of the last run is there."""
        if self._loaded is None:
            self._loaded = asyncio.create_task(self._load(services))
        await asyncio.shield(self._loaded)

    async def run(self, services: Services) -> None:
        """Keep a gatherer running until cancelled."""
        await self.loaded(services)
        lineage = Lineage.of(services.data_dir, os.environ)
        if refusal := lineage.refusal():
            logger.warning("%s", refusal)
            await self._all("refused", refusal)
            return
        backoff = Backoff(1.0)
        while True:
            try:
                await self._gather(services, lineage)
                reason = "the gathering process ended"
            except (WorkerError, OSError) as error:
                reason = str(error)
            pause = backoff.pause()
            logger.warning("gathering from upstream servers ended and starts anew: %s", reason)
            await self._all("down", f"The gathering process ended: {reason}", pause)
            await asyncio.sleep(pause)

    async def read(self, standing: Standing, uri: str) -> tuple[Item, ...]:
        """Ask the server itself. Raises NotFoundError, UnavailableError."""
        await self._until_settled(standing)
        name = standing.server.name
        if standing.state != "connected":
            raise UnavailableError(self.why_not(standing))
        answer = await self._ask(lambda number: Read(number, name, uri), standing.server.timeout + _MARGIN_SECONDS)
        if not isinstance(answer, Answer):
            raise UnavailableError(f"The upstream server {name} cannot be asked now; try again.")
        if answer.missing:
            said = f" (it says: {answer.error})" if answer.error else ""
            raise NotFoundError(f"The upstream server {name} has no resource {uri[:200]}{said}.")
        if answer.error:
            raise UnavailableError(f"{uri[:200]} cannot be read from the upstream server {name}: {answer.error}.")
        return answer.items

    async def complete(
        self, standing: Standing, template: str, variable: str, value: str, others: Mapping[str, str]
    ) -> tuple[str, ...]:
        """Values the server offers for a variable of its template."""
        if standing.state != "connected":
            return ()
        name = standing.server.name
        answer = await self._ask(
            lambda number: Complete(number, name, template, variable, value, dict(others)), 4.0
        )  # fmt: skip
        return answer.values if isinstance(answer, Completed) else ()

    def why_not(self, standing: Standing) -> str:
        """One sentence on why a server cannot be read from now."""
        name = standing.server.name
        report = standing.report()
        error = standing.error.rstrip(".")
        match standing.state:
            case "waiting":
                return f"The upstream server {name} is not connected; servers are while `docsidecar serve` runs."
            case "connecting":
                return f"The upstream server {name} is still coming up{f' ({error})' if error else ''}; try again soon."
            case "down":
                soon = f"; it is tried again in {report.get('retry_in', 0):.0f} seconds"
                return f"The upstream server {name} is not reachable: {error}{soon}."
            case _:
                return f"The upstream server {name} is not used: {error}."

    async def _load(self, services: Services) -> None:
        await self._registry.load(services)
        self._changed()

    async def _tell_changed(self, services: Services, server: str) -> None:
        self._changed()
        services.resources_changed()
        await self._registry.save(services, server)

    async def _until_settled(self, standing: Standing) -> None:
        seconds = _START_SECONDS if standing.state == "waiting" else standing.server.timeout
        try:
            async with asyncio.timeout(seconds), self._moved:
                await self._moved.wait_for(lambda: standing.state in _SETTLED)
        except TimeoutError:
            return

    async def _gather(self, services: Services, lineage: Lineage) -> None:
        """One gatherer, from its start to its end."""
        secret = secrets.token_bytes(_SECRET_BYTES)
        ended = asyncio.Event()

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                if self._writer is None and await _greeted(reader, secret):
                    self._writer = writer
                    try:
                        await self._listen(services, reader)
                    finally:
                        ended.set()
            finally:
                writer.close()

        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        servers = tuple(standing.server for standing in self._registry.standings.values())
        arguments = (port, secret, servers, lineage.instance, lineage.chain)
        gathering = services.workers.run(_GATHER, *arguments, timeout=_FOREVER, pool="upstream")
        working = asyncio.create_task(_awaited(gathering))
        waiting = asyncio.create_task(ended.wait())
        try:
            await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                await working
        finally:
            server.close()
            if self._writer is not None:
                self._writer.close()  # it ends its servers, then itself
                self._writer = None
            waiting.cancel()
            if not working.done():
                with contextlib.suppress(TimeoutError, WorkerError):
                    async with asyncio.timeout(_END_SECONDS):
                        await asyncio.shield(working)
                working.cancel()
            await asyncio.gather(working, waiting, return_exceptions=True)
            for future in self._asked.values():
                future.cancel()
            self._asked.clear()

    async def _listen(self, services: Services, reader: asyncio.StreamReader) -> None:
        decoder = events()
        while (frame := await read_frame(reader)) is not None:
            await self._take(services, decoder.decode(frame))
            await asyncio.sleep(0)  # frames that are there already must not keep the client waiting

    async def _take(self, services: Services, event: Event) -> None:
        match event:
            case Answer() | Completed():
                future = self._asked.pop(event.id, None)
                if future is not None and not future.done():
                    future.set_result(event)
            case State():
                self._log_state(event)
                self._registry.apply_state(event)
                async with self._moved:
                    self._moved.notify_all()
            case Page():
                if self._registry.apply_page(event):
                    await self._tell_changed(services, event.server)
            case Described():
                if self._registry.apply_described(event):
                    await self._tell_changed(services, event.server)
            case Updated():
                for uri in event.uris:
                    services.resource_updated(address(event.server, uri))
            case Said():
                for line in event.lines:
                    logger.info("upstream %s: %s", event.server, line)

    def _log_state(self, event: State) -> None:
        before = self._registry.standings[event.server]
        if (event.state, event.error) == (before.state, before.error):
            return
        if event.state == "down" and before.error == event.error:
            return  # said already, and it will be tried again for as long as we live
        level = logging.WARNING if event.state in {"refused", "misconfigured"} else logging.INFO
        logger.log(level, "upstream %s is %s%s", event.server, event.state, f": {event.error}" if event.error else "")

    async def _all(self, state: str, error: str, retry_in: float | None = None) -> None:
        for name in self._registry.standings:
            self._registry.apply_state(State(name, state, error, retry_in))
        async with self._moved:
            self._moved.notify_all()

    async def _ask(self, request: Callable[[int], Read | Complete], seconds: float) -> Answer | Completed | None:
        """None when there is no answer to be had."""
        writer = self._writer
        if writer is None:
            return None
        self._next += 1
        number = self._next
        future = self._asked[number] = asyncio.get_running_loop().create_future()
        write_frame(writer, request(number))
        try:
            async with asyncio.timeout(seconds):
                await asyncio.wait({future})
        except TimeoutError:
            return None
        finally:
            self._asked.pop(number, None)
        return future.result() if future.done() and not future.cancelled() else None


async def _awaited(call: Awaitable[None]) -> None:
    await call


async def _greeted(reader: asyncio.StreamReader, secret: bytes) -> bool:
    """Whether it is the gatherer that connected, and not some other program on this machine."""
    try:
        async with asyncio.timeout(_HELLO_SECONDS):
            return hmac.compare_digest(await reader.readexactly(len(secret)), secret)
    except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
        return False
