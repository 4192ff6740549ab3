"""The words of an SVG drawing (SVG 2, chapters 3, 8, 11, 13 and 14) and which of them whoever looks at it does not see:
not drawn, without ink, in the colour of what is behind them, too small, outside the drawing or its clip, under a later
opaque shape. One walk in drawing order; what cannot be told hides nothing. Words are kept and flagged."""

import math
import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import NamedTuple

from sidecar.api.model import Span
from sidecar.toolkit.drawn.affine import IDENTITY, Affine, around, concatenated
from sidecar.toolkit.hidden import FAINT, Colour, colour_of, find_hidden, share_of, similar_colours
from sidecar.toolkit.markup.style_sheets import cascade
from sidecar.toolkit.ooxml.hidden_text import is_solid
from sidecar.toolkit.xml import XmlElement, outermost

_Box = tuple[float, float, float, float]
_WHITE: Colour = (255, 255, 255)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
_STEP = re.compile(r"(matrix|translate|scale|rotate)\s*+\(([^()]*+)\)")
_REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")\s]+)")
_NOT_DRAWN = frozenset(("clippath", "mask", "pattern", "marker", "lineargradient", "radialgradient", "filter"))
"""What is in these is used for drawing other things (§5.5)."""
_SHAPES = frozenset(("rect", "image", "circle", "ellipse", "path", "polygon"))
_INHERITED = ("fill", "stroke", "visibility", "font-size", "fill-opacity", "stroke-opacity")
_USUAL = {"fill": "black", "stroke": "none", "visibility": "visible", "font-size": "16"}
_MIN_PIXELS = 1.0
"""Pixels of type, as the drawing asks to be shown, under which nothing is read; readers zoom into drawings."""
_USUAL_WIDTH = 800.0
"""Pixels a drawing is shown in that does not say how large it is."""
_EM_WIDTH = 0.5
"""Of the size of type: an average letter's width."""
_BOXED = frozenset(("rect", "image", "circle", "ellipse"))
_EVERYWHERE: _Box = (-math.inf, -math.inf, math.inf, math.inf)
_SOLID = 1 - FAINT
_MIN_SHARE = 0.1
"""Of a text that a clip leaves; letters are narrower and lower than is reckoned here."""
_MAX_DEPTH = 200
_MAX_SHAPES = 2_000


class SvgText(NamedTuple):
    """A text of the drawing; "hidden" spans are what readers do not see."""

    text: str
    spans: tuple[Span, ...]


class _State(NamedTuple):
    style: Mapping[str, str]
    """The inherited properties."""
    matrix: Affine
    opacity: float
    gone: bool
    placed: bool
    """Whether the place on the drawing is known: what `use` draws stands elsewhere."""
    clip: _Box | None


class _SvgShape(NamedTuple):
    box: _Box
    colour: Colour | None
    """None for what is not a plain opaque colour."""
    opaque: bool
    order: int


class _Piece(NamedTuple):
    text: str
    hidden: bool
    box: _Box | None
    paints: list[Colour | str | None]
    """What it is drawn with."""
    order: int


def read_svg(root: XmlElement, behind: Colour | None = _WHITE) -> list[SvgText]:
    """The texts below an `svg`, in drawing order; its tags are in small letters and without namespace. `behind` is
    what the drawing stands on (None: not known)."""
    return _Drawing(root, behind).texts()


