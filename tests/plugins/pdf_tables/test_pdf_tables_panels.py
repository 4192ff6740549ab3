"""Tables of PDFs in panels, and in frames as thick as bands, which are not drawings."""

from __future__ import annotations

from itertools import pairwise

from support.formats.pdf_builder import Pdf, rule, text
from support.formats.pdf_prose import read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Block, Figure, Table


def tables(*content: str) -> list[tuple[tuple[str, ...], ...]]:
    """The rows of the tables of a page of these operators."""
    pdf = Pdf()
    pdf.page("".join(content))
    return [found.rows for found in of(read_pdf(pdf), Table)]


def row(y: float, cells: tuple[str, ...], xs: tuple[float, ...]) -> str:
    return "".join(text(x, y, cell) for x, cell in zip(xs, cells, strict=True) if cell)


def framed(x0: float, y0: float, x1: float, y1: float, ground: float = 0.95) -> str:
    """A frame, and its ground if it has one."""
    box = f"{x0} {y0} {x1 - x0} {y1 - y0} re"
    return (f"{ground} g {box} f 0 g\n" if ground < 1 else "") + f"{box} S\n"


def test_a_table_with_heads_in_a_framed_panel_is_no_part_of_a_drawing() -> None:
    rows = (("Parameter", "Description"), ("role", "Role allowed access."), ("domain", "Domain of the user."))
    content = [framed(72, 500, 432, 700), framed(84, 664, 396, 688), text(90, 672, "admin_role( role, domain )")]
    content += [text(90, 640, "Summary"), text(110, 620, "Role access for mail."), text(90, 600, "Parameters")]
    content += [framed(100, 528, 320, 592)]
    for at, cells in enumerate(rows):
        y, font = 571 - 21 * at, "F1" if at else "F2"
        content += [framed(x0, y, x1, y + 20, 1.0 if at else 0.8) for x0, x1 in ((101, 169), (170, 319))]
        content += [text(x, y + 6, cell, font=font) for x, cell in zip((105, 173), cells, strict=True)]
    assert tables(*content) == [rows]


def test_columns_of_a_framed_table_are_those_of_its_filled_head() -> None:
    heads, xs = ("polymer", "name", "code", "cap"), (76.0, 166.0, 256.0, 346.0)
    body = (
        ("protein", "", "", "OH"), ("", "Glycine", "G", ""), ("", "Alanine", "A", ""),
        ("nucleic acid", "", "", "H"), ("", "Adenine", "A", ""),
    )  # fmt: skip
    content = [f"0.9 g {x - 4} 674 90 26 re f 0 g\n" for x in xs] + [row(683, heads, xs)]
    content += [row(657 - 26 * at, cells, xs) for at, cells in enumerate(body)]
    content += [rule(72, 700, 432, 700), rule(72, 544, 432, 544), rule(72, 544, 72, 700), rule(432, 544, 432, 700)]
    assert tables(*content) == [(heads, *body)]


def test_a_table_between_lines_as_thick_as_bands_is_read_by_its_own_rules() -> None:
    rows = (("Inputs", "", "Output"), ("A", "B", "A or B"), ("False", "True", "True"), ("True", "True", "True"))
    xs, font = (110.0, 141.0, 172.0, 214.0), "F2"
    bands = ((95, 612, 95, 727), (228, 612, 228, 727), (65, 697, 258, 697), (80, 622, 243, 622))
    content = [
        f"{10 if at == 3 else 40} w {x0} {y0} m {x1} {y1} l S 1 w\n" for at, (x0, y0, x1, y1) in enumerate(bands)
    ]
    for at, cells in enumerate(rows):
        y = 662 - 13 * at
        content += [framed(x0, y, x1, y + 13, 1.0) for x0, x1 in pairwise(xs if at else (xs[0], *xs[2:]))]
        content += [text(x + 3, y + 3, cell, font=font, size=8) for x, cell in zip(xs, cells, strict=False) if cell]
        font = "F1"
    assert tables(*content) == [rows]


