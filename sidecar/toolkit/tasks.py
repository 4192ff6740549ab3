"""Tasks of asyncio: run meanwhile and ended, what their groups failed with, the pauses between attempts, and rates."""

import asyncio
import errno
import random
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any


async def end(*tasks: asyncio.Task[Any], again: float | None = None) -> list[BaseException]:
    """Cancel the tasks and wait until they have ended; gives what they failed with. One that has not ended `again`
    seconds later is cancelled anew: libraries may swallow a cancellation."""
    while waiting := [task for task in tasks if not task.done()]:
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting, timeout=again)
    outcomes = [None if task.cancelled() else task.exception() for task in tasks]
    return [error for error in outcomes if error is not None]


@asynccontextmanager
async def running(work: Coroutine[Any, Any, Any]) -> AsyncGenerator[asyncio.Task[Any]]:
    """The work as a task that goes on meanwhile and is ended then, whatever it failed with."""
    task = asyncio.create_task(work)
    try:
        yield task
    finally:
        await end(task)


def first_error(error: BaseException, but: tuple[type[BaseException], ...] = ()) -> BaseException:
    """The first error in a task group's group, if there is one the first that is none of `but`; another as it is."""
    while isinstance(error, BaseExceptionGroup):
        group: BaseExceptionGroup[BaseException] = error
        telling = group.subgroup(lambda one: not isinstance(one, (BaseExceptionGroup, *but)))
        error = (telling or group).exceptions[0]
    return error


def lacks_memory(error: BaseException) -> bool:
    """Whether the system gave no memory, or no thread: one needs memory for its stack, or there are too many."""
    if isinstance(error, BaseExceptionGroup):
        members: tuple[BaseException, ...] = error.exceptions
        return any(lacks_memory(member) for member in members)
    no_thread = isinstance(error, RuntimeError) and "can't start new thread" in str(error)
    return no_thread or isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


class Backoff:
    """Pauses between attempts: doubled each time up to `longest`, each shortened at random by up to a half.

    The jitter keeps several sidecars from trying in step."""

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
