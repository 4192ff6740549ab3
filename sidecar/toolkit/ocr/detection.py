"""Finds lines of text in a picture with a segmentation network: differentiable binarization (Liao et al., "Real-time
Scene Text Detection with Differentiable Binarization", AAAI 2020), whose map of probabilities is read here without an
image library. What the lines say is `recognition`'s business."""

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sidecar.api import Box

Floats = NDArray[np.float32]
_Integers = NDArray[np.int64]

# As the network was trained and is published with (its inference.yml).
_MEAN, _DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
_STEP: Final = 32
"""Sides of the picture are multiples of it."""
_THRESHOLD: Final = 0.2
"""Probability from which on a pixel is text."""
_MIN_SCORE: Final = 0.4
"""Mean probability of a line that is kept."""
_UNCLIP: Final = 1.4
"""Times its area over its perimeter by which a line is wider than what the network marks of it."""
_MIN_SIDE: Final = 3.0
"""Pixels of the map; less is a speck."""
_MAX_SIDE: Final = 1280
"""Pixels of the longer side of what lines are looked for in: on pages of small print (8 points) 960 lose a word in a
hundred, 1,600 gain none (tests/bench/formats/scans.py)."""
# Chosen on the corpus's scans (tests/bench/formats/scans.py).
_LONG: Final = 2.5
"""Times its height that a line is long whose own slope is believed."""
_LEVEL: Final = math.radians(0.3)
"""Slopes below it are none."""


class TextLine(NamedTuple):
    """A line as a rectangle about its middle, in pixels; `slope` in radians, clockwise as seen, y downwards."""

    x: float
    y: float
    length: float
    height: float
    slope: float

    @property
    def left(self) -> float:
        """Of the box around it, in pixels, as are the other three."""
        return self.x - self._half_width

    @property
    def right(self) -> float:
        """See `left`."""
        return self.x + self._half_width

    @property
    def top(self) -> float:
        """See `left`."""
        return self.y - self._half_height

    @property
    def bottom(self) -> float:
        """See `left`."""
        return self.y + self._half_height

    @property
    def upright(self) -> bool:
        """Whether it runs up or down."""
        return abs(self.slope) > math.pi / 4

    def turned(self, angle: float) -> "TextLine":
        """It on a picture that is turned by `angle` radians about its corner, clockwise as seen."""
        cosine, sine = math.cos(angle), math.sin(angle)
        slope = self.slope + angle
        x, y = self.x * cosine - self.y * sine, self.x * sine + self.y * cosine
        return TextLine(x, y, self.length, self.height, slope if abs(slope) >= _LEVEL else 0.0)

    def part(self, start: float, top: float, end: float, bottom: float) -> Box:
        """The box of a part of it, given in shares of its length and height; what lies on a slope is taken to be as
        high as it would be level."""
        along, across = ((start + end) / 2 - 0.5) * self.length, ((top + bottom) / 2 - 0.5) * self.height
        x = self.x + along * math.cos(self.slope) - across * math.sin(self.slope)
        y = self.y + along * math.sin(self.slope) + across * math.cos(self.slope)
        width, height = (end - start) * self.length, (bottom - top) * self.height
        if self.upright:
            width, height = height, width
        return x - width / 2, y - height / 2, x + width / 2, y + height / 2

    @property
    def _half_width(self) -> float:
        return (abs(self.length * math.cos(self.slope)) + abs(self.height * math.sin(self.slope))) / 2

    @property
    def _half_height(self) -> float:
        return (abs(self.length * math.sin(self.slope)) + abs(self.height * math.cos(self.slope))) / 2


def find_lines(run: Callable[[Floats], Floats], image: Image.Image) -> list[TextLine]:
    """The lines of a picture in shades of grey, which is looked at with its longer side at most `_MAX_SIDE`.
    `run` gives the map of probabilities, (height, width), for a picture of shape (1, 3, height, width)."""
    scale = min(1.0, _MAX_SIDE / max(image.size))
    width, height = (max(round(side * scale / _STEP), 1) * _STEP for side in image.size)
    small = image.resize((width, height), Image.Resampling.BILINEAR, reducing_gap=2.0)
    shades = np.asarray(small, np.float32) / 255.0
    pixels = np.stack([(shades - mean) / deviation for mean, deviation in zip(_MEAN, _DEVIATION, strict=True)])
    across, down = image.width / width, image.height / height
    return [
        TextLine(x * across, y * down, length * across, tall * down, slope)
        for x, y, length, tall, slope in _rectangles(run(pixels[None].astype(np.float32)))
    ]


