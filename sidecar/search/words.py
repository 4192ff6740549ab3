"""Splits text into words the way the index does, folds and stems them: for reading queries and marking matches.

The index itself is SQLite's (unicode61 without diacritics, Porter); this only has to agree with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from sidecar.store.analysis import stem

_ASCII = re.compile(r"[0-9]+(?:[.\-:/,][0-9]+)+|\w+")
_STOP_WORDS = (
    "a about all also an and any are as at be because been being but by can could did do does doing for "
    "from had has have having he her here his how i if in into is it its just may me might more most must "
    "my no nor not of off on or our out over own shall she should so some such than that the their them "
    "then there these they this those to too under up us very was we were what when where which while who "
    "whom whose why will with would you your"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English words that say nothing about a subject; words frequent in any other language weigh little by BM25 anyway."""


def words(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of every word. Numbers with dots, dashes or colons inside ("8-1", "3.2") are one word; combining
    marks belong to the word they stand in, which Python's \\w does not know."""
    if text.isascii():
        yield from (found.span() for found in _ASCII.finditer(text))
        return
    start = -1
    for at, character in enumerate(text):
        inside = character.isalnum() or character == "_" or (start >= 0 and unicodedata.category(character)[0] == "M")
        if inside and start < 0:
            start = at
        elif not inside and start >= 0:
            yield start, at
            start = -1
    if start >= 0:
        yield start, len(text)


@lru_cache(maxsize=8192)
def key(word: str) -> str:
    """What two forms of a word share in the index: case and accents folded, English endings off."""
    if word.isascii():
        return stem(word.lower())
    folded = unicodedata.normalize("NFKD", word).casefold()
    plain = "".join(character for character in folded if not unicodedata.combining(character))
    return stem(plain) if plain.isascii() else plain


def plain(text: str) -> str:
    """Words folded but not stemmed, one space between: for comparing literally."""
    bare = text.lower()
    if not text.isascii():
        folded = unicodedata.normalize("NFKD", text).casefold()
        bare = "".join(character for character in folded if not unicodedata.combining(character))
    return " ".join(bare[start:end] for start, end in words(bare))
