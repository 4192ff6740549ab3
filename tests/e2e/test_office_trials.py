"""Every token of the Word, Excel and PowerPoint trial documents, through the running server and a real client."""

from __future__ import annotations

from pathlib import Path

from mcp.client.client import Client
from support.clients.harness import in_process
from support.trials.office_trials import Finding, find_all, read, shows, trials

HIDDEN = {
    "excel.xlsm: cell of a very hidden sheet",
    "slides.pptx: hidden shape",
    "slides.pptx: shape off the slide",
    "word.docx: hidden text",
}
"""Places that readers of the document do not see: left out unless asked for."""


async def findings(tmp_path: Path) -> tuple[dict[str, list[Finding]], dict[str, str]]:
    """What is found of each trial, and all of its text, hidden text too."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for trial in trials():
        (folder / trial.name).write_bytes(trial.data)

    async def play() -> tuple[dict[str, list[Finding]], dict[str, str]]:
        async with (
            in_process(folder, tmp_path / "data") as (_, server, _),
            Client(server, mode="auto", cache=None) as client,
        ):
            found = {trial.name: await find_all(client, trial) for trial in trials()}
            whole = {trial.name: await read(client, f"document://{trial.slug}.md?hidden=1") for trial in trials()}
            return found, whole

    return await play()


async def test_every_token_is_found_by_reading_and_by_searching(tmp_path: Path) -> None:
    found, whole = await findings(tmp_path)
    unread = {f"{name}: {one.place}" for name, all_ in found.items() for one in all_ if not one.read}
    unfound = {f"{name}: {one.place}" for name, all_ in found.items() for one in all_ if not one.hit}
    assert (unread, unfound) == (HIDDEN, HIDDEN)
    for name, all_ in found.items():
        assert [one.place for one in all_ if not one.read and not shows(whole[name], one.token)] == []
