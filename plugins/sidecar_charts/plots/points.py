"""Scatter and bubble charts. Not responsible for titles and legends."""

import math
from datetime import date

from sidecar.api import ChartData
from sidecar_charts.plots.axes import base_line, grid_across, tick_labels, value_axis_upright
from sidecar_charts.plots.scales import Scale, clamped, nice_scale, number_label
from sidecar_charts.scene import GRID, PAPER, SOFT, Area, Circle, Scene, SceneText, colour, fitted

_MAX_MARKS = 20_000  # marks a picture can show; beyond it every n-th point stands for its neighbours

_SPREAD = 0.6  # a cloud far from zero is looked at close up


def draw_points(scene: Scene, chart: ChartData, area: Area) -> None:
    """Points at (x, y), bubbles with areas in proportion to their sizes. Dates along x are placed as dates; other words
    count from one."""
    dated = any(isinstance(x, str) for series in chart.series for x in series.x)
    dates = dated and all(_day(x) is not None for series in chart.series for x in series.x if isinstance(x, str))
    rows: list[list[tuple[float, float, float]]] = []
    for series in chart.series:
        row: list[tuple[float, float, float]] = []
        step = max(1, len(series.values) * len(chart.series) // _MAX_MARKS)
        for i in range(0, len(series.values), step):
            value = series.values[i]
            x = series.x[i] if i < len(series.x) else float(i + 1)
            if isinstance(x, str):
                x = _day(x) if dates else float(i + 1)
            size = series.size[i] if i < len(series.size) else None
            if value is not None and x is not None:
                row.append((clamped(x), clamped(value), abs(size) if size is not None else 0.0))
        rows.append(row)
    # Bubbles reach beyond their middles.
    xs = _widened([x for row in rows for x, _, _ in row], 0.08 if chart.type == "bubble" else 0.0)
    ys = _widened([y for row in rows for _, y, _ in row], 0.12 if chart.type == "bubble" else 0.0)
    across = nice_scale(xs, max(3, int((area.right - area.left) / 110)), zero=False, spread=_SPREAD)
    upright = nice_scale(ys, max(3, int((area.bottom - area.top) / (area.size * 3.4))), zero=False, spread=_SPREAD)
    bottom = area.bottom - area.size * 1.8
    if chart.x_title:
        text = fitted(chart.x_title, area.size, area.right - area.left)
        middle = (area.left + area.right) / 2
        scene.marks.append(SceneText(middle, area.bottom - area.size * 0.6, text, area.size, "middle", SOFT))
        bottom -= area.size * 1.7
    labels = tick_labels(upright, chart.number_format)
    frame = Area(area.left, area.top, area.right - area.size * 1.5, bottom, area.size)
    inner = value_axis_upright(frame, labels, title=chart.y_title)
    upright = upright.over(inner.bottom, inner.top + 4)
    across = across.over(inner.left, inner.right)
    grid_across(scene, inner, upright, labels, title=chart.y_title)
    for tick, label in zip(across.ticks, _across_labels(across, dates), strict=True):
        x = across.at(tick)
        scene.line(x, inner.top, x, inner.bottom, ink=GRID)
        scene.marks.append(SceneText(x, inner.bottom + area.size, label, area.size, "middle", SOFT))
    y = upright.at(0.0) if upright.low <= 0 <= upright.high else inner.bottom
    base_line(scene, inner.left, y, inner.right, y)
    largest = max((size for row in rows for _, _, size in row), default=0.0)
    most = min(inner.right - inner.left, inner.bottom - inner.top) / 9
    for index, row in enumerate(rows):
        for x, y, size in sorted(row, key=lambda point: -point[2]):
            bubble = chart.type == "bubble" and largest > 0
            radius = max(1.5, most * math.sqrt(size / largest)) if bubble else 4.0
            spot = Circle(across.at(x), upright.at(y), radius, colour(index), 0.6 if bubble else 0.85, PAPER)
            scene.marks.append(spot)


def _widened(values: list[float], share: float) -> list[float]:
    if not values or not share:
        return values
    low, high = min(values), max(values)
    return [*values, clamped(low - (high / 2 - low / 2) * 2 * share), clamped(high + (high / 2 - low / 2) * 2 * share)]


def _across_labels(scale: Scale, dates: bool) -> list[str]:
    if not dates:
        return tick_labels(scale, "")
    return [
        date.fromordinal(int(t)).isoformat() if 1 <= t <= date.max.toordinal() else number_label(t) for t in scale.ticks
    ]


def _day(text: str) -> float | None:
    try:
        return float(date.fromisoformat(text[:10]).toordinal())
    except ValueError:
        return None
