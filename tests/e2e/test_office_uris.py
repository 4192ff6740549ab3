"""Every form of URI and every tool of Office documents, through a real client on a real subprocess."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from PIL import Image
from support.clients.harness import docx, indexed, pptx, read_text, subprocess_client, text_of, xlsx
from support.office.docx_files import compound
from support.trials.docx_trial import token as word_token
from support.trials.office_trials import trials
from support.trials.pptx_trial import token as slide_token

DOCUMENTS = 7
needs_libreoffice = pytest.mark.tool("soffice")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trials, whole files of each format, a workbook that calls itself Word, and three that cannot be read."""
    made = tmp_path_factory.mktemp("uris") / "documents"
    made.mkdir()
    for trial in trials():
        (made / trial.name).write_bytes(trial.data)
    (made / "figures.xlsx").write_bytes(xlsx())
    (made / "report.docx").write_bytes(docx())
    (made / "talk.pptx").write_bytes(pptx())
    (made / "mislabelled.docx").write_bytes(xlsx())
    (made / "protected.docx").write_bytes(compound({"EncryptionInfo": b"x", "EncryptedPackage": b"y"}))
    (made / "zip.docx").write_bytes(plain_zip())
    (made / "plan.mpp").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    return made


def plain_zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("readme.txt", "no document")
    return out.getvalue()


async def play(folder: Path, scenario: Any) -> None:
    async with subprocess_client(folder, folder.parent / "data", "auto") as client:
        await indexed(client, DOCUMENTS)
        await scenario(client)


async def data_of(client: Client, uri: str) -> tuple[bytes, str]:
    content = (await client.read_resource(uri)).contents[0]
    assert isinstance(content, types.BlobResourceContents), uri
    return base64.b64decode(content.blob), str(content.mime_type)


async def picture(client: Client, uri: str) -> Image.Image:
    data, media_type = await data_of(client, uri)
    image = Image.open(io.BytesIO(data))
    assert media_type == f"image/{str(image.format).lower()}", uri
    return image


async def refused(client: Client, uri: str) -> str:
    with pytest.raises(MCPError) as caught:
        await client.read_resource(uri)
    return caught.value.message


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    found: dict[str, Any] = answer.structured_content
    return found


async def test_texts(folder: Path) -> None:
    async def scenario(client: Client) -> None:
        assert word_token("paragraph") in await read_text(client, "chapter://word/1")
        assert word_token("localised") in await read_text(client, f"section://word/{word_token('localised')}")
        number = 1 + (await blocks(client, "word")).index(f"Body {word_token('paragraph')} text.")
        assert word_token("paragraph") in await read_text(client, f"paragraph://word/1/{number}")
        for scheme, count in (("chapters://word/1-2", 2), ("slides://slides/1,3", 2), ("sheets://excel/1-3", 3)):
            contents = (await client.read_resource(scheme)).contents
            assert len(contents) == count
            assert len({content.uri for content in contents}) in {1, count}
        for suffix in ("md", "txt", "html"):
            for uri in ("chapter://word/1", "slide://slides/1", "sheet://excel/2", "document://word"):
                assert "Source: " in await read_text(client, f"{uri}.{suffix}")
        assert "in slide" not in await read_text(client, "slide://slides/1")
        area = await read_text(client, "sheet://excel/Data?range=A1:A2")
        assert "zqcolumnqz" in area
        assert "zqislandqz" not in area
        assert (await read_text(client, "sheet://excel/Data.csv?range=A2:B3")) == "zqcategoryqz,7\ntwo,8\n"
        sheet = json.loads(await read_text(client, "sheet://excel/1.json?range=B2:C2"))
        assert [(cell["shown"], cell["value"]) for cell in sheet["cells"]] == [
            ("1,234.50 €", 1234.5), ("3/12/2020", "2020-03-12"),
        ]  # fmt: skip
        for uri, same in (
            ("office://word/chapter/1", "chapter://word/1"),
            ("office://excel/sheet/Data", "sheet://excel/Data"),
        ):
            assert (await read_text(client, uri)).partition("\n\n")[2] == (await read_text(client, same)).partition(
                "\n\n"
            )[2]

    await play(folder, scenario)


async def blocks(client: Client, doc: str) -> list[str]:
    document = json.loads(await read_text(client, f"document://{doc}.json"))
    return [block.get("text", "") for block in document["parts"][0]["blocks"]]


