"""An application that stays open for all tests of a module that only read: it is wired, and its workers come up, once.

Its event loop runs in a thread of its own, which lives as long as the workers that are started on it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, TypeVar

from mcp.client.client import Client
from mcp.server.lowlevel import Server
from support.clients.harness import in_process

from sidecar.app import Application
from sidecar.server.notifications import Notifier, Peer

T = TypeVar("T")
World = tuple[Application, Server[Peer], Notifier]


class Opened:
    """What `open_world` makes of the directory `home`, between the two ends of a `with`. Tests take turns; each has a
    client of its own."""

    def __init__(self, home: Path, open_world: Callable[[], AbstractAsyncContextManager[World]]) -> None:
        self.home = home
        self._open_world = open_world
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="opened application")
        self._closing = asyncio.Event()

    def __enter__(self) -> Self:
        self._thread.start()
        opened: asyncio.Future[World] = self._loop.create_future()
        self._held = asyncio.run_coroutine_threadsafe(self._hold(opened), self._loop)

        async def world() -> World:
            return await opened

        try:
            self.application, self.server, self.notifier = self.run(world())
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._closing.set)
        try:
            self._held.result()
        finally:
            self._end()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run it on the application's loop; gives its result or raises what it raised."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def play(
        self, body: Callable[[Client], Awaitable[T]], era: str = "legacy", budget_tokens: int = 0, **client: Any
    ) -> T:
        """What `body` gives, called with a client in that era, of these further settings; `budget_tokens` that are not
        0 hold for as long as this takes, as if the configuration file had been changed."""

        async def main() -> T:
            config = self.application.config
            if budget_tokens:
                await self.application.reload(
                    replace(config, server=replace(config.server, budget_tokens=budget_tokens))
                )
            try:
                async with Client(self.server, mode=era, **client) as connected:
                    return await body(connected)
            finally:
                await self.application.reload(config)

        return self.run(main())

    async def _hold(self, opened: asyncio.Future[World]) -> None:
        try:
            async with self._open_world() as world:
                opened.set_result(world)
                await self._closing.wait()
        except BaseException as error:
            if opened.done():
                raise
            opened.set_exception(error)

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def opened(home: Path, **settings: Any) -> Opened:
    """An application over the folder `files` in `home`, which has been indexed into `data` there."""
    return Opened(home, lambda: in_process(home / "files", home / "data", **settings))


def serve(home: Path | Opened, body: Callable[[Client], Awaitable[T]], era: str = "legacy", **client: Any) -> T:
    """Play on what is open, or on an application that is opened for this alone."""
    if isinstance(home, Opened):
        return home.play(body, era, **client)
    with opened(home) as alone:
        return alone.play(body, era, **client)
