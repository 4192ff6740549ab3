"""What is painted for text and draws nothing: the marks before items of a list, and the grounds on which lines begin at
the left, as printed web pages have them behind their menus, heads and tables. The text on them is not a figure's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from sidecar.api import Box
from sidecar_pdf.layout.lines import centred_in, rows_of
from sidecar_pdf.layout.tables.borders.filled import filled_rows
from sidecar_pdf.pdfium.geometry import area, contains_centre
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.text.segments import Segment, Word

# Points, chosen on printed web pages (tests/bench/pages/pdf_pages.py).
_LEFT = 24.0  # from the left edge of a ground, within which its lines begin
_SAME_EDGE = 2.0  # between a ground's edge and a rule that draws it
_APART = 9.0  # around a mark, within which nothing else is drawn
_PANEL_AREA = 6_000.0  # square points of a panel behind running text
# Sizes of type.
_MIN_MARK, _MAX_MARK = 0.15, 0.6  # sides of the mark before an item
_MARK_NEAR, _MARK_FAR = 0.15, 1.8  # from it to the item
_OVER_LEFT, _OVER = 0.6, 2.0  # from the left edge of a mark over its item to that; from its foot down
# Shares, factors and counts.
_SEVERAL_OVER = 2  # marks over their items, at least
_MARK_SHAPE = 1.3  # the longer side of a mark to the shorter
_WIDE = 0.5  # of the page's width, from which on a ground is one of lines
_LEFT_SHARE = 0.12  # of a ground's width, within which its lines begin
_BAND_WIDTH, _BAND_HEIGHT = 0.8, 0.1  # of the page, of a band without text
_AT_LEFT = 0.6  # of the lines on a ground, that begin at its left
_MENU_LINES = 8  # of a narrow ground
_PANEL_WORDS, _PANEL_LINES, _PANEL_TEXT = 4, 3, 0.08  # of a line, and such lines in a panel; area that is text in it
_DISC, _RING, _SQUARE = "•◦▪"
_MAX_MARKS, _MAX_RECTS = 400, 600  # of a page: more are a plot or a map
_MAX_PANELS = 30  # of a page, in which marks are looked for


def take_list_marks(graphics: PageGraphics, segments: Sequence[Segment]) -> None:
    """Takes the marks before items of lists out of the drawings: browsers draw discs, circles and squares, as deep as
    the list is nested. They become the first word of the line they stand before."""
    small = _small_shapes(graphics)
    if not 0 < len(small) < _MAX_MARKS:
        return
    marks = {box for box in small if any(_is_mark(box, s) for s in segments)}
    drawn = (*graphics.shapes, *graphics.drawings, *(s.box for s in graphics.specks), *(i.box for i in graphics.images))
    others = [box for box in drawn if box not in marks]
    others = _without_panels(others, marks, set(graphics.curves))
    marks = {box for box in marks if not any(_is_near(box, other) for other in others)}
    opened = {box: line for box in marks if (line := _opened_by(box, segments)) is not None}
    rest = [box for box in small if box not in marks]
    discs = (box for box in rest if small[box] == _DISC)
    over = {box: line for box in discs if (line := _hangs_over(box, segments)) is not None}
    unlike = (box for box in rest if small[box] != _DISC)
    if len(over) >= _SEVERAL_OVER and all(_hangs_over(box, segments) is None for box in unlike):
        marks |= over.keys()
        opened |= over
    if any(small[box] != _SQUARE for box in opened):  # squares alone may be those of a legend
        for box, line in opened.items():
            _put_before(line, box, small[box])
    graphics.shapes = [box for box in graphics.shapes if box not in marks]
    graphics.curves = [box for box in graphics.curves if box not in marks]
    graphics.rects = [box for box in graphics.rects if box not in marks]


def _without_panels(others: list[Box], marks: set[Box], lines: set[Box]) -> list[Box]:
    """What else is drawn, without the filled shapes, as cards with round corners are, in which nothing is drawn but
    marks under one another."""
    panels = {box for box in others if area(box) >= _PANEL_AREA and box not in lines}
    if len(panels) > _MAX_PANELS:
        return others
    found: set[Box] = set()
    for panel in panels:
        lefts = [box[0] for box in marks if contains_centre(panel, box)]
        column = len(lefts) > 1 and max(lefts) - min(lefts) < _SAME_EDGE
        if column and not any(box != panel and contains_centre(panel, box) for box in others):
            found.add(panel)
    return [box for box in others if box not in found]


def _small_shapes(graphics: PageGraphics) -> dict[Box, str]:
    """The shapes that are small enough for marks, with the signs they look like."""
    found = dict.fromkeys(graphics.shapes, _DISC) | dict.fromkeys(graphics.curves, _RING)
    found |= dict.fromkeys(graphics.rects, _SQUARE)
    small = {box: sign for box, sign in found.items() if max(box[2] - box[0], box[3] - box[1]) < _APART}
    for box, is_round, filled in graphics.specks:
        small[box] = (_DISC if filled else _RING) if is_round else _SQUARE
    return small


def _is_mark(box: Box, segment: Segment) -> bool:
    """Whether a small shape stands before a line of text, in the middle of its height."""
    size = max(segment.style.size, 1.0)
    white = box[0] - segment.x1 if segment.rtl else segment.x0 - box[2]
    if segment.vertical or not _MARK_NEAR * size < white < _MARK_FAR * size:
        return False
    across, down = box[2] - box[0], box[3] - box[1]
    fits = _MIN_MARK * size < min(across, down) and max(across, down) < _MAX_MARK * size
    square = max(across, down) < _MARK_SHAPE * min(across, down)
    return fits and square and segment.y0 < (box[1] + box[3]) / 2 < segment.y1


def _opened_by(box: Box, segments: Sequence[Segment]) -> Segment | None:
    """What a mark stands before, unless more of the line stands before the mark."""
    line = [s for s in segments if s.y0 < (box[1] + box[3]) / 2 < s.y1 and not s.vertical]
    marked = [s for s in line if _is_mark(box, s)]
    opened = max(marked, key=lambda s: s.x1) if marked[0].rtl else min(marked, key=lambda s: s.x0)
    before = (s.x0 - box[2] if opened.rtl else box[0] - s.x1 for s in line if (s.x0 < box[0]) != opened.rtl)
    return opened if min(before, default=math.inf) > _MARK_FAR * opened.style.size else None


def _hangs_over(box: Box, segments: Sequence[Segment]) -> Segment | None:
    """The line under a small shape that begins with it, where nothing stands level with that: browsers set the mark of
    an item that opens with a paragraph on a line of its own."""
    level = any(s.y0 < (box[1] + box[3]) / 2 < s.y1 for s in segments)
    under = [s for s in segments if s.y0 > box[3] and abs(s.x0 - box[0]) < _OVER_LEFT * s.style.size and not s.vertical]
    line = min(under, key=lambda s: s.y0, default=None)
    if level or line is None or line.rtl or line.y0 - box[3] > _OVER * line.style.size:
        return None
    return line if _MIN_MARK * line.style.size < box[2] - box[0] < _MAX_MARK * line.style.size else None


def _put_before(line: Segment, box: Box, sign: str) -> None:
    first = line.words[0]
    x0, x1 = (box[0], box[2]) if box[3] > line.y0 else (line.x0 - line.style.size, line.x0 - line.style.size / 2)
    mark = Word(sign, x0, first.y0, x1, first.y1, first.style._replace(mono=False), joined=False)
    line.words[:1] = [mark, first._replace(joined=False)]
    line.x0, line.x1 = min(line.x0, x0), max(line.x1, x1)


def _is_near(box: Box, other: Box) -> bool:
    return not (
        other[0] > box[2] + _APART or other[2] < box[0] - _APART
        or other[1] > box[3] + _APART or other[3] < box[1] - _APART
    )  # fmt: skip


def text_grounds(rects: Sequence[Box], segments: Sequence[Segment], width: float, height: float) -> list[Box]:
    """Those of the rectangles of a page that are grounds of text: panels of running text, areas and rows of filled
    cells half as wide as the page or wider whose lines begin at the left, narrower ones of many such lines, and bands
    as wide as the text without any."""
    if not 0 < len(rects) < _MAX_RECTS:
        return []
    grounds: list[Box] = []
    rows = filled_rows(rects, _SAME_EDGE)
    areas = [(row[0][0], row[0][1], row[-1][2], row[0][3]) for row in rows]
    for row, box, inside in zip(rows, areas, centred_in(areas, segments), strict=True):
        across = (box[2] - box[0]) / max(width, 1.0)
        band = len(row) == 1 and across > _BAND_WIDTH and box[3] - box[1] < _BAND_HEIGHT * height and not inside
        if band or _is_panel(box, inside) or _is_ground(row, inside, wide=across > _WIDE):
            grounds += row
    return grounds


def _is_panel(box: Box, inside: Sequence[Segment]) -> bool:
    """Whether a rectangle is the ground of running text, such as a quotation beside a photograph."""
    if area(box) < _PANEL_AREA:
        return False
    texts = [s for s in inside if len(s.words) >= _PANEL_WORDS]
    return len(texts) >= _PANEL_LINES and sum(area(s.box) for s in texts) > _PANEL_TEXT * area(box)


def _is_ground(row: Sequence[Box], inside: Sequence[Segment], *, wide: bool) -> bool:
    """Whether the lines on an area, or in cells side by side, begin at its left or that of a cell: one line of a wide
    area, many of a narrow one."""
    least = 1 if wide else _MENU_LINES
    if len(inside) < least or any(s.vertical for s in inside):
        return False
    left = max(_LEFT, _LEFT_SHARE * (row[-1][2] - row[0][0]))
    lines = rows_of(inside)
    firsts = [min(line, key=lambda s: s.x0) for line in lines]
    at_left = sum(
        first.x0 - row[0][0] < left
        or any(contains_centre(cell, first.box) and first.x0 - cell[0] < _LEFT for cell in row)
        for first in firsts
    )
    return at_left >= _AT_LEFT * len(lines) and len(lines) >= least


def is_edge(rule: Box, grounds: Iterable[Box]) -> bool:
    """Whether a rule draws an edge of a ground."""
    near = _SAME_EDGE
    return any(
        x0 - near <= rule[0] and rule[2] <= x1 + near and y0 - near <= rule[1] and rule[3] <= y1 + near
        and min(abs(rule[0] - x0) + abs(rule[2] - x0), abs(rule[0] - x1) + abs(rule[2] - x1),
                abs(rule[1] - y0) + abs(rule[3] - y0), abs(rule[1] - y1) + abs(rule[3] - y1)) < 2 * near
        for x0, y0, x1, y1 in grounds
    )  # fmt: skip
