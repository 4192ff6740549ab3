"""What each client does with results: one table, with where each line comes from, and `[server.client_rules]` above it.

A rule is about what the *model* gets to see in that client. The newest public word, as hints: clients change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from sidecar.api import Client

__all__ = ["RULES", "Rules", "rules_for"]


@dataclass(frozen=True)
class Rules:
    """How results are put for a client.

    `pictures`: as ImageContent, as EmbeddedResource, or only as a line with the URI. `embedded` and `links`: whether
    EmbeddedResource and ResourceLink blocks are passed, else they become text. `max_result_chars`: the limit we ask
    for in `_meta["anthropic/maxResultSizeChars"]` when the budget is above the client's own, 0 for none.
    """

    pictures: Literal["image", "embedded", "text"] = "image"
    embedded: bool = True
    links: bool = True
    max_result_chars: int = 0


RULES: Mapping[str, Rules] = {
    # resource_link since 1.0.44; embedded PNG, JPEG, GIF and WebP become images, other blobs go to disk
    # (claude-code#72271); the size request is honoured up to 500,000 characters.
    "claude-code": Rules(max_result_chars=500_000),
    # An EmbeddedResource reaches the model but not the user's eye (claude-ai-mcp#287): pictures as ImageContent.
    "claude-ai": Rules(),
    "claude desktop": Rules(),
    # Shows images and resource links (its MCP guide); asks for template variables itself.
    "visual studio code": Rules(),
    # Images since 0.49; content of type `resource` was rejected as an unknown type.
    "cursor": Rules(embedded=False, links=False),
    # Text and images reach the model; no sign of resource blocks being read.
    "zed": Rules(embedded=False, links=False),
    # Lists, reads and shows resources and images; list_changed is dropped (codex#16159).
    "codex": Rules(),
    # Text and images; other block types are not handed to the model.
    "cline": Rules(embedded=False, links=False),
    "roo": Rules(embedded=False, links=False),
    # A resource_link discards the whole result (Kiro#8960).
    "kiro": Rules(links=False),
}
"""Client name as it introduces itself, lower case; the longest one that begins the name or is a word of it counts."""

_DEFAULT = Rules()


def rules_for(client: Client, overrides: Mapping[str, Mapping[str, Any]] | None = None) -> Rules:
    """The rules for a client. `overrides` (`[server.client_rules.NAME]`) replace single fields; "*" is every client.

    Fields that do not exist are passed over; the configuration has checked them.
    """
    name = client.name.lower()
    known = [key for key in RULES if _fits(key, name)]
    rules = RULES[max(known, key=len)] if known else _DEFAULT
    valid = {field.name for field in fields(Rules)}
    for key, table in (overrides or {}).items():
        if key == "*" or _fits(key.lower(), name):
            rules = replace(rules, **{field: value for field, value in table.items() if field in valid})
    return rules


def _fits(key: str, name: str) -> bool:
    if name.startswith(key):
        return True
    words = name.replace("-", " ").replace("_", " ").replace("/", " ").split()
    return key in words
