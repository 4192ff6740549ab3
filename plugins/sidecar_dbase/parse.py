"""Reads a dBase table: its fields are the columns, records that are marked as deleted are left out.

After the descriptions of the format by its makers (dBASE Level 5 and 7, Visual FoxPro's "Table File Structure"). The
texts of memos lie in a file of their own beside it and are not read."""

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from sidecar.api import DamagedError, Limits, Notice, ParsedDocument, Part, Source, Table
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.markup.grid import table_windows
from sidecar.toolkit.text import decode, without_surrogates

_MAX_CELLS: Final = 4_000_000
_SAMPLE: Final = 2**16
_DELETED: Final = ord("*")
_LEVEL_7: Final = 4
_SYSTEM: Final = 1
"""Flag of a FoxPro field that programs keep for themselves."""
_JULIAN: Final = 1_721_425
"""The Julian day before the first day of our calendar."""
_PAGES: Final[Mapping[int, str]] = {
    0x01: "cp437", 0x02: "cp850", 0x03: "cp1252", 0x04: "mac_roman", 0x08: "cp865", 0x09: "cp437", 0x0A: "cp850",
    0x0B: "cp437", 0x0D: "cp437", 0x0E: "cp850", 0x0F: "cp437", 0x10: "cp850", 0x11: "cp437", 0x12: "cp850",
    0x13: "cp932", 0x14: "cp850", 0x15: "cp437", 0x16: "cp850", 0x17: "cp865", 0x18: "cp437", 0x19: "cp437",
    0x1A: "cp850", 0x1B: "cp437", 0x1C: "cp863", 0x1D: "cp850", 0x1F: "cp852", 0x22: "cp852", 0x23: "cp852",
    0x24: "cp860", 0x25: "cp850", 0x26: "cp866", 0x37: "cp850", 0x40: "cp852", 0x4D: "gbk", 0x4E: "cp949",
    0x4F: "big5", 0x50: "cp874", 0x57: "cp1252", 0x58: "cp1252", 0x59: "cp1252", 0x64: "cp852", 0x65: "cp866",
    0x66: "cp865", 0x67: "cp861", 0x6A: "cp737", 0x6B: "cp857", 0x78: "big5", 0x79: "cp949", 0x7A: "gbk",
    0x7B: "cp932", 0x7C: "cp874", 0x7D: "cp1255", 0x7E: "cp1256", 0x96: "mac_cyrillic", 0x98: "mac_greek",
    0xC8: "cp1250", 0xC9: "cp1251", 0xCA: "cp1254", 0xCB: "cp1253", 0xCC: "cp1257",
}  # fmt: skip
"""Code pages by the language driver in byte 29."""


