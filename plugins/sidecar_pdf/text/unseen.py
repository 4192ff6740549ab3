"""Finds text objects that the drawn page does not show although they are drawn: covered by what is drawn after them, in
the colour of what lies behind them, or in a layer that is off (ISO 32000-1, 8.11). Not responsible for white text,
invisible rendering modes and what stands off the page (`segments.flag_hidden`).

What may be unseen is told cheaply, by place, order and colour; then the page is drawn with and without it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import ImageChops

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.geometry import PageFrame, area, bounding_box
from sidecar_pdf.pdfium.graphics import Cover, PageGraphics
from sidecar_pdf.pdfium.pages import Opened
from sidecar_pdf.pdfium.rendering import Window, window_image
from sidecar_pdf.text.segments import COVERED, INVISIBLE

__all__ = ["may_have_layers", "unseen_objects"]

_LAYER = 3
"""The rendering mode of a scan's text layer: some programs draw it in ink below the picture of the page."""
_DPI, _PIXELS = 36, 2_000_000
_SHADES = 6
"""Of 255: the most by which a page with text that cannot be seen differs from the same page without it."""
_SAME_COLOUR = 24
"""Difference of two colours, summed over red, green and blue, that an eye does not tell."""
_PAGE_SHARE = 0.25
"""Share of the page from which on a picture over text is the page, and the text its layer."""
_MOST_COVERS = 2_000
_BAND = 16.0
"""Points."""
_MOST_MARKS = 4
_NAME_BYTES = 16
_Colour = tuple[int, int, int]
_OPTIONAL = "OC".encode("utf-16-le")


@dataclass(frozen=True)
class _Suspect:
    """A text object that may be unseen, and what the drawn page would have to show of it."""

    handle: int
    box: Box
    scan: bool


def may_have_layers(data: bytes) -> bool:
    """Whether a file may have optional content: its name stands in it, or may stand in a packed object."""
    return b"/OCProperties" in data or b"/ObjStm" in data


def unseen_objects(
    document: Opened, page: int, frame: PageFrame, graphics: PageGraphics, *, layers: bool
) -> dict[int, int]:
    """The text objects that cannot be seen, and the rendering mode that says so. `layers`: the file may have some."""
    covers = graphics.covers[:_MOST_COVERS]
    suspects = list(_suspects(frame, graphics, covers, layers=layers)) if covers or layers else []
    if not suspects:
        return {}
    around = bounding_box(one.box for one in suspects)
    before = window_image(document, page, _DPI, _PIXELS, around)
    modes = [raw.text_mode(one.handle) for one in suspects]
    for one in suspects:
        raw.set_text_mode(one.handle, _LAYER)
    try:
        after = window_image(document, page, _DPI, _PIXELS, around)
    finally:
        for one, mode in zip(suspects, modes, strict=True):
            raw.set_text_mode(one.handle, mode)
    change = before._replace(image=ImageChops.difference(before.image, after.image))
    return {one.handle: _LAYER if one.scan else COVERED for one in suspects if _most(change, one.box) <= _SHADES}


def _suspects(frame: PageFrame, graphics: PageGraphics, covers: Sequence[Cover], *, layers: bool) -> list[_Suspect]:
    """Text objects that a later object covers, that have the colour of an earlier one below them, or in a layer."""
    found: list[_Suspect] = []
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    colours = [ctypes.c_uint() for _ in range(4)]
    name, size = ctypes.create_string_buffer(_NAME_BYTES), ctypes.c_ulong()
    page_area = frame.width * frame.height or 1.0
    palette = {cover.colour for cover in covers if cover.colour is not None}
    in_palette: dict[_Colour | None, bool] = {None: False}
    last = max((cover.texts for cover in covers), default=0)
    bands = _by_height(covers)
    for number, handle in enumerate(graphics.handles):
        optional = layers and _is_optional(handle, name, size)
        if not optional and number >= last:
            colour = _fill_colour(handle, colours)
            if colour not in in_palette:
                in_palette[colour] = any(_is_like(colour, other) for other in palette)
            if not in_palette[colour]:
                continue
        if not raw.object_bounds(handle, left, bottom, right, top):
            continue
        box = frame.box(left.value, bottom.value, right.value, top.value)
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        if not (0 <= x <= frame.width and 0 <= y <= frame.height):
            continue
        near = bands.get(int(y // _BAND), ())
        if not near and not optional:
            continue
        below = [cover for cover in near if cover.box[0] <= x <= cover.box[2] and cover.box[1] <= y <= cover.box[3]]
        over = [cover for cover in below if cover.texts > number]
        if not optional and not over:
            behind = below[-1].colour if below else None
            if not _is_like(_fill_colour(handle, colours), behind):
                continue
        if raw.text_mode(handle) not in INVISIBLE:
            scan = any(cover.colour is None and area(cover.box) > _PAGE_SHARE * page_area for cover in over)
            found.append(_Suspect(handle, box, scan))
    return found


def _by_height(covers: Sequence[Cover]) -> dict[int, list[Cover]]:
    """The covers of each band of the page: a table may have a thousand shaded cells."""
    bands: dict[int, list[Cover]] = {}
    for cover in covers:
        for band in range(int(cover.box[1] // _BAND), int(cover.box[3] // _BAND) + 1):
            bands.setdefault(band, []).append(cover)
    return bands


def _fill_colour(handle: int, colours: Sequence[ctypes.c_uint]) -> _Colour | None:
    red, green, blue, alpha = colours
    return (red.value, green.value, blue.value) if raw.fill_color(handle, red, green, blue, alpha) else None


def _is_like(one: _Colour | None, other: _Colour | None) -> bool:
    """Whether two colours are the same as far as an eye can tell."""
    if one is None or other is None:
        return False
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) + abs(one[2] - other[2]) <= _SAME_COLOUR


def _is_optional(handle: int, name: ctypes.Array[ctypes.c_char], size: ctypes.c_ulong) -> bool:
    """Whether a text object stands in a layer: marked content called OC."""
    for index in range(min(raw.count_marks(handle), _MOST_MARKS)):
        mark = raw.get_mark(handle, index) or 0
        if mark and raw.mark_name(mark, name, _NAME_BYTES, size) and name.raw[: size.value - 2] == _OPTIONAL:
            return True
    return False


def _most(change: Window, box: Box) -> int:
    """The largest change within a box."""
    image, scale = change.image, change.scale
    left, top = max(int(box[0] * scale) - change.left, 0), max(int(box[1] * scale) - change.top, 0)
    right = min(int(box[2] * scale) + 2 - change.left, image.width)
    bottom = min(int(box[3] * scale) + 2 - change.top, image.height)
    if right <= left or bottom <= top:
        return 0
    return int(image.crop((left, top, right, bottom)).getextrema()[1])  # pyright: ignore[reportArgumentType] - one band
