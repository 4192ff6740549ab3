"""A server reached over streamable HTTP: the SDK's transport, on a client that bounds what it may receive.

The SDK reads a JSON answer whole, however large; here every body is counted and every message goes through the
connection's filter while it arrives. Compression, which would hide its true size, is not asked for and not accepted,
and the end of the stream of notifications is noticed, since it is the first sign that the server is gone."""

import re
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from http.client import responses

import httpx2
import msgspec

from sidecar_upstream.messages import MessageFilter, NotMCPError, error_answer, largest_message
from sidecar_upstream.servers import Upstream

_SILENCE_SECONDS = 300.0
_WHO_ASKS = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.PROXY_AUTHENTICATION_REQUIRED)
_EVENT_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")


def http_client(server: Upstream, messages: MessageFilter, dropped: Callable[[], None]) -> httpx2.AsyncClient:
    """A client of the server; `dropped` is called when a stream of notifications ends."""
    most = largest_message(server)

    async def before(request: httpx2.Request) -> None:
        request.headers["accept-encoding"] = "identity"
        request.extensions.setdefault("asked", []).append(request.url)  # goes on to the request that follows a redirect
        if request.method == "POST":
            messages.sent(await request.aread())  # one that follows a redirect is a stream yet

    async def after(response: httpx2.Response) -> None:
        request = response.request
        # Hooks leave the client's own transports, and so its proxies, as they are.
        if response.headers.get("content-encoding", "identity").lower() not in {"", "identity"}:
            raise httpx2.DecodingError("it answers compressed though it was not asked to", request=request)
        in_a_circle = response.has_redirect_location and request.extensions["asked"].count(request.url) > 1
        if in_a_circle:
            del response.headers["location"]
        refusal = _refusal(response, server, in_a_circle)
        response.stream = _ResponseBody(response, messages, most, dropped, refusal)
        if refusal:
            response.headers["content-type"] = "application/json"

    return httpx2.AsyncClient(
        headers=dict(server.headers),
        timeout=httpx2.Timeout(server.start_timeout, read=max(_SILENCE_SECONDS, server.timeout)),
        event_hooks={"request": [before], "response": [after]},
    )


def _refusal(response: httpx2.Response, server: Upstream, in_a_circle: bool) -> bytes:
    """An HTTP error or a redirect in a circle as an answer of MCP that says what it is, since the SDK tells of every
    one alike; b"" for others, and for one that is about a session or an unknown method."""
    refused = in_a_circle or (response.is_error and response.status_code != HTTPStatus.NOT_FOUND)
    if not refused or response.request.method != "POST":
        return b""
    request = msgspec.json.decode(response.request.content, type=dict[str, msgspec.Raw])
    words = f"it answered {response.status_code} {responses.get(response.status_code, '')}".rstrip()
    if response.status_code in _WHO_ASKS:
        words += f"; look at `headers` of [upstream.{server.name}]"
    if in_a_circle:
        words += f" to where it had been asked before; look at `url` of [upstream.{server.name}]"
    return error_answer(request.get("id"), words)


class _ResponseBody(httpx2.AsyncByteStream):
    """A response body of at most `most` bytes, or an event stream whose events have at most so many; or `refusal`,
    unless that is b"" or the body is an error of MCP."""

    def __init__(
        self, response: httpx2.Response, messages: MessageFilter, most: int, dropped: Callable[[], None], refusal: bytes
    ) -> None:
        assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101 - an asynchronous client's
        self._inner = response.stream
        self._sent = response.request.content if response.request.method == "POST" else b""
        self._messages = messages
        self._most = most
        self._refusal = refusal
        kind = response.headers.get("content-type", "").lower()
        self._events = kind.startswith("text/event-stream") and not refusal
        self._at_end = dropped if self._events and response.request.method == "GET" else None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        waiting, searched = bytearray(), 0
        try:
            async for chunk in self._inner:
                waiting += chunk
                while self._events and (end := _EVENT_END.search(waiting, searched)):
                    event, searched = bytes(waiting[: end.end()]), 0
                    del waiting[: end.end()]
                    yield await self._event(event)
                if len(waiting) > self._most:  # the rest is not read: what it would come over is closed instead
                    message = self._messages.refuse(len(waiting), self._sent) or b""
                    yield b"data: " + message + b"\n\n" if self._events and message else message
                    return
                searched = max(len(waiting) - 3, 0)  # a separator may be cut in two
            if not self._events:
                yield await self._message(bytes(waiting)) or b""
        finally:
            if self._at_end is not None:
                self._at_end()

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _event(self, event: bytes) -> bytes:
        lines = event.splitlines()
        data = b"\n".join(line[5:].removeprefix(b" ") for line in lines if line.startswith(b"data:"))
        if not data:
            return event
        others = [line for line in lines if line and not line.startswith(b"data:")]
        message = await self._message(data)
        if message is None:
            return b""
        return b"\n".join((*others, b"data: " + message.replace(b"\n", b" "), b"\n"))

    async def _message(self, body: bytes) -> bytes | None:
        if self._refusal and not re.search(rb'"error"\s*:', body):
            body = self._refusal
        try:
            return await self._messages.receive(body)
        except NotMCPError:
            return self._refusal or body  # the SDK says what is wrong with it
