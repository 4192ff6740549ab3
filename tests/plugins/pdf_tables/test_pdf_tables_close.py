"""Columns and rows of PDF tables that stand close or are drawn apart: frames of single cells, borders in a few rows,
figures set right before names, heads beside their columns, and what is flagged of such."""

from __future__ import annotations

import pytest
from sidecar_pdf.layout.tables.grid_rows import GrowingRow
from sidecar_pdf.layout.tables.rows.joined import joined_rows
from sidecar_pdf.pdfium.fonts import NO_STYLE
from sidecar_pdf.text.segments import Word
from support.formats.pdf_builder import grid, rule, text
from support.formats.pdf_prose import table, tables

from sidecar.api import UNCERTAIN_TABLE, Table

DIGIT = 0.556  # of the size: the width of a digit in Helvetica


def right(x: float, y: float, figure: str, size: float = 10) -> str:
    """A figure that ends at x."""
    return text(x - DIGIT * size * len(figure), y, figure, size=size)


def test_cells_with_a_frame_each_have_no_columns_between_them() -> None:
    frames = [
        grid([left, left + 95], [top, top - 15]) for left in (72, 171) for top in (700, 681, 662)
    ]  # fmt: skip
    outer = grid([68, 270], [704, 643])
    cells = [text(x, y, f"{name} {at}") for at, y in enumerate((689, 670, 651)) for x, name in ((76, "A"), (175, "B"))]
    assert table(*frames, outer, *cells).rows == (("A 0", "B 0"), ("A 1", "B 1"), ("A 2", "B 2"))


def test_a_border_drawn_beside_nothing_in_one_row_is_no_column() -> None:
    ys = [700.0 - 20 * at for at in range(7)]
    cells = [text(x, y - 14, f"{name} {at}") for at, y in enumerate(ys[:-1]) for x, name in ((76, "A"), (176, "B"))]
    found = table(grid([72, 172, 372], ys), rule(300, 680, 300, 700), *cells)
    assert found.rows == tuple((f"A {at}", f"B {at}") for at in range(6))


def test_figures_that_end_where_names_begin_are_a_column() -> None:
    countries = (("Cuba", "11059820", "Americas"), ("Sweden", "10487338", "Europe"), ("Togo", "9089738", "Africa"))
    countries = (*countries, ("Israel", "9103151", "Asia"), ("Laos", "7559007", "Asia"), ("Chad", "18278568", "Africa"))
    countries = (*countries, ("Peru", "33845617", "Americas"), ("Mali", "23769127", "Africa"))
    content = [
        text(72, y, name) + right(230, y, count) + text(233, y, region)
        for y, (name, count, region) in zip(range(700, 0, -14), countries, strict=False)
    ]
    assert table(*content).rows == countries


def test_a_head_over_the_edge_of_words_behind_figures_tells_their_column() -> None:
    rows = (("Cake", "9", "EUR"), ("Pie", "7", "EUR"), ("Cake", "3", "CZK"))
    content = [text(72, 700, "Name"), text(150, 700, "Price"), text(220, 700, "Currency")]
    content += [
        text(72, y, name) + right(218, y, price) + text(220, y, unit)
        for y, (name, price, unit) in zip((687, 674, 661), rows, strict=True)
    ]
    assert table(*content).rows == (("Name", "Price", "Currency"), *rows)


def test_a_head_at_the_left_of_a_cell_that_is_not_drawn_names_the_figures_at_its_right() -> None:
    rows = (("Bread", "184", "124", "134", "442"), ("Scone", "250", "134", "150", "534"))
    rows = (*rows, ("Cake", "190", "221", "394", "805"), ("Pie", "225", "210", "250", "685"))
    rows = (*rows, ("Sum", "971", "932", "1063", "2966"))
    heads = ("Name", "May", "June", "Apr", "Sum")
    content = [text(x, 689, head) for x, head in zip((51, 111, 170, 231, 290), heads, strict=True)]
    for y, row in zip(range(674, 600, -15), rows, strict=True):
        content.append(text(51, y, row[0]))
        content += [right(x, y, figure) for x, figure in zip((169, 229, 288, 348), row[1:], strict=True)]
    frame = grid([50, 110, 289.5, 350], [700, 685, 670, 655, 640, 625, 610])
    assert table(frame, *content).rows == (heads, *rows)


