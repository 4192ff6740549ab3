"""Tables of PDFs as libraries set them that programs make reports with: borders with corners of no radius, columns
without padding, cells in the middle of their row, strokes of white between filled cells, and words broken in cells."""

from __future__ import annotations

from itertools import pairwise

import pytest
from support.formats.pdf_builder import Pdf, grid, rule, text
from support.formats.pdf_prose import coded, parsed, read_pdf, row, symbol_font, table
from support.formats.plugin_reading import of

from sidecar.api import Paragraph, Table

DIGIT = 0.556  # of the size: the width of a digit in Helvetica
SENTENCE = "All amounts are in thousands."


def right(x: float, y: float, figure: str) -> str:
    """A figure of digits and points that ends at x."""
    return text(x - 10 * (DIGIT * len(figure.replace(".", "")) + 0.278 * figure.count(".")), y, figure)


def test_borders_whose_ends_are_corners_of_no_radius_are_rules() -> None:
    """As react-pdf draws the sides of its boxes: each a line between curves that go nowhere, in a clip path."""
    xs, ys = (72.0, 192.0, 312.0), (700.0, 683.0, 666.0, 649.0)

    def side(x0: float, y0: float, x1: float, y1: float) -> str:
        clip = f"{x0 - 1} {min(y0, y1) - 1} {x1 - x0 + 2} {abs(y1 - y0) + 2} re W n"
        corners = f"{x0} {y0} {x0} {y0} {x0} {y0} c {x1} {y1} l {x1} {y1} {x1} {y1} {x1} {y1} c"
        return f"q {clip} {x0} {y0} m {corners} 2 w S Q\n"

    rows = (("Site", "Depth"), ("Glenside", "56"), ("Alder", "14"))
    drawn = "".join(side(x, top, x, bottom) for x in xs for top, bottom in pairwise(ys))
    drawn += "".join(side(left, y, after, y) for y in ys for left, after in pairwise(xs))
    drawn += "".join(
        text(x + 40, y - 12, cell) for y, own in zip(ys, rows, strict=False) for x, cell in zip(xs, own, strict=False)
    )
    assert table(drawn).rows == rows


@pytest.mark.parametrize("amounts", [("5766", "2753", "221"), ("177.35", "83.29", "391.74")])
def test_figures_set_right_against_the_next_column_are_no_part_of_its_words(amounts: tuple[str, ...]) -> None:
    sites, owners = ("Cold Hill", "Old Moor", "Far Dale"), ("Alder", "Brack", "Glen")
    rows = (("Site", "00", "Owner"), *zip(sites, amounts, owners, strict=True))
    drawn = "".join(
        text(72, y, site) + right(230, y, amount) + text(230, y, owner) + rule(72, y - 4, 330, y - 4)
        for y, (site, amount, owner) in zip(range(700, 0, -16), rows, strict=False)
    )
    assert table(drawn).rows == rows


def test_a_head_that_touches_the_next_is_parted_where_their_cells_are() -> None:
    sites = ("Cold Hill", "Old Moor", "Far Dale")
    rows = (("Site", "000000", "Owner"), *((site, f"1{at}", "Brack") for at, site in enumerate(sites)))
    drawn = rule(72, 696, 330, 696) + "".join(
        text(72, y, site) + right(230 if at == 0 else 220, y, amount) + text(230, y, owner)
        for at, (y, (site, amount, owner)) in enumerate(zip(range(700, 0, -16), rows, strict=False))
    )
    assert table(drawn).rows == rows


