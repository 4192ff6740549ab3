"""The stdio transport: JSON-RPC lines on the process's standard streams, as the stream pair the SDK's loop serves.

Not the SDK's `stdio_server`, because that one reads in a thread nobody can stop (the process then cannot end on a
signal while the pipe stays open) and passes over what it cannot parse without an answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import queue
import select
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

__all__ = ["Streams", "stdio_streams"]

CHUNK = 256 * 1024
LONGEST_LINE = 64 * 2**20
"""A message longer than this is refused: no client sends one, and nobody should fill our memory."""
DRAIN_SECONDS = 1.0
"""After the end of input, requests under way get so long to be answered: `printf … | docsidecar` must work."""
CLOSE_SECONDS = 0.5
PIPE_BUF = 4096
"""A pipe that polls as writable takes this many bytes without blocking (POSIX)."""
BACKLOG = 16 * 2**20
"""Answers waiting for a client that does not read; above it, sending waits."""


@dataclass
class Streams:
    """`read` and `write` for `Server.run`. `greeted` is set when the first answer is out."""

    read: Any
    write: Any
    greeted: asyncio.Event
    unanswered: _Unanswered


class _Unanswered:
    """Ids of requests whose answer is not out yet."""

    def __init__(self) -> None:
        self._ids: set[Any] = set()
        self._none = asyncio.Event()
        self._none.set()

    def add(self, request_id: Any) -> None:
        self._ids.add(request_id)
        self._none.clear()

    def discard(self, request_id: Any) -> None:
        self._ids.discard(request_id)
        if not self._ids:
            self._none.set()

    async def none(self) -> None:
        """Wait until every request has been answered."""
        await self._none.wait()


@asynccontextmanager
async def stdio_streams(
    greeted: asyncio.Event | None = None, stdin_fd: int = 0, stdout_fd: int = 1
) -> AsyncGenerator[Streams]:
    """Claim the two descriptors: the wire moves to private duplicates, 0 reads nothing, and 1 goes where 2 goes, so
    that a stray print or a child's output never reaches the client."""
    private_in, private_out = _claim(stdin_fd, stdout_fd)
    read_send, read_receive = anyio.create_memory_object_stream[SessionMessage | Exception](64)
    write_send, write_receive = anyio.create_memory_object_stream[SessionMessage](0)
    streams = Streams(read_receive, write_send, greeted or asyncio.Event(), _Unanswered())
    output = _Output(private_out)
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()
    stop_reading = _start_reading(private_in, lines)
    tasks = [
        asyncio.create_task(_parse(lines, read_send, output, streams)),
        asyncio.create_task(_serialize(write_receive, output, streams)),
    ]
    try:
        yield streams
    finally:
        stop_reading()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for stream in (read_send, read_receive, write_send, write_receive):
            stream.close()
        await output.close()


async def _parse(lines: asyncio.Queue[bytes | None], read_send: Any, output: _Output, streams: Streams) -> None:
    """Lines to messages, in order. What is no message is answered with the error JSON-RPC has for it."""
    async with read_send:
        while (line := await lines.get()) is not None:
            if not line.strip():
                continue
            try:
                message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except (ValidationError, ValueError):
                await output.write(_refusal(line))
                continue
            if isinstance(message, types.JSONRPCRequest) and message.method != "subscriptions/listen":
                streams.unanswered.add(message.id)
            await read_send.send(SessionMessage(message))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                await streams.unanswered.none()


async def _serialize(write_receive: Any, output: _Output, streams: Streams) -> None:
    async with write_receive:
        async for session_message in write_receive:
            message = session_message.message
            data = message.model_dump_json(by_alias=True, exclude_unset=True).encode("utf-8", "replace")
            await output.write(data + b"\n")
            if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
                streams.unanswered.discard(message.id)
                streams.greeted.set()