def test_heads_to_the_left_of_their_figures_name_them_one_by_one() -> None:
    figures = [(str(38514 + at), str(55707 - 811 * at), str(107286 - 3244 * at)) for at in range(5)]
    content = [text(x, 700, head) for x, head in ((72, "a"), (112, "b"), (172, "c"))]
    content += [
        right(x, 687 - 13 * at, figure)
        for at, row in enumerate(figures)
        for x, figure in zip((108, 168, 228), row, strict=True)
    ]
    assert table(*content).rows == (("a", "b", "c"), *figures)


def test_names_over_columns_that_no_border_parts_there_stand_over_their_own() -> None:
    ys = [700.0 - 20 * at for at in range(6)]
    content = [rule(72, y, 372, y) for y in ys] + [rule(x, ys[0], x, ys[-1]) for x in (72, 372)]
    content += [rule(x, ys[1], x, ys[-1]) for x in (172, 272)]
    content += [text(x, 686, head) for x, head in ((76, "Part"), (176, "Hours"), (276, "Cost"))]
    content += [
        text(76, y - 14, f"Item {at}") + text(176, y - 14, f"{at}.5") + text(276, y - 14, f"{at}50")
        for at, y in enumerate(ys[1:-1])
    ]
    assert table(*content).rows[:2] == (("Part", "Hours", "Cost"), ("Item 0", "0.5", "050"))


def test_named_columns_that_hold_nothing_are_flagged() -> None:
    ys = [700.0 - 20 * at for at in range(5)]
    heads = [text(x, 686, head) for x, head in ((76, "State"), (176, "pH"), (226, "HCO3"), (276, "PCO2"))]
    names = [text(76, y - 14, f"Kind {at} of it") for at, y in enumerate(ys[1:-1])]
    found = table(grid([72, 172, 222, 272, 322], ys), *heads, *names)
    assert len(found.rows) == 4
    assert found.confidence < UNCERTAIN_TABLE


def test_parts_of_one_table_between_rules_are_flagged() -> None:
    content = [rule(165, y, 430, y) for y in (692, 632, 583)]
    for at, name in enumerate(("Age", "Female", "Urban", "Tenure", "Rural")):
        y = 681 - 12 * at
        content += [text(167, y, name, size=9)]
        content += [text(265, y, f"{at}.265*{at}.289*", size=9)]  # in one piece, which nothing parts
        content += [text(x, y, f"{at}.{x}*", size=9) for x in (339, 384)]
    for at, name in enumerate(("Observations", "R2", "Fixed effects", "Years")):
        y = 621 - 12 * at
        content += [text(167, y, name, size=9)]
        content += [text(x, y, f"{at}.{x}", size=9) for x in (265, 304, 342, 381)]
    found = tables(*content)
    assert len(found) > 1
    assert all(part.confidence < UNCERTAIN_TABLE for part in found)


def drawn(rows: list[tuple[str, ...]], xs: list[float]) -> Table:
    """The one table of a page of these cells, all drawn."""
    ys = [700.0 - 20 * at for at in range(len(rows) + 1)]
    cells = [
        text(x + 4, y - 14, cell) for y, row in zip(ys, rows, strict=False) for x, cell in zip(xs, row, strict=False)
    ]
    return table(grid(xs, ys), *cells)


def test_figures_with_units_and_lists_of_figures_are_one_value_each() -> None:
    amounts = [
        ("Per 100 g", "Amount", "Range"),
        ("Energy", "59.1 kJ", "0.5, 1.5, 2.5"),
        ("Fat", "40 g", "1.2, 2.4, 3.6"),
    ]
    amounts += [("Carbohydrate", "26.3 g", "0.1, 0.2, 0.9"), ("Vitamin C", "12 mg", "[0, 5, 10]")]
    assert drawn(amounts, [72, 192, 272, 392]).confidence >= UNCERTAIN_TABLE


def test_sentences_with_figures_are_no_two_columns() -> None:
    notes = [("Version", "Change")]
    towns = ("Bergen", "Lisbon", "Graz", "Turku", "Cork")
    notes += [
        (f"0{at}", f"Updated for the release 3.{at} that was shown in {town} first") for at, town in enumerate(towns)
    ]
    assert drawn(notes, [72, 132, 472]).flaws == ()


