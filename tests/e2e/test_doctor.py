"""`doctor` on a healthy machine and on broken ones: what is wrong, the remedy, what --fix mends, the exit code."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.clients.harness import DEADLINE, Raw, stop
from support.clients.waiting import wait_for
from support.programs import program

from sidecar.cli.checks.entries import entries
from sidecar.cli.checks.library import configuration, folders, index
from sidecar.cli.checks.machine import data_directory, permissions, watches
from sidecar.cli.clients.table import Machine
from sidecar.config import Config, Folder, Overrides
from sidecar.server.transport.loopback import LoopbackError, try_session

COMMAND = [sys.executable, "-m", "sidecar.cli.main"]
posix = pytest.mark.skipif(sys.platform == "win32", reason="permission bits and signals are POSIX here")


class Home:
    """A home with one watched folder and Cursor, entered."""

    def __init__(self, home: Path) -> None:
        self.path = home
        self.folder = home / "documents"
        self.folder.mkdir()
        (self.folder / "notes.md").write_text("# Animals\n\nThe capybara rests by the river.\n")
        self.config = home / "config.toml"
        self.config.write_text(f"[[folders]]\npath = {json.dumps(str(self.folder))}\n")
        self.data = home / "data"
        self.entry = home / ".cursor" / "mcp.json"
        self.entry.parent.mkdir()
        keep = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "DOCSIDECAR_"))}
        self.environment = {
            **keep, "HOME": str(home), "USERPROFILE": str(home), "APPDATA": str(home / "Roaming"),
            "LOCALAPPDATA": str(home / "Local"), "DOCSIDECAR_CONFIG": str(self.config),
            "DOCSIDECAR_DATA_DIR": str(self.data),
        }  # fmt: skip

    def enter(self, command: str, *arguments: str) -> None:
        servers = {"other": {"command": "x"}, "docsidecar": {"command": command, "args": ["serve", *arguments]}}
        self.entry.write_text(json.dumps({"mcpServers": servers}, indent=2))

    def doctor(self, *words: str, code: int, as_users_do: bool = False) -> dict[str, dict[str, Any]]:
        """The findings by what they are about; the gravest of each."""
        done = program.run(
            "doctor", "--json", *words, environment=self.environment, directory=self.path, as_users_do=as_users_do
        )
        assert done.returncode == code, (done.stdout, done.stderr)
        findings: list[dict[str, Any]] = json.loads(done.stdout)
        assert all(finding["remedy"] for finding in findings if finding["level"] in ("note", "problem")), findings
        levels = ("ok", "note", "fixed", "problem")
        return {finding["what"]: finding for finding in sorted(findings, key=lambda f: levels.index(f["level"]))}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_a_healthy_machine(home: Home) -> None:
    home.enter(sys.executable, "--folder", str(home.folder))
    found = home.doctor(code=0, as_users_do=True)
    asked = {"configuration", "folders", "data directory", "index", "lease", "model", "plugins", "Cursor"}
    assert {what: found[what]["level"] for what in asked} == dict.fromkeys(asked, "ok"), found
    for session in (found["session by handshake"], found["session by discovery"]):
        assert session["level"] == "ok" or "what keeps this machine busy" in session["remedy"], session
    assert "2026-07-28" in found["session by discovery"]["message"]
    assert "2025-" in found["session by handshake"]["message"]
    assert not [finding for finding in found.values() if finding["level"] == "problem"]


@posix
def test_a_command_that_is_gone_and_a_file_open_to_all_are_mended(home: Home) -> None:
    home.enter("/gone/docsidecar", "--folder", str(home.folder))
    home.config.chmod(0o666)
    told = [
        *entries(Machine(home.path, {}, home.path), COMMAND),
        *permissions(Config(source=home.config, data_dir=home.data)),
    ]
    problems = [finding for finding in told if finding.level == "problem"]
    assert ["/gone/docsidecar is gone" in problems[0].message, "mode 666" in problems[1].message] == [True, True]
    assert f"docsidecar install cursor --folder {shlex.quote(str(home.folder))}" in problems[0].remedy
    found = home.doctor("--fix", code=0)
    assert {found[what]["level"] for what in ("Cursor", "permissions")} == {"fixed"}
    assert stat.S_IMODE(home.config.stat().st_mode) == 0o644
    servers = json.loads(home.entry.read_text("utf-8"))["mcpServers"]
    assert servers["other"] == {"command": "x"}
    assert servers["docsidecar"]["args"][-3:] == ["serve", "--folder", str(home.folder)]
    assert Path(servers["docsidecar"]["command"]).is_file()


def test_a_broken_configuration_and_a_broken_file_of_an_assistant(home: Home) -> None:
    home.config.write_text("[index]\nworker = 2\n")
    home.entry.write_text('{\n  "mcpServers": { "docsidecar": }\n}\n')
    config, finding = configuration(Overrides(config=home.config))
    assert (finding.level, "config.toml:2" in finding.message) == ("problem", True)
    assert "did you mean `workers`" in finding.message
    assert str(home.config) in finding.remedy
    assert config.error is not None
    [finding] = [one for one in entries(Machine(home.path, {}, home.path), COMMAND) if one.what == "Cursor"]
    assert (finding.level, "line 2, column 33" in finding.message) == ("problem", True)


def test_an_entry_of_a_folder_that_is_gone_and_others_that_are_stale(home: Home) -> None:
    home.enter(sys.executable, "--folder", str(home.path / "old"))
    (home.path / ".gemini").mkdir()
    (home.path / ".gemini/settings.json").write_text('{"mcpServers": {"docsidecar": {"command": "sh"}}}')
    (home.path / ".codex").mkdir()
    (home.path / ".codex/config.toml").write_text('[mcp_servers.docsidecar]\nurl = "http://localhost"\n')
    other = home.path / "other" / "docsidecar"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    (home.path / ".mcp.json").write_text(json.dumps({"mcpServers": {"docsidecar": {"command": str(other)}}}))
    (home.path / ".codeium/windsurf").mkdir(parents=True)
    machine = Machine(home.path, {}, home.path)
    found = {finding.what: (finding.level, finding.message, finding.remedy) for finding in entries(machine, COMMAND)}
    level, message, remedy = found["Cursor"]
    assert (level, str(home.path / "old") in message, "--folder FOLDER" in remedy) == ("problem", True, True)
    assert found["Codex"][:2] == ("problem", f"it names no command ({home.path / '.codex/config.toml'}).")
    assert "depends on the PATH" in found["Gemini CLI"][1]
    assert (found["Claude Code"][0], str(other) in found["Claude Code"][1]) == ("note", True)
    assert "--scope project" in found["Claude Code"][2]
    assert "windsurf" in found["assistants"][1]


def test_every_fault_of_an_entry_is_said_and_a_broken_file_beside_it(home: Home) -> None:
    home.enter("/gone/docsidecar", "--folder", str(home.path / "old"), "--config", str(home.path / "old.toml"))
    cursor = [one for one in entries(Machine(home.path, {}, home.path), COMMAND) if one.what == "Cursor"]
    assert [finding.level for finding in cursor] == ["problem"] * 3
    for finding, fault in zip(cursor, ("/gone/docsidecar is gone", str(home.path / "old"), "old.toml"), strict=True):
        assert fault in finding.message
    home.entry.write_text('{ "mcpServers": { "docsidecar": }')
    found = list(entries(Machine(home.path, {}, home.path), COMMAND))
    assert [(finding.what, finding.level) for finding in found] == [("Cursor", "problem")], "nor that there is none"


def test_a_model_that_is_not_whole(home: Home) -> None:
    found = importlib.util.find_spec("sidecar_semantic")
    assert found is not None
    assert found.submodule_search_locations
    (whole,) = found.submodule_search_locations
    shutil.copytree(
        whole, home.path / "broken" / "sidecar_semantic", ignore=shutil.ignore_patterns("model", "__pycache__")
    )
    code = """
