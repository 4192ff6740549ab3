"""Borders that the ends of rules tell. Those of rows drawn cell by cell, as web pages and office programs do, end where
columns do: grids without any rule down. Those of columns end where rows do."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from statistics import median

from sidecar.api import Box
from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.borders.drawn_grid import AT_RULE, CELL_GAP, NEXT_LINE, DrawnGrid, positions
from sidecar_pdf.layout.tables.borders.filled import filled_rows
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment

# Points.
_TOUCH = 3.0  # between the ends of two pieces of one border
_CLOSED = 1.0  # the same where few borders tell a table
_SAME_HEIGHT = 0.5  # between pieces of one border
_SAME_END = 2.0  # between the sides of one column in two borders
_SAME_EXTENT = 4.0  # between the ends of the borders of one table
_NEAR = 3.0  # between two borders that are one
_CUT = 2.0  # between the ends of rules that are cut at one height, and by which text may reach over that
_MIN_PIECE = 6.0  # length of a border of a cell
_MAX_ROW = 150.0  # height of a row
_COLUMN_WHITE = 0.6  # ems between two words, from which on the side of a column parts them
# Counts and shares.
_RULES_BEGUN = 3  # column borders that begin at one height
_RULED_ROWS = 3  # of a table whose rows are parted by rules
_MAX_PARTED = 3  # rows that rules part, for each height at which all column borders are cut
_MIN_BORDERS = 3  # of rows that are drawn cell by cell, in one table
_FAR = 3.0  # heights of the tallest row within which a rule without white in it is one of the table
_TITLED = 1.5  # times the usual height of a row, of one that holds the title of the next table as well
_LARGER = 1.1  # times the type of what is under a title, in which that is set at least
_ALIKE = 0.6  # of the borders drawn cell by cell that end at the side of a column
_CUT_ALIKE = 0.5  # of the inner sides of the border with fewer, that two borders of one table share at least
_SENTENCE_WORDS = 4  # of text that runs over the side of a column between two of them
_MAX_PIECES = 1_200  # of a page that is looked at


@dataclass(frozen=True)
class _Border:
    """A row border drawn in pieces that touch: its height, its ends, and where its pieces meet."""

    y: float
    left: float
    right: float
    ends: tuple[float, ...]
    touching: bool
    """Whether they leave no white between them."""


def pieced_grids(horizontal: Sequence[Rule], vertical: Sequence[Rule], texts: Sequence[Segment]) -> list[DrawnGrid]:
    """The grids of row borders of one extent, three at least of them drawn cell by cell, that no rule down crosses.
    Text that runs over the side of a column stands in a cell over both."""
    if not _MIN_BORDERS <= len(horizontal) <= _MAX_PIECES:
        return []
    grids: list[DrawnGrid] = []
    for group in _groups(_borders(horizontal)):
        for part in _parts(group, texts):
            grid = _grid_of(part, texts)
            if grid is not None and not any(_crosses(rule, grid) for rule in vertical):
                grids.append(grid)
    return grids


def with_tops_of_heads(horizontal: Sequence[Rule], fills: Sequence[Box]) -> list[Rule]:
    """The rules of a page and, as if it were drawn, the upper edge of each filled cell of heads that has a rule of its
    own under it and none over it."""
    ends: dict[tuple[int, int], list[float]] = {}
    for y, left, right in sorted(horizontal):
        ends.setdefault((round(left), round(right)), []).append(y)

    def has_rule(cell: Box, y: float) -> bool:
        sides = [(round(cell[0]) + one, round(cell[2]) + other) for one in (-1, 0, 1) for other in (-1, 0, 1)]
        return any(_distance(ends[side], y) < _NEAR for side in sides if side in ends)

    heads = [cells for cells in filled_rows(fills) if len(cells) > 1] if horizontal else []
    ruled = (cells for cells in heads if all(has_rule(c, c[3]) and not has_rule(c, c[1]) for c in cells))
    return [*horizontal, *((top, left, right) for cells in ruled for left, top, right, _ in cells)]


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
    touching = all(any(abs(end - x) <= _CLOSED for _, end in chain) for x in ends)
    return _Border(y, left, right, tuple(ends), touching)


def _groups(borders: list[_Border]) -> list[list[_Border]]:
    """Borders of one extent below one another, as near as rows are."""
    groups: list[list[_Border]] = []
    for border in borders:
        for group in reversed(groups):
            last = group[-1]
            same = abs(last.left - border.left) <= _SAME_EXTENT and abs(last.right - border.right) <= _SAME_EXTENT
            if same and border.y - last.y <= (_MAX_ROW if border.ends else _reach(group)):
                group.append(border)
                break
        else:
            groups.append([border])
    groups = _with_inner(groups)
    return [group for group in groups if sum(bool(one.ends) for one in group) >= _MIN_BORDERS]


def _reach(group: list[_Border]) -> float:
    """How far below the rows of a group a rule without white in it is theirs: one farther off may be the page's."""
    heights = [below.y - above.y for above, below in pairwise(group)]
    return min(_FAR * max(heights), _MAX_ROW) if len(heights) > 1 else _MAX_ROW


