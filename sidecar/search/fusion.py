"""Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009), and the seam where ranking by meaning comes in."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal, Protocol, TypeVar

Key = TypeVar("Key", bound=Hashable)

K = 60


class SemanticIndex(Protocol):
    """Finds texts by meaning. Row ids are those of the store's passages or element texts."""

    async def nearest(
        self, query: str, limit: int, kind: Literal["passage", "element"] = "passage"
    ) -> Sequence[tuple[int, float]]:
        """(row id, cosine) best first; empty while nothing is embedded. Raises WorkerError, UnavailableError."""
        ...


def fuse(lexical: Sequence[Key], semantic: Sequence[Key], k: int = K) -> list[tuple[Key, float]]:
    """Both rankings as one, best first: the score is the sum of 1 / (k + rank), with ranks from 1.

    Ranks are fused, not scores, because BM25 has no fixed scale. Ties keep the lexical order.
    """
    scores: dict[Key, float] = {}
    for ranking in (lexical, semantic):
        for place, one in enumerate(ranking, 1):
            scores[one] = scores.get(one, 0.0) + 1.0 / (k + place)
    return sorted(scores.items(), key=lambda item: -item[1])
