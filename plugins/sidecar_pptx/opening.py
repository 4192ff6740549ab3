"""The bytes behind an embed of a presentation, opened again: pictures, media, attached files, fonts.

Not responsible for finding them. `ref` is the part name.
"""

from __future__ import annotations

import posixpath

from sidecar.api import Limits, NotFoundError, Payload, Source
from sidecar.api.ooxml.ole import inner_file
from sidecar.api.ooxml.package import Package
from sidecar.api.pictures import HEAD_BYTES, sniff_image
from sidecar_pptx.embeds import media_type_of
from sidecar_pptx.fonts import font_type, unwrapped
from sidecar_pptx.objects import office_type


def open_part(source: Source, ref: str, limits: Limits) -> Payload:
    """The file behind `ref`.

    Raises:
        NotFoundError: no such part. FormatError: the file cannot be read.
    """
    with Package(source, limits) as package:
        if not ref or ref not in package:
            raise NotFoundError(f"{source.name} has no embedded part {ref!r}.")
        folder = posixpath.dirname(ref).lower()
        name = posixpath.basename(ref)
        data = package.read(ref)
        if name.lower().endswith(".fntdata"):
            media_type, suffix = font_type(data)
            return Payload(unwrapped(data), media_type, posixpath.splitext(name)[0] + suffix)
        picture = sniff_image(data[:HEAD_BYTES])
        if picture is not None:
            return Payload(data, picture.media_type, name, picture.width, picture.height)
        known = office_type(name)
        if known:
            return Payload(data, known, name)
        if "/embeddings" in folder or data.startswith(b"\xd0\xcf\x11\xe0"):
            inner = inner_file(data)
            named = posixpath.splitext(name)[0] + posixpath.splitext(inner.name)[1]
            return Payload(inner.data, inner.media_type, named if inner.name.startswith("object.") else inner.name)
        return Payload(data, media_type_of(data[:512], name) or package.content_type(ref) or _BYTES, name)


_BYTES = "application/octet-stream"
