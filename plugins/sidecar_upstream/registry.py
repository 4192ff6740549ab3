"""What the serving process knows of each upstream server: its state, and what it offers, in the order of our URIs.

Lists are kept in the index's cache, so that they are there at once after a restart. No I/O but that cache.
"""

from __future__ import annotations

import bisect
import difflib
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import msgspec

from sidecar.api import Cache, NotFoundError, ResourceEntry, Services, Template
from sidecar_upstream.addresses import address, prefix, template_address
from sidecar_upstream.records import Described, Entry, Form, Page, State
from sidecar_upstream.servers import Upstream, fingerprint

__all__ = ["Registry", "Standing"]

_LISTS = "upstream-lists"
_YEARS = 10 * 365 * 86400.0


class _Kept(msgspec.Struct, array_like=True):
    """A server's listing as it is kept."""

    fingerprint: str
    entries: list[Entry]
    forms: list[Form]


@dataclass
class Standing:
    """One server. `uris` are ours, sorted; `own` leads from each to the server's entry."""

    server: Upstream
    state: str = "waiting"
    error: str = ""
    retry_at: float | None = None
    era: str = ""
    title: str = ""
    remark: str = ""
    reaches: tuple[str, ...] = ()
    uris: list[str] = field(default_factory=list[str])
    own: dict[str, Entry] = field(default_factory=dict[str, Entry])
    forms: dict[str, Form] = field(default_factory=dict[str, Form])
    arriving: dict[str, Entry] = field(default_factory=dict[str, Entry])

    def report(self) -> dict[str, Any]:
        """The server's line in `get_library_status`."""
        found: dict[str, Any] = {"state": self.state, "era": self.era, "resources": len(self.uris)}
        if self.title:
            found["title"] = self.title
        if self.forms:
            found["templates"] = len(self.forms)
        if self.error:
            found["error"] = self.error
        if self.remark:
            found["remark"] = self.remark
        if self.retry_at is not None:
            found["retry_in"] = round(max(self.retry_at - time.monotonic(), 0.0), 1)
        return found


