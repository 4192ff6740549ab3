"""`draw_chart`: every kind gives a picture that shows what the data say, and nothing in a document becomes markup."""

from __future__ import annotations

import io
import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from sidecar_charts.drawing import draw_chart
from sidecar_charts.plots.hierarchy import squarified, tinted

from sidecar.api import ChartData, Series, UsageError
from sidecar.toolkit.fonts.files import choose_fonts
from sidecar.toolkit.xml import XmlElement, parse_xml

SVG = "{http://www.w3.org/2000/svg}"
KINDS = (
    "bar", "column", "line", "area", "pie", "doughnut", "scatter", "bubble", "radar", "stock", "surface", "treemap",
    "sunburst", "histogram", "boxWhisker", "waterfall", "funnel", "other",
)  # fmt: skip
NAMES = ("North", "South", "East")


def sample(kind: str, **more: object) -> ChartData:
    values = [(3.0, 5.0, 2.0), (4.0, None, 6.0), (1.0, 2.0, 3.0)]
    series = tuple(
        Series(
            name=f"Year {i}",
            values=row,
            x=(1.0, 2.0, 3.0) if kind in {"scatter", "bubble"} else (),
            size=(1.0, 2.0, 3.0),
        )
        for i, row in enumerate(values)
    )
    return ChartData(type=kind, title="Sales", categories=NAMES, series=series, **more)  # pyright: ignore[reportArgumentType]  fields by name


def svg(chart: ChartData, width: int = 960, height: int = 540) -> XmlElement:
    return parse_xml(draw_chart(chart, "svg", width, height).data, "chart.svg")


def words(root: XmlElement) -> list[str]:
    return [node.text for node in root.iter(f"{SVG}text")]


def shapes(root: XmlElement, fill: str) -> list[list[tuple[float, float]]]:
    """The corners of every filled path of a colour."""
    found: list[list[tuple[float, float]]] = []
    for node in root.iter(f"{SVG}path"):
        if node.get("fill") == fill:
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", node.get("d"))]
            found.append(list(zip(numbers[::2], numbers[1::2], strict=True)))
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format_", ["svg", "png"])
def test_every_kind_is_drawn(kind: str, format_: str) -> None:
    payload = draw_chart(sample(kind), format_, 640, 360)  # pyright: ignore[reportArgumentType]  one of the two words
    assert (payload.width, payload.height) == (640, 360)
    if format_ == "png":
        with Image.open(io.BytesIO(payload.data)) as image:
            assert image.size == (640, 360)
            colours = image.convert("RGB").getcolors(1_000_000)
        assert colours is not None
        assert len(colours) > 10
    else:
        assert "Sales" in words(parse_xml(payload.data, "svg"))


def test_points_at_dates_stand_apart_as_the_days_do() -> None:
    series = Series(name="Seen", values=(1.0, 2.0, 3.0), x=("2024-01-01", "2024-01-11", "2024-01-31"))
    drawn = svg(ChartData(type="scatter", series=(series,)))
    (first, second, third) = (float(node.get("cx")) for node in drawn.iter(f"{SVG}circle"))
    assert third - second == pytest.approx(2 * (second - first), rel=0.01)
    assert any(word.startswith("2024-01-") for word in words(drawn))


def test_columns_are_as_high_as_their_values() -> None:
    chart = ChartData(type="column", categories=("a", "b"), series=(Series(values=(10.0, 5.0)),))
    first, second = shapes(svg(chart), "#4c78a8")
    heights = [max(y for _, y in path) - min(y for _, y in path) for path in (first, second)]
    assert heights[0] == pytest.approx(2 * heights[1], rel=0.01)


def test_negative_columns_hang_below_zero_and_stacks_add_up() -> None:
    series = (Series(name="p", values=(4.0,)), Series(name="q", values=(6.0,)), Series(name="n", values=(-5.0,)))
    root = svg(ChartData(type="column", grouping="stacked", categories=("a",), series=series))
    tops = {fill: shapes(root, fill)[-1] for fill in ("#4c78a8", "#f58518", "#54a24b")}
    edge = {fill: (min(y for _, y in path), max(y for _, y in path)) for fill, path in tops.items()}
    assert edge["#f58518"][1] == pytest.approx(edge["#4c78a8"][0], abs=0.1)
    assert edge["#54a24b"][0] == pytest.approx(edge["#4c78a8"][1], abs=0.1)
    assert edge["#54a24b"][1] > edge["#54a24b"][0]


