"""Splits text into words the way the index does, folds and stems them: for reading queries and marking matches; and
tells texts that are nearly the same words.

The index itself is SQLite's (unicode61 without diacritics, Porter); this only has to agree with it."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from sidecar.store.analysis import cjk_apart, may_vary, stem
from sidecar.store.index.english import american
from sidecar.store.inflection import bare, unsigned
from sidecar.store.letters import regular, with_full_figures

ALIKE = 0.8
"""Share of words in common (Jaccard) from which two passages are the same text in two places."""
_ALIKE_PAIRS = 0.7
"""Share of neighbouring words in common that they have besides: the same words say other things in another order, as in
the heads of two mails that answer one another."""
_OPENING = 400
"""Characters of a text that are compared."""
_MAX_LOOKED_UP = 6
"""Words of a text under which those that may be alike are looked up."""
_JOINED = r"[0-9]+(?:[.\-:/,][0-9]+)+"
_WORD = re.compile(rf"{_JOINED}|\w+")
_FIRST_MARK = "\u0300"
_NUMBER = re.compile(rf"(?<!\w){_JOINED}")
STOP_WORDS, *_OTHER_LANGUAGES = (
    frozenset(line.partition(":")[2].split())
    for line in Path(__file__).with_name("stop_words.txt").read_text("utf-8").splitlines()
)
"""Words that say nothing about a subject: English ones, and in other languages of scripts with spaces; of Chinese,
Japanese, Korean and Thai see `analysis`."""
_OTHER_SCRIPTS = "\u0370"
"""From here on letters are not Latin: one word of such a list tells the language well enough."""
_ENOUGH = 2
"""How many words of a language that say nothing, as many as of English ones and one of them none, tell that a query is
in it: an English abstract has "e.g." and "co-citation to"."""
_ARTICLES = frozenset(
    ("das", "der", "dem", "del", "des", "du", "el", "et", "het", "im", "la", "las", "le", "les", "los", "und", "une",
     "zum", "zur")
)  # fmt: skip
"""One of these alone tells it as well, in lower case: no English query has them."""
_UMLAUTS = frozenset("äöüß")
_COMPOUNDING = (0, 4, 8)
"""The languages of `_OTHER_LANGUAGES` that write words together: German, Dutch and Finnish."""


def stop_words(query: Iterable[str]) -> frozenset[str]:
    """The words of a query's language that say nothing, and the English ones. In an index that is mostly in one
    language, such words of another are rare, so that BM25 takes them for what the query is about."""
    return STOP_WORDS.union(*(_OTHER_LANGUAGES[one] for one in _languages(query)))


def language(query: Iterable[str]) -> frozenset[str]:
    """The words that say nothing in the query's language and are none of English; none where that is not known."""
    return frozenset[str]().union(*(_OTHER_LANGUAGES[one] for one in _languages(query))) - STOP_WORDS


def compounding(query: Iterable[str]) -> bool:
    """Whether the query's words are of a language that writes several together as one ("Hallenschlüssel")."""
    words = list(query)
    return any(one in _COMPOUNDING for one in _languages(words)) or not _UMLAUTS.isdisjoint("".join(words).lower())


def _languages(query: Iterable[str]) -> list[int]:
    typed = set(query)
    words, articles = {word.lower() for word in typed}, typed & _ARTICLES
    enough = max(_ENOUGH, len(words & STOP_WORDS))
    return [
        number
        for number, one in enumerate(_OTHER_LANGUAGES)
        if (len(words & one) >= enough and words & one - STOP_WORDS)
        or articles & one
        or any(word >= _OTHER_SCRIPTS for word in words & one)
    ]


