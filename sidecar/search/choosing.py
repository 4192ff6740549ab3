"""Chooses what an answer shows from ranked passages: one a section, no text twice, no document alone, few scraps."""

from __future__ import annotations

import re
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
ALIKE = 0.8
"""Share of words in common (Jaccard) from which two passages are the same text in two places."""
_OPENING = 600
_WORD = re.compile(r"\w+")


def choose(passages: Sequence[Passage], scores: Mapping[int, float], limit: int) -> list[tuple[Passage, float]]:
    """At most `limit` passages with the scores they are shown with, best first.

    What repeats a text already chosen is not lost: it comes last, where there is room.
    """
    weighed = sorted(((passage, scores[passage.id] * _weight(passage)) for passage in passages), key=_score)
    seen: set[tuple[str, str | int]] = set()
    texts: list[frozenset[str]] = []
    of_document: Counter[str] = Counter()
    chosen: list[tuple[Passage, float]] = []
    repeated: list[tuple[Passage, float]] = []
    for passage, score in weighed:
        place = section_of(passage)
        if place in seen:
            continue
        seen.add(place)
        text = frozenset(_WORD.findall(passage.text[:_OPENING].lower()))
        if any(_alike(text, other) for other in texts):
            repeated.append((passage, score))
            continue
        texts.append(text)
        chosen.append((passage, score * CROWDED ** max(0, of_document[passage.slug] + 1 - ALONE)))
        of_document[passage.slug] += 1
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


def _weight(passage: Passage) -> float:
    size = len(passage.text)
    if size >= SCRAP_CHARS:
        return 1.0
    if passage.heading.endswith(passage.text):
        return BARE
    return SCRAP + (1 - SCRAP) * size / SCRAP_CHARS


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    small, large = sorted((len(one), len(other)))
    if small < ALIKE * large or not small:
        return False
    shared = len(one & other)
    return shared >= ALIKE * (small + large - shared)
