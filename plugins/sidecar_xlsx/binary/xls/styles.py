"""Fonts, number formats and cell styles of an .xls ([MS-XLS] 2.4.122, 2.4.126, 2.4.353, 2.4.188) as SpreadsheetML."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Final

from sidecar_xlsx.binary import markup
from sidecar_xlsx.binary.xls.records import Record, Strings

__all__ = ["Styles"]

_PALETTE: Final = tuple(
    int(colour, 16)
    for colour in """
    000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 800000 008000 000080 808000 800080 008080 C0C0C0 808080
    9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF
    00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696
    003366 339966 003300 333300 993300 993366 333399 333333
    """.split()  # noqa: SIM905  # read as a table
)
"""Colours 8 to 63 where the workbook has none of its own ([MS-XLS] 2.5.161 Icv)."""
_FIRST_OF_PALETTE: Final = 8
_BOLD: Final = 600
_TWIPS: Final = 20
_NO_FOURTH: Final = 4
"""Fonts are counted past 4, which no file has."""
_SOLID: Final = 1
_SIZE_OF_XF8: Final = 20
_SCRIPTS: Final = {1: "superscript", 2: "subscript"}


@dataclass
class Styles:
    """Collects the records of styles; `done` gives the part. `encoding` is that of BIFF5, "" in BIFF8."""

    encoding: str = ""
    palette: list[int] = field(default_factory=lambda: list(_PALETTE))
    _formats: dict[int, str] = field(default_factory=dict[int, str])
    _fonts: list[tuple[int, int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int, int]])
    _cells: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])
    """Format, font, pattern and its colour."""

    def add_palette(self, record: Record) -> None:
        """A record PALETTE: red, green, blue and nothing."""
        for index, (red, green, blue) in enumerate(struct.iter_unpack("<BBBx", record.data[2 : 2 + 4 * 56])):
            self.palette[index] = red << 16 | green << 8 | blue

    def add_format(self, record: Record) -> None:
        """A record FORMAT."""
        strings = Strings.of(record, 2, self.encoding)
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

    def fonts(self) -> list[str]:
        """The properties of the fonts, by the numbers that cells and runs give them."""
        return [self._font(*font) for font in self._fonts]

    def _font(self, height: int, flags: int, colour: int, weight: int, script: int) -> str:
        names = (("b", weight >= _BOLD), ("i", flags & 0x2), ("strike", flags & 0x8))
        pieces = [f"<{name}/>" for name, given in names if given]
        if script in _SCRIPTS:
            pieces.append(f'<vertAlign val="{_SCRIPTS[script]}"/>')
        return "".join([*pieces, f'<sz val="{height / _TWIPS:g}"/>', self._colour("color", colour)])

    def _colour(self, name: str, number: int) -> str:
        """A colour element; none for what the window chooses."""
        if number < _FIRST_OF_PALETTE:
            value = _PALETTE[number]
        elif number - _FIRST_OF_PALETTE < len(self.palette):
            value = self.palette[number - _FIRST_OF_PALETTE]
        else:
            return ""
        return f'<{name} rgb="FF{value:06X}"/>'

    def done(self) -> bytes:
        """The styles part."""
        fills = {"": 0, " ": 1}  # none and grey, which have fixed places
        cells: list[tuple[int, int, int]] = []
        for format_, font, pattern, colour in self._cells:
            fill = 0
            if pattern:
                kind = "solid" if pattern == _SOLID else "gray125"
                told = f'<patternFill patternType="{kind}">{self._colour("fgColor", colour)}</patternFill>'
                fill = fills.setdefault(told, len(fills))
            cells.append((format_, font, fill))
        return markup.styles(self._formats, self.fonts(), list(fills), cells)
