"""A server started by us and spoken to over its standard streams, with bounds the SDK's transport does not have.

The SDK collects a line however long it gets; here a line beyond the limit is thrown away while it arrives. Whatever
happens, the server and what it started end with us.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client._transport import TransportStreams
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from sidecar.api import UnavailableError
from sidecar_upstream.cycles import CHAIN
from sidecar_upstream.door import Door
from sidecar_upstream.servers import Upstream

__all__ = ["stdio_server"]

_CHUNK = 1 << 16
_NEAR = 4096
_GARBAGE_LINES = 200
"""Lines that are not MCP, before the first one that is: then this is no MCP server."""
_EXIT_SECONDS = 0.4
_TERMINATE_SECONDS = 0.3
_STDERR_LINE = 2000


@asynccontextmanager
async def stdio_server(
    server: Upstream, door: Door, chain: str, say: Callable[[str], None]
) -> AsyncGenerator[TransportStreams]:
    """Start the server. `say` is called with each line of its standard error.

    Raises:
        UnavailableError: it cannot be started.
    """
    process = await _start(server, chain)
    to_session, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    from_session, to_server = anyio.create_memory_object_stream[SessionMessage](0)
    tasks = [
        asyncio.create_task(_read(process, to_session, door, server.max_bytes * 2 + _CHUNK, say)),
        asyncio.create_task(_write(process, to_server, to_session)),
        asyncio.create_task(_read_errors(process, say)),
    ]
    try:
        yield from_server, from_session
    finally:
        with anyio.CancelScope(shield=True):
            for stream in (from_session, from_server):
                await stream.aclose()
            await _stop(process)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for stream in (to_session, to_server):
                await stream.aclose()


async def _start(server: Upstream, chain: str) -> Process:
    environment = get_default_environment() | dict(server.env) | {CHAIN: chain}
    found = shutil.which(_at_home(server.command), path=environment.get("PATH"))
    if found is None:
        raise UnavailableError(f"the command {server.command} is not found; install it or give its full path")
    options: dict[str, Any] = {}
    if sys.platform == "win32":
        options["creationflags"] = 0x08000000  # CREATE_NO_WINDOW
    else:
        options["start_new_session"] = True
    if sys.platform == "linux":
        options["preexec_fn"] = _last_will()
    cwd = _at_home(server.cwd) or None
    try:
        return await asyncio.create_subprocess_exec(
            found, *server.args, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, cwd=cwd, limit=_CHUNK, **options
        )
    except OSError as error:
        raise UnavailableError(f"it cannot be started: {error.strerror or error}") from error


def _at_home(path: str) -> str:
    """`~` filled in; nothing else changed, since a command may also be a bare name."""
    return os.path.expanduser(path)  # noqa: PTH111


def _last_will() -> Callable[[], None]:
    """Runs in the child before its program: have the kernel kill it when the gatherer is gone (prctl(2)).

    Everything is looked up beforehand, since little is safe between fork and exec.
    """
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    return partial(prctl, 1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG


async def _read(
    process: Process,
    to_session: MemoryObjectSendStream[SessionMessage | Exception],
    door: Door,
    longest: int,
    say: Callable[[str], None],
) -> None:
    """Lines as messages; one beyond `longest` bytes is answered with an error in its place."""
    stdout = process.stdout
    assert stdout is not None  # noqa: S101 - started with PIPE
    line, dropping, near, garbage = bytearray(), 0, b"", 0
    try:
        while chunk := await stdout.read(_CHUNK):
            pieces = chunk.split(b"\n")
            for number, piece in enumerate(pieces):
                ends = number < len(pieces) - 1
                if dropping:
                    dropping += len(piece)
                elif len(line) + len(piece) > longest:
                    near = bytes(line[:_NEAR] or piece[:_NEAR])
                    dropping = len(line) + len(piece)
                    line = bytearray()
                else:
                    line += piece
                if not ends:
                    continue
                if dropping:
                    sentence = f"its answer of {dropping:,} bytes is larger than max_bytes allows"
                    refusal = door.refuse(sentence, near + piece[-_NEAR:])
                    say(f"a message of {dropping:,} bytes was thrown away")
                    if refusal is not None:
                        await to_session.send(refusal)
                elif line.strip():
                    message = _parse(bytes(line))
                    if message is not None:
                        await to_session.send(message)
                    elif not door.spoken:
                        garbage += 1
                        if garbage > _GARBAGE_LINES:
                            door.ending = "it writes something other than MCP to its standard output"
                            return
                    else:
                        await to_session.send(ValueError("not MCP"))  # counted by the door
                line, dropping = bytearray(), 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_EXIT_SECONDS):
                await _drained(process)
        code = process.returncode
        door.ending = "it closed its output" if code is None else f"it ended with {_exit_name(code)}"
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        pass  # the session is gone
    finally:
        with contextlib.suppress(anyio.ClosedResourceError):
            await to_session.aclose()


def _parse(line: bytes) -> SessionMessage | None:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except (ValueError, RecursionError):
        return None


async def _write(
    process: Process,
    to_server: MemoryObjectReceiveStream[SessionMessage],
    to_session: MemoryObjectSendStream[SessionMessage | Exception],
) -> None:
    stdin = process.stdin
    assert stdin is not None  # noqa: S101 - started with PIPE
    try:
        async for message in to_server:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            stdin.write(text.encode("utf-8", "replace") + b"\n")
            await stdin.drain()
    except (OSError, RuntimeError, anyio.ClosedResourceError):
        # It no longer reads: let the session see the end instead of waiting for answers that cannot come.
        await to_session.aclose()


async def _read_errors(process: Process, say: Callable[[str], None]) -> None:
    """Standard error, line by line, long lines cut."""
    stderr = process.stderr
    assert stderr is not None  # noqa: S101 - started with PIPE
    rest = b""
    while chunk := await stderr.read(_CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        rest = rest[:_STDERR_LINE]
        for line in lines:
            if text := line[:_STDERR_LINE].decode("utf-8", "replace").strip():
                say(text)
        await asyncio.sleep(0)
    if text := rest.decode("utf-8", "replace").strip():
        say(text)


async def _stop(process: Process) -> None:
    """Close its input, then ask it to end, then kill it and everything it started; a second at most."""
    if process.stdin is not None:
        process.stdin.close()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_EXIT_SECONDS):
            await _drained(process)
    for number in () if sys.platform == "win32" else (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)  # the group may outlive the process that led it
        except (ProcessLookupError, PermissionError):
            break
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_TERMINATE_SECONDS):
                await _drained(process)
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_TERMINATE_SECONDS):
                await _drained(process)


def _exit_name(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


async def _drained(process: Process) -> None:
    """Until the process ended by itself. Not `wait`: that also waits for pipes which its children may hold open."""
    while process.returncode is None:  # noqa: ASYNC110 - asyncio tells of the exit alone in no other way
        await asyncio.sleep(0.01)
