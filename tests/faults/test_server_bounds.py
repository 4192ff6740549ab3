"""What a request, a document or a client may ask for without stalling or filling the serving process."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from support.clients.harness import ERAS, Raw, fill, in_process, read_text, text_of
from support.clients.loop_work import loop_work
from support.clients.waiting import DEADLINE, wait_for
from support.formats.large_documents import PAGES, many_pages, sparse_workbook
from support.formats.processor import slowness
from support.indexes.prepared import indexed

from sidecar.server.transport.stdio import IN_FLIGHT

pytestmark = pytest.mark.anyio

STALL_SECONDS = 0.5
"""Of processor time in one callback, of the client's in the same loop too: far above what the server's take (20 ms, see
`test_loop_work.py`), far below what unbounded work took (1.3 to 50 s)."""


@pytest.mark.parametrize("era", ERAS)
async def test_a_pattern_that_wants_the_whole_memory_is_refused_or_ends(tmp_path: Path, era: str) -> None:
    fill(tmp_path / "documents")
    (tmp_path / "documents" / "evil.md").write_text("a" * 5000 + "!\n")
    async with (
        in_process(tmp_path / "documents", tmp_path / "data") as (_, server, _),
        Client(server, mode=era) as client,
    ):
        for pattern, sentence in (
            ("a{1000000000}", "at most 1,000 are allowed"),
            ("a{2,99999}", "at most 1,000 are allowed"),
            ("(((a{1000}){1000}){1000}){1000}", "simpler"),
        ):
            with loop_work() as work:
                answer = await client.call_tool("grep", {"pattern": pattern})
            assert answer.is_error
            assert sentence in text_of(answer)
            assert work.longest < STALL_SECONDS * slowness()
        answer = await client.call_tool("grep", {"pattern": "(a|aa)+$", "document_slug": "evil"})
        assert "stopped for time" in text_of(answer) or "match" in text_of(answer)
        answer = await client.call_tool("grep", {"pattern": "capy[b]ara"})
        assert text_of(answer).startswith("2 matches")


async def test_a_sheet_of_two_far_cells_is_read_in_every_form(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    sparse_workbook(folder / "sparse.xlsx")
    async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server) as client:
        for suffix in ("", ".csv", ".json", ".txt", ".html", ".md"):
            with loop_work() as work:
                text = await read_text(client, f"sheet://sparse/Data{suffix}")
            assert "first" in text
            assert len(text) < 2_000_000
            assert work.longest < STALL_SECONDS * slowness(), suffix
        record = json.loads(await read_text(client, "sheet://sparse/Data.json"))
        assert record["rows"] == [["first"]]
        following = json.loads(await read_text(client, record["next"].replace("Data?", "Data.json?")))
        assert following["first_row"] == 1_048_576
        assert following["rows"][0][-1] == "last"
        assert (await read_text(client, "sheet://sparse/Data.csv")).strip() == "first"


async def test_a_document_of_very_many_parts_is_answered_in_bounded_windows(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    fill(folder)
    async with in_process(folder, tmp_path / "data") as (application, server, _):
        await application.store.files.commit([indexed("pages.pdf", many_pages(), folder=os.fsencode(folder))])
        async with Client(server) as client:
            await client.list_tools()
            for uri in (
                "document://pages",
                "document://pages?from=50000",
                "document://pages.md",
                "pages://pages/1-100000",
                "pages://pages/" + ",".join(["1-100000"] * 100),
            ):
                with loop_work() as work:
                    contents = (await client.read_resource(uri)).contents
                last: Any = contents[-1]
                assert "Go on with" in last.text[-200:], uri
                assert work.longest < STALL_SECONDS * slowness(), uri
            last = (await client.read_resource("pages://pages/3,1-100000")).contents[-1]
            onward: str = last.text.removeprefix("*(Go on with ").removesuffix(")*")
            first: Any = (await client.read_resource(onward)).contents[0]
            assert first.uri == "page://pages/201"
            assert onward == "pages://pages/201-100000"
            record = json.loads(await read_text(client, "document://pages.json"))
            assert record["next"].startswith("document://pages.json?from=")
            assert len(record["parts"]) < PAGES
            whole = json.loads(await read_text(client, "document://notes.json"))
            assert len(whole["parts"]) == 2
            assert "next" not in whole


async def test_heavy_views_are_made_in_a_process_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    fill(folder)
    (folder / "long.md").write_text("".join(f"# Chapter {n}\n\nWords of {n}: {n * 7919}.\n\n" for n in range(1, 4001)))
    async with in_process(folder, tmp_path / "data") as (application, server, _), Client(server) as client:
        workers = application.workers
        assert "wombat" in await read_text(client, "document://report.md")
        assert "Words of 7:" in await read_text(client, "chapter://long/7")
        assert not workers.ready("views")
        whole = await read_text(client, "document://long.md")
        assert workers.ready("views")
        assert "Words of 1: 7919." in whole
        assert "Words of 2600:" in whole
        for pid in workers.pids():
            os.kill(pid, signal.SIGTERM)
        record = json.loads(await read_text(client, "document://long.json"))
        assert record["parts"][0]["title"] == "Chapter 1"
        assert "Words of 1: 7919." in await read_text(client, "document://long.html")
        several = (await client.read_resource("chapters://long/1-60")).contents
        assert [content.uri for content in several] == [f"chapter://long/{n}" for n in range(1, 61)]
        with pytest.raises(MCPError, match="beyond the last part"):
            await client.read_resource("document://long.html?from=5000")


@pytest.mark.parametrize("era", ERAS)
async def test_an_endless_uri_is_refused_and_not_repeated(tmp_path: Path, era: str) -> None:
    fill(tmp_path / "documents")
    async with (
        in_process(tmp_path / "documents", tmp_path / "data") as (_, server, _),
        Client(server, mode=era) as client,
    ):
        with pytest.raises(MCPError) as refused:
            await client.read_resource("document://" + "x" * 1_000_000)
        assert "1,000,011 characters" in str(refused.value)
        assert len(json.dumps(refused.value.error.model_dump())) < 1000
        for scheme in ("upstream://", "render://", "tour://"):
            with pytest.raises(MCPError) as refused:
                await client.read_resource(scheme + "x" * 1_000_000)
            assert len(json.dumps(refused.value.error.model_dump())) < 1000
        answer = await client.call_tool("read", {"uri": "document://" + "x" * 1_000_000})
        assert len(text_of(answer)) < 1000


async def test_endless_paths_and_numbers_are_answered_in_a_sentence(tmp_path: Path) -> None:
    fill(tmp_path / "documents")
    async with in_process(tmp_path / "documents", tmp_path / "data") as (_, server, _), Client(server) as client:
        for path in ("x" * 200_000, "a/" * 400_000):
            answer = await client.call_tool("index_document", {"file_path": path})
            assert answer.is_error
            assert "no system opens a path of so many" in text_of(answer)
            assert len(text_of(answer)) < 5000
        for number in (10**300, -(10**300), 2**63):
            for name in ("list_documents", "get_library_status"):
                answer = await client.call_tool(name, {"start": number})
                assert "fault of its own" not in text_of(answer)


def test_a_message_that_is_too_long_is_answered_under_its_id(tmp_path: Path) -> None:
    fill(tmp_path / "documents")
    with Raw(tmp_path / "documents", tmp_path / "data") as raw:
        raw.initialize()
        uri = "document://" + "x" * 20_000_000
        raw.send({"jsonrpc": "2.0", "id": 7, "method": "resources/read", "params": {"uri": uri}})
        answer = raw.answer()
        assert (answer["id"], answer["error"]["code"]) == (7, -32600)
        assert "longer than" in answer["error"]["message"]
        raw.send({"jsonrpc": "2.0", "id": 8, "method": "ping"})
        assert raw.answer() == {"jsonrpc": "2.0", "id": 8, "result": {}}


@pytest.mark.skipif(sys.platform == "win32", reason="pipes cannot be written without blocking here")
def test_a_client_that_reads_no_answers_fills_no_memory(tmp_path: Path) -> None:
    import psutil

    requests = 1500
    folder = tmp_path / "documents"
    fill(folder)
    (folder / "big.md").write_text("# Big\n\n" + "\n\n".join(f"Paragraph {n} " + "word " * 60 for n in range(1200)))
    with Raw(folder, tmp_path / "data") as raw:
        raw.initialize()
        read = {"jsonrpc": "2.0", "method": "resources/read", "params": {"uri": "document://big.md"}}

        def first() -> dict[str, Any]:
            raw.send(read | {"id": "first"})
            return raw.answer().get("result", {})

        size = len(wait_for(first, "it is indexed")["contents"][0]["text"])
        assert size > 300_000
        process = psutil.Process(raw.process.pid)
        before = process.memory_info().rss
        assert raw.process.stdin is not None
        stdin = raw.process.stdin.fileno()
        os.set_blocking(stdin, False)
        left = memoryview(b"".join(json.dumps(read | {"id": n}).encode() + b"\n" for n in range(requests)))
        while left and select.select([], [stdin], [], 5.0)[1]:
            left = left[os.write(stdin, left) :]
        answered = [raw.answer()["id"] for _ in range(200)]
        assert len(set(answered)) == 200
        assert max(answered) < 200 + IN_FLIGHT, "those in flight are answered as they are done, later ones wait"
        assert process.memory_info().rss - before < requests * size // 3


@pytest.mark.skipif(sys.platform == "win32", reason="pipes cannot be written without blocking here")
@pytest.mark.parametrize("padding", [0, 4000])
def test_a_client_that_reads_no_answers_and_closes_its_end_is_not_waited_for(tmp_path: Path, padding: int) -> None:
    """Its requests, and the end of the input behind them, wait for answers that it does not take."""
    fill(tmp_path / "documents")
    with Raw(tmp_path / "documents", tmp_path / "data") as raw:
        raw.initialize()
        request = {"jsonrpc": "2.0", "method": "tools/list", "params": {"_meta": {"padding": "x" * padding}}}
        assert raw.process.stdin is not None
        stdin = raw.process.stdin.fileno()
        os.set_blocking(stdin, False)
        left = memoryview(b"".join(json.dumps(request | {"id": n}).encode() + b"\n" for n in range(2000)))
        while left and select.select([], [stdin], [], 3.0)[1]:
            left = left[os.write(stdin, left) :]
        assert bool(left) == bool(padding), "more than is read ahead waits in the pipe"
        raw.process.stdin.close()
        assert raw.process.wait(DEADLINE) == 0
