"""Answers within their budget, at several budgets: what is cut goes on where it stopped, and says each thing once."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import mcp_types as types
import pytest
from mcp.client.client import Client
from PIL import Image
from support.clients.harness import fill, picture, text_of, window_texts
from support.clients.opened import Opened, opened

from sidecar.toolkit.answers.tokens import estimate_tokens
from sidecar.toolkit.pictures import picture_tokens

BUDGETS = (700, 1000, 3000)
LONG = "An extraordinarily long heading about 氷河 and moraines, which goes on and on for the sake of the test "
Asking = Callable[..., Awaitable[types.CallToolResult]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    """The folder and its index, asked by each test with its own budget."""
    made = tmp_path_factory.mktemp("continuations")
    fill_more(made)
    with opened(made) as home:
        yield home


def fill_more(home: Path) -> None:
    """Documents that no small answer holds: many files, many sections, matches, pictures, a wide and long table."""
    import docx

    files = home / "files"
    fill(files)
    for n in range(40):
        (files / f"report number {n:02} of the year 東京 with quite a name.md").write_text(
            f"# Glacier report {n}\n\nIce.\n"
        )
    sections = "".join(f"## {LONG}{n}\n\nThe glacier moves, glacier {n} too.\n\n" for n in range(60))
    (files / "deep.md").write_text(f"# Deep\n\n{sections}")
    (files / "lines.txt").write_text("".join(f"line {n} of the text\n" for n in range(400)))
    rows = "".join(f"| row {n} | {n * 7} | {'wide ' * 12}|\n" for n in range(120))
    (files / "table.md").write_text(
        f"# Numbers\n\n| name | value | note |\n| --- | --- | --- |\n{rows}\n\n$$E = mc^2$$\n"
    )
    links = "".join(f"| https://example.org/a/long/way/to/{n} | {n} |\n" for n in range(200))
    (files / "links.md").write_text(f"# Links\n\n| https://example.org | n |\n| --- | --- |\n{links}")
    (files / "long.md").write_text("# Long\n\n" + "Moraines lie where the ice has left them, year by year.\n\n" * 900)
    (files / "linked.md").write_text("# Linked\n\n![A wombat](https://example.org/wombat.png)\n")
    document = docx.Document()
    document.core_properties.comments = "A long remark of the author. " * 8
    document.core_properties.keywords = "ice, snow, " * 20
    for n in range(30):
        document.add_picture(io.BytesIO(picture(200 + n, 100)))
    out = io.BytesIO()
    document.save(out)
    (files / "pictures.docx").write_bytes(out.getvalue())


def served(home: Opened, body: Callable[[Asking, Client], Awaitable[None]], budget: int, era: str = "legacy") -> None:
    """Run `body` with a way to ask that holds every answer to the budget."""

    async def asking(client: Client) -> None:
        async def ask(tool: str, **given: Any) -> types.CallToolResult:
            answer = await client.call_tool(tool, given)
            estimated, wired = costs(answer)
            assert estimated <= budget, (tool, given, estimated)
            assert wired <= budget, (tool, given, wired)
            return answer

        await body(ask, client)

    home.play(asking, era, budget)


def costs(answer: types.CallToolResult) -> tuple[int, int]:
    """As estimated from all text, and as the bytes of the whole message over 4; pictures at what they cost to see."""
    record = answer.model_dump(by_alias=True, exclude_none=True, mode="json")
    seen = 0
    for block in record["content"]:
        if block["type"] == "image":
            seen += picture_tokens(block.pop("data"))
    texts = [block["text"] for block in record["content"] if "text" in block]
    texts += [block["resource"].get("text", "") for block in record["content"] if "resource" in block]
    structured = json.dumps(record.get("structuredContent", ""), ensure_ascii=False, separators=(",", ":"))
    whole = json.dumps({"jsonrpc": "2.0", "id": 1000, "result": record}, ensure_ascii=False, separators=(",", ":"))
    return sum(map(estimate_tokens, [*texts, structured])) + seen, len(whole.encode()) // 4 + seen


def check_outline(text: str, found: dict[str, Any]) -> None:
    """The lines of an outline say what its records say, and no more."""
    head, *lines = text.split("\n")
    assert all(str(found[key]) in head for key in ("title", "document_slug", "doc_id"))
    assert f"{found['tokens']:,}" in head
    if "remark" in found:
        assert lines.pop() == found["remark"]
    if "next_start" in found:
        assert f"{found['total']:,}; start={found['next_start']} " in lines.pop()
    for line, entry in zip(lines, found["entries"], strict=True):
        assert line == f"{'  ' * entry['level']}- {entry['title']} {entry['uri']} {entry['tokens']}"


async def followed(ask: Asking, tool: str, key: str, **given: Any) -> list[Any]:
    """All entries, `next_start` followed to the end."""
    entries: list[Any] = []
    start = 0
    while True:
        answer = await ask(tool, **given, **({"start": start} if start else {}))
        assert not answer.is_error, text_of(answer)
        found = answer.structured_content or {}
        if tool == "get_outline":
            check_outline(text_of(answer), found)
        else:
            said = text_of(answer)
            assert all(entry.get("uri", entry.get("slug")) in said for entry in found[key]), "both halves say the same"
            assert f"start={found['next_start']}" in said if "next_start" in found else "start=" not in said
        entries += found[key]
        if "next_start" not in found:
            return entries
        assert found["next_start"] == len(entries) > start
        start = found["next_start"]


@pytest.mark.parametrize("budget", BUDGETS)
def test_lists_go_on_where_they_stopped(home: Opened, budget: int) -> None:
    async def body(ask: Asking, client: Client) -> None:
        everything = {
            unquote(one.uri) for one in (await client.list_resources()).resources if one.uri.startswith("document://")
        }
        paged: list[str] = []
        page = 1
        while True:
            entries = await followed(ask, "list_documents_paginated", "documents", page=page, page_size=30)
            paged += [f"document://{one['slug']}" for one in entries]
            if len(entries) < 30:
                break
            page += 1
        assert len(paged) == len(set(paged)) == len(everything)
        assert set(paged) == everything
        first = (await ask("list_documents")).structured_content or {}
        assert [f"document://{one['slug']}" for one in first["documents"]] == paged[: len(first["documents"])]
        outline = await followed(ask, "get_outline", "entries", document_slug="deep")
        assert len({entry["uri"] for entry in outline}) == len(outline)
        parts = [entry["uri"] for entry in outline if entry["level"] == 0]
        assert parts == [f"chapter://deep/{n}" for n in range(1, 61)]
        images = await followed(ask, "extract_images", "resources", file_path="pictures")
        assert [image["id"] for image in images] == list(range(30))
        for tool, key in (("search_documents", "results"), ("find_document", "documents")):
            hits = await followed(ask, tool, key, query="glacier report", limit=50)
            names = [(hit.get("uri") or hit["slug"]) for hit in hits]
            assert len(names) == len(set(names)) > 20

    served(home, body, budget)


@pytest.mark.parametrize("budget", BUDGETS)
def test_windows_make_up_the_whole(home: Opened, budget: int) -> None:
    async def body(ask: Asking, client: Client) -> None:
        for uri in ("document://deep.md", "document://deep.html", "document://deep", "chapter://table/1.txt",
                    "document://lines.json", "document://pictures", "sheet://figures/1.json"):  # fmt: skip
            text, offset = "", 0
            while True:
                answer = await ask("read", uri=uri, start_offset=offset)
                found = answer.structured_content or {}
                (piece,) = window_texts(answer)
                assert piece
                text += piece
                if "next_offset" not in found:
                    break
                offset = found["next_offset"]
            (whole,) = (await client.read_resource(uri)).contents
            assert isinstance(whole, types.TextResourceContents)
            assert text == whole.text

    served(home, body, budget)


@pytest.mark.parametrize("budget", BUDGETS)
def test_matches_come_once_and_so_do_the_lines_around_them(home: Opened, budget: int) -> None:
    async def body(ask: Asking, client: Client) -> None:
        shown: list[str] = []
        start = 0
        while True:
            answer = await ask("grep", pattern="line 2", document_slug="lines", limit=500, context=3, start=start)
            found = answer.structured_content or {}
            lines = [line.rpartition(": ")[2].strip() for line in text_of(answer).split("\n")[2:]]
            assert len(lines) == len(set(lines)), "no line twice in one answer"
            shown += [line for line in lines if "line 2" in line]
            if "next_start" not in found:
                break
            assert found["next_start"] == start + found["matches"]
            start = found["next_start"]
        wanted = [f"line {n} of the text" for n in range(400) if str(n).startswith("2")]
        assert [line for line in dict.fromkeys(shown) if line in wanted] == wanted
        twice = await ask("grep", pattern="glacier", document_slug="deep", limit=2)
        assert (twice.structured_content or {})["matches"] == 2
        assert text_of(twice).count("\n") == 2, "one summary, the file, and one line for both matches in it"

    served(home, body, budget)


@pytest.mark.parametrize("budget", BUDGETS)
def test_everything_else_fits_too_and_says_where_the_rest_is(home: Opened, budget: int) -> None:
    async def body(ask: Asking, client: Client) -> None:
        info = (await ask("get_document_info", document_slug="pictures")).structured_content or {}
        assert info["uris"]["outline"] == "document://pictures"
        if budget < 1500:
            assert "document://pictures.json" in info["remark"]
        details = (
            await ask("get_element_details", document_slug="table", element_label="Table c1-1")
        ).structured_content
        assert details is not None
        assert ("element://table/Table%20c1-1" in details.get("remark", "")) == details["text"].endswith("…")
        links = (await ask("get_element_details", document_slug="links", element_label="Table c1-1")).structured_content
        assert links is not None
        assert links["text"].startswith("https://example.org"), "a text that begins with an address is a text"
        if budget < 1500:
            large = await ask("read_embedded", uri="document://deep.md")
            assert "read(uri) gives it in windows" in text_of(large)
            outline = (large.structured_content or {})["outline"]
            assert all(entry["uri"] in text_of(large) for entry in outline)
        await ask("get_library_status")
        await ask("search_documents", query="glacier " * 500, limit=50)
        await ask("search_visual_elements", query="numbers", limit=50)

    served(home, body, budget)


@pytest.mark.parametrize("budget", BUDGETS)
def test_pictures_shrink_to_what_is_left(home: Opened, budget: int) -> None:
    async def body(ask: Asking, client: Client) -> None:
        sizes: list[int] = []
        for tool, given in (
            ("get_element_image", {"document_slug": "table", "element_label": "Table c1-1"}),
            ("get_element_image", {"document_slug": "figures", "element_label": "Chart s1-1"}),
            ("read", {"uri": "image://report/0"}),
            ("read_embedded", {"uri": "image://report/0"}),
        ):
            answer = await ask(tool, **given)
            assert not answer.is_error, text_of(answer)
            shown = [block.data for block in answer.content if isinstance(block, types.ImageContent)]
            shown += [str(block.resource.blob) for block in answer.content
                      if isinstance(block, types.EmbeddedResource)
                      and isinstance(block.resource, types.BlobResourceContents)]  # fmt: skip
            (data,) = shown
            sizes.append(max(Image.open(io.BytesIO(base64.b64decode(data))).size))
        assert min(sizes) >= 256
        if budget == 3000:
            assert sizes[2:] == [600, 600], "with room there is no need to shrink"

    served(home, body, budget)


def test_tables_and_equations_of_files_without_pages_are_drawn(home: Opened) -> None:
    async def body(ask: Asking, client: Client) -> None:
        for label in ("Table c1-1", "Equation c1-1"):
            answer = await ask("get_element_image", document_slug="table", element_label=label)
            (shown,) = [block for block in answer.content if isinstance(block, types.ImageContent)]
            image = Image.open(io.BytesIO(base64.b64decode(shown.data))).convert("L")
            assert image.tobytes().count(0) + sum(image.histogram()[:80]) > 50, "ink"
            assert "Drawn from its text" in text_of(answer)
            assert (answer.structured_content or {})["picture"].endswith(".png")
            again = await client.read_resource((answer.structured_content or {})["picture"])
            assert isinstance(again.contents[0], types.BlobResourceContents)
        linked = await ask("get_element_image", document_slug="linked", element_label="Figure c1-1")
        assert "not in linked.md, only a link to it; its text is at element://linked/Figure%20c1-1" in text_of(linked)
        assert (linked.structured_content or {})["remark"] in text_of(linked)
        page = await ask("get_page_image", document_slug="table", page_number=1)
        assert page.is_error
        assert "has no pages that could be shown as pictures; read chapter://table/1 instead" in text_of(page)

    served(home, body, 8000)


def test_start_beyond_the_end_is_said(home: Opened) -> None:
    async def body(ask: Asking, client: Client) -> None:
        for tool, given in (
            ("search_documents", {"query": "ice"}),
            ("find_document", {"query": "report"}),
            ("get_outline", {"document_slug": "deep"}),
            ("extract_images", {"file_path": "pictures"}),
            ("grep", {"pattern": "ice"}),
            ("list_documents_paginated", {}),
        ):
            answer = await ask(tool, **given, start=5000)
            assert answer.is_error, tool
            assert "start=5000 is beyond the end; there are" in text_of(answer)

    served(home, body, 8000)


@pytest.mark.parametrize("name", ["claude-code", "goose", "github-copilot-developer", "something-new"])
def test_default_answers_are_small_whatever_the_client_gives_its_model(home: Opened, name: str) -> None:
    """A search in 700 tokens, an outline in 2,000, a document in a list in 40; a window of `read` nearly full."""

    async def body(client: Client) -> None:
        found = await client.call_tool("search_documents", {"query": "the capybara, the wombat or a narwhal"})
        assert seen(found, name, schema=True) <= 700
        assert len((found.structured_content or {})["results"]) >= 3
        outline = await client.call_tool("get_outline", {"document_slug": "deep"})
        assert seen(outline, name, schema=False) <= 2000
        said = text_of(outline)
        whole = said.count("://deep/") >= 62
        assert whole or ("start=" in said and "document_slug='chapter://deep/1'" in said), "how to open more"
        opened = await client.call_tool("get_outline", {"document_slug": "chapter://deep/2"})
        assert "chapter://deep/2" in text_of(opened)
        assert "chapter://deep/3" not in text_of(opened)
        listed = await client.call_tool("list_documents", {})
        lines = [line for line in text_of(listed).split("\n") if line.startswith("- ")]
        assert sum(map(estimate_tokens, lines)) <= 40 * len(lines) > 0
        window = await client.call_tool("read", {"uri": "document://long.md"})
        assert seen(window, name, schema=False) <= 8000
        assert len(text_of(window)) / 4 >= 7000

    home.play(body, client_info=types.Implementation(name=name, version="1"))


def seen(answer: types.CallToolResult, name: str, *, schema: bool) -> int:
    """The tokens that client's model is given."""
    data = (
        estimate_tokens(json.dumps(answer.structured_content, ensure_ascii=False)) if answer.structured_content else 0
    )
    text = sum(estimate_tokens(block.text) for block in answer.content if isinstance(block, types.TextContent))
    match name:
        case "goose":
            return text
        case "claude-code":
            assert schema == bool(data), "what has no schema comes as text"
            return data or text
        case _:
            return data + text


