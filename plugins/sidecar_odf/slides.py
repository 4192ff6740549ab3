"""Slides of presentations and pages of drawings (ODF 1.3 part 3, §9.2, §10): titles, shapes as they are read, comments,
edges and speaker notes. What shapes stand on, and which of them nobody sees: off the page, in a layer that is not
shown, or under a later shape that lets nothing through (§10.2: shapes are drawn in their order)."""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from sidecar.api.model import AnyBlock, Box, Heading, Note, Part, PartKind
from sidecar.toolkit.reading_order import reading_order
from sidecar.toolkit.visible import box_contains, boxes_overlap, union, visible
from sidecar.toolkit.xml import XmlElement, outermost
from sidecar_odf import frames
from sidecar_odf.content import ContentReader
from sidecar_odf.frames import box_of, is_away, is_opaque_picture
from sidecar_odf.names import DRAW, DRAWOOO, FO, OFFICE, PRESENTATION, STYLE, points
from sidecar_odf.objects import PackageObjects
from sidecar_odf.styles import NO_FILL, UNKNOWN_COLOUR, Styles

_COUNTED = re.compile(r"[^\W\d_]{3,}[ _]?\d+")
"""Names that programs give to slides ("page1", "Folie 2"); no reader sees them."""
_COMMENTS = (f"{OFFICE}annotation", "{http://openoffice.org/2009/office}annotation")
"""As ODF has it, and as LibreOffice writes it on slides."""
_EDGES = {edge: f"{PRESENTATION}{edge}-decl" for edge in ("footer", "date-time")}
_MAX_EDGE_CHARS = 1000
"""Of a text that each slide may use."""
_SQUARE = frozenset((f"{DRAW}rect", f"{DRAW}frame"))
_FILLED = tuple(
    f"{DRAW}{name}"
    for name in ("rect", "frame", "custom-shape", "ellipse", "circle", "polygon", "path", "regular-polygon", "caption")
)
_RECTANGLES = frozenset(("rectangle", "round-rectangle", "ooxml-rect", "ooxml-roundRect", "mso-spt202"))
"""The kinds of custom shapes (§19.229) that fill their box."""


def _is_square(shape: XmlElement) -> bool:
    geometry = shape.find(f"{DRAW}enhanced-geometry")
    return shape.tag in _SQUARE or (geometry is not None and geometry.get(f"{DRAW}type") in _RECTANGLES)


class _Edges:
    """What slides say at their edge: once for all that use it, where their design has a place for it (ODF 1.3 part 3,
    10.9.3)."""

    def __init__(self, content: XmlElement, styles: Styles) -> None:
        self._styles = styles
        self._said = {
            (node.tag, node.get(f"{PRESENTATION}name")): (node.text or "").strip()[:_MAX_EDGE_CHARS]
            for node in content.iter(*_EDGES.values())
            if node.get(f"{PRESENTATION}source", "fixed") == "fixed"  # not the day it is shown on
        }
        self._placed: dict[str, set[str]] = {}

    def of(self, page: XmlElement) -> Iterator[str]:
        """The texts of a slide's edge that are shown."""
        style, design = page.get(f"{DRAW}style-name") or "", page.get(f"{DRAW}master-page-name") or ""
        for edge, tag in _EDGES.items():
            text = self._said.get((tag, page.get(f"{PRESENTATION}use-{edge}-name")))
            shown = (
                text and self._styles.attribute_of("drawing-page", style, f"{PRESENTATION}display-{edge}") != "false"
            )
            if text and shown and edge in self._places(design):
                yield text

    def _places(self, design: str) -> set[str]:
        if design not in self._placed:
            master = self._styles.master(design)
            tags = [node.tag for node in master.iter()] if master is not None else []
            self._placed[design] = {edge for edge in _EDGES if f"{PRESENTATION}{edge}" in tags}
        return self._placed[design]


class _PageBackground:
    """The drawing order of one page and the colours of its shapes."""

    def __init__(self, page: XmlElement, styles: Styles, objects: PackageObjects, size: tuple[float, float]) -> None:
        self._styles, self._objects = styles, objects
        master = styles.master(page.get(f"{DRAW}master-page-name") or "")
        shapes = [node for node in page if isinstance(node.tag, str) and node.tag.startswith(DRAW)]
        self._shapes = [*_of_design(master), *shapes]
        self._places = {node: at for at, node in enumerate(self._shapes)}
        self._boxes = [box_of(node) for node in self._shapes]
        self._fills = [self._fill(node) for node in self._shapes]
        self._opaque: dict[int, bool] = {}  # each is compared with every other: what is asked of it is kept
        self._page: Box | None = (0.0, 0.0, *size) if min(size) > 0 else None
        self._background = styles.page
        for of in (master, page):
            name = of.get(f"{DRAW}style-name") or "" if of is not None else ""
            self._background = styles.background("drawing-page", name, self._background)
        self._moves = any(isinstance(node.tag, str) and node.tag.endswith("}par") for node in page)

    def behind(self, shape: XmlElement) -> int:
        """The colour below a shape; -1 where it is not told: within a group shapes may lie on others."""
        at = self._places[shape]
        if shape.tag == f"{DRAW}g" and any(self._colour(one) != NO_FILL for one in shape.iter(*_FILLED)):
            return UNKNOWN_COLOUR
        for below in range(at - 1, -1, -1):
            fill = self._fills[below]
            if fill != NO_FILL and boxes_overlap(self._boxes[below], self._boxes[at]):
                return fill if box_contains(self._boxes[below], self._boxes[at]) else UNKNOWN_COLOUR
        return self._background

    def hides(self, shape: XmlElement) -> bool:
        """Whether nobody sees a shape."""
        at = self._places[shape]
        box = self._boxes[at]
        if shape.get(f"{DRAWOOO}display") == "none" or self._styles.is_hidden_layer(shape.get(f"{DRAW}layer") or ""):
            return True
        if self._moves or (box is None and not is_away(shape)):
            return False
        return (box is None or not boxes_overlap(self._page, box)) or any(
            self._opaque.get(above, True) and box_contains(self._boxes[above], box) and self._is_opaque(above)
            for above in range(at + 1, len(self._shapes))
        )

    def _is_opaque(self, at: int) -> bool:
        if at not in self._opaque:
            shape = self._shapes[at]
            self._opaque[at] = (_is_square(shape) and self._fills[at] >= 0) or is_opaque_picture(shape, self._objects)
        return self._opaque[at]

    def _fill(self, shape: XmlElement) -> int:
        """The colour of a shape, -1 where it is not told; below that for one that is not filled."""
        return UNKNOWN_COLOUR if shape.tag == f"{DRAW}g" else self._colour(shape)

    def _colour(self, shape: XmlElement) -> int:
        has_picture = shape.find(f"{DRAW}image") is not None
        return UNKNOWN_COLOUR if has_picture else self._styles.shape_background(shape, NO_FILL)


