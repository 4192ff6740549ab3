"""What is read of one page before it is composed, and what its picture tells: words of scans, whether invisible text
says what a scan shows, drawings beside the words."""

from dataclasses import dataclass, field

from PIL import Image

from sidecar.api import Limits, Notice
from sidecar.toolkit.ocr import PictureReader, picture_reader
from sidecar_pdf.layout.layer_words import LayerCheck, invisible_lines
from sidecar_pdf.layout.scans import (
    find_drawings,
    find_rules,
    is_text_layer,
    is_wrong_layer,
    scan_image,
    take_page_image,
    word_boxes,
)
from sidecar_pdf.layout.text_layer import flag_differing_layer
from sidecar_pdf.pdfium.embedded import PageImages
from sidecar_pdf.pdfium.geometry import PageFrame
from sidecar_pdf.pdfium.graphics import GraphicsReader, PageGraphics
from sidecar_pdf.pdfium.pages import Opened, work_seconds
from sidecar_pdf.pdfium.tags import PageTags
from sidecar_pdf.structure.notices import unverified
from sidecar_pdf.text.annotations import PageAnnotations
from sidecar_pdf.text.glyphs import Glyph
from sidecar_pdf.text.ocr import RecognizedPage, read_scan
from sidecar_pdf.text.orientation import RotatedFrame
from sidecar_pdf.text.rotated import upright
from sidecar_pdf.text.segments import Segment, has_letters

_OCR_SHARE = 0.5
"""Of the time a parse may take, what OCR may use."""
_SCAN_WORDS = 20
"""Sure words of a picture behind a few others, from which on it is a scan of a page."""


@dataclass
class PageContent:
    """One page as content, before it is composed."""

    number: int
    frame: PageFrame
    segments: list[Segment] = field(default_factory=list[Segment])
    graphics: PageGraphics = field(default_factory=PageGraphics)
    images: PageImages = field(default_factory=lambda: PageImages({}))
    notes: PageAnnotations = field(default_factory=PageAnnotations)
    tags: PageTags = field(default_factory=PageTags)
    glyphs: list[Glyph] = field(default_factory=list[Glyph])
    """The characters of what may be displayed formulas."""
    recognized: RecognizedPage | None = None
    """What OCR read; None where it did not run."""
    loaded: bool = True
    laid: bool = True
    """Whether its layout is wanted."""
    plain: str = ""
    """The text as pdfium gives it, of a page that was not understood or is not to be laid out."""

    @property
    def chars(self) -> int:
        """Characters of its text, blanks included."""
        return sum(len(word.text) + 1 for segment in self.segments for word in segment.words) + len(self.plain)


class ScanReader:
    """Looks at the pictures of the pages of one document, within the time that it has for that."""

    def __init__(self, document: Opened, limits: Limits, language: str) -> None:
        self._document, self._limits, self._language = document, limits, language
        self._reader: PictureReader | None = None
        self._unread: list[int] = []
        self._layer = LayerCheck()

    def check_layer(
        self, page: int, index: int, shape: PageFrame, segments: list[Segment], graphics: PageGraphics
    ) -> tuple[Image.Image | None, bool]:
        """Mark what invisible text over a picture says that the picture does not. Gives the picture, where it was
        drawn, and whether the text lies where the picture has words."""
        layer, self._layer.poor = invisible_lines(segments), False
        if not graphics.images or not layer:
            return None, True
        picture, fits = None, True
        if not isinstance(shape, RotatedFrame):
            picture = scan_image(self._document, page)
            fits = flag_differing_layer(picture, shape, segments)
        if self._limits.ocr:
            left = (self._document.deadline - work_seconds()) * _OCR_SHARE / (self._document.pages - index)
            fits = self._layer.compare(self._document, page, shape, layer, left) or fits
        else:
            self._layer.skip(layer)
        return picture, fits

    def reads(self, segments: list[Segment]) -> bool:
        """Whether the text over the picture is to be read from the picture instead, as `check_layer` found it."""
        return is_wrong_layer(segments) or (self._layer.poor and is_text_layer(segments))

    def find_drawings(self, page: int, content: PageContent, picture: Image.Image | None) -> None:
        """On a scan whose words are context the rest of the ink is drawings."""
        if content.recognized is not None:
            words = content.recognized.words
        elif content.segments and is_text_layer(content.segments):
            words = word_boxes(content.segments)
        else:
            return
        if isinstance(content.frame, RotatedFrame):
            return  # the picture shows the page as it is, not as it reads
        if words and take_page_image(content.graphics, content.frame):
            picture = picture or scan_image(self._document, page)
            content.graphics.drawings = find_drawings(picture, content.frame, words)

    def read(self, page: int, content: PageContent) -> None:
        """Read the words of a page from its picture, and the rules between them; a text layer it has is hidden, unless
        it says the same with many errors: then it goes."""
        if not self._limits.ocr:
            return
        recognized = read_scan(self._open_reader(), self._document, page)
        layer = content.segments if has_letters(content.segments) else []
        if recognized is None:
            self._unread += [] if layer else [content.number]
            return
        if self._layer.poor:
            layer = []
        for segment in layer:
            segment.hidden = True
        self._take(page, content, recognized, layer)

    def _open_reader(self) -> PictureReader:
        if self._reader is None:
            self._reader = picture_reader(self._language, self._limits.max_seconds * _OCR_SHARE)
        return self._reader

    @staticmethod
    def _take(page: int, content: PageContent, recognized: RecognizedPage, others: list[Segment]) -> None:
        """Makes what was recognised the text of the page, beside `others`."""
        content.recognized, content.segments = recognized, [*recognized.segments, *others]
        if recognized.orientation is not None:
            content.frame = RotatedFrame.of(content.frame, recognized.orientation)
            content.graphics = GraphicsReader(content.frame).read(page)
        horizontal, vertical = find_rules(recognized.picture, recognized.scale)
        content.graphics.horizontal += horizontal
        content.graphics.vertical += vertical

    def read_stamped(self, page: int, content: PageContent) -> None:
        """Read the words of a page from its picture besides those of a stamp or a foot over it, where it is a scan."""
        others = content.segments
        boxes = [content.frame.shown(segment.box) for segment in others if not segment.hidden]
        recognized = read_scan(self._open_reader(), self._document, page, boxes)
        if recognized is None or len(recognized.words) < _SCAN_WORDS or isinstance(content.frame, RotatedFrame):
            return
        if recognized.orientation is not None:
            others = [upright(segment, recognized.orientation) for segment in others]
        self._take(page, content, recognized, others)

    def notices(self) -> list[Notice]:
        """What is told of the whole document: pages that were not read, invisible text that was not compared."""
        found: list[Notice] = []
        if self._unread and self._reader is not None:
            why = self._reader.failure or "the time for OCR was used up"
            found.append(Notice("no_text_layer", f"{len(self._unread)} scanned pages were not read: {why}."))
        elif self._reader is not None and self._reader.failure:
            found.append(Notice("ocr", f"Pages of unsure text were not read once more: {self._reader.failure}."))
        if self._layer.compared < self._layer.lines:
            found.append(unverified(self._layer))
        return found
