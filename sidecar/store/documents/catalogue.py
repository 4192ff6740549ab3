"""Reads over all documents: lists, pages, counts, what the scan knows, the change feed, passages for grep."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from sidecar.api import DocumentInfo, DocumentState, NotFoundError, Notice, UnreadFile, is_doc_id, slugify
from sidecar.store.database.session import Session
from sidecar.store.documents.near_names import missing_document
from sidecar.store.documents.paths import fold, shown
from sidecar.store.documents.reading import AWAY, STATE, WITHOUT_TEXT, resolve, slug_at, slug_of_name
from sidecar.store.documents.records import Change, FileStat, KnownFile, SettledRow
from sidecar.store.documents.views import Passage, Totals

_AWAY_REASON = "Its folder is not there now; this is what it held when it was last seen."
RECORD = (
    "SELECT coalesce(f.slug, '') AS slug, coalesce(v.doc_id, '') AS doc_id, f.title, f.shown AS path, f.name, "  # noqa: S608
    "f.folder, f.size, "
    "coalesce(v.format, '') AS format, coalesce(v.media_type, '') AS media_type, coalesce(v.parts, 0) AS parts, "
    "coalesce(v.part_kind, '') AS part_kind, coalesce(v.tokens, 0) AS tokens, f.mtime_ns, f.added, "
    f"{STATE} AS state, iif({AWAY}, '{_AWAY_REASON}', f.reason) AS reason, "
    "coalesce(v.description, '') AS description, v.metadata, v.notices, v.counts "
    "FROM files f LEFT JOIN versions v ON v.id = f.version_id WHERE "
)
INFO = RECORD + "f.slug IS NOT NULL "
"""Columns that `info` reads, of documents; `RECORD` of other files too, whose slug is ""."""
_FORMER = (
    "SELECT h.slug, v.doc_id, coalesce(nullif(v.title, ''), h.name) AS title, '' AS path, h.name, x'' AS folder, "
    "v.format, v.media_type, v.size, v.parts, v.part_kind, v.tokens, 0 AS mtime_ns, h.ended AS added, "
    "'indexed' AS state, 'This is a former version; the slug leads to the present one, if there is one.' AS reason, "
    "v.description, v.metadata, v.notices, v.counts "
    "FROM versions v JOIN history h ON h.version_id = v.id WHERE v.doc_id = ? ORDER BY h.id DESC LIMIT 1"
)
PASSAGE = (
    "SELECT p.id, f.slug, v.doc_id, f.title, f.shown AS path, p.part, v.part_kind, "  # noqa: S608
    "(SELECT name FROM parts WHERE version_id = p.version_id AND n = p.part) AS part_name, "
    f"p.first_block, p.last_block, p.section, p.heading, p.text, p.page, {STATE} AS state, "
    "coalesce((SELECT dated FROM attributions WHERE version_id = p.version_id AND part IN (0, p.part)), f.mtime_ns) "
    "AS dated, p.first_block = 0 AND p.last_block = 0 AND EXISTS "
    "(SELECT 1 FROM passages o WHERE o.version_id = p.version_id AND o.first_block > 0) AS properties, "
    "f.archive IS NOT NULL AS packed, p.first_row, p.last_row"
)
"""Columns of a `Passage`, in its order, from passages p, versions v and files f."""
_KNOWN = (
    "SELECT path, size, mtime_ns, inode, device, sha256, state, plugin, plugin_version, strikes FROM files "
    "WHERE archive IS NULL AND "
)
_FILES = "SELECT (SELECT count(*) FROM files) - (SELECT count(*) FROM files WHERE archive IS NOT NULL)"
"""Counted in indexes: files that lie in a folder themselves."""
_COMPARED = "SELECT path, size, mtime_ns, inode FROM files WHERE archive IS NULL AND "
_PASSAGES = PASSAGE + (
    " FROM files f JOIN versions v ON v.id = f.version_id JOIN passages p ON p.version_id = v.id "
    "WHERE f.slug >= ?1 AND (f.slug, p.id) > (?1, ?2) AND (?3 IS NULL OR f.slug = ?3) "
    "AND (?4 IS NULL OR instr(f.place, ?4) > 0) ORDER BY f.slug, p.id LIMIT ?5"
)

_metadata = msgspec.msgpack.Decoder(dict[str, str]).decode
_notices = msgspec.msgpack.Decoder(tuple[Notice, ...]).decode
_counts = msgspec.msgpack.Decoder(tuple[dict[str, int], dict[str, int]]).decode


def document(session: Session, doc: str) -> DocumentInfo:
    """Also documents that never could be read. Raises NotFoundError."""
    rows = session.named(INFO + "AND f.slug = ?", (doc,))
    if not rows and is_doc_id(doc):
        rows = session.named(INFO + "AND v.doc_id = ? ORDER BY f.slug LIMIT 1", (doc,))
    if not rows:
        rows = session.named(INFO + "AND f.slug = ?", (slug_at(session, doc) or slugify(doc),))
    if not rows and is_doc_id(doc):
        rows = session.named(_FORMER, (doc,))
    if not rows and (slug := slug_of_name(session, doc)):
        rows = session.named(INFO + "AND f.slug = ?", (slug,))
    if not rows:
        raise missing_document(session, doc)
    return info(rows[0])


def document_at(session: Session, path: bytes) -> DocumentInfo | None:
    """The document that is the file at this path."""
    return next((info(row) for row in session.named(INFO + "AND f.path = ?", (path,))), None)


def list_documents(session: Session, after: str | None = None, limit: int = 100) -> list[DocumentInfo]:
    """Readable documents in slug order, after that slug: the keyset page of `resources/list`."""
    rows = session.named(INFO + "AND v.id IS NOT NULL AND f.slug > ? ORDER BY f.slug LIMIT ?", (after or "", limit))
    return [info(row) for row in rows]


def slugs(session: Session, prefix: str = "", limit: int = 100) -> list[str]:
    """Slugs that begin with (then: contain) the text, for completion."""
    wanted = fold(prefix)
    rows = session.rows(
        "SELECT slug FROM files WHERE version_id IS NOT NULL AND instr(slug, ?1) > 0 "
        "ORDER BY instr(slug, ?1) > 1, slug LIMIT ?2",
        (wanted, limit),
    )
    return [slug for (slug,) in rows]


def in_state(session: Session, state: DocumentState, limit: int = 20) -> list[str]:
    """The paths of files in that state, as they are shown, in alphabetical order."""
    rows = session.rows(f"SELECT shown FROM files f WHERE {STATE} = ? ORDER BY shown LIMIT ?", (state, limit))  # noqa: S608
    return [path for (path,) in rows]


def totals(session: Session) -> Totals:
    """Counts over the whole index."""
    states = dict(session.rows(f"SELECT {STATE} AS present, count(*) FROM files f GROUP BY present"))  # noqa: S608
    indexed = session.one(f"SELECT count(*) FROM files f WHERE version_id IS NOT NULL AND NOT {AWAY}")  # noqa: S608
    others = session.one("SELECT count(*) FROM files WHERE slug IS NULL")
    documents = sum(states.values()) - others
    without_text = session.one(
        f"SELECT count(*) FROM files f JOIN versions v ON v.id = f.version_id WHERE {WITHOUT_TEXT}"  # noqa: S608  # ours
    )
    return Totals(documents, indexed, session.one("SELECT count(*) FROM passages"), states, others, without_text)


def unread(session: Session, start: int = 0, limit: int = 50) -> tuple[list[UnreadFile], int]:
    """Every file whose state is not "indexed", by path, after the first `start`, and how many there are."""
    chosen = f"FROM files f WHERE {STATE} <> 'indexed'"
    reason = f"iif({AWAY}, '{_AWAY_REASON}', f.reason)"
    rows = session.rows(
        f"SELECT shown, {STATE}, {reason}, coalesce(slug, '') {chosen} ORDER BY shown LIMIT ? OFFSET ?", (limit, start)
    )
    return [UnreadFile(*row) for row in rows], session.one(f"SELECT count(*) {chosen}")


def away_folders(session: Session) -> frozenset[bytes]:
    """The watched folders that are not there now, and the directories in which nothing is mounted, those with a
    separator behind."""
    return frozenset(folder for (folder,) in session.rows("SELECT folder FROM away_folders"))


def set_away(session: Session, folders: Collection[bytes]) -> None:
    """These folders and directories (see `away_folders`), and no others, are not there now."""
    session.execute("DELETE FROM away_folders")
    session.executemany("INSERT INTO away_folders VALUES (?)", [(folder,) for folder in folders])


def known_files(session: Session, folder: bytes | None = None) -> dict[bytes, KnownFile]:
    """Every file on the disk by path, or those of one watched folder."""
    rows = session.execute(_KNOWN + "(?1 IS NULL OR folder = ?1)", (folder,))
    return {file.path: file for file in map(_known, rows)}


def known_paths(session: Session, paths: Sequence[bytes]) -> dict[bytes, KnownFile]:
    """Those of the paths that the index knows: what an event needs, without fetching every file's row."""
    rows = (session.execute(_KNOWN + "path = ?", (path,)).fetchone() for path in paths)
    return {file.path: file for file in (_known(row) for row in rows if row is not None)}