def _refusal(line: bytes) -> bytes:
    """-32700 for what is not JSON, -32600 for JSON that is no message; the id is given back where there is one."""
    request_id: Any = None
    if len(line) > LONGEST_LINE:
        code, sentence = types.INVALID_REQUEST, f"The message is longer than {LONGEST_LINE:,} bytes."
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
    answer = {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": sentence}}
    return json.dumps(answer).encode() + b"\n"


def _claim(stdin_fd: int, stdout_fd: int) -> tuple[int, int]:
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
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(private_in, os.O_BINARY)
        msvcrt.setmode(private_out, os.O_BINARY)
    return private_in, private_out


class _Splitter:
    """Bytes as they come, cut into lines. An over-long line is handed on cut, so that it is refused and not kept."""

    def __init__(self, lines: asyncio.Queue[bytes | None]) -> None:
        self._lines = lines
        self._rest: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> None:
        *whole, rest = data.split(b"\n")
        for line in whole:
            self._keep(line)
            self._lines.put_nowait(b"".join(self._rest))
            self._rest, self._size = [], 0
        self._keep(rest)

    def end(self) -> None:
        if self._size:
            self._lines.put_nowait(b"".join(self._rest))
        self._lines.put_nowait(None)

    def _keep(self, piece: bytes) -> None:
        if piece and self._size <= LONGEST_LINE:
            self._rest.append(piece)
            self._size += len(piece)


def _start_reading(fd: int, lines: asyncio.Queue[bytes | None]) -> Callable[[], None]:
    """Read without a thread where the loop can watch the descriptor, else in a daemon thread. Gives a stop function."""
    loop = asyncio.get_running_loop()
    splitter = _Splitter(lines)

    def readable() -> None:
        try:
            data = os.read(fd, CHUNK)  # a readable descriptor gives what it has and does not block
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            splitter.feed(data)
        else:
            loop.remove_reader(fd)
            splitter.end()

    try:
        loop.add_reader(fd, readable)
    except (NotImplementedError, OSError):  # Windows, or a regular file: those are read in a thread
        _read_in_thread(fd, loop, splitter)
        return lambda: None

    def stop() -> None:
        with contextlib.suppress(OSError, ValueError):
            loop.remove_reader(fd)

    return stop


def _read_in_thread(fd: int, loop: asyncio.AbstractEventLoop, splitter: _Splitter) -> None:
    """A daemon thread on the bare descriptor: it may block for ever without keeping the process from ending."""

    def read() -> None:
        while True:
            try:
                data = os.read(fd, CHUNK)
            except OSError:
                data = b""
            try:
                loop.call_soon_threadsafe(splitter.feed if data else lambda _: splitter.end(), data)
            except RuntimeError:  # the loop is closed: nobody listens any more
                return
            if not data:
                return

    threading.Thread(target=read, name="stdin", daemon=True).start()


class _Output:
    """Writes whole messages. A short one goes out at once when the pipe has room; the others go through a daemon
    thread, so that a client which stops reading never stops the loop."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._loop = asyncio.get_running_loop()
        self._pending = 0
        self._room = asyncio.Event()
        self._room.set()
        self._empty = asyncio.Event()
        self._empty.set()
        self._broken = False
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._poll = select.poll() if hasattr(select, "poll") else None
        if self._poll is not None:
            self._poll.register(fd, select.POLLOUT)

    async def write(self, data: bytes) -> None:
        if self._broken:
            return
        await self._room.wait()
        if not self._pending and len(data) <= PIPE_BUF and self._poll is not None:
            ready = self._poll.poll(0)
            if ready and ready[0][1] & select.POLLOUT:
                self._put(data)
                return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="stdout", daemon=True)
            self._thread.start()
        self._pending += len(data)
        self._empty.clear()
        if self._pending > BACKLOG:
            self._room.clear()
        self._queue.put(data)

    async def close(self) -> None:
        """Give what is pending a moment to go out; never wait for a client that does not read."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._empty.wait()
        if self._thread is not None:
            self._queue.put(None)

    def _run(self) -> None:
        while (data := self._queue.get()) is not None:
            self._put(data)
            try:
                self._loop.call_soon_threadsafe(self._written, len(data))
            except RuntimeError:  # the loop is closed
                return

    def _written(self, size: int) -> None:
        self._pending -= size
        if self._pending <= BACKLOG // 2:
            self._room.set()
        if not self._pending:
            self._empty.set()

    def _put(self, data: bytes) -> None:
        view = memoryview(data)
        while view and not self._broken:
            try:
                view = view[os.write(self._fd, view) :]
            except BlockingIOError:
                select.select([], [self._fd], [])
            except OSError:  # the client is gone; the end of input follows
                self._broken = True
