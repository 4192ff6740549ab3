"""The protocol, request by request, in process: paging, errors in each era's words, completion, subscriptions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from support.clients.harness import ERAS, Heard, fill, hearing, in_process, read_text, text_of

from sidecar.app import Application
from sidecar.server.handlers import INSTRUCTIONS
from sidecar.server.notifications import Notifier, Peer
from sidecar.toolkit.answers.tokens import estimate_tokens

Scenario = Callable[[Client, Application, Notifier], Awaitable[None]]


async def run(tmp_path: Path, era: str, scenario: Scenario, heard: Heard | None = None, **settings: Any) -> None:
    """Index the folder, connect a client in that era, and play."""
    async with in_process(tmp_path / "documents", tmp_path / "data", **settings) as (application, server, notifier):
        telling = asyncio.create_task(notifier.run())
        async with connect(server, era, heard) as client:
            await scenario(client, application, notifier)
        telling.cancel()


def connect(server: Server[Peer], era: str, heard: Heard | None = None) -> Client:
    return Client(server, mode=era, message_handler=heard if era == "legacy" else None, cache=None)


async def refused(call: Awaitable[Any]) -> MCPError:
    with pytest.raises(MCPError) as caught:
        await call
    assert "\n" not in caught.value.message
    assert "Traceback" not in caught.value.message
    return caught.value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(tmp_path / "documents")
    return tmp_path / "documents"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same documents for all tests that change none of them: the first one indexes them."""
    place = tmp_path_factory.mktemp("library")
    fill(place / "documents")
    return place


@pytest.mark.parametrize("era", ERAS)
async def test_the_list_comes_in_pages_that_hold_while_documents_come_and_go(tmp_path: Path, era: str) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(25):
        (folder / f"note-{number:02}.md").write_text(f"# Note {number}\n\nText {number}.")

    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        seen: list[str] = []
        cursor: str | None = None
        pages = 0
        while True:
            page = await client.list_resources(cursor=cursor)
            assert len(page.resources) <= 10
            seen += [entry.uri for entry in page.resources]
            pages += 1
            cursor = page.next_cursor
            if cursor is None:
                break
            if pages == 1:  # what is listed already goes, and something new sorts before it
                (folder / "note-03.md").unlink()
                (folder / "aaa.md").write_text("first")
                await application.indexer.scan_once()
        assert seen == [
            "skill://docsidecar/SKILL.md",
            "tour://library",
            *(f"document://note-{number:02}" for number in range(25)),
        ]
        assert pages == 3

    await run(tmp_path, era, scenario, page_size=10)


@pytest.mark.parametrize("cursor", ["nonsense", "", "WzEsMSwiYSJd!", "W10", "eyJhIjoxfQ", "WzIsMSwiYSJd", "Zm9v" * 500])
@pytest.mark.parametrize("era", ERAS)
async def test_a_cursor_of_somebody_else_is_refused(library: Path, era: str, cursor: str) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        error = await refused(client.list_resources(cursor=cursor))
        assert error.code == types.INVALID_PARAMS
        assert "cursor" in error.message
        assert (await refused(client.list_tools(cursor="x"))).code == types.INVALID_PARAMS
        assert (await refused(client.list_resource_templates(cursor="x"))).code == types.INVALID_PARAMS

    await run(library, era, scenario)


@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("document://note", "notes"),
        ("document://0123456789ab", "0123456789ab"),
        ("chapter://notes/9", "chapter"),
        ("chapter://figures/1", "sheet"),
        ("sheet://figures/Dat", "Data"),
        ("slide://talk/3", "talk"),
        ("page://notes/1", "chapter"),
        ("paragraph://notes/1/99", "paragraph 99"),
        ("image://report/7", "report"),
        ("element://report/Figure 9", "Figure 1"),
        ("nope://x/1", "no such scheme"),
        ("docment://notes", "Did you mean document://?"),
        ("tuor://library", "Did you mean tour://?"),
        ("upstream://zoo/x", "There is no server 'zoo': none is configured"),
        ("hello", "document://"),
        ("tour://somewhere", "tour://library"),
    ],
)
@pytest.mark.parametrize("era", ERAS)
async def test_an_unknown_uri_is_refused_in_the_words_of_the_era(library: Path, era: str, uri: str, says: str) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        error = await refused(client.read_resource(uri))
        assert error.code == (-32002 if era == "legacy" else types.INVALID_PARAMS)
        assert error.data["uri"] == uri
        assert says in error.message

    await run(library, era, scenario)


