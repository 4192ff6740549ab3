"""Rendering as a client sees it, in both protocol eras: tools, resources, notifications, cache, limits."""

from __future__ import annotations

import asyncio
import base64
import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import mcp_types as types
import pypdfium2
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from PIL import Image
from support.clients.harness import ERAS, Heard, fill, hearing
from support.clients.rendering import blobs, failure, pages_of, pdf_text, play, render

from sidecar.app import Application
from sidecar.toolkit.answers.tokens import estimate_tokens

REPORT = """---
title: The Yearly Report
author: [Ann Writer, Bob Other]
date: 2026-01-31
---

# First finding

Text with a note[^a] and `code`.

[^a]: The note's words.

| Animal | Count |
| ------ | ----: |
| quokka |    12 |

# Second finding

- [x] done
"""


@pytest.mark.parametrize("era", ERAS)
def test_a_document_becomes_a_listed_pdf(tmp_path: Path, era: str) -> None:
    heard = Heard()

    async def scenario(client: Client, application: Application) -> None:
        async with hearing(client, heard):
            answer = await render(client, REPORT)
            await heard.wait("list")
        (artifact,) = answer["artifacts"]
        assert answer["warnings"] == []
        assert artifact["format"] == "PDF"
        assert artifact["mime_type"] == "application/pdf"
        assert artifact["pages"] == 1
        assert re.fullmatch(r"render://[0-9a-f]{16}", artifact["resource_uri"])
        (page,) = await pdf_text(client, answer)
        for words in ("The Yearly Report", "Ann Writer, Bob Other", "2026-01-31", "First finding", "quokka", "12",
                      "The note's words.", "1 / 1"):  # fmt: skip
            assert words in page
        listed = {entry.uri: entry for entry in (await client.list_resources()).resources}
        entry = listed[artifact["resource_uri"]]
        assert (entry.name, entry.title) == ("the-yearly-report.pdf", "The Yearly Report")
        assert entry.mime_type == "application/pdf"
        assert entry.size == artifact["size_bytes"] == len((await blobs(client, entry.uri))[0])
        assert entry.meta is not None
        assert entry.meta["quill"] == "default@1.0.0"
        assert entry.annotations is not None
        assert entry.annotations.last_modified == entry.meta["rendered"]
        templates = {one.uri_template for one in (await client.list_resource_templates()).resource_templates}
        assert {"render://{id}", "render://{id}/{page}"} <= templates

    play(tmp_path, scenario, era, heard)


def test_answers_carry_no_bytes_unless_asked(tmp_path: Path) -> None:
    async def scenario(client: Client, application: Application) -> None:
        answer = await client.call_tool("render_document", {"markdown": REPORT, "output_format": "PNG"})
        assert [block.type for block in answer.content] == ["text", "resource_link"]
        assert estimate_tokens(answer.model_dump_json()) < 600
        answer = await client.call_tool("render_document", {"markdown": REPORT, "output_format": "PNG", "inline": True})
        shown = [block for block in answer.content if isinstance(block, types.ImageContent)]
        assert len(shown) == 1
        assert base64.b64decode(shown[0].data).startswith(b"\x89PNG")
        answer = await client.call_tool("render_document", {"markdown": REPORT, "inline": True})
        assert not any(isinstance(block, types.EmbeddedResource) for block in answer.content)
        assert "budget" in answer.structured_content["remark"]

    play(tmp_path, scenario)


def test_small_bytes_fit_inline(tmp_path: Path) -> None:
    async def scenario(client: Client, application: Application) -> None:
        answer = await client.call_tool("render_document", {"markdown": "Hello.", "inline": True})
        embedded = [block.resource for block in answer.content if isinstance(block, types.EmbeddedResource)]
        assert isinstance(embedded[0], types.BlobResourceContents)
        assert "Hello." in pages_of(base64.b64decode(embedded[0].blob))[0]
        assert "remark" not in answer.structured_content

    play(tmp_path, scenario, budget_tokens=60_000)


