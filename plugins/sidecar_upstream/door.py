"""What stands between a transport and the SDK's session: bounds what a server may say, and hears its notifications.

Lists are cleaned and cut here, before they are validated as a whole, so that one bad entry costs one entry and
a hundred thousand cost no more than the limit. Notifications about resources end here; all others are dropped but
those the session itself needs. A server that sends faster than it is listened to waits in its own pipe.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, cast

import anyio
import msgspec
from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)

from sidecar_upstream.cleaning import clean_entry, clean_form
from sidecar_upstream.flow import Bucket
from sidecar_upstream.records import Entry, Form

__all__ = ["Door", "guard"]

MESSAGES_A_SECOND = 2000.0
MESSAGES_AT_ONCE = 4000.0
_SLOWER_SECONDS = 0.02
REQUESTS_A_SECOND = 20.0
REQUESTS_AT_ONCE = 50.0
MOST_FORMS = 200
_NEEDED = frozenset({"notifications/cancelled", "notifications/subscriptions/acknowledged"})


@dataclass
class Door:
    """One connection's. `on_list_changed` and `on_updated` are called on the spot and must only take note."""

    max_bytes: int
    max_resources: int
    on_list_changed: Callable[[], None]
    on_updated: Callable[[str], None]
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the transport ended."""
    pending: dict[RequestId, str] = field(default_factory=dict[RequestId, str])
    """Requests of ours without an answer yet, and their methods."""
    ending: str = ""
    """Why it ended, where the transport knows."""
    spoken: bool = False
    """Whether it ever said anything that is MCP."""
    entries: list[Entry] = field(default_factory=list[Entry])
    forms: list[Form] = field(default_factory=list[Form])
    left_out: int = 0
    """Entries without a usable URI."""
    beyond: int = 0
    """Entries beyond `max_resources`."""

    def __post_init__(self) -> None:
        clock = asyncio.get_running_loop().time
        self._messages = Bucket(MESSAGES_A_SECOND, MESSAGES_AT_ONCE, clock)
        self._requests = Bucket(REQUESTS_A_SECOND, REQUESTS_AT_ONCE, clock)

    def begin_listing(self) -> None:
        """Forget what was listed before."""
        self.entries, self.forms, self.left_out, self.beyond = [], [], 0, 0

    def refuse(self, sentence: str, near: bytes = b"") -> SessionMessage | None:
        """An error in place of an answer that was too large; to the request whose id stands in `near`, if any."""
        for request in self.pending:
            quoted = re.escape(msgspec.json.encode(request))
            if re.search(rb'"id"\s*:\s*' + quoted + rb"\s*[,}]", near):
                return self._error(request, sentence)
        return self._error(next(iter(self.pending)), sentence) if len(self.pending) == 1 else None

    def _error(self, request: RequestId, sentence: str) -> SessionMessage:
        self.pending.pop(request, None)
        return SessionMessage(
            JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=INTERNAL_ERROR, message=sentence))
        )

    async def admit(self, item: SessionMessage | Exception) -> SessionMessage | Exception | None:
        """The message as the session may have it; None when it is not to be passed on."""
        if not self._messages.take():
            await asyncio.sleep(_SLOWER_SECONDS)
        if isinstance(item, Exception):
            return None
        self.spoken = True
        message = item.message
        if isinstance(message, JSONRPCNotification):
            return item if self._heard(message) else None
        if isinstance(message, JSONRPCRequest):
            return item if self._requests.take() else None
        method = self.pending.pop(message.id, "") if message.id is not None else ""
        if isinstance(message, JSONRPCResponse):
            self._curb(method, message.result)
        return item

    def _heard(self, message: JSONRPCNotification) -> bool:
        if message.method == "notifications/resources/list_changed":
            self.on_list_changed()
        elif message.method == "notifications/resources/updated":
            uri = (message.params or {}).get("uri")
            if isinstance(uri, str):
                self.on_updated(uri)
        return message.method in _NEEDED and self._requests.take()

    def _curb(self, method: str, result: dict[str, Any]) -> None:
        """Take the entries out of a list's page, and make a read's answer valid where it only lacks formality."""
        if method == "resources/list":
            for raw in _list(result.get("resources")):
                if len(self.entries) >= self.max_resources:
                    self.beyond += 1
                elif entry := clean_entry(raw):
                    self.entries.append(entry)
                else:
                    self.left_out += 1
            result["resources"] = []
        elif method == "resources/templates/list":
            found = (clean_form(raw) for raw in _list(result.get("resourceTemplates"))[: MOST_FORMS * 2])
            self.forms += [form for form in found if form is not None][: MOST_FORMS - len(self.forms)]
            result["resourceTemplates"] = []
        elif method == "resources/read":
            result["contents"] = [_content(raw) for raw in _list(result.get("contents"))]
        if method in {"resources/list", "resources/templates/list"} and not isinstance(result.get("nextCursor"), str):
            result.pop("nextCursor", None)


@asynccontextmanager
async def guard(inner: AbstractAsyncContextManager[TransportStreams], door: Door) -> AsyncGenerator[TransportStreams]:
    """The transport, with the door in it."""
    async with inner as (read, write):
        try:
            yield _Incoming(read, door), _Outgoing(write, door)
        finally:
            door.closed.set()


class _Incoming:
    """The read stream, filtered."""

    def __init__(self, inner: ReadStream[SessionMessage | Exception], door: Door) -> None:
        self._inner = inner
        self._door = door

    async def receive(self) -> SessionMessage | Exception:
        try:
            while True:
                item = await self._door.admit(await self._inner.receive())
                if item is not None:
                    return item
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._door.closed.set()
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> _Incoming:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> _Incoming:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


class _Outgoing:
    """The write stream, noting which requests wait for an answer."""

    def __init__(self, inner: WriteStream[SessionMessage], door: Door) -> None:
        self._inner = inner
        self._door = door

    async def send(self, item: SessionMessage, /) -> None:
        message = item.message
        if isinstance(message, JSONRPCRequest):
            if len(self._door.pending) >= 1000:  # abandoned ones are forgotten, the oldest first
                self._door.pending.pop(next(iter(self._door.pending)))
            self._door.pending[message.id] = message.method
        await self._inner.send(item)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> _Outgoing:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


def _content(raw: object) -> object:
    """What is needed of a content item; wrongly typed fields left out, for the rest to pass validation."""
    if not isinstance(raw, dict):
        return raw
    fields = cast(dict[str, Any], raw)
    return {key: fields[key] for key in ("uri", "mimeType", "text", "blob") if isinstance(fields.get(key), str)}


def _list(value: object) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []
