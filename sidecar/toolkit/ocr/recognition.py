"""Reads a line of text with a network that gives a character for each step along it: connectionist temporal
classification (Graves et al., ICML 2006), decoded greedily, with a box for every word."""

import math
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from sidecar.toolkit.ocr.detection import Floats, TextLine

_HEIGHT: Final = 48
"""Pixels of a line as the network reads it."""
_MAX_LENGTH, _MIN_LENGTH = 3200, 48
"""Pixels of a line's length: the longest the network is published for, and enough for one character."""
_INK: Final = 0.35
"""Of the way from the darkest to the lightest shade of a line, below which there is ink."""
_MIN_BLANKS, _MIN_BLANK = 2, 5
"""Blanks that tell how wide one of the line is; pixels of one, at least."""
_AS_BLANK, _AS_BLANK_NARROW = 0.9, 1.4
"""Times the usual blank that white is one; beside characters that leave white around them."""
_NARROW: Final = frozenset("1ijlrtfIJ|/()[]{}!:;.'\"-")
_IDEOGRAPHS: Final = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN_SIGNS: Final = str.maketrans("。，、：；！？（）［］", ".,,:;!?()[]")
"""The network tells full stops of Chinese and English apart by their place only; the letters of a line tell better."""


_Char = tuple[str, int, float]
"""A character, the step along the line where it was found, and the network's confidence."""


class LineWord(NamedTuple):
    """A word with its extent along and across its line in shares of the line, and the network's confidence, 0 to 1."""

    text: str
    start: float
    end: float
    top: float
    bottom: float
    confidence: float


def straightened(image: Image.Image, line: TextLine) -> Image.Image:
    """The line's picture, level and as high as the network reads it."""
    length = min(max(round(line.length * _HEIGHT / line.height), _MIN_LENGTH), _MAX_LENGTH)
    if not line.slope:
        x, y = line.x - line.length / 2, line.y - line.height / 2
        box = max(x, 0.0), max(y, 0.0), min(x + line.length, image.width), min(y + line.height, image.height)
        return image.resize((length, _HEIGHT), Image.Resampling.BICUBIC, box=box)
    cosine, sine = math.cos(line.slope), math.sin(line.slope)
    width, height = max(round(line.length), 1), max(round(line.height), 1)
    left = line.x - (width * cosine - height * sine) / 2
    top = line.y - (width * sine + height * cosine) / 2
    level = image.transform(
        (width, height), Image.Transform.AFFINE, (cosine, -sine, left, sine, cosine, top),
        Image.Resampling.BICUBIC, fillcolor=255,
    )  # fmt: skip
    return level.resize((length, _HEIGHT), Image.Resampling.BICUBIC)


def read_line(run: Callable[[Floats], Floats], picture: Image.Image, characters: tuple[str, ...]) -> list[LineWord]:
    """The words of a line. `run` gives (steps, len(characters)) probabilities for a picture (1, 3, HEIGHT, width);
    the first of `characters` stands for none."""
    shades = np.asarray(picture, np.float32)
    pixels = np.broadcast_to((shades / 127.5 - 1.0)[None, None], (1, 3, *shades.shape))
    probability = run(np.ascontiguousarray(pixels))
    best = probability.argmax(1)
    first = np.flatnonzero((best != 0) & (np.diff(best, prepend=0) != 0))
    step = picture.width / len(best)
    words: list[list[_Char]] = [[]]
    for at in first.tolist():
        char = characters[int(best[at])]
        if char.isspace():
            words.append([])
        else:
            words[-1].append((char, at, float(probability[at, best[at]])))
    words = [word for word in words if word]
    ink = _ink(shades)
    found = _placed(_parted(words, step, ink), step, ink) if words else []
    if any(_IDEOGRAPHS.search(word.text) for word in found):
        return found
    return [word._replace(text=word.text.translate(_LATIN_SIGNS)) for word in found]


def _parted(words: list[list[_Char]], step: float, ink: NDArray[np.bool_]) -> list[list[_Char]]:
    """The words parted beside figures, where the network leaves blanks out, if there is as much white as between words
    of the line: one of several blanks, whose median tells."""
    inked: NDArray[np.bool_] = np.any(ink, axis=0)

    def white(one: _Char, other: _Char) -> int:
        start, end = _gap(inked, round((one[1] + 0.5) * step), round((other[1] + 0.5) * step))
        return end - start

    blanks = sorted(white(before[-1], after[0]) for before, after in pairwise(words))
    if len(blanks) < _MIN_BLANKS:
        return words
    usual = blanks[len(blanks) // 2]
    found: list[list[_Char]] = []
    for word in words:
        found.append(word[:1])
        for one, other in pairwise(word):
            figures = (one[0] + other[0]).isascii() and (one[0].isdigit() or other[0].isdigit())
            least = _AS_BLANK_NARROW if {one[0], other[0]} & _NARROW else _AS_BLANK
            if figures and white(one, other) >= max(least * usual, _MIN_BLANK):
                found.append([])
            found[-1].append(other)
    return found


def _ink(shades: Floats) -> NDArray[np.bool_]:
    dark, light = float(np.percentile(shades, 1)), float(np.percentile(shades, 90))
    return shades < dark + _INK * max(light - dark, 1.0)


def _placed(words: list[list[_Char]], step: float, ink: NDArray[np.bool_]) -> list[LineWord]:
    """The words with their extents: a step says about where a character is, the widest gap in the ink between two words
    where one ends and the other begins."""
    ink = _of_line(ink)
    inked: NDArray[np.bool_] = np.any(ink, axis=0)
    width = len(inked)
    columns = np.flatnonzero(inked)
    edges = [(0, int(columns[0]) if len(columns) else 0)]
    for before, after in pairwise(words):
        edges.append(_gap(inked, round((before[-1][1] + 0.5) * step), round((after[0][1] + 0.5) * step)))
    edges.append((int(columns[-1]) + 1 if len(columns) else width, width))
    found: list[LineWord] = []
    for word, ((_, start), (end, _)) in zip(words, pairwise(edges), strict=True):
        rows = np.flatnonzero(ink[:, start : max(end, start + 1)].any(1))
        top, bottom = (int(rows[0]), int(rows[-1]) + 1) if len(rows) else (0, len(ink))
        confidence = sum(sure for _, _, sure in word) / len(word)
        text = "".join(char for char, _, _ in word)
        found.append(
            LineWord(text, start / width, max(end, start + 1) / width, top / len(ink), bottom / len(ink), confidence)
        )
    return found


def _of_line(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The ink without what reaches in from the lines above and below: the rows around the one with most ink, up to
    where there is none."""
    rows = ink.sum(1)
    middle = int(rows.argmax())
    empty = np.flatnonzero(rows == 0)
    above, below = empty[empty < middle], empty[empty > middle]
    own = ink.copy()
    own[: int(above[-1]) if len(above) else 0] = False
    own[int(below[0]) if len(below) else len(ink) :] = False
    return own


def _gap(inked: NDArray[np.bool_], left: int, right: int) -> tuple[int, int]:
    """(end of the word before, start of the word behind): the widest run without ink between two columns."""
    within = np.concatenate([[True], inked[left:right], [True]])
    columns = np.flatnonzero(within)
    widest = int(np.diff(columns).argmax())
    start, end = int(columns[widest]), int(columns[widest + 1]) - 1
    if end <= start:
        middle = (left + right) // 2
        return middle, middle
    return left + start, left + end
