"""The records of one worksheet of an .xls as SpreadsheetML: cells with formulas, rows, columns, merges, links, what
cells may hold, comments ([MS-XLS] 2.1.7.20.1). What is drawn on it is `drawings`'."""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from sidecar.toolkit.cell_references import CellRange, cell_name
from sidecar_xlsx.binary.formulas import FormulaCell, SheetFormulas
from sidecar_xlsx.binary.layouts import ERRORS, TokenLayout
from sidecar_xlsx.binary.markup import SheetMarkup, text, unpacked
from sidecar_xlsx.binary.tokens import anchor_of, number_text
from sidecar_xlsx.binary.xls.links import read_link
from sidecar_xlsx.binary.xls.names import Names
from sidecar_xlsx.binary.xls.records import Record, RecordReader, handle
from sidecar_xlsx.binary.xls.styles import Styles

_RESULT_IS_NO_NUMBER: Final = 0xFFFF
_TEXT, _BOOLEAN, _ERROR, _EMPTY = 0, 1, 2, 3
"""What the result of a formula is where it is not a number ([MS-XLS] 2.5.133)."""
_ALWAYS: Final = 0x1
_ON_LOAD: Final = 0x2
_ROW_INPUT: Final = 0x4
_TWO_INPUTS: Final = 0x8
_FROZEN: Final = 0x8
"""Of the flags of a WINDOW2."""
_INPUTS: Final = {18: "<IH", 20: "<IHIH"}
"""The input cells of a data table by the length of its record, where LibreOffice wrote it, with rows of four bytes."""
_CHARACTER: Final = 256
"""Widths of columns are in 256ths of one."""
_MIN_HEIGHT: Final = 40
"""Twips; lower rows are as good as hidden."""


_OTHER_EDGES: Final = ("evenHeader", "evenFooter", "firstHeader", "firstFooter")
_OPERATORS: Final = {3: "equal", 4: "notEqual"}
"""Comparisons of a record CF; others are decided by calculation."""


@dataclass(frozen=True)
class Comment:
    """A comment in a cell; `number` is that of the box its text stands in, -1 where `text` is already here."""

    cell: str
    author: str
    number: int
    text: str = ""


@dataclass(frozen=True)
class SheetLink:
    """A hyperlink that leads out of the workbook, as relationship `key`."""

    key: str
    target: str


