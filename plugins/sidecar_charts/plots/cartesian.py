"""Columns, bars, lines and areas, alone or combined, clustered or stacked, with a secondary axis where one is used.

Not responsible for titles and legends."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sidecar.api import ChartData, Series
from sidecar_charts.plots.axes import base_line, category_axis_below, grid_across, tick_labels, value_axis_upright
from sidecar_charts.plots.scales import Scale, clamped, nice_scale
from sidecar_charts.scene import (
    GRID,
    PAPER,
    SOFT,
    Area,
    Circle,
    Path,
    Point,
    Scene,
    SceneText,
    colour,
    fitted,
    text_width,
)

_BARS = frozenset({"column", "bar"})
_STACKED = frozenset({"stacked", "percentStacked"})
_LINES = frozenset({"line", "scatter", "radar", "stock"})
_BIN = 0.97
"""Share of its place that a histogram's bar fills: its bins adjoin."""


@dataclass(frozen=True)
class Stack:
    """One series as it is drawn: for each category the lower and upper end, None in a gap."""

    index: int
    kind: str
    secondary: bool
    spans: tuple[tuple[float, float] | None, ...]


def _stacks(chart: ChartData, count: int) -> list[Stack]:
    """Every series with its ends, stacked within its kind and axis where the chart says so. In a stack, negative
    values pile downwards from zero on their own; `percentStacked` shows shares of the sum of sizes."""
    made: list[Stack] = []
    piles: dict[tuple[str, bool, bool], list[float]] = {}
    totals: dict[tuple[str, bool], list[float]] = {}
    stacked = chart.grouping in _STACKED
    share = chart.grouping == "percentStacked"
    kinds = [_kind(series, chart) for series in chart.series]
    if share:
        for series, kind in zip(chart.series, kinds, strict=True):
            total = totals.setdefault((kind, series.secondary), [0.0] * count)
            for i, value in enumerate(series.values[:count]):
                total[i] += abs(clamped(value)) if value is not None else 0.0
    for index, (series, kind) in enumerate(zip(chart.series, kinds, strict=True)):
        spans: list[tuple[float, float] | None] = []
        piled = stacked and (kind == (chart.type if chart.type != "bar" else "column") or kind in _BARS)
        for i in range(count):
            value = series.values[i] if i < len(series.values) else None
            if value is None:
                spans.append((0.0, 0.0) if piled and kind == "area" else None)
                continue
            value = clamped(value)
            if not piled:
                spans.append((0.0, value))
                continue
            if share:
                total = totals[kind, series.secondary][i]
                value = value / total * 100 if total else 0.0
            pile = piles.setdefault((kind, series.secondary, value < 0), [0.0] * count)
            spans.append((pile[i], pile[i] + value))
            pile[i] += value
        made.append(Stack(index, kind, series.secondary, tuple(spans)))
    return made


def _kind(series: Series, chart: ChartData) -> str:
    kind = series.type or chart.type
    return "column" if kind in _BARS else "line" if kind in _LINES else kind if kind == "area" else "column"


def _labels(chart: ChartData) -> tuple[list[str], int]:
    count = max((len(series.values) for series in chart.series), default=0)
    count = max(count, len(chart.categories))
    labels = list(chart.categories) if chart.categories else [str(i + 1) for i in range(count)]
    return labels + [""] * (count - len(labels)), count


def _scale(stacks: Sequence[Stack], most: int, *, share: bool) -> Scale:
    zero = any(stack.kind != "line" for stack in stacks)
    ends = [end for stack in stacks for span in stack.spans if span is not None for end in (span if zero else span[1:])]
    if share:
        ends = [min(max(end, -100.0), 100.0) for end in ends]
    return nice_scale(ends, most, zero=zero)


