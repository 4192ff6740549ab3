"""Document properties of an Office package: core (ECMA-376 part 2 §11), extended and custom (part 1 §22.2, §22.3).

Not responsible for anything a part's own settings say. A damaged property part costs its properties, nothing else.
"""

from __future__ import annotations

from sidecar.api.errors import DamagedError
from sidecar.api.ooxml.package import Package, Relationship
from sidecar.api.xml import XmlElement

_CP = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_EP = "{http://schemas.openxmlformats.org/officeDocument/2006/extended-properties}"
_CORE = {
    f"{_DC}title": "title",
    f"{_DC}subject": "subject",
    f"{_DC}creator": "author",
    f"{_CP}keywords": "keywords",
    f"{_DC}description": "description",
    f"{_CP}lastModifiedBy": "modified_by",
    f"{_TERMS}created": "created",
    f"{_TERMS}modified": "modified",
    f"{_CP}category": "category",
    f"{_CP}contentStatus": "status",
    f"{_DC}language": "language",
    f"{_CP}revision": "revision",
    f"{_CP}version": "version",
    f"{_DC}identifier": "identifier",
    f"{_CP}lastPrinted": "printed",
}
_EXTENDED = {
    f"{_EP}Company": "company",
    f"{_EP}Manager": "manager",
    f"{_EP}Application": "application",
    f"{_EP}Pages": "pages",
    f"{_EP}Words": "words",
    f"{_EP}Slides": "slides",
    f"{_EP}HyperlinkBase": "hyperlink_base",
}
_MOST_CUSTOM = 200
_LONGEST = 10_000


def read_properties(package: Package, relationships: dict[str, Relationship]) -> dict[str, str]:
    """The properties that have a value, by lower-case word; custom ones under `custom.NAME`.

    Args:
        package: the open package.
        relationships: the package's own relationships (`package.relationships("")`), which the caller has anyway.
    """
    found: dict[str, str] = {}
    for relationship in relationships.values():
        if relationship.external or not relationship.type.endswith("properties") or relationship.target not in package:
            continue
        try:
            root = package.xml(relationship.target)
        except DamagedError:
            continue
        if relationship.type == "custom-properties":
            _custom(root, found)
            continue
        names = _CORE if relationship.type == "core-properties" else _EXTENDED
        for node in root.iterchildren(*names):
            value = (node.text or "").strip()
            if value:
                found.setdefault(names[node.tag], value[:_LONGEST])
    return found


def _custom(root: XmlElement, found: dict[str, str]) -> None:
    for node in list(root)[:_MOST_CUSTOM]:
        name = (node.get("name") or "").strip() if isinstance(node.tag, str) else ""
        value = " ".join("".join(node.itertext()).split()) if name else ""
        if value:
            found.setdefault(f"custom.{name.lower()}", value[:_LONGEST])
