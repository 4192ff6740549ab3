"""What each client does with results: one table, with where each line comes from, and `[server.client_rules]` above it.

A rule is about what the *model* gets to see in that client. The newest public word, as hints: clients change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from msgspec import structs

from sidecar.api import Client, Paid, Result, Text, shortened
from sidecar.toolkit.text import did_you_mean, without_steering

_POINTER = "The answer is in the structured content."


@dataclass(frozen=True)
class Rules:
    """How results are put for a client.

    `pictures`: as ImageContent, as EmbeddedResource, or only as a line with the URI. `embedded` and `links`: whether
    EmbeddedResource and ResourceLink blocks are passed, else they become text. `gives`: which half of an answer the
    model is given where both stand in it: its contents ("text"), the structured content in place of all contents
    ("structured"), or "both". `max_result_chars`: the limit we ask for in `_meta["anthropic/maxResultSizeChars"]` when
    the budget is above the client's own, 0 for none. `sources`: public threads (owner/repository#number), source files
    and pages that say so.

    No client pays twice. To one that gives "text" both halves are sent. To the others an answer whose tool has no
    `outputSchema` goes without structured content: contents are shorter, and pictures would be lost behind it. Where a
    tool has one, structured content must be sent, so contents do not count ("structured") or are a pointer ("both").
    What an "unknown" client does cannot be known: it gets both halves whole, and both count against the budget."""

    pictures: Literal["image", "embedded", "text"] = "image"
    embedded: bool = True
    links: bool = True
    gives: Literal["text", "structured", "both", "unknown"] = "unknown"
    max_result_chars: int = 0
    sources: tuple[str, ...] = field(default=(), compare=False)


_NAMES = "names: apify/mcp-client-capabilities README.md, Clients supported"

RULES: Mapping[str, Rules] = {
    # Links become a line of text, embedded pictures become pictures, other embedded bytes go to disk; beside structured
    # content no block reaches the model.
    "claude-code": Rules(
        gives="structured", max_result_chars=500_000, sources=("anthropics/claude-code#55677",
        "anthropics/claude-code#79944", "anthropics/claude-code#72271", "agentclientprotocol/claude-agent-acp#1093",
        "code.claude.com/docs/en/mcp, MCP output limits", _NAMES),
    ),
    # An embedded picture reaches the model but not the user's eye, so pictures go as ImageContent; the model may see
    # those from its next turn on only.
    "claude-ai": Rules(sources=("anthropics/claude-ai-mcp#287", "anthropics/claude-ai-mcp#643", _NAMES)),
    "claude desktop": Rules(
        sources=("anthropics/claude-ai-mcp#287", "name: not found, the application says claude-ai"),
    ),
    # An embedded text reaches the model as a link that it must follow, a plain text reaches it at once; structured
    # content takes the place of texts, not of pictures.
    "visual studio code": Rules(
        gives="structured", embedded=False,
        sources=("microsoft/vscode src/vs/workbench/contrib/mcp/common/mcpLanguageModelToolContribution.ts",
        "microsoft/vscode#247513", _NAMES),
    ),
    # "content type 'resource' not supported"; nothing was found on resource_link, which came later. Whether texts or
    # structured content reach the model is told both ways (modelcontextprotocol#1411, anthropics/claude-code#79944).
    "cursor": Rules(
        embedded=False, links=False, sources=("cursor/cursor#3400", "chatwork/chatwork-mcp-server#30", _NAMES),
    ),
    # Resources and links in results are dropped with a warning, pictures are passed on.
    "zed": Rules(
        gives="text", embedded=False, links=False, sources=("zed-industries/zed#56874", "zed-industries/zed#62360",
        "name: zed-industries/zed crates/context_server/src/context_server.rs"),
    ),
    # A link discards the whole result; what is neither text nor picture becomes its JSON; beside structured content
    # nothing else is passed on, pictures included.
    "codex": Rules(
        gives="structured", embedded=False, links=False, sources=("openai/codex#33404",
        "openai/codex codex-rs/protocol/src/models.rs, as_function_call_output_payload",
        "name: codex-mcp-client in openai/codex"),
    ),
    # Pictures are shown to models that can see; of an embedded resource all but its bytes; links failed validation.
    "cline": Rules(
        gives="text", embedded=False, links=False, sources=("cline/cline#1865", "cline/cline#5208",
        "cline/cline src/core/task/tools/handlers/UseMcpToolHandler.ts",
        "name: cline/cline src/services/mcp/McpHub.ts"),
    ),
    # Only texts of a result reach the model; a picture's URI can be read with access_mcp_resource, which shows it.
    "roo": Rules(
        gives="text", pictures="text", embedded=False, links=False, sources=("RooCodeInc/Roo-Code#5185",
        "RooCodeInc/Roo-Code#1962", "RooCodeInc/Roo-Code src/core/tools/UseMcpToolTool.ts",
        "name: RooCodeInc/Roo-Code src/services/mcp/McpHub.ts"),
    ),
    # "Unsupported response item type: resource_link" discards the whole result.
    "kiro": Rules(links=False, sources=("kirodotdev/Kiro#8960", "kirodotdev/Kiro#9439", "name: not found")),
    # Texts, pictures, sound, embedded resources and links are all turned into parts of the answer.
    "gemini-cli-mcp-client": Rules(
        gives="text",
        sources=("google-gemini/gemini-cli packages/core/src/tools/mcp-tool.ts, transformMcpContentToParts",
        "name: google-gemini/gemini-cli packages/core/src/tools/mcp-client.ts"),
    ),
    # Pictures and embedded resources of a result do not reach the model; texts and structured content both do.
    "github-copilot-developer": Rules(
        gives="both", pictures="text", embedded=False, sources=("github/copilot-cli#4515", "github/copilot-cli#4536",
        "github/app#1706", "github/app#1264", "name: not found in its own source"),
    ),
    # Pictures of a result are not passed to the model.
    "continue-client": Rules(
        gives="text", pictures="text", sources=("continuedev/continue#8898",
        "name: continuedev/continue core/context/mcp/MCPConnection.ts"),
    ),
    # Embedded texts are appended, embedded bytes attached; nothing was found on links.
    "opencode": Rules(gives="text", sources=("anomalyco/opencode#43123", "anomalyco/opencode#7879", _NAMES)),
    # Pictures are shown; of an embedded resource its text, URI and type; everything else as its JSON.
    "@librechat/api-client": Rules(
        gives="text", sources=("danny-avila/LibreChat#8447",
        "danny-avila/LibreChat packages/api/src/mcp/parsers.ts, formatToolContent", "danny-avila/LibreChat#6951",
        _NAMES),
    ),
    # Structured content is left out, so texts must say everything, as ours do; nothing was found on links.
    "goose": Rules(
        gives="text", sources=("aaif-goose/goose#2917", "aaif-goose/goose#10125",
        "name: block/goose crates/goose/src/agents/mcp_client.rs"),
    ),
}  # fmt: skip
"""Client name as it introduces itself, lower case; the longest one that begins the name or is a word of it counts.

