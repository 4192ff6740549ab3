"""Boxes as shown, in points with y downwards, and how page space (ISO 32000-1, 8.3.2.3) maps to them."""

import ctypes
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sidecar.api import Box
from sidecar_pdf.pdfium import raw

Vector = tuple[float, float]
"""A direction, of any length."""
_MIN_WIDTH = 0.1
"""Points, of a page that a picture is measured by: a file may say that it has no width."""
_SHARED = 0.5
"""Of the height of the lower of two boxes on one line."""
_SAME_LINE, _MIN_DASH_GAP, _MAX_DASH_GAP = 0.1, 0.2, 4.0
"""Points between the sides of two dashes of one line, and from one to the next; modules of bar codes touch."""
_FILLED = 0.9
"""Of a frame, and of the picture that fills it."""
_MIN_DASHES = 10
_STROKE = 1
"""A text rendering mode."""
_MAX_CLIPS, _MAX_CLIP_SEGMENTS = 8, 64
"""Clip paths of an object, and segments of one, that are looked at."""
_FLAT, _EXTENT = 0.02, 0.2
"""Points: a narrower text object has no extent to pdfium; the extent it is given."""


def is_slide(width: float, height: float) -> bool:
    """Whether a page has the shape of a slide: wider than high, as all formats of presentations are (4:3, 16:10, 16:9)
    and pages to be read hardly ever."""
    return width > height


def bounding_box(boxes: Iterable[Box]) -> Box:
    """The smallest box around all of them, of which there must be one."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def union(one: Box, other: Box) -> Box:
    """The smallest box around both."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def common(one: Box, other: Box) -> Box:
    """What two boxes share; its sides change places where that is nothing."""
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def area(box: Box) -> float:
    """In square points."""
    return (box[2] - box[0]) * (box[3] - box[1])


def lines_of(boxes: Sequence[Box], is_apart: Callable[[Sequence[int], int], bool] | None = None) -> list[list[int]]:
    """The places of boxes on one line each, top to bottom: those that share half of the height of the lower of them and
    of the tallest of the line, unless `is_apart` says otherwise of a line and a place."""
    lines: list[list[int]] = []
    top = bottom = 0.0
    for at in sorted(range(len(boxes)), key=lambda at: boxes[at][1] + boxes[at][3]):
        _, y0, _, y1 = boxes[at]
        beside = lines and min(bottom, y1) - max(top, y0) > _SHARED * min(bottom - top, y1 - y0)
        if beside and not (is_apart is not None and is_apart(lines[-1], at)):
            lines[-1].append(at)
            top, bottom = (y0, y1) if y1 - y0 > bottom - top else (top, bottom)
        else:
            lines.append([at])
            top, bottom = y0, y1
    return lines


def contains_centre(box: Box, inner: Box) -> bool:
    """Whether the middle of `inner` lies in the box."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def lies_within(inner: Box, box: Box) -> bool:
    """Whether a box lies inside another without touching its head and foot."""
    return box[1] + 1 < inner[1] and inner[3] < box[3] - 1 and box[0] - 1 < inner[0] and inner[2] < box[2] + 1


def is_filled(frame: Box, picture: Box) -> bool:
    """Whether a picture fills a frame, as a heat map does that is painted as one, with its figures over it."""
    return contains_centre(frame, picture) and _FILLED * area(frame) < area(picture) < area(frame) / _FILLED


def overlap_across(one: Box, other: Box) -> float:
    """Points both share from left to right; negative where they stand apart."""
    return min(one[2], other[2]) - max(one[0], other[0])


@dataclass(frozen=True)
class PageFrame:
    """How page space (y up, unrotated) maps to what is shown (y down, rotated, cropped), all in points."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int
    width: float
    height: float

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A rectangle of page space as shown."""
        if self.rotation == 0:
            return left - self.left, self.top - top, right - self.left, self.top - bottom
        if self.rotation == 1:
            return bottom - self.bottom, left - self.left, top - self.bottom, right - self.left
        if self.rotation == 2:
            return self.right - right, bottom - self.bottom, self.right - left, top - self.bottom
        return self.top - top, self.right - right, self.top - bottom, self.right - left

    def vector(self, x: float, y: float) -> Vector:
        """A direction of page space as shown."""
        return ((x, -y), (y, x), (-x, y), (-y, -x))[self.rotation]

    def shown(self, box: Box) -> Box:
        """A box of this frame on the shown page: the same, but for a frame that is turned."""
        return box

    def scale(self, pixels: int) -> float:
        """Pixels of a point in a picture of the shown page that is so many pixels wide."""
        return pixels / max(self.shown((0.0, 0.0, self.width, self.height))[2], _MIN_WIDTH)


def frame(page: int) -> PageFrame:
    """The page's frame: the crop box inside the media box, and `/Rotate`."""
    rect = raw.Rect()
    rotation = raw.page_rotation(page) % 4
    width, height = float(raw.page_width(page)), float(raw.page_height(page))
    if raw.page_bounds(page, rect) and rect.right > rect.left and rect.top > rect.bottom:
        return PageFrame(rect.left, rect.bottom, rect.right, rect.top, rotation, width, height)
    across, up = (height, width) if rotation % 2 else (width, height)
    return PageFrame(0.0, 0.0, across, up, rotation, width, height)


