"""Workbooks of Excel 2, 3 and 4 written anew as a stream of Excel 5, which `package` reads: cells, number formats,
notes, headers, widths, not the formulas behind results.

From "OpenOffice.org's Documentation of the Microsoft Excel File Format", sections 4.1, 5 and 6."""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from sidecar_xlsx.binary.xls.records import BOF, EOF, Record, records
from sidecar_xlsx.signatures import OLDER_SHEETS, excel_version

_GLOBALS, _WORKSHEET, _MACROS = 0x05, 0x10, 0x40
_BIFF5: Final = 0x500
_NUMBER, _LABEL, _BOOL_OR_ERROR = 0x203, 0x204, 0x205
_FORMAT, _FONT, _XF, _SHEET = 0x41E, 0x31, 0xE0, 0x85
_FIRST_FORMAT: Final = 164
"""Excel 5 has formats of its own under lower numbers."""
_AS_THEY_ARE: Final = frozenset((0x203, 0x205, 0x27E, 0x208, 0x7D, 0x1C, 0x14, 0x15))
"""Records of Excel 3 and 4 that Excel 5 writes alike."""
_IN_GLOBALS: Final = frozenset((0x22, 0x42))
_RESULT_IS_NO_NUMBER: Final = 0xFFFF
_IS_TEXT, _IS_BOOLEAN, _IS_ERROR = 0, 1, 2
_USUAL_HEIGHT, _USUAL_COLOUR, _BOLD_WEIGHT, _PLAIN_WEIGHT = 200, 0x7FFF, 700, 400


def as_excel_5(stream: bytes) -> bytes:
    """The stream of a workbook of Excel 2, 3 or 4 as Excel 5 would have written it."""
    reader = _Older(excel_version(stream))
    for record in records(stream):
        try:
            reader.take(record)
        except (struct.error, IndexError):  # a record that is cut off
            continue
    return reader.written()


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


@dataclass
class _Excel4Sheet:
    name: str | bytes
    written: list[bytes] = field(default_factory=list[bytes])


