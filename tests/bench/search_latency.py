"""Latency of search over 100,000 sections made of real sentences, against plain FTS5 on the same index in one run.

usage: search_latency.py [SECTIONS]     (real text: the ir collections of the corpus in DOCSIDECAR_CORPUS)
Each section mixes runs of sentences from three documents. Queries: the collections' own (sentences of 20 words and
more), their three longest words, and one word. "cold" is the first pass over the queries, "warm" the second. Prints
p50 and p90 in ms, the ratio of p50 to plain FTS5 (OR of the words, bm25), how much of the BM25 score of its top ten
ours has, and the resident memory that searching adds.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from store_world import indexed, prepare

from sidecar.search import Searcher, parse_query
from sidecar.store import Store
from sidecar.store.connection import Session
from sidecar.store.ranking import PASSAGES, Terms

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
        await store.commit([
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


async def main() -> None:
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus"))
    source = sentences(corpus)
    if not source:
        sys.exit(f"no collections in {corpus}/ir; set DOCSIDECAR_CORPUS")
    sections = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    asked = [one for one in queries(corpus) if parse_query(one).terms and not parse_query(one).required]
    kinds: dict[str, Callable[[str], str]] = {
        "whole": lambda text: text,
        "3 words": lambda text: " ".join(sorted(re.findall(r"[a-z]+", text.lower()), key=len)[-3:]),
        "1 word": lambda text: max(re.findall(r"[a-z]+", text.lower()), key=len),
    }
    with tempfile.TemporaryDirectory() as scratch:
        store = await Store.open(Path(scratch))
        try:
            begun = time.perf_counter()
            await fill(store, source, sections)
            megabytes = store.path.stat().st_size / 2**20
            print(f"{sections:,} sections in {time.perf_counter() - begun:.0f} s, {megabytes:.0f} MB")
            before = _resident()
            for name, shorten in kinds.items():
                searcher = Searcher(store)
                await measure(store, searcher, name, [shorten(one) for one in asked])
            print(f"resident memory: {before:.0f} MB before the first search, {_resident():.0f} MB at its highest")
        finally:
            await store.close()


async def measure(store: Store, searcher: Searcher, name: str, asked: list[str]) -> None:
    floor: list[float] = []
    kept: list[float] = []
    for query in asked[:40]:
        terms = parse_query(query).terms
        begun = time.perf_counter()
        best = await store.read(plainly(" OR ".join(terms)))
        floor.append(time.perf_counter() - begun)
        ranked = await store.rank(PASSAGES, Terms(terms), 10)
        ours = await store.read(plainly(" OR ".join(terms), [row for row, _ in ranked.rows]))
        if best:
            kept.append(sum(ours.values()) / sum(best.values()))
    plain = statistics.median(floor) * 1000
    store.forget_postings()
    for turn in ("cold", "warm"):
        taken: list[float] = []
        for query in asked:
            begun = time.perf_counter()
            await searcher.search(query)
            taken.append(time.perf_counter() - begun)
        half, most = statistics.median(taken) * 1000, sorted(taken)[int(len(taken) * 0.9)] * 1000
        print(
            f"{name:8} {turn}: p50 {half:5.1f} ms  p90 {most:5.1f} ms  plain FTS5 p50 {plain:5.1f} ms  "
            f"ratio {half / plain:.2f}  BM25 of its top ten kept: {statistics.mean(kept):.1%}"
        )


def _resident() -> float:
    """The highest resident memory so far, in MB (Linux counts kilobytes, macOS bytes)."""
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return highest / (2**20 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    asyncio.run(main())
