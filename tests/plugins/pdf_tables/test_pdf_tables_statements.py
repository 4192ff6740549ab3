"""Tables as offices and banks print them: dots that lead from a label to its amounts are not text and part no cell,
cells in the middle of a row of several lines are its own, and cells as tall as several rows stand beside them all."""

from __future__ import annotations

from itertools import pairwise

from support.formats.pdf_builder import grid, rule, text
from support.formats.pdf_prose import parsed, row, table, tables
from support.formats.plugin_reading import of

from sidecar.api import Paragraph, Table

DIGIT, SIGN = 5.56, 2.78  # points: a digit, and a comma or a full stop, of Helvetica at 10


def ended(x: float, y: float, figure: str) -> str:
    """A figure that ends at a place."""
    return text(x - sum(SIGN if char in ",." else DIGIT for char in figure), y, figure)


def dotted(y: float, start: float, end: float, pitch: float) -> str:
    """Dots one by one from a label on."""
    count = int((end - start) / pitch)
    return "".join(text(end - pitch * at, y, ".") for at in reversed(range(count)))


def test_dots_that_lead_to_amounts_are_no_text_of_a_statement() -> None:
    rows = (("Mooring permits", "12,300", "9,100"), ("Tolls", "4,750", "933"), ("Rent of the pier", "980", "1,020"))
    ends = (152, 100, 148)
    for pitch in (5.0, 12.0):
        content = [text(390, 716, "2025"), text(470, 716, "2024")]
        for at, ((label, one, other), end) in enumerate(zip(rows, ends, strict=True)):
            y = 700 - 14 * at
            content += [text(72, y, label), dotted(y, end, 330, pitch), ended(412, y, one), ended(492, y, other)]
        assert table(*content).rows[1:] == rows


def test_a_label_of_two_lines_has_the_amounts_at_the_end_of_its_dots() -> None:
    content = [text(390, 716, "2025"), rule(380, 712, 414, 712), text(470, 716, "2024"), rule(460, 712, 494, 712)]
    content += [text(72, 698, "Tolls"), dotted(698, 104, 330, 5), ended(412, 698, "4,750"), ended(492, 698, "933")]
    content += [text(72, 684, "Grants of the regional council for the repair of wells and"), text(80, 672, "piers")]
    content += [dotted(672, 112, 330, 5), ended(412, 672, "19,344"), ended(492, 672, "8,100")]
    content += [text(72, 658, "Rent"), dotted(658, 104, 330, 5), ended(412, 658, "980"), ended(492, 658, "1,020")]
    assert table(*content).rows[1:] == (
        ("Tolls", "4,750", "933"),
        ("Grants of the regional council for the repair of wells and piers", "19,344", "8,100"),
        ("Rent", "980", "1,020"),
    )


def test_dots_that_lead_to_pages_make_no_table() -> None:
    titles = ("Introduction", "The harbour and its masters", "Dues", "Orchards", "Of wells")
    content: list[str] = []
    for at, title in enumerate(titles):
        y = 700 - 14 * at
        content += [text(72, y, title), dotted(y, 220, 470, 5), text(480, y, str(3 + 7 * at))]
    document = parsed("".join(content))
    assert not tables("".join(content))
    assert "Introduction" in of(document, Paragraph)[0].text


def test_cells_in_the_middle_of_a_row_of_several_lines_are_of_that_row() -> None:
    xs = (72, 130, 300, 380)
    heads = ("Date", "Description", "Debit", "Balance")
    rows = [("01.03.", ("Opening balance",), "", "67.29"), ("03.03.", ("Direct debit", "Ref 604"), "-6.54", "61.28")]
    rows += [("05.03.", ("Card payment", "Harbour", "Ref 813"), "-8.85", "52.77")]
    rows += [("07.03.", ("Fee",), "-1.09", "51.33")]
    rows += [("11.03.", ("Transfer to", "Rope Works"), "-2.24", "43.19"), ("13.03.", ("Interest",), "7.01", "50.14")]
    content, y = [row(722, dict(zip(xs, heads, strict=True)), "F2")], 693.0
    for day, lines, debit, balance in rows:
        middle = y - 11 * (len(lines) - 1) / 2
        cells = {72: day, 300: debit, 380: balance}
        content.append(row(middle, {x: cell for x, cell in cells.items() if cell}))
        content += [text(130, y - 11 * at, line) for at, line in enumerate(lines)]
        y -= 11 * len(lines) + 18
    told = [(day, " ".join(lines), debit, balance) for day, lines, debit, balance in rows]
    assert table(*content).rows == (heads, *told)


