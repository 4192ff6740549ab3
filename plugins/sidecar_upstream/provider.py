"""`upstream://` as resources of ours: listed from the registry, read from the server, kept for when it is not there.

The server itself is asked whenever it can be, because most servers do not tell of changes; what was read before
answers when it is down, and when it takes longer than a moment (the late answer then goes out as an update).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from sidecar.api import (
    CacheEntry,
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
from sidecar_upstream.addresses import SCHEME, address, split_address
from sidecar_upstream.cycles import INSTANCE_URI, instance_of, tell_instance
from sidecar_upstream.link import Link
from sidecar_upstream.records import Item
from sidecar_upstream.registry import Registry, Standing, contents_cache, near_uris
from sidecar_upstream.servers import Upstream
from sidecar_upstream.tool import Resources, resources_tool

__all__ = ["UpstreamProvider"]

logger = logging.getLogger(__name__)

_PATIENCE_SECONDS = 1.0
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
        self._registry = Registry()
        self._link = Link(self._registry, self._refresh_templates)
        self._late: set[asyncio.Task[tuple[Item, ...]]] = set()
        self.templates: tuple[Template, ...] = (GENERAL,)

    def tool(self) -> Tool[Resources]:
        """The tool over the same servers."""
        return resources_tool(self._registry)

    def configure(self, servers: Iterable[Upstream]) -> None:
        """From now on gather from these servers."""
        self._registry.configure(servers)
        self._refresh_templates()
        self._link.configured()

    async def gather(self, services: Services) -> None:
        """The background task: keep the servers connected until cancelled."""
        await self._link.run(services)

    async def report(self, services: Services) -> dict[str, Any]:
        """The field `upstream` of `get_library_status`."""
        await self._link.loaded(services)
        return {name: standing.report() for name, standing in self._registry.standings.items()}

    def _refresh_templates(self) -> None:
        self.templates = (GENERAL, *self._registry.templates())

    async def entries(self, services: Services, after: str, limit: int) -> Sequence[ResourceEntry]:
        await self._link.loaded(services)
        return self._registry.entries(after, limit)

    async def read(self, services: Services, uri: str) -> tuple[ResourceContent, ...]:
        if uri == INSTANCE_URI:
            text = tell_instance(instance_of(services.data_dir), self._registry.reaches())
            return (ResourceContent(uri, "application/json", text=text),)
        await self._link.loaded(services)
        try:
            name, path = split_address(uri)
        except UsageError as error:
            raise NotFoundError(str(error), uri=uri) from error
        standing = self._registry.standing(name)
        own = self._registry.own_uri(standing, path)
        try:
            items = await self._items(services, standing, own)
        except NotFoundError as error:
            near = near_uris(standing, own)
            hint = f" Near it are {', '.join(near)}." if near else ""
            raise NotFoundError(f"{error}{hint}", uri=uri, near=near) from None
        name = standing.server.name
        if len(items) == 1:
            return (_content(uri, items[0]),)
        return tuple(_content(address(name, item.uri), item) for item in items)

    async def complete(
        self, services: Services, template: str, variable: str, value: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        await self._link.loaded(services)
        variable = variable.removeprefix("+")
        typed = value.strip()
        if template == GENERAL.uri_template:
            if variable == "server":
                return [name for name in self._registry.standings if name.casefold().startswith(typed.casefold())]
            standing = self._named(others.get("server", ""))
            if standing is None or variable != "uri":
                return []
            uris = [entry.uri for entry in standing.own.values()]
            begins = [uri for uri in uris if uri.startswith(typed)]
            rest = (uri for uri in uris if typed.casefold() in uri.casefold() and not uri.startswith(typed))
            return [*begins, *rest][:_MOST_VALUES]
        for standing in self._registry.standings.values():
            form = standing.forms.get(template)
            if form is not None:
                return await self._link.complete(standing, form.uri_template, variable, value, others)
        return []

    def _named(self, name: str) -> Standing | None:
        try:
            return self._registry.standing(name)
        except NotFoundError:
            return None

    async def _items(self, services: Services, standing: Standing, own: str) -> tuple[Item, ...]:
        cache = contents_cache(services, standing.server.name)
        kept = await cache.get(own)
        if kept is None:
            return await self._fresh(services, standing, own, None)
        known = _unpack(kept[1])
        if not self._link.running:
            return await self._once(services, standing, own, kept)
        if standing.state != "connected" and known is not None:
            return known
        asking = asyncio.create_task(self._fresh(services, standing, own, kept[1]))
        self._late.add(asking)
        asking.add_done_callback(self._done)
        done, _ = await asyncio.wait({asking}, timeout=_PATIENCE_SECONDS if known is not None else None)
        if not done and known is not None:
            return known
        try:
            return asking.result()
        except UnavailableError:
            if known is None:
                raise
            return known

    async def _once(
        self, services: Services, standing: Standing, own: str, kept: tuple[CacheEntry, bytes]
    ) -> tuple[Item, ...]:
        """Without `serve` running around us: wait for the server, and say it when the answer is a kept one."""
        try:
            return await self._fresh(services, standing, own, kept[1])
        except UnavailableError as error:
            known = _unpack(kept[1])
            if known is None:
                raise
            since = datetime.fromtimestamp(kept[0].created, UTC).strftime("%Y-%m-%d %H:%M UTC")
            logger.warning("%s What follows is what it gave at %s.", error, since)
            return known

    async def _fresh(self, services: Services, standing: Standing, own: str, before: bytes | None) -> tuple[Item, ...]:
        """What the server says now; kept, and told when it differs from what was kept."""
        cache = contents_cache(services, standing.server.name)
        try:
            items = await self._link.read(services, standing, own)
        except NotFoundError:
            if before is not None:
                await cache.delete(own)
            raise
        packed = msgspec.msgpack.encode(items)
        if packed != before and len(packed) <= _KEPT_BYTES:
            try:
                await cache.put(own, packed)
            except StoreError as error:  # a full disk takes nothing from whoever reads now
                logger.warning("what the upstream server %s gave cannot be kept: %s", standing.server.name, error)
            if before is not None:
                services.resource_updated(address(standing.server.name, own))
        return items

    def _done(self, task: asyncio.Task[tuple[Item, ...]]) -> None:
        self._late.discard(task)
        if not task.cancelled():
            task.exception()  # a late failure concerns nobody: its reader has been answered


def _content(uri: str, item: Item) -> ResourceContent:
    return ResourceContent(uri, item.media_type, text=item.text, data=item.data)


def _unpack(data: bytes) -> tuple[Item, ...] | None:
    try:
        return msgspec.msgpack.decode(data, type=tuple[Item, ...])
    except msgspec.DecodeError:  # of an older version
        return None
