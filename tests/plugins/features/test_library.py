"""The library's tools as clients of both eras call them: what they answer, and what they say to what makes no sense."""

from __future__ import annotations

import asyncio
import base64
import io
import re
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client
from PIL import Image
from support.clients.harness import ERAS, fill, in_process, picture, text_of

from sidecar.app import Application
from sidecar.toolkit.answers.tokens import estimate_tokens

TWICE = "The same paragraph about glaciers stands in two files, word for word, as it does where people keep copies."


def documents(files: Path) -> None:
    fill(files)
    (files / "long.md").write_text(
        "# Long\n\n"
        + "".join(f"## Chapter {n} on moraines\n\n### {'Very long heading ' * 8}{n}\n\nIce {n}.\n\n" for n in range(9))
    )
    (files / "one.md").write_text(f"# One\n\n{TWICE}\n")
    (files / "two.md").write_text(f"# Two\n\n{TWICE} Indeed.\n")
    (files / "other.md").write_text("# Other\n\nGlaciers move slowly, says this text of its own words entirely.\n")
    (files / "broken.docx").write_bytes(b"PK\x03\x04 no archive")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same place for all tests that change nothing of it: the first one fills and indexes it."""
    return tmp_path_factory.mktemp("library")


async def served(
    place: Path, body: Callable[[Client, Application], Awaitable[None]], era: str = "legacy", **settings: Any
) -> None:
    """Run `body` with a client of that era on an index of the folder, and with the indexer running."""

    async def main() -> None:
        if not (place / "data").exists():
            documents(place / "files")
        async with in_process(place / "files", place / "data", **settings) as (application, server, _):
            indexing = asyncio.create_task(application.indexer.run())
            try:
                async with Client(server, mode=era) as client:
                    await body(client, application)
            finally:
                indexing.cancel()
                await asyncio.gather(indexing, return_exceptions=True)

    await main()


async def ask(client: Client, tool: str, **arguments: Any) -> Any:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, text_of(answer)
    return answer.structured_content


@pytest.mark.parametrize("era", ERAS)
async def test_every_hit_leads_on(library: Path, era: str) -> None:
    """What a hit's snippet marks is in what its URI reads, and its slug is good for the next call."""

    async def body(client: Client, _: Application) -> None:
        seen: set[str] = set()
        for query in ("capybara", "wombat burrows", "quokka", "platypus eggs", "numbat", "echidna", "narwhal 7"):
            found = await ask(client, "search_documents", query=query)
            assert found["results"], query
            for hit in found["results"]:
                marked = re.findall(r"\*\*(.+?)\*\*", hit["snippet"])
                assert marked or query.partition(" ")[0].lower() in hit["title"].lower(), hit
                text = text_of(await client.call_tool("read", {"uri": hit["uri"]}))
                assert all(word in text for word in marked), hit
                info = await ask(client, "get_document_info", document_slug=hit["document_slug"])
                assert info["doc_id"] == hit["doc_id"]
                seen.add(hit["uri"].partition(":")[0])
        assert seen >= {"section", "sheet", "slide"}

    await served(library, body, era)


async def test_titles_say_the_way_once_and_briefly(library: Path) -> None:
    async def body(client: Client, _: Application) -> None:
        notes = (await ask(client, "search_documents", query="reeds"))["results"][0]
        assert notes["title"].split(" › ") == ["notes", "Capybaras", "Food"]
        for hit in (await ask(client, "search_documents", query="ice moraines"))["results"]:
            steps = hit["title"].split(" › ")
            assert len(steps) == len(set(steps))
            assert len(hit["title"]) <= 240

    await served(library, body)


async def test_copies_of_a_text_come_last_and_no_document_fills_the_answer(library: Path) -> None:
    async def body(client: Client, _: Application) -> None:
        hits = (await ask(client, "search_documents", query="glaciers two files paragraph"))["results"]
        slugs = [hit["document_slug"] for hit in hits]
        assert set(slugs) == {"one", "two", "other"}
        assert slugs[1] == "other", "the copy is below what has words of its own"
        scores = [hit["score"] for hit in hits]
        assert scores == sorted(scores, reverse=True)

    await served(library, body)


