"""Which lines of a PDF's table are one row: labels between rows, names of programs, hyphens and sentence spaces."""

from __future__ import annotations

from support.formats.pdf_builder import Pdf, grid, lines, rule, text
from support.formats.pdf_prose import read_pdf, row, table
from support.formats.plugin_reading import of

from sidecar.api import UNCERTAIN_TABLE, Paragraph, Table


def test_dots_set_one_by_one_lead_to_page_numbers_and_are_no_cells() -> None:
    pdf = Pdf()
    pdf.page(
        "".join(
            text(80, y, name) + "".join(text(160 + 5 * dot, y, ".") for dot in range(60)) + text(480, y, page)
            for y, name, page in ((700, "What it is", "1"), (688, "How to install", "2"), (676, "Uses", "7"))
        )
    )
    document = read_pdf(pdf)
    assert not of(document, Table)
    shown = " ".join(block.text for block in of(document, Paragraph))
    assert shown == "What it is … 1 How to install … 2 Uses … 7"


def test_labels_in_the_middle_of_rows_stand_in_the_first_of_them_without_rules_between() -> None:
    figures = ("4.60", "4.80", "100.00", "99.00", "98.80", "75.50")
    found = table(
        rule(72, 712, 400, 712),
        row(700, {76: "Relation", 180: "Impact", 300: "Power"}),
        rule(72, 696, 400, 696),
        *(row(684 - 12 * at, {180: "Yes" if at % 2 else "No", 300: value}) for at, value in enumerate(figures)),
        *(text(76, 678 - 24 * at, name) for at, name in enumerate(("Random", "Linear", "Quadratic"))),
        rule(72, 618, 400, 618),
    )
    assert [cells[0] for cells in found.rows] == ["Relation", "Random", "", "Linear", "", "Quadratic", ""]
    assert [cells[2] for cells in found.rows] == ["Power", *figures]


def test_a_call_below_a_call_is_a_row_of_its_own() -> None:
    found = table(
        rule(72, 712, 400, 712),
        row(700, {76: "setup()", 200: "write_init_trace()"}),
        row(688, {200: "write_pause_recording()"}),
        row(676, {76: "set_filename()", 200: "write_set_filename()"}),
        row(664, {200: "write_resume_recording()"}),
        row(652, {76: "flush()", 200: "write_buffer_flush()"}),
        rule(72, 648, 400, 648),
    )
    assert [cells[1] for cells in found.rows] == [
        "write_init_trace()", "write_pause_recording()", "write_set_filename()", "write_resume_recording()",
        "write_buffer_flush()",
    ]  # fmt: skip


def test_a_call_below_a_call_in_the_last_of_three_columns_is_a_row_of_its_own() -> None:
    found = table(
        rule(72, 712, 400, 712),
        row(700, {76: "setup()", 160: "to", 200: "write_init_trace()"}),
        row(688, {200: "write_pause_recording()"}),
        row(676, {76: "set_filename()", 160: "to", 200: "write_set_filename()"}),
        row(664, {200: "write_resume_recording()"}),
        row(652, {76: "flush()", 160: "to", 200: "write_buffer_flush()"}),
        rule(72, 648, 400, 648),
    )
    assert [cells[-1] for cells in found.rows] == [
        "write_init_trace()", "write_pause_recording()", "write_set_filename()", "write_resume_recording()",
        "write_buffer_flush()",
    ]  # fmt: skip


def test_hyphens_of_addresses_and_before_figures_stay_in_cells() -> None:
    found = table(
        *(rule(72, y, 400, y) for y in (712, 680, 648, 616)),
        *(f"{x} 616 m {x} 712 l S\n" for x in (72, 230, 400)),
        lines(76, 700, ["http://deb.example/mirror-", "security/"]),
        text(240, 700, "the mirror of all packages"),
        lines(76, 668, ["the standard ISO-", "9001 of the year"]),
        text(240, 668, "what it asks of a company"),
        lines(76, 636, ["a mass spectro-", "meter of iron"]),
        text(240, 636, "a device that weighs ions"),
    )
    assert [cells[0] for cells in found.rows] == [
        "http://deb.example/mirror-security/", "the standard ISO-9001 of the year", "a mass spectrometer of iron",
    ]  # fmt: skip