def test_labels_of_two_lines_beside_figures_in_their_middle_are_rows_up_to_the_sentence_below() -> None:
    """As ReportLab sets paragraphs in cells in the middle of their row, under heads on a rule."""
    rows = [("Part", "Kind", "Stock"), ("Copper pipe|of 15 mm", "tube", "9560"), ("Alder", "wood", "2444")]
    rows += [("Timer relay", "part", "2175"), ("Copper pipe|of 22 mm", "a tube that|may be bent|by hand|alone", "64")]
    rows += [("Bearing", "bolt", "4407"), ("Brack 8", "block,|12-way", "124")]
    drawn, y = rule(70, 692, 330, 692), 700.0
    for own in rows:
        cells = [cell.split("|") for cell in own]
        tall = max(map(len, cells))
        for x, cell in zip((72, 160, 260), cells, strict=True):
            top = y - 6 * (tall - len(cell))
            drawn += "".join(text(x, top - 12 * at, line) for at, line in enumerate(cell))
        y -= 12 * tall + 6
    document = parsed(drawn + text(72, y - 12, SENTENCE))
    assert [found.rows for found in of(document, Table)] == [
        tuple(tuple(cell.replace("|", " ") for cell in own) for own in rows)
    ]
    assert [block.text for block in of(document, Paragraph)] == [SENTENCE]


def test_cells_of_several_lines_that_are_drawn_one_by_one_are_no_columns_of_text() -> None:
    rows = [
        ("Washer", "bolt", "12", "Cold Ashby"),
        ("Copper pipe|of 15 mm", "tube", "14", "a gland with|a long name|that wraps"),
    ]
    rows += [("Bearing", "bolt", "60", "Filter"), ("Timer", "relay", "34", "Alder"), ("Relay", "part", "44", "Brack")]
    drawn, y = "", 700.0
    for own in [("Note", "Kind", "Qty", "Amount"), *rows]:
        cells = [cell.split("|") for cell in own]
        bold = "F2" if y == 700 else "F1"
        for x, cell in zip((72, 170, 250, 320), cells, strict=True):
            drawn += "".join(text(x, y - 12 * at, line, font=bold) for at, line in enumerate(cell))
        y -= 12 * max(map(len, cells)) + 8
    assert [found.rows for found in of(parsed(drawn), Table)] == [
        (("Note", "Kind", "Qty", "Amount"), *(tuple(cell.replace("|", " ") for cell in own) for own in rows))
    ]


def test_filled_cells_that_strokes_of_white_part_are_a_table() -> None:
    """As R's tables of graphics are drawn, a column at a time."""
    xs, rows = (72.0, 182.0, 252.0, 322.0), [("Site", "State", "Share")]
    rows += [("Dunmere", "open", "816"), ("Alder", "closed", "48"), ("Moor", "open", "14")]
    drawn = "1 G 1.1 w\n"
    for at, (left, after) in enumerate(pairwise(xs)):
        for line, own in enumerate(rows):
            grey = 0.8 if line == 0 else 0.95 - 0.05 * (line % 2)
            drawn += f"{grey} g {left} {680 - 20 * line} {after - left} 20 re B 0 g\n"
            drawn += text(left + 30, 686 - 20 * line, own[at])
    assert table(drawn).rows == tuple(rows)


def test_a_minus_within_words_and_dates_is_a_hyphen() -> None:
    """R's graphics draw a minus for what was typed as a hyphen; before figures it stays."""
    lines, pdf = ["log−likelihood", "2017−07−12", "−5.5"], Pdf()
    signs = "".join(sorted({*"".join(lines)}))
    font = symbol_font(pdf, "Sans", signs, width=500)
    codes = [bytes(0x41 + signs.index(char) for char in line).hex() for line in lines]
    pdf.page("".join(coded(72, 700 - 60 * at, code, font="S") for at, code in enumerate(codes)), fonts={"S": font})
    assert [block.text for block in of(read_pdf(pdf), Paragraph)] == ["log-likelihood", "2017-07-12", "−5.5"]


def test_figures_that_a_column_is_too_narrow_for_are_whole() -> None:
    """As Prawn breaks them: all lines of the column are single, and what is left over is shorter."""
    rows = [("Site", "Not|e"), ("Dunmere", "253|4"), ("Alder", "893|1"), ("Moor", "207"), ("Hill", "316|44")]
    ys = [700.0]
    for own in rows:
        ys.append(ys[-1] - 12 * max(cell.count("|") + 1 for cell in own) - 8)
    narrow = 72.0 + 110 + 10 + 10 * DIGIT * 3
    drawn = grid([72, 182, narrow], ys)
    for y, own in zip(ys, rows, strict=False):
        for x, cell in zip((77, 187), own, strict=True):
            drawn += "".join(text(x, y - 14 - 12 * at, line) for at, line in enumerate(cell.split("|")))
    assert table(drawn).rows == tuple((site, figure.replace("|", "")) for site, figure in rows)


