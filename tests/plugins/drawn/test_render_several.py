"""Several sidecars on one data directory: what one renders, all list, read and tell their clients of."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from mcp.client.client import Client
from support.clients.harness import ERAS, Heard, fill, hearing, indexed, subprocess_client
from support.clients.rendering import blobs, pages_of, render


async def kept(client: Client) -> set[str]:
    return {entry.uri for entry in (await client.list_resources()).resources if entry.uri.startswith("render:")}


@pytest.mark.parametrize("era", ERAS)
async def test_the_other_windows_hear_of_an_artifact_and_can_read_it(tmp_path: Path, era: str) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)

    one, two = Heard(), Heard()
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(subprocess_client(folder, data, era, one))
        await indexed(first, 5)
        second = await stack.enter_async_context(subprocess_client(folder, data, era, two))
        await indexed(second, 5)
        await stack.enter_async_context(hearing(first, one))
        await stack.enter_async_context(hearing(second, two))
        one.forget()
        two.forget()
        answer = await render(first, "# Shared words\n")
        uri = answer["artifacts"][0]["resource_uri"]
        await one.wait("list")
        await two.wait("list")
        assert await kept(second) == {uri}
        assert "Shared words" in pages_of((await blobs(second, uri))[0])[0]
        assert (await render(second, "# Shared words\n"))["artifacts"] == answer["artifacts"]
        one.forget()
        await second.call_tool("clear_render_cache", {})
        await one.wait("list")
        assert await kept(first) == set()
