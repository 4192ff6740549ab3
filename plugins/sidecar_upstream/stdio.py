"""A server started by us and spoken to over its standard streams.

In place of the SDK's own transport, which collects a line however long it gets, does not tell how a server ended, and
takes up to four seconds to end one: here a line beyond the limit is thrown away while it arrives, the exit is told,
and the server and what it started end within a second, with us at the latest."""

import asyncio
import contextlib
import os
import shutil
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from sidecar.api import UnavailableError
from sidecar.toolkit.platform import system
from sidecar.toolkit.programs.piped import drain, exited, lines, stop
from sidecar.toolkit.programs.process_tree import exit_name
from sidecar.toolkit.tasks import end
from sidecar_upstream.messages import MessageFilter, largest_message
from sidecar_upstream.servers import CHAIN, Upstream

_CHUNK = 1 << 16
_GARBAGE_LINES = 200
"""Lines that are not MCP, before the first one that is: then this is not an MCP server."""
_EXIT_SECONDS = 2.0
"""What a server that closed its output is given to end and to say its last words, on a machine that is busy: how it
ended is what a user can mend, and nobody waits for anything else meanwhile."""
_STDERR_LINE = 2000
_NICENESS = 10
"""Servers' priority (setpriority(2)): what they do must not keep the client waiting for what we hold ourselves."""

_Incoming = MemoryObjectSendStream[SessionMessage | Exception]
Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


@asynccontextmanager
async def stdio_server(
    server: Upstream, messages: MessageFilter, chain: str, say: Callable[[str], None]
) -> AsyncGenerator[Streams]:
    """Start the server; `say` is called with each line of its standard error. Raises UnavailableError."""
    process = await _start(server, chain)
    unbound = system.bound(process.pid, _NICENESS)
    to_session, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    from_session, to_server = anyio.create_memory_object_stream[SessionMessage](0)
    conversation = _Conversation(process, messages, to_session, say)
    tasks = [
        conversation.errors,
        asyncio.create_task(conversation.read(largest_message(server))),
        asyncio.create_task(conversation.write(to_server)),
    ]
    try:
        yield from_server, from_session
    finally:
        with anyio.CancelScope(shield=True):
            for stream in (from_session, from_server):
                await stream.aclose()
            await stop(process)
            await end(*tasks)
            await drain(process)
            for stream in (to_session, to_server):
                await stream.aclose()
            unbound()


async def _start(server: Upstream, chain: str) -> Process:
    environment = get_default_environment() | dict(server.env) | {CHAIN: chain}
    command, directory = map(os.path.expanduser, (server.command, server.cwd))  # not paths: it may be a bare name
    found = shutil.which(command, path=environment.get("PATH"))
    if found is None:
        raise UnavailableError(f"the command {server.command} is not found; install it or give its full path")
    try:
        return await asyncio.create_subprocess_exec(
            found, *server.args, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment,
            cwd=directory or None, limit=_CHUNK, **system.own_group(),
        )  # fmt: skip
    except OSError as error:
        raise UnavailableError(f"it cannot be started: {error.strerror or error}") from error


class _Conversation:
    """What goes over a server's standard streams, as messages."""

    def __init__(
        self, process: Process, messages: MessageFilter, to_session: _Incoming, say: Callable[[str], None]
    ) -> None:
        self._process, self._messages, self._to_session, self._say = process, messages, to_session, say
        self.errors = asyncio.create_task(self._read_errors())

    async def read(self, longest: int) -> None:
        """Lines as messages; one beyond `longest` bytes is answered with an error in its place."""
        garbage = 0
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # the session is gone
            async for line, size in lines(self._process.stdout, longest):
                if size > longest:
                    self._say(f"a message of {size:,} bytes was thrown away")
                    await self._deliver(self._messages.refuse(size, line))
                    continue
                try:
                    await self._deliver(await self._messages.receive(line) if line.strip() else None)
                except (ValueError, RecursionError):
                    garbage += 1
                if garbage > _GARBAGE_LINES and not self._messages.spoken:
                    self._messages.end("it writes something other than MCP to its standard output")
                    await self._to_session.aclose()
                    return
            await self._ended("it closed its output")

    async def write(self, to_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Messages as lines, until there are no more to come or the server no longer reads."""
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101 - started with PIPE
        try:
            async for message in to_server:
                body = message.message.model_dump_json(by_alias=True, exclude_unset=True).encode("utf-8", "replace")
                self._messages.sent(body)
                stdin.write(body + b"\n")
                await stdin.drain()
        except (OSError, RuntimeError):
            # Let the session see the end instead of waiting for answers that cannot come.
            await self._ended("it closed its input")
        except anyio.ClosedResourceError:
            return

    async def _deliver(self, body: bytes | None) -> None:
        if body is not None:
            await self._to_session.send(SessionMessage(jsonrpc_message_adapter.validate_json(body, by_name=False)))

    async def _ended(self, otherwise: str) -> None:
        """Find out how the server ended and what it said last, and only then let the session see the end."""
        await exited(self._process, _EXIT_SECONDS)
        code = self._process.returncode
        if code is not None:
            await asyncio.wait({self.errors}, timeout=_EXIT_SECONDS)
        self._messages.end(otherwise if code is None else f"it ended with {exit_name(code)}")
        await self._to_session.aclose()

    async def _read_errors(self) -> None:
        async for line, _ in lines(self._process.stderr, _STDERR_LINE):
            if text := line[:_STDERR_LINE].decode("utf-8", "replace").strip():
                self._say(text)
