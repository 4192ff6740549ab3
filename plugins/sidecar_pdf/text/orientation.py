"""Directions text runs in other than left to right: up, down, upside down, mirrored, or at any angle; and how boxes map
between a page as shown and the page turned so that such text reads level."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sidecar.api import Box
from sidecar_pdf.pdfium.geometry import PageFrame, Vector

_LEVEL = 0.05
"""The slope (about three degrees) up to which text counts as running along an axis of the page."""


class Orientation(NamedTuple):
    """A direction along the axes of the shown page (y down): where text runs to, and where its next line lies."""

    along_x: int
    along_y: int
    down_x: int
    down_y: int

    def box(self, box: Box) -> Box:
        """A shown box where the text reads level; coordinates may be negative."""
        x0, y0, x1, y1 = box
        a, b, c, d = self
        left, right, top, bottom = a * x0 + b * y0, a * x1 + b * y1, c * x0 + d * y0, c * x1 + d * y1
        if right < left:  # min and max cost more, and this runs for every word of a page
            left, right = right, left
        return (left, top, right, bottom) if top <= bottom else (left, bottom, right, top)

    def inverse(self) -> Orientation:
        """What takes boxes back."""
        return Orientation(self.along_x, self.down_x, self.along_y, self.down_y)


TURNS: Mapping[Orientation, int] = {
    Orientation(-1, 0, 0, -1): 180, Orientation(0, 1, -1, 0): 90, Orientation(0, -1, 1, 0): 270,
}  # fmt: skip
"""By how many degrees, counter-clockwise, a picture is turned to read level; what is mirrored does not."""

Direction = Orientation | int | None
"""An orientation, an angle in degrees (clockwise as shown) where text runs along no axis, or None where it is level."""


@dataclass(frozen=True)
class RotatedFrame(PageFrame):
    """The frame of a page whose text mostly runs another way, turned so that it reads level."""

    orientation: Orientation

    @classmethod
    def of(cls, frame: PageFrame, orientation: Orientation) -> RotatedFrame:
        """The frame of a page, turned by `orientation`."""
        width, height = (frame.height, frame.width) if orientation.along_x == 0 else (frame.width, frame.height)
        return cls(frame.left, frame.bottom, frame.right, frame.top, frame.rotation, width, height, orientation)

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """See `PageFrame.box`; in points of the page as it reads."""
        x0, y0, x1, y1 = self.orientation.box(super().box(left, bottom, right, top))
        across, down = self._offset
        return x0 + across, y0 + down, x1 + across, y1 + down

    def shown(self, box: Box) -> Box:
        """A box as it reads, back on the page as it is shown."""
        across, down = self._offset
        return self.orientation.inverse().box((box[0] - across, box[1] - down, box[2] - across, box[3] - down))

    def vector(self, x: float, y: float) -> Vector:
        """See `PageFrame.vector`."""
        x, y = super().vector(x, y)
        a, b, c, d = self.orientation
        return a * x + b * y, c * x + d * y

    @cached_property
    def _offset(self) -> tuple[float, float]:
        """What brings turned coordinates, which may be negative, to the page's corner."""
        return self.width if -1 in self.orientation[:2] else 0.0, self.height if -1 in self.orientation[2:] else 0.0


def direction_of(frame: PageFrame, along: Vector, up: Vector, *, flips: bool) -> Direction:
    """The direction of text that runs `along` in page space, its letters' tops `up` (see `Fonts.axes`). `flips` is
    false for fonts that may be defined upside down (Type 3), so that `up` says nothing."""
    if not along[1] and along[0] > 0 < up[1] and not frame.rotation and type(frame) is PageFrame:
        return None  # nearly all text
    ax, ay = frame.vector(*along)
    ux, uy = frame.vector(*up)
    if ax > 0 and abs(ay) <= _LEVEL * ax:
        return Orientation(1, 0, 0, -1) if flips and uy > 0 else None
    if ax == ay == 0:
        return None
    if abs(ay) <= _LEVEL * abs(ax):
        x, y = -1, 0
    elif abs(ax) <= _LEVEL * abs(ay):
        x, y = 0, 1 if ay > 0 else -1
    else:
        return round(math.degrees(math.atan2(ay, ax)))
    mirrored = flips and ax * uy - ay * ux > 0
    return Orientation(x, y, y, -x) if mirrored else Orientation(x, y, -y, x)