def test_heads_over_several_columns_in_a_panel_leave_a_table_out_of_its_drawing() -> None:
    xs, ys = (101.0, 161.0, 221.0, 301.0), (600.0, 580.0, 560.0, 540.0)
    rows = (("Inputs", "", "Output"), ("True", "False", "True"), ("False", "False", "False"))
    content = [framed(72, 500, 432, 700), framed(72, 664, 432, 700), framed(90, 510, 414, 640, 0.9)]
    content += [framed(80 + 40 * at, 620, 100 + 40 * at, 632, 0.5) for at in range(6)]
    for y, cells in zip(ys[1:], rows, strict=True):
        spans = ((0, 2), (2, 3)) if not cells[1] else ((0, 1), (1, 2), (2, 3))
        content += [framed(xs[a], y, xs[b], y + 20, 1.0) for a, b in spans]
        content += [
            text(x + 4, y + 6, cell, font="F1" if cells[1] else "F2")
            for x, cell in zip(xs, cells, strict=False)
            if cell
        ]
    assert tables(*content) == [rows]


def test_a_line_without_a_first_cell_that_says_another_again_is_a_row() -> None:
    xs = (100.0, 190.0, 290.0, 430.0)
    rows = (
        ("", "CPU", "Versions", "Provider"), ("Debian", "i386/amd64", "squeeze/wheezy", "Johannes Long"),
        ("", "armel", "wheezy", "Johannes Long"), ("Ubuntu", "i386/amd64", "lucid/precise/trusty", "Michael Short"),
    )  # fmt: skip
    assert tables(*(row(700 - 14 * at, cells, xs) for at, cells in enumerate(rows))) == [rows]


def blocks(*content: str) -> tuple[Block, ...]:
    """The blocks of a page of these operators, which has one part."""
    pdf = Pdf()
    pdf.page("".join(content))
    (part,) = read_pdf(pdf).parts
    return part.blocks


def filled(x0: float, y0: float, x1: float, y1: float, gray: float = 0.9) -> str:
    return f"{gray} g {x0} {y0} {x1 - x0} {y1 - y0} re f 0 g\n"


def test_areas_on_which_all_lines_begin_at_the_left_are_no_figure_but_the_ground_of_text_and_tables() -> None:
    content = [filled(28, 730, 584, 764, 0.4), filled(28, 706, 584, 730, 0.8), filled(431, 710, 578, 726)]
    content += [text(33, 714, "ALL CLASSES"), text(440, 714, "search"), filled(44, 620, 240, 640, 0.7)]
    content += [text(48, 626, "Packages that use Gate", font="F2")]
    content += [filled(44, 600, 224, 620), filled(224, 600, 568, 620)]
    content += [text(48, 606, "Package", font="F2"), text(228, 606, "Description", font="F2")]
    rows = (("org.gate", "All of the gate."), ("org.gate.impl", ""), ("org.gate.util", "What is of use."))
    for at, (name, told) in enumerate(rows):
        y = 580 - 20 * at
        content += [] if at % 2 else [filled(44, y, 224, y + 20, 0.95), filled(224, y, 568, y + 20, 0.95)]
        content += [text(48, y + 6, name), text(228, y + 6, told)]
    for y in (300, 170, 40):
        content += [framed(42, y, 570, y + 120), filled(52, y + 60, 300, y + 80, 0.7)]
        content += [text(50, y + 100, "Uses of Gate"), text(56, y + 66, "Methods that return Gate", font="F2")]
        content += [filled(52, y + 40, 161, y + 60), filled(161, y + 40, 552, y + 60), text(56, y + 46, "Method")]
        content += [text(166, y + 46, "Description"), text(56, y + 26, "open()"), text(166, y + 26, "A gate.")]
    found = blocks(*content)
    assert not [block for block in found if isinstance(block, Figure)]
    tables = [list(map(list, block.rows)) for block in found if isinstance(block, Table)]
    assert [["Package", "Description"], list(rows[0])] in [rows[:2] for rows in tables]


