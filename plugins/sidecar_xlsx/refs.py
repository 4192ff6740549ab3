"""Cell references: A1 names to 0-based rows and columns and back, ranges, and formulas moved to another cell."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

MAX_ROWS = 1_048_576
MAX_COLS = 16_384

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})$")
_COLS = re.compile(r"\$?([A-Za-z]{1,3}):\$?([A-Za-z]{1,3})$")
_ROWS = re.compile(r"\$?(\d{1,7}):\$?(\d{1,7})$")
_QUALIFIED = re.compile(
    r"(?:'((?:[^']|'')*)'|([^'!,()\[\]{}\"]+))!(\$?[A-Za-z]{1,3}\$?\d*(?::\$?[A-Za-z]{0,3}\$?\d*)?)"
)
_MOVABLE = re.compile(
    r"""("(?:[^"]|"")*"|'(?:[^']|'')*'!?|\[[^\]]*\])"""  # strings, quoted sheets, structured and external references
    r"""|(?<![A-Za-z0-9_.\\$])(\$?)([A-Za-z]{1,3})(\$?)([1-9]\d{0,6})(?![A-Za-z0-9_(.!\\])"""
    r"""|(?<![A-Za-z0-9_.\\$])(\$?)([A-Za-z]{1,3}):(\$?)([A-Za-z]{1,3})(?![A-Za-z0-9_(.!\\])"""
    r"""|(?<![A-Za-z0-9_.\\$:])(\$?)([1-9]\d{0,6}):(\$?)([1-9]\d{0,6})(?![A-Za-z0-9_.(])"""
)


class Area(NamedTuple):
    """A range, 0-based, all edges inside."""

    top: int
    left: int
    bottom: int
    right: int


@lru_cache(maxsize=MAX_COLS)
def column_index(letters: str) -> int:
    """0-based column of "A" … "XFD"; larger than `MAX_COLS` for what lies outside a sheet."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


@lru_cache(maxsize=MAX_COLS)
def column_name(column: int) -> str:
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def cell_name(row: int, column: int) -> str:
    return f"{column_name(column)}{row + 1}"


def area_name(area: Area) -> str:
    first = cell_name(area.top, area.left)
    return first if area[:2] == area[2:] else f"{first}:{cell_name(area.bottom, area.right)}"


def parse_cell(text: str) -> tuple[int, int] | None:
    """Row and column of "B7" or "$B$7"; None when it is none, or outside a sheet."""
    match = _CELL.match(text)
    if match is None:
        return None
    row, column = int(match[2]) - 1, column_index(match[1])
    return (row, column) if 0 <= row < MAX_ROWS and column < MAX_COLS else None


def parse_area(text: str) -> Area | None:
    """The range of "A1", "A1:B2", "A:C" or "1:3", with or without `$`; None when it is none."""
    first, colon, last = text.partition(":")
    start = parse_cell(first)
    if not colon:
        return Area(*start, *start) if start else None
    end = parse_cell(last)
    if start and end:
        return Area(min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))
    if match := _COLS.match(text):
        edges = sorted((column_index(match[1]), column_index(match[2])))
        return Area(0, edges[0], MAX_ROWS - 1, edges[1]) if edges[1] < MAX_COLS else None
    if match := _ROWS.match(text):
        edges = sorted((int(match[1]) - 1, int(match[2]) - 1))
        return Area(edges[0], 0, edges[1], MAX_COLS - 1) if edges[0] >= 0 and edges[1] < MAX_ROWS else None
    return None


def sheet_areas(formula: str) -> list[tuple[str, Area]]:
    """Every range of a formula that names its sheet, in order: `Sheet1!$A$1:$B$2` → `("Sheet1", Area)`."""
    found: list[tuple[str, Area]] = []
    for quoted, plain, ref in _QUALIFIED.findall(formula):
        area = parse_area(ref)
        if area is not None:
            found.append((quoted.replace("''", "'") if quoted else plain.lstrip("=+-*/&<> "), area))
    return found


class Movable:
    """A formula that can be written for another cell: relative references move, absolute ones stay.

    Shared formulas store the first cell's text only (ECMA-376 part 1 §18.3.1.40). References that would leave the
    sheet wrap around, as Excel's do.
    """

    def __init__(self, formula: str, row: int, column: int) -> None:
        self._row = row
        self._column = column
        self._formula = formula

    def at(self, row: int, column: int) -> str:
        down, across = row - self._row, column - self._column

        def move_column(fixed: str, letters: str) -> str:
            if fixed:
                return "$" + letters
            index = column_index(letters)
            return column_name((index + across) % MAX_COLS) if index < MAX_COLS else letters

        def move_row(fixed: str, number: str) -> str:
            return "$" + number if fixed else str((int(number) - 1 + down) % MAX_ROWS + 1)

        def replace(match: re.Match[str]) -> str:
            kept, c, letters, r, number, c1, left, c2, right, r1, top, r2, bottom = match.groups()
            if kept is not None:
                return kept
            if letters is not None:
                if column_index(letters) >= MAX_COLS or int(number) > MAX_ROWS:
                    return match[0]
                return move_column(c, letters) + move_row(r, number)
            if left is not None:
                return f"{move_column(c1, left)}:{move_column(c2, right)}"
            return f"{move_row(r1, top)}:{move_row(r2, bottom)}"

        return _MOVABLE.sub(replace, self._formula)
