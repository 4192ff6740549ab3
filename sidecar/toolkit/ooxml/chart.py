"""Chart parts read into `ChartData`: classic charts (ECMA-376 part 1 §21.2) here, chartex in `chartex`.

Not responsible for drawing, nor for finding the part. What the file caches is what the application last showed, so the
caches are the truth; a caller that knows the cells (a workbook) fills charts written without caches."""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from sidecar.api import ChartData, DamagedError, Series
from sidecar.toolkit.ooxml.chartex import parse_chartex
from sidecar.toolkit.ooxml.chartvalues import (
    PointBudget,
    category_label,
    drawn_text,
    number,
    number_text,
    points_of,
    source_of,
)
from sidecar.toolkit.ooxml.namespaces import CX, A, C
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, child_of

Cells = Callable[[str], Sequence[str | float | None]]
"""Given a reference as the chart writes it (`Sheet1!$B$2:$B$5`), its cells in row order; empty when unknown."""

_PLOTS = {
    "barChart": "column",  # barDir decides between column and bar
    "bar3DChart": "column",
    "lineChart": "line",
    "line3DChart": "line",
    "areaChart": "area",
    "area3DChart": "area",
    "pieChart": "pie",
    "pie3DChart": "pie",
    "ofPieChart": "pie",
    "doughnutChart": "doughnut",
    "scatterChart": "scatter",
    "bubbleChart": "bubble",
    "radarChart": "radar",
    "stockChart": "stock",
    "surfaceChart": "surface",
    "surface3DChart": "surface",
}
_AXES = frozenset({"catAx", "valAx", "dateAx", "serAx"})
_TEXT_ROWS = 256


def chart_of_part(package: Package, part: str, root: XmlElement, cells: Cells | None = None) -> ChartData:
    """The data of a chart part, with the words drawn over it (`c:userShapes`, §21.2.2.219)."""
    chart = parse_chart(root, cells)
    drawn = list[str]()
    related = package.related(part, "chartUserShapes") if child_of(root, f"{C}userShapes") is not None else ()
    for relationship in related:
        if not relationship.external and relationship.target in package:
            with suppress(DamagedError):  # the chart itself is sound
                paragraphs = package.xml(relationship.target).iter(f"{A}p")
                texts = ("".join(t.text or "" for t in one.iter(f"{A}t")).strip() for one in paragraphs)
                drawn += filter(None, texts)
    return replace(chart, texts=(*chart.texts, *drawn)) if drawn else chart


def parse_chart(root: XmlElement, cells: Cells | None = None) -> ChartData:
    """The data of a `c:chartSpace` or `cx:chartSpace`. Total: what is missing or malformed is simply empty.

    Args:
        root: the chart part's root element.
        cells: looks up a reference whose cache is missing."""
    if root.tag.startswith(CX):
        return parse_chartex(root)
    chart = child_of(root, f"{C}chart")
    area = child_of(chart, f"{C}plotArea") if chart is not None else None
    if chart is None or area is None:
        return ChartData(type="other")
    return _ChartReader(root, chart, area, cells).read()


def chart_text(chart: ChartData, values: bool = True) -> str:
    """The words of a chart, for searching and reading: titles, series, categories and (unless `values` is False)
    the values, one line a category, at most 256 of them."""
    names = [series.name for series in chart.series if series.name]
    head = dict.fromkeys((chart.title, chart.x_title, chart.y_title, chart.y2_title, *chart.texts))
    lines = [text for text in head if text]
    if not values:
        lines += [name for name in names if name not in head]
        return "\n".join([*lines, *chart.categories[:_TEXT_ROWS]])
    if any(name not in head for name in names):
        lines.append(", ".join(names))
    count = max((len(series.values) for series in chart.series), default=0)
    count = max(count, len(chart.categories))
    for i in range(min(count, _TEXT_ROWS)):
        lines.append(_row(chart, i))
    return "\n".join(line for line in lines if line)


