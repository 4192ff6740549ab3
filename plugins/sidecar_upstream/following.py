"""What is done with a server while connected: list it, hear its changes, describe its texts, see that it lives."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from sidecar.api import NotFoundError, UnavailableError
from sidecar_upstream.catalog import ServerState
from sidecar_upstream.cleaning import beginning, is_textual
from sidecar_upstream.connection import Connection, Lost
from sidecar_upstream.rates import Backoff, within
from sidecar_upstream.records import Listing

__all__ = ["Following"]

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


class Following:
    """One server's, over all its connections: remembers which texts were described and which resources read last.

    `hide` takes credentials out of a text; `check` is awaited with every listing before that is taken, and may raise to
    end the connection; `listed` is awaited after what we list has changed. `stale` is to be set when the server's list
    changed, `suspect` when it may be gone.
    """

    def __init__(
        self, state: ServerState, hide: Callable[[str], str],
        check: Callable[[Connection, Listing], Awaitable[None]], listed: Callable[[], Awaitable[None]],
    ) -> None:  # fmt: skip
        self.stale, self.suspect = asyncio.Event(), asyncio.Event()
        self._state = state
        self._hide = hide
        self._check = check
        self._listed = listed
        self._described: set[str] = set()
        self._recent: dict[str, None] = {}
        self._watch, self._describing = asyncio.Event(), asyncio.Event()
        self._to_describe: dict[str, None] = {}
        self._listing = Listing()

    async def run(self, connection: Connection) -> None:
        """Until cancelled. Raises Lost when the connection is of no use any more."""
        self._connection, self._listing, self._to_describe = connection, Listing(), {}
        self.suspect.clear()
        await self._check(connection, self._listing)
        async with asyncio.TaskGroup() as tasks:
            for work in (self._list, self._see_that_it_lives, self._listen, self._describe):
                tasks.create_task(work())
            await connection.messages.closed.wait()
            raise Lost(connection.messages.ending)

    def note_read(self, uri: str) -> None:
        """A resource was read: it is listened to."""
        if uri not in self._recent:
            self._watch.set()
        self._recent.pop(uri, None)
        self._recent[uri] = None
        if len(self._recent) > _WATCHED_READ:
            self._recent.pop(next(iter(self._recent)))

    def note_update(self, uri: str) -> None:
        """The text of a resource has changed."""
        if uri in self._described:
            self._will_describe([uri])

    async def _list(self) -> None:
        """List what it offers, now and whenever it says that changed; the more often, the later."""
        loop = asyncio.get_running_loop()
        pause = _SHORTEST_REFRESH
        while True:
            self.stale.clear()
            began = loop.time()
            try:
                await self._take(await self._connection.listing())
            except UnavailableError as error:  # what it offered before stays known; it may be slow, or gone
                self._state.remark = self._hide(f"its list cannot be had: {error}")
                self.suspect.set()
            await self.stale.wait()
            soon = loop.time() - began < 2 * pause + 1
            pause = min(pause * 2, _LONGEST_REFRESH) if soon else _SHORTEST_REFRESH
            await asyncio.sleep(pause)

    async def _take(self, listing: Listing) -> None:
        await self._check(self._connection, listing)
        self._listing = listing
        self._watch.set()
        described = self._described
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
        if self._state.take(Listing(listing.entries, listing.forms, self._hide(listing.remark))):
            await self._listed()

    async def _see_that_it_lives(self) -> None:
        silent = 0
        while True:
            if not silent:
                await within(_CHECK_SECONDS, self.suspect)
            self.suspect.clear()
            if self._listing.entries:
                # A circle of sidecars may have been closed elsewhere meanwhile.
                await self._check(self._connection, self._listing)
            silent = 0 if await self._connection.alive() else silent + 1
            if silent >= 2:
                raise Lost("it stopped answering")

    async def _listen(self) -> None:
        """Hear of changes: of all resources where they are few, else of those that were read."""
        backoff = Backoff(self._connection.server.retry_seconds, 60.0)
        while True:
            uris = self._watched()
            await self._connection.subscribe(uris)
            listening = asyncio.create_task(self._connection.listen(sorted(uris)))
            changed = asyncio.create_task(self._other_watched(uris))
            try:
                await asyncio.wait({listening, changed}, return_when=asyncio.FIRST_COMPLETED)
                if not changed.done() and listening.result():
                    # The stream broke off: perhaps the server is gone, and perhaps something changed unheard.
                    self.suspect.set()
                    await asyncio.sleep(backoff.pause())
                    self.stale.set()
                    continue
                await changed
            finally:
                listening.cancel()
                changed.cancel()
                await asyncio.gather(listening, changed, return_exceptions=True)

    async def _other_watched(self, uris: set[str]) -> None:
        while self._watched() == uris:
            await self._watch.wait()
            self._watch.clear()

    def _watched(self) -> set[str]:
        entries = self._listing.entries
        return {*self._recent, *(entry.uri for entry in entries.values() if len(entries) <= _WATCHED_ALL)}

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
            again = not self._described.isdisjoint(some)
            found: dict[str, str] = {}
            for uri in some:
                del self._to_describe[uri]
                try:
                    found[uri] = beginning(await self._connection.read(uri, _DESCRIBE_SECONDS))
                    failures = 0
                except (NotFoundError, UnavailableError):
                    failures += 1
                if failures >= _DESCRIBE_FAILURES:
                    self._to_describe.clear()
                    failures = 0
                    break
            self._described |= found.keys()
            if not self._to_describe:
                self._describing.clear()
            if self._state.describe(found):
                await self._listed()
            pause = min(pause * 2, _LONGEST_DESCRIBE_PAUSE) if again and self._to_describe else _DESCRIBE_PAUSE
            await asyncio.sleep(pause)
