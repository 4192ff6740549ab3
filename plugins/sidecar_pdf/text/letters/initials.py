"""Puts large initials (drop caps, raised caps) before the words they begin: set over several lines, they stand on none
of them, and part the paragraph they open."""

from collections.abc import Iterable

from sidecar_pdf.text.segments import Segment, Word

_LARGER = 1.6
"""Times the type of the text that its initial is as large as, at least."""
_LETTERS = 3
"""Of an initial, with a quote before it, at most."""
_MAX_INITIALS = 40
"""Initials on a page; of more large letters that stand alone each would be compared with all lines."""
_BESIDE, _OVER = 1.6, 0.4
"""Ems of the text between an initial and the line beside it, and by which that may begin before its end."""
_ASCENT = 0.95
"""Times its size of type that the box of a letter is tall over its baseline; boxes as tall as the ink are lower."""
_SAME_LEFT = 0.6
"""Ems by which lines of one column begin elsewhere."""
_LEADING = 1.9
"""Times its size of type that a line stands under another of its paragraph, at most."""
_ALONE = frozenset("AIOYÀÉEUaioyeàé")
"""Letters that are words of their own in one language or another."""


def join_initials(segments: list[Segment], vocabulary: set[str]) -> list[Segment]:
    """The segments of a page with its large initials put before the first of the lines beside them; `vocabulary` tells
    where an initial is a word of its own."""
    smallest = min((segment.words[0].style.size for segment in segments if not segment.hidden), default=0.0)
    large = [one for one in segments if one.words[0].style.size > _LARGER * max(smallest, 1.0)]
    initials = [one for one in large if _is_initial(one)]
    for initial in initials if len(initials) <= _MAX_INITIALS else ():
        rest = _made_like(initial, initial.words[1:]) if len(initial.words) > 1 else None
        others = [*segments, rest] if rest else segments
        lines = sorted((s for s in others if s is not initial and _is_beside(s, initial)), key=lambda s: s.y0)
        if not lines or not _opens_text(initial, lines, others):
            continue
        first = lines[0]
        begun = _with_initial(first, initial.words[0], segments, vocabulary)
        kept = [begun if s is first else s for s in segments if s is not initial]
        segments = kept if rest is None or rest is first else [*kept, rest]
        if rest is first:
            segments = [*kept, begun]
    return segments


def _is_initial(segment: Segment) -> bool:
    """Whether a segment is, or begins with, a few letters much larger than what follows."""
    word = segment.words[0]
    if segment.vertical or segment.hidden or len(word.text) > _LETTERS or not word.text[-1].isalpha():
        return False
    return len(segment.words) == 1 or word.style.size > _LARGER * max(other.style.size for other in segment.words[1:])


def _made_like(segment: Segment, words: Iterable[Word]) -> Segment:
    first, *others = words
    made = Segment(first._replace(joined=False), segment.order)
    for word in others:
        made.add(word)
    made.hyphen, made.cell, made.rtl, made.hidden = segment.hyphen, segment.cell, segment.rtl, segment.hidden
    return made


def _is_beside(segment: Segment, initial: Segment) -> bool:
    """Whether a line of smaller type begins right behind an initial, at its height."""
    cap, em = initial.words[0], max(segment.words[0].style.size, 1.0)
    return (
        not segment.vertical and not segment.hidden
        and cap.style.size > _LARGER * em and _is_level(segment, cap)
        and -_OVER * em < segment.x0 - cap.x1 < _BESIDE * em
    )  # fmt: skip


def _is_level(segment: Segment, cap: Word) -> bool:
    """Whether the middle of a line is at the height of an initial, down to its baseline."""
    baseline = min(cap.y1, cap.y0 + _ASCENT * cap.style.size)
    return cap.y0 < (segment.y0 + segment.y1) / 2 < baseline


def _opens_text(initial: Segment, lines: list[Segment], segments: list[Segment]) -> bool:
    """Whether the text goes on under its first line: beside the initial, or below it at its left edge."""
    first, cap = lines[0], initial.words[0]
    em = max(first.words[0].style.size, 1.0)
    below = [s for s in segments if 0 < s.y1 - lines[-1].y1 < _LEADING * em and not s.vertical and s is not initial]
    under = any(abs(s.x0 - cap.x0) < _SAME_LEFT * em and _is_like(s, first) for s in below)
    beside = [s for s in lines[1:] if _is_like(s, first) and abs(s.x0 - first.x0) < 2 * em]
    return first.words[0].text[0].isalpha() and (under or bool(beside))


def _is_like(segment: Segment, first: Segment) -> bool:
    return abs(segment.words[-1].style.size - first.words[-1].style.size) < 1


def _with_initial(first: Segment, cap: Word, segments: list[Segment], vocabulary: set[str]) -> Segment:
    """A line with an initial before its first word, as part of it or as a word of its own: where the whole is not a
    word of the document and the initial, or what follows a letter that may be a word, is said on the page besides."""
    word = first.words[0]
    written = cap.text if len(cap.text) > 1 else word.text if cap.text in _ALONE else ""
    own = written and (cap.text + word.text).lower() not in vocabulary and _times(written.lower(), segments) > 1
    if own:
        alone = word._replace(text=cap.text, x0=cap.x0, x1=cap.x1)
        return _made_like(first, [alone, word._replace(joined=False), *first.words[1:]])
    whole = word._replace(text=cap.text + word.text, x0=min(cap.x0, word.x0))
    return _made_like(first, [whole, *first.words[1:]])


def _times(text: str, segments: list[Segment]) -> int:
    return sum(word.text.lower() == text for segment in segments for word in segment.words)
