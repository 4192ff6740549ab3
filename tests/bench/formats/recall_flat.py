"""The words of flat OpenDocument files (OpenDocument 1.3, part 3): what LibreOffice makes of a document when it judges
others' readers. Told are the body with its notes, comments, text boxes and the results of fields, the heads and feet of
its pages, and cells as they are shown; not masters of slides and handouts, styles, settings, pictures, what is told of
the document, the day and hour that edges of pages are printed at, and days along an axis, which stand there as numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sidecar.api import DamagedError
from sidecar.toolkit.xml import XmlElement, parse_xml

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
_STYLE = "urn:oasis:names:tc:opendocument:xmlns:style:1.0"
_BODY, _MASTERS = f"{{{_OFFICE}}}body", f"{{{_OFFICE}}}master-styles"
_EDGES = [f"{{{_STYLE}}}{edge}{page}" for edge in ("header", "footer") for page in ("", "-left", "-first")]
_PASSED = frozenset(
    f"{{{space}}}{name}"
    for space, names in (
        (_OFFICE, "binary-data scripts forms event-listeners"),
        (_TEXT, "tracked-changes note-citation sequence-decls variable-decls user-field-decls"),
        (_TABLE, "tracked-changes content-validations named-expressions covered-table-cell"),
        ("http://purl.org/dc/elements/1.1/", "date creator"),
    )
    for name in names.split()
)
_PARAGRAPHS = {f"{{{_TEXT}}}p", f"{{{_TEXT}}}h"}
_CHARTS = "urn:oasis:names:tc:opendocument:xmlns:chart:1.0"
_AXIS_TYPE = "{http://openoffice.org/2010/chart}axis-type"
_GAPS = {f"{{{_TEXT}}}{name}": said for name, said in (("s", " "), ("tab", "\t"), ("line-break", "\n"))}
_REPEATED = {
    f"{{{_TABLE}}}table-cell": f"{{{_TABLE}}}number-columns-repeated",
    f"{{{_TABLE}}}table-row": f"{{{_TABLE}}}number-rows-repeated",
}
_MOST = 1_000
"""Cells or rows that repeat more often fill a sheet and are not text."""


def flat_text(path: Path) -> str:
    """All words of a file of LibreOffice's, "" where it is not XML."""
    try:
        root = parse_xml(path.read_bytes(), path.name)
    except (DamagedError, OSError):
        return ""
    edges = [edge for masters in root.iterchildren(_MASTERS) for edge in masters.iter(*_EDGES)]
    for field in (field for edge in edges for field in edge.iter(f"{{{_TEXT}}}date", f"{{{_TEXT}}}time")):
        field.text = ""
    for chart in root.iter(f"{{{_CHARTS}}}chart"):
        if any(axis.get(_AXIS_TYPE) == "date" for axis in chart.iter(f"{{{_CHARTS}}}axis")):
            for row in chart.iter(f"{{{_TABLE}}}table-row"):
                row.remove(row[0])
    # Objects in it are documents of their own, with bodies within this one's.
    return "".join(piece for one in (*root.iterchildren(_BODY), *edges) for piece in _words(one))


def _words(element: XmlElement) -> Iterator[str]:
    if not isinstance(element.tag, str) or element.tag in _PASSED:
        return
    if element.tag in _REPEATED:
        times = int(element.get(_REPEATED[element.tag]) or 1)
        said = "".join(piece for child in element for piece in _words(child))
        yield said * (times if times <= _MOST else 1) if said.strip() else ""
        yield "\n"
        return
    yield _GAPS.get(element.tag, "")
    yield element.text or ""
    for child in element:
        yield from _words(child)
        yield child.tail or ""
    if element.tag in _PARAGRAPHS:
        yield "\n"
