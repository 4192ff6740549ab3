"""Stop an external program that is spoken to over pipes, with everything it started.

Not responsible for starting it (`asyncio`), nor for one that is run to its end (`process_tree`)."""

import asyncio
from asyncio.subprocess import Process

import anyio

from sidecar.toolkit.platform import system

_CLOSE_SECONDS, _TERMINATE_SECONDS = 0.4, 0.3
"""What a program is given to end once its input is closed, and once it was told to."""
_PIECE = 1 << 16


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
    """Until the process ended, at most so long. Not `wait`: that also waits for pipes its children may hold open."""
    with anyio.move_on_after(seconds):
        while process.returncode is None:  # noqa: ASYNC110 - asyncio tells of the exit alone in no other way
            await asyncio.sleep(0.01)