def test_lists_are_narrowed_by_folder_type_and_state(home: Opened) -> None:
    async def body(ask: Asking, client: Client) -> None:
        async def slugs(**given: Any) -> set[str]:
            found = (await ask("list_documents", **given)).structured_content or {}
            return {one["slug"] for one in found["documents"]}

        assert await slugs(type="docx") == {"pictures", "report"}
        assert await slugs(type="docx", state="damaged") == set()
        for folder, hint in (("nowhere", "."), ("fiels", "; did you mean files?")):
            said = text_of(await ask("list_documents", folder=folder))
            assert said == f"Error: No document lies in a folder called {folder!r}{hint}"
            said = text_of(await ask("search_documents", query="budget", folder=folder))
            assert f"No document lies in a folder called {folder!r}{hint}" in said
            assert "lies in a folder" in text_of(await ask("search_documents", query=f"folder:{folder}"))
        for shown in ({}, {"files_only": True}):
            said = text_of(await ask("grep", pattern=".", path="nowhere/at", **shown))
            assert said.startswith("No match. No document has 'nowhere/at' in its path.")
        missing = await ask("read", uri="sheet://figures/1?rnge=A1:B2")
        assert text_of(missing) == "Error: ?rnge= is not understood; did you mean ?range=?"
        mistyped = await ask("grep", patern="x")
        assert text_of(mistyped) == "Error: grep has no argument 'patern'; did you mean pattern?"
        assert await slugs(folder="files", type="excel") == {"figures"}
        wrong = await ask("list_documents", state="damagd")
        assert wrong.is_error
        assert "did you mean state:damaged?" in text_of(wrong)

    served(home, body, 3000)
