"""A server reached over streamable HTTP: the SDK's transport, on a client that bounds what it may receive.

The SDK reads a JSON answer whole, however large; here every response body is counted while it arrives, compression
(which would hide its true size) is not asked for and not accepted, and the end of the stream of notifications is
noticed, since it is the first sign that the server is gone.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import streamable_http_client

from sidecar_upstream.servers import Upstream

__all__ = ["http_server"]

_CONNECT_SECONDS = 10.0
_SILENCE_SECONDS = 300.0


class TooLarge(httpx2.StreamError):
    """A response body beyond the limit. A StreamError, because the SDK answers the request with an error then."""


class _Counted(httpx2.AsyncByteStream):
    """A response body; `most` bytes, or unbounded for an event stream (whose events the SDK bounds)."""

    def __init__(self, inner: httpx2.AsyncByteStream, most: int | None, ended: Callable[[], None]) -> None:
        self._inner = inner
        self._most = most
        self._ended = ended

    async def __aiter__(self) -> AsyncIterator[bytes]:
        total = 0
        try:
            async for chunk in self._inner:
                total += len(chunk)
                if self._most is not None and total > self._most:
                    raise TooLarge("its answer is larger than max_bytes allows")
                yield chunk
        finally:
            self._ended()

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _ask_plainly(request: httpx2.Request) -> None:
    request.headers["accept-encoding"] = "identity"


def _bounding(most: int, dropped: Callable[[], None]) -> Callable[[httpx2.Response], Awaitable[None]]:
    """A response hook: hooks leave the client's own transports, and so its proxies, as they are."""

    async def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity").lower() not in {"", "identity"}:
            raise httpx2.DecodingError("it answers compressed though it was not asked to", request=response.request)
        events = response.headers.get("content-type", "").lower().startswith("text/event-stream")
        listening = events and response.request.method == "GET"
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Counted(response.stream, None if events else most, dropped if listening else _nothing)

    return bound


def _nothing() -> None:
    pass


@asynccontextmanager
async def http_server(server: Upstream, dropped: Callable[[], None]) -> AsyncGenerator[TransportStreams]:
    """The connection; nothing is sent yet."""
    most = server.max_bytes * 2 + 65536
    client = httpx2.AsyncClient(
        headers=dict(server.headers),
        timeout=httpx2.Timeout(_CONNECT_SECONDS, read=max(_SILENCE_SECONDS, server.timeout)),
        event_hooks={"request": [_ask_plainly], "response": [_bounding(most, dropped)]},
    )
    async with (
        client,
        streamable_http_client(server.url, http_client=client, max_sse_event_size=most) as streams,
    ):
        yield streams
