"""When to end: a signal, or the parent gone though the pipe stays open; and a last resort, should shutdown hang."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from types import FrameType

from sidecar.toolkit.platform import system
from sidecar.toolkit.tasks import running

_POLL_SECONDS = 1.0
_LATEST_SECONDS = 1.8
"""The promise is two seconds; workers die with their pipes and the lock with the process."""


@dataclass
class Shutdown:
    """Set once, by whoever sees first that the process must end; `reason` says why, for the log."""

    event: asyncio.Event = field(default_factory=asyncio.Event)
    reason: str = ""

    def begin(self, reason: str) -> None:
        """Begin to end, for that reason; the first one counts."""
        if not self.event.is_set():
            self.reason = reason
            self.event.set()


@contextmanager
def watch_signals(shutdown: Shutdown) -> Generator[None]:
    """SIGTERM, SIGINT and SIGHUP begin shutdown instead of stopping the process where it stands."""
    loop = asyncio.get_running_loop()
    names = [name for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
    undo: list[Callable[[], object]] = []
    for name in names:
        number = getattr(signal, name)
        try:
            loop.add_signal_handler(number, shutdown.begin, name)
            undo.append(partial(loop.remove_signal_handler, number))
        except (NotImplementedError, RuntimeError):  # Windows' loops, or not the main thread
            with contextlib.suppress(ValueError):
                undo.append(partial(signal.signal, number, signal.signal(number, _handler(loop, shutdown, name))))
    try:
        yield
    finally:
        for step in undo:
            step()


def _handler(loop: asyncio.AbstractEventLoop, shutdown: Shutdown, name: str) -> Callable[[int, FrameType | None], None]:
    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(shutdown.begin, name)

    return handle


@asynccontextmanager
async def watch_parent(shutdown: Shutdown) -> AsyncGenerator[None]:
    """Begin the shutdown when the process that started us is gone.

    Where the system has a descriptor for it, that takes not a single wake-up until then; elsewhere it is looked at once
    a second."""
    parent = os.getppid()
    fd = system.parent_descriptor(parent)
    loop = asyncio.get_running_loop()
    if fd is not None:
        loop.add_reader(fd, shutdown.begin, "the parent process is gone")
        try:
            yield
        finally:
            loop.remove_reader(fd)
            os.close(fd)
        return
    async with running(_poll_parent(parent, shutdown)):
        yield


def exit_at_the_latest() -> None:
    """End the process hard after `_LATEST_SECONDS`, whatever still holds it. There is no way back."""

    def end() -> None:
        time.sleep(_LATEST_SECONDS)
        os._exit(0)

    threading.Thread(target=end, name="last resort", daemon=True).start()


async def _poll_parent(parent: int, shutdown: Shutdown) -> None:
    alive = system.parent_probe(parent)
    while alive():  # noqa: ASYNC110  # nothing tells of it here, so it must be asked
        await asyncio.sleep(_POLL_SECONDS)
    shutdown.begin("the parent process is gone")
