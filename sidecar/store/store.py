"""The index as the other rooms see it: typed calls, one hop to a database thread each; SQL stands in the modules below.

Writes go through one connection, whose thread runs one whole transaction a call; reads go to a small pool of read-only
connections. Nothing here knows formats, folders' rules or MCP.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from sidecar.api import Cache, DocumentInfo, DocumentPage, Element, ElementType, Embed, EmbedKind, SortKey
from sidecar.store.answers import (
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
    Version,
)
from sidecar.store.records import Change, FileStat, Indexed, KnownFile


class Store:
    """One data directory's index. Every method may raise StoreError (full disk, damaged or read-only index file)."""

    data_dir: Path
    path: Path
    remark: str
    """ "" or one sentence about what happened at opening (a damaged index was set aside), to show the user."""

    @classmethod
    async def open(cls, data_dir: Path, *, retention: int = 3, readers: int = 3) -> Store:
        """Create, migrate or just open `data_dir/index.db`. Raises StoreError (newer schema, not writable)."""
        raise NotImplementedError

    async def close(self) -> None:
        """Close every connection and its thread; shielded from cancellation, may be called twice."""
        raise NotImplementedError

    # writes: one transaction each

    async def commit(self, batch: Sequence[Indexed]) -> list[Change]:
        """Write what was read, or could not be. Same content → only the file's row changes, and no change row.

        A file that cannot be read any more keeps its last good version. `Indexed(state="indexed", prepared=None,
        sha256=…)` links the file to content the index already holds (see `known_digest`).
        """
        raise NotImplementedError

    async def touch(self, path: bytes, stat: FileStat) -> None:
        """Same content, new size or time on disk."""
        raise NotImplementedError

    async def rename(self, moves: Sequence[tuple[bytes, bytes, FileStat]]) -> list[Change]:
        """Files moved (old path, new path, new stat); slugs stay. A document at the new path makes way."""
        raise NotImplementedError

    async def remove(self, paths: Sequence[bytes]) -> list[Change]:
        """Files gone. Their versions stay readable by doc_id for the retention."""
        raise NotImplementedError

    async def forget_folder(self, folder: bytes) -> list[Change]:
        """Everything of a folder that is no longer watched."""
        raise NotImplementedError

    async def prune(self) -> None:
        """Housekeeping, bounded in time: retention, orphans, search index merges, free pages, the WAL."""
        raise NotImplementedError

    # what the scan needs

    async def known_files(self, folder: bytes | None = None) -> dict[bytes, KnownFile]:
        raise NotImplementedError

    async def known_digest(self, sha256: str, plugin: str, plugin_version: str, suffix: str) -> bool:
        """Whether this content, read by this plugin from a file of this suffix (".docx"), is in the index already."""
        raise NotImplementedError

    # documents

    async def resolve(self, doc: str) -> Version:
        """A slug (newest version) or doc_id. Raises NotFoundError with near slugs."""
        raise NotImplementedError

    async def document(self, doc: str) -> DocumentInfo:
        """Also documents that never could be read. Raises NotFoundError."""
        raise NotImplementedError

    async def document_at(self, path: bytes) -> DocumentInfo | None:
        raise NotImplementedError

    async def list_documents(self, after: str | None = None, limit: int = 100) -> list[DocumentInfo]:
        """Readable documents in slug order, after that slug: the keyset page of `resources/list`."""
        raise NotImplementedError

    async def documents(self, page: int = 1, page_size: int = 20, sort_by: SortKey = "title") -> DocumentPage:
        """All documents, unreadable ones with their state."""
        raise NotImplementedError

    async def slugs(self, prefix: str = "", limit: int = 100) -> list[str]:
        """Slugs that begin with (then: contain) the text, for completion."""
        raise NotImplementedError

    async def totals(self) -> Totals:
        raise NotImplementedError

    # parts; all raise NotFoundError with near names

    async def outline(self, doc: str) -> OutlineView:
        raise NotImplementedError

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
        raise NotImplementedError

    async def parts(self, doc: str, numbers: Sequence[int] | None = None) -> PartsView:
        """Several parts (all when None) with their segments."""
        raise NotImplementedError

    async def section(self, doc: str, selector: int | str) -> SectionView:
        """A section by id, or a top-level one by its number from 1 (int or digits)."""
        raise NotImplementedError

    async def elements(self, doc: str, kind: ElementType | None = None) -> ElementsView:
        raise NotImplementedError

    async def element(self, doc: str, label: str, page: int | None = None) -> tuple[Version, Element]:
        """Raises NotFoundError with near labels, AmbiguousError with the choices."""
        raise NotImplementedError

    async def embeds(self, doc: str, kinds: Sequence[EmbedKind] = ()) -> EmbedsView:
        raise NotImplementedError

    async def embed(self, doc: str, kind: EmbedKind, selector: int | str) -> tuple[Version, Embed]:
        """By 0-based id, then by name."""
        raise NotImplementedError

    async def passages(
        self, *, doc: str | None = None, path: str | None = None, after: tuple[str, int] | None = None, limit: int = 500
    ) -> list[Passage]:
        """Passages in order of (slug, id) after that key: a keyset page for grep. `path` narrows by part of the path."""
        raise NotImplementedError

    # the change feed

    async def last_seq(self) -> int:
        raise NotImplementedError

    async def changes(self, since: int, limit: int = 1000) -> list[Change]:
        raise NotImplementedError

    async def data_version(self) -> int:
        """Grows when any process has committed since the last call (compare with `!=`)."""
        raise NotImplementedError

    # sidecars talk to the holder of the lease

    async def request(self, kind: Literal["index"], path: bytes, timeout: float = 60.0) -> Reply:
        """Ask the holder of the lease and wait. Raises UnavailableError when it does not answer in time."""
        raise NotImplementedError

    async def open_requests(self) -> list[Request]:
        raise NotImplementedError

    async def answer(self, request: Request, reply: Reply) -> None:
        raise NotImplementedError

    def cache(self, name: str, *, max_entries: int, max_bytes: int, max_age: float) -> Cache:
        raise NotImplementedError
