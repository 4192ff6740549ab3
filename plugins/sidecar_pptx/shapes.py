"""The shape tree of a slide, layout or master (`p:spTree`, ECMA-376 part 1 §19.3.1.45) as shapes with boxes in points.

Not responsible for what a shape says: only for what there is, where it stands (group transforms applied) and whether a
viewer sees it."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sidecar.api import Box
from sidecar.toolkit.ooxml.drawing import described, visible_children
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.visible import union
from sidecar.toolkit.xml import XmlElement, child_of, children_by_tag, unsigned

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_KINDS = {
    f"{P}sp": "shape",
    f"{P}pic": "picture",
    f"{P}graphicFrame": "frame",
    f"{P}grpSp": "group",
    f"{P}cxnSp": "connector",
}
_SINGLE = [tag for tag, kind in _KINDS.items() if kind != "group"]
_NON_VISUAL = frozenset({f"{P}nvSpPr", f"{P}nvPicPr", f"{P}nvGraphicFramePr", f"{P}nvGrpSpPr", f"{P}nvCxnSpPr"})
_C_NV_PR, _NV_PR, _PH = f"{P}cNvPr", f"{P}nvPr", f"{P}ph"
_LOOK, _GROUP_LOOK, _TX_BODY = f"{P}spPr", f"{P}grpSpPr", f"{P}txBody"
_PLACE, _FRAME_PLACE = f"{A}xfrm", f"{P}xfrm"
_C_SLD, _TREE = f"{P}cSld", f"{P}spTree"
_OFF, _EXT, _CH_OFF, _CH_EXT = f"{A}off", f"{A}ext", f"{A}chOff", f"{A}chExt"
_DECORATIVE = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"
_EMU = 1 / 12700  # points in an English Metric Unit
_MAX_DEPTH = 60

Transform = tuple[float, float, float, float]
"""`(scale x, scale y, shift x, shift y)`: child coordinates in EMU to points on the slide."""


@dataclass(slots=True)
class Shape:
    """One shape. `place` is ("type", "idx") of a placeholder, else None; `box` None where the shape inherits it."""

    node: XmlElement
    kind: str
    id: str = ""
    name: str = ""
    alt: str = ""
    hidden: bool = False
    place: tuple[str, str] | None = None
    box: Box | None = None
    properties: XmlElement | None = None
    """Its `p:cNvPr`, where links of the whole shape hang."""
    application: XmlElement | None = None
    """Its `p:nvPr`, where media hang."""
    look: XmlElement | None = None
    """Its `p:spPr`."""
    body: XmlElement | None = None
    """Its `p:txBody`."""
    children: "list[Shape]" = field(default_factory=list["Shape"])


def shape_tree(root: XmlElement) -> list[Shape]:
    """The top-level shapes of a slide part, in drawing order. Groups hold their children; they nest 60 deep at most,
    and the last hold all shapes below them."""
    slide = child_of(root, _C_SLD)
    tree = child_of(slide, _TREE) if slide is not None else None
    return [] if tree is None else list(_shapes(visible_children(tree), (_EMU, _EMU, 0.0, 0.0), hidden=False, depth=0))


def flat(shapes: list[Shape]) -> Iterator[Shape]:
    """Every shape, those inside groups included; groups themselves too."""
    for shape in shapes:
        yield shape
        yield from flat(shape.children)


def _shapes(nodes: Iterable[XmlElement], transform: Transform, hidden: bool, depth: int) -> Iterator[Shape]:
    for node in nodes:
        kind = _KINDS.get(node.tag)
        if kind is None:
            continue
        shape = Shape(node, kind, hidden=hidden)
        place: XmlElement | None = None
        for child in node:
            tag = child.tag
            if tag in _NON_VISUAL:
                _non_visual(child, shape)
            elif tag == _TX_BODY:
                shape.body = child
            elif tag == _LOOK:
                shape.look = child
                place = child_of(child, _PLACE)
            elif tag == _GROUP_LOOK:
                place = child_of(child, _PLACE)
            elif tag == _FRAME_PLACE:
                place = child
        if place is not None:
            shape.box = _box(place, transform)
        if kind == "group" and depth <= _MAX_DEPTH:
            inside = visible_children(node) if depth < _MAX_DEPTH else node.iter(*_SINGLE)
            shape.children = list(_shapes(inside, _inner(place, transform), shape.hidden, depth + 1))
            if shape.box is None:
                shape.box = union(child.box for child in shape.children)
        yield shape


def _non_visual(node: XmlElement, shape: Shape) -> None:
    for child in node:
        if child.tag == _C_NV_PR:
            shape.properties = child
            shape.id = child.get("id", "")
            shape.name = child.get("name", "")
            shape.hidden = shape.hidden or child.get("hidden") in {"1", "true"}
            shape.alt = described(child)
            if shape.alt and len(child) and next(child.iter(_DECORATIVE), None) is not None:
                shape.alt = ""
        elif child.tag == _NV_PR:
            shape.application = child
            place = child_of(child, _PH)
            if place is not None:
                shape.place = (place.get("type", "obj"), place.get("idx", "0"))


def own_box(node: XmlElement) -> Box | None:
    """The box a layout's or master's shape gives itself, in points."""
    look = child_of(node, _LOOK)
    place = child_of(look, _PLACE) if look is not None else None
    if place is None:
        place = child_of(node, _FRAME_PLACE)
    return _box(place, (_EMU, _EMU, 0.0, 0.0)) if place is not None else None


def _pair(node: XmlElement | None, first: str, second: str) -> tuple[float, float] | None:
    if node is None:
        return None
    try:
        x, y = float(node.get(first, "")), float(node.get(second, ""))
    except ValueError:
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def _box(place: XmlElement, transform: Transform) -> Box | None:
    given = children_by_tag(place)
    at, size = _pair(given.get(_OFF), "x", "y"), _pair(given.get(_EXT), "cx", "cy")
    if at is None or size is None:
        return None
    sx, sy, dx, dy = transform
    left, top = at[0] * sx + dx, at[1] * sy + dy
    width, height = size[0] * sx, size[1] * sy
    if 45 <= unsigned((place.get("rot") or "").lstrip("-")) / 60000 % 180 <= 135:
        # A shape keeps its unturned size in the file; on its side it covers the turned one (§20.1.7.6).
        left, top = left + (width - height) / 2, top + (height - width) / 2
        width, height = height, width
    return (round(left, 1), round(top, 1), round(left + width, 1), round(top + height, 1))


def _inner(place: XmlElement | None, outer: Transform) -> Transform:
    """The transform for a group's children (§20.1.7.5): child space `chOff`/`chExt` laid over `off`/`ext`."""
    if place is None:
        return outer
    given = children_by_tag(place)
    at, size = _pair(given.get(_OFF), "x", "y"), _pair(given.get(_EXT), "cx", "cy")
    child_at, child_size = _pair(given.get(_CH_OFF), "x", "y"), _pair(given.get(_CH_EXT), "cx", "cy")
    if at is None or size is None or child_at is None or child_size is None:
        return outer
    kx = size[0] / child_size[0] if child_size[0] else 1.0
    ky = size[1] / child_size[1] if child_size[1] else 1.0
    sx, sy, dx, dy = outer
    return (sx * kx, sy * ky, dx + (at[0] - child_at[0] * kx) * sx, dy + (at[1] - child_at[1] * ky) * sy)
