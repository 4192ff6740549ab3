"""SQL as other dialects write it, rewritten for SQLite where both mean the same: `x::int`, `TOP 5`, `EXTRACT(YEAR FROM
x)`, `x + INTERVAL '30 days'`, `PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)`. Not a parser: what it does not know it
leaves, and SQLite says what is wrong with it."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from sidecar.store.queries.dialects.arithmetic import with_meant_arithmetic
from sidecar.store.queries.dialects.first_rows import with_rows_filtered
from sidecar.store.queries.dialects.forms import A_TYPE, cast_as, decoded, formatted, parsed, values_called
from sidecar.store.queries.dialects.grouping import MAX_WRITTEN_CHARS, grouped_by_all, with_totals
from sidecar.store.queries.dialects.names import NOW, RENAMED, WRITTEN
from sidecar.store.queries.dialects.pivoting import Ask, with_columns_named
from sidecar.store.queries.tokens import (
    CLOSING,
    PARTS,
    closing_bracket,
    length_of_time,
    next_token,
    order_key,
    place_behind,
    split_at,
    split_at_commas,
    take_operand,
    tokens_of,
)

_MAX_DEPTH: Final = 100
"""Brackets in one another that are rewritten at most: SQLite's parser has a stack of a hundred."""


def as_sqlite(sql: str, types: Mapping[str, str], ask: Ask) -> str:
    """The query in SQLite's words; `types` are those of columns by their names, by `ask` those of a PIVOT are asked
    for. Strings and quoted names stay as they are, and so does a query whose brackets stand deeper in one another than
    SQLite's own parser follows: SQLite says what is wrong with it. Raises UsageError."""
    depths = accumulate((CLOSING.get(token, 0) for token in tokens_of(sql)), initial=0)
    if max(depths) > _MAX_DEPTH:
        return sql
    return _as_sqlite(with_columns_named(sql, lambda one: ask(_as_sqlite(one, types))), types)


def _as_sqlite(sql: str, types: Mapping[str, str]) -> str:
    tokens = tuple(tokens_of(with_meant_arithmetic(sql, types)))
    try:
        return _text(tokens)
    finally:
        _text.cache_clear()


@lru_cache(maxsize=4 * _MAX_DEPTH)
def _text(tokens: tuple[str, ...]) -> str:
    """Tokens rewritten, as one text. Kept while one query is rewritten: what stands in the brackets of a call is asked
    for by the call, and once more where the call stays as it is; without it each level would double the work."""
    text = "".join(_rewritten(with_rows_filtered(with_totals(grouped_by_all(tokens)))))
    return text if len(text) <= MAX_WRITTEN_CHARS else "".join(tokens)


def _rewritten(tokens: Sequence[str]) -> list[str]:
    """The tokens of a query, or of what stands between two brackets, rewritten from left to right."""
    out: list[str] = []
    limit = ""
    at = 0
    while at < len(tokens):
        after = _call(tokens, at, out) or _special(tokens, at, out)
        if after is not None:
            at = after
        elif tokens[at].startswith("("):
            close = closing_bracket(tokens, at)
            inner = f"({_text(tuple(tokens[at + 1 : close]))}" + ")" * (close < len(tokens))
            called = values_called(inner, tokens[close + 1 :])
            out.append(called[0] if called else inner)
            at = close + 1 + (called[1] if called else 0)
        elif tokens[at].lower() == "top" and not limit and (found := _top(tokens, at, out)):
            limit, at = found
        else:
            out.append(tokens[at])
            at += 1
    return [*out, limit and f" LIMIT {limit}"]


def _call(tokens: Sequence[str], at: int, out: list[str]) -> int | None:
    """A call of a function that others have: the place behind it, None where there is none."""
    opening = next_token(tokens, at + 1)
    word = tokens[at].lower()
    if word not in _CALLS or opening is None or not tokens[opening].startswith("("):
        return None
    close = closing_bracket(tokens, opening)
    if close == len(tokens) or _is_named(tokens, close):
        return None
    text, taken = _CALLS[word](word, tokens[opening + 1 : close], tokens[close + 1 :])
    if text is None:
        return None
    out.append(text)
    return close + 1 + taken


def _is_named(tokens: Sequence[str], close: int) -> bool:
    """Whether what stands before a closing bracket is a common table expression with the names of its columns."""
    follows = [token.lower() for token in tokens[close + 1 : close + 6] if token.strip()]
    return follows[:1] == ["as"] and follows[1:2] in (["("], ["materialized"], ["not"])


