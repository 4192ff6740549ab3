"""Charts of OpenDocument (ODF 1.3 part 3, 11) with the values that they keep in a table; the words of its paragraphs.

Not responsible for where a chart stands; `content.xml` of its folder is handed in."""

import re
from collections.abc import Iterator

from sidecar.api import ChartData, FormatError, Limits, Series, Source
from sidecar.toolkit.cell_references import CellRange, parse_range
from sidecar.toolkit.ooxml.chartvalues import category_label, number
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, count_of

_CHART, _TABLE, _OFFICE, _TEXT, _STYLE, _NUMBER = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}"
    for name in ("chart", "table", "office", "text", "style", "datastyle")
)
_LOEXT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
_REGRESSION_NAME = f"{_LOEXT}regression-name"
_LABEL = f"{_LOEXT}label-string"
"""The name of a series that no cell holds, as LibreOffice writes it."""
CHART_TYPE = "application/vnd.oasis.opendocument.chart"
_TYPES = {
    "bar": "column", "line": "line", "area": "area", "circle": "pie", "ring": "doughnut", "scatter": "scatter",
    "bubble": "bubble", "radar": "radar", "filled-radar": "radar", "stock": "stock", "surface": "surface",
    "gantt": "bar",
}  # fmt: skip
_AREA = re.compile(r"\$?(?P<sheet>.+)\.\$?(?P<first>[A-Z]+\$?\d+):(?:.*\.)?\$?(?P<last>[A-Z]+\$?\d+)")
_MAX_CELLS = 100_000
_MAX_COLUMNS = 1024

Cell = tuple[str, float | None]


def read_odf_chart(root: XmlElement) -> ChartData | None:
    """The chart of an object's content, None where it holds none. What is missing or malformed is empty."""
    chart = next(root.iter(f"{_CHART}chart"), None)
    area = chart.find(f"{_CHART}plot-area") if chart is not None else None
    if chart is None or area is None:
        return None
    look = _plot_style(root, area.get(f"{_CHART}style-name"))
    kind = _kind(chart, look)
    cells = _Cells(chart.find(f"{_TABLE}table"))
    titles: dict[str, str] = {}
    places: dict[str, str] = {}
    categories: tuple[str, ...] = ()
    for axis in area.iterfind(f"{_CHART}axis"):
        # LibreOffice's names tell the place; others have names of their own, their first axis is the primary one.
        name, dimension = axis.get(f"{_CHART}name") or "", axis.get(f"{_CHART}dimension") or ""
        counted = f"{'secondary' if f'primary-{dimension}' in titles else 'primary'}-{dimension}"
        places[name] = name if name.startswith(("primary-", "secondary-")) else counted
        titles.setdefault(places[name], _title(axis))
        named = axis.find(f"{_CHART}categories")
        if named is not None and not categories:
            code = "d" if _is_dated(root, axis) else ""
            labels = cells.at(named.get(f"{_TABLE}cell-range-address"), 0)
            # The text of a number is rounded: all days of a month may be one there.
            categories = tuple(
                text if value is None else category_label(value, code, date1904=False) for text, value in labels
            )
    source = _AREA.fullmatch(area.get(f"{_TABLE}cell-range-address") or "")
    return ChartData(
        type=kind, title=_title(chart), x_title=titles.get("primary-x", ""), y_title=titles.get("primary-y", ""),
        y2_title=titles.get("secondary-y", ""), categories=categories,
        series=tuple(_series(area, cells, kind, look, places)),
        grouping="percentStacked" if look.get("percentage") else "stacked" if look.get("stacked") else "",
        source=f"{source['sheet']}!{source['first']}:{source['last']}".replace("$", "") if source else "",
        texts=tuple(filter(None, (_title(chart, "subtitle"), _title(chart, "footer"), *_trends(root, area)))),
    )  # fmt: skip


def chart_in_package(data: bytes) -> ChartData | None:
    """The chart that a whole OpenDocument package is, None where it is none or damaged."""
    try:
        with Package(Source.of_bytes(data, "chart.odc"), Limits()) as package:
            return read_odf_chart(package.xml("content.xml")) if "content.xml" in package else None
    except FormatError:
        return None


def _trends(root: XmlElement, area: XmlElement) -> Iterator[str]:
    """The names of lines of regression, which LibreOffice and Gnumeric keep in their styles."""
    lines = {line.get(f"{_CHART}style-name") for line in area.iter(f"{_CHART}regression-curve")}
    for style in root.iter(f"{_STYLE}style") if lines else ():
        if style.get(f"{_STYLE}name") in lines:
            looks = style.iterfind(f"{_STYLE}chart-properties")
            yield from (name for look in looks if (name := look.get(_REGRESSION_NAME, "").strip()))


