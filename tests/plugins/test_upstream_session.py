"""Several upstreams at once through a real sidecar and a real client, in each era: listed, read, killed, restarted,
taken out of the configuration.

With `DOCSIDECAR_TEST_NPM` naming a directory into which npm installed @modelcontextprotocol/server-everything and
server-filesystem, these are among them; without it, servers of ours stand in for them.
"""

from __future__ import annotations

import asyncio
import json
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
from support.upstream_support import DEADLINE, HERE, QUICK, http_server, stdio, until, write_config

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


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_upstreams_killed_restarted_and_taken_out(tmp_path: Path, era: str) -> None:
    folder, config = tmp_path / "documents", tmp_path / "config.toml"
    folder.mkdir()
    (folder / "notes.md").write_text("# Capybaras\n\nThe capybara rests by the river.\n")
    web_world = tmp_path / "web.json"
    web = (str(HERE / "upstream_server.py"), "http", "good", str(web_world))
    local, marks = local_servers(tmp_path)
    flood = stdio("flood", tmp_path / "flood.json")
    marks["flood"] = str(tmp_path / "flood.json")
    bare = "files" if "DOCSIDECAR_TEST_NPM" in os.environ else ""  # the filesystem server has tools only

    async def scenario(url: str, process: Any) -> None:
        tables = {**local, "web": {"url": url, **QUICK}, "flood": flood}
        write_config(config, tables)
        arguments = ["-m", "sidecar.cli.main", "serve", "--folder", str(folder), "--data-dir", str(tmp_path / "data")]
        parameters = StdioServerParameters(
            command=sys.executable, args=[*arguments, "--config", str(config)], env=dict(os.environ)
        )
        heard = asyncio.Event()

        async def hear(message: Any) -> None:
            if isinstance(message, types.ToolListChangedNotification):
                heard.set()

        async with Client(parameters, mode=era, message_handler=hear) as client:

            async def state(name: str) -> dict[str, Any]:
                answer = await client.call_tool("get_library_status", {})
                return answer.structured_content["upstream"][name]

            async def connected(name: str) -> bool:
                found = await state(name)
                return found["state"] == "connected" and (found["resources"] > 0 or name == bare)

            async def down(name: str) -> bool:
                return (await state(name))["state"] in {"down", "connecting"}

            async def listed() -> dict[str, Any]:
                found: dict[str, Any] = {}
                cursor: str | None = None
                while True:
                    page = await client.list_resources(cursor=cursor, cache_mode="refresh")
                    found |= {entry.uri: entry for entry in page.resources}
                    cursor = page.next_cursor
                    if cursor is None:
                        return found

            async def reads(name: str) -> None:
                uris = [uri for uri in await listed() if uri.startswith(f"upstream://{name}/")]
                assert bool(uris) is (name != bare)
                for uri in uris[:3]:
                    found = await client.read_resource(uri, cache_mode="refresh")
                    assert found.contents
                    assert all(content.uri.startswith(uri) for content in found.contents)

            async def searches() -> None:
                answer = await client.call_tool("search_documents", {"query": "capybara"})
                assert [hit["document_slug"] for hit in answer.structured_content["results"]] == ["notes"]

            await listed()  # nothing is connected before it is asked for
            for name in tables:
                await until(lambda name=name: connected(name))
                await reads(name)
            entry = (await listed())["upstream://web/note://told"]
            assert entry.meta == {"server": "web"}

            async def indexed() -> bool:
                answer = await client.call_tool("get_library_status", {})
                return answer.structured_content["indexed"] == 1

            await until(indexed)
            await searches()

            for name, mark in marks.items():
                victims = _running(mark)
                assert victims
                for victim in victims:
                    victim.kill()
                await until(lambda name=name: down(name))
                await searches()
                await until(lambda name=name: connected(name))
                await reads(name)

            process.kill()
            process.wait()
            with pytest.raises(MCPError, match=r"web"):
                await client.read_resource("upstream://web/note://never-read-before", cache_mode="refresh")
            await until(lambda: down("web"))
            await searches()
            web_world.write_text(
                json.dumps({"note://back": {"name": "back", "mimeType": "text/plain", "text": "Back."}})
            )
            with http_server(*web, port=urlsplit(url).port or 0):
                await until(lambda: connected("web"))

                async def back() -> bool:
                    return "upstream://web/note://back" in await listed()

                await until(back)
                found = await client.read_resource("upstream://web/note://back", cache_mode="refresh")
                assert found.contents[0].model_dump()["text"] == "Back."

            async def named() -> set[str]:
                return {tool.name for tool in (await client.list_tools(cache_mode="refresh")).tools}

            async def only(*names: str) -> bool:
                answer = await client.call_tool("get_library_status", {})
                return set(answer.structured_content.get("upstream", {})) == set(names)

            write_config(config, {"web": tables["web"]})
            await until(lambda: only("web"))
            assert {urlsplit(uri).netloc for uri in await listed() if uri.startswith("upstream:")} == {"web"}
            for mark in marks.values():
                await until(lambda mark=mark: ended(mark))
            assert "resources" in await named()
            async with tools_heard(client, heard):
                write_config(config, {})
                async with asyncio.timeout(DEADLINE):
                    await heard.wait()
            assert "resources" not in await named()
            await searches()
            sidecar_process = psutil.Process().children(recursive=True)
        for one in sidecar_process:
            await until(lambda one=one: gone(one))

    async def bounded(url: str, process: Any) -> None:
        async with asyncio.timeout(DEADLINE * 3):
            await scenario(url, process)

    with warnings.catch_warnings(), http_server(*web) as (url, process):
        warnings.simplefilter("ignore", ResourceWarning)
        asyncio.run(bounded(url, process))


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
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def _running(mark: str) -> list[psutil.Process]:
    return [one for one in psutil.Process().children(recursive=True) if mark in " ".join(_command(one))]


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []
