"""Pivot tables and their caches of an .xls as parts of an .xlsx ([MS-XLS] 2.1.7.20.3 and 2.1.7.12): the fields, items
and records of a cache lie in a stream of their own, the tables that show it among the records of a sheet."""

import struct
from dataclasses import dataclass, field
from typing import Final

from sidecar.toolkit.cell_references import CellRange
from sidecar.toolkit.ole.compound import Compound
from sidecar_xlsx.binary import markup
from sidecar_xlsx.binary.layouts import ERRORS
from sidecar_xlsx.binary.markup import MAIN, PackageParts
from sidecar_xlsx.binary.tokens import number_text
from sidecar_xlsx.binary.xls.records import Record, RecordReader, records

_STORAGE: Final = "_SX_DB_CUR"
_CACHE, _FIELD, _RECORD, _STREAM_ID, _RANGE, _NAMED = 0xC6, 0xC7, 0xC8, 0xD5, 0x51, 0x52
"""SXDB, SXFDB, SXDBB; SXStreamID, DConRef, DConName."""
_VIEW, _VIEW_FIELD, _ITEMS_SHOWN, _PAGE, _DATA = 0xB0, 0xB1, 0xB4, 0xB6, 0xC5
"""SxView, Sxvd, SxIvd, SXPI, SXDI."""
TABLE_RECORDS: Final = frozenset((_VIEW, _VIEW_FIELD, _ITEMS_SHOWN, _PAGE, _DATA))
_VALUES: Final = {0xC9: "n", 0xCA: "b", 0xCB: "e", 0xCC: "n", 0xCD: "s", 0xCE: "d", 0xCF: "m"}
"""SXNum, SxBool, SxErr, SXInt, SXString, SXDtr, SxNil: the element of each."""
_NO_NAME: Final = 0xFFFF
_MAX_ITEMS: Final = 32_000
_IN_A_BYTE: Final = 255
_MAX_RECORDS: Final = 1_000_000


@dataclass
class _CacheField:
    name: str
    left: int
    items: list[str] = field(default_factory=list[str])


class PivotCaches:
    """The caches of a workbook by the order in which its globals name their streams."""

    def __init__(self) -> None:
        self._streams: list[int] = []
        self._sources: dict[int, str] = {}

    def take(self, record: Record, encoding: str) -> None:
        """A record of the globals. Raises struct.error."""
        if record.kind == _STREAM_ID:
            self._streams.append(struct.unpack_from("<H", record.data)[0])
        elif record.kind == _RANGE and self._streams:
            top, bottom, left, right = struct.unpack_from("<HHBB", record.data)
            sheet = RecordReader.of(record, 6, encoding).text().lstrip("\x01\x02")
            source = f' ref="{CellRange(top, left, bottom, right)}" sheet="{markup.attribute(sheet)}"'
            self._sources[len(self._streams) - 1] = source
        elif record.kind == _NAMED and self._streams:
            named = RecordReader.of(record, 0, encoding).text()
            self._sources[len(self._streams) - 1] = f' name="{markup.attribute(named)}"'

    def write(self, compound: Compound, encoding: str, parts: PackageParts) -> None:
        """Add the definition of each cache that is there."""
        for number, name in enumerate(self._streams):
            stream = compound.stream_in((_STORAGE,), f"{name:04X}")
            if stream is not None:
                cache = _Cache.read(stream, encoding)
                parts.link(MAIN, f"cache{number}", "pivotCacheDefinition", _part_of(number).removeprefix("xl/"))
                parts.data[_part_of(number)] = cache.definition(self._sources.get(number, ""))
                if cache.records:
                    target = f"pivotCacheRecords{number + 1}.xml"
                    parts.link(_part_of(number), "records", "pivotCacheRecords", target)
                    listed = "".join(f"<r>{record}</r>" for record in cache.records)
                    parts.data[f"xl/pivotCache/{target}"] = markup.part("pivotCacheRecords", listed)


def _part_of(number: int) -> str:
    """The part of a cache."""
    return f"xl/pivotCache/pivotCacheDefinition{number + 1}.xml"


@dataclass
class _Cache:
    """A cache while its stream is read."""

    fields: list[_CacheField] = field(default_factory=list["_CacheField"])
    records: list[str] = field(default_factory=list[str])
    count: int = 0
    _waiting: list[list[str]] = field(default_factory=list["list[str]"])
    """The values of the record that is read, by its fields; empty ones are told by themselves, behind the others."""

    @classmethod
    def read(cls, stream: bytes, encoding: str) -> "_Cache":
        """All that the stream holds."""
        cache = cls()
        for record in records(stream):
            try:
                cache._take(record, encoding)
            except struct.error:
                continue
        cache._end()
        return cache

    def _take(self, record: Record, encoding: str) -> None:
        if record.kind == _CACHE:
            (self.count,) = struct.unpack_from("<I", record.data)
        elif record.kind == _FIELD:
            items = struct.unpack_from("<6xHHHH", record.data)[-1]
            self.fields.append(_CacheField(RecordReader.of(record, 14, encoding).text(), min(items, _MAX_ITEMS)))
        elif record.kind == _RECORD:
            self._begin(record.data)
        elif record.kind in _VALUES and self._waiting:
            next((one for one in self._waiting if not one), []).append(_item(record, encoding))
        elif record.kind in _VALUES and self.fields and self.fields[-1].left > 0:
            self.fields[-1].left -= 1
            self.fields[-1].items.append(_item(record, encoding))

    def _begin(self, indexes: bytes) -> None:
        """A record: which of its items each field with items has, in a byte or two (2.4.277)."""
        self._end()
        at = 0
        for one in self.fields:
            wide = 2 if len(one.items) > _IN_A_BYTE else 1
            own = indexes[at : at + wide] if one.items else b""
            at += len(own)
            self._waiting.append([f'<x v="{int.from_bytes(own, "little")}"/>'] if own else [])

    def _end(self) -> None:
        if self._waiting and len(self.records) < _MAX_RECORDS:
            self.records.append("".join(one[0] if one else "<m/>" for one in self._waiting))
        self._waiting = []

    def definition(self, source: str) -> bytes:
        """The part with source, fields and items."""
        listed = "".join(
            f'<cacheField name="{markup.attribute(one.name)}"><sharedItems>{"".join(one.items)}</sharedItems>'
            "</cacheField>"
            for one in self.fields
        )
        inside = f'<cacheSource type="worksheet"><worksheetSource{source}/></cacheSource>'
        inside += f"<cacheFields>{listed}</cacheFields>"
        return markup.part("pivotCacheDefinition", inside, recordCount=str(self.count))


