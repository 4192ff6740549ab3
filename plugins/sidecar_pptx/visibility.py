"""What stands behind the text of a slide's shapes, so that text in the same colour is found: fills, shapes below, the
slide's background (ECMA-376 part 1 §19.3.1.1, §20.1.8). What cannot be told hides nothing."""

from collections.abc import Mapping
from functools import cached_property
from itertools import takewhile

from sidecar.api import Box, DamagedError
from sidecar.toolkit.ooxml.hidden_text import (
    USUAL_SCHEME,
    WHITE,
    DrawnText,
    HiddenText,
    drawn_colour,
    fill_of,
    similar_colours,
)
from sidecar.toolkit.ooxml.namespaces import A, transitional
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.visible import boxes_overlap
from sidecar.toolkit.xml import XmlElement, child_of, parse_xml
from sidecar_pptx.layouts import Layout
from sidecar_pptx.shapes import P, Shape, flat

_UNSTYLED = frozenset({"{2D5ABB26-0587-4C30-8999-92F81FD0307C}", "{5940675A-B579-460E-94D1-54222C63F5DA}"})
"""Table styles that paint nothing: "No Style, No Grid" and "No Style, Table Grid"."""
_BACKGROUND = f"{P}cSld/{P}bg"
_STYLE, _NO_FILL = f"{P}style", f"{A}noFill"
_TX_BODY, _LST_STYLE = f"{P}txBody", f"{A}lstStyle"
_PLAIN_STYLES = frozenset({"0", "1000"})
"""Indexes into the theme's fills that fill nothing (§20.1.4.1.17)."""


