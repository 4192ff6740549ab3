"""What crosses to the worker that answers a query, and the text of a query looked at before SQLite does: which names it
may mean, and that what stands in double quotes is a name. Not a parser: what is wrong with the SQL, SQLite says."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from sidecar.api import QueryAnswer, Scalar, TableRecord, UsageError
from sidecar.toolkit.tables.dates import CLOCK
from sidecar.toolkit.text import without_surrogates

SQL_CHARS: Final = 20_000
"""Characters of a query at most."""

TOKEN = re.compile(
    r"""(?P<string>'(?:[^']|'')*')
      | (?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))
      | (?P<quoted>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*+(?:\]|\Z))
      | (?P<word>[^\W\d]\w*)
      | (?P<other>\d[\w.]*|\s+|.)""",
    re.VERBOSE | re.DOTALL,
)


_FILES: Final = "csv|tsv|txt|xlsx?|xlsm|xlsb|ods|docx?|odt|pptx?|pdf|html?|md|parquet|json|sqlite3?|db|dbf"
_SOURCE: Final = re.compile(
    rf"""'(?:[^']|'')*'|--[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*+(?:\]|\Z)
      |(?P<before>\b(?:from|join|pivot|unpivot)\s+)(?:
        (?P<source>'(?:[^']|'')*'(?!\s*\))|[^\s'"`\[\](),;*]+\*[^\s'"`\[\](),;]*)
        |(?:read|scan)_\w+\s*\(\s*'(?P<read>[^']*)'[^()]*\)
        |(?P<file>[^\W\d]\w*(?:-\w+)*\.(?:{_FILES})\b|[^\W\d]\w*(?:-\w+)+)(?![\w.(*-])
        |(?P<document>[^\W\d]\w*)\.(?P<table>[^\W\d]\w*)(?![\w.(*-]))""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""What is asked, where it is not a name in quotes: a pattern ('sales-*.csv', sales_2024_*), a file ('staff-list.csv',
read_csv('data/staff.csv'), staff-list), a table of a document (sales.targets)."""
_CATALOGUES: Final = frozenset(("information_schema", "pg_catalog", "sqlite_master", "sqlite_schema"))
_ITEM: Final = re.compile(r"[\w)]\[(?:\d{1,2}|(?:safe_)?(?:offset|ordinal)\(\d{1,2}\))\]", re.IGNORECASE)
"""An item of a list; a column headed by a number has a space before its bracket, or a point."""
_JOINS: Final = frozenset(("JOIN", "INNER", "LEFT", "RIGHT", "FULL"))
HEADING: Final = "_heading"
"""The column of what the heading inside the table above a row says."""


KEPT: Final = "_kept"
"""The column that a query is given to filter its rows by, and is not a column of the answer."""


class QueryTable(msgspec.Struct, frozen=True):
    """A relation as a query needs it. `key` names its content, `aliases` are what the query may call it.

    `row_uri` is the URI of a row with `{row}` where its number goes; `uri` leads to the whole. One that goes on in
    further parts has in `further` their first rows (from 1), their names and their URIs. Several put together are its
    `members`; `others` are the names of those that were not taken for one of them. `cut`: see `TableInfo`.
    """

    key: str
    name: str
    aliases: tuple[str, ...]
    uri: str
    row_uri: str
    sheet: str
    record: TableRecord
    further: tuple[tuple[int, str, str], ...] = ()
    members: tuple[QueryTable, ...] = ()
    others: tuple[str, ...] = ()
    cut: str = ""

    def with_places(self, rows: Sequence[tuple[Scalar, ...]]) -> list[tuple[Scalar, ...]]:
        """The rows of a relation over several parts, each with the name and the URI of its own."""
        begins = [first for first, _, _ in self.further]
        places = [(self.sheet, self.uri), *((sheet, uri) for _, sheet, uri in self.further)]
        return [(*row, *places[bisect_right(begins, int(row[0] or 0))]) for row in rows]


class QueryOutcome(msgspec.Struct, frozen=True):
    """What became of a query: its answer; or the keys of the tables that must be loaded first; or the name of a table
    nobody gave."""

    answer: QueryAnswer | None = None
    missing: tuple[str, ...] = ()
    unknown: str = ""


def check(sql: str) -> str:
    """The query without its last semicolon. Raises UsageError where it is not a single SELECT, or too long."""
    if len(sql) > SQL_CHARS:
        raise UsageError(f"sql has {len(sql):,} characters; {SQL_CHARS:,} are taken at most.")
    if "\0" in sql:
        raise UsageError("sql holds a NUL character; leave it out.")
    if without_surrogates(sql) != sql:
        raise UsageError("sql holds half of a surrogate pair, which is not a character; leave it out.")
    if any(match["word"] and match["word"].lower() in _CATALOGUES for match in TOKEN.finditer(sql)):
        raise UsageError("sql asks tables of documents; find_tables lists them with their columns.")
    text = sql.strip().removesuffix(";").rstrip()
    words = [match["word"].upper() for match in TOKEN.finditer(text) if match["word"]]
    first = words[0] if words else ""
    if first in ("DESCRIBE", "DESC", "SHOW", "SUMMARIZE", "PRAGMA", "EXPLAIN"):
        raise UsageError("sql is one SELECT; find_tables lists tables with their columns, describe_table tells more.")
    if first not in ("SELECT", "WITH", "VALUES", "PIVOT", "UNPIVOT"):
        raise UsageError(
            "Only one SELECT (or WITH … SELECT) is run, and nothing is ever changed; begin sql with SELECT."
        )
    if any(one == "NATURAL" and two in _JOINS for one, two in pairwise(words)):
        raise UsageError("NATURAL JOIN would compare _row and _uri too; write JOIN … USING (a) with the columns meant.")
    if _ITEM.search("".join("" if match["string"] or match["comment"] else match[0] for match in TOKEN.finditer(text))):
        raise UsageError(
            "There are no lists in sql; write split_part(x, ';', 1) for an item, max_by(x, y) for one row's."
        )
    return _SOURCE.sub(_named, text)


def _named(match: re.Match[str]) -> str:
    """What is asked without being a name in quotes, as one."""
    if not match["before"]:
        return match[0]
    if match["table"]:
        own = match["document"].lower() in ("main", "temp", "dbo", "public")
        return match["before"] + in_quotes(match["table"] if own else f"{match['document']}__{match['table']}")
    name = match["read"] or match["file"] or match["source"]
    name = name[1:-1].replace("''", "'") if name[0] == "'" else name
    return match["before"] + in_quotes(name if "://" in name or "*" in name else re.split(r"[/\\]", name)[-1])


def names_in(sql: str) -> list[str]:
    """Every name the query holds, once and in its order, in lower case: tables, columns, functions, keywords alike."""
    return list(
        dict.fromkeys(
            (match["word"] or _unquoted(match["quoted"])).lower()
            for match in TOKEN.finditer(sql)
            if match["word"] or match["quoted"]
        )
    )


def with_names(sql: str, titles: Mapping[str, str]) -> str:
    """The query with every quoted name in backticks, because SQLite takes a name in double quotes that it does not know
    for a text; headings as the document writes them (`titles`, in lower case) become the columns' names. ILIKE, which
    others have beside LIKE, is LIKE: case is no matter to SQLite's."""

    names = frozenset(titles.values())

    def rewritten(match: re.Match[str]) -> str:
        if not match["quoted"]:
            word = match[0].lower()
            if match["word"] and not word.isascii() and word in names:  # SQLite knows the case of ASCII letters alone
                return word
            return "LIKE" if word == "ilike" else match[0]
        name = _unquoted(match["quoted"])
        return f"`{titles.get(name.lower(), name).replace('`', '``')}`"

    return TOKEN.sub(rewritten, sql)


def titles_of(tables: Sequence[QueryTable]) -> dict[str, str]:
    """Headings as documents write them, in lower case → the columns' names, where only one column has it."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    names = {column.name for table in tables for column in table.record.columns}
    for table in tables:
        for column in table.record.columns:
            title = column.title.lower()
            if found.setdefault(title, column.name) != column.name or (title in names and title != column.name):
                twice.add(title)
    return {title: name for title, name in found.items() if title and title not in twice}


def types_by_name(tables: Sequence[QueryTable]) -> dict[str, str]:
    """The types of columns by name, CLOCK for times h:mm; "" where tables have several of that name and unlike."""
    found: dict[str, str] = {}
    for table in tables:
        for column in table.record.columns:
            kind = CLOCK if column.order == CLOCK else column.type
            found[column.name] = kind if found.get(column.name, kind) == kind else ""
    return found


def unasked(sql: str, used: Sequence[QueryTable]) -> frozenset[str]:
    """The columns that are left out of an answer: `KEPT`, and the places that `*` alone gives where each table lies in
    one part. Its source says where that is and `_row` which row, and they were half of an answer's rows."""
    apart = any(table.members or table.further for table in used)
    return frozenset(() if apart else {"_sheet", "_uri"}.difference(names_in(sql))) | {KEPT}


def in_quotes(name: str) -> str:
    """A name as SQL writes it, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: str | float) -> str:
    """A value as SQL writes it."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def _unquoted(text: str) -> str:
    mark = text[-1]
    return text[1:-1] if mark == "]" else text[1:-1].replace(mark * 2, mark)
