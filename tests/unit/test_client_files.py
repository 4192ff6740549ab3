"""Our entry in the assistants' files: every other byte is kept, broken files are refused with their place."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.clients.configuration_files import BROKEN, COMMAND, SAMPLES, Sample

from sidecar.cli.clients import jsonc
from sidecar.cli.clients.entries import EntryChange, entry_in, installed, snippet, uninstalled
from sidecar.cli.clients.files import Backups, ClientFileError
from sidecar.cli.clients.table import CLIENTS, Machine, client_named


def backups(tmp_path: Path) -> Backups:
    return Backups(tmp_path / "backups")


def write(tmp_path: Path, sample: Sample) -> Path:
    file = tmp_path / f"settings.{client_named(sample.client).syntax}"
    file.write_bytes(sample.before)
    return file


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_only_our_entry_is_added(sample: Sample, tmp_path: Path) -> None:
    client, file = client_named(sample.client), write(tmp_path, sample)
    change = installed(client, file, COMMAND)
    assert change.after == sample.after
    kept = change.carry_out(backups(tmp_path))
    assert file.read_bytes() == sample.after
    assert kept is not None
    assert kept.read_bytes() == sample.before
    assert client.starts(entry_in(client, file) or {}) == COMMAND
    assert not installed(client, file, COMMAND).needed


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_taking_it_out_gives_the_file_back(sample: Sample, tmp_path: Path) -> None:
    client, file = client_named(sample.client), write(tmp_path, sample)
    installed(client, file, ("/old/docsidecar", "serve")).carry_out(backups(tmp_path))
    installed(client, file, COMMAND).carry_out(backups(tmp_path))
    uninstalled(client, file, backups(tmp_path)).carry_out(backups(tmp_path))
    assert file.read_bytes() == sample.before
    assert not uninstalled(client, file, backups(tmp_path)).needed


@pytest.mark.parametrize("sample", [s for s in SAMPLES if not s.loose], ids=lambda sample: sample.name)
def test_it_is_taken_out_of_a_file_that_changed_since(sample: Sample, tmp_path: Path) -> None:
    """The file begins otherwise than any backup, so only the entry itself can be cut out."""
    client, file = client_named(sample.client), write(tmp_path, sample)
    installed(client, file, COMMAND).carry_out(backups(tmp_path))
    lead = "# mine\n" if client.syntax == "toml" else "/* mine */ "
    mark = 3 if sample.mark else 0
    changed = sample.after[:mark] + lead.encode() + sample.after[mark:]
    file.write_bytes(changed)
    uninstalled(client, file, backups(tmp_path)).carry_out(backups(tmp_path))
    left = file.read_bytes().replace(b"\r\n", b"\n")
    assert left == (sample.before[:mark] + lead.encode() + sample.before[mark:]).replace(b"\r\n", b"\n")


@pytest.mark.parametrize(("what", "name", "content", "line", "column", "says"), BROKEN, ids=[b[0] for b in BROKEN])
def test_a_broken_file_is_refused_with_its_place(
    what: str, name: str, content: bytes, line: int, column: int, says: str, tmp_path: Path
) -> None:
    file = tmp_path / "settings"
    file.write_bytes(content)
    with pytest.raises(ClientFileError) as refusal:
        installed(client_named(name), file, COMMAND)
    assert f"line {line}, column {column}" in str(refusal.value), str(refusal.value)
    assert says in str(refusal.value), str(refusal.value)
    assert str(file) in str(refusal.value)
    assert file.read_bytes() == content


def test_what_the_user_added_to_our_entry_stays(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("""{
  "mcpServers": {
    "docsidecar": { // mine
      "command": "/gone/docsidecar",
      "env": {"LANG": "de"}, "disabled": true,
      "args": ["serve", "--folder", "/old"]
    }
  }
}
""")
    installed(client_named("cursor"), file, ("/new/docsidecar", "serve")).carry_out(backups(tmp_path))
    assert (
        file.read_text()
        == """{
  "mcpServers": {
    "docsidecar": { // mine
      "command": "/new/docsidecar",
      "env": {"LANG": "de"}, "disabled": true,
      "args": [
        "serve"
      ]
    }
  }
}
"""
    )


def test_what_codex_wrote_into_our_entry_stays_and_goes_with_it(tmp_path: Path) -> None:
    file, client = tmp_path / "config.toml", client_named("codex")
    file.write_text("""[mcp_servers.docsidecar]
command = "/gone/docsidecar" # mine
args = ["serve"]
startup_timeout_sec = 30

