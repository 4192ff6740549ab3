"""Which documents a search counts, and which of their parts, as conditions in SQL over files f, versions v and
attributions a."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sidecar.store.analysis import folded
from sidecar.store.documents.paths import fold
from sidecar.store.documents.reading import STATE, WITHOUT_TEXT

TextField = Literal["author", "from", "to", "subject", "folder", "name"]


@dataclass(frozen=True)
class TextMatch:
    """A text that a field must hold, or with `negated` must not. `from` and `to` are of messages only; all words of an
    author's, a sender's or a recipient's name must be there, in any order; `folder` may be an absolute path."""

    field: TextField
    text: str
    negated: bool = False


@dataclass(frozen=True)
class Filter:
    """Every field narrows further. `formats` are suffixes without dot or format names ("pdf"); `places` parts of the
    path from the watched folder's name on. Times are ns since the epoch, the ends exclusive: `after` and `before` are
    those the document, or its part, tells of itself, and the file's where it tells none; `changed_after` and `_before`
    the file's. `changed_since`: the file's, or a version was replaced since, or the file came into a folder that had
    been indexed before, whatever its time. `kind` is an element type, for elements only."""

    version: int | None = None
    formats: tuple[str, ...] = ()
    not_formats: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    not_places: tuple[str, ...] = ()
    text_matches: tuple[TextMatch, ...] = ()
    states: tuple[str, ...] = ()
    not_states: tuple[str, ...] = ()
    after: int | None = None
    before: int | None = None
    changed_after: int | None = None
    changed_before: int | None = None
    changed_since: int | None = None
    kind: str | None = None

    @property
    def empty(self) -> bool:
        """Whether every document passes."""
        return self == Filter()

    @property
    def by_part(self) -> bool:
        """Whether parts of one document may differ: only some messages of a mailbox are from whom they are wanted."""
        own = any(one.field in _ATTRIBUTED for one in self.text_matches)
        return own or self.after is not None or self.before is not None


WITHOUT_TEXT_STATE = "without_text"
"""Asked for as a state: what was read and has no text."""
Condition = tuple[str, list[str | int]]
"""An expression and the values of its marks."""

DATED = "coalesce(a.dated, f.mtime_ns)"
"""The time of a document, or of a part, in ns since the epoch."""
_DIRECTORY = "rtrim(f.place, replace(f.place, '/', ''))"
"""The path up to its last slash: what is not a slash is trimmed off the end."""
_SUFFIX = "coalesce(substr(v.suffix, 2), substr(f.place, length(rtrim(f.place, replace(f.place, '.', ''))) + 1))"
"""The suffix without its dot; a file that could not be read has none but its name's."""
_CHANGED = (
    "(f.mtime_ns >= ? OR EXISTS (SELECT 1 FROM history h WHERE h.slug = f.slug AND h.ended >= ?) "
    "OR (f.added >= ? AND (SELECT min(o.added) FROM files o WHERE o.folder = f.folder) < ?))"
)
_ATTRIBUTED = {"author": "a.author", "from": "a.author", "to": "a.recipients", "subject": "a.subject"}
_OF_MESSAGES = ("from", "to")


def condition(where: Filter) -> Condition:
    """Which documents pass, from files f and versions v. `kind` is not in it."""
    documents, values = of_documents(where)
    if where.by_part:
        parts, more = of_parts(where)
        documents += f" AND EXISTS (SELECT 1 FROM attributions a WHERE a.version_id = v.id AND {parts})"  # noqa: S608
        values += more
    return documents, values


def of_parts(where: Filter) -> Condition:
    """Which attributions pass, of documents that do."""
    found: list[Condition] = [("1", [])]
    found += [_attributed(one) for one in where.text_matches if one.field in _ATTRIBUTED]
    found += _between(DATED, where.after, where.before)
    return _all(found)


def of_documents(where: Filter) -> Condition:
    """Which documents pass as far as they are asked as a whole."""
    found: list[Condition] = [("1", [])]
    if where.version is not None:
        found.append(("f.version_id = ?", [where.version]))
    for names, negated in ((where.formats, ""), (where.not_formats, "NOT ")):
        if names:
            marks = _marks(names)
            named = [fold(name) for name in names]
            found.append((f"{negated}(coalesce(v.format, '') IN {marks} OR {_SUFFIX} IN {marks})", [*named, *named]))
    for places, sign in ((where.places, ">"), (where.not_places, "=")):
        found.extend((f"instr(f.place, ?) {sign} 0", [fold(place)]) for place in places)
    for states, negated in ((where.states, ""), (where.not_states, "NOT ")):
        if states:
            lacking = f" OR {WITHOUT_TEXT}" if WITHOUT_TEXT_STATE in states else ""
            found.append((f"{negated}({STATE} IN {_marks(states)}{lacking})", [*states]))
    found += [_located(one) for one in where.text_matches if one.field not in _ATTRIBUTED]
    if where.changed_since is not None:
        seconds = where.changed_since // 10**9
        found.append((_CHANGED, [where.changed_since, seconds, seconds, seconds]))
    return _all([*found, *_between("f.mtime_ns", where.changed_after, where.changed_before)])


def _attributed(one: TextMatch) -> Condition:
    column = _ATTRIBUTED[one.field]
    texts = [folded(one.text)] if one.field == "subject" else folded(one.text).replace(",", " ").split()
    expressions = [f"instr({column}, ?) > 0"] * len(texts)
    expressions += ["v.part_kind = 'message'"] if one.field in _OF_MESSAGES else []
    return f"{'NOT ' if one.negated else ''}({' AND '.join(expressions) or '1'})", [*texts]


def _located(one: TextMatch) -> Condition:
    negated = "NOT " if one.negated else ""
    text = one.text.replace("\\", "/")
    if one.field == "name":
        return f"{negated}instr(substr(f.place, length({_DIRECTORY}) + 1), ?)", [fold(text)]
    absolute = text.rstrip("/") + "/"  # drives and many file systems do not tell upper from lower case
    expression = f"instr('/' || {_DIRECTORY}, ?) OR instr(lower(replace(f.shown, '\\', '/')), lower(?)) = 1"
    return f"{negated}({expression})", [fold(text).strip("/"), absolute]


def _between(expression: str, after: int | None, before: int | None) -> list[Condition]:
    found: list[Condition] = []
    if after is not None:
        found.append((f"{expression} >= ?", [after]))
    if before is not None:
        found.append((f"{expression} < ?", [before]))
    return found


def _all(found: Sequence[Condition]) -> Condition:
    return " AND ".join(expression for expression, _ in found), [value for _, values in found for value in values]


def _marks(values: Sequence[str]) -> str:
    return f"({','.join('?' * len(values))})"
