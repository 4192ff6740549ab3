"""Search by meaning in the core: what is embedded and when, what happens when a worker dies, what filters it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.clients.harness import DEADLINE
from support.indexes.embedder import DIMENSIONS
from support.indexes.prepared import file_path, indexed, note, prepare

from sidecar.api import Embedder
from sidecar.search import Searcher, semantic
from sidecar.search.semantic import SemanticSearch
from sidecar.store import Store
from sidecar.toolkit.platform import darwin, linux
from sidecar.workers.pool import WorkerPool

HASHED = Embedder("hashed", "1", DIMENSIONS, "support.indexes.embedder:embed")
MORTAL = Embedder("mortal", "1", DIMENSIONS, "support.indexes.embedder:mortal")
ANIMALS = [
    ("cats.txt", "A cat sleeps all day."),
    ("dogs.txt", "A dog barks at night."),
    ("fish.md", "A trout swims upstream."),
]


class Counting:
    """The worker pool, with what it was asked to embed written down."""

    def __init__(self, pool: WorkerPool) -> None:
        self.pool = pool
        self.embedded: list[str] = []

    async def run(self, target: str, *args: Any, timeout: float = 60.0, pool: str = "tasks") -> Any:
        if target == "sidecar.search.vectors:embed":
            self.embedded += args[1]
        return await self.pool.run(target, *args, timeout=timeout, pool=pool)


@asynccontextmanager
async def world(
    data: Path, embedder: Embedder = HASHED
) -> AsyncGenerator[tuple[Store, SemanticSearch, Counting, Searcher]]:
    store = await Store.open(data)
    pool = WorkerPool(1)
    try:
        await store.files.commit([note(name, text) for name, text in ANIMALS])
        workers = Counting(pool)
        meaning = SemanticSearch(store.embeddings, store.changes, workers, embedder)
        yield store, meaning, workers, Searcher(store.documents, store.search, meaning)
    finally:
        await pool.aclose()
        await store.close()


def always() -> bool:
    return True


async def until(check: Callable[[], Any]) -> None:
    async with asyncio.timeout(DEADLINE):
        while not check():  # noqa: ASYNC110  # what is waited for happens in another process
            await asyncio.sleep(0.01)


def slugs(answer: Any) -> list[str]:
    return [hit.document_slug for hit in answer.hits]


async def test_what_means_the_same_is_found_once_it_is_embedded(tmp_path: Path) -> None:
    async with world(tmp_path) as (_, meaning, workers, searcher):
        before = await searcher.search("kitten")
        assert (before.hits, before.mode) == ((), "lexical")
        assert "kitten" in before.remark
        assert workers.pool.pids() == [], "while nothing is embedded no worker is started"
        assert await meaning.status() == {"done": 0, "total": 3, "model": "hashed", "state": "idle"}
        assert await meaning.embed_missing(always)
        assert await meaning.status() == {"done": 3, "total": 3, "model": "hashed", "state": "idle"}
        after = await searcher.search("kitten sleeps")
        assert (slugs(after)[0], after.mode) == ("cats", "hybrid")
        meant = await searcher.search("kitten")
        assert (slugs(meant)[0], meant.mode) == ("cats", "semantic")


async def test_while_texts_are_being_embedded_an_answer_says_so_and_hides_none_that_words_find(tmp_path: Path) -> None:
    async with world(tmp_path) as (store, meaning, _, searcher):
        assert (await searcher.search("cat")).ranked == "by words; 0 % embedded"
        (newest, text), *_ = await store.embeddings.missing(meaning.model, 1)
        await store.embeddings.put(meaning.model, [(newest, b"\0" * (4 + DIMENSIONS))])
        answer = await searcher.search("day night")
        assert answer.ranked == "by words and meaning; 33 % embedded"
        assert slugs(answer)[:2] == ["cats", "dogs"], text
        assert (await searcher.search_elements("day")).ranked == ""
        await meaning.embed_missing(always)
        await store.embeddings.forget_others("none")
        assert (await searcher.search("cat")).ranked == "by words; 0 % embedded"


async def test_only_changed_text_is_embedded_again(tmp_path: Path) -> None:
    async with world(tmp_path) as (store, meaning, workers, searcher):
        await meaning.embed_missing(always)
        assert len(workers.embedded) == 3
        both = indexed("both.txt", prepare([("Start", [ANIMALS[0][1]]), ("More", ["A second chapter."])]))
        await store.files.commit([note("dogs.txt", "A hound howls."), both])
        await meaning.embed_missing(always)
        again = sorted(text.split("\n")[-1] for text in workers.embedded[3:])
        assert again == ["A hound howls.", "A second chapter."]
        await meaning.embed_missing(always)
        assert len(workers.embedded) == 5
        assert (await meaning.status())["done"] == 5
        hits = (await searcher.search("feline")).hits
        same = {slug for hit in hits for slug in (hit.document_slug, *hit.copies)}
        assert {"cats", "both"} <= same, "the same text, one vector"


async def test_what_was_read_last_is_embedded_first_then_what_was_changed_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic, "BATCH_TEXTS", 1)

    async with world(tmp_path) as (store, meaning, workers, _):
        await store.files.commit(
            [note("old.txt", "Old.", mtime=2), note("new.txt", "New.", mtime=9), note("mid.txt", "Mid.", mtime=5)]
        )
        meaning.wanted("dogs")
        started: list[str] = []

        def may_run() -> bool:
            if len(started) == 2:
                meaning.wanted("fish")  # read while others are being embedded
            started.append("one")
            return True

        assert await meaning.embed_missing(may_run)
        order = [text.split("\n")[-1] for text in workers.embedded]
        assert order[:5] == ["A dog barks at night.", "New.", "Mid.", "A trout swims upstream.", "Old."]
        assert len(order) == 6, "each once"


async def test_the_background_follows_changes_and_drops_what_another_model_left(tmp_path: Path) -> None:
    async with world(tmp_path) as (store, meaning, workers, _):
        await store.embeddings.put("older model 1 4", [(1, b"1234")])
        may = False
        task = asyncio.create_task(meaning.embed_all(lambda: may, look=0.01, pause=0.01))
        await until(lambda: meaning.state == "waiting")
        assert workers.embedded == [], "while files are being read nothing is embedded"
        may = True
        await until(lambda: len(workers.embedded) == 3 and meaning.state == "idle")
        await store.files.commit([note("owls.txt", "An owl hoots.")])
        await until(lambda: len(workers.embedded) == 4 and meaning.state == "idle")

        assert not await store.embeddings.any("older model 1 4")
        assert await store.embeddings.any(meaning.model)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_dead_worker_costs_only_the_meaning_and_only_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    death = tmp_path / "death"
    monkeypatch.setenv("DOCSIDECAR_TEST_DEATH", str(death))

    async with world(tmp_path / "data", MORTAL) as (store, meaning, _, searcher):
        await meaning.embed_missing(always)
        assert slugs(await searcher.search("kitten"))[0] == "cats"
        death.touch()
        answer = await searcher.search("cat sleeps")
        assert (slugs(answer), answer.mode) == (["cats"], "lexical")
        assert "by words alone" in answer.remark
        await store.files.commit([note("owls.txt", "An owl hoots.")])
        task = asyncio.create_task(meaning.embed_all(always, look=0.01, pause=0.01))
        await until(lambda: meaning.state == "failed")
        death.unlink()
        await until(lambda: meaning.state == "idle")
        assert (await meaning.status())["done"] == 4
        answer = await searcher.search("kitten")
        assert (slugs(answer)[0], answer.mode, answer.remark) == ("cats", "semantic", "Nowhere in the texts: kitten.")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "BATCH_TEXTS", 2)

    async with world(tmp_path) as (_, meaning, workers, _):
        assert not await meaning.embed_missing(lambda: len(workers.embedded) < 2)
        assert (await meaning.status())["done"] == 2
        assert await meaning.embed_missing(always)
        assert len(workers.embedded) == 3


async def test_filters_and_quotes_hold_for_meaning_too(tmp_path: Path) -> None:
    asked = {
        "feline type:txt": ["cats", "dogs"],
        "feline type:md": ["fish"],
        "feline -barks": ["cats", "fish"],
        "feline path:nowhere": [],
        "feline before:1969": [],
        '"feline"': [],
        'feline "dog"': ["dogs"],
    }
    async with world(tmp_path) as (_, meaning, _, searcher):
        await meaning.embed_missing(always)
        for query, expected in asked.items():
            assert sorted(slugs(await searcher.search(query))) == expected, query


async def test_removed_and_changed_texts_are_not_found_by_their_old_vectors(tmp_path: Path) -> None:
    async with world(tmp_path) as (store, meaning, _, searcher):
        await meaning.embed_missing(always)
        assert slugs(await searcher.search("kitten"))[0] == "cats"
        await store.files.remove([file_path("cats.txt")])
        assert "cats" not in slugs(await searcher.search("kitten"))


@pytest.mark.parametrize(("profile", "saving"), [("low-power\n", True), ("balanced\n", False), (None, False)])
def test_saving_power_on_linux(tmp_path: Path, profile: str | None, *, saving: bool) -> None:
    path = tmp_path / "platform_profile"
    if profile is not None:
        path.write_text(profile)
    assert linux.is_low_power(str(path)) is saving


@pytest.mark.parametrize(
    ("shown", "saving"), [(" lowpowermode         1\n", True), (" lowpowermode 0\n sleep 1\n", False), ("", False)]
)
def test_saving_power_on_macos(shown: str, *, saving: bool) -> None:
    assert darwin.is_low_power(shown) is saving


async def test_nothing_is_embedded_while_the_machine_saves_power(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saving = True
    monkeypatch.setattr(semantic.system, "saving_power", lambda: saving)

    async with world(tmp_path) as (_, meaning, workers, _):
        task = asyncio.create_task(meaning.embed_all(always, look=0.01, pause=0.01))
        await until(lambda: meaning.state == "paused")
        assert workers.embedded == []
        saving = False
        await until(lambda: meaning.state == "idle")
        assert len(workers.embedded) == 3
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_more_vectors_are_read_than_sqlite_sorts_without_a_file(tmp_path: Path) -> None:
    async with world(tmp_path) as (store, meaning, _, _):
        await store.files.commit([indexed("many.txt", prepare([("All", [f"n{number}" for number in range(30_000)])]))])
        missing = await store.embeddings.missing(meaning.model, 10**6)
        await store.embeddings.put(meaning.model, [(digest, b"\1" * (4 + DIMENSIONS)) for digest, _ in missing])
        assert (await meaning.nearest("cat", 5)).embedded == 30_003
