"""Writing and reading the store against its floors in the same run: bare sqlite3 with the same FTS5 tables.

usage: store_commit.py [DOCUMENTS]     (default 2000 documents of four passages, 2 kB of text each)
Prints documents/s by batch size, what a transaction of many hops would cost, `files.known` of all files, and the p50 of
one `documents.part` against the same statements on a bare connection.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from support.indexes.prepared import file_path, indexed, prepare

from sidecar.store import Indexed, Store

VOCABULARY = [f"w{number}x" for number in range(20_000)]


def documents(count: int) -> list[Indexed]:
    chance = random.Random(7)

    def text() -> str:
        return " ".join(chance.choices(VOCABULARY, k=80))

    return [indexed(f"d{n}.txt", prepare([(f"Head {n}", [text() for _ in range(4)])])) for n in range(count)]


async def ours(batch: list[Indexed], size: int) -> float:
    with tempfile.TemporaryDirectory() as scratch:
        store = await Store.open(Path(scratch))
        try:
            begun = time.perf_counter()
            for start in range(0, len(batch), size):
                await store.files.commit(batch[start : start + size])
            return time.perf_counter() - begun
        finally:
            await store.close()


def bare(batch: list[Indexed], size: int) -> float:
    """The floor: only the passages and their full-text index, on this thread."""
    with tempfile.TemporaryDirectory() as scratch:
        database = sqlite3.connect(Path(scratch) / "floor.db", isolation_level=None)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute("CREATE TABLE p (id INTEGER PRIMARY KEY, heading TEXT, text TEXT)")
        database.execute(
            "CREATE VIRTUAL TABLE f USING fts5 (heading, text, content='p', content_rowid='id', tokenize='porter')"
        )
        begun = time.perf_counter()
        number = 0
        for start in range(0, len(batch), size):
            rows: list[tuple[int, str, str]] = []
            for item in batch[start : start + size]:
                for passage in item.prepared.passages if item.prepared else ():
                    number += 1
                    rows.append((number, passage.heading, passage.text))
            database.execute("BEGIN IMMEDIATE")
            database.executemany("INSERT INTO p VALUES (?,?,?)", rows)
            database.executemany("INSERT INTO f (rowid, heading, text) VALUES (?,?,?)", rows)
            database.execute("COMMIT")
        seconds = time.perf_counter() - begun
        database.close()
        return seconds


async def median(call: Callable[[], Awaitable[object]], times: int = 1000) -> float:
    taken: list[float] = []
    for _ in range(times):
        begun = time.perf_counter()
        await call()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


async def reads(batch: list[Indexed]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        store = await Store.open(Path(scratch))
        try:
            await store.files.commit(batch)
            begun = time.perf_counter()
            known = await store.files.known()
            seconds = time.perf_counter() - begun
            print(f"known_files: {len(known)} in {seconds * 1000:.1f} ms")
            loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1)
            floor = await loop.run_in_executor(thread, lambda: sqlite3.connect(store.path, isolation_level=None))

            def one_hop() -> Awaitable[object]:
                return loop.run_in_executor(thread, lambda: floor.execute("SELECT 1").fetchall())

            async def many_hops(hops: int = 20) -> None:
                for _ in range(hops):
                    await one_hop()

            await median(one_hop)
            part = await median(lambda: store.documents.part("d7", 1))
            hop = await median(one_hop)
            hops = await median(many_hops, 300)
            await loop.run_in_executor(thread, floor.close)
            thread.shutdown()
            print(f"part: {part * 1e6:.0f} µs; one hop to a thread: {hop * 1e6:.0f} µs; ratio {part / hop:.2f}")
            print(f"a transaction of 20 hops: {hops * 1e6:.0f} µs; ratio to one hop {hops / hop:.1f}")
            edit = await median(lambda: store.files.commit([_edit(batch[7])]), 200)
            print(f"commit of one edited document: {edit * 1000:.2f} ms")
        finally:
            await store.close()


def _edit(item: Indexed, chance: random.Random = random.Random(3)) -> Indexed:  # noqa: B008  # one stream of edits
    name = item.path.rsplit(b"/", 1)[1].decode()
    assert item.path == file_path(name)
    return indexed(name, prepare([("Head 7", [" ".join(chance.choices(VOCABULARY, k=80)), "unchanged"])]))


async def main() -> None:
    batch = documents(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
    for size in (1, 32, 256):
        seconds, floor = await ours(batch, size), bare(batch, size)
        print(
            f"batches of {size}: {len(batch) / seconds:,.0f} documents/s; bare full text {len(batch) / floor:,.0f}; "
            f"ratio {seconds / floor:.2f}"
        )
    await reads(batch)


if __name__ == "__main__":
    asyncio.run(main())
