"""Reads of documents and their parts as functions of one read transaction each; `Store` runs them on a reader.

Resolves `{doc}`, and parts by number, name or title; what is said when nothing is there is in `near_names`."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from sidecar.api import AmbiguousError, Element, ElementType, Embed, EmbedKind, NotFoundError, is_doc_id, slugify
from sidecar.api.errors import shortened
from sidecar.store.database.session import MAX_PATTERN_CHARS, Session
from sidecar.store.documents.near_names import FEW, NEAR, listed, missing, missing_document, nearest
from sidecar.store.documents.paths import fold
from sidecar.store.documents.records import PartRecord, SectionRecord, Segment
from sidecar.store.documents.text_ranges import text_ranges
from sidecar.store.documents.views import ElementsView, EmbedsView, OutlineView, PartsView, PartView, Version
from sidecar.toolkit.captions import label_key

_ELEMENTS = "SELECT data FROM elements WHERE version_id = ? AND (?2 IS NULL OR type = ?2) ORDER BY seq"
_GIVEN = re.compile(r"(?<= )[a-z](?=\d)")
"""The letter for the kind of part in a label that no text gave: c for chapter, p for page, s for sheet."""
_VERSION = (
    "SELECT v.id, v.doc_id, v.sha256, v.format, v.media_type, v.plugin, v.plugin_version, v.size, "
    "v.part_kind, v.parts, v.tokens, "
)
_WITHIN = f"substr(a.folder, -1) = x'{os.sep.encode().hex()}' AND substr(f.path, 1, length(a.folder)) = a.folder"
AWAY = (
    "(EXISTS (SELECT 1 FROM away_folders) AND (f.folder IN (SELECT folder FROM away_folders) "  # noqa: S608 - constants of ours
    f"OR EXISTS (SELECT 1 FROM away_folders a WHERE {_WITHIN})))"
)
"""Whether the watched folder of file f is not there now, or the disk it lies on (see `catalogue.away_folders`)."""
STATE = f"iif({AWAY}, 'away', f.state)"
"""The state of file f as it is shown."""
WITHOUT_TEXT = f"({STATE} = 'indexed' AND v.tokens = 0)"
"""Whether file f was read as version v and has no text: an empty one, a scan."""
_ARCHIVE_PLUGIN = "coalesce((SELECT a.plugin FROM files a WHERE a.path = f.archive), '')"
_SHOWN = _VERSION + (  # constants of ours
    "f.slug, f.path, f.name, f.mtime_ns, coalesce(nullif(v.title, ''), f.title) AS title, "
    f"{STATE} AS state, coalesce(f.archive, x'') AS archive, {_ARCHIVE_PLUGIN} AS archive_plugin "
    "FROM files f JOIN versions v ON v.id = f.version_id "
)
_FORMER = _VERSION + (
    "h.slug, x'' AS path, h.name, 0 AS mtime_ns, v.title FROM versions v JOIN history h ON h.version_id = v.id "
)
_PARTS = (
    "SELECT n, kind, title, name, hidden, width, height, tokens, chars, rows, cols, metadata FROM parts "
    "WHERE version_id = ? "
)
_SECTIONS = "SELECT id, n, level, title, part, block, end_part, end_block, tokens FROM sections WHERE version_id = ? "
_SEGMENTS = "SELECT first_block, last_block, first_row, last_row, data FROM segments WHERE version_id = ? AND part = ? "
_WITHOUT_GIVEN = re.compile(r"(?<= )(?=\d)")
_metadata = msgspec.msgpack.Decoder(dict[str, str]).decode
_element = msgspec.msgpack.Decoder(Element).decode
_embed = msgspec.msgpack.Decoder(Embed).decode


def resolve(session: Session, doc: str) -> Version:
    """The version that `doc` names, a slug (newest version) or doc_id. Raises NotFoundError with near slugs."""
    rows = session.named(_SHOWN + "WHERE f.slug = ?", (doc,))
    if not rows and is_doc_id(doc):
        rows = session.named(_SHOWN + "WHERE v.doc_id = ? ORDER BY v.id DESC, f.slug LIMIT 1", (doc,))
    if rows:
        return Version(**rows[0], current=True)
    if is_doc_id(doc):
        former = session.named(_FORMER + "WHERE v.doc_id = ? ORDER BY h.id DESC LIMIT 1", (doc,))
        if former:
            return Version(**former[0], current=False)
    slug = slug_at(session, doc) or slugify(doc)
    if slug != doc and session.one("SELECT 1 FROM files WHERE slug = ? AND version_id IS NOT NULL", (slug,)):
        return resolve(session, slug)
    for name, state, reason in session.execute("SELECT name, state, reason FROM files WHERE slug = ?", (doc,)):
        raise NotFoundError(f"{name} could not be read ({state}): {reason or 'no reason was given'}")
    if slug := slug_of_name(session, doc):
        return resolve(session, slug)
    raise missing_document(session, doc)


def slug_of_name(session: Session, name: str) -> str | None:
    """The slug of the document whose file is called so but for its suffix, where only one is: a renamed one keeps the
    slug of its first name, and `document://new-name.txt` asks for `new-name` as text."""
    if len(name) > MAX_PATTERN_CHARS:
        return None
    wanted = re.sub(r"[\\%_]", r"\\\g<0>", fold(name))
    like, deeper, longer = (f"%/{wanted}.%{end}" for end in ("", "/%", ".%"))
    found = session.rows(
        "SELECT slug FROM files WHERE version_id IS NOT NULL AND place LIKE ? ESCAPE '\\' "
        "AND place NOT LIKE ? ESCAPE '\\' AND place NOT LIKE ? ESCAPE '\\' LIMIT 2",
        (like, deeper, longer),
    )
    return found[0][0] if len(found) == 1 else None


def slug_at(session: Session, path: str) -> str | None:
    """The slug of the document whose path is or ends in this (`report.docx`, `2024/report.docx`,
    `backup.zip/2024/report.docx`); None where none does. Raises NotFoundError with their slugs where several do."""
    wanted = fold(path.replace("\\", "/").strip("/"))
    if "." not in wanted and "/" not in wanted:
        return None
    found = session.rows(
        "SELECT slug FROM files WHERE slug IS NOT NULL AND (shown = ?1 OR place = ?2 OR "
        "substr(place, -length(?2) - 1) = '/' || ?2) ORDER BY slug LIMIT ?3",
        (path, wanted, FEW),
    )
    if len(found) > 1:
        slugs = [slug for (slug,) in found]
        raise NotFoundError(
            f"Several documents are called {shortened(path)!r}: {', '.join(slugs)}; name one of these.", near=slugs
        )
    return found[0][0] if found else None


def outline(
    session: Session, doc: str, first: int = 1, limit: int | None = None, *, with_ranges: bool = False
) -> OutlineView:
    """The parts from number `first` on, at most `limit` of them (None: all), and the sections that begin in them; with
    `stretched` also the stretches of those that are long and have no headings, which takes a look at their text."""
    version = resolve(session, doc)
    parts = session.rows(_PARTS + "AND n >= ? ORDER BY n LIMIT ?", (version.id, first, -1 if limit is None else limit))
    found = tuple(_part(row) for row in parts)
    reach = (found[0].n, found[-1].n) if found else (0, -1)
    rows = session.rows(_SECTIONS + "AND part BETWEEN ? AND ? ORDER BY seq", (version.id, *reach))
    sections = tuple(SectionRecord(*row) for row in rows)
    long = tuple(text_ranges(session, version.id, found, sections)) if with_ranges else ()
    return OutlineView(version, found, sections, long)


def outline_size(session: Session, doc: str, first: int = 1, limit: int | None = None) -> tuple[int, int]:
    """How many parts and sections `outline` gives, and how many embedded things the document has."""
    version = resolve(session, doc)
    last = version.parts if limit is None else first + limit - 1
    sections = "SELECT count(*) FROM sections WHERE version_id = ? AND part BETWEEN ? AND ?"
    size = max(min(last, version.parts) - first + 1, 0) + session.one(sections, (version.id, first, last))
    return size, session.one("SELECT count(*) FROM embeds WHERE version_id = ?", (version.id,))


def chapters(session: Session, doc: str) -> list[int]:
    """The numbers of a document's top-level sections."""
    version = resolve(session, doc)
    return [
        n for (n,) in session.rows("SELECT n FROM sections WHERE version_id = ? AND n > 0 ORDER BY seq", (version.id,))
    ]


