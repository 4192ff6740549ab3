"""SmartArt: the words of a diagram (ECMA-376 part 1 §21.4) in order, and those of them that nobody sees, by the drawing
that Office keeps beside the data ([MS-ODRAWXML] 2.4, `dsp`). Not responsible for finding the parts."""

from collections.abc import Callable
from dataclasses import dataclass

from sidecar.api import Box, DamagedError
from sidecar.toolkit.ooxml.drawing import Link, joined, paragraphs
from sidecar.toolkit.ooxml.hidden_text import DrawnText, HiddenText, fill_of, remove_hidden
from sidecar.toolkit.ooxml.namespaces import DGM, DSP, A
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.xml import XmlElement, etree, unsigned

_PLAIN_FILL = "1"
"""The index of the theme's fill that is one colour (§20.1.4.1.17); 2 and 3 are gradients."""


def drawing_of(root: XmlElement, package: Package, related: Callable[[str], Relationship | None]) -> XmlElement | None:
    """The drawing that a diagram data part names (`dsp:dataModelExt`, a relationship of the part that shows the
    diagram); None where there is none, or none that can be read."""
    named = next(root.iter(f"{DSP}dataModelExt"), None)
    found = related(named.get("relId", "")) if named is not None else None
    if found is None or found.external or found.target not in package:
        return None
    try:
        return package.xml(found.target)
    except DamagedError:
        return None


def remove_hidden_runs(root: XmlElement, drawing: XmlElement | None, seen: DrawnText) -> list[str]:
    """Take the runs that nobody sees out of a diagram data part and its drawing, and give their texts.

    Size and ink tell by themselves. What a run of some colour stands on is told by the drawing, whose shapes are
    filled as they are shown; without one it is not told."""
    found = remove_hidden(root, seen)
    if drawing is None:
        return found
    hidden, shown = _by_drawing(drawing, seen)
    hidden -= shown
    taken = {text.strip() for text in found}
    for paragraph in [*root.iter(f"{A}p"), *drawing.iter(f"{A}p")] if hidden else ():
        for run in paragraph.findall(f"{A}r"):
            text = run.findtext(f"{A}t") or ""
            if text.strip() not in hidden:
                continue
            paragraph.remove(run)
            if text.strip() not in taken:
                taken.add(text.strip())
                found.append(text)
                seen.found.add("colour")
    return found


@dataclass(frozen=True)
class _Painted:
    """A shape of the drawing: where it is, and what it is filled with (None: not told)."""

    box: Box
    filled: bool
    colour: int | None


def _by_drawing(drawing: XmlElement, seen: DrawnText) -> tuple[set[str], set[str]]:
    """The texts of runs in the colour of what is behind them, and of those in another."""
    hidden: set[str] = set()
    shown: set[str] = set()
    painted: list[_Painted] = []
    for shape in drawing.iter(f"{DSP}sp"):
        properties = shape.find(f"{DSP}spPr")
        box = _box(properties.find(f"{A}xfrm")) if properties is not None else None
        if box is not None:
            painted.append(_Painted(box, *_fill(shape, properties, seen)))
        place = _box(shape.find(f"{DSP}txXfrm")) or box
        behind = _behind(place, painted, seen)
        default = _default_colour(shape)
        text = DrawnText(HiddenText(), behind, seen.colour_of)
        for paragraph in shape.iterfind(f"{DSP}txBody/{A}p"):
            for run in paragraph.findall(f"{A}r"):
                words = (run.findtext(f"{A}t") or "").strip()
                own = [node for node in (run.find(f"{A}rPr"), default) if node is not None]
                if words:
                    (hidden if text.hides(own) else shown).add(words)
    return hidden, shown


def _behind(place: Box | None, painted: list[_Painted], seen: DrawnText) -> Callable[[int], int | None]:
    """What is behind text at that place: the shape drawn last that is filled there, else what is behind the diagram."""
    if place is None:
        return lambda _: None
    x, y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
    for shape in reversed(painted):
        left, top, right, bottom = shape.box
        if shape.filled and left < place[2] and place[0] < right and top < place[3] and place[1] < bottom:
            colour = shape.colour if left <= x <= right and top <= y <= bottom else None
            return lambda _: colour
    return seen.behind


