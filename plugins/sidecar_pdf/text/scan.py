"""Reads what a page draws besides text: images, ruling lines, filled areas and other paths, all as shown boxes.

It records; what a set of paths means (a table, a figure, a background) is decided in `tables` and `figures`.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.pages import PageFrame

_TEXT, _PATH, _IMAGE, _SHADING, _FORM = 1, 2, 3, 4, 5
_LINE, _BEZIER, _MOVE = 0, 1, 2
_MAX_OBJECTS = 20_000
"""Objects read on one page; maps and plots hold more, and past this their outline no longer changes."""
_MAX_DEPTH = 6
_MAX_SEGMENTS = 4_000
_THIN = 3.0
"""Points; a filled or stroked shape thinner than this is a ruling line."""

_CLIPPED = 1_500.0
"""Square points from which on an object is worth asking for its clip paths: most of a page's objects are smaller."""
_MAX_CLIPS, _MAX_CLIP_SEGMENTS = 8, 64

Affine = tuple[float, float, float, float, float, float]
IDENTITY: Affine = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class PlacedImage:
    """An image where it is shown. `path` leads to it through nested forms: page object, form object, …"""

    box: Box
    path: tuple[int, ...]
    handle: int
    """pdfium's, valid while the page is open."""


@dataclass(slots=True)
class Scene:
    """Everything drawn on one page. Rules are `(position, start, end)` along the other axis."""

    images: list[PlacedImage] = field(default_factory=list[PlacedImage])
    horizontal: list[tuple[float, float, float]] = field(default_factory=list[tuple[float, float, float]])
    vertical: list[tuple[float, float, float]] = field(default_factory=list[tuple[float, float, float]])
    shapes: list[Box] = field(default_factory=list[Box])
    """Paths that are neither rules nor plain rectangles: curves, slanted lines, polygons, shadings."""
    curves: list[Box] = field(default_factory=list[Box])
    """Those of `shapes` that are stroked and not filled: the curves of a plot, not its backgrounds."""
    rects: list[Box] = field(default_factory=list[Box])
    """Plain rectangles, stroked or filled with something other than white."""
    dark: list[Box] = field(default_factory=list[Box])
    """Areas filled so that white text on them can be read."""
    covers: list[Box] = field(default_factory=list[Box])
    """White filled areas, which hide nothing by themselves but make no figure either."""
    drawings: list[Box] = field(default_factory=list[Box])
    """Figures seen in a scan (`ink`)."""
    backdrop: bool = False
    """Whether the page is the picture of one."""
    fields: list[Box] = field(default_factory=list[Box])
    """Where form fields stand; the reader of annotations puts them here."""
    texts: int = 0
    """Text objects on the page itself."""
    unread: bool = False
    """Most text objects gave no text: vertical writing in fonts whose metrics pdfium cannot make out."""
    truncated: bool = False


