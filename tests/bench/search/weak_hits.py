"""Noise: what search shows for questions that nothing in the documents answers, and what of the right it calls weak.

usage: weak_hits.py --keep DIR [--questions DIR]
Works on the indexes that `ir_quality.py --keep DIR` and, for questions over mixed documents, `questions.py --keep DIR`
have left. Each collection is asked its own queries and those of the others, which nothing in it answers. Prints for
each pair hits an answer, the share of hits called weak and of answers that are all weak or empty; for its own queries
the share of relevant hits that are called weak as well.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[2]))

import ir_quality
import questions
from search_latency import embedder

from sidecar.search import Searcher
from sidecar.search.semantic import SemanticSearch
from sidecar.store import Store
from sidecar.workers.pool import WorkerPool

MOST = 100
"""Queries of a collection that are asked."""


@dataclass(frozen=True)
class Asked:
    """A set of documents, its index, and its queries with what tells whether a path answers."""

    name: str
    data: Path
    queries: list[tuple[str, Callable[[str], bool]]]


def collection(folder: Path, data: Path) -> Asked:
    documents, judged = ir_quality.load(folder)

    def relevant(grades: dict[str, int]) -> Callable[[str], bool]:
        return lambda path: grades.get(documents[int(Path(path).stem[1:])][0], 0) > 0

    return Asked(folder.name, data, [(query, relevant(grades)) for query, grades in judged[:MOST]])


def mixed(data: Path) -> Asked:
    return Asked("questions", data, [(one.ask, one.answered_by) for one in questions.load() if one.places][:MOST])


async def measure(of: Asked, others: list[Asked], pool: WorkerPool) -> None:
    store = await Store.open(of.data)
    try:
        semantic = SemanticSearch(store.embeddings, store.changes, pool, embedder())
        searcher = Searcher(store.documents, store.search, semantic)
        for asked in (of, *others):
            answers = [(await searcher.search(query, 10), answers) for query, answers in asked.queries]
            hits = [hit for answer, _ in answers for hit in answer.hits]
            right = [hit for answer, fits in answers for hit in answer.hits if fits(hit.path)] if asked is of else []
            said = f", {mean(hit.weak for hit in right):.3f} of the relevant ones" if right else ""
            print(
                f"{of.name} asked for {asked.name}: {len(hits) / len(answers):.1f} hits an answer, "
                f"{mean(hit.weak for hit in hits):.3f} weak{said}; all weak or none in "
                f"{mean(all(hit.weak for hit in answer.hits) for answer, _ in answers):.3f} of {len(answers)}",
                flush=True,
            )
    finally:
        await store.close()


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--questions", type=Path)
    arguments = parser.parse_args()
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus"))
    every = [collection(folder, arguments.keep / folder.name / "data") for folder in sorted((corpus / "ir").glob("*"))]
    every = [one for one in every if one.data.is_dir()]
    every += [mixed(arguments.questions)] if arguments.questions is not None else []
    pool = WorkerPool(1)
    try:
        for one in every:
            await measure(one, [other for other in every if other is not one], pool)
    finally:
        await pool.aclose()


if __name__ == "__main__":
    asyncio.run(main())
