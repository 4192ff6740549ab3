"""Drawing parts of a sheet (ECMA-376 part 1 §20.5) and their VML forerunners: what is drawn, and at which cell.

Reads pictures, charts, SmartArt, shapes with text, and media into plain records; turning them into blocks and embeds is
`part`'s."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from sidecar.api import Span
from sidecar.toolkit.cell_references import MAX_COLS, MAX_ROWS, CellRange
from sidecar.toolkit.ooxml.diagrams import drawing_of, remove_hidden_runs, smartart
from sidecar.toolkit.ooxml.drawing import described, joined, paragraphs, visible_children, without_folder
from sidecar.toolkit.ooxml.hidden_text import (
    USUAL_SCHEME,
    WHITE,
    DrawnText,
    HiddenText,
    drawn_colour,
    fill_of,
    is_panel,
)
from sidecar.toolkit.ooxml.namespaces import A, R
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.visible import spans_cover
from sidecar.toolkit.xml import XmlElement, children_by_name, local_name, outermost, unsigned

_ANCHORS = frozenset({"twoCellAnchor", "oneCellAnchor", "absoluteAnchor"})
_MARGIN = 2 * 12_700
"""EMU (two points) by which a picture may miss the edge of a cell whose text it covers all the same."""
_MAX_DEPTH = 40  # groups inside groups; real files know a handful
"""The theme's colours that are alike in nearly every theme."""
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class SheetDrawing:
    """One thing drawn on a sheet. `ref` is the part with its bytes (`image`, `media`) or data (`chart`); `text` what
    it says (`text`, `smartart`); `area` the cells it stands over, where the anchor tells, `covered` those of them that
    it covers wholly; `link` where a click on it leads, with its screen tip."""

    kind: Literal["image", "chart", "text", "smartart", "media", "panel"]
    area: CellRange | None = None
    name: str = ""
    alt: str = ""
    ref: str = ""
    text: str = ""
    spans: tuple[Span, ...] = ()
    hidden: bool = False
    covered: CellRange | None = None
    link: str = ""


def read_drawing(package: Package, part: str, hidden: HiddenText) -> list[SheetDrawing]:
    """Everything in a drawing part, in order; text that is not seen is counted in `hidden`. Raises DamagedError when
    the part is unreadable."""
    root = package.xml(part)
    reader = _DrawingReader(package, package.relationships(part), hidden, crowded=len(root) > 1)
    found: list[SheetDrawing] = []
    for anchor in visible_children(root):
        if local_name(anchor) in _ANCHORS:
            area = _area(anchor)
            covered = _covered(anchor)
            for node in visible_children(anchor):
                items = list(reader.read(node, area, 0))
                # Of a group only the whole has an anchor.
                panel = local_name(node) == "sp" and is_panel(next(node.iterchildren("{*}spPr"), None))
                if panel and covered is not None and not reader.hides(node):
                    found = [replace(item, hidden=True) if _is_under(item, covered) else item for item in found]
                    items = items or [SheetDrawing("panel", area)]
                if panel or local_name(node) == "pic":
                    items[:1] = [replace(item, covered=covered) for item in items[:1]]
                found += items
    return found


def _is_under(item: SheetDrawing, covered: CellRange) -> bool:
    """Whether a text stands within cells that a later shape covers."""
    if item.kind != "text" or item.area is None:
        return False
    top, left, bottom, right = item.area
    return covered.top <= top and covered.left <= left and bottom - 1 <= covered.bottom and right - 1 <= covered.right


def _area(anchor: XmlElement) -> CellRange | None:
    corners = children_by_name(anchor)
    start = corner(corners.get("from"))
    if start is None:
        return None
    end = corner(corners.get("to")) or start
    return CellRange(*start, max(end[0], start[0]), max(end[1], start[1]))


def _covered(anchor: XmlElement) -> CellRange | None:
    """The cells between the corners of an anchor with two, those left out that it covers in part."""
    corners = children_by_name(anchor)
    start, end = corner(corners.get("from")), corner(corners.get("to"))
    if start is None or end is None:
        return None
    down, across = (offset(corners["from"], name) > _MARGIN for name in ("rowOff", "colOff"))
    area = CellRange(start[0] + down, start[1] + across, end[0] - 1, end[1] - 1)
    return area if area.top <= area.bottom and area.left <= area.right else None


