"""Rates and pauses: how many messages a server may send before it is slowed down, how long to wait between attempts."""

import asyncio
import random
from collections.abc import Callable


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

    The jitter keeps many sidecars from connecting to a returning server in step."""

    def __init__(self, first: float, longest: float = 300.0, chance: Callable[[], float] = random.random) -> None:
        self._first, self._longest, self._chance = first, longest, chance
        self.reset()

    def pause(self) -> float:
        """Seconds to wait before the next attempt."""
        seconds = self.next * (1 - self._chance() / 2)
        self.next = min(self.next * 2, self._longest)
        return seconds

    async def wait(self, again: bool = True) -> None:
        """Until the next attempt, which is the first one unless there was one just now."""
        if not again:
            self.reset()
        await asyncio.sleep(self.pause())

    def reset(self) -> None:
        """The attempt held: begin anew."""
        self.next = self._first
