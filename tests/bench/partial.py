"""Search while texts are being embedded: quality at every share embedded, beside words alone.

usage: partial.py --keep DIR [--questions DIR]
Works on the indexes that `ir_quality.py --keep DIR` and, for questions over mixed documents, `questions.py --keep DIR`
have left. For each share a copy of the index keeps the vectors of so many texts, the first in the order in which the
application embeds them, and every query is asked through the searcher with the limit of the tool (10 hits). Prints
nDCG@10 on each collection, and MRR@10, success@1 and success@3 of the questions.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))

import ablation
import questions
from search_latency import embedder

from sidecar.search import Searcher
from sidecar.search.semantic import SemanticSearch
from sidecar.store import Store
from sidecar.store.database.session import Session
from sidecar.workers.pool import WorkerPool

SHARES = (0, 1, 5, 10, 25, 50, 75, 90, 99, 100)
"""Per cent of the texts."""


async def keep_first(store: Store, model: str, share: int) -> None:
    """Drop the vectors of all texts but the first `share` per cent, in the order the application embeds them."""

    def take(session: Session) -> dict[int, bytes]:
        vectors = dict(session.rows("SELECT digest, vector FROM embeddings WHERE model = ?", (model,)))
        session.execute("DELETE FROM embeddings")
        return vectors

    vectors = await store.database.write(take)
    order = [digest for digest, _ in await store.embeddings.missing(model, 10**9)]
    first = order[: round(share * len(order) / 100)]
    await store.embeddings.put(model, [(digest, vectors[digest]) for digest in first if digest in vectors])


async def scores(data: Path, share: int, collection: Path | None) -> list[float]:
    """What each query is worth with `share` per cent embedded; -1 stands for words alone."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copytree(data, Path(scratch) / "data"))
        store = await Store.open(copy)
        pool = WorkerPool(1)  # a worker keeps every index open that it was asked of
        try:
            semantic = SemanticSearch(store.embeddings, store.changes, pool, embedder())
            if share >= 0:
                await keep_first(store, semantic.model, share)
            searcher = Searcher(store.documents, store.search, semantic if share >= 0 else None)
            asked = ablation.natural(searcher) if collection is None else ablation.judged(collection, searcher)
            return await asked.scores()
        finally:
            await pool.aclose()
            await store.close()


async def measure(name: str, data: Path, collection: Path | None) -> None:
    words = await scores(data, -1, collection)
    print(f"{name}: words alone {mean(words):.4f}  {'' if collection else _successes(words)}")
    for share in SHARES:
        found = await scores(data, share, collection)
        ratio = f"{mean(found) / mean(words):.3f} × words"
        shown = "" if collection else _successes(found)
        print(f"  {share:3} % embedded  {mean(found):.4f}  {ratio}  {shown}", flush=True)


def _successes(reciprocal: list[float]) -> str:
    return questions.successes([round(1 / one) if one else 0 for one in reciprocal])


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--questions", type=Path)
    arguments = parser.parse_args()
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus"))
    for folder in sorted((corpus / "ir").glob("*")):
        if (arguments.keep / folder.name / "data").is_dir():
            await measure(folder.name, arguments.keep / folder.name / "data", folder)
    if arguments.questions is not None:
        await measure("questions (MRR@10)", arguments.questions, None)


if __name__ == "__main__":
    asyncio.run(main())
