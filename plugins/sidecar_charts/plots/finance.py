"""Stock, waterfall and funnel charts. Not responsible for titles and legends."""

import math

from sidecar.api import ChartData
from sidecar_charts.plots.axes import category_labels, framed
from sidecar_charts.plots.scales import clamped, number_label
from sidecar_charts.scene import INK, PAPER, SOFT, Area, Path, Scene, SceneText, colour, fitted, text_width

_UP, _DOWN = "#54a24b", "#e45756"


def draw_stock(scene: Scene, chart: ChartData, area: Area) -> None:
    """High, low and close, with open as a body; a volume series, if first, is left to the data."""
    rows = chart.series[1:] if len(chart.series) == 5 else chart.series
    count = max(len(series.values) for series in rows)
    values = [clamped(v) for series in rows for v in series.values if v is not None]
    scale, middles, width = framed(scene, chart, area, values=values, labels=category_labels(chart, count), zero=False)
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
    scale, middles, width = framed(
        scene, chart, area, values=edges, labels=category_labels(chart, len(values)), zero=True
    )
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
            scene.marks.append(SceneText(middles[i], top - area.size * 0.7, label, area.size * 0.9, "middle", SOFT))


def draw_funnel(scene: Scene, chart: ChartData, area: Area) -> None:
    """Centred bars from the top, widths in proportion."""
    values = [abs(clamped(value)) if value is not None else 0.0 for value in chart.series[0].values]
    labels = category_labels(chart, len(values))
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
            scene.marks.append(SceneText(left - area.size * 0.5, y, text, area.size, "end", SOFT))
            shown = number_label(value, chart.number_format)
            inside = half * 2 > text_width(shown, area.size) + 8
            if inside:
                scene.marks.append(SceneText(middle, y, shown, area.size, "middle", PAPER))
            else:
                scene.marks.append(SceneText(middle + half + area.size * 0.4, y, shown, area.size, "start", SOFT))
