"""Tables of PDFs at the ends of pages: rows too few to be a table that go on with the one overleaf, rows that an end
of a page cuts, last rows without their rule; and tables of names in bold over a single row."""

from __future__ import annotations

from support.formats.pdf_builder import grid, rule, text
from support.formats.pdf_prose import PROSE, parsed, row, table, tables
from support.formats.plugin_reading import of

from sidecar.api import Paragraph, Table

XS = (72.0, 232.0, 352.0)
TOWNS = [
    ("Aalborg", "harbour", "1,204"), ("Bergen", "station", "870"), ("Cork", "market", "2,311"),
    ("Delft", "bridge", "95"), ("Evora", "school", "640"), ("Faro", "airport", "3,018"),
]  # fmt: skip
HEAD = ("Town", "Place", "Visits")


def lines(top: float, rows: list[tuple[str, ...]]) -> str:
    """Rows of cells that white space parts."""
    return "".join(row(top - 14 * at, dict(zip(XS, cells, strict=True))) for at, cells in enumerate(rows))


def prose(top: float) -> str:
    return "".join(text(72, top - 12 * at, line) for at, line in enumerate(PROSE))


def test_a_row_at_the_head_of_a_page_goes_on_with_the_table_of_the_page_before() -> None:
    document = parsed(prose(700) + lines(130, [HEAD, *TOWNS[:4]]), lines(740, TOWNS[4:5]) + prose(690))
    first, second = of(document, Table)
    assert first.rows == (HEAD, *TOWNS[:4])
    assert (second.rows, second.first_row) == ((HEAD, TOWNS[4]), 5)
    assert "Evora" not in "".join(block.text for block in of(document, Paragraph))


def test_a_head_said_again_over_a_lone_row_is_no_row() -> None:
    first, second = of(parsed(lines(130, [HEAD, *TOWNS[:4]]), lines(740, [HEAD, TOWNS[4]]) + prose(690)), Table)
    assert len(first.rows) == 5
    assert (second.rows[-1], second.first_row) == (TOWNS[4], 5)


def test_two_rows_at_the_foot_of_a_page_are_of_the_table_that_begins_the_next() -> None:
    document = parsed(prose(700) + lines(80, TOWNS[:2]), lines(740, TOWNS[2:]) + prose(640))
    first, second = of(document, Table)
    assert first.rows == tuple(TOWNS[:2])
    assert (second.rows, second.first_row) == (tuple(TOWNS[2:]), 2)


def test_a_line_overleaf_that_keeps_to_no_column_is_text() -> None:
    document = parsed(lines(130, [HEAD, *TOWNS[:4]]), row(740, {72: "Evora", 260: "school"}) + prose(690))
    (found,) = of(document, Table)
    assert len(found.rows) == 5


def test_a_row_that_the_end_of_a_page_cuts_is_one() -> None:
    xs = [72.0, 172.0, 472.0]
    head = [text(76, 686, "Post"), text(176, 686, "What is to be done"), text(76, 666, "Roof")]
    head += [text(176, 666, "all slates are looked at and those that are loose or")]
    tail = [text(176, 726, "broken are put in anew"), text(76, 706, "Door"), text(176, 706, "Painted in green.")]
    tail += [text(76, 686, "Wall"), text(176, 686, "Left as it is.")]
    pages = (grid(xs, [700.0, 680.0, 660.0]) + "".join(head), grid(xs, [740.0, 720.0, 700.0, 680.0]) + "".join(tail))
    first, second = of(parsed(*pages), Table)
    whole = "all slates are looked at and those that are loose or broken are put in anew"
    assert first.rows == (("Post", "What is to be done"), ("Roof", whole))
    assert second.rows == (("Door", "Painted in green."), ("Wall", "Left as it is."))
    assert second.first_row == 2


