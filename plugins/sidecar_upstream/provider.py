"""`upstream://` as resources of ours: listed from what is known of the servers, read from them, kept for when they are
not there.

The server itself is asked whenever it can be, because most servers do not tell of changes; what was read before
answers when it is down, and when it takes longer than a moment (the late answer then goes out as an update)."""

import asyncio
import bisect
import contextlib
import difflib
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import anyio
import msgspec
from msgspec.structs import replace

from sidecar.api import NotFoundError, ResourceContent, ResourceEntry, Services, Template, UnavailableError
from sidecar_upstream.resources import SCHEME, address, prefix, split_address
from sidecar_upstream.servers import INSTANCE_URI, Upstream, instance_of, instance_record
from sidecar_upstream.state import ServerState, contents_cache, load, unpacked

if TYPE_CHECKING:  # the SDK's client takes 100 ms to import, and most have no server configured
    from sidecar_upstream.connector import Connector

logger = logging.getLogger(__name__)

_ASKING_TIMEOUT = 1.0
_LIST_SECONDS = 5.0
_MARGIN_SECONDS = 3.0
_KEPT_BYTES = 4 * 2**20
_MAX_VALUES = 1000
_LOGGERS = ("mcp.client", "client", "httpx2", "httpcore2")
"""What they log holds addresses with credentials, and a traceback for each message of a server that is not valid."""

_GENERAL = Template(
    "upstream://{server}/{+uri}",
    "upstream",
    "Other servers' resources",
    "A resource of another MCP server by its own URI",
)


