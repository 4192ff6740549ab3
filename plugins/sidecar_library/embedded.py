"""The tools about bytes inside documents: `list_embedded_resources` and `extract_images`. URIs, never base64."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from sidecar.api import Call, DocumentInfo, EmbedInfo, Result, Text, Tool
from sidecar.api.budget import fit_texts, next_start, shorten
from sidecar.api.model import EmbedKind
from sidecar_library.arguments import Arguments, Start, check_start
from sidecar_library.outputs import EMBEDDED

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
    around = frame | {"resources": [], "next_start": 1}
    shown = fit_texts(entries, ("alt", "context"), call.budget, (120, 60), frame=around, paid=call.paid, line=_line)
    if not found:
        frame["remark"] = f"{info.name} holds nothing of that kind."
    following = next_start(start, len(shown), len(entries))
    said = [frame.get("remark", f"{len(found)} in {info.slug}:"), *map(_line, shown)]
    said += [f"{len(entries) - len(shown)} more: start={following['next_start']}."] if following else []
    return Result((Text("\n".join(said)),), frame | {"resources": shown} | following)


def _line(entry: Mapping[str, Any]) -> str:
    """An entry as text, the same facts as its record."""
    size = f"{entry['width']}x{entry['height']}" if "width" in entry else f"{entry.get('size', 0):,} bytes"
    about = (entry.get("name"), entry.get("mime_type"), size, entry.get("alt"), entry.get("context"))
    text = f" (as text: {entry['text_uri']})" if "text_uri" in entry else ""
    part = f", part {entry['part']}" if "part" in entry else ""
    return f"- {entry['uri']} {entry['type']}{part}: {', '.join(filter(None, about))}{text}"


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
        output=EMBEDDED,
    ),
    Tool(
        "extract_images",
        "List a file's images",
        "The images inside a file, as image:// URIs to read.",
        ExtractImages,
        extract_images,
    ),
)
