"""Recognises the words in pictures on pages that have text: screenshots, scanned tables, diagrams. They become the text
of the figures that show them. What the text of the page says over a picture is painted out before it is read, so that
nothing is said twice. Pages that are scans as a whole are the business of `pages.ScanReader`."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from sidecar.api import Box, Embed, Limits, Notice
from sidecar.toolkit.ocr import PictureReader, figure_reader
from sidecar.toolkit.ocr.pictures import are_words, read_paragraphs, reading_errors
from sidecar_pdf.pdfium.geometry import bounding_box, contains_centre
from sidecar_pdf.pdfium.graphics import PlacedImage
from sidecar_pdf.pdfium.pages import Opened, loaded, work_seconds
from sidecar_pdf.pdfium.rendering import window_image
from sidecar_pdf.reading.pages import PageContent
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.text.ocr import paint_over

logger = logging.getLogger(__name__)

_MIN_WIDTH, _MIN_HEIGHT = 40.0, 20.0
"""Points of a picture: smaller ones are icons and marks."""
_MIN_SIDE, _MIN_LENGTH = 40, 120
"""Pixels of its shorter and its longer side."""
_DESIGN_PAGES = 3
"""A picture on that many pages is a logo."""
_DPI = 150, 300
"""At which a picture is drawn that holds less, and at most."""
_DRAWN_PIXELS = 40_000_000
"""Of the page that the picture is a window of."""
_MAX_PICTURES, _MAX_CHARS = 200, 4000
_SHARE = 0.4
"""Of the time that reading a document may take."""
_SAMPLE = 100
"""Pieces of text that tell the letters a document is written in."""
_POINTS_PER_INCH = 72


@dataclass(frozen=True)
class _Candidate:
    """A figure that may show words: where its pictures lie on the shown page and at which resolution, and the boxes of
    the page's own text there."""

    number: int
    region: Region
    box: Box
    dpi: int
    texts: tuple[Box, ...]


class PictureWords:
    """The pictures on the pages of one document, gathered page by page, then read where `limits` allow it."""

    def __init__(self, limits: Limits, language: str) -> None:
        self._limits, self._language = limits, language
        self._candidates: list[_Candidate] = []
        self._read = self._left = self._stamped = 0

    def add(self, content: PageContent, page: PageRegions, found: list[Embed]) -> None:
        """Notes the figures of a page that show pictures (`found`: those of the document so far)."""
        if content.recognized is not None or content.graphics.scanned or not page.has_text:
            return
        for region in page.regions:
            if region.kind != "figure" or not region.images or region.hidden:
                continue
            shown = [(image, found[at]) for image, at in _shown(region, content) if _may_hold_words(image, found[at])]
            if not shown:
                continue
            box = bounding_box(image.box for image, _ in shown)
            texts = tuple(page.shown(s.box) for s in content.segments if not s.hidden and contains_centre(box, s.box))
            dpi = max(_dpi(image, embed) for image, embed in shown)
            least, most = _DPI
            self._candidates.append(
                _Candidate(content.number, region, page.shown(box), int(min(max(dpi, least), most)), texts)
            )

    def wait(self) -> None:
        """Counts the picture of a whole page that may be a scan under a stamp and is not to be read yet."""
        self._stamped += 1

    def read(self, document: Opened, pages: list[PageRegions], uses: list[int]) -> None:
        """Gives the figures the words of their pictures, as far as there is time. `pages` tell the letters it is
        written in, `uses` counts the pages each picture is on."""
        waiting = [one for one in self._candidates if not _is_design(one.region, uses)]
        self._left = len(waiting)
        if not self._limits.ocr or not waiting:
            return
        seconds = self._limits.max_seconds * _SHARE
        texts = (region.text for page in pages for region in page.regions if region.kind == "text")
        reader = figure_reader(self._language, "".join(islice(texts, _SAMPLE)), seconds)
        ends = min(work_seconds() + seconds, document.deadline)
        known: dict[object, str] = {}
        for one in waiting[:_MAX_PICTURES]:
            if reader.seconds <= 0 or work_seconds() > ends:
                return
            key = (one.region.images, one.box, one.texts) if one.texts else one.region.images
            if key not in known:
                known[key] = _words(document, one, reader)
            self._left -= 1
            if text := known[key]:
                self._read += 1
                one.region.text = f"{one.region.text}\n{text}".strip()

    def notices(self) -> Iterator[Notice]:
        """What is told of them: that words were recognised, that pictures were not searched for any."""
        if self._read:
            pictures = "1 picture" if self._read == 1 else f"{self._read:,} pictures"
            yield Notice("picture_text", f"The words of {pictures} were read by OCR and may hold mistakes.")
        if self._left and self._limits.ocr:
            why = "the time for OCR was used up"
            yield Notice("left_out", f"{self._left:,} pictures were not searched for words: {why}.")
        elif left := self._left + self._stamped:
            pictures = "1 picture on its pages is" if left == 1 else f"{left:,} pictures on its pages are"
            yield Notice("picture_text", f"{pictures} not searched for words.")


def _shown(region: Region, content: PageContent) -> Iterator[tuple[PlacedImage, int]]:
    """The images that a figure shows, each with its position among the document's."""
    for image in content.graphics.images:
        at = content.images.ids.get(image.path)
        if at is not None and at in region.images and contains_centre(region.box, image.box):
            yield image, at


def _may_hold_words(image: PlacedImage, embed: Embed) -> bool:
    x0, y0, x1, y1 = image.box
    sides = sorted((embed.width, embed.height))
    return x1 - x0 >= _MIN_WIDTH and y1 - y0 >= _MIN_HEIGHT and sides[0] >= _MIN_SIDE and sides[1] >= _MIN_LENGTH


def _dpi(image: PlacedImage, embed: Embed) -> float:
    """The resolution a picture has where it stands, in either direction, turned or not."""
    x0, y0, x1, y1 = image.box
    return _POINTS_PER_INCH * max(embed.width, embed.height) / max(x1 - x0, y1 - y0)


def _is_design(region: Region, uses: list[int]) -> bool:
    return region.artifact or all(uses[at] >= _DESIGN_PAGES for at in region.images)


def _words(document: Opened, one: _Candidate, reader: PictureReader) -> str:
    """The words of a picture, "" where it shows none that can be told."""
    try:
        with loaded(document, one.number - 1) as page:
            if not page:
                return ""
            window = window_image(document, page, one.dpi, _DRAWN_PIXELS, one.box)
        paint_over(window.image, one.texts, window.scale, window.left, window.top)
        paragraphs = read_paragraphs(reader, window.image)
    except reading_errors() as error:
        logger.info("A picture of page %d cannot be searched for words: %s", one.number, error)
        return ""
    text = "\n".join(paragraphs)[:_MAX_CHARS]
    return text if are_words(text) else ""
