"""The tool `find_tables`: which tables talk about something, each in a line of some 60 tokens."""

import itertools
import json
from collections.abc import Sequence
from typing import Annotated, Any, Final

from pydantic import Field

from sidecar.api import Call, Library, Result, TableColumn, TableInfo, Tool, UsageError
from sidecar.toolkit.answers.budget import fit, next_start, shorten
from sidecar.toolkit.settings import ToolArguments

_ENTRY_BYTES: Final = 240
"""60 tokens: what a table may cost as JSON."""
_COLUMNS_BYTES: Final = 90
"""What its columns get even where name and URI are long."""
_HITS: Final = 20
"""Results of a search among whose texts tables are looked for."""
_BY_MEANING: Final = 5
"""Tables given that hold no word of the query."""
_ALIKE: Final = 3
"""Tables of the same columns that are told to be askable as one."""
_LISTED: Final = 10
"""Tables listed where nothing is asked for, and looked through for such as can be asked as one."""
_MAX_SHOWN: Final = 3
"""How many tables that hold words of the query are given with sample values; the others answer it seldom."""
_PLAIN_BYTES: Final = 150
"""What each of those costs at most, 37 tokens."""
_TITLE_CHARS: Final = 40
_SAMPLE_CHARS: Final = 12


class FindTables(ToolArguments):
    """Arguments of `find_tables`."""

    query: str = ""
    document_slug: str | None = None
    folder: str | None = None
    limit: Annotated[int, Field(ge=1, le=50)] = 5
    start: Annotated[int, Field(ge=0)] = 0


async def find_tables(call: Call, arguments: FindTables) -> Result:
    """Tables whose names, columns, values or documents' names hold words of the query, then those that answer it in
    other words, and the names of the few that come next. `limit` counts from `start` on; without a query twice as many
    are given where none is asked for. Raises UsageError."""
    library = call.services.library
    if not arguments.query.strip() and "limit" not in arguments.model_fields_set:
        arguments = arguments.model_copy(update={"limit": _LISTED})
    wanted = arguments.start + arguments.limit
    looked = max(wanted, arguments.start + _LISTED)
    found = await library.find_tables(arguments.query, looked, arguments.document_slug, arguments.folder)
    if arguments.start and arguments.start >= found.total:
        raise UsageError(f"start={arguments.start} is beyond the end; there are {found.total:,} tables.")
    further = found.tables[arguments.start :]
    tables = further[: arguments.limit]
    alike = () if arguments.start else await tables_by_meaning(library, arguments, tables)
    shown = _MAX_SHOWN if arguments.query.strip() else len(tables)
    entries = [table_entry(table, sampled=at < shown) for at, table in enumerate((*tables, *alike))]
    frame: dict[str, object] = {"total": found.total}
    if alike:
        frame["by_meaning"] = len(alike)
    if patterns := _alike_names([*further, *alike]):
        frame["alike"] = patterns
    if names := [table.name for table in further[arguments.limit :]]:
        frame["next_names"] = names
    remark = await library.progress()
    if not entries:
        hint = "Use other words, or no query for all tables." if arguments.query.strip() and not remark else ""
        remark = " ".join(filter(None, (remark, "No table found.", hint)))
    if remark:
        frame["remark"] = remark
    count = fit(entries, call.budget, frame=frame | {"tables": [], "next_start": 100})
    onward = next_start(arguments.start, min(count, len(tables)), found.total - arguments.start)
    return Result(structured=frame | {"tables": entries[:count]} | onward)


def _alike_names(tables: Sequence[TableInfo]) -> list[str]:
    """A pattern for each group of tables of the same columns, by which SQL asks them as one."""
    groups: dict[tuple[frozenset[str], str], list[str]] = {}
    for table in tables:
        columns = frozenset(column.name for column in table.record.columns)
        begin, _, own = table.name.partition("__")
        for part in (begin.partition("_")[0], f"*__{own}" if own else f"*_{begin.rpartition('_')[2]}"):
            if part.strip("*_"):
                groups.setdefault((columns, part), []).append(table.name)
    found: dict[str, None] = {}
    for (_, part), names in groups.items():
        if len(names) >= _ALIKE:
            found[part if part.startswith("*") else f"{_common(names).rstrip('0123456789')}*"] = None
    return list(found)


def _common(names: Sequence[str]) -> str:
    """What all names begin with."""
    alike = itertools.takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in alike)


async def tables_by_meaning(library: Library, asked: FindTables, found: Sequence[TableInfo]) -> tuple[TableInfo, ...]:
    """Where fewer tables have words of the query than may be given, those in which a search of the texts, by meaning
    as well, finds what answers it: a column is called "Income" and earnings are asked for. Best first."""
    most = min(asked.limit - len(found), _BY_MEANING)
    if most <= 0 or not asked.query.strip():
        return ()
    answer = await library.search(asked.query, _HITS, asked.document_slug)
    names: dict[str, str] = {}
    known = {table.name for table in found}
    # Rows say little: what is nearest comes seldom near. In a language that the model hardly knows all rows are alike.
    nearest = answer.mode == "semantic" and not found and not answer.guessed
    for hit in answer.hits:
        shown = (nearest or not hit.weak) and (asked.folder or "").lower() in hit.path.lower()
        if hit.table and hit.table not in known and shown:
            names.setdefault(hit.table, hit.document_slug)
    of_documents = {slug: await library.tables(slug) for slug in dict.fromkeys(names.values())}
    return tuple(one for name, slug in names.items() for one in of_documents[slug] if one.name == name)[:most]


def table_entry(table: TableInfo, *, sampled: bool = True) -> dict[str, object]:
    """A table in one line: its SQL name, place, rows and columns with types, and sample values if it is `sampled`."""
    record = table.record
    entry: dict[str, object] = {"name": table.name, "uri": table.uri, "rows": record.rows}
    if record.title:
        entry["title"] = shorten(record.title, _TITLE_CHARS)
    if record.hidden:
        entry["hidden"] = True
    if table.cut:
        entry["remark"] = "rows may be missing"
    room = (_ENTRY_BYTES if sampled else _PLAIN_BYTES) - _bytes(entry | {"columns": ""})
    return entry | {"columns": _columns(record.columns, max(room, _COLUMNS_BYTES), (2, 1, 0) if sampled else (0,))}


def _columns(columns: tuple[TableColumn, ...], room: int, counts: Sequence[int]) -> str:
    """As much as fits: first every name with its type, then samples, as many a column as there is room for."""
    for samples in counts:
        text = "; ".join(_column(column, samples) for column in columns)
        if _bytes(text) <= room:
            return text
    shown: list[str] = []
    for column in columns:
        left = f"+{len(columns) - len(shown)} more"
        if shown and _bytes("; ".join([*shown, _column(column, 0), left])) > room:
            return "; ".join([*shown, left])
        shown.append(_column(column, 0))
    return "; ".join(shown)


def _column(column: TableColumn, samples: int) -> str:
    kind = "" if column.type == "text" else f" {column.type}"
    unit = f" {column.unit}" if column.unit and column.unit != "%" else ""
    values = ", ".join(shorten(text, _SAMPLE_CHARS) for text in column.samples[:samples])
    return f"{column.name}{kind}{unit}{f': {values}' if values else ''}"


def _bytes(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


FIND_TABLES: Tool[Any] = Tool(
    "find_tables", "Find tables",
    "Tables of documents (sheets, CSV, Word, PDF, HTML) with columns and types, to ask by SQL.",
    FindTables, find_tables,
)  # fmt: skip
