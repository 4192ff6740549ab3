"""Tables of the database that LibreOffice Base embeds: HSQLDB 1.8, its script of SQL statements and its file of rows.

Rows of tables "in memory" stand in the script as statements; those of cached ones (which Base makes) lie in `data`:
each is a size, for each index of its table a node of a balanced tree, and the values, big-endian. Sources: HSQLDB 1.8.0
(`RowOutputBinary`, `Node`, `StringConverter`), looked at on real files. Total: what cannot be followed ends a table."""

import re
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

_TOKEN = re.compile(r'"(?:[^"]|"")*"|\'(?:[^\']|\'\')*\'|[^\s(),"\']+|[(),]')
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_CREATE = re.compile(r"CREATE (?:(?:GLOBAL )?(?:MEMORY|CACHED|TEXT|TEMP|TEMPORARY) )?TABLE (.*)", re.DOTALL)
_NAME = r'((?:[\w$]+\.|"(?:[^"]|"")*"\.)?(?:[\w$]+|"(?:[^"]|"")*"))'
_INSERT = re.compile(rf"INSERT INTO {_NAME} VALUES\s*\(")
_ROOTS = re.compile(rf"SET TABLE {_NAME} INDEX\s*'([-\d ]*)'")
_CONSTRAINTS = frozenset(("CONSTRAINT", "PRIMARY", "FOREIGN", "UNIQUE", "CHECK"))
_NODE_BYTES = 16
_DAY = 86_400_000
"""Milliseconds."""
_MAX_CELLS = 1_000_000
"""Of all tables: what an assistant asks of by SQL."""
_BYTES_TYPES = frozenset(("BINARY", "VARBINARY", "LONGVARBINARY", "OTHER", "OBJECT"))


class Moment(NamedTuple):
    """A date, time or both as milliseconds since 1970 in UTC; the writer's time zone is not kept."""

    kind: str
    milliseconds: int


Value = str | bytes | Moment | None


@dataclass
class HsqlTable:
    """A table: names and types of its columns, its rows as far as they could be read."""

    name: str
    columns: list[tuple[str, str]]
    rows: list[tuple[Value, ...]] = field(default_factory=list[tuple[Value, ...]])
    roots: list[int] = field(default_factory=list[int])
    """Where the trees of its indexes begin in the file of rows."""
    is_cut: bool = False


def read_tables(script: str, data: bytes, scale: int) -> list[HsqlTable]:
    """The tables in the order of the script; `scale` is how many bytes a unit of a row's place is."""
    tables: dict[str, HsqlTable] = {}
    inserts = 0
    for line in script.splitlines():
        statement = line.lstrip()
        if created := _CREATE.match(statement):
            table = _created(created[1])
            tables.setdefault(table.name, table)
        elif roots := _ROOTS.match(statement):
            table = tables.get(_name(roots[1]))
            if table is not None:
                table.roots = [
                    int(part) for part in roots[2].split() if len(part) < 12 and part.lstrip("-").isdecimal()
                ]
        elif inserted := _INSERT.match(statement):
            table = tables.get(_name(inserted[1]))
            if table is not None and inserts * len(table.columns) < _MAX_CELLS:
                inserts += 1
                table.rows.append(_values(statement[inserted.end() :].rstrip().removesuffix(")")))
    left = _MAX_CELLS
    for table in tables.values():
        if table.columns and len(table.roots) > 1 and table.roots[0] > 0 and left > 0:
            left -= _read_stored(table, data, scale, left)
    return list(tables.values())


def _read_stored(table: HsqlTable, data: bytes, scale: int, most: int) -> int:
    """Read the rows that lie in the file of a cached table, until they have more than `most` cells; how many."""
    count = 0
    for row in _Rows(table, data, scale):
        table.rows.append(row)
        count += len(row)
        if count > most:
            table.is_cut = True
            break
    return count


def with_text_rows(tables: list[HsqlTable]) -> Iterator[tuple[HsqlTable, Iterator[tuple[tuple[str, ...], int]]]]:
    """Each table with its rows as text, the names of its columns first, and how many values of each are bytes."""
    zone = _Zone(value for table in tables for row in table.rows for value in row)
    for table in tables:
        yield table, _text_rows(table, zone)


def _text_rows(table: HsqlTable, zone: "_Zone") -> Iterator[tuple[tuple[str, ...], int]]:
    yield tuple(name for name, _ in table.columns), 0
    for row in table.rows:
        texts = (zone.format(value) if isinstance(value, Moment) else value for value in row)
        yield tuple(text if isinstance(text, str) else "" for text in texts), sum(isinstance(v, bytes) for v in row)


# Statements.


def _unescaped(text: str) -> str:
    return (
        _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
        .encode("utf-16-le", "surrogatepass")
        .decode("utf-16-le", "replace")
    )


def _name(written: str) -> str:
    """The name of a table or column, without its schema and quotes."""
    written = written.strip()
    if written.endswith('"'):
        return _unescaped(written[written.rfind('"', 0, -1) + 1 : -1])
    return _unescaped(written.rpartition(".")[2])


def _created(rest: str) -> HsqlTable:
    """The table that a statement creates: its name, then the definitions of columns and constraints in brackets."""
    tokens = _TOKEN.findall(rest)
    opening = tokens.index("(") if "(" in tokens else len(tokens)
    table = HsqlTable(_name("".join(tokens[:opening])), [])
    depth, begins = 0, True
    for word, behind in pairwise((*tokens[opening:], "")):
        depth += (word == "(") - (word == ")")
        if depth == 1 and begins and word not in "(," and word.upper() not in _CONSTRAINTS:
            table.columns.append((_name(word), behind.upper()))
        begins = depth == 1 and word in ("(", ",")
    return table


