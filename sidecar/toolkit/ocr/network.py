"""The reader aboard: PP-OCRv6's smallest networks (Apache-2.0) on ONNX Runtime find the lines of a picture and read
them. It knows the Latin alphabets of Europe and Chinese; it is loaded at the first picture, in a worker process."""

from __future__ import annotations

import time
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from PIL import Image

from sidecar.toolkit.ocr.words import Recognition, RecognizedWord
from sidecar.toolkit.onnx_session import open_session
from sidecar.toolkit.platform import system

if TYPE_CHECKING:
    from sidecar.toolkit.ocr.detection import Floats, TextLine
    from sidecar.toolkit.ocr.recognition import LineWord

_PERCENT: Final = 100.0
_SAME_LINE: Final = 0.5
"""Of the lower of two pieces that share a line, what they share in height."""
_NEXT_LINE: Final = 1.0
"""Heights of a line between it and the next of its paragraph, at most."""
_RUNNING: Final = 12.0
"""Times its height that a line of running text is long."""
_ALIKE: Final = 0.7
"""Of the height of the taller of two lines of a paragraph, what the other has."""

_MAX_LEVEL: Final = 64
"""Pieces beside a piece, and columns, that are looked at."""
_COLUMN_LINES: Final = 3
"""Of running text that is one of several columns, at least."""
_NARROW, _NARROW_LINES, _FULL, _FULL_LINES = 5.0, 6, 1.5, 0.6
"""The same for the lines of a narrow column: heights of a line, lines, heights that a full line may lack of the
longest, and the share of them that are full."""
_TELLS_SLOPE: Final = 6.0
"""Heights that a line is long whose slope tells that of the page."""
_KNOWN: Final = 0.8
"""Of the letters of a text, those the networks must know."""

_Run = Callable[["Floats"], "Floats"]


class RowReading(NamedTuple):
    """What a row of text says, and the network's confidence in percent."""

    text: str
    confidence: float


def read_row(image: Image.Image) -> RowReading:
    """A picture of one level row of text in shades of grey, read as it is: no lines are looked for."""
    from sidecar.toolkit.ocr.detection import TextLine
    from sidecar.toolkit.ocr.recognition import read_line, straightened

    _, read, characters = _networks()
    row = TextLine(image.width / 2, image.height / 2, image.width, image.height, 0.0)
    words = read_line(read, straightened(image, row), characters)
    weight = sum(len(word.text) for word in words)
    confidence = sum(word.confidence * len(word.text) for word in words) / max(weight, 1)
    return RowReading(" ".join(word.text for word in words), confidence * _PERCENT)


def knows(text: str) -> bool:
    """Whether the networks aboard tell nearly all letters of a text apart."""
    letters = [char for char in text if char.isalnum()]
    return sum(char in _alphabet() for char in letters) >= _KNOWN * len(letters)


@dataclass(frozen=True)
class Network:
    """See `Recognizer`. It needs nothing but what is installed with it."""

    name = "the reader aboard"
    clock = staticmethod(time.process_time)

    def recognize(self, image: Image.Image, seconds: float) -> Recognition:
        """See `Recognizer`; the time is looked at between two lines."""
        from sidecar.toolkit.ocr.detection import find_lines
        from sidecar.toolkit.ocr.recognition import read_line, straightened

        deadline = self.clock() + seconds
        detect, read, characters = _networks()
        lines = find_lines(detect, image)
        system.release_memory()  # 300 MB and more, which otherwise stay: 411 MB after eight pages, 88 with this
        if sum(line.length for line in lines if line.upright) * 2 > sum(line.length for line in lines):
            return Recognition(sideways=True)
        words: list[RecognizedWord] = []
        number = 0
        slope = _slope(lines)
        sloped = {line.turned(-slope): line for line in lines}
        for paragraph, rows in enumerate(_paragraphs([*sloped])):
            for row in rows:
                number += 1
                for level in row:
                    if self.clock() > deadline:
                        return Recognition(timed_out=True)
                    line = sloped[level]
                    found = read_line(read, straightened(image, line), characters)
                    words += _placed(line, found, number, paragraph)
        return Recognition(tuple(words))


def _placed(line: TextLine, found: list[LineWord], number: int, paragraph: int) -> Iterator[RecognizedWord]:
    """The words of a line in the picture."""
    tall = max((word.bottom for word in found), default=0.0) - min((word.top for word in found), default=0.0)
    for word in found:
        box = line.part(word.start, word.top, word.end, word.bottom)
        yield RecognizedWord(word.text, box, word.confidence * _PERCENT, number, paragraph, tall * line.height)


@cache
def _networks() -> tuple[_Run, _Run, tuple[str, ...]]:
    """Finding, reading, and the characters reading tells apart; loaded at the first call (0.2 s)."""
    folder = files("sidecar.toolkit.ocr") / "model"
    characters = (folder / "characters.txt").read_text("utf-8").removesuffix("\n").split("\n")
    finding, reading = (
        open_session((folder / name).read_bytes(), many_shapes=True) for name in ("detection.onnx", "recognition.onnx")
    )
    names = finding.get_inputs()[0].name, reading.get_inputs()[0].name
    return (
        lambda pixels: finding.run(None, {names[0]: pixels})[0][0, 0],
        lambda pixels: reading.run(None, {names[1]: pixels})[0][0],
        ("", *characters, " "),
    )


@cache
def _alphabet() -> frozenset[str]:
    return frozenset(_networks()[2])


