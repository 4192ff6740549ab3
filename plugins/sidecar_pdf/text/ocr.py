"""Reads pages without a text layer with tesseract, where it is installed: bounded in time, one page at a time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import NamedTuple

from PIL import Image

from sidecar.api import Box
from sidecar.toolkit.programs import tesseract
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.geometry import bounding_box
from sidecar_pdf.pdfium.pages import Opened
from sidecar_pdf.pdfium.rendering import page_image

# Chosen on the corpus's scans.
_DPI, _MAX_PIXELS = 200, 12_000_000  # of the picture read
_PAGE_SECONDS = 40.0  # for one page
_SHARE = 0.5  # of the time a parse may take, what OCR may use
# Percent, by tesseract's own reckoning.
_LEAST_CONFIDENCE = 30.0  # of a word that is kept
_CONFIDENT = 60.0  # mean below which a page may lie on its side, and of a word that is surely one
_BETTER = 10.0  # by which the mean of a turned page must be better
_LANGUAGES = {
    "en": "eng", "de": "deu", "fr": "fra", "es": "spa", "it": "ita", "pt": "por", "nl": "nld", "ru": "rus",
    "zh": "chi_sim", "ja": "jpn", "ko": "kor", "pl": "pol", "sv": "swe", "da": "dan", "tr": "tur", "ar": "ara",
}  # fmt: skip


class _Word(NamedTuple):
    text: str
    box: Box
    confidence: float
    paragraph: tuple[str, str]
    line: str


class RecognizedParagraph(NamedTuple):
    """A paragraph read from a picture; `size` is the usual height of its words in points."""

    text: str
    box: Box
    size: float
    lines: int


@dataclass
class Tesseract:
    """Tesseract for one document. `read` answers None when the page could not be read."""

    program: str
    language: str
    seconds: float
    """What is left of the document's time for OCR."""
    failure: str = field(default="")
    boxes: list[Box] = field(default_factory=list[Box])
    """Where the words of the page read last stand, without those that may be part of a drawing; none where it was read
    turned."""

    def read(self, document: Opened, page: int) -> list[RecognizedParagraph] | None:
        """The page's paragraphs. A page that reads as noise is tried turned, since scans often lie on their side."""
        if self.seconds <= 0 or self.failure:
            return None
        image = page_image(document, page, _DPI, _MAX_PIXELS, gray=True)
        scale = image.width / max(float(raw.page_width(page)), 1.0)
        best, confidence = self._words(image, scale)
        self.boxes = [word.box for word in best or () if word.confidence >= _CONFIDENT]
        if best is None or confidence >= _CONFIDENT:
            return None if best is None else _paragraphs(best)
        for angle in (180, 90, 270):
            words, confidence = self._words(image.rotate(angle, expand=True), scale)
            if words and confidence > max(confidence + _BETTER, _CONFIDENT):
                size = image.width / scale, image.height / scale
                self.boxes = []
                return [p._replace(box=_rotated_back(p.box, angle, size)) for p in _paragraphs(words)]
        return _paragraphs(best)

    def _words(self, image: Image.Image, scale: float) -> tuple[list[_Word] | None, float]:
        """The words tesseract finds, and its mean confidence in percent; None where it did not run to its end."""
        if self.seconds <= 0 or self.failure:
            return None, 0.0
        started = time.monotonic()
        seconds = min(_PAGE_SECONDS, self.seconds)
        found = tesseract.recognise(self.program, image, seconds, language=self.language)
        self.seconds -= time.monotonic() - started
        self.failure = found.failure
        if found.timed_out or found.failure:
            return None, 0.0
        words = _parse(found.table, scale)
        weight = sum(len(word.text) for word in words)
        return words, sum(word.confidence * len(word.text) for word in words) / weight if weight else 100.0


def _rotated_back(box: Box, angle: int, size: tuple[float, float]) -> Box:
    """A box of the picture turned counter-clockwise by `angle`, as a box of the page of `size`."""
    x0, y0, x1, y1 = box
    width, height = size
    if angle == 180:
        return width - x1, height - y1, width - x0, height - y0
    if angle == 90:
        return width - y1, x0, width - y0, x1
    return y0, height - x1, y1, height - x0


def find_tesseract(language: str, max_seconds: float) -> Tesseract | None:
    """A reader for documents in `language` (BCP 47, may be empty); None where tesseract is not installed."""
    program = tesseract.find_tesseract()
    if program is None:
        return None
    wanted = _LANGUAGES.get(language[:2].lower(), "")
    if wanted not in {"", "eng"}:
        wanted = f"{wanted}+eng" if wanted in tesseract.installed_languages(program) else ""
    return Tesseract(program, wanted or "eng", max_seconds * _SHARE)


def _parse(tsv: str, scale: float) -> list[_Word]:
    """The words of tesseract's table (level, page, block, paragraph, line, word, left, top, width, height, confidence,
    text); `scale` is pixels a point."""
    words: list[_Word] = []
    for row in tsv.splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) != 12 or cells[0] != "5" or not cells[11].strip():
            continue
        try:
            confidence = float(cells[10])
            left, top, width, height = (float(cell) / scale for cell in cells[6:10])
        except ValueError:
            continue
        words.append(
            _Word(
                cells[11].strip(), (left, top, left + width, top + height), confidence, (cells[2], cells[3]), cells[4]
            )
        )
    return words


def _paragraphs(words: list[_Word]) -> list[RecognizedParagraph]:
    """Paragraphs of the words tesseract is not at a loss about."""
    paragraphs: dict[tuple[str, str], list[_Word]] = {}
    for word in words:
        if word.confidence >= _LEAST_CONFIDENCE:
            paragraphs.setdefault(word.paragraph, []).append(word)
    recognized: list[RecognizedParagraph] = []
    for found in paragraphs.values():
        text, line = "", found[0].line
        for word in found:
            broken = word.line != line and text.endswith("-") and word.text[:1].islower()
            text = text[:-1] + word.text if broken else f"{text} {word.text}" if text else word.text
            line = word.line
        boxes = [word.box for word in found]
        box = bounding_box(boxes)
        heights = sorted(b[3] - b[1] for b in boxes)
        lines = len({word.line for word in found})
        recognized.append(RecognizedParagraph(text, box, heights[len(heights) // 2], lines))
    return recognized
