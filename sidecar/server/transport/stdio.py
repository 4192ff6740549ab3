"""The stdio transport: JSON-RPC lines on the process's standard streams, served by the SDK until something ends it.

Not the SDK's `stdio_server`, because that one reads in a thread nobody can stop (the process then cannot end on a
signal while the pipe stays open), passes over what it cannot parse without an answer, and takes in any number of
requests from a client that reads no answers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import re
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from sidecar.server.handlers import Readiness, build_server, initialization_options
from sidecar.server.notifications import Notifier
from sidecar.server.transport.pipes import MAX_LINE_BYTES, LineInput, MessageOutput
from sidecar.server.transport.shutdown import Shutdown, exit_at_the_latest, watch_parent, watch_signals
from sidecar.toolkit.platform import system
from sidecar.toolkit.tasks import end, running

logger = logging.getLogger(__name__)

IN_FLIGHT = 64
"""How many requests are under way at once; the next is taken in when one of them is answered."""
_DRAIN_SECONDS = 1.0
"""After the end of input, requests under way get this long to be answered: `printf … | docsidecar` must work."""
_STARTING_SECONDS = 5.0
"""Where that is while the index is being opened, which requests wait for, they get this long until it is: on a busy
machine that takes more than the second."""
_LARGE_CHARS = 2**20
"""Text above which an answer is put into JSON in a thread; below it takes under 5 ms."""
_ID_BYTES = 1024
"""Where the id of a message too long to be parsed is looked for."""
_ID = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.){1,200}"|-?\d{1,18})')


async def serve_stdio(readiness: Readiness, notifier: Notifier) -> str:
    """Serve one client; gives the reason of the end.

    `initialize` is answered while whoever calls this is still opening the store. The process is ended for good should
    the caller's own cleaning up take longer than the promise of two seconds allows."""
    shutdown = Shutdown()
    server = build_server(readiness, notifier)
    with contextlib.redirect_stdout(sys.stderr), watch_signals(shutdown):
        async with watch_parent(shutdown), stdio_streams(readiness) as streams:
            tasks: list[asyncio.Task[Any]] = [
                asyncio.create_task(server.run(streams.read, streams.write, initialization_options(server))),
                asyncio.create_task(shutdown.event.wait()),
                asyncio.create_task(notifier.run()),
            ]
            try:
                await asyncio.wait(tasks[:2], return_when=asyncio.FIRST_COMPLETED)
                shutdown.begin("end of input")
                exit_at_the_latest()
            finally:
                for error in await end(*tasks):
                    logger.error("serving ended with a fault", exc_info=error)
    logger.info("ending: %s", shutdown.reason)
    return shutdown.reason


_NO_VERSION = (
    f'server/discover needs params._meta with "{types.PROTOCOL_VERSION_META_KEY}", such as "2026-07-28"; '
    "clients of earlier versions begin with initialize."
)


@dataclass
class Streams:
    """`read` and `write` for `Server.run`. `greeted` is set when the first answer is out."""

    read: Any
    write: Any
    greeted: asyncio.Event


@asynccontextmanager
async def stdio_streams(
    readiness: Readiness | None = None, stdin_fd: int = 0, stdout_fd: int = 1
) -> AsyncGenerator[Streams]:
    """Redirect the two descriptors: the protocol moves to private duplicates, 0 reads nothing, and 1 goes where 2 goes,
    so that a stray print or a child's output never reaches the client."""
    private_in, private_out = _redirected(stdin_fd, stdout_fd)
    read_send, read_receive = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write_send, write_receive = anyio.create_memory_object_stream[SessionMessage](0)
    streams = Streams(read_receive, write_send, readiness.greeted if readiness is not None else asyncio.Event())
    lines, output, requests = LineInput(private_in), MessageOutput(private_out), _InFlight()
    tasks = [
        asyncio.create_task(_receive(lines, read_send, output, requests, readiness)),
        asyncio.create_task(_send(write_receive, output, requests, streams.greeted)),
    ]
    tasks.append(asyncio.create_task(_give_up(lines, output, tasks[0])))
    try:
        yield streams
    finally:
        lines.stop()
        await end(*tasks)
        for stream in (read_send, read_receive, write_send, write_receive):
            stream.close()
        await output.close()


class _InFlight:
    """Ids of requests whose answer is not out yet, `IN_FLIGHT` at most."""

    def __init__(self) -> None:
        self._ids: set[Any] = set()
        self._fewer = asyncio.Event()

    async def add(self, request_id: Any) -> None:
        """Wait until there is room for another, and until the same id, should it be under way, is answered."""
        await self._until(lambda: len(self._ids) < IN_FLIGHT and request_id not in self._ids)
        self._ids.add(request_id)

    def discard(self, request_id: Any) -> None:
        """It is answered, or nobody waits for it. What is not an id, as a client may give, is none of them."""
        if isinstance(request_id, str | int):
            self._ids.discard(request_id)
        self._fewer.set()

    async def none(self) -> None:
        """Wait until every request has been answered."""
        await self._until(lambda: not self._ids)

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._fewer.clear()
            await self._fewer.wait()