def _values(written: str) -> tuple[Value, ...]:
    found: list[Value] = []
    for word in _TOKEN.findall(written):
        if word == ",":
            continue
        if word.startswith("'"):
            found.append(_unescaped(word[1:-1].replace("''", "'")))
        else:
            found.append(None if word == "NULL" else word.lower() if word in ("TRUE", "FALSE") else word)
    return tuple(found)


# The file of rows.


class _Rows:
    """The rows of a table in the order of its first index."""

    def __init__(self, table: HsqlTable, data: bytes, scale: int) -> None:
        self._table = table
        self._data = data
        self._scale = scale
        self._at = 0

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        nodes: list[int] = []
        seen: set[int] = set()
        place = self._table.roots[0]
        while place > 0 or nodes:
            while place > 0 and place not in seen:
                seen.add(place)
                nodes.append(place)
                place = self._child(place, 0)
            if not nodes:
                return
            place = nodes.pop()
            try:
                yield self._row(place)
            except (struct.error, IndexError, OverflowError):
                self._table.is_cut = True
            place = self._child(place, 1)

    def _child(self, place: int, side: int) -> int:
        """The place of the left or right child in the first index; 0 for none."""
        try:
            return struct.unpack_from(">i", self._data, place * self._scale + 8 + 4 * side)[0]
        except struct.error:
            self._table.is_cut = True
            return 0

    def _row(self, place: int) -> tuple[Value, ...]:
        self._at = place * self._scale + 4 + _NODE_BYTES * (len(self._table.roots) - 1)
        return tuple(self._value(kind) for _, kind in self._table.columns)

    def _value(self, kind: str) -> Value:
        if not self._unpack(">b"):
            return None
        if kind in _NUMBERS:
            return _NUMBERS[kind](self._unpack(_FORMS[kind]))
        if kind in ("DATE", "TIME"):
            return Moment(kind, self._unpack(">q"))
        if kind in ("TIMESTAMP", "DATETIME"):
            milliseconds = self._unpack(">q")
            self._unpack(">i")  # nanoseconds
            return Moment("TIMESTAMP", milliseconds)
        raw = self._bytes()
        if kind in ("DECIMAL", "NUMERIC"):
            return _decimal(int.from_bytes(raw, "big", signed=True), self._unpack(">i"))
        return raw if kind in _BYTES_TYPES else raw.decode("utf-8", "replace")

    def _unpack(self, form: str) -> int:
        value = struct.unpack_from(form, self._data, self._at)[0]
        self._at += struct.calcsize(form)
        return value

    def _bytes(self) -> bytes:
        size = self._unpack(">i")
        if not 0 <= size <= len(self._data) - self._at:
            raise IndexError
        self._at += size
        return self._data[self._at - size : self._at]


_FORMS = {
    "TINYINT": ">h", "SMALLINT": ">h", "INTEGER": ">i", "INT": ">i", "BIGINT": ">q", "REAL": ">d", "FLOAT": ">d",
    "DOUBLE": ">d", "BOOLEAN": ">b", "BIT": ">b",
}  # fmt: skip
_NUMBERS: dict[str, Callable[[float], str]] = {
    kind: (lambda value: "true" if value else "false") if kind in ("BOOLEAN", "BIT") else str for kind in _FORMS
}


def _decimal(digits: int, scale: int) -> str:
    """A number of `scale` digits behind the point."""
    if not 0 < scale <= 1000:
        return str(digits) if scale <= 0 else ""
    text = str(abs(digits)).rjust(scale + 1, "0")
    return f"{'-' if digits < 0 else ''}{text[:-scale]}.{text[-scale:]}"


class _Zone:
    """The writer's time zone as its dates tell it: each is a midnight there. By months, for summer time."""

    def __init__(self, values: Iterator[Value]) -> None:
        found: dict[int, Counter[int]] = {}
        for value in values:
            if isinstance(value, Moment) and value.kind == "DATE":
                day = _moment(_midnight(value.milliseconds))
                if day is not None:
                    offset = _midnight(value.milliseconds) - value.milliseconds
                    found.setdefault(day.month, Counter())[offset] += 1
        self._offsets = {month: offsets.most_common(1)[0][0] for month, offsets in found.items()}

    def format(self, moment: Moment) -> str:
        """A date, a time or both; times in UTC where the zone cannot be told."""
        if moment.kind == "DATE":
            day = _moment(_midnight(moment.milliseconds))
            return day.date().isoformat() if day is not None else ""
        plain = _moment(moment.milliseconds)
        if plain is None:
            return ""
        nearest = min(self._offsets, key=lambda month: (abs((month - plain.month + 6) % 12 - 6), month), default=0)
        offset = self._offsets.get(nearest)
        local = plain + timedelta(milliseconds=offset or 0)
        whole = "milliseconds" if local.microsecond else "seconds"
        text = local.time().isoformat(whole)
        text = text if moment.kind == "TIME" else f"{local.date().isoformat()} {text}"
        return text if offset is not None else f"{text}Z"


def _midnight(milliseconds: int) -> int:
    return (milliseconds + _DAY // 2) // _DAY * _DAY


def _moment(milliseconds: int) -> datetime | None:
    """None for what no calendar has."""
    try:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
