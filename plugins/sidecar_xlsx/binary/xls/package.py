"""An .xls written as a SpreadsheetML package in memory ([MS-XLS] 2.1.7): its streams taken apart, sheet by sheet.

Everything else reads that package as it reads an .xlsx. Files under a password that is not Excel's own are refused."""

import struct
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sidecar.api import DamagedError, EncryptedError, Limits, Source
from sidecar.toolkit.cell_references import parse_range
from sidecar.toolkit.ole.compound import Compound, write_compound
from sidecar.toolkit.ole.objects import inner_storage
from sidecar.toolkit.ole.officeart import picture, stored_pictures
from sidecar.toolkit.ooxml.package import Package, is_encrypted
from sidecar.toolkit.pictures import EXTENSIONS
from sidecar_xlsx.binary import markup
from sidecar_xlsx.binary.layouts import BIFF5, BIFF8, TokenLayout
from sidecar_xlsx.binary.markup import MAIN, PackageParts, in_runs
from sidecar_xlsx.binary.xls.charts import ChartReader
from sidecar_xlsx.binary.xls.decryption import FILE_PASS, decrypted
from sidecar_xlsx.binary.xls.drawings import DRAWING_RECORDS, DrawingRecords
from sidecar_xlsx.binary.xls.excel_4 import as_excel_5
from sidecar_xlsx.binary.xls.names import Names
from sidecar_xlsx.binary.xls.pivots import TABLE_RECORDS, PivotCaches, Views
from sidecar_xlsx.binary.xls.records import BOF, EOF, Record, RecordReader, records
from sidecar_xlsx.binary.xls.sheets import EDGE_RECORDS, SheetReader
from sidecar_xlsx.binary.xls.styles import Styles
from sidecar_xlsx.signatures import excel_version

_STATES: Final = ("visible", "hidden", "veryHidden")
_WORKSHEET, _MACROS, _CHART, _MODULE = 0, 1, 2, 6
"""Kinds of sheets ([MS-XLS] 2.4.28 BoundSheet8)."""
_FIRST_KNOWN = 5
"""Of Excel's versions; older ones are written anew."""
_FIRST_RECORDS = 8
"""The record that tells of a password stands among these."""
_ART_GROUP = 0xEB
_BIFF8: Final = 0x600
_PROJECT: Final = ("_VBA_PROJECT_CUR", "VBA")
_OBJECTS: Final = "xl/embeddings/"
_LONE_SHEETS: Final = (b"\x10\0", b"\0\x10")
_FILTER: Final = "_xlnm._FilterDatabase"


@dataclass(frozen=True)
class _XlsSheet:
    name: str
    state: str
    kind: int
    at: int


def open_xls(source: Source, limits: Limits) -> tuple[Package, Compound]:
    """The workbook as a package whose main part is `xl/workbook.xml`, and the compound file it came in.

    Raises:
        EncryptedError: it is protected by a password.
        DamagedError: it holds no workbook."""
    data = source.read(limits.max_file_bytes)
    if excel_version(data):  # no compound file, but the stream itself
        data = write_compound({"Workbook": data})
    if is_encrypted(data):
        raise EncryptedError(f"{source.name} is protected by a password; save a copy without one to index it.")
    try:
        compound = Compound(data)
    except struct.error as error:
        raise DamagedError(f"{source.name} cannot be read: {error}.") from error
    stream = compound.stream("Workbook") or compound.stream("Book")
    if not stream:
        raise DamagedError(f"{source.name} is an OLE file, but holds no workbook.")
    if 0 < excel_version(stream) < _FIRST_KNOWN:
        stream = as_excel_5(stream)
    elif any(record.kind == FILE_PASS for record in islice(records(stream), _FIRST_RECORDS)):
        stream = decrypted(stream) or stream
    parts = _XlsBook(stream, source.name, limits).parts(compound)
    parts.data |= _attached(compound, limits.max_embedded)
    return Package(Source.of_bytes(parts.packed(), source.name), limits), compound


def _attached(compound: Compound, most: int) -> dict[str, bytes]:
    """Parts for the objects in the workbook, each in a storage of its own ([MS-XLS] 2.1.7.15), and for its macros."""
    parts: dict[str, bytes] = {}
    for name, is_storage in compound.storage().items():
        held = inner_storage(compound, (name,)) if is_storage and name.startswith("MBD") and len(parts) < most else None
        if held is not None and held.data:
            own = held.name if not held.name.startswith("object.") else name + held.name.removeprefix("object")
            own = own if f"{_OBJECTS}{own}" not in parts else f"{name}-{own}"
            parts[_OBJECTS + own] = held.data
    if _PROJECT[0] in compound:
        project = {name: compound.stream_in(_PROJECT, name) or b"" for name in compound.storage(_PROJECT)}
        parts["xl/vbaProject.bin"] = write_compound(project)
    return parts


