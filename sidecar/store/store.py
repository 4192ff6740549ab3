"""The index as the other rooms see it: typed calls, one hop to a database thread each; SQL stands in the modules below.

Writes go through one connection, whose thread runs one whole transaction a call; reads go to a small pool of read-only
connections. Nothing here knows formats, folders' rules or MCP.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

import anyio

from sidecar.api import (
    Cache,
    DocumentInfo,
    DocumentPage,
    Element,
    ElementType,
    Embed,
    EmbedKind,
    NotFoundError,
    SortKey,
    UnavailableError,
)
from sidecar.store.database import exchange, facts, upkeep
from sidecar.store.database.connection import Session
from sidecar.store.database.pool import Pool
from sidecar.store.documents import catalogue, reading
from sidecar.store.documents.answers import (
    ElementsView,
    EmbedsView,
    OutlineView,
    PartsView,
    PartView,
    Passage,
    Reply,
    Request,
    SectionView,
    Totals,
    VectorBlock,
    Version,
)
from sidecar.store.documents.caching import StoredCache
from sidecar.store.documents.clean import clean
from sidecar.store.documents.records import Change, FileStat, Indexed, KnownFile, SettledRow
from sidecar.store.documents.writing import Writing
from sidecar.store.index import common_words as common
from sidecar.store.index import embeddings
from sidecar.store.index.postings import Postings
from sidecar.store.index.ranking import ELEMENTS, PASSAGES, Ranked, SearchTable, Terms, let_through, rank

Result = TypeVar("Result")

_ASK_SECONDS = 0.1


class Store:
    """One data directory's index. Every method may raise StoreError (full disk, damaged or read-only index file)."""

    remark: str
    """ "" or one sentence about what happened at opening (a damaged index was set aside), to show the user."""

    def __init__(self, pool: Pool, retention: int) -> None:
        self._pool = pool
        self._retention = retention
        self._postings = Postings()
        self._postings_of = pool.generation
        self.path = pool.path
        self.data_dir = pool.path.parent
        self.remark = pool.remark

    @classmethod
    async def open(cls, data_dir: Path, *, retention: int = 3, readers: int = 3) -> Store:
        """Create, migrate or just open `data_dir/index.db`. Raises StoreError (newer schema, not writable).

        `retention` is how many former versions of a document stay readable by doc_id.
        """
        return cls(await Pool.open(data_dir / "index.db", readers), retention)

    async def close(self) -> None:
        """Close every connection and its thread; shielded from cancellation, may be called twice."""
        await self._pool.close()

    async def read(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` on a reader's thread in one read transaction. SQL stays in this room: pass its functions only."""
        return await self._pool.read(work)

    async def write(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` on the writer's thread in one transaction, to its end even when the caller is cancelled."""
        return await self._pool.write(work)

    # writes: one transaction each

    async def commit(self, batch: Sequence[Indexed]) -> list[Change]:
        """Write what was read, or could not be. Same content → only the file's row changes, and no change row.

        A file that cannot be read any more keeps its last good version. `Indexed(state="indexed", prepared=None,
        sha256=…)` links the file to content the index already holds (see `known_digest`). A file in state
        "unsupported" without a plugin is no document: its row only makes re-scans skip it.
        """
        if not batch:
            return []
        try:
            return await self.write(lambda session: Writing(session, self._retention).commit(batch))
        except UnicodeEncodeError:
            # Half a surrogate pair, out of a broken document. Looking for it beforehand would cost every batch.
            cleaned = [clean(item) for item in batch]
            return await self.write(lambda session: Writing(session, self._retention).commit(cleaned))

    async def touch(self, path: bytes, stat: FileStat) -> None:
        """Same content, new size or time on disk."""
        await self.write(lambda session: Writing(session, self._retention).touch(path, stat))

    async def rename(self, moves: Sequence[tuple[bytes, bytes, FileStat]]) -> list[Change]:
        """Files moved (old path, new path, new stat), in that order; slugs stay. A document at the new path goes."""
        return await self.write(lambda session: Writing(session, self._retention).rename(moves))

    async def remove(self, paths: Sequence[bytes]) -> list[Change]:
        """Files gone. Their versions stay readable by doc_id for the retention, a week at most."""
        return await self.write(lambda session: Writing(session, self._retention).remove(paths))

    async def forget_folder(self, folder: bytes) -> list[Change]:
        """Everything of a folder that is no longer watched."""
        return await self.write(lambda session: Writing(session, self._retention).forget_folder(folder))

    async def prune(self) -> None:
        """Housekeeping in short transactions: retention, orphans, search index merges, free pages, the WAL."""
        await self.write(lambda session: upkeep.retention(session, self._retention))
        await self.write(upkeep.feed)
        await self.write(upkeep.merge_search)
        await self.keep_common()
        for step in upkeep.STEPS_OUTSIDE:
            await self._pool.pragma(step)

    async def keep_common(self) -> None:
        """Keep the rows of common words, where enough has changed, so that the next searches find them ready."""
        for table in (PASSAGES, ELEMENTS):
            await self._keep_common(table)

    async def _keep_common(self, table: SearchTable) -> None:
        due = await self.read(lambda session: common.due(session, table.fts, table.content))
        if due is None:
            return
        highest, total = due
        words = await self.read(lambda session: common.common_words(session, table.fts, total))
        for batch in common.batches(words):
            rows = await self.read(
                partial(common.rows_of, fts=table.fts, leading=table.leading, words=batch, upto=highest)
            )
            await self.write(partial(common.put, fts=table.fts, rows=rows, highest=highest))
        await self.write(lambda session: common.done(session, table.fts, highest, total))

    # what the scan needs

    async def known_files(self, folder: bytes | None = None) -> dict[bytes, KnownFile]:
        return await self.read(lambda session: catalogue.known_files(session, folder))

    async def compared_files(self, plugins: Mapping[str, str]) -> dict[bytes, SettledRow | KnownFile]:
        """Every file; those indexed by one of the `plugins` (name → version) as the few columns a walk compares."""
        return await self.read(lambda session: catalogue.compared_files(session, plugins))

    async def known_paths(self, paths: Sequence[bytes]) -> dict[bytes, KnownFile]:
        """Those of the paths that the index knows: what an event needs, without fetching every file's row."""
        return await self.read(lambda session: catalogue.known_paths(session, paths))

    async def known_digest(self, sha256: str, plugin: str, plugin_version: str, suffix: str) -> bool:
        """Whether this content, read by this plugin from a file of this suffix (".docx"), is in the index already."""
        return await self.read(lambda session: catalogue.known_digest(session, sha256, plugin, plugin_version, suffix))

    # documents

    async def resolve(self, doc: str) -> Version:
        """A slug (newest version) or doc_id. Raises NotFoundError with near slugs."""
        return await self.read(lambda session: reading.resolve(session, doc))

    async def document(self, doc: str) -> DocumentInfo:
        """Also documents that never could be read. Raises NotFoundError."""
        return await self.read(lambda session: catalogue.document(session, doc))

    async def document_at(self, path: bytes) -> DocumentInfo | None:
        return await self.read(lambda session: catalogue.document_at(session, path))

    async def list_documents(self, after: str | None = None, limit: int = 100) -> list[DocumentInfo]:
        """Readable documents in slug order, after that slug: the keyset page of `resources/list`."""
        return await self.read(lambda session: catalogue.list_documents(session, after, limit))

    async def documents(self, page: int = 1, page_size: int = 20, sort_by: SortKey = "title") -> DocumentPage:
        """All documents, unreadable ones with their state."""
        return await self.read(lambda session: catalogue.documents(session, page, page_size, sort_by))

    async def slugs(self, prefix: str = "", limit: int = 100) -> list[str]:
        """Slugs that begin with (then: contain) the text, for completion."""
        return await self.read(lambda session: catalogue.slugs(session, prefix, limit))

    async def totals(self) -> Totals:
        return await self.read(catalogue.totals)

    # parts; all raise NotFoundError with near names

    async def outline(self, doc: str) -> OutlineView:
        return await self.read(lambda session: reading.outline(session, doc))

    async def part(
        self,
        doc: str,
        selector: int | str,
        *,
        blocks: tuple[int, int] | None = None,
        rows: tuple[int, int] | None = None,
    ) -> PartView:
        """A part by number (from 1), name or title. `blocks` (1-based) and `rows` (0-based), both inclusive, narrow
        the segments to those that touch them."""
        return await self.read(lambda session: reading.part(session, doc, selector, blocks, rows))

    async def parts(self, doc: str, numbers: Sequence[int] | None = None) -> PartsView:
        """Several parts (all when None) with their segments."""
        return await self.read(lambda session: reading.parts(session, doc, numbers))

    async def section(self, doc: str, selector: int | str) -> SectionView:
        """A section by id, or a top-level one by its number from 1 (int or digits)."""
        return await self.read(lambda session: reading.section(session, doc, selector))

    async def elements(self, doc: str, kind: ElementType | None = None) -> ElementsView:
        return await self.read(lambda session: reading.elements(session, doc, kind))

    async def element(self, doc: str, label: str, page: int | None = None) -> tuple[Version, Element]:
        """Raises NotFoundError with near labels, AmbiguousError with the choices."""
        return await self.read(lambda session: reading.element(session, doc, label, page))

    async def embeds(self, doc: str, kinds: Sequence[EmbedKind] = ()) -> EmbedsView:
        return await self.read(lambda session: reading.embeds(session, doc, kinds))

    async def embed(self, doc: str, kind: EmbedKind, selector: int | str) -> tuple[Version, Embed]:
        """By 0-based id, then by name."""
        return await self.read(lambda session: reading.embed(session, doc, kind, selector))

    async def passages(
        self,
        *,
        doc: str | None = None,
        path: str | None = None,
        after: tuple[str, int] | None = None,
        limit: int = 500,
    ) -> list[Passage]:
        """Passages of current versions in order of (slug, id) after that key: a keyset page for grep.

        `path` narrows to documents whose path, from its watched folder's name on, contains the text.
        Raises NotFoundError when `doc` is unknown or a former version, whose passages are kept no more.
        """

        def work(session: Session) -> list[Passage]:
            version = None if doc is None else reading.resolve(session, doc)
            if version is not None and not version.current:
                raise NotFoundError(
                    f"{doc} is a former version of {version.slug}, and only present ones are searched; "
                    f"read document://{doc}.md, or search {version.slug}.",
                    near=[version.slug],
                )
            return catalogue.passages(session, None if version is None else version.slug, path, after, limit)

        return await self.read(work)

    # the change feed

    async def last_seq(self) -> int:
        return await self.read(catalogue.last_seq)

    async def changes(self, since: int, limit: int = 1000) -> list[Change]:
        return await self.read(lambda session: catalogue.changes(session, since, limit))

    @property
    def generation(self) -> int:
        """Grows when the index file was removed or replaced, and another one is open now. `data_version` looks."""
        return self._pool.generation

    async def data_version(self) -> int:
        """A number that differs from the last call's when any process has committed in between."""
        return await self._pool.data_version()

    # sidecars talk to the holder of the lease

    async def request(self, kind: Literal["index"], path: bytes, timeout: float = 60.0) -> Reply:
        """Ask the holder of the lease and wait. Raises UnavailableError when it does not answer in time."""
        number = await self.write(lambda session: exchange.ask(session, kind, path))
        deadline = time.monotonic() + timeout
        try:
            while time.monotonic() < deadline:
                reply = await self.read(lambda session: exchange.reply_to(session, number))
                if reply is not None:
                    return reply
                await asyncio.sleep(_ASK_SECONDS)
        finally:
            with anyio.CancelScope(shield=True):
                await self.write(lambda session: exchange.withdraw(session, number))
        raise UnavailableError(
            f"The sidecar that does the indexing did not answer within {timeout:.0f} s; it takes the file when it can."
        )

    async def open_requests(self) -> list[Request]:
        return await self.read(exchange.open_requests)

    async def answer(self, request: Request, reply: Reply) -> None:
        await self.write(lambda session: exchange.answer(session, request.id, reply))

    async def fact(self, name: str) -> str:
        """A text kept about the index as a whole, "" when there is none."""
        return await self.read(lambda session: facts.get(session, name))

    async def put_fact(self, name: str, value: str) -> None:
        await self.write(lambda session: facts.put(session, name, value))

    def cache(self, name: str, *, max_entries: int, max_bytes: int, max_age: float) -> Cache:
        """The cache of that name, kept in the index; `max_age` in seconds."""
        return StoredCache(self, name, max_entries=max_entries, max_bytes=max_bytes, max_age=max_age)

    # search; see `ranking` and `finding`

    async def rank(self, table: SearchTable, terms: Terms, limit: int) -> Ranked:
        """Rows of PASSAGES or ELEMENTS, best first."""
        return await self.read(lambda session: rank(session, table, terms, limit, self._current_postings()))

    async def let_through(self, table: SearchTable, rows: Sequence[int], terms: Terms) -> list[int]:
        """Those of `rows` that the filter and the excluded terms of `terms` let through."""
        return await self.read(lambda session: let_through(session, table, rows, terms, self._current_postings()))

    def forget_postings(self) -> None:
        """Free what searches have remembered; the next ones read it again."""
        self._postings.clear()

    def _current_postings(self) -> Postings:
        if self._postings_of != self._pool.generation:
            self._postings.clear()
            self._postings_of = self._pool.generation
        return self._postings

    # embeddings; `model` names embedder, version and dimensions together

    async def missing_embeddings(self, model: str, limit: int = 256) -> list[tuple[int, str]]:
        """(digest, text) of passages and elements the model has not embedded yet."""
        return await self.read(lambda session: embeddings.missing(session, model, limit))

    async def put_embeddings(self, model: str, rows: Sequence[tuple[int, bytes]]) -> None:
        """Vectors by digest, as the embedder encodes them."""
        await self.write(lambda session: embeddings.put(session, model, rows))

    async def any_embeddings(self, model: str) -> bool:
        return await self.read(lambda session: embeddings.any_put(session, model))

    async def vectors(
        self, model: str, kind: embeddings.Kind = "passage", after: int = 0, limit: int = 10_000
    ) -> VectorBlock:
        """Vectors of current passages or elements in order of their id, after that id."""
        return await self.read(lambda session: embeddings.vectors(session, model, kind, after, limit))

    async def embedding_counts(self, model: str) -> tuple[int, int]:
        """(texts embedded, texts in all)."""
        return await self.read(lambda session: embeddings.counts(session, model))

    async def forget_models(self, keep: str) -> None:
        """Drop the embeddings of every other model."""
        await self.write(lambda session: embeddings.forget_models(session, keep))
