"""Pivot caches, their records and pivot tables of an .xlsb as parts of an .xlsx ([MS-XLSB] 2.1.7.38 to 2.1.7.40)."""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from sidecar_xlsx.binary import markup
from sidecar_xlsx.binary.layouts import ERRORS
from sidecar_xlsx.binary.tokens import number_text
from sidecar_xlsx.binary.xlsb.records import Fields, records

_ITEMS: Final = {20: "m", 21: "n", 22: "b", 23: "e", 24: "s", 25: "d"} | {
    27: "m", 28: "n", 29: "b", 30: "e", 31: "s", 32: "d"
}  # fmt: skip
"""BrtPCDIMissing to BrtPCDIDatetime and BrtPCDIAMissing to BrtPCDIADatetime: the element of each."""
_FIELD, _SHARED, _END_SHARED, _RANGE, _DEFINITION = 183, 189, 190, 187, 179
"""BrtBeginPCDField, BrtBeginPCDFAtbl, BrtEndPCDFAtbl, BrtBeginPCDSRange, BrtBeginPivotCacheDef."""
_RECORD, _RECORD_OF_ITEMS, _INDEX = 33, 34, 26
"""BrtPCRRecord, BrtPCRRecordDt, BrtPCDIIndex."""
_OF_DATABASE: Final = 0x4
"""The flag of a field that the records have, which groups of another field are not."""
_STRINGS, _NUMBERS, _DATES = 0x8, 0x40, 0x4
"""Flags of what a field holds where it has no shared items."""


@dataclass
class CacheField:
    """A field of a cache: its name, the elements of its shared items, and the element of values written out."""

    name: str
    recorded: bool
    items: list[str] = field(default_factory=list[str])
    value: str = "s"


def cache_fields(data: bytes) -> list[CacheField]:
    """The fields of a cache. Raises struct.error."""
    found: list[CacheField] = []
    shared = False
    for kind, content in records(data):
        fields = Fields(content)
        if kind == _FIELD:
            flags = fields.number("H")
            fields.at += 18  # number format, type in SQL, hierarchy, level, count of mappings
            found.append(CacheField(fields.text(), bool(flags & _OF_DATABASE)))
        elif kind in (_SHARED, _END_SHARED):
            shared = kind == _SHARED
            if shared and found:
                flags = fields.number("H")
                of_dates = flags & _DATES and not flags & _STRINGS
                found[-1].value = "n" if flags & _NUMBERS else "d" if of_dates else "s"
        elif shared and found and kind in _ITEMS:
            found[-1].items.append(_item(_ITEMS[kind], fields))
    return found


def cache_part(data: bytes) -> bytes:
    """The definition of a cache. Raises struct.error."""
    source, count = "", ""
    for kind, content in records(data):
        fields = Fields(content)
        if kind == _DEFINITION:
            fields.at = 17  # versions, flags, limit, date
            count = str(fields.number("I"))
        elif kind == _RANGE:
            source = _source(fields)
    listed = "".join(
        f'<cacheField name="{markup.attribute(one.name)}"><sharedItems>{"".join(one.items)}</sharedItems></cacheField>'
        for one in cache_fields(data)
    )
    inside = f'<cacheSource type="worksheet">{source}</cacheSource><cacheFields>{listed}</cacheFields>'
    return markup.part("pivotCacheDefinition", inside, recordCount=count)


def _source(fields: Fields) -> str:
    """The range or name a cache is made of (2.4.167 BrtBeginPCDSRange)."""
    named, _, flags = (fields.number("B") for _ in range(3))
    given = {"sheet": fields.text() if flags & 2 else "", "r:id": fields.text() if flags & 1 else ""}
    given |= {"name": fields.text()} if named & 1 else {"ref": str(fields.area())}
    values = "".join(f' {key}="{markup.attribute(value)}"' for key, value in given.items() if value)
    return f"<worksheetSource{values}/>"


def records_part(data: bytes, fields: Sequence[CacheField]) -> bytes:
    """The records of a cache, as far as they can be read."""
    return markup.part("pivotCacheRecords", "".join(f"<r>{one}</r>" for one in _records(data, fields)))


def _records(data: bytes, fields: Sequence[CacheField]) -> Iterator[str]:
    recorded = [one for one in fields if one.recorded]
    items: list[str] | None = None
    for kind, content in records(data):
        read = Fields(content)
        try:
            if kind in (_RECORD, _RECORD_OF_ITEMS) and items is not None:
                yield "".join(items)
                items = None
            if kind == _RECORD:
                yield "".join(_index(read) if one.items else _item(one.value, read) for one in recorded)
            elif kind == _RECORD_OF_ITEMS:
                items = []
            elif items is not None and (kind == _INDEX or kind in _ITEMS):
                items.append(_index(read) if kind == _INDEX else _item(_ITEMS[kind], read))
        except struct.error:
            continue
    if items is not None:
        yield "".join(items)


def _index(fields: Fields) -> str:
    return f'<x v="{fields.number("I")}"/>'


def _item(name: str, fields: Fields) -> str:
    """The element of one value."""
    if name == "m":
        return "<m/>"
    if name == "n":
        value = number_text(fields.float())
    elif name == "d":
        year, month, day, hour, minute, second = struct.unpack_from("<HHBBBB", fields.data, fields.at)
        fields.at += 8
        value = f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}"
    elif name == "s":
        value = fields.text()
    else:
        number = fields.number("B")
        value = str(int(number != 0)) if name == "b" else ERRORS.get(number, "#N/A")
    return f'<{name} v="{markup.attribute(value)}"/>'


def table_part(data: bytes) -> bytes:
    """A pivot table: its name and place, and the fields it shows. Raises struct.error."""
    name, where = "", ""
    shown: dict[str, list[str]] = {"rowFields": [], "colFields": [], "pageFields": [], "dataFields": []}
    for kind, content in records(data):
        fields = Fields(content)
        if kind == 280:  # BrtBeginSXView
            fields.at = 32
            name = fields.text()
        elif kind == 314:  # BrtBeginSXLocation
            where = f'<location ref="{fields.area()}"/>'
        elif kind in (309, 311):  # BrtBeginISXVDRws, BrtBeginISXVDCols
            chosen = [fields.number("i") for _ in range(min(fields.number("I"), len(content) // 4))]
            shown["rowFields" if kind == 309 else "colFields"] += [f'<field x="{one}"/>' for one in chosen]
        elif kind == 289:  # BrtBeginSXPI
            shown["pageFields"].append(f'<pageField fld="{fields.number("i")}"/>')
        elif kind == 293:  # BrtBeginSXDI
            number = fields.number("i")
            fields.at += 20  # function, how it is shown, base, format
            title = fields.text() if fields.number("B") == 1 else ""
            shown["dataFields"].append(f'<dataField name="{markup.attribute(title)}" fld="{number}"/>')
    inside = "".join(f"<{group}>{''.join(ones)}</{group}>" for group, ones in shown.items() if ones)
    return markup.part("pivotTableDefinition", where + inside, name=name)
