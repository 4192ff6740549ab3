"""Quality of search on collections with relevance judgements: files, the real pipeline and the real search.

usage: ir_quality.py [--keep DIR] [COLLECTION_DIR …]     (default: ir/* of the corpus in DOCSIDECAR_CORPUS)
A collection holds corpus.jsonl {_id,title,text}, queries.jsonl {_id,text} and qrels/test.tsv. Every text becomes a
Markdown file, is indexed and embedded by the application, and every query is asked through its library; a few are
asked again through the tool `search_documents` on the wire, which must answer alike. Prints nDCG@10, MRR@10 and
recall@100 for plain FTS5 (OR of the words, bm25 as it comes, Porter), for our words, meaning, and both fused.
`--keep` keeps the indexes, so that a second run need not embed again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from mcp.client.client import Client

from sidecar.app import Application, open_application
from sidecar.config import Config, Folder
from sidecar.search import SemanticIndex
from sidecar.server.handlers import Readiness, build_server
from sidecar.server.notifications import Notifier
from sidecar.store.index.finding import passages_by_id

Judged = list[tuple[str, dict[str, int]]]
Documents = list[tuple[str, str, str]]
DEEP = 100
"""recall@100 needs more hits than the tool gives; the library gives them."""
ON_THE_WIRE = 10


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
    return gain / ideal, first, len(set(found[:DEEP]) & set(relevant)) / len(relevant)


async def run(name: str, judged: Judged, ask: Callable[[str], Awaitable[list[str]]]) -> float:
    """Ask every query, print the row, give its nDCG@10."""
    begun = time.perf_counter()
    found = [await ask(query) for query, _ in judged]
    milliseconds = (time.perf_counter() - begun) * 1000 / len(judged)
    scores = [score(one, grades) for one, (_, grades) in zip(found, judged, strict=True)]
    ndcg, mrr, recall = (sum(column) / len(scores) for column in zip(*scores, strict=True))
    print(f"  {name:10} nDCG@10 {ndcg:.4f}  MRR@10 {mrr:.4f}  recall@100 {recall:.4f}  {milliseconds:.1f} ms/query")
    return ndcg


def plain(documents: Documents) -> Callable[[str], Awaitable[list[str]]]:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, title, text, tokenize='porter unicode61')")
    database.executemany("INSERT INTO t VALUES (?,?,?)", documents)

    async def search(query: str) -> list[str]:
        match = " OR ".join(f'"{word}"' for word in sorted(set(re.findall(r"\w+", query.lower()))))
        rows = database.execute("SELECT id FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?", (match, DEEP))
        return [found for (found,) in rows]

    return search


def write_files(documents: Documents, folder: Path) -> dict[str, str]:
    """One Markdown file each; gives slug → id."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (_, title, text) in enumerate(documents):
        path = folder / f"d{number}.md"
        if not path.exists():
            path.write_text(f"# {' '.join(title.split())}\n\n{text}\n", "utf-8")
    return {f"d{number}": one for number, (one, _, _) in enumerate(documents)}


async def measure(folder: Path, scratch: Path) -> None:
    documents, judged = load(folder)
    print(f"{folder.name}: {len(documents)} documents, {len(judged)} queries")
    floor = await run("plain FTS5", judged, plain(documents))
    names = write_files(documents, scratch / "files")
    async with open_application(Config(folders=(Folder(scratch / "files"),), data_dir=scratch / "data")) as application:
        await application.index_once()
        begun = time.perf_counter()
        embedded = await application.embed_once()
        print(f"  {embedded['done']} of {embedded['total']} texts embedded, {time.perf_counter() - begun:.0f} s")

        async def ask(query: str) -> list[str]:
            answer = await application.library.search(query, DEEP)
            return [names[hit.document_slug] for hit in answer.hits]

        meaning, application.searcher.semantic = application.searcher.semantic, None
        assert meaning is not None, "the embedder is not there"
        lexical = await run("words", judged, ask)

        application.searcher.semantic = meaning
        await run("meaning", judged, lambda query: by_meaning(application, meaning, names, query))
        fused = await run("fused", judged, ask)
        print(f"  words / plain FTS5 {lexical / floor:.3f}   fused / words {fused / lexical:.3f}")
        print(f"  the tool answers alike: {await alike(application, judged, names)} of {ON_THE_WIRE}")


async def by_meaning(application: Application, meaning: SemanticIndex, names: dict[str, str], query: str) -> list[str]:
    rows = [row for row, _ in (await meaning.nearest(query, 2 * DEEP)).rows]
    passages = await application.store.database.read(lambda session: passages_by_id(session, rows))
    return list(dict.fromkeys(names[passage.slug] for passage in passages))


async def alike(application: Application, judged: Judged, names: dict[str, str]) -> int:
    """How many of the first queries the tool on the wire answers as the library does."""
    readiness = Readiness()
    readiness.ready(application.backend())
    same = 0
    async with Client(build_server(readiness, Notifier())) as client:
        for query, _ in judged[:ON_THE_WIRE]:
            answer = await client.call_tool("search_documents", {"query": query, "limit": 10})
            assert answer.structured_content is not None
            shown = [hit["document_slug"] for hit in answer.structured_content["results"]]
            hits = (await application.library.search(query)).hits
            same += shown == [hit.document_slug for hit in hits[: len(shown)]] and len(shown) == len(hits)
    return same


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=Path)
    parser.add_argument("collections", nargs="*", type=Path)
    arguments = parser.parse_args()
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus"))
    folders: list[Path] = arguments.collections or sorted((corpus / "ir").glob("*"))
    if not folders:
        sys.exit(f"no collections in {corpus}/ir; set DOCSIDECAR_CORPUS or name their folders")
    for folder in folders:
        with tempfile.TemporaryDirectory() as scratch:
            await measure(folder, (arguments.keep or Path(scratch)).absolute() / folder.name)


if __name__ == "__main__":
    asyncio.run(main())
