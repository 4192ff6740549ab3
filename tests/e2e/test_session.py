"""A whole session with a real client on a real subprocess, in each protocol era: what the README promises."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import mcp_types as types
import pytest
from support.clients.harness import (
    ERAS,
    Heard,
    fill,
    hearing,
    indexed,
    read_text,
    subprocess_client,
    text_of,
    until,
    uris_in,
)


@pytest.mark.parametrize("era", ERAS)
async def test_list_read_search_edit_notice_reread(tmp_path: Path, era: str) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)

    heard = Heard()
    async with subprocess_client(folder, data, era, heard, as_users_do=True) as client:
        assert client.server_info is not None
        assert client.server_info.name == "docsidecar"
        assert client.server_capabilities.resources is not None
        assert client.server_capabilities.resources.list_changed
        assert client.server_capabilities.resources.subscribe
        await indexed(client, 5)

        listed = {entry.uri: entry for entry in (await client.list_resources()).resources}
        notes = listed["document://notes"]
        assert (notes.name, notes.mime_type, notes.size) == (
            "notes.md", "text/markdown", (folder / "notes.md").stat().st_size,
        )  # fmt: skip
        assert notes.description
        assert notes.annotations is not None
        assert notes.annotations.last_modified

        outline = await read_text(client, "document://notes")
        assert uris_in(outline)
        for uri in uris_in(outline):
            assert await read_text(client, uri)
        assert "rests by the river" in await read_text(client, "chapter://notes/1")

        found = await client.call_tool("search_documents", {"query": "capybara river"})
        hit = found.structured_content["results"][0]
        assert hit["document_slug"] == "notes"
        assert "river" in await read_text(client, hit["uri"])

        async with hearing(client, heard, "document://notes", "chapter://notes/1"):
            (folder / "notes.md").write_text("# Capybaras\n\nThe capybara swims in the lagoon.\n")
            told = ""
            while "lagoon" not in told:  # the first may still be of the file's being added
                await heard.wait("chapter://notes/1")
                await heard.wait("document://notes")
                heard.forget()
                told = await read_text(client, "chapter://notes/1")
            found = await client.call_tool("search_documents", {"query": "lagoon"})
            assert [hit["document_slug"] for hit in found.structured_content["results"]] == ["notes"]

            heard.forget()
            (folder / "new.txt").write_text("A pangolin curls up.")
            await heard.wait("list")
            listed = {entry.uri for entry in (await client.list_resources()).resources}
            assert "document://new" in listed

            heard.forget()
            (folder / "new.txt").unlink()
            await heard.wait("list")
            listed = {entry.uri for entry in (await client.list_resources()).resources}
            assert "document://new" not in listed


@pytest.mark.parametrize("era", ERAS)
async def test_every_format_and_every_kind_of_part(tmp_path: Path, era: str) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)

    async with subprocess_client(folder, data, era, as_users_do=True) as client:
        await indexed(client, 5)
        assert "digs burrows" in await read_text(client, "chapter://report/1")
        assert "smiles" in await read_text(client, "section://report/quokkas")
        assert "| 2 | wombat | 26.5 |" in await read_text(client, "sheet://figures/Data")
        assert "=SUM(B2:B3)" in await read_text(client, "sheet://figures/Data.json?range=B4:B4")
        assert "wombat,26.5" in await read_text(client, "sheet://figures/1.csv")
        assert "echidna" in await read_text(client, "sheet://figures/Second sheet")
        slide = await read_text(client, "slide://talk/2")
        assert "eats termites" in slide
        assert "Say something about the Numbat." in slide
        several = await client.read_resource("slides://talk/2,1")
        assert [content.uri for content in several.contents] == ["slide://talk/2", "slide://talk/1"]
        image = (await client.read_resource("image://report/0?size=thumb&format=webp")).contents[0]
        assert isinstance(image, types.BlobResourceContents)
        assert image.mime_type == "image/webp"
        chart = await read_text(client, "chart://figures/0")
        assert '"Weights"' in chart
        drawn = (await client.read_resource("chart://figures/0.svg")).contents[0]
        assert drawn.mime_type == "image/svg+xml"
        html = await read_text(client, "chapter://report/1.html")
        assert html.startswith("<!DOCTYPE html>")
        assert "<p>The wombat digs burrows.</p>" in html


async def test_answers_say_how_far_indexing_is(tmp_path: Path) -> None:
    folder, data, config = tmp_path / "documents", tmp_path / "data", tmp_path / "no-config.toml"
    folder.mkdir()
    numbers = itertools.count()

    def write() -> None:
        number = next(numbers)
        (folder / f"note{number}.md").write_text(f"# Note {number}\n\nWord{number} and more.\n")

    for _ in range(3):
        write()
    config.write_text("[index]\nsettle_seconds = 60\n")  # none of them comes to rest soon

    async with subprocess_client(folder, data, "legacy") as client:

        async def remark() -> str:
            answer = await client.call_tool("list_documents_paginated", {"page_size": 1})
            return answer.structured_content.get("remark", "")

        async def told() -> bool:
            said = await remark()
            if not said:  # on a machine that comes to them later they had come to rest
                write()
            counted = re.fullmatch(r"Indexed (\d+) of (\d+) documents so far\.", said)
            return counted is not None and int(counted[1]) < int(counted[2]) >= 3

        await until(told)
        config.write_text("[index]\nsettle_seconds = 0.05\n")
        await indexed(client, next(numbers))
        assert not await remark()


@pytest.mark.parametrize("era", ERAS)
async def test_it_serves_without_a_folder_and_says_how_to_add_one(tmp_path: Path, era: str) -> None:
    import sys

    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters
    from support.clients.harness import environment

    arguments = ["-m", "sidecar.cli.main", "--data-dir", str(tmp_path / "data")]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment(tmp_path / "data"))
    async with Client(server, mode=era) as client:
        answer = await client.call_tool("get_library_status", {})
        assert "docsidecar add" in text_of(answer)
        listed = [entry.uri for entry in (await client.list_resources()).resources]
        assert listed == ["skill://docsidecar/SKILL.md", "tour://library"]
