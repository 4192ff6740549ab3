"""Writes what binary workbooks hold as SpreadsheetML (ECMA-376 part 1 §18), so that one reader serves all workbooks.

Only what that reader looks at is written. What .xls and .xlsb pack alike is unpacked here: numbers in 30 bits, texts in
stretches of one font. Not responsible for where it comes from."""

import io
import re
import struct
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from sidecar.toolkit.cell_references import CellRange, cell_name

_WHOLE, _HUNDREDTHS = 0x2, 0x1
_NEGATIVE: Final = 0x80000000


def unpacked(value: int) -> float:
    """A number in 30 bits: the upper ones of a float, or a whole number; perhaps a hundred times as large ([MS-XLS]
    2.5.218 RkNumber)."""
    if value & _WHOLE:
        number = float((value - 2**32 if value & _NEGATIVE else value) >> 2)
    else:
        number = struct.unpack("<d", struct.pack("<Q", (value & 0xFFFFFFFC) << 32))[0]
    return number / 100 if value & _HUNDREDTHS else number


def in_runs(text: str, runs: tuple[tuple[int, int], ...]) -> "list[Run]":
    """A text in stretches of one font; what stands before the first has that of its cell."""
    if not runs:
        return [(text, -1)]
    begins = [(0, -1), *runs] if runs[0][0] else list(runs)
    ends = [at for at, _ in begins[1:]] + [len(text)]
    return [(text[at:end], font) for (at, font), end in zip(begins, ends, strict=True) if at < end]


_NAMESPACE: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_PLAIN_SHEET = re.compile(r"[^\W\d][\w.]*")
_CELL_LIKE = re.compile(r"[A-Za-z]{1,3}\d{1,7}|[Rr]\d*[Cc]\d*|[RrCc]")
_KINDS: Final = ("none", "whole", "decimal", "list", "date", "time", "textLength", "custom")
_BOUNDS: Final = (
    "between", "notBetween", "equal", "notEqual", "greaterThan", "lessThan", "greaterThanOrEqual", "lessThanOrEqual",
)  # fmt: skip

RICH_VALUE: Final = "XLRICHVALUE"
"""The type of metadata that says which rich value a cell has."""
MAIN: Final = "xl/workbook.xml"
"""The main part of the packages made here."""

Run = tuple[str, int]
"""A stretch of text and the number of its font; -1 for that of the cell."""


def text(value: str) -> str:
    """Character data: marks escaped, control characters as ST_Xstring writes them (§22.9.2.19)."""
    value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if _UNWRITABLE.search(value):
        value = _UNWRITABLE.sub(lambda match: f"_x{ord(match[0]):04X}_", value)
    return escape(value, quote=False).replace("\r", "_x000D_")


def attribute(value: str) -> str:
    """The value of an attribute, without its quotes."""
    return text(value).replace('"', "&quot;").replace("\n", "&#10;")


def _given(**values: str) -> str:
    """The attributes that have a value, each with a space before it."""
    return "".join(f' {name}="{attribute(value)}"' for name, value in values.items() if value)


def part(root: str, inside: str, **values: str) -> bytes:
    """A part of the main namespace whose root element is `root`, with these attributes."""
    opening = f'<{root} xmlns="{_NAMESPACE}" xmlns:r="{_RELATIONS}"{_given(**values)}>'
    return f"{opening}{inside}</{root}>".encode()


def sheet_prefix(first: str, last: str = "", book: str = "") -> str:
    """What stands before a reference to a sheet, or to those from `first` to `last`: `Sheet1!`, `'My sheet'!`."""
    name = f"{first}:{last}" if last and last != first else first
    whole = f"[{book}]{name}" if book else name
    plain = not book and all(
        _PLAIN_SHEET.fullmatch(one) and not _CELL_LIKE.fullmatch(one) for one in (first, last or first)
    )
    return f"{name}!" if plain else "'" + whole.replace("'", "''") + "'!"