class DashedLines:
    """Puts the dashes and dots of lines together, in the order in which they are drawn one by one: browsers draw dashed
    borders so. Of lines along an axis alone, with dashes of one width."""

    def __init__(self) -> None:
        self.found: list[Box] = []
        self._box: Box = (0.0, 0.0, 0.0, 0.0)
        self._count = 0

    def add(self, box: Box) -> None:
        """Takes the next small shape of a page."""
        if self._count and (_goes_on(self._box, box, 0) or _goes_on(self._box, box, 1)):
            self._box, self._count = union(self._box, box), self._count + 1
        else:
            self.close()
            self._box, self._count = box, 1

    def close(self) -> None:
        """Ends the last line."""
        if self._count >= _MIN_DASHES:
            self.found.append(self._box)
        self._count = 0


def _goes_on(line: Box, dash: Box, axis: int) -> bool:
    """Whether a dash stands behind the last one of a line, or before the first, along an axis, as wide as the line."""
    other = 1 - axis
    level = abs(dash[other] - line[other]) < _SAME_LINE and abs(dash[other + 2] - line[other + 2]) < _SAME_LINE
    apart = max(dash[axis] - line[axis + 2], line[axis] - dash[axis + 2])
    return level and _MIN_DASH_GAP < apart < _MAX_DASH_GAP


def give_extent(text_objects: Iterable[int]) -> int:
    """Gives text objects of no width a hair's, and says how many there were: pdfium leaves them out of the text, which
    loses single characters in fonts that neither the file nor the machine has, and vertical writing in fonts that state
    no glyph widths. pdfium counts half the line width to the extent of stroked text (ISO 32000-1, 9.3.6), and computes
    it anew when an object is transformed, so each is stroked for the length of a transformation that moves nothing."""
    bounds, width = raw.floats(4), ctypes.c_float()
    given = 0
    for handle in text_objects:
        flat = raw.object_bounds(handle, *bounds.addresses) and bounds.values[2] - bounds.values[0] < _FLAT
        if flat and raw.stroke_width(handle, width):
            mode = raw.text_mode(handle)
            raw.set_text_mode(handle, _STROKE)
            raw.set_stroke_width(handle, _EXTENT)
            raw.transform_object(handle, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
            raw.set_text_mode(handle, mode)
            raw.set_stroke_width(handle, width.value)
            given += 1
    return given


class ClipExtents:
    """The extents of clip paths (ISO 32000-1, 8.5.4) of one page, as long as it is open: most of its objects share one,
    which is told by the address of its first segment. Those around all of `page` (left, bottom, right and top) clip
    nothing of it, and are left out."""

    def __init__(self, page: Box | None = None) -> None:
        self._page = page
        self._point = raw.floats(2)
        self._known: dict[int, Box | None] = {}

    def of(self, clip: int, count: int) -> list[Box]:
        """Left, bottom, right and top of each of `count` paths, less single lines and what is too long to look at."""
        found: list[Box] = []
        for index in range(min(count, _MAX_CLIPS)):
            first = raw.clip_segment(clip, index, 0) or 0
            if first not in self._known:
                self._known[first] = self._extent(clip, index)
            extent = self._known[first]
            if extent is not None:
                found.append(extent)
        return found

    def _extent(self, clip: int, index: int) -> Box | None:
        count = raw.count_clip_segments(clip, index)
        xs: list[float] = []
        ys: list[float] = []
        for at in range(count if 2 < count <= _MAX_CLIP_SEGMENTS else 0):
            segment = raw.clip_segment(clip, index, at) or 0
            if segment and raw.segment_point(segment, *self._point.addresses):
                x, y = self._point.values
                xs.append(x)
                ys.append(y)
        if not xs:
            return None
        left, bottom, right, top = min(xs), min(ys), max(xs), max(ys)
        page = self._page
        around = page and left <= page[0] and bottom <= page[1] and right >= page[2] and top >= page[3]
        return None if around else (left, bottom, right, top)
