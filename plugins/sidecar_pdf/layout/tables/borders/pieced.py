"""Grids whose columns are told by rules across alone: borders of rows drawn cell by cell, as web pages and office
programs do, end where columns do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sidecar.api import Box
from sidecar_pdf.layout.tables.borders.drawn_grid import AT_RULE, CELL_GAP, DrawnGrid, positions
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment

# Points.
_TOUCH = 3.0  # between the ends of two pieces of one border
_SAME_HEIGHT = 0.5  # between pieces of one border
_SAME_END = 2.0  # between the sides of one column in two borders
_SAME_EXTENT = 4.0  # between the ends of the borders of one table
_MIN_PIECE = 6.0  # length of a border of a cell
_MAX_ROW = 150.0  # height of a row
# Counts and shares.
_MIN_BORDERS = 3  # of rows that are drawn cell by cell, in one table
_ALIKE = 0.6  # of the borders drawn cell by cell that end at the side of a column
_SENTENCE_WORDS = 4  # of text that runs over the side of a column between two of them
_MAX_PIECES = 1_200  # of a page that is looked at


@dataclass(frozen=True)
class _Border:
    """A row border drawn in pieces that touch: its height, its ends, and where its pieces meet."""

    y: float
    left: float
    right: float
    ends: tuple[float, ...]


def pieced_grids(horizontal: Sequence[Rule], vertical: Sequence[Rule], texts: Sequence[Segment]) -> list[DrawnGrid]:
    """The grids of row borders of one extent, three at least of them drawn cell by cell, that no rule down crosses.
    Text that runs over the side of a column stands in a cell over both."""
    if not _MIN_BORDERS < len(horizontal) <= _MAX_PIECES:
        return []
    grids: list[DrawnGrid] = []
    for group in _groups(_borders(horizontal)):
        for part in _parts(group, texts):
            grid = _grid_of(part, texts)
            if grid is not None and not any(_crosses(rule, grid.box) for rule in vertical):
                grids.append(grid)
    return grids


def _borders(horizontal: Iterable[Rule]) -> list[_Border]:
    """The pieces of borders put together, from the top."""
    heights: list[tuple[float, list[tuple[float, float]]]] = []
    for y, start, end in sorted(horizontal):
        if end - start < _MIN_PIECE:
            continue
        if heights and y - heights[-1][0] <= _SAME_HEIGHT:
            heights[-1][1].append((start, end))
        else:
            heights.append((y, [(start, end)]))
    found: list[_Border] = []
    for y, pieces in heights:
        chain: list[tuple[float, float]] = []
        for piece in sorted(set(pieces)):
            if chain and piece[0] > max(end for _, end in chain) + _TOUCH:
                found.append(_border(y, chain))
                chain = []
            chain.append(piece)
        found.append(_border(y, chain))
    return found


def _border(y: float, chain: list[tuple[float, float]]) -> _Border:
    left, right = chain[0][0], max(end for _, end in chain)
    starts = [start for start, _ in chain if start > left + _SAME_END]
    ends = [x for x in positions(starts) if any(abs(end - x) <= _TOUCH for _, end in chain)]
    return _Border(y, left, right, tuple(ends))


def _groups(borders: list[_Border]) -> list[list[_Border]]:
    """Borders of one extent below one another, as near as rows are."""
    groups: list[list[_Border]] = []
    for border in borders:
        for group in reversed(groups):
            last = group[-1]
            same = abs(last.left - border.left) <= _SAME_EXTENT and abs(last.right - border.right) <= _SAME_EXTENT
            if same and border.y - last.y <= _MAX_ROW:
                group.append(border)
                break
        else:
            groups.append([border])
    return [group for group in groups if sum(bool(one.ends) for one in group) >= _MIN_BORDERS]


def _parts(group: list[_Border], texts: Sequence[Segment]) -> list[list[_Border]]:
    """The borders of each table: two tables of one extent have white between them, or a line over all columns."""
    parts: list[list[_Border]] = [group[:1]]
    for above, below in pairwise(group):
        inside = [s for s in _between(texts, above.y, below.y) if above.left < s.x1 and s.x0 < above.right]
        inner = above.ends or below.ends
        titled = len(inner) > 1 and any(s.x0 < inner[0] and s.x1 > inner[-1] for s in inside)
        if (inside and not titled) or below.y - above.y <= CELL_GAP:
            parts[-1].append(below)
        else:
            parts.append([below])
    return [part for part in parts if sum(bool(one.ends) for one in part) >= _MIN_BORDERS]


def _grid_of(part: list[_Border], texts: Sequence[Segment]) -> DrawnGrid | None:
    left, right = part[0].left, part[0].right
    pieced = [border for border in part if border.ends]
    places = positions([x for border in pieced for x in border.ends])
    inner = [x for x in places if sum(_ends_at(one, x) for one in pieced) >= _ALIKE * len(pieced)]
    ys = positions([border.y for border in part])
    if not inner or len(ys) <= _MIN_BORDERS:
        return None
    vertical: list[Rule] = [(x, ys[0], ys[-1]) for x in (left, right)]
    for top, bottom in pairwise(ys):
        sides = [b for b in part if abs(b.y - top) <= _SAME_END or abs(b.y - bottom) <= _SAME_END]
        row = _between(texts, top, bottom)
        vertical += [
            (x, top, bottom) for x in inner
            if any(_ends_at(border, x) for border in sides) and not any(_runs_over(s, x) for s in row)
        ]  # fmt: skip
    return DrawnGrid([left, *inner, right], ys, [(y, left, right) for y in ys], vertical)


def _between(texts: Sequence[Segment], top: float, bottom: float) -> list[Segment]:
    return [s for s in texts if top < (s.y0 + s.y1) / 2 < bottom]


def _runs_over(segment: Segment, x: float) -> bool:
    """Whether text runs over the side of a column: a word of it does, or several on both sides as in a sentence."""
    pieces = [segment] if len(segment.words) >= _SENTENCE_WORDS else segment.words
    return any(piece.x0 + AT_RULE < x < piece.x1 - AT_RULE for piece in pieces)


def _ends_at(border: _Border, x: float) -> bool:
    return any(abs(end - x) <= _SAME_END for end in border.ends)


def _crosses(rule: Rule, box: Box) -> bool:
    """Whether a rule down runs within a box."""
    x, top, bottom = rule
    return box[0] - _SAME_END < x < box[2] + _SAME_END and top < box[3] - _SAME_END and bottom > box[1] + _SAME_END