def _relationships(entries: Iterable[tuple[str, str, str, bool]]) -> bytes:
    """A part of relationships: id, type, target, and whether it is outside the package."""
    items = "".join(
        f'<Relationship Id="{attribute(key)}" Type="{_RELATIONS}/{kind}" Target="{attribute(target)}"'
        f"{_given(TargetMode='External' if external else '')}/>"
        for key, kind, target, external in entries
    )
    return f'<Relationships xmlns="{_PACKAGE}">{items}</Relationships>'.encode()


def strings(items: Iterable[Sequence[Run]], fonts: Sequence[str]) -> bytes:
    """The shared string table of texts in runs; `fonts` are the properties of fonts as `font` gives them."""
    inside = "".join(f"<si>{_runs(runs, fonts)}</si>" for runs in items)
    return part("sst", inside)


def _runs(runs: Sequence[Run], fonts: Sequence[str]) -> str:
    if all(number < 0 for _, number in runs):
        return f'<t xml:space="preserve">{text("".join(piece for piece, _ in runs))}</t>'
    return "".join(
        f"<r>{f'<rPr>{fonts[number]}</rPr>' if 0 <= number < len(fonts) else ''}"
        f'<t xml:space="preserve">{text(piece)}</t></r>'
        for piece, number in runs
    )


def styles(
    formats: Mapping[int, str],
    fonts: Sequence[str],
    fills: Sequence[str],
    cells: Iterable[tuple[int, int, int]],
    conditional: Iterable[str] = (),
) -> bytes:
    """The styles: number formats by their number, properties of fonts, fills (the first two are none and grey, whatever
    they say), for every cell style the numbers of its format, font and fill, and what conditions give."""
    formats_markup = "".join(
        f'<numFmt numFmtId="{number}" formatCode="{attribute(code)}"/>' for number, code in formats.items()
    )
    fills_markup = "".join(f"<fill>{one}</fill>" for one in fills)
    cells_markup = "".join(
        f'<xf numFmtId="{format_}" fontId="{font}" fillId="{fill}"/>' for format_, font, fill in cells
    )
    return part(
        "styleSheet",
        f"<numFmts>{formats_markup}</numFmts><fonts>{''.join(f'<font>{one}</font>' for one in fonts)}</fonts>"
        f"<fills>{fills_markup}</fills><cellXfs>{cells_markup}</cellXfs>"
        f"<dxfs>{''.join(f'<dxf>{one}</dxf>' for one in conditional)}</dxfs>",
    )


def metadata(types: Sequence[str], rich: Sequence[int], values: Iterable[Sequence[tuple[int, int]]]) -> bytes:
    """The metadata of a workbook's values (§18.9): the names of types, the index of the rich value of each entry of the
    type `XLRICHVALUE`, and for each value its records (number of the type, from 1; entry of that type)."""
    named = "".join(f'<metadataType name="{attribute(name)}"/>' for name in types)
    entries = "".join(f'<bk><rvb i="{index}"/></bk>' for index in rich)
    records = ("".join(f'<rc t="{kind}" v="{at}"/>' for kind, at in one) for one in values)
    blocks = "".join(f"<bk>{one}</bk>" for one in records)
    return part(
        "metadata",
        f'<metadataTypes>{named}</metadataTypes><futureMetadata name="{RICH_VALUE}">{entries}</futureMetadata>'
        f"<valueMetadata>{blocks}</valueMetadata>",
    )


def comments(entries: Iterable[tuple[str, str, str]]) -> bytes:
    """The comments of a sheet: cell, author, text."""
    found = list(entries)
    authors = list(dict.fromkeys(author for _, author, _ in found))
    names = "".join(f"<author>{text(author)}</author>" for author in authors)
    items = "".join(
        f'<comment ref="{cell}" authorId="{authors.index(author)}"><text><t xml:space="preserve">{text(words)}</t>'
        "</text></comment>"
        for cell, author, words in found
    )
    return part("comments", f"<authors>{names}</authors><commentList>{items}</commentList>")


