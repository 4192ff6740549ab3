"""Tables of PDFs of which only the heads are ruled, as accounts are set, and names of columns over the first rule."""

from __future__ import annotations

from itertools import pairwise

from support.formats.pdf_builder import Pdf, rule, text
from support.formats.pdf_prose import read_pdf, row, table, tables
from support.formats.plugin_reading import of

from sidecar.api import UNCERTAIN_TABLE, Merge, Paragraph, Table


def under(y: float) -> str:
    """Rules under two columns of figures."""
    return rule(300, y, 380, y) + rule(388, y, 468, y)


def test_rules_under_heads_and_sums_leave_rows_apart_and_labels_and_currencies_in_them() -> None:
    (found,) = tables(
        text(72, 716, "The amounts the company owes to its lenders at the end of both years were these (in millions):"),
        row(690, {328: "2024", 416: "2023"}, font="F2"),
        under(687),
        text(72, 675, "Current liabilities:"),
        row(661, {84: "Notes", 302: "$", 352: "64,069", 390: "$", 440: "74,730"}),
        row(647, {84: "Other debt", 352: "14,575", 440: "19,375"}),
        under(644),
        row(632, {84: "Total liabilities", 302: "$", 352: "78,644", 390: "$", 440: "94,105"}),
        under(629),
        text(
            72,
            600,
            "The lenders may ask for the sums above at the end of every quarter, as the notes that follow tell.",
        ),
    )
    assert found.rows == (
        ("", "2024", "2023"),
        ("Current liabilities:", "", ""),
        ("Notes", "$ 64,069", "$ 74,730"),
        ("Other debt", "14,575", "19,375"),
        ("Total liabilities", "$ 78,644", "$ 94,105"),
    )
    assert found.header_rows == 1
    assert found.confidence >= UNCERTAIN_TABLE


def test_a_rule_over_several_heads_spans_their_columns() -> None:
    (found,) = tables(
        row(704, {355: "Years ended"}),
        rule(300, 701, 468, 701),
        row(690, {318: "March 2024", 406: "March 2023"}),
        under(687),
        *(
            row(y, {72: name, 330: one, 420: other})
            for y, name, one, other in (
                (675, "Products", "294,866", "298,085"),
                (663, "Services", "96,169", "85,200"),
                (651, "Licences", "1,169", "5,200"),
            )
        ),
    )
    assert found.rows[:3] == (
        ("", "Years ended", ""),
        ("", "March 2024", "March 2023"),
        ("Products", "294,866", "298,085"),
    )
    assert [(merge.row, merge.col, merge.cols) for merge in found.merges] == [(0, 1, 2)]


def test_text_of_the_column_beside_is_no_label() -> None:
    beside = "".join(text(40, 723 - 11 * at, "a column of running text, set tighter than") for at in range(12))
    (found,) = tables(
        beside,
        row(690, {300: "Age", 396: "Number"}),
        rule(296, 687, 376, 687) + rule(388, 687, 468, 687),
        *(
            row(y, {300: age, 400: n})
            for y, age, n in ((675, "61-65", "240"), (661, "66-70", "170"), (647, "71", "120"))
        ),
    )
    assert found.rows == (("Age", "Number"), ("61-65", "240"), ("66-70", "170"), ("71", "120"))


def test_names_over_the_first_rule_are_the_header_of_the_rows_under_it() -> None:
    heights = [680 - 14.0 * at for at in range(6)]
    found, *_ = tables(
        row(684, {300: "Standard arm"}, font="F2"),
        *(rule(72, y, 370, y) for y in heights),
        *(
            row(y - 11, {72: name, 300: value})
            for y, name, value in zip(
                heights,
                ("Overall height", "Overall length", "Track width", "Shoe width", "Ground clearance"),
                ("2 550 mm", "5 900 mm", "1 850 mm", "380 mm", "690 mm"),
                strict=False,
            )
        ),
    )
    assert found.rows[:2] == (("", "Standard arm"), ("Overall height", "2 550 mm"))
    assert found.header_rows == 1


