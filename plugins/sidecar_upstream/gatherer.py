"""The gatherer: a worker process that holds all connections to upstream servers, away from the serving process.

Whatever a server sends is received, checked and bounded here; a server that floods, or a page of a hundred thousand
resources, takes this process's time and never the client's. Of several windows on one data directory one runs it, and
the others join it (`rendezvous`). It ends when the window that runs it closes the socket, and its own end takes every
server it started with it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import nullcontext
from pathlib import Path

from sidecar.toolkit.process_tree import windows_job
from sidecar_upstream.flow import Bucket
from sidecar_upstream.hub import Hub
from sidecar_upstream.records import Said
from sidecar_upstream.rendezvous import publish

__all__ = ["gather"]

_NICENESS = 10
_MOST_LINES = 200
_LINES_A_SECOND = 2.0
_LINES_AT_ONCE = 40.0
_SAY_SECONDS = 0.2


def gather(port: int, secret: bytes, instance: str, file: str) -> None:
    """Run in a worker: connect to the serving process on that port of this machine, and serve it until it hangs up.

    Other windows on the data directory find their way here through `file`; "" keeps it to this one.
    """
    _end_with_children()
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    asyncio.run(_serve(port, secret, instance, file))
    os._exit(0)  # not back to idleness in the pool: what strangers sent lies in this process's memory


async def _serve(port: int, secret: bytes, instance: str, file: str) -> None:
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return  # whoever started us is gone already
    writer.write(secret)
    log = _Log()
    hub = Hub(instance, log.say)
    _quieten(log, hub)
    logging_on = asyncio.create_task(log.run(hub))
    try:
        async with publish(Path(file), hub.attend) if file else nullcontext():
            await hub.attend(reader, writer)
    finally:
        logging_on.cancel()
        await asyncio.gather(logging_on, return_exceptions=True)
        await hub.end()


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

    async def run(self, hub: Hub) -> None:
        """Pass them on until cancelled."""
        while True:
            await self._more.wait()
            await asyncio.sleep(_SAY_SECONDS)
            self._more.clear()
            said, self._lines = self._lines, {}
            for server, lines in said.items():
                await hub.pass_on(Said(server, tuple(lines)))


class _Handler(logging.Handler):
    """Warnings of the libraries used here: to our log, not to the client's."""

    def __init__(self, log: _Log, hub: Hub) -> None:
        super().__init__(logging.WARNING)
        self._log = log
        self._hub = hub

    def emit(self, record: logging.LogRecord) -> None:
        text = self._hub.hide(record.getMessage()[:500])
        try:
            self._log.say("", f"{record.name}: {text}")
        except RuntimeError:
            return  # outside the event loop, at the very end


def _quieten(log: _Log, hub: Hub) -> None:
    logging.lastResort = None
    root = logging.getLogger()
    root.handlers[:] = [_Handler(log, hub)]
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
