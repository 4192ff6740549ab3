"""The tool `describe_table`: the columns of one table, what their values are, and what stands apart from its rows."""

from typing import Any, Final

from pydantic import Field

from sidecar.api import UNCERTAIN_TABLE, Call, ColumnFacts, LeftOut, Result, TableFacts, TableInfo, Tool, UsageError
from sidecar.toolkit.answers.budget import fit, next_start, shorten
from sidecar.toolkit.settings import ToolArguments

_VALUE_CHARS: Final = 60
_TOTALS: Final = 3
_MAX_TOKENS: Final = 2_200
"""An answer's, as records and as text: a wide table is described page by page, half of it for either."""
_NAMES_CHARS: Final = 1_200
"""What the names of the columns of the next pages may take, some 400 tokens."""


class DescribeTable(ToolArguments):
    """Arguments of `describe_table`."""

    table: str = Field(min_length=1, description="its name or URI")
    start: int = Field(0, ge=0)


async def describe_table(call: Call, arguments: DescribeTable) -> Result:
    """Columns with types, units, ranges, different values and gaps; totals and what is left out. Raises UsageError."""
    info, facts = await call.services.library.describe_table(arguments.table)
    frame, columns = described(info, facts)
    if arguments.start and arguments.start >= len(columns):
        raise UsageError(f"start={arguments.start} is beyond the end; there are {len(columns):,} columns.")
    rest = columns[arguments.start :]
    room = min(call.budget, _MAX_TOKENS)
    around = frame | {"columns": [], "next_start": 100}
    count = fit(rest, room, frame=around)
    if count < len(rest):
        further = _few_named([column["name"] for column in rest])
        count = fit(rest, room, frame=around | {"further_columns": further})
        frame["further_columns"] = _few_named([column["name"] for column in rest[count:]])
    return Result(structured=frame | {"columns": rest[:count]} | next_start(arguments.start, count, len(rest)))


def _few_named(names: list[str]) -> str:
    """Names of columns, as many as there is room for, and how many more there are."""
    shown, chars = 0, 0
    while shown < len(names) and chars + len(names[shown]) < _NAMES_CHARS:
        chars += len(names[shown]) + len(", ")
        shown += 1
    left = [f"+{len(names) - shown:,} more"] * (shown < len(names))
    return ", ".join([*names[:shown], *left])


def described(info: TableInfo, facts: TableFacts) -> tuple[dict[str, object], list[dict[str, Any]]]:
    """What is known of a table as a whole, and of each of its columns."""
    record = info.record
    frame: dict[str, object] = {"name": info.name, "uri": info.uri, "place": info.place, "rows": facts.source.rows}
    if record.title:
        frame["title"] = record.title
    if facts.source.left_out:
        frame["left_out"] = left_out_words(facts.source.left_out)
    if facts.totals:
        frame["totals"] = [
            {name: _short(value) for name, value in row.items() if value not in ("", None)}
            for row in facts.totals[:_TOTALS]
        ]
    remarks = ["This sheet, or each row of the table, is hidden."] * record.hidden
    if record.confidence < UNCERTAIN_TABLE:
        remarks.append("Rows and columns are uncertain; compare with the page before you rely on them.")
    if info.cut:
        remarks.append(f"Rows may be missing: {info.cut}")
    if remarks:
        frame["remark"] = " ".join(remarks)
    return frame, [_column(column) for column in facts.columns]


def _column(facts: ColumnFacts) -> dict[str, object]:
    column = facts.column
    known: dict[str, object] = {"name": column.name, "type": column.type}
    if column.title and column.title.lower() != column.name:
        known["title"] = shorten(column.title, _VALUE_CHARS)
    if column.type == "percent":
        known["unit"] = "fraction: 0.125 is 12.5 %"
    elif column.unit:
        known["unit"] = column.unit
    known["distinct"] = facts.distinct
    if facts.gaps:
        known["gaps"] = facts.gaps
    common = [[_short(value), count] for value, count in facts.common if count > 1 or column.type == "text"]
    if common:  # a number that stands there once says no more than the range
        known["common"] = common
    if facts.lowest is not None and column.type != "bool":
        known |= {"min": _short(facts.lowest), "max": _short(facts.highest)}
    if facts.total is not None:
        added = float(f"{facts.total:.15g}")
        known["sum"] = int(added) if added.is_integer() else added
    if column.hidden:
        known["hidden"] = True
    if column.remark:
        known["remark"] = column.remark
    return known


def _short(value: object) -> object:
    return shorten(value, _VALUE_CHARS) if isinstance(value, str) else value


def left_out_words(left_out: tuple[LeftOut, ...]) -> list[str]:
    """What is left out, one sentence each: "2 totals (rows 14, 15)"."""
    return [f"{one.count:,} × {one.reason} ({one.where})" if one.where else one.reason for one in left_out]


DESCRIBE_TABLE: Tool[Any] = Tool(
    "describe_table", "Describe a table", "Columns of a table: types, units, ranges, gaps; totals and rows left out.",
    DescribeTable, describe_table,
)  # fmt: skip
