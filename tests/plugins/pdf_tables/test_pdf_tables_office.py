"""Tables of PDFs as office programs print them: filled rows for borders, heads over the first rule, items of lists and
broken words in cells, rows told by their leading, and sheets whose columns hardly stand apart."""

from __future__ import annotations

from support.formats.pdf_builder import Pdf, rule, text
from support.formats.pdf_prose import read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Table

OFFICE = "/Producer (LibreOffice 7.4)"
DIGIT = 0.556  # of the size: the width of a digit in Helvetica


def table(*content: str, info: str = "") -> Table:
    """The one table of a page of these operators."""
    pdf = Pdf(info=info)
    pdf.page("".join(content))
    (found,) = of(read_pdf(pdf), Table)
    return found


def row(y: float, *cells: str, xs: tuple[float, ...] = (76, 196, 316), font: str = "F1") -> str:
    """Cells of one line, from left to right."""
    return "".join(text(x, y, cell, font=font) for x, cell in zip(xs, cells, strict=True) if cell)


def filled(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"0.85 g {x0} {y0} {x1 - x0} {y1 - y0} re f 0 g\n"


def test_edges_of_filled_rows_are_borders_of_rows_with_several_lines() -> None:
    tops = (684, 636, 588, 540)
    cells = [("Pump", "taken apart and", "3"), ("Valve", "sent back to the", "1"), ("Seal", "ordered by", "9")]
    cells = [*cells, ("Hose", "kept as it is", "2")]
    further = [("", "cleaned", "12"), ("", "supplier", "14"), ("", "telephone", "15"), ("", "for now", "16")]
    content = [filled(72, y - 44, 432, y + 2) for y in tops[::2]]
    content += [rule(72, 702, 432, 702), rule(72, 686, 432, 686), rule(72, 494, 432, 494)]
    content += [row(690, "Part", "What was done", "Hours")]
    for y, cell, more in zip(tops, cells, further, strict=True):
        content += [row(y - 10, *cell), row(y - 22, *more)]
    joined = [
        tuple(f"{a} {b}".strip() for a, b in zip(*both, strict=True)) for both in zip(cells, further, strict=True)
    ]
    assert table(*content).rows == (("Part", "What was done", "Hours"), *joined)


def test_a_line_over_the_first_rule_that_names_the_columns_is_the_head() -> None:
    xs, ys = (72, 192, 312, 432), (690, 674, 658, 642)
    content = [rule(xs[0], y, xs[-1], y) for y in ys] + [rule(x, ys[0], x, ys[-1]) for x in xs]
    content += [row(694, "Species", "Quantity", "State", font="F2")]
    rows = (("Acer", "748", "sold"), ("Betula", "1280", "kept"), ("Quercus", "377", "sold"))
    content += [row(y - 12, *cells) for y, cells in zip(ys, rows, strict=False)]
    assert table(*content).rows == (("Species", "Quantity", "State"), *rows)


def test_text_over_the_first_rule_that_keeps_to_no_columns_is_no_head() -> None:
    xs, ys = (72, 192, 312, 432), (690, 674, 658, 642)
    content = [rule(xs[0], y, xs[-1], y) for y in ys] + [rule(x, ys[0], x, ys[-1]) for x in xs]
    content += [text(76, 694, "What the harbour has sold in the year that went by")]
    rows = (("Acer", "748", "sold"), ("Betula", "1280", "kept"), ("Quercus", "377", "sold"))
    content += [row(y - 12, *cells) for y, cells in zip(ys, rows, strict=False)]
    assert table(*content).rows == rows


def test_bullets_in_cells_are_no_column_and_their_items_no_rows() -> None:
    ys = (700, 684, 640, 596)
    content = [rule(72, y, 432, y) for y in ys] + [rule(x, ys[0], x, ys[-1]) for x in (72, 192, 432)]
    content += [text(76, 688, "Berth"), text(196, 688, "Points")]
    for y, name, items in ((672, "North", ("paint", "moor")), (628, "South", ("sweep", "fence", "lamp"))):
        content += [text(76, y, name)]
        for at, item in enumerate(items):
            content += [text(200, y - 12 * at, "*").replace("(*)", r"(\267)"), text(214, y - 12 * at, item)]
    assert table(*content).rows == (
        ("Berth", "Points"),
        ("North", "• paint • moor"),
        ("South", "• sweep • fence • lamp"),
    )


def test_rows_that_stand_farther_apart_than_their_lines_are_told_by_that() -> None:
    rows = (
        ("Aarhus", "Sales", "open"),
        ("Ghent", "Legal", "done"),
        ("Kiel", "Port", "open"),
        ("Hull", "Legal", "done"),
    )
    content = [row(700, "Town", "Dept.", "State")]
    for y, cells in zip(range(676, 0, -36), rows, strict=False):
        content += [row(y, *cells), row(y - 12, "", "and 14", "since 9")]
    joined = [(town, f"{dept} and 14", f"{state} since 9") for town, dept, state in rows]
    assert table(*content).rows == (("Town", "Dept.", "State"), *joined)


def test_a_date_and_an_address_that_a_narrow_cell_broke_are_whole() -> None:
    ys = (700, 684, 656, 628)
    content = [rule(72, y, 236, y) for y in ys] + [rule(x, ys[0], x, ys[-1]) for x in (72, 122, 186, 236)]
    content += [row(688, "Due", "E-mail", "Hours", xs=(76, 126, 190))]
    broken = ((672, "18.04.202", "5", "rosa.moreau", "@sea.org"), (644, "16.05.202", "4", "ann.jensen2", "@sea.org"))
    for y, due, rest, mail, host in broken:
        content += [row(y, due, mail, "3.5", xs=(76, 126, 190)), row(y - 12, rest, host, "", xs=(76, 126, 190))]
    assert table(*content).rows == (
        ("Due", "E-mail", "Hours"),
        ("18.04.2025", "rosa.moreau@sea.org", "3.5"),
        ("16.05.2024", "ann.jensen2@sea.org", "3.5"),
    )


def test_a_small_sheet_without_a_blank_in_any_cell_is_a_table() -> None:
    rows = (("100", "North"), ("200", "South"), ("101", "West"), ("290", "East"))
    content = [text(72, 700, "Item"), text(132, 700, "Name")]
    for y, (item, name) in zip(range(686, 0, -14), rows, strict=False):
        content += [text(130 - DIGIT * 10 * len(item), y, item), text(132, y, name)]
    assert table(*content, info=OFFICE).rows == (("Item", "Name"), *rows)


def test_a_telephone_number_whose_blanks_are_written_is_one_cell() -> None:
    rows = [
        (town, f"+49 {at}45 90750{at}", f"{at}3.5%") for at, town in enumerate(("Hull", "Cork", "Kiel", "Ghent"), 1)
    ]
    content = [rule(72, 714, 300, 714), rule(72, 696, 300, 696), rule(72, 630, 300, 630)]
    content += [row(700, "Town", "Phone", "Share", xs=(76, 150, 250))]
    content += [row(y, *cells, xs=(76, 150, 250)) for y, cells in zip((684, 670, 656, 642), rows, strict=True)]
    assert table(*content, info=OFFICE).rows == (("Town", "Phone", "Share"), *rows)


CALC = f"/Creator (Calc) {OFFICE}"


def test_two_rows_of_a_sheet_are_a_table_with_each_figure_under_its_name() -> None:
    content = [row(700, "Pier", "Ships", "Cranes", "Since", xs=(72, 136, 200, 264))]
    for x, figure in ((198, "12"), (262, "3"), (306, "1987")):
        content.append(text(x - DIGIT * 10 * len(figure), 684, figure))
    rows = (("Pier", "Ships", "Cranes", "Since"), ("North", "12", "3", "1987"))
    assert table(*content, text(72, 684, "North"), info=CALC).rows == rows
    pdf = Pdf(info=OFFICE)  # by a program of texts, whose tabulators set as much apart
    pdf.page(row(700, "Pier", "Ships", xs=(72, 136)) + row(684, "North", "South", xs=(72, 136)))
    assert not of(read_pdf(pdf), Table)


SHEET = (("pen", "2", "4", "8"), ("scissors", "8", "1", "8"), ("hat", "15", "3", "45"))


def sheet_row(y: float, cells: tuple[str, ...], rights: tuple[float, ...]) -> str:
    """A row of a sheet: a text at the left of its cell, figures at the right of theirs."""
    figures = (text(x - DIGIT * 10 * len(cell), y, cell, size=10) for x, cell in zip(rights, cells[1:], strict=True))
    return text(74, y, cells[0], size=10) + "".join(figures)


def test_borders_drawn_in_the_row_of_names_alone_part_all_lines_under_it() -> None:
    xs, rights = (72.0, 112.0, 152.0, 170.0, 206.0), (150.0, 168.0, 204.0)
    content = [rule(72, y, 206, y) for y in (716, 690, 677, 638, 624)]
    content += [rule(x, 716, x, 624) for x in (xs[0], xs[-1])] + [rule(x, 690, x, 677) for x in xs[1:-1]]
    content += [text(76, 706, "A sheet that is called", size=10), text(100, 694, "a test", size=10)]
    names = ("Item", "Price", "#", "Total")
    content += [text(x + 2, 680, name, size=10, font="F2") for x, name in zip(xs, names, strict=False)]
    content += [sheet_row(667 - 12 * at, cells, rights) for at, cells in enumerate(SHEET)]
    content += [text(74, 628, "Total sum:", size=10), text(204 - 2 * DIGIT * 10, 628, "61", size=10)]
    assert table(*content, info=OFFICE).rows[1:] == (names, *SHEET, ("Total sum:", "", "", "61"))


def test_names_at_the_left_and_figures_at_the_right_of_close_cells_are_in_one_column() -> None:
    rights, names = (150.0, 170.0, 204.0), {74.0: "Item", 114.0: "Price", 154.0: "#", 174.0: "Total"}
    rows = (*SHEET, ("pencils", "7", "2", "14"), ("rubbers", "1", "9", "9"), ("rulers", "3", "3", "9"))
    content = [text(x, 680, name, size=10, font="F2") for x, name in names.items()]
    content += [sheet_row(668 - 12 * at, cells, rights) for at, cells in enumerate(rows)]
    assert table(*content, info=OFFICE).rows == (tuple(names.values()), *rows)


def test_a_name_over_a_column_of_a_sheet_that_holds_nothing_is_of_that_column_alone() -> None:
    lefts, rights = (56.0, 125.0, 180.0, 310.0, 379.0, 446.0), (124.0, 176.0, 307.0, 375.0, 444.0, 524.0)
    names = ("Name", "Code", "NumberOfOrders", "Price", "Month", "Made")
    content = [text(x, 700, name) for x, name in zip(lefts, names, strict=True)]
    rows = [("Bun", "101", "150", "60.2", "421"), ("Roll", "102", "25", "70", "53"), ("Loaf", "103", "9", "4.4", "624")]
    for at, (name, *figures) in enumerate(rows):
        y = 686 - 14 * at
        content.append(text(lefts[0], y, name))
        for right, figure in zip((*rights[1:4], rights[5]), figures, strict=True):
            width = 10 * sum(0.278 if char == "." else DIGIT for char in figure)
            content.append(text(right - width, y, figure))
    found = table(*content, info=CALC)
    assert found.rows == (names, *((*cells[:4], "", cells[4]) for cells in rows))


def sheet_cells(y: float, cells: tuple[str, ...], *, font: str = "F1") -> str:
    """A row of a sheet of columns of 64 points: texts at the left of their cells, figures at the right."""
    placed = ((76 + 64 * at, cell) for at, cell in enumerate(cells) if cell)
    return "".join(
        text(x + 60 - DIGIT * 10 * len(cell) if cell.isdigit() else x, y, cell, size=10, font=font)
        for x, cell in placed
    )


def test_names_in_bold_under_an_empty_row_of_a_sheet_open_a_table_of_their_own() -> None:
    upper = (("31", "black", "62", "brown"), ("32", "red", "52", "violet"), ("47", "green", "49", "yellow"))
    lower = (("mean", "5", "red"), ("mode", "12", "7"), ("sum", "blue", "13"), ("mean", "6", "8"))
    pdf = Pdf(info=CALC)
    content = [sheet_cells(700 - 12 * at, cells) for at, cells in enumerate(upper)]
    content += [sheet_cells(652, ("Function", "Value", "Result"), font="F2")]
    content += [sheet_cells(640 - 12 * at, cells) for at, cells in enumerate(lower)]
    pdf.page("".join(content))
    first, second = of(read_pdf(pdf), Table)
    assert first.rows == upper
    assert second.rows == (("Function", "Value", "Result"), *lower)


def test_texts_and_figures_of_one_column_of_a_sheet_are_in_one_though_a_text_is_a_number() -> None:
    rows = (("6", "Name", "Susie"), ("7", "Telephone", "0151 22"), ("8", "Children", "2"), ("9", "Town", "Leeds"))
    rows = (*rows, ("11", "Exemption", "1"), ("12", "Dog", "Timothy"))
    found = table(*[sheet_cells(700 - 12 * at, cells) for at, cells in enumerate(rows)], info=CALC)
    assert found.rows == rows


def test_names_in_the_middle_of_cells_of_several_lines_are_in_rows_by_white_space_alone() -> None:
    long = ("What is called once", "a station answers", "or fails to do so")
    rows = [
        ("given_list", "int", long), ("handler", "void", ("Its name",)), ("server", "char", long),
        ("window_size", "long", ("How many lines are read at a time", "at most")),
        ("record", "int", ("The place of the next record", "from the beginning")),
    ]  # fmt: skip
    y, content = 700.0, [row(714, "Name", "Type", "Meaning", xs=(76, 196, 260), font="F2")]
    for name, kind, lines in rows:
        content += [text(260, y - 12 * at, line) for at, line in enumerate(lines)]
        content.append(row(y - 6 * (len(lines) - 1), name, kind, xs=(76, 196)))
        y -= 12 * len(lines) + 4
    expected = [("Name", "Type", "Meaning"), *((name, kind, " ".join(lines)) for name, kind, lines in rows)]
    assert table(*content, info=OFFICE).rows == tuple(expected)


def test_a_caption_under_a_table_ends_it_before_another_of_the_same_columns() -> None:
    xs, sides = (76, 196, 316), ((72, 191), (192, 311), (312, 432))
    heads = ("Type", "Name", "Description")
    bodies = [
        [("FIXED", "version", "Version of this"), ("Entry", "entries", "List of entries")],
        [("Metrics", "boxes", "Boxes around"), ("Single", "single", "One of them")],
    ]
    pdf, content, y = Pdf(), list[str](), 700.0
    for number, body in enumerate(bodies):
        content += [rule(left, top, right, top) for top in (y, y - 16, y - 48) for left, right in sides]
        content += [row(y - 12, *heads, xs=xs, font="F2")]
        content += [row(y - 28 - 14 * at, *cells, xs=xs) for at, cells in enumerate(body)]
        content += [text(72, y - 60, f"Table {number + 1}: Entries")]
        y -= 92
    pdf.page("".join(content))
    assert [found.rows for found in of(read_pdf(pdf), Table)] == [(heads, *body) for body in bodies]
