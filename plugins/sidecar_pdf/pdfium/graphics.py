"""Reads the graphics objects of a page besides its text (ISO 32000-1, 8.2): images, paths, shadings and forms, as boxes
and ruling lines as shown. It records; what a set of paths means (a table, a figure, a background) `layout` decides."""

import ctypes
from dataclasses import dataclass, field
from typing import NamedTuple

from sidecar.api import Box
from sidecar.toolkit.drawn.affine import IDENTITY, Affine, around, concatenated
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.fonts import is_white
from sidecar_pdf.pdfium.geometry import ClipExtents, DashedLines, PageFrame, area, common
from sidecar_pdf.pdfium.raw import BEZIER, FORM, IMAGE, LINE, PATH, SHADING, TEXT

# Bounds: maps and plots hold more, and past them their outline no longer changes.
_MAX_OBJECTS = 20_000
_MAX_DEPTH = 6  # forms within forms
_MAX_SEGMENTS, _MAX_PAGE_SEGMENTS = 2_000, 40_000  # of a path, and of all paths of a page
_MIN_OUTLINE, _MAX_OUTLINE, _MAX_OUTLINES = 8, 128, 200  # segments of a shape that may be a sign; of a page
# Points, chosen on the corpus.
_RULE_THICKNESS = 3.0  # a thinner shape is a ruling line
_BAND_THICKNESS = 8.0  # a line as thick or thicker is a band of colour and no rule
_RULE_LENGTH, _DASH_LENGTH = 4.0, 8.0  # a shorter line is a speck; one of several, at most, that are one line
_SPECK, _SPECK_SHAPE, _MAX_SPECKS = 1.0, 2.0, 400  # points of its shorter side, at least; times that; of a page
_AXIS_TOLERANCE, _SLANT = 0.8, 1.0  # by which a line along an axis may lean; both ways from which on it is slanted
_BAR_LENGTH, _BAR_SHAPE = 2.0, 3.0  # points of the bar of a fraction; times its height
_MIN_FILL = 60.0  # square points from which on a white area can cover something
_INSIDE = 1.0  # points by which an area lies clear within another
_GROUNDS = 8  # areas drawn last that may be the ground of one
_CLIPPED = 1_500.0  # square points from which on clip paths are asked for: most objects are smaller
_LIGHT = 245  # of 255: white, near enough
_CLEAR = 127  # of 255: an area no more opaque than that lets text below it be read
_RIGHT_ANGLE = 1e-3  # of the larger part of a matrix row: what its smaller part may be
_RECTANGLE_SEGMENTS, _LINE_SEGMENTS = 6, 2  # a rectangle's, closing line included; of a single line

Line = tuple[float, float, float, float]
Rule = tuple[float, float, float]
"""A ruling line: its position, and its start and end along the other axis."""


@dataclass(frozen=True)
class PlacedImage:
    """An image where it is shown. `path` leads to it through nested forms: page object, form object, …"""

    box: Box
    path: tuple[int, ...]
    handle: int
    """pdfium's, valid while the page is open."""


class Cover(NamedTuple):
    """Something that may lie over text or give it its background: a filled area with its colour, or a picture (None).
    `texts` text objects were drawn before it."""

    box: Box
    colour: tuple[int, int, int] | None
    texts: int


class Speck(NamedTuple):
    """A shape too small to draw anything by itself: the mark before an item of a list, a dot of a plot. One whose
    outline is not that of a rectangle is `round`."""

    box: Box
    round: bool
    filled: bool


class FilledPath(NamedTuple):
    """A filled shape that may be a sign: what of it is seen, pdfium's handle, valid while the page is open, and the
    matrix of the forms around it."""

    box: Box
    handle: int
    affine: Affine


