"""`upstream://` as resources of ours: listed from the catalogue, read from the server, kept for when it is not there.

The server itself is asked whenever it can be, because most servers do not tell of changes; what was read before
answers when it is down, and when it takes longer than a moment (the late answer then goes out as an update).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from sidecar.api import (
    ConfigError,
    NotFoundError,
    ResourceContent,
    ResourceEntry,
    Services,
    StoreError,
    Template,
    Tool,
    UnavailableError,
    UsageError,
)
from sidecar_upstream.addresses import SCHEME, address, prefix, split_address
from sidecar_upstream.catalog import Catalog, ServerState, contents_cache, near_uris
from sidecar_upstream.connector import Connector
from sidecar_upstream.cycles import INSTANCE_URI, Lineage, instance_of, tell_instance
from sidecar_upstream.rates import within
from sidecar_upstream.records import Item
from sidecar_upstream.servers import Upstream, fill_in
from sidecar_upstream.tool import Resources, resources_tool

__all__ = ["UpstreamProvider"]

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
    """Implements `api.ResourceProvider`, and `connector.Host`."""

    def __init__(self) -> None:
        self.schemes: tuple[str, ...] = (SCHEME,)
        self.templates: tuple[Template, ...] = (GENERAL,)
        self._catalog = Catalog()
        self._connectors: dict[str, Connector] = {}
        self._changing = asyncio.Lock()
        self._loaded: asyncio.Task[None] | None = None
        self._services: Services | None = None
        self._running = False
        """Whether the background task runs; without it each read connects for itself."""
        self._wanted: set[str] = set()
        self._wake = asyncio.Event()
        self._late: set[asyncio.Task[tuple[Item, ...]]] = set()

    def tool(self) -> Tool[Resources]:
        """The tool over the same servers."""
        return resources_tool(self._catalog, self._until_listed)

    def configure(self, servers: Iterable[Upstream]) -> None:
        """From now on these servers. Those that are used and have changed are connected anew."""
        self._catalog.configure(servers)
        self._refresh_templates()
        self._wanted |= {name for name, one in self._connectors.items() if one.used}
        self._loaded = None
        self._wake.set()

    async def run(self, services: Services) -> None:
        """The background task: connect what is listed or read, until cancelled; then close every connection."""
        _quieten_libraries()
        self._running = True
        loaded = None
        try:
            while True:
                self._wake.clear()
                await self._load(services)
                if loaded is not self._loaded and loaded is not None:
                    services.resources_changed()
                loaded = self._loaded
                wanted, self._wanted = self._wanted, set()
                async with self._changing:
                    await self._close_outdated()
                for name in wanted & self._catalog.servers.keys():
                    with contextlib.suppress(UnavailableError):  # the server's state says why
                        (await self._connector(services, self._catalog.servers[name])).use()
                await self._wake.wait()
        finally:
            self._running = False
            await asyncio.gather(*(one.close() for one in self._connectors.values()))
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
        self._use(*self._catalog.servers)
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
            near = near_uris(state, own)
            hint = f" Near it are {', '.join(near)}." if near else ""
            raise NotFoundError(f"{error}{hint}", uri=uri, near=near) from None
        if len(items) == 1:
            return (_content(uri, items[0]),)
        return tuple(_content(address(state.name, item.uri), item) for item in items)

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
        for state in self._catalog.servers.values():
            form = state.forms.get(template)
            connector = self._connectors.get(state.name)
            if form is not None and connector is not None:
                return await connector.complete(form.uri_template, variable, value, others)
        return []

    async def listed(self, state: ServerState) -> None:
        """What we list of the server has changed: tell it, and keep it for the next start."""
        self._refresh_templates()
        services = self._services
        if services is None or self._catalog.servers.get(state.name) is not state:
            return
        services.resources_changed()
        try:
            await self._catalog.save(services, state.name)
        except StoreError as error:  # it is for the next start only, and gathering goes on
            logger.warning("what the upstream server %s lists cannot be kept: %s", state.name, error)

    def updated(self, state: ServerState, uri: str) -> None:
        """Pass on that a resource has changed; whoever sends it to clients gathers them over a moment."""
        if self._services is not None:
            self._services.resource_updated(address(state.name, uri))

    def subscribed(self, state: ServerState) -> bool:
        """Whether a client is subscribed to a resource of the server."""
        begins = prefix(state.name)
        return self._services is not None and any(uri.startswith(begins) for uri in self._services.subscribed())

    def _refresh_templates(self) -> None:
        self.templates = (GENERAL, *self._catalog.templates())

    async def _load(self, services: Services) -> None:
        """Until what was kept of the last run is there."""
        self._services = services
        if self._loaded is None:
            self._loaded = asyncio.create_task(self._loading(services))
        await asyncio.shield(self._loaded)

    async def _loading(self, services: Services) -> None:
        try:
            await self._catalog.load(services)
        except StoreError as error:  # gathering needs no memory of the last run
            logger.warning("what upstream servers listed before is not known: %s", error)
        self._refresh_templates()

    def _use(self, *names: str) -> None:
        """Servers that are listed: connect them, without waiting for it."""
        for name in names:
            connector = self._connectors.get(name)
            if connector is not None and connector.state is self._catalog.servers[name]:
                connector.use()
            else:
                self._wanted.add(name)
                self._wake.set()

    async def _until_listed(self, name: str) -> None:
        """Until it is known what the server offers, or that it cannot be; for a moment only."""
        self._use(name)
        state = self._catalog.servers[name]
        if self._running and not state.uris:
            await within(_LIST_SECONDS, state.listed)

    async def _connector(self, services: Services, state: ServerState) -> Connector:
        """The server's, made when there is none. Raises UnavailableError when there cannot be one."""
        async with self._changing:
            await self._close_outdated()
            found = self._connectors.get(state.name)
            if found is None:
                lineage = Lineage.of(services.data_dir, os.environ)
                try:
                    server, secrets = fill_in(state.server, os.environ)
                except ConfigError as error:
                    state.become("misconfigured", error.message)
                    raise UnavailableError(state.why_not()) from None
                if refusal := lineage.refusal():
                    logger.warning("%s", refusal)
                    state.become("refused", refusal)
                    raise UnavailableError(state.why_not())
                found = self._connectors[state.name] = Connector(state, server, secrets, lineage, self)
            return found

    async def _close_outdated(self) -> None:
        """What goes ends before what comes begins: it may be the same server, differently configured."""
        outdated = [one for name, one in self._connectors.items() if self._catalog.servers.get(name) is not one.state]
        await asyncio.gather(*(one.close() for one in outdated))
        for one in outdated:
            del self._connectors[one.state.name]

    def _uris_like(self, server: str, typed: str) -> list[str]:
        try:
            entries = self._catalog.server(server).entries.values()
        except NotFoundError:
            return []
        begins = [entry.uri for entry in entries if entry.uri.startswith(typed)]
        low = typed.casefold()
        rest = (entry.uri for entry in entries if low in entry.uri.casefold() and not entry.uri.startswith(typed))
        return [*begins, *rest][:_MOST_VALUES]

    async def _items(self, services: Services, state: ServerState, own: str) -> tuple[Item, ...]:
        kept = await contents_cache(services, state.name).get(own)
        if kept is None:
            return await self._fresh(services, state, own, None)
        known = _unpack(kept[1])
        if known is None:
            return await self._fresh(services, state, own, kept[1])
        if not self._running:  # wait for the server, and say it when the answer is a kept one
            try:
                return await self._fresh(services, state, own, kept[1])
            except UnavailableError as error:
                since = datetime.fromtimestamp(kept[0].created, UTC).strftime("%Y-%m-%d %H:%M UTC")
                logger.warning("%s What follows is what it gave at %s.", error, since)
                return known
        if state.state in _UNREACHABLE:
            self._use(state.name)
            return known
        asking = asyncio.create_task(self._fresh(services, state, own, kept[1]))
        self._late.add(asking)
        asking.add_done_callback(self._done)
        await asyncio.wait({asking}, timeout=_PATIENCE_SECONDS)
        try:
            return asking.result() if asking.done() else known
        except UnavailableError:
            return known

    async def _ask(self, services: Services, state: ServerState, own: str) -> tuple[Item, ...]:
        """What the server itself says. Raises NotFoundError, UnavailableError."""
        connector = await self._connector(services, state)
        if self._running:
            return await connector.read(own, state.server.timeout)
        try:
            return await connector.read(own, state.server.start_timeout + _MARGIN_SECONDS)
        finally:
            self._connectors.pop(state.name, None)
            await connector.close()

    async def _fresh(self, services: Services, state: ServerState, own: str, before: bytes | None) -> tuple[Item, ...]:
        """What the server says now; kept, and told when it differs from what was kept."""
        cache = contents_cache(services, state.name)
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

    def _done(self, task: asyncio.Task[tuple[Item, ...]]) -> None:
        self._late.discard(task)
        if not task.cancelled():
            task.exception()  # a late failure concerns nobody: its reader has been answered


def _quieten_libraries() -> None:
    """What they log holds addresses with credentials, and a traceback for each message of a server that is not
    valid."""
    for name in ("mcp.client", "client", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _content(uri: str, item: Item) -> ResourceContent:
    return ResourceContent(uri, item.media_type, text=item.text, data=item.data)


def _unpack(data: bytes) -> tuple[Item, ...] | None:
    try:
        return msgspec.msgpack.decode(data, type=tuple[Item, ...])
    except msgspec.DecodeError:  # of an older version
        return None
