"""Puts ranking by words and ranking by meaning together, and is the seam where ranking by meaning comes in."""

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from operator import itemgetter
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol, TypeVar

from sidecar.search.choosing import Stays
from sidecar.store.index.ranking import Ranked

Key = TypeVar("Key", bound=Hashable)
Ranking = Sequence[tuple[int, float]]
Fusion = Callable[[Ranking, Ranking, AbstractSet[int]], list[tuple[int, float]]]
"""Rankings by words and by meaning, (row id, score) best first, and the rows of the first without a vector, as one."""

_MEANING = 0.7
"""Weight of the cosine; the rest is the words'. See `fuse`."""
_SLOPE = 0.5
"""By how much the cosine is expected to differ between the best row by words and one with no word, until the rows of a
query tell better: on the collections the middle half of the queries has 0.2 to 0.6."""
_SLOPE_SPREAD = 0.25
"""Sum of squared differences in BM25, relative to the best, at which a query's own rows count as much as `_SLOPE`."""
_KNOWN = 0.4
"""Share of a query's rows by words that must have a vector for the rest to be guessed from them. Guessed from fewer,
nDCG@10 fell up to 0.5 % below that by words alone (cisi at 10 and 25 % embedded); from 0.4 on it did not, at no share,
and half embedded gains 6 to 11 % (tests/bench/search/partial.py)."""
_CERTAIN = 0.7
"""Share of a query, by inverse document frequency, that the first by words holds where it stays first whatever is near
in meaning. This and the two below were chosen over seven sets of questions at five shares embedded, and of two variants
by an eighth. Over nine sets, the ninth asked when they stood, no set has fewer right first or among the first three at
any share than by words (`tests/bench/search/questions.py`)."""
_MORE = 0.1
"""By this much more of the query than the first by meaning it holds where it stays before what is not `_NEARER`."""
_NEARER = 0.15
"""By this much more than `SemanticIndex.weak` the cosine of what comes before such a text has to be."""
_BEHIND = 0.1
"""Of the least score by words, what the nearest row has that is found by meaning alone while words decide: less than
any weight in `choosing` takes from a row."""


@dataclass(frozen=True)
class Nearest:
    """(row id, cosine) of the texts nearest to a query, best first, and how many texts have a vector. Where the query's
    words are not `known` to the model, these are texts that look alike, for want of any that words find."""

    rows: Sequence[tuple[int, float]] = ()
    embedded: int = 0
    known: bool = True


class RankedRows(NamedTuple):
    """Row ids with scores, best first, and how they were found (see `SearchAnswer`)."""

    rows: list[tuple[int, float]]
    mode: Literal["lexical", "semantic", "hybrid"]
    absent: tuple[str, ...] = ()
    """Expressions that stand nowhere."""
    remark: str = ""
    ranked: str = ""
    cosines: Mapping[int, float] = MappingProxyType({})
    """Of the rows that have a vector, how near they are in meaning, at most."""
    joined: tuple[str, ...] = ()
    """See `Ranked.joined`."""
    unknown: int = 0
    """How many words of the query stand nowhere, and are taken for no other."""
    by_words: Ranking = ()
    """The rows as words rank them, where meaning has put them in another order."""
    stays: Stays | None = None


class SemanticIndex(Protocol):
    """Finds texts by meaning. Row ids are those of the store's passages or element texts."""

    @property
    def unrelated(self) -> float:
        """Cosine below which a text has nothing to do with a query."""
        ...

    @property
    def weak(self) -> float:
        """Cosine below which a text hardly answers a query unless it holds most of its words."""
        ...

    async def nearest(self, query: str, limit: int, kind: Literal["passage", "element"] = "passage") -> Nearest:
        """Nothing while nothing is embedded. Raises WorkerError, UnavailableError."""
        ...

    async def embedded(self, rows: Sequence[int], kind: Literal["passage", "element"] = "passage") -> AbstractSet[int]:
        """Those of the rows that have a vector. Raises WorkerError, UnavailableError."""
        ...


