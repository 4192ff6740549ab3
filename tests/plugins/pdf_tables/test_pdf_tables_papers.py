"""Tables as LaTeX sets them in papers: a single rule beside the labels, heads as close as words, blanks wider or
narrower than usual, labels beside several levels or rows, turned ones among them, and matrices, which are none."""

from __future__ import annotations

from support.formats.pdf_builder import Pdf, rule, text
from support.formats.pdf_prose import read_pdf
from support.formats.plugin_reading import of

from sidecar.api import UNCERTAIN_TABLE, Merge, ParsedDocument, Table

THOUSANDTHS = {
    222: "ijl", 278: "ft.,I", 333: "r()-", 500: "cksvxyJ", 556: "0123456789−abdeghnopquL", 584: "+", 611: "FTZz",
    667: "ABEKPSVXY", 722: "CDHNRUw", 778: "OGQ", 833: "mM", 889: "%", 944: "W",
}  # fmt: skip
WIDTHS = {char: width for width, chars in THOUSANDTHS.items() for char in chars}
"""Of Helvetica's characters, in thousandths of the size."""
SIZE = 10


def width(word: str) -> float:
    return sum(WIDTHS[char] for char in word) * SIZE / 1000


def spaced(x: float, y: float, words: str, blank: float = 0.278) -> str:
    """Words from x on, as far apart as a blank of so many ems, which is not written."""
    made = ""
    for word in words.split():
        made += text(round(x, 3), y, word)
        x += width(word) + blank * SIZE
    return made


def centred(x: float, y: float, words: str, blank: float = 0.278) -> str:
    whole = sum(map(width, words.split())) + blank * SIZE * words.count(" ")
    return spaced(x - whole / 2, y, words, blank)


def read(*content: str) -> ParsedDocument:
    pdf = Pdf()
    pdf.page("".join(content))
    return read_pdf(pdf)


def table(*content: str) -> Table:
    """The one table of a page of these operators."""
    (found,) = of(read(*content), Table)
    return found


FIGURES = (
    ("DETR", "82.1", "76.5", "90.2"),
    ("Mask R-CNN", "79.4", "71.0", "88.8"),
    ("Faster R-CNN", "77.0", "70.3", "8.1"),
)
LABEL, COLUMNS = 72, (190, 225, 260)


def rows(top: float, columns: tuple[float, ...] = COLUMNS, blank: float = 0.278) -> str:
    """The figures, 12 points from line to line."""
    made = ""
    for at, (label, *values) in enumerate(FIGURES):
        made += spaced(LABEL, top - 12 * at, label, blank)
        made += "".join(centred(x, top - 12 * at, value) for x, value in zip(columns, values, strict=True))
    return made


def rules(*heights: float, right: float = 290) -> str:
    return "".join(rule(LABEL - 4, y, right, y) for y in heights)


def heads(y: float, names: tuple[str, ...], columns: tuple[float, ...] = COLUMNS, blank: float = 0.278) -> str:
    return "".join(centred(x, y, name, blank) for x, name in zip(columns, names, strict=True))


def test_a_rule_beside_the_labels_alone_leaves_the_other_columns_to_white_space() -> None:
    columns = (190.0, 216.0, 242.0)
    content = rules(712, 698, 656, right=260) + rule(150, 712, 150, 656)
    content += text(LABEL, 702, "Model") + heads(702, ("Acc", "Rec", "Prec"), columns) + rows(688, columns)
    assert table(content).rows == (("Model", "Acc", "Rec", "Prec"), *FIGURES)


def test_rules_under_groups_of_heads_part_no_rows_beside_a_rule_down() -> None:
    content = rules(724, 698, 656) + rule(150, 724, 150, 656) + rule(175, 711, 290, 711)
    content += centred(225, 715, "Test") + text(LABEL, 702, "Model") + heads(702, ("Acc", "Rec", "Prec")) + rows(688)
    assert table(content).rows == (("", "Test", "", ""), ("Model", "Acc", "Rec", "Prec"), *FIGURES)


def test_heads_as_close_as_words_stand_over_the_columns_they_are_set_as() -> None:
    columns = (190.0, 218.0, 246.0)  # 2.5 points between heads, and 8 between figures
    content = rules(712, 698, 656) + text(LABEL, 702, "Model")
    content += heads(702, ("Macro", "Prec.", "Micro"), columns) + rows(688, columns)
    assert table(content).rows == (("Model", "Macro", "Prec.", "Micro"), *FIGURES)


