"""Whether stored results contradict their formulas: what a sheet stores where a program changed a cell and calculated
nothing. Looks at sums and plain arithmetic over cells of the same sheet; decides nothing about what else is old."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from sidecar.api import Cell, Table
from sidecar.toolkit.cell_references import CellRange, cell_name, parse_cell, parse_range

_LOOKED_AT: Final = 3000
"""Formulas of a sheet that are calculated, spread over all of them."""
_CELLS: Final = 200_000
"""Cells of a sheet that are added up, all formulas together."""
_CLOSE: Final = 1e-6
"""Results nearer than this share of what they are made of are the same: shown numbers have eleven digits."""
_OVER = re.compile(r"=(SUM|AVERAGE|MIN|MAX)\((\$?[A-Z]{1,3}\$?\d{1,7}:\$?[A-Z]{1,3}\$?\d{1,7})\)")
_PLAIN = re.compile(r"=(?:\$?[A-Z]{1,3}\$?\d{1,7}|\d++(?:\.\d++)?|[-+*/()])++")
"""Possessive: where digits could be parted anywhere, a long constant before a blank took hours."""
_TOKEN = re.compile(r"\$?[A-Z]{1,3}\$?\d{1,7}|\d+(?:\.\d+)?|[-+*/()]")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:E[-+]?\d+)?")
_TEXT_CELL = re.compile(rb'<(?:\w+:)?c\b(?=[^>]*\bt="(?:s|str|inlineStr)")[^>]*\br="([A-Z]{1,3}\d{1,7})"')


class _UnknownError(Exception):
    """A formula takes in what is not a number, or is none that is calculated here."""


class _TextError(_UnknownError):
    """A cell holds a text, which sums leave out."""


def contradiction(tables: Sequence[Table], markup: Callable[[], bytes]) -> str:
    """The first formula of a sheet found to contradict its result, as "D9 stores 999 and =SUM(D2:D7) gives 625.5", ""
    where none does. `markup` reads the sheet's part: it tells texts that look like numbers."""
    sheet = _SheetNumbers(sorted(tables, key=lambda table: table.first_row))
    if any(one.first_row + len(one.rows) > other.first_row for one, other in pairwise(sheet.tables)):
        return ""  # blocks side by side: a wide sheet, mostly empty
    found = [(table, cell) for table in sheet.tables for cell in table.cells if cell.formula and not cell.state]
    for table, cell in found[:: 1 + len(found) // _LOOKED_AT]:
        row, col = table.first_row + cell.row, table.first_col + cell.col
        try:
            stored = sheet.number(row, col)
            given, scale = sheet.calculated(cell.formula)
        except _UnknownError:
            continue
        if stored is None or abs(stored - given) <= _CLOSE * max(scale, abs(stored), abs(given)):
            continue
        if (over := _OVER.fullmatch(cell.formula)) and _holds_text(markup(), parse_range(over[2])):
            continue
        return f"{cell_name(row, col)} stores {stored:.11g} and {cell.formula} gives {given:.11g}"
    return ""


def unverified_results(tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables with every stored result said to be unverified."""
    return tuple(
        replace(table, cells=tuple(
            replace(cell, state="unverified") if cell.formula and not cell.state else cell for cell in table.cells
        ))
        for table in tables
    )  # fmt: skip


def _holds_text(markup: bytes, area: CellRange | None) -> bool:
    cells = (parse_cell(match[1].decode()) for match in _TEXT_CELL.finditer(markup))
    return area is None or any(cell and area.holds(*cell) for cell in cells)


@dataclass
class _SheetNumbers:
    """The numbers of a sheet by place."""

    tables: list[Table]
    _cells: dict[int, dict[tuple[int, int], Cell]] = field(default_factory=dict[int, dict[tuple[int, int], Cell]])
    _left: int = _CELLS

    def __post_init__(self) -> None:
        self._first_rows = [table.first_row for table in self.tables]

    def number(self, row: int, col: int) -> float | None:
        """The number of a cell, None for an empty one. Raises _UnknownError for what is none."""
        index = bisect_right(self._first_rows, row) - 1
        if index < 0:
            return None
        table = self.tables[index]
        r, c = row - table.first_row, col - table.first_col
        if r >= len(table.rows) or c < 0:
            return None
        known = self._cells.get(index)
        if known is None:
            known = self._cells[index] = {(cell.row, cell.col): cell for cell in table.cells}
        cell = known.get((r, c))
        if cell is not None:
            value = cell.value
            if type(value) is float or type(value) is int:
                return float(value)
            if value is not None or cell.state:
                raise _UnknownError
        line = table.rows[r]
        text = line[c] if c < len(line) else ""
        if not text and cell is None:
            return None
        if _NUMBER.fullmatch(text):
            return float(text)
        raise _TextError

    def calculated(self, formula: str) -> tuple[float, float]:
        """What a formula gives, and the size of the numbers it takes in. Raises _UnknownError."""
        if match := _OVER.fullmatch(formula):
            area = parse_range(match[2])
            values = [*self._values(area)] if area is not None else []
            if not values:
                raise _UnknownError
            total = sum(values)
            given = {"SUM": total, "AVERAGE": total / len(values), "MIN": min(values), "MAX": max(values)}[match[1]]
            return given, max(map(abs, values))
        if not _PLAIN.fullmatch(formula):
            raise _UnknownError
        return _Arithmetic(_TOKEN.findall(formula), self).result()

    def _values(self, area: CellRange) -> Iterator[float]:
        self._left -= (area.bottom - area.top + 1) * (area.right - area.left + 1)
        if self._left < 0:
            raise _UnknownError
        for row in range(area.top, area.bottom + 1):
            for col in range(area.left, area.right + 1):
                try:
                    value = self.number(row, col)
                except _TextError:
                    continue
                if value is not None:
                    yield value


@dataclass
class _Arithmetic:
    """Tokens of a formula being calculated, by recursive descent: sums of products of values."""

    tokens: list[str]
    sheet: _SheetNumbers
    at: int = 0
    scale: float = 0.0

    def result(self) -> tuple[float, float]:
        """What they give, and the size of the largest summand. Raises _UnknownError."""
        try:
            value = self._sum()
        except (IndexError, ZeroDivisionError, OverflowError) as error:
            raise _UnknownError from error
        if self.at != len(self.tokens):
            raise _UnknownError
        return value, self.scale

    def _sum(self) -> float:
        value = self._product()
        while self._next() in ("+", "-"):
            sign = -1 if self._take() == "-" else 1
            value += sign * self._product()
        return value

    def _product(self) -> float:
        value = self._value()
        while self._next() in ("*", "/"):
            value = value * self._value() if self._take() == "*" else value / self._value()
        self.scale = max(self.scale, abs(value))
        return value

    def _value(self) -> float:
        piece = self._take()
        if piece in ("-", "+"):
            return -self._value() if piece == "-" else self._value()
        if piece == "(":
            value = self._sum()
            if self._take() != ")":
                raise _UnknownError
            return value
        if piece[0].isdigit():
            return float(piece)
        place = parse_cell(piece)
        if place is None:
            raise _UnknownError
        return self.sheet.number(*place) or 0.0

    def _next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]
