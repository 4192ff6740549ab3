"""A chart of an .xls as a chart part: kind, titles, series with the values it was last drawn with.

Its look is not read. Source: [MS-XLS] 2.1.7.20.3."""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from sidecar_xlsx.binary.layouts import TokenLayout
from sidecar_xlsx.binary.markup import text
from sidecar_xlsx.binary.tokens import formula_text, number_text
from sidecar_xlsx.binary.xls.names import Names
from sidecar_xlsx.binary.xls.records import Record, RecordReader, handle

_NAMES: Final = "http://schemas.openxmlformats.org/drawingml/2006"
_TITLE, _VALUES, _CATEGORIES, _BUBBLES = range(4)
"""What a link of a series is to ([MS-XLS] 2.4.29 BRAI)."""
_OF_CACHE: Final = {1: _VALUES, 2: _CATEGORIES, 3: _BUBBLES}
"""Whose values follow a record SIINDEX."""
_CHART_TITLE, _Y_TITLE, _X_TITLE = 1, 2, 3
_HORIZONTAL, _STACKED_BARS, _PERCENT_BARS = 0x1, 0x2, 0x4
_STACKED, _PERCENT = 0x1, 0x2
_SCATTERED: Final = ("scatterChart", "bubbleChart")
_MAX_POINTS: Final = 32_000
"""Points of a series; Excel 2003 draws no more."""


@dataclass
class _Series:
    name: str = ""
    links: dict[int, str] = field(default_factory=dict[int, str])
    group: int = 0


@dataclass
class _Group:
    """Series of one kind: the element they go into, and how they stand (`standard`, `stacked`, …)."""

    element: str = "barChart"
    grouping: str = ""
    horizontal: bool = False