def test_values_below_one_another_in_a_column_as_wide_as_they_are_stay_apart() -> None:
    rows = [("Site", "000|000"), ("Dunmere", "253|400"), ("Alder", "893|198"), ("Moor", "207|305")]
    ys = [700.0 - 32 * at for at in range(len(rows) + 1)]
    drawn = grid([72, 182, 192 + 10 * DIGIT * 3], ys)
    for y, own in zip(ys, rows, strict=False):
        for x, cell in zip((77, 187), own, strict=True):
            drawn += "".join(text(x, y - 14 - 12 * at, line) for at, line in enumerate(cell.split("|")))
    assert table(drawn).rows == tuple((site, figure.replace("|", " ")) for site, figure in rows)


def test_the_last_label_of_two_lines_ends_its_table_wherever_it_is_set() -> None:
    rows = [("Kingsbury Park 1", "804.28", "6.5%"), ("LED driver 2", "798.50", "20.6%"), ("Hex 3", "37.94", "18.9%")]
    rows += [("Terminal block", "600.35", "37.1%")]
    widths = {"Kingsbury Park 1": 78.9, "LED driver 2": 60.6, "Hex 3": 28.3, "Terminal block": 64.5}
    drawn = text(126, 718, "Date") + text(180, 718, "Status") + text(270, 718, "Share")
    for at, (name, *cells) in enumerate(rows):
        y = 700 - 18 * at
        drawn += text(150 - widths[name], y, name) + right(210, y, cells[0]) + text(270, y, cells[1])
    drawn += text(110, 634, "12-way 5")  # ends where the labels do
    document = parsed(drawn + text(72, 600, SENTENCE))
    (found,) = of(document, Table)
    assert found.rows[-1] == ("Terminal block 12-way 5", "600.35", "37.1%")


def test_a_sum_under_borders_drawn_cell_by_cell_is_the_last_row_and_the_rule_at_the_foot_of_the_page_none() -> None:
    xs = (72.0, 162.0, 242.0, 322.0, 402.0)
    rows = [("Date", "Price", "Amount", "State"), ("Filter", "19", "36", "52"), ("Washer", "21", "63", "5")]
    rows += [("Alder", "40", "57", "83"), ("Total", "", "", "948")]
    drawn = ""
    for at, own in enumerate(rows):
        y = 700 - 18 * at
        drawn += "".join(rule(left + 0.5, y + 12, after + 0.5, y + 12) for left, after in pairwise(xs))
        drawn += "".join(text(x + 4, y, cell) for x, cell in zip(xs, own, strict=False) if cell)
    document = parsed(drawn + text(76, 600, SENTENCE) + rule(72, 500, 402, 500))
    assert [found.rows for found in of(document, Table)] == [tuple(rows)]
    assert [block.text for block in of(document, Paragraph)] == [SENTENCE]


@pytest.mark.parametrize("filled", [False, True], ids=["white", "filled"])
def test_dates_that_a_narrow_column_breaks_behind_a_hyphen_are_of_one_row(filled: bool) -> None:
    rows = [("LED driver", "2021-|09-24", "47", "closed"), ("Bearing", "2023-|02-26", "74", "open")]
    rows += [("Filter", "2024-|02-22", "99", "open"), ("Farrow Hill", "2025-|08-27", "20", "open")]
    xs, drawn = (72.0, 190.0, 240.0, 290.0, 350.0), row(718, {76: "Date", 194: "Owner", 244: "Item", 294: "State"})
    for at, own in enumerate(rows):
        y = 690 - 40 * at
        if filled:
            drawn += f"0.95 g 72 {y - 20} 278 36 re f 0 g\n"
        for x, cell in zip(xs, own, strict=False):
            lines = cell.split("|")
            top = y - 6 if len(lines) == 1 and filled else y  # in the middle of their row
            drawn += "".join(text(x + 4, top - 12 * line, piece) for line, piece in enumerate(lines))
    expected = (("Date", "Owner", "Item", "State"), *(tuple(cell.replace("|", "") for cell in own) for own in rows))
    assert table(drawn).rows == expected