def words(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of every word. Numbers with dots, dashes or colons inside ("8-1", "3.2") are one word; combining
    marks belong to the word they stand in, which Python's \\w does not know."""
    if text.isascii() or not _has_marks(text):
        yield from (found.span() for found in _WORD.finditer(text))
        return
    at = 0
    for number in _NUMBER.finditer(text):
        yield from _between(text, at, number.start())
        yield number.span()
        at = number.end()
    yield from _between(text, at, len(text))


def _has_marks(text: str) -> bool:
    """Whether a text has combining marks, of which Python's \\w knows nothing."""
    return any(one >= _FIRST_MARK and unicodedata.category(one)[0] == "M" for one in set(text))


def _between(text: str, first: int, end: int) -> Iterator[tuple[int, int]]:
    start = -1
    for at, character in enumerate(text[first:end], first):
        inside = character.isalnum() or character == "_" or (start >= 0 and unicodedata.category(character)[0] == "M")
        if inside and start < 0:
            start = at
        elif not inside and start >= 0:
            yield start, at
            start = -1
    if start >= 0:
        yield start, end


@lru_cache(maxsize=8192)
def key(word: str) -> str:
    """What two forms of a word share in search: case and accents folded, English endings off, British and American
    spellings one."""
    if word.isascii():
        return stem(american(word.lower()))
    if shared := bare(word.lower()):
        return shared
    plain = unsigned(word.casefold())
    return stem(plain) if plain.isascii() else plain


def plain(text: str) -> str:
    """Words folded but not stemmed, one space between and around CJK: for comparing literally."""
    if text.isascii():
        return " ".join(_WORD.findall(text.lower()))
    spelt = with_full_figures(regular(text) if may_vary(text) else text)
    bare = unicodedata.normalize("NFKD", cjk_apart(spelt)).casefold()
    if apart := [one for one in set(bare) if one >= _FIRST_MARK and unicodedata.combining(one)]:
        bare = re.sub(f"[{''.join(apart)}]+", "", bare)
    if not _has_marks(bare):
        return " ".join(_WORD.findall(bare))
    return " ".join(bare[start:end] for start, end in words(bare))


class _Text:
    """How a text opens: its words, and in which order."""

    def __init__(self, text: str) -> None:
        self._words = text[:_OPENING].lower().split()
        self.words = frozenset(self._words)

    def longest(self) -> list[str]:
        """Its `_MAX_LOOKED_UP` longest words."""
        sizes = sorted(map(len, self.words), reverse=True)[:_MAX_LOOKED_UP]
        shortest = sizes[-1] if sizes else 0
        chosen = [one for one in self.words if len(one) >= shortest]
        return sorted(sorted(chosen), key=len, reverse=True)[:_MAX_LOOKED_UP]

    @cached_property
    def pairs(self) -> AbstractSet[tuple[str, str]]:
        """Its words with those that follow them."""
        return set(pairwise(self._words))


class SeenTexts:
    """Texts seen so far, by number. Only those that share one of their longest words are compared."""

    def __init__(self) -> None:
        self._by_word: dict[str, list[tuple[_Text, int]]] = {}

    def seen(self, text: str, number: int) -> int | None:
        """The number of the one that it nearly is; None where there is none: it is one from now on, of `number`."""
        opening = _Text(text)
        longest = opening.longest()
        met: set[int] = set()
        for word in longest:
            for other, known in self._by_word.get(word, ()):
                if known not in met and _alike(opening, other):
                    return known
                met.add(known)
        for word in longest:
            self._by_word.setdefault(word, []).append((opening, number))
        return None


def _alike(one: _Text, other: _Text) -> bool:
    if _shared(one.words, other.words, ALIKE) < ALIKE:
        return False
    return not (one.pairs and other.pairs) or _shared(one.pairs, other.pairs, _ALIKE_PAIRS) >= _ALIKE_PAIRS


def _shared(one: AbstractSet[object], other: AbstractSet[object], least: float) -> float:
    """What is in both, of what is in either (Jaccard); 0 where their sizes alone say that it is below `least`."""
    first, second = len(one), len(other)
    if min(first, second) < least * max(first, second):
        return 0.0
    both = len(one & other)
    return both / (first + second - both)
