"""Tables as InDesign and web pages draw them cell by cell: a head of filled cells with rules of its own over rows whose
rules end where columns do, filled rows among them, and names of rows left of the rule under the heads."""

from __future__ import annotations

from itertools import pairwise

import pytest
from support.formats.pdf_builder import rule, text
from support.formats.pdf_prose import row, tables

from sidecar.api import UNCERTAIN_TABLE

XS = (54, 180, 250, 330, 400)
CELLS = (
    ("Anti-HCV test", "7.4", "236", "1747"),
    ("Referral of positives", "75", "6001", "4500"),
    ("RNA test", "64.2", "6001", "3852"),
    ("Total", "", "", "2583"),
)
NAMES = ("Pathway", "Unit cost", "Persons", "Total cost")


def borders(y: float, xs: tuple[float, ...] = XS) -> str:
    """The border of a row, a piece for each of its cells."""
    return "".join(rule(left, y, right, y) for left, right in pairwise(xs))


def filled(left: float, low: float, right: float, top: float, gray: float = 0.4) -> str:
    return f"q {gray} g {left} {low} {right - left} {top - low} re f Q\n"


def cells(y: float, texts: tuple[str, ...], xs: tuple[float, ...] = XS) -> str:
    return "".join(text(x + 4, y, own) for x, own in zip(xs, texts, strict=False) if own)


def path(*boxes: tuple[float, float, float, float]) -> str:
    """Areas filled at once: InDesign draws the grounds of all cells of a head so."""
    areas = "".join(f"{left} {low} {right - left} {top - low} re " for left, low, right, top in boxes)
    return f"q 0.8 0.09 0.1 rg {areas} f Q\n"


@pytest.mark.parametrize("levels", [1, 2])
def test_a_head_of_filled_cells_with_rules_of_its_own_is_of_the_rows_under_it(levels: int) -> None:
    tall = 700 + 15 * levels
    boxes = [(left, 700, right, tall if right <= 250 else 715) for left, right in pairwise(XS)]
    head = path(*boxes, *([(250, 715, 400, 730)] if levels > 1 else [])) + "0.98 0.92 0.9 RG "
    head += "".join(rule(x, 700, x, 715 if x > 250 else tall) for x in XS[1:-1]) + (borders(700) if levels > 1 else "")
    head += "0 G " + cells(704, NAMES) + (text(254, 719, "How much") if levels > 1 else "")
    body = "".join(cells(689 - 15 * at, own) + borders(685 - 15 * at) for at, own in enumerate(CELLS))
    (found,) = tables(head, body)
    expected = [list(NAMES)] if levels == 1 else [[*NAMES[:2], "How much", ""], ["", "", *NAMES[2:]]]
    assert [list(own) for own in found.rows] == [*expected, *map(list, CELLS)]
    assert found.confidence > UNCERTAIN_TABLE


def test_sides_of_filled_cells_cross_no_table_whose_rules_end_where_columns_do() -> None:
    content = borders(716) + cells(704, NAMES) + borders(700)
    for at, own in enumerate(CELLS):
        y = 685 - 15 * at
        if at in (0, 3):
            content += "".join(filled(left, y, right, y + 15, 0.9) for left, right in pairwise(XS))
            content += "0.9 G " + "".join(rule(x, y, x, y + 15) for x in XS) + "0 G "
        content += cells(y + 4, own) + borders(y)
    (found,) = tables(content)
    assert found.rows == (NAMES, *CELLS)


def test_borders_cut_at_other_places_are_of_another_table_though_they_end_alike() -> None:
    xs = (54, 110, 290, 400)
    content = borders(716) + cells(704, NAMES) + borders(700)
    content += "".join(cells(689 - 15 * at, own) + borders(685 - 15 * at) for at, own in enumerate(CELLS))
    years = (("2026", "3585 shares at most", "30.7"), ("2027", "4100 shares at most", "28.1"))
    content += text(58, 620, "Paid") + borders(600, xs) + cells(588, ("Year", "Paid", "Share"), xs) + borders(584, xs)
    content += "".join(cells(572 - 16 * at, own, xs) + borders(568 - 16 * at, xs) for at, own in enumerate(years))
    assert [len(found.rows[0]) for found in tables(content)] == [4, 3]


@pytest.mark.parametrize("figures", [True, False])
def test_names_left_of_figures_are_a_column_where_the_rule_under_the_heads_leaves_it_out(figures: bool) -> None:
    loans = (("Delayed Draw Loan", "1", "65,000"), ("Revolving Loan", "0", "0"), ("Term Loan", "293", "374,868"))
    content = row(700, {200: "Count", 260: "Current"}) + rule(190, 696, 320, 696)
    for at, (name, count, current) in enumerate(loans):
        content += row(684 - 14 * at, {76: name if figures else f"{at + 1}", 210: count, 265: current})
    (found,) = tables(content + rule(190, 640, 320, 640))
    expected = [["", "Count", "Current"], *map(list, loans)]
    assert [list(own) for own in found.rows] == (expected if figures else [own[1:] for own in expected])


