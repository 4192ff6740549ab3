"""SQLite's refusals as sentences that say what was wrong with a query, where, and what to write instead."""

import re
import sqlite3
from collections.abc import Sequence

from sidecar.api import LimitError, UsageError
from sidecar.store.queries.aggregates import TEXT_BYTES
from sidecar.store.queries.comparisons import QueriedTable
from sidecar.store.queries.dialects.names import dialect_hint, other_name
from sidecar.store.queries.functions import RegularExpressions
from sidecar.store.queries.sandbox import FUNCTIONS
from sidecar.store.queries.statements import HEADING, QueryTable, in_quotes
from sidecar.toolkit.text import did_you_mean

MISTAKE = re.compile(r"no such (table|column|function): (.+)|ambiguous column name: (.+)", re.DOTALL)
_NEAR = re.compile(r'near "(\w+)"')
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|\[[^\]]*+(?:\]|\Z)|`[^`]*`")
_UNQUOTED = re.compile(
    r"\b[^\W\d]\w*\s?%(?=\s*(?:[,)]|$|FROM\b|AS\b))|\b[^\W\d]\w*\s?\([^\W\d]*[€$£][^)]*\)", re.IGNORECASE
)
"""Headings that are not names of SQL and stand in it without quotes: `Margin%`, `Umsatz (€)`."""


def explained(
    error: sqlite3.Error, sql: str, tables: Sequence[QueryTable], seconds: float, patterns: RegularExpressions
) -> UsageError | LimitError:
    """SQLite's message as a sentence that says what to do."""
    message = str(error)
    if message == "interrupted":
        return LimitError(f"The query was stopped after {seconds:g} s; filter or aggregate in smaller steps.")
    if "aggregate's 'step'" in message:  # nothing else makes one fail
        return LimitError(f"The query joins more than {TEXT_BYTES // 2**20} MB of texts into one; join fewer of them.")
    if "user-defined" in message:
        trouble, patterns.trouble = patterns.trouble, ""
        if "stopped after" in trouble:
            return LimitError(f"{trouble}; use a simpler one.")
        return UsageError(f"{trouble or 'A function of sql was given what it cannot take (a unit, a date, a length)'}.")
    if "too big" in message or "too many" in message or "limit" in message.lower():
        return LimitError(f"The query asks for too much ({message}); make it smaller.")
    if "stack overflow" in message or "tree is too large" in message:
        return LimitError("The brackets of sql are nested too deeply for SQLite; name the inner parts with WITH.")
    if "one statement" in message:
        return UsageError("Only one SELECT is run at a time; leave out what stands behind the semicolon.")
    if "not authorized" in message or "prohibited" in message or "vtable" in message:
        instead = next(filter(None, map(other_name, re.findall(r"\w+", message))), "")
        hint = f"write {instead}" if instead else "find_tables lists them"
        return UsageError(f"sql may only SELECT from tables of documents ({message}); {hint}.")
    if "misuse of" in message:
        kind = "A window function" if "window" in message else "An aggregate"
        return UsageError(
            f"{kind} stands where none can ({message[:80]}): conditions on aggregates go into HAVING, and what is "
            "computed of another's result, or filtered by it, into a SELECT around."
        )
    if (near := _NEAR.match(message)) and (own := f"{near[1].lower()}_") in _columns(tables):
        return UsageError(f'{near[1]} is a word of SQL; the column of that name is {own}, or write "{near[1]}".')
    hint = dialect_hint(sql) or _unquoted_heading(sql, tables) or _unclosed(sql)
    sentence = f"SQLite does not understand sql: {message[:200]}{f'; {hint}' if hint else ''}."
    return _mistake(message, sql, tables) or UsageError(sentence)


def _unquoted_heading(sql: str, tables: Sequence[QueryTable]) -> str:
    """Of headings that are not names of SQL and stand in it without quotes: `Order Date`."""
    plain = " ".join(_QUOTED.sub("", sql).lower().split())
    titles = {column.title: column.name for table in tables for column in table.record.columns}
    hints = [
        f"write {name} for {title[:40]}"
        for title, name in titles.items()
        if not title.isidentifier() and re.search(rf"(?<!\w){re.escape(title.lower())}(?!\w)", plain)
    ]
    return ", ".join(hints[:3])


def _unclosed(sql: str) -> str:
    """Of a bracket or a quote that is opened and not closed."""
    plain = _QUOTED.sub("", sql)
    if quote := next((one for one in ("'", '"', "`") if one in plain), ""):
        return f"a {quote} is not closed"
    more = plain.count("(") - plain.count(")")
    return "a bracket is not closed" if more > 0 else "a bracket is closed that was not opened" if more < 0 else ""