def test_figures_of_one_width_right_before_words_under_a_head_with_another_padding_are_a_column() -> None:
    rows = [("Cold Ashby", "37.05", "Alder"), ("LED driver", "18.52", "Bearing"), ("Brack", "92.91", "Washer")]
    drawn = text(72, 700, "Site") + right(229, 700, "000") + text(229, 700, "Item") + rule(72, 696, 330, 696)
    for at, (site, figure, item) in enumerate(rows):
        y = 684 - 16 * at
        drawn += text(72, y, site) + right(230, y, figure) + text(230, y, item) + rule(72, y - 4, 330, y - 4)
    assert table(drawn).rows == (("Site", "000", "Item"), *rows)


def test_a_cell_of_several_words_set_as_near_as_a_word_behind_figures_is_of_its_column() -> None:
    """As iText and pdfkit set columns whose padding is a blank wide; borders are drawn cell by cell."""
    xs = (72.0, 162.0, 232.0, 402.0)
    rows = [("Amount", "000", "State"), ("Farrow Hill", "1243", "Farrow"), ("Kingsbury", "2336", "a gland with a name")]
    rows += [("Cold Ashby", "8721", "a pipe of copper that bends"), ("Eastgate", "8479", "Timer")]
    drawn = "".join(rule(left + 0.5, 713, after + 0.5, 713) for left, after in pairwise(xs))
    for at, (name, figure, state) in enumerate(rows):
        y = 700 - 18 * at
        drawn += "".join(rule(left + 0.5, y - 5, after + 0.5, y - 5) for left, after in pairwise(xs))
        drawn += text(74, y, name) + right(230, y, figure) + text(233.5, y, state)
    assert table(drawn).rows == tuple(rows)


def test_labels_of_three_lines_set_to_the_right_do_not_end_a_table() -> None:
    widths = {"Gland with": 46.1, "a long name": 55.0, "that wraps": 47.2}
    rows = [(f"000{at}", f"{at}84.51", f"{at}37.79") for at in range(3)]
    drawn = text(117.8, 718, "000") + row(718, {180: "Qty", 260: "Amount"})
    for at, (name, *cells) in enumerate(rows):
        drawn += right(134.5, 700 - 18 * at, name) + row(700 - 18 * at, {180: cells[0], 260: cells[1]})
    drawn += row(646, {180: "131.68", 260: "237.20"})
    drawn += "".join(text(134.5 - widths[line], 646 - 12 * at, line) for at, line in enumerate(widths))
    drawn += right(134.5, 604, "0004") + row(604, {180: "567.69", 260: "13.62"})
    label = " ".join(widths)
    assert table(drawn).rows == (
        ("000", "Qty", "Amount"), *rows, (label, "131.68", "237.20"), ("0004", "567.69", "13.62"),
    )  # fmt: skip


def test_a_row_without_its_last_cell_does_not_go_on_with_the_row_above_where_each_begins_anew() -> None:
    rows = [("Cold Ashby", "Filter", "36"), ("A pipe of copper", "Another pipe of copper", "92")]
    rows += [("Bearing", "Timer relay", "61"), ("A pipe of copper", "Another pipe of copper", "10")]
    rows += [("Dunmere", "Washer, of zinc", ""), ("Filter", "Brack", "5"), ("LED driver", "Farrow Hill", "")]
    heads = ("Owner", "Site", "Note")
    drawn = "".join(
        text(x, 700 - 18 * at, cell) for at, own in enumerate([heads, *rows])
        for x, cell in zip((72, 200, 330), own, strict=True) if cell
    )  # fmt: skip
    assert table(drawn).rows == (heads, *rows)


