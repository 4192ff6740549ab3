"""Charts around a middle: pie, doughnut, radar. Not responsible for titles and legends."""

import math

from sidecar.api import ChartData
from sidecar_charts.plots.axes import tick_labels
from sidecar_charts.plots.hierarchy import arc
from sidecar_charts.plots.scales import clamped, nice_scale
from sidecar_charts.scene import GRID, PAPER, SOFT, Area, Circle, Path, Point, Scene, SceneText, colour, fitted

_MAX_SLICES = 400
_LABELLED = 0.04  # a slice below this share has no room for its percentage


def draw_pie(scene: Scene, chart: ChartData, area: Area) -> None:
    """One ring a series for a doughnut, the first series for a pie; shares are of the sizes, so that a negative value
    still shows. Percentages stand in the slices that have room."""
    rings = chart.series if chart.type == "doughnut" else chart.series[:1]
    rings = rings[:6]
    x, y = (area.left + area.right) / 2, (area.top + area.bottom) / 2
    radius = max(min(area.right - area.left, area.bottom - area.top) / 2 - 4, 10.0)
    hole = radius * 0.5 if chart.type == "doughnut" else 0.0
    thick = (radius - hole) / len(rings)
    for ring, series in enumerate(rings):
        sizes = [abs(clamped(value)) if value is not None else 0.0 for value in series.values[:_MAX_SLICES]]
        scale = max(sizes, default=0.0)
        total = sum(size / scale for size in sizes) if scale else 0.0
        if not total:
            scene.marks.append(Circle(x, y, radius, GRID))
            scene.marks.append(SceneText(x, y, "No data", area.size, "middle", SOFT))
            return
        inner, outer = hole + thick * ring, hole + thick * (ring + 1)
        start = -math.pi / 2
        for index, size in enumerate(sizes):
            share = size / scale / total
            if not share:
                continue
            end = start + share * 2 * math.pi
            points = [*arc(x, y, outer, start, end), *reversed(arc(x, y, inner, start, end))]
            scene.marks.append(Path(points, stroke=PAPER, fill=colour(index), width=1.5 if share < 0.999 else 0.0))
            if share >= _LABELLED and thick > area.size * 1.8:
                middle, away = (start + end) / 2, inner + (outer - inner) * (0.62 if not inner else 0.5)
                place = (x + away * math.cos(middle), y + away * math.sin(middle))
                shown = f"{share:.0%}" if share >= 0.0995 or len(sizes) < 8 else f"{share:.1%}"
                scene.marks.append(SceneText(*place, shown, area.size, "middle", PAPER, bold=True))
            start = end


def draw_radar(scene: Scene, chart: ChartData, area: Area) -> None:
    """Categories as spokes, values as distance from the middle; gaps break the ring."""
    count = max((len(series.values) for series in chart.series), default=0)
    count = min(max(count, len(chart.categories), 3), 120)
    labels = [chart.categories[i] if i < len(chart.categories) else "" for i in range(count)]
    x, y = (area.left + area.right) / 2, (area.top + area.bottom) / 2
    radius = max(min(area.right - area.left, area.bottom - area.top) / 2 - area.size * 1.6, 10.0)
    values = [value for series in chart.series for value in series.values[:count] if value is not None]
    scale = nice_scale(values, max(3, int(radius / (area.size * 2.4))), zero=True).over(0.0, radius)
    angles = [-math.pi / 2 + 2 * math.pi * i / count for i in range(count)]
    for tick in scale.ticks[1:]:
        ring = [(x + scale.at(tick) * math.cos(a), y + scale.at(tick) * math.sin(a)) for a in angles]
        scene.marks.append(Path([*ring, ring[0]], stroke=GRID))
    every = max(1, math.ceil(area.size * 1.4 * count / (2 * math.pi * radius)))
    for i, angle in enumerate(angles):
        scene.line(x, y, x + radius * math.cos(angle), y + radius * math.sin(angle))
        if i % every == 0 and labels[i]:
            place = x + (radius + area.size * 0.7) * math.cos(angle)
            across = math.cos(angle)
            side = "middle" if abs(across) < 0.15 else "start" if across > 0 else "end"
            room = (area.right - place) if side == "start" else (place - area.left) if side == "end" else radius
            text = fitted(labels[i], area.size, max(room, area.size * 2))
            scene.marks.append(
                SceneText(place, y + (radius + area.size * 0.9) * math.sin(angle), text, area.size, side, SOFT)
            )
    for index, series in enumerate(chart.series):
        points: list[Point] = []
        gap = len(series.values) < count
        for i in range(count):
            value = series.values[i] if i < len(series.values) else None
            if value is None:
                gap = True
                continue
            away = scale.at(value)
            points.append((x + away * math.cos(angles[i]), y + away * math.sin(angles[i])))
        if len(points) > 1:
            closed = points if gap else [*points, points[0]]
            if not gap:
                scene.marks.append(Path(points, fill=colour(index), opacity=0.12))
            scene.marks.append(Path(closed, stroke=colour(index), width=2.2))
        scene.marks += [Circle(*point, 3.0, colour(index)) for point in points]
    for tick, label in list(zip(scale.ticks, tick_labels(scale, chart.number_format), strict=True))[:-1]:
        scene.marks.append(SceneText(x - area.size * 0.3, y - scale.at(tick), label, area.size * 0.85, "end", SOFT))