def test_cells_as_tall_as_several_rows_stand_beside_all_of_them_where_borders_are_drawn_cell_by_cell() -> None:
    sides, heads = (70.0, 150.0, 280.0, 380.0), ("Applicant", "Kind", "Mooring")
    groups = (("Resident", ("Fisher", "Farmer", "Keeper")), ("Visitor", ("By boat", "On foot")), ("Firm", ("Any",)))
    content = [row(704, dict(zip((73, 153, 283), heads, strict=True)), "F2")]
    content += [rule(x0, 715, x1, 715) + rule(x0, 699, x1, 699) for x0, x1 in pairwise(sides)]
    y, told = 699.0, []
    for group, kinds in groups:
        content.append(text(73, y - 8 * len(kinds) - 3, group))
        for at, kind in enumerate(kinds):
            content.append(row(y - 11, {153: kind, 283: "Yes" if at else "if paid"}))
            told.append(("" if at else group, kind, "Yes" if at else "if paid"))
            y -= 16
            ends = sides if at == len(kinds) - 1 else sides[1:]
            content += [rule(x0, y, x1, y) for x0, x1 in pairwise(ends)]
    assert table(*content).rows == (heads, *told)


def test_labels_in_the_middle_of_several_rows_without_borders_stand_before_the_first_of_them() -> None:
    xs, heads = (72, 150, 280), ("Applicant", "Kind", "Mooring")
    groups = (("Resident", ("Fisher", "Farmer", "Keeper")), ("Visitor", ("By boat", "On foot")))
    groups = (*groups, ("Firm", ("Registered", "Foreign", "Dissolved")))
    content, y = [row(720, dict(zip(xs, heads, strict=True)), "F2")], 704.0
    told: list[tuple[str, ...]] = []
    for group, kinds in groups:
        content.append(text(72, y - 7 * (len(kinds) - 1), group))
        for at, kind in enumerate(kinds):
            cells = (kind, "Yes" if at else "No")
            content.append(row(y - 14 * at, dict(zip(xs[1:], cells, strict=True))))
            told.append(("" if at else group, *cells))
        y -= 14 * len(kinds)
    found = table(*content)
    assert found.rows == (heads, *told)
    assert [(merge.row, merge.rows) for merge in found.merges] == [(1, 3), (4, 2), (6, 3)]


def test_amounts_at_the_foot_of_a_text_of_two_lines_are_of_its_row() -> None:
    lines = ["Enter the amount of line 11", "Enter the smaller of line 1 or 50,000", "Multiply line 3 by 6.2%"]
    lines += ["Subtract line 4 from line 3", "Add lines 1 and 2"]
    content, y = list[str](), 700.0
    for at, line in enumerate(lines, 1):
        content += [text(72, y, f"{at}."), text(92, y, line), text(370, y, f"{at}."), ended(440, y, f"{at}7,220")]
        y -= 14
    told = [(f"{at}.", line, f"{at}.", f"{at}7,220") for at, line in enumerate(lines, 1)]
    for number in ("6.", "7."):
        content += [text(72, y, number), text(92, y, "Enter the number of permits that were in force on the last day")]
        content += [text(92, y - 12, "of the year"), text(370, y - 12, number), ended(440, y - 12, "7,112")]
        told.append(
            (number, "Enter the number of permits that were in force on the last day of the year", number, "7,112")
        )
        y -= 26
    assert table(*content).rows == tuple(told)