def test_a_row_left_out_of_a_drawn_table_is_flagged_and_the_flaw_is_named() -> None:
    ys = [700.0 - 18 * at for at in range(4)]
    rows = (("Part", "Price", "Stock"), ("Hinge", "4.20", "18"), ("Bolt", "0.35", "900"), ("Latch", "2.10", "44"))
    cells = [
        text(x, 688 - 18 * at, cell) for at, row in enumerate(rows) for x, cell in zip((76, 176, 276), row, strict=True)
    ]
    drawn = grid([72, 172, 272, 372], ys)
    assert table(drawn, *cells[:9]).confidence > UNCERTAIN_TABLE
    assert table(drawn, *cells).rows == rows  # where its cells keep to the columns it is taken
    aside = [text(x, 634, cell) for x, cell in zip((84, 184, 284), rows[-1], strict=True)]
    found = table(drawn, *cells[:9], *aside)
    assert found.confidence < UNCERTAIN_TABLE
    assert set(found.flaws) == {
        "text in its columns stands next to it", "a line of several pieces, like a row, stands next to it",
    }  # fmt: skip


def test_a_drawn_column_to_be_filled_in_is_no_flaw() -> None:
    rows = (("Name", "Paid", "Signature"), ("Hill", "120", ""), ("Moor", "80", ""), ("Dale", "95", ""))
    cells = [
        text(x, 688 - 18 * at, cell) for at, row in enumerate(rows) for x, cell in zip((76, 176, 276), row, strict=True)
    ]
    assert table(grid([72, 172, 272, 372], [700.0 - 18 * at for at in range(5)]), *cells).confidence > UNCERTAIN_TABLE
    body = [cell for at, cell in enumerate(cells) if at != 2]
    assert table(grid([72, 172, 272, 372], [700.0 - 18 * at for at in range(5)]), *body).confidence > UNCERTAIN_TABLE


def test_sentences_beside_short_cells_under_names_in_bold_are_cells() -> None:
    sentences = (
        ("Rotates what follows about the point that is given, by so many", "degrees, with the axis as the second."),
        ("Moves it.",),
        (
            "Makes it larger or smaller by a factor along each of the axes, and",
            "leaves what is at the origin there; a factor of nothing at all is",
            "taken for one, and one below nothing turns it round as a mirror",
            "does. What stands behind the eye after that is cut away, as it is",
            "after a perspective, so that no line is drawn twice.",
        ),
        ("Looks at it from an eye point along a direction; where the one", "that is up is not given it is guessed."),
    )
    names = (("rotate(A, P)", "scalar, point"), ("move(X)", "vector"), ("scale(S)", "scalar"), ("view(E, D)", "point"))
    content = [text(x, 700, name, font="F2") for x, name in ((72, "Constructor"), (172, "Takes"), (262, "Description"))]
    y = 686
    for (name, takes), lines in zip(names, sentences, strict=True):
        content += [text(72, y, name, size=9), text(172, y, takes, size=9)]
        for line in lines:
            content.append(text(262, y, line, size=9))
            y -= 11
    rows = tuple((*name, " ".join(lines)) for name, lines in zip(names, sentences, strict=True))
    assert table(*content).rows == (("Constructor", "Takes", "Description"), *rows)


def test_names_in_two_lines_over_nothing_but_figures_are_one_header() -> None:
    xs = (72, 142, 232, 302)
    lines = [("Drill", "Diameter", "Drill", "Diameter"), ("Size", "(inches)", "Size", "(inches)")]
    figures = [(str(97 - at), f".{59 + 4 * at:04}", str(91 - at), f".{83 + 4 * at:04}") for at in range(6)]
    content = [
        text(x, 700 - 12 * at, cell) for at, cells in enumerate([*lines, *figures])
        for x, cell in zip(xs, cells, strict=True)
    ]  # fmt: skip
    found = table(*content)
    assert found.rows == (("Drill Size", "Diameter (inches)") * 2, *figures)
    assert found.header_rows == 1


def test_numbers_that_grow_under_one_another_are_no_pages_where_all_rows_have_one_number() -> None:
    rows = [("1", f"id{at}", "0", str(13147 + 15900 * at)) for at in range(5)]
    content = [
        text(x, 700 - 12 * at, cell) for at, cells in enumerate(rows)
        for x, cell in zip((72, 142, 232, 302), cells, strict=True)
    ]  # fmt: skip
    assert table(*content).rows == tuple(rows)


