"""Search while texts are being embedded: quality at every share embedded, beside words alone.

usage: partial.py --keep DIR [--questions DIR]
Works on the indexes that `ir_quality.py --keep DIR` and, for questions over mixed documents, `questions.py --keep DIR`
have left. For each share a copy of the index keeps the vectors of so many texts, the first in the order in which the
application embeds them, and every query is asked through the searcher with the limit of the tool (10 hits). Then the
same after changes: so many documents, drawn by a fixed seed, were just changed, so that their texts have no vector yet.
Prints nDCG@10 on each collection, and MRR@10, success@1 and success@3 of the questions; what is below words alone is
marked with an exclamation mark.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[2]))

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
CHANGED = (1, 5, 10, 25, 50)
"""Per cent of the documents."""
_SEED = 11


async def forget_changed(store: Store, model: str, share: int) -> None:
    """Drop the vectors of all texts of `share` per cent of the documents, and of no other."""

    def drop(session: Session) -> None:
        versions = [version for (version,) in session.rows("SELECT DISTINCT version_id FROM files ORDER BY 1")]
        for version in random.Random(_SEED).sample(versions, round(share * len(versions) / 100)):
            for table in ("passages", "element_texts"):
                session.execute(
                    "DELETE FROM embeddings WHERE model = ? AND digest IN "
                    f"(SELECT digest FROM {table} WHERE version_id = ?)",
                    (model, version),
                )

    await store.database.write(drop)


Prepare = Callable[[Store, str], Awaitable[None]]
"""Leaves an index with the vectors of the model that a measurement wants."""


async def scores(data: Path, collection: Path | None, prepare: Prepare | None) -> list[float]:
    """What each query is worth, with the vectors that `prepare` leaves; by words alone without it."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copytree(data, Path(scratch) / "data"))
        store = await Store.open(copy)
        pool = WorkerPool(1)  # a worker keeps every index open that it was asked of
        try:
            semantic = SemanticSearch(store.embeddings, store.changes, pool, embedder())
            if prepare is not None:
                await prepare(store, semantic.model)
            searcher = Searcher(store.documents, store.search, semantic if prepare is not None else None)
            asked = ablation.natural(searcher) if collection is None else ablation.judged(collection, searcher)
            return await asked.scores()
        finally:
            await pool.aclose()
            await store.close()


async def measure(name: str, data: Path, collection: Path | None) -> None:
    words = await scores(data, collection, None)
    print(f"{name}: words alone {mean(words):.4f}  {'' if collection else _successes(words)}")
    ways = [(f"{share:3} % embedded", questions.keep_first, share) for share in SHARES]
    ways += [(f"{share:3} % changed ", forget_changed, share) for share in CHANGED]
    for way, prepare, share in ways:
        found = await scores(data, collection, partial(prepare, share=share))
        ratio = f"{mean(found) / mean(words):.3f} × words{'!' if mean(found) < mean(words) else ' '}"
        shown = "" if collection else _successes(found)
        print(f"  {way}  {mean(found):.4f}  {ratio}  {shown}", flush=True)


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