@dataclass(slots=True)
class PageGraphics:
    """Everything drawn on one page besides its text."""

    images: list[PlacedImage] = field(default_factory=list[PlacedImage])
    horizontal: list[Rule] = field(default_factory=list[Rule])
    vertical: list[Rule] = field(default_factory=list[Rule])
    bars: list[Rule] = field(default_factory=list[Rule])
    """Level strokes too short for the rule of a table, as over and under a single digit of a fraction."""
    shapes: list[Box] = field(default_factory=list[Box])
    """Paths that are neither rules nor plain rectangles: curves, slanted lines, polygons, shadings."""
    curves: list[Box] = field(default_factory=list[Box])
    """Those of `shapes` that are stroked and not filled: the curves of a plot, not its backgrounds."""
    rects: list[Box] = field(default_factory=list[Box])
    """Plain rectangles, stroked or filled with something other than white."""
    outlines: list[FilledPath] = field(default_factory=list[FilledPath])
    """Those of `shapes` that may be signs, a few hundred at most."""
    specks: list[Speck] = field(default_factory=list[Speck])
    """Shapes too small for a rule, a few hundred at most."""
    fills: list[Box] = field(default_factory=list[Box])
    """Areas filled so that white text on them can be read."""
    covers: list[Cover] = field(default_factory=list[Cover])
    drawings: list[Box] = field(default_factory=list[Box])
    """Figures seen in a scanned page (`layout.scans`)."""
    scanned: bool = False
    """Whether the page is the picture of one."""
    ticks: list[Box] = field(default_factory=list[Box])
    """Boxes to tick, which are not cells (`layout.tables`)."""
    fields: list[Box] = field(default_factory=list[Box])
    """Where form fields stand; the reader of annotations puts them here."""
    texts: int = 0
    """Text objects, those in forms included."""
    handles: list[int] = field(default_factory=list[int])
    """pdfium's of the text objects, in the order in which they are drawn; valid while the page is open."""
    undecoded: bool = False
    """Most text objects gave no text: vertical writing in fonts whose metrics pdfium cannot make out."""
    truncated: bool = False

    @property
    def has_objects(self) -> bool:
        """Whether anything visible is drawn."""
        return bool(self.images or self.shapes or self.rects or self.horizontal or self.vertical)