def _series(
    area: XmlElement, cells: "_Cells", chart_kind: str, look: dict[str, bool], places: dict[str, str]
) -> Iterator[Series]:
    shared: list[list[Cell]] = []
    for at, node in enumerate(area.iterfind(f"{_CHART}series"), 1):
        kind = _kind(node, look) if node.get(f"{_CHART}class") else chart_kind
        values = cells.at(node.get(f"{_CHART}values-cell-range-address"), at)
        domains = [cells.at(one.get(f"{_TABLE}cell-range-address"), -1) for one in node.iterfind(f"{_CHART}domain")]
        shared = shared if len(domains) < len(shared) else domains
        domains += shared[len(domains) :]  # later series name only what is not shared
        size: list[Cell] = []
        if kind == "bubble" and domains:
            values, size, domains = domains[0], values, domains[1:]
        label = cells.at(node.get(f"{_CHART}label-cell-address"), -1)
        attached = node.get(f"{_CHART}attached-axis") or ""
        yield Series(
            name=label[0][0] if label else node.get(_LABEL, ""),
            values=tuple(value for _, value in values),
            x=tuple(text if value is None else value for text, value in domains[0]) if domains else (),
            size=tuple(value for _, value in size),
            type="" if kind == chart_kind else kind,
            secondary=places.get(attached, attached) == "secondary-y",
        )


class _Cells:
    """The table that a chart brings. Where its addresses are a sheet's, the first cell of each column says which."""

    def __init__(self, table: XmlElement | None) -> None:
        self._rows: list[list[Cell]] = []
        self._places: dict[str, CellRange] = {}
        room = _MAX_CELLS
        for row in table.iter(f"{_TABLE}table-row") if table is not None else ():
            made: list[Cell] = []
            for cell in row.iterfind(f"{_TABLE}table-cell"):
                text = " ".join(filter(None, map(_words, cell.iterfind(f"{_TEXT}p"))))
                for address in cell.iter("{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}desc"):
                    top, left = len(self._rows), len(made)
                    self._places.setdefault(_words(address), CellRange(top, left, top if not top else 10**6, left))
                repeated = count_of(cell.get(f"{_TABLE}number-columns-repeated"))
                count = min(repeated, _MAX_COLUMNS - len(made), room)
                made += [(text, number(cell.get(f"{_OFFICE}value")))] * count
                room -= count
            self._rows.append(made)

    def at(self, address: str | None, column: int) -> list[Cell]:
        """The cells of an address; of a column, where the address is another's (none for a column below 0)."""
        address = address or ""
        area = self._places.get(address)
        if area is None and address.startswith("local-table."):
            area = parse_range(address.replace("local-table.", "").replace(":.", ":"))
        if area is None:
            return [row[column] for row in self._rows[1:] if column < len(row)] if column >= 0 else []
        rows = self._rows[area.top : area.bottom + 1]
        if area.top == area.bottom:
            return [cell for row in rows for cell in row[area.left : area.right + 1]]
        return [row[area.left] if area.left < len(row) else ("", None) for row in rows]


def _kind(node: XmlElement, look: dict[str, bool]) -> str:
    kind = _TYPES.get((node.get(f"{_CHART}class") or "").rpartition(":")[2], "other")
    return "bar" if kind == "column" and look.get("vertical") else kind


def _plot_style(root: XmlElement, name: str | None) -> dict[str, bool]:
    """What a style says of a plot: stacked, percentage, vertical (bars that lie)."""
    for style in root.iter(f"{_STYLE}style"):
        if style.get(f"{_STYLE}name") == name:
            properties = style.find(f"{_STYLE}chart-properties")
            names = ("stacked", "percentage", "vertical")
            return {one: properties is not None and properties.get(_CHART + one) == "true" for one in names}
    return {}


def _is_dated(root: XmlElement, axis: XmlElement) -> bool:
    """Whether an axis shows its numbers as days (ODF 1.3 part 3, 19.499)."""
    name = axis.get(f"{_CHART}style-name")
    style = next((one for one in root.iter(f"{_STYLE}style") if one.get(f"{_STYLE}name") == name), None)
    shown = style.get(f"{_STYLE}data-style-name") if style is not None else None
    return shown is not None and any(one.get(f"{_STYLE}name") == shown for one in root.iter(f"{_NUMBER}date-style"))


def _title(node: XmlElement, name: str = "title") -> str:
    title = node.find(_CHART + name)
    return " ".join(filter(None, map(_words, title.iter(f"{_TEXT}p")))) if title is not None else ""


def _words(node: XmlElement) -> str:
    return " ".join(words_of(node).split())


def words_of(node: XmlElement) -> str:
    """The text of a paragraph: `text:s` are spaces, `text:tab` and `text:line-break` what they say (§6.1)."""
    pieces = [node.text or ""]
    for child in node:
        if isinstance(child.tag, str):
            if child.tag == f"{_TEXT}s":
                pieces.append(" " * min(count_of(child.get(f"{_TEXT}c")), 1000))
            elif child.tag in (f"{_TEXT}tab", f"{_TEXT}line-break"):
                pieces.append("\t" if child.tag.endswith("tab") else "\n")
            elif child.tag != f"{_OFFICE}annotation":
                pieces.append(words_of(child))
        pieces.append(child.tail or "")
    return "".join(pieces)
