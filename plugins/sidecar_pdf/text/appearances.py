"""The words that annotations show and nothing else says: a stamp, a field or a remark may be its appearance alone
(ISO 32000-2, 12.5.5), which is no content of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.fonts import Fonts
from sidecar_pdf.pdfium.geometry import PageFrame
from sidecar_pdf.pdfium.graphics import GraphicsReader, PageGraphics
from sidecar_pdf.pdfium.pages import Opened, loaded
from sidecar_pdf.text.hidden.replacement import check_replacements
from sidecar_pdf.text.segments import Segment
from sidecar_pdf.text.words import read_text

_FLATTENED, _FOR_DISPLAY = 1, 0
_MAX_CHARS = 200_000
"""Of a page with its annotations."""


def read_appearances(
    document: Opened, page: int, number: int, frame: PageFrame, fonts: Fonts, segments: Sequence[Segment],
    boxes: Sequence[Box],
) -> list[str]:  # fmt: skip
    """The words shown in each of the boxes of annotations on page `number` (1-based) besides its own text, which
    `segments` are. The page in memory has its annotations as content from then on: nothing else is to be read of it."""
    if raw.flatten(page, _FOR_DISPLAY) != _FLATTENED:
        return [""] * len(boxes)
    with loaded(document, number - 1) as flattened:
        if not flattened:
            return [""] * len(boxes)
        check_replacements(document.handle, flattened, frame, GraphicsReader(frame).read(flattened).handles)
        shown = read_text(flattened, frame, fonts, PageGraphics(), _MAX_CHARS, {}).segments
    own = Counter(word.text for segment in segments for word in segment.words)
    places = [((w.x0 + w.x1) / 2, (w.y0 + w.y1) / 2, w.text) for segment in shown for w in segment.words]
    texts: list[str] = []
    for left, top, right, bottom in boxes:
        words: list[str] = []
        for x, y, word in places:
            if not (left <= x <= right and top <= y <= bottom):
                continue
            if own[word] > 0:
                own[word] -= 1
            else:
                words.append(word)
        texts.append(" ".join(words))
    return texts
