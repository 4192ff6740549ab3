"""Chartex parts (`cx:chartSpace`, [MS-ODRAWXML] §2.24.3) read into `ChartData`: waterfall, treemap, sunburst,
histogram, box and whisker, funnel. Not responsible for classic charts."""

from sidecar.api.model import ChartData, Series
from sidecar.toolkit.ooxml.chartvalues import PointBudget, category_label, drawn_text, number, points_of, source_of
from sidecar.toolkit.ooxml.namespaces import CX
from sidecar.toolkit.xml import XmlElement

_LAYOUTS = frozenset({"waterfall", "treemap", "sunburst", "boxWhisker", "funnel"})


def parse_chartex(root: XmlElement) -> ChartData:
    """The data of a `cx:chartSpace`. Total: what is missing or malformed is simply empty."""
    chart = root.find(f"{CX}chart")
    if chart is None:
        return ChartData(type="other")
    references: list[str] = []
    room = PointBudget()
    data = {node.get("id", ""): _data(node, room, references) for node in root.iterfind(f"{CX}chartData/{CX}data")}
    kind = ""
    categories: tuple[str, ...] = ()
    made: list[Series] = []
    for node in chart.iterfind(f"{CX}plotArea/{CX}plotAreaRegion/{CX}series"):
        kind = kind or _kind(node)
        pointer = node.find(f"{CX}dataId")
        name = _tx(node.find(f"{CX}tx"), references)
        if pointer is None:  # a Pareto line restates its owner's data
            continue
        labels, values, code = data.get(pointer.get("val", ""), ((), (), ""))
        categories = labels if len(labels) > len(categories) else categories
        made.append(Series(name=name, values=values, format=code, totals=_totals(node, len(values))))
    titles = _axis_titles(chart)
    title_node = chart.find(f"{CX}title")
    title = _tx(title_node.find(f"{CX}tx"), []) if title_node is not None else ""
    if title_node is not None and not title and len(made) == 1:
        title = made[0].name
    return ChartData(
        type=kind or "other", title=title, x_title=titles[0], y_title=titles[1], y2_title=titles[2],
        categories=categories, series=tuple(made),
        number_format=next((series.format for series in made if series.format), ""), source=source_of(references),
    )  # fmt: skip


def _kind(series: XmlElement) -> str:
    layout = series.get("layoutId", "")
    if layout in _LAYOUTS:
        return layout
    if layout == "clusteredColumn":
        # Bins make it a histogram; a Pareto chart aggregates by category instead.
        return "column" if series.find(f"{CX}layoutPr/{CX}aggregation") is not None else "histogram"
    return "other"


def _totals(series: XmlElement, count: int) -> tuple[int, ...]:
    marks = series.iterfind(f"{CX}layoutPr/{CX}subtotals/{CX}idx")
    found = {int(number(mark.get("val")) or 0) for mark in marks}
    return tuple(sorted(index for index in found if 0 <= index < count))


def _data(
    node: XmlElement, room: PointBudget, references: list[str]
) -> tuple[tuple[str, ...], tuple[float | None, ...], str]:
    """Categories (levels joined from the outermost), values and number format of one `cx:data`."""
    labels: tuple[str, ...] = ()
    values: tuple[float | None, ...] = ()
    code = ""
    for dimension in node:
        if not isinstance(dimension.tag, str):
            continue
        formula = (dimension.findtext(f"{CX}f") or "").strip()
        levels = [_level(level, room) for level in dimension.iterfind(f"{CX}lvl")]
        if dimension.get("type") == "cat":
            labels = _joined(levels)
        elif levels and not values:
            code = levels[0][0]
            values = tuple(number(point) for point in levels[0][1])
        else:
            continue
        if formula:
            references.append(formula)
    return labels, values, "" if code == "General" else code


def _level(level: XmlElement, room: PointBudget) -> tuple[str, list[str | None]]:
    points = points_of(level.iterfind(f"{CX}pt"), lambda point: point.text, room)
    return level.get("formatCode", ""), points


def _joined(levels: list[tuple[str, list[str | None]]]) -> tuple[str, ...]:
    """Levels run from the innermost outwards; in chartex every level names every point, or leaves it empty."""
    count = max((len(points) for _, points in levels), default=0)
    labels: list[str] = []
    for i in range(count):
        words = [
            category_label(points[i], code, date1904=False) for code, points in reversed(levels) if i < len(points)
        ]
        labels.append(" / ".join(word for word in words if word))
    return tuple(labels)


def _axis_titles(chart: XmlElement) -> tuple[str, str, str]:
    """Titles of the category, value and second value axes."""
    x = y = y2 = ""
    for axis in chart.iterfind(f"{CX}plotArea/{CX}axis"):
        title = axis.find(f"{CX}title")
        words = _tx(title.find(f"{CX}tx"), []) if title is not None else ""
        if axis.find(f"{CX}catScaling") is not None:
            x = x or words
        elif not y:
            y = words
        else:
            y2 = words
    return x, y, y2


def _tx(tx: XmlElement | None, references: list[str]) -> str:
    if tx is None:
        return ""
    rich = tx.find(f"{CX}rich")
    if rich is not None:
        return drawn_text(rich)
    data = tx.find(f"{CX}txData")
    if data is None:
        return ""
    formula = (data.findtext(f"{CX}f") or "").strip()
    if formula:
        references.append(formula)
    return (data.findtext(f"{CX}v") or "").strip()
