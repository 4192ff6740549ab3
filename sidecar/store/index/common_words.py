"""The rows of the index's commonest words, kept in the index: what the first query with such a word needs at once.

A question of twenty words has a dozen common ones, and listing the rows of those takes longer than all else in a
search; the same rows as packed bits are read in a hundredth of the time. Upkeep writes them, queries add what has
come since (row ids only grow). Words that are rarer cost nothing worth keeping. See "first" and "warm" in
tests/bench/search/search_latency.py."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

import msgspec

from sidecar.store.analysis import stem
from sidecar.store.database.requests import get_setting, put_setting
from sidecar.store.database.session import Session

MIN_ROWS = 20_000
"""Smaller tables need no such help."""
_MIN_SHARE = 0.01
"""Share of the rows that makes a word common: a thousand or two words in any library."""
_GROWTH = 0.05
"""Written anew when this much more has been added; until then the rows beyond are looked up."""
_BATCH = 64
_PLAIN, _PACKED = b"-", b"z"
_WORTH = 0.5

_ENDINGS = ("", "e", "al", "ion", "ation", "s", "ed", "ing", "ity", "ent", "ive", "y")
_WORD = re.compile(r'(?:([a-z]+) : )?"([A-Za-z0-9]+)"')
_ids = msgspec.json.Decoder(list[int]).decode


def _stored_as(expression: str) -> str:
    """The name under which the rows of an FTS5 expression are kept, "" for one that never is: a word, or a word in a
    column. The forms of a word share their rows."""
    found = _WORD.fullmatch(expression)
    if found is None:
        return ""
    column, word = found.groups()
    return f"{column or ''}:{stem(word.lower())}"


def kept(session: Session, fts: str, expression: str) -> tuple[bytes, int]:
    """The packed bits of the expression and the highest row they know of; (b"", 0) where nothing is kept."""
    name = _stored_as(expression)
    if not name:
        return b"", 0
    row = session.execute("SELECT rows, known FROM postings WHERE fts = ? AND name = ?", (fts, name)).fetchone()
    return (b"", 0) if row is None else row


def due(session: Session, fts: str, content: str) -> tuple[int, int] | None:
    """(highest row, rows) of a table whose common words are to be written anew, None where they need not be: too
    few rows have come, or gone, since."""
    highest = session.one("SELECT seq FROM sqlite_sequence WHERE name = ?", (content,)) or 0
    total = session.one(f"SELECT count(*) FROM {content}") if highest >= MIN_ROWS else 0  # noqa: S608  # our own name
    written = get_setting(session, f"postings {fts}").split()
    known, had = map(int, written) if written else (0, 0)
    if total < MIN_ROWS:
        return (highest, 0) if had else None
    return (highest, total) if highest - known > _GROWTH * total or total < had * (1 - _GROWTH) else None


def common_words(session: Session, fts: str, total: int) -> list[str]:
    """For each index term that stands in `_MIN_SHARE` of the rows a word to ask for it by, where we know one."""
    if not total:
        return []
    terms = session.rows(f"SELECT term FROM {fts}_terms WHERE doc >= ?", (_MIN_SHARE * total,))  # noqa: S608  # ours
    return [word for (term,) in terms if (word := _word_with_stem(term))]


def _word_with_stem(term: str) -> str:
    """A stem stemmed again may become another ("experiment" is the stem of "experimental", "experi" its own)."""
    return next((term + ending for ending in _ENDINGS if _stored_as(f'"{term}{ending}"') == f":{term}"), "")


def rows_of(session: Session, fts: str, leading: str, words: list[str], upto: int) -> list[tuple[str, bytes]]:
    """(name, packed bits) of words, and of the same in the `leading` column, of the rows up to `upto`."""
    return [
        (_stored_as(expression), pack(to_bits(matching(session, fts, expression, 0, upto), upto)))
        for word in words
        for expression in (f'"{word}"', f'{leading} : "{word}"')
    ]


def put(session: Session, fts: str, rows: list[tuple[str, bytes]], highest: int) -> None:
    """Keep the packed rows of these words, true up to the row `highest`."""
    session.executemany(
        "INSERT INTO postings VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET known = ?3, rows = ?4",
        [(fts, name, highest, packed) for name, packed in rows],
    )


def done(session: Session, fts: str, highest: int, total: int) -> None:
    """Drop the words that are common no more, and note how far the others go."""
    session.execute("DELETE FROM postings WHERE fts = ? AND known < ?", (fts, highest if total else highest + 1))
    put_setting(session, f"postings {fts}", f"{highest} {total}")


def batches(words: list[str]) -> Iterator[list[str]]:
    """Few enough words for one short transaction."""
    for start in range(0, len(words), _BATCH):
        yield words[start : start + _BATCH]


def pack(bits: int) -> bytes:
    """As bytes, compressed where that helps: the rows of a rare word take a hundred bytes instead of twelve thousand,
    those of a common one are no smaller, and unpacking them would take longer than all else."""
    plain = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    packed = zlib.compress(plain, 1)
    return _PACKED + packed if len(packed) < _WORTH * len(plain) else _PLAIN + plain


def unpack(packed: bytes) -> int:
    """The inverse of `pack`."""
    return int.from_bytes(zlib.decompress(packed[1:]) if packed[:1] == _PACKED else packed[1:], "little")


def to_bits(ids: list[int], highest: int) -> int:
    """One bit a row."""
    digits = bytearray(b"0") * (highest + 1)
    for row in ids:
        digits[row] = 49
    digits.reverse()  # the number's first digit is its highest; counting from the end in the loop takes twice as long
    return int(digits, 2)


def matching(session: Session, fts: str, expression: str, after: int, upto: int) -> list[int]:
    """The rows from beyond `after` up to `upto` that match, in any order."""
    found = session.one(
        f"SELECT json_group_array(rowid) FROM {fts} WHERE {fts} MATCH ? AND rowid > ? AND rowid <= ?",  # noqa: S608
        (expression, after, upto),
    )
    return _ids(found)
