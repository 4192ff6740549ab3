"""Small pictures for samples."""

from __future__ import annotations

import io

from PIL import Image

__all__ = ["PNG", "make_png"]


def make_png(width: int = 40, height: int = 30) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (20, 120, 200)).save(out, "PNG")
    return out.getvalue()


PNG = make_png()
