"""A workbook as the index holds it, looked into by cell: values, formulas, labels, defined names, Excel tables.

`opening` makes one of stored blocks. What a formula takes in is `tracing`'s."""

import dataclasses
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from sidecar.api import TABLE_WINDOW, Cell, FormulaState, Table
from sidecar.toolkit.cell_references import CellRange

_LABEL_CHARS = 60
_LABEL_TEXTS = 2
"""How many texts at the left of a row name it, and how many above one another name a column."""
_MAX_UP = 20_000
"""How many rows above a cell its column's heading is looked for."""
_MAX_NAMES = 500
"""How many rows above a text may all be named like it."""
_CENTURIES = ("19", "20")

Place = tuple[int, int, int]
"""A cell: the sheet's index, row and column, all 0-based."""


@dataclass(frozen=True)
class CellContent:
    """What a cell holds: its shown text, its number where it is one, its formula, whether it is a date, and how its
    formula came by its value."""

    text: str = ""
    number: float | None = None
    formula: str = ""
    dated: bool = False
    state: FormulaState = ""


@dataclass(frozen=True)
class NamedTable:
    """An Excel table: its sheet, its whole range, and how many heading rows it begins with."""

    name: str
    sheet: int
    area: CellRange
    header_rows: int


class Filled(NamedTuple):
    """Several cells that one formula fills, an array's or a data table's: where they are, and the one that holds it."""

    area: CellRange
    first: Place


@dataclass
class Sheet:
    """One sheet: its windows of rows, in order."""

    name: str
    tables: list[Table] = field(default_factory=list[Table])
    _starts: list[int] = field(default_factory=list[int])
    _empty_formulas: dict[int, set[tuple[int, int]]] = field(default_factory=dict[int, set[tuple[int, int]]])
    _details: dict[int, dict[tuple[int, int], Cell]] = field(default_factory=dict[int, dict[tuple[int, int], Cell]])

    def order(self) -> None:
        """Sort the windows by their first row, once all are there."""
        self.tables.sort(key=lambda table: table.first_row)
        self._starts = [table.first_row for table in self.tables]

    def windows(self, top: int, bottom: int) -> Iterator[tuple[int, Table]]:
        """The windows that may hold rows from `top` to `bottom`, with their index."""
        first = bisect_right(self._starts, top - TABLE_WINDOW - 1)
        for index in range(first, bisect_right(self._starts, bottom)):
            yield index, self.tables[index]

    def touching(self, table: Table) -> list[Table]:
        """A window with those right above and below it: a row of totals below an Excel table has one of its own."""
        top, end = table.first_row, table.first_row + len(table.rows)
        around = self.windows(top - 1, end)
        return [one for _, one in around if one.first_row <= end and one.first_row + len(one.rows) >= top]

    def detail(self, index: int, row: int, col: int) -> Cell | None:
        """What a window's cell holds beside its text; row and column within the window."""
        details = self._details.get(index)
        if details is None:
            details = self._details[index] = {(cell.row, cell.col): cell for cell in self.tables[index].cells}
        return details.get((row, col))

    def held(self, row: int, col: int) -> CellContent:
        """The cell at that place; nothing for an empty one."""
        for index, table in self.windows(row, row):
            r, c = row - table.first_row, col - table.first_col
            if 0 <= r < len(table.rows) and c >= 0:
                text = table.rows[r][c] if c < len(table.rows[r]) else ""
                cell = self.detail(index, r, c)
                if text or cell is not None:
                    return cell_record(text, cell)
        return CellContent()

    def upwards(self, row: int, col: int) -> Iterator[tuple[int, CellContent]]:
        """The cells of a column from `row` up to the first row, empty ones too where a window has the row."""
        for index in range(bisect_right(self._starts, row) - 1, -1, -1):
            table = self.tables[index]
            c = col - table.first_col
            if c < 0:
                continue
            for r in range(min(row - table.first_row, len(table.rows) - 1), -1, -1):
                cells = table.rows[r]
                text = cells[c] if c < len(cells) else ""
                yield table.first_row + r, cell_record(text, self.detail(index, r, c))

    def used(self) -> CellRange | None:
        """The smallest range that holds every cell with something in it."""
        if not self.tables:
            return None
        return CellRange(
            min(table.first_row for table in self.tables),
            min(table.first_col for table in self.tables),
            max(table.first_row + len(table.rows) for table in self.tables) - 1,
            max(table.first_col + max(map(len, table.rows), default=0) for table in self.tables) - 1,
        )

    def _without_text(self, index: int) -> set[tuple[int, int]]:
        """The cells of a window whose formulas show nothing."""
        known = self._empty_formulas.get(index)
        if known is None:
            table = self.tables[index]
            known = self._empty_formulas[index] = {
                (cell.row, cell.col)
                for cell in table.cells
                if cell.formula and (cell.col >= len(table.rows[cell.row]) or not table.rows[cell.row][cell.col])
            }
        return known

    def cells(self, area: CellRange) -> Iterator[tuple[int, int, CellContent]]:
        """The cells of a range that hold something, row by row within each window."""
        for index, table in self.windows(area.top, area.bottom):
            top, left = table.first_row, table.first_col
            formulas = self._without_text(index)
            for r in range(max(area.top - top, 0), min(area.bottom - top + 1, len(table.rows))):
                row = table.rows[r]
                for c in range(max(area.left - left, 0), min(area.right - left + 1, len(row))):
                    if row[c] or (r, c) in formulas:
                        yield top + r, left + c, cell_record(row[c], self.detail(index, r, c))


