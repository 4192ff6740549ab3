"""Ranks rows for a query, by words and (where an index of meaning is there) by meaning, and puts the two together.

What of the ranking is shown, and how, is for `searcher` to decide."""

import asyncio
import logging
import math
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Literal

from sidecar.api.errors import UnavailableError, WorkerError
from sidecar.search.filters import QUERY_WORDS
from sidecar.search.fusion import Certainty, Fusion, Nearest, RankedRows, Ranking, SemanticIndex, coverage, few_known
from sidecar.search.query import Query, expressions, nowhere
from sidecar.search.weak import near_by_meaning
from sidecar.store import SearchIndex
from sidecar.store.index.common_words import to_bits
from sidecar.store.index.postings import holding
from sidecar.store.index.ranking import ELEMENTS, PASSAGES, Ranked, Terms
from sidecar.toolkit.answers.budget import shorten

_log = logging.getLogger(__name__)

_ABSENT = 5
_SHOWN = 60
_SEMANTIC = 200
"""Rows asked for of either ranking: a row has to be in both to profit from both."""
_FEW_TERMS = 6
"""Terms of a query, words that say nothing left out, of which a text that answers has most."""
_LACKING = 0.6
"""Share of its score that a text with none of such a query's terms would lose. Over nine sets of questions success@1 by
words is higher in six and lower in none (tests/bench/search/questions.py), on the collections nDCG@10 by words is .2 to
.3 % lower. Counted in where meaning is, it made as many sets worse as better: there it is left out."""
_BY_WORDS = "Search by meaning is not available just now; this is by words alone."


