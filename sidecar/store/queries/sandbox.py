"""What SQL of a user may do: one SELECT over the tables it was given, in bounded time, memory and length. No file, no
other database, no setting, no extension, no write.

SQLite's own means (https://sqlite.org/security.html): an authorizer that allows by list, `sqlite3_limit`, a hard limit
of the heap, a progress handler. Chosen over DuckDB by measurement (`tests/bench/pace/table_engines.py`, a million rows,
processor time): SQLite comes with Python, DuckDB is 67 MB on disk; importing and opening 2 ms against 100; filling 0.8
s against 2.1; a sum 62 ms against 4, groups 297 ms against 19. What DuckDB is faster at is below what anybody waits
for, and a sheet of a million cells has a tenth of those rows."""

import sqlite3
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from sidecar.api.tables import TableColumn
from sidecar.store.queries.aggregates import TEXT_BYTES
from sidecar.store.queries.functions import NAMES, RegularExpressions, add_functions
from sidecar.store.queries.statements import SQL_CHARS
from sidecar.toolkit.tables.dates import PERIOD_ORDER, PERIODS, compare_periods

HEAP_BYTES: Final = 640 * 2**20
"""What SQLite may take for tables, sorting and results together."""
_STEPS: Final = 20_000
"""Instructions of SQLite's machine between two looks at the clock, about a millisecond."""
_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: TEXT_BYTES, sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2 * SQL_CHARS + 1000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200, sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 100,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000, sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 50, sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 500, sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}  # fmt: skip
FUNCTIONS: Final = (
    frozenset(
        """
    abs avg ceil ceiling char coalesce concat concat_ws count cume_dist date datetime day degrees dense_rank exp
    first_value floor format glob group_concat hours ifnull iif instr julianday lag last_value lead length like ln log
    log10 log2 lower ltrim max median min mod month nth_value ntile nullif percent_rank pi pow power printf quantile
    quarter radians random rank replace round row_number rtrim sign sqrt stddev strftime string_agg substr substring sum
    time timediff total trim trunc typeof unicode unixepoch upper variance year
    current_date current_time current_timestamp
    """.split()  # noqa: SIM905  # read as words
    )
    | NAMES
)
"""The functions SQL may call; `load_extension`, `readfile`, `zeroblob` and the like are not among them."""


_SQL_TYPES: Final = {
    "number": "REAL", "money": "REAL", "percent": "REAL", "bool": "INTEGER", "date": "TEXT", "datetime": "TEXT",
    "text": "TEXT",
}  # fmt: skip
"""Whole numbers too are REAL: `sold / stock` of whole numbers would lose its fraction in SQLite."""


def sql_type(column: TableColumn) -> str:
    """What a column is declared as: months, quarters and days of eight digits compare in time, however written."""
    return f"{_SQL_TYPES[column.type]} COLLATE {PERIOD_ORDER}" if column.order in PERIODS else _SQL_TYPES[column.type]


def connect() -> tuple[sqlite3.Connection, RegularExpressions]:
    """An empty database in memory under these bounds, with the functions people expect and SQLite has not."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for setting in ("temp_store=MEMORY", "journal_mode=OFF", "trusted_schema=OFF", f"hard_heap_limit={HEAP_BYTES}"):
        connection.execute(f"PRAGMA {setting}").close()
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    connection.create_collation(PERIOD_ORDER, compare_periods)
    return connection, add_functions(connection)


@contextmanager
def confined(
    connection: sqlite3.Connection, modules: frozenset[str], own: frozenset[str], seconds: float
) -> Generator[dict[str, set[str]]]:
    """While it lasts the connection reads only, and statements end after `seconds` of work; gives the tables that are
    read and the columns of each, as statements are prepared. `modules` are the names of virtual tables, which may not
    be read; of relations only `own` may."""
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

    deadline = time.process_time() + seconds
    connection.set_authorizer(authorize)
    connection.set_progress_handler(lambda: time.process_time() > deadline, _STEPS)
    try:
        yield read
    finally:
        connection.set_progress_handler(None, 0)
        connection.set_authorizer(None)