class UpstreamProvider:
    """Implements `api.ResourceProvider`; `servers` has those configured, by name, in the order of their URIs."""

    def __init__(self) -> None:
        self.schemes: tuple[str, ...] = (SCHEME,)
        self.servers: dict[str, Connector] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._loaded: asyncio.Task[None] | None = None
        self._running = False
        """Whether the background task runs; without it each read connects for itself."""
        self._changed = asyncio.Event()
        self._late: set[asyncio.Task[tuple[ResourceContent, ...]]] = set()

    @property
    def templates(self) -> tuple[Template, ...]:
        """The general one, and those of the servers; none where there is no server."""
        theirs = (
            Template(uri, one.name, one.title, one.description, one.media_type)
            for state in self.servers.values()
            for uri, one in state.listing.templates.items()
        )
        return (_GENERAL, *theirs) if self.servers else ()

    def configure(self, servers: Iterable[Upstream]) -> None:
        """From now on these servers. What is known of one that stays the same stays known; those that are used and
        have changed are connected anew, once their former connection has ended."""
        former, self.servers = self.servers, {}  # whoever goes through them now keeps what there was
        for server in sorted(servers, key=lambda one: prefix(one.name)):
            from sidecar_upstream.connector import Connector

            known = former.get(server.name)
            self.servers[server.name] = known if known and known.server == server else Connector(server, known)
        for name, one in former.items():
            if one.used and self.servers.get(name) is not one:
                ending = asyncio.create_task(one.close())
                self._ending.add(ending)
                ending.add_done_callback(self._ending.discard)
        self._loaded = None
        self._changed.set()

    async def run(self, services: Services) -> None:
        """The background task: connect what is listed or read, until cancelled; then close every connection."""
        for name in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        self._running = True
        self._changed.clear()
        try:
            await self._load(services)
            while True:
                for connector in self.servers.values():
                    if connector.wanted:
                        connector.use(services)
                await self._changed.wait()
                self._changed.clear()
                await self._load(services)
                services.resources_changed()
        finally:
            self._running = False
            await asyncio.gather(*(one.close() for one in self.servers.values()), *self._ending)
            if not self.servers:  # gathering was switched off: forget what was gathered
                await asyncio.shield(load(services, {}))

    async def report(self, services: Services) -> dict[str, object]:
        """The field `upstream` of `get_library_status`."""
        await self._load(services)
        return {name: state.report() for name, state in self.servers.items()}

    async def entries(self, services: Services, after: str, limit: int) -> Sequence[ResourceEntry]:
        """What is known of the servers' lists; those that are not connected are connected meanwhile."""
        await self._load(services)
        found: list[ResourceEntry] = []
        for state in self.servers.values():
            self._use(services, state)
            listing, uris = state.listing, list(state.listing.entries)
            start = bisect.bisect_right(uris, after)
            for uri in uris[start : start + limit - len(found)]:
                one = listing.entries[uri]
                description, of = listing.description(one), {"server": state.name}
                found.append(replace(one, uri=uri, description=description, metadata=of))
        return found

    async def read(self, services: Services, uri: str) -> tuple[ResourceContent, ...]:
        """A resource of a server; raises NotFoundError, UnavailableError."""
        if uri == INSTANCE_URI and self.servers:
            reaches = {instance for state in self.servers.values() for instance in state.reaches}
            text = instance_record(instance_of(services.data_dir), reaches)
            return (ResourceContent(uri, "application/json", text=text),)
        await self._load(services)
        name, path = split_address(uri)
        state = self.server(name)
        items = await self._items(services, state, state.listing.own_uri(state.name, path))
        shown = [uri] if len(items) == 1 else [address(state.name, item.uri) for item in items]
        return tuple(replace(item, uri=ours) for ours, item in zip(shown, items, strict=True))

    async def complete(
        self, services: Services, template: str, variable: str, value: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        """See `api.ResourceProvider.complete`."""
        await self._load(services)
        variable, typed = variable.removeprefix("+"), value.strip()
        low = typed.casefold()
        if template != _GENERAL.uri_template:
            for connector in self.servers.values():
                if form := connector.listing.templates.get(template):
                    connector.use(services)
                    now = connector.connection
                    return await now.complete(form.uri, variable, value, others) if now is not None else []
        elif variable == "server":
            return [name for name in self.servers if name.casefold().startswith(low)]
        elif variable == "uri":
            with contextlib.suppress(NotFoundError):
                uris = (entry.uri for entry in self.server(others.get("server", "")).listing.entries.values())
                like = [uri for uri in uris if low in uri.casefold()]
                return sorted(like, key=lambda uri: not uri.startswith(typed))[:_MAX_VALUES]
        return []

    def server(self, name: str) -> "Connector":
        """Raises NotFoundError with near names. Letter case does not matter: clients change it in URIs."""
        found = next((one for key, one in self.servers.items() if key.casefold() == name.casefold()), None)
        if found is not None:
            return found
        if not self.servers:
            raise NotFoundError(
                f"There is no server {name[:60]!r}: none is configured. Write its command or url below "
                "[upstream.NAME] in config.toml (`docsidecar config path` says where that is)."
            )
        near = difflib.get_close_matches(name, self.servers, 3, 0.4) or list(self.servers)[:5]
        raise NotFoundError(f"There is no upstream server {name[:60]!r}; did you mean {' or '.join(near)}?", near=near)

    async def until_listed(self, services: Services, states: Collection["Connector"]) -> None:
        """Until it is known what these servers offer, or that it cannot be; for a moment only."""
        for state in states:
            self._use(services, state)
        if not self._running:
            return
        with anyio.move_on_after(_LIST_SECONDS):
            for state in states:
                if not state.listing.entries:
                    await state.listed.wait()

    async def _load(self, services: Services) -> None:
        """Until what was kept of the last run is there."""
        if self._loaded is None and self.servers:
            self._loaded = asyncio.create_task(load(services, self.servers))
        if self._loaded is not None:
            await asyncio.shield(self._loaded)

    def _use(self, services: Services, connector: "Connector") -> None:
        """It is listed: connect it, without waiting for it."""
        if not self._running:
            connector.wanted = True
        elif connector.name in self.servers:
            self.servers[connector.name].use(services)

    async def _items(self, services: Services, state: ServerState, own: str) -> tuple[ResourceContent, ...]:
        """What the server says, or what was kept of that."""
        kept = await contents_cache(services, state.kept_as).get(own)
        known = unpacked(kept[1], tuple[ResourceContent, ...]) if kept is not None else None
        if kept is None or known is None:
            return await self._fresh(services, state, own, kept and kept[1])
        asking = asyncio.create_task(self._fresh(services, state, own, kept[1]))
        self._late.add(asking)
        asking.add_done_callback(self._late.discard)
        asking.add_done_callback(lambda task: task.cancelled() or task.exception())  # its reader may have been answered
        # Where each read connects for itself, wait for the server, and say it when the answer is a kept one.
        await asyncio.wait({asking}, timeout=_ASKING_TIMEOUT if self._running else None)
        try:
            return asking.result() if asking.done() else known
        except UnavailableError as error:
            if not self._running:
                since = datetime.fromtimestamp(kept[0].created, UTC).strftime("%Y-%m-%d %H:%M UTC")
                logger.warning("%s What follows is what it gave at %s.", error, since)
            return known

    async def _fresh(
        self, services: Services, state: ServerState, own: str, before: bytes | None
    ) -> tuple[ResourceContent, ...]:
        """What the server says now; kept, and told when it differs from what was kept."""
        cache = contents_cache(services, state.kept_as)
        connector = self.server(state.name)  # it may have been taken out meanwhile
        margin = state.server.timeout if self._running else state.server.start_timeout + _MARGIN_SECONDS
        try:
            items = await connector.read(services, own, margin)
        except NotFoundError:
            if before is not None:
                await cache.delete(own)
            raise
        finally:
            if not self._running:
                await connector.close()
        packed = msgspec.msgpack.encode(items)
        if packed != before and len(packed) <= _KEPT_BYTES:
            await cache.try_put(own, packed)
            if before is not None:
                services.resource_updated(address(state.name, own))
        return items
