"""Parts the lines of a column where what stands on them is not a sentence: a title and what is set at the other margin,
a label or a day in a margin of its own and the title beside it, two titles side by side."""

import re
from collections import Counter
from itertools import pairwise
from statistics import median_low
from typing import NamedTuple

from sidecar_pdf.text.segments import Segment

NUMBER_ALONE = re.compile(r"(?:[^\W\d_]{2,14}\.? ?)?(?:\d{1,3}(?:\.\d{1,3}){0,3}|[IVXLC]{1,6}|[A-Z])[.:)]?")
"""The number of a title, which belongs to it whatever its type: "3.1", "Chapter IV"."""
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})*(?:[.、)]|\s)\s*\S")
_PERIOD = re.compile(
    r"(?=.{0,20}(?:19|20)\d\d)(?:[^\W\d_]{3,10}\.? )?[\d./-]{4,10}"
    r"(?: ?[-–—] ?(?:(?:[^\W\d_]{3,10}\.? )?[\d./-]{4,10}|[^\W\d_]{3,12})?)?"
)
"""A day, or the time from one to another, perhaps until now: "2019-03-01 —", "Mar 2014 – May 2016"."""

# Chosen on the truths of headings (tests/bench/pages).
_GAP, _EDGE_GAP, _WIDE_GAP = 1.2, 0.6, 8.0  # ems, of the larger type, of white between two sides: at least; before the
# edge of text beside a margin; between two titles in one type, and between a bold one and plain type
_PERIOD_GAP = 3.0  # ems between a bold title and its time at the other margin
_OTHER_SIZE, _SIDE_CHARS = 1.25, 4  # times the size, and characters, of what stands apart whatever else there is
_LARGE, _TITLE = 1.1, 1.15  # times the usual size of its column, of a title beside a label; of each of two titles
_SAME_SIZE = 1.05  # times a size, up to which another is the same
_EDGE_LINES, _SAME_EDGE = 3, 1.0  # lines that begin at the edge of text beside a margin; points by which they differ
_MIN_SIZE = 0.1  # points


class _Column(NamedTuple):
    """What is usual in a column: the size of its type, and where its lines begin, in points."""

    size: float
    starts: Counter[int]


def sides_split(rows: list[list[Segment]]) -> list[list[Segment]]:
    """The rows of a column, each whole or in several parts."""
    if all(len(row) < 2 for row in rows):
        return rows
    starts = Counter(round(min(s.x0 for s in row) / _SAME_EDGE) for row in rows)
    column = _Column(median_low(s.style.size for row in rows for s in row), starts)
    return [side for row in rows for side in _sides(row, column)]


def _sides(row: list[Segment], column: _Column) -> list[list[Segment]]:
    if len(row) < 2 or any(s.rtl or s.vertical for s in row):
        return [row]
    ordered = sorted(row, key=lambda s: s.x0)
    parts = [[ordered[0]]]
    for before, segment in pairwise(ordered):
        if _are_apart(before, segment, column):
            parts.append([segment])
        else:
            parts[-1].append(segment)
    return parts


def _are_apart(one: Segment, other: Segment, column: _Column) -> bool:
    """Whether type of another size, a bold numbered title beside plain type, or a title beside a label or another title
    stands far off on the same line."""
    smaller, larger = sorted((max(one.style.size, _MIN_SIZE), max(other.style.size, _MIN_SIZE)))
    gap = other.x0 - one.x1
    least = _EDGE_GAP if _begins_at_edge(other, column) else _GAP
    if gap < least * larger or min(len(one.text), len(other.text)) < _SIDE_CHARS:
        return False
    titled = one.style.bold and not other.style.bold and _NUMBERED.match(one.text) is not None
    dated = one.style.bold and gap > _PERIOD_GAP * larger and _PERIOD.fullmatch(other.text) is not None
    if larger > _OTHER_SIZE * smaller or titled or dated:
        return True
    if larger < _LARGE * column.size or NUMBER_ALONE.fullmatch(one.text):
        return False
    if larger > _SAME_SIZE * smaller:
        return True
    if one.style.bold and not other.style.bold:  # a term, or the name of a field, and what is said of it
        return gap > _WIDE_GAP * larger
    looks = [(s.style.bold, s.style.italic, s.style.color) for s in (one, other)]
    return looks[0] != looks[1] or (smaller > _TITLE * column.size and gap > _WIDE_GAP * larger)


def _begins_at_edge(segment: Segment, column: _Column) -> bool:
    """Whether several lines of the column begin where a piece does."""
    at = round(segment.x0 / _SAME_EDGE)
    return sum(column.starts[edge] for edge in (at - 1, at, at + 1)) >= _EDGE_LINES
