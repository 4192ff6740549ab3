"""Tables of PDFs whose cells are filled one by one: in every other row, in heads of two levels, and in a foot."""

from __future__ import annotations

from itertools import pairwise

from support.formats.pdf_builder import Pdf, grid, rule, text
from support.formats.pdf_prose import read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Merge, Paragraph, Table

HEADS = ("Article", "Qty", "Price")


def read(content: str) -> list[Table]:
    """The tables of a page of these operators."""
    pdf = Pdf()
    pdf.page(content)
    return of(read_pdf(pdf), Table)


def painted(top: float, height: float, sides: tuple[float, ...], grey: float = 0.9) -> str:
    """A row that is filled cell by cell."""
    return "".join(f"{grey} g {a} {top - height} {b - a} {height} re f 0 g\n" for a, b in pairwise(sides))


def test_rows_between_those_filled_cell_by_cell_are_of_the_table_under_its_filled_head() -> None:
    """As jsPDF sets tables; the last row is not filled, and one is of two lines."""
    sides, xs = (72.0, 180.0, 260.0, 330.0), (76.0, 184.0, 264.0)
    rows = [(f"Ball bearing {at}", str(7 * at), f"{at}.40") for at in range(1, 7)]
    drawn = painted(700, 20, sides, 0.6) + "".join(text(x, 686, name) for x, name in zip(xs, HEADS, strict=True))
    top = 680.0
    for at, (name, *cells) in enumerate(rows):
        height = 32 if at == 3 else 20
        drawn += painted(top, height, sides) if at % 2 == 0 else ""
        drawn += text(xs[0], top - 14, name) + (text(xs[0], top - 26, "of steel") if at == 3 else "")
        drawn += "".join(text(x, top - 14, cell) for x, cell in zip(xs[1:], cells, strict=True))
        top -= height
    rows[3] = ("Ball bearing 4 of steel", "28", "4.40")
    found = read(drawn + text(72, top - 30, "All amounts are in thousands."))
    assert [table.rows for table in found] == [(HEADS, *rows)]


def test_filled_cells_of_two_levels_and_of_two_rows_merge_what_they_cover() -> None:
    sides, high = (72.0, 150.0, 210.0, 270.0, 330.0, 390.0), painted(700, 40, (72, 150), 0.6)
    drawn = high + painted(700, 20, (150, 270, 390), 0.6) + painted(680, 20, sides[1:], 0.6)
    drawn += text(76, 686, "Region") + text(196, 686, "2025") + text(316, 686, "2026")
    drawn += "".join(text(x + 4, 666, half) for x, half in zip(sides[1:], ("H1", "H2", "H1", "H2"), strict=False))
    body = [("North", "1", "2", "3", "4"), ("South", "5", "6", "7", "8"), ("West", "9", "10", "11", "12")]
    body += [("", "13", "14", "15", "16"), ("Total", "28", "32", "36", "40")]
    for at, cells in enumerate(body):
        top = 660 - 20 * at
        drawn += painted(top, 20, sides) if at == 0 else ""
        drawn += painted(top, 40, sides[:2]) + painted(top, 20, sides[1:]) if at == 2 else ""
        drawn += painted(top, 20, sides) if at == 4 else ""
        drawn += "".join(text(x + 4, top - 14, cell) for x, cell in zip(sides, cells, strict=False) if cell)
    (table,) = read(drawn)
    heads = (("Region", "2025", "", "2026", ""), ("", "H1", "H2", "H1", "H2"))
    assert table.rows == (*heads, *body)
    assert {Merge(0, 0, 2, 1), Merge(0, 1, 1, 2), Merge(0, 3, 1, 2), Merge(4, 0, 2, 1)} <= set(table.merges)


def test_a_filled_foot_is_the_last_row_of_the_grid_over_it_and_filled_heads_close_together_stay_apart() -> None:
    sides = (72.0, 150.0, 200.0, 240.0)
    xs = (76.0, 156.0, 204.0)
    rows = [("Alder", "7", "1.40"), ("Brack", "", "2.80"), ("Dunmere", "9", "4.20")]
    drawn = painted(700, 20, sides, 0.6) + painted(620, 20, sides, 0.6) + grid([*sides], [680, 660, 640, 620])
    heads = ("Site", "Amounts", "Price")  # a space apart from one another
    for at, cells in enumerate([heads, *rows, ("Total", "", "8.40")]):
        drawn += "".join(text(x, 686 - 20 * at, cell) for x, cell in zip(xs, cells, strict=True) if cell)
    assert [table.rows for table in read(drawn)] == [(heads, *rows, ("Total", "", "8.40"))]


