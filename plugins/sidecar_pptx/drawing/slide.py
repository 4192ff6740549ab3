"""A slide as it looks: its master's, its layout's and its own shapes, in drawing order, at their places.

Not responsible for how fills, outlines, text and tables are read (`colours`, `geometry`, `text`, `tables`)."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sidecar.api import Box, DamagedError, Limits, NotFoundError, Source
from sidecar.toolkit.drawn.model import (
    ChartItem,
    PageDrawing,
    Paint,
    PictureItem,
    PlacedItem,
    ShapeItem,
    Stroke,
    TextBody,
    solid,
)
from sidecar.toolkit.ooxml.chart import parse_chart
from sidecar.toolkit.ooxml.colours import FILLS, number_of
from sidecar.toolkit.ooxml.diagrams import drawing_of
from sidecar.toolkit.ooxml.drawing import visible_children
from sidecar.toolkit.ooxml.namespaces import DSP, A, R
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.xml import XmlElement
from sidecar_pptx.drawing.colours import Palette, fill_in
from sidecar_pptx.drawing.geometry import ShapePaths, flipped, outline_of, upright
from sidecar_pptx.drawing.tables import read_table
from sidecar_pptx.drawing.text import TextStyle, read_body
from sidecar_pptx.layouts import Layout, Layouts
from sidecar_pptx.presentation import main_part, slide_parts, slide_size
from sidecar_pptx.shapes import P, Shape, shape_tree

_BACKGROUND = f"{P}cSld/{P}bg"
_EMBED, _ID = f"{R}embed", f"{R}id"
_EMU = 12700
_MAX_ITEMS = 3000
_REMARK = "Drawn by DocSidecar, not by PowerPoint: fonts and line breaks can differ."


def draw_slide(source: Source, part: int, limits: Limits) -> PageDrawing:
    """Slide `part`, 1-based.

    Raises:
        NotFoundError: there is no such slide.
        FormatError: the presentation or the slide cannot be read."""
    with Package(source, limits) as package:
        main = main_part(package, source, package.relationships(""))
        root = package.xml(main)
        related = package.relationships(main)
        slides = slide_parts(root, related)
        if not 1 <= part <= len(slides):
            raise NotFoundError(f"{source.name} has {len(slides)} slides; there is no slide {part}.")
        name = slides[part - 1][1]
        if not name or name not in package:
            raise DamagedError(f"Slide {part} is missing from {source.name}.")
        width, height = slide_size(root)
        layouts = Layouts(package, [r.target for r in related.values() if r.type == "slideMaster"])
        styles = next((r.target for r in related.values() if r.type == "tableStyles" and r.target in package), "")
        defaults = root.find(f"{P}defaultTextStyle")
        page = _Slide(package, part, width, height, layouts, [defaults] if defaults is not None else [], styles)
        return page.draw(name)


@dataclass
class _Slide:
    """One slide being drawn."""

    package: Package
    number: int
    width: float
    height: float
    layouts: Layouts
    defaults: Sequence[XmlElement]
    table_styles: str
    items: list[PlacedItem] = field(default_factory=list[PlacedItem])
    omitted: Counter[str] = field(default_factory=Counter[str])
    palette: Palette = field(default_factory=Palette)
    layout: Layout | None = None

    def draw(self, name: str) -> PageDrawing:
        root = self.package.xml(name)
        related = self.package.relationships(name)
        layout_name = next((r.target for r in related.values() if r.type == "slideLayout"), "")
        self.layout = self.layouts.layout(layout_name) if layout_name else None
        master = self.layout.master if self.layout is not None else None
        self.palette = self._palette(master)
        layers: list[tuple[XmlElement, dict[str, Relationship], bool]] = []
        if root.get("showMasterSp", "1") not in {"0", "false"} and self.layout is not None:
            if master is not None and master.root is not None and self.layout.shows_master:
                layers.append((master.root, self.package.relationships(master.part), False))
            if self.layout.root is not None:
                layers.append((self.layout.root, self.package.relationships(self.layout.part), False))
        layers.append((root, related, True))
        fill = self._background(root, related, master)
        for tree, relationships, own in layers:
            layer = _Layer(self, relationships, own)
            for shape in shape_tree(tree):
                layer.add(shape)
        if len(self.items) > _MAX_ITEMS:
            self.omitted["shape"] += len(self.items) - _MAX_ITEMS
        return PageDrawing(
            width=self.width,
            height=self.height,
            fill=fill,
            items=tuple(self.items[:_MAX_ITEMS]),
            omitted=tuple(_counted(count, what) for what, count in self.omitted.items()),
            remark=_REMARK,
        )

    def _palette(self, master: Layout | None) -> Palette:
        if master is None or master.root is None:
            return Palette()
        theme = next((r.target for r in self.package.related(master.part, "theme")), "")
        try:
            root = self.package.xml(theme) if theme in self.package else None
        except DamagedError:
            root = None
        mapped = master.root.find(f"{P}clrMap")
        return Palette.of(root, dict(mapped.attrib) if mapped is not None else {})

    def _background(self, root: XmlElement, related: dict[str, Relationship], master: Layout | None) -> Paint:
        """What is behind everything; a picture becomes the first item."""
        levels = [(root, related)]
        above = [layout for layout in (self.layout, master) if layout is not None and layout.root is not None]
        levels += [(layout.root, self.package.relationships(layout.part)) for layout in above]
        for level, relationships in levels:
            own = level.find(_BACKGROUND)
            if own is None:
                continue
            properties = own.find(f"{P}bgPr")
            if properties is None:
                painted = self.palette.styled_fill(own.find(f"{P}bgRef"))
                return painted or solid("#ffffff")
            layer = _Layer(self, relationships, own=False)
            fill = fill_in(properties)
            if fill is not None and fill.tag == f"{A}blipFill":
                layer.add_picture(fill, _ShapePlace((0.0, 0.0, self.width, self.height)))
                return solid("#ffffff")
            return (self.palette.fill(fill) if fill is not None else None) or solid("#ffffff")
        return solid("#ffffff")


class _ShapePlace(NamedTuple):
    """Where a shape stands on the slide, how far it is turned, and its outline."""

    box: Box
    turn: float = 0.0
    outline: ShapePaths = ShapePaths()


@dataclass
class _Layer:
    """The shapes of one part (slide, layout, master), with the relationships their ids mean. Placeholders of layouts
    and masters are only patterns, and not drawn."""

    slide: _Slide
    relationships: dict[str, Relationship]
    own: bool

    def add(self, shape: Shape, group: XmlElement | None = None) -> None:
        """Draw a shape and what is in it. `group` is the fill of the group around it."""
        if shape.hidden or (shape.place is not None and not self.own):
            return
        if shape.kind == "group":
            properties = shape.node.find(f"{P}grpSpPr")
            fill = fill_in(properties)
            for child in shape.children:
                self.add(child, fill if fill is not None and fill.tag != f"{A}grpFill" else group)
            return
        chain = self._chain(shape)
        box = shape.box
        if box is None and shape.place is not None and self.slide.layout is not None:
            box = self.slide.layout.box(shape.place)
        if box is None:
            return
        if shape.kind == "frame":
            self._frame(shape, box)
            return
        properties = shape.node.find(f"{P}spPr")
        box, turn, flips = upright(properties, box)
        place = _ShapePlace(box, turn, flipped(self._outline(properties, chain, box), flips))
        if shape.kind == "picture":
            blip = shape.node.find(f"{P}blipFill")
            if blip is not None:
                self.add_picture(blip, place, mirrored=flips[0], alt=shape.alt)
            stroke = self.slide.palette.stroke(properties.find(f"{A}ln") if properties is not None else None)
            if stroke is not None:
                self._shape(place, None, stroke, None)
            return
        self._drawn(shape.node, chain, place, P, group, shape.place)

    def _chain(self, shape: Shape) -> list[XmlElement]:
        """The shapes a placeholder inherits from, nearest first."""
        layout = self.slide.layout
        return list(layout.chain(shape.place)) if shape.place is not None and layout is not None else []

    def _outline(self, properties: XmlElement | None, chain: Sequence[XmlElement], box: Box) -> ShapePaths:
        for node in (properties, *(above.find(f"{P}spPr") for above in chain)):
            if node is not None and (node.find(f"{A}prstGeom") is not None or node.find(f"{A}custGeom") is not None):
                return outline_of(node, box[2] - box[0], box[3] - box[1])
        return ShapePaths()

    def _drawn(
        self, node: XmlElement, chain: Sequence[XmlElement], place: _ShapePlace, space: str,
        group: XmlElement | None, kind: tuple[str, str] | None,
    ) -> None:  # fmt: skip
        """Fill, line and words of a shape whose elements are in the namespace `space`."""
        palette, outline = self.slide.palette, place.outline
        every = [found for found in (one.find(f"{space}spPr") for one in (node, *chain)) if found is not None]
        style = node.find(f"{space}style")
        filling = next((child for one in every for child in one if child.tag in FILLS), None)
        if filling is not None and filling.tag == f"{A}grpFill":
            filling = group
        fill: Paint | None = None
        if outline.rings or not outline.lines:
            if filling is not None and filling.tag == f"{A}blipFill":
                self.add_picture(filling, place)
            elif filling is not None:
                fill = palette.fill(filling)
            elif style is not None:
                fill = palette.styled_fill(style.find(f"{A}fillRef"))
        line = next((found for found in (one.find(f"{A}ln") for one in every) if found is not None), None)
        stroke = palette.stroke(line, style.find(f"{A}lnRef") if style is not None else None)
        self._shape(place, fill, stroke, self._text(node, chain, style, space, kind))
        if stroke is not None and line is not None and outline.lines and not place.turn:
            self._arrows(place.box, outline, stroke, line)

    def _text(
        self, node: XmlElement, chain: Sequence[XmlElement], style: XmlElement | None, space: str,
        kind: tuple[str, str] | None,
    ) -> TextBody | None:  # fmt: skip
        body = node.find(f"{space}txBody")
        if body is None:
            return None
        layout = self.slide.layout
        styles: list[XmlElement] = list(layout.styles(kind)) if kind is not None and layout is not None else []
        bodies = [found for found in (one.find(f"{P}txBody/{A}bodyPr") for one in chain) if found is not None]
        ink = self.slide.palette.colour(style.find(f"{A}fontRef")) if style is not None else ""
        defaults = [*self._other_style(), *self.slide.defaults] if kind is None else list(self.slide.defaults)
        text_style = TextStyle(self.slide.palette, styles, bodies, defaults, ink, number=self.slide.number)
        return read_body(body, text_style)

    def _other_style(self) -> Iterator[XmlElement]:
        """What masters say of text in no placeholder."""
        layout = self.slide.layout
        master = layout.master if layout is not None else None
        found = master.text_style("otherStyle") if master is not None else None
        if found is not None:
            yield found

    def _shape(self, place: _ShapePlace, fill: Paint | None, stroke: Stroke | None, body: TextBody | None) -> None:
        if fill is None and stroke is None and body is None:
            return
        box, turn, outline = place
        self.slide.items.append(
            ShapeItem(
                box=box,
                fill=fill,
                stroke=stroke,
                ellipse=outline.ellipse,
                radius=outline.corner * min(box[2] - box[0], box[3] - box[1]),
                rings=outline.rings if fill is not None or stroke is not None else (),
                lines=outline.lines if stroke is not None else (),
                turn=turn,
                body=body,
            )
        )

    def _arrows(self, box: Box, outline: ShapePaths, stroke: Stroke, line: XmlElement) -> None:
        """Heads at the ends of a line (§20.1.8.38): triangles, whatever their kind."""
        for name, points in (("headEnd", outline.lines[0][1::-1]), ("tailEnd", outline.lines[-1][-2:])):
            end = line.find(f"{A}{name}")
            if end is None or end.get("type", "none") == "none":
                continue
            (x0, y0), (x1, y1) = [(box[0] + x * (box[2] - box[0]), box[1] + y * (box[3] - box[1])) for x, y in points]
            size = max(stroke.width, 1.0) * {"sm": 2.0, "lg": 5.0}.get(end.get("len", ""), 3.5)
            angle = math.atan2(y1 - y0, x1 - x0)
            corners = [(x1, y1)] + [
                (x1 - size * math.cos(angle + lean) * 1.1, y1 - size * math.sin(angle + lean) * 1.1)
                for lean in (0.45, -0.45)
            ]
            left, top = min(x for x, _ in corners), min(y for _, y in corners)
            wide, high = max(x for x, _ in corners) - left or 1.0, max(y for _, y in corners) - top or 1.0
            ring = tuple(((x - left) / wide, (y - top) / high) for x, y in corners)
            self.slide.items.append(
                ShapeItem(box=(left, top, left + wide, top + high), fill=solid(stroke.colour), rings=(ring,))
            )

    def add_picture(self, blip_fill: XmlElement, place: _ShapePlace, *, mirrored: bool = False, alt: str = "") -> None:
        """A picture, or one that fills a shape; what is linked or missing is counted."""
        box, turn, outline = place
        blip = blip_fill.find(f"{A}blip")
        found = self.relationships.get(blip.get(_EMBED, "")) if blip is not None else None
        if found is None or found.external:
            self.slide.omitted["linked or missing picture"] += 1
            return
        try:
            data = self.slide.package.read(found.target)
        except DamagedError:
            self.slide.omitted["damaged picture"] += 1
            return
        source = blip_fill.find(f"{A}srcRect")
        crop = [min(max(number_of(source, side) / 100_000, -2.0), 0.95) for side in "ltrb"]
        shorter = min(box[2] - box[0], box[3] - box[1])
        self.slide.items.append(
            PictureItem(
                box=box,
                data=data,
                crop=(crop[0], crop[1], crop[2], crop[3]),
                turn=turn,
                radius=shorter / 2 if outline.ellipse else outline.corner * shorter,
                mirrored=mirrored,
                alt=alt,
            )
        )

    def _frame(self, shape: Shape, box: Box) -> None:
        data = shape.node.find(f"{A}graphic/{A}graphicData")
        for content in visible_children(data) if data is not None else ():
            name = content.tag.rpartition("}")[2]
            if name == "tbl":
                self.slide.items.append(self._table(content, box))
            elif name == "chart":
                self._chart(content, box)
            elif name == "relIds":
                self._diagram(content, box)
            elif name == "pic":
                self._preview(content, box, "object")
            elif name == "oleObj":
                picture = next(content.iter(f"{P}pic"), None)
                self._preview(picture, box, "OLE object")
            else:
                self.slide.omitted["frame"] += 1

    def _table(self, node: XmlElement, box: Box) -> PlacedItem:
        name = self.slide.table_styles
        try:
            styles = self.slide.package.xml(name) if name else None
        except DamagedError:
            styles = None
        text_style = TextStyle(
            self.slide.palette, defaults=[*self._other_style(), *self.slide.defaults], number=self.slide.number
        )
        return read_table(node, box, text_style, styles)

    def _preview(self, picture: XmlElement | None, box: Box, what: str) -> None:
        """The picture that stands for an object."""
        blip = picture.find(f"{P}blipFill") if picture is not None else None
        if blip is None:
            self.slide.omitted[what] += 1
        else:
            self.add_picture(blip, _ShapePlace(box), alt=what)

    def _related(self, identity: str) -> XmlElement | None:
        """The part of that relationship; None where it is elsewhere or damaged."""
        found = self.relationships.get(identity)
        try:
            return self.slide.package.xml(found.target) if found is not None and not found.external else None
        except DamagedError:
            return None

    def _chart(self, node: XmlElement, box: Box) -> None:
        root = self._related(node.get(_ID, ""))
        if root is None:
            self.slide.omitted["chart"] += 1
        else:
            self.slide.items.append(ChartItem(box=box, chart=parse_chart(root)))

    def _diagram(self, node: XmlElement, box: Box) -> None:
        """SmartArt by the drawing that PowerPoint keeps beside its data."""
        root = self._related(node.get(f"{R}dm", ""))
        drawing = drawing_of(root, self.slide.package, self.relationships.get) if root is not None else None
        drawn = list(drawing.iter(f"{DSP}sp")) if drawing is not None else []
        if not drawn:
            self.slide.omitted["SmartArt diagram"] += 1
        for shape in drawn:
            properties = shape.find(f"{DSP}spPr")
            place = properties.find(f"{A}xfrm") if properties is not None else None
            if place is None:
                continue
            at, size = place.find(f"{A}off"), place.find(f"{A}ext")
            left, top = box[0] + number_of(at, "x") / _EMU, box[1] + number_of(at, "y") / _EMU
            inner = (left, top, left + number_of(size, "cx") / _EMU, top + number_of(size, "cy") / _EMU)
            outline = outline_of(properties, inner[2] - inner[0], inner[3] - inner[1])
            turn = number_of(place, "rot") / 60000
            self._drawn(shape, (), _ShapePlace(inner, turn, outline), DSP, None, None)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count > 1 and not what.endswith('s') else ''}"
