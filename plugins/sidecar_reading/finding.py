"""The tool `get_outline`: the table of contents."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import chain
from typing import Annotated, Any

from pydantic import Field

from sidecar.api.contents import Paid, Result, Text
from sidecar.api.errors import UsageError
from sidecar.api.features import Call, Tool
from sidecar.api.records import DocumentInfo, OutlineEntry
from sidecar.api.uris import format_uri, is_doc_id, parse_uri
from sidecar.toolkit.answers.budget import fit_texts, next_start, shorten, text_tokens
from sidecar.toolkit.answers.notices import lacking_text
from sidecar.toolkit.settings import Start, ToolArguments
from sidecar.toolkit.text.ranges import format_range

_OUTLINE_TOKENS = 2000
"""What an outline costs at most; what it leaves out is opened part by part."""
_DEPTH, _MAX_DEPTH = 2, 9
"""How deep an outline goes where no depth is asked for: a document's, and a part's."""
_REMARK_CHARS = 180
"""How to open what is left out, in words."""
_MAX_SHOWN = 500
"""No answer has room for more entries."""


class GetOutline(ToolArguments):
    """Arguments of `get_outline`."""

    document_slug: Annotated[str, Field(min_length=1, description="or the URI of a part to open")]
    depth: Annotated[int | None, Field(ge=0, le=9)] = None
    start: Start = 0


async def get_outline(call: Call, arguments: GetOutline) -> Result:
    """The table of contents with a token estimate an entry, of a document, of one of its parts, or of an attached
    document where its URI is given; in `_OUTLINE_TOKENS`, as deep as that allows where no depth is asked for. Raises
    UsageError."""
    library = call.services.library
    asked = arguments.document_slug
    address = parse_uri(asked) if "://" in asked else None
    if address is not None and address.scheme == "document":
        asked, address = address.doc, None
    info = await library.document(asked if address is None else address.doc)
    doc = info.slug if address is None and not is_doc_id(asked) else asked
    frame: dict[str, object] = {"document_slug": info.slug, "doc_id": info.doc_id, **_lacking(info)}
    many = address is None and arguments.depth is None and info.parts > _MAX_SHOWN
    if many and info.part_kind != "page":
        return await _parts_of_many(call, info, doc, arguments.start, frame)
    usual = _DEPTH if address is None or address.scheme == "embed" else _MAX_DEPTH
    depth = usual if arguments.depth is None else arguments.depth
    outline = await library.outline(doc, depth, limit=_MAX_SHOWN)
    by_sections = info.part_kind == "page" and any(
        one.level == 0 and one.uri.startswith("section://") for one in outline.entries
    )
    if many and not by_sections:
        return await _parts_of_many(call, info, doc, arguments.start, frame)
    frame |= {"tokens": outline.tokens} | ({"title": shorten(info.title, 120)} if address is None else {"uri": asked})
    if by_sections and address is None:  # the pages are not entries, so this says how to read them
        frame["pages"] = format_uri("page", info.slug, format_range(1, info.parts))
    around, budget = _around(frame, asked), min(call.budget, _OUTLINE_TOKENS)
    every, level = outline.counts[-1], len(outline.counts) - 1
    deepest = level
    if arguments.depth is None and every > _MAX_SHOWN:
        level = max((one for one, count in enumerate(outline.counts) if count <= _MAX_SHOWN), default=0)
        outline = await library.outline(doc, level, limit=_MAX_SHOWN)
    total, start = outline.counts[level], arguments.start
    entries: Sequence[OutlineEntry] = outline.entries
    if arguments.depth is None and len(entries) == total:
        entries = _opened(entries, lambda some: len(_fitting(some, budget, around, call.paid)) == len(some))
        total = len(entries)
    if start >= total and start:
        raise UsageError(f"start={start} is beyond the end; there are {total:,} entries.")
    if len(entries) == total:
        entries = entries[start:]
    else:
        entries = (await library.outline(doc, level, start=start, limit=_MAX_SHOWN)).entries
    shown = _fitting(entries, budget, around, call.paid)
    remark = ""
    if total < every:
        remark = (
            f"{every - total:,} deeper entries are left out; depth={deepest} lists them all, "
            f"document_slug={_longest_end(shown)!r} those of one part."
        )
    return _answer(frame, shown, start, total, remark)


def _answer(frame: dict[str, object], shown: list[dict[str, Any]], start: int, total: int, remark: str) -> Result:
    """Entries from `start` on of `total`, as records and as lines, with how to go on and what is left out."""
    following = next_start(start, len(shown), total - start)
    lines = [_head(frame), *map(_line, shown)]
    if following:
        frame["total"] = total
        lines.append(f"{total - start - len(shown):,} more of {total:,}; start={following['next_start']} goes on.")
    if remark:
        frame["remark"] = remark
        lines.append(remark)
    return Result((Text("\n".join(lines)),), frame | {"entries": shown} | following)


def _opened(entries: Sequence[OutlineEntry], fit: Callable[[Sequence[OutlineEntry]], bool]) -> Sequence[OutlineEntry]:
    """The highest entries, and what lies right below the longest of them and so on, as far as all of it fits: a book of
    one part is told by its chapters, and no short chapter is opened while a long one is not."""
    if fit(entries):
        return entries
    below, highest = _levels_below(entries)
    ready = [(-entries[at].tokens, at) for at in highest]
    heapify(ready)
    steps: list[list[int]] = []
    while ready:
        if inner := below.get(heappop(ready)[1]):
            steps.append(inner)
            for at in inner:
                heappush(ready, (-entries[at].tokens, at))

    def after(count: int) -> list[OutlineEntry]:
        return [entries[at] for at in sorted(chain(highest, *steps[:count]))]

    return after(bisect_left(range(1, len(steps) + 1), x=True, key=lambda count: not fit(after(count))))


def _longest_end(shown: Sequence[Mapping[str, Any]]) -> str:
    """The URI of the longest entry below which none is shown."""
    following = [*(entry["level"] for entry in shown[1:]), 0]
    ends = [entry for entry, level in zip(shown, following, strict=True) if level <= entry["level"]]
    return max(ends, key=lambda entry: entry.get("tokens", 0))["uri"]


def _levels_below(entries: Sequence[OutlineEntry]) -> tuple[Mapping[int, list[int]], list[int]]:
    """The places of the entries right below each that has any, and of those that are below none."""
    below: dict[int, list[int]] = {}
    highest: list[int] = []
    above: list[int] = []
    for at, entry in enumerate(entries):
        while above and entries[above[-1]].level >= entry.level:
            above.pop()
        (below.setdefault(above[-1], []) if above else highest).append(at)
        above.append(at)
    return below, highest


async def _parts_of_many(call: Call, info: DocumentInfo, doc: str, start: int, frame: dict[str, object]) -> Result:
    """Of a document of more parts than any answer has room for, those from `start` on, and no more are fetched."""
    if start >= info.parts:
        raise UsageError(f"start={start} is beyond the end; there are {info.parts:,} entries.")
    outline = await call.services.library.outline(doc, 0, start=start, limit=_MAX_SHOWN)
    frame |= {"tokens": outline.tokens, "title": shorten(info.title, 120)}
    shown = _fitting(outline.entries, min(call.budget, _OUTLINE_TOKENS), _around(frame, doc), call.paid)
    remark = (
        f"Entries below the {info.part_kind or 'part'}s are left out; document_slug={shown[0]['uri']!r} lists those of "
        "one of them."
    )
    return _answer(frame, shown, start, info.parts, remark)


def _around(frame: Mapping[str, object], asked: str) -> dict[str, object]:
    """The answer without its entries, at its longest."""
    return {**frame, "entries": [], "total": 10**5, "next_start": 10**5, "remark": "x" * (_REMARK_CHARS + len(asked))}


def _lacking(info: DocumentInfo) -> dict[str, str]:
    """What the text of the document lacks, where it does."""
    lacking = lacking_text(info.notices, info.parts, info.tokens)
    return {"lacking": lacking} if lacking else {}


def _entry(entry: OutlineEntry) -> dict[str, object]:
    made: dict[str, object] = {"uri": entry.uri, "title": shorten(entry.title, 120), "level": entry.level}
    if entry.tokens or not _is_attached(entry):  # nothing has read an attachment yet
        made["tokens"] = entry.tokens
    return made | ({"hidden": True} if entry.hidden else {})


def _is_attached(entry: OutlineEntry) -> bool:
    return entry.uri.startswith("embed://") and "?" not in entry.uri


def _head(frame: Mapping[str, Any]) -> str:
    where = f"{frame['document_slug']}, doc_id {frame['doc_id']}"
    name = frame.get("title") or frame.get("uri", "")
    pages = f" Pages: {frame['pages']}." if "pages" in frame else ""
    lacking = f", {frame['lacking']}" if "lacking" in frame else ""
    return f"{name} ({where}), about {frame['tokens']:,} tokens{lacking}.{pages} Title, URI, tokens:"


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
    made = [_entry(entry) for entry in entries[:_MAX_SHOWN]]
    return fit_texts(made, "title", budget - head, (120, 60), frame=frame, paid=paid, line=_line)


OUTLINE = Tool(
    "get_outline", "Table of contents",
    "A document's parts and sections with URI, title and token estimate. The cheap first step.",
    GetOutline, get_outline,
)  # fmt: skip