def fuse(
    lexical: Sequence[tuple[Key, float]],
    semantic: Sequence[tuple[Key, float]],
    without_vector: AbstractSet[Key] = frozenset(),
    weight: float = _MEANING,
) -> list[tuple[Key, float]]:
    """Both rankings, each best first with its scores, as one: a convex combination of scores (Bruch, Gai, Ingber, "An
    Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023). Ties keep the lexical order.

    BM25 counts relative to the best of this query, the cosine as it is, and a row beyond the end of the semantic list
    has the last cosine of that list: it may be no nearer, but that it was not fetched says no more against it.
    Against reciprocal rank fusion (k = 60) the tool's nDCG@10 goes from 0.443 to 0.453 on cisi, from 0.432 to 0.439 on
    cranfield: ranks cannot say that the first by words fits perfectly and the first by meaning hardly at all. The
    weight best on one collection loses 0.001 to 0.004 on the other (tests/bench/search/ablation.py).

    Pseudo-relevance feedback (Rocchio 1971) on vectors, the query with half the mean of its three nearest asked again,
    was tried and left out: nDCG@10 went up by 0.006 on cranfield and down by 0.010 on cisi.

    A row `without_vector`, whose text is not embedded yet, is not judged by meaning: it gets the cosine that rows with
    its score by words have in this query (`_expected`). Given none, it lost to all that happened to be embedded: at
    10 % of the texts nDCG@10 was a third of that by words alone (tests/bench/search/partial.py). While too few of the
    rows by words have a vector to tell (`_KNOWN`), the answer is that by words, scores and all, which what is chosen of
    it weighs, and what is found by meaning alone follows."""
    if few_known(lexical, without_vector):
        return _followed(lexical, semantic)
    least = min((cosine for _, cosine in semantic), default=0.0)
    best = max((score for _, score in lexical), default=0.0) or 1.0
    cosines = dict.fromkeys((one for one, _ in lexical if one not in without_vector), least) | dict(semantic)
    if without_vector:
        expected = _expected([(score / best, cosines[one]) for one, score in lexical if one in cosines])
        cosines = {one: expected(score / best) for one, score in lexical} | cosines
    scores = {one: weight * cosines[one] + (1 - weight) * score / best for one, score in lexical}
    scores |= {one: weight * cosine for one, cosine in semantic if one not in scores}
    return sorted(scores.items(), key=itemgetter(1), reverse=True)


@dataclass(frozen=True)
class Certainty:
    """What words and meaning are sure of: the rows that words found, the cosines of those near in meaning, how near is
    hardly related (`SemanticIndex.weak`), and the expressions of what is meant to the letter."""

    lexical: Ranked
    cosines: Mapping[int, float]
    weak: float
    exact: Collection[str] = ()

    def stays(self, first: int, nearest: int) -> bool:
        """Whether the row that is `first` by words stays before the one that is when meaning is counted in: the words
        are sure of it, it alone has what is meant to the letter, or meaning is not sure of the other."""
        lexical = self.lexical
        if any(lexical.has(first, one) and not lexical.has(nearest, one) for one in self.exact):
            return True
        held = lexical.held(first)
        far = self.cosines.get(nearest, 0.0) < self.weak + _NEARER
        return held >= _CERTAIN or (far and held >= lexical.held(nearest) + _MORE)


def few_known(lexical: Sequence[tuple[Key, float]], without_vector: AbstractSet[Key]) -> bool:
    """Whether so few of the rows by words have a vector that they stay ranked by words alone."""
    if not without_vector:
        return False
    return sum(one not in without_vector for one, _ in lexical) < _KNOWN * len(lexical)


def coverage(embedded: int, total: int, *, by_meaning: bool) -> str:
    """How an answer was ranked while not every text is embedded, "" when all are."""
    if embedded >= total:
        return ""
    return f"by words{' and meaning' if by_meaning else ''}; {100 * embedded // total} % embedded"


def _followed(lexical: Sequence[tuple[Key, float]], semantic: Sequence[tuple[Key, float]]) -> list[tuple[Key, float]]:
    """The ranking by words as it is, behind it what only the other has, best first."""
    least = min(score for _, score in lexical)
    nearest = max((cosine for _, cosine in semantic), default=0.0) or 1.0
    held = {one for one, _ in lexical}
    return [*lexical, *((one, _BEHIND * least * cosine / nearest) for one, cosine in semantic if one not in held)]


def _expected(known: Sequence[tuple[float, float]]) -> Callable[[float], float]:
    """The cosine to expect at a score by words, relative to the best: a line through what is `known` of other rows,
    (score, cosine), whose slope leans on `_SLOPE` where they tell little (ridge regression, Hoerl & Kennard 1970)."""
    middle, level = (math.fsum(values) / len(known) for values in zip(*known, strict=True))
    spread = sum((score - middle) ** 2 for score, _ in known)
    shared = sum((score - middle) * (cosine - level) for score, cosine in known)
    slope = (shared + _SLOPE * _SLOPE_SPREAD) / (spread + _SLOPE_SPREAD)
    return lambda score: level + slope * (score - middle)