[mcp_servers.docsidecar.tools.read]
approval_mode = "approve"

[mcp_servers.other]
command = "x"
""")
    installed(client, file, ("/new/docsidecar", "serve")).carry_out(backups(tmp_path))
    assert (
        file.read_text()
        == """[mcp_servers.docsidecar]
command = "/new/docsidecar" # mine
args = ["serve"]
startup_timeout_sec = 30

[mcp_servers.docsidecar.tools.read]
approval_mode = "approve"

[mcp_servers.other]
command = "x"
"""
    )
    uninstalled(client, file, backups(tmp_path)).carry_out(backups(tmp_path))
    assert file.read_text() == '[mcp_servers.other]\ncommand = "x"\n'


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_a_file_of_ours_comes_and_goes(client: object, tmp_path: Path) -> None:
    from sidecar.cli.clients.table import Assistant

    assert isinstance(client, Assistant)
    file = tmp_path / "deep" / "er" / "settings"
    change = installed(client, file, COMMAND)
    assert change.carry_out(backups(tmp_path)) is None
    assert file.read_text("utf-8").rstrip("\n") == snippet(client, COMMAND)
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    uninstalled(client, file, backups(tmp_path)).carry_out(backups(tmp_path))
    assert not file.exists()


def test_an_object_we_made_goes_with_our_entry_although_the_client_rewrote_the_file(tmp_path: Path) -> None:
    file, client = tmp_path / ".claude.json", client_named("claude-code")
    file.write_text('{"numStartups": 1}')
    installed(client, file, COMMAND).carry_out(backups(tmp_path))
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, "numStartups": 2}, indent=2))
    uninstalled(client, file, backups(tmp_path)).carry_out(backups(tmp_path))
    assert file.read_text() == '{\n  "numStartups": 2\n}'


@pytest.mark.skipif(sys.platform == "win32", reason="links and permission bits are POSIX here")
def test_a_linked_file_stays_a_link_and_keeps_its_permissions(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "mcp.json"
    real.parent.mkdir()
    real.write_text("{}")
    real.chmod(0o640)
    file = tmp_path / "mcp.json"
    file.symlink_to("dotfiles/mcp.json")
    client = client_named("cursor")
    installed(client, file, COMMAND).carry_out(backups(tmp_path))
    assert file.readlink() == Path("dotfiles/mcp.json")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert "docsidecar" in real.read_text()
    assert [path.name for path in real.parent.iterdir()] == ["mcp.json"]
    uninstalled(client, file, backups(tmp_path)).carry_out(backups(tmp_path))
    assert (file.is_symlink(), real.read_text()) == (True, "{}")


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("{}")
    change = installed(client_named("cursor"), file, COMMAND)
    file.write_text('{"new": 1}')
    with pytest.raises(ClientFileError, match="changed by another program"):
        change.carry_out(backups(tmp_path))
    assert file.read_text() == '{"new": 1}'
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backups", "mcp.json"]


def test_backups_are_private_and_few(tmp_path: Path) -> None:
    file, kept = tmp_path / "mcp.json", backups(tmp_path)
    for number in range(14):
        file.write_text(json.dumps({"n": number}))
        EntryChange(file, file.read_bytes(), b"{}").carry_out(kept)
    assert [json.loads(content)["n"] for content in kept.of(file)] == list(range(13, 3, -1))
    if sys.platform != "win32":
        modes = {stat.S_IMODE(path.stat().st_mode) for path in kept.directory.iterdir()}
        assert (modes, stat.S_IMODE(kept.directory.stat().st_mode)) == ({0o600}, 0o700)


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6), st.just("// no remark /*"))
VALUES = st.recursive(
    LEAVES,
    lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(st.text(max_size=4), below, max_size=3)),
)
REMARKS = st.sampled_from(["", "", ' // one, { [ "', " /* two\n lines } */"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Objects as JSON writers and people lay them out, with remarks at line ends and commas before closing brackets."""
    members = draw(st.dictionaries(st.text(max_size=4), VALUES, max_size=4))
    if draw(st.booleans()):
        members["mcpServers"] = draw(st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3))
    indent = draw(st.sampled_from([None, 1, 2, 4, "\t"]))
    lines = json.dumps(members, indent=indent, ensure_ascii=draw(st.booleans())).split("\n")
    commas = draw(st.booleans())
    for number, line in enumerate(lines[:-1]):
        last = lines[number + 1].strip()[:1] in ("}", "]") and line.strip()[-1:] not in ("{", "[")
        lines[number] = line + ("," if last and commas else "") + draw(REMARKS)
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n"]))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@given(texts())
def test_any_layout_is_kept(text: str) -> None:
    before: dict[str, Any] = jsonc.read(text)
    edited = jsonc.put(text, ("mcpServers", "docsidecar"), {"command": "x"})
    servers = before.get("mcpServers", {})
    assert jsonc.read(edited) == {**before, "mcpServers": {**servers, "docsidecar": {"command": "x"}}}
    assert jsonc.remove(edited, ("mcpServers", "docsidecar"), prune="mcpServers" not in before) == text


