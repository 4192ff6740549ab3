"""Reads of the tables that were found in documents: by name, by words, by document; and the blocks they lie in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

import msgspec

from sidecar.api import NotFoundError, Notice, TableColumn, TableRecord
from sidecar.store.analysis import month_in_names
from sidecar.store.database.session import MAX_PATTERN_CHARS, Session
from sidecar.store.documents.paths import fold
from sidecar.store.documents.reading import resolve, segments
from sidecar.store.documents.records import decode_table
from sidecar.store.documents.views import IndexedTable, Passage
from sidecar.toolkit.cell_references import CellRange
from sidecar.toolkit.tables.names import query_name, safe_name, safe_part
from sidecar.toolkit.text import without_steering

_TABLE = (
    "SELECT t.id, t.seq, f.slug, v.doc_id, v.id, v.part_kind, p.name, p.title, t.data, v.notices, "
    "(SELECT count(*) FROM tables o WHERE o.version_id = t.version_id) FROM tables t "
    "JOIN versions v ON v.id = t.version_id JOIN parts p ON p.version_id = v.id AND p.n = t.part "
)
_SHOWN = _TABLE + (  # noqa: S608  # constants of ours
    "JOIN files f ON f.id = (SELECT id FROM files WHERE version_id = v.id ORDER BY archive, slug LIMIT 1) "
)
_OF_DOCUMENT = _TABLE.replace("f.slug", "?")
_NAMES = (
    "SELECT f.slug, t.name, (SELECT count(*) FROM tables o WHERE o.version_id = t.version_id) FROM tables t "
    "JOIN files f ON f.version_id = t.version_id "
)
_BY_NUMBER = _TABLE + (  # noqa: S608  # constants of ours
    "JOIN files f ON f.version_id = v.id WHERE t.id IN (SELECT value FROM json_each(?)) ORDER BY f.slug, t.seq"
)
_IN_PLACE = "SELECT version_id, place FROM files WHERE version_id IS NOT NULL AND instr(place, ?) > 0"
_OF_VERSIONS = _TABLE + (  # noqa: S608  # constants of ours
    "JOIN files f ON f.id = (SELECT id FROM files WHERE version_id = v.id ORDER BY archive, slug LIMIT 1) "
    "WHERE v.id IN (SELECT value FROM json_each(?)) ORDER BY f.slug, t.seq"
)
_HOLDING = (
    "SELECT v.doc_id, v.id FROM json_each(?) j JOIN versions v "
    "ON v.id = (SELECT max(id) FROM versions WHERE doc_id = j.value) "
    "WHERE EXISTS (SELECT 1 FROM tables WHERE version_id = v.id)"
)
"""Of documents those that have tables: of most passages that is all there is to ask."""
_MATCHING = (
    # FTS5 scores where it searches and nowhere else: what it gives is kept before anything is joined to it.
    "WITH said AS MATERIALIZED (SELECT rowid AS id, bm25(tables_fts, 4.0, 3.0, 1.0, 1.0) AS score FROM tables_fts "
    "WHERE tables_fts MATCH :terms), "
    "called AS MATERIALIZED (SELECT rowid AS id, bm25(names_fts) AS score FROM names_fts "
    "WHERE names_fts MATCH :names), "
    "named AS (SELECT files.version_id AS version, min(called.score) AS score FROM called "
    "JOIN files ON files.id = called.id GROUP BY files.version_id), "
    "scored AS (SELECT id, sum(score) AS score FROM (SELECT id, score FROM said UNION ALL "
    "SELECT tables.id, named.score FROM named JOIN tables ON tables.version_id = named.version) GROUP BY id), "
    "found AS (SELECT id, score, (row_number() OVER (PARTITION BY version_id ORDER BY score, seq) - 1) / :apiece "
    "AS turn FROM scored JOIN tables USING (id)) "
)
"""The tables that a question finds, by their own words and by their documents' titles and file names: `find_tables`
of what a workbook is called is asked for all that lies in it. A score is less the better it is (FTS5's bm25). Documents
take turns: a sheet that lies in a hundred pieces does not hide what others have."""
_MAX_OF_EACH = 3
"""Tables of one document that come in one turn."""
_CUT = (b"truncated_at", b"damaged_part")
"""Codes of notices that say that rows may be missing."""
_notices = msgspec.msgpack.Decoder(tuple[Notice, ...]).decode
_NEAR = 400
"""Names of tables among which a mistaken one is looked for."""
_BEGUN = 4
"""Letters of its longest word that names which are looked at first have."""
_BEGUN_SO = 3
"""Names told that begin as the one that is not there."""


def tables_of(session: Session, doc: str) -> list[IndexedTable]:
    """Every table of a document, in its order. Raises NotFoundError."""
    version = resolve(session, doc)
    rows = session.rows(_OF_DOCUMENT + "WHERE t.version_id = ? ORDER BY t.seq", (version.slug or doc, version.id))
    return [_found(row) for row in rows]


def tables_named(session: Session, names: Collection[str]) -> list[IndexedTable]:
    """The tables of current documents that any of the names (lower case) may mean: `slug__table`, `table`, or the slug
    of a document, written as a name."""
    found: dict[tuple[int, str], IndexedTable] = {}
    for name in names:
        if len(name) > MAX_PATTERN_CHARS:
            continue
        document, _, table = name.rpartition("__")
        slugs = _slugs_like(session, name)
        if document:
            slugs += _slugs_like(session, document)
        for slug in slugs:
            for one in _of_slug(session, slug):
                if safe_name(slug, "") == name or one.record.name == table:
                    found.setdefault((one.id, one.slug), one)
        if not document:
            for row in session.rows(_SHOWN + "WHERE t.name = ? ORDER BY f.slug, t.seq LIMIT 50", (name,)):
                one = _found(row)
                found.setdefault((one.id, one.slug), one)
    return list(found.values())


def tables_like(session: Session, pattern: str, limit: int) -> list[IndexedTable]:
    """The tables of current documents whose names fit a pattern with `*`, in order of documents, at most `limit`: as
    queries call them, and where none is called so, as their documents do. One with `/` is of paths of files."""
    if len(pattern) > MAX_PATTERN_CHARS:
        return []
    if "/" in pattern:
        path = fold(f"*{pattern}" if pattern.startswith(("/", "*")) else f"*/{pattern}")
        rows = session.rows(_IN_PLACE, (path.partition("*")[2].split("*")[0].strip("/"),))
        of_files = {version for version, place in rows if fnmatchcase(f"/{place}", path)}
        numbers = msgspec.json.encode(sorted(of_files)).decode()
        found = (_found(row) for row in session.rows(_OF_VERSIONS, (numbers,)))
        return [*islice(found, limit)]
    spelt = "*".join(safe_part(piece) for piece in pattern.lower().split("*"))
    spelt = f"*{spelt}" if spelt[0].isdecimal() else spelt  # names begin with a letter: 2024 is y2024
    longest = max(spelt.split("*"), key=len).replace("_", "%")
    called: set[tuple[int, str]] = set()
    own: set[tuple[int, str]] = set()
    rows = session.rows(
        _NAMES.replace("SELECT", "SELECT t.id,", 1) + "WHERE f.slug || '__' || t.name LIKE ? ORDER BY f.slug, t.seq",
        (f"%{longest}%",),
    )
    for number, slug, table, siblings in rows:
        longer = f"{safe_name(slug, 'document')}__{table}"
        if fnmatchcase(query_name(slug, table, siblings), spelt) or fnmatchcase(longer, spelt):
            called.add((number, slug))
        elif fnmatchcase(table, spelt):
            own.add((number, slug))
    chosen = called or own  # a table is of every file that holds it
    numbers = msgspec.json.encode(sorted({number for number, _ in chosen})).decode()
    found = (_found(row) for row in session.rows(_BY_NUMBER, (numbers,)))
    return [one for one in found if (one.id, one.slug) in chosen][:limit]


def _slugs_like(session: Session, name: str) -> list[str]:
    """The slugs that a name without `-` may stand for; a `_` of it may be several characters of theirs."""
    bare = name[1:] if name[:1] == "y" and name[1:2].isdigit() else name.removeprefix("c_").removesuffix("_")
    rows = session.rows(
        "SELECT slug FROM files WHERE slug LIKE ? AND version_id IS NOT NULL", (f"%{bare.replace('_', '%')}%",)
    )
    return [slug for (slug,) in rows if safe_name(slug, "") == name]


def _of_slug(session: Session, slug: str) -> list[IndexedTable]:
    return [
        _found(row)
        for row in session.rows(_TABLE + "JOIN files f ON f.version_id = v.id WHERE f.slug = ? ORDER BY t.seq", (slug,))
    ]


def tables_matching(
    session: Session, expressions: Sequence[str], doc: str | None, folder: str | None, limit: int
) -> tuple[list[IndexedTable], int]:
    """The tables of current documents that hold any of the FTS5 expressions in their names, columns or samples, or
    whose document has them in its title or file name, best first, though no more than a few of one document in a row,
    at most `limit`; and how many there are. Without expressions all of them, in order of documents."""
    conditions, values = ["1"], dict[str, str | int]()
    if doc is not None:
        conditions.append("t.version_id = :version")
        values["version"] = resolve(session, doc).id
    if folder:
        conditions.append("instr(f.place, :folder) > 0")
        values["folder"] = fold(folder.replace("\\", "/"))
    given, joined, order = "", "", "f.slug, t.seq"
    if expressions:
        given, joined, order = _MATCHING, " JOIN found ON found.id = t.id ", f"found.turn, found.score, {order}"
        named = " OR ".join(filter(None, (*expressions, *map(month_in_names, expressions))))
        values |= {"terms": " OR ".join(expressions), "names": named, "apiece": _MAX_OF_EACH}
    where = f"WHERE {' AND '.join(conditions)}"
    rows = session.rows(f"{given}{_SHOWN}{joined}{where} ORDER BY {order} LIMIT :limit", values | {"limit": limit})
    counted = _SHOWN[_SHOWN.index(" FROM tables t ") :]
    total = session.one(f"{given}SELECT count(*){counted}{joined}{where}", values)  # ours
    return [_found(row) for row in rows], total


def missing_table(session: Session, name: str) -> NotFoundError | None:
    """The error for a table that an earlier read did not find, with near names; None where it is there by now."""
    wanted = name.lower()
    if any(wanted in one.names for one in tables_named(session, (wanted,))):
        return None
    known: dict[str, str] = {}
    begun = f"%{max(wanted.split('_'), key=len)[:_BEGUN]}%"
    likely = session.rows(_NAMES + "WHERE t.name LIKE ?1 OR f.slug LIKE ?1 LIMIT ?2", (begun, _NEAR))
    for slug, table, siblings in [*likely, *session.rows(_NAMES + "LIMIT ?", (_NEAR,))]:
        full = query_name(slug, table, siblings)
        known |= {table: full, full: full}
    begun_so = [one for one in known if one.startswith(f"{wanted}_")][:_BEGUN_SO]
    near = list(dict.fromkeys(known[one] for one in get_close_matches(wanted, known, 3, 0.5) or begun_so))
    hint = f"did you mean {', '.join(near)}?" if near else "find_tables lists those there are."
    return NotFoundError(f"There is no table {without_steering(name[:80])}; {hint}", near=near)


def table_segments(session: Session, table: IndexedTable) -> list[tuple[int, int, bytes]]:
    """The encoded blocks a table lies in, each segment with its part and the number of its first block."""
    return [
        (one.part, segment.first_block, segment.data)
        for one in (table.record, *table.record.further)
        for segment in segments(session, table.version_id, one.part, (one.first_block, one.last_block))
    ]


def columns_over(session: Session, version: int, part: int, area: CellRange) -> tuple[TableColumn, ...]:
    """The columns of a sheet's table in which an area begins, below the rows that name them; () where none does."""
    rows = session.rows("SELECT data FROM tables WHERE version_id = ? AND part = ? LIMIT ?", (version, part, _NEAR))
    for one in (decode_table(data) for (data,) in rows):
        below = one.sheet and one.header_rows and one.attached is None and one.first_row <= area.top <= one.last_row
        found = tuple(column for column in one.columns if area.left <= column.col <= area.right) if below else ()
        if found:
            return found
    return ()


def tables_at(session: Session, passages: Sequence[Passage]) -> list[IndexedTable | None]:
    """For each passage the table its text belongs to, None for none."""
    documents = msgspec.json.encode(list({one.doc_id for one in passages})).decode()
    holding = dict(session.rows(_HOLDING, (documents,)))
    return [_table_at(session, one, holding[one.doc_id]) if one.doc_id in holding else None for one in passages]


def _table_at(session: Session, passage: Passage, version: int) -> IndexedTable | None:
    if passage.last_block < 0:  # words of an attached document, whose part is the passage's section
        attached = session.rows(
            _OF_DOCUMENT + "WHERE t.version_id = ? AND t.first_block = ? LIMIT 50",
            (passage.slug, version, passage.last_block),
        )
        inside = [one for one in map(_found, attached) if one.record.sheet and str(one.record.part) == passage.section]
        return inside[0] if len(inside) == 1 else None
    rows = session.rows(
        _OF_DOCUMENT
        + "WHERE t.version_id = ? AND t.part = ? AND t.first_block <= ? AND t.last_block >= ? ORDER BY t.seq LIMIT 2",
        (passage.slug, version, passage.part, passage.last_block, passage.first_block),
    )
    before = session.rows(
        _OF_DOCUMENT + "WHERE t.version_id = ? AND t.part < ? ORDER BY t.part DESC, t.first_block DESC LIMIT 1",
        (passage.slug, version, passage.part),
    )
    found = [_found(row) for row in rows] + [one for one in map(_found, before) if _continues_at(one, passage)]
    return found[0] if len(found) == 1 else None


def _continues_at(table: IndexedTable, passage: Passage) -> bool:
    """Whether a table that began in an earlier part goes on where the passage is."""
    return any(
        one.part == passage.part and one.first_block <= passage.last_block and one.last_block >= passage.first_block
        for one in table.record.further
    )


def _found(row: Any) -> IndexedTable:
    number, seq, slug, doc_id, version, part_kind, part_name, part_title, data, notices, siblings = row
    record = decode_table(data)
    return IndexedTable(
        number, seq, slug, doc_id, version, part_kind or "chapter", part_name, part_title, record, siblings,
        _cut(record, notices) if any(code in notices for code in _CUT) else "",
    )  # fmt: skip


def _cut(table: TableRecord, notices: bytes) -> str:
    """What is told of a document, or of the parts in it that a table lies in, that was not read to its end; "" of a
    table in an attached document."""
    parts = () if table.attached else {None, table.part, *(one.part for one in table.further)}
    cuts = (one for one in _notices(notices) if one.part in parts and one.code.encode() in _CUT)
    return " ".join(dict.fromkeys(one.message for one in cuts))
