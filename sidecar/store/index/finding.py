"""What search shows of the rows it ranked: passages and elements with their addresses, and documents by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from sidecar.api import DocumentInfo, DocumentPage, Element, Notice, SortKey
from sidecar.store.database.session import Session
from sidecar.store.documents.catalogue import INFO, PASSAGE, RECORD, info
from sidecar.store.documents.old_versions import removed
from sidecar.store.documents.paths import fold
from sidecar.store.documents.tables import tables_at
from sidecar.store.documents.views import Entry, FoundElement, IndexedTable, Passage, PassageOrigin
from sidecar.store.index.filters import DATED, Filter, condition, of_documents, of_parts
from sidecar.toolkit.answers.notices import lacking_text

_element = msgspec.msgpack.Decoder(Element).decode
_facts = msgspec.msgpack.Decoder(dict[str, str]).decode
_slugs = msgspec.json.Decoder(tuple[str, ...]).decode
_notices = msgspec.msgpack.Decoder(tuple[Notice, ...]).decode
_BY_ID = PASSAGE + (  # noqa: S608  # constants of ours
    " FROM json_each(?1) j JOIN passages p ON p.id = j.value JOIN versions v ON v.id = p.version_id "
    "JOIN files f ON f.id = "
    "(SELECT id FROM files WHERE version_id = v.id ORDER BY instr(place, ?2) = 0, archive, slug LIMIT 1)"
)


def passages_by_id(session: Session, ids: Sequence[int], place: str = "") -> list[Passage]:
    """The passages that still are there, in the order of `ids`. A file with copies is shown under its first slug, or
    under the first copy whose place contains `place`."""
    read = (Passage(*row) for row in session.execute(_BY_ID, (_list(ids), fold(place))))
    found = {one.id: one for one in read}
    return [found[one] for one in ids if one in found]


def elements_by_id(session: Session, ranked: Sequence[tuple[int, float]]) -> list[FoundElement]:
    """The elements of ranked rows, in their order."""
    scores = dict(ranked)
    rows = session.rows(
        "SELECT t.id, f.slug, v.doc_id, v.part_kind, f.shown, e.data FROM json_each(?) j "
        "JOIN element_texts t ON t.id = j.value JOIN versions v ON v.id = t.version_id "
        "JOIN elements e ON e.version_id = v.id AND e.seq = t.seq "
        "JOIN files f ON f.id = (SELECT id FROM files WHERE version_id = v.id ORDER BY archive, slug LIMIT 1)",
        (_list(list(scores)),),
    )
    found = {
        one: FoundElement(one, slug, doc_id, part_kind, path, _element(data), scores[one])
        for one, slug, doc_id, part_kind, path, data in rows
    }
    return [found[one] for one in scores if one in found]


class Details(NamedTuple):
    """What is known of the place of a passage: the elements in its blocks (one with block 0 is anywhere in its part),
    the 0-based first and last row of the table window it lies in with the sheet's columns, (-1, -1, 0) where it is not
    a sheet's, rows of -1 where the window is not narrower than the sheet, the table its text belongs to, and where it
    comes from, None where its document is not kept any more."""

    elements: list[Element]
    window: tuple[int, int, int]
    table: IndexedTable | None
    origin: PassageOrigin | None


def details(session: Session, passages: Sequence[Passage]) -> list[Details]:
    """Of each passage."""
    windows = [_row_window(session, one) for one in passages]
    known = zip(_elements_in(session, passages), windows, tables_at(session, passages), strict=True)
    return [Details(*one, origin) for one, origin in zip(known, origins(session, passages), strict=True)]


_PLACES = (
    "WITH place AS MATERIALIZED (SELECT key AS at, json_extract(value, '$[1]') AS part, "
    "(SELECT max(id) FROM versions WHERE doc_id = json_extract(value, '$[0]')) AS version, "
    "json_extract(value, '$[2]') AS first, json_extract(value, '$[3]') AS last, json_extract(value, '$[4]') AS section "
    "FROM json_each(?)) "
)
"""Where passages stand, by their place in the list, as `_places` gives it: found out once for all of them."""
_ORIGINS = _PLACES + (  # noqa: S608  # constants of ours
    "SELECT at, v.part_kind, v.metadata, v.notices, v.parts, v.tokens, "
    "(SELECT metadata FROM parts WHERE version_id = v.id AND n = part) AS part_metadata, "
    "coalesce((SELECT tokens FROM sections WHERE version_id = v.id AND id = section), "
    "(SELECT tokens FROM parts WHERE version_id = v.id AND n = part), 0) AS place_tokens, EXISTS (SELECT 1 FROM "
    "attributions a WHERE a.version_id = v.id AND a.part IN (0, place.part) AND dated IS NOT NULL) AS own_date, "
    "(SELECT json_group_array(slug) FROM (SELECT slug FROM files WHERE version_id = v.id AND slug IS NOT NULL "
    "ORDER BY archive, slug LIMIT 50)) AS slugs FROM place JOIN versions v ON v.id = version"
)
_ELEMENTS = _PLACES + (  # noqa: S608  # constants of ours
    "SELECT at, data FROM place JOIN elements e ON e.version_id = version AND e.seq IN (SELECT seq FROM elements o "
    "WHERE o.version_id = version AND o.part = place.part AND (block = 0 OR block BETWEEN first AND last) "
    "ORDER BY seq LIMIT 50) ORDER BY at, e.seq"
)


def origins(session: Session, passages: Sequence[Passage]) -> list[PassageOrigin | None]:
    """Where each passage comes from; None where its document is not kept any more."""
    found = {row["at"]: _origin(row) for row in session.named(_ORIGINS, (_places(passages),))}
    return [found.get(at) for at in range(len(passages))]


def _places(passages: Sequence[Passage]) -> str:
    places = [(one.doc_id, one.part, one.first_block, one.last_block, one.section) for one in passages]
    return msgspec.json.encode(places).decode()


def _origin(row: Any) -> PassageOrigin:
    lacking = lacking_text(_notices(row["notices"]), row["parts"], row["tokens"])
    sender = _sender(row["part_kind"], row["metadata"], row["part_metadata"])
    return PassageOrigin(sender, bool(row["own_date"]), lacking, row["place_tokens"], _slugs(row["slugs"]))


def _sender(part_kind: str, metadata: bytes, part_metadata: bytes | None) -> str:
    """Who sent a message, as it stands there; "" for what is none."""
    if part_kind != "message":
        return ""
    of_part = _facts(part_metadata) if part_metadata else {}
    return of_part.get("author") or _facts(metadata).get("author", "")


def _elements_in(session: Session, passages: Sequence[Passage]) -> list[list[Element]]:
    found: list[list[Element]] = [[] for _ in passages]
    for at, data in session.execute(_ELEMENTS, (_places(passages),)):
        found[at].append(_element(data))
    return found


def _row_window(session: Session, passage: Passage) -> tuple[int, int, int]:
    if passage.part_kind != "sheet":
        return -1, -1, 0
    row = session.execute(
        "SELECT min(s.first_row), max(s.last_row), p.cols, p.rows FROM segments s "
        "JOIN parts p ON p.version_id = s.version_id AND p.n = s.part "
        "WHERE s.version_id = (SELECT max(id) FROM versions WHERE doc_id = ?) AND s.part = ? "
        "AND s.last_block >= ? AND s.first_block <= ? AND s.first_row >= 0",
        (passage.doc_id, passage.part, passage.first_block, passage.last_block),
    ).fetchone()
    first, last, cols, rows = row
    return (-1, -1, cols or 0) if first is None or last - first + 1 >= rows else (first, last, cols)


def documents_named(
    session: Session, expression: str, where: Filter, limit: int, *, readable: bool = False, placed: Sequence[str] = ()
) -> list[DocumentInfo]:
    """Documents (only `readable` ones, or all) whose title or file name matches, best first; of words that are `placed`
    those that have any in the names of their folders, the most first."""
    columns, matches, order = "names_fts.rowid FROM names_fts", "names_fts MATCH ?", "bm25(names_fts), names_fts.rowid"
    if placed:
        held = " + ".join("(instr(f.place, ?) > 0)" for _ in placed)
        columns = f"names_fts.rowid, {held} AS held FROM names_fts JOIN files f ON f.id = names_fts.rowid"
        matches, order = f"{matches} AND held", f"held DESC, {order}"
    ranked = session.rows(
        f"SELECT {columns} WHERE {matches} ORDER BY {order} LIMIT 1000",  # ours; values bound
        (*map(fold, placed), expression),
    )
    documents, values = condition(where)
    shown: list[DocumentInfo] = []
    for file, *_ in ranked:
        found = session.named(f"{INFO} AND f.id = ? AND {documents}", (file, *values))
        shown += [info(row) for row in found if row["doc_id"] or not readable]
        if len(shown) == limit:
            break
    return shown


_LATEST = "coalesce((SELECT max(dated) FROM attributions WHERE version_id = v.id), f.mtime_ns)"
"""A document's own date, a mailbox's of its last message; the file's time where it tells none."""


