"""Lines of text as rows of cells, once the columns of their table are known: what belongs to which column, and what the
cells of headers span, by the rules under them, their extents or their middles. `grid` joins such rows."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from statistics import median

from sidecar_pdf.layout.tables.found import NUMERIC, white_between
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment, Word

# Points.
AT_RULE = 2.0  # by which text may reach over a rule
_SAME_END = 1.0  # between the right ends of two lines of one head
UNDER_HEADER = 8.0  # from a header down to the rule under it
# Ems, shares and counts.
_OVERLAPPED = 0.25  # of the narrower of a header and a column, from which on it stands over it
_CENTRED = 0.8  # ems from the middle of a header to that of the columns it spans
_OFF_FOOT = 0.3  # ems from the foot of a label beside levels of heads to that of the last level, at least
_MAX_SPANNED = 12  # columns under one header
_NAMED_BODY = 5  # lines of a table of figures under names of two lines
_PADDED = 0.6  # ems of white between rows, as lines of one cell hardly stand
_NAMED_COLUMNS = 3  # over the title of a group
_BOLD_LINES = 4  # of the names of columns

_DESCENDER = re.compile(r"[gjpqy,;()\[\]Q$/|]")
Cells = list[list[Word]]
"""The words of each cell of a row."""
Columns = list[tuple[float, float]]
"""Left and right end of each column."""


@dataclass
class GrowingRow:
    """A row as it grows line by line. `top` and `bottom` are those of its first and last line, `section` counts the
    rules above."""

    cells: Cells
    top: float
    bottom: float
    section: int
    spans: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """First column and width of cells over several columns."""
    extents: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """Left and right end of what stands apart on its first line."""
    labelled: int = 1
    """How many rows, from this on, its first cell is the label of."""

    @property
    def filled(self) -> set[int]:
        """The columns that hold text."""
        return {column for column, words in enumerate(self.cells) if words}

    def take(self, line: "GrowingRow") -> None:
        """Adds the words of a further line to its cells."""
        for own, more in zip(self.cells, line.cells, strict=True):
            own.extend(more)
        self.bottom = max(self.bottom, line.bottom)


def middle_of(line: list[Word]) -> float:
    """The height of the middle of a line."""
    return (min([w.y0 for w in line]) + max([w.y1 for w in line])) / 2


def on_baselines(lines: list[list[Word]]) -> list[list[Word]]:
    """The words with the same bottom on one baseline: where their boxes are as low as their letters, those with
    descenders reach lower, and the distance from line to line would tell nothing."""
    below: list[float] = []
    reaching = [[_reaches_down(w.text) for w in line] for line in lines]
    for line, reaches in zip(lines, reaching, strict=True):
        if any(reaches) and not all(reaches):
            low = median([w.y1 for w, lower in zip(line, reaches, strict=True) if lower])
            level = median([w.y1 for w, lower in zip(line, reaches, strict=True) if not lower])
            below.append(max(low - level, 0.0))
    descent = median(below) if below else 0.0
    if not descent:
        return lines
    return [
        [w._replace(y1=w.y1 - descent) if lower else w for w, lower in zip(line, reaches, strict=True)]
        for line, reaches in zip(lines, reaching, strict=True)
    ]


@lru_cache(maxsize=2048)  # many tables are tried with the same words
def _reaches_down(text: str) -> bool:
    return _DESCENDER.search(text) is not None


def line_row(runs: list[list[Word]], columns: Columns, stops: Sequence[float], rules: Sequence[Rule]) -> GrowingRow:
    """One line, parted where there is more than a word space, as a row. A run over several columns belongs to the first
    of them and spans the others; so does one with a rule of its own below (of `rules`)."""
    cells: Cells = [[] for _ in columns]
    top, bottom = min([w.y0 for run in runs for w in run]), median([w.y1 for run in runs for w in run])
    row = GrowingRow(cells, top, bottom, bisect_right(stops, (top + bottom) / 2))
    taken = -1
    row.extents = [(run[0].x0, max([w.x1 for w in run])) for run in runs]
    near = [rule for rule in rules if -AT_RULE < rule[0] - bottom + AT_RULE < UNDER_HEADER]
    for run, (left, right) in zip(runs, row.extents, strict=True):
        under = next((rule for rule in near if _is_own(rule, (left, right), row.extents)), None)
        if under and left < columns[0][1] and right < columns[1][0] and under[2] > columns[-1][0]:
            under = None  # the rule across the table, under the last line of the first head
        first, last = _covered(columns, *((under[1], under[2]) if under else (left, right)))
        first = max(first, min(taken + 1, last))
        cells[first] += run
        if last > first:
            row.spans.append((first, last - first + 1))
        taken = last
    return row


def _is_own(rule: Rule, run: tuple[float, float], runs: list[tuple[float, float]]) -> bool:
    """Whether a rule right under a header stands under this run of it, and under no other."""
    _, start, end = rule
    above = [(left, right) for left, right in runs if left < end and right > start]
    return above == [run] and start - AT_RULE <= run[0] and run[1] <= end + AT_RULE


def _covered(columns: Columns, left: float, right: float) -> tuple[int, int]:
    """The first and last column an extent stands over; the nearest where it stands over none."""
    first = last = -1
    for at, (x0, x1) in enumerate(columns):  # min and max cost more, and this runs for every cell of every attempt
        if x1 <= left or x0 >= right:
            continue
        shared = (right if right < x1 else x1) - (left if left > x0 else x0)
        if shared > _OVERLAPPED * (right - left if right - left < x1 - x0 else x1 - x0):
            first, last = (at if first < 0 else first), at
    if first >= 0:
        return first, last
    nearest = _nearest(columns, (left + right) / 2)
    return nearest, nearest


def _nearest(columns: Columns, middle: float) -> int:
    return min(range(len(columns)), key=lambda at: abs((columns[at][0] + columns[at][1]) / 2 - middle))


def joined_header(lines: list[GrowingRow], columns: Columns, rules: Sequence[Rule], em: float) -> list[GrowingRow]:
    """Lines of a header as rows: levels stay apart where the upper spans columns, lines of one level are one row."""
    lines = _with_label_lines(lines)
    for upper, lower in pairwise(lines):
        named = {at for first, width in upper.spans for at in range(first, first + width)} | upper.filled | {0}
        if not lower.filled <= named:
            _span_by_middles(upper, lower, columns, _rules_between(upper, lower, rules), em)
    rows: list[GrowingRow] = []
    for line in lines:
        if rows and rows[-1].spans == line.spans and not (line.spans and _rules_between(rows[-1], line, rules)):
            rows[-1].take(line)
        else:
            rows.append(line)
    if len(rows) > 1 and rows[0].spans and rows[0].cells[0] and not any(first == 0 for first, _ in rows[0].spans):
        for row in rows[1:]:  # the label beside the levels has several lines
            rows[0].cells[0] += row.cells[0]
            row.cells[0] = []
    for lower, upper in pairwise(reversed(rows)):
        if len(lower.spans) > 1 and not upper.spans:
            _span_all_groups(upper, lower.spans, columns, em)
        _span_whole_groups(upper, lower.spans)
    return _with_tall_labels(rows, em) if len(rows) > 1 and rows[0].spans else rows


def _span_all_groups(upper: GrowingRow, groups: Sequence[tuple[int, int]], columns: Columns, em: float) -> None:
    """Lets a head that stands alone over the middle of all groups of columns span these."""
    start, end = min(at for at, _ in groups), max(at + width for at, width in groups)
    own = upper.filled & set(range(start, end))
    if len(own) != 1:
        return
    (at,) = own
    words = upper.cells[at]
    off = (min(w.x0 for w in words) + max(w.x1 for w in words) - columns[start][0] - columns[end - 1][1]) / 2
    if abs(off) < _CENTRED * em:
        upper.cells[at], upper.cells[start] = [], words
        upper.spans = [(start, end - start)]


def _span_whole_groups(upper: GrowingRow, groups: Sequence[tuple[int, int]]) -> None:
    """Lets heads over a part of groups of columns of the level below span these groups whole, where nothing else stands
    over the rest: levels of heads nest."""
    spans: list[tuple[int, int]] = []
    for first, width in sorted(upper.spans):
        over = [group for group in groups if group[0] < first + width and first < group[0] + group[1]]
        start, end = min([first, *(at for at, _ in over)]), max([first + width, *(at + own for at, own in over)])
        others = {at for other, own in upper.spans if other != first for at in range(other, other + own)}
        if others & set(range(start, end)) or upper.filled & set(range(start, end)) - {first}:
            spans.append((first, width))
            continue
        if start < first:
            upper.cells[start], upper.cells[first] = upper.cells[first], []
        spans.append((start, end - start))
    upper.spans = spans


def _rules_between(upper: GrowingRow, lower: GrowingRow, rules: Sequence[Rule]) -> list[Rule]:
    return [rule for rule in rules if upper.bottom - AT_RULE < rule[0] < lower.top + AT_RULE]


def _with_label_lines(lines: list[GrowingRow]) -> list[GrowingRow]:
    """The lines of a header, one of nothing but the label of the first column, or of those of columns that no level
    has heads over, made part of the line above: they stand in the middle of the levels beside them."""
    kept = lines[:1]
    for line in lines[1:]:
        spanned = {at for first, width in kept[-1].spans for at in range(first, first + width)}
        beside = spanned and not line.filled & (spanned | kept[-1].filled | lines[-1].filled)
        if line is not lines[-1] and not line.spans and (line.filled == {0} or beside):
            for own, more in zip(kept[-1].cells, line.cells, strict=True):
                own.extend(more)
        else:
            kept.append(line)
    return kept


def _with_tall_labels(rows: list[GrowingRow], em: float) -> list[GrowingRow]:
    """The levels of a header, a label beside the upper ones moved to the first: it is the head of its column over all
    levels where it does not stand on the foot of the last."""
    covered = {at for row in rows[:-1] for first, width in row.spans for at in range(first, first + width)}
    feet = [w.y1 for column in covered for w in rows[-1].cells[column]]
    for column in range(len(rows[0].cells)):
        words = [w for row in rows for w in row.cells[column]]
        tall = bool(words and feet) and median(feet) - max(w.y1 for w in words) > _OFF_FOOT * em
        if tall and column not in covered and not rows[0].cells[column]:
            for row in rows:
                row.cells[column] = []
            rows[0].cells[column] = words
    return [row for row in rows if row.filled]


def _span_by_middles(
    upper: GrowingRow, lower: GrowingRow, columns: Columns, between: Sequence[Rule], em: float
) -> None:
    """Lets headers that stand over the middle of a group of columns span it, where all columns under them are told so:
    those over a rule between both lines, or else all but the first."""
    at = _columns_over(columns, between) if between else sorted(lower.filled - {0})
    if not at or at != list(range(at[0], at[-1] + 1)) or not (between or at[0] == 1):
        return
    right = columns[at[-1]][1] + em
    runs = [extent for extent in upper.extents if extent[1] > columns[at[0]][0] - em and extent[0] < right]
    full = set(at) <= lower.filled
    ends = [right for _, right in lower.extents]
    if not between and runs and all(any(abs(run[1] - end) < _SAME_END for end in ends) for run in runs):
        return  # first lines of heads set at the right
    if not full or len(runs) >= len(at):
        return
    groups = _grouped(runs, at, columns, _CENTRED * em)
    if groups is None and between:
        groups = _grouped(runs, at, _cells_under(columns, at, between), _CENTRED * em)
    if groups is None or (not between and any(last == first for first, last in groups)):
        return
    words = [[w for column in at for w in upper.cells[column] if run[0] <= w.x0 <= run[1]] for run in runs]
    for column in at:
        upper.cells[column] = []
    kept = [span for span in upper.spans if span[0] + span[1] <= at[0]]
    upper.spans = kept + [(first, last - first + 1) for first, last in groups if last > first]
    for (first, _), own in zip(groups, words, strict=True):
        upper.cells[first] = own


def _cells_under(columns: Columns, at: list[int], rules: Sequence[Rule]) -> Columns:
    """The columns, those under rules as wide as cells that share the white between them and end with the rules."""
    ends = [(left[1] + right[0]) / 2 for left, right in pairwise(columns[at[0] : at[-1] + 1])]
    ends = [min(rule[1] for rule in rules), *ends, max(rule[2] for rule in rules)]
    return [*columns[: at[0]], *pairwise(ends), *columns[at[-1] + 1 :]]


def _columns_over(columns: Columns, rules: Sequence[Rule]) -> list[int]:
    """The columns that stand under rules, as long as they are neighbours."""
    left, right = min(rule[1] for rule in rules), max(rule[2] for rule in rules)
    return [at for at, (x0, x1) in enumerate(columns) if left - AT_RULE <= (x0 + x1) / 2 <= right + AT_RULE]


def _grouped(
    runs: list[tuple[float, float]], at: list[int], columns: Columns, slack: float
) -> list[tuple[int, int]] | None:
    """Neighbouring columns parted among the runs, so that each run stands over the middle, or at an edge, of its
    group; None where that does not come out even."""
    if not runs:
        return [] if not at else None
    left, right = runs[0]
    for count in range(1, min(len(at) - len(runs) + 1, _MAX_SPANNED) + 1):
        first, last = at[0], at[count - 1]
        x0, x1 = columns[first][0], columns[last][1]
        if abs((x0 + x1) - (left + right)) / 2 <= slack or min(abs(left - x0), abs(right - x1)) <= slack / 2:
            rest = _grouped(runs[1:], at[count:], columns, slack)
            if rest is not None:
                return [(first, last), *rest]
    return None


def add_turned(
    rows: list[GrowingRow], turned: Sequence[Segment], columns: Columns, rules: Sequence[Rule]
) -> list[GrowingRow]:
    """The rows of a header with its words that run up or down, each in the column it stands over, as its last row: a
    row of their own under heads that span, and under a rule."""
    if not turned:
        return rows
    last = rows[-1] if rows and not rows[-1].spans else None
    top = min(s.y0 for s in turned)
    if last is not None and any(last.bottom - AT_RULE < y < top + AT_RULE for y, _, _ in rules):
        last = None
    if last is None:
        last = GrowingRow([[] for _ in columns], min(s.y0 for s in turned), max(s.y1 for s in turned), 0)
        rows = [*rows, last]
    between = [(left[1] + right[0]) / 2 for left, right in pairwise(columns)]
    for segment in sorted(turned, key=lambda s: s.x0):
        last.cells[bisect_right(between, (segment.x0 + segment.x1) / 2)].append(segment.as_word)
    return rows


def turned_stubs(turned: Sequence[Segment], lines: Sequence[list[Word]]) -> list[Segment]:
    """Of words that run up or down, those left of all others on the lines beside them: labels of several rows."""
    found: list[Segment] = []
    for segment in turned:
        beside = [line for line in lines if segment.y0 < middle_of(line) < segment.y1]
        under = [line for line in lines if middle_of(line) > segment.y0]
        if beside and len(under) < len(lines) and all(segment.x1 <= min(w.x0 for w in line) for line in under):
            found.append(segment)
    return found


def add_stubs(heads: list[GrowingRow], rows: list[GrowingRow], stubs: Sequence[Segment]) -> list[tuple[int, int]]:
    """Gives rows a first column of labels that run up or down, each in the first of the rows it stands beside: those
    between two rules, or the nearest. Returns the first row of each, counted without the heads, and how many it has."""
    for row in (*heads, *rows):
        row.cells.insert(0, [])
        row.spans = [(first + 1, width) for first, width in row.spans]
    taken: dict[int, list[int]] = {}
    for at, row in enumerate(rows):
        middle = (row.top + row.bottom) / 2
        own = [n for n, stub in enumerate(stubs) if _section_at(rows, stub) == row.section] or range(len(stubs))
        nearest = min(own, key=lambda n: abs((stubs[n].y0 + stubs[n].y1) / 2 - middle))
        taken.setdefault(nearest, []).append(at)
    for n, places in taken.items():
        rows[places[0]].cells[0] = [stubs[n].as_word]
    return [(places[0], len(places)) for places in taken.values()]


def _section_at(rows: list[GrowingRow], stub: Segment) -> int:
    return min(rows, key=lambda row: abs(row.top + row.bottom - stub.y0 - stub.y1)).section


def bold_lines(rows: list[list[Segment]]) -> int:
    """How many lines name columns: several bold ones over others that are not, without the title of a group; a single
    one is told without that."""
    bold = [all(s.style.bold for s in row) for row in rows[: _BOLD_LINES + 2]]
    count = bold.index(False) if False in bold else 0
    if count > 1 and _is_title_of_group(*rows[count - 2 : count + 1]):
        titled = any(len(row) == 1 and row[0].style.bold for row in rows[count:])
        if titled or white_between(*rows[count - 1 : count + 1]) > _PADDED * rows[count][0].style.size:
            return count - 1 if count > 2 else 0
    return count if 1 < count <= _BOLD_LINES and not any(bold[count:]) and len(rows) > 2 * count else 0


def _is_title_of_group(names: list[Segment], line: list[Segment], row: list[Segment]) -> bool:
    """Whether a bold line between the names of several columns and a row is the title of a group: alone at the left, as
    far from the names as from the row."""
    if len(line) > 1 or len(names) < _NAMED_COLUMNS or len(row) < 2:
        return False
    left = min(s.x0 for s in row)
    far = white_between(names, line) > white_between(line, row) - _SAME_END
    return far and abs(line[0].x0 - left) < _SAME_END and line[0].x1 < min(s.x0 for s in row if s.x0 > left + _SAME_END)


def word_lines(rows: list[list[Segment]]) -> int:
    """Two where the first two lines are words in all columns and all others only figures: names in two lines."""
    if len(rows) < _NAMED_BODY or not 1 < len(rows[0]) == len(rows[1]):
        return 0
    figured = [[NUMERIC.match(s.text) is not None for s in row] for row in rows]
    heads, body = figured[:2], figured[2:]
    return 0 if any(map(any, heads)) or not all(map(all, body)) else 2
