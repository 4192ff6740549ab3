"""One window over a resource of one or several content items, as the answer of `read`.

Offsets count the bytes of all items one after the other: a text's UTF-8, a binary's raw bytes. Text is cut at a
good edge and never inside a character; a binary is given whole or not at all, never a slice of its base64.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sidecar.api import ResourceContent, UsageError
from sidecar.api.budget import json_tokens, text_tokens
from sidecar.api.windows import window
from sidecar.toolkit.pictures import WEB_PICTURES, picture_tokens
from sidecar.toolkit.provenance import PROVENANCE, escape_frame_lines

_VIEWS = frozenset({"text/markdown", "text/plain", "text/html", "application/json"})
FRAME_TOKENS = 200
"""What surrounds the text in the answer: the window, the parts' fields, the continuation."""
MOST_PICTURES = 4
"""So many pictures a window shows; the others come with the next ones."""
_LEAST_TOKENS = 160
"""A window opens no further part with less: a few words beside a part's fields lead nowhere."""


@dataclass(frozen=True)
class Answer:
    """`parts` and `next_offset` as the tool answers them; `text` is the same to read; `pictures` go along as images."""

    parts: tuple[dict[str, Any], ...]
    text: str
    total_parts: int
    next_offset: int | None
    pictures: tuple[ResourceContent, ...]


def cut_window(contents: Sequence[ResourceContent], start: int, max_bytes: int, budget: int) -> Answer:
    """The items that the window touches. Text goes out twice, readable and structured, where quotes and line breaks are
    escaped.

    Raises:
        UsageError: `start` lies at or beyond the end.
    """
    sizes = [_size(item) for item in contents]
    total = sum(sizes)
    if start and start >= total:
        raise UsageError(f"start_offset {start:,} is beyond the end; this resource has {total:,} bytes.")
    parts: list[dict[str, Any]] = []
    texts: list[str] = []
    pictures: list[ResourceContent] = []
    offset = 0
    position = start
    left = max_bytes
    tokens = budget - FRAME_TOKENS
    for item, size in zip(contents, sizes, strict=True):
        begin, offset = offset, offset + size
        if offset <= position and not (size == 0 and total == 0):
            continue
        frame = json_tokens(_part(item, "text", size, size)) + 10
        if parts and (left <= 0 or tokens < frame + _LEAST_TOKENS):
            break
        tokens -= frame
        if item.text is not None:
            piece, end = _text_piece(item.text, position - begin, max(left, 1), tokens)
            parts.append(_part(item, "text", size, end - (position - begin)) | {"text": piece})
            texts.append(piece if _is_view(item) else escape_frame_lines(piece))
            left -= end - (position - begin)
            tokens -= _cost(piece)
            position = begin + end
            if end < size:
                break
            continue
        cost = picture_tokens(item.data or b"") if item.media_type in WEB_PICTURES else 0
        shown = bool(cost) and len(pictures) < MOST_PICTURES and cost + _LEAST_TOKENS <= tokens
        if cost and parts and not shown:
            break  # it goes out with the next window
        part, spent = _blob_part(item, size, left, tokens, shown=shown)
        parts.append(part)
        texts.append(f"[{item.media_type}, {size:,} bytes: {item.uri}]")
        if shown:
            pictures.append(item)
        tokens -= spent + (cost if shown else 0)
        position = offset
    return Answer(
        tuple(parts), "\n\n".join(texts), len(contents), position if position < total else None, tuple(pictures)
    )


def _is_view(item: ResourceContent) -> bool:
    """Whether the sidecar wrote the text around a document's words; anything else may hold lines that look like it."""
    origin = item.metadata.get(PROVENANCE, {}).get("origin")
    return origin == "document" and item.media_type in _VIEWS


def _size(item: ResourceContent) -> int:
    return len(item.data) if item.data is not None else len((item.text or "").encode("utf-8", "replace"))


def _text_piece(text: str, start: int, max_bytes: int, tokens: int) -> tuple[str, int]:
    """The window's text and where it ends; narrowed until it fits the tokens, since scripts differ in their cost."""
    while True:
        found = window(text, start, max_bytes)
        cost = _cost(found.text)
        if cost <= tokens or max_bytes <= 64:
            return found.text, found.end
        max_bytes = max(int((found.end - found.start) * tokens / cost * 0.95), 64)


def _cost(piece: str) -> int:
    return text_tokens(piece) + json_tokens(piece)


def _part(item: ResourceContent, kind: str, total: int, returned: int) -> dict[str, Any]:
    return {
        "kind": kind,
        "uri": item.uri,
        "mime": item.media_type,
        "total_bytes": total,
        "bytes_returned": returned,
    }


def _blob_part(item: ResourceContent, size: int, left: int, tokens: int, *, shown: bool) -> tuple[dict[str, Any], int]:
    """A binary's entry and what it costs above its frame: its bytes whole where no model looks at them as base64 text
    in vain (pictures are shown instead) and they fit."""
    encoded_tokens = (size * 4 // 3) // 2  # base64 has no words: about two characters a token
    if shown:
        return _part(item, "blob", size, 0) | {"remark": "shown as a picture beside this text."}, 40
    if size <= left and encoded_tokens + 100 <= tokens and item.media_type not in WEB_PICTURES:
        blob = base64.b64encode(item.data or b"").decode()
        return _part(item, "blob", size, size) | {"blob": blob}, encoded_tokens + 60
    return _part(item, "blob", size, 0) | {"remark": "too large to inline; resources/read of its URI gives it."}, 60
