"""Tables of the library: found by words, described, and asked by SQL, which runs in a worker of its own.

Resolves the names a query holds to tables of the index and hands their blocks on, encoded; looks at no value."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from sidecar.api import (
    AmbiguousError,
    LimitError,
    NotFoundError,
    UnavailableError,
    WorkerCrash,
    Workers,
    WorkerTimeout,
    format_uri,
)
from sidecar.api.tables import FoundTables, QueryAnswer, TableFacts, TableInfo, TablePart, TableRecord
from sidecar.server.reading.attached_documents import AttachedDocuments
from sidecar.store import Tables
from sidecar.store.documents.views import IndexedTable
from sidecar.store.queries.statements import QueryOutcome, QueryTable, check, names_in
from sidecar.store.queries.united import MAX_UNITED, united
from sidecar.toolkit.cell_references import CellRange, column_name
from sidecar.toolkit.tables.names import safe_name
from sidecar.toolkit.text import few

_QUERY_SECONDS = 10.0
"""A query is stopped after this long."""
_LOAD_SECONDS = 60.0
_GRACE_SECONDS = 2.0
_ENGINE = "sidecar.store.queries.engine"
_POOL, _BESIDE = "tables", "tables beside"
ISOLATED_POOLS: Mapping[str, str] = {_POOL: _ENGINE, _BESIDE: _ENGINE}
"""The pools that run users' SQL, and the module they are for: it needs no files. The second has a process only while
the first is busy for longer than `_PATIENCE`."""
_PATIENCE = 1.0
"""Seconds that a query waits for another, which may run on to its end: most take milliseconds, and the tables they ask
are in the memory of the first process already."""
_MAX_TABLES = 100
"""Tables one query may name."""
_MAX_CANDIDATES = 3000
_ROUNDS = 3
_SUFFIX = re.compile(r"\.[a-z]{2,5}$")


@dataclass(frozen=True)
class TableReader:
    """`terms` makes FTS5 expressions of a question."""

    stored: Tables
    workers: Workers
    terms: Callable[[str], Sequence[str]]
    attached: Callable[[], AttachedDocuments]
    turns: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by the query that the first process works for."""

    async def find(self, query: str, limit: int, doc: str | None, folder: str | None) -> FoundTables:
        """See `api.Library.find_tables`."""
        terms = self.terms(query) if query.strip() else ()
        if query.strip() and not terms:
            return FoundTables((), 0)
        found, total = await self.stored.matching(terms, doc, folder, limit)
        return FoundTables(tuple(map(_info, found)), total)

    async def of_document(self, doc: str) -> tuple[TableInfo, ...]:
        """See `api.Library.tables`."""
        return tuple(_info(found) for found in await self.stored.of_document(doc))

    async def describe(self, name: str) -> tuple[TableInfo, TableFacts]:
        """See `api.Library.describe_table`."""
        parts = await self._fitting(name) if "*" in name else [await self._one(name)]
        tables = {_key(one): _query_table(one, ()) for one in parts}
        table = united(name, [*tables.values()]) if "*" in name else tables[_key(parts[0])]
        if table is None:
            raise _none_fits(name)
        found = {_key(one): one for one in parts}
        async with self._turn() as pool:
            for _ in range(_ROUNDS):
                facts = await self._run(pool, "describe", table, timeout=_QUERY_SECONDS)
                if isinstance(facts, TableFacts):
                    return _described(table, _info(parts[0])), facts
                for key in facts:
                    await self._load(pool, tables[key], found[key])
        raise LimitError(f"The table {name} is too large to be described; ask query_tables for the columns you need.")

    async def query(self, sql: str, tables: Sequence[str], start: int, limit: int) -> QueryAnswer:
        """See `api.Library.query_tables`."""
        sql, name = check(sql), ""
        for _ in range(_ROUNDS):
            candidates = await self._candidates(sql, tables)
            aliases, ambiguous = _aliases(sql, candidates)
            found = {_key(one): one for one in candidates if _key(one) in aliases}
            asked = [_query_table(one, aliases[key]) for key, one in found.items()][:_MAX_TABLES]
            for pattern in (one for one in names_in(sql) if "*" in one):
                parts = await self._fitting(pattern)
                if (union := united(pattern, [_query_table(one, ()) for one in parts])) is not None:
                    asked.append(union)
                    found |= {_key(one): one for one in parts}
            outcome = await self._outcome(sql, asked, found, start, limit)
            if outcome.answer is not None:
                return outcome.answer
            if "*" in outcome.unknown:
                raise _none_fits(outcome.unknown)
            whole = outcome.unknown.lower() in ambiguous
            name = outcome.unknown if whole else outcome.unknown.rpartition(".")[2]
            if choices := ambiguous.get(name.lower()):
                raise NotFoundError(
                    f"{name[:80]} names {len(choices)} tables; write one of {few(choices)}{_as_one(name, choices)}.",
                    near=choices,
                )
            if missing := await self.stored.missing(name):
                raise missing
        raise _changing(name)

    async def _outcome(
        self, sql: str, asked: Sequence[QueryTable], found: Mapping[str, IndexedTable], start: int, limit: int
    ) -> QueryOutcome:
        """The answer, or the name of a table that is not among those asked. Raises LimitError."""
        async with self._turn() as pool:
            for _ in range(_ROUNDS):
                outcome: QueryOutcome = await self._run(
                    pool, "run", sql, asked, start, limit, _QUERY_SECONDS, timeout=_QUERY_SECONDS + _GRACE_SECONDS
                )
                if outcome.answer is not None or outcome.unknown:
                    return outcome
                for table in (part for one in asked for part in one.members or (one,)):
                    if table.key in outcome.missing:
                        await self._load(pool, table, found[table.key])
        raise LimitError("The tables of this query are too large to be held together; ask fewer of them at once.")

    async def _candidates(self, sql: str, tables: Sequence[str]) -> list[IndexedTable]:
        """Every table the query may mean: those its names fit, and those of `tables`."""
        named: list[IndexedTable] = []
        for name in tables:
            named += await self._all(name)
        names = [name for name in names_in(sql) if len(name) < 2 * _MAX_TABLES]
        named += await self.stored.named(list(dict.fromkeys([*names, *map(_as_called, names)])))
        return list({_key(one): one for one in named}.values())[:_MAX_CANDIDATES]

    async def _all(self, name: str) -> list[IndexedTable]:
        """The tables a name, a slug or a URI stands for. Raises NotFoundError."""
        if "://" in name:
            doc = name.partition("://")[2].partition("/")[0]
            of_document = await self.stored.of_document(doc)
            found = [one for one in of_document if _info(one).uri == name or name in _further_uris(one)] or [
                one for one in of_document if _info(one).uri.partition("?")[0] == name.partition("?")[0]
            ]
            if not found:
                raise await self.stored.missing(name) or _changing(name)
            return found
        for _ in range(_ROUNDS):
            if found := await self.stored.named([name.lower(), safe_name(name, name)]):
                return found
            try:
                return await self.stored.of_document(name)
            except NotFoundError:
                if missing := await self.stored.missing(name):
                    raise missing from None
        raise _changing(name)

    async def _one(self, name: str) -> IndexedTable:
        found = await self._all(name)
        exact = [one for one in found if one.name == name.lower()]
        found = exact or [one for one in found if name.lower() in one.names] or found  # as a query takes it
        if len(found) > 1:
            choices = [_info(one).name for one in found]
            raise AmbiguousError(f"{name} names {len(found)} tables: {few(choices)}.", choices=choices)
        if not found:
            raise NotFoundError(f"{name} has no table; find_tables lists those there are.")
        return found[0]

    async def _fitting(self, pattern: str) -> Sequence[IndexedTable]:
        """The tables that a pattern names, one more than are put together at most; of paths as it is, else without the
        suffix that files have and their tables' names have not."""
        spelt = pattern.lower() if "/" in pattern else _SUFFIX.sub("", pattern.lower())
        return await self.stored.like(spelt, MAX_UNITED + 1)

    @asynccontextmanager
    async def _turn(self) -> AsyncGenerator[str]:
        """The pool to work in: the second where another query holds the first for long."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await self.turns.acquire()
        except TimeoutError:
            yield _BESIDE
            return
        try:
            yield _POOL
        finally:
            self.turns.release()

    async def _load(self, pool: str, table: QueryTable, found: IndexedTable) -> None:
        record = found.record
        if record.attached is None:
            segments = await self.stored.segments(found)
        else:
            places = [(one.part, one.first_block, one.last_block) for one in (record, *record.further)]
            segments = await self.attached().segments(found.doc_id, record.attached.embed, places)
        await self._run(pool, "load", table, segments, timeout=_LOAD_SECONDS)

    async def _run(self, pool: str, function: str, *arguments: object, timeout: float) -> Any:
        try:
            try:
                return await self.workers.run(f"{_ENGINE}:{function}", *arguments, timeout=timeout, pool=pool)
            except WorkerCrash:  # it may have died while nobody asked; the next one starts empty
                return await self.workers.run(f"{_ENGINE}:{function}", *arguments, timeout=timeout, pool=pool)
        except WorkerTimeout:
            raise LimitError(
                f"The query was stopped after {timeout:g} s; filter or aggregate in smaller steps."
            ) from None
        except WorkerCrash:
            raise LimitError("The query needs more memory than it may have; select fewer rows or columns.") from None


def _as_one(name: str, choices: Sequence[str]) -> str:
    """How tables that one name may mean are asked together: the sheets of a document, or sheets of one name."""
    called = safe_name(name, name)
    patterns = (f"{called}__*", f"*__{called}")
    fitting = (pattern for pattern in patterns if all(fnmatchcase(one, pattern) for one in choices))
    return next((f', or "{pattern}" for those of the same columns as one' for pattern in fitting), "")


def _described(table: QueryTable, info: TableInfo) -> TableInfo:
    """What is known of a table, or of several put together, the first of which `info` tells of."""
    if not table.members:
        return info
    return replace(info, name=table.name, place=f"{len(table.members)} tables put together", record=table.record)


def _changing(name: str) -> UnavailableError:
    return UnavailableError(f"The document of the table {name[:80]} is changing; ask again in a moment.")


def _key(found: IndexedTable) -> str:
    return f"{found.slug}/{found.doc_id}/{found.seq}"


def _as_called(name: str) -> str:
    """As the table of a file or slug of that name is called: "Budget 2024.xlsx" as budget_2024."""
    return name if name.isidentifier() else safe_name(_SUFFIX.sub("", name), name)


def _aliases(sql: str, candidates: Sequence[IndexedTable]) -> tuple[dict[str, tuple[str, ...]], dict[str, list[str]]]:
    """Key → the names of the query that mean this table; and the names that mean several."""
    meant: dict[str, list[IndexedTable]] = {}
    names = [name for name in names_in(sql) if "*" not in name]
    for one in candidates:
        called = one.names | {_info(one).uri.lower()}
        for name in names:
            if name in called or _as_called(name) in called:
                meant.setdefault(name, []).append(one)
    aliases: dict[str, list[str]] = {}
    ambiguous: dict[str, list[str]] = {}
    for name, tables in meant.items():
        own = [one for one in tables if one.name == name]
        chosen = own or tables
        if len(chosen) > 1:
            ambiguous[name] = [_info(one).name for one in chosen]
        else:
            aliases.setdefault(_key(chosen[0]), []).append(name)
    for one in candidates:  # a document's name, where it has several tables
        for name in names:
            if _as_called(name) == safe_name(one.slug, "") and name not in meant:
                ambiguous.setdefault(name, []).append(_info(one).name)
    return {key: tuple(own) for key, own in aliases.items()}, ambiguous


def _query_table(found: IndexedTable, aliases: Iterable[str]) -> QueryTable:
    info = _info(found)
    record = found.record
    row_uri = info.uri
    if record.sheet and record.attached is None:
        first, last = column_name(record.columns[0].col), column_name(record.columns[-1].col)
        row_uri = f"{info.uri.partition('?')[0]}?range={first}{{row}}:{last}{{row}}"
    further = tuple(
        (one.first_row + 1, one.name or f"{found.part_kind} {one.part}", uri)
        for one, uri in zip(record.further, _further_uris(found), strict=True)
    )
    return QueryTable(
        _key(found), info.name, tuple(aliases), info.uri, row_uri, info.sheet, record, further, cut=found.cut
    )


def _info(found: IndexedTable) -> TableInfo:
    record = found.record
    name = found.name
    inside = record.attached
    kind, part_name = (inside.kind, inside.name) if inside else (found.part_kind, found.part_name)
    sheet = part_name or (not inside and found.part_title) or f"{kind} {record.part}"
    within = f" in {inside.file}" if inside else ""
    if record.sheet:
        area = CellRange(
            record.first_row - record.header_rows, record.columns[0].col, record.last_row, record.columns[-1].col
        )
        by_name = part_name and not part_name.isdigit()
        uri = format_uri("sheet", found.slug, part_name if by_name else record.part, query={"range": str(area)})
        uri = _part_uri(found, record) if inside else uri
        return TableInfo(name, found.slug, found.doc_id, uri, f"{sheet}!{area}{within}", sheet, record, found.cut)
    own = kind in ("slide", "page")
    place = f"{kind} {part_name or record.part}" if own else sheet
    if record.further:
        last = record.further[-1]
        place += f" to {last.name or last.part}"
    uri = _part_uri(found, record)
    return TableInfo(name, found.slug, found.doc_id, uri, f"{place}{within}", sheet, record, found.cut)


def _part_uri(found: IndexedTable, place: TableRecord | TablePart) -> str:
    """The URI of a table, in a document without sheets or an attached one, in one of its parts."""
    if inside := found.record.attached:
        return format_uri("embed", found.slug, inside.embed, suffix="md", query={"part": str(place.part)})
    if found.part_kind in ("slide", "page"):
        return format_uri(found.part_kind, found.slug, place.part)
    return format_uri("paragraph", found.slug, place.part, place.first_block)


def _further_uris(found: IndexedTable) -> list[str]:
    return [_part_uri(found, one) for one in found.record.further]


def _none_fits(pattern: str) -> NotFoundError:
    return NotFoundError(f"No name of a table fits {pattern[:80]}; find_tables lists those there are.")
