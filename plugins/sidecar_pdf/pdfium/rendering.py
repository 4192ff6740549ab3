"""Draws a page into a bitmap, for a reader's eye or for OCR; the size in pixels is always bounded."""

from bisect import bisect
from itertools import accumulate
from typing import NamedTuple

from PIL import Image, ImageOps

from sidecar.api import Box, Limits, NotFoundError, Payload, Source
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.embedded import bitmap_image, png
from sidecar_pdf.pdfium.pages import Opened, loaded, opened

_MIN_SIDE, _MAX_SIDE = 0.1, 16_000
"""Points of a page; pixels of its picture."""
_MAX_PAGE_PIXELS = 40_000_000
"""A page picture is held several times over in memory (bitmap, Pillow, PNG); beyond this nobody looks at it whole."""
_ANNOTATIONS, _GRAYSCALE = 0x01, 0x08
_WHITE = 0xFFFFFFFF
_POINTS_PER_INCH = 72
_BGR, _GRAY = 2, 1
_LIGHT, _DARKER = 128, 60
"""Shades of 255: the darkest paper; by how much ink is darker than it."""
_FEW = 0.005
"""Share of a page's pixels that are darker, or lighter, than what is called its darkest, or its lightest."""


def draw_page(source: Source, part: int, dpi: int, limits: Limits) -> Payload:
    """Page `part` (1-based) as PNG.

    Raises:
        NotFoundError: there is no such page, or it cannot be loaded."""
    with opened(source, limits) as document:
        if not 1 <= part <= document.pages:
            raise NotFoundError(f"{source.name} has pages 1 to {document.pages}, not {part}.")
        with loaded(document, part - 1) as page:
            if not page:
                raise NotFoundError(f"Page {part} of {source.name} is damaged and cannot be drawn.")
            picture = page_image(document, page, dpi, min(limits.max_pixels, _MAX_PAGE_PIXELS))
    return Payload(png(picture), "image/png", f"page-{part}.png", picture.width, picture.height)


def page_image(document: Opened, page: int, dpi: int, max_pixels: int, *, gray: bool = False) -> Image.Image:
    """The page at `dpi`, or as near to it as `max_pixels` and the longest side allow; at least one pixel each way."""
    width, height = _size(page, dpi, max_pixels)
    return _drawn(document, page, (width, height), (0, 0, width, height), gray=gray)


def dark_on_light(picture: Image.Image) -> Image.Image:
    """A picture in shades of grey as it is, or the other way round where what most of it shows is nearer to its darkest
    shade than to its lightest: a page of light type, or a negative."""
    below = list(accumulate(picture.histogram()))
    darkest, middle, lightest = (bisect(below, share * below[-1]) for share in (_FEW, 0.5, 1 - _FEW))
    return ImageOps.invert(picture) if lightest - middle > middle - darkest else picture


def ink_of(picture: Image.Image) -> Image.Image:
    """A picture in shades of grey as white where there is ink and black where there is paper, whatever its shade."""
    shades = picture.histogram()
    paper = max(range(_LIGHT, 256), key=shades.__getitem__)
    return picture.point([255 if shade < paper - _DARKER else 0 for shade in range(256)])


class RasterWindow(NamedTuple):
    """Part of a page's picture: its pixels, where in the picture they begin, and pixels per point."""

    image: Image.Image
    left: int
    top: int
    scale: float


def window_image(document: Opened, page: int, dpi: int, max_pixels: int, box: Box) -> RasterWindow:
    """What `page_image` shows in a box (points of the shown page), in shades of grey: what stands apart from the box is
    not drawn, which saves most of the time."""
    width, height = _size(page, dpi, max_pixels)
    scale = width / max(float(raw.page_width(page)), _MIN_SIDE)
    left, top = min(max(int(box[0] * scale), 0), width - 1), min(max(int(box[1] * scale), 0), height - 1)
    right, bottom = (int(edge * scale) + 2 for edge in box[2:])
    right, bottom = min(max(right, left + 1), width), min(max(bottom, top + 1), height)
    image = _drawn(document, page, (width, height), (left, top, right, bottom), gray=True)
    return RasterWindow(image, left, top, scale)


def _size(page: int, dpi: int, max_pixels: int) -> tuple[int, int]:
    across, down = max(float(raw.page_width(page)), _MIN_SIDE), max(float(raw.page_height(page)), _MIN_SIDE)
    scale = max(dpi, 1) / _POINTS_PER_INCH
    scale = min(scale, (max_pixels / (across * down)) ** 0.5, _MAX_SIDE / across, _MAX_SIDE / down)
    width, height = max(int(across * scale + 0.5), 1), max(int(down * scale + 0.5), 1)
    return min(width, _MAX_SIDE), min(height, _MAX_SIDE)


def _drawn(
    document: Opened, page: int, size: tuple[int, int], window: tuple[int, int, int, int], *, gray: bool
) -> Image.Image:
    """The pixels of a window (left, top, right, bottom) of the page drawn in that size."""
    left, top = window[:2]
    width, height = window[2] - left, window[3] - top
    bitmap = raw.new_bitmap(width, height, _GRAY if gray else _BGR, None, 0) or 0
    if not bitmap:
        raise NotFoundError(f"A picture of {width} × {height} pixels needs more memory than there is.")
    try:
        raw.fill_bitmap(bitmap, 0, 0, width, height, _WHITE)
        flags = _ANNOTATIONS | (_GRAYSCALE if gray else 0)
        raw.render(bitmap, page, -left, -top, *size, 0, flags)
        if document.forms:
            raw.draw_forms(document.forms, bitmap, page, -left, -top, *size, 0, flags)
        return bitmap_image(bitmap)
    finally:
        raw.free_bitmap(bitmap)