@dataclass
class _Older:
    """Collects what a stream holds. `pending` is the place of a formula whose text comes in the next record."""

    version: int
    sheets: list[_Excel4Sheet] = field(default_factory=list[_Excel4Sheet])
    heads: list[bytes] = field(default_factory=list[bytes])
    formats: list[bytes] = field(default_factory=list[bytes])
    fonts: list[bytes] = field(default_factory=list[bytes])
    styles: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Font and format."""
    name: bytes = b""
    pending: bytes = b""

    def take(self, record: Record) -> None:
        """A record of the stream."""
        kind = record.kind
        if kind in OLDER_SHEETS:
            if struct.unpack_from("<H", record.data, 2)[0] in (_WORKSHEET, _MACROS):
                self.sheets.append(_Excel4Sheet(self.name or f"Sheet{len(self.sheets) + 1}".encode()))
        elif kind in _IN_GLOBALS:
            self.heads.append(_record(kind, record.data))
        elif kind in _HANDLERS:
            _HANDLERS[kind](self, record)
        elif kind in _AS_THEY_ARE:
            self._write(kind, record.data)

    def _write(self, kind: int, data: bytes) -> None:
        if self.sheets:
            self.sheets[-1].written.append(_record(kind, data))

    def sheet_head(self, record: Record) -> None:
        """A record SHEETHDR: the name of the sheet that follows in a workbook of Excel 4."""
        self.name = record.data[5 : 5 + record.data[4]]

    def number_format(self, record: Record) -> None:
        """A record FORMAT; of these, all are written, in the order of their numbers."""
        data = record.data[2:] if record.kind == _FORMAT else record.data
        self.formats.append(data[1 : 1 + data[0]])

    def font(self, record: Record) -> None:
        """A record FONT: height and flags, then a colour since Excel 3."""
        height, flags = struct.unpack_from("<HH", record.data)
        colour = struct.unpack_from("<H", record.data, 4)[0] if record.kind != _FONT else _USUAL_COLOUR
        self.fonts.append(_font(height, flags, colour))

    def style(self, record: Record) -> None:
        """A record XF of Excel 3 and 4."""
        self.styles.append((record.data[0], record.data[1]))

    def old_whole(self, record: Record) -> None:
        """A record INTEGER of Excel 2."""
        self._write(_NUMBER, self._place(record) + struct.pack("<d", struct.unpack_from("<H", record.data, 7)[0]))

    def old_number(self, record: Record) -> None:
        """A record NUMBER of Excel 2."""
        self._write(_NUMBER, self._place(record) + record.data[7:15])

    def old_text(self, record: Record) -> None:
        """A record LABEL of Excel 2."""
        self._text(self._place(record), record.data[8 : 8 + record.data[7]])

    def old_boolean(self, record: Record) -> None:
        """A record BOOLERR of Excel 2."""
        self._write(_BOOL_OR_ERROR, self._place(record) + record.data[7:9])

    def text(self, record: Record) -> None:
        """A record LABEL of Excel 3 and 4."""
        self._text(record.data[:6], record.data[8 : 8 + struct.unpack_from("<H", record.data, 6)[0]])

    def formula(self, record: Record) -> None:
        """A record FORMULA: its result."""
        is_old = self.version == 2
        place, result = self._place(record), record.data[7:15] if is_old else record.data[6:14]
        self.pending = b""
        if len(result) == 8 and struct.unpack_from("<H", result, 6)[0] != _RESULT_IS_NO_NUMBER:
            self._write(_NUMBER, place + result)
        elif result[0] == _IS_TEXT:
            self.pending = place
        elif result[0] in (_IS_BOOLEAN, _IS_ERROR):
            self._write(_BOOL_OR_ERROR, place + bytes((result[2], result[0] == _IS_ERROR)))

    def formula_text(self, record: Record) -> None:
        """A record STRING: the text that the formula before it gives."""
        head = 1 if record.kind == 0x07 else 2
        size = int.from_bytes(record.data[:head], "little")
        if self.pending:
            self._text(self.pending, record.data[head : head + size])
        self.pending = b""

    def _text(self, place: bytes, text: bytes) -> None:
        self._write(_LABEL, place + struct.pack("<H", len(text)) + text)

    def _place(self, record: Record) -> bytes:
        """Row, column and style; in Excel 2 the number of the format is in the second of three bytes."""
        if self.version > 2:
            return record.data[:6]
        return record.data[:4] + struct.pack("<H", record.data[5] & 0x3F)

    def written(self) -> bytes:
        """The whole stream."""
        head = b"".join(self._globals())
        bodies = [
            _record(BOF, struct.pack("<HHI", _BIFF5, _WORKSHEET, 0)) + b"".join(sheet.written) + _record(EOF, b"")
            for sheet in self.sheets
        ]
        names = [sheet.name if isinstance(sheet.name, bytes) else sheet.name.encode() for sheet in self.sheets]
        # Each says where its sheet begins, behind all of them.
        at = len(head) + sum(len(_listed(0, name)) for name in names) + len(_record(EOF, b""))
        listed: list[bytes] = []
        for name, body in zip(names, bodies, strict=True):
            listed.append(_listed(at, name))
            at += len(body)
        return b"".join([head, *listed, _record(EOF, b""), *bodies])

    def _globals(self) -> Iterator[bytes]:
        yield _record(BOF, struct.pack("<HHI", _BIFF5, _GLOBALS, 0))
        yield from self.heads
        for font in self.fonts or [_font(_USUAL_HEIGHT, 0, _USUAL_COLOUR)]:
            yield _record(_FONT, font)
        for number, code in enumerate(self.formats, _FIRST_FORMAT):
            yield _record(_FORMAT, struct.pack("<HB", number, len(code)) + code)
        # In Excel 2 the number of a style is here that of its format.
        styles = self.styles if self.version > 2 else [(0, number) for number in range(max(len(self.formats), 1))]
        for font, format_ in styles:
            number = _FIRST_FORMAT + format_ if format_ < len(self.formats) else 0
            yield _record(_XF, struct.pack("<HH12x", font, number))


def _font(height: int, flags: int, colour: int) -> bytes:
    """A font of Excel 5 without its name."""
    weight = _BOLD_WEIGHT if flags & 1 else _PLAIN_WEIGHT
    return struct.pack("<5H5x", height, flags & ~1, colour, weight, 0)


def _listed(at: int, name: bytes) -> bytes:
    return _record(_SHEET, struct.pack("<IHB", at, 0, len(name)) + name)


_HANDLERS: Final[Mapping[int, Callable[[_Older, Record], None]]] = {
    0x8F: _Older.sheet_head, 0x1E: _Older.number_format, _FORMAT: _Older.number_format, _FONT: _Older.font,
    0x231: _Older.font, 0x243: _Older.style, 0x443: _Older.style, 0x02: _Older.old_whole, 0x03: _Older.old_number,
    0x04: _Older.old_text, 0x05: _Older.old_boolean, _LABEL: _Older.text, 0x06: _Older.formula, 0x206: _Older.formula,
    0x406: _Older.formula, 0x07: _Older.formula_text, 0x207: _Older.formula_text,
}  # fmt: skip
