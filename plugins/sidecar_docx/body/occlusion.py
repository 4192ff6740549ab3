"""The drawings of a paragraph that float (ECMA-376 part 1 §20.4.2.3), so that what lies behind one is told."""

from functools import partial

from sidecar.toolkit.ooxml.hidden_text import is_panel, is_solid_part
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.word.occlusion import Floating, covered_characters, is_behind
from sidecar.toolkit.xml import XmlElement, child_of
from sidecar_docx.body.context import StoryState
from sidecar_docx.qualified_names import PIC, R_EMBED, WP, WPS, W, decimal_attribute

_EMU = 12_700
"""English Metric Units of a point."""


def is_behind_a_picture(story: StoryState, drawing: XmlElement) -> bool:
    """Whether a drawing stands wholly behind a picture of the same paragraph."""
    own = _floating(story, child_of(drawing, f"{WP}anchor"))
    paragraph = next(drawing.iterancestors(f"{W}p"), None) if own is not None else None
    if own is None or paragraph is None:
        return False
    if paragraph not in story.floating:  # once for all drawings of a paragraph, of which there may be thousands
        others = (_floating(story, anchor) for anchor in paragraph.iter(f"{WP}anchor"))
        story.floating[paragraph] = [other for other in others if other is not None]
    return is_behind(own, story.floating[paragraph])


def occluded_characters(story: StoryState, drawing: XmlElement) -> int:
    """About how many characters of the paragraph it is anchored in a picture covers, from the first on; 0 for none."""
    found = _floating(story, child_of(drawing, f"{WP}anchor"))
    return covered_characters(found) if found is not None else 0


def _floating(story: StoryState, anchor: XmlElement | None) -> Floating | None:
    if anchor is None or child_of(anchor, f"{WP}wrapNone") is None:
        return None
    places: list[float] = []
    frames: list[str] = []
    for axis in ("positionH", "positionV"):
        position = child_of(anchor, f"{WP}{axis}")
        offset = position.findtext(f"{WP}posOffset") if position is not None else None
        if position is None or offset is None:
            return None
        frame = position.get("relativeFrom", "")
        frames.append("paragraph" if frame == "line" else frame)
        places.append(decimal_attribute(offset.lstrip("-")) * (-1 if offset.startswith("-") else 1) / _EMU)
    extent = child_of(anchor, f"{WP}extent")
    wide, high = (decimal_attribute(extent.get(side)) / _EMU if extent is not None else 0.0 for side in ("cx", "cy"))
    return Floating(
        box=(places[0], places[1], places[0] + wide, places[1] + high),
        frames=(frames[0], frames[1]),
        order=decimal_attribute(anchor.get("relativeHeight")),
        in_front=anchor.get("behindDoc") in (None, "0", "false"),
        is_opaque=partial(_is_opaque_picture, story, anchor),
    )


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
