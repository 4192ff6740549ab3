"""Small promises, each seen by a real client: words for kinds, links to online documents, prompts, bytes, errors."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from support.clients.harness import ERAS, Raw, docx, fill, in_process, text_of

DISCOVER = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}


@pytest.mark.parametrize("params", [None, {}, {"_meta": {}}, {"_meta": 1}])
def test_discovery_without_a_version_is_invalid_params(tmp_path: Path, params: dict[str, Any] | None) -> None:
    fill(tmp_path / "docs")
    with Raw(tmp_path / "docs", tmp_path / "data") as raw:
        raw.send(DISCOVER if params is None else DISCOVER | {"params": params})
        answer = raw.answer()
        assert (answer["id"], answer["error"]["code"]) == (1, types.INVALID_PARAMS)
        assert "io.modelcontextprotocol/protocolVersion" in answer["error"]["message"]
        assert raw.initialize()["result"]["serverInfo"]["name"] == "docsidecar", "and the connection goes on"


@pytest.mark.parametrize("era", ERAS)
async def test_small_promises_hold(tmp_path: Path, era: str) -> None:
    folder = tmp_path / "docs"
    fill(folder)
    (folder / "Plan.gdoc").write_text(json.dumps({"url": "https://docs.google.com/document/d/x", "doc_id": "x"}))
    (folder / "short.txt").write_text("A short text.")
    data = bytes(range(256)) * 400
    (folder / "mail.eml").write_bytes(
        b"From: a@b\nSubject: Bytes\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n"
        b"Content-Type: text/plain\n\nSee.\n--x\nContent-Type: application/octet-stream\n"
        b"Content-Disposition: attachment; filename=data.bin\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(data)
        + b"\n--x--\n"
    )

    async def main() -> None:
        async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server, mode=era) as client:
            await words_for_kinds(client)
            await links_to_online_documents(client)
            await bytes_in_windows(client, data)
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            for name in ("list_embedded_resources", "extract_images"):
                hints = tools[name].annotations
                assert hints is not None
                assert hints.read_only_hint
            wrong = text_of(await client.call_tool("read", {"uri": "note://x", "server": "nope"}))
            assert "There is no server 'nope'" in wrong

    await main()


async def words_for_kinds(client: Client) -> None:
    for word in ("image", "images", "Pictures", "photo", "image, chart", "all", ["images", "chart"]):
        found = await client.call_tool("list_embedded_resources", {"file_path": "report", "resource_types": word})
        listed = (found.structured_content or {})["resources"]
        assert [one["type"] for one in listed] == ["image"], word
        content = (await client.read_resource(listed[0]["uri"])).contents[0]
        assert content.mime_type == listed[0]["mime_type"], "what is listed is what is read"
    for word in ("chart", "charts", "media", "video", "embed", "embeddings", "attachments", "font", "fonts"):
        found = await client.call_tool("list_embedded_resources", {"file_path": "report", "resource_types": word})
        assert (found.structured_content or {})["resources"] == [], word
    wrong = await client.call_tool("list_embedded_resources", {"file_path": "report", "resource_types": "imagse"})
    assert "did you mean image" in text_of(wrong)


async def links_to_online_documents(client: Client) -> None:
    found = (await client.call_tool("list_documents", {"state": "placeholder"})).structured_content or {}
    (plan,) = found["documents"]
    assert (plan["slug"], plan["state"]) == ("plan", "placeholder")
    assert "kept online" in plan["reason"]
    short = (await client.call_tool("get_document_info", {"document_slug": "short"})).structured_content or {}
    assert short["description"] == "A short text."


async def bytes_in_windows(client: Client, data: bytes) -> None:
    uri, offset, got = "embed://mail/0", 0, b""
    while offset is not None:
        answer = await client.call_tool("read", {"uri": uri, "start_offset": offset, "max_bytes": 30_000})
        found = answer.structured_content or {}
        (part,) = found["parts"]
        piece = base64.b64decode(part["blob"])
        assert 0 < len(piece) == part["bytes_returned"] <= 30_000
        assert part["total_bytes"] == len(data)
        got += piece
        offset = found.get("next_offset")
    assert got == data
    picture = await client.call_tool("read", {"uri": "image://report/0", "max_bytes": 8})
    assert base64.b64decode((picture.structured_content or {})["parts"][0]["blob"]) == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("era", ERAS)
async def test_what_cannot_be_had_here_is_a_sentence_and_no_fault(tmp_path: Path, era: str) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.docx").write_bytes(docx())
    (folder / "gone.md").write_text("# Gone\n\n![A picture](https://example.org/a.png)\n")

    async def main() -> None:
        async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server, mode=era) as client:
            (folder / "a.docx").unlink()  # as with a program that is missing, there is nothing to draw from
            with pytest.raises(MCPError) as refused:
                await client.read_resource("image://a/0")
            assert refused.value.error.code == -32000
            assert str(refused.value).endswith(".")
            page = await client.call_tool("get_page_image", {"document_slug": "a", "page_number": 1})
            assert page.is_error
            assert text_of(page).endswith("Its text is at document://a.md."), "what to do instead"

    await main()


def slides() -> bytes:
    """A chart and a table on slides."""
    import io

    import pptx
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    deck = pptx.Presentation()
    data: Any = CategoryChartData()
    data.categories = ["North", "South"]
    data.add_series("Sales", (3, 7))
    frame = (Inches(1), Inches(1), Inches(6), Inches(4))
    deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *frame, data)
    table = deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_table(2, 2, *frame).table
    for at, text in enumerate(("Name", "Count", "Wombats", "12")):
        table.cell(at // 2, at % 2).text = text
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


@pytest.mark.parametrize("era", ERAS)
async def test_every_element_of_slides_has_its_picture_on_any_machine(
    tmp_path: Path, era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the data of a chart and the cells of a table, where no program draws the slide."""
    monkeypatch.setenv("PATH", str(tmp_path))
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "deck.pptx").write_bytes(slides())

    async def main() -> None:
        async with (
            in_process(folder, tmp_path / "data") as (application, server, _),
            Client(server, mode=era) as client,
        ):
            elements = await application.library.elements("deck")
            assert {element.type for element in elements} == {"chart", "table"}
            for element in elements:
                asked = {"document_slug": "deck", "element_label": element.label}
                answer = await client.call_tool("get_element_image", asked)
                assert [block for block in answer.content if block.type == "image"], text_of(answer)
            for said in ({"element_label": "Chart 1-1"}, {"element_label": "chart", "page_number": 1}):
                answer = await client.call_tool("get_element_details", {"document_slug": "deck", **said})
                assert "chart://deck/0" in text_of(answer), "the label it was given need not be known"

    await main()