def test_a_column_that_begins_at_one_place_is_told_by_the_rows_in_which_its_neighbour_is_short() -> None:
    kinds = (
        "bond",
        "headband",
        "pagoda",
        "headband",
        "gob",
        "headband",
        "abode",
        "bog",
        "headband",
        "band",
        "headband",
    )
    rows = [(f"{kind.title()}s", kind, "" if at % 3 == 2 else "open" if at % 2 else "done") for at, kind in
            enumerate(kinds)]  # fmt: skip
    longest = 300 + DIGIT * 10 * len("headband")
    content = [
        text(72, y, name) + text(300, y, kind) + (text(longest + 4, y, state) if state else "")
        for y, (name, kind, state) in zip(range(700, 0, -14), rows, strict=False)
    ]
    assert table(*content).rows == tuple(rows)


def test_words_of_justified_cells_that_stand_as_far_apart_as_columns_are_of_one() -> None:
    rows = [
        ("log", "number", [["one"]]), ("job", "number", [["bounded", "band"], ["hand"]]),
        ("state", "text", [["banded", "hooded", "noon"], ["on", "end"]]), ("open", "date", [["done"]]),
        ("due", "date", [["oboe", "agenda"], ["opened"]]), ("node", "text", [["hung", "up"]]),
    ]  # fmt: skip
    y, content = 700.0, [rule(66, 712, 420, 712)]
    for name, kind, lines in rows:
        content.append(text(72, y, name) + text(162, y, kind))
        for at, words in enumerate(lines):
            widths = [DIGIT * 10 * len(word) for word in words]
            wide = at < len(lines) - 1 and len(words) > 1
            white = (420 - 282 - sum(widths)) / (len(words) - 1) if wide else 2.8
            x = 282.0
            for word, width in zip(words, widths, strict=True):
                content.append(text(x, y, word))
                x += width + white
            y -= 12
        content.append(rule(66, y + 7, 420, y + 7))
        y -= 6
    expected = tuple((name, kind, " ".join(word for line in lines for word in line)) for name, kind, lines in rows)
    assert table(*content).rows == expected


def test_pieces_of_a_word_that_the_white_of_the_font_parts_are_one_in_a_cell() -> None:
    """Browsers tell of a ligature what it stands for, which ends a piece of the word; in large type the next letter
    stands more than half a point behind it."""
    ys = [700.0 - 30 * at for at in range(4)]
    rows = (("eld", "Total"), ("rst", "12"), ("nal", "7"))
    content = [grid([72, 172, 272], ys)]
    for y, (rest, other) in zip(ys, rows, strict=False):
        ligature = "/Span << /ActualText (fi) >> BDC (fi) Tj EMC"
        content.append(f"BT /F1 16 Tf 1 0 0 1 76 {y - 20} Tm {ligature} 9.1 0 Td ({rest}) Tj ET\n")
        content.append(text(176, y - 20, other, size=16))
    assert table(*content).rows == (("field", "Total"), ("first", "12"), ("final", "7"))


def test_lines_justified_below_a_justified_one_are_of_its_cell() -> None:
    voice = [(("banned", "hooded,", "noon"), (20, 24)), (("agenda,", "pound", "one"), (27, 22)), (("opened",), ())]
    rows = [("Who", "Full name", "Voice"), ("Homer", "Homer Simpson", "Dan Castle"), ("Marge", "Marjorie", "Julie Kay")]
    rows += [("Bart", "Bartholomew", "Nancy Hart")]
    content = [rule(72, top, 392, top) for top in (712, 696, 610)]
    for at, cells in enumerate((*rows, ("Maggie", "Margaret", ""))):
        content += [text(x, 700 - 14 * at, cell) for x, cell in zip((76, 150, 250), cells, strict=True)]
    for at, (words, white) in enumerate(voice):
        x = 250.0
        for word, behind in zip(words, (*white, 0), strict=True):
            content.append(text(x, 644 - 12 * at, word))
            x += DIGIT * 10 * sum(char != "," for char in word) + 2.78 * word.count(",") + behind
    joined = " ".join(word for words, _ in voice for word in words)
    assert table(*content).rows == (*rows, ("Maggie", "Margaret", joined))