def test_a_gap_breaks_the_line() -> None:
    whole = ChartData(type="line", categories=tuple("abcde"), series=(Series(values=(1.0, 2.0, 3.0, 4.0, 5.0)),))
    broken = ChartData(type="line", categories=tuple("abcde"), series=(Series(values=(1.0, 2.0, None, 4.0, 5.0)),))

    def lines(chart: ChartData) -> int:
        return sum(n.get("stroke") == "#4c78a8" and n.get("fill") == "none" for n in svg(chart).iter(f"{SVG}path"))

    assert (lines(whole), lines(broken)) == (1, 2)


def test_pie_shares_and_legend() -> None:
    root = svg(ChartData(type="pie", categories=("x", "y"), series=(Series(values=(75.0, 25.0)),)))
    assert {"75%", "25%", "x", "y"} <= set(words(root))


def box(path: list[tuple[float, float]]) -> tuple[float, float, float, float]:
    return (min(x for x, _ in path), min(y for _, y in path), max(x for x, _ in path), max(y for _, y in path))


@pytest.mark.parametrize("kind", ["column", "bar", "area"])
def test_shares_of_a_stack_add_up_to_a_hundred(kind: str) -> None:
    series = (Series(name="p", values=(1.0, 30.0)), Series(name="q", values=(3.0, 10.0)))
    root = svg(ChartData(type=kind, grouping="percentStacked", categories=("a", "b"), series=series))
    assert {"0%", "100%"} <= set(words(root))
    assert "120%" not in words(root)
    if kind == "column":
        first, second = (box(path) for path in shapes(root, "#4c78a8")[-2:])
        assert (second[3] - second[1]) == pytest.approx(3 * (first[3] - first[1]), rel=0.01)  # 75 % to 25 %


def test_a_long_line_keeps_its_peak_in_fewer_points() -> None:
    values = tuple(9.0 if at == 7_321 else math.sin(at / 50) for at in range(20_000))
    (line,) = [n for n in svg(ChartData(type="line", series=(Series(values=values),))).iter(f"{SVG}path")
               if n.get("stroke") == "#4c78a8" and n.get("fill") == "none"]  # fmt: skip
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", line.get("d"))]
    heights = sorted(numbers[1::2])
    assert len(heights) < 3_000
    assert heights[1] - heights[0] > 100  # the peak stands alone


def test_names_that_the_legend_has_no_room_for_are_counted() -> None:
    series = tuple(Series(name=f"Series with a long name {at}", values=(1.0,)) for at in range(80))
    assert any(re.fullmatch(r"\+ \d+ more", one) for one in words(svg(ChartData(type="column", series=series))))


def test_a_candle_is_filled_by_which_way_it_went() -> None:
    prices = [(2.0, 4.0), (5.0, 6.0), (1.0, 3.0), (4.0, 3.5)]  # open, high, low, close of two days
    names = ("Open", "High", "Low", "Close")
    series = tuple(Series(name=name, values=row) for name, row in zip(names, prices, strict=True))
    root = svg(ChartData(type="stock", categories=("Mon", "Tue"), series=series))
    bodies = [n.get("fill") for n in root.iter(f"{SVG}path") if n.get("fill") in ("#54a24b", "#e45756")]
    assert bodies == ["#54a24b", "#e45756"]  # green up, red down


def test_a_pie_of_nothing_says_so() -> None:
    assert "No data" in words(svg(ChartData(type="pie", categories=("x",), series=(Series(values=(0.0,)),))))


@given(
    sizes=st.lists(st.floats(0.001, 1000), min_size=1, max_size=60), wide=st.integers(1, 900), high=st.integers(1, 900)
)
def test_squarified_areas_are_in_proportion_and_fill_the_box(sizes: list[float], wide: int, high: int) -> None:
    sizes.sort(reverse=True)
    boxes = squarified(sizes, (0.0, 0.0, float(wide), float(high)))
    assert len(boxes) == len(sizes)
    for size, (left, top, right, bottom) in zip(sizes, boxes, strict=True):
        assert (right - left) * (bottom - top) == pytest.approx(size / sum(sizes) * wide * high, rel=1e-6, abs=1e-6)
        assert -1e-6 <= left <= right <= wide + 1e-6
        assert -1e-6 <= top <= bottom <= high + 1e-6


