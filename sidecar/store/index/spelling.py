"""Which word of the index one that stands nowhere in it was meant to be: a letter or two wrong, left out, too many or
swapped (Damerau, "A technique for computer detection and correction of spelling errors", CACM 1964).

The index's vocabulary holds stems, so one letter is looked for in what was typed (Norvig, "How to write a spelling
corrector", 2007), two letters between it and the stems that begin alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from string import ascii_lowercase

import msgspec

from sidecar.store.analysis import stem
from sidecar.store.database.session import Session
from sidecar.store.index.common_words import word_with_stem

SHORTEST = 4
"""A shorter word comes near too many others."""
TWO_WRONG = 7
"""In so long a word two letters may be wrong."""
_BEGINNING = 2
"""Letters in which stems must agree for two letters to be looked for: nobody mistypes both, and to read the whole
vocabulary of a large library takes longer than a search."""
_TRIED = 8
"""Stems whose forms are looked up."""
_WORD = re.compile(r"[^\W\d_]+")


def correction(session: Session, fts: str, content: str, word: str) -> str:
    """The word of the index that comes nearest to `word`, the commonest of several; "" where none does."""
    decomposed = unicodedata.normalize("NFKD", word.lower())
    word = "".join(character for character in decomposed if not unicodedata.combining(character))  # as the index folds
    if len(word) < SHORTEST or not word.isalpha():
        return ""
    return _one_wrong(session, fts, word) or (_two_wrong(session, fts, content, word) if len(word) >= TWO_WRONG else "")


def _one_wrong(session: Session, fts: str, word: str) -> str:
    spelt: dict[str, str] = {}
    for candidate in _edits(word):
        spelt.setdefault(stem(candidate), candidate)
    found = session.rows(
        f"SELECT v.term, v.doc FROM json_each(?) j JOIN {fts}_terms v ON v.term = j.value "  # noqa: S608  # our own name
        "ORDER BY v.doc DESC, v.term LIMIT 1",
        (msgspec.json.encode(list(spelt)).decode(),),
    )
    return next((spelt[term] for term, _ in found), "")


def _edits(word: str) -> Iterator[str]:
    """Every word one letter away, those of the same letters in another order first."""
    for at in range(len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    for at in range(len(word) + 1):
        begin, end = word[:at], word[at:]
        for letter in ascii_lowercase:
            yield begin + letter + end
            if end:
                yield begin + letter + end[1:]
        if end:
            yield begin + end[1:]


def _two_wrong(session: Session, fts: str, content: str, word: str) -> str:
    begin = word[:_BEGINNING]
    rows = session.rows(
        f"SELECT term, doc FROM {fts}_terms WHERE term >= ? AND term < ? AND length(term) <= ?",  # noqa: S608
        (begin, begin[:-1] + chr(ord(begin[-1]) + 1), len(word) + 2),
    )
    letters = set(word)
    # A stem is a beginning: whether the rest of the word fits, its forms in the texts tell.
    near = [(min(_distances(term, word)), -rows, term) for term, rows in rows if len(set(term) - letters) <= 2]
    for far, _, term in sorted(near)[:_TRIED]:
        spelt = _spelt(session, fts, content, term, word) if far <= 2 else ""
        if spelt and _distances(spelt, word)[-1] <= 2:
            return spelt
    return ""


def _spelt(session: Session, fts: str, content: str, term: str, word: str) -> str:
    """A word of this stem, as it stands in a text: the one nearest to `word`."""
    helper = word_with_stem(term)
    row = helper and session.one(f"SELECT rowid FROM {fts} WHERE {fts} MATCH ? LIMIT 1", (f'"{helper}"',))  # noqa: S608
    text = session.one(f"SELECT text FROM {content} WHERE id = ?", (row,)) if row else ""  # noqa: S608
    forms = {one for one in _WORD.findall((text or "").lower()) if stem(one) == term}
    return min(forms, key=lambda one: (_distances(one, word)[-1], one), default="")


def _distances(one: str, other: str) -> list[int]:
    """How many letters must be changed, put in, left out or swapped with their neighbour to make `one` the first 0, 1,
    2 … letters of `other`, which is the last."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, against in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last
