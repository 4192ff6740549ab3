"""Documents attached to documents, read as text through real clients of both eras: each format, nested, hostile."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Awaitable, Callable, Generator
from email.message import EmailMessage
from pathlib import Path

import mcp_types as types
import pytest
from contract.containers import compound_file, make_pdf, make_zip
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from PIL import Image
from support.clients.harness import ERAS, docx, picture, pptx, text_of, window_texts, xlsx
from support.clients.opened import Opened, opened, serve

BIG = "\n\n".join(f"# Chapter {n}\n\n" + f"The number {n} and its words. " * 40 for n in range(120))
LOCKED = compound_file({"EncryptionInfo": b"\4\0\4\0", "EncryptedPackage": b"y" * 5000})


def mail(subject: str, files: dict[str, bytes]) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"] = subject, "ann@example.org"
    message.set_content("See what is attached.")
    for name, data in files.items():
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def bomb() -> bytes:
    """A Word file whose text expands more than a thousand times."""
    with zipfile.ZipFile(io.BytesIO(docx())) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    spaces = b"<w:body>" + b" " * (40 * 2**20)
    members["word/document.xml"] = members["word/document.xml"].replace(b"<w:body>", spaces)
    return make_zip(members)


def book_with_a_letter() -> bytes:
    """A workbook with a Word file embedded in it (ECMA-376 part 1, 15.2.11)."""
    made = io.BytesIO(xlsx())
    relation = (
        b'<Relationship Id="rIdX" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/package" '
        b'Target="../embeddings/letter.docx"/></Relationships>'
    )
    with zipfile.ZipFile(made) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    rels = "xl/worksheets/_rels/sheet1.xml.rels"
    members[rels] = members[rels].replace(b"</Relationships>", relation)
    members["xl/embeddings/letter.docx"] = docx()
    return make_zip(members)


FILES = {
    "report.docx": docx(), "figures.xlsx": xlsx(), "talk.pptx": pptx(), "paper.pdf": make_pdf(["Okapis are shy."]),
    "page.html": b"<html><title>P</title><body><h1>Tapirs</h1><p>They swim.</p></body></html>",
    "notes.md": b"# Pangolins\n\nThey *roll* up.\n", "big.md": BIG.encode(),
}  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    made = tmp_path_factory.mktemp("attached")
    files = made / "files"
    files.mkdir()
    (files / "good.eml").write_bytes(mail("Good", FILES))
    bad = {
        "locked.docx": LOCKED, "cut.docx": docx()[:60], "bomb.docx": bomb(), "data.bin": bytes(range(256)) * 8,
        "empty.pdf": b"",
    }  # fmt: skip
    (files / "bad.eml").write_bytes(mail("Bad", bad))
    nested = mail("Level 1", {"report.docx": docx(), "book.xlsx": xlsx()})
    for level in (2, 3, 4):
        nested = mail(f"Level {level}", {"inner.eml": nested})
    (files / "deep.eml").write_bytes(nested)
    (files / "book.xlsx").write_bytes(book_with_a_letter())
    with opened(made) as home:
        yield home


def served(home: Path | Opened, body: Callable[[Client], Awaitable[None]], era: str = "auto") -> None:
    serve(home, body, era)


async def read(client: Client, uri: str) -> str:
    """The text of the resource, which the tool gives too."""
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, types.TextResourceContents), uri
    answer = await client.call_tool("read", {"uri": uri})
    assert not answer.is_error, text_of(answer)
    if "next_offset" not in (answer.structured_content or {}):
        assert text_of(answer) == content.text
    return content.text


async def fails(client: Client, uri: str) -> str:
    """What both the resource and the tool say of it."""
    answer = await client.call_tool("read", {"uri": uri})
    with pytest.raises(MCPError) as caught:
        await client.read_resource(uri)
    assert answer.is_error
    assert text_of(answer) == f"Error: {caught.value.message}"
    return caught.value.message


def test_every_format_is_read_as_what_it_is(home: Opened) -> None:
    async def body(client: Client) -> None:
        listed = (await client.call_tool("list_embedded_resources", {"file_path": "good"})).structured_content or {}
        uris = {one["name"]: one["text_uri"] for one in listed["resources"]}
        assert list(uris) == list(FILES)
        words = {
            "report.docx": "# Wombats", "figures.xlsx": "| 2 | wombat | 26.5 |", "talk.pptx": "- lays eggs",
            "paper.pdf": "Okapis are shy.", "page.html": "# Tapirs", "notes.md": "They *roll* up.",
        }  # fmt: skip
        for name, wanted in words.items():
            text = await read(client, uris[name])
            assert wanted in text, name
            source = text.split("\n", 1)[0]
            assert f"{name}" in source
            assert "attached to good.eml" in source
            assert uris[name] in source
        assert "They roll up." in await read(client, "embed://good/notes.md.txt")
        assert "<em>roll</em>" in await read(client, "embed://good/5.html")
        raw = await client.call_tool("read", {"uri": "embed://good/notes.md"})
        assert text_of(raw) == FILES["notes.md"].decode()
        message = await read(client, "message://good/1")
        outline = text_of(await client.call_tool("get_outline", {"document_slug": "good"}))
        about = await read(client, "document://good")
        info = (await client.call_tool("get_document_info", {"document_slug": "good"})).structured_content or {}
        assert info["uris"]["first_attachment_text"] == uris["report.docx"]
        for name, uri in uris.items():
            assert f"[Attachment: {name}]({uri})" in message
            assert f"- Attachment: {name} {uri}" in outline
            assert f"[{name}]({uri})" in about

    served(home, body)


def test_what_is_inside_an_attachment_is_addressed_below_it(home: Opened) -> None:
    async def body(client: Client) -> None:
        text = await read(client, "embed://good/0.md")
        assert "(embed://good/0/image/0)" in text
        content = (await client.read_resource("embed://good/0/image/0?size=100")).contents[0]
        assert isinstance(content, types.BlobResourceContents)
        assert Image.open(io.BytesIO(base64.b64decode(content.blob))).size == (100, 50)
        answer = await client.call_tool("read", {"uri": "embed://good/0/image/0"})
        assert [block.type for block in answer.content] == ["text", "image"]
        chart = json.loads(await read(client, "embed://good/1/chart/0"))
        assert (chart["title"], chart["categories"]) == ("Weights", ["wombat", "quokka"])
        assert "wombat" in await read(client, "embed://good/1/chart/0.md")
        assert "has no image '7'" in await fails(client, "embed://good/0/image/7")
        assert "nothing lies inside it" in await fails(client, "embed://good/0/image/0/image/1")

    served(home, body)


def test_documents_in_documents_in_documents(home: Opened) -> None:
    async def body(client: Client) -> None:
        uri, texts = "embed://deep/0", list[str]()
        for level in (3, 2, 1):
            text = await read(client, f"{uri}.md")
            assert f"# Level {level}" in text
            texts.append(text)
            uri += "/embed/0"
        assert "](embed://deep/0/embed/0.md)" in texts[0]
        assert f"]({uri})" in texts[2], "what can no longer be read is not said to be readable"
        assert "no more than 3 documents" in await fails(client, f"{uri}.md")
        content = (await client.read_resource(uri)).contents[0]
        assert isinstance(content, types.BlobResourceContents)
        assert base64.b64decode(content.blob).startswith(b"PK")

    served(home, body)


def test_a_letter_inside_a_workbook(home: Opened) -> None:
    async def body(client: Client) -> None:
        listed = (await client.call_tool("list_embedded_resources", {"file_path": "book"})).structured_content or {}
        (uri,) = [one["text_uri"] for one in listed["resources"] if one["type"] == "embed"]
        assert "The quokka smiles." in await read(client, uri)
        asked = {"query": "quokka smiles"}
        found = (await client.call_tool("search_documents", asked)).structured_content or {}
        assert "book" in [name for hit in found["results"] for name in (hit["document_slug"], hit.get("also_in"))]
        asked["document_slug"] = "book"
        within = (await client.call_tool("search_documents", asked)).structured_content or {}
        assert f"{uri}?part=2" in [hit["uri"] for hit in within["results"]]

    served(home, body)


def test_what_cannot_be_read_says_why(home: Opened) -> None:
    async def body(client: Client) -> None:
        listed = (await client.call_tool("list_embedded_resources", {"file_path": "bad"})).structured_content or {}
        ids = {one["name"]: one["id"] for one in listed["resources"]}
        said = {"locked.docx": "password", "cut.docx": "zip", "bomb.docx": "max_ratio", "data.bin": "No plugin",
                "empty.pdf": "empty.pdf, attached to bad.eml, cannot be read"}  # fmt: skip
        for name, why in said.items():
            sentence = await fails(client, f"embed://bad/{ids[name]}.md")
            assert why in sentence, name
            assert sentence.endswith(f"embed://bad/{ids[name]} gives its bytes as they are.")
        assert not [one for one in listed["resources"] if one["name"] == "data.bin" and "text_uri" in one]
        content = (await client.read_resource(f"embed://bad/{ids['bomb.docx']}")).contents[0]
        assert isinstance(content, types.BlobResourceContents)
        for uri, why in (("embed://bad/77.md", "has no attachment"), ("embed://nobody/0.md", "nobody"),
                         ("embed://good/6.md?part=900", "120 parts"), ("embed://good/6.md?from=900", "beyond"),
                         ("embed://good/6.md?part=x", "not a part"),
                         ("embed://good/0/image/0.md", "no .md")):  # fmt: skip
            assert why in await fails(client, uri), uri

    served(home, body)


def test_a_long_attachment_comes_in_windows_and_parts(home: Opened) -> None:
    async def body(client: Client) -> None:
        uri = "embed://good/6.md"
        whole = await read(client, uri)
        pieces, offset = list[str](), 0
        while offset is not None:
            answer = await client.call_tool("read", {"uri": uri, "start_offset": offset})
            found = answer.structured_content or {}
            pieces += window_texts(answer)
            offset = found.get("next_offset")
        assert "".join(pieces) == whole
        assert len(pieces) > 1
        answer = await client.call_tool("read_embedded", {"uri": uri})
        structured = answer.structured_content or {}
        first = structured["outline"][0]
        assert (first["uri"], first["title"]) == (f"{uri}?part=1", "Chapter 0")
        assert "get_outline(document_slug='embed://good/6')" in text_of(answer) or "omitted" not in structured
        part = await read(client, f"{uri}?part=7")
        assert "# Chapter 6" in part
        assert "Chapter 7" not in part
        assert "chapter 7 of 120" in part
        rest = await read(client, f"{uri}?from=119")
        assert "# Chapter 118" in rest
        assert "# Chapter 119" in rest
        assert "# Chapter 117" not in rest
        outline = (await client.call_tool("get_outline", {"document_slug": "embed://good/6"})).structured_content or {}
        assert len(outline["entries"]) == 120 or outline["next_start"] == len(outline["entries"])
        assert outline["entries"][6]["uri"] == f"{uri}?part=7"
        assert outline["entries"][6]["tokens"] > 200
        assert outline["tokens"] > 120 * 200
        bytes_too = await client.call_tool("read_embedded", {"uri": "embed://good/0"})
        assert "embed://good/0.md reads it as text" in text_of(bytes_too)
        assert (bytes_too.structured_content or {})["text_uri"] == "embed://good/0.md"
        as_bytes = await client.call_tool("read", {"uri": "embed://good/report.docx"})
        assert "embed://good/0.md reads it as text" in text_of(as_bytes)

    served(home, body)


def test_a_new_version_is_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "files" / "mail.eml"
    file.parent.mkdir()
    file.write_bytes(mail("One", {"a.md": b"# First\n"}))

    async def first(client: Client) -> None:
        assert "# First" in await read(client, "embed://mail/0.md")

    async def second(client: Client) -> None:
        assert "# Second" in await read(client, "embed://mail/0.md")

    served(tmp_path, first)
    file.write_bytes(mail("Two", {"a.md": b"# Second\n"}))
    served(tmp_path, second)


@pytest.mark.parametrize("era", ERAS)
def test_completions_and_templates_say_it(home: Opened, era: str) -> None:
    async def body(client: Client) -> None:
        templates = {one.uri_template: one for one in (await client.list_resource_templates()).resource_templates}
        assert ".md" in (templates["embed://{doc}/{id}"].description or "")
        ref = types.ResourceTemplateReference(uri="embed://{doc}/{id}")
        found = await client.complete(ref, {"name": "id", "value": "0"}, context_arguments={"doc": "good"})
        assert found.completion.values == ["0", "0.md"]
        named = await client.complete(ref, {"name": "id", "value": "data"}, context_arguments={"doc": "bad"})
        assert named.completion.values == ["data.bin"]
        office = types.ResourceTemplateReference(uri="office://{doc}/{type}/{id}")
        found = await client.complete(
            office, {"name": "id", "value": "1"}, context_arguments={"doc": "good", "type": "embed"}
        )
        assert found.completion.values[:2] == ["1", "1.md"]
        assert "Wombats" in await read(client, "office://good/embed/0.md")

    served(home, body, era)


def test_a_picture_that_is_attached_is_still_a_picture(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "mail.eml").write_bytes(mail("Picture", {"p.png": picture()}))

    async def body(client: Client) -> None:
        listed = (await client.call_tool("list_embedded_resources", {"file_path": "mail"})).structured_content or {}
        assert [(one["type"], "text_uri" in one) for one in listed["resources"]] == [("image", False)]

    served(tmp_path, body)


def test_a_chart_s_workbook_is_no_line_of_the_outline(tmp_path: Path) -> None:
    import pptx as library
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    deck = library.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    data = CategoryChartData()
    data.categories = ["wombat", "quokka"]
    data.add_series("Weight", (26.5, 3.2))
    slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED,
        Inches(1),
        Inches(1),
        Inches(5),
        Inches(4),
        data,  # pyright: ignore[reportArgumentType] - its stubs know no CategoryChartData
    )
    (tmp_path / "files").mkdir()
    deck.save(str(tmp_path / "files" / "deck.pptx"))

    async def body(client: Client) -> None:
        outline = (await client.call_tool("get_outline", {"document_slug": "deck"})).structured_content or {}
        assert [entry["uri"] for entry in outline["entries"]] == ["slide://deck/1"]
        listed = (await client.call_tool("list_embedded_resources", {"file_path": "deck"})).structured_content or {}
        (uri,) = [one["text_uri"] for one in listed["resources"] if one["type"] == "embed"]
        assert "| 2 | wombat | 26.5 |" in await read(client, uri)
        found = (await client.call_tool("search_documents", {"query": "wombat"})).structured_content or {}
        assert not [hit for hit in found["results"] if hit["uri"].startswith("embed:")]

    served(tmp_path, body)


def test_what_is_attached_is_found_where_it_stands(home: Opened) -> None:
    async def body(client: Client) -> None:
        found = (await client.call_tool("search_documents", {"query": "okapis"})).structured_content or {}
        (hit,) = found["results"]
        assert (hit["document_slug"], hit["uri"]) == ("good", "embed://good/3.md?part=1")
        assert "paper.pdf" in hit["title"]
        assert "**Okapis** are shy" in hit["snippet"]
        assert "Okapis are shy." in await read(client, hit["uri"])
        slide = (await client.call_tool("search_documents", {"query": "termites"})).structured_content or {}
        assert [one["uri"] for one in slide["results"]] == ["embed://good/2.md?part=2"]
        answer = await client.call_tool("grep", {"pattern": "ok.pis", "ignore_case": True})
        (block,) = answer.content
        assert isinstance(block, types.TextContent)
        assert block.text.split("\n")[2:] == ["embed://good/3.md?part=1: Okapis are shy."]
        # Of what cannot be read nothing is found, and the message around it is as ever.
        bad = await client.call_tool("search_documents", {"query": "attached", "document_slug": "bad"})
        assert [one["uri"] for one in (bad.structured_content or {})["results"]] == ["message://bad/1"]
        states = (await client.call_tool("list_documents", {})).structured_content or {}
        assert {one["state"] for one in states["documents"]} == {"indexed"}

    served(home, body)


def test_more_than_can_be_searched_is_said(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    files = {f"n{n:02}.txt": f"word{n:02} stands here".encode() for n in range(20)}
    (tmp_path / "files" / "many.eml").write_bytes(mail("Many", files))

    async def body(client: Client) -> None:
        for number in (0, 15):
            found = (await client.call_tool("search_documents", {"query": f"word{number:02}"})).structured_content or {}
            assert [one["uri"] for one in found["results"]] == [f"embed://many/{number}.md?part=1"]
        info = (await client.call_tool("get_document_info", {"document_slug": "many"})).structured_content or {}
        (notice,) = [one for one in info["notices"] if one["code"] == "left_out"]
        assert "n16.txt, n17.txt, n18.txt, n19.txt" in notice["message"]

    served(tmp_path, body)


def test_documents_in_an_archive_are_found_and_read(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    inner = make_zip({"deep.txt": b"A quokka far below."})
    members = {"2024/report.docx": docx(), "letters/paper.pdf": make_pdf(["Okapis are shy."]), "more.zip": inner}
    (tmp_path / "files" / "backup.zip").write_bytes(make_zip(members))

    async def body(client: Client) -> None:
        found = (await client.call_tool("search_documents", {"query": "okapis"})).structured_content or {}
        (hit,) = found["results"]
        assert (hit["document_slug"], hit["uri"]) == ("paper", "page://paper/1")
        assert "Okapis are shy." in await read(client, hit["uri"])
        assert "# Wombats" in await read(client, "embed://backup/0.md")
        assert "letters/paper.pdf" in await read(client, "document://backup.md")
        # An archive in an archive is a step further on the way.
        below = (await client.call_tool("search_documents", {"query": "quokka below"})).structured_content or {}
        assert below["results"][0]["uri"] == "chapter://deep/1"
        assert "A quokka far below." in await read(client, "embed://backup/2/embed/0.md")

    served(tmp_path, body)
