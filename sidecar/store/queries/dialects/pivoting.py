"""`PIVOT`, `UNPIVOT` and `* EXCLUDE (…) REPLACE (…)`, whose columns only the tables know, as SELECTs that name them:
SQLite has none. Written as DuckDB and Snowflake write them, and PIVOT and UNPIVOT behind a table as SQL Server does."""

import re
import sqlite3
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Final

from sidecar.api import UsageError
from sidecar.store.queries.aggregates import as_text
from sidecar.store.queries.statements import literal
from sidecar.store.queries.tokens import CLOSING, closing_bracket, next_token, split_at, split_at_commas, tokens_of

Ask = Callable[[str], sqlite3.Cursor]
"""Runs one query, under the bounds of the query at hand. Raises sqlite3.Error."""
_MAX_ASKED: Final = 40
"""Of these that are written, and queries after their columns and values, of one query at most."""
_MAX_VALUES: Final = 100
"""Columns that a PIVOT makes at most, and rows that an UNPIVOT makes of one."""
_WORDS: Final = frozenset(("pivot", "unpivot", "exclude", "except", "replace"))
_BEFORE_SOURCES: Final = frozenset(("from", "join", ",", "select", "where", "on", "by", "having"))
_CALLED: Final = re.compile(r"(.+?)\s+as\s+(\S+)\s*", re.IGNORECASE | re.DOTALL)


def with_columns_named(sql: str, ask: Ask) -> str:
    """The query with each of these as a SELECT; as it is where it has none, and where a table cannot be asked by itself
    (SQLite says what is wrong with it then). Raises UsageError where a PIVOT has too many values."""
    tokens = tokens_of(sql)
    return "".join(_Level(tokens, "", _Asked(ask)).written()) if _WORDS & {*map(str.lower, tokens)} else sql


class _Asked:
    """The tables of a query, asked for their columns and values."""

    def __init__(self, ask: Ask) -> None:
        self._ask, self._left = ask, _MAX_ASKED

    def take(self) -> bool:
        """Whether one more may be written: what stands inside it is written a second time."""
        self._left -= 1
        return self._left >= 0

    def columns(self, sql: str) -> list[str]:
        """The names of what it selects; [] where it cannot be asked."""
        return [str(one[0]) for one in self._cursor(f"{sql} LIMIT 0")[1]]

    def values(self, sql: str) -> list[Any]:
        """The first column of its rows, one more than `_MAX_VALUES` at most."""
        return [row[0] for row in self._cursor(f"{sql} LIMIT {_MAX_VALUES + 1}")[0]]

    def _cursor(self, sql: str) -> tuple[list[tuple[Any, ...]], Sequence[tuple[Any, ...]]]:
        if not self.take():
            return [], ()
        try:
            cursor = self._ask(sql)
            return cursor.fetchall(), cursor.description or ()
        except sqlite3.Error:
            return [], ()


