"""Draws the data of a chart as a picture: `draw_chart`. Layout is ours, so that SVG and PNG show the same thing.

Why so: the SVG is written by us, escaped by construction, and needs nothing. The PNG is drawn by quillmark's Typst
engine, which is aboard for rendering anyway, ships a readable sans-serif (Figtree), anti-aliases, works offline and
takes some 10 ms a chart; matplotlib would add 30 MB and a second of import, and Pillow's own scalable font lacks
everything beyond ASCII. The engine gives an SVG's text no fonts, so it sets the words itself, above the shapes."""

from typing import Literal

from sidecar.api import ChartData, Payload, UsageError

_SMALLEST, _LARGEST = 120, 4000
"""Bounds of `width` and `height` in pixels."""


def draw_chart(chart: ChartData, format: Literal["png", "svg"], width: int = 960, height: int = 540) -> Payload:  # noqa: A002  the word of the issue
    """A picture of the chart, `width` by `height` pixels.

    Bar, column, line, area, pie, doughnut, scatter, bubble, radar, stock, waterfall, funnel, histogram, treemap,
    sunburst and box plots are drawn as such, a surface as seen from above, the rest as columns. Total over any
    `ChartData`: without data the picture says so.

    Raises:
        UsageError: another format, or a size outside 120–4000.
        UnavailableError: PNG was asked for and the Typst engine does not work here (the message says why)."""
    if format not in {"png", "svg"}:
        raise UsageError(f"A chart can be drawn as png or svg, not {format!r}.")
    if not (_SMALLEST <= width <= _LARGEST and _SMALLEST <= height <= _LARGEST):
        raise UsageError(
            f"A chart picture must be {_SMALLEST} to {_LARGEST} pixels wide and high, not {width}×{height}."
        )
    from sidecar_charts.layout import lay_out
    from sidecar_charts.svg import write_svg

    scene = lay_out(chart, width, height)
    if format == "svg":
        return Payload(write_svg(scene).encode(), "image/svg+xml", "chart.svg", width, height)
    from sidecar_charts.typst import draw_png

    return Payload(draw_png(scene), "image/png", "chart.png", width, height)
