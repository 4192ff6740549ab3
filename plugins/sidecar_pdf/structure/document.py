"""Reads a whole document within the limits: page after page into regions, then headings and elements over all."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from PIL import Image

from sidecar.api import (
    Box,
    DamagedError,
    Element,
    Embed,
    FormatError,
    Limits,
    Note,
    Notice,
    ParsedDocument,
    Part,
    Source,
)
from sidecar.toolkit.ocr import PictureReader, picture_reader
from sidecar_pdf.layout.layer_words import LayerCheck, invisible_lines
from sidecar_pdf.layout.running import RunningContent
from sidecar_pdf.layout.scans import (
    find_drawings,
    find_rules,
    is_hopeless,
    is_text_layer,
    scan_image,
    take_page_image,
    word_boxes,
)
from sidecar_pdf.layout.tables.tagged import is_sane, with_artifacts
from sidecar_pdf.layout.text_layer import flag_differing_layer
from sidecar_pdf.pdfium.embedded import EmbeddedImages, PageImages, attachment_embeds
from sidecar_pdf.pdfium.fonts import Fonts
from sidecar_pdf.pdfium.geometry import PageFrame, frame
from sidecar_pdf.pdfium.graphics import GraphicsReader, PageGraphics
from sidecar_pdf.pdfium.info import Attachment, page_label, read_attachments, read_metadata, read_outline
from sidecar_pdf.pdfium.pages import READING_SHARE, Opened, loaded, opened, work_seconds
from sidecar_pdf.pdfium.tags import PageTags, is_tagged, read_tags
from sidecar_pdf.pdfium.xfa import read_xfa
from sidecar_pdf.structure.blocks import document_context, page_part
from sidecar_pdf.structure.continuation import join_continued_tables, join_cut_notes, join_cut_sentences
from sidecar_pdf.structure.formulas import read_formulas
from sidecar_pdf.structure.headings.finding import find_headings
from sidecar_pdf.structure.listings import join_listings
from sidecar_pdf.structure.notices import askew, not_understood, page_notices, unverified
from sidecar_pdf.structure.page import compose_page, learn_words, plain_page, unlaid_page
from sidecar_pdf.structure.regions import PageRegions
from sidecar_pdf.text.annotations import PageAnnotations, read_annotations
from sidecar_pdf.text.characters import plain_text
from sidecar_pdf.text.glyphs import Glyph
from sidecar_pdf.text.hidden.replacement import check_replacements
from sidecar_pdf.text.hidden.unseen import check_doubtful, is_doubtful, may_have_layers, unseen_objects
from sidecar_pdf.text.ocr import RecognizedPage, read_scan
from sidecar_pdf.text.orientation import RotatedFrame
from sidecar_pdf.text.rotated import dominant_orientation
from sidecar_pdf.text.segments import Segment, has_letters
from sidecar_pdf.text.signs import join_underscores
from sidecar_pdf.text.words import read_text

logger = logging.getLogger(__name__)

_NOT_OF_A_PAGE = (FormatError, OSError, MemoryError, RecursionError)
"""What is told of the whole document, in whichever page it is met."""
_CHUNK = 16
"""Pages read before any of them is composed: enough to see which heads run."""
_GIVE_UP = 64
"""Pages in a row that cannot be loaded before the page count is taken for a lie."""
_CONTRADICTED = 2
"""Pages whose tags are wrong, after which none are read: a tree costs as much as the text of its page."""
_PAGE_CHARS = 2_000_000
"""Characters read of one page."""
_WRITING_BLANKS = ("LibreOffice", "OpenOffice")
"""Programs that write the blanks between words, so that what has none before it was set by itself."""
_OCR_SHARE = 0.5
"""Of the time a parse may take, what OCR may use."""


@dataclass
class _PageContent:
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
    plain: str = ""
    """The text as pdfium gives it, of a page that was not understood."""


def read_document(source: Source, limits: Limits) -> ParsedDocument:
    """The document. See `PdfFormat.parse` for what it raises."""
    with opened(source, limits) as document:
        if document.pages <= 0:
            raise DamagedError(f"{source.name} has no pages.")
        reading = _DocumentReader(source, document, limits)
        reading.run()
        return reading.result()


class _DocumentReader:
    """The state of one parse."""

    def __init__(self, source: Source, document: Opened, limits: Limits) -> None:
        self._source, self._document, self._limits = source, document, limits
        self._fonts = Fonts(document.data)
        self._layers = may_have_layers(document.data)
        self._tagged, self._contradicted = is_tagged(document.handle), 0
        self._running = RunningContent()
        self._vocabulary: set[str] = set()
        self._images = EmbeddedImages(limits.max_embedded)
        self._files: list[Attachment] = []
        self._pages: list[PageRegions] = []
        self._notices: list[Notice] = []
        self._chars = 0
        self._title, self._metadata = read_metadata(document)
        self._fonts.blanks_written = self._metadata.get("producer", "").startswith(_WRITING_BLANKS)
        self._reader: PictureReader | None = None
        self._unread: list[int] = []
        self._layer = LayerCheck()
        self._known_hidden: dict[tuple[str, Box], bool] = {}

    def run(self) -> None:
        count = min(self._document.pages, self._limits.max_parts)
        if count < self._document.pages:
            self._truncated(count, f"max_parts is {count:,}")
        missing = 0
        at = 0
        while at < count:
            chunk: list[_PageContent] = []
            for index in range(at, min(at + _CHUNK, count)):
                content = self._read(index)
                missing = 0 if content.loaded else missing + 1
                chunk.append(content)
                if missing >= _GIVE_UP or self._stop(index + 1, count):
                    count = index + 1
                    break
            self._compose(chunk)
            at += _CHUNK
        if missing >= _GIVE_UP:
            del self._pages[-missing:]
            last = len(self._pages)
            self._notices = [notice for notice in self._notices if (notice.part or 0) <= last]
            self._truncated(last, "the pages after it cannot be loaded")
        if not any(page.width for page in self._pages):
            raise DamagedError(f"{self._source.name} has no page that can be loaded.")

    def _stop(self, done: int, count: int) -> bool:
        if done >= count:
            return False
        if work_seconds() > self._document.deadline:
            self._truncated(done, f"reading took {self._limits.max_seconds * READING_SHARE:.0f} seconds (max_seconds)")
            return True
        if self._chars > self._limits.max_text_chars:
            self._truncated(done, f"max_text_chars is {self._limits.max_text_chars:,}")
            return True
        return False

    def _truncated(self, done: int, why: str) -> None:
        self._notices.append(
            Notice("truncated_at", f"Read up to page {done:,} of {self._document.pages:,}: {why}.", part=max(done, 1))
        )

    def _read(self, index: int) -> _PageContent:
        with loaded(self._document, index) as page:
            if not page:
                self._notices.append(Notice("damaged_part", f"Page {index + 1} cannot be loaded.", part=index + 1))
                return _PageContent(index + 1, PageFrame(0, 0, 0, 0, 0, 0, 0), loaded=False)
            shape = frame(page)
            try:
                return self._content(page, index, shape)
            except _NOT_OF_A_PAGE:
                raise
            except Exception as error:  # a fault in reading one page costs that page its layout, not all their text
                logger.warning("Page %d was not understood.", index + 1, exc_info=error)
                self._notices.append(not_understood(index + 1, error))
                content = _PageContent(index + 1, shape, plain=plain_text(page, _PAGE_CHARS))
                self._chars += len(content.plain)
                return content

    def _content(self, page: int, index: int, shape: PageFrame) -> _PageContent:
        graphics = GraphicsReader(shape).read(page)
        unseen = unseen_objects(self._document, page, shape, graphics, layers=self._layers)
        replaced = check_replacements(self._document.handle, page, shape, graphics.handles)
        segments, glyphs = read_text(page, shape, self._fonts, graphics, _PAGE_CHARS, unseen)
        orientation = dominant_orientation(segments)
        if orientation is not None:
            shape = RotatedFrame.of(shape, orientation)
            graphics = GraphicsReader(shape).read(page)
            segments, glyphs = read_text(page, shape, self._fonts, graphics, _PAGE_CHARS, unseen)
        segments += replaced
        join_underscores(segments, graphics)
        if any(map(is_doubtful, segments)):
            check_doubtful(self._document, page, shape, segments, self._known_hidden)
        picture = self._check_layer(page, index, shape, segments, graphics)
        self._chars += sum(len(word.text) + 1 for segment in segments for word in segment.words)
        content = _PageContent(index + 1, shape, segments, graphics, glyphs=glyphs)
        if graphics.images:
            content.images = self._images.add_page(page, index + 1, graphics.images)
        if self._tagged:
            content.tags = self._read_tags(page, shape, graphics)
        content.notes = read_annotations(self._document, page, index + 1, shape, self._fonts, segments)
        graphics.fields = content.notes.fields
        self._files += content.notes.files
        drawn = graphics.images or graphics.shapes or graphics.rects
        if (drawn and not has_letters(segments)) or is_hopeless(segments):
            self._read_scan(page, content)
        self._find_scan_drawings(page, content, picture)
        self._running.learn(content.segments, content.frame.width, content.frame.height)
        return content

    def _check_layer(
        self, page: int, index: int, shape: PageFrame, segments: list[Segment], graphics: PageGraphics
    ) -> Image.Image | None:
        """Mark what invisible text over a picture says that the picture does not; the picture, where it was drawn."""
        layer = invisible_lines(segments)
        if not graphics.images or not layer:
            return None
        picture, fits = None, True
        if not isinstance(shape, RotatedFrame):
            picture = scan_image(self._document, page)
            fits = flag_differing_layer(picture, shape, segments)
        if self._limits.ocr:
            left = (self._document.deadline - work_seconds()) * _OCR_SHARE / (self._document.pages - index)
            fits = self._layer.compare(self._document, page, shape, layer, left) or fits
        else:
            self._layer.skip(layer)
        if not fits:
            self._notices.append(askew(index + 1))
        return picture

    def _read_tags(self, page: int, shape: PageFrame, graphics: PageGraphics) -> PageTags:
        """The tags of a page; none of the pages after those that the pages contradict too often."""
        tags = read_tags(page, shape, graphics.handles)
        if is_sane(tags):
            return tags
        self._contradicted += bool(graphics.handles)
        self._tagged = self._contradicted < _CONTRADICTED
        return PageTags()

    def _find_scan_drawings(self, page: int, content: _PageContent, picture: Image.Image | None) -> None:
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

    def _read_scan(self, page: int, content: _PageContent) -> None:
        """Read the words of a page from its picture, and the rules between them; a text layer it has is hidden."""
        if not self._limits.ocr:
            return
        if self._reader is None:
            seconds = self._limits.max_seconds * _OCR_SHARE
            self._reader = picture_reader(self._metadata.get("language", ""), seconds)
        recognized = read_scan(self._reader, self._document, page)
        layer = content.segments if has_letters(content.segments) else []
        if recognized is None:
            self._unread += [] if layer else [content.number]
            return
        for segment in layer:
            segment.hidden = True
        content.recognized, content.segments = recognized, [*recognized.segments, *layer]
        self._chars += sum(len(word.text) + 1 for segment in content.segments for word in segment.words)
        if recognized.orientation is not None:
            content.frame = RotatedFrame.of(content.frame, recognized.orientation)
            content.graphics = GraphicsReader(content.frame).read(page)
        horizontal, vertical = find_rules(recognized.picture, recognized.scale)
        content.graphics.horizontal += horizontal
        content.graphics.vertical += vertical

    def _compose(self, chunk: list[_PageContent]) -> None:
        for content in chunk:
            learn_words(content.segments, self._vocabulary)
        for content in chunk:
            page = plain_page(content.frame, content.plain) if content.plain else self._composed(content)
            page.name = page_label(self._document, content.number - 1)
            page.notes = content.notes.notes
            recognized = content.recognized is not None
            self._notices += page_notices(
                page, content.number, content.graphics, recognized=recognized, ocr=self._limits.ocr
            )
            self._pages.append(page)

    def _composed(self, content: _PageContent) -> PageRegions:
        shape, segments, graphics, links = content.frame, content.segments, content.graphics, content.notes.links
        try:
            running = self._running.split(segments, shape.width, shape.height, graphics.vertical)
            page = compose_page(
                shape, segments, graphics, content.images, links,
                vocabulary=self._vocabulary,
                running=with_artifacts(running, content.tags, segments, shape.height),
                tags=content.tags,
            )  # fmt: skip
            if content.glyphs:
                read_formulas(page, content.glyphs, [*graphics.horizontal, *graphics.bars])
        except _NOT_OF_A_PAGE:
            raise
        except Exception as error:  # a fault of one rule costs the page its tables, not the document its text
            logger.warning("The layout of page %d broke off.", content.number, exc_info=error)
            return unlaid_page(shape, segments, graphics, links, self._vocabulary, type(error).__name__)
        return page

    def result(self) -> ParsedDocument:
        attachments = read_attachments(self._document, self._limits.max_embedded)
        named = {(file.name, file.size) for file in attachments}
        attachments += [file for file in self._files if (file.name, file.size) not in named]
        del attachments[self._limits.max_embedded :]
        regions = [region for page in self._pages for region in page.regions]
        if not any(region.text or region.rows for region in regions if not region.running and not region.hidden):
            for region in regions:  # what stands at the edge of pages is all there is to read
                region.running = ""
        headings = find_headings(self._pages, read_outline(self._document))
        join_listings(self._pages, headings.levels)
        join_cut_notes(self._pages, headings.body, self._vocabulary, headings.levels)
        join_cut_sentences(self._pages, headings.body, self._vocabulary, headings.levels)
        join_continued_tables(self._pages, headings.body)
        if not any(note.kind == "form" for page in self._pages for note in page.notes):
            self._pages[0].notes += [Note(kind="form", text=line, page=1) for line in read_xfa(self._document)]
        context = document_context(self._pages, headings, self._images.uses)
        parts: list[Part] = []
        elements: list[Element] = []
        for number, page in enumerate(self._pages, 1):
            part, found = page_part(page, number, context)
            parts.append(part)
            elements += found
            self._pages[number - 1] = PageRegions(0, 0)  # the regions are done with: long documents need the memory
        if self._images.left_out:
            self._notices.append(
                Notice(
                    "truncated_at",
                    f"{self._images.left_out:,} images are not listed: max_embedded is {self._limits.max_embedded:,}.",
                )
            )
        if self._unread and self._reader is not None:
            why = self._reader.failure or "the time for OCR was used up"
            self._notices.append(Notice("no_text_layer", f"{len(self._unread)} scanned pages were not read: {why}."))
        if self._layer.compared < self._layer.lines:
            self._notices.append(unverified(self._layer))
        embedded: list[Embed] = [*self._images.found, *attachment_embeds(attachments)]
        return ParsedDocument(
            title=self._title,
            media_type="application/pdf",
            metadata=self._metadata,
            parts=tuple(parts),
            elements=tuple(elements),
            embedded=tuple(embedded),
            notices=tuple(self._notices),
        )