def test_a_row_without_a_first_cell_that_begins_anew_is_a_row_of_its_own() -> None:
    xs = [72.0, 172.0, 472.0]
    head = [text(76, 686, "Post"), text(176, 686, "What is to be done"), text(76, 666, "Roof")]
    head += [text(176, 666, "Slates")]
    tail = [text(176, 726, "Gutters"), text(76, 706, "Door"), text(176, 706, "Painted")]
    pages = (grid(xs, [700.0, 680.0, 660.0]) + "".join(head), grid(xs, [740.0, 720.0, 700.0]) + "".join(tail))
    _, second = of(parsed(*pages), Table)
    assert second.rows == (("", "Gutters"), ("Door", "Painted"))


def test_the_last_row_of_a_table_of_ruled_rows_has_no_rule_where_the_page_ends() -> None:
    content = [lines(686, TOWNS), *(rule(66, 682 - 14 * at, 420, 682 - 14 * at) for at in range(-1, 5))]
    assert table(*content).rows == tuple(TOWNS)


def test_names_in_bold_over_one_row_are_a_table() -> None:
    heads = row(700, {72: "Modifier", 172: "Method", 322: "Description"}, font="F2")
    cells = row(684, {72: "static void", 172: "refresh(int seconds)", 322: "Reads the list of stations again."})
    assert table(heads, cells).rows == (
        ("Modifier", "Method", "Description"),
        ("static void", "refresh(int seconds)", "Reads the list of stations again."),
    )
    assert not tables(heads.replace("/F2", "/F1"), cells)


def in_columns(*columns: list[tuple[str, ...]]) -> str:
    """Ruled rows in columns of a page, each with the same borders."""
    content: list[str] = []
    for at, rows in enumerate(columns):
        left, top = 72.0 + 250 * at, 700
        xs = [left, left + 70, left + 140, left + 200]
        content.append(grid(xs, [top - 16.0 * line for line in range(len(rows) + 1)]))
        for line, cells in enumerate(rows):
            content.append(row(top - 12 - 16 * line, {x + 4: cell for x, cell in zip(xs, cells, strict=False)}))
    return "".join(content)


def test_a_table_that_the_end_of_a_column_cuts_goes_on_in_the_next_one() -> None:
    first, second = of(parsed(text(72, 712, "Places.") + in_columns([HEAD, *TOWNS[:4]], TOWNS[4:])), Table)
    assert (first.rows, first.first_row) == ((HEAD, *TOWNS[:4]), 0)
    assert (second.rows, second.first_row) == ((HEAD, *TOWNS[4:]), 5)


def test_a_table_beside_another_with_names_of_its_own_is_none_of_it() -> None:
    others = [("Year", "Kind", "Sum"), ("2024", "toll", "1,004"), ("2025", "rent", "870")]
    found = of(parsed(in_columns([HEAD, *TOWNS], others)), Table)
    assert [(one.first_row, one.rows[0]) for one in found] == [(0, HEAD), (0, others[0])]


def pairs(top: float, rows: list[tuple[str, str]]) -> str:
    return "".join(row(top - 18 * at, {72: label, 132: value}) for at, (label, value) in enumerate(rows))


def test_labels_on_both_sides_of_a_page_end_are_a_table_as_others_of_their_columns_are() -> None:
    kept = [("code:", "the number of a sign"), ("name:", "that of a gate"), ("returned:", "one, or none")]
    first = pairs(740, kept) + prose(640) + pairs(74, kept[:1])
    found = of(parsed(first, pairs(740, kept[2:]) + prose(640)), Table)
    assert [(one.rows, one.first_row) for one in found] == [
        (tuple(kept), 0), (tuple(kept[:1]), 0), (tuple(kept[2:]), 1),
    ]  # fmt: skip
    alone = of(parsed(first, prose(740)), Table)
    assert [one.rows for one in alone] == [tuple(kept)]


def test_names_of_two_columns_that_are_said_again_on_each_page_are_no_running_head() -> None:
    heads = ("Backend", "Function")
    head = row(760, {72: heads[0], 232: heads[1]}, font="F2")
    cells = [row(742 - 16 * at, {72: f"gate of {town}", 232: place}) for at, (town, place, _) in enumerate(TOWNS)]
    found = of(parsed(*(head + "".join(cells[: 3 + at]) + prose(600) for at in range(3))), Table)
    assert [one.rows[0] for one in found] == [heads] * 3
