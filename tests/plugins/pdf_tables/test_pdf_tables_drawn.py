"""Tables of PDFs whose cells are drawn in part: lists side by side, rows that leaders tell, labels and heads that reach
over several cells."""

from __future__ import annotations

from itertools import pairwise

from support.formats.pdf_builder import grid, rule, text
from support.formats.pdf_prose import row, tables

from sidecar.api import UNCERTAIN_TABLE, Merge


def test_lists_side_by_side_between_vertical_rules_are_a_table_each() -> None:
    left = [("Mayor", ""), ("Ada Long", "247"), ("Max Short", "69"), ("Clerk", ""), ("Ida West", "64")]
    right = [("Measure 48", ""), ("Yes", "96"), ("No", "216"), ("Measure 49", ""), ("Yes", "102"), ("No", "200")]
    content = [rule(72, 700, 472, 700), rule(72, 600, 472, 600)]
    content += [rule(x, 600, x, 700) for x in (72, 272, 472)]
    for at, (name, votes) in enumerate(left):
        content.append(row(685 - 13 * at, {76: name, 240: votes} if votes else {76: name}))
    for at, (name, votes) in enumerate(right):
        content.append(row(679 - 13 * at, {276: name, 440: votes} if votes else {276: name}))
    assert [[tuple(cells) for cells in found.rows] for found in tables(*content)] == [left, right]


def test_columns_of_one_table_are_no_lists_side_by_side() -> None:
    ys = [700.0 - 20 * at for at in range(7)]
    content = [grid([72, 172, 272, 372], ys)]
    content += [row(top - 14, {76: f"Item {at}", 180: f"{at}.50", 280: f"{at}.75"}) for at, top in enumerate(ys[:-1])]
    (found,) = tables(*content)
    assert found.rows[1] == ("Item 1", "1.50", "1.75")
    assert len(found.rows) == 6


def test_leaders_tell_rows_and_are_no_text_of_cells() -> None:
    (found,) = tables(
        *(rule(72, y, 472, y) for y in (700, 680, 620)),
        *(rule(x, 620, x, 700) for x in (72, 272, 372, 472)),
        row(686, {76: "Action", 276: "Parts cost", 376: "Total"}),
        row(666, {76: "Change of wiring ..............", 276: "$3,790 ...........", 376: "$10,505"}),
        row(652, {76: "Test of the sensors and their", 276: "$0 ...........", 376: "$3,400"}),
        row(639, {86: "cables"}),
        row(625, {76: "Revision .............................", 276: "$0 ...........", 376: "$85"}),
    )
    assert found.rows == (
        ("Action", "Parts cost", "Total"),
        ("Change of wiring", "$3,790", "$10,505"),
        ("Test of the sensors and their cables", "$0", "$3,400"),
        ("Revision", "$0", "$85"),
    )


def test_a_label_alone_in_a_cell_that_reaches_over_a_rule_spans_its_rows() -> None:
    (found,) = tables(
        *(rule(72, y, 372, y) for y in (700, 680, 620)),
        rule(172, 640, 372, 640),
        *(rule(x, 620, x, 700) for x in (72, 172, 272, 372)),
        row(686, {76: "Group", 176: "Route", 276: "Passengers"}),
        row(672, {176: "Europe", 276: "42,097"}),
        row(659, {76: "Abroad", 176: "Oceania", 276: "13,435"}),
        row(646, {176: "Guam", 276: "13,156"}),
        row(626, {176: "Total", 276: "68,688"}),
    )
    assert found.rows[1:] == (
        ("Abroad", "Europe", "42,097"), ("", "Oceania", "13,435"), ("", "Guam", "13,156"), ("", "Total", "68,688"),
    )  # fmt: skip
    assert Merge(1, 0, 4, 1) in found.merges


def test_heads_over_column_borders_that_begin_under_them_are_a_row() -> None:
    (found,) = tables(
        *(rule(72, y, 452, y) for y in (700, 660, 640, 620)),
        *(rule(x, 620, x, 700) for x in (72, 172, 312, 452)),
        *(rule(x, 620, x, 679) for x in (122, 242, 382)),
        row(686, {216: "Pawned", 356: "Redeemed"}),
        row(
            666,
            dict(zip((76, 126, 176, 246, 316, 386), ("State", "Permit", "Hand", "Long", "Hand", "Long"), strict=True)),
        ),
        row(646, dict(zip((76, 126, 176, 246, 316, 386), ("Alabama", "18", "14", "15", "21", "23"), strict=True))),
        row(626, dict(zip((76, 126, 176, 246, 316, 386), ("Alaska", "20", "9", "3", "10", "12"), strict=True))),
    )
    assert found.rows[:2] == (
        ("", "", "Pawned", "", "Redeemed", ""), ("State", "Permit", "Hand", "Long", "Hand", "Long"),
    )  # fmt: skip


