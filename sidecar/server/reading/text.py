"""Reads of documents and their parts as text: from an address to content items, through one query and the views.

Every answer is bounded before it is built; what is cut ends with a line that says where to go on. Bytes and pictures
are `pictures`'."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, get_args

from sidecar.api import Address, AnyBlock, Embed, EmbedKind, NotFoundError, ResourceContent, UsageError, format_uri
from sidecar.api.model import PartKind
from sidecar.api.uris import MEDIA_TYPES
from sidecar.server.long_work import HEAVY_BYTES, HeavyViewError, in_thread
from sidecar.server.reading.address_query import (
    LAST_BLOCK,
    first_block,
    first_part_and_block,
    flag,
    hidden_wanted,
    kept_query,
    paragraphs_asked,
    selector_of,
    with_hidden,
)
from sidecar.server.reading.changes import ASKED, changes
from sidecar.server.reading.decoding import (
    TEXT_PER_BYTE,
    fitting_parts,
    from_block_of,
    ranges_within,
    sheet_blocks,
    stored_bytes,
)
from sidecar.store import Documents
from sidecar.store.documents.records import PartRecord
from sidecar.store.documents.views import OutlineView, Version
from sidecar.toolkit.cell_references import EVERYWHERE, requested_range
from sidecar.toolkit.provenance import CONTINUES, LEFT_OUT
from sidecar.toolkit.text.ranges import format_range, format_ranges, parse_ranges
from sidecar.toolkit.visible import NOTHING
from sidecar.views.blocks.tables import json_text
from sidecar.views.embedded import Readable, by_key, mark_attached_documents
from sidecar.views.grid import grid
from sidecar.views.outlines import Listing, document_json, outline_markdown
from sidecar.views.parts import (
    BlockRange,
    TextView,
    from_block,
    needed_embeds,
    render,
    render_sheet,
    text_size,
    visible_range,
)
from sidecar.views.sheets import SheetView
from sidecar.views.sources import Origin, left_out_line, left_out_record, lines_of_code, origin, part_uri

_SHEET_CHARS = 40_000
"""A sheet read without a range shows about this much (10,000 tokens); a range asked for may be larger."""
_OUTLINE_CHARS = 24_000
_OUTLINE_LINE_CHARS = 20
"""No line of an outline is shorter: that many parts are fetched and no more."""
_LINE_CHARS = 100
"""About how many characters a line of an outline takes."""
_TOKEN_CHARS = 4
_PART_BYTES = 2 * 1024
"""What looking for a part and framing it takes, in the time of decoding this many bytes."""
_PART_CHARS = 150
"""What a part without its blocks takes in the JSON of a document, and about what a row of a sheet takes."""
_RANGE_ITEMS = 200
"""A range of parts gives no more content items at a time: each is read and framed by itself."""

_SINGULAR = {"chapters": "chapter", "slides": "slide", "pages": "page", "sheets": "sheet"}
Contents = tuple[ResourceContent, ...]
Result = TypeVar("Result")


@dataclass(frozen=True)
class TextReader:
    """Reads text views from the store. `max_chars` is `[server] max_read_chars`, asked for at each read; `readable`
    tells attached documents from other attachments. `uri` of a read is how the thing was asked for.

    Every read may raise HeavyViewError before anything is built, unless this is `in_worker`, where all are made."""

    documents: Documents
    readable: Readable
    max_chars: Callable[[], int]
    in_worker: bool = False

    def readers(self) -> Mapping[str, Callable[[str, Address], Coroutine[Any, Any, Contents]]]:
        """Scheme → what reads it."""
        return {
            "document": self.document,
            "section": self.section,
            "paragraph": self.paragraph,
            **dict.fromkeys(get_args(PartKind), self.part),
            **dict.fromkeys(_SINGULAR, self.part_range),
        }

    async def part(self, uri: str, address: Address) -> Contents:
        """A chapter, sheet, slide, page or message. Raises NotFoundError."""
        selector = selector_of(address)
        begin = first_block(address)
        blocks = None if begin is None else (begin, LAST_BLOCK)
        try:
            view = await self.documents.part(address.doc, selector, blocks=blocks)
        except NotFoundError:
            version = await self.documents.resolve(address.doc)
            if address.scheme != "chapter" or isinstance(selector, str) or version.part_kind in {"chapter", ""}:
                raise
            return await self._top_section(uri, address, version, selector)
        version, part = view.version, view.part
        if part.kind != address.scheme:
            if address.scheme == "chapter" and isinstance(selector, int):
                return await self._top_section(uri, address, version, selector)
            right = part_uri(part, address.doc)
            raise NotFoundError(
                f"{address.doc} has {version.parts} {part.kind}s, not {address.scheme}s; use {right}.", uri=uri
            )
        if part.kind == "sheet":
            return await self._sheet(uri, address, version, part)
        ranges, onward = await self._decoded(address, [part], lambda _: (begin or 1, LAST_BLOCK))
        return await self._rendered(uri, address, TextView(_source(address, version, part), ranges, onward))

    async def section(self, uri: str, address: Address) -> Contents:
        """A heading and what stands under it."""
        return await self._section(uri, address, selector_of(address))

    async def paragraph(self, uri: str, address: Address) -> Contents:
        """One block of a part, or those from one to another. Raises NotFoundError."""
        first, last = paragraphs_asked(address)
        view = await self.documents.part(address.doc, selector_of(address), blocks=(first, last))
        part = view.part
        ranges, onward = await self._decoded(address, [part], lambda _: (first, last))
        blocks = [block for one in ranges for block in one.blocks]
        if not blocks:
            whole = part_uri(part, address.doc)
            raise NotFoundError(
                f"{part.kind} {part.n} of {address.doc} has no paragraph {first}; see {whole}.", uri=uri
            )
        last = ranges[-1].first_block + len(ranges[-1].blocks) - 1
        named = f"paragraph{'s' if last > first else ''} {format_range(first, last)}"
        place = f"{named} of {part.kind} {part.n}{lines_of_code(blocks)}"
        source = _source(address, view.version, place=place)
        return await self._rendered(uri, address, TextView(source, ranges, onward, titled=False))

    async def part_range(self, uri: str, address: Address) -> Contents:
        """Several parts, one content item each, in the order asked for. Raises NotFoundError."""
        kind = _SINGULAR[address.scheme]
        version = await self.documents.resolve(address.doc)
        count, read = version.parts, self.part
        if version.part_kind != kind:
            if kind != "chapter":
                raise NotFoundError(
                    f"{address.doc} has {version.part_kind or 'no part'}s, not {kind}s; use "
                    f"{version.part_kind or 'document'}s://{address.doc}/{address.path[0]}.",
                    uri=uri,
                )
            count, read = len(await self.documents.chapters(address.doc)), self.section
            if not count:
                parts = f"{version.part_kind or 'part'}s"
                raise NotFoundError(
                    f"{address.doc} has no chapters, only {parts}; use {parts}://{address.doc}/…", uri=uri
                )
        numbers = parse_ranges(address.path[0], count)
        self._weigh(len(numbers) * _PART_BYTES)
        room = self.max_chars()
        contents: list[ResourceContent] = []
        for index, number in enumerate(numbers):
            if room <= 0 or index == _RANGE_ITEMS:
                rest, query = format_ranges(numbers[index:]), kept_query(address)
                onward = format_uri(address.scheme, address.doc, rest, suffix=address.suffix, query=query)
                text = f"*(Go on with {onward})*"
                contents.append(ResourceContent(onward, "text/markdown", text=text, metadata=_continued(onward)))
                break
            one = Address(kind, address.doc, (str(number),), address.suffix, address.query)
            contents += await read(str(replace(one, query={})), one)
            room -= len(contents[-1].text or "")
        return tuple(contents)

    async def document(self, uri: str, address: Address) -> Contents:
        """The outline of a document; with a suffix, the whole of it."""
        if ASKED in address.query:
            return await changes(self.documents, uri, address, self._done)
        start, block = first_part_and_block(address)
        if not address.suffix:
            return await self._outline(uri, address, start)
        version = await self.documents.resolve(address.doc)
        listed = min(version.parts, self._listed_parts()) * _PART_CHARS
        self._weigh((listed + min(version.tokens * _TOKEN_CHARS, self.max_chars())) // TEXT_PER_BYTE)
        view = await self.documents.outline(address.doc, start, self._listed_parts())
        _check_start(start, view.version)
        numbers = fitting_parts(view.parts, self.max_chars())
        stored = (await self.documents.parts(view.version.doc_id, numbers)).parts if numbers else ()
        ranges, following = await self._done(
            stored_bytes(stored),
            lambda: ranges_within(stored, from_block_of(start, block), self.max_chars(), hidden=hidden_wanted(address)),
        )
        if following is None and start - 1 + len(numbers) < view.version.parts:
            following = (start + len(numbers), 1)
        onward = ""
        if following is not None:
            query = {"from": ".".join(map(str, following)) if following[1] > 1 else str(following[0])}
            onward = format_uri("document", address.doc, suffix=address.suffix, query=kept_query(address, query))
        if address.suffix == "json":
            return await self._json(uri, address, view, ranges, onward)
        return await self._rendered(uri, address, TextView(_source(address, view.version), ranges, onward))

    async def _outline(self, uri: str, address: Address, start: int) -> Contents:
        lines, info = _OUTLINE_CHARS // _OUTLINE_LINE_CHARS, await self.documents.info(address.doc)
        self._weigh((min(info.parts, lines) + sum(info.embedded.values())) * _LINE_CHARS // TEXT_PER_BYTE)
        view = await self.documents.outline(address.doc, start, lines, with_ranges=True)
        _check_start(start, view.version)
        stored = (await self.documents.embeds(address.doc)).embeds if info.embedded and start == 1 else ()
        source = origin(view.version, address.doc, format_uri("document", address.doc))

        def work() -> tuple[str, str]:
            embeds = mark_attached_documents(stored, self.readable)
            return outline_markdown(view, info, source, start=start, max_chars=_OUTLINE_CHARS, embeds=embeds)

        size = (len(view.parts) + len(view.sections) + len(stored)) * _LINE_CHARS
        text, onward = await self._done(size // TEXT_PER_BYTE, work)
        return (ResourceContent(uri, MEDIA_TYPES["md"], text=text, metadata=_continued(onward)),)

    async def _json(
        self, uri: str, address: Address, view: OutlineView, ranges: Sequence[BlockRange], onward: str
    ) -> Contents:
        parts = view.version.parts
        if len(view.parts) < parts <= self._listed_parts():
            view = await self.documents.outline(address.doc)  # where there is room, every page lists all parts
        info = await self.documents.info(address.doc)
        elements = (await self.documents.elements(address.doc)).elements
        embeds = (await self.documents.embeds(address.doc)).embeds
        source = origin(view.version, address.doc, format_uri("document", address.doc))

        def work() -> str:
            count, shown = NOTHING, list(ranges)
            if not hidden_wanted(address):
                for index, one in enumerate(ranges):
                    shown[index], missing = visible_range(one)
                    count = count.plus(missing)
            listed = {part.n for part in view.parts}
            whole = len(listed) == parts
            attached = mark_attached_documents(embeds, self.readable)
            listing = Listing(
                view, {one.part.n: one.blocks for one in shown},
                [one for one in elements if whole or one.part in listed],
                [one for one in attached if whole or (one.part or 1) in listed],
                left_out_record(count, with_hidden(address)), onward,
            )  # fmt: skip
            return json_text(document_json(info, source, listing))

        size = sum(len(one.blocks) for one in ranges) + len(view.parts) + len(elements) + len(embeds)
        text = await self._done(size * _PART_CHARS // TEXT_PER_BYTE, work)
        return (ResourceContent(uri, MEDIA_TYPES["json"], text=text, metadata=_continued(onward)),)

    def _weigh(self, size: int) -> None:
        """Raises HeavyViewError for what would be in the way here; `size` as for `in_thread`."""
        if size > HEAVY_BYTES and not self.in_worker:
            raise HeavyViewError

    async def _done(self, size: int, work: Callable[[], Result]) -> Result:
        """What `work` gives, in a thread where that is better. Raises HeavyViewError."""
        self._weigh(size)
        return work() if self.in_worker else await in_thread(size, work)

    def _listed_parts(self) -> int:
        """How many parts of a document are looked at for one answer."""
        return self.max_chars() // _PART_CHARS + 1

    async def _top_section(self, uri: str, address: Address, version: Version, number: int) -> Contents:
        """A chapter of a document that comes in pages or slides: a section of its top level."""
        try:
            return await self._section(uri, address, number)
        except NotFoundError as error:
            kind = version.part_kind
            first = format_uri(kind, address.doc, 1)
            raise NotFoundError(
                f"{address.doc} has no chapter {number}; it comes in {version.parts} {kind}s, such as {first}.", uri=uri
            ) from error

    async def _section(self, uri: str, address: Address, selector: int | str) -> Contents:
        version, section = await self.documents.section(address.doc, selector)
        self._weigh((section.end_part - section.part) * _PART_BYTES)
        view = await self.documents.parts_of_section(version, section)

        def bounds(part: PartRecord) -> tuple[int, int]:
            low = section.block if part.n == section.part else 1
            return low, section.end_block if part.n == section.end_part else LAST_BLOCK

        ranges, onward = await self._decoded(address, view.parts, bounds)
        place = f'section "{" ".join(section.title.split())[:120]}"'
        if view.parts:
            first = view.parts[0]
            place += f" in {first.kind} {first.n} of {view.version.parts}"
        filled, source = [one for one in ranges if one.blocks], _source(address, view.version, place=place)
        return await self._rendered(uri, address, TextView(source, filled, onward, titled=False))

    async def _decoded(
        self, address: Address, parts: Sequence[PartRecord], bounds: Callable[[PartRecord], tuple[int, int]]
    ) -> tuple[list[BlockRange], str]:
        """What there is room for of the parts, and the URI to go on with."""
        ranges, following = await self._done(
            stored_bytes(parts), lambda: ranges_within(parts, bounds, self.max_chars(), hidden=hidden_wanted(address))
        )
        if following is None:
            return ranges, ""
        number, block = following
        part = next(part for part in parts if part.n == number)
        if block == 1:
            return ranges, part_uri(part, address.doc, address.suffix, kept_query(address))
        return ranges, from_block(address.doc, part, block, address.suffix, kept_query(address))

    async def _rendered(self, uri: str, address: Address, view: TextView) -> Contents:
        """The view, as the address asks for it."""
        whole = replace(
            view, embeds=await self._embeds(address.doc, [block for one in view.ranges for block in one.blocks]),
            formulas=flag(address, "formulas"), hidden=hidden_wanted(address), uri=with_hidden(address),
        )  # fmt: skip
        suffix = address.suffix or "md"
        text = await self._done(sum(map(text_size, view.ranges)) // TEXT_PER_BYTE, lambda: render(whole, suffix))
        return (ResourceContent(uri, MEDIA_TYPES[suffix], text=text, metadata=_continued(view.onward)),)

    async def _sheet(self, uri: str, address: Address, version: Version, part: PartRecord) -> Contents:
        asked = address.query.get("range", "")
        area = requested_range(asked) if asked else EVERYWHERE
        room = self.max_chars()
        if not asked and address.suffix not in {"csv", "json"}:
            room = min(_SHEET_CHARS, room)
        found = await self._done(
            stored_bytes([part]),
            lambda: grid(
                sheet_blocks(part.segments, area, room), area, room, whole=not asked, hidden=hidden_wanted(address)
            ),
        )
        found.uri = with_hidden(address)
        if asked and part.rows and area.top >= part.rows and not found.others:
            raise UsageError(
                f"range {asked[:40]} lies below the last row; sheet {part.name or part.n} has {part.rows:,}."
            )
        embeds = await self._embeds(address.doc, found.others)
        suffix = address.suffix or "md"
        if asked and suffix == "md":
            columns = await self.documents.columns_over(version.id, part.n, area)
            found.columns = [(column.col, column.title) for column in columns if column.title]
        source = origin(version, address.doc, uri, part)
        view = SheetView(found, part, source, embeds, flag(address, "formulas"))
        text, onward = await self._done(
            len(found.rows) * _PART_CHARS // TEXT_PER_BYTE, lambda: render_sheet(view, suffix)
        )
        # CSV has no room for lines of ours.
        remark = {LEFT_OUT: left_out_line(found.left_out, found.uri, plain=True)} if found.left_out.places else {}
        return (ResourceContent(uri, MEDIA_TYPES[suffix], text=text, metadata=remark | _continued(onward)),)

    async def _embeds(self, doc: str, blocks: Sequence[AnyBlock]) -> Mapping[tuple[EmbedKind, int], Embed]:
        if not needed_embeds(blocks):
            return {}
        view = await self.documents.embeds(doc, ("chart", "media", "attachment"))
        return by_key(mark_attached_documents(view.embeds, self.readable))


def _source(address: Address, version: Version, part: PartRecord | None = None, place: str = "") -> Origin:
    """The origin of what is read at an address, without its suffix and query."""
    return origin(version, address.doc, format_uri(address.scheme, address.doc, *address.path), part, place)


def _continued(onward: str) -> dict[str, str]:
    """What `_meta` says of an answer that goes on at `onward`, nothing where that is ""."""
    return {CONTINUES: onward} if onward else {}


def _check_start(start: int, version: Version) -> None:
    if start > 1 and start > version.parts:
        raise UsageError(f"from={start} is beyond the last part; {version.slug} has {version.parts}.")
