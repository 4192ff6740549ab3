"""What the shapes of a slide or page stand on, and which of them nobody sees: off the page, in a layer that is not
shown, or under a later shape that lets nothing through (ODF 1.3 part 3, §10.2: shapes are drawn in their order).
"""

from sidecar.api import Box
from sidecar.toolkit.visible import holds, meet
from sidecar.toolkit.xml import XmlElement
from sidecar_odf.frames import box_of, is_away
from sidecar_odf.names import DRAW
from sidecar_odf.styles import NOT_TOLD, Styles

_SQUARE = frozenset((f"{DRAW}rect", f"{DRAW}frame"))
_RECTANGLES = frozenset(("rectangle", "round-rectangle", "ooxml-rect", "ooxml-roundRect", "mso-spt202"))
"""The kinds of custom shapes (§19.229) that fill their box."""
NO_FILL = -2
"""What nothing is painted on."""


def _is_square(shape: XmlElement) -> bool:
    geometry = shape.find(f"{DRAW}enhanced-geometry")
    return shape.tag in _SQUARE or (geometry is not None and geometry.get(f"{DRAW}type") in _RECTANGLES)


class PageGround:
    """The drawing order of one page and the colours of its shapes."""

    def __init__(self, page: XmlElement, styles: Styles, size: tuple[float, float]) -> None:
        self._styles = styles
        self._shapes = [node for node in page if isinstance(node.tag, str) and node.tag.startswith(DRAW)]
        self._boxes = [box_of(node) for node in self._shapes]
        self._page: Box | None = (0.0, 0.0, *size) if min(size) > 0 else None
        self._ground = styles.ground("drawing-page", page.get(f"{DRAW}style-name") or "", styles.page)
        self._moves = any(isinstance(node.tag, str) and node.tag.endswith("}par") for node in page)

    def behind(self, shape: XmlElement) -> int:
        """The colour below a shape; -1 where it is not told."""
        at = self._shapes.index(shape)
        for below in range(at - 1, -1, -1):
            if meet(self._boxes[below], self._boxes[at]):
                fill = self._fill(below)
                if fill != NO_FILL:
                    return fill if holds(self._boxes[below], self._boxes[at]) else NOT_TOLD
        return self._ground

    def hides(self, shape: XmlElement) -> bool:
        """Whether nobody sees a shape."""
        at = self._shapes.index(shape)
        box = self._boxes[at]
        if self._styles.is_hidden_layer(shape.get(f"{DRAW}layer") or ""):
            return True
        if self._moves or (box is None and not is_away(shape)):
            return False
        return (box is None or not meet(self._page, box)) or any(
            _is_square(self._shapes[above]) and self._fill(above) >= 0 and holds(self._boxes[above], box)
            for above in range(at + 1, len(self._shapes))
        )

    def _fill(self, at: int) -> int:
        """The colour of a shape, -1 where it is not told; below that for one that is not filled."""
        shape = self._shapes[at]
        if shape.find(f"{DRAW}image") is not None or shape.tag == f"{DRAW}g":
            return NOT_TOLD
        return self._styles.ground("graphic", shape.get(f"{DRAW}style-name") or "", NO_FILL)
