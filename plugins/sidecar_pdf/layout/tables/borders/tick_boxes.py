"""Boxes of forms: small squares to tick, that are drawn, part no cells, and begin the questions of a form, which are
not rows of a table; and frames to write in."""

from collections.abc import Sequence

from sidecar.api import Box
from sidecar_pdf.layout.lines import centred_in, rows_of
from sidecar_pdf.layout.tables.borders.drawn_grid import merged_rules
from sidecar_pdf.layout.tables.found import FoundTable
from sidecar_pdf.pdfium.geometry import contains_centre
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.fields import CHECKED, UNCHECKED
from sidecar_pdf.text.segments import Segment, Word

# Points, chosen on the eighteenth truth of tables (tests/bench/pages/pdf_pages.py).
_MIN_SIDE, _MAX_SIDE = 6.0, 22.0  # of a box to tick
_TOUCHING = 1.5  # between rules that meet
# Shares, factors and counts.
_TICKS = frozenset(("x", "X", "×", "✓", "✔", "✗", "✘", "•", "■", CHECKED, UNCHECKED))
_SHAPE = 1.4  # the longer side of a box to the shorter
_MAX_RULES, _MAX_BOXES = 1_200, 300  # of a page: more are a map or a pattern
_FIELDS = 0.6  # of the rows of what is a form, that have text in a frame of its own
_TICKED = 0.3  # of the lines of a form begin with a box to tick


def take_tick_boxes(graphics: PageGraphics, segments: list[Segment]) -> None:
    """Takes small squares that meet no other rule, and hold nothing but a tick, out of the rules: boxes to tick stand
    in the cells of forms and before lines of text, and part neither."""
    across, down = merged_rules(graphics.horizontal), merged_rules(graphics.vertical)
    if len(across) > _MAX_RULES or len(down) > _MAX_RULES:
        return
    boxes = _squares(across, down)
    if not boxes:
        return
    drawn = [*((left, y, right, y) for y, left, right in across), *((x, top, x, bottom) for x, top, bottom in down)]
    words = [(w.x0, w.y0, w.x1, w.y1) for s in segments for w in s.words if w.text not in _TICKS]
    boxes = [
        box for box in boxes[:_MAX_BOXES]
        if not any(contains_centre(box, word) for word in words) and not any(_meets(rule, box) for rule in drawn)
    ]  # fmt: skip
    graphics.ticks += boxes
    for segment in segments if boxes else ():
        segment.ticked = segment.ticked or any(_is_before(box, segment) for box in boxes)
    _enter_marks(
        [box for box in boxes if not any(_covers(cover.box, box) for cover in graphics.covers)], graphics, segments
    )
    for box in boxes:
        graphics.horizontal = [r for r in graphics.horizontal if not _holds(box, (r[1], r[0], r[2], r[0]))]
        graphics.vertical = [r for r in graphics.vertical if not _holds(box, (r[0], r[1], r[0], r[2]))]


def _enter_marks(boxes: list[Box], graphics: PageGraphics, segments: list[Segment]) -> None:
    """Puts into the text whether a box is ticked, before the words it stands before, or else behind those it stands
    behind; the box of a form field is in the text already."""
    for box in boxes:
        inside = [(s, at) for s in segments for at, w in enumerate(s.words) if contains_centre(box, w[1:5])]
        if any(s.words[at].text in {CHECKED, UNCHECKED} for s, at in inside) or any(s.vertical for s, _ in inside):
            continue
        if inside:
            segment, at = inside[0]
            segment.words[at] = segment.words[at]._replace(text=CHECKED)
            continue
        crossed = any(_holds(box, shape) for shape in graphics.curves)
        level = [s for s in segments if not s.vertical and s.y0 < (box[1] + box[3]) / 2 < s.y1]
        places = [(s, at) for s in level for at, word in enumerate(s.words) if _is_before(box, word)]
        places = places or [(s, at + 1) for s in level for at, word in enumerate(s.words) if _is_behind(box, word)]
        if places:
            segment, at = places[0]
            mark = Word(CHECKED if crossed else UNCHECKED, *box, segment.style, joined=False)
            segment.words.insert(at, mark)
            segment.x0, segment.x1 = min(segment.x0, box[0]), max(segment.x1, box[2])


