"""One live connection to a server: what is asked of it and how long it may take. Its life is `connector`'s.

All requests go through the SDK's session, in whichever era it negotiated.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import mcp_types as types
from mcp.client import Client
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from sidecar.api import NotFoundError, ResourceContent, UnavailableError
from sidecar_upstream.cycles import INSTANCE_URI, parse_instance
from sidecar_upstream.messages import MessageFilter
from sidecar_upstream.resources import Entry, Listing, address, clean, clean_items
from sidecar_upstream.servers import Upstream

_MOST_PAGES = 5000
_MOST_EMPTY = 100
"""Pages without an entry, in a row."""
_LONGEST_CURSOR = 100_000
_LIST_SECONDS = 120.0
_INSTANCE_SECONDS = 10.0
_COMPLETE_SECONDS = 3.0
_BATCH = 100
"""Addresses that are made before the event loop gets its turn: less than a millisecond."""
_NOT_FOUND = frozenset({-32002, types.INVALID_PARAMS})
"""Handshake-era servers say -32002, those of 2026-07-28 invalid params; many of the former say that too."""
CLOSED = "Connection closed"
"""What the SDK says beside its code of a connection that is lost, which servers use for errors of their own."""
_SESSION_GONE = frozenset({types.INVALID_REQUEST, types.INTERNAL_ERROR})
"""What the SDK makes of HTTP statuses 404 and other errors once there is a session."""

R = TypeVar("R", bound=BaseModel)


class Lost(Exception):
    """The connection ended or is of no use any more; says why."""


@dataclass
class Connection:
    """An entered client and the filter its messages go through."""

    server: Upstream
    client: Client
    messages: MessageFilter
    _subscribed: set[str] = field(default_factory=set[str])

    @property
    def era(self) -> str:
        """The protocol version."""
        return self.client.session.protocol_version or ""

    @property
    def modern(self) -> bool:
        """Whether it is of 2026-07-28 or later."""
        return self.era in MODERN_PROTOCOL_VERSIONS

    @property
    def title(self) -> str:
        """How the server calls itself."""
        info = self.client.session.server_info
        return clean(info.title or info.name, 100) if info is not None else ""

    @property
    def offers(self) -> types.ResourcesCapability | None:
        """What it says about resources; None when it has none."""
        capabilities = self.client.session.server_capabilities
        return capabilities.resources if capabilities is not None else None

    async def listing(self) -> Listing:
        """Everything it offers, as far as the limits go.

        Raises:
            UnavailableError: not even the beginning of its list could be had.
        """
        if self.offers is None:
            return Listing(remark="it offers no resources")
        found = self.messages
        found.begin_listing()
        remarks: list[str] = []
        try:
            async with asyncio.timeout(_LIST_SECONDS):
                remarks.append(await self._pages(types.ListResourcesRequest, types.ListResourcesResult))
                with contextlib.suppress(UnavailableError):  # many servers have none, and say so in different ways
                    await self._pages(types.ListResourceTemplatesRequest, types.ListResourceTemplatesResult)
        except TimeoutError:
            remarks.append(f"its list was cut off after {_LIST_SECONDS:.0f} seconds")
        except UnavailableError as error:
            if not found.entries:
                raise
            remarks.append(f"its list broke off: {error}")
        if found.beyond:
            remarks.append(
                f"it lists more than {self.server.max_resources:,} resources (max_resources); the others can be read "
                "but are not listed"
            )
        if found.left_out:
            remarks.append(f"{found.left_out:,} entries without a usable URI were left out")
        return Listing(
            await by_address(self.server.name, reversed(found.entries)),
            await by_address(self.server.name, reversed(found.templates), "{}"),
            "; ".join(filter(None, remarks)),
        )

    async def read(self, uri: str, timeout: float | None = None) -> tuple[ResourceContent, ...]:
        """Raises NotFoundError, UnavailableError; the message is a piece of a sentence about the server."""
        request = types.ReadResourceRequest(params=types.ReadResourceRequestParams(uri=uri))
        result = await self._request(request, types.ReadResourceResult, timeout)
        contents = self.messages.contents(result.contents[0].uri) if result.contents else []
        return clean_items(contents, uri, self.server.max_bytes)

    async def complete(self, template: str, variable: str, value: str, others: Mapping[str, str]) -> tuple[str, ...]:
        """Values for a variable of one of its templates; () when it has none to offer."""
        try:
            async with asyncio.timeout(min(self.server.timeout, _COMPLETE_SECONDS)):
                reference = types.ResourceTemplateReference(uri=template)
                argument = {"name": variable, "value": value}
                found = await self.client.complete(reference, argument, dict(others) or None)
        except (MCPError, ValidationError, TimeoutError):
            return ()
        return tuple(filter(None, (clean(text, 1000) for text in found.completion.values[:100])))

    async def reaches(self, listing: Listing) -> tuple[str, ...]:
        """The sidecars that are reached through this server, itself included; () when it is no sidecar."""
        info = self.client.session.server_info
        sidecar = info is not None and info.name == "docsidecar"
        if not sidecar and address(self.server.name, "tour://library") not in listing.entries:
            return ()
        try:
            items = await self.read(INSTANCE_URI, _INSTANCE_SECONDS)
        except (NotFoundError, UnavailableError):  # it gathers from nobody
            return ()
        return parse_instance(items[0].text or "") if items else ()

    async def alive(self) -> bool:
        """Whether it still answers. Raises Lost when the connection is gone."""
        try:
            async with asyncio.timeout(self.server.timeout):
                if self.modern:
                    await self.client.session.send_discover(self.era)
                else:
                    await self.client.session.send_ping()
        except TimeoutError:
            return False
        except MCPError as error:
            if error.code == types.CONNECTION_CLOSED:
                raise Lost(self.messages.ending or "the connection was lost") from error
            if not self.modern and self.server.url and error.code in _SESSION_GONE:
                raise Lost("it no longer knows our session") from error
            return error.code != types.REQUEST_TIMEOUT
        except ValidationError:
            pass
        return True

    async def subscribe(self, uris: Iterable[str]) -> None:
        """Handshake era: subscribe to these resources, and to no others."""
        offers = self.offers
        if self.modern or offers is None or not offers.subscribe:
            return
        wanted = set(uris)
        gone, new = self._subscribed - wanted, wanted - self._subscribed
        requests: list[types.Request[Any, Any]] = [
            *(types.UnsubscribeRequest(params=types.UnsubscribeRequestParams(uri=uri)) for uri in sorted(gone)),
            *(types.SubscribeRequest(params=types.SubscribeRequestParams(uri=uri)) for uri in sorted(new)),
        ]
        for request in requests:
            with contextlib.suppress(NotFoundError, UnavailableError):  # it goes without: a read asks the server anyway
                await self._request(request, types.EmptyResult)
        self._subscribed = wanted

    async def listen(self, uris: Iterable[str], begun: asyncio.Event) -> bool:
        """2026-07-28: hear of changes until cancelled or the stream ends; False when it does not offer that. `begun` is
        set once nothing is missed any more, and when it ends."""
        offers = self.offers
        try:
            if not self.modern or offers is None or not (offers.list_changed or offers.subscribe):
                return False
            async with self.client.listen(resources_list_changed=True, resource_subscriptions=list(uris)) as changes:
                begun.set()
                async for _ in changes:  # the filter has noted it already
                    pass
        except SubscriptionLost:
            return True
        except TimeoutError:
            return False
        except MCPError as error:
            return error.code == types.CONNECTION_CLOSED
        finally:
            begun.set()
        return True

    async def _request(self, request: types.Request[Any, Any], kind: type[R], timeout: float | None = None) -> R:
        """Raises NotFoundError, UnavailableError."""
        seconds = timeout or self.server.timeout
        try:
            async with asyncio.timeout(seconds + 1):  # the session's own limit does not cover a full pipe
                return await self.client.session.send_request(request, kind, request_read_timeout_seconds=seconds)
        except ValidationError:
            raise UnavailableError("its answer is not valid MCP") from None
        except (TimeoutError, MCPError) as error:
            code = error.code if isinstance(error, MCPError) else types.REQUEST_TIMEOUT
            message = clean(error.message, 300) if isinstance(error, MCPError) else ""
        if code == types.REQUEST_TIMEOUT:
            raise UnavailableError(f"it did not answer within {seconds:g} seconds")
        if code == types.PARSE_ERROR:
            raise UnavailableError("its answer is not valid MCP")
        if code in _NOT_FOUND:
            raise NotFoundError(message)
        if code == types.CONNECTION_CLOSED and (self.messages.ending or message == CLOSED):
            message = self.messages.ending or "the connection was lost"
        raise UnavailableError(message)

    async def _pages(
        self,
        request: Callable[..., types.Request[Any, Any]],
        kind: type[types.ListResourcesResult | types.ListResourceTemplatesResult],
    ) -> str:
        """Ask for all pages (the filter keeps their entries); gives a remark when it did not come to the end."""
        cursor: str | None = None
        seen: set[int] = set()
        found = self.messages
        empty = 0
        for _ in range(_MOST_PAGES):
            before = len(found.entries) + len(found.templates)
            try:
                page = await self._request(request(params=types.PaginatedRequestParams(cursor=cursor)), kind)
            except NotFoundError as error:
                raise UnavailableError(str(error)) from None
            cursor = page.next_cursor
            if not cursor or found.beyond:
                return ""
            empty = empty + 1 if len(found.entries) + len(found.templates) == before else 0
            if hash(cursor) in seen or len(cursor) > _LONGEST_CURSOR or empty > _MOST_EMPTY:
                return "its list repeats itself and was cut off"
            seen.add(hash(cursor))
            if len(found.entries) >= self.server.max_resources:
                found.beyond += 1
                return ""
        return f"its list was cut off after {_MOST_PAGES:,} pages"


async def by_address(server: str, entries: Iterable[Entry], kept: str = "") -> dict[str, Entry]:
    """The entries by our URIs (see `address`), in their order; of several with one URI the last."""
    found: dict[str, Entry] = {}
    for number, entry in enumerate(entries):
        if number % _BATCH == _BATCH - 1:
            await asyncio.sleep(0)
        found[address(server, entry.uri, kept)] = entry
    return dict(sorted(found.items()))
