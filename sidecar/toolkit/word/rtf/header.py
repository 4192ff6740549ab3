"""What the head of an RTF file declares: fonts with their code pages, colours, styles (RTF 1.9.1, "Header")."""

import re
from dataclasses import dataclass, field

from sidecar.toolkit.text import code_page
from sidecar.toolkit.word.rtf.lists import Lists
from sidecar.toolkit.word.symbols import CHARSETS, symbol

TABLES = frozenset(["fonttbl", "colortbl", "stylesheet", "revtbl"])
"""Destinations that declare."""

_SYMBOLS = 2
_BY_NAME = {
    "ce": "cp1250", "cyr": "cp1251", "greek": "cp1253", "tur": "cp1254", "(hebrew)": "cp1255", "(arabic)": "cp1256",
    "baltic": "cp1257", "(vietnamese)": "cp1258",
}  # fmt: skip
"""The last word of a font's name says its character set where nothing else does: Windows names them so ("Arial CE")."""
_SIGNS = ("symbol", "wingdings")
"""Fonts whose signs are known."""
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)


@dataclass
class Style:
    """A paragraph style; `outline` is a heading's level from 1, 0 for text."""

    name: str = ""
    outline: int = 0
    parent: int = -1


@dataclass
class Header:
    """The tables of one file, filled while it is read."""

    codec: str = "cp1252"
    """Of text in no font, or in one that names none."""
    fonts: dict[int, str] = field(default_factory=dict[int, str])
    """Font number → codec."""
    symbol_fonts: dict[int, str] = field(default_factory=dict[int, str])
    """Font number → its name, of fonts whose characters are signs."""
    colours: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    styles: dict[int, Style] = field(default_factory=dict[int, Style])
    lists: Lists = field(default_factory=Lists)
    authors: list[str] = field(default_factory=list[str])
    """Who made tracked changes, by number."""

    _entry: dict[str, int] = field(default_factory=dict[str, int])
    """Of the font, colour or style being declared: its words and their numbers."""
    _name: str = ""

    def begin(self) -> None:
        """A table begins."""
        self._entry, self._name = {}, ""

    def word(self, word: str, number: int) -> None:
        """A control word of the entry being declared."""
        self._entry[word] = number
        if word == "fcharset":
            self.set_charset(self._entry.get("f", 0), number)
        elif word == "cpg" and number:
            self.fonts[self._entry.get("f", 0)] = code_page(number)

    def text(self, table: str, text: str) -> None:
        """Text in a table: a name (of a colour an empty one), which ends with a semicolon."""
        *names, self._name = (self._name + text).split(";")
        for name in names:
            entry = self._entry
            if table == "colortbl":
                self.colours.append((entry.get("red", 0), entry.get("green", 0), entry.get("blue", 0)))
            elif table == "revtbl":
                self.authors.append(name.strip())
            elif table == "stylesheet":
                outline = entry.get("outlinelevel", -1) + 1
                style = Style(name.strip(), outline if outline < 10 else 0, entry.get("sbasedon", -1))
                self.styles[entry.get("s", 0)] = style
            if table != "fonttbl":
                self._entry = {}
            else:
                self._name_font(entry.get("f", 0), name.strip())

    def _name_font(self, font: int, name: str) -> None:
        if font in self.symbol_fonts:
            self.symbol_fonts[font] = name
        named = _BY_NAME.get(name.rpartition(" ")[2].lower(), "")
        if named and " " in name:
            self.fonts.setdefault(font, named)

    def codec_of(self, font: int) -> str:
        """The codec of text in a font."""
        return self.fonts.get(font, self.codec)

    def to_unicode(self, text: str, font: int) -> str:
        """Text as a font shows it: signs where it is one of these."""
        name = self.symbol_fonts.get(font, "")
        if not name.lower().startswith(_SIGNS):
            return text
        return "".join(char if char.isspace() else symbol(ord(char), name) for char in text)

    def set_charset(self, font: int, charset: int) -> None:
        """Note the `fcharset` of a font."""
        if charset == _SYMBOLS:
            self.symbol_fonts[font] = ""
        elif charset in CHARSETS:
            self.fonts[font] = CHARSETS[charset]

    def style(self, number: int) -> Style:
        """A style with what it has from its parents."""
        own = self.styles.get(number, Style())
        above, outline = own, own.outline
        for _ in range(20):  # a parent may name its child
            if outline or above.parent not in self.styles or above.parent == number:
                break
            above = self.styles[above.parent]
            outline = above.outline
        named = _HEADING.fullmatch(own.name)
        return Style(own.name, int(named[1]) if named else outline)
