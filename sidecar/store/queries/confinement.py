"""What SQL of a user may do: one SELECT over the tables it was given, in bounded time, memory and length. No file, no
other database, no setting, no extension, no write.

SQLite's own means (https://sqlite.org/security.html): an authorizer that allows by list, `sqlite3_limit`, a hard limit
of the heap, a progress handler. Chosen over DuckDB by measurement (`tests/bench/pace/table_engines.py`, a
million rows, processor time): SQLite comes with Python, DuckDB is 67 MB on disk; importing and opening 2 ms against
100; filling 0.8 s against 2.1; a sum 62 ms against 4, groups 297 ms against 19. What DuckDB is faster at is below what
anybody waits for, and a sheet of a million cells has a tenth of those rows.
"""

from __future__ import annotations

import math
import re
import sqlite3
import statistics
import time
from abc import ABC, abstractmethod
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final, cast

from sidecar.store.queries.asking import SQL_CHARS

HEAP_BYTES: Final = 640 * 2**20
"""What SQLite may take for tables, sorting and results together."""
_LENGTH: Final = 8 * 2**20
"""Bytes of one text: what `replace`, `printf` and `group_concat` may make."""
_STEPS: Final = 20_000
"""Instructions of SQLite's machine between two looks at the clock, about a millisecond."""
_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: _LENGTH, sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2 * SQL_CHARS + 1000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200, sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 100,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000, sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 50, sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 500, sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}  # fmt: skip
FUNCTIONS: Final = frozenset(
    """
    abs avg ceil ceiling char coalesce concat concat_ws count cume_dist date datetime day degrees dense_rank exp
    first_value floor format glob group_concat hours ifnull iif instr julianday lag last_value lead length like ln log
    log10 log2 lower ltrim max median min mod month nth_value ntile nullif percent_rank pi pow power printf quantile
    quarter radians rank replace round row_number rtrim sign sqrt stddev strftime string_agg substr substring sum
    time timediff total trim trunc typeof unicode unixepoch upper variance year
    """.split()  # noqa: SIM905  # read as words
)
"""The functions SQL may call; `load_extension`, `readfile`, `zeroblob` and the like are not among them."""
_NUMBER = r"\d+(?:[.,]\d+)?"
_CLOCK: Final = re.compile(
    r"([-−]?)(\d{1,6}) ?[:h] ?([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?(?:\s*([AaPp])\.?[Mm]\.?)?"
    rf"|([-−]?)(?=\d)(?:({_NUMBER})\s*(?:h|hrs?|hours?|std\.?|stunden?|heures?)(?![^\W\d_])[\s,]*)?"
    rf"(?:({_NUMBER})\s*(?:min|mins|minutes?|minuten?|m)(?![^\W\d_])\.?[\s,]*)?"
    rf"(?:({_NUMBER})\s*(?:s|secs?|seconds?|sekunden?|secondes?)(?![^\W\d_])\.?)?",
    re.IGNORECASE,
)
"""A clock, with its half of the day, or numbers with units."""

Value = str | bytes | int | float | None


class _Values(ABC):
    """An aggregate that needs all values at once."""

    def __init__(self) -> None:
        self.values: list[float] = []

    @abstractmethod
    def finalize(self) -> float | None:
        """The value of the aggregate, None where there are too few values."""

    def step(self, value: float | str | None, *_: float) -> None:
        if isinstance(value, int | float):
            self.values.append(value)


class _Median(_Values):
    def finalize(self) -> float | None:
        return statistics.median(self.values) if self.values else None


class _Variance(_Values):
    def finalize(self) -> float | None:
        return statistics.variance(self.values) if len(self.values) > 1 else None


class _Deviation(_Values):
    def finalize(self) -> float | None:
        return statistics.stdev(self.values) if len(self.values) > 1 else None