@dataclass(frozen=True)
class Ranker:
    """Of one search. `semantic` None: by words alone. `fuse` puts the two rankings together."""

    index: SearchIndex
    semantic: SemanticIndex | None
    fuse: Fusion
    _nearest: dict[tuple[str, int], Nearest] = field(default_factory=dict[tuple[str, int], Nearest])
    """What is near to a text, by it and how many were asked for: a question is ranked again with other words for those
    that stand nowhere, and a longer answer from the beginning."""

    async def rank(self, asked: Query, many: int, kind: Literal["passage", "element"]) -> tuple[Query, RankedRows]:
        """The best `many` rows, looked for once more with the words of the index in place of those that were misspelt;
        says what stands nowhere, so that no one takes what is near for what was meant."""
        table = ELEMENTS if kind == "element" else PASSAGES
        if asked.grouped:
            written = await self.index.numbers_written(table, asked.grouped)
            terms = tuple(dict.fromkeys((*asked.terms, *written)))
            asked = replace(asked, terms=terms, numbers=(*asked.numbers, *(one.strip('"') for one in written)))
        if self.index.lacks(table, asked.terms):
            # Other words are likely to be ranked than these, so only which stand nowhere is asked for yet.
            lexical = await self.index.rank(table, _terms(asked), 0)
            ranking, again = RankedRows([], "lexical", lexical.absent, joined=lexical.joined), True
        else:
            ranking, again = await self._ranked(asked, many, kind), False
        asked = replace(asked, joined=ranking.joined)
        named = nowhere(ranking.absent)
        if not named:
            return asked, await self._ranked(asked, many, kind) if again else ranking
        typed = {expression: phrase for phrase in asked.phrases for expression in expressions(phrase, whole=True)}
        written = [typed.get(f'"{one}"', one) for one in named]
        remark = f"Nowhere in the texts: {', '.join(shorten(one, _SHOWN) for one in written[:_ABSENT])}."
        terms = _terms(asked)
        # What is nothing but a number somebody gave a thing is required as it is typed; the texts may have it apart.
        known = asked.terms or (asked.required if asked.identifier else ())
        wrong = [one for one in named if f'"{one}"' in known and one.lower() not in QUERY_WORDS][:_ABSENT]
        meant = await self.index.corrections(table, terms, wrong, in_words=asked.in_words, language=asked.language)
        if meant.words:
            asked = asked.corrected(meant.words, text=meant.together or not asked.in_words)
            again = True
            instead = ", ".join(" ".join(words) for words in meant.words.values())
            remark = f"{remark[:-1]}; searched for {instead} instead."
        if again:
            ranking = await self._ranked(asked, many, kind)
        unknown = len({*named} - meant.words.keys())
        return asked, ranking._replace(remark=f"{remark} {ranking.remark}".strip(), unknown=unknown)

    def _by_meaning(self, asked: Query) -> SemanticIndex | None:
        """What ranks by meaning: nothing where a query is all in quotes, which is meant literally, a name or a day."""
        return self.semantic if asked.terms and not asked.without_meaning else None

    async def _ranked(self, asked: Query, many: int, kind: Literal["passage", "element"]) -> RankedRows:
        terms = _terms(asked)
        table = PASSAGES if kind == "passage" else ELEMENTS
        semantic = self._by_meaning(asked)
        if semantic is None:
            lexical = await self.index.rank(table, terms, max(many, _SEMANTIC))
            return RankedRows(list(_covered(lexical)[:many]), "lexical", lexical.absent, joined=lexical.joined)
        lexical, (nearest, remark) = await asyncio.gather(
            self.index.rank(table, terms, max(many, _SEMANTIC)), self._meant(semantic, asked, kind, many)
        )
        meant = nearest.rows if nearest.known or not lexical.rows else ()
        without: AbstractSet[int] = frozenset()
        if meant and lexical.rows and nearest.embedded < lexical.total:
            rows = [row for row, _ in lexical.rows]
            try:
                without = set(rows) - await semantic.embedded(rows, kind)
            except (WorkerError, UnavailableError) as error:
                meant, remark = (), _unavailable(error)
        meant = near_by_meaning(meant, lexical.rows, without, semantic)
        ranked = "" if remark else coverage(nearest.embedded, lexical.total, by_meaning=bool(meant))
        words = _covered(lexical)
        if not meant:
            rows = list(words[:many])
            return RankedRows(rows, "lexical", lexical.absent, remark, ranked, joined=lexical.joined)
        mode = "hybrid" if lexical.rows else "semantic"
        least = min(cosine for _, cosine in meant)
        cosines = {row: least for row, _ in lexical.rows if row not in without} | dict(meant)
        rows = self.fuse(words if few_known(lexical.rows, without) else lexical.rows, meant, without)
        first = {row for row, _ in lexical.rows[:many]}
        rows = [one for place, one in enumerate(rows) if place < many or one[0] in first]
        exact = () if any(period.side for period in asked.periods) else asked.exact
        kept = Certainty(lexical, cosines, semantic.weak, exact).stays
        return RankedRows(
            rows, mode, lexical.absent, remark, ranked, cosines, lexical.joined, by_words=words, stays=kept
        )

    async def _meant(
        self, semantic: SemanticIndex, asked: Query, kind: Literal["passage", "element"], many: int
    ) -> tuple[Nearest, str]:
        """What is near in meaning, of that what the filters let through, and a remark. Quoted words filter too: they
        rank by meaning among themselves, but nothing that merely means the same joins them."""
        key = asked.text, max(many, _SEMANTIC)
        if (nearest := self._nearest.get(key)) is None:
            try:
                nearest = self._nearest[key] = await semantic.nearest(*key, kind)
            except (WorkerError, UnavailableError) as error:
                return Nearest(), _unavailable(error)
        if not (asked.required or asked.excluded) and asked.where.empty:
            return nearest, ""
        found = dict(nearest.rows)
        terms = Terms(required=asked.required, excluded=asked.excluded, where=asked.where)
        rows = await self.index.let_through(ELEMENTS if kind == "element" else PASSAGES, list(found), terms)
        return replace(nearest, rows=[(row, found[row]) for row in rows]), ""


def _covered(ranked: Ranked) -> Ranking:
    """The rows with their scores, less what they lack of a query of a few terms, best first. BM25 lets one term that a
    text has often stand for two of the others, which ranking by coordination does not; of a long query most words are
    by the way."""
    if not 1 < len(ranked.terms) <= _FEW_TERMS:
        return ranked.rows
    ids = [row for row, _ in ranked.rows]
    among = to_bits(ids, max(ids, default=0))
    whole = math.fsum(idf for _, _, idf in ranked.terms)
    held = dict.fromkeys(ids, 0.0)
    for _, bits, idf in ranked.terms:
        for row in holding(ids, among, bits):
            held[row] += idf / whole
    scored = ((row, score * (1 - _LACKING + _LACKING * held[row])) for row, score in ranked.rows)
    return sorted(scored, key=itemgetter(1), reverse=True)


def _terms(asked: Query) -> Terms:
    return Terms(asked.terms, asked.required, asked.excluded, asked.where, asked.compounds)


def _unavailable(error: Exception) -> str:
    _log.warning("search by meaning failed: %s", error)
    return _BY_WORDS