def compared_files(session: Session, plugins: Mapping[str, str]) -> dict[bytes, SettledRow | KnownFile]:
    """Every file; those indexed by one of the `plugins` (name → version) in as few columns as a walk compares: decoding
    the rest of most rows for nothing was half the time of a re-scan."""
    settled = (
        f"state = 'indexed' AND (plugin, plugin_version) IN (VALUES {','.join(['(?,?)'] * len(plugins))})"
        if plugins
        else "FALSE"
    )
    versions = [value for pair in plugins.items() for value in pair]
    rows = session.rows(_COMPARED + settled, versions)
    found: dict[bytes, SettledRow | KnownFile] = {row[0]: row for row in rows}  # by position: there are many
    if len(found) < session.one(_FILES):
        others = map(_known, session.execute(f"{_KNOWN} NOT ({settled})", versions))
        found.update((file.path, file) for file in others)
    return found


def outdated_archives(session: Session, plugins: Mapping[str, str]) -> list[bytes]:
    """The archives of which another version than one of the `plugins` (name → version) read a member."""
    rows = session.rows("SELECT DISTINCT plugin, plugin_version, archive FROM files WHERE archive IS NOT NULL")
    return sorted({archive for plugin, version, archive in rows if plugin and plugins.get(plugin) != version})


