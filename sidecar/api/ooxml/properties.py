"""Document properties of an Office package: core (ECMA-376 part 2 §11), extended and custom (part 1 §22.2, §22.3).

Not responsible for anything a part's own settings say. A damaged property part costs its properties, nothing else.
"""

from __future__ import annotations

from sidecar.api.errors import DamagedError
from sidecar.api.ooxml.package import Package, Relationship
from sidecar.api.xml import XmlElement

_CORE = {
    "title": "title",
    "subject": "subject",
    "creator": "author",
    "keywords": "keywords",
    "description": "description",
    "lastModifiedBy": "modified_by",
    "created": "created",
    "modified": "modified",
    "category": "category",
    "contentStatus": "status",
    "language": "language",
    "revision": "revision",
    "version": "version",
    "identifier": "identifier",
    "lastPrinted": "printed",
}
_EXTENDED = {
    "Company": "company",
    "Manager": "manager",
    "Application": "application",
    "Pages": "pages",
    "Words": "words",
    "Slides": "slides",
    "HyperlinkBase": "hyperlink_base",
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
        for node in root:
            word = names.get(node.tag.rpartition("}")[2]) if isinstance(node.tag, str) else None
            value = (node.text or "").strip() if word else ""
            if word and value:
                found.setdefault(word, value[:_LONGEST])
    return found


def _custom(root: XmlElement, found: dict[str, str]) -> None:
    for node in list(root)[:_MOST_CUSTOM]:
        name = (node.get("name") or "").strip() if isinstance(node.tag, str) else ""
        value = " ".join("".join(node.itertext()).split()) if name else ""
        if value:
            found.setdefault(f"custom.{name.lower()}", value[:_LONGEST])
