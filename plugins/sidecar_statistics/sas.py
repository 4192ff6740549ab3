"""Reads SAS's data sets (.sas7bdat), plain and compressed by runs (CHAR) or by earlier bytes (BINARY).

After "SAS7BDAT Database Binary Format" by M. Shotwell and the notes of ReadStat: the maker publishes no description.
Missing numbers are empty; dates and times are shown as such. Texts for values lie in a catalogue, a file of its own."""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import isfinite
from typing import Final

from sidecar.toolkit.unpacking import repeat_bytes
from sidecar_statistics.dataset import DataSet, ValueCursor, Variable, clock, moment

_EPOCH: Final = datetime(1960, 1, 1, tzinfo=UTC)
_DAY: Final = 86_400
_WIDE: Final = 0x33
"""Marks eight bytes for a number of the head, and fields moved by four."""
_HEAD_BYTES: Final = 288
_PAGE_KINDS: Final = 0x0F00
_DATA, _MIXED = 0x0100, 0x0200
_NO_PAGE: Final = 0x9000
_CUT, _PACKED, _IS_DATA = 1, 4, 1
_SIZES, _COLUMNS, _TEXT, _NAMES, _PLACES, _FORMATS = (
    0xF7F7F7F7, 0xF6F6F6F6, 0xFFFFFFFD, 0xFFFFFFFF, 0xFFFFFFFC, 0xFFFFFBFE,
)  # fmt: skip
_RUNS, _COPIES = b"SASYZCRL", b"SASYZCR2"
_MAX_COLUMNS: Final = 65_536
_MAX_ROW: Final = 16 * 2**20
"""Bytes of one case."""
_ENCODINGS: Final[Mapping[int, str]] = {
    20: "utf-8", 28: "ascii", 29: "latin-1", 30: "iso8859-2", 31: "iso8859-3", 32: "iso8859-4", 33: "iso8859-5",
    34: "iso8859-6", 35: "iso8859-7", 36: "iso8859-8", 37: "iso8859-9", 39: "iso8859-11", 40: "iso8859-15",
    41: "cp437", 42: "cp850", 43: "cp852", 44: "cp857", 45: "cp858", 46: "cp862", 47: "cp864", 48: "cp865",
    49: "cp866", 50: "cp869", 51: "cp874", 55: "cp720", 56: "cp737", 57: "cp775", 58: "cp860", 59: "cp863",
    60: "cp1250", 61: "cp1251", 62: "cp1252", 63: "cp1253", 64: "cp1254", 65: "cp1255", 66: "cp1256", 67: "cp1257",
    68: "cp1258", 118: "cp950", 119: "euc_tw", 123: "big5", 125: "gb18030", 126: "cp936", 134: "euc_jp",
    136: "cp949", 138: "shift_jis", 140: "euc_kr", 141: "cp949", 205: "gb18030",
}  # fmt: skip
_DATES: Final = (
    "DATE", "DDMMYY", "MMDDYY", "YYMMDD", "JULIAN", "JULDAY", "WEEKDAT", "WORDDAT", "MONYY", "YYMON", "YYMM", "MMYY",
    "YYQ", "YEAR", "DAY", "E8601DA", "B8601DA", "EURDF", "NLDATE", "MONTH", "WEEK", "QTR", "DOWNAME", "NENGO", "MINGUO",
)  # fmt: skip
_MOMENTS: Final = ("DATETIME", "E8601DT", "E8601DZ", "E8601DX", "B8601DT", "B8601DZ", "DTDATE", "DTMONYY", "DTYEAR",
                   "DTWKDATX", "DTYYQC", "NLDATM", "MDYAMPM", "DATEAMPM", "EURDFDT", "TOD")  # fmt: skip
_TIMES: Final = ("TIME", "HHMM", "MMSS", "HOUR", "E8601TM", "B8601TM", "NLTIM", "TIMEAMPM")
"""Formats of numbers by how their names begin; the longer of two beginnings decides."""


