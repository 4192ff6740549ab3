"""An external program that is spoken to over pipes: read its lines, however long it makes them, and stop it with
everything it started.

Not responsible for starting it (`asyncio`), nor for one that is run to its end (`process_tree`)."""

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator

import anyio

from sidecar.toolkit.platform import system

_CLOSE_SECONDS, _TERMINATE_SECONDS = 0.4, 0.3
"""What a program is given to end once its input is closed, and once it was told to."""
_PIECE = 1 << 16
_NEAR = 4096
_DRAIN_SECONDS = 0.002
"""The pause after each piece of a line that is thrown away, in which other work goes on."""


async def lines(stream: asyncio.StreamReader | None, longest: int) -> AsyncGenerator[tuple[bytes, int]]:
    """Each line with its size; of one beyond `longest` bytes no more is kept than its beginning and its end. The
    program was started with PIPE."""
    assert stream is not None  # noqa: S101 - started with PIPE
    line, size, end = bytearray(), 0, b""
    while chunk := await stream.read(_PIECE):
        for piece in chunk.splitlines(keepends=True):
            size += len(piece)
            if size <= longest:
                line += piece
            else:
                line += piece[:_NEAR]
                del line[_NEAR:]
                end = piece[-_NEAR:]
                await asyncio.sleep(_DRAIN_SECONDS)
            if piece.endswith(b"\n"):
                yield bytes(line) + end, size
                line, size, end = bytearray(), 0, b""
        await asyncio.sleep(0)
    if line:
        yield bytes(line) + end, size


async def stop(process: Process) -> None:
    """Close the program's input, then ask it to end, then kill it and everything it started; a second at most. It leads
    a group of its own (`system.own_group`)."""
    if process.stdin is not None:
        process.stdin.close()
    await exited(process, _CLOSE_SECONDS)
    for force in (False, True):
        if not system.end_group(process.pid, force=force):
            break
        await exited(process, _TERMINATE_SECONDS)
    if process.returncode is None:  # where there are no groups
        process.kill()
        await exited(process, _TERMINATE_SECONDS)


async def drain(process: Process) -> None:
    """Read its pipes to their end, which asyncio waits for before it closes them; not if a survivor holds them open."""
    with anyio.move_on_after(_TERMINATE_SECONDS):
        for pipe in (process.stdout, process.stderr):
            while pipe is not None and await pipe.read(_PIECE):
                pass
        await process.wait()


async def exited(process: Process, seconds: float) -> None:
    """Until the process ended, at most `seconds`. Not `wait`: that also waits for pipes its children may hold open."""
    with anyio.move_on_after(seconds):
        while process.returncode is None:  # noqa: ASYNC110 - asyncio tells of the exit alone in no other way
            await asyncio.sleep(0.01)