def offset(at: XmlElement, name: str) -> int:
    """How far into its cell a corner lies, in EMU: the `colOff` or `rowOff` of a `xdr:from` or `xdr:to`."""
    return unsigned(next((child.text or "" for child in at if local_name(child) == name), "").strip())


def corner(node: XmlElement | None) -> tuple[int, int] | None:
    """The cell of a `xdr:from` or `xdr:to` (ECMA-376 part 1 §20.5.2.15), 0-based; None where no sheet has it."""
    if node is None:
        return None
    places = {local_name(child): (child.text or "").strip() for child in node}
    row, column = unsigned(places.get("row"), MAX_ROWS), unsigned(places.get("col"), MAX_COLS)
    return (row, column) if row < MAX_ROWS and column < MAX_COLS else None


_COMPATIBLE = "{http://schemas.microsoft.com/office/drawing/2010/main}compatExt"


def _colour_of(node: XmlElement) -> int | None:
    return drawn_colour(node, USUAL_SCHEME)


def on_sheet(found: HiddenText) -> DrawnText:
    """What is seen of text on the white of a sheet; what is not is counted in `found`."""
    return DrawnText(found, lambda _: WHITE, _colour_of)


class _DrawingReader:
    def __init__(
        self, package: Package, relationships: dict[str, Relationship], found: HiddenText, *, crowded: bool
    ) -> None:
        self._package = package
        self._relationships = relationships
        self._found = found
        self._crowded = crowded  # something else may lie behind a text
        self._readers = {
            "pic": self._picture, "sp": self._shape, "cxnSp": self._shape, "graphicFrame": self._frame,
        }  # fmt: skip

    def read(self, node: XmlElement, area: CellRange | None, depth: int) -> Iterator[SheetDrawing]:
        kind = local_name(node)
        if kind == "grpSp" and depth <= _MAX_DEPTH:
            gone = self.hides(node)
            for child in visible_children(node) if depth < _MAX_DEPTH else node.iter("{*}sp", "{*}pic"):
                items = self.read(child, area, depth + 1)
                yield from (replace(item, hidden=True) for item in items) if gone else items
        elif kind in self._readers:
            items = list(self._readers[kind](node, area))
            link = self._click(node)
            items[:1] = [replace(item, link=link) for item in items[:1]]
            yield from items

    def _target(self, key: str | None) -> str:
        relationship = self._relationships.get(key or "")
        if relationship is None:
            return ""
        return relationship.target if relationship.external or relationship.target in self._package else ""

    def _named(self, node: XmlElement) -> tuple[str, str, bool]:
        """Name, alternative text and hidden flag of the non-visual properties (§20.1.2.2.8)."""
        found = next(node.iter("{*}cNvPr"), None)
        if found is None:
            return "", "", False
        hidden = found.get("hidden") in ("1", "true")
        if hidden and next(found.iter(_COMPATIBLE), None) is not None:
            hidden = False  # a form control, which its legacy drawing shows ([MS-ODRAWXML] 2.3.1.5)
        return found.get("name", ""), described(found), hidden

    def _click(self, node: XmlElement) -> str:
        """Where a click on the whole of a shape leads, and its screen tip (§21.1.2.3.5)."""
        properties = next(node.iter("{*}cNvPr"), None)
        click = next(properties.iterchildren(f"{A}hlinkClick"), None) if properties is not None else None
        if click is None:
            return ""
        return " — ".join(text for text in (self._link(click), click.get("tooltip", "")) if text)

    def hides(self, node: XmlElement) -> bool:
        """Whether a shape is not drawn."""
        return self._named(node)[2]

    def _picture(self, node: XmlElement, area: CellRange | None) -> Iterator[SheetDrawing]:
        name, alt, hidden = self._named(node)
        for tag in ("videoFile", "audioFile", "wavAudioFile"):
            for media in node.iter(f"{A}{tag}"):
                ref = self._target(media.get(f"{R}link") or media.get(f"{R}embed"))
                if ref in self._package:
                    yield SheetDrawing("media", area, name, alt, ref, hidden=hidden)
        for blip in node.iter(f"{A}blip"):
            ref = self._target(blip.get(f"{R}embed") or blip.get(f"{R}link"))
            # A vector original stands in an extension beside its raster stand-in ([MS-ODRAWXML] svgBlip).
            for vector in blip.iter("{*}svgBlip"):
                ref = self._target(vector.get(f"{R}embed")) or ref
            if ref:
                yield SheetDrawing("image", area, name, alt, ref, hidden=hidden)

    def _shape(self, node: XmlElement, area: CellRange | None) -> Iterator[SheetDrawing]:
        name, alt, hidden = self._named(node)
        body = next((child for child in node if local_name(child) == "txBody"), None)
        seen = DrawnText(self._found, lambda _: self._behind(node), _colour_of)
        text, spans = joined(paragraphs(body, self._link, seen)) if body is not None else ("", ())
        if text or alt:
            yield SheetDrawing("text", area, name, alt, "", text, spans, hidden or spans_cover(spans, text))
        for blip in node.iter(f"{A}blip"):  # a shape filled with a picture
            ref = self._target(blip.get(f"{R}embed"))
            if ref:
                yield SheetDrawing("image", area, name, alt, ref, hidden=hidden)

    def _behind(self, shape: XmlElement) -> int | None:
        """What a shape's text stands on: its own fill, else the sheet, where nothing else is drawn."""
        filled, colour = fill_of(next(shape.iterchildren("{*}spPr"), None), _colour_of)
        style = next(shape.iter("{*}fillRef"), None)
        if filled:
            return colour
        return None if self._crowded or (style is not None and style.get("idx", "0") != "0") else WHITE

    def _link(self, node: XmlElement) -> str:
        relationship = self._relationships.get(node.get(f"{R}id", ""))
        return relationship.target if relationship else ""

    def _frame(self, node: XmlElement, area: CellRange | None) -> Iterator[SheetDrawing]:
        name, alt, hidden = self._named(node)
        for data in node.iter(f"{A}graphicData"):
            for child in data:
                kind = local_name(child)
                if kind == "chart" and (ref := self._target(child.get(f"{R}id"))):
                    yield SheetDrawing("chart", area, name, alt, ref, hidden=hidden)
                elif kind == "relIds" and (ref := self._target(child.get(f"{R}dm"))):
                    root = self._package.xml(ref)
                    drawing = drawing_of(root, self._package, self._relationships.get)
                    for words in remove_hidden_runs(root, drawing, on_sheet(self._found)):
                        yield SheetDrawing("text", area, name, "", "", words, hidden=True)
                    points = smartart(root)
                    text = "\n".join(f"{'  ' * level}{line}" for level, line in points)
                    yield SheetDrawing("smartart", area, name, alt, "", text, hidden=hidden)