def _row(chart: ChartData, i: int) -> str:
    cells: list[str] = []
    for series in chart.series:
        value = series.values[i] if i < len(series.values) else None
        if value is None:
            continue
        shown = number_text(value)
        if i < len(series.x) and series.x[i] is not None:
            x = series.x[i]
            shown = f"({number_text(x) if isinstance(x, float) else x}, {shown})"
        if i < len(series.size) and (size := series.size[i]) is not None:
            shown += f" × {number_text(size)}"
        cells.append(f"{series.name} {shown}" if len(chart.series) > 1 and series.name else shown)
    head = chart.categories[i] if i < len(chart.categories) else ""
    body = "; ".join(cells)
    return f"{head}: {body}" if head and body else head or body


class _ChartReader:
    """One pass over a classic chart; holds what its pieces share."""

    def __init__(self, root: XmlElement, chart: XmlElement, area: XmlElement, cells: Cells | None) -> None:
        self.chart = chart
        self.area = area
        self.cells = cells
        dated = child_of(root, f"{C}date1904")  # `CT_Boolean`: present without `val` is true
        self.date1904 = dated is not None and dated.get("val", "1") in {"1", "true"}
        self.references: list[str] = []
        self.room = PointBudget()

    def read(self) -> ChartData:
        plots: list[tuple[str, XmlElement]] = []
        axes: dict[str, XmlElement] = {}
        for node in self.area:
            if not isinstance(node.tag, str):
                continue
            name = node.tag.rpartition("}")[2]
            if name in _PLOTS:
                plots.append((_plot_type(name, node), node))
            elif name in _AXES:
                axes[_val(node, "axId")] = node
        if not plots:
            return ChartData(type="other", title=self._title(self.chart))
        main_type, main = plots[0]
        main_axes = _axis_ids(main)
        categories: tuple[str, ...] = ()
        series: list[Series] = []
        y2_axis: XmlElement | None = None
        for plot_type, plot in plots:
            ids = _axis_ids(plot)
            # The first plot's value axis is the primary one (Office writes the primary group first).
            secondary = len(ids) > 1 and len(main_axes) > 1 and ids[1] != main_axes[1]
            if secondary and y2_axis is None:
                y2_axis = axes.get(ids[1])
            for node in plot.iterfind(f"{C}ser"):
                made, labels = self._series(node, plot_type, main_type, secondary)
                series.append(made)
                if len(labels) > len(categories):
                    categories = labels
        width = len(categories)
        padded = tuple(
            s if len(s.values) >= width or s.x else _padded(s, self.room.reserve(width - len(s.values))) for s in series
        )
        x_axis = axes.get(main_axes[0]) if main_axes else None
        y_axis = axes.get(main_axes[1]) if len(main_axes) > 1 else None
        return ChartData(
            type=main_type, title=self._chart_title(padded), x_title=self._title(x_axis), y_title=self._title(y_axis),
            y2_title=self._title(y2_axis), categories=categories, series=padded, grouping=_grouping(main),
            number_format=_axis_format(y_axis) or next((s.format for s in padded if s.format), ""),
            source=source_of(self.references), texts=self._texts(axes, (x_axis, y_axis, y2_axis)),
        )  # fmt: skip

    def _chart_title(self, series: tuple[Series, ...]) -> str:
        """A title without words of its own shows the only series' name (the "automatic title"); so does a missing one
        when `autoTitleDeleted` says outright that it was not deleted."""
        title = self._title(self.chart)
        if title or len(series) != 1:
            return title
        present = child_of(self.chart, f"{C}title") is not None
        deleted = child_of(self.chart, f"{C}autoTitleDeleted")
        kept = deleted is not None and deleted.get("val") in {"0", "false"}
        return series[0].name if (present or kept) else ""

    def _title(self, owner: XmlElement | None) -> str:
        title = child_of(owner, f"{C}title") if owner is not None else None
        return self._tx(child_of(title, f"{C}tx")) if title is not None else ""

    def _tx(self, tx: XmlElement | None, data: bool = False) -> str:
        """Rich text, a literal, or the cached cells of a reference (several cells are shown joined by spaces)."""
        if tx is None:
            return ""
        rich = child_of(tx, f"{C}rich")
        if rich is not None:
            return drawn_text(rich)
        literal = child_of(tx, f"{C}v")
        if literal is not None:
            return (literal.text or "").strip()
        reference = child_of(tx, f"{C}strRef")
        if reference is None:
            return ""
        cache = child_of(reference, f"{C}strCache")
        formula = (reference.findtext(f"{C}f") or "").strip()
        if data and formula:
            self.references.append(formula)
        if cache is not None:
            words = (_value(point) or "" for point in cache.iterchildren(f"{C}pt"))
            return " ".join(word.strip() for word in words if word.strip())
        return " ".join(str(value) for value in self._lookup(formula) if value is not None)

    def _lookup(self, formula: str) -> Sequence[str | float | None]:
        return self.cells(formula) if self.cells is not None and formula else ()

    def _series(
        self, node: XmlElement, plot_type: str, main_type: str, secondary: bool
    ) -> tuple[Series, tuple[str, ...]]:
        name = self._tx(child_of(node, f"{C}tx"), data=True)
        kind = plot_type if plot_type != main_type else ""
        if plot_type in {"scatter", "bubble"}:
            x_format, x_points = self._points(child_of(node, f"{C}xVal"))
            y_format, y_points = self._points(child_of(node, f"{C}yVal"))
            values = tuple(number(value) for value in y_points)
            if x_points:
                if not x_format:
                    x_points = self._dated(child_of(node, f"{C}xVal"), x_points)
                x = tuple(_x_value(value, x_format, self.date1904) for value in x_points)
            else:
                x = tuple(float(i + 1) for i in range(len(values)))  # without x the application counts from one
            _, sizes = self._points(child_of(node, f"{C}bubbleSize"))
            size = tuple(number(value) for value in sizes)
            return (
                Series(name=name, values=values, x=x, size=size, format=y_format, type=kind, secondary=secondary),
                (),
            )
        labels = self._categories(child_of(node, f"{C}cat"))
        value_format, points = self._points(child_of(node, f"{C}val"))
        return (
            Series(
                name=name, values=tuple(number(value) for value in points), format=value_format, type=kind,
                secondary=secondary,
            ),
            labels,
        )  # fmt: skip

    def _points(self, owner: XmlElement | None) -> tuple[str, list[str | float | None]]:
        """Number format ("" for General) and the points by index, None in the gaps."""
        if owner is None:
            return "", []
        for data in owner:
            if not isinstance(data.tag, str):
                continue
            kind = data.tag.rpartition("}")[2]
            if kind in {"numLit", "strLit"}:
                return self._cached(data)
            if kind in {"numRef", "strRef"}:
                formula = (data.findtext(f"{C}f") or "").strip()
                if formula:
                    self.references.append(formula)
                cache = child_of(data, f"{C}numCache")
                if cache is None:
                    cache = child_of(data, f"{C}strCache")
                if cache is not None and not _is_bare(cache):
                    return self._cached(cache)
                return "", list(self._lookup(formula))
            if kind == "multiLvlStrRef":
                return "", list(self._categories(owner))
        return "", []

    def _dated(self, owner: XmlElement | None, points: list[str | float | None]) -> list[str | float | None]:
        """Stored numbers without a format as the cells they come from show them: applications take the formats of
        cells anew when they open a chart, and libraries that write workbooks store none with the numbers of dates."""
        formula = (owner.findtext(f"{C}numRef/{C}f") or "").strip() if owner is not None else ""
        cells = self._lookup(formula)
        if len(cells) != len(points):
            return points
        return [cell if isinstance(cell, str) and point else point for cell, point in zip(cells, points, strict=True)]

    def _cached(self, cache: XmlElement) -> tuple[str, list[str | float | None]]:
        code = (cache.findtext(f"{C}formatCode") or "").strip()
        points = points_of(cache.iterchildren(f"{C}pt"), _value, self.room)
        return ("" if code == "General" else code), [*points]

    def _categories(self, owner: XmlElement | None) -> tuple[str, ...]:
        if owner is None:
            return ()
        nested = child_of(owner, f"{C}multiLvlStrRef")
        if nested is None:
            code, points = self._points(owner)
            if not code:
                points = self._dated(owner, points)
            return tuple(category_label(point, code, self.date1904) for point in points)
        formula = (nested.findtext(f"{C}f") or "").strip()
        if formula:
            self.references.append(formula)
        cache = child_of(nested, f"{C}multiLvlStrCache")
        if cache is None or _is_bare(cache):
            return tuple(str(value) for value in self._lookup(formula) if value is not None)
        # §21.2.2.102: the first level is the innermost; outer levels name only the first point of their group.
        levels = [self._cached(level)[1] for level in cache.iterfind(f"{C}lvl")]
        count = max((len(level) for level in levels), default=0)
        current = [""] * len(levels)
        labels: list[str] = []
        for i in range(count):
            for depth, level in enumerate(levels):
                text = str(level[i] or "") if i < len(level) else ""
                if text or depth == 0:
                    current[depth] = text
            labels.append(" / ".join(word for word in reversed(current) if word))
        return tuple(labels)

    def _texts(self, axes: dict[str, XmlElement], titled: tuple[XmlElement | None, ...]) -> tuple[str, ...]:
        """Words drawn besides titles, names and categories: other axes, custom labels, trendlines, unit captions."""
        found = [self._title(axis) for axis in axes.values() if all(axis is not other for other in titled)]
        found += [self._tx(child_of(label, f"{C}tx")) for label in self.area.iter(f"{C}dLbl")]
        found += [(trend.findtext(f"{C}name") or "").strip() for trend in self.area.iter(f"{C}trendline")]
        found += [self._tx(child_of(units, f"{C}tx")) for units in self.area.iter(f"{C}dispUnitsLbl")]
        return tuple(text for text in found if text)


