"""One data directory's index, open: its life, its housekeeping, and the ports the other rooms use."""

from __future__ import annotations

from pathlib import Path

from sidecar.store.database import upkeep
from sidecar.store.database.pool import Pool
from sidecar.store.ports import Caches, ChangeFeed, Documents, Embeddings, Files, Requests, SearchIndex, Settings


class Store:
    """Use `open`. Whoever needs one port only takes that one."""

    def __init__(self, database: Pool, retention: int) -> None:
        self.database = database
        self.path = database.path
        self.data_dir = database.path.parent
        self.remark = database.remark
        """ "" or one sentence about what happened at opening (a damaged index was set aside), to show the user."""
        self.documents = Documents(database)
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

        `retention` is how many former versions of a document stay readable by doc_id.
        """
        return cls(await Pool.open(data_dir / "index.db", readers), retention)

    async def close(self) -> None:
        """Close every connection and its thread; shielded from cancellation, may be called twice."""
        await self.database.close()

    async def prune(self) -> None:
        """Housekeeping in short transactions: retention, orphans, search index merges, free pages, the WAL."""
        retention = self.files.retention
        await self.database.write(lambda session: upkeep.retention(session, retention))
        await self.database.write(upkeep.feed)
        await self.database.write(upkeep.merge_search)
        await self.search.keep_common()
        for step in upkeep.STEPS_OUTSIDE:
            await self.database.pragma(step)
