"""What the readers of tables in light markups give: rows of cells as they are written, spans bounded."""

from typing import Final, NamedTuple

_MAX_SPAN: Final = 1_000


class Cell(NamedTuple):
    """A cell; `head` says that it is a heading, `cols` and `rows` how many it spans."""

    text: str
    head: bool = False
    cols: int = 1
    rows: int = 1


class Rows(NamedTuple):
    """A table: its rows, without the places that cells of others cover. `after` is text that stands in none of them."""

    rows: list[list[Cell]]
    caption: str = ""
    after: str = ""


def span_of(digits: str | None) -> int:
    """How many a cell spans, 1 where nothing is told."""
    return min(max(int(digits), 1), _MAX_SPAN) if digits else 1
