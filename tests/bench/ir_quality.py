"""Quality of search on collections with relevance judgements, through Store and Searcher, beside plain FTS5.

usage: ir_quality.py [COLLECTION_DIR …]     (default: ir/* of the corpus in DOCSIDECAR_CORPUS)
A collection holds corpus.jsonl {_id,title,text}, queries.jsonl {_id,text} and qrels/test.tsv. Prints nDCG@10, MRR@10
and recall@100, and the ratio to plain FTS5 (OR of the query's words, bm25 as it comes, Porter stemming).
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from store_world import indexed, prepare

from sidecar.search import Searcher
from sidecar.store import Store

Judged = list[tuple[str, dict[str, int]]]
Documents = list[tuple[str, str, str]]


def load(folder: Path) -> tuple[Documents, Judged]:
    """((id, title, text) …, (query, {id: grade}) …); queries without a relevant document are left out."""
    documents = [
        (row["_id"], row["title"], row["text"])
        for row in map(json.loads, (folder / "corpus.jsonl").read_text("utf-8").splitlines())
    ]
    grades: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels/test.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            grades.setdefault(query, {})[document] = int(grade)
    queries = map(json.loads, (folder / "queries.jsonl").read_text("utf-8").splitlines())
    return documents, [(row["text"], grades[row["_id"]]) for row in queries if row["_id"] in grades]


def score(found: Sequence[str], relevant: dict[str, int]) -> tuple[float, float, float]:
    """(nDCG@10, reciprocal rank@10, recall@100) of one ranking."""
    gain = sum(relevant.get(one, 0) / math.log2(place + 2) for place, one in enumerate(found[:10]))
    ideal = sum(
        grade / math.log2(place + 2) for place, grade in enumerate(sorted(relevant.values(), reverse=True)[:10])
    )
    first = next((1 / (place + 1) for place, one in enumerate(found[:10]) if one in relevant), 0.0)
    return gain / ideal, first, len(set(found[:100]) & set(relevant)) / len(relevant)


def report(name: str, scores: Sequence[tuple[float, float, float]], seconds: float) -> float:
    ndcg, mrr, recall = (sum(column) / len(scores) for column in zip(*scores, strict=True))
    milliseconds = seconds * 1000 / len(scores)
    print(f"  {name:10} nDCG@10 {ndcg:.4f}  MRR@10 {mrr:.4f}  recall@100 {recall:.4f}  {milliseconds:.1f} ms/query")
    return ndcg


def plain(documents: Documents) -> Callable[[str], list[str]]:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, title, text, tokenize='porter unicode61')")
    database.executemany("INSERT INTO t VALUES (?,?,?)", documents)

    def search(query: str) -> list[str]:
        match = " OR ".join(f'"{word}"' for word in sorted(set(re.findall(r"\w+", query.lower()))))
        rows = database.execute("SELECT id FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 100", (match,))
        return [row[0] for row in rows]

    return search


async def measure(folder: Path) -> None:
    documents, judged = load(folder)
    print(f"{folder.name}: {len(documents)} documents, {len(judged)} queries")
    search = plain(documents)
    begun = time.perf_counter()
    floor = report(
        "plain FTS5", [score(search(query), grades) for query, grades in judged], time.perf_counter() - begun
    )
    with tempfile.TemporaryDirectory() as scratch:
        store = await Store.open(Path(scratch))
        try:
            names = {f"d{number}": one for number, (one, _, _) in enumerate(documents)}
            batch = [
                indexed(f"d{number}.txt", prepare([(title, [text])]))
                for number, (_, title, text) in enumerate(documents)
            ]
            await store.commit(batch)
            searcher = Searcher(store)
            begun = time.perf_counter()
            found = [
                [names[hit.document_slug] for hit in (await searcher.search(query, limit=100)).hits]
                for query, _ in judged
            ]
            seconds = time.perf_counter() - begun
        finally:
            await store.close()
    ours = report("lexical", [score(one, grades) for one, (_, grades) in zip(found, judged, strict=True)], seconds)
    print(f"  lexical / plain FTS5: {ours / floor:.3f}")


async def main() -> None:
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus"))
    folders = [Path(argument) for argument in sys.argv[1:]] or sorted((corpus / "ir").glob("*"))
    if not folders:
        sys.exit(f"no collections in {corpus}/ir; set DOCSIDECAR_CORPUS or name their folders")
    for folder in folders:
        await measure(folder)


if __name__ == "__main__":
    asyncio.run(main())
