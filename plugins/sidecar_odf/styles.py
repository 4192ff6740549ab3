"""The styles that change what text means: bold, italic, struck, raised, hidden; heading, quotation, caption."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sidecar.api.model import SpanKind
from sidecar.toolkit.hidden import MIN_POINTS
from sidecar.toolkit.ooxml.hidden_text import WHITE, hex_colour, similar_colours
from sidecar.toolkit.xml import XmlElement
from sidecar_odf.names import DRAW, FO, LOEXT, PRESENTATION, STYLE, TEXT, points
from sidecar_odf.numbering import ListStyles

_ROLES = (
    ("quotation", "quote"), ("quote", "quote"), ("caption", "caption"), ("illustration", "caption"),
    ("figure", "caption"), ("subtitle", "subtitle"), ("title", "title"),
)  # fmt: skip
_NAME, _FAMILY = f"{STYLE}name", f"{STYLE}family"
_BACKGROUND, _FILL, _FILL_COLOUR = f"{FO}background-color", f"{DRAW}fill", f"{DRAW}fill-color"
_NONE = frozenset(("transparent", "none"))
_BACKGROUND_ELEMENTS = (
    f"{LOEXT}graphic-properties",  # of cells on slides, by LibreOffice
    *(f"{STYLE}{name}-properties" for name in ("paragraph", "table-cell", "graphic", "drawing-page", "page-layout")),
)
_TEXT, _PARAGRAPH, _PAGE = (f"{STYLE}{name}-properties" for name in ("text", "paragraph", "drawing-page"))
_PLACED = tuple(f"{STYLE}{kind}-properties" for kind in ("graphic", "table-row", "drawing-page"))
_USUAL_POINTS = 12.0
"""Of type whose size is not said beside the space between its letters."""
_FARTHEST_RAISED = 1_000
"""Per cent of their height by which words are raised off every page."""
UNKNOWN_COLOUR = -1
"""A background that is no one colour or is not known."""
NO_FILL = -2
"""What nothing is painted on."""
_CLEAR = -3
"""The background of a style that says it has none, whatever its parent has."""
_FAR, _FARTHEST = -400.0, 1_600.0
"""Points to the left of a place, or to the right of it, from which nothing is on the page."""
_NOTHING = frozenset(f"{share}%" for share in range(5))
"""Of their width or their ink: letters that cannot be read."""


@dataclass(frozen=True)
class _Style:
    parent: str
    spans: frozenset[SpanKind]
    display: str
    list_style: str | None
    """The list style of its paragraphs, "" for none; None where the style does not say."""
    numbered: bool | None
    """Whether a paragraph in a list shows its bullet or number; None where the style does not say."""
    colour: int | None
    highlight: int | None
    """Of the words themselves; None where the style does not say."""
    background: int | None = None
    """Behind the paragraph, cell, shape or page; None where the style does not say."""
    drawn: Mapping[str, str] = field(default_factory=dict[str, str])
    """The attributes of rows, frames, shapes and slides."""


class Styles:
    """Every named style of a document, common and automatic, by family and name, read when one is asked for."""

    def __init__(self, *roots: XmlElement | None) -> None:
        self._nodes: dict[tuple[str, str], XmlElement] = {}
        self._styles: dict[tuple[str, str], _Style] = {}
        self.lists = ListStyles()
        self._hidden_pages: set[str] = set()
        self._page_backgrounds: set[int] = set()
        self._layers: set[str] = set()
        self._masters: dict[str, XmlElement] = {}
        self._lines: dict[tuple[str, str], list[_Style]] = {}
        self._lost: dict[tuple[str, str, str, int], bool] = {}
        for root in roots:
            if root is not None:
                self._read(root)

    def spans(self, family: str, name: str) -> frozenset[SpanKind]:
        """What text in this style is, its ancestors counted."""
        found: set[SpanKind] = set()
        for style in self._line(family, name):
            found |= style.spans
        return frozenset(found)

    def is_invisible(self, family: str, name: str, paragraph: str, background: int) -> bool:
        """Whether words of a style, in a paragraph of one, have the colour of what is behind them."""
        key = family, name, paragraph, background
        if (lost := self._lost.get(key)) is None:
            lost = self._lost[key] = self._is_invisible(*key)
        return lost

    def _is_invisible(self, family: str, name: str, paragraph: str, background: int) -> bool:
        lines = [*self._line(family, name), *self._line("paragraph", paragraph), *self._line("paragraph", "")]
        colour = next((style.colour for style in lines if style.colour is not None), None)
        own = next((style.highlight for style in lines if style.highlight is not None), None)
        behind = self.background("paragraph", paragraph, background) if own is None else own
        return colour is not None and behind != UNKNOWN_COLOUR and similar_colours(colour, behind)

    def background(self, family: str, name: str, outer: int) -> int:
        """The colour behind what a style is of, that stands on `outer`; -1 where it is not told."""
        own = next((style.background for style in self._line(family, name) if style.background is not None), _CLEAR)
        return outer if own == _CLEAR else own

    def shape_background(self, shape: XmlElement, outer: int) -> int:
        """The colour behind a shape's words: of its own style or, of a placeholder, of the slide's design."""
        for family, space in (("graphic", DRAW), ("presentation", PRESENTATION)):
            name = shape.get(f"{space}style-name")
            if name:
                return self.background(family, name, outer)
        return outer

    def attribute_of(self, family: str, name: str, attribute: str) -> str:
        """An attribute of a style's properties, or of the style it is made from; "" for none."""
        for style in self._line(family, name):
            if (found := style.drawn.get(attribute)) is not None:
                return found
        return ""

    def is_flat_row(self, name: str) -> bool:
        """Whether rows of this style have no height in which words could be seen (§20.343)."""
        return 0 < points(self.attribute_of("table-row", name, f"{STYLE}row-height")) < MIN_POINTS

    def master(self, name: str) -> XmlElement | None:
        """The design that slides of this name are laid on (§16.9)."""
        return self._masters.get(name)

    @property
    def page(self) -> int:
        """The colour of the pages."""
        backgrounds = self._page_backgrounds or {WHITE}
        return next(iter(backgrounds)) if len(backgrounds) == 1 else UNKNOWN_COLOUR

    def is_hidden_layer(self, name: str) -> bool:
        """Whether a layer of drawings is not shown (ODF §10.2.3)."""
        return name in self._layers

    def role(self, name: str) -> str:
        """The `Paragraph.style` a paragraph style stands for."""
        for style in self._line("paragraph", name):
            shown = style.display.lower()
            for word, role in _ROLES:
                if word in shown:
                    return role
        return ""

    def is_unnumbered(self, name: str) -> bool:
        """Whether a paragraph style takes its paragraphs out of the outline's numbering (§19.510)."""
        styles = self._line("paragraph", name)
        return next((style.list_style == "" for style in styles if style.list_style is not None), False)

    def has_marker(self, list_style: str, level: int, paragraph: str) -> bool:
        """Whether an item at a list level (0-based) shows a bullet or number: slides keep plain text in lists too."""
        for style in self._line("paragraph", paragraph):
            if style.numbered is not None:
                return style.numbered
        return not self.lists.is_bare(list_style, level)

    def is_hidden_page(self, name: str) -> bool:
        """Whether slides of this style are not shown."""
        return name in self._hidden_pages

    def _line(self, family: str, name: str) -> list[_Style]:
        if (known := self._lines.get((family, name))) is not None:
            return known
        styles = self._lines[family, name] = []
        for _ in range(20):  # a parent may name its child
            style = self._style(family, name)
            if style is None:
                break
            styles.append(style)
            name = style.parent
        return styles

    def _style(self, family: str, name: str) -> _Style | None:
        key = family, name
        style = self._styles.get(key)
        if style is None and (node := self._nodes.get(key)) is not None:
            style = self._styles[key] = _read_style(node, name)
        return style

    def _read(self, root: XmlElement) -> None:
        self._layers |= {
            node.get(f"{DRAW}name", "") for node in root.iter(f"{DRAW}layer") if node.get(f"{DRAW}display") == "none"
        }
        self._masters |= {node.get(_NAME) or "": node for node in root.iter(f"{STYLE}master-page")}
        for node in root.iter(f"{STYLE}page-layout"):
            background = _background(node)
            self._page_backgrounds.add(WHITE if background is None or background == _CLEAR else background)
        for node in root.iter(f"{STYLE}style", f"{STYLE}default-style"):
            name, family = node.get(_NAME) or "", node.get(_FAMILY) or ""
            self._nodes.setdefault((family, name), node)
            if family == "drawing-page" and any(
                page.get(f"{PRESENTATION}visibility") == "hidden" for page in node.iterchildren(_PAGE)
            ):
                self._hidden_pages.add(name)
        self.lists.read(root)


