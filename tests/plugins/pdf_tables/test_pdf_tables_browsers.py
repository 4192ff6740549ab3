"""What browsers draw in tables beside rules: letters and blanks one by one, lines under links, columns of marks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from support.formats.pdf_builder import Pdf, grid, rule, text
from support.formats.pdf_prose import read_pdf, row, tables
from support.formats.plugin_reading import of

from sidecar.api import UNCERTAIN_TABLE, Table

_WIDTHS = {
    " ": 278,
    ",": 278,
    "-": 333,
    ".": 278,
    "A": 667,
    "B": 667,
    "D": 722,
    "E": 667,
    "I": 278,
    "M": 833,
    "P": 667,
    "S": 667,
    "T": 611,
    "U": 722,
    "c": 500,
    "f": 278,
    "i": 222,
    "j": 222,
    "k": 500,
    "l": 222,
    "m": 833,
    "r": 333,
    "s": 500,
    "t": 278,
    "v": 500,
    "w": 722,
    "x": 500,
    "y": 500,
    "z": 500,
}
"""Thousandths of an em that letters of Helvetica are wide; all others are 556."""


def _letters(x: float, y: float, string: str) -> str:
    """A line whose letters, and the blanks between words, are text objects of their own."""
    content = ""
    for letter in string:
        content += f"BT /F1 10 Tf 1 0 0 1 {x:.2f} {y} Tm ({letter}) Tj ET\n"
        x += _WIDTHS.get(letter, 556) / 100
    return content


def test_letters_set_one_by_one_with_their_blanks_tell_cells_that_stand_as_close_as_words() -> None:
    rows = [
        ("lever", "what lifts the lid", "made of brass"),
        ("long upper hinge", "what the lid hangs on", "made of iron"),
        ("pin", "what holds a leaf in it", "bent by hand"),
        ("lid", "what shuts the box up", "left as it is"),
    ]
    cells = [
        (x, 700 - 16 * at, cell) for at, row in enumerate(rows) for x, cell in zip((72, 149, 253), row, strict=True)
    ]
    content = "".join(_letters(*cell) for cell in cells)  # the widest end as far from the next as words
    (found,) = tables(content, "".join(_letters(72, 560 - 12 * at, "nothing else is said of them") for at in range(4)))
    assert list(found.rows) == rows


_NAMED = [
    ("open", "begun as a page"),
    ("bounded-open", "one hundred"),
    ("no", "unheeded"),
    ("been", "a bend in a pond"),
]
_CODES = [("open", "pond"), ("bounded-open", "bounded-page"), ("no", "a-hedge"), ("been", "bend")]


@pytest.mark.parametrize(("font", "white", "rows"), [("F1", 1.5, _NAMED), ("F3", 3.0, _CODES)])
def test_the_widest_cell_of_a_column_may_stand_nearer_to_the_next_one_than_a_blank_is_wide(
    font: str, white: float, rows: list[tuple[str, str]]
) -> None:
    widths = [sum(_WIDTHS.get(c, 556) if font == "F1" else 600 for c in name) for name, _ in rows]
    beside = round(72 + max(widths) / 100 + white, 2)
    content = [text(72, 720, "Old name", font="F2"), text(beside, 720, "New name", font="F2")]
    for at, (name, other) in enumerate(rows):
        content += [text(72, 700 - 20 * at, name, font=font), text(beside, 700 - 20 * at, other, font=font)]
    (found,) = tables(*content, *(text(72, 580 - 12 * at, "nothing else is said of them") for at in range(4)))
    assert [*found.rows] == [("Old name", "New name"), *rows]


def test_lines_under_links_below_one_another_are_no_rules() -> None:
    names = ["first-steps", "how-to-print", "all-of-the-options", "questions", "one-more", "the-last-of-them"]
    pdf, content, links = Pdf(), "", list[int]()
    for at, name in enumerate(names):
        y = 690 - 16 * at
        left = 154 - sum(_WIDTHS.get(letter, 556) for letter in name) / 100  # the first column is set to the right
        content += row(y, {left: name, 170: "What it is about", 330: "HTML", 364: "source", 402: "R code"})
        for start, end in ((left, 154.0), (330, 357.2), (364, 395.1), (402, 434.5)):
            content += rule(start, y - 1.5, end, y - 1.5)
            target = "/A << /S /URI /URI (https://example.org) >>"
            links.append(pdf.add(f"<< /Type /Annot /Subtype /Link /Rect [{start} {y - 3} {end} {y + 9}] {target} >>"))
    pdf.page(content, more=f"/Annots [{' '.join(f'{number} 0 R' for number in links)}]")
    (found,) = of(read_pdf(pdf), Table)
    assert [cells[0] for cells in found.rows] == names


def test_a_line_under_a_link_in_a_cell_is_no_border_though_the_link_reaches_further() -> None:
    pdf, ys = Pdf(), [712.0, 692.0, 660.0, 628.0, 596.0]
    content, links = grid([80, 184, 300], ys) + row(698, {84: "Name", 190: "What it tells"}), list[int]()
    names = (("smtpd_client_restric", "tions"), ("smtpd_helo_restrictio", "ns"), ("smtpd_sender_restri", "ctions"))
    for at, (name, rest) in enumerate(names):
        y = 680 - 32 * at
        content += text(84, y, name) + text(84, y - 13, rest) + text(190, y - 6, "what is refused")
        content += rule(81.6, y - 1.5, 181.6, y - 1.5)
        target = "/A << /S /URI /URI (https://example.org) >>"
        links.append(pdf.add(f"<< /Type /Annot /Subtype /Link /Rect [82 {y - 3} 183.2 {y + 9}] {target} >>"))
    pdf.page(content, more=f"/Annots [{' '.join(f'{number} 0 R' for number in links)}]")
    (found,) = of(read_pdf(pdf), Table)
    assert [cells[1] for cells in found.rows] == ["What it tells", *["what is refused"] * 3]


def test_filled_heads_over_one_row_with_rules_cell_by_cell_are_a_table() -> None:
    xs, content = (154.0, 184.0, 232.0, 292.0, 400.0), ""
    cells = (("type", "default", "mandatory", "obsolete"), ("word", "25", "no", "ActionMailPort"))
    for left, right in pairwise(xs):
        content += f"q 0.9 0.85 0.9 rg {left} 682 {right - left} 18 re f Q\n"
        content += f"{left} 682 {right - left} 0.7 re f\n{left} 664 {right - left} 0.7 re f\n"
    content += text(157, 687, " ".join(cells[0]), font="F3")  # as close as words
    content += row(669, {x + 3: cell for x, cell in zip(xs, cells[1], strict=False)}, font="F3")
    (found,) = tables(content, text(72, 630, "The port of the server to be used. The default is 25."))
    assert list(found.rows) == list(cells)
    assert found.header_rows == 1


def test_a_column_that_ticks_some_of_the_rows_is_a_column() -> None:
    rows = [("bounces", "", "what came back"), ("queue", "*", "what waits"), ("retry", "", "what is tried again")]
    rows += [("sender", "*", "who wrote it"), ("size", "*", "how long it is"), ("time", "", "when it came")]
    rows += [("subject", "", "what it is about"), ("host", "", "where it came from")]
    content = ""
    for at, cells in enumerate(rows):
        y = 690 - 16 * at
        content += f"q 0.9 g 70 {y - 4} 80 14.5 re f 151.5 {y - 4} 20 14.5 re f 173 {y - 4} 160 14.5 re f Q "
        content += row(y, {x: cell for x, cell in zip((74, 158, 178), cells, strict=True) if cell})
    (found,) = tables(content)
    assert list(found.rows) == rows
    assert found.confidence > UNCERTAIN_TABLE


FUNCTIONS = {"Oracle": "SDO_EQUAL", "MariaDB": "ST_Equals", "MySQL": "ST_Equals", "SpatiaLite": "Equals"}


def ruled_off(top: float, left: float = 72) -> str:
    """Names of columns in bold over rows with a rule under each."""
    content = [text(left + 1, top, "Backend", font="F2"), text(left + 80, top, "Equivalent", font="F2")]
    content += [rule(left, top - 5, 400, top - 5)]
    for at, (name, function) in enumerate(FUNCTIONS.items(), 1):
        y = top - 16 * at
        content += [row(y, {left + 1: name, left + 80: function}), rule(left, y - 5, 400, y - 5)]
    return "".join(content)


def test_tables_of_one_extent_are_parted_by_a_larger_title_that_is_not_bold() -> None:
    between = [
        text(72, 600, "is_valid", size=16),
        text(72, 580, "Available in Oracle and MySQL"),
        text(72, 566, "Example:"),
    ]
    found = tables(ruled_off(700), *between, ruled_off(540))
    assert [[list(cells) for cells in table.rows] for table in found] == 2 * [
        [["Backend", "Equivalent"], *map(list, FUNCTIONS.items())]
    ]


def test_a_listing_between_two_rules_over_names_of_columns_is_no_row() -> None:
    code = [rule(72, 622, 400, 622), text(75, 610, "Zipcode.filter(poly)", font="F3"), rule(72, 602, 400, 602)]
    (found,) = tables(*code, ruled_off(588))
    assert [list(cells) for cells in found.rows] == [["Backend", "Equivalent"], *map(list, FUNCTIONS.items())]
    assert found.header_rows == 1


def test_names_over_a_single_rule_make_numbered_rows_below_it_a_table() -> None:
    """As pandoc sets tables in documents: a border under the head, and none else."""
    kinds = ("App", "Option", "Parse", "Filter", "Http")
    rows = [(str(number), f"Pandoc{kind}Error") for number, kind in enumerate(kinds, 3)]
    content = [row(700, {196: "Code", 230: "Error"}), rule(72, 690, 480, 690)]
    content += [row(676 - 22 * at, {214: code, 230: error}) for at, (code, error) in enumerate(rows)]
    (found,) = tables(*content)
    assert [tuple(cells) for cells in found.rows] == [("Code", "Error"), *rows]
    assert found.header_rows == 1
    assert not tables(text(72, 700, "Kinds of errors"), *content[1:])


def test_a_large_title_under_a_rule_over_a_framed_listing_makes_no_table_of_what_stands_around() -> None:
    """As documentation of programs is printed: a rule, the name of a function, its call in a frame, its arguments."""
    call = {76: "int", 130: "readNext", 300: "(Reader reader)"}
    content = [
        *(rule(72, y, 500, y) for y in (670, 636, 610)),
        text(72, 650, "readNext ()", size=13, font="F2"),
        *(text(x, 620, piece, font="F3") for x, piece in call.items()),
    ]
    assert not tables(row(700, {90: "reader:", 140: "the reader used"}), *content)


def test_words_that_touch_figures_are_a_column_of_their_own_though_each_letter_is_drawn_by_itself() -> None:
    """Columns without padding: amounts set to the right, and what the next column says right behind them."""
    rows = [("Travel", "47.76", "Union fee"), ("Meals", "1,303.62", "Pension"), ("Salary", "660.93", "Unemployment")]
    rows += [("Bonus", "20.33", "Income tax"), ("Leave", "1,854.45", "")]
    content, said = "", [("Earnings", "Amount", "Deductions"), *rows]
    for at, (name, amount, fee) in enumerate(said):
        y = 700 - 20 * at
        wide = sum(_WIDTHS.get(letter, 556) / 100 for letter in amount)
        content += rule(72, y - 6, 400, y - 6) + _letters(72, y, name)
        content += _letters(250 - wide, y, amount) + _letters(250, y, fee)
    content += "".join(_letters(72, 560 - 12 * at, "nothing else is said of them") for at in range(4))
    (found,) = tables(content)
    assert list(found.rows) == said


@pytest.mark.parametrize(("producer", "kept"), [("Skia/PDF m141", True), ("WeasyPrint 62.3", True), ("pdfTeX", False)])
def test_browsers_break_words_at_hyphens_of_their_own_alone(producer: str, kept: bool) -> None:
    """Where they break another word they set U+2010."""
    pdf = Pdf(info=f"/Producer ({producer})")
    cells = [("1", "A ship that is sea-", "worthy again"), ("2", "What brings them to-", "gether each spring")]
    content = grid([72, 102, 300], [720, 688, 656])
    for at, (number, *words) in enumerate(cells):
        content += text(78, 706 - 32 * at, number)
        content += "".join(text(108, 706 - 32 * at - 12 * line, own) for line, own in enumerate(words))
    pdf.page(content)
    (found,) = of(read_pdf(pdf), Table)
    sign = "-" if kept else ""
    assert [row[1] for row in found.rows] == [
        f"A ship that is sea{sign}worthy again",
        f"What brings them to{sign}gether each spring",
    ]


def test_a_range_that_is_cut_at_its_dash_makes_a_table_doubtful() -> None:
    content = grid([72, 132, 192, 252], [720, 700, 680, 660, 640])
    rows = [("Size", "Chest", "Waist"), ("M", "94-", "78-"), ("", "102", "86"), ("L", "102-110", "86-94")]
    for at, cells in enumerate(rows):
        content += row(706 - 20 * at, {x: cell for x, cell in zip((76, 136, 196), cells, strict=True) if cell})
    (found,) = tables(content)
    assert found.confidence < UNCERTAIN_TABLE
    assert "a word or a range is broken at the end of a cell, or within one" in found.flaws