def _with_inner(groups: list[list[_Border]]) -> list[list[_Border]]:
    """The groups; one within another is part of it where it leaves out columns at a side: cells there are taller."""
    kept: list[list[_Border]] = []
    for group in sorted(groups, key=lambda group: group[0].left - group[0].right):
        left, right = group[0].left, group[0].right
        for outer in kept:
            sides = (outer[0].left, *outer[0].ends, outer[0].right)
            ended = all(any(abs(side - x) <= _SAME_END for side in sides) for x in (left, right))
            rows = [below.y - above.y for above, below in pairwise(outer)]
            if ended and rows and outer[0].y < group[0].y and group[-1].y < outer[-1].y + max(rows):
                ends = tuple(x for x in (left, right) if outer[0].left + _SAME_END < x < outer[0].right - _SAME_END)
                outer += [replace(border, ends=tuple(sorted((*border.ends, *ends)))) for border in group]
                outer.sort(key=lambda border: border.y)
                break
        else:
            kept.append(group)
    return kept


def _parts(group: list[_Border], texts: Sequence[Segment]) -> list[list[_Border]]:
    """The borders of each table: two tables of one extent have white between them, a line over all columns, a caption,
    or text that begins left of both."""
    parts: list[list[_Border]] = [group[:1]]
    for above, below in pairwise(group):
        inside = [s for s in _between(texts, above.y, below.y) if above.left < s.x1 and s.x0 < above.right]
        inner = above.ends or below.ends
        across = [s for s in inside if len(inner) > 1 and s.x0 < inner[0] and s.x1 > inner[-1]]
        titled = not all(_is_parted(s, inner) for s in across) or _is_captioned(inside)
        if not titled and below.y - above.y > _TITLED * _usual_step(group):
            titled = _opens_with_title(inside) or any(s.x0 < above.left - _SAME_EXTENT for s in inside)
        titled = titled or _cut_otherwise(above, below)
        if (inside and not titled) or below.y - above.y <= CELL_GAP:
            parts[-1].append(below)
        else:
            parts.append([below])
    return [part for part in parts if sum(bool(one.ends) for one in part) >= _MIN_BORDERS]


def _cut_otherwise(above: _Border, below: _Border) -> bool:
    """Whether two borders are of tables of other columns: hardly any of the sides of the one is one of the other."""
    few, many = sorted((above.ends, below.ends), key=len)
    shared = sum(_distance([*many], x) <= _TOUCH for x in few)
    return len(few) > 1 and shared < _CUT_ALIKE * len(few)


def _usual_step(group: list[_Border]) -> float:
    return median(below.y - above.y for above, below in pairwise(group))


def _opens_with_title(inside: Sequence[Segment]) -> bool:
    """Whether text between two borders begins with a line of one piece in bold, larger than all others: the title of
    another table, whose own rule is none of a table."""
    lines = rows_of(inside)
    if len(lines) < 2 or len(lines[0]) > 1 or not lines[0][0].style.bold:
        return False
    return all(lines[0][0].style.size > _LARGER * s.style.size for line in lines[1:] for s in line)


def _is_captioned(inside: Sequence[Segment]) -> bool:
    """Whether nothing stands between two borders but lines of one piece, and one of them is the caption of a table."""
    lines = rows_of(inside)
    return all(len(line) == 1 for line in lines) and any(match_caption(line[0].text) is not None for line in lines)


def _grid_of(part: list[_Border], texts: Sequence[Segment]) -> DrawnGrid | None:
    left, right = part[0].left, part[0].right
    pieced = [border for border in part if border.ends]
    places = positions([x for border in pieced for x in border.ends])
    inner = [x for x in places if sum(_ends_at(one, x) for one in pieced) >= _ALIKE * len(pieced)]
    ys = positions([border.y for border in part])
    few = len(ys) == _MIN_BORDERS and (
        not all(b.touching for b in pieced) or _has_levels(ys, inner, texts) or _has_rows(ys, [left, *inner], texts)
    )
    if not inner or len(ys) < _MIN_BORDERS or few:
        return None  # three rules with white in them, or heads of several levels, or rows, are those of books
    last = _last_row([left, *inner, right], ys, texts)
    if last:
        part, ys = [*part, _Border(last, left, right, (), touching=True)], [*ys, last]
    first = _first_row([left, *inner, right], ys, texts)
    if first:
        part, ys = [_Border(first, left, right, (), touching=True), *part], [first, *ys]
    vertical: list[Rule] = [(x, ys[0], ys[-1]) for x in (left, right)]
    for top, bottom in pairwise(ys):
        sides = [b for b in part if abs(b.y - top) <= _SAME_END or abs(b.y - bottom) <= _SAME_END]
        row = _between(texts, top, bottom)
        vertical += [
            (x, top, bottom) for x in inner
            if any(_ends_at(border, x) for border in sides) and not any(_runs_over(s, x) for s in row)
        ]  # fmt: skip
    return DrawnGrid([left, *inner, right], ys, [(b.y, b.left, b.right) for b in part], vertical)


