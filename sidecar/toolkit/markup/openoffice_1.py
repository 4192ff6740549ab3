"""Documents of OpenOffice.org 1 and StarOffice 6 and 7 (.sxw, .sxc, .sxi, .sxd) written as the OpenDocument packages
that they became, so that whoever reads those reads them. Not responsible for what is in the document.

The vocabulary is nearly the same: OASIS took it over with other namespaces and some names (OpenOffice.org XML File
Format 1.0, 2002; ODF 1.0 appendix on its ancestry)."""

import io
import re
import zipfile
from typing import Final

from sidecar.api.formats import Limits, Source

_KINDS: Final = {  # a database (of OpenOffice.org 2) has today's vocabulary
    "writer": "text", "calc": "spreadsheet", "impress": "presentation", "draw": "drawing", "base": "",
}  # fmt: skip
_SUFFIXES: Final = {
    ".sxw": "text", ".stw": "text", ".sxg": "text", ".sxc": "spreadsheet", ".stc": "spreadsheet",
    ".sxi": "presentation", ".sti": "presentation", ".sxd": "drawing", ".std": "drawing",
}  # fmt: skip
_MEDIA_TYPE: Final = re.compile(rb"mimetypeapplication/vnd\.sun\.xml\.([a-z]+)")
_XML: Final = ("content.xml", "styles.xml", "meta.xml")
_DOCTYPE: Final = re.compile(rb"<!DOCTYPE[^>\[]*>")
_BODY: Final = re.compile(rb"(<office:body\b[^>]*>)(.*)(</office:body>)", re.DOTALL)
_NAMESPACES: Final = {
    **{
        f"http://openoffice.org/2000/{name}".encode(): f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0".encode()
        for name in ("office", "style", "text", "table", "drawing", "meta", "chart", "dr3d", "form", "script",
                     "presentation", "config", "datastyle")
    },
    b"http://openoffice.org/2001/manifest": b"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0",
    b"http://openoffice.org/2001/config": b"urn:oasis:names:tc:opendocument:xmlns:config:1.0",
    b"http://www.w3.org/1999/XSL/Format": b"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
    b"http://www.w3.org/2000/svg": b"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
}  # fmt: skip
_NAMES: Final = (
    (re.compile(rb"\btext:(?:un)?ordered-list\b"), b"text:list"),
    (re.compile(rb"\btext:level="), b"text:outline-level="),
    (
        re.compile(rb"\btable:(value-type|value|date-value|time-value|boolean-value|string-value|currency)="),
        rb"office:\1=",
    ),
    (re.compile(rb'xlink:href="#(Pictures/|\./)'), rb'xlink:href="\1'),
    (re.compile(rb"<draw:(image|object|object-ole)\b([^<>]*)/>"), rb"<draw:frame\2><draw:\1\2/></draw:frame>"),
    (re.compile(rb"<draw:(image|object|object-ole)\b([^<>]*[^<>/])>(?!</draw:frame>)"), rb"<draw:frame\2><draw:\1\2/>"),
    (re.compile(rb"</draw:(image|object|object-ole)>"), b"</draw:frame>"),
    (re.compile(rb"<(/?)style:properties\b"), rb"<\1style:text-properties"),
)
"""What has another name since; all properties of a style are taken for those of its text."""


def older_kind(source: Source) -> str:
    """The kind of document as OpenDocument calls it, "" for a file that is none of OpenOffice.org 1."""
    head = source.head
    if not head.startswith(b"PK"):
        return ""
    found = _MEDIA_TYPE.search(head[:160])
    return _KINDS.get(found[1].decode(), "text") if found else _SUFFIXES.get(source.suffix, "")


def renewed(source: Source, kind: str, limits: Limits) -> Source:
    """The package as an OpenDocument one of that kind. Raises DamagedError, LimitError."""
    from sidecar.toolkit.ooxml.package import Package  # takes long to load

    out = io.BytesIO()
    with Package(source, limits) as package, zipfile.ZipFile(out, "w") as archive:
        for name in package.names():
            data = package.read(name)
            archive.writestr(name, _renewed(data, kind) if name in _XML or name == "META-INF/manifest.xml" else data)
    return Source.of_bytes(out.getvalue(), source.name, source.media_type)


def _renewed(data: bytes, kind: str) -> bytes:
    data = _DOCTYPE.sub(b"", data, count=1)
    for old, new in _NAMESPACES.items():
        data = data.replace(b'"%s"' % old, b'"%s"' % new)
    for pattern, name in _NAMES:
        data = pattern.sub(name, data)
    tag = f"office:{kind}".encode()
    return _BODY.sub(lambda body: body[1] + b"<" + tag + b">" + body[2] + b"</" + tag + b">" + body[3], data, count=1)
