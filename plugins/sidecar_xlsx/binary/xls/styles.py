"""Fonts, number formats and cell styles of an .xls ([MS-XLS] 2.4.122, 2.4.126, 2.4.353, 2.4.188, 2.4.355) as
SpreadsheetML."""

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import Final

from sidecar.api import DamagedError
from sidecar_xlsx.binary import markup
from sidecar_xlsx.binary.xls.records import Record, RecordReader
from sidecar_xlsx.cells.styles import FIXED, PALETTE, read_theme, tinted

_BOLD: Final = 600
_TWIPS: Final = 20
_NO_FOURTH: Final = 4
"""Fonts are counted past 4, which no file has."""
_SOLID: Final = 1
_SIZE_OF_XF8: Final = 20
_EXTENDED: Final = 20
"""Bytes of an XFExt before its properties: a future record's header, the style's number, how many there are."""
_FILL, _TEXT = 0x04, 0x0D
"""Properties of an XFExt: the colour a cell is filled with, the colour of its text (2.5.108 ExtProp)."""
_BY_INDEX, _BY_VALUE, _BY_THEME = 1, 2, 3
"""How a colour of an XFExt is told (2.5.278 XColorType)."""
_TINTS: Final = 32767
_THEME = 16
"""Where the package of a record Theme begins."""
_THEME_PART: Final = "theme/theme/theme1.xml"
_MAX_THEME: Final = 2**20
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, struct.error)
_USUAL_THEME: Final = (
    0xFFFFFF, 0x000000, 0xEEECE1, 0x1F497D, 0x4F81BD, 0xC0504D, 0x9BBB59, 0x8064A2, 0x4BACC6, 0xF79646, 0x0000FF,
    0x800080,
)  # fmt: skip
"""The theme of Excel 2007, which a workbook has that brings none."""
_NO_FOREGROUND, _NO_BACKGROUND = 1 << 17, 1 << 18
_HAS_FORMAT, _HAS_FONT, _HAS_ALIGNMENT, _HAS_BORDERS, _HAS_FILL, _HAS_PROTECTION = (1 << bit for bit in range(25, 31))
"""Of the flags of a DXFN."""
_INK, _SIZE_OF_FONT = 80, 118
"""Of a DXFFntD: where its colour stands, and its bytes (2.5.63)."""
_SCRIPTS: Final = {1: "superscript", 2: "subscript"}


