"""What is known of each upstream server: its state, and what it offers, in the order of our URIs.

Lists are kept in the index's cache, so that they are there at once after a restart. No I/O but that cache.
"""

from __future__ import annotations

import asyncio
import bisect
import difflib
import logging
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import msgspec

from sidecar.api import Cache, NotFoundError, ResourceEntry, Services, StoreError, Template
from sidecar_upstream.connection import by_address
from sidecar_upstream.resources import Entry, Listing, address, prefix
from sidecar_upstream.servers import Upstream, fingerprint, kept_as

logger = logging.getLogger(__name__)

_YEARS = 10 * 365 * 86400.0
_PENDING = frozenset({"idle", "connecting"})
_NEAR = 200
"""URIs that are compared with one nobody knows."""


class _Kept(msgspec.Struct, array_like=True):
    """A server's listing as it is kept."""

    fingerprint: str
    entries: list[Entry]
    templates: list[Entry]


@dataclass(eq=False)
class ServerState:
    """One server. `state` is "idle" (not connected, as nobody asked for it), "connecting", "connected", "down" (tried
    again at `retry_at`, monotonic seconds), "refused" (a circle of sidecars) or "misconfigured".

    `entries` and `templates` are by our URIs, `uris` their order; `reaches` holds the sidecars reached through it;
    `described` the server's own URIs whose texts were described, `recent` those that were read last.
    """

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
    templates: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    described: set[str] = field(default_factory=set[str])
    recent: dict[str, None] = field(default_factory=dict[str, None])
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set unless it is about to be connected."""
    listed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once it has been listed, or cannot be."""
    kept: str = field(init=False)
    """Under what its lists and contents are kept, see `kept_as`."""

    def __post_init__(self) -> None:
        self.kept = kept_as(self.server, os.environ)

    @property
    def name(self) -> str:
        """The name of its `[upstream.NAME]` table."""
        return self.server.name

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

    def take(self, listing: Listing) -> bool:
        """Take note of what it offers; whether that is something else than before. Descriptions of ours stay."""
        entries = dict(listing.entries)
        for uri, before in self.entries.items():
            entry = entries.get(uri) if before.generated else None
            if entry is not None and not entry.description:
                entries[uri] = msgspec.structs.replace(entry, description=before.description, generated=True)
        self.remark = listing.remark
        self.listed.set()
        if entries == self.entries and listing.templates == self.templates:
            return False
        self.entries, self.uris, self.templates = entries, list(entries), listing.templates
        return True

    def describe(self, texts: Mapping[str, str]) -> bool:
        """Take the beginnings of texts, by the server's own URIs, as descriptions where it gives none; whether any
        was new."""
        changed = False
        for own, text in texts.items():
            uri = address(self.name, own)
            entry = self.entries.get(uri)
            if entry is not None and entry.description != text and (entry.generated or not entry.description):
                self.entries[uri] = msgspec.structs.replace(entry, description=text, generated=True)
                changed = True
        return changed

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
        entry = self.entries.get(prefix(self.name) + path) or self.entries.get(address(self.name, path))
        if entry is None and "%" in path:
            entry = self.entries.get(address(self.name, unquote(path)))
        return entry.uri if entry is not None else path

    def near(self, uri: str) -> tuple[str, ...]:
        """Up to five of our URIs that come close to one the server does not know."""
        tail = uri.casefold().rstrip("/").rpartition("/")[2]
        close = [ours for ours in self.uris if tail and tail[:12] in ours.casefold()][:_NEAR]
        pool: Mapping[str, None] = dict.fromkeys([*close, *self.uris[:_NEAR]])
        return tuple(difflib.get_close_matches(address(self.name, uri), pool, 5, 0.5))