def part(
    session: Session,
    doc: str,
    selector: int | str,
    *,
    blocks: tuple[int, int] | None = None,
    rows: tuple[int, int] | None = None,
) -> PartView:
    """A part by number (from 1), name or title. `blocks` (1-based) and `rows` (0-based), both inclusive, narrow the
    segments to those that touch them."""
    version = resolve(session, doc)
    row = _find_part(session, version, selector)
    return PartView(version, _part(row, segments(session, version.id, row["n"], blocks, rows)))


def parts(session: Session, doc: str, numbers: Sequence[int] | None = None) -> PartsView:
    """Several parts (all when None) with their segments."""
    version = resolve(session, doc)
    if numbers is None:
        numbers = range(1, version.parts + 1)
    found = [_find_part(session, version, n) for n in numbers]
    return PartsView(version, tuple(_part(row, segments(session, version.id, row["n"])) for row in found))


def segments(
    session: Session,
    version: int,
    part: int,
    blocks: tuple[int, int] | None = None,
    rows: tuple[int, int] | None = None,
) -> tuple[Segment, ...]:
    """The segments of a part, in order. With `rows`, those that hold any of them; segments without table rows only
    come along when no rows were asked for."""
    query, values = _SEGMENTS, [version, part]
    if blocks is not None:
        query += "AND last_block >= ? AND first_block <= ? "
        values += blocks
    if rows is not None:
        query += "AND last_row >= ? AND first_row <= ? AND first_row >= 0 "
        values += rows
    found = session.execute(query + "ORDER BY first_block", values)
    return tuple(Segment(*row) for row in found)


