"""Paragraph properties (ECMA-376 part 1 §17.3.1) a reader notices: style, list, outline level, background, and what
hides the paragraph."""

from dataclasses import dataclass

from sidecar.toolkit.ooxml.hidden_text import MIN_POINTS
from sidecar.toolkit.xml import XmlElement, child_of
from sidecar_docx.qualified_names import RPR, SHD, VAL, W, decimal_attribute
from sidecar_docx.styles.run_properties import AWAY, TINY, shading

_PSTYLE, _NUM_PR, _OUTLINE = f"{W}pStyle", f"{W}numPr", f"{W}outlineLvl"
_NUM_ID, _ILVL, _SPACING = f"{W}numId", f"{W}ilvl", f"{W}spacing"
_FRAME, _DROP_CAP, _INDENT = f"{W}framePr", f"{W}dropCap", f"{W}ind"
_LEFT, _START = f"{W}left", f"{W}start"
_FONTS, _ASCII = f"{W}rFonts", f"{W}ascii"
_PLACES = {_FRAME: ("x", "y"), _INDENT: ("left", "start", "firstLine")}
"""Where a frame (§17.3.1.11) or an indent (§17.3.1.12) puts a paragraph, in twentieths of a point."""
_HEIGHTS = {_SPACING: (f"{W}lineRule", f"{W}line"), _FRAME: (f"{W}hRule", f"{W}h")}
"""Attributes that tell how high lines (§17.3.1.33) or a frame are, and whether exactly so."""
_LEFTMOST, _RIGHTMOST = -8_000, 31_680
"""Places beyond these are off every page: five and a half inches to the left, and 22 inches, the widest Word makes."""


@dataclass(frozen=True)
class ParagraphProperties:
    """What a `w:pPr` says of its paragraph itself (§17.3.1.26); None where it says nothing. `fill` is its background as
    `shading` gives one, `unseen` the bits of run properties by which its place or lines hide what it says, `font`
    that of its mark, which Word gives it with all its words, `initial` that it is the first letter of the next
    (a drop cap, §17.3.1.11), `indent` how far in it stands, in twentieths of a point."""

    style: str | None = None
    num: str | None = None
    num_level: int | None = None
    outline: int | None = None
    fill: int = 0
    unseen: int = 0
    font: str = ""
    initial: bool = False
    indent: int | None = None


def paragraph_properties(node: XmlElement) -> ParagraphProperties:
    """What a `w:pPr` says, but for the section that may end there."""
    style, num, num_level, outline, fill, unseen, font, initial = None, None, None, None, 0, 0, "", False
    indent = None
    for child in node:
        tag = child.tag
        if tag == _PSTYLE:
            style = child.get(VAL)
        elif tag == _NUM_PR:
            num, num_level = _numbering(child)
        elif tag == _OUTLINE:
            outline = decimal_attribute(child.get(VAL), 9)
        elif tag == SHD:
            fill = shading(child)
        elif tag == _SPACING:
            unseen |= _tiny(child)
        elif tag == RPR:
            fonts = child_of(child, _FONTS)
            font = fonts.get(_ASCII, "") if fonts is not None else ""
        elif tag in _PLACES:
            unseen |= _away(child) or (_tiny(child) if tag == _FRAME else 0)
            initial = initial or child.get(_DROP_CAP) in ("drop", "margin")
            indent = left_indent(child) if tag == _INDENT else indent
    return ParagraphProperties(style, num, num_level, outline, fill, unseen, font, initial, indent)


def left_indent(node: XmlElement | None) -> int | None:
    """How far in a `w:ind` puts a paragraph, in twentieths of a point; None where it does not say."""
    written = None if node is None else node.get(_LEFT) or node.get(_START)
    return None if written is None else decimal_attribute(written)


def _numbering(node: XmlElement) -> tuple[str | None, int | None]:
    """The list and the level in it that a `w:numPr` names (§17.3.1.19)."""
    num, level = None, None
    for child in node:
        if child.tag == _NUM_ID:
            num = child.get(VAL, "0")
        elif child.tag == _ILVL:
            level = decimal_attribute(child.get(VAL))
    return num, level


def _tiny(node: XmlElement) -> int:
    """`TINY` where lines or a frame have exactly a height that nobody reads, in twentieths of a point."""
    rule, height = _HEIGHTS[node.tag]
    return TINY if node.get(rule) == "exact" and decimal_attribute(node.get(height), 240) < MIN_POINTS * 20 else 0


def _away(node: XmlElement) -> int:
    """`AWAY` where a paragraph or frame stands outside of the page."""
    sides = (decimal_attribute(node.get(W + side)) for side in _PLACES[node.tag])
    return AWAY if any(not _LEFTMOST < side < _RIGHTMOST for side in sides) else 0