def test_two_tables_of_one_width_with_a_caption_between_them_are_two() -> None:
    def made(top: float, heads: dict[float, str], rows: list[dict[float, str]]) -> str:
        lines = "".join(row(top - 28 - 14 * at, cells) for at, cells in enumerate(rows))
        ends = (top, top - 16, top - 20 - 14 * len(rows))
        return row(top - 12, heads) + lines + "".join(rule(72, y, 500, y) for y in ends)

    first, second = tables(
        made(
            700,
            {200: "Mean", 300: "Deviation", 440: "Most"},
            [{72: "Age", 200: "24.21", 300: "3.41", 440: "32.00"}] * 3,
        ),
        text(160, 622, "Table 2. Levels before and after the exercise."),
        made(612, {200: "Level", 350: "t"}, [{72: "Before", 200: "25.59", 350: "1.98"}] * 3),
    )
    assert first.rows[:2] == (("", "Mean", "Deviation", "Most"), ("Age", "24.21", "3.41", "32.00"))
    assert second.rows[:2] == (("", "Level", "t"), ("Before", "25.59", "1.98"))


def test_words_of_one_text_that_stand_far_apart_are_cells_of_their_own() -> None:
    lines = (("Auto", "63", "72"), ("Credit", "-", "311"), ("Lease", "2", "-"), ("Total", "1,651", "2,360"))
    drawn = "".join(
        f"BT /F1 10 Tf 72 {660 - 14 * at} Td [({name}) -{9000 - 500 * len(name)} ({one}) "
        f"-{9000 - 500 * len(one)} ({other})] TJ ET\n"
        for at, (name, one, other) in enumerate(lines)
    )
    (found,) = tables(
        row(690, {72: "Kind", 172: "First", 262: "Second"}), rule(72, 704, 320, 704), rule(72, 684, 320, 684), drawn,
        rule(72, 612, 320, 612),
    )  # fmt: skip
    assert [cells[0] for cells in found.rows] == ["Kind", *(name for name, _, _ in lines)]
    assert found.rows[2] == ("Credit", "-", "311")


def test_a_column_without_a_sum_parts_no_table_in_two() -> None:
    cells: list[dict[float, str]] = [
        {72: "Cards", 220: "24", 300: "36", 380: "7.51", 460: "36"},
        {72: "Cars", 220: "1", 300: "369", 380: "1.61", 460: "7"},
    ]
    heads = (("Weighted", 704), ("average", 694), ("interest", 684), ("rate", 674))
    sums = "".join(rule(72, y, 370, y) + rule(440, y, 500, y) for y in (630, 614, 582))
    (found,) = tables(
        *(text(380, y, head) for head, y in heads),
        row(674, {72: "Loans", 220: "Principal", 300: "Total", 460: "Recorded"}),
        *(row(660 - 14 * at, line) for at, line in enumerate(cells)),
        row(618, {72: "Sum", 220: "25", 300: "405", 460: "43"}),
        *(row(602 - 14 * at, line) for at, line in enumerate(cells)),
        row(570, {72: "Sum", 220: "25", 300: "405", 460: "43"}),
        sums,
        *(rule(72, y, 500, y) for y in (716, 670, 566)),
    )  # fmt: skip
    assert found.rows[0] == ("Loans", "Principal", "Total", "Weighted average interest rate", "Recorded")
    assert found.rows[2:4] == (("Cars", "1", "369", "1.61", "7"), ("Sum", "25", "405", "", "43"))
    assert len(found.rows) == 7


