"""Namespaces of Office Open XML several plugins read, and parts parsed with ISO Strict names turned Transitional."""

from sidecar.toolkit.xml import XmlElement, parse_xml

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
A14 = "{http://schemas.microsoft.com/office/drawing/2010/main}"
DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
DSP = "{http://schemas.microsoft.com/office/drawing/2008/diagram}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
CX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"

_STRICT = b"http://purl.oclc.org/ooxml/"
_TRANSITIONAL = b"http://schemas.openxmlformats.org/"
_RENAMED = (
    (b"wordprocessingml/main", b"wordprocessingml/2006/main"), (b"spreadsheetml/main", b"spreadsheetml/2006/main"),
    (b"presentationml/main", b"presentationml/2006/main"), (b"drawingml/", b"drawingml/2006/"),
    (b"officeDocument/math", b"officeDocument/2006/math"),
    (b"officeDocument/relationships", b"officeDocument/2006/relationships"),
    (b"officeDocument/", b"officeDocument/2006/"), (b"schemaLibrary/main", b"schemaLibrary/2006/main"),
)  # fmt: skip


def transitional(data: bytes) -> bytes:
    """Rewrite ISO Strict namespaces (ECMA-376 part 1, annex A) as Transitional, so plugins know one spelling."""
    if _STRICT not in data[:4096]:
        return data
    for strict, loose in _RENAMED:
        data = data.replace(_STRICT + strict, _TRANSITIONAL + loose)
    return data


def parse_part(data: bytes, what: str) -> XmlElement:
    """The root of a part's XML. Raises DamagedError when it is none; `what` names the part then."""
    return parse_xml(transitional(data), what)