@dataclass(frozen=True)
class _Pointer:
    """Where a record of a page lies in the file, and what it is."""

    start: int
    size: int
    packing: int
    kind: int


@dataclass
class _SasMetadata:
    """What the records of the pages say; places of texts are block, start and length."""

    row: int = 0
    count: int = 0
    mixed: int = 0
    """Cases on the page that holds records, too."""
    columns: int = 0
    texts: list[bytes] = field(default_factory=list[bytes])
    names: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    places: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    """Of each variable in a case: start, length, 1 for a number or 2 for a text."""
    formats: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    labels: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])

    def text(self, place: tuple[int, int, int]) -> bytes:
        """A text by its place; nothing for none."""
        block, start, length = place
        return self.texts[block][start : start + length] if block < len(self.texts) else b""


def read(data: bytes) -> DataSet:
    """The data set. Raises ValueError and what `struct` raises for one that is damaged."""
    file = _SasFile(data)
    found = file.describe()
    cursor = file.cursor
    columns = [
        _SasColumn(place, cursor.decoded(found.text(form)), cursor)
        for place, form in zip(found.places, found.formats + [(0, 0, 0)] * len(found.places), strict=False)
    ]
    labels = found.labels + [(0, 0, 0)] * len(columns)
    variables = tuple(
        Variable(cursor.decoded(found.text(name)) or f"V{number}", cursor.decoded(found.text(label)), {})
        for number, (name, label, _) in enumerate(zip(found.names, labels, columns, strict=False), 1)
    )
    rows = (tuple([column.format_value(case) for column in columns[: len(variables)]]) for case in file.cases(found))
    name = cursor.decoded(data[92:156])
    return DataSet("application/x-sas-data", name, variables, found.count, rows, {"encoding": cursor.encoding})