def test_heads_over_the_pieces_of_the_first_rule_are_those_of_groups_of_columns_side_by_side() -> None:
    content: list[str] = []
    for left in (72, 320):
        content += [text(left + 10, 716, "If line 15 is", font="F2"), text(left + 120, 716, "And you are", font="F2")]
        content += [rule(left, 712, left + 90, 712), rule(left + 94, 712, left + 210, 712)]
        names = {
            5.0: ("At", "least"),
            50.0: ("Less", "than"),
            98.0: ("", "Single"),
            140.0: ("", "Married"),
            184.0: ("", "Joint"),
        }
        for x, (upper, lower) in names.items():
            content += [text(left + x, 701, upper, font="F2")] if upper else []
            content.append(text(left + x, 691, lower, font="F2"))
        content.append(rule(left, 687, left + 210, 687))
        for at in range(8):
            y, low = 675 - 12 * at, 1000 + left + 50 * at
            figures = zip((40, 85, 125, 168, 208), (low, low + 50, low // 10, low // 11, low // 12), strict=True)
            content += [ended(left + x, y, str(one)) for x, one in figures]
    found = tables(*content)
    assert [one.rows[:2] for one in found] == 2 * [
        (("If line 15 is", "", "And you are", "", ""), ("At least", "Less than", "Single", "Married", "Joint"))
    ]
    assert [len(one.rows) for one in found] == [10, 10]


def test_amounts_with_the_code_of_their_currency_are_figures_under_the_names_of_their_columns() -> None:
    rows = (("Article", "Price", "Sum"), ("Rope", "USD 3.20", "130.20 EUR"), ("Lamp oil", "USD 1.10", "1.234,50 GBP"))
    rows = (*rows, ("Buoy", "n/a", "(12) CHF"), ("Anchor", "USD 9.00", "12 %"))
    content = [row(700 - 14 * at, dict(zip((72, 180, 280), cells, strict=True))) for at, cells in enumerate(rows)]
    found = table(*content)
    assert (found.rows, found.header_rows) == (rows, 1)


def test_a_head_of_two_lines_around_the_others_is_one_head() -> None:
    xs = (72, 200, 290, 400)
    content = [text(290, 726.5, "Rate for", font="F2"), text(290, 713.5, "residents", font="F2")]
    content.append(row(720, {72: "Item", 200: "Unit", 400: "Rate for others"}, "F2"))
    rows = [("Mooring permits", "per day", "29.30", "48.50"), ("Lamp oil", "per tonne", "9.80", "31.00")]
    rows += [("Sale of rope", "each", "47.40", "79.50"), ("Wages of keepers", "per day", "32.80", "12.00")]
    content += [row(696 - 14 * at, dict(zip(xs, cells, strict=True))) for at, cells in enumerate(rows)]
    assert table(*content).rows == (("Item", "Unit", "Rate for residents", "Rate for others"), *rows)


def test_a_title_between_two_heights_of_a_first_line_is_none_of_a_table() -> None:
    content = [text(290, 726.5, "PART TWO", font="F2", size=12), row(720, {72: "Item", 200: "Unit", 400: "Rate"})]
    content += [row(706 - 14 * at, {72: "Lamp oil for", 200: "per day", 400: f"{at}.80"}) for at in range(4)]
    document = parsed("".join(content))
    assert not document.notices
    assert [cells[0] for cells in of(document, Table)[0].rows] == ["Item", *["Lamp oil for"] * 4]


def test_times_as_far_apart_as_one_another_over_empty_cells_are_cells() -> None:
    xs, heads = (72, 200, 252, 304, 356, 408), ("Station", "497", "978", "202", "186", "808")
    trips = [
        ("Kingsbury Park", "07:17", "08:54", "07:31", "10:08", "10:45"),
        ("Ropewalk", "07:28", "", "", "10:19", ""),
    ]
    trips += [("Harbour", "07:39", "09:16", "07:53", "10:30", "11:07"), ("Old Quay", "", "09:27", "08:04", "", "11:18")]
    trips += [("Orchard Lane", "08:01", "09:38", "08:15", "10:52", "11:29")]
    lines = [heads, *trips]
    content = [
        row(700 - 11 * at, {x: cell for x, cell in zip(xs, cells, strict=True) if cell})
        for at, cells in enumerate(lines)
    ]
    assert table(*content).rows == tuple(lines)


def test_a_letter_under_which_the_next_is_set_in_several_rows_begins_no_column() -> None:
    names = ("Tenure", "Tenure", "Tenure", "Age of the house", "Tenure", "Size of it")
    content = [row(700, {72: "Name of it", 240: "Std. err.", 320: "P"}, "F2")]
    told = [("Name of it", "Std. err.", "P")]
    for at, name in enumerate(names):
        y, figures = 684 - 16 * at, (f"{at}.368", f"0.{at}75")
        content.append(
            f"BT /F1 10 Tf 1 0 0 1 72 {y} Tm ({name[0]}) Tj {5 if name == 'Tenure' else 7} 0 Td ({name[1:]}) Tj ET\n"
        )
        content += [text(240, y, figures[0]), text(320, y, figures[1])]
        told.append((name, *figures))
    assert table(*content).rows == tuple(told)


def test_grounds_of_words_on_the_ground_of_their_cell_are_no_borders() -> None:
    xs, ys = [72.0, 150.0, 260.0, 330.0], [700.0, 682.0, 664.0, 646.0, 628.0]
    content = [f"0.87 g {x0} 682 {x1 - x0} 18 re f\n" for x0, x1 in pairwise(xs)]
    for x, word, width in (
        (190, "Std.", 20.0),
        (210, " ", 2.0),
        (212, "err.", 18.0),
        (78, "Name", 30.0),
        (280, "P", 8.0),
    ):
        content += [f"0.87 g {x} 685 {width} 11 re f\n", "0 g ", text(x, 687, word, font="F2")]
    rows = (("Tenure", "(0.418)", "0.47"), ("Urban", "(0.018)", "0.25"), ("Age", "(0.205)", "0.32"))
    for y, cells in zip(ys[1:], rows, strict=False):
        content.append(row(y - 13, dict(zip((78, 214, 280), cells, strict=True))))
    assert table(*content, grid(xs, ys)).rows == (("Name", "Std. err.", "P"), *rows)


def test_a_balance_in_bold_between_two_rules_is_a_row_beside_the_first() -> None:
    sides, heads = (70.0, 130.0, 300.0, 370.0, 440.0), ("Booked", "Description", "Debit", "Balance")
    days = [("01.03.", "Card payment", "204.92", "311.20"), ("03.03.", "Transfer", "280.32", "91.52")]
    days += [("05.03.", "Rope Works", "53.21", "38.31"), ("07.03.", "Fee", "2.55", "35.76")]
    edges = [715.0, 700.0, 672.0, 658.0, 644.0, 616.0]
    content = [rule(x, 715, x, 616) for x in sides] + [rule(70, y, 440, y) for y in edges]
    content += [row(704, dict(zip((73, 133, 303, 373), heads, strict=True)), "F2")]
    content += [row(689, {133: "Opening balance", 373: "516.12"}, "F2"), row(621, {133: "Closing balance"}, "F2")]
    content.append(text(373, 621, "35.76", font="F2"))
    for y, cells in zip((676, 662, 648, 634), days, strict=True):
        content.append(row(y, dict(zip((73, 133, 303, 373), cells, strict=True))))
    told = (heads, ("", "Opening balance", "", "516.12"), *days, ("", "Closing balance", "", "35.76"))
    assert table(*content).rows == told


def test_the_title_of_a_group_under_names_in_bold_is_a_row_and_ranges_are_one_value() -> None:
    xs, heads = (72, 190, 240, 300), ("Test", "Result", "Unit", "Reference")
    blood = [("Glucose", "55.3", "mg/dL", "70 - 99"), ("Ferritin", "19.9", "mU/L", "0.4 - 4.0")]
    blood += [("Vitamin B12", "25.7", "pg/mL", "197 - 771"), ("Zinc", "4.1", "mg/L", "2 - 9")]
    blood.append(("Copper", "8.2", "mg/L", "3.5 - 9.1"))
    salts = [("Sodium", "88.8", "mmol/L", "135 - 145"), ("Creatinine", "38.8", "mg/L", "15 - 90")]
    lines = [heads, ("Haematology",), *blood, ("Chemistry",), *salts]
    content = [
        row(700 - 22 * at, dict(zip(xs, cells, strict=False)), "F2" if len(cells) == 1 or not at else "F1")
        for at, cells in enumerate(lines)
    ]
    document = parsed("".join(content))
    assert not document.notices
    assert of(document, Table)[0].rows == tuple((*cells, *[""] * (4 - len(cells))) for cells in lines)


def test_names_in_bold_set_in_from_their_columns_over_filled_rows_are_their_head() -> None:
    xs, sides, heads = (72, 200, 330, 440), (66, 194, 324, 434, 500), ("Name", "Position", "95% CI", "Room")
    rows = [(f"Keeper {name}", "Clerk", f"[0.{at}, 1.{at}]", f"B {at}") for at, name in enumerate("ABCDEF")]
    content = [row(704, {x + 5: head for x, head in zip(xs, heads, strict=True)}, "F2")]
    content += [rule(x0, 696, x1, 696) for x0, x1 in pairwise(sides)]
    for at, cells in enumerate(rows):
        y = 672 - 24 * at
        content += [f"0.9 g {x0} {y} {x1 - x0} 24 re f 0 g\n" for x0, x1 in pairwise(sides)] if at % 2 == 0 else []
        content += [rule(x0, y, x1, y) for x0, x1 in pairwise(sides)]
        content.append(row(y + 8, dict(zip(xs, cells, strict=True))))
    assert table(*content).rows == (heads, *rows)


def test_decimals_drawn_apart_at_one_place_of_two_rows_are_of_their_figures() -> None:
    rows = [("Paid by the owner", "174,97", "448,00"), ("Paid for it", "555,07", "503,06")]
    content = [row(700, {72: "Booked", 240: "Credit", 320: "Balance"}, "F2")]
    for at, (day, one, other) in enumerate(rows * 3):
        y = 684 - 16 * at
        content += [text(72, y, day), text(320, y, other)]
        content.append(f"BT /F1 10 Tf 1 0 0 1 240 {y} Tm ({one[:3]}) Tj 16.2 0 Td ({one[3:]}) Tj ET\n")
    assert table(*content).rows == (("Booked", "Credit", "Balance"), *rows * 3)
