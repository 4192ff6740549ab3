"""The tools `grep` (regular expressions over the indexed text) and `get_outline` (the table of contents)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from sidecar.api import Call, Content, Embedded, GrepHit, ResourceContent, Result, Text, Tool, is_doc_id
from sidecar.api.budget import FRAME_TOKENS, fit, shorten
from sidecar.api.tokens import estimate_tokens

_LINE_CHARS = 400
"""A match is shown within so much of its line; a sheet's row or an unbroken paragraph may be far longer."""


class Grep(BaseModel):
    """Arguments of `grep`."""

    model_config = ConfigDict(extra="forbid")
    pattern: Annotated[str, Field(min_length=1, description="regular expression")]
    document_slug: str | None = None
    path: Annotated[str | None, Field(description="part of the file path")] = None
    ignore_case: bool = False
    context: Annotated[int, Field(ge=0, le=10, description="lines around")] = 0
    limit: Annotated[int, Field(ge=1, le=500)] = 50


class Outline(BaseModel):
    """Arguments of `get_outline`."""

    model_config = ConfigDict(extra="forbid")
    document_slug: Annotated[str, Field(min_length=1)]
    depth: Annotated[int, Field(ge=0, le=9)] = 2
    start: Annotated[int, Field(ge=0, description="skip so many entries")] = 0


async def grep(call: Call, arguments: Grep) -> Result:
    """Every match as an embedded resource whose URI leads to the place."""
    answer = await call.services.library.grep(
        arguments.pattern,
        arguments.document_slug,
        arguments.path,
        ignore_case=arguments.ignore_case,
        context=arguments.context,
        limit=arguments.limit,
    )
    blocks: list[Content] = []
    left = call.budget - FRAME_TOKENS
    for hit in answer.hits:
        text = _shown(hit)
        left -= estimate_tokens(text) + estimate_tokens(hit.uri) + 30
        if left < 0:
            break
        blocks.append(Embedded(ResourceContent(hit.uri, "text/plain", text=text)))
    remark = answer.remark
    if len(blocks) < len(answer.hits):
        remark = (
            f"{len(answer.hits) - len(blocks)} more matches did not fit; narrow it by document_slug or path. {remark}"
        )
    structured: dict[str, Any] = {
        "matches": len(blocks),
        "complete": answer.complete and len(blocks) == len(answer.hits),
    }
    if remark.strip():
        structured["remark"] = remark.strip()
    summary = f"{len(blocks)} matches. {remark}".strip() if blocks else f"No match. {remark}".strip()
    return Result((Text(summary), *blocks), structured)


def _shown(hit: GrepHit) -> str:
    """The matched line with its context; a long line is cut to the surroundings of the match."""
    line = hit.line
    if len(line) > _LINE_CHARS:
        begin = max(hit.start - _LINE_CHARS // 2, 0)
        line = ("…" if begin else "") + shorten(line[begin:], _LINE_CHARS)
    before = [shorten(text, _LINE_CHARS) for text in hit.before]
    after = [shorten(text, _LINE_CHARS) for text in hit.after]
    return "\n".join((*before, line, *after))


async def get_outline(call: Call, arguments: Outline) -> Result:
    """The table of contents with a token estimate an entry."""
    library = call.services.library
    info = await library.document(arguments.document_slug)
    doc = arguments.document_slug if is_doc_id(arguments.document_slug) else info.slug
    outline = await library.outline(doc, arguments.depth)
    entries: list[dict[str, Any]] = [
        {"uri": entry.uri, "title": shorten(entry.title, 120), "level": entry.level, "tokens": entry.tokens}
        | ({"hidden": True} if entry.hidden else {})
        for entry in outline[arguments.start :]
    ]
    count = fit(entries, call.budget)
    structured: dict[str, Any] = {
        "document_slug": info.slug,
        "doc_id": info.doc_id,
        "title": info.title,
        "tokens": info.tokens,
        "entries": entries[:count],
    }
    if count < len(entries):
        structured["next_start"] = arguments.start + count
    return Result(structured=structured)


FINDING_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "grep",
        "Search by pattern",
        "Regular expression over the indexed text; each match leads to its paragraph, cells, slide or page.",
        Grep,
        grep,
    ),
    Tool(
        "get_outline",
        "Table of contents",
        "A document's parts and sections with URI, title and token estimate. The cheap first step.",
        Outline,
        get_outline,
    ),
)
