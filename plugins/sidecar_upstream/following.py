"""What is done with a server while connected: list it, hear its changes, describe its texts, see that it lives."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from sidecar.api import NotFoundError, UnavailableError
from sidecar_upstream.catalog import ServerState
from sidecar_upstream.cleaning import beginning, is_textual
from sidecar_upstream.connection import Connection, Lost
from sidecar_upstream.rates import Backoff, within
from sidecar_upstream.records import Listing

__all__ = ["Following", "Memory", "Signals"]

_CHECK_SECONDS = 30.0
_SHORTEST_REFRESH = 0.1
_LONGEST_REFRESH = 30.0
_WATCHED_ALL = 100
"""A server that lists so many at most is listened to for all of them, another for those that were read last."""
_WATCHED_READ = 256
_DESCRIBED = 200
_DESCRIBED_BYTES = 256 * 1024
_DESCRIBE_SECONDS = 10.0
_DESCRIBE_FAILURES = 5
_DESCRIBED_AT_ONCE = 20
_DESCRIBE_PAUSE = 0.1
_LONGEST_DESCRIBE_PAUSE = 30.0


@dataclass
class Memory:
    """What outlives a connection: the own URIs of texts that were described, and of resources read last."""

    described: set[str] = field(default_factory=set[str])
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
class Signals:
    """What was noticed on a connection and is to be acted upon."""

    stale: asyncio.Event = field(default_factory=asyncio.Event)
    """Its list changed."""
    check: asyncio.Event = field(default_factory=asyncio.Event)
    """It may be gone."""
    watch: asyncio.Event = field(default_factory=asyncio.Event)
    """Other resources may have to be listened to than before."""


@dataclass
class Following:
    """One connection's. `hide` takes credentials out of a text; `check` is awaited with every listing before that is
    taken, and may raise to end the connection; `listed` after what we list has changed."""

    connection: Connection
    state: ServerState
    signals: Signals
    memory: Memory
    hide: Callable[[str], str]
    check: Callable[[Listing], Awaitable[None]]
    listed: Callable[[], Awaitable[None]]

    def __post_init__(self) -> None:
        self._listing = Listing()
        self._to_describe: dict[str, None] = {}
        self._describing = asyncio.Event()

    async def run(self) -> None:
        """Until cancelled. Raises Lost when the connection is of no use any more."""
        async with asyncio.TaskGroup() as tasks:
            for work in (self._list, self._see_that_it_lives, self._listen, self._describe):
                tasks.create_task(work())
            messages = self.connection.messages
            await messages.closed.wait()
            raise Lost(messages.ending)

    async def _list(self) -> None:
        """List what it offers, now and whenever it says that changed; the more often, the later."""
        loop = asyncio.get_running_loop()
        pause = _SHORTEST_REFRESH
        while True:
            self.signals.stale.clear()
            began = loop.time()
            try:
                await self._take(await self.connection.listing())
            except UnavailableError as error:  # what it offered before stays known; it may be slow, or gone
                self.state.remark = self.hide(f"its list cannot be had: {error}")
                self.signals.check.set()
            await self.signals.stale.wait()
            soon = loop.time() - began < 2 * pause + 1
            pause = min(pause * 2, _LONGEST_REFRESH) if soon else _SHORTEST_REFRESH
            await asyncio.sleep(pause)

    async def _take(self, listing: Listing) -> None:
        await self.check(listing)
        self._listing = listing
        self.signals.watch.set()
        described = self.memory.described
        described &= {entry.uri for entry in listing.entries.values()}
        wanting = [
            entry.uri
            for entry in listing.entries.values()
            if not entry.description
            and entry.uri not in described
            and is_textual(entry.media_type)
            and (entry.size or 0) <= _DESCRIBED_BYTES
        ]
        self._will_describe(wanting[: max(_DESCRIBED - len(described), 0)])
        if self.state.take(Listing(listing.entries, listing.forms, self.hide(listing.remark))):
            await self.listed()

    async def _see_that_it_lives(self) -> None:
        silent = 0
        while True:
            if not silent:
                await within(_CHECK_SECONDS, self.signals.check)
            self.signals.check.clear()
            if self._listing.entries:
                await self.check(self._listing)  # a circle of sidecars may have been closed elsewhere meanwhile
            silent = 0 if await self.connection.alive() else silent + 1
            if silent >= 2:
                raise Lost("it stopped answering")

    async def _listen(self) -> None:
        """Hear of changes: of all resources where they are few, else of those that were read."""
        backoff = Backoff(self.connection.server.retry_seconds, 60.0)
        while True:
            uris = self._watched()
            await self.connection.subscribe(uris)
            listening = asyncio.create_task(self.connection.listen(sorted(uris)))
            changed = asyncio.create_task(self._other_watched(uris))
            try:
                await asyncio.wait({listening, changed}, return_when=asyncio.FIRST_COMPLETED)
                if not changed.done() and listening.result():
                    # The stream broke off: perhaps the server is gone, and perhaps something changed unheard.
                    self.signals.check.set()
                    await asyncio.sleep(backoff.pause())
                    self.signals.stale.set()
                    continue
                await changed
            finally:
                listening.cancel()
                changed.cancel()
                await asyncio.gather(listening, changed, return_exceptions=True)

    async def _other_watched(self, uris: set[str]) -> None:
        while self._watched() == uris:
            await self.signals.watch.wait()
            self.signals.watch.clear()

    def _watched(self) -> set[str]:
        entries = self._listing.entries
        return {*self.memory.recent, *(entry.uri for entry in entries.values() if len(entries) <= _WATCHED_ALL)}

    def describe_again(self, uri: str) -> None:
        """The text of a resource has changed."""
        if uri in self.memory.described:
            self._will_describe([uri])

    def _will_describe(self, uris: list[str]) -> None:
        self._to_describe |= dict.fromkeys(uris)
        if self._to_describe:
            self._describing.set()

    async def _describe(self) -> None:
        """Read the beginnings of texts, a few at a time; of those that change again and again more seldom."""
        pause, failures = _DESCRIBE_PAUSE, 0
        while True:
            await self._describing.wait()
            some = list(self._to_describe)[:_DESCRIBED_AT_ONCE]
            again = not self.memory.described.isdisjoint(some)
            found: dict[str, str] = {}
            for uri in some:
                del self._to_describe[uri]
                try:
                    found[uri] = beginning(await self.connection.read(uri, _DESCRIBE_SECONDS))
                    failures = 0
                except (NotFoundError, UnavailableError):
                    failures += 1
                if failures >= _DESCRIBE_FAILURES:
                    self._to_describe.clear()
                    failures = 0
                    break
            self.memory.described |= found.keys()
            if not self._to_describe:
                self._describing.clear()
            if self.state.describe(found):
                await self.listed()
            pause = min(pause * 2, _LONGEST_DESCRIBE_PAUSE) if again and self._to_describe else _DESCRIBE_PAUSE
            await asyncio.sleep(pause)