class Scanner:
    """Walks the objects of one page once; keeps the C buffers it reads into."""

    def __init__(self, frame: PageFrame) -> None:
        self.scene = Scene()
        self._frame = frame
        self._floats = [ctypes.c_float() for _ in range(4)]
        self._colors = [ctypes.c_uint() for _ in range(4)]
        self._fill, self._stroke = ctypes.c_int(), ctypes.c_int()
        self._matrix = raw.Matrix()
        self._objects = 0
        self._segments = 0

    def page(self, page: int) -> Scene:
        get_object, object_type = raw.get_object, raw.object_type
        for index in range(raw.count_objects(page)):
            handle = get_object(page, index)
            kind = object_type(handle) if handle else 0
            if kind == _TEXT:
                self.scene.texts += 1
            else:
                self._object(handle, kind, (index,), IDENTITY)
                if self._objects > _MAX_OBJECTS:
                    self.scene.truncated = True
                    break
        return self.scene

    def _object(self, handle: int, kind: int, path: tuple[int, ...], affine: Affine) -> None:
        self._objects += 1
        if kind == _PATH:
            self._path(handle, affine)
        elif kind == _IMAGE:
            box = self._visible(handle, affine)
            if box is not None:
                self.scene.images.append(PlacedImage(box, path, handle))
        elif kind == _SHADING:
            box = self._visible(handle, affine)
            if box is not None:
                self.scene.shapes.append(box)
                self.scene.dark.append(box)
        elif kind == _FORM and len(path) < _MAX_DEPTH:
            self._form(handle, path, affine)

    def _form(self, handle: int, path: tuple[int, ...], outer: Affine) -> None:
        inner = outer
        if raw.object_matrix(handle, self._matrix):
            m = self._matrix
            inner = _compose((m.a, m.b, m.c, m.d, m.e, m.f), outer)
        for index in range(raw.count_form_objects(handle)):
            child = raw.get_form_object(handle, index)
            kind = raw.object_type(child) if child else 0
            if kind != _TEXT:
                self._object(child, kind, (*path, index), inner)
            if self._objects > _MAX_OBJECTS:
                return

    def _bounds(self, handle: int, affine: Affine) -> Box | None:
        left, bottom, right, top = self._floats
        if not raw.object_bounds(handle, left, bottom, right, top):
            return None
        return self._shown(left.value, bottom.value, right.value, top.value, affine)

    def _visible(self, handle: int, affine: Affine) -> Box | None:
        """The bounds less what clip paths hide (ISO 32000-1, 8.5.4); None where nothing is left to see."""
        box = self._bounds(handle, affine)
        if box is None or (box[2] - box[0]) * (box[3] - box[1]) < _CLIPPED:
            return box
        clip = raw.clip_path(handle) or 0
        if not clip:
            return box
        left, top, right, bottom = box
        x, y = self._floats[0], self._floats[1]
        for index in range(min(raw.count_clips(clip), _MAX_CLIPS)):
            count = raw.count_clip_segments(clip, index)
            if not 2 < count <= _MAX_CLIP_SEGMENTS:
                continue
            xs: list[float] = []
            ys: list[float] = []
            for at in range(count):
                segment = raw.clip_segment(clip, index, at) or 0
                if segment and raw.segment_point(segment, x, y):
                    xs.append(x.value)
                    ys.append(y.value)
            if not xs:
                continue
            seen = self._shown(min(xs), min(ys), max(xs), max(ys), affine)
            left, top = max(left, seen[0]), max(top, seen[1])
            right, bottom = min(right, seen[2]), min(bottom, seen[3])
        return (left, top, right, bottom) if right >= left and bottom >= top else None

    def _shown(self, left: float, bottom: float, right: float, top: float, affine: Affine) -> Box:
        if affine is not IDENTITY:
            a, b, c, d, e, f = affine
            xs = (
                a * left + c * bottom + e,
                a * right + c * top + e,
                a * left + c * top + e,
                a * right + c * bottom + e,
            )
            ys = (
                b * left + d * bottom + f,
                b * right + d * top + f,
                b * left + d * top + f,
                b * right + d * bottom + f,
            )
            left, right, bottom, top = min(xs), max(xs), min(ys), max(ys)
        return self._frame.box(left, bottom, right, top)

    def _path(self, handle: int, affine: Affine) -> None:
        if not raw.draw_mode(handle, self._fill, self._stroke):
            return
        filled, stroked = self._fill.value != 0, self._stroke.value != 0
        if not (filled or stroked):
            return
        box = self._visible(handle, affine)
        if box is None:
            return
        frame = self._frame
        x0, y0, x1, y1 = max(box[0], 0.0), max(box[1], 0.0), min(box[2], frame.width), min(box[3], frame.height)
        width, height = x1 - x0, y1 - y0
        if width < 0 or height < 0:
            return
        scene = self.scene
        if filled and not stroked and width * height > 60 and self._is_white(handle, stroke=False):
            scene.covers.append((x0, y0, x1, y1))
            return
        if height <= _THIN or width <= _THIN:
            if not filled and self._is_white(handle, stroke=True):
                return
            if width >= 4 and width > height:
                scene.horizontal.append(((y0 + y1) / 2, x0, x1))
            elif height >= 4 and height > width:
                scene.vertical.append(((x0 + x1) / 2, y0, y1))
            return
        count = raw.count_segments(handle)
        straight = self._straight(handle, count, affine)
        if straight is None:
            scene.shapes.append((x0, y0, x1, y1))
            (scene.dark if filled else scene.curves).append((x0, y0, x1, y1))
        elif count <= 6:
            scene.rects.append((x0, y0, x1, y1))
            if filled:
                scene.dark.append((x0, y0, x1, y1))
            if stroked and not self._is_white(handle, stroke=True):
                scene.horizontal += ((y0, x0, x1), (y1, x0, x1))
                scene.vertical += ((x0, y0, y1), (x1, y0, y1))
        else:
            if filled:
                scene.dark.append((x0, y0, x1, y1))
            for ax, ay, bx, by in straight:
                if abs(ay - by) < 0.8 and abs(ax - bx) >= 4:
                    scene.horizontal.append(((ay + by) / 2, min(ax, bx), max(ax, bx)))
                elif abs(ax - bx) < 0.8 and abs(ay - by) >= 4:
                    scene.vertical.append(((ax + bx) / 2, min(ay, by), max(ay, by)))

    def _is_white(self, handle: int, *, stroke: bool) -> bool:
        red, green, blue, alpha = self._colors
        call = raw.stroke_color if stroke else raw.fill_color
        if not call(handle, red, green, blue, alpha):
            return False
        return alpha.value < 8 or min(red.value, green.value, blue.value) > 250

    def _straight(self, handle: int, count: int, affine: Affine) -> list[tuple[float, float, float, float]] | None:
        """The path's lines when all run along an axis, else None. Closing lines are left out: rectangles are read
        from their bounds."""
        self._segments += count
        if count < 2 or count > 2_000 or self._segments > _MAX_SEGMENTS * 10:
            return None
        if count > 6 and raw.object_matrix(handle, self._matrix):  # points are told before the path's own matrix
            m = self._matrix
            if min(abs(m.a), abs(m.b)) > 1e-3 * max(abs(m.a), abs(m.b)):
                return None  # neither upright nor turned by a right angle
            affine = _compose((m.a, m.b, m.c, m.d, m.e, m.f), affine)
        lines: list[tuple[float, float, float, float]] = []
        x, y = self._floats[0], self._floats[1]
        last_x = last_y = 0.0
        for index in range(count):
            segment = raw.get_segment(handle, index)
            kind = raw.segment_type(segment)
            if kind == _BEZIER or not raw.segment_point(segment, x, y):
                return None
            px, py = x.value, y.value
            if kind == _LINE:
                if abs(px - last_x) > 1.0 and abs(py - last_y) > 1.0:
                    return None
                if count > 6:
                    ax, ay, bx, by = self._shown(
                        min(last_x, px), min(last_y, py), max(last_x, px), max(last_y, py), affine
                    )
                    lines.append((ax, ay, bx, by))
            last_x, last_y = px, py
        return lines


def _compose(inner: Affine, outer: Affine) -> Affine:
    """First `inner`, then `outer` (ISO 32000-1, 8.3.4)."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)
