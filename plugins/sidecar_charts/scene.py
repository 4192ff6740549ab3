"""What a drawn chart consists of: a few kinds of marks in pixels from the top left. Not responsible for any chart."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

INK, SOFT, GRID, PAPER = "#2b2f36", "#5b626d", "#e3e6ea", "#ffffff"
_PALETTE = (
    "#4c78a8", "#f58518", "#54a24b", "#e45756", "#72b7b2",
    "#b279a2", "#eeca3b", "#ff9da6", "#9d755d", "#8a8f98",
)  # fmt: skip
"""Ten colours that stay apart in print and for most colour-blind readers (Tableau 10 as tuned by Vega)."""

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points, or with `fill` an area."""

    points: Sequence[Point]
    stroke: str = ""
    fill: str = ""
    width: float = 1.0
    opacity: float = 1.0
    dash: bool = False


@dataclass(frozen=True, slots=True)
class Circle:
    """A filled circle; lengths in pixels."""

    x: float
    y: float
    radius: float
    fill: str
    opacity: float = 1.0
    stroke: str = ""


@dataclass(frozen=True, slots=True)
class SceneText:
    """One line of text; `y` is the middle of its height. `turn` in degrees, clockwise, about the anchor."""

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "start"
    colour: str = INK
    bold: bool = False
    turn: float = 0.0


@dataclass
class Scene:
    """What is drawn, in order, on a canvas of `width` by `height` pixels."""

    width: int
    height: int
    title: str = ""
    marks: list[Path | Circle | SceneText] = field(default_factory=list["Path | Circle | SceneText"])

    def line(self, x1: float, y1: float, x2: float, y2: float, *, ink: str = GRID, width: float = 1.0) -> None:
        """A straight line."""
        self.marks.append(Path(((x1, y1), (x2, y2)), stroke=ink, width=width))

    def rect(self, left: float, top: float, right: float, bottom: float, *, fill: str) -> None:
        """A filled rectangle."""
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        self.marks.append(Path(corners, fill=fill))


@dataclass(frozen=True)
class Area:
    """The rectangle left for the plot, in pixels; `size` is the size of ordinary text."""

    left: float
    top: float
    right: float
    bottom: float
    size: float


def colour(index: int) -> str:
    """The palette's colour of the series or slice with that index; it starts over after ten."""
    return _PALETTE[index % len(_PALETTE)]


def text_width(text: str, size: float) -> float:
    """About how wide a line is in pixels, in a common sans-serif; within a tenth for ordinary words."""
    total = 0.0
    for char in text:
        if char in "iljI.,:;'|!()[]ftr ":
            total += 0.32
        elif char in "mwMW@%—…":
            total += 0.9
        elif char.isdigit():
            total += 0.6
        elif ord(char) > 0x2E7F and unicodedata.east_asian_width(char) in "WF":
            total += 1.0
        else:
            total += 0.68 if char.isupper() else 0.56
    return total * size


def fitted(text: str, size: float, room: float) -> str:
    """The text, cut with an ellipsis where it is wider than `room` pixels; always one line."""
    text = " ".join(text.split())
    if len(text) > 400:
        text = text[:400]
    if text_width(text, size) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + "…", size) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


def wrapped(text: str, size: float, room: float, lines: int) -> list[str]:
    """The text on at most `lines` lines of `room` pixels, broken between words, the last one cut if need be."""
    words = " ".join(text.split()).split(" ")[:200]
    rows: list[str] = []
    while words and len(rows) < lines - 1:
        taken = 1
        while taken < len(words) and text_width(" ".join(words[: taken + 1]), size) <= room:
            taken += 1
        rows.append(fitted(" ".join(words[:taken]), size, room))
        words = words[taken:]
    if words:
        rows.append(fitted(" ".join(words), size, room))
    return [row for row in rows if row]
