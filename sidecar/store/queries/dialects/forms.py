"""Values as of a type, and numbers and dates written by a form, as other dialects call types and forms: `x::int`,
`FORMAT(x, 'N2')`, `FORMAT(x, 'yyyy-MM')`."""

import re
from collections.abc import Sequence
from typing import Final

from sidecar.store.queries.dialects.moments import two_digits
from sidecar.toolkit.tables.dates import PERIOD_ORDER

_TYPES: Final = (
    (re.compile(r"(?:big|small|tiny)?int|integer|int\d+|unsigned|signed|long", re.IGNORECASE), "INTEGER"),
    (re.compile(r"numeric|decimal|dec|float|double|real|number|money|bignumeric|float\d+", re.IGNORECASE), "REAL"),
)
"""Types whose values are numbers, and what SQLite calls them."""
A_TYPE: Final = r"(?:date|datetime|timestamp|time|n?(?:var)?char|text|string)\b|" + "|".join(
    rf"(?:{pattern.pattern})\b" for pattern, _ in _TYPES
)
_DOT_NET_FORMS: Final = {
    "yyyy": "%Y", "yy": "%y", "MMMM": "%M", "MMM": "%b", "MM": "%m", "M": "%m", "dddd": "%W", "ddd": "%a", "dd": "%d",
    "d": "%d", "HH": "%H", "hh": "%h", "mm": "%i", "ss": "%s",
}  # fmt: skip
_VALUES: Final = re.compile(r"\(\s*values\b", re.IGNORECASE)
_CALLED: Final = re.compile(r"\s*+(?:as\s++)?+([^\W\d]\w*+)\s*+\(([\w`\s,]++)\)", re.IGNORECASE)
_MAX_NAME_TOKENS: Final = 200
_DOT_NET: Final = re.compile("|".join(_DOT_NET_FORMS))


def cast_as(value: str, kind: str) -> str:
    """A value as of a type; of texts the number they hold, with thousands marks as documents write them."""
    for pattern, own in _TYPES:
        if pattern.fullmatch(kind):
            return f"CAST(as_number({value}) AS {own})"
    if kind.lower() in ("date", "timestamp", "datetime"):
        return f"{'date' if kind.lower() == 'date' else 'datetime'}({value})"
    if kind.lower() == "time":
        return time_of(value)
    return f"as_text({value})"


def time_of(value: str) -> str:
    """The time of a moment, or of a time h:mm, compared as such: "15:30" is "15:30:00"."""
    return f"(time({two_digits(value)}) COLLATE {PERIOD_ORDER})"


def decoded(given: Sequence[str]) -> str | None:
    """Oracle's `DECODE(x, a, b, c, d, other)` as a CASE, in which nothing equals nothing."""
    if len(given) < 3:
        return None
    pairs = zip(given[1::2], given[2::2], strict=False)
    cases = " ".join(f"WHEN {given[0]} IS {key} THEN {value}" for key, value in pairs)
    return f"CASE {cases}{f' ELSE {given[-1]}' if len(given) % 2 == 0 else ''} END"


def parsed(given: Sequence[str]) -> str | None:
    """A date of a text and its form, in either order (BigQuery has the form first)."""
    if len(given) == 1:
        return f"date({given[0]})"
    form_first = given[0].startswith("'%") and not given[1].startswith("'%")
    value, form = reversed(given) if form_first else given[:2]
    return f"parsed_date({value}, {form})" if len(given) == 2 else None


def values_called(inner: str, rest: Sequence[str]) -> tuple[str, int] | None:
    """`(VALUES (1, 'a')) AS t(id, name)` as a SELECT with these names, and how many tokens behind the bracket are taken
    with it; None for other brackets."""
    if not _VALUES.match(inner):
        return None
    called = _CALLED.match("".join(rest[:_MAX_NAME_TOKENS]))
    if not called:
        return None
    names = [name.strip() for name in called[2].split(",")]
    columns = ", ".join(f"column{at} AS {name}" for at, name in enumerate(names, 1))
    length, taken = called.end(), 0
    while length > 0:
        length -= len(rest[taken])
        taken += 1
    return f"(SELECT {columns} FROM {inner}) {called[1]}", taken  # noqa: S608


def formatted(given: Sequence[str]) -> str | None:
    """What gives the same as `format` of these arguments, each SQL: of a value and a form of .NET, a value and a count
    of places (MySQL), a form of Python and values (DuckDB). None for a form of `printf`, and unknown ones."""
    form = given[0]
    if form.startswith("'"):
        return f"formed({', '.join(given)})" if "{" in form and "%" not in form.replace("%}", "") else None
    if len(given) < 2:
        return None
    value, form = given[0], given[1].strip("'")
    if form.isdecimal():
        form = f"N{form[-1]}"
    if number := re.fullmatch(r"([NnFfPp])(\d?)|(#,##)?0(?:\.(0+))?(%)?", form):
        kind, places, comma, zeros, share = number.groups("")
        percent, grouped = bool(share) or kind in ("P", "p"), bool(comma) or kind in ("N", "n")
        digits = int(places or "2") if kind else len(zeros)
        return f"formed('{{:{',' * grouped}.{digits}{'%' if percent else 'f'}}}', {value})"
    if not re.search("[yMdHhms]", form):
        return None
    return f"date_format({value}, '{_DOT_NET.sub(lambda one: _DOT_NET_FORMS[one[0]], form)}')"
