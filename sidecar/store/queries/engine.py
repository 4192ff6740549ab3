"""Answers queries over relations inside a worker process, which keeps the tables it has loaded until they are too many.

It is handed what it needs: records and encoded blocks. It opens no file and knows no index."""

import sqlite3
from collections import OrderedDict
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from sidecar.api import LimitError
from sidecar.api.model import AnyBlock, Scalar, decode_blocks
from sidecar.api.tables import ColumnFacts, LeftOut, QueryAnswer, QuerySource, TableColumn, TableFacts
from sidecar.store.queries import sums
from sidecar.store.queries.comparisons import QueriedTable, compared
from sidecar.store.queries.decimals import places_of, without_noise
from sidecar.store.queries.dialects.names import other_name
from sidecar.store.queries.dialects.rewriting import as_sqlite
from sidecar.store.queries.rows_lacking import rows_lacking
from sidecar.store.queries.sandbox import HEAP_BYTES, confined, connect, sql_type
from sidecar.store.queries.sql_errors import MISTAKE, explained, refuse_label
from sidecar.store.queries.statements import (
    HEADING,
    QueryOutcome,
    QueryTable,
    in_quotes,
    literal,
    titles_of,
    types_by_name,
    unasked,
    with_names,
)
from sidecar.store.queries.text_columns import text_remarks, twin_remarks
from sidecar.store.queries.tokens import names_as_written, types_of
from sidecar.store.queries.united import TABLE, mixed_columns, source_of, sum_of_others_remark, union_remark
from sidecar.toolkit.tables.rows import read_relation
from sidecar.toolkit.visible import visible

_KEPT_CELLS: Final = 6_000_000
"""Values kept loaded, some 200 MB; the tables used longest ago go first."""
_COUNTED_ROWS: Final = 1_000_000
"""Rows of an answer that are counted beyond those given."""
_COMMON: Final = 5
_FEW_DIFFERENT: Final = 50
_LABELS: Final = 200
"""Rows of a table that are looked through for a column that is none."""
_BLOB_CHARS: Final = 200
_HEADING: Final = TableColumn(
    HEADING, "", -1, remark="what the heading inside the table above the row says; given where there are such headings"
)


class _Statement(NamedTuple):
    """A SELECT as it was written and as SQLite takes it, the tables it uses, and the columns it reads of each name."""

    written: str
    sql: str
    used: Sequence[QueryTable]
    read: Mapping[str, set[str]]


class _Loaded(msgspec.Struct, frozen=True):
    """A relation in the database as the table `name`, which no query can mean by chance."""

    name: str
    columns: tuple[TableColumn, ...]
    rows: int
    cells: int
    left_out: tuple[LeftOut, ...]
    totals: tuple[tuple[Scalar, ...], ...]
    headed: bool = True
    maybe_totals: tuple[tuple[int, str], ...] = ()


