"""The gatherer: a worker process that holds all connections to upstream servers, away from the serving process.

Whatever a server sends is received, checked and bounded here; a server that floods, or a page of a hundred thousand
resources, takes this process's time and never the client's. It ends when the serving process closes the socket, and
its own end takes every server it started with it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Iterable

import msgspec

from sidecar.api.process_tree import windows_job
from sidecar_upstream.cycles import Lineage
from sidecar_upstream.flow import Bucket
from sidecar_upstream.keeper import Keeper
from sidecar_upstream.records import Complete, Event, Read, Said, read_frame, requests, write_frame
from sidecar_upstream.servers import Upstream

__all__ = ["gather"]

_NICENESS = 10
_MOST_LINES = 200
_LINES_A_SECOND = 2.0
_LINES_AT_ONCE = 40.0
_SAY_SECONDS = 0.2


def gather(port: int, secret: bytes, servers: tuple[Upstream, ...], instance: str, chain: tuple[str, ...]) -> None:
    """Run in a worker: connect to the serving process on that port of this machine, and serve it until it hangs up."""
    _end_with_children()
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    asyncio.run(_serve(port, secret, servers, Lineage(instance, chain)))


async def _serve(port: int, secret: bytes, servers: Iterable[Upstream], lineage: Lineage) -> None:
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return  # whoever started us is gone already
    writer.write(secret)
    wire = _Wire(writer)
    log = _Log()
    keepers = {server.name: Keeper(server, lineage, wire.send, log.say) for server in servers}
    _quieten(log, keepers.values())
    decoder = requests()
    tasks = {asyncio.create_task(keeper.run()) for keeper in keepers.values()}
    tasks.add(asyncio.create_task(log.run(wire)))
    asking: set[asyncio.Task[None]] = set()

    async def ask(request: Read | Complete) -> None:
        keeper = keepers[request.server]
        answer = await (keeper.read(request) if isinstance(request, Read) else keeper.complete(request))
        await wire.send(answer)

    try:
        while (frame := await read_frame(reader)) is not None:
            request = decoder.decode(frame)
            task = asyncio.create_task(ask(request))
            asking.add(task)
            task.add_done_callback(asking.discard)
    finally:
        for task in (*tasks, *asking):
            task.cancel()
        await asyncio.gather(*tasks, *asking, return_exceptions=True)
        writer.close()


class _Wire:
    """The way to the serving process, one record at a time."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._turn = asyncio.Lock()

    async def send(self, event: Event | msgspec.Struct) -> None:
        async with self._turn:
            write_frame(self._writer, event)
            try:
                await self._writer.drain()
            except ConnectionError:
                return  # the serving process is gone, and we are about to be


class _Log:
    """Lines for the log, so many a server and second; of the rest only the number is told."""

    def __init__(self) -> None:
        self._buckets: dict[str, Bucket] = {}
        self._lines: dict[str, list[str]] = {}
        self._dropped: dict[str, int] = {}
        self._more = asyncio.Event()

    def say(self, server: str, line: str) -> None:
        clock = asyncio.get_running_loop().time
        bucket = self._buckets.setdefault(server, Bucket(_LINES_A_SECOND, _LINES_AT_ONCE, clock))
        lines = self._lines.setdefault(server, [])
        if len(lines) >= _MOST_LINES or not bucket.take():
            self._dropped[server] = self._dropped.get(server, 0) + 1
            return
        if dropped := self._dropped.pop(server, 0):
            lines.append(f"({dropped:,} lines left out)")
        lines.append(line)
        self._more.set()

    async def run(self, wire: _Wire) -> None:
        """Pass them on until cancelled."""
        while True:
            await self._more.wait()
            await asyncio.sleep(_SAY_SECONDS)
            self._more.clear()
            said, self._lines = self._lines, {}
            for server, lines in said.items():
                await wire.send(Said(server, tuple(lines)))


class _Handler(logging.Handler):
    """Warnings of the libraries used here: to our log, not to the client's."""

    def __init__(self, log: _Log, keepers: tuple[Keeper, ...]) -> None:
        super().__init__(logging.WARNING)
        self._log = log
        self._keepers = keepers

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()[:500]
        for keeper in self._keepers:
            text = keeper.hide(text)
        try:
            self._log.say("", f"{record.name}: {text}")
        except RuntimeError:
            return  # outside the event loop, at the very end


def _quieten(log: _Log, keepers: Iterable[Keeper]) -> None:
    logging.lastResort = None
    root = logging.getLogger()
    root.handlers[:] = [_Handler(log, tuple(keepers))]
    # The SDK logs whole messages with tracebacks for each one that is not valid; a server may send many.
    for name in ("mcp", "client", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _end_with_children() -> None:
    """Windows: put this process into a job that takes its descendants with it (elsewhere, see `stdio`)."""
    if sys.platform != "win32":
        return
    kernel, job = windows_job()  # never closed: it ends with this process, and ends the rest
    kernel.GetCurrentProcess.restype = kernel.CreateJobObjectW.restype
    kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())