def test_a_table_of_a_single_row_is_flagged() -> None:
    (found,) = tables(
        grid([72, 172, 272, 372], [700, 680]), row(686, {76: "Add file", 176: "Delete file", 276: "View file"})
    )
    assert found.confidence < UNCERTAIN_TABLE


def test_a_currency_that_stands_apart_from_its_figure_is_no_column() -> None:
    ys = [700.0 - 20 * at for at in range(6)]
    amounts = ("5.25", "13,931.75", "20,925.75", "7,152.50", "11,007.50")
    content = [row(top - 14, {76: f"Over {at}", 180: "$", 230: amounts[at]}) for at, top in enumerate(ys[:-1])]
    (found,) = tables(grid([72, 172, 292], ys), *content)
    assert [tuple(cells) for cells in found.rows] == [(f"Over {at}", f"$ {amounts[at]}") for at in range(5)]


def test_a_drawn_column_without_a_head_between_heads_is_flagged() -> None:
    rows = (("Labour", "2", "150", "300"), ("Paint", "1.5", "150", "225"))
    (found,) = tables(
        grid([72, 172, 252, 332, 412], [640, 660, 680, 700]),
        row(685, {90: "Hours", 256: "Rate", 336: "Cost"}),
        *(row(665 - 20 * at, dict(zip((76, 176, 256, 336), cells, strict=True))) for at, cells in enumerate(rows)),
    )
    assert found.rows[0] == ("Hours", "", "Rate", "Cost")
    assert found.confidence < UNCERTAIN_TABLE
    assert found.lines


def test_staves_of_music_are_no_tables() -> None:
    content: list[str] = []
    for top in (700.0, 640.0):
        content += [rule(72, top - 5 * at, 472, top - 5 * at) for at in range(5)]
        content += [rule(x, top - 20, x, top) for x in (72, 172, 272, 372, 472)]
        for x, name in ((80, "min"), (180, "maj"), (280, "aug"), (380, "dim")):
            content += [text(x, top + 4, name, size=9), text(x, top - 34, "third", size=9), text(x, top - 10, ".")]
    assert tables(*content) == []


def test_a_diagram_of_boxes_between_two_rules_is_no_table() -> None:
    content = [rule(72, 700, 472, 700), rule(72, 440, 472, 440)]
    for at in range(4):
        y = 660 - 54 * at
        content += [grid([200, 236], [y, y + 18]), grid([300, 336], [y + 9, y + 27]), rule(236, y + 14, 300, y + 14)]
        content += [rule(218, y, 218, y - 36)] if at < 3 else []
        content += [row(y + 5, {206: f"1.{at}", 306: f"1.1.{at}", 380: f"Release_{at}"})]
    assert tables(*content) == []


def box(x: float, y: float, side: float = 12) -> str:
    return f"{x} {y} {side} {side} re S\n"


def test_boxes_to_tick_in_a_cell_part_no_columns() -> None:
    ys = [700.0 - 24 * at for at in range(6)]
    content = [grid([72, 232, 312, 472], ys), row(684, {76: "Property", 236: "Value", 330: "Who owns"})]
    for at, name in enumerate(("House", "Car", "Boat", "Shares")):
        y = 660 - 24 * at
        content += [row(y, {76: name, 236: "$", 336: "M", 378: "P", 420: "R"})]
        content += [box(x, y - 2) for x in (320, 362, 404)]
    (found,) = tables(*content)
    assert found.rows[0] == ("Property", "Value", "Who owns")
    assert found.rows[2] == ("Car", "$", "[ ] M [ ] P [ ] R")
    assert found.confidence >= UNCERTAIN_TABLE


def test_questions_with_boxes_to_tick_are_no_table() -> None:
    content = [text(72, 712, "Please answer every question.")]
    for at, question in enumerate(("Went to school?", "Has a degree?", "Went to college?", "Has a licence?")):
        y = 680 - 24 * at
        content += [box(72, y - 2), box(136, y - 2), row(y, {88: "Yes", 152: "No", 210: question})]
    assert not tables(*content)


def test_squared_paper_is_no_table() -> None:
    assert not tables(grid([72.0 + 30 * at for at in range(11)], [700.0 - 30 * at for at in range(15)]))


