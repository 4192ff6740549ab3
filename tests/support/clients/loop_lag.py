"""How long the event loop did not turn while something else ran: a probe for tests and benches."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

_TICK_SECONDS = 0.001


@dataclass
class Lag:
    """`longest` is the longest stall seen so far, in seconds."""

    longest: float = 0.0


@asynccontextmanager
async def loop_lag() -> AsyncGenerator[Lag]:
    """Record the longest time the running loop took to come back to a task that wants to run every millisecond."""
    lag = Lag()

    async def tick() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(_TICK_SECONDS)
            lag.longest = max(lag.longest, time.perf_counter() - before - _TICK_SECONDS)

    await asyncio.sleep(0)
    task = asyncio.create_task(tick())
    try:
        yield lag
    finally:
        await asyncio.sleep(_TICK_SECONDS * 2)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
