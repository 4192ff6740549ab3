"""`api.Cache` in the index: entries by name and key, their bytes once by SHA-256, bounded by count, bytes and age.

Reading takes the bytes out whole, so an entry evicted meanwhile does not concern its reader. Times of use are written
at most once a minute an entry, to keep reads from becoming writes."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from sidecar.api import CacheEntry, StoreError
from sidecar.store.database.pool import Pool
from sidecar.store.database.session import Session

logger = logging.getLogger(__name__)

_ENTRY = "SELECT key, size, created, used, metadata FROM cache WHERE name = ? "
_DELETE = "DELETE FROM cache WHERE "
_USED_SECONDS = 60.0


class StoredCache:
    """One named cache. `max_age` in seconds since an entry was put."""

    def __init__(self, database: Pool, name: str, *, max_entries: int, max_bytes: int, max_age: float) -> None:
        self._database = database
        self._name = name
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._max_age = max_age
        self._uses: dict[str, float] = {}
        """Uses not written yet; they count when something must go."""

    async def get(self, key: str) -> tuple[CacheEntry, bytes] | None:
        """See `api.Cache.get`."""
        now = time.time()
        found: tuple[CacheEntry, bytes] | None = await self._database.read(
            lambda session: _get(session, self._name, key, now - self._max_age)
        )
        if found is not None and now - found[0].used > _USED_SECONDS and not self._database.read_only:
            with contextlib.suppress(StoreError):  # a full disk
                await self._database.write(lambda session: _use(session, self._name, key, now))
        elif found is not None:
            self._uses[key] = now
        return found

    async def put(self, key: str, data: bytes, metadata: Mapping[str, Any] | None = None) -> CacheEntry:
        """Keep the bytes. An entry larger than the whole cache is given back without being kept."""
        now = time.time()
        entry = CacheEntry(key, len(data), now, now, dict(metadata or {}))
        if len(data) <= self._max_bytes and not self._database.read_only:
            digest = hashlib.sha256(data).hexdigest()
            uses, self._uses = self._uses, {}
            await self._database.write(lambda session: self._put(session, entry, digest, data, uses))
        return entry

    async def try_put(self, key: str, data: bytes, metadata: Mapping[str, Any] | None = None) -> None:
        """See `api.Cache.try_put`."""
        try:
            await self.put(key, data, metadata)
        except StoreError as error:
            logger.warning("what was read just now cannot be kept in the cache %s: %s", self._name, error)

    async def entries(self) -> tuple[CacheEntry, ...]:
        """See `api.Cache.entries`."""
        oldest = time.time() - self._max_age
        return await self._database.read(
            lambda session: tuple(
                _entry(row)
                for row in session.named(_ENTRY + "AND created >= ? ORDER BY created DESC, key", (self._name, oldest))
            )
        )

    async def clear(self, older_than: float | None = None) -> int:
        """See `api.Cache.clear`."""
        before = time.time() - older_than if older_than is not None else float("inf")
        return await self._database.write(
            lambda session: _delete(session, "name = ? AND created <= ?", (self._name, before))
        )

    async def delete(self, key: str) -> bool:
        """See `api.Cache.delete`."""
        return bool(
            await self._database.write(lambda session: _delete(session, "name = ? AND key = ?", (self._name, key)))
        )

    def _put(self, session: Session, entry: CacheEntry, digest: str, data: bytes, uses: Mapping[str, float]) -> None:
        for key, used in uses.items():
            _use(session, self._name, key, used)
        _delete(
            session, "name = ? AND (key = ? OR created < ?)", (self._name, entry.key, entry.created - self._max_age)
        )
        session.execute("INSERT INTO blobs VALUES (?, ?) ON CONFLICT DO NOTHING", (digest, data))
        session.execute(
            "INSERT INTO cache VALUES (?,?,?,?,?,?,?)",
            (self._name, entry.key, digest, entry.size, entry.created, entry.used,
             msgspec.msgpack.encode(entry.metadata)),
        )  # fmt: skip
        kept, total = 0, 0
        for key, size in session.rows(
            "SELECT key, size FROM cache WHERE name = ?1 ORDER BY key = ?2 DESC, used DESC, created DESC",
            (self._name, entry.key),
        ):
            kept, total = kept + 1, total + size
            if kept > self._max_entries or total > self._max_bytes:
                total -= size
                _delete(session, "name = ? AND key = ?", (self._name, key))


def _get(session: Session, name: str, key: str, oldest: float) -> tuple[CacheEntry, bytes] | None:
    rows = session.named(
        "SELECT c.key, c.size, c.created, c.used, c.metadata, b.data FROM cache c JOIN blobs b USING (sha256) "
        "WHERE c.name = ? AND c.key = ? AND c.created >= ?",
        (name, key, oldest),
    )
    return next(((_entry(row), row["data"]) for row in rows), None)


def _use(session: Session, name: str, key: str, now: float) -> None:
    session.execute("UPDATE cache SET used = ? WHERE name = ? AND key = ?", (now, name, key))


def _delete(session: Session, where: str, values: tuple[Any, ...]) -> int:
    """Delete entries and the blobs nothing else holds."""
    gone = session.rows(f"{_DELETE}{where} RETURNING sha256", values)
    session.executemany(
        "DELETE FROM blobs WHERE sha256 = ?1 AND NOT EXISTS (SELECT 1 FROM cache WHERE sha256 = ?1)", gone
    )
    return len(gone)


def _entry(row: Any) -> CacheEntry:
    metadata = msgspec.msgpack.decode(row["metadata"])
    return CacheEntry(row["key"], row["size"], row["created"], row["used"], metadata)
