"""`upstream://` as resources of ours: listed from the catalogue, read from the server, kept for when it is not there.

The server itself is asked whenever it can be, because most servers do not tell of changes; what was read before
answers when it is down, and when it takes longer than a moment (the late answer then goes out as an update).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import msgspec

from sidecar.api import (
    NotFoundError,
    ResourceContent,
    ResourceEntry,
    Services,
    StoreError,
    Template,
    Tool,
    UnavailableError,
    UsageError,
)  # fmt: skip
from sidecar_upstream.catalog import Catalog, ServerState, contents_cache
from sidecar_upstream.connector import Connector
from sidecar_upstream.cycles import INSTANCE_URI, instance_of, tell_instance
from sidecar_upstream.rates import within
from sidecar_upstream.resources import SCHEME, address, split_address
from sidecar_upstream.servers import Upstream
from sidecar_upstream.tool import Resources, resources_tool

logger = logging.getLogger(__name__)

_PATIENCE_SECONDS = 1.0
_LIST_SECONDS = 5.0
_MARGIN_SECONDS = 3.0
_UNREACHABLE = frozenset({"down", "refused", "misconfigured"})
_KEPT_BYTES = 4 * 2**20
_MOST_VALUES = 1000

GENERAL = Template(
    "upstream://{server}/{+uri}",
    "upstream",
    "Other servers' resources",
    "A resource of another MCP server by its own URI",
)


class UpstreamProvider:
    """Implements `api.ResourceProvider`."""

    def __init__(self) -> None:
        self.schemes: tuple[str, ...] = (SCHEME,)
        self._catalog = Catalog()
        self._connectors: dict[str, Connector] = {}
        self._ending: dict[str, asyncio.Task[None]] = {}
        self._loaded: asyncio.Task[None] | None = None
        self._running = False
        """Whether the background task runs; without it each read connects for itself."""
        self._wanted: set[str] = set()
        self._changed = asyncio.Event()
        self._late: set[asyncio.Task[tuple[ResourceContent, ...]]] = set()

    @property
    def templates(self) -> tuple[Template, ...]:
        """The general one, and those of the servers."""
        return (GENERAL, *self._catalog.templates())

    def tool(self) -> Tool[Resources]:
        """The tool over the same servers."""
        return resources_tool(self._catalog, self._until_listed)

    def configure(self, servers: Iterable[Upstream]) -> None:
        """From now on these servers. Those that are used and have changed are connected anew."""
        self._catalog.configure(servers)
        for name, one in list(self._connectors.items()):
            if self._catalog.servers.get(name) is not one.state:
                self._wanted |= {name} if one.used else set()
                # What goes ends before what comes begins: it may be the same server, differently configured.
                self._ending[name] = asyncio.create_task(self._connectors.pop(name).close())
        self._loaded = None
        self._changed.set()

    async def run(self, services: Services) -> None:
        """The background task: connect what is listed or read, until cancelled; then close every connection."""
        _quieten_libraries()
        self._running = True
        reconfigured = False
        try:
            while True:
                self._changed.clear()
                await self._load(services)
                if reconfigured:
                    services.resources_changed()
                reconfigured = True
                wanted, self._wanted = self._wanted, set()
                for name in wanted & self._catalog.servers.keys():
                    self._connector(services, self._catalog.servers[name]).use()
                await self._changed.wait()
        finally:
            self._running = False
            await asyncio.gather(*(one.close() for one in self._connectors.values()), *self._ending.values())
            self._connectors.clear()
            if not self._catalog.servers:  # gathering was switched off: forget what was gathered
                with contextlib.suppress(StoreError):
                    await asyncio.shield(self._catalog.load(services))

    async def report(self, services: Services) -> dict[str, Any]:
        """The field `upstream` of `get_library_status`."""
        await self._load(services)
        return {name: state.report() for name, state in self._catalog.servers.items()}

    async def entries(self, services: Services, after: str, limit: int) -> Sequence[ResourceEntry]:
        """What is known of the servers' lists; those that are not connected are connected meanwhile."""
        await self._load(services)
        for state in self._catalog.servers.values():
            self._use(services, state)
        return self._catalog.entries(after, limit)

    async def read(self, services: Services, uri: str) -> tuple[ResourceContent, ...]:
        """A resource of a server; raises NotFoundError, UnavailableError."""
        if uri == INSTANCE_URI:
            text = tell_instance(instance_of(services.data_dir), self._catalog.reaches())
            return (ResourceContent(uri, "application/json", text=text),)
        await self._load(services)
        try:
            name, path = split_address(uri)
        except UsageError as error:
            raise NotFoundError(str(error), uri=uri) from error
        state = self._catalog.server(name)
        own = state.own_uri(path)
        try:
            items = await self._items(services, state, own)
        except NotFoundError as error:
            near = state.near(own)
            hint = f" Near it are {', '.join(near)}." if near else ""
            raise NotFoundError(f"{error}{hint}", uri=uri, near=near) from None
        shown = [uri] if len(items) == 1 else [address(state.name, item.uri) for item in items]
        return tuple(replace(item, uri=ours) for ours, item in zip(shown, items, strict=True))

    async def complete(
        self, services: Services, template: str, variable: str, value: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        """See `api.ResourceProvider.complete`."""
        await self._load(services)
        variable = variable.removeprefix("+")
        typed = value.strip()
        if template == GENERAL.uri_template:
            if variable == "server":
                return [name for name in self._catalog.servers if name.casefold().startswith(typed.casefold())]
            return self._uris_like(others.get("server", ""), typed) if variable == "uri" else []
        for connector in self._connectors.values():
            if form := connector.state.templates.get(template):
                return await connector.complete(form.uri, variable, value, others)
        return []

    def _uris_like(self, server: str, typed: str) -> list[str]:
        try:
            uris = [entry.uri for entry in self._catalog.server(server).entries.values()]
        except NotFoundError:
            return []
        low = typed.casefold()
        like = [uri for uri in uris if low in uri.casefold()]
        return sorted(like, key=lambda uri: not uri.startswith(typed))[:_MOST_VALUES]

    async def _load(self, services: Services) -> None:
        """Until what was kept of the last run is there."""
        if self._loaded is None:
            self._loaded = asyncio.create_task(self._loading(services))
        await asyncio.shield(self._loaded)

    async def _loading(self, services: Services) -> None:
        try:
            await self._catalog.load(services)
        except StoreError as error:  # gathering needs no memory of the last run
            logger.warning("what upstream servers listed before is not known: %s", error)

    def _use(self, services: Services, state: ServerState) -> None:
        """It is listed: connect it, without waiting for it."""
        if self._running:
            self._connector(services, state).use()
        else:
            self._wanted.add(state.name)

    def _connector(self, services: Services, state: ServerState) -> Connector:
        """The server's, made when there is none. Raises NotFoundError when it was taken out meanwhile."""
        found = self._connectors.get(state.name)
        if found is None:
            now = self._catalog.server(state.name)
            found = self._connectors[state.name] = Connector(now, services, self._ending.get(state.name))
        return found

    async def _until_listed(self, services: Services, state: ServerState) -> None:
        """Until it is known what the server offers, or that it cannot be; for a moment only."""
        self._use(services, state)
        if self._running and not state.uris:
            await within(_LIST_SECONDS, state.listed)

    async def _items(self, services: Services, state: ServerState, own: str) -> tuple[ResourceContent, ...]:
        """What the server says, or what was kept of that."""
        kept = await contents_cache(services, state.kept).get(own)
        known = _unpack(kept[1]) if kept is not None else None
        if kept is None or known is None:
            return await self._fresh(services, state, own, kept and kept[1])
        if not self._running:  # wait for the server, and say it when the answer is a kept one
            try:
                return await self._fresh(services, state, own, kept[1])
            except UnavailableError as error:
                since = datetime.fromtimestamp(kept[0].created, UTC).strftime("%Y-%m-%d %H:%M UTC")
                logger.warning("%s What follows is what it gave at %s.", error, since)
                return known
        if state.state in _UNREACHABLE:
            self._use(services, state)
            return known
        asking = asyncio.create_task(self._fresh(services, state, own, kept[1]))
        self._late.add(asking)
        asking.add_done_callback(self._done)
        await asyncio.wait({asking}, timeout=_PATIENCE_SECONDS)
        try:
            return asking.result() if asking.done() else known
        except UnavailableError:
            return known

    async def _fresh(
        self, services: Services, state: ServerState, own: str, before: bytes | None
    ) -> tuple[ResourceContent, ...]:
        """What the server says now; kept, and told when it differs from what was kept."""
        cache = contents_cache(services, state.kept)
        try:
            items = await self._ask(services, state, own)
        except NotFoundError:
            if before is not None:
                await cache.delete(own)
            raise
        packed = msgspec.msgpack.encode(items)
        if packed != before and len(packed) <= _KEPT_BYTES:
            try:
                await cache.put(own, packed)
            except StoreError as error:  # a full disk takes nothing from whoever reads now
                logger.warning("what the upstream server %s gave cannot be kept: %s", state.name, error)
            if before is not None:
                services.resource_updated(address(state.name, own))
        return items

    async def _ask(self, services: Services, state: ServerState, own: str) -> tuple[ResourceContent, ...]:
        """What the server itself says. Raises NotFoundError, UnavailableError."""
        connector = self._connector(services, state)
        if self._running:
            return await connector.read(own, state.server.timeout)
        try:
            return await connector.read(own, state.server.start_timeout + _MARGIN_SECONDS)
        finally:
            self._connectors.pop(state.name, None)
            await connector.close()

    def _done(self, task: asyncio.Task[tuple[ResourceContent, ...]]) -> None:
        self._late.discard(task)
        if not task.cancelled():
            task.exception()  # a late failure concerns nobody: its reader has been answered


def _quieten_libraries() -> None:
    """What they log holds addresses with credentials, and a traceback for each message of a server that is not
    valid."""
    for name in ("mcp.client", "client", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _unpack(data: bytes) -> tuple[ResourceContent, ...] | None:
    try:
        return msgspec.msgpack.decode(data, type=tuple[ResourceContent, ...])
    except msgspec.DecodeError:  # of an older version
        return None