def _covers(filled: Box, box: Box) -> bool:
    """Whether what is filled is the square itself, as in the key of a chart."""
    return all(abs(one - other) <= _TOUCHING for one, other in zip(filled, box, strict=True))


def _is_behind(box: Box, word: Word) -> bool:
    """Whether a box to tick stands behind a word."""
    return -_TOUCHING < box[0] - word.x1 < box[2] - box[0] and box[1] < (word.y0 + word.y1) / 2 < box[3]


def after_ticks(words: list[Word], ticks: list[Box]) -> list[Word]:
    """The words of a cell, those with a box to tick before them as if no white were there."""
    found = words[:1]
    for word in words[1:]:
        own = word.text in {CHECKED, UNCHECKED}
        ticked = (own or any(_is_before(box, word) for box in ticks)) and word.y0 < found[-1].y1
        found.append(word._replace(x0=min(word.x0, found[-1].x1)) if ticked else word)
    return found


def _is_before(box: Box, word: Word | Segment) -> bool:
    """Whether a box to tick stands before a word."""
    return -_TOUCHING < word.x0 - box[2] < box[2] - box[0] and box[1] < (word.y0 + word.y1) / 2 < box[3]


def is_ticked(table: FoundTable) -> bool:
    """Whether many lines of a table begin with a box to tick: they are questions of a form."""
    lines = rows_of(s for s in table.segments if not s.vertical)
    return sum(min(line, key=lambda s: s.x0).ticked for line in lines) > _TICKED * len(lines)


def _squares(across: list[Rule], down: list[Rule]) -> list[Box]:
    """Small squares of which all sides are drawn, the outermost where several lie in one another."""
    starts: dict[int, list[Rule]] = {}
    for rule in across:
        if rule[2] - rule[1] <= _MAX_SIDE:
            starts.setdefault(round(rule[1]), []).append(rule)
    sides = [rule for rule in down if _MIN_SIDE <= rule[2] - rule[1] <= _MAX_SIDE] if starts else []
    found: list[Box] = []
    for x, top, bottom in sides:
        from_here = [rule for step in (-1, 0, 1) for rule in starts.get(round(x) + step, ())]
        ends = [right for y, _, right in from_here if abs(y - top) <= _TOUCHING]
        if not ends or not any(abs(y - bottom) <= _TOUCHING for y, _, _ in from_here):
            continue
        box = (x, top, max(ends), bottom)
        if any(_holds(other, box) for other in found):
            continue
        long, short = max(box[2] - x, bottom - top), min(box[2] - x, bottom - top)
        closed = any(abs(other[0] - box[2]) <= _TOUCHING and abs(other[1] - top) <= _TOUCHING for other in sides)
        if closed and long < _SHAPE * short:
            found.append(box)
    return found


def _holds(box: Box, inner: Box) -> bool:
    """Whether something lies in a box or on its sides."""
    near = _TOUCHING
    across = box[0] - near <= inner[0] and inner[2] <= box[2] + near
    return across and box[1] - near <= inner[1] and inner[3] <= box[3] + near


def _meets(rule: Box, box: Box) -> bool:
    """Whether a rule outside a box comes up to one of its sides, or crosses it."""
    near = _TOUCHING
    apart = rule[2] < box[0] - near or rule[0] > box[2] + near or rule[3] < box[1] - near or rule[1] > box[3] + near
    return not apart and not _holds(box, rule)


def are_fields(table: FoundTable, frames: Sequence[Box]) -> bool:
    """Whether most rows of a table hold text that stands alone in a frame of its own: labels and fields of a form,
    whose edges line up as rules of a table do. A framed name before other text is not a field, but a key or a menu."""
    framed = [own[0] for own in centred_in(frames, table.segments) if len(own) == 1]  # heads of columns may be, too
    names = {id(s) for s in framed if _is_before_others(s, table.segments)}
    return len({round(s.y1) for s in framed if id(s) not in names}) >= _FIELDS * len(table.rows)


def _is_before_others(segment: Segment, segments: Sequence[Segment]) -> bool:
    """Whether a piece is the first one of its line, and not the only one."""
    middle = (segment.y0 + segment.y1) / 2
    level = [s for s in segments if s is not segment and s.y0 < middle < s.y1]
    return bool(level) and all(s.x0 > segment.x1 for s in level)