def test_sides_of_all_cells_cut_at_one_height_part_rows_that_no_rule_parts() -> None:
    xs = (72, 180, 280, 380)
    sides = "".join(rule(x, top, x, bottom) for x in xs for top, bottom in ((700, 668), (668, 650)))
    (found,) = tables(
        sides, rule(72, 700, 380, 700), rule(72, 650, 380, 650),
        row(682, {76: "Authority", 184: "Registered", 284: "Fuel"}, font="F2"),
        row(656, {76: "Gurgaon", 184: "in the spring", 284: "Diesel"}),
        row(673, {184: "on the day"}, font="F2"),
    )  # fmt: skip
    assert found.rows == (("Authority", "Registered on the day", "Fuel"), ("Gurgaon", "in the spring", "Diesel"))


def test_figures_that_the_file_draws_behind_all_labels_stay_with_their_labels() -> None:
    counties = {"Cochise": ("48", "2,420"), "Graham": ("21", "343"), "Greenlee": ("6", "67"), "Pima": ("17", "988")}
    (found,) = tables(
        *(text(72, 700 - 14 * at, county) for at, county in enumerate(counties)),
        *(row(700 - 14 * at, {220: few, 320: many}) for at, (few, many) in enumerate(counties.values())),
    )
    assert found.rows == tuple((county, *figures) for county, figures in counties.items())


def test_a_header_of_several_lines_whose_sides_are_cut_is_one_row_where_rules_part_the_others() -> None:
    xs, ys = (72, 180, 280, 380), (720, 680, 660, 640, 620)
    cuts = (720, 700, 680, 660, 640, 620)
    sides = "".join(rule(x, top, x, bottom) for x in xs for top, bottom in pairwise(cuts))
    (found,) = tables(
        sides, *(rule(72, y, 380, y) for y in ys),
        row(706, {76: "argument", 184: "equation", 284: "equation"}),
        row(686, {76: "of the method", 184: "(unrestricted)", 284: "(restricted)"}),
        row(666, {76: "GLS", 184: "10", 284: "28"}), row(646, {76: "IV", 184: "13", 284: "30"}),
        row(626, {76: "GMM", 184: "15", 284: "32"}),
    )  # fmt: skip
    assert found.rows[0] == ("argument of the method", "equation (unrestricted)", "equation (restricted)")
    assert len(found.rows) == 4


def test_words_parted_by_hyphens_make_the_lines_between_two_rules_one_row() -> None:
    ys = (720, 700, 630, 600)
    lines = ("Solve it with a dif-", "ferent row and pre-", "order the strat-", "egy as well")
    content = [rule(72, y, 420, y) for y in ys] + [rule(x, 720, x, 600) for x in (72, 180, 300, 420)]
    content.append(row(706, {76: "Function", 184: "Call", 304: "Equal to"}))
    for at, line in enumerate(lines):
        content.append(row(686 - 14 * at, {76: line, 184: f"S = call{at} (A) ;", 304: f"Q = other{at} (S) ;"}))
    content.append(row(612, {76: "Solve", 184: "x = A", 304: "x = b"}))
    (found,) = tables(*content)
    assert [cells[1].count("call") for cells in found.rows] == [0, 4, 0]


def test_signs_over_and_over_in_frames_are_points_of_plots_and_no_table() -> None:
    content = [rule(72, y, 372, y) for y in (720, 660, 600)] + [rule(x, 720, x, 600) for x in (72, 172, 272, 372)]
    content += [row(690, {76: "o o o o o o o o", 180: "0.6 1.0", 280: "o o o o o o o"})]
    assert not tables(*content)


def test_names_of_groups_over_names_of_columns_are_rows_of_the_header() -> None:
    names = {72.0: "beta", 130.0: "weight", 190.0: "first", 250.0: "second", 310.0: "third", 370.0: "fourth"}
    figures = ("0.25", "0.17", "-36118.8", "-980.7", "-36041.5", "-978.6")
    (found,) = tables(
        row(700, {72: "clock A", 310: "clock B"}),
        row(688, names),
        *(row(676 - 12 * at, dict(zip(names, figures, strict=True))) for at in range(6)),
    )
    assert found.rows[:3] == (("clock A", "", "", "", "clock B", ""), tuple(names.values()), figures)
    assert found.header_rows == 2


