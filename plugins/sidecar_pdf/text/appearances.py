"""The words that annotations show: a stamp, a field or a remark may be its appearance alone (ISO 32000-2, 12.5.5),
which is not content of the page."""

from collections.abc import Sequence
from typing import NamedTuple

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.fonts import Fonts
from sidecar_pdf.pdfium.geometry import PageFrame, contains_centre
from sidecar_pdf.pdfium.graphics import GraphicsReader, PageGraphics
from sidecar_pdf.pdfium.pages import Opened, loaded
from sidecar_pdf.text.hidden.replacement import check_replacements
from sidecar_pdf.text.segments import COVERED, Word
from sidecar_pdf.text.words import read_text

_FLATTENED, _FOR_DISPLAY = 1, 0
_MAX_CHARS = 200_000
"""Of the annotations of a page."""


class LoadedPage(NamedTuple):
    """A page of a document, its pdfium handle and its number (1-based), how it is shown, and the fonts met so far."""

    document: Opened
    handle: int
    number: int
    frame: PageFrame
    fonts: Fonts


def read_appearances(page: LoadedPage, boxes: Sequence[Box]) -> list[list[Word]]:
    """The words in each of the boxes of annotations on a page, without its own; those that cannot be
    seen, as white ones, in the rendering mode that says so. The page in memory has its annotations as content from then
    on: nothing else is to be read of it."""
    nothing = [list[Word]() for _ in boxes]
    if not boxes or raw.flatten(page.handle, _FOR_DISPLAY) != _FLATTENED:
        return nothing
    with loaded(page.document, page.number - 1) as flattened:
        if not flattened or not _take_own_content(flattened):
            return nothing
        drawn = GraphicsReader(page.frame).read(flattened)
        check_replacements(page.document.handle, flattened, page.frame, drawn.handles)
        ground = PageGraphics(fills=drawn.fills, images=drawn.images)
        shown = read_text(flattened, page.frame, page.fonts, ground, _MAX_CHARS, {}).segments
    words = [_unseen(word) if segment.hidden else word for segment in shown for word in segment.words]
    return [[word for word in words if contains_centre(box, word[1:5])] for box in boxes]


def _unseen(word: Word) -> Word:
    return word._replace(style=word.style._replace(mode=COVERED))


def _take_own_content(page: int) -> bool:
    """Takes all of the page's own out of a flattened page: pdfium puts annotations into one form, the last object."""
    count = raw.count_objects(page)
    if not count or raw.object_type(raw.get_object(page, count - 1)) != raw.FORM:
        return False
    for at in range(count - 2, -1, -1):
        thing = raw.get_object(page, at)
        if thing and raw.remove_object(page, thing):
            raw.destroy_object(thing)
    return True