class _Level:
    """What stands between two brackets, or the whole query; `around` is the WITH of the query that it is part of."""

    def __init__(self, tokens: Sequence[str], around: str, asked: _Asked) -> None:
        depths = accumulate(CLOSING.get(one, 0) for one in tokens)
        self._tokens, self._asked = tokens, asked
        self._words = ["" if deep or not one.strip() else one.lower() for one, deep in zip(tokens, depths, strict=True)]
        first = next((at for at, word in enumerate(self._words) if word), len(self._words))
        self._has_with = self._words[first : first + 1] == ["with"]
        self._main = self._first(("select", "pivot", "unpivot"), first) if self._has_with else first
        self._with = around

    def written(self) -> list[str]:
        """Its tokens, with what is in brackets written first."""
        before = self._inner(0, self._main)
        self._with = "".join(before) if self._has_with else self._with
        pivots = self._words[self._main : self._main + 1] in (["pivot"], ["unpivot"])
        return [
            *before,
            *((pivots and self._asked.take() and self._statement()) or self._inner(self._main, len(self._tokens))),
        ]

    def _inner(self, begin: int, end: int) -> list[str]:
        out: list[str] = []
        at = begin
        while at < end:
            one, word = self._tokens[at], self._words[at]
            opening = next_token(self._tokens, at + 1)
            if one == "(":
                close = closing_bracket(self._tokens, at)
                known = _before_comma(out) if at < self._main else self._with
                out += ["(", *_Level(self._tokens[at + 1 : close], known, self._asked).written()]
                at = close
                continue
            if opening is not None and self._tokens[opening] == "(":
                close = closing_bracket(self._tokens, opening)
                inner = self._tokens[opening + 1 : close]
                pivots = word in ("pivot", "unpivot") and self._asked.take()
                if pivots and (begins := self._source(out)) is not None:
                    written = self._pivoted if word == "pivot" else self._unpivoted
                    if found := written("".join(out[begins:]), inner):
                        out[begins:] = tokens_of(found)
                        at = close + 1
                        continue
            if one == "*" and (star := self._star(at, out)):
                out, at = star
                continue
            out.append(one)
            at += 1
        return out

    def _first(self, words: Sequence[str], begin: int) -> int:
        """The place of the first of these words outside brackets from a place on, the end where there is none."""
        return next((at for at in range(begin, len(self._words)) if self._words[at] in words), len(self._words))

    def _source(self, out: Sequence[str]) -> int | None:
        """Where what is selected from begins that `out` ends with; None where that is not a table."""
        depths = accumulate(CLOSING.get(one, 0) for one in out)
        words = [(one.lower(), at) for at, (one, deep) in enumerate(zip(out, depths, strict=True)) if not deep]
        last = next(((word, at) for word, at in reversed(words) if word in _BEFORE_SOURCES), None)
        return last[1] + 1 if last and last[0] in ("from", "join", ",") else None

    def _star(self, at: int, out: list[str]) -> tuple[list[str], int] | None:
        """`* EXCLUDE (a, b) REPLACE (c / 2 AS c)` as the names of the columns, and the place behind it."""
        left: set[str] = set()
        instead: dict[str, str] = {}
        behind = at + 1
        while (word := next_token(self._tokens, behind)) is not None and self._words[word] in _WORDS - {"pivot"}:
            opening = next_token(self._tokens, word + 1)
            if opening is None:
                return None
            bracket = self._tokens[opening] == "("
            close = closing_bracket(self._tokens, opening) if bracket else opening
            inner = self._tokens[opening + bracket : close + (not bracket)]
            if self._words[word] == "replace":
                called = [_CALLED.fullmatch("".join(one).strip()) for one in split_at_commas(inner)]
                instead |= {_plain(one[2]): one[0] for one in called if one}
            elif any(one.lower() in ("select", "values") for one in inner):
                return None
            else:
                left |= {_plain("".join(one)) for one in split_at_commas(inner)}
            behind = close + 1
        source = self._first(("from",), behind)
        if behind == at + 1 or source == len(self._tokens) or not self._asked.take():
            return None
        owner = "".join(out[-2:]) if out[-1:] == ["."] else ""
        end = self._first(("union", "except", "intersect", "order", "limit", "qualify"), source)
        rest = "".join(self._inner(source, end))
        names = self._asked.columns(f"{self._with} SELECT {owner}* {rest}")
        if not names or len({*map(str.lower, names)}) < len(names):
            return None
        wanted = [instead.get(name.lower(), f"{owner}{_ticked(name)}") for name in names if name.lower() not in left]
        return [*(out[:-2] if owner else out), ", ".join(wanted) + " "], behind

    def _statement(self) -> list[str]:
        """`PIVOT t ON a USING sum(b) GROUP BY c` and `UNPIVOT t ON a, b INTO NAME n VALUE v`; [] where it is none."""
        first = self._main
        end = self._first(("order", "limit"), first)
        pivot = self._words[first] == "pivot"
        on, using, group, into = (self._first((word,), first) for word in ("on", "using", "group", "into"))
        source = "".join(self._inner(first + 1, min(on, end)))
        if pivot:
            column, values = split_at(self._tokens[on + 1 : min(using, group, end)], "in")
            figures = self._tokens[using + 1 : min(group, end)] if using < end else ["count", "(", "*", ")"]
            by = next_token(self._tokens, group + 1) if group < end else None
            keys = None if by is None else ["".join(one).strip() for one in split_at_commas(self._tokens[by + 1 : end])]
            found = self._columns_of_values(source, "".join(column), figures, _in_brackets(values), keys)
        else:
            names = re.fullmatch(r"\s*name\s+(\S+)\s+value\s+(\S+)\s*", "".join(self._tokens[into + 1 : end]), re.I)
            found = names and self._rows_of_columns(source, self._tokens[on + 1 : into], names[1], names[2])
        return ["SELECT * FROM ", *tokens_of(found), " ", *self._inner(end, len(self._tokens))] if found else []

    def _pivoted(self, source: str, inner: Sequence[str]) -> str:
        """`(sum(b) FOR a IN ('x', 'y'))` behind a table, and the table."""
        figures, rest = split_at(inner, "for")
        column, values = split_at(rest, "in")
        listed = _in_brackets(values)
        return "" if listed is None else self._columns_of_values(source, "".join(column), figures, listed, None)

    def _unpivoted(self, source: str, inner: Sequence[str]) -> str:
        """`(v FOR n IN (a, b))` behind a table, and the table."""
        value, rest = split_at(inner, "for")
        name, columns = split_at(rest, "in")
        listed = _in_brackets(columns)
        names = "".join(name).strip(), "".join(value).strip()
        return "" if listed is None else self._rows_of_columns(source, listed, *names)

    def _columns_of_values(
        self, source: str, column: str, figures: Sequence[str], listed: Sequence[str] | None, keys: list[str] | None
    ) -> str:
        """The SELECT of a PIVOT in brackets, "" where it cannot be written."""
        column = column.strip()
        values = _values(listed) if listed is not None else self._values_of(source, column)
        if len(values) > _MAX_VALUES:
            raise UsageError(f"PIVOT would make more than {_MAX_VALUES} columns; name those wanted by IN ('a', 'b').")
        if keys is None:
            used = {_plain(one) for one in (*tokens_of(column), *figures)}
            known = self._asked.columns(f"{self._with} SELECT * FROM {source}")  # noqa: S608
            keys = [_ticked(name) for name in known if name.lower() not in used and not name.startswith("_")]
            if not known:
                return ""
        if len(split_at_commas(tokens_of(column))) > 1 or not column:
            return ""
        called = [_CALLED.fullmatch(text) or text for one in split_at_commas(figures) if (text := "".join(one).strip())]
        items: list[str] = [*keys]
        for value, title in values:
            for one in called:
                figure, name = (one, "") if isinstance(one, str) else (one[1], one[2].strip("`"))
                behind = name or (figure if len(called) > 1 else "")
                shown = _ticked(f"{title}_{behind}" if behind else title)
                items.append(f"{figure} FILTER (WHERE {column} = {value}) AS {shown}")
        by = f" GROUP BY {', '.join(keys)}" if keys else ""
        return f"(SELECT {', '.join(items) or '*'} FROM {source}{by})"  # noqa: S608  # it is the user's own query

    def _values_of(self, source: str, column: str) -> list[tuple[str, str]]:
        """The different values of a column, as SQL writes them and as columns are called."""
        wanted = f"{self._with} SELECT DISTINCT {column} FROM {source} WHERE {column} IS NOT NULL ORDER BY 1"  # noqa: S608
        return [(literal(value), as_text(value)) for value in self._asked.values(wanted)]

    def _rows_of_columns(self, source: str, listed: Sequence[str], name: str, value: str) -> str:
        """The SELECTs of an UNPIVOT in brackets, "" where it cannot be written."""
        known = self._asked.columns(f"{self._with} SELECT * FROM {source}")  # noqa: S608
        text = "".join(listed).strip()
        if every := re.fullmatch(r"(?:columns\s*\(\s*)?\*\s*(?:exclude\s*\(?([^()]*)\)?)?\s*\)?", text, re.I):
            left = {_plain(one) for one in (every[1] or "").split(",")}
            columns = [one for one in known if one.lower() not in left and not one.startswith("_")]
        else:
            columns = [_plain("".join(one)) for one in split_at_commas(listed)]
        if not columns or not {*columns} <= {one.lower() for one in known} | {*known} or len(columns) > _MAX_VALUES:
            return ""
        lower = {one.lower() for one in columns}
        others = "".join(f"{_ticked(one)}, " for one in known if one.lower() not in lower and not one.startswith("_"))
        parts = [
            f"SELECT {others}{literal(one)} AS {name}, {_ticked(one)} AS {value} FROM {source} "  # noqa: S608
            f"WHERE {_ticked(one)} IS NOT NULL"
            for one in columns
        ]
        return f"({' UNION ALL '.join(parts)})"


