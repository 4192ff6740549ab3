"""Reads pages without a text layer from their picture: the words found as segments, so that paragraphs, headings and
tables of a scan are found as those of any page."""

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median

from PIL import Image, ImageDraw

from sidecar.api import Box
from sidecar.toolkit.ocr import PictureReader, Recognition, RecognizedWord
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.fonts import Style
from sidecar_pdf.pdfium.pages import Opened
from sidecar_pdf.pdfium.rendering import dark_on_light, page_image
from sidecar_pdf.text.orientation import TURNS, Orientation
from sidecar_pdf.text.segments import FIRST_CJK, Segment, Word, join_words

# Chosen on the corpus's scans.
_DPI, _MAX_PIXELS = 200, 12_000_000  # of the picture read
_CONFIDENT = 60.0  # percent from which on a word is surely one, and no part of a drawing
# Of the size of type: how high above the baseline the ink of small, of tall and of accented tall letters reaches, and
# how deep below it. Typefaces differ by 0.04, a scan of 150 dots an inch by as much.
_SMALL, _TALL, _ACCENTED, _COMMA, _DEEP = 0.55, 0.73, 0.88, 0.12, 0.19
_TALL_SIGNS, _DEEP_SIGNS = frozenset("bdfhklßþð/()[]{}|"), frozenset("gjpqyþç()[]{}|/Q")
_BOLD = 1.4  # times the usual width of strokes
_LETTERS = 4  # that tell how wide strokes are, and how large type is
_PAPER = 0.25  # of the way from paper to ink: what is lighter is grain
_ONE_SIZE = 0.86, 1.13  # of a size of type: lines that differ less are set in it
_ONE_ROW = 0.75, 1.33  # the same for what stands side by side
_LARGE = 1.5  # times the usual size, from which on a few letters, or signs, tell theirs
_PROSE = 0.7  # share of letters and digits in what is not a formula
_LEVEL = math.radians(0.25)  # slopes of a page below it are none
_LINE_WORDS, _LINE_LENGTH = 4, 15.0  # words, and heights of a line, from which on it tells the page's slope
_NARROW_LINE, _NARROW_LINES = 6.0, 12  # the same of a narrow column, so many of which tell it together
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
    unsure: bool
    """Whether its reader was unsure of them."""


def read_scan(reader: PictureReader, document: Opened, page: int, without: Iterable[Box] = ()) -> RecognizedPage | None:
    """The page's text but for what stands in the boxes `without` (of the page as shown); None where unreadable."""
    picture = dark_on_light(page_image(document, page, _DPI, _MAX_PIXELS, gray=True))
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
    lines = [_level(list(line), slope, picture.size) for _, line in groupby(found.words, lambda word: word.line)]
    rows = [list(_pieces(line, picture)) for line in lines]
    pieces = [piece for row in rows for piece in row]
    usual = _even_sizes(rows)
    stroke = _weighted_median([(piece.stroke, piece.chars) for piece in pieces])
    words: list[Word] = []
    sure: list[Box] = []
    for piece in pieces:
        guessed = piece.confidence < _CONFIDENT  # a logo, say: its height makes no heading of it
        size = usual if guessed and piece.size > usual else piece.size
        bold = piece.stroke > _BOLD * stroke and piece.letters >= _LETTERS and not guessed
        style = Style(size=round(size / scale, 1), bold=bold)
        for word, (x0, y0, x1, y1) in piece.words:
            up, down = piece.margins(y1 - y0) if size == usual else (0.0, 0.0)
            shown = x0 / scale, (y0 - up) / scale, x1 / scale, (y1 + down) / scale
            words.append(Word(word.text, *shown, style, joined=False))
            if word.confidence >= _CONFIDENT:
                sure.append(shown)
    return RecognizedPage(join_words(words), picture, scale, _TURNED.get(found.turned), sure, found.unsure)


def paint_over(picture: Image.Image, boxes: Iterable[Box], scale: float, left: int = 0, top: int = 0) -> None:
    """Makes these boxes of a page white in the picture of it, which has `scale` pixels a point and begins at so many
    pixels from `left` and `top`."""
    brush = ImageDraw.Draw(picture)
    for x0, y0, x1, y1 in boxes:
        brush.rectangle((x0 * scale - left, y0 * scale - top, x1 * scale - left, y1 * scale - top), fill=255)


def _weighted_median(values: Sequence[tuple[float, int]]) -> float:
    """The value that half of the weight does not reach; 0 without any."""
    left = sum(weight for _, weight in values) / 2
    for value, weight in sorted(values):
        left -= weight
        if left <= 0:
            return value
    return 0.0


