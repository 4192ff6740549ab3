"""Embeddings of passages and elements, kept under (model, digest of the text): an edit re-embeds only what it changed.

`model` names embedder, version and dimensions together; vectors are opaque bytes here. A worker process reads them in
bulk with `VectorReader`, by path, without the store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from sidecar.api import StoreError
from sidecar.store.database.opening import connect, identity
from sidecar.store.database.session import Session

Kind = Literal["passage", "element"]

_TEXTS: dict[Kind, str] = {
    "passage": "SELECT t.digest, trim(t.heading || char(10) || t.text, char(10) || ' ') FROM passages t ",
    "element": (
        "SELECT t.digest, trim(t.label || char(10) || t.caption || char(10) || t.context || char(10) || t.text, "
        "char(10) || ' ') "
        "FROM element_texts t "
    ),
}
_COUNTS = ("SELECT count(*) FROM passages t ", "SELECT count(*) FROM element_texts t ")
_MISSING = "WHERE NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.model = ? AND e.digest = t.digest) "
_DATED = (
    "WITH named AS (SELECT key, value FROM json_each(?)), dated AS ("
    "SELECT f.version_id, max(f.mtime_ns) AS changed, "
    "max((SELECT coalesce(max(n.key), -1) FROM named n WHERE n.value IN (f.slug, v.doc_id))) AS named "
    "FROM files f JOIN versions v ON v.id = f.version_id GROUP BY f.version_id) "
)
_ORDER = "GROUP BY t.digest ORDER BY max(d.named) DESC, max(d.changed) DESC, max(t.version_id) DESC, min(t.id) LIMIT ?"
_ORDERED: dict[Kind, str] = {
    # Ids alone are sorted; texts are fetched for those that are wanted.
    "passage": f"{_DATED} SELECT min(t.id) FROM passages t JOIN dated d USING (version_id) {_MISSING} {_ORDER}",  # noqa: S608
    "element": f"{_DATED} SELECT min(t.id) FROM element_texts t JOIN dated d USING (version_id) {_MISSING} {_ORDER}",  # noqa: S608
}
_VECTORS: dict[Kind, str] = {
    "passage": "SELECT t.id, e.vector FROM passages t JOIN embeddings e ON e.model = ? AND e.digest = t.digest ",
    "element": "SELECT t.id, e.vector FROM element_texts t JOIN embeddings e ON e.model = ? AND e.digest = t.digest ",
}


def missing(session: Session, model: str, limit: int = 256, first: Sequence[str] = ()) -> list[tuple[int, str]]:
    """Up to `limit` (digest, text) that the model has not embedded, each once: passages before elements; those of the
    documents `first` (slugs or doc_ids) before others, the last of them first; then by when their file was changed."""
    named = json.dumps(list(first))
    found: dict[int, str] = {}
    for kind, texts in _TEXTS.items():
        if len(found) < limit:
            rows = session.rows(_ORDERED[kind], (named, model, limit - len(found)))
            for (row,) in rows:
                found.update(session.rows(texts + "WHERE t.id = ?", (row,)))
    return list(found.items())


def put(session: Session, model: str, rows: Sequence[tuple[int, bytes]]) -> None:
    """Keep vectors by digest, as the embedder encodes them."""
    session.executemany(
        "INSERT INTO embeddings VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET vector = ?3",
        [(model, digest, vector) for digest, vector in rows],
    )


def any_put(session: Session, model: str) -> bool:
    """Whether the model has embedded anything yet."""
    return bool(session.one("SELECT EXISTS (SELECT 1 FROM embeddings WHERE model = ?)", (model,)))


def counts(session: Session, model: str) -> tuple[int, int]:
    """(texts embedded, texts in all), passages and elements together."""
    total = session.one("SELECT (SELECT count(*) FROM passages) + (SELECT count(*) FROM element_texts)")
    left = sum(session.one(count + _MISSING, (model,)) for count in _COUNTS)
    return total - left, total


def drop_orphans(session: Session) -> None:
    """Drop the embeddings of texts that are gone."""
    session.execute(
        "DELETE FROM embeddings WHERE NOT EXISTS (SELECT 1 FROM passages p WHERE p.digest = embeddings.digest) "
        "AND NOT EXISTS (SELECT 1 FROM element_texts t WHERE t.digest = embeddings.digest)"
    )


def forget_models(session: Session, keep: str) -> None:
    """Drop every other model's embeddings."""
    session.execute("DELETE FROM embeddings WHERE model <> ?", (keep,))


class VectorReader:
    """Reads embeddings in bulk on a read-only connection of its own, for as long as a worker lives; synchronous."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._identity = identity(self._path)
        self._openings = 0
        self._connection = self._connect()

    def _connect(self) -> Session:
        try:
            # In memory: ten thousand vectors are more than SQLite sorts without a temporary file, which a worker may
            # not make.
            return connect(self._path, writer=False)
        except sqlite3.Error as error:
            raise StoreError(f"The index {self._path} cannot be read: {error}.") from error

    def data_version(self) -> int:
        """Changes whenever another connection has committed, or another file has taken the index's place."""
        if (now := identity(self._path)) != self._identity:
            self._connection.close()
            self._connection, self._identity = self._connect(), now
            self._openings += 1
        return self._connection.one("PRAGMA data_version") + (self._openings << 32)

    def signature(self, model: str, kind: Kind) -> tuple[int, ...]:
        """Changes whenever `load` would give something else; costs a tenth of it at most. Raises StoreError."""
        table = "passages" if kind == "passage" else "element_texts"
        try:
            return self._connection.execute(
                "SELECT (SELECT coalesce(max(seq), 0) FROM changes), "
                "(SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ?), "
                "(SELECT count(*) FROM embeddings WHERE model = ?)",
                (table, model),
            ).fetchone()
        except sqlite3.Error as error:
            raise StoreError(f"The embeddings cannot be read: {error}.") from error

    def load(self, model: str, kind: Kind) -> tuple[list[int], bytes]:
        """Row ids and their vectors, one after the other, all of the size the embedder's packing gives. Raises
        StoreError."""
        try:
            rows = self._connection.execute(_VECTORS[kind] + "ORDER BY t.id", (model,)).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"The embeddings cannot be read: {error}.") from error
        return [row for row, _ in rows], b"".join(vector for _, vector in rows)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
