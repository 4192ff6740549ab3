"""What teaches an assistant to use the sidecar: prompts (`prompts/list`, `prompts/get`, their completions) and skills
(`skills/list`, `skills/get` of the extension `io.modelcontextprotocol/skills`). Reading a skill is an ordinary
`resources/read`."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

import mcp_types as types

from sidecar.api import NotFoundError, Prompt, Skill, UsageError
from sidecar.server.completions import MAX_VALUES, matching
from sidecar.server.ports import Backend, Registrations
from sidecar.toolkit.text import did_you_mean

SKILLS_EXTENSION = "io.modelcontextprotocol/skills"
_TTL_MS = 600_000
"""Skills change with the program only."""


class GetSkillParams(types.RequestParams):
    """`skills/get`."""

    uri: str


def prompts(registrations: Registrations) -> list[types.Prompt]:
    """All prompts, by name."""
    return [
        types.Prompt(
            name=prompt.name,
            title=prompt.title,
            description=prompt.description,
            arguments=[
                types.PromptArgument(name=one.name, description=one.description, required=one.required)
                for one in prompt.arguments
            ],
        )
        for _, prompt in sorted(registrations.features.prompts.items())
    ]


async def get_prompt(backend: Backend, name: str, given: Mapping[str, str]) -> types.GetPromptResult:
    """The prompt with those arguments. Raises UsageError for an unknown name or argument, or one that is missing, and
    what the prompt raises."""
    prompt = _known(backend, name)
    names = [one.name for one in prompt.arguments]
    for unknown in given.keys() - set(names):
        there = f"its arguments are {', '.join(names)}" if names else "it has none"
        raise UsageError(f"The prompt {name} has no argument {unknown[:100]!r}; {there}.")
    values = {key: value.strip() for key, value in given.items() if value.strip()}
    for one in prompt.arguments:
        if one.required and one.name not in values:
            raise UsageError(f"The prompt {name} needs the argument {one.name}: {one.description}.")
    text = await prompt.text(backend.services, values)
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=prompt.description, messages=[message])


async def complete_prompt(backend: Backend, name: str, argument: str, value: str) -> tuple[list[str], int]:
    """Up to `MAX_VALUES` values for an argument, and how many there are. Raises UsageError for an unknown prompt."""
    completes = {one.name: one.completes for one in _known(backend, name).arguments}.get(argument, "")
    if completes == "document":
        slugs = await backend.documents.slugs(value.strip(), MAX_VALUES + 1)
        return list(slugs)[:MAX_VALUES], len(slugs)
    if completes == "folder":
        folders: Iterable[Mapping[str, Any]] = (await backend.services.library.status()).get("folders", ())
        return matching([PurePath(folder["path"]).name or folder["path"] for folder in folders], value)
    return [], 0


def _known(backend: Backend, name: str) -> Prompt:
    found = backend.features.prompts.get(name)
    if found is None:
        prompts = sorted(backend.features.prompts)
        hint = did_you_mean(name, prompts, f"there are {', '.join(prompts)}.", alike=0.4)
        raise UsageError(f"There is no prompt {name[:100]!r}; {hint}")
    return found


async def list_skills(registrations: Registrations) -> dict[str, object]:
    """All skills in one page; each entry has its frontmatter and the digest of its file."""
    found = [await asyncio.to_thread(_entry, skill) for _, skill in sorted(registrations.features.skills.items())]
    return {"skills": found} | _cacheable()


async def get_skill(registrations: Registrations, uri: str) -> dict[str, object]:
    """One skill, named by the URI of its `SKILL.md`. Raises NotFoundError."""
    for skill in registrations.features.skills.values():
        if skill.uri == uri:
            return {"skill": await asyncio.to_thread(_entry, skill)} | _cacheable()
    there = tuple(skill.uri for skill in registrations.features.skills.values())
    raise NotFoundError(f"No skill has the URI {uri[:200]!r}; skills/list gives those there are.", near=there[:5])


def _cacheable() -> dict[str, object]:
    return {"resultType": "complete", "ttlMs": _TTL_MS, "cacheScope": "public"}


def _entry(skill: Skill) -> dict[str, object]:
    import yaml  # nobody who does not ask for skills waits for it

    raw = skill.text.encode()
    return {
        "uri": skill.uri,
        "frontmatter": yaml.safe_load(skill.text.split("---\n", 2)[1]),
        "resources": [{"uri": skill.uri, "digest": f"sha256:{hashlib.sha256(raw).hexdigest()}", "size": len(raw)}],
    }