def test_a_table_whose_rows_another_says_again_is_kept_though_something_speaks_against_both() -> None:
    rows = (("Who", "Name", "Voice"), ("Homer", "Homer Jay", "Dan Castle"), ("Marge", "Marjorie", "Julie Kay"))
    voices = [
        "Elizabeth Taylor, Nancy Hart,",
        "James Earl, Harry Yard,",
        "Julie Kay, Dan Castle, Hank",
        "Azar and others",
    ]
    pieces = [*voices[:3], "Azar and", "others"]
    content = list[str]()
    for y, lines in ((700, pieces), (540, voices)):
        content += [rule(72, top, 412, top) for top in (y + 12, y - 4, y - 82)]
        for at, own in enumerate((*rows, ("Maggie", "Margaret", ""))):
            content += [text(x, y - 14 * at, cell) for x, cell in zip((76, 150, 250), own, strict=True)]
        content += [text(150, y - 54, "Simpson"), text(293, y - 78, " ".join(lines[4:]))]
        content += [text(250, y - 42 - 12 * at, line) for at, line in enumerate(lines[:4])]
    last = ("Maggie", "Margaret Simpson", " ".join(voices))
    assert [found.rows for found in tables(*content)] == [(*rows, last)] * 2


def test_rows_unlike_the_others_of_a_drawn_table_are_flaws_of_it() -> None:
    towns = ("Bergen", "Lisbon", "Graz", "Turku", "Cork", "Vilnius")
    rows = [("Town", "Trains", "Delay"), *((town, str(at * 71 + 40), f"{at}.5") for at, town in enumerate(towns))]
    cut = [*rows[:3], ("and its port", "12", "0.5"), ("", "within", ""), *rows[3:]]
    assert drawn(rows, [72, 192, 272, 392]).flaws == ()
    found = drawn(cut, [72, 192, 272, 392])
    assert found.confidence < UNCERTAIN_TABLE
    assert {"some rows begin in small letters", "a row holds nothing but a cell within"} <= set(found.flaws)


def test_a_word_of_negative_height_at_the_end_of_a_cell_is_one_of_its_last_line() -> None:
    def word(line: str, x: float, y: float, height: float = 10) -> Word:
        return Word(line, x, y, x + 5 * len(line), y + height, NO_STYLE, joined=False)

    columns = [(72.0, 150.0), (160.0, 262.0), (300.0, 340.0)]
    lines = list[GrowingRow]()
    for at, town in enumerate(("Bergen", "Lisbon", "Turku")):
        y = 100.0 + 26 * at
        sign = word("*", 256, y + 11, height=-2)
        lines.append(
            GrowingRow([[word(town, 72, y)], [word("ships of the town", 160, y), sign], [word("14", 300, y)]], y, y, 0)
        )
        lines.append(GrowingRow([[], [word("and went on", 160, y + 12)], []], y + 12, y + 12, 0))
    assert [len(row.cells[1]) for row in joined_rows(lines, columns, 10.0)] == [3, 3, 3]


@pytest.mark.parametrize(
    ("rows", "columns", "flagged"),
    [
        (
            (
                ("reader:", "the reader in use"),
                ("options:", "how names and signs are read,\nand which are left out"),
                ("buffer:", "the bytes that are read"),
                ("encoding:", "of the bytes, or none"),
            ),
            (72, 170),
            False,  # labels that end with colons say nothing against a table
        ),
        (
            (
                ("Attribute", "Description", "Required"),
                ("exists", "whether it is there, as\nfar as can be told", "No"),
                ("lastmodified", "when it was written last", "No"),
                ("size", "in bytes", "No"),
                ("name", "the name of the resource", "Yes"),
            ),
            (72, 144, 260),
            True,  # cells of several lines, and white that parts fewer columns
        ),
    ],
)
def test_what_adds_up_flags_a_table_and_labels_do_not(
    rows: tuple[tuple[str, ...], ...], columns: tuple[float, ...], flagged: bool
) -> None:
    content, y = list[str](), 700
    for own in rows:
        lines = [cell.split("\n") for cell in own]
        content += [
            text(x, y - 12 * at, line) for x, cell in zip(columns, lines, strict=True) for at, line in enumerate(cell)
        ]
        y -= 6 + 12 * max(map(len, lines))
    content += [rule(72, top, 330, top) for top in (712, 695, y + 10)] if flagged else []
    found = table(*content)
    assert found.rows == tuple(tuple(cell.replace("\n", " ") for cell in own) for own in rows)
    assert (found.confidence < UNCERTAIN_TABLE) == flagged