@pytest.mark.parametrize("form", ["PNG", "SVG"])
def test_pictures_come_page_by_page(tmp_path: Path, form: str) -> None:
    markdown = "Page one.\n\n\\newpage\n\nPage two.\n\n\\newpage\n\nPage three.\n"

    async def scenario(client: Client, application: Application) -> None:
        (artifact,) = (await render(client, markdown, form))["artifacts"]
        assert artifact["pages"] == 3
        uri = artifact["resource_uri"]
        items = (await client.read_resource(uri)).contents
        assert [item.uri for item in items] == [f"{uri}/1", f"{uri}/2", f"{uri}/3"]
        pages = await blobs(client, uri)
        assert (await blobs(client, f"{uri}/2")) == [pages[1]]
        assert len(set(pages)) == 3
        assert sum(map(len, pages)) == artifact["size_bytes"]
        for page in pages:
            if form == "SVG":
                root = ET.fromstring(page)  # noqa: S314 - we made it
                assert root.tag == "{http://www.w3.org/2000/svg}svg"
                assert [round(float(side)) for side in str(root.get("viewBox")).split()] == [
                    0,
                    0,
                    595,
                    842,
                ]  # A4 in points
            else:
                (tmp_path / "page.png").write_bytes(page)
                with Image.open(tmp_path / "page.png") as image:
                    assert image.size == (1191, 1684)  # A4 at 144 pixels an inch
        with pytest.raises(MCPError, match="pages 1 to 3"):
            await client.read_resource(f"{uri}/4")

    play(tmp_path, scenario)


def test_unknown_artifacts_are_not_found(tmp_path: Path) -> None:
    async def scenario(client: Client, application: Application) -> None:
        for uri in ("render://0123456789abcdef", "render://", "render://../x", "render://0123456789abcdef/1/2"):
            with pytest.raises(MCPError, match=r"render"):
                await client.read_resource(uri)

    play(tmp_path, scenario)


def test_the_same_is_rendered_once_even_when_asked_twice_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    async def scenario(client: Client, application: Application) -> None:
        original = application.workers.run

        async def counting(target: str, *args: Any, **more: Any) -> Any:
            ran.append(target)
            return await original(target, *args, **more)

        monkeypatch.setattr(application.workers, "run", counting)
        answers = await asyncio.gather(*(render(client, REPORT) for _ in range(4)))
        answers.append(await render(client, REPORT))
        assert len({answer["artifacts"][0]["resource_uri"] for answer in answers}) == 1
        assert ran.count("sidecar_render.worker:render") == 1
        others = [await render(client, REPORT, "PNG"), await render(client, REPORT + "More.")]
        assert len({answer["artifacts"][0]["resource_uri"] for answer in [*answers, *others]}) == 3
        assert ran.count("sidecar_render.worker:render") == 3

    play(tmp_path, scenario)


async def test_the_engine_is_never_loaded_where_clients_are_served(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from sidecar.app import open_application\n"
        "from sidecar.config import Config\n"
        "async def main():\n"
        f"    async with open_application(Config(data_dir=Path({str(tmp_path / 'data')!r}))) as application:\n"
        "        tool = application.features.tools['render_document']\n"
        "        from sidecar.api import Call\n"
        "        await tool.handler(Call(application.services), tool.arguments(markdown='# Hello'))\n"
        "asyncio.run(main())\n"
        "heavy = {'quillmark', 'markdown_it', 'yaml', 'pypdfium2', 'PIL'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)\n"
    )

    async def run() -> tuple[int | None, bytes]:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stderr=asyncio.subprocess.PIPE)
        _, errors = await process.communicate()
        return process.returncode, errors

    status, errors = await run()
    assert status == 0, errors.decode()


