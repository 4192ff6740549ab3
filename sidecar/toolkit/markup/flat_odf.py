"""Flat OpenDocument files (ODF 1.3 part 3 §3.1.2, a document in a single XML file) written as the package they stand
for, so that whoever reads packages reads them. Not responsible for what is in the document."""

import base64
import binascii
import io
import re
import zipfile
from copy import deepcopy
from typing import TYPE_CHECKING, Final

from sidecar.api import DamagedError, Limits, Source
from sidecar.api.model import OWN_METADATA
from sidecar.toolkit.markup.openoffice_1 import older_kind, renewed
from sidecar.toolkit.pictures import EXTENSIONS, sniff_image
from sidecar.toolkit.text import COPIED_PROPERTIES

if TYPE_CHECKING:
    from sidecar.toolkit.xml import XmlElement

_KIND: Final = re.compile(
    rb"<(?:\w+:)?document\b[^>]*?office:mimetype\s*=\s*[\"']application/vnd\.oasis\.opendocument\.([\w-]+)"
)
_NS: Final = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_OFFICE, _DRAW = _NS % "office", _NS % "drawing"
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_PARTS: Final = {
    "styles.xml": ("font-face-decls", "styles", "automatic-styles", "master-styles"),
    "meta.xml": ("meta",),
    "content.xml": ("scripts", "font-face-decls", "automatic-styles", "body"),
}
"""What stands in which file of a package (§3.1.3); automatic styles stand in both, as either's may be meant."""
_META: Final = _NS % "meta"
_MAX_CUSTOM, _MAX_CHARS = 200, 10_000
"""Properties with names of the user's own, and characters of one."""


def flat_kind(head: bytes) -> str:
    """The kind of document a file is that begins so, as its media type ends: "text", "spreadsheet" …; "" for none."""
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return ""
    found = _KIND.search(head)
    return found[1].decode() if found else ""


def packed(source: Source, limits: Limits) -> Source:
    """The source itself, or of a flat file the package it stands for: pictures that are written into the text are files
    in it; or of a document of OpenOffice.org 1 what it would be today. Raises DamagedError, LimitError."""
    if older := older_kind(source):
        return renewed(source, older, limits)
    if not flat_kind(source.head):
        return source
    from sidecar.toolkit.xml import parse_xml  # takes long to load, and the serving process only asks for the kind

    root = parse_xml(source.read(limits.max_file_bytes), source.name)
    if root.find(f"{_OFFICE}body") is None:
        raise DamagedError(f"{source.name} has no document body.")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number, (image, data) in enumerate(_pictures(root), 1):
            found = sniff_image(data)
            name = f"Pictures/{number}{EXTENSIONS.get(found.media_type, '.bin') if found else '.bin'}"
            archive.writestr(name, data)
            image.set(_HREF, name)
        for name, sections in _PARTS.items():
            archive.writestr(name, _part(root, sections))
    return Source.of_bytes(out.getvalue(), source.name, source.media_type)


def _pictures(root: "XmlElement") -> "list[tuple[XmlElement, bytes]]":
    """The pictures that stand in the text, taken out of it; what cannot be decoded stays where it is."""
    found: list[tuple[XmlElement, bytes]] = []
    for image in list(root.iter(f"{_DRAW}image")):
        node = image.find(f"{_OFFICE}binary-data")
        if node is None:
            continue
        try:
            data = base64.b64decode("".join(node.itertext()))
        except (binascii.Error, ValueError):
            continue
        image.remove(node)
        found.append((image, data))
    return found


def _part(root: "XmlElement", sections: tuple[str, ...]) -> bytes:
    """Those sections of the document, under a root with all its namespaces."""
    from sidecar.toolkit.xml import etree

    try:
        made = etree.Element(root.tag, nsmap=root.nsmap)
    except ValueError:  # a spoiled namespace, which a parser takes in and nobody can write: what is used is declared
        made = etree.Element(f"{_OFFICE}document")
    for section in sections:
        made.extend(deepcopy(list(root.iterchildren(f"{_OFFICE}{section}"))))
    return bytes(etree.tostring(made, encoding="utf-8"))


def custom_properties(meta: "XmlElement") -> dict[str, str]:
    """The properties with names of the user's own (§4.3.2.20), as `custom.NAME`."""
    found: dict[str, str] = {}
    for node in list(meta.iter(f"{_META}user-defined"))[:_MAX_CUSTOM]:
        name, text = node.get(f"{_META}name", "").strip().lower(), " ".join((node.text or "").split())
        if name and text and name not in COPIED_PROPERTIES:
            found.setdefault(f"{OWN_METADATA}{name[:_MAX_CHARS]}", text[:_MAX_CHARS])
    return found
