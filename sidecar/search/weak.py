"""What makes a hit weak: the one rule by which an answer says that it hardly answers, and leaves out what is noise.

Two cosines of the model part what is near in meaning from what is not, `SemanticIndex.unrelated` and `.weak`.

- What meaning alone found joins an answer (`near_by_meaning`) from `unrelated` on where nothing was found by words;
  from `weak` on where too few rows by words have a vector (`few_known`): of few texts the nearest is seldom near, and
  an answer by words is to be no longer for what is noise; else always, as it is ranked among those by words.
- A passage is weak (`weak_passages`) that neither comes near (`weak`) nor holds most of the query's words, a title
  above it included; and of those without a cosine, not embedded yet or in another script than the model's, one that
  holds next to none of several words. Where nothing was found by words a text has to come nearer (`_ALONE`), and where
  not one of at least three words stands anywhere, all is a guess. So has one with a third of the words at most where
  others stand nowhere (`_SOME_ABSENT`), and one with none of the words of a question in another language: to the
  English model aboard all French is alike (`_OTHER_LANGUAGE`). Over six sets of questions, with all embedded, that
  marks 67 of 81 without an answer (52 before) and 15 of 601 right answers (10). Nothing is weak
  that has an identifier of the query, that was asked for in quotes, or whose document is called what was asked for
  (`Searcher`).
- Weak passages are shown only in the first places (`shown`), where one may be the answer after all, and to a single
  word that they do not have not at all. An answer of
  nothing else says so (`ALL_WEAK`)."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from math import inf

from sidecar.search.fusion import RankedRows, Ranking, SemanticIndex, few_known
from sidecar.search.hits import has_word, term_coverage
from sidecar.search.query import Query
from sidecar.store import Passage

ALL_WEAK = "Weak: nothing found comes near this question."
_WEAK_SHOWN = 3
"""Places in which a weak hit is shown."""
_ALL_ABSENT = 3
"""Where this many words stand nowhere, not one of them, what is found by meaning is never more than a guess."""
_ALONE, _SOME_ABSENT, _OTHER_LANGUAGE = 0.1, 0.05, 0.23
"""By this much nearer than `SemanticIndex.weak` a text has to come in these cases."""
_FEW_WORDS = 0.34
"""A text with this share of them at most is weak where others stand nowhere."""
_MOST_WORDS = 0.66
"""A text with this share of a query's words is not weak, however far in meaning."""
_KEYWORDS = 3
"""Of this many keywords a text that is not embedded has to hold more than stand nowhere. Of two the answer says already
which stands nowhere, and a question's verbs are often not the texts' own."""
_SEVERAL = range(4, 13)
"""Of this many words a text that is not embedded holds next to none where it holds one. A longer question, pasted from
a text, has few words that any other text shares."""


def near_by_meaning(
    meant: Ranking, lexical: Ranking, without_vector: AbstractSet[int], semantic: SemanticIndex
) -> Ranking:
    """Those rows found by meaning, (row id, cosine), that may join the ones by words."""
    if lexical and not few_known(lexical, without_vector):
        return meant
    least = semantic.weak if lexical else semantic.unrelated
    by_words = {row for row, _ in lexical}
    return [(row, cosine) for row, cosine in meant if row in by_words or cosine >= least]


def weak_passages(
    passages: Sequence[Passage], ranking: RankedRows, asked: Query, semantic: SemanticIndex | None
) -> AbstractSet[int]:
    """Ids of the passages of that ranking that are weak."""
    if asked.phrases:
        return frozenset()
    by_words, unknown = ranking.mode != "semantic", ranking.unknown
    marks = asked.marks
    far = 0.0 if semantic is None else semantic.weak
    least = far if by_words else inf if len(marks) >= _ALL_ABSENT else far + _ALONE
    words = _words(asked)
    each = len(marks) / max(words, 1)
    poor, nearer = -1.0, least
    if asked.language:
        poor, nearer = 0.0, max(least, far + _OTHER_LANGUAGE)
    elif unknown:
        poor, nearer = _FEW_WORDS, max(least, far + _SOME_ABSENT)
    few = _few(asked, words, unknown)
    found: set[int] = set()
    for one in passages:
        cosine = None if asked.is_cjk else ranking.cosines.get(one.id)
        if few < 0 if cosine is None else cosine >= nearer:
            continue
        share = term_coverage(one, marks, few if cosine is None else 1.0)
        if cosine is None or cosine < least:
            weak = share <= few or (cosine is not None and share * each < _MOST_WORDS)
        else:
            weak = share * each <= poor
        if weak and not has_word(one, (*asked.coded, *asked.joined)):
            found.add(one.id)
    return found


def _words(asked: Query) -> int:
    """How many words the query has: what was typed and what it was taken for are one."""
    return len(asked.marks) - len(asked.guessed) // 2


def _few(asked: Query, words: int, unknown: int) -> float:
    """The share of the query's words up to which a text that is not embedded holds too few."""
    if asked.is_cjk:
        return max(0.0, 1 / len(asked.marks) if words in _SEVERAL and not asked.days else 0.0)
    if asked.days:
        return -1.0
    keywords = 0 < unknown < words >= _KEYWORDS and not asked.in_words
    return max(1 / len(asked.marks) if words in _SEVERAL else -1.0, unknown / len(asked.marks) if keywords else -1.0)


def shown(
    chosen: Sequence[tuple[Passage, float]], weak: AbstractSet[int], most: int, asked: Query, ranking: RankedRows
) -> list[tuple[Passage, float]]:
    """The first `most` of what was chosen, without weak passages beyond the first places, or where a single word was
    asked for and they do not have it: that may be a name, to which no other comes near. A weak one is not the first
    where one that is not weak holds as many of the query's words, unless it `stays` before that (`fusion.Certainty`),
    or only itself is judged by meaning, the other not being embedded yet; what is weak is not sure of a day, which
    texts write in another way, and of CJK."""
    name = asked.marks if _words(asked) == 1 and not asked.is_cjk else ()
    kept = [
        one
        for place, one in enumerate(chosen)
        if one[0].id not in weak or (place < _WEAK_SHOWN and term_coverage(one[0], name) > 0)
    ][:most]
    if not kept or kept[0][0].id not in weak or asked.days or asked.is_cjk:
        return kept
    first, share = kept[0][0], term_coverage(kept[0][0], asked.marks)

    def better(one: Passage) -> bool:
        judged = one.id in ranking.cosines or first.id not in ranking.cosines
        holding = one.id not in weak and term_coverage(one, asked.marks) >= share
        return judged and holding and not (ranking.stays and ranking.stays(first.id, one.id))

    leading = next((pair for pair in kept[:_WEAK_SHOWN] if better(pair[0])), kept[0])
    return [leading, *(pair for pair in kept if pair is not leading)]
