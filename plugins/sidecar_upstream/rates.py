"""Rates and waits: how many messages a server may send before it is slowed down, how long to pause between attempts,
and the end of what runs meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from typing import Any


async def within(seconds: float, event: asyncio.Event) -> None:
    """Until the event is set, at most so long."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def end(tasks: Sequence[asyncio.Task[Any]]) -> None:
    """Cancel the tasks and wait for them, whatever they raise."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class Bucket:
    """A token bucket. `rate` a second flow in, at most `burst` stay."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._level, self._at = burst, clock()

    def take(self) -> bool:
        """Whether there was a token."""
        now = self._clock()
        level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._level, self._at = level - (level >= 1), now
        return level >= 1


class Backoff:
    """Pauses between attempts: doubled each time up to `longest`, each shortened at random by up to a half.

    The jitter keeps many sidecars from connecting to a returning server in step.
    """

    def __init__(self, first: float, longest: float = 300.0, chance: Callable[[], float] = random.random) -> None:
        self._first, self._longest, self._chance = first, longest, chance
        self.reset()

    def pause(self) -> float:
        """Seconds to wait before the next attempt."""
        seconds = self._next * (1 - self._chance() / 2)
        self._next = min(self._next * 2, self._longest)
        return seconds

    def reset(self) -> None:
        """The attempt held: begin anew."""
        self._next = self._first
