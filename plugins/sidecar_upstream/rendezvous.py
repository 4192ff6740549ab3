"""Where the windows on one data directory find the gatherer that one of them runs, and how the two trust each other.

The gatherer listens on a port of this machine and writes port and secret into a file that only this user may read. A
window and the gatherer prove to each other that they know the secret (HMAC-SHA-256 over nonces of both) before
anything else is said, so that neither a stale file nor another program on the port is believed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import logging
import os
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sidecar_upstream.records import PROTOCOL

__all__ = ["NobodyThereError", "find_gatherer", "place", "publish"]

logger = logging.getLogger(__name__)

_NONCE = 32
_DIGEST = 32
_SECONDS = 5.0

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class NobodyThereError(Exception):
    """No gatherer of this data directory answers."""


def place(data_dir: Path) -> Path:
    """The file."""
    return data_dir / f"upstream-{PROTOCOL}.json"


@asynccontextmanager
async def publish(
    file: Path, attend: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
) -> AsyncGenerator[None]:
    """Listen for windows, and say so in the file, for as long as this is entered."""
    secret = secrets.token_bytes(_NONCE)
    visits: set[asyncio.Task[Any]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a coroutine runs in a task
        visits.add(task)
        try:
            if await _welcomed(reader, writer, secret):
                await attend(reader, writer)
        finally:
            visits.discard(task)
            writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        _write(file, port, secret)
    except OSError as error:  # a full disk keeps other windows away, and this one goes on
        logger.warning("upstream servers are not shared between windows: %s", error)
    try:
        yield
    finally:
        server.close()
        _remove(file, port, secret)
        for task in visits:
            task.cancel()
        await asyncio.gather(*visits, return_exceptions=True)


async def find_gatherer(file: Path) -> Streams:
    """A connection to the gatherer that the file tells of. Raises NobodyThereError."""
    told = _read(file)
    if told is None:
        raise NobodyThereError
    port, secret = told
    try:
        async with asyncio.timeout(_SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            recognised = False
            try:
                recognised = await _recognised(reader, writer, secret)
            finally:
                if not recognised:  # a gatherer that is suspended is knocked at again and again
                    writer.close()
    except (OSError, EOFError, TimeoutError) as error:
        raise NobodyThereError from error
    if not recognised:
        raise NobodyThereError
    return reader, writer


async def _recognised(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, secret: bytes) -> bool:
    """Whether it is our gatherer, and not some other program that has the port by now; tells it who we are."""
    mine = secrets.token_bytes(_NONCE)
    writer.write(mine)
    theirs = await reader.readexactly(_NONCE)
    proof = await reader.readexactly(_DIGEST)
    if not hmac.compare_digest(proof, _proof(secret, b"gatherer", mine, theirs)):
        return False
    writer.write(_proof(secret, b"window", mine, theirs))
    return True


async def _welcomed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, secret: bytes) -> bool:
    """Whether it is a window of this user's that came."""
    try:
        async with asyncio.timeout(_SECONDS):
            theirs = await reader.readexactly(_NONCE)
            mine = secrets.token_bytes(_NONCE)
            writer.write(mine + _proof(secret, b"gatherer", theirs, mine))
            proof = await reader.readexactly(_DIGEST)
    except (TimeoutError, OSError, EOFError):
        return False
    return hmac.compare_digest(proof, _proof(secret, b"window", theirs, mine))


def _proof(secret: bytes, who: bytes, window: bytes, gatherer: bytes) -> bytes:
    return hmac.digest(secret, who + window + gatherer, "sha256")


def _read(file: Path) -> tuple[int, bytes] | None:
    """Port and secret; None when there is no such file, or nothing sensible in it."""
    try:
        told: Any = json.loads(file.read_bytes())
        port, secret = int(told["port"]), bytes.fromhex(told["secret"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return (port, secret) if 0 < port < 1 << 16 and len(secret) == _NONCE else None


def _write(file: Path, port: int, secret: bytes) -> None:
    """Whole or not at all, and readable by this user only from the first instant."""
    beside = file.with_name(f"{file.name}.{os.getpid()}")
    beside.unlink(missing_ok=True)
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:  # noqa: PTH123 - a descriptor
        json.dump({"port": port, "secret": secret.hex()}, out)
    beside.replace(file)


def _remove(file: Path, port: int, secret: bytes) -> None:
    """Unless another gatherer has taken over already, and written there."""
    if _read(file) == (port, secret):
        with contextlib.suppress(OSError):
            file.unlink()
