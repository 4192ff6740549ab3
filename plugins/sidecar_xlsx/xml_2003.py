"""An XML Spreadsheet of Excel 2002 and 2003 (Microsoft, "XML Spreadsheet Reference") written as a SpreadsheetML package
in memory, as programs still export it under the name .xls or .xml.

Everything else reads that package as it reads an .xlsx. Charts and pictures cannot be in such a file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from sidecar.api import DamagedError, Limits, Source
from sidecar.api.model import OWN_METADATA
from sidecar.toolkit.cell_references import MAX_COLS, MAX_ROWS, CellRange, cell_name, column_name, parse_range
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, local_name, parse_xml
from sidecar_xlsx.binary import markup
from sidecar_xlsx.binary.markup import MAIN, PackageParts, SheetMarkup
from sidecar_xlsx.exchanged.book import finite_number

_SS: Final = "{urn:schemas-microsoft-com:office:spreadsheet}"
_X: Final = "{urn:schemas-microsoft-com:office:excel}"
_O: Final = "{urn:schemas-microsoft-com:office:office}"
_NAMED_FORMATS: Final = {
    "general number": "General", "general date": "m/d/yyyy h:mm", "long date": "dddd, mmmm d, yyyy",
    "medium date": "d-mmm-yy", "short date": "m/d/yyyy", "long time": "h:mm:ss AM/PM", "medium time": "h:mm AM/PM",
    "short time": "h:mm", "currency": '"$"#,##0.00', "euro currency": "[$€-2] #,##0.00", "fixed": "0.00",
    "standard": "#,##0.00", "percent": "0.00%", "scientific": "0.00E+00", "yes/no": '"Yes";"Yes";"No"',
    "true/false": '"True";"True";"False"', "on/off": '"On";"On";"Off"',
}  # fmt: skip
"""Formats that the file tells by a name."""
_STATES: Final = {"SheetHidden": "hidden", "SheetVeryHidden": "veryHidden"}
_PROPERTIES: Final = {
    "Title": "title", "Subject": "subject", "Author": "author", "Keywords": "keywords", "Description": "description",
    "LastAuthor": "modified_by", "Created": "created", "LastSaved": "modified", "Category": "category",
    "Company": "company",
}  # fmt: skip
_KINDS: Final = {"Boolean": "b", "Error": "e", "DateTime": "d"}
"""Types of values that are not a number as SpreadsheetML tells them (§18.18.11); all others are text."""
_FIRST_OWN_FORMAT: Final = 164
"""Numbers below are those of formats every workbook has (ECMA-376 part 1 §18.8.30)."""
_POINTS_OF_A_CHARACTER: Final = 5.25
"""Widths are in points; at the usual font of 11 points a character is 7 pixels wide."""
_EDGES: Final = {"Header": "oddHeader", "Footer": "oddFooter"}
_RULES: Final = ("Whole", "Decimal", "List", "Date", "Time", "TextLength", "Custom")
"""What a cell may hold, in the order in which SpreadsheetML counts them from 1 ([MS-XLS] 2.4.99)."""
_QUALIFIERS: Final = (
    "Between", "NotBetween", "Equal", "NotEqual", "Greater", "Less", "GreaterOrEqual", "LessOrEqual",
)  # fmt: skip
_TOLD: Final = {
    "InputTitle": "promptTitle", "InputMessage": "prompt", "ErrorTitle": "errorTitle", "ErrorMessage": "error",
}  # fmt: skip
_COLOUR = re.compile(r"#([0-9A-Fa-f]{6})")
_AXIS: Final = r"(?:\[-?\d{1,7}\]|\d{1,7})?"
_REFERENCE = re.compile(
    rf"\"[^\"]*\"|'[^']*'|(?<![\w.\]$])(?:R({_AXIS})C({_AXIS})|([RC])({_AXIS})(?::\3({_AXIS}))?)(?![\w(.\[!])"
)
"""Text and quoted names, which stay; a cell; whole rows or columns (XML Spreadsheet Reference, "R1C1")."""


def open_xml(source: Source, limits: Limits) -> tuple[Package, dict[str, str]]:
    """The workbook as a package whose main part is `xl/workbook.xml`, and the document's properties.

    Raises:
        DamagedError: it is not XML, or holds no sheets."""
    root = parse_xml(source.read(limits.max_file_bytes), source.name)
    if root.tag != f"{_SS}Workbook" or root.find(f"{_SS}Worksheet") is None:
        raise DamagedError(f"{source.name} is an XML file without a sheet in it.")
    return Package(Source.of_bytes(_Xml2003Book(root).parts().packed(), source.name), limits), _properties(root)


def _properties(root: XmlElement) -> dict[str, str]:
    """What the file says of itself, by our names; what is empty is left out."""
    found = {
        name: "".join(node.itertext()).strip()
        for tag, name in _PROPERTIES.items()
        for node in root.iterfind(f"{_O}DocumentProperties/{_O}{tag}")
    }
    found |= {
        f"{OWN_METADATA}{local_name(node).replace('_x0020_', ' ').lower()}": "".join(node.itertext()).strip()
        for node in root.iterfind(f"{_O}CustomDocumentProperties/{_O}*")
    }
    return {name: value for name, value in found.items() if value}


@dataclass
class _Styles:
    """The styles by the names that cells call them by, each as the number of a cell style."""

    numbers: dict[str, int] = field(default_factory=lambda: {"": 0})
    cells: list[tuple[int, int, int]] = field(default_factory=lambda: [(0, 0, 0)])
    formats: dict[int, str] = field(default_factory=dict[int, str])
    fonts: list[str] = field(default_factory=lambda: [""])
    fills: list[str] = field(
        default_factory=lambda: ['<patternFill patternType="none"/>', '<patternFill patternType="gray125"/>']
    )

    def add(self, style: XmlElement) -> None:
        """A style; what it does not say, the one it is made from says."""
        parent = self.cells[self.numbers.get(style.get(f"{_SS}Parent", "Default"), 0)]
        format_, font, fill = parent
        code = _attribute(style.find(f"{_SS}NumberFormat"), "Format")
        if code:
            format_ = _FIRST_OWN_FORMAT + len(self.formats)
            self.formats[format_] = _NAMED_FORMATS.get(code.lower(), code)
        node = style.find(f"{_SS}Font")
        if node is not None:
            font = len(self.fonts)
            self.fonts.append(_font(node))
        inside = style.find(f"{_SS}Interior")
        if inside is not None:
            fill = _filled(inside, self.fills)
        self.numbers[_attribute(style, "ID")] = len(self.cells)
        self.cells.append((format_, font, fill))

    def part(self) -> bytes:
        """The part with all styles."""
        return markup.styles(self.formats, self.fonts, self.fills, self.cells)


class _Xml2003Book:
    """A workbook's tree taken apart."""

    def __init__(self, root: XmlElement) -> None:
        self._root = root
        self._parts = PackageParts()
        self._styles = _Styles()
        self._names: list[tuple[str, str, int, bool, str]] = []
        self._date1904 = root.find(f"{_X}ExcelWorkbook/{_X}Date1904") is not None

    def parts(self) -> PackageParts:
        """All parts."""
        for style in self._root.iterfind(f"{_SS}Styles/{_SS}Style"):
            self._styles.add(style)
        self._read_names(self._root, -1)
        listed: list[tuple[str, str, str]] = []
        for index, sheet in enumerate(self._root.iterfind(f"{_SS}Worksheet"), 1):
            visible = sheet.find(f"{_X}WorksheetOptions/{_X}Visible")
            state = _STATES.get((visible.text or "").strip(), "visible") if visible is not None else "visible"
            listed.append((sheet.get(f"{_SS}Name") or f"Sheet{index}", state, f"s{index}"))
            self._read_names(sheet, index - 1)
            self._sheet(sheet, index)
        parts = self._parts
        parts.link(MAIN, "styles", "styles", "styles.xml")
        parts.link("", "r1", "officeDocument", MAIN)
        parts.data["xl/styles.xml"] = self._styles.part()
        parts.data[MAIN] = markup.book(listed, self._names, date1904=self._date1904)
        return parts

    def _read_names(self, holder: XmlElement, sheet: int) -> None:
        for one in holder.iterfind(f"{_SS}Names/{_SS}NamedRange"):
            meaning = _in_a1(_attribute(one, "RefersTo").removeprefix("="), 0, 0)
            if meaning:
                self._names.append((_attribute(one, "Name"), meaning, sheet, _attribute(one, "Hidden") == "1", ""))

    def _sheet(self, node: XmlElement, index: int) -> None:
        name = f"xl/worksheets/sheet{index}.xml"
        self._parts.link(MAIN, f"s{index}", "worksheet", f"worksheets/sheet{index}.xml")
        reader = _SheetReader(self._styles.numbers)
        table = node.find(f"{_SS}Table")
        if table is not None:
            reader.read(table)
        filtered = node.find(f"{_X}AutoFilter")
        if filtered is not None:
            reader.sheet.filtered = _area(filtered.get(f"{_X}Range", ""))
        for tag, edge in _EDGES.items():
            said = node.find(f"{_X}WorksheetOptions/{_X}PageSetup/{_X}{tag}")
            if said is not None:
                reader.sheet.header_footer[edge] = said.get(f"{_X}Data", "")
        for rule in node.iterfind(f"{_X}DataValidation"):
            _validation(rule, reader.sheet)
        if reader.comments:
            self._parts.link(name, "comments", "comments", f"../comments{index}.xml")
            self._parts.data[f"xl/comments{index}.xml"] = markup.comments(reader.comments)
        for key, target in reader.targets:
            self._parts.link(name, key, "hyperlink", target, external=True)
        self._parts.data[name] = reader.sheet.done()