@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("sheet://figures/Data?range=1A", "range"),
        ("sheet://figures/Data?range=A99:B100", "last row"),
        ("slides://talk/1-9", "outside 1-2"),
        ("chapters://notes/x", "not a range"),
        ("image://report/0?size=huge", "size"),
        ("image://report/0?format=tiff", "png, jpeg or webp"),
        ("document://notes?from=99", "beyond"),
        ("paragraph://notes/1/x", "not a number"),
        ("paragraph://notes/1/²", "not a number"),
        ("image://report/0?size=²", "size"),
        ("chapter://notes/1?from=0", "from"),
    ],
)
async def test_a_wrong_query_is_told_what_is_right(library: Path, uri: str, says: str) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        error = await refused(client.read_resource(uri))
        assert error.code == types.INVALID_PARAMS
        assert says in error.message

    await run(library, "auto", scenario)


@pytest.mark.parametrize("era", ERAS)
async def test_an_unknown_tool_is_a_protocol_error_that_names_near_ones(library: Path, era: str) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        error = await refused(client.call_tool("search_document", {}))
        assert error.code == types.INVALID_PARAMS
        assert "search_documents" in error.message

    await run(library, era, scenario)


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("search_documents", {}, "needs the argument query"),
        ("search_documents", {"query": "x", "lmit": 3}, "did you mean limit?"),
        ("grep", {"pattern": "x", "folder": "y"}, "did you mean path?"),
        ("search_documents", {"query": "x", "limit": "many"}, "limit should be a whole number"),
        ("search_documents", {"query": "x", "limit": 51}, "limit should be less than or equal to 50; 51 was given"),
        ("search_documents", {"query": "x", "limit": -1}, "limit should be greater than or equal to 1"),
        ("search_documents", {"query": "x", "limit": "many"}, "a whole number; 'many' was given"),
        (
            "clear_render_cache",
            {"older_than": "1h"},
            "older_than (seconds; all when left out) should be a number; '1h'",
        ),
        ("render_document", {"markdown": "x", "inline": "maybe"}, "should be true or false; 'maybe' was given"),
        ("find_document", {"query": ""}, "should have at least 1 character; '' was given"),
        ("search_documents", {"query": ["x"]}, "query should be a text"),
        ("list_documents", {"page": 1}, "list_documents has no argument 'page'"),
        ("get_library_status", {"page": 1}, "has no argument 'page'"),
        ("get_document_info", {"document_slug": "note"}, "notes"),
        ("read", {"uri": "document://notes.md", "start_offset": 10**9}, "beyond the end"),
        ("read", {"uri": "nope://x"}, "no such scheme"),
        ("grep", {"pattern": "("}, "not a regular expression"),
    ],
)
async def test_a_wrong_argument_is_an_error_the_model_can_mend(
    library: Path, name: str, arguments: dict[str, Any], says: str
) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        answer = await client.call_tool(name, arguments)
        assert answer.is_error
        text = text_of(answer)
        assert text.startswith("Error: ")
        assert says in text
        assert len(text) < 600

    await run(library, "auto", scenario)


async def test_tools_are_described_tightly_and_honestly(library: Path) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        tools = (await client.list_tools()).tools
        size = sum(len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in tools)
        assert size / 4 <= 4000
        by_name = {tool.name: tool for tool in tools}
        for tool in tools:
            assert tool.title
            assert tool.description
            assert tool.annotations is not None
            assert tool.input_schema["type"] == "object"
        hints = by_name["search_documents"].annotations
        assert hints is not None
        assert hints.read_only_hint
        index_hints = by_name["index_document"].annotations
        assert index_hints is not None
        assert not index_hints.read_only_hint
        assert by_name["search_documents"].input_schema["required"] == ["query"]
        assert estimate_tokens(INSTRUCTIONS) < 200

    await run(library, "auto", scenario)


async def test_the_list_of_tools_can_be_trimmed(library: Path) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {"read", "read_embedded", "grep", "get_outline", "find_document"}
        assert (await refused(client.call_tool("list_documents", {}))).code == types.INVALID_PARAMS

    await run(library, "auto", scenario, tools=("reading", "find_document"))