@dataclass
class Workbook:
    """All sheets with what belongs to the workbook. `formulas` are in the order of sheets and windows."""

    sheets: list[Sheet] = field(default_factory=list[Sheet])
    formulas: dict[Place, str] = field(default_factory=dict[Place, str])
    names: dict[str, str] = field(default_factory=dict[str, str])
    """Defined names in lower case → what they stand for; those of one sheet as `sheet!name`."""
    tables: dict[str, NamedTable] = field(default_factory=dict[str, NamedTable])
    arrays: dict[int, list[Filled]] = field(default_factory=dict[int, list[Filled]])
    """What arrays and data tables fill, by sheet."""
    complete: bool = True
    """False when there were more formulas than are looked through."""
    _by_name: dict[str, int] = field(default_factory=dict[str, int])
    _rows: dict[int, dict[int, list[int]]] = field(default_factory=dict[int, dict[int, list[int]]])

    def sheet_index(self, name: str) -> int | None:
        """The index of the sheet of that name, None when there is none."""
        if len(self._by_name) != len(self.sheets):
            self._by_name = {sheet.name.casefold(): index for index, sheet in reversed([*enumerate(self.sheets)])}
        return self._by_name.get(name.casefold())

    def held(self, place: Place) -> CellContent:
        """What the cell holds; one that an array fills has the array's formula."""
        sheet, row, col = place
        found = self.sheets[sheet].held(row, col)
        filled = None if found.formula else self.array_around(place)
        if filled is None:
            return found
        first = self.sheets[sheet].held(*filled.first[1:])
        return dataclasses.replace(found, formula=first.formula, state=first.state)

    def array_around(self, place: Place) -> Filled | None:
        """The array or data table that fills the cell; None for a cell with a formula of its own besides."""
        here = CellRange(place[1], place[2], place[1], place[2])
        found = next((one for one in self.arrays.get(place[0], ()) if one.area.meets(here)), None)
        return None if found is None or (place != found.first and place in self.formulas) else found

    def source(self, place: Place) -> Place:
        """The cell that holds the formula of this one: itself, or the first of the array that fills it."""
        filled = None if place in self.formulas else self.array_around(place)
        return place if filled is None else filled.first

    def called(self, place: Place, home: int) -> str:
        """The cell's name, its sheet before it unless that is `home`."""
        return self.area_called(place[0], CellRange(place[1], place[2], place[1], place[2]), home)

    def area_called(self, sheet: int, area: CellRange, home: int) -> str:
        """A range's name, its sheet before it unless that is `home`."""
        if sheet == home:
            return str(area)
        name = self.sheets[sheet].name
        plain = name.replace("_", "").isalnum() and not name[:1].isdigit()
        quoted = name if plain else "'" + name.replace("'", "''") + "'"
        return f"{quoted}!{area}"

    def table_around(self, place: Place) -> NamedTable | None:
        """The Excel table the cell lies in."""
        sheet, row, col = place
        here = CellRange(row, col, row, col)
        return next((t for t in self.tables.values() if t.sheet == sheet and t.area.meets(here)), None)

    def label(self, place: Place) -> str:
        """What a reader would call the cell: the texts at the left of its row, and the heading of its column."""
        return " / ".join(text for text in (self.row_label(place), self.column_label(place)) if text)

    def row_label(self, place: Place) -> str:
        """The first texts of the row, left of the cell and right of any gap between tables."""
        sheet, row, col = place
        texts: list[str] = []
        for index, table in self.sheets[sheet].windows(row, row):
            r, c = row - table.first_row, col - table.first_col
            if 0 <= r < len(table.rows) and c > 0:
                cells = table.rows[r][:c]
                # An empty column parts two tables that stand side by side.
                near = self.sheets[sheet].touching(table)
                start = max((i + 1 for i in range(len(cells)) if _is_gap(near, table.first_col + i)), default=0)
                texts += [
                    text
                    for i, text in enumerate(cells)
                    if i >= start and text and _is_words(cell_record(text, self.sheets[sheet].detail(index, r, i)))
                ]
        return _short(" ".join(texts[:_LABEL_TEXTS]))

    def column_label(self, place: Place) -> str:
        """The nearest texts above the cell: its column's heading, and one more right above it. A year or a date with
        nothing but words above it is a heading too. Above a text, texts in rows with figures stand beside it: they name
        other rows, as it names its own."""
        sheet, row, col = place
        named = _is_words(self.held(place))
        texts: list[str] = []
        strays: list[str] = []
        waiting, headed = "", row
        for at, found in self.sheets[sheet].upwards(row - 1, col):
            if row - at > (_MAX_NAMES if named else _MAX_UP) or (texts and not found.text):
                break
            if waiting and (not found.text or _is_words(found)):
                texts, waiting = [waiting], ""
            if named and _is_words(found) and self._is_stray(sheet, at, col):
                continue
            if _is_words(found):
                texts.append(found.text)
                headed = at
            elif texts and self._is_stray(sheet, headed, col):
                strays, texts = strays or texts, []
            elif texts:
                break
            else:
                waiting = found.text if _dates_column(found) else ""
            if len(texts) == _LABEL_TEXTS:
                break
        return _short(" ".join(reversed(texts or ([waiting] if waiting else strays))))

    def _is_stray(self, sheet: int, row: int, col: int) -> bool:
        """Whether a text among the figures of a column is a value written in words, since its row holds figures: "n/a"
        is not a heading."""
        return any(
            found.number is not None or found.dated
            for index, table in self.sheets[sheet].windows(row, row)
            if 0 <= row - table.first_row < len(table.rows)
            for c, text in enumerate(table.rows[row - table.first_row])
            if table.first_col + c != col
            and (found := cell_record(text, self.sheets[sheet].detail(index, row - table.first_row, c)))
        )

    def formulas_in(self, sheet: int, area: CellRange) -> Iterator[Place]:
        """The cells of a range that hold formulas, row by row."""
        rows = self._rows.get(sheet)
        if rows is None:
            rows = self._rows[sheet] = {}
            for index, row, col in self.formulas:
                if index == sheet:
                    rows.setdefault(row, []).append(col)
        if area.bottom - area.top < len(rows):
            wanted = [row for row in range(area.top, area.bottom + 1) if row in rows]
        else:
            wanted = sorted(row for row in rows if area.top <= row <= area.bottom)
        for row in wanted:
            yield from ((sheet, row, col) for col in rows[row] if area.left <= col <= area.right)


def cell_record(text: str, cell: Cell | None) -> CellContent:
    """A cell as one record."""
    value = cell.value if cell is not None else None
    number: float | None = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = float(value)
    elif value is None and text:
        try:
            number = float(text)
        except ValueError:
            number = None
    if cell is None:
        return CellContent(text, number)
    return CellContent(text, number, cell.formula, isinstance(value, str), cell.state)


def _is_words(found: CellContent) -> bool:
    """Whether a cell names something: typed-in text that is not a number. A year may name a column and is text here
    only where the workbook says so."""
    return bool(found.text) and found.number is None and not found.formula and any(map(str.isalpha, found.text))


def _dates_column(found: CellContent) -> bool:
    """Whether a cell may be the heading of a column all by itself: a year, or a date."""
    year = found.number is not None and len(found.text) == 4 and found.text.isdecimal() and found.text[:2] in _CENTURIES
    return not found.formula and (year or found.dated)


def _is_gap(tables: Iterable[Table], col: int) -> bool:
    return not any(
        row[at] for table in tables if (at := col - table.first_col) >= 0 for row in table.rows if at < len(row)
    )


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LABEL_CHARS else words[: _LABEL_CHARS - 1] + "…"
