"""Pivot tables and their caches (ECMA-376 part 1 §18.10): fields, items and source in words. Records are not read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sidecar.api import Note, Notice
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement
from sidecar_xlsx.sheet.worksheet import Worksheet, children

_MOST_ITEMS = 500
"""Items told of one field; a cache may hold a million."""


@dataclass(frozen=True)
class PivotCache:
    """A cache's source, and its fields with their distinct items as text."""

    part: str
    source: str
    fields: tuple[tuple[str, tuple[str, ...]], ...]
    records: int

    def text(self) -> str:
        """Source, fields and items in words, a line a field."""
        lines = [f"Pivot cache from {self.source}" if self.source else "Pivot cache"]
        for name, items in self.fields:
            shown = ", ".join(items[:_MOST_ITEMS])
            more = f", … ({len(items)} items)" if len(items) > _MOST_ITEMS else ""
            if items:
                lines.append(f"{name}: {shown}{more}")
        bare = [name for name, items in self.fields if name and not items]
        if bare:
            lines.append(f"Other fields: {', '.join(bare)}")
        return "\n".join(lines)

    def notice(self, part: int | None) -> Notice:
        """What is not read of it, for the sheet `part` (1-based) or the workbook."""
        return Notice(
            "pivot_cache",
            f"A pivot cache ({len(self.fields)} fields, {self.records:,} records, from {self.source or 'elsewhere'}) "
            "is told by its fields and items; its records are not read.",
            part,
        )


def read_cache(package: Package, part: str) -> PivotCache:
    """A `pivotCacheDefinition`. Raises DamagedError."""
    root = package.xml(part)
    fields: list[tuple[str, tuple[str, ...]]] = []
    for node in children(root, "cacheFields", "cacheField"):
        items: list[str] = []
        for item in children(node, "sharedItems"):
            items.extend(
                value.get("v", "").removesuffix("T00:00:00")
                for value in item
                if isinstance(value.tag, str) and value.get("v")
            )
        fields.append((node.get("name", ""), tuple(items)))
    records = root.get("recordCount", "")
    return PivotCache(part, _source(root), tuple(fields), int(records) if records.isdecimal() else 0)


def _source(root: XmlElement) -> str:
    for node in children(root, "cacheSource"):
        for source in children(node, "worksheetSource"):
            ref, sheet, name = source.get("ref", ""), source.get("sheet", ""), source.get("name", "")
            return name or (f"{sheet}!{ref}" if sheet else ref)
        return node.get("type", "")
    return ""


def pivot_tables(package: Package, sheet: Worksheet, known: Collection[str]) -> list[tuple[Note, PivotCache | None]]:
    """The pivot tables of a sheet, each with its cache; a cache several share is told of once. Raises DamagedError."""
    told = set(known)
    found: list[tuple[Note, PivotCache | None]] = []
    for relationship in sheet.relationships.values():
        if relationship.type != "pivotTable" or relationship.target not in package:
            continue
        root = package.xml(relationship.target)
        caches = package.related(relationship.target, "pivotCacheDefinition")
        cache = read_cache(package, caches[0].target) if caches and caches[0].target in package else None
        where = next((node.get("ref", "") for node in children(root, "location")), "")
        text = _describe(root, cache)
        if cache is not None:
            text += "\n" + (f"From {cache.source}" if cache.part in told else cache.text())
            told.add(cache.part)
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
    return names[int(index)] if index.isdecimal() and int(index[:6]) < len(names) else ""