class Engine:
    """The database of a worker and what is in it."""

    def __init__(self) -> None:
        self._connection, self._patterns = connect()
        self._loaded: OrderedDict[str, _Loaded] = OrderedDict()
        self._decimals: dict[tuple[str, str], int | None] = {}
        self._made = 0
        modules = self._connection.execute("SELECT name FROM pragma_module_list").fetchall()
        self._modules = frozenset(name.lower() for (name,) in modules)

    def load(self, table: QueryTable, segments: Sequence[tuple[int, int, bytes]]) -> None:
        """Take a relation in from its segments, each with its part and the number of its first block."""
        if table.key in self._loaded:
            return
        blocks: dict[int, list[tuple[int, AnyBlock]]] = {}
        for part, first, data in segments:
            blocks.setdefault(part, []).extend(enumerate(map(visible, decode_blocks(data)), first))
        relation = read_relation(table.record, blocks)
        rows, places = (table.with_places(relation.rows), ("_sheet", "_uri")) if table.further else (relation.rows, ())
        headed = bool(relation.headings)
        if headed:
            rows = [(*row, heading) for row, heading in zip(rows, relation.headings, strict=True)]
            places = (*places, _HEADING.name)
        cells = len(rows) * (len(relation.columns) + len(places))
        self._make_room(cells)
        self._made += 1
        name = f"relation {self._made}"
        self._create(name, table, relation.columns, headed=headed)
        kept = ["_row", *(column.name for column in relation.columns), *places]
        marks, names = ",".join("?" * len(kept)), ",".join(kept)
        statement = f"INSERT INTO {in_quotes(name)} ({names}) VALUES ({marks})"  # noqa: S608  # safe names, made by us
        try:
            with self._bounded():
                self._connection.execute("BEGIN")
                self._connection.executemany(statement, rows)
                self._connection.execute("COMMIT")
        except LimitError:
            self._connection.execute(f"DROP TABLE {in_quotes(name)}")
            raise
        totals = tuple((row[0], *row[2:]) for row in relation.apart if row[1] == "total")
        self._loaded[table.key] = _Loaded(
            name, relation.columns, len(relation.rows), cells, tuple(relation.left_out()), totals, headed,
            tuple(relation.maybe_totals.items()),
        )  # fmt: skip

    def run(self, sql: str, tables: Sequence[QueryTable], start: int, limit: int, seconds: float) -> QueryOutcome:
        """The rows of one SELECT from `start` on, at most `limit`. Raises UsageError, LimitError."""
        with self._bounded():
            for table in tables:
                self._unite(table)
        with self._views(tables) as known, self._bounded():
            written, sql, types = sql, with_names(sql, titles_of(tables)), types_by_name(tables)
            members = (self._loaded.get(one.key) for table in tables for one in table.members)
            own = frozenset(loaded.name for loaded in (*known.values(), *members) if loaded)
            try:
                with confined(self._connection, self._modules, own, seconds) as read:
                    sql = as_sqlite(sql, types, self._connection.execute)  # which may look at the rows of some
                    if not self._missing(_used(tables, known, read)):
                        self._connection.execute(f"EXPLAIN {sql}").close()
                    used = _used(tables, known, read)
                    if missing := self._missing(used):
                        return QueryOutcome(missing=missing)
                    return QueryOutcome(self._answer(_Statement(written, sql, used, read), start, limit))
            except sqlite3.Error as error:
                unknown = MISTAKE.fullmatch(str(error))
                if unknown and unknown[1] == "table" and not other_name(unknown[2]):
                    return QueryOutcome(unknown=unknown[2])
                if unknown and unknown[1] == "column":
                    few = [table for table in tables if table.record.rows <= _LABELS and not table.members]
                    if missing := self._missing(few):
                        return QueryOutcome(missing=missing)
                    refuse_label(unknown[2], sql, [self._relation(table) for table in few], self._connection)
                raise explained(error, sql, tables, seconds, self._patterns) from error

    def describe(self, table: QueryTable) -> TableFacts | tuple[str, ...]:
        """Facts of every column, or the keys of the tables that must be loaded first."""
        self._unite(table)
        if missing := self._missing([table]):
            return missing
        loaded = self._loaded[table.key]
        shown = (*loaded.columns, _HEADING) if loaded.headed else loaded.columns
        facts = tuple(self._facts(loaded, column) for column in shown)
        names = ("_row", *(column.name for column in loaded.columns))
        totals = tuple(dict(zip(names, row, strict=True)) for row in loaded.totals)
        return TableFacts(self._source(table, (), None), facts, totals)

    def _missing(self, used: Sequence[QueryTable]) -> tuple[str, ...]:
        """The keys of what is not loaded of these tables, or of those they are made of."""
        parts = [one for table in used if table.key not in self._loaded for one in table.members or (table,)]
        return tuple(one.key for one in parts if one.key not in self._loaded)

    def _unite(self, table: QueryTable) -> None:
        """Put the tables that one is made of together, where all of them are loaded."""
        loaded = [self._loaded.get(one.key) for one in table.members]
        if not loaded or (table.key in self._loaded and all(loaded)):
            return
        if (former := self._loaded.pop(table.key, None)) is not None:
            self._connection.execute(f"DROP TABLE {in_quotes(former.name)}")
        parts = [one for one in loaded if one is not None]
        if len(parts) < len(loaded):
            return
        for one in table.members:
            self._loaded.move_to_end(one.key)
        columns, rows = table.record.columns, sum(one.rows for one in parts)
        headed = any(one.headed for one in parts)
        cells = rows * (len(columns) + 4 + headed)
        self._make_room(cells)
        if any(one.key not in self._loaded for one in table.members):
            return
        self._made += 1
        name = f"relation {self._made}"
        self._create(name, table, columns, headed=headed)
        for member, one in zip(table.members, parts, strict=True):
            own = [HEADING] * one.headed + [column.name for column in one.columns]
            names, called = ", ".join([*own, "_sheet", "_row", "_uri"]), literal(member.name)
            self._connection.execute(
                f"INSERT INTO {in_quotes(name)} ({TABLE}, {names}) SELECT {called}, {names} FROM {in_quotes(one.name)}"  # noqa: S608
            )
        self._loaded[table.key] = _Loaded(name, columns, rows, cells, (), (), headed)

    def _answer(self, statement: _Statement, start: int, limit: int) -> QueryAnswer:
        written, sql, used, read = statement
        cursor = self._connection.execute(sql)
        try:
            names = tuple(column[0] for column in cursor.description)
            skipped = sum(1 for _ in islice(cursor, start))
            left = unasked(written, used)
            kept = [at for at, name in enumerate(names) if name.partition(":")[0] not in left]
            names = tuple(names[at] for at in kept)
            rows = tuple(tuple(_format_value(row[at]) for at in kept) for row in islice(cursor, limit))
            more = sum(1 for _ in islice(cursor, _COUNTED_ROWS))
            complete = more < _COUNTED_ROWS or cursor.fetchone() is None
        finally:
            cursor.close()
        types = {column.name: column.type for table in used for column in self._loaded[table.key].columns}
        for table in used:
            self._loaded.move_to_end(table.key)
        relations = [self._relation(table) for table in used]
        return QueryAnswer(
            names_as_written(names, written, sql), types_of(names, sql, types),
            without_noise(rows, names, sql, partial(self._places, relations)),
            skipped + len(rows) + more, complete,
            tuple(
                self._source(
                    table, sums.summed_names(sql), {name for one in table.aliases for name in read.get(one.lower(), ())}
                )
                for table in used
            ),
            (
                *sums.uncertain([one for table in used for one in table.members or (table,)]),
                *self._sum_notices(sql, used, read), *compared(sql, relations, self._connection),
            ),
        )  # fmt: skip

    def _source(self, table: QueryTable, summed: Collection[str], read: Collection[str] | None) -> QuerySource:
        if table.members:
            return source_of(table, [self._source(one, summed, read) for one in table.members])
        loaded = self._loaded[table.key]
        return sums.source(table, loaded.rows, loaded.left_out, summed, read)

    def _sum_notices(self, sql: str, used: Sequence[QueryTable], read: Mapping[str, set[str]]) -> Iterator[str]:
        """Of rows that may not belong to what the query adds up, and of tables put together that are unlike."""
        summed, beside = sums.summed_names(sql), sums.beside_sums(sql)
        yield from rows_lacking(sql, summed, sum(self._loaded[one.key].rows for one in used), self._connection)
        for table in used:
            columns = {name for one in table.aliases for name in read.get(one.lower(), ())}
            whole = self._relation(table)
            yield from sums.several_currencies(whole, summed, columns, self._connection)
            yield from sums.codes_of_nothing(whole, summed, self._connection)
            yield from sums.of_empty_cells(whole, sql, self._connection)
            yield from sums.of_any_row(whole, beside)
            yield from sums.named_total(whole, self._loaded[table.key].totals, sql, columns)
            yield from text_remarks(whole, sql, columns, self._connection)
            yield from twin_remarks(whole, columns)
            if table.members:
                yield from union_remark(table, columns)
                yield from sum_of_others_remark(self._connection, self._loaded[table.key].name, table, summed)
            for one in (table.members or (table,)) if summed and not sums.ROWS_CHOSEN.search(sql) else ():
                relation = self._relation(one) if table.members else whole
                yield from sums.totals_remark(relation, self._loaded[one.key].maybe_totals, summed)
                for look in (sums.outweighing, sums.group_sums, sums.balances_remark):
                    yield from look(relation, summed, self._connection)

    def _relation(self, table: QueryTable) -> QueriedTable:
        loaded = self._loaded[table.key]
        columns, totals = {column.name: column for column in loaded.columns}, sums.total_names(loaded.totals)
        return QueriedTable(table.name, table.aliases, loaded.name, loaded.rows, columns, totals)

    def _places(self, relations: Sequence[QueriedTable], name: str) -> int | None:
        """How many decimal places the columns of that name have at most, -1 where there are none."""
        most = -1
        for relation in relations:
            column = relation.columns.get(name)
            if column is None:
                continue
            if (key := (relation.table, name)) not in self._decimals:
                values = self._connection.execute(
                    f"SELECT {name} FROM {in_quotes(relation.table)} WHERE typeof({name}) = 'real'"  # noqa: S608
                )
                self._decimals[key] = places_of(value for (value,) in values)
            if (own := self._decimals[key]) is None:
                return None
            most = max(most, own)
        return most

    def _facts(self, loaded: _Loaded, column: TableColumn) -> ColumnFacts:
        name, table = column.name, in_quotes(loaded.name)
        total = f"sum({name})" if column.type in ("number", "money") else "NULL"
        values, distinct, lowest, highest, added = self._connection.execute(
            f"SELECT count({name}), count(DISTINCT {name}), min({name}), max({name}), {total} FROM {table}"  # noqa: S608
        ).fetchone()
        common: tuple[tuple[Scalar, int], ...] = ()
        if 0 < distinct <= min(_FEW_DIFFERENT, max(values - 1, 1)):
            common = tuple(
                (_format_value(value), count)
                for value, count in self._connection.execute(
                    f"SELECT {name}, count(*) FROM {table} WHERE {name} IS NOT NULL "  # noqa: S608
                    f"GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {_COMMON}"
                )
            )
        return ColumnFacts(
            column, values, distinct, loaded.rows - values, _format_value(lowest), _format_value(highest), added, common
        )

    def _make_room(self, cells: int) -> None:
        kept = sum(loaded.cells for loaded in self._loaded.values())
        while self._loaded and kept + cells > _KEPT_CELLS:
            _, oldest = self._loaded.popitem(last=False)
            kept -= oldest.cells
            self._connection.execute(f"DROP TABLE {in_quotes(oldest.name)}")

    def _create(self, name: str, table: QueryTable, columns: Sequence[TableColumn], *, headed: bool) -> None:
        """The table with its values and where each row stands; the places take no memory where one rule gives them."""
        own = (*columns, _HEADING) if headed else columns
        mixed = mixed_columns(table)
        types = ("" if column.name in mixed else sql_type(column) for column in own)
        kinds = ", ".join(f"{column.name} {kind}" for column, kind in zip(own, types, strict=True))
        if table.members or table.further:
            places = f"{TABLE} TEXT, " * bool(table.members) + "_sheet TEXT, _row INTEGER, _uri TEXT"
            self._connection.execute(f"CREATE TABLE {in_quotes(name)} ({kinds}, {places})")
            return
        uri = literal(table.row_uri)
        if "{row}" in table.row_uri:
            uri = f"replace({uri}, '{{row}}', _row)"
        sheet = literal(table.sheet)
        self._connection.execute(
            f"CREATE TABLE {in_quotes(name)} ({kinds}, _sheet TEXT GENERATED ALWAYS AS ({sheet}) VIRTUAL, "
            f"_row INTEGER, _uri TEXT GENERATED ALWAYS AS ({uri}) VIRTUAL)"
        )

    @contextmanager
    def _views(self, tables: Sequence[QueryTable]) -> Generator[Mapping[str, _Loaded]]:
        """The tables under the names of this query; what is not loaded is there without rows."""
        known: dict[str, _Loaded] = {}
        views: list[str] = []
        try:
            for table in tables:
                loaded = self._loaded.get(table.key)
                if loaded is None:
                    self._made += 1
                    loaded = _Loaded(f"relation {self._made}", table.record.columns, 0, 0, (), ())
                    self._create(loaded.name, table, loaded.columns, headed=True)
                known[table.key] = loaded
                for alias in table.aliases:
                    rows = f"SELECT * FROM {in_quotes(loaded.name)}"  # noqa: S608  # a name of ours
                    self._connection.execute(f"CREATE TEMP VIEW {in_quotes(alias)} AS {rows}")
                    views.append(alias)
            yield known
        finally:
            for alias in views:
                self._connection.execute(f"DROP VIEW temp.{in_quotes(alias)}")
            for key, loaded in known.items():
                if key not in self._loaded:
                    self._connection.execute(f"DROP TABLE {in_quotes(loaded.name)}")

    @contextmanager
    def _bounded(self) -> Generator[None]:
        try:
            yield
        except MemoryError as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise LimitError(
                f"The query needs more than the {HEAP_BYTES // 2**20} MB it may have; select fewer rows or columns."
            ) from error


@cache
def _engine() -> Engine:
    return Engine()


def run(sql: str, tables: list[QueryTable], start: int, limit: int, seconds: float) -> QueryOutcome:
    """`Engine.run` in this worker. Raises UsageError for what is not allowed, LimitError for what takes too much."""
    return _engine().run(sql, tables, start, limit, seconds)


def load(table: QueryTable, segments: list[tuple[int, int, bytes]]) -> None:
    """`Engine.load` in this worker."""
    _engine().load(table, segments)


def describe(table: QueryTable) -> TableFacts | tuple[str, ...]:
    """`Engine.describe` in this worker."""
    return _engine().describe(table)


def _used(tables: Sequence[QueryTable], known: Mapping[str, _Loaded], read: Collection[str]) -> list[QueryTable]:
    """Those of the tables that were read, by the names they are loaded under."""
    return [table for table in tables if known[table.key].name in read]


def _format_value(value: object) -> Scalar:
    """A value as JSON and people take it: whole numbers without a fraction, bytes as hex digits."""
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 1e15:
            return int(value)
        return value if abs(value) < float("inf") else str(value)
    if isinstance(value, bytes):
        return value[:_BLOB_CHARS].hex()
    return value if isinstance(value, str | int) else None