class _SheetReader:
    """The rows of one sheet as SpreadsheetML."""

    def __init__(self, styles: dict[str, int]) -> None:
        self.sheet = SheetMarkup()
        self.comments: list[tuple[str, str, str]] = []
        """Cell, author, text."""
        self.targets: list[tuple[str, str]] = []
        """Relationship and address of each link that leads out of the workbook."""
        self._styles = styles
        self._columns: dict[int, str] = {}

    def read(self, table: XmlElement) -> None:
        """All columns and rows."""
        usual = _attribute(table, "StyleID") or "Default"
        for at, last, node in _placed(table.iterchildren(f"{_SS}Column"), MAX_COLS):
            width, hidden = finite_number(_attribute(node, "Width")), _attribute(node, "Hidden") == "1"
            if width is not None or hidden:
                self.sheet.column(at, last, width=(width or 0.0) / _POINTS_OF_A_CHARACTER, hidden=hidden)
            style = _attribute(node, "StyleID")
            if style:
                self._columns.update(dict.fromkeys(range(at, last + 1), style))
        for row, last, node in _placed(table.iterchildren(f"{_SS}Row"), MAX_ROWS):
            if _attribute(node, "Hidden") == "1":
                self.sheet.hidden_rows.update(range(row, last + 1))
            style = _attribute(node, "StyleID")
            for col, right, cell in _placed(node.iterchildren(f"{_SS}Cell"), MAX_COLS, "MergeAcross"):
                self._cell(cell, CellRange(row, col, row, right), style or self._columns.get(col, usual))

    def _cell(self, node: XmlElement, place: CellRange, usual: str) -> None:
        row, col = place.top, place.left
        down = _count(node.get(f"{_SS}MergeDown", "0"), MAX_ROWS - row - 1)
        area = place._replace(bottom=row + down)
        if area[:2] != area[2:]:
            self.sheet.merges.append(area)
        style = self._styles.get(node.get(f"{_SS}StyleID", usual), 0)
        data = node.find(f"{_SS}Data")
        kind, value = ("", "") if data is None else _value(data)
        formula = _in_a1(_attribute(node, "Formula").removeprefix("="), row, col)
        array = _area(_attribute(node, "ArrayRange"), row, col) if formula else None
        self.sheet.cell(row, col, style, kind, value, formula, str(array) if array else "")
        target = _attribute(node, "HRef")
        if target.startswith("#"):
            self.sheet.link(area, "", target[1:])
        elif target:
            self.targets.append((f"h{len(self.targets)}", target))
            self.sheet.link(area, self.targets[-1][0], "")
        remark = node.find(f"{_SS}Comment")
        if remark is not None:
            text = "".join("".join(one.itertext()) for one in remark.iterchildren(f"{_SS}Data")).strip()
            self.comments.append((cell_name(row, col), _attribute(remark, "Author"), text))


