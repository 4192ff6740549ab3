"""Cell styles: which number format every style index of a workbook stands for, and which styles hide what cells say."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple, TypeVar

from sidecar.toolkit.ooxml.hidden_text import MIN_POINTS, WHITE, HiddenKind, drawn_colour, hex_colour, similar_colours
from sidecar.toolkit.ooxml.namespaces import parse_part
from sidecar.toolkit.xml import XmlElement, children_by_name, unsigned
from sidecar_xlsx.number_formats.formats import BUILTIN, GENERAL, NumberFormat, compile_format

_T = TypeVar("_T")
_BUILTIN = {str(number): code for number, code in BUILTIN.items()}
_INVISIBLE_FORMAT = ";;;"
"""Four empty sections: numbers and strings show nothing (§18.8.31)."""
_SECTIONS = 4
"""Sections of a format that has one for strings."""
_BLANKS = re.compile(r'["\s]|[*_].')
_WHITE_INK = re.compile(r"\[(?:white|color ?2)\]", re.IGNORECASE)
PALETTE: Final = tuple(
    int(colour, 16)
    for colour in """
    000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 800000 008000 000080 808000 800080 008080 C0C0C0 808080
    9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF
    00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696
    003366 339966 003300 333300 993300 993366 333399 333333
    """.split()  # noqa: SIM905  # read as a table
)
"""Indexed colours 8 to 63 where the workbook has none of its own (§18.8.27; [MS-XLS] 2.5.161 Icv); 0 to 7 are the first
eight, always."""
FIXED: Final = 8
_COLOURS = ("{*}fgColor", "{*}bgColor", "{*}color")
_WINDOW = {"64": 0x000000, "65": WHITE}
_SCHEME = ("lt1", "dk1", "lt2", "dk2", *(f"accent{number}" for number in range(1, 7)), "hlink", "folHlink")
"""The colours of a theme as cells count them: light before dark, other than the theme lists them."""
_TONES = (WHITE, 0x000000)
"""The two theme colours every theme sets alike: `lt1` and `dk1`."""


@dataclass(frozen=True)
class Colours:
    """What colours of a workbook stand for: its theme's, as cells count them, and its palette's from 8 on."""

    theme: Sequence[int | None] = _TONES
    palette: Sequence[int | None] = PALETTE

    def of(self, node: XmlElement | None) -> int | None:
        """A `color` element (§18.8.19) as 0xRRGGBB; None for automatic ones and those that are not told."""
        if node is None:
            return None
        indexed, theme = node.get("indexed", ""), node.get("theme")
        if theme is not None:
            number = unsigned(theme, len(self.theme))
            known = self.theme[number] if number < len(self.theme) else None
            return tinted(known, node.get("tint", "0")) if known is not None else None
        number = unsigned(indexed, FIXED + len(self.palette))
        if number < FIXED + len(self.palette):
            return PALETTE[number] if number < FIXED else self.palette[number - FIXED]
        return _WINDOW.get(indexed) if indexed else hex_colour(node.get("rgb"))


@dataclass(frozen=True)
class CellStyles:
    """The styles of a workbook by their index in `cellXfs` (§18.8.10)."""

    formats: tuple[NumberFormat, ...] = ()
    hidden: Mapping[int, HiddenKind] = field(default_factory=dict[int, HiddenKind])
    """Why cells of a style are not seen, for those styles."""
    hides_strings: frozenset[int] = frozenset()
    """Styles whose number format does not show strings."""
    appearances: tuple[CellAppearance, ...] = ()
    """Ink and background by style."""
    differential: tuple[CellAppearance, ...] = ()
    """Those of the looks that conditions and tables give (§18.8.15), by their index."""
    tables: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    """Which of them a workbook's own table styles give: name → place in the table → index (§18.8.41)."""

    @cached_property
    def numbered(self) -> dict[str, CellAppearance]:
        """The looks by the number of their style."""
        return by_number(dict(enumerate(self.appearances)))


def by_number(found: Mapping[int, _T]) -> dict[str, _T]:
    """What is known of styles by their number as written in `s`, which is 0 where it is absent (§18.3.1.4)."""
    named = {str(index): value for index, value in found.items()}
    return {**named, "": named["0"]} if "0" in named else named


class CellAppearance(NamedTuple):
    """How cells are painted, 0xRRGGBB; None is not told, for the ink automatic."""

    ink: int | None = None
    behind: int | None = None
    hides_value: bool = False
    """Nothing is shown at all."""


def read_theme(data: bytes, what: str, how: str = "") -> str:
    """The colours of a theme part as `read_styles` takes them. Raises DamagedError when the part is not XML."""
    scheme = next(parse_part(data, what).iter("{*}clrScheme"), None)
    found: dict[str, int | None] = {}
    for node in scheme if scheme is not None else ():
        if isinstance(node.tag, str) and len(node):
            found[node.tag.rpartition("}")[2]] = drawn_colour(node[0], {})
    colours = [found.get(name) for name in _SCHEME] if found else _TONES
    return ",".join("" if colour is None else f"{colour:06X}" for colour in colours)


