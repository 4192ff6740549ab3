"""What an RTF file says of a shape (RTF 1.9.1, "Word 97 through Word 2007 RTF for Drawing Objects (Shapes)"): where it
stands and what its words stand on, so that words nobody sees are told. Drawing it is nobody's job here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sidecar.api import Box
from sidecar.toolkit.hidden import MIN_POINTS, Colour
from sidecar.toolkit.ooxml.hidden_text import is_solid
from sidecar.toolkit.word.conventions import OFF_PAGE
from sidecar.toolkit.word.occlusion import Floating
from sidecar.toolkit.word.story import Story

_TWIPS = 20.0
"""Of a point."""
_PICTURE, _PLAIN = "75", ("1", "2", "202")
"""Types of shapes: picture frame; rectangle, round rectangle, text box."""
_ACROSS: Mapping[str, str] = {"0": "margin", "1": "page", "2": "column"}
_DOWN: Mapping[str, str] = {"0": "margin", "1": "page", "2": "paragraph", "3": "paragraph"}
_FRAMES: Mapping[str, tuple[str, str]] = {
    "shpbxpage": ("across", "page"), "shpbxmargin": ("across", "margin"), "shpbxcolumn": ("across", "column"),
    "shpbypage": ("down", "page"), "shpbymargin": ("down", "margin"), "shpbypara": ("down", "paragraph"),
}  # fmt: skip
_EDGES = ("shpleft", "shptop", "shpright", "shpbottom")
_IN_FRONT = 3
"""The kind of wrapping by which text goes on as if the shape were not there."""


@dataclass
class RtfShape:
    """A shape as far as it was read."""

    hidden: bool = False
    background: Colour | None = None
    """The colour it is filled with, where the file says it."""
    picture: Callable[[], bytes] = bytes
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    properties: dict[str, str] = field(default_factory=dict[str, str])

    def word(self, word: str, number: int | None) -> None:
        """A control word of its own."""
        if word in _FRAMES:
            axis, frame = _FRAMES[word]
            self.properties.setdefault(axis, frame)
        else:
            self.numbers[word] = number or 0

    def say(self, name: str, value: str) -> None:
        """A property by its name."""
        if name == "fHidden" and value == "1":
            self.hidden = True
        elif name == "fillColor" and value.isdecimal() and len(value) < 10:
            number = int(value)  # blue, green, red
            self.background = (number & 255, number >> 8 & 255, number >> 16 & 255)
        elif name in ("posrelh", "posrelv"):
            frames, axis = (_ACROSS, "across") if name == "posrelh" else (_DOWN, "down")
            self.properties[axis] = frames.get(value, "")
        elif name in ("shapeType", "fFilled", "fFitShapeToText", "fillType", "fillOpacity"):
            self.properties[name] = value

    @property
    def is_unseen(self) -> bool:
        """Whether its words are not seen: it is hidden, off the page, or without room for a word."""
        edges = self.numbers
        sides = [
            edges[end] - edges[start]
            for start, end in zip(_EDGES[:2], _EDGES[2:], strict=True)
            if start in edges and end in edges
        ]
        grows = self.properties.get("fFitShapeToText") == "1"
        flat = not grows and any(0 <= side < MIN_POINTS * _TWIPS for side in sides)
        return self.hidden or flat or min(edges.get("shpright", 0), edges.get("shpbottom", 0)) < OFF_PAGE

    def floating(self, number: int) -> Floating | None:
        """It as a drawing, the `number`th of its paragraph; None where its place is not told."""
        if any(edge not in self.numbers for edge in _EDGES):
            return None
        left, top, right, bottom = (self.numbers[edge] / _TWIPS for edge in _EDGES)
        box: Box = (left, top, right, bottom)
        frames = self.properties.get("across", ""), self.properties.get("down", "")
        in_front = self.numbers.get("shpwr") == _IN_FRONT and not self.numbers.get("shpfblwtxt")
        return Floating(box, frames, self.numbers.get("shpz", number), in_front, self._is_opaque)

    def _is_opaque(self) -> bool:
        properties = self.properties.get
        if properties("shapeType") == _PICTURE:
            return is_solid(self.picture())
        plain = (
            properties("shapeType") in _PLAIN
            and properties("fFilled", "1") != "0"
            and properties("fillType", "0") == "0"
        )
        return plain and self.background is not None and properties("fillOpacity", "65536") == "65536"


SHAPE_WORDS = frozenset((*_EDGES, *_FRAMES, "shpwr", "shpz", "shpfblwtxt"))
"""Control words that say something of a shape."""


def begin_shape(story: Story) -> tuple[RtfShape, Callable[[], None]]:
    """A shape that hangs on the paragraph being read, and what its end has to do."""
    shape, before = RtfShape(), len(story.after)

    def end() -> None:
        drawing = shape.floating(len(story.drawings))
        if drawing is not None:
            story.drawings.add(drawing, story.after[before:])

    return shape, end