def _known(row: Any) -> KnownFile:
    path, size, mtime_ns, inode, device, *rest = row
    return KnownFile(path, FileStat(size, mtime_ns, inode, device), *rest)


def known_members(session: Session, archive: bytes) -> list[tuple[str, str, str, bytes]]:
    """(sha256, plugin, plugin_version, path) of what is indexed of an archive."""
    return session.rows(
        "SELECT sha256, plugin, plugin_version, path FROM files "
        "WHERE archive = ? AND state = 'indexed' AND version_id IS NOT NULL",
        (archive,),
    )


def known_digest(session: Session, sha256: str, plugin: str, plugin_version: str, suffix: str) -> bool:
    """Whether this content, read by this plugin from a file of this suffix (".docx"), is in the index already."""
    return bool(
        session.one(
            "SELECT 1 FROM versions v WHERE v.doc_id = ? AND v.sha256 = ? AND v.plugin = ? AND v.plugin_version = ? "
            "AND v.suffix = ? AND EXISTS (SELECT 1 FROM files WHERE version_id = v.id)",
            (sha256[:12], sha256, plugin, plugin_version, suffix.lower()),
        )
    )


def last_seq(session: Session) -> int:
    """The number of the latest change, 0 before the first."""
    # sqlite_sequence remembers the last number even when the feed has been cut to nothing.
    return session.one("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") or 0


def changes(session: Session, since: int, limit: int = 1000) -> list[Change]:
    """Changes after number `since`, in order."""
    rows = session.rows(
        "SELECT seq, kind, slug, doc_id FROM changes WHERE seq > ? ORDER BY seq LIMIT ?", (since, limit)
    )
    return [Change(*row) for row in rows]


def passages(
    session: Session,
    *,
    doc: str | None = None,
    path: str | None = None,
    after: tuple[str, int] | None = None,
    limit: int = 500,
) -> list[Passage]:
    """Passages of current versions in order of (slug, passage id) after that key: a keyset page for grep. Copies of a
    document come under each of their slugs.

    `path` narrows to documents whose path, from its watched folder's name on, contains the text. Raises NotFoundError
    when `doc` is unknown or a former version, whose passages are kept no more."""
    version = None if doc is None else resolve(session, doc)
    if version is not None and not version.current:
        raise NotFoundError(
            f"{doc} is a former version of {version.slug}, and only present ones are searched; "
            f"read document://{doc}.md, or search {version.slug}.",
            near=[version.slug],
        )
    only = None if version is None else version.slug
    slug, passage = after or ("", 0)
    rows = session.rows(_PASSAGES, (slug, passage, only, None if path is None else fold(path), limit))
    return [Passage(*row) for row in rows]


def info(row: Any) -> DocumentInfo:
    """The record of an `INFO` row; a document that never could be read has no version's metadata, notices, counts."""
    read = row["counts"] is not None
    elements, embedded = _counts(row["counts"]) if read else ({}, {})
    return DocumentInfo(
        slug=row["slug"], doc_id=row["doc_id"], title=row["title"], path=row["path"], name=row["name"],
        folder=shown(row["folder"]), format=row["format"], media_type=row["media_type"], size=row["size"],
        parts=row["parts"], part_kind=row["part_kind"], tokens=row["tokens"], modified=iso_time(row["mtime_ns"]),
        added=iso_time(round(row["added"] * 1e9)), state=row["state"], reason=row["reason"],
        description=row["description"],
        metadata=_metadata(row["metadata"]) if read else {}, notices=_notices(row["notices"]) if read else (),
        elements=elements, embedded=embedded,
    )  # fmt: skip


def iso_time(ns: int) -> str:
    """ISO 8601 in UTC, to the second; "" for a time no calendar has."""
    try:
        return datetime.fromtimestamp(ns / 1e9, UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):  # a file system may claim any time
        return ""