@dataclass
class Styles:
    """Collects the records of styles; `done` gives the part. `encoding` is that of BIFF5, "" in BIFF8."""

    encoding: str = ""
    palette: list[int] = field(default_factory=lambda: list(PALETTE))
    _formats: dict[int, str] = field(default_factory=dict[int, str])
    _fonts: list[tuple[int, int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int, int]])
    _cells: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])
    """Format, font, pattern and its colour."""
    _extended: dict[tuple[int, int], tuple[int, int, int]] = field(
        default_factory=dict[tuple[int, int], tuple[int, int, int]]
    )
    """Colours that later programs gave besides: style and property → how it is told, tint, value."""
    _theme: tuple[int | None, ...] = _USUAL_THEME
    _conditional: list[str] = field(default_factory=list[str])

    def add_palette(self, record: Record) -> None:
        """A record PALETTE: red, green, blue and nothing."""
        for index, (red, green, blue) in enumerate(struct.iter_unpack("<BBBx", record.data[2 : 2 + 4 * 56])):
            self.palette[index] = red << 16 | green << 8 | blue

    def add_format(self, record: Record) -> None:
        """A record FORMAT."""
        strings = RecordReader.of(record, 2, self.encoding)
        self._formats[struct.unpack_from("<H", record.data)[0]] = strings.text(1 if self.encoding else 2)

    def add_font(self, record: Record) -> None:
        """A record FONT: height, flags, colour, weight, script; then the underline."""
        self._fonts.append(struct.unpack_from("<HHHHH", record.data))
        if len(self._fonts) == _NO_FOURTH:
            self._fonts.append(self._fonts[0])

    def add_cell(self, record: Record) -> None:
        """A record XF: font, number format, and how the background is filled."""
        font, format_ = struct.unpack_from("<HH", record.data)
        pattern, colour = 0, 0
        if len(record.data) >= _SIZE_OF_XF8:
            borders, colours = struct.unpack_from("<IH", record.data, 14)
            pattern, colour = borders >> 26, colours & 0x7F
        else:
            colours = struct.unpack_from("<I", record.data, 8)[0]
            pattern, colour = colours >> 16 & 0x3F, colours & 0x7F
        self._cells.append((format_, font, pattern, colour))

    def add_extension(self, record: Record) -> None:
        """A record XFExt: colours of a cell style that the palette has not."""
        style, count = struct.unpack_from("<HxxH", record.data, _EXTENDED - 6)
        at = _EXTENDED
        for _ in range(count):
            kind, size = struct.unpack_from("<HH", record.data, at)
            if kind in (_FILL, _TEXT):
                self._extended[style, kind] = struct.unpack_from("<HhI", record.data, at + 4)
            at += max(size, 4)

    def add_theme(self, record: Record) -> None:
        """A record Theme: a package with the workbook's own theme, or the number of a theme of the program's."""
        try:
            with zipfile.ZipFile(io.BytesIO(record.whole[_THEME:])) as package:
                if package.getinfo(_THEME_PART).file_size > _MAX_THEME:
                    return
                colours = read_theme(package.read(_THEME_PART), "the theme")
        except (*_UNREADABLE, KeyError, ValueError, DamagedError):
            return
        self._theme = tuple(int(colour, 16) if colour else None for colour in colours.split(","))

    def add_conditional(self, data: bytes) -> tuple[int, int]:
        """The colours that a condition gives (2.5.64 DXFN): their number, and how many bytes tell it."""
        flags, more = struct.unpack_from("<IH", data)
        at, xml = 6, ""
        if flags & _HAS_FORMAT:
            at += struct.unpack_from("<H", data, at)[0] if more & 1 else 2
        if flags & _HAS_FONT:
            ink = struct.unpack_from("<i", data, at + _INK)[0]
            xml += f"<font>{self._colour('color', ink) if ink >= 0 else ''}</font>"
            at += _SIZE_OF_FONT
        at += 8 * ((flags & _HAS_ALIGNMENT > 0) + (flags & _HAS_BORDERS > 0))
        if flags & _HAS_FILL:
            colours = struct.unpack_from("<H", data, at + 2)[0]
            behind = colours >> 7 & 0x7F if not flags & _NO_BACKGROUND else colours & 0x7F
            if not flags & _NO_BACKGROUND or not flags & _NO_FOREGROUND:
                xml += f"<fill><patternFill>{self._colour('bgColor', behind)}</patternFill></fill>"
            at += 4
        self._conditional.append(xml)
        return len(self._conditional) - 1, at + 2 * (flags & _HAS_PROTECTION > 0)

    def fonts(self) -> list[str]:
        """The properties of the fonts, by the numbers that cells and runs give them."""
        return [self._font(font) for font in self._fonts]

    def _font(self, font: tuple[int, int, int, int, int], ink: str = "") -> str:
        height, flags, colour, weight, script = font
        names = (("b", weight >= _BOLD), ("i", flags & 0x2), ("strike", flags & 0x8))
        pieces = [f"<{name}/>" for name, given in names if given]
        if script in _SCRIPTS:
            pieces.append(f'<vertAlign val="{_SCRIPTS[script]}"/>')
        return "".join([*pieces, f'<sz val="{height / _TWIPS:g}"/>', ink or self._colour("color", colour)])

    def _colour(self, name: str, number: int) -> str:
        """A colour element; none for what the window chooses."""
        if number < FIXED:
            value = PALETTE[number]
        elif number - FIXED < len(self.palette):
            value = self.palette[number - FIXED]
        else:
            return ""
        return f'<{name} rgb="FF{value:06X}"/>'

    def _later_colour(self, name: str, style: int, kind: int) -> str:
        """The colour element that a record XFExt gives a style; "" for none."""
        how, tint, value = self._extended.get((style, kind), (0, 0, 0))
        if how == _BY_INDEX:
            return self._colour(name, value)
        colour = int.from_bytes(value.to_bytes(4, "little")[:3], "big") if how == _BY_VALUE else None
        if how == _BY_THEME and value < len(self._theme):
            colour = self._theme[value]
        moved = tinted(colour, str(tint / _TINTS)) if colour is not None else None
        return f'<{name} rgb="FF{moved:06X}"/>' if moved is not None else ""

    def done(self) -> bytes:
        """The styles part."""
        fills = {"": 0, " ": 1}  # none and grey, which have fixed places
        fonts = self.fonts()
        cells: list[tuple[int, int, int]] = []
        for style, (format_, number, pattern, colour) in enumerate(self._cells):
            fill, font = 0, number
            if pattern:
                kind = "solid" if pattern == _SOLID else "gray125"
                painted = self._later_colour("fgColor", style, _FILL) or self._colour("fgColor", colour)
                pattern_fill = f'<patternFill patternType="{kind}">{painted}</patternFill>'
                fill = fills.setdefault(pattern_fill, len(fills))
            if number < len(self._fonts) and (ink := self._later_colour("color", style, _TEXT)):
                font = len(fonts)
                fonts.append(self._font(self._fonts[number], ink))
            cells.append((format_, font, fill))
        return markup.styles(self._formats, fonts, list(fills), cells, self._conditional)