def read_vml(package: Package, part: str) -> list[SheetDrawing]:
    """Form controls with a caption, and pictures (those of page headers too), of a legacy VML drawing. The boxes of
    comments are left out: the comments part has them. Raises DamagedError."""
    root = package.xml(part)
    relationships = package.relationships(part)
    found: list[SheetDrawing] = []
    for shape in outermost(root, "{urn:schemas-microsoft-com:vml}shape"):
        client = next(shape.iter("{urn:schemas-microsoft-com:office:excel}ClientData"), None)
        if client is not None and client.get("ObjectType") == "Note":
            continue
        area = _vml_area(client)
        for image in shape.iter("{urn:schemas-microsoft-com:vml}imagedata"):
            key = image.get("{urn:schemas-microsoft-com:office:office}relid") or image.get(f"{R}id") or ""
            relationship = relationships.get(key)
            if relationship is not None and relationship.target in package:
                title = image.get("{urn:schemas-microsoft-com:office:office}title", "")
                found.append(
                    SheetDrawing("image", area, title, without_folder(shape.get("alt", "")), relationship.target)
                )
        for box in outermost(shape, "{urn:schemas-microsoft-com:vml}textbox"):
            text = _SPACES.sub(" ", "".join(box.itertext())).strip()
            if text:
                found.append(
                    SheetDrawing("text", area, shape.get("id", ""), without_folder(shape.get("alt", "")), "", text)
                )
    return found


def _vml_area(client: XmlElement | None) -> CellRange | None:
    """`x:Anchor`: left column, offset, top row, offset, right column, offset, bottom row, offset."""
    for anchor in client.iter("{*}Anchor") if client is not None else ():
        numbers = [piece.strip() for piece in (anchor.text or "").split(",")]
        if len(numbers) == 8 and all(number.isdecimal() and len(number) < 8 for number in numbers):
            left, _, top, _, right, _, bottom, _ = map(int, numbers)
            return CellRange(top, left, max(bottom, top), max(right, left))
    return None