def test_rows_of_one_cell_between_filled_ones_and_heads_of_two_lines_over_them_are_of_the_table() -> None:
    sides, counts = (72.0, 200.0, 270.0), ("7", "", "14", "21", "", "", "35", "42", "49")
    drawn = painted(700, 20, sides, 0.6) + text(76, 686, "Article") + text(204, 686, "Qty")
    rows = [(f"Ball bearing {at}", count) for at, count in enumerate(counts, 1)]
    for at, (name, count) in enumerate(rows):
        top = 680 - 20 * at
        drawn += painted(top, 20, sides) if at % 2 == 0 else ""
        drawn += text(76, top - 14, name) + (text(204, top - 14, count) if count else "")
    assert [table.rows for table in read(drawn)] == [(("Article", "Qty"), *rows)]


def bordered(top: float, heights: list[float]) -> str:
    """Rows with a rule over each, cell by cell, and none under the last."""
    tops = [top - sum(heights[:at]) for at in range(len(heights))]
    return "".join(rule(a, y, b, y) for y in tops for a, b in pairwise((72, 200, 270, 340)))


def test_a_row_without_a_border_below_is_as_tall_as_its_text() -> None:
    """The row above is taller, and running text follows nearer than that; another one has a further line."""
    xs, heights = (76.0, 204.0, 274.0), [20.0, 20.0, 44.0, 20.0]
    rows = [("Hex bolt", "7", "1.40"), ("Ball bearing of steel and brass", "14", "2.80"), ("Brack", "9", "4.20")]
    drawn = bordered(700, heights)
    for y, cells in zip((686, 666, 646, 602), (HEADS, rows[0], ("Ball bearing", *rows[1][1:]), rows[2]), strict=True):
        drawn += "".join(text(x, y, cell) for x, cell in zip(xs, cells, strict=True))
    drawn += text(76, 634, "of steel") + text(76, 622, "and brass")
    found = read(drawn + text(72, 582, "In euros."))
    assert [table.rows for table in found] == [(HEADS, *rows)]
    found = read(drawn + text(76, 590, "Point") + text(72, 560, "In euros."))
    assert [table.rows for table in found] == [(HEADS, *rows[:2], ("Brack Point", "9", "4.20"))]


def test_text_farther_below_a_row_than_the_next_would_be_is_no_line_of_it() -> None:
    xs = (72.0, 330.0, 400.0)
    rows = [(f"Ball bearing {at}", str(7 * at), f"{at}.40") for at in range(1, 6)]
    drawn = rule(72, 694, 440, 694)
    for at, cells in enumerate([HEADS, *rows]):
        drawn += "".join(text(x, 698 - 16 * at, c, font="F1" if at else "F2") for x, c in zip(xs, cells, strict=True))
    (table,) = read(drawn + text(72, 698 - 16 * 5 - 21, "All amounts are in thousands of euros."))
    assert table.rows == (HEADS, *rows)


def test_texts_that_a_sheet_cuts_at_the_next_cell_are_no_word_with_what_it_holds() -> None:
    """Sheets are printed so where columns are narrow: what is left of a text touches the next cell, or reaches over its
    side by part of a letter. Pieces of words that a listing draws in colours touch at one place too, and stay whole."""
    names = ("Terminal bl", "Bearing of s", "Copper pipe", "Inverloch s", "Washer zinc", "Cable gland")
    ends = (4.0, 0.0, 2.5, -1.0, 6.0, 0.5)  # points by which the text ends before its cell does
    rows = [(name, str(255 + 13 * at), f"{at}.40") for at, name in enumerate(names)]
    drawn = grid([72, 130, 180, 230], [700 - 16 * at for at in range(7)])
    for at, (name, count, price) in enumerate(rows):
        y = 688 - 16 * at
        drawn += text(130 - ends[at] - width(name), y, name) + text(130, y, count) + text(184, y, price)
    for at in range(5):
        y = 560 - 12 * at
        drawn += text(72, y, "The field ") + text(72 + width("The field "), y, "own.")
        drawn += text(
            72 + width("The field own."), y, f"part{at} is set here and there, and was read by those who live there."
        )
    pdf = Pdf()
    pdf.page(drawn)
    document = read_pdf(pdf)
    assert [table.rows for table in of(document, Table)] == [tuple(rows)]
    said = " ".join(block.text for block in of(document, Paragraph))
    assert all(f"own.part{at}" in said for at in range(5))


