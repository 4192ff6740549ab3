"""The data of a chart as a small table and as JSON. Drawing it is a plugin's work."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from sidecar.api import ChartData, Embed, Series
from sidecar.views.tables import escape_cell

__all__ = ["chart_facts", "chart_json", "chart_markdown", "chart_table", "shown_number"]

TABLE_ROWS = 24
"""A chart inside a part shows at most this many categories; all of them are at its own URI."""


def chart_json(embed: Embed, chart: ChartData, source: dict[str, Any]) -> dict[str, Any]:
    """Type, title, axes, categories and every series with its values, nothing left out."""
    return {
        "source": source,
        "id": embed.id,
        "name": embed.name,
        "type": chart.type,
        "grouping": chart.grouping,
        "title": chart.title,
        "axes": {"x": chart.x_title, "y": chart.y_title, "y2": chart.y2_title},
        "number_format": chart.number_format,
        "range": chart.source,
        "categories": list(chart.categories),
        "series": [msgspec.to_builtins(series) for series in chart.series],
        "texts": list(chart.texts),
        "alt": embed.alt,
        "context": embed.context,
    }


def chart_markdown(embed: Embed, chart: ChartData, source: str) -> str:
    """The chart for reading: what it is, its axes, and all its data."""
    pieces = [source, f"# {chart.title or embed.name}", chart_facts(chart), chart_table(chart, rows=100_000)]
    if chart.texts:
        pieces.append("Texts: " + "; ".join(chart.texts))
    if embed.alt:
        pieces.append(f"Alternative text: {embed.alt}")
    return "\n\n".join(piece for piece in pieces if piece)


def chart_facts(chart: ChartData) -> str:
    """What the table of its data does not say: the kind of chart, its axes, where its data comes from."""
    words = {"percentStacked": "100 % stacked"}
    kind = " ".join(word for word in (words.get(chart.grouping, chart.grouping), chart.type, "chart") if word)
    titles = {"x": chart.x_title, "y": chart.y_title, "y2": chart.y2_title}
    facts = [kind, *(f"{axis}: {' '.join(title.split())}" for axis, title in titles.items() if title)]
    return "; ".join([*facts, f"data from {chart.source}"] if chart.source else facts)


def chart_table(chart: ChartData, rows: int = TABLE_ROWS) -> str:
    """One row a category, one column a series; "" for a chart without series."""
    if not chart.series:
        return ""
    first = chart.series[0].x
    if any(series.x for series in chart.series):
        if any(series.x != first or series.size for series in chart.series):
            return _points(chart, rows)
        chart = msgspec.structs.replace(
            chart, categories=tuple(x if isinstance(x, str) else shown_number(x) for x in first)
        )  # every series stands over the same points
    count = max(len(chart.categories), *(len(series.values) for series in chart.series))
    heading = [escape_cell(chart.x_title)] + [escape_cell(_name(series, n)) for n, series in enumerate(chart.series, 1)]
    lines = [f"| {' | '.join(heading)} |", "|" + " --- |" * len(heading)]
    for index in range(min(count, rows)):
        category = chart.categories[index] if index < len(chart.categories) else str(index + 1)
        values = [shown_number(series.values[index]) if index < len(series.values) else "" for series in chart.series]
        lines.append(f"| {escape_cell(category)} | {' | '.join(values)} |")
    if count > rows:
        lines.append(f"\n*({count - rows} more categories at the chart's own URI.)*")
    return "\n".join(lines)


def _points(chart: ChartData, rows: int) -> str:
    sized = any(series.size for series in chart.series)
    lines = ["| series | x | y |" + (" size |" if sized else ""), "|" + " --- |" * (4 if sized else 3)]
    left = rows
    total = 0
    for n, series in enumerate(chart.series, 1):
        total += len(series.values)
        for index, value in enumerate(series.values[: max(left, 0)]):
            x = series.x[index] if index < len(series.x) else None
            size = f" {shown_number(series.size[index]) if index < len(series.size) else ''} |" if sized else ""
            shown = escape_cell(x) if isinstance(x, str) else shown_number(x)
            lines.append(f"| {escape_cell(_name(series, n))} | {shown} | {shown_number(value)} |{size}")
        left -= len(series.values)
    if total > rows:
        lines.append(f"\n*({total - rows} more points at the chart's own URI.)*")
    return "\n".join(lines)


def _name(series: Series, number: int) -> str:
    return series.name or f"series {number}"


def shown_number(value: float | None) -> str:
    """A number as short as it can be said; "" for a gap."""
    if value is None:
        return ""
    return str(int(value)) if math.isfinite(value) and value == int(value) and abs(value) < 1e15 else f"{value:.12g}"