@pytest.mark.parametrize("era", ERAS)
async def test_every_template_variable_completes(library: Path, era: str) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        templates = {template.uri_template for template in (await client.list_resource_templates()).resource_templates}

        async def offers(template: str, name: str, value: str = "", **others: str) -> list[str]:
            assert template in templates
            ref = types.ResourceTemplateReference(uri=template)
            answer = await client.complete(ref, {"name": name, "value": value}, context_arguments=others or None)
            return answer.completion.values

        assert await offers("document://{doc}", "doc", "no") == ["notes"]
        assert set(await offers("document://{doc}", "doc")) == {"notes", "list", "report", "figures", "talk"}
        assert await offers("slide://{doc}/{n}", "n", doc="talk") == ["1", "2"]
        assert await offers("slide://{doc}/{n}", "n", "2", doc="talk") == ["2"]
        assert await offers("slide://{doc}/{n}", "n", doc="notes") == []
        assert await offers("chapter://{doc}/{n}", "n", doc="notes")
        assert await offers("sheet://{doc}/{name}", "name", "sec", doc="figures") == ["Second sheet"]
        assert "quokkas" in await offers("section://{doc}/{id}", "id", doc="report")
        assert (await offers("paragraph://{doc}/{n}/{m}", "m", doc="notes", n="1"))[:2] == ["1", "2"]
        assert await offers("slides://{doc}/{range}", "range", doc="talk") == ["1-2"]
        assert (await offers("image://{doc}/{id}", "id", doc="report"))[0] == "0"
        assert (await offers("chart://{doc}/{id}", "id", doc="figures"))[0] == "0"
        assert "Figure 1" in await offers("element://{doc}/{label}", "label", "fig", doc="report")
        assert "image" in await offers("office://{doc}/{type}/{id}", "type", doc="report")
        assert (await offers("office://{doc}/{type}/{id}", "id", doc="report", type="image"))[0] == "0"
        assert await offers("slide://{doc}/{n}", "n", doc="unknown") == []
        ref = types.ResourceTemplateReference(uri="spoon://{doc}")
        assert (await refused(client.complete(ref, {"name": "doc", "value": ""}))).code == types.INVALID_PARAMS

    await run(library, era, scenario)


async def test_an_exact_version_may_be_cached_and_a_slug_may_not(tmp_path: Path, folder: Path) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        info = await application.library.document("notes")
        by_slug = await client.read_resource("chapter://notes/1")
        by_id = await client.read_resource(f"chapter://{info.doc_id}/1")
        assert by_slug.ttl_ms == 0
        assert by_id.ttl_ms >= 24 * 3600 * 1000
        assert by_id.cache_scope == by_slug.cache_scope == "private"
        before = await read_text(client, f"chapter://{info.doc_id}/1")
        (folder / "notes.md").write_text("# Other\n\nEntirely.")
        await application.indexer.scan_once()
        assert "Entirely" in await read_text(client, "chapter://notes/1")
        assert before.partition("\n")[2] == (await read_text(client, f"chapter://{info.doc_id}/1")).partition("\n")[2]
        error = await refused(client.read_resource(f"image://{info.doc_id}/0"))
        assert error.message

    await run(tmp_path, "auto", scenario)


async def test_bytes_of_a_file_that_changed_behind_the_index_are_not_given(tmp_path: Path, folder: Path) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        content = (await client.read_resource("image://report/0")).contents[0]
        assert content.mime_type == "image/png"
        path = folder / "figures.xlsx"
        path.write_bytes(path.read_bytes() + b"changed")
        (folder / "talk.pptx").replace(folder / "report.docx")
        error = await refused(client.read_resource("image://report/0?size=40"))
        assert "changed" in error.message

    await run(tmp_path, "auto", scenario)


@pytest.mark.parametrize("era", ERAS)
async def test_subscribers_of_parts_hear_of_their_document_once(tmp_path: Path, folder: Path, era: str) -> None:
    heard = Heard()
    uris = ("document://notes", "chapter://notes/1", "section://notes/food", "chapter://report/1")

    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        async with hearing(client, heard, *uris):
            before = await application.store.changes.last_seq()
            for text in ("one", "two", "three"):
                (folder / "notes.md").write_text(f"# {text}\n\nText.")
                await application.indexer.scan_once()
            changes = await application.store.changes.since(before)
            assert len(changes) == 3
            for change in changes:
                notifier.changed([change])
            await heard.wait("section://notes/food")
            assert sorted(heard.events) == ["chapter://notes/1", "document://notes", "section://notes/food"]

    await run(tmp_path, era, scenario, heard)