def test_a_label_between_two_levels_of_heads_belongs_to_the_first() -> None:
    content = rules(726, 698, 656) + rule(175, 713, 290, 713) + centred(225, 717, "Test set")
    content += text(LABEL, 709, "Model") + heads(702, ("Acc", "Rec", "Prec")) + rows(688)
    assert table(content).rows == (("Model", "Test set", "", ""), ("", "Acc", "Rec", "Prec"), *FIGURES)


def test_blanks_as_wide_as_in_small_sizes_part_no_columns() -> None:
    columns = (190.0, 232.0, 274.0)
    content = rules(712, 698, 656, right=300) + text(LABEL, 702, "Model")
    content += heads(702, ("Time (s)", "Gap (%)", "Set (a)"), columns, 0.42) + rows(688, columns, 0.42)
    assert table(content).rows == (("Model", "Time (s)", "Gap (%)", "Set (a)"), *FIGURES)


def test_columns_little_farther_apart_than_narrow_blanks_are_columns() -> None:
    names = ("Self attention", "State space bar", "Long time ago", "Post hoc tests")
    left = LABEL + max(sum(map(width, n.split())) + 2.5 * n.count(" ") for n in names) + 3.7
    content = rules(712, 698, 644) + text(LABEL, 702, "Name") + text(left, 702, "Cost")
    values = ("low or none", "very high", "linear in n", "no one can say")
    for at, (name, value) in enumerate(zip(names, values, strict=True)):
        content += spaced(LABEL, 688 - 12 * at, name, 0.25) + spaced(left, 688 - 12 * at, value, 0.25)
    assert table(content).rows == (("Name", "Cost"), *zip(names, values, strict=True))


def test_a_line_of_close_figures_is_no_running_text_that_parts_tables() -> None:
    columns = tuple(172.0 + 26 * at for at in range(8))
    values = [[f"{10 * row + at}.5" for at in range(8)] for row in range(1, 4)]
    content = rules(712, 698, 656, right=372) + rule(LABEL - 4, 684, 372, 684)
    content += text(LABEL, 702, "Model") + heads(702, ("Acc", "EM", "Acc", "EM", "Acc", "EM", "Acc", "EM"), columns)
    for at, row in enumerate(values):
        content += spaced(LABEL, 688 - 13 * at, "Long name beside") + heads(688 - 13 * at, tuple(row), columns)
    assert table(content).rows[1:] == tuple(("Long name beside", *row) for row in values)


def test_a_turned_label_beside_rows_is_their_first_column() -> None:
    content = rules(726, 698, 656) + rule(175, 713, 290, 713) + centred(225, 717, "Predicted")
    content += heads(702, ("cat", "dog", "bird")) + rows(688)
    content += "q BT /F1 8 Tf 0 1 -1 0 62 662 Tm (Actual) Tj ET Q\n" + rule(50, 726, 68, 726) + rule(50, 656, 68, 656)
    content += rule(50, 698, 68, 698)
    found = table(content)
    label, *others = FIGURES
    assert found.rows[2:] == (("Actual", *label), *(("", *row) for row in others))
    assert Merge(2, 0, 3, 1) in found.merges
    assert found.confidence >= UNCERTAIN_TABLE


def test_a_raised_negative_power_is_told_from_its_number() -> None:
    content = rules(712, 698, 656) + text(LABEL, 702, "Setting") + text(190, 702, "Value")
    for at, (name, value) in enumerate((("Rate", "10"), ("Decay", "0.5"), ("Steps", "300"))):
        content += text(LABEL, 688 - 12 * at, name) + text(190, 688 - 12 * at, value)
    content += text(190 + width("10"), 692, "-4", size=7)
    assert table(content).rows[1] == ("Rate", "10^-4")


def test_a_matrix_in_brackets_of_several_lines_is_no_table() -> None:
    ys, xs = (700, 686, 672, 658), (150, 190, 230, 270)
    cells = "".join(text(x, y, f"{at}.{x % 70}") for at, y in enumerate(ys) for x in xs)
    signs = "".join(f"q BT /F1 12 Tf 1 0 0 4 {x} 664 Tm (\\{sign}) Tj ET Q\n" for x, sign in ((144, "("), (290, ")")))
    assert len(of(read(cells), Table)) == 1
    assert not of(read(cells, signs), Table)


def test_a_figure_with_another_in_brackets_is_one_value() -> None:
    content = rules(712, 698, 656) + text(LABEL, 702, "Group") + heads(702, ("Treated", "Control"), (190, 260))
    for at, name in enumerate(("Female", "Male", "Older")):
        y = 688 - 12 * at
        content += text(LABEL, y, name) + spaced(170, y, f"4{at} (35.{at}%)") + spaced(240, y, f"1{at} (92.{at}%)")
    assert table(content).confidence >= 0.9


