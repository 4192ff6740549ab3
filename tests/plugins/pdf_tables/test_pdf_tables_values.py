"""Tables whose values no white parts as it should: figures that a gap between glyphs cuts, words that browsers
hyphenate, dots that are one word with what they lead to, and heads filled over two levels."""

from __future__ import annotations

from support.formats.pdf_builder import Pdf, grid, rule, text
from support.formats.pdf_prose import coded, read_pdf, symbol_font, table, tables
from support.formats.plugin_reading import of

from sidecar.api import UNCERTAIN_TABLE, Table

NAMES = ("Harbour", "Lighting", "Library", "Museum", "Ferry", "Cemetery")
DIGIT = 5.56  # points: the width of a digit of Helvetica at 10 points


def right(x: float, y: float, figure: str) -> str:
    """A figure of digits, full stops and commas that ends at x."""
    return text(x - sum(DIGIT if char.isdigit() else DIGIT / 2 for char in figure), y, figure)


def filled(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"0.8 g {x0} {y0} {x1 - x0} {y1 - y0} re f 0 g\n"


def test_figures_that_a_gap_between_glyphs_cuts_are_whole() -> None:
    rows = [("544,343.00", "12.50"), ("9,120.75", "1,044.25"), ("23,004.10", "310.00"), ("801,555.32", "77.06")]
    content = [text(72, 700, "Office"), text(230, 700, "Amount"), text(330, 700, "Fee"), rule(72, 696, 360, 696)]
    for at, (name, (amount, fee)) in enumerate(zip(NAMES, rows, strict=False)):
        y = 684 - 14 * at
        cut = at % 2 == 0
        content += [text(72, y, name), right(350, y, fee)]
        content += [right(262, y, amount[:-1]), right(270, y, amount[-1])] if cut else [right(270, y, amount)]
    found = table(*content)
    assert found.rows[1:] == tuple((name, *row) for name, row in zip(NAMES, rows, strict=False))


def test_two_figures_in_a_cell_and_groups_of_digits_stay_apart() -> None:
    rows = [
        ("12.50 13.50", "1 544.25"),
        ("10.75 9.25", "2 044.75"),
        ("11.00 3.00", "7 310.25"),
        ("8.32 4.10", "9 120.00"),
    ]
    content = [rule(72, y, 400, y) for y in (712, 696, 636)]
    content += [text(72, 700, "Office"), text(200, 700, "Range"), text(320, 700, "Amount")]
    for at, (name, row) in enumerate(zip(NAMES, rows, strict=False)):
        y = 684 - 14 * at
        content += [text(72, y, name), text(200, y, row[0]), text(320, y, row[1])]
    assert [row[1:] for row in table(*content).rows[1:]] == rows


def test_words_that_browsers_hyphenate_in_cells_are_whole() -> None:
    pdf = Pdf()
    font = symbol_font(pdf, "Body", "‐adminstro", width=500)  # codes from 41 on: ‐ A, a B, d C, m D, i E, n F, s G, ...
    rows = [
        ("Harbour", "admin", "stration", "120"),
        ("Lighting", "mini", "strant", "75"),
        ("Library", "admin", "istrant", "310"),
    ]
    code = {sign: f"{0x41 + at:02x}" for at, sign in enumerate("‐adminstro")}

    def spelled(word: str) -> str:
        return "".join(code.get(char, "") for char in word)

    content = [rule(72, y, 300, y) for y in (712, 696, 664, 632, 600)] + [
        rule(x, 600, x, 712) for x in (72, 150, 220, 300)
    ]
    content += [text(76, 700, "Office"), text(154, 700, "Purpose"), text(224, 700, "Amount")]
    for at, (name, upper, lower, amount) in enumerate(rows):
        y = 685 - 32 * at
        content += [text(76, y, name), text(224, y, amount)]
        content += [coded(154, y, spelled(upper + "‐"), font="B1"), coded(154, y - 12, spelled(lower), font="B1")]
    pdf.page("".join(content), fonts={"B1": font})
    (found,) = of(read_pdf(pdf), Table)
    assert [row[1] for row in found.rows[1:]] == ["adminstration", "ministrant", "administrant"]


def test_dots_that_are_one_word_with_what_they_lead_to_part_names_and_amounts() -> None:
    rows = [("oil", "58,967"), ("gas", "1,204"), ("coal", "77,310"), ("wind", "9,455"), ("peat", "12,038")]
    content = [
        text(72, 700 - 13 * at, name + "." * (40 - len(name) - len(figure)) + figure, font="F3")
        for at, (name, figure) in enumerate(rows)
    ]
    assert table(*content).rows == tuple(rows)


def test_filled_heads_of_which_the_outer_ones_are_as_tall_as_both_levels_are_of_one_table() -> None:
    xs = (72, 180, 250, 320, 390)
    content = [filled(72, 680, 179, 712), filled(181, 697, 319, 712), filled(321, 680, 390, 712)]
    content += [filled(181, 680, 249, 696), filled(251, 680, 319, 696)]
    content += [
        text(76, 692, "Office", font="F2"),
        text(236, 701, "North", font="F2"),
        text(340, 692, "Total", font="F2"),
    ]
    content += [text(204, 684, "Plan", font="F2"), text(272, 684, "Actual", font="F2")]
    figures = [("27,357", "5,384", "76,185"), ("61,938", "13,824", "42,267"), ("51,814", "11,514", "17,576")]
    figures += [("96,105", "62,406", "28,876"), ("68,525", "82,536", "17,147")]
    for at, (name, row) in enumerate(zip(NAMES, figures, strict=False)):
        y = 664 - 15 * at
        content += [text(76, y, name), *(right(x - 6, y, figure) for x, figure in zip(xs[2:], row, strict=True))]
    found = table(*content)
    assert found.rows[:2] == (("Office", "North", "", "Total"), ("", "Plan", "Actual", ""))
    assert found.rows[2:] == tuple((name, *row) for name, row in zip(NAMES, figures, strict=False))
    assert found.header_rows == 2


def test_a_filled_row_beside_a_taller_area_that_is_no_head_of_it_stays_a_head_alone() -> None:
    content = [filled(72, 696, 250, 712), filled(400, 640, 500, 712), text(76, 700, "Office"), text(204, 700, "Plan")]
    rows = [(name, f"{at}7,357") for at, name in enumerate(NAMES, 1)]
    for at, (name, figure) in enumerate(rows):
        content += [text(76, 682 - 14 * at, name), right(230, 682 - 14 * at, figure)]
    assert [found.rows for found in tables(*content)] == [(("Office", "Plan"), *rows)]


def statement(*ruled: int) -> tuple[list[str], list[tuple[str, ...]]]:
    """A statement of two groups, with rules over the figures of the rows that are `ruled`, under the last and no other
    place; its lines and its rows."""
    rows = [("", "2023", "2022"), ("Income", "", "")]
    rows += [("Harbour office", "8,990", "335"), ("Museum", "2,773", "9,491"), ("Total income", "11,763", "9,826")]
    rows += [("Expenses", "", ""), ("Street lighting", "8,570", "434"), ("Fire brigade", "1,108", "4,661")]
    rows += [("Total expenses", "9,678", "5,095"), ("Result", "2,085", "4,731")]
    content: list[str] = []
    for at, (label, *figures) in enumerate(rows):
        y = 700 - 15 * at
        content += [text(72, y, label), *(right(x, y, figure) for x, figure in zip((190, 240), figures, strict=True))]
        content += [rule(150, y + 11, 195, y + 11) + rule(195, y + 11, 245, y + 11)] if at in ruled else []
    foot = 700 - 15 * len(rows) + 11
    content += [rule(150, y, 195, y) + rule(195, y, 245, y) for y in (foot, foot - 2)] if ruled else []
    return content, rows


def test_rules_over_sums_part_no_table_and_leave_no_labels_out() -> None:
    content, rows = statement(4, 8, 9)
    assert table(*content).rows == tuple(rows)


def test_titles_of_groups_are_no_second_lines_of_the_sum_above() -> None:
    content, rows = statement()
    assert table(*content).rows == tuple(rows)


def test_names_beside_a_map_of_filled_cells_are_its_first_column() -> None:
    heads, rows = ("North", "South", "East"), [(f"0.{at}1", f"0.{at}5", f"0.{at}9") for at in range(1, 6)]
    content = [text(158 + 60 * at, 704, head) for at, head in enumerate(heads)]
    for at, (name, row) in enumerate(zip(NAMES, rows, strict=False)):
        y = 700 - 16 * (at + 1)
        content += [text(72, y + 4, name)]
        for column, figure in enumerate(row):
            x = 140 + 60 * column
            content += [f"0.{9 - at} 0.8 0.6 rg {x} {y} 60 16 re f 0 g\n", text(x + 18, y + 4, figure)]
    wanted = [(name, *row) for name, row in zip(NAMES, rows, strict=False)]
    assert table(*content).rows == (("", *heads), *wanted)


def test_a_code_of_a_currency_in_a_column_without_head_belongs_to_its_amounts() -> None:
    rows = [("27,357", "5,384"), ("61,938", "13,824"), ("51,814", "11,514"), ("96,105", "62,406")]
    content = [text(72, 700, "Office", font="F2"), text(206, 700, "2023", font="F2"), text(316, 700, "2022", font="F2")]
    for at, (name, row) in enumerate(zip(NAMES, rows, strict=False)):
        y = 685 - 15 * at
        content += [text(72, y, name)]
        content += [text(x, y, "EUR") + right(x + 68, y, figure) for x, figure in zip((180, 290), row, strict=True)]
    wanted = [(name, *(f"EUR {figure}" for figure in row)) for name, row in zip(NAMES, rows, strict=False)]
    assert table(*content).rows == (("Office", "2023", "2022"), *wanted)


def test_signs_that_are_drawn_in_cells_without_text_make_a_table_uncertain() -> None:
    xs, ys = [72.0, 160.0, 230.0, 300.0], [720.0, 700.0, 680.0, 660.0, 640.0]
    content = [grid(xs, ys), *(text(x + 4, 706, head) for x, head in zip(xs, ("Office", "Open", "Shut"), strict=False))]
    for at, name in enumerate(NAMES[:4]):
        content += [text(76, 686 - 20 * at, name)] if at < 3 else []
    certain = table(*content, *(text(170 + 70 * (at % 2), 686 - 20 * at, "yes") for at in range(3)))
    drawn = [f"1 w {x} {y} m {x + 3} {y - 4} l {x + 9} {y + 5} l S\n" for x, y in ((180, 690), (250, 670), (180, 650))]
    drawn.append(text(236, 686, "later"))
    assert table(*content, *drawn).confidence < UNCERTAIN_TABLE <= certain.confidence


def test_two_figures_that_touch_make_a_table_uncertain() -> None:
    means, spread = ("16.9230769231", "125.0769230769"), ("20.4615384615", "94.4358974359")
    content = [
        text(72, 700, "Measure", font="F2"),
        text(180, 700, "First", font="F2"),
        text(260, 700, "Second", font="F2"),
    ]
    for at, name in enumerate(NAMES[:4]):
        content += [text(72, 684 - 16 * at, name), text(260, 684 - 16 * at, means[1])]
        content += [text(180, 684 - 16 * at, means[0])]
    content += [rule(72, 712, 340, 712), rule(72, 696, 340, 696)]
    certain = table(
        *content,
        text(72, 620, "Variance"),
        text(180, 620, spread[0]),
        text(270, 620, spread[1]),
        rule(72, 614, 340, 614),
    )
    touching = text(180, 620, "".join(spread))
    assert (
        table(*content, text(72, 620, "Variance"), touching, rule(72, 614, 340, 614)).confidence
        < UNCERTAIN_TABLE
        <= certain.confidence
    )