def _slope(lines: list[TextLine]) -> float:
    """The slope of a page in radians, clockwise as seen: that of half of what is long on it."""
    long = sorted((line.slope, line.length) for line in lines if line.length > _TELLS_SLOPE * line.height)
    left = sum(length for _, length in long) / 2
    for slope, length in long:
        left -= length
        if left <= 0:
            return slope
    return 0.0


def _paragraphs(lines: list[TextLine]) -> list[list[list[TextLine]]]:
    """Paragraphs of lines of pieces, in reading order: running text is read down its column, short pieces side by side
    are a line from left to right, as in a table."""
    columns: list[list[TextLine]] = []
    lines = sorted(lines, key=lambda one: (one.top, one.left))
    tops = [line.top for line in lines]

    def beside(one: TextLine) -> list[TextLine]:
        return lines[bisect(tops, one.top - one.height) : bisect(tops, one.bottom)][:_MAX_LEVEL]

    def parted(above: TextLine, line: TextLine) -> bool:
        return _is_cell(line, beside(line), above) or _is_cell(above, beside(above), line)

    for line in lines:
        near = [column for column in columns if _follows(column[-1], line) and not parted(column[-1], line)]
        if near:
            max(near, key=lambda column: column[-1].top).append(line)
        else:
            columns.append([line])
    found = [[[line] for line in column] for column in columns if _is_running(column)]
    gutters, parting = _gutters([column for column in columns if _is_running(column)], lines)
    rows: list[list[TextLine]] = []
    short = ((bisect(parting, line.x), line) for column in columns if not _is_running(column) for line in column)
    before = 0
    for side, line in sorted(short, key=lambda one: (one[0], one[1].y)):
        if rows and side == before and _on_one_line(rows[-1][0], line):
            rows[-1].append(line)
        else:
            rows.append([line])
        before = side
    found += [[sorted(row, key=lambda one: one.left)] for row in rows]
    ordered: list[list[list[TextLine]]] = []
    for paragraph in sorted(found, key=lambda one: one[0][0].top):
        first, at = paragraph[0][0], len(ordered)
        while at and first.left < ordered[at - 1][0][0].left and _on_one_line(ordered[at - 1][0][0], first):
            at -= 1
        ordered.insert(at, paragraph)
    return _by_column(ordered, gutters)


def _gutters(running: list[list[TextLine]], lines: list[TextLine]) -> tuple[set[float], list[float]]:
    """Where some of running text stand side by side, the middle between them; and of those, in order, what a white
    strip parts down the whole page, as one does in a book that lies open, though they need not stand level there."""
    columns = [column for column in running if len(column) >= _COLUMN_LINES][:_MAX_LEVEL]
    edges = [(min(x.left for x in one), max(x.right for x in one), one[0].top, one[-1].bottom) for one in columns]
    level = {
        (right + left) / 2
        for (_, right, top, bottom), (left, _, first, last) in product(edges, repeat=2)
        if right < left and max(top, first) < min(bottom, last)
    }
    first, last = min((one[1] for one in edges), default=0.0), max((one[0] for one in edges), default=0.0)
    parting = [(start + end) / 2 for start, end in _white_strips(lines) if first <= start and end <= last]
    return level.union(parting), parting


def _by_column(ordered: list[list[list[TextLine]]], gutters: set[float]) -> list[list[list[TextLine]]]:
    """Paragraphs column by column, between those that reach over several."""
    found: list[list[list[TextLine]]] = []
    band: list[tuple[int, list[list[TextLine]]]] = []
    for paragraph in ordered:
        left, right = (min(x.left for row in paragraph for x in row), max(x.right for row in paragraph for x in row))
        if any(left < gutter < right for gutter in gutters):
            found += [one for _, one in sorted(band, key=itemgetter(0))] + [paragraph]
            band = []
        else:
            band.append((sum(gutter <= left for gutter in gutters), paragraph))
    return found + [one for _, one in sorted(band, key=itemgetter(0))]


def _white_strips(lines: Iterable[TextLine]) -> Iterator[tuple[float, float]]:
    """The left and right end of each strip that nothing on the page reaches into."""
    reach = inf
    for line in sorted(lines, key=lambda one: one.left):
        if line.left > reach:
            yield reach, line.left
        reach = line.right if reach == inf else max(reach, line.right)


def _is_cell(piece: TextLine, beside: list[TextLine], line: TextLine) -> bool:
    """Whether a piece stands with others apart from it over, or under, one line: a row of a table beside text."""
    return any(
        max(piece.left - other.right, other.left - piece.right) > piece.height
        and _on_one_line(piece, other)
        and min(line.right, other.right) > max(line.left, other.left)
        for other in beside
    )


def _is_running(column: list[TextLine]) -> bool:
    """Whether lines below one another are running text and not a column of a table."""
    length, height = sum(line.length for line in column), sum(line.height for line in column)
    if len(column) > 1 and length > _RUNNING * height:
        return True
    right = max(line.right for line in column) - _FULL * height / len(column)
    full = sum(line.right > right for line in column)
    return len(column) >= _NARROW_LINES and length > _NARROW * height and full >= _FULL_LINES * len(column)


def _on_one_line(one: TextLine, other: TextLine) -> bool:
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return shared > _SAME_LINE * min(one.bottom - one.top, other.bottom - other.top)


def _follows(above: TextLine, line: TextLine) -> bool:
    return (
        min(above.height, line.height) > _ALIKE * max(above.height, line.height)
        and line.top - above.bottom < _NEXT_LINE * line.height
        and not _on_one_line(above, line)
        and min(above.right, line.right) > max(above.left, line.left)
    )
