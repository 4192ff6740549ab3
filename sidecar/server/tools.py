"""Feature plugins' tools as MCP tools: their schemas, the checking of arguments in clear sentences, and the call.

What a tool does is its plugin's; how its answer is put is `contents`."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

import mcp_types as types
from pydantic import BaseModel, ValidationError

from sidecar.api import AmbiguousError, Call, Client, DamagedIndexError, SidecarError, Tool
from sidecar.registry import chosen_tools
from sidecar.server.apps import APP_EXTENSION, APP_URI
from sidecar.server.client_rules import fitted, paid, rules_for
from sidecar.server.contents import tool_result
from sidecar.server.ports import Backend, Registrations
from sidecar.toolkit.tasks import lacks_memory
from sidecar.toolkit.text import did_you_mean

logger = logging.getLogger(__name__)

_CLIENT_TOKENS = 20_000
"""Clients that cut results on their own leave answers of this length whole."""
_TOKEN_CHARS = 5
"""More characters than a token has in any script we serve."""
_SENTENCE_CHARS = 4000
"""Of a sentence that says what went wrong; clients cut it near 11,000."""
_ENDLESS = re.compile(r"(?<!\S)(\S{150})\S{150,}(\S{100})(?!\S)")
"""A word longer than any path people have, as an argument that a sentence repeats; what is left of it."""
_MAX_INTEGER = 2**53
"""No list is as long, and JSON holds no larger whole number exactly."""


class UnknownTool(LookupError):
    """No tool has that name; the message names those that come close."""


def listed_tools(registrations: Registrations, client: Client) -> list[types.Tool]:
    """The answer of `tools/list`, written tightly: a client pays for it before the first question."""
    settings = registrations.settings()
    rules = rules_for(client, settings.client_rules)
    meta: dict[str, object] = {}
    if rules.max_result_chars and settings.budget_tokens > _CLIENT_TOKENS:
        meta = {"anthropic/maxResultSizeChars": min(rules.max_result_chars, settings.budget_tokens * _TOKEN_CHARS)}
    app = {"ui": {"resourceUri": APP_URI}} if APP_EXTENSION in client.capabilities else {}
    return [
        types.Tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=input_schema(tool.arguments),
            output_schema=dict(tool.output) if tool.output is not None else None,
            annotations=_hints(tool),
            _meta=(meta | (app if tool.in_app else {})) or None,
        )
        for tool in chosen_tools(registrations.features, settings.tools).values()
    ]


async def call_tool(
    backend: Backend, client: Client, name: str, arguments: Mapping[str, object] | None
) -> types.CallToolResult:
    """Check the arguments, call the handler, put the answer for the client and within the budget.

    Raises:
        UnknownTool: a mistake of the client's, not the model's: it becomes a protocol error."""
    settings = backend.settings()
    tools = chosen_tools(backend.features, settings.tools)
    tool = tools.get(name)
    if tool is None:
        hint = did_you_mean(name, tools, f"the tools are {', '.join(tools)}.", most=3)
        raise UnknownTool(f"There is no tool {name[:80]!r}; {hint}")
    # Models whose clients ask for all arguments of a schema write null for those they would leave out.
    given = {key: _countable(value) for key, value in (arguments or {}).items() if value is not None}
    try:
        checked = tool.arguments.model_validate(given)
    except ValidationError as error:
        return _failure(_sentences(tool, error))
    rules, schema = rules_for(client, settings.client_rules), tool.output is not None
    call = Call(backend.services, client, settings.budget_tokens, paid(rules, schema=schema))
    try:
        result = await tool.handler(call, checked)
        return tool_result(fitted(result, rules, schema=schema), rules, settings.budget_tokens, call.paid)
    except AmbiguousError as error:
        choices = "".join(f"\n- {choice}" for choice in error.choices)
        return _failure(f"{error}{choices if not all(choice in str(error) for choice in error.choices) else ''}")
    except SidecarError as error:
        if isinstance(error, DamagedIndexError):
            backend.documents.suspect()
        return _failure(str(error), error.details)
    except Exception as error:  # a plugin's handler may raise anything: it is logged here, and its text never leaves
        if lacks_memory(error):
            return _failure(f"There is too little memory for {name}; call it again once other programs leave some.")
        logger.exception("the tool %s failed", name)
        return _failure(f"{name} failed through a fault of its own, which has been logged. Try other arguments.")


def _countable(value: object) -> object:
    """A whole number no larger than SQLite can count to, a page of it times its size included; what else it may be."""
    return max(-_MAX_INTEGER, min(value, _MAX_INTEGER)) if isinstance(value, int) else value


def _failure(sentence: str, details: Mapping[str, object] | None = None) -> types.CallToolResult:
    """A result that tells the model what went wrong and what to do, without the middle of what is very long, as an
    argument that it repeats may be, or of a word in it; `details` are for programs."""
    if len(sentence) > _SENTENCE_CHARS:
        sentence = f"{sentence[: _SENTENCE_CHARS // 2]} […] {sentence[-_SENTENCE_CHARS // 2 :]}"
    sentence = _ENDLESS.sub(r"\1[…]\2", sentence)
    structured = dict(details) if details is not None else None
    return types.CallToolResult(
        content=[types.TextContent(text=f"Error: {sentence}")], structured_content=structured, is_error=True
    )


@lru_cache(maxsize=256)  # pydantic makes each anew, 20 ms for all tools, and every client lists them
def input_schema(arguments: type[BaseModel]) -> dict[str, object]:
    """The JSON Schema of the arguments without what only costs tokens: titles, and `null` beside optional types."""
    schema = cast(dict[str, object], _tight(arguments.model_json_schema()))
    schema.setdefault("type", "object")
    schema.setdefault("properties", {})
    schema.pop("description", None)
    return schema


def _tight(value: object, *, names: bool = False) -> object:
    """`names` says that the keys of `value` are properties' names, not keywords."""
    if isinstance(value, list):
        return [_tight(item) for item in cast(list[object], value)]
    if not isinstance(value, dict):
        return value
    found = cast(dict[str, object], value)
    if names:
        return {key: _tight(item) for key, item in found.items()}
    found = {
        key: _tight(item, names=key in {"properties", "$defs"})
        for key, item in found.items()
        if key != "title" and not (key == "default" and item is None)
    }
    choices = cast(list[dict[str, object]], found.get("anyOf", []))
    rest = [choice for choice in choices if choice != {"type": "null"}]
    if choices and len(rest) == 1:
        del found["anyOf"]
        found = rest[0] | found
    return found


