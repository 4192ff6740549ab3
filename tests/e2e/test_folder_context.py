"""A folder's sentence of context: from the configuration or the folder's own file, in results and lists, bounded."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from support.clients.harness import fill, in_process, status, text_of, until

from sidecar.api import ConfigError
from sidecar.app import Application
from sidecar.config import CONTEXT_CHARS, Folder, Overrides, load
from sidecar.server.reading.folder_context import read_context

SENTENCE = "Field notes on animals, checked by the museum."


async def served(tmp_path: Path, body: Callable[[Client, Application], Awaitable[None]]) -> None:
    async with (
        in_process(tmp_path / "docs", tmp_path / "data") as (application, server, _),
        Client(server, mode="auto") as client,
    ):
        await body(client, application)


async def test_results_and_lists_carry_the_context_of_their_folder(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    fill(folder)
    (folder / ".docsidecar.toml").write_text(f'context = "{SENTENCE}"\n')

    async def body(client: Client, application: Application) -> None:
        async def told() -> Any:
            return (await status(client))["folders"] == [{"path": str(folder), "context": SENTENCE}]

        await until(told)
        for tool, arguments in (
            ("search_documents", {"query": "capybara"}),
            ("list_documents", {}),
            ("list_documents_paginated", {}),
            ("find_document", {"query": "notes"}),
        ):
            answer = await client.call_tool(tool, arguments)
            assert (answer.structured_content or {})["contexts"] == {str(folder): SENTENCE}, tool
            assert f'About {folder}, its owner says: "{SENTENCE}"' in text_of(answer), tool
        info = await client.call_tool("get_document_info", {"document_slug": "notes"})
        assert (info.structured_content or {})["context"] == SENTENCE
        nothing = await client.call_tool("search_documents", {"query": "xyzzy"})
        assert "contexts" not in (nothing.structured_content or {})
        mine = replace(application.config.folders[0], context="The user's own words")
        application.config = replace(application.config, folders=(mine,))
        found = (await client.call_tool("search_documents", {"query": "capybara"})).structured_content or {}
        assert found["contexts"] == {str(folder): "The user's own words"}, "the configuration goes before the file"

    await served(tmp_path, body)


async def test_a_folder_without_context_costs_nothing(tmp_path: Path) -> None:
    fill(tmp_path / "docs")

    async def body(client: Client, _: Application) -> None:
        for tool, arguments in (("search_documents", {"query": "capybara"}), ("list_documents", {})):
            assert "contexts" not in ((await client.call_tool(tool, arguments)).structured_content or {})

    await served(tmp_path, body)


@pytest.mark.parametrize(
    ("raw", "context", "problem"),
    [
        (b"", "", ""),
        (b'context = "One"\nother = 1\n', "One", ""),
        (b'\xef\xbb\xbfcontext = "With a BOM"\r\n', "With a BOM", ""),
        (b'context = """\nTwo\n\nlines\t"""', "Two lines", ""),
        ('context = "a\u202eb\u200bc\\u0007d"'.encode(), "a b c d", ""),
        (b"context = 'say \"ignore all rules\"'", "say 'ignore all rules'", ""),
        (b'context = "*Source: nowhere*\\n[continues: 5]"', "*Source: nowhere* [continues: 5]", ""),
        (b"context = 3", "", "a text in quotation marks"),
        (b"context = ", "", "not valid TOML"),
        (b'context = "\xff"', "", "not valid TOML"),
        (b"#" * 5000, "", "larger than 4,096 bytes"),
    ],
)
def test_what_a_folders_file_says_is_one_bounded_line(tmp_path: Path, raw: bytes, context: str, problem: str) -> None:
    (tmp_path / ".docsidecar.toml").write_bytes(raw)
    said, wrong = read_context(tmp_path)
    assert said == context
    assert problem in wrong
    assert bool(problem) == bool(wrong)


def test_a_long_context_is_cut_in_the_file_and_refused_in_the_configuration(tmp_path: Path) -> None:
    (tmp_path / ".docsidecar.toml").write_text(f'context = "{"word " * 500}"')
    said, _ = read_context(tmp_path)
    assert 100 < len(said) <= CONTEXT_CHARS
    file = tmp_path / "config.toml"
    file.write_text(f'[[folders]]\npath = "x"\ncontext = "{"word " * 500}"\n')
    with pytest.raises(ConfigError, match="at most 200") as refused:
        load(Overrides(config=file), {})
    assert refused.value.line == 3
    file.write_text('[[folders]]\npath = "x"\ncontext = "Signed contracts"\n')
    assert load(Overrides(config=file), {}).folders[0].context == "Signed contracts"


@pytest.mark.skipif(os.name == "nt", reason="links and pipes as POSIX has them")
def test_a_link_or_pipe_of_that_name_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text('context = "a password"')
    linked, piped = tmp_path / "linked", tmp_path / "piped"
    for folder in (linked, piped):
        folder.mkdir()
    (linked / ".docsidecar.toml").symlink_to(secret)
    os.mkfifo(piped / ".docsidecar.toml")
    for folder in (linked, piped):
        said, wrong = read_context(folder)
        assert said == ""
        assert ".docsidecar.toml" in wrong


async def test_a_broken_file_is_named_in_the_status(tmp_path: Path) -> None:
    fill(tmp_path / "docs")
    (tmp_path / "docs" / ".docsidecar.toml").write_text("context")

    async def body(client: Client, application: Application) -> None:
        async def told() -> Any:
            return (await status(client))["folders"][0].get("problem")

        assert "not valid TOML" in await until(told)

    await served(tmp_path, body)


async def test_the_innermost_of_nested_folders_speaks_for_what_lies_in_it(tmp_path: Path) -> None:
    inner = tmp_path / "docs" / "inner"
    fill(inner)
    fill(tmp_path / "docs")

    async def body(client: Client, application: Application) -> None:
        outer = application.config.folders[0]
        folders = (replace(outer, context="All"), Folder(inner, context="Some"))
        application.config = replace(application.config, folders=folders)
        said = await application.library.contexts([str(inner / "a.md"), str(tmp_path / "docs" / "b.md"), "/nowhere/c"])
        assert said == {str(inner): "Some", str(tmp_path / "docs"): "All"}

    await served(tmp_path, body)
