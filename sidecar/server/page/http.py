"""The page over HTTP: one loopback socket, who may ask it, and its routes. What is asked is `requests`'s.

Whoever has the token in the first URL gets a cookie; every other request needs the cookie. Requests under another host
name (DNS rebinding) or from another origin are refused, and no response allows another origin to read it."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import secrets
import socket
from collections.abc import Awaitable, Callable, Generator, MutableMapping
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

from sidecar.api import NotFoundError, SidecarError, UsageError
from sidecar.server.apps import FILES, file_bytes
from sidecar.server.handlers import Readiness
from sidecar.server.page.requests import PageRequests
from sidecar.server.transport.shutdown import Shutdown, watch_signals
from sidecar.toolkit.pictures import WEB_PICTURES

_LOOPBACK = "127.0.0.1"
_COOKIE = "docsidecar"
_MAX_BODY_BYTES = 64 * 1024
_CLOSING_SECONDS = 1
"""Requests under way at the end get this long to be answered."""
_SECRET_BYTES = 24
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every response. Trusted types make the browser refuse any text that a script would have read as HTML."""
_CLOSED = "This page is opened by the address that `docsidecar open` prints; it changes with every start."

Scope = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


def _secret() -> str:
    return secrets.token_urlsafe(_SECRET_BYTES)


@dataclass(frozen=True)
class Access:
    """The secrets of one start. Cookies do not know ports: the random `room` in every path keeps the cookie from other
    servers on this machine. `once` is for starting a browser, whose command line other users may see: it opens the page
    a single time; `token` is for the person who reads it in the terminal."""

    port: int
    room: str = field(default_factory=_secret)
    token: str = field(default_factory=_secret)
    cookie: str = field(default_factory=_secret)
    once: set[str] = field(default_factory=lambda: {_secret()})

    def url(self, token: str) -> str:
        """The address that opens the page."""
        return f"http://{_LOOPBACK}:{self.port}/{self.room}/?token={token}"

    def admits(self, token: str) -> bool:
        """Whether that token opens the page; one that does so once is used up."""
        if _same(token, self.token):
            return True
        used = next((one for one in self.once if _same(token, one)), None)
        self.once.discard(used or "")
        return used is not None

    def refusal(self, request: Request) -> tuple[int, str] | None:
        """The status and sentence for a request that is not to be answered; None for one that is."""
        hosts = {f"{name}:{self.port}" for name in (_LOOPBACK, "localhost")}
        headers = request.headers
        if headers.getlist("host") not in [[host] for host in hosts]:
            return 421, "This server answers under its own address only."
        if headers.get("origin") not in (None, *(f"http://{host}" for host in hosts)):
            return 403, "Other pages may not ask this server."
        if request.method == "GET" and request.url.path == f"/{self.room}/" and "token" in request.query_params:
            return None  # a link may be followed from anywhere: its token is what counts
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return 403, "Other pages may not ask this server."
        if not _same(request.cookies.get(_COOKIE, ""), self.cookie):
            return 403, _CLOSED
        return None


class _Guard:
    """Stands before every route: refuses what `Access` refuses, and puts the headers on every response."""

    def __init__(self, app: Callable[[Scope, _Receive, _Send], Awaitable[None]], access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: _Receive, send: _Send) -> None:
        """ASGI; only HTTP is served."""
        if scope["type"] != "http":
            return

        async def guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                added = ((name.lower().encode(), value.encode()) for name, value in _HEADERS.items())
                message["headers"] = [*message["headers"], *(pair for pair in added if pair[0] not in given)]
            await send(message)

        refusal = self._access.refusal(Request(scope))
        answer = PlainTextResponse(refusal[1], refusal[0]) if refusal is not None else self._app
        await answer(scope, receive, guarded)


@dataclass(frozen=True)
class _Routes:
    access: Access
    requests: PageRequests

    async def home(self, request: Request) -> Response:
        token = request.query_params.get("token")
        if token is None:
            return _file("page.html")
        if not self.access.admits(token):
            return PlainTextResponse(_CLOSED, 403)
        # A page that goes on to itself, not a redirect: after one that began elsewhere, in a web mail perhaps, a
        # browser would hold a strict cookie back.
        answer = HTMLResponse('<!doctype html><meta http-equiv="refresh" content="0;url=./"><title>DocSidecar</title>')
        path = f"/{self.access.room}/"
        answer.set_cookie(_COOKIE, self.access.cookie, path=path, httponly=True, samesite="strict")
        return answer

    async def file(self, request: Request) -> Response:
        name = request.path_params["name"]
        return _file(name) if name in FILES else PlainTextResponse("There is no such file.", 404)

    async def ask(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return PlainTextResponse("The body must be application/json.", 415)
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > _MAX_BODY_BYTES:
                return PlainTextResponse(f"The body is longer than {_MAX_BODY_BYTES:,} bytes.", 413)
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            return PlainTextResponse("The body is not JSON.", 400)
        return Response(await self.requests.answer(message), media_type="application/json")

    async def picture(self, request: Request) -> Response:
        try:
            picture = await self.requests.picture(request.query_params.get("uri", ""))
        except SidecarError as error:
            status = 400 if isinstance(error, UsageError) else 404 if isinstance(error, NotFoundError) else 503
            return PlainTextResponse(str(error), status)
        if picture.media_type not in WEB_PICTURES:
            return PlainTextResponse(f"The picture is {picture.media_type}, which is not shown.", 415)
        return Response(picture.data, media_type=picture.media_type)


def _file(name: str) -> Response:
    return Response(file_bytes(name), media_type=FILES[name])


def _same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def listen(port: int) -> socket.socket:
    """A socket on the loopback address, on any free port for 0. Raises UsageError when the port is taken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.bind((_LOOPBACK, port))
        listening.listen()  # whoever is told the address may come before the server takes connections
    except (OSError, OverflowError) as error:
        listening.close()
        raise UsageError(
            f"port {port} cannot be had on {_LOOPBACK} ({error}); leave --port out for a free one."
        ) from None
    return listening


class _Server(uvicorn.Server):
    """Signals are ours: they end the index as well."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Capture none."""
        yield


async def serve_page(readiness: Readiness, access: Access, listening: socket.socket) -> None:
    """Serve until a signal says stop."""
    routes = _Routes(access, PageRequests(readiness))
    inside = [
        Route("/", routes.home),
        Route("/request", routes.ask, methods=["POST"]),
        Route("/picture", routes.picture),
        Route("/{name}", routes.file),
    ]
    app = _Guard(Starlette(routes=[Mount(f"/{access.room}", routes=inside)]), access)
    config = uvicorn.Config(
        app, http="h11", ws="none", lifespan="off", log_config=None, access_log=False, server_header=False,
        proxy_headers=False, timeout_graceful_shutdown=_CLOSING_SECONDS,
    )  # fmt: skip
    server, shutdown = _Server(config), Shutdown()
    with watch_signals(shutdown):
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        ended = asyncio.create_task(shutdown.event.wait())
        try:
            await asyncio.wait((serving, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
            server.should_exit = True
            await serving
