"""What the index keeps beside documents: named caches, requests between sidecars, embeddings."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.indexes.checks import with_store
from support.indexes.prepared import indexed, note, prepare

from sidecar.api import Cache, Element, UnavailableError
from sidecar.store import Reply, Store
from sidecar.store.index.embeddings import VectorReader


def a_cache(store: Store, name: str = "pictures", **limits: float) -> Cache:
    bounds = {"max_entries": 3, "max_bytes": 1000, "max_age": 3600.0} | limits
    return store.caches.open(
        name, max_entries=int(bounds["max_entries"]), max_bytes=int(bounds["max_bytes"]), max_age=bounds["max_age"]
    )


async def test_a_cache_gives_back_what_was_put_and_survives_a_restart(tmp_path: Path) -> None:
    async def fill(store: Store) -> None:
        entry = await a_cache(store).put("k", b"bytes", {"pages": 2})
        assert (entry.key, entry.size, entry.metadata) == ("k", 5, {"pages": 2})

    async def again(store: Store) -> None:
        found = await a_cache(store).get("k")
        assert found is not None
        assert (found[1], found[0].metadata) == (b"bytes", {"pages": 2})
        assert await a_cache(store, "another").get("k") is None
        assert await a_cache(store).delete("k") is True
        assert await a_cache(store).delete("k") is False
        assert await a_cache(store).get("k") is None

    await with_store(tmp_path, fill)
    await with_store(tmp_path, again)


async def test_a_cache_keeps_its_bounds_least_recently_used_first_out(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        cache = a_cache(store)
        for key in "abcd":
            await cache.put(key, key.encode() * 100)
        assert [entry.key for entry in await cache.entries()] == ["d", "c", "b"]
        await cache.put("big", b"x" * 850)
        assert [entry.key for entry in await cache.entries()] == ["big", "d"]
        await cache.put("huge", b"x" * 1001)
        assert await cache.get("huge") is None
        assert await cache.clear(older_than=3600) == 0
        assert await cache.clear() == 2
        old = a_cache(store, "old", max_age=-1.0)
        await old.put("k", b"x")
        assert await old.get("k") is None
        assert await old.entries() == ()

    await with_store(tmp_path, body)


async def test_equal_bytes_are_stored_once_and_go_with_their_last_entry(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        one, other = a_cache(store, "one"), a_cache(store, "other")
        await one.put("a", b"same")
        await other.put("b", b"same")
        assert await store.database.read(lambda session: session.one("SELECT count(*) FROM blobs")) == 1
        await one.clear()
        found = await other.get("b")
        assert found is not None
        assert found[1] == b"same"
        await other.put("b", b"different")
        assert await store.database.read(lambda session: session.rows("SELECT data FROM blobs")) == [(b"different",)]

    await with_store(tmp_path, body)


async def test_a_request_is_answered_by_the_holder_and_withdrawn_when_it_is_not(tmp_path: Path) -> None:
    holder, follower = await Store.open(tmp_path), await Store.open(tmp_path)
    try:
        asking = asyncio.create_task(follower.requests.ask("index", b"/a/b.txt", timeout=180))
        async with asyncio.timeout(180):
            while not (requests := await holder.requests.open()):
                await holder.changes.data_version()  # a round through the database, which lets the other one write
        assert [(one.kind, one.path) for one in requests] == [("index", b"/a/b.txt")]
        await holder.requests.answer(requests[0], Reply(slug="b"))
        assert await asking == Reply(slug="b")
        with pytest.raises(UnavailableError, match="did not answer"):
            await follower.requests.ask("index", b"/a/c.txt", timeout=0.0)
        assert await holder.requests.open() == []
    finally:
        await holder.close()
        await follower.close()


async def test_embeddings_follow_texts_not_rows(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        figure = Element(type="figure", label="Figure 1", part=1, caption="A map")
        await store.files.commit([indexed("a.txt", prepare([("One", ["first", "second"])], elements=[figure]))])
        missing = await store.embeddings.missing("m", 10)
        assert [text for _, text in missing] == ["One\nfirst", "One\nsecond", "Figure 1\nA map"]
        await store.embeddings.put("m", [(digest, text.encode()) for digest, text in missing])
        assert await store.embeddings.missing("m", 10) == []
        assert await store.embeddings.counts("m") == (3, 3)
        assert await store.embeddings.counts("n") == (0, 3)
        reader = VectorReader(str(store.path))
        rows, vectors = reader.load("m", "passage")
        assert len(rows) == 2
        assert rows == sorted(rows)
        assert vectors == b"One\nfirst" + b"One\nsecond"
        assert reader.load("m", "element")[1] == b"Figure 1\nA map"
        reader.close()
        # an edit asks for what is new only; a copy under another name asks for nothing
        await store.files.commit([indexed("a.txt", prepare([("One", ["second", "third"])])), note("b.txt", "x")])
        assert {text for _, text in await store.embeddings.missing("m", 10)} == {"One\nthird", "Start\nx"}
        await store.prune()
        kept = await store.database.read(lambda session: session.rows("SELECT vector FROM embeddings"))
        assert kept == [(b"One\nsecond",)]
        await store.embeddings.forget_others("other")
        assert await store.embeddings.counts("m") == (0, 3)

    await with_store(tmp_path, body)
