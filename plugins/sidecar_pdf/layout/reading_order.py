"""Puts the pieces of a page in reading order: recursive XY cut (Nagy & Seth 1984) that looks for columns first, lets
headings and figures span them, and asks the order in the file where geometry cannot tell columns from table rows."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import inf

from sidecar_pdf.layout.drawn_apart import Placed, columns_of, drawn_apart, middle_of
from sidecar_pdf.layout.margins import side_notes
from sidecar_pdf.text.segments import Segment

_FIGURE = re.compile(r"[$€£(]*[-+–−]?[\d.,]*\d[%)*†‡]*|[-–—*]")

# Ems of the page. Chosen on the corpus (tests/bench/formats/recall_pdf.py).
_MARKER_GAP = 5.0  # of white between the markers of a list and its items, at most
_GUTTER = 0.85  # of white space, top to bottom, that can separate two columns
_TIGHT_GUTTER = 0.45  # that can where the file draws one column after the other
_NARROW_STRIP, _LARGE_TYPE = 0.5, 1.5  # of white space few narrow pieces cross; of a title that may reach into a gutter
_LEVEL = 0.15  # that the feet of a label and of its figures differ at most
_ROWS_APART = 1.5  # of white between the rows of a loose grid
_LEADING, _HEAD_GAP = 2.4, 1.2  # from foot to foot of two lines of text; of white between columns and what is over them
_STAGGERED = 3.0  # of height that two columns share whose lines nowhere stand side by side
# Points.
_MIN_EM, _EDGE, _ONE_STRIP = 4.0, 0.5, 0.1  # an em; reach into a gutter; between two strips that are one
# Shares.
_SWITCHES = 0.25  # of the shared rows: how often the file may change sides where it draws columns
_SPANNING = 0.58  # of the region's width: a wider piece may span columns
_FEW_CROSSING, _MAX_CROSSING = 0.2, 0.4  # of the narrow pieces, and of all, that may cross a gutter
_FULL_WIDTH, _FULL_LINES, _TEXT_PIECES = 0.7, 0.5, 0.6  # of a full line; lines that are full; pieces that are text
_NARROW_PIECES = 0.8  # of the pieces of a page in columns
_FIGURES = 0.8  # of the pieces beside labels
# Counts.
_FIGURE_LINES, _TIGHT_ROWS = 4, 5  # of figures beside labels; lines of each of two columns with a tight gutter
_HEADED_PIECES, _HEAD_GAPS = 30, 3  # pieces of a page in columns; gaps tried below its head
_MAX_DEPTH, _MAX_STRIPS, _MAX_GAPS = 12, 8, 64  # of cuts within cuts; strips tried as gutters; the widest of a page
_ONE_STEP = 1.3  # of the first step from line to line, up to which lines go on
_MAX_APART = 64  # rows of blocks drawn one by one
_FEW_PIECES = 5  # that need more than one shared row to be columns
_MARKER_CHARS, _COLUMN_PIECES, _FULL_WORDS = 4, 3, 4  # of a list marker; of a column; of a full line


def reading_order(pieces: Sequence[Placed], em: float) -> list[list[Placed]]:
    """The pieces as runs: each run is one column or band, to be read top to bottom, and the runs in order: columns from
    the left, or from the right where most words run so."""
    words = [(len(p.words), p.rtl) for p in pieces if isinstance(p, Segment)]
    rightwards = 2 * sum(count for count, rtl in words if rtl) > sum(count for count, _ in words)
    return _cut(list(pieces), max(em, _MIN_EM), 0, rightwards=rightwards)


def _cut(pieces: list[Placed], em: float, depth: int, *, rightwards: bool) -> list[list[Placed]]:
    if len(pieces) <= 1 or depth > _MAX_DEPTH:
        return [pieces] if pieces else []
    for low, high in _gaps(pieces, em)[:_MAX_GAPS]:
        left = [p for p in pieces if p.x1 <= low + _EDGE]
        right = [p for p in pieces if p.x0 >= high - _EDGE]
        if high - low >= _GUTTER * em and (cells := _cells(left, right, em)):
            return [run for cell in cells for run in _cut(cell, em, depth + 1, rightwards=rightwards)]
        if (high - low >= _GUTTER * em or _in_turn(left, right)) and _side_by_side(left, right, em):
            sides = (right, left) if rightwards else (left, right)
            return [run for side in sides for run in _cut(side, em, depth + 1, rightwards=rightwards)]
    if (runs := _apart(pieces, em, depth, rightwards=rightwards)) is not None:
        return runs
    if (beside := side_notes(pieces)) is not None:
        notes = set(map(id, beside))
        text = [p for p in pieces if id(p) not in notes]
        return [*_cut(text, em, depth + 1, rightwards=rightwards), beside]
    bands = _spanned(pieces, em) or _headed(pieces, em) or _prose_beside(pieces, em, rightwards=rightwards)
    if bands:
        return [run for band in bands for run in _cut(band, em, depth + 1, rightwards=rightwards)]
    return [pieces]


def _apart(pieces: list[Placed], em: float, depth: int, *, rightwards: bool) -> list[list[Placed]] | None:
    """The pieces as runs where the file draws blocks one by one that stand side by side; notes come last."""
    runs, notes = list[list[Placed]](), list[list[Placed]]()
    left, drawn = pieces, sorted((p for p in pieces if isinstance(p, Segment)), key=lambda p: p.order)
    for _ in range(_MAX_APART):
        if (found := drawn_apart(drawn, em)) is None:
            break
        columns = None if found.wrapped or found.noted else columns_of(left, found)
        if columns is not None:
            *bands, left = columns
            drawn = sorted((p for p in left if isinstance(p, Segment)), key=lambda p: p.order)
            runs += [run for band in bands for run in _cut(band, em, depth + 1, rightwards=rightwards)]
            continue
        aside: list[Placed] = [*found.blocks[0]]
        taken = set(map(id, aside))
        left, drawn = [p for p in left if id(p) not in taken], [p for p in drawn if id(p) not in taken]
        if not found.noted:
            bands = [p for p in left if middle_of(p) < found.top], aside, [p for p in left if middle_of(p) >= found.top]
            runs += [run for band in bands for run in _cut(band, em, depth + 1, rightwards=rightwards)]
            return runs + notes
        notes.append(aside)
    return [*runs, *_cut(left, em, depth + 1, rightwards=rightwards), *notes] if runs or notes else None


def _headed(pieces: list[Placed], em: float) -> list[list[Placed]] | None:
    """What stands over columns of running text and reaches into the strip between them, as several rows of authors do,
    and those columns; None where white space parts no such head from them."""
    left, right = min(p.x0 for p in pieces), max(p.x1 for p in pieces)
    narrow = sum(p.x1 - p.x0 <= _SPANNING * (right - left) for p in pieces)
    if len(pieces) < _HEADED_PIECES or narrow < _NARROW_PIECES * len(pieces):
        return None
    ordered = sorted(pieces, key=lambda p: p.y0)
    reach, gaps = ordered[0].y1, list[tuple[float, int]]()
    for at, piece in enumerate(ordered[: len(ordered) // 2]):
        if piece.y0 - reach >= _HEAD_GAP * em:
            gaps.append((reach - piece.y0, at))
        reach = max(reach, piece.y1)
    for _, at in sorted(gaps)[:_HEAD_GAPS]:
        below = ordered[at:]
        low, high = next(iter(_gaps(below, em)), (0.0, 0.0))
        sides = [p for p in below if p.x1 <= low + _EDGE], [p for p in below if p.x0 >= high - _EDGE]
        if high - low >= _GUTTER * em and all(sides) and all(_are_prose(side, em) for side in sides):
            return [ordered[:at], below]
    return None


def _prose_beside(pieces: list[Placed], em: float, *, rightwards: bool) -> list[list[Placed]] | None:
    """What stands over a few lines of running text in columns, as of a text and its translation that the file draws
    line by line, these columns, and what stands under them; None where there are none."""
    rows: list[list[Placed]] = []
    for piece in sorted(pieces, key=middle_of):
        if rows and middle_of(piece) < rows[-1][0].y1:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    feet = [row[0].y1 for row in rows]
    start = 0
    while start < len(rows):
        strips, end = _gaps(rows[start], em)[:_MAX_STRIPS], start + 1
        while end < len(rows) and feet[end] - feet[end - 1] < _ONE_STEP * (feet[start + 1] - feet[start]):
            narrowed = [strip for strip in (_narrowed(strip, rows[end]) for strip in strips) if _is_wide(strip, em)]
            if not narrowed:
                break
            strips, end = narrowed, end + 1
        own = [p for row in rows[start:end] for p in row] if end - start >= _COLUMN_PIECES else []
        for low, high in strips if own else []:
            sides = [p for p in own if p.x1 <= low + _EDGE], [p for p in own if p.x0 >= high - _EDGE]
            if _is_wide((low, high), em) and all(_are_prose(side, em) for side in sides):
                above, below = ([p for row in part for p in row] for part in (rows[:start], rows[end:]))
                return [above, *(sides[::-1] if rightwards else sides), below]
        start = end
    return None


def _narrowed(strip: tuple[float, float], row: list[Placed]) -> tuple[float, float]:
    """What a row leaves white of a strip."""
    middle = sum(strip) / 2
    left, right = [p.x1 for p in row if p.x0 + p.x1 < 2 * middle], [p.x0 for p in row if p.x0 + p.x1 >= 2 * middle]
    return max([strip[0], *left]), min([strip[1], *right])


def _is_wide(strip: tuple[float, float], em: float) -> bool:
    return strip[1] - strip[0] >= _GUTTER * em


def _gaps(pieces: Sequence[Placed], em: float) -> list[tuple[float, float]]:
    """White vertical strips through all pieces, the widest first."""
    spans = sorted((p.x0, p.x1) for p in pieces)
    gaps: list[tuple[float, float]] = []
    reach = spans[0][1]
    for start, end in spans:
        if start - reach >= _TIGHT_GUTTER * em:
            gaps.append((reach, start))
        reach = max(reach, end)
    gaps.sort(key=lambda gap: gap[0] - gap[1])
    return gaps


def _side_by_side(left: list[Placed], right: list[Placed], em: float) -> bool:
    """Whether two groups with a strip between them are columns to read one after the other, not rows to read across."""
    if not left or not right:
        return False
    level = _level_with(left, right), _level_with(right, left)
    shared = len(level[len(left) > len(right)])
    if shared == 0:
        top = max(min(p.y0 for p in left), min(p.y0 for p in right))
        bottom = min(max(p.y1 for p in left), max(p.y1 for p in right))
        return bottom - top > _STAGGERED * em and not _in_steps(left, right)
    if min(len(left), len(right)) <= 1 and max(len(left), len(right)) <= 2:
        return False
    near = _markers(left) and min(p.x0 for p in right) - max(p.x1 for p in left) < _MARKER_GAP * em
    if near or _are_figures_of_labels(left, right, em):
        return False
    lines = all(len({round(p.y1 / em) for p in side}) == len(side) >= _COLUMN_PIECES for side in level)
    whole = lines and _switches(*level) == 1  # a title over both, or a note under one, is none of the lines
    switches = 1 if whole else _switches(left, right)
    if switches <= 1 + _SWITCHES * shared and (shared > 1 or len(left) + len(right) > _FEW_PIECES):
        return True
    return _are_prose(left, em) and _are_prose(right, em)


def _switches(left: list[Placed], right: list[Placed]) -> int:
    """How often the file changes sides."""
    return sum(a[1] != b[1] for a, b in pairwise(sorted([(p.order, 0) for p in left] + [(p.order, 1) for p in right])))


def _in_steps(left: list[Placed], right: list[Placed]) -> bool:
    """Whether nothing of one side stands beside anything of the other, as displayed formulas between short lines."""
    spans = sorted([(p.y0, p.y1, 0) for p in left] + [(p.y0, p.y1, 1) for p in right])
    reach = [-inf, -inf]
    for top, bottom, side in spans:
        if top < reach[1 - side]:
            return False
        reach[side] = max(reach[side], bottom)
    return True


def _cells(left: list[Placed], right: list[Placed], em: float) -> list[list[Placed]]:
    """The cells of a loose grid in the order the file draws them: rows far apart, in each the left before the right,
    some in several lines. None where the sides make no such grid."""
    bands: list[tuple[list[Placed], list[Placed]]] = []
    reach = -inf
    sides = {id(p): 0 for p in left} | {id(p): 1 for p in right}
    for piece in sorted((*left, *right), key=lambda p: p.y0):
        if piece.y0 - reach > _ROWS_APART * em:
            bands.append(([], []))
        bands[-1][sides[id(piece)]].append(piece)
        reach = max(reach, piece.y1)
    paired = [band for band in bands if all(band)]
    if len(paired) < 2 or not any(len(one) > 1 and len(other) > 1 for one, other in paired):
        return []
    cells = [cell for band in bands for cell in band if cell]
    if any(max(p.order for p in one) > min(p.order for p in other) for one, other in pairwise(cells)):
        return []
    if any(other.y0 < (one.y0 + one.y1) / 2 for cell in cells for one, other in pairwise(cell)):
        return []  # columns of a table
    return cells


def _in_turn(left: list[Placed], right: list[Placed]) -> bool:
    """Whether the file draws all of one side before the other: columns that stand close together, not rows."""
    if min(len(left), len(right)) < _TIGHT_ROWS:
        return False
    return max(p.order for p in left) < min(p.order for p in right)


def _level_with(pieces: list[Placed], others: list[Placed]) -> list[Placed]:
    """The pieces that stand beside one of the others."""
    covered: list[tuple[float, float]] = []
    for y0, y1 in sorted((p.y0, p.y1) for p in others):
        if covered and y0 <= covered[-1][1]:
            covered[-1] = (covered[-1][0], max(covered[-1][1], y1))
        else:
            covered.append((y0, y1))
    above = ((p, bisect_right(covered, (middle_of(p), inf)) - 1) for p in pieces)
    return [p for p, at in above if at >= 0 and middle_of(p) <= covered[at][1]]


def _markers(pieces: list[Placed]) -> bool:
    return all(isinstance(p, Segment) and len(p.words) == 1 and len(p.words[0].text) <= _MARKER_CHARS for p in pieces)


def _are_figures_of_labels(left: list[Placed], right: list[Placed], em: float) -> bool:
    """Whether the right is columns of figures whose every line stands level with a label of the left: a table whose
    labels the file draws before all figures."""
    figures = [p for p in right if isinstance(p, Segment) and all(_FIGURE.fullmatch(w.text) for w in p.words)]
    feet = sorted(p.y1 for p in figures)
    lines = 1 + sum(below - above > _LEVEL * em for above, below in pairwise(feet))
    if len(figures) < max(_FIGURES * len(right), 2 * lines) or lines < _FIGURE_LINES:
        return False
    labels = sorted(p.y1 for p in left)
    at = [bisect_left(labels, foot - _LEVEL * em) for foot in feet]
    return all(i < len(labels) and labels[i] <= foot + _LEVEL * em for i, foot in zip(at, feet, strict=True))


def _are_prose(pieces: list[Placed], em: float) -> bool:
    """Whether the pieces are running text, in one column or in several with white strips between."""
    edges = [low for low, _ in sorted(_gaps(pieces, em))]
    columns: list[list[Placed]] = [[] for _ in range(len(edges) + 1)]
    for piece in pieces:
        columns[bisect_right(edges, piece.x0)].append(piece)
    tall = [column for column in columns if len(column) >= _COLUMN_PIECES]
    return bool(tall) and all(_is_prose(column) for column in tall)


def _is_prose(pieces: list[Placed]) -> bool:
    """Full lines of running text: several, long, one close under the other, and filling their column."""
    segments = [p for p in pieces if isinstance(p, Segment)]
    if len(segments) < _COLUMN_PIECES or len(segments) < _TEXT_PIECES * len(pieces):
        return False
    feet = sorted(s.y1 for s in segments)
    close = sum(below - above < _LEADING * segments[0].style.size for above, below in pairwise(feet))
    if close < _FULL_LINES * (len(feet) - 1):
        return False
    width = max(s.x1 for s in segments) - min(s.x0 for s in segments)
    full = sum(s.x1 - s.x0 > _FULL_WIDTH * width and len(s.words) >= _FULL_WORDS for s in segments)
    return full >= _FULL_LINES * len(segments)


def _spanned(pieces: list[Placed], em: float) -> list[list[Placed]] | None:
    """Bands of a region whose columns some pieces span: the spanning pieces cut it from top to bottom."""
    left, right = min(p.x0 for p in pieces), max(p.x1 for p in pieces)
    narrow = [p for p in pieces if p.x1 - p.x0 <= _SPANNING * (right - left)]
    if len(narrow) < 4:
        return None
    centre = _gutter(pieces, narrow, em)
    if centre is None:
        text = [p for p in narrow if not (isinstance(p, Segment) and p.style.size > _LARGE_TYPE * em)]
        centre = _gutter(pieces, text, em) if 4 <= len(text) < len(narrow) else None
    strips = [(centre, centre)] if centre is not None else _strips(narrow, em)
    under, rows = _under_rows(pieces, narrow, strips)
    centre = under if centre is None else centre
    if centre is None:
        return None
    bands: list[list[Placed]] = [[]]
    spanning = False
    for piece in _by_band(pieces, centre):
        crosses = id(piece) in rows or piece.x0 < centre < piece.x1
        if crosses != spanning and bands[-1]:
            bands.append([])
        spanning = crosses
        bands[-1].append(piece)
    return bands if len(bands) > 1 else None


def _gutter(pieces: list[Placed], narrow: list[Placed], em: float) -> float | None:
    """The middle of the strip between columns that the fewest narrow pieces cross, if it separates columns."""
    for low, high in _strips(narrow, em):
        centre = (low + high) / 2
        crossing = sum(p.x0 < centre < p.x1 for p in pieces)
        if not crossing or crossing > _MAX_CROSSING * len(pieces):
            continue
        before = [p for p in narrow if p.x1 <= centre]
        behind = [p for p in narrow if p.x0 >= centre]
        wide = high - low >= _GUTTER * em or (high - low >= _TIGHT_GUTTER * em and _in_turn(before, behind))
        if not wide or min(len(before), len(behind)) < 2:
            continue
        if any(max(map(middle_of, side)) - min(map(middle_of, side)) < em / 2 for side in (before, behind)):
            continue  # the parts of one displayed formula, and its number, are no column
        if _side_by_side(before, behind, em) or _cells(before, behind, em):
            return centre
    return None


def _under_rows(
    pieces: list[Placed], narrow: list[Placed], strips: list[tuple[float, float]]
) -> tuple[float | None, set[int]]:
    """The middle of the first strip with rows that run across it and under them columns, which the file draws one
    before the other; and the ids of what stands in these rows."""
    for low, high in strips:
        centre = (low + high) / 2
        if rows := _rows_across(pieces, centre):
            before = [p for p in narrow if p.x1 <= centre and id(p) not in rows]
            behind = [p for p in narrow if p.x0 >= centre and id(p) not in rows]
            if _in_turn(before, behind):
                return centre, rows
    return None, set()


def _strips(narrow: list[Placed], em: float) -> list[tuple[float, float]]:
    """White strips that few of the narrow pieces cross, those that the fewest cross first, of these the widest."""
    edges = sorted([(p.x0, 1) for p in narrow] + [(p.x1, -1) for p in narrow])
    strips: list[tuple[int, float, float]] = []
    depth = 0
    for (x, step), (after, _) in pairwise(edges):
        depth += step
        if after - x >= _NARROW_STRIP * em and depth <= _FEW_CROSSING * len(narrow):
            if strips and strips[-1][2] >= x - _ONE_STRIP and strips[-1][0] == depth:
                strips[-1] = (depth, strips[-1][1], after)
            else:
                strips.append((depth, x, after))
    strips.sort(key=lambda strip: (strip[0], strip[1] - strip[2]))
    return [(low, high) for _, low, high in strips[:_MAX_STRIPS]]


def _rows_across(pieces: Sequence[Placed], centre: float) -> set[int]:
    """Ids of what stands in rows that run across the strip at `centre`, with a piece over it and others on both sides,
    as the names of three authors over two columns: no evidence of columns, and no part of them."""
    by_height = sorted(pieces, key=middle_of)
    heights = [middle_of(p) for p in by_height]
    rows: set[int] = set()
    for over in (p for p in pieces if p.x0 < centre < p.x1 and isinstance(p, Segment)):
        if id(over) in rows:
            continue
        reach = (over.y1 - over.y0) / 2
        low = bisect_left(heights, middle_of(over) - reach)
        level = by_height[low : bisect_right(heights, middle_of(over) + reach, low)]
        if any(p.x1 <= over.x0 for p in level) and any(p.x0 >= over.x1 for p in level):
            rows.update(map(id, level))
    return rows


def _by_band(pieces: list[Placed], centre: float) -> list[Placed]:
    """Pieces by height; at one height, what spans the columns first."""
    return sorted(pieces, key=lambda p: (middle_of(p), not p.x0 < centre < p.x1))
