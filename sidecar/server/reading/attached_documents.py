"""Documents attached to documents, read as text on request: `embed://{doc}/{id}.md`, and what lies inside them.

A worker opens the attached file and reads it with the plugin of its format, under the limits any file has; what it made
is cached by the content of the file around it. The outline and the windows are those of any document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import msgspec

from sidecar.api import (
    Address,
    Cache,
    Embed,
    EmbedKind,
    FormatError,
    NotFoundError,
    OutlineWindow,
    Payload,
    ResourceContent,
    UnavailableError,
    UsageError,
    WorkerError,
    Workers,
    format_uri,
)
from sidecar.api.uris import EMBED_KINDS, MEDIA_TYPES
from sidecar.server.long_work import in_thread
from sidecar.server.ports import AttachedReader
from sidecar.server.reading.address_query import (
    first_part_and_block,
    flag,
    hidden_wanted,
    kept_query,
    number_or_name,
    picture_options,
)
from sidecar.server.reading.decoding import from_block_of, ranges_within, stored_bytes
from sidecar.server.reading.outlines import ENTRY_CHARS, OutlineSpan, below, window
from sidecar.server.reading.pictures import MAX_CACHED_BYTES, DocumentPictures
from sidecar.store.documents.records import Prepared
from sidecar.store.documents.views import Version
from sidecar.toolkit.answers.notices import summed_notices
from sidecar.toolkit.visible import ASK
from sidecar.views.blocks.charts import render_chart
from sidecar.views.embedded import by_key, embed_uri, inner_entries, mark_attached_documents
from sidecar.views.parts import TextView, render
from sidecar.views.sources import Origin

_MAX_DEPTH = 3
"""How many documents one inside the other are opened."""
CACHE_ENTRIES = 500
CACHE_BYTES = 64 * 2**20
_OPENER = "sidecar.server.reading.drawing:open_bytes"
_MAX_NOTICES = 20
"""How many notices stand above an attached document."""

_PREPARED = msgspec.msgpack.Decoder(Prepared)


@dataclass(frozen=True)
class _EmbeddedPath:
    """An embedded thing somewhere below a document of the index: `embeds` is the way there, outermost first; `uri` is
    its own canonical address without a suffix."""

    version: Version
    doc: str
    embeds: tuple[Embed, ...]
    uri: str

    @property
    def embed(self) -> Embed:
        """The thing itself, the innermost."""
        return self.embeds[-1]

    @property
    def key(self) -> str:
        """What its text is kept under: the bytes of the file, the plugin that read it, and the way in."""
        way = "/".join(f"{embed.kind}.{embed.id}" for embed in self.embeds)
        return f"{self.version.sha256}/{self.version.plugin_version}/{way}"

    @property
    def around(self) -> str:
        """What it is attached to, in words."""
        return " in ".join([*(embed.name for embed in reversed(self.embeds[:-1])), self.version.name])

    def read_by(self, suffix: str, query: Mapping[str, str]) -> str:
        """The URI that reads it so."""
        return f"{self.uri}.{suffix}?" + "&".join(f"{key}={value}" for key, value in query.items())


@dataclass(frozen=True)
class AttachedDocuments:
    """Reads attached documents. `cache` is the store's cache named "attached"; `max_chars` is asked at each read."""

    pictures: DocumentPictures
    attaching: AttachedReader
    workers: Workers
    cache: Cache
    max_chars: Callable[[], int]

    async def read(self, uri: str, address: Address) -> tuple[ResourceContent, ...]:
        """`embed://` addresses that go further than the bytes of an attachment."""
        name, *below = address.path
        try:
            path = await self._path(address)
        except NotFoundError as error:
            if not address.suffix or below:
                raise
            # A name that was typed as it is: `report.md` is the attachment of that name before it is `report` as text.
            named = replace(address, path=(f"{name}.{address.suffix}",), suffix="")
            try:
                payload = await self.pictures.embedded(named)
            except NotFoundError:
                raise error from None
            return (ResourceContent(uri, payload.media_type, data=payload.data),)
        if path.embed.kind == "chart":
            return (self._chart(uri, address, path),)
        if not address.suffix:
            payload = await self._payload(path, address)
            return (ResourceContent(uri, payload.media_type, data=payload.data),)
        if path.embed.kind != "attachment":
            raise UsageError(
                f"{path.uri} is not an attached document, so it has no .{address.suffix}; read it as it is."
            )
        prepared = await self._prepared(path)
        text = await in_thread(stored_bytes(prepared.parts), lambda: self._rendered(address, path, prepared))
        return (ResourceContent(uri, MEDIA_TYPES[address.suffix], text=text),)

    async def payload(self, address: Address) -> Payload:
        """The bytes of a thing inside an attached document, pictures scaled and converted as the query says."""
        return await self._payload(await self._path(address), address)

    async def outline(self, address: Address, asked: OutlineSpan) -> OutlineWindow:
        """The table of contents of an attached document, or of its part that `?part=` names. Raises UsageError."""
        path = await self._path(address)
        if path.embed.kind != "attachment":
            raise UsageError(f"{path.uri} is not an attached document; only those have an outline.")
        prepared = await self._prepared(path)
        part = address.query.get("part")

        def work() -> OutlineWindow:
            entries = inner_entries(path.uri, prepared.parts, prepared.sections, asked.depth)
            shown = entries if part is None else below(entries, f"{path.uri}.md?part={part}")
            top = shown[0].level if shown else 0
            return window(shown, sum(entry.tokens for entry in shown if entry.level == top), asked)

        return await in_thread((len(prepared.parts) + len(prepared.sections)) * ENTRY_CHARS, work)

    async def segments(
        self, doc: str, number: int, places: Iterable[tuple[int, int, int]]
    ) -> list[tuple[int, int, bytes]]:
        """The encoded blocks of an attachment's `places`, each a part, its first and its last block: every segment
        with its part and the number of its first block."""
        prepared = await self._prepared(await self._path(Address("embed", doc, (str(number),))))
        return [
            (part, segment.first_block, segment.data)
            for part, first, last in places
            for segment in prepared.parts[part - 1].segments
            if segment.last_block >= first and segment.first_block <= last
        ]

    async def _path(self, address: Address) -> _EmbeddedPath:
        if _documents(address) > _MAX_DEPTH:
            raise UsageError(f"{address}: no more than {_MAX_DEPTH} documents one inside the other are read.")
        version, embed = await self.pictures.documents.embed(address.doc, "attachment", number_or_name(address.path[0]))
        path = _EmbeddedPath(version, address.doc, (embed,), format_uri("embed", address.doc, embed.id))
        for scheme, name in zip(address.path[1::2], address.path[2::2], strict=True):
            prepared = await self._prepared(path)
            inner = _find(prepared, EMBED_KINDS[scheme], number_or_name(name), path)
            path = _EmbeddedPath(version, address.doc, (*path.embeds, inner), embed_uri(path.uri, inner.kind, inner.id))
        return path

    async def _prepared(self, path: _EmbeddedPath) -> Prepared:
        if path.embed.kind != "attachment":
            raise UsageError(f"{path.uri} is not an attached document: nothing lies inside it.")
        key = f"{self.attaching.versions()}/{path.key}"
        known = await self.cache.get(key)
        if known is not None:
            return await in_thread(len(known[1]), lambda: _PREPARED.decode(known[1]))
        data = cast(bytes, await self._run(self.attaching.read, path))
        if len(data) <= MAX_CACHED_BYTES:
            await self.cache.try_put(key, data, {"name": path.embed.name})
        return await in_thread(len(data), lambda: _PREPARED.decode(data))

    async def _payload(self, path: _EmbeddedPath, address: Address) -> Payload:
        options = picture_options(address)
        if path.embed.kind == "image" and (options.side or options.format):
            return await self.pictures.converted(await self._payload(path, replace(address, query={})), options)
        return await self.pictures.cached_or_made(path.key, lambda: self._run(self.attaching.open, path))

    async def _run(self, task: str, path: _EmbeddedPath) -> Any:
        plugin, file = self.pictures.file_of(path.version)
        refs = [embed.ref for embed in path.embeds]
        if not all(refs):
            raise UnavailableError(f"{path.embed.name} in {path.around} has no bytes of its own.")
        limits = self.pictures.reading.limits()
        try:
            return await self.workers.run(
                task, self.attaching.loader(), limits, refs[1:], _OPENER, plugin, file, refs[0], limits,
                timeout=limits.max_seconds,
            )  # fmt: skip
        except (FormatError, WorkerError) as error:
            message = f"{path.embed.name}, attached to {path.around}, cannot be read: {error}"
            raise type(error)(f"{message} {path.uri} gives its bytes as they are.") from error

    def _rendered(self, address: Address, path: _EmbeddedPath, prepared: Prepared) -> str:
        parts = prepared.parts
        first, block = first_part_and_block(address)
        only = address.query.get("part", "")
        count = f"{path.embed.name} has {len(parts)} parts."
        if only:
            if not only.isdecimal() or not 1 <= int(only) <= len(parts):
                raise UsageError(f"part={only[:20]} is not a part; {count}")
            first, block = int(only), block if first == int(only) else 1
            parts = parts[:first]
        elif first > 1 and first > len(parts):
            raise UsageError(f"from={first} is beyond the last part; {count}")
        hidden = hidden_wanted(address)
        ranges, following = ranges_within(
            parts[first - 1 :], from_block_of(first, block), self.max_chars(), hidden=hidden
        )
        onward = ""
        if following is not None:
            number, at = following
            query = kept_query(address, {"part": only} if only else {})
            query["from"] = f"{number}.{at}" if at > 1 else str(number)
            onward = path.read_by(address.suffix, query)
        where = f"attached to {path.around}"
        if only:
            where += f", {prepared.part_kind} {only} of {len(prepared.parts)}"
        origin = Origin(
            prepared.title, path.embed.name, path.uri, path.version.doc_id, f"{path.uri}.{address.suffix}", where,
            old=not path.version.current,
        )  # fmt: skip
        deeper = len(path.embeds) < _MAX_DEPTH
        embeds = by_key(
            mark_attached_documents(prepared.embedded, self.attaching.readable) if deeper else prepared.embedded
        )
        begins = first == 1 and block == 1
        notices = [notice.message for notice in summed_notices(prepared.notices)[:_MAX_NOTICES]] if begins else []
        view = TextView(
            origin,
            ranges,
            onward,
            embeds=embeds,
            formulas=flag(address, "formulas"),
            notices=notices,
            hidden=hidden,
            uri=path.read_by(address.suffix, {**address.query, ASK: "1"}),
        )
        return render(view, address.suffix)

    def _chart(self, uri: str, address: Address, path: _EmbeddedPath) -> ResourceContent:
        embed = path.embed
        if embed.chart is None:
            raise UnavailableError(f"The data of the chart {embed.name} in {path.around} could not be read.")
        origin = Origin("", path.around, path.doc, path.version.doc_id, path.uri, f"chart {embed.id}")
        suffix = address.suffix if address.suffix in {"md", "txt"} else "json"
        return ResourceContent(uri, MEDIA_TYPES[suffix], text=render_chart(embed, embed.chart, origin, suffix))


def _documents(address: Address) -> int:
    """How many attached documents have to be read for it: what they hold can be opened without being read."""
    things = len(address.path) // 2 + 1
    return things if address.suffix and address.path[-2:-1] in {(), ("embed",)} else things - 1


def _find(prepared: Prepared, kind: EmbedKind, selector: int | str, path: _EmbeddedPath) -> Embed:
    """By its number, then by its name."""
    things: Mapping[int, Embed] = {embed.id: embed for embed in prepared.embedded if embed.kind == kind}
    if isinstance(selector, int) and selector in things:
        return things[selector]
    named = [embed for embed in things.values() if embed.name == str(selector)]
    if named:
        return named[0]
    there = f"ids run from 0 to {max(things)}" if things else "it holds none"
    raise NotFoundError(f"{path.embed.name} in {path.around} has no {kind} {str(selector)[:80]!r}; {there}.")
