"""Tables as web browsers print them: cells of several lines without rules, names of rows that are not filled, tables of
one width below one another, typewriter type set letter by letter."""

from __future__ import annotations

from itertools import pairwise

import pytest
from support.formats.pdf_builder import rule, text
from support.formats.pdf_prose import row, tables

from sidecar.api import UNCERTAIN_TABLE


@pytest.mark.parametrize("aligned", ["top", "middle", "bottom"])
def test_rows_farther_apart_than_lines_are_told_wherever_their_cells_stand(aligned: str) -> None:
    rows = [
        ("Paper round", ("Collected on Mondays,", "but for holidays, when", "it is done on Tuesday"), "weekly"),
        ("Glass", ("In the grey boxes at the", "corner of the street"), "always"),
        ("Garden waste", ("Only by appointment",), "in spring"),
        ("Furniture", ("Twice a year, and not", "without a note at the door", "two weeks before"), "seldom"),
    ]
    content, y = (
        [rule(72, 712, 460, 712), row(700, {76: "Kind", 160: "How", 330: "When"}), rule(72, 694, 460, 694)],
        678.0,
    )
    for name, lines, when in rows:
        content += [text(160, y - 12 * at, line) for at, line in enumerate(lines)]
        down = {"top": 0, "middle": 6 * (len(lines) - 1), "bottom": 12 * (len(lines) - 1)}[aligned]
        content.append(row(y - down, {76: name, 330: when}))
        y -= 12 * len(lines) + 7
    (found,) = tables(*content, rule(72, y, 460, y))
    assert [list(cells) for cells in found.rows[1:]] == [[name, " ".join(lines), when] for name, lines, when in rows]


def test_lines_as_far_apart_as_all_others_stay_rows_of_their_own_in_groups() -> None:
    groups = [("North", ("oak", "ash", "elm")), ("South", ("fig", "bay")), ("West", ("yew", "box", "lime"))]
    content, y = (
        [rule(72, 712, 400, 712), row(700, {76: "Part", 160: "Tree", 280: "Years"}), rule(72, 694, 400, 694)],
        678.0,
    )
    for name, trees in groups:
        content.append(text(76, y, name))
        for tree in trees:
            content.append(row(y, {160: tree, 280: f"{len(content)}5"}))
            y -= 12
        y -= 7
    (found,) = tables(*content, rule(72, y, 400, y))
    assert [cells[1] for cells in found.rows[1:]] == [tree for _, trees in groups for tree in trees]


def test_names_of_rows_beside_filled_cells_are_their_first_column() -> None:
    content = [row(700, {76: "Word", 160: "Sort", 260: "Used"})]
    for at, (word, sort, used) in enumerate((("gable", "noun", "12"), ("lag", "verb", "7"), ("hatch", "noun", "3"))):
        y = 684 - 16 * at
        content += [] if at % 2 else [f"q 0.88 g 150 {y - 4} 200 16 re f Q "]
        content.append(row(y, {76: word, 160: sort, 260: used}))
    (found,) = tables(*content)
    assert [cells[0] for cells in found.rows] == ["Word", "gable", "lag", "hatch"]


def test_running_text_that_begins_where_rules_do_parts_two_tables_of_one_width() -> None:
    content: list[str] = []
    parts: tuple[tuple[float, dict[float, str], dict[float, str]], ...] = (
        (700, {76: "Town", 200: "Souls", 300: "Area"}, {76: "Berrow", 200: "8,211", 300: "48.0"}),
        (600, {76: "Lake", 160: "Depth", 250: "Fish", 340: "Boats"}, {76: "Tarn", 160: "12 m", 250: "perch", 340: "4"}),
    )
    for top, head, cells in parts:
        content += [row(top, head), rule(72, top - 6, 460, top - 6)]
        for at in range(3):
            content += [row(top - 18 - 16 * at, cells), rule(72, top - 24 - 16 * at, 460, top - 24 - 16 * at)]
    prose = text(72, 624, "What follows was counted by others in the year before this one")
    found = tables(*content, prose)
    assert [len(one.rows[0]) for one in found] == [3, 4]
    assert [one.rows[-1][0] for one in found] == ["Berrow", "Tarn"]


