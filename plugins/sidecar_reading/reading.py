"""The tools `read` (windowed) and `read_embedded` (whole, as EmbeddedResource blocks)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from sidecar.api import (
    Address,
    Call,
    Content,
    Embedded,
    Image,
    Link,
    ResourceContent,
    Result,
    SidecarError,
    Text,
    Tool,
    UsageError,
    format_uri,
    parse_uri,
)
from sidecar.api.budget import FRAME_TOKENS, fit
from sidecar.api.tokens import estimate_tokens
from sidecar_reading.windowing import PICTURES, cut_window

IMAGE_TOKENS = 1600
"""What a picture costs a model at most: providers bill by area and scale large pictures down to about this."""
_BLOB_TOKENS_BYTES = 2
"""Bytes of a binary that cost about a token once it is base64."""


class Read(BaseModel):
    """Arguments of `read`."""

    model_config = ConfigDict(extra="forbid")
    uri: Annotated[str, Field(min_length=1)]
    server: Annotated[str | None, Field(description="upstream server that owns the URI")] = None
    start_offset: Annotated[int, Field(ge=0, description="byte to start at")] = 0
    max_bytes: Annotated[int | None, Field(ge=1)] = None


class ReadEmbedded(BaseModel):
    """Arguments of `read_embedded`."""

    model_config = ConfigDict(extra="forbid")
    uri: Annotated[str, Field(min_length=1)]
    server: str | None = None


async def read(call: Call, arguments: Read) -> Result:
    """One window of a resource."""
    uri = _full_uri(arguments.uri, arguments.server)
    most = call.budget * 4
    max_bytes = min(arguments.max_bytes or most, most)
    contents = await call.services.library.read(uri)
    answer = cut_window(contents, arguments.start_offset, max_bytes, call.budget - IMAGE_TOKENS * _pictures(contents))
    structured: dict[str, Any] = {
        "window": {"start_offset": arguments.start_offset, "max_bytes": max_bytes},
        "parts": list(answer.parts),
        "total_parts": answer.total_parts,
    }
    text = answer.text
    if answer.next_offset is not None:
        structured["next_offset"] = answer.next_offset
        text += f"\n\n[continues: read this URI with start_offset={answer.next_offset}]"
    pictures = (Image(item.data or b"", item.media_type, item.uri) for item in answer.pictures[:4])
    return Result((Text(text), *pictures), structured)


async def read_embedded(call: Call, arguments: ReadEmbedded) -> Result:
    """A whole resource, or its outline when it is over the budget."""
    uri = _full_uri(arguments.uri, arguments.server)
    contents = await call.services.library.read(uri)
    cost = sum(_cost(item) for item in contents) + FRAME_TOKENS
    if cost > call.budget:
        return await _too_large(call, uri, contents, cost)
    return Result(tuple(Embedded(item) for item in contents))


async def _too_large(call: Call, uri: str, contents: tuple[ResourceContent, ...], cost: int) -> Result:
    """How to go on: the outline where the resource is a document's, else the items as links, and `read`."""
    blocks: list[Content] = [
        Text(
            f"{uri} would cost about {cost:,} tokens; the budget is {call.budget:,}. "
            f"Read a part listed here, or read it in windows with read(uri, start_offset)."
        )
    ]
    address = _document_of(uri)
    structured: dict[str, Any] = {"uri": uri, "tokens": cost, "budget": call.budget}
    if address is not None:
        entries = [
            {"uri": entry.uri, "title": entry.title, "tokens": entry.tokens}
            for entry in await call.services.library.outline(address.doc)
        ]
        structured["outline"] = entries[: fit(entries, call.budget - FRAME_TOKENS, copies=1)]
        blocks.append(Link(format_uri("document", address.doc), address.doc, "text/markdown"))
    else:
        links = [Link(item.uri, item.uri, item.media_type, size=len(item.data or b"") or None) for item in contents]
        blocks += links[: max(call.budget // 100, 1)]
    return Result(tuple(blocks), structured)


def _document_of(uri: str) -> Address | None:
    try:
        return parse_uri(uri)
    except SidecarError:  # a scheme of a feature plugin's: it has no outline
        return None


def _full_uri(uri: str, server: str | None) -> str:
    if server is None:
        return uri
    if "/" in server or not server:
        raise UsageError(f"server {server!r} is not a server's name; get_library_status lists the servers.")
    return f"upstream://{server}/{uri}"


def _pictures(contents: tuple[ResourceContent, ...]) -> int:
    return min(sum(item.data is not None and item.media_type in PICTURES for item in contents), 4)


def _cost(item: ResourceContent) -> int:
    if item.text is not None:
        return estimate_tokens(item.text) + 40
    if item.media_type in PICTURES:
        return IMAGE_TOKENS
    return len(item.data or b"") // _BLOB_TOKENS_BYTES + 40


READING_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "read",
        "Read a resource",
        "Read a document, part or other resource by URI, a window at a time; go on with next_offset.",
        Read,
        read,
    ),
    Tool(
        "read_embedded",
        "Read a resource whole",
        "The whole resource as embedded resources; an outline when it is too large.",
        ReadEmbedded,
        read_embedded,
    ),
)
