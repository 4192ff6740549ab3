"""What a query adds up: told where a row of data among it may be a total, or what is left when all others are told."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from sidecar.store.queries.asking import in_quotes
from sidecar.store.queries.comparisons import Relation

_SUMMED = re.compile(r"\b(?:sum|total|avg|median)\s*\(\s*(?:distinct\s+)?(?:\w+\.)?[`\"]?(\w+)", re.IGNORECASE)
_NUMBERS: Final = ("number", "money")
_FEWEST: Final = 5
"""Rows a table has at least for one of them to be unlike the others."""


def summed_names(sql: str) -> frozenset[str]:
    """The names, in lower case, that the query gives to functions that add up."""
    return frozenset(name.lower() for name in _SUMMED.findall(sql))


def told_totals(relation: Relation, maybe: Sequence[tuple[int, str]], summed: Collection[str]) -> Iterator[str]:
    """Of rows of data, with a column each, that are the sums of all others there; nothing calls them totals."""
    for row, column in maybe:
        if column in summed:
            yield (
                f"Row {row} of {relation.name} is the sum of all others in {column}, and counts as data; if it is a "
                f"total, write WHERE _row <> {row}."
            )


def outweighing(relation: Relation, summed: Collection[str], connection: sqlite3.Connection) -> Iterator[str]:
    """Of a row that leaves empty what all others name and is more than all others together: a total that was not
    updated, or what no name is known for. The deaths of a day without a day are the living."""
    if relation.rows < _FEWEST:
        return
    table = in_quotes(relation.table)
    for column in relation.columns.values():
        if column.name.lower() not in summed or column.type not in _NUMBERS:
            continue
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