def section(session: Session, doc: str, selector: int | str) -> tuple[Version, SectionRecord]:
    """A section by id, or a top-level one by its number from 1 (int or digits). Raises NotFoundError."""
    version = resolve(session, doc)
    row = None
    if isinstance(selector, str):
        row = session.execute(_SECTIONS + "AND id = ?", (version.id, selector)).fetchone()
    if row is None and (number := _number(selector)) is not None:
        row = session.execute(_SECTIONS + "AND n = ? AND n > 0", (version.id, number)).fetchone()
    if row is None:
        ids = session.rows("SELECT id FROM sections WHERE version_id = ? LIMIT ?", (version.id, NEAR))
        raise missing("section", selector, version, [one for (one,) in ids])
    return version, SectionRecord(*row)


def parts_of_section(session: Session, version: Version, found: SectionRecord) -> PartsView:
    """The parts a section goes through, with the segments that hold its blocks."""
    views: list[PartRecord] = []
    for n in range(found.part, found.end_part + 1):
        first = found.block if n == found.part else 1
        last = found.end_block if n == found.end_part else 2**31
        views.append(_part(_find_part(session, version, n), segments(session, version.id, n, (first, last))))
    return PartsView(version, tuple(views))


def elements(session: Session, doc: str, kind: ElementType | None = None) -> ElementsView:
    """Elements of a document, in order, of one kind or all."""
    version = resolve(session, doc)
    rows = session.rows(_ELEMENTS, (version.id, kind))
    return ElementsView(version, tuple(_element(data) for (data,) in rows))


def element(session: Session, doc: str, label: str, page: int | None = None) -> tuple[Version, Element]:
    """Raises NotFoundError with near labels, AmbiguousError with the choices."""
    version = resolve(session, doc)
    rows = session.rows(
        "SELECT data FROM elements WHERE version_id = ? AND key = ? ORDER BY seq", (version.id, label_key(label))
    )
    found = [_element(data) for (data,) in rows] or _unlabelled(session, version, label, page)
    if not found:
        labels = session.rows("SELECT label FROM elements WHERE version_id = ? LIMIT ?", (version.id, NEAR))
        raise missing("element", label, version, [one for (one,) in labels])
    exact = [one for one in found if page is None or (one.page or one.part) == page]
    if len(exact) == 1:
        return version, exact[0]
    places = [f"{one.label} ({one.type}) on page {one.page or one.part}" for one in found]
    if not exact:
        raise NotFoundError(f"{found[0].label} is not on page {page} of {version.slug}; there is {listed(places)}.")
    if page is not None or len(set(places)) == 1:  # several in one place: the first is what a reader would take
        return version, exact[0]
    raise AmbiguousError(
        f"{version.slug} has {len(found)} elements called {found[0].label}; give page_number: {listed(places)}.",
        choices=places,
    )