def test_words_of_typewriter_type_set_letter_by_letter_are_one_cell() -> None:
    def typed(x: float, y: float, string: str) -> str:
        letters = (text(x + 6 * at, y, char, font="F3") for at, char in enumerate(string) if char != " ")
        return "".join(letters)

    rows = [("box list", "Shows all boxes there are"), ("box start", "Opens one"), ("box log", "Follows its output")]
    content = [rule(72, 712, 460, 712), row(700, {76: "Command", 200: "What it does"}), rule(72, 694, 460, 694)]
    content += [typed(76, 680 - 14 * at, name) + text(200, 680 - 14 * at, what) for at, (name, what) in enumerate(rows)]
    (found,) = tables(*content, rule(72, 646, 460, 646))
    assert [tuple(cells) for cells in found.rows[1:]] == rows


def test_a_table_with_rows_or_a_head_left_beside_it_is_flagged_and_shows_its_lines() -> None:
    def ruled(top: float) -> list[str]:
        content = [rule(72, top, 460, top), row(top - 12, {76: "Plant", 200: "Place", 330: "Height"})]
        content.append(rule(72, top - 18, 460, top - 18))
        for at, (plant, place) in enumerate((("Oak", "hill"), ("Alder", "brook"), ("Reed", "pond"))):
            content.append(row(top - 30 - 12 * at, {76: plant, 200: place, 330: f"{at + 1}.5 m"}))
        return [*content, rule(72, top - 60, 460, top - 60)]

    (whole,) = tables(*ruled(700), text(76, 632, "Heights were taken in spring by the rangers of the wood"))
    (torn,) = tables(*ruled(700), row(632, {200: "meadow and", 330: "0.5 m"}), row(620, {200: "ditch"}))
    assert torn.confidence < UNCERTAIN_TABLE <= whole.confidence
    assert "Alder" in torn.lines[2] and "brook" in torn.lines[2]
    assert not whole.lines