class _WordRun:
    """Words of a line that were found together, and what their ink tells of the type: its size in pixels, and how wide
    its strokes are in parts of that."""

    def __init__(self, words: list[tuple[RecognizedWord, Box]], line: str, picture: Image.Image) -> None:
        self.words = words
        text = "".join(word.text for word, _ in words)
        self.chars, self.letters = len(text), sum(map(str.isalpha, text))
        self.formula = sum(map(str.isalnum, text)) < _PROSE * len(text)
        self.confidence = Recognition(tuple(word for word, _ in words)).confidence
        heights = [((word.box[3] - word.box[1]) / sum(_reach(word.text)), len(word.text)) for word, _ in words]
        self.size = min(_weighted_median(heights), words[0][0].height / sum(_reach(text)))  # indices make a line high
        self.stroke = _stroke(picture, words) / max(self.size, 1.0)
        self._above, self._below = _reach(line)

    def margins(self, height: float) -> tuple[float, float]:
        """What a line so many pixels high lacks above and below to be as high as any of its size."""
        if height >= (_TALL + _DEEP) * self.size:
            return 0.0, 0.0
        return max(_TALL - self._above, 0.0) * self.size, max(_DEEP - self._below, 0.0) * self.size


def _even_sizes(rows: Sequence[Sequence[_WordRun]]) -> float:
    """Gives pieces of about one size the same one, those side by side first; that of most letters is returned, and is
    the size of those that do not tell theirs."""
    for row in rows:
        size = _size_of(row)
        for piece in row:
            piece.size = size if _ONE_ROW[0] * size < piece.size < _ONE_ROW[1] * size else piece.size
    other = sorted((piece for row in rows for piece in row), key=lambda piece: piece.size)
    usual = _size_of(other)
    for piece in other:
        untold = piece.chars < _LETTERS or piece.formula
        if _ONE_SIZE[0] * usual < piece.size < (_LARGE if untold else _ONE_SIZE[1]) * usual:
            piece.size = usual
    other = [piece for piece in other if piece.size != usual]
    while other:
        alike = [piece for piece in other if piece.size <= _ONE_SIZE[1] * other[0].size]
        size = _size_of(alike)
        other = other[len(alike) :]
        for piece in alike:
            piece.size = size
    return usual


def _size_of(pieces: Iterable[_WordRun]) -> float:
    return _weighted_median([(piece.size, piece.chars) for piece in pieces])


def _pieces(line: list[tuple[RecognizedWord, Box]], picture: Image.Image) -> Iterator[_WordRun]:
    text = "".join(word.text for word, _ in line)
    for _, words in groupby(line, lambda placed: placed[0].height):
        yield _WordRun(list(words), text, picture)


def _reach(text: str) -> tuple[float, float]:
    """How far above and below the baseline the ink of these letters reaches, in parts of the size of type."""
    if any(char >= FIRST_CJK for char in text):
        return _TALL, _DEEP
    tall = any(char.isupper() or char.isdigit() or char in _TALL_SIGNS for char in text)
    accented = any(char.isupper() and unicodedata.decomposition(char) for char in text)
    above = _ACCENTED if accented else _TALL if tall else _SMALL
    deep = any(char in _DEEP_SIGNS for char in text)
    return above, _DEEP if deep else _COMMA if "," in text or ";" in text else 0.0


def _stroke(picture: Image.Image, words: list[tuple[RecognizedWord, Box]]) -> float:
    """About how many pixels wide the strokes of these words are: twice the ink over what its shade changes from left to
    right, which blur leaves as it is. Type light on dark is looked at as any other."""
    import numpy as np  # a tenth of a second, which no other page needs

    ink = edges = 0.0
    for _, (x0, y0, x1, y1) in words:
        shades = np.asarray(picture.crop((int(x0), int(y0), int(x1) + 2, int(y1) + 1)), np.float32)
        darkest, lightest = np.percentile(shades, (2, 90)).tolist()
        middle = float(np.median(shades))
        if lightest - middle > middle - darkest:
            shades, darkest, lightest = -shades, -lightest, -darkest
        dark = np.clip((lightest - shades) / max(lightest - darkest, 1.0) - _PAPER, 0.0, 1.0)
        ink += float(dark.sum())
        edges += float(np.abs(np.diff(dark, axis=1)).sum())
    return 2 * ink / edges if edges else 0.0


def _slope(words: tuple[RecognizedWord, ...]) -> float:
    """The slope of the page's lines in radians, clockwise as seen; 0 where they run level."""
    slopes: list[float] = []
    narrow: list[float] = []
    for _, found in groupby(words, lambda word: word.line):
        line = list(found)
        first, last = line[0].box, line[-1].box
        across = (last[0] + last[2] - first[0] - first[2]) / 2
        if len(line) >= _LINE_WORDS and across > _NARROW_LINE * line[0].height:
            long = across > _LINE_LENGTH * line[0].height
            (slopes if long else narrow).append(math.atan2((last[1] + last[3] - first[1] - first[3]) / 2, across))
    if not slopes and len(narrow) >= _NARROW_LINES:
        slopes = narrow
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
