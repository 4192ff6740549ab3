"""The assistants we can enter ourselves into: where each keeps its servers on each platform, and how it writes one.

One table, from each vendor's documentation; `sources` says which. It opens no file, it only looks which is there."""

import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sidecar.api import UsageError
from sidecar.toolkit.text import did_you_mean

Scope = Literal["user", "project"]


@dataclass(frozen=True)
class Machine:
    """The user's machine as far as paths depend on it; `project` is the directory of the project scope."""

    home: Path
    environment: Mapping[str, str]
    project: Path
    platform: str = sys.platform

    def variable(self, name: str, fallback: Path) -> Path:
        """The directory an environment variable names, or the fallback."""
        return Path(self.environment[name]) if self.environment.get(name) else fallback

    @property
    def roaming(self) -> Path:
        """Where applications of this platform keep their users' settings."""
        if self.platform == "win32":
            return self.variable("APPDATA", self.home / "AppData" / "Roaming")
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        return self.xdg

    @property
    def xdg(self) -> Path:
        """`$XDG_CONFIG_HOME`, which some programs heed on every platform."""
        return self.variable("XDG_CONFIG_HOME", self.home / ".config")


@dataclass(frozen=True)
class Assistant:
    """One assistant. `user` gives the places of its file, the likeliest first: the first that is there is its own, or
    whose directory is there, or the first. `project` does so relative to a project's directory, () where it has none.
    `key` is where servers stand. `joined` says that command and arguments are one list; `fixed` is written when ours is
    new, and left to the user afterwards. `programs` show that it is installed, `after` is what makes it see us."""

    name: str
    title: str
    key: tuple[str, ...]
    user: Callable[[Machine], list[Path]]
    project: tuple[str, ...] = ()
    syntax: Literal["jsonc", "toml"] = "jsonc"
    joined: bool = False
    fixed: Mapping[str, object] = field(default_factory=dict[str, object])
    programs: tuple[str, ...] = ()
    after: str = "restart it"
    sources: tuple[str, ...] = ()

    def entry(self, command: str, arguments: tuple[str, ...]) -> dict[str, object]:
        """The values of ours that start that command."""
        if self.joined:
            return {"command": [command, *arguments]}
        return {"command": command, "args": list(arguments)}

    def starts(self, entry: Mapping[str, object]) -> tuple[str, ...]:
        """The command and arguments of an entry as it stands in the file, () where it starts none."""
        command, arguments = entry.get("command"), entry.get("args", [])
        words: list[object] = command if isinstance(command, list) else [command]  # pyright: ignore[reportUnknownVariableType]
        words = [*words, *(arguments if isinstance(arguments, list) and not self.joined else [])]
        return tuple(str(word) for word in words) if all(isinstance(word, str) for word in words) else ()

    def variables(self, entry: Mapping[str, object]) -> dict[str, str]:
        """The environment variables an entry sets."""
        values = entry.get("environment" if self.joined else "env")
        return {str(key): str(value) for key, value in values.items()} if isinstance(values, dict) else {}  # pyright: ignore[reportUnknownVariableType]

    def file(self, machine: Machine, scope: Scope) -> Path:
        """The file of that scope, which may not exist. Raises UsageError where the client has no such scope."""
        if scope == "project":
            if not self.project:
                raise UsageError(f"{self.title} has no configuration of a project; use --scope user.")
            places = [machine.project / name for name in self.project]
        else:
            places = self.user(machine)
        there = [place for place in places if place.exists()]
        near = [place for place in places if place.parent.is_dir()]
        return (there or near or places)[0]

    def found(self, machine: Machine) -> bool:
        """Whether this machine seems to have the client: its file, the directory of it, or its program."""
        places = self.user(machine)
        own = [place.parent for place in places if place.parent != machine.home]
        if any(place.exists() for place in [*places, *own]):
            return True
        path = machine.environment.get("PATH", "")
        return any(shutil.which(program, path=path) for program in self.programs)


def _claude_desktop(machine: Machine) -> list[Path]:
    name = "claude_desktop_config.json"
    classic = machine.roaming / "Claude" / name
    if machine.platform != "win32":
        return [classic]
    # The packaged application sees a file system of its own; what stands in the classic place it never reads.
    packages = machine.variable("LOCALAPPDATA", machine.home / "AppData" / "Local") / "Packages"
    return [*(folder / "LocalCache/Roaming/Claude" / name for folder in sorted(packages.glob("Claude_*"))), classic]


def _vscode(machine: Machine) -> list[Path]:
    places = [machine.roaming / edition / "User/mcp.json" for edition in ("Code", "VSCodium")]
    if machine.platform == "linux":
        places.append(machine.home / ".var/app/com.visualstudio.code/config/Code/User/mcp.json")
    return places


