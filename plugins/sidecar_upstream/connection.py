"""One connection to a server while it lasts: list it, read from it, hear its changes, describe its texts, see that it
lives. Making and closing it is `connector`'s.

All requests go through the SDK's session, in whichever era it negotiated; what differs between the eras is here."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, TypeVar

import anyio
import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from msgspec.structs import replace
from pydantic import BaseModel, ValidationError

from sidecar.api import NotFoundError, ResourceContent, ResourceEntry, Services, SidecarError, UnavailableError
from sidecar.toolkit.tasks import Backoff
from sidecar.toolkit.text import clean, is_textual
from sidecar_upstream.messages import Gathered, MessageFilter
from sidecar_upstream.resources import address, beginning, clean_items
from sidecar_upstream.servers import INSTANCE_URI, Lineage, Secrets, parse_instance
from sidecar_upstream.state import ServerState

_MAX_EMPTY = 100
"""Pages without an entry that was not listed yet, in a row: as in a list that repeats itself."""
_LIST_SECONDS = 120.0
_INSTANCE_SECONDS = 10.0
_COMPLETE_SECONDS = 3.0
_CHECK_SECONDS = 30.0
_HEARD_SECONDS = 1.0
_MIN_REFRESH, _MAX_REFRESH = 0.2, 30.0
_DESCRIBED, _DESCRIBED_AT_ONCE = 200, 20
_DESCRIBED_BYTES = 256 * 1024
_DESCRIBE_SECONDS = 10.0
_UNDESCRIBED = 10
"""Texts of a list that cannot be described, after which no more are tried."""
_DESCRIBE_PAUSE, _LONGEST_DESCRIBE_PAUSE = 0.1, 30.0
_NOT_FOUND = frozenset({-32002, types.INVALID_PARAMS})
"""Handshake-era servers say -32002, those of 2026-07-28 invalid params; many of the former say that too."""
_GONE = frozenset({types.CONNECTION_CLOSED, types.REQUEST_TIMEOUT})
_SESSION_GONE = frozenset({*_GONE, types.INVALID_REQUEST, types.INTERNAL_ERROR})
"""With what the SDK makes of HTTP statuses 404 and other errors once there is a session."""

R = TypeVar("R", bound=BaseModel)


class CircleError(Exception):
    """Connecting closes a circle of sidecars; says which."""


class ServerConnection:
    """One attempt's: `messages` is for the transport, `suspect` to be set when the server may be gone."""

    def __init__(self, state: ServerState, services: Services, lineage: Lineage, secrets: Secrets) -> None:
        self.suspect = asyncio.Event()
        self._state, self._services, self._lineage, self._secrets = state, services, lineage, secrets
        self.watch = asyncio.Event()
        """To be set when something else is to be listened to."""
        self._stale, self._describing = asyncio.Event(), asyncio.Event()
        self._undescribed: set[str] = set()
        """The server's own URIs of texts that could not be described."""
        self._subscribed: set[str] = set()
        self.messages = MessageFilter(state.server, secrets.mask, self._stale.set, self._updated)

    async def run(self, client: Client) -> None:
        """Until cancelled. Raises UnavailableError when the connection is of no use any more, and CircleError."""
        self._client, info = client, client.server_info
        self._offers, self._state.era = client.server_capabilities.resources, client.protocol_version
        self._modern = client.protocol_version in MODERN_PROTOCOL_VERSIONS
        self._is_sidecar = info is not None and info.name == "docsidecar"
        self._state.title = self._secrets.hide(clean(info.title or info.name, 100)) if info is not None else ""
        await self._check()
        async with asyncio.TaskGroup() as tasks:
            for work in (self._list, self._ping, self._listen, self._describe):
                tasks.create_task(work())
            await self.messages.closed.wait()
            raise UnavailableError(self.messages.ending)

    async def read(self, uri: str, timeout: float | None = None) -> tuple[ResourceContent, ...]:
        """Raises NotFoundError, UnavailableError; the message is a piece of a sentence about the server."""
        request = types.ReadResourceRequest(params=types.ReadResourceRequestParams(uri=uri))
        result = await self._request(request, types.ReadResourceResult, timeout)
        contents = self.messages.contents(result.contents[0].uri) if result.contents else []
        return clean_items(contents, uri, self._state.server.max_bytes)

    async def complete(self, template: str, variable: str, value: str, others: Mapping[str, str]) -> tuple[str, ...]:
        """Values for a variable of one of its templates; () when it has none to offer."""
        reference, argument = types.ResourceTemplateReference(uri=template), {"name": variable, "value": value}
        try:
            async with asyncio.timeout(min(self._state.server.timeout, _COMPLETE_SECONDS)):
                found = await self._client.complete(reference, argument, dict(others) or None)
        except (MCPError, ValidationError, TimeoutError):
            return ()
        return tuple(filter(None, (clean(text, 1000) for text in found.completion.values[:100])))

    def _updated(self, uri: str) -> None:
        """Whoever sends it to clients gathers such changes over a moment."""
        self._services.resource_updated(address(self._state.name, uri))
        if uri in self._state.described:
            self._state.described.discard(uri)
            self._describing.set()

    async def _check(self) -> None:
        """Raises CircleError when connecting closes a circle of sidecars, as far as it has been listed."""
        reaches: tuple[str, ...] = ()
        tour = address(self._state.name, "tour://library")
        if self._is_sidecar or tour in self.messages.listed.entries or tour in self._state.listing.entries:
            try:
                items = await self.read(INSTANCE_URI, _INSTANCE_SECONDS)
                reaches = (parse_instance(items[0].text or "") if items else ()) or self._state.reaches
            except NotFoundError:  # it gathers from nobody
                pass
            except UnavailableError:  # a bad or late answer tells nothing
                reaches = self._state.reaches
        if refusal := self._lineage.refusal(reaches):
            raise CircleError(refusal)
        self._state.reaches = reaches
        self._state.become("connected")

    async def _list(self) -> None:
        """List what it offers, now and whenever it says that changed; the more often, the later."""
        backoff = Backoff(_MIN_REFRESH, _MAX_REFRESH)
        with anyio.move_on_after(_HEARD_SECONDS):  # else it would be listed twice: stale once we hear
            await self._stale.wait()
        while True:
            self._stale.clear()
            began = time.monotonic()
            try:
                remark = self._secrets.hide(await self._all_pages())
            except UnavailableError as error:  # what it offered before stays known; it may be slow, or gone
                self._state.remark = self._secrets.hide(f"its list cannot be had: {error}")
                self.suspect.set()
            else:
                await self._check()
                found = self.messages.listed
                changed = self._state.update(found.entries, found.templates, remark)
                self._undescribed.clear()
                self._describing.set()
                self.watch.set()
                if changed:
                    await self._state.announce(self._services)
            await self._stale.wait()
            await backoff.wait(time.monotonic() - began < 2 * backoff.next + 1)

    async def _all_pages(self) -> str:
        """Have it list everything it offers, as far as the limits go; a remark says what is missing. Raises
        UnavailableError where not even the beginning of its list could be had."""
        found = self.messages.begin_listing()
        if self._offers is None:
            return "it offers no resources"
        remarks: list[str] = []
        try:
            async with asyncio.timeout(_LIST_SECONDS):
                remarks.append(await self._pages(types.ListResourcesRequest, found))
                with contextlib.suppress(UnavailableError):  # many servers have none, and say so in different ways
                    await self._pages(types.ListResourceTemplatesRequest, found)
        except TimeoutError:
            remarks.append(f"its list was cut off after {_LIST_SECONDS:.0f} seconds")
        except UnavailableError as error:
            if not found.entries:
                raise
            remarks.append(f"its list broke off: {error}")
        return "; ".join(filter(None, [*remarks, *found.remarks()]))

    async def _pages(self, request: Callable[..., types.Request[Any, Any]], found: Gathered) -> str:
        """Ask for all pages, whose entries the filter gathers; a remark when it did not come to the end."""
        cursor: str | None = None
        empty = 0
        while empty <= _MAX_EMPTY:
            before = len(found)
            page = request(params=types.PaginatedRequestParams(cursor=cursor))
            cursor = (await self._request(page, types.PaginatedResult)).next_cursor
            if cursor and len(found.entries) >= self._state.server.max_resources:
                found.beyond += 1
            if not cursor or found.beyond:
                return ""
            empty = empty + 1 if len(found) == before else 0
        return "its list repeats itself and was cut off"

    async def _ping(self) -> None:
        while True:
            with anyio.move_on_after(_CHECK_SECONDS):
                await self.suspect.wait()
            self.suspect.clear()
            if self._state.listing.entries:
                await self._check()  # a circle of sidecars may have been closed elsewhere meanwhile
            if not await self._alive() and not await self._alive():
                raise UnavailableError("it stopped answering")

    async def _alive(self) -> bool:
        """Whether it still answers, and knows our session."""
        session, gone = self._client.session, _GONE if self._modern or self._state.server.command else _SESSION_GONE
        try:
            async with asyncio.timeout(self._state.server.timeout):
                await (session.send_discover(self._state.era) if self._modern else session.send_ping())
        except (TimeoutError, MCPError) as error:
            return isinstance(error, MCPError) and error.code not in gone
        except ValidationError:
            pass
        return True

    async def _listen(self) -> None:
        """Hear of changes: of all resources where they are few, else of those that were read. Others are listened to
        before the former are let go, and what was listed before anything was heard is listed again."""
        backoff = Backoff(self._state.server.retry_seconds, 60.0)
        uris: set[str] = set()
        stream: asyncio.Task[bool] | None = None
        async with asyncio.TaskGroup() as streams:
            while True:
                if stream is None or uris != self._state.watched():
                    uris, begun, former = self._state.watched(), asyncio.Event(), stream
                    stream = streams.create_task(self._follow_changes(uris, begun))
                    stream.add_done_callback(lambda _: self.watch.set())
                    await begun.wait()
                    if former is None:
                        self._stale.set()
                    else:
                        former.cancel()
                await self.watch.wait()
                self.watch.clear()
                if stream.done() and stream.result():  # perhaps the server is gone
                    stream = None
                    self.suspect.set()
                    await backoff.wait()

    async def _follow_changes(self, uris: set[str], begun: asyncio.Event) -> bool:
        """Hear of changes until cancelled or that ends; whether it broke off. `begun` is set once nothing is missed any
        more, and when it ends. In the handshake era subscribing is all there is to do."""
        offers = self._offers
        try:
            if offers is None or not (offers.subscribe or (self._modern and offers.list_changed)):
                return False
            if not self._modern:
                await self._subscribe(uris)
                return False
            async with self._client.listen(resources_list_changed=True, resource_subscriptions=sorted(uris)) as changes:
                begun.set()
                async for _ in changes:  # the filter has noted it already
                    pass
        except (TimeoutError, MCPError) as error:
            return isinstance(error, MCPError) and error.code == types.CONNECTION_CLOSED
        except SubscriptionLost:
            pass
        finally:
            begun.set()
        return True

    async def _subscribe(self, wanted: set[str]) -> None:
        before, self._subscribed = self._subscribed, wanted
        for uri in sorted(before ^ wanted):
            request: types.Request[Any, Any] = (
                types.SubscribeRequest(params=types.SubscribeRequestParams(uri=uri)) if uri in wanted
                else types.UnsubscribeRequest(params=types.UnsubscribeRequestParams(uri=uri))
            )  # fmt: skip
            with contextlib.suppress(UnavailableError):  # it goes without: a read asks the server anyway
                await self._request(request, types.EmptyResult)

    def _next_to_describe(self) -> list[ResourceEntry]:
        """The texts that are to be described next."""
        described = self._state.described
        done = described | self._undescribed

        def wants(one: ResourceEntry) -> bool:
            textual = not one.media_type or is_textual(one.media_type)
            return textual and one.uri not in done and not one.description and (one.size or 0) <= _DESCRIBED_BYTES

        most = min(_DESCRIBED_AT_ONCE, _DESCRIBED - len(described), _UNDESCRIBED - len(self._undescribed))
        return list(islice(filter(wants, self._state.listing.entries.values()), max(most, 0)))

    async def _describe(self) -> None:
        """Read the beginnings of texts, a few at a time; of those that change again and again more seldom."""
        backoff = Backoff(_DESCRIBE_PAUSE, _LONGEST_DESCRIBE_PAUSE)
        while True:
            await self._describing.wait()
            some, found = self._next_to_describe(), dict[str, str]()
            if not some:
                self._describing.clear()
                continue
            for entry in some:
                self._state.described.add(entry.uri)
                try:
                    found[entry.uri] = beginning(await self.read(entry.uri, _DESCRIBE_SECONDS))
                except (NotFoundError, UnavailableError):
                    self._state.described.discard(entry.uri)
                    self._undescribed.add(entry.uri)
            listing = self._state.listing
            before, self._state.listing = listing.beginnings, replace(listing, beginnings=listing.beginnings | found)
            if any(before.get(uri, "") != text for uri, text in found.items()):
                await self._state.announce(self._services)
            await backoff.wait(any(one.uri in before for one in some))

    async def _request(self, request: types.Request[Any, Any], kind: type[R], timeout: float | None = None) -> R:
        """Raises UnavailableError, and where something is read NotFoundError."""
        seconds = timeout or self._state.server.timeout
        send = self._client.session.send_request
        try:
            async with asyncio.timeout(seconds + 1):  # the session's own limit does not cover a full pipe
                return await send(request, kind, request_read_timeout_seconds=seconds)
        except (TimeoutError, MCPError, ValidationError) as error:
            code = error.code if isinstance(error, MCPError) else 0
            message = sentence(error, "answer", seconds)
        if code in _NOT_FOUND and kind is types.ReadResourceResult:
            raise NotFoundError(message)
        raise UnavailableError(
            self.messages.ending if code == types.CONNECTION_CLOSED and self.messages.ending else message
        )


def sentence(error: BaseException, awaited: str, seconds: float, refused: str = "") -> str:
    """Why an attempt or a request failed, without our own internals. `awaited` is what was waited for, so long; the
    server's own words stand behind `refused`."""
    match error:
        case SidecarError():
            return str(error)
        case anyio.BrokenResourceError() | anyio.ClosedResourceError() | MCPError(message="Connection closed"):
            return "the connection was lost"
        case TimeoutError() | httpx2.TimeoutException() | MCPError(code=types.REQUEST_TIMEOUT):
            return f"it did not answer within {seconds:g} seconds"
        case ValidationError() | MCPError(code=types.PARSE_ERROR):
            return f"its {awaited} is not valid MCP"
        case MCPError() | RuntimeError():  # the latter is the SDK's, of a version that it does not know
            return refused + clean(str(error), 300)
        case _:
            return f"{type(error).__name__}: {clean(str(error), 300)}"