Looked for without finding anything on results: Windsurf (`windsurf-client`), JetBrains AI Assistant and Junie.
"""

_DEFAULT = Rules()
_FIELDS = tuple(one.name for one in fields(Rules) if one.name != "sources")
_VALUES: Mapping[str, tuple[str, ...]] = {
    "pictures": ("image", "embedded", "text"), "gives": ("text", "structured", "both", "unknown"),
}  # fmt: skip
_KINDS: Mapping[type, str] = {bool: "true or false", int: "a whole number"}


def rules_for(client: Client, overrides: Mapping[str, Mapping[str, object]] | None = None) -> Rules:
    """The rules for a client. `overrides` (`[server.client_rules.NAME]`) replace single fields; "*" is every client.

    Fields that do not exist, and values that they do not take, are passed over (`mistaken_rules`)."""
    name = client.name.lower()
    known = [key for key in RULES if _fits(key, name)]
    rules = RULES[max(known, key=len)] if known else _DEFAULT
    for key, table in (overrides or {}).items():
        if key == "*" or _fits(key.lower(), name):
            rules = replace(rules, **{name: value for name, value in table.items() if _takes(name, value)})
    return rules


def _takes(name: str, value: object) -> bool:
    """Whether a rule has such a field that takes the value."""
    default = getattr(_DEFAULT, name, None)
    return name in _FIELDS and type(value) is type(default) and value in _VALUES.get(name, (value,))


def mistaken_rules(overrides: Mapping[str, Mapping[str, object]]) -> Iterator[str]:
    """A sentence with the key in front for each field of `[server.client_rules.NAME]` that is none, and each value that
    its field does not take."""
    for client, table in overrides.items():
        for name, value in table.items():
            key = f"server.client_rules.{without_steering(client)}.{without_steering(name)}"
            if name not in _FIELDS:
                meant = did_you_mean(name, _FIELDS, f"valid keys are {', '.join(_FIELDS)}.", mark="`")
                yield f"{key}: unknown key; {meant}"
            elif not _takes(name, value):
                values = " or ".join(map(repr, _VALUES.get(name, ()))) or _KINDS[type(getattr(_DEFAULT, name))]
                yield f"{key}: expected {values}, got {shortened(repr(value))}."


def paid(rules: Rules, *, schema: bool) -> Paid:
    """Which half of an answer the client's model pays for; `schema` says that the tool promises structured content."""
    if rules.gives == "unknown":
        return "both"
    return "structured" if schema and rules.gives != "text" else "text"


def fitted(result: Result, rules: Rules, *, schema: bool) -> Result:
    """The result without the half that a client would pay for twice, or that would keep the other from its model."""
    if rules.gives in ("text", "unknown") or result.structured is None or not result.contents:
        return result
    if schema:
        return structs.replace(result, contents=(Text(_POINTER),)) if rules.gives == "both" else result
    return structs.replace(result, structured=None) if result.whole else result


def _fits(key: str, name: str) -> bool:
    if name.startswith(key):
        return True
    words = name.replace("-", " ").replace("_", " ").replace("/", " ").split()
    return key in words
