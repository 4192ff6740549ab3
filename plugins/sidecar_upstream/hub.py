"""The gatherer's inside: one keeper for each server that any window wants, and every window told what it wants to know.

A server is connected once, however many windows want it; a window that comes later is told first what was told
before. The keeper of a server that no window wants any more ends.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from sidecar_upstream.cycles import Lineage
from sidecar_upstream.keeper import Keeper
from sidecar_upstream.records import (
    Complete,
    Described,
    Event,
    Page,
    Read,
    Request,
    Said,
    State,
    Want,
    Wanted,
    read_frame,
    requests,
    write_frame,
)
from sidecar_upstream.servers import Secrets

__all__ = ["Hub"]

_STUCK_SECONDS = 5.0
"""A window that takes nothing for so long is dropped, lest the others wait for it; it may come again."""

_ENDING_SECONDS = 5.0


@dataclass(eq=False)
class Window:
    """A serving process that is connected, and the servers it wants, by key."""

    writer: asyncio.StreamWriter
    posts: dict[str, Post] = field(default_factory=dict[str, "Post"])
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def send(self, *events: msgspec.Struct) -> None:
        """In this order, with nothing in between."""
        async with self.turn:
            try:
                async with asyncio.timeout(_STUCK_SECONDS):
                    for event in events:
                        write_frame(self.writer, event)
                        await self.writer.drain()
            except TimeoutError:
                self.writer.transport.abort()
            except ConnectionError:
                return  # it is gone, and whoever listens to it sees that too


class Post:
    """A server's keeper, and what it said that still holds, for windows that come later."""

    def __init__(self, wanted: Wanted, lineage: Lineage, say: Callable[[str, str], None]) -> None:
        self.keeper = Keeper(wanted.server, Secrets(wanted.secrets), lineage, self._emit, say)
        self.windows: dict[Window, None] = {}
        self._key = wanted.server.name
        self._task = asyncio.create_task(self.keeper.run())
        self._state: State | None = None
        self._pages: list[Page] = []
        self._arriving: list[Page] = []
        self._described: dict[str, str] = {}

    async def tell_all(self, window: Window) -> None:
        """Take the window in: it hears what holds now, then everything else."""
        self.windows[window] = None
        state = [self._state] if self._state is not None else []
        described = [Described(self._key, self._described)] if self._described else []
        await window.send(*state, *self._pages, *described, *self._arriving)

    async def end(self) -> None:
        """End the server, and wait for it."""
        while not self._task.done():  # a library below may swallow a cancellation once
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=_ENDING_SECONDS)

    async def _emit(self, event: Event) -> None:
        match event:
            case State():
                self._state = event
                if event.state == "refused":
                    self._pages, self._described = [], {}
            case Page():
                self._arriving.append(event)
                if event.last:
                    if not event.keep:
                        self._pages, self._described = self._arriving, {}
                    self._arriving = []
            case Described():
                self._described = {**self._described, **event.texts}
            case _:
                pass
        for window in list(self.windows):
            await window.send(event)


class Hub:
    """`instance` is the sidecar's identity (`cycles`); `say` takes a server's key and a line for the log."""

    def __init__(self, instance: str, say: Callable[[str, str], None]) -> None:
        self._instance = instance
        self._say = say
        self._posts: dict[str, Post] = {}
        self._first: Window | None = None
        self._changing = asyncio.Lock()

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a window until it hangs up. The first one is whose process this is."""
        window = Window(writer)
        self._first = self._first or window
        decoder = requests()
        asking: set[asyncio.Task[None]] = set()
        try:
            while (frame := await read_frame(reader)) is not None:
                try:
                    request = decoder.decode(frame)
                except msgspec.DecodeError:
                    return
                if isinstance(request, Want):
                    await self._want(window, request)
                    continue
                task = asyncio.create_task(self._answer(window, request))
                asking.add(task)
                task.add_done_callback(asking.discard)
        finally:
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
            await self._want(window, Want((), ()))
            with contextlib.suppress(OSError):
                writer.close()

    def hide(self, text: str) -> str:
        """The text without any server's credentials."""
        for post in self._posts.values():
            text = post.keeper.hide(text)
        return text

    async def pass_on(self, said: Said) -> None:
        """Lines for the log go to one window, since all windows write the same log."""
        post = self._posts.get(said.server)
        window = next(iter(post.windows), None) if post is not None else self._first
        if window is not None:
            await window.send(said)

    async def end(self) -> None:
        """End every server."""
        async with self._changing:
            await asyncio.gather(*(post.end() for post in self._posts.values()))
            self._posts.clear()

    async def _want(self, window: Window, want: Want) -> None:
        async with self._changing:
            wanted = {one.server.name: one for one in want.servers}
            # What goes ends before what comes begins: it may be the same server, differently configured.
            await self._leave(window, [key for key in window.posts if key not in wanted])
            for key, one in wanted.items():
                if key in window.posts:
                    continue
                post = self._posts.get(key)
                if post is None:
                    post = self._posts[key] = Post(one, Lineage(self._instance, want.chain), self._say)
                window.posts[key] = post
                await post.tell_all(window)

    async def _leave(self, window: Window, keys: Iterable[str]) -> None:
        ending: list[Post] = []
        for key in keys:
            post = window.posts.pop(key)
            post.windows.pop(window, None)
            if not post.windows:
                ending.append(self._posts.pop(key))
        await asyncio.gather(*(post.end() for post in ending))

    async def _answer(self, window: Window, request: Request) -> None:
        assert not isinstance(request, Want)  # noqa: S101 - `attend` has sorted that out
        post = window.posts.get(request.server)
        if post is None:
            return  # the window has just let go of it, and does not wait
        match request:
            case Read():
                await window.send(await post.keeper.read(request))
            case Complete():
                await window.send(await post.keeper.complete(request))
