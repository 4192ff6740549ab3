"""Several tables of the same columns as one: which of those a pattern names belong together, the columns of their
union, and what is to be known of it. The names of columns unite them; `_table` says where a row comes from."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress
from typing import Final

from msgspec import structs

from sidecar.api import ColumnType, LeftOut, QuerySource, TableColumn, UsageError
from sidecar.store.queries.statements import QueryTable, in_quotes
from sidecar.store.queries.sums import summed_columns
from sidecar.toolkit.text import few

TABLE: Final = "_table"
"""The column that names the table of a row."""
MAX_UNITED: Final = 400
"""Tables put together at most: a year of days."""
_ALIKE: Final = 0.5
"""The share of columns a table has in common with the others, at least, to be one of them."""
_PLACES: Final = 4
"""Tables whose rows left out are named, of each reason."""
_BARE: Final = "without a unit"


def united(pattern: str, tables: Sequence[QueryTable]) -> QueryTable | None:
    """The tables that a pattern names as one table: those of the commonest columns and those like them. None where
    there are none. Raises UsageError where they are too many."""
    if not tables:
        return None
    if len(tables) > MAX_UNITED:
        raise UsageError(
            f"{pattern[:80]} names more than {MAX_UNITED} tables, which is the most that is put together; write more "
            "of their names."
        )
    shapes = Counter(map(_names, tables))
    rows: Counter[frozenset[str]] = Counter()
    for table in tables:
        rows[_names(table)] += table.record.rows
    shape = max(shapes, key=lambda one: (shapes[one], rows[one], sorted(one)))
    alike = [_likeness(_names(table), shape) >= _ALIKE for table in tables]
    members = tuple(compress(tables, alike))
    others = tuple(table.name for table, is_one in zip(tables, alike, strict=True) if not is_one)
    first = next(table for table in members if _names(table) == shape)
    count = sum(one.record.rows for one in members)
    record = structs.replace(first.record, columns=_columns(first, members), rows=count, title="")
    key = "united/" + "\0".join(one.key for one in members)
    return QueryTable(
        key, pattern, (pattern,), members[0].uri, members[0].uri, "", record, members=members, others=others
    )


def _names(table: QueryTable) -> frozenset[str]:
    return frozenset(column.name for column in table.record.columns)


def _likeness(own: frozenset[str], others: frozenset[str]) -> float:
    return len(own & others) / len(own | others)


def _columns(first: QueryTable, members: Sequence[QueryTable]) -> tuple[TableColumn, ...]:
    """Every column of the tables, those of the first in front; each of the type most tables give it."""
    found: dict[str, list[TableColumn]] = {column.name: [] for column in first.record.columns}
    for table in members:
        for column in table.record.columns:
            found.setdefault(column.name, []).append(column)
    return tuple(
        structs.replace(columns[0], type=_type(columns), unit=_common([one.unit for one in columns]), remark="")
        for columns in found.values()
    )


def _type(columns: Sequence[TableColumn]) -> ColumnType:
    counts: Counter[ColumnType] = Counter(column.type for column in columns)
    if counts.keys() <= {"number", "money"} and len(counts) > 1:
        return "number"
    return counts.most_common(1)[0][0]


def _common(values: Sequence[str]) -> str:
    return values[0] if len(set(values)) == 1 else ""


def mixed_columns(table: QueryTable) -> frozenset[str]:
    """Columns of one kind in some of the tables and of another in others: SQLite keeps their values as they are."""
    kinds: dict[str, set[str]] = {}
    for member in table.members:
        for column in member.record.columns:
            kinds.setdefault(column.name, set()).add(_kind(column.type))
    return frozenset(name for name, own in kinds.items() if len(own) > 1)


def _kind(column_type: ColumnType) -> str:
    """What SQL has to tell apart."""
    return {"money": "number", "datetime": "date"}.get(column_type, column_type)


def union_remark(table: QueryTable, read: Collection[str]) -> Iterator[str]:
    """Of tables the pattern names that were left out, and of columns read that some of the tables lack, have in another
    unit or as values of another kind."""
    if table.others:
        yield (
            f"{table.name} names {few(table.others)} too, left out since their columns are others; ask them by name."
        )
    columns = {one.name: {column.name: column for column in one.record.columns} for one in table.members}
    for column in table.record.columns:
        if column.name.lower() not in read:
            continue
        has = {name: own[column.name] for name, own in columns.items() if column.name in own}
        lacking = [name for name in columns if name not in has]
        if lacking:
            verb = "has" if len(lacking) == 1 else "have"
            yield f"{few(lacking)} {verb} no column {column.name}: it is empty there."
        yield from _kind_remarks(column.name, has)
    first_of = {_content(one): one for one in reversed(table.members)}
    twice = [one.name for one in table.members if first_of[_content(one)] is not one]
    if twice:
        yield f"{few(twice)}: the same file is there under another name too, so that its rows count twice."


def _kind_remarks(name: str, columns: Mapping[str, TableColumn]) -> Iterator[str]:
    kinds = {table: _kind(own.type) for table, own in columns.items()}
    for of in (kinds, {table: own.unit for table, own in columns.items() if own.type in ("number", "money")}):
        groups: dict[str, list[str]] = {}
        for table, value in of.items():
            groups.setdefault(value, []).append(table)
        if len(groups) > 1:
            usual = max(groups, key=lambda one: len(groups[one]))
            rest = "; ".join(f"{value or _BARE} in {few(own)}" for value, own in groups.items() if value != usual)
            yield f"{name} is {usual or _BARE} in most of the tables, but {rest}; group by {TABLE}."


def _content(table: QueryTable) -> str:
    """What tells the content of a table from others': not where it lies."""
    return table.key.partition("/")[2]


