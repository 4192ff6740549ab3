"""One data directory's index, open: its life, its upkeep, and the ports the other rooms use."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sidecar.store import erasing
from sidecar.store.checking import find_damage
from sidecar.store.database.opening import suspect_path
from sidecar.store.database.pool import Pool
from sidecar.store.database.session import Session
from sidecar.store.documents.old_versions import expire_history
from sidecar.store.index.embeddings import drop_orphans
from sidecar.store.ports import (
    FORGOTTEN,
    Caches,
    ChangeFeed,
    Documents,
    Embeddings,
    Files,
    Requests,
    SearchIndex,
    Settings,
    Tables,
)

logger = logging.getLogger(__name__)

_KEPT_CHANGES = 10_000
"""Rows of the change feed that stay; a sidecar further behind lists everything anew."""
_REQUEST_SECONDS = 3600.0
"""Older requests were answered, or left by a sidecar that is gone."""
_FTS_TABLES = ("passages_fts", "element_fts", "names_fts", "tables_fts")
_MERGE_PAGES = 500
_FREE_PAGES = 2000
_STEPS_OUTSIDE = (f"PRAGMA incremental_vacuum({_FREE_PAGES})", "PRAGMA optimize", "PRAGMA wal_checkpoint(TRUNCATE)")
"""What SQLite does not allow inside a transaction."""


@dataclass(frozen=True)
class Repair:
    """What `Store.repair` did: `rebuilt` where the index was begun anew, else `paths` of the files to be read again;
    `finished` is False where it was broken off."""

    rebuilt: bool = False
    paths: tuple[bytes, ...] = ()
    finished: bool = True


class Store:
    """Use `open`. Whoever needs one port only takes that one."""

    def __init__(self, database: Pool, retention: int) -> None:
        self.database = database
        self.path = database.path
        self.data_dir = database.path.parent
        self.documents = Documents(database)
        self.tables = Tables(database)
        self.files = Files(database, retention)
        self.changes = ChangeFeed(database)
        self.requests = Requests(database)
        self.settings = Settings(database)
        self.caches = Caches(database)
        self.search = SearchIndex(database)
        self.embeddings = Embeddings(database)

    @classmethod
    async def open(cls, data_dir: Path, *, retention: int = 3, readers: int = 3) -> Store:
        """Create, migrate or just open `data_dir/index.db`. Raises StoreError (newer schema, not writable).

        `retention` is how many former versions of a document stay readable by doc_id."""
        return cls(await Pool.open(data_dir / "index.db", readers), retention)

    @property
    def remark(self) -> str:
        """ "" or one sentence about what happened at opening (a damaged index was set aside), to show the user."""
        return self.database.remark

    @property
    def read_only(self) -> bool:
        """Whether the index can be read but not written now; `ChangeFeed.data_version` looks again."""
        return self.database.read_only

    @property
    def suspected(self) -> bool:
        """Whether damage has shown, in whatever process, since the index was last looked through."""
        return suspect_path(self.path).exists()

    async def repair(self, go_on: Callable[[], bool] = lambda: True) -> Repair:
        """Look the index through, as long as `go_on` says so, and mend what is damaged: a record's file is to be read
        again, a file of SQLite's that is broken is set aside and begun anew. For the holder of the lease."""
        damage = await find_damage(self.path, go_on)
        if damage.index:
            logger.error("the index is damaged (%s); everything is indexed anew", damage.index)
            await self.database.rebuild()
            return Repair(rebuilt=True)
        paths = await self.files.invalidate(damage.versions) if damage.versions else []
        if damage.finished:
            suspect_path(self.path).unlink(missing_ok=True)
        return Repair(paths=tuple(paths), finished=damage.finished)

    async def close(self) -> None:
        """Close every connection and its thread; shielded from cancellation, may be called twice."""
        await self.database.close()

    async def _merge_wholly(self) -> None:
        """Rewrite the search index without the words that are only marked as removed, in short transactions."""
        for table in _FTS_TABLES:
            pages = -_MERGE_PAGES
            while await self.database.write(partial(_merge_step, table=table, pages=pages)):
                pages = _MERGE_PAGES

    async def traces(self, folder: bytes | None, kept: Collection[bytes]) -> erasing.Traces:
        """What is to be looked for once a folder is erased; see `erase`."""
        return await self.database.read(lambda session: erasing.traces(session, folder, kept))

    async def erase(
        self,
        folder: bytes | None,
        kept: Collection[bytes],
        known: erasing.Traces,
        logs: Sequence[Path],
        step: erasing.Step,
    ) -> erasing.Erasure:
        """Forget a folder (None: all) but what is below the folders `kept`, leave no byte of it in the data directory
        and in `logs`, and look whether that is so. All caches go too, whatever folder they are of. Nobody may be
        indexing the folder. Raises StoreError."""
        before = erasing.bytes_in(self.data_dir)
        step("deleting documents")
        await self.files.forget_folder(folder, kept)
        await self.database.write(lambda session: erasing.erase_quotations(session, folder))
        step("rewriting the search index")
        await self._merge_wholly()
        await self.settings.put(FORGOTTEN, "")
        await self.search.keep_common()
        step("rewriting the index file")
        await erasing.compact(self.database)
        files = await asyncio.to_thread(erasing.erase_files, self.data_dir, logs)
        step("looking for what is left")
        words = await self.database.read(lambda session: erasing.rare(session, known))
        found = await asyncio.to_thread(erasing.files_with, self.data_dir, words)
        left = [
            path.name
            for path, word in found
            if path.name != self.path.name or not await self.database.read(partial(erasing.occurs_in_row, word=word))
        ]
        after = erasing.bytes_in(self.data_dir)
        return erasing.Erasure(known.documents, before, after, tuple(files), len(words), tuple(dict.fromkeys(left)))

    async def prune(self) -> None:
        """Upkeep in short transactions, so that a commit never waits long for it: retention, orphans, search
        index merges, free pages, the WAL."""
        retention = self.files.retention
        await self.database.write(lambda session: expire_history(session, retention))
        await self.database.write(_trim)
        await self.database.write(_merge_segments)
        if await self.settings.get(FORGOTTEN):
            await self._merge_wholly()
            await self.settings.put(FORGOTTEN, "")
        await self.search.keep_common()
        for step in _STEPS_OUTSIDE:
            await self.database.pragma(step)


def _merge_step(session: Session, table: str, pages: int) -> bool:
    """Merge `pages` of a search index, of all its segments when negative; whether more is left to do
    (https://www.sqlite.org/fts5.html, "The 'merge' Command")."""
    before = session.total_changes
    session.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)", (pages,))  # noqa: S608  # ours
    return session.total_changes - before > 1


def _trim(session: Session) -> None:
    session.execute("DELETE FROM changes WHERE seq <= (SELECT max(seq) FROM changes) - ?", (_KEPT_CHANGES,))
    session.execute("DELETE FROM requests WHERE asked < ?", (time.time() - _REQUEST_SECONDS,))
    drop_orphans(session)


def _merge_segments(session: Session) -> None:
    """Merge the search index a little: every commit adds a segment to it, and queries read them all."""
    for table in _FTS_TABLES:
        session.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)", (_MERGE_PAGES,))  # noqa: S608  # ours
