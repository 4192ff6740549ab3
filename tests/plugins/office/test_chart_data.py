"""Chart parts read into `ChartData`: every plot kind, titles, gaps, dates, levels, references, hostile input."""

# ruff: noqa: E501  (markup reads best unbroken)
from __future__ import annotations

import pytest

from sidecar.api.model import ChartData, Series
from sidecar.toolkit.ooxml.chart import chart_text, parse_chart
from sidecar.toolkit.xml import parse_xml

NS = (
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)
CX = 'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"'


def read(body: str, before: str = "") -> ChartData:
    return parse_chart(parse_xml(f"<c:chartSpace {NS}>{before}<c:chart>{body}</c:chart></c:chartSpace>".encode(), "x"))


def points(*values: object, code: str = "General") -> str:
    cells = "".join(f"<c:pt idx='{i}'><c:v>{v}</c:v></c:pt>" for i, v in enumerate(values) if v is not None)
    return f"<c:formatCode>{code}</c:formatCode><c:ptCount val='{len(values)}'/>{cells}"


def serie(name: str, values: str, categories: str = "", where: str = "val") -> str:
    tx = f"<c:tx><c:v>{name}</c:v></c:tx>" if name else ""
    cat = f"<c:cat>{categories}</c:cat>" if categories else ""
    return f"<c:ser>{tx}{cat}<c:{where}><c:numLit>{values}</c:numLit></c:{where}></c:ser>"


def title(text: str) -> str:
    return f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{text}</a:t></a:r></a:p></c:rich></c:tx></c:title>"


@pytest.mark.parametrize(
    ("plot", "kind"),
    [
        ("barChart", "column"), ("bar3DChart", "column"), ("lineChart", "line"), ("line3DChart", "line"),
        ("areaChart", "area"), ("area3DChart", "area"), ("pieChart", "pie"), ("pie3DChart", "pie"), ("ofPieChart", "pie"),
        ("doughnutChart", "doughnut"), ("radarChart", "radar"), ("stockChart", "stock"),
        ("surfaceChart", "surface"), ("surface3DChart", "surface"),
    ],
)  # fmt: skip
def test_every_plot_kind(plot: str, kind: str) -> None:
    chart = read(f"<c:plotArea><c:{plot}>{serie('s', points(1, 2))}</c:{plot}></c:plotArea>")
    assert chart.type == kind
    assert chart.series[0].values == (1.0, 2.0)


def test_bar_direction_and_grouping() -> None:
    plot = (
        "<c:barChart><c:barDir val='bar'/><c:grouping val='percentStacked'/>" + serie("s", points(1)) + "</c:barChart>"
    )
    chart = read(f"<c:plotArea>{plot}</c:plotArea>")
    assert (chart.type, chart.grouping) == ("bar", "percentStacked")


def test_gaps_errors_and_padding() -> None:
    categories = "<c:strLit><c:ptCount val='4'/>" + "".join(
        f"<c:pt idx='{i}'><c:v>{w}</c:v></c:pt>" for i, w in enumerate("abcd")
    )
    chart = read(
        f"<c:plotArea><c:lineChart>{serie('s', points(1, None, '#N/A'), categories + '</c:strLit>')}</c:lineChart></c:plotArea>"
    )
    assert chart.categories == ("a", "b", "c", "d")
    assert chart.series[0].values == (1.0, None, None, None)


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ("<c:title/>", "only"),
        ("<c:autoTitleDeleted val='0'/>", "only"),
        ("<c:autoTitleDeleted val='1'/>", ""),
        ("", ""),
        (title("Own  words"), "Own words"),
    ],
)
def test_automatic_titles(extra: str, expected: str) -> None:
    chart = read(f"{extra}<c:plotArea><c:pieChart>{serie('only', points(1))}</c:pieChart></c:plotArea>")
    assert chart.title == expected


def test_two_series_have_no_automatic_title() -> None:
    two = serie("a", points(1)) + serie("b", points(2))
    assert not read(f"<c:title/><c:plotArea><c:barChart>{two}</c:barChart></c:plotArea>").title


