"""Makes paragraphs, list items and displayed equations of the lines of one column, and joins their lines."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median_low

from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.equations import (
    belongs_to_equation,
    carries_on,
    gather_equations,
    is_equation,
    math_characters,
    number_of,
    part_displays,
)
from sidecar_pdf.layout.lines import Line, as_set, end_with, join_lines, shift_spans
from sidecar_pdf.pdfium.fonts import family
from sidecar_pdf.pdfium.geometry import bounding_box
from sidecar_pdf.structure.breaks import breaks
from sidecar_pdf.structure.columns import (
    ColumnMetrics,
    Step,
    begins_entry,
    column_of,
    ended_by_hand,
    entry_edges,
    mirrored,
)
from sidecar_pdf.structure.listings import as_typed, program_runs
from sidecar_pdf.structure.numbering import is_roman, marker_match
from sidecar_pdf.structure.regions import Region
from sidecar_pdf.text.annotations import Link
from sidecar_pdf.text.segments import Word

_BULLETS = frozenset("•◦▪‣·●○■□▶►➢➤✓✔❖◆◇–—")
_SMALL_CAPITALS = re.compile(r"CSC\d|(?:SF|EC)(?:CC|XC|SC)\d|SmallCap|SmCap|Caps\d|-SC\b|SCOsF")
_LETTER = re.compile(r"[^\W\d_]")
_ENDS = ".!?;:,)"
_WORD = re.compile(r"[^\W\d_]{2}")
_LISTED = 0.8  # of the characters of a listing, in a typewriter face
_ABOVE_APART, _BELOW_APART = 0.35, 0.1  # ems of white space that sets a paragraph apart
_UNDER_TITLE = 0.7  # ems of white space under a title, where more than the text has
_PIECE_GAP = 2.0  # ems of white space that parts a line into pieces, such as the names of columns
_SET_OUT, _MIN_COUNTED = 0.8, 2  # ems from the number of an item without a sign to its text; items that tell
_EVEN = 0.8  # points by which heights and distances of lines differ that are set evenly
_INSET_LINES, _INSET, _FURTHEST_INSET = 2, 1.2, 6.0  # lines of a quotation, at least; ems it is set in, and most
_OPEN = 99.0  # points of white space above the first and below the last paragraph of a column


def paragraphs(lines: list[Line], vocabulary: set[str], links: list[Link], edge: float = 0.0) -> list[Region]:
    """The regions of one column, top to bottom. `vocabulary` holds words seen unbroken, to judge hyphens by; `edge` is
    where lines of the page may end, in points, 0 where that is not known."""
    if not lines:
        return []
    column = column_of(lines, edge)
    left, leading, edges = column.left, column.leading, entry_edges(lines)
    lines = lines if edges else part_displays(lines, left)
    placed, first = mirrored(lines), 0
    own = column if placed is lines else column_of(placed, 0.0)
    groups: list[list[Line]] = []
    kinds: list[str] = []
    program = program_runs(lines)
    for at, line in enumerate(lines):
        before = lines[at - 1] if at else None
        kind = "equation" if not edges and is_equation(line, left, column.right, leading, before) else "text"
        later = lines[at + 1] if at + 1 < len(lines) else None
        if before is not None and edges:
            start = begins_entry(edges, before, line, leading)
        else:
            after = placed[at + 1] if later else None
            start = before is None or breaks(Step(placed[first:at], placed[at], after, own))
        if kinds and (kind == "equation") != (kinds[-1] == "equation"):
            start = not (kinds[-1] == "equation" and belongs_to_equation(groups[-1], line, leading, left))
            kind = kind if start else "equation"
        elif kinds and kind == "equation":
            start = not carries_on(groups[-1], line, leading)
        if at in program or at - 1 in program:
            start = program.get(at) != program.get(at - 1)
            kind = "text" if at in program else kind
        if start:
            groups.append([line])
            kinds.append(kind)
            first = at
        else:
            groups[-1].append(line)
    groups, kinds = gather_equations(groups, kinds, leading)
    regions = [_region(group, kind, vocabulary, links, column) for group, kind in zip(groups, kinds, strict=True)]
    _mark_counted(groups, regions)
    listed = {id(lines[at]) for at in program}
    for at, region in enumerate(regions):
        if placed is not lines:
            region.opens = left + own.right - groups[at][0].x1  # how far it is indented, from the right
        region.full = groups[at][-1].x1 > column.margin - region.size
        region.held_to = _held_to(groups[at], left)
        region.code = "" if edges else region.code
        if id(groups[at][0]) in listed:
            region.code, region.mono, region.kind, region.marker = as_typed(groups[at]), True, "text", ""
        above = region.box[1] - regions[at - 1].box[3] if at else _OPEN
        below = regions[at + 1].box[1] - region.box[3] if at + 1 < len(regions) else _OPEN
        region.over_white = below > _UNDER_TITLE * region.size
        region.alone = above > _ABOVE_APART * region.size and below > _BELOW_APART * region.size
    return regions


def _region(group: list[Line], kind: str, vocabulary: set[str], links: list[Link], column: ColumnMetrics) -> Region:
    begins, left = list[int](), column.left
    text, spans = join_lines(group, vocabulary, links, begins)
    main = max(group, key=lambda line: len(line.text))
    box = bounding_box((g.x0, g.y0, g.x1, g.y1) for g in group)
    region = Region("text", text, box, size=main.size, lines=len(group), spans=spans, column_left=left)
    region.opens = group[0].x0
    segments = [segment for line in group for segment in line.segments]
    words = [word for line in group for word in line.words]
    letters = [word for word in words if _LETTER.search(word.text)]
    region.family, region.color = family(main.style.font), main.style.color
    region.bold = bool(letters) and letters[0].style.bold and all(w.style.bold or w.style.mono for w in letters)
    region.italic = bool(letters) and all(w.style.italic for w in letters)
    region.capitals = bool(letters) and all(_SMALL_CAPITALS.search(w.style.font) for w in letters)
    math = math_characters(words)
    region.math = math / sum(len(w.text) for w in words) if math else 0.0
    typed = sum(len(w.text) for w in words if w.style.mono)
    region.mono = all(s.style.mono for s in segments) and typed > _LISTED * sum(len(w.text) for w in words)
    region.hidden = all(s.hidden for s in segments)
    region.pieces = _pieces(group[0].words, main.size)
    if region.mono and not (words[0].text in _BULLETS and not words[0].style.mono):
        region.code, region.leading = as_set(group, left), _leading(group)
    if kind == "equation":
        region.kind, region.spans = "equation", ()
        region.label = next((number for line in group if (number := number_of(line))), "")
        if region.label:
            region.text = re.sub(r"\s*[(\[]\s?" + re.escape(region.label) + r"\s?[)\]]\s*", " ", text).strip() or text
        return region
    region.caption = match_caption(text)
    marker = None if region.caption else marker_match(text, group[0])
    if marker:
        bullet = marker[1]
        region.kind, region.text = "list", text[marker.end() :]
        region.marker = bullet if bullet.isprintable() else "•"
        region.spans = shift_spans(spans, -marker.end())
    elif not region.caption and len(group) > 1:
        region.line_ends = tuple(begins[at] for at in ended_by_hand(group, column))
    return region


def _mark_counted(groups: list[list[Line]], regions: list[Region]) -> None:
    """Makes items of paragraphs right below one another that numbers without any sign count from one on, set out from
    text that begins at one place."""
    run: list[tuple[Region, list[Word]]] = []
    for region, group in zip(regions, groups, strict=True):
        words = group[0].words
        if run and not (_counts(region, words, len(run) + 1) and _counts_on(run, words)):
            _make_items(run)
            run = []
        if _counts(region, words, len(run) + 1):
            run.append((region, words))
    _make_items(run)


def _counts(region: Region, words: list[Word], number: int) -> bool:
    """Whether a paragraph opens with a number, set out from its text."""
    if region.kind != "text" or region.bold or region.caption or len(words) < 2 or words[0].text != str(number):
        return False
    set_out = words[1].x0 - words[0].x1 > _SET_OUT * region.size and _LETTER.match(words[1].text) is not None
    return set_out and not region.text[-1].isdigit()


def _counts_on(run: list[tuple[Region, list[Word]]], words: list[Word]) -> bool:
    """Whether the text behind a number begins where that of the items before does, and is not the rest of theirs, as
    beside the numbers of lines."""
    last, (_, first, *_) = run[-1][0], run[0][1]
    ended = last.text[-1] in _ENDS or not words[1].text[0].islower()
    return ended and abs(words[1].x0 - first.x0) < _EVEN


def _make_items(run: list[tuple[Region, list[Word]]]) -> None:
    for region, words in run if len(run) >= _MIN_COUNTED else ():
        text = region.text[len(words[0].text) :].lstrip()
        region.spans, region.line_ends = shift_spans(region.spans, len(text) - len(region.text)), ()
        region.kind, region.marker, region.text = "list", words[0].text, text


def _held_to(group: list[Line], left: float) -> float:
    """Where lines set in from the left edge of their column end at most (`Region.held_to`)."""
    first, em = group[0], group[0].size
    if len(group) < _INSET_LINES or not _INSET * em < first.x0 - left < _FURTHEST_INSET * em:
        return 0.0
    if not all(abs(line.x0 - first.x0) < _EVEN for line in group):
        return 0.0
    return median_low(end_with(line.words, above) for above, line in pairwise(group)) + em / 2


def _leading(group: list[Line]) -> float:
    """Points from line to line of a listing whose lines are of one height and evenly spaced, else 0."""
    steps = [below.y1 - above.y1 for above, below in pairwise(group)]
    heights = [line.y1 - line.y0 for line in group]
    even = steps and max(max(heights) - min(heights), max(steps) - min(steps)) < _EVEN
    return sum(steps) / len(steps) if even else 0.0


def _pieces(words: list[Word], size: float) -> int:
    """How many pieces wide gaps keep apart in a line of `size` points: after its number, and before the first word with
    a figure (a day, the number of a page), only those count that consist of words."""
    pieces, before = 1, words[0]
    numbered = True
    for word in words[1:]:
        if any(map(str.isdigit, word.text)):
            break
        wide = max(word.x0 - before.x1, before.x0 - word.x1) > _PIECE_GAP * size
        numbered = numbered and (not _WORD.search(before.text) or (before is words[0] and is_roman(before.text)))
        pieces += wide and not numbered
        before = word
    return pieces