def test_drawn_marks_before_the_items_of_a_list_make_no_figure_of_it() -> None:
    content: list[str] = []
    items = ("Menu", "File", "Setup", "Streams", "Units", "Plots", "Stream", "Phases", "Lookup", "Tables", "Other")
    for at, item in enumerate(items):
        x, y = 92 + 30 * (at % 6 > 0), 700 - 13 * at
        mark = f"{x - 14} {y + 2} 4 4 re f\n"
        round_mark = f"{x - 14} {y + 4} m {x - 14} {y + 6} {x - 10} {y + 6} {x - 10} {y + 4} c"
        round_mark += f" {x - 10} {y + 2} {x - 14} {y + 2} {x - 14} {y + 4} c f\n"
        content += [mark if at % 6 else round_mark, text(x, y, item), rule(x, y - 1, x + 30, y - 1)]
    assert not [block for block in blocks(*content) if isinstance(block, Figure)]


def test_boxes_that_hold_words_in_their_middle_stay_a_figure() -> None:
    content: list[str] = []
    for at, name in enumerate(("Reader", "Index", "Search")):
        y = 640 - 60 * at
        content += [f"100 {y} 400 40 re S\n", text(280, y + 16, name)]
        content += [rule(300, y, 300, y - 20), f"296 {y - 14} m 300 {y - 20} l 304 {y - 14} l f\n"] if at < 2 else []
    assert [block for block in blocks(*content) if isinstance(block, Figure)]


def framed_head(y: float, names: tuple[str, ...], xs: tuple[float, ...], foot: float) -> str:
    """A head of filled cells, and the sides and the foot of the table under it."""
    cells = "".join(filled(left, y, right, y + 22, 0.85) for left, right in pairwise(xs))
    sides = "".join(rule(x, foot, x, y + 22) for x in (xs[0], xs[-1]))
    named = "".join(text(x + 5, y + 8, name, font="F2") for x, name in zip(xs, names, strict=False))
    return cells + sides + rule(xs[0], foot, xs[-1], foot) + named


def test_a_head_filled_cell_by_cell_between_the_sides_of_a_frame_names_its_columns_in_a_panel_of_any_kind() -> None:
    xs = (52.0, 148.0, 425.0, 552.0)
    content = [framed(42, 560, 570, 740), text(50, 722, "Uses of Gate in org.house", size=12, font="F2")]
    content += [filled(52, 692, 384, 713, 0.7), text(60, 698, "Methods that return Gate", font="F2")]
    content += [framed_head(670, ("Modifier and Type", "Method", "Description"), xs, 585)]
    content += [text(58, 656, "static Gate"), text(154, 656, "House.open(Key key,"), text(154, 643, "Hand hand)")]
    content += [text(430, 656, "Opens a gate."), filled(52, 613, 148, 634, 0.95), filled(148, 613, 425, 634, 0.95)]
    content += [filled(425, 613, 552, 634, 0.95), text(58, 620, "void"), text(154, 620, "House.close()")]
    content += [text(58, 597, "boolean"), text(154, 597, "House.isOpen()"), text(430, 597, "Whether it is.")]
    (found,) = tables(*content)
    assert [list(cells) for cells in found] == [
        ["Modifier and Type", "Method", "Description"],
        ["static Gate", "House.open(Key key, Hand hand)", "Opens a gate."],
        ["void", "House.close()", ""],
        ["boolean", "House.isOpen()", "Whether it is."],
    ]


def test_a_single_row_under_a_filled_head_is_a_table_and_a_head_over_nothing_is_none() -> None:
    xs = (52.0, 250.0, 552.0)
    content = [framed_head(600, ("Method", "Description"), xs, 570), text(58, 585, "open()"), text(255, 585, "A gate.")]
    content += [framed_head(400, ("Field", "Description"), xs, 370)]
    assert [list(map(list, rows)) for rows in tables(*content)] == [[["Method", "Description"], ["open()", "A gate."]]]