def read_styles(data: bytes, what: str, how: str = "") -> CellStyles:
    """The cell styles in a styles part; `how` is what `read_theme` gives, "" where there is no theme, and behind a "/"
    "1904" where the workbook counts its days from there. Raises DamagedError when the part is not XML."""
    root = parse_part(data, what)
    theme, _, epoch = how.partition("/")
    own = [hex_colour(node.get("rgb")) for node in root.iterfind("{*}colors/{*}indexedColors/{*}rgbColor")]
    colours = Colours(
        tuple(map(hex_colour, theme.split(","))) if theme else _TONES, own[FIXED:] if len(own) > FIXED else PALETTE
    )
    codes = {
        entry.get("numFmtId", ""): entry.get("formatCode")
        for entry in _entries(root, "numFmts")
        if entry.get("formatCode")
    }
    fonts = {str(index): _font(node, colours) for index, node in enumerate(_entries(root, "fonts"))}
    # Excel shows the first two fills as none and grey, whatever they say.
    fills = {str(index): _fill(node, colours) for index, node in enumerate(_entries(root, "fills"))}
    fills |= {"0": WHITE, "1": None}
    compiled: dict[str, _Code] = {}
    formats: list[NumberFormat] = []
    hidden: dict[int, HiddenKind] = {}
    appearances: list[CellAppearance] = []
    hides_strings: list[int] = []
    for index, style in enumerate(_entries(root, "cellXfs")):
        number = style.get("numFmtId", "0")
        shown = compiled.get(number)
        if shown is None:
            shown = compiled[number] = _code(number, codes, date1904=epoch == "1904")
        formats.append(shown.format)
        colour, tiny = fonts.get(style.get("fontId", "0"), (None, False))
        behind = fills.get(style.get("fillId", "0"), WHITE)
        appearances.append(CellAppearance(colour, behind))
        on_white = behind is not None and similar_colours(behind, WHITE)
        if shown.hides_strings or (on_white and shown.white_words):
            hides_strings.append(index)
        if on_white and shown.white:
            colour = WHITE
        if shown.nothing:
            hidden[index] = "formatting"
        elif tiny:
            hidden[index] = "size"
        elif colour is not None and behind is not None and similar_colours(colour, behind):
            hidden[index] = "colour"
    return CellStyles(
        tuple(formats), hidden, frozenset(hides_strings), tuple(appearances),
        tuple(_differential(node, colours) for node in _entries(root, "dxfs")),
        {node.get("name", ""): _table_style(node) for node in _entries(root, "tableStyles")},
    )  # fmt: skip


class _Code(NamedTuple):
    """What a number format does with the cells of all styles that have it."""

    format: NumberFormat
    hides_strings: bool
    white: bool
    """Whatever is in a cell is written in white."""
    white_words: bool
    """Strings are."""
    nothing: bool


def _code(number: str, codes: Mapping[str, str], *, date1904: bool) -> _Code:
    """The format of a number (§18.8.30), by the workbook's own `codes` before the built-in ones."""
    own = codes.get(number, "")
    code = own or _BUILTIN.get(number, "")
    form = compile_format(code, date1904=date1904) if code else GENERAL
    sections = own.split(";")
    words = len(sections) == _SECTIONS and _WHITE_INK.search(sections[-1]) is not None
    return _Code(form, form.hides_strings, all(map(_WHITE_INK.search, sections)), words, _shows_nothing(own))


def _shows_nothing(code: str) -> bool:
    return _BLANKS.sub("", code) == _INVISIBLE_FORMAT


def _differential(node: XmlElement, colours: Colours) -> CellAppearance:
    """What a `dxf` changes; a solid fill is told by its background there."""
    fill = node.find("{*}fill")
    painted = [colours.of(ink) for ink in fill.iter(*_COLOURS)] if fill is not None else []
    number = node.find("{*}numFmt")
    nothing = number is not None and _shows_nothing(number.get("formatCode", ""))
    return CellAppearance(colours.of(node.find("{*}font/{*}color")), painted[-1] if painted else None, nothing)


def _table_style(node: XmlElement) -> dict[str, int]:
    indices = {one.get("type", ""): one.get("dxfId", "") for one in node.iterchildren("{*}tableStyleElement")}
    return {place: int(index) for place, index in indices.items() if index.isdecimal() and len(index) < 6}


def is_tiny(node: XmlElement | None) -> bool:
    """Whether a `sz` element (§18.4.11) gives a size that is not meant to be read."""
    try:
        return node is not None and float(node.get("val", "11")) < MIN_POINTS
    except ValueError:
        return False


def tinted(colour: int, tint: str) -> int | None:
    """A colour with its luminance moved by a tint from -1 to 1 (§18.8.19)."""
    try:
        moved = min(max(float(tint), -1.0), 1.0)
    except ValueError:
        return None
    hue, light, saturation = colorsys.rgb_to_hls(*((colour >> shift & 255) / 255 for shift in (16, 8, 0)))
    light = light * (1 + moved) if moved < 0 else light * (1 - moved) + moved
    red, green, blue = (round(part * 255) for part in colorsys.hls_to_rgb(hue, light, saturation))
    return red << 16 | green << 8 | blue


def _font(node: XmlElement, colours: Colours) -> tuple[int | None, bool]:
    """The colour of a font (§18.8.22), and whether it is too small to be read."""
    by_name = children_by_name(node)
    return colours.of(by_name.get("color")), is_tiny(by_name.get("sz"))


def _fill(node: XmlElement, colours: Colours) -> int | None:
    """The colour of a fill (§18.8.20), white for none; None for patterns and gradients of several."""
    pattern = node.find("{*}patternFill")
    kind = pattern.get("patternType", "none") if pattern is not None else "gradient"
    if kind == "none":
        return WHITE
    inks = [pattern.find("{*}fgColor")] if kind == "solid" and pattern is not None else list(node.iter(*_COLOURS))
    found = [colours.of(ink) for ink in inks]
    first = found[0] if found else None
    return (
        first if first is not None and all(one is not None and similar_colours(first, one) for one in found) else None
    )


def _entries(root: XmlElement, name: str) -> list[XmlElement]:
    return [entry for node in root.iterchildren(f"{{*}}{name}") for entry in node.iterchildren("{*}*")]