def test_wide_heads_over_rules_of_their_own_span_what_the_rules_span() -> None:
    columns = (190.0, 222.0, 254.0, 286.0)
    content = rules(726, 698, 656, right=310) + rule(176, 713, 236, 713) + rule(240, 713, 300, 713)
    content += centred(206, 717, "PubTables-20") + centred(270, 717, "CIFAR-10.20")
    content += heads(702, ("Prec", "Rec", "Prec", "Rec"), columns)
    for at, label in enumerate(("DETR", "GAT", "XLS")):
        content += text(LABEL, 688 - 12 * at, label) + heads(688 - 12 * at, ("1.5", "2.5", "3.5", "4.5"), columns)
    found = table(content)
    assert found.rows[0] == ("", "PubTables-20", "", "CIFAR-10.20", "")
    assert {Merge(0, 1, 1, 2), Merge(0, 3, 1, 2)} <= set(found.merges)


def test_numbers_of_items_are_no_column_before_their_names() -> None:
    content = rules(712, 698, 644) + text(LABEL, 702, "Variable") + heads(702, ("Mean", "Min"), (190, 240))
    for at, name in enumerate(("Income", "Stress", "Sleep", "Mood")):
        y = 688 - 12 * at
        content += text(LABEL, y, f"{at + 1}.") + text(LABEL + width("1.") + 4.7, y, name)
        content += heads(y, (f"{at}.25", f"{at}.5"), (190, 240))
    assert [row[0] for row in table(content).rows[1:]] == ["1. Income", "2. Stress", "3. Sleep", "4. Mood"]


def test_the_label_beside_turned_heads_is_one_of_them() -> None:
    content = rules(760, 698, 656) + text(LABEL, 702, "System") + rows(688)
    for x, name in zip(COLUMNS, ("Scans", "Tagged", "Offline"), strict=True):
        content += f"q BT /F1 9 Tf 0 1 -1 0 {x + 3} 702 Tm ({name}) Tj ET Q\n"
    assert table(content).rows == (("System", "Scans", "Tagged", "Offline"), *FIGURES)


def test_rows_of_single_words_under_a_label_are_rows_though_the_words_had_no_room_above() -> None:
    cells = (("nul", "true", "Probably", "Maybe"), ("", "false", "Definitely", "Certainly"))
    cells += (("dev", "true", "Maybe", "Probably"), ("", "false", "Certainly", "Definitely"))
    content = rules(712, 698, 644, right=310)
    content += "".join(
        text(x, 702, name) for x, name in zip((72, 130, 180, 250), ("File", "Is", "A", "B"), strict=True)
    )
    for at, row in enumerate(cells):
        content += "".join(
            text(x, 688 - 13 * at, cell) for x, cell in zip((72, 130, 180, 250), row, strict=True) if cell
        )
    assert table(content).rows[1:] == cells


def grouped(groups: list[list[tuple[str, ...]]], columns: tuple[int, ...], names: tuple[str, ...], right: int) -> str:
    """Groups of lines between rules, 13 points from line to line, under the names of columns."""
    content = rules(712, 698, right=right)
    content += "".join(text(x, 702, name) for x, name in zip(columns, names, strict=True))
    y = 698
    for group in groups:
        for line in group:
            y -= 13
            content += "".join(text(x, y, cell) for x, cell in zip(columns, line, strict=True) if cell)
        y -= 5
        content += rules(y, right=right)
    return content


def test_lines_that_fill_all_columns_between_rules_are_rows_though_names_had_no_room_beside() -> None:
    names = ("Name", "Code", "Kind", "Data")
    first = [
        ("Robinson events counted", "events", "loss", "dist"),
        ("Robinson deviations seen", "deviations", "loss", "dist"),
        ("Banded Robinson form", "banded", "loss", "dist"),
        ("Hamiltonian path length", "length", "loss", "dist"),
    ]
    second = [
        ("Measure of effectiveness", "measure", "merit", "matrix"),
        ("Stress within columns", "stress", "loss", "matrix"),
        ("Stress within neighbours", "near", "loss", "matrix"),
    ]
    found = table(grouped([first, second], (72, 220, 300, 350), names, 390))
    assert found.rows == (names, *first, *second)


def test_lists_side_by_side_under_one_label_between_rules_are_rows() -> None:
    names = ("Family", "Distribution", "Root")
    first = [("Pareto", "Feller Pareto", "fpareto")]
    first += [
        ("", name, root)
        for name, root in (
            ("Burr", "burr"),
            ("Loglogistic", "llogis"),
            ("Single parameter form of it", "pone"),
            ("Inverse", "inv"),
        )
    ]
    second = [("Gamma", "Gamma", "gamma"), ("", "Inverse", "invgamma"), ("", "Weibull", "weibull")]
    found = table(grouped([first, second], (72, 150, 290), names, 340))
    assert found.rows == (names, *first, *second)