async def test_words_that_stand_nowhere_are_named(library: Path) -> None:
    async def body(client: Client, _: Application) -> None:
        found = await ask(client, "search_documents", query="capybara zeppelin")
        assert [hit["document_slug"] for hit in found["results"]]
        assert found["remark"].startswith("Nowhere in the texts: zeppelin.")
        assert not any("weak" in hit for hit in found["results"])
        less = await ask(client, "search_documents", query="capybara zeppelin hangar")
        assert all(hit["weak"] for hit in less["results"]), "they hold less of it than stands nowhere"
        more = await ask(client, "search_documents", query="wombat burrows zeppelin")
        assert "weak" not in more["results"][0]
        nothing = await ask(client, "search_documents", query="zeppelin")
        assert nothing["results"] == []
        assert nothing["remark"].startswith("Nowhere in the texts: zeppelin.")

    await served(library, body)


async def test_elements_are_found_described_and_shown(library: Path) -> None:
    async def body(client: Client, _: Application) -> None:
        found = await ask(client, "search_visual_elements", query="wombat burrow", element_type="figure")
        hit = found["results"][0]
        assert (hit["document_slug"], hit["element_label"]) == ("report", "Figure 1")
        assert "A wombat burrow" in hit["caption"]
        which = {"document_slug": hit["document_slug"], "element_label": hit["element_label"]}
        details = await ask(client, "get_element_details", **which)
        assert details["part_uri"] == "chapter://report/1"
        assert (await client.read_resource(details["embedded"])).contents, "the picture's own bytes"
        answer = await client.call_tool("get_element_image", which)
        assert "A wombat burrow" in text_of(answer)
        (image,) = [block for block in answer.content if isinstance(block, types.ImageContent)]
        shown = Image.open(io.BytesIO(base64.b64decode(image.data)))
        assert shown.size == (600, 300)
        assert shown.convert("RGB").getpixel((300, 150)) == (0, 0, 255)
        again = await client.call_tool("get_element_image", which | {"element_label": "FIGURE  1"})
        assert not again.is_error, "case and spaces do not matter"

    await served(library, body)


@pytest.mark.parametrize("era", ERAS)
async def test_documents_are_listed_found_and_described(library: Path, era: str) -> None:
    async def body(client: Client, application: Application) -> None:
        listed = await ask(client, "list_documents")
        assert listed["total"] == len(listed["documents"]) == 10
        fields = {"slug", "doc_id", "title", "path", "format", "parts", "modified", "state"}
        assert all(fields <= document.keys() for document in listed["documents"])
        (broken,) = [one for one in listed["documents"] if one["slug"] == "broken"]
        assert (broken["state"], bool(broken["reason"])) == ("damaged", True)
        described = await ask(client, "get_document_info", document_slug="broken")  # the client holds it to its schema
        assert (described["state"], described["doc_id"], "tokens" in described) == ("damaged", "", False)
        paged: list[str] = []
        for page in (1, 2, 3):
            answer = await ask(client, "list_documents_paginated", page=page, page_size=4)
            assert (answer["pages"], answer["total"]) == (3, 10)
            paged += [one["slug"] for one in answer["documents"]]
        assert sorted(paged) == sorted(one["slug"] for one in listed["documents"])
        assert (await ask(client, "find_document", query="reprot"))["documents"][0]["slug"] == "report"
        info = await ask(client, "get_document_info", document_slug="figures")
        assert info["embedded"] == {"chart": 1}
        assert (await client.read_resource(info["uris"]["first_chart"])).contents
        status = await ask(client, "get_library_status")
        assert (status["total"], status["states"]) == (10, {"indexed": 9, "damaged": 1})
        assert status["embedded"]["total"] > 0

    await served(library, body, era)


