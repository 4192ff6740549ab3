"""`resources/list` and `resources/templates/list`: static resources, documents, and what feature plugins provide.

A cursor says where the next page begins by key and not by offset, so that changes never shift it."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass

import mcp_types as types

from sidecar.api import DocumentInfo, ResourceEntry, format_uri
from sidecar.server.ports import Backend, Registrations

_TEMPLATES: Sequence[tuple[str, str, str, str]] = (
    ("document://{doc}", "document", "Outline of a document; .md, .txt, .html, .json the whole of it", "text/markdown"),
    ("chapter://{doc}/{n}", "chapter", "A chapter, from 1; .txt, .html", "text/markdown"),
    ("section://{doc}/{id}", "section", "A heading and what stands under it", "text/markdown"),
    ("paragraph://{doc}/{n}/{m}", "paragraph", "Paragraph m of part n, or those of a range: 3-7", "text/markdown"),
    ("sheet://{doc}/{name}", "sheet", "A sheet by name or number; .csv, .json; ?range=A1:F40", "text/markdown"),
    ("slide://{doc}/{n}", "slide", "A slide with its notes; .png its picture", "text/markdown"),
    ("page://{doc}/{n}", "page", "A page; .png its picture", "text/markdown"),
    ("chapters://{doc}/{range}", "chapters", "Several chapters: 1-5 or 1,3", "text/markdown"),
    ("sheets://{doc}/{range}", "sheets", "Several sheets", "text/markdown"),
    ("slides://{doc}/{range}", "slides", "Several slides", "text/markdown"),
    ("pages://{doc}/{range}", "pages", "Several pages", "text/markdown"),
    ("image://{doc}/{id}", "image", "An embedded picture, from 0 or by name; ?size=thumb, ?format=png", ""),
    ("chart://{doc}/{id}", "chart", "The data of a chart; .png, .svg drawn", "application/json"),
    ("media://{doc}/{id}", "media", "Embedded sound or video", ""),
    ("embed://{doc}/{id}", "embed", "An attached file; .md, .txt, .html read it as a document", ""),
    ("font://{doc}/{id}", "font", "An embedded font", ""),
    ("element://{doc}/{label}", "element", "A figure, table or equation by label; .png its picture", "text/markdown"),
    ("office://{doc}/{type}/{id}", "office", "The same things under one scheme", ""),
)
_CURSOR_VERSION = 1


@dataclass(frozen=True)
class ListCursor:
    """`stage` counts the sources that are listed one after the other, `after` is the last key given in that one."""

    stage: int
    after: str


def encode_cursor(cursor: ListCursor) -> str:
    """Opaque to clients; the inverse of `decode_cursor`."""
    record = json.dumps([_CURSOR_VERSION, cursor.stage, cursor.after], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(record.encode("utf-8", "surrogatepass")).decode().rstrip("=")


def decode_cursor(text: str) -> ListCursor:
    """Raises ValueError for anything `encode_cursor` did not make."""
    try:
        padded = text + "=" * (-len(text) % 4)
        record: object = json.loads(base64.b64decode(padded, b"-_", validate=True).decode("utf-8", "surrogatepass"))
    except (binascii.Error, UnicodeError, ValueError, RecursionError) as error:
        raise ValueError("not a cursor of this server") from error
    match record:
        case [1, int(stage), str(after)] if not isinstance(stage, bool) and stage >= 0:
            found = ListCursor(stage, after)
        case _:
            raise ValueError("not a cursor of this server")
    if encode_cursor(found) != text.rstrip("="):
        raise ValueError("not a cursor of this server")
    return found


async def list_page(backend: Backend, cursor: ListCursor, size: int) -> tuple[list[types.Resource], str | None]:
    """One page and the cursor of the next. Stages: 0 static resources, 1 documents, 2 and more the providers."""
    found: list[types.Resource] = []
    stage, after = cursor.stage, cursor.after
    last = 2 + len(backend.features.providers)
    while stage < last:
        room = size - len(found)
        entries = await _stage(backend, stage, after, room + 1)
        if len(entries) > room:
            key, _ = entries[room - 1] if room else (after, None)
            found += [entry for _, entry in entries[:room]]
            return found, encode_cursor(ListCursor(stage, key))
        found += [entry for _, entry in entries]
        stage, after = stage + 1, ""
    return found, None


def templates(registrations: Registrations) -> list[types.ResourceTemplate]:
    """Ours and the feature plugins'."""
    ours = [
        types.ResourceTemplate(
            uri_template=uri, name=name, title=name.capitalize(), description=description, mime_type=media_type or None
        )
        for uri, name, description, media_type in _TEMPLATES
    ]
    return ours + [
        types.ResourceTemplate(
            uri_template=template.uri_template, name=template.name, title=template.title or None,
            description=template.description or None, mime_type=template.media_type or None,
        )
        for provider in registrations.features.providers
        for template in provider.templates
    ]  # fmt: skip


def _document_entry(info: DocumentInfo) -> types.Resource:
    """A document's line; `name` is its file name."""
    return types.Resource(
        uri=format_uri("document", info.slug),
        name=info.name,
        title=info.title or info.name,
        description=info.description or None,
        mime_type=info.media_type or None,
        size=info.size,
        annotations=types.Annotations(last_modified=info.modified) if info.modified else None,
    )


async def _stage(backend: Backend, stage: int, after: str, limit: int) -> list[tuple[str, types.Resource]]:
    """Up to `limit` entries of that stage whose key comes after `after`, with their keys."""
    if stage == 0:
        uris = sorted(uri for uri in backend.features.resources if uri > after)[:limit]
        return [(uri, _entry(backend.features.resources[uri][0])) for uri in uris]
    if stage == 1:
        documents = await backend.documents.readable(after or None, limit)
        return [(info.slug, _document_entry(info)) for info in documents]
    provider = backend.features.providers[stage - 2]
    entries = await provider.entries(backend.services, after, limit)
    return [(entry.uri, _entry(entry)) for entry in list(entries)[:limit]]


def _entry(entry: ResourceEntry) -> types.Resource:
    return types.Resource(
        uri=entry.uri, name=entry.name, title=entry.title or None, description=entry.description or None,
        mime_type=entry.media_type or None, size=entry.size,
        annotations=types.Annotations(last_modified=entry.modified) if entry.modified else None,
        _meta=dict(entry.metadata) or None,
    )  # fmt: skip
