"""Serves MCP over the process's own standard streams until the client, a signal or the parent's end says to stop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys

from sidecar.server.handlers import Readiness, build_server, initialization_options
from sidecar.server.notifications import Notifier
from sidecar.server.transport.shutdown import Shutdown, exit_at_the_latest, watch_parent, watch_signals
from sidecar.server.transport.streams import stdio_streams

__all__ = ["serve_stdio"]

logger = logging.getLogger(__name__)


async def serve_stdio(readiness: Readiness, notifier: Notifier, *, hard: bool = True) -> str:
    """Serve one client; gives the reason of the end.

    `initialize` is answered while whoever calls this is still opening the store. With `hard`, the process is ended
    for good should the caller's own cleaning up take longer than the promise of two seconds allows.
    """
    shutdown = Shutdown()
    server = build_server(readiness, notifier)
    with contextlib.redirect_stdout(sys.stderr), watch_signals(shutdown):
        async with watch_parent(shutdown), stdio_streams(readiness.greeted) as streams:
            serving = asyncio.create_task(server.run(streams.read, streams.write, initialization_options(server)))
            telling = asyncio.create_task(notifier.run())
            waiting = asyncio.create_task(shutdown.event.wait())
            try:
                await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
                shutdown.begin("end of input")
                if hard:
                    exit_at_the_latest()
            finally:
                for task in (serving, telling, waiting):
                    task.cancel()
                outcomes = await asyncio.gather(serving, telling, waiting, return_exceptions=True)
                for outcome in outcomes:
                    if isinstance(outcome, Exception):
                        logger.error("serving ended with a fault", exc_info=outcome)
    logger.info("ending: %s", shutdown.reason)
    return shutdown.reason