class _XlsBook:
    """One workbook stream taken apart."""

    def __init__(self, stream: bytes, name: str, limits: Limits) -> None:
        self._stream = stream
        self._file = name
        self._limits = limits
        self._parts = PackageParts()
        self._charts = 0
        self._sheets: list[_XlsSheet] = []
        self._strings: list[list[markup.Run]] = []
        self._pictures: dict[int, str] = {}
        self._date1904 = False
        self._asked = self._zeros = 0
        begin = next(records(stream), Record(0, b"", 0))
        if begin.kind != BOF or len(begin.data) < 4:
            raise DamagedError(f"{name} holds no workbook that can be read.")
        self._layout: TokenLayout = BIFF8 if struct.unpack_from("<H", begin.data)[0] >= _BIFF8 else BIFF5
        self._encoding = "" if self._layout is BIFF8 else "cp1252"
        self._names = Names(self._layout, self._encoding)
        self._styles = Styles(self._encoding)
        self._caches = PivotCaches()

    def parts(self, compound: Compound) -> PackageParts:
        """All parts."""
        self._read_globals()
        self._caches.write(compound, self._encoding, self._parts)
        if not self._sheets:
            self._sheets = self._lost_sheets()
        self._names.sheet_names += [sheet.name for sheet in self._sheets]
        kept = [sheet for sheet in self._sheets if sheet.kind != _MODULE]
        filters = self._filters()
        for index, sheet in enumerate(kept, 1):
            self._sheet(sheet, index, filters.get(self._sheets.index(sheet), ""))
        parts = self._parts
        for number, (key, target) in enumerate((("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml"))):
            parts.link(MAIN, f"b{number}", key, target)
        parts.link("", "r1", "officeDocument", MAIN)
        parts.data["xl/styles.xml"] = self._styles.done()
        parts.data["xl/sharedStrings.xml"] = markup.strings(self._strings, self._styles.fonts())
        listed = [(sheet.name, sheet.state, f"s{index}") for index, sheet in enumerate(kept, 1)]
        places = {self._sheets.index(sheet): index for index, sheet in enumerate(kept)}
        names = [
            (one.name, meaning, places.get(one.sheet, -1), one.hidden, "")
            for one in self._names.defined
            if (meaning := self._names.meaning(one))
        ]
        # Programs that calculate nothing store zeros, and ask for every formula to be calculated on opening.
        anew = 0 < self._asked == self._zeros
        parts.data[MAIN] = markup.book(listed, names, date1904=self._date1904, anew=anew)
        return parts

    def _read_globals(self) -> None:
        art: list[bytes] = []
        for record in records(self._stream):
            if record.kind == EOF:
                break
            if record.kind == _ART_GROUP:
                art.append(record.whole)
            try:
                self._global(record)
            except (struct.error, IndexError):
                continue
        self._read_pictures(b"".join(art))

    def _global(self, record: Record) -> None:
        if record.kind == FILE_PASS:
            raise EncryptedError(f"{self._file} is protected by a password; save a copy without one to index it.")
        handlers = {
            0x18: self._names.add_name, 0x218: self._names.add_name, 0x1AE: self._names.add_book,
            0x23: self._names.add_external_name, 0x223: self._names.add_external_name, 0x17: self._names.add_links,
            0x92: self._styles.add_palette, 0x41E: self._styles.add_format, 0x31: self._styles.add_font,
            0x231: self._styles.add_font, 0xE0: self._styles.add_cell, 0x85: self._add_sheet, 0xFC: self._add_strings,
            0x22: self._set_epoch, 0x42: self._set_encoding, 0x87D: self._styles.add_extension,
            0x896: self._styles.add_theme,
        }  # fmt: skip
        if handler := handlers.get(record.kind):
            handler(record)
        else:
            self._caches.take(record, self._encoding)

    def _set_epoch(self, record: Record) -> None:
        self._date1904 = bool(struct.unpack_from("<H", record.data)[0])

    def _set_encoding(self, record: Record) -> None:
        if self._layout is not BIFF5:
            return
        number = struct.unpack_from("<H", record.data)[0]
        name = {0x8000: "mac_roman", 0x8001: "cp1252", 1200: "utf-16-le"}.get(number, f"cp{number}")
        try:
            "".encode(name)
        except LookupError:
            return
        self._encoding = self._names.encoding = self._styles.encoding = name

    def _add_sheet(self, record: Record) -> None:
        at, state, kind = struct.unpack_from("<IBB", record.data)
        name = RecordReader.of(record, 6, self._encoding).text(1).strip("\0")
        self._sheets.append(_XlsSheet(name or f"Sheet{len(self._sheets) + 1}", _STATES[min(state & 3, 2)], kind, at))

    def _add_strings(self, record: Record) -> None:
        count = struct.unpack_from("<I", record.data, 4)[0]
        strings = RecordReader.of(record, 8)
        total = sum(map(len, strings.pieces))
        for _ in range(min(count, total)):
            if strings.piece + 1 >= len(strings.pieces) and strings.at >= len(strings.pieces[-1]):
                break
            text, runs = strings.rich()
            self._strings.append(in_runs(text, runs))

    def _lost_sheets(self) -> list[_XlsSheet]:
        """The sheets' streams, where the list of sheets is lost."""
        begins = [
            record.at
            for number, record in enumerate(one for one in records(self._stream) if one.kind == BOF)
            if number or record.data[2:4] in _LONE_SHEETS  # a sheet that lies in no workbook
        ]
        return [_XlsSheet(f"Sheet{index}", "visible", _WORKSHEET, at) for index, at in enumerate(begins, 1)]

    def _filters(self) -> dict[int, str]:
        """The ranges of auto filters by the numbers of their sheets."""
        found: dict[int, str] = {}
        for one in self._names.defined:
            if one.name == _FILTER:
                found[one.sheet] = self._names.meaning(one).rpartition("!")[2]
        return found

    def _read_pictures(self, art: bytes) -> None:
        for number, stored in enumerate(stored_pictures(art, b""), 1):
            found = picture(stored) if stored else None
            if found is not None:
                content, media_type = found
                name = f"image{number}{EXTENSIONS.get(media_type, '.bin')}"
                self._parts.data[f"xl/media/{name}"] = content
                self._pictures[number] = name

    def _sheet(self, sheet: _XlsSheet, index: int, filtered: str) -> None:
        folder = "chartsheets" if sheet.kind == _CHART else "worksheets"
        name = f"xl/{folder}/sheet{index}.xml"
        kind = {_CHART: "chartsheet", _MACROS: "xlMacrosheet"}.get(sheet.kind, "worksheet")
        self._parts.link(MAIN, f"s{index}", kind, f"{folder}/sheet{index}.xml")
        if sheet.kind == _CHART:
            self._chart_sheet(sheet, index, name)
            return
        reader = SheetReader(self._layout, self._names, self._encoding, self._styles)
        reader.sheet.filtered = parse_range(filtered)
        views = Views(self._encoding)
        drawings = self._read_sheet(sheet.at, reader, views)
        views.write(name, self._parts)
        texts = drawings.comment_texts()
        comments = [(one.cell, one.author, one.text or texts.get(one.number, "")) for one in reader.comments]
        if comments:
            self._parts.link(name, "comments", "comments", f"../comments{index}.xml")
            self._parts.data[f"xl/comments{index}.xml"] = markup.comments(comments)
        for link in reader.links:
            self._parts.link(name, link.key, "hyperlink", link.target, external=True)
        drawing, relations = drawings.part(self._pictures)
        if drawing:
            self._drawing(name, index, drawing, relations)
            reader.sheet.drawing = "drawing"
        self._asked, self._zeros = self._asked + reader.asked, self._zeros + reader.zeros
        self._parts.data[name] = reader.done()

    def _read_sheet(self, at: int, reader: SheetReader, views: Views) -> DrawingRecords:
        """Reads a sheet's records, and the charts and pivot tables that lie among them."""
        drawings = DrawingRecords()
        chart: ChartReader | None = None
        within = DrawingRecords()
        depth = 0
        for record in records(self._stream, at):
            if record.kind == BOF:
                depth += 1
                if depth > 1:
                    chart, within = ChartReader(self._layout, self._names, self._encoding), DrawingRecords()
            elif record.kind == EOF:
                depth -= 1
                if depth <= 0:
                    break
                if chart is not None:
                    drawings.chart(self._add_chart(chart), within)
                chart = None
            elif chart is not None and record.kind in DRAWING_RECORDS:
                within.take(record)
            elif chart is not None:
                chart.take(record)
            elif record.kind in DRAWING_RECORDS:
                drawings.take(record)
            elif record.kind in TABLE_RECORDS:
                with suppress(struct.error):
                    views.take(record)
            else:
                reader.take(record)
        return drawings

    def _add_chart(self, chart: ChartReader) -> int:
        """Keep a chart; its number from 0."""
        self._parts.data[f"xl/charts/chart{self._charts + 1}.xml"] = chart.done()
        self._charts += 1
        return self._charts - 1

    def _chart_sheet(self, sheet: _XlsSheet, index: int, name: str) -> None:
        chart = ChartReader(self._layout, self._names, self._encoding)
        reader = SheetReader(self._layout, self._names, self._encoding, self._styles)
        reader.sheet.root, reader.sheet.drawing = "chartsheet", "drawing"
        within = DrawingRecords()
        for record in records(self._stream, sheet.at):
            if record.kind == EOF:
                break
            if record.kind in DRAWING_RECORDS:
                within.take(record)
            elif record.kind in EDGE_RECORDS:
                reader.take(record)
            else:
                chart.take(record)
        drawings = DrawingRecords()
        drawings.sheet_chart(self._add_chart(chart), within)
        self._drawing(name, index, *drawings.part(self._pictures))
        self._parts.data[name] = reader.done()

    def _drawing(self, name: str, index: int, drawing: bytes, relations: list[tuple[str, str, str]]) -> None:
        own = f"xl/drawings/drawing{index}.xml"
        self._parts.link(name, "drawing", "drawing", f"../drawings/drawing{index}.xml")
        self._parts.data[own] = drawing
        for key, kind, target in relations:
            self._parts.link(own, key, kind, target)
