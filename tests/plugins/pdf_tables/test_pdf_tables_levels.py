"""Levels of heads and groups of rows: heads over parts of groups, over filled cells of several heights and over all
groups, labels in the middle of their rows, and figures in the middle of the lines of their label."""

from __future__ import annotations

from itertools import pairwise

from support.formats.pdf_builder import Pdf, rule, text
from support.formats.pdf_prose import PROSE, read_pdf, table, tables
from support.formats.plugin_reading import of

from sidecar.api import UNCERTAIN_TABLE, Paragraph

NAMES = ("Harbour", "Lighting", "Library", "Museum", "Ferry", "Cemetery")
DIGIT = 5.56  # points: the width of a digit of Helvetica at 10 points


def right(x: float, y: float, figure: str) -> str:
    """A figure of digits and commas that ends at x."""
    return text(x - sum(DIGIT if char.isdigit() else DIGIT / 2 for char in figure), y, figure)


def filled(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"0.8 g {x0} {y0} {x1 - x0} {y1 - y0} re f 0 g\n"


def figures(count: int, columns: int, seed: int = 7) -> list[tuple[str, ...]]:
    return [
        tuple(f"{(seed + row * 13 + column * 29) % 89 + 10},{(row + 3) * 111}" for column in range(columns))
        for row in range(count)
    ]


def body(top: float, rows: list[tuple[str, ...]], ends: tuple[float, ...], step: float = 15) -> str:
    """Rows of a name and figures that end at `ends`, from the baseline `top` down."""
    out = ""
    for at, (name, row) in enumerate(zip(NAMES, rows, strict=False)):
        out += text(76, top - step * at, name)
        out += "".join(right(x, top - step * at, figure) for x, figure in zip(ends, row, strict=True))
    return out


ENDS = (215, 275, 335, 395)
ROWS = figures(6, 4)
NAMED = [(name, *row) for name, row in zip(NAMES, ROWS, strict=True)]


def test_three_levels_of_heads_without_rules_nest() -> None:
    content = [
        text(266, 724, "All years", font="F2"),
        text(214, 710, "North", font="F2"),
        text(334, 710, "South", font="F2"),
    ]
    content += [
        text(x, 696, head, font="F2")
        for x, head in ((76, "Office"), (190, "Plan"), (250, "Real"), (310, "Plan"), (370, "Real"))
    ]
    found = table(*content, body(680, ROWS, ENDS))
    assert found.rows[:3] == (
        ("", "All years", "", "", ""),
        ("", "North", "", "South", ""),
        ("Office", "Plan", "Real", "Plan", "Real"),
    )
    assert found.rows[3:] == tuple(NAMED)
    assert found.header_rows == 3


def test_filled_heads_of_two_levels_stand_over_rows_that_rules_part_cell_by_cell() -> None:
    xs = (72, 160, 220, 280, 340, 400)
    content = [filled(72, 690, 159, 722), filled(161, 707, 279, 722), filled(281, 707, 400, 722)]
    content += [filled(x0 + 1, 690, x1 - 1, 705) for x0, x1 in pairwise(xs[1:])]
    content += [
        text(76, 702, "Office", font="F2"),
        text(205, 711, "North", font="F2"),
        text(325, 711, "South", font="F2"),
    ]
    content += [
        text(x, 694, head, font="F2") for x, head in ((175, "Plan"), (235, "Real"), (295, "Plan"), (355, "Real"))
    ]
    content += [rule(x0, 690 - 20 * at, x1, 690 - 20 * at) for at in range(1, 7) for x0, x1 in pairwise(xs)]
    found = table(*content, body(676, ROWS, ENDS, 20))
    assert found.rows[:2] == (("Office", "North", "", "South", ""), ("", "Plan", "Real", "Plan", "Real"))
    assert found.rows[2:] == tuple(NAMED)


def test_labels_in_the_middle_of_groups_that_white_parts_belong_to_the_first_row_of_each() -> None:
    content, rows, y = (
        [text(76, 700, "Group", font="F2"), text(160, 700, "Part", font="F2"), text(250, 700, "Plan", font="F2")],
        [],
        684.0,
    )
    for label, count in (("North", 2), ("South", 4), ("West", 3)):
        content.append(text(76, y - 13 * (count - 1) / 2, label))
        for at in range(count):
            own = (f"Item {'abcdefghi'[len(rows)]}", f"{len(rows) + 3},{(at + 3) * 111}")
            content += [text(160, y, own[0]), right(280, y, own[1])]
            rows.append(("" if at else label, *own))
            y -= 13
        y -= 6
    assert table(*content).rows == (("Group", "Part", "Plan"), *rows)


def test_a_label_beside_the_first_row_under_heads_without_one_is_not_moved_over_these() -> None:
    content, rows, y = [text(160, 700, "Part", font="F2"), text(250, 700, "Plan", font="F2")], [], 685.0
    for label, count in (("North", 2), ("South", 2), ("West", 2)):
        for at in range(count):
            own = (f"Item {'abcdefghi'[len(rows)]}", f"{len(rows) + 3},{(at + 3) * 111}")
            content += [text(76, y, label)] if not at else []
            content += [text(160, y, own[0]), right(280, y, own[1])]
            rows.append(("" if at else label, *own))
            y -= 15
    assert table(*content).rows == (("", "Part", "Plan"), *rows)


def test_figures_in_the_middle_of_two_lines_of_their_label_are_its_row() -> None:
    labels = [("Interest and charges of", "the loan of last year"), ("Fees for moorings and", "for storage ashore")]
    labels += [("Contributions from the", "districts and towns"), ("Maintenance of roads", "and public squares")]
    content, rows = [text(76, 700, "Item"), text(232, 700, "Plan"), text(292, 700, "Real")], figures(4, 2)
    for at, ((upper, lower), row) in enumerate(zip(labels, rows, strict=True)):
        y = 682 - 26 * at
        content += [
            text(76, y, upper),
            text(76, y - 11, lower),
            right(255, y - 5.5, row[0]),
            right(315, y - 5.5, row[1]),
        ]
    wanted = [(f"{upper} {lower}", *row) for (upper, lower), row in zip(labels, rows, strict=True)]
    assert table(*content).rows == (("Item", "Plan", "Real"), *wanted)


def test_the_second_line_of_the_last_label_belongs_to_its_table_and_the_text_under_it_does_not() -> None:
    content = [
        text(76, 700, "Item"),
        text(252, 700, "Plan"),
        text(312, 700, "Real"),
        body(684, figures(3, 2), (275, 335)),
    ]
    content += [text(76, 639, "Interest and charges of the"), right(275, 639, "1,250"), right(335, 639, "984")]
    content += [text(76, 627, "loan of the year before")]
    content += [text(76, 600 - 12 * at, line) for at, line in enumerate(PROSE)]
    (found,) = tables(*content)
    assert found.rows[-1] == ("Interest and charges of the loan of the year before", "1,250", "984")


def test_rows_of_figures_that_stand_far_apart_are_one_table() -> None:
    content = [text(76, 700, "Office")]
    content += [text(x, 700, head) for x, head in ((190, "Plan"), (250, "Real"), (310, "Sum"), (370, "Rest"))]
    found = table(*content, body(670, ROWS, ENDS, 32))
    assert found.rows == (("Office", "Plan", "Real", "Sum", "Rest"), *NAMED)


def test_a_label_as_wide_as_its_column_is_parted_from_its_figure() -> None:
    rows = [
        ("Waste depot", "77,697", "44,614"),
        ("Fire brigade", "16,273", "68,403"),
        ("Swimming bath", "88,188", "25,659"),
    ]
    rows += [
        ("School meals", "74,573", "21,014"),
        ("Street lights", "84,507", "66,377"),
        ("Cemetery", "16,203", "8,792"),
    ]
    content = [text(72, 700, "Item", font="F2"), text(150, 700, "Share", font="F2"), text(200, 700, "Stock", font="F2")]
    for at, (name, one, other) in enumerate(rows):
        y = 686 - 13 * at
        close = name == "Swimming bath"  # 68.4 points wide, and a blank of 2.8
        content += [text(72, y, f"{name} {one}")] if close else [text(72, y, name), right(173.7, y, one)]
        content += [right(223.7, y, other)]
    assert table(*content).rows == (("Item", "Share", "Stock"), *rows)


def turned(x: float, y: float, string: str, font: str = "F1", *, up: bool = True) -> str:
    matrix = "0 1 -1 0" if up else "0 -1 1 0"
    return f"BT /{font} 10 Tf {matrix} {x} {y} Tm ({string}) Tj ET\n"


def test_a_drawn_table_that_stands_turned_has_the_rows_that_it_reads() -> None:
    rows = [
        ("Office", "Plan", "Real"),
        ("Harbour", "12,500", "9,875"),
        ("Library", "4,210", "4,199"),
        ("Museum", "860", "912"),
    ]
    xs, ys = (100, 120, 140, 160, 180), (300, 400, 460, 520)
    grid = "".join(rule(x, ys[0], x, ys[-1]) for x in xs) + "".join(rule(xs[0], y, xs[-1], y) for y in ys)
    level = "".join(text(72, 740 - 12 * at, line) for at, line in enumerate(PROSE))
    upwards = [turned(xs[r] + 14, ys[c] + 4, cell) for r, row in enumerate(rows) for c, cell in enumerate(row)]
    down = [
        turned(xs[-2 - r] + 6, ys[-1 - c] - 4, cell, up=False)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
    ]
    down_ys = tuple(820 - y for y in ys)
    assert table(level, grid, *upwards).rows == tuple(rows)
    grid = "".join(rule(x, down_ys[0], x, down_ys[-1]) for x in xs) + "".join(
        rule(xs[0], y, xs[-1], y) for y in down_ys
    )
    down = [
        turned(xs[-2 - r] + 6, down_ys[c] - 4, cell, up=False)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
    ]
    assert table(level, grid, *down).rows == tuple(rows)


def test_both_letters_of_a_ligature_are_there_in_text_that_runs_up() -> None:
    pdf = Pdf()
    cmap = pdf.stream(
        "begincmap 1 begincodespacerange <00> <ff> endcodespacerange\n"
        "4 beginbfchar\n<41> <006f>\n<42> <00660066>\n<43> <0069>\n<44> <0063>\nendbfchar endcmap"
    )
    widths = "/FirstChar 65 /LastChar 68 /Widths [500 600 300 500]"
    font = pdf.add(f"<< /Type /Font /Subtype /Type1 /BaseFont /Body {widths} /ToUnicode {cmap} 0 R >>")
    level = "".join(text(72, 740 - 12 * at, line) for at, line in enumerate(PROSE))
    pdf.page(f"{level}BT /B1 12 Tf 0 1 -1 0 200 300 Tm <41424344> Tj ET\n", fonts={"B1": font})
    assert "offic" in [block.text for block in of(read_pdf(pdf), Paragraph)]


def test_a_short_abstract_beside_keywords_is_no_table() -> None:
    abstract = [
        "Members may ask the secretary for the full list that is kept",
        "in the archive of the society for ten years and will be shown",
        "to anyone who gives a reason.",
    ]
    content = [rule(72, y, 540, y) for y in (712, 622)]
    content += [text(76, 700, "Article info", font="F2"), text(230, 700, "Abstract", font="F2")]
    content += [
        text(76, 686 - 13 * at, word)
        for at, word in enumerate(("Keywords:", "harbours", "libraries", "towns", "water"))
    ]
    content += [text(230, 686 - 13 * at, line) for at, line in enumerate(abstract)]
    assert not tables(*content)


def test_further_lines_of_the_last_row_under_stripes_belong_to_it() -> None:
    rows = [
        ("1", "Spare parts of", "the pumps", "45"),
        ("2", "Repairs of the", "north quay", "75"),
        ("3", "Charts for the", "pilots", "92"),
    ]
    rows += [("4", "Paint for the", "signal masts", "24")]
    content = [filled(72, 696, 320, 712), text(76, 700, "No."), text(110, 700, "Purpose"), text(280, 700, "Sum")]
    for at, (mark, upper, lower, figure) in enumerate(rows):
        top = 694 - 28 * at
        content += [filled(72, top - 27, 320, top)] if at % 2 == 0 else []
        content += [
            text(76, top - 11, mark),
            text(110, top - 11, upper),
            text(110, top - 23, lower),
            text(280, top - 11, figure),
        ]
    assert table(*content).rows[1:] == tuple((mark, f"{upper} {lower}", figure) for mark, upper, lower, figure in rows)


def test_names_of_rows_beside_cells_without_text_are_no_certain_row() -> None:
    xs, names = (72, 160, 220, 280, 340), (*NAMES, "Market hall")
    content = [f"0.75 g {x0} {y} {x1 - x0} 0.75 re f 0 g\n" for y in (714, 698, 590) for x0, x1 in pairwise(xs)]
    content += [text(x + 4, 703, head, size=8) for x, head in zip(xs, ("Office", "Open", "Shut", "Rest"), strict=False)]
    content += [text(76, 686 - 15 * at, name, size=8) for at, name in enumerate(names)]
    content += [text(284, 686, "2 hours", size=8), text(284, 671, "10 places", size=8)]
    certain = [found for found in tables(*content) if found.confidence >= UNCERTAIN_TABLE]
    assert not any("Harbour Lighting" in cell for found in certain for row in found.rows for cell in row)
