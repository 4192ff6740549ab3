"""Functions that people expect in SQL and SQLite has not: of texts, numbers and regular expressions.

Those of dates are in `date_functions`; what another dialect writes otherwise is `dialects`' matter."""

import math
import re
import sqlite3
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, cast

from sidecar.store.queries.aggregates import AGGREGATES, TEXT_BYTES, Value, as_text
from sidecar.store.queries.date_functions import DATES
from sidecar.store.queries.decimals import SUMS

_PATTERN_SECONDS: Final = 0.5
"""One regular expression on one text; one that needs longer would never end."""
_NUMBER = r"\d+(?:[.,]\d+)?"
_CLOCK: Final = re.compile(
    r"([-−]?)(\d{1,6}) ?[:h] ?([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?(?:\s*([AaPp])\.?[Mm]\.?)?"
    rf"|([-−]?)(?=\d)(?:({_NUMBER})\s*(?:d|days?|tage?|jours?)(?![^\W\d_])[\s,:]*)?"
    rf"(?:({_NUMBER})\s*(?:h|hrs?|hours?|std\.?|stunden?|heures?)(?![^\W\d_])[\s,:]*)?"
    rf"(?:({_NUMBER})\s*(?:min|mins|minutes?|minuten?|m)(?![^\W\d_])\.?[\s,:]*)?"
    rf"(?:({_NUMBER})\s*(?:s|secs?|seconds?|sekunden?|secondes?)(?![^\W\d_])\.?)?",
    re.IGNORECASE,
)
"""A clock, with its half of the day, or numbers with units."""
_FORMATTED: Final = re.compile(
    r"[^\w(+.,−-]*+(?:[A-Z]{3}[^\w(+.,−-]*+)?(\(?)([-+−]?)[$€£¥]?\s?"
    r"((?:\d{1,3}(?:([ ,.'’\u00a0\u202f])\d{3}(?:\4\d{3})*)|\d+)(?:[.,]\d+)?|[.,]\d+)"
)
"""A number as documents write it, with what may stand before it: `1,234.50`, `€ 1.234,50`, `(12.5)`."""


_PLACE: Final = re.compile(r"\{:?([,+]?\d{0,2},?(?:\.\d{1,2})?[dfeg%]?)\}")
"""Where a value stands in a form."""


class RegularExpressions:
    """Regular expressions, each in bounded time. `trouble` says what was wrong with the last one that failed."""

    def __init__(self) -> None:
        self.trouble = ""

    def like(self, text: Value, pattern: Value, flags: Value = "") -> int | None:
        """Whether the pattern occurs in the text."""
        if text is None or pattern is None:
            return None
        return int(
            self._asked(lambda one: one.search(as_text(text), timeout=_PATTERN_SECONDS), pattern, flags) is not None
        )

    def operator(self, pattern: Value, text: Value) -> int | None:
        """What `text REGEXP pattern` calls."""
        return self.like(text, pattern)

    def replace(self, text: Value, pattern: Value, new: Value, _flags: Value = "") -> str | None:
        """The text with every match replaced; `$1` and `\\1` are groups."""
        if text is None or pattern is None:
            return None
        by = re.sub(r"\$(\d)", r"\\\1", as_text(new))
        changed = self._asked(lambda one: one.sub(by, as_text(text), timeout=_PATTERN_SECONDS), pattern, _flags)
        return changed if len(changed) <= TEXT_BYTES else None

    def extract(self, text: Value, pattern: Value, group: Value = None) -> str | None:
        """The first match, or its group: the first one where the pattern has one and none is asked for."""
        if text is None or pattern is None:
            return None
        found = self._asked(lambda one: one.search(as_text(text), timeout=_PATTERN_SECONDS), pattern, "")
        if found is None:
            return None
        wanted = min(1, found.re.groups) if group is None else int(float(as_text(group)))
        return found[wanted] if 0 <= wanted <= found.re.groups else None

    def _asked(self, ask: Callable[[Any], Any], pattern: Value, flags: Value) -> Any:
        import regex

        try:
            return ask(_compiled(as_text(pattern), "i" in as_text(flags)))
        except regex.error as error:
            self.trouble = f"{as_text(pattern)[:80]} is not a regular expression: {error}"
        except TimeoutError:
            self.trouble = f"The pattern {as_text(pattern)[:80]} was stopped after {_PATTERN_SECONDS:g} s on one text"
        except (RecursionError, MemoryError):
            self.trouble = f"The pattern {as_text(pattern)[:80]} is too large"
        raise ValueError(self.trouble)


@lru_cache(maxsize=8)
def _compiled(pattern: str, ignore_case: bool) -> Any:
    import regex

    return regex.compile(pattern, regex.MULTILINE | (regex.IGNORECASE if ignore_case else 0))


def _lower(text: Value) -> Value:
    return text.lower() if isinstance(text, str) else text


def _upper(text: Value) -> Value:
    return text.upper() if isinstance(text, str) else text


def hours(text: Value) -> float | None:
    """A stretch of time, or a time of day, in hours: `7:30`, `5:28:39`, `-0:45`, `8:30 PM`, `2 h 15 min`, `1 d 4 h`."""
    found = _CLOCK.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        return None
    sign, hour, minute, second, half, *units = found.groups()
    day: str | None = None
    if any(units):
        sign, day, hour, minute, second = units
    parts = ((day, 1 / 24), (hour, 1), (minute, 60), (second, 3600))
    value = sum(float((part or "0").replace(",", ".")) / by for part, by in parts)
    if half:
        value = value % 12 + 12 * (half[0] in "pP")
    return -value if sign else value


