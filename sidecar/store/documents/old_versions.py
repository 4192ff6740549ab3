"""Former versions of documents: which one there was at a time, which are kept, and what went since.

The rows are `writing`'s; a former version is read by its doc_id like any other (`reading`)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime, timedelta

from sidecar.api import RemovedDocument
from sidecar.store.database.session import Session
from sidecar.store.documents.contents import drop_if_unused
from sidecar.store.documents.paths import fold, shown
from sidecar.store.documents.reading import parts, resolve
from sidecar.store.documents.views import Compared, PartsView

_SECOND_NS = 10**9
_REMOVED_SHOWN = 10
_REMOVED_SECONDS = 7 * 86_400.0
"""How long the versions of a document that was removed stay readable by doc_id."""
_SETTLED_SECONDS = 3600.0
"""A version counts for that of a day's beginning if its document had been in the index for this long."""


def compared(session: Session, doc: str, since: int | str | None) -> Compared:
    """The version that `doc` names, and the one before it: the last (None), that of the time `since` (ns since the
    epoch), or that of a doc_id, which may be another document's. Raises NotFoundError."""
    now = resolve(session, doc)
    if isinstance(since, str):
        return Compared(now, resolve(session, since))
    added = session.one("SELECT added FROM files WHERE slug = ?", (now.slug,)) or 0.0
    upto = 2**62 if now.current else session.one("SELECT max(id) FROM history WHERE version_id = ?", (now.id,))
    former = (
        "SELECT v.doc_id, h.ended FROM history h JOIN versions v ON v.id = h.version_id WHERE h.slug = ? AND h.id < ? "
    )
    if since is None:
        rows = session.rows(former + "AND v.id != ? ORDER BY h.id DESC LIMIT 1", (now.slug, upto, now.id))
    else:
        rows = session.rows(former + "AND h.ended > ? ORDER BY h.id LIMIT 1", (now.slug, upto, since / _SECOND_NS))
    for doc_id, ended in rows:
        return Compared(now, resolve(session, doc_id), ended, added)
    return Compared(now, None, added=added)


def compared_parts(session: Session, doc: str, since: int | str | None) -> tuple[Compared, PartsView, PartsView | None]:
    """The same with the parts of both."""
    found = compared(session, doc, since)
    former = None if found.before is None else parts(session, found.before.doc_id)
    return found, parts(session, found.now.doc_id), former


def removed(session: Session, since: int, places: Sequence[str], suffixes: Sequence[str]) -> list[RemovedDocument]:
    """Documents that went since then (ns since the epoch) and are kept, the latest first; of those whose path holds one
    of `places` and has one of the `suffixes`, where any are given."""
    rows = session.rows(
        "SELECT h.name, v.doc_id, max(h.ended), h.path FROM history h JOIN versions v ON v.id = h.version_id "
        "WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.slug = h.slug) AND h.ended >= ? "
        "GROUP BY h.slug ORDER BY 3 DESC, h.slug",
        (since / _SECOND_NS,),
    )
    found = [(RemovedDocument(name, doc_id, shown(path)), fold(shown(path) or name)) for name, doc_id, _, path in rows]
    return [
        one
        for one, path in found
        if all(fold(place) in path for place in places) and (not suffixes or path.rpartition(".")[2] in suffixes)
    ][:_REMOVED_SHOWN]


def expire(session: Session, slug: str, retention: int) -> None:
    """Let go of a document's versions beyond the retention, oldest first. With any retention, those are kept too that
    it had when today and yesterday began, however often it was saved since."""
    old = session.rows(
        "SELECT id, version_id, ended, coalesce("
        "(SELECT max(ended) FROM history o WHERE o.slug = h.slug AND o.id < h.id), "
        "(SELECT added FROM files WHERE files.slug = h.slug)) FROM history h WHERE slug = ?1 AND id NOT IN "
        "(SELECT id FROM history WHERE slug = ?1 ORDER BY id DESC LIMIT ?2)",
        (slug, retention),
    )
    began = _beginnings() if retention else ()
    for row, version, ended, since in old:
        if any(since is not None and since + _SETTLED_SECONDS < day <= ended for day in began):
            continue
        session.execute("DELETE FROM history WHERE id = ?", (row,))
        drop_if_unused(session, version)


def expire_history(session: Session, retention: int) -> None:
    """Let go of history beyond the retention (it may have been lowered), and of that of documents long gone."""
    for (slug,) in session.rows("SELECT slug FROM history GROUP BY slug HAVING count(*) > ?", (retention,)):
        expire(session, slug, retention)
    gone = session.rows(
        "SELECT slug FROM history GROUP BY slug HAVING max(ended) < ? AND NOT EXISTS "
        "(SELECT 1 FROM files WHERE files.slug = history.slug)",
        (time.time() - _REMOVED_SECONDS,),
    )
    for (slug,) in gone:
        expire(session, slug, 0)


def _beginnings() -> tuple[float, float]:
    """When today and yesterday began in local time, in seconds since the epoch."""
    today = datetime.now().replace(hour=0, minute=0, second=0, microsecond=0)  # noqa: DTZ005  # local time is meant
    return today.timestamp(), (today - timedelta(days=1)).timestamp()