def _of_design(master: XmlElement | None) -> list[XmlElement]:
    """What a design draws on each of its slides, below their own shapes: not its placeholders."""
    found = [] if master is None else [node for node in master if isinstance(node.tag, str)]
    return [node for node in found if node.tag.startswith(DRAW) and not node.get(f"{PRESENTATION}class")]


def read_pages(
    content: XmlElement, reader: ContentReader, styles: XmlElement | None, kind: PartKind, most: int
) -> tuple[Part, ...]:
    """The slides or pages below a document's body, at most `most`; their measures are in points."""
    width, height = _page_size(styles)
    edges = _Edges(content, reader.styles)
    parts: list[Part] = []
    for page in outermost(content, f"{DRAW}page"):
        if len(parts) >= most:
            break
        number = len(parts) + 1
        title, blocks = _page(page, reader, number, (width, height))
        blocks += [Note(kind="footer", text=text, page=number) for text in edges.of(page)]
        hidden = reader.styles.is_hidden_page(page.get(f"{DRAW}style-name") or "")
        parts.append(
            Part(
                kind=kind, title=title, blocks=tuple(blocks), hidden=hidden, width=width, height=height,
                name="" if _COUNTED.fullmatch(name := page.get(f"{DRAW}name") or "") else name,
            )
        )  # fmt: skip
    return tuple(parts)


def _page(
    page: XmlElement, reader: ContentReader, number: int, size: tuple[float, float]
) -> tuple[str, list[AnyBlock]]:
    """The title and blocks of a slide: the title first, then the shapes as they are read, then the speaker notes."""
    title = ""
    head: list[AnyBlock] = []
    drawn: list[tuple[Box | None, list[AnyBlock]]] = []
    notes: list[AnyBlock] = []
    background = _PageBackground(page, reader.styles, reader.objects, size)
    for shape in page:
        if not isinstance(shape.tag, str):
            continue
        inner = reader.inner()
        inner.page = number
        if shape.tag == f"{PRESENTATION}notes":
            notes += _speaker_notes(shape, inner, number)
        elif shape.tag in _COMMENTS:
            inner.comment(shape)
            notes += inner.after
        elif shape.tag.startswith(DRAW):
            inner.background = background.behind(shape)
            blocks = _shape(shape, inner)
            if background.hides(shape):
                blocks = [replace(block, hidden=True) for block in blocks]
            if shape.get(f"{PRESENTATION}class") == "title" and not title:
                title = " ".join(" ".join(frames.texts(blocks)).split())
                if title:
                    unseen = bool(blocks) and all(visible(block).hidden for block in blocks)
                    head.append(Heading(text=title, level=1, page=number, box=frames.box_of(shape), hidden=unseen))
                continue
            drawn.append((_around(shape), blocks))
    order = reading_order([box for box, _ in drawn])
    return title, [*head, *(block for at in order for block in drawn[at][1]), *notes]


def _speaker_notes(page: XmlElement, inner: ContentReader, number: int) -> list[AnyBlock]:
    """What is said beside slide `number`, of its page of notes; none where nothing is."""
    for frame in page.iter(f"{DRAW}frame"):
        # Frames without a class are boxes that someone drew; those of other classes are the edges of the page.
        spoken = frame.get(f"{PRESENTATION}class", "notes") == "notes"
        inner.blocks += _shape(frame, inner) if spoken else []
    return list(frames.notes_of(inner.blocks, "speaker", number))


def _around(shape: XmlElement) -> Box | None:
    """The place of a shape, or of those in a group."""
    if shape.tag != f"{DRAW}g":
        return box_of(shape)
    return union(box_of(node) for node in shape.iter() if isinstance(node.tag, str))


def _shape(shape: XmlElement, inner: ContentReader) -> list[AnyBlock]:
    frames.read_shape(shape, inner)
    blocks, inner.after = inner.after, []
    return blocks


def _page_size(styles: XmlElement | None) -> tuple[float, float]:
    if styles is None:
        return 0.0, 0.0
    sizes = [
        (points(node.get(f"{FO}page-width")), points(node.get(f"{FO}page-height")))
        for node in styles.iter(f"{STYLE}page-layout-properties")
    ]
    # The notes page has a layout too, upright where slides lie.
    return max(sizes, key=lambda size: size[0] / size[1] if size[1] else 0.0, default=(0.0, 0.0))
