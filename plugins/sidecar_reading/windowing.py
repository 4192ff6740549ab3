"""One window over a resource of one or several content items, as the answer of `read`.

Offsets count the bytes of all items one after the other: a text's UTF-8, a binary's raw bytes. Text is cut at a
good edge and never inside a character. A text stands in its block alone, its record has its place and size; bytes
stand in the record alone, in base64: no model reads them."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass

from sidecar.api import ResourceContent, UsageError
from sidecar.toolkit.answers.budget import BLOCK_TOKENS, json_tokens, text_tokens
from sidecar.toolkit.answers.windows import Window, window
from sidecar.toolkit.pictures import WEB_PICTURES, picture_tokens
from sidecar.toolkit.provenance import PROVENANCE, escape_frame_lines

_VIEWS = frozenset({"text/markdown", "text/plain", "text/html", "application/json"})
_FRAME_TOKENS = 200
"""What surrounds the text in the answer: the window, the parts' fields, the continuation."""
_MAX_PICTURES = 4
"""How many pictures a window shows; the others come with the next ones."""
_MIN_TOKENS = 160
"""A window opens no further part with less: a few words beside a part's fields lead nowhere."""
_MIN_BYTES = 1024
"""Nor with fewer bytes of a binary, unless it has no more."""
_GUESSES, _BY_PROPORTION = 8, 3
_FULL, _FULL_ENOUGH = 0.98, 0.94
"""Shares of the tokens: what a guess at a text's length aims at, and what is not improved upon."""
_MIN_WINDOW = 64
"""Bytes of a text that are given whatever they cost."""
_BYTES_A_TOKEN = 1.5
"""Base64 has no words: about two of its characters a token, four for three bytes."""
_BLOB_TOKENS = 60
"""What stands around bytes: their line of text, a remark."""


@dataclass(frozen=True)
class Answer:
    """`parts` as the tool answers them, and for each the text of its block; `pictures` go along as images. `offset` is
    where the window begins: before the byte asked for where that lies inside a character. `raw` says that a part holds
    bytes, which no block shows."""

    parts: tuple[dict[str, object], ...]
    texts: tuple[str, ...]
    total_parts: int
    offset: int
    next_offset: int | None
    pictures: tuple[ResourceContent, ...]
    raw: bool


def cut_window(contents: Sequence[ResourceContent], start: int, max_bytes: int, budget: int, *, raw: bool) -> Answer:
    """The items that the window touches; with `raw`, pictures are bytes like any other.

    Raises:
        UsageError: `start` lies at or beyond the end."""
    sizes = [_size(item) for item in contents]
    total = sum(sizes)
    if start and start >= total:
        raise UsageError(f"start_offset {start:,} is beyond the end; this resource has {total:,} bytes.")
    made = _Window([], [], [], max_bytes, budget - _FRAME_TOKENS)
    offset, position = 0, start
    first: int | None = None
    for item, size in zip(contents, sizes, strict=True):
        begin, offset = offset, offset + size
        if offset <= position and not (size == 0 and total == 0):
            continue
        end = made.add(item, position - begin, size, raw=raw)
        if end is None:
            break
        first = begin + made.begun if first is None else first
        position = begin + end
        if end < size:
            break
    following = position if position < total else None
    held = any("blob" in part for part in made.parts)
    return Answer(
        tuple(made.parts), tuple(made.texts), len(contents), start if first is None else first, following,
        tuple(made.pictures), held,
    )  # fmt: skip


