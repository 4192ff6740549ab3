"""OpenDocument spreadsheets (ODF 1.3 part 3 §9): shown text, raw values and formulas straight from `content.xml`.

Not responsible for styles. Repeated rows and cells are expanded only where they hold data."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sidecar.api import (
    DamagedError,
    Element,
    EncryptedError,
    Figure,
    Limits,
    Note,
    Notice,
    ParsedDocument,
    Part,
    Source,
    Span,
    Table,
)
from sidecar.toolkit.cell_references import MAX_COLS, MAX_ROWS, CellRange, cell_name, parse_range
from sidecar.toolkit.markup.flat_odf import custom_properties
from sidecar.toolkit.markup.odf_charts import words_of
from sidecar.toolkit.markup.odf_forms import index_controls
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.hidden_text import HiddenText, with_invisible
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement, count_of, outermost
from sidecar_xlsx.cells.tables import CellExtra, GridLayout, TableBuilder, TableRegion
from sidecar_xlsx.cells.visibility import hidden_lines
from sidecar_xlsx.ods_drawings import OdsDrawings
from sidecar_xlsx.ods_notes import SheetNotes
from sidecar_xlsx.ods_styles import Appearances, ConditionalFormat
from sidecar_xlsx.ods_values import unshown, value_of
from sidecar_xlsx.sheet.lookup import SeenTables, table_words
from sidecar_xlsx.sheet.occlusion import flag_occluded

_NS = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_TABLE, _OFFICE, _TEXT, _DRAW, _META = (_NS % name for name in ("table", "office", "text", "drawing", "meta"))
_XLINK = "{http://www.w3.org/1999/xlink}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_LOEXT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
_REFERENCE = re.compile(r"\[([^\[\]]*)\]")
_MAX_REPEATED = 4096
"""Times a row or cell with data is repeated; styles repeat empty ones to the end of the sheet."""
_REPEATED = 2**17
_REPEATED_A_CELL = 64
"""Cells that repetition adds to a document at most, and this many more for each that is written: 762 bytes that repeat
a filled row were 17 million cells and 68 MB of index."""


def parse_ods(package: Package, source: Source, limits: Limits) -> ParsedDocument:
    """Read an open .ods package. Raises FormatError."""
    if "META-INF/manifest.xml" in package and b"encryption-data" in package.read("META-INF/manifest.xml"):
        raise EncryptedError(f"{source.name} is protected by a password; save a copy without one to index it.")
    root = package.xml("content.xml")
    book = next(root.iter(f"{_OFFICE}spreadsheet"), None)
    if book is None:
        raise DamagedError(f"{source.name} is an OpenDocument file, but not a spreadsheet.")
    return _OdsReader(package, limits, root, book).read()


@dataclass
class _OdsSheet:
    """One sheet being read."""

    name: str
    layout: GridLayout
    builder: TableBuilder
    styles: tuple[tuple[int, str], ...] = ()
    """The last column of each run of columns, and the style its cells have unless they say another."""
    formats: tuple[ConditionalFormat, ...] = ()
    notes: list[Note] = field(default_factory=list[Note])
    rules: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """The cells that have a rule for what they may hold, by its name."""
    drawn: list[tuple[XmlElement, CellRange | None]] = field(default_factory=list[tuple[XmlElement, CellRange | None]])


class _OdsReader:
    def __init__(self, package: Package, limits: Limits, root: XmlElement, book: XmlElement) -> None:
        self._package = package
        self._book = book
        self._limits = limits
        self._register = EmbedRegister(package, limits)
        self._room = limits.max_text_chars
        self._repeats = _REPEATED
        """How many cells repetition may add yet."""
        self._notices: list[Notice] = []
        self._elements: list[Element] = []
        self._drawings = OdsDrawings(package, self._register, self._elements, index_controls(root))
        self._invisible = {
            style.get(f"{_NS % 'style'}name")
            for style in root.iter(f"{_NS % 'style'}style")
            for look in style.iter(f"{_NS % 'style'}table-properties")
            if look.get(f"{_TABLE}display") == "false"
        }

        common = [package.xml("styles.xml")] if "styles.xml" in package else []
        self._appearances = Appearances([*common, root])
        self._beside = SheetNotes(root, common[0] if common else None)
        self._hidden = HiddenText()

    def read(self) -> ParsedDocument:
        nodes = list(self._book.iterchildren(f"{_TABLE}table"))[: self._limits.max_parts]
        names = [node.get(f"{_TABLE}name") or f"Sheet{i}" for i, node in enumerate(nodes, 1)]
        parts = [self._part(node, name, i) for i, (node, name) in enumerate(zip(nodes, names, strict=True), 1)]
        metadata = self._metadata()
        document = ParsedDocument(
            title=metadata.pop("title", ""),
            description=metadata.pop("description", ""),
            media_type="application/vnd.oasis.opendocument.spreadsheet",
            metadata=metadata,
            parts=tuple(parts),
            elements=tuple(self._elements),
            embedded=self._register.done(),
            notices=tuple(self._notices),
        )
        return with_drawn_words(document, self._drawings.package.read)

    def _part(self, node: XmlElement, name: str, number: int) -> Part:
        regions = tuple(self._regions(name))
        layout = GridLayout(tuple(_merges(node)), regions, None, tuple(_hidden_columns(node)))
        sheet = _OdsSheet(
            name, layout, TableBuilder(layout), tuple(_default_styles(node)), self._appearances.formats(node)
        )
        self._hidden = HiddenText()
        self._rows(node, sheet)
        tables = flag_occluded(self._package, sheet.builder.finish(), (), self._hidden)
        seen = SeenTables(tables)
        blocks: list[Table | Figure | Note] = list(tables)
        for frame, area in sheet.drawn:
            blocks.extend(self._drawings.read(frame, area, seen, number, len(blocks) + 1))
        edges = self._beside.of_pages(node)
        for _ in [note for note in edges if note.hidden]:
            self._hidden.add("colour")
        blocks += [*sheet.notes, *self._beside.of_rules(sheet.rules), *edges]
        blocks += self._names(name, number)
        if tables and (len(tables[0].rows) > 1 or len(tables) > 1):
            named = next((table.name for table in tables if table.name), "")
            self._elements.append(
                Element(
                    type="table", label=named or f"Table s{number}-1", part=number, block=1, caption=name, context=name,
                    text=table_words(seen, tables, 4000), generated=not named,
                )
            )  # fmt: skip
        self._notices += self._hidden.notices(number)
        hidden = node.get(f"{_TABLE}style-name") in self._invisible
        if hidden:
            self._notices.append(Notice("hidden_content", f"The sheet {name} is hidden.", number))
        rows, columns = sum(len(one.hidden_rows) for one in tables), sum(b - a + 1 for a, b in layout.hidden_cols)
        message = hidden_lines(name, rows, columns)
        self._notices += [Notice("hidden_content", message, number)] if message else []
        return Part(kind="sheet", name=name, title=name, hidden=hidden, blocks=tuple(blocks))

    def _rows(self, node: XmlElement, sheet: _OdsSheet) -> None:
        index = left_out = 0
        for row in _flat(node, "table-row"):
            times = count_of(row.get(f"{_TABLE}number-rows-repeated"))
            left_out += self._row(row, range(index, min(index + times, MAX_ROWS)), sheet)
            index += times
        if left_out:
            message = f"{sheet.name} repeats cells without end; {left_out:,} of the copies were left out."
            self._notices.append(Notice("truncated_at", message))
        if self._room < 0:
            self._notices.append(Notice("truncated_at", f"{sheet.name} was read up to max_text_chars."))
        for shapes in node.iterchildren(f"{_TABLE}shapes"):
            sheet.drawn.extend((frame, None) for frame in shapes if isinstance(frame.tag, str))

    def _row(self, row: XmlElement, places: range, sheet: _OdsSheet) -> int:
        """Read a row that is repeated in those places; gives how many copies of its cells were left out."""
        hidden = row.get(f"{_TABLE}visibility") in ("collapse", "filter")
        copies = left_out = 0
        for again, index in enumerate(places):
            if self._room < 0:
                break
            if again and (again >= _MAX_REPEATED or self._repeats < 0):
                return left_out + copies * (len(places) - again)
            first, texts, extras, more = self._cells(row, index, sheet, again=again > 0)
            if first < 0:
                break
            sheet.builder.add(index, first, texts, extras, hidden=hidden)
            copies = len(texts)
            self._room -= sum(map(len, texts))
            self._repeats -= copies if again else 0
            left_out += more
        return left_out

    def _cells(
        self, row: XmlElement, index: int, sheet: _OdsSheet, *, again: bool
    ) -> tuple[int, list[str], list[CellExtra], int]:
        """The column of the first text, the texts, what cells hold besides, and how many copies were left out."""
        first, col, left_out = -1, 0, 0
        texts: list[str] = []
        extras: list[CellExtra] = []
        for cell in row:
            name = cell.tag.rpartition("}")[2] if isinstance(cell.tag, str) else ""
            if name not in ("table-cell", "covered-table-cell"):
                continue
            times = count_of(cell.get(f"{_TABLE}number-columns-repeated"))
            text, extra = self._cell(cell, index, col, sheet, again=again) if len(cell) or cell.attrib else ("", None)
            if (text or extra) and col < MAX_COLS:
                first = col if first < 0 else first
                texts.extend([""] * (col - first - len(texts)))
                wanted = min(times, MAX_COLS - col)
                times_shown = min(wanted, _MAX_REPEATED if self._repeats >= 0 else 1)
                left_out += wanted - times_shown
                self._repeats += 0 if again else _REPEATED_A_CELL + 1 - times_shown
                texts.extend([text] * times_shown)
                if extra is not None:
                    extras.extend(extra._replace(col=col + i) for i in range(times_shown))
            col += times
        return first, texts, extras, left_out

    def _cell(
        self, cell: XmlElement, row: int, col: int, sheet: _OdsSheet, *, again: bool
    ) -> tuple[str, CellExtra | None]:
        lines: list[str] = []
        link = ""
        for child in cell:
            if child.tag == f"{_TEXT}p":
                lines.append(words_of(child))
                link = link or next((a.get(f"{_XLINK}href", "") for a in child.iter(f"{_TEXT}a")), "")
            elif child.tag == f"{_OFFICE}annotation" and not again:
                text = "\n".join(words_of(p) for p in outermost(child, f"{_TEXT}p"))
                sheet.notes.append(
                    Note(
                        kind="comment",
                        text=text,
                        author=child.findtext(f"{_DC}creator") or "",
                        date=child.findtext(f"{_DC}date") or "",
                        target=cell_name(row, col),
                        resolved=child.get(f"{_LOEXT}resolved") == "true",
                    )
                )
            elif isinstance(child.tag, str) and child.tag.startswith(_DRAW) and not again:
                sheet.drawn.append((child, CellRange(row, col, row, col)))
        rule = "" if again else cell.get(f"{_TABLE}content-validation-name", "")
        if rule:
            sheet.rules.setdefault(rule, []).append(cell_name(row, col))
        text = "\n".join(lines)
        if not text and not cell.get(f"{_TABLE}style-name"):  # a format of its own may hide the value
            text = unshown(cell)
        formula = (cell.get(f"{_TABLE}formula") or "").partition(":=")
        typed = formula[2] or formula[0].lstrip("=")
        value = value_of(cell, text)
        spans = self._spans(cell, (row, col), sheet, text)
        if not (typed or link or spans or value is not None):
            return text, None
        state = "not_computed" if typed and not text and not cell.get(f"{_OFFICE}value-type") else ""
        shown = f"={_a1(typed)}" if typed else ""
        array = _filled_range(cell, row, col) if typed else ""
        return text, CellExtra(row, col, value, shown, "", link, spans, state, array)

    def _spans(self, cell: XmlElement, place: tuple[int, int], sheet: _OdsSheet, text: str) -> tuple[Span, ...]:
        """What of a cell's text is not seen, which is counted."""
        found = with_invisible(text, (), self._hidden)
        if not text.strip():
            return found
        name = cell.get(f"{_TABLE}style-name") or next((style for last, style in sheet.styles if place[1] <= last), "")
        kind = self._appearances.hides(name, place, text, sheet.formats)
        if kind is not None:
            self._hidden.add(kind)
            return (*found, Span("hidden", 0, len(text)))
        at = 0
        for line in cell.iterchildren(f"{_TEXT}p"):
            for start, end, why in self._appearances.hidden_runs(line, name):
                self._hidden.add(why)
                found = (*found, Span("hidden", at + start, at + end))
            at += len(words_of(line)) + 1 if len(cell) > 1 else 0
        return found

    def _regions(self, sheet: str) -> Iterator[TableRegion]:
        """Database ranges a person named (§9.4.15); calc's own anonymous ones have reserved names."""
        for node in self._book.iter(f"{_TABLE}database-range"):
            name = node.get(f"{_TABLE}name", "")
            address = node.get(f"{_TABLE}target-range-address", "")
            owner, area = _address(address)
            if area is not None and owner == sheet and name and not name.startswith("__Anonymous"):
                yield TableRegion(name, area, 0 if node.get(f"{_TABLE}contains-header") == "false" else 1)

    def _names(self, sheet: str, number: int) -> Iterator[Note]:
        for node in self._book.iter(f"{_TABLE}named-range", f"{_TABLE}named-expression"):
            name, address = node.get(f"{_TABLE}name", ""), node.get(f"{_TABLE}cell-range-address", "")
            owner, _ = _address(address)
            if owner == sheet or (number == 1 and not owner):
                meant = _a1(f"[{address}]" if address else node.get(f"{_TABLE}expression", ""))
                yield Note(kind="annotation", anchor=name, text=f"{name} = {meant}")

    def _metadata(self) -> dict[str, str]:
        if "meta.xml" not in self._package:
            return {}
        try:
            root = self._package.xml("meta.xml")
        except DamagedError as error:
            self._notices.append(Notice("damaged_part", str(error)))
            return {}
        names = {
            f"{_DC}title": "title", f"{_DC}subject": "subject", f"{_DC}description": "description",
            f"{_DC}creator": "modified_by", f"{_DC}date": "modified", f"{_DC}language": "language",
            f"{_META}initial-creator": "author", f"{_META}creation-date": "created", f"{_META}keyword": "keywords",
            f"{_META}generator": "application",
        }  # fmt: skip
        properties = {names[node.tag]: text for node in root.iter(*names) if (text := (node.text or "").strip())}
        return properties | custom_properties(root)


