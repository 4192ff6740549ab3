"""The white between the words of lines: how wide a blank is, and where two columns stand as close as words."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from statistics import median

from sidecar_pdf.text.segments import Word

# Ems.
_MIN_BLANK, _MAX_BLANK = 0.15, 0.5  # of white that may be a blank between words
_SAME_BLANK = 0.08  # of a blank, by which others differ from it
_CLOSE_GAP = 0.1  # of white between two columns that stand as close as words
_THIN = 0.2  # of white, less than which parts a figure from its unit
_STRETCHED, _CLOSE_LEADING = 0.35, 0.6  # of white between words of justified lines; of that to the next, at most
_SAME_EDGE, _VARIED = 0.08, 0.5  # by which cells differ that begin or end at one place, and that do not
# Counts and shares.
_BLANKS, _BLANKS_SHARE = 3, 0.5  # blanks of one width, and their share of the white that may be blanks
_HEADED_LINES = 2  # lines of two columns that close, of which the second has a head over its edge
_CLOSE_LINES, _CLOSE_WORDS, _PARTED = 4, 8, 0.8  # lines of two columns that close, words of each; lines that are parted
_EDGE_LINES, _EDGE_PARTED = 6, 0.4  # lines in which the second column begins at one place; lines of all, then
_PAIR = 2  # words, or runs of them
_EVEN_WHITE = 1.26  # times the least white between words of a justified line, the most: TeX sets 1.25 behind a comma
_SAME_WHITE = 0.02  # of the widest white, by which that between heads side by side differs
_UNITS = 2  # words in capitals that may be units of one column
_ITEM = re.compile(r"\(?\w{1,3}[.)]$")
_VALUE = re.compile(r"[$€£]?[-+−]?\d[\d,.]*%?$|\d{4}-\d\d-\d\d$")


def word_space(lines: list[list[Word]]) -> float:
    """The white between words, in ems, where most that may be such is equally wide: lines are not justified, and the
    file's own type tells. 0 where that is not so. Small sizes of Computer Modern have blanks of 0.42 em, Times 0.25."""
    white = sorted(
        (other.x0 - one.x1) / max(one.style.size, 1.0)
        for line in lines for one, other in pairwise(line)
        if not other.joined and one.text[-1].isalpha() and (other.text[0].isalnum() or other.text[0] == "(")
    )  # fmt: skip
    white = white[bisect_left(white, _MIN_BLANK) : bisect_right(white, _MAX_BLANK)]
    alike = max(
        (white[at : bisect_right(white, gap * (1 + _SAME_BLANK))] for at, gap in enumerate(white)), key=len, default=[]
    )
    return median(alike) if len(alike) >= max(_BLANKS, _BLANKS_SHARE * len(white)) else 0.0


def covered_spans(edges: list[tuple[float, int]], need: int, gap: float) -> list[tuple[float, float]]:
    """What at least `need` boxes cover, left to right; stretches less than `gap` points apart are one. `edges` are the
    boxes' sides, sorted: (x, 1) where one begins, (x, -1) where it ends."""
    spans: list[tuple[float, float]] = []
    depth, start = 0, 0.0
    for x, step in edges:
        before, depth = depth, depth + step
        if before < need <= depth:
            start = x
        elif before >= need > depth:
            if spans and start - spans[-1][1] < gap:
                spans[-1] = (spans[-1][0], x)
            else:
                spans.append((start, x))
    return spans


def without_justification(runs: list[list[list[Word]]]) -> list[list[list[Word]]]:
    """The runs of words of lines, those made one that are a line of one justified cell: the next line goes on below its
    beginning, close, and wide white parts its words equally. Of two words, which may be cells, the second begins where
    nothing else does, the line ends where the others do, and another line of the column is justified."""
    right = max(run[-1].x1 for line in runs for run in line)
    joined = [*runs]
    for others in ([], joined):  # first those of several words
        for at in range(len(runs) - 2, -1, -1):  # from the last on: what goes on below may be justified as well
            line, below = runs[at], joined[at + 1]
            em = max(line[0][0].style.size, 1.0)
            if len(line) < _PAIR or below[0][0].y0 - line[0][0].y1 > _CLOSE_LEADING * em:
                continue
            starts = [k for k, run in enumerate(line) if any(abs(run[0].x0 - o[0].x0) < _SAME_EDGE * em for o in below)]
            if starts and len(starts) >= len(below):  # nothing below begins elsewhere
                joined[at] = [*line[: starts[0]], *_joined_cells(line, starts, right, others)]
    return joined


def _joined_cells(
    line: list[list[Word]], starts: list[int], right: float, others: list[list[list[Word]]]
) -> Iterator[list[Word]]:
    """The cells of a line of which runs at `starts` begin some, justified ones made one; lines end at `right`."""
    for first, end in pairwise([*starts, len(line)]):
        own = [word for run in line[first:end] for word in run]
        em = max(own[0].style.size, 1.0)
        level = end == len(line) and right - own[-1].x1 < _SAME_EDGE * em
        even = first > 0 and _is_even(line[first - 1][-1], own)
        if end - first > 1 and not even and _is_stretched(own, em, others if level else []):
            yield own
        else:
            yield from line[first:end]


