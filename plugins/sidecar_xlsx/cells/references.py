"""Ranges as formulas and parts of a workbook name them, 0-based, and shared formulas written for another cell."""

from __future__ import annotations

import re

from sidecar.toolkit.cell_references import MAX_COLS, MAX_ROWS, CellRange, column_index, column_name, parse_range

_QUALIFIED = re.compile(
    r"(?:'((?:[^']|'')*)'|([^'!,()\[\]{}\"]+))!(\$?[A-Za-z]{1,3}\$?\d*(?::\$?[A-Za-z]{0,3}\$?\d*)?)"
)
_REFERENCE = re.compile(
    r"""("(?:[^"]|"")*"|'(?:[^']|'')*'!?|\[[^\]]*\])"""  # strings, quoted sheets, structured and external references
    r"""|(?<![A-Za-z0-9_.\\$])(\$?)([A-Za-z]{1,3})(\$?)([1-9]\d{0,6})(?![A-Za-z0-9_(.!\\])"""
    r"""|(?<![A-Za-z0-9_.\\$])(\$?)([A-Za-z]{1,3}):(\$?)([A-Za-z]{1,3})(?![A-Za-z0-9_(.!\\])"""
    r"""|(?<![A-Za-z0-9_.\\$:])(\$?)([1-9]\d{0,6}):(\$?)([1-9]\d{0,6})(?![A-Za-z0-9_.(])"""
)


def sheet_ranges(formula: str) -> list[tuple[str, CellRange]]:
    """Every range of a formula that names its sheet, in order: `Sheet1!$A$1:$B$2` → `("Sheet1", CellRange)`."""
    found: list[tuple[str, CellRange]] = []
    for quoted, plain, ref in _QUALIFIED.findall(formula):
        found_range = parse_range(ref)
        if found_range is not None:
            found.append((quoted.replace("''", "'") if quoted else plain.lstrip("=+-*/&<> "), found_range))
    return found


class SharedFormula:
    """A formula that several cells share: relative references move, absolute ones stay.

    Only the text of the first cell is stored (ECMA-376 part 1 §18.3.1.40). References that would leave the
    sheet wrap around, as Excel's do.
    """

    def __init__(self, formula: str, row: int, column: int) -> None:
        self._row = row
        self._column = column
        self._formula = formula

    def at(self, row: int, column: int) -> str:
        """The formula as the cell in that row and column (0-based) has it."""
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

        return _REFERENCE.sub(replace, self._formula)
