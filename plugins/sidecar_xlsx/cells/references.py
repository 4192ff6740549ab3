"""Ranges as formulas and parts of a workbook name them, 0-based, and shared formulas written for another cell."""

import re

from sidecar.toolkit.cell_references import MAX_COLS, MAX_ROWS, CellRange, column_index, column_name, parse_range

_QUALIFIED = re.compile(
    r"(?:'((?:[^']|'')*)'|([^'!,()\[\]{}\"]{1,255}))!(\$?[A-Za-z]{1,3}\$?\d*(?::\$?[A-Za-z]{0,3}\$?\d*)?)"
)
_REFERENCE = re.compile(
    # strings, quoted sheets, structured and external references
    r"""("(?:[^"]|"")*"|'(?:[^']|'')*'!?|\[[^\]]*+(?:\]|\Z))"""
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

    Only the text of the first cell is stored (ECMA-376 part 1 §18.3.1.40). References that would leave the sheet wrap
    around, as Excel's do."""

    def __init__(self, formula: str, row: int, column: int) -> None:
        self._row = row
        self._column = column
        self._texts = [""]
        """What stays, before, between and behind what moves."""
        self._moving: list[tuple[bool, int]] = []
        """Whether it is a column, and its 0-based place."""
        at = 0
        for match in _REFERENCE.finditer(formula):
            self._stay(formula[at : match.start()])
            self._reference(match)
            at = match.end()
        self._stay(formula[at:])

    def at(self, row: int, column: int) -> str:
        """The formula as the cell in that row and column (0-based) has it."""
        down, across = row - self._row, column - self._column
        pieces = [self._texts[0]]
        for (is_column, place), text in zip(self._moving, self._texts[1:], strict=True):
            moved = column_name((place + across) % MAX_COLS) if is_column else str((place + down) % MAX_ROWS + 1)
            pieces += moved, text
        return "".join(pieces)

    def _reference(self, match: re.Match[str]) -> None:
        kept, c, letters, r, number, c1, left, c2, right, r1, top, r2, bottom = match.groups()
        if kept is not None:
            self._stay(kept)
        elif letters is not None:
            if column_index(letters) >= MAX_COLS or int(number) > MAX_ROWS:
                self._stay(match[0])
            else:
                self._column_at(c, letters)
                self._row_at(r, number)
        elif left is not None:
            self._column_at(c1, left)
            self._stay(":")
            self._column_at(c2, right)
        else:
            self._row_at(r1, top)
            self._stay(":")
            self._row_at(r2, bottom)

    def _column_at(self, fixed: str, letters: str) -> None:
        index = column_index(letters)
        if fixed or index >= MAX_COLS:
            self._stay(fixed + letters)
        else:
            self._move(is_column=True, place=index)

    def _row_at(self, fixed: str, number: str) -> None:
        if fixed:
            self._stay(fixed + number)
        else:
            self._move(is_column=False, place=int(number) - 1)

    def _stay(self, text: str) -> None:
        self._texts[-1] += text

    def _move(self, *, is_column: bool, place: int) -> None:
        self._moving.append((is_column, place))
        self._texts.append("")
