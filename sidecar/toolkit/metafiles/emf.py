"""The text of an enhanced metafile ([MS-EMF] 2.3), and of the EMF+ records that lie in its comments.

Records are taken one after the other; what only draws lines is passed over. One that is cut off ends the reading."""

import struct
from collections.abc import Callable, Mapping
from contextlib import suppress

from sidecar.toolkit.hidden import Colour
from sidecar.toolkit.metafiles.device import Device, Font, colour_ref
from sidecar.toolkit.metafiles.emf_plus import PlusReader
from sidecar.toolkit.metafiles.text_lines import MetafileText

_GLYPHS, _NO_BOUNDS, _SMALL_CHARS = 0x10, 0x100, 0x200
"""Options of text ([MS-EMF] 2.1.11): numbers of glyphs instead of characters, no bounds, one byte a character."""
_STOCK = 0x80000000
_STOCK_BRUSHES: Mapping[int, Colour | None] = {
    0: (255, 255, 255), 1: (192, 192, 192), 2: (128, 128, 128), 3: (64, 64, 64), 4: (0, 0, 0), 5: None,
}  # fmt: skip
_HOLLOW = 1
_MAX_RECORDS = 1_000_000
_MAX_OBJECTS = 65_536
_MAX_STRINGS = 4_096
_PLUS = b"EMF+"


def read_emf(data: bytes, depth: int = 0) -> list[MetafileText]:
    """The pieces of text that the metafile draws; `depth` is that of metafiles within metafiles."""
    reader = _EmfReader(data, depth)
    reader.read()
    plus = reader.plus
    return reader.device.pieces if plus is None or plus.dual else plus.device.pieces + reader.device.pieces


