"""Compares what a scan's invisible text layer says with what its ink says, read row by row where the layer has its
lines. It runs with recognition, behind all other work; what can be told without reading is `text_layer`'s business."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from PIL import Image

from sidecar.toolkit.ocr import RowReading, knows, read_row
from sidecar_pdf.pdfium.geometry import PageFrame
from sidecar_pdf.pdfium.pages import Opened, work_seconds
from sidecar_pdf.pdfium.rendering import page_image
from sidecar_pdf.text.orientation import TURNS, RotatedFrame
from sidecar_pdf.text.segments import INVISIBLE, Segment

_DPI, _MAX_PIXELS = 200, 12_000_000  # of the picture read
_AIR_ACROSS, _AIR_DOWN = 0.2, 0.1  # heights of a line around it that are read with it
_MIN_PIXELS = 6.0  # of a line's height; less cannot be read
# Of 200 lines of scans with layers that other programs made the letters are alike by 0.75 and more, by 0.49 where
# hardly anything is to be read; of lines put where others are by 0.39 (0.95 of them).
_LETTERS = 16  # it takes to tell; lines of fewer are looked at together with the next
_ALIKE = 0.45  # ratio of letters in matching blocks (Ratcliff & Obershelp 1988) under which other words are said
_SAME = 0.75  # ratio from which on the same is said
_MOST, _POOR = 0.5, 0.1  # of the letters of a page surely read; of these wrong, from which on the ink is read instead
_APART = 18  # letters in a row, of both, without four that agree: part of the line says something else
_AGREE = 4
_SURE = 80.0  # percent of confidence from which on the reading is believed
_SURE_OF_LATIN = 93.0  # from which on ink is not in letters the networks do not know: those are read with 84 at most
_SUSPECT_SECONDS = 5.0  # more for a page of which a line differs
_STRIDE = 0.618034  # of the rows: where time is short, those looked at lie all over the page (the golden section)


class _Row(NamedTuple):
    """Lines of the layer that are compared together: one, or short ones that follow each other."""

    segments: list[Segment]
    letters: str


@dataclass
class LayerCheck:
    """What was done of one document: how many lines there are to compare, short ones taken together, and how many of
    them were compared."""

    lines: int = 0
    compared: int = 0
    poor: bool = False
    """Whether the page looked at last says what its layer says, but the layer has many letters wrong."""

    def skip(self, layer: Sequence[Segment]) -> None:
        """Count the lines of a page that are not compared."""
        self.lines += sum(len(row.letters) >= _LETTERS for row in _rows(layer))

    def compare(self, document: Opened, page: int, frame: PageFrame, layer: Sequence[Segment], seconds: float) -> bool:
        """Mark the lines that say other words than the picture of the page as hidden, and none that says the same: it
        overrules what was told without reading. Where one differs, all are read, though the `seconds` for the page are
        over. True where all say what the picture says."""
        self.skip(layer)
        rows = list(_rows(layer))
        picture = page_image(document, page, _DPI, _MAX_PIXELS, gray=True)
        scale = frame.scale(picture.width)
        readings: dict[int, RowReading] = {}
        until, suspects = work_seconds() + seconds, False
        for at in sorted(range(len(rows)), key=lambda row: row * _STRIDE % 1):
            if work_seconds() > until:
                break
            pictures = [_cut(picture, scale, frame, segment) for segment in rows[at].segments]
            read = [read_row(one) for one in pictures if one is not None]
            if len(read) < len(pictures):
                continue
            readings[at] = _joined(read)
            if not suspects and _differs(rows[at].letters, readings[at]):
                until, suspects = until + _SUSPECT_SECONDS, True
        likeness = {at: _likeness(rows[at].letters, _letters(reading.text)) for at, reading in readings.items()}
        certain = (at for at, alike in likeness.items() if alike >= _ALIKE or readings[at].confidence >= _SURE)
        self.compared += sum(len(rows[at].letters) >= _LETTERS for at in certain)
        for at, alike in likeness.items():
            for segment in rows[at].segments if alike >= _SAME else ():
                segment.hidden = False
        if suspects:
            _flag(rows, readings)
        else:
            sure = [
                (len(rows[at].letters), alike)
                for at, alike in likeness.items()
                if readings[at].confidence >= _SURE_OF_LATIN
            ]
            told = sum(letters for letters, _ in sure)
            wrong = sum(letters * (1 - alike) for letters, alike in sure)
            self.poor = told > _MOST * sum(len(row.letters) for row in rows) and wrong > _POOR * told
        return len(likeness) == len(rows) and min(likeness.values(), default=0.0) >= _ALIKE


def invisible_lines(segments: Sequence[Segment]) -> list[Segment]:
    """The lines of the page that are there to be found and not to be seen."""
    return [one for one in segments if one.style.mode in INVISIBLE and not one.hidden]


def _rows(layer: Sequence[Segment]) -> Iterator[_Row]:
    """Lines of enough letters by themselves, the others together."""
    short: list[Segment] = []
    gathered = ""
    for segment in layer:
        letters = _letters(segment.text)
        if len(letters) >= _LETTERS:
            yield _Row([segment], letters)
            continue
        short.append(segment)
        gathered += letters
        if len(gathered) >= _LETTERS:
            yield _Row(short, gathered)
            short, gathered = [], ""
    if gathered:
        yield _Row(short, gathered)


def _cut(picture: Image.Image, scale: float, frame: PageFrame, segment: Segment) -> Image.Image | None:
    """The picture of a line as it reads; None of one that runs askew or is too small."""
    orientation = frame.orientation if isinstance(frame, RotatedFrame) else None
    if segment.vertical:
        if orientation is not None or segment.orientation is None:
            return None
        orientation = segment.orientation
    turn = 0 if orientation is None else TURNS.get(orientation)
    left, top, right, bottom = (edge * scale for edge in frame.shown(segment.box))
    height = right - left if turn in (90, 270) else bottom - top
    if turn is None or height < _MIN_PIXELS:
        return None
    along, across = _AIR_ACROSS * height, _AIR_DOWN * height
    wide, high = (across, along) if turn in (90, 270) else (along, across)
    x0, y0 = max(int(left - wide), 0), max(int(top - high), 0)
    x1, y1 = min(int(right + wide) + 1, picture.width), min(int(bottom + high) + 1, picture.height)
    if x1 <= x0 or y1 <= y0:
        return None
    row = picture.crop((x0, y0, x1, y1))
    return row.rotate(turn, expand=True) if turn else row


def _joined(read: Sequence[RowReading]) -> RowReading:
    weight = sum(len(one.text) for one in read)
    confidence = sum(one.confidence * len(one.text) for one in read) / weight if weight else 0.0
    return RowReading(" ".join(one.text for one in read), confidence)


def _flag(rows: Sequence[_Row], readings: dict[int, RowReading]) -> None:
    """Mark what differs, unless another row's ink says it: then the layer lies elsewhere, and says nothing else."""
    inked = {at: _letters(reading.text) for at, reading in readings.items()}
    for at, reading in readings.items():
        letters = rows[at].letters
        if not _differs(letters, reading) or not (letters.isascii() or len(rows[at].segments) == 1):
            continue  # what stands apart in characters is often set otherwise than it reads
        if not any(other != at and _likeness(letters, ink) >= _SAME for other, ink in inked.items()):
            for segment in rows[at].segments:
                segment.hidden = True


def _differs(letters: str, reading: RowReading) -> bool:
    """Whether the ink surely says other words than the layer."""
    read = _letters(reading.text)
    if len(letters) < _LETTERS or reading.confidence < _SURE:
        return False
    if not knows(letters):
        latin = sum(char.isascii() and char.isalpha() for char in read)
        return reading.confidence >= _SURE_OF_LATIN and latin >= _LETTERS
    return _likeness(letters, read) < _ALIKE or _apart(letters, read) >= _APART


def _letters(text: str) -> str:
    """Its letters and digits, without case and marks."""
    return "".join(char for char in unicodedata.normalize("NFKD", text).casefold() if char.isalnum())


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _apart(letters: str, read: str) -> int:
    """How many letters in a row, of the one and of the other, stand where they do not agree."""
    longest = at = other = 0
    blocks = SequenceMatcher(None, letters, read, autojunk=False).get_matching_blocks()
    for block in [*(block for block in blocks if block.size >= _AGREE), blocks[-1]]:
        longest = max(longest, min(block.a - at, block.b - other))
        at, other = block.a + block.size, block.b + block.size
    return longest
