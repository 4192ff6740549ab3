"""The styles that change what text means: bold, italic, struck, raised, hidden; heading, quotation, caption."""

from __future__ import annotations

from dataclasses import dataclass

from sidecar.api.model import SpanKind
from sidecar.toolkit.hidden import LEAST_POINTS
from sidecar.toolkit.ooxml.hidden_text import WHITE, hex_colour, near
from sidecar.toolkit.xml import XmlElement
from sidecar_odf.names import DRAW, FO, LOEXT, PRESENTATION, STYLE, TEXT, points

__all__ = ["Styles"]

_ROLES = (
    ("quotation", "quote"), ("quote", "quote"), ("caption", "caption"), ("illustration", "caption"),
    ("figure", "caption"), ("subtitle", "subtitle"), ("title", "title"),
)  # fmt: skip
_GROUND, _FILL = f"{FO}background-color", f"{DRAW}fill"
_PLAIN = frozenset(("transparent", "none", "#ffffff"))
_NOTHING = frozenset(f"{share}%" for share in range(5))
"""Of their width or their ink: letters that cannot be read."""


@dataclass(frozen=True)
class _Style:
    parent: str
    spans: frozenset[SpanKind]
    display: str
    numbered: bool | None
    """Whether a paragraph in a list shows its bullet or number; None where the style does not say."""
    colour: int | None
    background: int | None
    """Of the words themselves; None where the style does not say."""


class Styles:
    """Every named style of a document, common and automatic, by family and name."""

    def __init__(self, *roots: XmlElement | None) -> None:
        self._styles: dict[tuple[str, str], _Style] = {}
        self._ordered: dict[tuple[str, int], tuple[str, str]] = {}
        self._bare: set[tuple[str, int]] = set()
        self._hidden_pages: set[str] = set()
        self._painted = False
        """Whether anything of the document has a ground of its own, on which white words may stand."""
        for root in roots:
            if root is not None:
                self._read(root)

    def spans(self, family: str, name: str) -> frozenset[SpanKind]:
        """What text in this style is, its ancestors counted."""
        found: set[SpanKind] = set()
        for style in self._line(family, name):
            found |= style.spans
        if family == "text" and self.is_lost(family, name):
            found.add("hidden")
        return frozenset(found)

    def is_lost(self, family: str, name: str) -> bool:
        """Whether words of a style have the colour of what is behind them, as far as that can be told."""
        line = self._line(family, name)
        colour = next((style.colour for style in line if style.colour is not None), None)
        behind = next((style.background for style in line if style.background is not None), None)
        if behind is None:
            behind = None if self._painted else WHITE
        return colour is not None and behind is not None and near(colour, behind)

    def role(self, name: str) -> str:
        """The `Paragraph.style` a paragraph style stands for."""
        for style in self._line("paragraph", name):
            shown = style.display.lower()
            for word, role in _ROLES:
                if word in shown:
                    return role
        return ""

    def marker(self, list_style: str, level: int) -> tuple[str, str] | None:
        """`(number format, suffix)` of a numbered list level (0-based), None for bullets."""
        return self._ordered.get((list_style, level + 1))

    def has_marker(self, list_style: str, level: int, paragraph: str) -> bool:
        """Whether an item at a list level (0-based) shows a bullet or number: slides keep plain text in lists too."""
        for style in self._line("paragraph", paragraph):
            if style.numbered is not None:
                return style.numbered
        return (list_style, level + 1) not in self._bare

    def is_hidden_page(self, name: str) -> bool:
        """Whether slides of this style are not shown."""
        return name in self._hidden_pages

    def _line(self, family: str, name: str) -> list[_Style]:
        styles: list[_Style] = []
        for _ in range(20):  # a parent may name its child
            style = self._styles.get((family, name))
            if style is None:
                break
            styles.append(style)
            name = style.parent
        return styles

    def _read(self, root: XmlElement) -> None:
        painted = (value for node in root.iter() for value in (node.get(_GROUND), node.get(_FILL)) if value)
        self._painted = self._painted or any(value not in _PLAIN for value in painted)
        for node in root.iter(f"{STYLE}style"):
            name, family = node.get(f"{STYLE}name") or "", node.get(f"{STYLE}family") or ""
            spans: set[SpanKind] = set()
            colour: int | None = None
            background: int | None = None
            for properties in node.iter(f"{STYLE}text-properties"):
                spans |= _spans(properties)
                colour = hex_colour((properties.get(f"{FO}color") or "").removeprefix("#"))
                background = hex_colour((properties.get(f"{FO}background-color") or "").removeprefix("#"))
            for properties in node.iter(f"{STYLE}drawing-page-properties"):
                if properties.get(f"{PRESENTATION}visibility") == "hidden":
                    self._hidden_pages.add(name)
            numbered: bool | None = None
            for properties in node.iter(f"{STYLE}paragraph-properties"):
                enabled = properties.get(f"{TEXT}enable-numbering")
                numbered = enabled == "true" if enabled else numbered
            display = node.get(f"{STYLE}display-name") or name.replace("_20_", " ")
            parent = node.get(f"{STYLE}parent-style-name") or ""
            self._styles.setdefault(
                (family, name), _Style(parent, frozenset(spans), display, numbered, colour, background)
            )
        for style in root.iter(f"{TEXT}list-style"):
            name = style.get(f"{STYLE}name") or ""
            for level in style.iter(f"{TEXT}list-level-style-number"):
                depth = level.get(f"{TEXT}level") or "1"
                kind = level.get(f"{STYLE}num-format") or ""
                if not depth.isdecimal():
                    continue
                if kind:
                    self._ordered[name, int(depth[:3])] = (kind, level.get(f"{STYLE}num-suffix") or "")
                else:
                    self._bare.add((name, int(depth[:3])))


def _spans(properties: XmlElement) -> set[SpanKind]:
    found: set[SpanKind] = set()
    weight = properties.get(f"{FO}font-weight") or ""
    if weight == "bold" or (weight.isdecimal() and int(weight[:4]) >= 600):
        found.add("bold")
    if properties.get(f"{FO}font-style") in ("italic", "oblique"):
        found.add("italic")
    if (properties.get(f"{STYLE}text-underline-style") or "none") != "none":
        found.add("underline")
    if (properties.get(f"{STYLE}text-line-through-style") or "none") != "none":
        found.add("strike")
    size = properties.get(f"{FO}font-size") or ""
    shares = (properties.get(f"{STYLE}text-scale"), properties.get(f"{LOEXT}opacity"))
    if (
        properties.get(f"{TEXT}display") == "none"
        or (not size.endswith("%") and 0 < points(size) < LEAST_POINTS)
        or any(share in _NOTHING for share in shares)
    ):
        found.add("hidden")
    position = (properties.get(f"{STYLE}text-position") or "").split(" ")[0]
    if position == "super" or (position.endswith("%") and position[:1].isdigit() and position != "0%"):
        found.add("sup")
    elif position == "sub" or position.startswith("-"):
        found.add("sub")
    return found
