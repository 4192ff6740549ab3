"""The first minutes: what is asked for by name is read before everything else, and who waits is told how far it is."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp.client.client import Client
from support.clients.harness import ERAS, Heard, in_process, subprocess_client, text_of, until
from support.formats.pdf_builder import Pdf, grid, lines, text

from sidecar.app import Application, open_application
from sidecar.config import Config, Folder, IndexSettings
from sidecar.ingest.indexing import queue
from sidecar.server import handlers
from sidecar.server.handlers import INSTRUCTIONS, Readiness, build_server
from sidecar.server.notifications import Notifier
from sidecar.server.reading import awaiting
from sidecar.toolkit.answers.tokens import estimate_tokens

FILES = 1200
BOOKS = 24

_NOT_YET = r"Now indexing, [\d,]+ of 1,201; it may not be there yet\."


def fill(folder: Path) -> None:
    """Files in order of size, the one asked for in the middle, which readers that take from both ends come to last."""
    folder.mkdir()
    for number in range(FILES):
        (folder / f"note {number:04}.md").write_text(f"# Note {number}\n\n{'word ' * (10 + number)}\n")
    (folder / "Zebra Crossing.md").write_text(f"# Stripes\n\n{'zebra ' * (10 + FILES // 2)}\n")


@asynccontextmanager
async def running(folder: Path, data: Path, era: str) -> AsyncGenerator[tuple[Application, Client]]:
    """A client of a sidecar that indexes."""
    async with running_with(Config(folders=(Folder(folder),), data_dir=data), era) as (application, client):
        yield application, client


@asynccontextmanager
async def running_with(config: Config, era: str) -> AsyncGenerator[tuple[Application, Client]]:
    """The same with that configuration."""
    async with open_application(config) as application:
        readiness = Readiness()
        readiness.ready(application.backend())
        task = asyncio.create_task(application.indexer.run())
        try:
            async with Client(build_server(readiness, Notifier()), mode=era) as client:
                yield application, client
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def indexing(folder: Path, data: Path, era: str) -> AsyncGenerator[tuple[Application, Client]]:
    """A client of a sidecar that has just begun to index."""
    async with running(folder, data, era) as (application, client):

        async def begun() -> bool:
            return application.indexer.progress.pending > FILES // 2

        await until(begun)
        yield application, client


@pytest.mark.parametrize("era", ERAS)
async def test_a_named_file_is_read_before_the_others(tmp_path: Path, era: str) -> None:
    fill(tmp_path / "docs")

    async def main() -> None:
        async with indexing(tmp_path / "docs", tmp_path / "data", era) as (application, client):
            missing = await client.call_tool("read", {"uri": "document://nowhere-at-all"})
            assert missing.is_error
            assert re.search(_NOT_YET, text_of(missing))

            async def there() -> bool:  # at once, but for a machine that needs more than two seconds to start a worker
                answer = await client.call_tool("get_outline", {"document_slug": "zebra-crossing"})
                assert ("Stripes" if not answer.is_error else "this file is next") in text_of(answer)
                return not answer.is_error

            await until(there)
            for tool, given in (
                ("query_tables", {"sql": "SELECT * FROM nowhere"}),
                ("describe_table", {"table": "nowhere"}),
                ("explain_cell", {"uri": "sheet://nowhere/Q1?range=B4"}),
            ):
                said = text_of(await client.call_tool(tool, given))
                if application.indexer.progress.pending:  # else all were read meanwhile
                    assert re.search(_NOT_YET, said), (tool, said)
            await until(lambda: _idle(application))
            changes = [change.slug for change in await application.store.changes.since(0, 10_000)]
            assert changes.index("zebra-crossing") < 0.9 * FILES

    await main()


@pytest.mark.parametrize(
    ("era", "tool", "query"),
    [
        (ERAS[0], "search_documents", "who may cross at zebras"),
        (ERAS[1], "search_visual_elements", "zebras"),
        (ERAS[0], "find_tables", "zebras"),
    ],
)
async def test_files_named_in_the_words_of_a_query_are_read_before_the_others(
    tmp_path: Path, era: str, tool: str, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "docs")
    for path in (tmp_path / "docs").iterdir():
        os.utime(path, (1_700_000_000, 1_700_000_000))  # files that nobody may still be writing are queued at once
    monkeypatch.setattr(awaiting, "_NAMED_SECONDS", 180.0)

    async def main() -> None:
        async with indexing(tmp_path / "docs", tmp_path / "data", era) as (application, client):
            answer = await client.call_tool(tool, {"query": query})
            assert not answer.is_error
            assert tool != "search_documents" or "zebra-crossing" in text_of(answer)
            await until(lambda: _idle(application))
            changes = [change.slug for change in await application.store.changes.since(0, 10_000)]
            assert changes.index("zebra-crossing") < 0.9 * FILES

    await main()


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("get_outline", {"document_slug": "zebra-crossing"}),
        ("get_outline", {"document_slug": "docs/Zebra Crossing.md"}),
        ("read", {"uri": "{folder}/Zebra Crossing.md"}),
        ("read", {"uri": "Zebra Crossing.md"}),
    ],
)
@pytest.mark.parametrize("era", ERAS)
async def test_a_named_file_is_waited_for_before_the_folders_are_looked_through(
    tmp_path: Path, era: str, tool: str, given: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {name: value.format(folder=tmp_path / "docs") for name, value in given.items()}
    monkeypatch.setattr(handlers, "PROGRESS_SECONDS", 0.001)
    monkeypatch.setattr(awaiting, "WAIT_SECONDS", 180.0)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "Zebra Crossing.md").write_text("# Stripes\n\nzebra\n")

    async def main() -> None:
        config = Config(folders=(Folder(tmp_path / "docs"),), data_dir=tmp_path / "data")
        async with open_application(config, serving=True) as application:
            readiness, waits = Readiness(), asyncio.Event()
            readiness.ready(application.backend())

            async def heard(progress: float, total: float | None, message: str | None) -> None:
                waits.set()

            async with Client(build_server(readiness, Notifier()), mode=era) as client:
                call = asyncio.create_task(client.call_tool(tool, given, progress_callback=heard))
                hearing = asyncio.create_task(waits.wait())
                await asyncio.wait({call, hearing}, return_when=asyncio.FIRST_COMPLETED)
                hearing.cancel()
                assert not call.done(), text_of(call.result())
                running = asyncio.create_task(application.indexer.run())
                assert "Stripes" in text_of(await call)
                missing = await client.call_tool("get_outline", {"document_slug": "nowhere-at-all"})
                assert missing.is_error
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)

    await main()


@pytest.mark.parametrize("era", ERAS)
async def test_the_wait_for_the_folders_ends(tmp_path: Path, era: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(awaiting, "WAIT_SECONDS", 0.0)
    (tmp_path / "docs").mkdir()

    async def main() -> None:
        config = Config(folders=(Folder(tmp_path / "docs"),), data_dir=tmp_path / "data")
        async with open_application(config, serving=True) as application:
            readiness = Readiness()
            readiness.ready(application.backend())
            async with Client(build_server(readiness, Notifier()), mode=era) as client:
                answer = await client.call_tool("read", {"uri": "document://nowhere-at-all"})
                assert answer.is_error
                assert "Now indexing, the folders are being looked through; it may not be there yet." in text_of(answer)

    await main()


FIRST_CALLS = (
    ("search_documents", {"query": "zebra stripes"}),
    ("search_visual_elements", {"query": "herd"}),
    ("grep", {"pattern": "zebra"}),
    ("find_document", {"query": "Zebra Crossing"}),
    ("list_documents", {}),
    ("find_tables", {"query": "herd"}),
    ("describe_table", {"table": "zebra_crossing"}),
    ("query_tables", {"sql": "SELECT sum(zebras) FROM zebra_crossing"}),
)


@pytest.mark.parametrize(("tool", "given"), FIRST_CALLS)
async def test_the_very_first_call_waits_for_the_folders_to_be_looked_through(
    tmp_path: Path, tool: str, given: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(awaiting, "WAIT_SECONDS", 180.0)
    (tmp_path / "docs").mkdir()
    text = "# Stripes\n\nThe zebra crosses.\n\nTable 1: the herd\n\n| herd | zebras |\n| --- | --- |\n| north | 14 |\n"
    (tmp_path / "docs" / "Zebra Crossing.md").write_text(text)

    async def main() -> None:
        config = Config(folders=(Folder(tmp_path / "docs"),), data_dir=tmp_path / "data")
        async with open_application(config, serving=True) as application:
            readiness = Readiness()
            readiness.ready(application.backend())
            async with Client(build_server(readiness, Notifier())) as client:
                call = asyncio.create_task(client.call_tool(tool, given))
                running = asyncio.create_task(application.indexer.run())
                said = text_of(await call)
                assert "zebra-crossing" in said, said
                assert "looked through" not in said
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)

    await main()


async def test_the_first_call_waits_once_and_says_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(awaiting, "WAIT_SECONDS", 0.01)
    (tmp_path / "docs").mkdir()

    async def main() -> None:
        config = Config(folders=(Folder(tmp_path / "docs"),), data_dir=tmp_path / "data")
        async with open_application(config, serving=True) as application:
            readiness = Readiness()
            readiness.ready(application.backend())
            async with Client(build_server(readiness, Notifier())) as client:
                for _ in range(2):
                    monkeypatch.setattr(awaiting, "WAIT_SECONDS", 0.01)
                    said = text_of(await client.call_tool("search_documents", {"query": "zebra"}))
                    assert "The folders are being looked through just now." in said
                    monkeypatch.setattr(awaiting, "WAIT_SECONDS", 180.0)  # a second wait would show

    await main()


async def test_a_real_client_that_searches_at_once_finds_what_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "Zebra Crossing.md").write_text("# Stripes\n\nThe zebra crosses.\n")
    async with subprocess_client(folder, tmp_path / "data", ERAS[0], Heard()) as client:
        answers = [text_of(await client.call_tool("search_documents", {"query": "zebra"}))]
        while "zebra-crossing" not in answers[-1]:  # on a machine that needs longer than two seconds it says so
            assert re.search(r"looked through just now|Indexed 0 of 1 documents|Read again", answers[-1]), answers
            answers.append(text_of(await client.call_tool("search_documents", {"query": "zebra"})))


async def _idle(application: Application) -> bool:
    return application.indexer.progress.state == "idle"


@pytest.mark.parametrize("era", ERAS)
async def test_what_takes_longer_is_told_to_be_next(tmp_path: Path, era: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(awaiting, "WAIT_SECONDS", 0.0)
    fill(tmp_path / "docs")

    async def main() -> None:
        async with indexing(tmp_path / "docs", tmp_path / "data", era) as (_, client):
            first = await client.call_tool("get_document_info", {"document_slug": "zebra-crossing"})
            assert first.is_error
            told = r"Error: Zebra Crossing\.md is not read yet: indexing, [\d,]+ of 1,201; this file is next\."
            assert re.match(told, text_of(first)), text_of(first)

            async def there() -> bool:
                return not (await client.call_tool("read", {"uri": "document://zebra-crossing"})).is_error

            await until(there)

    await main()


@pytest.mark.parametrize("era", ERAS)
async def test_what_is_read_again_is_not_told_to_be_missing(tmp_path: Path, era: str) -> None:
    docs, data = tmp_path / "docs", tmp_path / "data"
    docs.mkdir()
    for number in range(3):
        (docs / f"note {number}.md").write_text(f"# Note {number}\n\nThe marmot whistles.\n")
    never = Config(folders=(Folder(docs),), data_dir=data, index=IndexSettings(settle_seconds=3600.0))

    async def says(application: Application, client: Client, pending: int, sentence: str) -> None:
        async def told() -> bool:
            progress = application.indexer.progress
            return progress.pending == pending

        await until(told)
        found = text_of(await client.call_tool("search_documents", {"query": "marmot"}))
        assert sentence in found, found
        assert "note-1" in found

    async def main() -> None:
        async with open_application(never) as application:
            await application.indexer.scan_once()
        for path in docs.iterdir():
            os.utime(path)
        async with running_with(never, era) as (holder, client):
            await says(holder, client, 3, "Read again: 3 of 3 documents, found as they were till then.")
        (docs / "new.md").write_text("# New\n\nThe marmot again.\n")
        async with running_with(never, era) as (holder, client):
            await says(holder, client, 4, "Indexed 3 of 4 documents so far.")
            assert holder.indexer.progress.leader
            async with running_with(never, era) as (follower, other):
                await says(follower, other, 4, "Indexed 3 of 4 documents so far.")
                assert not follower.indexer.progress.leader

    await main()


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_with_a_token_tells_how_far_it_is(
    tmp_path: Path, era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handlers, "PROGRESS_SECONDS", 0.001)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "long.md").write_text("# Long\n\n" + "A long text, word by word. " * 20_000)
    told: list[tuple[float, str | None]] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def main() -> None:
        async with (
            in_process(tmp_path / "docs", tmp_path / "data") as (application, server, _),
            Client(server, mode=era) as client,
        ):
            task = asyncio.create_task(application.indexer.run())
            path = tmp_path / "docs" / "long.md"
            path.write_text("# Longer\n\n" + "Another text, word by word. " * 20_000)
            answer = await client.call_tool("index_document", {"file_path": str(path)}, progress_callback=heard)
            assert not answer.is_error, text_of(answer)
            await client.call_tool("get_library_status", {})
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    await main()
    assert told
    assert [number for number, _ in told] == sorted({number for number, _ in told}), "it only grows"
    assert all(message for _, message in told)


def test_the_instructions_say_when_to_use_us_in_few_tokens() -> None:
    assert estimate_tokens(INSTRUCTIONS) <= 120
    assert len(INSTRUCTIONS.encode()) / 4 <= 120
    assert "instead of opening such files" in INSTRUCTIONS
    # All a client that defers tools shows: what answers exactly must be named there.
    assert "query_tables (SQL)" in INSTRUCTIONS


def book(number: int) -> bytes:
    """Four pages, each with a heading and a ruled table."""
    pdf = Pdf()
    for page in range(1, 5):
        cells = "".join(text(75 + 100 * (at % 3), 585 - 20 * (at // 3), f"cell {page} {at}") for at in range(9))
        body = lines(72, 690, [f"The otters of river {number} were counted on day {at}." for at in range(6)])
        table = grid([72, 172, 272, 372], [600, 580, 560, 540]) + cells
        pdf.page(text(72, 720, f"{page} Otters", size=16, font="F2") + body + table)
    return pdf.bytes()


@pytest.mark.parametrize("era", ERAS)
async def test_a_document_of_words_alone_is_laid_out_when_it_is_asked_for(
    tmp_path: Path, era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "_LONG_SECONDS", 0.0)
    monkeypatch.setattr(awaiting, "WAIT_SECONDS", 180.0)
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(BOOKS):
        path = folder / f"book {number:02}.pdf"
        path.write_bytes(book(number))
        os.utime(path, (before := path.stat().st_mtime - 60, before))  # what was saved just now is read whole at once

    async def main() -> None:
        async with running(folder, tmp_path / "data", era) as (application, client):

            async def words_of_all() -> bool:
                now = application.indexer.progress
                return not now.scanning and now.searchable == now.total == BOOKS

            await until(words_of_all)
            status = (await client.call_tool("get_library_status", {})).structured_content or {}
            said = text_of(await client.call_tool("search_documents", {"query": "otters of river 15"}))
            assert "book-15" in said
            outline = text_of(await client.call_tool("get_outline", {"document_slug": "book-15"}))
            assert "3 Otters" in outline
            told = text_of(await client.call_tool("get_document_info", {"document_slug": "book-15"}))
            assert "words_only" not in told
            assert "table" in told
            if application.indexer.progress.words_only:  # else all were laid out meanwhile
                assert status["words_only"] > 0
                assert "The words of all are searchable; headings, tables and figures of" in said
            changes = [change for change in await application.store.changes.since(0) if change.slug == "book-15"]
            assert len(changes) == 2, "its words came first"

    await main()


@pytest.mark.parametrize("era", ERAS)
async def test_folders_without_a_document_are_said_to_have_none(tmp_path: Path, era: str) -> None:
    (tmp_path / "empty").mkdir()
    asked = (("list_documents", {}), ("search_documents", {"query": "x"}), ("find_tables", {"query": "x"}))
    async with running(tmp_path / "empty", tmp_path / "data", era) as (_, client):

        async def told() -> bool:
            said = [text_of(await client.call_tool(tool, given)) for tool, given in asked]
            return all("No document lies in the watched folders yet." in one for one in said)

        await until(told)
        (tmp_path / "empty" / "a.md").write_text("# First")

        async def listed() -> bool:
            return "a.md" in text_of(await client.call_tool("list_documents", {}))

        await until(listed)
        assert "No document lies" not in text_of(await client.call_tool("list_documents", {}))