def draw_columns_and_lines(scene: Scene, chart: ChartData, area: Area) -> None:
    """Categories along the foot."""
    labels, count = _labels(chart)
    drawn = _stacks(chart, count)
    share = chart.grouping == "percentStacked"
    most = max(3, int((area.bottom - area.top) / (area.size * 3.4)))
    both = any(stack.secondary for stack in drawn) and not all(stack.secondary for stack in drawn)
    if not both:
        drawn = [replace(stack, secondary=False) for stack in drawn]
    scale = _scale([stack for stack in drawn if not stack.secondary], most, share=share)
    code = "0%" if share else chart.number_format
    marks = [f"{label}%" for label in tick_labels(scale, "")] if share else tick_labels(scale, code)
    inner = value_axis_upright(area, marks, title=chart.y_title)
    second = _scale([stack for stack in drawn if stack.secondary], most, share=False) if both else scale
    second_format = next((s.format for s in chart.series if s.secondary and s.format), "")
    second_marks = tick_labels(second, second_format)
    if both:
        inner = value_axis_upright(inner, second_marks, title=chart.y2_title, right=True)
    only_areas = all(stack.kind == "area" for stack in drawn)
    inner, middles = category_axis_below(scene, inner, labels, chart.x_title, points=only_areas and count > 1)
    scale, second = scale.over(inner.bottom, inner.top + 4), second.over(inner.bottom, inner.top + 4)
    grid_across(scene, inner, scale, marks, title=chart.y_title)
    if both:
        grid_across(scene, inner, second, second_marks, title=chart.y2_title, right=True)
    width = (inner.right - inner.left) / max(count, 1)
    for stack in drawn:
        if stack.kind == "area":
            _area(scene, stack, second if stack.secondary else scale, middles, chart.grouping == "")
    lanes = _Lanes(middles, width, chart.grouping in _STACKED, _BIN if chart.type == "histogram" else 0.0)
    _columns(scene, [s for s in drawn if s.kind == "column"], (scale, second), lanes)
    zero = scale.at(0.0) if scale.low <= 0 <= scale.high else inner.bottom
    base_line(scene, inner.left, zero, inner.right, zero)
    for stack in drawn:
        if stack.kind == "line":
            line(scene, stack, second if stack.secondary else scale, middles, scene.width)


class _Lanes(NamedTuple):
    """Where the columns of categories stand: their middles and width, whether those of one are piled, and the share of
    the width that they take, 0 for the usual one."""

    middles: Sequence[float]
    width: float
    piled: bool
    band: float


def _columns(scene: Scene, drawn: Sequence[Stack], scales: tuple[Scale, Scale], lanes: _Lanes) -> None:
    if not drawn:
        return
    count = 1 if lanes.piled else len(drawn)
    band = lanes.width * (lanes.band or (0.62 if count == 1 else 0.78))
    lane = band / count
    gap = min(lane * 0.08, 2.0) if count > 1 else 0.0
    for slot, stack in enumerate(drawn):
        scale = scales[1] if stack.secondary else scales[0]
        shift = -band / 2 + (0 if lanes.piled else slot * lane)
        for middle, span in zip(lanes.middles, stack.spans, strict=True):
            if span is not None:
                left = middle + shift + gap / 2
                top, bottom = sorted((scale.at(span[0]), scale.at(span[1])))
                scene.rect(
                    left, top, max(left + lane - gap, left + 0.4), max(bottom, top + 0.6), fill=colour(stack.index)
                )


def _area(scene: Scene, stack: Stack, scale: Scale, middles: Sequence[float], loose: bool) -> None:
    tint = colour(stack.index)
    for run in _runs(stack.spans):
        upper: list[Point] = [(middles[i], scale.at(span[1])) for i, span in run]
        lower: list[Point] = [(middles[i], scale.at(span[0])) for i, span in run]
        scene.marks.append(Path([*upper, *reversed(lower)], fill=tint, opacity=0.45 if loose else 0.85))
        scene.marks.append(Path(upper, stroke=tint, width=1.6))


def line(scene: Scene, stack: Stack, scale: Scale, middles: Sequence[float], pixels: int) -> None:
    """A line with breaks in the gaps; points are marked where there is room, and a lone point always."""
    tint = colour(stack.index)
    shown = sum(span is not None for span in stack.spans)
    for run in _runs(stack.spans):
        points: list[Point] = [(middles[i], scale.at(span[1])) for i, span in run]
        if len(points) > 1:
            scene.marks.append(Path(_thinned(points, pixels), stroke=tint, width=2.4))
        if len(points) == 1 or shown <= 40:
            scene.marks += [Circle(x, y, 3.4, tint, stroke=PAPER) for x, y in points]


