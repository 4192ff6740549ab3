"""What is done with a server while connected: list it, hear its changes, describe its texts, see that it lives."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from sidecar.api import NotFoundError, UnavailableError
from sidecar_upstream.cleaning import beginning, is_textual
from sidecar_upstream.connection import Connection, Listing, Lost
from sidecar_upstream.flow import Backoff
from sidecar_upstream.records import Described, Event, Page, Updated

__all__ = ["Memory", "Signs", "Tending"]

_PIECE = 200
_CHECK_SECONDS = 30.0
_SHORTEST_REFRESH = 0.1
_LONGEST_REFRESH = 30.0
_UPDATE_SECONDS = 0.25
_MOST_UPDATES = 500
_WATCHED_ALL = 100
_WATCHED_READ = 256
_DESCRIBED = 200
_DESCRIBED_BYTES = 256 * 1024
_DESCRIBE_SECONDS = 10.0
_DESCRIBE_FAILURES = 5
_RENEWED_AT_ONCE = 20
_RENEW_SECONDS = 0.5
_LONGEST_RENEW = 30.0


@dataclass
class Memory:
    """What outlives a connection: beginnings of texts by URI, and the resources read last."""

    texts: dict[str, str] = field(default_factory=dict[str, str])
    recent: dict[str, None] = field(default_factory=dict[str, None])

    def note_read(self, uri: str) -> bool:
        """Whether it is a new one."""
        new = uri not in self.recent
        self.recent.pop(uri, None)
        self.recent[uri] = None
        if len(self.recent) > _WATCHED_READ:
            self.recent.pop(next(iter(self.recent)))
        return new


@dataclass
class Signs:
    """What was noticed on a connection and is to be acted upon."""

    stale: asyncio.Event = field(default_factory=asyncio.Event)
    """Its list changed."""
    check: asyncio.Event = field(default_factory=asyncio.Event)
    """It may be gone."""
    watch: asyncio.Event = field(default_factory=asyncio.Event)
    """Other resources should be watched than before."""
    updated: asyncio.Event = field(default_factory=asyncio.Event)
    updates: dict[str, None] = field(default_factory=dict[str, None])
    outdated: asyncio.Event = field(default_factory=asyncio.Event)
    """The text of a resource whose beginning describes it changed."""

    def note_update(self, uri: str) -> None:
        """A resource changed; beyond a bound they are forgotten, since a read asks the server anyway."""
        if len(self.updates) < _MOST_UPDATES:
            self.updates[uri] = None
            self.updated.set()


@dataclass
class Tending:
    """One connection's. `hide` takes credentials out of a text; `found` is awaited with every listing before that is
    told, and may raise to end the connection."""

    connection: Connection
    signs: Signs
    memory: Memory
    emit: Callable[[Event], Awaitable[None]]
    hide: Callable[[str], str]
    found: Callable[[Listing], Awaitable[None]]
    _listed: tuple[str, ...] = ()
    _told: Listing = field(default_factory=Listing)
    _outdated: dict[str, None] = field(default_factory=dict[str, None])

    async def run(self) -> None:
        """Until cancelled. Raises Lost when the connection is of no use any more."""
        async with asyncio.TaskGroup() as tasks:
            for work in (self._follow, self._look_after, self._listen, self._pass_on, self._renew):
                tasks.create_task(work())
            door = self.connection.door
            await door.closed.wait()
            raise Lost(door.ending or "the connection was lost")

    @property
    def _name(self) -> str:
        return self.connection.server.name

    async def _follow(self) -> None:
        """List what it offers, now and whenever it says that changed; the more often, the later."""
        loop = asyncio.get_running_loop()
        pause = _SHORTEST_REFRESH
        told: Listing | None = None
        while True:
            self.signs.stale.clear()
            began = loop.time()
            try:
                listing = await self.connection.listing()
            except UnavailableError as error:
                # What it offered before stays known; it may be slow, or gone.
                self.signs.check.set()
                listing = None
                await self.emit(
                    Page(self._name, (), remark=self.hide(f"its list cannot be had: {error}"), keep=True, last=True)
                )
            if listing is not None:
                await self.found(listing)
                if listing != told:
                    await self._tell(listing)
                    self._told = told = listing
                    self.signs.watch.set()
            describing = asyncio.create_task(self._describe(self._undescribed()))
            try:
                await self.signs.stale.wait()
                soon = loop.time() - began < 2 * pause + 1
                pause = min(pause * 2, _LONGEST_REFRESH) if soon else _SHORTEST_REFRESH
                await asyncio.sleep(pause)
            finally:
                describing.cancel()
                await asyncio.gather(describing, return_exceptions=True)

    async def _tell(self, listing: Listing) -> None:
        self._listed = tuple(entry.uri for entry in listing.entries)
        known, texts = set(self._listed), self.memory.texts
        for uri in [uri for uri in texts if uri not in known]:
            del texts[uri]
        entries = [
            msgspec.structs.replace(entry, description=texts[entry.uri], generated=True)
            if not entry.description and texts.get(entry.uri)
            else entry
            for entry in listing.entries
        ]
        for start in range(0, len(entries), _PIECE):
            await self.emit(Page(self._name, tuple(entries[start : start + _PIECE])))
        await self.emit(Page(self._name, (), listing.forms, self.hide(listing.remark), last=True))

    async def _look_after(self) -> None:
        """Find out when it stopped answering."""
        silent = 0
        while True:
            if not silent:
                try:
                    async with asyncio.timeout(_CHECK_SECONDS):
                        await self.signs.check.wait()
                except TimeoutError:
                    pass
            self.signs.check.clear()
            if self._told.entries:
                await self.found(self._told)  # a circle of sidecars may have been closed elsewhere meanwhile
            silent = 0 if await self.connection.alive() else silent + 1
            if silent >= 2:
                raise Lost("it stopped answering")

    async def _listen(self) -> None:
        """Hear of changes: of all resources where they are few, else of those that were read."""
        backoff = Backoff(self.connection.server.retry_seconds, 60.0)
        while True:
            self.signs.watch.clear()
            uris = self._watched()
            await self.connection.watch(uris)
            listening = asyncio.create_task(self.connection.listen(uris))
            changed = asyncio.create_task(self._other_watched(uris))
            try:
                await asyncio.wait({listening, changed}, return_when=asyncio.FIRST_COMPLETED)
                if not changed.done() and listening.result():
                    # The stream broke off: perhaps the server is gone, and perhaps something changed unheard.
                    self.signs.check.set()
                    await asyncio.sleep(backoff.pause())
                    self.signs.stale.set()
                    continue
                await changed
            finally:
                listening.cancel()
                changed.cancel()
                await asyncio.gather(listening, changed, return_exceptions=True)

    async def _other_watched(self, uris: tuple[str, ...]) -> None:
        while self._watched() == uris:
            await self.signs.watch.wait()
            self.signs.watch.clear()

    def _watched(self) -> tuple[str, ...]:
        listed = self._listed if len(self._listed) <= _WATCHED_ALL else ()
        return tuple(sorted({*listed, *self.memory.recent}))

    async def _pass_on(self) -> None:
        """Tell of updated resources, gathered over a moment."""
        while True:
            await self.signs.updated.wait()
            await asyncio.sleep(_UPDATE_SECONDS)
            self.signs.updated.clear()
            uris, self.signs.updates = tuple(self.signs.updates), {}
            for uri in uris:
                if self.memory.texts.pop(uri, None) is not None:
                    self._outdated[uri] = None
                    self.signs.outdated.set()
            await self.emit(Updated(self._name, uris))

    async def _renew(self) -> None:
        """Describe texts anew that changed: a few at a time, and the longer it goes on, the more seldom."""
        pause = _RENEW_SECONDS
        while True:
            if not self._outdated:
                pause = _RENEW_SECONDS
            await self.signs.outdated.wait()
            some = list(self._outdated)[:_RENEWED_AT_ONCE]
            for uri in some:
                del self._outdated[uri]
            if not self._outdated:
                self.signs.outdated.clear()
            await self._describe(some)
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_RENEW)

    def _undescribed(self) -> list[str]:
        """Resources that seem to be texts, have no description of their own and none made by us; so many of them."""
        texts = self.memory.texts
        wanting = [
            entry.uri
            for entry in self._told.entries
            if not entry.description
            and entry.uri not in texts
            and is_textual(entry.media_type)
            and (entry.size or 0) <= _DESCRIBED_BYTES
        ]
        return wanting[: max(_DESCRIBED - len(texts), 0)]

    async def _describe(self, uris: Iterable[str]) -> None:
        """Read the beginnings of these texts, one after the other, and tell them."""
        found: dict[str, str] = {}
        failures = 0
        for uri in uris:
            try:
                text = beginning(await self.connection.read(uri, _DESCRIBE_SECONDS))
            except (NotFoundError, UnavailableError):
                failures += 1
                if failures >= _DESCRIBE_FAILURES:
                    break
                continue
            failures = 0
            self.memory.texts[uri] = found[uri] = text
            if len(found) >= 20:
                await self.emit(Described(self._name, found))
                found = {}
        if found:
            await self.emit(Described(self._name, found))
