"""The tools about bytes inside documents: `list_embedded_resources` and `extract_images`. URIs, never base64."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from sidecar.api import Call, DocumentInfo, EmbedInfo, Result, Tool
from sidecar.api.budget import fit_texts, next_start, shorten
from sidecar.api.model import EmbedKind
from sidecar_library.arguments import Arguments, Start, check_start

Kinds = Literal["all", "images", "charts", "media", "embeddings", "fonts"]

_KINDS: dict[Kinds, tuple[EmbedKind, ...]] = {
    "all": (),
    "images": ("image",),
    "charts": ("chart",),
    "media": ("media",),
    "embeddings": ("attachment",),
    "fonts": ("font",),
}


class ListEmbedded(Arguments):
    """Arguments of `list_embedded_resources`."""

    file_path: Annotated[str, Field(min_length=1, description="path or slug")]
    resource_types: Kinds = "all"
    start: Start = 0


class ExtractImages(Arguments):
    """Arguments of `extract_images`."""

    file_path: Annotated[str, Field(min_length=1, description="path or slug")]
    start: Start = 0


async def list_embedded_resources(call: Call, arguments: ListEmbedded) -> Result:
    """What is embedded in a document, addressed."""
    info = await _document(call, arguments.file_path)
    found = await call.services.library.embedded(info.slug, _KINDS[arguments.resource_types])
    return _answer(call, info, found, arguments.start)


async def extract_images(call: Call, arguments: ExtractImages) -> Result:
    """The images of a document, addressed."""
    info = await _document(call, arguments.file_path)
    return _answer(call, info, await call.services.library.embedded(info.slug, ("image",)), arguments.start)


async def _document(call: Call, name: str) -> DocumentInfo:
    """A path is brought up to date first; anything else is a slug or a doc_id."""
    if os.sep in name or "/" in name or name.startswith("~"):
        return await call.services.library.index(name)
    return await call.services.library.document(name)


def _answer(call: Call, info: DocumentInfo, found: Sequence[EmbedInfo], start: int) -> Result:
    check_start(start, len(found), "such resources")
    frame: dict[str, Any] = {"document_slug": info.slug, "doc_id": info.doc_id, "total": len(found)}
    entries = [_fields(item) for item in found[start:]]
    shown = fit_texts(
        entries, ("alt", "context"), call.budget, (120, 60), frame=frame | {"resources": [], "next_start": 1}
    )
    if not found:
        frame["remark"] = f"{info.name} holds nothing of that kind."
    return Result(structured=frame | {"resources": shown} | next_start(start, len(shown), len(entries)))


def _fields(item: EmbedInfo) -> dict[str, Any]:
    embed = item.embed
    entry: dict[str, Any] = {
        "uri": item.uri,
        "text_uri": item.text_uri,
        "type": embed.kind,
        "id": embed.id,
        "name": embed.name,
        "mime_type": embed.media_type,
        "size": embed.size,
        "width": embed.width,
        "height": embed.height,
        "alt": shorten(embed.alt, 120),
        "part": embed.part,
        "context": shorten(embed.context, 120),
    }
    return {key: value for key, value in entry.items() if value not in (None, "", 0) or key == "id"}


EMBEDDED_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "list_embedded_resources",
        "List embedded content",
        "Images, charts, media, attachments and fonts inside a file, as URIs.",
        ListEmbedded,
        list_embedded_resources,
    ),
    Tool(
        "extract_images",
        "List a file's images",
        "The images inside a file, as image:// URIs to read.",
        ExtractImages,
        extract_images,
    ),
)