class Registry:
    """All configured servers by name."""

    def __init__(self) -> None:
        self.standings: dict[str, Standing] = {}
        self._order: list[Standing] = []

    def configure(self, servers: Iterable[Upstream]) -> None:
        """From now on these servers and no others. What is known of one that stays the same stays known."""
        before = self.standings
        self.standings = {server.name: _succeeding(before.get(server.name), server) for server in servers}
        self._order = sorted(self.standings.values(), key=lambda standing: prefix(standing.server.name))

    def standing(self, name: str) -> Standing:
        """Raises NotFoundError with near names. Letter case does not matter: clients change it in URIs."""
        found = self.standings.get(name)
        if found is None:
            found = next((one for key, one in self.standings.items() if key.casefold() == name.casefold()), None)
        if found is None:
            near = difflib.get_close_matches(name, self.standings, 3, 0.4) or list(self.standings)[:5]
            hint = f"; did you mean {' or '.join(near)}?" if near else "."
            raise NotFoundError(f"There is no upstream server {name[:60]!r}{hint}", near=near)
        return found

    def entries(self, after: str, limit: int) -> list[ResourceEntry]:
        """Up to `limit` entries whose URI comes after `after`, in the order of URIs."""
        found: list[ResourceEntry] = []
        for standing in self._order:
            start = bisect.bisect_right(standing.uris, after)
            some = standing.uris[start : start + limit - len(found)]
            found += [_listed(standing.server.name, uri, standing.own[uri]) for uri in some]
            if len(found) >= limit:
                break
        return found

    def templates(self) -> tuple[Template, ...]:
        """All servers' templates under our URIs."""
        return tuple(
            Template(uri, form.name, form.title, form.description, form.media_type)
            for standing in self._order
            for uri, form in standing.forms.items()
        )

    def reaches(self) -> set[str]:
        """The sidecars that are reached through any server."""
        return {instance for standing in self._order for instance in standing.reaches}

    def apply_state(self, name: str, event: State) -> bool:
        """Take note of a server's state; whether what we list is different now: one in a circle lists nothing, also
        when that was found out only after it had been listed."""
        standing = self.standings[name]
        standing.state, standing.error, standing.reaches = event.state, event.error, event.reaches
        standing.retry_at = time.monotonic() + event.retry_in if event.retry_in is not None else None
        standing.era = event.era or standing.era
        standing.title = event.title or standing.title
        if event.state != "refused" or not (standing.uris or standing.forms):
            return False
        standing.own, standing.uris, standing.forms = {}, [], {}
        return True

    def apply_page(self, name: str, event: Page) -> bool:
        """Take a piece of a listing; whether what we list is different now."""
        standing = self.standings[name]
        for entry in event.entries:
            uri = address(name, entry.uri)
            before = standing.own.get(uri)
            if not entry.description and before is not None and before.generated:
                entry = msgspec.structs.replace(entry, description=before.description, generated=True)  # noqa: PLW2901
            standing.arriving[uri] = entry
        if not event.last:
            return False
        standing.remark = event.remark
        arrived, standing.arriving = standing.arriving, {}
        if event.keep:
            return False
        forms = {template_address(name, form.uri_template): form for form in event.forms}
        changed = arrived != standing.own or forms != standing.forms
        if changed:
            standing.own, standing.uris, standing.forms = arrived, sorted(arrived), forms
        return changed

    def apply_described(self, name: str, event: Described) -> bool:
        """Take the beginnings of texts as descriptions; whether any was new."""
        standing = self.standings[name]
        changed = False
        for own, text in event.texts.items():
            uri = address(name, own)
            entry = standing.own.get(uri)
            if entry is not None and entry.description != text and (entry.generated or not entry.description):
                standing.own[uri] = msgspec.structs.replace(entry, description=text, generated=True)
                changed = True
        return changed

    def own_uri(self, standing: Standing, path: str) -> str:
        """The server's own URI of what stands behind its name in one of ours, or was typed instead."""
        name = standing.server.name
        entry = standing.own.get(prefix(name) + path) or standing.own.get(address(name, path))
        if entry is None and "%" in path:
            entry = standing.own.get(address(name, unquote(path)))
        return entry.uri if entry is not None else path

    async def load(self, services: Services) -> None:
        """Take the listings from the last run; those of servers that are no more, or no more the same, are dropped."""
        cache = _lists(services)
        for kept in await cache.entries():
            standing = self.standings.get(kept.key)
            found = await cache.get(kept.key) if standing is not None else None
            listing = _unpack(found[1]) if found is not None else None
            if standing is None or listing is None or listing.fingerprint != fingerprint(standing.server):
                await cache.delete(kept.key)
                await contents_cache(services, kept.key).clear()
                continue
            if standing.uris:
                continue
            name = standing.server.name
            standing.own = {address(name, entry.uri): entry for entry in listing.entries}
            standing.uris = sorted(standing.own)
            standing.forms = {template_address(name, form.uri_template): form for form in listing.forms}

    async def save(self, services: Services, name: str) -> None:
        """Keep a server's listing for the next run."""
        standing = self.standings.get(name)
        if standing is None:  # removed this instant
            return
        listing = _Kept(fingerprint(standing.server), list(standing.own.values()), list(standing.forms.values()))
        await _lists(services).put(name, msgspec.msgpack.encode(listing))


def _succeeding(before: Standing | None, server: Upstream) -> Standing:
    """The standing of a server that was configured anew."""
    if before is None or fingerprint(before.server) != fingerprint(server):
        return Standing(server)
    if before.server == server:
        return before
    # Other limits or credentials: it is connected anew, and lists what it listed until then.
    return Standing(server, uris=before.uris, own=before.own, forms=before.forms)


def contents_cache(services: Services, name: str) -> Cache:
    """Where a server's contents are kept: for each its own, so that one cannot push out another's."""
    return services.cache(f"upstream-{name}", max_entries=500, max_bytes=64 * 2**20, max_age=30 * 86400.0)


def near_uris(standing: Standing, uri: str) -> tuple[str, ...]:
    """Up to five of our URIs that come close to one the server does not know."""
    wanted = uri.casefold()
    tail = wanted.rstrip("/").rpartition("/")[2]
    close = [ours for ours in standing.uris if tail and tail[:12] in ours.casefold()][:200]
    pool: Mapping[str, None] = dict.fromkeys([*close, *standing.uris[:200]])
    return tuple(difflib.get_close_matches(address(standing.server.name, uri), pool, 5, 0.5))


def _lists(services: Services) -> Cache:
    return services.cache(_LISTS, max_entries=256, max_bytes=256 * 2**20, max_age=_YEARS)


def _unpack(data: bytes) -> _Kept | None:
    try:
        return msgspec.msgpack.decode(data, type=_Kept)
    except msgspec.DecodeError:  # of an older version
        return None


def _listed(server: str, uri: str, entry: Entry) -> ResourceEntry:
    return ResourceEntry(
        uri, entry.name, entry.title, entry.description, entry.media_type, entry.size, entry.modified,
        {"server": server},
    )  # fmt: skip
