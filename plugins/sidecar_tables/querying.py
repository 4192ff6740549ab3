"""The tool `query_tables`: one SELECT over tables; its rows as Markdown and as data, and where they come from."""

from collections.abc import Sequence
from typing import Any, Final

from pydantic import Field

from sidecar.api import Call, QueryAnswer, QuerySource, Result, Scalar, Text, Tool, UsageError
from sidecar.toolkit.answers.budget import BLOCK_TOKENS, ENVELOPE_TOKENS, json_tokens, shorten, text_tokens
from sidecar.toolkit.provenance import escape_script_links
from sidecar.toolkit.settings import ToolArguments
from sidecar_tables.describing import left_out_words

_ROWS: Final = 1000
"""Rows fetched at a time; no answer holds more."""
_CELL_CHARS: Final = (500, 120, 40)
"""Texts are cut to this many characters, shorter where not even one row would fit."""
_LEFT_OUT: Final = 6
_NAMES: Final = 12
"""Names shown of tables put together: the months of a year."""


class QueryTables(ToolArguments):
    """Arguments of `query_tables`."""

    sql: str = Field(
        min_length=1,
        description="SQLite; every table has _uri, _sheet, _row, _heading (between rows); "
        'FROM "sales_*" is all alike as one, with _table',
    )
    tables: list[str] = Field([], description="slugs whose tables go by short names")
    start: int = Field(0, ge=0)


async def query_tables(call: Call, arguments: QueryTables) -> Result:
    """As many rows from `start` on as fit the budget, and what they were taken from. Raises UsageError."""
    answer = await call.services.library.query_tables(
        arguments.sql, arguments.tables, start=arguments.start, limit=_ROWS
    )
    if arguments.start and not answer.rows:
        raise UsageError(f"start={arguments.start} is beyond the end; the query gives {answer.total:,} rows.")
    sources = [_source(source) for source in answer.sources]
    frame: dict[str, object] = {"columns": list(answer.columns), "total": answer.total}
    if not answer.complete:
        frame["more"] = True
    if kinds := {name: kind for name, kind in zip(answer.columns, answer.types, strict=True) if kind == "percent"}:
        frame["types"] = kinds
    if answer.notices:
        frame["notices"] = list(answer.notices)
    around = "\n".join((*(f"Note: {notice}" for notice in answer.notices), *source_lines(answer.sources)))
    room = call.budget - ENVELOPE_TOKENS - 2 * BLOCK_TOKENS - text_tokens(around)
    room -= json_tokens(frame | {"sources": sources, "rows": [], "next_start": arguments.start + _ROWS})
    rows, shown = _fitting(answer, room)
    frame |= {"rows": rows, "sources": sources}
    lines = [shown]
    if arguments.start + len(rows) < answer.total:
        frame["next_start"] = arguments.start + len(rows)
        lines.append(
            f"Rows {arguments.start + 1}-{frame['next_start']} of {answer.total:,}; next_start={frame['next_start']}."
        )
    return Result((Text("\n\n".join(filter(None, (*lines, around)))),), frame)


def _fitting(answer: QueryAnswer, room: int) -> tuple[list[list[Scalar]], str]:
    """The first rows that fit, as data and as Markdown together; one at least, its texts cut."""
    for chars in _CELL_CHARS:
        rows = [[_cut(value, chars) for value in row] for row in answer.rows]
        left = room - text_tokens(markdown(answer.columns, []))
        count = 0
        for row in rows:
            left -= json_tokens(row) + text_tokens(_line(row))
            if left < 0:
                break
            count += 1
        if count or not rows:
            return rows[:count], markdown(answer.columns, rows[:count])
    rows = [[_cut(value, _CELL_CHARS[-1]) for value in row] for row in answer.rows[:1]]
    return rows, markdown(answer.columns, rows)


def rounded(value: Scalar) -> Scalar:
    """A number without the noise of binary fractions: fifteen digits, as spreadsheets show them."""
    return float(f"{value:.15g}") if isinstance(value, float) else value


def _cut(value: Scalar, chars: int) -> Scalar:
    return shorten(value, chars) if isinstance(value, str) else rounded(value)


def markdown(columns: Sequence[str], rows: Sequence[Sequence[Scalar]]) -> str:
    """The rows as a GFM table."""
    return "\n".join([_line(columns), "|" + " --- |" * len(columns), *(_line(row) for row in rows)])


def _line(row: Sequence[Scalar]) -> str:
    return f"| {' | '.join(_cell(value) for value in row)} |"


def _cell(value: Scalar) -> str:
    if not isinstance(value, str):
        return "" if value is None else str(value)
    return escape_script_links(" ".join(value.split())).replace("\\", "\\\\").replace("|", "\\|")


def _source(source: QuerySource) -> dict[str, object]:
    known: dict[str, object] = {"table": source.table, "uri": source.uri, "rows": source.rows}
    if source.last_uri:
        known["last_uri"] = source.last_uri
    if source.tables:
        known["tables"] = _few_names(source.tables)
    left_out, remarks = _limits_of(source)
    known |= {"left_out": left_out} if left_out else {}
    return known | ({"remarks": remarks} if remarks else {})


def _limits_of(source: QuerySource) -> tuple[list[str], list[str]]:
    """What a query does not see of a table, and what is to be known of the columns that it read."""
    unseen = tuple(one for one in source.left_out if one.count)
    columns = tuple(one for one in source.left_out if not one.count)
    return left_out_words(unseen)[:_LEFT_OUT], left_out_words(columns)[:_LEFT_OUT]


def _few_names(names: Sequence[str]) -> list[str]:
    """The names of tables put together, the first and the last of many."""
    between = len(names) - _NAMES
    return [*names] if between <= 0 else [*names[: _NAMES - 1], f"{between} more", names[-1]]


def source_lines(sources: Sequence[QuerySource]) -> list[str]:
    """Where the rows come from, and what is not among them, one line a table."""
    lines: list[str] = []
    for source in sources:
        left_out, remarks = ("; ".join(words) for words in _limits_of(source))
        place = f"{source.uri} to {source.last_uri}" if source.last_uri else source.uri
        place = f"{', '.join(_few_names(source.tables))} ({place})" if source.tables else place
        apart = f", left out: {left_out}" if left_out else ""
        lines.append(f"From {place}: {source.rows:,} rows{apart}." + (f" {remarks}." if remarks else ""))
    return lines


QUERY_TABLES: Tool[Any] = Tool(
    "query_tables",
    "Ask tables by SQL",
    "One SELECT over tables named as find_tables does: exact sums, joins, groups, with the ranges they come from.",
    QueryTables,
    query_tables,
)
