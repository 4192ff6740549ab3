"""`install` and `uninstall` as a user meets them: real files in a home of its own, a real session through the entry."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from support.programs import program

COMMAND = [sys.executable, "-m", "sidecar.cli.main"]


class Home:
    """A home with two documents, where no assistant is known yet."""

    def __init__(self, home: Path) -> None:
        self.path = home
        self.folder = home / "my documents"
        self.folder.mkdir()
        (self.folder / "notes.md").write_text("# Animals\n\nThe capybara rests by the river.\n")
        (self.folder / "list.csv").write_text("animal,count\nnarwhal,12\n")
        gone = ("DOCSIDECAR_CONFIG", "DOCSIDECAR_DATA_DIR", "DOCSIDECAR_FOLDERS", "CODEX_HOME", "CLAUDE_CONFIG_DIR")
        gone += ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "OPENCODE_CONFIG", "PATH")
        self.environment = {key: value for key, value in os.environ.items() if key not in gone}
        self.environment |= {"HOME": str(home), "USERPROFILE": str(home), "PATH": str(home / "bin")}
        self.environment |= {"APPDATA": str(home / "Roaming"), "LOCALAPPDATA": str(home / "Local")}

    def run(self, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        """Standard input is no terminal, and stays open: whoever asks there waits for ever."""
        read, write = os.pipe()
        try:
            done = program.run(*words, stdin=read, environment=self.environment, directory=self.path)
        finally:
            os.close(read)
            os.close(write)
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        return done


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_a_client_is_entered_tried_and_left_again(home: Home) -> None:
    file = home.path / ".cursor" / "mcp.json"
    file.parent.mkdir()
    before = b'{\r\n  "mcpServers": {\r\n    "a": { "url": "https://example.org" }, // keep\r\n  }\r\n}\r\n'
    file.write_bytes(before)
    said = home.run("install", "cursor", "--folder", str(home.folder)).stdout
    assert "Cursor will see 2 documents; try: " in said
    assert "notes.md" in said or "list.csv" in said
    after = file.read_bytes()
    assert after.startswith(before[:-10])
    assert str(home.folder).encode() in after.replace(b"\\\\", b"\\")
    again = home.run("install", "cursor", "--folder", str(home.folder), "--dry-run").stdout
    assert "has this entry already" in again
    assert "Cursor" in home.run("uninstall").stdout
    assert str(file) in home.run("uninstall", "cursor").stdout
    assert file.read_bytes() == before
    assert "has no entry" in home.run("uninstall", "cursor").stdout


def test_a_project_gets_its_own_file(home: Home) -> None:
    said = home.run("install", "Claude Code", "--scope", "project", "--folder", str(home.folder)).stdout
    entry = json.loads((home.path / ".mcp.json").read_text("utf-8"))["mcpServers"]["docsidecar"]
    assert entry["type"] == "stdio"
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-2:] == ["--folder", str(home.folder)]
    assert "Claude Code will see 2 documents" in said
    home.run("uninstall", "claude-code", "--scope", "project")
    assert not (home.path / ".mcp.json").exists()
    assert "no configuration of a project" in home.run("install", "windsurf", "--scope", "project", code=2).stderr


def test_claude_code_is_offered_the_plugin_where_its_hook_works(home: Home) -> None:
    assert "plugin" not in home.run("install", "claude-code", "--folder", str(home.folder)).stdout
    program = home.path / "bin" / ("docsidecar.bat" if sys.platform == "win32" else "docsidecar")
    program.parent.mkdir()
    program.write_text("")
    program.chmod(0o755)
    said = home.run("install", "claude-code", "--folder", str(home.folder)).stdout
    assert "claude plugin install docsidecar@docsidecar" in said
    place = Path(said.partition('marketplace add "')[2].partition('"')[0])
    offered = json.loads((place / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    assert [plugin["name"] for plugin in offered["plugins"]] == ["docsidecar"]
    assert (place / offered["plugins"][0]["source"] / ".claude-plugin" / "plugin.json").is_file()


def test_nothing_is_written_when_only_asked(home: Home) -> None:
    shown = home.run("install", "codex", "--folder", str(home.folder), "--dry-run").stdout
    assert "+[mcp_servers.docsidecar]" in shown
    printed = home.run("install", "vscode", "--folder", str(home.folder), "--print").stdout
    assert json.loads(printed)["servers"]["docsidecar"]["args"][0] == "serve"
    assert sorted(path.name for path in home.path.iterdir()) == ["my documents"]


def test_without_a_client_and_a_terminal_they_are_listed(home: Home) -> None:
    assert "no assistant" in home.run("install", code=1).stderr
    (home.path / ".codex").mkdir()
    (home.path / ".codex" / "config.toml").write_text("model = 'x'\n")
    (home.path / ".gemini").mkdir()
    (home.path / ".gemini" / "settings.json").write_text("{oops}")
    listed = home.run("install", code=1).stdout
    assert "codex" in listed
    assert "settings.json:1:2" in listed
    assert "docsidecar install CLIENT" in listed
    assert (home.path / ".codex" / "config.toml").read_text() == "model = 'x'\n"


def test_a_script_takes_it_out_of_all_at_once(home: Home) -> None:
    entry = '"docsidecar": { "command": "docsidecar", "args": ["serve"] }'
    kept = '{ "mcpServers": { "a": { "command": "a" }'
    for name in (".cursor", ".gemini", ".codex", ".vscode"):
        (home.path / name).mkdir()
    (home.path / ".cursor" / "mcp.json").write_text(f"{kept}, {entry} }} }} // mine")
    (home.path / ".gemini" / "settings.json").write_text("{oops}")
    (home.path / ".codex" / "config.toml").write_text("[mcp_servers.docsidecar]\ncommand = 'x'\n\n[other]\n")
    (home.path / ".vscode" / "mcp.json").write_text(f'{{"servers": {{ {entry} }} }}')
    assert home.run("uninstall", "--all", "--dry-run", code=1).stdout.count("\n+++ ") == 2
    done = home.run("uninstall", "--all", code=1)  # what cannot be parsed is said, and the others are done
    assert "settings.json:1:2" in done.stderr
    assert (home.path / ".cursor" / "mcp.json").read_text() == f"{kept} }} }} // mine"
    assert (home.path / ".codex" / "config.toml").read_text() == "[other]\n"
    (home.path / ".gemini" / "settings.json").unlink()
    assert "Insiders" not in home.run("uninstall", "--all", "--scope", "project").stdout  # they share the file
    assert json.loads((home.path / ".vscode" / "mcp.json").read_text())["servers"] == {}
    assert "name a client, or say --all" in home.run("uninstall", "cursor", "--all", code=2).stderr


def test_an_entry_that_does_not_work_is_told(home: Home) -> None:
    (home.path / "settings.toml").write_text("[index]\nworker = 1\n")
    failed = home.run("install", "cursor", "--config", str(home.path / "settings.toml"), code=2).stderr
    assert "settings.toml:2" in failed
    assert not (home.path / ".cursor").exists()
    assert "does not exist" in home.run("install", "cursor", "--folder", "nowhere", code=2).stderr
    assert "did you mean `cursor`" in home.run("install", "curser", code=2).stderr


def command_of(home: Home, *command: str | Path) -> list[str]:
    """The entry that this program, started that way, would write."""
    words = [*map(str, command), "install", "opencode", "--print"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=home.environment, cwd=home.path)
    found: list[str] = json.loads(done.stdout)["mcp"]["docsidecar"]["command"]
    return found


SCRIPT = Path(sysconfig.get_path("scripts")) / "docsidecar"
installed = pytest.mark.skipif(
    sys.platform == "win32" or sys.prefix == sys.base_prefix or not SCRIPT.exists(),
    reason="needs the script of a virtual environment, and links",
)


@installed
def test_the_command_is_the_one_that_goes_on_working(home: Home) -> None:
    assert command_of(home, *COMMAND) == [str(SCRIPT), "serve"]
    assert command_of(home, SCRIPT, "--folder", home.folder) == [str(SCRIPT), "serve", "--folder", str(home.folder)]
    link = home.path / "bin" / "docsidecar"  # as pipx and uv tool install put it on the PATH
    link.parent.mkdir()
    link.symlink_to(SCRIPT)
    assert command_of(home, link) == [str(link), "serve"]


@installed
def test_a_copy_that_only_uvx_keeps_is_started_by_uvx(home: Home) -> None:
    passing = home.path / "archive-v0" / "abc"
    passing.parent.mkdir()
    passing.symlink_to(sys.prefix)
    python = passing / "bin" / "python"
    words = [str(python), "-m", "sidecar.cli.main", "install", "cursor"]
    failed = subprocess.run(words, capture_output=True, text=True, check=False, env=home.environment, cwd=home.path)
    assert (failed.returncode, "uv tool install docsidecar" in failed.stderr) == (2, True)
    uvx = home.path / "bin" / "uvx"
    uvx.parent.mkdir()
    uvx.write_text("#!/bin/sh\n")
    uvx.chmod(0o755)
    assert command_of(home, python, "-m", "sidecar.cli.main") == [str(uvx), "docsidecar", "serve"]


def test_what_the_shell_alone_knows_stands_in_the_entry(home: Home) -> None:
    (home.path / "my.toml").write_text("")
    home.environment |= {"DOCSIDECAR_CONFIG": "my.toml", "DOCSIDECAR_DATA_DIR": "data"}
    home.environment |= {"DOCSIDECAR_FOLDERS": "my documents"}
    words = ["--folder", str(home.folder), "--config", str(home.path / "my.toml")]
    words += ["--data-dir", str(home.path / "data")]
    assert command_of(home, *COMMAND)[1:] == ["serve", *words]


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_on_a_terminal_each_is_offered(home: Home) -> None:
    for name in (".codex", ".cursor", ".gemini"):
        (home.path / name).mkdir()
    ours, theirs = os.openpty()
    os.write(ours, b"n\ny\n\x04")  # the third time there is no answer any more
    asked = b""
    try:
        try:
            done = subprocess.run(
                [*COMMAND, "install", "--folder", str(home.folder)], stdin=theirs, stderr=theirs,
                stdout=subprocess.PIPE, env=home.environment, cwd=home.path, timeout=300, check=False, text=True,
            )  # fmt: skip
        finally:
            os.close(theirs)
        with contextlib.suppress(OSError):  # Linux says so where others give an empty end
            while more := os.read(ours, 4096):
                asked += more
    finally:
        os.close(ours)
    assert (asked.count(b"[Y/n]"), done.returncode) == (3, 0)
    files = (".cursor/mcp.json", ".codex/config.toml", ".gemini/settings.json")
    assert [(home.path / file).exists() for file in files] == [False, True, False]
    assert "Codex will see 2 documents" in done.stdout


def test_serving_imports_nothing_of_it() -> None:
    """The client waits for the start of a server; what edits its file must not make it longer. Only the modules that
    declare the commands' options are read."""
    names = ("sidecar.cli.clients", "sidecar.cli.checks", "tomlkit", "mcp", "sidecar.server")
    declaring = {"clients", "clients.install", "clients.claude_hook", "checks", "checks.doctor"}
    code = "import sys, sidecar.cli.main as main; main.build_parser(['serve']); "
    code += f"print(*[name for name in sys.modules if name.startswith({names})], sep='\\n')"
    read = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set(read) <= {f"sidecar.cli.{name}" for name in declaring}


def test_the_names_in_the_help_are_all_clients() -> None:
    from sidecar.cli.clients.table import CLIENTS
    from sidecar.cli.main import build_parser

    with pytest.raises(SystemExit):
        build_parser().parse_args(["install", "--help"])
    shown = subprocess.run([*COMMAND, "install", "--help"], capture_output=True, text=True, check=True).stdout
    assert ", ".join(client.name for client in CLIENTS) in " ".join(shown.split())
