"""The page of a Word document and the look of its usual styles (ECMA-376 part 1 §17.6.13, §17.7): size, colour, weight.

Not responsible for text, nor for formatting in the text itself, which its spans say."""

import re
from dataclasses import replace

from sidecar.api import DamagedError
from sidecar.toolkit.drawn.blocks import RunStyle
from sidecar.toolkit.drawn.flow import FlowStyle
from sidecar.toolkit.drawn.model import Align
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement
from sidecar_docx.qualified_names import W

_TWIPS = 20
_PAGE = re.compile(rb"<(?:\w+:)?(pgSz|pgMar)\b([^<>]*)>")
_LENGTH = re.compile(rb"\b(?:\w+:)?(w|h|left|top|right|bottom|start|end)\s*=\s*[\"'](-?\d{1,6})[\"']")
_MIN_SIDE, _MAX_SIDE = 144.0, 2400.0
_ALIGNED: dict[str, Align] = {"center": "center", "right": "right", "end": "right", "both": "justify"}
_HEADING = re.compile(r"heading ([1-6])$", re.IGNORECASE)
_MAX_ABOVE = 10
_ON = frozenset(("1", "true", "on"))


def read_flow_style(package: Package) -> FlowStyle:
    """The first section's page and the styles of body, headings and title; what cannot be read is as usual."""
    look = FlowStyle()
    try:
        main = package.main_part()
        look = _with_page(look, package.read(main))
        styles = next((found.target for found in package.related(main, "styles")), "word/styles.xml")
        return _with_styles(look, package.xml(styles))
    except DamagedError:
        return look


def _with_page(look: FlowStyle, data: bytes) -> FlowStyle:
    lengths: dict[bytes, dict[bytes, float]] = {}
    for found in _PAGE.finditer(data):
        lengths.setdefault(found[1], {key: int(value) / _TWIPS for key, value in _LENGTH.findall(found[2])})
        if len(lengths) > 1:
            break
    size, margins = lengths.get(b"pgSz", {}), lengths.get(b"pgMar", {})
    width, height = size.get(b"w", look.width), size.get(b"h", look.height)
    if not (_MIN_SIDE <= width <= _MAX_SIDE and _MIN_SIDE <= height <= _MAX_SIDE):
        return look
    left = margins.get(b"left", margins.get(b"start", 72.0))
    right = margins.get(b"right", margins.get(b"end", 72.0))
    edges = (abs(left), abs(margins.get(b"top", 72.0)), abs(right), abs(margins.get(b"bottom", 72.0)))
    return replace(look, width=width, height=height, margins=edges)


def _with_styles(look: FlowStyle, root: XmlElement) -> FlowStyle:
    styles = {style.get(f"{W}styleId", ""): style for style in root.iterchildren(f"{W}style")}
    body = _with_style(root.find(f"{W}docDefaults"), replace(look.body, size=10.0, after=0.0))
    headings, title = dict(look.headings), look.title
    named = {_name(style): style for style in styles.values() if style.get(f"{W}type") == "paragraph"}
    normal = next((style for style in named.values() if style.get(f"{W}default") in _ON), None)
    base = _with_style(normal, body)
    for name, style in named.items():
        level = _HEADING.match(name)
        if level is not None:
            headings[int(level[1])] = _inherited(style, styles, body)
        elif name.lower() == "title":
            title = _inherited(style, styles, body)
    return replace(look, body=base, headings=headings, title=title)


def _name(style: XmlElement) -> str:
    found = style.find(f"{W}name")
    return found.get(f"{W}val", "") if found is not None else ""


def _inherited(style: XmlElement, styles: dict[str, XmlElement], base: RunStyle) -> RunStyle:
    """The look of a style with what those above it say (§17.7.4.3)."""
    chain = [style]
    while len(chain) < _MAX_ABOVE:
        above = chain[-1].find(f"{W}basedOn")
        found = styles.get(above.get(f"{W}val", "")) if above is not None else None
        if found is None or found in chain:
            break
        chain.append(found)
    look = base
    for one in reversed(chain):
        look = _with_style(one, look)
    return look


def _with_style(style: XmlElement | None, look: RunStyle) -> RunStyle:
    """The look with what a style, or the document's defaults, change of it."""
    if style is None:
        return look
    parts = [part for name in ("rPr", "pPr") for part in (next(style.iter(f"{W}{name}"), None),) if part is not None]
    by_tag = {child.tag: child for part in parts for child in part.iterchildren("*")}

    def value(name: str, attribute: str = "val") -> str:
        node = by_tag.get(f"{W}{name}")
        return node.get(f"{W}{attribute}", "") if node is not None else ""

    def on(name: str, *, before: bool) -> bool:
        return value(name) not in ("0", "false", "off") if f"{W}{name}" in by_tag else before

    def length(name: str, attribute: str, before: float, parts: int) -> float:
        text = value(name, attribute)
        return min(int(text[:6]) / parts, 200.0) if text.isdecimal() else before

    colour = value("color")
    return replace(
        look, size=max(length("sz", "val", look.size, 2), 1.0),
        colour=f"#{colour.lower()}" if re.fullmatch("[0-9A-Fa-f]{6}", colour) else look.colour,
        bold=on("b", before=look.bold), italic=on("i", before=look.italic), align=_ALIGNED.get(value("jc"), look.align),
        before=length("spacing", "before", look.before, _TWIPS), after=length("spacing", "after", look.after, _TWIPS),
    )  # fmt: skip