async def _receive(
    lines: LineInput, read_send: Any, output: MessageOutput, requests: _InFlight, readiness: Readiness | None
) -> None:
    """Lines to messages, in order. What is not a message is answered with the error JSON-RPC has for it."""
    async with read_send:
        while (line := await lines.readline()) is not None:
            if not line.strip():
                continue
            message = _message(line)
            if message is None:
                await output.write(_refusal(line))
                continue
            if (
                isinstance(message, types.JSONRPCRequest)
                and message.method == "server/discover"
                and _no_version(message)
            ):
                await output.write(_error(message.id, types.INVALID_PARAMS, _NO_VERSION))
                continue
            if isinstance(message, types.JSONRPCRequest) and message.method != "subscriptions/listen":
                await requests.add(message.id)
            elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
                requests.discard((message.params or {}).get("requestId"))
            await read_send.send(SessionMessage(message))
        if readiness is not None:
            async with running(readiness.decided.wait()) as decided, running(requests.none()) as answered:
                await asyncio.wait((decided, answered), timeout=_STARTING_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_SECONDS):
                await requests.none()


async def _give_up(lines: LineInput, output: MessageOutput, receiving: asyncio.Task[None]) -> None:
    """End the input where a client has closed it and takes no more answers: what it sent is behind those, and would
    never be taken in."""
    await lines.ended()
    await output.unread(_DRAIN_SECONDS)
    receiving.cancel()


async def _send(write_receive: Any, output: MessageOutput, requests: _InFlight, greeted: asyncio.Event) -> None:
    async with write_receive:
        async for session_message in write_receive:
            message = session_message.message
            try:
                line = await asyncio.to_thread(_line, message) if _is_large(message) else _line(message)
            except RuntimeError:  # no memory for a thread
                line = _line(message)
            await output.write(line)
            if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
                requests.discard(message.id)
                greeted.set()


def _line(message: types.JSONRPCMessage) -> bytes:
    return message.model_dump_json(by_alias=True, exclude_unset=True).encode("utf-8", "replace") + b"\n"


def _is_large(message: types.JSONRPCMessage) -> bool:
    """Whether the answer carries so much text that it is written as JSON in a thread."""
    if not isinstance(message, types.JSONRPCResponse):
        return False
    result = message.result
    items = cast(list[dict[str, Any]], result.get("contents") or result.get("content") or [])
    texts = (item.get("blob") or item.get("data") or item.get("text") or "" for item in items)
    return sum(len(text) for text in texts if isinstance(text, str)) > _LARGE_CHARS


def _message(line: bytes) -> types.JSONRPCMessage | None:
    if len(line) > MAX_LINE_BYTES:
        return None
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except (ValidationError, ValueError):
        return None
    # The SDK takes a request whose id is none for a notification, and whoever sent it would wait for ever.
    notice = isinstance(message, types.JSONRPCNotification)
    return None if notice and b'"id"' in line and "id" in json.loads(line) else message


def _refusal(line: bytes) -> bytes:
    """-32700 for what is not JSON, -32600 for JSON that is not a message; the id is given back where there is one."""
    request_id: Any = None
    if len(line) > MAX_LINE_BYTES:
        code, sentence = types.INVALID_REQUEST, f"The message is longer than {MAX_LINE_BYTES:,} bytes."
        found = _ID.search(line[:_ID_BYTES])
        request_id = json.loads(found[1]) if found is not None else None
    else:
        try:
            record: Any = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            code, sentence = types.PARSE_ERROR, "The line is not JSON; a message is one line of JSON-RPC 2.0."
        else:
            code, sentence = types.INVALID_REQUEST, "The JSON is not a JSON-RPC 2.0 message."
            if isinstance(record, list):
                sentence = "Batches are not part of this protocol; send one message a line."
            elif isinstance(record, dict):
                given = cast(dict[str, Any], record).get("id")
                request_id = given if isinstance(given, str | int) and not isinstance(given, bool) else None
                if "id" in record and request_id is None:
                    sentence = "The id of a request is a text or a whole number."
    return _error(request_id, code, sentence)


def _no_version(request: types.JSONRPCRequest) -> bool:
    """Whether a request of the 2026-07-28 era does not say its version, without which the SDK takes it for one of the
    handshake era, where the method is unknown."""
    meta = (request.params or {}).get("_meta")
    return not isinstance(meta, dict) or types.PROTOCOL_VERSION_META_KEY not in meta


def _error(request_id: Any, code: int, sentence: str) -> bytes:
    answer = {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": sentence}}
    return json.dumps(answer).encode() + b"\n"


def _redirected(stdin_fd: int, stdout_fd: int) -> tuple[int, int]:
    private_in, private_out = os.dup(stdin_fd), os.dup(stdout_fd)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, stdin_fd)
    os.close(nothing)
    try:
        os.dup2(2, stdout_fd)
    except OSError:  # started without standard error
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, stdout_fd)
        os.close(sink)
    system.set_binary(private_in, private_out)
    return private_in, private_out
