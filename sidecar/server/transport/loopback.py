"""A session with a sidecar that is started the way a client starts it: by its command, in a client's bare environment.

Only asks; what is made of the answers is the caller's."""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import anyio
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from sidecar.api import SidecarError
from sidecar.toolkit.tasks import first_error

Era = Literal["legacy", "auto"]
"""The SDK client's modes: the handshake era, and discovery, which ends in 2026-07-28 or later."""
_SESSION_SECONDS = 120.0
"""Seconds the whole session may take; clients give up on a server after 60 (anthropics/claude-code#84136) and less."""
_INDEXED = 10.0
"""Seconds a first reading of the folders is waited for, so that the number of documents is a number, not 0."""
_STATUS, _LIST = "get_library_status", "list_documents_paginated"
_MAX_ERROR_CHARS = 400  # characters of what the server said on standard error; its last sentence is what is wanted


class LoopbackError(SidecarError):
    """The command could not be started, or did not speak MCP."""


@dataclass(frozen=True)
class OwnSession:
    """What a client was told. `documents` is what it can read or will, `pending` what still waits to be read, `newest`
    the name of the one that changed last of those that are read, "" without one. `counted` is False where the tool
    that tells the status is not offered: `[server] tools` may name others."""

    protocol: str
    tools: int
    documents: int
    pending: int
    seconds: float
    folders: Sequence[str] = ()
    newest: str = ""
    status: Mapping[str, Any] = field(default_factory=dict[str, Any])
    counted: bool = True


def try_session(
    command: Sequence[str],
    *,
    era: Era = "legacy",
    variables: Mapping[str, str] | None = None,
    timeout: float = _INDEXED,
) -> OwnSession:
    """Start the command, shake hands, list its tools, ask for the status and the newest document, and end it.

    `variables` are those of the client's entry; `timeout` is how many seconds a first reading of the folders is waited
    for. Raises LoopbackError with what the program said."""
    logging.getLogger("mcp").addHandler(logging.NullHandler())  # what it would log of a strange server is our error
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            return anyio.run(_run_session, command, era, variables or {}, timeout, log)
        except Exception as error:  # a client's transport raises groups of anything; the sentence is what is wanted
            error = first_error(error)
            if isinstance(error, LoopbackError):
                raise error from None
            log.seek(0)
            words = " ".join(log.read().split())[-_MAX_ERROR_CHARS:]
            raise LoopbackError(f"{_reason(error, command[0])}{f' It said: {words}' if words else ''}") from error


async def _run_session(
    command: Sequence[str], era: Era, variables: Mapping[str, str], timeout: float, log: Any
) -> OwnSession:
    started = time.monotonic()
    parameters = StdioServerParameters(
        command=command[0],
        args=list(command[1:]),
        env=dict(variables),
        cwd=Path.home() if Path.home().is_dir() else None,
    )
    with anyio.fail_after(_SESSION_SECONDS):
        async with Client(stdio_client(parameters, errlog=log), mode=era) as client:
            tools = (await client.list_tools()).tools
            answered = time.monotonic() - started
            protocol = str(client.protocol_version)
            offered = {tool.name for tool in tools}
            if _STATUS not in offered:
                return OwnSession(protocol, len(tools), 0, 0, answered, counted=False)
            status = await _settled(client, timeout)
            newest = await _newest(client) if _LIST in offered else ""
            return OwnSession(
                protocol=protocol,
                tools=len(tools),
                documents=min(status["indexed"] + status["pending"], status["total"]),
                pending=status["pending"],
                seconds=answered,
                folders=[folder["path"] for folder in status["folders"]],
                newest=os.path.basename(newest),  # noqa: PTH119
                status=status,
            )


async def _newest(client: Client) -> str:
    """The path of the document that changed last of those that are read, "" without one."""
    asked = {"sort_by": "modified", "page_size": 1, "state": "indexed"}
    listed = (await client.call_tool(_LIST, asked)).structured_content or {}
    return next((item["path"] for item in listed.get("documents", [])), "")


async def _settled(client: Client, timeout: float) -> dict[str, Any]:
    """The status when the folders have been looked through, or as it is after a while."""
    until = time.monotonic() + timeout
    while True:
        answer = await client.call_tool(_STATUS, {})
        status: dict[str, Any] = answer.structured_content or {}
        if answer.is_error or "state" not in status:
            text = " ".join(block.text for block in answer.content if block.type == "text")
            raise LoopbackError(f"it runs, and answers to `{_STATUS}`: {text[:_MAX_ERROR_CHARS]}")
        if status["state"] == "idle" or time.monotonic() > until:
            return status
        await anyio.sleep(0.2)


def _reason(error: BaseException, program: str) -> str:
    if isinstance(error, TimeoutError):
        return f"{program} did not answer within {_SESSION_SECONDS:.0f} seconds."
    if isinstance(error, FileNotFoundError):
        return f"{program} is not there."
    if isinstance(error, OSError):
        return f"{program} cannot be started: {error.strerror or error}."
    return f"{program} does not speak MCP: {error}."
