"""Tells what stands in the margin beside the lines of a page from those: numbers of lines, as transcripts, pleadings,
patents and drafts for review have them, and notes in small print."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from itertools import pairwise
from math import inf
from statistics import median
from string import ascii_uppercase
from typing import NamedTuple

from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.drawn_apart import Placed
from sidecar_pdf.text.segments import Segment, Word, has_letters

_NUMBER = re.compile(r"\d{1,4}[A-Z]?")  # the letter tells of which of two columns

# Chosen on the corpus.
_MIN_NUMBERS, _MIN_SMALL = 10, 4  # numbers in one column; of those set smaller than the lines they count
_STEPS = frozenset((1, 5, 10))
_ALIGNED = 3.0  # points of a slot in which the numbers begin, or end
_EVEN = 0.25  # share of the usual distance by which two may differ
_IN_TURN = 0.9  # of the numbers that follow another
_BEGUN, _CARRIED = 0.9, 2  # share of the lines beside that begin after the numbers; lines that go on, or are empty
_SHORT = 0.25  # of the longest line, by which one that goes on in the next may end before it
_GAP, _GAP_SMALL = 1.0, 0.8  # ems of a number between it and its line, at least
_GAP_TYPED = 0.4  # the same before typewritten text
_TYPED, _NAMES = 0.65, 5  # share of the numbered lines that are; names in the margin that stand before numbers
_LONG_LINE, _MANY_CARRIED = 15.0, 0.4  # ems of lines of running text; share of its numbered lines that go on
_FIFTH, _FAR, _LINES_APART = (5, 2.0, 2)  # lines a number; ems between two, at least; pieces of text a number, at least
_SMALL = 0.85  # times the size of the lines beside: numbers so small count lines, however far those are apart
_BESIDE, _BESIDE_SMALL = 2, 4  # pieces of text beside a number, fewer; two columns of text may be counted at one margin
_MIN_NOTES, _NOTE_EDGE = 3, 0.5  # lines of notes beside a column; points they may reach into the white before them
_NOTE_SIZE = 0.93  # of the usual size of type: that of a note is less
_TEXT_WORDS, _TEXT_LINES = 8, 6  # of the text beside notes: words of a line that is full, and such lines, at least
_NOTE_OVER = 1.5  # of its size, by which the middle of a note's first line may stand over the text
_NOTE_LEADING, _MOST_NOTES = 1.6, 0.5  # of the size of a note, from foot to foot of its lines; lines of notes for one


class _Number(NamedTuple):
    """A number and the segment it opens, or is."""

    word: Word
    segment: Segment


class _Stretch(NamedTuple):
    """A stretch of text beside the numbers."""

    x0: float
    x1: float
    y0: float
    y1: float
    size: float
    first: str
    words: int
    typed: bool
    """Whether it is set in a typewriter face."""


def without_line_numbers(segments: list[Segment]) -> tuple[list[Segment], list[Segment]]:
    """The segments less the numbers that count the lines of a page, and those: at its left edge, or at both where they
    are set small; one after the other, evenly set unless small, with lines beside them that go on from one to the next,
    or none. Numbers of a list, or of the rows of a table, begin something: what they stand before had room to go on."""
    columns: defaultdict[tuple[bool, int], list[_Number]] = defaultdict(list)
    for segment in segments:
        word = segment.words[0]
        if _NUMBER.fullmatch(word.text) and _stands_apart(segment):
            columns[True, round(word.x1 / _ALIGNED)].append(_Number(word, segment))
            columns[False, round(word.x0 / _ALIGNED)].append(_Number(word, segment))
    found: dict[int, _Number] = {}
    for (right, slot), most in sorted(columns.items(), key=lambda column: -len(column[1])):
        if 2 * len(most) < _MIN_SMALL:
            break  # numbers that lie about
        near = [n for other in (slot - 1, slot, slot + 1) for n in columns.get((right, other), ())]
        numbers = sorted((n for n in near if id(n.segment) not in found), key=lambda number: number.word.y0)
        if len(numbers) >= _MIN_SMALL and _counts_lines(numbers, segments, found):
            found.update((id(number.segment), number) for number in numbers)
    if not found:
        return segments, []
    kept = (_rest(segment) if id(segment) in found else segment for segment in segments)
    counted = [Segment(number.word, number.segment.order) for number in found.values()]
    return [segment for segment in kept if segment is not None], counted


def _stands_apart(segment: Segment) -> bool:
    """Whether the first word is all of a segment, or a number set apart from the line it stands before, which is small
    or stands before typewritten text."""
    if segment.vertical or len(segment.words) == 1:
        return not segment.vertical
    word, after = segment.words[:2]
    size = word.style.size
    if after.style.mono and not word.style.mono:
        return after.x0 - word.x1 > _GAP_TYPED * size
    return size < _SMALL * after.style.size and after.x0 - word.x1 > _GAP_SMALL * size


def _rest(segment: Segment) -> Segment | None:
    """The segment without its first word; None where it has no other."""
    words = segment.words[1:]
    if not words:
        return None
    rest = Segment(words[0], segment.order)
    for word in words[1:]:
        rest.add(word)
    rest.hyphen, rest.hidden, rest.rtl, rest.orientation = (
        segment.hyphen, segment.hidden, segment.rtl, segment.orientation,
    )  # fmt: skip
    return rest


def _counts_lines(numbers: list[_Number], segments: list[Segment], others: dict[int, _Number]) -> bool:
    """Whether numbers that stand under one another count the lines beside them; `others` are known to."""
    if not _counts([number.word for number in numbers], even=False):
        return False  # most numbers of a table, before all that stands beside them is gathered
    alone = {id(n.segment) for n in (*numbers, *others.values()) if len(n.segment.words) == 1}
    led = {id(n.segment) for n in (*numbers, *others.values())} - alone
    top, bottom = numbers[0].word.y0, numbers[-1].word.y1
    beside: list[_Stretch] = []
    for s in segments:
        if id(s) in alone or s.vertical or not top < (s.y0 + s.y1) / 2 < bottom:
            continue
        first = s.words[1] if id(s) in led else s.words[0]
        beside.append(
            _Stretch(first.x0, s.x1, s.y0, s.y1, first.style.size, first.text[:1], len(s.words), first.style.mono)
        )
    words = [number.word for number in numbers]
    if not beside or _count_typed(words, beside):
        return bool(beside)
    if _are_fifth(words, beside) and not led:
        return True
    small = words[0].style.size < _SMALL * median(piece.size for piece in beside)
    if not small and len(numbers) < _MIN_NUMBERS:
        return False
    return _counts(words, even=not small and not _are_prose(words, beside)) and _goes_on(words, beside, small=small)


def _count_typed(numbers: list[Word], beside: list[_Stretch]) -> bool:
    """Whether numbers in another face stand before the lines of listings, whatever else stands between those."""
    if any(number.style.mono for number in numbers) or sum(piece.typed for piece in beside) < _MIN_SMALL:
        return False
    right = max(number.x1 for number in numbers)
    level = [p for p in beside for number in numbers if p.y0 < (number.y0 + number.y1) / 2 < p.y1]
    behind = [piece for piece in level if piece.x0 > right]
    typed = sum(piece.typed for piece in behind)
    return typed >= max(_MIN_SMALL, _TYPED * len(behind)) and len(behind) >= _BEGUN * len(level) - _NAMES


def _are_fifth(numbers: list[Word], beside: list[_Stretch]) -> bool:
    """Whether numbers are those of every fifth line, outside all text, as bills and plays have them: 5, 10, 15."""
    far = min(after.y0 - before.y1 for before, after in pairwise(numbers)) > _FAR * numbers[0].style.size
    left, right = min(n.x0 for n in numbers), max(n.x1 for n in numbers)
    outside = max(piece.x1 for piece in beside) < left or min(piece.x0 for piece in beside) > right
    by_five = all(_value(number) == _FIFTH * at for at, number in enumerate(numbers, 1))
    return by_five and far and outside and len(beside) > _LINES_APART * len(numbers)


def _counts(numbers: list[Word], *, even: bool) -> bool:
    pairs = list(pairwise(numbers))
    steps = [_value(after) - _value(before) for before, after in pairs]
    down = [after.y0 - before.y0 for before, after in pairs]
    usual = sorted(down)[len(down) // 2]
    evenly = sum(abs(step - usual) < _EVEN * usual for step in down) if even else len(pairs)
    return steps[0] in _STEPS and min(steps.count(steps[0]), evenly) >= _IN_TURN * len(pairs)


def _value(number: Word) -> int:
    return int(number.text.rstrip(ascii_uppercase))


def _goes_on(numbers: list[Word], beside: list[_Stretch], *, small: bool) -> bool:
    """Whether the text stands behind the numbers, or before small ones, one stretch a line as a rule, and some of its
    lines go on."""
    left, right = min(n.x0 for n in numbers), max(n.x1 for n in numbers)
    gap = (_GAP_SMALL if small else _GAP) * numbers[0].style.size
    begun = sum(piece.x0 > right + (gap if small else _GAP * piece.size) for piece in beside)
    ended = sum(piece.x1 < left - gap for piece in beside) if small else 0
    if max(begun, ended) < _BEGUN * len(beside):
        return False
    lines = _lines_of(numbers, beside)
    full = max(line.x1 for line in beside) - _SHORT * max(line.x1 - line.x0 for line in beside)
    carried = sum(
        line is None or (line.first.islower() and (small or above is None or (above.x1 > full and above.words > 1)))
        for above, line in zip([None, *lines], lines, strict=False)
    )
    least = _CARRIED if len(numbers) >= _MIN_NUMBERS else 1
    return carried >= least and len(beside) < (_BESIDE_SMALL if small else _BESIDE) * len(numbers)


def _are_prose(numbers: list[Word], beside: list[_Stretch]) -> bool:
    """Whether the text beside the numbers is running text, a long line to each of them and many going on: paragraphs
    are set apart, and with them the numbers."""
    long = median(piece.x1 - piece.x0 for piece in beside) > _LONG_LINE * numbers[0].style.size
    carried = sum(line is not None and line.first.islower() for line in _lines_of(numbers, beside))
    return long and carried >= _MANY_CARRIED * len(numbers)


def _lines_of(numbers: list[Word], beside: list[_Stretch]) -> list[_Stretch | None]:
    """The line beside each number, or the first stretch of it; None where there is none."""
    lines = ([p for p in beside if p.y0 < (number.y0 + number.y1) / 2 < p.y1] for number in numbers)
    return [min(line, default=None) for line in lines]


def without_margin_notes(segments: list[Segment], em: float) -> tuple[list[Segment], list[list[Segment]]]:
    """The segments less the notes in small print that stand outside all running text, level with lines of it, and those
    notes, each with its lines. `em` is the usual size of type in points."""
    level = [s for s in segments if not s.vertical]
    text = [s for s in level if s.style.size >= _NOTE_SIZE * em]
    full = [s for s in text if len(s.words) >= _TEXT_WORDS]
    if len(full) < max(_TEXT_LINES, len(text) / 2):
        return segments, []
    left, right = min(s.x0 for s in full) - _GAP_SMALL * em, max(s.x1 for s in full) + _GAP_SMALL * em
    found: list[list[Segment]] = []
    for side in ([s for s in level if s.x1 < left], [s for s in level if s.x0 > right]):
        small = all(s.style.size < _NOTE_SIZE * em and not s.style.bold for s in side)
        if small and len(side) <= _MOST_NOTES * len(full):
            found += _notes_beside(side, text)
    taken = {id(line) for note in found for line in note}
    return [s for s in segments if id(s) not in taken] if taken else segments, found


def _notes_beside(lines: list[Segment], text: list[Segment]) -> list[list[Segment]]:
    """The notes of a margin that say words and begin level with a line of text, or a little over one."""
    notes: list[list[Segment]] = []
    for line in sorted(lines, key=lambda s: s.y0):
        if notes and line.y1 - notes[-1][-1].y1 < _NOTE_LEADING * line.style.size:
            notes[-1].append(line)
        else:
            notes.append([line])
    feet = sorted((s.y0, s.y1) for s in text)

    def is_level(first: Segment) -> bool:
        middle = (first.y0 + first.y1) / 2
        at = bisect_right(feet, (middle, inf))
        over, under = feet[at - 1] if at else (-inf, -inf), feet[at] if at < len(feet) else (inf, inf)
        return over[1] > middle or under[0] - middle < _NOTE_OVER * first.style.size

    said = (note for note in notes if has_letters(note) and not match_caption(note[0].text))
    return [note for note in said if is_level(note[0])]


def side_notes(pieces: list[Placed]) -> list[Placed] | None:
    """Notes in small print beside a column of text: several lines with one edge, which nothing level with them
    reaches."""
    text = [p for p in pieces if isinstance(p, Segment) and len(p.words) > 1]
    if len(text) < 2 * _MIN_NOTES:
        return None
    usual = sorted(p.style.size for p in text)[len(text) // 2]
    small = [p for p in text if p.style.size < _NOTE_SIZE * usual]
    if len(small) < _MIN_NOTES:
        return None
    edge = min(p.x0 for p in small)
    notes: list[Placed] = [p for p in pieces if p.x0 > edge - _NOTE_EDGE and isinstance(p, Segment)]
    if len(small) != len(notes) or any(p.x0 - edge > usual for p in notes):
        return None
    taken = set(map(id, notes))
    beside = [p for p in pieces if id(p) not in taken and any(p.y0 < n.y1 and n.y0 < p.y1 for n in notes)]
    apart = all(p.x1 < edge - _NOTE_EDGE for p in beside)
    return notes if apart and len(beside) >= _MIN_NOTES else None
