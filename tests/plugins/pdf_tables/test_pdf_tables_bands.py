"""Tables whose rows of several lines nothing but white, dashes or a panel around them parts."""

from __future__ import annotations

import pytest
from sidecar_pdf.layout.tables.columns.stretches import table_stretch
from sidecar_pdf.pdfium.fonts import NO_STYLE
from sidecar_pdf.text.segments import Segment, Word
from support.formats.pdf_builder import grid, lines, rule, text
from support.formats.pdf_prose import row, tables

from sidecar.api import UNCERTAIN_TABLE

WASTE = [
    ("Paper", ["Collected on Mondays, but for holidays, when", "it is done on the day after, and in the villages"]),
    ("Glass", ["In the grey boxes at the corner of the street"]),
    ("Garden waste", ["Only by appointment, which the office gives by", "telephone", "or at its counter in the town"]),
    ("Furniture", ["Twice a year, and not without a note at the", "door two weeks before"]),
]


def bands(y: float, *, middle: bool, x: float = 76, beside: float = 170) -> str:
    """Rows of a label and lines of text beside it, in the middle of these or level with the first, 6 points apart."""
    content = ""
    for name, cell in WASTE:
        content += lines(beside, y, cell) + text(x, y - 6 * (len(cell) - 1) * middle, name)
        y -= 12 * len(cell) + 6
    return content


def test_labels_in_the_middle_of_cells_of_several_lines_tell_a_table() -> None:
    (found,) = tables(text(72, 730, "What is collected when:"), bands(700, middle=True))
    assert [list(cells) for cells in found.rows] == [[name, " ".join(cell)] for name, cell in WASTE]


@pytest.mark.parametrize("middle", [False, True])
def test_names_of_columns_in_bold_stand_over_cells_of_several_lines(middle: bool) -> None:
    head = text(76, 720, "Kind", font="F2") + text(170, 720, "How it is collected", font="F2")
    (found,) = tables(head, bands(700, middle=middle))
    expected = [["Kind", "How it is collected"], *([name, " ".join(cell)] for name, cell in WASTE)]
    assert [list(cells) for cells in found.rows] == expected
    assert found.header_rows == 1


def test_cells_in_the_middle_of_rows_are_told_in_a_frame_that_parts_no_more_than_the_names_of_columns() -> None:
    head = text(76, 720, "Kind", font="F2") + text(170, 720, "How it is collected", font="F2")
    frame = grid([72, 440], [734, 714, 586]) + rule(166, 734, 166, 714)
    (found,) = tables(frame, head, bands(698, middle=True))
    expected = [["Kind", "How it is collected"], *([name, " ".join(cell)] for name, cell in WASTE)]
    assert [list(cells) for cells in found.rows] == expected


def test_items_and_paragraphs_beside_one_another_are_no_table() -> None:
    titles = text(76, 740, "1.", font="F2") + text(170, 740, "How it is collected", font="F2")
    items = "".join(
        text(156, 700 - 30 * at, "\x95") + lines(170, 700 - 30 * at, cell[:2]) for at, (_, cell) in enumerate(WASTE)
    )
    assert not tables(titles, items)


def dashed(x0: float, x1: float, y: float) -> str:
    """A line of dashes, each an area of its own, as browsers print borders."""
    return "0.6 g " + "".join(f"{x} {y} 0.75 0.75 re f " for x in (x0 + 1.5 * at for at in range(int((x1 - x0) / 1.5))))


PARTS = [
    ("bool", "contains(other, sensitivity) const"), ("", "StringList(other)"), ("int", "indexOf(value, from) const"),
    ("StringList &", "operator+(other)"), ("void", "sort(sensitivity)"),
]  # fmt: skip


@pytest.mark.parametrize("dashes", [True, False])
def test_rows_of_a_panel_are_parted_by_dashes_and_by_rules(dashes: bool) -> None:
    content = "0.96 g 70 610 300 94 re f 0 g "
    for at, (kind, name) in enumerate(PARTS):
        y = 690 - 18 * at
        content += (text(150 - 5 * len(kind), y, kind) if kind else "") + text(156, y, name)
        content += dashed(71, 369, y - 6) if dashes else rule(71, y - 6, 369, y - 6)
    (found,) = tables(content)
    assert [list(cells) for cells in found.rows] == [list(part) for part in PARTS]


def test_modules_of_a_bar_code_that_touch_are_no_dashes() -> None:
    code = "".join(f"{72 + 2 * at} {700 - 2 * down} 2 2 re f " for down in range(0, 40, 6) for at in range(60))
    assert not tables(code, *(row(697 - 12 * at, {80: "code", 140: "read here"}) for at in range(2)))


