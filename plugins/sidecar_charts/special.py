"""Stock, waterfall, funnel, box plots and histograms. Not responsible for titles and legends."""

from __future__ import annotations

import math
import statistics

import msgspec

from sidecar.api import ChartData, Series
from sidecar_charts.axes import base_line, category_axis_below, grid_across, tick_labels, value_axis_upright
from sidecar_charts.scales import Scale, clamped, nice_scale, number_label
from sidecar_charts.scene import INK, PAPER, SOFT, Area, Circle, Path, Scene, Words, colour, fitted, text_width

_UP, _DOWN = "#54a24b", "#e45756"
_MOST_BINS = 60


def as_columns(chart: ChartData) -> ChartData:
    """Charts with no plot of their own as columns; a histogram by counting its values into bins (Sturges' rule, 1926)
    when it has no categories."""
    if chart.type == "histogram" and chart.categories:
        return chart  # counted by who made it
    if chart.type != "histogram" or not chart.series:
        return msgspec.structs.replace(chart, type="column", grouping="")
    values = [clamped(v) for series in chart.series for v in series.values if v is not None]
    scale = nice_scale(values, min(max(2, math.ceil(math.log2(len(values) or 1)) + 2), _MOST_BINS), zero=False)
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


def _frame(
    scene: Scene, chart: ChartData, area: Area, *, values: list[float], labels: list[str], zero: bool
) -> tuple[Scale, list[float], float]:
    """Axes around values; returns the value scale, the middles of the categories and the width of one."""
    most = max(3, int((area.bottom - area.top) / (area.size * 3.4)))
    scale = nice_scale(values, most, zero, spread=0.6)
    marks = tick_labels(scale, chart.number_format)
    inner = value_axis_upright(area, marks, title=chart.y_title)
    inner, middles = category_axis_below(scene, inner, labels, chart.x_title)
    scale = scale.over(inner.bottom, inner.top + 4)
    grid_across(scene, inner, scale, marks, title=chart.y_title)
    floor = scale.at(0.0) if scale.low <= 0 <= scale.high else inner.bottom
    base_line(scene, inner.left, floor, inner.right, floor)
    return scale, middles, (inner.right - inner.left) / max(len(labels), 1)


def _labels(chart: ChartData, count: int) -> list[str]:
    return [chart.categories[i] if i < len(chart.categories) else str(i + 1) for i in range(count)]


def draw_stock(scene: Scene, chart: ChartData, area: Area) -> None:
    """High, low and close, with open as a body; a volume series, if first, is left to the data."""
    rows = chart.series[1:] if len(chart.series) == 5 else chart.series
    count = max(len(series.values) for series in rows)
    values = [clamped(v) for series in rows for v in series.values if v is not None]
    scale, middles, width = _frame(scene, chart, area, values=values, labels=_labels(chart, count), zero=False)
    for i in range(count):
        known = [series.values[i] if i < len(series.values) else None for series in rows]
        first, last = (known[0] if len(rows) > 3 else None), known[-1]
        ends = [clamped(value) for value in known if value is not None]
        if not ends:
            continue
        x, half = middles[i], min(width * 0.3, 9.0)
        scene.line(x, scale.at(max(ends)), x, scale.at(min(ends)), ink=INK, width=1.4)
        if first is not None and last is not None:
            top, bottom = sorted((scale.at(first), scale.at(last)))
            scene.rect(x - half, top, x + half, max(bottom, top + 1), fill=_UP if last >= first else _DOWN)
        elif last is not None:
            scene.line(x, scale.at(last), x + half, scale.at(last), ink=INK, width=2.0)


def draw_waterfall(scene: Scene, chart: ChartData, area: Area) -> None:
    """Each value from where the one before ended: rises green, falls red, totals from the ground."""
    values, totals = chart.series[0].values, set(chart.series[0].totals)
    ends: list[tuple[float, float]] = []
    total = 0.0
    for at, value in enumerate(values):
        amount = clamped(value or 0.0)
        ends.append((0.0, amount) if at in totals else (total, clamped(total + amount)))
        total = ends[-1][1]
    edges = [edge for pair in ends for edge in pair]
    edges.append(clamped(max(edges) * 1.06))  # room for the highest label
    scale, middles, width = _frame(scene, chart, area, values=edges, labels=_labels(chart, len(values)), zero=True)
    for i, (start, end) in enumerate(ends):
        top, bottom = sorted((scale.at(start), scale.at(end)))
        tint = colour(0) if i in totals else _UP if end >= start else _DOWN
        scene.rect(middles[i] - width * 0.34, top, middles[i] + width * 0.34, max(bottom, top + 0.6), fill=tint)
        if i + 1 < len(ends):
            y = scale.at(end)
            joint = ((middles[i] + width * 0.34, y), (middles[i + 1] - width * 0.34, y))
            scene.marks.append(Path(joint, stroke=SOFT, dash=True))
        if width > text_width("0.00K", area.size) and values[i] is not None:
            label = number_label(values[i] or 0.0, chart.number_format)
            scene.marks.append(Words(middles[i], top - area.size * 0.7, label, area.size * 0.9, "middle", SOFT))


def draw_funnel(scene: Scene, chart: ChartData, area: Area) -> None:
    """Centred bars from the top, widths in proportion."""
    values = [abs(clamped(value)) if value is not None else 0.0 for value in chart.series[0].values]
    labels = _labels(chart, len(values))
    room = min(max(text_width(label, area.size) for label in labels) + area.size, (area.right - area.left) * 0.34)
    left, step, largest = area.left + room, (area.bottom - area.top) / len(values), max(values) or 1.0
    middle = (left + area.right) / 2
    every = max(1, math.ceil(area.size * 1.25 / step))
    for i, value in enumerate(values):
        half = max((area.right - left) / 2 * (value / largest), 0.5)
        y = area.top + step * (i + 0.5)
        scene.rect(middle - half, y - step * 0.42, middle + half, y + step * 0.42, fill=colour(0))
        if i % every == 0:
            text = fitted(labels[i], area.size, room - area.size * 0.6)
            scene.marks.append(Words(left - area.size * 0.5, y, text, area.size, "end", SOFT))
            shown = number_label(value, chart.number_format)
            inside = half * 2 > text_width(shown, area.size) + 8
            if inside:
                scene.marks.append(Words(middle, y, shown, area.size, "middle", PAPER))
            else:
                scene.marks.append(Words(middle + half + area.size * 0.4, y, shown, area.size, "start", SOFT))


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
    scale, middles, width = _frame(scene, chart, area, values=every, labels=names, zero=False)
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
    reach = (high - low) * 1.5
    inside = [value for value in group if low - reach <= value <= high + reach] or group
    scene.line(x, scale.at(inside[0]), x, scale.at(inside[-1]), ink=SOFT, width=1.3)
    for end in (inside[0], inside[-1]):
        scene.line(x - half / 2, scale.at(end), x + half / 2, scale.at(end), ink=SOFT, width=1.3)
    scene.rect(x - half, scale.at(high), x + half, max(scale.at(low), scale.at(high) + 1), fill=tint)
    scene.line(x - half, scale.at(middle), x + half, scale.at(middle), ink=PAPER, width=2.0)
    outside = [value for value in group if value < inside[0] or value > inside[-1]]
    scene.marks += [Circle(x, scale.at(value), 2.8, tint) for value in outside[:500]]
