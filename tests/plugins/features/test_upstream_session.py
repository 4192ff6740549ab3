"""Several upstreams at once through a real sidecar and a real client, in each era: listed, read, killed, restarted,
taken out of the configuration.

With `DOCSIDECAR_TEST_NPM` naming a directory into which npm installed @modelcontextprotocol/server-everything and
server-filesystem, these are among them; without it, servers of ours stand in for them.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import warnings
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import mcp_types as types
import psutil
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from support.programs import forks
from support.upstream.gathering import (
    DEADLINE,
    HERE,
    QUICK,
    http_server,
    offer,
    reserved_port,
    stdio,
    until,
    write_config,
)

_NPM = Path(os.environ.get("DOCSIDECAR_TEST_NPM", "")) / "node_modules"


def local_servers(worlds: Path) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """The tables of the stdio servers, and for each a piece of its command line that no other process has."""
    tables = {name: stdio("good", worlds / f"{name}.json") for name in ("first", "files")}
    marks = {name: str(worlds / f"{name}.json") for name in tables}
    if "DOCSIDECAR_TEST_NPM" in os.environ:
        node = shutil.which("node", path=os.pathsep.join([str(_NPM / ".bin"), os.environ["PATH"]]))
        for name, package in (("first", "server-everything"), ("files", "server-filesystem")):
            script = _NPM / "@modelcontextprotocol" / package / "dist/index.js"
            if not script.exists() or node is None:
                pytest.skip(f"DOCSIDECAR_TEST_NPM is set, but there is no {script} or no node")
            allowed = [str(worlds)] if name == "files" else []
            tables[name] = {"command": node, "args": [str(script), *allowed], **QUICK}
            marks[name] = str(script)
    return tables, marks


class Session:
    """A client of a sidecar with upstreams, and what the test asks of it."""

    def __init__(self, client: Client, bare: str) -> None:
        """`bare` names an upstream that has tools only."""
        self.client = client
        self._bare = bare

    async def status(self) -> dict[str, Any]:
        answer = await self.client.call_tool("get_library_status", {})
        return answer.structured_content

    async def connected(self, name: str) -> bool:
        found = (await self.status())["upstream"][name]
        return found["state"] == "connected" and (found.get("resources", 0) > 0 or name == self._bare)

    async def down(self, name: str) -> bool:
        return (await self.status())["upstream"][name]["state"] in {"down", "connecting"}

    async def indexed(self) -> bool:
        return (await self.status())["indexed"] == 1

    async def only(self, *names: str) -> bool:
        return set((await self.status()).get("upstream", {})) == set(names)

    async def listed(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        cursor: str | None = None
        while True:
            page = await self.client.list_resources(cursor=cursor, cache_mode="refresh")
            found |= {entry.uri: entry for entry in page.resources}
            cursor = page.next_cursor
            if cursor is None:
                return found

    async def reads(self, name: str) -> None:
        uris = [uri for uri in await self.listed() if uri.startswith(f"upstream://{name}/")]
        assert bool(uris) is (name != self._bare)
        for uri in uris[:3]:
            found = await self.client.read_resource(uri, cache_mode="refresh")
            assert found.contents
            assert all(content.uri.startswith(uri) for content in found.contents)

    async def searches(self) -> None:
        answer = await self.client.call_tool("search_documents", {"query": "capybara"})
        assert [hit["document_slug"] for hit in answer.structured_content["results"]] == ["notes"]

    async def tools(self) -> set[str]:
        return {tool.name for tool in (await self.client.list_tools(cache_mode="refresh")).tools}


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_upstreams_killed_restarted_and_taken_out(tmp_path: Path, era: str) -> None:
    folder, config = tmp_path / "documents", tmp_path / "config.toml"
    folder.mkdir()
    (folder / "notes.md").write_text("# Capybaras\n\nThe capybara rests by the river.\n")
    web_world = tmp_path / "web.json"
    web = (str(HERE / "server.py"), "http", "good", str(web_world))
    local, marks = local_servers(tmp_path)
    flood = stdio("flood", tmp_path / "flood.json")
    marks["flood"] = str(tmp_path / "flood.json")
    bare = "files" if "DOCSIDECAR_TEST_NPM" in os.environ else ""  # the filesystem server has tools only
    heard = asyncio.Event()
    forks.template()
    before = psutil.Process().children(recursive=True)  # what the tests fork their programs from is one of ours too

    async def hear(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            heard.set()

    with (
        warnings.catch_warnings(), forks.programs(), reserved_port() as port,
        http_server(*web, port=port) as (url, process),
    ):  # fmt: skip
        warnings.simplefilter("ignore", ResourceWarning)
        tables = {**local, "web": {"url": url, **QUICK}, "flood": flood}
        write_config(config, tables)
        arguments = ["-m", "sidecar.cli.main", "serve", "--folder", str(folder), "--data-dir", str(tmp_path / "data")]
        parameters = StdioServerParameters(
            command=sys.executable, args=[*arguments, "--config", str(config)], env=dict(os.environ)
        )
        async with asyncio.timeout(DEADLINE * 3):
            async with Client(parameters, mode=era, message_handler=hear) as client:
                session = Session(client, bare)
                await are_read(session, tables)
                await are_killed_and_come_back(session, marks)
                process.kill()
                process.wait()
                await goes_down_and_comes_back(session, url, web, web_world)
                await are_taken_out(session, config, tables["web"], marks, heard)
                sidecar_process = set(psutil.Process().children(recursive=True)).difference(before)
            for one in sidecar_process:
                await until(lambda one=one: gone(one))


async def are_read(session: Session, tables: dict[str, Any]) -> None:
    await session.listed()  # nothing is connected before it is asked for
    for name in tables:
        await until(lambda name=name: session.connected(name))
        await session.reads(name)
    entry = (await session.listed())["upstream://web/note://told"]
    assert entry.meta == {"server": "web"}
    await until(session.indexed)
    await session.searches()


async def are_killed_and_come_back(session: Session, marks: dict[str, str]) -> None:
    for name, mark in marks.items():
        victims = _running(mark)
        assert victims
        for victim in victims:
            victim.kill()
        await until(lambda name=name, mark=mark, old=victims: noticed(session, name, mark, old))
        await session.searches()
        await until(lambda name=name: session.connected(name))
        await session.reads(name)


async def noticed(session: Session, name: str, mark: str, former: list[psutil.Process]) -> bool:
    """Whether the end of its processes is noticed: it is said, or over already and others run in their place."""
    running = _running(mark)
    return await session.down(name) or (bool(running) and not set(running) & set(former))


async def goes_down_and_comes_back(session: Session, url: str, web: tuple[str, ...], world: Path) -> None:
    with pytest.raises(MCPError, match=r"web"):
        await session.client.read_resource("upstream://web/note://never-read-before", cache_mode="refresh")
    await until(lambda: session.down("web"))
    await session.searches()
    back_again = {"note://back": {"name": "back", "mimeType": "text/plain", "text": "Back."}}
    await asyncio.to_thread(offer, world, back_again)
    with http_server(*web, port=urlsplit(url).port or 0):
        await until(lambda: session.connected("web"))

        async def back() -> bool:
            return "upstream://web/note://back" in await session.listed()

        await until(back)
        found = await session.client.read_resource("upstream://web/note://back", cache_mode="refresh")
        assert found.contents[0].model_dump()["text"] == "Back."


async def are_taken_out(
    session: Session, config: Path, web: dict[str, Any], marks: dict[str, str], heard: asyncio.Event
) -> None:
    write_config(config, {"web": web})
    await until(lambda: session.only("web"))
    assert {urlsplit(uri).netloc for uri in await session.listed() if uri.startswith("upstream:")} == {"web"}
    for mark in marks.values():
        await until(lambda mark=mark: ended(mark))
    assert "resources" in await session.tools()
    async with tools_heard(session.client, heard):
        heard.clear()  # whatever was heard before is no answer to what follows
        write_config(config, {})
        async with asyncio.timeout(DEADLINE):
            await heard.wait()
    assert "resources" not in await session.tools()
    await session.searches()


@asynccontextmanager
async def tools_heard(client: Client, heard: asyncio.Event) -> AsyncGenerator[None]:
    """In 2026-07-28, news of the tools must be asked for; before, the message handler hears them anyway."""
    if client.protocol_version < "2026":
        yield
        return
    async with client.listen(tools_list_changed=True) as stream:

        async def follow() -> None:
            async for _ in stream:
                heard.set()

        task = asyncio.create_task(follow())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def ended(mark: str) -> bool:
    return not _running(mark)


async def gone(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _running(mark: str) -> list[psutil.Process]:
    return [one for one in psutil.Process().children(recursive=True) if mark in " ".join(_command(one))]


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []
