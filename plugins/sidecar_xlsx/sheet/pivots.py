"""Pivot tables and their caches (ECMA-376 part 1 §18.10): fields, items and source in words, and the records of caches
whose source is not in the workbook; slicers and timelines ([MS-XLSX] 2.4.126, 2.6.75), which filter them and tables."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from sidecar.api import Note, Notice, Table
from sidecar.toolkit.cell_references import CellRange
from sidecar.toolkit.ooxml.namespaces import R, parse_part
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, local_name, unsigned
from sidecar_xlsx.cells.tables import GridLayout, TableBuilder
from sidecar_xlsx.sheet.worksheet import Worksheet, children, pivot_tree

PIVOT_CACHE = "pivotCache"
"""The kind of sheets that stand for a cache and that no program shows."""
_MAX_ITEMS = 500
"""Items told of one field; a cache may hold a million."""
_DIGITS = 15
_SLICERS = {"slicer": "Slicer", "timeline": "Timeline"}
_SLICER_CACHES = {"slicerCache", "timelineCache"}


@dataclass(frozen=True)
class PivotCache:
    """A cache's source, and its fields with their distinct items as text."""

    part: str
    source: str
    fields: tuple[tuple[str, tuple[str, ...]], ...]
    records: int
    sheet: str = ""
    """The sheet of this workbook its source stands on, "" where that is another workbook or no sheet."""
    named: str = ""
    """The name its source has in this workbook."""

    def text(self) -> str:
        """Source, fields and items in words, a line a field."""
        lines = [f"Pivot cache from {self.source}" if self.source else "Pivot cache"]
        for name, items in self.fields:
            given = [item for item in items if item]
            shown = ", ".join(given[:_MAX_ITEMS])
            more = f", … ({len(given)} items)" if len(given) > _MAX_ITEMS else ""
            if given:
                lines.append(f"{name}: {shown}{more}")
        bare = [name for name, items in self.fields if name and not any(items)]
        if bare:
            lines.append(f"Other fields: {', '.join(bare)}")
        return "\n".join(lines)

    def notice(self, part: int | None) -> Notice:
        """How it is told of, for the sheet `part` (1-based) or the workbook."""
        return Notice(
            "pivot_cache",
            f"A pivot cache ({len(self.fields)} fields, {self.records:,} records, from {self.source or 'elsewhere'}) "
            "is shown by its fields and items; records whose source is not in the workbook form a sheet at its end.",
            part,
        )


def read_cache(package: Package, part: str) -> PivotCache:
    """A `pivotCacheDefinition`, which sheets and the workbook ask for. Raises DamagedError."""
    return package.shared(part, _cache, part)


def _cache(data: bytes, what: str, part: str) -> PivotCache:
    root = parse_part(data, what)
    fields: list[tuple[str, tuple[str, ...]]] = []
    for node in children(root, "cacheFields", "cacheField"):
        items: list[str] = []
        for item in children(node, "sharedItems"):
            items.extend(_shown(value) for value in item if isinstance(value.tag, str))
        fields.append((node.get("name", ""), tuple(items)))
    source, sheet, name = _source(root)
    return PivotCache(part, source, tuple(fields), unsigned(root.get("recordCount")), sheet, name)


def _source(root: XmlElement) -> tuple[str, str, str]:
    """The source in words, and the sheet and the name of it where they are in this workbook."""
    for node in children(root, "cacheSource"):
        for source in children(node, "worksheetSource"):
            ref, sheet, name = source.get("ref", ""), source.get("sheet", ""), source.get("name", "")
            words = name or (f"{sheet}!{ref}" if sheet else ref)
            return (words, "", "") if source.get(f"{R}id") else (words, sheet, name)
        return node.get("type", ""), "", ""
    return "", "", ""


def read_records(package: Package, cache: PivotCache, room: int) -> tuple[Table, ...]:
    """The records of a cache below the names of its fields (§18.10.1.68), up to `room` characters; () where the file
    holds none. Raises DamagedError."""
    target = next((one.target for one in package.related(cache.part, "pivotCacheRecords")), "")
    if target not in package:
        return ()
    kept = [at for at, (name, _) in enumerate(cache.fields) if name]
    builder = TableBuilder(GridLayout(header=CellRange(0, 0, 0, len(kept) - 1)))
    builder.add(0, 0, [cache.fields[at][0] for at in kept], (), hidden=False)
    for row, record in enumerate(children(package.xml(target), "r"), 1):
        values = [_value(node, cache, at) for at, node in enumerate(record)]
        texts = [values[at] if at < len(values) else "" for at in kept]
        room -= sum(map(len, texts))
        if room < 0:
            break
        if any(texts):
            builder.add(row, 0, texts, (), hidden=False)
    return tuple(builder.finish())


def _value(node: XmlElement, cache: PivotCache, field: int) -> str:
    """A value of a record: itself, or one of its field's items (§18.10.1.96)."""
    kind, value = local_name(node), node.get("v", "")
    if kind == "x":
        items = cache.fields[field][1] if field < len(cache.fields) else ()
        return _name(items, value)
    if kind == "b":
        return "TRUE" if value in ("1", "true") else "FALSE"
    return _shown(node)


def _shown(node: XmlElement) -> str:
    """A value as Excel shows it: a day without its hour, a number of 17 digits, as files have it, with 15."""
    value = node.get("v", "")
    if local_name(node) != "n" or len(value) <= _DIGITS:
        return value.removesuffix("T00:00:00")
    try:
        return f"{float(value):.{_DIGITS}g}"
    except ValueError:
        return value


def pivot_tables(package: Package, sheet: Worksheet, known: Collection[str]) -> list[tuple[Note, PivotCache | None]]:
    """The pivot tables of a sheet, each with its cache; a cache several share is told of once. Raises DamagedError."""
    seen = set(known)
    found: list[tuple[Note, PivotCache | None]] = []
    for relationship in sheet.relationships.values():
        if relationship.type != "pivotTable" or relationship.target not in package:
            continue
        root = package.shared(relationship.target, pivot_tree)
        caches = package.related(relationship.target, "pivotCacheDefinition")
        cache = read_cache(package, caches[0].target) if caches and caches[0].target in package else None
        where = next((node.get("ref", "") for node in children(root, "location")), "")
        text = _describe(root, cache)
        if cache is not None:
            text += "\n" + (f"From {cache.source}" if cache.part in seen else cache.text())
            seen.add(cache.part)
        found.append((Note(kind="annotation", text=text, target=where), cache))
    return found


def _describe(root: XmlElement, cache: PivotCache | None) -> str:
    names = [name for name, _ in cache.fields] if cache else []
    lines = [f"Pivot table {root.get('name', '')}".rstrip()]
    for title, path, key in (
        ("Filters", ("pageFields", "pageField"), "fld"),
        ("Rows", ("rowFields", "field"), "x"),
        ("Columns", ("colFields", "field"), "x"),
    ):
        chosen = [_name(names, node.get(key, "")) for node in children(root, *path)]
        if any(chosen):
            lines.append(f"{title}: {', '.join(name for name in chosen if name)}")
    values = [
        node.get("name") or _name(names, node.get("fld", "")) for node in children(root, "dataFields", "dataField")
    ]
    if values:
        lines.append(f"Values: {', '.join(values)}")
    captions = [node.get("name", "") for node in children(root, "pivotFields", "pivotField") if node.get("name")]
    if captions:
        lines.append(f"Captions: {', '.join(captions)}")
    return "\n".join(lines)


def _name(names: Sequence[str], index: str) -> str:
    at = unsigned(index, len(names))
    return names[at] if at < len(names) else ""


def slicers(package: Package, sheet: Worksheet) -> Iterator[Note]:
    """A note for each slicer and timeline whose part the sheet names. Raises DamagedError."""
    parts = [one for one in sheet.relationships.values() if one.type in _SLICERS and one.target in package]
    if not parts:
        return
    fields: dict[str, str] = {}
    for one in package.relationships(package.main_part()).values():
        if one.type in _SLICER_CACHES and one.target in package:
            root = package.xml(one.target)
            fields[root.get("name", "")] = root.get("sourceName", "")
    for part in parts:
        for node in package.xml(part.target):
            if isinstance(node.tag, str) and local_name(node) == part.type:
                yield _slicer_note(node, _SLICERS[part.type], fields)


def _slicer_note(node: XmlElement, kind: str, fields: dict[str, str]) -> Note:
    name, field = node.get("name", ""), fields.get(node.get("cache", ""), "")
    caption = node.get("caption", "") or field or name
    of = f" (field {field})" if field and field != caption else ""
    return Note(kind="annotation", text=f"{kind}: {caption}{of}", target=name)