def _plot_type(name: str, node: XmlElement) -> str:
    return "bar" if _PLOTS[name] == "column" and _val(node, "barDir") == "bar" else _PLOTS[name]


def _grouping(plot: XmlElement) -> str:
    grouping = _val(plot, "grouping")
    return grouping if grouping in {"clustered", "stacked", "percentStacked"} else ""


def _axis_ids(plot: XmlElement) -> list[str]:
    return [node.get("val", "") for node in plot.iterfind(f"{C}axId")]


def _axis_format(axis: XmlElement | None) -> str:
    node = child_of(axis, f"{C}numFmt") if axis is not None else None
    code = node.get("formatCode", "") if node is not None else ""
    return "" if code == "General" else code


def _val(owner: XmlElement, name: str) -> str:
    node = child_of(owner, f"{C}{name}")
    return node.get("val", "") if node is not None else ""


def _is_bare(cache: XmlElement) -> bool:
    """Whether a cache says neither what nor how many its points are (§21.2.2.168): libraries write it so and leave the
    numbers to the cells, which every program reads when it opens the chart."""
    return all(child_of(cache, C + name) is None for name in ("pt", "lvl", "ptCount"))


def _value(point: XmlElement) -> str | None:
    node = child_of(point, f"{C}v")
    return (node.text or "") if node is not None else None


def _padded(series: Series, gaps: int) -> Series:
    return Series(
        name=series.name, values=series.values + (None,) * gaps, size=series.size, format=series.format,
        type=series.type, secondary=series.secondary,
    )  # fmt: skip


def _x_value(value: str | float | None, code: str, date1904: bool) -> float | str | None:
    if value is None:
        return None
    label = category_label(value, code, date1904)
    plain = number(value)
    dated = plain is not None and code != "" and label.count("-") == 2 and not math.isnan(plain)
    return label if dated or plain is None else plain
