"""What the tests of gathering share: an application that gathers from servers, and HTTP servers to gather from."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sidecar_upstream.servers import cache_name, read_settings
from sidecar_upstream.state import contents_cache
from support.clients.waiting import DEADLINE, until
from support.programs import forks

from sidecar.api import Call, ResourceContent, ResourceEntry, Result
from sidecar.app import Application, open_application
from sidecar.config import Config
from sidecar.serving import run_backgrounds

HERE = Path(__file__).parent
QUICK = {"retry_seconds": 0.05}


@dataclass
class Gathering:
    """An application whose background task gathers; `told` holds what clients would have been told."""

    application: Application
    told: list[str] = field(default_factory=list[str])
    more: asyncio.Event = field(default_factory=asyncio.Event)
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    """As it was when the window began; one process has one, and these tests have several windows."""

    def tell(self, what: str) -> None:
        self.told.append(what)
        self.more.set()

    async def hears(self, what: str) -> None:
        """Until clients have been told of that URI, or of the "list"."""
        async with asyncio.timeout(DEADLINE):
            while what not in self.told:
                self.more.clear()
                await self.more.wait()

    async def status(self, server: str) -> dict[str, Any]:
        return (await self.application.library.status())["upstream"][server]

    async def reaches(self, server: str, state: str, **fields: Any) -> dict[str, Any]:
        """Until the server, which is listed for that, is in that state, with these fields."""

        async def check() -> dict[str, Any] | None:
            await self.entries()
            found = await self.status(server)
            fits = found["state"] == state and all(found.get(key) == value for key, value in fields.items())
            return found if fits else None

        try:
            return await until(check)
        except TimeoutError:
            raise AssertionError(f"{server} never was {state} with {fields}: {await self.status(server)}") from None

    async def entries(self, page: int = 1000) -> dict[str, ResourceEntry]:
        """All entries, page by page."""
        providers = [one for one in self.application.features.providers if "upstream" in one.schemes]
        if not providers:
            return {}
        (provider,) = providers
        found: dict[str, ResourceEntry] = {}
        after = ""
        while some := await provider.entries(self.application.services, after, page):
            uris = [entry.uri for entry in some]
            assert uris == sorted(uris)
            assert uris[0] > after
            found |= {entry.uri: entry for entry in some}
            after = uris[-1]
        return found

    async def read(self, uri: str) -> tuple[ResourceContent, ...]:
        return await self.application.library.read(uri)

    async def text(self, uri: str) -> str:
        (content,) = await self.read(uri)
        assert content.text is not None
        return content.text

    async def describes(self, uri: str, words: str) -> None:
        """Until the listing describes the resource so."""

        async def check() -> bool:
            found = (await self.entries()).get(uri)
            return found is not None and found.description == words

        await until(check)

    async def reconfigure(self, servers: Mapping[str, Mapping[str, Any]]) -> None:
        """As if the configuration file had been changed."""
        await self.application.reload(replace(self.application.config, sections={"upstream": servers}))

    async def server_pid(self, server: str) -> int:
        """The process id of a server of ours."""
        return int((await self.text(f"upstream://{server}/control://pid")).split()[0])

    async def running_pid(self, server: str) -> int:
        """The same as the server that runs now says it, however long that takes."""
        return int((await self.said_now(server, "control://pid")).split()[0])

    async def said_now(self, server: str, own: str) -> str:
        """What the server itself says; another read gives what it said before where an answer takes a moment."""
        application = self.application
        tables = read_settings(application.config.feature_settings()["upstream"])
        kept = next(cache_name(table, self.environment) for table in tables if table.name == server)
        await contents_cache(application.services, kept).delete(own)
        return await self.text(f"upstream://{server}/{own}")

    async def call(self, tool: str, budget: int = 8000, **arguments: Any) -> Result:
        found = self.application.features.tools[tool]
        call = Call(self.application.services, budget=budget)
        return await found.handler(call, found.arguments.model_validate(arguments))


def stdio(mode: str, world: Path, **settings: Any) -> dict[str, Any]:
    """The table of a server that is started by command."""
    return {"command": sys.executable, "args": [str(HERE / "server.py"), mode, str(world)], **QUICK, **settings}


def offer(world: Path, offered: Mapping[str, Any]) -> None:
    """What the server beside `world` offers from now on, replaced in one step: it reads the file whenever it is asked,
    and ends where it finds half of it."""
    replace_text(world, json.dumps(offered))


def replace_text(path: Path, text: str) -> None:
    """Write a file beside it and put it in its place, as editors do."""
    beside = path.with_suffix(".beside")  # the servers have files of their own beside theirs
    beside.write_text(text)
    beside.replace(path)


def write_config(path: Path, tables: Mapping[str, Mapping[str, Any]], head: str = "") -> None:
    """A configuration file with these `[upstream.NAME]` tables, replaced in one step."""
    text = head
    for name, table in tables.items():
        text += f"[upstream.{name}]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in table.items())
    replace_text(path, text)


def toml(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        pairs: dict[str, Any] = value
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in pairs.items()) + "}"
    return json.dumps(value)


def sidecar(config: Path, data: Path, *more: str) -> list[str]:
    """The command line of a sidecar with that configuration file."""
    return [sys.executable, "-m", "sidecar.cli.main", *more, "--config", str(config), "--data-dir", str(data)]


def modern(world: Path, **settings: Any) -> dict[str, Any]:
    """The table of a server of 2026-07-28."""
    return {"command": sys.executable, "args": [str(HERE / "modern.py"), str(world)], **QUICK, **settings}


@asynccontextmanager
async def gathering(data: Path, servers: Mapping[str, Mapping[str, Any]]) -> AsyncGenerator[Gathering]:
    """An application gathering from these servers; when it ends, so have all their processes. Sidecars among them are
    forked."""
    config = Config(data_dir=data, sections={"upstream": servers})
    with forks.programs():
        async with open_application(config) as application:
            assert not application.features.failures, application.features.failures
            found = Gathering(application)
            application.signals.resources_changed = lambda: found.tell("list")
            application.signals.resource_updated = found.tell
            application.signals.tools_changed = lambda: found.tell("tools")
            backgrounds = asyncio.create_task(run_backgrounds(application))
            try:
                yield found
            finally:
                backgrounds.cancel()
                await asyncio.gather(backgrounds, return_exceptions=True)


@contextmanager
def reserved_port() -> Generator[int]:
    """A port that no other program is given while this is open; a server of ours may listen at it."""
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind(("127.0.0.1", 0))
        yield one.getsockname()[1]


@contextmanager
def http_server(*arguments: str, token: str = "", port: int = 0) -> Generator[tuple[str, subprocess.Popen[str]]]:
    """A server over HTTP in a process of its own; gives its URL."""
    environment = {**os.environ, "TEST_PORT": str(port), "TEST_TOKEN": token}
    process = subprocess.Popen(
        [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line.strip(), "the server did not come up"
        yield f"http://127.0.0.1:{int(line)}/mcp", process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
