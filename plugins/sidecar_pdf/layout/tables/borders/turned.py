"""Drawn tables that stand turned by a quarter on a page: their rows run up or down."""

from collections.abc import Iterable
from itertools import pairwise

from sidecar.api import Merge
from sidecar_pdf.layout.tables.borders.drawn_grid import DrawnGrid
from sidecar_pdf.layout.tables.found import FoundTable, header_rows
from sidecar_pdf.text.orientation import Orientation
from sidecar_pdf.text.segments import Segment

_OVER = 1.0  # points by which the names of columns may reach out of their cells


def read_turned(table: FoundTable, grid: DrawnGrid) -> None:
    """Gives a table of a drawn grid whose text all runs up, or down, its rows as they read; others stay."""
    turn = _orientation_of(table.segments)
    if turn is None:
        return
    high, wide = len(table.rows), len(table.rows[0])

    def place(row: int, column: int) -> tuple[int, int]:
        """Where a cell of the page stands as the text reads."""
        across = high - 1 - row if turn.along_y < 0 else row
        return (column if turn.down_x > 0 else wide - 1 - column), across

    texts = [[""] * high for _ in range(wide)]
    for at, row in enumerate(table.rows):
        for column, text in enumerate(row):
            down, across = place(at, column)
            texts[down][across] = text
    merges: list[Merge] = []
    for merge in table.merges:
        corners = (place(merge.row, merge.col), place(merge.row + merge.rows - 1, merge.col + merge.cols - 1))
        top, left = min(row for row, _ in corners), min(column for _, column in corners)
        row, column = corners[0]
        texts[row][column], texts[top][left] = "", texts[row][column]
        merges.append(Merge(top, left, merge.cols, merge.rows))
    table.rows, table.merges = texts, tuple(sorted(merges, key=lambda m: (m.row, m.col)))
    table.columns = [*pairwise(grid.ys)][:: -1 if turn.along_y < 0 else 1]
    first = [
        s for s in table.segments if (s.x1 < grid.xs[1] + _OVER if turn.down_x > 0 else s.x0 > grid.xs[-2] - _OVER)
    ]
    table.header_rows = header_rows(texts, bold=bool(first) and all(s.style.bold for s in first))


def _orientation_of(segments: Iterable[Segment]) -> Orientation | None:
    """The one direction up or down that all text runs to, not mirrored; None where it reads level, or some does."""
    found = {s.orientation if s.vertical else None for s in segments}
    one = found.pop() if len(found) == 1 else None
    return one if one is not None and one.along_x == 0 and one.along_y == -one.down_x else None
