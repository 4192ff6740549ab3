"""Leaders: rows of dots that lead from a label to its figures, or to the number of a page. They are one piece with the
label, part what is behind them, and are not text of a cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

from sidecar_pdf.text.segments import Segment, Word

_MIN_DOTS = 5
_PITCH = 2.0  # ems of white between two dots, and between a label and the first one, at most
_LEVEL = 1.0  # points between the feet of two pieces of one line
_FIGURES = 0.8  # of the words behind leaders that lead to amounts
_AMOUNT = re.compile(r"[$€£¥%()]|[.,']\d\d\d?(?!\d)")
"""What tells an amount from the number of a page."""
_MAX_DIGITS = 9  # of a figure that can be compared
_INDEX_COLUMNS = 2  # of an index: entries, and their pages
_FALLING = 0.2  # of the figures behind leaders, at least, are less than those above where they are not pages
_UNIT = re.compile(r"[A-Z]{3}")
_DOTTED = "." * _MIN_DOTS
_WITHIN = re.compile(r"(.*?[^.])(\.{5,})([^.].*)")
"""A label, the dots behind it, and what they lead to."""
_WIDE, _NARROW = 0.55, 0.278  # ems that letters and digits, and dots and commas, are wide, about


def join_leaders(segments: list[Segment]) -> list[Segment]:
    """The segments of a page, dots that stand apart put behind the label, or the dots, before them, and dots between
    a label and its figures that are one word with them a word of their own."""
    for segment in segments:
        if any(_DOTTED in word.text for word in segment.words) and not segment.vertical:
            segment.words = [part for word in segment.words for part in _parted_word(word)]
    dots = [s for s in segments if s.words[0].text[0] in ".…" and all(map(_is_dots, s.words)) and not s.vertical]
    if sum(_count(s.words) for s in dots) < _MIN_DOTS:
        return segments  # of nearly all pages
    low, high = min(s.y1 for s in dots) - _LEVEL, max(s.y1 for s in dots) + _LEVEL
    level = sorted((s for s in segments if low < s.y1 < high and not s.vertical), key=lambda s: (round(s.y1), s.x0))
    own, taken = set(map(id, dots)), set[int]()
    for at, first in enumerate(level):
        if id(first) in taken:
            continue
        run = [first]
        for segment in islice(level, at + 1, None):
            near = segment.x0 - run[-1].x1 < _PITCH * max(segment.style.size, 1.0)
            if id(segment) not in own or abs(segment.y1 - first.y1) > _LEVEL or not near:
                break
            run.append(segment)
        if len(run) > 1 and _count([w for s in run for w in s.words if _is_dots(w)]) >= _MIN_DOTS:
            taken.update(id(s) for s in run[1:])
            for word in (w for s in run[1:] for w in s.words):
                first.add(word)
    return [s for s in segments if id(s) not in taken]


def _parted_word(word: Word) -> list[Word]:
    """A word, parted before and behind the dots in it, where letters or digits stand on both sides of them. Where the
    parts begin is told from how wide characters usually are, and what stands last ends where the word does."""
    match = _WITHIN.fullmatch(word.text) if _DOTTED in word.text else None
    if match is None or not (any(map(str.isalnum, match[1])) and any(map(str.isalnum, match[3]))):
        return [word]
    label, dots, rest = match.groups()
    widths = [_width_of(part, mono=word.style.mono) for part in (label, dots, rest)]
    scale = (word.x1 - word.x0) / sum(widths)
    starts = [word.x0, word.x0 + scale * widths[0], word.x1 - scale * widths[2], word.x1]
    parts = zip((label, dots, rest), pairwise(starts), strict=True)
    return [word._replace(text=text, x0=x0, x1=x1, joined=text is not label or word.joined) for text, (x0, x1) in parts]


def _width_of(text: str, *, mono: bool) -> float:
    """About how wide a text is, in ems."""
    return sum(_WIDE if mono or char.isalnum() else _NARROW for char in text)


def without_leader(words: list[Word]) -> list[Word]:
    """The words of a line without the dots that lead on; as they are where there is nothing else."""
    leader = _leader(words)
    return [w for at, w in enumerate(words) if at not in leader] or words if leader else words


def parted_behind_leaders(segment: Segment) -> list[Segment]:
    """A segment, parted where dots lead to what is behind them."""
    leader = _leader(segment.words)
    if not leader:
        return [segment]
    parts = [Segment(segment.words[0], segment.order)]
    for at, word in enumerate(segment.words[1:], 1):
        if at - 1 in leader and at not in leader:
            parts.append(Segment(word._replace(apart=True), segment.order))
        else:
            parts[-1].add(word)
    return parts


def are_led_to_amounts(lines: Iterable[Sequence[Segment]], columns: int) -> bool:
    """Whether what stands behind leaders are amounts, as in a statement, and no numbers of pages: those rise down a
    list of contents, and an index, where they do not, has two `columns`."""
    behind: list[Word] = []
    for line in lines:
        words = sorted((w for s in line for w in s.words), key=lambda w: w.x0)
        leader = _leader(words)
        behind += words[max(leader) + 1 :] if leader else []
    texts = [word.text for word in behind]
    figures = sum(not any(map(str.isalpha, text)) or _UNIT.fullmatch(text) is not None for text in texts)
    if figures < _FIGURES * len(texts):
        return False
    pages = [int(text) for text in texts if text.isdecimal() and len(text) <= _MAX_DIGITS]
    falls = sum(one > other for one, other in pairwise(pages))
    return any(map(_AMOUNT.search, texts)) or (columns > _INDEX_COLUMNS and falls >= _FALLING * len(texts))


def _leader(words: Sequence[Word]) -> set[int]:
    """The places of the dots that lead on among the words of a line."""
    places = [at for at, word in enumerate(words) if word.text[0] in ".…" and _is_dots(word)]
    if not places:
        return set()  # of nearly all lines
    runs: list[list[int]] = [places[:1]]
    for one, other in pairwise(places):
        if other == one + 1:
            runs[-1].append(other)
        else:
            runs.append([other])
    return {at for run in runs if _count([words[at] for at in run]) >= _MIN_DOTS for at in run}


def _is_dots(word: Word) -> bool:
    return not word.text.strip(".…")


def _count(words: Iterable[Word]) -> int:
    return sum(len(word.text) + 2 * word.text.count("…") for word in words)
