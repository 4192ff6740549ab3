"""Which rows hold a term, as one big integer with a bit a row; kept in memory, brought up to date when rows are added.

FTS5 takes thirty times as long to score rows as to list them: so the candidates of a query are chosen on these bits
(sum of inverse document frequencies, O'Neil & Quass 1997 bit-sliced), and only they are scored. Row ids are never
reused (AUTOINCREMENT), so a bit of a row that has gone is harmless: the row is not found when it is scored."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from threading import Lock

from sidecar.store.database.session import Session
from sidecar.store.index.common_words import kept, matching, pack, to_bits, unpack
from sidecar.store.index.vocabulary import Vocabularies

_ONE = re.compile("1")
_MAX_LOOKED_AT = 1500
"""How many rows are looked at one by one; of more, all that hold the term are listed."""


def to_ids(bits: int) -> list[int]:
    """The rows, highest first."""
    digits = f"{bits:b}"
    top = len(digits) - 1
    return [top - found.start() for found in _ONE.finditer(digits)]


def holding(ids: Sequence[int], rows: int, bits: int) -> Iterator[int]:
    """Those of `ids`, which are the rows of `rows`, that are in `bits`."""
    if len(ids) > _MAX_LOOKED_AT:
        return iter(to_ids(rows & bits))
    octets = bits.to_bytes((max(bits.bit_length(), rows.bit_length()) + 7) // 8, "little")
    return (row for row in ids if octets[row >> 3] >> (row & 7) & 1)


class Postings:
    """The bits of the terms asked for lately, at most `max_bytes` of them. Safe to use from several threads."""

    def __init__(self, max_bytes: int = 8 * 2**20) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[tuple[str, str], tuple[bytes, int]] = OrderedDict()
        self._totals: dict[str, tuple[int, int]] = {}
        self._lock = Lock()
        self.vocabularies = Vocabularies()

    def clear(self) -> None:
        """Forget everything: the index file is another one."""
        with self._lock:
            self._kept.clear()
            self._totals.clear()
            self._bytes = 0
        self.vocabularies.clear()

    def total(self, session: Session, table: str, highest: int) -> int:
        """How many rows the content `table` has, counted anew when rows have been added."""
        known = self._totals.get(table)
        if known is None or known[0] != highest:
            known = highest, session.one(f"SELECT count(*) FROM {table}")  # noqa: S608  # our own name
            self._totals[table] = known
        return known[1]

    def bits(self, session: Session, table: str, expression: str, highest: int) -> int:
        """The rows of the full-text `table` that match; `highest` is the highest row id in this transaction."""
        key = (table, expression)
        with self._lock:
            packed, known = self._kept.get(key, (b"", 0))
            if packed:
                self._kept.move_to_end(key)
        fresh = not packed
        if fresh:
            packed, known = kept(session, table, expression)
        bits = unpack(packed)
        if known < highest:
            found = matching(session, table, expression, known, highest)
            if found:
                bits |= to_bits(found, max(found))
        if fresh or known < highest:
            self._keep(key, pack(bits) if known < highest else packed, highest)
        return bits

    def _keep(self, key: tuple[str, str], packed: bytes, highest: int) -> None:
        with self._lock:
            old, _ = self._kept.pop(key, (b"", 0))
            self._kept[key] = (packed, highest)
            self._bytes += len(packed) - len(old)
            while self._bytes > self._max_bytes and len(self._kept) > 1:
                _, (dropped, _) = self._kept.popitem(last=False)
                self._bytes -= len(dropped)


def best(weighted: Sequence[tuple[int, int]], among: int, wanted: int, most: int) -> int:
    """The rows of `among` with the highest sum of weights: at least `wanted` where there are that many, with those that
    tie with the last, but no more than `most` (newest first).

    Args:
        weighted: (bits, weight ≥ 1) of each term."""
    slices: list[int] = []
    for bits, weight in weighted:
        for place in range(weight.bit_length()):
            if weight >> place & 1:
                _add(slices, bits & among, place)
    chosen, ties = 0, among
    for sums in reversed(slices):
        higher = chosen | (ties & sums)
        count = higher.bit_count()
        if count > wanted:
            ties &= sums
        else:
            chosen, ties = higher, ties & ~sums
            if count == wanted:
                return chosen
    return chosen | newest(ties, most - chosen.bit_count())


def newest(bits: int, count: int) -> int:
    """The `count` highest rows, or all where there are fewer."""
    low, high = 0, bits.bit_length()
    if bits.bit_count() <= count:
        return bits
    while low < high:
        middle = (low + high) // 2
        if (bits >> middle).bit_count() > count:
            low = middle + 1
        else:
            high = middle
    return bits >> low << low


def _add(slices: list[int], carry: int, place: int) -> None:
    """Add 2^place to the sums of the rows in `carry`; `slices[i]` holds bit i of every row's sum."""
    while carry:
        while len(slices) <= place:
            slices.append(0)
        slices[place], carry = slices[place] ^ carry, slices[place] & carry
        place += 1
