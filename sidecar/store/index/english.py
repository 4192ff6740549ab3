"""Which words are English as they stand, so that none of them is taken for another word misspelt: who asks for
"poverty" does not mean the "poetry" that the texts have.

The list is of the Spell Checker Oriented Word Lists (SCOWL, Kevin Atkinson; `words/NOTICE`). Without it, of 688 words
of a language model, names among them, that stood nowhere in a folder of 873 documents 435 were looked for as others."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import partial
from mmap import ACCESS_READ, mmap
from pathlib import Path

_WORDS = Path(__file__).with_name("words") / "english.txt"
"""In small letters, a line each, in order."""
_SPELLINGS = (
    ("our", "or"), ("ogue", "og"), ("ae", "e"), ("oe", "e"), ("ll", "l"), ("mme", "m"), ("grey", "gray"),
    ("tre", "ter"), ("ence", "ense"), ("isa", "iza"), ("ise", "ize"), ("isi", "izi"), ("yse", "yze"), ("ysi", "yzi"),
    ("fibre", "fiber"), ("calibre", "caliber"), ("mould", "mold"), ("plough", "plow"), ("sceptic", "skeptic"),
    ("aluminium", "aluminum"), ("artefact", "artifact"), ("ageing", "aging"), ("judgement", "judgment"),
    ("enquir", "inquir"), ("jewellery", "jewelry"),
)  # fmt: skip
"""British letters, and what Americans write for them."""
_BRITISH = re.compile(
    r"[aeiouy].*(?:our|[aeiouy]ll)|ae.|^oe|oe(?:[ao]|[^aeiou][aeiou])|ogue|mme|grey|tre|ence|is[aei]|ys[ei]"
    r"|fibre|calibre|mould|plough|sceptic|aluminium|artefact|ageing|judgement|enquir|jewellery"
)
"""What a British word has that is the American one in another spelling and no other word: "fourth" is not "forth",
"willing" not "wiling", "poets" not "pets". Of the 1,600 pairs in the list that Porter's stems part none of another
meaning was seen but "gravelly" and "timbre"."""
_LONGEST = 24
"""Letters of a word that is looked for in another spelling: the patterns above take the square of it, and texts may
hold words of any length."""
_SAME = 6
"""Letters in which a word must begin as another does that may be another form of it: "dentistry", "dentist"."""
_ENDING = 2


def english_words(words: Iterable[str]) -> frozenset[str]:
    """Those of the words, in whatever case, that the list has. It is opened anew each time: few queries hold a word
    that stands nowhere, and an idle server need not keep it."""
    lower = {word: word.lower() for word in words}
    listed = frozenset(_listed(lower.values()))
    return frozenset(word for word, small in lower.items() if small in listed)


def other_spellings(word: str) -> list[str]:
    """The word as it is spelt on the other side of the Atlantic, where the list has that."""
    made = (
        word[: found.start()] + new + word[found.end() :]
        for pair in _SPELLINGS
        for old, new in (pair, pair[::-1])
        for found in re.finditer(old, word)
    )
    return _listed(made)


def both_spellings(word: str) -> list[str]:
    """The spellings, other than `word`, that are the same English word, so that texts with either have both."""
    small = word.lower()
    found = other_spellings(small) if len(small) <= _LONGEST and small.isascii() and small.isalpha() else []
    found = [one for one in found if one != small and _BRITISH.search(_british(small, one))]
    return found if found and _listed((small,)) else []


def american(word: str) -> str:
    """A word in small letters as Americans spell it, itself where they spell it so too."""
    if len(word) > _LONGEST or not word.isascii() or not _BRITISH.search(word):
        return word
    made = [word.replace(old, new, 1) for old, new in _SPELLINGS if old in word]
    found = _listed((word, *made)) if made else []
    return found[1] if len(found) > 1 and found[0] == word else word


def is_form(word: str, other: str) -> bool:
    """Whether an English `word` may be a form of `other`, a word of the texts: only their ends differ."""
    beginning = max(_SAME, len(word) - _ENDING, len(other) - _ENDING)
    return len(word) >= beginning and word[:beginning] == other[:beginning]


def _british(word: str, other: str) -> str:
    """Which of two spellings is the British one."""
    return word if any(word.replace(old, new, 1) == other for old, new in _SPELLINGS) else other


def _listed(words: Iterable[str]) -> list[str]:
    with _WORDS.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as listed:
        line = partial(_line, listed)
        places = range(len(listed))
        return [word for word in words if line(bisect_left(places, word.encode(), key=line)) == word.encode()]


def _line(listed: mmap, place: int) -> bytes:
    """The line that the place is in, b"" beyond the end."""
    return listed[listed.rfind(b"\n", 0, place) + 1 : max(0, listed.find(b"\n", place))]
