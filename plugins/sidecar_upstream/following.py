"""What is done with a server while connected: list it, hear its changes, describe its texts, see that it lives."""

from __future__ import annotations

import asyncio

from sidecar.api import NotFoundError, Services, UnavailableError
from sidecar_upstream.catalog import ServerState, announce
from sidecar_upstream.connection import Connection, Lost
from sidecar_upstream.cycles import Lineage
from sidecar_upstream.messages import MessageFilter
from sidecar_upstream.rates import Backoff, end, within
from sidecar_upstream.resources import Listing, address, beginning, is_textual
from sidecar_upstream.servers import Secrets

_CHECK_SECONDS = 30.0
_HEARD_SECONDS = 1.0
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


class Refused(Exception):
    """Connecting closes a circle of sidecars; says which."""


class Following:
    """One attempt's: `messages` is for the transport, `connection` there once `run` was called with it.

    `suspect` is to be set when the server may be gone.
    """

    def __init__(self, state: ServerState, services: Services, lineage: Lineage, secrets: Secrets) -> None:
        self.suspect = asyncio.Event()
        self._state, self._services, self._lineage = state, services, lineage
        self._hide, self._secrets = secrets.hide, secrets
        self._stale, self._watch, self._describing = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._heard = asyncio.Event()
        """Set once changes are heard of, or it is known that they are not."""
        self._to_describe: dict[str, None] = {}
        self._listing = Listing()
        self.messages = MessageFilter(state.server.max_resources, self._stale.set, self._updated)

    async def run(self, connection: Connection) -> None:
        """Until cancelled. Raises Lost when the connection is of no use any more, and Refused."""
        self.connection = connection
        self._state.era, self._state.title = connection.era, self._hide(connection.title)
        await self._check(self._listing)
        async with asyncio.TaskGroup() as tasks:
            for work in (self._list, self._see_that_it_lives, self._listen, self._describe):
                tasks.create_task(work())
            await self.messages.closed.wait()
            raise Lost(self.messages.ending)

    def note_read(self, uri: str) -> None:
        """A resource was read: it is listened to."""
        recent = self._state.recent
        if uri not in recent:
            self._watch.set()
        recent.pop(uri, None)
        recent[uri] = None
        if len(recent) > _WATCHED_READ:
            recent.pop(next(iter(recent)))

    def _updated(self, uri: str) -> None:
        """Whoever sends it to clients gathers such changes over a moment."""
        self._services.resource_updated(address(self._state.name, uri))
        if uri in self._state.described:
            self._will_describe([uri])

    async def _check(self, listing: Listing) -> None:
        """Raises Refused when connecting closes a circle of sidecars."""
        reaches = await self.connection.reaches(listing)
        if refusal := self._lineage.refusal(reaches):
            raise Refused(refusal)
        self._state.reaches = reaches
        self._state.become("connected")

    async def _list(self) -> None:
        """List what it offers, now and whenever it says that changed; the more often, the later."""
        loop = asyncio.get_running_loop()
        pause = _SHORTEST_REFRESH
        await within(_HEARD_SECONDS, self._heard)  # else it would be listed twice
        while True:
            self._stale.clear()
            began = loop.time()
            try:
                await self._take(await self.connection.listing())
            except UnavailableError as error:  # what it offered before stays known; it may be slow, or gone
                self._state.remark = self._hide(f"its list cannot be had: {error}")
                self.suspect.set()
            await self._stale.wait()
            soon = loop.time() - began < 2 * pause + 1
            pause = min(pause * 2, _LONGEST_REFRESH) if soon else _SHORTEST_REFRESH
            await asyncio.sleep(pause)

    async def _take(self, listing: Listing) -> None:
        await self._check(listing)
        self._listing = listing
        self._watch.set()
        described = self._state.described
        described.intersection_update([entry.uri for entry in listing.entries.values()])
        wanting = [
            entry.uri
            for entry in listing.entries.values()
            if not entry.description
            and entry.uri not in described
            and is_textual(entry.media_type)
            and (entry.size or 0) <= _DESCRIBED_BYTES
        ]
        self._will_describe(wanting[: max(_DESCRIBED - len(described), 0)])
        mask = self._secrets.mask
        entries, templates = (
            {uri: entry.masked(mask) for uri, entry in found.items()} if self._secrets.credentials else found
            for found in (listing.entries, listing.templates)
        )
        if self._state.take(Listing(entries, templates, self._hide(listing.remark))):
            await announce(self._services, self._state)

    async def _see_that_it_lives(self) -> None:
        silent = 0
        while silent < 2:
            if not silent:
                await within(_CHECK_SECONDS, self.suspect)
            self.suspect.clear()
            if self._listing.entries:
                # A circle of sidecars may have been closed elsewhere meanwhile.
                await self._check(self._listing)
            silent = 0 if await self.connection.alive() else silent + 1
        raise Lost("it stopped answering")

    async def _listen(self) -> None:
        """Hear of changes: of all resources where they are few, else of those that were read. Others are listened to
        before the former are let go, and what was listed before anything was heard is listed again."""
        backoff = Backoff(self._state.server.retry_seconds, 60.0)
        streams: list[asyncio.Task[bool]] = []
        unheard = True
        try:
            while True:
                uris, begun = self._watched(), asyncio.Event()
                await self.connection.subscribe(uris)
                streams.append(asyncio.create_task(self.connection.listen(sorted(uris), begun)))
                await begun.wait()
                if unheard:
                    self._stale.set()
                    self._heard.set()
                await end(streams[:-1])
                del streams[:-1]
                unheard = await self._breaks(streams[0], uris)
                if unheard:  # perhaps the server is gone
                    self.suspect.set()
                    await asyncio.sleep(backoff.pause())
        finally:
            await end(streams)

    async def _breaks(self, stream: asyncio.Task[bool], uris: set[str]) -> bool:
        """Until others than `uris` are to be listened to; True where the stream broke off before."""
        changed = asyncio.create_task(self._other_watched(uris))
        try:
            await asyncio.wait({stream, changed}, return_when=asyncio.FIRST_COMPLETED)
            if not changed.done() and stream.result():
                return True
            await changed
            return False
        finally:
            await end([changed])

    async def _other_watched(self, uris: set[str]) -> None:
        while self._watched() == uris:
            await self._watch.wait()
            self._watch.clear()

    def _watched(self) -> set[str]:
        entries = self._listing.entries
        return {*self._state.recent, *(entry.uri for entry in entries.values() if len(entries) <= _WATCHED_ALL)}

    def _will_describe(self, uris: list[str]) -> None:
        self._to_describe |= dict.fromkeys(uris)
        if self._to_describe:
            self._describing.set()

    async def _describe(self) -> None:
        """Read the beginnings of texts, a few at a time; of those that change again and again more seldom."""
        pause, failures, described = _DESCRIBE_PAUSE, 0, self._state.described
        while True:
            await self._describing.wait()
            some = list(self._to_describe)[:_DESCRIBED_AT_ONCE]
            again = not described.isdisjoint(some)
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
            described.update(found)
            if not self._to_describe:
                self._describing.clear()
            if self._state.describe(found):
                await announce(self._services, self._state)
            pause = min(pause * 2, _LONGEST_DESCRIBE_PAUSE) if again and self._to_describe else _DESCRIBE_PAUSE
            await asyncio.sleep(pause)
