"""Attached files: OLE objects and embedded Office packages, told by the file inside, not by the wrapper.

Not responsible for reading OLE compound files (`sidecar.api.ooxml.ole`).
"""

from __future__ import annotations

import posixpath

from sidecar.api import DamagedError
from sidecar.api.ooxml.ole import inner_file
from sidecar_pptx.embeds import Embeds, Entry

_PACKAGES = {
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".xlsm": "application/vnd.ms-excel.sheet.macroEnabled.12",
    ".docm": "application/vnd.ms-word.document.macroEnabled.12",
    ".pptm": "application/vnd.ms-powerpoint.presentation.macroEnabled.12",
    ".xlsb": "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
    ".sldx": "application/vnd.openxmlformats-officedocument.presentationml.slide",
    ".pdf": "application/pdf",
}


def office_type(name: str) -> str:
    """The type of an embedded package by its name; "" for a compound file, whose inside must be looked at."""
    return _PACKAGES.get(posixpath.splitext(name)[1].lower(), "")


def object_entry(embeds: Embeds, ref: str) -> Entry | None:
    """The register's entry of an object part: named and typed by the inner file. None when the part is absent."""
    if embeds.known("attachment", ref):
        return embeds.add("attachment", ref)
    if ref not in embeds.package:
        return None
    known, size = office_type(ref), embeds.package.size(ref)
    if known:
        return embeds.add("attachment", ref, media_type=known, size=size)
    try:
        inner = inner_file(embeds.package.read(ref))
    except DamagedError:
        return embeds.add("attachment", ref, media_type="application/octet-stream", size=size)
    stem = posixpath.splitext(posixpath.basename(ref))[0]
    name = stem + posixpath.splitext(inner.name)[1] if inner.name.startswith("object.") else inner.name
    return embeds.add("attachment", ref, name=name, media_type=inner.media_type, size=len(inner.data))
