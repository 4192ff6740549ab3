"""The little we read of binary workbooks ourselves: which part holds which sheet of an .xlsb ([MS-XLSB] §2.4.301),
whether an .xls is encrypted, and its title and author ([MS-OLEPS] summary information)."""

from __future__ import annotations

import datetime as dt
import struct

from sidecar.api import DamagedError
from sidecar.toolkit.ooxml.ole import Compound
from sidecar.toolkit.ooxml.package import Relationship

_BUNDLE_SHEET = 156
_FILE_PASS, _BOUND_SHEET = 0x2F, 0x85
_SUMMARY = {2: "title", 3: "subject", 4: "author", 5: "keywords", 6: "comments", 8: "modified_by", 18: "application"}
_SUMMARY_TIMES = {12: "created", 13: "modified"}
_TEXT, _WIDE, _TIME = 0x1E, 0x1F, 0x40
_FILETIME_EPOCH = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)


def sheet_parts(data: bytes, relationships: dict[str, Relationship]) -> dict[str, str]:
    """Sheet name → part name, from the workbook stream of an .xlsb."""
    found: dict[str, str] = {}
    at = 0
    while at < len(data):
        kind, at = _varint(data, at, 2)
        size, at = _varint(data, at, 4)
        body = data[at : at + size]
        at += size
        if kind == _BUNDLE_SHEET and len(body) > 12:
            key, place = _wide(body, 8)
            name, _ = _wide(body, place)
            relationship = relationships.get(key)
            if relationship is not None:
                found[name] = relationship.target
    return found


def _varint(data: bytes, at: int, most: int) -> tuple[int, int]:
    """Record types and sizes: seven bits a byte, the lowest first (record types keep their continuation bits out)."""
    value = 0
    for index in range(most):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            break
    return value, at


def _wide(data: bytes, at: int) -> tuple[str, int]:
    length = int.from_bytes(data[at : at + 4], "little")
    end = at + 4 + 2 * length
    return data[at + 4 : end].decode("utf-16-le", "replace"), end


def is_locked(data: bytes) -> bool:
    """Whether the workbook stream of an .xls begins with a FilePass record ([MS-XLS] §2.4.117): it is encrypted."""
    try:
        compound = Compound(data)
        stream = compound.stream("Workbook") or compound.stream("Book") or b""
    except (DamagedError, struct.error):
        return False
    at = 0
    while at + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, at)
        if kind == _FILE_PASS:
            return True
        if kind == _BOUND_SHEET:
            return False
        at += 4 + size
    return False


def summary(data: bytes) -> dict[str, str]:
    """The summary information of an OLE workbook; empty where it has none that can be read."""
    try:
        stream = Compound(data).stream("\x05SummaryInformation") or b""
        start = struct.unpack_from("<I", stream, 44)[0]
        count = struct.unpack_from("<I", stream, start + 4)[0]
        places = [struct.unpack_from("<II", stream, start + 8 + 8 * i) for i in range(min(count, 64))]
        codes = {key: struct.unpack_from("<H", stream, start + place + 4)[0] for key, place in places if key == 1}
        encoding = {65001: "utf-8", 1200: "utf-16-le", 0: "cp1252"}.get(codes.get(1, 0), f"cp{codes.get(1, 1252)}")
        found: dict[str, str] = {}
        for key, place in places:
            if key in _SUMMARY or key in _SUMMARY_TIMES:
                value = _property(stream, start + place, encoding)
                if value:
                    found[_SUMMARY.get(key) or _SUMMARY_TIMES[key]] = value
    except (DamagedError, struct.error, LookupError, OverflowError):
        return {}
    return found


def _property(stream: bytes, at: int, encoding: str) -> str:
    kind, size = struct.unpack_from("<II", stream, at)
    if kind == _TEXT:
        return stream[at + 8 : at + 8 + size].decode(encoding, "replace").rstrip("\0").strip()
    if kind == _WIDE:
        return stream[at + 8 : at + 8 + 2 * size].decode("utf-16-le", "replace").rstrip("\0").strip()
    if kind == _TIME:
        ticks = struct.unpack_from("<Q", stream, at + 4)[0]
        if ticks:
            return (_FILETIME_EPOCH + dt.timedelta(microseconds=ticks // 10)).strftime("%Y-%m-%dT%H:%M:%SZ")
    return ""