def test_artifacts_outlive_a_restart_and_go_least_recently_used_first(tmp_path: Path) -> None:
    uris: list[str] = []

    async def kept(client: Client) -> set[str]:
        return {entry.uri for entry in (await client.list_resources()).resources if entry.uri.startswith("render:")}

    async def first(client: Client, application: Application) -> None:
        uris.extend([(await render(client, text))["artifacts"][0]["resource_uri"] for text in ("one", "two", "three")])
        await client.read_resource(uris[0])
        uris.append((await render(client, "four"))["artifacts"][0]["resource_uri"])
        assert await kept(client) == {uris[0], uris[2], uris[3]}
        with pytest.raises(MCPError, match="render the document again"):
            await client.read_resource(uris[1])

    async def second(client: Client, application: Application) -> None:
        assert await kept(client) == {uris[0], uris[2], uris[3]}
        assert "four" in pages_of((await blobs(client, uris[3]))[0])[0]
        answer = await client.call_tool("clear_render_cache", {"older_than": 3600})
        assert answer.structured_content == {"removed": 0, "kept": 3}
        heard_before = await kept(client)
        answer = await client.call_tool("clear_render_cache", {})
        assert answer.structured_content == {"removed": len(heard_before), "kept": 0}
        assert await kept(client) == set()

    async def third(client: Client, application: Application) -> None:
        assert await kept(client) == set()
        await render(client, "one")

    play(tmp_path, first, max_entries=3)
    play(tmp_path, second, max_entries=3)
    play(tmp_path, third, max_age_days=1e-9)


def test_the_cache_is_bounded_in_bytes(tmp_path: Path) -> None:
    async def scenario(client: Client, application: Application) -> None:
        texts = ("one", "two", "three", "four")
        sizes = [(await render(client, text))["artifacts"][0]["size_bytes"] for text in texts]
        status = (await client.call_tool("get_library_status", {})).structured_content
        assert status["rendered"]["bytes"] <= 12_000 < sum(sizes)
        text, _ = await failure(client, "word\n\n\\newpage\n\n" * 12, output_format="PNG")
        assert "MB are kept" in text

    play(tmp_path, scenario, max_bytes=12_000)


def test_pictures_of_the_library_are_drawn_by_uri(tmp_path: Path) -> None:
    fill(tmp_path / "documents")
    markdown = (
        "![The burrow](image://report/0)\n\n![Weights](chart://figures/0)\n\n"
        "![Fig](<element://report/Figure 1.png>)\n\n"
        "![gone](image://report/9)\n\n![web](https://example.com/x.png)\n\n![beside](x.png)\n\n[text](page://report/1)\n"
    )

    async def scenario(client: Client, application: Application) -> None:
        answer = await render(client, markdown)
        told = {warning["line"]: warning["message"] for warning in answer["warnings"]}
        assert set(told) == {7, 9, 11}
        assert "cannot be had" in told[7]
        assert "not fetched" in told[9]
        assert "not part of the library" in told[11]
        data = (await blobs(client, answer["artifacts"][0]["resource_uri"]))[0]
        document = pypdfium2.PdfDocument(data)
        images = [item for page in document for item in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])]
        assert len(images) == 3
        document.close()
        assert "The burrow" in (await pdf_text(client, answer))[0]
        # A changed picture in the library is another rendering, the same one is not.
        again = await render(client, markdown)
        assert again["artifacts"] == answer["artifacts"]
        Image.new("RGB", (40, 40), "green").save(tmp_path / "new.png")
        _swap_picture(tmp_path / "documents" / "report.docx", (tmp_path / "new.png").read_bytes())
        await application.indexer.scan_once()
        changed = await render(client, markdown)
        assert changed["artifacts"][0]["resource_uri"] != answer["artifacts"][0]["resource_uri"]

    play(tmp_path, scenario)


def _swap_picture(path: Path, data: bytes) -> None:
    import io

    import docx

    document = docx.Document()
    document.add_heading("Wombats", 1)
    document.add_picture(io.BytesIO(data))
    document.add_paragraph("Figure 1. A wombat burrow", style="Caption")
    document.save(str(path))


def test_hints_say_what_a_tool_may_do(tmp_path: Path) -> None:
    async def scenario(client: Client, application: Application) -> None:
        hints = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
        clear, make = hints["clear_render_cache"], hints["render_document"]
        assert clear is not None
        assert make is not None
        assert (clear.destructive_hint, make.destructive_hint) == (True, False)
        for name in ("read", "read_embedded"):  # they read other servers' resources too
            annotations = hints[name]
            assert annotations is not None
            assert annotations.open_world_hint is True

    play(tmp_path, scenario)
