"""Every token of the Word, Excel and PowerPoint trial documents, through the running server and a real client."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mcp.client.client import Client
from support.harness import in_process
from support.office_trials import Finding, find_all, trials


def findings(tmp_path: Path) -> dict[str, list[Finding]]:
    folder = tmp_path / "documents"
    folder.mkdir()
    for trial in trials():
        (folder / trial.name).write_bytes(trial.data)

    async def play() -> dict[str, list[Finding]]:
        async with (
            in_process(folder, tmp_path / "data") as (_, server, _),
            Client(server, mode="auto", cache=None) as client,
        ):
            return {trial.name: await find_all(client, trial) for trial in trials()}

    return asyncio.run(play())


def test_every_token_is_found_by_reading_and_by_searching(tmp_path: Path) -> None:
    found = findings(tmp_path)
    unread = {f"{name}: {one.place}" for name, all_ in found.items() for one in all_ if not one.read}
    unfound = {f"{name}: {one.place}" for name, all_ in found.items() for one in all_ if not one.hit}
    assert (unread, unfound) == (set(), set())
