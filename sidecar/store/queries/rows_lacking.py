"""What is to be known of rows that an answer lacks: those that UNION leaves out, those that are level with the last
that a LIMIT lets in, and all of them where a BETWEEN has its ends the wrong way round."""

import re
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import Final

from sidecar.store.queries.aggregates import as_text
from sidecar.store.queries.tokens import CLOSING, next_token, selected, split_at_commas, tokens_of

_TOGETHER: Final = re.compile(r"\bunion\b(?!\s++all\b)", re.IGNORECASE)
_VALUE: Final = r"(-?\d{1,15}(?:\.\d{1,9})?|'\d{4}-[\d: -]{1,20}')"
_BETWEEN: Final = re.compile(rf"\bbetween\s+{_VALUE}\s+and\s+{_VALUE}(?!\s*[-+*/\w.|])", re.IGNORECASE)
_MAX_LIMIT: Final = 10
"""Of longer lists nobody takes the last for the only one."""
_MAX_ROWS: Final = 50_000
"""Of larger tables the query is not run once more."""
_MAX_LEVEL: Final = 9
"""Rows behind the last that are looked at."""
_NAMED: Final = re.compile(r"(.+?)(?:\s+as\s+|(?<=[\w)`])\s+)[`\"]?(\w+)[`\"]?", re.IGNORECASE | re.DOTALL)
"""What is selected under another name."""
_KEY: Final = re.compile(r"(.+?)(\s+(?:asc|desc))?(\s+nulls\s+(?:first|last))?", re.IGNORECASE | re.DOTALL)
_SHOWN: Final = 40  # characters of a value


def rows_lacking(sql: str, summed: Collection[str], rows: int, connection: sqlite3.Connection) -> Iterator[str]:
    """A sentence for each of them; `summed` are the names that the query adds up, `rows` those of its tables."""
    if summed and _TOGETHER.search(sql):
        yield "UNION leaves rows out that are alike, and the sums lack them; if each counts, write UNION ALL."
    for low, high in _BETWEEN.findall(sql):
        plain = [float(one) if one[-1].isdecimal() else one for one in (low, high)]
        if type(plain[0]) is type(plain[1]) and plain[0] > plain[1]:  # pyright: ignore[reportOperatorIssue]
            yield f"Nothing is BETWEEN {low} AND {high}: the lower one comes first."
    keys, query, limit = _with_keys(tokens_of(sql)) if rows <= _MAX_ROWS else ([], "", 0)
    if not keys:
        return
    try:
        found = connection.execute(f"{query} LIMIT {limit + _MAX_LEVEL}").fetchall()
    except sqlite3.Error:  # time is over, or what it goes by can stand in its ORDER BY alone
        return
    values = [row[-len(keys) :] for row in found]
    level = sum(one == values[limit - 1] for one in values[limit:])
    if level and None not in values[limit - 1]:
        value = ", ".join(as_text(one)[:_SHOWN] for one in values[limit - 1])
        named = ", ".join(key[:_SHOWN] for key in keys)
        more = " or more" * (level == _MAX_LEVEL)
        yield (
            f"{level}{more} further row(s) have the same {named} ({value}) as the last one; write LIMIT "
            f"{limit + level}."
        )


def _with_keys(tokens: Sequence[str]) -> tuple[list[str], str, int]:
    """What a query that ends in ORDER BY and a small LIMIT goes by, the query without its LIMIT that selects that too,
    behind all else, and the LIMIT; no keys where it is another query."""
    depths = accumulate(CLOSING.get(one, 0) for one in tokens)
    words = [(one.lower(), at) for at, (one, deep) in enumerate(zip(tokens, depths, strict=True)) if not deep]
    places = dict(reversed(words))
    source, order, last = (places.get(word, -1) for word in ("from", "order", "limit"))
    number = "".join(tokens[last + 1 :]).strip()
    several = {"union", "except", "intersect", "distinct"} & places.keys()
    if several or not 0 < source < order < last or not number.isdecimal() or not 0 < int(number) <= _MAX_LIMIT:
        return [], "", 0
    named: dict[str, str] = {}
    for at, item in enumerate(selected(tokens), 1):
        match = _NAMED.fullmatch(item)
        named |= {str(at): match[1], match[2].lower(): match[1]} if match else {str(at): item}
    parts = split_at_commas(tokens[(next_token(tokens, order + 1) or order) + 1 : last])  # behind its BY
    keys = [key[1] for part in parts if (key := _KEY.fullmatch("".join(part).strip()))]
    meant = [named.get(key.strip('`"').lower(), key) for key in keys]
    query = f"{''.join(tokens[:source])}, {', '.join(meant)} {''.join(tokens[source:last])}"
    return ([] if "*" in meant else keys), query, int(number)
