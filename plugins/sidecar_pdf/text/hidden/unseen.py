"""Finds text that the drawn page does not show although it is drawn: covered by what is drawn after it, in the colour
of what lies behind it, in a layer that is off (ISO 32000-1, 8.11), outside of its clip path, blended away, or of glyphs
without ink. Not responsible for invisible rendering modes and what stands off the page (`segments.flag_hidden`).

What may be unseen is told cheaply, by place, order and colour; then the page is drawn, or drawn with and without it."""

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product, repeat

from PIL import Image, ImageChops, ImageStat

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.geometry import ClipExtents, PageFrame, area, bounding_box
from sidecar_pdf.pdfium.graphics import Cover, PageGraphics
from sidecar_pdf.pdfium.pages import Opened
from sidecar_pdf.pdfium.rendering import RasterWindow, page_image, window_image
from sidecar_pdf.pdfium.tags import is_marked
from sidecar_pdf.text.segments import COVERED, INVISIBLE, Segment

_LAYER = 3
"""The rendering mode of a scan's text layer: some programs draw it in ink below the picture of the page."""
_DPI, _PIXELS = 36, 2_000_000
_MASK_DPI = 96
"""At which the glyphs of transparent text are looked for."""
_AROUND = 2.0
"""Points around them that are looked at too: a narrow letter fills its box."""
_MOVED = 0, -1, 1
"""Pixels by which they may be moved, as a shadow is."""
_WHITE, _FAINT, _ALIKE = 255, 6.0, 0.7
"""The lightest shade; deviation of shades, below which nothing is shown; correlation of what is shown with glyphs."""
_PAPER = 225
"""Shade of 255 from which on nothing is drawn."""
_SHADES = 6
"""Of 255: the most by which a page with text that cannot be seen differs from the same page without it."""
_LARGE = 6
"""Pixels of a line of text that leave its middle without the outermost ones."""
_SAME_COLOUR = 24
"""Difference of two colours, summed over red, green and blue, that an eye does not tell."""
_PAGE_SHARE = 0.25
"""Share of the page from which on a picture over text is the page, and the text its layer."""
_MAX_COVERS = 2_000
_BAND = 16.0
"""Points."""
_Colour = tuple[int, int, int]
_Placed = tuple[float, float, float, float, Cover]
"""Left, top, right and bottom of a cover beside it: each text is held against dozens."""
_LAYER_MARK = "OC".encode("utf-16-le")
"""What the content of a layer is marked as."""
_NAME_BYTES = 16
_MAX_DEPTH, _MAX_OBJECTS, _MAX_CLEAR = 8, 20_000, 600
"""Of forms in one another; objects of a page that are taken off it, and transparent ones that are looked for on it."""


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
    covers = graphics.covers[:_MAX_COVERS]
    suspects = _suspects(frame, graphics, covers, layers=layers)
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
    unseen = [one for one in suspects if _most(change, one.box) <= _SHADES]
    painted = _painted(document, page, unseen)
    unseen = [one for one in unseen if one.handle not in painted]
    return {one.handle: _LAYER if one.scan else COVERED for one in _without_doubles(unseen, suspects, frame, graphics)}


def _painted(document: Opened, page: int, unseen: list[_Suspect]) -> set[int]:
    """Those of the objects that are wholly transparent, and whose glyphs the page shows all the same: browsers paint a
    text in a gradient through a mask, or one with a shadow by its outlines, and write it without colour at their place
    or that of the shadow. Drawn alone in black and in white they tell where their glyphs are; the page without them
    must differ there from what is around."""
    colours = raw.integers(4)
    clear = [one for one in unseen if raw.fill_color(one.handle, *colours.addresses) and colours.values[3] == 0]
    clear = clear[:_MAX_CLEAR]
    if not clear:
        return set()
    around = _wider(bounding_box(one.box for one in clear), 2 * _AROUND)
    shown = window_image(document, page, _MASK_DPI, _PIXELS, around)
    own = {one.handle for one in clear}
    objects = map(raw.get_object, repeat(page), range(raw.count_objects(page)))
    others = [handle for handle in islice(_leaves(objects, _MAX_DEPTH), _MAX_OBJECTS) if handle not in own]
    drawn: list[Image.Image] = []
    try:
        for handle in others:
            raw.set_active(handle, 0)
        for shade in (0, _WHITE):
            for one in clear:
                raw.set_fill_color(one.handle, shade, shade, shade, 255)
            drawn.append(window_image(document, page, _MASK_DPI, _PIXELS, around).image)
    finally:
        for one in clear:
            raw.set_fill_color(one.handle, 0, 0, 0, 0)
        for handle in others:
            raw.set_active(handle, 1)
    glyphs = shown._replace(image=ImageChops.difference(*drawn))
    return {one.handle for one in clear if _shows(shown, glyphs, one.box)}


