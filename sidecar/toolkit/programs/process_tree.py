"""Run one external program so that it, and everything it starts, is gone when its time is up or when we die; or, of one
that is spoken to over pipes, when it is stopped.

Not responsible for which program, nor for one running at a time; by what means is the system's (`platform`)."""

import asyncio
import signal
import subprocess
from asyncio.subprocess import Process
from collections.abc import Mapping, Sequence
from pathlib import Path

import anyio

from sidecar.toolkit.platform import system

_CLOSE_SECONDS, _TERMINATE_SECONDS = 0.4, 0.3
"""What a program is given to end once its input is closed, and once it was told to."""
_PIECE = 1 << 16


def run_tree(
    command: Sequence[str], *, seconds: float, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes] | None:
    """Run to the end and give its return code and output (standard error joined in, the last 64 KiB); None when it
    was still running after `seconds` and was killed with all its children. Raises OSError when it cannot start."""
    log = cwd / "output.log"
    with log.open("wb") as output:
        code = system.run(command, seconds, str(cwd), env, output.fileno())
    if code is None:
        return None
    return subprocess.CompletedProcess(list(command), code, log.read_bytes()[-65536:])


def exit_name(code: int) -> str:
    """How a process ended, by its return code: its exit code, or the signal that ended it."""
    try:
        return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


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