def test_titles_of_groups_may_hold_figures_and_run_over_columns() -> None:
    columns = (150, 185, 220)
    content = rules(712, 698, right=240)
    content += "".join(text(x, 702, name) for x, name in zip(columns, ("mpg", "hp", "wt"), strict=True))
    y, want = 698, [("", "mpg", "hp", "wt")]
    for count, lines in ((4, [("Datsun", "22.8", "93", "2.3")]), (6, [("Mazda", "21.0", "110", "2.6")] * 2)):
        want += [(f"Number of cylinders = {count}", "", "", ""), *lines]
        content += text(72, y - 12, f"Number of cylinders = {count}")
        for line in lines:
            y -= 12
            content += "".join(text(x, y - 12, cell) for x, cell in zip((90, *columns), line, strict=True))
        y -= 18
        content += rules(y, right=240)
    found = table(content)
    assert found.rows == tuple(want)
    assert found.confidence >= UNCERTAIN_TABLE


def test_the_second_line_of_the_first_head_spans_nothing_though_a_rule_runs_under_it() -> None:
    content = rules(724, 698, 656) + text(LABEL, 715, "Model") + text(LABEL, 702, "on set")
    content += heads(715, ("Acc", "Rec", "Prec")) + rows(688)
    assert table(content).rows == (("Model on set", "Acc", "Rec", "Prec"), *FIGURES)


def test_names_with_figures_anywhere_in_them_are_no_values_of_two_columns() -> None:
    parts = (
        ("Accelerator", "8 x A100 SXM4"), ("Compiler", "GCC 12.2, -O3"), ("Memory", "512 GB DDR4"),
        ("System", "Rocky Linux 8.6"), ("Network", "HDR, 200 Gb/s"), ("Storage", "Lustre, 1.2 PB"),
    )  # fmt: skip
    content = rules(712, 698, 620, right=260) + text(72, 702, "Component") + text(160, 702, "Description")
    content += "".join(text(72, 688 - 12 * at, a) + text(160, 688 - 12 * at, b) for at, (a, b) in enumerate(parts))
    found = table(content)
    assert found.rows == (("Component", "Description"), *parts)
    assert found.confidence >= UNCERTAIN_TABLE


def test_numbers_of_labels_are_no_values_beside_them() -> None:
    content = rules(712, 698, 656, right=300) + text(LABEL, 702, "Variable") + heads(702, ("Acc", "Rec", "Prec"))
    for at, (_, *values) in enumerate(FIGURES):
        content += text(LABEL, 688 - 12 * at, f"{at + 1}. {('Mood', 'Income', 'Sleep')[at]}")
        content += "".join(centred(x, 688 - 12 * at, value) for x, value in zip(COLUMNS, values, strict=True))
    assert table(content).confidence >= UNCERTAIN_TABLE


def test_drawn_columns_whose_heads_and_figures_come_in_pairs_are_flagged() -> None:
    xs, ys = (72, 150, 220, 290), (720, 700, 680, 660, 640)
    content = "".join(rule(72, y, 290, y) for y in ys) + "".join(rule(x, 720, x, 640) for x in xs)
    lines = (("Variable", "M SD", "1"), ("Stress", "7.89 0.54", "12"), ("Income", "8.73 0.64", "13"))
    for at, line in enumerate((*lines, ("Sleep", "4.39 0.60", "11"))):
        content += "".join(text(x + 4, 706 - 20 * at, cell) for x, cell in zip(xs, line, strict=False))
    assert table(content).confidence < UNCERTAIN_TABLE


def test_marks_of_several_rows_in_one_cell_are_flagged() -> None:
    xs = (72, 170, 290, 340)
    content = "".join(rule(72, y, 340, y) for y in (720, 700, 640)) + "".join(rule(x, 720, x, 640) for x in xs)
    content += "".join(text(x + 4, 706, cell) for x, cell in zip(xs, ("Work", "Approach", "Code"), strict=False))
    content += text(76, 670, "Sato and others") + text(174, 670, "Rules over words") + text(294, 670, "× × ×")
    assert table(content).confidence < UNCERTAIN_TABLE


def test_rules_as_short_as_an_underscore_between_words_are_underscores() -> None:
    content = rules(712, 698, 656)
    content += heads(702, ("Acc", "Rec", "Prec")) + rows(688) + text(LABEL, 702, "max")
    end = LABEL + width("max") + 0.6
    content += f"0.4 w {end} 702.2 m {end + 3} 702.2 l S\n" + text(end + 3.2, 702, "len")
    assert table(content).rows[0] == ("max_len", "Acc", "Rec", "Prec")


