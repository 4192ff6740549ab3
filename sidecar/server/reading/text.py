"""Reads of documents and their parts as text: from an address to content items, through one query and the views.

Every answer is bounded; what is cut ends with a line that says where to go on. Bytes and pictures are `pictures`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import anyio.to_thread

from sidecar.api import Address, AnyBlock, Embed, EmbedKind, NotFoundError, ResourceContent, UsageError, format_uri
from sidecar.api.uris import MEDIA_TYPES, parse_ranges
from sidecar.server.reading.pictures import selector_of
from sidecar.server.reading.selection import (
    after_start,
    block_range,
    fitting,
    flag,
    from_block_of,
    grid_of,
    ranges_within,
    sliced,
    start_of,
)
from sidecar.store import Documents
from sidecar.store.documents.answers import Version
from sidecar.store.documents.records import PartRecord, Segment, decode_blocks
from sidecar.toolkit.cell_references import EVERYWHERE, requested_range
from sidecar.views.embedded import Readable, by_key, mark_attached_documents
from sidecar.views.html import blocks_html
from sidecar.views.markup import page
from sidecar.views.outlines import document_json, outline_markdown
from sidecar.views.parts import BlockRange, PartView, from_block, needed_embeds, render, take
from sidecar.views.sheets import sheet_csv, sheet_html, sheet_json, sheet_markdown, sheet_text
from sidecar.views.sources import origin, part_title, part_uri

__all__ = ["TextReader"]

SHEET_CHARS = 40_000
"""A sheet read without a range shows about this much (10,000 tokens); a range asked for may be larger."""
OUTLINE_CHARS = 24_000
THREAD_BYTES = 48 * 1024
"""More than this of compressed blocks is rendered in a thread, so that other requests do not wait."""

_PLURALS = {"chapters": "chapter", "slides": "slide", "pages": "page", "sheets": "sheet"}
Result = TypeVar("Result")


@dataclass(frozen=True)
class TextReader:
    """Reads text views from the store; `max_chars` is `[server] max_read_chars`, asked for at each read; `readable`
    tells attached documents from other attachments."""

    documents: Documents
    readable: Readable
    max_chars: Callable[[], int]

    async def read(self, uri: str, address: Address) -> tuple[ResourceContent, ...]:
        """Content items for a document, part, section, paragraph or range; `uri` is how it was asked for."""
        match address.scheme:
            case "document":
                return await self._document(uri, address)
            case "chapters" | "slides" | "pages" | "sheets":
                return await self._range(address)
            case "section":
                return await self._section(uri, address, selector_of(address))
            case "paragraph":
                return await self._paragraph(uri, address)
            case _:
                return await self._part(uri, address)

    async def _part(self, uri: str, address: Address) -> tuple[ResourceContent, ...]:
        selector = selector_of(address)
        if address.scheme == "chapter" and isinstance(selector, int):
            # Chapters of documents that come in pages or slides are their top-level sections.
            try:
                view = await self.documents.part(address.doc, selector, blocks=from_block_of(address))
            except NotFoundError:
                version = await self.documents.resolve(address.doc)
                if version.part_kind in {"chapter", ""}:
                    raise
                return await self._top_section(uri, address, version, selector)
            if view.part.kind != "chapter":
                return await self._top_section(uri, address, view.version, selector)
        else:
            view = await self.documents.part(address.doc, selector, blocks=from_block_of(address))
        version, part = view.version, view.part
        if part.kind != address.scheme:
            right = part_uri(part, address.doc)
            raise NotFoundError(
                f"{address.doc} has {version.parts} {part.kind}s, not {address.scheme}s; use {right}.", uri=uri
            )
        if part.kind == "sheet":
            return await self._sheet(uri, address, version, part)
        piece = await _decode(part.segments, lambda blocks: block_range(part, blocks))
        piece, onward, _ = take(after_start(piece, address), self.max_chars())
        closing = "" if onward is None else f"Go on with {from_block(address.doc, part, onward, address.suffix)}"
        return (await self._shown(uri, address, version, [piece], closing, part=part),)

    async def _top_section(
        self, uri: str, address: Address, version: Version, number: int
    ) -> tuple[ResourceContent, ...]:
        try:
            return await self._section(uri, address, number)
        except NotFoundError as error:
            kind = version.part_kind
            first = format_uri(kind, address.doc, 1)
            raise NotFoundError(
                f"{address.doc} has no chapter {number}; it comes in {version.parts} {kind}s, such as {first}.", uri=uri
            ) from error

    async def _section(self, uri: str, address: Address, selector: int | str) -> tuple[ResourceContent, ...]:
        view = await self.documents.section(address.doc, selector)
        section = view.section
        pieces: list[BlockRange] = []
        room = self.max_chars()
        closing = ""
        for part in view.parts:
            blocks = [block for segment in part.segments for block in decode_blocks(segment.data)]
            piece = block_range(part, blocks)
            low = section.block if part.n == section.part else 1
            high = section.end_block if part.n == section.end_part else 2**31
            piece = sliced(piece, low, high)
            if not piece.blocks:
                continue
            if room <= 0:
                closing = f"Go on with {part_uri(part, address.doc)}"
                break
            piece, onward, used = take(piece, room)
            room -= used
            pieces.append(piece)
            if onward is not None:
                closing = f"Go on with {from_block(address.doc, part, onward, address.suffix)}"
                break
        place = f'section "{" ".join(section.title.split())[:120]}"'
        if view.parts:
            first = view.parts[0]
            place += f" in {first.kind} {first.n} of {view.version.parts}"
        content = await self._shown(uri, address, view.version, pieces, closing, place=place, titled=False)
        return (content,)

    async def _paragraph(self, uri: str, address: Address) -> tuple[ResourceContent, ...]:
        number = address.path[1]
        if not number.isdecimal() or len(number) > 9:
            raise UsageError(f"paragraph {number[:20]!r} is not a number; the form is paragraph://{{doc}}/{{n}}/{{m}}.")
        wanted = int(number)
        view = await self.documents.part(address.doc, selector_of(address), blocks=(wanted, wanted))
        part = view.part
        blocks = [block for segment in part.segments for block in decode_blocks(segment.data)]
        piece = sliced(block_range(part, blocks), wanted, wanted)
        if not piece.blocks:
            whole = part_uri(part, address.doc)
            raise NotFoundError(
                f"{part.kind} {part.n} of {address.doc} has no paragraph {wanted}; see {whole}.", uri=uri
            )
        place = f"paragraph {wanted} of {part.kind} {part.n}"
        content = await self._shown(uri, address, view.version, [piece], "", place=place, titled=False)
        return (content,)

    async def _range(self, address: Address) -> tuple[ResourceContent, ...]:
        kind = _PLURALS[address.scheme]
        version = await self.documents.resolve(address.doc)
        if version.part_kind != kind:
            if kind == "chapter":
                return await self._section_range(address)
            raise NotFoundError(
                f"{address.doc} has {version.part_kind or 'no part'}s, not {kind}s; use "
                f"{version.part_kind or 'document'}s://{address.doc}/{address.path[0]}.",
                uri=str(address),
            )
        numbers = parse_ranges(address.path[0], version.parts)
        room = self.max_chars()
        contents: list[ResourceContent] = []
        for place, number in enumerate(numbers):
            if room <= 0:
                rest = ",".join(str(left) for left in numbers[place : place + 50])
                onward = format_uri(address.scheme, address.doc, rest, suffix=address.suffix)
                contents.append(ResourceContent(onward, "text/markdown", text=f"*(Go on with {onward})*"))
                break
            uri = format_uri(kind, address.doc, number, suffix=address.suffix)
            one = Address(kind, address.doc, (str(number),), address.suffix, address.query)
            for content in await self._part(uri, one):
                contents.append(content)
                room -= len(content.text or "")
        return tuple(contents)

    async def _section_range(self, address: Address) -> tuple[ResourceContent, ...]:
        view = await self.documents.outline(address.doc)
        top = [section for section in view.sections if section.n]
        if not top:
            kind = view.version.part_kind or "part"
            raise NotFoundError(
                f"{address.doc} has no chapters, only {kind}s; use {kind}s://{address.doc}/…", uri=str(address)
            )
        contents: list[ResourceContent] = []
        for number in parse_ranges(address.path[0], len(top)):
            uri = format_uri("chapter", address.doc, number, suffix=address.suffix)
            one = Address("chapter", address.doc, (str(number),), address.suffix, address.query)
            contents.extend(await self._section(uri, one, number))
        return tuple(contents)

    async def _sheet(
        self, uri: str, address: Address, version: Version, part: PartRecord
    ) -> tuple[ResourceContent, ...]:
        asked = address.query.get("range", "")
        area = requested_range(asked) if asked else EVERYWHERE
        if asked and part.rows and area.top >= part.rows:
            raise UsageError(
                f"range {asked[:40]} lies below the last row; sheet {part.name or part.n} has {part.rows:,}."
            )
        room = self.max_chars() if asked else min(SHEET_CHARS, self.max_chars())
        if address.suffix in {"csv", "json"}:
            room = self.max_chars()
        found = await _threaded(
            sum(len(segment.data) for segment in part.segments),
            lambda: grid_of(part.segments, area, room, whole=not asked),
        )
        doc = address.doc
        where = origin(version, doc, uri, part)
        embeds = await self._embeds(doc, found.others)
        match address.suffix:
            case "csv":
                text = sheet_csv(found)
            case "json":
                text = _json(sheet_json(found, part, doc, where))
            case "txt":
                text = sheet_text(found, part, doc, where, embeds)
            case "html":
                text = page(
                    part_title(part), sheet_html(found, part, doc, where, blocks_html(found.others, doc, embeds))
                )
            case _:
                text = sheet_markdown(found, part, doc, where, embeds, formulas=flag(address, "formulas"))
        return (ResourceContent(uri, MEDIA_TYPES[address.suffix or "md"], text=text),)

    async def _document(self, uri: str, address: Address) -> tuple[ResourceContent, ...]:
        start, block = start_of(address)
        if not address.suffix:
            view = await self.documents.outline(address.doc)
            info = await self.documents.info(address.doc)
            where = origin(view.version, address.doc, format_uri("document", address.doc))
            if start > 1 and start > len(view.parts):
                raise UsageError(f"from={start} is beyond the last part; {address.doc} has {len(view.parts)}.")
            stored = (await self.documents.embeds(address.doc)).embeds if info.embedded and start == 1 else ()
            embeds = mark_attached_documents(stored, self.readable)
            text = outline_markdown(view, info, where, start=start, max_chars=OUTLINE_CHARS, embeds=embeds)
            return (ResourceContent(uri, "text/markdown", text=text),)
        view = await self.documents.outline(address.doc)
        if start > 1 and start > len(view.parts):
            raise UsageError(f"from={start} is beyond the last part; {address.doc} has {len(view.parts)}.")
        numbers = fitting(view.parts[start - 1 :], self.max_chars())
        stored = (await self.documents.parts(view.version.doc_id, numbers)).parts if numbers else ()
        size = sum(len(segment.data) for part in stored for segment in part.segments)
        pieces, onward = await _threaded(size, lambda: ranges_within(stored, block, self.max_chars()))
        closing_uri = ""
        if onward is not None or start - 1 + len(numbers) < len(view.parts):
            part_n, at = onward or (start + len(numbers), 1)
            query = {"from": f"{part_n}.{at}" if at > 1 else str(part_n)}
            closing_uri = format_uri("document", address.doc, suffix=address.suffix, query=query)
        where = origin(view.version, address.doc, format_uri("document", address.doc))
        if address.suffix == "json":
            info = await self.documents.info(address.doc)
            elements = (await self.documents.elements(address.doc)).elements
            embeds = mark_attached_documents((await self.documents.embeds(address.doc)).embeds, self.readable)
            record = document_json(
                info, view, blocks={piece.part.n: piece.blocks for piece in pieces}, elements=elements, embeds=embeds,
                origin=where, onward=closing_uri,
            )  # fmt: skip
            return (ResourceContent(uri, MEDIA_TYPES["json"], text=_json(record)),)
        closing = f"Go on with {closing_uri}" if closing_uri else ""
        return (await self._shown(uri, address, view.version, pieces, closing),)

    async def _shown(
        self, uri: str, address: Address, version: Version, pieces: Sequence[BlockRange], closing: str, *,
        part: PartRecord | None = None, place: str = "", titled: bool = True,
    ) -> ResourceContent:  # fmt: skip
        blocks = [block for piece in pieces for block in piece.blocks]
        embeds = await self._embeds(address.doc, blocks)
        suffix = address.suffix or "md"
        shown = PartView(
            origin(version, address.doc, replace(address, suffix="", query={}).__str__(), part, place),
            pieces, address.doc, closing, titled, embeds, flag(address, "formulas"),
        )  # fmt: skip
        text = await _threaded(len(blocks) * 64, lambda: render(shown, suffix))
        return ResourceContent(uri, MEDIA_TYPES[suffix], text=text)

    async def _embeds(self, doc: str, blocks: Sequence[AnyBlock]) -> Mapping[tuple[EmbedKind, int], Embed]:
        if not needed_embeds(blocks):
            return {}
        view = await self.documents.embeds(doc, ("chart", "media", "attachment"))
        return by_key(mark_attached_documents(view.embeds, self.readable))


async def _decode(segments: Sequence[Segment], make: Callable[[list[AnyBlock]], Result]) -> Result:
    size = sum(len(segment.data) for segment in segments)
    return await _threaded(size, lambda: make([block for segment in segments for block in decode_blocks(segment.data)]))


async def _threaded(size: int, work: Callable[[], Result]) -> Result:
    if size <= THREAD_BYTES:
        return work()
    return await anyio.to_thread.run_sync(work)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
