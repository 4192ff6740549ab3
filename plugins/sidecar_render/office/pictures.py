"""Pictures as Word and PowerPoint take them: PNG, JPEG and GIF as they are, others as PNG."""

import io
from dataclasses import dataclass

from PIL import Image, UnidentifiedImageError

from sidecar_render.model import Picture

_TAKEN = ("PNG", "JPEG", "GIF")


@dataclass(frozen=True)
class Usable:
    """A picture that can be put in, with its size in pixels."""

    data: bytes
    width: int
    height: int


def usable(picture: Picture | None) -> Usable | None:
    """The picture; None where there is none, or nobody can draw it."""
    if picture is None or not picture.data:
        return None
    try:
        with Image.open(io.BytesIO(picture.data)) as image:
            if image.format in _TAKEN:
                return Usable(picture.data, image.width, image.height)
            out = io.BytesIO()
            image.convert("RGBA").save(out, "PNG")
            return Usable(out.getvalue(), image.width, image.height)
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None