def entries_where(session: Session, where: Filter, limit: int, start: int = 0) -> tuple[list[Entry], int]:
    """What a filter lets through, the latest first: documents, or parts where it asks for what parts have of their own;
    `limit` of them after the first `start`, and how many there are. Unreadable ones only where their state is asked."""
    documents, values = of_documents(where)
    joined, columns, order = "", f"f.id, 0, {_LATEST}", "f.slug"
    if where.by_part:
        parts, more = of_parts(where)
        documents, values = f"{documents} AND {parts}", [*values, *more]
        joined, columns, order = "JOIN attributions a ON a.version_id = v.id", f"f.id, a.part, {DATED}", "f.slug, 2"
    if not where.states:
        documents += " AND v.id IS NOT NULL"
    chosen = (
        f"SELECT {columns} FROM files f LEFT JOIN versions v ON v.id = f.version_id {joined} "  # noqa: S608
        f"WHERE f.slug IS NOT NULL AND {documents}"
    )
    total = session.one(f"SELECT count(*) FROM ({chosen})", values)  # noqa: S608  # ours; values bound
    rows = session.rows(f"{chosen} ORDER BY 3 DESC, {order} LIMIT ? OFFSET ?", (*values, limit, start))
    return [_entry(session, file, part, dated) for file, part, dated in rows], total


