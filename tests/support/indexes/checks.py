"""What must hold of an index after any write: SQLite's own checks, and that both search indexes fit their contents."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from sidecar.store import Store
from sidecar.store.database.session import Session


def _verify(session: Session) -> None:
    assert session.rows("PRAGMA integrity_check") == [("ok",)]
    assert session.rows("PRAGMA foreign_key_check") == []
    # rank 1 compares an index with its content table; raises "malformed" when they differ
    session.execute("INSERT INTO passages_fts (passages_fts, rank) VALUES ('integrity-check', 1)")
    session.execute("INSERT INTO element_fts (element_fts, rank) VALUES ('integrity-check', 1)")
    named = session.rows("SELECT rowid FROM names_fts ORDER BY rowid")
    assert named == session.rows("SELECT id FROM files WHERE slug IS NOT NULL ORDER BY id")
    shown = {version for (version,) in session.rows("SELECT version_id FROM files WHERE version_id IS NOT NULL")}
    held = shown | {version for (version,) in session.rows("SELECT version_id FROM history")}
    assert {version for (version,) in session.rows("SELECT version_id FROM passages")} <= shown
    assert {version for (version,) in session.rows("SELECT version_id FROM element_texts")} <= shown
    assert {version for (version,) in session.rows("SELECT id FROM versions")} == held
    assert session.rows("SELECT sha256 FROM blobs WHERE sha256 NOT IN (SELECT sha256 FROM cache)") == []


async def verify(store: Store) -> None:
    await store.database.write(_verify)


async def with_store(data_dir: Path, body: Callable[[Store], Awaitable[None]], *, retention: int = 3) -> None:
    """Run `body` on an opened store; afterwards the index must be sound."""
    store = await Store.open(data_dir, retention=retention)
    try:
        await body(store)
        await verify(store)
    finally:
        await store.close()