class GraphicsReader:
    """Walks the objects of one page once; keeps the C buffers it reads into."""

    def __init__(self, frame: PageFrame) -> None:
        self.graphics = PageGraphics()
        self._frame = frame
        self._floats, self._colors = raw.floats(4), raw.integers(4)
        self._point = raw.floats(2)
        self._fill, self._stroke, self._width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
        self._matrix, self._clips = raw.Matrix(), ClipExtents()
        self._within: Box | None = None
        self._objects = 0
        self._dashes = DashedLines()
        self._segments = 0

    def read(self, page: int) -> PageGraphics:
        """The graphics of a page; `truncated` where it has too many."""
        get_object, object_type, handles = raw.get_object, raw.object_type, self.graphics.handles
        for index in range(raw.count_objects(page)):
            handle = get_object(page, index)
            kind = object_type(handle) if handle else 0
            if kind == TEXT:
                self.graphics.texts += 1
                handles.append(handle)
            else:
                self._object(handle, kind, (index,), IDENTITY)
                if self._objects > _MAX_OBJECTS:
                    self.graphics.truncated = True
                    break
        self._dashes.close()
        for box in self._dashes.found:
            self._add_rule(*box)
        return self.graphics

    def _object(self, handle: int, kind: int, path: tuple[int, ...], affine: Affine) -> None:
        self._objects += 1
        if kind == PATH:
            self._path(handle, affine)
        elif kind in {IMAGE, SHADING} and (box := self._visible(handle, affine)) is not None:
            if kind == IMAGE and self._is_dot(handle, box):
                self._add_rule(*box)
                return
            if kind == IMAGE:
                self.graphics.images.append(PlacedImage(box, path, handle))
            else:
                self.graphics.shapes.append(box)
                self.graphics.fills.append(box)
            if self.graphics.texts:
                self.graphics.covers.append(Cover(box, None, self.graphics.texts))
        elif kind == FORM and len(path) < _MAX_DEPTH:
            self._form(handle, path, affine)

    def _is_dot(self, handle: int, box: Box) -> bool:
        """Whether an image is a single dot drawn as long as a rule, as dvips and Ghostscript write rules."""
        if min(box[2] - box[0], box[3] - box[1]) > _RULE_THICKNESS:
            return False
        wide, tall = ctypes.c_uint(), ctypes.c_uint()
        return bool(raw.image_size(handle, wide, tall)) and wide.value * tall.value == 1

    def _form(self, handle: int, path: tuple[int, ...], outer: Affine) -> None:
        inner = outer
        if raw.object_matrix(handle, self._matrix):
            m = self._matrix
            inner = concatenated((m.a, m.b, m.c, m.d, m.e, m.f), outer)
        around_it, self._within = self._within, self._clipped(handle, outer, self._within)
        for index in range(raw.count_form_objects(handle)):
            child = raw.get_form_object(handle, index)
            kind = raw.object_type(child) if child else 0
            if kind == TEXT:
                self.graphics.texts += 1
                self.graphics.handles.append(child)
            else:
                self._object(child, kind, (*path, index), inner)
            if self._objects > _MAX_OBJECTS:
                break
        self._within = around_it

    def _bounds(self, handle: int, affine: Affine) -> Box | None:
        if not raw.object_bounds(handle, *self._floats.addresses):
            return None
        left, bottom, right, top = self._floats.values
        return self._shown(left, bottom, right, top, affine)

    def _visible(self, handle: int, affine: Affine) -> Box | None:
        """The bounds less what clip paths hide (ISO 32000-1, 8.5.4), those of the forms around included; None where
        nothing is left to see."""
        box = self._bounds(handle, affine)
        if box is not None and self._within is not None:
            box = common(box, self._within)
        if box is not None and area(box) >= _CLIPPED:
            box = self._clipped(handle, affine, box)
        return box if box is not None and box[2] >= box[0] and box[3] >= box[1] else None

    def _clipped(self, handle: int, affine: Affine, box: Box | None) -> Box | None:
        """What the clip paths of an object leave of a box; None is one without bounds."""
        clip = raw.clip_path(handle) or 0
        for extent in self._clips.of(clip, raw.count_clips(clip)) if clip else ():
            seen = self._shown(*extent, affine)
            box = seen if box is None else common(box, seen)
        return box

    def _shown(self, left: float, bottom: float, right: float, top: float, affine: Affine) -> Box:
        if affine is not IDENTITY:
            a, b, c, d, e, f = affine
            if not b and not c:  # scaled and moved, as most forms
                left, right, bottom, top = a * left + e, a * right + e, d * bottom + f, d * top + f
                return self._frame.box(min(left, right), min(bottom, top), max(left, right), max(bottom, top))
            left, bottom, right, top = around(affine, (left, bottom, right, top))
        return self._frame.box(left, bottom, right, top)

    def _path(self, handle: int, affine: Affine) -> None:
        if not raw.draw_mode(handle, self._fill, self._stroke):
            return
        filled, stroked = self._fill.value != 0, self._stroke.value != 0
        seen = self._visible(handle, affine) if filled or stroked else None
        if seen is None:
            return
        frame = self._frame
        x0, y0, x1, y1 = seen
        x0, y0 = (x0 if x0 >= 0.0 else 0.0, y0 if y0 >= 0.0 else 0.0)  # min and max cost more, for every path
        x1, y1 = x1 if x1 <= frame.width else frame.width, y1 if y1 <= frame.height else frame.height
        width, height = x1 - x0, y1 - y0
        if width < 0 or height < 0:
            return
        if filled and not stroked and self._is_on_its_colour(handle, (x0, y0, x1, y1)):
            return
        if filled and width * height > _MIN_FILL:
            white = self._is_white(handle, stroke=False)
            self._add_cover((x0, y0, x1, y1))
            if white and not stroked:
                return  # makes no figure
        if height <= _RULE_THICKNESS or width <= _RULE_THICKNESS:
            least = min(width, height)
            if max(width, height) < _DASH_LENGTH:
                self._dashes.add((x0, y0, x1, y1))
            if least > _SPECK and max(width, height) < min(_RULE_LENGTH, _SPECK_SHAPE * least):
                self._add_speck(handle, (x0, y0, x1, y1), filled=filled)
            elif filled or not self._is_white(handle, stroke=True):
                self._add_rule(x0, y0, x1, y1)
        else:
            self._add_shape(handle, (x0, y0, x1, y1), affine)

    def _is_on_its_colour(self, handle: int, box: Box) -> bool:
        """Whether an area lies clear within one of its colour drawn just before, and so shows nothing: MuPDF fills the
        ground of a cell, and that of each of its words."""
        x0, y0, x1, y1 = box
        for (left, top, right, bottom), colour, _ in self.graphics.covers[: -_GROUNDS - 1 : -1]:
            if left + _INSIDE < x0 and x1 < right - _INSIDE and top + _INSIDE < y0 and y1 < bottom - _INSIDE:
                self._is_white(handle, stroke=False)  # looks at the colour
                red, green, blue, alpha = self._colors.values
                return alpha > _CLEAR and colour == (red, green, blue)
        return False

    def _add_cover(self, box: Box) -> None:
        """An area filled with the colour looked at last, unless it lets through what is below."""
        red, green, blue, alpha = self._colors.values
        behind_all = not self.graphics.texts and min(red, green, blue) > _LIGHT  # white text is found without it
        if alpha > _CLEAR and not behind_all:
            self.graphics.covers.append(Cover(box, (red, green, blue), self.graphics.texts))

    def _add_rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        width, height = x1 - x0, y1 - y0
        if width >= _RULE_LENGTH and width > height:
            self.graphics.horizontal.append(((y0 + y1) / 2, x0, x1))
        elif height >= _RULE_LENGTH and height > width:
            self.graphics.vertical.append(((x0 + x1) / 2, y0, y1))
        elif width >= _BAR_LENGTH and width > _BAR_SHAPE * height:
            self.graphics.bars.append(((y0 + y1) / 2, x0, x1))

    def _add_speck(self, handle: int, box: Box, *, filled: bool) -> None:
        if len(self.graphics.specks) < _MAX_SPECKS and not self._is_white(handle, stroke=not filled):
            is_round = raw.count_segments(handle) > _RECTANGLE_SEGMENTS
            self.graphics.specks.append(Speck(box, is_round, filled))

    def _add_shape(self, handle: int, box: Box, affine: Affine) -> None:
        graphics = self.graphics
        filled, stroked = self._fill.value != 0, self._stroke.value != 0
        count = raw.count_segments(handle)
        straight = self._straight(handle, count, affine)
        if straight is None:
            graphics.shapes.append(box)
            (graphics.fills if filled else graphics.curves).append(box)
            if filled and _MIN_OUTLINE <= count <= _MAX_OUTLINE and len(graphics.outlines) < _MAX_OUTLINES:
                graphics.outlines.append(FilledPath(box, handle, affine))
            return
        if filled:
            graphics.fills.append(self._inside_white_stroke(handle, box, affine) if stroked else box)
        if count > _RECTANGLE_SEGMENTS:
            self._add_lines(straight)
            return
        graphics.rects.append(box)
        if stroked and not filled and count == _LINE_SEGMENTS:  # a thick line, whose sides are not rules
            if min(box[2] - box[0], box[3] - box[1]) < _BAND_THICKNESS:
                self._add_rule(*box)
        elif stroked and not self._is_white(handle, stroke=True):
            x0, y0, x1, y1 = box
            graphics.horizontal += ((y0, x0, x1), (y1, x0, x1))
            graphics.vertical += ((x0, y0, y1), (x1, y0, y1))

    def _inside_white_stroke(self, handle: int, box: Box, affine: Affine) -> Box:
        """What is seen of a filled area, less the white stroke around it, which pdfium counts to its bounds: cells
        filled one by one are parted by such strokes, and would overlap."""
        whole = self._bounds(handle, affine) if self._is_white(handle, stroke=True) else None
        if whole is None or not raw.stroke_width(handle, self._width):
            return box
        by, (left, top, right, bottom) = min(self._width.value, _RULE_THICKNESS), whole
        inside = common(box, (left + by, top + by, right - by, bottom - by))
        return inside if min(inside[2] - inside[0], inside[3] - inside[1]) > 0 else box

    def _add_lines(self, lines: list[Line]) -> None:
        for x0, y0, x1, y1 in lines:
            if abs(y0 - y1) < _AXIS_TOLERANCE and abs(x0 - x1) >= _RULE_LENGTH:
                self.graphics.horizontal.append(((y0 + y1) / 2, min(x0, x1), max(x0, x1)))
            elif abs(x0 - x1) < _AXIS_TOLERANCE and abs(y0 - y1) >= _RULE_LENGTH:
                self.graphics.vertical.append(((x0 + x1) / 2, min(y0, y1), max(y0, y1)))
            elif abs(y0 - y1) < _AXIS_TOLERANCE and abs(x0 - x1) >= _BAR_LENGTH:
                self.graphics.bars.append(((y0 + y1) / 2, min(x0, x1), max(x0, x1)))

    def _is_white(self, handle: int, *, stroke: bool) -> bool:
        call = raw.stroke_color if stroke else raw.fill_color
        if not call(handle, *self._colors.addresses):
            return False
        red, green, blue, alpha = self._colors.values
        return is_white(alpha, red, green, blue)

    def _straight(self, handle: int, count: int, affine: Affine) -> list[Line] | None:
        """The path's lines when all run along an axis, else None. Closing lines are left out: rectangles are read
        from their bounds."""
        self._segments += count
        if count < 2 or count > _MAX_SEGMENTS or self._segments > _MAX_PAGE_SEGMENTS:
            return None
        lined = count > _RECTANGLE_SEGMENTS
        if lined and raw.object_matrix(handle, self._matrix):  # points are told before the path's own matrix
            m = self._matrix
            if min(abs(m.a), abs(m.b)) > _RIGHT_ANGLE * max(abs(m.a), abs(m.b)):
                return None  # neither upright nor turned by a right angle
            affine = concatenated((m.a, m.b, m.c, m.d, m.e, m.f), affine)
        lines: list[Line] = []
        at, point = self._point.addresses, self._point.values
        last_x = last_y = 0.0
        for index in range(count):
            segment = raw.get_segment(handle, index)
            kind = raw.segment_type(segment)
            if not raw.segment_point(segment, *at):
                return None
            px, py = point
            if kind == BEZIER:
                if (px, py) != (last_x, last_y):  # corners of radius 0 are curves that go nowhere
                    return None
            elif kind == LINE:
                if abs(px - last_x) > _SLANT and abs(py - last_y) > _SLANT:
                    return None
                if lined:
                    lines.append(
                        self._shown(min(last_x, px), min(last_y, py), max(last_x, px), max(last_y, py), affine)
                    )
            last_x, last_y = px, py
        return lines
