"""What a query compares with what: told where it gives no error and yet not what was meant. A text with a number, a
fraction with per cents, a date with a text that is none, a value no row has, keys of two tables that do not meet.

Not a parser: it looks for comparisons of a column with literals, or with a column of another table, and passes over
what it cannot tell (names that a query gives itself)."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sidecar.api.tables import TableColumn
from sidecar.store.queries.date_functions import moment_remark
from sidecar.store.queries.statements import TOKEN, in_quotes
from sidecar.toolkit.tables.numbers import read_number
from sidecar.toolkit.text import did_you_mean
from sidecar.toolkit.text.strings import few

_MAX_NOTICES: Final = 5
"""Notices of an answer at most."""
_DIFFERENT: Final = 2_000
"""Different values of a column among which near ones are looked for."""
_JOINED_ROWS: Final = 200_000
"""Rows whose keys are looked up in another table."""
_SHOWN: Final = 40  # characters of a literal

_NAME = r"(?:(?:(\w+)|`([^`]+)`)\s*\.\s*)?(?:([^\W\d]\w*)|`([^`]+)`)"
_LITERAL = r"(?:'(?:[^']|'')*'|[-+]?\d+(?:\.\d+)?)(?![\w.])"
_COMPARED: Final = re.compile(
    rf"(?<![\w.`]){_NAME}\s*(?:(==?|<>|!=|<=|>=|<|>)\s*({_LITERAL})(?!\s*[-+*/|:])"
    rf"|(?:not\s+)?in\s*\(\s*({_LITERAL}(?:\s*,\s*{_LITERAL})*)\s*\)"
    rf"|(?:not\s+)?between\s+({_LITERAL})\s+and\s+({_LITERAL}))",
    re.IGNORECASE,
)
_LIKE: Final = re.compile(rf"(?<![\w.`]){_NAME}\s+like\s+('(?:[^']|'')*')(?!\s*(?:\|\||escape\b))", re.IGNORECASE)
_LIKE_KEY: Final = re.compile(
    rf"(?<![\w.`]){_NAME}\s+like\s+('[%_]*'\s*\|\|\s*)?{_NAME}(\s*\|\|\s*'[%_]*')?", re.IGNORECASE
)
_JOINED: Final = re.compile(rf"(?<![\w.`]){_NAME}\s*==?\s*{_NAME}(?![\w.])(?!\s*[(+*/|-])", re.IGNORECASE)
_SUMMED: Final = re.compile(rf"\b(?:sum|total|avg)\s*\(\s*{_NAME}", re.IGNORECASE)
_ORDERED: Final = re.compile(rf"\b(?:(?:max|min)\s*\(|order\s+by)\s*{_NAME}(?![\w.(])", re.IGNORECASE)
_USING: Final = re.compile(r"\busing\s*\(\s*`?(\w+)`?\s*\)", re.IGNORECASE)
_OUTER: Final = re.compile(r"\b(?:left|right|full|cross)\b", re.IGNORECASE)
_GIVEN: Final = re.compile(r"(?:\bas\s+`?(\w+)`?(?!\s*\()|\)\s+`?(\w+)`?(?=\s*(?:,|\bfrom\b)))", re.IGNORECASE)
_SOURCE: Final = re.compile(
    r"(?:\b(?:from|join)|,)\s+(?:(\w+)|`([^`]+)`)(?:\s+(?:as\s+)?`?([^\W\d]\w*)`?)?", re.IGNORECASE
)
_ALONE: Final = re.compile(r"(?:\bselect\s+|[,(]\s*)(\d{1,6})\s*(?=[,)]|\bfrom\b|\bas\b|$)", re.IGNORECASE)
_LISTED: Final = re.compile(r"\bin\s*\([^()]*\)", re.IGNORECASE)
_NUMBERS: Final = ("number", "money", "percent")


@dataclass(frozen=True)
class QueriedTable:
    """A table of a query: its names there, where its rows are, how many, its columns by name, `sums.total_names`."""

    name: str
    aliases: tuple[str, ...]
    table: str
    rows: int
    columns: Mapping[str, TableColumn]
    totals: frozenset[str] = frozenset()


_Place = tuple[QueriedTable, TableColumn]


def compared(sql: str, relations: Sequence[QueriedTable], connection: sqlite3.Connection) -> tuple[str, ...]:
    """What is to be known of the comparisons of a query that was answered, a sentence each; none where looking needs
    more time than the query has left."""
    plain = "".join(" " if match["comment"] else match[0] for match in TOKEN.finditer(sql))
    looked = _Scanned(plain, relations, connection)
    looks = (
        looked.literals, looked.patterns, looked.keys, looked.multiplied, looked.fitting_several, looked.headings,
        looked.ordered,
    )  # fmt: skip
    try:
        return tuple(dict.fromkeys(notice for look in looks for notice in look()))[:_MAX_NOTICES]
    except sqlite3.Error:
        return ()


class _Scanned:
    """A query looked through."""

    def __init__(self, sql: str, relations: Sequence[QueriedTable], connection: sqlite3.Connection) -> None:
        self._sql, self._relations, self._connection = sql, relations, connection
        own = {alias.lower(): one for one in relations for alias in one.aliases}
        self._named = dict(own)
        for word, quoted, alias in _SOURCE.findall(sql):
            if (one := own.get((word or quoted).lower())) and alias:
                self._named[alias.lower()] = one
        self._given = {(one or other).lower() for one, other in _GIVEN.findall(sql)} - set(self._named)
        self._counted: dict[tuple[str, ...], tuple[int, int]] = {}
        self._chosen = [place[0] for match in _COMPARED.finditer(sql) if (place := self._column(*match.groups()[:4]))]
        self._summed = [place[0] for match in _SUMMED.finditer(sql) if (place := self._column(*match.groups()))]

    def literals(self) -> list[str]:
        """Of columns compared with literals."""
        found: list[str] = []
        for match in _COMPARED.finditer(self._sql):
            *name, operator, literal, listed, low, high = match.groups()
            place = self._column(*name)
            if place is None:
                continue
            if listed:
                found += [self._one(*place, "=", one) for one in re.findall(_LITERAL, listed)]
            elif low:
                found += [self._one(*place, ">=", low), self._one(*place, "<=", high)]
            else:
                found.append(self._one(*place, operator, literal))
        return [one for one in found if one]

    def patterns(self) -> Iterator[str]:
        """Of texts like a pattern that no row fits, or none but for accents; of dates alike."""
        for *name, literal in _LIKE.findall(self._sql):
            if (place := self._column(*name)) is None:
                continue
            relation, column = place
            pattern = literal[1:-1].replace("''", "'")
            if column.type in ("date", "datetime") and re.search(r"[^\W\d_]", pattern):
                yield moment_remark(column, "LIKE", literal[:_SHOWN], pattern.strip("%_ "))
            if column.type != "text":
                continue
            source = f"{in_quotes(relation.table)} WHERE {column.name}"
            if self._connection.execute(f"SELECT 1 FROM {source} LIKE ? LIMIT 1", (pattern,)).fetchone():  # noqa: S608
                continue
            there = f"SELECT DISTINCT {column.name} FROM {source} IS NOT NULL LIMIT {_DIFFERENT}"  # noqa: S608
            values = [str(value) for (value,) in self._connection.execute(there).fetchall()]
            folded = _folded(pattern)
            near = next((one for one in values if self._is_like(_folded(one), folded)), None)
            notice = f"No row of {relation.name} has {column.name} LIKE {literal[:_SHOWN]}; "
            if near is not None:
                written = f"there is '{near[:_SHOWN]}', to be written as it is, or with _ for a letter."
                yield f"{notice}but for accents and case {written}"
            elif values and " or " not in self._sql.lower():  # what is looked for in several columns is in one
                yield f"{notice}there are {', '.join(repr(one[:_SHOWN]) for one in values[:3])}."

    def _is_like(self, text: str, pattern: str) -> bool:
        return bool(self._connection.execute("SELECT ? LIKE ?", (text, pattern)).fetchone()[0])

    def keys(self) -> list[str]:
        """Of columns of two tables that are to be equal."""
        notices = [self._pair(left, right) or self._left_out(left, right) for left, right in self._joined()]
        return [*filter(None, notices)]

    def multiplied(self) -> list[str]:
        """Of tables whose numbers are added up beside keys that another table has in several rows: each of these adds
        them once more. Nothing is told where the query chooses among the other's rows."""
        found: dict[tuple[str, str], tuple[QueriedTable, QueriedTable, list[tuple[str, str]]]] = {}
        for left, right in self._joined():
            for (one, own), (other, theirs) in ((left, right), (right, left)):
                if one in self._summed and other not in self._summed and other not in self._chosen:
                    pairs = found.setdefault((one.name, other.name), (one, other, []))[2]
                    pairs.append((in_quotes(own.name), in_quotes(theirs.name)))
        return [notice for one, other, pairs in found.values() if (notice := self._several(one, other, pairs))]

    def fitting_several(self) -> Iterator[str]:
        """Of tables joined by patterns, of which one's rows fit several of the other: each gives them once more."""
        for match in _LIKE_KEY.finditer(self._sql):
            *name, before, table, quoted, word, ticked, after = match.groups("")
            left, right = self._column(*name), self._column(table, quoted, word, ticked)
            if not left or not right or left[0] == right[0] or left[0].rows * right[0].rows > _JOINED_ROWS:
                continue
            pattern = f"x.{in_quotes(left[1].name)} LIKE {before}y.{in_quotes(right[1].name)}{after}"
            pairs = f"{in_quotes(left[0].table)} x JOIN {in_quotes(right[0].table)} y ON {pattern}"
            for one, alias, other in ((left[0], "x", right[0]), (right[0], "y", left[0])):
                several = f"SELECT 1 FROM {pairs} GROUP BY {alias}.rowid HAVING count(*) > 1"  # noqa: S608
                if one in (self._summed or [left[0]]) and (rows := self._ask(f"SELECT count(*) FROM ({several})")):  # noqa: S608
                    yield (
                        f"{rows:,} of {one.rows:,} rows of {one.name} fit several rows of {other.name} by LIKE, and "
                        "count once for each; join by = if that is not meant."
                    )

    def _several(self, one: QueriedTable, other: QueriedTable, pairs: Sequence[tuple[str, str]]) -> str:
        if max(one.rows, other.rows) > _JOINED_ROWS:
            return ""
        keys = ", ".join(theirs for _, theirs in pairs)
        often = f"(SELECT {keys} FROM {in_quotes(other.table)} GROUP BY {keys} HAVING count(*) > 1)"  # noqa: S608
        same = " AND ".join(f"x.{own} = y.{theirs}" for own, theirs in pairs)
        rows = int(self._ask(f"SELECT count(*) FROM {in_quotes(one.table)} x JOIN {often} y ON {same}") or 0)  # noqa: S608
        named = keys.replace('"', "")
        if not rows:
            return ""
        return (
            f"{other.name} has several rows of one {named}: {rows:,} rows of {one.name} are added once for each; join "
            f"SELECT DISTINCT or GROUP BY of {other.name} if that is not meant."
        )

    def _joined(self) -> list[tuple[_Place, _Place]]:
        """The columns of two tables that are to be equal."""
        pairs = [
            (self._column(*match.groups()[:4]), self._column(*match.groups()[4:]))
            for match in _JOINED.finditer(self._sql)
        ]
        if len(self._relations) == 2:
            one, two = self._relations
            names = [name for name in map(str.lower, _USING.findall(self._sql)) if name in one.columns]
            pairs += [((one, one.columns[name]), (two, two.columns[name])) for name in names if name in two.columns]
        return [(left, right) for left, right in pairs if left and right and left[0] != right[0]]

    def ordered(self) -> list[str]:
        """Of texts that are numbers, put in order or compared with one another: "80" stands behind "340"."""
        places = {
            place[1].name: place for match in _ORDERED.finditer(self._sql) if (place := self._column(*match.groups()))
        }
        found: list[str] = []
        for name, (relation, column) in places.items():
            if column.type != "text" or column.order or column.remark:
                continue
            value, table = in_quotes(name), in_quotes(relation.table)
            digits = f"length(CAST(CAST({value} AS INTEGER) AS TEXT))"
            known = f"{value} GLOB '[0-9]*' AND as_number({value}) IS NOT NULL AND hours({value}) IS NULL"
            numbers = self._ask(f"SELECT count(DISTINCT {digits}) FROM {table} WHERE {known}")  # noqa: S608
            if numbers is not None and numbers > 1:
                found.append(
                    f"{name} is text, so that '80' comes behind '340'; write as_number({name}) for its numbers."
                )
        return found

    def headings(self) -> list[str]:
        """Of numbers that a column is headed by, where they stand as a column would."""
        columns = [column for one in self._relations for column in one.columns.values()]
        titles = {column.title: column.name for column in columns if column.title.isdecimal()}
        numbers = dict.fromkeys(_ALONE.findall(_LISTED.sub("", self._sql))) if titles else ()
        return [
            f"{number} is a number here; the column headed so is {titles[number]}."
            for number in numbers
            if number in titles
        ]

    def _column(self, table: str | None, quoted: str | None, name: str | None, ticked: str | None) -> _Place | None:
        """The column a name means; None where it is none of a table, or of several."""
        called, owner = (name or ticked or "").lower(), (table or quoted or "").lower()
        if called in self._given:
            return None
        among = [self._named[owner]] if owner in self._named else [] if owner else self._relations
        places = [(one, one.columns[called]) for one in among if called in one.columns]
        return places[0] if len(places) == 1 else None

    def _one(self, relation: QueriedTable, column: TableColumn, operator: str, literal: str) -> str:
        shown, name = literal[:_SHOWN], column.name
        text = literal[1:-1].replace("''", "'") if literal.startswith("'") else ""
        equal = operator in ("=", "==")
        if column.type in _NUMBERS:
            return self._number(relation, column, literal, text)
        if column.type in ("date", "datetime"):
            return moment_remark(column, operator, shown, text)
        if column.type == "bool" and literal.startswith("'"):
            return f"{name} holds 1 for true and 0 for false; {shown} is a text and equals neither."
        if column.type != "text" or (operator in ("<>", "!=") and not text):
            return ""
        if literal.startswith("'"):
            return (self._absent(relation, column, text) or self._listed(relation, column, text)) if equal else ""
        if not equal:
            number = f"CAST({name} AS REAL) {operator} {shown}"
            return f"{name} is text and compared with {shown} sign by sign; write {number}."
        if self._has(relation, name, literal):
            return ""
        statement = f"SELECT {name} FROM {in_quotes(relation.table)} WHERE as_number({name}) = ? LIMIT 1"  # noqa: S608
        there = self._connection.execute(statement, (float(literal),)).fetchone()
        instead = f"; write {name} = '{there[0][:_SHOWN]}', or CAST({name} AS REAL) = {shown}." if there else "."
        return f"{name} is text, and no row has '{shown}'{instead}"

    def _number(self, relation: QueriedTable, column: TableColumn, literal: str, text: str) -> str:
        if literal.startswith("'"):
            if re.fullmatch(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*", text, re.IGNORECASE):
                return ""
            written = read_number(text.strip())
            if written is not None and written.unit and written.unit == column.unit and column.type != "percent":
                shown = text.strip().replace(written.unit, "").strip()
                return f"{column.name} holds numbers in {column.unit}; write {shown} for {literal[:_SHOWN]}."
            unit = ", per cents as fractions: 0.05 for 5 %" if column.type == "percent" else ""
            return f"{column.name} holds numbers{unit}; {literal[:_SHOWN]} is a text and equals none of them."
        if column.type == "percent" and abs(float(literal)) > 1:
            most = self._ask(f"SELECT max(abs({column.name})) FROM {in_quotes(relation.table)}")  # noqa: S608
            if most is not None and float(literal) > float(most):
                share = f"{float(literal) / 100:.6g}"
                return f"{column.name} holds fractions, at most {most:.4g}: write {share} for {literal} %."
        return ""

    def _absent(self, relation: QueriedTable, column: TableColumn, text: str) -> str:
        """Of a text that a column of texts is to equal, where no row has it."""
        if text.strip().casefold() in relation.totals or self._has(relation, column.name, text):
            return ""
        rows = self._connection.execute(
            f"SELECT DISTINCT {column.name} FROM {in_quotes(relation.table)} "  # noqa: S608  # names of ours
            f"WHERE {column.name} IS NOT NULL LIMIT {_DIFFERENT}"
        )
        values = [str(value) for (value,) in rows]
        folded = [value for value in values if " ".join(value.split()).casefold() == " ".join(text.split()).casefold()]
        near = f"there is '{folded[0][:_SHOWN]}'." if folded else did_you_mean(text, values, "", most=3)
        return f"No row of {relation.name} has {column.name} = '{text[:_SHOWN]}'{f'; {near}' if near else '.'}"

    def _listed(self, relation: QueriedTable, column: TableColumn, text: str) -> str:
        """Of a text that some rows have alone and others in a list of several."""
        name, item = in_quotes(column.name), text.replace("%", "").replace("_", "")
        if item != text or not text or re.search("[,;|]", text):
            return ""
        parts = f"',' || replace(replace(replace({name}, ';', ','), '|', ','), ', ', ',') || ','"
        source = f"{in_quotes(relation.table)} WHERE {name} <> ? AND {parts} LIKE ?"
        found = self._connection.execute(f"SELECT count(*), max({name}) FROM {source}", (text, f"%,{text},%"))  # noqa: S608
        count, one = found.fetchone()
        shown, how = text[:_SHOWN], "beside others"
        hint = f"if it holds lists, write {column.name} LIKE '%{shown}%'"
        if count and one.strip().lower() == text.lower():
            how, hint = "in another case", f"write lower({column.name}) = '{shown.lower()}'"
        rows = f"{count:,} more rows of {relation.name} have '{shown}' in {column.name}"
        return count and f"{rows} {how} ('{one[:_SHOWN]}'); {hint}."

    def _pair(self, left: _Place, right: _Place) -> str:
        (one, first), (other, second) = left, right
        kinds = {first.type, second.type}
        names = f"{one.name}.{first.name} and {other.name}.{second.name}"
        if kinds == {"date", "datetime"}:
            times = names.split(" and ")[first.type == "date"]
            return f"{names}: a date equals no time of its day; write date({times})."
        mixed = "text" in kinds and kinds & set(_NUMBERS)
        if max(one.rows, other.rows) > _JOINED_ROWS or not (mixed or kinds == {"text"}):
            return ""
        keys, met = self._matching_keys(left, right, "{}")
        how = " are compared as numbers, since one is text and one a number ('007' equals 7)" if mixed else ""
        notice = f"{names}{how}: "
        counted = f"{met:,} of {keys:,} keys of {one.name} are in {other.name}"
        if mixed:
            return f"{notice}{counted}."
        if not keys or met * 2 > keys:
            return self._spelt_unlike(left, right) or self._spelt_unlike(right, left)
        for form, words in (("as_number({})", "CAST({} AS INTEGER)"), ("lower({})", "lower({})")):
            if self._matching_keys(left, right, form)[1] > met:
                by = f"{words.format(f'{one.name}.{first.name}')} = {words.format(f'{other.name}.{second.name}')}"
                return f"{notice}{counted}; more are by {by}."
        return f"{notice}{counted}." if not met else ""

    def _spelt_unlike(self, left: _Place, right: _Place) -> str:
        """Of the first's keys that are the other's but for their case."""
        (one, first), (other, second) = left, right
        mine, theirs, known = in_quotes(first.name), in_quotes(second.name), in_quotes(other.table)
        without = f"SELECT {theirs} FROM {known} WHERE {theirs} IS NOT NULL"  # noqa: S608
        lost = f"SELECT DISTINCT {mine} AS k FROM {in_quotes(one.table)} WHERE {mine} NOT IN ({without})"  # noqa: S608
        plain = f"SELECT lower({theirs}) FROM {known} WHERE {theirs} IS NOT NULL"  # noqa: S608
        found = self._connection.execute(f"SELECT k FROM ({lost}) WHERE lower(k) IN ({plain})").fetchall()  # noqa: S608
        form = f"lower({one.name}.{first.name}) = lower({other.name}.{second.name})"
        keys = few([f"'{str(key)[:_SHOWN]}'" for (key,) in found])
        notice = f"Keys of {one.name} are in {other.name} but for their case, and do not meet ({keys}); write {form}."
        return notice if found else ""

    def _left_out(self, left: _Place, right: _Place) -> str:
        """Of an inner join by which rows are lost: those of a few keys that the other table lacks. Told of the table
        that has a key in several rows, as what is counted has beside a list of names; of two others, of the one whose
        numbers are added up, or whose keys are found more often."""
        if max(left[0].rows, right[0].rows) > _JOINED_ROWS or _OUTER.search(self._sql) or left[1].type != right[1].type:
            return ""
        sides = [(*self._matching_keys(one, other, "{}"), one, other) for one, other in ((left, right), (right, left))]
        repeated = [side for side in sides if side[0] < side[2][0].rows]
        summed = [side for side in sides if side[2][0] in self._summed and side[3][0] not in self._chosen]
        chosen = repeated if len(repeated) == 1 else summed or sides
        keys, met, (one, own), (other, theirs) = max(chosen, key=lambda side: side[1] / (side[0] or 1))
        if not met * 2 > keys > met:
            return ""
        mine, others = in_quotes(own.name), in_quotes(theirs.name)
        known = f"SELECT {others} FROM {in_quotes(other.table)} WHERE {others} IS NOT NULL"  # noqa: S608
        lost = self._connection.execute(
            f"SELECT DISTINCT {mine} FROM {in_quotes(one.table)} WHERE {mine} NOT IN ({known}) LIMIT {_DIFFERENT}"  # noqa: S608
        )
        return (
            f"Rows of {one.name} are left out whose {own.name} is not in {other.name}.{theirs.name} "
            f"({keys - met:,} of {keys:,}: {few([str(key)[:_SHOWN] for (key,) in lost])}); LEFT JOIN keeps them."
        )

    def _matching_keys(self, left: _Place, right: _Place, form: str) -> tuple[int, int]:
        """How many different keys the first has, and how many of them the second has too; counted once."""
        sides = [
            f"(SELECT DISTINCT {form.format(column.name)} AS k FROM {in_quotes(one.table)} "  # noqa: S608
            f"WHERE {form.format(column.name)} IS NOT NULL)"
            for one, column in (left, right)
        ]
        if (known := self._counted.get(tuple(sides))) is not None:
            return known
        keys = self._ask(f"SELECT count(*) FROM {sides[0]}")  # noqa: S608
        met = self._ask(f"SELECT count(DISTINCT x.k) FROM {sides[0]} x JOIN {sides[1]} y ON x.k = y.k")  # noqa: S608
        self._counted[tuple(sides)] = int(keys or 0), int(met or 0)
        return self._counted[tuple(sides)]

    def _has(self, relation: QueriedTable, column: str, value: str) -> bool:
        statement = f"SELECT 1 FROM {in_quotes(relation.table)} WHERE {column} = ? LIMIT 1"  # noqa: S608
        return self._connection.execute(statement, (value,)).fetchone() is not None

    def _ask(self, statement: str) -> float | None:
        return self._connection.execute(statement).fetchone()[0]


def _folded(text: str) -> str:
    """A text without accents and case."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in apart if not unicodedata.combining(one))