def test_figures_with_their_intervals_in_rows_under_titles_of_groups_are_certain() -> None:
    """Titles stand as far from the rows above as these from one another, and are none in the middle of rows."""
    content = [rule(72, 712, 420, 712), row(700, {200: "Root", 310: "Crown"}), rule(72, 694, 420, 694)]
    rows: list[list[str]] = [["", "", "Root", "Crown"]]
    for group, top in (("IGR", 680), ("TK02", 644)):
        rows.append([group, "", "", ""])
        content.append(text(76, top, group))
        for at, name in enumerate(("TE dating", "Node dating"), 1):
            values = [f"30{at}.4 (300.0, {top}.{at})", f"23{at}.6 [206.4, {top}.{at}]"]
            rows.append(["", name, *values])
            content.append(row(top - 12 * at, {120: name, 200: values[0], 310: values[1]}))
    (found,) = tables(*content, rule(72, 614, 420, 614))
    assert [list(cells) for cells in found.rows] == rows
    assert found.confidence >= UNCERTAIN_TABLE


def test_numbers_of_rows_before_single_words_between_rules_count_no_lines_of_the_page() -> None:
    names = [
        "base",
        "graphics",
        "stats",
        "utils",
        "methods",
        "tools",
        "splines",
        "parallel",
        "compiler",
        "datasets",
        "brew",
    ]
    content = [rule(72, 712, 240, 712)]
    content += [row(700 - 12 * at, {76: str(at + 1), 130: f"package:{name}"}) for at, name in enumerate(names)]
    (found,) = tables(*content, rule(72, 574, 240, 574))
    assert [tuple(cells) for cells in found.rows] == [(str(at), f"package:{name}") for at, name in enumerate(names, 1)]


def test_leaders_behind_numbered_names_lead_to_fees_where_the_figures_fall_and_to_pages_where_they_rise() -> None:
    def listed(fees: tuple[int, ...]) -> list[str]:
        return [
            text(72, 700 - 14 * at, f"312 03{at}")
            + text(130, 700 - 14 * at, f"for year {at + 3} {'.' * 40}")
            + text(420, 700 - 14 * at, str(fee))
            for at, fee in enumerate(fees)
        ]

    (found,) = tables(*listed((70, 35, 50, 90, 45, 50)))
    assert [list(cells) for cells in found.rows[:2]] == [
        ["312 030", "for year 3", "70"],
        ["312 031", "for year 4", "35"],
    ]
    assert not tables(*listed((7, 9, 12, 12, 30, 45)))


LETTER, BLANK = 5.56, 2.78
"""Points that the letters of these words are wide, and the white between them, which is not written, as in TeX."""


def worded(x: float, y: float, words: str) -> str:
    """Words of the letters a, b, d, e, g, h, n, o, p, q and u."""
    content = ""
    for word in words.split():
        content += text(round(x, 2), y, word)
        x += LETTER * len(word) + BLANK
    return content


def test_names_that_end_at_one_place_before_values_that_begin_at_one_are_a_table() -> None:
    names = ["open", "bound", "depend", "unpaged", "unheeded"]
    values = ["an open one", "a page and a head", "done", "no pen and no one", "begun"]
    content = [
        text(round(160 - LETTER * len(name), 2), 700 - 13 * at, name) + worded(176, 700 - 13 * at, value)
        for at, (name, value) in enumerate(zip(names, values, strict=True))
    ]
    (found,) = tables(*content)
    assert [tuple(cells) for cells in found.rows] == [*zip(names, values, strict=True)]


def test_three_names_in_typewriter_type_beside_sentences_are_a_table_that_is_uncertain() -> None:
    said = {
        "-delay": ["hanged an open page on a bough and begun", "unheeded and bound"],
        "-local": ["bounded on one hand"],
        "-raw": ["nodded upon a hedge and a pond and an egg", "unbounded and paged"],
    }
    content, y = list[str](), 700
    for name, sentence in said.items():
        content += [text(76, y, name, font="F3"), *(worded(170, y - 12 * at, line) for at, line in enumerate(sentence))]
        y -= 12 * len(sentence)
    (found,) = tables(*content)
    assert [list(cells) for cells in found.rows] == [[name, " ".join(sentence)] for name, sentence in said.items()]
    assert found.confidence < UNCERTAIN_TABLE
    assert not tables(*(line.replace("/F3", "/F1") for line in content))