async def test_who_unsubscribes_hears_no_more(tmp_path: Path, folder: Path) -> None:
    heard = Heard()

    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        async with hearing(client, heard, "document://notes", "document://list"):
            with pytest.warns(UserWarning, match="subscribe"):
                await client.unsubscribe_resource("document://notes")  # pyright: ignore[reportDeprecated]
            for name in ("notes.md", "list.csv"):
                (folder / name).write_text("a,b\n1,2\n")
            await application.indexer.scan_once()
            notifier.changed(await application.store.changes.since(0))
            await heard.wait("document://list")
            assert heard.events.count("document://notes") == 0

    await run(tmp_path, "legacy", scenario, heard)


async def test_a_subscription_to_nothing_is_refused(library: Path) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        with pytest.warns(UserWarning, match="subscribe"):
            error = await refused(
                client.subscribe_resource("document://note")  # pyright: ignore[reportDeprecated]
            )
        assert error.code == -32002
        assert "notes" in error.message

    await run(library, "legacy", scenario)


@pytest.mark.parametrize("era", ERAS)
async def test_no_answer_exceeds_the_budget(tmp_path: Path, era: str) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(60):
        paragraphs = "\n\n".join(f"The wombat {n} of file {number} digs, {'and digs, ' * 40}." for n in range(60))
        (folder / f"long-{number}.md").write_text(f"# Long {number}\n\n{paragraphs}")

    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_documents", {}),
        ("list_documents_paginated", {"page_size": 100}),
        ("search_documents", {"query": "wombat", "limit": 50}),
        ("read", {"uri": "document://long-1.md"}),
        ("read_embedded", {"uri": "document://long-1.md"}),
        ("grep", {"pattern": "wombat", "limit": 500, "context": 10}),
        ("get_outline", {"document_slug": "long-1"}),
    ]

    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        for name, arguments in calls:
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, (name, text_of(answer))
            cost = estimate_tokens(answer.model_dump_json(by_alias=True, exclude_none=True))
            assert cost <= 2000 * 1.25, (name, cost)

    await run(tmp_path, era, scenario, budget_tokens=2000)


async def test_a_hostile_pattern_ends(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.md").write_text("a" * 5000 + "!")

    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        answer = await client.call_tool("grep", {"pattern": "(a|a)*(a|a)*(a|a)*(a|a)*$x"})
        assert not answer.structured_content["complete"] or answer.structured_content["matches"] == 0

    await run(tmp_path, "auto", scenario)


async def test_matches_lead_to_the_very_place(library: Path) -> None:
    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        for pattern, uri in (
            ("rests by", "paragraph://notes/1/2"),
            ("quokka$|quokka \\|", "sheet://figures/Data?range=A3"),
            ("eats termites", "slide://talk/2"),
        ):
            answer = await client.call_tool("grep", {"pattern": pattern})
            assert f"\n{uri}: " in text_of(answer)
            text = await read_text(client, uri)
            assert pattern.partition("$")[0].split("|")[0].strip() in text

    await run(library, "auto", scenario)


async def test_internal_faults_are_logged_and_not_told(
    library: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    async def scenario(client: Client, application: Application, notifier: Notifier) -> None:
        monkeypatch.setattr(application.store.documents, "part", broken)
        error = await refused(client.read_resource("chapter://notes/1"))
        assert error.code == types.INTERNAL_ERROR
        assert "secret" not in str(error)
        answer = await client.call_tool("read", {"uri": "chapter://notes/1"})
        assert answer.is_error
        assert "secret" not in text_of(answer)
        assert "secret detail" in caplog.text

    await run(library, "auto", scenario)


@pytest.mark.parametrize(
    ("name", "blocks"),
    [("some-client", {"image"}), ("kiro", {"image"}), ("claude-code", {"image"}), ("cursor-vscode", {"image"})],
)
async def test_pictures_reach_every_client_as_pictures(library: Path, name: str, blocks: set[str]) -> None:
    async with in_process(library / "documents", library / "data") as (_, server, _):
        info = types.Implementation(name=name, version="1")
        async with Client(server, mode="auto", client_info=info, cache=None) as client:
            answer = await client.call_tool(
                "get_element_image", {"document_slug": "report", "element_label": "Figure 1"}
            )
            assert not answer.is_error, text_of(answer)
            assert blocks <= {block.type for block in answer.content}
            answer = await client.call_tool("read_embedded", {"uri": "chapter://notes/1"})
            kinds = {block.type for block in answer.content}
            assert kinds == ({"text"} if name.startswith("cursor") else {"resource"})
