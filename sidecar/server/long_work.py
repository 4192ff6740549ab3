"""Where work is done that others should not wait for: at once, in a thread, or (the error) in a worker."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

_THREAD_BYTES = 12 * 1024
"""Compressed blocks above which work goes to a thread: below it takes under 5 ms."""
HEAVY_BYTES = 4 * _THREAD_BYTES
"""Above it a view is made in a worker. Other work waits for work of its kind only, so that what is short need not wait
for it."""

Result = TypeVar("Result")
_limiters: RunVar[tuple[anyio.CapacityLimiter, anyio.CapacityLimiter]] = RunVar("limiters")
"""Of one event loop: for short and for long work."""


class HeavyViewError(Exception):
    """The view asked for is more work than the serving process does."""


async def in_thread(size: int, work: Callable[[], Result]) -> Result:
    """The result of `work`; in a thread when `size` (compressed bytes it goes through) is not small, so that other
    requests do not wait for it. One thread has the work of any length, one what is short: more of them would only keep
    the interpreter's lock from the loop."""
    if size <= _THREAD_BYTES:
        return work()
    limiters = _limiters.get(None)
    if limiters is None:
        limiters = anyio.CapacityLimiter(1), anyio.CapacityLimiter(1)
        _limiters.set(limiters)
    return await anyio.to_thread.run_sync(work, limiter=limiters[size > HEAVY_BYTES])


def result_of(work: Coroutine[Any, Any, Result]) -> Result:
    """What a coroutine gives that never waits, in a worker process, which has no event loop."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    work.close()
    raise RuntimeError("what it waits for is not there at once")
