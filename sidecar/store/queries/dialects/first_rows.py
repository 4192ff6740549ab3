"""`QUALIFY` and `SELECT DISTINCT ON (…)`, which filter rows by what windows give, as a SELECT around: SQLite has
neither. What is selected besides to filter by has the name `KEPT`, and is not a column of the answer."""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from sidecar.store.queries.statements import KEPT, TOKEN
from sidecar.store.queries.tokens import CLOSING, closing_bracket, next_token, selected, tokens_of

_TOGETHER: Final = frozenset(("union", "except", "intersect", "top"))
_CALLED: Final = re.compile(r"(?:(.+?)\s+as\s+|(?:\w+\.)?)([^\W\d]\w*|`[^`]+`)", re.IGNORECASE | re.DOTALL)
"""What is selected under a name of its own, or a column."""
_BEFORE_NO_QUALIFY: Final = frozenset(
    (",", ".", "by", "and", "or", "not", "where", "on", "=", "<", ">", "as", "select")
)
"""Behind these `qualify` is the name of a column."""


def with_rows_filtered(tokens: Sequence[str]) -> list[str]:
    """The tokens of one query, outside brackets, with a SELECT around where it filters by windows; as they are where it
    does not, or is several put together."""
    places = _places(tokens)
    select, source = places.get("select"), places.get("from")
    if select is None or source is None or source < select or places.keys() & _TOGETHER:
        return [*tokens]
    first = next_token(tokens, select + 1)
    on = next_token(tokens, first + 1) if first is not None and tokens[first].lower() == "distinct" else None
    opening = next_token(tokens, on + 1) if on is not None and tokens[on].lower() == "on" else None
    if opening is not None and tokens[opening] == "(":
        return _distinct_on(tokens, places, opening)
    if places.get("qualify", 0) > source:
        return _qualified(tokens, places)
    return [*tokens]


def _places(tokens: Sequence[str]) -> dict[str, int]:
    """The words outside brackets that part a query, in lower case, each with its place: the last of several, the first
    FROM and its SELECT."""
    found: dict[str, int] = {}
    before = ""
    depths = accumulate(CLOSING.get(token, 0) for token in tokens)
    for at, (token, depth) in enumerate(zip(tokens, depths, strict=True)):
        word = token.lower()
        if not depth and (word in _TOGETHER or word in ("select", "from", "order", "limit", "qualify")):
            if word == "qualify" and before in _BEFORE_NO_QUALIFY:
                continue
            if word not in ("select", "from") or word not in found:
                found[word] = at
        before = word if token.strip() else before
    return found


def _qualified(tokens: Sequence[str], places: dict[str, int]) -> list[str]:
    select, source, begin = places["select"], places["from"], places["qualify"]
    limit = _after(places, "limit", begin, len(tokens))
    order = _after(places, "order", begin, limit)
    condition = tokens[begin + 1 : order]
    if any(token.lower() == "over" for token in condition):
        items = [*tokens[select:source], *tokens_of(", ("), *condition, *tokens_of(f") AS {KEPT} ")]
        condition = [KEPT]
    else:  # it goes by what the query names
        items = [*tokens[select:source]]
    inner = [*items, *tokens[source:begin], *tokens[order:limit]]
    return [*tokens[:select], *_around(inner, condition), *tokens[limit:]]


def _distinct_on(tokens: Sequence[str], places: dict[str, int], opening: int) -> list[str]:
    select, source = places["select"], places["from"]
    close = closing_bracket(tokens, opening)
    limit = _after(places, "limit", source, len(tokens))
    order = _after(places, "order", source, limit)
    wanted = tokens[close + 1 : source]
    items = selected(["select", *wanted])
    keys = "".join(tokens[order:limit])
    if any(map(str.isdecimal, tokens[order:limit])) and any(item.endswith("*") for item in items):
        return [*tokens]  # nobody knows which column the place is
    for at, item in enumerate(items, 1):  # a place or a name of what is selected means nothing to a window
        called = _CALLED.fullmatch(item)
        names = {called[2]: called[1]} if called and called[1] else {}
        keys = _renamed(keys, {str(at): names.get(called[2], item) if called else item} | names)
    window = f", row_number() OVER (PARTITION BY {''.join(tokens[opening + 1 : close])} {keys}) = 1 AS {KEPT} "
    inner = ["select", *wanted, *tokens_of(window), *tokens[source:limit]]
    return [*tokens[:select], *_around(inner, [KEPT]), *tokens[limit:]]


def _renamed(keys: str, names: dict[str, str]) -> str:
    """An ORDER BY in which whole keys are replaced."""
    parts = TOKEN.finditer(keys)
    return "".join(names.get(part[0], part[0]) if part["word"] or part[0].isdecimal() else part[0] for part in parts)


def _around(inner: Sequence[str], condition: Sequence[str]) -> list[str]:
    """A SELECT of what the inner one selects, by name where each has one."""
    called = [_CALLED.fullmatch(item) for item in selected(inner)]
    names = [one[2] if one else "*" for one in called if one is None or one[2] != KEPT]
    plain = "*" not in names and len(set(names)) == len(names)
    columns = ", ".join(names) if plain else "*"
    return ["SELECT", " ", *tokens_of(columns), *tokens_of(" FROM ("), *inner, *tokens_of(") WHERE "), *condition, " "]


def _after(places: dict[str, int], word: str, begin: int, otherwise: int) -> int:
    at = places.get(word, -1)
    return at if at > begin else otherwise
