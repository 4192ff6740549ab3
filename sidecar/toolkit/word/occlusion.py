"""Which words of a text lie behind a picture or filled shape that floats in front of them, as far as the places are
written: pictures and text boxes of one paragraph, and the paragraph's own words (ECMA-376 part 1 §20.4.2.3, RTF 1.9.1
"Word 97 through Word 2007 RTF for Drawing Objects (Shapes)", [MS-DOC] 2.9.253)."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sidecar.api import AnyBlock, Box, Note

_LINE, _LETTER = 15.0, 5.0
"""Points of a line's height and a letter's width in type of 11 pt."""
_WIDEST = 470.0
"""Points of a line of text on a usual page."""
_WRITTEN: Box = (72.0, 72.0, 540.0, 720.0)
"""Where text stands on a usual page, in points."""
_ALL_CHARACTERS = 1_000_000
_EDGE = 5.0
"""Points by which text may stand out from below a picture."""


class Floating(NamedTuple):
    """A drawing that hangs on a paragraph."""

    box: Box
    """In points from `frames`: "page", "margin", "column" or "paragraph", across and down."""
    frames: tuple[str, str]
    order: int
    """Its place in the stack: higher ones lie in front."""
    in_front: bool
    """Whether it lies in front of the text, which does not flow around it."""
    is_opaque: Callable[[], bool]
    """Whether nothing below it is seen; asked where it matters, since a picture is looked into."""


def covered_characters(one: Floating) -> int:
    """About how many characters of the paragraph that a drawing hangs on it covers, from the first on; 0 for none."""
    left, top, right, bottom = one.box
    if not one.in_front:
        return 0
    if one.frames == ("page", "page") and _holds(one.box, _WRITTEN):
        return _ALL_CHARACTERS if one.is_opaque() else 0
    if one.frames[1] != "paragraph" or one.frames[0] not in ("column", "margin") or left > _EDGE or top > _EDGE:
        return 0
    characters = int(max(bottom, 0.0) // _LINE) * int(min(right, _WIDEST) / _LETTER)
    return characters if characters > 0 and one.is_opaque() else 0


def is_behind(one: Floating, others: Iterable[Floating]) -> bool:
    """Whether a drawing lies wholly behind another one of its paragraph."""
    return any(
        other.in_front
        and other.frames == one.frames
        and other.order > one.order
        and _holds(other.box, one.box)
        and other.is_opaque()
        for other in others
    )


class Drawings:
    """The drawings that hang on the paragraph being read, with what each holds."""

    def __init__(self) -> None:
        self._all: list[tuple[Floating, Sequence[AnyBlock]]] = []

    def __len__(self) -> int:
        return len(self._all)

    def add(self, drawing: Floating, blocks: Sequence[AnyBlock]) -> None:
        """One more; `blocks` are among those that hang on the paragraph."""
        self._all.append((drawing, blocks))

    def cover(self, text: str) -> bool:
        """Whether the paragraph's words lie behind one."""
        return bool(self._all) and 0 < len(text) <= max(covered_characters(drawing) for drawing, _ in self._all)

    def end(self, blocks: list[AnyBlock]) -> list[AnyBlock]:
        """What hangs on the paragraph, which ends, boxes that lie behind another drawing hidden."""
        if not self._all:
            return blocks
        drawings = [drawing for drawing, _ in self._all]
        behind = {id(block) for one, held in self._all if is_behind(one, drawings) for block in held}
        self._all.clear()
        return [
            replace(block, hidden=True) if isinstance(block, Note) and id(block) in behind else block
            for block in blocks
        ]


def _holds(cover: Box, box: Box) -> bool:
    inside = cover[0] - _EDGE <= box[0] and box[2] <= cover[2] + _EDGE
    return inside and cover[1] - _EDGE <= box[1] and box[3] <= cover[3] + _EDGE
