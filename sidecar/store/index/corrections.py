"""What words of a query that stand nowhere in the index were meant to be: misspelt, spelt otherwise, compounds. How
like one another two words are is what `spelling` and `variants` know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial, reduce
from operator import and_, or_

from sidecar.store.analysis import stem
from sidecar.store.database.session import Session
from sidecar.store.index.english import english_words, other_spellings
from sidecar.store.index.ranking import ELEMENTS, PASSAGES, FullText, Terms
from sidecar.store.index.spelling import capitalised, compound, correction, ended, is_misspelt, taken_apart
from sidecar.store.index.variants import begun_alike, folded, formed_otherwise, months_otherwise, spelt_otherwise
from sidecar.store.index.vocabulary import Vocabulary

_MAX_LETTERS = 100
"""Letters of a word that may be a misspelt one or a compound; what is longer is none, and taking it apart costs its
square: 4,000 letters took ten seconds of a core."""


@dataclass(frozen=True)
class Corrections:
    """Word → the words of the index it was meant to be. `together`: some row holds all of these and another word of the
    query, so there is little doubt."""

    words: Mapping[str, tuple[str, ...]]
    together: bool


def corrections(
    texts: FullText, terms: Terms, absent: Sequence[str], *, in_words: bool, language: AbstractSet[str]
) -> Corrections:
    """What the words that stand nowhere (`Ranked.absent`) were meant to be. A word of some name, element or table is
    right as it is, and one with a capital letter is not a word that the texts have with none. A sentence (`in_words`)
    uses words that are right and just not the documents' own: there a word is taken for another only where that stands
    with one more of the query and begins alike ("fridge" is no "bridge"), or is long and one letter apart. Of a
    language of compounds, or where there is no other word, what ends some is right too; of such a language, what is one
    is taken apart. `language`: see `correction`."""
    session = texts.session
    missing = [word for word in absent if len(word) <= _MAX_LETTERS and not _occurs(session, word)]
    if not missing:
        return Corrections({}, together=False)
    vocabulary = texts.vocabulary
    english = frozenset() if language else english_words(missing)
    same = {
        word: (spelt,) for word in missing if (spelt := _spelt_otherwise(vocabulary, word, english=word in english))
    }
    alone = len(terms.required) + len(terms.wanted) == 1
    single = alone and not english
    other = [word for word in missing if word not in same and (language or single or not word.isascii())]
    same |= {word: forms for word in other if (forms := formed_otherwise(vocabulary, word))}
    same |= {word: months for word in missing if (months := months_otherwise(vocabulary, word))}
    if terms.compounds:
        same |= ended(session, vocabulary, [word for word in missing if word not in same])
    names = capitalised([term.strip('"') for term in terms.wanted])
    nearest = partial(correction, session, vocabulary, language=language)
    found = {
        word: "" if word in same else nearest(word, english=word in english, name=word in names) for word in missing
    }
    if single and not terms.compounds:
        same |= ended(session, vocabulary, [word for word in missing if not (word in same or found[word])], names)
    for word in missing:
        apart = taken_apart(vocabulary, word) if not (word in same or found[word]) else ()
        if joined := next((one for one in apart if texts.bits(f'"{one}"')), ""):
            same[word] = (joined,)
    others = [term for term in (*terms.required, *terms.wanted) if term.strip('"') not in found]
    beside = reduce(or_, map(texts.bits, others), 0)
    rows = {word: texts.bits(f'"{spelt}"') for word, spelt in found.items() if spelt}
    if in_words:
        rows = {
            word: bits
            for word, bits in rows.items()
            if (bits & beside and found[word][:1] == folded(word)[:1]) or is_misspelt(word, found[word])
        }
    several = [*rows.values(), *([beside] if others else [])]
    meant: dict[str, tuple[str, ...]] = {**same, **{word: (found[word],) for word in rows}}
    for word in missing:
        if word not in meant:
            halves = compound(vocabulary, word) if terms.compounds or alone else ()
            if len(halves) > (0 if terms.compounds else 1):
                meant[word] = halves
            elif (language or not word.isascii()) and (forms := begun_alike(vocabulary, word)):
                meant[word] = forms
    return Corrections(meant, len(several) > 1 and bool(reduce(and_, several)))


def numbers_written(texts: FullText, numbers: Sequence[str]) -> tuple[str, ...]:
    """The FTS5 expressions of numbers, typed in groups and given as one word each, as the index has them: as that word,
    or in other groups; none of those that it does not have."""
    vocabulary = texts.vocabulary
    ways = ([number] if vocabulary.rows(stem(number)) else taken_apart(vocabulary, number) for number in numbers)
    found = (next((f'"{one}"' for one in way if texts.bits(f'"{one}"')), "") for way in ways)
    return tuple(filter(None, found))


def _spelt_otherwise(vocabulary: Vocabulary, word: str, *, english: bool) -> str:
    if not english:
        return spelt_otherwise(vocabulary, word)
    return next((one for one in other_spellings(word.lower()) if vocabulary.rows(stem(one))), "")


def _occurs(session: Session, word: str) -> bool:
    """Whether the word stands in any full-text table."""
    return any(
        session.one(f"SELECT 1 FROM {fts} WHERE {fts} MATCH ? LIMIT 1", (f'"{word}"',))  # noqa: S608  # our own names
        for fts in (PASSAGES.fts, ELEMENTS.fts, "names_fts", "tables_fts")
    )