def test_a_first_row_whose_name_comes_as_near_to_its_value_as_words_do_is_of_the_table_below_it() -> None:
    names = ["unbounded", "open", "bend", "huge", "hanged", "page"]
    values = ["an open one", "a page and a head", "done", "no pen and no one", "begun", "bound"]
    rows = [*zip(names, values, strict=True)]

    def listed(down: float) -> str:
        heights = [700.0, *(700 - down - 13 * at for at in range(len(rows) - 1))]
        return "".join(
            worded(76, y, name) + worded(130.5, y, value) for y, (name, value) in zip(heights, rows, strict=True)
        )

    (found,) = tables(listed(13))
    assert [tuple(cells) for cells in found.rows] == rows
    (found,) = tables(listed(22))
    assert [tuple(cells) for cells in found.rows] == rows[1:]


@pytest.mark.parametrize(
    ("names", "ended", "told"),
    [
        (("code:", "returned:"), False, True),
        (("open", "unbounded"), True, True),
        (("open", "unbounded"), False, False),
        (("open:",), False, False),
    ],
)
def test_two_labels_before_their_values_are_a_table_if_a_colon_or_their_ends_tell_them(
    names: tuple[str, ...], ended: bool, told: bool
) -> None:
    values = ["an open page on a hedge", "one bound and done"]
    content = [text(76, 740, "unheeded and unbounded, open and done, a page had been bound and begun on a pond")]
    content += [
        text(round(160 - LETTER * len(name), 2) if ended else 76, 710 - 20 * at, name) + text(190, 710 - 20 * at, value)
        for at, (name, value) in enumerate(zip(names, values, strict=False))
    ]
    found = tables(*content)
    assert [[*map(tuple, one.rows)] for one in found] == ([[*zip(names, values, strict=True)]] if told else [])


def test_the_last_label_in_the_middle_of_its_value_is_of_the_list_of_labels_above() -> None:
    rows = [("code:", ["an open page"]), ("data:", ["bound and done"]), ("returned:", ["one page on a", "hedge"])]
    content, y = list[str](), 700
    for name, value in rows:
        content += [text(150, y - 12 * at, line) for at, line in enumerate(value)]
        content.append(text(76, y - 6 * (len(value) - 1), name))
        y -= 8 + 12 * len(value)
    (found,) = tables(*content)
    assert [list(cells) for cells in found.rows] == [[name, " ".join(value)] for name, value in rows]


def test_names_framed_one_by_one_in_striped_rows_are_cells() -> None:
    names = ["Endpoints", "Packets", "Graphs", "Flows", "Streams", "Bounds"]
    content = []
    for at, name in enumerate(names):
        y = 700 - 20 * at
        ground = f"0.95 g 70 {y - 6} 400 20 re f 0 g " if at % 2 == 0 else ""
        content.append(f"{ground}0.5 w 74 {y - 4} 70 14 re S {text(78, y, name)}{text(200, y, f'Section 8.{at}')}")
    (found,) = tables(*content)
    assert [list(cells) for cells in found.rows] == [[name, f"Section 8.{at}"] for at, name in enumerate(names)]


def test_a_list_under_a_table_ends_it() -> None:
    def lines_of(sign: str, x: float, names: list[str], top: float, beside: float) -> list[list[Segment]]:
        return [
            [
                Segment(Word(text, left, y, left + 5.5 * len(text), y + 11, style, joined=False, apart=True), at)
                for left, text in ((x, sign or f"v{at}.0"), (beside, name))
            ]
            for at, name in enumerate(names) for style in (NO_STYLE._replace(size=12),) for y in (top + 37 * at,)
        ]  # fmt: skip

    rows = lines_of("", 58, ["Changes", "Not experimental", "Added"], 180, 168)
    assert table_stretch([*rows, *lines_of("•", 78, ["string", "regexp", "message"], 291, 92)], 0) == len(rows)


@pytest.mark.parametrize("beside", [143, 139.8])
def test_columns_that_the_file_tells_apart_may_stand_close_beside_cells_of_several_lines(beside: float) -> None:
    content = text(76, 720, "Kind", font="F2") + text(beside, 720, "How it is collected", font="F2")
    y = 700
    for name, cell in WASTE:
        content += text(76, y - 6 * (len(cell) - 1), name)
        content += "".join(text(beside, y - 12 * at, line) for at, line in enumerate(cell))
        y -= 12 * len(cell) + 6
    (found,) = tables(content)
    assert [list(cells) for cells in found.rows[1:]] == [[name, " ".join(cell)] for name, cell in WASTE]