class _EmfReader:
    def __init__(self, data: bytes, depth: int) -> None:
        self._data = data
        self._depth = depth
        self.device = Device()
        self.plus: PlusReader | None = None
        self._objects: dict[int, Font | Colour | None] = {}

    def read(self) -> None:
        """Take all records."""
        data, at = self._data, 0
        for _ in range(_MAX_RECORDS):
            if at + 8 > len(data) or self.device.full:
                break
            kind, size = struct.unpack_from("<II", data, at)
            if size < 8 or at + size > len(data):
                break
            take = _TAKEN.get(kind)
            if take is not None:
                with suppress(struct.error):  # one too short for its kind says nothing
                    take(self, data[at : at + size])
            elif kind in _FILLING:
                self.device.paint()
            elif kind in _BITMAPS:
                self.device.painted = True
            at += size

    def world(self, record: bytes) -> None:
        self.device.change(world=struct.unpack_from("<6f", record, 8))

    def modify_world(self, record: bytes) -> None:
        a, b, c, d, e, f, mode = struct.unpack_from("<6fI", record, 8)
        self.device.multiply((a, b, c, d, e, f), mode)

    def font(self, record: bytes) -> None:
        number, height, _, turn = struct.unpack_from("<Iiii", record, 8)
        charset = record[35] if len(record) > 35 else 0
        name = record[40:104].decode("utf-16-le", "replace").split("\0", 1)[0]
        self._store_object(number, Font(float(height), turn / 10, charset, name))

    def brush(self, record: bytes) -> None:
        number, style, colour = struct.unpack_from("<III", record, 8)
        self._store_object(number, None if style == _HOLLOW else colour_ref(colour))

    def pattern(self, record: bytes) -> None:
        self._store_object(struct.unpack_from("<I", record, 8)[0], (0, 0, 0))

    def _store_object(self, number: int, made: Font | Colour | None) -> None:
        if number < _MAX_OBJECTS:
            self._objects[number] = made

    def select(self, record: bytes) -> None:
        number = struct.unpack_from("<I", record, 8)[0]
        if number & _STOCK:
            stock = number & 0xFF
            if stock in _STOCK_BRUSHES:
                self.device.change(brush=_STOCK_BRUSHES[stock])
            elif 10 <= stock <= 17:  # fonts, of the system's usual size
                self.device.change(font=Font())
        elif number in self._objects:
            made = self._objects[number]
            self.device.change(**({"font": made} if isinstance(made, Font) else {"brush": made}))

    def small_text(self, record: bytes) -> None:
        x, y, count, options = struct.unpack_from("<iiII", record, 8)
        at = 36 if options & _NO_BOUNDS else 52
        if options & _GLYPHS:
            return
        if options & _SMALL_CHARS:
            text = record[at : at + count].decode("latin-1")
        else:
            text = record[at : at + 2 * count].decode("utf-16-le", "replace")
        self.device.text(text, x, y, None)

    def text(self, record: bytes, at: int, *, wide: bool) -> None:
        """An EmrText ([MS-EMF] 2.2.5), whose offsets count from the start of its record."""
        x, y, count, begin, options = struct.unpack_from("<iiIII", record, at)
        spaces = struct.unpack_from("<I", record, at + 36)[0]
        if options & _GLYPHS or begin >= len(record):
            return
        bytes_each = 2 if wide else 1
        raw = record[begin : begin + count * bytes_each]
        text = raw.decode("utf-16-le", "replace") if wide else self.device.state.font.decode(raw)
        count = min(len(raw) // bytes_each, (len(record) - spaces) // 4) if spaces else 0
        each = struct.unpack_from(f"<{count}i", record, spaces) if count > 0 else ()
        self.device.text(text, x, y, float(sum(each)) if any(each) else None)

    def texts(self, record: bytes, *, wide: bool) -> None:
        count = struct.unpack_from("<I", record, 36)[0]
        for number in range(min(count, _MAX_STRINGS)):
            self.text(record, 40 + 40 * number, wide=wide)

    def comment(self, record: bytes) -> None:
        if record[12:16] == _PLUS:
            length = struct.unpack_from("<I", record, 8)[0]
            self.plus = self.plus or PlusReader(self._nested)
            self.plus.read(record[16 : 12 + length])

    def _nested(self, data: bytes) -> list[MetafileText]:
        """The text of a metafile that this one draws as a picture."""
        return read_emf(data, self._depth + 1) if self._depth < 1 else []

    def window(self, record: bytes) -> None:
        self.device.change(**{_PAIRS[record[0]]: struct.unpack_from("<ii", record, 8)})

    def number(self, record: bytes) -> None:
        value = struct.unpack_from("<I", record, 8)[0]
        match record[0]:
            case 17:
                self.device.change(mode=value)
            case 18:
                self.device.change(opaque=value != 1)
            case 22:
                self.device.change(align=value)
            case 24:
                self.device.change(colour=colour_ref(value))
            case 25:
                self.device.change(background=colour_ref(value))
            case _:
                self.device.restore(struct.unpack_from("<i", record, 8)[0])


_PAIRS = {9: "window_size", 10: "window", 11: "view_size", 12: "view", 27: "at"}
"""Records of two numbers, and the field of the state they set."""
_FILLING = frozenset((3, 8, 42, 43, 44, 46, 47, 62, 63, 71, 72, 86, 91))
"""Polygons, ellipses, rectangles, chords, pies, paths and regions that are filled."""
_BITMAPS = frozenset((76, 77, 78, 79, 80, 81, 114, 116, 118))
_TAKEN: Mapping[int, Callable[[_EmfReader, bytes], None]] = {
    **dict.fromkeys(_PAIRS, _EmfReader.window),
    **dict.fromkeys((17, 18, 22, 24, 25, 34), _EmfReader.number),
    33: lambda reader, _: reader.device.save(),
    35: _EmfReader.world, 36: _EmfReader.modify_world, 37: _EmfReader.select, 39: _EmfReader.brush,
    93: _EmfReader.pattern, 94: _EmfReader.pattern, 82: _EmfReader.font,
    70: _EmfReader.comment,
    83: lambda reader, record: reader.text(record, 36, wide=False),
    84: lambda reader, record: reader.text(record, 36, wide=True),
    96: lambda reader, record: reader.texts(record, wide=False),
    97: lambda reader, record: reader.texts(record, wide=True),
    108: _EmfReader.small_text,
}  # fmt: skip
"""What each record does ([MS-EMF] 2.1.1)."""