class _Drawing:
    def __init__(self, root: XmlElement, behind: Colour | None) -> None:
        self._root = root
        self._behind = behind
        self._declared = cascade(root)
        self._by_id = {name: node for node in root.iter() if isinstance(node.tag, str) and (name := node.get("id"))}
        self._used = {(_target(node) or "#")[1:] for node in root.iter("use")}
        self._shapes: list[_SvgShape] = []
        self._texts: list[list[_Piece]] = []
        self._order = 0
        width, height = _length(root.get("width")), _length(root.get("height"))
        view = _numbers(root.get("viewBox") or root.get("viewbox") or "")
        if len(view) != 4 or min(view[2:]) <= 0:
            view = [0.0, 0.0, width or math.inf, height or math.inf]
        self._view: _Box = (view[0], view[1], view[0] + view[2], view[1] + view[3])
        shown = width or _USUAL_WIDTH
        self._scale = shown / view[2] if math.isfinite(view[2]) else 1.0

    def texts(self) -> list[SvgText]:
        self._walk(self._root, _State(_USUAL, IDENTITY, 1.0, gone=False, placed=True, clip=None), 0)
        made: list[SvgText] = []
        for pieces in self._texts:
            text, spans = "", list[Span]()
            for piece in pieces:
                words = " ".join(piece.text.split())
                if not words:
                    continue
                start = len(text) + bool(text)
                text = f"{text} {words}" if text else words
                if piece.hidden or self._is_invisible(piece):
                    spans.append(Span("hidden", start, len(text)))
            if text:
                made.append(SvgText(text, tuple(spans)))
        return made

    def _walk(self, node: XmlElement, above: _State, depth: int) -> None:
        tag = node.tag
        if not isinstance(tag, str) or tag in ("title", "desc", "metadata", "style", "script"):
            return
        self._order += 1
        state = self._state(node, above)
        if tag == "text":
            self._texts.append(list(self._pieces(node, state, self._start(node, state, (0.0, 0.0)))))
        elif tag == "foreignobject":
            self._markup(node, state)
        elif tag in _SHAPES and not state.gone and len(self._shapes) < _MAX_SHAPES:
            self._shape(node, state)
        else:
            shown = state
            for child in node if depth < _MAX_DEPTH else node.iter("text"):
                self._walk(child, shown, depth + 1)
                if tag == "switch" and not any(name in child.attrib for name in _CONDITIONS):
                    shown = shown._replace(gone=True)  # the first that fits is drawn (§5.9)

    def _state(self, node: XmlElement, above: _State) -> _State:
        given = self._attributes(node)
        inherited = {name: given[name] for name in _INHERITED if name in given and given[name] != "inherit"}
        gone = above.gone or given.get("display") == "none" or self._is_masked(given.get("mask", ""))
        placed = above.placed
        if node.tag in ("defs", "symbol"):
            gone, placed = True, False
        elif node.tag in _NOT_DRAWN:
            gone = True
        if not placed and node.get("id") in self._used:
            gone = False
        if node.tag == "svg" and node is not self._root:
            gone = gone or 0.0 in (_length(node.get("width")), _length(node.get("height")))
        matrix = concatenated(_matrix(given.get("transform", "")), above.matrix)
        clip = self._clip(given.get("clip-path", ""), matrix)
        return _State(
            {**above.style, **inherited} if inherited else above.style, matrix,
            above.opacity * share_of(given.get("opacity")), gone, placed and given.get("transform-origin") is None,
            _common(clip, above.clip) if clip and above.clip else clip or above.clip,
        )  # fmt: skip

    def _attributes(self, node: XmlElement) -> dict[str, str]:
        """The attributes of an element under what sheets and its own style say (§6.3)."""
        given = {str(name): str(value) for name, value in node.attrib.items()}
        for declaration in self._declared(node).split(";"):
            name, _, value = declaration.partition(":")
            given[name.strip().lower()] = value.partition("!")[0].strip()
        return given

    def _pieces(self, node: XmlElement, state: _State, at: tuple[float, float]) -> Iterator[_Piece]:
        """The words of a `text` or `tspan`, those inside apart, beginning at a place in its own units."""
        if node.text:
            piece = self._piece(node.text, node, state, at)
            at = at[0] + _EM_WIDTH * _size(state) * len(node.text.strip()), at[1]
            yield piece
        for child in node:
            if isinstance(child.tag, str) and child.tag not in ("title", "desc"):
                inner = self._state(child, state)
                yield from self._pieces(child, inner, self._start(child, inner, at))
            if child.tail:
                yield self._piece(child.tail, node, state, at)

    def _start(self, node: XmlElement, state: _State, at: tuple[float, float]) -> tuple[float, float]:
        """Where its words begin, before its transform: `x`, `y`, `dx` and `dy` (§11.4)."""
        em = _size(state)
        x, y, dx, dy = (_length(node.get(name), em) for name in ("x", "y", "dx", "dy"))
        return (at[0] if x is None else x) + (dx or 0.0), (at[1] if y is None else y) + (dy or 0.0)

    def _piece(self, text: str, node: XmlElement, state: _State, at: tuple[float, float]) -> _Piece:
        size = _size(state)
        wide = _EM_WIDTH * size * len(text.strip())
        anchor = {"middle": wide / 2, "end": wide}.get(self._attributes(node).get("text-anchor", ""), 0.0)
        box = around(state.matrix, (at[0] - anchor, at[1] - size, at[0] - anchor + wide, at[1] + 0.2 * size))
        squeezed = _length(node.get("textLength") or node.get("textlength"))
        a, b, c, d, *_ = state.matrix
        hidden = (
            state.gone
            or state.opacity < FAINT
            or state.style["visibility"] in ("hidden", "collapse")
            or size * math.sqrt(abs(a * d - b * c)) * self._scale < _MIN_PIXELS
            or (squeezed is not None and squeezed < wide / 10)
            or (state.placed and not all(_share(box, window) > 0 for window in (self._view, state.clip or box)))
            or (state.placed and state.clip is not None and _share(box, state.clip) < _MIN_SHARE)
        )
        inks = [ink for ink in ("fill", "stroke") if _is_inked(state, ink)]
        paints = [paint for ink in inks for paint in self._paints(state.style[ink])]
        return _Piece(text, hidden or not inks, box if state.placed else None, paints, self._order)

    def _paints(self, value: str) -> Iterator[Colour | str | None]:
        """The colours of a paint (§13.2), those of a gradient each; what is not known among them."""
        reference = _REFERENCE.match(value)
        paint = self._by_id.get(reference[1]) if reference else None
        stops = paint.findall("stop") if paint is not None else []
        for one in [self._attributes(stop).get("stop-color", "black") for stop in stops] or [value]:
            yield colour_of(one.lower())

    def _shape(self, node: XmlElement, state: _State) -> None:
        """A painted shape: what is behind later words, and over earlier ones. Where it is not a rectangle it may be
        anywhere in what holds it."""
        given = self._attributes(node)
        if state.opacity < FAINT or state.style["visibility"] != "visible":
            return
        if node.tag != "image" and not _is_inked(state, "fill"):
            return
        x, y, wide, high = (_length(given.get(name)) or 0.0 for name in ("x", "y", "width", "height"))
        if node.tag in ("circle", "ellipse"):
            rx, ry = (_length(given.get(name)) or _length(given.get("r")) or 0.0 for name in ("rx", "ry"))
            cx, cy = _length(given.get("cx")) or 0.0, _length(given.get("cy")) or 0.0
            x, y, wide, high = cx - rx, cy - ry, 2 * rx, 2 * ry
        known = (
            state.placed and node.tag in _BOXED and not any(given.get(n, "").endswith("%") for n in ("width", "height"))
        )
        box = around(state.matrix, (x, y, x + wide, y + high)) if known else _EVERYWHERE
        solid = state.clip is None and state.opacity * share_of(state.style.get("fill-opacity")) > _SOLID
        colour = colour_of(state.style["fill"].lower()) if solid and known and node.tag == "rect" else None
        plain = colour if isinstance(colour, tuple) else None
        opaque = plain is not None or (solid and known and node.tag == "image" and _is_solid_image(node))
        self._shapes.append(_SvgShape(box, plain, opaque, self._order))

    def _is_invisible(self, piece: _Piece) -> bool:
        """Whether something opaque lies over words, or they have the colour of what is behind them."""
        if piece.box is None:
            return False
        seen = _common(piece.box, self._view)
        above = takewhile(lambda one: one.order > piece.order, reversed(self._shapes))
        if any(one.opaque and _share(seen, one.box) > _SOLID for one in above):
            return True
        under = (one for one in reversed(self._shapes) if one.order < piece.order and _share(seen, one.box) > 0)
        below = next(under, None)
        # What covers the words only in part leaves it open what they stand on.
        behind = self._behind if below is None else below.colour if _share(seen, below.box) > _SOLID else None
        if behind is None:
            return False
        return all(isinstance(paint, tuple) and similar_colours(paint, behind) for paint in piece.paints)

    def _markup(self, node: XmlElement, state: _State) -> None:
        """Paragraphs of HTML in the drawing (§12)."""
        unseen = find_hidden(node)
        for one in outermost(node, "p", "div", "span"):
            text = "".join(map(str, one.itertext()))
            hidden = state.gone or any(other in unseen for other in (one, *one.iterancestors()))
            self._texts.append([_Piece(text, hidden, None, [], self._order)])

    def _is_masked(self, mask: str) -> bool:
        """Whether a mask (§14.4) lets nothing through: all that is in it is black."""
        found = _REFERENCE.match(mask)
        node = self._by_id.get(found[1]) if found else None
        if node is None:
            return False
        inks = [colour_of(self._attributes(one).get("fill", "black").lower()) for one in node.iter(*_SHAPES)]
        return (
            all(isinstance(ink, tuple) and similar_colours(ink, (0, 0, 0)) for ink in inks)
            and node.find(".//image") is None
        )

    def _clip(self, clip: str, matrix: Affine) -> _Box | None:
        """The window of a clip path that is made of rectangles; None for none and for other ones."""
        found = _REFERENCE.match(clip)
        node = self._by_id.get(found[1]) if found else None
        if node is None or any(one.tag != "rect" for one in node):
            return None
        if "objectBoundingBox" in (node.get("clipPathUnits"), node.get("clippathunits")):
            return None
        edges = [[_length(rect.get(name)) or 0.0 for name in ("x", "y", "width", "height")] for rect in node]
        if not edges or any(rect.get("transform") for rect in node):
            return None
        return around(matrix, (
            min(edge[0] for edge in edges), min(edge[1] for edge in edges),
            max(edge[0] + edge[2] for edge in edges), max(edge[1] + edge[3] for edge in edges),
        ))  # fmt: skip


