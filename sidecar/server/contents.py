"""Our contents as MCP blocks: fit for the client, and never over the budget whatever a tool handed back."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Mapping, Sequence

import mcp_types as types

from sidecar.api import Content, Embedded, Image, Link, Paid, ResourceContent, Result, Text
from sidecar.server.client_rules import Rules
from sidecar.toolkit.answers.budget import BLOCK_TOKENS, ENVELOPE_TOKENS, json_tokens, text_tokens, within_tokens
from sidecar.toolkit.pictures import WEB_PICTURES, picture_tokens
from sidecar.toolkit.provenance import PROVENANCE

_RESOURCE_TOKENS = 26
"""What stands around a resource, or a link to one."""
_QUOTED = {PROVENANCE: {"origin": "documents", "trusted": False}}
"""`_meta` of every answer of a tool: what it says comes from documents."""
_THREAD_BYTES = 2**20
"""Bytes above which base64 (2 ms a megabyte) is made in a thread."""
_FEW = 20
"""Contents, above which they are made in a thread (200 of them take 3 ms)."""
_NOTE = "\n\n[Cut to fit the budget of {budget:,} tokens; ask for less, or read the resource in windows.]"


async def resource_contents(
    contents: Sequence[ResourceContent],
) -> list[types.TextResourceContents | types.BlobResourceContents]:
    """For `resources/read`. Many bytes are encoded in a thread, and many contents made in one."""
    size = sum(len(content.data or b"") for content in contents)
    if size <= _THREAD_BYTES and len(contents) <= _FEW:
        return [_resource(content) for content in contents]
    return await asyncio.to_thread(lambda: [_resource(content) for content in contents])


def tool_result(result: Result, rules: Rules, budget: int, paid: Paid = "both") -> types.CallToolResult:
    """The answer of a tool call. Without contents, the structured answer is shown as JSON text."""
    contents = result.contents
    structured = dict(result.structured) if result.structured is not None else None
    if not contents:
        text = json.dumps(structured if structured is not None else {}, ensure_ascii=False, separators=(",", ":"))
        contents = (Text(text),)
    contents, structured, failed = _within(contents, structured, budget, paid)
    blocks = [_block(content, rules) for content in contents]
    return types.CallToolResult(content=blocks, structured_content=structured, is_error=failed, _meta=_QUOTED)


def cost_of(contents: Sequence[Content], structured: Mapping[str, object] | None, paid: Paid = "both") -> int:
    """What an answer costs in tokens at most, what the protocol puts around it counted."""
    data = json_tokens(structured) if structured is not None and paid != "text" else 0
    return ENVELOPE_TOKENS + data + (sum(map(_cost, contents)) if paid != "structured" or structured is None else 0)


def _within(
    contents: Sequence[Content], structured: dict[str, object] | None, budget: int, paid: Paid
) -> tuple[Sequence[Content], dict[str, object] | None, bool]:
    """The answer, its texts cut where it is above the budget. Tools fit their answers themselves, by the same
    reckoning; this catches what escaped them."""
    cost = cost_of(contents, structured, paid)
    if cost <= budget:
        return contents, structured, False
    note = _NOTE.format(budget=budget)
    others = [one for one in contents if not isinstance(one, Text)]
    room = budget - text_tokens(note) - cost_of(others, structured, paid)
    room -= BLOCK_TOKENS * sum(isinstance(one, Text) for one in contents)
    if room < 0:
        # Data cannot be cut without becoming wrong, so nothing of it is sent.
        text = f"Error: the answer would cost about {cost:,} tokens; the budget is {budget:,}. Ask for less at a time."
        return (Text(text),), None, True
    shown: list[Content] = []
    for content in contents:
        if not isinstance(content, Text):
            shown.append(content)
            continue
        tokens = text_tokens(content.text)
        if tokens <= room:
            shown.append(content)
            room -= tokens
        elif note:  # the first that does not fit is cut, those behind it go
            shown.append(Text(within_tokens(content.text, room, text_tokens)[0].rstrip() + note))
            note, room = "", 0
    return shown, structured, False


def _cost(content: Content) -> int:
    match content:
        case Text():
            return text_tokens(content.text) + BLOCK_TOKENS
        case Image():
            return picture_tokens(content.data) + text_tokens(content.uri) + _RESOURCE_TOKENS
        case Link():
            about = (content.uri, content.name, content.title, content.description, content.media_type)
            return sum(map(text_tokens, about)) + _RESOURCE_TOKENS
        case Embedded():
            item = content.content
            around = text_tokens(item.uri) + _RESOURCE_TOKENS
            if item.text is not None:
                return text_tokens(item.text) + around
            data = item.data or b""
            return (picture_tokens(data) if item.media_type in WEB_PICTURES else len(data) * 4 // 3 // 2) + around


def _block(content: Content, rules: Rules) -> types.ContentBlock:
    match content:
        case Text():
            return types.TextContent(text=content.text)
        case Image():
            return _picture(content, rules)
        case Link():
            return _link(content, rules)
        case Embedded():
            return _embedded(content.content, rules)


def _picture(image: Image, rules: Rules) -> types.ContentBlock:
    if rules.pictures == "text" or image.media_type not in WEB_PICTURES:
        return types.TextContent(text=f"[{image.media_type}, {len(image.data):,} bytes: {image.uri or 'no URI'}]")
    data = base64.b64encode(image.data).decode()
    if rules.pictures == "embedded" and image.uri:
        blob = types.BlobResourceContents(uri=image.uri, mime_type=image.media_type, blob=data)
        return types.EmbeddedResource(resource=blob)
    return types.ImageContent(data=data, mime_type=image.media_type)


def _link(link: Link, rules: Rules) -> types.ContentBlock:
    if not rules.links:
        about = " - ".join(part for part in (link.title or link.name, link.description) if part)
        return types.TextContent(text=f"{link.uri} ({about})" if about else link.uri)
    return types.ResourceLink(
        uri=link.uri, name=link.name, mime_type=link.media_type or None, title=link.title or None,
        description=link.description or None, size=link.size,
    )  # fmt: skip


def _embedded(item: ResourceContent, rules: Rules) -> types.ContentBlock:
    if rules.embedded:
        return types.EmbeddedResource(resource=_resource(item))
    if item.text is not None:
        return types.TextContent(text=f"{item.uri}\n{item.text}")
    return _picture(Image(item.data or b"", item.media_type, item.uri), rules)


def _resource(item: ResourceContent) -> types.TextResourceContents | types.BlobResourceContents:
    mime_type = item.media_type or None
    meta = dict(item.metadata) or None
    if item.text is not None:
        return types.TextResourceContents(uri=item.uri, mime_type=mime_type, text=item.text, _meta=meta)
    blob = base64.b64encode(item.data or b"").decode()
    return types.BlobResourceContents(uri=item.uri, mime_type=mime_type, blob=blob, _meta=meta)