def _flat(node: XmlElement, name: str, depth: int = 0) -> Iterator[XmlElement]:
    """Rows (or columns) in order, those inside groups and heading groups too."""
    for child in node:
        if child.tag == f"{_TABLE}{name}":
            yield child
        elif isinstance(child.tag, str) and child.tag.startswith(_TABLE) and depth < 30:
            local = child.tag.rpartition("}")[2]
            if local in (f"{name}s", f"{name}-group", "table-header-rows", "table-header-columns"):
                yield from _flat(child, name, depth + 1)


def _default_styles(node: XmlElement) -> Iterator[tuple[int, str]]:
    """The style of each run of columns, by the last of them (ODF §19.617)."""
    last = -1
    for column in _flat(node, "table-column"):
        last += count_of(column.get(f"{_TABLE}number-columns-repeated"))
        yield last, column.get(f"{_TABLE}default-cell-style-name", "")


def _hidden_columns(node: XmlElement) -> Iterator[tuple[int, int]]:
    at = 0
    for column in _flat(node, "table-column"):
        times = count_of(column.get(f"{_TABLE}number-columns-repeated"))
        if column.get(f"{_TABLE}visibility") in ("collapse", "filter"):
            yield at, min(at + times, MAX_COLS) - 1
        at += times


def _merges(node: XmlElement) -> Iterator[CellRange]:
    row = 0
    for line in _flat(node, "table-row"):
        col = 0
        for cell in line.iterchildren(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            high = count_of(cell.get(f"{_TABLE}number-rows-spanned"))
            wide = count_of(cell.get(f"{_TABLE}number-columns-spanned"))
            if high > 1 or wide > 1:
                yield CellRange(row, col, row + high - 1, col + wide - 1)
            col += count_of(cell.get(f"{_TABLE}number-columns-repeated"))
        row += count_of(line.get(f"{_TABLE}number-rows-repeated"))


def _filled_range(cell: XmlElement, row: int, col: int) -> str:
    """The cells that a matrix formula fills (`table:number-matrix-rows-spanned`), "" for its own alone."""
    rows, cols = (count_of(cell.get(f"{_TABLE}number-matrix-{side}-spanned")) for side in ("rows", "columns"))
    area = CellRange(row, col, min(row + rows, MAX_ROWS) - 1, min(col + cols, MAX_COLS) - 1)
    return "" if area[:2] == area[2:] else str(area)


def _address(address: str) -> tuple[str, CellRange | None]:
    """Sheet and range of `$Sheet1.$A$1:.$B$2` or `'My sheet'.A1`."""
    sheet, _, rest = address.replace("$", "").rpartition(".")
    head, colon, _ = sheet.partition(":")
    if colon:  # Sheet1.A1:Sheet1.B2 or Sheet1.A1:.B2
        sheet, _, start = head.rpartition(".")
        rest = f"{start}:{rest}"
    return sheet.strip("'").replace("''", "'"), parse_range(rest)


def _a1(formula: str) -> str:
    """OpenFormula references as Excel and Calc show them: `[.A1:.B2]` → `A1:B2`, `[$Sheet2.A1]` → `Sheet2!A1`."""

    def shown(match: re.Match[str]) -> str:
        first, colon, last = match[1].partition(":")
        sheet, _, cell = first.rpartition(".")
        head = f"{sheet.lstrip('$')}!" if sheet else ""
        return f"{head}{cell}{colon}{last.rpartition('.')[2]}"

    return _REFERENCE.sub(shown, formula)
