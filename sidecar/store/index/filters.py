"""Which documents a search counts, as a condition in SQL over files f and versions v."""

from __future__ import annotations

from dataclasses import dataclass

from sidecar.store.documents.paths import fold


@dataclass(frozen=True)
class Filter:
    """Every field narrows further. `formats` are suffixes without dot or format names ("pdf"); `places` parts of the
    path from the watched folder's name on; times in ns since the epoch, `before` exclusive. `kind` is an element type,
    for elements only."""

    version: int | None = None
    formats: tuple[str, ...] = ()
    not_formats: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    not_places: tuple[str, ...] = ()
    after: int | None = None
    before: int | None = None
    kind: str | None = None

    @property
    def empty(self) -> bool:
        """Whether every document passes."""
        return self == Filter()


def condition(where: Filter) -> tuple[str, list[str | int]]:
    """The condition, always an expression, and its values; `kind` is not in it."""
    conditions: list[str] = ["1"]
    values: list[str | int] = []
    if where.version is not None:
        conditions.append("f.version_id = ?")
        values.append(where.version)
    for names, negated in ((where.formats, ""), (where.not_formats, "NOT ")):
        if names:
            marks = ",".join("?" * len(names))
            conditions.append(f"{negated}(v.format IN ({marks}) OR substr(v.suffix, 2) IN ({marks}))")
            values += [fold(name) for name in names] * 2
    for places, sign in ((where.places, ">"), (where.not_places, "=")):
        conditions += [f"instr(f.place, ?) {sign} 0"] * len(places)
        values += [fold(place) for place in places]
    if where.after is not None:
        conditions.append("f.mtime_ns >= ?")
        values.append(where.after)
    if where.before is not None:
        conditions.append("f.mtime_ns < ?")
        values.append(where.before)
    return " AND ".join(conditions), values
