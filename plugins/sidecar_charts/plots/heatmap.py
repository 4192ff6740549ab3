"""A surface seen from above: a field of colours over categories and series. Not responsible for titles and legends."""

import math
from collections.abc import Callable

from sidecar.api import ChartData
from sidecar_charts.plots.axes import category_axis_below, tick_labels
from sidecar_charts.plots.scales import clamped, nice_scale
from sidecar_charts.scene import GRID, SOFT, Area, Scene, SceneText, fitted, text_width

_RAMP = ("#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725")
"""Dark to light in steps that look alike, also without colour vision (viridis, van der Walt and Smith, 2015)."""
_MAX_COLUMNS = 200


def draw_surface(scene: Scene, chart: ChartData, area: Area) -> None:
    """A cell a category and series, its colour the value's, with a scale of the colours at the right."""
    rows = chart.series
    count = min(max(len(series.values) for series in rows), _MAX_COLUMNS)
    values = [clamped(value) for series in rows for value in series.values[:count] if value is not None]
    scale = nice_scale(values, 7, zero=False)
    marks = tick_labels(scale, chart.number_format)
    size = area.size
    key = max(text_width(mark, size) for mark in marks) + size * 2.6
    names = [series.name or str(at) for at, series in enumerate(rows, 1)]
    room = min(max(text_width(name, size) for name in names) + size * 0.8, (area.right - area.left) * 0.3)
    inner = Area(area.left + room, area.top, area.right - key, area.bottom, size)
    labels = [chart.categories[at] if at < len(chart.categories) else str(at + 1) for at in range(count)]
    inner, _ = category_axis_below(scene, inner, labels, chart.x_title)
    wide, high = (inner.right - inner.left) / count, (inner.bottom - inner.top) / len(rows)
    every = max(1, math.ceil(size * 1.25 / high))
    for row, series in enumerate(rows):
        bottom = inner.bottom - row * high
        for at, value in enumerate(series.values[:count]):
            left = inner.left + at * wide
            fill = GRID if value is None else _shade((clamped(value) - scale.low) / ((scale.high - scale.low) or 1.0))
            scene.rect(left, bottom - high, left + wide + 0.3, bottom + 0.3, fill=fill)
        if row % every == 0:
            name = fitted(names[row], size, room - size * 0.6)
            scene.marks.append(SceneText(inner.left - size * 0.5, bottom - high / 2, name, size, "end", SOFT))
    _key(scene, scale.over(inner.bottom, inner.top).at, list(zip(scale.ticks, marks, strict=True)), inner, size)


def _key(scene: Scene, at: Callable[[float], float], marks: list[tuple[float, str]], inner: Area, size: float) -> None:
    left, steps = inner.right + size, 64
    high = (inner.bottom - inner.top) / steps
    for step in range(steps):
        bottom = inner.bottom - step * high
        scene.rect(left, bottom - high - 0.3, left + size, bottom, fill=_shade((step + 0.5) / steps))
    for tick, mark in marks:
        y = at(tick)
        scene.marks.append(SceneText(left + size * 1.4, y, mark, size, colour=SOFT))


def _shade(share: float) -> str:
    """The ramp's colour at a share of its length, between its steps in proportion."""
    place = min(max(share, 0.0), 1.0) * (len(_RAMP) - 1)
    low = min(int(place), len(_RAMP) - 2)
    first, second = (tuple(int(_RAMP[low + i][j : j + 2], 16) for j in (1, 3, 5)) for i in (0, 1))
    return "#" + "".join(f"{round(a + (b - a) * (place - low)):02x}" for a, b in zip(first, second, strict=True))
