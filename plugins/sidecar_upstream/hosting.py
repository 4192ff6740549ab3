"""Runs a gatherer in a worker of this process, for as long as it is wanted.

It connects back over a socket on this machine, with a secret, because a worker's own pipe carries one call and its
answer only.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import Awaitable, Callable

from sidecar.api import WorkerError, Workers

__all__ = ["run_gatherer"]

_GATHER = "sidecar_upstream.gatherer:gather"
_SECRET_BYTES = 32
_HELLO_SECONDS = 10.0
_FOREVER = 10 * 365 * 86400.0
_END_SECONDS = 1.0


async def run_gatherer(
    workers: Workers, instance: str, file: str,
    converse: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> None:  # fmt: skip
    """One gatherer, from its start until `converse` or it ends; `file` tells other windows where it is, "" does not.

    Raises:
        WorkerError, OSError: it could not be started, or broke down.
    """
    secret = secrets.token_bytes(_SECRET_BYTES)
    ended = asyncio.Event()
    accepted: list[asyncio.StreamWriter] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if not accepted and await _greeted(reader, secret):
                accepted.append(writer)
                server.close()  # nobody else is to come
                try:
                    await converse(reader, writer)
                finally:
                    ended.set()
        finally:
            writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    call = workers.run(_GATHER, port, secret, instance, file, timeout=_FOREVER, pool="upstream")
    working = asyncio.create_task(_awaited(call))
    waiting = asyncio.create_task(ended.wait())
    try:
        await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            await working
    finally:
        server.close()
        for writer in accepted:
            writer.close()  # it ends its servers, then itself
        waiting.cancel()
        if not working.done():
            with contextlib.suppress(TimeoutError, WorkerError):
                async with asyncio.timeout(_END_SECONDS):
                    await asyncio.shield(working)
            working.cancel()
        await asyncio.gather(working, waiting, return_exceptions=True)


async def _awaited(call: Awaitable[None]) -> None:
    await call


async def _greeted(reader: asyncio.StreamReader, secret: bytes) -> bool:
    """Whether it is the gatherer that connected, and not some other program on this machine."""
    try:
        async with asyncio.timeout(_HELLO_SECONDS):
            return hmac.compare_digest(await reader.readexactly(len(secret)), secret)
    except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
        return False
