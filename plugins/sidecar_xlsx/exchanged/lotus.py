"""Worksheets of Lotus 1-2-3 (.wks .wk1 .wk3 .wk4 .123), of Works (.wks) and Quattro Pro (.wq1 .wb1 .wb2): records of a
kind, a length and their content.

After Lotus's "Worksheet File Format" and what the project libwps found out about later ones. Formulas are shown by
their results."""

import struct
from collections.abc import Iterator
from contextlib import suppress
from math import isfinite, isnan
from typing import Final

from sidecar.api import DamagedError, EncryptedError, Limits, Source
from sidecar.toolkit.text import without_surrogates
from sidecar_xlsx.exchanged.book import CollectedBook, Opened, Sheet

_BEGIN, _PASSWORD = 0x00, 0x4B
_INTEGER, _NUMBER, _LABEL, _FORMULA, _TEXT_RESULT = 0x0D, 0x0E, 0x0F, 0x10, 0x33
_NAMED_SHEET, _LABEL_3, _NUMBER_3, _SMALL_3, _FORMULA_3, _TEXT_3 = 0x1B, 0x16, 0x17, 0x18, 0x19, 0x1A
_RATIO_4, _NUMBER_4, _FORMULA_4 = 0x25, 0x27, 0x28
_FIRST_3: Final = 0x1000
"""The version from which on 1-2-3 has several sheets; Quattro Pro for Windows has its own from this one on too."""
_QUATTRO: Final = frozenset((0x1001, 0x1002, 0x1004, 0x1007))
_QUATTRO_DOS: Final = frozenset((0x5120, 0x5121))
"""Versions whose texts tell their length behind the sign that aligns them."""
_SHEET_NAME: Final = 14_000
"""The kind of a record 0x1B that names a sheet."""
_QUATTRO_SHEET_NAME: Final = 0xCC
_DATES: Final = {
    2: "d-mmm-yy", 3: "d-mmm", 4: "mmm-yy", 7: "h:mm:ss AM/PM", 8: "h:mm AM/PM", 9: "m/d/yy", 10: "m/d", 11: "h:mm:ss",
    12: "h:mm",
}  # fmt: skip
_SMALL: Final = (5000, 500, 0.05, 0.005, 0.0005, 0.00005, 1 / 16, 1 / 64)
"""What small numbers of 1-2-3 version 3 are multiplied by, by the three bits above the lowest."""
_MAX_SHEETS: Final = 256


def open_lotus(source: Source, limits: Limits) -> Opened:
    """The worksheet as a package. Raises DamagedError, EncryptedError."""
    data = source.read(limits.max_file_bytes)
    reader = _LotusReader(source)
    for kind, body in _records(data):
        with suppress(struct.error):  # a record that is too short costs no other
            reader.read(kind, body)
    return reader.book().package(source, limits), {}


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 4 <= len(data):
        kind, size = struct.unpack_from("<HH", data, at)
        yield kind, data[at + 4 : at + 4 + size]
        at += 4 + size