class _SasFile:
    """The head of a file, and its pages."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        if len(data) < _HEAD_BYTES:
            raise ValueError("ends within its head")
        self._word = 8 if data[32] == _WIDE else 4
        moved = 4 if data[35] == _WIDE else 0
        self._order = "<" if data[37] == 1 else ">"
        self._head, self._page = struct.unpack_from(f"{self._order}2i", data, 196 + moved)
        if self._head < _HEAD_BYTES or self._page < 64:
            raise ValueError("declares an impossible page size")
        self.cursor = ValueCursor(data, 0, self._order, _ENCODINGS.get(data[70], ""))
        self._bits = 32 if self._word == 8 else 16
        self._number = struct.Struct(f"{self._order}{'q' if self._word == 8 else 'i'}")

    def describe(self) -> _SasMetadata:
        """Take the records of all pages."""
        found = _SasMetadata()
        for start, kind, _, records in self._pages():
            if kind & _PAGE_KINDS != _DATA:
                for pointer in self._pointers(start, records):
                    self._read_subheader(pointer, found)
        if not 0 < found.row <= _MAX_ROW:
            raise ValueError("says no size of its cases")
        return found

    def cases(self, found: _SasMetadata) -> Iterator[bytes]:
        """The cases, each as it lies in memory."""
        left = found.count if found.count >= 0 else len(self._data)
        head = b"".join(found.texts[:1])[:512]
        unpack = _unpack_runs if _RUNS in head else _unpack_copies if _COPIES in head else None
        for start, kind, blocks, records in self._pages():
            for case in self._cases(start, (kind, blocks, records), found, unpack):
                if left <= 0:
                    return
                left -= 1
                yield case

    def _cases(
        self, start: int, page: tuple[int, int, int], found: _SasMetadata, unpack: "_Unpack | None"
    ) -> Iterator[bytes]:
        kind, blocks, records = page
        size, data = found.row, self._data
        if kind & _PAGE_KINDS == _DATA:
            at, count = start + self._bits + 8, blocks
        elif kind & _PAGE_KINDS == _MIXED:
            at = self._bits + 8 + records * 3 * self._word
            at, count = start + at + at % 8, min(found.mixed, blocks) if blocks else found.mixed
        else:
            at, count = start, 0
            for one in self._pointers(start, records) if unpack else ():
                if one.kind == _IS_DATA and one.packing in (0, _PACKED) and self._signature(one) is None:
                    raw = data[one.start : one.start + one.size]
                    yield raw if len(raw) == size or unpack is None else unpack(raw, size)
        end = min(start + self._page, len(data))
        for place in range(at, at + count * size, size):
            if place + size > end:
                break
            yield data[place : place + size]

    def _pages(self) -> Iterator[tuple[int, int, int, int]]:
        """Where each page begins, its kind, how many cases and records it holds."""
        for start in range(self._head, len(self._data) - self._bits - 8, self._page):
            kind, blocks, records = struct.unpack_from(f"{self._order}3H", self._data, start + self._bits)
            if kind != _NO_PAGE:
                yield start, kind, blocks, records

    def _pointers(self, page: int, count: int) -> Iterator[_Pointer]:
        step = 3 * self._word
        for at in range(page + self._bits + 8, page + self._bits + 8 + count * step, step):
            start, size = self._at(at), self._at(at + self._word)
            packing, kind = self._data[at + 2 * self._word], self._data[at + 2 * self._word + 1]
            if (
                size > 0
                and packing != _CUT
                and 0 <= start <= self._page - size
                and page + start + size <= len(self._data)
            ):
                yield _Pointer(page + start, size, packing, kind)

    def _at(self, at: int) -> int:
        return int(self._number.unpack_from(self._data, at)[0])

    def _signature(self, pointer: _Pointer) -> int | None:
        """What a record says, None for one that is none of those known: a packed case."""
        raw = self._data[pointer.start : pointer.start + self._word]
        if raw[:4] in (b"\xf7" * 4, b"\xf6" * 4) or raw[-4:] in (b"\xf7" * 4, b"\xf6" * 4):
            return _SIZES if 0xF7 in raw else _COLUMNS
        value = int.from_bytes(raw, "little" if self._order == "<" else "big")
        high, low = value >> 32, value & 0xFFFFFFFF
        known = low >> 12 == 0xFFFFF and (self._word == 4 or high == 0xFFFFFFFF)
        return low if known else None

    def _read_subheader(self, pointer: _Pointer, found: _SasMetadata) -> None:
        what = self._signature(pointer)
        if what is None or pointer.packing == _PACKED:
            return
        at, word = pointer.start, self._word
        if what == _SIZES:
            found.row, found.count = self._at(at + 5 * word), self._at(at + 6 * word)
            found.mixed = self._at(at + 15 * word)
        elif what == _COLUMNS:
            found.columns = self._at(at + word)
        elif what == _TEXT:
            size = self._short(at + word)
            found.texts.append(self._data[at + word : at + word + min(size, pointer.size)])
        elif what == _NAMES:
            count = (pointer.size - 2 * word - 12) // 8
            found.names += [self._place(at + word + 8 * number) for number in range(1, count + 1)]
        elif what == _PLACES:
            count = (pointer.size - 2 * word - 12) // (word + 8)
            for place in range(at + word + 8, at + word + 8 + count * (word + 8), word + 8):
                length = struct.unpack_from(f"{self._order}i", self._data, place + word)[0]
                found.places.append((self._at(place), length, self._data[place + word + 6]))
        elif what == _FORMATS:
            found.formats.append(self._place(at + 3 * word + 22))
            found.labels.append(self._place(at + 3 * word + 28))
        if max(len(found.places), len(found.names), len(found.formats)) > _MAX_COLUMNS:
            raise ValueError("declares too many variables")

    def _short(self, at: int) -> int:
        return int(struct.unpack_from(f"{self._order}H", self._data, at)[0])

    def _place(self, at: int) -> tuple[int, int, int]:
        block, start, length = struct.unpack_from(f"{self._order}3H", self._data, at)
        return block, start, length


class _SasColumn:
    """Where a variable's values lie in a case and how they are shown."""

    def __init__(self, place: tuple[int, int, int], form: str, cursor: ValueCursor) -> None:
        self._start, self._size, kind = place
        self._is_text = kind != 1
        self._cursor = cursor
        self._show = shows(form)

    def format_value(self, case: bytes) -> str:
        raw = case[self._start : self._start + self._size]
        if self._is_text:
            return self._cursor.decoded(raw)
        if not 0 < len(raw) <= 8:
            return ""
        # A short number lacks its last digits.
        raw = raw.rjust(8, b"\0") if self._cursor.order == "<" else raw.ljust(8, b"\0")
        value = struct.unpack(f"{self._cursor.order}d", raw)[0]
        return self._show(value) if isfinite(value) else ""


