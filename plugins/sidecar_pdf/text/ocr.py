"""Reads pages without a text layer from their picture: the words found as segments, so that paragraphs, headings and
tables of a scan are found as those of any page."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from statistics import median

from PIL import Image, ImageDraw

from sidecar.api import Box
from sidecar.toolkit.ocr import PictureReader, Recognition, RecognizedWord
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.fonts import Style
from sidecar_pdf.pdfium.pages import Opened
from sidecar_pdf.pdfium.rendering import page_image
from sidecar_pdf.text.orientation import TURNS, Orientation
from sidecar_pdf.text.segments import Segment, Word, join_words

# Chosen on the corpus's scans.
_DPI, _MAX_PIXELS = 200, 12_000_000  # of the picture read
_CONFIDENT = 60.0  # percent from which on a word is surely one, and no part of a drawing
_INK_HEIGHT = 0.9  # of the size of type that a line's ink is high, from its tall letters to the foot of its deep ones
_DEEP = 0.75  # of the characters by the height of their line's ink: those above stand in lines with deep letters
_ONE_SIZE = 0.65, 1.25  # of the page's usual height of ink: lines without tall or deep letters differ that much
_LEVEL = math.radians(0.25)  # slopes of a page below it are none
_LINE_WORDS, _LINE_LENGTH = 4, 15.0  # words, and heights of a line, from which on it tells the page's slope
_SLANTED = 1.6  # times its tallest word that a line is high whose words do not stand side by side

_TURNED = {degrees: orientation for orientation, degrees in TURNS.items()}


@dataclass(frozen=True)
class RecognizedPage:
    """The text of a page as read from its picture, in points of the page as it reads level."""

    segments: list[Segment]
    picture: Image.Image
    """What was read, in shades of grey, turned and straightened as it reads; and pixels a point of it."""
    scale: float
    orientation: Orientation | None
    """Where the page's text runs to, if it does not run level."""
    words: list[Box]
    """Where its words stand, without those that may be part of a drawing."""


def read_scan(reader: PictureReader, document: Opened, page: int, without: Iterable[Box] = ()) -> RecognizedPage | None:
    """The page's text, but for what stands in the boxes `without` (of the page as shown); None where it could not be
    read."""
    picture = page_image(document, page, _DPI, _MAX_PIXELS, gray=True)
    scale = picture.width / max(float(raw.page_width(page)), 1.0)
    paint_over(picture, without, scale)
    found = reader.read(picture)
    if found is None:
        return None
    if found.turned:
        picture = picture.rotate(found.turned, expand=True)
    slope = _slope(found.words)
    if slope:
        picture = picture.rotate(math.degrees(slope), Image.Resampling.BILINEAR, fillcolor=255)
    usual = _usual_height(found.words)
    words: list[Word] = []
    sure: list[Box] = []
    for _, found_line in groupby(found.words, lambda word: word.line):
        line = list(found_line)
        guessed = Recognition(tuple(line)).confidence < _CONFIDENT  # a logo, say: its height makes no heading of it
        for word, box in _level(line, slope, picture.size):
            like_others = _ONE_SIZE[0] * usual < word.height < _ONE_SIZE[1] * usual
            height = (usual if like_others else word.height) / scale
            x0, y0, x1, y1 = (edge / scale for edge in box)
            if like_others and y1 - y0 < height:
                y1 = y0 + height  # nearly every line has tall letters, not every one has deep ones
            size = round((min(height, usual / scale) if guessed else height) / _INK_HEIGHT, 1)
            style = Style("", size, False, False, False, False, False, 0)
            words.append(Word(word.text, x0, y0, x1, y1, style, joined=False))
            if word.confidence >= _CONFIDENT:
                sure.append((x0, y0, x1, y1))
    return RecognizedPage(join_words(words), picture, scale, _TURNED.get(found.turned), sure)


def paint_over(picture: Image.Image, boxes: Iterable[Box], scale: float, left: int = 0, top: int = 0) -> None:
    """Makes these boxes of a page white in the picture of it, which has `scale` pixels a point and begins at so many
    pixels from `left` and `top`."""
    brush = ImageDraw.Draw(picture)
    for x0, y0, x1, y1 in boxes:
        brush.rectangle((x0 * scale - left, y0 * scale - top, x1 * scale - left, y1 * scale - top), fill=255)


def _usual_height(words: tuple[RecognizedWord, ...]) -> float:
    """Pixels of ink of a line with tall and deep letters in the page's usual size of type."""
    heights = sorted(height for word in words for height in [word.height] * len(word.text))
    return heights[int(len(heights) * _DEEP)] if heights else 0.0


def _slope(words: tuple[RecognizedWord, ...]) -> float:
    """The slope of the page's lines in radians, clockwise as seen; 0 where they run level."""
    slopes: list[float] = []
    for _, found in groupby(words, lambda word: word.line):
        line = list(found)
        first, last = line[0].box, line[-1].box
        across = (last[0] + last[2] - first[0] - first[2]) / 2
        if len(line) >= _LINE_WORDS and across > _LINE_LENGTH * line[0].height:
            slopes.append(math.atan2((last[1] + last[3] - first[1] - first[3]) / 2, across))
    slope = median(slopes) if slopes else 0.0
    return slope if abs(slope) > _LEVEL else 0.0


def _level(line: list[RecognizedWord], slope: float, size: tuple[int, int]) -> list[tuple[RecognizedWord, Box]]:
    """The words of a line with their boxes on the page turned level about its middle; each as high as the line, where
    they stand side by side."""
    placed: list[tuple[RecognizedWord, Box]] = []
    for word in line:
        x0, y0, x1, y1 = word.box
        x, y = (x0 + x1 - size[0]) / 2, (y0 + y1 - size[1]) / 2
        right = x * math.cos(slope) + y * math.sin(slope) - x
        down = y * math.cos(slope) - x * math.sin(slope) - y
        placed.append((word, (x0 + right, y0 + down, x1 + right, y1 + down)))
    top, bottom = min(box[1] for _, box in placed), max(box[3] for _, box in placed)
    if bottom - top > _SLANTED * max(box[3] - box[1] for _, box in placed):
        return placed
    return [(word, (box[0], top, box[2], bottom)) for word, box in placed]
