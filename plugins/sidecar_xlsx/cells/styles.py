"""Cell styles: which number format every style index of a workbook stands for, and which styles hide what cells say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sidecar.toolkit.ooxml.hidden_text import LEAST_POINTS, WHITE, HiddenKind, hex_colour, near
from sidecar.toolkit.ooxml.namespaces import parse_part
from sidecar.toolkit.xml import XmlElement
from sidecar_xlsx.number_formats.formats import BUILTIN, GENERAL, NumberFormat, compile_format

_BUILTIN = {str(number): code for number, code in BUILTIN.items()}
_INVISIBLE_FORMAT = ";;;"
"""Four empty sections: numbers and strings show nothing (§18.8.31)."""
_PALETTE = (0x000000, WHITE, 0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00, 0xFF00FF, 0x00FFFF)
"""Indexed colours 0 to 7, and again 8 to 15 (§18.8.27)."""
_WINDOW = {"64": 0x000000, "65": WHITE}
_TONES = {"0": WHITE, "1": 0x000000}
"""The two theme colours every theme sets alike: `lt1` and `dk1`."""


@dataclass(frozen=True)
class CellStyles:
    """The styles of a workbook by their index in `cellXfs` (§18.8.10)."""

    formats: tuple[NumberFormat, ...] = ()
    hidden: Mapping[int, HiddenKind] = field(default_factory=dict[int, HiddenKind])
    """Why cells of a style are not seen, for those styles."""
    white: frozenset[int] = frozenset()
    """Styles whose cells have a white background, or none."""


def read_styles(data: bytes, what: str, epoch: str = "") -> CellStyles:
    """The cell styles in a styles part; `epoch` is "1904" where the workbook counts its days from there. Raises
    DamagedError when the part is not XML."""
    root = parse_part(data, what)
    codes = {
        entry.get("numFmtId", ""): entry.get("formatCode")
        for entry in _entries(root, "numFmts")
        if entry.get("formatCode")
    }
    fonts = {str(index): _font(node) for index, node in enumerate(_entries(root, "fonts"))}
    # Excel shows the first two fills as none and grey, whatever they say.
    fills = {str(index): _fill(node) for index, node in enumerate(_entries(root, "fills"))} | {"0": WHITE, "1": None}
    compiled: dict[str, NumberFormat] = {}
    formats: list[NumberFormat] = []
    hidden: dict[int, HiddenKind] = {}
    white: list[int] = []
    for index, style in enumerate(_entries(root, "cellXfs")):
        number = style.get("numFmtId", "0")
        if number not in compiled:
            code = codes[number] if number in codes else _BUILTIN.get(number, "")
            compiled[number] = compile_format(code, date1904=epoch == "1904") if code else GENERAL
        formats.append(compiled[number])
        colour, tiny = fonts.get(style.get("fontId", "0"), (None, False))
        behind = fills.get(style.get("fillId", "0"), WHITE)
        if behind is not None and near(behind, WHITE):
            white.append(index)
        if codes.get(number) == _INVISIBLE_FORMAT:
            hidden[index] = "formatting"
        elif tiny:
            hidden[index] = "size"
        elif colour is not None and behind is not None and near(colour, behind):
            hidden[index] = "colour"
    return CellStyles(tuple(formats), hidden, frozenset(white))


def colour_of(node: XmlElement | None) -> int | None:
    """A `color` element (§18.8.19) as 0xRRGGBB; None for automatic ones and those only the theme tells."""
    if node is None:
        return None
    indexed, theme = node.get("indexed", ""), node.get("theme")
    if theme is not None:
        return _tinted(_TONES[theme], node.get("tint", "0")) if theme in _TONES else None
    if indexed.isdecimal() and int(indexed[:3]) < 16:
        return _PALETTE[int(indexed[:3]) % 8]
    return _WINDOW.get(indexed) if indexed else hex_colour(node.get("rgb"))


def is_tiny(node: XmlElement | None) -> bool:
    """Whether a `sz` element (§18.4.11) gives a size that is not meant to be read."""
    try:
        return node is not None and float(node.get("val", "11")) < LEAST_POINTS
    except ValueError:
        return False


def _tinted(colour: int, tint: str) -> int | None:
    """White or black with its luminance moved by a tint from -1 to 1 (§18.8.19)."""
    try:
        moved = float(tint)
    except ValueError:
        return None
    grey = 255 * (1 + min(moved, 0)) if colour else 255 * max(moved, 0)
    return min(max(round(grey), 0), 255) * 0x010101


def _font(node: XmlElement) -> tuple[int | None, bool]:
    """The colour of a font (§18.8.22), and whether it is too small to be read."""
    told = {child.tag.rpartition("}")[2]: child for child in node if isinstance(child.tag, str)}
    return colour_of(told.get("color")), is_tiny(told.get("sz"))


def _fill(node: XmlElement) -> int | None:
    """The colour of a fill (§18.8.20), white for none; None for patterns, gradients and colours of the theme."""
    pattern = node.find("{*}patternFill")
    kind = pattern.get("patternType", "none") if pattern is not None else "gradient"
    if kind == "none":
        return WHITE
    return colour_of(pattern.find("{*}fgColor")) if kind == "solid" and pattern is not None else None


def _entries(root: XmlElement, name: str) -> list[XmlElement]:
    return [entry for node in root.iterchildren(f"{{*}}{name}") for entry in node.iterchildren("{*}*")]
