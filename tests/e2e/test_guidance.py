"""What teaches an assistant to use the sidecar, as a client of each era sees it: prompts, completions, skills."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
import yaml
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from pydantic import ConfigDict
from support.clients.harness import ERAS, fill, in_process
from support.clients.opened import Opened

from sidecar.registry.features import load_features

SKILL = "skill://docsidecar/SKILL.md"
EXTENSION = "io.modelcontextprotocol/skills"


class Answer(types.Result):
    """A result of any shape."""

    model_config = ConfigDict(extra="allow")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    home = tmp_path_factory.mktemp("guidance")
    folder = home / "reports"
    fill(folder)
    (folder / "long.md").write_text("".join(f"# Chapter {n}\n\n{'Ice moves slowly. ' * 300}\n\n" for n in range(12)))
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 no archive")
    with Opened(home, lambda: in_process(folder, home / "data")) as library:
        yield library


async def prompted(client: Client, name: str, **arguments: str) -> str:
    (message,) = (await client.get_prompt(name, arguments)).messages
    assert message.role == "user"
    assert isinstance(message.content, types.TextContent)
    return message.content.text


async def asked(client: Client, method: str, **params: Any) -> dict[str, Any]:
    request = types.Request[dict[str, Any], str](method=method, params=params)
    return (await client.session.send_request(request, Answer)).model_dump()


@pytest.mark.parametrize("era", ERAS)
def test_prompts_are_listed_and_name_tools_that_exist(library: Opened, era: str) -> None:
    async def body(client: Client) -> None:
        listed = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        assert list(listed) == ["find-and-cite", "summarise-document", "what-can-you-see"]
        required = {
            name: [one.name for one in prompt.arguments or () if one.required] for name, prompt in listed.items()
        }
        assert required == {"find-and-cite": ["question"], "summarise-document": ["document"], "what-can-you-see": []}
        tools = {tool.name for tool in (await client.list_tools()).tools}
        texts = [
            await prompted(client, "summarise-document", document="long.md", focus="the ice"),
            await prompted(client, "summarise-document", document="notes"),
            await prompted(client, "find-and-cite", question="How heavy is a wombat?", folder="reports"),
            await prompted(client, "what-can-you-see"),
            # As Claude Code hands on "/find-and-cite How heavy is a wombat?".
            await prompted(client, "find-and-cite", question="How", folder="heavy"),
        ]
        assert "12 chapters" in texts[0]
        assert "the ice" in texts[0]
        assert "document://notes.md" in texts[1], "a short document is read whole"
        assert "How heavy is a wombat?" in texts[2]
        assert "folder='reports'" in texts[2]
        assert "<command-args>" not in texts[0] + texts[2]
        assert "<command-args>" in texts[4], "what a client cut off is looked for where it shows it"
        assert "folder='heavy', unless <command-args> stands there." in texts[4], "which may be a word of the question"
        for text in texts:
            named = set(re.findall(r"`([a-z_]+)`", text))
            assert named
            assert named <= tools

    library.play(body, era)


@pytest.mark.parametrize("era", ERAS)
def test_a_prompt_asked_for_wrongly_is_refused_in_a_sentence(library: Opened, era: str) -> None:
    cases: list[tuple[str, dict[str, str], str]] = [
        ("summarize-document", {}, "did you mean summarise-document"),
        ("summarise-document", {}, "needs the argument document"),
        ("summarise-document", {"document": "  "}, "needs the argument document"),
        ("summarise-document", {"document": "xyzzy-quux"}, "No document is called"),
        ("summarise-document", {"document": "broken.docx"}, "could not be read"),
        ("find-and-cite", {"question": "x", "color": "red"}, "no argument 'color'"),
        ("what-can-you-see", {"x": "y"}, "it has none"),
    ]

    async def body(client: Client) -> None:
        for name, arguments, says in cases:
            with pytest.raises(MCPError, match=re.escape(says)) as refused:
                await client.get_prompt(name, arguments)
            assert refused.value.error.code == types.INVALID_PARAMS

    library.play(body, era)


@pytest.mark.parametrize("era", ERAS)
def test_arguments_of_prompts_are_completed(library: Opened, era: str) -> None:
    async def body(client: Client) -> None:
        async def values(prompt: str, argument: str, typed: str) -> list[str]:
            reference = types.PromptReference(name=prompt)
            answer = await client.complete(reference, {"name": argument, "value": typed})
            return answer.completion.values

        assert await values("summarise-document", "document", "no") == ["notes"]
        assert await values("find-and-cite", "folder", "rep") == ["reports"]
        assert await values("find-and-cite", "question", "How") == []
        with pytest.raises(MCPError, match="no prompt"):
            await values("nothing-like-it", "document", "")

    library.play(body, era)


@pytest.mark.parametrize("era", ERAS)
def test_the_skill_is_served_with_its_digest(library: Opened, era: str) -> None:
    async def body(client: Client) -> None:
        if era == "auto":  # the handshake era has no word for extensions; there the methods answer all the same
            assert (client.server_capabilities.extensions or {}).get(EXTENSION) == {}
        listed = await asked(client, "skills/list")
        assert (listed["cacheScope"], listed["resultType"]) == ("public", "complete")
        assert listed["ttlMs"] > 0
        (entry,) = listed["skills"]
        assert (await asked(client, "skills/get", uri=SKILL))["skill"] == entry
        content = (await client.read_resource(SKILL)).contents[0]
        assert isinstance(content, types.TextResourceContents)
        assert content.mime_type == "text/markdown"
        raw = content.text.encode()
        digest = f"sha256:{hashlib.sha256(raw).hexdigest()}"
        assert entry["resources"] == [{"uri": SKILL, "digest": digest, "size": len(raw)}]
        assert entry["uri"] == SKILL
        assert entry["frontmatter"] == yaml.safe_load(content.text.split("---\n")[1])
        assert 0 < len(entry["frontmatter"]["description"]) <= 1024, "agentskills.io/specification"
        tools = {tool.name for tool in (await client.list_tools()).tools}
        named = set(re.findall(r"`([a-z_]+)\(", content.text))
        assert len(named) > 8
        assert named <= tools
        for uri in ("skill://other/SKILL.md", "tour://library", ""):
            with pytest.raises(MCPError) as refused:
                await asked(client, "skills/get", uri=uri)
            assert refused.value.error.code == types.INVALID_PARAMS
        with pytest.raises(MCPError, match="cursor"):
            await asked(client, "skills/list", cursor="x")

    library.play(body, era)


def test_the_shipped_plugin_for_claude_code_is_whole() -> None:
    import sidecar_library

    from sidecar import __version__

    root = Path(sidecar_library.__file__).parent / "claude_code"
    manifest = json.loads((root / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    assert (manifest["name"], manifest["version"]) == ("docsidecar", __version__)
    checkout = Path(__file__).parents[2]
    market = json.loads((checkout / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    (offered,) = market["plugins"]
    assert offered["name"] == manifest["name"]
    assert json.loads((checkout / offered["source"] / ".claude-plugin" / "plugin.json").read_text("utf-8")) == manifest
    beside = json.loads((root / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    assert beside == market | {"plugins": [offered | {"source": "./"}]}
    servers = json.loads((root / ".mcp.json").read_text("utf-8"))["mcpServers"]
    assert servers == {"docsidecar": {"command": "docsidecar", "args": ["serve"]}}
    served_text = load_features().skills["docsidecar"].text
    assert (root / "skills" / "docsidecar" / "SKILL.md").read_text("utf-8") == served_text
