"""Housekeeping in small bites: each function is one short transaction, so that a commit never waits long for it."""

from __future__ import annotations

import time

from sidecar.store.database.connection import Session
from sidecar.store.documents.writing import expire
from sidecar.store.index.embeddings import drop_orphans

KEPT_CHANGES = 10_000
"""Rows of the change feed that stay; a sidecar further behind lists everything anew."""
REMOVED_SECONDS = 7 * 86_400.0
"""How long the versions of a document that was removed stay readable by doc_id."""
REQUEST_SECONDS = 3600.0
_MERGE_PAGES = 500
_FREE_PAGES = 2000


def retention(session: Session, keep: int) -> None:
    """History beyond the retention (it may have been lowered), and that of documents gone for a week."""
    for (slug,) in session.rows("SELECT slug FROM history GROUP BY slug HAVING count(*) > ?", (keep,)):
        expire(session, slug, keep)
    gone = session.rows(
        "SELECT slug FROM history GROUP BY slug HAVING max(ended) < ? AND NOT EXISTS "
        "(SELECT 1 FROM files WHERE files.slug = history.slug)",
        (time.time() - REMOVED_SECONDS,),
    )
    for (slug,) in gone:
        expire(session, slug, 0)


def feed(session: Session) -> None:
    session.execute("DELETE FROM changes WHERE seq <= (SELECT max(seq) FROM changes) - ?", (KEPT_CHANGES,))
    session.execute("DELETE FROM requests WHERE asked < ?", (time.time() - REQUEST_SECONDS,))
    drop_orphans(session)


def merge_search(session: Session) -> None:
    """Merge the search index a little: every commit adds a segment to it, and queries read them all."""
    session.execute("INSERT INTO passages_fts (passages_fts, rank) VALUES ('merge', ?)", (_MERGE_PAGES,))
    session.execute("INSERT INTO element_fts (element_fts, rank) VALUES ('merge', ?)", (_MERGE_PAGES,))
    session.execute("INSERT INTO names_fts (names_fts, rank) VALUES ('merge', ?)", (_MERGE_PAGES,))


STEPS_OUTSIDE = (f"PRAGMA incremental_vacuum({_FREE_PAGES})", "PRAGMA optimize", "PRAGMA wal_checkpoint(TRUNCATE)")
"""What SQLite does not allow inside a transaction."""