def _special(tokens: Sequence[str], at: int, out: list[str]) -> int | None:
    """What is not a call: `x::int`, `x + INTERVAL '1 day'`, `DATE '2024-01-01'`, `FETCH FIRST 5 ROWS ONLY`, `~`. The
    place behind it, None where there is nothing of the kind."""
    word = tokens[at].lower()
    if word == ":" and tokens[at + 1 : at + 2] == [":"]:
        return _typed(tokens, at + 2, out)
    if word == "interval":
        return _interval(tokens, at, out)
    if word in ("date", "timestamp"):
        following = next_token(tokens, at + 1)
        if following is not None and tokens[following].startswith("'"):
            return following
    if word in ("fetch", "offset"):
        return _fetch(tokens, at, out)
    if word == "rlike":
        out.append("REGEXP")
        return at + 1
    if word == "!" and tokens[at + 1 : at + 2] == ["~"]:
        out.append(" NOT")
        return at + 1
    if word == "with" and (hint := re.match(r"with\s*\(\s*nolock\s*\)", "".join(tokens[at : at + 8]), re.IGNORECASE)):
        return place_behind(tokens, at, hint[0])
    if word == "<" and [*tokens[at + 1 : at + 3]] == ["=", ">"]:
        out.append(" IS ")
        return at + 3
    if word == "minus" and (select := next_token(tokens, at + 1)) is not None and tokens[select].lower() == "select":
        out.append("EXCEPT")
        return at + 1
    if word == "~" and out and re.match(r"[\w`\"\])]", "".join(out).rstrip()[-1:]):
        case = tokens[at + 1 : at + 2] == ["*"]
        out.append(" REGEXP " + "'(?i)' || " * case)
        return at + 1 + case
    return None


def _typed(tokens: Sequence[str], at: int, out: list[str]) -> int | None:
    """`x::numeric(10, 2)` as a CAST of the operand before it."""
    if at >= len(tokens) or not tokens[at][:1].isalpha() or not (operand := take_operand(out)):
        return None
    after = at + 1
    if tokens[after : after + 1] == ["("]:
        after = closing_bracket(tokens, after) + 1
    out.append(cast_as(operand, tokens[at]))
    return after


def _interval(tokens: Sequence[str], at: int, out: list[str]) -> int | None:
    """`x + INTERVAL '30 days'` and `x - INTERVAL 1 MONTH` as shifts of the operand before them."""
    found = length_of_time(tokens, at + 1)
    joined = "".join(out).rstrip()
    if not found or joined[-1:] not in ("+", "-"):
        return None
    count, unit, after = found
    sign = joined[-1]
    while out and out[-1].strip() not in ("+", "-"):
        out.pop()
    out.pop()
    operand = take_operand(out)
    if not operand:
        out.append(sign)
        return None
    out.append(f"date_shift({operand}, {sign}({count}), '{unit}')")
    return after


def _fetch(tokens: Sequence[str], at: int, out: list[str]) -> int | None:
    """`OFFSET 5 ROWS FETCH NEXT 5 ROWS ONLY`, `OFFSET 5 LIMIT 5` and `OFFSET 5` alone as LIMIT and OFFSET."""
    rest = "".join(tokens[at:])
    found = re.match(
        r"(?:offset\s+(\d+)\s+rows?\s+)?fetch\s+(?:first|next)\s+(?:(\d+)\s+)?rows?\s+only"
        r"|offset\s+(\d+)(?:\s+rows?\b)?(?:\s+limit\s+(\d+))?",
        rest,
        re.IGNORECASE,
    )
    if not found or (found[3] and not found[4] and any(token.lower() == "limit" for token in tokens)):
        return None
    first, count = found[1] or found[3], -1 if found[3] and not found[4] else found[2] or found[4] or 1
    out.append(f"LIMIT {count}" + f" OFFSET {first}" * bool(first))
    return place_behind(tokens, at, found[0])


def _top(tokens: Sequence[str], at: int, out: list[str]) -> tuple[str, int] | None:
    """The number of `SELECT TOP 5`, and the place behind it; not where several SELECTs are put together."""
    if next((token.lower() for token in reversed(out) if token.strip()), "") not in ("select", "distinct"):
        return None
    number = re.match(r"top\s*+(\()?+\s*+(\d++)\s*+(?(1)\))(?!\s*percent)", "".join(tokens[at:]), re.IGNORECASE)
    together = {token.lower() for token in tokens} & {"union", "except", "intersect", "limit"}
    return None if not number or together else (number[2], place_behind(tokens, at, number[0]))


def _arguments(tokens: Sequence[str]) -> list[str]:
    """The arguments of a call, each rewritten."""
    return [_text(tuple(one)).strip() for one in split_at_commas(tokens)]


_Call = tuple[str | None, int]
"""What stands for a call, None for the call as it is, and how many tokens behind it were taken with it."""