def test_heads_of_two_lines_keep_both_and_notes_over_the_last_rule_are_no_row() -> None:
    pdf = Pdf()
    pdf.page(
        "".join(
            (
                *(rule(72, y, 460, y) for y in (715, 683, 596)),
                row(704, {280: "Multivariate F", 400: "Univariate F"}),
                row(690, {72: "Effects within subjects", 283: "(n = 432)", 403: "(n = 432)"}),
                *(
                    row(y, {72: name, 300: first, 420: second}) + row(y - 9, {290: "df = 1", 410: "df = 1"})
                    for y, name, first, second in (
                        (670, "Training", "6.98", "23.11"),
                        (652, "Family", "5.82", "18.74"),
                        (634, "Training and family", "16.33", "13.70"),
                    )
                ),
                text(72, 602, "Notes: values of p below 0.05 in all rows"),
            )
        )
    )
    read = read_pdf(pdf)
    (found,) = of(read, Table)
    assert found.rows[0] == ("Effects within subjects", "Multivariate F (n = 432)", "Univariate F (n = 432)")
    assert found.rows[-1][0] == "Training and family"
    assert "Notes: values of p below 0.05 in all rows" in [block.text for block in of(read, Paragraph)]


def test_heads_of_more_lines_than_there_are_rows_name_the_columns_and_those_over_the_same_columns_are_one_head() -> (
    None
):
    (found,) = tables(
        rule(72, 752, 400, 752),
        row(740, {166: "Percentage of", 300: "Total number"}),
        row(728, {168: "targets with", 300: "of trials per"}),
        row(716, {172: "segment in", 76: "Type", 300: "participant"}),
        rule(160, 712, 240, 712),
        row(700, {166: "Onset", 210: "Coda"}),
        rule(72, 696, 400, 696),
        row(684, {76: "Categorical", 166: "100", 215: "0", 320: "196"}),
        row(672, {76: "Probabilistic", 166: "80", 215: "20", 320: "200"}),
        row(660, {76: "None of both", 166: "12", 215: "88", 320: "196"}),
        rule(72, 656, 400, 656),
    )
    assert found.rows[:3] == (
        ("Type", "Percentage of targets with segment in", "", "Total number of trials per participant"),
        ("", "Onset", "Coda", ""),
        ("Categorical", "100", "0", "196"),
    )
    assert found.header_rows == 2 and Merge(0, 1, 1, 2) in found.merges


def test_a_last_row_without_figures_and_its_second_line_belong_to_ruled_heads_and_a_caption_below_does_not() -> None:
    rows = (
        ("Basic Types", "Bits", "Signed", "Comment"),
        ("UInt8Number", "8", "No", "Byte"), ("UInt16Number", "16", "No", "Word"), ("Float32Number", "32", "Yes", ""),
        ("Bool", "?", "No", "TRUE, FALSE Boolean type, which will"),
    )  # fmt: skip
    (found,) = tables(
        *(f"0.85 g 164 {y} 296 12 re f 0 g\n" for y in (685, 661)),
        "0.85 g 164 637 296 24 re f 0 g\n",
        *(
            row(700 - 12 * at, {x: cell for x, cell in zip((76, 170, 220, 270), cells, strict=True) if cell})
            for at, cells in enumerate(rows)
        ),
        row(640, {270: "be using the native integer"}),
        row(628, {76: "Table 2"}),
        rule(72, 696, 150, 696),
        rule(166, 696, 460, 696),
    )
    assert found.rows == (
        *rows[:-1],
        (*rows[-1][:3], "TRUE, FALSE Boolean type, which will be using the native integer"),
    )


COLUMN = (
    "models of the weather resolve the rain of the",
    "tropics only in part, and the share that stays",
    "below the grid has to be described by closures",
    "of which we compare four over three seasons of",
    "observations and find that two of them hold as",
)


