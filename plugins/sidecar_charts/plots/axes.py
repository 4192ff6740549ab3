"""The frame of a plot: value axes with grid lines, category axes with labels that never overlap, axis titles.

Not responsible for marks inside the frame."""

import math
from collections.abc import Sequence
from dataclasses import replace

from sidecar.api import ChartData
from sidecar_charts.plots.scales import Scale, nice_scale, number_label
from sidecar_charts.scene import GRID, SOFT, Area, Scene, SceneText, fitted, text_width, wrapped

_AXIS = "#9aa1ab"


def tick_labels(scale: Scale, code: str) -> list[str]:
    """The labels of a scale's ticks; a format that makes neighbours look alike is not used."""
    step = abs(scale.ticks[1] - scale.ticks[0]) if len(scale.ticks) > 1 else 0.0
    labels = [number_label(tick, code, step) for tick in scale.ticks]
    if len(set(labels)) < len(labels):
        labels = [number_label(tick, "", step) for tick in scale.ticks]
    return labels


def value_axis_upright(area: Area, labels: Sequence[str], *, title: str, right: bool = False) -> Area:
    """What is left of an area beside a value axis on its left (or right): room for its labels and title. They are drawn
    by `grid_across`, once the height of the plot is known."""
    wide = max(text_width(label, area.size) for label in labels) + area.size * 0.7
    wide += area.size * 1.7 if title else 0.0
    return replace(area, right=area.right - wide) if right else replace(area, left=area.left + wide)


def grid_across(
    scene: Scene, area: Area, scale: Scale, labels: Sequence[str], *, title: str, right: bool = False
) -> None:
    """A value axis, for a scale whose pixels are set: its title, its labels and, on the left, the grid lines."""
    for tick, label in zip(scale.ticks, labels, strict=True):
        y = scale.at(tick)
        if not right:
            scene.line(area.left, y, area.right, y, ink=GRID)
        x = area.right + area.size * 0.5 if right else area.left - area.size * 0.5
        scene.marks.append(SceneText(x, y, label, area.size, "start" if right else "end", SOFT))
    if title:
        away = max(text_width(label, area.size) for label in labels) + area.size * 1.8
        x = area.right + away if right else area.left - away
        text = fitted(title, area.size, area.bottom - area.top)
        turn = 90.0 if right else -90.0
        scene.marks.append(SceneText(x, (area.top + area.bottom) / 2, text, area.size, "middle", SOFT, turn=turn))


def base_line(scene: Scene, x1: float, y1: float, x2: float, y2: float) -> None:
    """The line bars stand on."""
    scene.line(x1, y1, x2, y2, ink=_AXIS, width=1.2)


def category_axis_below(
    scene: Scene, area: Area, labels: Sequence[str], title: str, points: bool = False
) -> tuple[Area, list[float]]:
    """Labels under the plot, level where they fit, else slanted, else every n-th; returns the rest of the area and the
    middle of each category. `points`: the first and last category stand at the edges (areas)."""
    count = max(len(labels), 1)
    bottom = area.bottom
    if title:
        text = fitted(title, area.size, (area.right - area.left) * 0.95)
        scene.marks.append(
            SceneText((area.left + area.right) / 2, bottom - area.size * 0.6, text, area.size, "middle", SOFT)
        )
        bottom -= area.size * 1.8
    step = (area.right - area.left) / (max(count - 1, 1) if points else count)
    first = area.left if points else area.left + step / 2
    middles = [first + step * i for i in range(count)]
    widest = max((text_width(label, area.size) for label in labels), default=0.0)
    if widest <= step * 0.94:
        rows, every = 1, 1
    elif step >= area.size * 4.5 and all(_fits(label, area.size, step * 0.94) for label in labels):
        rows, every = 3, 1
    elif count > 12 and widest <= area.size * 6:
        rows, every = 1, math.ceil((widest + area.size) / step)
    else:
        return _slanted(scene, replace(area, bottom=bottom), labels, middles), middles
    texts = [wrapped(labels[i], area.size, step * every * 0.94, rows) for i in range(0, len(labels), every)]
    lines = max((len(text) for text in texts), default=0)
    floor = bottom - area.size * (lines * 1.2 + 0.55)
    for i, text in zip(range(0, len(labels), every), texts, strict=True):
        for row, words in enumerate(text):
            half = text_width(words, area.size) / 2 + 2
            x = min(max(middles[i], half), scene.width - half)
            scene.marks.append(SceneText(x, floor + area.size * (1.15 + row * 1.2), words, area.size, "middle", SOFT))
    return replace(area, bottom=floor), middles


def _fits(label: str, size: float, room: float) -> bool:
    """Whether a label can be wrapped onto three lines without cutting a word."""
    rows = wrapped(label, size, room, 3)
    return sum(len(row) for row in rows) >= len("".join(label.split())) and not any(row.endswith("…") for row in rows)


def _slanted(scene: Scene, area: Area, labels: Sequence[str], middles: Sequence[float]) -> Area:
    """Labels at forty degrees, every n-th where even these would touch."""
    angle = math.radians(40)
    step = middles[1] - middles[0] if len(middles) > 1 else area.right - area.left
    every = max(1, math.ceil(area.size * 1.5 / step))
    longest = min((area.bottom - area.top) * 0.3, area.size * 9) / math.sin(angle)
    widest = max(text_width(label, area.size) for label in labels)
    floor = area.bottom - min(widest, longest) * math.sin(angle) - area.size * 1.4
    for i in range(0, len(labels), every):
        # A slanted label reaches left of its mark, and must not leave the picture there.
        text = fitted(labels[i], area.size, min(longest, (middles[i] - area.size) / math.cos(angle)))
        x, y = middles[i] + area.size * 0.35, floor + area.size * 0.8
        scene.marks.append(SceneText(x, y, text, area.size, "end", SOFT, turn=-40.0))
    return replace(area, bottom=floor)


def framed(
    scene: Scene, chart: ChartData, area: Area, *, values: list[float], labels: list[str], zero: bool
) -> tuple[Scale, list[float], float]:
    """Axes around values; returns the value scale, the middles of the categories and the width of one."""
    most = max(3, int((area.bottom - area.top) / (area.size * 3.4)))
    scale = nice_scale(values, most, zero=zero, spread=0.6)
    marks = tick_labels(scale, chart.number_format)
    inner = value_axis_upright(area, marks, title=chart.y_title)
    inner, middles = category_axis_below(scene, inner, labels, chart.x_title)
    scale = scale.over(inner.bottom, inner.top + 4)
    grid_across(scene, inner, scale, marks, title=chart.y_title)
    floor = scale.at(0.0) if scale.low <= 0 <= scale.high else inner.bottom
    base_line(scene, inner.left, floor, inner.right, floor)
    return scale, middles, (inner.right - inner.left) / max(len(labels), 1)


def category_labels(chart: ChartData, count: int) -> list[str]:
    """A label for each of `count` categories, its number where the chart names none."""
    return [chart.categories[i] if i < len(chart.categories) else str(i + 1) for i in range(count)]