def _is_even(before: Word, words: list[Word]) -> bool:
    """Whether all white between words is that which parts them from the cell before: heads side by side."""
    white = [other.x0 - one.x1 for one, other in pairwise([before, *words])]
    return max(white) - min(white) < _SAME_WHITE * max(white)


def are_stretched(words: list[Word]) -> bool:
    """Whether white wider than blanks parts several words of a line equally."""
    white = [other.x0 - one.x1 for one, other in pairwise(words)]
    em = max(words[0].style.size, 1.0)
    return bool(white) and min(white) > _STRETCHED * em and max(white) < _EVEN_WHITE * min(white)


def _is_stretched(words: list[Word], em: float, runs: list[list[list[Word]]]) -> bool:
    """Whether words stand apart as those of a justified line do, which holds letters and ends with no value. Of two the
    second begins where no other of `runs` does, and another one that begins where they do is justified."""
    if (
        not are_stretched(words)
        or _VALUE.match(words[-1].text)
        or not any(sign.isalpha() for word in words for sign in word.text)
    ):
        return False
    if len(words) > _PAIR:
        return True
    left, start = words[0].x0, words[-1].x0
    under = [run for line in runs for run in line if abs(run[0].x0 - left) < _SAME_EDGE * em]
    alone = sum(abs(run[0].x0 - start) < em for line in runs for run in line) == 1
    return alone and any(len(run) > _PAIR and are_stretched(run) for run in under)


def close_borders(lines: list[list[Word]], column: tuple[float, float], em: float, blank: float = 0.0) -> list[float]:
    """Where a column of several lines is two that stand as close as words: hardly any white, but all lines are parted
    there, and what stands behind begins or ends at one place while what stands before ends anywhere, or is a value of
    its own. They are not where the white is the `blank` between words, in ems, if that is known."""
    left, right = column
    own = [[w for w in line if left <= w.x0 and w.x1 <= right] for line in lines]
    own = [line for line in own if line]
    if len(own) <= _HEADED_LINES or sum(map(len, own)) > _CLOSE_WORDS * len(own):
        return []
    edges = sorted(edge for line in own for w in line for edge in ((w.x0, 1), (w.x1, -1)))
    spans = covered_spans(edges, 1, _CLOSE_GAP * em)
    found: list[float] = []
    for before, after in pairwise(spans):
        x = (before[1] + after[0]) / 2
        pairs = [([w for w in line if w.x1 < x], [w for w in line if w.x0 > x]) for line in own]
        both = [(one, other) for one, other in pairs if one and other]
        head, starts = pairs[0], [other[0].x0 for _, other in both]
        named = not head[0] and bool(both) and abs(head[1][0].x0 - min(starts)) < _SAME_EDGE * em
        if any(other[0].apart is False for _, other in both) or _are_blanks(both, blank) or _are_numbered(both):
            continue  # a blank is written there, or set
        several = len(both) >= _EDGE_LINES and max(starts) - min(starts) < _SAME_EDGE * em
        parted = max(_CLOSE_LINES, (_EDGE_PARTED if several else _PARTED) * len(own))
        if len(both) < (max(_HEADED_LINES, len(own) - 1) if named else parted):
            continue
        under = both[1:] if both[0][0][0] in own[0] and all(one[-1].x1 > before[0] for one, _ in both[1:]) else both
        if _stand_close(both, em) or _stand_close(under, em):  # under two heads
            found.append(x)
    return found


def _are_blanks(both: list[tuple[list[Word], list[Word]]], blank: float) -> bool:
    """Whether the white between words in several lines is as wide as a blank, in ems."""
    white = [(other[0].x0 - one[-1].x1) / max(one[-1].style.size, 1.0) for one, other in both]
    return bool(blank) and all(abs(gap - blank) < _SAME_BLANK * blank for gap in white)


def _are_numbered(both: list[tuple[list[Word], list[Word]]]) -> bool:
    """Whether what stands before the white in several lines is but the number of an item, as near as to a sentence."""
    return all(
        len(one) == 1 and _ITEM.match(one[0].text) and other[0].x0 - one[0].x1 < _MAX_BLANK * one[0].style.size
        for one, other in both
    )


def _stand_close(both: list[tuple[list[Word], list[Word]]], em: float) -> bool:
    """Whether the words before and behind a border in several lines are those of two columns."""
    ends, starts = [one[-1].x1 for one, _ in both], [other[0].x0 for _, other in both]
    last = [other[-1].x1 for _, other in both]
    anywhere = max(ends) - min(ends) > _VARIED * em
    aligned = min(max(starts) - min(starts), max(last) - min(last)) < _SAME_EDGE * em
    if anywhere and aligned:
        return True
    thin = median(other[0].x0 - one[-1].x1 for one, other in both) < _THIN * em
    return _are_two_values([(one[-1].text, other[0].text) for one, other in both], thin=thin)


def _are_two_values(pairs: list[tuple[str, str]], *, thin: bool) -> bool:
    """Whether words that follow one another in all lines are figures, or, unless the white between them is `thin`,
    figures and words that are not a unit."""
    if not all(_VALUE.match(one) for one, _ in pairs):
        return False
    words = {other for _, other in pairs}
    names = len(words) > _UNITS and all(word[0].isupper() for word in words)
    varied = all(word[0].isalpha() for word in words) and 2 * len(words) > len(pairs)
    return (not thin and (names or varied)) or all(map(_VALUE.match, words))
