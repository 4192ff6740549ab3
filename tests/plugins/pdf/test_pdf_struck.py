"""Words of a PDF that a line is drawn through."""

import pytest
from support.formats.pdf_builder import lines, text
from support.formats.pdf_prose import PROSE, parsed
from support.formats.plugin_reading import of

from sidecar.api import Paragraph, Table
from sidecar.views.blocks.markdown import blocks_markdown

WIDE = 6.0
"""Points: a letter of Courier of ten points."""


def strike(x: float, y: float, chars: int, *, over: float = 3.0, beyond: float = 0.0) -> str:
    """A line so many points over the foot of letters from `x` on, and as thick as programs draw it."""
    return f"{x - beyond} {y + over} {chars * WIDE + 2 * beyond} 0.6 re f\n"


def said(drawn: str) -> str:
    line = text(72, 600, "The tenant pays ninety days or sixty days after the notice.", font="F3")
    document = parsed(lines(72, 740, PROSE * 3) + line + drawn)
    found = [block for block in of(document, Paragraph) if "tenant" in block.text]
    return blocks_markdown(found, "made")


@pytest.mark.parametrize("stroked", [False, True], ids=["filled", "stroked"])
def test_words_with_a_line_through_them_are_struck(stroked: bool) -> None:
    x = 72 + 16 * WIDE
    drawn = f"0.6 w {x} 603 m {x + 11 * WIDE} 603 l S\n" if stroked else strike(x, 600, 11)
    assert said(drawn) == "The tenant pays ~~ninety days~~ or sixty days after the notice."


@pytest.mark.parametrize(
    "drawn",
    [
        strike(72 + 16 * WIDE, 600, 11, over=-1.5),
        strike(72 + 16 * WIDE, 600, 11, over=8.5),
        strike(72 + 16 * WIDE, 600, 11, beyond=20.0),
        strike(72 + 18 * WIDE, 600, 2),
    ],
    ids=["underline", "line over it", "line that goes on", "line through a part of a word"],
)
def test_other_lines_strike_nothing(drawn: str) -> None:
    assert said(drawn) == "The tenant pays ninety days or sixty days after the notice."


def test_an_old_price_in_a_table_is_struck() -> None:
    rows = [("Lamp", "$99 $79", "4"), ("Chair", "$49", "7"), ("Desk", "$9", "1"), ("Bench", "$8", "2")]
    drawn, rules = "", ""
    for at, row in enumerate([("Item", "Price", "Stock"), *rows]):
        y = 600 - 20 * at
        drawn += "".join(text(x, y, cell, font="F3") for x, cell in zip((80, 180, 280), row, strict=True))
    for at in range(6):
        rules += f"72 {614 - 20 * at} 280 0.5 re f\n"
    for x in (72, 172, 272, 352):
        rules += f"{x} 514 0.5 100 re f\n"
    document = parsed(lines(72, 740, PROSE * 3) + drawn + rules + strike(180, 580, 3))
    (table,) = of(document, Table)
    assert table.rows == (("Item", "Price", "Stock"), ("Lamp", "~~$99~~ $79", "4"), *rows[1:])