class Visibility:
    """What readers see of one slide; `hidden` counts what they do not."""

    def __init__(self, package: Package, root: XmlElement, layout: Layout | None, shapes: list[Shape]) -> None:
        self.hidden = HiddenText()
        self._package = package
        self._root = root
        self._layout = layout
        self._shapes = shapes
        self._scheme: Mapping[str, int] | None = None
        self._inherited: dict[Box | None, int | None] = {}

    def of(self, shape: Shape) -> DrawnText:
        """What is seen of a shape's text."""
        return DrawnText(
            self.hidden, lambda colour: self._behind(shape, colour), self.colour_of,
            lambda level: self._inherited_by(shape, level), lambda: self._usual(shape),
        )  # fmt: skip

    def _inherited_by(self, shape: Shape, level: int) -> list[XmlElement]:
        """What the layout's placeholder, and not the master's, gives a level of the text."""
        node = next(self._layout.chain(shape.place), None) if shape.place is not None and self._layout else None
        body = child_of(node, _TX_BODY) if node is not None else None
        styles = child_of(body, _LST_STYLE) if body is not None else None
        if styles is None or not len(styles):
            return []
        look = styles.find(f"{A}lvl{level + 1}pPr/{A}defRPr")
        return [] if look is None else [look]

    def _usual(self, shape: Shape) -> int | None:
        """The colour that the shape's style or the slide's own colour map gives words; None for what masters give."""
        style = child_of(shape.node, _STYLE)
        font = child_of(style, f"{A}fontRef") if style is not None else None
        if font is not None and len(font):
            return self.colour_of(font[0])
        return self._theme_colours().get("tx1") if self._own_map is not None else None

    @cached_property
    def _own_map(self) -> XmlElement | None:
        return self._root.find(f"{P}clrMapOvr/{A}overrideClrMapping")

    def of_cell(self, shape: Shape, table: XmlElement, cell: XmlElement) -> DrawnText:
        """What is seen of the text in a cell of the table in a frame."""
        filled, fill = fill_of(cell.find(f"{A}tcPr"), self.colour_of)
        style = table.findtext(f"{A}tblPr/{A}tableStyleId")
        if filled:
            return DrawnText(self.hidden, lambda _: fill, self.colour_of)
        if style is not None and style not in _UNSTYLED:
            return DrawnText(self.hidden, lambda _: None, self.colour_of)
        return self.of(shape)

    def of_notes(self) -> DrawnText:
        """What is seen of text on a notes page, which is white."""
        return DrawnText(self.hidden, lambda _: WHITE, lambda node: drawn_colour(node, USUAL_SCHEME))

    def colour_of(self, node: XmlElement) -> int | None:
        """A colour as 0xRRGGBB by the slide's theme; None where it cannot be told."""
        if node.tag != f"{A}schemeClr":
            return drawn_colour(node, {})
        if self._scheme is None:
            self._scheme = self._theme_colours()
        return drawn_colour(node, self._scheme)

    def _theme_colours(self) -> Mapping[str, int]:
        """The colours of the master's theme (§20.1.6.2) by the names its colour map gives them (§19.3.1.6)."""
        master = self._layout.master if self._layout is not None else None
        if self._layout is None or master is None or master.root is None:
            return USUAL_SCHEME
        themes = self._package.related(master.part, "theme")
        try:
            found = dict(self._package.shared(themes[0].target, _read_scheme)) if themes else {}
        except DamagedError:
            return USUAL_SCHEME
        own = self._own_map
        mapped = master.root.find(f"{P}clrMap") if own is None else own
        for name, target in mapped.attrib.items() if mapped is not None else ():
            if target in found:
                found[name] = found[target]
        return found or USUAL_SCHEME

    def _behind(self, shape: Shape, colour: int) -> int | None:
        """The background of a shape's text of that colour: the shape's own fill, what lies below it on the slide, the
        slide's background."""
        known, fill = self._fill(shape)
        if known:
            return fill
        earlier = takewhile(lambda other: other is not shape, flat(self._shapes))  # drawn before, so below
        below = [other for other in earlier if boxes_overlap(other.box, shape.box)]
        for other in reversed(below):
            if other.kind in ("picture", "frame"):
                return None
            known, fill = self._fill(other)
            if known:
                return fill
        own = self._root.find(_BACKGROUND)
        if own is not None:
            return self._painted(own)
        if not similar_colours(colour, WHITE):
            return None  # nearly every layout is light: dark text on it is not worth reading it for
        if shape.box not in self._inherited:
            self._inherited[shape.box] = self._layout_background(shape.box)
        return self._inherited[shape.box]

    def _fill(self, shape: Shape) -> tuple[bool, int | None]:
        """Whether anything is painted in a shape, its placeholder's fill included, and its colour (None: not told)."""
        filled, colour = fill_of(shape.look, self.colour_of)
        if filled:
            return True, colour
        style = child_of(shape.node, _STYLE)
        given = child_of(style, f"{A}fillRef") if style is not None else None
        unfilled = shape.look is not None and child_of(shape.look, _NO_FILL) is not None
        if given is not None and given.get("idx", "0") not in _PLAIN_STYLES and not unfilled:
            return True, None
        if shape.place is not None and self._layout is not None and not unfilled:
            for node in self._layout.chain(shape.place):
                filled, colour = fill_of(node.find(f"{P}spPr"), self.colour_of)
                if filled:
                    return True, colour
        return False, None

    def _layout_background(self, box: Box | None) -> int | None:
        """What the layout and its master put behind a place on the slide."""
        layout = self._layout
        while layout is not None:
            if layout.root is None:
                return None
            for shape in layout.shapes:
                painted = shape.kind == "picture" or self._fill(shape)[0]
                if shape.place is None and painted and boxes_overlap(shape.box, box):
                    return None
            own = layout.root.find(_BACKGROUND)
            if own is not None:
                return self._painted(own)
            layout = layout.master
        return WHITE

    def _painted(self, background: XmlElement) -> int | None:
        """The colour of a `p:bg`; None for pictures, gradients and what the theme's fills make of it."""
        reference = background.find(f"{P}bgRef")
        if reference is not None:
            return self.colour_of(reference[0]) if reference.get("idx") == "1001" and len(reference) else None
        filled, colour = fill_of(background.find(f"{P}bgPr"), self.colour_of)
        return colour if filled else WHITE


def _read_scheme(data: bytes, what: str, _how: str) -> Mapping[str, int]:
    """The colours of a theme part by their names in it."""
    scheme = parse_xml(transitional(data), what).find(f"{A}themeElements/{A}clrScheme")
    found: dict[str, int] = {}
    for node in scheme if scheme is not None else ():
        colour = drawn_colour(node[0], {}) if isinstance(node.tag, str) and len(node) else None
        if colour is not None:
            found[node.tag.rpartition("}")[2]] = colour
    return found
