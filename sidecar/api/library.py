"""What feature plugins are given to read: the index, which answers with `records`.

`Library` is the read side of the index; `Services` bundles it with workers, the cache and notifications."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sidecar.api.contents import ResourceContent
from sidecar.api.formats import Payload
from sidecar.api.model import ElementType, EmbedKind
from sidecar.api.records import (
    ALL_DOCUMENTS,
    AttachedFile,
    DocumentInfo,
    DocumentPage,
    ElementAnswer,
    ElementInfo,
    EmbedWindow,
    FolderInfo,
    GrepAnswer,
    GrepQuery,
    Narrowing,
    OutlineWindow,
    SearchAnswer,
    SortKey,
    StoredDocument,
    UnreadFile,
)
from sidecar.api.tables import FoundTables, QueryAnswer, TableFacts, TableInfo


class Search(Protocol):
    """Finding documents, passages and elements by words; `doc` (slug or doc_id) narrows it to one document."""

    async def find(self, query: str, limit: int = 10) -> tuple[DocumentInfo, ...]:
        """Documents whose title, slug or file name come close to the query, best first; never raises for no match."""
        ...

    async def folders(self, query: str) -> tuple[FolderInfo, ...]:
        """Folders whose path ends with that name, those with most documents first; never raises for no match."""
        ...

    async def search(self, query: str, limit: int = 10, doc: str | None = None, start: int = 0) -> SearchAnswer:
        """The best passages for a query (words, "phrases", -word, and filters: type:pdf, from:anna, after:2024 …):
        `limit` of them after the first `start`. Filters alone give what they let through, the latest first."""
        ...

    async def search_elements(
        self, query: str, kind: ElementType | None = None, limit: int = 10, doc: str | None = None
    ) -> ElementAnswer:
        """Labelled elements whose label, caption or text match the query, best first."""
        ...


class Library(Search, Protocol):
    """The read side of the index. Unknown documents raise `NotFoundError` with near misses.

    `doc` is a slug or a doc_id everywhere. Nothing here parses a file, except that pictures and embedded bytes are
    opened lazily in a worker."""

    async def attached(self, query: str) -> tuple[AttachedFile, ...]:
        """Files in archives, messages and other documents whose name holds the query, the shortest names first; never
        raises for no match."""
        ...

    async def status(self) -> dict[str, Any]:
        """The answer of `get_library_status` (see the tool's documentation for the fields)."""
        ...

    async def unread(self, start: int = 0, limit: int = 50) -> tuple[tuple[UnreadFile, ...], int]:
        """Files that could not be read, by path: `limit` of them after the first `start`, and how many there are."""
        ...

    async def progress(self) -> str:
        """ "" when the index is up to date, else a sentence such as "Indexed 812 of 1,850 documents so far."."""
        ...

    async def documents(
        self, page: int = 1, page_size: int = 20, sort_by: SortKey = "title", narrowing: Narrowing = ALL_DOCUMENTS
    ) -> DocumentPage:
        """One page of all documents, or of those `narrowing` leaves, with those removed since the time it names; `page`
        counts from 1. Raises UsageError where a filter names nothing."""
        ...

    async def document(self, doc: str) -> DocumentInfo:
        """One document as it stands now."""
        ...

    async def outline(self, doc: str, depth: int = 2, *, start: int = 0, limit: int | None = None) -> OutlineWindow:
        """The table of contents down to level `depth`: at most `limit` entries (None: all) from number `start` on;
        documents attached to a part follow it. `doc` may also be the URI of a part or section, whose entry comes first
        then and what lies below it after, or of an attached document (`embed://mail/0`), which is read in a worker."""
        ...

    async def elements(self, doc: str, kind: ElementType | None = None) -> tuple[ElementInfo, ...]:
        """All labelled elements of a document, in its order."""
        ...

    async def element(self, doc: str, label: str, page: int | None = None) -> ElementInfo:
        """Raises NotFoundError with near labels, AmbiguousError when several fit and `page` does not settle it."""
        ...

    async def embedded(
        self, doc: str, kinds: Sequence[EmbedKind] = (), *, start: int = 0, limit: int | None = None
    ) -> EmbedWindow:
        """What is embedded in a document, without its bytes: at most `limit` (None: all) from number `start` on; ()
        means every kind."""
        ...

    async def stored_document(self, doc: str) -> StoredDocument:
        """A document with all its blocks, encoded, for a worker that looks through the whole of it."""
        ...

    async def tables(self, doc: str) -> tuple[TableInfo, ...]:
        """All tables of a document, in its order."""
        ...

    async def find_tables(
        self, query: str, limit: int = 10, doc: str | None = None, folder: str | None = None
    ) -> FoundTables:
        """Tables whose name, columns or samples hold words of the query, best first; "" gives all. `folder` is part of
        a path."""
        ...

    async def describe_table(self, name: str) -> tuple[TableInfo, TableFacts]:
        """A table looked through whole; `name` as SQL calls it, a slug that has one table only, or the table's URI.

        Raises:
            NotFoundError, AmbiguousError: with names that come near."""
        ...

    async def query_tables(
        self, sql: str, tables: Sequence[str] = (), *, start: int = 0, limit: int = 1000
    ) -> QueryAnswer:
        """The rows of one read-only SELECT (SQLite's dialect) from row `start` on, at most `limit`.

        Tables are called as `TableInfo.name` says, or shorter where only one is meant; `tables` (names, slugs, URIs)
        are known by their short names as well. Every table has `_uri`, `_sheet` and `_row` beside its columns.

        Raises:
            UsageError: for what SQL does not understand or may not do, in one sentence with near names.
            NotFoundError: a table that is not there. LimitError: it takes too long or too much."""
        ...

    async def read(self, uri: str) -> tuple[ResourceContent, ...]:
        """What `resources/read` gives for any URI this sidecar serves, feature plugins' schemes included."""
        ...

    async def picture(self, uri: str) -> Payload:
        """The picture of a page, slide, element, chart or image URI (its `.png`), bounded in pixels and bytes."""
        ...

    async def grep(self, query: GrepQuery) -> GrepAnswer:
        """Regular expression over the indexed text, bounded in time. Raises UsageError for a bad pattern."""
        ...

    async def contexts(self, paths: Sequence[str]) -> Mapping[str, str]:
        """Watched folder → the sentence its owner says of it, for the folders those paths lie in that have one; of
        three folders at most. It is anybody's who may write in the folder: shown as a quotation, never followed."""
        ...

    async def index(self, path: str) -> DocumentInfo:
        """Index one file now (it must lie in a watched folder) and wait for it. Raises UsageError, FormatError."""
        ...


@dataclass(frozen=True)
class CacheEntry:
    """What the cache keeps beside the bytes; `created` and `used` are seconds since the epoch."""

    key: str
    size: int
    created: float
    used: float
    metadata: Mapping[str, Any]


class Cache(Protocol):
    """A small keyed store in the index: bounded by entries, bytes and age, least recently used out.

    It survives restarts. An entry being read is never evicted under the reader."""

    async def get(self, key: str) -> tuple[CacheEntry, bytes] | None:
        """The entry and its bytes, which counts as a use; None when it is not there or too old."""
        ...

    async def put(self, key: str, data: bytes, metadata: Mapping[str, object] | None = None) -> CacheEntry:
        """Keep the bytes, in place of what stood under the key; others go when the bounds ask for it. Raises StoreError
        where there is no room."""
        ...

    async def try_put(self, key: str, data: bytes, metadata: Mapping[str, object] | None = None) -> None:
        """The same where there is room: a full disk takes nothing from whoever reads now. Else it is logged."""
        ...

    async def entries(self) -> tuple[CacheEntry, ...]:
        """All entries, newest first, without their bytes."""
        ...

    async def clear(self, older_than: float | None = None) -> int:
        """Drop entries (those created more than `older_than` seconds ago); gives how many."""
        ...

    async def delete(self, key: str) -> bool:
        """Drop one entry; whether it was there."""
        ...


class Workers(Protocol):
    """Runs functions in worker processes, under limits, so that the serving process never blocks and never grows."""

    async def run(self, target: str, *args: object, timeout: float = 60.0, pool: str = "tasks") -> Any:
        """Call `target` ("package.module:function") with picklable arguments; gives its result: built-in values, and
        dataclasses and `msgspec.Struct`s of modules the caller has imported. Nothing of it is unpickled.

        `pool` names a set of workers that keep their state apart ("parse", "tasks", or a plugin's own, which gets one
        process, started at the first call and retired when idle).

        Raises:
            WorkerTimeout, WorkerCrash: and the worker is replaced.
            SidecarError: as raised by the function itself, any other exception arrives as WorkerError."""
        ...


class Services(Protocol):
    """Everything a feature plugin may use at run time."""

    @property
    def library(self) -> Library:
        """The read side of the index."""
        ...

    @property
    def workers(self) -> Workers:
        """Where to run what is heavy."""
        ...

    @property
    def data_dir(self) -> Path:
        """The directory of the index; a plugin may keep files of its own there, under its name."""
        ...

    @property
    def config_dir(self) -> Path:
        """Where the configuration file is, or would be: what relative paths in settings start from; absolute."""
        ...

    def cache(self, name: str, *, max_entries: int, max_bytes: int, max_age: float) -> Cache:
        """The cache of that name, made at the first call; `max_age` in seconds."""
        ...

    def working(self, step: str, /) -> AbstractContextManager[object]:
        """Around long work of a command: says on a terminal what is being done; nothing elsewhere."""
        ...

    def resources_changed(self) -> None:
        """Tell clients that the list of resources changed (coalesced)."""
        ...

    def resource_updated(self, uri: str) -> None:
        """Tell subscribers that a resource changed (coalesced)."""
        ...

    def subscribed(self) -> AbstractSet[str]:
        """The URIs of the resources that clients are subscribed to now."""
        ...
