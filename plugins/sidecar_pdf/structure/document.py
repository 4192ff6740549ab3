"""Reads a whole document within the limits: page after page into drafts, then headings and elements over all."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from sidecar.api import Box, DamagedError, Element, Embed, Limits, Notice, ParsedDocument, Part, Source
from sidecar_pdf.layout.running import RunningMatter
from sidecar_pdf.pdfium.drawing import page_image
from sidecar_pdf.pdfium.embedded import EmbeddedImages, attachment_embeds
from sidecar_pdf.pdfium.info import page_label, read_attachments, read_metadata, read_outline
from sidecar_pdf.pdfium.pages import Opened, PageFrame, frame, loaded, opened
from sidecar_pdf.pdfium.styles import Fonts
from sidecar_pdf.structure.compose import compose_page
from sidecar_pdf.structure.drafts import Draft, DraftPage, PageImages
from sidecar_pdf.structure.finish import finish_page, whole
from sidecar_pdf.structure.headings import find_headings
from sidecar_pdf.structure.notes import PageNotes, read_notes
from sidecar_pdf.structure.overrun import join_cut_words
from sidecar_pdf.text.ink import drawings, is_text_layer, take_backdrop, word_boxes
from sidecar_pdf.text.ocr import Reader, find_reader
from sidecar_pdf.text.scan import Scanner, Scene
from sidecar_pdf.text.segments import Segment
from sidecar_pdf.text.turned import prevailing
from sidecar_pdf.text.turns import TurnedFrame
from sidecar_pdf.text.words import read_segments

_CHUNK = 16
"""Pages read before any of them is composed: enough to see which heads run."""
_GIVE_UP = 64
"""Pages in a row that cannot be loaded before the page count is taken for a lie."""
_PAGE_CHARS = 2_000_000


@dataclass
class _Read:
    """One page as read, before it is composed."""

    number: int
    frame: PageFrame
    segments: list[Segment] = field(default_factory=list[Segment])
    scene: Scene = field(default_factory=Scene)
    images: PageImages = field(default_factory=lambda: PageImages({}))
    notes: PageNotes = field(default_factory=PageNotes)
    scanned: list[Draft] | None = None
    """What OCR read; None where it did not run."""
    loaded: bool = True


def read_document(source: Source, limits: Limits) -> ParsedDocument:
    """The document. See `PdfFormat.parse` for what it raises."""
    with opened(source, limits) as document:
        if document.pages <= 0:
            raise DamagedError(f"{source.name} has no pages.")
        reading = _Reading(source, document, limits)
        reading.run()
        return reading.result()


class _Reading:
    """The state of one parse."""

    def __init__(self, source: Source, document: Opened, limits: Limits) -> None:
        self._source, self._document, self._limits = source, document, limits
        self._fonts = Fonts(document.data)
        self._running = RunningMatter()
        self._vocabulary: set[str] = set()
        self._images = EmbeddedImages(limits.max_embedded)
        self._pages: list[DraftPage] = []
        self._notices: list[Notice] = []
        self._chars = 0
        self._title, self._metadata = read_metadata(document)
        self._reader: Reader | None = None
        self._reader_sought = False
        self._unread: list[int] = []
        self._judged: dict[tuple[str, Box], bool] = {}

    def run(self) -> None:
        count = min(self._document.pages, self._limits.max_parts)
        if count < self._document.pages:
            self._truncated(count, f"max_parts is {count:,}")
        missing = 0
        at = 0
        while at < count:
            chunk: list[_Read] = []
            for index in range(at, min(at + _CHUNK, count)):
                read = self._read(index)
                missing = 0 if read.loaded else missing + 1
                chunk.append(read)
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
        if time.monotonic() > self._document.deadline:
            self._truncated(done, f"reading took {self._limits.max_seconds * 0.8:.0f} seconds (max_seconds)")
            return True
        if self._chars > self._limits.max_text_chars:
            self._truncated(done, f"max_text_chars is {self._limits.max_text_chars:,}")
            return True
        return False

    def _truncated(self, done: int, why: str) -> None:
        self._notices.append(
            Notice("truncated_at", f"Read up to page {done:,} of {self._document.pages:,}: {why}.", part=max(done, 1))
        )

    def _read(self, index: int) -> _Read:
        with loaded(self._document, index) as page:
            if not page:
                self._notices.append(Notice("damaged_part", f"Page {index + 1} cannot be loaded.", part=index + 1))
                return _Read(index + 1, PageFrame(0, 0, 0, 0, 0, 0, 0), loaded=False)
            shape = frame(page)
            scene = Scanner(shape).page(page)
            segments = read_segments(page, shape, self._fonts, scene, _PAGE_CHARS)
            turn = prevailing(segments)
            if turn is not None:
                shape = TurnedFrame.of(shape, turn)
                scene = Scanner(shape).page(page)
                segments = read_segments(page, shape, self._fonts, scene, _PAGE_CHARS)
            if any(segment.hidden and segment.style.white for segment in segments):
                _look_again(self._document, page, shape, segments, self._judged)
            self._chars += sum(len(word.text) + 1 for segment in segments for word in segment.words)
            read = _Read(index + 1, shape, segments, scene)
            if scene.images:
                read.images = self._images.add_page(page, index + 1, scene.images)
            read.notes = read_notes(self._document, page, index + 1, shape, segments)
            scene.fields = read.notes.fields
            if not _has_text(segments) and (scene.images or scene.shapes or scene.rects):
                read.scanned = self._ocr(page, index + 1)
            self._look(page, read)
        self._running.learn(segments, shape.height)
        return read

    def _look(self, page: int, read: _Read) -> None:
        """On a scan whose words are known the rest of the ink is drawings."""
        if read.scanned is not None and self._reader is not None:
            words = self._reader.boxes
        elif read.segments and is_text_layer(read.segments):
            words = word_boxes(read.segments)
        else:
            return
        if isinstance(read.frame, TurnedFrame):
            return  # the picture shows the page as it is, not as it reads
        if words and take_backdrop(read.scene, read.frame):
            read.scene.drawings = drawings(self._document, page, read.frame, words)

    def _ocr(self, page: int, number: int) -> list[Draft] | None:
        if not self._limits.ocr:
            return None
        if not self._reader_sought:
            self._reader_sought = True
            self._reader = find_reader(self._metadata.get("language", ""), self._limits.max_seconds)
        if self._reader is None:
            return None
        drafts = self._reader.read(self._document, page)
        if drafts is None:
            self._unread.append(number)
        return drafts

    def _compose(self, chunk: list[_Read]) -> None:
        for read in chunk:
            running = self._running.split(read.segments, read.frame.height)
            page = compose_page(
                read.frame,
                read.segments,
                read.scene,
                read.images,
                read.notes.links,
                vocabulary=self._vocabulary,
                running=running,
            )
            page.name = page_label(self._document, read.number - 1)
            page.notes = read.notes.notes
            self._remark(page, read)
            if read.scanned:
                page.drafts += read.scanned
            self._pages.append(page)

    def _remark(self, page: DraftPage, read: _Read) -> None:
        number = read.number
        if not page.texted and page.drawn:
            why = "" if read.scanned is not None else _why_no_ocr(self._reader, limits_ocr=self._limits.ocr)
            self._notices.append(Notice("no_text_layer", f"Page {number} has no text layer.{why}", part=number))
            if read.scanned:
                self._notices.append(
                    Notice(
                        "ocr",
                        f"The text of page {number} was read from its picture by OCR and may hold errors.",
                        part=number,
                    )
                )
        if any(draft.hidden for draft in page.drafts):
            self._notices.append(
                Notice(
                    "hidden_content",
                    f"Page {number} holds text a reader does not see (off the page, or in white).",
                    part=number,
                )
            )
        if read.scene.unread:
            self._notices.append(
                Notice(
                    "unsupported_content",
                    f"Most text of page {number} is set in a way that gives no text.",
                    part=number,
                )
            )
        if page.truncated:
            self._notices.append(
                Notice("truncated_at", f"Page {number} draws more shapes than are looked at for figures.", part=number)
            )

    def result(self) -> ParsedDocument:
        attachments = read_attachments(self._document, self._limits.max_embedded)
        headings = find_headings(self._pages, read_outline(self._document))
        join_cut_words(self._pages, headings.body, self._vocabulary)
        known = whole(self._pages, headings, self._images.uses)
        parts: list[Part] = []
        elements: list[Element] = []
        for number, page in enumerate(self._pages, 1):
            part, found = finish_page(page, number, known)
            parts.append(part)
            elements += found
            self._pages[number - 1] = DraftPage(0, 0)  # the drafts are done with: long documents need the memory
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


def _look_again(
    document: Opened, page: int, shape: PageFrame, segments: list[Segment], judged: dict[tuple[str, Box], bool]
) -> None:
    """White text stays hidden only where the drawn page is white under it: patterns and masks tell their colour to
    nobody else. `judged` remembers what stands at the same place on every page."""
    doubtful = [s for s in segments if s.hidden and s.style.white and s.x1 > 0 and s.x0 < shape.width]
    keys = {id(s): (s.text, (round(s.x0), round(s.y0), round(s.x1), round(s.y1))) for s in doubtful}
    if all(key in judged for key in keys.values()):
        for segment in doubtful:
            segment.hidden = judged[keys[id(segment)]]
        return
    picture = page_image(document, page, 36, 2_000_000, gray=True)
    scale = picture.width / max(shape.shown((0.0, 0.0, shape.width, shape.height))[2], 0.1)
    for segment in doubtful:
        x0, y0, x1, y1 = shape.shown((segment.x0, segment.y0, segment.x1, segment.y1))
        left, top = max(int(x0 * scale), 0), max(int(y0 * scale), 0)
        right = min(int(x1 * scale) + 2, picture.width)
        bottom = min(int(y1 * scale) + 2, picture.height)
        if right > left and bottom > top:
            low, _ = picture.crop((left, top, right, bottom)).getextrema()
            segment.hidden = int(low) > 225  # pyright: ignore[reportArgumentType] - one band, so one number
        judged[keys[id(segment)]] = segment.hidden


def _has_text(segments: list[Segment]) -> bool:
    return any(char.isalnum() for segment in segments for word in segment.words for char in word.text[:3])


def _why_no_ocr(reader: Reader | None, *, limits_ocr: bool) -> str:
    if not limits_ocr:
        return " OCR is switched off."
    return " With tesseract installed it would be read by OCR." if reader is None else ""
