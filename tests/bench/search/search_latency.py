"""Latency of search over 100,000 sections made of real sentences, against plain FTS5 on the same index in one run.

usage: search_latency.py [SECTIONS]     (real text: the ir collections of the corpus in DOCSIDECAR_CORPUS)
Each section mixes runs of sentences from three documents. Queries: the collections' own (sentences of 20 words and
more), their three longest words, these with two letters of the longest swapped, and one word. "first" is a pass in
which the process has forgotten before each query what it knew of words, "warm" the pass after it. By words first, also
through the tool `search_documents` on the wire (in memory; validation, snippets and structured content included), then
fused with meaning: queries go through the real embedder in its worker, the vectors searched are random (finding the
nearest costs the same whatever they are). Prints p50 and p90 in ms, the p50 of processor time, the ratio of p50 to
plain FTS5 (OR of the words, bm25), how much of the BM25 score of its top ten ours has, what the machine's load was, and
the resident memory of the serving process before and after, the index having been filled by another. Each row also as
JSON.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import re
import statistics
import struct
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parents[2]))

import psutil
from mcp.client.client import Client
from sidecar_semantic.plugin import DIMENSIONS, SemanticFeature
from support.indexes.prepared import indexed, prepare

from sidecar.api import Embedder
from sidecar.app import open_application
from sidecar.config import Config
from sidecar.search import Searcher, parse_query
from sidecar.search.semantic import SemanticSearch
from sidecar.server.handlers import Readiness, build_server
from sidecar.server.notifications import Notifier
from sidecar.store import Store
from sidecar.store.database.session import Session
from sidecar.store.index.ranking import PASSAGES, Terms
from sidecar.workers.pool import WorkerPool

SECTIONS_A_DOCUMENT = 25


def sentences(corpus: Path) -> list[list[str]]:
    found: list[list[str]] = []
    for path in sorted((corpus / "ir").glob("*/corpus.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            long = [one for one in re.split(r"(?<=[.!?])\s+", row["text"]) if len(one) > 30]
            if long:
                found.append(long)
    return found


def queries(corpus: Path) -> list[str]:
    paths = sorted((corpus / "ir").glob("*/queries.jsonl"))
    texts = [row["text"] for path in paths for row in map(json.loads, path.read_text("utf-8").splitlines())]
    return texts[::3]


def longest_words(text: str) -> str:
    """The three longest words, the longest last."""
    return " ".join(sorted(re.findall(r"[a-z]+", text.lower()), key=len)[-3:])


def swapped(words: str) -> str:
    """The words with two letters near the end of the last one swapped."""
    return words[:-4] + words[-4:-2][::-1] + words[-2:]


async def fill(store: Store, source: list[list[str]], sections: int) -> None:
    chance = random.Random(7)

    def stretch() -> list[str]:
        document = chance.choice(source)
        start = chance.randrange(len(document))
        return document[start : start + 3]

    def chapter() -> tuple[str, list[str]]:
        heading = " ".join(chance.choice(chance.choice(source)).split()[:6])
        return heading, [" ".join((*stretch(), *stretch(), *stretch()))[:1500]]

    for start in range(0, sections // SECTIONS_A_DOCUMENT, 40):
        await store.files.commit([
            indexed(f"doc{number}.txt", prepare([chapter() for _ in range(SECTIONS_A_DOCUMENT)]))
            for number in range(start, min(start + 40, sections // SECTIONS_A_DOCUMENT))
        ])  # fmt: skip
    for _ in range(20):
        await store.prune()


def plainly(expression: str, among: list[int] | None = None) -> Callable[[Session], dict[int, float]]:
    """The ten best passages by SQLite's own BM25 and their scores; or the scores of the passages given."""

    if among is None:
        best = (
            "SELECT rowid, -bm25(passages_fts, 2, 1, 1) AS score FROM passages_fts WHERE passages_fts MATCH ? "
            "ORDER BY score DESC LIMIT 10"
        )
        return lambda session: dict(session.rows(best, (expression,)))
    given = (
        "SELECT rowid, -bm25(passages_fts, 2, 1, 1) FROM passages_fts WHERE passages_fts MATCH ? "
        "AND +rowid IN (SELECT value FROM json_each(?))"
    )
    ids = json.dumps(among)
    return lambda session: dict(session.rows(given, (expression, ids)))


def embedder() -> Embedder:
    """The one the plugin registers."""
    found: list[Embedder] = []
    SemanticFeature().register(SimpleNamespace(embedder=found.append), {})  # pyright: ignore[reportArgumentType]
    return found[0]


async def put_vectors(store: Store, model: str) -> None:
    """A random vector for every text, packed as the embedder's are: float32 scale, int8 values."""
    scale = struct.pack("<f", (DIMENSIONS * 256**2 / 12) ** -0.5)  # so that the length is about 1
    while texts := await store.embeddings.missing(model, 20_000):
        await store.embeddings.put(model, [(digest, scale + os.urandom(DIMENSIONS)) for digest, _ in texts])


def build(scratch: str, corpus: str, sections: int) -> None:
    """Fill the index; in a process of its own, so that its memory is not counted."""

    async def main() -> None:
        store = await Store.open(Path(scratch))
        try:
            await fill(store, sentences(Path(corpus)), sections)
            await put_vectors(store, SemanticSearch(store.embeddings, store.changes, WorkerPool(1), embedder()).model)
        finally:
            await store.close()

    asyncio.run(main())