def _unlabelled(session: Session, version: Version, label: str, page: int | None) -> list[Element]:
    """The one element without a label in the text that is meant by its kind: "chart" of a page, "Chart 3-1" for the
    label we gave it, "Chart p3-1"."""
    key = label_key(label[:MAX_PATTERN_CHARS])
    like = _WITHOUT_GIVEN.sub("%", key.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_"))
    alike = session.rows(
        "SELECT data FROM elements WHERE version_id = ? AND key LIKE ? ESCAPE '\\' ORDER BY seq", (version.id, like)
    )
    meant = [one for (data,) in alike if (one := _element(data)).generated and _without_given(one) == key]
    if not meant and page is not None:
        every = [_element(data) for (data,) in session.rows(_ELEMENTS, (version.id, key))]
        meant = [one for one in every if (one.page or one.part) == page]
    return meant if len(meant) == 1 else []


def _without_given(element: Element) -> str:
    return _GIVEN.sub("", label_key(element.label))


def labels(session: Session, doc: str) -> list[str]:
    """The labels of a document's elements, each once."""
    found = session.rows("SELECT label FROM elements WHERE version_id = ? ORDER BY seq", (resolve(session, doc).id,))
    return list(dict.fromkeys(label for (label,) in found))


def embeds(
    session: Session, doc: str, kinds: Sequence[EmbedKind] = (), start: int = 0, limit: int | None = None
) -> EmbedsView:
    """What is embedded in a document, of some kinds or all: at most `limit` (None: all) from number `start` on."""
    version = resolve(session, doc)
    where = "FROM embeds WHERE version_id = ? "
    if kinds:
        where += f"AND kind IN ({','.join('?' * len(kinds))}) "
    most = -1 if limit is None else limit
    rows = session.rows(f"SELECT data {where} ORDER BY kind, id LIMIT ? OFFSET ?", (version.id, *kinds, most, start))
    total = len(rows) if limit is None and not start else session.one(f"SELECT count(*) {where}", (version.id, *kinds))
    return EmbedsView(version, tuple(_embed(data) for (data,) in rows), total)


def embed_names(session: Session, doc: str, kind: EmbedKind) -> list[tuple[int, str]]:
    """Id and name of everything of a kind that is embedded in a document."""
    version = resolve(session, doc)
    return session.rows("SELECT id, name FROM embeds WHERE version_id = ? AND kind = ? ORDER BY id", (version.id, kind))


def embed(session: Session, doc: str, kind: EmbedKind, selector: int | str) -> tuple[Version, Embed]:
    """By 0-based id, then by name. Raises NotFoundError."""
    version = resolve(session, doc)
    number, data = _number(selector), None
    held = "SELECT data FROM embeds WHERE version_id = ? AND kind = ? "
    if number is not None:
        data = session.one(held + "AND id = ?", (version.id, kind, number))
    if data is None:
        data = session.one(held + "AND name = ? ORDER BY id LIMIT 1", (version.id, kind, str(selector)))
    if data is None:
        names = embed_names(session, version.doc_id, kind)
        if not names:
            raise NotFoundError(f"{version.slug} holds no {kind}.")
        near = nearest(str(selector), [name for _, name in names[:NEAR]])
        hint = (
            f"; did you mean {', '.join(near)}?"
            if near
            else f"; ids run from 0 to {max(number for number, _ in names)}."
        )
        raise NotFoundError(f"{version.slug} has no {kind} {shortened(str(selector))!r}{hint}", near=near)
    return version, _embed(data)


def attached_named(session: Session, query: str, limit: int = 5) -> list[tuple[str, str, Embed]]:
    """Slug, path and embed of the files in documents whose name holds the query, the shortest names first."""
    wanted = query.strip()[:500].replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    if not wanted:
        return []
    rows = session.rows(
        "SELECT slug, shown, data FROM embeds JOIN files USING (version_id) "
        "WHERE kind = 'attachment' AND slug IS NOT NULL AND embeds.name LIKE ? ESCAPE '\\' "
        "ORDER BY length(embeds.name), slug LIMIT ?",
        (f"%{wanted}%", limit),
    )
    return [(slug, shown, _embed(data)) for slug, shown, data in rows]


def _find_part(session: Session, version: Version, selector: int | str) -> Any:
    """A part's row, by name."""
    number = _number(selector)
    if number is not None:
        rows = session.named(_PARTS + "AND n = ?", (version.id, number))
        if rows:
            return rows[0]
    if isinstance(selector, str):
        wanted = fold(selector)
        # Of very many, those written just so come first.
        named = session.rows(
            "SELECT n, name, title FROM parts WHERE version_id = ? "
            "ORDER BY n > ? AND ? IN (name, title) DESC, n LIMIT ?",
            (version.id, NEAR, selector, NEAR),
        )
        for n, text in [(n, name) for n, name, _ in named] + [(n, title) for n, _, title in named]:
            if text and fold(text) == wanted:
                return _find_part(session, version, n)
        if number is None:
            raise missing(
                version.part_kind or "part", selector, version, [name or title or str(n) for n, name, title in named]
            )
    kind = version.part_kind or "part"
    if not version.parts:
        raise NotFoundError(f"{version.slug} has no {kind}s: it is empty.")
    raise NotFoundError(f"{version.slug} has no {kind} {selector}; it has {kind}s 1-{version.parts}.")


def _number(selector: int | str) -> int | None:
    if isinstance(selector, int):
        return min(max(selector, -1), 2**62)
    return int(selector) if selector.isascii() and selector.isdigit() and len(selector) < 18 else None


def _part(row: Any, found: tuple[Segment, ...] = ()) -> PartRecord:
    n, kind, title, name, hidden, width, height, tokens, chars, rows, cols, metadata = row
    return PartRecord(
        n, kind, title, name, bool(hidden), width, height, tokens, chars, rows, cols, _metadata(metadata), found
    )
