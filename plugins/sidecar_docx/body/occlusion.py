"""Which text lies behind a picture or filled shape that floats in front of it (ECMA-376 part 1 §20.4.2.3), as far as
the places are written: pictures and text boxes of one paragraph, and the paragraph's own words."""

from typing import NamedTuple

from sidecar.api import Box
from sidecar.toolkit.ooxml.hidden_text import is_panel, is_solid_part
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.xml import XmlElement, child_of
from sidecar_docx.body.context import StoryState
from sidecar_docx.qualified_names import PIC, R_EMBED, WP, WPS, W, decimal_attribute

_EMU = 12_700
"""English Metric Units of a point."""
_LINE, _LETTER = 15.0, 5.0
"""Points of a line's height and a letter's width in type of 11 pt."""
_WIDEST = 470.0
"""Points of a line of text on a usual page."""
_WRITTEN: Box = (72.0, 72.0, 540.0, 720.0)
"""Where text stands on a usual page, in points."""
_ALL = 1_000_000
_EDGE = 5.0
"""Points by which text may stand out from below a picture."""


class _Floating(NamedTuple):
    """A floating drawing: its box in points, from what it is measured, and its place in the stack."""

    box: Box
    frames: tuple[str, str]
    order: int
    front: bool


def is_behind_a_picture(story: StoryState, drawing: XmlElement) -> bool:
    """Whether a drawing stands wholly behind a picture of the same paragraph."""
    own = _floating(child_of(drawing, f"{WP}anchor"))
    paragraph = next(drawing.iterancestors(f"{W}p"), None) if own is not None else None
    if own is None or paragraph is None:
        return False
    for anchor in paragraph.iter(f"{WP}anchor"):
        other = _floating(anchor)
        if (
            other is not None
            and other.front
            and other.frames == own.frames
            and other.order > own.order
            and _holds(other.box, own.box)
            and _is_opaque_picture(story, anchor)
        ):
            return True
    return False


def occluded_characters(story: StoryState, drawing: XmlElement) -> int:
    """About how many characters of the paragraph it is anchored in a picture covers, from the first on; 0 for none."""
    anchor = child_of(drawing, f"{WP}anchor")
    found = _floating(anchor)
    if anchor is None or found is None or not found.front:
        return 0
    left, top, right, bottom = found.box
    if found.frames == ("page", "page") and _holds(found.box, _WRITTEN):
        return _ALL if _is_opaque_picture(story, anchor) else 0
    if found.frames[1] not in ("paragraph", "line"):
        return 0
    if found.frames[0] not in ("column", "margin") or left > _EDGE or top > _EDGE:
        return 0
    characters = int(max(bottom, 0.0) // _LINE) * int(min(right, _WIDEST) / _LETTER)
    return characters if characters > 0 and _is_opaque_picture(story, anchor) else 0


def _floating(anchor: XmlElement | None) -> _Floating | None:
    if anchor is None or child_of(anchor, f"{WP}wrapNone") is None:
        return None
    places: list[float] = []
    frames: list[str] = []
    for axis in ("positionH", "positionV"):
        position = child_of(anchor, f"{WP}{axis}")
        offset = position.findtext(f"{WP}posOffset") if position is not None else None
        if position is None or offset is None:
            return None
        frames.append(position.get("relativeFrom", ""))
        places.append(decimal_attribute(offset.lstrip("-")) * (-1 if offset.startswith("-") else 1) / _EMU)
    extent = child_of(anchor, f"{WP}extent")
    wide, high = (decimal_attribute(extent.get(side)) / _EMU if extent is not None else 0.0 for side in ("cx", "cy"))
    box = (places[0], places[1], places[0] + wide, places[1] + high)
    front = anchor.get("behindDoc") in (None, "0", "false")
    return _Floating(box, (frames[0], frames[1]), decimal_attribute(anchor.get("relativeHeight")), front)


def _holds(cover: Box, box: Box) -> bool:
    inside = cover[0] - _EDGE <= box[0] and box[2] <= cover[2] + _EDGE
    return inside and cover[1] - _EDGE <= box[1] and box[3] <= cover[3] + _EDGE


def _is_opaque_picture(story: StoryState, anchor: XmlElement) -> bool:
    """Whether a drawing is a filled shape, or a picture without a pixel that lets through what is below."""
    if is_panel(anchor.find(f"{A}graphic/{A}graphicData/{WPS}wsp/{WPS}spPr")):
        return True
    blip = anchor.find(f"{A}graphic/{A}graphicData/{PIC}pic/{PIC}blipFill/{A}blip")
    if blip is None or (len(blip) and next(blip.iter(f"{A}alphaModFix"), None) is not None):
        return False
    relation = story.relation(blip.get(R_EMBED, ""))
    if relation is None or relation.external:
        return False
    return is_solid_part(story.document.package, relation.target)