HOME = Path("/home/me")
PLACES = {
    "linux": {
        "claude-desktop": "/home/me/.config/Claude/claude_desktop_config.json",
        "claude-code": "/home/me/.claude.json",
        "vscode": "/home/me/.config/Code/User/mcp.json",
        "vscode-insiders": "/home/me/.config/Code - Insiders/User/mcp.json",
        "cursor": "/home/me/.cursor/mcp.json",
        "windsurf": "/home/me/.codeium/windsurf/mcp_config.json",
        "zed": "/home/me/.config/zed/settings.json",
        "codex": "/home/me/.codex/config.toml",
        "gemini": "/home/me/.gemini/settings.json",
        "opencode": "/home/me/.config/opencode/opencode.json",
    },
    "darwin": {
        "claude-desktop": "/home/me/Library/Application Support/Claude/claude_desktop_config.json",
        "vscode": "/home/me/Library/Application Support/Code/User/mcp.json",
        "zed": "/home/me/.config/zed/settings.json",
        "opencode": "/home/me/.config/opencode/opencode.json",
    },
    "win32": {
        "claude-desktop": "/home/me/AppData/Roaming/Claude/claude_desktop_config.json",
        "vscode": "/home/me/AppData/Roaming/Code/User/mcp.json",
        "vscode-insiders": "/home/me/AppData/Roaming/Code - Insiders/User/mcp.json",
        "zed": "/home/me/AppData/Roaming/Zed/settings.json",
    },
}


@pytest.mark.parametrize("platform", PLACES)
def test_every_client_has_its_file_on_every_platform(platform: str) -> None:
    machine = Machine(HOME, {}, Path("/project"), platform)
    found = {client.name: client.file(machine, "user").as_posix() for client in CLIENTS}
    assert found | PLACES[platform] == found


def test_both_editions_of_an_editor_are_found(tmp_path: Path) -> None:
    for edition in ("Code", "Code - Insiders"):
        (tmp_path / ".config" / edition / "User").mkdir(parents=True)
    machine = Machine(tmp_path, {}, tmp_path, "linux")
    assert [client.name for client in CLIENTS if client.found(machine)] == ["vscode", "vscode-insiders"]


def test_variables_move_the_files() -> None:
    moved = {"XDG_CONFIG_HOME": "/x", "CODEX_HOME": "/c", "CLAUDE_CONFIG_DIR": "/d", "OPENCODE_CONFIG": "/o.json"}
    machine = Machine(HOME, moved, Path("/project"), "linux")
    found = {name: client_named(name).file(machine, "user").as_posix() for name in PLACES["linux"]}
    assert found["zed"] == "/x/zed/settings.json"
    assert found["codex"] == "/c/config.toml"
    assert found["claude-code"] == "/d/.claude.json"
    assert found["opencode"] == "/o.json"


def test_the_packaged_desktop_application_reads_its_own_file(tmp_path: Path) -> None:
    package = tmp_path / "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude"
    (tmp_path / "AppData/Roaming/Claude").mkdir(parents=True)
    client, machine = client_named("claude-desktop"), Machine(tmp_path, {}, tmp_path, "win32")
    assert client.file(machine, "user").parent == tmp_path / "AppData/Roaming/Claude"
    package.mkdir(parents=True)
    assert client.file(machine, "user") == package / "claude_desktop_config.json"


def test_project_files() -> None:
    machine = Machine(HOME, {}, Path("/project"), "linux")
    found = {c.name: c.file(machine, "project").as_posix() for c in CLIENTS if c.project}
    assert found == {
        "claude-code": "/project/.mcp.json",
        "vscode": "/project/.vscode/mcp.json",
        "vscode-insiders": "/project/.vscode/mcp.json",
        "cursor": "/project/.cursor/mcp.json",
        "zed": "/project/.zed/settings.json",
        "codex": "/project/.codex/config.toml",
        "gemini": "/project/.gemini/settings.json",
        "opencode": "/project/opencode.json",
    }
