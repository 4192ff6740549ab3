"""Tables of PDFs that are set between horizontal rules only: rows, columns, spans and labels as a reader sees them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from mcp.client.client import Client
from sidecar_pdf import PdfFormat
from support.clients.harness import in_process, read_text
from support.formats.pdf_builder import Pdf, grid, rule, text
from support.formats.pdf_prose import read_pdf, row
from support.formats.plugin_reading import of

from sidecar.api import UNCERTAIN_TABLE, Limits, Merge, Note, Source, Table

ABOVE = [
    "Every system of the last section was trained on the same data, with the same budget",
    "of steps and with the seeds that the appendix lists, and what follows is their mean.",
]


def tables(*content: str) -> list[Table]:
    """The tables of a page of these operators under two lines of running text."""
    pdf = Pdf()
    lead = "".join(text(72, 740 - 12 * at, line) for at, line in enumerate(ABOVE))
    pdf.page(lead + "".join(content))
    return of(read_pdf(pdf), Table)


def table(*content: str) -> Table:
    """The only table of such a page."""
    (found,) = tables(*content)
    return found


def test_columns_of_figures_that_stand_close_stay_apart() -> None:
    found = table(
        rule(72, 690, 260, 690),
        row(678, {72: "Method", 140: "Recall", 178: "Order", 213: "Score"}),
        rule(72, 672, 260, 672),
        *(
            row(y, {72: name, 140: "15.79%", 179: "0.52%", 213: "1,024"})
            for y, name in ((660, "Sparse"), (648, "Dense"), (636, "Hybrid"))
        ),
        rule(72, 630, 260, 630),
    )
    assert found.rows[0] == ("Method", "Recall", "Order", "Score")
    assert found.rows[2] == ("Dense", "15.79%", "0.52%", "1,024")
    assert (len(found.rows), found.header_rows) == (4, 1)


def test_a_label_over_the_rows_of_a_group_spans_them() -> None:
    groups = {"TD": ("Faster R-CNN", "DETR"), "TSR": ("Mask R-CNN", "VGG")}
    content, y = [rule(72, 690, 400, 690), row(678, {72: "Task", 120: "Model", 220: "AP", 300: "AR"})], 660.0
    for label, models in groups.items():
        content += [rule(72, y + 11, 400, y + 11), text(72, y - 6, label)]
        for model in models:
            content.append(row(y, {120: model, 220: "0.825", 300: "0.985"}))
            y -= 12
        y -= 4
    found = table(*content, rule(72, y + 11, 400, y + 11))
    assert [cells[:2] for cells in found.rows] == [
        ("Task", "Model"), ("TD", "Faster R-CNN"), ("", "DETR"), ("TSR", "Mask R-CNN"), ("", "VGG"),
    ]  # fmt: skip
    assert found.merges == (Merge(1, 0, 2, 1), Merge(3, 0, 2, 1))


@pytest.mark.parametrize(
    ("heads", "rules"),
    [
        pytest.param(
            {200: "Test set", 342: "Dev set"}, rule(180, 686, 270, 686) + rule(320, 686, 410, 686), id="a rule each"
        ),
        pytest.param({203: "Test set", 343: "Dev set"}, rule(180, 686, 410, 686), id="one long rule"),
    ],
)
def test_a_header_over_a_rule_spans_the_columns_it_stands_in_the_middle_of(heads: dict[float, str], rules: str) -> None:
    found = table(
        rule(72, 702, 420, 702),
        row(690, heads),
        rules,
        row(676, {72: "Method", 180: "AP", 240: "AR", 320: "AP", 380: "AR"}),
        rule(72, 672, 420, 672),
        *(
            row(y, {72: name, 180: "0.825", 240: "0.985", 320: "0.810", 380: "0.912"})
            for y, name in ((660, "Sparse"), (648, "Dense"), (636, "Hybrid"))
        ),
        rule(72, 630, 420, 630),
    )
    assert found.rows[:2] == (("", "Test set", "", "Dev set", ""), ("Method", "AP", "AR", "AP", "AR"))
    assert (found.header_rows, found.merges) == (2, (Merge(0, 1, 1, 2), Merge(0, 3, 1, 2)))


def test_the_second_line_of_a_cell_is_no_row() -> None:
    found = table(
        rule(72, 690, 420, 690),
        row(678, {72: "Method", 180: "What it does", 340: "Score"}),
        rule(72, 672, 420, 672),
        row(660, {72: "Sparse", 180: "words that are written in", 340: "0.825"}) + text(180, 648, "the document"),
        row(636, {72: "Dense", 180: "vectors of short passages", 340: "0.810"}) + text(180, 624, "and questions"),
        row(612, {72: "Hybrid", 180: "both of them", 340: "0.912"}),
        rule(72, 606, 420, 606),
    )
    assert [cells[1] for cells in found.rows] == [
        "What it does", "words that are written in the document", "vectors of short passages and questions",
        "both of them",
    ]  # fmt: skip


def test_the_title_of_a_section_stays_a_row_of_its_own() -> None:
    found = table(
        rule(72, 690, 420, 690),
        row(678, {72: "Method", 180: "AP", 340: "AR"}),
        rule(72, 672, 420, 672),
        text(72, 660, "Without pre-training", font="F2"),
        row(648, {72: "Sparse", 180: "0.825", 340: "0.985"}) + row(636, {72: "Dense", 180: "0.810", 340: "0.912"}),
        rule(72, 632, 420, 632),
        text(72, 620, "With pre-training", font="F2"),
        row(608, {72: "Sparse", 180: "0.835", 340: "0.975"}) + row(596, {72: "Dense", 180: "0.820", 340: "0.902"}),
        rule(72, 590, 420, 590),
    )
    assert [cells[0] for cells in found.rows] == [
        "Method", "Without pre-training", "Sparse", "Dense", "With pre-training", "Sparse", "Dense",
    ]  # fmt: skip


def fill(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"q 0.88 g {x0} {y0} {x1 - x0} {y1 - y0} re f Q "


def test_rows_filled_cell_by_cell_with_cells_of_several_lines_stay_rows() -> None:
    content = [row(690, {72: "Place", 160: "What was found there", 320: "Year"})]
    lines = [
        ("Harbour", ("a bridge of stone and", "two towers beside it"), "1901"),
        ("Valley", ("a village",), "1924"),
        ("Forest", ("the remains of a camp", "that nobody had known", "of before"), "1963"),
        ("Desert", ("wells", ), "1987"),
    ]  # fmt: skip
    y = 678.0
    for at, (place, found_there, year) in enumerate(lines):
        height = 12.0 * len(found_there) + 4
        if at % 2 == 0:
            content += [fill(a, y - height, b, y) for a, b in ((68, 156), (156, 316), (316, 380))]
        content.append(row(y - 11, {72: place, 320: year}))
        content += [text(160, y - 11 - 12 * down, line) for down, line in enumerate(found_there)]
        y -= height
    found = table(*content)
    assert [list(cells) for cells in found.rows[1:]] == [
        [place, " ".join(found_there), year] for place, found_there, year in lines
    ]


def turned(x: float, y: float, string: str) -> str:
    return f"BT /F1 10 Tf 0 1 -1 0 {x} {y} Tm ({string}) Tj ET "


def test_headers_that_run_upwards_stand_over_their_columns() -> None:
    found = table(
        rule(72, 712, 300, 712),
        turned(158, 662, "Precision") + turned(208, 662, "Recall") + turned(258, 662, "Order"),
        rule(72, 658, 300, 658),
        *(
            row(y, {72: name, 145: "0.825", 195: "0.985", 245: "0.810"})
            for y, name in ((646, "Sparse"), (634, "Dense"), (622, "Hybrid"))
        ),
        rule(72, 616, 300, 616),
    )
    assert found.rows[:2] == (("", "Precision", "Recall", "Order"), ("Sparse", "0.825", "0.985", "0.810"))
    assert found.header_rows == 1


def test_a_raised_mark_makes_no_other_number_of_the_one_before_it() -> None:
    found = table(
        rule(72, 690, 260, 690),
        row(678, {72: "Method", 140: "Recall"}),
        rule(72, 672, 260, 672),
        *(
            row(y, {72: name, 140: "12.5"}) + (text(160.1, y + 4, "1", size=6) if name == "Dense" else "")
            for y, name in ((660, "Sparse"), (648, "Dense"), (636, "Hybrid"))
        ),
        rule(72, 630, 260, 630),
    )
    assert [cells[1] for cells in found.rows] == ["Recall", "12.5", "12.5^1", "12.5"]


def test_titles_of_sections_in_another_weight_span_the_table() -> None:
    found = table(
        rule(72, 690, 420, 690),
        row(678, {72: "Method", 180: "AP", 340: "AR"}),
        rule(72, 672, 420, 672),
        text(72, 660, "Without training", font="F2"),
        row(648, {72: "Sparse", 180: "0.825", 340: "0.985"}) + row(636, {72: "Dense", 180: "0.810", 340: "0.912"}),
        text(72, 624, "With training", font="F2"),
        row(612, {72: "Sparse", 180: "0.835", 340: "0.975"}) + row(600, {72: "Dense", 180: "0.820", 340: "0.902"}),
        rule(72, 594, 420, 594),
    )
    assert found.merges == (Merge(1, 0, 1, 3), Merge(4, 0, 1, 3))


def uncertain() -> bytes:
    """A page with a table whose last two columns are written as one."""
    pdf = Pdf()
    lead = "".join(text(72, 740 - 12 * at, line) for at, line in enumerate(ABOVE))
    rows = ((660, "Sparse", "97.5% yes"), (648, "Dense", "13.2% no"), (636, "Hybrid", "19.1% yes"))
    cells = "".join(row(y, {72: name, 140: both}) for y, name, both in rows)
    header = row(678, {72: "Method", 140: "Share Free"})
    pdf.page(lead + rule(72, 690, 200, 690) + header + rule(72, 672, 200, 672) + cells + rule(72, 630, 200, 630))
    return pdf.bytes()


def test_a_table_whose_columns_look_like_two_is_said_to_be_uncertain() -> None:
    document = PdfFormat().parse(Source.of_bytes(uncertain(), "made.pdf"), Limits(ocr=False))
    (found,) = of(document, Table)
    assert found.rows[1] == ("Sparse", "97.5% yes")
    assert found.confidence < UNCERTAIN_TABLE
    assert found.lines[1].split() == ["Sparse", "97.5%", "yes"]
    assert [notice.part for notice in document.notices if notice.code == "uncertain_table"] == [1]
    assert document.elements[0].confidence == found.confidence


@pytest.mark.anyio
async def test_clients_are_told_of_an_uncertain_table_and_given_its_lines(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "made.pdf").write_bytes(uncertain())
    async with in_process(folder, tmp_path / "data") as (_, server, _), Client(server) as client:
        page = await read_text(client, "page://made/1")
        assert "The rows and columns of this table are uncertain (confidence 0." in page
        assert "| Sparse" not in page
        assert ["Sparse", "97.5%", "yes"] in [line.split() for line in page.splitlines()]
        which = {"document_slug": "made", "element_label": "Table p1-1"}
        details = (await client.call_tool("get_element_details", which)).structured_content
        assert details is not None
        assert 0 < details["confidence"] < UNCERTAIN_TABLE
        assert '"confidence":0.' in await read_text(client, "document://made.json")
        asked = (await client.call_tool("query_tables", {"sql": "SELECT * FROM made"})).structured_content
        assert asked is not None
        assert asked["notices"] == [
            "The rows and columns of made are uncertain; compare with page://made/1 before you rely on them."
        ]


def test_a_table_that_goes_on_overleaf_is_one_whose_header_stands_once() -> None:
    pdf = Pdf()
    header: dict[float, str] = {72: "Place", 200: "Year", 300: "Height"}
    places = [f"Place {at}" for at in range(1, 61)]
    for page in range(2):
        content = "".join(text(72, 760 - 12 * at, line) for at, line in enumerate(ABOVE)) if not page else ""
        y = 720.0 if not page else 780.0
        content += rule(72, y + 11, 360, y + 11) + row(y, header) + rule(72, y - 5, 360, y - 5)
        for at, name in enumerate(places[page * 30 : page * 30 + 30]):
            content += row(y - 18 - 14 * at, {72: name, 200: str(1900 + at), 300: f"{at * 1.5:.1f}"})
        end = y - 18 - 14 * 30 + 8
        pdf.page(content + rule(72, end, 360, end))
    document = read_pdf(pdf)
    first, second = of(document, Table)
    assert (first.first_row, first.header_rows, len(first.rows)) == (0, 1, 31)
    assert (second.first_row, second.header_rows, len(second.rows)) == (31, 1, 31)
    assert second.rows[0] == first.rows[0]
    assert [cells[0] for cells in (*first.rows[1:], *second.rows[1:])] == places
    assert [element.label for element in document.elements] == ["Table p1-1"]
    assert not of(document, Note)


def test_the_last_rows_of_a_page_are_no_running_feet_though_their_words_repeat() -> None:
    pdf = Pdf()
    for page in range(3):
        content = rule(72, 752, 400, 752) + row(740, {72: "Pump", 180: "Flow", 300: "Head"}) + rule(72, 734, 400, 734)
        for at in range(28):
            content += row(720 - 24 * at, {72: f"Pump {at}", 180: f"{page}.{at}", 300: str(100 + page + at)})
        pdf.page(content)
    document = read_pdf(pdf)
    assert all("footer" not in part.metadata for part in document.parts)
    bodies = [
        [cells for block in part.blocks if isinstance(block, Table) for cells in block.rows[1:]]
        for part in document.parts
    ]
    assert [len(rows) for rows in bodies] == [28, 28, 28]
    assert bodies[1][-1] == ("Pump 27", "1.27", "128")


def test_lines_between_two_rules_beside_a_label_in_their_middle_are_rows() -> None:
    xs, ys = [72.0, 132.0, 202.0, 272.0], [640.0, 668.0, 696.0]
    cells = row(680, {74: "Layers", 136: "Language", 206: "Score"}, font="F2")
    rules = grid(xs, [*ys])
    body = row(657, {136: "Dense", 206: "0.965"}) + row(645, {136: "Sparse", 206: "0.969"}) + row(651, {98: "6"})
    found = table(rules, cells, body)
    assert list(found.rows) == [("Layers", "Language", "Score"), ("6", "Dense", "0.965"), ("", "Sparse", "0.969")]
    assert Merge(1, 0, 2, 1) in found.merges


@pytest.mark.parametrize(
    ("last", "flagged"),
    [
        ({72: "Quartz", 200: "57,5061"}, True),  # a mark that nothing raises
        ({72: "Quartz", 200: "57,506"}, False),
    ],
)
def test_rows_that_may_be_wrong_are_flagged(last: dict[float, str], flagged: bool) -> None:
    rows: tuple[dict[float, str], ...] = (
        {72: "Basket", 200: "7,602"},
        {72: "Harbour", 200: "36,039"},
        {72: "Ribbon", 200: "72,730"},
        last,
    )
    found = table(
        rule(72, 690, 300, 690), row(678, {72: "Name", 200: "Count"}), rule(72, 672, 300, 672),
        *(row(660 - 14 * at, cells) for at, cells in enumerate(rows)),
        rule(72, 610, 300, 610),
    )  # fmt: skip
    assert (found.confidence < UNCERTAIN_TABLE) == flagged


def test_columns_and_rows_that_no_rule_parts_are_told_by_white_space() -> None:
    ys = [696.0, 684.0, 660.0, 648.0, 624.0]
    cells = (
        (687, "Basket", "Temple", "Signal", "North"),
        (675, "Harbour", "Pocket", "Summer", "South"), (663, "Velvet", "Window", "Market", "East"),
        (651, "Ribbon", "Copper", "Thread", "West"),
        (639, "Anchor", "Branch", "Candle", "Upper"), (627, "Walnut", "Saddle", "Zipper", "Lower"),
    )  # fmt: skip
    found = table(
        grid([72, 132, 262, 322], ys),
        *(row(y, dict(zip((76, 136, 202, 266), names, strict=True))) for y, *names in cells),
    )
    assert list(found.rows) == [tuple(names) for _, *names in cells]


def test_items_of_lists_in_cells_are_no_rows() -> None:
    items = ("- Aspirin", "- Methanol", "- Glycol"), ("- Salicylate", "- Formate", "- Oxalate")
    found = table(
        grid([72, 172, 262, 352], [696, 680, 640, 624]),
        row(685, {76: "Kind", 176: "Causes", 266: "Anions"}, font="F2"),
        text(76, 656, "Poisoning"),
        *(row(668 - 12 * at, {176: one, 266: other}) for at, (one, other) in enumerate(zip(*items, strict=True))),
        row(629, {76: "Fasting", 176: "- Ketosis", 266: "- Butyrate"}),
    )
    assert found.rows[1] == ("Poisoning", *(" ".join(cell) for cell in items))
    assert len(found.rows) == 3


def test_a_header_in_filled_boxes_belongs_to_the_grid_below() -> None:
    xs = [72.0, 152.0, 252.0, 352.0]
    found = table(
        *(fill(left + 0.5, 680, right - 0.5, 696) for left, right in pairwise(xs)),
        grid(xs, [679, 663, 647, 631]),
        row(684, {76: "Class", 156: "Before", 256: "After"}),
        *(
            row(y, {76: name, 156: "First group", 256: "Second group"})
            for y, name in ((667, "Rank"), (651, "Base"), (635, "Code"))
        ),
    )
    assert [cells[0] for cells in found.rows] == ["Class", "Rank", "Base", "Code"]
    assert found.rows[0] == ("Class", "Before", "After")


def test_labels_and_values_side_by_side_with_others_are_tables_of_their_own() -> None:
    left = ("Order:", "2024-12"), ("Product:", "Marathon"), ("Estimate:", "EST-456"), ("Type:", "Premium")
    right = ("Cinema:", "Downtown"), ("Contact:", "Sarah Johnson"), ("Region:", "North")
    found = tables(
        *(row(660 - 12 * at, {72: label, 150: value}) for at, (label, value) in enumerate(left)),
        *(row(660 - 12 * at, {330: label, 420: value}) for at, (label, value) in enumerate(right)),
    )
    assert [one.rows for one in found] == [left, right]


def test_short_tables_under_titles_are_parted_by_them() -> None:
    found = tables(
        text(72, 690, "Booking summary", font="F2"),
        row(675, {72: "Start", 150: "Shows", 240: "Gross"}),
        row(663, {72: "12/20/24", 150: "48", 240: "$12,500.00"}),
        text(72, 648, "Totals", font="F2"),
        row(633, {72: "Month", 120: "Net amount", 210: "Tax", 300: "Share"}),
        row(621, {72: "June", 120: "$11,250.00", 210: "$980.00", 300: "85%"}),
    )
    assert [one.rows for one in found] == [
        (("Start", "Shows", "Gross"), ("12/20/24", "48", "$12,500.00")),
        (("Month", "Net amount", "Tax", "Share"), ("June", "$11,250.00", "$980.00", "85%")),
    ]


def test_rules_in_the_margin_do_not_take_its_notes_into_a_table() -> None:
    found = table(
        rule(40, 710, 500, 710), rule(40, 600, 500, 600),
        rule(140, 690, 500, 690), row(678, {140: "Effect", 300: "Before", 420: "After"}), rule(140, 672, 500, 672),
        *(row(656 - 14 * at, {140: name, 300: f"{at}1/98", 420: f"{at}7/84"})
          for at, name in enumerate(("Training", "Family", "Shifts", "Total"))),
        *(text(40, 650 - 11 * at, note, size=8) for at, note in enumerate(("Table III.", "Frequencies", "before"))),
    )  # fmt: skip
    assert found.rows[0] == ("Effect", "Before", "After")
    assert found.rows[2] == ("Family", "11/98", "17/84")


def test_figures_that_stand_as_close_as_words_are_columns_where_all_lines_part_there() -> None:
    names = ("Quartz", "Bottle river", "Ribbon", "Doctor")
    found = table(
        rule(72, 690, 300, 690), row(678, {72: "Name", 160: "Count", 190: "Share", 240: "Kind"}),
        rule(72, 672, 300, 672),
        *(row(660 - 12 * at, {72: name, 160: f"7,{at}02", 188: f"15.7{at}%", 240: f"{name[:3]} kind"})
          for at, name in enumerate(names)),
        rule(72, 618, 300, 618),
    )  # fmt: skip
    assert found.rows[2] == ("Bottle river", "7,102", "15.71%", "Bot kind")


def test_a_column_without_a_value_stays_beside_figures_that_stand_close() -> None:
    found = table(
        rule(72, 690, 420, 690), row(678, {72: "Name", 176: "Count", 300: "Remark", 380: "Kind"}),
        rule(72, 672, 420, 672),
        *(row(660 - 12 * at, {72: name, 160: f"7,{at}02", 188: f"15.7{at}%", 380: f"{name[:3]} kind"})
          for at, name in enumerate(("Quartz", "Bottle river", "Ribbon", "Doctor"))),
        rule(72, 618, 420, 618),
    )  # fmt: skip
    assert found.rows[2][0] == "Bottle river" and "7,102" in found.rows[2][1] and found.rows[2][-1] == "Bot kind"


def test_a_head_on_the_other_edge_of_its_column_belongs_to_it() -> None:
    found = table(
        row(660, {72: "Year", 160: "Freshwater ducks"}, font="F2"),
        *(row(648 - 12 * at, {112: f"20{19 + at}", 230: f"1{at}0"}) for at in range(4)),
    )
    assert list(found.rows[:2]) == [("Year", "Freshwater ducks"), ("2019", "100")]


@pytest.mark.parametrize(
    ("north", "south", "flagged"),
    [
        pytest.param({156: "-5.4%"}, {156: "7.1"}, False, id="figures"),
        pytest.param({156: "\u00fe12%"}, {156: "7.1"}, True, id="a sign of a font for mathematics, read as a letter"),
        pytest.param(
            {156: "Lower part", 260: "an upper"}, {156: "Lower part of the one there is", 308: "it"}, True,
            id="white within two cells",
        ),
    ],
)  # fmt: skip
def test_cells_that_cannot_be_right_are_flagged(
    north: dict[float, str], south: dict[float, str], flagged: bool
) -> None:
    found = table(
        grid([72, 152, 332], [696, 680, 664, 648, 632]),
        row(685, {76: "Site", 156: "Before"}, font="F2"),
        row(669, {76: "North", **north}),
        row(653, {76: "South", **south}),
        row(637, {76: "Every one of them", 156: "with what runs from one side to the other"}),
    )
    assert (found.confidence < UNCERTAIN_TABLE) == flagged


@pytest.mark.parametrize(
    ("right", "lines", "expected"),
    [
        (235, ("Rechnungsbetra", "g (CHF)"), "Rechnungsbetrag (CHF)"),
        (260, ("Rechnungsbetra", "g (CHF)"), "Rechnungsbetra g (CHF)"),  # there was room for another letter
        (235, ("Rechnungsbetra", "im (CHF)"), "Rechnungsbetra im (CHF)"),  # a word
        (235, ("Rechnungsbetra", "grund"), "Rechnungsbetra grund"),  # may be a word, and nothing says it is none
        (235, ("Rechnungsbetra", "gende"), "Rechnungsbetragende"),  # which stands elsewhere on the page
    ],
)
def test_a_word_that_its_cell_was_too_narrow_for_is_one(right: float, lines: tuple[str, str], expected: str) -> None:
    xs = [72, 150, right, 330]
    found = table(
        text(72, 704, "The column that says Rechnungsbetragende holds what is left when all is paid."),
        grid(xs, [692, 666, 650, 634]),
        row(682, {76: "Service", 154: lines[0], right + 4: "Pieces"}),
        row(670, {154: lines[1]}),
        row(654, {76: "Paie", 154: "4715.92", right + 4: "14"}),
        row(638, {76: "Achats", 154: "381.20", right + 4: "7"}),
    )
    assert found.rows[0] == ("Service", expected, "Pieces")