def test_squarified_is_the_example_of_the_paper() -> None:
    boxes = squarified([6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0], (0.0, 0.0, 6.0, 4.0))
    ratios = [max((r - x) / (b - y), (b - y) / (r - x)) for x, y, r, b in boxes]
    assert ratios[:2] == pytest.approx([1.5, 1.5])  # figure 4 of the paper, step 2
    assert max(ratios) < 3


TREE = ("Asia / Japan", "Asia / China", "Europe / Italy", "Lone")


def test_a_treemap_nests_parts_in_their_whole() -> None:
    root = svg(ChartData(type="treemap", categories=TREE, series=(Series(values=(30.0, 50.0, 15.0, 5.0)),)))
    assert {"Asia", "Europe", "Japan", "China", "Italy"} <= set(words(root))
    asia, europe = box(shapes(root, "#4c78a8")[0]), box(shapes(root, "#f58518")[0])
    area = [(x2 - x1) * (y2 - y1) for x1, y1, x2, y2 in (asia, europe)]
    assert area[0] / area[1] == pytest.approx(80 / 15, rel=0.03)
    inner = [box(path) for path in shapes(root, tinted("#4c78a8", 0.24))]
    assert len(inner) == 2
    assert all(asia[0] <= left and right <= asia[2] and top > asia[1] for left, top, right, _ in inner)


def test_a_treemap_leaves_out_what_no_screen_could_show() -> None:
    root = svg(
        ChartData(type="treemap", categories=("all", "dust", "none"), series=(Series(values=(1.0, 1e-200, 0.0)),))
    )
    assert {"all", "dust"} & set(words(root)) == {"all"}


def test_a_sunburst_has_a_ring_a_level() -> None:
    root = svg(ChartData(type="sunburst", categories=TREE, series=(Series(values=(30.0, 50.0, 15.0, 5.0)),)))
    assert {"Asia", "Europe", "Lone", "Japan", "China"} <= set(words(root))
    (inner,), outer = shapes(root, "#4c78a8")[:1], shapes(root, tinted("#4c78a8", 0.16))
    x, y = 480.0, (box(inner)[1] + box(inner)[3]) / 2
    far = [max(math.hypot(px - x, py - y) for px, py in path) for path in (inner, *outer)]
    assert len(outer) == 2
    assert min(far[1:]) > far[0] * 1.2


def test_a_surface_is_coloured_by_its_values() -> None:
    rows = tuple(Series(name=f"row {at}", values=(float(at), None, at + 5.0)) for at in range(3))
    root = svg(ChartData(type="surface", categories=("a", "b", "c"), series=rows))
    assert {"a", "c", "row 0", "row 2"} <= set(words(root))
    fills = [str(node.get("fill")) for node in root.iter(f"{SVG}path") if node.get("fill") not in (None, "none")]
    assert len(set(fills[:9])) == 6 + 1  # five is met twice: every value its own colour, and one for the gaps


def test_totals_of_a_waterfall_stand_on_the_ground() -> None:
    series = Series(values=(10.0, -4.0, 6.0), totals=(2,))
    root = svg(ChartData(type="waterfall", categories=("a", "b", "sum"), series=(series,)))
    first, total = box(shapes(root, "#54a24b")[0]), box(shapes(root, "#4c78a8")[0])
    assert total[3] == pytest.approx(first[3], abs=0.1)
    assert (total[3] - total[1]) / (first[3] - first[1]) == pytest.approx(0.6, rel=0.02)


def test_bars_of_a_histogram_adjoin() -> None:
    root = svg(ChartData(type="histogram", series=(Series(values=tuple(float(at % 10) for at in range(100))),)))
    bars = sorted(box(path) for path in shapes(root, "#4c78a8"))
    assert len(bars) > 3
    gap, wide = bars[1][0] - bars[0][2], bars[0][2] - bars[0][0]
    assert 0 <= gap < wide * 0.05


