"""The bytes behind an embed of a presentation, opened again: pictures, media, attached files, fonts.

Not responsible for finding them. `ref` is the part name.
"""

from __future__ import annotations

import posixpath

from sidecar.api import Limits, NotFoundError, Payload, Source
from sidecar.toolkit.ooxml import embedded
from sidecar.toolkit.ooxml.package import Package
from sidecar_pptx.fonts import font_type, unwrapped


def open_part(source: Source, ref: str, limits: Limits) -> Payload:
    """The file behind `ref`.

    Raises:
        NotFoundError: no such part. FormatError: the file cannot be read.
    """
    with Package(source, limits) as package:
        if not ref or ref not in package:
            raise NotFoundError(f"{source.name} has no embedded part {ref!r}.")
        if ref.lower().endswith(".fntdata"):
            data = package.read(ref)
            media_type, suffix = font_type(data)
            return Payload(unwrapped(data), media_type, posixpath.splitext(posixpath.basename(ref))[0] + suffix)
        return embedded.open_part(package, ref)