def _zed(machine: Machine) -> list[Path]:
    if machine.platform == "win32":
        return [machine.roaming / "Zed/settings.json"]
    if machine.platform == "darwin":
        return [machine.home / ".config/zed/settings.json"]
    return [machine.xdg / "zed/settings.json", machine.home / ".var/app/dev.zed.Zed/config/zed/settings.json"]


def _opencode(machine: Machine) -> list[Path]:
    if machine.environment.get("OPENCODE_CONFIG"):
        return [Path(machine.environment["OPENCODE_CONFIG"])]
    folder = machine.xdg / "opencode"
    return [folder / name for name in ("opencode.json", "opencode.jsonc", "config.json")]


CLIENTS: tuple[Assistant, ...] = (
    Assistant(
        "claude-desktop", "Claude Desktop", ("mcpServers",), _claude_desktop,
        programs=("claude-desktop",), after="quit and start it again",
        sources=(
            "modelcontextprotocol.io/docs/develop/connect-local-servers",
            "anthropics/claude-code#26073 and #38830 (the packaged application on Windows)",
            "aaddrick/claude-desktop-debian#27 (Linux)",
        ),
    ),
    Assistant(
        "claude-code", "Claude Code", ("mcpServers",),
        lambda machine: [machine.variable("CLAUDE_CONFIG_DIR", machine.home) / ".claude.json"],
        (".mcp.json",), fixed={"type": "stdio"}, programs=("claude",), after="start a new session",
        sources=("code.claude.com/docs/en/mcp, MCP installation scopes", "anthropics/claude-agent-sdk-python#38"),
    ),
    Assistant(
        "vscode", "VS Code", ("servers",), _vscode, (".vscode/mcp.json",),
        fixed={"type": "stdio"}, programs=("code", "codium"), after="start it from MCP: List Servers",
        sources=("code.visualstudio.com/docs/agents/reference/mcp-configuration",),
    ),
    Assistant(
        "vscode-insiders", "VS Code Insiders", ("servers",),
        lambda machine: [machine.roaming / "Code - Insiders/User/mcp.json"], (".vscode/mcp.json",),
        fixed={"type": "stdio"}, programs=("code-insiders",), after="start it from MCP: List Servers",
        sources=("code.visualstudio.com/docs/agents/reference/mcp-configuration",),
    ),
    Assistant(
        "cursor", "Cursor", ("mcpServers",), lambda machine: [machine.home / ".cursor/mcp.json"], (".cursor/mcp.json",),
        programs=("cursor",), after="switch it on among the MCP servers", sources=("cursor.com/docs/mcp",),
    ),
    Assistant(
        "windsurf", "Windsurf", ("mcpServers",), lambda machine: [machine.home / ".codeium/windsurf/mcp_config.json"],
        programs=("windsurf",), after="refresh its MCP servers", sources=("docs.windsurf.com/windsurf/cascade/mcp",),
    ),
    Assistant(
        "zed", "Zed", ("context_servers",), _zed, (".zed/settings.json",), programs=("zed", "zeditor"),
        after="it starts at once", sources=("zed.dev/docs/ai/mcp", "zed.dev/docs/configuring-zed"),
    ),
    Assistant(
        "codex", "Codex", ("mcp_servers",),
        lambda machine: [machine.variable("CODEX_HOME", machine.home / ".codex") / "config.toml"],
        (".codex/config.toml",), "toml", programs=("codex",), after="start a new session",
        sources=("developers.openai.com/codex/mcp",),
    ),
    Assistant(
        "gemini", "Gemini CLI", ("mcpServers",), lambda machine: [machine.home / ".gemini/settings.json"],
        (".gemini/settings.json",), programs=("gemini",), after="start a new session",
        sources=("geminicli.com/docs/tools/mcp-server",),
    ),
    Assistant(
        "opencode", "opencode", ("mcp",), _opencode, ("opencode.json", "opencode.jsonc", ".opencode/opencode.json"),
        joined=True, fixed={"type": "local", "enabled": True}, programs=("opencode",), after="start a new session",
        sources=("opencode.ai/docs/mcp-servers", "opencode.ai/docs/config", "opencode.ai/docs/migrate-v1"),
    ),
)  # fmt: skip


def client_named(name: str) -> Assistant:
    """The client of that name or title. Raises UsageError with the near one."""
    wanted = name.strip().lower().replace(" ", "-").replace("_", "-")
    for client in CLIENTS:
        if wanted in (client.name, client.title.lower().replace(" ", "-")):
            return client
    names = [client.name for client in CLIENTS]
    hint = did_you_mean(wanted, names, f"the clients are {', '.join(names)}.", mark="`")
    raise UsageError(f"there is no client {name!r}; {hint}")
