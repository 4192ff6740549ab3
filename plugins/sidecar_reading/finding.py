"""The tool `get_outline`: the table of contents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from sidecar.api import (
    Call,
    DocumentInfo,
    NotFoundError,
    OutlineEntry,
    Paid,
    Result,
    Text,
    Tool,
    UsageError,
    is_doc_id,
    parse_uri,
)
from sidecar.api.budget import fit_texts, next_start, shorten, text_tokens
from sidecar.api.tokens import reading_tokens

OUTLINE_TOKENS = 2000
"""What an outline costs at most; what it leaves out is opened part by part."""
_DEPTH, _DEEPEST = 2, 9
"""How deep an outline goes where no depth is asked for: a document's, and a part's."""
_REMARK_CHARS = 180
"""How to open what is left out, in words."""
_MOST_SHOWN = 1000
"""No answer has room for more entries."""


Made = TypeVar("Made")
Start = Annotated[int, Field(ge=0, description="next_start")]
"""Where to go on in the same list, asked for with the same other arguments."""


class Outline(BaseModel):
    """Arguments of `get_outline`."""

    model_config = ConfigDict(extra="forbid")
    document_slug: Annotated[str, Field(min_length=1, description="or the URI of a part to open")]
    depth: Annotated[int | None, Field(ge=0, le=9)] = None
    start: Start = 0


async def get_outline(call: Call, arguments: Outline) -> Result:
    """The table of contents with a token estimate an entry, of a document, of one of its parts, or of an attached
    document where its URI is given; in `OUTLINE_TOKENS`, as deep as that allows where no depth is asked for."""
    library = call.services.library
    asked = arguments.document_slug
    address = parse_uri(asked) if "://" in asked else None
    info = await library.document(asked if address is None else address.doc)
    doc = info.slug if address is None and not is_doc_id(asked) else asked
    frame: dict[str, Any] = {"document_slug": info.slug, "doc_id": info.doc_id}
    if address is None and arguments.depth is None and info.parts > _MOST_SHOWN:
        return await _parts_of_many(call, info, doc, arguments.start, frame)
    if address is None or address.scheme == "embed":
        entries = await library.outline(doc, _DEPTH if arguments.depth is None else arguments.depth)
        tokens = _tokens(info) if address is None else sum(entry.tokens for entry in entries if not entry.level)
    else:
        entries = await library.outline(address.doc, _DEEPEST if arguments.depth is None else arguments.depth)
        entries = await _heavy(len(entries), partial(_below, entries, asked))
        tokens = entries[0].tokens
    frame |= {"tokens": tokens} | ({"title": shorten(info.title, 120)} if address is None else {"uri": asked})
    return await _heavy(len(entries), partial(_listed, call, arguments, entries, frame))


def _tokens(info: DocumentInfo) -> int:
    """What the whole document costs to read."""
    return reading_tokens(info.tokens, info.title, info.name, info.slug, parts=info.parts)


async def _heavy(entries: int, work: Callable[[], Made]) -> Made:
    """The result of `work`; in a thread where it goes through many entries, so that other requests do not wait."""
    return work() if entries <= _MOST_SHOWN else await asyncio.to_thread(work)


async def _parts_of_many(call: Call, info: DocumentInfo, doc: str, start: int, frame: dict[str, Any]) -> Result:
    """Of a document of more parts than any answer has room for, those from `start` on, and no more are fetched."""
    if start >= info.parts:
        raise UsageError(f"start={start} is beyond the end; there are {info.parts:,} entries.")
    entries = await call.services.library.outline(doc, 0, first=start + 1, limit=_MOST_SHOWN)
    frame |= {"tokens": _tokens(info), "title": shorten(info.title, 120)}
    shown = _fitting(entries, min(call.budget, OUTLINE_TOKENS), _around(frame, doc), call.paid)
    following = next_start(start, len(shown), info.parts - start)
    lines = [_head(frame), *map(_line, shown)]
    if following:
        frame["total"] = info.parts
        left = info.parts - start - len(shown)
        lines.append(f"{left:,} more of {info.parts:,}; start={following['next_start']} goes on.")
    frame["remark"] = (
        f"Entries below the {info.part_kind or 'part'}s are left out; document_slug={shown[0]['uri']!r} lists those of "
        "one of them."
    )
    return Result((Text("\n".join([*lines, frame["remark"]])),), frame | {"entries": shown} | following)


def _around(frame: Mapping[str, Any], asked: str) -> dict[str, Any]:
    """The answer without its entries, at its longest."""
    return {**frame, "entries": [], "total": 10**5, "next_start": 10**5, "remark": "x" * (_REMARK_CHARS + len(asked))}


def _listed(call: Call, arguments: Outline, entries: Sequence[OutlineEntry], frame: dict[str, Any]) -> Result:
    """As many of the entries as the budget allows, from `start` on, and as deep."""
    budget = min(call.budget, OUTLINE_TOKENS)
    around = _around(frame, arguments.document_slug)
    deepest = max((entry.level for entry in entries), default=0)
    shown: list[dict[str, Any]] = []
    listed = entries
    for depth in range(deepest, -1, -1) if arguments.depth is None else (deepest,):
        listed = [entry for entry in entries if entry.level <= depth]
        shown = _fitting(listed, budget, around, call.paid)
        if len(shown) == len(listed):
            break
    start = arguments.start
    if start >= len(listed) and start:
        raise UsageError(f"start={start} is beyond the end; there are {len(listed):,} entries.")
    shown = _fitting(listed[start:], budget, around, call.paid) if start else shown
    following = next_start(start, len(shown), len(listed) - start)
    lines = [_head(frame), *map(_line, shown)]
    if following:
        frame["total"] = len(listed)
        left = len(listed) - start - len(shown)
        lines.append(f"{left:,} more of {len(listed):,}; start={following['next_start']} goes on.")
    if len(listed) < len(entries):
        frame["remark"] = (
            f"{len(entries) - len(listed):,} deeper entries are left out; depth={deepest} lists them all, "
            f"document_slug={shown[0]['uri']!r} those of one part."
        )
        lines.append(frame["remark"])
    return Result((Text("\n".join(lines)),), frame | {"entries": shown} | following)


def _below(entries: Sequence[OutlineEntry], uri: str) -> list[OutlineEntry]:
    """The entry of that URI and those below it. Raises NotFoundError where the outline has none."""
    at = next((place for place, entry in enumerate(entries) if entry.uri == uri), None)
    if at is None:
        raise NotFoundError(f"{uri} is no entry of the outline; get_outline of the document lists them.", uri=uri)
    end = next((place for place in range(at + 1, len(entries)) if entries[place].level <= entries[at].level), None)
    return list(entries[at:end])


def _entry(entry: OutlineEntry, chars: int) -> dict[str, Any]:
    made: dict[str, Any] = {"uri": entry.uri, "title": shorten(entry.title, chars), "level": entry.level}
    if entry.tokens or not _is_attached(entry):  # nothing has read an attachment yet
        made["tokens"] = entry.tokens
    return made | ({"hidden": True} if entry.hidden else {})


def _is_attached(entry: OutlineEntry) -> bool:
    return entry.uri.startswith("embed://") and "?" not in entry.uri


def _head(frame: Mapping[str, Any]) -> str:
    where = f"{frame['document_slug']}, doc_id {frame['doc_id']}"
    name = frame.get("title") or frame.get("uri", "")
    return f"{name} ({where}), about {frame['tokens']:,} tokens. Title, URI, tokens:"


def _line(entry: Mapping[str, Any]) -> str:
    """An entry on a line of its own, set in by its level: the same facts as its record, in half the tokens."""
    hidden = " (hidden)" if entry.get("hidden") else ""
    tokens = f" {entry['tokens']}" if "tokens" in entry else ""
    return f"{'  ' * entry['level']}- {entry['title']}{hidden} {entry['uri']}{tokens}"


def _fitting(
    entries: Sequence[OutlineEntry], budget: int, frame: Mapping[str, Any], paid: Paid
) -> list[dict[str, Any]]:
    """The entries that fit, with shorter titles where that lets in more; at least one."""
    head = text_tokens(_head(frame)) + text_tokens(frame["remark"]) if paid != "structured" else 0
    made = [_entry(entry, 120) for entry in entries[:_MOST_SHOWN]]
    return fit_texts(made, "title", budget - head, (120, 60), frame=frame, paid=paid, line=_line)


OUTLINE = Tool(
    "get_outline",
    "Table of contents",
    "A document's parts and sections with URI, title and token estimate. The cheap first step.",
    Outline,
    get_outline,
)