def test_white_space_parts_columns_where_a_rule_down_leaves_flaw() -> None:
    cells = [
        ("No", "Acid", "Character", "Name of it"), ("11", "Alanine", "L", "Leucine"), ("12", "Arginine", "K", "Lysine"),
        ("13", "Asparagine", "M", "Methionine"), ("14", "Aspartic acid", "F", "Phenylalanine"),
        ("15", "Cysteine", "P", "Proline"), ("16", "Glutamine", "", "(can be any acid)"),
    ]  # fmt: skip
    content = rules(700, 684, 598, right=376) + rule(236, 598, 236, 700)
    for at, (number, one, sign, name) in enumerate(cells):
        y = 688 - 14 * at
        content += (
            text(76, y, number)
            + text(232 - width(one.replace(" ", "t")), y, one)
            + (text(242, y, sign) if sign else "")
        )
        content += text(372 - width(name.replace(" ", "t")), y, name)
    found = table(content)
    assert [list(row) for row in found.rows] == [list(row) for row in cells]
    assert found.confidence >= UNCERTAIN_TABLE


def test_a_head_in_the_middle_over_all_columns_of_values_spans_them() -> None:
    names = ("bibtex", "json", "bbl", "dot")
    rows = [(f"output-{name}", *("x" if at % 3 else "-" for at in range(n, n + 4))) for n, name in enumerate("abcdef")]
    xs = (76, 200, 260, 320, 380)
    content = [rule(72, 712, 420, 712), text(266, 700, "Output format")]
    content += [rule(72, 682, 420, 682), rule(72, 590, 420, 590)]
    for y, cells in zip((686, *range(668, 590, -14)), (("Option", *names), *rows), strict=True):
        content += [text(x, y, cell) for x, cell in zip(xs, cells, strict=True)]
    pdf = Pdf()
    pdf.page("".join(content))
    (found,) = of(read_pdf(pdf), Table)
    assert found.rows == (("", "Output format", "", "", ""), ("Option", *names), *rows)
    assert [(m.row, m.col, m.cols) for m in found.merges] == [(0, 1, 4)]


def test_a_label_between_two_levels_of_heads_leaves_them_apart() -> None:
    """As Word sets them: one rule under all groups, each head in the middle of its cells, the last over a sum too."""
    columns = (165.0, 225.0, 285.0, 345.0, 405.0, 465.0)
    ruled = "".join(rule(x, y, 500, y) for x, y in ((72, 616), (135, 600), (72, 584), (72, 534)))
    upper = centred(195, 604, "Users") + centred(285, 604, "Type") + centred(407, 604, "Perceive and store")
    names = ("Own", "All", "City", "Air", "Cost", "Sum")
    lower = "".join(centred(x, 588, head) for x, head in zip(columns, names, strict=True))
    body = "".join(
        centred(100, y, label) + "".join(centred(x, y, f"{n + at}") for at, x in enumerate(columns))
        for n, (y, label) in enumerate(((570, "Use"), (556, "Scope"), (542, "Risk")), 3)
    )
    found = table(ruled, upper, spaced(76, 596, "Technology"), lower, body)
    assert found.rows[:3] == (
        ("Technology", "Users", "", "Type", "Perceive and store", "", ""),
        ("", "Own", "All", "City", "Air", "Cost", "Sum"),
        ("Use", "3", "4", "5", "6", "7", "8"),
    )
    assert found.header_rows == 2


def test_marks_in_a_few_columns_under_names_of_all_are_a_table() -> None:
    columns = (190.0, 250.0, 310.0, 370.0, 430.0)
    ruled = "".join(rule(72, y, 460, y) for y in (616, 600, 540))
    heads = spaced(76, 604, "Scope") + "".join(
        centred(x, 604, head) for x, head in zip(columns, ("Poor", "Fair", "Good", "Better", "Best"), strict=True)
    )
    marked = ((586, "Own use", 2), (574, "All users", 1), (562, "City", 3), (550, "Cost", 0))
    body = "".join(spaced(76, y, label) + centred(columns[at], y, "O") for y, label, at in marked)
    found = table(ruled, heads, body)
    assert found.rows == (
        ("Scope", "Poor", "Fair", "Good", "Better", "Best"),
        ("Own use", "", "", "O", "", ""),
        ("All users", "", "O", "", "", ""),
        ("City", "", "", "", "O", ""),
        ("Cost", "O", "", "", "", ""),
    )
