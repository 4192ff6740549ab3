"""From a chart's data to a scene: title, legend and room for the plot; which plot is decided here, drawn elsewhere.

Not responsible for any one kind of plot (`cartesian`, `points`, `polar`, `statistical`, `finance` …)."""

from collections.abc import Callable, Mapping

import msgspec

from sidecar.api import ChartData
from sidecar_charts.plots.cartesian import draw_bars_across, draw_columns_and_lines
from sidecar_charts.plots.finance import draw_funnel, draw_stock, draw_waterfall
from sidecar_charts.plots.heatmap import draw_surface
from sidecar_charts.plots.hierarchy import branches, draw_sunburst, draw_treemap
from sidecar_charts.plots.points import draw_points
from sidecar_charts.plots.polar import draw_pie, draw_radar
from sidecar_charts.plots.statistical import as_columns, draw_boxes
from sidecar_charts.scene import SOFT, Area, Scene, SceneText, colour, fitted, text_width, wrapped

_MAX_SERIES = 40
_LEGEND_ROWS = 3
_BY_TYPE: Mapping[str, Callable[[Scene, ChartData, Area], None]] = {
    "pie": draw_pie, "doughnut": draw_pie, "treemap": draw_treemap, "sunburst": draw_sunburst,
    "surface": draw_surface, "radar": draw_radar, "waterfall": draw_waterfall, "funnel": draw_funnel,
    "boxWhisker": draw_boxes,
}  # fmt: skip


def lay_out(chart: ChartData, width: int, height: int) -> Scene:
    """The whole picture. Series without a single number are left out; without any, the picture says so."""
    scene = Scene(width, height, chart.title)
    size = max(8.0, min(width / 960, height / 540) * 14)
    chart = _drawable(chart)
    margin = size * 1.4
    top = margin
    if chart.title:
        big = size * 1.45
        for line in wrapped(chart.title, big * 1.06, width - 2 * margin, 2):
            scene.marks.append(SceneText(width / 2, top + big * 0.5, line, big, "middle", bold=True))
            top += big * 1.25
        top += size * 0.4
    if not chart.series:
        scene.marks.append(SceneText(width / 2, height / 2, "No data", size * 1.2, "middle", SOFT))
        return scene
    bottom = float(height) - margin * 0.8
    slices = chart.type in {"pie", "doughnut"}
    names = _legend_names(chart, slices)
    if names and slices:
        room = min(width * 0.36, max(text_width(name, size) for name in names) + size * 3)
        _legend_column(scene, names, (width - margin - room, top, width - margin, bottom), size)
        area = Area(margin, top, width - margin * 1.5 - room, bottom, size)
    else:
        if names:
            bottom = _legend_rows(scene, names, (margin, width - margin), bottom, size)
        area = Area(margin, top, width - margin, bottom, size)
    _plotter(chart)(scene, chart, area)
    return scene


def _drawable(chart: ChartData) -> ChartData:
    kept = [series for series in chart.series if any(value is not None for value in series.values)]
    chart = msgspec.structs.replace(chart, series=tuple(kept[:_MAX_SERIES]))
    return as_columns(chart) if chart.type in {"histogram", "other"} else chart


def _legend_names(chart: ChartData, slices: bool) -> list[str]:
    if slices:
        count = len(chart.series[0].values)
        labels = chart.categories or tuple(str(i + 1) for i in range(count))
        return [labels[i] if i < len(labels) else str(i + 1) for i in range(min(count, 400))]
    if chart.type == "sunburst":
        return branches(chart)
    if len(chart.series) < 2 or chart.type in {"stock", "waterfall", "funnel", "treemap", "surface"}:
        return []
    return [series.name or f"Series {i}" for i, series in enumerate(chart.series, 1)]


def _legend_rows(scene: Scene, names: list[str], sides: tuple[float, float], bottom: float, size: float) -> float:
    """A legend in centred rows at the foot; returns where the plot must end."""
    left, right = sides
    entries = [fitted(name, size, (right - left) / 3) for name in names]
    rows: list[list[int]] = [[]]
    used = 0.0
    for i, entry in enumerate(entries):
        wide = text_width(entry, size) + size * 2.6
        if rows[-1] and used + wide > right - left:
            if len(rows) == _LEGEND_ROWS:
                rows[-1][-1:] = [-1]
                break
            rows.append([])
            used = 0.0
        rows[-1].append(i)
        used += wide
    step = size * 1.6
    y = bottom - step * len(rows) + step / 2
    shown = {i for row in rows for i in row if i >= 0}
    more = f"+ {len(names) - len(shown)} more"
    for row in rows:
        texts = [entries[i] if i >= 0 else more for i in row]
        x = (left + right) / 2 - sum(text_width(text, size) + size * 2.6 for text in texts) / 2
        for i, text in zip(row, texts, strict=True):
            if i >= 0:
                scene.rect(x, y - size * 0.42, x + size * 0.84, y + size * 0.42, fill=colour(i))
            scene.marks.append(SceneText(x + size * 1.25, y, text, size, colour=SOFT))
            x += text_width(text, size) + size * 2.6
        y += step
    return bottom - step * len(rows) - size * 0.5


def _legend_column(scene: Scene, names: list[str], box: tuple[float, float, float, float], size: float) -> None:
    """A legend down the right side; what does not fit is counted."""
    left, top, right, bottom = box
    step = size * 1.55
    room = max(int((bottom - top) / step), 1)
    shown = names if len(names) <= room else names[: room - 1]
    y = (top + bottom) / 2 - (min(len(names), room) - 1) * step / 2
    for i, name in enumerate(shown):
        scene.rect(left, y - size * 0.42, left + size * 0.84, y + size * 0.42, fill=colour(i))
        text = fitted(name, size, right - left - size * 1.3)
        scene.marks.append(SceneText(left + size * 1.25, y, text, size, colour=SOFT))
        y += step
    if len(shown) < len(names):
        scene.marks.append(SceneText(left + size * 1.25, y, f"+ {len(names) - len(shown)} more", size, colour=SOFT))


def _plotter(chart: ChartData) -> Callable[[Scene, ChartData, Area], None]:
    """Which plot shows a chart: that of its type, else by what its series are."""
    kinds = {series.type or chart.type for series in chart.series}
    if chart.type in _BY_TYPE:
        return _BY_TYPE[chart.type]
    if kinds <= {"scatter", "bubble"}:
        return draw_points
    if chart.type == "stock" and 3 <= len(chart.series) <= 5:
        return draw_stock
    return draw_bars_across if kinds == {"bar"} else draw_columns_and_lines
