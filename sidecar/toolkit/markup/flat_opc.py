"""Flat OPC files (a whole Office Open XML package in a single XML file, as Word and PowerPoint save it) written as the
package they stand for, and what tells a package from an archive that holds one. Not responsible for what is in it."""

import base64
import binascii
import io
import re
import struct
import zipfile
from collections.abc import Iterable
from html import escape

from sidecar.api import DamagedError, Limits, Source

_PKG = "{http://schemas.microsoft.com/office/2006/xmlPackage}"
_ROOT = re.compile(rb"<(?:\w+:)?package\b[^>]*http://schemas\.microsoft\.com/office/2006/xmlPackage")
_FOLDER = re.compile(rb"[\"'/](word|ppt|xl)/")
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"

_LOCAL = b"PK\x03\x04"
_LOCAL_SIZES = struct.Struct("<4x2xHH8xI4xHH")
"""Of a local file header (APPNOTE.TXT, 4.3.7): flags, method, compressed size, lengths of the name and of the rest."""
_SIZE_BEHIND = 8

Part = tuple[str, str, bytes]
"""Name without its first slash, content type, bytes."""


def package_head(head: bytes) -> bytes:
    """The first bytes of a zip file without those of packages that lie in it uncompressed."""
    pieces: list[bytes] = []
    at = 0
    while head.startswith(_LOCAL, at) and at + _LOCAL_SIZES.size <= len(head):
        flags, method, size, name, extra = _LOCAL_SIZES.unpack_from(head, at)
        data = at + _LOCAL_SIZES.size + name + extra
        if flags & _SIZE_BEHIND and not size:
            break
        pieces.append(head[at : data if not method and head.startswith(_LOCAL, data) else data + size])
        at = data + size
    return b"".join(pieces) + head[at:]


def flat_folder(head: bytes) -> str:
    """The folder of the main part of the package a file is that begins so: "word", "ppt" or "xl"; "" for none."""
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or not _ROOT.search(head):
        return ""
    found = _FOLDER.search(head)
    return found[1].decode() if found else ""


def packed(source: Source, limits: Limits) -> Source:
    """The source itself, or of a flat file the package it stands for. Raises DamagedError, LimitError."""
    if not flat_folder(source.head):
        return source
    from sidecar.toolkit.xml import etree, parse_xml  # takes long to load, and only the kind is asked elsewhere

    root = parse_xml(source.read(limits.max_file_bytes), source.name)
    parts: list[Part] = []
    for part in root.iterchildren(f"{_PKG}part"):  # of the same name the last is found, as in any zip
        name, kind = part.get(f"{_PKG}name", "").lstrip("/"), part.get(f"{_PKG}contentType", "")
        if not name or name.endswith("/"):
            continue
        content = part.find(f"{_PKG}xmlData")
        if content is not None and len(content):
            parts.append((name, kind, bytes(etree.tostring(content[0], encoding="utf-8"))))
        elif (data := part.find(f"{_PKG}binaryData")) is not None:
            try:
                parts.append((name, kind, base64.b64decode("".join(data.itertext()))))
            except (binascii.Error, ValueError):
                continue
    if not parts:
        raise DamagedError(f"{source.name} is a flat Office document without any part.")
    return package_of(parts, source)


def package_of(parts: Iterable[Part], source: Source) -> Source:
    """A package of those parts under the name of the source."""
    out = io.BytesIO()
    types = ['<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>']
    with zipfile.ZipFile(out, "w") as archive:
        for name, kind, data in parts:
            archive.writestr(name, data)
            if kind and not name.endswith(".rels"):
                types.append(f'<Override PartName="/{escape(name)}" ContentType="{escape(kind)}"/>')
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{_TYPES}">{"".join(types)}</Types>')
    return Source.of_bytes(out.getvalue(), source.name, source.media_type)