def refuse_label(name: str, sql: str, relations: Sequence[QueriedTable], connection: sqlite3.Connection) -> None:
    """Raise UsageError where an unknown column is the label of a row: fields may stand below one another. What a column
    is compared with is a text without its quotes instead."""
    compared = re.search(rf'(?:[=<>]|\blike\b|\bin\s*\()\s*["`]?{re.escape(name)}', sql, re.IGNORECASE)
    for relation in relations if not compared else ():
        first, *others = relation.columns
        labels = connection.execute(f"SELECT {first} FROM {in_quotes(relation.table)}").fetchall()  # noqa: S608
        for (label,) in labels if others else ():
            if isinstance(label, str) and _spelt(label) == _spelt(name.rpartition(".")[2]):
                shown = label.replace("'", "''")
                asked = f"{', '.join(others[:3])} FROM {relation.name} WHERE {first} = '{shown}'"
                raise UsageError(f"{label[:80]} is not a column but a row of {relation.name}; write SELECT {asked}.")


def _mistake(message: str, sql: str, tables: Sequence[QueryTable]) -> UsageError | None:
    """What a name in sql was perhaps meant to be, where it is a name that SQLite does not know."""
    match = MISTAKE.fullmatch(message)
    columns = _columns(tables)
    if not match or (match[1] == "column" and not match[2].isidentifier()):
        for name in _UNQUOTED.findall(_QUOTED.sub("", sql)):
            if hint := did_you_mean(_spelt(name), columns, most=3):
                return UsageError(f"There is no column {name[:80]}; {hint}")
    if match and match[1] == "column" and match[2].rpartition(".")[2].lower() == HEADING:
        return UsageError(f"There is no column {match[2][:80]}, since no heading stands inside that table.")
    if match and match[1] == "column" and re.search(rf"\bas\s+`?{re.escape(match[2])}`?(?!\w)", sql, re.IGNORECASE):
        return UsageError(
            f"{match[2][:80]} is a name that the same SELECT gives; write what it stands for once more, or a SELECT "
            "around."
        )
    if match and match[1] == "column":
        if instead := other_name(match[2]):
            return UsageError(f"There is no column {match[2][:80]}; write {instead}.")
        if (titled := _unquoted_heading(sql, tables)) and match[2].lower() in titled.lower():
            return UsageError(f"There is no column {match[2][:80]}; {titled}.")
        there = f"there are {', '.join(columns[:20])}."
        hint = did_you_mean(_spelt(match[2].rpartition(".")[2]), columns, there, most=3)
        return UsageError(f"There is no column {match[2][:80]}; {hint} Texts stand in single quotes.")
    if match and match[1] in ("function", "table"):
        there = "SQLite's are there, with median, quantile, stddev, year, hours."
        instead = other_name(match[2])
        hint = (
            f"write {instead}."
            if instead
            else did_you_mean(match[2].lower(), sorted(FUNCTIONS), there, most=3, alike=0.6)
        )
        return UsageError(f"There is no function {match[2][:80]}; {hint}")
    hint = 'write table.column, or FROM "name_*" for the rows of all tables of these columns'
    return UsageError(f"The column {match[3][:80]} is in several of the tables; {hint}.") if match else None


def _columns(tables: Sequence[QueryTable]) -> list[str]:
    return list(dict.fromkeys(column.name for table in tables for column in table.record.columns))


def _spelt(name: str) -> str:
    """As a column of that name is called."""
    return re.sub(r"\W+", "_", name.lower().replace("%", "_pct")).strip("_")