def _read_style(node: XmlElement, name: str) -> _Style:
    spans: set[SpanKind] = set()
    colour: int | None = None
    highlight: int | None = None
    numbered: bool | None = None
    for properties in node:
        if properties.tag == _TEXT:
            spans |= _spans(properties)
            automatic = properties.get(f"{STYLE}use-window-font-color") == "true"
            colour = None if automatic else hex_colour((properties.get(f"{FO}color") or "").removeprefix("#"))
            highlight = hex_colour((properties.get(f"{FO}background-color") or "").removeprefix("#"))
            if properties.get(f"{STYLE}font-relief", "none") != "none":
                highlight = UNKNOWN_COLOUR  # edges in light and shade show what has the colour of the page
        elif properties.tag == _PARAGRAPH:
            enabled = properties.get(f"{TEXT}enable-numbering")
            spans |= {"hidden"} if _is_away(properties) else set()
            numbered = enabled == "true" if enabled else numbered
    drawn = {str(key): str(value) for part in node.iterchildren(*_PLACED) for key, value in part.attrib.items()}
    display = node.get(f"{STYLE}display-name") or name.replace("_20_", " ")
    parent = node.get(f"{STYLE}parent-style-name") or ""
    listed = node.get(f"{STYLE}list-style-name")
    return _Style(parent, frozenset(spans), display, listed, numbered, colour, highlight, _background(node), drawn)