def as_number(value: Value) -> float | None:
    """What CAST makes of a value on the way to a number: of a text the number it begins with, with thousands marks and
    a currency before it, None where it begins with none."""
    if not isinstance(value, str):
        return None if isinstance(value, bytes) else value
    try:
        return int(value) if value.strip().lstrip("+-").isdecimal() else float(value)
    except ValueError:
        found = _FORMATTED.match(value)
    if not found:
        return None
    bracket, sign, digits, mark = found.groups()
    if mark:
        digits = digits.replace(mark, "")
    digits = digits.replace(",", ".")
    number = float(digits) if "." in digits else int(digits)
    return -number if bracket or sign in ("-", "−") else number


def _padded(text: Value, length: Value, fill: Value, *, left: bool) -> str | None:
    if text is None or length is None:
        return None
    size, shown, by = int(float(as_text(length))), as_text(text), as_text(fill) or " "
    if not 0 <= size <= TEXT_BYTES:
        raise ValueError("a length")
    more = (by * (size // len(by) + 1))[: max(size - len(shown), 0)]
    return (more + shown if left else shown + more) if size >= len(shown) else shown[:size]


def _repeated(text: Value, count: Value) -> str | None:
    if text is None or count is None:
        return None
    times = max(int(float(as_text(count))), 0)
    if times * len(as_text(text)) > TEXT_BYTES:
        raise ValueError("a text that is too long")
    return as_text(text) * times


def _split(text: Value, separator: Value, number: Value) -> str | None:
    """`split_part(x, '-', 2)`: counted from 1, from the end where negative."""
    if text is None:
        return None
    parts, at = as_text(text).split(as_text(separator) or None), int(float(as_text(number)))
    at = at - 1 if at > 0 else len(parts) + at
    return parts[at] if 0 <= at < len(parts) else ""


def _cut(number: Value, places: Value = 0) -> float | None:
    if not isinstance(number, int | float):
        return None
    by = 10.0 ** int(float(as_text(places)))
    return math.trunc(number * by) / by


def _texted(value: Value) -> str | None:
    """What CAST makes of a value on the way to a text: 12 of 12.0, others with fifteen digits as SQLite."""
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.15g}"
    return None if value is None else as_text(value)


def _formed(form: Value, *values: Value) -> str | None:
    """`formed('{:,.2f} of {}', x, y)`: values in a form as Python writes it."""
    left = iter(values)

    def written(match: re.Match[str]) -> str:
        value = next(left, None)
        if not match[1]:
            return as_text(value)
        number = as_number(value)
        return as_text(value) if number is None else format(int(number) if match[1][-1] == "d" else number, match[1])

    return None if None in values else _PLACE.sub(written, as_text(form))


def _right(text: Value, count: Value) -> str | None:
    size = int(float(as_text(count))) if text is not None else 0
    return None if text is None else as_text(text)[-size:] if size > 0 else ""


def _joined(*parts: Value) -> str:
    return "".join(map(as_text, parts))


def _joined_by(separator: Value, *parts: Value) -> str:
    return as_text(separator).join(as_text(part) for part in parts if part is not None)


def _reversed(text: Value) -> str | None:
    return None if text is None else as_text(text)[::-1]


def _titled(text: Value) -> str | None:
    return None if text is None else as_text(text).title()


def _padded_left(text: Value, size: Value, fill: Value = " ") -> str | None:
    return _padded(text, size, fill, left=True)


def _padded_right(text: Value, size: Value, fill: Value = " ") -> str | None:
    return _padded(text, size, fill, left=False)


_PLAIN: Final[dict[str, tuple[int, Callable[..., Value]]]] = DATES | {
    "lower": (1, _lower), "upper": (1, _upper), "hours": (1, hours), "as_number": (1, as_number),
    "as_text": (1, _texted), "formed": (-1, _formed),
    "repeat": (2, _repeated), "truncate": (-1, _cut), "concat": (-1, _joined), "concat_ws": (-1, _joined_by),
    "reverse": (1, _reversed), "right_part": (2, _right),
    "initcap": (1, _titled), "split_part": (3, _split),
    "lpad": (-1, _padded_left), "rpad": (-1, _padded_right),
}  # fmt: skip
_OF_PATTERNS: Final = ("regexp", "regexp_like", "regexp_replace", "regexp_extract")
NAMES: Final = frozenset([*_PLAIN, *AGGREGATES, *_OF_PATTERNS])
"""What these functions are called in SQL."""


def add_functions(connection: sqlite3.Connection) -> RegularExpressions:
    """Give a connection these functions; what comes back says what was wrong with a regular expression."""
    patterns = RegularExpressions()
    for name, (arguments, function) in _PLAIN.items():
        connection.create_function(name, arguments, function, deterministic=True)
    matching: Iterable[tuple[str, int, Callable[..., Value]]] = (
        ("regexp", 2, patterns.operator), ("regexp_like", -1, patterns.like),
        ("regexp_replace", -1, patterns.replace), ("regexp_extract", -1, patterns.extract),
    )  # fmt: skip
    for name, arguments, function in matching:
        connection.create_function(name, arguments, function, deterministic=True)
    # The stub of `create_aggregate` knows aggregates of whole numbers only.
    for name, (arguments, aggregate) in AGGREGATES.items():
        windowed = hasattr(aggregate, "inverse")
        create = connection.create_window_function if windowed else connection.create_aggregate
        create(name, arguments, cast("Any", aggregate))
    for name, summing in SUMS.items():
        connection.create_window_function(name, 1, summing)
    return patterns