def book(
    sheets: Iterable[tuple[str, str, str]], names: Iterable[tuple[str, str, int, bool, str]],
    externals: Iterable[str] = (), *, date1904: bool = False, anew: bool = False,
) -> bytes:  # fmt: skip
    """The workbook: sheets (name, state, relationship), names (name, meaning, sheet or -1, hidden, comment), the
    relationships of other workbooks; `anew` where all is to be calculated again."""
    listed = "".join(
        f'<sheet name="{attribute(name)}" sheetId="{index}" state="{state}" r:id="{attribute(key)}"/>'
        for index, (name, state, key) in enumerate(sheets, 1)
    )
    defined = "".join(
        f"<definedName{_given(name=name, localSheetId=str(sheet) if sheet >= 0 else '', comment=words)}"
        f"{_given(hidden='1' if hidden else '')}>{text(meaning)}</definedName>"
        for name, meaning, sheet, hidden, words in names
    )
    outside = "".join(f'<externalReference r:id="{attribute(key)}"/>' for key in externals)
    return part(
        "workbook",
        f'<workbookPr date1904="{int(date1904)}"/><sheets>{listed}</sheets>'
        f"<externalReferences>{outside}</externalReferences><definedNames>{defined}</definedNames>"
        f"<calcPr{_given(fullCalcOnLoad='1' if anew else '')}/>",
    )


