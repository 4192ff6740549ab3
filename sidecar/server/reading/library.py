"""`IndexLibrary`: the read side of the index as feature plugins and the MCP handlers see it.

Routes each call to the store, the search, the text views or the pictures; holds no knowledge of its own."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any

from msgspec import structs

from sidecar.api import (
    Address,
    AttachedFile,
    DocumentInfo,
    DocumentPage,
    ElementAnswer,
    ElementInfo,
    ElementType,
    Embed,
    EmbedInfo,
    EmbedKind,
    EmbedWindow,
    FolderInfo,
    GrepAnswer,
    GrepQuery,
    NotFoundError,
    OutlineWindow,
    Payload,
    ResourceContent,
    SearchAnswer,
    Services,
    SortKey,
    StoredDocument,
    StoredPart,
    UnavailableError,
    UnreadFile,
    UsageError,
)
from sidecar.api.records import ALL_DOCUMENTS, Narrowing
from sidecar.api.tables import FoundTables, QueryAnswer, TableFacts, TableInfo
from sidecar.api.uris import check_uri_length
from sidecar.registry import Features
from sidecar.server.long_work import HeavyViewError, in_thread
from sidecar.server.ports import DocumentSearch, Indexing, ReadingPorts
from sidecar.server.reading import attached_documents, pictures
from sidecar.server.reading.address_query import address_of
from sidecar.server.reading.attached_documents import AttachedDocuments
from sidecar.server.reading.awaiting import Awaiting, searchable_sentence
from sidecar.server.reading.elements import ElementReader
from sidecar.server.reading.grep.query import grep
from sidecar.server.reading.heavy_views import make_outline, make_view
from sidecar.server.reading.outlines import ENTRY_CHARS, OutlineReader, OutlineSpan
from sidecar.server.reading.pictures import DocumentPictures
from sidecar.server.reading.tables import TableReader
from sidecar.server.reading.text import Contents, TextReader
from sidecar.store import Documents
from sidecar.store.queries.statements import names_in
from sidecar.toolkit.provenance import DRAWN, PROVENANCE
from sidecar.toolkit.text import without_surrogates
from sidecar.views.embedded import AttachedDocument, embed_uri, mark_attached_documents, reading_uri

StatusFields = Callable[[], Awaitable[Mapping[str, Any]]]
"""Fields of `get_library_status` that only `app.py` knows: folders, lease, config, embedded, what features report."""

_PICTURES = frozenset({"png", "svg"})  # suffixes that ask for a drawing


@dataclass(frozen=True)
class IndexLibrary:
    """Implements `api.Library`. `services` gives what feature plugins' providers are called with; `on_read` is told the
    slug or doc_id of what a client reads."""

    stored: Documents
    remark: Callable[[], str]
    searcher: DocumentSearch
    table_reader: TableReader
    indexing: Indexing
    reading: ReadingPorts
    features: Features
    services: Callable[[], Services]
    status_fields: StatusFields
    on_read: Callable[[str], None] = lambda doc: None

    @cached_property
    def _pictures(self) -> DocumentPictures:
        services = self.services()
        cache = services.cache(
            "pictures", max_entries=pictures.CACHE_ENTRIES, max_bytes=pictures.CACHE_BYTES,
            max_age=pictures.CACHE_SECONDS,
        )  # fmt: skip
        return DocumentPictures(self.stored, services.workers, self.reading, cache)

    @cached_property
    def attached_documents(self) -> AttachedDocuments:
        """The reader of attached documents."""
        services = self.services()
        cache = services.cache(
            "attached", max_entries=attached_documents.CACHE_ENTRIES, max_bytes=attached_documents.CACHE_BYTES,
            max_age=pictures.CACHE_SECONDS,
        )  # fmt: skip
        return AttachedDocuments(self._pictures, self.reading.attaching, services.workers, cache, self._max_chars)

    @cached_property
    def _text(self) -> TextReader:
        return TextReader(self.stored, self.reading.attaching.readable, self._max_chars)

    @cached_property
    def _elements(self) -> ElementReader:
        return ElementReader(self.stored, self._text.paragraph)

    @cached_property
    def _awaiting(self) -> Awaiting:
        return Awaiting(self.stored, self.indexing)

    def _max_chars(self) -> int:
        return self.reading.settings().max_read_chars

    async def status(self) -> dict[str, Any]:
        """`{state, pending, indexed, total, states, …}` and what `status_fields` adds."""
        progress = self.indexing.progress
        totals = await self.stored.totals()
        answer: dict[str, Any] = {
            "state": progress.state,
            "pending": progress.pending,
            "indexed": totals.indexed,
            "total": max(totals.files, progress.total) if progress.state == "indexing" else totals.files,
            "states": dict(totals.states),
        }
        if progress.state == "indexing" and progress.current:
            answer["current"] = progress.current
        if progress.words_only:
            answer["words_only"] = progress.words_only
        if totals.others:
            answer["not_documents"] = totals.others
        if totals.without_text:
            answer["without_text"] = totals.without_text
        if remark := self.remark():
            answer["remark"] = remark
        fields = dict(await self.status_fields())
        # Of the same moment as the state: a retry between two looks would tell of a failure and of work under way.
        if remarks := [*progress.remarks, *fields.pop("remarks", ())]:
            answer["remarks"] = remarks
        return answer | fields

    async def progress(self) -> str:
        """See `api.Library.progress`."""
        return searchable_sentence(self.indexing.progress)

    async def documents(
        self, page: int = 1, page_size: int = 20, sort_by: SortKey = "title", narrowing: Narrowing = ALL_DOCUMENTS
    ) -> DocumentPage:
        """See `api.Library.documents`."""
        await self._awaiting.first_walk()
        return await self._awaiting.with_progress(lambda: self.searcher.documents(page, page_size, sort_by, narrowing))

    async def find(self, query: str, limit: int = 10) -> tuple[DocumentInfo, ...]:
        """See `api.Library.find`."""
        await self._awaiting.first_walk()
        found = await self.searcher.find(query, limit)
        return found or ((await self.document(query),) if await self.indexing.pending_named(query) else ())

    async def folders(self, query: str) -> tuple[FolderInfo, ...]:
        """See `api.Library.folders`."""
        return await self.searcher.folders(query)

    async def attached(self, query: str) -> tuple[AttachedFile, ...]:
        """See `api.Library.attached`."""
        found = await self.stored.attached_named(without_surrogates(query))
        marked = mark_attached_documents([embed for _, _, embed in found], self.reading.attaching.readable)
        return tuple(
            AttachedFile(embed.name, reading_uri(slug, "attachment", embed.id, embed), path)
            for (slug, path, _), embed in zip(found, marked, strict=True)
        )

    async def unread(self, start: int = 0, limit: int = 50) -> tuple[tuple[UnreadFile, ...], int]:
        """See `api.Library.unread`."""
        found, total = await self.stored.unread(start, limit)
        return tuple(found), total

    async def document(self, doc: str) -> DocumentInfo:
        """See `api.Library.document`."""
        return await self._awaiting.once_there(doc, lambda: self.stored.info(doc))

    async def outline(self, doc: str, depth: int = 2, *, start: int = 0, limit: int | None = None) -> OutlineWindow:
        """See `api.Library.outline`."""
        address = self._parsed(doc) if "://" in doc else Address("document", doc)
        asked = OutlineSpan(depth, start, limit)
        if address.scheme == "embed":
            return await self.attached_documents.outline(address, asked)
        readable = self.reading.attaching.readable

        async def work() -> OutlineWindow:
            version = await self.stored.resolve(address.doc)
            at = address if address.doc == version.doc_id else replace(address, doc=version.slug)  # not by a path
            try:
                return await OutlineReader(self.stored, readable).read(at, asked)
            except HeavyViewError:
                return await make_outline(self.services().workers, self.stored.path, str(at), readable, asked)

        return await self._awaiting.once_there(address.doc, work)

    async def search(self, query: str, limit: int = 10, doc: str | None = None, start: int = 0) -> SearchAnswer:
        """See `api.Library.search`."""
        await self._awaiting.before_search(query)
        if doc is not None:
            await self.document(doc)
        return await self.searcher.search(query, limit, doc, start)

    async def search_elements(
        self, query: str, kind: ElementType | None = None, limit: int = 10, doc: str | None = None
    ) -> ElementAnswer:
        """See `api.Library.search_elements`."""
        await self._awaiting.before_search(query)
        return await self.searcher.search_elements(query, kind, limit, doc)

    async def elements(self, doc: str, kind: ElementType | None = None) -> tuple[ElementInfo, ...]:
        """See `api.Library.elements`."""
        return await self._elements.of_document(doc, kind)

    async def element(self, doc: str, label: str, page: int | None = None) -> ElementInfo:
        """See `api.Library.element`."""
        return await self._awaiting.once_there(doc, lambda: self._elements.one(doc, label, page))

    async def embedded(
        self, doc: str, kinds: Sequence[EmbedKind] = (), *, start: int = 0, limit: int | None = None
    ) -> EmbedWindow:
        """See `api.Library.embedded`."""
        view = await self._awaiting.once_there(doc, lambda: self.stored.embeds(doc, kinds, start, limit))
        slug = view.version.slug or view.version.doc_id

        def info(embed: Embed) -> EmbedInfo:
            text = embed_uri(doc, embed.kind, embed.id, "md") if isinstance(embed, AttachedDocument) else ""
            return EmbedInfo(slug, embed_uri(doc, embed.kind, embed.id), embed, text)

        def work() -> EmbedWindow:
            marked = mark_attached_documents(view.embeds, self.reading.attaching.readable)
            return EmbedWindow(tuple(map(info, marked)), view.total)

        return await in_thread(len(view.embeds) * ENTRY_CHARS, work)

    async def tables(self, doc: str) -> tuple[TableInfo, ...]:
        """See `api.Library.tables`."""
        return await self._awaiting.once_there(doc, lambda: self.table_reader.of_document(doc))

    async def find_tables(
        self, query: str, limit: int = 10, doc: str | None = None, folder: str | None = None
    ) -> FoundTables:
        """See `api.Library.find_tables`."""
        await self._awaiting.before_search(query)
        return await self.table_reader.find(query, limit, doc, folder)

    async def describe_table(self, name: str) -> tuple[TableInfo, TableFacts]:
        """See `api.Library.describe_table`."""
        return await self._awaiting.once_named(name, lambda: self.table_reader.describe(name))

    async def query_tables(
        self, sql: str, tables: Sequence[str] = (), *, start: int = 0, limit: int = 1000
    ) -> QueryAnswer:
        """See `api.Library.query_tables`."""
        named = " ".join((*names_in(sql), *tables))
        return await self._awaiting.once_named(named, lambda: self.table_reader.query(sql, tables, start, limit))

    async def stored_document(self, doc: str) -> StoredDocument:
        """See `api.Library.stored_document`."""
        view = await self._awaiting.once_there(doc, lambda: self.stored.parts(doc))
        version = view.version
        return StoredDocument(
            version.slug, version.doc_id, version.name, version.format,
            tuple(
                StoredPart(
                    part.n, part.kind, part.name, part.title, part.hidden,
                    tuple(segment.data for segment in part.segments),
                )
                for part in view.parts
            ),
        )  # fmt: skip

    async def read(self, uri: str) -> Contents:
        """Any URI this sidecar serves: static resources, feature plugins' schemes, documents and their parts."""
        check_uri_length(uri)
        if (static := self.features.resources.get(uri)) is not None:
            return (await static[1](self.services()),)
        scheme = uri.partition("://")[0].lower()
        for provider in self.features.providers:
            if scheme in provider.schemes:
                return _from(await provider.read(self.services(), uri), {"origin": scheme, "trusted": False})
        address = self._parsed(uri)
        self.on_read(address.doc)

        async def work() -> Contents:
            if address.suffix in _PICTURES:
                return _bytes(uri, await self._picture(address))
            try:
                return await self._readers[address.scheme](uri, address)
            except HeavyViewError:
                return await make_view(
                    self.services().workers, self.stored.path, uri, self.reading.attaching.readable, self._max_chars()
                )

        contents = await self._awaiting.once_there(address.doc, work)
        return _from(contents, {"origin": "document", "document": address.doc, "trusted": False})

    @cached_property
    def _readers(self) -> Mapping[str, Callable[[str, Address], Awaitable[Contents]]]:
        """Scheme → what reads it as text, or bytes as they are."""
        return {
            **self._text.readers(),
            **self._elements.readers(),
            "embed": self._embed,
            **dict.fromkeys(("image", "media", "font"), self._embedded_bytes),
        }

    async def picture(self, uri: str) -> Payload:
        """See `api.Library.picture`."""
        address = self._parsed(uri)
        return await self._awaiting.once_there(address.doc, lambda: self._picture(address))

    async def grep(self, query: GrepQuery) -> GrepAnswer:
        """See `api.Library.grep`."""
        await self._awaiting.first_walk()
        if query.doc is not None:
            await self.document(query.doc)
        return await grep(self.stored.path, self.services().workers, query)

    async def contexts(self, paths: Sequence[str]) -> Mapping[str, str]:
        """See `api.Library.contexts`."""
        return await self.reading.contexts(paths)

    async def index(self, path: str) -> DocumentInfo:
        """See `api.Library.index`."""
        full = _absolute(path)
        if not PurePath(path).is_absolute() and not path.startswith("~"):
            with suppress(NotFoundError):  # then it counts from the working directory
                full = _absolute((await self.document(path)).path)
        await self.indexing.index_now(full)
        if (found := await self.stored.info_at(os.fsencode(full))) is None:
            raise UsageError(f"{path} is not a document this sidecar can read, or an ignore rule leaves it out.")
        if found.state != "indexed" and not found.doc_id:
            raise UnavailableError(f"{found.name} could not be indexed ({found.state}): {found.reason}")
        return found

    def _parsed(self, uri: str) -> Address:
        schemes = (f"{scheme}://" for provider in self.features.providers for scheme in provider.schemes)
        return address_of(uri, (*self.features.resources, *schemes))

    async def _picture(self, address: Address) -> Payload:
        match address.scheme:
            case "page" | "slide":
                return await self._pictures.part(address)
            case "element":
                return await self._pictures.element(address)
            case "chart":
                return await self._pictures.chart(address, "svg" if address.suffix == "svg" else "png")
            case "image":
                return await self._pictures.embedded(address)
            case "embed" if address.path[-2:-1] == ("image",):
                return await self.attached_documents.payload(address)
            case "embed" if len(address.path) == 1 and not address.suffix:
                if (made := await self._pictures.embedded(address)).media_type.startswith("image/"):
                    return made
            case _:
                pass
        raise UsageError(f"{address} has no picture; pictures are of pages, slides, elements, charts and images.")

    async def _embed(self, uri: str, address: Address) -> Contents:
        """An attached file: as it is, or with a suffix or a path into it, read as a document."""
        if address.suffix or len(address.path) > 1:
            return await self.attached_documents.read(uri, address)
        return await self._embedded_bytes(uri, address)

    async def _embedded_bytes(self, uri: str, address: Address) -> Contents:
        return _bytes(uri, await self._pictures.embedded(address))


def _from(contents: Contents, provenance: Mapping[str, Any]) -> Contents:
    """The contents, each saying where it comes from: what a document says is data, whoever quotes it."""
    return tuple(
        content if PROVENANCE in content.metadata
        else structs.replace(content, metadata={PROVENANCE: provenance, **content.metadata})
        for content in contents
    )  # fmt: skip


def _bytes(uri: str, payload: Payload) -> Contents:
    about = {DRAWN: payload.note} if payload.note else {}
    return (ResourceContent(uri, payload.media_type, data=payload.data, metadata=about),)


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())