def test_labels_of_several_lines_around_their_figures_are_of_one_row_though_rows_stand_no_farther_apart() -> None:
    """As fpdf2 sets cells in the middle of their row, without padding."""
    rows = [
        ("Timer relay 1", "8682", "36.3"),
        ("Terminal block,|12-way 2", "7358", "50.4"),
        ("Dunmere 3", "2098", "29"),
    ]
    rows += [("A gland with a long|name that may wrap in|its cell 4", "9136", "3.0"), ("Hex bolt 5", "2680", "65.7")]
    drawn, y = row(718, {72: "Part", 200: "Depth", 270: "Share"}) + rule(70, 714, 330, 714), 704.0
    for name, *cells in rows:
        lines = name.split("|")
        drawn += "".join(text(72, y - 12 * at, line) for at, line in enumerate(lines))
        middle = y - 6 * (len(lines) - 1)
        drawn += row(middle, {200: cells[0], 270: cells[1]})
        y -= 12 * len(lines)
    expected = tuple((name.replace("|", " "), *cells) for name, *cells in rows)
    assert table(drawn).rows == (("Part", "Depth", "Share"), *expected)


def test_a_row_of_several_lines_between_rows_filled_cell_by_cell_does_not_end_their_table() -> None:
    xs = (72.0, 192.0, 262.0, 332.0)
    rows = [("Harwick 1", "63.5", "6782"), ("Brack 2", "21.7", "5491"), ("Alder 3", "66.2", "2619")]
    rows += [
        ("A gland with a long|name that may wrap|within its cell 4", "38.6", "1490"),
        ("Glenside 5", "9.5", "1210"),
    ]
    rows += [("Moor 6", "42.4", "4560"), ("Dale 7", "13.1", "45")]

    def filled(top: float, grey: float) -> str:
        return "".join(f"{grey} g {left} {top - 13} {after - left} 13 re f 0 g\n" for left, after in pairwise(xs))

    drawn, top = filled(713, 0.6) + row(703, {76: "Item", 196: "Depth", 266: "Amount"}), 700.0
    for at, (name, *cells) in enumerate(rows):
        lines = name.split("|")
        drawn += filled(top, 0.9) if at % 2 == 0 else ""
        drawn += "".join(text(76, top - 10 - 13 * line, piece) for line, piece in enumerate(lines))
        drawn += row(top - 10 - 6.5 * (len(lines) - 1), {196: cells[0], 266: cells[1]})
        top -= 13 * len(lines)
    expected = tuple((name.replace("|", " "), *cells) for name, *cells in rows)
    assert table(drawn).rows == (("Item", "Depth", "Amount"), *expected)


def test_figures_drawn_letter_by_letter_or_at_their_decimals_are_whole() -> None:
    rows = [("Cold Ashby", "300.00"), ("LED driver", "75.00"), ("Far Brack", "10.25"), ("Old Moor", "382.50")]
    widths = {".": 2.78}

    def letters(x: float, y: float, figure: str) -> str:
        drawn = ""
        for letter in figure:
            drawn += text(round(x, 2), y, letter)
            x += widths.get(letter, 10 * DIGIT)
        return drawn

    for apart in (True, False):
        drawn = ""
        for at, (site, figure) in enumerate(rows):
            y, whole = 700 - 16 * at, figure.partition(".")[0]
            drawn += text(72, y, site) + rule(72, y - 4, 330, y - 4)
            start = 230 - 10 * DIGIT * len(whole)
            drawn += letters(start, y, figure) if apart else text(start, y, whole) + text(230, y, figure[len(whole) :])
        assert table(drawn).rows == tuple(rows)


