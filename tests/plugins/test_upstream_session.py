"""Three upstreams at once through a real sidecar and a real client, in each era: listed, read, killed, restarted.

With `DOCSIDECAR_TEST_NPM` naming a directory into which npm installed @modelcontextprotocol/server-everything, that
is one of the three; without it, a server of ours stands in for it.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from upstream_support import DEADLINE, HERE, QUICK, http_server, stdio, until

_NPM = Path(os.environ.get("DOCSIDECAR_TEST_NPM", "")) / "node_modules/@modelcontextprotocol/server-everything"


def first_server(world: Path) -> tuple[dict[str, Any], str]:
    """The table of the stdio server, and a piece of its command line that no other process has."""
    script = _NPM / "dist/index.js"
    if "DOCSIDECAR_TEST_NPM" not in os.environ:
        return stdio("good", world), str(world)
    if not script.exists() or not shutil.which("node"):
        pytest.skip(f"DOCSIDECAR_TEST_NPM is set, but there is no {script} or no node")
    return {"command": "node", "args": [str(script)], **QUICK}, str(script)


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_three_upstreams_killed_and_restarted(tmp_path: Path, era: str) -> None:
    folder, world, config = tmp_path / "documents", tmp_path / "first.json", tmp_path / "config.toml"
    folder.mkdir()
    (folder / "notes.md").write_text("# Capybaras\n\nThe capybara rests by the river.\n")
    web_world = tmp_path / "web.json"
    web = (str(HERE / "upstream_server.py"), "http", "good", str(web_world))
    first, mark = first_server(world)
    flood = stdio("flood", tmp_path / "flood.json")

    async def scenario(url: str, process: Any) -> None:
        tables = {"first": first, "web": {"url": url, **QUICK}, "flood": flood}
        config.write_text(
            "".join(
                f"[upstream.{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())
                for name, table in tables.items()
            )
        )
        arguments = ["-m", "sidecar.cli.main", "serve", "--folder", str(folder), "--data-dir", str(tmp_path / "data")]
        parameters = StdioServerParameters(
            command=sys.executable, args=[*arguments, "--config", str(config)], env=dict(os.environ)
        )
        async with Client(parameters, mode=era) as client:

            async def state(name: str) -> dict[str, Any]:
                answer = await client.call_tool("get_library_status", {})
                return answer.structured_content["upstream"][name]

            async def connected(name: str) -> bool:
                found = await state(name)
                return found["state"] == "connected" and found["resources"] > 0

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
                assert uris
                for uri in uris[:3]:
                    found = await client.read_resource(uri, cache_mode="refresh")
                    assert found.contents
                    assert all(content.uri.startswith(uri) for content in found.contents)

            async def searches() -> None:
                answer = await client.call_tool("search_documents", {"query": "capybara"})
                assert [hit["document_slug"] for hit in answer.structured_content["results"]] == ["notes"]

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

            for name, piece in (("first", mark), ("flood", str(tmp_path / "flood.json"))):
                victims = [one for one in psutil.Process().children(recursive=True) if piece in " ".join(_command(one))]
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

    async def bounded(url: str, process: Any) -> None:
        async with asyncio.timeout(DEADLINE * 3):
            await scenario(url, process)

    with warnings.catch_warnings(), http_server(*web) as (url, process):
        warnings.simplefilter("ignore", ResourceWarning)
        asyncio.run(bounded(url, process))


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []
