"""What crosses to the worker that answers a query, and the text of a query looked at before SQLite does: which names it
may mean, and that what stands in double quotes is a name. Not a parser: what is wrong with the SQL, SQLite says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from sidecar.api import UsageError
from sidecar.api.tables import QueryAnswer, TableRecord
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

_DIALECTS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), hint)
    for pattern, hint in (
        (r"\btop\s*\(?\s*\d", "write LIMIT 5 at the end for TOP 5"),
        (r"\bfetch\s+(?:first|next)\b", "write LIMIT 5 for FETCH FIRST 5 ROWS ONLY"),
        (r"::\s*\w", "write CAST(x AS INTEGER) for x::int"),
        (r"\bwithin\s+group\b", "write median(x) or quantile(x, 0.9) for percentiles"),
        (r"\bextract\s*\(", "write year(x), month(x) or strftime('%Y-%m', x) for EXTRACT"),
        (r"\b(?:left|right)\s*\(", "write substr(x, 1, 3) for LEFT and substr(x, -3) for RIGHT"),
        (r"\binterval\s+['\d]", "write date(x, '-30 days') for intervals"),
        (r"\bqualify\b", "put the query in brackets and filter the outer one by WHERE for QUALIFY"),
        (r"\bgroup\s+by\s+all\b", "name the columns for GROUP BY ALL"),
        (r"\bdistinct\s+on\b", "write GROUP BY, or row_number() OVER (PARTITION BY …) = 1 outside, for DISTINCT ON"),
        (r"\*\s*(?:exclude|except|replace)\s*\(", "name the columns that are wanted"),
        (r"\brollup\b|\bcube\s*\(|\bgrouping\s+sets\b", "write UNION ALL with a SELECT of the totals for ROLLUP"),
        (r"\btablesample\b|\busing\s+sample\b", "write ORDER BY random() LIMIT 100 for a sample"),
        (r",\s*from\b", "leave out the comma before FROM"),
        (r"\bsimilar\s+to\b", "write x REGEXP '^(a|b)$' for SIMILAR TO"),
        (r"\b(?:un)?pivot\b", "write sum(CASE WHEN a = 'x' THEN b END) for each column of a PIVOT"),
        (r"\bcount\s*\(\s*distinct\b[^)]*,", "write count(DISTINCT a || '|' || b) for several columns"),
    )
)
"""What other dialects write, and what SQLite is to be told instead."""
_OTHER_NAMES: Final = {
    "week": "strftime('%W', x) or date_part('week', x), which is ISO's",
    **dict.fromkeys(("dayofweek", "weekday"), "strftime('%w', x), 0 is Sunday"),
    "to_date": "date(x)", "to_number": "CAST(x AS REAL)", "format": "printf('%.2f', x)",
    "age": "datediff('day', x, date('now'))",
    "width_bucket": "CAST((x - 10) / 5 AS INTEGER) for steps of 5 from 10", "decode": "CASE x WHEN 1 THEN 'a' END",
    "percentile_disc": "quantile(x, 0.9)", "rollup": "UNION ALL with a SELECT of the total", "grouping": "UNION ALL",
    "generate_series": "WITH RECURSIVE", "unnest": "UNION ALL", "translate": "replace(x, 'a', 'b')",
    "date_trunc": "date_trunc('month', x)", "datediff": "datediff('day', a, b)", "dateadd": "date(x, '+30 days')",
}  # fmt: skip
"""Functions of other dialects, and what stands for them here."""


_SOURCE: Final = re.compile(
    r"""'(?:[^']|'')*'|--[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*+(?:\]|\Z)
      |(?P<before>\b(?:from|join)\s+)(?P<source>'[^'*]*\*[^']*'(?!\s*\))|[^\s'"`\[\](),;*]+\*[^\s'"`\[\](),;]*)""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""What is asked, where it is a pattern and no name in quotes: 'sales-*.csv', sales_2024_*."""
_CATALOGUES: Final = frozenset(("information_schema", "pg_catalog", "sqlite_master", "sqlite_schema"))
HEADING: Final = "_heading"
"""The column of what the heading inside the table above a row says."""


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


class Outcome(msgspec.Struct, frozen=True):
    """What became of a query: its answer; or the keys of the tables that must be loaded first; or the name of a table
    nobody gave."""

    answer: QueryAnswer | None = None
    missing: tuple[str, ...] = ()
    unknown: str = ""


def check(sql: str) -> str:
    """The query without its last semicolon. Raises UsageError where it is no single SELECT, or too long."""
    if len(sql) > SQL_CHARS:
        raise UsageError(f"sql has {len(sql):,} characters; {SQL_CHARS:,} are taken at most.")
    if "\0" in sql:
        raise UsageError("sql holds a NUL character; leave it out.")
    if without_surrogates(sql) != sql:
        raise UsageError("sql holds half of a surrogate pair, which is no character; leave it out.")
    if any(match["word"] and match["word"].lower() in _CATALOGUES for match in TOKEN.finditer(sql)):
        raise UsageError("sql asks tables of documents; find_tables lists them with their columns.")
    text = sql.strip().removesuffix(";").rstrip()
    words = (match["word"].upper() for match in TOKEN.finditer(text) if match["word"])
    first = next(words, "")
    if first in ("DESCRIBE", "DESC", "SHOW", "SUMMARIZE"):
        raise UsageError("sql is one SELECT; find_tables lists tables with their columns, describe_table tells more.")
    if first == "PIVOT":
        raise UsageError(f"sql is one SELECT; {dialect_hint(sql)}.")
    if first not in ("SELECT", "WITH", "VALUES"):
        raise UsageError(
            "Only one SELECT (or WITH … SELECT) is run, and nothing is ever changed; begin sql with SELECT."
        )
    return _SOURCE.sub(_named, text)


def _named(match: re.Match[str]) -> str:
    """A pattern in single quotes, or without any, as a name in quotes."""
    source = match["source"]
    if source is None:
        return match[0]
    name = source[1:-1].replace("''", "'") if source[0] == "'" else source
    return match["before"] + in_quotes(name)


def names_in(sql: str) -> list[str]:
    """Every name the query holds, once and in its order, in lower case: tables, columns, functions, keywords alike."""
    return list(
        dict.fromkeys(
            (match["word"] or _unquoted(match["quoted"])).lower()
            for match in TOKEN.finditer(sql)
            if match["word"] or match["quoted"]
        )
    )


def dialect_hint(sql: str) -> str:
    """What to write instead of what another dialect writes, "" where sql has nothing of the kind."""
    tokens = (match for match in TOKEN.finditer(sql) if not (match["comment"] or match["quoted"]))
    plain = "".join("''" if match["string"] else match[0] for match in tokens)
    return next((hint for pattern, hint in _DIALECTS if pattern.search(plain)), "")


def other_name(function: str) -> str:
    """What stands for a function of another dialect, "" where none is known."""
    return _OTHER_NAMES.get(function.lower(), "")


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


def in_quotes(name: str) -> str:
    """A name as SQL writes it, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def _unquoted(text: str) -> str:
    mark = text[-1]
    return text[1:-1] if mark == "]" else text[1:-1].replace(mark * 2, mark)
