"""Values as of a type, and numbers and dates written by a form, as other dialects call types and forms: `x::int`,
`FORMAT(x, 'N2')`, `FORMAT(x, 'yyyy-MM')`."""

import re
from collections.abc import Sequence
from typing import Final

_TYPES: Final = (
    (re.compile(r"(?:big|small|tiny)?int|integer|int\d+|unsigned|signed|long", re.IGNORECASE), "INTEGER"),
    (re.compile(r"numeric|decimal|dec|float|double|real|number|money|bignumeric|float\d+", re.IGNORECASE), "REAL"),
)
"""Types whose values are numbers, and what SQLite calls them."""
A_TYPE: Final = r"(?:date|datetime|timestamp|n?(?:var)?char|text|string)\b|" + "|".join(
    rf"(?:{pattern.pattern})\b" for pattern, _ in _TYPES
)
_DOT_NET_FORMS: Final = {
    "yyyy": "%Y", "yy": "%y", "MMMM": "%M", "MMM": "%b", "MM": "%m", "M": "%m", "dddd": "%W", "ddd": "%a", "dd": "%d",
    "d": "%d", "HH": "%H", "hh": "%h", "mm": "%i", "ss": "%s",
}  # fmt: skip
_DOT_NET: Final = re.compile("|".join(_DOT_NET_FORMS))


def cast_as(value: str, kind: str) -> str:
    """A value as of a type; of texts the number they hold, with thousands marks as documents write them."""
    for pattern, own in _TYPES:
        if pattern.fullmatch(kind):
            return f"CAST(as_number({value}) AS {own})"
    if kind.lower() in ("date", "timestamp", "datetime"):
        return f"{'date' if kind.lower() == 'date' else 'datetime'}({value})"
    return f"as_text({value})"


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
