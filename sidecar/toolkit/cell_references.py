"""Cell addresses as spreadsheets write them: columns as letters, ranges as `A1:F40`. Pure functions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sidecar.api import UsageError

__all__ = ["CellRange", "cell_name", "column_letters", "parse_range"]

_RANGE = re.compile(r"\$?([A-Za-z]{1,4})?\$?(\d{1,8})?(?:(:)\$?([A-Za-z]{1,4})?\$?(\d{1,8})?)?")
_LAST_ROW = 2**24
_LAST_COL = 2**18


@dataclass(frozen=True)
class CellRange:
    """A rectangle of cells: 0-based, `last_row` and `last_col` inclusive. Open ends reach very far."""

    first_row: int
    first_col: int
    last_row: int
    last_col: int

    def __str__(self) -> str:
        return f"{cell_name(self.first_row, self.first_col)}:{cell_name(self.last_row, self.last_col)}"

    def meets(self, other: CellRange) -> bool:
        """Whether the two have a cell in common."""
        return (
            self.first_row <= other.last_row and other.first_row <= self.last_row
            and self.first_col <= other.last_col and other.first_col <= self.last_col
        )  # fmt: skip

    def within(self, rows: int, cols: int) -> CellRange:
        """The part of it inside a sheet of that many rows and columns."""
        last_row, last_col = min(self.last_row, max(rows - 1, 0)), min(self.last_col, max(cols - 1, 0))
        return CellRange(self.first_row, self.first_col, max(last_row, self.first_row), max(last_col, self.first_col))


def column_letters(col: int) -> str:
    """0 → "A", 25 → "Z", 26 → "AA"."""
    letters = ""
    col += 1
    while col:
        col, rest = divmod(col - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def cell_name(row: int, col: int) -> str:
    """(1, 1) → "B2"."""
    return f"{column_letters(col)}{row + 1}"


def parse_range(text: str) -> CellRange:
    """`A1:F40`, one cell `B7`, whole columns `B:D`, whole rows `3:9`, an open end `A200:`; `$` and case do not matter.

    Raises:
        UsageError: it is none of these.
    """
    written = text.strip()
    if "!" in written:
        written = written.rpartition("!")[2]  # "Sheet1!A1:B2": the sheet is in the URI already
    match = _RANGE.fullmatch(written)
    if not written or match is None or not (match[1] or match[2]):
        raise UsageError(f"range {text[:40]!r} is not a cell range; write A1:F40, B:D, 3:9 or B7.")
    col, row, colon, end_col, end_row = match.groups()
    first_row, first_col = _row(row, 0), _col(col, 0)
    if colon is None:
        last_row, last_col = _row(row, _LAST_ROW), _col(col, _LAST_COL)
    else:
        last_row, last_col = _row(end_row, _LAST_ROW), _col(end_col, _LAST_COL)
    if first_row < 0 or last_row < 0:
        raise UsageError(f"range {text[:40]!r}: rows count from 1.")
    return CellRange(
        min(first_row, last_row), min(first_col, last_col), max(first_row, last_row), max(first_col, last_col)
    )


def _row(text: str | None, default: int) -> int:
    return int(text) - 1 if text else default


def _col(text: str | None, default: int) -> int:
    if not text:
        return default
    number = 0
    for letter in text.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1