def _item(record: Record, encoding: str) -> str:
    """The element of one item ([MS-XLS] 2.4.276 and its neighbours)."""
    name = _VALUES[record.kind]
    if name == "m":
        return "<m/>"
    if record.kind == 0xC9:
        value = number_text(struct.unpack_from("<d", record.data)[0])
    elif record.kind == 0xCC:
        value = str(struct.unpack_from("<h", record.data)[0])
    elif name == "b":
        value = str(int(record.data[:1] != b"\0"))
    elif name == "e":
        value = ERRORS.get(struct.unpack_from("<H", record.data)[0], "#N/A")
    elif name == "d":
        year, month, day, hour, minute, second = struct.unpack_from("<HHBBBB", record.data)
        value = f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}"
    else:
        value = RecordReader.of(record, 0, encoding).text()
    return f'<{name} v="{markup.attribute(value)}"/>'


@dataclass
class _View:
    name: str
    place: str
    cache: int
    shape: tuple[int, int]
    """How many fields the rows and the columns have."""
    fields: list[str] = field(default_factory=list[str])
    shown: dict[str, list[str]] = field(
        default_factory=lambda: {"rowFields": [], "colFields": [], "pageFields": [], "dataFields": []}
    )


class Views:
    """The pivot tables among the records of one sheet."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._views: list[_View] = []

    def take(self, record: Record) -> None:
        """A record of the sheet. Raises struct.error."""
        if record.kind == _VIEW:
            self._views.append(self._view(record))
        elif self._views:
            self._of_view(record, self._views[-1])

    def _view(self, record: Record) -> _View:
        top, bottom, left, right = struct.unpack_from("<HHHH", record.data)
        (cache,) = struct.unpack_from("<H", record.data, 14)
        rows, columns = struct.unpack_from("<HH", record.data, 24)
        (size,) = struct.unpack_from("<H", record.data, 40)
        name = _sized(RecordReader.of(record, 44, self._encoding), size)
        place = str(CellRange(top, left, bottom, right))
        return _View(name, place, cache, (rows, columns))

    def _of_view(self, record: Record, view: _View) -> None:
        if record.kind == _VIEW_FIELD:
            (size,) = struct.unpack_from("<H", record.data, 8)
            caption = "" if size == _NO_NAME else _sized(RecordReader.of(record, 10, self._encoding), size)
            view.fields.append(f'<pivotField name="{markup.attribute(caption)}"/>' if caption else "<pivotField/>")
        elif record.kind == _ITEMS_SHOWN:
            count = len(record.data) // 2
            group = "colFields" if view.shown["rowFields"] or count != view.shape[0] else "rowFields"
            view.shown[group] += [f'<field x="{one}"/>' for one in struct.unpack_from(f"<{count}h", record.data)]
        elif record.kind == _PAGE:
            for at in range(0, len(record.data) - 5, 6):
                view.shown["pageFields"].append(f'<pageField fld="{struct.unpack_from("<h", record.data, at)[0]}"/>')
        elif record.kind == _DATA:
            number, size = struct.unpack_from("<H10xH", record.data)
            title = "" if size == _NO_NAME else _sized(RecordReader.of(record, 14, self._encoding), size)
            view.shown["dataFields"].append(f'<dataField name="{markup.attribute(title)}" fld="{number}"/>')

    def write(self, sheet: str, parts: PackageParts) -> None:
        """Add each pivot table, linked from its sheet and to its cache."""
        for view in self._views:
            number = sum(name.startswith("xl/pivotTables/") for name in parts.data) + 1
            name = f"xl/pivotTables/pivotTable{number}.xml"
            inside = f'<location ref="{view.place}"/><pivotFields>{"".join(view.fields)}</pivotFields>'
            inside += "".join(f"<{group}>{''.join(ones)}</{group}>" for group, ones in view.shown.items() if ones)
            parts.link(sheet, f"pivot{number}", "pivotTable", f"../pivotTables/pivotTable{number}.xml")
            target = _part_of(view.cache).removeprefix("xl/")
            parts.link(name, "cache", "pivotCacheDefinition", f"../{target}")
            parts.data[name] = markup.part("pivotTableDefinition", inside, name=view.name)


def _sized(strings: RecordReader, count: int) -> str:
    """A string whose count of characters stands elsewhere."""
    if strings.encoding:
        return strings.take(count).decode(strings.encoding, "replace")
    return strings.characters(count, wide=bool(strings.number(1) & 1))
