"""What is to be known of the tables a query read: what their columns hold, which of them were guessed, and where a row
of data among what is added up may be a total, or what is left when all others are told."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from sidecar.api import UNCERTAIN_TABLE, LeftOut, QuerySource, Scalar, TableColumn
from sidecar.store.queries.comparisons import QueriedTable
from sidecar.store.queries.statements import QueryTable, in_quotes
from sidecar.store.queries.tokens import selected, tokens_of
from sidecar.toolkit.tables.cells import is_balance
from sidecar.toolkit.tables.dates import CLOCK, COMPACT, IN_MINUTES, QUARTERLY
from sidecar.toolkit.tables.numbers import are_currencies
from sidecar.toolkit.text.strings import few

_SUMMED = re.compile(r"\b(?:sum|total|avg|median)\s*\(\s*(?:distinct\s+)?(?:\w+\.)?[`\"]?(\w+)", re.IGNORECASE)
_TEXT = re.compile(r"'((?:[^']|'')+)'")
_LEAST_FIRST = re.compile(r"\border\s+by\s+(?:\w+\.)?[`\"]?(\w+)[`\"]?(?:\s+asc)?\s+limit\b", re.IGNORECASE)
_UNEQUAL = re.compile(
    r"(?<![\w.])(?:\w++\.)?+[`\"]?(\w++)[`\"]?\s*+(?:<>|!=|\bnot\s+(?:like\b|in\s*\())\s*(?:'(?!')|\d)", re.IGNORECASE
)
_NOT_AMONG = re.compile(
    r"\bnot\s++in\s*+\(\s*+select\s++(?:distinct\s++)?+(?:\w++\.)?+[`\"]?+(\w++)[`\"]?+\s++from\b([^)]*+)",
    re.IGNORECASE,
)
"""What rows are not to be among, with what stands behind it."""
_AVERAGED = re.compile(r"\b(?:avg|median)\s*+\(\s*+(?:\w++\.)?+`?+(\w++)`?+\s*+\)", re.IGNORECASE)
ROWS_CHOSEN: Final = re.compile(r"(?<!\w)_row\s*+(?:not\s++in|<>|!=|<|>)", re.IGNORECASE)
"""What a query leaves rows out by that it was told of."""
_TERM = re.compile(r"(?:\w++\.)?+`?+([^\W\d]\w*+)`?+")
_TERMS = re.compile(rf"(?<![\w.`*/]){_TERM.pattern}(?:\s*+[+-]\s*+{_TERM.pattern})++", re.IGNORECASE)
"""Columns that are added to one another or subtracted."""
_SHOWN: Final = 4
_ADDING = re.compile(r"(?:round\s*\(\s*)?(?:sum|total|avg|count|median|stddev)\s*\(", re.IGNORECASE)
_PLAIN_COLUMN = re.compile(r"(?:\w+\.)?[`\"]?(\w+)[`\"]?(?:\s+(?:as\s+)?[`\"]?\w+[`\"]?)?", re.IGNORECASE)
_NUMBERS: Final = ("number", "money")
_NOT_SUMMED: Final = (
    "it is no column of numbers, so sums and averages of it are wrong; times such as 5:28 add up as sum(hours({}))"
)
_KEPT_AS: Final = ("holds", "stayed text")
_GOES_ON = re.compile(r"\((?:continued|cont(?:'d|\.)?|fortsetzung|forts\.|suite|continuación|seguito)\)", re.IGNORECASE)
"""What the title of a table says that begins on a page before."""
_MAX_GROUPED: Final = 5_000
"""Rows of a table in which groups are looked for."""
_MAX_GROUP: Final = 100
"""Rows of a group at most: 5,000 rows are looked through in a tenth of a second."""
_GROUPED: Final = 0.75
"""The share of rows in groups or at their heads, at least."""
_FEW_GROUPS: Final = 2
"""How many columns may add up by chance where nothing but one column tells."""
_BALANCES: Final = 2
"""How many times as many rows as balances there must be: a list of nothing but balances adds them up on purpose."""
_ROUNDED: Final = 1e-9
_MAX_CURRENCIES: Final = 5
_MISSING: Final = re.compile(r"-99+(?:\.9+)?")
"""What stands for a missing number in data of surveys and instruments."""
_FAR: Final = 10
"""So many times as far from 0 as all other values such a number is where some of these are below 0."""
_MIN_ROWS: Final = 5
"""Rows a table has at least for one of them to be unlike the others."""


def summed_names(sql: str) -> frozenset[str]:
    """The names, in lower case, that the query gives to functions that add up."""
    return frozenset(name.lower() for name in _SUMMED.findall(sql))


def summed_columns(columns: Iterable[TableColumn], summed: Collection[str]) -> list[TableColumn]:
    """The columns of amounts among those that a query adds up."""
    return [column for column in columns if column.name.lower() in summed and column.type in _NUMBERS]


def totals_remark(relation: QueriedTable, maybe: Sequence[tuple[int, str]], summed: Collection[str]) -> Iterator[str]:
    """Of rows of data, with a column each, that are the sums of all others there; nothing calls them totals."""
    for row, column in maybe:
        if column in summed:
            yield (
                f"Row {row} of {relation.name} is the sum of all others in {column}, and counts as data; if it is a "
                f"total, write WHERE _row <> {row}."
            )


def total_names(totals: Iterable[Sequence[Scalar]]) -> frozenset[str]:
    """What the texts in rows of totals are, each with its row first, as they compare with what a query asks for."""
    return frozenset(one.strip().casefold() for _, *values in totals for one in values if isinstance(one, str))


def named_total(
    relation: QueriedTable, totals: Iterable[Sequence[Scalar]], sql: str, read: Collection[str]
) -> Iterator[str]:
    """Of a total, which is left out, that the query asks for by its name: its row, the first of `totals`' values, and
    what it has in the other columns that are read."""
    asked = {text.replace("''", "'").strip("% ").casefold() for text in _TEXT.findall(sql)}
    for row, *values in totals:
        cells = [one if isinstance(one, str) else "" if one is None else f"{one:.15g}" for one in values]
        label = next((one for one in cells if one.strip().casefold() in asked and one.strip()), "")
        if label:
            named = zip(relation.columns, cells, strict=True)
            told = [f"{name} {cell}" for name, cell in named if name in read and cell and cell != label]
            there = f": there {few(told)}" if told else ""
            yield f"'{label.strip()}' is a total, row {row} of {relation.name}, and no row of data{there}."


def balances_remark(relation: QueriedTable, summed: Collection[str], connection: sqlite3.Connection) -> Iterator[str]:
    """Of the few rows of a statement that are named as its balances, where its amounts are added up."""
    texts = [in_quotes(one.name) for one in relation.columns.values() if one.type == "text"]
    if not texts or relation.rows > _MAX_GROUPED or not summed_columns(relation.columns.values(), summed):
        return
    found = [
        (row, label)
        for row, *labels in connection.execute(f"SELECT _row, {', '.join(texts)} FROM {in_quotes(relation.table)}")  # noqa: S608
        for label in labels
        if isinstance(label, str) and is_balance(label)
    ]
    if found and _BALANCES * len(found) <= relation.rows:
        rows = ", ".join(str(row) for row, _ in found)
        yield (
            f"{relation.name} has '{found[0][1].strip()}' among the rows that are added up; if it is a balance, write "
            f"WHERE _row NOT IN ({rows})."
        )


def group_sums(relation: QueriedTable, summed: Collection[str], connection: sqlite3.Connection) -> Iterator[str]:
    """Of rows that each are the sum of the rows below them, which make up most of the table: pivot tables and lists of
    regions have their groups so. In a table with several columns of figures they are that in two at least."""
    figures = [one for one in relation.columns.values() if one.type in _NUMBERS]
    asked = summed_columns(figures, summed)
    if not asked or not _MIN_ROWS <= relation.rows <= _MAX_GROUPED:
        return
    names = ", ".join(in_quotes(one.name) for one in (*asked, *(one for one in figures if one not in asked)))
    fetched = connection.execute(f"SELECT _row, {names} FROM {in_quotes(relation.table)} ORDER BY _row").fetchall()  # noqa: S608
    columns = [
        [value if isinstance(value, float) else 0.0 for value in column] for column in zip(*fetched, strict=True)
    ]
    first, *others = (_groups(column) for column in columns[1:])
    groups = {begin: end for begin, end in first.items() if not others or any(one.get(begin) == end for one in others)}
    within = sum(end - begin + 1 for begin, end in groups.items())
    enough = within >= _GROUPED * relation.rows if others else len(groups) > _FEW_GROUPS and within == relation.rows
    if len(groups) > 1 and enough:
        rows = ", ".join(str(fetched[begin][0]) for begin in groups)
        yield (
            f"Rows {rows} of {relation.name} are the sums of the rows below each of them in {asked[0].name}, and count "
            f"as data; if they are totals of groups, write WHERE _row NOT IN ({rows})."
        )


def _groups(values: Sequence[float]) -> dict[int, int]:
    """The places of values that the ones right below them add up to, two at least, each with the place of the last."""
    found: dict[int, int] = {}
    at = 0
    while at < len(values):
        total, end, added = values[at], at, 0.0
        for below in range(at + 1, min(at + _MAX_GROUP, len(values)) if total else 0):
            added += values[below]
            if below - at > 1 and abs(added - total) <= _ROUNDED * abs(total):
                end = below
                break
        if end > at:
            found[at] = end
        at = end + 1
    return found


def several_currencies(
    relation: QueriedTable, summed: Collection[str], read: Collection[str], connection: sqlite3.Connection
) -> Iterator[str]:
    """Of amounts whose currencies another column names, row by row, where the query does not look at that."""
    amounts = summed_columns(relation.columns.values(), summed)
    for column in relation.columns.values() if amounts else ():
        if column.type != "text" or not are_currencies(column.samples) or column.name.lower() in read:
            continue
        name = in_quotes(column.name)
        rows = connection.execute(
            f"SELECT DISTINCT {name} FROM {in_quotes(relation.table)} WHERE {name} IS NOT NULL LIMIT ?",  # noqa: S608
            (_MAX_CURRENCIES,),
        ).fetchall()
        if len(rows) > 1:
            names = ", ".join(one.name for one in amounts)
            yield (
                f"{column.name} of {relation.name} names several currencies ({', '.join(code for (code,) in rows)}), "
                f"and {names} is added up over all of them; write GROUP BY {column.name}."
            )


def outweighing(relation: QueriedTable, summed: Collection[str], connection: sqlite3.Connection) -> Iterator[str]:
    """Of a row that leaves empty what all others name and is more than all others together: a total that was not
    updated, or what no name is known for. The deaths of a day without a day are the living."""
    if relation.rows < _MIN_ROWS:
        return
    table = in_quotes(relation.table)
    for column in summed_columns(relation.columns.values(), summed):
        name = in_quotes(column.name)
        row, most, added = connection.execute(
            f"SELECT _row, max({name}), sum({name}) FROM {table}"  # noqa: S608  # names of ours
        ).fetchone()
        if most is None or most <= added - most or most <= 0:
            continue
        keys = [one.name for one in relation.columns.values() if one is not column]
        filled = connection.execute(f"SELECT {', '.join(f'count({in_quotes(key)})' for key in keys)} FROM {table}")  # noqa: S608
        counts = dict(zip(keys, filled.fetchone(), strict=True)) if keys else {}
        for key, count in counts.items():
            empty = f"SELECT 1 FROM {table} WHERE _row = ? AND {in_quotes(key)} IS NULL"  # noqa: S608
            if count == relation.rows - 1 and connection.execute(empty, (row,)).fetchone():
                yield (
                    f"Row {row} of {relation.name} leaves {key} empty, which all others fill, and has more in "
                    f"{column.name} than all others together; if it is none of them, write WHERE _row <> {row}."
                )
                break


def of_empty_cells(relation: QueriedTable, sql: str, connection: sqlite3.Connection) -> Iterator[str]:
    """Of rows that have nothing where the query orders, compares, adds to one another or averages."""
    for look in (_empty_first, _empty_unequal, _empty_among, _empty_added, _empty_averaged):
        yield from look(relation, sql, connection)


def _empty_first(relation: QueriedTable, sql: str, connection: sqlite3.Connection) -> Iterator[str]:
    """Of rows without a value where the least is asked for: in order they come first."""
    for name in _LEAST_FIRST.findall(sql) if "is not null" not in sql.lower() else ():
        column = relation.columns.get(name.lower())
        if column is None or column.type == "text":
            continue
        if empty := _empty(relation, column, connection):
            yield (
                f"{empty:,} row(s) of {relation.name} have no {column.name} and come first in its order; if that is "
                f"not meant, write ORDER BY {column.name} NULLS LAST."
            )


def _empty_unequal(relation: QueriedTable, sql: str, connection: sqlite3.Connection) -> Iterator[str]:
    """Of rows without a text where those are asked for that have another: in SQL nothing is unlike nothing."""
    for name in dict.fromkeys(_UNEQUAL.findall(sql)) if " null" not in sql.lower() else ():
        column = relation.columns.get(name.lower())
        if column is not None and (empty := _empty(relation, column, connection)):
            yield (
                f"{empty:,} row(s) of {relation.name} have no {column.name} and are not among those unlike a value; if "
                f"they are meant too, write OR {column.name} IS NULL."
            )


def _empty_among(relation: QueriedTable, sql: str, connection: sqlite3.Connection) -> Iterator[str]:
    """Of rows without what others are not to be among: in SQL nothing is certain to be unlike nothing."""
    for name, behind in _NOT_AMONG.findall(sql):
        column = relation.columns.get(name.lower())
        if (
            column is None
            or " null" in behind.lower()
            or not any(re.search(rf"\b{re.escape(one)}\b", behind) for one in relation.aliases)
        ):
            continue
        if empty := _empty(relation, column, connection):
            yield (
                f"{empty:,} row(s) of {relation.name} have no {name}, so that NOT IN is true of no row; write "
                f"WHERE {name} IS NOT NULL inside."
            )


def _empty_added(relation: QueriedTable, sql: str, connection: sqlite3.Connection) -> Iterator[str]:
    """Of rows that have some of the columns that are added to one another, and not all: nothing is their sum."""
    for terms in dict.fromkeys(match[0] for match in _TERMS.finditer(sql)):
        names = list(dict.fromkeys(name.lower() for name in _TERM.findall(terms)))
        if len(names) < _FEW_GROUPS or not all(name in relation.columns for name in names):
            continue
        if any(relation.columns[name].type not in _NUMBERS for name in names):
            continue
        some = f"coalesce({', '.join(names)}) IS NOT NULL AND ({' OR '.join(f'{name} IS NULL' for name in names)})"
        rows = connection.execute(f"SELECT count(*) FROM {in_quotes(relation.table)} WHERE {some}").fetchone()[0]  # noqa: S608
        if rows:
            yield (
                f"{rows:,} row(s) of {relation.name} have no value in one of {', '.join(names[:_SHOWN])}, and so "
                f"none of what is computed of them; if that is 0, write coalesce({names[0]}, 0) and the like."
            )


def _empty_averaged(relation: QueriedTable, sql: str, connection: sqlite3.Connection) -> Iterator[str]:
    """Of rows without a number where the mean of numbers is asked for: a dash may be 0, or not known."""
    for name in dict.fromkeys(_AVERAGED.findall(sql)) if " null" not in sql.lower() else ():
        column = relation.columns.get(name.lower())
        if column is not None and column.type != "text" and (empty := _empty(relation, column, connection)):
            yield (
                f"{empty:,} of {relation.rows:,} rows of {relation.name} have no {column.name} and are not in its "
                f"average; if they are 0, write coalesce({column.name}, 0)."
            )


def beside_sums(sql: str) -> list[str]:
    """The names selected beside sums of all rows, without a GROUP BY."""
    tokens = tokens_of(sql)
    items = selected(tokens) if "group" not in (token.lower() for token in tokens) else []
    sums = [item for item in items if _ADDING.match(item) and " over" not in item.lower()]
    return [match[1] for item in items if sums and (match := _PLAIN_COLUMN.fullmatch(item))]


def of_any_row(relation: QueriedTable, beside: Iterable[str]) -> Iterator[str]:
    """Of columns among `beside_sums`: SQLite gives one row's value, but that of the row with the least or greatest
    beside min or max alone."""
    for name in beside:
        if name.lower() in relation.columns:
            yield f"{name} is of some one row, beside what all rows give; write GROUP BY {name}, or leave it out."


def _empty(relation: QueriedTable, column: TableColumn, connection: sqlite3.Connection) -> int:
    """How many rows have nothing in a column."""
    statement = f"SELECT count(*) FROM {in_quotes(relation.table)} WHERE {in_quotes(column.name)} IS NULL"  # noqa: S608
    return int(connection.execute(statement).fetchone()[0])


def codes_of_nothing(relation: QueriedTable, summed: Collection[str], connection: sqlite3.Connection) -> Iterator[str]:
    """Of columns with -99, -999 … where nothing else is negative or near: so programs write a missing value."""
    for column in summed_columns(relation.columns.values(), summed) if relation.rows >= _MIN_ROWS else ():
        name, table = in_quotes(column.name), in_quotes(relation.table)
        fewest = connection.execute(f"SELECT min({name}) FROM {table}").fetchone()[0] or 0  # noqa: S608
        if not _MISSING.fullmatch(f"{fewest:g}"):
            continue
        rows, next_fewest, farthest = connection.execute(
            f"SELECT sum({name} = ?1), min(iif({name} > ?1, {name}, NULL)), max(abs(iif({name} > ?1, {name}, NULL))) "  # noqa: S608
            f"FROM {table}",
            (fewest,),
        ).fetchone()
        if (next_fewest or 0) >= 0 or farthest * _FAR <= -fewest:
            else_below = "nothing else below 0" if (next_fewest or 0) >= 0 else "nothing else near it"
            yield (
                f"{column.name} of {relation.name} has {fewest:g} in {rows:,} row(s) and {else_below}; if that "
                f"means a missing value, write nullif({column.name}, {fewest:g})."
            )


def source(
    table: QueryTable, rows: int, left_out: tuple[LeftOut, ...], summed: Collection[str], read: Collection[str] | None
) -> QuerySource:
    """The table as a source, with what is to be known of the columns that were `read` (None: all that is left
    out of any): values of theirs that are left out, that they stayed text, so that no sum is right, or hold several
    currencies."""
    remarks = {column.name: _remark(column, summed=column.name.lower() in summed) for column in table.record.columns}
    last_uri = table.further[-1][2] if table.further else ""
    texts = tuple(
        LeftOut(f"{column.name} {_KEPT_AS[column.type == 'text' and column.order != CLOCK]}: {remarks[column.name]}", 0)
        for column in table.record.columns
        if remarks[column.name] and column.name in (read or ())
    )
    gaps = tuple(one for one in left_out if not one.column or read is None or one.column in read)
    return QuerySource(table.name, table.uri, rows, (*gaps, *texts), last_uri)


def _remark(column: TableColumn, *, summed: bool) -> str:
    """What is to be known of a column, where a query adds it up or only reads it."""
    if not summed or column.type != "text" or column.order == CLOCK:
        usual = column.order in (COMPACT, QUARTERLY) or (column.order == CLOCK and not summed)
        return "" if usual and column.remark != IN_MINUTES else column.remark
    return f"{column.remark}; sums and averages of it are wrong" if column.remark else _NOT_SUMMED.format(column.name)


def uncertain(used: Sequence[QueryTable]) -> list[str]:
    """Of the tables whose rows and columns were guessed and may be wrong, whose document was not read to its end, or
    that go on from another, a sentence each."""
    return [
        *(f"Rows of {one.name} may be missing, and sums and counts wrong: {one.cut}" for one in used if one.cut),
        *(
            f"{table.name} goes on from a table before it, as its title says, and was not joined to that; ask both."
            for table in used
            if _GOES_ON.search(table.record.title)
        ),
        *(
            f"The rows and columns of {table.name} are uncertain; compare with {table.uri} before you rely on them."
            for table in used
            if table.record.confidence < UNCERTAIN_TABLE
        ),
    ]
