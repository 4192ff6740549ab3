"""The tools about bytes inside documents: `list_embedded_resources` and `extract_images`. URIs, never base64."""

import os
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, cast

from pydantic import BeforeValidator, Field

from sidecar.api import EMBED_SCHEMES, Call, DocumentInfo, EmbedInfo, EmbedKind, Result, Text, Tool, UsageError
from sidecar.toolkit.answers.budget import fit_texts, next_start, shorten
from sidecar.toolkit.settings import Start, ToolArguments
from sidecar.toolkit.text import did_you_mean
from sidecar_library.schemas import EMBEDDED, check_start

_MAX_SHOWN = 200
"""No answer has room for more."""
_WORDS: Mapping[EmbedKind, tuple[str, ...]] = {
    "image": ("image", "picture", "photo", "figure", "img"),
    "chart": ("chart", "graph", "plot"),
    "media": ("media", "video", "audio", "sound", "movie"),
    "attachment": ("attachment", "embed", "embedding", "embedded", "attached", "file", "object", "ole", "package"),
    "font": ("font", "typeface"),
}
"""The words for a kind: its own, that of its URIs, and those people use. Each also in the plural."""
_KINDS: Mapping[str, EmbedKind] = {word: kind for kind, words in _WORDS.items() for word in words}


def _words(given: object) -> object:
    """A list of kinds as the text it stands for."""
    return " ".join(map(str, cast("list[object]", given))) if isinstance(given, list) else given


class ListEmbedded(ToolArguments):
    """Arguments of `list_embedded_resources`."""

    file_path: Annotated[str, Field(min_length=1, description="path or slug")]
    resource_types: Annotated[str, BeforeValidator(_words)] = Field(
        "all", description="image, chart, media, embed, font"
    )
    start: Start = 0


class ExtractImages(ToolArguments):
    """Arguments of `extract_images`."""

    file_path: Annotated[str, Field(min_length=1, description="path or slug")]
    start: Start = 0


async def list_embedded_resources(call: Call, arguments: ListEmbedded) -> Result:
    """What is embedded in a document, addressed."""
    info = await _document(call, arguments.file_path)
    return await _listed(call, info, _kinds_of(arguments.resource_types), arguments.start)


def _kinds_of(text: str) -> tuple[EmbedKind, ...]:
    """The kinds that words apart by commas or blanks name; () for all. Raises UsageError for a word that names none."""
    found: list[EmbedKind] = []
    for word in text.lower().replace(",", " ").split():
        if word in ("all", "*", "any", "everything"):
            return ()
        kind = _KINDS.get(word) or _KINDS.get(word.removesuffix("s"))
        if kind is None:
            hint = did_you_mean(word, _KINDS, "it takes all, image, chart, media, embed, font.", alike=0.6)
            raise UsageError(f"There are no resources of the type {word[:40]!r}; {hint}")
        found.append(kind)
    return tuple(dict.fromkeys(found))


async def extract_images(call: Call, arguments: ExtractImages) -> Result:
    """The images of a document, addressed."""
    info = await _document(call, arguments.file_path)
    return await _listed(call, info, ("image",), arguments.start)


async def _document(call: Call, name: str) -> DocumentInfo:
    """A path is brought up to date first; anything else is a slug or a doc_id."""
    if os.sep in name or "/" in name or name.startswith("~"):
        return await call.services.library.index(name)
    return await call.services.library.document(name)


async def _listed(call: Call, info: DocumentInfo, kinds: Sequence[EmbedKind], start: int) -> Result:
    found = await call.services.library.embedded(info.slug, kinds, start=start, limit=_MAX_SHOWN)
    check_start(start, found.total, "such resources")
    frame: dict[str, Any] = {"document_slug": info.slug, "doc_id": info.doc_id, "total": found.total}
    entries = [_fields(item) for item in found.embeds]
    around = frame | {"resources": [], "next_start": 1}
    shown = fit_texts(entries, ("alt", "context"), call.budget, (120, 60), frame=around, paid=call.paid, line=_line)
    if not found.total:
        frame["remark"] = f"{info.name} holds nothing of that kind."
    following = next_start(start, len(shown), found.total - start)
    lines = [frame.get("remark", f"{found.total} in {info.slug}:"), *map(_line, shown)]
    lines += [f"{found.total - start - len(shown)} more: start={following['next_start']}."] if following else []
    return Result((Text("\n".join(lines)),), frame | {"resources": shown} | following)


def _line(entry: Mapping[str, Any]) -> str:
    """An entry as text, the same facts as its record."""
    size = f"{entry['width']}x{entry['height']}" if "width" in entry else ""
    size = size or (f"{entry['size']:,} bytes" if "size" in entry else "")
    about = (entry.get("name"), entry.get("mime_type"), size, entry.get("alt"), entry.get("context"))
    text = f" (as text: {entry['text_uri']})" if "text_uri" in entry else ""
    part = f", part {entry['part']}" if "part" in entry else ""
    return f"- {entry['uri']} {entry['type']}{part}: {', '.join(dict.fromkeys(filter(None, about)))}{text}"


def _fields(item: EmbedInfo) -> dict[str, object]:
    embed = item.embed
    entry: dict[str, object] = {
        "uri": item.uri,
        "text_uri": item.text_uri,
        "type": EMBED_SCHEMES[embed.kind],
        "id": embed.id,
        "name": embed.name,
        "mime_type": "application/json" if embed.kind == "chart" else embed.media_type,  # as its URI is read
        "size": embed.size,
        "width": embed.width,
        "height": embed.height,
        "alt": shorten(" ".join(embed.alt.split()), 120),
        "part": embed.part,
        "context": shorten(" ".join(embed.context.split()), 120),
    }
    return {key: value for key, value in entry.items() if value not in (None, "", 0) or key == "id"}


EMBEDDED_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "list_embedded_resources", "List embedded content",
        "Images, charts, media, attachments and fonts inside a file, as URIs.", ListEmbedded, list_embedded_resources,
        output=EMBEDDED,
    ),
    Tool(
        "extract_images", "List a file's images", "The images inside a file, as image:// URIs to read.", ExtractImages,
        extract_images,
    ),
)  # fmt: skip
