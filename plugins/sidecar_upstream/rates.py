"""Rates: how many messages a server may send before it is slowed down, and how long to pause between attempts."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Backoff", "Bucket", "within"]


async def within(seconds: float, event: asyncio.Event) -> None:
    """Until the event is set, at most so long."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


@dataclass
class Bucket:
    """A token bucket. `rate` a second flow in, at most `burst` stay."""

    rate: float
    burst: float
    clock: Callable[[], float]

    def __post_init__(self) -> None:
        self._level = self.burst
        self._at = self.clock()

    def take(self) -> bool:
        """Whether there was a token."""
        now = self.clock()
        self._level = min(self.burst, self._level + (now - self._at) * self.rate)
        self._at = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


@dataclass
class Backoff:
    """Pauses between attempts: doubled each time up to `longest`, each shortened at random by up to a half.

    The jitter keeps many sidecars from connecting to a returning server in step.
    """

    first: float
    longest: float = 300.0
    chance: Callable[[], float] = random.random

    def __post_init__(self) -> None:
        self._next = self.first

    def pause(self) -> float:
        """Seconds to wait before the next attempt."""
        seconds = self._next * (1 - self.chance() / 2)
        self._next = min(self._next * 2, self.longest)
        return seconds

    def reset(self) -> None:
        """The attempt held: begin anew."""
        self._next = self.first