import json, sys
from pathlib import Path
from sidecar.cli.checks.library import index
from sidecar.config import Config
print(json.dumps([[one.level, one.message, one.remedy] for one in index(Config(data_dir=Path(sys.argv[1])))
                  if one.what == "model"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(home.data)], capture_output=True, text=True, check=True, timeout=DEADLINE,
        env={**home.environment, "PYTHONPATH": str(home.path / "broken")}, cwd=home.path,
    )  # fmt: skip
    [(level, message, remedy)] = json.loads(done.stdout)
    assert (level, "does not run: its model cannot be read" in message) == ("problem", True)
    assert "install docsidecar anew" in remedy


@posix
def test_a_log_that_cannot_grow_is_not_a_traceback(home: Home) -> None:
    code = """
import logging, resource, signal, sys
from sidecar.logs import SharedRotatingFile
logging.getLogger().addHandler(SharedRotatingFile(sys.argv[1]))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, most[1]))
logging.error("a record for which there is no room")
logging.error("%d", "a record that is wrong itself")
resource.setrlimit(resource.RLIMIT_FSIZE, most)
logging.error("there is room again")
"""
    log = home.path / "docsidecar.log"
    done = subprocess.run(
        [sys.executable, "-c", code, str(log)], capture_output=True, text=True, check=True, timeout=DEADLINE,
        env=home.environment, cwd=home.path,
    )  # fmt: skip
    assert "no room" not in done.stderr
    assert "a record that is wrong itself" in done.stderr
    assert "there is room again" in log.read_text("utf-8")


def test_a_sidecar_that_cannot_open_its_index_is_told_by_what_it_answers(home: Home) -> None:
    home.data.mkdir()
    with closing(sqlite3.connect(home.data / "index.db")) as connection:
        connection.execute("PRAGMA user_version = 9999")
    with pytest.raises(LoopbackError, match=r"it runs, and answers to `get_library_status`: .*newer"):
        try_session([*COMMAND, "--data-dir", str(home.data)], variables=home.environment)


def test_a_place_that_cannot_be_written_and_a_folder_that_is_gone(home: Home) -> None:
    home.data.write_text("a file")
    config = Config(folders=(Folder(home.path / "nowhere"),), data_dir=home.data)
    [place] = data_directory(config)
    assert (place.level, "cannot be written" in place.message, "--data-dir" in place.remedy) == ("problem", True, True)
    [folder] = folders(config)
    assert (folder.level, "does not exist" in folder.message) == ("problem", True)
    assert "problem" in {finding.level for finding in index(config)}


def test_an_index_of_a_newer_version_and_one_put_aside(home: Home) -> None:
    home.data.mkdir()
    connection = sqlite3.connect(home.data / "index.db")
    connection.execute("PRAGMA user_version = 9999")
    connection.commit()
    connection.close()
    (home.data / "index.db.damaged-20260101-000000").write_bytes(b"x")
    config = Config(data_dir=home.data)
    assert [f.message for f in index(config) if f.level == "problem" and "newer" in f.message]
    assert ["put aside" in finding.message for finding in data_directory(config)] == [False, True]


@posix
def test_a_data_directory_that_others_could_read_is_closed_and_it_is_said(home: Home) -> None:
    home.data.mkdir()
    home.data.chmod(0o755)
    for name, mode in (("index.db", 0o644), ("docsidecar.log", 0o640), ("open.lock", 0o600)):
        (home.data / name).touch()
        (home.data / name).chmod(mode)
    config = Config(data_dir=home.data)
    told, _ = data_directory(config)
    assert (told.level, told.message.endswith("only you can now.")) == ("fixed", True)
    assert [name in told.message for name in ("data,", "index.db", "docsidecar.log", "open.lock")] == [True] * 3 + [
        False
    ]
    assert {stat.S_IMODE(path.stat().st_mode) for path in home.data.iterdir()} == {0o600}
    assert [finding.level for finding in data_directory(config)] == ["ok"], "said once, when it was so"


@posix
def test_files_of_another_user(home: Home) -> None:
    home.data.mkdir()
    config = Config(data_dir=home.data)
    assert [finding.level for finding in permissions(config)] == ["ok"]
    if os.getuid() == 0:
        os.chown(home.data, 12345, -1)
        [finding] = permissions(config)
        assert (finding.level, "chown -R 0" in finding.remedy) == ("note", True)


@pytest.mark.skipif(sys.platform != "linux", reason="the state of a process is read from /proc")
def test_a_stopped_process_that_indexes(home: Home) -> None:
    with Raw(home.folder, home.data) as server:
        server.initialize()

        def held() -> bool:
            return server.call("get_library_status", {}, 1)["result"]["structuredContent"]["lease"]["held"]

        wait_for(held, "it holds the lease")
        stop(server.process.pid)
        try:
            found = {finding.what: finding for finding in index(Config(data_dir=home.data))}
        finally:
            server.process.send_signal(signal.SIGCONT)
        assert f"process {server.process.pid}, which indexes, is stopped" in found["lease"].message
        assert f"kill {server.process.pid}" in found["lease"].remedy


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is an interface of Linux")
def test_watch_limits(tmp_path: Path) -> None:
    """The kernel's numbers stand in files below /proc, here below a directory like it."""
    limits = tmp_path / "proc/sys/fs/inotify"
    limits.mkdir(parents=True)
    process = tmp_path / "proc/1234"
    (process / "fdinfo").mkdir(parents=True)
    (process / "fd").mkdir()
    (process / "fdinfo/3").write_text("pos:\t0\ninotify wd:1 ino:2\ninotify wd:2 ino:3\n")
    (process / "fd/3").symlink_to("anon_inode:inotify")
    for number in range(8):
        (tmp_path / f"folder/{number}").mkdir(parents=True)
    config = Config(folders=(Folder(tmp_path / "folder"),))

    def check(most: int, instances: int) -> list[tuple[str, str]]:
        (limits / "max_user_watches").write_text(str(most))
        (limits / "max_user_instances").write_text(str(instances))
        return [(f.level, f.message + f.remedy) for f in watches(config, tmp_path / "proc")]

    [(level, said)] = check(100_000, 128)
    assert (level, "2 in use" in said, "9 directories" in said) == ("ok", True, True)
    [(level, said)] = check(8, 128)
    assert (level, "max_user_watches=524288" in said) == ("problem", True)
    assert [level for level, _ in check(4000, 128)] == ["note"]
    found = check(100_000, 1)
    assert (found[0][0], "max_user_instances=4" in found[0][1]) == ("problem", True)
