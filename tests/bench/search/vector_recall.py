"""Recall and latency of the two-stage nearest neighbour search, against exact search over the same real vectors.

usage: vector_recall.py [--vectors FILE.npz] [--texts N]
Texts are the sentences of the ir collections and the paragraphs of the plain-text documents of the corpus in
DOCSIDECAR_CORPUS, each once, N of them (default 24,000); queries are the collections' own. Both go through the
embedder that the plugin registers, which takes about N / 50 seconds on one core: `--vectors` keeps the result and uses
it where it is there. Prints recall@10, @100 and @200 of `VectorIndex.nearest` (sign bits choose, int8 products order)
against exact float32 products, of its parts alone, the median processor time of either
(one thread; also for the same vectors four times over), and bytes a vector.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is there: its threads wait for one another on a busy machine

import argparse
import json
import random
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sidecar_semantic.plugin import DIMENSIONS
from sidecar_semantic.worker import embed

from sidecar.search import vectors
from sidecar.search.vectors import VectorIndex, pack

Matrix = NDArray[np.float32]
Ranking = list[int]
CUTS = (10, 100, 200)
ROUNDS = 5
COPIES = 4


def texts(corpus: Path, wanted: int) -> list[str]:
    """Sentences and paragraphs of 30 characters and more, no two alike; a random sample of `wanted` of them."""
    found: dict[str, None] = {}
    for path in sorted((corpus / "ir").glob("*/corpus.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            found.update(dict.fromkeys(re.split(r"(?<=[.!?])\s+", row["text"])))
    for path in sorted((corpus / "docs").rglob("*")):
        if path.suffix in (".md", ".rst", ".txt") and path.is_file():
            found.update(dict.fromkeys(re.split(r"\n\s*\n", path.read_text("utf-8", "replace"))[:200]))
    long = [" ".join(one.split())[:1000] for one in found if len(one) >= 30]
    return random.Random(7).sample(long, min(wanted, len(long)))


def queries(corpus: Path) -> list[str]:
    paths = sorted((corpus / "ir").glob("*/queries.jsonl"))
    return [row["text"] for path in paths for row in map(json.loads, path.read_text("utf-8").splitlines())]


def embedded(every: list[str]) -> Matrix:
    pieces: list[Matrix] = []
    begun = time.perf_counter()
    for start in range(0, len(every), 512):
        batch = every[start : start + 512]
        pieces.append(np.frombuffer(embed(batch), "<f4").reshape(len(batch), DIMENSIONS))
        print(f"\r{start + len(batch):,} of {len(every):,} embedded", end="", file=sys.stderr)
    print(f", {len(every) / (time.perf_counter() - begun):.0f} texts/s", file=sys.stderr)
    return np.concatenate(pieces)


def load(kept: Path | None, corpus: Path, wanted: int) -> tuple[Matrix, Matrix]:
    if kept is not None and kept.exists():
        with np.load(kept) as held:
            return held["rows"], held["queries"]
    rows, asked = embedded(texts(corpus, wanted)), embedded(queries(corpus))
    if kept is not None:
        np.savez(kept, rows=rows, queries=asked)
    return rows, asked


def exactly(rows: Matrix, vector: Matrix, limit: int = max(CUTS)) -> Ranking:
    cosine = rows @ vector
    best = np.argpartition(-cosine, limit)[:limit]
    return best[np.argsort(-cosine[best])].tolist()


def two_stage(index: VectorIndex, vector: Matrix) -> Ranking:
    return index.nearest(vector, max(CUTS))[0]


def against(
    search: Callable[[Matrix], Ranking], asked: Matrix, truth: list[Ranking]
) -> tuple[list[Ranking], list[Ranking], float]:
    found, taken = timed(search, asked)
    return found, truth, taken


def recall(found: list[Ranking], truth: list[Ranking], cut: int) -> float:
    return statistics.mean(
        len(set(one[:cut]) & set(other[:cut])) / cut for one, other in zip(found, truth, strict=True)
    )


def timed(search: Callable[[Matrix], Ranking], asked: Matrix) -> tuple[list[Ranking], float]:
    """What each query finds, and the median processor time in ms of `ROUNDS` passes."""
    found: list[Ranking] = []
    taken: list[float] = []
    for turn in range(ROUNDS):
        for vector in asked:
            begun = time.process_time()
            one = search(vector)
            taken.append(time.process_time() - begun)
            if not turn:
                found.append(one)
    return found, statistics.median(taken) * 1000


def index_of(packed: list[bytes]) -> VectorIndex:
    nobody: Any = None  # the vectors are put in by hand, so that no file is read
    index = VectorIndex(nobody, "", DIMENSIONS, "passage")
    index.fill(list(range(len(packed))), b"".join(packed))
    return index


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--texts", type=int, default=24_000)
    arguments = parser.parse_args()
    corpus = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus"))
    if not queries(corpus):
        sys.exit(f"no collections in {corpus}/ir; set DOCSIDECAR_CORPUS")
    rows, asked = load(arguments.vectors, corpus, arguments.texts)
    packed = pack(rows)
    index = index_of(packed)
    held = index.values.nbytes + index.scales.nbytes + index.signs.nbytes + index.rows.nbytes
    print(
        f"{len(rows):,} vectors, {len(asked)} queries; {len(packed[0])} bytes a vector in the index file, "
        f"{held / len(rows):.0f} in memory, float32 has {rows.nbytes // len(rows)}"
    )
    restored = index.values.astype(np.float32) * index.scales[:, None]
    truth, floor = timed(lambda vector: exactly(rows, vector), asked)
    show("exact float32", truth, truth, floor, floor)
    show("exact on int8", *against(lambda vector: exactly(restored, vector), asked, truth), floor)
    show("two-stage", *against(lambda vector: two_stage(index, vector), asked, truth), floor)
    usual = vectors.CANDIDATES, vectors.MIN_CANDIDATES
    for share in (0.5, 2):
        vectors.CANDIDATES, vectors.MIN_CANDIDATES = int(usual[0] * share), int(usual[1] * share)
        show(f"{share:g} × candidates", *against(lambda vector: two_stage(index, vector), asked, truth), floor)
    vectors.CANDIDATES, vectors.MIN_CANDIDATES = usual
    many, larger = np.tile(rows, (COPIES, 1)), index_of(packed * COPIES)
    _, floor = timed(lambda vector: exactly(many, vector), asked[::COPIES])
    _, taken = timed(lambda vector: two_stage(larger, vector), asked[::COPIES])
    print(f"{len(many):,} vectors: exact float32 {floor:.2f} ms, two-stage {taken:.2f} ms ({taken / floor:.2f} ×)")


def show(name: str, found: list[Ranking], truth: list[Ranking], taken: float, floor: float) -> None:
    cuts = "  ".join(f"recall@{cut} {recall(found, truth, cut):.4f}" for cut in CUTS)
    print(f"  {name:16} {cuts}  {taken:.2f} ms  ({taken / floor:.2f} × exact float32)")


if __name__ == "__main__":
    main()
