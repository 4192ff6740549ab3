"""The index as the other rooms see it: a few ports, each one concern, whose every method is one transaction.

No signature names SQL, a connection or a row, so another engine could stand behind a port. Knows no formats and no MCP.
Every method may raise StoreError (disk full, index file damaged or not writable)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

import anyio

from sidecar.api import Cache, DocumentInfo, UnavailableError
from sidecar.store.database import requests
from sidecar.store.database.pool import Pool
from sidecar.store.database.requests import Reply
from sidecar.store.database.session import Session
from sidecar.store.database.transactions import Port, Reads, read, read_long, write
from sidecar.store.documents import catalogue, old_versions, reading, tables
from sidecar.store.documents.caching import StoredCache
from sidecar.store.documents.records import Change, FileStat, Indexed
from sidecar.store.documents.writing import Writing, invalidate, outdate
from sidecar.store.index import common_words, embeddings, finding, names
from sidecar.store.index.corrections import Corrections, corrections, numbers_written
from sidecar.store.index.postings import Postings
from sidecar.store.index.ranking import ELEMENTS, PASSAGES, FullText, Ranked, SearchTable, Terms, let_through, rank
from sidecar.toolkit.text import map_texts, without_surrogates

FORGOTTEN = "forgotten"
"""The setting that says that words of what was forgotten may still stand in the search index."""
_POLL_SECONDS = 0.1
"""How often a reply is looked for. A read takes a tenth of a millisecond."""

Result = TypeVar("Result")


class Documents:
    """Reads documents and what they hold. `doc` is a slug (newest version) or a doc_id; what is not there raises
    NotFoundError with near names."""

    def __init__(self, database: Reads) -> None:
        self.database = database

    @property
    def path(self) -> Path:
        """The index file, for a worker process that reads it by itself."""
        return self.database.path

    def suspect(self) -> None:
        """What was read could not be decoded: have the index looked through and mended by whoever indexes."""
        self.database.suspect()

    resolve = read(reading.resolve)
    info = read(catalogue.document)
    info_at = read(catalogue.document_at)
    readable = read(catalogue.list_documents)
    slugs = read(catalogue.slugs)
    in_state = read(catalogue.in_state)
    totals = read(catalogue.totals)
    unread = read(catalogue.unread)
    outline = read_long(reading.outline)
    outline_size = read(reading.outline_size)
    chapters = read(reading.chapters)
    part = read(reading.part)
    parts = read_long(reading.parts)
    section = read(reading.section)
    parts_of_section = read_long(reading.parts_of_section)
    elements = read_long(reading.elements)
    labels = read(reading.labels)
    embed_names = read(reading.embed_names)
    element = read(reading.element)
    embeds = read_long(reading.embeds)
    compared = read(old_versions.compared)
    compared_parts = read_long(old_versions.compared_parts)
    embed = read(reading.embed)
    columns_over = read(tables.columns_over)
    attached_named = read_long(reading.attached_named)
    passages = read_long(catalogue.passages)


class Tables(Port):
    """The tables found in documents, and where their cells are."""

    of_document = read(tables.tables_of)
    named = read(tables.tables_named)
    like = read(tables.tables_like)
    matching = read(tables.tables_matching)
    missing = read(tables.missing_table)
    segments = read_long(tables.table_segments)


class Files(Port):
    """The files under watch: what a scan compares, and the writes that follow. `retention` is how many former versions
    of a document stay readable by doc_id."""

    def __init__(self, database: Pool, retention: int) -> None:
        super().__init__(database)
        self.retention = retention
        self.term: int | None = None
        """The term in which this process indexes; None: whoever writes does so at a user's command."""

    known = read_long(catalogue.known_files)
    known_at = read(catalogue.known_paths)
    compared = read_long(catalogue.compared_files)
    has_content = read(catalogue.known_digest)
    known_members = read(catalogue.known_members)
    away = read(catalogue.away_folders)

    async def begin_term(self) -> None:
        """This process indexes from now on. The writes of whoever did before raise DisplacedError, and ours do once
        another has begun a term."""
        self.term = await self.database.write(requests.begin_term)

    def end_term(self) -> None:
        """This process indexes no more."""
        self.term = None

    async def set_away(self, folders: Collection[bytes]) -> None:
        """Note which watched folders are not there now."""
        await self._fenced(lambda session: catalogue.set_away(session, folders))

    async def outdate_archives(self, plugins: Mapping[str, str]) -> None:
        """Have archives read again of which another version than one of the `plugins` read a member."""
        paths = await self.database.read(lambda session: catalogue.outdated_archives(session, plugins))
        if paths:
            await self._fenced(lambda session: outdate(session, paths))

    async def invalidate(self, versions: Sequence[int]) -> list[bytes]:
        """The stored content of these versions is damaged: their files, whose paths are given, count as read by another
        plugin, and are read again; versions that no file shows are dropped."""
        return await self._fenced(lambda session: invalidate(session, versions))

    async def commit(self, batch: Sequence[Indexed]) -> list[Change]:
        """Write what was read, or could not be. Same content → only the file's row changes, and no change row.

        A file that cannot be read any more keeps its last good version. `Indexed(state="indexed", prepared=None,
        sha256=…)` links the file to content the index already holds (see `has_content`). A file in state "unsupported"
        without a plugin is not a document: its row only makes re-scans skip it."""
        if not batch:
            return []
        try:
            return await self._fenced(lambda session: Writing(session, self.retention).commit(batch))
        except UnicodeEncodeError:
            # Half a surrogate pair, out of a broken document. Looking for it beforehand would cost every batch.
            cleaned = [map_texts(item, without_surrogates) for item in batch]
            return await self._fenced(lambda session: Writing(session, self.retention).commit(cleaned))

    async def rename(self, moves: Sequence[tuple[bytes, bytes, FileStat]]) -> None:
        """Files moved (old path, new path, new stat), in that order; slugs stay. A document at the new path goes."""
        await self._fenced(lambda session: Writing(session, self.retention).rename(moves))

    async def remove(self, paths: Sequence[bytes]) -> None:
        """Files gone. Their versions stay readable by doc_id for the retention, a week at most."""
        await self._fenced(lambda session: Writing(session, self.retention).remove(paths))

    async def forget(self, paths: Sequence[bytes]) -> None:
        """Files that must not be readable any more, by their doc_ids neither."""
        if paths:
            await self._forget(lambda writing: writing.forget(paths))

    async def forget_folder(self, folder: bytes | None, kept: Collection[bytes] = ()) -> None:
        """Everything of a folder that is no longer watched (None: of all folders), but what is below the folders
        `kept`; nothing of it stays readable."""
        await self._forget(lambda writing: writing.forget_folder(folder, kept))

    async def _forget(self, work: Callable[[Writing], None]) -> None:
        """Write, and have upkeep take the words out of the search index too, where FTS5 only marks them."""

        def forget(session: Session) -> None:
            requests.put_setting(session, FORGOTTEN, "1")
            work(Writing(session, self.retention))

        await self._fenced(forget)

    async def _fenced(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` in a write transaction, in this process's term."""
        term = self.term

        def fenced(session: Session) -> Result:
            if term is not None:
                requests.check_term(session, term)
            return work(session)

        return await self.database.write(fenced)


class ChangeFeed(Port):
    """What was added, updated, removed or renamed, by any process on this index."""

    last_seq = read(catalogue.last_seq)
    since = read(catalogue.changes)

    @property
    def generation(self) -> int:
        """Grows when the index file was removed or replaced, and another one is open now. `data_version` looks."""
        return self.database.generation

    async def data_version(self) -> int:
        """A number that differs from the last call's when any process has committed in between."""
        return await self.database.data_version()


class Requests(Port):
    """Sidecars without the lease ask the one that holds it."""

    open = read(requests.open_requests)
    answer = write(requests.answer)

    async def ask(self, kind: Literal["index", "forget"], path: bytes, timeout: float = 60.0) -> Reply:
        """Ask the holder of the lease and wait. Raises UnavailableError when it does not answer within `timeout` s."""
        number = await self.database.write(lambda session: requests.ask(session, kind, path))
        deadline = time.monotonic() + timeout
        try:
            while time.monotonic() < deadline:
                reply = await self.database.read(lambda session: requests.reply_to(session, number))
                if reply is not None:
                    return reply
                await asyncio.sleep(_POLL_SECONDS)
        finally:
            with anyio.CancelScope(shield=True):
                await self.database.write(lambda session: requests.withdraw(session, number))
        raise UnavailableError(
            f"The sidecar that does the indexing did not answer within {timeout:.0f} s; "
            + ("it takes the file when it can." if kind == "index" else "end it, then try again.")
        )


class Settings(Port):
    """Texts kept by name about the index as a whole, so that they are true of it."""

    get = read(requests.get_setting)
    put = write(requests.put_setting)


class Caches(Port):
    """Named caches kept in the index."""

    def open(self, name: str, *, max_entries: int, max_bytes: int, max_age: float) -> Cache:
        """The cache of that name; `max_age` in seconds."""
        return StoredCache(self.database, name, max_entries=max_entries, max_bytes=max_bytes, max_age=max_age)


class SearchIndex(Port):
    """Ranks passages and elements by words, and shows what was ranked."""

    def __init__(self, database: Pool) -> None:
        super().__init__(database)
        self._postings = Postings()
        self._postings_of = database.generation

    async def rank(self, table: SearchTable, terms: Terms, limit: int) -> Ranked:
        """Rows of PASSAGES or ELEMENTS, best first."""
        return await self._of_texts(table, lambda texts: rank(texts, terms, limit))

    def lacks(self, table: SearchTable, terms: Sequence[str]) -> bool:
        """Whether a word of these expressions stands nowhere, as far as is known without asking the index."""
        return self._current_postings().vocabularies.lacks(table.fts, terms)

    async def let_through(self, table: SearchTable, rows: Sequence[int], terms: Terms) -> list[int]:
        """Those of `rows` that the filter and the required and excluded terms of `terms` let through, in order."""
        return await self._of_texts(table, lambda texts: let_through(texts, rows, terms))

    async def corrections(
        self, table: SearchTable, terms: Terms, absent: Sequence[str], *, in_words: bool, language: AbstractSet[str]
    ) -> Corrections:
        """What the words that stand nowhere (`Ranked.absent`) were meant to be; see `corrections.corrections`."""
        return await self._of_texts(
            table, lambda texts: corrections(texts, terms, absent, in_words=in_words, language=language)
        )

    async def numbers_written(self, table: SearchTable, numbers: Sequence[str]) -> tuple[str, ...]:
        """See `corrections.numbers_written`."""
        return await self._of_texts(table, lambda texts: numbers_written(texts, numbers))

    async def documents_near(self, query: str, terms: Sequence[str], limit: int = 10) -> list[DocumentInfo]:
        """See `names.documents_near`."""
        vocabularies = self._current_postings().vocabularies
        return await self.database.read(
            lambda session: names.documents_near(session, query, terms, vocabularies, limit)
        )

    passages = read(finding.passages_by_id)
    elements = read(finding.elements_by_id)
    details = read(finding.details)
    origins = read(finding.origins)
    documents_named = read(finding.documents_named)
    documents_listed = read(finding.documents_listed)
    entries_where = read(finding.entries_where)
    folders_named = read(names.folders_named)
    missing_folder = read(names.missing_folder)

    async def keep_common(self) -> None:
        """Keep the rows of common words, where enough has changed, so that the next searches find them ready."""
        for table in (PASSAGES, ELEMENTS):
            await self._keep_common(table)

    async def _keep_common(self, table: SearchTable) -> None:
        database = self.database
        due = await database.read(lambda session: common_words.due(session, table.fts, table.content))
        if due is None:
            return
        highest, total = due
        words = await database.read(lambda session: common_words.common_words(session, table.fts, total))
        for batch in common_words.batches(words):
            rows = await database.read(
                partial(common_words.rows_of, fts=table.fts, leading=table.leading, words=batch, upto=highest)
            )
            await database.write(partial(common_words.put, fts=table.fts, rows=rows, highest=highest))
        await database.write(lambda session: common_words.done(session, table.fts, highest, total))

    def forget(self) -> None:
        """Free what searches have remembered; the next ones read it again."""
        self._postings.clear()

    async def _of_texts(self, table: SearchTable, question: Callable[[FullText], Result]) -> Result:
        """What a question about that table gives, in one transaction."""
        return await self.database.read(lambda session: question(FullText(session, table, self._current_postings())))

    def _current_postings(self) -> Postings:
        if self._postings_of != self.database.generation:
            self._postings.clear()
            self._postings_of = self.database.generation
        return self._postings


class Embeddings(Port):
    """Vectors of passages and elements; `model` names embedder, version and dimensions together."""

    @property
    def path(self) -> Path:
        """The index file, for a worker process that reads vectors in bulk (`index.embeddings`)."""
        return self.database.path

    missing = read_long(embeddings.missing)
    any = read(embeddings.any_put)
    counts = read(embeddings.counts)
    put = write(embeddings.put)
    forget_others = write(embeddings.forget_models)
