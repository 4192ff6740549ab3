"""The words of a full-text index, as stems, in memory: read where a query has a word that stands nowhere.

SQLite counts the rows of every term it passes, so that reading the vocabulary, which each such query did several times,
took longer than the search. As one text with a line a term it takes ten bytes a term, and is searched by bisection."""

from __future__ import annotations

import time
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable
from heapq import nlargest
from itertools import accumulate
from threading import Lock

import msgspec

from sidecar.store.analysis import stem
from sidecar.store.database.session import Session

_SHARE = 0.05
"""Share of the time that reading vocabularies anew may take while the index changes: until then the words of what came
last are not known to be meant."""
_CHEAP_SECONDS = 0.02
"""One that is read so fast is read whenever the index has changed: 30,000 terms."""
_STATE = "SELECT group_concat(name || seq) FROM sqlite_sequence WHERE name IN ('changes', 'passages')"
"""Another whenever documents come, change or go."""
_HIGHEST = "\U0010ffff"
"""Sorts behind every letter."""
_counts = msgspec.json.Decoder(list[int]).decode


class Vocabulary:
    """The terms of one full-text table with the numbers of their rows."""

    def __init__(self, fts: str, text: str, lengths: Iterable[int], rows: Iterable[int]) -> None:
        """`text` are the terms in order, a newline between; `lengths` and `rows` are the terms' characters and rows."""
        self.fts = fts
        self._text = text
        self._rows = array("L", rows)
        self._starts = array("L", accumulate((length + 1 for length in lengths), initial=0))

    @classmethod
    def read(cls, session: Session, fts: str) -> Vocabulary:
        """That of the full-text table `fts`, as one row: rows by the thousand would hold the interpreter up."""
        together = "group_concat(term, char(10)), json_group_array(length(term)), json_group_array(doc)"
        text, lengths, rows = session.execute(f"SELECT {together} FROM {fts}_terms").fetchone()  # noqa: S608  # ours
        return cls(fts, text or "", _counts(lengths), _counts(rows))

    def known(self, terms: Iterable[str]) -> set[str]:
        """Those of the terms that it has."""
        return {term for term in set(terms) if self.rows(term)}

    def rows(self, term: str) -> int:
        """How many rows have the term."""
        at = self._place(term)
        return self._rows[at] if at < len(self._rows) and self._term(at) == term else 0

    def begins(self, begin: str) -> bool:
        """Whether a term begins so."""
        at = self._place(begin)
        return at < len(self._rows) and self._term(at).startswith(begin)

    def beginning(self, begin: str, lengths: Collection[int] | None = None) -> list[tuple[str, int]]:
        """The terms that begin so, of these `lengths`, in order, with the numbers of their rows."""
        first, end = self._place(begin), self._place(begin + _HIGHEST)
        if first == end:
            return []
        terms = self._text[self._starts[first] : self._starts[end] - 1].split("\n")
        found = zip(terms, self._rows[first:end], strict=True)
        return list(found) if lengths is None else [one for one in found if len(one[0]) in lengths]

    def ending(self, endings: Collection[str], most: int) -> list[str]:
        """The `most` terms in most rows that end in any of these."""
        found = {at for ending in endings for at in self._ending(ending)} if self._rows else ()
        return [self._term(at) for at in nlargest(most, sorted(found), key=self._rows.__getitem__)]

    def within(self, word: str, most: int) -> list[str]:
        """The `most` terms in most rows that have the word within."""
        found: set[int] = set()
        at = self._text.find(word)
        while at >= 0:
            found.add(bisect_right(self._starts, at) - 1)
            at = self._text.find(word, at + len(word))
        return [self._term(one) for one in nlargest(most, sorted(found), key=self._rows.__getitem__)]

    def _ending(self, ending: str) -> Iterable[int]:
        text, wanted = self._text + "\n", ending + "\n"
        at = text.find(wanted)
        while at >= 0:
            yield bisect_right(self._starts, at) - 1
            at = text.find(wanted, at + len(wanted))

    def _term(self, at: int) -> str:
        return self._text[self._starts[at] : self._starts[at + 1] - 1]

    def _place(self, term: str) -> int:
        return bisect_left(range(len(self._rows)), term, key=self._term)


class Vocabularies:
    """The vocabularies read last, a table each. Safe to use from several threads."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, Vocabulary, float, float]] = {}
        self._lock = Lock()

    def clear(self) -> None:
        """Forget everything: the index file is another one."""
        with self._lock:
            self._kept.clear()

    def lacks(self, fts: str, expressions: Iterable[str]) -> bool:
        """Whether a word of these FTS5 expressions was no word of the table when its vocabulary was read last."""
        with self._lock:
            known = self._kept.get(fts)
        if known is None:
            return False
        stems = {stem(one[1:-1].lower()) for one in expressions if one.isascii() and one[1:-1].isalnum()}
        return len(known[1].known(stems)) < len(stems)

    def of(self, session: Session, fts: str) -> Vocabulary:
        """That of a full-text table, read anew where documents have changed."""
        state = session.one(_STATE)
        with self._lock:
            known = self._kept.get(fts)
        begun = time.monotonic()
        if known is not None:
            seen, vocabulary, loaded, cost = known
            if seen == state or (cost > _CHEAP_SECONDS and begun - loaded < cost / _SHARE):
                return vocabulary
        vocabulary = Vocabulary.read(session, fts)
        now = time.monotonic()
        with self._lock:
            self._kept[fts] = (state, vocabulary, now, now - begun)
        return vocabulary