def test_a_script_without_a_font_is_named_in_the_picture() -> None:
    def dark(text: str, foot: bool) -> int:
        chart = ChartData(type="column", title=text, categories=("a",), series=(Series(values=(1.0,)),))
        with Image.open(io.BytesIO(draw_chart(chart, "png", 640, 360).data)) as image:
            grey = image.convert("L").crop((320, 345, 640, 360) if foot else (0, 0, 640, 40))
            return sum(grey.histogram()[:140])

    unknown = "\U00012000\U00012001"  # cuneiform, which no common font has
    if choose_fonts(unknown).missing:
        assert dark(unknown, foot=True) > dark("words", foot=True)
        assert dark(unknown, foot=False) > 10
    assert dark("\u0192 \u041f\u0440\u0438", foot=False) > 10  # beyond the engine's own font


def test_titles_legend_axes_and_formats_are_shown() -> None:
    chart = sample("column", x_title="Region", y_title="Money", number_format='#,##0.0 "€"', grouping="clustered")
    shown = words(svg(chart))
    assert {"Sales", "Region", "Money", "North", "South", "East", "Year 0", "Year 2", "0.0 €", "2.0 €"} <= set(shown)


def test_secondary_axis_has_its_own_scale() -> None:
    series = (
        Series(name="u", values=(100.0, 200.0)),
        Series(name="m", values=(0.1, 0.2), type="line", secondary=True, format="0%"),
    )
    shown = words(svg(ChartData(type="column", y2_title="Margin", categories=("a", "b"), series=series)))
    assert {"200", "20%", "Margin"} <= set(shown)


def test_text_is_never_markup() -> None:
    evil = '</text><script>alert("1")</script>&amp;\x00#eval[x]\\"'
    chart = ChartData(type="bar", title=evil, categories=(evil,), series=(Series(name=evil, values=(1.0,)),) * 2)
    root = svg(chart)
    assert not list(root.iter(f"{SVG}script"))
    assert any("<script>" in word for word in words(root))
    assert draw_chart(chart, "png").data.startswith(b"\x89PNG")


def test_long_labels_and_many_categories_do_not_leave_the_picture() -> None:
    labels = tuple(f"A rather long category name, number {i}" for i in range(100))
    chart = ChartData(
        type="column", title="w " * 400, categories=labels, series=(Series(values=tuple(map(float, range(100)))),)
    )
    root = svg(chart, 640, 360)
    assert 5 < len(words(root)) < 60
    for node in root.iter(f"{SVG}text"):
        assert 0 <= float(node.get("x")) <= 640
        assert 0 <= float(node.get("y")) <= 360


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_to_draw_is_said(kind: str) -> None:
    assert "No data" in words(svg(ChartData(type=kind)))
    assert "No data" in words(svg(ChartData(type=kind, series=(Series(name="s", values=(None, None)),))))


@pytest.mark.parametrize("size", [(10, 400), (400, 5000)])
def test_sizes_are_bounded(size: tuple[int, int]) -> None:
    with pytest.raises(UsageError):
        draw_chart(sample("pie"), "svg", *size)


NUMBERS = st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False), st.integers(-100, 100).map(float))


@settings(max_examples=150)
@given(
    kind=st.sampled_from(KINDS),
    rows=st.lists(st.lists(NUMBERS, max_size=12), max_size=6),
    grouping=st.sampled_from(["", "clustered", "stacked", "percentStacked"]),
    code=st.sampled_from(["", "0%", "#,##0.00", '"x"0', "yyyy", ";;", "0.0E+00", "[Red]-0"]),
    names=st.lists(st.text(max_size=30), max_size=14),
)
def test_any_data_gives_wellformed_finite_svg(
    kind: str, rows: list[list[float | None]], grouping: str, code: str, names: list[str]
) -> None:
    series = tuple(
        Series(name=f"s{i}", values=tuple(row), x=tuple(row), size=tuple(row), secondary=i == 1)
        for i, row in enumerate(rows)
    )
    chart = ChartData(type=kind, categories=tuple(names), series=series, grouping=grouping, number_format=code)
    root = svg(chart, 400, 300)
    for node in root.iter():
        for key in ("d", "x", "y", "cx", "cy", "r"):
            for number in re.findall(r"nan|inf|-?[\d.]+(?:e[+-]?\d+)?", node.get(key, "")):
                assert math.isfinite(float(number))
                assert -1e5 < float(number) < 1e5
