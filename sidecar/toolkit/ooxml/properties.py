"""Document properties of an Office package: core (ECMA-376 part 2 §11), extended and custom (part 1 §22.2, §22.3).

Not responsible for anything a part's own settings say. A damaged property part costs its properties, nothing else."""

from collections.abc import Iterator

from sidecar.api.errors import DamagedError
from sidecar.api.model import OWN_METADATA
from sidecar.toolkit.ooxml.namespaces import parse_part
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.text import COPIED_PROPERTIES
from sidecar.toolkit.xml import XmlElement, words_of

_CP = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_EP = "{http://schemas.openxmlformats.org/officeDocument/2006/extended-properties}"
_CORE = {
    f"{_DC}title": "title", f"{_DC}subject": "subject", f"{_DC}creator": "author", f"{_CP}keywords": "keywords",
    f"{_DC}description": "description", f"{_CP}lastModifiedBy": "modified_by", f"{_TERMS}created": "created",
    f"{_TERMS}modified": "modified", f"{_CP}category": "category", f"{_CP}contentStatus": "status",
    f"{_DC}language": "language", f"{_CP}revision": "revision", f"{_CP}version": "version",
    f"{_DC}identifier": "identifier", f"{_CP}lastPrinted": "printed",
}  # fmt: skip
_EXTENDED = {
    f"{_EP}Company": "company", f"{_EP}Manager": "manager", f"{_EP}Application": "application", f"{_EP}Pages": "pages",
    f"{_EP}Words": "words", f"{_EP}Slides": "slides", f"{_EP}HyperlinkBase": "hyperlink_base",
}  # fmt: skip
_TEMPLATES = frozenset((
    "2013-12-23T23:15:00Z",  # python-docx: docx/templates/default.docx
    "2013-01-27T09:14:16Z", "2013-01-27T09:15:58Z",  # python-pptx: pptx/templates/default.pptx
    "2012-12-03T06:56:55Z", "2013-10-30T14:12:17Z", "2014-10-14T13:48:12Z",  # ONLYOFFICE: document-templates/new
    "2006-09-16T00:00:00Z", "2015-06-05T18:17:20Z", "2015-06-05T18:19:34Z",  # a new workbook of Excel 2007 and later
))  # fmt: skip
"""When the blank documents were made that programs begin a new one from: no date of any document made from them."""
_EPOCHS = ("0001-01-01", "1601-01-01T00", "1899-12-3", "1904-01-01T00", "1970-01-01T00:00:00", "1980-01-01T00:00:00")
"""How the first moment of somebody's calendar begins: what is written where no date is known."""
_MAX_CUSTOM = 200
_MAX_CHARS = 10_000


def read_properties(package: Package, relationships: dict[str, Relationship]) -> dict[str, str]:
    """The properties that have a value, by lower-case word; custom ones under `custom.NAME`. A date that is the
    template's, or an epoch, is none of the document's and is left out.

    Args:
        package: the open package.
        relationships: the package's own relationships (`package.relationships("")`), which the caller has anyway."""
    found: dict[str, str] = {}
    for relationship in relationships.values():
        if relationship.external or not relationship.type.endswith("properties") or relationship.target not in package:
            continue
        try:
            own = _properties_of(package, relationship)
        except DamagedError:
            continue
        for name, value in own:
            found.setdefault(name, value)
    return found


def _properties_of(package: Package, relationship: Relationship) -> list[tuple[str, str]]:
    name, kind = relationship.target, relationship.type
    if kind == "core-properties":  # dates make each file's own
        return _read_part(package.markup(name), name, kind)
    return package.shared(name, _read_part, kind)


def _read_part(data: bytes, what: str, kind: str) -> list[tuple[str, str]]:
    """What one property part tells, by our word for it."""
    root = parse_part(data, what)
    if kind == "custom-properties":
        return list(_custom(root))
    names = _CORE if kind == "core-properties" else _EXTENDED
    # Written twice, the first one that says anything holds.
    values = ((names[node.tag], (node.text or "").strip()[:_MAX_CHARS]) for node in root if node.tag in names)
    return [(name, value) for name, value in values if value and not (names is _CORE and _is_no_date(name, value))]


def _is_no_date(name: str, value: str) -> bool:
    return name in ("created", "modified", "printed") and (value in _TEMPLATES or value.startswith(_EPOCHS))


def _custom(root: XmlElement) -> Iterator[tuple[str, str]]:
    for node in list(root)[:_MAX_CUSTOM]:
        name = (node.get("name") or "").strip() if isinstance(node.tag, str) else ""
        value = words_of(node) if name else ""
        if value and name.lower() not in COPIED_PROPERTIES:
            yield f"{OWN_METADATA}{name.lower()}", value[:_MAX_CHARS]