def test_what_labels_with_colons_say_may_be_long_and_begin_in_small_letters() -> None:
    rows = [
        ("reader:", "an open page"), ("cur:", "a pointer to a zero terminated string"),
        ("URL:", "the base that is used for the document"), ("encoding:", "the encoding of it, or nothing at all"),
        ("options:", "a combination of options"),
    ]  # fmt: skip
    (found,) = tables(*(text(76, 700 - 16 * at, a) + text(130, 700 - 16 * at, b) for at, (a, b) in enumerate(rows)))
    assert [*found.rows] == rows
    rows = [*rows[:3], ("returned:", "nothing where the page has been read, or a string that has to be freed with it")]
    (found,) = tables(*(text(76, 700 - 16 * at, a) + text(130, 700 - 16 * at, b) for at, (a, b) in enumerate(rows)))
    assert [*found.rows] == rows


def test_paragraphs_that_open_in_bold_are_no_labels() -> None:
    lines_of = (
        ("of the gift.", "See the page"),
        ("no use of it in any book of a bank.",),
        ("Cancelled debts.", "Sums of"),
    )
    content = [
        text(x, 700 - 12 * at, piece, font=font)
        for at, line in enumerate(lines_of) for x, piece, font in zip((76, 170), line, ("F2", "F1"), strict=False)
    ]  # fmt: skip
    assert not tables(*content)


HELP = [
    ("Office", ["+44 1632", "960 100"], "main@sea.org"), ("Library", ["+44 1632", "960 140"], "books@sea.org"),
    ("Harbour", ["+44 1632", "960 155"], "port@sea.org"),
]  # fmt: skip


def named_rows(rows: list[tuple[str, list[str], str]]) -> str:
    """Rows under names in bold, all cells in the middle of theirs."""
    content = row(720, {76: "Place", 170: "Call", 280: "Write"}, font="F2")
    y = 690.0
    for name, cell, mail in rows:
        content += lines(170, y, cell) + row(y - 6 * (len(cell) - 1), {76: name, 280: mail})
        y -= 12 * len(cell) + 8
    return content


def test_a_number_broken_in_one_cell_is_of_one_row_where_the_others_have_one_line() -> None:
    (found,) = tables(named_rows(HELP))
    assert [list(cells) for cells in found.rows[1:]] == [[name, " ".join(cell), mail] for name, cell, mail in HELP]


def test_rows_of_one_line_each_that_stand_close_are_no_row_of_cells_of_several_lines() -> None:
    rows = [
        ("spin(A)", "scalar", ["Turns about the point that was", "named first, in degrees"]),
        ("shift(X)", "vector", ["Moves by X."]), ("scale(S)", "-", ["Widens by S."]),
        ("turn(A)", "angle", ["Turns about the", "middle of all"]), ("look(E)", "point", ["Sees what is", "before it"]),
    ]  # fmt: skip
    content, y = row(720, {76: "Name", 170: "Type", 280: "What it does"}, font="F2"), 700.0
    for at, (name, kind, what) in enumerate(rows):
        content += lines(280, y, what) + row(y, {76: name, 170: kind})
        y -= 12 * len(what) + (8 if at in (0, 3) else 0)
    found = [cells for one in tables(content) for cells in one.rows]
    assert not any("shift(X)" in cells[0] and "scale(S)" in cells[0] for cells in found)


def test_a_range_that_goes_on_behind_its_dash_is_of_one_row() -> None:
    hours = [
        ("Algebra", ["08:15-", "09:45"], "H 104"),
        ("Optics", ["10:15-", "11:45"], "H 2"),
        ("Law", ["12:15-", "13:45"], ""),
    ]
    content = "".join(
        lines(170, 700 - 32 * at, cell) + row(694 - 32 * at, {76: name, 280: room} if room else {76: name})
        for at, (name, cell, room) in enumerate(hours)
    )
    (found,) = tables(row(720, {76: "Course", 170: "Time", 280: "Room"}, font="F2"), content)
    assert [cells[1] for cells in found.rows[1:]] == ["08:15-09:45", "10:15-11:45", "12:15-13:45"]


def test_rows_of_which_some_are_set_otherwise_are_a_table_that_is_doubted() -> None:
    content = named_rows([(name, ["Ask at the", "counter first"], mail) for name, _, mail in HELP])
    content += row(592, {76: "Depot", 280: "depot@sea.org"}) + lines(
        170, 592, ["Closed on the", "day of rest and", "feasts"]
    )
    (found,) = tables(content)
    assert found.rows[1] == ("Office", "Ask at the counter first", "main@sea.org")
    assert found.confidence < UNCERTAIN_TABLE
    assert "the cells of some rows are set otherwise than those of the others" in found.flaws
