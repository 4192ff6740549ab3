"""`GROUP BY ALL`, and `GROUP BY ROLLUP (a, b)`, `CUBE`, `GROUPING SETS` and `WITH ROLLUP`, which add rows of totals, as
one SELECT for each set of keys: SQLite has none of them."""

import re
from collections.abc import Sequence
from itertools import accumulate, combinations
from typing import Final

from sidecar.store.queries.statements import SQL_CHARS
from sidecar.store.queries.tokens import CLOSING, closing_bracket, next_token, selected, split_at_commas, tokens_of

MAX_WRITTEN_CHARS: Final = 2 * SQL_CHARS
"""Characters that a query may have as it is rewritten: totals of totals would multiply it."""
_MAX_SETS: Final = 32
"""Sets of keys of one query: those of a cube of five."""
_KEY: Final = re.compile(r"(?:\w+\.)?[`\"]?(\w+)[`\"]?")
_AGGREGATES: Final = re.compile(
    r"sum|total|avg|count|min|max|median|mode|quantile\w*|percentile\w*|stddev\w*|var\w*|corr|any_value|\w+_agg|"
    r"group_concat|listagg|arg_?m\w+|m\w+_by|count_?if",
    re.IGNORECASE,
)
_AGGREGATE: Final = re.compile(rf"\b(?:{_AGGREGATES.pattern})\s*\(", re.IGNORECASE)
_TOGETHER: Final = frozenset(("union", "except", "intersect"))
_ENDS: Final = ("having", "qualify", "window", "order", "limit", "offset", "fetch")
_Sets = list[tuple[str, ...]]


def grouped_by_all(tokens: tuple[str, ...]) -> list[str]:
    """`GROUP BY ALL`, outside brackets, as the places of what is selected without an aggregate."""
    depth = accumulate(CLOSING.get(token, 0) for token in tokens)
    words = [at for at, (token, level) in enumerate(zip(tokens, depth, strict=True)) if token.strip() and not level]
    for group, by, every in zip(words, words[1:], words[2:], strict=False):
        if [tokens[at].lower() for at in (group, by, every)] == ["group", "by", "all"]:
            items = selected(tokens)
            if not items or any(item.endswith("*") for item in items):
                break
            groups = [str(at) for at, item in enumerate(items, 1) if not _AGGREGATE.search(item)]
            return [*tokens[:group], f"GROUP BY {', '.join(groups)}" if groups else "", *tokens[every + 1 :]]
    return [*tokens]


def with_totals(tokens: Sequence[str]) -> list[str]:
    """The tokens of one query, outside brackets, as SELECTs put together where it asks for totals by one of these; as
    they are where it does not, or by what is not a column."""
    if not {"rollup", "cube", "sets"} & {token.lower() for token in tokens}:
        return [*tokens]
    places = _places(tokens)
    select, source, group = (places.get(word, -1) for word in ("select", "from", "group"))
    by = next_token(tokens, group + 1) if 0 <= select < source < group and not places.keys() & _TOGETHER else None
    if by is None:
        return [*tokens]
    end = min((at for word in _ENDS if (at := places.get(word, -1)) > group), default=len(tokens))
    last = min((at for word in _ENDS[3:] if (at := places.get(word, -1)) > group), default=len(tokens))
    sets = _sets(tokens[by + 1 : end])
    if not 0 < len(sets) <= _MAX_SETS or not all(_KEY.fullmatch(key) for one in sets for key in one):
        return [*tokens]
    keys = list(dict.fromkeys(key for one in sets for key in one))
    items = [tokens_of(item) for item in selected(tokens[select:])]
    queries = list[str]()
    for one in sets:
        left = [key for key in keys if key not in one]
        wanted = ", ".join(_without(item, left) for item in items)
        having = _without(tokens[end:last], left, named=False)
        queries.append(f"SELECT {wanted} {''.join(tokens[source:group])} GROUP BY {', '.join(one) or 'NULL'} {having} ")
    text = f"SELECT * FROM ({'UNION ALL '.join(queries)}) {_in_order(tokens[last:], items)}"  # noqa: S608
    return [*tokens[:select], *tokens_of(text)] if len(text) <= MAX_WRITTEN_CHARS else [*tokens]


