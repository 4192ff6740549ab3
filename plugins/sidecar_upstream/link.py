"""The serving process's side: gets at a gatherer, takes in what it tells, and asks it to read.

Of the windows on one data directory the one that holds the lock runs the gatherer (`hosting`); the others join it
(`rendezvous`), and one of them takes over when that window ends. What is known stays known meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager

from sidecar.api import Lock, NotFoundError, Services, StoreError, UnavailableError, WorkerError
from sidecar_upstream.addresses import address
from sidecar_upstream.conversation import Conversation
from sidecar_upstream.cycles import Lineage
from sidecar_upstream.flow import Backoff
from sidecar_upstream.hosting import run_gatherer
from sidecar_upstream.records import PROTOCOL, Described, Event, Item, Page, Said, State, Updated
from sidecar_upstream.registry import Registry, Standing
from sidecar_upstream.rendezvous import NobodyThereError, find_gatherer, place

__all__ = ["Link"]

logger = logging.getLogger(__name__)

_START_SECONDS = 5.0
"""How long a read waits for the gatherer when it has not been started yet."""
_MARGIN_SECONDS = 3.0
_KNOCK_SECONDS = 0.2
"""How long to wait, at first, before looking again for another window's gatherer."""
_LONGEST_KNOCK = 5.0
_MUTE_SECONDS = 10.0
"""Where another window holds the lock and nobody answers for so long (it is suspended, or its gatherer cannot start),
this one gathers for itself."""
_SETTLED = frozenset({"connected", "down", "refused", "misconfigured"})