async def main() -> None:
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus"))
    if not sentences(corpus):
        sys.exit(f"no collections in {corpus}/ir; set DOCSIDECAR_CORPUS")
    sections = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    asked = [one for one in queries(corpus) if parse_query(one).terms and not parse_query(one).required]
    kinds: dict[str, Callable[[str], str]] = {
        "whole": lambda text: text,
        "3 words": longest_words,
        "misspelt": lambda text: swapped(longest_words(text)),
        "1 word": lambda text: max(re.findall(r"[a-z]+", text.lower()), key=len),
    }
    with tempfile.TemporaryDirectory() as scratch:
        begun = time.perf_counter()
        filling = multiprocessing.get_context("spawn").Process(target=build, args=(scratch, str(corpus), sections))
        filling.start()
        filling.join()
        store = await Store.open(Path(scratch))
        pool = WorkerPool(1)
        try:
            megabytes = store.path.stat().st_size / 2**20
            print(f"{sections:,} sections in {time.perf_counter() - begun:.0f} s, {megabytes:.0f} MB; {_load()}")
            before = _resident()
            for name, shorten in kinds.items():
                await measure(
                    store, Searcher(store.documents, store.search), name, "words", [shorten(one) for one in asked]
                )
            between = _resident()
            for name, shorten in kinds.items():
                await through_the_tool(Path(scratch), name, [shorten(one) for one in asked])
            for name, shorten in kinds.items():
                searcher = Searcher(
                    store.documents, store.search, SemanticSearch(store.embeddings, store.changes, pool, embedder())
                )
                begun = time.perf_counter()
                await searcher.search("warm up")
                if name == "whole":
                    print(f"first search by meaning, vectors and model loaded: {time.perf_counter() - begun:.1f} s")
                await measure(store, searcher, name, "fused", [shorten(one) for one in asked])
            worker = sum(psutil.Process(pid).memory_info().rss for pid in pool.pids()) / 2**20
            print(
                f"resident memory of the serving process: {before:.0f} MB before the first search, {between:.0f} MB "
                f"after those by words, {_resident():.0f} MB after those by meaning; the worker has {worker:.0f} MB"
            )
            print(_load())
        finally:
            await pool.aclose()
            await store.close()


async def measure(store: Store, searcher: Searcher, name: str, way: str, asked: list[str]) -> None:
    floor: list[float] = []
    kept: list[float] = []
    ranking: list[float] = []
    for query in asked[:40]:
        terms = parse_query(query).terms
        begun = time.perf_counter()
        best = await store.database.read(plainly(" OR ".join(terms)))
        floor.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        ranked = await store.search.rank(PASSAGES, Terms(terms), 10)
        ranking.append(time.perf_counter() - begun)
        ours = await store.database.read(plainly(" OR ".join(terms), [row for row, _ in ranked.rows]))
        if best:
            kept.append(sum(ours.values()) / sum(best.values()))
    plain = statistics.median(floor) * 1000
    if way == "words":
        print(f"{name}: ranking alone {statistics.median(ranking) * 1000:.1f} ms, plain FTS5 {plain:.1f} ms")
    print_rows(name, way, await timed(searcher.search, store.search.forget, asked), plain, statistics.mean(kept))


async def through_the_tool(data: Path, name: str, asked: list[str]) -> None:
    async with open_application(Config(data_dir=data)) as application:
        application.searcher.semantic = None
        readiness = Readiness()
        readiness.ready(application.backend())
        async with Client(build_server(readiness, Notifier())) as client:

            async def ask(query: str) -> object:
                return await client.call_tool("search_documents", {"query": query})

            print_rows(name, "tool", await timed(ask, application.store.search.forget, asked))


Times = dict[str, tuple[list[float], list[float]]]


async def timed(ask: Callable[[str], Awaitable[object]], forget: Callable[[], None], asked: list[str]) -> Times:
    """For the first and the warm pass what each query took, in ms of time and of this process's processor time."""
    passes: Times = {"first": ([], []), "warm": ([], [])}
    for turn, (taken, worked) in passes.items():
        for query in asked:
            if turn == "first":
                forget()
            begun, busy = time.perf_counter(), time.process_time()
            await ask(query)
            taken.append((time.perf_counter() - begun) * 1000)
            worked.append((time.process_time() - busy) * 1000)
    return passes


def print_rows(name: str, way: str, passes: Times, plain: float = 0.0, kept: float = 0.0) -> None:
    for turn, (taken, worked) in passes.items():
        row: dict[str, object] = {"queries": name, "way": way, "pass": turn}
        row |= {"p50_ms": round(statistics.median(taken), 1), "p90_ms": round(sorted(taken)[int(len(taken) * 0.9)], 1)}
        row["cpu_p50_ms"] = round(statistics.median(worked), 1)
        if plain:
            row |= {"plain_fts5_p50_ms": round(plain, 1), "ratio": round(statistics.median(taken) / plain, 2)}
            row["bm25_kept"] = round(kept, 3)
        print(json.dumps(row), flush=True)


def _load() -> str:
    return f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""


def _resident() -> float:
    """Resident memory of this process now, in MB."""
    return psutil.Process().memory_info().rss / 2**20


if __name__ == "__main__":
    asyncio.run(main())