def _background(style: XmlElement) -> int | None:
    """The background of what a style is of, -1 where it is more than one colour, `_CLEAR` where the style says that it
    has none; None where it says nothing."""
    found: int | None = None
    for properties in style.iterchildren(*_BACKGROUND_ELEMENTS):
        fill, colour = properties.get(_FILL), properties.get(_BACKGROUND)
        if fill is None and colour not in _NONE and colour is not None:
            return _rgb(colour)
        if fill == "solid":
            clear = properties.get(f"{DRAW}opacity", "100%") != "100%"
            return UNKNOWN_COLOUR if clear else _rgb(properties.get(_FILL_COLOUR))
        if fill is not None and fill not in _NONE:
            return UNKNOWN_COLOUR
        if fill is not None or colour is not None:
            found = _CLEAR
    return found


def _rgb(value: str | None) -> int:
    colour = hex_colour((value or "").removeprefix("#"))
    return UNKNOWN_COLOUR if colour is None else colour


def _is_away(properties: XmlElement) -> bool:
    """Whether a paragraph stands off the page, or its lines have no height."""
    height, left = properties.get(f"{FO}line-height") or "", points(properties.get(f"{FO}margin-left"))
    flat = bool(height) and not height.endswith("%") and height != "normal" and points(height) < MIN_POINTS
    return flat or not _FAR < left < _FARTHEST


def _spans(properties: XmlElement) -> set[SpanKind]:
    found: set[SpanKind] = set()
    weight = properties.get(f"{FO}font-weight") or ""
    if weight == "bold" or (weight.isdecimal() and int(weight[:4]) >= 600):
        found.add("bold")
    if properties.get(f"{FO}font-style") in ("italic", "oblique"):
        found.add("italic")
    if (properties.get(f"{STYLE}text-underline-style") or "none") != "none":
        found.add("underline")
    through = properties.get(f"{STYLE}text-line-through-style") or properties.get(f"{STYLE}text-line-through-type")
    if (through or "none") != "none":
        found.add("strike")
    size = properties.get(f"{FO}font-size") or ""
    automatic = properties.get(f"{STYLE}use-window-font-color") == "true"  # LibreOffice calls that clear
    shares = (properties.get(f"{STYLE}text-scale"), None if automatic else properties.get(f"{LOEXT}opacity"))
    heaped = 2 * points(properties.get(f"{FO}letter-spacing")) <= -(points(size) or _USUAL_POINTS)
    if (
        heaped
        or properties.get(f"{TEXT}display") == "none"
        or (not size.endswith("%") and 0 < points(size) < MIN_POINTS)
        or any(share in _NOTHING for share in shares)
    ):
        found.add("hidden")
    position = (properties.get(f"{STYLE}text-position") or "").split(" ")[0]
    if position.endswith("%") and position[:-1].isdecimal() and int(position[:9].rstrip("%")) >= _FARTHEST_RAISED:
        found.add("hidden")
    if position == "super" or (position.endswith("%") and position[:1].isdigit() and position != "0%"):
        found.add("sup")
    elif position == "sub" or position.startswith("-"):
        found.add("sub")
    return found
