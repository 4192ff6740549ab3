"""What is known of one upstream server: its state, and what it offers, in the order of our URIs.

Lists are kept in the index's cache, so that they are there at once after a restart. No I/O but that cache."""

import asyncio
import difflib
import logging
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import unquote

import msgspec

from sidecar.api import Cache, Services, StoreError
from sidecar_upstream.resources import Entry, address, prefix
from sidecar_upstream.servers import Upstream, fingerprint, kept_as

logger = logging.getLogger(__name__)

T = TypeVar("T")

_YEARS = 10 * 365 * 86400.0
_PENDING = frozenset({"idle", "connecting"})
_NEAR = 200
"""URIs that are compared with one nobody knows."""
_WATCHED_ALL = 100
"""A server that lists so many at most is listened to for all of them, another for those that were read last."""
_WATCHED_READ = 256


class Kept(msgspec.Struct, array_like=True):
    """A server's listing as it is kept."""

    fingerprint: str
    entries: dict[str, Entry]
    templates: dict[str, Entry]
    beginnings: dict[str, str] = {}


@dataclass(eq=False)
class ServerState:
    """One server. `state` is "idle" (not connected, as nobody asked for it), "connecting", "connected", "down" (tried
    again at `retry_at`, monotonic seconds), "refused" (a circle of sidecars) or "misconfigured".

    `entries` and `templates` are by our URIs, `uris` their order; `reaches` holds the sidecars reached through it;
    `beginnings` how texts begin that it does not describe, by its own URIs, `described` those of them that have not
    changed since; `recent` has its own URIs that were read last. `settled` is set
    unless it is about to be connected, `listed` once it has been listed or cannot be."""

    server: Upstream
    state: str = "idle"
    error: str = ""
    retry_at: float | None = None
    era: str = ""
    title: str = ""
    remark: str = ""
    reaches: tuple[str, ...] = ()
    uris: list[str] = field(default_factory=list[str])
    entries: dict[str, Entry] = field(default_factory=dict[str, Entry])
    templates: dict[str, Entry] = field(default_factory=dict[str, Entry])
    beginnings: dict[str, str] = field(default_factory=dict[str, str])
    described: set[str] = field(default_factory=set[str])
    recent: dict[str, None] = field(default_factory=dict[str, None])
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    listed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.name = self.server.name
        self.kept_as = kept_as(self.server, os.environ)

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

    def take(self, entries: Mapping[str, Entry], templates: Mapping[str, Entry], remark: str = "") -> bool:
        """Take note of what it offers; whether that is something else than before."""
        found, forms = dict(sorted(entries.items())), dict(sorted(templates.items()))
        listed = {entry.uri for entry in found.values()}
        self.described &= listed
        self.beginnings = {uri: text for uri, text in self.beginnings.items() if uri in listed}
        self.remark = remark
        self.listed.set()
        if found == self.entries and forms == self.templates:
            return False
        self.entries, self.uris, self.templates = found, list(found), forms
        return True

    def description(self, entry: Entry) -> str:
        """The server's own, or how the text begins."""
        return entry.description or self.beginnings.get(entry.uri, "")

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
        entries = self.entries if len(self.entries) <= _WATCHED_ALL else {}
        return {*self.recent, *(entry.uri for entry in entries.values())}

    def report(self) -> dict[str, Any]:
        """The server's line in `get_library_status`."""
        optional = {"title": self.title, "templates": len(self.templates), "error": self.error, "remark": self.remark}
        found: dict[str, Any] = {"state": self.state, "era": self.era, "resources": len(self.uris)}
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
        retry = self.report().get("retry_in")
        soon = f"; it is tried again in {retry:.0f} seconds" if retry is not None else ""
        return f"The upstream server {self.name} is not reachable: {error}{soon}."

    def own_uri(self, path: str) -> str:
        """The server's own URI of what stands behind its name in one of ours, or was typed instead."""
        ways = (prefix(self.name) + path, address(self.name, path), address(self.name, unquote(path)))
        return next((self.entries[uri].uri for uri in ways if uri in self.entries), path)

    def near(self, uri: str) -> tuple[str, ...]:
        """Up to five of our URIs that come close to one the server does not know."""
        tail = uri.casefold().rstrip("/").rpartition("/")[2]
        close = [ours for ours in self.uris if tail and tail[:12] in ours.casefold()][:_NEAR]
        pool: Mapping[str, None] = dict.fromkeys([*close, *self.uris[:_NEAR]])
        return tuple(difflib.get_close_matches(address(self.name, uri), pool, 5, 0.5))

    async def announce(self, services: Services) -> None:
        """What we list of the server has changed: tell it, and keep it for the next start."""
        services.resources_changed()
        listing = Kept(fingerprint(self.server), self.entries, self.templates, self.beginnings)
        try:
            await lists_cache(services).put(self.kept_as, msgspec.msgpack.encode(listing))
        except StoreError as error:  # it is for the next start only, and gathering goes on
            logger.warning("what the upstream server %s lists cannot be kept: %s", self.name, error)


async def load(services: Services, states: Mapping[str, ServerState]) -> None:
    """Take the listings from the last run; those of servers that are no more, or no more the same, are dropped.
    Those that a window with other credentials was shown are left to it."""
    cache = lists_cache(services)
    for kept in await cache.entries():
        state = states.get(kept.key.partition(" ")[0])
        found = await cache.get(kept.key) if state is not None else None
        listing = unpacked(found[1], Kept) if found is not None else None
        if state is None or listing is None or listing.fingerprint != fingerprint(state.server):
            await cache.delete(kept.key)
            await contents_cache(services, kept.key).clear()
        elif not state.uris and kept.key == state.kept_as:
            state.entries, state.uris, state.templates = listing.entries, list(listing.entries), listing.templates
            state.beginnings = listing.beginnings


def unpacked(data: bytes, kind: type[T]) -> T | None:
    """What was kept; None where an older version kept it in another shape."""
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except msgspec.DecodeError:
        return None


def contents_cache(services: Services, kept: str) -> Cache:
    """Where a server's contents are kept, by `kept_as`: for each its own, so that one cannot push out another's."""
    return services.cache(f"upstream-{kept}", max_entries=500, max_bytes=64 * 2**20, max_age=30 * 86400.0)


def lists_cache(services: Services) -> Cache:
    """Where the lists are kept."""
    return services.cache("upstream-lists", max_entries=256, max_bytes=256 * 2**20, max_age=_YEARS)