def _runs(spans: Sequence[tuple[float, float] | None]) -> list[list[tuple[int, tuple[float, float]]]]:
    """The stretches between the gaps, each span with its index."""
    runs: list[list[tuple[int, tuple[float, float]]]] = [[]]
    for i, span in enumerate(spans):
        if span is not None:
            runs[-1].append((i, span))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _thinned(points: Sequence[Point], pixels: int) -> Sequence[Point]:
    """A long line with the lowest and highest point of each pixel column kept: it looks the same."""
    if len(points) <= pixels * 2:
        return points
    size = len(points) / pixels
    kept: list[Point] = []
    for column in range(pixels):
        chunk = points[int(column * size) : max(int((column + 1) * size), int(column * size) + 1)]
        ends = sorted({min(chunk, key=lambda p: p[1]), max(chunk, key=lambda p: p[1])})
        kept += ends
    return kept


def draw_bars_across(scene: Scene, chart: ChartData, area: Area) -> None:
    """Categories down the side, the first at the foot, as spreadsheets draw them."""
    labels, count = _labels(chart)
    drawn = _stacks(chart, count)
    share = chart.grouping == "percentStacked"
    widest = max((text_width(label, area.size) for label in labels), default=0.0)
    room = min(widest + area.size, (area.right - area.left) * 0.34) if any(labels) else area.size * 0.3
    left, bottom = area.left + room, area.bottom - area.size * 1.8
    if chart.x_title:
        text = fitted(chart.x_title, area.size, (bottom - area.top) * 0.95)
        middle = (area.top + bottom) / 2
        scene.marks.append(SceneText(area.left + area.size * 0.6, middle, text, area.size, "middle", SOFT, turn=-90.0))
        left += area.size * 1.6
    if chart.y_title:
        bottom -= area.size * 1.7
        text = fitted(chart.y_title, area.size, (area.right - left) * 0.95)
        scene.marks.append(
            SceneText((left + area.right) / 2, area.bottom - area.size * 0.6, text, area.size, "middle", SOFT)
        )
    right = area.right - area.size * 1.2
    scale = _scale(drawn, max(3, int((right - left) / 110)), share=share)
    scale = scale.over(left, right)
    marks = [f"{label}%" for label in tick_labels(scale, "")] if share else tick_labels(scale, chart.number_format)
    for tick, mark in zip(scale.ticks, marks, strict=True):
        x = scale.at(tick)
        scene.line(x, area.top, x, bottom, ink=GRID)
        scene.marks.append(SceneText(x, bottom + area.size, mark, area.size, "middle", SOFT))
    step = (bottom - area.top) / max(count, 1)
    every = max(1, int(area.size * 1.25 / step) + (area.size * 1.25 % step > 0)) if step < area.size * 1.25 else 1
    middles = [bottom - step * (i + 0.5) for i in range(count)]
    for i in range(0, count, every):
        text = fitted(labels[i], area.size, room - area.size * 0.6)
        scene.marks.append(SceneText(left - area.size * 0.5, middles[i], text, area.size, "end", SOFT))
    piled = chart.grouping in _STACKED
    lanes = 1 if piled else len(drawn)
    band = step * (0.62 if lanes == 1 else 0.78)
    lane = band / lanes
    for slot, stack in enumerate(drawn):
        shift = band / 2 - (0 if piled else slot * lane)
        for middle, span in zip(middles, stack.spans, strict=True):
            if span is not None:
                start, end = sorted((scale.at(span[0]), scale.at(span[1])))
                base = middle + shift
                scene.rect(start, base - lane * 0.94, max(end, start + 0.6), base, fill=colour(stack.index))
    zero = scale.at(0.0)
    base_line(scene, zero, area.top, zero, bottom)