def test_rules_below_the_cells_in_a_frame_around_an_invoice_part_its_rows_and_its_sum() -> None:
    """Cells have a rule each, with white between them, and heads are filled."""
    sides = ((90.0, 320.0), (322.0, 400.0))
    rows = [("Method", "000"), ("Check", "1000"), ("Item", "000"), ("Design", "300.00"), ("Hosting|and help", "75.00")]
    drawn, y = grid([72, 418], [740, 500]) + text(90, 720, "Sparkle Ltd.") + text(330, 720, "No. 123"), 690.0
    for name, price in rows:
        lines = name.split("|")
        foot = y - 12 * len(lines) - 6
        for left, after in sides:
            drawn += f"0.93 g {left} {foot} {after - left} {y - foot} re f 0 g\n" if price == "000" else ""
            drawn += rule(left, foot, after, foot) if name != "Check" else ""
        drawn += "".join(text(94, y - 13 - 12 * line, piece) for line, piece in enumerate(lines))
        drawn += right(396, y - 13, price)
        y = foot - 2
    drawn += text(330, y - 13, "Total: 375.00")
    expected = (*((name.replace("|", " "), price) for name, price in rows), ("", "Total: 375.00"))
    assert table(drawn).rows[-6:] == expected


def test_a_head_of_two_lines_over_the_first_of_the_rules_under_cells_is_whole() -> None:
    """As FOP sets heads without a rule over them: one of several has two lines, and stands right in its column."""
    xs, widths = (72.0, 172.0, 262.0, 352.0, 432.0), {"Price per unit in": 69.6, "euros": 25.2}
    rows = [("Hex bolt", "1696", "Dunmere", "242.74"), ("Bearing", "8564", "Harwick", "139.68")]
    rows += [("Timer", "239", "Alder", "386.86")]
    drawn = text(72, 723, "The table shows what was ordered in this month.")
    drawn += row(700, {76: "Item", 266: "Site", 356: "Date"})
    drawn += "".join(text(258 - width, 700 - 12 * at, line) for at, (line, width) in enumerate(widths.items()))
    for at, own in enumerate([(), *rows]):
        y = 681 - 18 * at
        drawn += "".join(rule(left + 0.5, y, after + 0.5, y) for left, after in pairwise(xs))
        drawn += "".join(
            right(258, y + 5, cell) if x == xs[1] else text(x + 4, y + 5, cell)
            for x, cell in zip(xs, own, strict=False)
        )
    assert table(drawn).rows == (("Item", " ".join(widths), "Site", "Date"), *rows)


def test_a_head_of_one_line_right_under_text_is_no_part_of_that() -> None:
    """Columns that stand close make one piece of the head, whose words stand over all of them."""
    xs, heads = (72.0, 122.0, 143.0, 171.0, 240.0), ("Site", "Plan", "Actual", "Change")
    rows = [("Eastgate", "399", "999", "23.8"), ("Farrow", "175", "108", "26.2"), ("Glenside", "420", "214", "8.3")]
    drawn = text(72, 714, "the team found less than what was moved", size=9)
    drawn += "".join(text(x + 2, 700, head, size=9) for x, head in zip(xs, heads, strict=False))
    drawn += "".join(rule(left + 0.4, 696, after + 0.4, 696) for left, after in pairwise(xs))
    for at, own in enumerate(rows):
        y = 685 - 13 * at
        drawn += "".join(text(x + 2, y, cell, size=9) for x, cell in zip(xs, own, strict=False))
        drawn += "".join(rule(left + 0.4, y - 3, after + 0.4, y - 3) for left, after in pairwise(xs))
    assert table(drawn).rows == (heads, *rows)


def test_whole_numbers_that_touch_are_parted_where_their_heads_touch_too() -> None:
    rows = [("Cold Ashby", "7563", "49"), ("LED driver", "604", "36"), ("Far Brack", "3370", "52")]
    drawn = text(72, 700, "Site") + text(199.5, 700, "Number") + text(235, 700, "Share")  # 35.5 points wide
    for at, (site, figure, share) in enumerate(rows):
        drawn += text(72, 684 - 16 * at, site) + right(235, 684 - 16 * at, figure) + text(235, 684 - 16 * at, share)
    drawn += "".join(rule(72, 696 - 16 * at, 330, 696 - 16 * at) for at in range(4))
    assert table(drawn).rows == (("Site", "Number", "Share"), *rows)
