"""Parts of parts: treemaps and sunbursts. Not responsible for titles and legends.

A category names its place from the outermost level inwards, its levels joined by " / ", as the readers of chart parts
write them. Negative sizes count as their amount, so that nothing disappears."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sidecar.api import ChartData
from sidecar_charts.plots.scales import clamped, number_label
from sidecar_charts.scene import GRID, INK, PAPER, SOFT, Area, Circle, Path, Point, Scene, SceneText, colour, fitted
from sidecar_charts.scene import text_width as width_of

_LEVELS = " / "
_MAX_LEAVES = 2000
_MAX_DEPTH = 8
_INVISIBLE = 1e-12
"""Share of the largest part below which no screen could show one, and the square of its area would vanish."""
_MIN_PIXELS = 1.5
"""Pixels below which a part has no room to be seen."""

Box = tuple[float, float, float, float]


@dataclass
class _Part:
    name: str
    size: float = 0.0
    parts: "dict[str, _Part]" = field(default_factory=dict[str, "_Part"])

    def in_order(self) -> "list[_Part]":
        """The largest first, as both plots place them."""
        return sorted((part for part in self.parts.values() if part.size > 0), key=lambda part: -part.size)

    def depth(self) -> int:
        return 1 + max((part.depth() for part in self.parts.values()), default=0)


def branches(chart: ChartData) -> list[str]:
    """The names of the outermost level in the order of their colours."""
    return [part.name for part in _tree(chart).in_order()]


def _tree(chart: ChartData) -> _Part:
    root = _Part("")
    values = chart.series[0].values[:_MAX_LEAVES]
    largest = max((abs(clamped(value)) for value in values if value is not None), default=0.0) or 1.0
    for at, value in enumerate(values):
        size = abs(clamped(value)) / largest if value is not None else 0.0
        size = size if size > _INVISIBLE else 0.0
        name = chart.categories[at] if at < len(chart.categories) else ""
        node = root
        node.size += size
        for step in (name or str(at + 1)).split(_LEVELS)[:_MAX_DEPTH]:
            node = node.parts.setdefault(step, _Part(step))
            node.size += size
    return root


def squarified(sizes: Sequence[float], box: Box) -> list[Box]:
    """A rectangle for each of the `sizes` (descending, positive), areas in proportion, as near to squares as the
    greedy rows of Bruls, Huizing and van Wijk give (Squarified Treemaps, 2000)."""
    left, top, right, bottom = box
    total = sum(sizes) or 1.0
    scale = max(right - left, 0.0) * max(bottom - top, 0.0) / total
    areas = [size * scale for size in sizes]
    placed: list[Box] = []
    at = 0
    while at < len(areas):
        side = min(right - left, bottom - top)
        if side <= 0:
            placed += [(left, top, left, top)] * (len(areas) - at)
            break
        end, row = at + 1, areas[at]
        while end < len(areas) and _worst(areas[at], areas[end], row + areas[end], side) <= _worst(
            areas[at], areas[end - 1], row, side
        ):
            row += areas[end]
            end += 1
        thick = row / side
        along = 0.0
        for area in areas[at:end]:
            length = area / thick if thick else 0.0
            if right - left >= bottom - top:  # a column at the left
                placed.append((left, top + along, left + thick, top + along + length))
            else:
                placed.append((left + along, top, left + along + length, top + thick))
            along += length
        if right - left >= bottom - top:
            left += thick
        else:
            top += thick
        at = end
    return placed


def _worst(largest: float, smallest: float, row: float, side: float) -> float:
    """The worst ratio of the sides in a row of areas along `side` (the paper's function `worst`)."""
    if smallest <= 0 or row <= 0:
        return math.inf
    return max(side * side * largest / (row * row), row * row / (side * side * smallest))


def draw_treemap(scene: Scene, chart: ChartData, area: Area) -> None:
    """Nested rectangles; outer parts with a band for their name, inner ones in tints of their colour."""
    root = _tree(chart)
    if not root.size:
        scene.marks.append(SceneText((area.left + area.right) / 2, (area.top + area.bottom) / 2, "No data", area.size,
                                 "middle", SOFT))  # fmt: skip
        return
    largest = max(abs(clamped(value)) for value in chart.series[0].values if value is not None) or 1.0
    parts = root.in_order()
    boxes = squarified([part.size for part in parts], (area.left, area.top, area.right, area.bottom))
    tiles = _Tiles(scene, chart.number_format, largest, area.size)
    for at, (part, box) in enumerate(zip(parts, boxes, strict=True)):
        tiles.draw(part, _inset(box, 1.0), at, ())


@dataclass(frozen=True)
class _Tiles:
    """Draws parts into their boxes; `largest` is the value that the size 1 stands for."""

    scene: Scene
    number_format: str
    largest: float
    size: float

    def draw(self, part: _Part, box: Box, index: int, within: tuple[str, ...]) -> None:
        """A part and all it consists of; `within` names what it belongs to."""
        left, top, right, bottom = box
        if right - left < _MIN_PIXELS or bottom - top < _MIN_PIXELS:
            return
        level, size = len(within), self.size
        inner = part.in_order()
        tint = tinted(colour(index), 0.0 if level == 0 else min(0.14 + 0.1 * level, 0.5))
        self.scene.rect(left, top, right, bottom, fill=tint)
        if not inner:
            self._label(part, box, " \u2013 ".join((*within[1:], part.name)), _on(tint))
            return
        band = size * 1.5 if level == 0 and bottom - top > size * 4 and right - left > size * 4 else 0.0
        if band:
            name = fitted(part.name, size, right - left - size)
            self.scene.marks.append(
                SceneText(left + size * 0.5, top + band / 2, name, size, colour=_on(tint), bold=True)
            )
        boxes = squarified([item.size for item in inner], (left, top + band, right, bottom))
        for item, place in zip(inner, boxes, strict=True):
            self.draw(item, _inset(place, 0.6), index, (*within, part.name))

    def _label(self, part: _Part, box: Box, whole: str, ink: str) -> None:
        left, top, right, bottom = box
        size = self.size
        room = right - left - size * 0.6
        if room < size * 1.6 or bottom - top < size * 1.3:
            return
        name = whole if width_of(whole, size) <= room else fitted(part.name, size, room)
        if len(name) < 3 < len(part.name):
            return
        self.scene.marks.append(SceneText(left + size * 0.4, top + size * 0.8, name, size, colour=ink))
        shown = number_label(part.size * self.largest, self.number_format)
        if bottom - top > size * 2.7 and width_of(shown, size * 0.85) <= room:
            self.scene.marks.append(SceneText(left + size * 0.4, top + size * 1.95, shown, size * 0.85, colour=ink))


def _inset(box: Box, gap: float) -> Box:
    left, top, right, bottom = box
    return (left + gap, top + gap, max(right - gap, left + gap), max(bottom - gap, top + gap))


def draw_sunburst(scene: Scene, chart: ChartData, area: Area) -> None:
    """Rings from the outermost level of the hierarchy, innermost in the picture, outwards to its leaves."""
    root = _tree(chart)
    x, y = (area.left + area.right) / 2, (area.top + area.bottom) / 2
    radius = max(min(area.right - area.left, area.bottom - area.top) / 2 - 4, 10.0)
    if not root.size:
        scene.marks += [Circle(x, y, radius, GRID), SceneText(x, y, "No data", area.size, "middle", SOFT)]
        return
    levels = root.depth() - 1
    hole = radius * (0.28 if levels < 4 else 0.16)
    thick = (radius - hole) / levels
    for part, index, level, start, end in _sectors(root):
        inner, outer = hole + thick * level, hole + thick * (level + 1)
        if (end - start) * outer < 0.4:
            continue
        tint = tinted(colour(index), min(0.16 * level, 0.6))
        whole = end - start > 2 * math.pi - 1e-6
        points = [*arc(x, y, outer, start, end), *reversed(arc(x, y, inner, start, end))]
        scene.marks.append(Path(points, stroke="" if whole else PAPER, fill=tint, width=0.0 if whole else 1.2))
        _name(scene, part.name, _Sector((x, y), (inner, outer), (start, end)), area.size, _on(tint))


def _sectors(root: _Part) -> Iterator[tuple[_Part, int, int, float, float]]:
    """Every part with its colour, its level and its angles in radians, clockwise from the top."""
    waiting: list[tuple[_Part, int, int, float, float]] = [(root, -1, -1, -math.pi / 2, 1.5 * math.pi)]
    while waiting:
        part, index, level, start, end = waiting.pop()
        if level >= 0:
            yield part, index, level, start, end
        share = (end - start) / part.size if part.size else 0.0
        for at, inner in enumerate(part.in_order()):
            stop = start + inner.size * share
            waiting.append((inner, at if level < 0 else index, level + 1, start, stop))
            start = stop


class _Sector(NamedTuple):
    """A piece of a ring around a middle: inner and outer radius, first and last angle."""

    middle: Point
    ring: tuple[float, float]
    angles: tuple[float, float]


def _name(scene: Scene, name: str, sector: _Sector, size: float, ink: str) -> None:
    """A name along the radius where the sector is wide enough for its height, left out where it is not."""
    middle, (inner, outer), (start, end) = sector
    size = size * 0.85
    angle, away = (start + end) / 2, (inner + outer) / 2
    if (end - start) * away < size * 1.15 or outer - inner < size * 2.2:
        return
    text = fitted(name, size, outer - inner - size * 0.6)
    if len(text) < 3 < len(name):
        return
    degrees = math.degrees(angle)
    turn = degrees + 180 if 90 < degrees % 360 < 270 else degrees
    place = (middle[0] + away * math.cos(angle), middle[1] + away * math.sin(angle))
    upright = (end - start) * away > width_of(text, size) * 1.1 and end - start < math.pi
    scene.marks.append(SceneText(*place, text, size, "middle", ink, turn=0.0 if upright else (turn + 180) % 360 - 180))


def arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Points along an arc, a degree and a half apart; the middle itself for radius 0."""
    if radius <= 0:
        return [(x, y)]
    steps = max(2, int((end - start) / 0.026) + 1)
    angles = (start + (end - start) * i / steps for i in range(steps + 1))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def tinted(base: str, towards_paper: float) -> str:
    """A colour mixed with white, `towards_paper` of it."""
    parts = (int(base[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * towards_paper):02x}" for part in parts)


def _on(fill: str) -> str:
    """The colour of words on a filled area, by its relative luminance (WCAG 2.1)."""
    parts = (int(fill[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    red, green, blue = linear
    return INK if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.3 else PAPER
