"""The configuration while the server runs: folders come and go at once, a broken file changes nothing and is told."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from support.clients.harness import COMMAND, Heard, forked, hearing, status, until
from support.clients.waiting import wait_for
from support.programs import program
from support.programs.server import Server, log_of, one_sentence
from support.upstream.gathering import replace_text

from sidecar import serving
from sidecar.app import open_application
from sidecar.cli.checks.library import configuration
from sidecar.config import Overrides, load


def folders(path: Path, *named: Path, more: str = "") -> None:
    """Write the configuration as an editor does: whole, and put in place."""
    text = "".join(f"[[folders]]\npath = '{folder}'\n" for folder in named)
    replace_text(path, text + more)


def cli(config: Path, data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return program.run(*words, "--config", str(config), "--data-dir", str(data), environment=os.environ)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.md").write_text(f"# {name}\n\nThe {name}word.\n")
    return tmp_path


@pytest.mark.parametrize("era", ["legacy", "auto"])
async def test_folders_added_and_removed_take_effect_at_once(place: Path, era: str) -> None:
    config, data = place / "config.toml", place / "data"
    folders(config, place / "one")
    arguments = [*COMMAND[1:], "--config", str(config), "--data-dir", str(data)]
    server = StdioServerParameters(command=COMMAND[0], args=arguments, env=dict(os.environ))

    async def holds(client: Client, *names: str) -> None:
        async def right() -> bool:
            listed = (await client.list_resources()).resources
            found = {entry.name for entry in listed if entry.uri.startswith("document://")}
            return found == {f"{name}.md" for name in names} and (await status(client))["state"] == "idle"

        await until(right)

    heard = Heard()
    handler = heard if era == "legacy" else None
    async with forked(Client(server, mode=era, message_handler=handler, cache=None)) as client:
        await holds(client, "one")
        async with hearing(client, heard):
            heard.forget()
            folders(config, place / "one", place / "two")
            await heard.wait("list")
            await holds(client, "one", "two")
            heard.forget()
            folders(config, place / "two")
            await heard.wait("list")
            await holds(client, "two")
            (place / "two" / "three.md").write_text("# Three\n\nLater.\n")
            await holds(client, "two", "three")
            assert [folder["path"] for folder in (await status(client))["folders"]] == [str(place / "two")]


def test_a_broken_file_leaves_the_last_good_one_in_force_and_is_told(place: Path) -> None:
    config, data = place / "config.toml", place / "data"
    folders(config, place / "one")
    with Server("--config", str(config), "--data-dir", str(data)) as server:
        server.until_indexed(1)
        for broken, words in (
            ("[index]\nsettle_second = 1\n", ("config.toml:4", "settle_second", "did you mean `settle_seconds`?")),
            ("[index]\nworkers = 'two'\n", ("config.toml:4", "index.workers", "a whole number")),
            ("[index\n", ("line 3", "not valid TOML")),
        ):
            folders(config, place / "two", more=broken)
            found = server.until(lambda s, word=words[1]: word in (s["config"]["error"] or ""), "the error is told")
            assert [folder["path"] for folder in found["folders"]] == [str(place / "one")]
            check = cli(config, data, "config", "check")
            _, finding = configuration(Overrides(config=config, data_dir=data))
            assert (check.returncode, finding.level) == (2, "problem")
            told = (found["config"]["error"], log_of(data), check.stdout + check.stderr, finding.message)
            for word in words:
                for text in told:
                    assert word in text, (word, text)
        # The whole of doctor takes seconds, so it is run once, of the last; the check that it shows was asked for each.
        doctor = cli(config, data, "doctor")
        _, finding = configuration(Overrides(config=config, data_dir=data))
        assert (doctor.returncode, finding.message in doctor.stdout) == (1, True), doctor.stdout
        (place / "one" / "more.md").write_text("# More\n\nStill followed.\n")
        server.until_indexed(2)
        folders(config, place / "two")
        found = server.until(lambda s: not s["config"]["error"] and s["indexed"] == 1, "the mended file is in force")
        assert [folder["path"] for folder in found["folders"]] == [str(place / "two")]


def test_nothing_of_a_removed_folder_is_served_in_any_window(place: Path) -> None:
    config, data = place / "config.toml", place / "data"
    folders(config, place / "one", place / "two")
    arguments = ("--config", str(config), "--data-dir", str(data))
    with Server(*arguments) as leader, Server(*arguments) as other:
        leader.until_indexed(2)
        former = leader.tool("search_documents", query="oneword")["results"][0]["doc_id"]
        (place / "one" / "one.md").write_text("# one\n\nThe oneword, edited.\n")
        found = wait_for(lambda: leader.tool("search_documents", query="edited")["results"], "the edit is indexed")
        names = (former, found[0]["doc_id"], "one")
        for server in (leader, other):
            assert all("oneword" in server.text(f"document://{name}.md") for name in names)
        folders(config, place / "two")
        for server in (leader, other):
            server.until(lambda s: s["total"] == 1 and len(s["folders"]) == 1, "one folder is left")
            # What is near in meaning or in letters may come from what is left, once that is embedded.
            results = server.tool("search_documents", query="oneword")["results"]
            assert {result["document_slug"] for result in results} <= {"two"}
            assert not any("oneword" in server.text(f"document://{name}.md") for name in names)
            assert server.tool("grep", pattern="oneword, edited")["matches"] == 0


class Written(type(Path())):
    """A file that is written piece by piece, as many editors do: one piece whenever somebody looks at it."""

    pieces: ClassVar[list[str]] = []

    def stat(self, **options: Any) -> os.stat_result:
        if self.pieces:
            with self.open("a") as file:
                file.write(self.pieces.pop(0))
        return super().stat(**options)


async def test_a_file_that_is_being_written_is_read_when_it_is_whole(
    place: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    for pause in ("_CONFIG_POLL_SECONDS", "_CONFIG_REST_SECONDS"):
        monkeypatch.setattr(serving, pause, 0.001)
    config = place / "config.toml"
    folders(config, place / "one")
    overrides = Overrides(config=config, data_dir=place / "data")
    read = replace(load(overrides), source=Written(config))
    async with open_application(read) as application:
        watching = asyncio.create_task(
            serving._watch_config(application, None, overrides)  # pyright: ignore[reportPrivateUsage]
        )

        async def changed() -> bool:
            return [folder.path for folder in application.config.folders] == [place / "two"]

        config.write_text("")
        Written.pieces += ["[index]", "\n", "workers = 1\n", "[[folders]]\npath = ", f"'{place / 'two'}'", "\n"]
        try:
            await until(changed)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
    told = [record.message for record in caplog.records if "configuration was changed" in record.message]
    assert told == ["the configuration was changed; 1 folder(s) are watched now"]


def test_a_file_changed_while_the_index_cannot_be_opened_is_in_force_once_it_can(place: Path) -> None:
    config, data = place / "config.toml", place / "way" / "data"
    folders(config, place / "one")
    (place / "way").write_text("a file is in the way")
    with Server("--config", str(config), "--data-dir", str(data)) as server:
        server.until(lambda s: "error" in s, "the index cannot be opened")
        folders(config, place / "two")
        (place / "way").unlink()
        server.until(
            lambda s: [folder["path"] for folder in s.get("folders", ())] == [str(place / "two")], "it is in force"
        )
        server.until_indexed(1)


def test_it_starts_with_a_broken_file_and_takes_the_mended_one(place: Path) -> None:
    config, data = place / "config.toml", place / "data"
    folders(config, place / "one", more="[indexx]\n")
    with Server("--config", str(config), "--data-dir", str(data)) as server:
        found = server.status()
        assert "did you mean `index`?" in found["config"]["error"]
        folders(config, place / "one")
        server.until_indexed(1)
        assert server.status()["config"]["error"] is None


def test_a_file_broken_at_the_start_costs_no_document_and_every_answer_tells_why(place: Path) -> None:
    config, data = place / "config.toml", place / "data"
    folders(config, place / "one")
    arguments = ("--config", str(config), "--data-dir", str(data))
    with Server(*arguments) as server:
        server.until_indexed(1)
        read_at = server.tool("search_documents", query="oneword")["results"][0]["doc_id"]
    folders(config, place / "one", more="[indexx]\n")
    with Server(*arguments) as server:
        found = server.until(lambda s: s["state"] == "idle", "it is idle")
        assert "did you mean `index`?" in " ".join(found["remarks"])
        assert "docsidecar add" not in " ".join(found["remarks"])
        answer = server.tool("search_documents", query="oneword")
        assert [one["doc_id"] for one in answer["results"]] == [read_at]
        assert "did you mean `index`?" in json.dumps(server.tool("search_documents", query="heliotrope"))
        folders(config, place / "one")
        server.until(lambda s: not s["config"]["error"] and s["indexed"] == 1, "the mended file is in force")
        assert server.tool("search_documents", query="oneword")["results"][0]["doc_id"] == read_at


@pytest.mark.parametrize("what", ["absent", "file"])
def test_a_search_where_the_only_folder_is_missing_says_so(place: Path, what: str) -> None:
    (place / "file").write_text("not a folder")
    with Server("--folder", str(place / what), "--data-dir", str(place / "data")) as server:
        server.until(lambda s: s["state"] == "idle", "it is idle")
        assert f"The folder {place / what} is not there" in str(server.tool("search_documents", query="oneword"))


def test_an_empty_folder_argument_watches_nothing(place: Path) -> None:
    environment = {"DOCSIDECAR_CONFIG": str(place / "none.toml")}
    with Server("--folder", "", "--data-dir", str(place / "data"), environment=environment) as server:
        found = server.until(lambda s: s["state"] == "idle", "it is idle")
        assert (found["folders"], found["total"]) == ([], 0)


def test_it_starts_with_no_configuration_and_says_how_to_add_a_folder(place: Path) -> None:
    config, data = place / "none" / "config.toml", place / "data"
    environment = {"DOCSIDECAR_CONFIG": str(config)}
    with Server("--data-dir", str(data), environment=environment) as server:
        found = server.until(lambda s: s.get("state") == "idle", "it is idle")
        assert any("docsidecar add FOLDER" in remark for remark in found["remarks"])
        for tool, arguments in (
            ("list_documents", {}),
            ("list_documents_paginated", {}),
            ("search_documents", {"query": "x"}),
        ):
            assert "docsidecar add FOLDER" in json.dumps(server.tool(tool, **arguments)), tool
        done = program.run("add", str(place / "one"), environment={**os.environ, **environment})
        assert done.returncode == 0
        assert "Watching" in done.stdout
        server.until_indexed(1)
        assert "add FOLDER" not in json.dumps(server.tool("list_documents"))


def test_missing_and_unreadable_folders_are_told_and_the_others_served(place: Path) -> None:
    config, data = place / "config.toml", place / "data"
    (place / "file").write_text("not a folder")
    (place / "closed").mkdir()
    beyond = place / ("x" * 300)  # no system can look there, as where a mount is broken
    folders(config, place / "one", place / "absent", place / "file", place / "closed", beyond)
    (place / "closed").chmod(0)
    try:
        with Server("--config", str(config), "--data-dir", str(data)) as server:
            found = server.until_indexed(1)
            problems = {Path(folder["path"]).name: folder.get("problem", "") for folder in found["folders"]}
            assert problems["one"] == ""
            assert "does not exist" in problems["absent"]
            assert "is a file" in problems["file"]
            assert "cannot be reached" in problems[beyond.name] or sys.platform == "win32"
            if sys.platform != "win32" and os.geteuid() != 0:
                assert "cannot be read" in problems["closed"]
            assert all(one_sentence(problem) for problem in problems.values() if problem)
            (place / "absent").mkdir()
            (place / "absent" / "a.md").write_text("# A\n\nIt is there now.\n")
            found: dict[str, Any] = server.until_indexed(2)
            assert not any(folder.get("problem") for folder in found["folders"] if folder["path"].endswith("absent"))
    finally:
        (place / "closed").chmod(0o755)


def test_settings_that_a_plugin_refuses_or_nothing_takes_are_told(place: Path) -> None:
    config, data = place / "config.toml", place / "data"
    wrong = (
        "[plugins]\ndisabled = ['pfd']\n[plugins.render]\nmax_pagez = 1\n[plugins.rendr]\nmax_pages = 1\n"
        "[upstream.one]\ncommand = 'x'\nurl = 'http://y'\n[server]\ntools = ['reed']\n"
    )
    folders(config, place / "one", more=wrong)
    check, doctor = cli(config, data, "config", "check"), cli(config, data, "doctor")
    assert (check.returncode, doctor.returncode) == (1, 1)
    with Server("--config", str(config), "--data-dir", str(data)) as server:
        remarks = " ".join(server.until_indexed(1)["remarks"])
    for text in (check.stderr, doctor.stdout, remarks):
        for word in (
            "plugins.render.max_pagez", "did you mean `max_pages`?", "plugins.rendr", "did you mean `render`?",
            "plugins.disabled", "did you mean `pdf`?", "upstream.one", "either command", "or url", "server.tools",
            'did you mean "read"?', str(config),
        ):  # fmt: skip
            assert word in text, (word, text)
    assert f"mend {config}" in doctor.stdout
    assert "uninstall" not in doctor.stdout


def test_what_the_settings_of_plugins_name_is_there(place: Path) -> None:
    config, data = place / "config.toml", place / "data"
    named = "[plugins]\ndirectory = 'extra'\n[plugins.render]\nquills = '{0}/quills'\n[upstream.one]\ncommand = '{1}'\n"
    named += "cwd = '{0}/start'\n"
    folders(config, place / "one", more=named.format(place, "no-such-program"))
    check = cli(config, data, "config", "check")
    assert check.returncode == 1
    for words in (
        f"plugins.directory: there is no folder {place / 'extra'}",
        f"plugins.render.quills: there is no {place / 'quills'}",
        "upstream.one.command: no-such-program is not found",
        f"upstream.one.cwd: there is no folder {place / 'start'}",
    ):
        assert words in check.stderr
    for folder in ("extra", "quills", "start"):
        (place / folder).mkdir()
    folders(config, place / "one", more=named.format(place, sys.executable))
    assert cli(config, data, "config", "check").returncode == 0
    nobody = (
        "[plugins.render]\nquills = '~nobodyhere/q'\n[upstream.one]\ncommand = '~nobodyhere/p'\ncwd = '~nobodyhere/d'\n"
    )
    folders(config, place / "one", more=nobody)
    check = cli(config, data, "config", "check")
    assert (check.returncode, "Traceback" in check.stderr) == (1, False)
    assert all(f"~nobodyhere/{name}" in check.stderr for name in "pd")
    folders(config, place / "one", more=f"[upstream.one]\ncommand = '{sys.executable}'\ncwd = 5\n")
    check = cli(config, data, "config", "check")
    assert (check.returncode, "upstream.one.cwd" in check.stderr, "Traceback" in check.stderr) == (1, True, False)
    folders(config, place / "one", more="[plugins.semantic]\ndimensions = -1\n")
    check = cli(config, data, "config", "check")
    assert (check.returncode, "plugins.semantic.dimensions" in check.stderr) == (1, True)


def test_a_choice_of_tools_is_no_problem_to_doctor(place: Path) -> None:
    config, data = place / "config.toml", place / "data"
    folders(config, place / "one", more="[server]\ntools = ['read', 'grep']\n")
    doctor = cli(config, data, "doctor")
    assert "PROBLEM" not in doctor.stdout
    assert doctor.stdout.count("2 tools after") == 2
