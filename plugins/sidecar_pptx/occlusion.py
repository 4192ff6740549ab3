"""Which shapes of a slide stand wholly behind a later, opaque one (ECMA-376 part 1 §19.3.1.45: the tree's order is the
drawing order). What an animation moves may be seen at some time, and is left alone."""

from sidecar.toolkit.ooxml.hidden_text import is_panel, is_solid_part
from sidecar.toolkit.ooxml.namespaces import A, R
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.visible import box_contains
from sidecar.toolkit.xml import XmlElement
from sidecar_pptx.shapes import P, Shape, flat

_TARGETS = f"{P}timing"
_TARGET = f"{P}spTgt"
_FILLS = (f"{A}solidFill", f"{A}gradFill")
_MAX_COVERS = 300
"""How many covers of a slide are looked at."""


def occluded_shapes(
    shapes: list[Shape], root: XmlElement, package: Package, relationships: dict[str, Relationship]
) -> list[Shape]:
    """The shapes with words that no reader of the slide sees for what lies over them."""
    order = list(flat(shapes))
    moved: set[str] | None = None
    found: list[Shape] = []
    above: list[Shape] = []
    opaque: dict[int, bool] = {}
    for shape in reversed(order):
        box = shape.box
        over = [one for one in above if box_contains(one.box, box)] if box is not None and _has_words(shape) else []
        if over:
            moved = _moved(root) if moved is None else moved
            for one in over if shape.id not in moved else []:
                if id(one) not in opaque:  # asked once of a cover, not once of everything below it
                    opaque[id(one)] = one.id not in moved and _is_opaque(one, package, relationships)
                if opaque[id(one)]:
                    found.append(shape)
                    break
        if (
            box is not None
            and not shape.hidden
            and shape.kind in ("picture", "shape", "frame")
            and len(above) < _MAX_COVERS
        ):
            above.append(shape)
    return found


def _has_words(shape: Shape) -> bool:
    return shape.kind in ("shape", "frame") and next(shape.node.iter(f"{A}t"), None) is not None


def _moved(root: XmlElement) -> set[str]:
    """The ids of the shapes that take part in an animation (§19.5)."""
    timing = root.find(_TARGETS)
    return {node.get("spid", "") for node in timing.iter(_TARGET)} if timing is not None else set()


def _is_opaque(shape: Shape, package: Package, relationships: dict[str, Relationship]) -> bool:
    if next(shape.node.iter(f"{A}alpha", f"{A}alphaModFix"), None) is not None:
        return False
    if shape.kind == "frame":
        cells = list(shape.node.iter(f"{A}tcPr"))
        return bool(cells) and all(any(cell.find(fill) is not None for fill in _FILLS) for cell in cells)
    if shape.kind == "picture":
        pictures = (relationships.get(blip.get(f"{R}embed", "")) for blip in shape.node.iter(f"{A}blip"))
        return any(one is not None and not one.external and is_solid_part(package, one.target) for one in pictures)
    return is_panel(shape.look)