class Link:
    """One a process. `changed` is called when the registry lists other things than before.

    `run` is the background task; everything else may be called on the loop at any time.
    """

    def __init__(self, registry: Registry, changed: Callable[[], None]) -> None:
        self._registry = registry
        self._changed = changed
        self._conversation: Conversation | None = None
        self._moved = asyncio.Condition()
        self._loaded: asyncio.Task[None] | None = None
        self._configured = asyncio.Event()
        self._visiting = asyncio.Lock()
        self.running = False
        """Whether the background task keeps servers connected; without it each read connects for itself."""

    def configured(self) -> None:
        """The registry holds other servers than before."""
        self._loaded = None
        self._configured.set()

    async def loaded(self, services: Services) -> None:
        """Until what was kept of the last run is there."""
        if self._loaded is None:
            self._loaded = asyncio.create_task(self._load(services))
        await asyncio.shield(self._loaded)

    async def run(self, services: Services) -> None:
        """Keep servers connected until cancelled."""
        self.running = True
        lock = services.lock(f"upstream-{PROTOCOL}")
        try:
            await self.loaded(services)
            await self._run(services, lock)
        finally:
            self.running = False
            lock.release()
            if not self._registry.standings:  # gathering was switched off: forget what was gathered
                with contextlib.suppress(StoreError):
                    await asyncio.shield(self._registry.load(services))

    async def read(self, services: Services, standing: Standing, uri: str) -> tuple[Item, ...]:
        """Ask the server itself. Raises NotFoundError, UnavailableError."""
        if self.running:
            return await self._read(standing, uri)
        async with self._visit(services, standing):
            return await self._read(standing, uri)

    async def complete(
        self, standing: Standing, template: str, variable: str, value: str, others: Mapping[str, str]
    ) -> tuple[str, ...]:
        """Values the server offers for a variable of its template."""
        if standing.state != "connected" or self._conversation is None:
            return ()
        return await self._conversation.complete(standing.server.name, template, variable, value, others, 4.0)

    def why_not(self, standing: Standing) -> str:
        """One sentence on why a server cannot be read from now."""
        name = standing.server.name
        report = standing.report()
        error = standing.error.rstrip(".")
        match standing.state:
            case "waiting" | "connecting":
                return f"The upstream server {name} is still coming up{f' ({error})' if error else ''}; try again soon."
            case "down":
                soon = f"; it is tried again in {report.get('retry_in', 0):.0f} seconds" if self.running else ""
                return f"The upstream server {name} is not reachable: {error}{soon}."
            case _:
                return f"The upstream server {name} is not used: {error}."

    async def _run(self, services: Services, lock: Lock) -> None:
        lineage = Lineage.of(services.data_dir, os.environ)
        if refusal := lineage.refusal():
            logger.warning("%s", refusal)
            while True:
                self._configured.clear()
                await self._all("refused", refusal)
                await self._configured.wait()
        backoff, knocks = Backoff(1.0), Backoff(_KNOCK_SECONDS, _LONGEST_KNOCK)
        clock = asyncio.get_running_loop().time
        heard = clock()
        while True:
            if not _taken(lock):
                with contextlib.suppress(NobodyThereError):
                    await self._join(services, lineage)
                    await self._all("connecting", "")
                    knocks.reset()
                    heard = clock()
                if clock() - heard < _MUTE_SECONDS:
                    await asyncio.sleep(knocks.pause())
                    continue
                logger.warning("another window holds the upstream servers and does not answer: they are started here")
            try:
                await self._gather(services, lineage, published=lock.held)
                reason = "the gathering process ended"
            except (WorkerError, OSError) as error:
                reason = str(error)
            pause = backoff.pause()
            logger.warning("gathering from upstream servers ended and starts anew: %s", reason)
            await self._all("down", f"The gathering process ended: {reason}", pause)
            await asyncio.sleep(pause)

    @asynccontextmanager
    async def _visit(self, services: Services, standing: Standing) -> AsyncGenerator[None]:
        """Connect for one read: through a gatherer that runs already, else through one for this server alone."""
        lineage = Lineage.of(services.data_dir, os.environ)
        if refusal := lineage.refusal():
            raise UnavailableError(refusal)

        async def connect() -> None:
            reason = "the connection was lost"
            try:
                try:
                    await self._join(services, lineage, standing)
                except NobodyThereError:
                    await self._gather(services, lineage, standing)
            except (WorkerError, OSError) as error:
                reason = str(error)
            finally:
                if standing.state not in _SETTLED:
                    standing.state, standing.error = "down", reason
                await self._notify()

        async with self._visiting:
            standing.state, standing.error = "connecting", ""
            connecting = asyncio.create_task(connect())
            try:
                await self._until_settled(standing, standing.server.start_timeout + _MARGIN_SECONDS)
                yield
            finally:
                connecting.cancel()
                await asyncio.gather(connecting, return_exceptions=True)
                standing.state = "waiting"

    async def _read(self, standing: Standing, uri: str) -> tuple[Item, ...]:
        patience = _START_SECONDS if standing.state == "waiting" else standing.server.timeout
        await self._until_settled(standing, patience)
        name = standing.server.name
        if standing.state != "connected" or self._conversation is None:
            raise UnavailableError(self.why_not(standing))
        answer = await self._conversation.read(name, uri, standing.server.timeout + _MARGIN_SECONDS)
        if answer is None:
            raise UnavailableError(f"The upstream server {name} cannot be asked now; try again.")
        if answer.missing:
            said = f" (it says: {answer.error})" if answer.error else ""
            raise NotFoundError(f"The upstream server {name} has no resource {uri[:200]}{said}.")
        if answer.error:
            raise UnavailableError(f"{uri[:200]} cannot be read from the upstream server {name}: {answer.error}.")
        return answer.items

    async def _load(self, services: Services) -> None:
        try:
            await self._registry.load(services)
        except StoreError as error:  # gathering needs no memory of the last run
            logger.warning("what upstream servers listed before is not known: %s", error)
        self._changed()

    async def _tell_changed(self, services: Services, server: str) -> None:
        self._changed()
        services.resources_changed()
        try:
            await self._registry.save(services, server)
        except StoreError as error:  # it is for the next start only, and gathering goes on
            logger.warning("what the upstream server %s lists cannot be kept: %s", server, error)

    async def _until_settled(self, standing: Standing, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds), self._moved:
                await self._moved.wait_for(lambda: standing.state in _SETTLED)
        except TimeoutError:
            return

    async def _join(self, services: Services, lineage: Lineage, only: Standing | None = None) -> None:
        """Converse with another window's gatherer until it hangs up. Raises NobodyThereError."""
        reader, writer = await find_gatherer(place(services.data_dir))
        await self._converse(services, Conversation(reader, writer, lineage.chain, os.environ), only)

    async def _gather(
        self, services: Services, lineage: Lineage, only: Standing | None = None, *, published: bool = False
    ) -> None:
        """Converse with a gatherer of our own until it ends. Raises WorkerError, OSError."""

        async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._converse(services, Conversation(reader, writer, lineage.chain, os.environ), only)

        file = str(place(services.data_dir)) if published else ""
        await run_gatherer(services.workers, lineage.instance, file, converse)

    async def _converse(self, services: Services, conversation: Conversation, only: Standing | None) -> None:
        """Say what is wanted, again whenever that changes, and take in what is told, until the gatherer hangs up."""
        self._conversation = conversation

        async def want(standings: Iterable[Standing]) -> None:
            wrong = conversation.want([standing.server for standing in standings])
            for name, sentence in wrong.items():
                await self._take(services, name, State(name, "misconfigured", sentence))

        async def keep_wanting() -> None:
            while only is None:
                await self._configured.wait()
                self._configured.clear()
                await self.loaded(services)
                services.resources_changed()
                await want(self._registry.standings.values())

        self._configured.clear()
        wanting = asyncio.create_task(keep_wanting())
        try:
            await want([only] if only is not None else self._registry.standings.values())
            await conversation.listen(lambda name, event: self._take(services, name, event))
        finally:
            self._conversation = None
            wanting.cancel()
            await asyncio.gather(wanting, return_exceptions=True)
            conversation.close()

    async def _take(self, services: Services, name: str, event: Event) -> None:
        match event:
            case Said():
                for line in event.lines:
                    logger.info("upstream %s: %s", name, line)
                return
            case _ if name not in self._registry.standings:
                return  # removed this instant
            case State():
                self._log_state(name, event)
                changed = self._registry.apply_state(name, event)
                await self._notify()
                if changed:
                    await self._tell_changed(services, name)
            case Page():
                if self._registry.apply_page(name, event):
                    await self._tell_changed(services, name)
            case Described():
                if self._registry.apply_described(name, event):
                    await self._tell_changed(services, name)
            case Updated():
                for uri in event.uris:
                    services.resource_updated(address(name, uri))
            case _:
                pass

    def _log_state(self, name: str, event: State) -> None:
        before = self._registry.standings[name]
        if (event.state, event.error) == (before.state, before.error):
            return
        if event.state == "down" and before.error == event.error:
            return  # said already, and it will be tried again for as long as we live
        level = logging.WARNING if event.state in {"refused", "misconfigured"} else logging.INFO
        logger.log(level, "upstream %s is %s%s", name, event.state, f": {event.error}" if event.error else "")

    async def _all(self, state: str, error: str, retry_in: float | None = None) -> None:
        for name in self._registry.standings:
            self._registry.apply_state(name, State(name, state, error, retry_in))
        await self._notify()

    async def _notify(self) -> None:
        async with self._moved:
            self._moved.notify_all()


def _taken(lock: Lock) -> bool:
    """Whether this window is the one to gather. Where there can be no lock, each gathers for itself."""
    try:
        return lock.try_acquire()
    except StoreError as error:
        logger.warning("upstream servers are not shared between windows: %s", error)
        return True
