"""Tells what is drawn on a scanned page: ink that is not a word, and ruling lines. A scan is one picture, so that
nothing but the picture itself tells where its figures stand.

The page is drawn small, the words are painted over, and what ink is left is gathered by the cell: neighbouring cells
are one drawing (connected components; Rosenfeld & Pfaltz 1966)."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from sidecar.api import Box
from sidecar_pdf.pdfium.geometry import PageFrame
from sidecar_pdf.pdfium.graphics import PageGraphics, PlacedImage, Rule
from sidecar_pdf.pdfium.pages import Opened
from sidecar_pdf.pdfium.rendering import dark_on_light, ink_of, page_image
from sidecar_pdf.text.segments import INVISIBLE, Segment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Chosen on the corpus's scans (tests/plugins/pdf/test_pdf_scans.py).
_DPI, _MAX_PIXELS = 72, 4_000_000  # of the picture looked at
_CELL = 4  # pixels of a cell's side; words and strokes nearer than that touch
_WORD_MARGIN = 2  # pixels painted over around a word
_INKED = 0.06  # share of a cell's pixels that makes it more than a speck
_EDGE = 0.015  # share of the page along each edge where the scanner's shadow lies
_DENSITY = 0.04  # share of inked cells in the box of a drawing; stray specks in a row have less
_PAGE_SHARE = 0.8  # share of the page that is the page itself
_WRONG_SHARE = 0.5  # share of a text layer that differs from the ink, from which on the ink is read instead
_LAYER_SHARE = 0.8  # share of the text that is invisible in a scan's text layer
_STAMP_WORDS = 40  # of a stamp and a foot, at most
_MIN_SIDE = 30.0  # points of a drawing
_WORD_HEIGHT = 40.0  # points of a word, at most
_RULE_LENGTH, _RULE_THICKNESS = 24.0, 3.0  # points of a ruling line, at least and at most
_RULE_STEP = 3  # pixels by which the next row of a line that is not quite level may begin behind the end of this


def take_page_image(graphics: PageGraphics, frame: PageFrame) -> list[PlacedImage]:
    """Take the pictures that are the page itself, in one piece or in strips, out of the graphics's images."""
    wide = _page_images(graphics, frame)
    if wide:
        graphics.images = [image for image in graphics.images if image not in wide]
        graphics.scanned = True
    return wide


def _page_images(graphics: PageGraphics, frame: PageFrame) -> list[PlacedImage]:
    """The pictures that are the page itself, if there are any."""
    width, height = frame.width or 1.0, frame.height or 1.0
    wide = [i for i in graphics.images if i.box[2] - i.box[0] >= _PAGE_SHARE * width]
    return wide if sum(i.box[3] - i.box[1] for i in wide) >= _PAGE_SHARE * height else []


def is_stamped(segments: list[Segment], graphics: PageGraphics, frame: PageFrame) -> bool:
    """Whether the text of a page is no more than a stamp, a number or a foot over the picture of the whole page, which
    may be a scan."""
    words = sum(len(segment.words) for segment in segments)
    return words <= _STAMP_WORDS and bool(_page_images(graphics, frame))


def is_text_layer(segments: list[Segment]) -> bool:
    """Whether the text of the page is the invisible layer of a scan."""
    layer = sum(segment.style.mode in INVISIBLE and not segment.hidden for segment in segments)
    return layer > _LAYER_SHARE * len(segments)


def is_wrong_layer(segments: list[Segment]) -> bool:
    """Whether the text of the page is the layer of a scan most of which is not what its ink says."""
    layer = [segment for segment in segments if segment.style.mode in INVISIBLE]
    if len(layer) <= _LAYER_SHARE * len(segments):
        return False
    hidden = sum(len(segment.text) for segment in layer if segment.hidden)
    return hidden > _WRONG_SHARE * sum(len(segment.text) for segment in layer)


def word_boxes(segments: list[Segment]) -> list[Box]:
    """Where the words of a text layer stand; strokes of a drawing that were taken for letters are left out."""
    return [(w.x0, w.y0, w.x1, w.y1) for segment in segments for w in segment.words if _is_word(w.text)]


def scan_image(document: Opened, page: int) -> Image.Image:
    """The picture of a scanned page that is looked at, in shades of grey."""
    return dark_on_light(page_image(document, page, _DPI, _MAX_PIXELS, gray=True))


