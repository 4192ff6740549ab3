"""The table of contents of a document: as entries for programs, as Markdown, text, HTML and JSON, bounded in length."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from sidecar.api import AnyBlock, DocumentInfo, Element, Embed, OutlineEntry, format_uri
from sidecar.api.model import CLERICAL_METADATA
from sidecar.store.documents.records import PartRecord, SectionRecord
from sidecar.store.documents.views import OutlineView, TextRange
from sidecar.toolkit.answers.budget import shorten
from sidecar.toolkit.answers.notices import summed_notices
from sidecar.toolkit.answers.tokens import document_tokens, reading_tokens
from sidecar.toolkit.provenance import escape_frame_lines, escape_script_links
from sidecar.toolkit.text.ranges import format_range
from sidecar.views.embedded import (
    SECTION_TITLE_CHARS,
    AttachedDocument,
    attached_entries,
    embed_uri,
    is_named_after,
    reading_uri,
)
from sidecar.views.inline import flat, label
from sidecar.views.sources import Origin, part_title, part_uri

_MAX_FACTS, _MAX_NOTICES = 24, 20
"""How many facts of the metadata, and how many notices, stand above the table of contents."""
_EMBEDDED_CHARS = 2000
"""Embedded things are listed within this even where the parts took all the room."""
_ABOUT_CHARS = 120
_PAGES_OF_A_SECTION = 20
"""Where a heading stands on fewer than one page of this many (a scan, of which one line was read as a heading), pages
are what is left to find the way by."""
_OPENING_CHARS = 50
_DATES = ("created", "modified", "pages")
"""Bookkeeping a reader asks for all the same."""
_DEPTH = 2
"""Levels of sections that an outline tells below a part, unless it is asked for others."""


def outline_entries(
    view: OutlineView, doc: str, depth: int = _DEPTH, embeds: Sequence[Embed] = (), *, pages: bool = False
) -> list[OutlineEntry]:
    """The parts of the view (level 0), each followed by the sections that begin in it (level 1 to `depth`) and
    by those of `embeds` that are documents attached to it; the ones attached to the whole come last.

    Where parts are pages and have headings enough, the sections are the outline (level 0 to `depth`), with the pages
    each goes over: two hundred lines "page 7" lead nowhere. `pages` lists the pages all the same. What is long and has
    no headings is told by the words its stretches open with, a level below."""
    attached = attached_entries(embeds, doc) if depth > 0 else {}
    inside: dict[int, list[SectionRecord]] = {}
    for section in view.sections:
        inside.setdefault(section.part, []).append(section)
    within: dict[int, list[TextRange]] = {}
    for text_range in view.text_ranges:
        within.setdefault(text_range.part, []).append(text_range)
    maker = _EntryMaker(view, doc, depth)
    entries: list[OutlineEntry] = []
    parts = view.parts
    by_sections = not pages and goes_by_sections(view.version.part_kind, len(view.parts), len(view.sections))
    above: list[int] = []
    if by_sections:
        entries += maker.before_headings(parts, view.sections[0])
    for part in parts:
        if by_sections:
            entries += maker.sections_on(inside.get(part.n, []), above)
        else:
            title, uri = part_title(part), part_uri(part, doc)
            sections = inside.get(part.n, [])
            own = _own_heading(part, sections)
            shown = flat(own.title)[:SECTION_TITLE_CHARS] if own else title
            tokens = maker.tokens(part.tokens, title, uri)
            entries.append(OutlineEntry(uri, shown or f"{part.kind} {part.n}", 0, tokens, hidden=part.hidden))
            if depth > 0:
                entries += maker.sections(sections, own, within.get(part.n, []))
        entries += attached.get(part.n, [])
    return entries + list(attached.get(0, []))


def goes_by_sections(part_kind: str, parts: int, sections: int) -> bool:
    """Whether headings, not parts, are what a reader finds the way by."""
    return part_kind == "page" and 0 < parts <= sections * _PAGES_OF_A_SECTION


class _EntryMaker:
    """Makes the entries of sections, down to level `depth`, with what reading each costs."""

    def __init__(self, view: OutlineView, doc: str, depth: int) -> None:
        self._doc, self._depth = doc, depth
        self._named = (view.version.title, view.version.name)

    def tokens(self, tokens: int, title: str, uri: str) -> int:
        """What it costs to read something of so many tokens, with the frame around it."""
        return reading_tokens(tokens, *self._named, title, uri)

    def before_headings(self, parts: Sequence[PartRecord], first: SectionRecord) -> Iterator[OutlineEntry]:
        """The pages before the one on which the first heading stands, in one entry."""
        before = [part for part in parts if part.n < first.part]
        if before and before[0].n == 1:  # else it is a window, and they go on with what an earlier one lists
            pages = format_range(before[0].n, before[-1].n)
            title, uri = f"page{'s' if len(before) > 1 else ''} {pages}", format_uri("page", self._doc, pages)
            yield OutlineEntry(uri, title, 0, self.tokens(sum(part.tokens for part in before), title, uri))

    def sections_on(self, sections: Sequence[SectionRecord], above: list[int]) -> Iterator[OutlineEntry]:
        """The sections that begin on a page, with the pages they go over. `above` are the levels of the sections that
        are open, and is kept; a level that is left out ("1" above "1.0.1") makes none."""
        for section in sections:
            while above and above[-1] >= section.level:
                above.pop()
            level = len(above)
            above.append(section.level)
            if level <= self._depth:
                uri, several = format_uri("section", self._doc, section.id), section.end_part > section.part
                over = f"p{'p' if several else ''}. {format_range(section.part, section.end_part)}"
                title = f"{flat(section.title)[:SECTION_TITLE_CHARS]} ({over})"
                yield OutlineEntry(uri, title, level, self.tokens(section.tokens, title, uri))

    def sections(
        self, sections: Sequence[SectionRecord], own: SectionRecord | None, text_ranges: Sequence[TextRange]
    ) -> Iterator[OutlineEntry]:
        """The sections of a part, but for its `own` heading."""
        top = sections[0].level if own else min((section.level for section in sections), default=1) - 1
        shown = sections[1:] if own else sections
        if not shown:
            yield from self._text_ranges(text_ranges, 1)
        for section in shown:
            level = max(section.level - top, 1)
            if level <= self._depth:
                uri, title = format_uri("section", self._doc, section.id), flat(section.title)[:SECTION_TITLE_CHARS]
                yield OutlineEntry(uri, title, level, self.tokens(section.tokens, title, uri))
            if level < self._depth:
                inside = [one for one in text_ranges if section.block <= one.first <= section.end_block]
                yield from self._text_ranges(inside, level + 1)

    def _text_ranges(self, text_ranges: Sequence[TextRange], level: int) -> Iterator[OutlineEntry]:
        for one in text_ranges:
            paragraphs = format_range(one.first, one.last)
            uri = format_uri("paragraph", self._doc, one.part, paragraphs)
            title = f"{paragraphs}: {shorten(flat(one.opening), _OPENING_CHARS)}"
            yield OutlineEntry(uri, title, level, self.tokens(one.tokens, title, uri))


def _own_heading(part: PartRecord, sections: Sequence[SectionRecord]) -> SectionRecord | None:
    """The heading a chapter or message begins with and is named after: saying it twice would only cost tokens."""
    first = sections[0] if sections and part.kind in {"chapter", "message"} else None
    return first if first is not None and is_named_after(part, first) else None


def outline_markdown(
    view: OutlineView, info: DocumentInfo, origin: Origin, *, start: int, max_chars: int, embeds: Sequence[Embed] = ()
) -> tuple[str, str]:
    """What the document is, what is remarkable about it, and every part with URI, title and token estimate; and the URI
    to go on with, "" where all is told.

    Stops at `max_chars` and says how to go on, so that ten thousand pages do not flood a context."""
    doc, onward = origin.doc, ""
    lines = [origin.markdown(), "", f"# {info.title or info.name}", ""]
    if start == 1:
        if info.description and not info.description.endswith("..."):  # else it only repeats the text's beginning
            lines += [escape_frame_lines(escape_script_links(info.description)), ""]
        kind = f"{info.parts:,} {info.part_kind or 'part'}{'s' if info.parts != 1 else ''}"
        tokens = f"about {document_tokens(info, doc):,} tokens"
        facts = [f"{info.format or info.media_type}, {kind}, {tokens}, {info.size:,} bytes"]
        keys = [
            key for key, value in info.metadata.items() if value and (key in _DATES or key not in CLERICAL_METADATA)
        ]
        facts += [f"{key}: {info.metadata[key]}" for key in keys][:_MAX_FACTS]
        facts += [f"{count} {name}{'s' if count != 1 else ''}" for name, count in info.elements.items()]
        facts += [f"{count} embedded ({name})" for name, count in info.embedded.items()]
        lines += [f"- {flat(fact)}" for fact in facts]
        lines += [f"- Notice: {flat(notice.message)}" for notice in summed_notices(info.notices)[:_MAX_NOTICES]]
        lines += ["", f"Whole text: {format_uri('document', doc, suffix='md')}", "", "## Contents", ""]
    used = sum(map(len, lines))
    part = start - 1
    listed = _all_sections(view, doc, max_chars - used) if start == 1 else []
    lines, used = [*lines, *listed], used + sum(map(len, listed))
    rest = msgspec.structs.replace(view, parts=tuple(one for one in view.parts if one.n >= start))
    for entry in outline_entries(rest, doc, pages=True) if not listed else ():
        line = _line(entry)
        if entry.level == 0:
            if used + len(line) > max_chars and part >= start:
                onward = format_uri("document", doc, query={"from": str(part + 1)})
                break
            part += 1
        elif used + len(line) > max_chars:
            continue  # sections of the last part that fits: the part itself leads to them
        used += len(line) + 1
        lines.append(line)
    if not view.parts:
        lines.append("*(The document has no content.)*")
    if embeds:
        lines += ["", "## Embedded", "", *_embedded(embeds, doc, max(max_chars - used, _EMBEDDED_CHARS))]
    if onward:  # at the end, where it is looked for
        lines += ["", f"*({len(view.parts) - part:,} more parts. Go on with {onward})*"]
    return "\n".join(lines), onward


def _all_sections(view: OutlineView, doc: str, room: int) -> list[str]:
    """The sections of a document of pages, as deep as `room` characters let in all of them, and how to read its pages;
    none where its outline is one of pages, or where even the highest do not fit."""
    if len(view.parts) < view.version.parts or not goes_by_sections(
        view.version.part_kind, len(view.parts), len(view.sections)
    ):
        return []
    entries = outline_entries(view, doc, _DEPTH)
    for level in range(_DEPTH, -1, -1):
        lines = [_line(entry) for entry in entries if entry.level <= level]
        left = len(view.sections) - sum(entry.uri.startswith("section:") for entry in entries if entry.level <= level)
        deeper = f"; {left:,} deeper {'headings are' if left > 1 else 'heading is'} not listed" if left else ""
        lines += ["", f"Pages: {format_uri('page', doc, format_range(1, len(view.parts)))}{deeper}"]
        if sum(map(len, lines)) + len(lines) <= room:
            return lines
    return []


def _line(entry: OutlineEntry) -> str:
    hidden = " (hidden)" if entry.hidden else ""
    return f"{'  ' * entry.level}- [{label(entry.title)}]({entry.uri}){hidden}, about {entry.tokens:,} tokens"


def _embedded(embeds: Sequence[Embed], doc: str, max_chars: int) -> list[str]:
    """One line a picture, chart, film, attachment or font, as many as there is room for."""
    lines: list[str] = []
    used = 0
    for index, embed in enumerate(embeds):
        name = label(embed.name) or f"{embed.kind} {embed.id}"
        size = f", {embed.width}×{embed.height}" if embed.width and embed.height else ""
        title = embed.chart.title if embed.chart is not None else ""
        about = flat(title or embed.alt)[:_ABOUT_CHARS]
        uri = reading_uri(doc, embed.kind, embed.id, embed)
        line = f"- {embed.kind} [{name}]({uri}){size}" + (f": {about}" if about and about != name else "")
        if used + len(line) > max_chars:
            return [*lines, f"*({len(embeds) - index:,} more.)*"]
        used += len(line) + 1
        lines.append(line)
    return lines


@dataclass(frozen=True)
class Listing:
    """What the JSON of a document lists: parts and sections, the `blocks` of some parts (by part number), elements and
    embedded things. `left_out` tells of hidden text that is not in it (`sources.left_out_record`), `onward` is where
    the rest begins, "" when nothing is cut."""

    view: OutlineView
    blocks: Mapping[int, Sequence[AnyBlock]]
    elements: Sequence[Element]
    embeds: Sequence[Embed]
    left_out: Mapping[str, object]
    onward: str


def document_json(info: DocumentInfo, origin: Origin, listing: Listing) -> dict[str, object]:
    """The structure of a document: its metadata and what is listed of it."""
    doc, view = origin.doc, listing.view
    parts: list[dict[str, object]] = []
    for part in view.parts:
        record: dict[str, object] = {
            "n": part.n, "kind": part.kind, "title": part.title, "name": part.name, "uri": part_uri(part, doc),
            "tokens": part.tokens, "hidden": part.hidden,
        }  # fmt: skip
        if part.metadata:
            record["metadata"] = part.metadata
        if part.n in listing.blocks:
            record["blocks"] = msgspec.to_builtins(list(listing.blocks[part.n]))
        parts.append(record)
    answer: dict[str, object] = {
        "source": origin.record(),
        "title": info.title,
        "description": info.description,
        "format": info.format,
        "media_type": info.media_type,
        "size": info.size,
        "modified": info.modified,
        "metadata": dict(info.metadata),
        "notices": [msgspec.to_builtins(notice) for notice in info.notices],
        "parts": parts,
        "sections": [
            {
                "id": section.id, "uri": format_uri("section", doc, section.id), "level": section.level,
                "title": section.title, "part": section.part, "tokens": section.tokens,
            }
            for section in view.sections
        ],
        "elements": [
            {**msgspec.to_builtins(element), "uri": format_uri("element", doc, element.label)}
            for element in listing.elements
        ],
        "embedded": [
            {
                "uri": embed_uri(doc, embed.kind, embed.id), "kind": embed.kind, "name": embed.name,
                "media_type": embed.media_type, "size": embed.size, "alt": embed.alt, "part": embed.part,
            }
            | ({"text_uri": reading_uri(doc, embed.kind, embed.id, embed)} if _is_read(embed) else {})
            for embed in listing.embeds
        ],
        **listing.left_out,
    }  # fmt: skip
    if listing.onward:
        answer["next"] = listing.onward
    return answer


def _is_read(embed: Embed) -> bool:
    return isinstance(embed, AttachedDocument)
