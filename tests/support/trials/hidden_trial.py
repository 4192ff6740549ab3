"""How a planted text comes through a client: is it flagged, and what do views, search and `?hidden=1` show of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.client.client import Client
from support.trials.hidden_attacks import SEEN, Attack

FLAGS = frozenset({"hidden_content", "left_out"})
"""Codes of the notices that tell of hidden text."""


@dataclass(frozen=True)
class Outcome:
    """What came of an attack. `shown_by` and `found_by` name the views and searches that gave it away; `asked` says
    that it is shown when hidden text is asked for, `told` that the view that leaves it out says so."""

    attack: Attack
    flagged: bool
    shown_by: tuple[str, ...]
    found_by: tuple[str, ...]
    asked: bool
    told: bool
    seen: bool
    """The rest of the document is shown."""

    @property
    def faults(self) -> list[str]:
        """What is wrong, in words; nothing for an attack that fails."""
        named = self.attack.named
        checks = {
            "not flagged": not self.flagged,
            f"shown by {', '.join(self.shown_by)}": bool(self.shown_by) and not named,
            f"found by {', '.join(self.found_by)}": bool(self.found_by) and not named,
            "not shown where asked for": not self.asked,
            "left out without a word": not self.told and not named,
            "the rest of the document is not shown": not self.seen,
        }
        return [fault for fault, there in checks.items() if there]


async def outcome(client: Client, attack: Attack) -> Outcome:
    """Try every view and every search for the planted text."""
    slug = attack.slug
    record = json.loads(await _text(client, f"document://{slug}.json"))
    flagged = any(notice["code"] in FLAGS for notice in record["notices"])
    uris = [f"document://{slug}", *(f"document://{slug}.{suffix}" for suffix in ("md", "txt", "html", "json"))]
    uris += [part["uri"] for part in record["parts"]] + [f"{part['uri']}.txt" for part in record["parts"]]
    uris += [
        f"{part['uri']}.{suffix}" for part in record["parts"] if part["kind"] == "sheet" for suffix in ("csv", "json")
    ]
    uris += [section["uri"] for section in record["sections"]] + [element["uri"] for element in record["elements"]]
    uris += [embed["uri"] for embed in record["embedded"] if embed["kind"] == "chart"]
    views = {uri: await _text(client, uri) for uri in uris}
    plain = {
        uri: text.encode().decode("unicode_escape", "replace") if uri.endswith("json") else text
        for uri, text in views.items()
    }
    shown = tuple(uri for uri in uris if attack.needle in views[uri] or attack.needle in plain[uri])
    whole = [
        await _text(client, f"{uri}?hidden=1")
        for uri in (f"document://{slug}.md", *(part["uri"] for part in record["parts"]))
    ]
    asked = any(attack.needle in _unwrapped(text) for text in whole)
    told = any("Left out: text hidden from readers in" in text for text in views.values())
    seen = any(SEEN in text for text in views.values())
    return Outcome(attack, flagged, shown, await _found(client, attack), asked, told, seen)


async def _found(client: Client, attack: Attack) -> tuple[str, ...]:
    """The tools that give the planted text away."""
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("search_documents", {"query": attack.word}),
        ("search_documents", {"query": f"{attack.word} instructions assistant", "document_slug": attack.slug}),
        ("search_visual_elements", {"query": attack.word}),
        ("grep", {"pattern": attack.word, "document_slug": attack.slug}),
        ("find_document", {"query": attack.word}),
    )
    found: list[str] = []
    for name, arguments in calls:
        answer = await client.call_tool(name, arguments)
        said = json.dumps(answer.model_dump(mode="json"), ensure_ascii=False)
        said = said.replace(arguments.get("query", "\0"), "").replace("**", "")
        if (attack.word in said or (attack.planted and attack.planted in said)) and attack.slug in said:
            found.append(name)
    return tuple(found)


def _unwrapped(text: str) -> str:
    return text.replace("\\", "").replace("\n", " ")


async def _text(client: Client, uri: str) -> str:
    contents = (await client.read_resource(uri)).contents
    return "\n".join(one.text for one in contents if isinstance(one, types.TextResourceContents))
