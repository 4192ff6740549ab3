"""Chooses what an answer shows from ranked passages: one a section, no text twice, no document alone, few scraps.

The constants shape what a person sees more than they move relevance: turned off one at a time, they change nDCG@10 on
the collections by 0.001 at most and the mean reciprocal rank of questions over mixed documents by 0.01 at most
(tests/bench/ablation.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sidecar.store import Passage

ALONE = 2
"""So many hits of one document count in full; each further one has `CROWDED` of the score of the one before."""
CROWDED = 0.9
SCRAP_CHARS = 100
"""A shorter text says little of its own, and both BM25 and embeddings overrate it: at worst it keeps `SCRAP` of its
score, and a heading with nothing under it `BARE`."""
SCRAP = 0.75
BARE = 0.7
MARKUP = 0.6
"""What is written for machines (JSON, code) keeps so much where a question is asked in words: prose that says the same
answers it better, and data repeats its words."""
_MARKS = '"{}[]<>=;'
_MARKED = 0.04
"""Share of such characters from which a text is taken for one: prose has a fifth of it."""
_DATA = (".json", ".jsonl", ".ndjson", ".geojson", ".lock")
ALIKE = 0.8
"""Share of words in common (Jaccard) from which two passages are the same text in two places."""
_OPENING = 400
_LONGEST = 6


def choose(
    passages: Sequence[Passage], scores: Mapping[int, float], limit: int, *, in_words: bool = False
) -> list[tuple[Passage, float]]:
    """At most `limit` passages with the scores they are shown with, best first; `in_words` says that prose is wanted.

    What repeats a text already chosen is not lost: it comes last, where there is room.
    """
    weighed = sorted(((passage, scores[passage.id] * _weight(passage, in_words)) for passage in passages), key=_score)
    seen: set[tuple[str, str | int]] = set()
    texts = _Texts()
    of_document: Counter[str] = Counter()
    chosen: list[tuple[Passage, float]] = []
    repeated: list[tuple[Passage, float]] = []
    for passage, score in weighed:
        place = section_of(passage)
        if place in seen:
            continue
        seen.add(place)
        if texts.seen(passage.text):
            repeated.append((passage, score))
            continue
        chosen.append((passage, score * CROWDED ** max(0, of_document[passage.slug] + 1 - ALONE)))
        of_document[passage.slug] += 1
        if len(chosen) == 2 * limit:
            break
    chosen.sort(key=_score)
    if len(chosen) < limit and repeated:
        last = chosen[-1][1]
        chosen += [(passage, min(score, last)) for passage, score in repeated]
    return chosen[:limit]


def section_of(passage: Passage) -> tuple[str, str | int]:
    """What a hit leads to: the section, or the part where there are no sections."""
    return passage.slug, passage.section if passage.part_kind == "chapter" and passage.section else passage.part


def _score(one: tuple[Passage, float]) -> float:
    return -one[1]


def _weight(passage: Passage, in_words: bool) -> float:
    size = len(passage.text)
    if size >= SCRAP_CHARS:
        return MARKUP if in_words and _for_machines(passage) else 1.0
    if passage.heading.endswith(passage.text):
        return BARE
    return SCRAP + (1 - SCRAP) * size / SCRAP_CHARS


def _for_machines(passage: Passage) -> bool:
    marks = sum(map(passage.text.count, _MARKS))
    return marks > _MARKED * len(passage.text) or passage.path.lower().endswith(_DATA)


class _Texts:
    """Texts seen so far. Only those that share one of their longest words are compared."""

    def __init__(self) -> None:
        self._by_word: dict[str, list[frozenset[str]]] = {}

    def seen(self, text: str) -> bool:
        """Whether it is nearly one of them; else it is one from now on."""
        words = frozenset(text[:_OPENING].lower().split())
        longest = sorted(sorted(words), key=len, reverse=True)[:_LONGEST]
        for word in longest:
            if any(_alike(words, other) for other in self._by_word.get(word, ())):
                return True
        for word in longest:
            self._by_word.setdefault(word, []).append(words)
        return False


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    small, large = sorted((len(one), len(other)))
    if small < ALIKE * large:
        return False
    shared = len(one & other)
    return shared >= ALIKE * (small + large - shared)