class _LotusReader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._book = CollectedBook()
        self._sheets: dict[int, list[tuple[tuple[int, int], float | str, str]]] = {}
        self._names: list[str] = []
        self._version = -1

    def read(self, kind: int, body: bytes) -> None:
        """One record."""
        if kind == _BEGIN and self._version < 0:
            self._version = struct.unpack_from("<H", body)[0]
        elif kind == _PASSWORD and len(body) >= 4 and any(body[:4]):
            raise EncryptedError(f"{self._source.name} is protected by a password; save it without to index it.")
        elif self._version in _QUATTRO:
            self._quattro(kind, body)
        elif self._version >= _FIRST_3 and self._version not in _QUATTRO_DOS:
            self._three(kind, body)
        else:
            self._one(kind, body)

    def book(self) -> CollectedBook:
        """All sheets. Raises DamagedError where there is none."""
        if self._version < 0:
            raise DamagedError(f"{self._source.name} is not a worksheet of Lotus 1-2-3, Works or Quattro Pro.")
        plain = self._source.name.rpartition(".")[0]
        for number in sorted(self._sheets) or [0]:
            several = len(self._sheets) > 1 or bool(self._names)
            name = self._names[number] if number < len(self._names) else chr(65 + number % 26) if several else plain
            sheet: Sheet = self._book.sheet(name)
            for place, value, code in self._sheets.get(number, ()):
                self._book.put(sheet, place, value, code)
        return self._book

    def _one(self, kind: int, body: bytes) -> None:
        """A record of the generation with one sheet: format, column, row."""
        if kind not in (_INTEGER, _NUMBER, _LABEL, _FORMULA, _TEXT_RESULT):
            return
        look, col, row = struct.unpack_from("<BHH", body)
        self._cell(kind, body[5:], (0, (row, col & 0xFF)), _code(look))

    def _quattro(self, kind: int, body: bytes) -> None:
        """A record of Quattro Pro for Windows: column, sheet, row, style."""
        if kind == _QUATTRO_SHEET_NAME:
            self._names.append(_text(body))
        elif kind in (_INTEGER, _NUMBER, _LABEL, _FORMULA, _TEXT_RESULT):
            col, sheet, row = struct.unpack_from("<BBH", body)
            self._cell(kind, body[6:], (sheet, (row, col)), "")

    def _cell(self, kind: int, body: bytes, place: tuple[int, tuple[int, int]], code: str) -> None:
        if kind == _INTEGER:
            self._put(place, float(struct.unpack_from("<h", body)[0]), code)
        elif kind == _NUMBER:
            self._put(place, struct.unpack_from("<d", body)[0], code)
        elif kind == _FORMULA:
            (value,) = struct.unpack_from("<d", body)
            if not isnan(value):  # a text's result comes in the next record
                self._put(place, value, code)
        elif self._version in _QUATTRO_DOS:
            self._put(place, _text(body[2 : 2 + body[1]]) if len(body) > 1 else "", "")
        else:
            self._put(place, _label(body), "")

    def _three(self, kind: int, body: bytes) -> None:
        """A record of the generation with several sheets: row, sheet, column."""
        if kind == _NAMED_SHEET:
            if len(body) > 4 and struct.unpack_from("<H", body)[0] == _SHEET_NAME:
                self._names.append(_text(body[4:]))
            return
        if kind not in (_LABEL_3, _NUMBER_3, _SMALL_3, _FORMULA_3, _TEXT_3, _RATIO_4, _NUMBER_4, _FORMULA_4):
            return
        row, sheet, col = struct.unpack_from("<HBB", body)
        place, content = (sheet, (row, col)), body[4:]
        if kind == _LABEL_3:
            self._put(place, _label(content), "")
        elif kind == _TEXT_3:
            self._put(place, _text(content), "")
        elif kind in (_NUMBER_3, _FORMULA_3):
            value = _long_double(content)
            if value is not None:
                self._put(place, value, "")
        elif kind == _SMALL_3:
            (small,) = struct.unpack_from("<h", content)
            self._put(place, float(small >> 1) if not small & 1 else (small >> 4) * _SMALL[small >> 1 & 7], "")
        elif kind == _RATIO_4:
            self._put(place, _ratio(struct.unpack_from("<I", content)[0]), "")
        else:
            self._put(place, struct.unpack_from("<d", content)[0], "")

    def _put(self, place: tuple[int, tuple[int, int]], value: float | str, code: str) -> None:
        sheet, cell = place
        if sheet < _MAX_SHEETS and value != "" and (isinstance(value, str) or isfinite(value)):
            self._sheets.setdefault(sheet, []).append((cell, value, code))


def _code(look: int) -> str:
    """The number format of a cell's first byte: a kind and a count of decimals."""
    kind, decimals = look >> 4 & 7, look & 15
    zeros = "0" + ("." + "0" * decimals if decimals else "")
    if kind == 7:
        return _DATES.get(decimals, "")
    return {0: zeros, 1: f"{zeros}E+00", 2: f"$#,##{zeros}", 3: f"{zeros}%", 4: f"#,##{zeros}"}.get(kind, "")


def _label(body: bytes) -> str:
    """A text behind the sign that says how it is aligned."""
    text = _text(body)
    return text[1:] if text[:1] in ("'", '"', "^", "\\", "|") else text


def _text(body: bytes) -> str:
    return without_surrogates(body.partition(b"\0")[0].decode("cp850", "replace"))


def _long_double(raw: bytes) -> float | None:
    """An 80-bit number of Intel's; None for those that stand for errors and texts."""
    if len(raw) < 10:
        return None
    mantissa, head = struct.unpack_from("<QH", raw)
    exponent = head & 0x7FFF
    if exponent == 0x7FFF or (mantissa and not mantissa >> 63):
        return None
    try:
        value = mantissa * 2.0 ** (exponent - 16383 - 63)
    except OverflowError:
        return None
    return -value if head >> 15 else value


def _ratio(packed: int) -> float:
    """A number of 1-2-3 version 4: 26 bits, a sign and a power of ten."""
    value = float(packed >> 6)
    power = packed & 15
    value = value / 10**power if packed & 0x10 else value * 10**power
    return -value if packed & 0x20 else value