def test_rows_that_begin_with_long_words_do_not_tell_that_cells_carry_words_whole() -> None:
    said = ["Produce", "Optimization", "Alternate name", "Disable", "Appropriate"]
    ys = [712.0 - 14 * at for at in range(len(said) + 1)]
    found = table(
        grid([72, 150, 400], sorted([*ys, 612.0])),
        *(text(76, y - 11, f"-{word[0]}") + text(154, y - 11, word) for y, word in zip(ys, said, strict=False)),
        text(76, 631, "-r")
        + lines(154, 631, ["Attempt to put unshared data into shared memory if the mini-", "sation fails"]),
    )
    assert found.rows[-1][1].endswith("into shared memory if the minisation fails")


def test_the_wider_space_behind_a_full_stop_parts_no_head() -> None:
    found = table(
        rule(72, 712, 400, 712),
        row(700, {76: "Impact", 230: "Vol.", 251.7: "sold"}),
        rule(200, 697, 320, 697),
        row(685, {210: "2", 250: "5", 290: "25"}),
        rule(72, 681, 400, 681),
        *(
            row(669 - 12 * at, {76: name, 210: "4", 250: "8", 290: "16"})
            for at, name in enumerate(("No", "Yes", "All"))
        ),
        rule(72, 640, 400, 640),
    )
    assert found.rows[:3] == (("Impact", "Vol. sold", "", ""), ("", "2", "5", "25"), ("No", "4", "8", "16"))


def test_what_the_file_sets_apart_is_a_cell_however_close_it_stands() -> None:
    rows = (("Kind of duck", "Where it lives"), ("Wood duck", "ponds and rivers"), ("Teal", "marshes"))
    assert table(*(row(660 - 26 * at, {72: one, 135: two}) for at, (one, two) in enumerate(rows))).rows == rows


def test_lines_of_a_cell_under_one_another_belong_to_the_row_that_opened() -> None:
    found = table(
        row(660, {72: "Format", 180: "How spans are kept"}),
        row(646, {72: "Plain JSON", 180: "The whole model is written,"}),
        row(634, {180: "with all its fields of rows,"}),
        row(622, {180: "and those of columns."}),
        row(608, {72: "HTML", 180: "By attributes of the cells."}),
        row(594, {72: "Markdown", 180: "Flattened: the text stands"}), row(582, {180: "in the first cell alone."}),
    )  # fmt: skip
    assert [cells[0] for cells in found.rows] == ["Format", "Plain JSON", "HTML", "Markdown"]
    assert found.rows[1][1] == "The whole model is written, with all its fields of rows, and those of columns."


def test_items_of_a_list_are_no_rows() -> None:
    pdf = Pdf()
    items = ("Open the lid of the box", "Take out both of the screws", "Close it", "Turn it on again")
    pdf.page("".join(row(660 - 14 * at, {72: f"{at + 1}.", 100: item}) for at, item in enumerate(items)))
    assert not of(read_pdf(pdf), Table)


def test_rules_over_sums_do_not_part_a_table_without_rules_at_its_ends() -> None:
    names = ("Intangible assets", "Buildings", "Deferred tax", "Total assets")
    found = table(
        row(700, {72: "Position", 260: "Note", 300: "Actual", 360: "Budget"}),
        *(row(688 - 12 * at, {72: name, 300: f"{at + 1},204", 360: f"{at + 2},310"}) for at, name in enumerate(names)),
        rule(72, 661, 400, 661),
        *(row(640 - 12 * at, {72: name, 300: f"{at + 5},204", 360: f"{at + 6},310"}) for at, name in enumerate(names)),
        row(640, {262: "21"}),
        rule(72, 613, 400, 613),
        row(592, {72: "Net worth", 300: "9,000", 360: "9,900"}),
    )
    assert found.rows[0] == ("Position", "Note", "Actual", "Budget")
    assert [cells[0] for cells in found.rows[1:]] == [*names, *names, "Net worth"]
    assert [cells[1] for cells in found.rows if cells[1]] == ["Note", "21"]


def test_cells_in_the_middle_of_a_row_stand_beside_the_lines_of_the_others() -> None:
    found = table(
        row(700, {72: "Property", 180: "Value", 280: "Remarks"}),
        rule(72, 696, 460, 696),
        row(684, {72: "Voltage", 180: "24 V", 280: "measured at the terminals"}),
        row(672, {280: "at full load and an ambient"}),
        row(666, {72: "Power", 180: "9.5 W"}),
        row(660, {280: "temperature of the room"}),
        row(648, {72: "Weight", 180: "718 g", 280: "without mounting plate"}),
        rule(72, 644, 460, 644),
    )
    assert found.rows[2] == ("Power", "9.5 W", "at full load and an ambient temperature of the room")
    assert [cells[0] for cells in found.rows] == ["Property", "Voltage", "Power", "Weight"]


