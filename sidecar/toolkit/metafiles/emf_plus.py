"""The text of EMF+ records ([MS-EMFPLUS] 2.3), which newer programs write into the comments of an enhanced metafile."""

import math
import struct
from collections.abc import Callable, Mapping

from sidecar.toolkit.drawn.affine import IDENTITY, Affine
from sidecar.toolkit.hidden import Colour
from sidecar.toolkit.metafiles.device import Device, Font
from sidecar.toolkit.metafiles.text_lines import MetafileText

_DUAL = 1
"""Flag of the header: EMF records draw the same, for programs that know no EMF+."""
_OBJECT, _FONT, _IMAGE, _BRUSH = 0x4008, 6, 5, 1
_COLOUR_GIVEN = 0x8000
_CHARACTERS = 1
"""Flag of a driver string: its numbers are characters, not glyphs."""
_METAFILE = 2
_FAINT = 13
"""Of 255: alpha under which nothing is seen."""
_PIXELS = {0: 1.0, 1: 1.0, 2: 1.0, 3: 96 / 72, 4: 96.0, 5: 96 / 300, 6: 96 / 25.4}
"""Units ([MS-EMFPLUS] 2.1.1.33) at 96 dots per inch."""
_MAX_RECORDS = 1_000_000
_OBJECTS = 64
_BASELINE = 24


class PlusReader:
    """Takes EMF+ records as the comments bring them; `nested` reads a metafile that is drawn as a picture."""

    def __init__(self, nested: Callable[[bytes], list[MetafileText]]) -> None:
        self.device = Device()
        self.dual = False
        self._nested = nested
        self._fonts: dict[int, Font] = {}
        self._brushes: dict[int, Colour | None] = {}
        self._page = 1.0
        self._left = _MAX_RECORDS

    def read(self, data: bytes) -> None:
        """The records of one comment."""
        at = 0
        while at + 12 <= len(data) and self._left > 0 and not self.device.full:
            self._left -= 1
            kind, flags, size, length = struct.unpack_from("<HHII", data, at)
            if size < 12 or length > size - 12:
                break
            take = _TAKEN.get(kind)
            try:
                if take is not None:
                    take(self, flags, data[at + 12 : at + 12 + length])
                elif kind in _FILLING:
                    self._fill(flags, data[at + 12 : at + 16])
            except struct.error:
                pass  # too short for its kind: it says nothing
            at += size

    def header(self, flags: int, data: bytes) -> None:
        """The file's header: whether plain EMF says the same beside it."""
        self.dual = bool(flags & _DUAL)

    def store_object(self, flags: int, data: bytes) -> None:
        """A font, a brush or a metafile, kept under its number."""
        number, kind = flags & 0xFF, flags >> 8 & 0x7F
        if number >= _OBJECTS or flags & 0x8000:  # one that goes on in a further record is a picture of dots
            return
        if kind == _FONT:
            size, unit, _, _, length = struct.unpack_from("<fIIII", data, 4)
            name = data[24 : 24 + 2 * min(length, 64)].decode("utf-16-le", "replace")
            scale = 1.0 if unit == 0 else _PIXELS.get(unit, 1.0) / self._page
            self._fonts[number] = Font(size * scale if math.isfinite(size) else 0.0, name=name)
        elif kind == _BRUSH:
            how, colour = struct.unpack_from("<II", data, 4)
            self._brushes[number] = _colour(colour) if how == 0 else (0, 0, 0)
        elif kind == _IMAGE and struct.unpack_from("<I", data, 4)[0] == _METAFILE:
            self.device.pieces += self._nested(data[16:])

    def _ink(self, flags: int, number: int) -> Colour | None:
        """The colour of a brush that is given by its number or as it is; None where nothing of it is seen."""
        return _colour(number) if flags & _COLOUR_GIVEN else self._brushes.get(number, (0, 0, 0))

    def _fill(self, flags: int, data: bytes) -> None:
        self.device.change(brush=self._ink(flags, struct.unpack_from("<I", data)[0]))
        self.device.paint()

    def image(self, flags: int, data: bytes) -> None:
        """A picture drawn."""
        self.device.painted = True

    def string(self, flags: int, data: bytes) -> None:
        """A text in a rectangle."""
        brush, _, length, left, top, *_ = struct.unpack_from("<IIIffff", data)
        text = data[28 : 28 + 2 * length].decode("utf-16-le", "replace")
        font = self._fonts.get(flags & 0xFF, Font())
        ink = self._ink(flags, brush)
        if ink is None:
            return
        self.device.change(font=font, colour=ink, align=0, opaque=False)
        for number, line in enumerate(text.splitlines()):
            self.device.text(line, left, top + 1.2 * font.height * number, None)

    def driver_string(self, flags: int, data: bytes) -> None:
        """Characters each at a place of its own."""
        brush, options, has_matrix, count = struct.unpack_from("<IIII", data)
        if not options & _CHARACTERS or count > len(data) // 2:
            return
        text = data[16 : 16 + 2 * count].decode("utf-16-le", "replace")
        places = 16 + 2 * (count + count % 2)
        x, y = struct.unpack_from("<ff", data, places)
        last = struct.unpack_from("<f", data, places + 8 * (count - 1))[0] if not options & 4 else x
        font, ink = self._fonts.get(flags & 0xFF, Font()), self._ink(flags, brush)
        if ink is None:
            return
        world = self.device.state.world
        if has_matrix:
            self._multiply(struct.unpack_from("<6f", data, places + 8 * (1 if options & 4 else count)))
        self.device.change(font=font, colour=ink, align=_BASELINE, opaque=False)
        self.device.text(text, x, y, last - x + 0.5 * font.height if last > x else None)
        self.device.change(world=world)

    def set_world(self, flags: int, data: bytes) -> None:
        """Another transformation of the world."""
        self.device.change(world=struct.unpack_from("<6f", data))

    def reset_world(self, flags: int, data: bytes) -> None:
        """None any more."""
        self.device.change(world=IDENTITY)

    def multiply_world(self, flags: int, data: bytes) -> None:
        """One before or after that which is there."""
        self._multiply(struct.unpack_from("<6f", data), after=bool(flags & 0x2000))

    def move_world(self, flags: int, data: bytes) -> None:
        """A translation, before or after it."""
        x, y = struct.unpack_from("<ff", data)
        self._multiply((1.0, 0.0, 0.0, 1.0, x, y), after=bool(flags & 0x2000))

    def scale_world(self, flags: int, data: bytes) -> None:
        """A scaling, before or after it."""
        x, y = struct.unpack_from("<ff", data)
        self._multiply((x, 0.0, 0.0, y, 0.0, 0.0), after=bool(flags & 0x2000))

    def turn_world(self, flags: int, data: bytes) -> None:
        """A rotation by degrees, before or after it."""
        angle = math.radians(struct.unpack_from("<f", data)[0] % 360)
        cos, sin = math.cos(angle), math.sin(angle)
        self._multiply((cos, sin, -sin, cos, 0.0, 0.0), after=bool(flags & 0x2000))

    def _multiply(self, by: Affine, *, after: bool = False) -> None:
        self.device.multiply(by, 3 if after else 2)

    def set_page(self, flags: int, data: bytes) -> None:
        """The unit of the page: type whose size is in points is so many of them."""
        scale = struct.unpack_from("<f", data)[0] * _PIXELS.get(flags & 0xFF, 1.0)
        self._page = scale if math.isfinite(scale) and scale > 0 else 1.0

    def save(self, flags: int, data: bytes) -> None:
        """What is set is kept for `restore`."""
        self.device.save()

    def restore(self, flags: int, data: bytes) -> None:
        """What was kept is set again."""
        self.device.restore(-1)


