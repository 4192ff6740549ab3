"""Tells the numbers of lines in the margin, as transcripts, pleadings, patents and drafts for review have them, from
text."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from sidecar_pdf.text.segments import Segment

# Chosen on the corpus.
_LEAST = 10  # numbers in one column
_STEPS = frozenset((1, 5, 10))
_MAX_DIGITS = 4
_ALIGNED = 3.0  # points of a slot in which the numbers begin, or end
_EVEN = 0.25  # share of the usual distance by which two may differ
_IN_TURN = 0.9  # of the numbers that follow another
_BEGUN, _CARRIED = 0.9, 2  # share of the lines beside that begin after the numbers; lines that go on, or are empty
_GAP = 1.0  # ems between a number and its line, at least


def line_numbers(segments: list[Segment]) -> list[Segment]:
    """The numbers that count the lines of a page at its left edge: evenly set, one after the other, with lines beside
    them that go on from one to the next, or none. Numbers of a list, or of the rows of a table, begin something."""
    columns: defaultdict[tuple[bool, int], list[Segment]] = defaultdict(list)
    for segment in segments:
        words = segment.words
        if len(words) == 1 and words[0].text.isdecimal() and len(words[0].text) <= _MAX_DIGITS and not segment.vertical:
            columns[True, round(segment.x1 / _ALIGNED)].append(segment)
            columns[False, round(segment.x0 / _ALIGNED)].append(segment)
    if not columns:
        return []
    (right, slot), numbers = max(columns.items(), key=lambda column: len(column[1]))
    numbers = [s for near in (slot - 1, slot, slot + 1) for s in columns.get((right, near), ())]
    if len(numbers) < _LEAST:
        return []
    numbers.sort(key=lambda s: s.y0)
    return numbers if _counts(numbers) and _goes_on(numbers, segments) else []


def _counts(numbers: list[Segment]) -> bool:
    pairs = list(pairwise(numbers))
    steps = [int(after.text) - int(before.text) for before, after in pairs]
    down = [after.y0 - before.y0 for before, after in pairs]
    usual = sorted(down)[len(down) // 2]
    even = sum(abs(step - usual) < _EVEN * usual for step in down)
    return steps[0] in _STEPS and min(steps.count(steps[0]), even) >= _IN_TURN * len(pairs)


def _goes_on(numbers: list[Segment], segments: list[Segment]) -> bool:
    """Whether the text stands behind the numbers, one stretch a line as a rule, and some of its lines go on."""
    ids, right = {id(s) for s in numbers}, max(s.x1 for s in numbers)
    top, bottom = numbers[0].y0, numbers[-1].y1
    beside = [s for s in segments if id(s) not in ids and not s.vertical and top < (s.y0 + s.y1) / 2 < bottom]
    begun = sum(s.x0 > right + _GAP * s.style.size for s in beside)
    if begun < _BEGUN * len(beside):
        return False
    carried = 0
    for number in numbers:
        line = [s for s in beside if s.y0 < (number.y0 + number.y1) / 2 < s.y1]
        first = min(line, key=lambda s: s.x0).text[:1] if line else ""
        carried += not line or first.islower()
    return carried >= _CARRIED and len(beside) < 2 * len(numbers)