@pytest.mark.parametrize(
    ("before", "code", "serial", "expected"),
    [
        ("", "m/d/yyyy", "45292", "2024-01-01"),
        ("", "mmm\\-yy", "59", "1900-02-28"),
        ("", "d/m/yy h:mm", "45292.5", "2024-01-01T12:00:00"),
        ("<c:date1904 val='1'/>", "yyyy", "0", "1904-01-01"),
        ("", "General", "2024", "2024"),
        ("", "0.0", "1.5", "1.5"),
        ("", '"day" 0', "3", "3"),
    ],
)
def test_date_categories(before: str, code: str, serial: str, expected: str) -> None:
    categories = f"<c:numLit>{points(serial, code=code)}</c:numLit>"
    chart = read(f"<c:plotArea><c:lineChart>{serie('s', points(1), categories)}</c:lineChart></c:plotArea>", before)
    assert chart.categories == (expected,)


def test_multi_level_categories_read_from_the_outside_in() -> None:
    level = "<c:lvl><c:pt idx='{}'><c:v>{}</c:v></c:pt><c:pt idx='{}'><c:v>{}</c:v></c:pt></c:lvl>"
    inner = level.format(0, "Q1", 1, "Q2").replace("</c:lvl>", "<c:pt idx='2'><c:v>Q1</c:v></c:pt></c:lvl>")
    cache = inner + level.format(0, "2023", 2, "2024")
    categories = (
        f"<c:multiLvlStrRef><c:f>S!$A$1:$B$3</c:f><c:multiLvlStrCache>{cache}</c:multiLvlStrCache></c:multiLvlStrRef>"
    )
    chart = read(f"<c:plotArea><c:barChart>{serie('s', points(1, 2, 3), categories)}</c:barChart></c:plotArea>")
    assert chart.categories == ("2023 / Q1", "2023 / Q2", "2024 / Q1")


def test_combined_chart_with_secondary_axis() -> None:
    axes = "".join(
        f"<c:{kind}><c:axId val='{i}'/>{title(name)}</c:{kind}>"
        for i, kind, name in ((1, "catAx", "Month"), (2, "valAx", "Units"), (3, "catAx", ""), (4, "valAx", "Margin"))
    )
    chart = read(
        "<c:plotArea><c:barChart>" + serie("units", points(1)) + "<c:axId val='1'/><c:axId val='2'/></c:barChart>"
        "<c:lineChart>"
        + serie("margin", points(0.5))
        + f"<c:axId val='3'/><c:axId val='4'/></c:lineChart>{axes}</c:plotArea>"
    )
    assert [(s.type, s.secondary) for s in chart.series] == [("", False), ("line", True)]
    assert (chart.x_title, chart.y_title, chart.y2_title) == ("Month", "Units", "Margin")


def test_scatter_and_bubble() -> None:
    x = f"<c:xVal><c:numLit>{points(1, 2)}</c:numLit></c:xVal>"
    body = f"<c:ser>{x}<c:yVal><c:numLit>{points(3, 4)}</c:numLit></c:yVal><c:bubbleSize><c:numLit>{points(5, 6)}</c:numLit></c:bubbleSize></c:ser>"
    chart = read(f"<c:plotArea><c:bubbleChart>{body}</c:bubbleChart></c:plotArea>")
    assert (chart.series[0].x, chart.series[0].values, chart.series[0].size) == ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0))
    bare = read(f"<c:plotArea><c:scatterChart>{serie('s', points(7, 8), where='yVal')}</c:scatterChart></c:plotArea>")
    assert bare.series[0].x == (1.0, 2.0)


def reference(kind: str, formula: str) -> str:
    return f"<c:{kind}Ref><c:f>{formula}</c:f></c:{kind}Ref>"


@pytest.mark.parametrize(
    ("formulas", "expected"),
    [
        (("Data!$B$1", "Data!$A$2:$A$4", "Data!$B$2:$B$4"), "Data!A1:B4"),
        (("'My data'!$C$1", "'My data'!$A$2:$A$4", "'My data'!$C$2:$C$4"), "'My data'!C1, 'My data'!A2:A4, 'My data'!C2:C4"),
        (("A!$B$1", "B!$A$2", "C!$B$2"), "A!B1, B!A2, C!B2"),
    ],
)  # fmt: skip
def test_source_ranges_and_missing_caches(formulas: tuple[str, str, str], expected: str) -> None:
    name, cat, val = formulas
    body = (
        f"<c:ser><c:tx>{reference('str', name)}</c:tx><c:cat>{reference('str', cat)}</c:cat><c:val>{reference('num', val)}"
        "</c:val></c:ser>"
    )
    root = parse_xml(
        f"<c:chartSpace {NS}><c:chart><c:plotArea><c:barChart>{body}</c:barChart></c:plotArea></c:chart></c:chartSpace>".encode(),
        "x",
    )
    assert parse_chart(root).source == expected
    filled = parse_chart(root, {name: ["n"], cat: ["p", "q", "r"], val: [1.0, None, 3.0]}.__getitem__)
    assert filled.series[0].name == "n"
    assert filled.categories == ("p", "q", "r")
    assert filled.series[0].values == (1.0, None, 3.0)


