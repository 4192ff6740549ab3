"""The property sets of old Office files: title, author, dates and the like ([MS-OLEPS] 2.21; [MS-OSHARED] 2.3.3.2)."""

import codecs
import struct
from datetime import UTC, datetime, timedelta

from sidecar.api.model import OWN_METADATA
from sidecar.toolkit.ole.compound import Compound
from sidecar.toolkit.text import COPIED_PROPERTIES
from sidecar.toolkit.times import iso_utc

_SUMMARY = {
    2: "title", 3: "subject", 4: "author", 5: "keywords", 6: "description", 8: "modified_by", 9: "revision",
    12: "created", 13: "modified", 14: "pages", 15: "words", 18: "application",
}  # fmt: skip
_DOCUMENT = {2: "category", 14: "manager", 15: "company", 16: "links_dirty", 26: "content_type", 27: "status"}
_SETS = (("\x05SummaryInformation", _SUMMARY), ("\x05HwpSummaryInformation", _SUMMARY),
         ("\x05DocumentSummaryInformation", _DOCUMENT))  # fmt: skip
_LEFT_OUT = frozenset(["links_dirty"])
_DICTIONARY, _CODE_PAGE = 0, 1
_STRING, _WIDE, _TIME, _BOOLEAN = 30, 31, 64, 11
"""Types of values (VT_LPSTR, VT_LPWSTR, VT_FILETIME, VT_BOOL)."""
_NUMBERS = {2: "<h", 3: "<i", 4: "<f", 5: "<d", 18: "<H", 19: "<I", 20: "<q", 21: "<Q", 22: "<i", 23: "<I"}
"""Types of plain numbers (VT_I2, VT_I4, VT_R4, VT_R8, VT_UI2, VT_UI4, VT_I8, VT_UI8, VT_INT, VT_UINT)."""
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_MAX_PROPERTIES = 200
"""Properties of one set that are looked at."""


def file_time(data: bytes) -> datetime | None:
    """The moment of a FILETIME or PtypTime, 100-nanosecond steps since 1601 ([MS-DTYP] 2.3.3, [MS-OXCDATA] 2.11.1);
    None for none, and for one that no calendar holds."""
    microseconds = int.from_bytes(data[:8], "little") // 10
    try:
        return _EPOCH + timedelta(microseconds=microseconds) if microseconds else None
    except OverflowError:
        return None


def read_properties(compound: Compound) -> dict[str, str]:
    """Metadata by the names of `ParsedDocument.metadata`; what cannot be read is left out."""
    found: dict[str, str] = {}
    for stream, names in _SETS:
        data = compound.stream_in((), stream)
        if data is None:
            continue
        for name, value in _read_set(data, names).items():
            if value and name not in _LEFT_OUT:
                found.setdefault(name, value)
        if names is _DOCUMENT:
            found |= _custom(data)
    return found


def _custom(data: bytes) -> dict[str, str]:
    """The second section of the set, whose dictionary gives properties names of the user's own ([MS-OLEPS] 2.17,
    2.18.1), as `custom.NAME`."""
    try:
        if struct.unpack_from("<I", data, 24)[0] < 2:
            return {}
        start, places, codec = _section(data, struct.unpack_from("<I", data, 64)[0])
        at = start + places[_DICTIONARY]
        count, names = struct.unpack_from("<I", data, at)[0], dict[str, int]()
        at += 4
        for _ in range(min(count, _MAX_PROPERTIES)):
            number, length = struct.unpack_from("<II", data, at)
            size = length * 2 if codec == "utf-16-le" else length
            names[_clean(data[at + 8 : at + 8 + size].decode(codec, "replace")).lower()] = number
            at += 8 + (size + 3 & ~3 if codec == "utf-16-le" else size)
    except (struct.error, KeyError):
        return {}
    values = ((name, _value(data, start + places[number], codec)) for name, number in names.items() if number in places)
    own = ((name, value) for name, value in values if name not in COPIED_PROPERTIES and not name.startswith("_"))
    return {f"{OWN_METADATA}{name}": value for name, value in own if name and value}


def _read_set(data: bytes, names: dict[int, str]) -> dict[str, str]:
    """The first section of a set: its properties that have a name in `names`."""
    try:
        start, places, codec = _section(data, struct.unpack_from("<I", data, 44)[0])
    except struct.error:
        return {}
    values = ((name, _value(data, start + places[number], codec)) for number, name in names.items() if number in places)
    return {name: value for name, value in values if value}


def _section(data: bytes, start: int) -> tuple[int, dict[int, int], str]:
    """Where a section begins, where its properties lie in it, and its code page. Raises struct.error."""
    count = min(struct.unpack_from("<I", data, start + 4)[0], _MAX_PROPERTIES)
    places = dict(struct.unpack_from("<II", data, start + 8 + 8 * n) for n in range(count))
    return start, places, _codec(data, start + places[_CODE_PAGE]) if _CODE_PAGE in places else "cp1252"


def _codec(data: bytes, at: int) -> str:
    try:
        number = struct.unpack_from("<H", data, at + 4)[0]
    except struct.error:
        return "cp1252"
    name = {1200: "utf-16-le", 65001: "utf-8", 10000: "mac_roman"}.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"


def _value(data: bytes, at: int, codec: str) -> str:
    """One typed value as text, "" for what is none."""
    try:
        kind, length = struct.unpack_from("<HxxI", data, at)
        if kind == _STRING:
            raw = data[at + 8 : at + 8 + length]
            return _clean(raw.decode(codec, "replace"))
        if kind == _WIDE:
            return _clean(data[at + 8 : at + 8 + length * 2].decode("utf-16-le", "replace"))
        if kind == _BOOLEAN:
            return "true" if length & 0xFFFF else "false"
        if kind in _NUMBERS:
            number = struct.unpack_from(_NUMBERS[kind], data, at + 4)[0]
            return f"{number:.15g}" if isinstance(number, float) else str(number)
        if kind == _TIME:
            ticks = struct.unpack_from("<Q", data, at + 4)[0]
            moment = _EPOCH + timedelta(microseconds=ticks // 10)
            # Zero, or an editing time that was written as a date: no moment anybody saved a file at.
            return iso_utc(moment) if moment.year >= 1980 else ""
    except (struct.error, OverflowError):
        pass
    return ""


def _clean(text: str) -> str:
    return " ".join(text.split("\0", 1)[0].split())[:2000]
