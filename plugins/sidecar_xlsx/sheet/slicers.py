"""Slicers and timelines of a sheet ([MS-XLSX] 2.4.126, 2.6.75): what filters stand on it, and of which field."""

from collections.abc import Iterator

from sidecar.api import Note
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, local_name
from sidecar_xlsx.sheet.worksheet import Worksheet

_KINDS = {"slicer": "Slicer", "timeline": "Timeline"}
_CACHES = {"slicerCache", "timelineCache"}


def slicers(package: Package, sheet: Worksheet) -> Iterator[Note]:
    """A note for each slicer and timeline whose part the sheet names. Raises DamagedError."""
    parts = [one for one in sheet.relationships.values() if one.type in _KINDS and one.target in package]
    if not parts:
        return
    fields: dict[str, str] = {}
    for one in package.relationships(package.main_part()).values():
        if one.type in _CACHES and one.target in package:
            root = package.xml(one.target)
            fields[root.get("name", "")] = root.get("sourceName", "")
    for part in parts:
        for node in package.xml(part.target):
            if isinstance(node.tag, str) and local_name(node) == part.type:
                yield _note(node, _KINDS[part.type], fields)


def _note(node: XmlElement, kind: str, fields: dict[str, str]) -> Note:
    name, field = node.get("name", ""), fields.get(node.get("cache", ""), "")
    caption = node.get("caption", "") or field or name
    of = f" (field {field})" if field and field != caption else ""
    return Note(kind="annotation", text=f"{kind}: {caption}{of}", target=name)