class Catalog:
    """All configured servers by name."""

    def __init__(self) -> None:
        self.servers: dict[str, ServerState] = {}
        self._order: list[ServerState] = []

    def configure(self, servers: Iterable[Upstream]) -> None:
        """From now on these servers and no others. What is known of one that stays the same stays known."""
        before = self.servers
        self.servers = {server.name: _succeeding(before.get(server.name), server) for server in servers}
        self._order = sorted(self.servers.values(), key=lambda state: prefix(state.name))

    def server(self, name: str) -> ServerState:
        """Raises NotFoundError with near names. Letter case does not matter: clients change it in URIs."""
        found = next((one for key, one in self.servers.items() if key.casefold() == name.casefold()), None)
        if found is None:
            near = difflib.get_close_matches(name, self.servers, 3, 0.4) or list(self.servers)[:5]
            hint = f"; did you mean {' or '.join(near)}?" if near else "."
            raise NotFoundError(f"There is no upstream server {name[:60]!r}{hint}", near=near)
        return found

    def entries(self, after: str, limit: int) -> list[ResourceEntry]:
        """Up to `limit` entries whose URI comes after `after`, in the order of URIs."""
        found: list[ResourceEntry] = []
        for state in self._order:
            start = bisect.bisect_right(state.uris, after)
            for uri in state.uris[start : start + limit - len(found)]:
                one = state.entries[uri]
                shown = (one.name, one.title, one.description, one.media_type, one.size, one.modified)
                found.append(ResourceEntry(uri, *shown, {"server": state.name}))
            if len(found) >= limit:
                break
        return found

    def templates(self) -> tuple[Template, ...]:
        """All servers' templates under our URIs."""
        return tuple(
            Template(uri, one.name, one.title, one.description, one.media_type)
            for state in self._order
            for uri, one in state.templates.items()
        )

    def reaches(self) -> set[str]:
        """The sidecars that are reached through any server."""
        return {instance for state in self._order for instance in state.reaches}

    async def load(self, services: Services) -> None:
        """Take the listings from the last run; those of servers that are no more, or no more the same, are dropped.
        Those that a window with other credentials was shown are left to it."""
        cache = _lists(services)
        for kept in await cache.entries():
            state = self.servers.get(kept.key.partition(" ")[0])
            found = await cache.get(kept.key) if state is not None else None
            try:
                listing = msgspec.msgpack.decode(found[1], type=_Kept) if found is not None else None
            except msgspec.DecodeError:  # of an older version
                listing = None
            if state is None or listing is None or listing.fingerprint != fingerprint(state.server):
                await cache.delete(kept.key)
                await contents_cache(services, kept.key).clear()
            elif not state.uris and kept.key == state.kept:
                state.entries = await by_address(state.name, listing.entries)
                state.uris = list(state.entries)
                state.templates = await by_address(state.name, listing.templates, "{}")


def _succeeding(before: ServerState | None, server: Upstream) -> ServerState:
    """The state of a server that was configured anew."""
    if before is None or fingerprint(before.server) != fingerprint(server):
        return ServerState(server)
    if before.server == server:
        return before
    # Other limits or credentials: it is connected anew, and lists what it listed until then.
    return ServerState(server, uris=before.uris, entries=before.entries, templates=before.templates)


async def announce(services: Services, state: ServerState) -> None:
    """What we list of the server has changed: tell it, and keep it for the next start."""
    services.resources_changed()
    listing = _Kept(fingerprint(state.server), list(state.entries.values()), list(state.templates.values()))
    try:
        await _lists(services).put(state.kept, msgspec.msgpack.encode(listing))
    except StoreError as error:  # it is for the next start only, and gathering goes on
        logger.warning("what the upstream server %s lists cannot be kept: %s", state.name, error)


def contents_cache(services: Services, kept: str) -> Cache:
    """Where a server's contents are kept, by `kept_as`: for each its own, so that one cannot push out another's."""
    return services.cache(f"upstream-{kept}", max_entries=500, max_bytes=64 * 2**20, max_age=30 * 86400.0)


def _lists(services: Services) -> Cache:
    return services.cache("upstream-lists", max_entries=256, max_bytes=256 * 2**20, max_age=_YEARS)