def _rectangles(probability: Floats) -> list[TextLine]:
    """A rectangle around each group of connected pixels that are text, in pixels of the map."""
    rows, starts, ends = _runs(probability > _THRESHOLD)
    if not len(rows):
        return []
    groups = _connected(rows, starts, ends)
    count = int(groups.max()) + 1
    sums = np.concatenate([np.zeros((probability.shape[0], 1)), np.cumsum(probability, 1, np.float64)], 1)
    widths = (ends - starts).astype(np.float64)

    def total(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(groups, values, count).astype(np.float64)

    area = total(widths)
    score = total(sums[rows, ends] - sums[rows, starts]) / area
    middle = (starts + ends) / 2
    x, y = total(middle * widths) / area, total((rows + 0.5) * widths) / area
    off_x, off_y = middle - x[groups], rows + 0.5 - y[groups]
    spread_x = total(widths * off_x**2 + widths * (widths**2 - 1) / 12) / area
    spread_y, both = total(widths * off_y**2) / area, total(widths * off_x * off_y) / area
    slope = 0.5 * np.arctan2(2 * both, spread_x - spread_y)
    root = np.sqrt((spread_x - spread_y) ** 2 + 4 * both**2)
    long = spread_x + spread_y + root > _LONG**2 * (spread_x + spread_y - root)
    upright = np.where(spread_y > spread_x, math.pi / 2, 0.0)
    near = np.where(np.abs(slope) < _LEVEL, 0.0, np.where(math.pi / 2 - np.abs(slope) < _LEVEL, math.pi / 2, slope))
    slope = np.where(long, near, np.where(spread_y > _LONG * spread_x, upright, 0.0))
    return _boxes((rows, starts, ends), groups, slope, score)


def _boxes(
    runs: tuple[_Integers, _Integers, _Integers],
    groups: _Integers,
    slope: NDArray[np.float64],
    score: NDArray[np.float64],
) -> list[TextLine]:
    """The extent of each group along its slope and across it, widened to what the network was trained to leave out."""
    rows, starts, ends = runs
    cosine, sine = np.cos(slope)[groups], np.sin(slope)[groups]
    low, high = np.full((2, len(slope)), np.inf), np.full((2, len(slope)), -np.inf)
    for across in (starts, ends):
        for down in (rows, rows + 1):
            for axis, at in enumerate((across * cosine + down * sine, down * cosine - across * sine)):
                np.minimum.at(low[axis], groups, at)
                np.maximum.at(high[axis], groups, at)
    lines: list[TextLine] = []
    for one in range(len(slope)):
        length, height = (high[:, one] - low[:, one]).tolist()
        if score[one] < _MIN_SCORE or min(length, height) < _MIN_SIDE:
            continue
        u, v = ((high[:, one] + low[:, one]) / 2).tolist()
        turn = float(slope[one])
        wider = 2 * length * height * _UNCLIP / (2 * (length + height))
        lines.append(
            TextLine(
                u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn),
                length + wider, height + wider, turn,
            )
        )  # fmt: skip
    return lines


def _runs(mask: NDArray[np.bool_]) -> tuple[_Integers, _Integers, _Integers]:
    """(row, first, behind the last) of each run of true pixels, row by row."""
    framed = np.zeros((mask.shape[0], mask.shape[1] + 2), np.int8)
    framed[:, 1:-1] = mask
    change = np.diff(framed, axis=1)
    rows, starts = np.nonzero(change == 1)
    return rows, starts, np.nonzero(change == -1)[1]


def _connected(rows: _Integers, starts: _Integers, ends: _Integers) -> _Integers:
    """The group of each run, numbered from 0: runs of neighbouring rows that touch, corners included, are one group
    (union-find over runs; Wu, Otoo & Suzuki 2009)."""
    parent = list(range(len(rows)))

    def root(one: int) -> int:
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    row, start, end = rows.tolist(), starts.tolist(), ends.tolist()
    above = 0
    for at in range(len(row)):
        while row[above] < row[at] - 1 or (row[above] == row[at] - 1 and end[above] < start[at]):
            above += 1
        other = above
        while row[other] == row[at] - 1 and start[other] <= end[at]:
            parent[root(other)] = root(at)
            other += 1
    roots = [root(one) for one in range(len(row))]
    return np.unique(np.array(roots), return_inverse=True)[1]