def _entry(session: Session, file: int, part: int, dated: int) -> Entry:
    (row,) = session.named(f"{INFO} AND f.id = ?", (file,))
    found = session.rows(
        "SELECT title, metadata, "
        "(SELECT text FROM passages p WHERE p.version_id = parts.version_id AND p.part = parts.n "
        "AND p.last_block >= 0 ORDER BY p.first_block = 0, p.id LIMIT 1) FROM parts "
        "WHERE version_id = (SELECT version_id FROM files WHERE id = ?) AND n = ?",
        (file, part),
    )
    title, metadata, text = found[0] if found else ("", None, "")
    document = info(row)
    own = _facts(metadata) if metadata else {}
    sender = own.get("author") or document.metadata.get("author", "") if document.part_kind == "message" else ""
    return Entry(document, part, title, text or "", dated, sender)


_ORDER: dict[SortKey, str] = {
    "title": "f.title COLLATE NOCASE, f.slug",
    "name": "f.name COLLATE NOCASE, f.slug",
    "date_added": "f.added DESC, f.slug",
    "modified": "f.mtime_ns DESC, f.slug",
    "page_count": "coalesce(v.parts, 0) DESC, f.slug",
}


def documents_listed(session: Session, page: int, page_size: int, sort_by: SortKey, where: Filter) -> DocumentPage:
    """A page, from 1, of the documents a filter lets through, unreadable ones with them, and where it asks for a state
    also files that are none; of those changed since a time, also which went."""
    among, values = ("1", ()) if where.empty else condition(where)
    chosen = f"{RECORD if where.states else INFO + 'AND '}{among}"
    counted = "files WHERE slug IS NOT NULL" if where.empty else f"({chosen})"
    total = session.one(f"SELECT count(*) FROM {counted}", values)  # noqa: S608
    offset = min((page - 1) * page_size, total)  # a page of any number may be asked for, also one beyond 64 bits
    rows = session.named(f"{chosen} ORDER BY {_ORDER[sort_by]} LIMIT ? OFFSET ?", (*values, page_size, offset))
    listed = DocumentPage(tuple(map(info, rows)), total, page, max(1, -(-total // page_size)))
    if where.changed_since is None or where.states:
        return listed
    places = [one.text for one in where.text_matches if one.field == "folder"]
    return replace(listed, removed=tuple(removed(session, where.changed_since, places, where.formats)))


def _list(ids: Sequence[int]) -> str:
    return msgspec.json.encode(ids).decode()
