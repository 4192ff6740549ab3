"""Puts ranking by words and ranking by meaning together, and is the seam where ranking by meaning comes in."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Literal, Protocol, TypeVar

Key = TypeVar("Key", bound=Hashable)
Ranking = Sequence[tuple[int, float]]
Fusion = Callable[[Ranking, Ranking], list[tuple[int, float]]]
"""Rankings by words and by meaning, (row id, score) best first, as one."""

MEANING = 0.7
"""Weight of the cosine; the rest is the words'. See `fuse`."""


class SemanticIndex(Protocol):
    """Finds texts by meaning. Row ids are those of the store's passages or element texts."""

    async def nearest(
        self, query: str, limit: int, kind: Literal["passage", "element"] = "passage"
    ) -> Sequence[tuple[int, float]]:
        """(row id, cosine) best first; empty while nothing is embedded. Raises WorkerError, UnavailableError."""
        ...


def fuse(
    lexical: Sequence[tuple[Key, float]], semantic: Sequence[tuple[Key, float]], weight: float = MEANING
) -> list[tuple[Key, float]]:
    """Both rankings, each best first with its scores, as one: a convex combination of scores (Bruch, Gai, Ingber, "An
    Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023). Ties keep the lexical order.

    BM25 counts relative to the best of this query, the cosine as it is, and a row beyond the end of the semantic list
    has the last cosine of that list: it may be no nearer, but that it was not fetched says no more against it.
    Against reciprocal rank fusion (k = 60) the tool's nDCG@10 goes from 0.443 to 0.453 on cisi, from 0.432 to 0.439 on
    cranfield: ranks cannot say that the first by words fits perfectly and the first by meaning hardly at all. The
    weight best on one collection loses 0.001 to 0.004 on the other (tests/bench/ablation.py).
    """
    least = min((cosine for _, cosine in semantic), default=0.0)
    best = max((score for _, score in lexical), default=0.0)
    scores = {one: weight * least for one, _ in lexical}
    scores.update((one, weight * cosine) for one, cosine in semantic)
    if best > 0:
        for one, score in lexical:
            scores[one] += (1 - weight) * score / best
    return sorted(scores.items(), key=lambda item: -item[1])