def test_labels_with_their_values_in_cells_are_flagged_and_a_full_table_of_close_columns_is_not() -> None:
    form = table(
        rule(72, 712, 460, 712),
        row(700, {72: "Name: Smith", 200: "Room: 12", 330: "Ward: East"}),
        row(688, {72: "Sex: female", 200: "Age: 50", 330: "Bed: 4"}),
        row(676, {72: "Taken: today", 200: "Sent: today", 330: "Kind: blood"}),
        rule(72, 672, 460, 672),
    )
    full = table(
        rule(72, 712, 200, 712),
        row(700, {72: "Item", 104: "Type", 140: "Sold"}),
        rule(72, 696, 200, 696),
        *(row(684 - 12 * at, {72: f"K{at}", 104: "wood", 140: f"{at}0"}) for at in range(4)),
        rule(72, 644, 200, 644),
    )
    assert form.confidence < UNCERTAIN_TABLE <= full.confidence


def test_rows_of_cells_set_in_their_middle_are_told_where_none_stands_on_a_line_with_another() -> None:
    found = table(
        rule(72, 712, 460, 712),
        row(700, {76: "You want to", 300: "Use"}),
        rule(72, 696, 460, 696),
        row(680, {76: "Call it over the network from any"}),
        row(671, {300: "the server, hosted by yourself"}),
        row(662, {76: "language, or share one service"}),
        row(653, {300: "or by others"}),
        row(644, {76: "between many"}),
        row(620, {76: "Run it directly within one"}),
        row(611, {300: "the library"}),
        row(602, {76: "application"}),
        row(578, {76: "Offer it to an agent", 300: "the tools"}),
        rule(72, 570, 460, 570),
    )
    assert list(found.rows) == [
        ("You want to", "Use"),
        (
            "Call it over the network from any language, or share one service between many",
            "the server, hosted by yourself or by others",
        ),
        ("Run it directly within one application", "the library"),
        ("Offer it to an agent", "the tools"),
    ]


def test_lines_of_two_cells_that_had_no_room_go_on_in_the_row_above() -> None:
    found = table(
        rule(72, 712, 460, 712),
        row(700, {76: "Matching rules", 200: "Result", 300: "Explanation"}),
        rule(72, 696, 460, 696),
        row(684, {76: "Global allow", 200: "Allow", 300: "The global rule matches"}),
        row(672, {76: "Global allow,", 200: "Deny", 300: "The rule of the parent"}),
        row(660, {76: "parent deny", 300: "prevails as it is nearer"}),
        row(648, {76: "Nothing matches", 200: "Deny", 300: "That is the default"}),
        rule(72, 640, 460, 640),
    )
    assert found.rows[2] == ("Global allow, parent deny", "Deny", "The rule of the parent prevails as it is nearer")
    assert [cells[0] for cells in found.rows[3:]] == ["Nothing matches"]


def test_cells_whose_lines_end_early_at_the_same_heights_are_flagged() -> None:
    rows = [
        ("Ambient temperature", "from -5 to 61"),
        ("Protection class", "IP56"),
        ("Voltage at the outer two clamps, either way", "12, 24 or 48 as is set"),
    ]
    content = [grid([72, 272, 402, 472], [700, 680, 644, 624]), row(686, {76: "Property", 276: "Value", 406: "Unit"})]
    for at, (name, value) in enumerate(rows):
        content.append(row(668 - 16 * at if at < 2 else 630, {76: name, 276: value}))
    found = table(*content, row(668, {406: "C"}), row(630, {406: "V"}))
    assert found.rows[1][0] == "Ambient temperature Protection class"
    assert found.confidence < UNCERTAIN_TABLE


def test_a_table_with_short_text_beside_its_rows_is_flagged() -> None:
    names = ("dominant", "additive", "recessive", "neither")
    content = [grid([172, 272, 372, 472], [700.0 - 18 * at for at in range(5)])]
    for at, name in enumerate(names):
        content.append(row(687 - 18 * at, {176: f"{at}.50", 276: f"{at}.75", 376: f"{at}.25"}))
        content.append(row(687 - 18 * at, {100: name}))
    assert table(*content).confidence < UNCERTAIN_TABLE