@dataclass
class _Window:
    """What is in the window so far, and the bytes and tokens that are left."""

    parts: list[dict[str, object]]
    texts: list[str]
    pictures: list[ResourceContent]
    bytes_left: int
    tokens_left: int
    begun: int = 0
    """Where in the item added last the window begins."""

    def add(self, item: ResourceContent, start: int, size: int, *, raw: bool) -> int | None:
        """Put the item in, from byte `start` of its `size` bytes on; gives where the window ends in it, None where it
        goes out with the next window."""
        frame = json_tokens(_part(item, "text", size, size)) + BLOCK_TOKENS
        if self.parts and (self.bytes_left <= 0 or self.tokens_left < frame + _MIN_TOKENS):
            return None
        if item.text is None:
            return self._add_bytes(item, item.data or b"", start, frame, raw=raw)
        found = _text_window(item.text, start, max(self.bytes_left, 1), self.tokens_left - frame)
        self.begun = found.start
        length = found.end - found.start
        self.parts.append(_part(item, "text", size, length))
        self.texts.append(found.text if _is_view(item) else escape_frame_lines(found.text))
        self.bytes_left -= length
        self.tokens_left -= frame + text_tokens(found.text)
        return found.end

    def _add_bytes(self, item: ResourceContent, data: bytes, start: int, frame: int, *, raw: bool) -> int | None:
        size = len(data)
        self.begun = start
        cost = picture_tokens(data) if item.media_type in WEB_PICTURES and not raw else 0
        if cost and len(self.pictures) < _MAX_PICTURES and frame + cost + _MIN_TOKENS <= self.tokens_left:
            self.parts.append(_part(item, "blob", size, 0) | {"remark": "shown as a picture beside this text."})
            self.texts.append(f"[{item.media_type}, {size:,} bytes: {item.uri}]")
            self.pictures.append(item)
            self.tokens_left -= frame + cost + _BLOB_TOKENS
            return size
        room = min(self.bytes_left, int((self.tokens_left - frame - _BLOB_TOKENS) * _BYTES_A_TOKEN))
        if self.parts and (cost or room < min(size - start, _MIN_BYTES)):
            return None
        piece = data[start : start + max(room, 1)]
        end = start + len(piece)
        blob = base64.b64encode(piece).decode()
        self.parts.append(_part(item, "blob", size, len(piece)) | {"blob": blob})
        about = f"[{item.media_type}, {size:,} bytes: {item.uri}"
        self.texts.append(f"{about}; bytes {start:,} to {end:,} are in the structured content, in base64]")
        self.bytes_left -= len(piece)
        self.tokens_left -= frame + _BLOB_TOKENS + int(len(piece) / _BYTES_A_TOKEN) + 1
        return end


def _is_view(item: ResourceContent) -> bool:
    """Whether the sidecar wrote the text around a document's words; anything else may hold lines that look like it."""
    origin = item.metadata.get(PROVENANCE, {}).get("origin")
    return origin == "document" and item.media_type in _VIEWS


def _size(item: ResourceContent) -> int:
    return len(item.data) if item.data is not None else len((item.text or "").encode("utf-8", "replace"))


def _text_window(text: str, start: int, max_bytes: int, tokens: int) -> Window:
    """The window of the text, as long as the tokens bear: scripts differ in their cost, and so do the pieces of a text,
    so that a length is guessed between the longest known to fit and the shortest known not to."""
    found = window(text, start, max_bytes)
    cost = text_tokens(found.text)
    if cost <= tokens:
        return found
    fits: Window | None = None
    low, paid, high, wanted = 0, 0, max_bytes, cost
    for guess in range(_GUESSES):
        # A few by proportion; then by halves, since a window ends at a good edge and costs the same until the next.
        share = (_FULL * tokens - paid) / (wanted - paid) if guess < _BY_PROPORTION else 0.5
        size = max(low + int((high - low) * share), _MIN_WINDOW)
        found = window(text, start, size)
        cost = text_tokens(found.text)
        if cost <= tokens:
            fits, low, paid = found, size, cost
        else:
            high, wanted = size, cost
        if _FULL_ENOUGH * tokens <= paid or high <= _MIN_WINDOW:
            break
    while fits is None and high > _MIN_WINDOW:
        high = max(high // 2, _MIN_WINDOW)
        found = window(text, start, high)
        fits = found if text_tokens(found.text) <= tokens else None
    return fits or found


def _part(item: ResourceContent, kind: str, total: int, returned: int) -> dict[str, object]:
    return {"kind": kind, "uri": item.uri, "mime": item.media_type, "total_bytes": total, "bytes_returned": returned}
