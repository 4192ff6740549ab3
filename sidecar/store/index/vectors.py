"""Reads embeddings in bulk, in a worker process: synchronous, by path, on a read-only connection of its own."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sidecar.api import StoreError
from sidecar.store.index.embeddings import VECTORS, Kind


class VectorReader:
    """An open index, for as long as the worker lives."""

    def __init__(self, path: str) -> None:
        try:
            self._connection = sqlite3.connect(f"{Path(path).as_uri()}?mode=ro", uri=True, isolation_level=None)
        except sqlite3.Error as error:
            raise StoreError(f"The index {path} cannot be read: {error}.") from error

    def data_version(self) -> int:
        """Changes whenever another connection has committed."""
        return self._connection.execute("PRAGMA data_version").fetchone()[0]

    def signature(self, model: str, kind: Kind) -> tuple[int, ...]:
        """Changes whenever `load` would give something else; costs a tenth of it at most."""
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
        """Row ids and their vectors, one after the other, all of the size the embedder's packing gives."""
        try:
            rows = self._connection.execute(VECTORS[kind] + "ORDER BY t.id", (model,)).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"The embeddings cannot be read: {error}.") from error
        return [row[0] for row in rows], b"".join(row[1] for row in rows)

    def close(self) -> None:
        self._connection.close()
