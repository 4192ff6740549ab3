"""Feeds waiting files to the parse workers, a batch at a time, and hands on one outcome for each.

A worker that crashes, hangs or outgrows its memory costs the one file it was reading; the rest of its batch goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, Final, Protocol

from sidecar.api import LimitError, Limits, SidecarError, WorkerError, WorkerTimeout
from sidecar.ingest.indexing.workload import Pending
from sidecar.ingest.reading.jobs import Assembly, Loader, Outcome

READ: Final = "sidecar.ingest.reading.files:read_files"
PRELOAD: Final = "sidecar.ingest.reading.files:preload"


class Streams(Protocol):
    """The part of a worker pool that feeding needs (`pool.WorkerPool`)."""

    @property
    def parse_workers(self) -> int: ...

    def stream(self, target: str, *args: Any, timeout: float = ..., pool: str = ...) -> AsyncGenerator[Any]: ...

    async def run(self, target: str, *args: Any, timeout: float = ..., pool: str = ...) -> Any: ...

    def ready(self, pool: str) -> bool: ...


async def read_batch(
    workers: Streams, batch: Sequence[Pending], loader: Loader, limits: Limits, pool: str = "parse"
) -> AsyncGenerator[tuple[Pending, Outcome]]:
    """Each file of the batch with its outcome, in order. Raises UnavailableError when no worker can be had."""
    left = list(batch)
    while left:
        failure: Outcome | None = None
        assembly = Assembly()
        jobs = [pending.job for pending in left]
        answers = workers.stream(READ, jobs, loader, limits, timeout=limits.max_seconds, pool=pool)
        async with aclosing(answers):
            try:
                async for frame in answers:
                    outcome = assembly.add(frame)
                    if outcome is not None:
                        yield left.pop(0), outcome
                    else:
                        await asyncio.sleep(0)  # a large outcome: let others have the loop between its frames
            except (WorkerError, LimitError) as error:
                failure = _failure(left[0], error)
        if failure is not None:
            yield left.pop(0), failure


def _failure(pending: Pending, error: SidecarError) -> Outcome:
    state = "crashed"
    if isinstance(error, WorkerTimeout):
        state = "timed_out"
    elif isinstance(error, LimitError):
        state = "too_large"
    return Outcome(kind="failed", stat=pending.stat, state=state, reason=str(error))