def filled(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"q 0.9 g {x0} {y0} {x1 - x0} {y1 - y0} re f Q "


WORDY = (
    ("Glue", ("Sets within an hour and", "holds wood and paper"), "12"),
    ("Putty", ("Fills cracks in walls", "before they are painted,", "indoors alone"), "7"),
    ("Wax", ("Keeps the rain off",), "31"),
)


def test_cells_filled_one_by_one_are_a_table_with_the_names_over_them() -> None:
    content, top = [row(700, {76: "Stuff", 160: "Use", 330: "Pots"})], 690.0
    for name, lines, pots in WORDY:
        bottom = top - 12 * len(lines) - 10
        content += [filled(*sides, bottom, right, top) for sides, right in (((72,), 150), ((150,), 320), ((320,), 420))]
        middle = (top + bottom) / 2 - 3
        content += [text(160, top - 14 - 12 * at, line) for at, line in enumerate(lines)]
        content.append(row(middle, {76: name, 330: pots}))
        top = bottom - 4
    (found,) = tables(*content)
    assert [list(cells) for cells in found.rows] == [
        ["Stuff", "Use", "Pots"],
        *([name, " ".join(lines), pots] for name, lines, pots in WORDY),
    ]


def test_rules_between_columns_alone_that_end_with_each_row_tell_the_rows() -> None:
    content, top = list[str](), 700.0
    for name, lines, pots in (("Stuff", ("Use",), "Pots"), *WORDY):
        bottom = top - 12 * len(lines) - 8
        content += [rule(x, bottom, x, top) for x in (150, 320)]
        content += [text(160, top - 13 - 12 * at, line) for at, line in enumerate(lines)]
        content.append(row((top + bottom) / 2 - 3, {76: name, 330: pots}))
        top = bottom
    (found,) = tables(*content)
    assert [cells[1] for cells in found.rows] == ["Use", *(" ".join(lines) for _, lines, _ in WORDY)]


def test_names_of_columns_on_a_filled_ground_open_a_table_however_far_apart_its_rows_are() -> None:
    content = [filled(72, 694, 420, 714), row(700, {80: "Stuff", 160: "Use", 330: "Pots"})]
    for at, (name, lines, pots) in enumerate(WORDY):
        content.append(row(672 - 24 * at, {80: name, 160: lines[0], 330: pots}))
    (found,) = tables(*content, text(72, 580, "Ask the keeper of the store before you take more than one."))
    assert [list(cells) for cells in found.rows] == [
        ["Stuff", "Use", "Pots"],
        *([name, lines[0], pots] for name, lines, pots in WORDY),
    ]


def test_a_line_of_links_under_a_table_is_no_row_of_it() -> None:
    sizes = [("Size", "Chest", "Waist", "Hip", "UK"), *((name, *"8967") for name in ("S", "M", "L", "XL"))]
    places = (76.0, 160.0, 220.0, 280.0, 340.0)
    content = [row(700 - 14 * at, dict(zip(places, cells, strict=True))) for at, cells in enumerate(sizes)]
    (found,) = tables(*content, row(628, {70: "Home", 110: "News", 190: "Archive", 245: "Contact", 310: "Us"}))
    assert [tuple(cells) for cells in found.rows] == sizes


def test_a_hyphen_of_a_compound_stays_where_nothing_is_hyphenated() -> None:
    content, y = [rule(72, 712, 400, 712), row(700, {76: "Key", 200: "Meaning"}), rule(72, 694, 400, 694)], 680.0
    for name, lines in (
        ("mode", ("Whether dates are stage-", "dependent or not")),
        ("level", ("How much is written of", "circumstances that are odd, seldom or both")),
    ):
        content += [text(76, y, name), *(text(200, y - 12 * at, line) for at, line in enumerate(lines))]
        y -= 24
        content.append(rule(72, y + 8, 400, y + 8))
        y -= 6
    (found,) = tables(*content)
    assert found.rows[1][1] == "Whether dates are stage-dependent or not"


def test_names_of_columns_filled_like_the_row_under_them_are_a_row_of_their_own() -> None:
    content = [filled(72, 676, 420, 708), row(696, {76: "Stuff", 160: "Use", 330: "Pots"})]
    more = (("Oil", ("Stops hinges creaking",), "4"), ("Tar", ("Keeps water out",), "9"))
    for at, (name, lines, pots) in enumerate((*WORDY, *more)):
        y = 680 - 16 * at
        content += [filled(72, y - 4, 420, y + 12)] if at and not at % 2 else []
        content.append(row(y, {76: name, 160: lines[0], 330: pots}))
    (found,) = tables(*content)
    assert [cells[0] for cells in found.rows] == ["Stuff", "Glue", "Putty", "Wax", "Oil", "Tar"]


def test_titles_of_groups_are_no_second_lines_where_rows_are_far_apart() -> None:
    names = ("Wood", "Beech board", "Ash", "Metal", "Tin plate", "Zinc")
    content = [filled(72, 694, 420, 714), row(700, {80: "Stuff", 200: "Price", 330: "Pots"})]
    for at, name in enumerate(names):
        content.append(
            row(672 - 24 * at, {80: name} if at in (0, 3) else {80: name, 200: f"{at}.50", 330: f"{7 * at}"})
        )
    (found,) = tables(*content)
    assert [cells[0] for cells in found.rows] == ["Stuff", *names]


def test_words_are_whole_where_more_of_them_are_parted_than_carried_over_whole() -> None:
    content, y = [rule(72, 712, 330, 712), row(700, {76: "Key", 200: "Meaning"}), rule(72, 694, 330, 694)], 680.0
    for name, lines in (
        ("list", ("The properties are be-", "ing looked at")),
        ("add", ("Some of them are be-", "ing added to the col-", "lection")),
        ("show", ("Where it is all in", "circumstances as mapped")),
    ):
        content += [text(76, y, name), *(text(200, y - 12 * at, line) for at, line in enumerate(lines))]
        y -= 12 * len(lines)
        content.append(rule(72, y + 8, 330, y + 8))
        y -= 6
    (found,) = tables(*content)
    assert found.rows[2][1] == "Some of them are being added to the collection"


def test_tables_whose_rows_are_all_filled_end_where_these_do() -> None:
    content: list[str] = []
    for top, what in ((700, "Glue"), (610, "Wax")):
        content += [filled(72, top - 20 * at, 420, top - 20 * at + 20) for at in range(3)]
        heads = {80.0: "Feature", 200.0: "Sample", 330.0: "Setting"}
        content += [text(72, top + 30, f"On {what}", size=12), row(top + 6, heads)]
        content += [row(top - 14 - 20 * at, {80: f"{what} {at}", 200: "a", 330: f"cv{at}=1"}) for at in range(2)]
    assert [[cells[0] for cells in found.rows] for found in tables(*content)] == [
        ["Feature", "Glue 0", "Glue 1"], ["Feature", "Wax 0", "Wax 1"]
    ]  # fmt: skip


def test_columns_in_typewriter_type_are_a_table_where_one_holds_figures_and_end_at_a_sentence_in_other_type() -> None:
    def typed(top: float, rows: list[tuple[str, str, str]]) -> list[str]:
        return [
            text(x, top - 12 * at, cell, font="F3")
            for at, row in enumerate(rows) for x, cell in zip((76, 176, 236), row, strict=True)
        ]  # fmt: skip

    head = ("name", "size", "comments")
    first = [head, ("GATE", "8", "last one opened"), ("LOCK", "1", "set while shut"), ("TIME", "24", "since dawn")]
    second = [head, ("BELL", "1", "rings at noon"), ("WALL", "16", "its height in feet")]
    sentence = text(72, 640, "The gate house keeps these as well:")
    found = tables(*typed(700, first), sentence, *typed(624, second))
    assert [[*table.rows] for table in found] == [first, second]
    code = [("load", "gate", "; the first"), ("add", "lock", "; the next"), ("store", "wall", "; the last")]
    assert not tables(*typed(700, code))


def test_cells_of_a_narrow_row_go_on_in_its_lines_though_a_number_is_broken_in_one() -> None:
    rows = [
        [("Oats and barley", "250", "16.315", "4"), ("of the north,", "000", "sec on", ""), ("dried", "", "soil", "")],
        [
            ("Rye and millet", "1 000", "19.412", "7"),
            ("of the lower", "000", "sec on", ""),
            ("meadow", "", "stone", ""),
        ],
        [("Wheat of the hill", "410", "17.105", "9"), ("ground near", "000", "sec on", ""), ("rivers", "", "sand", "")],
    ]
    content = [rule(72, 712, 300, 712), row(700, {76: "Crop", 166: "Grains", 210: "Time", 260: "Years"})]
    content.append(rule(72, 694, 300, 694))
    for at, lines in enumerate(rows):
        for line, cells in enumerate(lines):
            placed = zip((76, 166, 210, 260), cells, strict=True)
            content.append(row(680 - 48 * at - 13 * line, {x: cell for x, cell in placed if cell}))
    (found,) = tables(*content, rule(72, 550, 300, 550))
    assert found.rows[1:] == tuple(
        tuple(" ".join(filter(None, column)) for column in zip(*own, strict=True)) for own in rows
    )


def test_borders_of_rows_drawn_cell_by_cell_tell_columns_and_rows() -> None:
    sides = (72, 222, 300, 330, 420)
    lines = (
        (("Item",), "Price", "Off", "Sum"),
        (("Groceries",), "", "", ""),
        (("Beeswax, a pound", "from the heath"), "42.00", "0%", "42.00"),
        (("Olive oil, a litre",), "100.00", "10%", "90.00"),
        (("Our oil comes in glasses that we take back",), "", "", ""),
        (("",), "", "Subtotal 132.00", ""),
        (("Sundries",), "", "", ""),
        (("Truffles",), "10.00", "5%", "150.00"),
    )
    wide = 5.56  # points of a figure
    content, top = list[str](), 700.0
    for names, price, off, total in lines:
        bottom = top - 12 * len(names) - 9
        drawn = (top, bottom) if (names, price, off, total) != lines[-1] else (top,)  # often none under the last row
        content += [rule(x0, y, x1, y) for x0, x1 in pairwise(sides) for y in drawn]
        content += [text(74, top - 12 - 12 * at, name) for at, name in enumerate(names)]
        content.append(row(top - 12, {299.5 - wide * (len(price) - 0.5): price, 302: off, 370: total}))
        top = bottom
    (found,) = tables(*content)
    assert [list(cells) for cells in found.rows] == [[" ".join(names), *cells] for names, *cells in lines]


def test_wide_white_at_the_end_of_a_border_parts_the_words_of_a_line() -> None:
    sides = (72, 120, 186, 420)
    rows = (
        ("Fields", "Types", "Descriptions"),
        ("id", "BIG UNSIGNED", "id of it"),
        ("rule", "TEXT", "what is applied"),
    )
    content = [rule(x0, y, x1, y) for x0, x1 in pairwise(sides) for y in (688, 674, 660)]
    content += [row(692 - 14 * at, dict(zip((75, 123, 206), cells, strict=True))) for at, cells in enumerate(rows)]
    (found,) = tables(*content)
    assert found.rows == rows


def ruled_cells(y: float, xs: tuple[float, ...]) -> str:
    """A row border drawn cell by cell, as areas like a browser's."""
    return "".join(f"{left} {y} {right - left} 0.7 re f\n" for left, right in pairwise(xs))


def test_tables_of_one_extent_whose_cells_are_underlined_are_parted_by_text_that_begins_left_of_them() -> None:
    xs, heads = (170.0, 257.0, 330.0, 443.0), {172.0: "Fields", 259.0: "Types", 332.0: "Descriptions"}
    content: list[str] = []
    named = (("mold_job_number", "INT DEFAULT", "mold job"), ("job_number", "TEXT", "what is made"))
    for top in (700, 560):
        content.append("".join(text(x, top, head, font="F2") for x, head in heads.items()))
        content.append(ruled_cells(top - 4, xs))
        for at, cells in enumerate(named):
            y = top - 15 - 15 * at
            content += [row(y, dict(zip(heads, cells, strict=True))), ruled_cells(y - 4, xs)]
        content += [text(32, top - 56, "Primary key: mold_job_number, job_number"), text(32, top - 70, "Index: none")]
        content.append(text(28, top - 90, "This table says what is made of which mould."))
    found = tables(*content)
    assert [[list(cells) for cells in table.rows] for table in found] == 2 * [[[*heads.values()], *map(list, named)]]
    assert [table.header_rows for table in found] == [1, 1]


def test_a_head_over_a_column_that_holds_nothing_is_of_the_table_whose_cells_are_underlined() -> None:
    xs, heads = (170.0, 245.0, 335.0, 443.0), {172.0: "Fields", 247.0: "Types", 337.0: "Descriptions"}
    content = ["".join(text(x, 700, head, font="F2") for x, head in heads.items()), ruled_cells(696, xs)]
    rows = [("file", "INT UNSIGNED"), ("sum", "VARCHAR(255)"), ("place", "VARCHAR(255)")]
    for at, cells in enumerate(rows):
        y = 685 - 15 * at
        content += [row(y, dict(zip(heads, cells, strict=False))), ruled_cells(y - 4, xs)]
    (found,) = tables(*content)
    assert [list(cells) for cells in found.rows] == [[*heads.values()], *([*cells, ""] for cells in rows)]
