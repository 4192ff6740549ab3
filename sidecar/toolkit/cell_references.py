"""Cell references as spreadsheets write them: A1 names to 0-based rows and columns and back, and ranges.

Pure functions over text (ECMA-376 part 1 §18.17.2); sheet names and formulas are the callers' affair."""

import re
from functools import lru_cache
from typing import NamedTuple

from sidecar.api.errors import UsageError

MAX_ROWS = 1_048_576
MAX_COLS = 16_384
"""The size of a sheet in Excel 2007 and later, and in LibreOffice by default."""

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_COLUMNS = re.compile(r"\$?([A-Za-z]{1,3}):\$?([A-Za-z]{1,3})")
_ROWS = re.compile(r"\$?(\d{1,7}):\$?(\d{1,7})")
_REQUESTED = re.compile(r"\$?([A-Za-z]{1,4})?\$?(\d{1,8})?(?:(:)\$?([A-Za-z]{1,4})?\$?(\d{1,8})?)?")
_OPEN_ROW, _OPEN_COLUMN = 2**24, 2**18
"""Where a range that is left open ends: beyond every sheet."""


class CellRange(NamedTuple):
    """A rectangle of cells, 0-based, all edges inside."""

    top: int
    left: int
    bottom: int
    right: int

    def __str__(self) -> str:
        """ "A1:F40", of a single cell "B7"."""
        first = cell_name(self.top, self.left)
        single = self[:2] == self[2:]
        return first if single else f"{first}:{cell_name(self.bottom, self.right)}"

    def meets(self, other: "CellRange") -> bool:
        """Whether the two have a cell in common."""
        return (
            self.top <= other.bottom and other.top <= self.bottom
            and self.left <= other.right and other.left <= self.right
        )  # fmt: skip

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell, by its 0-based place, is one of them."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right


EVERYWHERE = CellRange(0, 0, _OPEN_ROW, _OPEN_COLUMN)
"""Every cell of a sheet, however large it is."""


@lru_cache(maxsize=MAX_COLS)
def column_index(letters: str) -> int:
    """0-based column of "A" … "XFD"; `MAX_COLS` or more for what lies outside a sheet."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


@lru_cache(maxsize=MAX_COLS)
def column_name(column: int) -> str:
    """0 → "A", 25 → "Z", 26 → "AA"."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def cell_name(row: int, column: int) -> str:
    """(1, 1) → "B2"."""
    return f"{column_name(column)}{row + 1}"


def parse_cell(text: str) -> tuple[int, int] | None:
    """Row and column of "B7" or "$B$7"; None when it is none, or outside a sheet."""
    match = _CELL.fullmatch(text)
    if match is None:
        return None
    row, column = int(match[2]) - 1, column_index(match[1])
    return (row, column) if 0 <= row < MAX_ROWS and column < MAX_COLS else None


def parse_range(text: str) -> CellRange | None:
    """The range a file writes: "A1", "A1:B2", "A:C" or "1:3", with or without `$`; None for none, or off the sheet."""
    first, colon, last = text.partition(":")
    start = parse_cell(first)
    if not colon:
        return CellRange(*start, *start) if start else None
    end = parse_cell(last)
    if start and end:
        return _ordered(*start, *end)
    if match := _COLUMNS.fullmatch(text):
        found = _ordered(0, column_index(match[1]), MAX_ROWS - 1, column_index(match[2]))
    elif match := _ROWS.fullmatch(text):
        found = _ordered(int(match[1]) - 1, 0, int(match[2]) - 1, MAX_COLS - 1)
    else:
        return None
    return found if found.top >= 0 and found.bottom < MAX_ROWS and found.right < MAX_COLS else None


def requested_range(text: str) -> CellRange:
    """The range a person asks for: as `parse_range`, with open ends (`A200:`) and a sheet before it (`Sheet1!A1:B2`).
    What is left open or lies outside a sheet reaches to the end of any sheet.

    Raises:
        UsageError: it is none."""
    written = text.strip().rpartition("!")[2]
    match = _REQUESTED.fullmatch(written)
    if not written or match is None or not (match[1] or match[2]):
        raise UsageError(f"range {text[:40]!r} is not a cell range; write A1:F40, B:D, 3:9 or B7.")
    column, row, colon, end_column, end_row = match.groups()
    if colon is None:
        end_column, end_row = column, row
    top, left = int(row) - 1 if row else 0, column_index(column) if column else 0
    bottom = int(end_row) - 1 if end_row else _OPEN_ROW
    right = column_index(end_column) if end_column else _OPEN_COLUMN
    if top < 0 or bottom < 0:
        raise UsageError(f"range {text[:40]!r}: rows count from 1.")
    return _ordered(top, left, bottom, right)


def _ordered(row: int, column: int, other_row: int, other_column: int) -> CellRange:
    return CellRange(min(row, other_row), min(column, other_column), max(row, other_row), max(column, other_column))