def width(string: str) -> float:
    """Of a text in Helvetica at 10 points."""
    thousandths = {" ": 278, ".": 278, "f": 278, "i": 222, "l": 222, "t": 278, "r": 333, "s": 500, "c": 500, "k": 500}
    thousandths |= {"v": 500, "z": 500, "m": 833, "w": 722, "T": 611, "B": 667, "C": 722, "I": 278, "W": 944}
    return sum(thousandths.get(char, 556) for char in string) / 100


def test_names_of_groups_of_filled_rows_are_their_first_column_wherever_they_stand_beside_them() -> None:
    """Cells with white between them, those of the first column as tall as the rows they name."""
    rows = [("Q1", "586"), ("Q2", "4,093"), ("Q3", "3,956"), ("Q1", "8,724"), ("Q2", "7,284")]
    told = [("Bergen", *rows[0]), *(("", *row) for row in rows[1:3]), ("Lisbon", *rows[3]), ("", *rows[4])]
    for middle in (True, False):
        drawn = painted(720, 20, (72, 150), 0.6) + painted(720, 20, (151, 220), 0.6) + painted(720, 20, (221, 300), 0.6)
        drawn += text(76, 706, "Region") + text(155, 706, "Quarter") + text(225, 706, "Units")
        for name, first, count in (("Bergen", 0, 3), ("Lisbon", 3, 2)):
            top, foot = 699 - 21 * first, 699 - 21 * (first + count) + 1
            drawn += f"0.9 g 72 {foot} 78 {top - foot} re f 0 g\n"
            drawn += text(76, (top + foot) / 2 - 4 if middle else top - 14, name)
        for at, (quarter, units) in enumerate(rows):
            top = 699 - 21 * at
            drawn += painted(top, 20, (151, 220)) + painted(top, 20, (221, 300))
            drawn += text(155, top - 14, quarter) + text(225, top - 14, units)
        (table,) = read(drawn)
        assert table.rows == (("Region", "Quarter", "Units"), *told)


def test_names_of_groups_left_of_rows_of_which_every_other_is_filled_are_not_lost() -> None:
    rows = [("Q1", "586"), ("Q2", "4,093"), ("Q3", "3,956"), ("Q1", "8,724"), ("Q2", "7,284"), ("Q3", "338")]
    drawn = (
        text(76, 706, "Region", font="F2") + text(155, 706, "Quarter", font="F2") + text(225, 706, "Units", font="F2")
    )
    for at, (quarter, units) in enumerate(rows):
        top = 700 - 18 * at
        drawn += painted(top, 18, (151, 300)) if at % 2 == 0 else ""
        drawn += text(155, top - 13, quarter) + text(225, top - 13, units)
    drawn += text(76, 668, "Bergen") + text(76, 614, "Lisbon")
    (table,) = read(drawn)
    assert table.rows[0] == ("Region", "Quarter", "Units")
    assert [row[0] for row in table.rows if row[0]] == ["Region", "Bergen", "Lisbon"]
    assert [row[1:] for row in table.rows[1:]] == rows


def test_names_of_groups_over_the_first_rule_are_a_row_that_merges_what_they_stand_over() -> None:
    """As browsers print a table whose head of two rows has a rule below each, in pieces as wide as its cells."""
    sides = (72.0, 150.0, 230.0, 310.0, 390.0, 470.0)
    heads = ("Code", "Hours", "Cost", "Hours", "Cost")
    rows = [(f"P{at}", str(7 * at), f"{at}15.40", str(3 * at), f"{at}46.10") for at in range(1, 6)]
    drawn = text(220, 714, "Plan") + text(376, 714, "Actual")
    for at, cells in enumerate((heads, *rows)):
        y = 692 - 22 * at
        drawn += "".join(rule(a, y + 14, b - 0.3, y + 14) for a, b in pairwise(sides))
        drawn += "".join(text(x + 50, y, cell) for x, cell in zip(sides, cells, strict=False))
    drawn += "".join(rule(a, 574, b - 0.3, 574) for a, b in pairwise(sides))
    (table,) = read(drawn)
    assert table.rows == (("", "Plan", "", "Actual", ""), heads, *rows)
    assert {Merge(0, 1, 1, 2), Merge(0, 3, 1, 2)} <= set(table.merges)
    (other,) = read(drawn.replace("(Plan)", "(Set)").replace("376 714 Tm (Actual)", "330 714 Tm (in bold)"))
    assert other.rows == (heads, *rows)  # not over the middle of two columns each