@dataclass
class ChartReader:
    """Takes the records of one chart's stream; `done` gives the part."""

    layout: TokenLayout
    names: Names
    encoding: str
    _series: list[_Series] = field(default_factory=list[_Series])
    _groups: list[_Group] = field(default_factory=list[_Group])
    _titles: dict[int, str] = field(default_factory=dict[int, str])
    _depth: int = 0
    _in_series: int = -1
    _text: str = ""
    _place: int = 0
    _in_text: int = 0
    """How deep the block of the text being read stands, 0 outside of one."""
    _cache: int = -1
    _points: dict[tuple[int, int], dict[int, str]] = field(default_factory=dict[tuple[int, int], dict[int, str]])
    """Cached values by the link and the number of the series, each by its point."""

    def take(self, record: Record) -> None:
        """A record of the chart; those of other kinds, and broken ones, are passed over."""
        handle(_HANDLERS, self, record)

    def begin(self, _: Record) -> None:
        """A record BEGIN."""
        self._depth += 1

    def end(self, _: Record) -> None:
        """A record END."""
        self._depth -= 1
        if self._depth <= self._in_series:
            self._in_series = -1
        if self._depth >= self._in_text:  # of its frame, which stands between the words and what they belong to
            return
        if self._text and self._place:
            self._titles.setdefault(self._place, self._text)
        self._text, self._place, self._in_text = "", 0, 0

    def series(self, _: Record) -> None:
        """A record SERIES."""
        self._series.append(_Series())
        self._in_series = self._depth

    def link(self, record: Record) -> None:
        """Where the name, the values or the categories of a series stand."""
        kind, source = record.data[0], record.data[1]
        size = struct.unpack_from("<H", record.data, 6)[0]
        if self._in_series >= 0 and source == 2 and self._series:
            tokens = record.data[8 : 8 + size]
            self._series[-1].links[kind] = formula_text(tokens, b"", self.layout, self.names, (0, 0))

    def words(self, record: Record) -> None:
        """The name of a series, or the text of a title or label."""
        found = RecordReader.of(record, 2, self.encoding).text(1)
        if self._in_series >= 0:
            self._series[-1].name = found
        else:
            self._text, self._in_text = found, self._depth

    def owner(self, record: Record) -> None:
        """What a text belongs to ([MS-XLS] 2.4.182 ObjectLink); those of points are not titles."""
        self._place, self._in_text = struct.unpack_from("<H", record.data)[0], self._depth

    def group_of(self, record: Record) -> None:
        """A record SERTOCRT: the group a series belongs to."""
        if self._series:
            self._series[-1].group = struct.unpack_from("<H", record.data)[0]

    def group(self, _: Record) -> None:
        """A record CHARTFORMAT."""
        self._groups.append(_Group())

    def bars(self, record: Record) -> None:
        """A record BAR."""
        flags = struct.unpack_from("<H", record.data, 4)[0]
        grouping = "clustered"
        if flags & _STACKED_BARS:
            grouping = "percentStacked" if flags & _PERCENT_BARS else "stacked"
        self._kind("barChart", grouping, horizontal=bool(flags & _HORIZONTAL))

    def lines(self, record: Record) -> None:
        """A record LINE."""
        self._kind("lineChart", self._stacking(record))

    def areas(self, record: Record) -> None:
        """A record AREA."""
        self._kind("areaChart", self._stacking(record))

    def pie(self, record: Record) -> None:
        """A record PIE."""
        self._kind("doughnutChart" if struct.unpack_from("<H", record.data, 2)[0] else "pieChart")

    def pie_of_pie(self, _: Record) -> None:
        """A record BOPPOP."""
        self._kind("ofPieChart")

    def scatter(self, record: Record) -> None:
        """A record SCATTER."""
        bubbles = len(record.data) >= 6 and struct.unpack_from("<H", record.data, 4)[0] & 1
        self._kind("bubbleChart" if bubbles else "scatterChart")

    def radar(self, _: Record) -> None:
        """A record RADAR or RADARAREA."""
        self._kind("radarChart")

    def surface(self, _: Record) -> None:
        """A record SURF."""
        self._kind("surfaceChart")

    def _stacking(self, record: Record) -> str:
        flags = struct.unpack_from("<H", record.data)[0]
        return ("percentStacked" if flags & _PERCENT else "stacked") if flags & _STACKED else "standard"

    def _kind(self, element: str, grouping: str = "", *, horizontal: bool = False) -> None:
        if self._groups:
            self._groups[-1] = _Group(element, grouping, horizontal)

    # the cache

    def cache(self, record: Record) -> None:
        """A record SIINDEX."""
        self._cache = _OF_CACHE.get(struct.unpack_from("<H", record.data)[0], -1)

    def cached_number(self, record: Record) -> None:
        """A record NUMBER: a value as it was drawn."""
        point, series, _, value = struct.unpack_from("<HHHd", record.data)
        self._cached(point, series, number_text(value))

    def cached_words(self, record: Record) -> None:
        """A record LABEL: a category as it was drawn."""
        point, series = struct.unpack_from("<HH", record.data)
        self._cached(point, series, RecordReader.of(record, 6, self.encoding).text())

    def _cached(self, point: int, series: int, value: str) -> None:
        if self._cache >= 0 and point < _MAX_POINTS:
            self._points.setdefault((self._cache, series), {})[point] = value

    def done(self) -> bytes:
        """The chart part."""
        groups = self._groups or [_Group()]
        plots: list[str] = []
        for index, group in enumerate(groups):
            inside = "".join(
                self._series_markup(number, one, group)
                for number, one in enumerate(self._series)
                if min(one.group, len(groups) - 1) == index and _VALUES in one.links
            )
            if inside:
                plots.append(_plot(group, inside))
        axes = (
            f'<c:catAx><c:axId val="1"/>{_title(self._titles.get(_X_TITLE, ""))}</c:catAx>'
            f'<c:valAx><c:axId val="2"/>{_title(self._titles.get(_Y_TITLE, ""))}</c:valAx>'
        )
        return (
            f'<c:chartSpace xmlns:c="{_NAMES}/chart" xmlns:a="{_NAMES}/main"><c:chart>'
            f"{_title(self._titles.get(_CHART_TITLE, ''))}<c:plotArea>{''.join(plots)}{axes}</c:plotArea></c:chart>"
            "</c:chartSpace>"
        ).encode()

    def _series_markup(self, number: int, one: _Series, group: _Group) -> str:
        scattered = group.element in _SCATTERED
        name = f"<c:v>{text(one.name)}</c:v>" if one.name else ""
        if one.links.get(_TITLE):
            cached = f'<c:strCache><c:pt idx="0"><c:v>{text(one.name)}</c:v></c:pt></c:strCache>' if one.name else ""
            name = f"<c:strRef><c:f>{text(one.links[_TITLE])}</c:f>{cached}</c:strRef>"
        values = (
            ("xVal" if scattered else "cat", _CATEGORIES), ("yVal" if scattered else "val", _VALUES),
            ("bubbleSize", _BUBBLES),
        )  # fmt: skip
        data = "".join(self._values(element, link, number, one) for element, link in values if link in one.links)
        return f'<c:ser><c:idx val="{number}"/><c:order val="{number}"/>{f"<c:tx>{name}</c:tx>" if name else ""}{data}</c:ser>'  # noqa: E501

    def _values(self, element: str, link: int, number: int, one: _Series) -> str:
        if element == "bubbleSize" and not one.links[link]:
            return ""
        points = self._points.get((link, number), {})
        words = link == _CATEGORIES and not all(map(_is_number, points.values()))
        kind = "str" if words else "num"
        cached = "".join(f'<c:pt idx="{at}"><c:v>{text(value)}</c:v></c:pt>' for at, value in sorted(points.items()))
        if cached:
            cached = f'<c:{kind}Cache><c:ptCount val="{max(points) + 1}"/>{cached}</c:{kind}Cache>'
        return f"<c:{element}><c:{kind}Ref><c:f>{text(one.links[link])}</c:f>{cached}</c:{kind}Ref></c:{element}>"


def _is_number(value: str) -> bool:
    return value.lstrip("-").replace(".", "", 1).replace("e-", "").replace("e+", "").isdecimal()


def _title(words: str) -> str:
    return f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{text(words)}</a:t></a:r></a:p></c:rich></c:tx></c:title>" if words else ""  # fmt: skip  # noqa: E501


def _plot(group: _Group, inside: str) -> str:
    direction = f'<c:barDir val="{"bar" if group.horizontal else "col"}"/>' if group.element == "barChart" else ""
    grouping = f'<c:grouping val="{group.grouping}"/>' if group.grouping else ""
    axes = '<c:axId val="1"/><c:axId val="2"/>'
    return f"<c:{group.element}>{direction}{grouping}{inside}{axes}</c:{group.element}>"


_HANDLERS: Final[Mapping[int, Callable[[ChartReader, Record], None]]] = {
    0x1033: ChartReader.begin, 0x1034: ChartReader.end, 0x1003: ChartReader.series, 0x1051: ChartReader.link,
    0x100D: ChartReader.words, 0x1027: ChartReader.owner, 0x1045: ChartReader.group_of, 0x1014: ChartReader.group,
    0x1017: ChartReader.bars, 0x1018: ChartReader.lines, 0x1019: ChartReader.pie, 0x101A: ChartReader.areas,
    0x101B: ChartReader.scatter, 0x103E: ChartReader.radar, 0x1040: ChartReader.radar, 0x103F: ChartReader.surface,
    0x1061: ChartReader.pie_of_pie, 0x1065: ChartReader.cache, 0x203: ChartReader.cached_number,
    0x204: ChartReader.cached_words,
}  # fmt: skip
