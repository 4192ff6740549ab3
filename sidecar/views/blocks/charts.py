"""The data of a chart as a small table and as JSON. Drawing it is a plugin's work."""

import math
from collections.abc import Sequence

import msgspec

from sidecar.api import ChartData, Embed, Series
from sidecar.toolkit.provenance import escape_frame_lines
from sidecar.views.blocks.tables import escape_cell, json_text
from sidecar.views.inline import flat
from sidecar.views.sources import Origin

TABLE_ROWS = 24
"""A chart inside a part shows at most this many categories; all of them are at its own URI."""
_ALL_ROWS = 100_000
"""The most categories of a chart that are written out at its own URI."""


def render_chart(embed: Embed, chart: ChartData, origin: Origin, suffix: str) -> str:
    """The data of a chart for a suffix: "md", "txt" or "json"."""
    if suffix in {"md", "txt"}:
        return _markdown(embed, chart, origin.markdown() if suffix == "md" else origin.line())
    return json_text(_record(embed, chart, origin.record()))


def _record(embed: Embed, chart: ChartData, source: dict[str, str]) -> dict[str, object]:
    """Type, title, axes, categories and every series with its values, nothing left out."""
    return {
        "source": source, "id": embed.id, "name": embed.name, "type": chart.type, "grouping": chart.grouping,
        "title": chart.title, "axes": {"x": chart.x_title, "y": chart.y_title, "y2": chart.y2_title},
        "number_format": chart.number_format, "range": chart.source, "categories": list(chart.categories),
        "series": [msgspec.to_builtins(series) for series in chart.series], "texts": list(chart.texts),
        "alt": embed.alt, "context": embed.context,
    }  # fmt: skip


def _markdown(embed: Embed, chart: ChartData, source: str) -> str:
    """The chart for reading: what it is, its axes, and all its data."""
    pieces = [f"# {flat(chart.title or embed.name)}", chart_facts(chart), chart_table(chart, rows=_ALL_ROWS)]
    if chart.texts:
        pieces.append("Texts: " + "; ".join(chart.texts))
    if embed.alt:
        pieces.append(f"Alternative text: {embed.alt}")
    return "\n\n".join([source, *(escape_frame_lines(piece) for piece in pieces if piece)])


def chart_facts(chart: ChartData) -> str:
    """What the table of its data does not say: the kind of chart, its axes, where its data comes from."""
    words = {"percentStacked": "100 % stacked"}
    kind = " ".join(word for word in (words.get(chart.grouping, chart.grouping), chart.type, "chart") if word)
    titles = {"x": chart.x_title, "y": chart.y_title, "y2": chart.y2_title}
    facts = [kind, *(f"{axis}: {' '.join(title.split())}" for axis, title in titles.items() if title)]
    return "; ".join([*facts, f"data from {chart.source}"] if chart.source else facts)


def chart_table(chart: ChartData, rows: int = TABLE_ROWS) -> str:
    """The data as a Markdown table (see `chart_rows`); "" for a chart without series."""
    shown, left = chart_rows(chart, rows)
    if not shown:
        return ""
    lines = [f"| {' | '.join(map(escape_cell, row))} |" for row in shown]
    lines.insert(1, "|" + " --- |" * len(shown[0]))
    if left:
        lines.append(f"\n*({left:,} more at the chart's own URI.)*")
    return "\n".join(lines)


def chart_rows(chart: ChartData, most: int) -> tuple[list[tuple[str, ...]], int]:
    """The data as rows, the first of them names, and how many rows were left out: one row a category and one column a
    series; one row a point where the series stand over different points."""
    if not chart.series:
        return [], 0
    first = chart.series[0].x
    categories = chart.categories
    if any(series.x for series in chart.series):
        if any(series.x != first or series.size for series in chart.series):
            return _points(chart, most)
        categories = tuple(map(_place, first))
    count = max(len(categories), *(len(series.values) for series in chart.series))
    rows = [(chart.x_title, *(_name(series, n) for n, series in enumerate(chart.series, 1)))]
    for index in range(min(count, most)):
        category = categories[index] if index < len(categories) else str(index + 1)
        rows.append((category, *(_at(series.values, index) for series in chart.series)))
    return rows, max(count - most, 0)


def _points(chart: ChartData, most: int) -> tuple[list[tuple[str, ...]], int]:
    sized = any(series.size for series in chart.series)
    rows: list[tuple[str, ...]] = [("series", "x", "y", "size") if sized else ("series", "x", "y")]
    total = 0
    for n, series in enumerate(chart.series, 1):
        total += len(series.values)
        for index in range(min(len(series.values), most + 1 - len(rows))):
            x = _place(series.x[index]) if index < len(series.x) else ""
            size = (_at(series.size, index),) if sized else ()
            rows.append((_name(series, n), x, _at(series.values, index), *size))
    return rows, max(total - most, 0)


def _place(x: float | str | None) -> str:
    return x if isinstance(x, str) else _format_number(x)


def _at(values: Sequence[float | None], index: int) -> str:
    return _format_number(values[index]) if index < len(values) else ""


def _name(series: Series, number: int) -> str:
    return series.name or f"series {number}"


def _format_number(value: float | None) -> str:
    """A number as short as it can be said; "" for a gap."""
    if value is None:
        return ""
    return str(int(value)) if math.isfinite(value) and value == int(value) and abs(value) < 1e15 else f"{value:.12g}"
