"""Bytes behind URIs: images, media, attachments and fonts opened lazily, pages, slides, elements and charts drawn.

The work is done in worker processes; what was made is cached by the content's SHA-256, so a new version of a file never
shows an old picture and an unchanged file is never drawn twice."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import msgspec

from sidecar.api import (
    Address,
    AnyBlock,
    Cache,
    DamagedError,
    Drawer,
    DrawsPictures,
    Element,
    Embed,
    Equation,
    Figure,
    FormatError,
    FormatPlugin,
    NotFoundError,
    Payload,
    SidecarError,
    Table,
    UnavailableError,
    WorkerError,
    Workers,
    decode_blocks,
    format_uri,
)
from sidecar.api.uris import EMBED_KINDS
from sidecar.server.ports import ReadingPorts
from sidecar.server.reading.address_query import page_of, picture_options, selector_of
from sidecar.server.reading.drawing import FileRef, PictureOptions, PictureRegion
from sidecar.store import Documents
from sidecar.store.documents.views import Version
from sidecar.toolkit.drawn.pages import LaysOutPages
from sidecar.toolkit.pictures import WEB_PICTURES
from sidecar.toolkit.programs.libreoffice import find_soffice
from sidecar.toolkit.visible import visible
from sidecar.views.blocks.markdown import blocks_markdown

_TASKS = "sidecar.server.reading.drawing"
_CHART_WIDTH = 960
_CHART_SMALLEST, _CHART_LARGEST = 240, 4000
CACHE_ENTRIES = 4000
CACHE_BYTES = 256 * 2**20
CACHE_SECONDS = 14 * 24 * 3600.0
MAX_CACHED_BYTES = 16 * 2**20
"""Larger bytes are opened anew each time rather than push everything else out of the cache."""
_DRAW_SECONDS = 120.0
"""LibreOffice needs its time for the first picture of a large presentation."""
_TABLE_ROWS, _TABLE_COLUMNS = 40, 24
"""What of a table can be read in one picture."""


@dataclass(frozen=True)
class DocumentPictures:
    """Opens and draws. `cache` is the store's cache named "pictures"."""

    documents: Documents
    workers: Workers
    reading: ReadingPorts
    cache: Cache

    async def embedded(self, address: Address) -> Payload:
        """The bytes of image://, media://, embed:// and font:// URIs, images scaled and converted as the query says."""
        version, embed = await self.documents.embed(address.doc, EMBED_KINDS[address.scheme], selector_of(address))
        options = picture_options(address) if _is_picture(embed) else PictureOptions()
        return await self._opened(version, embed, options)

    async def chart(self, address: Address, form: str) -> Payload:
        """The drawing of a chart, "png" or "svg"."""
        version, embed = await self.documents.embed(address.doc, "chart", selector_of(address))
        return await self._drawn_chart(version, embed, form, picture_options(address).side or _CHART_WIDTH)

    async def part(self, address: Address) -> Payload:
        """The picture of a page or a slide. A Word file has pages only when drawn, a sheet is one page: `page://`."""
        number = selector_of(address)
        if address.scheme == "page" and isinstance(number, int):
            version = await self.documents.resolve(address.doc)
            if version.part_kind in {"chapter", "sheet"}:
                return await self._drawn(version, number, (0.0, 0.0), None, picture_options(address))
        view = await self.documents.part(address.doc, selector_of(address), blocks=(0, 0))
        part = view.part
        if part.kind != address.scheme:
            raise _other_kind(address, part.kind)
        return await self._drawn(view.version, part.n, (part.width, part.height), None, picture_options(address))

    async def element(self, address: Address) -> Payload:
        """The picture of an element: its region of the page, else the picture or chart that it is."""
        version, element = await self.documents.element(address.doc, address.path[0], page_of(address))
        return await self.of_element(version, element, picture_options(address))

    async def of_element(self, version: Version, element: Element, options: PictureOptions) -> Payload:
        """See `element`. Where nothing here draws the page it is on, it is drawn from its own data or text."""
        if element.embed is not None and (element.box is None or element.embed[0] == "image"):
            made = await self._drawn_embed(version, element, options)
            if made is not None:
                return made
        if element.box is None and version.part_kind not in {"page", "slide"}:
            return await self._drawn_block(version, element, options)
        view = await self.documents.part(version.doc_id, element.part, blocks=(0, 0))
        points = (view.part.width, view.part.height)
        try:
            return await self._drawn(version, element.part, points, element.box, options)
        except (UnavailableError, WorkerError, FormatError) as error:
            try:
                made = await self._drawn_embed(version, element, options)
                return made or await self._drawn_block(version, element, options)
            except UnavailableError:
                raise error from None

    async def _drawn_embed(self, version: Version, element: Element, options: PictureOptions) -> Payload | None:
        """The picture that an element is, in a format that clients show, or its chart drawn from the data; None where
        it is neither."""
        if element.embed is None:
            return None
        kind, number = element.embed
        _, embed = await self.documents.embed(version.doc_id, kind, number)
        if kind == "chart" and embed.chart is not None:
            return await self._drawn_chart(version, embed, "png", options.side or _CHART_WIDTH)
        if kind != "image":
            return None
        shown = options if options.format or embed.media_type in WEB_PICTURES else replace(options, format="png")
        return await self._opened(version, embed, shown)

    async def _drawn_block(self, version: Version, element: Element, options: PictureOptions) -> Payload:
        """A table or an equation set from what the document says: files without pages have no picture of it."""
        markdown = await self._markdown(version, element)
        drawer = self.reading.drawers.get("markdown")
        if not markdown or drawer is None:
            uri = format_uri("element", version.slug or version.doc_id, element.label)
            raise UnavailableError(
                f"The picture of {element.label} is not in {version.name}, only a link to it; its text is at {uri}."
                if element.type == "figure"
                else f"{version.name} stores no picture of {element.label}; its text is at {uri}."
            )
        block = f"{element.part}.{element.block}"
        key = f"{version.sha256}/{version.plugin_version}/block/{block}/{options.side}/{options.format}"
        known = await self._cached(key)
        if known is not None:
            return known
        drawn = await self.workers.run(drawer.target, markdown, timeout=_DRAW_SECONDS, pool=drawer.pool)
        made = cast(Payload, drawn)
        if options.side or options.format:
            made = await self.converted(made, options)
        return await self._cache_result(key, made)

    async def _markdown(self, version: Version, element: Element) -> str:
        """The element's own block, a table cut to what can be read in a picture, else its text; "" where there is
        nothing to set."""
        block: AnyBlock | None = None
        if element.block:
            view = await self.documents.part(version.doc_id, element.part, blocks=(element.block, element.block))
            for segment in view.part.segments:
                for number, found in enumerate(decode_blocks(segment.data), segment.first_block):
                    block = visible(found) if number == element.block else block
        if isinstance(block, Table):
            return blocks_markdown([_excerpt(block)], version.doc_id)
        if element.latex or isinstance(block, Equation):
            latex = element.latex or cast(Equation, block).latex
            return f"$$\n{latex}\n$$" if latex.strip() else ""
        if block is not None and not isinstance(block, Figure):
            return blocks_markdown([block], version.doc_id)
        if block is not None and block.source and element.embed is None:
            return ""  # a link to a picture elsewhere: its words are not a picture of it
        text = element.text.strip()
        return "\n\n".join(filter(None, (f"**{element.caption or element.label}**", text))) if text else ""

    async def _opened(self, version: Version, embed: Embed, options: PictureOptions) -> Payload:
        if not embed.ref:
            raise UnavailableError(f"{embed.name} in {version.name} has no bytes of its own.")
        key = f"{version.sha256}/{version.plugin_version}/{embed.kind}/{embed.id}/{options.side}/{options.format}"
        known = await self._cached(key)
        if known is not None:
            return known
        plugin, file = self.file_of(version)
        limits = self.reading.limits()
        if _is_picture(embed) and (options.side or options.format):
            made = await self._run("open_picture", plugin, file, embed.ref, limits, options)
        else:
            made = await self._run("open_bytes", plugin, file, embed.ref, limits)
        return await self._cache_result(key, made)

    async def _drawn(
        self, version: Version, part: int, points: tuple[float, float],
        box: tuple[float, float, float, float] | None, options: PictureOptions,
    ) -> Payload:  # fmt: skip
        edges = "" if box is None else ",".join(f"{edge:.1f}" for edge in box)
        key = f"{version.sha256}/{version.plugin_version}/part/{part}/{edges}/{options.side}/{options.format}"
        known = await self._cached(key)
        if known is not None:
            return known
        plugin, file = self.file_of(version)
        if not isinstance(plugin, DrawsPictures):
            uri = format_uri(version.part_kind or "document", version.slug, *([part] if version.part_kind else []))
            raise UnavailableError(f"{version.name} has no pages that could be shown as pictures; read {uri} instead.")
        drawer = self.reading.drawers.get("page") if isinstance(plugin, LaysOutPages) else None
        laid_out = f"{key}/laid-out"
        # A key of its own: on a machine with the program, that program's picture stays the first choice.
        if drawer is not None and await asyncio.to_thread(find_soffice) is None:
            known = await self._cached(laid_out)
            if known is not None:
                return known
        asked = plugin, file, PictureRegion(part, points, box), self.reading.limits(), options
        try:
            return await self._cache_result(key, await self._run("draw_part", *asked))
        except (UnavailableError, DamagedError) as error:
            if drawer is None:
                raise
            return await self.cached_or_made(laid_out, partial(self._laid_out, asked, drawer, error))

    async def _laid_out(self, asked: tuple[object, ...], drawer: Drawer, error: SidecarError) -> Payload:
        """A part that no program here draws, drawn from what its file says. Raises `error` where it cannot be drawn."""
        targets = {kind: found.target for kind, found in self.reading.drawers.items()}
        task = f"{_TASKS}:lay_out_part"
        try:
            made = await self.workers.run(task, *asked, targets, timeout=_DRAW_SECONDS, pool=drawer.pool)
        except (UnavailableError, WorkerError, FormatError):
            raise error from None
        return cast(Payload, made)

    async def _drawn_chart(self, version: Version, embed: Embed, form: str, width: int) -> Payload:
        drawer = self.reading.drawers.get("chart")
        if drawer is None:
            raise UnavailableError("No plugin that draws charts is enabled; read the data as .json or .md.")
        if embed.chart is None:
            raise UnavailableError(f"The data of {embed.name} could not be read, so it cannot be drawn.")
        width = min(max(width, _CHART_SMALLEST), _CHART_LARGEST)
        key = f"{version.sha256}/{version.plugin_version}/chart/{embed.id}/{form}/{width}"
        known = await self._cached(key)
        if known is not None:
            return known
        height = round(width * 9 / 16)
        made = await self.workers.run(
            drawer.target, embed.chart, form, width, height, timeout=_DRAW_SECONDS, pool=drawer.pool
        )
        return await self._cache_result(key, cast(Payload, made))

    def file_of(self, version: Version) -> tuple[FormatPlugin, FileRef]:
        """The file behind a version and the plugin that reads it. Raises UnavailableError when it has gone."""
        if not version.current or not version.path:
            raise UnavailableError(
                f"This is an older version of {version.name}; its text is kept, but its bytes went with the change. "
                f"Use {format_uri('document', version.slug)} for the version on disk."
                if version.slug
                else f"The file {version.name} is gone; only its text is kept."
            )
        plugin = self.reading.formats(version.plugin)
        if plugin is None:
            raise UnavailableError(
                f"The plugin {version.plugin}, which reads {version.name}, is off; take it off [plugins] disabled."
            )
        path = os.fsdecode(version.archive or version.path)
        place = self.reading.folder_of(path)
        if place is None:
            raise UnavailableError(f"{version.name} lies in no watched folder any more; only its text is kept.")
        member = os.fsdecode(version.path)[len(path) + 1 :].replace(os.sep, "/") if version.archive else ""
        holder = self.reading.formats(version.archive_plugin) if member else None
        return plugin, FileRef(
            path, version.size, version.mtime_ns, version.sha256, version.media_type, *place, member, holder
        )

    async def converted(self, payload: Payload, options: PictureOptions) -> Payload:
        """A picture of that size and in that format."""
        return replace(await self._run("convert", payload, options, self.reading.limits()), name=payload.name)

    async def cached_or_made(self, key: str, make: Callable[[], Awaitable[Payload]]) -> Payload:
        """What the cache knows under the key, else what `make` gives, kept there."""
        return await self._cached(key) or await self._cache_result(key, await make())

    async def _run(self, task: str, *arguments: object) -> Payload:
        return cast(Payload, await self.workers.run(f"{_TASKS}:{task}", *arguments, timeout=_DRAW_SECONDS))

    async def _cached(self, key: str) -> Payload | None:
        found = await self.cache.get(key)
        if found is None:
            return None
        entry, data = found
        about = entry.metadata
        return Payload(
            data, str(about.get("type", "")), str(about.get("name", "")), int(about.get("width", 0)),
            int(about.get("height", 0)), str(about.get("note", "")),
        )  # fmt: skip

    async def _cache_result(self, key: str, made: Payload) -> Payload:
        if len(made.data) <= MAX_CACHED_BYTES:
            about = {"type": made.media_type, "name": made.name, "width": made.width, "height": made.height,
                     "note": made.note}  # fmt: skip
            await self.cache.try_put(key, made.data, about)
        return made


def _is_picture(embed: Embed) -> bool:
    """One shown in the text, or attached as a file: a scan in a message."""
    return embed.kind == "image" or embed.media_type.startswith("image/")


def _excerpt(table: Table) -> Table:
    """The table, cut to what can be read in a picture, with a caption that says so. Cells that a merge covers stay
    empty, as they look in the application."""
    width = max(map(len, table.rows), default=0)
    caption = table.caption
    if len(table.rows) > _TABLE_ROWS or width > _TABLE_COLUMNS:
        shown = f"{min(len(table.rows), _TABLE_ROWS)} of {len(table.rows)} rows"
        shown += f" and {_TABLE_COLUMNS} of {width} columns" if width > _TABLE_COLUMNS else ""
        caption = f"{caption} (the first {shown})".strip()
    rows = tuple(row[:_TABLE_COLUMNS] for row in table.rows[:_TABLE_ROWS])
    return msgspec.structs.replace(table, rows=rows, merges=(), caption=caption)


def _other_kind(address: Address, kind: str) -> NotFoundError:
    right = format_uri(kind, address.doc, address.path[0])
    return NotFoundError(f"{address.doc} has {kind}s, not {address.scheme}s; use {right}.", uri=str(address))
