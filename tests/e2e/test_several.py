"""Several sidecars on one data directory: one indexes, all serve and notify, and another takes over when it dies."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from support.clients.harness import ERAS, Heard, Raw, fill, hearing, indexed, status, subprocess_client, text_of, until
from support.clients.waiting import wait_for


@pytest.mark.parametrize("era", ERAS)
async def test_the_follower_serves_notifies_and_has_files_indexed(tmp_path: Path, era: str) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)

    one, two = Heard(), Heard()
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(subprocess_client(folder, data, era, one))
        await indexed(first, 5)
        second = await stack.enter_async_context(subprocess_client(folder, data, era, two))
        holders = [(await status(client))["lease"]["held"] for client in (first, second)]
        assert holders == [True, False]
        await stack.enter_async_context(hearing(first, one, "document://notes"))
        await stack.enter_async_context(hearing(second, two, "document://notes"))
        (folder / "notes.md").write_text("# Changed\n\nThe marmot whistles.\n")
        for client, heard in ((first, one), (second, two)):
            results: list[dict[str, Any]] = []
            while not results:  # the first may still be of the file's being added
                await heard.wait("document://notes")
                heard.events.remove("document://notes")
                results = (await client.call_tool("search_documents", {"query": "marmot"})).structured_content[
                    "results"
                ]
            assert results[0]["document_slug"] == "notes"
        (folder / "more.md").write_text("# More\n\nThe dormouse sleeps.\n")
        answer = await second.call_tool("index_document", {"file_path": str(folder / "more.md")})
        assert not answer.is_error, text_of(answer)
        assert answer.structured_content["slug"] == "more"
        await two.wait("list")


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process the POSIX way")
async def test_another_takes_over_when_the_indexer_is_killed(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)

    async def session(holder: Raw) -> None:
        heard = Heard()
        async with subprocess_client(folder, data, "legacy", heard) as client:
            await indexed(client, 5)
            assert not (await status(client))["lease"]["held"]
            os.kill(holder.process.pid, signal.SIGKILL)
            holder.process.wait()
            (folder / "later.md").write_text("# Later\n\nThe axolotl regrows.\n")

            async def taken() -> Any:
                return (await status(client))["lease"]["held"]

            await until(taken)
            await heard.wait("list")
            await indexed(client, 6)
            found = await client.call_tool("search_documents", {"query": "axolotl"})
            assert found.structured_content["results"][0]["document_slug"] == "later"

    with Raw(folder, data) as holder:
        holder.initialize()

        def held() -> dict[str, Any]:
            lease = holder.call("get_library_status", {}, 1)["result"]["structuredContent"]["lease"]
            return lease if lease["held"] else {}

        assert wait_for(held, "it holds the lease")["holder_pid"] == holder.process.pid
        await session(holder)
