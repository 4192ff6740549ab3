"""Run properties as a bit mask of what matters to a reader (ECMA-376 part 1 §17.3.2), and masks as spans."""

import re
from collections.abc import Callable

from sidecar.api.model import Span, SpanKind
from sidecar.toolkit.ooxml.hidden_text import MIN_POINTS, WHITE, HiddenKind, hex_colour, similar_colours
from sidecar.toolkit.word.conventions import FARTHEST_RAISED
from sidecar.toolkit.xml import XmlElement
from sidecar_docx.qualified_names import VAL, W14, W, decimal_attribute, is_on

BOLD, ITALIC, UNDERLINE, _STRIKE, SUB, _SUP, HIDDEN = 1, 2, 4, 8, 16, 32, 64
TINY, UNSEEN, AWAY = 128, 256, 512
"""Smaller than 2 pt; without ink; off the page."""
_COMPLEX, _TINY_COMPLEX, _HEAPED, _OUTLINED = 1024, 2048, 4096, 8192
"""Set in the size of complex scripts (§17.3.2.7); that size is smaller than 2 pt; letters lie upon one another; letters
are seen by what is drawn around them."""
_COLOUR_AT, _FILL_AT = 16, 48
_COLOUR, _FILL = (2**25 - 1) << _COLOUR_AT, (2**26 - 1) << _FILL_AT
"""Where a mask holds the text's own colour and its own background, each plus one, 0 for none."""
INVISIBLE = HIDDEN | TINY | UNSEEN | AWAY | _COMPLEX | _TINY_COMPLEX | _HEAPED | _OUTLINED | _COLOUR | _FILL
"""All that may hide text; what a paragraph's style says of it holds for its runs."""
EVERY = INVISIBLE | (HIDDEN - 1)
UNKNOWN = 2**25
"""A background that is not of one colour, or of one that cannot be told."""
PAGE = WHITE + 1

_BITS = {
    f"{W}b": BOLD, f"{W}i": ITALIC, f"{W}strike": _STRIKE, f"{W}dstrike": _STRIKE, f"{W}vanish": HIDDEN,
    f"{W}u": UNDERLINE, f"{W}vertAlign": SUB | _SUP,
}  # fmt: skip
_SUB_SUP = SUB | _SUP
_HIGHLIGHTS = {
    "black": 0, "white": WHITE, "yellow": 0xFFFF00, "green": 0x00FF00, "cyan": 0x00FFFF, "magenta": 0xFF00FF,
    "blue": 0x0000FF, "red": 0xFF0000, "darkBlue": 0x00008B, "darkCyan": 0x008B8B, "darkGreen": 0x006400,
    "darkMagenta": 0x800080, "darkRed": 0x8B0000, "darkYellow": 0x808000, "darkGray": 0xA9A9A9, "lightGray": 0xD3D3D3,
}  # fmt: skip
_NARROWEST = 5
"""Per cent of their width below which letters are strokes (§17.3.2.43); Word's dialog goes down to 1."""
_CLOSEST = -200
"""Twentieths of a point by which letters are moved together until they are one blot (§17.3.2.35)."""
_FITTED = 40
"""Twentieths of a point in which no word fits."""
_BYTE = re.compile("[0-9A-Fa-f]{2}")
_CLEAR = 95_000
_KINDS: tuple[tuple[int, SpanKind], ...] = (
    (BOLD, "bold"), (ITALIC, "italic"), (UNDERLINE, "underline"), (_STRIKE, "strike"), (SUB, "sub"), (_SUP, "sup"),
    (HIDDEN, "hidden"),
)  # fmt: skip


def mask_of(properties: XmlElement, inherited: int = 0) -> int:
    """The mask of an `w:rPr` over what is inherited."""
    mask = inherited
    for child in properties:
        tag = child.tag
        bit = _BITS.get(tag)
        if bit is None:
            read = _INK.get(tag)
            if read is not None:
                mask = read(child, mask)
            continue
        value = child.get(VAL)
        if bit == _SUB_SUP:
            mask = mask & ~_SUB_SUP | (_SUP if value == "superscript" else SUB if value == "subscript" else 0)
        elif is_on(value):
            mask |= bit
        else:
            mask &= ~bit
    return mask


def inherited_mask(inherited: int, own: int) -> int:
    """The mask of a style over what is inherited; a colour or shading of its own takes the place of another."""
    for field in (_COLOUR, _FILL):
        if own & field:
            inherited &= ~field
    return inherited | own


def shading(node: XmlElement) -> int:
    """The background a `w:shd` paints (§17.3.5), as `background` gives one; 0 for none."""
    pattern, fill = node.get(VAL, "clear"), node.get(f"{W}fill", "auto")
    if pattern == "solid":
        return background(hex_colour(node.get(f"{W}color")) or 0)
    if pattern not in ("clear", "nil"):
        return UNKNOWN
    colour = hex_colour(fill)
    if colour is None:
        return UNKNOWN if node.get(f"{W}themeFill") else 0
    return background(colour)


def background(colour: int) -> int:
    """A background of that colour as masks hold one."""
    return colour + 1