def _validation(rule: XmlElement, sheet: SheetMarkup) -> None:
    """What cells may hold, and what is said of it."""
    said = {local_name(node): (node.text or "").strip() for node in rule if isinstance(node.tag, str)}
    areas = [area for one in said.get("Range", "").split(",") if (area := _area(one.strip())) is not None]
    kind, bound = said.get("Type", ""), said.get("Qualifier", "")
    if not areas:
        return
    flags = (_RULES.index(kind) + 1 if kind in _RULES else 0) | (
        _QUALIFIERS.index(bound) << 20 if bound in _QUALIFIERS else 0
    )
    bounds = [_in_a1(said.get(name, ""), areas[0].top, areas[0].left) for name in ("Value", "Min", "Max")]
    titles = {name: said[tag] for tag, name in _TOLD.items() if said.get(tag)}
    sheet.validation(flags, areas, titles, [formula.removeprefix("=") for formula in bounds if formula])


def _value(data: XmlElement) -> tuple[str, str]:
    """The kind of a cell's value as SpreadsheetML tells it, and the value; what is not a number stays text."""
    text, kind = "".join(data.itertext()), _attribute(data, "Type")
    if kind == "Number" and finite_number(text) is not None:
        return "", text.strip()
    return (_KINDS[kind], markup.text(text.strip())) if kind in _KINDS else ("str", text)


