"""A worksheet part of an .xlsb as SpreadsheetML ([MS-XLSB] 2.1.7.62)."""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from sidecar.toolkit.cell_references import MAX_COLS, MAX_ROWS
from sidecar_xlsx.binary.formulas import FormulaCell, SheetFormulas
from sidecar_xlsx.binary.layouts import BIFF12, ERRORS, Scope
from sidecar_xlsx.binary.markup import SheetMarkup, unpacked
from sidecar_xlsx.binary.tokens import number_text
from sidecar_xlsx.binary.xlsb.records import Fields, records

_CHARACTER: Final = 256
"""Widths of columns are in 256ths of one."""
_SHORT_BY: Final = 11
"""Records of cells without a column, which stand right of the one before, are counted from here."""
_HIDDEN_ROW: Final = 0x10
_CHART_VIEWS: Final = 139
"""BrtBeginCsViews: only sheets that are a chart have it."""
_MIN_HEIGHT: Final = 40
_FROZEN: Final = 1
"""Of the flags of a BrtPane (2.4.731)."""


@dataclass
class _XlsbSheet:
    formulas: SheetFormulas
    sheet: SheetMarkup = field(default_factory=SheetMarkup)
    row: int = 0
    col: int = -1
    meta: int = 0
    """What stands before a cell says of its value (BrtValueMeta)."""

    # the grid

    def begin_row(self, fields: Fields) -> None:
        row, _, height = fields.number("I"), fields.number("I"), fields.number("H")
        self.row, self.col = row, -1
        flags = fields.data[11] if len(fields.data) > 11 else 0
        if row < MAX_ROWS and (flags & _HIDDEN_ROW or (flags & 0x20 and height < _MIN_HEIGHT)):
            self.sheet.hidden_rows.add(row)

    def cell(self, kind: int, fields: Fields) -> None:
        """A cell of any kind: BrtCellRk and the like."""
        if kind > _SHORT_BY and kind in _SHORT:
            kind, self.col = kind - _SHORT_BY, self.col + 1
        else:
            self.col = fields.number("I")
        style = fields.number("I") & 0xFFFFFF
        meta, self.meta = self.meta, 0
        if self.col >= MAX_COLS or self.row >= MAX_ROWS:
            return
        if meta:
            self.sheet.rich[self.row, self.col] = meta
        typed, value = _VALUES[kind](fields)
        if kind in _FORMULAS:
            fields.number("H")
            self.formulas.cells.append(FormulaCell(self.row, self.col, style, typed, value, *fields.formula()))
        else:
            self.sheet.cell(self.row, self.col, style, typed, value)

    def value_meta(self, fields: Fields) -> None:
        self.meta = fields.number("I")

    def shared(self, fields: Fields) -> None:
        """A shared formula; it stands behind the first cell that has it."""
        fields.area()
        self.formulas.shared[self.row, self.col] = fields.formula()

    def array(self, fields: Fields) -> None:
        area, _ = fields.area(), fields.number("B")
        self.formulas.arrays[area.top, area.left] = (area, *fields.formula())

    def columns(self, fields: Fields) -> None:
        first, last, width, _ = (fields.number("I") for _ in range(4))
        hidden = bool(fields.number("H") & 1)
        self.sheet.column(first, min(last, MAX_COLS - 1), width=width / _CHARACTER, hidden=hidden)

    def pane(self, fields: Fields) -> None:
        _, rows = fields.float(), fields.float()
        _, _, _, flags = (fields.number(form) for form in "IIIB")
        if flags & _FROZEN and 0 < rows < MAX_ROWS:
            self.sheet.frozen = int(rows)

    def merge(self, fields: Fields) -> None:
        self.sheet.merges.append(fields.area())

    def filter(self, fields: Fields) -> None:
        self.sheet.filtered = fields.area()

    # beside the cells

    def link(self, fields: Fields) -> None:
        area, key, location, tip, display = fields.area(), fields.text(), fields.text(), fields.text(), fields.text()
        self.sheet.link(area, key, location, display, tip)

    def validation(self, fields: Fields) -> None:
        flags, areas = fields.number("I"), fields.areas()
        titles = {name: fields.text() for name in ("errorTitle", "error", "promptTitle", "prompt")}
        place = (areas[0].top, areas[0].left) if areas else (0, 0)
        bodies = (fields.formula(), fields.formula())
        self.sheet.validation(flags, areas, titles, [self.formulas.text(*body, place) for body in bodies if body[0]])

    def conditional(self, fields: Fields) -> None:
        fields.at += 8  # how many rules there are, and whether they are a pivot table's
        self.sheet.conditional.append(" ".join(map(str, fields.areas())))

    def header_footer(self, fields: Fields) -> None:
        fields.number("H")
        for name in ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter"):
            self.sheet.header_footer[name] = fields.text()

    def drawing(self, fields: Fields) -> None:
        self.sheet.drawing = fields.text()

    def legacy(self, fields: Fields) -> None:
        self.sheet.legacy = fields.text()

    def background(self, fields: Fields) -> None:
        self.sheet.picture = fields.text()

    def table(self, fields: Fields) -> None:
        self.sheet.tables.append(fields.text())

    def chart_sheet(self, _: Fields) -> None:
        self.sheet.root = "chartsheet"