def find_drawings(picture: Image.Image, frame: PageFrame, words: Iterable[Box]) -> list[Box]:
    """The boxes of what is drawn on a scanned page, in points as shown. `words` are the boxes of its text."""
    scale = picture.width / max(frame.width, 1.0)
    ink = _ink(picture)
    brush = ImageDraw.Draw(ink)
    for x0, y0, x1, y1 in words:
        if y1 - y0 > _WORD_HEIGHT:
            continue  # a drawing taken for one large letter
        brush.rectangle(
            (
                x0 * scale - _WORD_MARGIN,
                y0 * scale - _WORD_MARGIN,
                x1 * scale + _WORD_MARGIN,
                y1 * scale + _WORD_MARGIN,
            ),
            fill=0,
        )
    cells = ink.reduce(_CELL)
    found: list[Box] = []
    for columns, rows, count in _components(cells):
        x0, x1 = min(columns) * _CELL / scale, (max(columns) + 1) * _CELL / scale
        y0, y1 = min(rows) * _CELL / scale, (max(rows) + 1) * _CELL / scale
        area = (max(columns) - min(columns) + 1) * (max(rows) - min(rows) + 1)
        if min(x1 - x0, y1 - y0) < _MIN_SIDE or count < _DENSITY * area:
            continue
        if (x1 - x0) * (y1 - y0) < _PAGE_SHARE * frame.width * frame.height:
            found.append((x0, y0, min(x1, frame.width), min(y1, frame.height)))
    return found


def find_rules(picture: Image.Image, scale: float) -> tuple[list[Rule], list[Rule]]:
    """The ruling lines of a page in shades of grey, level and upright, in points; `scale` is pixels a point."""
    import numpy as np  # a tenth of a second, which no other page needs

    inked = np.asarray(_ink(picture)) > 0
    return _long_runs(inked, scale), _long_runs(inked.T, scale)


def _long_runs(ink: "NDArray[np.bool_]", scale: float) -> list[Rule]:
    """Thin stretches of ink along the rows: runs of neighbouring rows that overlap are one rule, unless they are
    together too thick for one."""
    import numpy as np

    framed = np.zeros((ink.shape[0], ink.shape[1] + 2), np.int8)
    framed[:, 1:-1] = ink
    change = np.diff(framed, axis=1)
    rows, starts = np.nonzero(change == 1)
    ends = np.nonzero(change == -1)[1]
    long = ends - starts >= _RULE_LENGTH * scale
    stacks: list[list[tuple[int, int, int]]] = []
    growing: list[list[tuple[int, int, int]]] = []
    for row, start, end in zip(rows[long].tolist(), starts[long].tolist(), ends[long].tolist(), strict=True):
        growing = [stack for stack in growing if stack[-1][0] >= row - 1]
        over = next((s for s in growing if s[-1][1] <= end + _RULE_STEP and start <= s[-1][2] + _RULE_STEP), None)
        if over is None:
            growing.append([(row, start, end)])
            stacks.append(growing[-1])
        else:
            over.append((row, start, end))
    rules: list[Rule] = []
    for stack in stacks:
        top, bottom = stack[0][0], stack[-1][0] + 1
        if bottom - top <= _RULE_THICKNESS * scale:
            left, right = min(start for _, start, _ in stack), max(end for _, _, end in stack)
            rules.append(((top + bottom) / 2 / scale, left / scale, right / scale))
    return rules


def _is_word(text: str) -> bool:
    return sum(map(str.isalnum, text)) >= max(1, len(text) // 2)


def _ink(picture: Image.Image) -> Image.Image:
    """As `ink_of`, but nothing along the edges, where scans are dark."""
    ink = ink_of(picture)
    across, down = int(picture.width * _EDGE), int(picture.height * _EDGE)
    framed = Image.new("L", picture.size, 0)
    framed.paste(ink.crop((across, down, picture.width - across, picture.height - down)), (across, down))
    return framed


def _components(cells: Image.Image) -> list[tuple[list[int], list[int], int]]:
    """(columns, rows, how many) of the inked cells of each group of neighbours, corners included."""
    width = cells.width
    least = int(255 * _INKED)
    left = {at for at, shade in enumerate(cells.tobytes()) if shade > least}
    found: list[tuple[list[int], list[int], int]] = []
    while left:
        group = [left.pop()]
        for at in group:  # grows while it is gone through
            column = at % width
            for across in (-1, 0, 1):
                if not 0 <= column + across < width:
                    continue
                for near in (at + across - width, at + across, at + across + width):
                    if near in left:
                        left.remove(near)
                        group.append(near)
        found.append(([at % width for at in group], [at // width for at in group], len(group)))
    return found
