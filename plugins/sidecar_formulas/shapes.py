"""What every formula of a workbook takes in, found once for each shape of formula: copies of one differ in rows only.

A sheet of 80,000 formulas has a dozen shapes, so that looking through them takes a quarter of what reading each does.
"""

import gc
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from sidecar.toolkit.cell_references import MAX_ROWS, CellRange
from sidecar_formulas.references import references_at
from sidecar_formulas.tracing import Target, precedents_of, resolved
from sidecar_formulas.workbook import Place, Workbook

_SECONDS = 15.0
"""How long the formulas of a workbook are looked through for what they take in."""

_DIGITS = re.compile(r"(\d+)")
Edges = tuple[int, int, int, int, int]
"""A range a formula takes in: the sheet's index, and top, left, bottom, right."""


@dataclass(frozen=True)
class _Moving:
    """A range whose rows are numbers of the formula, the first and the last of them; columns and sheets are fixed."""

    sheets: tuple[int, ...]
    first: int
    last: int
    left: int
    right: int


@dataclass
class _FormulaShape:
    """Formulas alike but for their numbers: which of these are rows, and for every choice of the others (of a sheet and
    in names and constants) what is taken in. `regular` is False where each must be read for itself."""

    regular: bool
    others: tuple[int, ...]
    known: dict[tuple[int | str, ...], tuple[tuple[_Moving, ...], tuple[Edges, ...]]] = field(
        default_factory=dict[tuple[int | str, ...], tuple[tuple[_Moving, ...], tuple[Edges, ...]]]
    )


@dataclass
class Shapes:
    """The shapes seen so far in one workbook."""

    book: Workbook
    _seen: dict[tuple[str, ...], _FormulaShape] = field(default_factory=dict[tuple[str, ...], _FormulaShape])

    def taken_in(self, place: Place, formula: str) -> Iterator[Edges]:
        """The ranges the formula of a cell takes in; some may come twice."""
        pieces = _DIGITS.split(formula)
        numbers = pieces[1::2]
        texts = tuple(pieces[::2])
        shape = self._seen.get(texts)
        if shape is None:
            shape = self._seen[texts] = self._shape(formula)
        if not shape.regular:
            yield from map(_edges, precedents_of(self.book, place).targets)
            return
        key = (place[0], *[numbers[index] for index in shape.others])
        known = shape.known.get(key)
        if known is None:
            known = shape.known[key] = self._read(place, formula)
        moving, fixed = known
        for one in moving:
            top, bottom = int(numbers[one.first][:8]) - 1, int(numbers[one.last][:8]) - 1
            if not 0 <= min(top, bottom) <= max(top, bottom) < MAX_ROWS:
                continue
            for sheet in one.sheets:
                yield sheet, min(top, bottom), one.left, max(top, bottom), one.right
        yield from fixed

    def _shape(self, formula: str) -> _FormulaShape:
        rows: set[int] = set()
        regular = True
        for reference, start, end in references_at(formula):
            regular = regular and not reference.structured
            if reference.area is not None:
                rows.update(_numbers_in(formula, start, end))
        count = len(_DIGITS.findall(formula))
        return _FormulaShape(regular, tuple(index for index in range(count) if index not in rows))

    def _read(self, place: Place, formula: str) -> tuple[tuple[_Moving, ...], tuple[Edges, ...]]:
        moving: list[_Moving] = []
        fixed: list[Edges] = []
        for reference, start, end in references_at(formula):
            targets = resolved(self.book, place, reference)
            rows = _numbers_in(formula, start, end) if reference.area is not None else []
            if rows and targets:
                sheets = tuple(target.sheet for target in targets)
                area = targets[0].area
                moving.append(_Moving(sheets, rows[0], rows[-1], area.left, area.right))
            else:
                fixed += map(_edges, targets)
        return tuple(moving), tuple(fixed)


def _numbers_in(formula: str, start: int, end: int) -> list[int]:
    """Which of the formula's numbers stand between two places."""
    return [index for index, match in enumerate(_DIGITS.finditer(formula)) if start <= match.start() < end]


def _edges(target: Target) -> Edges:
    top, left, bottom, right = target.area
    return target.sheet, top, left, bottom, right


Entry = tuple[int, int, int, int, int, int, int, int]


@dataclass(frozen=True)
class Uses:
    """Every range that formulas of a workbook take in, with the formula's cell: eight numbers each, for there may be
    half a million (user's sheet, row, column; the range's sheet, top, left, bottom, right)."""

    entries: tuple[Entry, ...]
    looked: int
    """How many formulas were looked through."""

    def of(self, place: Place) -> Iterator[Place]:
        """The cells whose formulas take in that cell, in the order of the workbook."""
        sheet, row, col = place
        seen: set[Place] = set()
        for user_sheet, user_row, user_col, index, top, left, bottom, right in self.entries:
            if index == sheet and top <= row <= bottom and left <= col <= right:
                user = (user_sheet, user_row, user_col)
                if user not in seen:
                    seen.add(user)
                    yield user

    def ranges(self) -> Iterator[tuple[int, CellRange]]:
        """Every range that is taken in, each once, with its sheet."""
        for sheet, *edges in {entry[3:] for entry in self.entries}:
            yield sheet, CellRange(*edges)


def uses_of(book: Workbook) -> Uses:
    """What all formulas take in, as far as `_SECONDS` reach."""
    until = time.process_time() + _SECONDS
    entries: list[Entry] = []
    looked = 0
    shapes = Shapes(book)
    gc.disable()  # it would look through the growing heap again and again
    try:
        for place, formula in book.formulas.items():
            if looked % 1000 == 0 and time.process_time() > until:
                break
            looked += 1
            entries += [(*place, *edges) for edges in shapes.taken_in(place, formula)]
    finally:
        gc.enable()
    return Uses(tuple(entries), looked)
