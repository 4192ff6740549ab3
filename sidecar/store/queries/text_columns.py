"""What is to be known of columns of text that a query takes for more: for truth values, for dates, or for a label that
every row has where it stands in the first row of each group alone."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterator
from typing import Final

from sidecar.api.tables import TableColumn
from sidecar.store.queries.comparisons import Relation
from sidecar.store.queries.statements import in_quotes

_NAME: Final = r"(?:\w++\.)?+`?+(\w++)`?+"
_TRUTH: Final = re.compile(
    rf"(?<![\w.`]){_NAME}\s*+(?:is\s++(?:not\s++)?|==?|<>|!=)\s*+(?:true|false)\b"
    rf"|\b(?:where|and|or|not|when)\s++{_NAME}\s*+(?=\)|;|\Z|\b(?:and|or|then|group|order|limit|having)\b)",
    re.IGNORECASE,
)
"""A column taken for a truth value."""
_DATED: Final = re.compile(
    rf"\b(?:(?:year|month|day|quarter|date|julianday|monthname|dayname)\s*+\(|"
    rf"(?:strftime|date_part|date_trunc)\s*+\(\s*+'[^']*+'\s*+,)\s*+{_NAME}\s*+[,)]"
    rf"|(?<![\w.`]){_NAME}\s*+(?:<=|>=|<|>|\bbetween\b)\s*+'\d{{4}}-\d\d",
    re.IGNORECASE,
)
"""A column taken for a date: what a function of dates is handed, or what is compared with a day."""
_MAX_KINDS: Final = 10
"""Different texts of a column that may stand for yes and no."""
_YES: Final = frozenset(("yes", "y", "ja", "j", "oui", "o", "sí", "si", "s", "sim", "x", "✓", "✔", "true", "1"))
_SHOWN: Final = 3
_CHARS: Final = 30
_MIN_ROWS: Final = 4


def text_remarks(relation: Relation, sql: str, read: Collection[str], connection: sqlite3.Connection) -> Iterator[str]:
    """Of the columns of text of one table that are `read`, a sentence each."""
    texts = {name: one for name, one in relation.columns.items() if one.type == "text" and not one.order}
    for column in _named(_TRUTH, sql, texts):
        yield from _of_truth(relation, column, connection)
    for column in _named(_DATED, sql, texts):
        yield from _of_dates(relation, column, connection)
    for column in texts.values():
        if column.name.lower() in read:
            yield from _of_groups(relation, column, connection)


def _named(pattern: re.Pattern[str], sql: str, columns: dict[str, TableColumn]) -> list[TableColumn]:
    names = [next(filter(None, found)).lower() for found in pattern.findall(sql)] if columns else []
    return [columns[name] for name in dict.fromkeys(names) if name in columns]


def _of_truth(relation: Relation, column: TableColumn, connection: sqlite3.Connection) -> Iterator[str]:
    """Of texts such as "Yes" and "No", each of which SQLite takes for false."""
    name = in_quotes(column.name)
    rows = connection.execute(
        f"SELECT {name} FROM {in_quotes(relation.table)} WHERE {name} IS NOT NULL "  # noqa: S608  # names of ours
        f"GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {_MAX_KINDS + 1}"
    ).fetchall()
    if 0 < len(rows) <= _MAX_KINDS:
        shown = ", ".join(f"'{str(value)[:_CHARS]}'" for (value,) in rows[:_SHOWN])
        true = next((value for (value,) in rows if str(value).strip().lower() in _YES), rows[0][0])
        first = str(true)[:_CHARS].replace("'", "''")
        yield (
            f"{column.name} of {relation.name} is text ({shown}) and no truth value, so that no row is true; write "
            f"{column.name} = '{first}' and the like."
        )


def _of_dates(relation: Relation, column: TableColumn, connection: sqlite3.Connection) -> Iterator[str]:
    """Of texts that are no dates of ISO 8601, which functions of dates know nothing of."""
    name, table = in_quotes(column.name), in_quotes(relation.table)
    others, value = connection.execute(
        f"SELECT count(*), max({name}) FROM {table} WHERE {name} NOT GLOB '[12][0-9][0-9][0-9]-*'"  # noqa: S608
    ).fetchone()
    if others:
        why = f": {column.remark}" if column.remark else ""
        yield (
            f"{column.name} of {relation.name} is text ('{str(value)[:_CHARS]}'), no date that is compared or taken "
            f"apart{why}; take its parts by split_part({column.name}, '/', 1) or substr."
        )


def _of_groups(relation: Relation, column: TableColumn, connection: sqlite3.Connection) -> Iterator[str]:
    """Of labels that are all different and leave at least as many rows below them empty, left of a column that every
    row fills: so lists and pivot tables name a group once."""
    name, table = in_quotes(column.name), in_quotes(relation.table)
    rows, labels, different = connection.execute(
        f"SELECT count(*), count({name}), count(DISTINCT {name}) FROM {table}"  # noqa: S608
    ).fetchone()
    if rows < _MIN_ROWS or labels < 2 or labels != different or rows < 2 * labels:
        return
    first = connection.execute(f"SELECT {name} FROM {table} ORDER BY _row LIMIT 1").fetchone()  # noqa: S608
    others = [in_quotes(one.name) for one in relation.columns.values() if one.col > column.col and one.type == "text"]
    counts = ", ".join(f"count({one})" for one in others)
    if first[0] is None or not others or max(connection.execute(f"SELECT {counts} FROM {table}").fetchone()) < rows:  # noqa: S608
        return
    above = f"FROM {relation.name} b WHERE b._row <= a._row AND b.{column.name} IS NOT NULL"
    yield (
        f"{column.name} of {relation.name} stands in {labels:,} of {rows:,} rows, as if once for the rows below it; if "
        f"so, (SELECT b.{column.name} {above} ORDER BY b._row DESC LIMIT 1) is that of a row of {relation.name} a."
    )