def shows(form: str) -> Callable[[float], str]:
    """How a format of numbers shows them: dates and times as such, whatever their order."""
    name = form.upper()
    ways = ((_MOMENTS, _moment), (_TIMES, clock), (_DATES, _day))
    fits = [(len(begin), show) for begins, show in ways for begin in begins if name.startswith(begin)]
    return max(fits, key=lambda one: one[0])[1] if fits else _plain


def _plain(value: float) -> str:
    return f"{value:.15g}"


def _day(value: float) -> str:
    return moment(_EPOCH, value * _DAY, day=True)


def _moment(value: float) -> str:
    return moment(_EPOCH, value, day=False)


_Unpack = Callable[[bytes, int], bytes]


def _unpack_runs(data: bytes, size: int) -> bytes:
    """A case packed by runs of one byte (ReadStat's `sas_rle`)."""
    out = bytearray()
    at = 0
    while at < len(data) and len(out) < size:
        command, low = data[at] >> 4, data[at] & 0xF
        at += 1
        further = 0
        if command in _LONG_RUNS:
            further = data[at] + 256 * low
            at += 1
            count, fill = further + _LONG_RUNS[command][0], _LONG_RUNS[command][1]
        else:
            count, fill = low + _SHORT_RUNS[command][0], _SHORT_RUNS[command][1]
        if fill == "copy":
            out += data[at : at + count]
            at += count
        elif fill == "next":
            out += data[at : at + 1] * count
            at += 1
        else:
            out += fill.encode() * count
    return bytes(out[:size].ljust(size, b"\0"))


_LONG_RUNS: Final[Mapping[int, tuple[int, str]]] = {
    0x0: (64, "copy"), 0x1: (64 + 4096, "copy"), 0x4: (18, "next"), 0x5: (17, "@"), 0x6: (17, " "), 0x7: (17, "\0"),
}  # fmt: skip
_SHORT_RUNS: Final[Mapping[int, tuple[int, str]]] = {
    0x2: (96, "copy"), 0x3: (0, "copy"), 0x8: (1, "copy"), 0x9: (17, "copy"), 0xA: (33, "copy"), 0xB: (49, "copy"),
    0xC: (3, "next"), 0xD: (2, "@"), 0xE: (2, " "), 0xF: (2, "\0"),
}  # fmt: skip
"""What the commands write: how many bytes at least, and which."""


def _unpack_copies(data: bytes, size: int) -> bytes:
    """A case packed by copies of earlier bytes ("Ross Data Compression", E. Ross, 1992)."""
    out = bytearray()
    at, mask, controls = 0, 0, 0
    while at < len(data) and len(out) < size:
        mask >>= 1
        if not mask:
            controls, mask = data[at] << 8 | data[at + 1], 0x8000
            at += 2
            if at >= len(data):
                break
        if not controls & mask:
            out.append(data[at])
            at += 1
            continue
        command, count = data[at] >> 4, data[at] & 0xF
        if command < 2:
            long = command == 1
            count = count + 19 + (data[at + 1] << 4) if long else count + 3
            out += data[at + 1 + long : at + 2 + long] * count
            at += 2 + long
            continue
        back = count + 3 + (data[at + 1] << 4)
        if back > len(out):
            raise ValueError("refers to data before the beginning of a case")
        repeat_bytes(out, back, data[at + 2] + 16 if command == 2 else command)
        at += 3 if command == 2 else 2
    return bytes(out[:size].ljust(size, b"\0"))