def test_a_stamp_across_the_page_stands_in_no_cell() -> None:
    ys = [700.0 - 24 * at for at in range(7)]
    content = [grid([72, 232, 472], ys)]
    content += [row(top - 16, {76: f"Part {at}", 240: f"Made of {at} pieces"}) for at, top in enumerate(ys[:-1])]
    stamp = "BT /F1 60 Tf 0.6 g 0.707 0.707 -0.707 0.707 190 560 Tm (DRAFT) Tj ET 0 g\n"
    (found,) = tables(*content, stamp)
    assert found.rows == tuple((f"Part {at}", f"Made of {at} pieces") for at in range(6))


def test_bold_heads_of_two_lines_over_rows_that_are_ruled_are_one_row() -> None:
    xs = (39, 152, 225, 322, 418)
    content = [grid([*xs, 530], [700, 664, 640, 616, 592])]
    for x, upper, lower in zip(
        xs, ("OWED", "AMOUNT", "FOR", "SECURED", "WHOSE"), ("TO WHOM?", "OWED", "WHAT?", "BY?", "DEBT?"), strict=True
    ):
        content += [text(x + 4, 686, upper, font="F2"), text(x + 4, 672, lower, font="F2")]
    content += [row(y, {156: "$", 422: "M"}) for y in (648, 624, 600)]
    (found,) = tables(*content)
    assert found.rows[0] == ("OWED TO WHOM?", "AMOUNT OWED", "FOR WHAT?", "SECURED BY?", "WHOSE DEBT?")
    assert len(found.rows) == 4


def test_a_frame_with_a_badge_on_its_corner_is_no_table() -> None:
    badge = grid([440, 472], [700, 684]) + text(446, 688, "2.0", font="F2")
    assert not tables(grid([72, 472], [684, 640]), badge, text(76, 660, "int open(const char *name, int flags);"))


def test_a_drawn_head_without_rows_is_flagged() -> None:
    xs, heads = (72.0, 142.0, 212.0, 272.0, 332.0, 432.0, 522.0), ("Document", "Payee", "Dates of service", "", "Text")
    content = [rule(72, y, 522, y) for y in (700, 660)] + [rule(212, 680, 332, 680)]
    content += [rule(x, 660, x, 680 if x == 272 else 700) for x in xs]
    content += [text(x + 4, 686, head, size=8) for x, head in zip(xs, (*heads, "Amount"), strict=False) if head]
    content += [text(216, 666, "Start", size=8), text(276, 666, "End", size=8)]
    (found,) = tables(*content)
    assert found.rows == ((*heads, "Amount"), ("", "", "Start", "End", "", ""))
    assert found.confidence < UNCERTAIN_TABLE


def test_lines_of_cells_that_stand_further_apart_in_one_column_than_in_another_are_one_row() -> None:
    content, top = list[str](), 700.0
    rows = (("-a", "--all", "shows all results", "but no source"), ("-c", "--code", "shows the source", "as it is"))
    for short, long, first, second in rows:
        bottom = top - 34
        content += [grid([72, 150, 420], [top, bottom])]
        content += [text(76, top - 12, short, font="F3"), text(76, top - 27, long, font="F3")]
        content += [text(156, top - 12, first), text(156, top - 23, second)]
        top = bottom
    (found,) = tables(*content)
    assert [list(cells) for cells in found.rows] == [[f"{a} {b}", f"{c} {d}"] for a, b, c, d in rows]


def test_filled_names_of_columns_part_those_that_no_rule_does() -> None:
    sides, rows = (72, 200, 260, 300, 380), (("Nougat", "4,55", "10%", "81,90"), ("Biscuits", "3,20", "", "48,00"))
    content = [f"q 0.9 g {x0} 680 {x1 - x0} 20 re f Q " for x0, x1 in pairwise(sides)]
    content += [grid([72, 200, 300, 380], [700, 680, 660, 640])]
    content.append(row(686, dict(zip((76, 204, 264, 304), ("Sweet", "Price", "Off", "Sum"), strict=True))))
    content += [
        row(666 - 20 * at, {76: name, 236: price, 263: off, 340: total})
        for at, (name, price, off, total) in enumerate(rows)
    ]  # fmt: skip
    (found,) = tables(*content)
    assert [tuple(cells) for cells in found.rows] == [("Sweet", "Price", "Off", "Sum"), *rows]


