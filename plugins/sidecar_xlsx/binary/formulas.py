"""The formulas of one sheet of a binary workbook, written out once its shared ones and its arrays are known."""

from collections import defaultdict
from dataclasses import dataclass, field

from sidecar.toolkit.cell_references import CellRange
from sidecar_xlsx.binary.layouts import Cell, Scope, TokenLayout
from sidecar_xlsx.binary.markup import SheetMarkup
from sidecar_xlsx.binary.tokens import anchor_of, formula_text


@dataclass
class FormulaCell:
    """A cell with a formula and its result; `extra` is what follows the tokens, `kind` the result's cell type, `asked`
    says that the result is to be calculated whenever the file is opened."""

    row: int
    col: int
    style: int
    kind: str
    value: str
    tokens: bytes
    extra: bytes
    asked: bool = False


@dataclass
class SheetFormulas:
    """The formulas in the order met; `shared`, `arrays` and `tables` (data tables, with their inputs as attributes) by
    the cell that those of other cells refer to."""

    layout: TokenLayout
    scope: Scope
    cells: list[FormulaCell] = field(default_factory=list[FormulaCell])
    shared: dict[Cell, tuple[bytes, bytes]] = field(default_factory=dict[Cell, tuple[bytes, bytes]])
    arrays: dict[Cell, tuple[CellRange, bytes, bytes]] = field(
        default_factory=dict[Cell, tuple[CellRange, bytes, bytes]]
    )

    tables: dict[Cell, tuple[CellRange, str]] = field(default_factory=dict[Cell, tuple[CellRange, str]])

    def text(self, tokens: bytes, extra: bytes, place: Cell) -> str:
        """A formula as it reads in a cell."""
        return formula_text(tokens, extra, self.layout, self.scope, place)

    def write(self, sheet: SheetMarkup) -> bytes:
        """The sheet's part, these cells in it among the others."""
        self._empty_uncalculated()
        for one in self.cells:
            formula, area = self._of(one)
            inputs = self.tables[one.row, one.col][1] if (one.row, one.col) in self.tables else ""
            sheet.cell(one.row, one.col, one.style, one.kind, one.value, formula, area, inputs)
        sheet.sort()
        return sheet.done()

    def _empty_uncalculated(self) -> None:
        """Take for no results the zeros of data tables that a program wrote which calculates none: all of a table's
        cells ask to be calculated on opening."""
        cells: defaultdict[Cell, list[FormulaCell]] = defaultdict(list)
        for one in self.cells if self.tables else ():
            anchor = anchor_of(one.tokens, one.extra, self.layout)
            if anchor in self.tables:
                cells[anchor].append(one)
        for inside in cells.values():
            if all(one.asked and one.value == "0" for one in inside):
                for one in inside:
                    one.value = ""

    def _of(self, one: FormulaCell) -> tuple[str, str]:
        """A cell's formula, its own, a shared one or an array's, and the array's range at its first cell."""
        place = (one.row, one.col)
        anchor = anchor_of(one.tokens, one.extra, self.layout)
        if anchor is None:
            return self.text(one.tokens, one.extra, place), ""
        if anchor in self.tables:
            return "", str(self.tables[anchor][0]) if place == anchor else ""
        if anchor in self.arrays:
            area, tokens, extra = self.arrays[anchor]
            return (self.text(tokens, extra, place), str(area)) if place == anchor else ("", "")
        return self.text(*self.shared.get(anchor, (b"", b"")), place), ""
