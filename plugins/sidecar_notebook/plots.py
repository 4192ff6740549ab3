"""What interactive plots among the outputs of a notebook say: their titles, axes, series and values (Plotly's figures,
plotly.com/javascript/reference; Vega-Lite's specifications, vega.github.io)."""

import re
from collections.abc import Mapping
from typing import Final, cast

from sidecar.api.model import ChartData, Series

_PLOTLY: Final = "application/vnd.plotly.v1+json"
_VEGA_LITE: Final = re.compile(r"application/vnd\.vegalite\.v\d+(?:\.\d+)*\+json$")
_TAG: Final = re.compile(r"<[^<>]*+>")
_MAX_SERIES: Final = 100
_MAX_POINTS: Final = 10_000
"""Of all series."""


def plot_of(bundle: Mapping[str, object]) -> ChartData | None:
    """The plot of an output by its media types; None where there is none that says anything."""
    if _PLOTLY in bundle:
        plot = _plotly(mapping(bundle[_PLOTLY]))
    else:
        kind = next(filter(_VEGA_LITE.match, bundle), "")
        plot = _vega_lite(mapping(bundle[kind])) if kind else None
    if plot is None or not (plot.title or plot.x_title or any(one.name or one.values for one in plot.series)):
        return None
    return plot


def _plotly(figure: Mapping[str, object]) -> ChartData:
    layout = mapping(figure.get("layout"))
    traces = [mapping(one) for one in sequence(figure.get("data"))[:_MAX_SERIES]]
    room = _MAX_POINTS
    series: list[Series] = []
    categories: tuple[str, ...] = ()
    for trace in traces:
        points = sequence(trace.get("y") or trace.get("values"))[:room]
        places = sequence(trace.get("x") or trace.get("labels"))[: len(points)]
        room -= len(points)
        values = tuple(map(_number, points))
        labels = tuple(
            one if isinstance(one, str) else f"{one:g}" for one in places if isinstance(one, (str, int, float))
        )
        own = labels if len(labels) == len(points) else None
        if own is not None and categories in ((), own):
            categories, own = own, None
        series.append(Series(name=_said(trace.get("name")), values=values, x=own or ()))
    annotations = (_said(mapping(one).get("text")) for one in sequence(layout.get("annotations"))[:_MAX_SERIES])
    return ChartData(
        type=next((kind for trace in traces if isinstance(kind := trace.get("type"), str)), "scatter"),
        title=_titled(layout), x_title=_titled(mapping(layout.get("xaxis"))),
        y_title=_titled(mapping(layout.get("yaxis"))), categories=categories, series=tuple(series),
        texts=tuple(filter(None, annotations)),
    )  # fmt: skip


def _vega_lite(plot: Mapping[str, object]) -> ChartData:
    mark = plot.get("mark")
    kind = mark if isinstance(mark, str) else _said(mapping(mark).get("type"))
    encoding = mapping(plot.get("encoding"))
    axes = {name: _channel(mapping(encoding.get(name))) for name in ("x", "y", "color", "size", "shape", "facet")}
    return ChartData(
        type=kind or "plot", title=_titled(plot), x_title=axes["x"], y_title=axes["y"],
        texts=tuple(text for name, text in axes.items() if text and name not in ("x", "y")),
    )  # fmt: skip


def _channel(channel: Mapping[str, object]) -> str:
    return _said(channel.get("title")) or _titled(mapping(channel.get("axis"))) or _said(channel.get("field"))


def _titled(holder: Mapping[str, object]) -> str:
    """A title, which may be a text or hold one."""
    title = holder.get("title")
    return _said(title) or _said(mapping(title).get("text"))


def _said(value: object) -> str:
    if isinstance(value, list):
        value = " ".join(one for one in cast("list[object]", value) if isinstance(one, str))
    return " ".join(_TAG.sub(" ", value).split()) if isinstance(value, str) else ""


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and abs(value) < 1e300 else None


def mapping(value: object) -> dict[str, object]:
    """The value where it is an object, else one without members."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def sequence(value: object) -> list[object]:
    """The items of an array; none of anything else."""
    return list(cast("list[object]", value)) if isinstance(value, list) else []