def test_a_mark_that_is_raised_by_hand_and_hardly_smaller_is_no_part_of_a_figure() -> None:
    content = borders(716, XS[:3]) + cells(704, NAMES[:2], XS[:3]) + borders(700, XS[:3])
    for at, (name, cost, _, _) in enumerate(CELLS[:3]):
        y = 685 - 15 * at
        content += cells(y + 4, (name, cost), XS[:3]) + borders(y, XS[:3])
        content += text(184 + 5.56 * (len(cost) - 0.5), y + 8.6, "a", size=8.8) if at != 1 else ""
    (found,) = tables(content)
    assert [own[1] for own in found.rows[1:]] == ["7.4^a", "75", "64.2^a"]


def test_sums_in_bold_without_a_name_are_a_row_of_their_table_and_of_no_list_beside_it() -> None:
    names = ("Notes", "Balance", "Spread", "Coupon", "Interest")
    notes = [("Class A", "256,000", "1.52%", "6.82%", "8,881"), ("Class B", "16,000", "1.72%", "7.02%", "571")]
    notes += [("Class C", "24,000", "2.50%", "7.80%", "952"), ("", "296,000", "", "", "10,404")]
    content = row(700, dict(zip((276, 346, 402, 442, 490), names, strict=True))) + rule(272, 696, 530, 696)
    for at, own in enumerate(notes):
        font, y = ("F1" if own[0] else "F2"), 684 - 14 * at
        content += "" if at % 2 or not own[0] else filled(272, y - 4, 530, y + 10, 0.9)
        content += text(276, y, own[0]) if own[0] else ""
        for x, figure in zip((384, 434, 478, 526), own[1:], strict=True):
            content += text(x - 5 * len(figure), y, figure, font=font) if figure else ""
    content += rule(272, 650, 530, 650)
    details = (
        ("Principal Balance", "386,033"),
        ("Principal Cash", "12,815"),
        ("Reserve", "727"),
        ("Totals", "399,577"),
    )
    for at, (name, figure) in enumerate(details):
        y = 681 - 14 * at if at < 3 else 636
        content += text(76, y, name) + text(230 - 5 * len(figure), y, figure)
    found = [[list(own) for own in one.rows] for one in tables(content)]
    assert [list(names), *map(list, notes)] in found


@pytest.mark.parametrize("right", [True, False])
def test_names_of_groups_stand_over_columns_of_which_all_groups_have_the_same(right: bool) -> None:
    """Whether they are set in the middle of their columns or at the right of them."""
    figures = [
        ("Hull", "603", "249", "728", "110"),
        ("Kiel", "77", "502", "31", "96"),
        ("Cork", "5", "44", "812", "67"),
    ]
    ends = (240, 300, 360, 420)
    content = row(700, {76: "Town"})
    for end, name, at in ((300, "Plan", 270), (420, "Actual", 390)):
        content += text(end - 5.6 * len(name) if right else at - 14 - 2.8 * len(name), 714, name)
    for end, name in zip(ends, ("Hours", "Costs", "Hours", "Costs"), strict=True):
        content += text(end - 5.6 * len(name), 700, name)
    for at, (town, *own) in enumerate(figures):
        content += text(76, 684 - 14 * at, town)
        content += "".join(text(end - 5.56 * len(f), 684 - 14 * at, f) for end, f in zip(ends, own, strict=True))
    (found,) = tables(content)
    heads = [["", "Plan", "", "Actual", ""], ["Town", "Hours", "Costs", "Hours", "Costs"]]
    assert [list(cells) for cells in found.rows] == [*heads, *map(list, figures)]
    assert found.header_rows == 2


@pytest.mark.parametrize("first", [("Current assets", "", "", ""), ("", "Opening balance", "", "3,121.59")])
def test_a_row_of_little_right_under_names_of_columns_is_none_of_their_lines(first: tuple[str, ...]) -> None:
    names = ("Day", "Text", "Debit", "Balance")
    rows = [("03", "Standing order", "65.19", "3,186.78"), ("07", "Direct debit", "", "3,088.10")]
    rows += [("11", "Card payment", "12.40", "3,075.70"), ("19", "Transfer", "800.00", "2,275.70")]
    content = ""
    for at, cells in enumerate([names, first, *rows]):
        content += row(700 - 14 * at, {x: cell for x, cell in zip((76, 170, 280, 350), cells, strict=True) if cell})
    (found,) = tables(content)
    assert [list(cells) for cells in found.rows] == [list(names), list(first), *map(list, rows)]


@pytest.mark.parametrize("font", ["F1", "F2"])
def test_names_in_bold_are_the_head_however_tall_their_row_is_over_the_first_rule(font: str) -> None:
    """Grids of web pages have heads of twice the height of their rows; in the type of these it is any line."""
    rows = [("Tenure", "1.368", "0.675"), ("Urban", "0.389", "0.694"), ("Age", "1.146", "0.060")]
    content = row(722, {76: "Variable", 200: "Coef.", 300: "P"}, font=font)
    for at, (name, *figures) in enumerate(rows):
        content += rule(72, 700 - 20 * at, 340, 700 - 20 * at)
        content += row(686 - 20 * at, {76: name, 200: figures[0], 300: figures[1]})
    (found,) = tables(content, rule(72, 640, 340, 640))
    assert (found.rows[0] == ("Variable", "Coef.", "P")) == (font == "F2")
    assert found.rows[-1] == rows[-1]