async def test_every_count_of_the_status_is_that_of_the_list_with_this_state(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "note.md").write_text("# Note\n\nA text.\n")
    (folder / "empty.txt").write_text("")
    (folder / "scan.png").write_bytes(picture())
    (folder / "broken.docx").write_bytes(b"no zip")
    (folder / "raw.bin").write_bytes(bytes(range(256)) * 8)
    (folder / "plan.gdoc").write_text('{"url": "https://docs.google.com/document/d/1"}')
    (folder / "id_rsa").write_text("secret")
    with zipfile.ZipFile(folder / "bundle.zip", "w") as packed:
        packed.writestr("in/bad.docx", b"no zip")
        packed.writestr("in/empty.txt", "")

    async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server, mode="auto") as client:
        status = await ask(client, "get_library_status")
        kinds = {"indexed", "damaged", "placeholder", "secret", "unsupported"}
        assert (status["states"].keys(), status["not_documents"], status["without_text"]) == (kinds, 1, 3)
        for state, count in (*status["states"].items(), ("failed", status["unreadable_total"]), ("without_text", 3)):
            listed = await ask(client, "list_documents", state=state)
            assert listed["total"] == len(listed["documents"]) == count, state
            paged = await ask(client, "list_documents_paginated", state=state, page_size=100)
            assert paged["total"] == count, state
        assert (await ask(client, "list_documents"))["total"] == status["total"]
        failed = (await ask(client, "list_documents", state="failed"))["documents"]
        assert {one["path"] for one in failed} == {one["path"] for one in status["unreadable"]}
        refused = await client.call_tool("list_documents", {"state": "pending"})
        assert "get_library_status counts it" in text_of(refused)


async def test_embedded_content_is_listed_by_uri_and_a_file_is_indexed_on_request(tmp_path: Path) -> None:
    async def body(client: Client, _: Application) -> None:
        (image,) = (await ask(client, "extract_images", file_path="report"))["resources"]
        assert (image["width"], image["height"], image["mime_type"]) == (600, 300, "image/png")
        assert (await client.read_resource(image["uri"])).contents
        kinds = {
            one["type"] for one in (await ask(client, "list_embedded_resources", file_path="figures"))["resources"]
        }
        assert kinds == {"chart"}
        new = tmp_path / "files" / "new.md"
        new.write_text("# Fresh\n\nAn axolotl regrows.\n")
        info = await ask(client, "index_document", file_path=str(new))
        assert (info["slug"], info["parts"]) == ("new", 1)
        assert "axolotl" not in str(info), "indexing does not show the text"
        for tool in ("index_document", "extract_images"):
            answer = await ask(client, tool, file_path="files/new.md")
            assert answer.get("slug", answer.get("document_slug")) == "new", "no path from the working directory"
        shown = await client.call_tool("read", {"uri": new.as_uri()})
        assert "document://new" in text_of(shown)
        assert (await ask(client, "search_documents", query="axolotl"))["results"][0]["document_slug"] == "new"

    await served(tmp_path, body)


async def test_the_tour_fits_on_a_page(library: Path) -> None:
    async def body(client: Client, _: Application) -> None:
        content = (await client.read_resource("tour://library")).contents[0]
        assert isinstance(content, types.TextResourceContents)
        assert estimate_tokens(content.text) < 600
        assert "10 documents" in content.text
        tools = {tool.name for tool in (await client.list_tools()).tools}
        named = set(re.findall(r"`([a-z_]+)\(", content.text))
        assert named
        assert named <= tools

    await served(library, body)


async def test_an_element_is_told_by_whole_words_around_it_or_by_its_own(tmp_path: Path) -> None:
    words = [f"glacier{number}melt" for number in range(100)]
    files = tmp_path / "files"
    files.mkdir()
    (files / "bare.csv.md").write_text("| region | tariff |\n|---|---|\n| North | 12 |\n| South | 9 |\n")
    (files / "between.md").write_text(
        f"{' '.join(words)}\n\n| altitude | snowfall |\n|---|---|\n| 900 | 12 |\n\n{' '.join(words)}\n"
    )
    (tmp_path / "data").mkdir()

    async def body(client: Client, _: Application) -> None:
        (found,) = (await ask(client, "search_visual_elements", query="tariff region"))["results"]
        assert found["text"] == "region | tariff; North | 12; South | 9"
        answer = await client.call_tool("search_visual_elements", {"query": "tariff region"})
        assert "region | tariff; North | 12" in text_of(answer)
        found = (await ask(client, "search_visual_elements", query="altitude snowfall"))["results"][0]
        around = found["context"].rstrip("…").split()
        assert len(around) > 20
        assert set(around) <= set(words)
        assert "text" not in found

    await served(tmp_path, body)