_CONDITIONS = ("requiredFeatures", "requiredExtensions", "systemLanguage")


def _is_inked(state: _State, ink: str) -> bool:
    return state.style[ink] not in ("none", "transparent") and share_of(state.style.get(f"{ink}-opacity")) >= FAINT


def _target(node: XmlElement) -> str | None:
    return node.get("href") or node.get("{http://www.w3.org/1999/xlink}href") or node.get("xlink:href")


def _is_solid_image(node: XmlElement) -> bool:
    """Whether an `image` has its picture in itself, without a pixel to look through."""
    head, _, data = (_target(node) or "").partition(";base64,")
    try:
        return head.startswith("data:") and is_solid(b64decode(data))
    except ValueError:
        return False


def _numbers(text: str) -> list[float]:
    return [float(one) for one in _NUMBER.findall(text[:500])]


def _length(text: str | None, em: float = 16.0) -> float | None:
    """The first length of an attribute in pixels; None where there is none, and for shares of something."""
    found = _NUMBER.match((text or "").strip())
    if found is None or (text or "").strip().endswith("%"):
        return None
    unit = _UNIT.match((text or "").strip()[found.end() :])
    return float(found[0]) * {"em": em, **_PIXELS}.get(unit[0] if unit else "", 1.0)


_UNIT = re.compile(r"[a-z]+")
_PIXELS = {"pt": 96 / 72, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "pc": 16.0}


