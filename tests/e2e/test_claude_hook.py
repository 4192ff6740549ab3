"""The hook of the Claude Code plugin, given the JSON that Claude Code gives it (code.claude.com/docs/en/hooks)."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sidecar_library
from support.clients.harness import docx
from support.programs import program

from sidecar.cli.main import main

HOOKS = Path(sidecar_library.__file__).parent / "claude_code" / "hooks" / "hooks.json"


def event(path: Path | str, **given: Any) -> dict[str, Any]:
    """A PreToolUse event of a Read, as Claude Code 2.1 writes it."""
    return {
        "session_id": "5f0c6c2e-8b1a-4c57-9d5e-1f1e3a0c7c11",
        "transcript_path": "/home/me/.claude/projects/x/5f0c6c2e.jsonl",
        "cwd": "/home/me/project",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Read",
        "tool_input": {"file_path": str(path)} | given,
        "tool_use_id": "toolu_01ABC123",
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A watched folder, a configuration beside it, and a folder that nobody watches."""
    watched = tmp_path / "watched"
    for place in (watched, tmp_path / "elsewhere"):
        place.mkdir()
        (place / "Annual Report.docx").write_bytes(docx())
        (place / "numbers.XLSX").write_bytes(b"PK")
        (place / "talk.pptx").write_bytes(b"PK")
        (place / "small.pdf").write_bytes(b"%PDF-1.4")
        (place / "large.pdf").write_bytes(b"%PDF-1.4" + bytes(1_500_000))
        (place / "notes.md").write_text("# Notes")
    (tmp_path / "config.toml").write_text(f"[[folders]]\npath = {json.dumps(str(watched))}\n")
    return watched


def answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], config: Path, said: object
) -> dict[str, Any]:
    raw = said if isinstance(said, bytes) else json.dumps(said).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert main(["--config", str(config), "claude-hook"]) == 0
    out = capsys.readouterr()
    assert out.err == ""
    return json.loads(out.out)["hookSpecificOutput"] if out.out else {}


@pytest.mark.parametrize("name", ["Annual Report.docx", "numbers.XLSX", "talk.pptx", "large.pdf"])
def test_a_read_of_what_is_indexed_is_pointed_to_the_sidecar(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = folder.parent / "config.toml"
    said = answered(monkeypatch, capsys, config, event(folder / name))
    assert (said["hookEventName"], said["permissionDecision"]) == ("PreToolUse", "deny")
    assert f'"{name}"' in said["permissionDecisionReason"]
    assert "find_document" in said["permissionDecisionReason"]
    relative = event(name) | {"cwd": str(folder)}
    assert answered(monkeypatch, capsys, config, relative)["permissionDecision"] == "deny"


def batch(*calls: tuple[Path, str], tool: str = "Read") -> dict[str, Any]:
    """A PostToolBatch event, as Claude Code 2.1 writes it after tools have answered."""
    return {
        "cwd": "/home/me/project",
        "hook_event_name": "PostToolBatch",
        "tool_calls": [
            {"tool_name": tool, "tool_input": {"file_path": str(path)}, "tool_use_id": "toolu_0", "tool_response": said}
            for path, said in calls
        ],
    }


REFUSED = (
    "<tool_use_error>This tool cannot read binary files. The file appears to be a binary .docx file.</tool_use_error>"
)


def test_a_read_that_claude_code_refused_itself_is_pointed_to_the_sidecar_afterwards(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config, elsewhere = folder.parent / "config.toml", folder.parent / "elsewhere"
    report = folder / "Annual Report.docx"
    event = batch((report, REFUSED), (report, REFUSED), (elsewhere / "talk.pptx", REFUSED), (folder / "notes.md", "1"))
    said = answered(monkeypatch, capsys, config, event)
    assert set(said) == {"hookEventName", "additionalContext"}
    assert said["hookEventName"] == "PostToolBatch"
    first, second = said["additionalContext"].splitlines()
    assert '"Annual Report.docx"' in first
    assert "find_document" in first
    assert '"talk.pptx"' in second
    assert "docsidecar add" in second
    denied = "DocSidecar has it indexed."
    for nothing in (batch((report, denied)), batch((report, REFUSED), tool="Bash"), batch((folder / "notes.md", "1"))):
        assert answered(monkeypatch, capsys, config, nothing) == {}
    assert answered(monkeypatch, capsys, config, batch() | {"tool_calls": [None, 3, {}]}) == {}


def test_whatever_else_is_read_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = folder.parent / "config.toml"
    report = folder / "Annual Report.docx"
    passing: list[object] = [
        event(folder / "notes.md"),
        event(folder / "small.pdf"),
        event(folder / "large.pdf", pages="1-5"),
        event(folder / "missing.docx"),
        event(folder.parent / "elsewhere" / "large.pdf"),
        event(report) | {"tool_name": "Edit"},
        event(report) | {"hook_event_name": "PostToolUse"},
        event(report) | {"tool_input": None},
        event(report) | {"tool_input": {}},
        event("\0.docx"),
        [],
        None,
        b"not json",
        b"",
        b"\xff\xfe",
    ]
    for said in passing:
        assert answered(monkeypatch, capsys, config, said) == {}, said
    config.write_text("not = [toml")
    assert answered(monkeypatch, capsys, config, event(report)) == {}, "a broken configuration stops no Read"


def test_an_office_file_nobody_watches_is_read_with_a_hint(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = folder.parent / "elsewhere" / "Annual Report.docx"
    said = answered(monkeypatch, capsys, folder.parent / "config.toml", event(place))
    assert "permissionDecision" not in said
    assert "docsidecar add" in said["additionalContext"]


@pytest.mark.skipif(sys.platform == "win32", reason="Claude Code runs hooks in Git Bash there")
def test_only_batches_that_name_an_office_file_start_the_program(folder: Path, tmp_path: Path) -> None:
    ((entry,),) = (entries["hooks"] for entries in json.loads(HOOKS.read_text("utf-8"))["hooks"]["PostToolBatch"])
    (programs := tmp_path / "programs").mkdir()
    (programs / "docsidecar").write_text('#!/bin/sh\ncat > "$(dirname "$0")/../got"\necho $1\n')
    (programs / "docsidecar").chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}

    def ran(event: dict[str, Any]) -> str:
        return subprocess.run(
            ["/bin/sh", "-c", entry["command"]], input=json.dumps(event), text=True, capture_output=True,
            env=environment, timeout=300, check=True,
        ).stdout  # fmt: skip

    assert ran(batch((folder / "notes.md", "plain\\n $(text) %s"))) == ""
    event = batch((folder / "numbers.XLSX", "it's \\n 100 % $HOME"))
    assert ran(event) == "claude-hook\n"
    assert json.loads((tmp_path / "got").read_text("utf-8")) == event


def test_the_hook_runs_as_the_plugin_names_it(folder: Path) -> None:
    entries = json.loads(HOOKS.read_text("utf-8"))["hooks"]["PreToolUse"]
    (entry,) = entries
    assert entry["matcher"] == "Read"
    assert {hook["if"] for hook in entry["hooks"]} == {f"Read(**/*.{end})" for end in ("docx", "xlsx", "pptx", "pdf")}
    (command,) = {hook["command"] for hook in entry["hooks"]}
    name, *words = command.split()
    assert name == "docsidecar"
    environment = {**os.environ, "DOCSIDECAR_CONFIG": str(folder.parent / "config.toml")}
    done = program.run(*words, given=json.dumps(event(folder / "talk.pptx")), environment=environment)
    assert done.returncode == 0
    assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