def _leaves(objects: Iterable[int], depth: int) -> Iterator[int]:
    """The objects that hold no others, those in forms too."""
    for handle in objects:
        if raw.object_type(handle) != raw.FORM:
            yield handle
        elif depth:
            inner = map(raw.get_form_object, repeat(handle), range(raw.count_form_objects(handle)))
            yield from _leaves(inner, depth - 1)


def _shows(shown: RasterWindow, glyphs: RasterWindow, box: Box) -> bool:
    """Whether a page shows glyphs in their box, or a pixel beside."""
    near = _wider(box, _AROUND)
    looked_for = _cropped(glyphs, near)
    moved = (shown._replace(left=shown.left + x, top=shown.top + y) for x, y in product(_MOVED, repeat=2))
    return any(_likeness(_cropped(one, near), looked_for) > _ALIKE for one in moved)


def _wider(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _likeness(shown: Image.Image | None, glyphs: Image.Image | None) -> float:
    """How far a picture shows what glyphs look like, lighter or darker than around them: their correlation, 0 to 1."""
    if shown is None or glyphs is None:
        return 0.0
    one, other = ImageStat.Stat(shown), ImageStat.Stat(glyphs)
    if min(one.stddev[0], other.stddev[0]) < _FAINT:
        return 0.0
    product = ImageStat.Stat(ImageChops.multiply(shown, glyphs)).mean[0] * _WHITE
    return abs(product - one.mean[0] * other.mean[0]) / (one.stddev[0] * other.stddev[0])


def _without_doubles(
    unseen: list[_Suspect], suspects: list[_Suspect], frame: PageFrame, graphics: PageGraphics
) -> list[_Suspect]:
    """Those of the objects without which the page looks the same that no other draws again at their very place, as some
    do for bold letters or by mistake: of both pdfium gives the first."""
    if not unseen:
        return []
    bounds, own = raw.floats(4), {one.handle for one in suspects}
    places = {
        _rounded(frame.box(*bounds.values))
        for handle in graphics.handles
        if handle not in own and raw.object_bounds(handle, *bounds.addresses)
    }
    return [one for one in unseen if _rounded(one.box) not in places]


def _rounded(box: Box) -> Box:
    left, top, right, bottom = (round(side, 1) for side in box)
    return left, top, right, bottom


def _suspects(frame: PageFrame, graphics: PageGraphics, covers: Sequence[Cover], *, layers: bool) -> list[_Suspect]:
    """Text objects that a later object covers, that have the colour of an earlier one below them, that are clipped or
    let through what is behind them, or in a layer."""
    found: list[_Suspect] = []
    transparent, clips = raw.has_transparency, ClipExtents((frame.left, frame.bottom, frame.right, frame.top))
    bounds, colours = raw.floats(4), raw.integers(4)
    name, size = ctypes.create_string_buffer(_NAME_BYTES), ctypes.c_ulong()
    page_area = frame.width * frame.height or 1.0
    palette = {cover.colour for cover in covers if cover.colour is not None}
    in_palette: dict[_Colour | None, bool] = {None: False}
    last = max((cover.texts for cover in covers), default=0)
    bands = _by_height(covers)
    for number, handle in enumerate(graphics.handles):
        optional = transparent(handle) or _is_clipped(handle, bounds, clips)
        optional = optional or (layers and is_marked(handle, _LAYER_MARK, name, size))
        if not optional and number >= last:
            if not palette:
                continue
            colour = _fill_colour(handle, colours)
            if colour not in in_palette:
                in_palette[colour] = any(_is_like(colour, other) for other in palette)
            if not in_palette[colour]:
                continue
        if not raw.object_bounds(handle, *bounds.addresses):
            continue
        box = frame.box(*bounds.values)
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        if not (0 <= x <= frame.width and 0 <= y <= frame.height):
            continue
        near = bands.get(int(y // _BAND), ())
        if not near and not optional:
            continue
        below = [cover for left, top, right, bottom, cover in near if left <= x <= right and top <= y <= bottom]
        over = [cover for cover in below if cover.texts > number]
        if not optional and not over:
            behind = below[-1].colour if below else None
            if not _is_like(_fill_colour(handle, colours), behind):
                continue
        if raw.text_mode(handle) not in INVISIBLE:
            scan = any(cover.colour is None and area(cover.box) > _PAGE_SHARE * page_area for cover in over)
            found.append(_Suspect(handle, box, scan))
    return found


def _is_clipped(handle: int, bounds: raw.Numbers[float], clips: ClipExtents) -> bool:
    """Whether the middle of a text object lies outside of its clip paths (8.5.4), by their extents."""
    clip = raw.clip_path(handle) or 0
    count = raw.count_clips(clip) if clip else 0
    extents = clips.of(clip, count) if count > 0 else ()
    if not extents or not raw.object_bounds(handle, *bounds.addresses):
        return False
    left, bottom, right, top = bounds.values
    x, y = (left + right) / 2, (bottom + top) / 2
    return any(not (left <= x <= right and bottom <= y <= top) for left, bottom, right, top in extents)


def _by_height(covers: Sequence[Cover]) -> dict[int, list[_Placed]]:
    """The covers of each band of the page: a table may have a thousand shaded cells."""
    bands: dict[int, list[_Placed]] = {}
    for cover in covers:
        left, top, right, bottom = cover.box
        for band in range(int(top // _BAND), int(bottom // _BAND) + 1):
            bands.setdefault(band, []).append((left, top, right, bottom, cover))
    return bands


def _fill_colour(handle: int, colours: raw.Numbers[int]) -> _Colour | None:
    if not raw.fill_color(handle, *colours.addresses):
        return None
    red, green, blue, _ = colours.values
    return red, green, blue


def _is_like(one: _Colour | None, other: _Colour | None) -> bool:
    """Whether two colours are the same as far as an eye can tell."""
    if one is None or other is None:
        return False
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) + abs(one[2] - other[2]) <= _SAME_COLOUR


def _most(change: RasterWindow, box: Box) -> int:
    """The largest change within a box."""
    crop = _cropped(change, box)
    return int(crop.getextrema()[1]) if crop else 0  # pyright: ignore[reportArgumentType] - one band


def _cropped(change: RasterWindow, box: Box) -> Image.Image | None:
    """What a picture shows within a box; None where that lies outside of it."""
    image, scale = change.image, change.scale
    left, top = max(int(box[0] * scale) - change.left, 0), max(int(box[1] * scale) - change.top, 0)
    right = min(int(box[2] * scale) + 2 - change.left, image.width)
    bottom = min(int(box[3] * scale) + 2 - change.top, image.height)
    return image.crop(_inner(left, top, right, bottom)) if right > left and bottom > top else None


def _inner(left: int, top: int, right: int, bottom: int) -> tuple[int, int, int, int]:
    """A box of pixels without its outermost ones, where it is large enough: what stands beside a text reaches into
    them, and what covers one may end in them."""
    if right - left >= _LARGE:
        left, right = left + 1, right - 2
    if bottom - top >= _LARGE:
        top, bottom = top + 1, bottom - 2
    return left, top, right, bottom


def is_suspect(segment: Segment) -> bool:
    """Whether only the drawn page tells if a segment is seen: white ones, but for those without which the page looks
    the same, and those in fonts without a name, whose glyphs the file draws as it likes (Type 3; 9.6.5)."""
    if segment.hidden:
        return segment.style.white and segment.style.mode != COVERED
    return not segment.style.font and segment.style.mode not in INVISIBLE


def check_suspect(
    document: Opened, page: int, shape: PageFrame, segments: list[Segment], known_hidden: dict[tuple[str, Box], bool]
) -> None:
    """White text stays hidden, and a font without a name shows nothing, only where the drawn page is white there:
    patterns and masks tell their colour to nobody else. `known_hidden` remembers what stands at the same place on every
    page."""
    white = [s for s in segments if is_suspect(s) and s.x1 > 0 and s.x0 < shape.width]
    keys = {id(s): (s.text, (round(s.x0), round(s.y0), round(s.x1), round(s.y1))) for s in white}
    if all(key in known_hidden for key in keys.values()):
        for segment in white:
            segment.hidden = known_hidden[keys[id(segment)]]
        return
    picture = page_image(document, page, _DPI, _PIXELS, gray=True)
    scale = shape.scale(picture.width)
    for segment in white:
        x0, y0, x1, y1 = shape.shown((segment.x0, segment.y0, segment.x1, segment.y1))
        left, top = max(int(x0 * scale), 0), max(int(y0 * scale), 0)
        right = min(int(x1 * scale) + 2, picture.width)
        bottom = min(int(y1 * scale) + 2, picture.height)
        if right > left and bottom > top:
            low, _ = picture.crop(_inner(left, top, right, bottom)).getextrema()
            segment.hidden = int(low) > _PAPER  # pyright: ignore[reportArgumentType] - one band, so one number
        known_hidden[keys[id(segment)]] = segment.hidden
