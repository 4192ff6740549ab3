"""Charts of OpenDocument with their data: in packages, flat files, sheets, and old slides that LibreOffice wrote."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import Any

import pytest
from contract.containers import compound_file
from sidecar_odf import OdfFormat
from sidecar_ppt import PptFormat
from sidecar_xlsx import XlsxFormat
from support.formats.plugin_reading import of, read
from support.office_old.powerpoint_binary import Slide, box, deck, record

from sidecar.api import ChartData, Figure, FormatPlugin, ParsedDocument, Series, Table

KIND = "application/vnd.oasis.opendocument."
SPACES = 'xmlns:xlink="http://www.w3.org/1999/xlink" ' + " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("chart", "chart"), ("draw", "drawing"),
        ("style", "style"), ("svg", "svg-compatible"), ("number", "datastyle"),
    )
)  # fmt: skip
SHEETS: Any = XlsxFormat()
LOOK = (
    '<style:style style:name="c"><style:chart-properties chart:vertical="true" chart:stacked="true"/></style:style>'
    '<style:style style:name="days" style:data-style-name="N1"/><number:date-style style:name="N1"/>'
)


def row(*cells: str | float) -> str:
    made = (
        f'<table:table-cell office:value-type="float" office:value="{cell}"><text:p>{cell}</text:p></table:table-cell>'
        if isinstance(cell, float)
        else f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>"
        for cell in cells
    )
    return f"<table:table-row>{''.join(made)}</table:table-row>"


def chart(inside: str, *rows: str, kind: str = "bar", title: str = "Catch") -> str:
    return (
        f'<chart:chart chart:class="chart:{kind}"><chart:title><text:p>{title}</text:p></chart:title>{inside}'
        f'<table:table table:name="local-table">{"".join(rows)}</table:table></chart:chart>'
    )


def series(column: str, last: int, inside: str = "", more: str = "") -> str:
    return (
        f'<chart:series chart:values-cell-range-address="local-table.${column}$2:.${column}${last}" '
        f'chart:label-cell-address="local-table.${column}$1" {more}>{inside}</chart:series>'
    )


BARS = chart(
    '<chart:plot-area chart:style-name="c"><chart:axis chart:dimension="x" chart:name="primary-x">'
    '<chart:categories table:cell-range-address="local-table.$A$2:.$A$3"/></chart:axis>'
    '<chart:axis chart:dimension="y" chart:name="primary-y"><chart:title><text:p>Tonnes</text:p></chart:title>'
    "</chart:axis>" + series("B", 3) + series("C", 3, more='chart:class="chart:line" chart:attached-axis="secondary-y"')
    + "</chart:plot-area>",
    row("", "Cod", "Hake"), row("North", 1.5, 2.0), row("South", float("nan"), 4.25),
)  # fmt: skip
BARS_DATA = ChartData(
    type="bar", title="Catch", y_title="Tonnes", categories=("North", "South"), grouping="stacked",
    series=(
        Series(name="Cod", values=(1.5, None)), Series(name="Hake", values=(2.0, 4.25), type="line", secondary=True),
    ),
)  # fmt: skip
POINTS = chart(
    "<chart:plot-area>"
    + series("B", 3, '<chart:domain table:cell-range-address="local-table.$C$2:.$C$3"/>', 'chart:class="chart:scatter"')
    + "</chart:plot-area>",
    row("", "Depth", ""), row("", 2.25, 1.5), row("", 4.75, 3.5), kind="scatter", title="Soundings",
)  # fmt: skip
POINTS_DATA = ChartData(
    type="scatter", title="Soundings", series=(Series(name="Depth", values=(2.25, 4.75), x=(1.5, 3.5)),)
)


def content(kind: str, inside: str) -> str:
    styles = f"<office:automatic-styles>{LOOK}</office:automatic-styles>"
    body = f"<office:body><office:{kind}>{inside}</office:{kind}></office:body>"
    return f'<office:document {SPACES} office:mimetype="{KIND}{kind}">{styles}{body}</office:document>'


def package(kind: str, inside: str, *charts: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", KIND + kind)
        archive.writestr("content.xml", content(kind, inside))
        for number, one in enumerate(charts, 1):
            archive.writestr(f"Object {number}/content.xml", content("chart", one))
    return out.getvalue()


def frame(number: int, within: str = "") -> str:
    link = "" if within else f'xlink:href="./Object {number}"'
    return f"<draw:frame><draw:object {link}>{within}</draw:object></draw:frame>"


def charts_of(found: ParsedDocument) -> list[ChartData | None]:
    """The data of what the figures show, in their order."""
    data = {(embed.kind, embed.id): embed.chart for embed in found.embedded}
    return [data[figure.embed] for figure in of(found, Figure) if figure.embed is not None]


TWO = f"<draw:page>{frame(1)}</draw:page><draw:page>{frame(2)}</draw:page>"
FLAT_TWO = "".join(f"<draw:page>{frame(1, content('chart', one))}</draw:page>" for one in (BARS, POINTS))


@pytest.mark.parametrize(("reader", "data", "name"), [
    (OdfFormat(), package("presentation", TWO, BARS, POINTS), "a.odp"),
    (OdfFormat(), content("presentation", FLAT_TWO).encode(), "a.fodp"),
    (OdfFormat(), package("text", f"<text:p>{frame(1)}{frame(2)}</text:p>", BARS, POINTS), "a.odt"),
    (SHEETS, package("spreadsheet", f'<table:table table:name="S"><table:shapes>{frame(1)}{frame(2)}'
                           f"</table:shapes>{row('x')}</table:table>", BARS, POINTS), "a.ods"),
])  # fmt: skip
def test_charts_are_their_data(reader: FormatPlugin, data: bytes, name: str) -> None:
    found = read(reader, data, name)
    assert charts_of(found) == [BARS_DATA, POINTS_DATA]
    made = [(element.type, element.caption) for element in found.elements if element.type != "table"]
    assert made == [("chart", "Catch"), ("chart", "Soundings")]
    assert "Hake" in found.elements[-2].text


@pytest.mark.parametrize(
    ("look", "said"), [("days", ("2013-01-01", "2013-01-02", "later")), ("c", ("41275", "41276", "later"))]
)
def test_categories_are_the_days_or_numbers_whose_rounded_text_a_chart_keeps(look: str, said: tuple[str, ...]) -> None:
    axis = f'<chart:axis chart:dimension="x" chart:style-name="{look}"><chart:categories/></chart:axis>'
    days = (row(day, 1.0).replace(f"<text:p>{day}", "<text:p>41280") for day in (41275.0, 41276.0))
    one = chart(f"<chart:plot-area>{axis}{series('B', 4)}</chart:plot-area>", row("", "Cod"), *days, row("later", 2.0))
    found = read(OdfFormat(), package("presentation", f"<draw:page>{frame(1)}</draw:page>", one), "a.odp")
    assert [data.categories for data in charts_of(found) if data] == [said]


def test_a_chart_whose_cell_is_repeated_beyond_any_number_is_read() -> None:
    lying = BARS.replace("<table:table-cell>", f'<table:table-cell table:number-columns-repeated="{"9" * 5000}">', 1)
    assert charts_of(read(OdfFormat(), package("presentation", TWO, lying, POINTS), "a.odp")) == [
        BARS_DATA,
        POINTS_DATA,
    ]


def test_a_series_that_no_cell_names_has_the_name_that_libreoffice_keeps_with_it() -> None:
    space = "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"
    named = BARS.replace(
        'chart:label-cell-address="local-table.$B$1"', f'xmlns:loext="{space}" loext:label-string="Sprat"'
    )
    (first, _) = charts_of(read(OdfFormat(), package("presentation", TWO, named, POINTS), "a.odp"))
    assert first is not None
    assert [one.name for one in first.series] == ["Sprat", "Hake"]


def test_a_chart_of_a_sheet_names_its_cells() -> None:
    marked = row("", "Cod").replace("Cod</text:p>", "Cod</text:p><draw:g><svg:desc>S.B1:S.B1</svg:desc></draw:g>")
    first = row("North", 1.5).replace("</text:p>", "</text:p><draw:g><svg:desc>S.B2:S.B3</svg:desc></draw:g>", 2)
    first = first.replace("S.B2:S.B3", "S.A2:S.A3", 1)
    sheet = chart(
        '<chart:plot-area table:cell-range-address="S.A1:S.B3"><chart:axis chart:dimension="x">'
        '<chart:categories table:cell-range-address="S.A2:S.A3"/></chart:axis><chart:series '
        'chart:values-cell-range-address="S.B2:S.B3" chart:label-cell-address="S.B1:S.B1"/></chart:plot-area>',
        marked, first, row("South", 2.0),
    )  # fmt: skip
    body = f'<table:table table:name="S"><table:shapes>{frame(1)}</table:shapes>{row("x")}</table:table>'
    assert charts_of(read(SHEETS, package("spreadsheet", body, sheet), "a.ods")) == [
        ChartData(
            type="column", title="Catch", categories=("North", "South"), source="S!A1:B3",
            series=(Series(name="Cod", values=(1.5, 2.0)),),
        )
    ]  # fmt: skip


def test_old_slides_hold_charts_as_packages() -> None:
    inner = compound_file({"package_stream": package("chart", BARS)})
    storage = record(0x1011, struct.pack("<I", len(inner)) + zlib.compress(inner), 1)
    head = record(0x0FC3, struct.pack("<IIIIII", 1, 0, 3, 0, 500, 0))
    shown = record(0x0BC1, struct.pack("<I", 3))
    file = deck(
        [Slide([box((0, 50, 9, 59), client=shown)])],
        document=record(0x0409, record(0x0FCC, head, holds=True), holds=True), objects={500: storage},
    )  # fmt: skip
    assert charts_of(read(PptFormat(), file, "a.ppt")) == [BARS_DATA]


def test_a_table_of_very_many_repeated_cells_is_read_within_bounds() -> None:
    rows = (
        row("", 1.0).replace("<table:table-cell ", '<table:table-cell table:number-columns-repeated="9999999" ') * 2000
    )
    many = chart(f"<chart:plot-area>{series('B', 2000)}</chart:plot-area>", rows)
    (found,) = charts_of(
        read(OdfFormat(), package("presentation", f"<draw:page>{frame(1)}</draw:page>", many), "a.odp")
    )
    assert found is not None
    assert len(found.series[0].values) <= 2000


@pytest.mark.parametrize(("kind", "inside"), [
    ("presentation", f"<draw:page>{frame(1)}</draw:page>"), ("text", f"<text:p>Before {frame(1)}</text:p>"),
])  # fmt: skip
def test_a_sheet_within_a_document_is_a_table(kind: str, inside: str) -> None:
    sheet = f'<table:table table:name="S">{row("Fish", "Catch")}{row("Hake", 12.0)}</table:table>'
    out = io.BytesIO(package(kind, inside))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("Object 1/content.xml", content("spreadsheet", sheet))
    found = read(OdfFormat(), out.getvalue(), "a.odp")
    assert [table.rows for table in of(found, Table)] == [(("Fish", "Catch"), ("Hake", "12.0"))]
    assert not any(figure.text for figure in of(found, Figure))


def test_axes_with_names_of_another_writer_keep_their_titles_and_lines_of_regression_their_names() -> None:
    """As Gnumeric writes them."""

    def axis(dimension: str, name: str, title: str) -> str:
        titled = f"<chart:title><text:p>{title}</text:p></chart:title>"
        return f'<chart:axis chart:dimension="{dimension}" chart:name="{name}">{titled}</chart:axis>'

    space = "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"
    line = (
        f'<style:style xmlns:loext="{space}" style:name="GOG-8"><style:chart-properties loext:regression-name="Trend"/>'
        "</style:style>"
    )
    inside = (
        '<chart:plot-area chart:style-name="c">' + axis("y", "Y-Axis-1", "Tonnes") + axis("x", "X-Axis-1", "Year")
        + axis("y", "Y-Axis-2", "Price") + series("B", 2, '<chart:regression-curve chart:style-name="GOG-8"/>')
        + series("C", 2, more='chart:attached-axis="Y-Axis-2"') + "</chart:plot-area>"
    )  # fmt: skip
    drawn = content("chart", chart(inside, row("", "Cod", "Paid"), row("2001", 1.5, 2.0))).replace(LOOK, LOOK + line)
    (found,) = charts_of(read(OdfFormat(), content("text", f"<text:p>{frame(1, drawn)}</text:p>").encode(), "a.fodt"))
    assert found is not None
    assert (found.x_title, found.y_title, found.y2_title, found.texts) == ("Year", "Tonnes", "Price", ("Trend",))
    assert [one.secondary for one in found.series] == [False, True]