def test_text_too_long_for_its_cell_is_the_cells_and_no_paragraph_beside_the_grid() -> None:
    rows = [
        ("Name", "Depth", "Found"), ("Kiel", "12", "in spring"),
        ("Dover", "15", "after the ice had gone, by boats of the pilots and of others"), ("Calais", "9", "in June"),
    ]  # fmt: skip
    content = grid([72, 150, 230, 300], [600, 620, 640, 660, 680])
    for at, cells in enumerate(rows):
        content += row(666 - 20 * at, dict(zip((76, 154, 234), cells, strict=True)))
    beside = text(310, 666, "as told") + text(310, 606, "as told")
    (found,) = tables(content)
    assert found.rows == tuple(rows)
    (found,) = tables(content, beside)
    assert found.rows == tuple(rows)
    level = text(540, 626, "as told")  # another thing stands behind it
    assert not any("boats of the pilots" in cell for cells in tables(content, level)[0].rows for cell in cells)


def test_tables_below_one_another_that_borders_join_are_two_where_an_empty_row_parts_other_columns() -> None:
    upper, lower = [72.0, 132.0, 192.0, 252.0, 312.0, 372.0], [72.0, 162.0, 250.0]
    ys = [700.0 - 20 * at for at in range(9)]
    content = [grid(upper, ys[:4]), grid(lower, ys[5:]), rule(72, ys[3], 72, ys[5]), rule(372, ys[3], 372, ys[5])]
    content += [text(x + 3, y - 14, f"{name}{at}") for at, y in enumerate(ys[:3]) for x, name in
                zip(upper[:-1], "abcde", strict=True)]  # fmt: skip
    content += [
        text(x + 3, y - 14, f"{name}{at}") for at, y in enumerate(ys[5:-1]) for x, name in ((72, "p"), (162, "q"))
    ]
    first, second = tables(*content, rule(72, ys[5], 372, ys[5]))
    assert first.rows == tuple(tuple(f"{name}{at}" for name in "abcde") for at in range(3))
    assert second.rows == tuple((f"p{at}", f"q{at}") for at in range(3))


def test_an_empty_row_of_a_drawn_table_parts_nothing_where_the_columns_go_on() -> None:
    ys = [700.0 - 20 * at for at in range(7)]
    lines = [("a", "b", "c"), ("d", "e", "f"), ("", "", ""), ("g", "h", "i"), ("j", "k", "l"), ("m", "n", "o")]
    content = [text(x + 3, y - 14, name) for y, line in zip(ys, lines, strict=False) for x, name in
               zip((72, 172, 272), line, strict=True) if name]  # fmt: skip
    (found,) = tables(grid([72, 172, 272, 372], ys), *content)
    assert found.rows == tuple(lines)


def test_lines_under_heads_between_three_rules_are_rows_where_each_had_room_on_the_one_before() -> None:
    rows = (
        ("R", "Roman", ("Upright design",)),
        ("I", "Italic", ("Italic design, slanted clockwise",)),
        ("O", "Oblique", ("Obliqued upright design, slanted", "clockwise")),
        ("RI", "Reverse Italic", ("Italic design, slanted the other way",)),
        ("OT", "Other", ("Other",)),
    )
    content = [row(700, {76: "Code", 130: "Translation", 230: "Description"}, font="F2")]
    y = 684
    for code, name, said in rows:
        content.append(row(y, {76: code, 130: name}))
        for line in said:
            content.append(text(230, y, line))
            y -= 14
    frame = [rule(72, at, 420, at) for at in (714, 696, y + 6)]
    frame += [f"{x} 714 m {x} {y + 6} l S\n" for x in (72, 126, 226, 420)]
    (found,) = tables(*frame, *content)
    assert found.rows[1:] == tuple((code, name, " ".join(said)) for code, name, said in rows)


def test_column_borders_drawn_line_by_line_part_no_lines_of_a_cell() -> None:
    """As TeX draws them: a piece of each for each line of text, rules between rows alone."""
    lines = [("", "", "Callee"), ("Register", "Usage", "saves")]
    lines += [(f"%r{at}", "scratch register", "no") for at in range(4)]
    lines += [("%st", "returns long values", "no"), ("", "aliased with others", ""), ("%rbx", "base pointer", "yes")]
    content = [rule(72, 714, 372, 714)]
    for at, line in enumerate(lines):
        y = 700 - 14 * at
        content += [rule(x, y, x, y + 14) for x in (72, 152, 312, 372)]
        content.append(row(y + 4, {x: cell for x, cell in zip((76, 156, 316), line, strict=True) if cell}))
        content += [] if at in (0, 6) else [rule(72, y, 372, y)]
    (found,) = tables(*content)
    assert found.rows[0] == ("Register", "Usage", "Callee saves")
    assert found.rows[5:] == (("%st", "returns long values aliased with others", "no"), ("%rbx", "base pointer", "yes"))