def sheet_part(data: bytes, scope: Scope) -> bytes:
    """The sheet in a binary part; broken records are passed over."""
    reader = _XlsbSheet(SheetFormulas(BIFF12, scope))
    for kind, content in records(data):
        try:
            if kind in _VALUES or kind in _SHORT:
                reader.cell(kind, Fields(content))
            elif handler := _HANDLERS.get(kind):
                handler(reader, Fields(content))
        except (struct.error, IndexError):
            continue
    return reader.formulas.write(reader.sheet)


def _packed(fields: Fields) -> tuple[str, str]:
    return "", number_text(unpacked(fields.number("I")))


def _error(fields: Fields) -> tuple[str, str]:
    return "e", ERRORS.get(fields.number("B"), "#N/A")


def _boolean(fields: Fields) -> tuple[str, str]:
    return "b", str(fields.number("B"))


def _real(fields: Fields) -> tuple[str, str]:
    return "", number_text(fields.float())


def _string(fields: Fields) -> tuple[str, str]:
    return "str", fields.text()


def _shared_string(fields: Fields) -> tuple[str, str]:
    return "s", str(fields.number("I"))


def _rich(fields: Fields) -> tuple[str, str]:
    return "str", fields.rich()[0]


_VALUES: Final[Mapping[int, Callable[[Fields], tuple[str, str]]]] = {
    2: _packed, 3: _error, 4: _boolean, 5: _real, 6: _string, 7: _shared_string, 8: _string, 9: _real, 10: _boolean,
    11: _error, 62: _rich,
}  # fmt: skip
_FORMULAS: Final = frozenset((8, 9, 10, 11))
_SHORT: Final = frozenset(range(13, 19))
_HANDLERS: Final[Mapping[int, Callable[[_XlsbSheet, Fields], None]]] = {
    0: _XlsbSheet.begin_row, 50: _XlsbSheet.value_meta, 427: _XlsbSheet.shared, 426: _XlsbSheet.array,
    60: _XlsbSheet.columns, 151: _XlsbSheet.pane,
    176: _XlsbSheet.merge, 161: _XlsbSheet.filter, 494: _XlsbSheet.link, 64: _XlsbSheet.validation,
    461: _XlsbSheet.conditional, 479: _XlsbSheet.header_footer, 550: _XlsbSheet.drawing, 551: _XlsbSheet.legacy,
    562: _XlsbSheet.background, 661: _XlsbSheet.table, _CHART_VIEWS: _XlsbSheet.chart_sheet,
}  # fmt: skip