def _has_levels(ys: list[float], inner: list[float], texts: Sequence[Segment]) -> bool:
    """Whether the first row holds heads of several levels: a line that runs over the side of a column, over one of
    which no word does."""
    lines = rows_of(_between(texts, ys[0], ys[1]))
    over = [any(_runs_over(s, x) for s in line for x in inner) for line in lines]
    return len(over) > 1 and over[0] and not over[-1]


def _has_rows(ys: list[float], lefts: list[float], texts: Sequence[Segment]) -> bool:
    """Whether what stands under the heads are names of several rows, one a line, beside cells that hold hardly
    anything: between cells' own borders they would be one row."""
    under = [s for s in _between(texts, ys[1], ys[2]) if s.x0 > lefts[0] - _SAME_END]
    names = rows_of(s for s in under if s.x1 < lefts[1] + _SAME_END)
    others = [s for s in under if s.x0 > lefts[1] - _SAME_END]
    opened = all(not line[0].text[0].islower() for line in names)
    return len(names) > len(lefts) and opened and len(others) < len(names)


def _last_row(xs: list[float], ys: list[float], texts: Sequence[Segment]) -> float:
    """The foot of a row under the last border, which programs often leave without one: as tall as the least, where what
    follows is no further line of a cell, as the row above or as the tallest, with text in all but one column at least,
    and none over the sides of columns. 0 where there is none."""
    heights = [below - above for above, below in pairwise(ys)]
    for height in sorted({min(heights), heights[-1], max(heights)}):
        foot = ys[-1] + height
        row = _within(texts, xs, ys[-1], foot)
        if not _is_row(xs, row, ys[-1], foot):
            continue
        low, line = max(s.y1 for s in row), max(s.y1 - s.y0 for s in row)
        below = min((s.y0 for s in _within(texts, xs, foot, foot + max(heights))), default=inf)
        if height == heights[-1] or below - low > NEXT_LINE * line:
            return foot
    return 0.0


def _first_row(xs: list[float], ys: list[float], texts: Sequence[Segment]) -> float:
    """The top of a row of the same kind over the first border, where its last cell holds a figure: names of columns
    are told elsewhere. Its upper border may be the rule of a title. 0 where there is none."""
    top = 2 * ys[0] - ys[1]
    row = _within(texts, xs, top, ys[0])
    figured = any(s.x0 > xs[-2] and any(map(str.isdigit, s.text)) for s in row)
    return top if figured and _is_row(xs, row, top, ys[0]) else 0.0


def _within(texts: Sequence[Segment], xs: list[float], top: float, foot: float) -> list[Segment]:
    return [s for s in _between(texts, top, foot) if xs[0] < s.x1 and s.x0 < xs[-1]]


def _is_row(xs: list[float], row: list[Segment], top: float, foot: float) -> bool:
    held = sum(any(left < (w.x0 + w.x1) / 2 < right for s in row for w in s.words) for left, right in pairwise(xs))
    over = any(_runs_over(s, x) for s in row for x in xs) or any(s.y0 < top or s.y1 > foot for s in row)
    figured = any(s.x0 > xs[-2] and any(map(str.isdigit, s.text)) for s in row)
    summed = figured and any(s.x1 < xs[1] for s in row)  # "Total", and a figure under those of the last column
    return not over and held >= (2 if summed else max(2, len(xs) - 2))


def _between(texts: Sequence[Segment], top: float, bottom: float) -> list[Segment]:
    return [s for s in texts if top < (s.y0 + s.y1) / 2 < bottom]


def _runs_over(segment: Segment, x: float) -> bool:
    """Whether text runs over the side of a column: a word of it does, or several on both sides as in a sentence, with
    no more white there than between words, and none set apart behind it."""
    if any(word.x0 + AT_RULE < x < word.x1 - AT_RULE for word in segment.words):
        return True
    if len(segment.words) < _SENTENCE_WORDS or not segment.x0 + AT_RULE < x < segment.x1 - AT_RULE:
        return False
    around = [(a, b) for a, b in pairwise(segment.words) if a.x1 - AT_RULE <= x <= b.x0 + AT_RULE]
    white = max((b.x0 - a.x1 for a, b in around), default=0.0)
    return not any(b.apart for _, b in around) and white < _COLUMN_WHITE * max(segment.style.size, 1.0)


