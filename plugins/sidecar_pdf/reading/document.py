"""Reads a whole document within the limits: page after page into regions, then headings and elements over all."""

import logging

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
from sidecar_pdf.forms.entering import enter_fields
from sidecar_pdf.layout.running import RunningContent
from sidecar_pdf.layout.scans import is_stamped
from sidecar_pdf.layout.tables.tagged import is_sane, with_artifacts
from sidecar_pdf.pdfium.embedded import EmbeddedImages, attachment_embeds
from sidecar_pdf.pdfium.fonts import Fonts
from sidecar_pdf.pdfium.geometry import PageFrame, frame
from sidecar_pdf.pdfium.graphics import GraphicsReader, PageGraphics
from sidecar_pdf.pdfium.info import Attachment, page_label, read_attachments, read_metadata, read_outline
from sidecar_pdf.pdfium.pages import READING_SHARE, Opened, loaded, opened, work_seconds
from sidecar_pdf.pdfium.tags import PageTags, is_tagged, read_tags
from sidecar_pdf.pdfium.xfa import read_xfa
from sidecar_pdf.reading.pages import PageContent, ScanReader
from sidecar_pdf.reading.pictures import PictureWords
from sidecar_pdf.reading.plain import PlainReader
from sidecar_pdf.structure.blocks import document_context, page_part
from sidecar_pdf.structure.captions import join_caption_titles
from sidecar_pdf.structure.continuation import (
    join_continued_tables,
    join_cut_notes,
    join_cut_sentences,
    take_rows_overleaf,
)
from sidecar_pdf.structure.equations.formulas import read_formulas
from sidecar_pdf.structure.headings.finding import find_headings
from sidecar_pdf.structure.headings.levels import Headings, printed_title
from sidecar_pdf.structure.listings import join_listings
from sidecar_pdf.structure.notices import askew, not_understood, page_notices, words_alone
from sidecar_pdf.structure.page import ReadPage, compose_page, plain_page, unlaid_page
from sidecar_pdf.structure.regions import PageRegions
from sidecar_pdf.text.annotations import read_annotations
from sidecar_pdf.text.appearances import LoadedPage
from sidecar_pdf.text.characters import plain_text
from sidecar_pdf.text.hidden.replacement import check_replacements
from sidecar_pdf.text.hidden.unseen import check_suspect, is_suspect, may_have_layers, unseen_objects
from sidecar_pdf.text.orientation import RotatedFrame
from sidecar_pdf.text.rotated import dominant_orientation
from sidecar_pdf.text.segments import Vocabulary, has_letters, learn_words
from sidecar_pdf.text.signs import join_roots, join_underscores
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
_BROWSERS = ("Skia/PDF", "WeasyPrint", "Qt ")
"""Programs that print pages of the web: of a word they break, the hyphen is U+2010, not that of a compound."""
_SPREADSHEET = "Calc"
"""How the spreadsheet program among them calls itself as the creator of a document."""
_WORDS_FIRST = 4
"""Pages from which on the words of a document may come before its layout."""
_MUCH_DRAWN = 50
"""Texts, rules and shapes of its first page from which on those of a shorter one may: others are laid out as soon."""
_PLAIN_SHARE = 0.3
"""Of what a page costs with its layout, the most that its words alone do."""
_MEASURED = 64
"""Pages after which the mean of what one costs holds for the rest."""


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
        self._plain = PlainReader(document, self._fonts, layers=self._layers)
        self._begun, self._laid = work_seconds(), document.pages
        self._tagged, self._contradicted = is_tagged(document.handle), 0
        self._running = RunningContent()
        self._vocabulary = Vocabulary()
        self._images = EmbeddedImages(limits.max_embedded)
        self._files: list[Attachment] = []
        self._pages: list[PageRegions] = []
        self._notices: list[Notice] = []
        self._chars = 0
        self._title, self._metadata = read_metadata(document)
        self._fonts.blanks_written = self._metadata.get("producer", "").startswith(_WRITING_BLANKS)
        self._vocabulary.whole = self._metadata.get("producer", "").startswith(_BROWSERS)
        self._sheets = self._fonts.blanks_written and self._metadata.get("creator") == _SPREADSHEET
        self._scans = ScanReader(document, limits, self._metadata.get("language", ""))
        self._pictures = PictureWords(limits, self._metadata.get("language", ""))
        self._has_fields = False
        self._known_hidden: dict[tuple[str, Box], bool] = {}

    def run(self) -> None:
        count = min(self._document.pages, self._limits.max_parts)
        if count < self._document.pages:
            self._truncated(count, f"max_parts is {count:,}")
        if self._limits.words_only and count >= _WORDS_FIRST:
            self._only_words()
        missing = 0
        at = 0
        while at < count:
            chunk: list[PageContent] = []
            for index in range(at, min(at + _CHUNK, count)):
                content = self._read(index)
                self._chars += content.chars
                missing = 0 if content.loaded else missing + 1
                chunk.append(content)
                if missing >= _GIVE_UP or self._stop(index + 1, count):
                    count = index + 1
                    break
            self._compose(chunk)
            at += _CHUNK
            self._give_up_layout(at, count)
        if missing >= _GIVE_UP:
            del self._pages[-missing:]
            last = len(self._pages)
            self._notices = [notice for notice in self._notices if (notice.part or 0) <= last]
            self._truncated(last, "the pages after it cannot be loaded")
        if not any(page.width for page in self._pages):
            raise DamagedError(f"{self._source.name} has no page that can be loaded.")

    def _only_words(self) -> None:
        self._laid = 0
        self._notices.append(words_alone())

    def _give_up_layout(self, done: int, count: int) -> None:
        """From here on only words are read where the pages left would not have the time for more."""
        if not _MEASURED <= done < min(count, self._laid):
            return
        now = work_seconds()
        if now + (count - done) * _PLAIN_SHARE * (now - self._begun) / done > self._document.deadline:
            self._laid = done
            self._notices.append(words_alone(done, self._document.pages, self._limits.max_seconds))

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

    def _read(self, index: int) -> PageContent:
        with loaded(self._document, index) as page:
            if not page:
                self._notices.append(Notice("damaged_part", f"Page {index + 1} cannot be loaded.", part=index + 1))
                return PageContent(index + 1, PageFrame(0, 0, 0, 0, 0, 0, 0), loaded=False)
            shape = frame(page)
            try:
                graphics = GraphicsReader(shape).read(page)
                if self._limits.words_only and index == 0 < self._laid and _drawn(graphics) >= _MUCH_DRAWN:
                    self._only_words()
                laid = index < self._laid
                if not laid and (text := self._plain.text(page, shape, graphics, _PAGE_CHARS)):
                    return PageContent(index + 1, shape, graphics=graphics, plain=text)
                return self._content(page, index, shape, graphics, laid=laid)
            except _NOT_OF_A_PAGE:
                raise
            except Exception as error:  # a fault in reading one page costs that page its layout, not all their text
                logger.warning("Page %d was not understood.", index + 1, exc_info=error)
                self._notices.append(not_understood(index + 1, error))
                return PageContent(index + 1, shape, plain=plain_text(page, _PAGE_CHARS))

    def _content(self, page: int, index: int, shape: PageFrame, graphics: PageGraphics, *, laid: bool) -> PageContent:
        """A page character by character, and what its layout needs besides where it is to be `laid` out."""
        unseen = unseen_objects(self._document, page, shape, graphics, layers=self._layers)
        replaced = check_replacements(self._document.handle, page, shape, graphics.handles)
        segments, glyphs = read_text(page, shape, self._fonts, graphics, _PAGE_CHARS, unseen)
        orientation = dominant_orientation(segments)
        if orientation is not None:
            shape = RotatedFrame.of(shape, orientation)
            graphics = GraphicsReader(shape).read(page)
            segments, glyphs = read_text(page, shape, self._fonts, graphics, _PAGE_CHARS, unseen)
        segments += replaced
        if self._sheets:
            for segment in segments:
                segment.cell = True
        join_underscores(segments, graphics)
        glyphs += join_roots(segments, graphics, shape)
        if any(map(is_suspect, segments)):
            check_suspect(self._document, page, shape, segments, self._known_hidden)
        picture, fits = self._scans.check_layer(page, index, shape, segments, graphics)
        self._notices += [] if fits else [askew(index + 1)]
        content = PageContent(index + 1, shape, segments, graphics, glyphs=glyphs, laid=laid)
        if graphics.images:
            content.images = self._images.add_page(index + 1, graphics.images)
        if laid and self._tagged:
            content.tags = self._read_tags(page, shape, graphics)
        content.notes = read_annotations(LoadedPage(self._document, page, index + 1, shape, self._fonts), segments)
        graphics.fields = content.notes.fields
        self._has_fields = self._has_fields or bool(graphics.fields)
        self._files += content.notes.files
        drawn = graphics.images or graphics.shapes or graphics.rects
        if (drawn and not has_letters(segments)) or self._scans.reads(segments):
            self._scans.read(page, content)
        elif is_stamped(segments, graphics, shape):
            if self._limits.ocr:
                self._scans.read_stamped(page, content)
            else:
                self._pictures.wait()
        if content.frame is shape:  # a turned page was read from its picture, values of fields and all
            content.notes.notes += enter_fields(
                content.segments, content.notes.filled, content.graphics, recognized=content.recognized is not None
            )
        if laid:
            self._scans.find_drawings(page, content, picture)
            self._running.learn(content.segments, content.frame.width, content.frame.height)
        return content

    def _read_tags(self, page: int, shape: PageFrame, graphics: PageGraphics) -> PageTags:
        """The tags of a page; none of the pages after those that the pages contradict too often."""
        tags = read_tags(page, shape, graphics.handles)
        if is_sane(tags):
            return tags
        self._contradicted += bool(graphics.handles)
        self._tagged = self._contradicted < _CONTRADICTED
        return PageTags()

    def _compose(self, chunk: list[PageContent]) -> None:
        for content in chunk:
            learn_words(content.segments, self._vocabulary)
        for content in chunk:
            page = plain_page(content.frame, content.plain) if content.plain else self._composed(content)
            page.name = page_label(self._document, content.number - 1)
            page.notes = content.notes.notes
            self._notices += page_notices(
                page, content.number, content.graphics, content.recognized, ocr=self._limits.ocr
            )
            self._pages.append(page)

    def _composed(self, content: PageContent) -> PageRegions:
        shape, segments, graphics = content.frame, content.segments, content.graphics
        read = ReadPage(shape, segments, graphics, content.notes.links, self._vocabulary)
        if not content.laid:
            return unlaid_page(read)
        try:
            running = self._running.split(segments, shape.width, shape.height, graphics.vertical)
            running = with_artifacts(running, content.tags, segments, shape.height)
            page = compose_page(read, content.images, running, content.tags)
            join_caption_titles(page.regions)
            if content.glyphs:
                read_formulas(page, content.glyphs, graphics)
            self._pictures.add(content, page, self._images.found)
        except _NOT_OF_A_PAGE:
            raise
        except Exception as error:  # a fault of one rule costs the page its tables, not the document its text
            logger.warning("The layout of page %d broke off.", content.number, exc_info=error)
            return unlaid_page(read, type(error).__name__)
        return page

    def result(self) -> ParsedDocument:
        attachments = read_attachments(self._document, self._limits.max_embedded)
        named = {(file.name, file.size) for file in attachments}
        attachments += [file for file in self._files if (file.name, file.size) not in named]
        del attachments[self._limits.max_embedded :]
        laid = self._pages[: self._laid]
        regions = [region for page in laid for region in page.regions]
        if not any(region.text or region.rows for region in regions if not region.running and not region.hidden):
            for region in regions:  # what stands at the edge of pages is all there is to read
                region.running = ""
        take_rows_overleaf(laid)
        headings = find_headings(laid, read_outline(self._document)) if laid else Headings(0.0)
        join_listings(laid, headings.levels)
        join_cut_notes(laid, headings.body, self._vocabulary, headings.levels)
        join_cut_sentences(laid, headings.body, self._vocabulary, headings.levels)
        join_continued_tables(laid, headings.body, self._vocabulary)
        if not self._has_fields:
            self._pages[0].notes += [Note(kind="form", text=line, page=1) for line in read_xfa(self._document)]
        printed = printed_title(laid, headings)
        context = document_context(laid, headings, self._images.uses)
        self._pictures.read(self._document, laid, self._images.uses)
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
        self._notices += [*self._scans.notices(), *self._pictures.notices()]
        embedded: list[Embed] = [*self._images.found, *attachment_embeds(attachments)]
        return ParsedDocument(
            title=self._title,
            printed_title=printed,
            media_type="application/pdf",
            metadata=self._metadata,
            parts=tuple(parts),
            elements=tuple(elements),
            embedded=tuple(embedded),
            notices=tuple(self._notices),
        )


def _drawn(graphics: PageGraphics) -> int:
    """How many texts, rules and shapes a page has: what laying it out takes grows with them."""
    rules = len(graphics.horizontal) + len(graphics.vertical)
    return graphics.texts + rules + len(graphics.rects) + len(graphics.shapes)