def _hints(tool: Tool[Any]) -> types.ToolAnnotations:
    return types.ToolAnnotations(
        read_only_hint=tool.read_only,
        destructive_hint=None if tool.read_only else tool.destructive,
        idempotent_hint=None if tool.read_only else tool.idempotent,
        open_world_hint=tool.open_world,
    )


_MEANT = {
    **dict.fromkeys(("folder", "directory", "dir", "glob", "include"), ("folder", "path")),
    **dict.fromkeys(("file", "filename", "file_path", "path"), ("document_slug", "file_path", "path", "uri")),
    **dict.fromkeys(("doc", "slug", "document", "document_id", "doc_id", "id"), ("document_slug", "file_path", "uri")),
    **dict.fromkeys(("query", "regex", "text", "q", "search", "term"), ("pattern", "query")),
    **dict.fromkeys(("max_results", "count", "top_k", "k", "n", "size", "head_limit"), ("limit", "page_size")),
    **dict.fromkeys(("offset", "skip", "from", "cursor"), ("start", "page")),
}
"""Names other tools have for an argument → ours, where they are not spelt alike."""


_SAYS_CHARS = 40
"""Of an argument's description, which the model was given, what a sentence about it repeats."""
_PLAIN: Mapping[str, str] = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "be a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "be a number"), "string_type": "be a text",
    **dict.fromkeys(("bool_type", "bool_parsing"), "be true or false"), "list_type": "be a list",
}  # fmt: skip
"""Of pydantic's errors those whose sentences speak of types: what an argument should do."""


def _sentences(tool: Tool[Any], error: ValidationError) -> str:
    fields = list(tool.arguments.model_fields)
    faults = error.errors(include_url=False)
    unknown = any(fault["type"] == "extra_forbidden" for fault in faults)  # one of these may be the one that is missing
    texts: list[str] = []
    for fault in [one for one in faults if one["type"] != "missing" or not unknown][:3]:
        name = ".".join(str(part) for part in fault["loc"] if not str(part).startswith("function-"))
        given = fault.get("input")
        match fault["type"]:
            case "missing":
                texts.append(f"{tool.name} needs the argument {name}.")
            case "extra_forbidden":
                meant = [field for field in _MEANT.get(name.lower(), ()) if field in fields]
                takes = f"it takes {', '.join(fields) or 'no arguments'}."
                hint = did_you_mean(meant[0], meant) if meant else did_you_mean(name, fields, takes, alike=0.6)
                texts.append(f"{tool.name} has no argument {name[:60]!r}; {hint}")
            case _:
                what = fault["msg"].replace("Value error, ", "Input should be ", 1).partition(", unable to parse")[0]
                what = _PLAIN.get(fault["type"]) or what.partition(" should ")[2] or what
                field = tool.arguments.model_fields.get(name)
                says = field.description or "" if field is not None else ""
                says = f" ({says})" if 0 < len(says) <= _SAYS_CHARS else ""
                texts.append(f"{name or 'the arguments'}{says} should {what}; {_short(given)} was given.")
    return " ".join(texts)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