def test_lines_of_figures_between_two_rules_are_rows_of_their_own() -> None:
    groups = [
        ("0", "0", ("0", "16.7", "14.8"), ("25", "27.0", "15.4"), ("85", "40.7", "15.3")),
        ("1.5", "56", ("0", "25.4", "15.6"), ("25", "27.0", "15.4"), ("85", "30.5", "15.0")),
        ("4.0", "150", ("0", "26.2", "15.6"), ("25", "27.0", "15.4"), ("85", "28.5", "15.1")),
    ]
    content = [rule(72, 712, 400, 712), row(700, {76: "Drop", 140: "Resistor", 210: "Heat", 280: "Bias", 350: "Gain"})]
    y, rows = 690.0, list[tuple[str, ...]]()
    for drop, resistor, *values in groups:
        content += [rule(72, y, 400, y), row(y - 12, {76: drop, 140: resistor})]
        for at, cells in enumerate(values):
            content.append(row(y - 12 - 11 * at, dict(zip((210, 280, 350), cells, strict=True))))
            rows.append((drop, resistor, *cells) if not at else ("", "", *cells))
        y -= 42
    found = table(*content, rule(72, y, 400, y))
    assert found.rows == (("Drop", "Resistor", "Heat", "Bias", "Gain"), *rows)


def test_labels_without_values_between_rows_of_the_same_columns_do_not_part_their_table() -> None:
    rows = (
        ("Invert", "Lancaster", "4"), ("Logit", "", "12"), ("Mean", "Edgington", "1"),
        ("Median", "", ""), ("Middle", "", ""), ("Most", "", ""), ("Sum", "Fisher", "9"),
        ("Wilkinson weighted", "", "22"),
    )  # fmt: skip
    content = [
        row(700 - 12 * at, {x: cell for x, cell in zip((76, 180, 300), cells, strict=True) if cell})
        for at, cells in enumerate(rows)
    ]
    assert table(*content).rows == rows
    apart = [*content[:3], *(row(700 - 12 * at, {76: "See the notes of this annex at its end."}) for at in (3, 4, 5))]
    assert table(*apart, *content[6:]).rows == rows[:3]


REGISTERS = (("name", "size", "comments"), ("TRAP", "1", "interval timer trap flag"), ("TIME", "24", "tick delay"))


def registers(*further: tuple[str, str, str]) -> list[str]:
    lines = [*REGISTERS, *further]
    return [
        row(700 - 12 * at - 4 * (at > 0), {x: cell for x, cell in zip((76, 180, 260), cells, strict=True) if cell})
        for at, cells in enumerate(lines)
    ]


def test_two_rows_of_figures_nearer_to_one_another_than_to_their_heads_are_two() -> None:
    assert table(*registers()).rows == REGISTERS


def test_a_line_in_the_last_column_alone_goes_on_a_row_though_there_was_room() -> None:
    multi, user = ("MULTI", "1", "multiple tags"), ("USERM", "1", "mode of the user, from the console")
    found = table(*registers(multi, ("", "", "always on"), user))
    assert found.rows == (*REGISTERS, ("MULTI", "1", "multiple tags always on"), user)


def test_the_last_line_of_a_cell_far_longer_than_the_others_is_left_to_it() -> None:
    poll = ("POLL", "8", "interval of input polling (if 0, the keyboard is polled")
    found = table(*registers(poll, ("", "", "with the clock of the console itself)")))
    assert found.rows == (*REGISTERS, (*poll[:2], f"{poll[2]} with the clock of the console itself)"))


def test_lines_of_text_before_a_table_are_left_to_it_though_the_first_has_two_pieces() -> None:
    before = text(72, 736, "Naming scheme")
    before += text(156, 736, "The naming scheme is an extension of the predefined math alphabets, which has the")
    before += text(72, 724, "commands with the short-cuts that were established for all of the other packages then:")
    rows = (
        ("bf", "bold"),
        ("it", "italic"),
        ("cal", "script (calligraphic)"),
        ("frak", "fraktur"),
        ("sf", "sans serif"),
    )
    assert table(before, *(row(700 - 15 * at, {190: a, 240: b}) for at, (a, b) in enumerate(rows))).rows == rows


def test_a_row_of_several_lines_is_one_where_rules_set_every_row_apart() -> None:
    ys = [712.0, 694.0, 676.0, 658.0, 628.0, 598.0, 568.0]
    rows = [
        ("Call", "What it does"),
        ("node", "tells where it runs"),
        ("nodes", "tells of all"),
        ("monitor", "watches a node and\ntells what it does"),
        ("leave", "leaves all of them\nand stays alone"),
        ("spawn(Node,\nwith_options)", "begins a process\nelsewhere"),
    ]
    content = ""
    for top, (call, what) in zip(ys, rows, strict=False):
        content += lines(76, top - 12, call.split("\n"), size=9, font="F1" if call == "Call" else "F3")
        content += lines(204, top - 12, what.split("\n"), size=9)
    found = table(grid([72, 200, 320], ys), content)
    assert found.rows == tuple((call.replace("\n", " "), what.replace("\n", " ")) for call, what in rows)