def sum_of_others_remark(
    connection: sqlite3.Connection, loaded: str, table: QueryTable, summed: Collection[str]
) -> Iterator[str]:
    """Of a table whose column is the sum of that of all others: the sheet of the year among those of its months."""
    if len(table.members) < 3:
        return
    for column in summed_columns(table.record.columns, summed):
        rows = connection.execute(
            f"SELECT {TABLE}, sum({column.name}) FROM {in_quotes(loaded)} GROUP BY 1"  # noqa: S608  # names of ours
        ).fetchall()
        sums = {name: value for name, value in rows if isinstance(value, float)}
        whole = sum(sums.values())
        for name, value in sums.items():
            if value and abs(whole - 2 * value) <= abs(value) * 1e-9:
                yield (
                    f"{name} adds up to as much in {column.name} as all other tables together; if it is their total, "
                    f"write WHERE {TABLE} <> '{name}'."
                )
                return


def source_of(table: QueryTable, sources: Sequence[QuerySource]) -> QuerySource:
    """The tables of a union as one source: what each leaves out is told together, with the tables it is left out of."""
    reasons: dict[str, list[tuple[str, LeftOut]]] = {}
    for one in sources:
        for left in one.left_out:
            reasons.setdefault(left.reason, []).append((one.table, left))
    left_out = tuple(
        _together(reason, own) if own[0][1].count else LeftOut(f"{reason} (in {few([name for name, _ in own])})", 0)
        for reason, own in reasons.items()
    )
    names = tuple(one.table for one in sources)
    return QuerySource(
        table.name, sources[0].uri, sum(one.rows for one in sources), left_out, sources[-1].uri, tables=names
    )


def _together(reason: str, own: Sequence[tuple[str, LeftOut]]) -> LeftOut:
    """Rows or cells left out for one reason, with the first places in their tables."""
    places = "; ".join(f"{name} {left.where}".strip() for name, left in own[:_PLACES])
    return LeftOut(reason, sum(left.count for _, left in own), places + ("; …" if len(own) > _PLACES else ""))
