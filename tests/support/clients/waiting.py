"""How tests wait for what another process or task does: they ask again and again, until a deadline."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

DEADLINE = 180.0
"""Seconds anything may take before a test gives up; nothing is asserted about how long it took."""
_FIRST, _LONGER, _LONGEST = 0.01, 1.3, 0.1
"""Seconds of the first pause, how many times longer each next one is, and seconds of the longest: whoever is asked
works for each answer."""


def pauses() -> Iterator[float]:
    """How long to pause before each asking but the first, in seconds."""
    pause = _FIRST
    while True:
        yield pause
        pause = min(pause * _LONGER, _LONGEST)


async def until(check: Callable[[], Awaitable[Any]]) -> Any:
    """Ask until the answer is true; the deadline is the test's failure."""
    pause = pauses()
    async with asyncio.timeout(DEADLINE):
        while not (answer := await check()):  # noqa: ASYNC110  # the other side is another process
            await asyncio.sleep(next(pause))
        return answer


def wait_for(check: Callable[[], Any], what: str) -> Any:
    """The same, where nothing else runs in this process; `what` is said where it fails."""
    deadline, pause = time.monotonic() + DEADLINE, pauses()
    while not (answer := check()):
        assert time.monotonic() < deadline, f"not within {DEADLINE} s: {what}"
        time.sleep(next(pause))
    return answer
