"""What is known of one upstream server: its state, and what it offers, in the order of our URIs.

Lists are kept in the index's cache, so that they are there at once after a restart. No I/O but that cache."""

import asyncio
import difflib
import logging
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar
from urllib.parse import unquote

import msgspec

from sidecar.api import Cache, ResourceEntry, Services, StoreError
from sidecar_upstream.resources import address, prefix
from sidecar_upstream.servers import Upstream, cache_name, fingerprint

logger = logging.getLogger(__name__)

T = TypeVar("T")

_YEARS = 10 * 365 * 86400.0
_PENDING = frozenset({"idle", "connecting"})
_MAX_WATCHED = 100
"""A server that lists this many at most is listened to for all of them, another for those that were read last."""
_WATCHED_READ = 256
_NEAR = 200
"""URIs that are compared with one nobody knows."""


class ServerListing(msgspec.Struct, frozen=True):
    """What a server offers, by our URIs and in their order, each under the server's own (of a template, its form), and
    by the server's own URIs how texts begin that it does not describe."""

    entries: dict[str, ResourceEntry] = {}
    templates: dict[str, ResourceEntry] = {}
    beginnings: dict[str, str] = {}

    def description(self, entry: ResourceEntry) -> str:
        """The server's own, or how the text begins."""
        return entry.description or self.beginnings.get(entry.uri, "")

    def own_uri(self, server: str, path: str) -> str:
        """The server's own URI of what stands behind its name in one of ours, or was typed instead."""
        ways = (prefix(server) + path, address(server, path), address(server, unquote(path)))
        return next((self.entries[uri].uri for uri in ways if uri in self.entries), path)

    def near(self, server: str, uri: str) -> tuple[str, ...]:
        """Up to five of our URIs that come close to one the server does not know."""
        tail = uri.casefold().rstrip("/").rpartition("/")[2]
        close = (ours for ours in self.entries if tail and tail[:12] in ours.casefold())
        pool = dict.fromkeys([*islice(close, _NEAR), *islice(self.entries, _NEAR)])
        return tuple(difflib.get_close_matches(address(server, uri), pool, 5, 0.5))


