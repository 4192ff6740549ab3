"""Tables whose rows of several lines nothing but white, dashes or a panel around them parts."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import lines, rule, text
from support.formats.pdf_prose import row, tables

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
