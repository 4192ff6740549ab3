"""A picture of letters that the networks aboard do not know, as a picture file and as a scanned page, read by the
plugin for it with tesseract's help."""

from __future__ import annotations

import io
import zlib

from PIL import Image, ImageDraw, ImageOps
from sidecar_image.plugin import ImageFormat
from sidecar_pdf.plugin import PdfFormat
from support.formats.pdf_builder import Pdf

from sidecar.api import Limits, ParsedDocument, Source


def picture() -> Image.Image:
    """Gray, with lines of Latin letters as a mirror shows them."""
    image = Image.new("L", (900, 1200), 255)
    draw = ImageDraw.Draw(image)
    for top in range(100, 500, 60):
        draw.text((100, top), "The survey of rivers and of their banks, again", fill=0, font_size=28)
    return ImageOps.mirror(image)


def parse(name: str, seconds: float, *, known: bool = False) -> ParsedDocument:
    """The picture read as "image" or "pdf", within so many seconds; the other way round where its letters are to be
    `known`."""
    limits = Limits(max_seconds=seconds, ocr=True)
    image = ImageOps.mirror(picture()) if known else picture()
    if name == "image":
        out = io.BytesIO()
        image.save(out, "PNG")
        return ImageFormat().parse(Source.of_bytes(out.getvalue(), "scan.png"), limits)
    data = zlib.compress(image.tobytes())
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {image.width} /Height {image.height} /ColorSpace /DeviceGray"
        f" /BitsPerComponent 8 /Filter /FlateDecode /Length {len(data)} >>\nstream\n"
    )
    pdf = Pdf()
    shown = pdf.add(head.encode() + data + b"\nendstream")
    pdf.page("q 612 0 0 792 0 0 cm /Im0 Do Q\n", images={"Im0": shown})
    return PdfFormat().parse(Source.of_bytes(pdf.bytes(), "scan.pdf"), limits)


__all__ = ["parse", "picture"]
