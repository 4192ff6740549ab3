"""The two pipes of the stdio transport: lines come in, messages go out, and neither blocks the loop nor fills memory.

Knows bytes and lines only; what a line means is `stdio`'s."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import select
import threading
from collections import deque

from sidecar.toolkit.platform import system

MAX_LINE_BYTES = 16 * 2**20
"""Bytes of the longest message; no client sends one of this length, and nobody should fill our memory."""
_CHUNK = 256 * 1024
_READ_AHEAD = 2**20
"""Bytes of whole lines that wait to be taken; above it reading pauses, and the pipe fills up behind."""
_CLOSE_SECONDS = 0.5
_LOOK_SECONDS = 1.0
"""How often a pipe that is not read for now is asked whether its other end is closed."""
_PIPE_BUF = 4096
"""A pipe that polls as writable takes this many bytes without blocking (POSIX)."""
_BACKLOG = 16 * 2**20
"""Bytes of answers waiting for a client that does not read; above it, sending waits."""


class LineInput:
    """Lines from a descriptor. Read without a thread where the loop can watch it, else in a daemon thread.

    An over-long line comes cut, a little longer than `MAX_LINE_BYTES`, so that it is refused and not kept."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._loop = asyncio.get_running_loop()
        self._lines: deque[bytes] = deque()
        self._waiting = 0
        self._rest: list[bytes] = []
        self._rest_size = 0
        self._ended = False
        self._arrived = asyncio.Event()
        self._paused_or_ended = asyncio.Event()
        self._watched = False
        self._resumed = threading.Event()
        self._resumed.set()
        try:
            self._watch()
        except (NotImplementedError, OSError):  # Windows, or a regular file
            threading.Thread(target=self._read_in_thread, name="stdin", daemon=True).start()

    async def readline(self) -> bytes | None:
        """The next line without its end, None at the end of input."""
        while not self._lines:
            if self._ended:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        line = self._lines.popleft()
        self._waiting -= len(line)
        if self._waiting <= _READ_AHEAD // 2 and not self._resumed.is_set() and not self._ended:
            self._resumed.set()
            self._paused_or_ended.clear()
            if self._watched:
                self._watch()
        return line

    async def ended(self) -> None:
        """Wait until the other end is closed, whether or not all that it sent was read."""
        while not self._ended:
            await self._paused_or_ended.wait()
            if self._ended or system.is_hung_up(self._fd):
                return
            await asyncio.sleep(_LOOK_SECONDS)

    def stop(self) -> None:
        """Watch the descriptor no longer."""
        self._ended = True
        with contextlib.suppress(OSError, ValueError, NotImplementedError):
            self._loop.remove_reader(self._fd)

    def _watch(self) -> None:
        self._loop.add_reader(self._fd, self._readable)
        self._watched = True

    def _readable(self) -> None:
        try:
            data = os.read(self._fd, _CHUNK)  # a readable descriptor gives what it has and does not block
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._feed(data)
        if self._ended or not self._resumed.is_set():
            self._loop.remove_reader(self._fd)

    def _read_in_thread(self) -> None:
        """May block for ever without keeping the process from ending."""
        data = b"\n"
        while data:
            self._resumed.wait()
            try:
                data = os.read(self._fd, _CHUNK)
            except OSError:
                data = b""
            try:
                self._loop.call_soon_threadsafe(self._feed, data)
            except RuntimeError:  # the loop is closed: nobody listens any more
                return

    def _feed(self, data: bytes) -> None:
        """Bytes as they come, cut into lines; none at all is the end of input."""
        *whole, rest = data.split(b"\n")
        for piece in whole:
            self._buffer(piece)
            self._finish_line()
        self._buffer(rest)
        if not data:
            self._ended = True
            if self._rest_size:
                self._finish_line()
        if self._waiting > _READ_AHEAD:
            self._resumed.clear()
        if self._ended or not self._resumed.is_set():
            self._paused_or_ended.set()
        self._arrived.set()

    def _buffer(self, piece: bytes) -> None:
        if piece and self._rest_size <= MAX_LINE_BYTES:
            self._rest.append(piece)
            self._rest_size += len(piece)

    def _finish_line(self) -> None:
        self._lines.append(b"".join(self._rest))
        self._waiting += self._rest_size
        self._rest, self._rest_size = [], 0


class MessageOutput:
    """Writes whole messages. A short one goes out at once when the pipe has room; the others go through a daemon
    thread, so that a client which stops reading never stops the loop."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._loop = asyncio.get_running_loop()
        self._pending = 0
        self._writes = 0
        self._room = asyncio.Event()
        self._room.set()
        self._empty = asyncio.Event()
        self._empty.set()
        self._broken = False
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._has_room = system.room_probe(fd)

    async def write(self, data: bytes) -> None:
        """Send a message with its line end; waits while too much waits for a client that does not read."""
        if self._broken:
            return
        await self._room.wait()
        if not self._pending and len(data) <= _PIPE_BUF and self._has_room():
            self._put(data)
            return
        if self._thread is None:
            thread = threading.Thread(target=self._run, name="stdout", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # no memory for another: an answer that holds the loop up is better than none
                self._put(data)
                return
            self._thread = thread
        self._pending += len(data)
        self._empty.clear()
        if self._pending > _BACKLOG:
            self._room.clear()
        self._queue.put(data)

    async def unread(self, seconds: float) -> None:
        """Wait until the client has taken nothing of what waits for it for so many seconds."""
        seen = -1
        while not self._pending or seen != self._writes:
            seen = self._writes
            await asyncio.sleep(seconds)

    async def close(self) -> None:
        """Give what is pending a moment to go out; never wait for a client that does not read."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
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
        if self._pending <= _BACKLOG // 2:
            self._room.set()
        if not self._pending:
            self._empty.set()

    def _put(self, data: bytes) -> None:
        view = memoryview(data)
        while view and not self._broken:
            try:
                view = view[os.write(self._fd, view) :]
                self._writes += 1
            except BlockingIOError:
                select.select([], [self._fd], [])
            except OSError:  # the client is gone; the end of input follows
                self._broken = True