def hidden_by(mask: int, behind: int) -> HiddenKind | None:
    """Why a reader does not see text with that mask; None when it is seen. `behind` is what its paragraph stands on."""
    if not mask & INVISIBLE:
        return None
    if mask & HIDDEN:
        return "formatting"
    if mask & (_TINY_COMPLEX if mask & _COMPLEX else TINY) or mask & _HEAPED:
        return "size"
    if mask & AWAY:
        return "place"
    if mask & _OUTLINED:
        return None
    if mask & UNSEEN:
        return "colour"
    colour, fill = (mask & _COLOUR) >> _COLOUR_AT, (mask & _FILL) >> _FILL_AT
    behind = fill or behind
    return "colour" if colour and behind != UNKNOWN and similar_colours(colour - 1, behind - 1) else None


def _read_colour(node: XmlElement, mask: int) -> int:
    """§17.3.2.6: a theme colour goes before the value written for programs that know none."""
    colour = hex_colour(node.get(VAL))
    if node.get(f"{W}themeColor") in ("background1", "light1"):
        colour = _byte(node.get(f"{W}themeShade")) * 0x010101
    return _coloured(mask, colour)


def _byte(value: str | None) -> int:
    """Two hexadecimal digits; 255 for what is none."""
    return int(value, 16) if value is not None and _BYTE.fullmatch(value) else 0xFF


def _coloured(mask: int, colour: int | None) -> int:
    mask &= ~_COLOUR
    return mask if colour is None else mask | (colour + 1) << _COLOUR_AT


def _read_shading(node: XmlElement, mask: int) -> int:
    return mask & ~_FILL | shading(node) << _FILL_AT


def _read_highlight(node: XmlElement, mask: int) -> int:
    value = node.get(VAL, "none")
    colour = _HIGHLIGHTS.get(value)
    fill = background(colour) if colour is not None else 0 if value == "none" else UNKNOWN
    return mask & ~_FILL | fill << _FILL_AT


def _read_size(node: XmlElement, mask: int) -> int:
    bit = TINY if node.tag == f"{W}sz" else _TINY_COMPLEX
    return mask | bit if decimal_attribute(node.get(VAL), 24) < MIN_POINTS * 2 else mask & ~bit


def _read_script(node: XmlElement, mask: int) -> int:
    return mask | _COMPLEX if is_on(node.get(VAL)) else mask & ~_COMPLEX


def _read_spacing(node: XmlElement, mask: int) -> int:
    return mask | _HEAPED if decimal_attribute(node.get(VAL)) <= _CLOSEST else mask & ~_HEAPED


def _read_position(node: XmlElement, mask: int) -> int:
    away = decimal_attribute((node.get(VAL) or "").lstrip("-")) >= FARTHEST_RAISED
    return mask | AWAY if away else mask


def _read_fit(node: XmlElement, mask: int) -> int:
    """§17.3.2.14."""
    return mask | _HEAPED if decimal_attribute(node.get(VAL), _FITTED) < _FITTED else mask


def _read_outline(node: XmlElement, mask: int) -> int:
    return mask | _OUTLINED if node.find(f"{W14}solidFill") is not None else mask


def _read_relief(node: XmlElement, mask: int) -> int:
    """§17.3.2.13, §17.3.2.18: edges in light and shade show what has the colour of the page."""
    return mask | _OUTLINED if is_on(node.get(VAL)) else mask & ~_OUTLINED


def _read_scale(node: XmlElement, mask: int) -> int:
    return mask | UNSEEN if decimal_attribute((node.get(VAL) or "").rstrip("%"), 100) < _NARROWEST else mask & ~UNSEEN


def _read_text_fill(node: XmlElement, mask: int) -> int:
    """[MS-DOCX] 2.2: here `alpha` says how much is seen through, in thousandths of a per cent."""
    clear = any(
        decimal_attribute(alpha.get(f"{W14}val")) >= _CLEAR for alpha in node.iterfind(f"{W14}solidFill/*/{W14}alpha")
    )
    plain = node.find(f"{W14}solidFill/{W14}srgbClr")
    if plain is not None:
        mask = _coloured(mask, hex_colour(plain.get(f"{W14}val")))
    return mask | UNSEEN if clear or node.find(f"{W14}noFill") is not None else mask & ~UNSEEN


_INK: dict[str, Callable[[XmlElement, int], int]] = {
    f"{W}color": _read_colour, f"{W}shd": _read_shading, f"{W}highlight": _read_highlight, f"{W}sz": _read_size,
    f"{W}szCs": _read_size, f"{W}cs": _read_script, f"{W}rtl": _read_script, f"{W}spacing": _read_spacing,
    f"{W}w": _read_scale, f"{W}position": _read_position, f"{W}fitText": _read_fit, f"{W14}textFill": _read_text_fill,
    f"{W14}textOutline": _read_outline, f"{W}emboss": _read_relief, f"{W}imprint": _read_relief,
}  # fmt: skip
"""What decides whether text can be seen."""


def mask_spans(runs: list[tuple[int, int, int]]) -> list[Span]:
    """Spans of `(start, end, mask)` runs in order; neighbours with the same properties become one."""
    spans: list[Span] = []
    seen = 0
    for _, _, mask in runs:
        seen |= mask
    for bit, kind in _KINDS:
        if not seen & bit:
            continue
        begin = last = -1
        for start, end, mask in runs:
            if not mask & bit:
                continue
            if start != last:
                if begin >= 0:
                    spans.append(Span(kind, begin, last))
                begin = start
            last = end
        spans.append(Span(kind, begin, last))
    return spans
