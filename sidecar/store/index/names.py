"""Documents and folders by their names, exact ones before near ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import nsmallest

import msgspec

from sidecar.api import DocumentInfo, FolderInfo, shortened, slugify
from sidecar.store.database.session import Session
from sidecar.store.documents.catalogue import INFO, info
from sidecar.store.documents.near_names import nearness
from sidecar.store.documents.paths import fold
from sidecar.store.index.filters import Filter
from sidecar.store.index.finding import documents_listed, documents_named
from sidecar.store.index.spelling import correction
from sidecar.store.index.vocabulary import Vocabularies
from sidecar.toolkit.text import did_you_mean

_MAX_CLOSE = 100
"""How many names that share the most letter triples are compared letter by letter."""
_TRIPLES = 8
"""Of this many triples of what is looked for, spread over it, a near name has several: more would only take longer."""
_SHORT = 6
"""In so short a name one wrong letter may leave no triple, so letters are compared in pairs ("lons", "loans")."""
_MISSPELT = 1.2
"""So near (see `nearness`) is a name of which a letter or two are wrong, and none that only begins alike."""
_FOLDER_NEAR = 0.7
"""So near (difflib's ratio) is a folder that was meant."""
_IS = (
    "(slug = ?1 OR place = ?2 OR substr(place, -length(?2) - 1) = '/' || ?2 OR "
    "(instr(?2, '/') = 0 AND (title = ?3 COLLATE NOCASE OR name LIKE ?4 ESCAPE '\\')))"
)
"""The slug, the end of the path from a folder's or the file's name on, the title, or the name without its suffix."""
_ORDER = " ORDER BY slug = ?1 DESC, substr(place, -length(?2)) = ?2 DESC, length(place), slug LIMIT ?5"


def documents_near(
    session: Session, query: str, terms: Sequence[str], vocabularies: Vocabularies, limit: int
) -> list[DocumentInfo]:
    """Documents that are called just that, then those whose title or file name holds all `terms` (FTS5 expressions);
    where there is none, those that hold what they were meant to be, in another spelling or misspelt, and those called
    so but for a letter or two; then those that hold some of the terms; only where there is none of these, names that
    come near. Best first."""
    wanted = fold(query.strip().strip("/").replace("\\", "/"))[:500]
    found = {document.slug: document for document in _by_slug(session, _exact(session, query, wanted, terms, limit))}
    _add(found, session, " AND ".join(terms), limit)
    owners: dict[str, tuple[str, ...]] = {}
    wanted = slugify(query)[:200]
    unknown = [] if found else [term for term in terms if not _named(session, term)]
    if unknown:  # a word may be misspelt, others in many names
        vocabulary = vocabularies.of(session, "names_fts")
        meant = {term: correction(session, vocabulary, term.strip('"* '), frozenset()) for term in unknown}
        if all(meant.values()):
            _add(found, session, " AND ".join(f'"{meant[one]}"' if one in meant else one for one in terms), limit)
    if unknown and not found:
        owners = _owners(session)
        sizes = range(-(-len(wanted) // 2), 2 * len(wanted) + 1)  # one half as long or twice comes to 1.17 at most
        alike = {text: slugs for text, slugs in owners.items() if min(len(text), 200) in sizes}
        misspelt = _close(wanted, alike, _MISSPELT)
        found = {document.slug: document for document in _by_slug(session, misspelt[:limit])}
    _add(found, session, " OR ".join(terms), limit)
    if not found:
        found = {document.slug: document for document in _by_slug(session, _close(wanted, owners)[:limit])}
    return list(found.values())[:limit]


def _named(session: Session, term: str) -> bool:
    """Whether any title or file name matches."""
    return session.one("SELECT 1 FROM names_fts WHERE names_fts MATCH ? LIMIT 1", (term,)) is not None


def _add(found: dict[str, DocumentInfo], session: Session, expression: str, limit: int) -> None:
    """Add the documents whose title or file name matches, until there are enough."""
    if expression and len(found) < limit:
        for document in documents_named(session, expression, Filter(), limit):
            found.setdefault(document.slug, document)


def _exact(session: Session, query: str, wanted: str, terms: Sequence[str], limit: int) -> list[str]:
    """The slugs of documents called just that. Names are looked up by their words; only the end of a path needs all."""
    like = wanted.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    values: list[str | int] = [slugify(query), wanted, query.strip(), f"{like}._%", limit]
    among = "+slug IS NOT NULL"  # as the table lies, see `_close`
    if terms and "/" not in wanted:
        among = "(slug = ?1 OR id IN (SELECT rowid FROM names_fts WHERE names_fts MATCH ?6)) AND slug IS NOT NULL"
        values.append(" AND ".join(terms))
    rows = session.rows(f"SELECT slug FROM files WHERE {among} AND {_IS}{_ORDER}", values)  # noqa: S608  # ours
    return [slug for (slug,) in rows]


def folders_named(session: Session, query: str, limit: int = 5) -> list[FolderInfo]:
    """The folders whose path ends with that name or those names ("2024/invoices"), with how many documents lie in each
    and below, most first."""
    wanted = fold(query.strip().strip("/\\").replace("\\", "/"))[:500]
    if not wanted:
        return []
    rows = session.execute(
        "SELECT place, shown FROM files WHERE +slug IS NOT NULL AND instr(place, ?1 || '/') > 0 "
        "AND instr('/' || place, '/' || ?1 || '/') > 0",
        (wanted,),
    )
    counted: Counter[str] = Counter()
    for place, path in rows:
        at = f"/{place}".index(f"/{wanted}/")
        below = place[at + len(wanted) :].count("/")
        counted[path.replace("\\", "/").rsplit("/", below)[0]] += 1
    return [
        FolderInfo(path, count) for path, count in sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:limit]
    ]


def missing_folder(session: Session, where: Filter) -> str:
    """A sentence with the near name where no document lies in a folder of the name that a filter asks for, else ""."""
    asked = [one for one in where.text_matches if one.field == "folder" and not one.negated]
    name = next(
        (one.text for one in asked if not documents_listed(session, 1, 1, "title", Filter(text_matches=(one,))).total),
        "",
    )
    if not name:
        return ""
    places = session.rows("SELECT place FROM files WHERE +slug IS NOT NULL")
    known = {folder for (place,) in places for folder in place.split("/")[:-1]}
    wanted = fold(name.replace("\\", "/").strip("/")).rpartition("/")[2]
    hint = did_you_mean(wanted, sorted(known), alike=_FOLDER_NEAR)
    return f"No document lies in a folder called {shortened(name)!r}{f'; {hint}' if hint else '.'}"


def _owners(session: Session) -> dict[str, tuple[str, ...]]:
    """The documents' slugs by slug (which is the file's name folded) and by title where that says something else.
    Gathered by SQLite they take a quarter of the time that rows take; with the plus it reads the table as it lies: by
    the index of slugs it takes twice as long."""
    slugs, titled = session.execute(
        "SELECT group_concat(slug, ' '), json_group_array(json_array(lower(title), slug)) "
        "FILTER (WHERE instr(name, title) <> 1) FROM files WHERE +slug IS NOT NULL"
    ).fetchone()
    known = (slugs or "").split()
    owners: dict[str, tuple[str, ...]] = dict(zip(known, zip(known, strict=True), strict=True))
    for title, slug in msgspec.json.decode(titled, type=list[tuple[str, str]]):
        owners[title] = (*owners.get(title, ()), slug)
    return owners


def _close(wanted: str, owners: Mapping[str, tuple[str, ...]], above: float = 0.0) -> list[str]:
    """The slugs of documents whose name, title or slug comes near, and nearer than `above`, the nearest first: those
    with the most triples (pairs, of short names) in common are compared."""
    size = 3 if len(wanted) > _SHORT else 2
    triples = list(dict.fromkeys(wanted[at : at + size] for at in range(len(wanted) - size + 1)))
    chosen = triples[:: max(len(triples) // _TRIPLES, 1)][:_TRIPLES]
    least = max(len(chosen) // 4, 1)
    shared: Counter[str] = Counter()
    for triple in chosen:
        shared.update([text for text in owners if triple in text])
    enough = (one for one in shared.items() if one[1] >= least)
    compared = [text for text, _ in nsmallest(_MAX_CLOSE, enough, key=lambda one: (-one[1], one[0]))]
    near = (owners[name] for score, name in nearness(wanted, compared) if score > above)
    return list(dict.fromkeys(slug for slugs in near for slug in slugs))


def _by_slug(session: Session, slugs: Sequence[str]) -> list[DocumentInfo]:
    return [info(row) for slug in slugs for row in session.named(INFO + "AND f.slug = ?", (slug,))]