def _size(state: _State) -> float:
    return _length(state.style["font-size"]) or (0.0 if state.style["font-size"].startswith("0") else 16.0)


def _matrix(transform: str) -> Affine:
    """What a `transform` makes of coordinates (CSS Transforms 1, §8); steps that are not understood move nothing."""
    made = IDENTITY
    for name, values in _STEP.findall(transform):
        v = _numbers(values)
        made = concatenated(_STEPS[name](v), made) if v else made
    return made


def _turned(v: list[float]) -> Affine:
    cos, sin = math.cos(math.radians(v[0])), math.sin(math.radians(v[0]))
    x, y = (v[1], v[2]) if len(v) > 2 else (0.0, 0.0)
    return cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y


_STEPS: Mapping[str, Callable[[list[float]], Affine]] = {
    "matrix": lambda v: (v[0], v[1], v[2], v[3], v[4], v[5]) if len(v) == 6 else IDENTITY,
    "translate": lambda v: (1.0, 0.0, 0.0, 1.0, v[0], v[1] if len(v) > 1 else 0.0),
    "scale": lambda v: (v[0], 0.0, 0.0, v[1] if len(v) > 1 else v[0], 0.0, 0.0),
    "rotate": _turned,
}


def _common(one: _Box, other: _Box) -> _Box:
    """What two boxes have in common: a box turned inside out for nothing."""
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def _share(box: _Box, of: _Box) -> float:
    """How much of a box lies in another."""
    common = _common(box, of)
    wide, high = common[2] - common[0], common[3] - common[1]
    area = (box[2] - box[0]) * (box[3] - box[1])
    if wide < 0 or high < 0:
        return 0.0
    return wide * high / area if area else 1.0