@dataclass
class SheetReader:
    """Takes the records of one sheet. `links` go into its relationships, `comments` into their part."""

    layout: TokenLayout
    names: Names
    encoding: str
    styles: Styles
    sheet: SheetMarkup = field(default_factory=SheetMarkup)
    links: list[SheetLink] = field(default_factory=list[SheetLink])
    comments: list[Comment] = field(default_factory=list[Comment])
    asked: int = 0
    """How many formulas ask to be calculated when the file is opened, and how many of these have the result 0."""
    zeros: int = 0
    frozen: bool = False
    """Whether the panes of the window stay where they are, and the first row stands at its top."""
    formulas: SheetFormulas = field(init=False)
    _painted: tuple[int, int] = (0, 0)
    """The first cell of the last conditional format."""
    _linked: tuple[CellRange, str, str, str] | None = None
    """The last link: its cells, key, place and text."""

    def __post_init__(self) -> None:
        self.formulas = SheetFormulas(self.layout, self.names)

    def take(self, record: Record) -> None:
        """A record of the sheet; those of other kinds, and broken ones, are passed over."""
        handle(_HANDLERS, self, record)

    def done(self) -> bytes:
        """The sheet's part, its formulas written out."""
        return self.formulas.write(self.sheet)

    # cells

    def number(self, record: Record) -> None:
        """A record NUMBER."""
        row, col, style, value = struct.unpack_from("<HHHd", record.data)
        self.sheet.cell(row, col, style, "", number_text(value))

    def packed_number(self, record: Record) -> None:
        """A record RK."""
        row, col, style, value = struct.unpack_from("<HHHI", record.data)
        self.sheet.cell(row, col, style, "", number_text(unpacked(value)))

    def packed_numbers(self, record: Record) -> None:
        """A record MULRK: numbers side by side."""
        row, col = struct.unpack_from("<HH", record.data)
        packed = record.data[4 : 4 + (len(record.data) - 6) // 6 * 6]
        for index, (style, value) in enumerate(struct.iter_unpack("<HI", packed)):
            self.sheet.cell(row, col + index, style, "", number_text(unpacked(value)))

    def shared_string(self, record: Record) -> None:
        """A record LABELSST."""
        row, col, style, index = struct.unpack_from("<HHHI", record.data)
        self.sheet.cell(row, col, style, "s", str(index))

    def string(self, record: Record) -> None:
        """A record LABEL or RSTRING."""
        row, col, style = struct.unpack_from("<HHH", record.data)
        self.sheet.cell(row, col, style, "str", RecordReader.of(record, 6, self.encoding).text())

    def bool_or_error(self, record: Record) -> None:
        """A record BOOLERR."""
        row, col, style, value, is_error = struct.unpack_from("<HHHBB", record.data)
        kind, shown = ("e", ERRORS.get(value, "#N/A")) if is_error else ("b", str(value))
        self.sheet.cell(row, col, style, kind, shown)

    def formula(self, record: Record) -> None:
        """A record FORMULA."""
        data = record.whole
        row, col, style = struct.unpack_from("<HHH", data)
        kind, value = "", ""
        self.asked += bool(data[14] & _ON_LOAD)
        self.zeros += bool(data[14] & _ON_LOAD) and not any(data[6:14])
        if struct.unpack_from("<H", data, 12)[0] == _RESULT_IS_NO_NUMBER:
            result = data[8]
            kind = {_TEXT: "str", _BOOLEAN: "b", _ERROR: "e", _EMPTY: "str"}.get(data[6], "")
            value = ERRORS.get(result, "#N/A") if kind == "e" else str(result) if kind == "b" else ""
        else:
            value = number_text(struct.unpack_from("<d", data, 6)[0])
        size = struct.unpack_from("<H", data, 20)[0]
        asked = bool(data[14] & (_ALWAYS | _ON_LOAD))
        tokens, extra = data[22 : 22 + size], data[22 + size :]
        self.formulas.cells.append(FormulaCell(row, col, style, kind, value, tokens, extra, asked))

    def formula_string(self, record: Record) -> None:
        """The text that is the result of the formula told of last."""
        if self.formulas.cells:
            self.formulas.cells[-1].value = RecordReader.of(record, 0, self.encoding).text()

    def shared_formula(self, record: Record) -> None:
        """A record SHRFMLA."""
        data = record.whole
        size = struct.unpack_from("<H", data, 8)[0]
        if self.formulas.cells:  # it stands behind the first cell that has it
            anchor = anchor_of(self.formulas.cells[-1].tokens, b"", self.layout)
            if anchor is not None:
                self.formulas.shared[anchor] = (data[10 : 10 + size], data[10 + size :])

    def array(self, record: Record) -> None:
        """A record ARRAY."""
        data = record.whole
        top, bottom, left, right = struct.unpack_from("<HHBB", data)
        size = struct.unpack_from("<H", data, 12)[0]
        area = CellRange(top, left, bottom, right)
        self.formulas.arrays[top, left] = (area, data[14 : 14 + size], data[14 + size :])

    def data_table(self, record: Record) -> None:
        """A record TABLE (2.4.313): a range that is calculated with one or two cells replaced by its edges'."""
        data = record.whole
        top, bottom, left, right, flags = struct.unpack_from("<HHBBH", data)
        first_row, first_col, *second = struct.unpack_from(_INPUTS.get(len(data), "<HHHH"), data, 8)
        given = f' dtr="{int(bool(flags & _ROW_INPUT))}" r1="{cell_name(first_row, first_col)}"'
        if flags & _TWO_INPUTS and second:
            given += f' dt2D="1" r2="{cell_name(*second)}"'
        self.formulas.tables[top, left] = (CellRange(top, left, bottom, right), given)

    # the grid

    def row(self, record: Record) -> None:
        """A record ROW."""
        row = struct.unpack_from("<H", record.data)[0]
        height, flags = struct.unpack_from("<H", record.data, 6)[0], struct.unpack_from("<H", record.data, 12)[0]
        if flags & 0x20 or (flags & 0x40 and height & 0x7FFF < _MIN_HEIGHT):
            self.sheet.hidden_rows.add(row)

    def columns(self, record: Record) -> None:
        """A record COLINFO."""
        first, last, width, _, flags = struct.unpack_from("<HHHHH", record.data)
        self.sheet.column(first, min(last, self.layout.cols - 1), width=width / _CHARACTER, hidden=bool(flags & 1))

    def window(self, record: Record) -> None:
        """A record WINDOW2 (2.4.346)."""
        flags, top = struct.unpack_from("<HH", record.data)
        self.frozen = bool(flags & _FROZEN) and not top

    def pane(self, record: Record) -> None:
        """A record PANE (2.4.189), which stands behind WINDOW2: of a frozen one the rows above are counted."""
        if self.frozen:
            self.sheet.frozen = struct.unpack_from("<H", record.data, 2)[0]

    def merges(self, record: Record) -> None:
        """A record MERGEDCELLS."""
        self.sheet.merges += _areas(record.data, 0)

    # beside the cells

    def link(self, record: Record) -> None:
        """A record HLINK."""
        top, bottom, left, right = struct.unpack_from("<HHHH", record.data)
        target, location, display = read_link(record.whole[24:])
        key = f"link{len(self.links) + 1}" if target else ""
        if target:
            self.links.append(SheetLink(key, target))
        self._linked = (CellRange(top, left, bottom, right), key, location, display)
        self.sheet.link(*self._linked)

    def tip(self, record: Record) -> None:
        """A record HLinkTooltip (2.4.141), which stands behind the link whose screen tip it is."""
        top, bottom, left, right = struct.unpack_from("<HHHH", record.data, 2)
        shown = record.whole[10:].decode("utf-16-le", "replace").partition("\0")[0]
        if self._linked is not None and self._linked[0] == CellRange(top, left, bottom, right):
            self.sheet.links.pop()
            self.sheet.link(*self._linked, shown)
            self._linked = None

    def validation(self, record: Record) -> None:
        """A record DV."""
        flags = struct.unpack_from("<I", record.data)[0]
        strings = RecordReader((record.whole,), "", 0, 4)
        titles = {name: strings.text().strip("\0") for name in ("promptTitle", "errorTitle", "prompt", "error")}
        bodies: list[bytes] = []
        for _ in range(2):
            size = strings.number(4) & 0xFFFF
            bodies.append(strings.take(size))
        areas = _areas(record.whole, strings.at)
        place = (areas[0].top, areas[0].left) if areas else (0, 0)
        formulas = [self.formulas.text(body, b"", place) for body in bodies if body]
        if flags & 0x80 and formulas:  # a list written out, its entries parted by NUL
            formulas[0] = formulas[0].replace("\0", ",")
        self.sheet.validation(flags, areas, titles, formulas)

    def conditional(self, record: Record) -> None:
        """A record CONDFMT: the background of its cells is not that of their style."""
        areas = _areas(record.data, 12)
        self.sheet.conditional.append(" ".join(map(str, areas)))
        self._painted = (areas[0].top, areas[0].left) if areas else (0, 0)

    def rule(self, record: Record) -> None:
        """A record CF (2.4.42): a condition of the record CONDFMT before it, and the look it gives."""
        kind, operator, size = struct.unpack_from("<BBH", record.whole)
        look, start = self.styles.add_conditional(record.whole[6:])
        formula = self.formulas.text(record.whole[6 + start : 6 + start + size], b"", self._painted)
        rules = self.sheet.rules.setdefault(len(self.sheet.conditional) - 1, [])
        condition = f'type="cellIs" operator="{_OPERATORS.get(operator, "")}"' if kind == 1 else 'type="expression"'
        rules.append(
            f'<cfRule {condition} dxfId="{look}" priority="{len(rules)}"><formula>{text(formula)}</formula></cfRule>'
        )

    def comment(self, record: Record) -> None:
        """A record NOTE."""
        row, col, last = struct.unpack_from("<HHH", record.data)
        if self.encoding:  # its text stands here, and goes on in records for no row
            text = record.data[6 : 6 + last].decode(self.encoding, "replace")
            if row == 0xFFFF and self.comments:
                before = self.comments[-1]
                self.comments[-1] = Comment(before.cell, before.author, -1, before.text + text)
            else:
                self.comments.append(Comment(cell_name(row, col), "", -1, text))
            return
        number = struct.unpack_from("<H", record.data, 6)[0]
        author = RecordReader.of(record, 8).text()
        self.comments.append(Comment(cell_name(row, col), author, number))

    def header(self, record: Record) -> None:
        """A record HEADER."""
        self._code(record, "oddHeader")

    def footer(self, record: Record) -> None:
        """A record FOOTER."""
        self._code(record, "oddFooter")

    def other_edges(self, record: Record) -> None:
        """A record HeaderFooter (2.4.137) of the sheet itself, not of somebody's view: the edges of even pages and of
        the first."""
        own, flags, *sizes = struct.unpack_from("<12x16s5H", record.whole)
        strings = RecordReader((record.whole,), "", 0, 38)
        for name, differs, size in zip(_OTHER_EDGES, (1, 1, 2, 2), sizes, strict=True):
            told = strings.text() if size else ""
            if flags & differs and told and not any(own):
                self.sheet.header_footer[name] = told

    def _code(self, record: Record, name: str) -> None:
        if record.data:
            self.sheet.header_footer[name] = RecordReader.of(record, 0, self.encoding).text(1 if self.encoding else 2)


def _areas(data: bytes, at: int) -> list[CellRange]:
    count = struct.unpack_from("<H", data, at)[0]
    return list(_ranges(data[at + 2 : at + 2 + 8 * count]))


def _ranges(data: bytes) -> Iterator[CellRange]:
    for top, bottom, left, right in struct.iter_unpack("<HHHH", data[: len(data) // 8 * 8]):
        yield CellRange(top, left, bottom, right)


_HANDLERS: Final[Mapping[int, Callable[[SheetReader, Record], None]]] = {
    0x203: SheetReader.number, 0x27E: SheetReader.packed_number, 0xBD: SheetReader.packed_numbers,
    0xFD: SheetReader.shared_string, 0x204: SheetReader.string, 0xD6: SheetReader.string,
    0x205: SheetReader.bool_or_error, 0x06: SheetReader.formula, 0x206: SheetReader.formula,
    0x406: SheetReader.formula, 0x207: SheetReader.formula_string, 0x4BC: SheetReader.shared_formula,
    0x221: SheetReader.array, 0x236: SheetReader.data_table, 0x208: SheetReader.row, 0x7D: SheetReader.columns,
    0xE5: SheetReader.merges, 0x23E: SheetReader.window, 0x41: SheetReader.pane,
    0x1B8: SheetReader.link, 0x1BE: SheetReader.validation, 0x1B0: SheetReader.conditional, 0x1B1: SheetReader.rule,
    0x1C: SheetReader.comment,
    0x14: SheetReader.header, 0x15: SheetReader.footer, 0x800: SheetReader.tip, 0x89C: SheetReader.other_edges,
}  # fmt: skip
EDGE_RECORDS: Final = frozenset((0x14, 0x15, 0x89C))
"""Records of a page's head and foot, which sheets that are one chart have too."""