def _places(tokens: Sequence[str]) -> dict[str, int]:
    """The first place of each word outside brackets, in lower case."""
    depths = accumulate(CLOSING.get(token, 0) for token in tokens)
    found: dict[str, int] = {}
    for at, (token, depth) in enumerate(zip(tokens, depths, strict=True)):
        if not depth and token.strip():
            found.setdefault(token.lower(), at)
    return found


def _sets(tokens: Sequence[str]) -> _Sets:
    """The sets of keys that are grouped by; [] where there are too many, or no totals are asked for."""
    words = [at for at, token in enumerate(tokens) if token.strip()]
    form = tokens[words[-1]].lower() if words else ""
    if len(words) > 1 and tokens[words[-2]].lower() == "with" and form in ("rollup", "cube"):
        return _of_form(form, _parts(tokens[: words[-2]]))
    found: _Sets = [()]
    for part in _parts(tokens):
        opening = part.find("(")
        form, inner = re.sub(r"\s", "", part[:opening].lower()), tokens_of(part[opening + 1 : -1])
        if opening > 0 and part.endswith(")") and form in ("rollup", "cube", "groupingsets"):
            more = _of_form(form, _parts(inner))
        else:
            more = [(part,)]
        found = [(*one, *other) for one in found for other in more] if len(found) * len(more) <= _MAX_SETS else []
    return found


def _of_form(form: str, parts: Sequence[str]) -> _Sets:
    if form == "groupingsets":
        return [tuple(_parts(tokens_of(part.removeprefix("(").removesuffix(")")))) for part in parts]
    if len(parts) > _MAX_SETS or (form == "cube" and 2 ** len(parts) > _MAX_SETS):
        return []
    counts = range(len(parts), -1, -1)
    if form == "rollup":
        return [tuple(parts[:count]) for count in counts]
    return [one for count in counts for one in combinations(parts, count)]


def _parts(tokens: Sequence[str]) -> list[str]:
    """What commas outside brackets part."""
    return [part for one in split_at_commas(tokens) if (part := "".join(one).strip())]


def _without(tokens: Sequence[str], left: Sequence[str], *, named: bool = True) -> str:
    """An item selected, or a condition, where these keys are not grouped by: they are NULL outside of aggregates."""
    names = {match[1].lower() for key in left if (match := _KEY.fullmatch(key))}
    text = "".join(tokens).strip()
    if named and (alone := _KEY.fullmatch(text)) and alone[1].lower() in names:
        return f"NULL AS {alone[1]}"
    out = list[str]()
    at = 0
    while at < len(tokens):
        opening = next_token(tokens, at + 1)
        called = opening is not None and tokens[opening] == "("
        close = closing_bracket(tokens, opening) if called and opening is not None else at
        word = tokens[at].strip('`"').lower()
        if called and word == "grouping" and opening is not None:
            key = _KEY.fullmatch("".join(tokens[opening + 1 : close]).strip())
            out.append(str(int(key is not None and key[1].lower() in names)))
            at = close + 1
        elif called and _AGGREGATES.fullmatch(word):
            out += tokens[at : close + 1]
            at = close + 1
        else:
            before = next((one.lower() for one in reversed(out) if one.strip()), "")
            if word in names and before != "as" and not called:
                if before == ".":
                    del out[-2:]
                out.append("NULL")
            else:
                out.append(tokens[at])
            at += 1
    return "".join(out)


def _in_order(tokens: Sequence[str], items: Sequence[Sequence[str]]) -> str:
    """The ORDER BY and what follows it, by the places of what is selected where it says that once more."""
    text = "".join(tokens)
    match = re.match(r"\s*order\s+by\s", text, re.IGNORECASE)
    if not match:
        return text
    known = {_plain("".join(item)): at for at, item in enumerate(items, 1)}
    keys = list[str]()
    for part in _parts(tokens_of(text[match.end() :])):
        key = re.split(r"(?i)\s+(?=asc\b|desc\b|nulls\b|limit\b|offset\b|fetch\b)", part, maxsplit=1)
        place = known.get(_plain(key[0]))
        keys.append(" ".join([str(place) if place else re.sub(r"^\w+\.(?=\w+$)", "", key[0]), *key[1:]]))
    return f"ORDER BY {', '.join(keys)}"


def _plain(item: str) -> str:
    """An item without spaces and without its other name."""
    return re.sub(r"\s", "", re.split(r"(?i)\s+as\s+", item.strip())[0]).lower()
