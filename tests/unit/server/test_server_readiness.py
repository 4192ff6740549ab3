"""What a client sees of a sidecar whose index cannot be opened, or that has lost it: tools that say why."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from support.clients.harness import ERAS, fill, in_process, subprocess_client, text_of

from sidecar.server import Registrations
from sidecar.server.handlers import Readiness, build_server
from sidecar.server.notifications import Notifier


@pytest.mark.parametrize("era", ERAS)
async def test_an_unusable_data_directory_leaves_tools_that_name_it(tmp_path: Path, era: str) -> None:
    fill(tmp_path / "files")
    unusable = tmp_path / "taken"
    unusable.write_text("a file where the directory should be")

    async with subprocess_client(tmp_path / "files", unusable, era) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"search_documents", "read", "get_library_status"} <= tools
        assert (await client.list_resource_templates()).resource_templates
        for tool, arguments in (("search_documents", {"query": "capybara"}), ("get_library_status", {})):
            answer = await client.call_tool(tool, arguments)
            assert answer.is_error
            assert text_of(answer).startswith(f"Error: The data directory {unusable} cannot be made")
        with pytest.raises(MCPError, match="choose another with --data-dir"):
            await client.list_resources()


async def test_an_index_that_is_lost_is_said_and_not_asked(tmp_path: Path) -> None:
    fill(tmp_path / "files")

    async with in_process(tmp_path / "files", tmp_path / "data") as (application, _, _):
        backend = application.backend()
        for era in ERAS:
            readiness = Readiness()
            readiness.ready(backend)
            async with Client(build_server(readiness, Notifier()), mode=era) as client:
                before = [tool.name for tool in (await client.list_tools()).tools]
                assert not (await client.call_tool("list_documents", {})).is_error
                readiness.failed("The index is gone; restart.", Registrations(backend.features, backend.settings))
                assert [tool.name for tool in (await client.list_tools()).tools] == before
                answer = await client.call_tool("list_documents", {})
                assert answer.is_error
                assert text_of(answer) == "Error: The index is gone; restart."