@dataclass(eq=False)
class ServerState:
    """One server. `state` is "idle" (not connected, as nobody asked for it), "connecting", "connected", "down" (tried
    again at `retry_at`, monotonic seconds), "refused" (a circle of sidecars) or "misconfigured".

    `reaches` holds the sidecars reached through it, `described` its own URIs of texts that have not changed since
    their beginnings were read, `recent` of those that were read last. `settled` is set unless it is about to be
    connected, `listed` once it has been listed or cannot be."""

    server: Upstream
    state: str = "idle"
    error: str = ""
    retry_at: float | None = None
    era: str = ""
    title: str = ""
    remark: str = ""
    reaches: tuple[str, ...] = ()
    listing: ServerListing = field(default_factory=ServerListing)
    described: set[str] = field(default_factory=set[str])
    recent: dict[str, None] = field(default_factory=dict[str, None])
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    listed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.name = self.server.name
        self.kept_as = cache_name(self.server, os.environ)

    def become(self, state: str, error: str = "", retry_in: float | None = None) -> None:
        """Take note of its state, and log it; one in a circle offers nothing."""
        # A failure that was logged is logged once, however often the server is tried again.
        again = (state, error) == (self.state, self.error) or (state == "down" and self.error == error)
        if state != "idle" and not again:
            level = logging.WARNING if state == "refused" else logging.INFO
            logger.log(level, "upstream %s is %s%s", self.name, state, f": {error}" if error else "")
        self.state, self.error = state, error
        self.retry_at = time.monotonic() + retry_in if retry_in is not None else None
        if state in _PENDING:
            self.settled.clear()
        else:
            self.settled.set()
        if state not in {*_PENDING, "connected"}:
            self.reaches = ()
            self.listed.set()

    def update(
        self, entries: Mapping[str, ResourceEntry], templates: Mapping[str, ResourceEntry], remark: str = ""
    ) -> bool:
        """Take note of what it offers; whether that is something else than before."""
        listed, former = {entry.uri for entry in entries.values()}, self.listing
        beginnings = {uri: text for uri, text in former.beginnings.items() if uri in listed}
        self.listing = ServerListing(dict(sorted(entries.items())), dict(sorted(templates.items())), beginnings)
        self.described &= listed
        self.remark = remark
        self.listed.set()
        return former.entries != entries or former.templates != templates

    def note_read(self, uri: str) -> bool:
        """One of its resources was read; whether it is listened to only now."""
        new = uri not in self.recent
        self.recent.pop(uri, None)
        self.recent[uri] = None
        if len(self.recent) > _WATCHED_READ:
            self.recent.pop(next(iter(self.recent)))
        return new

    def watched(self) -> set[str]:
        """The server's own URIs whose changes are listened to."""
        entries = self.listing.entries if len(self.listing.entries) <= _MAX_WATCHED else {}
        return {*self.recent, *(entry.uri for entry in entries.values())}

    def report(self) -> dict[str, object]:
        """The server's line in `get_library_status`; without `resources` until it is known what there is."""
        templates = len(self.listing.templates)
        optional = {"title": self.title, "templates": templates, "error": self.error, "remark": self.remark}
        found: dict[str, object] = {"state": self.state, "era": self.era}
        if self.listed.is_set() or self.listing.entries:  # of a server nobody has listed, none would be said falsely
            found["resources"] = len(self.listing.entries)
        found |= {key: value for key, value in optional.items() if value}
        if self.retry_at is not None:
            found["retry_in"] = round(max(self.retry_at - time.monotonic(), 0.0), 1)
        return found

    def why_not(self) -> str:
        """One sentence on why it cannot be read from now."""
        error = self.error.rstrip(".")
        if self.state in _PENDING:
            return f"The upstream server {self.name} is still coming up{error and f' ({error})'}; try again soon."
        if self.state != "down":
            return f"The upstream server {self.name} is not used: {error}."
        left = 0.0 if self.retry_at is None else self.retry_at - time.monotonic()
        seconds = f"{max(left, 1):.0f}"
        soon = f"; it is tried again in {seconds} second{'s' * (seconds != '1')}" if self.retry_at is not None else ""
        return f"The upstream server {self.name} is not reachable: {error}{soon}."

    async def announce(self, services: Services) -> None:
        """What we list of the server has changed: tell it, and keep it for the next start."""
        services.resources_changed()
        packed, of = msgspec.msgpack.encode(self.listing), {"fingerprint": fingerprint(self.server)}
        await _lists_cache(services).try_put(self.kept_as, packed, of)


async def load(services: Services, states: Mapping[str, ServerState]) -> None:
    """Take the listings from the last run; those of servers that are no more, or no more the same, are dropped.
    Those that a window with other credentials was shown are left to it."""
    cache = _lists_cache(services)
    try:
        for kept in await cache.entries():
            state = states.get(kept.key.partition(" ")[0])
            if state is None or kept.metadata.get("fingerprint") != fingerprint(state.server):
                await cache.delete(kept.key)
                await contents_cache(services, kept.key).clear()
            elif not state.listing.entries and kept.key == state.kept_as and (found := await cache.get(kept.key)):
                state.listing = unpacked(found[1], ServerListing) or state.listing
    except StoreError as error:  # gathering needs no memory of the last run
        logger.warning("what upstream servers listed before is not known: %s", error)


def unpacked(data: bytes, kind: type[T]) -> T | None:
    """What was kept; None where an older version kept it in another shape."""
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except msgspec.DecodeError:
        return None


def contents_cache(services: Services, kept: str) -> Cache:
    """Where a server's contents are kept, by `cache_name`: for each its own, so that one cannot push out another's."""
    return services.cache(f"upstream-{kept}", max_entries=500, max_bytes=64 * 2**20, max_age=30 * 86400.0)


def _lists_cache(services: Services) -> Cache:
    return services.cache("upstream-lists", max_entries=256, max_bytes=256 * 2**20, max_age=_YEARS)