@dataclass
class PackageParts:
    """The parts of the package being made, and the relationships of its parts."""

    data: dict[str, bytes] = field(default_factory=dict[str, bytes])
    links: dict[str, list[tuple[str, str, str, bool]]] = field(
        default_factory=dict[str, list[tuple[str, str, str, bool]]]
    )

    def link(self, source: str, key: str, kind: str, target: str, *, external: bool = False) -> None:
        """Relationship `key` of the part `source`, "" for the package itself."""
        self.links.setdefault(source, []).append((key, kind, target, external))

    def packed(self) -> bytes:
        """The package; stored, for it is read at once."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for name, data in self.data.items():
                archive.writestr(name, data)
            for source, entries in self.links.items():
                folder, _, base = source.rpartition("/")
                archive.writestr(f"{folder}/_rels/{base}.rels", _relationships(entries))
        return out.getvalue()


@dataclass
class SheetMarkup:
    """One sheet while its records are read; `done` gives its part."""

    root: str = "worksheet"
    rows: dict[int, list[str]] = field(default_factory=dict[int, "list[str]"])
    hidden_rows: set[int] = field(default_factory=set[int])
    columns: list[str] = field(default_factory=list[str])
    merges: list[CellRange] = field(default_factory=list[CellRange])
    links: list[str] = field(default_factory=list[str])
    validations: list[str] = field(default_factory=list[str])
    conditional: list[str] = field(default_factory=list[str])
    """The areas of conditional formats; `rules` by their place here."""
    rules: dict[int, list[str]] = field(default_factory=dict[int, "list[str]"])
    tables: list[str] = field(default_factory=list[str])
    """Relationships of Excel tables."""
    header_footer: dict[str, str] = field(default_factory=dict[str, str])
    filtered: CellRange | None = None
    frozen: int = 0
    """How many rows stay in view when the sheet is scrolled."""
    rich: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """By row and column of a cell the number of its rich value's entry in the workbook's metadata, from 1."""
    drawing: str = ""
    legacy: str = ""
    picture: str = ""

    def cell(
        self, row: int, col: int, style: int, kind: str, value: str, formula: str = "", area: str = "", table: str = ""
    ) -> None:
        """A cell; `kind` is "" for a number, "s" for a shared string, "str", "b", "e". The formula has no equals sign;
        that of an array has the array's range. `table` are the inputs of a data table over the range, as attributes."""
        inside = ""
        if formula or table:
            array = f' t="{"dataTable" if table else "array"}" ref="{area}"{table}' if area else ""
            inside = f"<f{array}>{text(formula)}</f>"
        if value or kind == "str":
            inside += f"<v>{text(value) if kind == 'str' else value}</v>"
        if inside:
            typed = f' t="{kind}"' if kind else ""
            if meta := self.rich.get((row, col)):
                typed += f' vm="{meta}"'
            markup = f'<c r="{cell_name(row, col)}" s="{style}"{typed}>{inside}</c>'
            cells = self.rows.get(row)
            if cells is None:
                self.rows[row] = [markup]
            else:
                cells.append(markup)

    def column(self, first: int, last: int, *, width: float, hidden: bool) -> None:
        """The columns from `first` to `last`, 0-based; `width` in characters."""
        self.columns.append(f'<col min="{first + 1}" max="{last + 1}" width="{width:g}" hidden="{int(hidden)}"/>')

    def link(self, area: CellRange, key: str, location: str, display: str = "", tip: str = "") -> None:
        """A link on cells: the relationship of its target, or a place, or both."""
        more = _given(**{"r:id": key}, location=location, display=display, tooltip=tip)
        self.links.append(f'<hyperlink ref="{area}"{more}/>')

    def validation(
        self, flags: int, areas: Sequence[CellRange], titles: Mapping[str, str], formulas: Sequence[str]
    ) -> None:
        """What cells may hold; `flags` as both formats pack them ([MS-XLS] 2.4.99, [MS-XLSB] 2.4.350)."""
        kind, bound = flags & 0xF, flags >> 20 & 0xF
        inside = "".join(
            f"<formula{index}>{text(formula)}</formula{index}>" for index, formula in enumerate(formulas, 1) if formula
        )
        self.validations.append(
            f'<dataValidation type="{_KINDS[kind] if kind < len(_KINDS) else "none"}" '
            f'operator="{_BOUNDS[bound] if bound < len(_BOUNDS) else _BOUNDS[0]}" '
            f'sqref="{" ".join(map(str, areas))}"{_given(**titles)}>{inside}</dataValidation>'
        )

    def sort(self) -> None:
        """Put the cells of every row in the order of their columns."""
        for cells in self.rows.values():
            cells.sort(key=_column_of)

    def done(self) -> bytes:
        """The part as UTF-8."""
        pane = f'<pane ySplit="{self.frozen}" state="frozen"/>'
        pieces = [f"<sheetViews><sheetView>{pane}</sheetView></sheetViews>"] if self.frozen else []
        pieces += [f"<cols>{''.join(self.columns)}</cols>" if self.columns else "", "<sheetData>"]
        for row in sorted(self.rows.keys() | self.hidden_rows):
            hidden = ' hidden="1"' if row in self.hidden_rows else ""
            pieces.append(f'<row r="{row + 1}"{hidden}>{"".join(self.rows.get(row, ()))}</row>')
        pieces.append("</sheetData>")
        if self.filtered is not None:
            pieces.append(f'<autoFilter ref="{self.filtered}"/>')
        pieces.append(_wrapped("mergeCells", [f'<mergeCell ref="{area}"/>' for area in self.merges]))
        for number, areas in enumerate(self.conditional):
            rules = "".join(self.rules.get(number, ()))
            pieces.append(f'<conditionalFormatting sqref="{areas}">{rules}</conditionalFormatting>')
        pieces.append(_wrapped("dataValidations", self.validations))
        pieces.append(_wrapped("hyperlinks", self.links))
        edges = [f"<{name}>{text(code)}</{name}>" for name, code in self.header_footer.items() if code]
        pieces.append(_wrapped("headerFooter", edges))
        for name, key in (("drawing", self.drawing), ("legacyDrawing", self.legacy), ("picture", self.picture)):
            if key:
                pieces.append(f'<{name} r:id="{attribute(key)}"/>')
        pieces.append(_wrapped("tableParts", [f'<tablePart r:id="{attribute(key)}"/>' for key in self.tables]))
        return part(self.root, "".join(pieces))


def _wrapped(name: str, items: Sequence[str]) -> str:
    return f"<{name}>{''.join(items)}</{name}>" if items else ""


def _column_of(markup: str) -> tuple[int, str]:
    """The column of a cell's markup, as its letters sort."""
    letters = markup[6 : markup.index('"', 6)].rstrip("0123456789")
    return len(letters), letters
