"""What one turn of the serving loop costs: the processor time of every callback, which no other program on the machine
adds to, and a client on the real transport whose own work is done in other threads."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

from mcp.server.lowlevel import Server

from sidecar.server.handlers import initialization_options
from sidecar.server.transport.stdio import stdio_streams


@dataclass
class Work:
    """`longest` is the processor time of the longest callback so far, in seconds, `callback` what it was."""

    longest: float = 0.0
    callback: str = ""


@contextmanager
def loop_work() -> Generator[Work]:
    """Measure every callback of asyncio's loops in the thread that runs them (`time.thread_time`)."""
    work = Work()
    run = asyncio.Handle._run

    def measured(self: asyncio.Handle) -> None:
        before = time.thread_time()
        run(self)
        spent = time.thread_time() - before
        if spent > work.longest and asyncio.Handle._run is measured:  # else it is what follows the measuring
            work.longest, work.callback = spent, repr(self)[:300]

    asyncio.Handle._run = measured
    try:
        yield work
    finally:
        asyncio.Handle._run = run


@dataclass
class Wire:
    """The client's ends of two pipes. Its lines are written and read, encoded and decoded in threads."""

    to_server: int
    from_server: Any
    number: int = 0

    async def request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The whole answer: `result` or `error`."""
        self.number += 1
        return await asyncio.to_thread(self._request, self.number, method, params)

    async def notify(self, method: str) -> None:
        """Say something that has no answer."""
        await asyncio.to_thread(self._send, {"jsonrpc": "2.0", "method": method})

    def _request(self, number: int, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params)})
        while True:
            message: dict[str, Any] = json.loads(self.from_server.readline())
            if message.get("id") == number:
                return message

    def _send(self, message: Mapping[str, Any]) -> None:
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(self.to_server, data) :]


@asynccontextmanager
async def on_the_wire(server: Server[Any]) -> AsyncGenerator[Wire]:
    """Serve one client over pipes, initialized, as over standard input and output."""
    their_in, our_out = os.pipe()
    our_in, their_out = os.pipe()
    with os.fdopen(our_in, "rb") as answers:
        async with stdio_streams(stdin_fd=their_in, stdout_fd=their_out) as streams:
            serving = asyncio.create_task(server.run(streams.read, streams.write, initialization_options(server)))
            wire = Wire(our_out, answers)
            try:
                client = {"name": "test", "version": "1"}
                hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
                await wire.request("initialize", hello)
                await wire.notify("notifications/initialized")
                yield wire
            finally:
                os.close(our_out)
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)
                for fd in (their_in, their_out):
                    os.close(fd)


__all__ = ["Wire", "Work", "loop_work", "on_the_wire"]
