"""Tells what vertical rules part: lists side by side, each with columns and lines or heads of its own; the columns of
one table, of which they part some and white space the others; captions side by side from cells; and the label of a box
from what it says. Level ones part what a person entered in a form from what stands under it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.aligned import banded_tables, list_table, table_between_rules
from sidecar_pdf.layout.tables.borders.drawn_grid import DrawnGrid
from sidecar_pdf.layout.tables.found import NUMERIC, FoundTable
from sidecar_pdf.layout.tables.known_flaws import SUSPECT
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment, Word

_MIN_LINES = 5  # of a list
_OFF_LINE = 0.25  # of its height, by which a line stands on none of the list beside it
_OFF_LINES, _NAMED = 0.3, 0.6  # shares of such lines, and of rows that begin with words
_SAME_HEADS = 0.5  # share of the words over two lists that are the same
_RULED_OFF = 1.25  # lines for each row of a grid, up to which rules part its rows, and so its columns
_THROUGH = 0.9  # of the width of a grid, from which on a rule parts its rows
_APART = 0.25  # of the size of type between two words, from which on they may be of two columns
HEAD_AND_BODY = 2  # rows that rules part where they part none but the head
_HEAD_ROWS = 3  # of a list, whose words are compared
_LABEL_WORDS, _LINE_WORDS, _BOX_HEIGHT = 3, 4, 200.0  # words of the label of a box, at most, and of a line of what it
# says, on the average; points of the rule between them, at most

# Of an entry of a form: rules looked at; points that its foot lies over the rule, and that texts reach over the ends of
# one; of the size of type: from the foot of the label to the rule, from that of the entry, down to the middle of what
# stands under the rule, from the label to where the rule begins, by which the two are set in one size, and by which the
# feet of an entry and its own label differ.
_MAX_RULES, _OVER_RULE, _RULE_END = 400, 30.0, 3.0
_ON_RULE, _ENTRY_OVER, _UNDER, _LABEL_BEFORE, _ONE_SIZE, _SAME_FOOT = 0.6, 1.5, 0.75, 10.0, 0.15, 0.4


def lists_beside(grid: DrawnGrid, taken: list[Segment]) -> list[FoundTable]:
    """The lists that column borders of the grid part, as a table each; none where the grid is anything else."""
    found: list[FoundTable] = []
    for first, last, borders in _groups(grid):
        region = [s for s in taken if grid.ys[first] <= (s.y0 + s.y1) / 2 <= grid.ys[last]]
        stops = grid.ys[first + 1 : last]
        own: list[tuple[list[list[Segment]], FoundTable]] = []
        for one in (_list_of(region, left, right, stops, grid) for left, right in pairwise(borders)):
            if one is None:
                continue
            lines, table = one
            if table is None:  # as most of one grid begin: what is beside it need not be looked at
                break
            own.append((lines, table))
        else:
            if len(own) > 1 and _are_apart(own):
                found += [table for _, table in own]
    return found


def half_ruled(grid: DrawnGrid, taken: list[Segment], rules: list[Rule]) -> FoundTable | None:
    """The table whose columns only some vertical rules part, most often the labels of rows from the figures, and white
    space the others, or whose rows nothing but white parts under the names of columns; None where the rules part as
    many, or text stands across one of them. `rules` are all that run across the page: those under a part of the heads
    touch no other."""
    pieces = [piece for s in taken if not s.vertical for piece in _cut(s, grid.xs[1:-1])]
    if len(rows := rows_of(pieces)) <= _RULED_OFF * grid.rows:
        return None
    table = _centred(grid, rows) or _parted_by_white(grid, rows, [s for s in taken if s.vertical], rules)
    if table is None or table.score < SUSPECT:
        return None
    if any(left < x < right for x in grid.xs[1:-1] for left, right in table.columns):
        return None
    table.x0, table.y0, table.x1, table.y1 = grid.box
    table.segments, table.ruled = taken, True
    table.order = min(s.order for s in taken)
    return table


def _centred(grid: DrawnGrid, rows: list[list[Segment]]) -> FoundTable | None:
    """The table of a grid of a head and a body, where cells of several lines stand in the middle of rows."""
    banded = banded_tables(rows) if grid.rows == HEAD_AND_BODY else []
    whole = [table for start, end, table in banded if (start, end) == (0, len(rows)) and table.header_rows]
    return whole[0] if whole and len(whole[0].columns) == grid.columns else None


def _parted_by_white(
    grid: DrawnGrid, rows: list[list[Segment]], turned: list[Segment], rules: list[Rule]
) -> FoundTable | None:
    """The table of a grid that white parts into more columns than its rules do."""
    if max(sum(_set_apart(one, other) for one, other in pairwise(_words_of(row))) for row in rows) < grid.columns:
        return None  # no line has more pieces than there are columns drawn
    rules = [
        rule for rule in rules if grid.ys[0] < rule[0] < grid.ys[-1] and rule[1] < grid.xs[-1] and rule[2] > grid.xs[0]
    ]
    through = [y for y, rules in grid.horizontal_at.items() if _length(rules) > _THROUGH * (grid.xs[-1] - grid.xs[0])]
    table = table_between_rules(rows, through, rules, turned)
    return table if table is not None and len(table.columns) > grid.columns else None


def _words_of(row: list[Segment]) -> list[Word]:
    return sorted((word for segment in row for word in segment.words), key=lambda word: word.x0)


def _set_apart(one: Word, other: Word) -> bool:
    return other.x0 - one.x1 > _APART * one.style.size or other.apart is True


def _length(rules: Iterable[Rule]) -> float:
    return sum(right - left for _, left, right in rules)


def _cut(segment: Segment, borders: list[float]) -> list[Segment]:
    """A segment parted where a border runs between two of its words."""
    pieces = [Segment(segment.words[0], segment.order)]
    for one, other in pairwise(segment.words):
        if any(one.x1 <= x <= other.x0 for x in borders):
            pieces.append(Segment(other, segment.order))
        else:
            pieces[-1].add(other)
    return pieces


def _groups(grid: DrawnGrid) -> Iterable[tuple[int, int, list[float]]]:
    """Neighbouring rows with the same column borders: the first, the one past the last, and the borders."""
    drawn = [
        tuple(c for c in range(1, grid.columns) if grid.has_column_border(c, (top + bottom) / 2))
        for top, bottom in pairwise(grid.ys)
    ]
    start = 0
    for at in range(1, len(drawn) + 1):
        if at == len(drawn) or drawn[at] != drawn[start]:
            if drawn[start]:
                yield start, at, [grid.xs[0], *(grid.xs[c] for c in drawn[start]), grid.xs[-1]]
            start = at


def _list_of(
    region: list[Segment], left: float, right: float, stops: list[float], grid: DrawnGrid
) -> tuple[list[list[Segment]], FoundTable | None] | None:
    """The lines between two column borders, and the table they are, if any; None where nothing stands there."""
    sources: list[Segment] = []
    pieces: list[Segment] = []
    for segment in region:
        if segment.vertical or segment.x1 < left or segment.x0 >= right:
            continue
        words = [w for w in segment.words if left <= (w.x0 + w.x1) / 2 < right]
        if not words:
            continue
        sources.append(segment)
        piece = Segment(words[0], segment.order)
        for word in words[1:]:
            piece.add(word)
        pieces.append(piece)
    if not pieces:
        return None
    lines = rows_of(pieces)
    if len(lines) < _MIN_LINES:
        return lines, None
    table = table_between_rules(lines, stops, grid.horizontal) if stops else list_table(lines)
    if table is not None:
        table.segments, table.ruled = sources, True
    return lines, table


def _are_apart(lists: list[tuple[list[list[Segment]], FoundTable]]) -> bool:
    """Whether lists are no columns of one table: their lines stand at heights of their own, each names its rows, or all
    have the same heads."""
    heights = [[(min(s.y0 for s in line), max(s.y1 for s in line)) for line in lines] for lines, _ in lists]
    off = [_share_off(one, other) for one, other in pairwise(heights)]
    if median(off) > _OFF_LINES:
        return True
    tables = [table for _, table in lists]
    if all(_names_rows(table) for table in tables):
        return True
    heads = [{word for row in table.rows[:_HEAD_ROWS] for text in row for word in text.split()} for table in tables]
    words = [{word for word in head if not NUMERIC.match(word)} for head in heads]
    return all(len(a & b) >= _SAME_HEADS * max(len(a | b), 1) and a for a, b in pairwise(words))


def _share_off(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> float:
    """The share of the lines of the shorter list that stand on no line of the other."""
    short, long = sorted((one, other), key=len)
    middles = [(top + bottom) / 2 for top, bottom in long]
    off = sum(
        all(abs((top + bottom) / 2 - middle) > _OFF_LINE * (bottom - top) for middle in middles)
        for top, bottom in short
    )
    return off / len(short)


def _names_rows(table: FoundTable) -> bool:
    named = sum(bool(row[0]) and not NUMERIC.match(row[0]) for row in table.rows)
    return named >= _NAMED * len(table.rows)


def captions_split(row: list[Segment]) -> list[list[Segment]]:
    """The row, or several where it holds captions of figures side by side, which are not cells."""
    if len(row) < 2 or not any(match_caption(s.text) for s in row[1:]):
        return [row]
    parts: list[list[Segment]] = []
    for segment in sorted(row, key=lambda s: s.x0):
        if not parts or (match_caption(segment.text) and match_caption(parts[-1][0].text)):
            parts.append([segment])
        else:
            parts[-1].append(segment)
    return parts


def level_labels(free: list[Segment], horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> None:
    """Sets labels and what they stand before on one line, where the page has them at different heights."""
    _raise_labels(free, vertical)
    _lower_entries(free, horizontal)


def _lower_entries(free: list[Segment], horizontal: Sequence[Rule]) -> None:
    """Sets what is written over the rule of a form on the line of the label that stands before that rule: one text that
    begins with it, with no label on a line of its own and nothing right under it, as under the bar of a fraction."""
    level = sorted((s for s in free if not s.vertical and not s.rtl), key=lambda s: s.y1)
    feet = [s.y1 for s in level]
    for y, left, right in dict.fromkeys(horizontal[:_MAX_RULES]):
        near = level[bisect_left(feet, y - _OVER_RULE) : bisect_right(feet, y + _OVER_RULE)]
        before = [s for s in near if s.x1 <= left + _RULE_END]
        label = max((s for s in before if abs(s.y1 - y) < _ON_RULE * s.style.size), key=lambda s: s.x1, default=None)
        if label is None or left - label.x1 > _LABEL_BEFORE * label.style.size:
            continue
        size = label.style.size
        under = any(s.x0 < right and s.x1 > left and y < (s.y0 + s.y1) / 2 < y + _UNDER * size for s in near)
        entries = [s for s in near if s.x0 < right and s.x1 > left and 0 <= y - s.y1 < _ENTRY_OVER * size]
        if under or len(entries) != 1:
            continue
        entry = entries[0]
        begins = abs(entry.x0 - left) < size and entry.x1 <= right + _RULE_END
        labelled = any(s.x1 > label.x0 and abs(s.y1 - entry.y1) < _SAME_FOOT * size for s in before)
        alike = abs(entry.style.size - size) < _ONE_SIZE * size
        if begins and alike and not labelled and entry.y1 < label.y1:
            _move(entry, label.y1 - entry.y1)


def _move(segment: Segment, down: float) -> None:
    segment.y0, segment.y1 = segment.y0 + down, segment.y1 + down
    segment.words = [word._replace(y0=word.y0 + down, y1=word.y1 + down) for word in segment.words]


def _raise_labels(free: list[Segment], vertical: Sequence[Rule]) -> None:
    """Sets the label or the sign of a box, such as "Note", that stands half way up before a rule, beside lines of text,
    on the first of them: it would stand in the midst of a sentence."""
    for x, top, bottom in dict.fromkeys(vertical):
        if bottom - top > _BOX_HEIGHT:
            continue
        own = [s for s in free if top < (s.y0 + s.y1) / 2 < bottom and not s.vertical and not s.rtl]
        labels, text = [s for s in own if s.x1 <= x], rows_of(s for s in own if s.x0 >= x)
        if len(labels) != 1 or len(text) < 2 or len(labels[0].words) > _LABEL_WORDS or labels[0].text[0].isdigit():
            continue
        if sum(len(s.words) for row in text for s in row) < _LINE_WORDS * len(text):
            continue
        label, first = labels[0], text[0][0]
        _move(label, first.y1 - label.y1)