@pytest.mark.parametrize(
    ("layout", "inner", "kind"),
    [
        ("waterfall", "", "waterfall"),
        ("treemap", "", "treemap"),
        ("sunburst", "", "sunburst"),
        ("boxWhisker", "", "boxWhisker"),
        ("funnel", "", "funnel"),
        ("clusteredColumn", "<cx:layoutPr><cx:binning/></cx:layoutPr>", "histogram"),
        ("clusteredColumn", "<cx:layoutPr><cx:aggregation/></cx:layoutPr>", "column"),
        ("regionMap", "", "other"),
    ],
)
def test_chartex(layout: str, inner: str, kind: str) -> None:
    level = "<cx:lvl ptCount='2'><cx:pt idx='0'>{}</cx:pt><cx:pt idx='1'>{}</cx:pt></cx:lvl>"
    body = (
        f"<cx:chartData><cx:data id='0'><cx:strDim type='cat'>{level.format('leaf', 'twig')}{level.format('stem', 'stem')}"
        f"</cx:strDim><cx:numDim type='size'>{level.format(5, 6)}</cx:numDim></cx:data></cx:chartData><cx:chart>"
        f"<cx:plotArea><cx:plotAreaRegion><cx:series layoutId='{layout}'><cx:tx><cx:txData><cx:v>name</cx:v></cx:txData></cx:tx>"
        f"<cx:dataId val='0'/>{inner}</cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart>"
    )
    chart = parse_chart(parse_xml(f"<cx:chartSpace {CX}>{body}</cx:chartSpace>".encode(), "x"))
    assert chart.type == kind
    assert chart.categories == ("stem / leaf", "stem / twig")
    assert (chart.series[0].name, chart.series[0].values) == ("name", (5.0, 6.0))


def test_totals_of_a_waterfall() -> None:
    level = "<cx:lvl ptCount='3'><cx:pt idx='0'>5</cx:pt><cx:pt idx='1'>-2</cx:pt><cx:pt idx='2'>3</cx:pt></cx:lvl>"
    body = (
        f"<cx:chartData><cx:data id='0'><cx:numDim type='val'>{level}</cx:numDim></cx:data></cx:chartData><cx:chart>"
        "<cx:plotArea><cx:plotAreaRegion><cx:series layoutId='waterfall'><cx:dataId val='0'/><cx:layoutPr><cx:subtotals>"
        "<cx:idx val='2'/><cx:idx val='99'/></cx:subtotals></cx:layoutPr></cx:series>"
        "</cx:plotAreaRegion></cx:plotArea></cx:chart>"
    )
    chart = parse_chart(parse_xml(f"<cx:chartSpace {CX}>{body}</cx:chartSpace>".encode(), "x"))
    assert chart.series[0].totals == (2,)


def test_hostile_indices_cost_no_memory() -> None:
    far = "<c:ptCount val='4000000000'/><c:pt idx='3999999999'><c:v>1</c:v></c:pt><c:pt idx='-5'><c:v>1</c:v></c:pt>"
    chart = read(f"<c:plotArea><c:lineChart>{serie('s', far + points(2))}</c:lineChart></c:plotArea>")
    assert len(chart.series[0].values) < 10


@pytest.mark.parametrize("body", ["", "<c:plotArea/>", "<c:plotArea><c:barChart><c:ser/></c:barChart></c:plotArea>"])
def test_empty_charts_are_valid(body: str) -> None:
    chart = read(body)
    assert chart_text(chart) == ""


def test_chart_text_holds_every_word_once() -> None:
    series = (Series(name="s", values=(1.0, 2.5)), Series(name="t", values=(None, 4.0)))
    chart = ChartData(type="column", title="T", y_title="Y", categories=("a", "b"), texts=("note",), series=series)
    assert chart_text(chart).splitlines() == ["T", "Y", "note", "s, t", "a: s 1", "b: s 2.5; t 4"]
    assert chart_text(chart, values=False).splitlines() == ["T", "Y", "note", "s", "t", "a", "b"]
