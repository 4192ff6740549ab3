"""What stands behind the words of a slide's shapes, and which shapes nobody sees for what lies over them or for their
place ([MS-PPT] 2.5.1, 2.4.17; [MS-ODRAW] 2.2.13). What cannot be told hides nothing.
"""

from collections.abc import Sequence
from itertools import pairwise

from sidecar.api import Box
from sidecar.toolkit.ole.officeart import SHAPE, Shape, plain_colour, read_shape, records, walk
from sidecar.toolkit.visible import holds, meet
from sidecar_ppt.kinds import DRAWING, SLIDE_HEAD
from sidecar_ppt.shapes import Drawn, flat

_SCHEME, _COLOURS = 0x07F0, 1
"""The record of a slide's own colours and its instance (SlideSchemeColorSchemeAtom, [MS-PPT] 2.4.17)."""
_ANIMATED = frozenset((0x1014, 0xF144))
_MASTER_SCHEME, _MASTER_BACKGROUND = 2, 4
_BY_SCHEME = 0x08


class Ground:
    """The colours and the drawing order of one slide."""

    def __init__(self, slide: bytes, master: bytes, shapes: list[Drawn], width: float, height: float) -> None:
        head = next((record.content for record in records(slide) if record.kind == SLIDE_HEAD), b"")
        flags = int.from_bytes(head[20:22], "little")
        self.scheme = _scheme(master if flags & _MASTER_SCHEME else slide) or _scheme(master)
        self._page = _background(master if flags & _MASTER_BACKGROUND else slide)
        self._order = [shape for shape in flat(shapes) if not shape.is_group]
        self._slide: Box = (0.0, 0.0, width, height)
        self._moves = any(record.kind in _ANIMATED for record in walk(slide))

    def behind(self, shape: Drawn) -> int | None:
        """The colour that the words of a shape stand on; None where it is not told."""
        below = [other for other in self._order[: self._place(shape)] if meet(other.box, shape.box)]
        for one in (shape, *reversed(below)):
            if one.shape.picture or one.shape.filled is None:
                return None
            if one.shape.filled:
                return self._colour(one.shape) if one is shape or holds(one.box, shape.box) else None
        return self._colour(self._page) if self._page is not None else None

    def hides(self, shape: Drawn) -> bool:
        """Whether a shape stands off the slide or under one that lets nothing through, and nothing moves."""
        if shape.box is None or self._moves:
            return False
        above = self._order[self._place(shape) + 1 :]
        return not meet(self._slide, shape.box) or any(
            one.shape.is_square and one.shape.filled and not one.shape.hidden and one.shape.fill is not None
            and holds(one.box, shape.box) for one in above
        )  # fmt: skip

    def _place(self, shape: Drawn) -> int:
        return next((at for at, one in enumerate(self._order) if one is shape), 0)

    def _colour(self, shape: Shape) -> int | None:
        if shape.fill is None:
            return None
        number = shape.fill & 0xFF
        if shape.fill >> 24 == _BY_SCHEME:
            return self.scheme[number] if number < len(self.scheme) else None
        return plain_colour(shape.fill)


def _scheme(container: bytes) -> Sequence[int]:
    found = next((r.content for r in records(container) if r.kind == _SCHEME and r.instance == _COLOURS), b"")
    parts = [found[at:end] for at, end in pairwise(range(0, len(found) + 1, 4))]
    return [red << 16 | green << 8 | blue for red, green, blue, _ in parts]


def _background(container: bytes) -> Shape | None:
    """The shape that paints the whole slide: it stands in the drawing beside the tree of the others."""
    drawing = next((record for record in records(container) if record.kind == DRAWING), None)
    outer = next(records(drawing.content), None) if drawing is not None else None
    own = next((record for record in records(outer.content) if record.kind == SHAPE), None) if outer else None
    shape = read_shape(own.content) if own is not None else None
    return shape if shape is not None and shape.filled else None