async def test_what_makes_no_sense_is_answered_in_a_sentence(tmp_path: Path) -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("search_documents", {"query": "x", "limit": 0}, "limit should be greater than or equal to 1; 0 was given"),
        ("search_documents", {"query": "x", "limit": 51}, "limit should be less than or equal to 50; 51 was given"),
        ("search_documents", {"query": "x", "limit": -1}, "limit should be greater than"),
        ("search_visual_elements", {"query": "x", "limit": 51}, "limit should be less than"),
        ("search_visual_elements", {"query": "x", "element_type": "photo"}, "'photo' was given"),
        ("search_documents", {"query": " \n"}, "query is empty"),
        ("search_documents", {}, "needs the argument query"),
        ("search_documents", {"query": "x", "slug": "notes"}, "no argument 'slug'; did you mean document_slug?"),
        ("search_documents", {"query": "x", "document_slug": "nots"}, "did you mean notes"),
        ("get_document_info", {"document_slug": "nots"}, "did you mean notes"),
        ("list_embedded_resources", {"file_path": "nots"}, "did you mean notes"),
        ("get_page_image", {"document_slug": "talk", "page_number": 0}, "page_number (1-based) should be greater than"),
        ("get_page_image", {"document_slug": "talk", "page_number": 3}, "talk has 2 slides; there is no slide 3"),
        ("get_element_image", {"document_slug": "report", "element_label": "Figure 9"}, "did you mean Figure 1?"),
        ("get_element_image", {"document_slug": "one", "element_label": "Figure 9"}, "it has no elements at all"),
        ("get_page_image", {"document_slug": "notes", "page_number": 2}, "read chapter://notes/2 instead"),
        (
            "get_element_details",
            {"document_slug": "report", "element_label": "Figure 1", "page_number": 77},
            "is not on page 77",
        ),
        ("list_documents_paginated", {"page": 0}, "page (1-based) should be greater than"),
        ("list_documents_paginated", {"page": 99}, "page 99 does not exist; the last page of that size is 1"),
        ("list_documents_paginated", {"page_size": 101}, "page_size should be less than or equal to 100"),
        ("list_documents_paginated", {"sort_by": "colour"}, "'colour' was given"),
        ("index_document", {"file_path": str(tmp_path / "files" / "no.md")}, "no.md"),
        ("index_document", {"file_path": str(tmp_path / "elsewhere.md")}, "elsewhere.md"),
        ("index_document", {"file_path": str(tmp_path / "files" / "broken.docx")}, "broken.docx"),
    ]

    async def body(client: Client, _: Application) -> None:
        (tmp_path / "elsewhere.md").write_text("# Elsewhere")
        for tool, arguments, sentence in cases:
            answer = await client.call_tool(tool, arguments)
            said = text_of(answer)
            assert answer.is_error, (tool, arguments, said)
            assert sentence in said, (tool, arguments, said)
            assert len(said) < 400
            assert "Traceback" not in said
            assert "\n" not in said

    await served(tmp_path, body)


@pytest.mark.parametrize(
    "query",
    [
        "the of and", "AND OR NOT NEAR(", '"', '""" *** ^ - + : ( )', "-capybara", "x" * 10_000, "capybara " * 1200,
        "東京", "עברית", "ไทย", "🦫", "a\u0000b", "\ud800", "type:", "path:\"", "after:never", "NEAR/3", "col:val",
        "%_", "';--",
    ],
)  # fmt: skip
async def test_any_query_is_answered(library: Path, query: str) -> None:
    async def body(client: Client, application: Application) -> None:
        for tool in ("search_documents", "search_visual_elements", "find_document"):
            if "\ud800" in query:  # half a character never crosses the wire
                assert (await application.library.search(query)).hits == ()
                continue
            found = await ask(client, tool, query=query)
            listed = found.get("results", found.get("documents"))
            assert listed or found["remark"], "an empty answer says why"

    await served(library, body)


async def test_answers_fit_a_small_budget_and_say_how_to_go_on(library: Path) -> None:
    async def body(client: Client, _: Application) -> None:
        found = await ask(client, "search_documents", query="ice moraines glaciers capybara", limit=50)
        assert found["omitted"] > 0
        listed = await ask(client, "list_documents")
        assert "list_documents_paginated" in listed["remark"]
        assert len(listed["documents"]) < listed["total"]
        paged = await ask(client, "list_documents_paginated")
        assert f"start={paged['next_start']}" in paged["remark"]

    await served(library, body, budget_tokens=900)
