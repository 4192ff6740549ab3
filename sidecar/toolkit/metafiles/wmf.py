"""The text of a Windows metafile ([MS-WMF] 2.3), with the header of a placeable one or without."""

import struct
from collections.abc import Callable, Mapping
from contextlib import suppress

from sidecar.toolkit.hidden import Colour
from sidecar.toolkit.metafiles.device import Device, Font, colour_ref
from sidecar.toolkit.metafiles.text_lines import MetafileText

_PLACEABLE, _PLACEABLE_BYTES, _HEADER_BYTES = b"\xd7\xcd\xc6\x9a", 22, 18
_GLYPHS, _WITH_RECTANGLE = 0x10, 0x06
_HOLLOW = 1
_ANISOTROPIC = 8
_MAX_RECORDS = 1_000_000
_MAX_OBJECTS = 4_096

_Made = Font | Colour | None | str
"""An object of the metafile: a font, the colour of a brush (None: it paints nothing), or one of no matter."""


def read_wmf(data: bytes) -> list[MetafileText]:
    """The pieces of text that the metafile draws."""
    at = _PLACEABLE_BYTES if data.startswith(_PLACEABLE) else 0
    reader = _WmfReader()
    reader.read(data, at + _HEADER_BYTES)
    return reader.device.pieces


class _WmfReader:
    def __init__(self) -> None:
        self.device = Device()
        self._objects: list[_Made] = []

    def read(self, data: bytes, at: int) -> None:
        """Take all records."""
        for _ in range(_MAX_RECORDS):
            if at + 6 > len(data) or self.device.full:
                break
            words, kind = struct.unpack_from("<IH", data, at)
            size = words * 2
            if size < 6 or kind == 0:
                break
            take = _TAKEN.get(kind)
            if take is not None:
                with suppress(struct.error):  # one too short for its kind says nothing
                    take(self, data[at + 6 : at + size])
            elif kind in _FILLING:
                self.device.paint()
            elif kind in _BITMAPS:
                self.device.painted = True
            elif kind in _OTHER_OBJECTS:
                self._store_object("")
            at += size

    def _store_object(self, made: _Made) -> None:
        """A new object takes the lowest number that is free."""
        if _FREE in self._objects:
            self._objects[self._objects.index(_FREE)] = made
        elif len(self._objects) < _MAX_OBJECTS:
            self._objects.append(made)

    def font(self, data: bytes) -> None:
        height, _, turn = struct.unpack_from("<hhh", data)
        name = data[18:50].split(b"\0", 1)[0].decode("cp1252", "replace")
        self._store_object(Font(float(height), turn / 10, data[13] if len(data) > 13 else 0, name))

    def brush(self, data: bytes) -> None:
        style, colour = struct.unpack_from("<HI", data)
        self._store_object(None if style == _HOLLOW else colour_ref(colour))

    def pattern(self, data: bytes) -> None:
        self._store_object((0, 0, 0))

    def delete(self, data: bytes) -> None:
        number = struct.unpack_from("<H", data)[0]
        if number < len(self._objects):
            self._objects[number] = _FREE

    def select(self, data: bytes) -> None:
        number = struct.unpack_from("<H", data)[0]
        made = self._objects[number] if number < len(self._objects) else ""
        if not isinstance(made, str):
            self.device.change(**({"font": made} if isinstance(made, Font) else {"brush": made}))

    def text_out(self, data: bytes) -> None:
        count = struct.unpack_from("<H", data)[0]
        raw = data[2 : 2 + count]
        y, x = struct.unpack_from("<hh", data, 2 + count + count % 2)
        self.device.text(self.device.state.font.decode(raw), x, y, None)

    def ext_text_out(self, data: bytes) -> None:
        y, x, count, options = struct.unpack_from("<hhHH", data)
        if options & _GLYPHS:
            return
        at = 16 if options & _WITH_RECTANGLE else 8
        raw = data[at : at + count]
        spaces = at + count + count % 2
        known = min(count, max(len(data) - spaces, 0) // 2)
        width = sum(struct.unpack_from(f"<{known}h", data, spaces)) if known == count else 0
        self.device.text(self.device.state.font.decode(raw), x, y, float(width) if width else None)

    def save(self, data: bytes) -> None:
        self.device.save()

    def restore(self, data: bytes) -> None:
        self.device.restore(struct.unpack_from("<h", data)[0])

    def mode(self, data: bytes) -> None:
        self.device.change(mode=struct.unpack_from("<H", data)[0])

    def window_size(self, data: bytes) -> None:
        """Whoever draws the metafile sets the view: only which way the axes run is said here."""
        down, across = struct.unpack_from("<hh", data)
        sizes = {"window_size": (1.0 if across >= 0 else -1.0, 1.0 if down >= 0 else -1.0)}
        self.device.change(mode=_ANISOTROPIC, **sizes)

    def move(self, data: bytes) -> None:
        y, x = struct.unpack_from("<hh", data)
        self.device.change(at=(float(x), float(y)))

    def align(self, data: bytes) -> None:
        self.device.change(align=struct.unpack_from("<H", data)[0])

    def colour(self, data: bytes) -> None:
        self.device.change(colour=colour_ref(struct.unpack_from("<I", data)[0]))

    def background(self, data: bytes) -> None:
        self.device.change(background=colour_ref(struct.unpack_from("<I", data)[0]))

    def background_mode(self, data: bytes) -> None:
        self.device.change(opaque=struct.unpack_from("<H", data)[0] != 1)


_FREE = "free"
_FILLING = frozenset((0x0324, 0x0538, 0x0418, 0x041B, 0x061C, 0x061D, 0x081A, 0x0830, 0x0228, 0x012B, 0x0419, 0x0548))
"""Polygons, ellipses, rectangles, pies, chords, regions and floods that are filled."""
_BITMAPS = frozenset((0x0922, 0x0940, 0x0B23, 0x0B41, 0x0D33, 0x0F43))
_OTHER_OBJECTS = frozenset((0x02FA, 0x00F7, 0x06FF))
"""Pens, palettes, regions: they take a number too."""
_TAKEN: Mapping[int, Callable[[_WmfReader, bytes], None]] = {
    0x001E: _WmfReader.save, 0x0127: _WmfReader.restore, 0x0103: _WmfReader.mode, 0x020C: _WmfReader.window_size,
    0x0102: _WmfReader.background_mode, 0x0201: _WmfReader.background, 0x0209: _WmfReader.colour,
    0x012E: _WmfReader.align, 0x0214: _WmfReader.move, 0x02FB: _WmfReader.font, 0x02FC: _WmfReader.brush,
    0x01F9: _WmfReader.pattern, 0x0142: _WmfReader.pattern, 0x01F0: _WmfReader.delete, 0x012D: _WmfReader.select,
    0x0521: _WmfReader.text_out, 0x0A32: _WmfReader.ext_text_out,
}  # fmt: skip
"""What each record does ([MS-WMF] 2.1.1.1)."""
