"""Outlines of shapes: preset geometries (ECMA-376 part 1 §20.1.10.56, the common ones) and custom paths (§20.1.9.8),
curves flattened. A preset that is not known here is drawn as its box."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sidecar.api import Box
from sidecar.toolkit.ooxml.colours import number_of
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.xml import XmlElement, local_name

Points = tuple[tuple[float, float], ...]
_ADJUSTED = 100_000
_VALUE = re.compile(r"\s*val\s+(-?[0-9]{1,9})\s*")
_CURVE_STEPS = 12
_MAX_POINTS = 4000


@dataclass(frozen=True)
class ShapePaths:
    """Closed rings and open lines in shares of the box; `corner` is a radius as a share of the shorter side."""

    rings: tuple[Points, ...] = ()
    lines: tuple[Points, ...] = ()
    ellipse: bool = False
    corner: float = 0.0


Adjust = Callable[[str, float], float]
"""Gives an adjustment by name as a share, with its default."""


def outline_of(properties: XmlElement | None, width: float, height: float) -> ShapePaths:
    """The outline that shape properties (`p:spPr`) give; a rectangle where they give none."""
    if properties is None:
        return ShapePaths()
    custom = properties.find(f"{A}custGeom")
    if custom is not None:
        return _custom(custom, width, height)
    preset = properties.find(f"{A}prstGeom")
    if preset is None:
        return ShapePaths()
    given: dict[str, float] = {}
    for guide in preset.iterfind(f"{A}avLst/{A}gd"):
        if value := _VALUE.fullmatch(guide.get("fmla", "")):
            given[guide.get("name", "")] = int(value[1]) / _ADJUSTED

    def adjust(name: str, default: float) -> float:
        return given.get(name, given.get("adj", default) if name == "adj1" else default)

    name = preset.get("prst", "rect")
    if name in _ROUNDED:
        return ShapePaths(corner=min(max(adjust("adj", _ROUNDED[name]), 0.0), 0.5))
    if name in _ELLIPSES:
        return ShapePaths(ellipse=True)
    if name in _POLYGONS:
        return ShapePaths(rings=(_POLYGONS[name],))
    made = _MADE.get(name)
    return made(adjust, max(width, 0.01), max(height, 0.01)) if made is not None else ShapePaths()


_ROUNDED: Mapping[str, float] = {
    "roundRect": 0.16667, "flowChartAlternateProcess": 0.16667, "flowChartTerminator": 0.5,
    "wedgeRoundRectCallout": 0.16667, "round2SameRect": 0.16667,
    "round1Rect": 0.1, "round2DiagRect": 0.16667, "snipRoundRect": 0.1, "plaque": 0.1,
}  # fmt: skip
_ELLIPSES = frozenset(("ellipse", "flowChartConnector", "wedgeEllipseCallout", "cloud", "cloudCallout", "donut", "sun",
                       "smileyFace", "flowChartOr", "flowChartSummingJunction"))  # fmt: skip
_POLYGONS: Mapping[str, Points] = {
    "rtTriangle": ((0, 0), (1, 1), (0, 1)),
    "diamond": ((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)),
    "flowChartDecision": ((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)),
    "flowChartInputOutput": ((0.2, 0), (1, 0), (0.8, 1), (0, 1)),
    "flowChartManualOperation": ((0, 0), (1, 0), (0.8, 1), (0.2, 1)),
    "flowChartPreparation": ((0.2, 0), (0.8, 0), (1, 0.5), (0.8, 1), (0.2, 1), (0, 0.5)),
    "flowChartMerge": ((0, 0), (1, 0), (0.5, 1)),
    "flowChartExtract": ((0.5, 0), (1, 1), (0, 1)),
    "flowChartOffpageConnector": ((0, 0), (1, 0), (1, 0.8), (0.5, 1), (0, 0.8)),
    "flowChartManualInput": ((0, 0.2), (1, 0), (1, 1), (0, 1)),
    "pentagon": ((0.5, 0), (1, 0.382), (0.809, 1), (0.191, 1), (0, 0.382)),
}


def _triangle(adjust: Adjust, _w: float, _h: float) -> ShapePaths:
    return ShapePaths(rings=(((adjust("adj", 0.5), 0), (1, 1), (0, 1)),))


def _inset(most: float, usual: float, ring: Callable[[float], Points]) -> Callable[[Adjust, float, float], ShapePaths]:
    """A polygon of which corners stand in by the adjustment, a share of the shorter side, and at most by `most`."""

    def made(adjust: Adjust, w: float, h: float) -> ShapePaths:
        return ShapePaths(rings=(ring(min(adjust("adj", usual) * min(w, h) / w, most)),))

    return made


def _octagon(adjust: Adjust, w: float, h: float) -> ShapePaths:
    cut = min(adjust("adj", 0.29289), 0.5) * min(w, h)
    x, y = cut / w, cut / h
    return ShapePaths(rings=(((x, 0), (1 - x, 0), (1, y), (1, 1 - y), (1 - x, 1), (x, 1), (0, 1 - y), (0, y)),))


def _arrow(turns: int, double: bool = False) -> Callable[[Adjust, float, float], ShapePaths]:
    """A block arrow, pointing right, or left too if `double`, turned by `turns` quarters clockwise."""

    def made(adjust: Adjust, w: float, h: float) -> ShapePaths:
        along, across = (w, h) if turns % 2 == 0 else (h, w)
        half = min(max(adjust("adj1", 0.5), 0.0), 1.0) / 2
        head = min(max(adjust("adj2", 0.5), 0.0) * across / along, 0.5 if double else 1.0)
        tip = ((1 - head, 0.5 - half), (1 - head, 0), (1, 0.5), (1 - head, 1), (1 - head, 0.5 + half))
        ring: Points = (*tip, *((1 - x, 1 - y) for x, y in tip)) if double else ((0, 0.5 - half), *tip, (0, 0.5 + half))
        for _ in range(turns):
            ring = tuple((1 - y, x) for x, y in ring)
        return ShapePaths(rings=(ring,))

    return made


def _plus(adjust: Adjust, w: float, h: float) -> ShapePaths:
    cut = min(max(adjust("adj", 0.25), 0.0), 0.5) * min(w, h)
    x, y = cut / w, cut / h
    ring = ((x, 0), (1 - x, 0), (1 - x, y), (1, y), (1, 1 - y), (1 - x, 1 - y), (1 - x, 1), (x, 1), (x, 1 - y),
            (0, 1 - y), (0, y), (x, y))  # fmt: skip
    return ShapePaths(rings=(ring,))


_INNER: Mapping[int, float] = {4: 0.125, 5: 0.19098, 6: 0.28868}
"""How far the inner corners of stars lie from the middle, by the number of points; of more points 0.375."""


def _star(points: int) -> Callable[[Adjust, float, float], ShapePaths]:
    def made(adjust: Adjust, _w: float, _h: float) -> ShapePaths:
        inner = adjust("adj", _INNER.get(points, 0.375)) * 2
        ring = [
            (0.5 + 0.5 * size * math.sin(math.pi * step / points), 0.5 - 0.5 * size * math.cos(math.pi * step / points))
            for step in range(points * 2)
            for size in (inner if step % 2 else 1.0,)
        ]
        return ShapePaths(rings=(tuple(ring),))

    return made


def _straight(_adjust: Adjust, _w: float, _h: float) -> ShapePaths:
    return ShapePaths(lines=(((0, 0), (1, 1)),))


def _bent(adjust: Adjust, _w: float, _h: float) -> ShapePaths:
    at = adjust("adj1", 0.5)
    return ShapePaths(lines=(((0, 0), (at, 0), (at, 1), (1, 1)),))


def _corner(_adjust: Adjust, _w: float, _h: float) -> ShapePaths:
    return ShapePaths(lines=(((0, 0), (1, 0), (1, 1)),))


def _curved(_adjust: Adjust, _w: float, _h: float) -> ShapePaths:
    steps = [step / _CURVE_STEPS for step in range(_CURVE_STEPS + 1)]
    return ShapePaths(lines=(tuple((t, t * t * (3 - 2 * t)) for t in steps),))


def _bracket(left: bool, right: bool) -> Callable[[Adjust, float, float], ShapePaths]:
    def made(_adjust: Adjust, w: float, h: float) -> ShapePaths:
        deep = min(1.0 if left != right else 0.08, 0.5 * h / w if left and right else 1.0)
        lines: list[Points] = []
        if left:
            lines.append(((deep, 0), (0, 0), (0, 1), (deep, 1)))
        if right:
            lines.append(((1 - deep, 0), (1, 0), (1, 1), (1 - deep, 1)))
        return ShapePaths(lines=tuple(lines))

    return made


def _arc(adjust: Adjust, _w: float, _h: float) -> ShapePaths:
    start, end = adjust("adj1", 162.0) * _ADJUSTED / 60000, adjust("adj2", 0.0) * _ADJUSTED / 60000
    sweep = (end - start) % 360 or 360
    return ShapePaths(lines=(_on_ellipse((0.5, 0.5), (0.5, 0.5), start, sweep),))


def _pie(adjust: Adjust, _w: float, _h: float) -> ShapePaths:
    start, end = adjust("adj1", 0.0) * _ADJUSTED / 60000, adjust("adj2", 162.0) * _ADJUSTED / 60000
    return ShapePaths(rings=(((0.5, 0.5), *_on_ellipse((0.5, 0.5), (0.5, 0.5), start, (end - start) % 360 or 360)),))


_MADE: Mapping[str, Callable[[Adjust, float, float], ShapePaths]] = {
    "triangle": _triangle, "parallelogram": _inset(1.0, 0.25, lambda x: ((x, 0), (1, 0), (1 - x, 1), (0, 1))),
    "trapezoid": _inset(0.5, 0.25, lambda x: ((x, 0), (1 - x, 0), (1, 1), (0, 1))),
    "hexagon": _inset(0.5, 0.25, lambda x: ((x, 0), (1 - x, 0), (1, 0.5), (1 - x, 1), (x, 1), (0, 0.5))),
    "octagon": _octagon, "homePlate": _inset(1.0, 0.5, lambda x: ((0, 0), (1 - x, 0), (1, 0.5), (1 - x, 1), (0, 1))),
    "chevron": _inset(1.0, 0.5, lambda x: ((0, 0), (1 - x, 0), (1, 0.5), (1 - x, 1), (0, 1), (x, 0.5))),
    "rightArrow": _arrow(0), "downArrow": _arrow(1), "leftArrow": _arrow(2), "upArrow": _arrow(3),
    "leftRightArrow": _arrow(0, double=True), "upDownArrow": _arrow(1, double=True), "plus": _plus, "mathPlus": _plus,
    "star4": _star(4), "star5": _star(5), "star6": _star(6), "star8": _star(8), "star12": _star(12), "line": _straight,
    "straightConnector1": _straight, "bentConnector2": _corner, "bentConnector3": _bent, "bentConnector4": _bent,
    "bentConnector5": _bent, "curvedConnector2": _curved, "curvedConnector3": _curved, "curvedConnector4": _curved,
    "arc": _arc, "pie": _pie, "leftBracket": _bracket(left=True, right=False),
    "leftBrace": _bracket(left=True, right=False), "rightBracket": _bracket(left=False, right=True),
    "rightBrace": _bracket(left=False, right=True), "bracketPair": _bracket(left=True, right=True),
    "bracePair": _bracket(left=True, right=True),
}  # fmt: skip


def _on_ellipse(middle: tuple[float, float], radii: tuple[float, float], start: float, sweep: float) -> Points:
    """Points on an ellipse, from `start` degrees on clockwise."""
    (x, y), (rx, ry) = middle, radii
    steps = max(round(abs(sweep) / 10), 2)
    angles = [math.radians(start + sweep * step / steps) for step in range(steps + 1)]
    return tuple((x + rx * math.cos(angle), y + ry * math.sin(angle)) for angle in angles)


def _custom(node: XmlElement, width: float, height: float) -> ShapePaths:
    rings: list[Points] = []
    lines: list[Points] = []
    for path in node.iterfind(f"{A}pathLst/{A}path"):
        wide = number_of(path, "w") or width * 12700 or 1.0
        high = number_of(path, "h") or height * 12700 or 1.0
        for closed, points in _subpaths(path, wide, high):
            scaled = tuple((x / wide, y / high) for x, y in points[:_MAX_POINTS])
            filled = closed or (path.get("fill") != "none" and len(points) > 2)
            (rings if filled else lines).append(scaled)
    return ShapePaths(rings=tuple(rings), lines=tuple(lines))


def _subpaths(path: XmlElement, wide: float, high: float) -> list[tuple[bool, list[tuple[float, float]]]]:
    """The pieces of a path, and whether each is closed."""
    done: list[tuple[bool, list[tuple[float, float]]]] = []
    points: list[tuple[float, float]] = []
    guides = {"r": wide, "w": wide, "b": high, "h": high, "hc": wide / 2, "vc": high / 2}
    for step in path:
        name = local_name(step)
        given = [
            (number_of(p, "x", guides.get(p.get("x", ""), 0.0)), number_of(p, "y", guides.get(p.get("y", ""), 0.0)))
            for p in step.iterfind(f"{A}pt")
        ]
        if name == "close":
            done.append((True, points))
            points = points[:1]
        elif name == "moveTo" and given:
            done.append((False, points))
            points = given[:1]
        elif name == "arcTo" and points:
            points += _arc_from(points[-1], step)
        elif given and points:
            points += _curve([points[-1], *given]) if name in ("cubicBezTo", "quadBezTo") else given
    done.append((False, points))
    return [(closed, found) for closed, found in done if len(found) > 1]


def _arc_from(at: tuple[float, float], step: XmlElement) -> Points:
    rx, ry = number_of(step, "wR"), number_of(step, "hR")
    start, sweep = number_of(step, "stAng") / 60000, number_of(step, "swAng") / 60000
    x = at[0] - rx * math.cos(math.radians(start))
    y = at[1] - ry * math.sin(math.radians(start))
    return _on_ellipse((x, y), (rx, ry), start, max(-360.0, min(sweep, 360.0)))[1:]


def _curve(control: Sequence[tuple[float, float]]) -> Points:
    """A Bézier curve of any order by de Casteljau, without its first point."""
    found: list[tuple[float, float]] = []
    for step in range(1, _CURVE_STEPS + 1):
        t = step / _CURVE_STEPS
        points = list(control[:4])
        while len(points) > 1:
            points = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(points)]
        found += points
    return tuple(found)


def upright(properties: XmlElement | None, box: Box) -> tuple[Box, float, tuple[bool, bool]]:
    """The box before it is turned, by how many degrees it is, and whether it is flipped across and down."""
    place = properties.find(f"{A}xfrm") if properties is not None else None
    if place is None:
        return box, 0.0, (False, False)
    turn = number_of(place, "rot") / 60000 % 360
    if 45 <= turn % 180 <= 135:  # `Shape.box` is the room that the turned shape takes
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        wide, high = box[3] - box[1], box[2] - box[0]
        box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
    return box, turn, (place.get("flipH") in {"1", "true"}, place.get("flipV") in {"1", "true"})


def flipped(outline: ShapePaths, flips: tuple[bool, bool]) -> ShapePaths:
    """The outline flipped across and down."""
    if not any(flips):
        return outline

    def moved(points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        return tuple((1 - x if flips[0] else x, 1 - y if flips[1] else y) for x, y in points)

    return ShapePaths(
        tuple(map(moved, outline.rings)), tuple(map(moved, outline.lines)), outline.ellipse, outline.corner
    )