def _colour(argb: int) -> Colour | None:
    return (argb >> 16 & 0xFF, argb >> 8 & 0xFF, argb & 0xFF) if argb >> 24 >= _FAINT else None


_FILLING = frozenset((0x400A, 0x400C, 0x400E, 0x4010, 0x4013, 0x4014, 0x4016))
"""Rectangles, polygons, ellipses, pies, regions, paths and closed curves that are filled."""
_TAKEN: Mapping[int, Callable[[PlusReader, int, bytes], None]] = {
    0x4001: PlusReader.header, _OBJECT: PlusReader.store_object, 0x401A: PlusReader.image, 0x401B: PlusReader.image,
    0x401C: PlusReader.string, 0x4036: PlusReader.driver_string, 0x4025: PlusReader.save,
    0x4026: PlusReader.restore, 0x4027: PlusReader.save, 0x4028: PlusReader.save, 0x4029: PlusReader.restore,
    0x402A: PlusReader.set_world, 0x402B: PlusReader.reset_world, 0x402C: PlusReader.multiply_world,
    0x402D: PlusReader.move_world, 0x402E: PlusReader.scale_world, 0x402F: PlusReader.turn_world,
    0x4030: PlusReader.set_page,
}  # fmt: skip
"""What each record does ([MS-EMFPLUS] 2.1.1.1)."""