def front(left: list[str], right: list[str]) -> str:
    """Keywords and an abstract between two rules across the page, each under a head with a rule of its own."""
    return "".join(
        (
            rule(72, 710, 540, 710),
            row(694, {72: "ARTICLE INFO", 240: "ABSTRACT"}),
            rule(72, 690, 200, 690),
            rule(240, 690, 540, 690),
            *(text(x, 678 - 10 * at, line) for x, own in ((72, left), (240, right)) for at, line in enumerate(own)),
            rule(72, 620, 540, 620),
        )
    )


def test_text_in_columns_below_a_rule_across_is_of_no_table_above_it() -> None:
    columns = ((72, "1. Introduction"), (260, "4. graphics for figures"))
    found = tables(
        front(
            ["Keywords:", "rain", "grid", "skill", "2 m"],
            ["We compare four closures.", "Two hold.", "Data are open.", "We go on.", "Code too."],
        ),
        *(text(x, 608 - 12 * at, line) for x, first in columns for at, line in enumerate([first, *COLUMN * 3])),
    )
    assert "Introduction" not in str([table.rows for table in found])


def test_an_abstract_that_goes_on_beside_keywords_is_no_column_of_a_table() -> None:
    history = ["Received 12 March 2021", "Accepted 19 June 2021", "Online 2 July 2021", "Printed 5 July 2021"]
    assert not tables(front([*history, "Keywords:"], [f"{line} where the grid" for line in COLUMN]))


def test_tables_of_one_extent_whose_heads_are_the_same_are_parted_by_the_names_over_them() -> None:
    heads, content = {105.0: "Kind", 190.0: "Result"}, text(72, 730, "What each of them gives:")
    kinds = (("gap", "Teach ers"), ("plain", "Teachers"), ("star", "Teach*s"))
    for top, name in zip((700, 602, 504, 406), ("first", "second", "third", "last"), strict=True):
        content += text(92, top + 4, name) + "".join(rule(100, top - down, 300, top - down) for down in (0, 16, 58))
        content += row(top - 12, heads) + "".join(
            row(top - 28 - 12 * at, dict(zip(heads, cells, strict=True))) for at, cells in enumerate(kinds)
        )
    found = tables(content)
    assert [table.rows for table in found] == 4 * [(("Kind", "Result"), *kinds)]


def test_the_first_line_of_a_head_over_heads_that_stand_over_the_first_rule_is_part_of_it() -> None:
    heads, places = ("Method", "Type", "Database name", "Default"), (72, 130, 330, 430)
    rows = [("Power", "POWER", "power", ""), ("Arnoldi", "ARNOLDI", "arnoldi", ""), ("Jacobi", "JD", "jd", "x")]
    content = [text(330, 712, "Options"), rule(70, 697, 470, 697), rule(70, 648, 470, 648)]
    content += [text(x, 700, name) for x, name in zip(places, heads, strict=True)]
    content += [
        text(x, 686 - 12 * at, cell)
        for at, row in enumerate(rows) for x, cell in zip(places, row, strict=True) if cell
    ]  # fmt: skip
    found = table(*content)
    assert found.rows == (("Method", "Type", "Options Database name", "Default"), *rows)
    assert found.header_rows == 1


def test_heads_as_far_apart_as_all_others_are_heads_of_columns_that_are_empty() -> None:
    heads = ("pan", "bag", "dog", "hog", "hen", "nag", "egg")  # letters of one width in Helvetica
    pitch = 3 * 5.56 + 12
    rows = [(f"{at}", "ab", "en", "go", ".") for at in range(1, 7)]
    content = [rule(70, y, 72 + 7 * pitch, y) for y in (713, 697, 620)]
    content += [text(round(72 + pitch * at, 2), 702, name) for at, name in enumerate(heads)]
    content += [
        text(round(72 + pitch * column, 2), 687 - 12 * at, cell)
        for at, row in enumerate(rows) for column, cell in enumerate(row)
    ]  # fmt: skip
    assert table(*content).rows == (heads, *((*row, "", "") for row in rows))
