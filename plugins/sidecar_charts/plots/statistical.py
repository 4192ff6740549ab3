"""Histograms and box plots. Not responsible for titles and legends."""

import math
import statistics

import msgspec

from sidecar.api import ChartData, Series
from sidecar_charts.plots.axes import framed
from sidecar_charts.plots.scales import Scale, clamped, nice_scale, number_label
from sidecar_charts.scene import PAPER, SOFT, Area, Circle, Scene, colour

_MAX_BINS = 60
_WHISKER = 1.5
"""How far a whisker reaches at most, in distances between the quartiles (Tukey, 1977)."""


def as_columns(chart: ChartData) -> ChartData:
    """Charts with no plot of their own as columns; a histogram by counting its values into bins (Sturges' rule, 1926)
    when it has no categories."""
    if chart.type == "histogram" and chart.categories:
        return chart  # counted by who made it
    if chart.type != "histogram" or not chart.series:
        return msgspec.structs.replace(chart, type="column", grouping="")
    values = [clamped(v) for series in chart.series for v in series.values if v is not None]
    scale = nice_scale(values, min(max(2, math.ceil(math.log2(len(values) or 1)) + 2), _MAX_BINS), zero=False)
    low, high = min(values), max(values)
    ticks = [tick for tick in scale.ticks if tick <= high and tick >= low - (scale.ticks[1] - scale.ticks[0])]
    step = scale.ticks[1] - scale.ticks[0]
    counts: list[float | None] = [0.0] * len(ticks)
    for value in values:
        slot = min(max(math.floor((value - ticks[0]) / step), 0), len(ticks) - 1)
        counts[slot] = (counts[slot] or 0.0) + 1
    labels = tuple(f"{number_label(t, '', step)}–{number_label(t + step, '', step)}" for t in ticks)
    counted = Series(name=chart.series[0].name, values=tuple(counts))
    return msgspec.structs.replace(chart, categories=labels, series=(counted,), number_format="")


def draw_boxes(scene: Scene, chart: ChartData, area: Area) -> None:
    """Box and whisker per category and series: quartiles, median, whiskers to 1.5 quartile distances (Tukey, 1977) and
    points beyond."""
    names = list(dict.fromkeys(chart.categories)) or [""]
    groups: list[list[list[float]]] = []
    for series in chart.series:
        row: list[list[float]] = [[] for _ in names]
        places = {name: i for i, name in enumerate(names)}
        for i, value in enumerate(series.values):
            if value is not None:
                at = places[chart.categories[i]] if i < len(chart.categories) else 0
                row[at].append(clamped(value))
        groups.append(row)
    every = [value for row in groups for group in row for value in group]
    scale, middles, width = framed(scene, chart, area, values=every, labels=names, zero=False)
    lane = width * 0.7 / len(groups)
    for index, row in enumerate(groups):
        for middle, group in zip(middles, row, strict=True):
            if group:
                x = middle - width * 0.35 + lane * (index + 0.5)
                _box(scene, scale, sorted(group), x=x, half=min(lane * 0.4, 40.0), tint=colour(index))


def _box(scene: Scene, scale: Scale, group: list[float], *, x: float, half: float, tint: str) -> None:
    low, middle, high = (
        statistics.quantiles(group, n=4, method="exclusive") if len(group) > 1 else (group[0], group[0], group[0])
    )
    reach = (high - low) * _WHISKER
    inside = [value for value in group if low - reach <= value <= high + reach] or group
    scene.line(x, scale.at(inside[0]), x, scale.at(inside[-1]), ink=SOFT, width=1.3)
    for end in (inside[0], inside[-1]):
        scene.line(x - half / 2, scale.at(end), x + half / 2, scale.at(end), ink=SOFT, width=1.3)
    scene.rect(x - half, scale.at(high), x + half, max(scale.at(low), scale.at(high) + 1), fill=tint)
    scene.line(x - half, scale.at(middle), x + half, scale.at(middle), ink=PAPER, width=2.0)
    outside = [value for value in group if value < inside[0] or value > inside[-1]]
    scene.marks += [Circle(x, scale.at(value), 2.8, tint) for value in outside[:500]]
