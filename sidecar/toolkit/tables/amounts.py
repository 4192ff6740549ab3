"""The numbers that columns of figures give the rows of a table's body, whether those of one row are the sums of
others', and in which rows merged cells give them once more."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from sidecar.api import Scalar, TableColumn
from sidecar.toolkit.tables.cells import Unread, converter, plain_numbers
from sidecar.toolkit.tables.grid import Grid, GridRow
from sidecar.toolkit.tables.numbers import before_remark

FIGURES_OF_TOTAL: Final = 2
"""How many columns of figures must add up in a row that no word calls a total: one may by chance."""
TOLERANCE: Final = 1e-6
_ROUNDED: Final = 0.005
"""The share by which a total differs at most from the sum of parts that were rounded."""
_YEARS: Final = range(1800, 2200)


class Amounts:
    """The numbers that the columns of figures give the `rows` of a body, by place of row; None where none."""

    def __init__(self, grid: Grid, rows: Sequence[GridRow], columns: Sequence[TableColumn]) -> None:
        self.figures = {column.col: column for column in columns if column.type in ("number", "money", "percent")}
        self.sums = [column.col for column in columns if column.type in ("number", "money")]
        """Those of the columns that are not percentages."""
        self._grid = grid
        self._rows = rows
        self._converters = {col: converter(column) for col, column in self.figures.items()}
        self._columns: dict[int, Sequence[float | None]] = {}

    def one(self, at: int, col: int) -> float | None:
        """The number in that row."""
        row = self._rows[at]
        text = self._grid.text(row, col)
        value = self._converters[col](text, self._grid.cell(row, col))
        if isinstance(value, Unread) and (bare := before_remark(text)):
            value = self._converters[col](bare, None)
        return float(value) if isinstance(value, int | float) else None

    def column(self, col: int) -> Sequence[float | None]:
        """The numbers of all rows."""
        found = self._columns.get(col)
        if found is None:
            column, plain = self.figures[col], None
            if not self._grid.typed and column.type != "percent":
                plain = plain_numbers([self._grid.text(row, col) for row in self._rows], column.decimal)
            found = self._columns[col] = plain or [self.one(at, col) for at in range(len(self._rows))]
        return found


def adds_up_to(at: int, others: Sequence[int], amounts: Amounts, least: int) -> bool:
    """Whether the row has `least` figures, not one alike, and each is the sum of the others' in its column, or of what
    they were before they were rounded."""
    shown = [(col, value) for col in amounts.sums if (value := amounts.one(at, col)) is not None]
    if len({value for _, value in shown}) < least or not all(value for _, value in shown):
        return False
    for col, value in shown:
        column = amounts.column(col)
        parts = [part for other in others if (part := column[other]) is not None]
        apart = abs(sum(parts) - value)
        if apart > TOLERANCE * max(abs(value), 1) and (
            least < FIGURES_OF_TOTAL or not _is_rounding(apart, value, parts)
        ):
            return False
    return True


def _is_rounding(apart: float, value: float, parts: Sequence[float]) -> bool:
    """Whether a sum differs by what the rounding of its parts can make, and by little."""
    if apart > _ROUNDED * abs(value):
        return False
    digits = max(len(f"{part:.15g}".partition(".")[2]) for part in (value, *parts))
    return digits > 0 and apart <= 0.5 * 10**-digits * (len(parts) + 1)


def below_merges(grid: Grid, rows: Sequence[GridRow]) -> Mapping[int, list[int]]:
    """Of each column of the grid the `rows`, by their place, that a merged cell covers which begins above them."""
    steps: dict[int, Counter[int]] = {}
    for table in grid.tables:
        for merge in table.merges:
            if merge.rows > 1 and merge.cols == 1:
                first, own = table.first_row + merge.row, steps.setdefault(table.first_col + merge.col, Counter())
                own[first + 1] += 1
                own[first + merge.rows] -= 1
    places = [row.at for row in rows]
    found: dict[int, list[int]] = {}
    for col, own in steps.items():
        depth = 0
        for at, until in pairwise(sorted(own)):
            depth += own[at]
            if depth and (inside := range(bisect_left(places, at), bisect_left(places, until))):
                found.setdefault(col, []).extend(inside)
    return found


def are_years(values: Sequence[Scalar]) -> bool:
    """Whether all values of a column may be years, which nobody adds up."""
    return all(isinstance(one, int | float) and one in _YEARS for one in values if one is not None)