def _is_parted(segment: Segment, inner: Sequence[float]) -> bool:
    """Whether text has white at the side of each column: cells so close that they were taken for one line."""
    least = _COLUMN_WHITE * max(segment.style.size, 1.0)
    gaps = [(a.x1, b.x0) for a, b in pairwise(segment.words) if b.x0 - a.x1 >= least]
    return all(any(start - AT_RULE <= x <= end + AT_RULE for start, end in gaps) for x in inner)


def _ends_at(border: _Border, x: float) -> bool:
    return any(abs(end - x) <= _SAME_END for end in border.ends)


def _crosses(rule: Rule, grid: DrawnGrid) -> bool:
    """Whether a rule down runs within a grid, and is not the side of a cell of one row, as those of filled cells."""
    x, top, bottom = rule
    left, first, right, last = grid.box
    inside = left - _SAME_END < x < right + _SAME_END and top < last - _SAME_END and bottom > first + _SAME_END
    at = max(bisect_right(grid.ys, (top + bottom) / 2), 1)
    ends = [abs(y - end) for y, end in zip(grid.ys[at - 1 : at + 1], (top, bottom), strict=False)]
    return inside and max(*ends, _distance(grid.xs, x)) > _SAME_END


def with_rule_ends(grid: DrawnGrid, taken: list[Segment]) -> DrawnGrid:
    """Adds a row border where several column borders begin at one height between two lines of text: heads over groups
    of columns, that no rule parts from those of the columns."""
    tops = [top for _, top, _ in grid.vertical if min(abs(top - y) for y in grid.ys) > _NEAR]
    added: list[float] = []
    for y in positions(tops):
        if not grid.ys[0] < y < grid.ys[-1] or sum(abs(top - y) <= _NEAR for top in tops) < _RULES_BEGUN:
            continue
        at = bisect_right(grid.ys, y)
        band = [s for s in taken if grid.ys[at - 1] < (s.y0 + s.y1) / 2 < grid.ys[at]]
        over, under = ([s for s in band if ((s.y0 + s.y1) / 2 < y) == above] for above in (True, False))
        if over and under and max(s.y1 for s in over) < min(s.y0 for s in under) + _NEAR:
            added.append((max(s.y1 for s in over) + min(s.y0 for s in under)) / 2)
    return replace(grid, ys=sorted({*grid.ys, *added})) if added else grid


def with_cut_sides(grid: DrawnGrid, vertical: list[Rule], taken: list[Segment]) -> DrawnGrid:
    """Adds a row border where all column borders, of `vertical` rules as they are drawn, are cut at one height clear of
    text: cells drawn one by one, with no rule between their rows. TeX draws them line by line: where rules part all
    other rows, several, the first are lines of one header, and where they part most, lines without a first cell belong
    to the row of the others."""
    if len(grid.xs) <= _RULES_BEGUN:
        return grid
    top, bottom = grid.ys[0] - _NEAR, grid.ys[-1] + _NEAR
    near = {x: _distance(grid.xs, x) < _NEAR for x in {rule[0] for rule in vertical}}
    inside = [rule for rule in vertical if top < rule[1] and rule[2] < bottom and near[rule[0]]]
    added: list[float] = []
    for y in positions([end for _, _, end in inside]):
        if _distance(grid.ys, y) <= _NEAR:
            continue
        ends = {round(x) for x, _, end in inside if abs(end - y) < _CUT}
        starts = {round(x) for x, start, _ in inside if abs(start - y) < _CUT}
        if len(ends & starts) >= len(grid.xs) and not any(s.y0 + _CUT < y < s.y1 - _CUT for s in taken):
            added.append(y)
    if grid.rows > _RULED_ROWS and max(added, default=0.0) < grid.ys[1]:
        return grid
    if grid.rows > _MAX_PARTED * len(added):
        added = [y for y in added if y > grid.ys[1] and _opens_rows(grid, y, taken)]
    return replace(grid, ys=sorted({*grid.ys, *added})) if added else grid


def _opens_rows(grid: DrawnGrid, y: float, taken: list[Segment]) -> bool:
    """Whether text stands in the first column on both sides of a height, in the row of the grid that it cuts."""
    at = bisect_right(grid.ys, y)
    first = [(s.y0 + s.y1) / 2 for s in taken if s.x0 < grid.xs[1]]
    return any(grid.ys[at - 1] < middle < y for middle in first) and any(y < middle < grid.ys[at] for middle in first)


def _distance(places: list[float], place: float) -> float:
    """How far a place is from the nearest of others, which are in order."""
    at = bisect_right(places, place)
    return min(abs(place - other) for other in places[max(at - 1, 0) : at + 1])