def _values(listed: Sequence[str]) -> list[tuple[str, str]]:
    """The values of an IN, as SQL writes them and as columns are called: names in quotes are texts."""
    found: list[tuple[str, str]] = []
    for one in split_at_commas(listed):
        text = "".join(one).strip()
        called = _CALLED.fullmatch(text)
        written = called[1].strip() if called else text
        plain = written.strip("`") if not written.startswith("'") else written[1:-1].replace("''", "'")
        plainly = written[:1] == "'" or re.fullmatch(r"-?\d+(?:\.\d+)?", written)
        found.append((written if plainly else literal(plain), called[2].strip("`'") if called else plain))
    return found


def _before_comma(tokens: Sequence[str]) -> str:
    """The tables named by WITH before the one that tokens end with."""
    depths = [*accumulate(CLOSING.get(one, 0) for one in tokens)]
    commas = [at for at, one in enumerate(tokens) if one == "," and not depths[at]]
    return "".join(tokens[: commas[-1]]) if commas else ""


def _in_brackets(tokens: Sequence[str]) -> Sequence[str] | None:
    """What stands in the brackets that tokens begin with; None where they begin with none."""
    opening = next_token(tokens, 0)
    if opening is None or tokens[opening] != "(":
        return None
    return tokens[opening + 1 : closing_bracket(tokens, opening)]


def _plain(name: str) -> str:
    return name.strip().strip("`").lower()


def _ticked(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