def _fill(shape: XmlElement, properties: XmlElement | None, seen: DrawnText) -> tuple[bool, int | None]:
    """Whether a shape is filled by itself or by its style, and with which colour (None: not told)."""
    filled, colour = fill_of(properties, seen.colour_of)
    if filled or (properties is not None and properties.find(f"{A}noFill") is not None):
        return filled, colour
    style = shape.find(f"{DSP}style/{A}fillRef")
    if style is None or style.get("idx", "0") == "0":
        return False, None
    return True, seen.colour_of(style[0]) if style.get("idx") == _PLAIN_FILL and len(style) else None


def _default_colour(shape: XmlElement) -> XmlElement | None:
    """The colour a shape's style gives its text, as run properties."""
    colour = shape.find(f"{DSP}style/{A}fontRef/*")
    if colour is None:
        return None
    default = etree.Element(f"{A}defRPr")
    copied = etree.SubElement(etree.SubElement(default, f"{A}solidFill"), colour.tag, dict(colour.attrib))
    for change in colour:
        etree.SubElement(copied, change.tag, dict(change.attrib))
    return default


def _box(transform: XmlElement | None) -> Box | None:
    """Left, top, right and bottom of an `a:xfrm`, in English Metric Units; None where it does not say."""
    offset = transform.find(f"{A}off") if transform is not None else None
    extent = transform.find(f"{A}ext") if transform is not None else None
    if offset is None or extent is None:
        return None
    try:
        x, y = float(offset.get("x", "")), float(offset.get("y", ""))
        return x, y, x + float(extent.get("cx", "")), y + float(extent.get("cy", ""))
    except ValueError:
        return None


def _connections(root: XmlElement) -> dict[str, list[tuple[int, str, str]]]:
    """By the id of a point: order, id, and id of the arrow to it, of those it is the parent of."""
    children: dict[str, list[tuple[int, str, str]]] = {}
    for node in root.iterfind(f"{DGM}cxnLst/{DGM}cxn"):
        if node.get("type", "parOf") == "parOf":
            children.setdefault(node.get("srcId", ""), []).append(
                (unsigned(node.get("srcOrd")), node.get("destId", ""), node.get("sibTransId", ""))
            )
    return children


def smartart(root: XmlElement, link: Link | None = None) -> list[tuple[int, str]]:
    """The words of a diagram data part (`dgm:dataModel`), `(level, text)` in the order of its parent connections
    (§21.4.2.5, `srcOrd`), words on arrows after the point they lead from; points no connection reaches come last."""
    points: dict[str, tuple[str, str]] = {}
    for node in root.iterfind(f"{DGM}ptLst/{DGM}pt"):
        kind = node.get("type", "node")
        if kind != "pres":  # how a point is laid out, not what it says
            body = node.find(f"{DGM}t")
            text = joined(paragraphs(body, link))[0] if body is not None else ""
            points[node.get("modelId", "")] = (kind, text)
    children = _connections(root)
    found: list[tuple[int, str]] = []
    seen: set[str] = set()
    roots = [key for key, (kind, _) in points.items() if kind == "doc"]
    stack: list[tuple[str, int]] = [(key, 0) for key in reversed(roots)]
    rest = iter(points)
    while True:
        if not stack:
            key = next((key for key in rest if key not in seen), None)
            if key is None:
                return found
            stack.append((key, 1))
        key, depth = stack.pop()
        if key in seen:  # a loop, or a shared child
            continue
        seen.add(key)
        text = points.get(key, ("", ""))[1]
        if text:
            found.append((max(depth - 1, 0), text))
        for _, child, arrow in sorted(children.get(key, ()), reverse=True):
            if arrow:
                stack.append((arrow, depth + 1))
            stack.append((child, depth + 1))