def _placed(nodes: Iterator[XmlElement], most: int, span: str = "Span") -> Iterator[tuple[int, int, XmlElement]]:
    """Rows, columns or cells with the first and last place they take, 0-based; what lies beyond the sheet ends it."""
    at = 0
    for node in nodes:
        at = max(at, _count(node.get(f"{_SS}Index", "0"), most + 1) - 1)
        if at >= most:
            return
        last = at + _count(node.get(f"{_SS}{span}", "0"), most - at - 1)
        yield at, last, node
        at = last + 1


def _count(text: str, most: int) -> int:
    return min(int(text[:9]), most) if text.isdecimal() and text.isascii() else 0


def _attribute(node: XmlElement | None, name: str) -> str:
    """An attribute of the file's own namespace; "" where it is not."""
    return "" if node is None else node.get(f"{_SS}{name}", "")


def _font(node: XmlElement) -> str:
    """The properties of a font as SpreadsheetML has them."""
    flags = (("b", "Bold"), ("i", "Italic"), ("strike", "StrikeThrough"))
    pieces = [f"<{name}/>" for name, attribute in flags if node.get(f"{_SS}{attribute}") == "1"]
    colour = _COLOUR.fullmatch(_attribute(node, "Color"))
    size = finite_number(_attribute(node, "Size"))
    pieces += [f'<sz val="{size:g}"/>'] if size else []
    pieces += [f'<color rgb="FF{colour[1]}"/>'] if colour else []
    return "".join(pieces)


def _filled(node: XmlElement, fills: list[str]) -> int:
    """The number of the fill, which is put behind the others where it is new."""
    colour = _COLOUR.fullmatch(_attribute(node, "Color"))
    if colour is None or node.get(f"{_SS}Pattern", "None") != "Solid":
        return 0
    fill = f'<patternFill patternType="solid"><fgColor rgb="FF{colour[1]}"/></patternFill>'
    if fill not in fills:
        fills.append(fill)
    return fills.index(fill)


def _area(reference: str, row: int = 0, col: int = 0) -> CellRange | None:
    """The range of a reference in R1C1; None of anything else."""
    return parse_range(_in_a1(reference, row, col).replace("$", ""))


def _in_a1(formula: str, row: int, col: int) -> str:
    """A formula whose references are in R1C1, seen from a cell (0-based), with references in A1."""

    def reference(found: re.Match[str]) -> str:
        if found[1] is not None:
            return _axis(found[2], col, "C") + _axis(found[1], row, "R")
        if found[3] is None:
            return found[0]
        first, second = found[4], found[5] if found[5] is not None else found[4]
        at = row if found[3] == "R" else col
        return f"{_axis(first, at, found[3])}:{_axis(second, at, found[3])}"

    return _REFERENCE.sub(reference, formula)


def _axis(reference: str, at: int, kind: str) -> str:
    """One half of a reference: `[-1]` and nothing are relative, a number counts from 1."""
    fixed = bool(reference) and reference[0] != "["
    most = MAX_ROWS if kind == "R" else MAX_COLS
    number = (int(reference) - 1 if fixed else at + int(reference.strip("[]") or "0")) % most
    return ("$" if fixed else "") + (str(number + 1) if kind == "R" else column_name(number))