async def test_bytes(folder: Path) -> None:
    async def scenario(client: Client) -> None:
        for uri in ("image://word/0", "image://word/image1.png", "office://word/image/0", "office://word/images/0"):
            assert (await picture(client, uri)).format == "PNG"
        assert max((await picture(client, "chart://figures/0.png?size=320")).size) == 320
        for form in ("jpeg", "webp", "png"):
            assert (await picture(client, f"image://excel/0?format={form}")).format == form.upper()
        assert max((await picture(client, "image://slides/0?size=thumb")).size) <= 256
        data, kind = await data_of(client, "embed://word/0")
        assert (data, kind) == (b"the attached words", "text/plain")
        assert (await data_of(client, f"embed://word/{word_token('attachment')}.txt"))[0] == data
        assert (await data_of(client, "embed://excel/0"))[1] == "application/pdf"
        assert (await data_of(client, "media://slides/0"))[1] == "video/mp4"
        for doc in ("word", "slides"):
            font, kind = await data_of(client, f"font://{doc}/0")
            assert font.startswith(b"\0\1\0\0")
            assert kind == "font/ttf"
        chart = json.loads(await read_text(client, "chart://slides/0"))
        assert chart["title"] == slide_token("charttitle")
        assert chart["axes"]["y"] == slide_token("chartyaxis")
        assert chart["series"][0]["name"] == slide_token("chartseries")
        assert chart["series"][0]["values"] == [0.25, None, 0.5]
        svg, kind = await data_of(client, "chart://slides/0.svg")
        assert kind == "image/svg+xml"
        assert b"<script" not in svg

    await play(folder, scenario)


async def test_unknown_ids_name_what_is_near(folder: Path) -> None:
    async def scenario(client: Client) -> None:
        assert "Data" in await refused(client, "sheet://excel/Dato")
        assert "slides 1-3" in await refused(client, "slide://slides/9")
        assert "image1.png" in await refused(client, "image://word/image7.png")
        assert "0" in await refused(client, "chart://slides/17")
        assert "word" in await refused(client, "document://wort")
        assert "chapter" in await refused(client, "slide://word/1")
        assert "a type such as" in await refused(client, "office://word/nothing/1")

    await play(folder, scenario)


async def test_tools_give_addresses_not_contents(folder: Path) -> None:
    async def scenario(client: Client) -> None:
        found = await call(client, "index_document", file_path=str(folder / "word.docx"))
        assert (found["slug"], found["state"], found["embedded"]["image"]) == ("word", "indexed", 2)
        assert found["uris"]["first_part"] == "chapter://word/1"
        assert "zqparagraphqz" not in json.dumps(found["uris"])
        listed = await call(client, "list_embedded_resources", file_path=str(folder / "slides.pptx"))
        for entry in listed["resources"]:
            assert {"uri", "id", "name", "mime_type"} <= set(entry)
            assert await client.read_resource(entry["uri"])
        assert {entry["type"] for entry in listed["resources"]} == {"image", "chart", "media", "embed", "font"}
        charts = await call(client, "list_embedded_resources", file_path="slides", resource_types="charts")
        assert {entry["type"] for entry in charts["resources"]} == {"chart"}
        answer = await client.call_tool("extract_images", {"file_path": str(folder / "word.docx")})
        assert answer.structured_content["total"] == 2
        assert "base64" not in text_of(answer)
        assert {block.type for block in answer.content} <= {"text", "resource_link"}
        answer = await client.call_tool(
            "get_element_image", {"document_slug": "figures", "element_label": "Chart s1-1"}
        )
        assert [block.type for block in answer.content if block.type == "image"] == ["image"]
        assert "Figure 1: zqfigurecaptionqz" in await read_text(client, "element://word/Figure%201")

    await play(folder, scenario)


async def test_files_that_are_something_else_or_locked_have_a_state(folder: Path) -> None:
    async def scenario(client: Client) -> None:
        listed = await call(client, "list_documents")
        states = {entry["slug"]: (entry["state"], entry["format"]) for entry in listed["documents"]}
        assert states["mislabelled"] == ("indexed", "xlsx")
        assert states["protected"][0] == "encrypted"
        assert "zip" not in states
        refusal = await client.call_tool("index_document", {"file_path": str(folder / "zip.docx")})
        assert refusal.is_error
        assert "zip.docx: No plugin reads this kind of file." in text_of(refusal)
        refusal = await client.call_tool("index_document", {"file_path": str(folder / "plan.mpp")})
        assert (
            "plan.mpp: No plugin reads binary plans of Project; save it from Project as XML, and that is read."
            in text_of(refusal)
        )
        assert "wombat" in await read_text(client, "sheet://mislabelled/Data")

    await play(folder, scenario)


@needs_libreoffice
async def test_slides_pages_and_sheets_are_drawn(folder: Path) -> None:
    async def scenario(client: Client) -> None:
        assert (await picture(client, "slide://talk/2.png")).width > 500
        assert max((await picture(client, "slide://talk/1.png?size=thumb")).size) == 256
        assert (await picture(client, "page://report/1.png")).height > 500
        assert (await picture(client, "page://figures/1.png")).width > 100
        assert "has 1 page when drawn" in await refused(client, "page://report/99.png")
        answer = await client.call_tool("get_page_image", {"document_slug": "report", "page_number": 1})
        assert [block.type for block in answer.content if block.type == "image"] == ["image"]

    await play(folder, scenario)