def _renamed(word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    return f"{RENAMED[word]}({', '.join(_arguments(inner))})", 0


def _written(word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    form, given = WRITTEN[word], _arguments(inner)
    return (form.format(*given) if len(given) == len(set(re.findall(r"{\d}", form))) else None), 0


def _now(word: str, _inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    return NOW[word], 0


def _left(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    given = _arguments(inner)
    return (f"substr({given[0]}, 1, {given[1]})" if len(given) == 2 else None), 0


def _extract(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    unit, value = split_at(inner, "from")
    name = "".join(unit).strip().strip("'").lower()
    return (f"date_part('{name}', {_text(tuple(value)).strip()})" if name in PARTS and value else None), 0


def _in_order(word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    """Functions of a unit and dates, whose order differs: the unit first for ours."""
    given = _arguments(inner)
    units = [index for index, one in enumerate(given) if one.strip("'").lower() in PARTS]
    if word == "date_format" and len(given) == 2:
        return f"date_format({', '.join(given)})", 0
    if word in ("datediff", "date_diff", "timestampdiff") and len(given) == 2:
        return f"datediff('day', {given[1]}, {given[0]})", 0
    at = next((index for index in (0, len(given) - 1) if index in units), None)
    if at is None:
        return None, 0
    unit = f"'{given.pop(at).strip(chr(39)).lower()}'"
    if word in ("dateadd", "timestampadd"):
        return f"date_shift({given[-1]}, {given[0]}, {unit})" if len(given) == 2 else None, 0
    if word in ("datediff", "date_diff", "timestampdiff"):
        first, last = given if at == 0 else reversed(given)
        return f"{'complete_units' if word == 'timestampdiff' else 'datediff'}({unit}, {first}, {last})", 0
    return f"{RENAMED.get(word, word)}({', '.join([unit, *given])})", 0


def _added(word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    """`DATE_ADD(x, INTERVAL 30 DAY)`."""
    value, length = split_at(inner, "interval")
    found = length_of_time(length, 0)
    operand = _text(tuple(value)).rstrip().removesuffix(",")
    if not found or not operand:
        return _in_order("dateadd", inner, ())
    return f"date_shift({operand}, {'-' * (word == 'date_sub')}{found[0]}, '{found[1]}')", 0


def _substring(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    value, first, count = (_text(tuple(one)).strip() for one in split_at(inner, "from", "for"))
    return (f"substr({', '.join(filter(None, (value, first, count)))})" if first else None), 0


def _position(word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    given = _arguments(inner) if word == "charindex" else [_text(tuple(one)) for one in split_at(inner, "in")]
    return (f"instr({given[1].strip()}, {given[0].strip()})" if len(given) == 2 and given[1].strip() else None), 0


def _trim(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    what, value = (_text(tuple(one)).strip() for one in split_at(inner, "from"))
    side, _, mark = what.partition(" ")
    name = {"both": "trim", "leading": "ltrim", "trailing": "rtrim"}.get(side.lower())
    return (f"{name}({', '.join(filter(None, (value, mark.strip())))})" if name and value else None), 0


def _casted(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    value, kind = split_at(inner, "as")
    name = re.match(r"\w+", "".join(kind).strip())
    return (cast_as(_text(tuple(value)).strip(), name[0]) if name and value else None), 0


def _converted(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    """`CONVERT(INT, x)` and `CONVERT(x, CHAR)`."""
    given = _arguments(inner)
    for kind, value in ((given[0], given[-1]), (given[-1], given[0])):
        name = re.match(A_TYPE, kind, re.IGNORECASE)
        if name and len(given) == 2:
            return cast_as(value, name[0]), 0
    return None, 0


def _date_name(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    """`DATENAME(month, x)`, with the names of months and days."""
    unit, _, value = "".join(inner).partition(",")
    name = {"month": "monthname", "mm": "monthname", "m": "monthname", "weekday": "dayname", "dw": "dayname"}
    called = name.get(unit.strip().strip("'").lower())
    return (f"{called}({_text(tuple(tokens_of(value))).strip()})" if called else None), 0


def _by(make: Callable[[Sequence[str]], str | None]) -> Callable[[str, Sequence[str], Sequence[str]], _Call]:
    """What is made of the arguments alone."""
    return lambda _word, inner, _rest: (make(_arguments(inner)), 0)


def _count(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    """`COUNT(DISTINCT a, b)`."""
    given = _arguments(inner)
    distinct = re.match(r"distinct\s+", given[0], re.IGNORECASE)
    if not distinct or len(given) < 2:
        return None, 0
    keys = [given[0][distinct.end() :], *given[1:]]
    return f"count(DISTINCT {' || char(31) || '.join(f'as_text({key})' for key in keys)})", 0


def _joined_array(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    """`ARRAY_TO_STRING(ARRAY_AGG(x ORDER BY y), ', ')`."""
    opening = next_token(inner, (next_token(inner, 0) or 0) + 1)
    word = "".join(inner[:opening]).strip().lower()
    if opening is None or word not in ("array_agg", "list") or inner[opening] != "(":
        return None, 0
    close = closing_bracket(inner, opening)
    mark = "".join(inner[close + 1 :]).strip().removeprefix(",").strip()
    return _texts(word, [*inner[opening + 1 : close], " ", "separator", " ", mark], ()) if mark else (None, 0)


def _mode(_word: str, inner: Sequence[str], rest: Sequence[str]) -> _Call:
    """`MODE() WITHIN GROUP (ORDER BY x)`."""
    found, taken = _within(rest) if not "".join(inner).strip() else (None, 0)
    return (f"mode({found[0]})" if found else None), taken


def _counted(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    return f"count(CASE WHEN {_text(tuple(inner))} THEN 1 END)", 0


def _strftime(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    given = _arguments(inner)
    swapped = len(given) == 2 and given[1].startswith("'") and "%" in given[1] and not given[0].startswith("'%")
    return (f"strftime({given[1]}, {given[0]})" if swapped else None), 0


def _format_date(_word: str, inner: Sequence[str], _rest: Sequence[str]) -> _Call:
    return f"strftime({', '.join(_arguments(inner))})", 0


def _percentile(word: str, inner: Sequence[str], rest: Sequence[str]) -> _Call:
    """`PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x DESC)`; without the clause as `quantile(x, 0.5)`."""
    found, taken = _within(rest)
    if found is None:
        given = _arguments(inner)
        plain = word != "percentile_disc" and len(given) == 2
        return (f"quantile({', '.join(given)})" if plain else None), 0
    value, descending = found
    share = _text(tuple(inner)).strip()
    name = "quantile_disc" if word == "percentile_disc" else "quantile"
    return f"{name}({value}, {f'1 - {share}' if descending else share})", taken


def _within(rest: Sequence[str]) -> tuple[tuple[str, bool] | None, int]:
    """What `WITHIN GROUP (ORDER BY x DESC)` orders by, and how many tokens it has."""
    found = re.match(r"\s*within\s+group\s*(?=\()", "".join(rest), re.IGNORECASE)
    if not found:
        return None, 0
    opening = place_behind(rest, 0, found[0])
    close = closing_bracket(rest, opening)
    key = re.sub(r"^\s*order\s+by\s+", "", _text(tuple(rest[opening + 1 : close])), flags=re.IGNORECASE)
    return order_key(key), close + 1


def _texts(_word: str, inner: Sequence[str], rest: Sequence[str]) -> _Call:
    """`STRING_AGG(DISTINCT x, ', ' ORDER BY y)` and `GROUP_CONCAT(x SEPARATOR ', ')`, with all their clauses."""
    main, order, separator = split_at(inner, "order", "separator")
    group, taken = _within(rest)
    given = _arguments(main)
    distinct = re.match(r"distinct\s+", given[0], re.IGNORECASE)
    given[0] = given[0][len(distinct[0]) if distinct else 0 :]
    by = re.sub(r"^\s*by\s+", "", _text(tuple(order)), flags=re.IGNORECASE)
    if "," in by or len(given) > 2:
        return None, 0
    key, descending = group or (order_key(by) if by.strip() else ("NULL", False))
    mark = "".join(separator).strip() or (given[1] if len(given) > 1 else "','")
    return f"joined_texts({given[0]}, {mark}, {int(bool(distinct))}, {key}, {int(descending)})", taken


_CALLS: Final[dict[str, Callable[[str, Sequence[str], Sequence[str]], _Call]]] = {
    **dict.fromkeys(RENAMED, _renamed), **dict.fromkeys(NOW, _now), **dict.fromkeys(WRITTEN, _written),
    "left": _left, "extract": _extract, "decode": _by(decoded), "count": _count, "array_to_string": _joined_array,
    **dict.fromkeys(("to_date", "str_to_date", "parse_date", "strptime", "try_strptime"), _by(parsed)),
    **dict.fromkeys(("date_trunc", "date_part", "datepart", "datediff", "date_diff", "timestampdiff"), _in_order),
    **dict.fromkeys(("timestamp_trunc", "datetime_trunc", "timestampadd", "dateadd"), _in_order),
    **dict.fromkeys(("date_add", "date_sub"), _added), "substring": _substring, "position": _position,
    "charindex": _position, "convert": _converted, "datename": _date_name, "format": _by(formatted), "mode": _mode,
    "trim": _trim, **dict.fromkeys(("cast", "try_cast", "safe_cast"), _casted),
    **dict.fromkeys(("count_if", "countif"), _counted), "strftime": _strftime, "format_date": _format_date,
    **dict.fromkeys(("percentile_cont", "percentile_disc"), _percentile),
    **dict.fromkeys(("string_agg", "group_concat", "listagg", "array_agg", "list"), _texts),
}  # fmt: skip