@dataclass(frozen=True)
class _Field:
    name: str
    kind: str
    start: int
    size: int
    decimals: int
    shown: bool


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The table as a document of one sheet. Raises FormatError."""
    source.check_size(limits)
    data = source.read(limits.max_file_bytes)
    if len(data) < 32:
        raise DamagedError(f"{source.name} is too short to be a dBase table.")
    count, header, size = struct.unpack_from("<IHH", data, 4)
    encoding = _PAGES.get(data[29], "") or decode(data[header : header + _SAMPLE] or b" ", source.name).encoding
    fields = [field for field in _fields(data, header, encoding) if field.shown and field.start < size]
    if not fields or size < 2 or header > len(data):
        raise DamagedError(f"{source.name} is not a dBase table: its header describes no columns.")
    there = min(count, (len(data) - header) // size)
    most = max(_MAX_CELLS // len(fields), 1)
    rows: list[tuple[str, ...]] = []
    deleted = memos = 0
    for at in range(header, header + min(there, most) * size, size):
        record = data[at : at + size]
        if record[0] == _DELETED:
            deleted += 1
            continue
        row = tuple(_format_value(field, record, encoding) for field in fields)
        memos += any(field.kind in "MGP" and cell for field, cell in zip(fields, row, strict=True))
        rows.append(row)
    notices: list[Notice] = []
    if there < count:
        notices.append(Notice("damaged_part", f"Of {count:,} records the file holds {there:,}."))
    if there > most:
        notices.append(Notice("truncated_at", f"Only the first {most:,} of {there:,} records were read."))
    if deleted:
        notices.append(Notice("left_out", f"{deleted:,} records that are marked as deleted were left out."))
    if memos:
        notices.append(
            Notice("left_out", f"The memo texts of {memos:,} records lie in a file beside, which is not read.")
        )
    if unread := [field.name for field in fields if _BINARY.get((field.kind, field.size)) is _unread]:
        notices.append(
            Notice("left_out", f"Times of dBASE 7 are not read: what {', '.join(unread[:10])} says is missing.")
        )
    blocks: Sequence[Table] = table_windows([tuple(field.name for field in fields), *rows], header_rows=1)
    parts = (Part(kind="sheet", title=source.name.rpartition(".")[0] or source.name, blocks=tuple(blocks)),)
    return ParsedDocument(
        media_type="application/x-dbf",
        metadata={"rows": str(len(rows)), "columns": str(len(fields)), "encoding": encoding},
        parts=parts,
        elements=elements_of(parts),
        notices=tuple(notices),
    )


def _fields(data: bytes, header: int, encoding: str) -> list[_Field]:
    """The fields, as far as the header goes; the name of level 7 has 32 bytes, of all others 11."""
    level_7 = data[0] & 7 == _LEVEL_7
    at, each, name = (68, 48, 32) if level_7 else (32, 32, 11)
    found: list[_Field] = []
    start = 1
    while at + each <= min(header, len(data)) and data[at] not in (0x0D, 0):
        kind, sizes = chr(data[at + name]), at + (33 if level_7 else 16)
        size, decimals = data[sizes], data[sizes + 1]
        if kind == "C" and not level_7:  # Clipper and FoxPro: longer texts have their length in both bytes
            size, decimals = size + 256 * decimals, 0
        if kind == "I" and level_7:
            kind = "+"
        label = _text(data[at : at + name].partition(b"\0")[0], encoding)
        hidden = kind == "0" or (data[0] in (0x30, 0x31, 0x32) and data[at + 18] & _SYSTEM)
        found.append(_Field(label, kind, start, size, decimals, not hidden))
        start += size
        at += each
    return found


def _text(data: bytes, encoding: str) -> str:
    return without_surrogates(data.decode(encoding, "replace")).replace("\0", "").strip()


def _format_value(field: _Field, record: bytes, encoding: str) -> str:
    data = record[field.start : field.start + field.size]
    read = _BINARY.get((field.kind, len(data))) or _BINARY.get((field.kind, 0))
    return read(data, field.decimals) if read else _text(data, encoding)


def _date(data: bytes, _: int) -> str:
    text = data.decode("latin-1").strip(" \0")
    return f"{text[:4]}-{text[4:6]}-{text[6:]}" if len(text) == 8 and text.isdecimal() else text


def _logical(data: bytes, _: int) -> str:
    return {b"T": "true", b"Y": "true", b"F": "false", b"N": "false"}.get(data.upper(), "")


def _int32(data: bytes, _: int) -> str:
    return str(struct.unpack("<i", data)[0])


def _autonumber(data: bytes, _: int) -> str:
    """Level 7: big-endian, the sign turned round so that bytes sort as numbers."""
    return str(struct.unpack(">I", data)[0] - 2**31)


def _level_7_double(data: bytes, decimals: int) -> str:
    """Big-endian, with bits turned round so that bytes sort as numbers."""
    flipped = bytes((data[0] ^ 0x80, *data[1:])) if data[0] & 0x80 else bytes(byte ^ 0xFF for byte in data)
    return _double(flipped[::-1], decimals)


def _unread(data: bytes, _: int) -> str:
    return ""


def _double(data: bytes, decimals: int) -> str:
    value = struct.unpack("<d", data)[0]
    return f"{value:.{decimals}f}" if decimals else f"{value:.15g}"


def _money(data: bytes, _: int) -> str:
    return f"{struct.unpack('<q', data)[0] / 10_000:.4f}".rstrip("0").rstrip(".")


def _moment(data: bytes, _: int) -> str:
    """Days since the Julian epoch and milliseconds since midnight."""
    day, milliseconds = struct.unpack("<iI", data)
    if not 0 < day - _JULIAN <= date.max.toordinal():
        return ""
    clock = timedelta(milliseconds=milliseconds)
    return f"{date.fromordinal(day - _JULIAN).isoformat()} {str(clock).partition('.')[0].rjust(8, '0')}"


def _memo(data: bytes, _: int) -> str:
    """Where a text in the memo file begins: said to be there, since what it says cannot be read."""
    return "(memo)" if data.strip(b" \x000") else ""


_BINARY: Final[Mapping[tuple[str, int], Callable[[bytes, int], str]]] = {
    ("D", 0): _date, ("L", 0): _logical, ("I", 4): _int32, ("+", 4): _autonumber, ("B", 8): _double, ("Y", 8): _money,
    ("T", 8): _moment, ("M", 0): _memo, ("G", 0): _memo, ("P", 0): _memo, ("B", 10): _memo,
    ("O", 8): _level_7_double, ("@", 8): _unread, ("Q", 0): _unread,
}  # fmt: skip
"""How what is not text is read, by the field's type and its size (0: any)."""