class _Quantile(_Values):
    """`quantile(x, 0.9)`, linear between the two nearest values."""

    share = 0.5

    def step(self, value: float | str | None, *share: float) -> None:
        super().step(value)
        self.share = share[0]

    def finalize(self) -> float | None:
        if not self.values or not 0 <= self.share <= 1:
            return None
        values = sorted(self.values)
        at = (len(values) - 1) * self.share
        low = math.floor(at)
        high = min(low + 1, len(values) - 1)
        return values[low] + (values[high] - values[low]) * (at - low)


def _lower(text: Value) -> Value:
    return text.lower() if isinstance(text, str) else text


def _upper(text: Value) -> Value:
    return text.upper() if isinstance(text, str) else text


def _year(date: Value) -> int | None:
    return _digits(date, 0, 4)


def _month(date: Value) -> int | None:
    return _digits(date, 5, 7)


def _day(date: Value) -> int | None:
    return _digits(date, 8, 10)


def _quarter(date: Value) -> int | None:
    month = _month(date)
    return (month + 2) // 3 if month else None


def _digits(date: Value, start: int, stop: int) -> int | None:
    text = date[start:stop] if isinstance(date, str) and date[4:5] == "-" else ""
    return int(text) if text.isdecimal() else None


def hours(text: Value) -> float | None:
    """A stretch of time, or a time of day, in hours: `7:30`, `5:28:39`, `-0:45`, `8:30 PM`, `2 h 15 min`, `90 min`."""
    found = _CLOCK.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        return None
    sign, hour, minute, second, half, *units = found.groups()
    if any(units):
        sign, hour, minute, second = units
    value = sum(float((part or "0").replace(",", ".")) / by for part, by in ((hour, 1), (minute, 60), (second, 3600)))
    if half:
        value = value % 12 + 12 * (half[0] in "pP")
    return -value if sign else value


def connect() -> sqlite3.Connection:
    """An empty database in memory under these bounds, with the functions people expect and SQLite has not."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for setting in ("temp_store=MEMORY", "journal_mode=OFF", "trusted_schema=OFF", f"hard_heap_limit={HEAP_BYTES}"):
        connection.execute(f"PRAGMA {setting}").close()
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    for name, function in (
        ("lower", _lower), ("upper", _upper), ("year", _year), ("month", _month), ("day", _day), ("quarter", _quarter),
        ("hours", hours),
    ):  # fmt: skip
        connection.create_function(name, 1, function, deterministic=True)
    # The stub of `create_aggregate` knows aggregates of whole numbers only.
    aggregates = (
        ("median", 1, _Median), ("variance", 1, _Variance), ("stddev", 1, _Deviation), ("quantile", 2, _Quantile),
    )  # fmt: skip
    for name, arguments, aggregate in aggregates:
        connection.create_aggregate(name, arguments, cast("Any", aggregate))
    return connection


@contextmanager
def confined(
    connection: sqlite3.Connection, modules: frozenset[str], own: frozenset[str], seconds: float
) -> Generator[dict[str, set[str]]]:
    """While it lasts the connection reads only, and statements end after `seconds`; gives the tables that are read and
    the columns of each, as statements are prepared. `modules` are the names of virtual tables, which may not be read;
    of relations only `own` may."""
    read: dict[str, set[str]] = {}

    def authorize(action: int, first: str | None, second: str | None, _database: str | None, _by: str | None) -> int:
        if action == sqlite3.SQLITE_READ:
            name = (first or "").lower()
            not_asked = name.startswith("relation ") and name not in own
            if not_asked or name.startswith(("sqlite_", "pragma_")) or name in modules:
                return sqlite3.SQLITE_DENY
            read.setdefault(name, set()).add((second or "").lower())
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION:
            return sqlite3.SQLITE_OK if (second or "").lower() in FUNCTIONS else sqlite3.SQLITE_DENY
        allowed = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE)
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    deadline = time.monotonic() + seconds
    connection.set_authorizer(authorize)
    connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
    try:
        yield read
    finally:
        connection.set_progress_handler(None, 0)
        connection.set_authorizer(None)
