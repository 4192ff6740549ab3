"""What the readers of tables in light markups give: rows of cells as they are written, and where the cells stand whose
neighbours span rows and columns. Spans and sizes are bounded."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from sidecar.api import Merge

MAX_COLUMNS: Final = 500
_MAX_CELLS: Final = 200_000
_MAX_SPAN: Final = 1_000


class SpannedCell(NamedTuple):
    """A cell; `head` says that it is a heading, `cols` and `rows` how many it spans."""

    text: str
    head: bool = False
    cols: int = 1
    rows: int = 1


class CellRows(NamedTuple):
    """A table: its rows, without the places that cells of others cover. `after` is text that stands in none of them."""

    rows: list[list[SpannedCell]]
    caption: str = ""
    after: str = ""


def span_of(digits: str | None) -> int:
    """How many a cell spans, 1 where nothing is told."""
    return min(max(int(digits), 1), _MAX_SPAN) if digits else 1


def flowed(cells: Iterable[SpannedCell], columns: int, *, cut: bool) -> tuple[list[list[SpannedCell]], bool]:
    """The cells in rows of that many columns, of which those above may cover some, and whether that is all of them. One
    that is too wide for the rest of its row is cut to it, or without `cut` stands in the next."""
    rows: list[list[SpannedCell]] = [[]]
    covered: dict[int, int] = {}  # column → the last row, from 1, that a cell from above covers
    col = 0
    for cell in cells:
        wide = min(cell.cols, columns)
        least = 1 if cut else wide
        while col + least > columns or covered.get(col, 0) >= len(rows):
            col += 1
            if col + least > columns:
                if (len(rows) + 1) * columns > _MAX_CELLS:
                    return rows, False
                rows.append([])
                col = 0
        wide = min(wide, columns - col)
        rows[-1].append(cell._replace(cols=wide))
        if cell.rows > 1:
            _cover(covered, range(col, col + wide), len(rows) + cell.rows - 1)
        col += wide
    return rows, True


def placed(rows: Sequence[Sequence[SpannedCell]], columns: int = 0) -> tuple[list[list[str]], list[Merge]] | None:
    """A grid of the cells, of `columns` at least, with "" where a taller or wider one covers; as many rows as are
    written. None beyond the bounds."""
    grid: list[list[str]] = []
    merges: list[Merge] = []
    covered: dict[int, int] = {}  # column → the row before which a cell from above ends
    room = _MAX_CELLS
    for number, cells in enumerate(rows):
        texts: list[str] = []
        for cell in cells:
            while covered.get(len(texts), 0) > number:
                texts.append("")
            if len(texts) + cell.cols > MAX_COLUMNS:
                return None
            tall = min(cell.rows, len(rows) - number)
            if cell.cols > 1 or tall > 1:
                merges.append(Merge(number, len(texts), tall, cell.cols))
                _cover(covered, range(len(texts), len(texts) + cell.cols), number + tall)
            texts += [cell.text, *[""] * (cell.cols - 1)]
        room -= len(texts)
        if room < 0:
            return None
        grid.append(texts)
    width = max([columns, *map(len, grid)])
    if width * len(grid) <= _MAX_CELLS:
        grid = [texts + [""] * (width - len(texts)) for texts in grid]
    return grid, merges


def _cover(covered: dict[int, int], columns: range, row: int) -> None:
    """Columns are covered up to a row, or further where a cell from above covers them so."""
    covered |= {column: max(covered.get(column, 0), row) for column in columns}
