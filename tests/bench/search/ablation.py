"""What each constant of the ranking is worth: search with it turned off, and the weight of fusion chosen held out.

usage: ablation.py --keep DIR [--questions DIR]
Works on the indexes that `ir_quality.py --keep DIR` and, for questions over mixed documents, `questions.py --keep DIR`
have left; nothing is indexed or embedded here but the queries. Prints for the limit of the tool (10 hits):
- nDCG@10 on each collection, and success@1 and MRR@10 of the questions, fused, with each constant turned off;
- the same for every weight of meaning, for reciprocal rank fusion (k = 60, Cormack et al. 2009), words and meaning;
- held out: the weight that is best on one collection, and what it gets on the other; and of each half of the queries.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import sys
from collections.abc import Callable, Generator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Literal

sys.path.insert(0, str(Path(__file__).parents[2]))

import ir_quality
import questions
from search_latency import embedder

from sidecar.search import Nearest, Searcher, SemanticIndex, choosing, fuse, words
from sidecar.search.fusion import Fusion, Ranking
from sidecar.search.semantic import SemanticSearch
from sidecar.store import Store
from sidecar.workers.pool import WorkerPool

Kind = Literal["passage", "element"]
Scores = list[float]
WEIGHTS = tuple(step / 10 for step in range(11))
HALVES = ((0, "even"), (1, "odd"))
OFF: dict[str, dict[str, float]] = {
    "as it is": {},
    "CROWDED, ALONE off": {"CROWDED": 1.0},
    "SCRAP, BARE off": {"SCRAP": 1.0, "BARE": 1.0},
    "BARE off": {"BARE": 1.0},
    "MARKUP off": {"MARKUP": 1.0},
    "MEANT off": {"MEANT": math.inf},
    "ALIKE off": {"ALIKE": 2.0},
}


class Remembering:
    """Asks once for the nearest to each query."""

    def __init__(self, semantic: SemanticIndex) -> None:
        self._semantic = semantic
        self.unrelated, self.weak = semantic.unrelated, semantic.weak
        self._known: dict[tuple[str, int, Kind], Nearest] = {}

    async def nearest(self, query: str, limit: int, kind: Kind = "passage") -> Nearest:
        key = query, limit, kind
        if key not in self._known:
            self._known[key] = await self._semantic.nearest(query, limit, kind)
        return self._known[key]

    async def embedded(self, rows: Sequence[int], kind: Kind = "passage") -> AbstractSet[int]:
        return await self._semantic.embedded(rows, kind)


def by_ranks(lexical: Ranking, semantic: Ranking, _: AbstractSet[int]) -> list[tuple[int, float]]:
    """Reciprocal rank fusion."""
    scores: dict[int, float] = {}
    for ranking in (lexical, semantic):
        for rank, (one, _score) in enumerate(ranking, 1):
            scores[one] = scores.get(one, 0.0) + 1 / (60 + rank)
    return sorted(scores.items(), key=lambda item: -item[1])


def by_words(lexical: Ranking, semantic: Ranking, _: AbstractSet[int]) -> list[tuple[int, float]]:
    return list(lexical or semantic)


def by_meaning(lexical: Ranking, semantic: Ranking, _: AbstractSet[int]) -> list[tuple[int, float]]:
    return list(semantic or lexical)


@dataclass
class Collection:
    """An index, and how well its queries are answered."""

    name: str
    searcher: Searcher
    queries: list[str]
    value: Callable[[int, list[str], str], float]
    """What an answer to the query of that number is worth: of the paths of its hits, and its remark."""

    async def scores(self) -> Scores:
        found: Scores = []
        for number, query in enumerate(self.queries):
            answer = await self.searcher.search(query, 10)
            found.append(self.value(number, [hit.path for hit in answer.hits], answer.remark))
        return found


def judged(folder: Path, searcher: Searcher) -> Collection:
    documents, asked = ir_quality.load(folder)

    def value(number: int, paths: list[str], _: str) -> float:
        found = [documents[int(Path(path).stem[1:])][0] for path in paths]
        return ir_quality.score(found, asked[number][1])[0]

    return Collection(folder.name, searcher, [query for query, _ in asked], value)


def natural(searcher: Searcher) -> Collection:
    asked = questions.load()

    def value(number: int, paths: list[str], remark: str) -> float:
        rank = asked[number].rank(paths, remark)
        return 1 / rank if rank else 0.0

    return Collection("questions (MRR)", searcher, [one.ask for one in asked], value)


@contextmanager
def off(constants: dict[str, float]) -> Generator[None]:
    rooms = {name: words if name == "ALIKE" else choosing for name in constants}
    usual = {name: getattr(rooms[name], name) for name in constants}
    try:
        for name, value in constants.items():
            setattr(rooms[name], name, value)
        yield
    finally:
        for name, value in usual.items():
            setattr(rooms[name], name, value)


async def measure(collections: list[Collection]) -> None:
    print("nDCG@10, fused" + "".join(f"  {one.name:>16}" for one in collections))
    for name, constants in OFF.items():
        with off(constants):
            show(name, [await one.scores() for one in collections])
    swept: dict[float, list[Scores]] = {}
    ways: dict[str, Fusion] = {f"meaning {weight:.1f}": partial(fuse, weight=weight) for weight in WEIGHTS}
    ways |= {"reciprocal ranks": by_ranks, "words alone": by_words, "meaning alone": by_meaning}
    for (name, way), weight in zip(ways.items(), [*WEIGHTS, None, None, None], strict=True):
        rows: list[Scores] = []
        for one in collections:
            one.searcher.fuse = way
            rows.append(await one.scores())
        show(name, rows)
        if weight is not None:
            swept[weight] = rows
    print("held out: weight chosen on → on the others")
    halves = {f"{one.name}, {half}": (at, start) for at, one in enumerate(collections) for start, half in HALVES}
    for at, one in enumerate(collections):
        best = max(WEIGHTS, key=lambda weight: mean(swept[weight][at]))
        for n, other in enumerate(collections):
            if n != at:
                own = max(mean(rows[n]) for rows in swept.values())
                print(f"  {one.name}: {best:.1f} → {other.name} {mean(swept[best][n]):.4f} (its own best {own:.4f})")
    for name, (at, start) in halves.items():
        best = max(WEIGHTS, key=lambda weight: mean(swept[weight][at][start::2]))
        print(f"  {name} queries: {best:.1f} → its other half {mean(swept[best][at][1 - start :: 2]):.4f}")


def show(name: str, rows: list[Scores]) -> None:
    print(f"  {name:20}" + "".join(f"  {mean(scores):10.4f}" for scores in rows), flush=True)


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--questions", type=Path)
    arguments = parser.parse_args()
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus"))
    folders = [
        folder for folder in sorted((corpus / "ir").glob("*")) if (arguments.keep / folder.name / "data").is_dir()
    ]
    if not folders:
        sys.exit(f"no index of a collection in {arguments.keep}; run ir_quality.py --keep {arguments.keep} first")
    pool = WorkerPool(1)
    stores: list[Store] = []
    collections: list[Collection] = []
    try:

        async def searcher(data: Path) -> Searcher:
            store = await Store.open(data)
            stores.append(store)
            meaning = SemanticSearch(store.embeddings, store.changes, pool, embedder())
            return Searcher(store.documents, store.search, Remembering(meaning))

        collections += [judged(one, await searcher(arguments.keep / one.name / "data")) for one in folders]
        if arguments.questions is not None:
            collections.append(natural(await searcher(arguments.questions)))
        await measure(collections)
    finally:
        await pool.aclose()
        for store in stores:
            await store.close()


if __name__ == "__main__":
    asyncio.run(main())
